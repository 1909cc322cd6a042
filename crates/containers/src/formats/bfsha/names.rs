//! What a BFSHA has names for: itself, shading models, options with their choices and defaults, attributes, samplers,
//! blocks with their variables, and what its BNSH files name; and all its names of other lengths.
//!
//! Records and dictionaries say the same names, so these change together.

use super::model::{Bfsha, Object};
use super::raw::{BLOCK_LEN, COLUMNS, Model, Resource, VARIABLE_LEN};
use super::wiiu;
use crate::formats::switch::layout::Edit;
use crate::formats::switch::{Pointer, Texts, names};
use crate::shared::Node;
use crate::shared::names::{Content, Element, Slot, Thing, floats};
use std::collections::BTreeMap;
use unshade_bytes::Result;
use unshade_stage::latte::VarType;

/// Numbers of one default value that are shown and set.
const VALUES: usize = 0x1_0000;

/// An entry of an array.
fn entry(array: Pointer, index: usize, len: u64) -> Pointer {
    Pointer(array.0.saturating_add((index as u64).saturating_mul(len)))
}

impl Bfsha {
    /// What the file has names for.
    pub(crate) fn things(&self, _: &Node) -> Vec<Thing> {
        let texts = self.image.texts();
        let name = match (self.wiiu_header(), self.archive()) {
            (Some(header), _) => header.name,
            (None, archive) => archive.map(|archive| archive.name).unwrap_or_default(),
        };
        let own = texts.get(name).unwrap_or_default();
        let mut archive = Thing::only("", "archive", own, names::text_place(&self.image, 0, "name"));
        if let Some(header) = self.header() {
            archive = archive.texts(names::text_place(&self.image, header.archive.0, "name")).one();
        }
        let mut things = vec![archive];
        for index in 0..self.model_count() {
            let Some(at) = self.model_place(index) else { continue };
            let (name, list) = match (self.model(index), self.wiiu_model(index)) {
                (Some(model), _) => (model.name, self.archive().map(|archive| archive.dictionary)),
                (None, Some(model)) => (model.name, self.wiiu_header().map(|header| header.models)),
                (None, None) => continue,
            };
            let own = texts.get(name).unwrap_or_default();
            let key = list.and_then(|list| self.key(list, index, own, &texts));
            let record = names::text_place(&self.image, at.0, "name");
            things.push(Thing::new("", "models", own).texts(record).texts(key).one());
            let owner = format!("models{}.", Thing::part(own));
            self.options_of(index, &owner, &texts, &mut things);
            self.attributes_of(index, &owner, &texts, &mut things);
            self.resources_of(index, &owner, &texts, &mut things);
            self.shaders_of(index, &owner, &texts, &mut things);
        }
        things
    }

    /// What the shaders of a model of the Switch name. A name is that of a stage, in all variations and in the model's
    /// table of symbols; where it is bound is told for each variation.
    fn shaders_of(&self, index: usize, owner: &str, texts: &Texts<'_>, things: &mut Vec<Thing>) {
        let Some(model) = self.model(index) else { return };
        let Some(bnsh) = self.bnsh(model.bnsh) else { return };
        // In the order in which the file says them first.
        let mut numbers: BTreeMap<(String, String, Vec<u8>), usize> = BTreeMap::new();
        let mut names: Vec<(String, String, Vec<u8>, Vec<u64>)> = Vec::new();
        let mut bound = Vec::new();
        for mut thing in bnsh.things_at(model.bnsh.0, &format!("{owner}shaders.")) {
            let stage = thing.owner.trim_end_matches('.').rsplit('.').next().unwrap_or_default();
            if thing.only {
                things.push(thing);
                continue;
            }
            let name = (stage.to_owned(), thing.kind.clone(), thing.own.clone());
            let number = *numbers.entry(name.clone()).or_insert(names.len());
            if number == names.len() {
                names.push((name.0, name.1, name.2, Vec::new()));
            }
            if let Some((.., places)) = names.get_mut(number) {
                places.append(&mut thing.texts);
            }
            bound.push(thing);
        }
        for (stage, kind, own, places) in names {
            let symbols = self.symbol_places(model, &stage, &kind, &own, texts);
            let owner = format!("{owner}shaders.{stage}.");
            things.push(Thing::new(&owner, kind, &own).texts(places).texts(symbols).one());
        }
        things.extend(bound.into_iter().filter(|thing| thing.value.is_some()));
    }

    /// Where the table of symbols of a model says a name of a stage.
    fn symbol_places(
        &self,
        model: &Model,
        stage: &str,
        kind: &str,
        own: &[u8],
        texts: &Texts<'_>,
    ) -> Vec<u64> {
        let form = self.image.form;
        let resource = match kind {
            "samplers" => Resource::Samplers,
            "images" => Resource::Images,
            "constant_buffers" => Resource::UniformBlocks,
            "unordered_access_buffers" => Resource::StorageBlocks,
            _ => return Vec::new(),
        };
        let stage = if stage == "pixel" { "fragment" } else { stage };
        let number = COLUMNS.iter().position(|known| *known == stage);
        let Some(column) = number.and_then(|number| model.column(form, number)) else { return Vec::new() };
        let columns = usize::from(model.columns(form));
        let info = self.symbol_info(model.symbols);
        let Some(at) = info.and_then(|info| info.tables.get(resource.index())?.get()) else {
            return Vec::new();
        };
        let table = self.symbol_table(model, resource).iter().enumerate();
        let its = table.filter(|(index, symbol)| {
            index.checked_rem(columns) == Some(column) && texts.get(**symbol) == Some(own)
        });
        let size = form.pointer_size();
        its.map(|(index, _)| at.saturating_add((index as u64).saturating_mul(size))).collect()
    }

    /// The place of a key that says a name; nothing where the dictionary says another one there.
    fn key(&self, dictionary: Pointer, index: usize, own: &[u8], texts: &Texts<'_>) -> Option<u64> {
        let key = self.dictionary(dictionary)?.keys().nth(index)?;
        (texts.get(key) == Some(own)).then(|| names::key_place(dictionary, index)).flatten()
    }

    fn options_of(&self, model: usize, owner: &str, texts: &Texts<'_>, things: &mut Vec<Thing>) {
        let lists: [(Pointer, Pointer, usize); 2] = match (self.model(model), self.wiiu_model(model)) {
            (Some(found), _) => [
                (found.static_options[0], found.static_options[1], found.static_option_count.into()),
                (found.dynamic_options[0], found.dynamic_options[1], found.dynamic_option_count.into()),
            ],
            (None, Some(found)) => {
                let [fixed, moving, ..] = found.arrays;
                [(fixed[0], fixed[1], found.counts[0].into()), (moving[0], moving[1], found.counts[1].into())]
            }
            (None, None) => return,
        };
        let users = self.users_of_choices();
        let len = if self.is_wiiu() { wiiu::OPTION_LEN } else { super::raw::OPTION_LEN };
        for (array, dictionary, count) in lists {
            for index in 0..count {
                let at = entry(array, index, len);
                let (name, choices) = match (self.option_at(at), self.wiiu_option(at)) {
                    (Some(option), _) => (option.name, option.choices),
                    (None, Some(option)) => (option.name, option.choices),
                    (None, None) => break,
                };
                let own = texts.get(name).unwrap_or_default();
                let key = self.key(dictionary, index, own, texts);
                let record = names::text_place(&self.image, at.0, "name");
                things.push(Thing::new(owner, "options", own).texts(record).texts(key).one());
                let known: Vec<String> =
                    self.dictionary(choices).map(|found| found.names(texts)).unwrap_or_default();
                if let Some(slot) = names::number(&self.image, (at.0, 0), "default_choice", 0) {
                    let default = Thing::new(owner, "options", own).tail(".default");
                    things.push(default.value(Content::Choice(slot, known)));
                }
                let Some(found) = self.dictionary(choices) else { continue };
                let alone = users.get(&choices.0).is_none_or(|users| *users <= 1);
                let kind = format!("options{}.choices", Thing::part(own));
                for (index, key) in found.keys().enumerate() {
                    let Some(own) = texts.get(key) else { continue };
                    // A list that several options have is not one option's to change.
                    let place = names::key_place(choices, index).filter(|_| alone);
                    things.push(Thing::new(owner, kind.as_str(), own).texts(place));
                }
            }
        }
    }

    /// How many options have each list of choices.
    fn users_of_choices(&self) -> BTreeMap<u64, usize> {
        let mut users: BTreeMap<u64, usize> = BTreeMap::new();
        for object in self.image.objects.values() {
            let choices = match object {
                Object::Option(option) => option.choices,
                Object::WiiUOption(option) => option.choices,
                _ => continue,
            };
            let count = users.entry(choices.0).or_default();
            *count = count.saturating_add(1);
        }
        users
    }

    fn attributes_of(&self, model: usize, owner: &str, texts: &Texts<'_>, things: &mut Vec<Thing>) {
        let [array, dictionary] = match (self.model(model), self.wiiu_model(model)) {
            (Some(found), _) => found.attributes,
            (None, Some(found)) => found.arrays[2],
            (None, None) => return,
        };
        let Some(found) = self.dictionary(dictionary) else { return };
        for (index, key) in found.keys().enumerate() {
            let Some(own) = texts.get(key) else { continue };
            things.push(Thing::new(owner, "attributes", own).texts(names::key_place(dictionary, index)));
            if let Some(slot) = names::number(&self.image, (array.0, 0), "location", index) {
                let location = Thing::new(owner, "attributes", own).tail(".location");
                things.push(location.value(Content::number(slot)));
            }
        }
    }

    fn resources_of(&self, model: usize, owner: &str, texts: &Texts<'_>, things: &mut Vec<Thing>) {
        for resource in Resource::of(self.image.form) {
            let is_block = matches!(resource, Resource::UniformBlocks | Resource::StorageBlocks);
            let [array, dictionary] = match (self.model(model), self.wiiu_model(model), resource) {
                (Some(found), ..) => found.resource(*resource),
                (None, Some(found), Resource::Samplers) => found.arrays[3],
                (None, Some(found), _) => found.arrays[4],
                (None, None, _) => return,
            };
            let Some(found) = self.dictionary(dictionary) else { continue };
            for (index, key) in found.keys().enumerate() {
                let Some(own) = texts.get(key) else { continue };
                things
                    .push(Thing::new(owner, resource.name(), own).texts(names::key_place(dictionary, index)));
                if is_block {
                    let owner = format!("{owner}{}{}.", resource.name(), Thing::part(own));
                    self.variables_of(array, index, &owner, texts, things);
                }
            }
        }
    }

    /// The variables of a block with their default values, where it has any.
    fn variables_of(
        &self,
        array: Pointer,
        index: usize,
        owner: &str,
        texts: &Texts<'_>,
        things: &mut Vec<Thing>,
    ) {
        let (switch, wiiu) = (entry(array, index, BLOCK_LEN), entry(array, index, wiiu::BLOCK_LEN));
        let (dictionary, defaults, size) = match (self.block(switch), self.wiiu_block(wiiu)) {
            (Some(block), _) => (block.dictionary, block.defaults, block.size),
            (None, Some(block)) => (block.dictionary, block.defaults, block.size),
            (None, None) => return,
        };
        let Some(found) = self.dictionary(dictionary) else { return };
        // Of each variable the place in the block, and how many bytes it has where the file says that.
        let variable = |index: usize| match self.is_wiiu() {
            true => {
                let at = found.nodes.get(index.checked_add(1)?)?.value;
                let variable = self.wiiu_variable(at)?;
                let (_, columns, rows) = VarType(variable.kind.into()).shape()?;
                let vectors = columns.saturating_mul(u32::from(variable.count).max(1));
                let bytes =
                    vectors.saturating_sub(1).saturating_mul(16).saturating_add(rows.saturating_mul(4));
                Some((variable.offset_plus_1.checked_sub(1)?, Some(bytes)))
            }
            false => {
                let block = self.block(switch)?;
                let variable = self.variable(entry(block.variables, index, VARIABLE_LEN))?;
                Some((variable.offset_plus_1.checked_sub(1)?, None))
            }
        };
        let mut starts: Vec<u16> = (0..found.len()).filter_map(|index| Some(variable(index)?.0)).collect();
        starts.push(size);
        starts.sort_unstable();
        let bytes = match self.image.get(defaults) {
            Some(Object::Blob(_, bytes)) => &**bytes,
            _ => &[],
        };
        for (index, key) in found.keys().enumerate() {
            let Some(own) = texts.get(key) else { continue };
            let thing = Thing::new(owner, "uniforms", own).texts(names::key_place(dictionary, index));
            let value = variable(index).and_then(|(start, len)| {
                // Up to the next one, or as long as its type says.
                let next = starts.iter().find(|next| **next > start).copied().unwrap_or(start);
                let room = u32::from(next.saturating_sub(start));
                let len = len.map_or(room, |len| len.min(room.max(4))) & !3;
                let range = usize::from(start)..usize::from(start).saturating_add(len as usize);
                let bytes = bytes.get(range).filter(|bytes| !bytes.is_empty() && bytes.len() <= VALUES)?;
                let at = defaults.get()?.saturating_add(start.into());
                let slots: Vec<Slot> = floats(at, bytes, self.image.form.endian());
                Some(Content::Numbers(slots.chunks(4).map(|row| Element::fixed(row.to_vec())).collect()))
            });
            things.push(thing.value(value));
        }
    }

    /// Puts other texts in place of those at these places of the file.
    ///
    /// # Errors
    /// Where no text starts there, it is too long, or a dictionary has the name already.
    pub(crate) fn set_texts(&mut self, texts: &[(u64, Vec<u8>)]) -> Result<()> {
        let mut own: Vec<(u64, &[u8])> = Vec::new();
        let mut inner: BTreeMap<u64, Vec<(u64, &[u8])>> = BTreeMap::new();
        for (at, text) in texts {
            match self.image.objects.range(..=*at).next_back() {
                Some((start, Object::Bnsh(_))) => {
                    inner.entry(*start).or_default().push((at.saturating_sub(*start), text));
                }
                _ => own.push((*at, text)),
            }
        }
        let mut edit = Edit::new(self.image.clone())?;
        for (at, texts) in inner {
            if let Some(Object::Bnsh(bnsh)) = edit.image.objects.get_mut(&at) {
                let map = bnsh.set_texts_mapped(&texts)?;
                edit.moved_inside(at, map);
            }
        }
        names::set_texts(&mut edit, &own)?;
        self.place_all(edit)
    }
}
