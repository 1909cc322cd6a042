//! Machine registers as module variables, made when they are first used.

use std::collections::BTreeMap;
use unshade_ir::{Module, Type, VarId};

/// One scalar of the machine's state.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum State {
    /// R0-R254.
    Register(u8),
    /// P0-P6.
    Predicate(u8),
    /// A bit of the condition code.
    Flag(Flag),
}

/// Bits of the condition code.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Flag {
    /// The result is zero.
    Zero,
    /// It is negative.
    Sign,
    /// A carry came out.
    Carry,
    /// It does not fit as a signed number.
    Overflow,
}

impl Flag {
    /// All of them, from bit 0 of the condition code on.
    pub(super) const ALL: [Self; 4] = [Self::Zero, Self::Sign, Self::Carry, Self::Overflow];
}

/// The variables that exist so far.
#[derive(Debug, Default)]
pub(super) struct Registers {
    variables: BTreeMap<State, VarId>,
}

impl State {
    /// Its type.
    pub(super) fn ty(self) -> Type {
        match self {
            Self::Register(_) => Type::B32,
            Self::Predicate(_) | Self::Flag(_) => Type::Bool,
        }
    }

    fn name(self) -> String {
        match self {
            Self::Register(n) => format!("R{n}"),
            Self::Predicate(n) => format!("P{n}"),
            Self::Flag(Flag::Zero) => "zero".to_owned(),
            Self::Flag(Flag::Sign) => "sign".to_owned(),
            Self::Flag(Flag::Carry) => "carry".to_owned(),
            Self::Flag(Flag::Overflow) => "overflow".to_owned(),
        }
    }
}

impl Registers {
    /// Variable of a register.
    pub(super) fn variable(&mut self, module: &mut Module, state: State) -> VarId {
        let make = || module.push_variable(state.name(), 0, state.ty(), 0);
        *self.variables.entry(state).or_insert_with(make)
    }

    /// Whether it was read or written so far.
    pub(super) fn is_used(&self, state: State) -> bool {
        self.variables.contains_key(&state)
    }
}
