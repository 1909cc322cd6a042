//! From what was asked for to what happens: bytes set in their places, texts, values that come and go.

use super::fields::{Field, Fields, Trail};
use super::{Change, Renaming, Setting, text};
use crate::face::Container;
use crate::shared::names::{self, Content, Element, Key, Put, Slot, Thing};
use crate::shared::{FieldEncoding, opaque::escape};
use std::{
    borrow::Cow,
    collections::{BTreeMap, BTreeSet},
    ops::Range,
};
use unshade_bytes::{Endian, Error, ErrorKind, Result};

/// A field or a value that was asked for.
#[derive(Debug)]
pub(super) struct Asked {
    pub path: String,
    pub old: String,
    /// What it is now, where a tree prints only the start of it.
    pub new: Option<String>,
    pub place: Range<u64>,
    pub find: Find,
}

/// By what it is found when everything is done.
#[derive(Debug)]
pub(super) enum Find {
    Field(Trail),
    /// A thing and an element of its value.
    Value(usize, Option<usize>),
}

/// What happens to a file.
#[derive(Debug, Default)]
pub(super) struct Plan {
    pub patches: Vec<(Range<usize>, Vec<u8>)>,
    pub texts: BTreeMap<u64, Vec<u8>>,
    pub puts: Vec<Put>,
    pub asked: Vec<Asked>,
    /// Of the texts those that are names: not the choice of one that stands elsewhere.
    names: BTreeSet<u64>,
    /// Places that were given a value already, with what asked for it.
    taken: BTreeMap<usize, (usize, String)>,
}

/// All that a plan is made from.
struct Planning<'p> {
    fields: &'p Fields<'p>,
    things: &'p [Thing],
    bytes: &'p [u8],
    endian: Endian,
    plan: Plan,
}

impl Plan {
    pub fn of(
        container: &Container,
        bytes: &[u8],
        fields: &Fields<'_>,
        things: &[Thing],
        changes: &[Change],
    ) -> Result<Self> {
        let plan = Self::default();
        let mut planning = Planning { fields, things, bytes, endian: container.byte_order(), plan };
        for change in changes {
            match change {
                Change::Set(setting) => planning.set(setting)?,
                Change::Rename(renaming) => planning.rename(renaming)?,
            }
        }
        planning.rivals()?;
        Ok(planning.plan)
    }

    /// Whether something moves.
    pub fn moves(&self) -> bool {
        !self.texts.is_empty() || !self.puts.is_empty()
    }

    /// Whether a thing was asked for by its name.
    pub fn names_things(&self) -> bool {
        self.asked.iter().any(|asked| matches!(asked.find, Find::Value(..)))
    }
}

impl Planning<'_> {
    fn set(&mut self, setting: &Setting) -> Result<()> {
        let (fields, path) = (self.fields, setting.path.as_str());
        if let Some(field) = fields.get(path) {
            let node = field.node;
            let old = node.value.clone().unwrap_or_default();
            if node.coding == FieldEncoding::Text {
                // A tree prints the start of a long text only: what it prints is the text that is there.
                if setting.value != old {
                    let is_choice = |thing: &Thing| match &thing.value {
                        Some(Content::Text { at, .. }) => *at == node.offset,
                        _ => false,
                    };
                    if let Some(choice) = self.things.iter().position(is_choice) {
                        return self.value(setting, choice, None);
                    }
                    let new = text::parse(&setting.value)
                        .map_err(|(expected, found)| refused(path, node.offset, expected, found))?;
                    self.text(path, node.offset, new)?;
                }
                return Ok(());
            }
            let place = field.place.clone();
            let bytes = self.bytes.get(place.clone()).unwrap_or_default();
            let new = node
                .coding
                .encode(&setting.value, bytes, self.endian)
                .map_err(|refusal| refused(path, node.offset, refusal.expected, refusal.found))?;
            self.patch(path, place, new)?;
            let place = node.offset..node.end();
            let find = Find::Field(fields.trail(field));
            self.plan.asked.push(Asked { path: path.to_owned(), old, new: None, place, find });
            return Ok(());
        }
        let Some((found, element)) = self.find(path)? else {
            return Err(match fields.structure(path) {
                Some((offset, names)) => {
                    refused(path, offset, "a single field", format!("a structure of {names}"))
                }
                None => {
                    let expected = "the path of a field that `show` prints, or a name";
                    let near = fields.near(self.things, path);
                    Error::unplaced(ErrorKind::BadValue, path, expected, near).code("edit.value")
                }
            });
        };
        for index in found {
            self.value(setting, index, element)?;
        }
        Ok(())
    }

    /// The things that a name means.
    fn find(&self, name: &str) -> Result<Option<names::Found>> {
        names::find(self.things, name).map_err(|several| {
            const SHOWN: usize = 8;
            let shown = several.get(..SHOWN).unwrap_or(&several).join(", ");
            let more = if several.len() > SHOWN { ", ..." } else { "" };
            refused(name, 0, "the name of one thing", format!("several of that name: {shown}{more}"))
        })
    }

    /// Sets the value of a thing, or of one of its elements.
    fn value(&mut self, setting: &Setting, index: usize, element: Option<usize>) -> Result<()> {
        let path = setting.path.as_str();
        let Some(thing) = self.things.get(index) else { return Ok(()) };
        let Some(content) = &thing.value else {
            let at = thing.texts.first().copied().unwrap_or(0);
            let expected = "the name of something that has a value";
            return Err(refused(path, at, expected, "a name alone, which --rename changes"));
        };
        let value = setting.value.trim();
        match content {
            Content::Choice(slot, choices) if element.is_none() => {
                let number = value.strip_prefix('#').and_then(|digits| digits.parse::<usize>().ok());
                let choice = choices.iter().position(|choice| choice == value).or(number);
                let Some(choice) = choice.filter(|choice| *choice < choices.len() || number.is_some()) else {
                    return Err(refused(path, slot.at, content.takes(), format!("`{value}`")));
                };
                self.slot(path, slot, &choice.to_string())?;
                self.asked(thing, index, None);
            }
            Content::Text { at, shown, choices } if element.is_none() => {
                let wanted = text::parse(value)
                    .ok()
                    .filter(|wanted| choices.is_empty() || choices.contains(wanted))
                    .ok_or_else(|| refused(path, *at, content.takes(), format!("`{value}`")))?;
                if wanted != *shown {
                    self.claim(path, usize::try_from(*at).unwrap_or(usize::MAX), 1)?;
                    self.plan.texts.insert(*at, wanted);
                }
                self.asked(thing, index, None);
            }
            Content::Numbers(elements) => self.numbers(path, value, (index, thing), elements, element)?,
            _ => {
                let found = "one in brackets behind it";
                return Err(refused(path, 0, "a name without the number of an element", found));
            }
        }
        Ok(())
    }

    fn numbers(
        &mut self,
        path: &str,
        value: &str,
        (index, thing): (usize, &Thing),
        elements: &[Element],
        wanted: Option<usize>,
    ) -> Result<()> {
        let range = match wanted {
            None => 0..elements.len(),
            Some(wanted) if wanted < elements.len() => wanted..wanted.saturating_add(1),
            Some(wanted) => {
                let expected = format!("an element below {}", elements.len());
                return Err(refused(path, 0, expected, wanted.to_string()));
            }
        };
        let chosen = elements.get(range.clone()).unwrap_or_default();
        let given = split(value, chosen).ok_or_else(|| {
            let at = chosen.first().and_then(|element| element.slots.first()).map_or(0, |slot| slot.at);
            let takes = match wanted {
                Some(_) => Content::Numbers(chosen.to_vec()).takes(),
                None => Content::Numbers(elements.to_vec()).takes(),
            };
            refused(path, at, takes, format!("`{}`", text::near(value.as_bytes())))
        })?;
        let mut puts: BTreeMap<Key, Option<Vec<String>>> = BTreeMap::new();
        let shares = |key: Key| move |other: &&Element| other.key == Some(key);
        for ((number, element), values) in range.zip(chosen).zip(given) {
            let at = element.slots.first().map_or(0, |slot| slot.at);
            let together = |found: &str| {
                let expected = "all elements of this value, which stand or go together";
                refused(path, at, expected, found.to_owned())
            };
            match (values, element.key) {
                (Some(values), _) if !element.slots.is_empty() => {
                    for (slot, value) in element.slots.iter().zip(&values) {
                        self.slot(path, slot, value)?;
                    }
                }
                (None, _) if element.slots.is_empty() => continue,
                (_, None) => {
                    return Err(refused(
                        path,
                        at,
                        "numbers: this value cannot be taken out of the file",
                        "none",
                    ));
                }
                (values, Some(key)) => {
                    if elements.iter().filter(shares(key)).count()
                        != chosen.iter().filter(shares(key)).count()
                    {
                        return Err(together("one of them"));
                    }
                    let known = puts.contains_key(&key);
                    let put = puts.entry(key).or_insert_with(|| values.is_some().then(Vec::new));
                    match (put, values) {
                        (Some(put), Some(values)) => put.extend(values),
                        (None, None) => {}
                        _ => return Err(together("none for some of them")),
                    }
                    // What comes or goes as a whole is told as a whole.
                    if elements.iter().filter(shares(key)).count() > 1 {
                        if !known {
                            self.asked(thing, index, None);
                        }
                        continue;
                    }
                }
            }
            self.asked(thing, index, (elements.len() > 1).then_some(number));
        }
        for (key, values) in puts {
            if self.plan.puts.iter().any(|put| put.key == key) {
                return Err(refused(path, 0, "a value that is set once", format!("{path}, set twice")));
            }
            self.plan.puts.push(Put { key, values });
        }
        Ok(())
    }

    fn asked(&mut self, thing: &Thing, index: usize, element: Option<usize>) {
        let Some(value) = &thing.value else { return };
        let name = thing.full();
        let path = element.map_or_else(|| name.clone(), |element| format!("{name}[{element}]"));
        let (place, old) = (extent(value, element), shown(value, element));
        self.plan.asked.push(Asked { path, old, new: None, place, find: Find::Value(index, element) });
    }

    fn slot(&mut self, path: &str, slot: &Slot, value: &str) -> Result<()> {
        let place =
            usize::try_from(slot.at).ok().zip(usize::try_from(slot.at.saturating_add(slot.size)).ok());
        let place = place.map_or(0..0, |(start, end)| start..end);
        let old = self.bytes.get(place.clone()).unwrap_or_default();
        let new = slot
            .coding
            .encode(value, old, slot.endian)
            .map_err(|refusal| refused(path, slot.at, refusal.expected, refusal.found))?;
        self.patch(path, place, new)
    }

    fn patch(&mut self, path: &str, place: Range<usize>, new: Vec<u8>) -> Result<()> {
        self.claim(path, place.start, place.len())?;
        self.plan.patches.push((place, new));
        Ok(())
    }

    /// Nothing is set twice.
    fn claim(&mut self, path: &str, start: usize, len: usize) -> Result<()> {
        let end = start.saturating_add(len);
        if let Some((_, (taken, other))) =
            self.plan.taken.range(..end.max(start.saturating_add(1))).next_back()
            && *taken > start
        {
            let found = format!("{other}, set at the same time");
            return Err(refused(path, start as u64, "a field that is set once", found));
        }
        self.plan.taken.insert(start, (end.max(start.saturating_add(1)), path.to_owned()));
        Ok(())
    }

    /// Puts other text at a place, and wherever else it has to be the same.
    fn text(&mut self, path: &str, at: u64, new: Vec<u8>) -> Result<()> {
        let places = self.together(&[at]);
        self.texts(path, &places, &new)
    }

    /// These places and all that say the same name, also by way of others.
    fn together(&self, places: &[u64]) -> Vec<u64> {
        let mut all: BTreeSet<u64> = places.iter().copied().collect();
        let mut left: Vec<&Thing> = self.things.iter().filter(|thing| thing.one).collect();
        loop {
            let before = left.len();
            left.retain(|thing| {
                let touched = thing.texts.iter().any(|at| all.contains(at));
                if touched {
                    all.extend(&thing.texts);
                }
                !touched
            });
            if left.len() == before {
                return all.into_iter().collect();
            }
        }
    }

    fn texts(&mut self, path: &str, places: &[u64], new: &[u8]) -> Result<()> {
        for &at in places {
            if self.plan.texts.get(&at).is_some_and(|known| *known == *new) {
                continue;
            }
            self.claim(path, usize::try_from(at).unwrap_or(usize::MAX), 1)?;
            let known = self.fields.text_at(at).and_then(|path| Some((path, self.fields.get(path)?)));
            let Some((field, known)) = known else { return Err(names::no_text(at)) };
            let old = self.whole_text(known);
            let place = known.node.offset..known.node.end();
            let find = Find::Field(self.fields.trail(known));
            let quoted = Some(format!("\"{}\"", escape(new)));
            self.plan.asked.push(Asked { path: field.to_owned(), old, new: quoted, place, find });
            self.plan.texts.insert(at, new.to_vec());
            self.plan.names.insert(at);
        }
        Ok(())
    }

    /// A text as it stands in the file, of which a tree prints the start.
    fn whole_text(&self, field: &Field<'_>) -> String {
        let shown = field.node.value.clone().unwrap_or_default();
        let bytes = self.bytes.get(field.place.clone()).unwrap_or_default();
        let text = bytes.split(|&byte| byte == 0).next().unwrap_or_default();
        match text.len() > unshade_bytes::Limits::DEFAULT.name {
            true => format!("\"{}\"", escape(text)),
            false => shown,
        }
    }

    fn rename(&mut self, renaming: &Renaming) -> Result<()> {
        let name = renaming.name.as_str();
        let Some((found, None)) = self.find(name)? else {
            let found = self.fields.near(self.things, name);
            return Err(refused(name, 0, "the name of something that has one", found));
        };
        let new =
            text::parse(&renaming.new).map_err(|(expected, found)| refused(name, 0, expected, found))?;
        let mut texts = Vec::new();
        for thing in found.iter().filter_map(|index| self.things.get(*index)) {
            if thing.texts.is_empty() {
                let expected = "the name of something that can get another";
                let found = match thing.tail {
                    "" => "one whose name the file has no place of its own for".to_owned(),
                    tail => format!("a value; `{}` has the name", thing.full().trim_end_matches(tail)),
                };
                return Err(refused(name, 0, expected, found));
            }
            if thing.own != new {
                texts.extend(&thing.texts);
            }
        }
        let texts = self.together(&texts);
        self.texts(name, &texts, &new)?;
        let renamed: BTreeSet<u64> = texts.into_iter().collect();
        let followed = |thing: &&Thing| thing.texts.iter().any(|at| renamed.contains(at));
        for (at, behind) in self.things.iter().filter(followed).flat_map(|thing| &thing.followers) {
            self.texts(name, &[*at], &[new.as_slice(), behind].concat())?;
        }
        Ok(())
    }

    /// No thing gets the name that another of its kind has and keeps.
    fn rivals(&self) -> Result<()> {
        let named = |at: &u64| self.plan.texts.get(at).filter(|_| self.plan.names.contains(at));
        for thing in self.things.iter().filter(|thing| thing.tail.is_empty()) {
            let new = thing.texts.iter().find_map(named);
            let Some(new) = new.filter(|new| thing.own != **new) else { continue };
            let keeps = |rival: &&Thing| {
                let place = rival.texts.iter().find_map(named);
                place.is_none_or(|place| *place == *new)
            };
            if let Some(rival) = text::rival(self.things, thing, new).filter(keeps) {
                let expected = "a name that no other of its kind has";
                let found = format!("that of {}", rival.full());
                return Err(refused(
                    &thing.full(),
                    thing.texts.first().copied().unwrap_or(0),
                    expected,
                    found,
                ));
            }
        }
        Ok(())
    }
}

/// The numbers that a text says for some elements: those of each, or that it shall have none. Elements may be divided by
/// semicolons; else all numbers stand in a row.
fn split(value: &str, elements: &[Element]) -> Option<Vec<Option<Vec<String>>>> {
    if value == "none" {
        return Some(elements.iter().map(|_| None).collect());
    }
    let slots: usize = elements.iter().fold(0, |sum, element| sum.saturating_add(element.count));
    if let ([element], 1) = (elements, slots)
        && !element.slots.is_empty()
    {
        return Some(vec![Some(vec![value.to_owned()])]);
    }
    let numbers = |text: &str| -> Vec<String> {
        let inner = |c: char| matches!(c, ',' | '(' | ')' | '[' | ']') || c.is_whitespace();
        text.split(inner).filter(|part| !part.is_empty()).map(str::to_owned).collect()
    };
    if value.contains(';') {
        let parts: Vec<&str> = value.split(';').map(str::trim).collect();
        if parts.len() != elements.len() {
            return None;
        }
        let part = |(text, element): (&&str, &Element)| match *text {
            "none" => Some(None),
            text => Some(numbers(text)).filter(|numbers| numbers.len() == element.count).map(Some),
        };
        return parts.iter().zip(elements).map(part).collect();
    }
    let mut all = numbers(value).into_iter();
    if all.len() != slots {
        return None;
    }
    Some(elements.iter().map(|element| Some(all.by_ref().take(element.count).collect())).collect())
}

/// The bytes of a value or of one of its elements, from the first to the last; none where it has none.
pub(super) fn extent(value: &Content, element: Option<usize>) -> Range<u64> {
    let slots: Vec<&Slot> = match (value, element) {
        (Content::Numbers(elements), Some(element)) => {
            elements.get(element).map(|element| element.slots.iter().collect()).unwrap_or_default()
        }
        (Content::Numbers(elements), None) => elements.iter().flat_map(|element| &element.slots).collect(),
        (Content::Choice(slot, _), _) => vec![slot],
        (Content::Text { at, shown, .. }, _) => {
            return *at..at.saturating_add(shown.len() as u64).saturating_add(1);
        }
    };
    let start = slots.iter().map(|slot| slot.at).min().unwrap_or(0);
    let end = slots.iter().map(|slot| slot.at.saturating_add(slot.size)).max().unwrap_or(0);
    start..end
}

/// A value or one of its elements as a setting takes it.
pub(super) fn shown(value: &Content, element: Option<usize>) -> String {
    match (value, element) {
        (Content::Numbers(elements), Some(element)) => {
            elements.get(element).map(Element::shown).unwrap_or_default()
        }
        _ => value.shown(),
    }
}

pub(super) fn refused(
    path: &str,
    offset: u64,
    expected: impl Into<Cow<'static, str>>,
    found: impl Into<String>,
) -> Error {
    Error::new(ErrorKind::BadValue, offset, path, expected, found.into()).code("edit.value")
}
