//! The PICA200: the ends of parts, loops and procedures are found by where the program comes to, as the machine does it, with
//! those that a word lies inside of.

use super::{MOST, Step, WayKind, follow};
use crate::pica200::reach::Flow;
use std::collections::BTreeMap;

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
pub(super) fn steps(words: &[u32], entry: u32) -> (BTreeMap<u32, Step>, Vec<u32>) {
    let mut bounds = Bounds::new();
    let mut loops: Vec<(u32, u32)> = Vec::new();
    for (at, word) in (0_u32..).zip(words) {
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
        let mut step = Step { words: at..at + 1, ways: Vec::new() };
        match Flow::of(word) {
            Flow::Next | Flow::Loop { .. } => behind(&mut step, &bounds, WayKind::Next),
            Flow::Stop => step.add(WayKind::End, None),
            Flow::Break => {
                let around = loops.iter().rev().take(MOST).find(|(head, last)| *head < at && at <= *last);
                step.add(WayKind::Jump, around.map(|(_, last)| last + 1));
            }
            Flow::If { then_end, .. } => {
                step.add(WayKind::Taken, Some(then_end));
                behind(&mut step, &bounds, WayKind::NotTaken);
            }
            Flow::Jump { to } => {
                step.add(WayKind::Taken, Some(to));
                behind(&mut step, &bounds, WayKind::NotTaken);
            }
            Flow::Call { begin, .. } => {
                step.add(WayKind::Call, Some(begin));
                behind(&mut step, &bounds, WayKind::Next);
            }
        }
        Some(step)
    })
}

/// The ways from an instruction to what comes behind it.
fn behind(step: &mut Step, bounds: &Bounds, kind: WayKind) {
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
                    (next, kind, moved) = (*end, WayKind::Jump, true);
                    break;
                }
                Bound::Loop => {
                    step.add(WayKind::Taken, Some(*start));
                    kind = WayKind::NotTaken;
                }
                Bound::Procedure => {
                    step.add(WayKind::Return, None);
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
