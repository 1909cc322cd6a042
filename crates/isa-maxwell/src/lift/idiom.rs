//! What compilers for this machine write for what a person writes otherwise: passes of readable mode.

use super::super::address_map::{ATTRIBUTE_BINDING, POSITION_W};
use super::resolve::{Editor, direction, gradient, rewrite, texel};
use std::collections::BTreeMap;
use unshade_ir::passes::{Changes, Pass};
use unshade_ir::{
    Access, CompareInt, Function, Inst, InstId, Module, Op, Round, Shape, Space, Texture, TextureLevel,
    TextureQuery, TextureShape, Value, Width,
};

/// Fetches with gradients, of which the lanes of a quad make others.
pub const GRADIENTS: Pass = Pass {
    name: "gradients",
    run: |module| {
        let (count, besides) = gradient::restore(module);
        let mut changes = assume(count, MOVED);
        changes.assumptions.extend(besides.then_some(SAME));
        changes
    },
};

/// Images that are read as bits, with the formats that the program unpacks: reads give components from then on.
pub const TEXELS: Pass = Pass {
    name: "texel-formats",
    run: |module| {
        let (count, signed) = texel::formats(module);
        let mut changes = assume(count, UNPACKED);
        changes.assumptions.extend(signed.then_some(LOWEST));
        changes
    },
};

/// The passes, in order; they come before those that all machines share.
pub const PASSES: &[Pass] = &[
    Pass { name: "perspective", run: |module| assume(rewrite(module, perspective), W_IS_NOT_ZERO) },
    Pass { name: "cube-directions", run: |module| assume(directions(module), NOT_ZERO) },
    GRADIENTS,
    Pass { name: "slopes", run: |module| assume(rewrite(module, slope), NO_SLOPE) },
    Pass { name: "offsets", run: |module| assume(offsets(module), NEAR) },
    Pass { name: "levels", run: |module| assume(rewrite(module, level), FINE) },
    Pass { name: "layers", run: |module| assume(layers(module), LAYERS) },
    Pass { name: "texel-buffers", run: |module| assume(buffers(module), ROWS) },
    TEXELS,
    Pass { name: "addresses", run: |module| assume(addresses(module), INSIDE) },
];

/// What must hold where a pixel's input is taken with perspective.
const W_IS_NOT_ZERO: &str = "w of positions is not zero";
/// What must hold where addresses become indices.
const INSIDE: &str = "addresses stay inside of what they address";

/// What must hold where a direction is used as it is.
const NOT_ZERO: &str = "directions into cubes are not zero";
/// What is said where slopes are zero.
const NO_SLOPE: &str = "a constant in the file, by which slopes in y are multiplied, stays 0, so that they are 0 (uam leaves it so)";

/// What must hold where lanes are moved by gradients.
const MOVED: &str =
    "lanes of a quad that are moved by gradients fetch as one fetch with these gradients does";
/// What must hold where lanes fetch for each other and only their coordinates are handed over.
const SAME: &str = "layers and references of fetches with gradients are the same in a quad";

/// What must hold where bits of texels become components.
const UNPACKED: &str = "texels of images have the formats that the program unpacks from their bits";
/// What must hold where they have signs and are parts of 1.
const LOWEST: &str = "signed parts of texels are not the lowest number, which is below -1";

/// What must hold where a level of detail is used as it is.
const FINE: &str = "levels of detail are as exact as the machine tells them, in 256ths";

/// What must hold where an offset of a gather is used as it is.
const NEAR: &str = "offsets of gathers are between -32 and 31";

/// What must hold where a layer is used as it is.
const LAYERS: &str = "textures have fewer than 65536 layers";
/// What must hold where a texture is taken for a row of texels in memory.
const ROWS: &str = "textures of one axis that are only fetched from are buffers";

fn assume(count: usize, assumption: &'static str) -> Changes {
    let assumptions = if count > 0 { vec![assumption] } else { Vec::new() };
    Changes { count, assumptions }
}

/// `IPA.PASS w, a[0x7c]; MUFU.RCP w, w; IPA x, a[0x80], w`: the input as it is declared.
fn perspective(editor: &mut Editor<'_>, _: InstId, inst: &Inst) -> Option<Value> {
    let product = |value: Value| {
        let inst = editor.definition(value)?;
        match (inst.op, &inst.args[..]) {
            (Op::FMul(..), &[a, b]) => Some([(a, b), (b, a)]),
            _ => None,
        }
    };
    let (Op::FMul(..), &[a, b]) = (inst.op, &inst.args[..]) else { return None };
    let own = Access { space: Space::Input, binding: ATTRIBUTE_BINDING, offset: POSITION_W / 4, stride: 0 };
    [(a, b), (b, a)].into_iter().find_map(|(divided, reciprocal)| {
        let inst = editor.definition(reciprocal)?;
        let (Op::FRcp(_), &[w]) = (inst.op, &inst.args[..]) else { return None };
        if editor.definition(w)?.op != Op::Load(own) {
            return None;
        }
        product(divided)?.into_iter().find_map(|(value, by)| (by == w).then_some(value))
    })
}

/// `dFdy(x * 0.0)`: compilers multiply by a constant of the file that says which way y goes.
fn slope(editor: &mut Editor<'_>, _: InstId, inst: &Inst) -> Option<Value> {
    let (Op::Derivative(..), &[value]) = (inst.op, &inst.args[..]) else { return None };
    let product = editor.definition(value)?;
    let (Op::FMul(..), &[a, b]) = (product.op, &product.args[..]) else { return None };
    let is_zero = |value: Value| editor.constant(value).is_some_and(|bits| bits << 1 == 0);
    (is_zero(a) || is_zero(b)).then(|| editor.bits(0))
}

/// Offsets of gathers, of which the machine takes six bits out of a word into which the program put them.
fn offsets(module: &mut Module) -> usize {
    let mut count = 0;
    for function in &mut module.functions {
        for at in 0..function.insts.len() {
            let Some(Op::Texture(texture)) = function.insts.get(at).map(|inst| inst.op) else { continue };
            if !texture.moved {
                continue;
            }
            let first = texture.operands() - texture.offset_operands();
            for place in first..texture.operands() {
                let Some(step) = function.insts.get(at).and_then(|inst| inst.args.get(place)) else {
                    continue;
                };
                let Some(plain) = plain_offset(function, *step) else { continue };
                if let Some(arg) = function.insts.get_mut(at).and_then(|inst| inst.args.get_mut(place)) {
                    *arg = plain;
                    count += 1;
                }
            }
        }
    }
    count
}

/// What a field of six bits was put together of.
fn plain_offset(function: &Function, step: Value) -> Option<Value> {
    let constant = |value: Value| match function.definition(value)?.op {
        Op::B32(bits) => Some(bits),
        _ => None,
    };
    let inst = function.definition(step)?;
    let (Op::SBitExtract, &[word, at, count]) = (inst.op, &inst.args[..]) else { return None };
    let (at, count) = (constant(at)?, constant(count)?);
    let (mut word, mut within) = (word, false);
    for _ in 0..4 {
        let inst = function.definition(word)?;
        let (Op::BitInsert, &[base, field, first, len]) = (inst.op, &inst.args[..]) else { break };
        let (first, len) = (constant(first)?, constant(len)?);
        if first == at && len >= count {
            return Some(field);
        }
        if at + count > first && first + len > at {
            return None;
        }
        (word, within) = (base, true);
    }
    // The lowest field is what the others were put into.
    (at == 0 && within).then_some(word)
}

/// A level of detail, which the machine tells in 256ths of 16 bits: `float(bits) * (1.0 / 256.0)`.
fn level(editor: &mut Editor<'_>, _: InstId, inst: &Inst) -> Option<Value> {
    let scaled = |inst: &Inst, by: f32| {
        let (Op::FMul(..), &[a, b]) = (inst.op, &inst.args[..]) else { return None };
        let is = |value: Value| editor.constant(value) == Some(by.to_bits());
        if is(b) { Some(a) } else { is(a).then_some(b) }
    };
    let number = editor.definition(scaled(inst, 1.0 / 256.0)?)?;
    let (Op::UToF(_) | Op::SToF(_), &[number]) = (number.op, &number.args[..]) else { return None };
    let mut number = number;
    // Cut to its 16 bits once by the machine and once by the program.
    for _ in 0..4 {
        let inst = editor.definition(number)?;
        let numbers = |from: usize| -> Vec<Option<u32>> {
            inst.args.iter().skip(from).map(|arg| editor.constant(*arg)).collect()
        };
        number = match inst.op {
            Op::And if numbers(1) == [Some(0xFFFF)] => *inst.args.first()?,
            Op::ShrS | Op::Shl if numbers(1) == [Some(16)] => *inst.args.first()?,
            Op::UBitExtract | Op::SBitExtract if numbers(1) == [Some(0), Some(16)] => *inst.args.first()?,
            _ => break,
        };
    }
    let whole = editor.definition(number)?;
    let (Op::FToU(Width::F32, Round::Nearest) | Op::FToS(Width::F32, Round::Nearest), &[value]) =
        (whole.op, &whole.args[..])
    else {
        return None;
    };
    let level = scaled(editor.definition(value)?, 256.0)?;
    let is_level = editor
        .definition(level)
        .is_some_and(|inst| matches!(inst.op, Op::Texture(texture) if texture.query == TextureQuery::Level));
    is_level.then_some(level)
}

/// Directions into cubes, which compilers divide by their largest component: the machine does not do it. Every multiple
/// of a direction is the same.
fn directions(module: &mut Module) -> usize {
    let mut found = Vec::new();
    rewrite(module, |editor, id, inst| {
        let Op::Texture(texture) = inst.op else { return None };
        let is_cube = texture.shape.is_cube();
        if !is_cube || matches!(texture.level, TextureLevel::Gradients) {
            return None;
        }
        let first = usize::from(texture.indexed);
        let axes = inst.args.get(first..first + 3)?.to_vec();
        let axes = direction(editor, &axes)?;
        let inst = editor.function.insts.get_mut(id.index())?;
        for (place, axis) in inst.args.iter_mut().skip(first).zip(axes) {
            *place = axis;
        }
        None
    });
    for inst in module.functions.iter().flat_map(|function| &function.insts) {
        if let Op::Texture(texture) = inst.op
            && texture.shape.is_cube()
        {
            found.push(texture.unit);
        }
    }
    found.len()
}

/// Layers, which the machine takes as integers of 16 bits: the languages round and clamp by themselves.
fn layers(module: &mut Module) -> usize {
    let mut count = 0;
    for function in &mut module.functions {
        for at in 0..function.insts.len() {
            let Some(Op::Texture(texture)) = function.insts.get(at).map(|inst| inst.op) else { continue };
            let place = usize::from(texture.indexed) + texture.coordinates().saturating_sub(1);
            let asks =
                matches!(texture.query, TextureQuery::Sample | TextureQuery::Texel | TextureQuery::Gather(_));
            if !texture.shape.is_array() || !asks {
                continue;
            }
            let Some(layer) = function.insts.get(at).and_then(|inst| inst.args.get(place)).copied() else {
                continue;
            };
            let Some(plain) = plain_layer(function, layer, texture.is_integer()) else { continue };
            if let Some(place) = function.insts.get_mut(at).and_then(|inst| inst.args.get_mut(place)) {
                *place = plain;
                count += 1;
            }
        }
    }
    count
}

/// What a layer of 16 bits was made of.
fn plain_layer(function: &Function, layer: Value, integer: bool) -> Option<Value> {
    let limited = |value: Value| {
        let inst = function.definition(value)?;
        // An offset lies above the layer.
        if let (Op::BitInsert, &[base, _, first, _]) = (inst.op, &inst.args[..]) {
            return matches!(function.definition(first)?.op, Op::B32(16..)).then_some(base);
        }
        let (Op::UMin | Op::And, &[a, b]) = (inst.op, &inst.args[..]) else { return None };
        let is_limit =
            |value: Value| function.definition(value).is_some_and(|inst| inst.op == Op::B32(0xFFFF));
        if is_limit(b) { Some(a) } else { is_limit(a).then_some(b) }
    };
    if integer {
        return limited(layer);
    }
    let inst = function.definition(layer)?;
    let (Op::UToF(_), &[number]) = (inst.op, &inst.args[..]) else { return None };
    let mut number = number;
    while let Some(inner) = limited(number) {
        number = inner;
    }
    let inst = function.definition(number)?;
    match (inst.op, &inst.args[..]) {
        (Op::FToU(Width::F32, Round::Nearest), &[value]) => Some(value),
        _ => None,
    }
}

/// Rows of texels in memory: the machine fetches from them as from a texture of one axis.
fn buffers(module: &mut Module) -> usize {
    if !module.lines_may_be_buffers {
        return 0;
    }
    let mut rows: BTreeMap<u32, bool> = BTreeMap::new();
    for function in &module.functions {
        for id in function.blocks.iter().flat_map(|block| &block.insts) {
            let Some(inst) = function.insts.get(id.index()) else { continue };
            let Op::Texture(texture) = inst.op else { continue };
            let level = inst.args.last().and_then(|level| function.definition(*level)).map(|inst| inst.op);
            let plain = texture.shape == TextureShape::Line
                && texture.query == TextureQuery::Texel
                && texture.level == TextureLevel::Given
                && level == Some(Op::B32(0))
                && texture.offset == [0; 3];
            *rows.entry(texture.unit).or_insert(true) &= plain;
        }
    }
    rows.retain(|_, row| *row);
    for inst in module.functions.iter_mut().flat_map(|function| &mut function.insts) {
        if let Op::Texture(texture) = inst.op
            && rows.contains_key(&texture.unit)
        {
            inst.op =
                Op::Texture(Texture { shape: TextureShape::Buffer, level: TextureLevel::Quad, ..texture });
            inst.args.pop();
        }
    }
    for global in module.globals.iter_mut().filter(|global| global.space == Space::Texture) {
        if let Shape::Sampler { shape, .. } = &mut global.shape
            && rows.contains_key(&global.offset)
        {
            *shape = TextureShape::Buffer;
        }
    }
    rows.len()
}

/// A word of a bank without the 0 behind its end: `offset < 0x10000 ? bank[(offset & 0xfffc) >> 2] : 0`.
fn inside(editor: &mut Editor<'_>, _: InstId, inst: &Inst) -> Option<Value> {
    let (Op::Select, &[check, word, nothing]) = (inst.op, &inst.args[..]) else { return None };
    let check = editor.definition(check)?;
    let (Op::ICompare(CompareInt::Ult), &[bytes, end]) = (check.op, &check.args[..]) else { return None };
    let is_bank = editor.constant(nothing) == Some(0) && editor.constant(end) == Some(BANK_BYTES);
    let mut load = editor.definition(word)?;
    // A part of the word.
    while let (Op::UBitExtract | Op::SBitExtract | Op::And | Op::ShrU, [inner, ..]) =
        (load.op, &load.args[..])
    {
        load = editor.definition(*inner)?;
    }
    let (Op::Load(Access { space: Space::Uniform, stride: 1, .. }), &[index]) = (load.op, &load.args[..])
    else {
        return None;
    };
    (is_bank && shifted_down(editor, index) == Some(bytes)).then_some(word)
}

/// Words that are found by a byte address, `(i << 4) >> 2` words further on: the index is `i`, the step four words.
fn addresses(module: &mut Module) -> usize {
    let mut count = rewrite(module, inside);
    rewrite(module, |editor, id, inst| {
        if let Op::Texture(Texture { indexed: true, .. }) = inst.op {
            handle_index(editor, id, *inst.args.first()?);
            return None;
        }
        let (Op::Load(access) | Op::Store(access) | Op::Atomic(_, access)) = inst.op else { return None };
        if access.stride != 1 || access.space == Space::Global {
            return None;
        }
        let index = *inst.args.first()?;
        let Some(bytes) = shifted_down(editor, index) else {
            // Both shifts are one where nothing is lost in between.
            let (inner, step) = shifted_up(editor, index)?;
            return place(editor, id, inner, Access { stride: step, ..access });
        };
        let (more, bytes) = apart(editor, bytes, DEPTH);
        let bytes = bytes.filter(|_| more % 4 == 0)?;
        let zeros = zeros(editor, bytes, DEPTH);
        if zeros < 2 {
            return None;
        }
        let mut fixed = 0;
        let index = lowered(editor, bytes, zeros, &mut fixed, DEPTH);
        let step = 1_u32 << (zeros - 2);
        let offset = i64::from(access.offset) + i64::from(fixed) * i64::from(step) + i64::from(more / 4);
        let offset = u32::try_from(offset).ok()?;
        let index = index?;
        place(editor, id, index, Access { offset, stride: step, ..access })
    });
    let loads = module.functions.iter().flat_map(|function| &function.insts);
    count += loads
        .filter(|inst| {
            matches!(inst.op, Op::Load(access) | Op::Store(access) | Op::Atomic(_, access)
                if access.stride != 0 && matches!(access.space, Space::Storage | Space::Shared | Space::Local))
        })
        .count();
    count
}

/// Makes an access one to another place, at another index. There is no value that stands for it.
fn place(editor: &mut Editor<'_>, id: InstId, index: Value, access: Access) -> Option<Value> {
    let inst = editor.function.insts.get_mut(id.index())?;
    *inst.args.first_mut()? = index;
    inst.op = match inst.op {
        Op::Store(_) => Op::Store(access),
        Op::Atomic(op, _) => Op::Atomic(op, access),
        _ => Op::Load(access),
    };
    None
}

/// The index of elements, and their words, where an index of words is the one shifted.
fn shifted_up(editor: &Editor<'_>, index: Value) -> Option<(Value, u32)> {
    let inst = editor.definition(index)?;
    match (inst.op, &inst.args[..]) {
        (Op::Shl, &[inner, by]) => Some((inner, 1 << editor.constant(by).filter(|by| (1..=8).contains(by))?)),
        _ => None,
    }
}

/// The number of a texture: `(i << 2) >> 2` is `i`.
fn handle_index(editor: &mut Editor<'_>, id: InstId, index: Value) {
    let Some(bytes) = shifted_down(editor, index) else { return };
    let mut fixed = 0;
    if zeros(editor, bytes, DEPTH) < 2 {
        return;
    }
    let Some(number) = lowered(editor, bytes, 2, &mut fixed, DEPTH) else { return };
    let number = match fixed {
        0 => number,
        more => {
            let more = editor.bits(more as u32);
            editor.value(Op::IAdd, &[number, more])
        }
    };
    if let Some(place) = editor.function.insts.get_mut(id.index()).and_then(|inst| inst.args.first_mut()) {
        *place = number;
    }
}

/// Values that are followed.
const DEPTH: u32 = 16;

/// What an index is, as bytes: `bytes >> 2`.
fn shifted_down(editor: &Editor<'_>, index: Value) -> Option<Value> {
    let inst = editor.definition(index)?;
    match (inst.op, &inst.args[..]) {
        (Op::ShrS | Op::ShrU, &[bytes, by]) if editor.constant(by) == Some(2) => {
            Some(without_mask(editor, bytes))
        }
        _ => None,
    }
}

/// The constant part of a sum, and the rest of it.
fn apart(editor: &mut Editor<'_>, value: Value, depth: u32) -> (i32, Option<Value>) {
    if let Some(bits) = editor.constant(value) {
        return (bits as i32, None);
    }
    let Some(depth) = depth.checked_sub(1) else { return (0, Some(value)) };
    let inst = editor.definition(value).cloned();
    match inst.as_ref().map(|inst| (inst.op, &inst.args[..])) {
        Some((Op::And, &[a, mask])) if is_bank_mask(editor, mask) => apart(editor, a, depth),
        Some((Op::IAdd, &[a, b])) => {
            let ((x, a), (y, b)) = (apart(editor, a, depth), apart(editor, b, depth));
            let rest = match (a, b) {
                (Some(a), Some(b))
                    if x == 0 && y == 0 && inst.as_ref().is_some_and(|inst| inst.args[..] == [a, b]) =>
                {
                    Some(value)
                }
                (Some(a), Some(b)) => Some(editor.value(Op::IAdd, &[a, b])),
                (one, other) => one.or(other),
            };
            (x.wrapping_add(y), rest)
        }
        _ => (0, Some(value)),
    }
}

/// What a bank can have.
const BANK_BYTES: u32 = 0x1_0000;

/// Whether a mask is that of the offsets in a bank.
fn is_bank_mask(editor: &Editor<'_>, mask: Value) -> bool {
    editor.constant(mask).is_some_and(|mask| mask | 0xF == 0xFFFF)
}

/// An offset in a bank without the mask that makes it one.
fn without_mask(editor: &Editor<'_>, bytes: Value) -> Value {
    let masked = editor.definition(bytes).and_then(|inst| match (inst.op, &inst.args[..]) {
        (Op::And, &[a, mask]) if is_bank_mask(editor, mask) => Some(a),
        _ => None,
    });
    masked.unwrap_or(bytes)
}

/// Low bits of a value that are always zero, as far as 16 of them go.
fn zeros(editor: &Editor<'_>, value: Value, depth: u32) -> u32 {
    let Some(depth) = depth.checked_sub(1) else { return 0 };
    let Some(inst) = editor.definition(value) else { return 0 };
    match (inst.op, &inst.args[..]) {
        (Op::B32(bits), _) => bits.trailing_zeros().min(16),
        (Op::And, &[a, mask]) if is_bank_mask(editor, mask) => zeros(editor, a, depth),
        (Op::Shl, &[a, by]) => match editor.constant(by) {
            Some(by) if by < 16 => (zeros(editor, a, depth) + by).min(16),
            _ => 0,
        },
        (Op::IAdd | Op::ISub, &[a, b]) => zeros(editor, a, depth).min(zeros(editor, b, depth)),
        (Op::IMul, &[a, b]) => (zeros(editor, a, depth) + zeros(editor, b, depth)).min(16),
        _ => 0,
    }
}

/// A value without its lowest bits, which are zero. What is added as a constant goes into `fixed`; none: that is all.
fn lowered(editor: &mut Editor<'_>, value: Value, by: u32, fixed: &mut i32, depth: u32) -> Option<Value> {
    if by == 0 {
        return Some(value);
    }
    if let Some(bits) = editor.constant(value) {
        *fixed = fixed.wrapping_add(bits as i32 >> by);
        return None;
    }
    let depth = depth.saturating_sub(1);
    let inst = editor.definition(value).cloned();
    match inst.as_ref().map(|inst| (inst.op, &inst.args[..])) {
        Some((Op::IAdd, &[a, b])) if depth > 0 => {
            let a = lowered(editor, a, by, fixed, depth);
            let b = lowered(editor, b, by, fixed, depth);
            match (a, b) {
                (Some(a), Some(b)) => Some(editor.value(Op::IAdd, &[a, b])),
                (one, other) => one.or(other),
            }
        }
        Some((Op::And, &[a, mask])) if depth > 0 && is_bank_mask(editor, mask) => {
            lowered(editor, a, by, fixed, depth)
        }
        Some((Op::Shl, &[a, shift])) if depth > 0 => {
            let shift = editor.constant(shift).unwrap_or(0);
            if shift >= by {
                if shift == by {
                    return Some(a);
                }
                let rest = editor.bits(shift - by);
                return Some(editor.value(Op::Shl, &[a, rest]));
            }
            let mut inner = 0;
            let lower = lowered(editor, a, by - shift, &mut inner, depth);
            *fixed = fixed.wrapping_add(inner);
            lower
        }
        Some((Op::IMul, &[a, b])) if depth > 0 => {
            let (a, factor) = match (editor.constant(a), editor.constant(b)) {
                (_, Some(bits)) => (a, bits),
                (Some(bits), _) => (b, bits),
                _ => return Some(shift_down(editor, value, by)),
            };
            if factor.trailing_zeros() < by {
                return Some(shift_down(editor, value, by));
            }
            let factor = editor.bits((factor as i32 >> by) as u32);
            Some(editor.value(Op::IMul, &[a, factor]))
        }
        _ => Some(shift_down(editor, value, by)),
    }
}

fn shift_down(editor: &mut Editor<'_>, value: Value, by: u32) -> Value {
    let by = editor.bits(by);
    editor.value(Op::ShrS, &[value, by])
}
