//! Kinds of scalars, and which of them operations read and give by themselves.

use crate::{CompareInt, Op, Texture, TextureQuery};

/// Kind of a scalar.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Scalar {
    /// Truth value.
    Bool,
    /// 32-bit signed integer.
    Int,
    /// 32-bit unsigned integer.
    Uint,
    /// binary32.
    Float,
    /// binary64.
    Double,
}

impl Scalar {
    /// The sign bit, where it has one as floats do.
    pub(crate) fn sign_bit(self) -> u64 {
        if self == Self::Double { 1 << 63 } else { 1 << 31 }
    }

    /// Whether it is a float of any width.
    pub fn is_float(self) -> bool {
        matches!(self, Self::Float | Self::Double)
    }
}

/// Whether an operation only moves bits or does arithmetic that is the same for both signs.
pub(crate) fn is_open(op: &Op) -> bool {
    matches!(
        op,
        Op::IAdd
            | Op::ISub
            | Op::IMul
            | Op::INeg
            | Op::And
            | Op::Or
            | Op::Xor
            | Op::Not
            | Op::Shl
            | Op::Select
            | Op::Shuffle
            | Op::B32(_)
    )
}

/// The kind an operation gives by itself.
pub(crate) fn given(op: &Op) -> Option<Scalar> {
    Some(match op {
        Op::FToS(..) | Op::SMin | Op::SMax | Op::ShrS | Op::BToI | Op::SMulHigh | Op::SDiv | Op::SRem => {
            Scalar::Int
        }
        Op::FToU(..) | Op::ShrU | Op::UMin | Op::UMax | Op::UMulHigh | Op::UDiv | Op::URem => Scalar::Uint,
        Op::Texture(Texture { query: TextureQuery::Size | TextureQuery::Samples, .. }) => Scalar::Int,
        Op::BitCount | Op::UFindMsb | Op::SFindMsb | Op::FindLsb | Op::SBitExtract => Scalar::Int,
        Op::BufferLength(_) | Op::Exponent => Scalar::Int,
        Op::BitReverse | Op::UBitExtract | Op::BitInsert | Op::Ballot | Op::PackNorm(_) => Scalar::Uint,
        // Two floats of 16 bits.
        Op::Join => Scalar::Uint,
        op if is_open(op) => return None,
        _ => Scalar::Float,
    })
}

/// The kind in which an operation reads an operand; none if it does not care.
pub(crate) fn wanted(op: &Op, position: usize) -> Option<Scalar> {
    Some(match op {
        Op::SToF(_)
        | Op::SMin
        | Op::SMax
        | Op::ShrS
        | Op::SMulHigh
        | Op::SDiv
        | Op::SRem
        | Op::ICompare(CompareInt::Slt | CompareInt::Sle) => Scalar::Int,
        Op::UToF(_)
        | Op::ShrU
        | Op::UMin
        | Op::UMax
        | Op::UMulHigh
        | Op::UDiv
        | Op::URem
        | Op::ICompare(CompareInt::Ult | CompareInt::Ule) => Scalar::Uint,
        Op::Texture(texture) if texture.is_integer() || texture.indexed && position == 0 => Scalar::Int,
        // Offsets in texels are the last.
        Op::Texture(texture) if position + texture.offset_operands() >= texture.operands() => Scalar::Int,
        Op::SFindMsb => Scalar::Int,
        Op::BitCount | Op::BitReverse | Op::UFindMsb | Op::Low | Op::High => Scalar::Uint,
        Op::UBitExtract if position == 0 => Scalar::Uint,
        Op::BitInsert if position < 2 => Scalar::Uint,
        Op::UBitExtract | Op::SBitExtract | Op::BitInsert => Scalar::Int,
        Op::Shl | Op::Shuffle => return (position == 1).then_some(Scalar::Uint),
        Op::Atomic(..) | Op::Image(_) | Op::Interpolate(..) | Op::Vote(_) | Op::Ballot => return None,
        Op::ICompare(_) | Op::Load(_) | Op::Store(_) | Op::Call(_) | Op::FindLsb => return None,
        Op::UnpackNorm(..) => Scalar::Uint,
        op if is_open(op) => return None,
        _ => Scalar::Float,
    })
}
