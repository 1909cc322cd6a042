//! Instruction to code word: the inverse of [`super::decode()`].

use super::{Format, Inst, Opcode, Operands};

/// Encodes one instruction. Fields wider than their place lose the bits that do not fit, so values that
/// came from [`super::decode()`] always come back. Operands that do not belong to the opcode's format are
/// written in their own format.
pub fn encode(inst: Inst) -> u32 {
    let (opcode, operands) = match inst {
        Inst::Unknown(word) => return word,
        Inst::Known { opcode, operands } => (opcode, operands),
    };
    let field = |value: u32, low: u32, count: u32| (value & ((1 << count) - 1)) << low;
    let inverted = matches!(opcode.format(), Format::TwoInverted | Format::MadInverted);
    head(opcode)
        | match operands {
            Operands::Bare { unused } => field(unused, 0, 26),
            Operands::One { desc, dst, src1, index, unused } => {
                field(desc.into(), 0, 7)
                    | field(unused.into(), 7, 5)
                    | field(src1.0.into(), 12, 7)
                    | field(index.bits(), 19, 2)
                    | field(dst.0.into(), 21, 5)
            }
            Operands::Two { desc, dst, src1, src2, index } => {
                let sources = if inverted {
                    field(src2.0.into(), 7, 7) | field(src1.0.into(), 14, 5)
                } else {
                    field(src2.0.into(), 7, 5) | field(src1.0.into(), 12, 7)
                };
                sources | field(desc.into(), 0, 7) | field(index.bits(), 19, 2) | field(dst.0.into(), 21, 5)
            }
            Operands::Compare { desc, src1, src2, index, x, y } => {
                field(desc.into(), 0, 7)
                    | field(src2.0.into(), 7, 5)
                    | field(src1.0.into(), 12, 7)
                    | field(index.bits(), 19, 2)
                    | field(y.bits(), 21, 3)
                    | field(x.bits(), 24, 3)
            }
            Operands::Mad { desc, dst, src1, src2, src3, index } => {
                let sources = if inverted {
                    field(src3.0.into(), 5, 7) | field(src2.0.into(), 12, 5)
                } else {
                    field(src3.0.into(), 5, 5) | field(src2.0.into(), 10, 7)
                };
                sources
                    | field(desc.into(), 0, 5)
                    | field(src1.0.into(), 17, 5)
                    | field(index.bits(), 22, 2)
                    | field(dst.0.into(), 24, 5)
            }
            Operands::FlowCondition { num, unused, dst, condition } => {
                field(num.into(), 0, 8)
                    | field(unused.into(), 8, 2)
                    | field(dst.into(), 10, 12)
                    | field(condition.op.into(), 22, 2)
                    | field(condition.ref_y.into(), 24, 1)
                    | field(condition.ref_x.into(), 25, 1)
            }
            Operands::FlowUniform { num, unused, dst, uniform } => {
                field(num.into(), 0, 8)
                    | field(unused.into(), 8, 2)
                    | field(dst.into(), 10, 12)
                    | field(uniform.into(), 22, 4)
            }
            Operands::SetEmit { vertex, primitive, invert, unused } => {
                field(unused, 0, 22)
                    | field(invert.into(), 22, 1)
                    | field(primitive.into(), 23, 1)
                    | field(vertex.into(), 24, 2)
            }
        }
}

/// The opcode bits. Operations that own several values of bits 26-31 keep their fields in the low ones,
/// which are zero in the first value.
fn head(opcode: Opcode) -> u32 {
    u32::from(opcode.row().first) << 26
}
