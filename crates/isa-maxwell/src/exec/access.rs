//! Memory and attributes of one lane.

use super::memory::Extent;
use super::operand::{Operands, register_of, write, write_predicate};
use super::run::Fault;
use super::state::{Lane, Resources};
use crate::Register;
use crate::operation::atomic::{self, Effect};
use crate::operation::*;
use unshade_ir::AtomicOp;

/// A word of memory that atomic operations can change.
#[derive(Clone, Copy)]
enum Place {
    /// Byte of global memory.
    Global(u64),
    /// Byte of shared memory, which has so many words.
    Shared(u64, usize),
    /// Byte of the lane's own memory, which has so many words.
    Local(u64, usize),
}

fn place(lane: &Lane, extent: Extent, memory: Memory, a: Address, size: u64) -> Place {
    let low = register_of(lane, a.register);
    let address = if a.wide {
        let high = register_of(lane, a.register.further(1));
        (u64::from(low) | u64::from(high) << 32).wrapping_add(i64::from(a.offset) as u64)
    } else {
        low.wrapping_add(a.offset as u32).into()
    };
    let address = address & !(size - 1);
    match memory {
        Memory::Generic | Memory::Global => Place::Global(address),
        Memory::Shared => Place::Shared(address & 0xffff_ffff, extent.shared),
        Memory::Local => Place::Local(address & 0xffff_ffff, extent.local),
    }
}

impl Place {
    fn further(self, bytes: u64) -> Self {
        match self {
            Self::Global(at) => Self::Global(at.wrapping_add(bytes)),
            Self::Shared(at, words) => Self::Shared(at + bytes, words),
            Self::Local(at, words) => Self::Local(at + bytes, words),
        }
    }

    fn byte(self) -> u64 {
        match self {
            Self::Global(at) | Self::Shared(at, _) | Self::Local(at, _) => at,
        }
    }

    fn read(self, lane: &Lane, resources: &Resources) -> u32 {
        match self {
            Self::Global(at) => resources.global.read(at & !3),
            Self::Shared(at, words) => resources.shared.read(at / 4, words),
            Self::Local(at, words) => lane.local.read(at / 4, words),
        }
    }

    fn write(self, lane: &mut Lane, resources: &mut Resources, value: u32) -> Result<(), Fault> {
        match self {
            Self::Global(at) => {
                if !resources.global.write(at & !3, value) {
                    return Err(Fault::TooMuchMemory);
                }
            }
            Self::Shared(at, words) => resources.shared.write(at / 4, value, words),
            Self::Local(at, words) => lane.local.write(at / 4, value, words),
        }
        Ok(())
    }
}

/// Bytes, and whether fewer than a word are extended with their sign.
fn bytes(size: Size) -> (u64, bool) {
    match size {
        Size::U8 => (1, false),
        Size::S8 => (1, true),
        Size::U16 => (2, false),
        Size::S16 => (2, true),
        Size::B32 => (4, false),
        Size::B64 => (8, false),
        Size::B128 => (16, false),
    }
}

/// Part of a word at a byte, extended.
fn part(word: u32, byte: u64, size: Size) -> u32 {
    let (bytes, signed) = bytes(size);
    if bytes >= 4 {
        return word;
    }
    let len = 8 * bytes as u32;
    let bits = word >> (8 * (byte & 3) as u32) & ((1 << len) - 1);
    if signed { ((bits << (32 - len)) as i32 >> (32 - len)) as u32 } else { bits }
}

fn load(lane: &mut Lane, resources: &Resources, d: Register, from: Place, size: Size) {
    let (count, _) = bytes(size);
    let words = count.div_ceil(4);
    let values: [u32; 4] = std::array::from_fn(|n| {
        if (n as u64) < words { from.further(4 * n as u64).read(lane, resources) } else { 0 }
    });
    for n in 0..words {
        write(lane, d.further(n as u8), part(values[n as usize & 3], from.byte(), size));
    }
}

fn store(
    lane: &mut Lane,
    resources: &mut Resources,
    to: Place,
    size: Size,
    value: Register,
) -> Result<(), Fault> {
    let (count, _) = bytes(size);
    if count >= 4 {
        for n in 0..count / 4 {
            let word = register_of(lane, value.further(n as u8));
            to.further(4 * n).write(lane, resources, word)?;
        }
        return Ok(());
    }
    let shift = 8 * (to.byte() & 3) as u32;
    let mask = ((1_u32 << (8 * count as u32)) - 1) << shift;
    let old = to.read(lane, resources);
    let word = old & !mask | register_of(lane, value) << shift & mask;
    to.write(lane, resources, word)
}

fn load_constant(lane: &mut Lane, resources: &Resources, d: Register, a: IndexedConstant, size: Size) {
    let register = register_of(lane, a.register);
    let (bank, offset) = match a.mode {
        // The offset of an instruction alone wraps in the 64 KiB that a bank can have; one with a register does not.
        _ if a.register.is_zero() => (a.base.bank, u32::from(a.base.offset)),
        ConstantMode::Linear => (a.base.bank, register.wrapping_add_signed((a.base.offset as i16).into())),
        ConstantMode::IndexedLinear | ConstantMode::Segmented | ConstantMode::SegmentedLinear => {
            // There is nothing behind the last bank; that the sum could wrap to the first ones nobody has measured.
            let bank = u8::try_from(u32::from(a.base.bank) + (register >> 16)).unwrap_or(u8::MAX);
            (bank, u32::from(a.base.offset).wrapping_add(register & 0xffff) & 0xffff)
        }
    };
    let (count, _) = bytes(size);
    let start = u64::from(offset) & !(count - 1);
    for n in 0..count.div_ceil(4) {
        // Behind the 64 KiB a bank reads 0 (measured).
        let word = if offset > 0xffff { 0 } else { resources.constant(bank, (start + 4 * n) as u32) };
        write(lane, d.further(n as u8), part(word, start, size));
    }
}

/// The IR's operation on a word; `None` for those on more bits.
pub(super) fn word_operation(op: Atomic, ty: AtomicType) -> Option<AtomicOp> {
    Some(match (op, ty) {
        (Atomic::Add, AtomicType::F32) => AtomicOp::FAdd,
        (_, AtomicType::F32 | AtomicType::F16x2 | AtomicType::U64 | AtomicType::S64) => return None,
        (Atomic::Add, _) => AtomicOp::Add,
        (Atomic::Min, AtomicType::S32) => AtomicOp::SMin,
        (Atomic::Min, _) => AtomicOp::UMin,
        (Atomic::Max, AtomicType::S32) => AtomicOp::SMax,
        (Atomic::Max, _) => AtomicOp::UMax,
        (Atomic::Increment, _) => AtomicOp::Increment,
        (Atomic::Decrement, _) => AtomicOp::Decrement,
        (Atomic::And, _) => AtomicOp::And,
        (Atomic::Or, _) => AtomicOp::Or,
        (Atomic::Xor, _) => AtomicOp::Xor,
        (Atomic::Exchange, _) => AtomicOp::Exchange,
        (Atomic::SafeAdd, _) => return None,
    })
}

/// An operation on 64 bits; `None`: not one of those.
fn wide_operation(op: Atomic, ty: AtomicType, old: u64, b: u64) -> Option<u64> {
    let signed = match ty {
        AtomicType::U64 => false,
        AtomicType::S64 => true,
        _ => return None,
    };
    Some(match op {
        Atomic::Add => old.wrapping_add(b),
        Atomic::Min if signed => (old as i64).min(b as i64) as u64,
        Atomic::Min => old.min(b),
        Atomic::Max if signed => (old as i64).max(b as i64) as u64,
        Atomic::Max => old.max(b),
        Atomic::And => old & b,
        Atomic::Or => old | b,
        Atomic::Xor => old ^ b,
        Atomic::Exchange => b,
        _ => return None,
    })
}

/// An operation on both halves of two words, denormals as zero; `None`: none of these.
fn half_operation(op: Atomic, old: u32, b: u32) -> Option<u32> {
    use super::float::{half, sum, to_half};
    let number = |a: f64, b: f64, first: bool| if b.is_nan() || !a.is_nan() && first { a } else { b };
    let one = |shift: u32| -> Option<u32> {
        let (a, b) = (half(old >> shift, true), half(b >> shift, true));
        let value = match op {
            Atomic::Add => sum(a, b, Rounding::Nearest),
            Atomic::Min => number(a, b, a < b || a == b && a.is_sign_negative()),
            Atomic::Max => number(a, b, a > b || a == b && a.is_sign_positive()),
            _ => return None,
        };
        Some(to_half(value, true) << shift)
    };
    Some(one(0)? | one(16)?)
}

fn change(
    lane: &mut Lane,
    resources: &mut Resources,
    d: Register,
    at: Place,
    (op, ty): (Atomic, AtomicType),
    b: Register,
) -> Result<(), Fault> {
    let effect =
        atomic::effect(if matches!(at, Place::Shared(..)) { Memory::Shared } else { Memory::Global }, op, ty);
    let old = at.read(lane, resources);
    let operand = register_of(lane, b);
    if matches!(ty, AtomicType::U64 | AtomicType::S64) {
        let above = at.further(4);
        let wide = u64::from(old) | u64::from(above.read(lane, resources)) << 32;
        let operand = u64::from(operand) | u64::from(register_of(lane, b.further(1))) << 32;
        let new = match effect {
            Effect::Leaves => wide,
            _ => wide_operation(op, ty, wide, operand).ok_or(Fault::Unsupported)?,
        };
        at.write(lane, resources, new as u32)?;
        above.write(lane, resources, (new >> 32) as u32)?;
        write(lane, d, wide as u32);
        write(lane, d.further(1), (wide >> 32) as u32);
        return Ok(());
    }
    let new = match (op, ty) {
        _ if effect == Effect::Leaves => old,
        (_, AtomicType::F16x2) => half_operation(op, old, operand).ok_or(Fault::Unsupported)?,
        // PTX knows no such operation; sums of unsigned words stay at the top.
        (Atomic::SafeAdd, AtomicType::U32) => old.saturating_add(operand),
        _ => word_operation(op, ty).ok_or(Fault::Unsupported)?.apply(old, &[operand]),
    };
    at.write(lane, resources, new)?;
    write(lane, d, old);
    Ok(())
}

fn swap(
    lane: &mut Lane,
    resources: &mut Resources,
    d: Register,
    at: Place,
    wide: bool,
    [compare, new]: [Register; 2],
) -> Result<(), Fault> {
    let words = if wide { 2 } else { 1_u8 };
    let old: [u32; 2] = std::array::from_fn(|n| at.further(4 * n as u64).read(lane, resources));
    let equal = (0..words).all(|n| old[usize::from(n)] == register_of(lane, compare.further(n)));
    let values: [u32; 2] = std::array::from_fn(|n| register_of(lane, new.further(n as u8)));
    for n in 0..words {
        if equal {
            at.further(4 * u64::from(n)).write(lane, resources, values[usize::from(n)])?;
        }
        write(lane, d.further(n), old[usize::from(n)]);
    }
    Ok(())
}

/// Does an access to memory; `None`: it is of another kind. `keeps`: what it writes to shared things is kept.
pub(super) fn access(
    lane: &mut Lane,
    resources: &mut Resources,
    extent: Extent,
    operation: &Operation,
    keeps: bool,
) -> Option<Result<(), Fault>> {
    Some(match *operation {
        Operation::Load { d, memory, a, size, p } => {
            let from = place(lane, extent, memory, a, bytes(size).0);
            load(lane, resources, d, from, size);
            write_predicate(lane, p, false);
            Ok(())
        }
        Operation::LoadConstant { d, a, size } => {
            load_constant(lane, resources, d, a, size);
            Ok(())
        }
        Operation::Store { memory, .. } if !keeps && memory != Memory::Local => Ok(()),
        Operation::Store { memory, a, size, value } => {
            let to = place(lane, extent, memory, a, bytes(size).0);
            store(lane, resources, to, size, value)
        }
        // Atomic operations of helpers give 0.
        Operation::Atomic { d, ty, p, .. } if !keeps => {
            write(lane, d, 0);
            if matches!(ty, AtomicType::U64 | AtomicType::S64) {
                write(lane, d.further(1), 0);
            }
            write_predicate(lane, p, false);
            Ok(())
        }
        Operation::CompareAndSwap { d, wide, p, .. } if !keeps => {
            write(lane, d, 0);
            if wide {
                write(lane, d.further(1), 0);
            }
            write_predicate(lane, p, false);
            Ok(())
        }
        Operation::Reduce { .. } if !keeps => Ok(()),
        Operation::Atomic { d, memory, a, op, ty, b, p } => {
            let at = place(lane, extent, memory, a, atomic_bytes(ty));
            let done = change(lane, resources, d, at, (op, ty), b);
            write_predicate(lane, p, false);
            done
        }
        Operation::Reduce { a, op, ty, b } => {
            let at = place(lane, extent, Memory::Global, a, atomic_bytes(ty));
            change(lane, resources, Register::ZERO, at, (op, ty), b)
        }
        Operation::CompareAndSwap { d, memory, a, wide, compare, swap: new, p } => {
            let at = place(lane, extent, memory, a, if wide { 8 } else { 4 });
            let done = swap(lane, resources, d, at, wide, [compare, new]);
            write_predicate(lane, p, false);
            done
        }
        _ => return None,
    })
}

fn atomic_bytes(ty: AtomicType) -> u64 {
    if matches!(ty, AtomicType::U64 | AtomicType::S64) { 8 } else { 4 }
}

/// Byte address of an attribute: as it stands, or a register's.
pub(super) fn attribute_address(at: Operands<'_>, a: Attribute) -> u32 {
    if a.physical || !a.register.is_zero() {
        u32::from(a.address).wrapping_add(at.register(a.register))
    } else {
        a.address.into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_of_words() {
        assert_eq!(part(0x8070_60f0, 0, Size::S8), 0xffff_fff0);
        assert_eq!(part(0x8070_60f0, 3, Size::U8), 0x80);
        assert_eq!(part(0x8070_60f0, 2, Size::S16), 0xffff_8070);
        let halves = |op| half_operation(op, 0x3c00_3c00, 0x4000_bc00);
        assert_eq!(halves(Atomic::Add), Some(0x4200_0000));
        assert_eq!(halves(Atomic::Min), Some(0x3c00_bc00));
        assert_eq!(halves(Atomic::Max), Some(0x4000_3c00));
        // No number loses, and minus zero is below zero.
        assert_eq!(half_operation(Atomic::Min, 0x7fff_8000, 0x3c00_0000), Some(0x3c00_8000));
    }
}
