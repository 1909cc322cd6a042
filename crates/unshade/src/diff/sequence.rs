//! Two sequences aligned: which elements of the one are which of the other, in order.
//!
//! What stands once on each side anchors the alignment (patience), what lies between the anchors is aligned by Myers'
//! shortest edit script up to a bound. So the work grows with the length, and with the differences only up to that
//! bound; past it a stretch is left without pairs, and that is said.

use std::{collections::HashMap, ops::Range};

/// Differences up to which a stretch without anchors is aligned.
const COST: usize = 1024;
/// Visits of an element that looking for anchors may take, on average.
const VISITS: usize = 48;

/// Equal elements, one behind the other on both sides.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Run {
    /// Index of the first in the old sequence.
    pub old: usize,
    /// Index of the first in the new sequence.
    pub new: usize,
    /// How many.
    pub len: usize,
}

/// Which elements of two sequences are the same.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Alignment {
    /// In order on both sides, none empty, none touching the next on both sides.
    pub runs: Vec<Run>,
    /// Whether a stretch was too different to be aligned within the bounds.
    pub rough: bool,
}

/// A stretch of both sides.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Gap {
    /// Indices in the old sequence.
    pub old: Range<usize>,
    /// Indices in the new sequence.
    pub new: Range<usize>,
}

impl Alignment {
    /// The stretches without pairs, in order, for sequences of these lengths.
    pub fn gaps(&self, old: usize, new: usize) -> Vec<Gap> {
        let mut gaps = Vec::new();
        let (mut at_old, mut at_new) = (0, 0);
        let end = Run { old, new, len: 0 };
        for run in self.runs.iter().chain([&end]) {
            if run.old > at_old || run.new > at_new {
                gaps.push(Gap { old: at_old..run.old, new: at_new..run.new });
            }
            (at_old, at_new) = (run.old + run.len, run.new + run.len);
        }
        gaps
    }
}

/// Aligns two sequences of which equal elements have equal numbers.
pub fn align(old: &[u64], new: &[u64]) -> Alignment {
    let mut found = Alignment::default();
    let mut visits = (old.len() + new.len()).saturating_mul(VISITS);
    let mut gaps = vec![Gap { old: 0..old.len(), new: 0..new.len() }];
    while let Some(gap) = gaps.pop() {
        let gap = trim(old, new, gap, &mut found.runs);
        if gap.old.is_empty() || gap.new.is_empty() {
            continue;
        }
        let Some(left) = visits.checked_sub(gap.old.len() + gap.new.len()) else {
            found.rough = true;
            continue;
        };
        visits = left;
        let anchors = anchors(old, new, &gap);
        if anchors.is_empty() {
            match shortest(&old[gap.old.clone()], &new[gap.new.clone()]) {
                Some(runs) => found.runs.extend(runs.into_iter().map(|run| Run {
                    old: run.old + gap.old.start,
                    new: run.new + gap.new.start,
                    ..run
                })),
                None => found.rough = true,
            }
            continue;
        }
        let (mut at_old, mut at_new) = (gap.old.start, gap.new.start);
        for (in_old, in_new) in anchors {
            gaps.push(Gap { old: at_old..in_old, new: at_new..in_new });
            found.runs.push(Run { old: in_old, new: in_new, len: 1 });
            (at_old, at_new) = (in_old + 1, in_new + 1);
        }
        gaps.push(Gap { old: at_old..gap.old.end, new: at_new..gap.new.end });
    }
    found.runs.sort_unstable();
    found.runs.dedup_by(|run, before| {
        let follows = before.old + before.len == run.old && before.new + before.len == run.new;
        if follows {
            before.len += run.len;
        }
        follows
    });
    found
}

/// Takes what is the same at the start and at the end of a stretch.
fn trim(old: &[u64], new: &[u64], mut gap: Gap, runs: &mut Vec<Run>) -> Gap {
    let (a, b) = (&old[gap.old.clone()], &new[gap.new.clone()]);
    let front = a.iter().zip(b).take_while(|(a, b)| a == b).count();
    let back = a[front..].iter().rev().zip(b[front..].iter().rev()).take_while(|(a, b)| a == b).count();
    if front > 0 {
        runs.push(Run { old: gap.old.start, new: gap.new.start, len: front });
    }
    if back > 0 {
        runs.push(Run { old: gap.old.end - back, new: gap.new.end - back, len: back });
    }
    gap.old = gap.old.start + front..gap.old.end - back;
    gap.new = gap.new.start + front..gap.new.end - back;
    gap
}

/// Pairs of elements that stand once on each side, as many as are in the same order on both.
fn anchors(old: &[u64], new: &[u64], gap: &Gap) -> Vec<(usize, usize)> {
    /// Where an element stands, if it does so once.
    #[derive(Default)]
    struct Seen {
        old: Place,
        new: Place,
    }
    #[derive(Default, Clone, Copy)]
    enum Place {
        #[default]
        Nowhere,
        Once(usize),
        Often,
    }
    impl Place {
        fn see(&mut self, at: usize) {
            *self = if matches!(self, Self::Nowhere) { Self::Once(at) } else { Self::Often };
        }
    }
    let mut seen: HashMap<u64, Seen> = HashMap::with_capacity(gap.old.len().min(gap.new.len()));
    gap.old.clone().for_each(|at| seen.entry(old[at]).or_default().old.see(at));
    for at in gap.new.clone() {
        if let Some(seen) = seen.get_mut(&new[at]) {
            seen.new.see(at);
        }
    }
    let pairs: Vec<(usize, usize)> = gap
        .old
        .clone()
        .filter_map(|at| match seen.get(&old[at]) {
            Some(Seen { old: Place::Once(_), new: Place::Once(other) }) => Some((at, *other)),
            _ => None,
        })
        .collect();
    rising(&pairs.iter().map(|pair| pair.1).collect::<Vec<_>>()).into_iter().map(|at| pairs[at]).collect()
}

/// Indices of a longest run of rising values.
pub fn rising(values: &[usize]) -> Vec<usize> {
    // Of the runs of each length that which ends lowest, and before each value the one in front of it.
    let mut ends: Vec<usize> = Vec::new();
    let mut before: Vec<Option<usize>> = Vec::with_capacity(values.len());
    for (at, value) in values.iter().enumerate() {
        let length = ends.partition_point(|&end| values[end] < *value);
        before.push(length.checked_sub(1).map(|shorter| ends[shorter]));
        match ends.get_mut(length) {
            Some(end) => *end = at,
            None => ends.push(at),
        }
    }
    let mut run = Vec::with_capacity(ends.len());
    let mut at = ends.last().copied();
    while let Some(index) = at {
        run.push(index);
        at = before[index];
    }
    run.reverse();
    run
}

/// The equal elements of a shortest edit script, if it has at most [`COST`] steps.
fn shortest(old: &[u64], new: &[u64]) -> Option<Vec<Run>> {
    let (n, m) = (old.len() as isize, new.len() as isize);
    let limit = ((n + m) as usize).min(COST);
    // `furthest[k + limit + 1]`: how far in `old` one comes on diagonal k; kept for each number of steps.
    let mut furthest = vec![0_isize; 2 * limit + 3];
    let place = |k: isize| (k + limit as isize + 1) as usize;
    let mut history: Vec<Vec<isize>> = Vec::new();
    for steps in 0..=limit as isize {
        history.push(furthest[place(-steps - 1)..=place(steps + 1)].to_vec());
        for k in (-steps..=steps).step_by(2) {
            // Beyond either end there is nothing to come to.
            if k > n || k < -m {
                continue;
            }
            let down = k == -steps || (k != steps && furthest[place(k - 1)] < furthest[place(k + 1)]);
            let mut x = if down { furthest[place(k + 1)] } else { furthest[place(k - 1)] + 1 };
            let mut y = x - k;
            while x < n && y < m && y >= 0 && old[x as usize] == new[y as usize] {
                (x, y) = (x + 1, y + 1);
            }
            furthest[place(k)] = x;
            if x >= n && y >= m {
                return Some(trace_back(&history, n, m));
            }
        }
    }
    None
}

/// The equal elements on the way back from the end.
fn trace_back(history: &[Vec<isize>], n: isize, m: isize) -> Vec<Run> {
    let mut runs = Vec::new();
    let (mut x, mut y) = (n, m);
    for (steps, furthest) in history.iter().enumerate().rev() {
        let steps = steps as isize;
        let at = |k: isize| furthest[(k + steps + 1) as usize];
        let k = x - y;
        let down = k == -steps || (k != steps && at(k - 1) < at(k + 1));
        let from = if down { k + 1 } else { k - 1 };
        let (start_x, start_y) = match steps {
            0 => (0, 0),
            _ => (at(from), at(from) - from),
        };
        // The step comes first, then what is the same.
        let (same_x, same_y) = match (steps, down) {
            (0, _) => (0, 0),
            (_, true) => (start_x, start_y + 1),
            (_, false) => (start_x + 1, start_y),
        };
        let len = (x - same_x).min(y - same_y);
        if len > 0 {
            runs.push(Run { old: same_x as usize, new: same_y as usize, len: len as usize });
        }
        (x, y) = (start_x, start_y);
    }
    runs.reverse();
    runs
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;

    /// A number after the other, the same in every run.
    struct Numbers(u64);

    impl Numbers {
        fn below(&mut self, bound: u64) -> u64 {
            self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (self.0 >> 33) % bound
        }
    }

    /// Length of the longest common subsequence, the slow and certain way.
    fn longest(old: &[u64], new: &[u64]) -> usize {
        let mut row = vec![0; new.len() + 1];
        for a in old {
            let mut corner = 0;
            for (at, b) in new.iter().enumerate() {
                let above = row[at + 1];
                row[at + 1] = if a == b { corner + 1 } else { above.max(row[at]) };
                corner = above;
            }
        }
        row[new.len()]
    }

    fn check(old: &[u64], new: &[u64]) -> Alignment {
        let found = align(old, new);
        let (mut at_old, mut at_new) = (0, 0);
        for run in &found.runs {
            assert!(run.len > 0 && run.old >= at_old && run.new >= at_new, "{found:?}");
            assert_eq!(old[run.old..run.old + run.len], new[run.new..run.new + run.len]);
            (at_old, at_new) = (run.old + run.len, run.new + run.len);
        }
        assert!(at_old <= old.len() && at_new <= new.len());
        found
    }

    #[test]
    fn scripts_are_shortest() {
        let mut numbers = Numbers(1);
        for _ in 0..3000 {
            let letters = 1 + numbers.below(6);
            let mut some = |len: u64| -> Vec<u64> {
                let len = numbers.below(len);
                (0..len).map(|_| numbers.below(letters)).collect()
            };
            let (old, new) = (some(20), some(20));
            let paired: usize = shortest(&old, &new).unwrap().iter().map(|run| run.len).sum();
            assert_eq!(paired, longest(&old, &new), "{old:?} {new:?}");
            check(&old, &new);
        }
    }

    #[test]
    fn insertions_and_removals() {
        let old: Vec<u64> = (0..100).collect();
        let mut new = old.clone();
        new.splice(10..10, [500, 501]);
        new.drain(50..53);
        let found = check(&old, &new);
        assert_eq!(found.runs.iter().map(|run| run.len).sum::<usize>(), 97);
        assert_eq!(
            found.gaps(old.len(), new.len()),
            [Gap { old: 10..10, new: 10..12 }, Gap { old: 48..51, new: 50..50 }]
        );
        assert!(!found.rough);
    }

    #[test]
    fn long_and_unlike_is_bounded() {
        let mut numbers = Numbers(7);
        let old: Vec<u64> = (0..200_000).map(|_| numbers.below(50)).collect();
        let new: Vec<u64> = (0..200_000).map(|_| numbers.below(50)).collect();
        assert!(check(&old, &new).rough);
        // Every level of anchors gives one more: the visits end it.
        let old: Vec<u64> = (0..20_000).map(|at| at / 2).collect();
        let new: Vec<u64> = old.iter().rev().copied().collect();
        check(&old, &new);
    }
}
