//! Operations of one lane on registers, constants and predicates.

use super::convert::{self, How};
use super::float;
use super::integer::{self, plain};
use super::operand::{Operands, write, write_pair, write_predicate};
use super::run::Fault;
use super::state::{Flags, Lane, Resources};
use super::{flow, video};
use crate::Register;
use crate::operation::*;
use unshade_ir::Op;

/// What an operation leaves.
enum Done {
    Word(Destination, u32, Flags),
    Pair(Destination, u64, Flags),
    Register(Register, u32),
    Predicate(u8, bool),
    Predicates(Predicates, bool, bool),
    /// A result, and a predicate that says something about it.
    Tested(Destination, u32, Flags, u8, bool),
    AllPredicates(u8),
    Flags(Flags),
}

/// Does an operation in one lane; `None`: it is of another kind.
pub(super) fn arithmetic(
    lane: &mut Lane,
    resources: &Resources,
    operation: &Operation,
) -> Option<Result<(), Fault>> {
    let at = Operands { lane, resources };
    let done = match compute(at, operation)? {
        Ok(done) => done,
        Err(fault) => return Some(Err(fault)),
    };
    match done {
        Done::Word(d, value, flags) => {
            write(lane, d.register, value);
            if d.flags {
                lane.flags = flags;
            }
        }
        Done::Pair(d, value, flags) => {
            write_pair(lane, d.register, value);
            if d.flags {
                lane.flags = flags;
            }
        }
        Done::Register(d, value) => write(lane, d, value),
        Done::Predicate(p, value) => write_predicate(lane, p, value),
        Done::Predicates(p, result, opposite) => {
            write_predicate(lane, p.opposite, opposite);
            write_predicate(lane, p.result, result);
        }
        Done::Tested(d, value, flags, p, test) => {
            write(lane, d.register, value);
            if d.flags {
                lane.flags = flags;
            }
            write_predicate(lane, p, test);
        }
        Done::AllPredicates(all) => lane.predicates = all & 0x7f,
        Done::Flags(flags) => lane.flags = flags,
    }
    Some(Ok(()))
}

fn compute(at: Operands<'_>, operation: &Operation) -> Option<Result<Done, Fault>> {
    floats(at, operation)
        .or_else(|| doubles_and_halves(at, operation))
        .or_else(|| integers(at, operation))
        .or_else(|| bits(at, operation))
        .map(Ok)
        .or_else(|| others(at, operation))
}

/// The condition code of a binary32.
fn float_flags(bits: u32) -> Flags {
    let value = f32::from_bits(bits);
    if value.is_nan() {
        return Flags { zero: true, sign: true, ..Flags::default() };
    }
    Flags { zero: value == 0.0, sign: value < 0.0, ..Flags::default() }
}

fn double_flags(bits: u64) -> Flags {
    let value = f64::from_bits(bits);
    if value.is_nan() {
        return Flags { zero: true, sign: true, ..Flags::default() };
    }
    Flags { zero: value == 0.0, sign: value < 0.0, ..Flags::default() }
}

fn float_result(d: Destination, bits: u32, saturate: bool) -> Done {
    let bits = if saturate { float::saturated(bits) } else { bits };
    Done::Word(d, bits, float_flags(bits))
}

fn combine(at: Operands<'_>, value: bool, combined: Combined) -> bool {
    both(combined.with, value, at.predicate(combined.predicate))
}

fn both(with: Combine, a: bool, b: bool) -> bool {
    match with {
        Combine::And => a && b,
        Combine::Or => a || b,
        Combine::Xor => a != b,
    }
}

/// A truth value and its opposite, each combined.
fn predicates(at: Operands<'_>, p: Predicates, value: bool, combined: Combined) -> Done {
    Done::Predicates(p, combine(at, value, combined), combine(at, !value, combined))
}

fn truth(d: Destination, value: bool, truth: Truth) -> Done {
    let word = match (value, truth) {
        (false, _) => 0,
        (true, Truth::Mask) => u32::MAX,
        (true, Truth::Float) => 1.0_f32.to_bits(),
    };
    let flags = if truth == Truth::Float { float_flags(word) } else { plain(word) };
    Done::Word(d, word, flags)
}

fn floats(at: Operands<'_>, operation: &Operation) -> Option<Done> {
    Some(match *operation {
        Operation::FloatAdd { d, a, b, flush, rounding, saturate } => {
            let (a, b) = (float::single(at.float(a), flush), float::single(at.float(b), flush));
            float_result(d, float::to_single(float::sum(a, b, rounding), flush, rounding), saturate)
        }
        Operation::FloatMultiply { d, a, b, scale, denormals, rounding, saturate } => {
            let flush = denormals != Denormals::Keep;
            let (a, b) = (float::single(at.float(a), flush), float::single(at.float(b), flush));
            let scaled = float::product(a, b, denormals) * 2.0_f64.powi(scale.0.into());
            float_result(d, float::to_single(scaled, flush, rounding), saturate)
        }
        Operation::FloatFusedMultiplyAdd { d, a, b, c, denormals, rounding, saturate } => {
            let flush = denormals != Denormals::Keep;
            let [a, b, c] = [a, b, c].map(|x| float::single(at.float(x), flush));
            let sum = float::sum(float::product(a, b, denormals), c, rounding);
            float_result(d, float::to_single(sum, flush, rounding), saturate)
        }
        Operation::FloatMinMax { d, a, b, least, flush } => {
            let bits = float::extremum(at.predicate(least), at.float(a), at.float(b), flush);
            float_result(d, bits, false)
        }
        Operation::FloatSelect { d, a, b, c, compare, flush } => {
            let holds = float::compare(compare, float::single(at.float(c), flush), 0.0);
            let bits = if holds { at.float(a) } else { at.float(b) };
            float_result(d, bits, false)
        }
        Operation::FloatSet { d, a, b, compare, combined, flush, truth: kind } => {
            let (a, b) = (float::single(at.float(a), flush), float::single(at.float(b), flush));
            truth(d, combine(at, float::compare(compare, a, b), combined), kind)
        }
        Operation::FloatSetPredicate { p, a, b, compare, combined, flush } => {
            let (a, b) = (float::single(at.float(a), flush), float::single(at.float(b), flush));
            predicates(at, p, float::compare(compare, a, b), combined)
        }
        Operation::FloatCheckDivide { p, a, b } => {
            Done::Predicate(p, slow_division(at.float(a), at.float(b)))
        }
        Operation::FloatFunction { d, function, a, saturate } => {
            let a = at.float(a);
            let bits = match function {
                Function::Cos => float::function(Op::FCos, a),
                Function::Sin => float::function(Op::FSin, a),
                Function::Exp2 => float::function(Op::FExp2, a),
                Function::Log2 => float::function(Op::FLog2, a),
                Function::Reciprocal => float::function(Op::FRcp, a),
                Function::ReciprocalSqrt => float::function(Op::FRsq, a),
                Function::Sqrt => float::function(Op::FSqrt, a),
                Function::Reciprocal64High => float::function_high(Op::FRcp, a),
                Function::ReciprocalSqrt64High => float::function_high(Op::FRsq, a),
            };
            Done::Register(d, if saturate { float::saturated(bits) } else { bits })
        }
        Operation::RangeReduce { d, a, .. } => Done::Register(d, at.float(a)),
        _ => return None,
    })
}

/// Whether a quotient needs more than a reciprocal and two steps (`FCHK.DIVIDE`): where an operand is zero,
/// denormal or infinite, or exponents are so far apart that a step leaves the range. The exact limits of the
/// hardware are not known; programs give the same result on both ways.
fn slow_division(a: u32, b: u32) -> bool {
    let exponent = |bits: u32| (bits >> 23 & 0xff) as i32;
    let (a, b) = (exponent(a), exponent(b));
    a == 0 || a == 255 || b == 0 || b == 255 || !(-100..=100).contains(&(a - b)) || b > 250 || a < 24
}

/// Both halves of a source as numbers; with [`Swizzle::F32`] one binary32 for both.
fn halves(at: Operands<'_>, source: Halves, flush: bool) -> [f64; 2] {
    let word = at.source(source.source);
    let values = match source.swizzle {
        Swizzle::H1H0 => [float::half(word, flush), float::half(word >> 16, flush)],
        Swizzle::F32 => [float::single(word, flush); 2],
        Swizzle::H0H0 => [float::half(word, flush); 2],
        Swizzle::H1H1 => [float::half(word >> 16, flush); 2],
    };
    values.map(|value| {
        let value = if source.absolute { value.abs() } else { value };
        if source.negate { -value } else { value }
    })
}

/// Puts two results where the output says.
fn half_result(
    at: Operands<'_>,
    d: Register,
    values: [f64; 2],
    output: HalfOutput,
    flush: bool,
    saturate: bool,
) -> Done {
    let values = values.map(|value| {
        if !saturate {
            value
        } else if value > 0.0 {
            value.min(1.0)
        } else {
            0.0
        }
    });
    let old = at.register(d);
    let word = match output {
        HalfOutput::F32 => float::to_single(values[0], flush, Rounding::Nearest),
        HalfOutput::Both => float::to_half(values[0], flush) | float::to_half(values[1], flush) << 16,
        HalfOutput::MergeLow => old & 0xffff_0000 | float::to_half(values[0], flush),
        HalfOutput::MergeHigh => old & 0xffff | float::to_half(values[1], flush) << 16,
    };
    Done::Register(d, word)
}

fn doubles_and_halves(at: Operands<'_>, operation: &Operation) -> Option<Done> {
    let double = |d: Destination, bits: u64| Done::Pair(d, bits, double_flags(bits));
    Some(match *operation {
        Operation::DoubleAdd { d, a, b, rounding } => {
            double(d, float::double_sum(at.double(a), at.double(b), rounding))
        }
        Operation::DoubleMultiply { d, a, b, rounding } => {
            double(d, float::double_product(at.double(a), at.double(b), rounding))
        }
        Operation::DoubleFusedMultiplyAdd { d, a, b, c, rounding } => {
            double(d, float::double_fused(at.double(a), at.double(b), at.double(c), rounding))
        }
        Operation::DoubleMinMax { d, a, b, least } => {
            double(d, float::double_extremum(at.predicate(least), at.double(a), at.double(b)))
        }
        Operation::DoubleSet { d, a, b, compare, combined, truth: kind } => {
            let (a, b) = (f64::from_bits(at.double(a)), f64::from_bits(at.double(b)));
            truth(d, combine(at, float::compare(compare, a, b), combined), kind)
        }
        Operation::DoubleSetPredicate { p, a, b, compare, combined } => {
            let (a, b) = (f64::from_bits(at.double(a)), f64::from_bits(at.double(b)));
            predicates(at, p, float::compare(compare, a, b), combined)
        }
        Operation::HalfAdd { d, a, b, output, flush, saturate } => {
            let (a, b) = (halves(at, a, flush), halves(at, b, flush));
            let values = [0, 1].map(|n: usize| float::sum(a[n], b[n], Rounding::Nearest));
            half_result(at, d, values, output, flush, saturate)
        }
        Operation::HalfMultiply { d, a, b, output, denormals, saturate } => {
            let flush = denormals != Denormals::Keep;
            let (a, b) = (halves(at, a, flush), halves(at, b, flush));
            let values = [0, 1].map(|n: usize| float::product(a[n], b[n], denormals));
            half_result(at, d, values, output, flush, saturate)
        }
        Operation::HalfFusedMultiplyAdd { d, a, b, c, output, denormals, saturate } => {
            let flush = denormals != Denormals::Keep;
            let [a, b, c] = [a, b, c].map(|x| halves(at, x, flush));
            let values = [0, 1]
                .map(|n: usize| float::sum(float::product(a[n], b[n], denormals), c[n], Rounding::Nearest));
            half_result(at, d, values, output, flush, saturate)
        }
        Operation::HalfSet { d, a, b, compare, combined, flush, truth: kind } => {
            let (a, b) = (halves(at, a, flush), halves(at, b, flush));
            let one = if kind == Truth::Float { 0x3c00 } else { 0xffff };
            let word =
                [0, 1].map(
                    |n: usize| {
                        if combine(at, float::compare(compare, a[n], b[n]), combined) { one } else { 0 }
                    },
                );
            Done::Register(d, word[0] | word[1] << 16)
        }
        Operation::HalfSetPredicate { p, a, b, compare, combined, flush, both } => {
            let (a, b) = (halves(at, a, flush), halves(at, b, flush));
            let [low, high] = [0, 1].map(|n: usize| float::compare(compare, a[n], b[n]));
            if both {
                predicates(at, p, low && high, combined)
            } else {
                Done::Predicates(p, combine(at, low, combined), combine(at, high, combined))
            }
        }
        _ => return None,
    })
}

/// An addend: inverted where it is subtracted, and the one that then belongs to it.
fn addend(at: Operands<'_>, a: Integer) -> (u32, u32) {
    let word = at.source(a.source);
    if a.negate { (!word, 1) } else { (word, 0) }
}

fn word(d: Destination, (value, flags): (u32, Flags)) -> Done {
    Done::Word(d, value, flags)
}

fn integers(at: Operands<'_>, operation: &Operation) -> Option<Done> {
    let carried = |carry: bool, ones: u32| if carry { u32::from(at.lane.flags.carry) } else { ones };
    Some(match *operation {
        Operation::IntAdd { d, a, b, carry, plus_one, saturate } => {
            let ((a, one), (b, other)) = (addend(at, a), addend(at, b));
            let ones = carried(carry, one + other + u32::from(plus_one));
            let (value, flags) = integer::sum(&[a, b], ones);
            Done::Word(d, if saturate { integer::saturated(value, flags) } else { value }, flags)
        }
        Operation::IntAdd3 { d, a, b, c, parts, shift, carry } => {
            let sources = [(a, parts[0]), (b, parts[1]), (c, parts[2])];
            let parts =
                sources.map(|(source, part)| (integer::part(at.source(source.source), part), source.negate));
            let carried = carry.then_some(at.lane.flags);
            word(d, integer::sum_of_three(parts, shift, carried))
        }
        Operation::IntMultiply { d, a, b, signed, high } => {
            let product = integer::product(at.source(a), at.source(b), signed);
            let value = if high { (product >> 32) as u32 } else { product as u32 };
            Done::Word(d, value, plain(value))
        }
        Operation::IntMultiplyAdd { d, a, b, c, signed, high, carry, saturate, negate_product, plus_one } => {
            let product = integer::product(at.source(a), at.source(b), signed);
            let product = if negate_product { -product } else { product };
            let part = if high { (product >> 32) as u32 } else { product as u32 };
            let (c, one) = addend(at, c);
            let (value, flags) = integer::sum(&[part, c], carried(carry, one + u32::from(plus_one)));
            Done::Word(d, if saturate { integer::saturated(value, flags) } else { value }, flags)
        }
        Operation::IntMultiplyAddParts { d, a, b, c } => {
            let product = at.part(a).wrapping_mul(at.part(b)) as u32;
            word(d, integer::sum(&[product, at.part(c) as u32], 0))
        }
        Operation::MultiplyAdd16 { d, a, b, b_word, c, addend, shift_product, merge, carry } => {
            let (a_part, b_part) = (at.part(a), at.part(b));
            let product = (a_part * b_part) as u32;
            let product = if shift_product { product << 16 } else { product };
            let (b_word, c) = (at.source(b_word), at.source(c));
            let c = match addend {
                MultiplyAddend::Word => c,
                MultiplyAddend::Low => c & 0xffff,
                MultiplyAddend::High => c >> 16,
                MultiplyAddend::SignCorrected => {
                    let negative = u32::from(a_part < 0) + u32::from(b_part < 0);
                    c.wrapping_sub(negative << 16)
                }
                MultiplyAddend::PlusB => c.wrapping_add(b_word << 16),
            };
            let (value, flags) = integer::sum(&[product, c], carried(carry, 0));
            let value = if merge { value & 0xffff | b_word << 16 } else { value };
            Done::Word(d, value, flags)
        }
        Operation::ShiftAdd { d, a, b, shift, plus_one } => {
            let shifted = at.source(a.source) << (shift & 31);
            let (first, one) = if a.negate { (!shifted, 1) } else { (shifted, 0) };
            let (b, other) = addend(at, b);
            word(d, integer::sum(&[first, b], one + other + u32::from(plus_one)))
        }
        Operation::LoadEffectiveAddress { d, p, a, b, shift, carry } => {
            let shifted = at.source(a.source) << (shift & 31);
            let (first, one) = if a.negate { (!shifted, 1) } else { (shifted, 0) };
            let (value, flags) = integer::sum(&[first, at.source(b)], carried(carry, one));
            Done::Tested(d, value, flags, p, value != 0)
        }
        Operation::LoadEffectiveAddressHigh { d, p, a, b, c, shift, carry } => {
            let wide = u64::from(at.source(a.source)) | u64::from(at.register(c)) << 32;
            let shifted = wide << (shift & 31);
            // The negative of all 64 bits; with a carry its upper half's complement.
            let (first, one) = match (a.negate, carry) {
                (false, _) => ((shifted >> 32) as u32, 0),
                (true, false) => ((shifted.wrapping_neg() >> 32) as u32, 0),
                (true, true) => (!(shifted >> 32) as u32, 0),
            };
            let (value, flags) = integer::sum(&[first, at.source(b)], carried(carry, one));
            Done::Tested(d, value, flags, p, value != 0)
        }
        Operation::IntMinMax { d, a, b, signed, least, extended: 0 } => {
            let (a, b) = (at.source(a), at.source(b));
            let less = if signed { (a as i32) < b as i32 } else { a < b };
            let value = if less == at.predicate(least) { a } else { b };
            Done::Word(d, value, plain(value))
        }
        Operation::IntMinMax { d, a, b, signed, least, extended } => {
            let before = (extended != 3).then_some(at.lane.flags);
            let words = (at.source(a), at.source(b));
            word(d, integer::extremum(words, signed, at.predicate(least), before))
        }
        Operation::IntSelect { d, a, b, c, compare, signed } => {
            let holds = integer::compare(compare, at.source(c), 0, signed);
            Done::Register(d, if holds { at.source(a) } else { at.source(b) })
        }
        Operation::IntSet { d, a, b, compare, signed, combined, extended, truth: kind } => {
            let holds = compared(at, a, b, compare, signed, extended);
            truth(d, combine(at, holds, combined), kind)
        }
        Operation::IntSetPredicate { p, a, b, compare, signed, combined, extended } => {
            predicates(at, p, compared(at, a, b, compare, signed, extended), combined)
        }
        _ => return None,
    })
}

fn compared(
    at: Operands<'_>,
    a: Source,
    b: Source,
    compare: CompareInt,
    signed: bool,
    extended: bool,
) -> bool {
    let (a, b) = (at.source(a), at.source(b));
    if extended {
        integer::compare_extended(compare, a, b, signed, at.lane.flags)
    } else {
        integer::compare(compare, a, b, signed)
    }
}

fn tested(test: ResultTest, value: u32) -> bool {
    match test {
        ResultTest::False => false,
        ResultTest::True => true,
        ResultTest::Zero => value == 0,
        ResultTest::NotZero => value != 0,
    }
}

/// Flags of an extended (`.X`) result: zero only where the lower part was zero too.
fn extended_flags(at: Operands<'_>, value: u32, extended: bool) -> Flags {
    let flags = plain(value);
    Flags { zero: flags.zero && (!extended || at.lane.flags.zero), ..flags }
}

fn bits(at: Operands<'_>, operation: &Operation) -> Option<Done> {
    let result = |d: Destination, value: u32| Done::Word(d, value, plain(value));
    // The count of a shift: modulo 32, or 32 and more alike.
    let count = |b: u32, wrap: bool| if wrap { b & 31 } else { b.min(32) };
    Some(match *operation {
        Operation::LogicTwo { d, p, test, a, b, logic, carry } => {
            let (a, b) = (at.bits(a), at.bits(b));
            let value = match logic {
                Logic::And => a & b,
                Logic::Or => a | b,
                Logic::Xor => a ^ b,
                Logic::PassB => b,
            };
            Done::Tested(d, value, extended_flags(at, value, carry), p, tested(test, value))
        }
        Operation::LogicThree { d, p, test, a, b, c, table, carry } => {
            let value = integer::table(at.source(a), at.source(b), at.source(c), table);
            Done::Tested(d, value, extended_flags(at, value, carry), p, tested(test, value))
        }
        Operation::ShiftLeft { d, a, b, wrap, carry: false } => {
            result(d, at.source(a).checked_shl(count(at.source(b), wrap)).unwrap_or(0))
        }
        Operation::ShiftRight { d, a, b, signed, wrap, reverse, extended: 0 } => {
            let a = at.source(a);
            let a = if reverse { a.reverse_bits() } else { a };
            let count = count(at.source(b), wrap);
            result(
                d,
                if signed { ((a as i32) >> count.min(31)) as u32 } else { a.checked_shr(count).unwrap_or(0) },
            )
        }
        Operation::FunnelShift { d, a, b, c, left, wrap, width, mode: 0 } => {
            let wide = u64::from(at.register(a)) | u64::from(at.register(c)) << 32;
            // Counts stop at the width (PTX shifts of 64 bits become these, and give nothing from 64 on).
            let most = if width == FunnelWidth::B32 { 32 } else { 64 };
            let b = at.source(b);
            let count = if wrap { b & (most - 1) } else { b.min(most) };
            result(
                d,
                match (left, width) {
                    (true, _) => (wide.checked_shl(count).unwrap_or(0) >> 32) as u32,
                    (false, FunnelWidth::S64) => ((wide as i64) >> count.min(63)) as u32,
                    (false, _) => wide.checked_shr(count).unwrap_or(0) as u32,
                },
            )
        }
        Operation::BitFieldExtract { d, a, b, signed, reverse } => {
            let a = at.source(a);
            let a = if reverse { a.reverse_bits() } else { a };
            result(d, integer::extract(a, at.source(b), signed))
        }
        Operation::BitFieldInsert { d, a, b, c } => {
            result(d, integer::insert(at.source(a), at.source(b), at.source(c)))
        }
        Operation::FindLeadingOne { d, a, signed, shift } => {
            let found = integer::leading_one(at.bits(a), signed);
            result(d, if shift && found != u32::MAX { 31 - found } else { found })
        }
        Operation::PopulationCount { d, a } => Done::Register(d, at.bits(a).count_ones()),
        Operation::Permute { d, a, b, c, mode } => {
            Done::Register(d, integer::permute(at.source(a), at.source(b), at.source(c), mode))
        }
        Operation::Select { d, a, b, p } => {
            Done::Register(d, if at.predicate(p) { at.source(a) } else { at.source(b) })
        }
        Operation::Move { d, a, .. } => Done::Register(d, at.source(a)),
        Operation::Video { d, video, a, b, c, merge, unsigned_result, saturate } => {
            result(d, video::video(at, video, [a, b], c, merge, unsigned_result, saturate))
        }
        Operation::VideoMultiplyAdd { d, a, b, c, negate_product, negate_c, plus_one, shift, saturate } => {
            let how = video::Scaled { negate_product, negate_c, plus_one, shift, saturate };
            result(d, video::multiply_add(at, a, b, c, how))
        }
        Operation::VideoAbsoluteDifference4 { d, a, b, c, bytes } => {
            result(d, video::absolute_difference4(at.register(a), at.register(b), at.register(c), bytes))
        }
        Operation::VideoSetPredicate { p, a, b, compare, combined } => {
            let (a, b) = (at.part(a), at.part(b));
            let holds = a < b && compare.less || a == b && compare.equal || a > b && compare.greater;
            predicates(at, p, holds, combined)
        }
        _ => return None,
    })
}

/// A result of a conversion: one register or two.
fn converted(d: Destination, value: u64, wide: bool, flags: Flags) -> Done {
    if wide { Done::Pair(d, value, flags) } else { Done::Word(d, value as u32, flags) }
}

fn format_flags(value: u64, format: FloatFormat) -> Flags {
    match format {
        FloatFormat::F64 => double_flags(value),
        FloatFormat::F32 => float_flags(value as u32),
        FloatFormat::F16 => double_flags(float::half(value as u32, false).to_bits()),
    }
}

fn others(at: Operands<'_>, operation: &Operation) -> Option<Result<Done, Fault>> {
    Some(Ok(match *operation {
        Operation::FloatToFloat { d, a, from, to, negate, absolute, rounding, integral, flush, saturate } => {
            let how = How { negate, absolute, rounding, flush, saturate };
            let value = convert::float_to_float(at, a, from, to, integral, how);
            converted(d, value, to == FloatFormat::F64, format_flags(value, to))
        }
        Operation::FloatToInt { d, a, from, to, negate, absolute, rounding, flush } => {
            let how = How { negate, absolute, rounding, flush, saturate: false };
            let value = convert::float_to_int(at, a, from, to, how);
            converted(d, value, to.bits == 64, plain(value as u32))
        }
        Operation::IntToFloat { d, a, from, to, negate, absolute, rounding } => {
            let how = How { negate, absolute, rounding, flush: false, saturate: false };
            let value = convert::int_to_float(at, a, from, to, how);
            converted(d, value, to == FloatFormat::F64, format_flags(value, to))
        }
        Operation::IntToInt { d, a, from, to, negate, absolute, saturate } => {
            let how = How { negate, absolute, rounding: Rounding::Nearest, flush: false, saturate };
            let value = convert::int_to_int(at, a, from, to, how);
            Done::Word(d, value, plain(value))
        }
        Operation::PredicateSet { d, a, b, op, combined, truth: kind } => {
            let value = both(op, at.predicate(a), at.predicate(b));
            truth(d, combine(at, value, combined), kind)
        }
        Operation::PredicateSetPredicate { p, a, b, op, combined } => {
            // The second is no opposite of the first: its first operand alone is inverted.
            let (a, b) = (at.predicate(a), at.predicate(b));
            let [result, opposite] = [a, !a].map(|a| combine(at, both(op, a, b), combined));
            Done::Predicates(p, result, opposite)
        }
        Operation::ConditionSet { d, condition, combined, truth: kind } => {
            match flow::holds(condition, at.lane.flags) {
                Ok(value) => truth(d, combine(at, value, combined), kind),
                Err(fault) => return Some(Err(fault)),
            }
        }
        Operation::ConditionSetPredicate { p, condition, combined } => {
            match flow::holds(condition, at.lane.flags) {
                Ok(value) => predicates(at, p, value, combined),
                Err(fault) => return Some(Err(fault)),
            }
        }
        Operation::PredicatesToRegister { d, a, mask, byte, condition_code } => {
            let shift = 8 * u32::from(byte & 3);
            let mask = (at.source(mask) & 0xff) << shift;
            let known = if condition_code { packed(at.lane.flags) } else { at.lane.predicates & 0x7f };
            let a = at.register(a);
            Done::Register(d, a & !mask | u32::from(known) << shift & mask)
        }
        Operation::RegisterToPredicates { a, mask, byte, condition_code } => {
            let bits = (at.register(a) >> (8 * u32::from(byte & 3))) as u8;
            let mask = at.source(mask) as u8;
            if condition_code {
                let all = packed(at.lane.flags) & !mask | bits & mask;
                Done::Flags(Flags {
                    zero: all & 1 != 0,
                    sign: all & 2 != 0,
                    carry: all & 4 != 0,
                    overflow: all & 8 != 0,
                })
            } else {
                Done::AllPredicates(at.lane.predicates & !mask | bits & mask)
            }
        }
        _ => return None,
    }))
}

/// The condition code in a register: zero, sign, carry, overflow from bit 0 on.
fn packed(flags: Flags) -> u8 {
    u8::from(flags.zero)
        | u8::from(flags.sign) << 1
        | u8::from(flags.carry) << 2
        | u8::from(flags.overflow) << 3
}
