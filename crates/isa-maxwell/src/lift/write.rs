//! Writing operations: the builder of the IR with the machine's registers as variables.

use super::super::address_map::{DRIVER_BANK, DRIVER_BINDING, driver_input, uniform_binding};
use super::super::operation::{
    Bits, Constant, Destination, Double, Float, Integer, Part, PartOf, Source, Source64,
};
use super::super::{Header, Predicate, Register};
use super::attributes::Interpolated;
use super::jump;
use super::registers::{Flag, Registers, State};
use std::collections::BTreeMap;
use unshade_ir::build::FunctionBuilder;
use unshade_ir::{
    Access, CompareInt, FloatMode, Module, Op, Origin, Round, Space, TextureShape, Value, Width,
};
use unshade_stage::maxwell::Driver;
use unshade_stage::{Maxwell, StageKind};

/// Writes one function.
pub(super) struct Writer<'a> {
    pub(super) builder: FunctionBuilder,
    pub(super) module: &'a mut Module,
    pub(super) registers: &'a mut Registers,
    pub(super) maxwell: &'a Maxwell,
    pub(super) kind: StageKind,
    /// Program header of a graphics stage.
    pub(super) header: Option<Header>,
    /// How the program interpolates.
    pub(super) interpolated: Interpolated,
    /// Images of the table of handles that the program accesses, by their words.
    pub(super) images: BTreeMap<u16, TextureShape>,
    /// Address of the instruction that is being written.
    pub(super) address: u32,
    /// What the program does and the IR cannot say, with its place: the first such thing.
    pub(super) refused: Option<(u32, String)>,
}

/// A comparison of integers by the signs that count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Order {
    Signed,
    Unsigned,
}

impl<'a> Writer<'a> {
    pub(super) fn new(
        module: &'a mut Module,
        registers: &'a mut Registers,
        maxwell: &'a Maxwell,
        kind: StageKind,
    ) -> Self {
        let builder = FunctionBuilder::new("main");
        Self {
            builder,
            module,
            registers,
            maxwell,
            kind,
            header: None,
            interpolated: Interpolated::default(),
            images: BTreeMap::new(),
            address: 0,
            refused: None,
        }
    }

    /// What is written next belongs to that step and lane of the current instruction.
    pub(super) fn at(&mut self, step: u8, lane: u8) {
        let instruction = if self.address == u32::MAX { u32::MAX } else { self.address / 4 };
        self.builder.at(Origin { instruction, step, lane });
    }

    /// The program does something that cannot be said.
    pub(super) fn refuse(&mut self, what: impl Into<String>) {
        self.refused.get_or_insert((self.address, what.into()));
    }

    pub(super) fn value(&mut self, op: Op, args: &[Value]) -> Value {
        self.builder.value(op, args)
    }

    pub(super) fn bits(&mut self, bits: u32) -> Value {
        self.builder.bits(bits)
    }

    pub(super) fn truth(&mut self, truth: bool) -> Value {
        self.builder.truth(truth)
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

    fn read_state(&mut self, state: State) -> Value {
        let variable = self.registers.variable(self.module, state);
        self.builder.read(variable, state.ty())
    }

    fn write_state(&mut self, state: State, value: Value) {
        let variable = self.registers.variable(self.module, state);
        self.builder.write(variable, value);
    }

    pub(super) fn register(&mut self, register: Register) -> Value {
        if register.is_zero() { self.bits(0) } else { self.read_state(State::Register(register.0)) }
    }

    pub(super) fn set_register(&mut self, register: Register, value: Value) {
        if !register.is_zero() {
            self.write_state(State::Register(register.0), value);
        }
    }

    pub(super) fn predicate(&mut self, predicate: Predicate) -> Value {
        let value = match predicate.number {
            7 => return self.truth(!predicate.not),
            number => self.read_state(State::Predicate(number)),
        };
        if predicate.not { self.value(Op::Not, &[value]) } else { value }
    }

    pub(super) fn set_predicate(&mut self, number: u8, value: Value) {
        if number < 7 {
            self.write_state(State::Predicate(number), value);
        }
    }

    pub(super) fn flag(&mut self, flag: Flag) -> Value {
        self.read_state(State::Flag(flag))
    }

    pub(super) fn set_flag(&mut self, flag: Flag, value: Value) {
        self.write_state(State::Flag(flag), value);
    }

    /// A word of a bank.
    pub(super) fn constant(&mut self, place: Constant) -> Value {
        let word = u32::from(place.offset / 4);
        if place.bank == DRIVER_BANK && driver_input(self.maxwell.driver, self.kind, word).is_some() {
            return self.load(Space::Input, DRIVER_BINDING, word);
        }
        if let Some(bits) = jump::constant(self.maxwell, place) {
            return self.bits(bits);
        }
        if let (Driver::Deko3d, DRIVER_BANK, Some(size), StageKind::Compute) =
            (self.maxwell.driver, place.bank, self.maxwell.work_group, self.kind)
            && let Some(words) = size.get(word as usize)
        {
            return self.bits(*words);
        }
        let binding = uniform_binding(self.maxwell.driver, place.bank);
        self.load(Space::Uniform, binding, word)
    }

    pub(super) fn source(&mut self, source: Source) -> Value {
        match source {
            Source::Register(register) => self.register(register),
            Source::Constant(place) => self.constant(place),
            Source::Immediate(bits) => self.bits(bits),
        }
    }

    /// Both halves, the lower first.
    pub(super) fn source64(&mut self, source: Source64) -> [Value; 2] {
        match source {
            Source64::Pair(register) => [self.register(register), self.register(register.further(1))],
            Source64::Constant(place) => {
                // Where the second word of a pair is asked for, it is the upper one, and the lower is 0.
                let low = if place.offset & 4 == 0 { self.constant(place) } else { self.bits(0) };
                let high = Constant { offset: place.offset | 4, ..place };
                [low, self.constant(high)]
            }
            Source64::Immediate(bits) => [self.bits(bits as u32), self.bits((bits >> 32) as u32)],
        }
    }

    /// A float with its sign.
    pub(super) fn float(&mut self, float: Float) -> Value {
        let value = self.source(float.source);
        self.signed(value, Width::F32, float.negate, float.absolute)
    }

    pub(super) fn signed(&mut self, value: Value, width: Width, negate: bool, absolute: bool) -> Value {
        let value = if absolute { self.value(Op::FAbs(width), &[value]) } else { value };
        if negate { self.value(Op::FNeg(width), &[value]) } else { value }
    }

    pub(super) fn double(&mut self, double: Double) -> Value {
        let halves = self.source64(double.source);
        let value = self.joined(halves);
        self.signed(value, Width::F64, double.negate, double.absolute)
    }

    /// 64 bits of two words, the lower first.
    pub(super) fn joined(&mut self, halves: [Value; 2]) -> Value {
        self.value(Op::Join, &halves)
    }

    /// Two words of 64 bits, the lower first.
    pub(super) fn halves(&mut self, value: Value) -> [Value; 2] {
        let low = self.value(Op::Low, &[value]);
        let high = self.value(Op::High, &[value]);
        [low, high]
    }

    /// An integer; `complement`: its complement where its negative is asked for.
    pub(super) fn integer(&mut self, integer: Integer, complement: bool) -> Value {
        let value = self.source(integer.source);
        match integer.negate {
            true if complement => self.value(Op::Not, &[value]),
            true => self.value(Op::INeg, &[value]),
            false => value,
        }
    }

    pub(super) fn logic(&mut self, bits: Bits) -> Value {
        let value = self.source(bits.source);
        if bits.invert { self.value(Op::Not, &[value]) } else { value }
    }

    /// Part of a word, extended to a word.
    pub(super) fn part(&mut self, value: Value, part: Part, signed: bool) -> Value {
        let (first, bits) = match part {
            Part::Word => return value,
            Part::Low24 => (0, 24),
            Part::Half(n) => (16 * u32::from(n & 1), 16),
            Part::Byte(n) => (8 * u32::from(n & 3), 8),
        };
        self.cut(value, first, bits, signed)
    }

    pub(super) fn part_of(&mut self, part: PartOf) -> Value {
        let value = self.source(part.source);
        let value = self.part(value, part.part, part.signed);
        if part.negate { self.value(Op::INeg, &[value]) } else { value }
    }

    /// `bits` bits from bit `first` on, at fixed places, extended.
    pub(super) fn cut(&mut self, value: Value, first: u32, bits: u32, signed: bool) -> Value {
        if bits >= 32 {
            return value;
        }
        if signed {
            let up = self.shifted(Op::Shl, value, 32 - bits - first);
            return self.shifted(Op::ShrS, up, 32 - bits);
        }
        let down = self.shifted(Op::ShrU, value, first);
        if first + bits == 32 { down } else { self.masked(down, u32::MAX >> (32 - bits)) }
    }

    /// A shift by a fixed number.
    pub(super) fn shifted(&mut self, op: Op, value: Value, by: u32) -> Value {
        if by == 0 {
            return value;
        }
        let by = self.bits(by);
        self.value(op, &[value, by])
    }

    pub(super) fn masked(&mut self, value: Value, mask: u32) -> Value {
        let mask = self.bits(mask);
        self.value(Op::And, &[value, mask])
    }

    pub(super) fn select(&mut self, condition: Value, then: Value, otherwise: Value) -> Value {
        self.value(Op::Select, &[condition, then, otherwise])
    }

    pub(super) fn less(&mut self, a: Value, b: Value, order: Order) -> Value {
        let by = match order {
            Order::Signed => CompareInt::Slt,
            Order::Unsigned => CompareInt::Ult,
        };
        self.value(Op::ICompare(by), &[a, b])
    }

    pub(super) fn equal(&mut self, a: Value, b: Value) -> Value {
        self.value(Op::ICompare(CompareInt::Eq), &[a, b])
    }

    pub(super) fn is_zero(&mut self, value: Value) -> Value {
        let zero = self.bits(0);
        self.equal(value, zero)
    }

    pub(super) fn is_negative(&mut self, value: Value) -> Value {
        let zero = self.bits(0);
        self.less(value, zero, Order::Signed)
    }

    /// Writes a result of 32 bits, and zero and sign where it is asked for; carry and overflow are cleared.
    pub(super) fn result(&mut self, d: Destination, value: Value) {
        if d.flags {
            let no = self.truth(false);
            self.flags(value, no, no);
        }
        self.set_register(d.register, value);
    }

    /// Writes the condition code of an integer.
    pub(super) fn flags(&mut self, value: Value, carry: Value, overflow: Value) {
        let zero = self.is_zero(value);
        let sign = self.is_negative(value);
        self.set_flag(Flag::Zero, zero);
        self.set_flag(Flag::Sign, sign);
        self.set_flag(Flag::Carry, carry);
        self.set_flag(Flag::Overflow, overflow);
    }

    /// Writes a double, and its condition code where it is asked for.
    pub(super) fn result64(&mut self, d: Destination, value: Value) {
        if d.flags {
            self.float_flags(value, FloatMode { width: Width::F64, flush: false, round: Round::Nearest });
        }
        let [low, high] = self.halves(value);
        self.set_register(d.register, low);
        self.set_register(d.register.further(1), high);
    }
}
