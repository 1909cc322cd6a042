//! What a file has names for: uniforms, options, attributes, programs. Each format lists its things; here they get the
//! names that a person says, and are found by them.
//!
//! A name is the words of the format and the thing's own name with dots between: `uniforms.tint`,
//! `options.fog.default`. Where a file has several programs or models, their names stand in front
//! (`models.skin.options.fog`), and may be left out where only one of them has such a thing. A variable that both
//! sides of a program share is one thing where its owner is left out: `uniforms.tint` is that of all executables of a
//! SHBIN or both programs of an MBS, `vertex.uniforms.tint` only that of one.

use super::{FieldEncoding, Node, opaque::escape};
use std::collections::BTreeMap;
use unshade_bytes::{Endian, F24};

/// Something that a file has a name for.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Named {
    /// Its name, by which [`Container::edit`](crate::Container::edit) finds it: `uniforms.tint`.
    pub name: String,
    /// Its own name, of which another can be made: `tint`. Nothing where that is not to be changed.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub own: Option<String>,
    /// Its value, as a setting takes it; `none` where it has none and could have one. Nothing where it cannot have one.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub value: Option<String>,
    /// What a setting takes, in a few words.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub takes: Option<String>,
}

/// How things of one name in several programs belong together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Joins {
    /// They do not: a name without an owner is that of one.
    Never,
    /// All of them are meant where no owner is said.
    Unowned,
    /// One gets another name only with the others.
    Always,
}

/// A thing as its format lists it. Places are those of the file as it is written.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Thing {
    /// Whose it is, with the dot behind it: `models.skin.`; nothing for what belongs to the file.
    pub owner: String,
    /// What it is: `uniforms`. No two of a kind and an owner may have one name.
    pub kind: String,
    /// Its own name.
    pub own: Vec<u8>,
    /// It is called as its kind alone, such as the archive: there is only one.
    pub only: bool,
    /// What of it this is: `.default`, `.location`; nothing for the thing itself.
    pub tail: &'static str,
    /// Where the file says its name.
    pub texts: Vec<u64>,
    /// Where the file says its name with something behind it, and what: that of each element of an array. They follow.
    pub followers: Vec<(u64, Vec<u8>)>,
    /// Its places say one name, whichever of them is set.
    pub one: bool,
    /// How it belongs to others of its name.
    pub joins: Joins,
    /// What a setting changes.
    pub value: Option<Content>,
}

/// What a setting of a thing changes.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Content {
    /// Numbers, element by element of an array, column by column of a matrix.
    Numbers(Vec<Element>),
    /// The number of one of these choices.
    Choice(Slot, Vec<String>),
    /// Text that is one of these; any where there are none.
    Text { at: u64, shown: Vec<u8>, choices: Vec<Vec<u8>> },
}

/// An element of an array, a column of a matrix, or all that there is.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Element {
    /// Its numbers; none where the file has no value for it.
    pub slots: Vec<Slot>,
    /// How many numbers it has or would have.
    pub count: usize,
    /// By what its format finds it, where a value can come and go.
    pub key: Option<Key>,
}

/// A number in the file.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Slot {
    pub at: u64,
    pub size: u64,
    pub coding: FieldEncoding,
    /// Order of its bytes.
    pub endian: Endian,
    /// Its value as a setting takes it.
    pub shown: String,
}

/// By what a format finds the value of a thing: whose it is, which one, and its place.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Key {
    pub owner: usize,
    pub table: usize,
    pub index: usize,
}

/// A value that comes into a file, or goes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Put {
    pub key: Key,
    /// The numbers as text; `None` takes the value out.
    pub values: Option<Vec<String>>,
}

impl Thing {
    /// A thing with a name of its own.
    pub fn new(owner: &str, kind: impl Into<String>, own: &[u8]) -> Self {
        Self {
            owner: owner.to_owned(),
            kind: kind.into(),
            own: own.to_vec(),
            only: false,
            tail: "",
            texts: Vec::new(),
            followers: Vec::new(),
            one: false,
            joins: Joins::Never,
            value: None,
        }
    }

    /// A thing that is called as its kind alone.
    pub fn only(owner: &str, kind: &str, own: &[u8], text: Option<u64>) -> Self {
        Self { only: true, ..Self::new(owner, kind, own) }.texts(text)
    }

    #[must_use]
    pub fn texts(mut self, texts: impl IntoIterator<Item = u64>) -> Self {
        self.texts.extend(texts);
        self.texts.sort_unstable();
        self.texts.dedup();
        self
    }

    #[must_use]
    pub fn value(mut self, value: impl Into<Option<Content>>) -> Self {
        self.value = value.into();
        self
    }

    #[must_use]
    pub fn tail(mut self, tail: &'static str) -> Self {
        self.tail = tail;
        self
    }

    #[must_use]
    pub fn joins(mut self, joins: Joins) -> Self {
        self.joins = joins;
        self
    }

    /// Says that all its places say one name.
    #[must_use]
    pub fn one(mut self) -> Self {
        self.one = true;
        self
    }

    /// Its name without its owner.
    pub fn rest(&self) -> String {
        match self.only {
            true => format!("{}{}", self.kind, self.tail),
            false => format!("{}{}{}", self.kind, Self::part(&self.own), self.tail),
        }
    }

    /// Its whole name.
    pub fn full(&self) -> String {
        format!("{}{}", self.owner, self.rest())
    }

    /// A name as it stands in a longer one: behind a dot; in brackets where a sign of equality would end it or
    /// nothing is there.
    pub fn part(own: &[u8]) -> String {
        let text = escape(own);
        match text.is_empty() || text.contains('=') || text.trim() != text {
            true => format!("[{text}]"),
            false => format!(".{text}"),
        }
    }
}

impl Slot {
    /// A number whose bytes stand at `at`.
    pub fn new(at: u64, bytes: &[u8], coding: FieldEncoding, endian: Endian) -> Self {
        Self { at, size: bytes.len() as u64, coding, endian, shown: shown(bytes, coding, endian) }
    }

    /// A field of the tree.
    pub fn of(node: &Node, endian: Endian) -> Self {
        let text = node.value.as_deref().unwrap_or_default();
        let shown = text.split(" (").next().unwrap_or(text).to_owned();
        Self { at: node.offset, size: node.size, coding: node.coding, endian, shown }
    }

    /// The same number, shown in another way.
    #[must_use]
    pub fn shown(mut self, shown: impl Into<String>) -> Self {
        self.shown = shown.into();
        self
    }
}

/// The child of that name.
pub(crate) fn child<'t>(node: &'t Node, name: &str) -> Option<&'t Node> {
    node.children.iter().find(|child| child.name == name)
}

/// Floats that follow each other.
pub(crate) fn floats(at: u64, bytes: &[u8], endian: Endian) -> Vec<Slot> {
    let words = bytes.as_chunks::<4>().0.iter();
    (at..).step_by(4).zip(words).map(|(at, word)| Slot::new(at, word, FieldEncoding::Float, endian)).collect()
}

/// A number as a setting takes it: short where that gives the same bits, else its bits.
fn shown(bytes: &[u8], coding: FieldEncoding, endian: Endian) -> String {
    let number = crate::shared::encoding::loaded(bytes, endian);
    match coding {
        FieldEncoding::Float => {
            let value = f32::from_bits(number as u32);
            if value.is_finite() { format!("{value:?}") } else { format!("{number:#010x}") }
        }
        FieldEncoding::Float24 => {
            let value = F24::from_bits(number as u32);
            let float = value.to_f32();
            let same = u64::from(F24::from_f32_nearest(float).to_bits()) == number;
            if float.is_finite() && same { format!("{float:?}") } else { format!("{number:#08x}") }
        }
        FieldEncoding::Components => bytes.iter().map(|byte| byte.to_string()).collect::<Vec<_>>().join(", "),
        _ => number.to_string(),
    }
}

impl Element {
    /// An element with a value that always stands there.
    pub fn fixed(slots: Vec<Slot>) -> Self {
        Self { count: slots.len(), slots, key: None }
    }

    /// Its numbers with commas between; `none` where it has no value.
    pub fn shown(&self) -> String {
        if self.slots.is_empty() {
            return "none".to_owned();
        }
        self.slots.iter().map(|slot| slot.shown.as_str()).collect::<Vec<_>>().join(", ")
    }
}

impl Content {
    /// One number.
    pub fn number(slot: Slot) -> Self {
        Self::Numbers(vec![Element::fixed(vec![slot])])
    }

    /// The value as a setting takes it.
    pub fn shown(&self) -> String {
        match self {
            Self::Numbers(elements) => {
                let none = elements.iter().all(|element| element.slots.is_empty());
                match none {
                    true => "none".to_owned(),
                    false => elements.iter().map(Element::shown).collect::<Vec<_>>().join("; "),
                }
            }
            Self::Choice(slot, choices) => {
                let index = slot.shown.parse::<usize>().ok();
                let choice = index.and_then(|index| choices.get(index));
                choice.cloned().unwrap_or_else(|| format!("#{}", slot.shown))
            }
            Self::Text { shown, .. } => escape(shown),
        }
    }

    /// What a setting takes, in a few words.
    pub fn takes(&self) -> String {
        match self {
            Self::Numbers(elements) => {
                let total = elements.iter().fold(0_usize, |sum, element| sum.saturating_add(element.count));
                let come_and_go = elements.iter().any(|element| element.key.is_some());
                let none = if come_and_go { ", or none" } else { "" };
                let key = elements.first().and_then(|element| element.key);
                let as_a_whole = |element: &Element| element.slots.is_empty() && element.key == key;
                match (total, elements.first().and_then(|element| element.slots.first())) {
                    (1, Some(slot)) => format!("{}{none}", slot.coding.takes()),
                    (1, None) => format!("a number{none}"),
                    // What comes in as a whole has no elements yet.
                    _ if elements.len() < 2 || elements.iter().all(as_a_whole) => {
                        format!("{total} numbers{none}")
                    }
                    _ => {
                        format!("{total} numbers{none}; [0] to [{}] alone", elements.len().saturating_sub(1))
                    }
                }
            }
            Self::Choice(_, choices) => one_of(choices.iter().cloned()),
            Self::Text { choices, .. } if choices.is_empty() => "a text".to_owned(),
            Self::Text { choices, .. } => one_of(choices.iter().map(|choice| escape(choice))),
        }
    }
}

fn one_of(choices: impl Iterator<Item = String>) -> String {
    const SHOWN: usize = 16;
    let all: Vec<String> = choices.collect();
    let shown = all.get(..SHOWN).unwrap_or(&all).join(", ");
    let more = if all.len() > SHOWN { ", ..." } else { "" };
    format!("one of {shown}{more}")
}

/// That nothing at that place is text.
pub(crate) fn no_text(at: u64) -> unshade_bytes::Error {
    let (expected, found) = ("text that the file can place elsewhere", "a place where none is");
    unshade_bytes::Error::new(unshade_bytes::ErrorKind::BadValue, at, "", expected, found).code("edit.text")
}

/// The name of each thing, without its owner where nothing else is called so.
pub(crate) fn short_names(things: &[Thing]) -> Vec<String> {
    let mut count: BTreeMap<String, usize> = BTreeMap::new();
    for thing in things {
        let count = count.entry(thing.rest()).or_default();
        *count = count.saturating_add(1);
    }
    let short = |thing: &Thing| match count.get(&thing.rest()) {
        Some(1) => thing.rest(),
        _ => thing.full(),
    };
    things.iter().map(short).collect()
}

/// The things that a name means, by their numbers, and the element that stands behind it in brackets.
pub(crate) type Found = (Vec<usize>, Option<usize>);

/// The things that a name means, with the element that stands behind it in brackets. Nothing where none is called so;
/// the names of those of which it may mean any where it does not say which.
pub(crate) fn find(things: &[Thing], name: &str) -> Result<Option<Found>, Vec<String>> {
    let name = if name == "name" { "archive" } else { name };
    let whole = matching(things, name)?;
    if !whole.is_empty() {
        return Ok(Some((whole, None)));
    }
    let element = name.strip_suffix(']').and_then(|front| front.rsplit_once('['));
    if let Some((front, digits)) = element
        && let Ok(element) = digits.parse()
    {
        let found = matching(things, front)?;
        if !found.is_empty() {
            return Ok(Some((found, Some(element))));
        }
    }
    Ok(None)
}

fn matching(things: &[Thing], name: &str) -> Result<Vec<usize>, Vec<String>> {
    let all = |wanted: &dyn Fn(&Thing) -> bool| -> Vec<usize> {
        things.iter().enumerate().filter(|(_, thing)| wanted(thing)).map(|(index, _)| index).collect()
    };
    let full = all(&|thing| thing.full() == name);
    if let [first, others @ ..] = full.as_slice() {
        let joined = things.get(*first).filter(|thing| thing.joins == Joins::Always);
        return Ok(match joined {
            Some(thing) => all(&|other| other.rest() == thing.rest()),
            // Where a file calls two things the same, the first is meant, as readers of the file take it.
            None if others.is_empty() => full,
            None => vec![*first],
        });
    }
    let rest = all(&|thing| thing.rest() == name);
    let joined = rest.iter().all(|index| things.get(*index).is_some_and(|thing| thing.joins != Joins::Never));
    match rest.len() {
        0 | 1 => Ok(rest),
        _ if joined => Ok(rest),
        _ => Err(rest.iter().filter_map(|index| things.get(*index)).map(Thing::full).collect()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_with_and_without_owners() {
        let uniform = |owner: &str, joins| Thing::new(owner, "uniforms", b"tint").joins(joins);
        let things = [uniform("vertex.", Joins::Unowned), uniform("fragment.", Joins::Unowned)];
        assert_eq!(find(&things, "uniforms.tint"), Ok(Some((vec![0, 1], None))));
        assert_eq!(find(&things, "vertex.uniforms.tint[2]"), Ok(Some((vec![0], Some(2)))));
        assert_eq!(find(&things, "uniforms.tin"), Ok(None));
        let things = [uniform("a.", Joins::Never), uniform("b.", Joins::Never)];
        assert_eq!(
            find(&things, "uniforms.tint"),
            Err(vec!["a.uniforms.tint".to_owned(), "b.uniforms.tint".to_owned()])
        );
        let things = [uniform("a.", Joins::Always), uniform("b.", Joins::Always)];
        assert_eq!(find(&things, "b.uniforms.tint"), Ok(Some((vec![0, 1], None))));
        assert_eq!(Thing::new("", "options", b"a=b").tail(".default").full(), "options[a=b].default");
    }
}
