//! Which atomic operations the machine has for which type.

use super::{Atomic, AtomicType, Memory};

/// What becomes of memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Effect {
    /// The operation is done.
    Changes,
    /// Nothing is changed. The old value is given all the same.
    Leaves,
    /// The machine stops the program.
    Stops,
}

/// What an operation of a type does in a memory. Encodings exist for all pairs; what the machine makes of them was
/// measured on the console (docs/maxwell-hardware.md).
pub fn effect(memory: Memory, op: Atomic, ty: AtomicType) -> Effect {
    use Atomic::{Add, Decrement, Exchange, Increment, Max, Min};
    let counts = matches!(op, Increment | Decrement);
    let wide = matches!(ty, AtomicType::U64 | AtomicType::S64);
    if memory == Memory::Shared {
        // Shared memory has units for words alone.
        let stops = wide && op != Exchange || ty == AtomicType::S32 && counts;
        return if stops { Effect::Stops } else { Effect::Changes };
    }
    let changes = match ty {
        AtomicType::U32 => true,
        AtomicType::S32 | AtomicType::U64 => !counts,
        // An exchange of signed words of 64 bits was not measured; none is known to be written.
        AtomicType::S64 => matches!(op, Min | Max | Exchange),
        AtomicType::F32 => matches!(op, Add),
        AtomicType::F16x2 => matches!(op, Add | Min | Max),
    };
    if changes { Effect::Changes } else { Effect::Leaves }
}
