//! What verifying a program may cost: one amount of work for all its runs together, so that programs that run for long end too.
//!
//! The measure is the machine instruction. Runs of what is made from the program count by their steps, and every run by the words that
//! are put in place for it, so that the bound holds for time as well: see docs/verify.md.

use super::machine::Inputs;
use std::cell::Cell;

/// Steps of the IR or the tree that take as long as one machine instruction.
const STEPS: u64 = 4;
/// Words put in place that take as long.
const WORDS: u64 = 64;

/// An amount of work, and what of it is done.
#[derive(Debug)]
pub(super) struct Work {
    /// Machine instructions.
    budget: u64,
    spent: Cell<u64>,
    cut: Cell<bool>,
}

impl Work {
    pub(super) fn new(budget: u64) -> Self {
        Self { budget, spent: Cell::new(0), cut: Cell::new(false) }
    }

    /// Machine instructions that are left.
    pub(super) fn left(&self) -> u64 {
        self.budget.saturating_sub(self.spent.get())
    }

    pub(super) fn is_spent(&self) -> bool {
        self.left() == 0
    }

    /// Counts machine instructions.
    pub(super) fn add(&self, instructions: u64) {
        self.spent.set(self.spent.get().saturating_add(instructions));
    }

    /// Counts a run of something made from the program.
    pub(super) fn ran(&self, inputs: &Inputs, steps: u64) {
        let words: u64 = inputs.iter().map(|registers| registers.words.len() as u64).sum();
        self.add(1 + steps / STEPS + words / WORDS);
    }

    /// Steps that a run may take that wants so many.
    pub(super) fn fuel(&self, wanted: u64) -> u64 {
        wanted.min(self.left().saturating_mul(STEPS))
    }

    /// Says that a run stopped since there was no more work left.
    pub(super) fn cut(&self) {
        self.cut.set(true);
    }

    /// Whether one did.
    pub(super) fn was_cut(&self) -> bool {
        self.cut.get()
    }
}
