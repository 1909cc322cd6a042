//! The successors of each instruction of a program: what a picture of its control flow is drawn from.
//!
//! Conditions count as undecided, loops as run once and more. Where a machine keeps addresses on a stack (the tokens of Maxwell,
//! the ends of procedures and parts of the PICA200), the stack is followed, so that an instruction that takes an address from
//! there leads to where that address was pushed from.

use std::collections::BTreeMap;
use std::ops::Range;

/// How control goes from one instruction to another.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Transfer {
    /// To the next instruction.
    Next,
    /// Elsewhere, always.
    Jump,
    /// Elsewhere, if a condition holds.
    Taken,
    /// To the next instruction, if the condition does not hold.
    NotTaken,
    /// Into a procedure, which comes back.
    Call,
    /// Back from a procedure.
    Return,
    /// Out of the program.
    End,
}

/// Where an instruction can lead.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Successor {
    /// How.
    pub kind: Transfer,
    /// The word that it leads to, from the start of the code; `None` where it leads out of the procedure or the program, or to
    /// nothing that is an instruction.
    pub to: Option<u32>,
}

/// An instruction and its successors.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Step {
    /// Its words, from the start of the code.
    pub words: Range<u32>,
    /// Its successors, in the order of [`Transfer`], each once.
    pub successors: Vec<Successor>,
}

impl Step {
    /// Adds a successor, unless it is there.
    pub fn add(&mut self, kind: Transfer, to: Option<u32>) {
        let successor = Successor { kind, to };
        if let Err(at) = self.successors.binary_search(&successor) {
            self.successors.insert(at, successor);
        }
    }
}

/// Most successors that an instruction of a machine with a stack gets; a return has one for each place that it comes back to.
pub const MOST: usize = 64;

/// The instructions that a program can reach, by their first word, and the words where it and its procedures begin, its own
/// entry first.
pub type Reached = (BTreeMap<u32, Step>, Vec<u32>);

/// Follows successors from an entry. `step` gives the instruction at a word, if there is one.
pub fn follow(entry: u32, step: impl Fn(u32) -> Option<Step>) -> Reached {
    let mut steps = BTreeMap::new();
    let mut entries = vec![entry];
    let mut open = vec![entry];
    while let Some(at) = open.pop() {
        if steps.contains_key(&at) {
            continue;
        }
        let Some(step) = step(at) else { continue };
        for successor in &step.successors {
            open.extend(successor.to);
            if let (Transfer::Call, Some(to)) = (successor.kind, successor.to)
                && !entries.contains(&to)
                && entries.len() < 1 << 10
            {
                entries.push(to);
            }
        }
        steps.insert(at, step);
    }
    (steps, entries)
}
