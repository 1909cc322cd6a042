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
}

/// The variables that exist so far.
#[derive(Debug, Default)]
pub(super) struct Registers(HashMap<Register, VarId>);

impl Registers {
    /// Variable of a register, and its type.
    pub(super) fn variable(&mut self, module: &mut Module, register: Register) -> (VarId, Type) {
        let ty = if matches!(register, Register::Flag(_)) { Type::Bool } else { Type::B32 };
        let id = *self.0.entry(register).or_insert_with(|| {
            let (name, lane) = match register {
                Register::Temp(n, lane) => (format!("r{n}"), lane),
                Register::Output(n, lane) => (format!("o{n}"), lane),
                Register::OtherOutput(n, lane) => (format!("other_o{n}"), lane),
                Register::Slot(slot, n, lane) => (format!("vertex{slot}_o{n}"), lane),
                Register::Address(lane) => ("a0".to_owned(), lane),
                Register::Counter => ("aL".to_owned(), 0),
                Register::Flag(lane) => ("cmp".to_owned(), lane),
                Register::Passes(_, slot) => {
                    (["i", "j", "k", "l"].get(usize::from(slot)).unwrap_or(&"i").to_string(), 0)
                }
            };
            module.push_variable(name, lane, ty, 0)
        });
        (id, ty)
    }
}
