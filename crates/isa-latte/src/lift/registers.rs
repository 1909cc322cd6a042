//! Machine registers as module variables, made when they are first used, and the registers that an index
//! reaches as a local array.

use super::relative::Indexed;
use std::collections::HashMap;
use unshade_ir::{LocalArray, Module, Type, VarId};

/// General registers.
pub(super) const GPRS: usize = 128;

/// One scalar of the machine's state.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Register {
    /// Component of R0-R127, where no index reaches it.
    Gpr(u8, u8),
    /// The predicate.
    Predicate,
    /// aL of an open loop, by slot.
    Index(u8),
    /// Passes that an open loop still has to do, by slot.
    Passes(u8),
    /// Gradients for the samples that follow: to the right (0) or upwards (1), and the component.
    Gradient(u8, u8),
    /// Number of the cube for samples from arrays of cubes.
    Cube,
    /// Word of the item of the next vertex.
    Item(u16),
    /// First word of that item in the ring.
    ItemStart,
}

/// Memory of the invocation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Memory {
    /// Registers that did not find room.
    Scratch,
    /// The reduction buffer.
    Reduction,
    /// The ring, of programs that do not write it vertex by vertex.
    Ring,
}

/// Words of memory that the machine has at most.
const MEMORY_WORDS: u32 = 1 << 16;

/// The variables that exist so far.
#[derive(Debug, Default)]
pub(super) struct Registers {
    gprs: Vec<Option<VarId>>,
    others: HashMap<Register, VarId>,
    memories: HashMap<Memory, u32>,
    /// Registers that lie in the local array 0.
    pub(super) array: Indexed,
}

impl Register {
    /// Name of the register, and the component.
    fn name(self) -> (String, u8) {
        match self {
            Self::Gpr(n, lane) => (format!("R{n}"), lane),
            Self::Predicate => ("predicate".to_owned(), 0),
            Self::Index(0) => ("aL".to_owned(), 0),
            Self::Index(slot) => (format!("aL{slot}"), 0),
            Self::Passes(slot) => (format!("passes{slot}"), 0),
            Self::Gradient(0, lane) => ("right".to_owned(), lane),
            Self::Gradient(_, lane) => ("up".to_owned(), lane),
            Self::Cube => ("cube".to_owned(), 0),
            Self::Item(word) => (format!("item{}", word / 4), (word % 4) as u8),
            Self::ItemStart => ("item_start".to_owned(), 0),
        }
    }

    fn ty(self) -> Type {
        if self == Self::Predicate { Type::Bool } else { Type::B32 }
    }
}

impl Registers {
    /// Variable of a register, and its type.
    pub(super) fn variable(&mut self, module: &mut Module, register: Register) -> (VarId, Type) {
        let ty = register.ty();
        let mut make = || {
            let (name, lane) = register.name();
            module.push_variable(name, lane, ty, 0)
        };
        let id = match register {
            Register::Gpr(n, lane) => {
                if self.gprs.is_empty() {
                    self.gprs.resize(4 * GPRS, None);
                }
                match self.gprs.get_mut(4 * usize::from(n) + usize::from(lane & 3)) {
                    Some(place) => *place.get_or_insert_with(make),
                    None => make(),
                }
            }
            other => *self.others.entry(other).or_insert_with(make),
        };
        (id, ty)
    }

    /// Number and component of the general registers that the program names and that are variables.
    pub(super) fn named(&self) -> Vec<(u8, u8)> {
        let places = self.gprs.iter().enumerate();
        places
            .filter(|(_, variable)| variable.is_some())
            .map(|(place, _)| ((place / 4) as u8, (place % 4) as u8))
            .collect()
    }

    /// Number of the local array that holds a memory.
    pub(super) fn memory(&mut self, module: &mut Module, memory: Memory) -> u32 {
        *self.memories.entry(memory).or_insert_with(|| {
            let name = match memory {
                Memory::Scratch => "scratch",
                Memory::Reduction => "reduction",
                Memory::Ring => "ring",
            };
            module.arrays.push(LocalArray { name: name.to_owned(), words: MEMORY_WORDS });
            module.arrays.len() as u32 - 1
        })
    }
}
