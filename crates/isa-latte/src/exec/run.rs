//! Lanes in lockstep, instruction by instruction.

use super::super::decode;
use super::super::fields::CfNormal;
use super::super::semantics::sample::Kept;
use super::around::{Alone, Around, Quad};
use super::flow::{Flow, Mask};
use super::group::Local;
use super::outcome::{End, Fault, Outcome};
use super::program::Program;
use super::progress::{Inside, Progress};
use super::state::{Lane, Resources};
use super::trace::{Action, Step, Written};
use unshade_ir::exec::Environment;
use unshade_isa_common::texture::Textures;
use unshade_isa_common::trace::{NoTrace, Trace};

/// Vertices that one geometry program may emit; the largest cut mode allows 1024.
pub const VERTEX_LIMIT: u32 = 1024;

impl Program {
    /// A run of up to four lanes in front of its first instruction.
    pub fn begin(&self, lanes: &[Lane]) -> Progress {
        let count = lanes.len().min(4);
        let lanes = lanes.get(..count).unwrap_or_default();
        let mut flow = Flow::new(((1_u32 << count) - 1) as Mask);
        flow.killed = mask_of(lanes, |lane| lane.killed);
        Progress {
            address: self.entry,
            steps: 0,
            in_fetch_program: false,
            flow,
            locals: [Local::default(); 4],
            kept: [Kept { gradients: [[0; 3]; 2], cube: 0 }; 4],
            emitted: [0; 4],
            inside: None,
        }
    }

    /// Goes on until the run has done `pause` steps in all; nothing: it can go on then. `fuel` steps end it.
    #[allow(clippy::too_many_arguments)]
    pub fn resume(
        &self,
        progress: &mut Progress,
        lanes: &mut [Lane],
        resources: &Resources,
        textures: &mut impl Textures,
        pause: u64,
        fuel: u64,
        trace: &mut impl Trace<Program>,
    ) -> Option<End> {
        self.go_on(progress, lanes, resources, &mut Quad { textures }, pause, fuel, trace)
    }

    /// Runs up to four lanes in lockstep, at most `fuel` steps. Four are a quad: the pixels (0, 0), (1, 0),
    /// (0, 1), (1, 1), y upwards. Further lanes stay as they are.
    pub fn run(
        &self,
        lanes: &mut [Lane],
        resources: &Resources,
        textures: &mut impl Textures,
        fuel: u64,
    ) -> Outcome {
        self.run_with(lanes, resources, textures, fuel, &mut NoTrace)
    }

    /// Runs them and reports each step to `trace`.
    pub fn run_with(
        &self,
        lanes: &mut [Lane],
        resources: &Resources,
        textures: &mut impl Textures,
        fuel: u64,
        trace: &mut impl Trace<Program>,
    ) -> Outcome {
        self.interpret(lanes, resources, &mut Quad { textures }, fuel, trace)
    }

    /// Runs one lane alone. What it sees of neighbours and textures the environment says, exactly as it says it to
    /// the lifted program; inputs and constants are not asked for.
    pub fn run_lane(
        &self,
        lane: &mut Lane,
        resources: &Resources,
        environment: &mut impl Environment,
        fuel: u64,
        trace: &mut impl Trace<Program>,
    ) -> Outcome {
        self.interpret(std::slice::from_mut(lane), resources, &mut Alone { environment }, fuel, trace)
    }

    fn interpret(
        &self,
        lanes: &mut [Lane],
        resources: &Resources,
        around: &mut impl Around,
        fuel: u64,
        trace: &mut impl Trace<Program>,
    ) -> Outcome {
        let mut progress = self.begin(lanes);
        // A run that never pauses has an end.
        let end = self.go_on(&mut progress, lanes, resources, around, u64::MAX, fuel, trace);
        Outcome { end: end.unwrap_or(End::OutOfFuel), steps: progress.steps }
    }

    #[allow(clippy::too_many_arguments)]
    fn go_on(
        &self,
        progress: &mut Progress,
        lanes: &mut [Lane],
        resources: &Resources,
        around: &mut impl Around,
        pause: u64,
        fuel: u64,
        trace: &mut impl Trace<Program>,
    ) -> Option<End> {
        let count = lanes.len().min(4);
        let lanes = &mut lanes[..count];
        let all = ((1_u32 << count) - 1) as Mask;
        let helpers = mask_of(lanes, |lane| lane.helper);
        let mut run = Run {
            program: self,
            resources,
            lanes,
            around,
            trace,
            flow: std::mem::take(&mut progress.flow),
            locals: progress.locals,
            kept: progress.kept,
            all,
            helpers,
            in_fetch_program: progress.in_fetch_program,
            emitted: progress.emitted,
            inside: progress.inside.take(),
            written: Vec::new(),
            pause,
            fuel,
            steps: progress.steps,
        };
        let mut address = progress.address;
        let end = loop {
            // A clause under way is done to its end, whether a run pauses in it or not.
            if run.inside.is_none() && run.flow.none(run.all) {
                break Some(End::Ended);
            }
            match run.instruction(address) {
                Ok(Next::At(next)) => address = next,
                Ok(Next::End) => break Some(End::Ended),
                Err(Stop::Fuel) => break Some(End::OutOfFuel),
                Err(Stop::Pause) => break None,
                Err(Stop::Fault(fault)) => break Some(End::Fault { address, fault }),
            }
        };
        let Run { flow, locals, kept, in_fetch_program, emitted, inside, steps, .. } = run;
        let killed = flow.killed;
        *progress = Progress { address, steps, in_fetch_program, flow, locals, kept, emitted, inside };
        for (n, lane) in lanes.iter_mut().enumerate() {
            lane.killed = killed >> n & 1 != 0;
        }
        end
    }
}

fn mask_of(lanes: &[Lane], is: impl Fn(&Lane) -> bool) -> Mask {
    lanes.iter().enumerate().fold(0, |mask, (n, lane)| mask | u8::from(is(lane)) << n)
}

/// Lanes of a mask.
pub(super) fn each(mask: Mask) -> impl Iterator<Item = usize> {
    (0..4).filter(move |n| mask >> n & 1 != 0)
}

pub(super) enum Next {
    At(u32),
    End,
}

pub(super) enum Stop {
    Fuel,
    Pause,
    Fault(Fault),
}

impl From<Fault> for Stop {
    fn from(fault: Fault) -> Self {
        Self::Fault(fault)
    }
}

pub(super) struct Run<'a, A, T> {
    pub(super) program: &'a Program,
    pub(super) resources: &'a Resources,
    pub(super) lanes: &'a mut [Lane],
    pub(super) around: &'a mut A,
    pub(super) trace: &'a mut T,
    pub(super) flow: Flow,
    pub(super) locals: [Local; 4],
    pub(super) kept: [Kept<u32>; 4],
    pub(super) all: Mask,
    pub(super) helpers: Mask,
    pub(super) in_fetch_program: bool,
    pub(super) emitted: [u32; 4],
    /// The clause under way, where the run went on inside of it.
    pub(super) inside: Option<Inside>,
    pub(super) written: Vec<Written>,
    pub(super) pause: u64,
    pub(super) fuel: u64,
    pub(super) steps: u64,
}

impl<'a, A: Around, T: Trace<Program>> Run<'a, A, T> {
    pub(super) fn pay(&mut self, cost: u64) -> Result<(), Stop> {
        self.steps = self.steps.saturating_add(cost);
        if self.steps > self.fuel {
            self.steps = self.fuel;
            return Err(Stop::Fuel);
        }
        Ok(())
    }

    pub(super) fn code(&self) -> decode::Program<'a> {
        match &self.resources.fetch_program {
            Some(words) if self.in_fetch_program => decode::Program::new(words),
            _ => self.program.code(),
        }
    }

    /// Lanes that do an instruction: those of the mask; the whole quad where it says so; without helpers where it
    /// says so; never those that were dropped.
    pub(super) fn at_work(&self, lanes: Mask, whole_quad: bool, valid_pixels: bool) -> Mask {
        let lanes = if whole_quad && !self.flow.none(lanes) { self.all } else { lanes };
        let lanes = if valid_pixels { lanes & !self.helpers } else { lanes };
        lanes & !self.flow.killed
    }

    /// Lanes that pass the condition of an instruction.
    pub(super) fn passing(&self, cf: CfNormal) -> Mask {
        let holds = match cf.cond() {
            0 => true,
            1 => false,
            2 => self.bool_constant(cf),
            _ => !self.bool_constant(cf),
        };
        if holds { self.flow.active } else { 0 }
    }

    pub(super) fn bool_constant(&self, cf: CfNormal) -> bool {
        self.resources.bools >> cf.cf_const() & 1 != 0
    }

    /// Does the control-flow instruction at an address.
    fn instruction(&mut self, address: u32) -> Result<Next, Stop> {
        if self.inside.is_none() {
            if self.steps >= self.pause {
                return Err(Stop::Pause);
            }
            self.pay(1)?;
        }
        let cf = self.code().cf(address).ok_or(Fault::RanOff)?;
        let op = cf.op().ok_or(Fault::UnknownInstruction)?;
        let next = address.wrapping_add(1);
        let mut to = Next::At(next);
        if cf.is_alu() {
            self.arithmetic(op, cf.alu())?;
        } else if op.is_fetch() {
            let normal = cf.normal();
            let lanes = self.at_work(
                self.passing(normal),
                normal.whole_quad_mode() != 0,
                normal.valid_pixel_mode() != 0,
            );
            self.fetches(normal, lanes)?;
        } else if op.is_export() || op.is_memory() {
            self.writes(op, cf)?;
        } else {
            to = self.branch(op, cf.normal(), next)?;
        }
        if T::ACTIVE {
            self.report(address, Action::Flow(cf));
        }
        if cf.ends_program() && matches!(to, Next::At(at) if at == next) {
            // The fetch program's end is the way back.
            return Ok(if self.in_fetch_program {
                self.give_back(self.flow.active, next)
            } else {
                Next::End
            });
        }
        Ok(to)
    }

    pub(super) fn report(&mut self, address: u32, action: Action<'_>) {
        self.written.sort_unstable();
        let results = self.locals.each_ref().map(Local::results);
        let sources = self.locals.each_ref().map(|local| local.sources);
        self.trace.step(&Step {
            address,
            fetch_program: self.in_fetch_program,
            action,
            lanes: self.lanes,
            active: self.flow.active,
            written: &self.written,
            results: &results,
            sources: &sources,
        });
        self.written.clear();
    }

    /// Notes a written register for the trace.
    pub(super) fn note(&mut self, lane: usize, register: i64, mask: u32) {
        if T::ACTIVE
            && mask != 0
            && let Ok(register @ 0..=127) = u8::try_from(register)
        {
            let lane = lane as u8;
            let known = self.written.iter_mut().find(|at| at.register == register && at.lane == lane);
            match known {
                Some(known) => known.mask |= mask as u8,
                None => self.written.push(Written { register, lane, mask: mask as u8 }),
            }
        }
    }
}
