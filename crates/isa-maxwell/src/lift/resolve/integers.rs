//! Integer arithmetic that the machine does in pieces, put together again. Every replacement gives the same bits for
//! every input.

use super::super::super::address_map::SPECIAL_BINDING;
use super::Editor;
use unshade_ir::bounds::most;
use unshade_ir::{Access, CompareInt, Inst, InstId, Op, Space, Value};

/// What stands for an instruction.
pub(super) fn better(editor: &mut Editor<'_>, _: InstId, inst: &Inst) -> Option<Value> {
    match (inst.op, &inst.args[..]) {
        (Op::ISub, &[a, b]) => signed_quotient(editor, a, b).or_else(|| remainder(editor, a, b)),
        (Op::ShrU, &[a, b]) => unsigned_quotient(editor, a, b),
        // An offset that cannot leave its bank.
        (Op::ICompare(CompareInt::Ult), &[a, b]) => {
            let inside = most(editor.function, a)? < editor.constant(b)?;
            inside.then(|| editor.value(Op::Bool(true), &[]))
        }
        (Op::UBitExtract, &[a, first, count]) => {
            packed(editor, a, editor.constant(first)?, editor.constant(count)?)
        }
        (Op::And, &[a, b]) => {
            let (a, mask) = with_constant(editor, a, b)?;
            packed(editor, a, 0, mask.trailing_ones()).filter(|_| mask == 0xFFFF)
        }
        _ => None,
    }
}

/// A value and a constant, in either order.
fn with_constant(editor: &Editor<'_>, a: Value, b: Value) -> Option<(Value, u32)> {
    match (editor.constant(a), editor.constant(b)) {
        (_, Some(bits)) => Some((a, bits)),
        (Some(bits), _) => Some((b, bits)),
        _ => None,
    }
}

fn operands(editor: &Editor<'_>, value: Value, op: Op) -> Option<(Value, Value)> {
    let inst = editor.definition(value)?;
    match inst.args[..] {
        [a, b] if inst.op == op => Some((a, b)),
        _ => None,
    }
}

/// What is shifted by a constant.
fn shifted(editor: &Editor<'_>, value: Value, op: Op, by: u32) -> Option<Value> {
    let (a, b) = operands(editor, value, op)?;
    (editor.constant(b)? == by).then_some(a)
}

/// The divisor for which a product's upper half, shifted, is the quotient: of factor, shift, and by how much the
/// factor may be too large.
fn divisor(factor: u64, shift: u32, most_error: u64) -> Option<u32> {
    if shift > 31 || factor == 0 {
        return None;
    }
    let power = 1_u128 << (32 + shift);
    let factor = u128::from(factor);
    let divisor = power.div_ceil(factor).max(2);
    let error = factor.checked_mul(divisor)?.checked_sub(power)?;
    (error <= most_error.into() && error > 0).then(|| u32::try_from(divisor).ok()).flatten()
}

/// `(x * m >> 32 >> s) - (x < 0 ? -1 : 0)`: `x / d`.
fn signed_quotient(editor: &mut Editor<'_>, quotient: Value, sign: Value) -> Option<Value> {
    let (shifted, shift) = match operands(editor, quotient, Op::ShrS) {
        Some((value, by)) => (value, editor.constant(by)?),
        None => (quotient, 0),
    };
    let (product, x, adds) = match operands(editor, shifted, Op::IAdd) {
        Some((a, b)) => {
            let is_product = |value: Value, x: Value| {
                operands(editor, value, Op::SMulHigh).is_some_and(|(p, q)| p == x || q == x)
            };
            if is_product(a, b) {
                (a, b, true)
            } else if is_product(b, a) {
                (b, a, true)
            } else {
                return None;
            }
        }
        None => {
            let (p, q) = operands(editor, shifted, Op::SMulHigh)?;
            let (x, _) = with_constant(editor, p, q)?;
            (shifted, x, false)
        }
    };
    let (p, q) = operands(editor, product, Op::SMulHigh)?;
    let (factor_of, bits) = with_constant(editor, p, q)?;
    if factor_of != x || !is_sign(editor, sign, x) {
        return None;
    }
    let factor = i64::from(bits as i32) + if adds { 1 << 32 } else { 0 };
    let factor = u64::try_from(factor).ok()?;
    let divisor = divisor(factor, shift, 2 << shift).filter(|divisor| *divisor < 1 << 31)?;
    let divisor = editor.bits(divisor);
    Some(editor.value(Op::SDiv, &[x, divisor]))
}

/// All ones where `x` is negative.
fn is_sign(editor: &Editor<'_>, value: Value, x: Value) -> bool {
    if operands(editor, value, Op::ShrS).is_some_and(|(a, by)| a == x && editor.constant(by) == Some(31)) {
        return true;
    }
    let Some(inst) = editor.definition(value) else { return false };
    let (Op::Select, &[condition, all, none]) = (inst.op, &inst.args[..]) else { return false };
    let negative = operands(editor, condition, Op::ICompare(CompareInt::Slt))
        .is_some_and(|(a, b)| a == x && editor.constant(b) == Some(0));
    negative && editor.constant(all) == Some(u32::MAX) && editor.constant(none) == Some(0)
}

/// `x * m >> 32 >> s`: `x / d`.
fn unsigned_quotient(editor: &mut Editor<'_>, product: Value, by: Value) -> Option<Value> {
    let shift = editor.constant(by)?;
    let (p, q) = operands(editor, product, Op::UMulHigh)?;
    let (x, factor) = with_constant(editor, p, q)?;
    let divisor = divisor(factor.into(), shift, 1_u64.checked_shl(shift)?)?;
    let divisor = editor.bits(divisor);
    Some(editor.value(Op::UDiv, &[x, divisor]))
}

/// `x - x / d * d`: `x % d`.
fn remainder(editor: &mut Editor<'_>, x: Value, whole: Value) -> Option<Value> {
    let (p, q) = operands(editor, whole, Op::IMul)?;
    let (quotient, divisor) = with_constant(editor, p, q)?;
    for (division, left) in [(Op::SDiv, Op::SRem), (Op::UDiv, Op::URem)] {
        if let Some((a, b)) = operands(editor, quotient, division)
            && a == x
            && editor.constant(b) == Some(divisor)
            && divisor != 0
        {
            return Some(editor.value(left, &[x, b]));
        }
    }
    None
}

/// A place in the work group out of the register that holds all three: 16, 10 and 6 bits.
fn packed(editor: &Editor<'_>, value: Value, first: u32, count: u32) -> Option<Value> {
    let (both, z) = operands(editor, value, Op::Or)?;
    let (x, y) = operands(editor, both, Op::Or)?;
    let (y, z) = (shifted(editor, y, Op::Shl, 16)?, shifted(editor, z, Op::Shl, 26)?);
    let is = |value: Value, word: u32| {
        let own = Access { space: Space::Input, binding: SPECIAL_BINDING, offset: word, stride: 0 };
        editor.definition(value).is_some_and(|inst| inst.op == Op::Load(own))
    };
    if !is(x, 33) || !is(y, 34) || !is(z, 35) {
        return None;
    }
    match (first, count) {
        (0, 16) => Some(x),
        (16, 10) => Some(y),
        (26, 6) => Some(z),
        _ => None,
    }
}
