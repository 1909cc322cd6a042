//! Safe control data for instructions that come without.
//!
//! An instruction of fixed latency holds the next one back until its result is there. One of variable latency sets
//! barriers, and the next instruction in the text waits for them; whatever runs after it, over a branch or not, runs
//! after that next one, since such instructions do not branch themselves. So no register, predicate or flag is ever
//! read or written too early, wherever the control flow goes.

use crate::Form;
use crate::control::{Latency, NO_BARRIER, latency};
use crate::layout::Slot;

/// The barrier for results.
const WRITE: u8 = 0;
/// The barrier for operands.
const READ: u8 = 1;
/// Cycles until a barrier that has been set can be waited for.
const SET: u8 = 2;
/// Cycles for what is not known.
const LONGEST: u8 = 15;

/// Makes control data along a program.
#[derive(Debug, Default)]
pub(super) struct Scheduler {
    /// Barriers that the instructions so far may have left set.
    pending: u8,
}

impl Scheduler {
    /// The slot of the next instruction; a given one stays.
    pub fn next(&mut self, word: u64, given: Option<Slot>) -> Slot {
        let slot = given.unwrap_or_else(|| self.make(word));
        self.pending &= !slot.waits();
        for barrier in [slot.write_barrier(), slot.read_barrier()] {
            if barrier < 6 {
                self.pending |= 1 << barrier;
            }
        }
        slot
    }

    fn make(&self, word: u64) -> Slot {
        let (stall, write, read) = match Form::of(word).map(latency) {
            Some(Latency::Fixed(cycles)) => (cycles, NO_BARRIER, NO_BARRIER),
            Some(Latency::Variable(true)) => (SET, WRITE, READ),
            Some(Latency::Variable(false)) => (SET, NO_BARRIER, READ),
            None => (LONGEST, NO_BARRIER, NO_BARRIER),
        };
        Slot::new(stall, true, write, read, self.pending, 0)
    }
}
