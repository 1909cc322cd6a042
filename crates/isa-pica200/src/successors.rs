//! The ends of parts, loops and procedures are found by where the program comes to, as the GPU does it, with
//! those that a word lies inside of.

use crate::reach::Flow;
use std::collections::BTreeMap;
use unshade_isa_common::successors::{MOST, Reached, Step, Transfer, follow};
use unshade_stage::Code;

/// What ends in front of a word.
#[derive(Debug, Clone, Copy)]
enum Bound {
    /// A first part, behind which the program goes on behind the second.
    Part {
        /// The word behind both.
        end: u32,
    },
    /// A loop.
    Loop,
    /// A procedure.
    Procedure,
}

/// The bounds in front of each word, each with the first word inside: the innermost first.
type Bounds = BTreeMap<u32, Vec<(u32, Bound)>>;

/// Instructions from a word on.
pub fn steps(code: &Code<'_>) -> Reached {
    let (words, entry) = (&code.words, code.entry);
    let mut bounds = Bounds::new();
    let mut loops: Vec<(u32, u32)> = Vec::new();
    for (at, word) in (0_u32..).zip(words.iter()) {
        match Flow::of(*word) {
            Flow::If { then_end, end } if then_end > at && end > then_end => {
                bounds.entry(then_end).or_default().push((at + 1, Bound::Part { end }));
            }
            Flow::Loop { last } if last > at => {
                bounds.entry(last + 1).or_default().push((at + 1, Bound::Loop));
                loops.push((at, last));
            }
            Flow::Call { begin, end } if end > begin => {
                bounds.entry(end).or_default().push((begin, Bound::Procedure));
            }
            _ => {}
        }
    }
    for list in bounds.values_mut() {
        list.sort_by_key(|(start, _)| std::cmp::Reverse(*start));
        list.dedup_by_key(|(start, bound)| (*start, std::mem::discriminant(bound)));
        list.truncate(MOST);
    }
    follow(entry, |at| {
        let word = *words.get(at as usize)?;
        let mut step = Step { words: at..at + 1, successors: Vec::new() };
        match Flow::of(word) {
            Flow::Next | Flow::Loop { .. } => behind(&mut step, &bounds, Transfer::Next),
            Flow::Stop => step.add(Transfer::End, None),
            Flow::Break => {
                let around = loops.iter().rev().take(MOST).find(|(head, last)| *head < at && at <= *last);
                step.add(Transfer::Jump, around.map(|(_, last)| last + 1));
            }
            Flow::If { then_end, .. } => {
                step.add(Transfer::Taken, Some(then_end));
                behind(&mut step, &bounds, Transfer::NotTaken);
            }
            Flow::Jump { to } => {
                step.add(Transfer::Taken, Some(to));
                behind(&mut step, &bounds, Transfer::NotTaken);
            }
            Flow::Call { begin, .. } => {
                step.add(Transfer::Call, Some(begin));
                behind(&mut step, &bounds, Transfer::Next);
            }
        }
        Some(step)
    })
}

/// Leads an instruction to the one after it.
fn behind(step: &mut Step, bounds: &Bounds, kind: Transfer) {
    let from = step.words.start;
    let (mut next, mut kind) = (from + 1, kind);
    // Each turn goes out of something, or on to behind a second part.
    for _ in 0..MOST {
        let mut moved = false;
        for (start, bound) in bounds.get(&next).into_iter().flatten() {
            if from < *start {
                continue;
            }
            match bound {
                Bound::Part { end } => {
                    (next, kind, moved) = (*end, Transfer::Jump, true);
                    break;
                }
                Bound::Loop => {
                    step.add(Transfer::Taken, Some(*start));
                    kind = Transfer::NotTaken;
                }
                Bound::Procedure => {
                    step.add(Transfer::Return, None);
                    return;
                }
            }
        }
        if !moved {
            break;
        }
    }
    step.add(kind, Some(next));
}
