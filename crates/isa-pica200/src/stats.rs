//! What a program uses, counted from its code: instructions by kind, registers, and how close it comes to
//! the limits of the hardware.

use super::inst::RegKind;
use super::{Format, Inst, Opcode, Operands, Reg, decode};
use std::collections::BTreeMap;
use unshade_isa_common::Usage;
use unshade_stage::{Stage, StageKind};

/// Code words that a vertex program may use (loaders upload no more to the vertex units).
pub const VERTEX_WORDS: usize = 512;
/// Code words that twelve address bits reach.
pub const WORDS: usize = 4096;
/// Operand descriptors that seven bits reach.
pub const DESCRIPTORS: usize = 128;
/// Operand descriptors that MAD and MADI reach with five bits.
pub const MAD_DESCRIPTORS: usize = 32;

/// Counts over all code words of a stage (the code is shared by all programs of a file).
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Stats {
    /// Instructions by mnemonic.
    pub mnemonics: BTreeMap<&'static str, usize>,
    /// Two-source and one-source arithmetic, compares and multiply-adds.
    pub arithmetic: usize,
    /// Flow control, NOP and END apart.
    pub flow: usize,
    /// NOPs.
    pub nops: usize,
    /// Words that are no known instruction.
    pub unknown: usize,
    /// Operands with relative addressing.
    pub relative: usize,
    /// Named resources: words, descriptors, mad-descriptors, inputs, outputs, temporaries, floats,
    /// integers, bools.
    pub resources: Vec<(&'static str, Usage)>,
}

/// Counts a stage.
pub fn stats(stage: &Stage<'_>) -> Stats {
    let mut stats = Stats::default();
    let mut seen = Registers::default();
    let mut mad_descriptors = 0;
    for &word in stage.code.words.iter() {
        let Inst::Known { opcode, operands } = decode(word) else {
            stats.unknown += 1;
            continue;
        };
        *stats.mnemonics.entry(opcode.name()).or_default() += 1;
        match opcode.format() {
            Format::Bare if opcode == Opcode::Nop => stats.nops += 1,
            Format::Bare if opcode == Opcode::End => {}
            Format::Bare | Format::FlowCondition | Format::FlowUniform | Format::SetEmit => stats.flow += 1,
            _ => stats.arithmetic += 1,
        }
        match operands {
            Operands::Bare { .. } | Operands::SetEmit { .. } | Operands::FlowCondition { .. } => {}
            Operands::One { dst, src1, index, .. } => {
                seen.source(src1);
                if opcode != Opcode::Mova {
                    seen.dest(dst);
                }
                stats.relative += usize::from(index.bits() != 0);
            }
            Operands::Two { dst, src1, src2, index, .. } => {
                [src1, src2].into_iter().for_each(|reg| seen.source(reg));
                seen.dest(dst);
                stats.relative += usize::from(index.bits() != 0);
            }
            Operands::Compare { src1, src2, index, .. } => {
                [src1, src2].into_iter().for_each(|reg| seen.source(reg));
                stats.relative += usize::from(index.bits() != 0);
            }
            Operands::Mad { desc, dst, src1, src2, src3, index } => {
                [src1, src2, src3].into_iter().for_each(|reg| seen.source(reg));
                seen.dest(dst);
                stats.relative += usize::from(index.bits() != 0);
                mad_descriptors = mad_descriptors.max(usize::from(desc) + 1);
            }
            Operands::FlowUniform { uniform, .. } => {
                if opcode == Opcode::Loop {
                    seen.ints |= 1 << (uniform & 3);
                } else {
                    seen.bools |= 1 << uniform;
                }
            }
        }
    }
    let words = if stage.kind == StageKind::Vertex { VERTEX_WORDS } else { WORDS };
    let usage = |used: usize, limit| Usage { used, limit };
    let ones = |bits: u128| bits.count_ones() as usize;
    stats.resources = vec![
        ("words", usage(stage.code.words.len(), words)),
        ("descriptors", usage(stage.code.descriptors.len(), DESCRIPTORS)),
        ("mad-descriptors", usage(mad_descriptors, MAD_DESCRIPTORS)),
        ("inputs", usage(ones(seen.inputs.into()), 16)),
        ("outputs", usage(ones(seen.outputs.into()), 16)),
        ("temporaries", usage(ones(seen.temps.into()), 16)),
        ("floats", usage(ones(seen.floats), 96)),
        ("integers", usage(ones(seen.ints.into()), 4)),
        ("bools", usage(ones(seen.bools.into()), 16)),
    ];
    stats
}

/// Registers that the code names, a bit each. Relative addressing counts its base only.
#[derive(Default)]
struct Registers {
    inputs: u16,
    outputs: u16,
    temps: u16,
    floats: u128,
    ints: u8,
    bools: u16,
}

impl Registers {
    fn source(&mut self, reg: Reg) {
        match reg.kind() {
            RegKind::Input(n) => self.inputs |= 1 << n,
            RegKind::Temp(n) => self.temps |= 1 << n,
            RegKind::Float(n) => self.floats |= 1 << n,
        }
    }

    fn dest(&mut self, dest: super::Dest) {
        if let Some(n) = dest.output() {
            self.outputs |= 1 << n;
        }
        if let Some(n) = dest.temp() {
            self.temps |= 1 << n;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use unshade_stage::{Code, Interface, Isa, StageId};

    #[test]
    fn counts_registers_and_kinds() {
        // add r1, c3[aL], v2; for i1 ..; nop; end; an unknown word
        let words = vec![0x0061_7100 | 3 << 19, 0xA440_0400, 0x8400_0000, 0x8800_0000, 0x4000_0000];
        let stage = Stage {
            id: StageId("0".into()),
            kind: StageKind::Vertex,
            isa: Isa::Pica200,
            code: Code { words: words.into(), ..Code::default() },
            interface: Interface::default(),
        };
        let stats = stats(&stage);
        assert_eq!(
            (stats.arithmetic, stats.flow, stats.nops, stats.unknown, stats.relative),
            (1, 1, 1, 1, 1)
        );
        let used = |name| stats.resources.iter().find(|(n, _)| *n == name).unwrap().1.used;
        assert_eq!((used("words"), used("inputs"), used("temporaries"), used("integers")), (5, 1, 1, 1));
    }
}
