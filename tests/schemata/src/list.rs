//! What cargo-mutants says of its mutants, as far as it is needed here.

use serde::Deserialize;
use std::ops::Range;

/// One change to one file.
#[derive(Debug, Deserialize)]
pub struct Mutant {
    /// Path of the file from the root of the tree.
    pub file: String,
    /// What kind of change it is.
    pub genre: Genre,
    /// Text that comes in the place of what the span covers.
    pub replacement: String,
    /// What is replaced.
    pub span: Span,
}

/// Kinds of changes.
#[derive(Debug, Deserialize, Clone, Copy, PartialEq, Eq)]
pub enum Genre {
    /// A function returns some value, and does nothing else.
    FnValue,
    /// An operator with two sides, also one that assigns.
    BinaryOperator,
    /// An operator in front of a value is left out.
    UnaryOperator,
    /// An arm of a `match` is left out.
    MatchArm,
    /// The guard of an arm is `true` or `false`.
    MatchArmGuard,
    /// A field of a structure is taken from the base behind `..`.
    StructField,
}

/// Places in a text.
#[derive(Debug, Deserialize, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    /// From 1.
    pub line: usize,
    /// In characters, from 1.
    pub column: usize,
}

/// From a place up to, and without, another.
#[derive(Debug, Deserialize, Clone, Copy, PartialEq, Eq)]
pub struct Span {
    /// The first character.
    pub start: Place,
    /// Behind the last one.
    pub end: Place,
}

impl Span {
    /// The same as bytes of `text`; `None` where it has no such place.
    pub fn bytes(self, text: &str) -> Option<Range<usize>> {
        Some(byte(text, self.start)?..byte(text, self.end)?)
    }
}

fn byte(text: &str, place: Place) -> Option<usize> {
    let line = match place.line.checked_sub(2) {
        Some(before) => text.match_indices('\n').nth(before)?.0 + 1,
        None => 0,
    };
    let behind = text.get(line..)?;
    let column = place.column.checked_sub(1)?;
    let inside = behind.char_indices().nth(column).map_or(behind.len(), |(at, _)| at);
    Some(line + inside)
}
