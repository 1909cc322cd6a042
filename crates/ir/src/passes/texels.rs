//! What the texels of a texture are, by what becomes of them: a machine fetches bits, and the program that converts
//! them from integers, or computes with them as such, fetched integers. No operation changes.

use crate::cells::Cells;
use crate::votes::declared;
use crate::votes::{Kind, Votes, by_all_and};
use crate::{Global, ImageQuery, Module, Op, Shape, Space, Texel};
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

/// Declares what the texels of a texture are, or of an image whose texels are words that may be anything.
fn set_texel(global: &mut Global, kind: Kind) {
    let wanted = match kind {
        Kind::Float => Texel::Float,
        Kind::Int => Texel::Int,
        Kind::Uint => Texel::Uint,
    };
    match &mut global.shape {
        Shape::Sampler { texel, shadow: false, .. } => *texel = wanted,
        Shape::Image { texel, format, .. } => match format.map(|format| format.of_words(wanted)) {
            None => *texel = wanted,
            Some(Some(same)) => (*texel, *format) = (wanted, Some(same)),
            Some(None) => {}
        },
        _ => {}
    }
}

/// Declares the texels of which nobody else says what they are by what the program takes them for.
pub(super) fn declare(module: &mut Module) {
    let is_open = |global: &Global| global.by_use && matches!(global.space, Space::Texture | Space::Image);
    if !module.globals.iter().any(is_open) {
        return;
    }
    let before: Vec<Shape> = module.globals.iter().map(|global| global.shape).collect();
    module
        .globals
        .iter_mut()
        .filter(|global| is_open(global))
        .for_each(|global| set_texel(global, Kind::Float));
    let known = texel_votes(module, &|op| declared(module, op));
    for (global, before) in module.globals.iter_mut().zip(before).filter(|(global, _)| is_open(global)) {
        match known.get(&(global.space, global.offset)) {
            Some(votes) if !votes.is_empty() => set_texel(global, votes.kind()),
            // The bits of an image of which nobody knows what they are stay bits.
            _ if global.space == Space::Image => global.shape = before,
            _ => {}
        }
    }
}

/// Space and unit of the texels that an operation fetches, loads or stores.
fn unit(op: &Op) -> Option<(Space, u32)> {
    match op {
        Op::Texture(texture) if texture.query.is_texel() && !texture.shadow => {
            Some((Space::Texture, texture.unit))
        }
        Op::Image(image) if !matches!(image.query, ImageQuery::Size) => Some((Space::Image, image.unit)),
        _ => None,
    }
}

/// What texels are taken for, by space and unit.
fn texel_votes(module: &Module, known: &dyn Fn(&Op) -> Votes) -> BTreeMap<(Space, u32), Votes> {
    let mut found: BTreeMap<(Space, u32), Votes> = BTreeMap::new();
    for function in &module.functions {
        let mut listed = function.blocks.iter().flat_map(|block| &block.insts);
        if !listed.any(|id| function.insts.get(id.index()).is_some_and(|inst| unit(&inst.op).is_some())) {
            continue;
        }
        let votes = by_all_and(function, known);
        for id in function.blocks.iter().flat_map(|block| &block.insts) {
            let Some(inst) = function.insts.get(id.index()) else { continue };
            let Some(unit) = unit(&inst.op) else { continue };
            let texel = found.entry(unit).or_default();
            let stored = match inst.op {
                Op::Image(image) => inst.args.get(inst.args.len().saturating_sub(image.values())..),
                _ => None,
            };
            for value in inst.results.iter().chain(stored.into_iter().flatten()) {
                texel.add(votes.get(value.index()).copied().unwrap_or_default());
            }
        }
    }
    found
}

/// Declares texels of which nobody says what they are, but that go where everything is an integer; answers of how many textures and
/// images.
pub(super) fn declare_moved(module: &mut Module) -> usize {
    let is_open = |global: &Global| match global.shape {
        Shape::Sampler { texel, shadow, .. } => texel == Texel::Float && !shadow,
        Shape::Image { texel, format, .. } => {
            texel == Texel::Float && format.is_none_or(|format| format.of_words(Texel::Int).is_some())
        }
        _ => false,
    };
    let open = |found: &BTreeMap<(Space, u32), Votes>, global: &Global| {
        let votes = found.get(&(global.space, global.offset));
        is_open(global) && votes.is_some_and(|votes| votes.is_empty() || votes.is_integer())
    };
    if !module.globals.iter().any(is_open) {
        return 0;
    }
    // What is known of texels by themselves, then by where they go.
    let alone = texel_votes(module, &|op| declared(module, op));
    if !module.globals.iter().any(|global| open(&alone, global)) {
        return 0;
    }
    let cells = Cells::new(module);
    let moved = texel_votes(module, &|op| cells.known(module, op));
    let mut count = 0;
    for global in &mut module.globals {
        let kind = moved.get(&(global.space, global.offset)).filter(|votes| votes.is_integer());
        let Some(kind) = kind.filter(|_| open(&alone, global)) else { continue };
        let wanted = if kind.kind() == Kind::Uint { Texel::Uint } else { Texel::Int };
        if let Shape::Image { format: Some(format), .. } = &mut global.shape {
            *format = format.of_words(wanted).unwrap_or(*format);
        }
        if let Shape::Sampler { texel, .. } | Shape::Image { texel, .. } = &mut global.shape {
            *texel = wanted;
            count += 1;
        }
    }
    count
}
