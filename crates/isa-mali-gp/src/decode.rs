//! Instruction word to instruction. Total: every word decodes.

use super::Inst;
use super::table::{EMPTY, field, with_fields};
use unshade_isa_common::field::Held;

macro_rules! decoder {
    ($($(#[$doc:meta])* $field:ident = $name:literal, $low:literal + $width:literal $(=> ($($path:tt)+))?;)*) => {
        /// Decodes one instruction word.
        #[inline]
        pub fn decode(word: u128) -> Inst {
            let mut inst = Inst::default();
            $($(inst.$($path)+ = Held::of(field::$field.get(word));)?)*
            // The target lies in two fields, the upper of them inverted.
            let high = field::BRANCH_LOW.get(word) ^ 1;
            inst.target = (field::BRANCH_TARGET.get(word) | high << 8) as u16;
            inst
        }
    };
}

with_fields!(decoder);

impl Inst {
    /// The instruction that does nothing.
    pub fn empty() -> Self {
        decode(EMPTY)
    }
}

/// The instruction words of a code, four 32-bit words each, and the words that are left over at its end.
pub fn instructions(
    words: &[u32],
) -> (impl DoubleEndedIterator<Item = u128> + ExactSizeIterator + '_, &[u32]) {
    let (whole, rest) = words.as_chunks::<4>();
    (whole.iter().map(|&[a, b, c, d]| join([a, b, c, d])), rest)
}

/// The instruction word of four 32-bit words, the lowest first.
#[inline]
pub fn join(words: [u32; 4]) -> u128 {
    let [a, b, c, d] = words.map(u64::from);
    u128::from(a | b << 32) | u128::from(c | d << 32) << 64
}
