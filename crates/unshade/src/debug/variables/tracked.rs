//! A run that knows what the variables of the source hold.

use super::{Table, held};
use crate::debug::machine::{Held, Machine, Place, Slot, Words};
use crate::debug::view::{Ended, StackEntry};
use crate::run_json::{Outputs, RunJsonError};
use std::sync::Arc;
use unshade_ir::ast::Scalar;

/// Values that may be kept, of all lanes.
const VALUES: usize = 1 << 16;

/// A component of a variable.
#[derive(Debug, Clone, Copy, Default)]
struct Value {
    /// What was assigned last; none where nothing was.
    word: Option<u32>,
    /// Which of the definitions of all did it: the word of its instruction, and which of those there.
    by: (u32, u16),
}

/// A run of a machine and what the variables hold. As the run itself, it depends on the number of steps alone.
pub(in crate::debug) struct Tracked {
    run: Box<dyn Machine>,
    table: Arc<Table>,
    /// By lane, variable and component.
    values: Vec<Value>,
}

impl Tracked {
    /// A run in front of its first step.
    pub fn new(run: Box<dyn Machine>, table: Arc<Table>) -> Self {
        let lanes = run.lanes() as usize;
        let count = lanes.saturating_mul(table.variables.len()).saturating_mul(4);
        let values = vec![Value::default(); if count > VALUES { 0 } else { count }];
        let mut made = Self { run, table: table.clone(), values };
        for lane in 0..made.run.lanes() {
            for (variable, component, word) in &table.initial {
                let at = made.at(lane, *variable, *component);
                if let Some(value) = made.values.get_mut(at) {
                    *value = Value { word: Some(*word), by: (u32::MAX, 0) };
                }
            }
        }
        made
    }

    fn at(&self, lane: u32, variable: usize, component: u8) -> usize {
        let row = (lane as usize).saturating_mul(self.table.variables.len()).saturating_add(variable);
        row.saturating_mul(4).saturating_add(component.into())
    }

    fn scalar(&self, variable: usize) -> Scalar {
        self.table.variables.get(variable).map_or(Scalar::Uint, |variable| variable.scalar)
    }
}

impl Machine for Tracked {
    fn copy(&self) -> Box<dyn Machine> {
        let (run, table, values) = (self.run.copy(), self.table.clone(), self.values.clone());
        Box::new(Self { run, table, values })
    }

    fn size(&self) -> usize {
        self.run.size().saturating_add(self.values.len().saturating_mul(size_of::<Value>()))
    }

    fn step(&mut self) {
        let place = self.run.next();
        let active = self.run.at_work();
        let first = self.run.first_lane();
        self.run.step();
        let Some(word) = place.and_then(|place| place.word) else { return };
        let table = self.table.clone();
        let Some(definitions) = table.definitions.get(&word) else { return };
        for (number, definition) in (0_u16..).zip(definitions) {
            let scalar = self.scalar(definition.variable);
            for n in (0..32).filter(|n| active >> n & 1 != 0) {
                let lane = first.saturating_add(n);
                let at = self.at(lane, definition.variable, definition.component);
                let now = self.run.read(&definition.slot, lane).get(usize::from(definition.place)).copied();
                if let Some(value) = self.values.get_mut(at) {
                    *value = Value { word: now.map(|now| held(scalar, now)), by: (word, number) };
                }
            }
        }
    }

    fn held(&self, lane: u32, variable: usize, component: u8) -> Option<Held> {
        let value = self.values.get(self.at(lane, variable, component))?;
        let place = value.word.and_then(|word| {
            let definition = self.table.definitions.get(&value.by.0)?.get(usize::from(value.by.1))?;
            let now = self.run.read(&definition.slot, lane).get(usize::from(definition.place)).copied()?;
            let letter = "xyzw".chars().nth(definition.place.into());
            let letter = letter.filter(|_| definition.slot.components > 1);
            (held(self.scalar(variable), now) == word).then(|| (definition.slot.name.clone(), letter))
        });
        Some(Held { word: value.word, place })
    }

    fn ended(&self) -> Option<&Ended> {
        self.run.ended()
    }

    fn next(&self) -> Option<Place> {
        self.run.next()
    }

    fn at_work(&self) -> u32 {
        self.run.at_work()
    }

    fn calls(&self) -> usize {
        self.run.calls()
    }

    fn stack(&self) -> Vec<StackEntry> {
        self.run.stack()
    }

    fn lanes(&self) -> u32 {
        self.run.lanes()
    }

    fn first_lane(&self) -> u32 {
        self.run.first_lane()
    }

    fn slots(&self) -> Arc<[Slot]> {
        self.run.slots()
    }

    fn slot(&self, name: &str) -> Option<Slot> {
        self.run.slot(name)
    }

    fn read(&self, slot: &Slot, lane: u32) -> Words {
        self.run.read(slot, lane)
    }

    fn reads(&self) -> Vec<(Slot, u8)> {
        self.run.reads()
    }

    fn outputs(&self) -> Result<Outputs, RunJsonError> {
        self.run.outputs()
    }
}
