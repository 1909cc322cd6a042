//! Conversions: their source is B.

use super::fields::Immediate;
use crate::operation::{ConversionSource, FloatFormat, IntFormat, Operation};
use crate::word::Word;

fn float_format(w: Word, at: u32) -> Option<FloatFormat> {
    match w.bits(at, 2) {
        1 => Some(FloatFormat::F16),
        2 => Some(FloatFormat::F32),
        3 => Some(FloatFormat::F64),
        _ => None,
    }
}

fn int_format(w: Word, size: u32, sign: u32) -> IntFormat {
    IntFormat { bits: 8 << w.bits(size, 2), signed: w.bit(sign) }
}

/// A float source. Immediates are the upper bits of a binary32 or binary64, but all bits of a binary16.
fn float_source(w: Word, format: FloatFormat, part: u8) -> ConversionSource {
    match format {
        FloatFormat::F64 => ConversionSource::Double(w.wide_b(Immediate::Float)),
        FloatFormat::F32 => ConversionSource::Word { source: w.b(Immediate::Float), part: 0 },
        FloatFormat::F16 => ConversionSource::Word { source: w.b(Immediate::Integer), part },
    }
}

/// An integer source; `part` names a byte, and of 16 bits the half in its upper bit.
fn int_source(w: Word, format: IntFormat) -> ConversionSource {
    let byte = w.bits(41, 2) as u8;
    match format.bits {
        64 => ConversionSource::Double(w.wide_b(Immediate::Integer)),
        32 => ConversionSource::Word { source: w.b(Immediate::Integer), part: 0 },
        16 => ConversionSource::Word { source: w.b(Immediate::Integer), part: byte >> 1 },
        _ => ConversionSource::Word { source: w.b(Immediate::Integer), part: byte },
    }
}

/// `F2F`. Bit 42 rounds to an integral value where both sizes are the same (`.ROUND` and its kin).
pub(super) fn float_to_float(w: Word) -> Option<Operation> {
    let (from, to) = (float_format(w, 10)?, float_format(w, 8)?);
    Some(Operation::FloatToFloat {
        d: w.destination(47),
        a: float_source(w, from, u8::from(w.bit(41))),
        from,
        to,
        negate: w.bit(45),
        absolute: w.bit(49),
        rounding: w.rounding(39),
        integral: from == to && w.bit(42),
        flush: w.bit(44),
        saturate: w.bit(50),
    })
}

/// `F2I`; results of eight bits are not accepted.
pub(super) fn float_to_int(w: Word) -> Option<Operation> {
    let (from, to) = (float_format(w, 10)?, int_format(w, 8, 12));
    if to.bits == 8 {
        return None;
    }
    Some(Operation::FloatToInt {
        d: w.destination(47),
        a: float_source(w, from, u8::from(w.bit(41))),
        from,
        to,
        negate: w.bit(45),
        absolute: w.bit(49),
        rounding: w.rounding(39),
        flush: w.bit(44),
    })
}

/// `I2F`.
pub(super) fn int_to_float(w: Word) -> Option<Operation> {
    let (from, to) = (int_format(w, 10, 13), float_format(w, 8)?);
    Some(Operation::IntToFloat {
        d: w.destination(47),
        a: int_source(w, from),
        from,
        to,
        negate: w.bit(45),
        absolute: w.bit(49),
        rounding: w.rounding(39),
    })
}

/// `I2I`; 64 bits are not accepted.
pub(super) fn int_to_int(w: Word) -> Option<Operation> {
    let (from, to) = (int_format(w, 10, 13), int_format(w, 8, 12));
    if from.bits == 64 || to.bits == 64 {
        return None;
    }
    Some(Operation::IntToInt {
        d: w.destination(47),
        a: int_source(w, from),
        from,
        to,
        negate: w.bit(45),
        absolute: w.bit(49),
        saturate: w.bit(50),
    })
}
