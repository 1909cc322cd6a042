//! Conversions.

use super::float::{flushed, round, saturated};
use super::operand::Operands;
use crate::maxwell::operation::{ConversionSource, FloatFormat, IntFormat, Rounding};
use unshade_ir::exec::evaluate;
use unshade_ir::{FloatMode, Op, Type, Width};

/// How a value is changed on its way.
#[derive(Clone, Copy)]
pub(super) struct How {
    pub(super) negate: bool,
    pub(super) absolute: bool,
    pub(super) rounding: Rounding,
    pub(super) flush: bool,
    pub(super) saturate: bool,
}

fn width(format: FloatFormat) -> Width {
    match format {
        FloatFormat::F16 => Width::F16,
        FloatFormat::F32 => Width::F32,
        FloatFormat::F64 => Width::F64,
    }
}

fn ty(format: FloatFormat) -> Type {
    width(format).ty()
}

/// Bits of a float source with its sign changed.
fn float_bits(at: Operands<'_>, a: ConversionSource, format: FloatFormat, how: How) -> u64 {
    let bits = match a {
        ConversionSource::Double(source) => at.wide(source),
        ConversionSource::Word { source, part } => {
            let word = at.source(source);
            match format {
                FloatFormat::F16 => u64::from(word >> (16 * u32::from(part & 1)) & 0xffff),
                _ => word.into(),
            }
        }
    };
    let sign = match format {
        FloatFormat::F16 => 1 << 15,
        FloatFormat::F32 => 1 << 31,
        FloatFormat::F64 => 1_u64 << 63,
    };
    let bits = if how.absolute { bits & !sign } else { bits };
    let bits = if how.negate { bits ^ sign } else { bits };
    if format == FloatFormat::F32 { u64::from(flushed(bits as u32, how.flush)) } else { bits }
}

/// `F2F`.
pub(super) fn float_to_float(
    at: Operands<'_>,
    a: ConversionSource,
    from: FloatFormat,
    to: FloatFormat,
    integral: bool,
    how: How,
) -> u64 {
    let bits = float_bits(at, a, from, how);
    let mode = FloatMode { width: width(to), flush: how.flush, round: round(how.rounding) };
    let bits = if integral {
        evaluate(&Op::FRound(mode, round(how.rounding)), ty(from), &[bits]).unwrap_or_default()
    } else if from == to {
        bits
    } else {
        evaluate(&Op::FConvert(width(from), mode), ty(from), &[bits]).unwrap_or_default()
    };
    if !how.saturate {
        return bits;
    }
    match to {
        FloatFormat::F32 => u64::from(saturated(bits as u32)),
        _ => evaluate(&Op::FSaturate(mode), ty(to), &[bits]).unwrap_or_default(),
    }
}

/// `F2I`: rounded, at the limits where it does not fit, 0 where it is no number. Fewer bits than 32 are extended
/// to the register.
pub(super) fn float_to_int(
    at: Operands<'_>,
    a: ConversionSource,
    from: FloatFormat,
    to: IntFormat,
    how: How,
) -> u64 {
    let bits = float_bits(at, a, from, how);
    let (source, rounding) = (width(from), round(how.rounding));
    let op = match (to.signed, to.bits) {
        (true, 64) => Op::FToS64(source, rounding),
        (false, 64) => Op::FToU64(source, rounding),
        (true, _) => Op::FToS(source, rounding),
        (false, _) => Op::FToU(source, rounding),
    };
    let value = evaluate(&op, ty(from), &[bits]).unwrap_or_default();
    match (to.bits, to.signed) {
        (64, _) => value,
        (16, true) => u64::from((value as u32 as i32).clamp(-0x8000, 0x7fff) as u32),
        (16, false) => value.min(0xffff),
        _ => value & 0xffff_ffff,
    }
}

/// An integer source, extended, with its sign changed.
fn int_value(at: Operands<'_>, a: ConversionSource, from: IntFormat, how: How) -> i128 {
    let value = match a {
        ConversionSource::Double(source) => {
            let bits = at.wide(source);
            if from.signed { i128::from(bits as i64) } else { i128::from(bits) }
        }
        ConversionSource::Word { source, part } => {
            let word = at.source(source);
            let (bits, len) = match from.bits {
                8 => (word >> (8 * u32::from(part & 3)) & 0xff, 8),
                16 => (word >> (16 * u32::from(part & 1)) & 0xffff, 16),
                _ => (word, 32),
            };
            if from.signed { i128::from(i64::from(bits) << (64 - len) >> (64 - len)) } else { bits.into() }
        }
    };
    let value = if how.absolute { value.abs() } else { value };
    if how.negate { -value } else { value }
}

/// `I2F`.
pub(super) fn int_to_float(
    at: Operands<'_>,
    a: ConversionSource,
    from: IntFormat,
    to: FloatFormat,
    how: How,
) -> u64 {
    let value = int_value(at, a, from, how);
    let mode = FloatMode { width: width(to), flush: false, round: round(how.rounding) };
    // What is negative or not fits one of the two 64-bit types.
    let op = if value < 0 { Op::SToF(mode) } else { Op::UToF(mode) };
    let (ty, bits) = if i32::try_from(value).is_ok() {
        (Type::B32, u64::from(value as i32 as u32))
    } else {
        (Type::B64, value as u64)
    };
    evaluate(&op, ty, &[bits]).unwrap_or_default()
}

/// `I2I`: at the limits of the result where it saturates, else its lowest bits, extended to the register.
pub(super) fn int_to_int(
    at: Operands<'_>,
    a: ConversionSource,
    from: IntFormat,
    to: IntFormat,
    how: How,
) -> u32 {
    let value = int_value(at, a, from, how);
    let len = u32::from(to.bits.clamp(8, 32));
    let (least, most) =
        if to.signed { (-(1_i128 << (len - 1)), (1 << (len - 1)) - 1) } else { (0, (1 << len) - 1) };
    let value = if how.saturate { value.clamp(least, most) } else { value };
    let word = value as u32;
    if to.signed {
        ((word << (32 - len)) as i32 >> (32 - len)) as u32
    } else {
        word << (32 - len) >> (32 - len)
    }
}
