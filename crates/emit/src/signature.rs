//! How many operands the functions take.

use unshade_ir::ast::{Builtin, Helper};

pub(crate) fn builtin_operands(builtin: Builtin) -> usize {
    match builtin {
        Builtin::Abs
        | Builtin::Floor
        | Builtin::Ceil
        | Builtin::Trunc
        | Builtin::RoundEven
        | Builtin::Fract
        | Builtin::Sqrt
        | Builtin::InverseSqrt
        | Builtin::Exp2
        | Builtin::Log2
        | Builtin::Sin
        | Builtin::Cos
        | Builtin::Length
        | Builtin::Normalize
        | Builtin::Atan
        | Builtin::Sign
        | Builtin::DerivativeX
        | Builtin::DerivativeY
        | Builtin::DerivativeWidth
        | Builtin::IsNan => 1,
        Builtin::Pow
        | Builtin::Atan2
        | Builtin::Reflect
        | Builtin::Min
        | Builtin::Max
        | Builtin::Step
        | Builtin::Dot
        | Builtin::Cross
        | Builtin::LessThan
        | Builtin::LessThanEqual
        | Builtin::GreaterThan
        | Builtin::GreaterThanEqual
        | Builtin::Equal
        | Builtin::NotEqual => 2,
        Builtin::Clamp | Builtin::Mix | Builtin::Fma | Builtin::Choose => 3,
    }
}

pub(crate) fn helper_operands(helper: Helper) -> usize {
    match helper {
        Helper::MulInfTimesZero
        | Helper::MulZeroWins
        | Helper::MaxSecond
        | Helper::MinSecond
        | Helper::MinNumber
        | Helper::MaxNumber => 2,
        Helper::Saturate | Helper::ToIntSaturate | Helper::ToUintSaturate | Helper::FlushDenormal => 1,
    }
}
