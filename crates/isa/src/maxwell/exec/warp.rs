//! Up to 32 lanes in lockstep: flow of control, and what instructions do with all lanes at once.

use super::access::{self, attribute_address};
use super::arithmetic::arithmetic;
use super::around::Around;
use super::flow::{Mask, Open, Stack, holds};
use super::operand::{Operands, register_of, write, write_predicate};
use super::program::Program;
use super::run::Fault;
use super::state::{Event, Lane, Resources};
use super::trace::{Step, Trace, changed};
use super::{float, image, sample};
use crate::maxwell::operation::*;
use crate::maxwell::{Form, Instruction, Register, layout};
use unshade_ir::{QuadSide, Vote as Question};
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

fn each(lanes: Mask) -> impl Iterator<Item = usize> {
    (0..32).filter(move |n| lanes >> n & 1 != 0)
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
    pub(super) fn run<A: Around, T: Trace>(
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
                self.across(context, operation, lanes)
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

    /// Operations that see other lanes.
    fn across<A: Around>(
        &self,
        context: &mut Context<'_, A>,
        operation: Operation,
        lanes: Mask,
    ) -> Result<(), Fault> {
        match operation {
            Operation::FloatSwizzleAdd { d, a, b, pattern, flush, rounding, .. } => {
                for n in each(lanes) {
                    let (a, b) = (register_of(&context.lanes[n], a), register_of(&context.lanes[n], b));
                    let sides = match pattern {
                        0x99 => Some((QuadSide::Right, QuadSide::Left)),
                        0xa5 => Some((QuadSide::Upper, QuadSide::Lower)),
                        _ => None,
                    };
                    let asked = sides.and_then(|(high, low)| {
                        Some((context.around.quad(high, b)?, context.around.quad(low, b)?))
                    });
                    let bits = match asked {
                        Some((high, low)) => difference(high, low, flush, rounding),
                        None => {
                            let number = number(&context.lanes[n], n);
                            swizzled(a, b, pattern, number, flush, rounding)
                        }
                    };
                    let lane = &mut context.lanes[n];
                    write(lane, d.register, bits);
                    if d.flags {
                        let value = f32::from_bits(bits);
                        lane.flags.zero = value == 0.0 || value.is_nan();
                        lane.flags.sign = value < 0.0 || value.is_nan();
                        (lane.flags.carry, lane.flags.overflow) = (false, false);
                    }
                }
            }
            Operation::Shuffle { d, p, a, b, c, shuffle } => {
                let values: Vec<u32> = context.lanes.iter().map(|lane| register_of(lane, a)).collect();
                for n in each(lanes) {
                    let at = Operands { lane: &context.lanes[n], resources: context.resources };
                    let (from, inside) = source_lane(shuffle, number(at.lane, n), at.source(b), at.source(c));
                    let own = values[n];
                    let value = match context.around.shuffle(own, from) {
                        Some(value) => value,
                        None => values.get(from as usize).copied().unwrap_or(own),
                    };
                    write(&mut context.lanes[n], d, value);
                    write_predicate(&mut context.lanes[n], p, inside);
                }
            }
            Operation::Vote { d, p, a, vote } => {
                let holding =
                    each(lanes).filter(|&n| context.lanes[n].holds(a)).fold(0, |all: Mask, n| all | 1 << n);
                let (question, answer) = match vote {
                    Vote::All => (Question::All, holding == lanes),
                    Vote::Any => (Question::Any, holding != 0),
                    Vote::Equal => (Question::Equal, holding == 0 || holding == lanes),
                };
                for n in each(lanes) {
                    let own = holding >> n & 1 != 0;
                    let (answer, ballot) = context.around.vote(question, own).unwrap_or((answer, holding));
                    write(&mut context.lanes[n], d, ballot);
                    write_predicate(&mut context.lanes[n], p, answer);
                }
            }
            _ => return Err(Fault::Unsupported),
        }
        Ok(())
    }
}

fn difference(high: u32, low: u32, flush: bool, rounding: Rounding) -> u32 {
    let sum = float::sum(float::single(high, flush), -float::single(low, flush), rounding);
    float::to_single(sum, flush, rounding)
}

/// The sum with the signs that the pattern has for a lane: those of lane 0 are the highest two bits (Mesa's lowering
/// of gradients relies on it).
fn swizzled(a: u32, b: u32, pattern: u8, lane: u32, flush: bool, rounding: Rounding) -> u32 {
    let (x, y) = (float::single(a, flush), float::single(b, flush));
    let sum = match pattern >> (6 - 2 * (lane & 3)) & 3 {
        0 => float::sum(x, y, rounding),
        1 => float::sum(y, -x, rounding),
        2 => float::sum(x, -y, rounding),
        _ => y,
    };
    float::to_single(sum, flush, rounding)
}

/// The number of a lane, as it tells it: one that runs alone may be any of its warp.
fn number(lane: &Lane, n: usize) -> u32 {
    special(lane, SpecialRegister(0), n)
}

/// The lane that a shuffle reads, and whether it lies inside of the limits; else it is the lane itself (PTX `shfl`).
fn source_lane(shuffle: Shuffle, lane: u32, b: u32, c: u32) -> (u32, bool) {
    let (b, limit, segment) = (b & 31, c & 31, c >> 8 & 31);
    let most = lane & segment | limit & !segment & 31;
    let least = lane & segment;
    let (from, inside) = match shuffle {
        Shuffle::Up => (lane.wrapping_sub(b), lane as i32 - b as i32 >= most as i32),
        Shuffle::Down => (lane + b, lane + b <= most),
        Shuffle::Butterfly => (lane ^ b, lane ^ b <= most),
        Shuffle::Index => {
            let from = least | b & !segment & 31;
            (from, from <= most)
        }
    };
    if inside { (from, true) } else { (lane, false) }
}

/// The handle of a texture or image for a lane.
fn unit<A>(context: &Context<'_, A>, handle: Handle, lane: usize) -> u32 {
    match handle {
        Handle::Bound(word) => context.resources.constant(context.program.handles, u32::from(word) * 4),
        Handle::Register(register) => context.lanes.get(lane).map_or(0, |lane| register_of(lane, register)),
    }
}

fn textures<A: Around>(context: &mut Context<'_, A>, texture: &Texture, lanes: Mask) -> Result<(), Fault> {
    let quads = context.program.kind == StageKind::Fragment;
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

/// Operations of one lane by itself.
fn single<A: Around>(context: &mut Context<'_, A>, operation: &Operation, n: usize) -> Result<(), Fault> {
    if let Some(done) = arithmetic(&mut context.lanes[n], context.resources, operation) {
        return done;
    }
    let lane = &mut context.lanes[n];
    let keeps = !lane.helper && !lane.killed;
    if let Some(done) = access::access(lane, context.resources, operation, keeps) {
        return done;
    }
    match *operation {
        Operation::AttributeLoad { d, a, vertex, words } => {
            let at = Operands { lane: &context.lanes[n], resources: context.resources };
            let address = attribute_address(at, a);
            let vertex = (!vertex.is_zero()).then(|| at.register(vertex));
            for k in 0..words {
                let word = attribute(context, a, address.wrapping_add(4 * u32::from(k)), vertex, n);
                write(&mut context.lanes[n], d.further(k), word);
            }
        }
        Operation::AttributeStore { a, value, words, .. } => {
            let at = Operands { lane: &context.lanes[n], resources: context.resources };
            let address = attribute_address(at, a);
            for k in 0..words {
                let word = register_of(&context.lanes[n], value.further(k));
                let to = address.wrapping_add(4 * u32::from(k));
                if a.patch {
                    context.resources.patch.set(to, word);
                } else {
                    context.lanes[n].outputs.set(to, word);
                }
            }
        }
        Operation::AttributeAddress { d, p, register, address, .. } => {
            let value = register_of(lane, register).wrapping_add(address.into());
            write(lane, d, value);
            write_predicate(lane, p, value < 0x400);
        }
        Operation::Interpolate { d, a, mode, sample, b, offset, saturate } => {
            // What does not change over a primitive is the same everywhere in a pixel.
            let sample = if mode == Interpolate::Constant { Sample::Center } else { sample };
            let word = interpolate(context, a, sample, offset, n);
            let lane = &mut context.lanes[n];
            let word = match mode {
                Interpolate::Pass | Interpolate::Constant => word,
                Interpolate::Multiply => {
                    let factor = float::single(register_of(lane, b), true);
                    float::to_single(float::single(word, true) * factor, true, Rounding::Nearest)
                }
                Interpolate::Sc => return Err(Fault::Unsupported),
            };
            write(lane, d, if saturate { float::saturated(word) } else { word });
        }
        Operation::Out { d, a, stream, emit, cut } => {
            let stream = Operands { lane, resources: context.resources }.source(stream) & 3;
            if emit {
                if lane.events.len() >= 2 * VERTEX_LIMIT {
                    return Err(Fault::TooManyVertices);
                }
                let outputs = lane.outputs.clone();
                lane.events.push(Event::Vertex { stream, outputs });
            }
            if cut {
                if lane.events.len() >= 2 * VERTEX_LIMIT {
                    return Err(Fault::TooManyVertices);
                }
                lane.events.push(Event::Cut { stream });
            }
            let handle = register_of(lane, a).wrapping_add(u32::from(emit));
            write(lane, d, handle);
        }
        Operation::VertexHandle { d, a } => {
            let value = register_of(lane, a);
            write(lane, d, value);
        }
        Operation::PixelLoad { d, p, mode, .. } => {
            let value = match mode {
                1 => lane.sample_mask,
                5 => lane.sample,
                _ => return Err(Fault::Unsupported),
            };
            write(lane, d, value);
            write_predicate(lane, p, false);
        }
        Operation::TextureQuery { d, a, handle, query, mask } => {
            let unit = unit(context, handle, n);
            let image = context.program.image(handle).filter(|_| query == 1);
            match image {
                Some(shape) => image::size(&mut context.lanes[n], d, (unit, shape), mask, context.around),
                None => sample::query(&mut context.lanes[n], (d, a), unit, query, mask, context.around)?,
            }
        }
        Operation::ImageLoad { image, .. }
        | Operation::ImageStore { image, .. }
        | Operation::ImageAtomic { image, .. }
        | Operation::ImageCompareAndSwap { image, .. } => {
            let unit = unit(context, image.handle, n);
            image::image(&mut context.lanes[n], operation, unit, keeps, context.around)?;
        }
        Operation::SpecialRegister { d, register, wide } => {
            let value = special(lane, register, n);
            write(lane, d, value);
            if wide {
                let above = special(lane, SpecialRegister(register.0 | 1), n);
                write(lane, d.further(1), if register.0 & 1 == 0 { above } else { 0 });
            }
        }
        _ => return Err(Fault::Unsupported),
    }
    Ok(())
}

/// A word of attribute space. Outputs are those of the lane that the vertex names (what was not written there is an
/// input: the coordinates that tessellation evaluation reads as outputs); inputs are those of the vertex, or where
/// the vertex has none the lane's.
fn attribute<A>(context: &Context<'_, A>, a: Attribute, address: u32, vertex: Option<u32>, n: usize) -> u32 {
    let own = &context.lanes[n];
    if a.patch {
        return context.resources.patch.get(address);
    }
    if a.output {
        let lane = vertex.map_or(Some(own), |vertex| context.lanes.get(vertex as usize));
        return lane.map_or(0, |lane| {
            if lane.outputs.is_known(address) {
                lane.outputs.get(address)
            } else {
                lane.attributes.get(address)
            }
        });
    }
    let index = vertex.unwrap_or(0) as usize;
    match context.resources.vertices.get(index) {
        Some(vertex) if vertex.is_known(address) => vertex.get(address),
        _ => own.attributes.get(address),
    }
}

/// An input of a pixel, before it is multiplied.
fn interpolate<A: Around>(
    context: &mut Context<'_, A>,
    a: Attribute,
    sample: Sample,
    offset: Register,
    n: usize,
) -> u32 {
    let lane = &context.lanes[n];
    let address = attribute_address(Operands { lane, resources: context.resources }, a);
    let word = lane.attributes.get(address);
    if sample != Sample::Offset {
        return word;
    }
    // Twelve bits of fraction with the sign on top; the bits above hold other things.
    let packed = register_of(lane, offset);
    let [x, y] = [packed, packed >> 16].map(|half| ((half << 20) as i32 >> 20) as f32 / 4096.0);
    if let Some(word) = context.around.interpolate(address / 4, [x.to_bits(), y.to_bits()]) {
        return word;
    }
    let Some(plane) = context.resources.planes.get(&(address & !3)) else { return word };
    let [base, right, up] = plane.map(|bits| f64::from(f32::from_bits(bits)));
    let (x, y) = (f64::from(x) + (n & 1) as f64 + 0.5, f64::from(y) + (n >> 1 & 1) as f64 + 0.5);
    ((base + (right - base) * x / 4.0 + (up - base) * y / 4.0) as f32).to_bits()
}

fn special(lane: &Lane, register: SpecialRegister, n: usize) -> u32 {
    if let Some(&value) = lane.special.get(&register.0) {
        return value;
    }
    let bit = 1_u32 << (n & 31);
    match register.0 {
        0 => n as u32,
        19 if lane.helper || lane.killed => u32::MAX,
        56 => bit,
        57 => bit - 1,
        58 => bit | (bit - 1),
        59 => !(bit | (bit - 1)),
        60 => !(bit - 1),
        _ => 0,
    }
}
