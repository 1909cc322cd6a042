//! What one instruction is where a machine runs several at once.

use std::collections::BTreeMap;
use std::ops::Range;
use unshade_isa::latte::Program;
use unshade_stage::{Isa, Stage};

/// Words of the unit in which a lift counts places in the code.
pub(crate) fn unit(stage: &Stage<'_>) -> u32 {
    if stage.isa == Isa::Latte { 2 } else { 1 }
}

/// Instructions that run together and that one operation can come from: the arithmetic groups of the Wii U. Elsewhere
/// every instruction is one by itself.
#[derive(Debug, Default)]
pub(super) struct Groups(BTreeMap<u32, u32>);

impl Groups {
    pub fn of(stage: &Stage<'_>) -> Self {
        let mut groups = Self::default();
        if stage.isa != Isa::Latte {
            return groups;
        }
        let program = Program::new(&stage.code.words);
        for (_, cf) in program.control_flow().filter(|(_, cf)| cf.is_alu()) {
            for group in program.groups(cf.alu()) {
                let start = group.address.saturating_mul(2);
                // Another clause had it already.
                if groups.0.insert(start, start.saturating_add(2 * group.size())).is_some() {
                    break;
                }
            }
        }
        groups
    }

    /// The words of the group around some words.
    pub fn around(&self, words: Range<u32>) -> Range<u32> {
        match self.0.range(..=words.start).next_back() {
            Some((start, end)) if words.end <= *end => *start..*end,
            _ => words,
        }
    }
}
