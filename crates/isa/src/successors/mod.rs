//! The successors of each instruction of a program, of any machine: what a picture of its control flow is drawn from.

use crate::{Machine, with_machine};
pub use unshade_isa_common::successors::{Reached, Step, Successor, Transfer};
use unshade_stage::Stage;

/// The instructions that a program can come to, by their first word, and the words where it and its procedures begin, its own
/// entry first. `None` where the instruction set is not read.
pub fn steps(stage: &Stage<'_>) -> Option<Reached> {
    let (mut steps, mut entries) =
        with_machine!(stage.isa, M => M::successors(&stage.code), _ => return None);
    // What leads to no instruction leads nowhere.
    let known: Vec<u32> = steps.keys().copied().collect();
    for successor in steps.values_mut().flat_map(|step| &mut step.successors) {
        successor.to = successor.to.filter(|to| known.binary_search(to).is_ok());
    }
    entries.retain(|entry| known.binary_search(entry).is_ok());
    Some((steps, entries))
}

#[cfg(test)]
mod tests;
