//! Why a case says nothing of readable source: which of the things that readable mode assumes the machine does not do it did there.

use std::collections::BTreeMap;
use std::fmt;

/// What the machine did in a case that readable mode assumes it does not do, so that the case says nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Reason {
    /// A number on the way was an infinity or no number.
    NotFinite,
    /// A number was so small that the machine takes it for zero, and that shows.
    Small,
    /// An index led out of its array.
    Index,
    /// An integer was divided by zero.
    Divisor,
    /// An angle was of so many turns that nothing is left of it once these are taken off.
    Turns,
    /// A texture was asked for a layer beyond all that textures have.
    Layer,
    /// A pixel that was dropped went on without end.
    Dropped,
    /// More vertices were emitted than the interpreter keeps.
    Bound,
    /// Nothing that is assumed was broken, but the program is chaos there: a change in the last place of one operation makes as
    /// much of a difference as there is, leads to another end or out of the finite numbers, so that no result can be called wrong.
    Unstable,
}

impl Reason {
    /// A word for tools: `index`.
    pub fn name(self) -> &'static str {
        match self {
            Self::NotFinite => "not-finite",
            Self::Small => "small",
            Self::Index => "index",
            Self::Divisor => "divisor",
            Self::Turns => "turns",
            Self::Layer => "layer",
            Self::Dropped => "dropped",
            Self::Bound => "bound",
            Self::Unstable => "unstable",
        }
    }

    /// Keeps the first reason that a run has.
    pub(super) fn note(self, happened: bool, place: &mut Option<Self>) {
        if happened {
            place.get_or_insert(self);
        }
    }
}

impl fmt::Display for Reason {
    /// Behind a number of cases: `3 with an index outside its array`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NotFinite => "with an infinity or NaN on the way",
            Self::Small => "with a number that counts as zero",
            Self::Index => "with an index outside its array",
            Self::Divisor => "with an integer divided by zero",
            Self::Turns => "with an angle of too many turns",
            Self::Layer => "with a layer beyond all textures",
            Self::Dropped => "that go on behind a dropped pixel",
            Self::Bound => "with more vertices than are kept",
            Self::Unstable => "where the last place decides",
        })
    }
}

/// Cases that say nothing, by their reasons.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Outside(BTreeMap<Reason, u32>);

impl Outside {
    /// One more.
    pub(super) fn add(&mut self, reason: Reason) {
        let count = self.0.entry(reason).or_default();
        *count = count.saturating_add(1);
    }

    /// How many there are.
    pub fn total(&self) -> u32 {
        self.0.values().fold(0, |total, count| total.saturating_add(*count))
    }

    /// The reasons that there were, with their numbers of cases; most frequent first.
    pub fn reasons(&self) -> Vec<(Reason, u32)> {
        let mut reasons: Vec<_> = self.0.iter().map(|(reason, count)| (*reason, *count)).collect();
        reasons.sort_by_key(|(reason, count)| (std::cmp::Reverse(*count), *reason));
        reasons
    }
}
