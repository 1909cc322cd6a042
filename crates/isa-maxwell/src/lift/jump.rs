//! Jumps to computed places: the tables that feed them.
//!
//! Compilers load the target from a table of constants, with an index that a minimum keeps inside of it:
//! `IMNMX.U32 Ri, Rx, n; SHL Ri, Ri, 2; LDC Rt, c[1][Ri + table]; BRX Rt`.

use super::super::address_map::COMPILER_BANK;
use super::super::operation::{Constant, IndexedConstant, Operation, Size, Source};
use super::super::{Instruction, Register, layout};
use std::collections::BTreeSet;
use unshade_stage::Maxwell;

/// Instructions that are looked at in front of a jump.
const REACH: usize = 64;
/// Entries of a table.
const MOST_CASES: u32 = 1 << 12;

/// A word of a bank, if the file holds it.
pub(super) fn constant(maxwell: &Maxwell, place: Constant) -> Option<u32> {
    if place.bank != COMPILER_BANK {
        return None;
    }
    let at = usize::from(place.offset);
    let bytes = maxwell.constants.get(at..at.checked_add(4)?)?;
    Some(u32::from_le_bytes(bytes.try_into().ok()?))
}

/// The different values that the register of a jump may hold, or why nobody can tell.
pub(super) fn table(
    code: &[u32],
    maxwell: &Maxwell,
    at: u32,
    register: Register,
) -> Result<BTreeSet<u32>, String> {
    let before = instructions_before(code, at);
    let load = before.iter().rev().find_map(|instruction| match instruction.operation {
        Operation::LoadConstant { d, a, size: Size::B32 } if d == register => Some(a),
        _ => None,
    });
    let Some(IndexedConstant { base, register: index, .. }) = load else {
        return Err(format!("a jump to where {register} says, which no table feeds"));
    };
    let last = before.iter().rev().find_map(|instruction| match instruction.operation {
        Operation::IntMinMax { b: Source::Immediate(most), signed: false, least, .. } if least.is_true() => {
            Some(most)
        }
        _ => None,
    });
    let count = match last {
        _ if index.is_zero() => 1,
        Some(last) if last < MOST_CASES => last + 1,
        _ => return Err(format!("a table in c[{:#x}][{:#x}] of unknown length", base.bank, base.offset)),
    };
    (0..count)
        .map(|n| {
            let offset = u32::from(base.offset) + 4 * n;
            let place = u16::try_from(offset).ok().map(|offset| Constant { bank: base.bank, offset });
            place.and_then(|place| constant(maxwell, place)).ok_or_else(|| {
                format!("a table in c[{:#x}][{offset:#x}], which the file does not hold", base.bank)
            })
        })
        .collect()
}

/// The instructions in front of an address, in order.
fn instructions_before(code: &[u32], at: u32) -> Vec<Instruction> {
    let mut found: Vec<Instruction> = (0..at / 8)
        .rev()
        .map(|index| 8 * u64::from(index))
        .filter_map(|address| Instruction::decode(layout::at(code, address)?))
        .take(REACH)
        .collect();
    found.reverse();
    found
}
