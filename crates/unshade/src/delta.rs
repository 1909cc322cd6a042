//! Bytes as what they have in common with others: runs that are copied, and what is new.
//!
//! Old bytes are known by windows of [`WINDOW`] bytes at every [`STEP`]th place. Every place of the new bytes is looked up,
//! so a run of `WINDOW + STEP - 1` old bytes cannot come by unnoticed: what is new holds no run of 32 old bytes.
//! Time and memory grow with the length alone.

use std::ops::Range;

const WINDOW: usize = 8;
const STEP: usize = 4;
/// Places of one window that are tried.
const TRIED: usize = 16;
/// A shorter run is not worth a copy, unless there were more places than are tried.
const SHORTEST: usize = 16;
const NONE: u32 = u32::MAX;

/// A piece of the new bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Piece {
    /// A run of the old bytes.
    Copy(Range<usize>),
    /// Bytes that are new: their place among the new bytes.
    New(Range<usize>),
}

/// The old bytes by their windows.
struct Index<'a> {
    bytes: &'a [u8],
    /// The last place of each hash, in steps.
    last: Vec<u32>,
    /// The place before each place.
    before: Vec<u32>,
    shift: u32,
}

impl<'a> Index<'a> {
    fn new(bytes: &'a [u8]) -> Self {
        let places = bytes.len() / STEP;
        let bits = usize::BITS - places.max(256).leading_zeros();
        let (last, before) = (vec![NONE; 1 << bits], vec![NONE; places]);
        let mut index = Self { bytes, last, before, shift: u64::BITS - bits };
        for place in 0..places {
            let Some(slot) = index.slot(bytes, place * STEP) else { break };
            index.before[place] = index.last[slot];
            index.last[slot] = place as u32;
        }
        index
    }

    fn slot(&self, bytes: &[u8], at: usize) -> Option<usize> {
        let window = bytes.get(at..)?.first_chunk::<WINDOW>()?;
        let hash = u64::from_le_bytes(*window).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        Some(((hash ^ hash >> 29).wrapping_mul(0xBF58_476D_1CE4_E5B9) >> self.shift) as usize)
    }

    /// The longest run of old bytes through the window at `at` of the new bytes that starts not before `from`: its start
    /// among the new bytes, its place among the old ones.
    fn longest(
        &self,
        new: &[u8],
        from: usize,
        at: usize,
        expected: Option<usize>,
    ) -> Option<(usize, Range<usize>)> {
        let slot = self.slot(new, at)?;
        let mut best: Option<(usize, Range<usize>)> = None;
        let mut take = |place: usize| {
            let same = |a: &[u8], b: &[u8]| a.iter().zip(b).take_while(|(a, b)| a == b).count();
            let forward = same(self.bytes.get(place..).unwrap_or_default(), &new[at..]);
            if forward < WINDOW {
                return false;
            }
            let behind = self.bytes[..place].iter().rev().zip(new[from..at].iter().rev());
            let backward = behind.take_while(|(a, b)| a == b).count();
            if best.as_ref().is_none_or(|(_, best)| best.len() < forward + backward) {
                best = Some((at - backward, place - backward..place + forward));
            }
            true
        };
        // Where the bytes would be if nothing had moved is tried first: the place that a reader expects.
        if let Some(place) = expected {
            take(place);
        }
        let (mut tried, mut place) = (0, self.last[slot]);
        while place != NONE && tried < TRIED {
            tried += usize::from(take(place as usize * STEP)).max(1);
            place = self.before[place as usize];
        }
        best.filter(|(_, run)| run.len() >= SHORTEST || place != NONE)
    }
}

/// The new bytes as pieces; put together they are all of them.
pub(crate) fn delta(old: &[u8], new: &[u8]) -> Vec<Piece> {
    let mut pieces = Vec::new();
    let index = Index::new(old);
    // Up to `done` everything is in pieces; between it and `at` the bytes are new so far.
    let (mut done, mut at) = (0, 0);
    // How far the old place is from the new one, of the last copy.
    let mut shift = 0_isize;
    while at < new.len() {
        let expected = at.checked_add_signed(shift).filter(|&place| place < old.len());
        let Some((start, run)) = index.longest(new, done, at, expected) else {
            at += 1;
            continue;
        };
        if start > done {
            pieces.push(Piece::New(done..start));
        }
        done = start + run.len();
        at = done;
        shift = run.end as isize - done as isize;
        pieces.push(Piece::Copy(run));
    }
    if done < new.len() {
        pieces.push(Piece::New(done..new.len()));
    }
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::HashSet;

    fn together(old: &[u8], new: &[u8], pieces: &[Piece]) -> Vec<u8> {
        let bytes = |piece: &Piece| match piece {
            Piece::Copy(run) => old[run.clone()].to_vec(),
            Piece::New(run) => new[run.clone()].to_vec(),
        };
        pieces.iter().flat_map(bytes).collect()
    }

    proptest! {
        #[test]
        fn pieces_are_the_new_bytes(
            old in prop::collection::vec(0_u8..4, 0..600),
            cuts in prop::collection::vec((0_usize..600, 0_usize..200, prop::collection::vec(0_u8..4, 0..40)), 0..8),
        ) {
            let mut new = Vec::new();
            for (at, len, fresh) in cuts {
                let at = at.min(old.len());
                new.extend_from_slice(&old[at..(at + len).min(old.len())]);
                new.extend(fresh);
            }
            let pieces = delta(&old, &new);
            prop_assert_eq!(&together(&old, &new, &pieces), &new);
            let known: HashSet<&[u8]> = old.windows(32).collect();
            for piece in &pieces {
                if let Piece::New(run) = piece {
                    prop_assert!(!new[run.clone()].windows(32).any(|window| known.contains(window)));
                }
            }
        }
    }

    #[test]
    fn an_edit_in_place_copies_the_rest() {
        let old: Vec<u8> = (0..4000_u32).flat_map(|at| (at / 3).to_le_bytes()).collect();
        let mut new = old.clone();
        new[5000] ^= 255;
        assert_eq!(
            delta(&old, &new),
            [Piece::Copy(0..5000), Piece::New(5000..5001), Piece::Copy(5001..16000)]
        );
        assert_eq!(delta(&old, &old), [Piece::Copy(0..16000)]);
        assert_eq!(delta(&[], &old), [Piece::New(0..16000)]);
        assert_eq!(delta(&old, &[]), []);
    }
}
