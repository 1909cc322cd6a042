//! Bytes that no structure explains: ranges that differ.

use super::{sequence::rising, structure::BytesDifference};
use crate::delta::{Piece, delta};
use std::ops::Range;

/// So many equal bytes between two ranges make them two.
const APART: usize = 8;

/// Ranges of two byte strings that differ, in order, from their starts.
pub(super) fn ranges(old: &[u8], new: &[u8]) -> Vec<(Range<usize>, Range<usize>)> {
    if old.len() == new.len() {
        let ranges = in_place(old, new);
        // Where most of it differs, something may have moved.
        if ranges.iter().map(|range| range.len()).sum::<usize>() <= old.len() / 2 {
            return ranges.into_iter().map(|range| (range.clone(), range)).collect();
        }
    }
    let front = old.iter().zip(new).take_while(|(a, b)| a == b).count();
    let (a, b) = (&old[front..], &new[front..]);
    let back = a.iter().rev().zip(b.iter().rev()).take_while(|(a, b)| a == b).count();
    let (a, b) = (&a[..a.len() - back], &b[..b.len() - back]);
    let mut at = front;
    let mut copies = Vec::new();
    for piece in delta(a, b) {
        match piece {
            Piece::Copy(run) => {
                let len = run.len();
                copies.push((run.start + front..run.end + front, at));
                at += len;
            }
            Piece::New(run) => at += run.len(),
        }
    }
    let in_order = rising(&copies.iter().map(|(run, _)| run.start).collect::<Vec<_>>());
    let (mut at_old, mut at_new, mut ranges) = (front, front, Vec::new());
    let end = (old.len() - back..old.len() - back, new.len() - back);
    for (run, place) in in_order.into_iter().map(|at| copies[at].clone()).chain([end]) {
        // Copies may share old bytes.
        let cut = at_old.saturating_sub(run.start);
        let (start, place) = (run.start + cut, place + cut);
        if start > run.end || place < at_new {
            continue;
        }
        if start > at_old || place > at_new {
            ranges.push((at_old..start, at_new..place));
        }
        (at_old, at_new) = (run.end, place + (run.end - start));
    }
    ranges
}

/// Ranges in which byte strings of one length differ.
fn in_place(old: &[u8], new: &[u8]) -> Vec<Range<usize>> {
    let mut ranges: Vec<Range<usize>> = Vec::new();
    for at in old.iter().zip(new).enumerate().filter(|(_, (a, b))| a != b).map(|(at, _)| at) {
        match ranges.last_mut() {
            Some(last) if at < last.end + APART => last.end = at + 1,
            _ => ranges.push(at..at + 1),
        }
    }
    ranges
}

/// The ranges that differ, as they are told: `path` names what they belong to, the offsets are those of its start.
pub(super) fn differences(path: &str, old: (u64, &[u8]), new: (u64, &[u8])) -> Vec<BytesDifference> {
    let told = |(a, b): (Range<usize>, Range<usize>)| BytesDifference {
        path: path.to_owned(),
        old_offset: old.0 + a.start as u64,
        old_bytes: a.len() as u64,
        new_offset: new.0 + b.start as u64,
        new_bytes: b.len() as u64,
    };
    ranges(old.1, new.1).into_iter().map(told).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_hold_all_that_differs() {
        let old: Vec<u8> =
            (0..1000_u32).flat_map(|at| at.wrapping_mul(2_654_435_761).to_le_bytes()).collect();
        let mut new = old.clone();
        new[100] ^= 1;
        new[104] ^= 1;
        new[300] ^= 1;
        assert_eq!(ranges(&old, &new), [(100..105, 100..105), (300..301, 300..301)]);
        let mut new = old.clone();
        new.splice(200..200, [7; 20]);
        new.drain(1000..1030);
        let found = ranges(&old, &new);
        let (mut rebuilt, mut at) = (Vec::new(), 0);
        for (a, b) in &found {
            rebuilt.extend_from_slice(&old[at..a.start]);
            rebuilt.extend_from_slice(&new[b.clone()]);
            at = a.end;
        }
        rebuilt.extend_from_slice(&old[at..]);
        assert_eq!(rebuilt, new);
        assert_eq!(found.len(), 2, "{found:?}");
        assert_eq!(ranges(&old, &old), []);
        assert_eq!(ranges(&[], &old), [(0..0, 0..4000)]);
    }
}
