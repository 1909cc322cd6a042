//! What operations read and write.

use crate::{Predicate, Register};

/// A place in a constant bank.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Constant {
    /// Bank, 0-31.
    pub bank: u8,
    /// Byte in the bank.
    pub offset: u16,
}

/// Where a 32-bit source comes from. Immediates are the bits that the machine computes with: those of floats
/// are widened to binary32, those of integers sign extended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Source {
    /// A register.
    Register(Register),
    /// A constant.
    Constant(Constant),
    /// A number in the instruction.
    Immediate(u32),
}

/// Where a 64-bit source comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Source64 {
    /// A register and the one behind it, the lower half first.
    Pair(Register),
    /// Eight bytes of a bank.
    Constant(Constant),
    /// A number in the instruction; of doubles it gives the upper bits.
    Immediate(u64),
}

/// A float source: its magnitude is taken first, then its sign flipped.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Float {
    /// Where it comes from.
    pub source: Source,
    /// `-x`.
    pub negate: bool,
    /// `|x|`.
    pub absolute: bool,
}

/// A double source, changed like a [`Float`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Double {
    /// Where it comes from.
    pub source: Source64,
    /// `-x`.
    pub negate: bool,
    /// `|x|`.
    pub absolute: bool,
}

/// Which two halves an operation on pairs of halves takes from 32 bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Swizzle {
    /// Both as they lie.
    H1H0,
    /// The 32 bits are one binary32, taken for both.
    F32,
    /// The lower half twice.
    H0H0,
    /// The upper half twice.
    H1H1,
}

/// A source of two halves; magnitude and sign apply to both.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Halves {
    /// Where the 32 bits come from.
    pub source: Source,
    /// Which halves.
    pub swizzle: Swizzle,
    /// `-x`.
    pub negate: bool,
    /// `|x|`.
    pub absolute: bool,
}

/// How two half results become a register.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum HalfOutput {
    /// Both halves.
    Both,
    /// The lower result as a binary32.
    F32,
    /// The lower result into the lower half, the upper half stays.
    MergeLow,
    /// The upper result into the upper half, the lower half stays.
    MergeHigh,
}

/// An integer source.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Integer {
    /// Where it comes from.
    pub source: Source,
    /// Its negative; with a carry coming in (`.X`) its complement, and the carry does the rest.
    pub negate: bool,
}

/// A source of logic.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Bits {
    /// Where it comes from.
    pub source: Source,
    /// Inverted.
    pub invert: bool,
}

/// Part of a 32-bit source that is read as an integer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Part {
    /// All of it.
    Word,
    /// Its lower 24 bits.
    Low24,
    /// Half 0 or 1.
    Half(u8),
    /// Byte 0-3.
    Byte(u8),
}

/// Part of a source with its sign.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct PartOf {
    /// Where it comes from.
    pub source: Source,
    /// Which part.
    pub part: Part,
    /// Extended with its sign.
    pub signed: bool,
    /// Its negative.
    pub negate: bool,
}

/// A register that is written, and whether the condition code is written too (`.CC`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Destination {
    /// The register; of 64-bit results the lower half.
    pub register: Register,
    /// Writes zero, sign, carry and overflow.
    pub flags: bool,
}

/// Two predicates that a comparison writes: the result with the third operand combined, and the combination
/// with the opposite result. 7: none.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Predicates {
    /// The result.
    pub result: u8,
    /// The same with the comparison inverted.
    pub opposite: u8,
}

/// How a truth value lands in a register.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Truth {
    /// All ones or zero.
    Mask,
    /// 1.0 or 0.0.
    Float,
}

/// Rounding.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Rounding {
    /// To nearest, ties to even.
    Nearest,
    /// Towards minus infinity.
    Down,
    /// Towards plus infinity.
    Up,
    /// Towards zero.
    Zero,
}

/// What happens to denormals, and to zeros in a multiply.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Denormals {
    /// They stay.
    Keep,
    /// They are zero, in operands and results.
    Flush,
    /// The same, and zero times anything is zero.
    FlushZeroWins,
}

/// Comparison of floats: whether it holds where the first is less, equal, greater, or where one is no number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct CompareFloat {
    /// Holds for less.
    pub less: bool,
    /// Holds for equal.
    pub equal: bool,
    /// Holds for greater.
    pub greater: bool,
    /// Holds where an operand is no number.
    pub unordered: bool,
}

/// Comparison of integers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct CompareInt {
    /// Holds for less.
    pub less: bool,
    /// Holds for equal.
    pub equal: bool,
    /// Holds for greater.
    pub greater: bool,
}

/// How truth values are combined.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Combine {
    /// Both.
    And,
    /// One of them.
    Or,
    /// Exactly one.
    Xor,
}

/// A condition on the condition code: its five bits, of which [`ConditionCode::TRUE`] is nearly always there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct ConditionCode(pub u8);

impl ConditionCode {
    /// Always.
    pub const TRUE: Self = Self(15);
}

/// A predicate written from an integer result.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ResultTest {
    /// Never.
    False,
    /// Always.
    True,
    /// The result is zero.
    Zero,
    /// It is not.
    NotZero,
}

/// The third operand of comparisons and its combination.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Combined {
    /// How.
    pub with: Combine,
    /// The predicate.
    pub predicate: Predicate,
}
