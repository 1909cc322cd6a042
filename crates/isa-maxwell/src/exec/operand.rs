//! What operands of a lane are.

use super::state::{Lane, Resources};
use crate::operation::{Bits, Double, Float, Part, PartOf, Source, Source64};
use crate::{Predicate, Register};

/// A lane with the constants that it reads.
#[derive(Clone, Copy)]
pub(super) struct Operands<'a> {
    pub(super) lane: &'a Lane,
    pub(super) resources: &'a Resources,
}

impl Operands<'_> {
    #[inline]
    pub(super) fn register(self, register: Register) -> u32 {
        register_of(self.lane, register)
    }

    /// A register and the one behind it.
    pub(super) fn pair(self, register: Register) -> u64 {
        u64::from(self.register(register)) | u64::from(self.register(register.further(1))) << 32
    }

    #[inline]
    pub(super) fn source(self, source: Source) -> u32 {
        match source {
            Source::Register(register) => self.register(register),
            Source::Constant(constant) => self.resources.constant(constant.bank, constant.offset.into()),
            Source::Immediate(bits) => bits,
        }
    }

    pub(super) fn wide(self, source: Source64) -> u64 {
        match source {
            Source64::Pair(register) => self.pair(register),
            Source64::Constant(constant) => {
                // The upper word is the one of the pair that lies higher. Where the second of a pair is asked for, the
                // lower word is 0 (measured).
                let at = u32::from(constant.offset);
                let low = if at & 4 == 0 { self.resources.constant(constant.bank, at) } else { 0 };
                u64::from(low) | u64::from(self.resources.constant(constant.bank, at | 4)) << 32
            }
            Source64::Immediate(bits) => bits,
        }
    }

    pub(super) fn predicate(self, predicate: Predicate) -> bool {
        self.lane.holds(predicate)
    }

    #[inline]
    pub(super) fn float(self, float: Float) -> u32 {
        changed32(self.source(float.source), float.negate, float.absolute)
    }

    pub(super) fn double(self, double: Double) -> u64 {
        let bits = self.wide(double.source);
        let bits = if double.absolute { bits & !(1 << 63) } else { bits };
        if double.negate { bits ^ 1 << 63 } else { bits }
    }

    pub(super) fn bits(self, bits: Bits) -> u32 {
        let word = self.source(bits.source);
        if bits.invert { !word } else { word }
    }

    /// A part as a number.
    pub(super) fn part(self, part: PartOf) -> i64 {
        let word = self.source(part.source);
        let (bits, width) = match part.part {
            Part::Word => (word, 32),
            Part::Low24 => (word & 0xff_ffff, 24),
            Part::Half(half) => (word >> (16 * u32::from(half & 1)) & 0xffff, 16),
            Part::Byte(byte) => (word >> (8 * u32::from(byte & 3)) & 0xff, 8),
        };
        let value =
            if part.signed { i64::from(bits) << (64 - width) >> (64 - width) } else { i64::from(bits) };
        if part.negate { -value } else { value }
    }
}

#[inline]
pub(super) fn register_of(lane: &Lane, register: Register) -> u32 {
    if register.is_zero() { 0 } else { lane.registers[usize::from(register.0)] }
}

/// Writes a register.
#[inline]
pub(super) fn write(lane: &mut Lane, register: Register, value: u32) {
    if !register.is_zero() {
        lane.registers[usize::from(register.0)] = value;
    }
}

/// Writes a register and the one behind it.
pub(super) fn write_pair(lane: &mut Lane, register: Register, value: u64) {
    write(lane, register, value as u32);
    write(lane, register.further(1), (value >> 32) as u32);
}

/// Writes a predicate; 7 is none.
pub(super) fn write_predicate(lane: &mut Lane, number: u8, value: bool) {
    if number < 7 {
        lane.predicates = lane.predicates & !(1 << number) | u8::from(value) << number;
    }
}

/// Magnitude, then sign, of binary32.
#[inline]
pub(super) fn changed32(bits: u32, negate: bool, absolute: bool) -> u32 {
    let bits = if absolute { bits & 0x7fff_ffff } else { bits };
    if negate { bits ^ 0x8000_0000 } else { bits }
}
