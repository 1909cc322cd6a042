//! What a program uses, and how close it comes to the limits of the machine.

use super::class::Class;
use super::layout;
use super::reachable::Reach;
use super::usage::Uses;
use unshade_isa_common::Usage;
use unshade_stage::Stage;

/// General registers of a thread.
pub const REGISTERS: usize = 255;
/// Predicates.
pub const PREDICATES: usize = 7;
/// Banks of constants.
pub const BANKS: usize = 18;
/// Words of the attribute space that a program header has bits for.
pub const ATTRIBUTES: usize = super::attribute::WORDS as usize;
/// Bytes of local memory that a thread can have.
pub const LOCAL: usize = 0x80000;
/// Bytes of shared memory that a work group can have.
pub const SHARED: usize = 0xC000;
/// Tokens of the branch stack that need no memory.
pub const STACK: usize = 16;

/// Counts over the code of a stage that control flow reaches.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Stats {
    /// What the code uses.
    pub uses: Uses,
    /// Instructions that nothing leads to, padding included.
    pub unreached: usize,
    /// Named resources.
    pub resources: Vec<(&'static str, Usage)>,
}

/// Counts a stage.
pub fn stats(stage: &Stage<'_>) -> Stats {
    let uses = Uses::new(&Reach::new(&stage.code));
    let all = layout::instructions(&stage.code.words).count();
    let usage = |used: usize, limit: usize| Usage { used, limit };
    let instructions = uses.instructions as usize;
    let mut resources = vec![
        ("registers", usage(uses.registers as usize, REGISTERS)),
        ("predicates", usage(uses.predicates.count_ones() as usize, PREDICATES)),
        ("stack", usage(uses.stack as usize, STACK)),
        ("banks", usage(uses.banks.len(), BANKS)),
        ("inputs", usage(uses.inputs.len() + uses.patch_inputs.len(), ATTRIBUTES)),
        ("outputs", usage(uses.outputs.len() + uses.patch_outputs.len(), ATTRIBUTES)),
    ];
    let counted = Class::ALL.into_iter().map(|class| (class, uses.of_class(class)));
    let classes = counted.filter(|(_, count)| *count > 0);
    resources.extend(classes.map(|(class, count)| (class.name(), usage(count as usize, instructions))));
    let unreached = all.saturating_sub(instructions);
    Stats { uses, unreached, resources }
}
