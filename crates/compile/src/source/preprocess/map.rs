//! The text that comes out, and where its parts come from.

use std::ops::Range;

/// A place in one of the files.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Place {
    pub file: usize,
    pub start: usize,
    pub end: usize,
}

#[derive(Debug, Clone, Copy)]
struct Part {
    /// First byte of the text that comes out.
    at: usize,
    place: Place,
    /// The bytes are those of the file; else all of the part comes from the place as a whole.
    is_same: bool,
}

/// From places of the text that came out to those of the files.
#[derive(Debug, Clone, Default)]
pub(crate) struct Map {
    parts: Vec<Part>,
}

impl Map {
    /// The map of a text that comes out as it is.
    pub fn same(file: usize, length: usize) -> Self {
        Self { parts: vec![Part { at: 0, place: Place { file, start: 0, end: length }, is_same: true }] }
    }

    /// Notes that from byte `at` on comes what stands at a place.
    pub(super) fn push(&mut self, at: usize, place: Place, is_same: bool) {
        if let Some(last) = self.parts.last_mut() {
            let goes_on = is_same
                && last.is_same
                && last.place.file == place.file
                && last.place.end == place.start
                && last.at + (last.place.end - last.place.start) == at;
            if goes_on {
                last.place.end = place.end;
                return;
            }
            if !is_same && !last.is_same && last.place == place {
                return;
            }
        }
        self.parts.push(Part { at, place, is_same });
    }

    /// The file and the range in it that a range of the text comes from.
    pub fn find(&self, range: Range<usize>) -> (usize, Range<usize>) {
        let part = |at: usize| {
            let index = self.parts.partition_point(|part| part.at <= at).checked_sub(1)?;
            self.parts.get(index)
        };
        let Some(first) = part(range.start) else { return (0, 0..0) };
        let inside = |part: &Part, at: usize| (part.place.start + (at - part.at)).min(part.place.end);
        let start = if first.is_same { inside(first, range.start) } else { first.place.start };
        let end = match part(range.end.saturating_sub(1).max(range.start)) {
            Some(last) if last.place.file == first.place.file => {
                if last.is_same {
                    inside(last, range.end)
                } else {
                    last.place.end
                }
            }
            _ => start,
        };
        (first.place.file, start..end.max(start))
    }
}
