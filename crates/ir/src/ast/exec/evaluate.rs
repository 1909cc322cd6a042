//! Operators and functions on vectors of bits.
//!
//! What works on 64 bits is in [`super::double`]; all else is computed in words.

use super::super::{Binary, Builtin, Helper, Scalar, Unary};
use super::double;
use crate::math::bits;
use crate::{Compound, FloatMode, MinMax, Multiply, Op, Type, Width, exec, math};

/// Up to four components, as bits.
pub(super) type Vector = [u64; 4];

/// Up to four components of 32 bits.
type Words = [u32; 4];

fn words(vector: &Vector) -> Words {
    vector.map(|bits| bits as u32)
}

fn vector(words: Words) -> Vector {
    words.map(u64::from)
}

pub(super) fn unary(operator: Unary, scalar: Scalar, a: &Vector) -> Vector {
    match scalar {
        Scalar::Double => a.map(|bits| bits ^ 1 << 63),
        _ => vector(word_unary(operator, scalar, &words(a))),
    }
}

pub(super) fn binary(operator: Binary, scalar: Scalar, a: &Vector, b: &Vector) -> Vector {
    match scalar {
        Scalar::Double => double::binary(operator, a, b),
        _ => vector(word_binary(operator, scalar, &words(a), &words(b))),
    }
}

/// Products summed from the first lane on.
pub(super) fn dot(a: &Vector, b: &Vector, width: usize) -> u64 {
    word_dot(&words(a), &words(b), width).into()
}

/// `scalar` is the kind of the first operand.
pub(super) fn builtin(function: Builtin, scalar: Scalar, width: usize, args: &[Vector; 4]) -> Vector {
    let halves = |bits: u64| [bits & 0xFFFF_FFFF, bits >> 32, 0, 0];
    match (function, scalar) {
        (Builtin::PackDouble, _) => [args[0][0] & 0xFFFF_FFFF | args[0][1] << 32, 0, 0, 0],
        (Builtin::UnpackDouble, _) => halves(args[0][0]),
        (_, Scalar::Double) => double::builtin(function, args),
        _ => vector(word_builtin(function, scalar, width, &args.each_ref().map(words))),
    }
}

/// `scalar` is the kind of the first operand.
pub(super) fn helper(function: Helper, scalar: Scalar, args: &[Vector; 4]) -> Vector {
    match scalar {
        Scalar::Double => double::helper(function, args),
        _ => vector(word_helper(function, &args.each_ref().map(words))),
    }
}

pub(super) fn convert(from: Scalar, to: Scalar, a: &Vector) -> Vector {
    match (from, to) {
        (Scalar::Double, _) | (_, Scalar::Double) => double::convert(from, to, a),
        _ => vector(word_convert(from, to, &words(a))),
    }
}

fn float(word: u32) -> f32 {
    f32::from_bits(word)
}

fn lanes(mut each: impl FnMut(usize) -> u32) -> Words {
    [each(0), each(1), each(2), each(3)]
}

fn floats(a: &Words, f: impl Fn(f32) -> f32) -> Words {
    lanes(|at| bits(f(float(a[at]))))
}

fn pairs(a: &Words, b: &Words, f: impl Fn(f32, f32) -> f32) -> Words {
    lanes(|at| bits(f(float(a[at]), float(b[at]))))
}

/// The interpreter of the IR, for what it has.
fn op(op: Op, args: &[u32]) -> u32 {
    let args: smallvec::SmallVec<[u64; 3]> = args.iter().map(|arg| u64::from(*arg)).collect();
    exec::evaluate(&op, Type::B32, &args).unwrap_or(0) as u32
}

fn integers(what: Op, a: &Words, b: &Words) -> Words {
    lanes(|at| op(what, &[a[at], b[at]]))
}

/// The smallest normal float of 16 bits.
pub(super) const SMALLEST_HALF: f32 = 1.0 / 16384.0;

/// The nearest float of 16 bits.
fn half_bits(word: u32) -> u32 {
    let mode = FloatMode { width: Width::F16, ..FloatMode::F32 };
    op(Op::FConvert(Width::F32, mode), &[word])
}

/// The value of a float of 16 bits.
fn half_value(half: u32) -> u32 {
    op(Op::FConvert(Width::F16, FloatMode::F32), &[half])
}

fn word_unary(operator: Unary, scalar: Scalar, a: &Words) -> Words {
    lanes(|at| match (operator, scalar) {
        (Unary::Negate, Scalar::Float) => a[at] ^ 1 << 31,
        (Unary::Negate, _) => a[at].wrapping_neg(),
        (Unary::Not, _) => a[at] ^ 1,
        (Unary::BitNot, _) => !a[at],
    })
}

fn word_binary(operator: Binary, scalar: Scalar, a: &Words, b: &Words) -> Words {
    lanes(|at| {
        let (a, b) = (a[at], b[at]);
        let (x, y) = (float(a), float(b));
        let (i, j) = (a as i32, b as i32);
        let truth = |int: bool, uint: bool, float: bool| {
            u32::from(match scalar {
                Scalar::Float | Scalar::Double => float,
                Scalar::Int => int,
                Scalar::Uint | Scalar::Bool => uint,
            })
        };
        match (operator, scalar) {
            (Binary::Add, Scalar::Float) => bits(x + y),
            (Binary::Sub, Scalar::Float) => bits(x - y),
            (Binary::Mul, Scalar::Float) => bits(x * y),
            (Binary::Div, Scalar::Float) => bits(x / y),
            (Binary::Add, _) => a.wrapping_add(b),
            (Binary::Sub, _) => a.wrapping_sub(b),
            (Binary::Mul, _) => a.wrapping_mul(b),
            (Binary::Div, Scalar::Int) => op(Op::SDiv, &[a, b]),
            (Binary::Div, _) => op(Op::UDiv, &[a, b]),
            (Binary::Rem, Scalar::Int) => op(Op::SRem, &[a, b]),
            (Binary::Rem, _) => op(Op::URem, &[a, b]),
            (Binary::Eq, _) => truth(a == b, a == b, x == y),
            (Binary::Ne, _) => truth(a != b, a != b, x != y),
            (Binary::Lt, _) => truth(i < j, a < b, x < y),
            (Binary::Le, _) => truth(i <= j, a <= b, x <= y),
            (Binary::Gt, _) => truth(i > j, a > b, x > y),
            (Binary::Ge, _) => truth(i >= j, a >= b, x >= y),
            (Binary::LogicalAnd | Binary::BitAnd, _) => a & b,
            (Binary::LogicalOr | Binary::BitOr, _) => a | b,
            (Binary::LogicalXor | Binary::BitXor, _) => a ^ b,
            // By 32 and more it is undefined in the target languages.
            (Binary::ShiftLeft, _) => a.checked_shl(b).unwrap_or(0),
            (Binary::ShiftRight, Scalar::Int) => i.checked_shr(b).unwrap_or(0) as u32,
            (Binary::ShiftRight, _) => a.checked_shr(b).unwrap_or(0),
        }
    })
}

fn word_dot(a: &Words, b: &Words, width: usize) -> u32 {
    let mut products = a.iter().zip(b).take(width).map(|(a, b)| float(*a) * float(*b));
    let first = products.next().unwrap_or(0.0);
    bits(products.fold(first, |sum, product| sum + product))
}

fn word_builtin(function: Builtin, scalar: Scalar, width: usize, args: &[Words; 4]) -> Words {
    let [a, b, c, _] = args;
    let mode = FloatMode::F32;
    let of = |what: Op| lanes(|at| op(what, &[a[at]]));
    let compare = |f: fn(&f32, &f32) -> bool| lanes(|at| u32::from(f(&float(a[at]), &float(b[at]))));
    let second = MinMax::SecondUnlessOrdered;
    match function {
        Builtin::Abs => lanes(|at| match scalar {
            Scalar::Float => a[at] & !(1 << 31),
            _ => (a[at] as i32).wrapping_abs() as u32,
        }),
        Builtin::Floor => of(Op::FRound(mode, crate::Round::Down)),
        Builtin::Ceil => of(Op::FRound(mode, crate::Round::Up)),
        Builtin::Trunc => of(Op::FRound(mode, crate::Round::Zero)),
        Builtin::RoundEven => of(Op::FRound(mode, crate::Round::Nearest)),
        Builtin::Fract => of(Op::Fract),
        Builtin::Sqrt => of(Op::FSqrt(mode)),
        Builtin::InverseSqrt => of(Op::FRsq(mode)),
        Builtin::Exp2 => of(Op::FExp2(mode)),
        Builtin::Log2 => of(Op::FLog2(mode)),
        Builtin::Sin => of(Op::FSin(mode)),
        Builtin::Cos => of(Op::FCos(mode)),
        Builtin::Atan => of(Op::FAtan(mode)),
        Builtin::Atan2 => lanes(|at| op(Op::FAtan2(mode), &[a[at], b[at]])),
        Builtin::Pow => lanes(|at| op(Op::Pow, &[a[at], b[at]])),
        Builtin::Min => match scalar {
            Scalar::Float | Scalar::Double => pairs(a, b, |a, b| math::min(a, b, second)),
            Scalar::Int => lanes(|at| (a[at] as i32).min(b[at] as i32) as u32),
            Scalar::Uint | Scalar::Bool => lanes(|at| a[at].min(b[at])),
        },
        Builtin::Max => match scalar {
            Scalar::Float | Scalar::Double => pairs(a, b, |a, b| math::max(a, b, second)),
            Scalar::Int => lanes(|at| (a[at] as i32).max(b[at] as i32) as u32),
            Scalar::Uint | Scalar::Bool => lanes(|at| a[at].max(b[at])),
        },
        Builtin::Clamp if scalar == Scalar::Int => {
            lanes(|at| op(Op::SMin, &[op(Op::SMax, &[a[at], b[at]]), c[at]]))
        }
        Builtin::Clamp if scalar == Scalar::Uint => {
            lanes(|at| op(Op::UMin, &[op(Op::UMax, &[a[at], b[at]]), c[at]]))
        }
        Builtin::Clamp => lanes(|at| op(Op::Clamp, &[a[at], b[at], c[at]])),
        Builtin::Mix => lanes(|at| op(Op::Mix, &[a[at], b[at], c[at]])),
        Builtin::Exp => of(Op::Compound(Compound::Exp)),
        Builtin::Log => of(Op::Compound(Compound::Log)),
        Builtin::Modulo => lanes(|at| op(Op::Compound(Compound::Modulo), &[a[at], b[at]])),
        Builtin::Smoothstep => lanes(|at| op(Op::Compound(Compound::Smoothstep), &[a[at], b[at], c[at]])),
        Builtin::Tan => of(Op::Compound(Compound::Tan)),
        Builtin::Asin => of(Op::Compound(Compound::Asin)),
        Builtin::Acos => of(Op::Compound(Compound::Acos)),
        Builtin::AtanNear => of(Op::Compound(Compound::Atan)),
        Builtin::Atan2Near => lanes(|at| op(Op::Compound(Compound::Atan2), &[a[at], b[at]])),
        Builtin::Sinh => of(Op::Compound(Compound::Sinh)),
        Builtin::Cosh => of(Op::Compound(Compound::Cosh)),
        Builtin::Tanh => of(Op::Compound(Compound::Tanh)),
        Builtin::Asinh => of(Op::Compound(Compound::Asinh)),
        Builtin::Acosh => of(Op::Compound(Compound::Acosh)),
        Builtin::Atanh => of(Op::Compound(Compound::Atanh)),
        Builtin::Significand => of(Op::Compound(Compound::Significand)),
        Builtin::Exponent => of(Op::Exponent),
        Builtin::Step => pairs(a, b, |edge, x| if x < edge { 0.0 } else { 1.0 }),
        Builtin::Dot => [word_dot(a, b, width); 4],
        Builtin::Length => [bits(float(word_dot(a, a, width)).sqrt()); 4],
        Builtin::Normalize => {
            let scale = math::rsq(float(word_dot(a, a, width)));
            floats(a, |a| a * scale)
        }
        Builtin::Cross => {
            let part = |i: usize, j: usize| bits(float(a[i]) * float(b[j]) - float(a[j]) * float(b[i]));
            [part(1, 2), part(2, 0), part(0, 1), 0]
        }
        Builtin::Reflect => {
            let twice = 2.0 * float(word_dot(b, a, width));
            pairs(a, b, |a, b| a - twice * b)
        }
        Builtin::Refract => match math::refraction(float(word_dot(b, a, width)), float(c[0])) {
            Some((incident, normal)) => pairs(a, b, |a, b| a * incident - b * normal),
            None => [0; 4],
        },
        Builtin::FaceForward => {
            let behind = float(word_dot(c, b, width)) < 0.0;
            floats(a, |a| if behind { a } else { -a })
        }
        Builtin::Sign => floats(a, |a| {
            if a > 0.0 {
                1.0
            } else if a < 0.0 {
                -1.0
            } else {
                0.0
            }
        }),
        Builtin::Fma => lanes(|at| op(Op::FFma(mode, Multiply::Ieee), &[a[at], b[at], c[at]])),
        Builtin::Any => [u32::from(a.iter().take(width).any(|lane| *lane != 0)), 0, 0, 0],
        Builtin::All => [u32::from(a.iter().take(width).all(|lane| *lane != 0)), 0, 0, 0],
        Builtin::IsNan => lanes(|at| u32::from(float(a[at]).is_nan())),
        Builtin::IsInf => lanes(|at| u32::from(float(a[at]).is_infinite())),
        Builtin::LessThan => compare(f32::lt),
        Builtin::LessThanEqual => compare(f32::le),
        Builtin::GreaterThan => compare(f32::gt),
        Builtin::GreaterThanEqual => compare(f32::ge),
        Builtin::Equal => compare(f32::eq),
        Builtin::NotEqual => compare(f32::ne),
        Builtin::Choose => lanes(|at| if c[at] != 0 { b[at] } else { a[at] }),
        Builtin::BitCount => lanes(|at| op(Op::BitCount, &[a[at]])),
        Builtin::BitReverse => lanes(|at| op(Op::BitReverse, &[a[at]])),
        Builtin::FindMsb if scalar == Scalar::Int => lanes(|at| op(Op::SFindMsb, &[a[at]])),
        Builtin::FindMsb => lanes(|at| op(Op::UFindMsb, &[a[at]])),
        Builtin::FindLsb => lanes(|at| op(Op::FindLsb, &[a[at]])),
        Builtin::BitExtract => [math::bit_extract(a[0], b[0], c[0], scalar == Scalar::Int), 0, 0, 0],
        Builtin::BitInsert => [math::bit_insert(a[0], b[0], c[0], args[3][0]), 0, 0, 0],
        Builtin::PackHalf => [half_bits(a[0]) | half_bits(a[1]) << 16, 0, 0, 0],
        Builtin::PackNorm(norm) => {
            let fields: smallvec::SmallVec<[u64; 4]> =
                a.iter().take(norm.fields()).map(|lane| u64::from(*lane)).collect();
            let word = exec::evaluate(&Op::PackNorm(norm), Type::B32, &fields).unwrap_or(0);
            [word as u32, 0, 0, 0]
        }
        Builtin::UnpackNorm(norm) => {
            let field = |at: usize| math::unpacked(a[0] >> (at as u32 * norm.bits()), norm).to_bits();
            lanes(|at| if at < norm.fields() { field(at) } else { 0 })
        }
        Builtin::UnpackHalf => [half_value(a[0] & 0xFFFF), half_value(a[0] >> 16), 0, 0],
        // The first two are no functions of words; the others look at other pixels, which the caller knows.
        Builtin::PackDouble
        | Builtin::UnpackDouble
        | Builtin::DerivativeX
        | Builtin::DerivativeY
        | Builtin::DerivativeWidth
        | Builtin::VoteAll
        | Builtin::InverseTimes
        | Builtin::TimesInverse
        | Builtin::VoteAny
        | Builtin::VoteEqual
        | Builtin::Ballot
        | Builtin::Shuffle => Words::default(),
    }
}

fn word_helper(function: Helper, args: &[Words; 4]) -> Words {
    let [a, b, ..] = args;
    let second = MinMax::SecondUnlessOrdered;
    match function {
        Helper::MulInfTimesZero => pairs(a, b, |a, b| math::mul(a, b, Multiply::InfTimesZero)),
        Helper::MulZeroWins => pairs(a, b, |a, b| math::mul(a, b, Multiply::ZeroWins)),
        Helper::MaxSecond => pairs(a, b, |a, b| math::max(a, b, second)),
        Helper::MinSecond => pairs(a, b, |a, b| math::min(a, b, second)),
        Helper::MaxNumber => pairs(a, b, |a, b| math::max(a, b, MinMax::Number)),
        Helper::MinNumber => pairs(a, b, |a, b| math::min(a, b, MinMax::Number)),
        Helper::Saturate => floats(a, |a| if a > 0.0 { a.min(1.0) } else { 0.0 }),
        // The language's conversions saturate and give 0 for NaN.
        Helper::ToIntSaturate => lanes(|at| float(a[at]) as i32 as u32),
        Helper::ToUintSaturate => lanes(|at| float(a[at]) as u32),
        Helper::DivideInt => integers(Op::SDiv, a, b),
        Helper::DivideUint => integers(Op::UDiv, a, b),
        Helper::RemainderInt => integers(Op::SRem, a, b),
        Helper::RemainderUint => integers(Op::URem, a, b),
        Helper::MulHighInt => integers(Op::SMulHigh, a, b),
        Helper::MulHighUint => integers(Op::UMulHigh, a, b),
        Helper::BitExtractInt => [math::bit_extract(a[0], b[0], args[2][0], true), 0, 0, 0],
        Helper::BitExtractUint => [math::bit_extract(a[0], b[0], args[2][0], false), 0, 0, 0],
        Helper::BitInsert => [math::bit_insert(a[0], b[0], args[2][0], args[3][0]), 0, 0, 0],
        Helper::RoundHalf => lanes(|at| half_value(half_bits(a[at]))),
        Helper::FmaHalf => lanes(|at| {
            let halves = [a[at], b[at], args[2][at]].map(half_bits);
            let words: smallvec::SmallVec<[u64; 3]> = halves.iter().map(|half| u64::from(*half)).collect();
            let mode = FloatMode { width: Width::F16, ..FloatMode::F32 };
            let fused = Op::FFma(mode, Multiply::Ieee);
            half_value(exec::evaluate(&fused, Type::B16, &words).unwrap_or(0) as u32)
        }),
        Helper::FlushHalf => {
            lanes(|at| if float(a[at]).abs() < SMALLEST_HALF { a[at] & 1 << 31 } else { a[at] })
        }
        Helper::ToHalf(round) => lanes(|at| {
            let half = FloatMode { width: Width::F16, round, ..FloatMode::F32 };
            half_value(op(Op::FConvert(Width::F32, half), &[a[at]]))
        }),
        // These are of doubles.
        Helper::ToSingle(_) | Helper::SumToSingle(_) | Helper::AddToward(_) | Helper::MulToward(_) => {
            Words::default()
        }
        Helper::FlushDenormal => lanes(|at| if a[at] & 0x7F80_0000 == 0 { a[at] & 1 << 31 } else { a[at] }),
    }
}

fn word_convert(from: Scalar, to: Scalar, a: &Words) -> Words {
    lanes(|at| {
        let word = a[at];
        match (from, to) {
            (Scalar::Float, Scalar::Int) => float(word) as i32 as u32,
            (Scalar::Float, Scalar::Uint) => float(word) as u32,
            (Scalar::Float, Scalar::Bool) => u32::from(float(word) != 0.0),
            (Scalar::Int, Scalar::Float) => (word as i32 as f32).to_bits(),
            (Scalar::Uint | Scalar::Bool, Scalar::Float) => (word as f32).to_bits(),
            (Scalar::Int | Scalar::Uint, Scalar::Bool) => u32::from(word != 0),
            _ => word,
        }
    })
}
