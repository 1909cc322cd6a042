//! Instruction to instruction word: the inverse of [`super::decode()`].

use super::Inst;
use super::table::{field, with_fields};
use unshade_isa_common::field::Held;

macro_rules! encoder {
    ($($(#[$doc:meta])* $field:ident = $name:literal, $low:literal + $width:literal $(=> ($($path:tt)+))?;)*) => {
        /// Encodes one instruction. Fields wider than their place lose the bits that do not fit, so values that came
        /// from [`super::decode()`] always come back.
        pub fn encode(inst: &Inst) -> u128 {
            target(inst.target) $($(| field::$field.put(inst.$($path)+.bits()))?)*
        }
    };
}

with_fields!(encoder);

/// The fields of a branch target, of which the upper is inverted.
pub(super) fn target(target: u16) -> u128 {
    field::BRANCH_TARGET.put(target.into()) | field::BRANCH_LOW.put(u32::from(target & 0x100 == 0))
}

/// The four 32-bit words of an instruction word, the lowest first.
#[inline]
pub fn words(word: u128) -> [u32; 4] {
    [word as u32, (word >> 32) as u32, (word >> 64) as u32, (word >> 96) as u32]
}

#[cfg(test)]
mod tests {
    use super::super::{decode, decode::join, table::FIELDS};
    use super::*;

    #[test]
    fn every_single_bit_comes_back() {
        for bit in 0..128 {
            for word in [1 << bit, !(1 << bit)] {
                assert_eq!(encode(&decode(word)), word, "bit {bit}");
                assert_eq!(join(words(word)), word);
            }
        }
    }

    #[test]
    fn every_value_of_every_field_comes_back() {
        for field in FIELDS {
            for value in 0..=field.limit() {
                let word = super::super::table::EMPTY & !field.mask() | field.put(value);
                assert_eq!((encode(&decode(word)), field.get(word)), (word, value), "{}", field.name);
            }
        }
    }
}
