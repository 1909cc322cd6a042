//! What compilers for this machine write for what a person writes otherwise: passes of readable mode.

use super::super::spaces::{ATTRIBUTE_BINDING, POSITION_W};
use super::resolve::{Editor, rewrite};
use unshade_ir::passes::{Changes, Pass};
use unshade_ir::{Access, Inst, InstId, Module, Op, Space, Value};

/// The passes, in order; they come before those that all machines share.
pub const PASSES: &[Pass] = &[
    Pass { name: "perspective", run: |module| assume(rewrite(module, perspective), W_IS_NOT_ZERO) },
    Pass { name: "addresses", run: |module| assume(addresses(module), INSIDE) },
];

/// What must hold where a pixel's input is taken with perspective.
const W_IS_NOT_ZERO: &str = "w of positions is not zero";
/// What must hold where addresses become indices.
const INSIDE: &str = "addresses stay inside of what they address";

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
    let own = Access {
        space: Space::Input,
        binding: ATTRIBUTE_BINDING,
        offset: POSITION_W / 4,
        stride: 0,
    };
    [(a, b), (b, a)].into_iter().find_map(|(divided, reciprocal)| {
        let inst = editor.definition(reciprocal)?;
        let (Op::FRcp(_), &[w]) = (inst.op, &inst.args[..]) else { return None };
        if editor.definition(w)?.op != Op::Load(own) {
            return None;
        }
        product(divided)?.into_iter().find_map(|(value, by)| (by == w).then_some(value))
    })
}

/// Words that are found by a byte address, `(i << 4) >> 2` words further on: the index is `i`, the step four words.
fn addresses(module: &mut Module) -> usize {
    let mut count = 0;
    rewrite(module, |editor, id, inst| {
        if let Op::Texture(unshade_ir::Texture { indexed: true, .. }) = inst.op {
            handle_index(editor, id, *inst.args.first()?);
            return None;
        }
        let (Op::Load(access) | Op::Store(access) | Op::Atomic(_, access)) = inst.op else { return None };
        if access.stride != 1 || access.space == Space::Global {
            return None;
        }
        let bytes = shifted_down(editor, *inst.args.first()?)?;
        let zeros = zeros(editor, bytes, DEPTH);
        if zeros < 2 {
            return None;
        }
        let mut fixed = 0;
        let index = lowered(editor, bytes, zeros, &mut fixed, DEPTH);
        let step = 1_u32 << (zeros - 2);
        let offset = i64::from(access.offset) + i64::from(fixed) * i64::from(step);
        let offset = u32::try_from(offset).ok()?;
        let index = index?;
        let place = Access { offset, stride: step, ..access };
        let inst = editor.function.insts.get_mut(id.index())?;
        *inst.args.first_mut()? = index;
        inst.op = match inst.op {
            Op::Store(_) => Op::Store(place),
            Op::Atomic(op, _) => Op::Atomic(op, place),
            _ => Op::Load(place),
        };
        None
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
        (Op::ShrS, &[bytes, by]) if editor.constant(by) == Some(2) => Some(without_mask(editor, bytes)),
        _ => None,
    }
}

/// An offset in a bank without the mask that makes it one.
fn without_mask(editor: &Editor<'_>, bytes: Value) -> Value {
    let masked = editor.definition(bytes).and_then(|inst| match (inst.op, &inst.args[..]) {
        (Op::And, &[a, mask]) if editor.constant(mask) == Some(0xFFFF) => Some(a),
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
