//! Running a program: warps of 32 lanes one after the other, from barrier to barrier.

use super::around::{Alone, Around, Together, World};
use super::flow::Open;
use super::program::Program;
use super::state::{Lane, Resources};
use super::warp::{Context, Pause, Warp};
use unshade_ir::exec::Environment;
use unshade_isa_common::texture::{Images, Textures};
use unshade_isa_common::trace::{NoTrace, Trace};

/// Lanes of a warp.
pub const WARP: usize = 32;

/// Why the machine cannot go on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    /// The word is none of this machine.
    UnknownInstruction,
    /// The operation, or this mode of it, is not modelled.
    Unsupported,
    /// The machine itself stops here.
    Stopped,
    /// A condition on the condition code whose meaning nobody knows.
    UnknownCondition,
    /// A way out of something that nothing was entered for.
    StackUnderflow,
    /// The branch stack is full.
    StackOverflow,
    /// More vertices than a geometry program can have.
    TooManyVertices,
    /// More memory was written than a run may.
    TooMuchMemory,
    /// Behind the last instruction.
    RanOff,
}

impl Fault {
    /// What happened, as a part of a sentence.
    pub fn text(self) -> &'static str {
        match self {
            Self::UnknownInstruction => "unknown instruction",
            Self::Unsupported => "an operation that is not modelled",
            Self::Stopped => "an operation that the machine stops at",
            Self::UnknownCondition => "a condition of unknown meaning",
            Self::StackUnderflow => "nothing left on the branch stack",
            Self::StackOverflow => "the branch stack is full",
            Self::TooManyVertices => "too many vertices",
            Self::TooMuchMemory => "too much memory written",
            Self::RanOff => "no end before the last instruction",
        }
    }
}

/// How a run ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum End {
    /// All lanes ended.
    Ended,
    /// As many steps as allowed were done.
    OutOfFuel,
    /// The machine could not go on.
    Fault {
        /// Address of the instruction in bytes.
        address: u64,
        /// Why.
        fault: Fault,
    },
}

/// How a run went. What it computed is in the lanes and the resources.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Outcome {
    /// How it ended.
    pub end: End,
    /// Instructions done, each by all lanes of a warp at once.
    pub steps: u64,
}

/// A run that stands still between two instructions. Beside lanes and resources this is all that it goes on with.
#[derive(Debug, Clone)]
pub struct Progress {
    warps: Vec<Warp>,
    /// The warp whose turn it is.
    at: usize,
    /// Some warp stands at a barrier.
    waiting: bool,
    /// Instructions done.
    pub steps: u64,
}

impl Progress {
    /// Number of the warp whose turn it is.
    pub fn warp(&self) -> usize {
        self.at
    }

    /// Address of the instruction that the warp does next, and the lanes of the warp at work there.
    pub fn next(&self) -> Option<(u64, u32)> {
        self.warps.get(self.at)?.next()
    }

    /// The branch stack of the warp, oldest entry first.
    pub fn open(&self) -> Vec<Open> {
        self.warps.get(self.at).map(Warp::open).unwrap_or_default()
    }
}

impl Program {
    /// A run of lanes in front of its first instruction.
    pub fn begin(&self, lanes: &[Lane]) -> Progress {
        let warps = lanes.chunks(WARP).map(|lanes| Warp::new(self.entry, lanes.len())).collect();
        Progress { warps, at: 0, waiting: false, steps: 0 }
    }

    /// Goes on until the run has done `fuel` instructions in all. One that ran out of fuel can go on with more.
    pub fn resume(
        &self,
        progress: &mut Progress,
        lanes: &mut [Lane],
        resources: &mut Resources,
        pictures: &mut (impl Textures + Images),
        fuel: u64,
        trace: &mut impl Trace<Program>,
    ) -> End {
        self.go_on(progress, lanes, resources, &mut World { pictures }, fuel, trace)
    }

    /// Runs lanes, at most `fuel` steps. Every 32 are a warp; every four of a fragment program are a quad: the
    /// pixels (0, 0), (1, 0), (0, 1), (1, 1), y upwards. All lanes together are one work group (or the output vertices
    /// of one patch): barriers make all warps meet. Handles of textures and images are the units that `pictures` is
    /// asked for.
    pub fn run(
        &self,
        lanes: &mut [Lane],
        resources: &mut Resources,
        pictures: &mut (impl Textures + Images),
        fuel: u64,
    ) -> Outcome {
        self.run_with(lanes, resources, pictures, fuel, &mut NoTrace)
    }

    /// Runs them and reports each step to `trace`.
    pub fn run_with(
        &self,
        lanes: &mut [Lane],
        resources: &mut Resources,
        pictures: &mut (impl Textures + Images),
        fuel: u64,
        trace: &mut impl Trace<Program>,
    ) -> Outcome {
        self.interpret(lanes, resources, &mut World { pictures }, fuel, trace)
    }

    /// Runs one lane alone. What it sees of other lanes, textures, images, and inputs at other places of the
    /// pixel, the environment says, exactly as it says it to the lifted program; inputs, constants and memory are
    /// those of the lane and the resources. A derivative (`FSWZADD` with one of its two patterns) is asked for as
    /// one; its other operand, which a shuffle made, does not count.
    pub fn run_lane(
        &self,
        lane: &mut Lane,
        resources: &mut Resources,
        environment: &mut impl Environment,
        fuel: u64,
        trace: &mut impl Trace<Program>,
    ) -> Outcome {
        self.interpret(std::slice::from_mut(lane), resources, &mut Alone { environment }, fuel, trace)
    }

    /// Runs a quad of which one lane is looked at. As [`Self::run_lane`], but where the program has all four lanes work
    /// for one of them (between `SAM` and `RAM`), they see each other's values, and fetches take their gradients from
    /// the differences between them. Each lane has its number in special register 0.
    pub fn run_quad(
        &self,
        lanes: &mut [Lane; 4],
        resources: &mut Resources,
        environment: &mut impl Environment,
        fuel: u64,
        trace: &mut impl Trace<Program>,
    ) -> Outcome {
        let mut around = Together { alone: Alone { environment }, forced: false };
        self.interpret(lanes, resources, &mut around, fuel, trace)
    }

    fn interpret(
        &self,
        lanes: &mut [Lane],
        resources: &mut Resources,
        around: &mut impl Around,
        fuel: u64,
        trace: &mut impl Trace<Program>,
    ) -> Outcome {
        let mut progress = self.begin(lanes);
        let end = self.go_on(&mut progress, lanes, resources, around, fuel, trace);
        Outcome { end, steps: progress.steps }
    }

    fn go_on(
        &self,
        progress: &mut Progress,
        lanes: &mut [Lane],
        resources: &mut Resources,
        around: &mut impl Around,
        fuel: u64,
        trace: &mut impl Trace<Program>,
    ) -> End {
        let Progress { warps, at, waiting, steps } = progress;
        loop {
            for (warp, lanes) in warps.iter_mut().zip(lanes.chunks_mut(WARP)).skip(*at) {
                let context = &mut Context { program: self, lanes, resources, around };
                match warp.run(context, trace, steps, fuel) {
                    Pause::Ended => {}
                    Pause::Barrier => *waiting = true,
                    Pause::OutOfFuel => return End::OutOfFuel,
                    Pause::Fault(fault) => return End::Fault { address: warp.address(), fault },
                }
                *at += 1;
            }
            if !*waiting {
                return End::Ended;
            }
            (*at, *waiting) = (0, false);
            around.barrier(&mut resources.shared.words);
            // Warps that ended do not count any more; all others are at a barrier.
            let result = warps.iter().filter_map(Warp::vote).fold((0, true, false), |all, vote| {
                (all.0 + vote.count, all.1 && vote.all, all.2 || vote.any)
            });
            warps.iter_mut().for_each(|warp| warp.released(result));
        }
    }
}
