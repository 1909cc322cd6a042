//! What is no output of a pixel: headers name all four components of a target whatever the source declared, and registers
//! of the others hold what the program had there last.

use super::super::super::spaces::PIXEL_BINDING;
use std::collections::{BTreeMap, BTreeSet};
use unshade_ir::{Effect, Function, Inst, Module, Op, Space, Value};

/// Words of the targets.
const WORDS: u32 = 32;

/// Removes outputs that hold what no source can name, and those behind them in the same target: a source declares the first
/// components. That is the address of a storage buffer, and, where the compiler has no functions for it (`alone`), what
/// another lane has.
pub(super) fn forget(module: &mut Module, alone: bool) {
    let foreign = if alone { foreign(module) } else { Vec::new() };
    let is_of_others =
        |at: usize, value: Value| foreign.get(at).is_some_and(|values| values.contains(&value));
    let tables = module.buffer_tables.clone();
    // Both words of an address, and what follows it in the table.
    let is_foreign = |inst: &Inst| match inst.op {
        Op::Load(access) if access.space == Space::Uniform && !access.is_indexed() => {
            tables.iter().any(|table| {
                let first = |back: u32| access.offset.checked_sub(back);
                (0..2).filter_map(first).any(|word| table.buffer(access.binding, word).is_some())
            })
        }
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
    for (at, function) in module.functions.iter().enumerate() {
        for inst in listed(function) {
            let Some((target, component)) = output(inst).filter(|(_, component)| *component > 0) else {
                continue;
            };
            let Some(value) = inst.args.last().copied() else { continue };
            if is_of_others(at, value) || function.definition(value).is_some_and(is_foreign) {
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

/// Values of each function that hang on what other lanes have, but for fetches with gradients: what is left in registers of
/// coordinates that lanes handed over. None where something else than an output hangs on them.
fn foreign(module: &Module) -> Vec<BTreeSet<Value>> {
    let shuffles = |module: &Module| {
        let insts = module.functions.iter().flat_map(|function| &function.insts);
        insts.into_iter().any(|inst| inst.op == Op::Shuffle)
    };
    if !shuffles(module) {
        return Vec::new();
    }
    let mut made = module.clone();
    super::gradient::restore(&mut made);
    let mut all = Vec::new();
    for function in &made.functions {
        let live = live(function);
        let mut values = BTreeSet::new();
        // What a block hands over may be known later than what it is handed to.
        loop {
            let before = values.len();
            for inst in listed(function) {
                if inst.op == Op::Shuffle || inst.args.iter().any(|arg| values.contains(arg)) {
                    values.extend(inst.results.iter().copied());
                }
            }
            for block in &function.blocks {
                for target in block.terminator.targets() {
                    let Some(to) = function.blocks.get(target.block.index()) else { continue };
                    for (param, arg) in to.params.iter().zip(&target.args) {
                        if values.contains(arg) {
                            values.insert(*param);
                        }
                    }
                }
            }
            if values.len() == before {
                break;
            }
        }
        let pixel = |inst: &Inst| matches!(inst.op, Op::Store(access) if (access.space, access.binding) == (Space::Output, PIXEL_BINDING));
        let steers = function
            .blocks
            .iter()
            .any(|block| block.terminator.asked().is_some_and(|value| values.contains(&value)));
        let matters = listed(function).any(|inst| {
            let hangs = inst.args.iter().any(|arg| values.contains(arg));
            let is_read = inst.results.iter().any(|result| live.contains(result));
            let is_texture = matches!(inst.op, Op::Texture(_)) && is_read;
            hangs && !pixel(inst) && (inst.op.effect() == Effect::Writes || is_texture)
        });
        if steers || matters {
            return Vec::new();
        }
        all.push(values);
    }
    all
}

/// Values on which something hangs that a program leaves.
fn live(function: &Function) -> BTreeSet<Value> {
    let mut live = BTreeSet::new();
    loop {
        let before = live.len();
        for block in &function.blocks {
            live.extend(block.terminator.asked());
            for target in block.terminator.targets() {
                let Some(to) = function.blocks.get(target.block.index()) else { continue };
                for (param, arg) in to.params.iter().zip(&target.args) {
                    if live.contains(param) {
                        live.insert(*arg);
                    }
                }
            }
        }
        for inst in listed(function) {
            let stays = inst.op.effect() == Effect::Writes;
            if stays || inst.results.iter().any(|result| live.contains(result)) {
                live.extend(inst.args.iter().copied());
            }
        }
        if live.len() == before {
            return live;
        }
    }
}

fn listed(function: &Function) -> impl Iterator<Item = &Inst> {
    let ids = function.blocks.iter().flat_map(|block| &block.insts);
    ids.filter_map(|id| function.insts.get(id.index()))
}
