//! Instruction to code word: the inverse of [`super::decode()`].

use super::{Format, Inst, Opcode, fields};

/// Encodes one instruction. Fields wider than their place lose the bits that do not fit, so values that
/// came from [`super::decode()`] always come back. Operands that do not belong to the opcode's format are
/// written in their own format.
pub fn encode(inst: Inst) -> u32 {
    let (opcode, operands) = match inst {
        Inst::Unknown(word) => return word,
        Inst::Known { opcode, operands } => (opcode, operands),
    };
    let inverted = matches!(opcode.format(), Format::TwoInverted | Format::MadInverted);
    head(opcode) | fields::bits(operands, inverted)
}

/// The opcode bits. Operations that own several values of bits 26-31 keep their fields in the low ones,
/// which are zero in the first value.
fn head(opcode: Opcode) -> u32 {
    u32::from(opcode.row().first) << 26
}
