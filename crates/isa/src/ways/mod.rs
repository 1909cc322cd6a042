//! Where each instruction of a program leads: what a picture of its control flow is drawn from.
//!
//! Conditions count as undecided, loops as run once and more. Where a machine keeps places on a stack (the tokens of Maxwell,
//! the ends of procedures and parts of the PICA200), the stack is followed, so that an instruction that takes a place from
//! there leads to where that place was put from.

mod latte;
mod mali;
mod maxwell;
mod pica200;

use std::collections::BTreeMap;
use std::ops::Range;
use unshade_stage::{Isa, Stage};

/// How control goes from one instruction to another.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum WayKind {
    /// To what stands behind it.
    Next,
    /// Elsewhere, always.
    Jump,
    /// Elsewhere, if a condition holds.
    Taken,
    /// To what stands behind it, if the condition does not hold.
    NotTaken,
    /// Into a procedure, which comes back.
    Call,
    /// Back from a procedure.
    Return,
    /// Out of the program.
    End,
}

/// A way out of an instruction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Way {
    /// How.
    pub kind: WayKind,
    /// The word that it leads to, from the start of the code; `None` where it leads out of the procedure or the program, or to
    /// nothing that is an instruction.
    pub to: Option<u32>,
}

/// An instruction and its ways.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Step {
    /// Its words, from the start of the code.
    pub words: Range<u32>,
    /// Its ways, in the order of [`WayKind`], each once.
    pub ways: Vec<Way>,
}

impl Step {
    fn add(&mut self, kind: WayKind, to: Option<u32>) {
        let way = Way { kind, to };
        if let Err(at) = self.ways.binary_search(&way) {
            self.ways.insert(at, way);
        }
    }
}

/// Most ways that an instruction of a stack machine gets; a return has one for each place it comes back to.
const MOST: usize = 64;

/// The instructions that a program can come to, by their first word, and the words where it and its procedures begin, its own
/// entry first. `None` where the instruction set is not read.
pub fn steps(stage: &Stage<'_>) -> Option<(BTreeMap<u32, Step>, Vec<u32>)> {
    let code = &stage.code;
    let (mut steps, mut entries) = match stage.isa {
        Isa::Pica200 => pica200::steps(&code.words, code.entry),
        Isa::MaliGp => mali::vertex_steps(&code.words),
        Isa::MaliPp => mali::pixel_steps(&code.words),
        Isa::Latte => latte::steps(&code.words, code.entry),
        Isa::Maxwell => maxwell::steps(code),
        _ => return None,
    };
    // What leads to no instruction leads nowhere.
    let known: Vec<u32> = steps.keys().copied().collect();
    for way in steps.values_mut().flat_map(|step| &mut step.ways) {
        way.to = way.to.filter(|to| known.binary_search(to).is_ok());
    }
    entries.retain(|entry| known.binary_search(entry).is_ok());
    Some((steps, entries))
}

/// Follows ways from an entry. `step` gives the instruction at a word, if there is one.
fn follow(entry: u32, step: impl Fn(u32) -> Option<Step>) -> (BTreeMap<u32, Step>, Vec<u32>) {
    let mut steps = BTreeMap::new();
    let mut entries = vec![entry];
    let mut open = vec![entry];
    while let Some(at) = open.pop() {
        if steps.contains_key(&at) {
            continue;
        }
        let Some(step) = step(at) else { continue };
        for way in &step.ways {
            open.extend(way.to);
            if let (WayKind::Call, Some(to)) = (way.kind, way.to)
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

#[cfg(test)]
mod tests;
