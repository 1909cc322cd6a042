//! What a program uses, counted from its code: units, registers, memory, and how close it comes to the limits
//! of the machine.

use super::inst::SourceKind;
use super::table::{INSTRUCTIONS, MEMORY, MulOp, Unit};
use super::{decode, instructions};
use std::collections::BTreeMap;
use unshade_isa_common::Usage;
use unshade_stage::{Declared, Interface, Stage};

/// Counts over a program.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Stats {
    /// Instructions.
    pub instructions: usize,
    /// Instructions in which nothing happens.
    pub nops: usize,
    /// Operations by `unit.operation`: `add.max`, `complex.rcp`.
    pub operations: BTreeMap<String, usize>,
    /// Slots with work in them: the six units, `load`, `attribute`, `register`, `store-xy`, `store-zw`,
    /// `branch`; the limit is the number of instructions.
    pub slots: Vec<(&'static str, Usage)>,
    /// Operations that only keep a value or move it to a store.
    pub moves: usize,
    /// Loads with an address register.
    pub relative: usize,
    /// Named resources: instructions, attributes, varyings, registers, memory (vectors that the code loads
    /// directly).
    pub resources: Vec<(&'static str, Usage)>,
    /// Instructions up to the last one that loads an attribute.
    pub attribute_prefetch: usize,
    /// Instructions that go back in the code.
    pub loops: usize,
}

/// What a file declares about a code: the number of its instructions, and the index of the last one that
/// loads an attribute plus 1, or 0.
pub fn declaration(words: &[u32]) -> (u32, u32) {
    let (all, _) = instructions(words);
    let count = all.len() as u32;
    let last = all.map(decode).rposition(|inst| inst.reg0.attribute);
    (count, last.map_or(0, |last| last as u32 + 1))
}

/// Vectors of memory that the interface names: uniforms and constants.
pub fn declared_memory(interface: &Interface) -> usize {
    let names = super::names::Names::of_symbols(&interface.symbols);
    let vectors = names.all().iter().filter(|name| name.area == super::names::Area::Memory);
    vectors.map(|name| usize::from(name.word) / 4 + 1).max().unwrap_or(0)
}

/// What the file declares about a program of this machine.
pub fn declared(interface: &Interface) -> Option<(u32, u32)> {
    match interface.declared {
        Some(Declared::MaliVertex { instructions, attribute_prefetch }) => {
            Some((instructions, attribute_prefetch))
        }
        _ => None,
    }
}

/// Counts a stage.
pub fn stats(stage: &Stage<'_>) -> Stats {
    let (all, _) = instructions(&stage.code.words);
    let mut stats = Stats { instructions: all.len(), ..Stats::default() };
    let mut slots = [0usize; 12];
    let (mut attributes, mut varyings, mut registers) = (0u16, 0u16, 0u16);
    let mut memory = [false; 512];
    for (index, inst) in all.map(decode).enumerate() {
        let mut count = |name: &str, operation: &str| {
            *stats.operations.entry(format!("{name}.{operation}")).or_default() += 1;
        };
        for (n, unit) in Unit::ALL.into_iter().enumerate() {
            if !inst.is_on(unit) {
                continue;
            }
            slots[n] += 1;
            let moves = inst.moved(unit).is_some();
            stats.moves += usize::from(moves);
            match unit {
                _ if moves => count(unit.name().trim_end_matches(['0', '1']), "mov"),
                Unit::Add0 | Unit::Add1 => count("add", inst.add_op.name()),
                Unit::Mul1 if inst.mul_op.is_wide() => {}
                Unit::Mul1 => count("mul", MulOp::Mul.name()),
                Unit::Mul0 => count("mul", inst.mul_op.name()),
                Unit::Pass => count("pass", inst.pass_op.name()),
                Unit::Complex => count("complex", inst.complex_op.name()),
            }
        }
        let mut reads = [false; 3];
        for (_, _, source) in inst.sources() {
            match source.kind() {
                SourceKind::Load(_) => reads[0] = true,
                SourceKind::Reg0(_) => reads[1] = true,
                SourceKind::Reg1(_) => reads[2] = true,
                _ => {}
            }
        }
        reads[0] |= inst.clamps();
        if reads[0] {
            slots[6] += 1;
            if inst.load.register().is_some() {
                stats.relative += 1;
            } else if let Some(place) = memory.get_mut(usize::from(inst.load.address)) {
                *place = true;
            }
        }
        if reads[1] && inst.reg0.attribute {
            slots[7] += 1;
            attributes |= 1 << inst.reg0.number;
        }
        if reads[2] || reads[1] && !inst.reg0.attribute {
            slots[8] += 1;
        }
        if reads[1] && !inst.reg0.attribute {
            registers |= 1 << inst.reg0.number;
        }
        if reads[2] {
            registers |= 1 << inst.reg1;
        }
        for (slot, store) in inst.store.iter().enumerate().filter(|(_, store)| store.is_active()) {
            slots[9 + slot] += 1;
            match (store.temporary, store.varying) {
                (true, _) => {}
                (false, true) => varyings |= 1 << store.number,
                (false, false) => registers |= 1 << store.number,
            }
        }
        if inst.branch {
            slots[11] += 1;
            stats.loops += usize::from(usize::from(inst.target) <= index);
        }
        let quiet = !Unit::ALL.into_iter().any(|unit| inst.is_on(unit));
        stats.nops += usize::from(quiet && !inst.branch && !inst.store.iter().any(|store| store.is_active()));
    }
    const SLOTS: [&str; 12] = [
        "add0",
        "add1",
        "mul0",
        "mul1",
        "pass",
        "complex",
        "load",
        "attribute",
        "register",
        "store-xy",
        "store-zw",
        "branch",
    ];
    stats.slots = SLOTS
        .into_iter()
        .zip(slots)
        .map(|(name, used)| (name, Usage { used, limit: stats.instructions }))
        .collect();
    let ones = |bits: u16| bits.count_ones() as usize;
    stats.resources = vec![
        ("instructions", Usage { used: stats.instructions, limit: INSTRUCTIONS }),
        ("attributes", Usage { used: ones(attributes), limit: 16 }),
        ("varyings", Usage { used: ones(varyings), limit: 16 }),
        ("registers", Usage { used: ones(registers), limit: 16 }),
        ("memory", Usage { used: memory.iter().filter(|used| **used).count(), limit: MEMORY }),
        ("declared-memory", Usage { used: declared_memory(&stage.interface), limit: MEMORY }),
    ];
    stats.attribute_prefetch = declaration(&stage.code.words).1 as usize;
    stats
}
