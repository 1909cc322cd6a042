//! Lanes in lockstep, instruction by instruction.

use super::super::decode::{self, Group};
use super::super::fields::{CfAlu, CfNormal, Tex, Vtx};
use super::super::inst::{Cf, Fetch};
use super::super::places::{self, FetchSource};
use super::super::table::{CfOp, FetchOp};
use super::around::{Alone, Around, Quad};
use super::flow::{Flow, Mask, Open, Return, Returned};
use super::group::{Clause, Local, Ready};
use super::memory::{self, register, selected};
use super::program::Program;
use super::sample::{self, Kept};
use super::state::{Event, Lane, Resources, Vector};
use super::trace::{Action, NoTrace, Step, Trace, Written};
use super::value::Bits;
use super::{fetch, memory as writes};
use crate::texture::Textures;
use unshade_ir::exec::Environment;
use unshade_ir::{Axis, Texture, TextureLevel, TextureQuery, TextureShape};

/// Vertices that one geometry program may emit; the largest cut mode allows 1024.
pub const VERTEX_LIMIT: u32 = 1024;

/// Why the machine cannot go on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    /// The control-flow instruction is none of this machine.
    UnknownInstruction,
    /// The arithmetic operation is none of this machine.
    UnknownOperation,
    /// The instructions of a group do not fit together, or the clause ends inside of it.
    BadGroup,
    /// An operation of several units lacks one.
    Incomplete,
    /// An index that is neither the address register nor the loop index.
    IndexMode,
    /// The clause reaches out of the program.
    ClauseOutside,
    /// A fetch instruction that is not modelled.
    Unsupported,
    /// More entries are dropped than there are on the stack.
    StackUnderflow,
    /// The stack is full.
    StackOverflow,
    /// The end of a loop, or a way out of one, where there is none.
    OutsideLoop,
    /// Too many calls inside each other.
    TooDeep,
    /// More vertices than a geometry program can have.
    TooManyVertices,
    /// Behind the last instruction.
    RanOff,
}

impl Fault {
    /// What happened, as a part of a sentence.
    pub fn text(self) -> &'static str {
        match self {
            Self::UnknownInstruction => "unknown control-flow instruction",
            Self::UnknownOperation => "unknown arithmetic operation",
            Self::BadGroup => "instructions of a group that do not fit together",
            Self::Incomplete => "an operation of several units that lacks one",
            Self::IndexMode => "an index that the machine does not have",
            Self::ClauseOutside => "a clause that reaches out of the program",
            Self::Unsupported => "a fetch that is not modelled",
            Self::StackUnderflow => "nothing left on the stack",
            Self::StackOverflow => "the stack is full",
            Self::OutsideLoop => "not inside of a loop",
            Self::TooDeep => "calls nested too deep",
            Self::TooManyVertices => "too many vertices",
            Self::RanOff => "no end before the last instruction",
        }
    }
}

/// How a run ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum End {
    /// At the end of the program, or when the last lane was dropped.
    Ended,
    /// As many steps as allowed were done.
    OutOfFuel,
    /// The machine could not go on.
    Fault {
        /// Address of the control-flow instruction.
        address: u32,
        /// Why.
        fault: Fault,
    },
}

/// How a run went. What it computed is in the lanes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Outcome {
    /// How it ended.
    pub end: End,
    /// Control-flow instructions, groups and fetches done.
    pub steps: u64,
}

/// Inside of a clause of arithmetic or of fetches.
#[derive(Debug, Clone, Copy)]
struct Inside {
    /// Groups or fetches that are done.
    done: usize,
    /// Lanes at work in front of it.
    before: Mask,
    /// What the groups share; of arithmetic.
    clause: Clause,
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
    flow: Flow,
    locals: [Local; 4],
    kept: [Kept<u32>; 4],
    emitted: [u32; 4],
    inside: Option<Inside>,
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
        trace: &mut impl Trace,
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
        trace: &mut impl Trace,
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
        trace: &mut impl Trace,
    ) -> Outcome {
        self.interpret(std::slice::from_mut(lane), resources, &mut Alone { environment }, fuel, trace)
    }

    fn interpret(
        &self,
        lanes: &mut [Lane],
        resources: &Resources,
        around: &mut impl Around,
        fuel: u64,
        trace: &mut impl Trace,
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
        trace: &mut impl Trace,
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
            if run.flow.none(run.all) {
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
fn each(mask: Mask) -> impl Iterator<Item = usize> {
    (0..4).filter(move |n| mask >> n & 1 != 0)
}

enum Next {
    At(u32),
    End,
}

enum Stop {
    Fuel,
    Pause,
    Fault(Fault),
}

impl From<Fault> for Stop {
    fn from(fault: Fault) -> Self {
        Self::Fault(fault)
    }
}

struct Run<'a, A, T> {
    program: &'a Program,
    resources: &'a Resources,
    lanes: &'a mut [Lane],
    around: &'a mut A,
    trace: &'a mut T,
    flow: Flow,
    locals: [Local; 4],
    kept: [Kept<u32>; 4],
    all: Mask,
    helpers: Mask,
    in_fetch_program: bool,
    emitted: [u32; 4],
    /// The clause under way, where the run went on inside of it.
    inside: Option<Inside>,
    written: Vec<Written>,
    pause: u64,
    fuel: u64,
    steps: u64,
}

impl<'a, A: Around, T: Trace> Run<'a, A, T> {
    fn pay(&mut self, cost: u64) -> Result<(), Stop> {
        self.steps = self.steps.saturating_add(cost);
        if self.steps > self.fuel {
            self.steps = self.fuel;
            return Err(Stop::Fuel);
        }
        Ok(())
    }

    fn code(&self) -> decode::Program<'a> {
        match &self.resources.fetch_program {
            Some(words) if self.in_fetch_program => decode::Program::new(words),
            _ => self.program.code(),
        }
    }

    /// Lanes that do an instruction: those of the mask; the whole quad where it says so; without helpers where it
    /// says so; never those that were dropped.
    fn at_work(&self, lanes: Mask, whole_quad: bool, valid_pixels: bool) -> Mask {
        let lanes = if whole_quad && !self.flow.none(lanes) { self.all } else { lanes };
        let lanes = if valid_pixels { lanes & !self.helpers } else { lanes };
        lanes & !self.flow.killed
    }

    /// Lanes that pass the condition of an instruction.
    fn passing(&self, cf: CfNormal) -> Mask {
        let holds = match cf.cond() {
            0 => true,
            1 => false,
            2 => self.bool_constant(cf),
            _ => !self.bool_constant(cf),
        };
        if holds { self.flow.active } else { 0 }
    }

    fn bool_constant(&self, cf: CfNormal) -> bool {
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

    fn report(&mut self, address: u32, action: Action<'_>) {
        self.written.sort_unstable();
        self.trace.step(&Step {
            address,
            fetch_program: self.in_fetch_program,
            action,
            lanes: self.lanes,
            active: self.flow.active,
            written: &self.written,
        });
        self.written.clear();
    }

    /// Notes a written register for the trace.
    fn note(&mut self, lane: usize, register: i64, mask: u32) {
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

    /// Instructions that only steer.
    fn branch(&mut self, op: CfOp, cf: CfNormal, next: u32) -> Result<Next, Stop> {
        let passing = self.passing(cf);
        let target = Next::At(cf.addr());
        let flow = &mut self.flow;
        Ok(match op {
            CfOp::LoopStart | CfOp::LoopStartNoAl => {
                let constant = self.resources.loops[cf.cf_const() as usize & 31];
                let entered = flow.enter(passing, Some(constant), op == CfOp::LoopStart)?;
                if entered { Next::At(next) } else { target }
            }
            CfOp::LoopStartDx10 => {
                if flow.enter(passing, None, false)? {
                    Next::At(next)
                } else {
                    target
                }
            }
            CfOp::LoopEnd => {
                if flow.repeat()? {
                    target
                } else {
                    Next::At(next)
                }
            }
            CfOp::LoopContinue | CfOp::LoopBreak => {
                if flow.leave(passing, op == CfOp::LoopContinue)? {
                    flow.pop(cf.pop_count())?;
                    target
                } else {
                    Next::At(next)
                }
            }
            CfOp::Jump => {
                if flow.none(passing) {
                    flow.pop(cf.pop_count())?;
                    target
                } else {
                    Next::At(next)
                }
            }
            CfOp::Push | CfOp::PushElse | CfOp::PopPush | CfOp::PopPushElse => {
                let popped = matches!(op, CfOp::PopPush | CfOp::PopPushElse);
                if popped {
                    flow.pop(cf.pop_count())?;
                }
                flow.push()?;
                let holds = passing != 0 || cf.cond() == 0;
                let inverts = matches!(op, CfOp::PushElse | CfOp::PopPushElse);
                if holds == inverts {
                    flow.active = 0;
                }
                if flow.none(flow.active) {
                    if !popped {
                        flow.pop(cf.pop_count())?;
                    }
                    target
                } else {
                    Next::At(next)
                }
            }
            CfOp::Else => {
                let holds = match cf.cond() {
                    0 => true,
                    1 => false,
                    cond => (self.resources.bools >> cf.cf_const() & 1 != 0) == (cond == 2),
                };
                flow.invert(holds)?;
                if flow.none(flow.active) {
                    flow.pop(cf.pop_count())?;
                    target
                } else {
                    Next::At(next)
                }
            }
            CfOp::Pop => {
                flow.pop(cf.pop_count())?;
                if flow.none(flow.active) { target } else { Next::At(next) }
            }
            CfOp::PopJump => {
                flow.pop(cf.pop_count())?;
                let passing = self.passing(cf);
                if self.flow.none(passing) { target } else { Next::At(next) }
            }
            CfOp::Call => {
                if flow.none(passing) {
                    Next::At(next)
                } else {
                    flow.call(passing, Return { address: next, fetch: false })?;
                    target
                }
            }
            CfOp::CallFs => {
                if self.resources.fetch_program.is_none() || self.in_fetch_program || flow.none(passing) {
                    Next::At(next)
                } else {
                    flow.call(passing, Return { address: next, fetch: true })?;
                    self.in_fetch_program = true;
                    Next::At(0)
                }
            }
            CfOp::Return => self.give_back(passing, next),
            CfOp::EmitVertex | CfOp::EmitCutVertex | CfOp::CutVertex => {
                for n in each(self.at_work(passing, false, false)) {
                    if op != CfOp::CutVertex {
                        let item = self.program.ring_item();
                        let cost = writes::emit(&mut self.lanes[n], item, self.emitted[n], VERTEX_LIMIT)?;
                        self.emitted[n] += 1;
                        self.pay(cost)?;
                    }
                    if op != CfOp::EmitVertex {
                        self.lanes[n].events.push(Event::Cut);
                    }
                }
                Next::At(next)
            }
            CfOp::Kill => {
                flow.killed |= passing;
                Next::At(next)
            }
            CfOp::EndProgram => Next::End,
            _ => Next::At(next),
        })
    }

    fn give_back(&mut self, lanes: Mask, next: u32) -> Next {
        match self.flow.give_back(lanes) {
            Returned::Outermost => Next::End,
            Returned::Partly => Next::At(next),
            Returned::To(back) => {
                if back.fetch {
                    self.in_fetch_program = false;
                }
                Next::At(back.address)
            }
        }
    }

    /// An arithmetic clause with what happens to the mask around it.
    fn arithmetic(&mut self, op: CfOp, cf: CfAlu) -> Result<(), Stop> {
        let inside = match self.inside.take() {
            Some(inside) => inside,
            None => {
                match op {
                    CfOp::AluExtended => return Err(Fault::UnknownInstruction.into()),
                    CfOp::AluPushBefore => self.flow.push()?,
                    _ => {}
                }
                for local in &mut self.locals {
                    local.start_clause();
                }
                let clause = Clause::new(cf, self.flow.index, self.program.latte.dx10_clamp);
                Inside { done: 0, before: self.flow.active, clause }
            }
        };
        let before = inside.before;
        self.clause(cf, inside)?;
        match op {
            CfOp::AluPopAfter => self.flow.pop(1)?,
            CfOp::AluPop2After => self.flow.pop(2)?,
            CfOp::AluElseAfter => self.flow.invert(true)?,
            CfOp::AluContinue | CfOp::AluBreak => {
                let off = before & !self.flow.active;
                self.flow.leave(off, op == CfOp::AluContinue)?;
            }
            _ => {}
        }
        Ok(())
    }

    fn clause(&mut self, cf: CfAlu, mut inside: Inside) -> Result<(), Stop> {
        let code = self.code();
        if u64::from(cf.addr()) + u64::from(cf.count()) >= u64::from(code.units()) {
            return Err(Fault::ClauseOutside.into());
        }
        let program = self.program;
        match program.clause(cf).filter(|_| !self.in_fetch_program) {
            Some(groups) => {
                for group in groups.iter().skip(inside.done) {
                    self.pause_inside(&mut inside)?;
                    self.group(cf, &inside.clause, group)?;
                }
            }
            None => {
                for group in code.groups(cf).skip(inside.done) {
                    self.pause_inside(&mut inside)?;
                    self.group(cf, &inside.clause, &group)?;
                }
            }
        }
        Ok(())
    }

    /// In front of a group or a fetch: counts it as done, or remembers that it is not and pauses.
    fn pause_inside(&mut self, inside: &mut Inside) -> Result<(), Stop> {
        if self.steps >= self.pause {
            self.inside = Some(*inside);
            return Err(Stop::Pause);
        }
        inside.done += 1;
        Ok(())
    }

    fn group(&mut self, cf: CfAlu, clause: &Clause, group: &Group) -> Result<(), Stop> {
        self.pay(1)?;
        let ready = Ready::new(group)?;
        let mut off = 0;
        let mut killed = 0;
        for n in each(self.at_work(self.flow.active, cf.whole_quad_mode() != 0, false)) {
            let (signs, writes) = ready.run(clause, &mut self.lanes[n], &mut self.locals[n], self.resources);
            killed |= Mask::from(signs.killed) << n;
            off |= Mask::from(signs.mask == Some(false)) << n;
            if T::ACTIVE {
                for (register, mask) in writes.into_iter().flatten() {
                    self.note(n, register.into(), mask.into());
                }
            }
        }
        self.flow.killed |= killed;
        self.flow.active &= !off;
        if T::ACTIVE {
            self.report(group.address, Action::Group(group));
        }
        Ok(())
    }

    /// Exports, and writes to memory.
    fn writes(&mut self, op: CfOp, cf: Cf) -> Result<(), Stop> {
        let whole_quad = cf.memory().whole_quad_mode() != 0;
        let lanes = self.at_work(self.flow.active, whole_quad, cf.memory().valid_pixel_mode() != 0);
        self.pay(cf.memory().burst_count().into())?;
        let index = self.flow.index;
        for n in each(lanes) {
            if op.is_export() {
                memory::export(&mut self.lanes[n], cf.export(), index);
            } else if let Some((first, count, mask)) =
                memory::memory(&mut self.lanes[n], op, cf.memory(), index)
            {
                (0..count).for_each(|at| self.note(n, first + i64::from(at), mask));
            }
        }
        Ok(())
    }

    /// A clause of fetches.
    fn fetches(&mut self, cf: CfNormal, lanes: Mask) -> Result<(), Stop> {
        let code = self.code();
        let end = u64::from(cf.addr()) + 2 * u64::from(cf.clause_length());
        if end > u64::from(code.units()) {
            return Err(Fault::ClauseOutside.into());
        }
        let mut inside = self.inside.take().unwrap_or_else(|| {
            let clause = Clause::new(CfAlu(0), 0, false);
            Inside { done: 0, before: self.flow.active, clause }
        });
        for (address, inst) in code.fetches(cf).skip(inside.done) {
            self.pause_inside(&mut inside)?;
            self.pay(1)?;
            if lanes != 0 {
                self.fetch(inst, lanes)?;
            }
            if T::ACTIVE {
                self.report(address, Action::Fetch(inst));
            }
        }
        Ok(())
    }

    fn fetch(&mut self, inst: Fetch, lanes: Mask) -> Result<(), Stop> {
        let op = inst.op();
        match op {
            FetchOp::VtxFetch | FetchOp::VtxSemantic => self.buffer(inst.vtx(), op, lanes),
            FetchOp::Mem => return Ok(self.scratch(inst.tex(), lanes)?),
            FetchOp::GetLerp => return Err(Fault::Unsupported.into()),
            _ => self.texture(inst.tex(), op, lanes),
        }
        Ok(())
    }

    /// Registers and loop index: the number that a field means.
    fn number(&self, number: u32, relative: u32) -> i64 {
        i64::from(number) + if relative != 0 { i64::from(self.flow.index) } else { 0 }
    }

    /// Puts a result into a register.
    fn put(&mut self, lane: usize, number: i64, swizzle: [u32; 4], value: Vector) {
        let Some(place) =
            usize::try_from(number).ok().and_then(|number| self.lanes[lane].registers.get_mut(number))
        else {
            return;
        };
        let mut mask = 0;
        for (component, (place, sel)) in place.iter_mut().zip(swizzle).enumerate() {
            if let Some(bits) = selected(value, sel) {
                *place = bits;
                mask |= 1 << component;
            }
        }
        self.note(lane, number, mask);
    }

    fn buffer(&mut self, inst: Vtx, op: FetchOp, lanes: Mask) {
        let latte = &self.program.latte;
        let source = places::fetch_source(self.program.kind, latte, inst);
        let to = if op == FetchOp::VtxSemantic {
            let id = inst.semantic_id();
            let place =
                latte.semantics.iter().position(|known| known.is_some_and(|known| u32::from(known) == id));
            // What no register is for is dropped.
            let Some(place) = place else { return };
            place as i64 + 1
        } else {
            self.number(inst.dst_gpr(), inst.dst_rel())
        };
        let from = self.number(inst.src_gpr(), inst.src_rel());
        let index = |lane: &Lane| register(lane, from)[inst.src_sel_x() as usize & 3];
        // Where the buffer is described, it is a buffer; else it is what the textures say.
        let texels = match source {
            FetchSource::Texels(unit) if !self.resources.buffers.contains_key(&inst.buffer_id()) => {
                Some(unit)
            }
            _ => None,
        };
        if let Some(unit) = texels {
            let texture = Texture {
                query: TextureQuery::Texel,
                ..Texture::sample(unit, TextureShape::Buffer, TextureLevel::Quad)
            };
            let mut indices = [sample::Operands::one(0); 4];
            for (n, lane) in self.lanes.iter().enumerate() {
                indices[n] = sample::Operands::one(index(lane));
            }
            let texels = self.around.texture(texture, self.lanes.len(), &indices, None, lanes);
            each(lanes).for_each(|n| self.put(n, to, inst.dst_swizzle(), texels[n]));
            return;
        }
        for n in each(lanes) {
            let value = fetch::fetch(self.resources, source, inst, index(&self.lanes[n]));
            self.put(n, to, inst.dst_swizzle(), value);
        }
    }

    /// The fetch form of a read from scratch memory (R700 manual, MEM_RD): the operation in bits 8-10, 0 scratch
    /// and 1 reduction; indexed in bit 12; the array base in the third word.
    fn scratch(&mut self, inst: Tex, lanes: Mask) -> Result<(), Fault> {
        let operation = inst.0 >> 8 & 7;
        if operation > 1 {
            return Err(Fault::Unsupported);
        }
        let vtx = Vtx(inst.0);
        let (from, to) =
            (self.number(vtx.src_gpr(), vtx.src_rel()), self.number(vtx.dst_gpr(), vtx.dst_rel()));
        let base = (inst.0 >> 64) as u64 & 0x1FFF;
        for n in each(lanes) {
            let indexed = inst.0 >> 12 & 1 != 0;
            let lane = &self.lanes[n];
            let index = if indexed { register(lane, from)[vtx.src_sel_x() as usize & 3] } else { 0 };
            let region = if operation == 0 { &lane.scratch } else { &lane.reduction };
            let start = (base as i64 + i64::from(index as i32)) * 4;
            let value =
                std::array::from_fn(|c| u64::try_from(start + c as i64).map_or(0, |word| region.read(word)));
            self.put(n, to, vtx.dst_swizzle(), value);
        }
        Ok(())
    }

    fn texture(&mut self, inst: Tex, op: FetchOp, lanes: Mask) {
        let count = self.lanes.len();
        let from = self.number(inst.src_gpr(), inst.src_rel());
        let to = self.number(inst.dst_gpr(), inst.dst_rel());
        let mut c = [[0; 4]; 4];
        for (c, lane) in c.iter_mut().zip(self.lanes.iter()) {
            let value = register(lane, from);
            *c = inst.src_swizzle().map(|sel| selected(value, sel).unwrap_or(0));
        }
        let swizzle = inst.dst_swizzle();
        match op {
            FetchOp::GetGradientsH | FetchOp::GetGradientsV => {
                let axis = if op == FetchOp::GetGradientsH { Axis::X } else { Axis::Y };
                let changes = self.around.derivative(axis, count, &c);
                each(lanes).for_each(|n| self.put(n, to, swizzle, changes[n]));
            }
            FetchOp::KeepGradients => {
                let changes = [Axis::X, Axis::Y].map(|axis| self.around.derivative(axis, count, &c));
                for n in each(lanes) {
                    self.kept[n].gradients = changes.map(|change| [change[n][0], change[n][1], change[n][2]]);
                }
            }
            FetchOp::SetGradientsH | FetchOp::SetGradientsV => {
                let axis = usize::from(op == FetchOp::SetGradientsV);
                for n in each(lanes) {
                    self.kept[n].gradients[axis] = [c[n][0], c[n][1], c[n][2]];
                }
            }
            FetchOp::SetCubemapIndex => each(lanes).for_each(|n| self.kept[n].cube = c[n][0]),
            FetchOp::Pass => each(lanes).for_each(|n| self.put(n, to, swizzle, c[n])),
            _ => {
                let latte = &self.program.latte;
                let unit = places::texture_unit(latte, inst.resource_id());
                let shape = sample::shape(latte, inst, op, unit);
                let Some(texture) = sample::query(inst, op, unit, shape) else { return };
                let operands = std::array::from_fn(|n| {
                    sample::operands(&mut Bits, inst, op, texture, c[n], self.kept[n])
                });
                let cube = matches!(shape, TextureShape::Cube | TextureShape::CubeArray);
                let faces = cube.then(|| c.map(|[x, y, face, _]| [x, y, face].map(f32::from_bits)));
                let texels = self.around.texture(texture, count, &operands, faces, lanes);
                each(lanes).for_each(|n| self.put(n, to, swizzle, sample::arranged(op, texels[n])));
            }
        }
    }
}
