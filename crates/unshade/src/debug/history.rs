//! States of a run that are kept, so that going back is going forward from an earlier one.

use super::machine::Machine;
use std::collections::BTreeMap;

/// Bytes that the kept states of a session take at most, apart from the state at the start and one more.
pub const STATES: usize = 64 << 20;

/// Steps between kept states to begin with.
const DISTANCE: u64 = 256;
/// Steps between the states around the place where the run is.
const NEAR: u64 = 8;

/// The kept states.
pub(super) struct History {
    /// By their steps; always holds the start.
    states: BTreeMap<u64, Box<dyn Machine>>,
    /// Kept states lie at multiples of this.
    distance: u64,
    bytes: usize,
    /// States near the last place that was gone back to, by their steps.
    near: BTreeMap<u64, Box<dyn Machine>>,
    near_bytes: usize,
    budget: usize,
}

impl History {
    pub(super) fn new(start: &dyn Machine, budget: usize) -> Self {
        let states = BTreeMap::from([(0, start.copy())]);
        Self { states, distance: DISTANCE, bytes: 0, near: BTreeMap::new(), near_bytes: 0, budget }
    }

    /// Looks at a run that has done `step` steps: it is kept if it stands where states are kept.
    pub(super) fn pass(&mut self, step: u64, machine: &dyn Machine) {
        if !step.is_multiple_of(self.distance) || self.states.contains_key(&step) {
            return;
        }
        self.bytes = self.bytes.saturating_add(machine.size());
        self.states.insert(step, machine.copy());
        while self.bytes > self.budget && self.states.len() > 2 {
            self.distance = self.distance.saturating_mul(2);
            let distance = self.distance;
            self.states.retain(|step, _| step.is_multiple_of(distance));
            self.bytes =
                self.states.values().skip(1).fold(0, |sum, state| usize::saturating_add(sum, state.size()));
        }
    }

    /// The same for a run on its way to `target`, where more states are kept.
    pub(super) fn pass_near(&mut self, step: u64, target: u64, machine: &dyn Machine) {
        self.pass(step, machine);
        if !step.is_multiple_of(NEAR)
            || target.saturating_sub(step) > 2 * DISTANCE
            || self.near.contains_key(&step)
        {
            return;
        }
        let size = machine.size();
        if self.near_bytes.saturating_add(size) > self.budget / 4 {
            self.near.clear();
            self.near_bytes = 0;
        }
        if size <= self.budget / 4 {
            self.near_bytes += size;
            self.near.insert(step, machine.copy());
        }
    }

    /// The latest state that is kept of those with at most `step` steps.
    pub(super) fn before(&self, step: u64) -> Option<(u64, Box<dyn Machine>)> {
        let kept = self.states.range(..=step).next_back();
        let near = self.near.range(..=step).next_back();
        let (&at, state) = kept.into_iter().chain(near).max_by_key(|(at, _)| **at)?;
        Some((at, state.copy()))
    }

    /// Bytes of the states that are kept.
    #[cfg(test)]
    pub(super) fn bytes(&self) -> usize {
        self.bytes + self.near_bytes
    }
}
