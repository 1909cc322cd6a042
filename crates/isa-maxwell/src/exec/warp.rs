//! Up to 32 lanes in lockstep: flow of control, and what instructions do with all lanes at once.

use super::across::{across, number};
use super::around::Around;
use super::flow::{Mask, Open, Stack, each, holds};
use super::operand::{register_of, write, write_predicate};
use super::program::Program;
use super::run::Fault;
use super::sample;
use super::single::single;
use super::state::{Lane, Resources};
use super::trace::{Step, changed};
use crate::operation::*;
use crate::{Form, Instruction, Register, layout};
use unshade_isa_common::trace::Trace;
use unshade_stage::StageKind;

/// Vertices that one geometry program may emit: the header's field has 12 bits.
pub const VERTEX_LIMIT: usize = 4096;

/// `SAM` inside each other.
const SAVED: usize = 64;

/// Why a warp stands still.
pub(super) enum Pause {
    /// All its lanes ended.
    Ended,
    /// At a barrier.
    Barrier,
    OutOfFuel,
    Fault(Fault),
}

/// What the lanes of a warp say at a barrier that combines a predicate.
#[derive(Debug, Clone, Copy)]
pub(super) struct Poll {
    pub(super) count: u32,
    pub(super) all: bool,
    pub(super) any: bool,
    how: u8,
}

/// What goes on behind an instruction.
enum Next {
    On,
    Barrier,
}

/// The state of a warp beside its lanes.
#[derive(Debug, Clone)]
pub(super) struct Warp {
    /// Where the lanes at work go on.
    pc: u64,
    /// The instruction at work.
    address: u64,
    active: Mask,
    /// Lanes that have not ended.
    alive: Mask,
    stack: Stack,
    /// Lanes that were at work before `SAM`.
    saved: Vec<Mask>,
    poll: Option<Poll>,
    /// Result of the last barrier that combined: a count, and a truth value.
    result: (u32, bool),
}

/// What an instruction works on.
pub(super) struct Context<'a, A> {
    pub(super) program: &'a Program,
    pub(super) lanes: &'a mut [Lane],
    pub(super) resources: &'a mut Resources,
    pub(super) around: &'a mut A,
}

impl Warp {
    pub(super) fn new(entry: u64, lanes: usize) -> Self {
        let all = ((1_u64 << lanes.min(32)) - 1) as Mask;
        Self {
            pc: entry,
            address: entry,
            active: all,
            alive: all,
            stack: Stack::default(),
            saved: Vec::new(),
            poll: None,
            result: (0, false),
        }
    }

    /// Address of the instruction at work.
    pub(super) fn address(&self) -> u64 {
        self.address
    }

    /// Address of the instruction that it does next, and the lanes at work there.
    pub(super) fn next(&self) -> Option<(u64, Mask)> {
        let (address, lanes) = match self.active {
            0 => self.stack.clone().resume(self.alive)?,
            active => (self.pc, active),
        };
        Some((layout::target(address), lanes))
    }

    /// The entries of its branch stack, oldest first.
    pub(super) fn open(&self) -> Vec<Open> {
        self.stack.open()
    }

    /// What its lanes say at the barrier where it stands.
    pub(super) fn vote(&self) -> Option<Poll> {
        self.poll
    }

    /// All warps have come to the barrier.
    pub(super) fn released(&mut self, (count, all, any): (u32, bool, bool)) {
        if let Some(poll) = self.poll.take() {
            self.result = match poll.how {
                0 => (count, count != 0),
                1 => (u32::from(all), all),
                _ => (u32::from(any), any),
            };
        }
    }

    /// Runs until something holds it up.
    pub(super) fn run<A: Around, T: Trace<Program>>(
        &mut self,
        context: &mut Context<'_, A>,
        trace: &mut T,
        steps: &mut u64,
        fuel: u64,
    ) -> Pause {
        loop {
            if self.active == 0 {
                match self.stack.resume(self.alive) {
                    Some((address, lanes)) => (self.pc, self.active) = (address, lanes),
                    None => return Pause::Ended,
                }
            }
            if *steps >= fuel {
                return Pause::OutOfFuel;
            }
            *steps += 1;
            self.address = layout::target(self.pc);
            let Some(instruction) = context.program.at(self.address) else {
                let outside = self.address / 8 >= context.program.code.len() as u64;
                return Pause::Fault(if outside { Fault::RanOff } else { Fault::UnknownInstruction });
            };
            self.pc = layout::next(self.address);
            let before = if T::ACTIVE { context.lanes.to_vec() } else { Vec::new() };
            let at_work = self.guarded(context, instruction);
            let next = match self.instruction(context, instruction.operation, at_work) {
                Ok(next) => next,
                Err(fault) => return Pause::Fault(fault),
            };
            if T::ACTIVE {
                trace.step(&Step {
                    address: self.address,
                    instruction,
                    lanes: context.lanes,
                    at_work,
                    active: self.active,
                    written: &changed(&before, context.lanes, at_work),
                });
            }
            if let Next::Barrier = next {
                return Pause::Barrier;
            }
        }
    }

    /// Lanes at work for which the guard holds.
    fn guarded<A>(&self, context: &Context<'_, A>, instruction: Instruction) -> Mask {
        if instruction.guard.is_true() {
            return self.active;
        }
        each(self.active)
            .filter(|&n| context.lanes.get(n).is_some_and(|lane| lane.holds(instruction.guard)))
            .fold(0, |all, n| all | 1 << n)
    }

    /// Lanes of a mask for which a condition holds.
    fn meeting<A>(
        &self,
        context: &Context<'_, A>,
        condition: ConditionCode,
        lanes: Mask,
    ) -> Result<Mask, Fault> {
        if condition == ConditionCode::TRUE {
            return Ok(lanes);
        }
        let mut meeting = 0;
        for n in each(lanes) {
            meeting |= Mask::from(holds(condition, context.lanes[n].flags)?) << n;
        }
        Ok(meeting)
    }

    fn instruction<A: Around>(
        &mut self,
        context: &mut Context<'_, A>,
        operation: Operation,
        lanes: Mask,
    ) -> Result<Next, Fault> {
        match operation {
            Operation::Branch { condition, target } => {
                let lanes = self.meeting(context, condition, lanes)?;
                self.branch(context, target, lanes)?;
            }
            Operation::Call { target } => {
                if lanes != 0 {
                    self.stack.push(Some(Token::Return), self.pc, lanes)?;
                    self.branch(context, target, lanes)?;
                }
            }
            Operation::Push { token, target } => {
                if lanes != 0 {
                    let address = self.target(context, target, lanes.trailing_zeros() as usize);
                    self.stack.push(Some(token), address, self.active)?;
                }
            }
            Operation::Pop { token, condition } => {
                let lanes = self.meeting(context, condition, lanes)?;
                self.pop(token, lanes)?;
            }
            Operation::Kill { condition } => {
                for n in each(self.meeting(context, condition, lanes)?) {
                    context.lanes[n].killed = true;
                }
            }
            Operation::Barrier { barrier, .. } => return self.barrier(context, barrier, lanes),
            Operation::Nop
            | Operation::CacheControl
            | Operation::MemoryBarrier
            | Operation::DependencyBarrier
            | Operation::RegisterToBarrier => {}
            Operation::BarrierResult { d, p, .. } => {
                for n in each(lanes) {
                    write(&mut context.lanes[n], d, self.result.0);
                    write_predicate(&mut context.lanes[n], p, self.result.1);
                }
            }
            // Both change the lanes at work, whatever the guard.
            Operation::System(Form::Sam) => {
                self.saved.push(self.active);
                self.active = self.alive;
                context.around.forced(true);
                if self.saved.len() > SAVED {
                    return Err(Fault::StackOverflow);
                }
            }
            Operation::System(Form::Ram) => {
                self.active = self.saved.pop().unwrap_or(self.active) & self.alive;
                context.around.forced(!self.saved.is_empty());
            }
            Operation::System(_) if lanes == 0 => {}
            Operation::System(_) => return Err(Fault::Unsupported),
            operation => self.data(context, operation, lanes)?,
        }
        Ok(Next::On)
    }

    /// The address that a target means for a lane.
    fn target<A>(&self, context: &Context<'_, A>, target: Target, lane: usize) -> u64 {
        let behind = self.address + 8;
        let relative = |offset: i32| behind.wrapping_add(i64::from(offset) as u64);
        let register =
            |register: Register| context.lanes.get(lane).map_or(0, |lane| register_of(lane, register));
        let address = match target {
            Target::Relative(offset) => relative(offset),
            Target::Absolute(address) => address.into(),
            Target::Constant { place, register: index, absolute } => {
                let at = u32::from(place.offset).wrapping_add(register(index)) & 0xffff;
                let word = context.resources.constant(place.bank, at);
                if absolute { word.into() } else { relative(word as i32) }
            }
            Target::RegisterRelative(index, offset) => relative(offset.wrapping_add(register(index) as i32)),
            Target::RegisterAbsolute(index, address) => address.wrapping_add(register(index)).into(),
        };
        layout::target(address & !7)
    }

    /// Lanes go to a target: those that do not go on first, then those of each place.
    fn branch<A>(&mut self, context: &Context<'_, A>, target: Target, lanes: Mask) -> Result<(), Fault> {
        let mut stay = self.active & !lanes;
        let behind = self.pc;
        let mut left = lanes;
        let mut places: Vec<(u64, Mask)> = Vec::new();
        if matches!(target, Target::Relative(_) | Target::Absolute(_)) && left != 0 {
            places.push((self.target(context, target, 0), left));
            left = 0;
        }
        for n in each(left) {
            let address = self.target(context, target, n);
            match places.iter_mut().find(|(known, _)| *known == address) {
                Some((_, lanes)) => *lanes |= 1 << n,
                None => places.push((address, 1 << n)),
            }
        }
        if stay == 0 {
            let Some((address, lanes)) = places.pop() else { return Ok(()) };
            (self.pc, stay) = (address, lanes);
        } else {
            self.pc = behind;
        }
        self.active = stay;
        for (address, lanes) in places {
            self.stack.push(None, address, lanes)?;
        }
        Ok(())
    }

    /// Lanes leave for their newest place of a kind.
    fn pop(&mut self, token: Token, lanes: Mask) -> Result<(), Fault> {
        if lanes == 0 {
            return Ok(());
        }
        if !self.stack.leave(token, lanes) {
            if token != Token::Exit {
                return Err(Fault::StackUnderflow);
            }
            self.alive &= !lanes;
        }
        self.active &= !lanes;
        Ok(())
    }

    fn barrier<A>(&mut self, context: &Context<'_, A>, barrier: Barrier, lanes: Mask) -> Result<Next, Fault> {
        if lanes == 0 {
            return Ok(Next::On);
        }
        match barrier {
            Barrier::Sync => Ok(Next::Barrier),
            Barrier::Arrive => Ok(Next::On),
            Barrier::Reduce { predicate, how } => {
                let holding = each(lanes).filter(|&n| context.lanes[n].holds(predicate)).count() as u32;
                let poll =
                    Poll { count: holding, all: holding == lanes.count_ones(), any: holding != 0, how };
                self.poll = Some(poll);
                Ok(Next::Barrier)
            }
            Barrier::Scan => Err(Fault::Unsupported),
        }
    }

    /// Everything that moves data.
    fn data<A: Around>(
        &mut self,
        context: &mut Context<'_, A>,
        operation: Operation,
        lanes: Mask,
    ) -> Result<(), Fault> {
        match operation {
            Operation::FloatSwizzleAdd { .. } | Operation::Shuffle { .. } | Operation::Vote { .. } => {
                across(context, operation, self.address, lanes)
            }
            Operation::Texture(texture) => textures(context, &texture, lanes),
            Operation::Move { mask, .. } => {
                for n in each(lanes) {
                    if mask >> (number(&context.lanes[n], n) & 3) & 1 != 0 {
                        single(context, &operation, n)?;
                    }
                }
                Ok(())
            }
            _ => {
                for n in each(lanes) {
                    single(context, &operation, n)?;
                }
                Ok(())
            }
        }
    }
}

/// The handle of a texture or image for a lane.
pub(super) fn unit<A>(context: &Context<'_, A>, handle: Handle, lane: usize) -> u32 {
    match handle {
        Handle::Bound(word) => context.resources.constant(context.program.handles, u32::from(word) * 4),
        Handle::Register(register) => context.lanes.get(lane).map_or(0, |lane| register_of(lane, register)),
    }
}

fn textures<A: Around>(context: &mut Context<'_, A>, texture: &Texture, lanes: Mask) -> Result<(), Fault> {
    // Mesa's compiler sets `.NDV` where lanes fetch for each other, in every stage.
    let quads = context.program.kind == StageKind::Fragment || texture.no_derivatives;
    let step = if quads { 4 } else { 1 };
    for first in (0..context.lanes.len()).step_by(step) {
        let wanted = lanes >> first & ((1 << step) - 1);
        if wanted == 0 {
            continue;
        }
        let units = std::array::from_fn(|n| unit(context, texture.handle, first + n));
        let end = (first + step).min(context.lanes.len());
        let quad = &mut context.lanes[first..end];
        sample::sample(quad, wanted, texture, units, quads, context.around)?;
    }
    Ok(())
}
