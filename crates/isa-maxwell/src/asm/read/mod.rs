//! The text of one instruction to its word.
//!
//! Every form with the name is tried with its template; the one that fits gives the word. Where none fits, the
//! finding is about the place that the best one reached.

mod numbers;
mod operand;
mod pieces;
mod places;
mod video;

use super::cursor::{Cursor, in_name};
use crate::field::Field;
use crate::template::Template;
use crate::{Form, print, table};
use pieces::Reader;
use std::collections::BTreeMap;
use std::fmt;
use std::sync::LazyLock;

/// A word, and which operands' registers stay in the reuse cache.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Read {
    pub word: u64,
    pub reuse: u8,
}

/// Why a text is no instruction: a byte of the text, and what should be there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Miss {
    pub at: usize,
    pub wanted: Wanted,
}

/// What should be there. Most readings miss because the text is another form's, so that saying it must cost nothing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Wanted {
    /// An operation: there is none with the name.
    Operation,
    /// What is said.
    Plain(&'static str),
    /// These characters.
    Text(&'static str),
    /// Something of a kind, and an example.
    Like(&'static str, &'static str),
    /// The same as [`Wanted::Plain`].
    Said(String),
}

impl Wanted {
    fn says(&self, word: &str) -> bool {
        match self {
            Self::Plain(text) => text.contains(word),
            Self::Said(text) => text.contains(word),
            _ => false,
        }
    }
}

impl fmt::Display for Wanted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Operation => f.write_str("an operation"),
            Self::Plain(text) => f.write_str(text),
            Self::Text(text) => write!(f, "`{text}`"),
            Self::Like(kind, example) => write!(f, "{kind} like `{example}`"),
            Self::Said(text) => f.write_str(text),
        }
    }
}

impl Miss {
    /// Whether it says what is there instead.
    pub fn names(&self) -> bool {
        self.wanted.says(", which `")
    }
}

/// Modifiers that an instruction may have; none has half as many.
const MOST: usize = 64;

/// What most operands may be.
const REGISTER: &str = "a register";

type Result<T> = std::result::Result<T, Miss>;

/// Where the instruction stands, and what the names of places mean.
pub(super) struct Place<'a> {
    pub address: u64,
    /// The address of a name; inside of `control(...)` that of the control word in front of it.
    pub named: &'a dyn Fn(&str, bool) -> Option<u64>,
}

/// The forms of a name, and their texts.
type Forms = Vec<(Form, &'static Template)>;

/// The forms by the first part of their name, in its order.
static FORMS: LazyLock<Vec<(&'static str, Forms)>> = LazyLock::new(|| {
    let mut forms: BTreeMap<_, Forms> = BTreeMap::new();
    for (form, template) in table::all() {
        let first = template.name.text().split('.').next().unwrap_or_default();
        forms.entry(first).or_default().push((form, template));
    }
    forms.into_iter().collect()
});

/// The names of all operations.
pub(super) fn operations() -> impl Iterator<Item = &'static str> {
    FORMS.iter().map(|(name, _)| *name)
}

/// The forms with a name, in upper or lower case.
fn forms(name: &str) -> Option<&'static [(Form, &'static Template)]> {
    let upper = || name.bytes().map(|byte| byte.to_ascii_uppercase());
    let found = FORMS.binary_search_by(|(known, _)| known.bytes().cmp(upper()));
    FORMS.get(found.ok()?).map(|(_, forms)| &forms[..])
}

/// Reads an instruction: guard, name, modifiers, operands.
pub(super) fn instruction(text: &str, place: &Place<'_>) -> Result<Read> {
    let mut cursor = Cursor::new(text);
    cursor.blank();
    let guard = guard(&mut cursor)?;
    let start = cursor.at;
    let mnemonic = cursor.run(|byte| !matches!(byte, b' ' | b'\t' | b'['));
    let (name, modifiers) = tokens(mnemonic, start);
    let Some(forms) = forms(name) else {
        return Err(Miss { at: start, wanted: Wanted::Operation });
    };
    if let Some((_, at)) = modifiers.get(MOST) {
        return Err(Miss { at: *at, wanted: Wanted::Plain("an instruction with fewer modifiers") });
    }
    let mut best: Option<Miss> = None;
    for (form, template) in forms {
        let mut reader = Reader {
            word: form.value(),
            decided: form.mask(),
            cursor,
            modifiers: &modifiers,
            used: 0,
            reuse: 0,
            types: None,
            place,
            farthest: None,
        };
        if !template.unguarded {
            reader.set(Field::new(16, 4), guard);
        } else if guard != 7 {
            return Err(Miss {
                at: 0,
                wanted: Wanted::Said(format!("no guard, which `{name}` does not have")),
            });
        }
        match reader.template(template) {
            // A template of one form may write a word of another one, which is not what was meant.
            Ok(()) if Form::of(reader.word) == Some(*form) && print::is_instruction(reader.word) => {
                return Ok(Read { word: reader.word, reuse: reader.reuse });
            }
            Ok(()) => {
                let wanted = Wanted::Plain("modifiers and operands that go together");
                best.get_or_insert(Miss { at: start, wanted });
            }
            Err(miss) => {
                let miss = reader
                    .farthest
                    .take()
                    .filter(|far| far.at > miss.at || far.at == miss.at && far.names())
                    .unwrap_or(miss);
                // Of several that came as far: where a number stands a number was meant, else most likely a register.
                let digit = text
                    .as_bytes()
                    .get(miss.at)
                    .is_some_and(|byte| matches!(byte, b'0'..=b'9' | b'-' | b'+'));
                let likely = |miss: &Miss| {
                    if digit { miss.wanted.says("number") } else { miss.wanted == Wanted::Plain(REGISTER) }
                };
                let likelier = |best: &Miss| miss.at == best.at && likely(&miss) && !likely(best);
                if best.as_ref().is_none_or(|best| miss.at > best.at || likelier(best)) {
                    best = Some(miss);
                }
            }
        }
    }
    Err(best.unwrap_or(Miss { at: start, wanted: Wanted::Operation }))
}

/// The name in front of a full stop, and each modifier behind one with its place; the name is at `at`.
fn tokens(mnemonic: &str, at: usize) -> (&str, Vec<(&str, usize)>) {
    let stop = |text: &str| text.bytes().position(|byte| byte == b'.');
    let Some(end) = stop(mnemonic) else { return (mnemonic, Vec::new()) };
    let (name, mut rest) = mnemonic.split_at(end);
    let mut modifiers = Vec::with_capacity(8);
    let mut at = at + end;
    while let Some(behind) = rest.strip_prefix('.') {
        let (modifier, next) = behind.split_at(stop(behind).unwrap_or(behind.len()));
        modifiers.push((modifier, at + 1));
        at += 1 + modifier.len();
        rest = next;
    }
    (name, modifiers)
}

/// Number and inversion of the guard, as its four bits.
fn guard(cursor: &mut Cursor<'_>) -> Result<u64> {
    if !cursor.word("@") {
        return Ok(7);
    }
    let not = u64::from(cursor.word("!"));
    let Some(number) = predicate(cursor) else {
        return Err(Miss { at: cursor.at, wanted: Wanted::Plain("a predicate: P0 to P6, or PT") });
    };
    cursor.blank();
    Ok(number | not << 3)
}

/// `P0` to `P6`, or `PT`.
fn predicate(cursor: &mut Cursor<'_>) -> Option<u64> {
    let start = cursor.at;
    let name = if cursor.word("P") { cursor.run(in_name) } else { "" };
    match name.as_bytes() {
        [digit @ b'0'..=b'6'] => Some(u64::from(digit - b'0')),
        [b'T' | b't'] => Some(7),
        _ => {
            cursor.at = start;
            None
        }
    }
}

/// `R0` to `R254`, or `RZ`.
fn register(cursor: &mut Cursor<'_>) -> Option<u64> {
    let start = cursor.at;
    let name = if cursor.word("R") { cursor.run(in_name) } else { "" };
    let number = match name.as_bytes() {
        [b'Z' | b'z'] => Some(255),
        [] => None,
        digits => digits.iter().try_fold(0, |number, digit| {
            let number = number * 10 + u64::from(digit.checked_sub(b'0').filter(|digit| *digit < 10)?);
            (number < 255).then_some(number)
        }),
    };
    if number.is_none() {
        cursor.at = start;
    }
    number
}
