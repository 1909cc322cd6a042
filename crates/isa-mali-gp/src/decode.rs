//! Instruction word to instruction. Total: every word decodes.

use super::table::{EMPTY, field::*};
use super::{Add, AddOp, ComplexOp, Inst, Load, Mul, MulOp, PassOp, Register, Source, Store, StoreSource};

impl Inst {
    /// The instruction that does nothing.
    pub fn empty() -> Self {
        decode(EMPTY)
    }
}

/// Decodes one instruction word.
#[inline]
pub fn decode(word: u128) -> Inst {
    let source = |field: super::Field| Source(field.get(word) as u8);
    let stored = |field: super::Field| StoreSource(field.get(word) as u8);
    let flag = |field: super::Field| field.get(word) != 0;
    let byte = |field: super::Field| field.get(word) as u8;
    Inst {
        mul: [
            Mul { sources: [source(MUL0_SRC0), source(MUL0_SRC1)], negate: flag(MUL0_NEGATE) },
            Mul { sources: [source(MUL1_SRC0), source(MUL1_SRC1)], negate: flag(MUL1_NEGATE) },
        ],
        mul_op: MulOp::of(MUL_OP.get(word)),
        add: [
            Add {
                sources: [source(ADD0_SRC0), source(ADD0_SRC1)],
                negate: [flag(ADD0_NEGATE0), flag(ADD0_NEGATE1)],
            },
            Add {
                sources: [source(ADD1_SRC0), source(ADD1_SRC1)],
                negate: [flag(ADD1_NEGATE0), flag(ADD1_NEGATE1)],
            },
        ],
        add_op: AddOp::of(ADD_OP.get(word)),
        complex: source(COMPLEX_SRC),
        complex_op: ComplexOp::of(COMPLEX_OP.get(word)),
        pass: source(PASS_SRC),
        pass_op: PassOp::of(PASS_OP.get(word)),
        load: Load { address: LOAD_ADDRESS.get(word) as u16, offset: byte(LOAD_OFFSET) },
        reg0: Register { number: byte(REG0_ADDRESS), attribute: flag(REG0_ATTRIBUTE) },
        reg1: byte(REG1_ADDRESS),
        store: [
            Store {
                sources: [stored(STORE0_X), stored(STORE0_Y)],
                number: byte(STORE0_ADDRESS),
                varying: flag(STORE0_VARYING),
                temporary: flag(STORE0_TEMPORARY),
            },
            Store {
                sources: [stored(STORE1_Z), stored(STORE1_W)],
                number: byte(STORE1_ADDRESS),
                varying: flag(STORE1_VARYING),
                temporary: flag(STORE1_TEMPORARY),
            },
        ],
        branch: flag(BRANCH),
        target: (BRANCH_TARGET.get(word) | (BRANCH_LOW.get(word) ^ 1) << 8) as u16,
        unknown_1: byte(UNKNOWN_1),
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
