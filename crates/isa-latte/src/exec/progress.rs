//! Runs that stand still between two steps.

use super::super::decode::{self, Group};
use super::super::inst::{Cf, Fetch};
use super::super::semantics::sample::Kept;
use super::flow::{Flow, Mask, Open};
use super::group::{Clause, Local};
use super::program::Program;
use super::state::Resources;

/// Inside of a clause of arithmetic or of fetches.
#[derive(Debug, Clone, Copy)]
pub(super) struct Inside {
    /// Groups or fetches that are done.
    pub(super) done: usize,
    /// Lanes at work in front of it.
    pub(super) before: Mask,
    /// What the groups share; of arithmetic.
    pub(super) clause: Clause,
}

/// A run that stands still between two steps: an instruction of the control flow, a group, a fetch. Beside the lanes
/// this is all that it goes on with.
#[derive(Debug, Clone)]
pub struct Progress {
    /// Address of the instruction of the control flow that is next, or whose clause is under way.
    pub address: u32,
    /// Steps done.
    pub steps: u64,
    /// It is in the fetch program.
    pub in_fetch_program: bool,
    pub(super) flow: Flow,
    pub(super) locals: [Local; 4],
    pub(super) kept: [Kept<u32>; 4],
    pub(super) emitted: [u32; 4],
    pub(super) inside: Option<Inside>,
}

/// What a run that stands still does next.
#[derive(Debug, Clone, Copy)]
pub enum Upcoming {
    /// An instruction of the control flow.
    Flow(Cf),
    /// A group of arithmetic.
    Group(Group),
    /// A fetch.
    Fetch(Fetch),
}

impl Progress {
    /// The address of the next step and what it is; nothing behind the end of the code.
    pub fn next(&self, program: &Program, resources: &Resources) -> Option<(u32, Upcoming)> {
        let code = match &resources.fetch_program {
            Some(words) if self.in_fetch_program => decode::Program::new(words),
            _ => program.code(),
        };
        let cf = code.cf(self.address)?;
        let Some(inside) = self.inside else { return Some((self.address, Upcoming::Flow(cf))) };
        if cf.is_alu() {
            let group = code.groups(cf.alu()).nth(inside.done)?;
            return Some((group.address, Upcoming::Group(group)));
        }
        let (address, fetch) = code.fetches(cf.normal()).nth(inside.done)?;
        Some((address, Upcoming::Fetch(fetch)))
    }

    /// Lanes at work, bit n = lane n; without those that were dropped.
    pub fn active(&self) -> u8 {
        self.flow.active & !self.flow.killed
    }

    /// The loop index.
    pub fn index(&self) -> i32 {
        self.flow.index
    }

    /// The address register of a lane.
    pub fn address_register(&self, lane: usize) -> [i32; 4] {
        self.locals.get(lane).map_or([0; 4], |local| local.address)
    }

    /// What the units of the previous group gave in a lane: x, y, z, w, and t.
    pub fn previous(&self, lane: usize) -> [u32; 5] {
        self.locals.get(lane).map_or([0; 5], Local::results)
    }

    /// The predicate of a lane.
    pub fn predicate(&self, lane: usize) -> bool {
        self.locals.get(lane).is_some_and(Local::predicate)
    }

    /// The constant buffer and the vector of it that the clause under way holds in a set of lines at a place.
    pub fn kcache(&self, set: u8, vector: i64) -> Option<(u32, u64)> {
        self.inside.and_then(|inside| inside.clause.constant(set, vector))
    }

    /// Masks, loops and calls that are open, outermost first.
    pub fn open(&self) -> Vec<Open> {
        self.flow.open()
    }

    /// How many calls are open.
    pub fn calls(&self) -> usize {
        self.flow.calls()
    }
}
