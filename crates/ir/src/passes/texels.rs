//! What the texels of a texture are, by what becomes of them: a machine fetches bits, and the program that converts
//! them from integers, or computes with them as such, fetched integers. No operation changes.

use crate::{Module, Op, Shape, Space, Texel};
use std::collections::BTreeMap;

pub(super) fn run(module: &mut Module) -> usize {
    let mut found: BTreeMap<u32, Option<Texel>> = BTreeMap::new();
    for function in &module.functions {
        let listed = || function.blocks.iter().flat_map(|block| &block.insts);
        // Which unit each value was fetched from.
        let mut from = vec![None; function.values.len()];
        for id in listed() {
            let inst = &function.insts[id.index()];
            if let Op::Texture(texture) = inst.op
                && !texture.shadow
                && !texture.indexed
                && texture.query.is_texel()
            {
                inst.results.iter().for_each(|result| from[result.index()] = Some(texture.unit));
            }
        }
        for id in listed() {
            let inst = &function.insts[id.index()];
            for unit in inst.args.iter().filter_map(|arg| from[arg.index()]) {
                let kind = kind(&inst.op);
                // One use as a float is enough to leave it at that.
                let known = found.entry(unit).or_insert(kind);
                if *known != kind {
                    *known = match (*known, kind) {
                        (Some(Texel::Int), Some(Texel::Uint)) | (Some(Texel::Uint), Some(Texel::Int)) => {
                            Some(Texel::Int)
                        }
                        _ => None,
                    };
                }
            }
        }
        for block in &function.blocks {
            block.terminator.for_each_value(|value| {
                if let Some(unit) = from[value.index()] {
                    found.insert(unit, None);
                }
            });
        }
    }
    let mut count = 0;
    for global in module.globals.iter_mut().filter(|global| global.space == Space::Texture) {
        if let (Some(Some(kind)), Shape::Sampler { texel, .. }) =
            (found.get(&global.offset), &mut global.shape)
            && *texel != *kind
        {
            *texel = *kind;
            count += 1;
        }
    }
    count
}

/// As what an operation reads an operand; none: not as an integer.
fn kind(op: &Op) -> Option<Texel> {
    match op {
        Op::SToF(_) | Op::SMin | Op::SMax | Op::SDiv | Op::SRem | Op::SMulHigh => Some(Texel::Int),
        Op::UToF(_) | Op::UMin | Op::UMax | Op::UDiv | Op::URem | Op::UMulHigh => Some(Texel::Uint),
        _ => None,
    }
}
