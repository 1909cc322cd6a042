//! One vertex program over many vertices: the same results as [`Program::run`] bit for bit (any NaN for any
//! NaN), many times as fast.
//!
//! [`LANES`] vertices go through the program together, each register component held as one row of values,
//! so that an instruction becomes a few vector operations. Uniforms are known before the run and become
//! constant rows. Lanes share one place in the control flow until a branch goes different ways for them;
//! then they part into groups, of which the one that is furthest behind runs and writes its own lanes only.
//! Groups that meet again at the same place, with the same open blocks, go on as one. Only binary32
//! arithmetic is offered.

mod compile;
mod kernel;

use super::flow::{Flow, Test, Transfer};
use super::program::Program;
use super::run::End;
use super::state::{State, Vector};
use compile::{Compiled, Kernel, compile};
use kernel::{LANE_MASK, Work};

/// Vertices that are processed together.
pub const LANES: usize = kernel::LANES;

/// A vertex program made ready for many vertices that share everything but their inputs.
#[derive(Debug, Clone)]
pub struct Batch {
    entry: u32,
    common: State,
    compiled: Compiled,
}

/// Values of one input register, one for each vertex.
#[derive(Debug, Clone, Copy)]
pub struct Attribute<'a> {
    /// v0-v15.
    pub register: u8,
    /// One for each vertex; vertices behind its end have the common value.
    pub values: &'a [Vector],
}

/// Where the values of one output register go.
#[derive(Debug)]
pub struct Column<'a> {
    /// o0-o15.
    pub register: u8,
    /// One for each vertex; those behind its end are dropped.
    pub values: &'a mut [Vector],
}

/// How a batch went.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Summary {
    /// Instructions done, summed over all vertices.
    pub steps: u64,
    /// Vertices that were still running when their fuel was spent; their outputs are what they had by then.
    pub unfinished: u64,
}

/// The end of one vertex.
#[derive(Debug, Clone, PartialEq)]
pub struct Finished {
    /// All registers.
    pub state: State,
    /// Why it stopped.
    pub end: End,
    /// Instructions done.
    pub steps: u64,
}

/// Lanes that stand at one place of the program.
#[derive(Debug, Clone)]
struct Group {
    flow: Flow,
    al: i32,
    /// One bit for each lane.
    lanes: u32,
    /// Instructions that its lanes have done and that are not yet in their own counts.
    spent: u64,
    /// How many it may do before the first of its lanes is out of fuel.
    fuel: u64,
}

/// Why a group stopped.
enum Stop {
    /// END, or the end of the code.
    End,
    /// One of its lanes has no fuel left.
    OutOfFuel,
    /// It has caught up with another group.
    Reached,
    /// Its lanes disagree about a branch. The step is counted, the branch is not yet carried out.
    Fork {
        transfer: Transfer,
        /// Lanes whose test holds.
        taken: u32,
    },
}

impl Batch {
    /// Prepares a program for vertices that start from `common`, apart from the inputs given to each.
    /// `None` for a geometry program: its vertices go through [`Program::run`].
    pub fn new(program: &Program, common: &State) -> Option<Self> {
        if program.is_geometry() {
            return None;
        }
        let compiled = compile(program, common);
        Some(Self { entry: program.entry, common: common.clone(), compiled })
    }

    /// Runs `count` vertices, each at most `fuel` instructions.
    pub fn run(
        &self,
        count: usize,
        attributes: &[Attribute<'_>],
        results: &mut [Column<'_>],
        fuel: u64,
    ) -> Summary {
        let mut summary = Summary::default();
        let mut work = Work::new(&self.compiled.rows);
        for first in (0..count).step_by(LANES) {
            let lanes = LANES.min(count - first);
            self.reset(&mut work, fuel);
            for attribute in attributes {
                let default = self.common.v[usize::from(attribute.register & 15)];
                let values = attribute.values.get(first..).unwrap_or(&[]);
                work.load_input(attribute.register, values, default);
            }
            let active = LANE_MASK >> (LANES - lanes);
            self.block(&mut work, active, fuel, |work, done, end| {
                for lane in (0..LANES).filter(|lane| done.lanes >> lane & 1 != 0) {
                    summary.steps += work.steps[lane];
                    summary.unfinished += u64::from(end != End::Ended);
                }
                for result in &mut *results {
                    let values = result.values.get_mut(first..).unwrap_or(&mut []);
                    work.store_output(result.register, values, done.lanes);
                }
            });
        }
        summary
    }

    /// Runs vertices of which all inputs are given, and hands back everything, in order.
    pub fn run_all(&self, inputs: &[[Vector; 16]], fuel: u64) -> Vec<Finished> {
        let mut finished: Vec<Option<Finished>> = vec![None; inputs.len()];
        let mut work = Work::new(&self.compiled.rows);
        for (block, inputs) in inputs.chunks(LANES).enumerate() {
            self.reset(&mut work, fuel);
            for register in 0..16 {
                let values: Vec<Vector> = inputs.iter().map(|v| v[usize::from(register)]).collect();
                work.load_input(register, &values, self.common.v[usize::from(register)]);
            }
            let active = LANE_MASK >> (LANES - inputs.len());
            self.block(&mut work, active, fuel, |work, done, end| {
                for lane in (0..inputs.len()).filter(|lane| done.lanes >> lane & 1 != 0) {
                    let state = State { al: done.al, ..work.state(lane, &self.common) };
                    let steps = work.steps[lane];
                    finished[block * LANES + lane] = Some(Finished { state, end, steps });
                }
            });
        }
        finished.into_iter().flatten().collect()
    }

    /// Makes the registers ready for the next block.
    fn reset(&self, work: &mut Work, fuel: u64) {
        let Compiled { rows, written, exposed, prefix, .. } = &self.compiled;
        for &row in if fuel < *prefix { written } else { exposed } {
            work.rows[usize::from(row)] = rows[usize::from(row)];
        }
        work.a0 = self.common.a0.map(|a| [a; LANES]);
        work.steps = [0; LANES];
        work.cmp = self.common.cmp.map(|flag| if flag { LANE_MASK } else { 0 });
    }

    /// Runs one block of vertices. `finish` is told which lanes are done, and finds their registers in the
    /// work.
    fn block(&self, work: &mut Work, lanes: u32, fuel: u64, mut finish: impl FnMut(&Work, &Group, End)) {
        let flow = Flow::new(self.entry);
        let mut group = Group { flow, al: self.common.al, lanes, spent: 0, fuel };
        // Their lanes differ, so there are never more than LANES.
        let mut others: Vec<Group> = Vec::new();
        loop {
            let next = others.iter().map(|other| other.flow.pc).min();
            // Lanes that are done have been handed over, so a group that is alone may write every lane.
            work.mask = next.map(|_| group.lanes);
            match self.advance(work, &mut group, next.unwrap_or(u32::MAX)) {
                Stop::End => {
                    group.settle(work, fuel);
                    finish(work, &group, End::Ended);
                }
                Stop::OutOfFuel => {
                    group.settle(work, fuel);
                    let spent =
                        |lane: &u32| group.lanes >> lane & 1 != 0 && work.steps[*lane as usize] >= fuel;
                    let empty = (0..LANES as u32).filter(spent).fold(0, |lanes, lane| lanes | 1 << lane);
                    finish(work, &Group { lanes: empty, ..group.clone() }, End::OutOfFuel);
                    group.lanes &= !empty;
                    if group.lanes != 0 {
                        group.settle(work, fuel);
                        continue;
                    }
                }
                Stop::Reached => join(&mut others, group, work, fuel),
                Stop::Fork { transfer, taken } => {
                    group.settle(work, fuel);
                    for (lanes, holds) in [(taken, true), (group.lanes & !taken, false)] {
                        let mut side = Group { lanes, ..group.clone() };
                        side.flow.transfer(transfer, holds, &self.common.i, &mut side.al);
                        side.settle(work, fuel);
                        join(&mut others, side, work, fuel);
                    }
                }
            }
            let Some(behind) = (0..others.len()).min_by_key(|&n| others[n].flow.pc) else { return };
            group = others.swap_remove(behind);
        }
    }

    /// Runs a group until it ends, its lanes disagree, or it has come to word `next` or past it.
    fn advance(&self, work: &mut Work, group: &mut Group, next: u32) -> Stop {
        loop {
            let Some(kernel) = self.compiled.kernels.get(group.flow.pc as usize) else { return Stop::End };
            if group.spent == group.fuel {
                return Stop::OutOfFuel;
            }
            group.spent += 1;
            match kernel {
                Kernel::Flow { transfer, test } => {
                    let taken = match *test {
                        Test::Flags(condition) => work.holds(condition) & group.lanes,
                        other if other.holds([false; 2], &self.common.b) => group.lanes,
                        _ => 0,
                    };
                    if taken != 0 && taken != group.lanes {
                        return Stop::Fork { transfer: *transfer, taken };
                    }
                    group.flow.transfer(*transfer, taken != 0, &self.common.i, &mut group.al);
                }
                Kernel::End => return Stop::End,
                other => {
                    work.execute(other, &self.common.c, group.al);
                    group.flow.advance(&mut group.al);
                }
            }
            if group.flow.pc >= next {
                return Stop::Reached;
            }
        }
    }
}

impl Group {
    /// Brings the counts of its lanes up to date.
    fn settle(&mut self, work: &mut Work, fuel: u64) {
        self.fuel = u64::MAX;
        for lane in (0..LANES).filter(|lane| self.lanes >> lane & 1 != 0) {
            work.steps[lane] += self.spent;
            self.fuel = self.fuel.min(fuel.saturating_sub(work.steps[lane]));
        }
        self.spent = 0;
    }
}

/// Adds a group; one that stands at the same place takes its lanes in.
fn join(groups: &mut Vec<Group>, mut group: Group, work: &mut Work, fuel: u64) {
    match groups.iter_mut().find(|other| other.flow == group.flow && other.al == group.al) {
        Some(other) => {
            group.settle(work, fuel);
            other.settle(work, fuel);
            other.lanes |= group.lanes;
            other.fuel = other.fuel.min(group.fuel);
        }
        None => groups.push(group),
    }
}
