//! Fields that many forms share.

use crate::operation::{
    Bits, Combine, Combined, CompareFloat, CompareInt, ConditionCode, Constant, Denormals, Destination,
    Double, Float, Integer, Predicates, Register, Rounding, Source, Source64, Truth,
};
use crate::word::Word;

/// Which source is what, told by the upper bits of the forms with a second source of several kinds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// B is a register, C the register of bits 39-46.
    Register,
    /// B is a constant.
    Constant,
    /// B is an immediate of 20 bits.
    Immediate,
    /// C is a constant, B the register of bits 39-46.
    ConstantThird,
}

impl Kind {
    /// The kind that the five upper bits name (the forms for which they do not are taken apart by themselves).
    pub(super) fn of(word: Word) -> Self {
        match word.bits(59, 5) {
            0b01011 => Self::Register,
            0b01010 => Self::ConstantThird,
            0b01001 => Self::Constant,
            _ => Self::Immediate,
        }
    }
}

/// What an immediate of 20 bits stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Immediate {
    /// A signed number.
    Integer,
    /// The upper bits of a binary32.
    Float,
}

impl Word {
    pub(super) fn immediate20(self, what: Immediate) -> u32 {
        let bits = (self.bits(20, 19) | u64::from(self.bit(56)) << 19) as u32;
        match what {
            Immediate::Integer => ((bits << 12) as i32 >> 12) as u32,
            Immediate::Float => bits << 12,
        }
    }

    pub(super) fn immediate32(self) -> u32 {
        self.bits(20, 32) as u32
    }

    pub(super) fn constant(self) -> Constant {
        Constant { bank: self.bits(34, 5) as u8, offset: (self.bits(20, 14) << 2) as u16 }
    }

    /// Register A of bits 8-15.
    pub(super) fn a(self) -> Source {
        Source::Register(self.register(8))
    }

    /// Source B of a form with two sources.
    pub(super) fn b(self, what: Immediate) -> Source {
        match Kind::of(self) {
            Kind::Register | Kind::ConstantThird => Source::Register(self.register(20)),
            Kind::Constant => Source::Constant(self.constant()),
            Kind::Immediate => Source::Immediate(self.immediate20(what)),
        }
    }

    /// Sources B and C of a form with three.
    pub(super) fn b_and_c(self, what: Immediate) -> (Source, Source) {
        let third = Source::Register(self.register(39));
        match Kind::of(self) {
            Kind::ConstantThird => (third, Source::Constant(self.constant())),
            _ => (self.b(what), third),
        }
    }

    /// Source B of 64 bits. An immediate is its upper half whatever it stands for, the lower is zero (measured:
    /// `I2F.F32.U64 R2, 3` gives 3 * 2^32).
    pub(super) fn wide_b(self, what: Immediate) -> Source64 {
        match Kind::of(self) {
            Kind::Register | Kind::ConstantThird => Source64::Pair(self.register(20)),
            Kind::Constant => Source64::Constant(self.constant()),
            Kind::Immediate => Source64::Immediate(u64::from(self.immediate20(what)) << 32),
        }
    }

    /// Register D of bits 0-7, with the bit that says whether the condition code is written.
    pub(super) fn destination(self, flags: u32) -> Destination {
        Destination { register: self.register(0), flags: self.bit(flags) }
    }

    /// Predicates of bits 3-5 and 0-2.
    pub(super) fn predicates(self) -> Predicates {
        Predicates { result: self.predicate(3), opposite: self.predicate(0) }
    }

    pub(super) fn rounding(self, at: u32) -> Rounding {
        match self.bits(at, 2) {
            0 => Rounding::Nearest,
            1 => Rounding::Down,
            2 => Rounding::Up,
            _ => Rounding::Zero,
        }
    }

    pub(super) fn denormals(self, at: u32) -> Option<Denormals> {
        match self.bits(at, 2) {
            0 => Some(Denormals::Keep),
            1 => Some(Denormals::Flush),
            2 => Some(Denormals::FlushZeroWins),
            _ => None,
        }
    }

    /// Four bits: less, equal, greater, unordered.
    pub(super) fn compare_float(self, at: u32) -> CompareFloat {
        CompareFloat {
            less: self.bit(at),
            equal: self.bit(at + 1),
            greater: self.bit(at + 2),
            unordered: self.bit(at + 3),
        }
    }

    /// Three bits: less, equal, greater.
    pub(super) fn compare_int(self, at: u32) -> CompareInt {
        CompareInt { less: self.bit(at), equal: self.bit(at + 1), greater: self.bit(at + 2) }
    }

    pub(super) fn combine(self, at: u32) -> Option<Combine> {
        match self.bits(at, 2) {
            0 => Some(Combine::And),
            1 => Some(Combine::Or),
            2 => Some(Combine::Xor),
            _ => None,
        }
    }

    /// The predicate of bits 39-42, combined as bits 45-46 say.
    pub(super) fn combined(self) -> Option<Combined> {
        Some(Combined { with: self.combine(45)?, predicate: self.condition(39) })
    }

    pub(super) fn condition_code(self, at: u32) -> ConditionCode {
        ConditionCode(self.bits(at, 5) as u8)
    }

    /// `.BF`: truth as a float.
    pub(super) fn truth(self, at: u32) -> Truth {
        if self.bit(at) { Truth::Float } else { Truth::Mask }
    }
}

/// A float without sign changes.
pub(super) fn float(source: Source, negate: bool, absolute: bool) -> Float {
    Float { source, negate, absolute }
}

/// A double with its sign changes.
pub(super) fn double(source: Source64, negate: bool, absolute: bool) -> Double {
    Double { source, negate, absolute }
}

/// An integer and whether it is negated.
pub(super) fn integer(source: Source, negate: bool) -> Integer {
    Integer { source, negate }
}

/// A source of logic and whether it is inverted.
pub(super) fn bits(source: Source, invert: bool) -> Bits {
    Bits { source, invert }
}

/// The register of eight bits as a source.
pub(super) fn register(register: Register) -> Source {
    Source::Register(register)
}
