//! Pairs of halves. Constants of these forms are one binary32 taken for both halves (as emulators read them; the
//! disassembler prints nothing about it).

use crate::operation::{HalfOutput, Halves, Operation, Source, Swizzle, Truth};
use crate::word::Word;

/// What kind of second source a form has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// B is a register.
    Register,
    /// B is a constant.
    Constant,
    /// B is two immediates of ten bits.
    Immediate,
    /// C is a constant.
    ConstantThird,
    /// B is an immediate of 32 bits.
    Word,
}

fn swizzle(w: Word, at: u32) -> Swizzle {
    match w.bits(at, 2) {
        0 => Swizzle::H1H0,
        1 => Swizzle::F32,
        2 => Swizzle::H0H0,
        _ => Swizzle::H1H1,
    }
}

fn output(w: Word) -> HalfOutput {
    match w.bits(49, 2) {
        0 => HalfOutput::Both,
        1 => HalfOutput::F32,
        2 => HalfOutput::MergeLow,
        _ => HalfOutput::MergeHigh,
    }
}

fn halves(source: Source, swizzle: Swizzle, negate: bool, absolute: bool) -> Halves {
    Halves { source, swizzle, negate, absolute }
}

/// The two immediates: each nine upper bits of a half and its sign.
fn immediates(w: Word) -> Halves {
    let low = w.bits(20, 9) << 6 | u64::from(w.bit(29)) << 15;
    let high = w.bits(30, 9) << 6 | u64::from(w.bit(56)) << 15;
    halves(Source::Immediate((high << 16 | low) as u32), Swizzle::H1H0, false, false)
}

fn register_a(w: Word, swizzle: Swizzle, negate: bool, absolute: bool) -> Halves {
    halves(Source::Register(w.register(8)), swizzle, negate, absolute)
}

/// Source B of the forms of two sources; `negate` is the constant's bit.
fn source_b(w: Word, kind: Kind, negate: bool, absolute: bool) -> Halves {
    match kind {
        Kind::Register => halves(Source::Register(w.register(20)), swizzle(w, 28), w.bit(31), w.bit(30)),
        Kind::Constant | Kind::ConstantThird => {
            halves(Source::Constant(w.constant()), Swizzle::F32, negate, absolute)
        }
        Kind::Immediate => immediates(w),
        Kind::Word => halves(Source::Immediate(w.immediate32()), Swizzle::H1H0, false, false),
    }
}

/// `HADD2`.
pub(super) fn add(w: Word, kind: Kind) -> Option<Operation> {
    if kind == Kind::Word {
        return Some(Operation::HalfAdd {
            d: w.register(0),
            a: register_a(w, swizzle(w, 53), w.bit(56), false),
            b: source_b(w, kind, false, false),
            output: HalfOutput::Both,
            flush: w.bit(55),
            saturate: w.bit(52),
        });
    }
    Some(Operation::HalfAdd {
        d: w.register(0),
        a: register_a(w, swizzle(w, 47), w.bit(43), w.bit(44)),
        b: source_b(w, kind, w.bit(56), w.bit(54)),
        output: output(w),
        flush: w.bit(39),
        saturate: w.bit(if kind == Kind::Register { 32 } else { 52 }),
    })
}

/// `HMUL2`.
pub(super) fn multiply(w: Word, kind: Kind) -> Option<Operation> {
    if kind == Kind::Word {
        return Some(Operation::HalfMultiply {
            d: w.register(0),
            a: register_a(w, swizzle(w, 53), false, false),
            b: source_b(w, kind, false, false),
            output: HalfOutput::Both,
            denormals: w.denormals(55)?,
            saturate: w.bit(52),
        });
    }
    Some(Operation::HalfMultiply {
        d: w.register(0),
        a: register_a(w, swizzle(w, 47), kind == Kind::Immediate && w.bit(43), w.bit(44)),
        b: source_b(w, kind, w.bit(43), w.bit(54)),
        output: output(w),
        denormals: w.denormals(39)?,
        saturate: w.bit(if kind == Kind::Register { 32 } else { 52 }),
    })
}

/// `HFMA2`.
pub(super) fn multiply_add(w: Word, kind: Kind) -> Option<Operation> {
    if kind == Kind::Word {
        return Some(Operation::HalfFusedMultiplyAdd {
            d: w.register(0),
            a: register_a(w, swizzle(w, 53), false, false),
            b: source_b(w, kind, false, false),
            c: halves(Source::Register(w.register(0)), Swizzle::H1H0, w.bit(52), false),
            output: HalfOutput::Both,
            denormals: w.denormals(55)?,
            saturate: false,
        });
    }
    let third = Source::Register(w.register(39));
    let (b, c, denormals, saturate) = match kind {
        Kind::Register => (
            halves(Source::Register(w.register(20)), swizzle(w, 28), w.bit(31), false),
            halves(third, swizzle(w, 35), w.bit(30), false),
            w.denormals(37)?,
            w.bit(32),
        ),
        Kind::ConstantThird => (
            halves(third, swizzle(w, 53), w.bit(56), false),
            halves(Source::Constant(w.constant()), Swizzle::F32, w.bit(51), false),
            w.denormals(57)?,
            w.bit(52),
        ),
        _ => (
            source_b(w, kind, w.bit(56), false),
            halves(third, swizzle(w, 53), w.bit(51), false),
            w.denormals(57)?,
            w.bit(52),
        ),
    };
    let a = register_a(w, swizzle(w, 47), false, false);
    Some(Operation::HalfFusedMultiplyAdd {
        d: w.register(0),
        a,
        b,
        c,
        output: output(w),
        denormals,
        saturate,
    })
}

/// `HSET2`.
pub(super) fn set(w: Word, kind: Kind) -> Option<Operation> {
    let (compare, truth, flush) = if kind == Kind::Register { (35, 49, 50) } else { (49, 53, 54) };
    Some(Operation::HalfSet {
        d: w.register(0),
        a: register_a(w, swizzle(w, 47), w.bit(43), w.bit(44)),
        b: source_b(w, kind, w.bit(56), false),
        compare: w.compare_float(compare),
        combined: w.combined()?,
        flush: w.bit(flush),
        truth: if w.bit(truth) { Truth::Float } else { Truth::Mask },
    })
}

/// `HSETP2`.
pub(super) fn set_predicate(w: Word, kind: Kind) -> Option<Operation> {
    let (compare, both) = if kind == Kind::Register { (35, 49) } else { (49, 53) };
    Some(Operation::HalfSetPredicate {
        p: w.predicates(),
        a: register_a(w, swizzle(w, 47), w.bit(43), w.bit(44)),
        b: source_b(w, kind, w.bit(56), w.bit(54)),
        compare: w.compare_float(compare),
        combined: w.combined()?,
        flush: w.bit(6),
        both: w.bit(both),
    })
}
