//! What an instruction is about to read.

use super::super::Index;
use super::super::inst::RegKind;
use super::flow::{Test, Transfer};
use super::program::{Alu, Op, Program, Source};
use super::run::indexed;
use super::state::State;

/// Something that an instruction reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Read {
    /// A register; of float uniforms the one that the index leads to, which may be behind the last.
    Register(RegKind),
    /// a0.
    Address,
    /// aL.
    Counter,
    /// The compare flags.
    Flags,
    /// A bool uniform.
    Bool(u8),
    /// An integer uniform.
    Int(u8),
    /// All outputs.
    Outputs,
}

impl Program {
    /// What the instruction at a word index reads, each with its components, bit 0 = x.
    pub fn reads(&self, word: u32, state: &State) -> Vec<(Read, u8)> {
        let mut reads = Vec::new();
        let mut source = |source: &Source, lanes: u8| {
            let components = (0..4_usize).filter(|lane| lanes >> lane & 1 != 0);
            let mask = components.fold(0, |mask, lane| mask | 1_u8 << (source.swizzle[lane] & 3));
            let (offset, index) = match source.index {
                Index::None => (None, None),
                Index::A0X => (Some(state.a0[0]), Some((Read::Address, 1))),
                Index::A0Y => (Some(state.a0[1]), Some((Read::Address, 2))),
                Index::AL => (Some(state.al), Some((Read::Counter, 1))),
            };
            let register = match (source.reg, offset) {
                (RegKind::Float(n), Some(offset)) => RegKind::Float(indexed(n, offset) as u8),
                (register, _) => register,
            };
            reads.push((Read::Register(register), mask));
            reads.extend(index);
        };
        match self.ops.get(word as usize) {
            Some(Op::Alu { alu, mask, src, .. }) => {
                let [first, second, third] = src;
                match alu {
                    Alu::Flr | Alu::Mov => source(first, *mask),
                    Alu::Ex2 | Alu::Lg2 | Alu::Rcp | Alu::Rsq => source(first, 1),
                    Alu::Litp => source(first, 0b1011),
                    Alu::Dp3 => [first, second].into_iter().for_each(|from| source(from, 7)),
                    Alu::Dp4 => [first, second].into_iter().for_each(|from| source(from, 15)),
                    Alu::Dph => {
                        source(first, 7);
                        source(second, 15);
                    }
                    Alu::Dst => {
                        source(first, 0b0110);
                        source(second, 0b1010);
                    }
                    Alu::Mad => [first, second, third].into_iter().for_each(|from| source(from, *mask)),
                    Alu::Add | Alu::Mul | Alu::Sge | Alu::Slt | Alu::Max | Alu::Min => {
                        [first, second].into_iter().for_each(|from| source(from, *mask));
                    }
                }
            }
            Some(Op::Cmp { src, .. }) => src.iter().for_each(|from| source(from, 3)),
            Some(Op::Mova { src, mask }) => source(src, mask & 3),
            Some(Op::Flow { transfer, test }) => {
                match test {
                    Test::Always => {}
                    Test::Flags(_) => reads.push((Read::Flags, 3)),
                    Test::Uniform(n, _) => reads.push((Read::Bool(n & 15), 1)),
                }
                if let Transfer::Loop { int, .. } = transfer {
                    reads.push((Read::Int(int & 3), 7));
                }
            }
            Some(Op::Emit) => reads.push((Read::Outputs, 15)),
            Some(Op::SetEmit { .. } | Op::Nop | Op::End) | None => {}
        }
        reads
    }

    /// The register that an instruction writes, with the components, bit 0 = x, if it is one of arithmetic that writes any.
    pub(crate) fn written(&self, word: u32) -> Option<(super::super::Dest, u8)> {
        match self.ops.get(word as usize) {
            Some(Op::Alu { dest, mask, .. }) if *mask != 0 => Some((*dest, *mask)),
            _ => None,
        }
    }

    /// The register that an instruction writes, if it is one of arithmetic that writes any.
    pub fn writes(&self, word: u32) -> Option<super::super::Dest> {
        match self.ops.get(word as usize) {
            Some(Op::Alu { dest, mask, .. }) if *mask != 0 => Some(*dest),
            _ => None,
        }
    }
}
