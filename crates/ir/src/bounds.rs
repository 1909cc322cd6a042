//! The most that a word can be, as far as the operations that make it show.

use crate::{Function, Op, Value};
use std::cell::Cell;

/// Values that are looked at.
const MOST_VALUES: u32 = 256;

/// The most that a word is as an unsigned number, if that is below 2^31; as a signed one it is no less than zero then.
pub fn most(function: &Function, value: Value) -> Option<u32> {
    of(function, value, &Cell::new(MOST_VALUES))
}

fn of(function: &Function, value: Value, left: &Cell<u32>) -> Option<u32> {
    left.set(left.get().checked_sub(1)?);
    let inst = function.definition(value)?;
    let constant = |value: Value| match function.definition(value)?.op {
        Op::B32(bits) => Some(bits),
        _ => None,
    };
    let of = |value: Value| of(function, value, left);
    let found = match (inst.op, &inst.args[..]) {
        (Op::B32(bits), _) => Some(bits),
        (Op::BToI, _) => Some(1),
        // Either is enough.
        (Op::And | Op::UMin, &[a, b]) => match (of(a), of(b)) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (one, other) => one.or(other),
        },
        // The other may be below zero.
        (Op::SMin, &[a, b]) => match (of(a), of(b)) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (Some(least), None) if is_above_zero(function, b, left) => Some(least),
            (None, Some(least)) if is_above_zero(function, a, left) => Some(least),
            _ => None,
        },
        (Op::SMax, &[a, b]) => {
            let high = |value: Value| of(value).or_else(|| highest(function, value, left));
            match (of(a), of(b)) {
                (Some(low), _) => high(b).map(|most| most.max(low)),
                (_, Some(low)) => high(a).map(|most| most.max(low)),
                _ => None,
            }
        }
        (Op::UMax | Op::Or | Op::Xor, &[a, b]) => {
            let (a, b) = (of(a)?, of(b)?);
            if inst.op == Op::UMax {
                Some(a.max(b))
            } else {
                (a | b).checked_next_power_of_two()?.checked_mul(2)
            }
        }
        (Op::IAdd, &[a, b]) => of(a)?.checked_add(of(b)?),
        (Op::IMul, &[a, b]) => of(a)?.checked_mul(of(b)?),
        (Op::Shl, &[a, by]) => of(a)?.checked_mul(1_u32.checked_shl(constant(by)?)?),
        (Op::ShrU | Op::ShrS, &[a, by]) => of(a)?.checked_shr(constant(by)?),
        (Op::UBitExtract, &[_, _, count]) => match constant(count)? {
            count @ 0..=30 => Some((1 << count) - 1),
            _ => None,
        },
        (Op::BitInsert, &[base, _, first, count]) => {
            let field = 1_u32.checked_shl(constant(count)?)?.wrapping_sub(1);
            let below = of(base)?.checked_add(1)?.checked_next_power_of_two()?;
            Some((below - 1) | field.checked_shl(constant(first)?)?)
        }
        (Op::URem, &[_, by]) => constant(by)?.checked_sub(1),
        (Op::Select, &[_, a, b]) => Some(of(a)?.max(of(b)?)),
        _ => None,
    };
    found.filter(|most| *most < 1 << 31)
}

/// Whether a word is no less than zero as a signed number: it is the larger of two of which one is.
fn is_above_zero(function: &Function, value: Value, left: &Cell<u32>) -> bool {
    let Some(inst) = function.definition(value) else { return false };
    match (inst.op, &inst.args[..]) {
        (Op::SMax, &[a, b]) => of(function, a, left).is_some() || of(function, b, left).is_some(),
        _ => false,
    }
}

/// The most that a word is as a signed number that may be below zero.
fn highest(function: &Function, value: Value, left: &Cell<u32>) -> Option<u32> {
    let inst = function.definition(value)?;
    match (inst.op, &inst.args[..]) {
        (Op::SMin, &[a, b]) => match (of(function, a, left), of(function, b, left)) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (one, other) => one.or(other),
        },
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::build::FunctionBuilder;
    use crate::{Access, Space};

    fn bound(make: impl Fn(&mut FunctionBuilder, Value) -> Value) -> Option<u32> {
        let mut builder = FunctionBuilder::new("main");
        let access = Access { space: Space::Input, binding: 0, offset: 0, stride: 0 };
        let any = builder.value(Op::Load(access), &[]);
        let value = make(&mut builder, any);
        builder.returns(&[]);
        most(&builder.finish(), value)
    }

    #[test]
    fn indices_have_bounds_where_the_code_shows_them() {
        let with = |op: Op, bits: u32| {
            bound(move |builder, any| {
                let bits = builder.bits(bits);
                builder.value(op, &[any, bits])
            })
        };
        assert_eq!(with(Op::And, 3), Some(3));
        assert_eq!(with(Op::UMin, 5), Some(5));
        // As a signed number it may be anything below.
        assert_eq!(with(Op::SMin, 5), None);
        assert_eq!(with(Op::SMax, 0), None);
        assert_eq!(with(Op::And, 1 << 31), None);
        assert_eq!(with(Op::IAdd, 1), None);
        let inserted = bound(|builder, any| {
            let [base, first, count] = [4, 5, 2].map(|bits| builder.bits(bits));
            builder.value(Op::BitInsert, &[base, any, first, count])
        });
        assert_eq!(inserted, Some(0x67));
        let clamped = |first: Op, second: Op, low_first: bool| {
            bound(move |builder, any| {
                let (low, high) = (builder.bits(0), builder.bits(2));
                let (one, other) = if low_first { (low, high) } else { (high, low) };
                let inner = builder.value(first, &[any, one]);
                builder.value(second, &[inner, other])
            })
        };
        assert_eq!(clamped(Op::SMax, Op::SMin, true), Some(2));
        assert_eq!(clamped(Op::SMin, Op::SMax, false), Some(2));
        let bytes = bound(|builder, any| {
            let [mask, two] = [7, 2].map(|bits| builder.bits(bits));
            let masked = builder.value(Op::And, &[any, mask]);
            let up = builder.value(Op::Shl, &[masked, two]);
            builder.value(Op::ShrS, &[up, two])
        });
        assert_eq!(bytes, Some(7));
    }
}
