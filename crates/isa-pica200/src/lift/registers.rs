//! Machine registers as module variables, made when they are first used.

use std::collections::HashMap;
use unshade_ir::{Module, Type, VarId};

/// One scalar of the machine's state.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Register {
    /// Component of r0-r15.
    Temp(u8, u8),
    /// Component of o0-o15, in the bank that is active.
    Output(u8, u8),
    /// The same in the other bank (geometry).
    OtherOutput(u8, u8),
    /// What a vertex slot holds of an output's component (geometry).
    Slot(u8, u8, u8),
    /// a0.x, a0.y.
    Address(u8),
    /// aL.
    Counter,
    /// cmp.x, cmp.y.
    Flag(u8),
    /// Passes that an open loop has done: by function, and slot of the loop in it. Each function has its own,
    /// since a loop of a caller may be open meanwhile.
    Passes(usize, u8),
    /// aL in front of an open loop, in the same way.
    Kept(usize, u8),
}

/// The variables that exist so far.
#[derive(Debug)]
pub(super) struct Registers {
    /// By [`Register::index`].
    fixed: Vec<Option<VarId>>,
    /// What open loops have: passes that are done, and aL of the loop around.
    of_loops: HashMap<Register, VarId>,
}

impl Default for Registers {
    fn default() -> Self {
        Self { fixed: vec![None; BANKS * BANK + 5], of_loops: HashMap::new() }
    }
}

/// Components of sixteen registers.
const BANK: usize = 64;
/// Temporaries, two banks of outputs, four slots.
const BANKS: usize = 7;

impl Register {
    /// Place in the table; none for what loops have, of which there are as many as functions want.
    fn index(self) -> Option<usize> {
        let bank = |bank: usize, n: u8, lane: u8| {
            Some(bank * BANK + 4 * usize::from(n & 15) + usize::from(lane & 3))
        };
        match self {
            Self::Temp(n, lane) => bank(0, n, lane),
            Self::Output(n, lane) => bank(1, n, lane),
            Self::OtherOutput(n, lane) => bank(2, n, lane),
            Self::Slot(slot, n, lane) => bank(3 + usize::from(slot & 3), n, lane),
            Self::Counter => Some(BANKS * BANK),
            Self::Address(lane) => Some(BANKS * BANK + 1 + usize::from(lane & 1)),
            Self::Flag(lane) => Some(BANKS * BANK + 3 + usize::from(lane & 1)),
            Self::Passes(..) | Self::Kept(..) => None,
        }
    }

    /// Name of the register, and the component.
    fn name(self) -> (String, u8) {
        match self {
            Self::Temp(n, lane) => (format!("r{n}"), lane),
            Self::Output(n, lane) => (format!("o{n}"), lane),
            Self::OtherOutput(n, lane) => (format!("other_o{n}"), lane),
            Self::Slot(slot, n, lane) => (format!("vertex{slot}_o{n}"), lane),
            Self::Address(lane) => ("a0".to_owned(), lane),
            Self::Counter => ("aL".to_owned(), 0),
            Self::Flag(lane) => ("cmp".to_owned(), lane),
            Self::Passes(_, slot) => (["i", "j", "k", "l"][usize::from(slot & 3)].to_owned(), 0),
            Self::Kept(_, slot) => (format!("aL_outside_{}", ["i", "j", "k", "l"][usize::from(slot & 3)]), 0),
        }
    }
}

impl Registers {
    /// Variable of a register, and its type.
    pub(super) fn variable(&mut self, module: &mut Module, register: Register) -> (VarId, Type) {
        let ty = if matches!(register, Register::Flag(_)) { Type::Bool } else { Type::B32 };
        let make = || {
            let (name, lane) = register.name();
            module.push_variable(name, lane, ty, 0)
        };
        let id = match register.index().and_then(|index| self.fixed.get_mut(index)) {
            Some(place) => *place.get_or_insert_with(make),
            None => *self.of_loops.entry(register).or_insert_with(make),
        };
        (id, ty)
    }
}
