//! Places in a text that was changed on its way, as places in the text that people see.

use std::ops::Range;

/// Where something was put into a text.
#[derive(Debug, Clone, Default)]
pub struct Offsets {
    /// Byte in the changed text, and how many were put there; ascending.
    inserted: Vec<(usize, usize)>,
}

impl Offsets {
    /// Notes that `length` bytes were put in at byte `at` of the changed text. Places must ascend.
    pub fn insert(&mut self, at: usize, length: usize) {
        self.inserted.push((at, length));
    }

    /// A range of the changed text in the text of `length` bytes.
    pub fn to_text(&self, range: Range<usize>, length: usize) -> Range<usize> {
        let start = self.place(range.start).min(length);
        start..self.place(range.end).clamp(start, length)
    }

    fn place(&self, changed: usize) -> usize {
        let mut back = 0;
        for &(at, length) in &self.inserted {
            if changed <= at {
                break;
            }
            back += length.min(changed - at);
        }
        changed - back
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_go_back() {
        let mut offsets = Offsets::default();
        offsets.insert(4, 3);
        offsets.insert(10, 2);
        let places: Vec<usize> = (0..14).map(|at| offsets.to_text(at..at, 100).start).collect();
        assert_eq!(places, [0, 1, 2, 3, 4, 4, 4, 4, 5, 6, 7, 7, 7, 8]);
    }
}
