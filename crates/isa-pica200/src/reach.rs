//! Which words a program can come to, and in which runs of words: what the lints and the choice of names
//! in a listing rest on.
//!
//! A CALL runs the words from DST up to DST + NUM and then returns, so the same word can belong to several
//! runs with different ends. Each run is walked once, for itself; the sum of the work is bounded.

use super::{Format, Inst, Opcode, Operands, decode};
use std::collections::{BTreeMap, BTreeSet};

/// A run of words: the main program, or what a CALL executes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Run {
    /// First word.
    pub begin: u32,
    /// The word behind the last one, where the run returns; `None` for the main program.
    pub end: Option<u32>,
    /// CALLs that can be reached in it: the word of the CALL and the index of the run that it starts.
    pub calls: Vec<(u32, usize)>,
    /// END can be reached in it.
    pub ends: bool,
    /// A word behind the code can be reached in it.
    pub leaves_code: bool,
}

/// What can be reached from an entry point.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reach {
    /// For each word of the code whether it can be reached.
    pub words: Vec<bool>,
    /// The runs; the main program is the first.
    pub runs: Vec<Run>,
    /// Whether everything was looked at. If not, more may be reachable.
    pub complete: bool,
}

/// Steps after which [`reach`] gives up, beyond eight for each word.
const STEPS: usize = 1 << 20;

/// Follows the code from `entry`. Conditions count as undecided.
pub fn reach(words: &[u32], entry: u32) -> Reach {
    let mut walk = Walk {
        words,
        reach: Reach { words: vec![false; words.len()], runs: Vec::new(), complete: true },
        index: BTreeMap::new(),
        stamp: vec![0; words.len()],
        stack: Vec::new(),
        steps: STEPS.saturating_add(words.len().saturating_mul(8)),
    };
    walk.run_index(entry, None);
    let mut next = 0;
    while next < walk.reach.runs.len() && walk.reach.complete {
        walk.follow(next);
        next += 1;
    }
    walk.reach
}

struct Walk<'a> {
    words: &'a [u32],
    reach: Reach,
    index: BTreeMap<(u32, Option<u32>), usize>,
    /// One more than the run that saw the word last.
    stamp: Vec<u32>,
    stack: Vec<u32>,
    steps: usize,
}

impl Walk<'_> {
    fn run_index(&mut self, begin: u32, end: Option<u32>) -> usize {
        let next = self.reach.runs.len();
        let index = *self.index.entry((begin, end)).or_insert(next);
        if index == next {
            self.reach.runs.push(Run { begin, end, calls: Vec::new(), ends: false, leaves_code: false });
        }
        index
    }

    fn follow(&mut self, run: usize) {
        let Some(&Run { begin, end, .. }) = self.reach.runs.get(run) else { return };
        let mut calls = Vec::new();
        let mut ends = false;
        let mut leaves_code = false;
        // From the end of a first part the program goes on behind the second: (end of the first, of both).
        let mut detours: BTreeSet<(u32, u32)> = BTreeSet::new();
        if Some(begin) != end {
            self.stack.push(begin);
        }
        while let Some(at) = self.stack.pop() {
            let (Some(&word), Some(stamp)) = (self.words.get(at as usize), self.stamp.get_mut(at as usize))
            else {
                leaves_code = true;
                continue;
            };
            if *stamp == run as u32 + 1 {
                continue;
            }
            *stamp = run as u32 + 1;
            self.reach.words[at as usize] = true;
            self.steps = self.steps.saturating_sub(1);
            if self.steps == 0 {
                self.reach.complete = false;
                self.stack.clear();
                break;
            }
            let next = at + 1;
            let stack = &mut self.stack;
            let mut go = |to: u32| {
                if Some(to) != end {
                    stack.push(to);
                }
            };
            // Comes to a word by the end of what stands before it.
            let mut fall = |to: u32| {
                go(to);
                detours.range((to, 0)..=(to, u32::MAX)).for_each(|&(_, end)| go(end));
            };
            match Flow::of(word) {
                Flow::Next => fall(next),
                Flow::Stop => ends = true,
                Flow::Break => {}
                Flow::If { then_end, end } => {
                    fall(next);
                    go(then_end);
                    if detours.insert((then_end, end)) {
                        // The first part may have been walked before its head.
                        let last = then_end.wrapping_sub(1) as usize;
                        let walked = self.stamp.get(last) == Some(&(run as u32 + 1));
                        let falls = |word: &u32| !matches!(Flow::of(*word), Flow::Stop | Flow::Break);
                        if walked && last != at as usize && self.words.get(last).is_some_and(falls) {
                            go(end);
                        }
                    }
                }
                Flow::Loop { last } => {
                    fall(next);
                    fall(last + 1);
                }
                Flow::Jump { to } => {
                    fall(next);
                    // The end of a run is noticed by running up to it, not by jumping to it.
                    self.stack.push(to);
                }
                Flow::Call { begin, end } => {
                    fall(next);
                    calls.push((at, begin, end));
                }
            }
        }
        let calls =
            calls.into_iter().map(|(at, begin, end)| (at, self.run_index(begin, Some(end)))).collect();
        if let Some(place) = self.reach.runs.get_mut(run) {
            (place.calls, place.ends, place.leaves_code) = (calls, ends, leaves_code);
        }
    }
}

/// Where a word can lead.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Flow {
    /// To the next word.
    Next,
    /// END.
    Stop,
    /// BREAK: behind the loop.
    Break,
    /// IFU, IFC: the next word, or `then_end`; from the end of the first part on to `end`.
    If {
        /// First word of the else part, or of what follows.
        then_end: u32,
        /// First word behind both parts.
        end: u32,
    },
    /// LOOP: the body, then what follows `last`.
    Loop {
        /// Last word of the body.
        last: u32,
    },
    /// JMPC, JMPU: the next word or this one.
    Jump {
        /// Target.
        to: u32,
    },
    /// CALL, CALLC, CALLU.
    Call {
        /// First word.
        begin: u32,
        /// The word behind the last one.
        end: u32,
    },
}

impl Flow {
    /// Where this word leads.
    #[inline]
    pub fn of(word: u32) -> Self {
        let Some(opcode) = Opcode::of_word(word) else { return Self::Next };
        match opcode.format() {
            Format::FlowCondition | Format::FlowUniform => {}
            Format::Bare => {
                return match opcode {
                    Opcode::End => Self::Stop,
                    Opcode::Break => Self::Break,
                    _ => Self::Next,
                };
            }
            _ => return Self::Next,
        }
        let Inst::Known { operands, .. } = decode(word) else { return Self::Next };
        let (Operands::FlowCondition { num, dst, .. } | Operands::FlowUniform { num, dst, .. }) = operands
        else {
            return Self::Next;
        };
        let (num, dst) = (u32::from(num), u32::from(dst));
        match opcode {
            Opcode::Ifu | Opcode::Ifc => Self::If { then_end: dst, end: dst + num },
            Opcode::Loop => Self::Loop { last: dst },
            Opcode::Jmpc | Opcode::Jmpu => Self::Jump { to: dst },
            Opcode::Call | Opcode::Callc | Opcode::Callu => Self::Call { begin: dst, end: dst + num },
            _ => Self::Next,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOP: u32 = 0x8400_0000;
    const END: u32 = 0x8800_0000;

    #[test]
    fn a_call_returns_at_its_end() {
        // 0: call 3..4   1: end   2: (never)   3: nop   4: (never)
        let code = [0x9000_0000 | 3 << 10 | 1, END, NOP, NOP, NOP];
        let reach = reach(&code, 0);
        assert_eq!(reach.words, [true, true, false, true, false]);
        assert_eq!(reach.runs.len(), 2);
        assert_eq!(reach.runs[0].calls, [(0, 1)]);
        assert!(reach.runs[0].ends && !reach.runs[1].ends);
        assert!(!reach.runs[0].leaves_code && !reach.runs[1].leaves_code);
    }

    #[test]
    fn the_ends_of_both_parts_are_told_apart() {
        let branch = 0xA000_0000 | 2 << 10 | 1;
        // 0: if, else 2, end 3   1: end   2: end   3: (never)
        assert_eq!(reach(&[branch, END, END, NOP], 0).words, [true, true, true, false]);
        // 1: nop, which goes on behind the else part
        assert_eq!(reach(&[branch, NOP, END, NOP, END], 0).words, [true; 5]);
    }

    #[test]
    fn running_off_the_code_is_seen() {
        assert!(reach(&[NOP], 0).runs[0].leaves_code);
        assert!(reach(&[NOP], 7).runs[0].leaves_code);
        assert!(reach(&[], 0).runs[0].leaves_code);
    }
}
