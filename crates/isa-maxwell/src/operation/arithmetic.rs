//! What arithmetic is told beside its sources.

use super::{CompareInt, Source, Source64};

/// Halves of a 32-bit source of `IADD3`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum AddPart {
    /// All of it.
    Word,
    /// Lower half, zeros above.
    Low,
    /// Upper half, zeros above.
    High,
}

/// What `IADD3` does with the sum of its first two sources.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum AddShift {
    /// Nothing.
    None,
    /// Shifts it 16 bits to the right.
    Right,
    /// Shifts it 16 bits to the left.
    Left,
}

/// What the addend of `XMAD` is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum MultiplyAddend {
    /// C.
    Word,
    /// Its lower half.
    Low,
    /// Its upper half, moved down.
    High,
    /// C less a correction for signs (`.CSFU`).
    SignCorrected,
    /// C plus the lower half of B moved up (`.CBCC`).
    PlusB,
}

/// What the multiply of floats is scaled by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Scale(
    /// Power of two, -3 to 3.
    pub i8,
);

/// Functions of one float (`MUFU`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Function {
    /// Cosine.
    Cos,
    /// Sine.
    Sin,
    /// Power of two.
    Exp2,
    /// Logarithm to base two.
    Log2,
    /// 1 / x.
    Reciprocal,
    /// 1 / sqrt x.
    ReciprocalSqrt,
    /// Upper half of 1 / x of a double of which this is the upper half.
    Reciprocal64High,
    /// The same for 1 / sqrt x.
    ReciprocalSqrt64High,
    /// Square root.
    Sqrt,
}

/// Logic of two words.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Logic {
    /// Bits of both.
    And,
    /// Bits of either.
    Or,
    /// Bits of one.
    Xor,
    /// The second.
    PassB,
}

/// How `PRMT` takes its selector.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum PermuteMode {
    /// Four nibbles.
    Index,
    /// Forward.
    Forward4Extract,
    /// Backward.
    Backward4Extract,
    /// One byte everywhere.
    Replicate8,
    /// Clamped from the left.
    EdgeClampLeft,
    /// Clamped from the right.
    EdgeClampRight,
    /// One half everywhere.
    Replicate16,
}

/// Width of a float in a conversion.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum FloatFormat {
    /// binary16.
    F16,
    /// binary32.
    F32,
    /// binary64.
    F64,
}

/// Integer in a conversion.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct IntFormat {
    /// 8, 16, 32 or 64 bits.
    pub bits: u8,
    /// With a sign.
    pub signed: bool,
}

/// Source of a conversion.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ConversionSource {
    /// Up to 32 bits.
    Word {
        /// Where it comes from.
        source: Source,
        /// Which byte (of 8 bits) or half (of 16) from the lowest on.
        part: u8,
    },
    /// 64 bits.
    Double(Source64),
}

/// Where the bits of a funnel shift come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum FunnelWidth {
    /// A pair, shifted by up to 32.
    B32,
    /// An unsigned number of 64 bits, shifted by up to 63.
    U64,
    /// A signed one.
    S64,
}

/// What a video operation does with its result.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum VideoMerge {
    /// It is the result.
    None,
    /// Its lower half goes into the upper half of C.
    Merge16High,
    /// Its lower half goes into the lower half of C.
    Merge16Low,
    /// Its lowest byte goes into byte 0 of C.
    Merge8Byte0,
    /// Its lowest byte goes into byte 2 of C.
    Merge8Byte2,
    /// Added to C.
    Accumulate,
    /// The smaller of it and C.
    Min,
    /// The larger.
    Max,
}

/// What a video operation computes first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Video {
    /// a + b.
    Add,
    /// a + b + 1.
    AddOne,
    /// |a - b|.
    AbsoluteDifference,
    /// The smaller.
    Min,
    /// The larger.
    Max,
    /// a << b; `wrap`: only the lower five bits of b count, else b stops at 32.
    ShiftLeft {
        /// See above.
        wrap: bool,
    },
    /// a >> b.
    ShiftRight {
        /// As above.
        wrap: bool,
    },
    /// 1 where the comparison holds.
    Set(CompareInt),
}

/// What `VABSDIFF4` does with bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct QuadBytes {
    /// For each lane from the lowest on the byte of `{b:a}` (0-7), of the first operand and of the second.
    pub select: [[u8; 4]; 2],
    /// Bytes of the operands have signs.
    pub signed: [bool; 2],
    /// Lanes that have a result, bit 0 = lowest byte.
    pub lanes: u8,
    /// Results have signs (`.SD`).
    pub signed_result: bool,
    /// Results stay at the limits of a byte.
    pub saturate: bool,
    /// Results are added to C.
    pub accumulate: bool,
}
