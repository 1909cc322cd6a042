//! Which bytes of a file were understood, which are padding, which are kept without being understood, and
//! which nobody owns.

use alloc::{string::String, vec::Vec};
use core::ops::Range;

/// What a run of bytes is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum Owner {
    /// A field whose meaning is known.
    Field,
    /// Fill between fields; every byte has this value.
    Padding(u8),
    /// Kept exactly, under a name, but not understood.
    Opaque,
}

/// A run of bytes with its owner.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Span {
    /// Offsets in the whole file.
    pub range: Range<u64>,
    /// What it is.
    pub owner: Owner,
    /// Path of the field or name of the opaque part.
    pub path: String,
}

/// The owners of the bytes of one file.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Coverage {
    /// Length of the file.
    pub len: u64,
    /// The runs, ordered by their start once [`Coverage::sort`] was called.
    pub spans: Vec<Span>,
}

impl Coverage {
    /// Nobody owns anything yet of a file of `len` bytes.
    pub fn new(len: u64) -> Self {
        Self { len, spans: Vec::new() }
    }

    /// Gives `range` to an owner. An empty range is not recorded.
    pub fn own(&mut self, range: Range<u64>, owner: Owner, path: impl Into<String>) {
        if range.start < range.end {
            crate::meter::charge(1);
            self.spans.push(Span { range, owner, path: path.into() });
        }
    }

    /// Orders the runs by start, then by end.
    pub fn sort(&mut self) {
        self.spans.sort_by_key(|span| (span.range.start, span.range.end));
    }

    /// The runs of the file without an owner, in order. Runs must be sorted.
    pub fn unowned(&self) -> impl Iterator<Item = Range<u64>> {
        let mut gaps = Vec::new();
        let mut reached = 0;
        for span in &self.spans {
            if span.range.start > reached && reached < self.len {
                gaps.push(reached..span.range.start.min(self.len));
            }
            reached = reached.max(span.range.end);
        }
        if reached < self.len {
            gaps.push(reached..self.len);
        }
        gaps.into_iter()
    }

    /// The path of the run that byte `at` belongs to; the one that starts last where several share it. Runs
    /// must be sorted.
    pub fn owner(&self, at: u64) -> Option<&str> {
        let behind = self.spans.partition_point(|span| span.range.start <= at);
        let spans = self.spans.get(..behind).unwrap_or_default();
        spans.iter().rev().find(|span| span.range.end > at).map(|span| span.path.as_str())
    }

    /// Pairs of runs that claim the same bytes: the bytes and both paths. Runs must be sorted.
    pub fn shared(&self) -> impl Iterator<Item = (Range<u64>, &str, &str)> {
        let mut furthest: Option<&Span> = None;
        self.spans.iter().filter_map(move |span| {
            let before = furthest;
            if before.is_none_or(|before| span.range.end > before.range.end) {
                furthest = Some(span);
            }
            let before = before.filter(|before| before.range.end > span.range.start)?;
            let end = before.range.end.min(span.range.end);
            Some((span.range.start..end, before.path.as_str(), span.path.as_str()))
        })
    }

    /// How many bytes are fields, padding, opaque and unowned. A byte with several owners counts for the
    /// first. Runs must be sorted.
    pub fn totals(&self) -> Totals {
        let mut totals = Totals::default();
        let mut reached = 0;
        for span in &self.spans {
            let start = span.range.start.clamp(reached, self.len.max(reached));
            let end = span.range.end.clamp(start, self.len.max(start));
            let bytes = end.saturating_sub(start);
            let total = match span.owner {
                Owner::Field => &mut totals.field,
                Owner::Padding(_) => &mut totals.padding,
                Owner::Opaque => &mut totals.opaque,
            };
            *total = total.saturating_add(bytes);
            reached = reached.max(end);
        }
        totals.unowned =
            self.unowned().fold(0, |sum: u64, gap| sum.saturating_add(gap.end.saturating_sub(gap.start)));
        totals
    }
}

/// Bytes of a file by kind of owner.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Totals {
    /// Bytes of fields with a known meaning.
    pub field: u64,
    /// Bytes of padding.
    pub padding: u64,
    /// Bytes that are kept without being understood.
    pub opaque: u64,
    /// Bytes that nobody owns.
    pub unowned: u64,
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec;

    #[test]
    fn gaps_and_totals() {
        let mut coverage = Coverage::new(20);
        coverage.own(4..8, Owner::Field, "b");
        coverage.own(0..2, Owner::Field, "a");
        coverage.own(8..10, Owner::Padding(0), "pad");
        coverage.own(9..9, Owner::Field, "nothing");
        coverage.own(12..15, Owner::Opaque, "junk");
        coverage.sort();
        assert_eq!(coverage.unowned().collect::<Vec<_>>(), vec![2..4, 10..12, 15..20]);
        assert_eq!((coverage.owner(5), coverage.owner(11), coverage.owner(0)), (Some("b"), None, Some("a")));
        assert_eq!(coverage.totals(), Totals { field: 6, padding: 2, opaque: 3, unowned: 9 });
        assert_eq!(coverage.shared().count(), 0);
    }

    #[test]
    fn shared_bytes_are_named() {
        let mut coverage = Coverage::new(10);
        coverage.own(0..10, Owner::Field, "all");
        coverage.own(2..4, Owner::Field, "one");
        coverage.own(6..12, Owner::Field, "two");
        coverage.sort();
        let shared: Vec<_> = coverage.shared().collect();
        assert_eq!(shared, vec![(2..4, "all", "one"), (6..10, "all", "two")]);
        assert_eq!(coverage.totals(), Totals { field: 10, ..Totals::default() });
        assert_eq!(coverage.unowned().count(), 0);
        assert_eq!((coverage.owner(3), coverage.owner(5)), (Some("one"), Some("all")));
    }

    #[test]
    fn ends_that_meet_leave_nothing() {
        let mut coverage = Coverage::new(10);
        coverage.own(0..10, Owner::Field, "all");
        coverage.own(12..15, Owner::Opaque, "behind");
        coverage.sort();
        assert_eq!(coverage.unowned().count(), 0);
        assert_eq!((coverage.owner(9), coverage.owner(10)), (Some("all"), None));
        assert_eq!(coverage.shared().count(), 0);
        let mut coverage = Coverage::new(4);
        coverage.own(0..4, Owner::Field, "all");
        assert_eq!(coverage.unowned().count(), 0);
        // Of runs that end together the first stays the one that others share bytes with.
        let mut coverage = Coverage::new(8);
        for (range, path) in [(0..6, "a"), (2..6, "b"), (3..5, "c"), (4..8, "d"), (6..7, "e")] {
            coverage.own(range, Owner::Field, path);
        }
        let shared: Vec<_> = coverage.shared().collect();
        assert_eq!(shared, vec![(2..6, "a", "b"), (3..5, "a", "c"), (4..6, "a", "d"), (6..7, "d", "e")]);
    }
}
