//! Conversions.

use super::float::{flushed, round, saturated};
use super::operand::Operands;
use crate::operation::{ConversionSource, FloatFormat, IntFormat, Rounding};
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
    // Denormals stay where a double is on either side (measured), and those of 16 bits always: PTX has `.ftz` for
    // binary32 alone.
    let flush = how.flush && from != FloatFormat::F64 && to != FloatFormat::F64;
    let bits = float_bits(at, a, from, How { flush, ..how });
    let both_single = from == FloatFormat::F32 && to == FloatFormat::F32;
    let mode = FloatMode { width: width(to), flush: flush && both_single, round: round(how.rounding) };
    let bits = if integral {
        evaluate(&Op::FRound(mode, round(how.rounding)), ty(from), &[bits]).unwrap_or_default()
    } else if from == to && from != FloatFormat::F16 {
        bits
    } else {
        // All NaNs of 16 bits become one (measured).
        evaluate(&Op::FConvert(width(from), mode), ty(from), &[bits]).unwrap_or_default()
    };
    match to {
        // A double does not saturate, nor what comes from one (measured).
        _ if !how.saturate || from == FloatFormat::F64 || to == FloatFormat::F64 => bits,
        FloatFormat::F32 => u64::from(saturated(bits as u32)),
        _ => evaluate(&Op::FSaturate(mode), ty(to), &[bits]).unwrap_or_default(),
    }
}

/// `F2I`: rounded, at the limits where it does not fit; fewer bits than 32 are extended to the register. What is no
/// number becomes 0, or the lowest number where either side has 64 bits (measured).
pub(super) fn float_to_int(
    at: Operands<'_>,
    a: ConversionSource,
    from: FloatFormat,
    to: IntFormat,
    how: How,
) -> u64 {
    let bits = float_bits(at, a, from, how);
    let (source, rounding) = (width(from), round(how.rounding));
    let no_number = evaluate(&Op::FIsNan(source), ty(from), &[bits]).unwrap_or_default() != 0;
    if no_number {
        return match (to.bits, from) {
            (64, _) => 1 << 63,
            (32, FloatFormat::F64) => 1 << 31,
            _ => 0,
        };
    }
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

/// An integer source, extended, with its sign changed. A signed one wraps in its own width (measured: the amount of
/// the lowest number is that number); an unsigned one has room for a sign.
fn int_value(at: Operands<'_>, a: ConversionSource, from: IntFormat, how: How) -> i128 {
    let value = match a {
        ConversionSource::Double(source) => {
            let bits = at.wide(source);
            if from.signed { i128::from(bits as i64) } else { i128::from(bits) }
        }
        ConversionSource::Word { source, part } => {
            let word = at.source(source);
            let bits = match from.bits {
                8 => word >> (8 * u32::from(part & 3)) & 0xff,
                16 => word >> (16 * u32::from(part & 1)) & 0xffff,
                _ => word,
            };
            wrapped(bits.into(), from)
        }
    };
    let value = if how.absolute { value.abs() } else { value };
    let value = if how.negate { -value } else { value };
    if from.signed { wrapped(value, from) } else { value }
}

/// The lowest bits of a number, as many as a format has, as a number of it.
fn wrapped(value: i128, format: IntFormat) -> i128 {
    let above = 128 - u32::from(format.bits.clamp(8, 64));
    let bits = (value as u128) << above;
    if format.signed { bits as i128 >> above } else { (bits >> above) as i128 }
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
    // A negative amount of 64 bits has no type: what is rounded is the amount, the other way.
    let outside = value < i128::from(i64::MIN);
    let rounding = match (how.rounding, outside) {
        (Rounding::Down, true) => Rounding::Up,
        (Rounding::Up, true) => Rounding::Down,
        (rounding, _) => rounding,
    };
    let mode = FloatMode { width: width(to), flush: false, round: round(rounding) };
    let amount = if outside { -value } else { value };
    let op = if amount < 0 { Op::SToF(mode) } else { Op::UToF(mode) };
    let result = evaluate(&op, Type::B64, &[amount as u64]).unwrap_or_default();
    if outside { evaluate(&Op::FNeg(width(to)), ty(to), &[result]).unwrap_or_default() } else { result }
}

/// `I2I`: without saturation the lowest bits of the result, zeros above them; with it the limits of the result,
/// and a negative number keeps its sign in the whole register (both measured).
pub(super) fn int_to_int(
    at: Operands<'_>,
    a: ConversionSource,
    from: IntFormat,
    to: IntFormat,
    how: How,
) -> u32 {
    let value = int_value(at, a, from, how);
    let len = u32::from(to.bits.clamp(8, 32));
    if how.saturate {
        let (least, most) =
            if to.signed { (-(1_i128 << (len - 1)), (1 << (len - 1)) - 1) } else { (0, (1 << len) - 1) };
        return value.clamp(least, most) as u32;
    }
    value as u32 & u32::MAX >> (32 - len)
}
