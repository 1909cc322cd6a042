//! Floats and doubles.

use super::fields::{Immediate, double, float, register};
use crate::operation::{Destination, Function, Operation, Rounding, Scale, Source, Source64};
use crate::word::Word;

/// `FADD`.
pub(super) fn add(w: Word) -> Option<Operation> {
    Some(Operation::FloatAdd {
        d: w.destination(47),
        a: float(w.a(), w.bit(48), w.bit(46)),
        b: float(w.b(Immediate::Float), w.bit(45), w.bit(49)),
        flush: w.bit(44),
        rounding: w.rounding(39),
        saturate: w.bit(50),
    })
}

/// `FADD32I`.
pub(super) fn add_immediate(w: Word) -> Option<Operation> {
    Some(Operation::FloatAdd {
        d: w.destination(52),
        a: float(w.a(), w.bit(56), w.bit(54)),
        b: float(Source::Immediate(w.immediate32()), w.bit(53), w.bit(57)),
        flush: w.bit(55),
        rounding: Rounding::Nearest,
        saturate: false,
    })
}

/// `FMUL`.
pub(super) fn multiply(w: Word) -> Option<Operation> {
    let scale = match w.bits(41, 3) {
        by @ 0..=3 => -(by as i8),
        by @ 4..=6 => 7 - by as i8,
        _ => return None,
    };
    Some(Operation::FloatMultiply {
        d: w.destination(47),
        a: float(w.a(), false, false),
        b: float(w.b(Immediate::Float), w.bit(48), false),
        scale: Scale(scale),
        denormals: w.denormals(44)?,
        rounding: w.rounding(39),
        saturate: w.bit(50),
    })
}

/// `FMUL32I`.
pub(super) fn multiply_immediate(w: Word) -> Option<Operation> {
    Some(Operation::FloatMultiply {
        d: w.destination(52),
        a: float(w.a(), false, false),
        b: float(Source::Immediate(w.immediate32()), false, false),
        scale: Scale(0),
        denormals: w.denormals(53)?,
        rounding: Rounding::Nearest,
        saturate: w.bit(55),
    })
}

/// `FFMA`.
pub(super) fn multiply_add(w: Word) -> Option<Operation> {
    let (b, c) = w.b_and_c(Immediate::Float);
    Some(Operation::FloatFusedMultiplyAdd {
        d: w.destination(47),
        a: float(w.a(), false, false),
        b: float(b, w.bit(48), false),
        c: float(c, w.bit(49), false),
        denormals: w.denormals(53)?,
        rounding: w.rounding(51),
        saturate: w.bit(50),
    })
}

/// `FFMA32I`: the third source is the destination.
pub(super) fn multiply_add_immediate(w: Word) -> Option<Operation> {
    Some(Operation::FloatFusedMultiplyAdd {
        d: w.destination(52),
        a: float(w.a(), w.bit(56), false),
        b: float(Source::Immediate(w.immediate32()), false, false),
        c: float(register(w.register(0)), w.bit(57), false),
        denormals: w.denormals(53)?,
        rounding: Rounding::Nearest,
        saturate: w.bit(55),
    })
}

/// `FMNMX`.
pub(super) fn min_max(w: Word) -> Option<Operation> {
    Some(Operation::FloatMinMax {
        d: w.destination(47),
        a: float(w.a(), w.bit(48), w.bit(46)),
        b: float(w.b(Immediate::Float), w.bit(45), w.bit(49)),
        least: w.condition(39),
        flush: w.bit(44),
    })
}

/// `FCMP`.
pub(super) fn select(w: Word) -> Option<Operation> {
    let (b, c) = w.b_and_c(Immediate::Float);
    Some(Operation::FloatSelect {
        d: Destination { register: w.register(0), flags: false },
        a: float(w.a(), false, false),
        b: float(b, false, false),
        c: float(c, false, false),
        compare: w.compare_float(48),
        flush: w.bit(47),
    })
}

/// `FSET`.
pub(super) fn set(w: Word) -> Option<Operation> {
    Some(Operation::FloatSet {
        d: w.destination(47),
        a: float(w.a(), w.bit(43), w.bit(54)),
        b: float(w.b(Immediate::Float), w.bit(53), w.bit(44)),
        compare: w.compare_float(48),
        combined: w.combined()?,
        flush: w.bit(55),
        truth: w.truth(52),
    })
}

/// `FSETP`.
pub(super) fn set_predicate(w: Word) -> Option<Operation> {
    Some(Operation::FloatSetPredicate {
        p: w.predicates(),
        a: float(w.a(), w.bit(43), w.bit(7)),
        b: float(w.b(Immediate::Float), w.bit(6), w.bit(44)),
        compare: w.compare_float(48),
        combined: w.combined()?,
        flush: w.bit(47),
    })
}

/// `FCHK.DIVIDE`; the other modes have no name.
pub(super) fn check(w: Word) -> Option<Operation> {
    if w.bits(39, 6) != 0 {
        return None;
    }
    Some(Operation::FloatCheckDivide {
        p: w.predicate(3),
        a: float(w.a(), w.bit(48), w.bit(46)),
        b: float(w.b(Immediate::Float), w.bit(45), w.bit(49)),
    })
}

/// `FSWZADD`.
pub(super) fn swizzle_add(w: Word) -> Option<Operation> {
    Some(Operation::FloatSwizzleAdd {
        d: w.destination(47),
        a: w.register(8),
        b: w.register(20),
        pattern: w.bits(28, 8) as u8,
        flush: w.bit(44),
        rounding: w.rounding(39),
        no_derivatives: w.bit(38),
    })
}

/// `MUFU`.
pub(super) fn function(w: Word) -> Option<Operation> {
    let function = match w.bits(20, 4) {
        0 => Function::Cos,
        1 => Function::Sin,
        2 => Function::Exp2,
        3 => Function::Log2,
        4 => Function::Reciprocal,
        5 => Function::ReciprocalSqrt,
        6 => Function::Reciprocal64High,
        7 => Function::ReciprocalSqrt64High,
        8 => Function::Sqrt,
        _ => return None,
    };
    Some(Operation::FloatFunction {
        d: w.register(0),
        function,
        a: float(w.a(), w.bit(48), w.bit(46)),
        saturate: w.bit(50),
    })
}

/// `RRO`: its source is B.
pub(super) fn range_reduce(w: Word) -> Option<Operation> {
    Some(Operation::RangeReduce {
        d: w.register(0),
        a: float(w.b(Immediate::Float), w.bit(45), w.bit(49)),
        exponent: w.bit(39),
    })
}

fn pair(w: Word) -> Source64 {
    Source64::Pair(w.register(8))
}

/// `DADD`.
pub(super) fn double_add(w: Word) -> Option<Operation> {
    Some(Operation::DoubleAdd {
        d: w.destination(47),
        a: double(pair(w), w.bit(48), w.bit(46)),
        b: double(w.wide_b(Immediate::Float), w.bit(45), w.bit(49)),
        rounding: w.rounding(39),
    })
}

/// `DMUL`.
pub(super) fn double_multiply(w: Word) -> Option<Operation> {
    Some(Operation::DoubleMultiply {
        d: w.destination(47),
        a: double(pair(w), false, false),
        b: double(w.wide_b(Immediate::Float), w.bit(48), false),
        rounding: w.rounding(39),
    })
}

/// `DFMA`.
pub(super) fn double_multiply_add(w: Word) -> Option<Operation> {
    let third = Source64::Pair(w.register(39));
    let (b, c) = match super::fields::Kind::of(w) {
        super::fields::Kind::ConstantThird => (third, Source64::Constant(w.constant())),
        _ => (w.wide_b(Immediate::Float), third),
    };
    Some(Operation::DoubleFusedMultiplyAdd {
        d: w.destination(47),
        a: double(pair(w), false, false),
        b: double(b, w.bit(48), false),
        c: double(c, w.bit(49), false),
        rounding: w.rounding(50),
    })
}

/// `DMNMX`.
pub(super) fn double_min_max(w: Word) -> Option<Operation> {
    Some(Operation::DoubleMinMax {
        d: w.destination(47),
        a: double(pair(w), w.bit(48), w.bit(46)),
        b: double(w.wide_b(Immediate::Float), w.bit(45), w.bit(49)),
        least: w.condition(39),
    })
}

/// `DSET`.
pub(super) fn double_set(w: Word) -> Option<Operation> {
    Some(Operation::DoubleSet {
        d: w.destination(47),
        a: double(pair(w), w.bit(43), w.bit(54)),
        b: double(w.wide_b(Immediate::Float), w.bit(53), w.bit(44)),
        compare: w.compare_float(48),
        combined: w.combined()?,
        truth: w.truth(52),
    })
}

/// `DSETP`.
pub(super) fn double_set_predicate(w: Word) -> Option<Operation> {
    Some(Operation::DoubleSetPredicate {
        p: w.predicates(),
        a: double(pair(w), w.bit(43), w.bit(7)),
        b: double(w.wide_b(Immediate::Float), w.bit(6), w.bit(44)),
        compare: w.compare_float(48),
        combined: w.combined()?,
    })
}
