//! What is no output of a pixel: headers name all four components of a target whatever the source declared, and registers
//! of the others hold what the program had there last.

use super::super::super::spaces::PIXEL_BINDING;
use std::collections::BTreeMap;
use unshade_ir::{Function, Inst, Module, Op, Space};

/// Words of the targets.
const WORDS: u32 = 32;

/// Removes outputs that hold what no source can name, and those behind them in the same target: a source declares the first
/// components. That is the address of a storage buffer, and, where the compiler has no functions for it (`alone`), what
/// another lane has.
pub(super) fn forget(module: &mut Module, alone: bool) {
    let tables = module.buffer_tables.clone();
    // Both words of an address, and what follows it in the table.
    let is_foreign = |inst: &Inst| match inst.op {
        Op::Load(access) if access.space == Space::Uniform && !access.is_indexed() => {
            tables.iter().any(|table| {
                let first = |back: u32| access.offset.checked_sub(back);
                (0..2).filter_map(first).any(|word| table.buffer(access.binding, word).is_some())
            })
        }
        Op::Shuffle => alone,
        _ => false,
    };
    // By target: the first component that is none.
    let mut ends: BTreeMap<u32, u32> = BTreeMap::new();
    let output = |inst: &Inst| match inst.op {
        Op::Store(access)
            if (access.space, access.binding) == (Space::Output, PIXEL_BINDING) && access.offset < WORDS =>
        {
            Some((access.offset / 4, access.offset % 4))
        }
        _ => None,
    };
    for function in &module.functions {
        for inst in listed(function) {
            let Some((target, component)) = output(inst).filter(|(_, component)| *component > 0) else {
                continue;
            };
            if inst.args.last().and_then(|value| function.definition(*value)).is_some_and(is_foreign) {
                let end = ends.entry(target).or_insert(component);
                *end = (*end).min(component);
            }
        }
    }
    if ends.is_empty() {
        return;
    }
    for function in &mut module.functions {
        let insts = &function.insts;
        let is_none = |inst: &Inst| {
            output(inst)
                .is_some_and(|(target, component)| ends.get(&target).is_some_and(|end| component >= *end))
        };
        for block in &mut function.blocks {
            block.insts.retain(|id| !insts.get(id.index()).is_some_and(is_none));
        }
    }
}

fn listed(function: &Function) -> impl Iterator<Item = &Inst> {
    let ids = function.blocks.iter().flat_map(|block| &block.insts);
    ids.filter_map(|id| function.insts.get(id.index()))
}
