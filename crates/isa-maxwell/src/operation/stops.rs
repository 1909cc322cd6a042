//! Operations that have an encoding and that the machine does not have: it stops the program there.

use super::atomic::{Effect, effect};
use super::{FloatFormat, Memory, Operation};

/// Why the machine stops at an operation, as a part of a sentence; nothing where it does not. All of this was measured
/// on the console (docs/maxwell-hardware.md).
pub fn stops(operation: &Operation) -> Option<&'static str> {
    let halves_and_doubles = |a: FloatFormat, b: FloatFormat| {
        matches!((a, b), (FloatFormat::F16, FloatFormat::F64) | (FloatFormat::F64, FloatFormat::F16))
    };
    match *operation {
        Operation::IntAdd { carry: true, plus_one: true, .. } => Some("a sum with `.PO` and `.X` at once"),
        Operation::FloatToFloat { from, to, .. } if halves_and_doubles(from, to) => {
            Some("a conversion between 16 and 64 bits")
        }
        Operation::FloatToInt { from, to, .. }
            if (from == FloatFormat::F16 && to.bits == 64) || (from == FloatFormat::F64 && to.bits < 32) =>
        {
            Some("a conversion between 16 and 64 bits")
        }
        Operation::Atomic { memory, op, ty, .. } if effect(memory, op, ty) == Effect::Stops => {
            Some("an atomic operation that shared memory has not for this type")
        }
        Operation::Reduce { op, ty, .. } if effect(Memory::Global, op, ty) == Effect::Stops => {
            Some("an atomic operation that memory has not for this type")
        }
        _ => None,
    }
}
