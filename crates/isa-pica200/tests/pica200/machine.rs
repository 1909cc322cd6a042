//! Programs for the interpreter tests, written instruction by instruction.
#![allow(dead_code)]

use unshade_isa_pica200::{Condition, Dest, Index, Inst, Opcode, Operands, Reg, Swizzle, encode};
use unshade_stage::{Code, Interface, Isa, Stage, StageId, StageKind};

/// A program under construction.
#[derive(Default)]
pub struct Program {
    pub words: Vec<u32>,
    pub descriptors: Vec<u32>,
}

pub const XYZW: [u8; 4] = [0, 1, 2, 3];
/// All four components written.
pub const ALL: u32 = 0b1111;

/// A descriptor; the mask has bit 3 = x, `signs` bit n = source n negated.
pub fn descriptor(mask: u32, swizzles: [[u8; 4]; 3], signs: u32) -> u32 {
    let source =
        |n: usize| (signs >> n & 1 | u32::from(Swizzle::new(swizzles[n]).0) << 1) << (4 + 9 * n as u32);
    mask | source(0) | source(1) | source(2)
}

pub fn r(n: u8) -> Dest {
    Dest(0x10 | n)
}

pub fn o(n: u8) -> Dest {
    Dest(n)
}

impl Program {
    pub fn desc(&mut self, word: u32) -> u8 {
        if let Some(found) = self.descriptors.iter().position(|&d| d == word) {
            return found as u8;
        }
        self.descriptors.push(word);
        (self.descriptors.len() - 1) as u8
    }

    pub fn plain(&mut self) -> u8 {
        self.desc(descriptor(ALL, [XYZW; 3], 0))
    }

    pub fn push(&mut self, opcode: Opcode, operands: Operands) -> &mut Self {
        self.words.push(encode(Inst::Known { opcode, operands }));
        self
    }

    pub fn bare(&mut self, opcode: Opcode) -> &mut Self {
        self.push(opcode, Operands::Bare { unused: 0 })
    }

    pub fn end(&mut self) -> &mut Self {
        self.bare(Opcode::End)
    }

    pub fn nop(&mut self) -> &mut Self {
        self.bare(Opcode::Nop)
    }

    pub fn one(&mut self, opcode: Opcode, dst: Dest, src1: Reg) -> &mut Self {
        self.indexed(opcode, dst, src1, Index::None)
    }

    pub fn indexed(&mut self, opcode: Opcode, dst: Dest, src1: Reg, index: Index) -> &mut Self {
        let desc = self.plain();
        self.push(opcode, Operands::One { desc, dst, src1, index, unused: 0 })
    }

    pub fn two(&mut self, opcode: Opcode, dst: Dest, src1: Reg, src2: Reg) -> &mut Self {
        let desc = self.plain();
        self.push(opcode, Operands::Two { desc, dst, src1, src2, index: Index::None })
    }

    pub fn mad(&mut self, dst: Dest, src1: Reg, src2: Reg, src3: Reg) -> &mut Self {
        let desc = self.plain();
        self.push(Opcode::Mad, Operands::Mad { desc, dst, src1, src2, src3, index: Index::None })
    }

    /// `r0 = r0 + c<n>`: a mark that the run came by.
    pub fn mark(&mut self, n: u8) -> &mut Self {
        self.two(Opcode::Add, r(0), Reg::float(n), Reg::temp(0))
    }

    /// Flow by a uniform: IFU, CALLU, JMPU, LOOP.
    pub fn uniform(&mut self, opcode: Opcode, uniform: u8, dst: u16, num: u8) -> &mut Self {
        self.push(opcode, Operands::FlowUniform { num, unused: 0, dst, uniform })
    }

    /// Flow by the flags: CALL, CALLC, IFC, JMPC, BREAKC.
    pub fn flags(&mut self, opcode: Opcode, condition: Condition, dst: u16, num: u8) -> &mut Self {
        self.push(opcode, Operands::FlowCondition { num, unused: 0, dst, condition })
    }

    pub fn call(&mut self, dst: u16, num: u8) -> &mut Self {
        self.flags(Opcode::Call, Condition { op: 0, ref_x: false, ref_y: false }, dst, num)
    }

    pub fn setemit(&mut self, vertex: u8, primitive: bool, invert: bool) -> &mut Self {
        self.push(Opcode::Setemit, Operands::SetEmit { vertex, primitive, invert, unused: 0 })
    }

    pub fn stage(&self, kind: StageKind, entry: u32) -> Stage<'static> {
        Stage {
            id: StageId("test".to_owned()),
            kind,
            isa: Isa::Pica200,
            code: Code {
                words: self.words.clone().into(),
                descriptors: self.descriptors.clone().into(),
                entry,
                ..Code::default()
            },
            interface: Interface::default(),
        }
    }

    pub fn vertex(&self) -> Stage<'static> {
        self.stage(StageKind::Vertex, 0)
    }
}
