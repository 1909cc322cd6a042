//! The machine's side: inputs and what it makes of them.

use super::Words;
use super::assume::Watch;
use crate::pica200::exec::{End, Float, Program, State, Vertex, cases};
use unshade_stage::{Stage, StageKind};

/// Machine instructions after which a run counts as endless.
const FUEL: u64 = 1 << 14;
/// The same, until a few runs have shown that no program with these inputs goes on for so long and ends.
const LONG_FUEL: u64 = 1 << 18;
/// Endless draws that are given the long time.
const LONG_DRAWS: u32 = 8;
/// One case in that many may be endless; further endless draws are replaced.
const ENDLESS_SHARE: u32 = 64;
/// Draws in search of a case that ends.
const DRAWS: u64 = 64;

/// One case.
#[derive(Debug)]
pub(super) struct Case {
    /// Its number in the series.
    pub(super) index: u64,
    /// Registers before the run.
    pub(super) inputs: State,
    /// What the machine computed, if it came to an end.
    pub(super) result: Option<Words>,
    steps: u64,
}

impl Case {
    /// Steps that a program made from the machine's may take for this case. An EMIT alone moves 64 components
    /// through the slots and out three times.
    pub(super) fn fuel(&self) -> u64 {
        match self.result {
            Some(_) => 10_000 + self.steps.saturating_mul(2_000),
            None => 4 * FUEL,
        }
    }
}

/// A series of cases.
#[derive(Debug)]
pub(super) struct Cases<'a> {
    stage: &'a Stage<'a>,
    program: Program,
    seed: u64,
    kind: cases::Kind,
    next: u64,
    given: u32,
    endless: u32,
    /// Draws that may still take the long time.
    long: u32,
}

impl<'a> Cases<'a> {
    pub(super) fn new(stage: &'a Stage<'a>, seed: u64, kind: cases::Kind) -> Self {
        Self {
            stage,
            program: Program::new(stage),
            seed,
            kind,
            next: 0,
            given: 0,
            endless: 0,
            long: LONG_DRAWS,
        }
    }

    pub(super) fn is_geometry(&self) -> bool {
        self.stage.kind == StageKind::Geometry
    }

    /// The next case.
    pub(super) fn next(&mut self) -> Case {
        let mut case = self.draw();
        if self.endless > self.given / ENDLESS_SHARE {
            for _ in 0..DRAWS {
                if case.result.is_some() {
                    break;
                }
                case = self.draw();
            }
        }
        self.given += 1;
        self.endless += u32::from(case.result.is_none());
        case
    }

    fn draw(&mut self) -> Case {
        let index = self.next;
        self.next += 1;
        let inputs = cases::case(self.stage, self.seed, index, self.kind);
        let (mut result, mut steps) = self.run(&inputs, FUEL);
        if result.is_none() && self.long > 0 {
            (result, steps) = self.run(&inputs, LONG_FUEL);
            self.long = if result.is_some() { LONG_DRAWS } else { self.long - 1 };
        }
        Case { index, inputs, result, steps }
    }

    /// The result of a case that something else finished in `steps`, if the machine finishes it with more
    /// fuel.
    pub(super) fn longer(&self, inputs: &State, steps: u64) -> Option<Words> {
        self.run(inputs, LONG_FUEL.saturating_add(steps.saturating_mul(64))).0
    }

    /// Runs a case once more under watch.
    pub(super) fn watch(&self, inputs: &State, watch: &mut Watch) {
        self.program.run_with(&mut inputs.clone(), LONG_FUEL, Float::F32, watch);
    }

    fn run(&self, inputs: &State, fuel: u64) -> (Option<Words>, u64) {
        let mut state = inputs.clone();
        let outcome = self.program.run(&mut state, fuel);
        let words = |o: &[[f32; 4]; 16]| o.iter().flatten().map(|x| x.to_bits()).collect();
        let result = (outcome.end == End::Ended).then(|| {
            if !self.is_geometry() {
                return vec![words(&state.o)];
            }
            let triangles = outcome.emitted.chunks_exact(3).flat_map(in_winding_order);
            triangles.map(|vertex| words(&vertex.o)).collect()
        });
        (result, outcome.steps)
    }
}

/// The machine keeps the order of the slots and says that the winding is inverted; a program in source
/// exchanges the first two vertices instead.
fn in_winding_order(triangle: &[Vertex]) -> impl Iterator<Item = &Vertex> {
    let inverted = triangle.first().is_some_and(|vertex| vertex.inverted);
    let order = if inverted { [1, 0, 2] } else { [0, 1, 2] };
    order.into_iter().filter_map(|n| triangle.get(n))
}
