//! Instruction to instruction word: the inverse of [`super::decode()`].

use super::table::field::*;
use super::{Inst, Source, StoreSource};

/// Encodes one instruction. Fields wider than their place lose the bits that do not fit, so values that came
/// from [`super::decode()`] always come back.
pub fn encode(inst: &Inst) -> u128 {
    let source = |field: super::Field, source: Source| field.put(source.0.into());
    let stored = |field: super::Field, source: StoreSource| field.put(source.0.into());
    let flag = |field: super::Field, set: bool| field.put(set.into());
    let byte = |field: super::Field, value: u8| field.put(value.into());
    source(MUL0_SRC0, inst.mul[0].sources[0])
        | source(MUL0_SRC1, inst.mul[0].sources[1])
        | source(MUL1_SRC0, inst.mul[1].sources[0])
        | source(MUL1_SRC1, inst.mul[1].sources[1])
        | flag(MUL0_NEGATE, inst.mul[0].negate)
        | flag(MUL1_NEGATE, inst.mul[1].negate)
        | source(ADD0_SRC0, inst.add[0].sources[0])
        | source(ADD0_SRC1, inst.add[0].sources[1])
        | source(ADD1_SRC0, inst.add[1].sources[0])
        | source(ADD1_SRC1, inst.add[1].sources[1])
        | flag(ADD0_NEGATE0, inst.add[0].negate[0])
        | flag(ADD0_NEGATE1, inst.add[0].negate[1])
        | flag(ADD1_NEGATE0, inst.add[1].negate[0])
        | flag(ADD1_NEGATE1, inst.add[1].negate[1])
        | LOAD_ADDRESS.put(inst.load.address.into())
        | byte(LOAD_OFFSET, inst.load.offset)
        | byte(REG0_ADDRESS, inst.reg0.number)
        | flag(REG0_ATTRIBUTE, inst.reg0.attribute)
        | byte(REG1_ADDRESS, inst.reg1)
        | flag(STORE0_TEMPORARY, inst.store[0].temporary)
        | flag(STORE1_TEMPORARY, inst.store[1].temporary)
        | flag(BRANCH, inst.branch)
        | flag(BRANCH_LOW, inst.target & 0x100 == 0)
        | stored(STORE0_X, inst.store[0].sources[0])
        | stored(STORE0_Y, inst.store[0].sources[1])
        | stored(STORE1_Z, inst.store[1].sources[0])
        | stored(STORE1_W, inst.store[1].sources[1])
        | ADD_OP.put(inst.add_op.number())
        | COMPLEX_OP.put(inst.complex_op.number())
        | byte(STORE0_ADDRESS, inst.store[0].number)
        | flag(STORE0_VARYING, inst.store[0].varying)
        | byte(STORE1_ADDRESS, inst.store[1].number)
        | flag(STORE1_VARYING, inst.store[1].varying)
        | MUL_OP.put(inst.mul_op.number())
        | PASS_OP.put(inst.pass_op.number())
        | source(COMPLEX_SRC, inst.complex)
        | source(PASS_SRC, inst.pass)
        | byte(UNKNOWN_1, inst.unknown_1)
        | BRANCH_TARGET.put(inst.target.into())
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
