//! Which register and component each machine variable was.

use crate::{Module, VarId};
use std::collections::BTreeMap;

/// Registers by number, so that they compare quickly.
pub(super) struct Registers(Vec<(u32, u8)>);

impl Registers {
    pub fn new(module: &Module) -> Self {
        let mut numbers = BTreeMap::new();
        let places = module.variables.iter().map(|variable| {
            let next = numbers.len() as u32;
            (*numbers.entry(variable.register.as_str()).or_insert(next), variable.lane)
        });
        Self(places.collect())
    }

    /// Number and component of a variable's register.
    pub fn of(&self, variable: Option<VarId>) -> Option<(u32, u8)> {
        self.0.get(variable?.index()).copied()
    }
}
