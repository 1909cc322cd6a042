//! One vertex program over many vertices: the same results as [`Program::run`] bit for bit (any NaN for any
//! NaN), many times as fast.
//!
//! [`LANES`] vertices go through the program together, each register component held as one row of values,
//! so that an instruction becomes a few vector operations. Uniforms are known before the run and become
//! constant rows. All lanes share one place in the control flow; where a branch goes different ways, the
//! lanes of one way are set aside and run later, and a lane that is left alone goes on in the reference
//! interpreter. Only binary32 arithmetic is offered.

mod compile;
mod kernel;

use super::alu::Single;
use super::flow::{Flow, Test, Transfer};
use super::program::Program;
use super::run::End;
use super::state::{State, Vector};
use super::trace::NoTrace;
use compile::{Compiled, Kernel, compile};
use kernel::{LANE_MASK, Work};

/// Vertices that are processed together.
pub const LANES: usize = kernel::LANES;

/// A vertex program made ready for many vertices that share everything but their inputs.
#[derive(Debug, Clone)]
pub struct Batch {
    program: Program,
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

/// A group of lanes that stands at one place of the program.
#[derive(Debug, Clone)]
struct Group {
    flow: Flow,
    active: u32,
    steps: u64,
}

impl Batch {
    /// Prepares a program for vertices that start from `common`, apart from the inputs given to each.
    /// `None` for a geometry program: its vertices go through [`Program::run`].
    pub fn new(program: &Program, common: &State) -> Option<Self> {
        if program.is_geometry() {
            return None;
        }
        let compiled = compile(program, common);
        Some(Self { program: program.clone(), common: common.clone(), compiled })
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
            self.block(&mut work, active, fuel, |work, done, end, steps| {
                summary.steps += steps * u64::from(done.count_ones());
                summary.unfinished += if end == End::Ended { 0 } else { u64::from(done.count_ones()) };
                for result in &mut *results {
                    let values = result.values.get_mut(first..).unwrap_or(&mut []);
                    work.store_output(result.register, values, done);
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
            self.block(&mut work, active, fuel, |work, done, end, steps| {
                for lane in (0..inputs.len()).filter(|lane| done >> lane & 1 != 0) {
                    let state = work.state(lane, &self.common);
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
        work.al = self.common.al;
        work.cmp = self.common.cmp.map(|flag| if flag { LANE_MASK } else { 0 });
    }

    /// Runs one block of vertices. `finish` is told which lanes are done, and finds their registers in the
    /// work.
    fn block(&self, work: &mut Work, active: u32, fuel: u64, mut finish: impl FnMut(&Work, u32, End, u64)) {
        // Each entry has other lanes than the rest, so there are fewer than LANES.
        let mut aside: Vec<(Group, Work)> = Vec::new();
        let mut group = Group { flow: Flow::new(self.program.entry), active, steps: 0 };
        loop {
            if group.active.count_ones() == 1 {
                self.alone(work, group, fuel, &mut finish);
            } else {
                match self.advance(work, &mut group, fuel) {
                    Stop::End(end) => finish(work, group.active, end, group.steps),
                    Stop::Fork { transfer, taken } => {
                        group = self.fork(work, group, transfer, taken, &mut aside);
                        continue;
                    }
                }
            }
            let Some((next, registers)) = aside.pop() else { return };
            work.restore_registers(&registers);
            group = next;
        }
    }

    /// Carries out a branch on which the lanes disagree: sets the smaller side aside, gives the other.
    fn fork(
        &self,
        work: &mut Work,
        group: Group,
        transfer: Transfer,
        taken: u32,
        aside: &mut Vec<(Group, Work)>,
    ) -> Group {
        let mut sides = [(taken, true), (group.active & !taken, false)].map(|(active, holds)| {
            let mut side = Group { active, ..group.clone() };
            let mut al = work.al;
            side.flow.transfer(transfer, holds, &self.common.i, &mut al);
            (side, al)
        });
        if taken.count_ones() * 2 < group.active.count_ones() {
            sides.swap(0, 1);
        }
        let [(next, al), (other, other_al)] = sides;
        let mut copy = work.clone_registers();
        copy.al = other_al;
        aside.push((other, copy));
        work.al = al;
        next
    }

    /// Finishes a single lane in the reference interpreter.
    fn alone(
        &self,
        work: &mut Work,
        mut group: Group,
        fuel: u64,
        finish: &mut impl FnMut(&Work, u32, End, u64),
    ) {
        let lane = group.active.trailing_zeros() as usize;
        let mut state = work.state(lane, &self.common);
        let left = fuel.saturating_sub(group.steps);
        let outcome = self.program.continue_from(&mut group.flow, Single, &mut state, left, &mut NoTrace);
        work.set_lane(lane, &state);
        finish(work, group.active, outcome.end, group.steps + outcome.steps);
    }

    /// Runs a group until it ends or its lanes disagree.
    fn advance(&self, work: &mut Work, group: &mut Group, fuel: u64) -> Stop {
        loop {
            let Some(kernel) = self.compiled.kernels.get(group.flow.pc as usize) else {
                return Stop::End(End::Ended);
            };
            if group.steps == fuel {
                return Stop::End(End::OutOfFuel);
            }
            group.steps += 1;
            match kernel {
                Kernel::Flow { transfer, test } => {
                    let taken = match *test {
                        Test::Flags(condition) => work.holds(condition) & group.active,
                        other if other.holds([false; 2], &self.common.b) => group.active,
                        _ => 0,
                    };
                    if taken != 0 && taken != group.active {
                        return Stop::Fork { transfer: *transfer, taken };
                    }
                    group.flow.transfer(*transfer, taken != 0, &self.common.i, &mut work.al);
                }
                Kernel::End => return Stop::End(End::Ended),
                other => {
                    work.execute(other, &self.common.c);
                    group.flow.advance(&mut work.al);
                }
            }
        }
    }
}

/// Why a group stopped.
enum Stop {
    End(End),
    /// The step of the branch is counted, the branch itself is not yet carried out.
    Fork {
        transfer: Transfer,
        taken: u32,
    },
}
