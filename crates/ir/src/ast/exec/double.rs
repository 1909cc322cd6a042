//! Operators and functions on doubles, as the interpreter of the IR has them.

use super::super::{Binary, Builtin, Helper, Scalar};
use super::evaluate::Vector;
use crate::{CompareFloat, FloatMode, MinMax, Multiply, Op, Round, Type, Width, exec};

const MODE: FloatMode = FloatMode { width: Width::F64, ..FloatMode::F32 };

/// The interpreter of the IR, for what it has.
fn op(op: Op, ty: Type, args: &[u64]) -> u64 {
    exec::evaluate(&op, ty, args).unwrap_or(0)
}

fn lanes(mut each: impl FnMut(usize) -> u64) -> Vector {
    [each(0), each(1), each(2), each(3)]
}

pub(super) fn binary(operator: Binary, a: &Vector, b: &Vector) -> Vector {
    let compare = |by| Op::FCompare(by, MODE);
    let what = match operator {
        Binary::Add | Binary::Sub => Op::FAdd(MODE),
        Binary::Mul => Op::FMul(MODE, Multiply::Ieee),
        Binary::Div => Op::FDiv(MODE),
        Binary::Eq => compare(CompareFloat::Eq),
        Binary::Ne => compare(CompareFloat::Ne),
        Binary::Lt => compare(CompareFloat::Lt),
        Binary::Le => compare(CompareFloat::Le),
        Binary::Gt => compare(CompareFloat::Gt),
        Binary::Ge => compare(CompareFloat::Ge),
        // Integers and truth values alone have these.
        Binary::Rem
        | Binary::LogicalAnd
        | Binary::LogicalOr
        | Binary::LogicalXor
        | Binary::BitAnd
        | Binary::BitOr
        | Binary::BitXor
        | Binary::ShiftLeft
        | Binary::ShiftRight => return Vector::default(),
    };
    let flip = if operator == Binary::Sub { 1 << 63 } else { 0 };
    lanes(|at| op(what, Type::B64, &[a[at], b[at] ^ flip]))
}

pub(super) fn builtin(function: Builtin, args: &[Vector; 4]) -> Vector {
    let [a, b, c, _] = args;
    let value = |bits: u64| f64::from_bits(bits);
    let one = |what: Op| lanes(|at| op(what, Type::B64, &[a[at]]));
    let two = |what: Op| lanes(|at| op(what, Type::B64, &[a[at], b[at]]));
    let second = MinMax::SecondUnlessOrdered;
    let (add, multiply) = (Op::FAdd(MODE), Op::FMul(MODE, Multiply::Ieee));
    let difference = |a: u64, b: u64| op(add, Type::B64, &[a, b ^ 1 << 63]);
    match function {
        Builtin::Abs => one(Op::FAbs(Width::F64)),
        Builtin::Floor => one(Op::FRound(MODE, Round::Down)),
        Builtin::Ceil => one(Op::FRound(MODE, Round::Up)),
        Builtin::Trunc => one(Op::FRound(MODE, Round::Zero)),
        Builtin::RoundEven => one(Op::FRound(MODE, Round::Nearest)),
        Builtin::Fract => {
            let floor = one(Op::FRound(MODE, Round::Down));
            lanes(|at| difference(a[at], floor[at]))
        }
        Builtin::Sqrt => one(Op::FSqrt(MODE)),
        Builtin::InverseSqrt => one(Op::FRsq(MODE)),
        Builtin::Min => two(Op::FMin(MODE, second)),
        Builtin::Max => two(Op::FMax(MODE, second)),
        Builtin::Clamp => lanes(|at| {
            let above = op(Op::FMax(MODE, second), Type::B64, &[a[at], b[at]]);
            op(Op::FMin(MODE, second), Type::B64, &[above, c[at]])
        }),
        Builtin::Mix => lanes(|at| {
            let part = op(multiply, Type::B64, &[difference(b[at], a[at]), c[at]]);
            op(add, Type::B64, &[a[at], part])
        }),
        Builtin::Step => lanes(|at| if value(b[at]) < value(a[at]) { 0 } else { 1.0f64.to_bits() }),
        Builtin::Fma => lanes(|at| op(Op::FFma(MODE, Multiply::Ieee), Type::B64, &[a[at], b[at], c[at]])),
        Builtin::IsNan => lanes(|at| value(a[at]).is_nan().into()),
        Builtin::IsInf => lanes(|at| value(a[at]).is_infinite().into()),
        Builtin::LessThan => two(Op::FCompare(CompareFloat::Lt, MODE)),
        Builtin::LessThanEqual => two(Op::FCompare(CompareFloat::Le, MODE)),
        Builtin::GreaterThan => two(Op::FCompare(CompareFloat::Gt, MODE)),
        Builtin::GreaterThanEqual => two(Op::FCompare(CompareFloat::Ge, MODE)),
        Builtin::Equal => two(Op::FCompare(CompareFloat::Eq, MODE)),
        Builtin::NotEqual => two(Op::FCompare(CompareFloat::Ne, MODE)),
        Builtin::Choose => lanes(|at| if c[at] != 0 { b[at] } else { a[at] }),
        // The tree has no others of doubles.
        _ => Vector::default(),
    }
}

pub(super) fn helper(function: Helper, args: &[Vector; 4]) -> Vector {
    let [a, b, ..] = args;
    let one = |what: Op| lanes(|at| op(what, Type::B64, &[a[at]]));
    let two = |what: Op| lanes(|at| op(what, Type::B64, &[a[at], b[at]]));
    match function {
        Helper::MulInfTimesZero => two(Op::FMul(MODE, Multiply::InfTimesZero)),
        Helper::MulZeroWins => two(Op::FMul(MODE, Multiply::ZeroWins)),
        Helper::MaxSecond => two(Op::FMax(MODE, MinMax::SecondUnlessOrdered)),
        Helper::MinSecond => two(Op::FMin(MODE, MinMax::SecondUnlessOrdered)),
        Helper::MaxNumber => two(Op::FMax(MODE, MinMax::Number)),
        Helper::MinNumber => two(Op::FMin(MODE, MinMax::Number)),
        Helper::Saturate => one(Op::FSaturate(MODE)),
        Helper::ToIntSaturate => one(Op::FToS(Width::F64, Round::Zero)),
        Helper::ToUintSaturate => one(Op::FToU(Width::F64, Round::Zero)),
        Helper::FlushDenormal => {
            lanes(|at| if a[at] & 0x7FF0_0000_0000_0000 == 0 { a[at] & 1 << 63 } else { a[at] })
        }
        Helper::RoundHalf => lanes(|at| {
            let half = FloatMode { width: Width::F16, ..MODE };
            let rounded = op(Op::FConvert(Width::F64, half), Type::B64, &[a[at]]);
            op(Op::FConvert(Width::F16, FloatMode::F32), Type::B16, &[rounded])
        }),
        Helper::ToSingle(round) => lanes(|at| {
            op(Op::FConvert(Width::F64, FloatMode { round, ..FloatMode::F32 }), Type::B64, &[a[at]])
        }),
        Helper::ToHalf(round) => lanes(|at| {
            let half = FloatMode { width: Width::F16, round, ..MODE };
            let rounded = op(Op::FConvert(Width::F64, half), Type::B64, &[a[at]]);
            op(Op::FConvert(Width::F16, FloatMode::F32), Type::B16, &[rounded])
        }),
        Helper::SumToSingle(round) => lanes(|at| exec::sum_to_single(a[at], b[at], round)),
        Helper::AddToward(round) => two(Op::FAdd(FloatMode { round, ..MODE })),
        Helper::MulToward(round) => two(Op::FMul(FloatMode { round, ..MODE }, Multiply::Ieee)),
        // The tree has no others of doubles.
        _ => Vector::default(),
    }
}

/// One of the kinds is that of doubles.
pub(super) fn convert(from: Scalar, to: Scalar, a: &Vector) -> Vector {
    lanes(|at| {
        let bits = a[at];
        match (from, to) {
            (Scalar::Double, Scalar::Float) => {
                op(Op::FConvert(Width::F64, FloatMode::F32), Type::B64, &[bits])
            }
            (Scalar::Double, Scalar::Int) => op(Op::FToS(Width::F64, Round::Zero), Type::B64, &[bits]),
            (Scalar::Double, Scalar::Uint) => op(Op::FToU(Width::F64, Round::Zero), Type::B64, &[bits]),
            (Scalar::Double, Scalar::Bool) => (f64::from_bits(bits) != 0.0).into(),
            (Scalar::Float, _) => op(Op::FConvert(Width::F32, MODE), Type::B32, &[bits]),
            (Scalar::Int, _) => op(Op::SToF(MODE), Type::B32, &[bits]),
            (Scalar::Uint | Scalar::Bool, _) => op(Op::UToF(MODE), Type::B32, &[bits]),
            (Scalar::Double, Scalar::Double) => bits,
        }
    })
}
