//! Divisions by constants, which compilers spell as the high half of a product: `umulhigh(x, 0xCCCCCCCD) >> 2` is
//! `x / 5`, and `x - x / 5 * 5` is `x % 5`.
//!
//! That the quotient is the same for every number of 32 bits is proved from the constant: with `m * d = 2^k + e` and
//! `0 <= e <= 2^(k - 32)`, the whole part of `x * m / 2^k` is that of `x / d`.

use super::Changes;
use super::edit::constant;
use crate::{Function, InstId, Module, Op, Origin, Type, Value};
use smallvec::smallvec;

pub(super) fn run(module: &mut Module) -> Changes {
    module.functions.iter_mut().map(find_all).sum::<usize>().into()
}

fn find_all(function: &mut Function) -> usize {
    let mut count = 0;
    for block in 0..function.blocks.len() {
        let old = std::mem::take(&mut function.blocks[block].insts);
        let mut list: Vec<InstId> = Vec::with_capacity(old.len());
        for id in old {
            if let Some((x, divisor)) = quotient(function, id) {
                let nowhere = Origin { instruction: u32::MAX, step: 0, lane: 0 };
                let made = function.push_inst(Op::B32(divisor), &[], &[Type::B32], nowhere);
                list.push(made);
                let divisor = function.result(made, 0);
                let inst = &mut function.insts[id.index()];
                (inst.op, inst.args) = (Op::UDiv, smallvec![x, divisor]);
                count += 1;
            } else if let Some((op, x, divisor)) = remainder(function, id) {
                let inst = &mut function.insts[id.index()];
                (inst.op, inst.args) = (op, smallvec![x, divisor]);
                count += 1;
            }
            list.push(id);
        }
        function.blocks[block].insts = list;
    }
    count
}

fn word(function: &Function, value: Value) -> Option<u32> {
    (function.ty(value) == Type::B32).then(|| constant(function, value))?.map(|bits| bits as u32)
}

/// The operands of a value that an operation makes.
fn args(function: &Function, value: Value, op: Op) -> Option<(Value, Value)> {
    let inst = function.definition(value).filter(|inst| inst.op == op)?;
    match inst.args[..] {
        [a, b] => Some((a, b)),
        _ => None,
    }
}

/// What is multiplied with a constant, of which only the high half is left.
fn high_half(function: &Function, value: Value) -> Option<(Value, u32)> {
    let (a, b) = args(function, value, Op::UMulHigh)?;
    if function.ty(a) != Type::B32 {
        return None;
    }
    match (word(function, a), word(function, b)) {
        (None, Some(by)) => Some((a, by)),
        (Some(by), None) => Some((b, by)),
        _ => None,
    }
}

/// What an instruction divides, and by what.
fn quotient(function: &Function, id: InstId) -> Option<(Value, u32)> {
    let inst = &function.insts[id.index()];
    let (op, result) = (inst.op, *inst.results.first()?);
    let (inside, shift) = match (op, &inst.args[..]) {
        (Op::ShrU, &[inside, by]) => (inside, word(function, by).filter(|by| *by < 32)?),
        (Op::UMulHigh, _) => (result, 0),
        _ => return None,
    };
    if let Some((x, by)) = high_half(function, inside) {
        return Some((x, divisor(u128::from(by), 32 + shift)?));
    }
    // The constant has 33 bits: high + ((x - high) >> 1).
    let (a, b) = args(function, inside, Op::IAdd)?;
    [(a, b), (b, a)].into_iter().find_map(|(high, half)| {
        let (x, by) = high_half(function, high)?;
        let (rest, one) = args(function, half, Op::ShrU)?;
        let fits = args(function, rest, Op::ISub) == Some((x, high)) && word(function, one) == Some(1);
        if fits { Some((x, divisor(u128::from(by) + (1 << 32), 33 + shift)?)) } else { None }
    })
}

/// The number that a division by `2^k / multiplier` divides by, for every word.
fn divisor(multiplier: u128, k: u32) -> Option<u32> {
    let power = 1u128 << k;
    let divisor = power.checked_add(multiplier.checked_sub(1)?)? / multiplier;
    let over = multiplier.checked_mul(divisor)?.checked_sub(power)?;
    let exact = over <= 1 << (k - 32);
    u32::try_from(divisor).ok().filter(|divisor| exact && *divisor > 1 && !divisor.is_power_of_two())
}

/// `x - x / d * d`.
fn remainder(function: &Function, id: InstId) -> Option<(Op, Value, Value)> {
    let inst = &function.insts[id.index()];
    let (Op::ISub, &[x, multiple]) = (inst.op, &inst.args[..]) else { return None };
    let (a, b) = args(function, multiple, Op::IMul)?;
    [(a, b), (b, a)].into_iter().find_map(|(ratio, by)| {
        let known = word(function, by).filter(|by| *by != 0)?;
        [(Op::UDiv, Op::URem), (Op::SDiv, Op::SRem)].into_iter().find_map(|(division, remainder)| {
            let (dividend, divisor) = args(function, ratio, division)?;
            let same = dividend == x && word(function, divisor) == Some(known);
            same.then_some((remainder, x, divisor))
        })
    })
}

#[cfg(test)]
mod tests {
    use super::super::testing::{assert_same, program, simplified};
    use super::*;
    use crate::build::FunctionBuilder;

    /// `x / d` as compilers spell it, with a constant of 32 or 33 bits.
    fn spelled(builder: &mut FunctionBuilder, x: Value, by: u32, shift: u32, wide: bool) -> Value {
        let (by, shift, one) = (builder.bits(by), builder.bits(shift), builder.bits(1));
        let high = builder.value(Op::UMulHigh, &[x, by]);
        if !wide {
            return builder.value(Op::ShrU, &[high, shift]);
        }
        let rest = builder.value(Op::ISub, &[x, high]);
        let half = builder.value(Op::ShrU, &[rest, one]);
        let sum = builder.value(Op::IAdd, &[half, high]);
        builder.value(Op::ShrU, &[sum, shift])
    }

    #[test]
    fn high_halves_are_quotients() {
        for (by, shift, wide, divisor) in [
            (0xCCCC_CCCD, 2, false, 5),
            (0xAAAA_AAAB, 1, false, 3),
            (0x2492_4925, 2, true, 7),
            (0x9999_999A, 2, true, 5),
            (0x51EB_851F, 5, false, 100),
        ] {
            let before = program(|builder, x| {
                let ratio = spelled(builder, x[0], by, shift, wide);
                let known = builder.bits(divisor);
                let multiple = builder.value(Op::IMul, &[ratio, known]);
                vec![ratio, builder.value(Op::ISub, &[x[0], multiple])]
            });
            let mut after = before.clone();
            assert_eq!(run(&mut after).count, 2, "{divisor}");
            let text = simplified(&mut after);
            assert!(text.contains("udiv") && text.contains("urem") && !text.contains("mulh"), "{text}");
            assert_same(&before, &after, u64::from(divisor));
        }
    }

    #[test]
    fn what_is_no_quotient_stays() {
        // One less than the constant for 3; half of a constant of 33 bits.
        for (by, shift, wide) in [(0xAAAA_AAA9, 1, false), (0x2492_4925, 2, false)] {
            let mut module = program(|builder, x| vec![spelled(builder, x[0], by, shift, wide)]);
            assert_eq!(run(&mut module).count, 0, "{by:x}");
        }
    }
}
