//! Changing a BFSHA of the Switch: options and their choices, programs, code, names. Keys, tables, dictionaries
//! and the relocation table are brought along; what need not change does not.

mod programs;

use super::model::{Bfsha, Object};
use super::options::{Packed, packing};
use super::raw::{Model, OPTION_LEN, OptionRecord};
use crate::formats::switch::layout::{Edit, unreadable};
use crate::formats::switch::{Dictionary, Family, Pointer};
use std::mem::discriminant;
use unshade_bytes::{Error, ErrorKind, Result};

/// A BNSH starts at a multiple of this.
const BNSH_ALIGNMENT: u64 = 0x1000;

pub(super) fn unfit(expected: impl Into<String>, found: impl Into<String>) -> Error {
    Error::new(ErrorKind::Unrepresentable, 0, "", expected.into(), found.into()).code("bfsha.edit")
}

pub(super) fn missing(expected: impl Into<String>, found: impl Into<String>) -> Error {
    Error::new(ErrorKind::OutOfBounds, 0, "", expected.into(), found.into()).code("bfsha.edit")
}

/// What may get another name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Named<'a> {
    /// The archive, also in the file header.
    Archive,
    /// The shading model of that index.
    Model(usize),
    /// An option of a shading model.
    Option(usize, &'a str),
    /// A choice of an option of a shading model.
    Choice(usize, &'a str, &'a str),
}

impl Bfsha {
    /// Makes another choice the default of an option.
    ///
    /// # Errors
    /// [`ErrorKind::OutOfBounds`] where there is no such model, option or choice.
    pub fn set_default(&mut self, model: usize, option: &str, choice: &str) -> Result<()> {
        let texts = self.image.texts();
        let table =
            self.options(model, &texts).ok_or_else(|| missing("a shading model", model.to_string()))?;
        let position = table.options.iter().position(|known| known.name == option);
        let known = position.and_then(|position| table.options.get(position));
        let (Some(position), Some(known)) = (position, known) else {
            return Err(missing(format!("an option of {}", table.model), format!("`{option}`")));
        };
        let index = known.choice(choice);
        let index = index.ok_or_else(|| missing(format!("a choice of {option}"), format!("`{choice}`")))?;
        drop(texts);
        let at = self.option_place(model, position).ok_or_else(|| missing("an option", option))?;
        match self.image.objects.get_mut(&at.0) {
            Some(Object::Option(record)) => {
                record.default_choice = u16::try_from(index).unwrap_or(u16::MAX);
                Ok(())
            }
            Some(Object::WiiUOption(record)) => {
                record.default_choice = u8::try_from(index).unwrap_or(u8::MAX);
                Ok(())
            }
            _ => Err(missing("an option", option)),
        }
    }

    /// The place of an option, static ones first.
    fn option_place(&self, model: usize, position: usize) -> Option<Pointer> {
        let place = |array: Pointer, index: usize, len: u64| {
            Pointer(array.0.saturating_add((index as u64).saturating_mul(len)))
        };
        if let Some(found) = self.wiiu_model(model) {
            let fixed = usize::from(found.counts[0]);
            let len = super::wiiu::OPTION_LEN;
            return Some(match position.checked_sub(fixed) {
                None => place(found.arrays[0][0], position, len),
                Some(position) => place(found.arrays[1][0], position, len),
            });
        }
        let found = self.model(model)?;
        let fixed = usize::from(found.static_option_count);
        Some(match position.checked_sub(fixed) {
            None => place(found.static_options[0], position, OPTION_LEN),
            Some(position) => place(found.dynamic_options[0], position, OPTION_LEN),
        })
    }

    /// Adds a choice with its number behind the others of an option. Where its bits have no room for one more,
    /// all options are packed anew and the keys with them.
    ///
    /// # Errors
    /// [`ErrorKind::OutOfBounds`] where there is no such model or option; [`ErrorKind::Unrepresentable`] for a
    /// choice that is there, for more choices than a count can say, and for files of the Wii U.
    pub fn add_choice(&mut self, model: usize, option: &str, choice: &str, value: u32) -> Result<()> {
        let (at, position) = self.find_option(model, option)?;
        let record = self.option_at(at).ok_or_else(|| missing("an option", option))?.clone();
        let limit = if self.image.form.major >= 9 { u16::MAX } else { u8::MAX.into() };
        if record.choice_count >= limit {
            return Err(unfit(format!("at most {limit} choices"), "one more"));
        }
        let texts = self.image.texts();
        let known = self.dictionary(record.choices).cloned().unwrap_or_else(empty_dictionary);
        if known.names(&texts).iter().any(|name| name == choice) {
            return Err(unfit(format!("a new choice of {option}"), format!("`{choice}`, which is there")));
        }
        drop(texts);
        let mut values = self.values(record.values).cloned().unwrap_or_default();
        for (held, what) in [(known.keys().len(), "names"), (values.len(), "numbers")] {
            if held != usize::from(record.choice_count) {
                let expected = format!("{} {what} of choices of {option}", record.choice_count);
                return Err(unfit(expected, held.to_string()));
            }
        }
        let mut edit = Edit::new(self.image.clone())?;
        let key = edit.text(choice.as_bytes());
        let mut dictionary = known;
        dictionary.nodes.push(crate::formats::switch::DictionaryNode { key, ..Default::default() });
        let keys: Vec<Vec<u8>> = dictionary.keys().map(|key| edit.text_of(key)).collect();
        Edit::<Object>::rebuild(&mut dictionary, &keys, Family::Switch)?;
        values.push(value);
        let choices = self.own(&mut edit, at, record.choices, Object::Dictionary(dictionary));
        let values = self.own(&mut edit, at, record.values, Object::Values(values));
        if let Some(Object::Option(place)) = edit.image.objects.get_mut(&at.0) {
            place.choices = choices;
            place.values = values;
            place.choice_count = place.choice_count.saturating_add(1);
        }
        let room = record.mask.checked_shr(record.shift.into()).unwrap_or(0);
        if u32::from(record.choice_count) > room {
            self.repack(&mut edit, model, position)?;
        }
        self.place_all(edit)
    }

    /// Puts a structure where the old one of its kind is, where `owner` alone leads to it; else behind the old one.
    fn own(&self, edit: &mut Edit<Object>, owner: Pointer, old: Pointer, object: Object) -> Pointer {
        let users = self.image.objects.iter().filter(|(_, object)| match object {
            Object::Option(option) => option.choices == old || option.values == old,
            _ => false,
        });
        if users.count() <= 1
            && let Some(place) = edit.image.objects.get_mut(&old.0)
            && discriminant(place) == discriminant(&object)
        {
            *place = object;
            return old;
        }
        let there = old.get().filter(|at| edit.image.objects.contains_key(at));
        // Nothing comes between the options of an array.
        let behind = there.unwrap_or_else(|| {
            let mut last = owner.0;
            while let Some(next) = last.checked_add(OPTION_LEN)
                && matches!(self.image.objects.get(&next), Some(Object::Option(_)))
            {
                last = next;
            }
            last
        });
        edit.insert(behind, object)
    }

    /// Gives all options of a model their bits anew, with one more choice for the option at `grown`.
    fn repack(&self, edit: &mut Edit<Object>, model: usize, grown: usize) -> Result<()> {
        let found = self.model(model).ok_or_else(|| missing("a shading model", model.to_string()))?.clone();
        let at = self.model_place(model).unwrap_or_default();
        let others = (0..self.model_count()).filter(|other| *other != model);
        let mut others = others.filter_map(|other| self.model(other));
        if let Some(other) = others.find(|other| other.keys == found.keys && !found.keys.is_null()) {
            let name = self.image.texts().show(other.name);
            return Err(unfit("keys of this model alone, which get other bits", format!("{name}'s too")));
        }
        let fixed = usize::from(found.static_option_count);
        let total = fixed.saturating_add(found.dynamic_option_count.into());
        let places: Vec<Pointer> = (0..total).filter_map(|index| self.option_place(model, index)).collect();
        let records: Vec<OptionRecord> =
            places.iter().filter_map(|at| self.option_at(*at).cloned()).collect();
        let counts: Vec<u32> = records
            .iter()
            .enumerate()
            .map(|(index, record)| u32::from(record.choice_count).saturating_add(u32::from(index == grown)))
            .collect();
        let (fixed_counts, moving_counts) = counts.split_at_checked(fixed).unwrap_or((&counts, &[]));
        let (mut packed, static_words) = packing(fixed_counts, 0);
        let (moving, dynamic_words) = packing(moving_counts, static_words);
        packed.extend(moving);
        let words = static_words.saturating_add(dynamic_words);
        let narrow = |number: u32| {
            u8::try_from(number).map_err(|_| unfit("at most 255 words of a key", number.to_string()))
        };
        let mut rows = Vec::new();
        let old_words = usize::try_from(found.words()).unwrap_or(0);
        let old_keys = self.keys(found.keys).map(Vec::as_slice).unwrap_or_default();
        for program in 0..found.programs_held() {
            let start = program.saturating_mul(old_words);
            let old = old_keys.get(start..start.saturating_add(old_words)).unwrap_or_default();
            let mut key = vec![0; usize::try_from(words).unwrap_or(0)];
            for (record, packed) in records.iter().zip(&packed) {
                let before =
                    Packed { word: record.word.into(), shift: record.shift.into(), mask: record.mask };
                packed.set(&mut key, before.choice(old));
            }
            rows.extend(key);
        }
        for ((place, packed), index) in places.iter().zip(&packed).zip(0..) {
            if let Some(Object::Option(record)) = edit.image.objects.get_mut(&place.0) {
                record.word = narrow(packed.word)?;
                record.shift = narrow(packed.shift)?;
                record.mask = packed.mask;
                record.key_offset = if index < fixed { 0 } else { narrow(static_words)? };
            }
        }
        if let Some(Object::Model(record)) = edit.image.objects.get_mut(&at.0) {
            record.static_words = narrow(static_words)?;
            record.dynamic_words = narrow(dynamic_words)?;
        }
        if let Some(Object::Keys(keys)) = edit.image.objects.get_mut(&found.keys.0) {
            *keys = rows;
        }
        Ok(())
    }

    /// The place of an option of a Switch file, and which one it is, static ones first.
    fn find_option(&self, model: usize, option: &str) -> Result<(Pointer, usize)> {
        if self.is_wiiu() {
            return Err(unfit("a file of the Switch", "one of the Wii U"));
        }
        let texts = self.image.texts();
        let table =
            self.options(model, &texts).ok_or_else(|| missing("a shading model", model.to_string()))?;
        let position = table.options.iter().position(|known| known.name == option);
        let position = position
            .ok_or_else(|| missing(format!("an option of {}", table.model), format!("`{option}`")))?;
        let at = self.option_place(model, position).ok_or_else(|| missing("an option", option))?;
        Ok((at, position))
    }

    /// Gives something another name.
    ///
    /// # Errors
    /// [`ErrorKind::OutOfBounds`] where it is not there; [`ErrorKind::Unrepresentable`] for a name that another
    /// one of its kind has, and for files of the Wii U.
    pub fn rename(&mut self, what: Named<'_>, name: &str) -> Result<()> {
        let mut edit = Edit::new(self.image.clone())?;
        if self.is_wiiu() {
            return Err(unfit("a file of the Switch", "one of the Wii U"));
        }
        let text = edit.text(name.as_bytes());
        match what {
            Named::Archive => {
                let at = self.header().map_or(0, |header| header.archive.0);
                if let Some(Object::Archive(archive)) = edit.image.objects.get_mut(&at) {
                    archive.name = text;
                }
                if let Some(Object::Header(header)) = edit.image.objects.get_mut(&0) {
                    header.file.name = Pointer(text.0.saturating_add(2));
                }
            }
            Named::Model(index) => {
                let at =
                    self.model_place(index).ok_or_else(|| missing("a shading model", index.to_string()))?;
                if let Some(Object::Model(model)) = edit.image.objects.get_mut(&at.0) {
                    model.name = text;
                }
                let dictionary = self.archive().map(|archive| archive.dictionary).unwrap_or_default();
                rename_key(&mut edit, dictionary, index, text)?;
            }
            Named::Option(model, option) => {
                let (at, position) = self.find_option(model, option)?;
                if let Some(Object::Option(record)) = edit.image.objects.get_mut(&at.0) {
                    record.name = text;
                }
                let found = self.model(model).ok_or_else(|| missing("a shading model", model.to_string()))?;
                let fixed = usize::from(found.static_option_count);
                match position.checked_sub(fixed) {
                    None => rename_key(&mut edit, found.static_options[1], position, text)?,
                    Some(position) => rename_key(&mut edit, found.dynamic_options[1], position, text)?,
                }
            }
            Named::Choice(model, option, choice) => {
                let (at, _) = self.find_option(model, option)?;
                let record = self.option_at(at).ok_or_else(|| missing("an option", option))?;
                let names = self.image.texts();
                let known = self.dictionary(record.choices).map(|d| d.names(&names)).unwrap_or_default();
                let index = known.iter().position(|known| known == choice);
                let index =
                    index.ok_or_else(|| missing(format!("a choice of {option}"), format!("`{choice}`")))?;
                let mut dictionary = self.dictionary(record.choices).cloned().unwrap_or_default();
                set_key(&edit, &mut dictionary, index, text)?;
                let choices = self.own(&mut edit, at, record.choices, Object::Dictionary(dictionary));
                if let Some(Object::Option(record)) = edit.image.objects.get_mut(&at.0) {
                    record.choices = choices;
                }
            }
        }
        self.place_all(edit)
    }

    /// Places everything and takes the result.
    pub(crate) fn place_all(&mut self, edit: Edit<Object>) -> Result<()> {
        let first = (0..self.model_count())
            .filter_map(|index| self.model(index))
            .map(|model: &Model| model.bnsh.0)
            .filter(|at| *at != 0);
        let marks: Vec<(u64, u64)> = first.map(|at| (at, BNSH_ALIGNMENT)).collect();
        let (image, _) = edit.finish(&marks)?;
        let before = std::mem::replace(&mut self.image, image);
        if let Err(error) = self.write().and_then(|bytes| super::read(&bytes)) {
            self.image = before;
            return Err(unreadable(error));
        }
        Ok(())
    }
}

fn empty_dictionary() -> Dictionary {
    Dictionary { signature: crate::formats::switch::dictionary::DIC, nodes: vec![Default::default()] }
}

/// Gives an entry of a dictionary another key.
fn rename_key(edit: &mut Edit<Object>, at: Pointer, index: usize, text: Pointer) -> Result<()> {
    let Some(mut dictionary) = edit.image.dictionary(at).cloned() else { return Ok(()) };
    set_key(edit, &mut dictionary, index, text)?;
    if let Some(Object::Dictionary(place)) = edit.image.objects.get_mut(&at.0) {
        *place = dictionary;
    }
    Ok(())
}

fn set_key(edit: &Edit<Object>, dictionary: &mut Dictionary, index: usize, text: Pointer) -> Result<()> {
    if let Some(node) = dictionary.nodes.get_mut(index.saturating_add(1)) {
        node.key = text;
    }
    let keys: Vec<Vec<u8>> = dictionary.keys().map(|key| edit.text_of(key)).collect();
    Edit::<Object>::rebuild(dictionary, &keys, Family::Switch)
}
