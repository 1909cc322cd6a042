//! Integer arithmetic that the machine does in pieces, put together again. Every replacement gives the same bits for
//! every input.

use super::super::super::spaces::SPECIAL_BINDING;
use super::Editor;
use unshade_ir::{Access, CompareInt, Inst, InstId, Op, Space, Value};

/// What stands for an instruction.
pub(super) fn better(editor: &mut Editor<'_>, _: InstId, inst: &Inst) -> Option<Value> {
    match (inst.op, &inst.args[..]) {
        (Op::IAdd, &[a, b]) => product(editor, a, b)
            .or_else(|| product(editor, b, a))
            .or_else(|| small_product(editor, a, b))
            .or_else(|| small_product(editor, b, a)),
        (Op::ISub, &[a, b]) => {
            signed_quotient(editor, a, b).or_else(|| remainder(editor, a, b))
        }
        (Op::ShrU, &[a, b]) => {
            if editor.constant(b) == Some(16)
                && let Some((_, high)) = two_halves(editor, a)
            {
                let mask = editor.bits(0xFFFF);
                return Some(editor.value(Op::And, &[high, mask]));
            }
            unsigned_quotient(editor, a, b)
        }
        (Op::UBitExtract, &[a, first, count]) => field(editor, a, first, count),
        (Op::And, &[a, b]) => {
            let (a, mask) = with_constant(editor, a, b)?;
            if bound(editor, a, DEPTH) <= mask && mask.wrapping_add(1).is_power_of_two() {
                return Some(a);
            }
            if mask == 0xFFFF
                && let Some((low, _)) = two_halves(editor, a)
            {
                return Some(editor.value(Op::And, &[low, b]));
            }
            packed(editor, a, 0, mask.trailing_ones()).filter(|_| mask == 0xFFFF)
        }
        (Op::ICompare(CompareInt::Eq), &[a, b]) => {
            let (a, bits) = with_constant(editor, a, b)?;
            (bound(editor, a, DEPTH) < bits).then(|| editor.value(Op::Bool(false), &[]))
        }
        _ => None,
    }
}

/// Values that are followed.
const DEPTH: u32 = 8;

/// A number that a value is never above, unsigned.
fn bound(editor: &Editor<'_>, value: Value, depth: u32) -> u32 {
    let Some(depth) = depth.checked_sub(1) else { return u32::MAX };
    let Some(inst) = editor.definition(value) else { return u32::MAX };
    match (inst.op, &inst.args[..]) {
        (Op::B32(bits), _) => bits,
        (Op::And, &[a, b]) => bound(editor, a, depth).min(bound(editor, b, depth)),
        (Op::UMin, &[a, b]) => bound(editor, a, depth).min(bound(editor, b, depth)),
        (Op::UBitExtract, &[_, _, count]) => match editor.constant(count) {
            Some(count) if count < 32 => (1 << count) - 1,
            _ => u32::MAX,
        },
        (Op::ShrU, &[a, by]) => match editor.constant(by) {
            Some(by) if by < 32 => bound(editor, a, depth) >> by,
            _ => u32::MAX,
        },
        (Op::BToI, _) => 1,
        _ => u32::MAX,
    }
}

/// What was put into the halves of a word: `BFI d, high, 0x1010, low`.
fn two_halves(editor: &Editor<'_>, value: Value) -> Option<(Value, Value)> {
    let inst = editor.definition(value)?;
    let (Op::BitInsert, &[low, high, first, count]) = (inst.op, &inst.args[..]) else { return None };
    let whole = editor.constant(first) == Some(16) && editor.constant(count) == Some(16);
    whole.then_some((low, high))
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

/// What is masked by a constant.
fn masked(editor: &Editor<'_>, value: Value, mask: u32) -> Option<Value> {
    let (a, b) = operands(editor, value, Op::And)?;
    let (a, bits) = with_constant(editor, a, b)?;
    (bits == mask).then_some(a)
}

/// Both factors of a product, in both orders.
fn factors(editor: &Editor<'_>, value: Value) -> Option<[(Value, Value); 2]> {
    let (a, b) = operands(editor, value, Op::IMul)?;
    Some([(a, b), (b, a)])
}

/// A sum that a product may be the whole of: `low * low`, and what else is added.
fn low_product(editor: &Editor<'_>, value: Value) -> Option<(Value, Value, Option<Value>)> {
    let both = |value: Value| {
        let (a, b) = operands(editor, value, Op::IMul)?;
        Some((masked(editor, a, 0xFFFF)?, masked(editor, b, 0xFFFF)?))
    };
    if let Some((a, b)) = both(value) {
        return Some((a, b, None));
    }
    let (x, y) = operands(editor, value, Op::IAdd)?;
    if let Some((a, b)) = both(x) {
        return Some((a, b, Some(y)));
    }
    both(y).map(|(a, b)| (a, b, Some(x)))
}

/// `XMAD t, a, b, c; XMAD.MRG u, a, b.H1, RZ; XMAD.PSL.CBCC d, a.H1, u.H1, t`: `a * b + c`.
fn product(editor: &mut Editor<'_>, high: Value, rest: Value) -> Option<Value> {
    let high = shifted(editor, high, Op::Shl, 16)?;
    let (t, up) = operands(editor, rest, Op::IAdd)?;
    for (t, up) in [(t, up), (up, t)] {
        let Some(u) = shifted(editor, up, Op::Shl, 16) else { continue };
        let Some((x, y, c)) = low_product(editor, t) else { continue };
        for (a, b) in [(x, y), (y, x)] {
            let upper = |value: Value, of: Value| shifted(editor, value, Op::ShrU, 16) == Some(of);
            let is_high =
                factors(editor, high)?.into_iter().any(|(p, q)| upper(p, a) && upper(q, u));
            if is_high && is_merged(editor, u, a, b) {
                let product = editor.value(Op::IMul, &[a, b]);
                return Some(match c {
                    Some(c) => editor.value(Op::IAdd, &[product, c]),
                    None => product,
                });
            }
        }
    }
    None
}

/// `(a.low * b.high & 0xffff) | b << 16`.
fn is_merged(editor: &Editor<'_>, u: Value, a: Value, b: Value) -> bool {
    let Some((x, y)) = operands(editor, u, Op::Or) else { return false };
    [(x, y), (y, x)].into_iter().any(|(low, high)| {
        let cross = masked(editor, low, 0xFFFF).and_then(|product| factors(editor, product));
        let is_cross = cross.is_some_and(|cross| {
            cross.into_iter().any(|(p, q)| {
                masked(editor, p, 0xFFFF) == Some(a) && shifted(editor, q, Op::ShrU, 16) == Some(b)
            })
        });
        is_cross && shifted(editor, high, Op::Shl, 16) == Some(b)
    })
}

/// `XMAD t, a, k, c; XMAD.PSL d, a.H1, k, t` with a factor of 16 bits: `a * k + c`.
fn small_product(editor: &mut Editor<'_>, high: Value, rest: Value) -> Option<Value> {
    let high = shifted(editor, high, Op::Shl, 16)?;
    let part = |value: Value| {
        factors(editor, value)?
            .into_iter()
            .find_map(|(a, k)| Some((masked(editor, a, 0xFFFF)?, k)).filter(|(_, k)| is_small(editor, *k)))
    };
    let (a, k, c) = match part(rest) {
        Some((a, k)) => (a, k, None),
        None => {
            let (x, y) = operands(editor, rest, Op::IAdd)?;
            match (part(x), part(y)) {
                (Some((a, k)), _) => (a, k, Some(y)),
                (None, Some((a, k))) => (a, k, Some(x)),
                (None, None) => return None,
            }
        }
    };
    let fits = factors(editor, high)?
        .into_iter()
        .any(|(p, q)| shifted(editor, p, Op::ShrU, 16) == Some(a) && q == k);
    if !fits {
        return None;
    }
    let product = editor.value(Op::IMul, &[a, k]);
    Some(match c {
        Some(c) => editor.value(Op::IAdd, &[product, c]),
        None => product,
    })
}

/// Whether a value is a constant or a half.
fn is_small(editor: &Editor<'_>, value: Value) -> bool {
    editor.constant(value).is_some_and(|bits| bits <= 0xFFFF) || masked(editor, value, 0xFFFF).is_some()
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
            if is_product(a, b) { (a, b, true) } else if is_product(b, a) { (b, a, true) } else { return None }
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

/// A field of bits of what was put together.
fn field(editor: &mut Editor<'_>, value: Value, first: Value, count: Value) -> Option<Value> {
    let (first, count) = (editor.constant(first)?, editor.constant(count)?);
    if let Some(found) = packed(editor, value, first, count) {
        return Some(found);
    }
    // `(x << n) >> n` of a field that the shift leaves whole.
    let (x, by) = operands(editor, value, Op::Shl)?;
    let by = editor.constant(by)?;
    if by != first || first.checked_add(count)? > 32 || count == 0 || count == 32 {
        return None;
    }
    let mask = editor.bits(u32::MAX >> (32 - count));
    Some(editor.value(Op::And, &[x, mask]))
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
