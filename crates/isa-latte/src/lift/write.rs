//! Writing operations: the builder of the IR with the machine's registers as variables.

use super::super::semantics::alu::Arithmetic;
use super::registers::{Register, Registers};
use unshade_ir::build::FunctionBuilder;
use unshade_ir::{Access, Module, Op, Origin, Space, Value, VarId};
use unshade_stage::{Latte, Stage, StageKind};

/// Which part of a machine instruction an operation belongs to, kept in [`Origin::step`]. Lanes of one part make
/// one vector operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Step {
    /// Addresses, flow, predicates.
    Flow,
    /// Reading a source, and its sign.
    Source(u8),
    /// The operation; it may take several rounds, which count on.
    Result,
    /// What leaves the program.
    Output,
    /// The products of a sum over all lanes.
    Product,
}

impl Step {
    /// Its number.
    fn number(self) -> u8 {
        match self {
            Self::Flow => 0,
            Self::Output => 1,
            Self::Product => 2,
            Self::Source(source) => 4 + 4 * (source & 3),
            Self::Result => 20,
        }
    }
}

/// Writes one function.
pub(super) struct Writer<'a> {
    pub(super) builder: FunctionBuilder,
    pub(super) module: &'a mut Module,
    pub(super) registers: &'a mut Registers,
    pub(super) latte: &'a Latte,
    pub(super) kind: StageKind,
    /// Address of the group or instruction that is being written, in units of 64 bits.
    pub(super) address: u32,
    /// What the program does and the IR cannot say, with its place: the first such thing.
    pub(super) refused: Option<(u32, String)>,
    step: u8,
    lane: u8,
    /// Products are those of a sum over lanes: how many there were.
    products: Option<u8>,
}

impl<'a> Writer<'a> {
    pub(super) fn new(
        module: &'a mut Module,
        registers: &'a mut Registers,
        stage: &Stage<'_>,
        latte: &'a Latte,
    ) -> Self {
        let builder = FunctionBuilder::new("main");
        Self {
            builder,
            module,
            registers,
            latte,
            kind: stage.kind,
            address: 0,
            refused: None,
            step: 0,
            lane: 0,
            products: None,
        }
    }

    /// What is written next belongs to that step and lane of the current instruction.
    pub(super) fn at(&mut self, step: Step, lane: u32) {
        self.step = step.number();
        self.lane = lane as u8;
        self.products = None;
        self.set_origin();
    }

    /// As [`Self::at`], for an operation of all lanes: its products are its lanes.
    pub(super) fn at_all(&mut self) {
        self.at(Step::Result, 0);
        self.products = Some(0);
    }

    fn set_origin(&mut self) {
        self.builder.at(Origin { instruction: self.address, step: self.step, lane: self.lane });
    }

    /// The program does something that cannot be said.
    pub(super) fn refuse(&mut self, what: String) {
        self.refused.get_or_insert((self.address, what));
    }

    pub(super) fn value(&mut self, op: Op, args: &[Value]) -> Value {
        self.builder.value(op, args)
    }

    pub(super) fn bits(&mut self, bits: u32) -> Value {
        self.builder.bits(bits)
    }

    pub(super) fn load(&mut self, space: Space, binding: u32, offset: u32) -> Value {
        self.value(Op::Load(Access { space, binding, offset, stride: 0 }), &[])
    }

    /// Word `offset + stride * index`.
    pub(super) fn load_at(
        &mut self,
        space: Space,
        binding: u32,
        offset: u32,
        stride: u32,
        index: Value,
    ) -> Value {
        self.value(Op::Load(Access { space, binding, offset, stride }), &[index])
    }

    pub(super) fn store(&mut self, space: Space, binding: u32, offset: u32, value: Value) {
        self.builder.effect(Op::Store(Access { space, binding, offset, stride: 0 }), &[value]);
    }

    /// The word of a register's component in the local array, if it lies there.
    fn array_word(&self, register: u8, lane: u8) -> Option<u32> {
        let array = &self.registers.array;
        array.holds(register, lane).then(|| 4 * u32::from(register - array.registers.start) + u32::from(lane))
    }

    fn variable(&mut self, register: Register) -> (VarId, unshade_ir::Type) {
        self.registers.variable(self.module, register)
    }

    pub(super) fn read(&mut self, register: Register) -> Value {
        if let Register::Gpr(n, lane) = register
            && let Some(word) = self.array_word(n, lane)
        {
            return self.load(Space::Local, 0, word);
        }
        let (variable, ty) = self.variable(register);
        self.builder.read(variable, ty)
    }

    pub(super) fn write(&mut self, register: Register, value: Value) {
        if let Register::Gpr(n, lane) = register
            && let Some(word) = self.array_word(n, lane)
        {
            return self.store(Space::Local, 0, word, value);
        }
        let (variable, _) = self.variable(register);
        self.builder.write(variable, value);
    }

    /// Component of the register whose number is `register` plus the index.
    pub(super) fn read_at(&mut self, register: u8, lane: u8, index: Value) -> Value {
        let (offset, index) = self.place(register, lane, index);
        self.load_at(Space::Local, 0, offset, 4, index)
    }

    /// Writes the component of the register whose number is `register` plus the index.
    pub(super) fn write_at(&mut self, register: u8, lane: u8, index: Value, value: Value) {
        let (offset, index) = self.place(register, lane, index);
        let access = Access { space: Space::Local, binding: 0, offset, stride: 4 };
        self.builder.effect(Op::Store(access), &[index, value]);
    }

    /// Word at index 0, and the index. An access starts at a word that exists, so what is in front of the array
    /// moves into the index.
    fn place(&mut self, register: u8, lane: u8, index: Value) -> (u32, Value) {
        let start = self.registers.array.registers.start;
        match register.checked_sub(start) {
            Some(number) => (4 * u32::from(number) + u32::from(lane), index),
            None => {
                let front = self.bits(u32::from(start - register).wrapping_neg());
                (lane.into(), self.value(Op::IAdd, &[index, front]))
            }
        }
    }
}

impl Arithmetic for Writer<'_> {
    type Word = Value;
    type Truth = Value;

    fn word(&mut self, bits: u32) -> Value {
        self.builder.bits(bits)
    }

    fn truth(&mut self, value: bool) -> Value {
        self.builder.truth(value)
    }

    fn apply(&mut self, op: Op, args: &[Value]) -> Value {
        if let (Some(lane), Op::FMul(..)) = (&mut self.products, op) {
            let (instruction, step) = (self.address, Step::Product.number());
            self.builder.at(Origin { instruction, step, lane: *lane });
            *lane += 1;
        }
        let value = self.builder.value(op, args);
        // The same round of each lane has the same number.
        self.step = self.step.saturating_add(1);
        self.set_origin();
        value
    }

    fn test(&mut self, op: Op, args: &[Value]) -> Value {
        self.apply(op, args)
    }

    fn join(&mut self, op: Op, a: Value, b: Value) -> Value {
        self.apply(op, &[a, b])
    }

    fn select(&mut self, condition: Value, a: Value, b: Value) -> Value {
        self.apply(Op::Select, &[condition, a, b])
    }

    fn product_high(&mut self, signed: bool, a: Value, b: Value) -> Value {
        self.apply(if signed { Op::SMulHigh } else { Op::UMulHigh }, &[a, b])
    }

    fn quotient(&mut self, a: Value, b: Value) -> Value {
        self.apply(Op::UDiv, &[a, b])
    }
}
