//! Names of registers while a listing is read.

use crate::asm::operand::{Alias, Names, Register, looks_like_register};
use std::collections::HashMap;

/// Names that the text has given to registers. A name that was given to two registers stands for neither.
#[derive(Debug, Clone, Default)]
pub struct RegisterNames {
    known: HashMap<String, Option<Register>>,
}

impl RegisterNames {
    /// Gives a name to a register, or to the first one of a range. Names that look like registers stand for
    /// nothing.
    pub fn add(&mut self, name: &str, register: Register) {
        self.known
            .entry(name.to_owned())
            .and_modify(|known| *known = known.filter(|known| *known == register))
            .or_insert(Some(register));
    }
}

impl Names for RegisterNames {
    fn find(&self, name: &str) -> Option<Alias> {
        // Registers' own names are never given away, and are most of what is asked for.
        if self.known.is_empty() || looks_like_register(name) {
            return None;
        }
        self.known.get(name).copied().flatten().map(Alias::of)
    }
}
