//! Where control goes, and the machine's own registers.

use super::Constant;
use crate::Register;

/// What the branch stack remembers a place for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Token {
    /// `SSY` and `SYNC`: where paths meet.
    Sync,
    /// `PBK` and `BRK`: behind a loop.
    Break,
    /// `PCNT` and `CONT`: the next round of a loop.
    Continue,
    /// `PEXIT` and `EXIT`.
    Exit,
    /// `CAL`, `PRET` and `RET`.
    Return,
    /// `PLONGJMP` and `LONGJMP`.
    LongJump,
}

/// Where a jump goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Target {
    /// Bytes from the instruction behind this one (control words not skipped: address + 8).
    Relative(i32),
    /// Address in the program.
    Absolute(u32),
    /// In a constant: relative (`BRA`) or absolute (`JMP`) as the form has it.
    Constant {
        /// Where.
        place: Constant,
        /// Added to the offset (`BRX`, `JMX`), else `RZ`.
        register: Register,
        /// It is an address.
        absolute: bool,
    },
    /// A register plus bytes from the instruction behind this one (`BRX`).
    RegisterRelative(Register, i32),
    /// A register plus an address (`JMX`).
    RegisterAbsolute(Register, u32),
}

/// Special registers (`S2R`), by number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SpecialRegister(pub u8);
