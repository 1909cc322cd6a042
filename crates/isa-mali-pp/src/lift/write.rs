//! Writing operations: the builder of the IR with the machine's registers as variables.

use super::super::half::Constants;
use super::super::table::Field;
use std::ops::Range;
use unshade_ir::build::FunctionBuilder;
use unshade_ir::{Access, FloatMode, Module, Multiply, Op, Origin, Round, Space, Type, Value, VarId, Width};

/// What is done inside a field, kept in the low four bits of [`Origin::step`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Step {
    /// An address.
    Address,
    /// Reading a source.
    Read(u8),
    /// Taking the sign off a source.
    Absolute(u8),
    /// Changing the sign of a source.
    Negate(u8),
    /// The operation; it may take several rounds.
    Result(u8),
    /// Changing the result.
    Modify,
    /// Flow, and outputs.
    Flow,
}

impl Step {
    fn number(self) -> u8 {
        match self {
            Self::Address => 0,
            Self::Read(source) => 1 + (source & 1),
            Self::Absolute(source) => 3 + (source & 1),
            Self::Negate(source) => 5 + (source & 1),
            Self::Result(round) => 7 + round.min(5),
            Self::Modify => 13,
            Self::Flow => 14,
        }
    }
}

/// Four lanes.
pub(super) type Vector = [Value; 4];

/// Writes one function.
pub(super) struct Writer<'a> {
    pub(super) builder: FunctionBuilder,
    pub(super) module: &'a mut Module,
    registers: [[Option<VarId>; 4]; 12],
    /// Floats of the temporaries.
    pub(super) temporaries: Range<i32>,
    /// How the constants of the code are read.
    pub(super) constants: Constants,
    /// Word of the instruction that is being written, and its field.
    pub(super) word: u32,
    pub(super) field: Field,
}

impl<'a> Writer<'a> {
    pub(super) fn new(module: &'a mut Module, temporaries: Range<i32>, constants: Constants) -> Self {
        Self {
            builder: FunctionBuilder::new("main"),
            module,
            registers: [[None; 4]; 12],
            temporaries,
            constants,
            word: 0,
            field: Field::Varying,
        }
    }

    /// What is written next belongs to that step and lane of the current field.
    pub(super) fn at(&mut self, step: Step, lane: usize) {
        let step = (self.field as u8) << 4 | step.number();
        self.builder.at(Origin { instruction: self.word, step, lane: lane as u8 });
    }

    pub(super) fn value(&mut self, op: Op, args: &[Value]) -> Value {
        self.builder.value(op, args)
    }

    pub(super) fn float(&mut self, value: f32) -> Value {
        self.builder.float(value)
    }

    pub(super) fn zeros(&mut self) -> Vector {
        [self.float(0.0); 4]
    }

    pub(super) fn load(&mut self, space: Space, binding: u32, offset: u32) -> Value {
        self.value(Op::Load(Access { space, binding, offset, stride: 0 }), &[])
    }

    fn variable(&mut self, register: usize, lane: usize) -> Option<VarId> {
        let place = self.registers.get_mut(register)?.get_mut(lane)?;
        let module = &mut *self.module;
        let make = || module.push_variable(format!("r{register}"), lane as u8, Type::B32, 0);
        Some(*place.get_or_insert_with(make))
    }

    /// A component of a register that exists; zero of one that does not.
    pub(super) fn read(&mut self, register: usize, lane: usize) -> Value {
        match self.variable(register, lane) {
            Some(variable) => self.builder.read(variable, Type::B32),
            None => self.float(0.0),
        }
    }

    /// Writes a component; nothing where there is no such register.
    pub(super) fn write(&mut self, register: u32, lane: usize, value: Value) {
        if let Some(variable) = self.variable(register as usize, lane) {
            self.builder.write(variable, value);
        }
    }

    pub(super) fn write_masked(&mut self, register: u32, mask: u32, values: Vector) {
        for (lane, value) in values.into_iter().enumerate().filter(|(lane, _)| mask >> lane & 1 != 0) {
            self.write(register, lane, value);
        }
    }

    /// A sum.
    pub(super) fn add(&mut self, a: Value, b: Value) -> Value {
        self.value(Op::FAdd(FloatMode::F32), &[a, b])
    }

    /// A product.
    pub(super) fn mul(&mut self, a: Value, b: Value) -> Value {
        self.value(Op::FMul(FloatMode::F32, Multiply::Ieee), &[a, b])
    }

    pub(super) fn negate(&mut self, a: Value) -> Value {
        self.value(Op::FNeg(Width::F32), &[a])
    }

    /// A float cut to an integer.
    pub(super) fn integer(&mut self, a: Value) -> Value {
        self.value(Op::FToS(Width::F32, Round::Zero), &[a])
    }
}
