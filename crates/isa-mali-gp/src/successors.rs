//! An instruction leads to the next one, to the target of its branch, or out of the program.

use crate::decode::{decode, join};
use unshade_isa_common::successors::{Reached, Step, Transfer, follow};
use unshade_stage::Code;

/// Instructions from the entry on.
pub fn steps(code: &Code<'_>) -> Reached {
    let words = &code.words;
    let count = (words.len() / 4) as u32;
    follow(0, |at| {
        let inst = decode(join(*words.get(at as usize..)?.first_chunk::<4>()?));
        let mut step = Step { words: at..at + 4, successors: Vec::new() };
        let last = at / 4 + 1 >= count;
        if inst.branch {
            step.add(Transfer::Taken, Some(4 * u32::from(inst.target)));
            step.add(if last { Transfer::End } else { Transfer::NotTaken }, (!last).then_some(at + 4));
        } else {
            step.add(if last { Transfer::End } else { Transfer::Next }, (!last).then_some(at + 4));
        }
        Some(step)
    })
}
