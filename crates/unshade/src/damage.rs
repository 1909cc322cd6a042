//! Code that the machine cannot read: what is made from a program is then made from a part of it.

use crate::lint::lint;
use std::fmt;
use unshade_bytes::{Diagnostic, Severity};
use unshade_stage::{Isa, Stage};

/// Findings that say that words which are to run are no instructions, or that control leaves the code.
const UNREAD: [&str; 6] = [
    "latte.group",
    "latte.unknown-operation",
    "latte.unknown-flow",
    "latte.clause-outside",
    "latte.no-end",
    "mali-pp.runs-off",
];

/// What of a program cannot be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Damage {
    /// Places of the code that cannot be read.
    pub places: usize,
    /// The first of them.
    pub first: Diagnostic,
}

impl Damage {
    /// Of a program; none where all that can run can be read.
    pub fn of(stage: &Stage<'_>) -> Option<Self> {
        // The others cannot be lifted then, or do nothing at such a word (PICA200).
        if !matches!(stage.isa, Isa::MaliPp | Isa::Latte) || stage.code.words.is_empty() {
            return None;
        }
        let mut found = lint(stage);
        found.retain(|finding| finding.severity == Severity::Error && UNREAD.contains(&&*finding.code));
        let places = found.len();
        let first = found.into_iter().next()?;
        Some(Self { places, first })
    }
}

impl fmt::Display for Damage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Diagnostic { path, message, .. } = &self.first;
        match self.places {
            1 => write!(f, "a part of the code cannot be read ({path}: {message})"),
            places => write!(f, "{places} parts of the code cannot be read (the first, {path}: {message})"),
        }
    }
}
