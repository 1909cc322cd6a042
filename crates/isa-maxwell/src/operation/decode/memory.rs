//! Memory and barriers.

use super::fields::register;
use crate::Form;
use crate::operation::{
    Address, Atomic, AtomicType, Barrier, Constant, ConstantMode, IndexedConstant, Memory, Operation,
    Register, Size, Source,
};
use crate::word::Word;

fn address(w: Word, at: u32, len: u32, wide: bool) -> Address {
    Address { register: w.register(8), offset: w.signed(at, len) as i32, wide }
}

/// The forms of `ATOM` with a predicate have no offset.
fn bare_address(w: Word) -> Address {
    Address { register: w.register(8), offset: 0, wide: w.bit(48) }
}

/// The offset of shared atomics counts words.
fn word_address(w: Word) -> Address {
    Address { register: w.register(8), offset: (w.signed(30, 22) * 4) as i32, wide: false }
}

fn size(w: Word, at: u32) -> Option<Size> {
    match w.bits(at, 3) {
        0 => Some(Size::U8),
        1 => Some(Size::S8),
        2 => Some(Size::U16),
        3 => Some(Size::S16),
        4 => Some(Size::B32),
        5 => Some(Size::B64),
        6 => Some(Size::B128),
        _ => None,
    }
}

/// As [`size`], with `.U.128`, which moves the same as `.128`.
fn size_or_uniform(w: Word, at: u32) -> Option<Size> {
    if w.bits(at, 3) == 7 { Some(Size::B128) } else { size(w, at) }
}

/// The number of an atomic operation.
pub(super) fn operation(number: u64) -> Option<Atomic> {
    match number {
        0 => Some(Atomic::Add),
        1 => Some(Atomic::Min),
        2 => Some(Atomic::Max),
        3 => Some(Atomic::Increment),
        4 => Some(Atomic::Decrement),
        5 => Some(Atomic::And),
        6 => Some(Atomic::Or),
        7 => Some(Atomic::Xor),
        8 => Some(Atomic::Exchange),
        10 => Some(Atomic::SafeAdd),
        _ => None,
    }
}

/// The number of an atomic operation's type.
pub(super) fn operation_type(number: u64) -> Option<AtomicType> {
    match number {
        0 => Some(AtomicType::U32),
        1 => Some(AtomicType::S32),
        2 => Some(AtomicType::U64),
        3 => Some(AtomicType::F32),
        4 => Some(AtomicType::F16x2),
        5 => Some(AtomicType::S64),
        _ => None,
    }
}

/// `LD`. Its predicate operand (58-60) has no known effect on what is read.
pub(super) fn load_generic(w: Word) -> Option<Operation> {
    Some(Operation::Load {
        d: w.register(0),
        memory: Memory::Generic,
        a: address(w, 20, 32, w.bit(52)),
        size: size_or_uniform(w, 53)?,
        p: 7,
    })
}

/// `ST`.
pub(super) fn store_generic(w: Word) -> Option<Operation> {
    Some(Operation::Store {
        memory: Memory::Generic,
        a: address(w, 20, 32, w.bit(52)),
        size: size(w, 53)?,
        value: w.register(0),
    })
}

/// `LDG`.
pub(super) fn load_global(w: Word) -> Option<Operation> {
    let size = size_or_uniform(w, 48)?;
    Some(Operation::Load {
        d: w.register(0),
        memory: Memory::Global,
        a: address(w, 20, 24, w.bit(45)),
        size,
        p: 7,
    })
}

/// `LDG` with a predicate, which is stored complemented.
pub(super) fn load_global_checked(w: Word) -> Option<Operation> {
    Some(Operation::Load {
        d: w.register(0),
        memory: Memory::Global,
        a: address(w, 20, 20, w.bit(45)),
        size: size_or_uniform(w, 48)?,
        p: 7 - w.predicate(41),
    })
}

/// `LDL`, `LDS`.
pub(super) fn load_near(w: Word, memory: Memory) -> Option<Operation> {
    Some(Operation::Load { d: w.register(0), memory, a: address(w, 20, 24, false), size: size(w, 48)?, p: 7 })
}

/// `STG`.
pub(super) fn store_global(w: Word) -> Option<Operation> {
    Some(Operation::Store {
        memory: Memory::Global,
        a: address(w, 20, 24, w.bit(45)),
        size: size(w, 48)?,
        value: w.register(0),
    })
}

/// `STL`, `STS`.
pub(super) fn store_near(w: Word, memory: Memory) -> Option<Operation> {
    Some(Operation::Store { memory, a: address(w, 20, 24, false), size: size(w, 48)?, value: w.register(0) })
}

/// `LDC`.
pub(super) fn load_constant(w: Word) -> Option<Operation> {
    let size = size(w, 48).filter(|&size| size != Size::B128)?;
    let mode = match w.bits(44, 2) {
        0 => ConstantMode::Linear,
        1 => ConstantMode::IndexedLinear,
        2 => ConstantMode::Segmented,
        _ => ConstantMode::SegmentedLinear,
    };
    let base = Constant { bank: w.bits(36, 5) as u8, offset: w.bits(20, 16) as u16 };
    Some(Operation::LoadConstant {
        d: w.register(0),
        a: IndexedConstant { base, register: w.register(8), mode },
        size,
    })
}

/// `ATOM`.
pub(super) fn atomic(w: Word) -> Option<Operation> {
    Some(Operation::Atomic {
        d: w.register(0),
        memory: Memory::Global,
        a: address(w, 28, 20, w.bit(48)),
        op: operation(w.bits(52, 4))?,
        ty: operation_type(w.bits(49, 3))?,
        b: w.register(20),
        p: 7,
    })
}

/// `ATOM` with a predicate, which is stored complemented.
pub(super) fn atomic_checked(w: Word) -> Option<Operation> {
    Some(Operation::Atomic {
        d: w.register(0),
        memory: Memory::Global,
        a: bare_address(w),
        op: operation(w.bits(44, 4))?,
        ty: operation_type(w.bits(49, 3))?,
        b: w.register(20),
        p: 7 - w.predicate(41),
    })
}

/// The registers of a compare and swap: the second lies behind the first, either may be `RZ`.
fn compared(w: Word, which: u64, wide: bool) -> Option<(Register, Register)> {
    let first = w.register(20);
    match which {
        0 => Some((first, first.further(if wide { 2 } else { 1 }))),
        1 => Some((first, Register::ZERO)),
        2 => Some((Register::ZERO, first)),
        _ => None,
    }
}

/// `ATOM.CAS`.
pub(super) fn swap(w: Word) -> Option<Operation> {
    let wide = w.bit(49);
    let (compare, swap) = compared(w, w.bits(50, 2), wide)?;
    let a = address(w, 28, 20, w.bit(48));
    Some(Operation::CompareAndSwap { d: w.register(0), memory: Memory::Global, a, wide, compare, swap, p: 7 })
}

/// `ATOM.CAS` with a predicate, which is stored complemented.
pub(super) fn swap_checked(w: Word) -> Option<Operation> {
    let wide = w.bit(49);
    let (compare, swap) = compared(w, w.bits(50, 2), wide)?;
    let a = bare_address(w);
    let p = 7 - w.predicate(41);
    Some(Operation::CompareAndSwap { d: w.register(0), memory: Memory::Global, a, wide, compare, swap, p })
}

/// `ATOMS`.
pub(super) fn atomic_shared(w: Word) -> Option<Operation> {
    let ty = match w.bits(28, 2) {
        0 => AtomicType::U32,
        1 => AtomicType::S32,
        2 => AtomicType::U64,
        _ => AtomicType::S64,
    };
    Some(Operation::Atomic {
        d: w.register(0),
        memory: Memory::Shared,
        a: word_address(w),
        op: operation(w.bits(52, 4)).filter(|&op| op != Atomic::SafeAdd)?,
        ty,
        b: w.register(20),
        p: 7,
    })
}

/// `ATOMS.CAS`; `ATOMS.CAST`, of a lock, by its name.
pub(super) fn swap_shared(w: Word) -> Option<Operation> {
    if !w.bit(54) {
        return Some(Operation::System(Form::AtomsCas));
    }
    if w.bit(53) {
        return None;
    }
    let wide = w.bit(52);
    let (compare, swap) = compared(w, w.bits(28, 2), wide)?;
    Some(Operation::CompareAndSwap {
        d: w.register(0),
        memory: Memory::Shared,
        a: word_address(w),
        wide,
        compare,
        swap,
        p: 7,
    })
}

/// `RED`.
pub(super) fn reduce(w: Word) -> Option<Operation> {
    Some(Operation::Reduce {
        a: address(w, 28, 20, w.bit(48)),
        op: operation(w.bits(23, 3))?,
        ty: operation_type(w.bits(20, 3))?,
        b: w.register(0),
    })
}

/// `BAR`. Its number and the number of threads are immediates where bits 44 and 43 are set.
pub(super) fn barrier(w: Word) -> Option<Operation> {
    let index = if w.bit(44) { Source::Immediate(w.bits(8, 8) as u32) } else { register(w.register(8)) };
    let threads = if w.bit(43) { Source::Immediate(w.bits(20, 12) as u32) } else { register(w.register(20)) };
    let barrier = match w.bits(32, 3) {
        0 => Barrier::Sync,
        1 => Barrier::Arrive,
        2 if w.bits(35, 2) < 3 => Barrier::Reduce { predicate: w.condition(39), how: w.bits(35, 2) as u8 },
        3 => Barrier::Scan,
        _ => return None,
    };
    Some(Operation::Barrier { barrier, index, threads })
}

/// `B2R`.
pub(super) fn barrier_result(w: Word) -> Option<Operation> {
    Some(Operation::BarrierResult { d: w.register(0), p: w.predicate(45), mode: w.bits(32, 2) as u8 })
}
