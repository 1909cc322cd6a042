//! The bits of an instruction word, as its fields.

use std::fmt;

/// A general register; 255 is `RZ`, which reads zero and swallows what is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Register(pub u8);

impl Register {
    /// The register that is always zero.
    pub const ZERO: Self = Self(255);

    /// Whether it is the register that is always zero.
    pub fn is_zero(self) -> bool {
        self == Self::ZERO
    }

    /// The register `n` further on, of a block that starts here; a block at `RZ` is all `RZ`.
    pub fn further(self, n: u8) -> Self {
        if self.is_zero() { self } else { Self(self.0.wrapping_add(n)) }
    }
}

impl fmt::Display for Register {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_zero() { f.write_str("RZ") } else { write!(f, "R{}", self.0) }
    }
}

/// A predicate that is read: 7 is `PT`, always true.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Predicate {
    /// Its number, 0-7.
    pub number: u8,
    /// Read inverted.
    pub not: bool,
}

impl Predicate {
    /// Always true.
    pub const TRUE: Self = Self { number: 7, not: false };

    /// Whether it holds whatever the predicates are.
    pub fn is_true(self) -> bool {
        self == Self::TRUE
    }

    /// Whether it never holds.
    pub fn is_never(self) -> bool {
        self.number == 7 && self.not
    }
}

impl fmt::Display for Predicate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let not = if self.not { "!" } else { "" };
        match self.number {
            7 => write!(f, "{not}PT"),
            number => write!(f, "{not}P{number}"),
        }
    }
}

/// An instruction word. Positions count from the lowest bit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Word(pub u64);

impl Word {
    /// `len` bits from `at` on; `len` below 64.
    pub fn bits(self, at: u32, len: u32) -> u64 {
        (self.0 >> at) & ((1 << len) - 1)
    }

    /// One bit.
    pub fn bit(self, at: u32) -> bool {
        self.0 >> at & 1 == 1
    }

    /// `len` bits from `at` on as a two's complement number; `len` 1-64.
    pub fn signed(self, at: u32, len: u32) -> i64 {
        ((self.0 >> at) << (64 - len)) as i64 >> (64 - len)
    }

    /// The register number of eight bits.
    pub fn register(self, at: u32) -> Register {
        Register(self.bits(at, 8) as u8)
    }

    /// A predicate that is written: its number of three bits; 7: none.
    pub fn predicate(self, at: u32) -> u8 {
        self.bits(at, 3) as u8
    }

    /// A predicate that is read: its number of three bits, and behind them whether it is inverted.
    pub fn condition(self, at: u32) -> Predicate {
        Predicate { number: self.predicate(at), not: self.bit(at + 3) }
    }

    /// The predicate that decides whether the instruction does anything.
    pub fn guard(self) -> Predicate {
        self.condition(16)
    }
}
