//! Memory: constants at computed places, global, local and shared memory.

use super::super::address_map::uniform_binding;
use super::super::operation::atomic::{Effect, effect};
use super::super::operation::{
    Address, Atomic, AtomicType, Constant, ConstantMode, IndexedConstant, Memory, Size,
};
use super::super::{Operation, Register};
use super::write::{Order, Writer};
use unshade_ir::{
    Access, AtomicOp, CompareInt, FloatMode, MinMax, Op, Round, Space, Target, Terminator, Type, Value, Width,
};

/// Most banks that one instruction may choose from.
const MOST_BANKS: u8 = 18;

/// Mask of the bytes of a bank.
const BANK_BYTES: u32 = 0xFFFF;

/// Name of the local array that is local memory.
pub(super) const LOCAL: &str = "memory";

/// Whether an operation goes to local memory.
pub(super) fn is_local(operation: &Operation) -> bool {
    memory_of(operation) == Some(Memory::Local)
}

/// Whether an operation goes to shared memory.
pub(super) fn is_shared(operation: &Operation) -> bool {
    memory_of(operation) == Some(Memory::Shared)
}

fn memory_of(operation: &Operation) -> Option<Memory> {
    match operation {
        Operation::Load { memory, .. }
        | Operation::Store { memory, .. }
        | Operation::Atomic { memory, .. }
        | Operation::CompareAndSwap { memory, .. } => Some(*memory),
        _ => None,
    }
}

/// A place in memory: what an access needs to name a word and those behind it.
#[derive(Debug, Clone)]
struct Place {
    space: Space,
    binding: u32,
    /// What stands before the other operands.
    operands: Vec<Value>,
    stride: u32,
    /// Constant part in words.
    offset: u32,
    /// Bits from the start of the word, of accesses narrower than one.
    shift: Option<Value>,
}

impl Place {
    fn access(&self, word: u32) -> Access {
        Access {
            space: self.space,
            binding: self.binding,
            offset: self.offset.wrapping_add(word),
            stride: self.stride,
        }
    }

    fn load(&self, w: &mut Writer<'_>, word: u32) -> Value {
        w.value(Op::Load(self.access(word)), &self.operands)
    }

    fn store(&self, w: &mut Writer<'_>, word: u32, value: Value) {
        let operands: Vec<Value> = self.operands.iter().copied().chain([value]).collect();
        w.builder.effect(Op::Store(self.access(word)), &operands);
    }
}

/// Bits of an access, and whether the sign is extended.
fn narrow(size: Size) -> Option<(u32, bool)> {
    match size {
        Size::U8 => Some((8, false)),
        Size::S8 => Some((8, true)),
        Size::U16 => Some((16, false)),
        Size::S16 => Some((16, true)),
        Size::B32 | Size::B64 | Size::B128 => None,
    }
}

/// Bits of an address that say where in a word an access begins that is narrower: halves begin at even bytes.
fn inner_bytes(size: Size) -> u32 {
    match size {
        Size::U8 | Size::S8 => 3,
        Size::U16 | Size::S16 => 2,
        _ => 0,
    }
}

/// Registers of an access.
pub(super) fn words(size: Size) -> u8 {
    match size {
        Size::B64 => 2,
        Size::B128 => 4,
        _ => 1,
    }
}

impl Writer<'_> {
    /// A place at `base + offset` bytes in a space of words; `base` none: at the offset alone.
    fn place_at(
        &mut self,
        space: Space,
        binding: u32,
        base: Option<Value>,
        offset: i64,
        size: Size,
    ) -> Place {
        let bytes = u32::try_from(offset).ok().filter(|offset| offset % 4 == 0);
        let is_narrow = narrow(size).is_some();
        let (base, offset) = match (base, bytes) {
            (None, _) => {
                let offset = offset as u32;
                let shift = is_narrow.then(|| self.bits(8 * (offset & inner_bytes(size))));
                return Place { space, binding, operands: Vec::new(), stride: 0, offset: offset / 4, shift };
            }
            (Some(base), Some(offset)) => (base, offset),
            (Some(base), None) => {
                let more = self.bits(offset as u32);
                (self.value(Op::IAdd, &[base, more]), 0)
            }
        };
        let shift = is_narrow.then(|| {
            let low = self.masked(base, inner_bytes(size));
            self.shifted(Op::Shl, low, 3)
        });
        let index = self.shifted(Op::ShrS, base, 2);
        Place { space, binding, operands: vec![index], stride: 1, offset: offset / 4, shift }
    }

    /// A place in global memory.
    fn global_place(&mut self, a: Address, size: Size) -> Place {
        let low = self.register(a.register);
        let high = if a.wide { self.register(a.register.further(1)) } else { self.bits(0) };
        let words = u32::try_from(a.offset).ok().filter(|offset| offset % 4 == 0);
        let is_narrow = narrow(size).is_some();
        let (operands, offset) = match words {
            Some(offset) => (vec![low, high], offset / 4),
            None => {
                let (low, high) = self.moved(low, high, a.offset);
                (vec![low, high], 0)
            }
        };
        let shift = is_narrow.then(|| {
            let low = self.masked(low, 3);
            let first = self.shifted(Op::Shl, low, 3);
            let more = self.bits(8 * (a.offset as u32 & 3));
            let sum = self.value(Op::IAdd, &[first, more]);
            self.masked(sum, 8 * inner_bytes(size))
        });
        Place { space: Space::Global, binding: 0, operands, stride: 0, offset, shift }
    }

    /// An address of two words, moved.
    fn moved(&mut self, low: Value, high: Value, by: i32) -> (Value, Value) {
        let amount = self.bits(by as u32);
        let sum = self.value(Op::IAdd, &[low, amount]);
        let wraps = self.less(sum, low, Order::Unsigned);
        let carry = self.value(Op::BToI, &[wraps]);
        let high = self.value(Op::IAdd, &[high, carry]);
        if by >= 0 {
            return (sum, high);
        }
        let less = self.bits(u32::MAX);
        (sum, self.value(Op::IAdd, &[high, less]))
    }

    fn place(&mut self, memory: Memory, a: Address, size: Size) -> Option<Place> {
        let base = |w: &mut Self| (!a.register.is_zero()).then(|| w.register(a.register));
        match memory {
            Memory::Global | Memory::Generic => Some(self.global_place(a, size)),
            Memory::Shared => {
                let base = base(self);
                Some(self.place_at(Space::Shared, 0, base, a.offset.into(), size))
            }
            Memory::Local => {
                let array = self.module.arrays.iter().position(|array| array.name == LOCAL);
                let Some(array) = array else {
                    self.refuse("local memory of unknown size");
                    return None;
                };
                let base = base(self);
                Some(self.place_at(Space::Local, array as u32, base, a.offset.into(), size))
            }
        }
    }

    /// What lies at a place, one value for each register.
    fn loaded(&mut self, place: &Place, size: Size) -> Vec<Value> {
        let Some((bits, signed)) = narrow(size) else {
            return (0..words(size))
                .map(|word| {
                    self.at(0, word);
                    place.load(self, word.into())
                })
                .collect();
        };
        let word = place.load(self, 0);
        let down = match place.shift {
            Some(shift) => self.value(Op::ShrU, &[word, shift]),
            None => word,
        };
        vec![self.cut(down, 0, bits, signed)]
    }

    fn set_registers(&mut self, d: Register, values: &[Value]) {
        for (n, value) in (0_u8..).zip(values) {
            self.at(1, n & 3);
            self.set_register(d.further(n), *value);
        }
    }

    pub(super) fn load_memory(&mut self, d: Register, memory: Memory, a: Address, size: Size) {
        let Some(place) = self.place(memory, a, size) else { return };
        let values = self.loaded(&place, size);
        self.set_registers(d, &values);
    }

    pub(super) fn store_memory(&mut self, memory: Memory, a: Address, size: Size, value: Register) {
        let Some(place) = self.place(memory, a, size) else { return };
        let Some((bits, _)) = narrow(size) else {
            for word in 0..words(size) {
                self.at(0, word);
                let value = self.register(value.further(word));
                place.store(self, word.into(), value);
            }
            return;
        };
        // The rest of the word stays.
        let all = u32::MAX >> (32 - bits);
        let value = self.register(value);
        let value = self.masked(value, all);
        let old = place.load(self, 0);
        let mask = self.bits(all);
        let shift = place.shift.unwrap_or_else(|| self.bits(0));
        let [mask, value] = [mask, value].map(|bits| self.value(Op::Shl, &[bits, shift]));
        let keep = self.value(Op::Not, &[mask]);
        let kept = self.value(Op::And, &[old, keep]);
        let word = self.value(Op::Or, &[kept, value]);
        place.store(self, 0, word);
    }

    pub(super) fn load_constant(&mut self, d: Register, a: IndexedConstant, size: Size) {
        let Constant { bank, offset } = a.base;
        if a.register.is_zero() {
            let (first, shift) = (offset & !3, 8 * u32::from(offset & 3));
            let values: Vec<Value> = (0..u16::from(words(size)))
                .map(|n| self.constant(Constant { bank, offset: first.wrapping_add(4 * n) }))
                .collect();
            if let (Some((bits, signed)), Some(word)) = (narrow(size), values.first()) {
                let value = self.cut(*word, shift.min(32 - bits), bits, signed);
                return self.set_register(d, value);
            }
            return self.set_registers(d, &values);
        }
        let register = self.register(a.register);
        let signed_offset = i64::from(offset as i16);
        let values = match a.mode {
            ConstantMode::Linear => {
                let more = self.bits(signed_offset as u32);
                let sum = if offset == 0 { register } else { self.value(Op::IAdd, &[register, more]) };
                self.indexed_constant(bank, sum, size)
            }
            ConstantMode::IndexedLinear | ConstantMode::Segmented | ConstantMode::SegmentedLinear => {
                self.segmented(bank, register, offset, size)
            }
        };
        self.set_registers(d, &values);
    }

    /// What a bank holds at a computed offset in bytes: 0 behind the 64 KiB that it can have.
    fn indexed_constant(&mut self, bank: u8, offset: Value, size: Size) -> Vec<Value> {
        let binding = uniform_binding(self.maxwell.driver, bank);
        // The mask says again what the comparison does, since it is what tells the component of an array's element.
        let bits = BANK_BYTES & !(4 * u32::from(words(size)) - 1) | inner_bytes(size);
        let inner = self.masked(offset, bits);
        let place = self.place_at(Space::Uniform, binding, Some(inner), 0, size);
        let values = self.loaded(&place, size);
        let end = self.bits(BANK_BYTES + 1);
        let inside = self.less(offset, end, Order::Unsigned);
        let nothing = self.bits(0);
        values.into_iter().map(|value| self.select(inside, value, nothing)).collect()
    }

    /// The upper half of the register is added to the bank, the lower to the offset.
    fn segmented(&mut self, bank: u8, register: Value, offset: u16, size: Size) -> Vec<Value> {
        let number = self.shifted(Op::ShrU, register, 16);
        let low = self.masked(register, BANK_BYTES);
        let more = self.bits(offset.into());
        let sum = if offset == 0 { low } else { self.value(Op::IAdd, &[low, more]) };
        let base = self.masked(sum, BANK_BYTES);
        let mut values: Vec<Value> = Vec::new();
        for n in (0..MOST_BANKS.saturating_sub(bank).max(1)).rev() {
            let binding = uniform_binding(self.maxwell.driver, bank + n);
            let place = self.place_at(Space::Uniform, binding, Some(base), 0, size);
            let here = self.loaded(&place, size);
            if values.is_empty() {
                // There is nothing behind the last bank.
                let nothing = self.bits(0);
                values = vec![nothing; here.len()];
            }
            let this = self.bits(n.into());
            let chosen = self.value(Op::ICompare(CompareInt::Eq), &[number, this]);
            values =
                here.iter().zip(&values).map(|(here, other)| self.select(chosen, *here, *other)).collect();
        }
        values
    }

    pub(super) fn atomic(
        &mut self,
        d: Register,
        memory: Memory,
        a: Address,
        (op, ty): (Atomic, AtomicType),
        b: Register,
    ) {
        match effect(memory, op, ty) {
            Effect::Changes => {}
            Effect::Leaves => {
                // The old value, and nothing else.
                let wide = matches!(ty, AtomicType::U64 | AtomicType::S64);
                return self.load_memory(d, memory, a, if wide { Size::B64 } else { Size::B32 });
            }
            // Refused before.
            Effect::Stops => return,
        }
        if ty == AtomicType::F16x2 {
            return self.atomic_halves(d, memory, a, op, b);
        }
        let Some(op) = self.atomic_op(op, ty) else { return };
        let Some(place) = self.place(memory, a, Size::B32) else { return };
        let value = self.register(b);
        self.atomic_at(d, op, &place, &[value]);
    }

    /// An atomic operation on two halves, which no language has: the word is swapped until nobody else changed it.
    fn atomic_halves(&mut self, d: Register, memory: Memory, a: Address, op: Atomic, b: Register) {
        let Some(place) = self.place(memory, a, Size::B32) else { return };
        let operand = self.register(b);
        let first = place.load(self, 0);
        let again = self.builder.block();
        let on = self.builder.block();
        let known = self.builder.param(again, Type::B32);
        self.builder.jump(again, &[first]);
        self.builder.switch_to(again);
        let mode = FloatMode { width: Width::F16, flush: true, round: Round::Nearest };
        let by = match op {
            Atomic::Min => Op::FMin(mode, MinMax::Number),
            Atomic::Max => Op::FMax(mode, MinMax::Number),
            _ => Op::FAdd(mode),
        };
        let [low, high] = [Op::Low, Op::High].map(|half| {
            let [old, more] = [known, operand].map(|word| self.value(half, &[word]));
            self.value(by, &[old, more])
        });
        let new = self.value(Op::Join, &[low, high]);
        let operands: Vec<Value> = place.operands.iter().copied().chain([known, new]).collect();
        let seen = self.value(Op::Atomic(AtomicOp::CompareExchange, place.access(0)), &operands);
        let done = self.equal(seen, known);
        self.builder.terminate(Terminator::Branch {
            condition: done,
            then: Target::plain(on),
            otherwise: Target { block: again, args: vec![seen] },
        });
        self.builder.switch_to(on);
        self.set_register(d, seen);
    }

    pub(super) fn compare_and_swap(
        &mut self,
        d: Register,
        memory: Memory,
        a: Address,
        wide: bool,
        [compare, swap]: [Register; 2],
    ) {
        if wide {
            return self.refuse("a compare and swap of 64 bits");
        }
        let Some(place) = self.place(memory, a, Size::B32) else { return };
        let (compare, swap) = (self.register(compare), self.register(swap));
        self.atomic_at(d, AtomicOp::CompareExchange, &place, &[compare, swap]);
    }

    fn atomic_at(&mut self, d: Register, op: AtomicOp, place: &Place, values: &[Value]) {
        let operands: Vec<Value> = place.operands.iter().chain(values).copied().collect();
        let old = self.value(Op::Atomic(op, place.access(0)), &operands);
        self.set_register(d, old);
    }

    /// The IR's name of an atomic operation on words.
    pub(super) fn atomic_op(&mut self, op: Atomic, ty: AtomicType) -> Option<AtomicOp> {
        let signed = match ty {
            AtomicType::U32 => false,
            AtomicType::S32 => true,
            AtomicType::F32 if op == Atomic::Add => return Some(AtomicOp::FAdd),
            AtomicType::F32 if op == Atomic::Exchange => return Some(AtomicOp::Exchange),
            other => {
                self.refuse(format!("an atomic operation ({op:?}) on {other:?}"));
                return None;
            }
        };
        Some(match (op, signed) {
            (Atomic::Add, _) => AtomicOp::Add,
            (Atomic::Min, true) => AtomicOp::SMin,
            (Atomic::Min, false) => AtomicOp::UMin,
            (Atomic::Max, true) => AtomicOp::SMax,
            (Atomic::Max, false) => AtomicOp::UMax,
            (Atomic::Increment, _) => AtomicOp::Increment,
            (Atomic::Decrement, _) => AtomicOp::Decrement,
            (Atomic::And, _) => AtomicOp::And,
            (Atomic::Or, _) => AtomicOp::Or,
            (Atomic::Xor, _) => AtomicOp::Xor,
            (Atomic::Exchange, _) => AtomicOp::Exchange,
            (Atomic::SafeAdd, _) => {
                self.refuse("an atomic sum that stays at the limit");
                return None;
            }
        })
    }
}
