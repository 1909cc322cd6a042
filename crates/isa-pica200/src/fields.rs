//! Where the fields of each format lie in a code word. Decoding and encoding follow.

use super::{Compare, Condition, Dest, Format, Index, Inst, Opcode, Operands, Reg};
use unshade_isa_common::field::{Field, Held, held};

held! {
    Reg: |bits| Self(bits as u8), |value| value.0.into();
    Dest: |bits| Self(bits as u8), |value| value.0.into();
    Index: |bits| Self::from_bits(bits), |value| Self::bits(value);
    Compare: |bits| Self::from_bits(bits), |value| Self::bits(value);
    Condition: |bits| Self { op: bits as u8 & 3, ref_y: bits >> 2 & 1 != 0, ref_x: bits >> 3 & 1 != 0 },
        |value| u32::from(value.op & 3) | u32::from(value.ref_y) << 2 | u32::from(value.ref_x) << 3;
}

macro_rules! formats {
    ($($format:ident = $operands:ident, $inverted:pat => { $($name:ident: $low:literal + $width:literal),* };)*) => {
        /// Decodes one code word.
        pub fn decode(word: u32) -> Inst {
            let Some(opcode) = Opcode::of_word(word) else { return Inst::Unknown(word) };
            let operands = match opcode.format() {
                $(Format::$format => Operands::$operands {
                    $($name: Held::of(Field { name: stringify!($name), low: $low, width: $width }.get(word.into())),)*
                },)*
            };
            Inst::Known { opcode, operands }
        }

        /// The bits of operands. `inverted`: the last source is the wide one.
        #[inline(always)]
        pub(super) fn bits(operands: Operands, inverted: bool) -> u32 {
            match (operands, inverted) {
                $((Operands::$operands { $($name),* }, $inverted) => {
                    0 $(| Field { name: stringify!($name), low: $low, width: $width }.put($name.bits()) as u32)*
                })*
            }
        }
    };
}

formats! {
    Bare = Bare, _ => { unused: 0 + 26 };
    One = One, _ => { desc: 0 + 7, dst: 21 + 5, src1: 12 + 7, index: 19 + 2, unused: 7 + 5 };
    Two = Two, false => { desc: 0 + 7, dst: 21 + 5, src1: 12 + 7, src2: 7 + 5, index: 19 + 2 };
    TwoInverted = Two, true => { desc: 0 + 7, dst: 21 + 5, src1: 14 + 5, src2: 7 + 7, index: 19 + 2 };
    Compare = Compare, _ => { desc: 0 + 7, src1: 12 + 7, src2: 7 + 5, index: 19 + 2, x: 24 + 3, y: 21 + 3 };
    Mad = Mad, false => { desc: 0 + 5, dst: 24 + 5, src1: 17 + 5, src2: 10 + 7, src3: 5 + 5, index: 22 + 2 };
    MadInverted = Mad, true => { desc: 0 + 5, dst: 24 + 5, src1: 17 + 5, src2: 12 + 5, src3: 5 + 7, index: 22 + 2 };
    FlowCondition = FlowCondition, _ => { num: 0 + 8, unused: 8 + 2, dst: 10 + 12, condition: 22 + 4 };
    FlowUniform = FlowUniform, _ => { num: 0 + 8, unused: 8 + 2, dst: 10 + 12, uniform: 22 + 4 };
    SetEmit = SetEmit, _ => { vertex: 24 + 2, primitive: 23 + 1, invert: 22 + 1, unused: 0 + 22 };
}
