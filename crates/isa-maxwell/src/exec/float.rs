//! Arithmetic of floats. Sums and products are made in binary64, where those of binary32 and binary16 are exact but
//! for the last bit, which then says that something was lost ("rounding to odd": such a number rounds to 24 bits or
//! fewer as the exact one does). Binary64 itself goes through the IR's operations.

use crate::operation::{CompareFloat, Denormals, Rounding};
use std::cmp::Ordering;
use unshade_ir::exec::evaluate;
use unshade_ir::{FloatMode, MinMax, Multiply, Op, Round, Type, Width};

/// No number.
const NAN: u32 = 0x7fc0_0000;

/// The IR's rounding.
pub(super) fn round(rounding: Rounding) -> Round {
    match rounding {
        Rounding::Nearest => Round::Nearest,
        Rounding::Down => Round::Down,
        Rounding::Up => Round::Up,
        Rounding::Zero => Round::Zero,
    }
}

/// Zero of the same sign for a denormal binary32.
#[inline]
pub(super) fn flushed(bits: u32, flush: bool) -> u32 {
    if flush && bits & 0x7f80_0000 == 0 { bits & 0x8000_0000 } else { bits }
}

#[inline]
pub(super) fn single(bits: u32, flush: bool) -> f64 {
    f64::from(f32::from_bits(flushed(bits, flush)))
}

/// A binary16 as a number.
pub(super) fn half(bits: u32, flush: bool) -> f64 {
    let bits = bits & 0xffff;
    let bits = if flush && bits & 0x7c00 == 0 { bits & 0x8000 } else { bits };
    let wide = evaluate(&Op::FConvert(Width::F16, FloatMode::F32), Type::B16, &[bits.into()]);
    f64::from(f32::from_bits(wide.unwrap_or_default() as u32))
}

/// A number rounded to binary32.
#[inline]
pub(super) fn to_single(value: f64, flush: bool, rounding: Rounding) -> u32 {
    let bits = if value.is_nan() {
        NAN
    } else if rounding == Rounding::Nearest {
        (value as f32).to_bits()
    } else {
        convert(value, FloatMode { width: Width::F32, flush: false, round: round(rounding) })
    };
    flushed(bits, flush)
}

/// A number rounded to binary16, to nearest.
pub(super) fn to_half(value: f64, flush: bool) -> u32 {
    convert(value, FloatMode { width: Width::F16, flush, round: Round::Nearest })
}

fn convert(value: f64, mode: FloatMode) -> u32 {
    let bits = value.to_bits();
    evaluate(&Op::FConvert(Width::F64, mode), Type::B64, &[bits]).unwrap_or_default() as u32
}

/// `a + b`, rounded to odd. A sum of zero is negative where rounding goes down.
#[inline]
pub(super) fn sum(a: f64, b: f64, rounding: Rounding) -> f64 {
    let near = a + b;
    if near == 0.0 && rounding == Rounding::Down && a.is_sign_negative() != b.is_sign_negative() {
        return -0.0;
    }
    if !near.is_finite() {
        return near;
    }
    let part = near - a;
    let rest = (a - (near - part)) + (b - part);
    if rest == 0.0 || near.to_bits() & 1 == 1 {
        return near;
    }
    // Between two neighbours, of which one is odd: the one towards the exact sum.
    if (rest > 0.0) == (near > 0.0) {
        f64::from_bits(near.to_bits() + 1)
    } else {
        f64::from_bits(near.to_bits() - 1)
    }
}

/// `a * b`, exact for factors of 24 bits; zero wins where the mode says so.
#[inline]
pub(super) fn product(a: f64, b: f64, denormals: Denormals) -> f64 {
    if denormals == Denormals::FlushZeroWins && (a == 0.0 || b == 0.0) { 0.0 } else { a * b }
}

/// Clamped to 0..1: no number and negative zero become zero.
pub(super) fn saturated(bits: u32) -> u32 {
    let value = f32::from_bits(bits);
    if value > 0.0 { value.min(1.0).to_bits() } else { 0 }
}

/// The smaller or the larger of two numbers; no number loses, -0 is below +0.
pub(super) fn extremum(least: bool, a: u32, b: u32, flush: bool) -> u32 {
    let mode = FloatMode { flush, ..FloatMode::F32 };
    binary(if least { Op::FMin(mode, MinMax::Number) } else { Op::FMax(mode, MinMax::Number) }, a, b)
}

fn binary(op: Op, a: u32, b: u32) -> u32 {
    evaluate(&op, Type::B32, &[a.into(), b.into()]).unwrap_or_default() as u32
}

/// A function of the IR of one binary32, to nearest, denormals as zero.
pub(super) fn function(op: impl Fn(FloatMode) -> Op, a: u32) -> u32 {
    let mode = FloatMode { flush: true, ..FloatMode::F32 };
    evaluate(&op(mode), Type::B32, &[a.into()]).unwrap_or_default() as u32
}

/// A function of the IR of one binary64 of which the upper half is given; the upper half of the result.
pub(super) fn function_high(op: impl Fn(FloatMode) -> Op, high: u32) -> u32 {
    let mode = FloatMode { width: Width::F64, ..FloatMode::F32 };
    (evaluate(&op(mode), Type::B64, &[u64::from(high) << 32]).unwrap_or_default() >> 32) as u32
}

fn double_mode(rounding: Rounding) -> FloatMode {
    FloatMode { width: Width::F64, flush: false, round: round(rounding) }
}

pub(super) fn double_sum(a: u64, b: u64, rounding: Rounding) -> u64 {
    evaluate(&Op::FAdd(double_mode(rounding)), Type::B64, &[a, b]).unwrap_or_default()
}

pub(super) fn double_product(a: u64, b: u64, rounding: Rounding) -> u64 {
    evaluate(&Op::FMul(double_mode(rounding), Multiply::Ieee), Type::B64, &[a, b]).unwrap_or_default()
}

pub(super) fn double_fused(a: u64, b: u64, c: u64, rounding: Rounding) -> u64 {
    evaluate(&Op::FFma(double_mode(rounding), Multiply::Ieee), Type::B64, &[a, b, c]).unwrap_or_default()
}

pub(super) fn double_extremum(least: bool, a: u64, b: u64) -> u64 {
    let mode = double_mode(Rounding::Nearest);
    let op = if least { Op::FMin(mode, MinMax::Number) } else { Op::FMax(mode, MinMax::Number) };
    evaluate(&op, Type::B64, &[a, b]).unwrap_or_default()
}

/// Whether a comparison holds.
pub(super) fn compare(compare: CompareFloat, a: f64, b: f64) -> bool {
    match a.partial_cmp(&b) {
        Some(Ordering::Less) => compare.less,
        Some(Ordering::Equal) => compare.equal,
        Some(Ordering::Greater) => compare.greater,
        None => compare.unordered,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn same(a: u32, b: f32) -> bool {
        a == b.to_bits() || f32::from_bits(a).is_nan() && b.is_nan()
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(20_000))]
        /// Rounding to odd and then to 24 bits is rounding once.
        #[test]
        fn sums_round_once(a: u32, b: u32, c: u32) {
            let (x, y, z) = (f32::from_bits(a), f32::from_bits(b), f32::from_bits(c));
            let [p, q, r] = [a, b, c].map(|bits| single(bits, false));
            let nearest = Rounding::Nearest;
            prop_assert!(same(to_single(sum(p, q, nearest), false, nearest), x + y));
            let fused = sum(product(p, q, Denormals::Keep), r, nearest);
            prop_assert!(same(to_single(fused, false, nearest), x.mul_add(y, z)));
        }
    }
}
