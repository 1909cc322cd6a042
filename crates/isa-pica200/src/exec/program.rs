//! A program decoded once: operands resolved through their descriptors.

use super::super::descriptor::Descriptor;
use super::super::inst::RegKind;
use super::super::{Compare, Dest, Index, Inst, Opcode, Operands, Reg, decode};
use super::flow::{Test, Transfer};
use unshade_stage::{Stage, StageKind};

/// A source operand, resolved.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Source {
    pub(super) reg: RegKind,
    /// [`Index::None`] unless the register is a float uniform in the wide place.
    pub(super) index: Index,
    pub(super) negate: bool,
    pub(super) swizzle: [u8; 4],
}

/// What an arithmetic instruction computes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Alu {
    Add,
    Dp3,
    Dp4,
    Dph,
    Dst,
    Ex2,
    Lg2,
    Litp,
    Mul,
    Sge,
    Slt,
    Flr,
    Max,
    Min,
    Rcp,
    Rsq,
    Mov,
    Mad,
}

/// One instruction, ready to run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Op {
    /// Sources that the operation does not have are the register v0 unchanged; nobody looks at them.
    Alu {
        alu: Alu,
        dest: Dest,
        mask: u8,
        src: [Source; 3],
    },
    Cmp {
        src: [Source; 2],
        by: [Compare; 2],
    },
    Mova {
        src: Source,
        mask: u8,
    },
    Flow {
        transfer: Transfer,
        test: Test,
    },
    Emit,
    SetEmit {
        vertex: u8,
        primitive: bool,
        invert: bool,
    },
    Nop,
    End,
}

/// A program of the machine, decoded.
#[derive(Debug, Clone)]
pub struct Program {
    pub(super) ops: Vec<Op>,
    pub(super) insts: Vec<Inst>,
    pub(super) entry: u32,
    pub(super) geometry: bool,
}

/// Code words that the machine can address.
const WORDS: usize = 4096;

impl Program {
    /// Decodes the code of a stage. Never fails: words without meaning do nothing, and words from 4096 on
    /// cannot be reached.
    pub fn new(stage: &Stage<'_>) -> Self {
        let code = &stage.code;
        let geometry = stage.kind == StageKind::Geometry;
        let insts: Vec<Inst> = code.words.iter().take(WORDS).map(|&word| decode(word)).collect();
        let ops = insts.iter().map(|&inst| op(inst, &code.descriptors, geometry)).collect();
        Self { ops, insts, entry: code.entry, geometry }
    }

    /// Whether it is a geometry program, in which EMIT and SETEMIT have an effect.
    pub fn is_geometry(&self) -> bool {
        self.geometry
    }

    /// The instruction at a word index.
    pub fn inst(&self, word: u32) -> Option<Inst> {
        self.insts.get(word as usize).copied()
    }
}

fn op(inst: Inst, descriptors: &[u32], geometry: bool) -> Op {
    let Inst::Known { opcode, operands } = inst else { return Op::Nop };
    let descriptor = |desc: u8| Descriptor(descriptors.get(usize::from(desc)).copied().unwrap_or(0));
    match operands {
        Operands::Bare { .. } => match opcode {
            Opcode::Break => Op::Flow { transfer: Transfer::Break, test: Test::Always },
            Opcode::End => Op::End,
            Opcode::Emit if geometry => Op::Emit,
            _ => Op::Nop,
        },
        Operands::SetEmit { vertex, primitive, invert, .. } if geometry => {
            Op::SetEmit { vertex, primitive, invert }
        }
        Operands::SetEmit { .. } => Op::Nop,
        Operands::One { desc, dst, src1, index, .. } => {
            let descriptor = descriptor(desc);
            let first = source(src1, index, descriptor, 0);
            match opcode {
                Opcode::Mova => Op::Mova { src: first, mask: descriptor.mask() },
                _ => arithmetic(opcode, dst, descriptor, [first, UNUSED, UNUSED]),
            }
        }
        Operands::Two { desc, dst, src1, src2, index } => {
            let descriptor = descriptor(desc);
            let (first, second) = match opcode {
                Opcode::Dphi | Opcode::Dsti | Opcode::Sgei | Opcode::Slti => (Index::None, index),
                _ => (index, Index::None),
            };
            let src = [source(src1, first, descriptor, 0), source(src2, second, descriptor, 1), UNUSED];
            arithmetic(opcode, dst, descriptor, src)
        }
        Operands::Compare { desc, src1, src2, index, x, y } => {
            let descriptor = descriptor(desc);
            let src = [source(src1, index, descriptor, 0), source(src2, Index::None, descriptor, 1)];
            Op::Cmp { src, by: [x, y] }
        }
        Operands::Mad { desc, dst, src1, src2, src3, index } => {
            let descriptor = descriptor(desc);
            let (second, third) = match opcode {
                Opcode::Madi => (Index::None, index),
                _ => (index, Index::None),
            };
            let src = [
                source(src1, Index::None, descriptor, 0),
                source(src2, second, descriptor, 1),
                source(src3, third, descriptor, 2),
            ];
            arithmetic(opcode, dst, descriptor, src)
        }
        Operands::FlowCondition { num, dst, condition, .. } => {
            let test = match opcode {
                Opcode::Call => Test::Always,
                _ => Test::Flags(condition),
            };
            flow(opcode, dst, num, 0, test)
        }
        Operands::FlowUniform { num, dst, uniform, .. } => {
            let test = match opcode {
                Opcode::Loop => Test::Always,
                Opcode::Jmpu => Test::Uniform(uniform, num & 1 == 0),
                _ => Test::Uniform(uniform, true),
            };
            flow(opcode, dst, num, uniform, test)
        }
    }
}

const UNUSED: Source =
    Source { reg: RegKind::Input(0), index: Index::None, negate: false, swizzle: [0, 1, 2, 3] };

fn source(reg: Reg, index: Index, descriptor: Descriptor, which: usize) -> Source {
    let reg = reg.kind();
    let index = if matches!(reg, RegKind::Float(_)) { index } else { Index::None };
    let swizzle = descriptor.swizzle(which);
    Source {
        reg,
        index,
        negate: descriptor.negates(which),
        swizzle: [0, 1, 2, 3].map(|lane| swizzle.component(lane) as u8),
    }
}

fn arithmetic(opcode: Opcode, dest: Dest, descriptor: Descriptor, src: [Source; 3]) -> Op {
    let alu = match opcode {
        Opcode::Add => Alu::Add,
        Opcode::Dp3 => Alu::Dp3,
        Opcode::Dp4 => Alu::Dp4,
        Opcode::Dph | Opcode::Dphi => Alu::Dph,
        Opcode::Dst | Opcode::Dsti => Alu::Dst,
        Opcode::Ex2 => Alu::Ex2,
        Opcode::Lg2 => Alu::Lg2,
        Opcode::Litp => Alu::Litp,
        Opcode::Mul => Alu::Mul,
        Opcode::Sge | Opcode::Sgei => Alu::Sge,
        Opcode::Slt | Opcode::Slti => Alu::Slt,
        Opcode::Flr => Alu::Flr,
        Opcode::Max => Alu::Max,
        Opcode::Min => Alu::Min,
        Opcode::Rcp => Alu::Rcp,
        Opcode::Rsq => Alu::Rsq,
        Opcode::Mov => Alu::Mov,
        Opcode::Mad | Opcode::Madi => Alu::Mad,
        _ => return Op::Nop,
    };
    Op::Alu { alu, dest, mask: descriptor.mask(), src }
}

fn flow(opcode: Opcode, dst: u16, num: u8, uniform: u8, test: Test) -> Op {
    let dst = u32::from(dst);
    let end = dst + u32::from(num);
    let transfer = match opcode {
        Opcode::Call | Opcode::Callc | Opcode::Callu => Transfer::Call { to: dst, end },
        Opcode::Ifc | Opcode::Ifu => Transfer::If { otherwise: dst, end },
        Opcode::Jmpc | Opcode::Jmpu => Transfer::Jump { to: dst },
        Opcode::Loop => Transfer::Loop { end: dst + 1, int: uniform },
        Opcode::Breakc => Transfer::Break,
        _ => return Op::Nop,
    };
    Op::Flow { transfer, test }
}
