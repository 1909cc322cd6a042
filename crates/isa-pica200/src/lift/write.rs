//! Writing operations: the builder of the IR with the machine's registers as variables.

use super::registers::{Register, Registers};
use std::collections::BTreeSet;
use unshade_ir::build::FunctionBuilder;
use unshade_ir::{Access, FunctionId, Module, Op, Origin, Space, Value};

/// Step of a machine instruction that an operation belongs to, kept in [`Origin::step`]. Lanes of one step
/// make one vector operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// The address of an indexed source.
    Address,
    /// Reading a source.
    Read(usize),
    /// The ones behind the last register that an indexed source may find.
    Behind(usize),
    /// The sign of a source.
    Negate(usize),
    /// The product of a multiply-add or a dot product, the comparison of SGE and SLT.
    Product,
    /// A compare flag.
    Flag,
    /// Flow: tests, counters of loops.
    Flow,
    /// Outputs that leave the program.
    Output,
    /// The result; a dot product counts its sums.
    Result(u8),
}

impl Step {
    /// Its number.
    pub fn number(self) -> u8 {
        match self {
            Self::Address => 0,
            Self::Read(source) => 1 + (source as u8 & 3),
            Self::Behind(source) => 5 + (source as u8 & 3),
            Self::Negate(source) => 9 + (source as u8 & 3),
            Self::Product => 13,
            Self::Flag => 14,
            Self::Flow => 15,
            Self::Output => 16,
            Self::Result(n) => 17 + (n & 3),
        }
    }
}

/// Writes one function.
pub(super) struct Writer<'a> {
    pub(super) builder: FunctionBuilder,
    pub(super) module: &'a mut Module,
    pub(super) registers: &'a mut Registers,
    /// Float uniforms that are the base of relative addressing.
    pub(super) bases: &'a mut BTreeSet<u8>,
    /// Word of the instruction that is being written.
    pub(super) word: u32,
}

impl Writer<'_> {
    /// What is written next belongs to that step and lane of the current instruction.
    pub(super) fn at(&mut self, step: Step, lane: usize) {
        self.builder.at(Origin { instruction: self.word, step: step.number(), lane: lane as u8 });
    }

    pub(super) fn value(&mut self, op: Op, args: &[Value]) -> Value {
        self.builder.value(op, args)
    }

    pub(super) fn bits(&mut self, bits: u32) -> Value {
        self.builder.bits(bits)
    }

    pub(super) fn float(&mut self, value: f32) -> Value {
        self.builder.float(value)
    }

    pub(super) fn truth(&mut self, value: bool) -> Value {
        self.builder.truth(value)
    }

    pub(super) fn load(&mut self, space: Space, binding: u32, offset: u32) -> Value {
        self.value(Op::Load(Access { space, binding, offset, stride: 0 }), &[])
    }

    pub(super) fn store_output(&mut self, offset: u32, value: Value) {
        let access = Access { space: Space::Output, binding: 0, offset, stride: 0 };
        self.builder.effect(Op::Store(access), &[value]);
    }

    pub(super) fn read(&mut self, register: Register) -> Value {
        let (variable, ty) = self.registers.variable(self.module, register);
        self.builder.read(variable, ty)
    }

    pub(super) fn write(&mut self, register: Register, value: Value) {
        let (variable, _) = self.registers.variable(self.module, register);
        self.builder.write(variable, value);
    }

    pub(super) fn call(&mut self, function: FunctionId) {
        self.builder.call(function, &[], &[]);
    }
}
