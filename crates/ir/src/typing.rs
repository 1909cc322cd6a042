//! What types an operation takes and gives.

use crate::{Op, Space, Type};
use smallvec::{SmallVec, smallvec};

impl Op {
    /// Types of the results for operands of the given types. [`Op::ReadVar`] and [`Op::Call`] depend on
    /// the module: the first is answered with `b32`, the second with nothing.
    pub fn results(&self, args: &[Type]) -> SmallVec<[Type; 1]> {
        let first = args.first().copied().unwrap_or(Type::B32);
        smallvec![match *self {
            Self::Bool(_) | Self::FCompare(..) | Self::FIsNan(_) | Self::ICompare(_) | Self::Vote(_) =>
                Type::Bool,
            Self::B32(_)
            | Self::ReadVar(_)
            | Self::FToS(..)
            | Self::FToU(..)
            | Self::BToI
            | Self::Load(_)
            | Self::Atomic(..)
            | Self::BufferLength(_)
            | Self::Interpolate(..)
            | Self::BitCount
            | Self::BitReverse
            | Self::UFindMsb
            | Self::SFindMsb
            | Self::FindLsb
            | Self::UBitExtract
            | Self::SBitExtract
            | Self::BitInsert
            | Self::Ballot
            | Self::Shuffle
            | Self::Dot(_)
            | Self::Pow
            | Self::Clamp
            | Self::Mix
            | Self::Fract
            | Self::Compound(_)
            | Self::Exponent
            | Self::PackNorm(_)
            | Self::UnpackNorm(..)
            | Self::Length(_) => Type::B32,
            Self::B16(_) => Type::B16,
            Self::B64(_) | Self::FToS64(..) | Self::FToU64(..) => Type::B64,
            Self::Low | Self::High =>
                if first == Type::B64 {
                    Type::B32
                } else {
                    Type::B16
                },
            Self::Join =>
                if first == Type::B16 {
                    Type::B32
                } else {
                    Type::B64
                },
            Self::FAdd(mode)
            | Self::FMul(mode, _)
            | Self::FFma(mode, _)
            | Self::FDiv(mode)
            | Self::FMin(mode, _)
            | Self::FMax(mode, _)
            | Self::FRound(mode, _)
            | Self::FSaturate(mode)
            | Self::FRcp(mode)
            | Self::FRsq(mode)
            | Self::FSqrt(mode)
            | Self::FExp2(mode)
            | Self::FLog2(mode)
            | Self::FSin(mode)
            | Self::FCos(mode)
            | Self::FAtan(mode)
            | Self::FAtan2(mode)
            | Self::Derivative(_, mode)
            | Self::SToF(mode)
            | Self::UToF(mode)
            | Self::FConvert(_, mode) => mode.width.ty(),
            Self::FNeg(width) | Self::FAbs(width) => width.ty(),
            Self::IAdd
            | Self::ISub
            | Self::IMul
            | Self::INeg
            | Self::And
            | Self::Or
            | Self::Xor
            | Self::Not
            | Self::Shl
            | Self::ShrU
            | Self::ShrS
            | Self::SMin
            | Self::SMax
            | Self::UMin
            | Self::UMax
            | Self::SMulHigh
            | Self::UMulHigh
            | Self::SDiv
            | Self::UDiv
            | Self::SRem
            | Self::URem => first,
            Self::Select => args.get(1).copied().unwrap_or(Type::B32),
            Self::QuadRead(_) => Type::B32,
            Self::Texture(_) => return SmallVec::from_elem(Type::B32, 4),
            Self::Image(image) => return SmallVec::from_elem(Type::B32, image.results()),
            Self::Cross => return SmallVec::from_elem(Type::B32, 3),
            Self::Normalize(lanes)
            | Self::Refract(lanes)
            | Self::InverseTimes(lanes)
            | Self::TimesInverse(lanes) => return SmallVec::from_elem(Type::B32, lanes.into()),
            Self::WriteVar(_)
            | Self::Store(_)
            | Self::Call(_)
            | Self::Barrier(_)
            | Self::Demote
            | Self::EmitVertex(_)
            | Self::EndPrimitive(_) => return smallvec![],
        }]
    }

    /// Whether operands of these types fit. [`Op::ReadVar`], [`Op::WriteVar`] and [`Op::Call`] depend on
    /// the module: here the first takes nothing, the second one operand, the third anything.
    pub fn takes(&self, args: &[Type]) -> bool {
        let all = |count: usize, ty: Type| args.len() == count && args.iter().all(|arg| *arg == ty);
        let integers = |count: usize| {
            args.len() == count
                && args.first().is_some_and(|first| {
                    matches!(first, Type::B32 | Type::B64) && args.iter().all(|arg| arg == first)
                })
        };
        match *self {
            Self::Bool(_)
            | Self::B16(_)
            | Self::B32(_)
            | Self::B64(_)
            | Self::ReadVar(_)
            | Self::Barrier(_)
            | Self::Demote
            | Self::EmitVertex(_)
            | Self::EndPrimitive(_) => args.is_empty(),
            Self::WriteVar(_) => args.len() == 1,
            Self::Call(_) => true,
            Self::FAdd(mode)
            | Self::FMul(mode, _)
            | Self::FDiv(mode)
            | Self::FMin(mode, _)
            | Self::FMax(mode, _)
            | Self::FAtan2(mode)
            | Self::FCompare(_, mode) => all(2, mode.width.ty()),
            Self::FFma(mode, _) => all(3, mode.width.ty()),
            Self::FRound(mode, _)
            | Self::FSaturate(mode)
            | Self::FRcp(mode)
            | Self::FRsq(mode)
            | Self::FSqrt(mode)
            | Self::FExp2(mode)
            | Self::FLog2(mode)
            | Self::FSin(mode)
            | Self::FCos(mode)
            | Self::FAtan(mode)
            | Self::Derivative(_, mode) => all(1, mode.width.ty()),
            Self::FNeg(width)
            | Self::FAbs(width)
            | Self::FIsNan(width)
            | Self::FToS(width, _)
            | Self::FToU(width, _)
            | Self::FToS64(width, _)
            | Self::FToU64(width, _)
            | Self::FConvert(width, _) => all(1, width.ty()),
            Self::SToF(_) | Self::UToF(_) => integers(1),
            Self::BitCount | Self::BitReverse | Self::UFindMsb | Self::SFindMsb | Self::FindLsb => {
                all(1, Type::B32)
            }
            Self::UBitExtract | Self::SBitExtract => all(3, Type::B32),
            Self::BitInsert => all(4, Type::B32),
            Self::Low | Self::High => integers(1),
            Self::Join => all(2, Type::B32) || all(2, Type::B16),
            Self::IAdd
            | Self::ISub
            | Self::IMul
            | Self::ICompare(_)
            | Self::SMin
            | Self::SMax
            | Self::UMin
            | Self::UMax
            | Self::SMulHigh
            | Self::UMulHigh
            | Self::SDiv
            | Self::UDiv
            | Self::SRem
            | Self::URem => integers(2),
            Self::INeg => integers(1),
            Self::And | Self::Or | Self::Xor => integers(2) || all(2, Type::Bool),
            Self::Not => integers(1) || all(1, Type::Bool),
            Self::Shl | Self::ShrU | Self::ShrS => {
                matches!(args, [Type::B32 | Type::B64, Type::B32]) || matches!(args, [Type::B64, Type::B64])
            }
            Self::QuadRead(_) => all(1, Type::B32),
            Self::Texture(texture) => all(texture.operands(), Type::B32),
            Self::BToI => all(1, Type::Bool),
            Self::Select => matches!(args, [Type::Bool, a, b] if a == b),
            Self::Load(access) => all(access.address_operands(), Type::B32),
            Self::BufferLength(length) => args.is_empty() && length.stride > 0,
            Self::Store(access) => all(1 + access.address_operands(), Type::B32),
            Self::Atomic(op, access) => {
                matches!(access.space, Space::Shared | Space::Storage | Space::Global)
                    && all(access.address_operands() + op.operands(), Type::B32)
            }
            Self::Interpolate(place, access) => {
                access.space == Space::Input && all(access.address_operands() + place.operands(), Type::B32)
            }
            Self::Image(image) => all(image.operands(), Type::B32),
            Self::Vote(_) | Self::Ballot => all(1, Type::Bool),
            Self::Shuffle => all(2, Type::B32),
            Self::Dot(lanes) => (2..=4).contains(&lanes) && all(2 * usize::from(lanes), Type::B32),
            Self::Pow => all(2, Type::B32),
            Self::Clamp | Self::Mix => all(3, Type::B32),
            Self::Fract => all(1, Type::B32),
            Self::Cross => all(6, Type::B32),
            Self::Refract(lanes) => (2..=3).contains(&lanes) && all(2 * usize::from(lanes) + 1, Type::B32),
            Self::InverseTimes(size) | Self::TimesInverse(size) => {
                (2..=4).contains(&size) && all(usize::from(size) * (usize::from(size) + 1), Type::B32)
            }
            Self::Exponent => all(1, Type::B32),
            Self::Compound(compound) => all(compound.operands(), Type::B32),
            Self::PackNorm(norm) => all(norm.fields(), Type::B32),
            Self::UnpackNorm(norm, field) => usize::from(field) < norm.fields() && all(1, Type::B32),
            Self::Normalize(lanes) | Self::Length(lanes) => {
                (2..=4).contains(&lanes) && all(lanes.into(), Type::B32)
            }
        }
    }

    /// Whether the first two operands may change places without changing the result, where any NaN
    /// counts as equal to any other.
    pub fn is_commutative(&self) -> bool {
        use crate::{CompareFloat, CompareInt, MinMax};
        matches!(
            self,
            Self::FAdd(_)
                | Self::FMul(..)
                | Self::FFma(..)
                | Self::FCompare(CompareFloat::Eq | CompareFloat::Ne, _)
                | Self::FMin(_, MinMax::Number)
                | Self::FMax(_, MinMax::Number)
                | Self::IAdd
                | Self::IMul
                | Self::ICompare(CompareInt::Eq | CompareInt::Ne)
                | Self::And
                | Self::Or
                | Self::Xor
                | Self::SMin
                | Self::SMax
                | Self::UMin
                | Self::UMax
                | Self::SMulHigh
                | Self::UMulHigh
        )
    }
}
