//! Code word to instruction. Total: every word decodes.

use super::{Compare, Condition, Dest, Format, Index, Inst, Opcode, Operands, Reg};

/// Decodes one code word.
pub fn decode(word: u32) -> Inst {
    let Some(opcode) = Opcode::of_word(word) else { return Inst::Unknown(word) };
    let bits = |low: u32, count: u32| word >> low & ((1 << count) - 1);
    let byte = |low: u32, count: u32| bits(low, count) as u8;
    let reg = |low, count| Reg(byte(low, count));
    let operands = match opcode.format() {
        Format::Bare => Operands::Bare { unused: bits(0, 26) },
        Format::One => Operands::One {
            desc: byte(0, 7),
            dst: Dest(byte(21, 5)),
            src1: reg(12, 7),
            index: Index::from_bits(bits(19, 2)),
            unused: byte(7, 5),
        },
        Format::Two => Operands::Two {
            desc: byte(0, 7),
            dst: Dest(byte(21, 5)),
            src1: reg(12, 7),
            src2: reg(7, 5),
            index: Index::from_bits(bits(19, 2)),
        },
        Format::TwoInverted => Operands::Two {
            desc: byte(0, 7),
            dst: Dest(byte(21, 5)),
            src1: reg(14, 5),
            src2: reg(7, 7),
            index: Index::from_bits(bits(19, 2)),
        },
        Format::Compare => Operands::Compare {
            desc: byte(0, 7),
            src1: reg(12, 7),
            src2: reg(7, 5),
            index: Index::from_bits(bits(19, 2)),
            x: Compare::from_bits(bits(24, 3)),
            y: Compare::from_bits(bits(21, 3)),
        },
        Format::Mad => Operands::Mad {
            desc: byte(0, 5),
            dst: Dest(byte(24, 5)),
            src1: reg(17, 5),
            src2: reg(10, 7),
            src3: reg(5, 5),
            index: Index::from_bits(bits(22, 2)),
        },
        Format::MadInverted => Operands::Mad {
            desc: byte(0, 5),
            dst: Dest(byte(24, 5)),
            src1: reg(17, 5),
            src2: reg(12, 5),
            src3: reg(5, 7),
            index: Index::from_bits(bits(22, 2)),
        },
        Format::FlowCondition => Operands::FlowCondition {
            num: byte(0, 8),
            unused: byte(8, 2),
            dst: bits(10, 12) as u16,
            condition: Condition { op: byte(22, 2), ref_x: bits(25, 1) != 0, ref_y: bits(24, 1) != 0 },
        },
        Format::FlowUniform => Operands::FlowUniform {
            num: byte(0, 8),
            unused: byte(8, 2),
            dst: bits(10, 12) as u16,
            uniform: byte(22, 4),
        },
        Format::SetEmit => Operands::SetEmit {
            vertex: byte(24, 2),
            primitive: bits(23, 1) != 0,
            invert: bits(22, 1) != 0,
            unused: bits(0, 22),
        },
    };
    Inst::Known { opcode, operands }
}
