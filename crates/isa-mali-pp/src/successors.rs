//! An instruction leads to the next one, to the target of its branch, or out of the program.

use crate::decode::instruction;
use crate::reach::Successors;
use unshade_isa_common::successors::{Reached, Step, Transfer, follow};
use unshade_stage::Code;

/// Instructions from the entry on.
pub fn steps(code: &Code<'_>) -> Reached {
    let words = &code.words;
    follow(0, |at| {
        let inst = words.get(at as usize..).and_then(instruction)?;
        let to = Successors::of(at, &inst);
        let mut step = Step { words: at..at.saturating_add(inst.count()), successors: Vec::new() };
        if to.stops || to.discards {
            step.add(Transfer::End, None);
        }
        let target = to.taken.map(|target| u32::try_from(target).ok());
        match (target, to.next) {
            (Some(target), Some(next)) => {
                step.add(Transfer::Taken, target);
                step.add(Transfer::NotTaken, Some(next));
            }
            (Some(target), None) => step.add(Transfer::Jump, target),
            (None, Some(next)) => step.add(Transfer::Next, Some(next)),
            (None, None) => {}
        }
        Some(step)
    })
}
