//! Which words and descriptors of a program belong to one of its executables alone.

use super::flow;
use super::model::{Code, Dvle};

/// A table that executables share.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Share {
    /// What the executable needs.
    pub used: Vec<bool>,
    /// What other ones need.
    pub others: Vec<bool>,
    /// What no other one needs: what the executable needs, and what follows on that and nobody needs.
    pub own: Vec<bool>,
    /// Whether there is no other executable: then everything is its own.
    pub alone: bool,
    /// Where the part starts behind which everything is its own.
    pub tail: usize,
}

impl Share {
    fn new(used: Vec<bool>, others: Vec<bool>, alone: bool) -> Self {
        let mut mine = false;
        let mut own = Vec::with_capacity(used.len());
        for (used, other) in used.iter().zip(&others) {
            mine = !other && (mine || *used);
            own.push(mine);
        }
        // The only one has everything.
        let tail = if alone { 0 } else { Self::tail(&own) };
        Self { used, others, own, tail, alone }
    }

    fn tail(own: &[bool]) -> usize {
        own.iter().rposition(|own| !own).map_or(0, |last| last.saturating_add(1))
    }

    /// Whether an entry belongs to nobody else.
    pub fn has(&self, index: usize) -> bool {
        self.alone || self.own.get(index) == Some(&true)
    }

    /// The longest run of its own in front of the tail.
    pub fn room(&self) -> std::ops::Range<usize> {
        let (mut best, mut start) = (0..0, 0_usize);
        for (index, own) in self.own.iter().take(self.tail).chain([&false]).enumerate() {
            if !own {
                if index.saturating_sub(start) > best.len() {
                    best = start..index;
                }
                start = index.saturating_add(1);
            }
        }
        best
    }
}

/// What an executable has in the program that it is linked to.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Shares {
    pub words: Share,
    pub descriptors: Share,
    /// Whether another executable goes on behind the last word.
    pub others_run_off: bool,
    /// Whether this one does.
    pub runs_off: bool,
}

impl Shares {
    /// The shares of the executable of that number; of none, where there is no such one. The only one has everything.
    pub fn of(code: &Code, executables: &[Dvle], number: Option<usize>) -> Self {
        let alone = number.is_some() && executables.len() == 1;
        Self::counted(code, executables, number, alone)
    }

    /// The same, but that the only one, too, has no more than it needs and what follows on that.
    pub fn needed(code: &Code, executables: &[Dvle], number: usize) -> Self {
        Self::counted(code, executables, Some(number), false)
    }

    fn counted(code: &Code, executables: &[Dvle], number: Option<usize>, alone: bool) -> Self {
        let none = || vec![false; code.words.len()];
        let (mut used, mut others) = (none(), none());
        let (mut runs_off, mut others_run_off) = (false, false);
        let mut steps = None;
        for (index, dvle) in executables.iter().enumerate() {
            let reach = flow::reach(&code.words, dvle.entry, dvle.end, &mut steps);
            if Some(index) == number {
                (used, runs_off) = (reach.words, reach.runs_off);
                continue;
            }
            others_run_off |= reach.runs_off;
            for (other, reached) in others.iter_mut().zip(&reach.words) {
                *other |= reached;
            }
            // What a label gives a length to is a procedure, whoever calls it. Other labels may stand behind the end.
            let mut procedures = flow::Ranges::new(others.len());
            for label in dvle.executable.labels.iter().filter(|label| label.size != u32::MAX) {
                let end = label.position.saturating_add(label.size);
                procedures.add(label.position as usize, end as usize);
            }
            for (other, inside) in others.iter_mut().zip(procedures.inside()) {
                *other |= inside;
            }
        }
        let named = |words: &[bool]| {
            let mut named = vec![false; code.descriptors.len()];
            for (word, _) in code.words.iter().zip(words).filter(|(_, needed)| **needed) {
                if let Some(place) = flow::descriptor(*word).and_then(|(index, _)| named.get_mut(index)) {
                    *place = true;
                }
            }
            named
        };
        let (used_descriptors, other_descriptors) = (named(&used), named(&others));
        Self {
            words: Share::new(used, others, alone),
            descriptors: Share::new(used_descriptors, other_descriptors, alone),
            others_run_off,
            runs_off,
        }
    }
}
