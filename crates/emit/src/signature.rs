//! What the functions take and give.

use unshade_ir::ast::{Builtin, Helper, Scalar};

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
        | Builtin::AtanNear
        | Builtin::Tan
        | Builtin::Asin
        | Builtin::Acos
        | Builtin::Sinh
        | Builtin::Cosh
        | Builtin::Tanh
        | Builtin::Asinh
        | Builtin::Acosh
        | Builtin::Atanh
        | Builtin::Significand
        | Builtin::Exponent
        | Builtin::Sign
        | Builtin::Exp
        | Builtin::Log
        | Builtin::DerivativeX
        | Builtin::DerivativeY
        | Builtin::DerivativeWidth
        | Builtin::BitCount
        | Builtin::BitReverse
        | Builtin::FindMsb
        | Builtin::FindLsb
        | Builtin::PackHalf
        | Builtin::UnpackHalf
        | Builtin::PackNorm(_)
        | Builtin::UnpackNorm(_)
        | Builtin::PackDouble
        | Builtin::UnpackDouble
        | Builtin::VoteAll
        | Builtin::VoteAny
        | Builtin::VoteEqual
        | Builtin::Ballot
        | Builtin::Any
        | Builtin::All
        | Builtin::IsNan
        | Builtin::IsInf => 1,
        Builtin::Pow
        | Builtin::Atan2
        | Builtin::Atan2Near
        | Builtin::Reflect
        | Builtin::Min
        | Builtin::Max
        | Builtin::Step
        | Builtin::Modulo
        | Builtin::Dot
        | Builtin::Cross
        | Builtin::LessThan
        | Builtin::LessThanEqual
        | Builtin::GreaterThan
        | Builtin::GreaterThanEqual
        | Builtin::Equal
        | Builtin::Shuffle
        | Builtin::NotEqual => 2,
        Builtin::Clamp
        | Builtin::Mix
        | Builtin::Smoothstep
        | Builtin::Fma
        | Builtin::Choose
        | Builtin::Refract
        | Builtin::FaceForward
        | Builtin::BitExtract => 3,
        // Of a matrix of two columns: as many columns as the vector has components, and the vector.
        Builtin::InverseTimes | Builtin::TimesInverse => 3,
        Builtin::BitInsert => 4,
    }
}

pub(crate) fn helper_operands(helper: Helper) -> usize {
    match helper {
        Helper::MulInfTimesZero
        | Helper::MulZeroWins
        | Helper::MaxSecond
        | Helper::MinSecond
        | Helper::MinNumber
        | Helper::MaxNumber
        | Helper::DivideInt
        | Helper::DivideUint
        | Helper::RemainderInt
        | Helper::RemainderUint
        | Helper::MulHighInt
        | Helper::MulHighUint
        | Helper::SumToSingle(_)
        | Helper::AddToward(_)
        | Helper::MulToward(_) => 2,
        Helper::BitExtractInt | Helper::BitExtractUint | Helper::FmaHalf => 3,
        Helper::BitInsert => 4,
        Helper::Saturate
        | Helper::ToIntSaturate
        | Helper::ToUintSaturate
        | Helper::FlushDenormal
        | Helper::RoundHalf
        | Helper::ToSingle(_)
        | Helper::ToHalf(_)
        | Helper::FlushHalf => 1,
    }
}

/// What a function takes, told by its first operand: those of floats are there for doubles too.
pub(crate) fn helper_operand(helper: Helper, first: Scalar) -> Scalar {
    match helper {
        Helper::DivideInt | Helper::RemainderInt | Helper::MulHighInt | Helper::BitExtractInt => Scalar::Int,
        Helper::DivideUint
        | Helper::RemainderUint
        | Helper::MulHighUint
        | Helper::BitExtractUint
        | Helper::BitInsert => Scalar::Uint,
        Helper::FlushHalf | Helper::FmaHalf => Scalar::Float,
        Helper::ToSingle(_) | Helper::SumToSingle(_) | Helper::AddToward(_) | Helper::MulToward(_) => {
            Scalar::Double
        }
        _ if first == Scalar::Double => Scalar::Double,
        _ => Scalar::Float,
    }
}

/// What a function gives, told by its first operand.
pub(crate) fn helper_result(helper: Helper, first: Scalar) -> Scalar {
    match helper {
        Helper::ToIntSaturate => Scalar::Int,
        Helper::ToUintSaturate => Scalar::Uint,
        Helper::RoundHalf | Helper::ToSingle(_) | Helper::ToHalf(_) | Helper::SumToSingle(_) => Scalar::Float,
        _ => helper_operand(helper, first),
    }
}
