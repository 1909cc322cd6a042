//! What a program uses, counted from its code: fields, operations, registers, and how close it comes to the
//! limits of the hardware.

use super::lint::{REGISTERS, SAMPLERS, sources};
use super::reach::floats;
use super::table::{AddOp, Combine, CombineOp, Field, MulOp, NO_OFFSET, TEMPORARY};
use super::{Item, Walk};
use std::collections::{BTreeMap, BTreeSet};
use unshade_isa_common::Usage;
use unshade_stage::Stage;

/// Vectors of varyings that the hardware interpolates besides the position (Mesa).
pub const VARYINGS: usize = 12;
/// Floats of uniforms (limasc).
pub const UNIFORMS: usize = 16384;

/// Counts over all code of a stage.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Stats {
    /// Code words.
    pub words: usize,
    /// Instructions.
    pub instructions: usize,
    /// Words that belong to no instruction.
    pub strays: usize,
    /// How many instructions have each field, in the order of the fields.
    pub fields: [usize; Field::ALL.len()],
    /// Operations of the arithmetic units by mnemonic with unit: `mul.v0`.
    pub operations: BTreeMap<String, usize>,
    /// Texture fetches.
    pub fetches: usize,
    /// Branches, discards apart.
    pub branches: usize,
    /// Discards.
    pub discards: usize,
    /// Loads and stores of temporaries.
    pub temporary_accesses: usize,
    /// Addresses with a register in them.
    pub relative: usize,
    /// Named resources: registers, varyings (vectors), uniforms (floats), samplers.
    pub resources: Vec<(&'static str, Usage)>,
    /// Vectors of temporaries, from the lowest to the highest named.
    pub temporaries: usize,
}

/// Counts a stage.
pub fn stats(stage: &Stage<'_>) -> Stats {
    let mut stats = Stats { words: stage.code.words.len(), ..Stats::default() };
    let mut registers = BTreeSet::new();
    let mut samplers = BTreeSet::new();
    let mut varyings = BTreeSet::new();
    let (mut uniforms, mut lowest, mut highest) = (0, 0, 0);
    for (_, item) in Walk::new(&stage.code.words) {
        let Item::Inst(inst) = item else {
            stats.strays += 1;
            continue;
        };
        stats.instructions += 1;
        for (count, field) in stats.fields.iter_mut().zip(Field::ALL) {
            *count += usize::from(inst.has(field));
        }
        registers.extend(sources(&inst).into_iter().filter(|number| *number < 12));
        let written = super::exec::trace::writes(&inst);
        registers.extend((0..).zip(written).filter(|(_, mask)| *mask != 0).map(|(number, _)| number));
        let mut count = |name: Option<&str>, op: u32, unit: &str| {
            let name = name.map_or_else(|| format!("op{op}.{unit}"), |name| format!("{name}.{unit}"));
            *stats.operations.entry(name).or_default() += 1;
        };
        if inst.has(Field::VectorMul) {
            let op = inst.vector_mul.op();
            count(MulOp::of(op).map(|op| op.row().name), op, "v0");
        }
        if inst.has(Field::FloatMul) {
            let op = inst.float_mul.op();
            count(MulOp::of(op).map(|op| op.row().name), op, "s0");
        }
        if inst.has(Field::VectorAdd) {
            let op = inst.vector_add.op();
            count(AddOp::of(op).map(|op| op.row().name), op, "v1");
        }
        if inst.has(Field::FloatAdd) {
            let op = inst.float_add.op();
            count(AddOp::of_scalar(op).map(|op| op.row().name), op, "s1");
        }
        match inst.combine() {
            Some(Combine::Scalar(field)) => {
                count(CombineOp::of(field.op()).map(|op| op.row().name), field.op(), "s2");
            }
            Some(Combine::Atan(field)) => {
                count(CombineOp::of(field.op()).map(|op| op.row().name), field.op(), "v2");
            }
            Some(Combine::Mul(_)) => count(Some("mul"), 0, "v2"),
            Some(Combine::AtanSecond(_)) => count(Some("atan_pt2"), 0, "s2"),
            None => {}
        }
        if inst.has(Field::Sampler) {
            stats.fetches += 1;
            samplers.insert(inst.sampler.index());
            stats.relative += usize::from(inst.sampler.offset_enable() != 0);
        }
        if inst.has(Field::Varying) && inst.varying.source().is_place() {
            varyings.insert(inst.varying.index() * floats(inst.varying.alignment()) / 4);
            stats.relative += usize::from(inst.varying.offset_register() != NO_OFFSET);
        }
        let mut memory = |index: u32, alignment: u32, enable: u32, temporary: bool| {
            let width = floats(alignment) as i32;
            let first = i32::from(index as u16 as i16) * width;
            stats.relative += usize::from(enable != 0);
            if temporary {
                stats.temporary_accesses += 1;
                lowest = lowest.min(first);
                highest = highest.max(first + width);
            } else {
                uniforms = uniforms.max(first + width);
            }
        };
        if inst.has(Field::Uniform) {
            let field = inst.uniform;
            memory(field.index(), field.alignment(), field.offset_enable(), field.source() == TEMPORARY);
        }
        if inst.has(Field::Store) && inst.store.framebuffer_read().is_none() {
            memory(inst.store.index(), inst.store.alignment(), inst.store.offset_enable(), true);
        }
        if inst.has(Field::Branch) {
            let place = if inst.branch.is_discard() { &mut stats.discards } else { &mut stats.branches };
            *place += 1;
        }
    }
    let usage = |used: usize, limit: usize| Usage { used, limit };
    stats.resources = vec![
        ("registers", usage(registers.len(), REGISTERS as usize)),
        ("varyings", usage(varyings.len(), VARYINGS)),
        ("uniforms", usage(uniforms.max(0) as usize, UNIFORMS)),
        ("samplers", usage(samplers.len(), SAMPLERS as usize)),
    ];
    stats.temporaries = (highest - lowest).unsigned_abs().div_ceil(4) as usize;
    stats
}
