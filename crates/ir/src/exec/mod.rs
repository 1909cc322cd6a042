//! The interpreter: runs a module at any point of the pipeline, before [`crate::ssa`] and behind the last
//! pass alike, bit for bit.
//!
//! A [`Program`] is a module made flat: values are numbered slots of a frame, blocks are ranges of steps. A
//! [`Machine`] runs it, one invocation at a time, on an [`Environment`].

mod compounds;
mod evaluate;
mod float;
mod lanes;
mod memory;
mod textured;

pub(crate) use evaluate::sum_to_single;
pub use evaluate::{cross, evaluate, inverse, normalize, refract};
pub use memory::{Event, Memory};
pub use textured::Textured;

use crate::verify::Problem;
use crate::{
    AtomicOp, Axis, Barrier, FloatMode, Image, InputPlace, Module, Op, QuadSide, Space, Target, Terminator,
    Texture, TextureShape, Type, Value, Vote, math, verify,
};
use smallvec::SmallVec;
use std::fmt;
use std::ops::Range;

/// What a program runs on: inputs, uniforms, outputs and memory, addressed by 32-bit words. Words that do
/// not exist read as 0; stores to them vanish.
pub trait Environment {
    /// A word of a space; never called for [`Space::Local`].
    fn load(&mut self, space: Space, binding: u32, word: u32) -> u32;
    /// Changes a word; never called for [`Space::Local`] and the spaces that are read only.
    fn store(&mut self, space: Space, binding: u32, word: u32, value: u32);
    /// Emits the outputs as they are now as a vertex of a stream. Answers what that costs in steps (one per
    /// word copied), so that the fuel bounds memory too.
    fn emit_vertex(&mut self, stream: u32) -> u64;
    /// Ends the primitive of a stream. Answers what that costs in steps.
    fn end_primitive(&mut self, stream: u32) -> u64;

    /// Asks texture `unit`. The operands are those of [`Op::Texture`] without the index: coordinates, reference,
    /// what the level takes. Answers red, green, blue, alpha, or what [`crate::TextureQuery`] says.
    ///
    /// Unless an environment has textures, this is a function of everything that goes in and of nothing
    /// else: enough to see whether two programs fetch the same.
    fn texture(&mut self, texture: Texture, unit: u32, operands: &[u32]) -> [u32; 4] {
        math::probe_texture(texture, unit, operands)
    }

    /// The shape of what is bound to a unit, where the environment knows it: machines ask for the size of a texture without
    /// saying what it is.
    fn texture_shape(&mut self, unit: u32) -> Option<TextureShape> {
        let _ = unit;
        None
    }

    /// Bytes of a storage buffer.
    fn buffer_size(&mut self, binding: u32) -> u32 {
        let _ = binding;
        0
    }

    /// What a value is in another pixel of the quad. Unless an environment has one, this is a function of
    /// what goes in and of nothing else: enough to see whether two programs look at the same.
    fn quad_read(&mut self, side: QuadSide, value: u32) -> u32 {
        math::probe_quad(side, value)
    }

    /// An input of a fragment program at another place of the pixel. Unless an environment has a picture, near
    /// to the input itself.
    fn interpolate(&mut self, place: InputPlace, binding: u32, word: u32, operands: &[u32]) -> u32 {
        math::probe_place(place, self.load(Space::Input, binding, word), operands)
    }

    /// Changes a word of shared memory or of a storage buffer; answers what it was.
    fn atomic(&mut self, op: AtomicOp, space: Space, binding: u32, word: u32, operands: &[u32]) -> u32 {
        let old = self.load(space, binding, word);
        self.store(space, binding, word, op.apply(old, operands));
        old
    }

    /// A word by its address in bytes, a multiple of four.
    fn global_load(&mut self, address: u64) -> u32 {
        math::probe_address(address)
    }

    /// Changes a word by its address.
    fn global_store(&mut self, address: u64, value: u32) {
        let _ = (address, value);
    }

    /// Changes a word by its address; answers what it was.
    fn global_atomic(&mut self, op: AtomicOp, address: u64, operands: &[u32]) -> u32 {
        let old = self.global_load(address);
        self.global_store(address, op.apply(old, operands));
        old
    }

    /// Reads, writes or asks image `unit`. The operands are those of [`Op::Image`] without the index. Unless an
    /// environment has images, the answer is a function of everything that goes in.
    fn image(&mut self, image: Image, unit: u32, operands: &[u32]) -> [u32; 4] {
        math::probe_image(image, unit, operands)
    }

    /// Asks all invocations that run in step. Unless there are others, these decide nothing: the answer is
    /// the invocation's own truth value.
    fn vote(&mut self, vote: Vote, value: bool) -> bool {
        let _ = vote;
        value
    }

    /// The truth values of all lanes. Unless there are others, the own one is bit 0, and the rest is always the
    /// same.
    fn ballot(&mut self, value: bool) -> u32 {
        0x0A50 | u32::from(value)
    }

    /// What a value is in another lane. Unless there are others, near to the value itself.
    fn shuffle(&mut self, value: u32, lane: u32) -> u32 {
        math::probe_lane(value, lane)
    }

    /// Waits.
    fn barrier(&mut self, barrier: Barrier) {
        let _ = barrier;
    }
}

/// How a run ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Outcome {
    /// It returned from the entry function, or ended by [`Terminator::End`].
    Ended,
    /// It ended by [`Terminator::Discard`], or ended after an [`Op::Demote`].
    Discarded,
    /// The fuel was used up first.
    OutOfFuel,
    /// A call went deeper than the limit.
    TooDeep,
    /// It came to [`Terminator::Unreachable`].
    Unreachable,
}

/// What a run may use.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Steps: one per instruction, terminator, and value that is passed along.
    pub fuel: u64,
    /// Calls inside each other.
    pub call_depth: u32,
}

impl Limits {
    /// The given fuel, with calls up to 64 deep.
    pub fn fuel(fuel: u64) -> Self {
        Self { fuel, call_depth: 64 }
    }
}

/// Result of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Run {
    /// How it ended.
    pub outcome: Outcome,
    /// Steps it took.
    pub steps: u64,
}

/// Why a module cannot be run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Refusal {
    /// It is not well-formed.
    Malformed(Problem),
    /// Its local arrays are longer than [`ARRAY_WORDS`] together.
    Arrays,
    /// It has too many values to number.
    Size,
}

/// Most words that the local arrays of a program may have together.
pub const ARRAY_WORDS: u32 = 1 << 20;

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Malformed(problem) => problem.fmt(f),
            Self::Arrays => write!(f, "local arrays of more than {ARRAY_WORDS} words"),
            Self::Size => f.write_str("more values than can be numbered"),
        }
    }
}

impl std::error::Error for Refusal {}

/// A module made flat. Slots are counted from the start of a frame; blocks from the start of the program.
#[derive(Debug, Clone)]
pub struct Program {
    functions: Vec<Routine>,
    blocks: Vec<FlatBlock>,
    steps: Vec<Step>,
    /// Operand slots of steps and returns.
    operands: Vec<u32>,
    /// Source and destination slots of the values that edges pass along.
    moves: Vec<(u32, u32)>,
    entry: usize,
    initial: Vec<u64>,
    arrays: Vec<u32>,
}

#[derive(Debug, Clone, Copy)]
struct Routine {
    first_block: u32,
    slots: u32,
    params: u32,
}

#[derive(Debug, Clone)]
struct FlatBlock {
    steps: Range<u32>,
    exit: Exit,
}

#[derive(Debug, Clone)]
struct Step {
    op: Op,
    /// Type of the first operand.
    ty: Type,
    args: Range<u32>,
    /// Slot of the first result; the others follow.
    result: u32,
}

#[derive(Debug, Clone, Default)]
struct Edge {
    block: u32,
    moves: Range<u32>,
    /// A later source is an earlier destination: all are read before any is written.
    parallel: bool,
}

#[derive(Debug, Clone)]
enum Exit {
    Jump(Edge),
    Branch {
        condition: u32,
        then: Edge,
        otherwise: Edge,
    },
    /// Cases sorted by selector.
    Switch {
        value: u32,
        cases: Vec<(u32, Edge)>,
        default: Edge,
    },
    Return(Range<u32>),
    Stop(Outcome),
}

/// Marks a value without a slot: nothing that is listed makes it.
const NO_SLOT: u32 = u32::MAX;

impl Program {
    /// Checks a module and makes it flat, in time linear in its size.
    pub fn new(module: &Module) -> Result<Self, Refusal> {
        if let Some(problem) = verify::check(module).into_iter().next() {
            return Err(Refusal::Malformed(problem));
        }
        let arrays: Vec<u32> = module.arrays.iter().map(|array| array.words).collect();
        if arrays.iter().map(|words| u64::from(*words)).sum::<u64>() > ARRAY_WORDS.into() {
            return Err(Refusal::Arrays);
        }
        let size: usize = module.functions.iter().map(|function| function.values.len()).sum();
        if size >= NO_SLOT as usize / 8 {
            return Err(Refusal::Size);
        }
        let mut program = Self {
            functions: Vec::new(),
            blocks: Vec::new(),
            steps: Vec::new(),
            operands: Vec::new(),
            moves: Vec::new(),
            entry: module.entry.index(),
            initial: module.variables.iter().map(|variable| variable.initial).collect(),
            arrays,
        };
        for function in &module.functions {
            program.add(function);
        }
        Ok(program)
    }

    fn add(&mut self, function: &crate::Function) {
        let mut slots = vec![NO_SLOT; function.values.len()];
        let mut count = 0;
        for block in &function.blocks {
            let results = block.insts.iter().flat_map(|inst| &function.insts[inst.index()].results);
            for value in block.params.iter().chain(results) {
                slots[value.index()] = count;
                count += 1;
            }
        }
        let first_block = self.blocks.len() as u32;
        self.functions.push(Routine { first_block, slots: count, params: function.params().len() as u32 });
        for block in &function.blocks {
            let start = self.steps.len() as u32;
            for inst in &block.insts {
                let inst = &function.insts[inst.index()];
                let args = self.operand_range(&slots, &inst.args);
                let ty = inst.args.first().map_or(Type::B32, |arg| function.ty(*arg));
                let result = inst.results.first().map_or(0, |result| slots[result.index()]);
                self.steps.push(Step { op: inst.op, ty, args, result });
            }
            let steps = start..self.steps.len() as u32;
            let slot = |value: &Value| slots[value.index()];
            let mut edge = |target: &Target| self.edge(function, first_block, &slots, target);
            let exit = match &block.terminator {
                Terminator::Jump(target) => Exit::Jump(edge(target)),
                Terminator::Branch { condition, then, otherwise } => {
                    Exit::Branch { condition: slot(condition), then: edge(then), otherwise: edge(otherwise) }
                }
                Terminator::Switch { value, cases, default } => {
                    let mut cases: Vec<_> =
                        cases.iter().map(|(selector, target)| (*selector, edge(target))).collect();
                    cases.sort_unstable_by_key(|(selector, _)| *selector);
                    Exit::Switch { value: slot(value), cases, default: edge(default) }
                }
                Terminator::Return(values) => Exit::Return(self.operand_range(&slots, values)),
                Terminator::End => Exit::Stop(Outcome::Ended),
                Terminator::Discard => Exit::Stop(Outcome::Discarded),
                Terminator::Unreachable => Exit::Stop(Outcome::Unreachable),
            };
            self.blocks.push(FlatBlock { steps, exit });
        }
    }

    fn operand_range(&mut self, slots: &[u32], values: &[Value]) -> Range<u32> {
        let start = self.operands.len() as u32;
        self.operands.extend(values.iter().map(|value| slots[value.index()]));
        start..self.operands.len() as u32
    }

    fn edge(&mut self, function: &crate::Function, first_block: u32, slots: &[u32], target: &Target) -> Edge {
        let start = self.moves.len() as u32;
        let params = &function.blocks[target.block.index()].params;
        // Parameters of a block have consecutive slots, so an earlier destination is a smaller number.
        let first = params.first().map_or(0, |param| slots[param.index()]);
        let mut parallel = false;
        for (arg, param) in target.args.iter().zip(params) {
            let (from, to) = (slots[arg.index()], slots[param.index()]);
            if from != to {
                parallel |= (first..to).contains(&from);
                self.moves.push((from, to));
            }
        }
        Edge { block: first_block + target.block.0, moves: start..self.moves.len() as u32, parallel }
    }

    fn operands(&self, range: &Range<u32>) -> &[u32] {
        &self.operands[range.start as usize..range.end as usize]
    }
}

#[derive(Debug, Clone, Copy)]
struct Frame {
    /// Where its slots start.
    base: usize,
    /// The block and step to go on with after a return.
    block: u32,
    step: u32,
    /// Slot of the caller for the first result.
    result: u32,
    function: u32,
}

/// Runs a program, again and again, in the same memory.
#[derive(Debug)]
pub struct Machine<'a> {
    program: &'a Program,
    slots: Vec<u64>,
    frames: Vec<Frame>,
    variables: Vec<u64>,
    arrays: Vec<Vec<u32>>,
    scratch: Vec<u64>,
    /// [`Op::Demote`] was met.
    demoted: bool,
}

impl<'a> Machine<'a> {
    /// A machine for a program.
    pub fn new(program: &'a Program) -> Self {
        Self {
            program,
            slots: Vec::new(),
            frames: Vec::new(),
            variables: Vec::new(),
            arrays: program.arrays.iter().map(|words| vec![0; *words as usize]).collect(),
            scratch: Vec::new(),
            demoted: false,
        }
    }

    /// Runs one invocation from the start: variables at their initial values, local arrays zero.
    pub fn run<E: Environment>(&mut self, environment: &mut E, limits: Limits) -> Run {
        self.variables.clear();
        self.variables.extend(&self.program.initial);
        self.arrays.iter_mut().for_each(|array| array.fill(0));
        self.frames.clear();
        self.demoted = false;
        let mut fuel = limits.fuel;
        let outcome = match self.steps(environment, &mut fuel, limits.call_depth) {
            Outcome::Ended if self.demoted => Outcome::Discarded,
            outcome => outcome,
        };
        Run { outcome, steps: limits.fuel - fuel }
    }

    fn reserve(&mut self, end: usize) {
        if self.slots.len() < end {
            self.slots.resize(end, 0);
        }
    }

    fn steps<E: Environment>(&mut self, environment: &mut E, fuel: &mut u64, call_depth: u32) -> Outcome {
        let program = self.program;
        let entry = program.functions[program.entry];
        self.reserve(entry.slots as usize);
        let mut function = program.entry as u32;
        let mut base = 0;
        let mut block = entry.first_block;
        let mut step = program.blocks[block as usize].steps.start;
        macro_rules! pay {
            ($cost:expr) => {
                match fuel.checked_sub($cost as u64) {
                    Some(left) => *fuel = left,
                    None => return Outcome::OutOfFuel,
                }
            };
        }
        pay!(program.blocks[block as usize].steps.len() + 1);
        'block: loop {
            let current = &program.blocks[block as usize];
            while step < current.steps.end {
                let at = &program.steps[step as usize];
                step += 1;
                match at.op {
                    Op::Call(callee) => {
                        if self.frames.len() >= call_depth as usize {
                            return Outcome::TooDeep;
                        }
                        let to = program.functions[callee.index()];
                        let inner = base + program.functions[function as usize].slots as usize;
                        self.reserve(inner + to.slots as usize);
                        pay!(to.params);
                        for (n, arg) in program.operands(&at.args).iter().enumerate() {
                            // Parameters have the first slots of a frame.
                            self.slots[inner + n] = self.slots[base + *arg as usize];
                        }
                        self.frames.push(Frame { base, block, step, result: at.result, function });
                        (function, base, block) = (callee.0, inner, to.first_block);
                        let entered = &program.blocks[block as usize];
                        step = entered.steps.start;
                        pay!(entered.steps.len() + 1);
                        continue 'block;
                    }
                    Op::ReadVar(variable) => {
                        self.slots[base + at.result as usize] = self.variables[variable.index()];
                    }
                    Op::WriteVar(variable) => {
                        let from = program.operands[at.args.start as usize];
                        self.variables[variable.index()] = self.slots[base + from as usize];
                    }
                    Op::Load(_)
                    | Op::Store(_)
                    | Op::Atomic(..)
                    | Op::Interpolate(..)
                    | Op::Image(_)
                    | Op::Vote(_)
                    | Op::Ballot
                    | Op::Shuffle => self.memory(base, at, environment),
                    Op::Barrier(barrier) => environment.barrier(barrier),
                    Op::Demote => self.demoted = true,
                    Op::Texture(texture) => self.texture(base, at, texture, environment),
                    Op::QuadRead(side) => {
                        let value =
                            self.slots[base + program.operands[at.args.start as usize] as usize] as u32;
                        self.slots[base + at.result as usize] = environment.quad_read(side, value).into();
                    }
                    Op::Derivative(axis, mode) => {
                        let value = self.slots[base + program.operands[at.args.start as usize] as usize];
                        let result = derivative(axis, mode, value, environment);
                        self.slots[base + at.result as usize] = result;
                    }
                    Op::BufferLength(length) => {
                        let count = length.of(environment.buffer_size(length.binding));
                        self.slots[base + at.result as usize] = count.into();
                    }
                    Op::EmitVertex(stream) => pay!(environment.emit_vertex(stream)),
                    Op::EndPrimitive(stream) => pay!(environment.end_primitive(stream)),
                    _ => self.pure(base, at),
                }
            }
            let edge = match &current.exit {
                Exit::Jump(edge) => edge,
                Exit::Branch { condition, then, otherwise } => {
                    if self.slots[base + *condition as usize] != 0 { then } else { otherwise }
                }
                Exit::Switch { value, cases, default } => {
                    let value = self.slots[base + *value as usize] as u32;
                    match cases.binary_search_by_key(&value, |(selector, _)| *selector) {
                        Ok(case) => &cases[case].1,
                        Err(_) => default,
                    }
                }
                Exit::Return(values) => {
                    let Some(frame) = self.frames.pop() else { return Outcome::Ended };
                    pay!(values.len());
                    for (n, value) in program.operands(values).iter().enumerate() {
                        self.slots[frame.base + frame.result as usize + n] =
                            self.slots[base + *value as usize];
                    }
                    Frame { base, block, step, function, .. } = frame;
                    continue;
                }
                Exit::Stop(outcome) => return *outcome,
            };
            self.pass(base, edge);
            block = edge.block;
            let entered = &program.blocks[block as usize];
            step = entered.steps.start;
            pay!(entered.steps.len() + edge.moves.len() + 1);
        }
    }

    fn texture(&mut self, base: usize, step: &Step, texture: Texture, environment: &mut impl Environment) {
        let mut operands: SmallVec<[u32; 12]> = SmallVec::new();
        for slot in self.program.operands(&step.args) {
            operands.push(self.slots[base + *slot as usize] as u32);
        }
        let (index, operands) = operands.split_at(usize::from(texture.indexed).min(operands.len()));
        let unit = texture.unit.wrapping_add(index.first().copied().unwrap_or(0));
        let (texture, count) = texture.placed(operands);
        let texel = environment.texture(texture, unit, &operands[..count]);
        let result = base + step.result as usize;
        self.slots[result..result + 4].copy_from_slice(&texel.map(u64::from));
    }

    fn pure(&mut self, base: usize, step: &Step) {
        let mut args = [0u64; 8];
        let operands = self.program.operands(&step.args);
        for (arg, slot) in args.iter_mut().zip(operands) {
            *arg = self.slots[base + *slot as usize];
        }
        let args = &args[..operands.len().min(8)];
        let result = base + step.result as usize;
        if let Op::Normalize(lanes) = step.op {
            normalize(args, &mut self.slots[result..result + usize::from(lanes)]);
        } else if step.op == Op::Cross {
            cross(args, &mut self.slots[result..result + 3]);
        } else if let Op::Refract(lanes) = step.op {
            refract(args, &mut self.slots[result..result + usize::from(lanes)]);
        } else if let Op::InverseTimes(size) | Op::TimesInverse(size) = step.op {
            let args: SmallVec<[u64; 20]> =
                operands.iter().map(|slot| self.slots[base + *slot as usize]).collect();
            let vector_first = matches!(step.op, Op::TimesInverse(_));
            inverse(&args, vector_first, &mut self.slots[result..result + usize::from(size)]);
        } else if let Some(value) = evaluate(&step.op, step.ty, args) {
            self.slots[result] = value;
        }
    }

    fn pass(&mut self, base: usize, edge: &Edge) {
        let moves = &self.program.moves[edge.moves.start as usize..edge.moves.end as usize];
        if edge.parallel {
            self.scratch.clear();
            self.scratch.extend(moves.iter().map(|(from, _)| self.slots[base + *from as usize]));
            for ((_, to), value) in moves.iter().zip(&self.scratch) {
                self.slots[base + *to as usize] = *value;
            }
        } else {
            for (from, to) in moves {
                self.slots[base + *to as usize] = self.slots[base + *from as usize];
            }
        }
    }
}

#[cfg(test)]
mod tests;

/// Right minus left, or upper minus lower.
pub(crate) fn derivative(axis: Axis, mode: FloatMode, value: u64, environment: &mut impl Environment) -> u64 {
    let (low, high) = match axis {
        Axis::X => (QuadSide::Left, QuadSide::Right),
        Axis::Y => (QuadSide::Lower, QuadSide::Upper),
    };
    let mut read = |side| u64::from(environment.quad_read(side, value as u32));
    let (low, high) = (read(low), read(high));
    let ty = mode.width.ty();
    let less = evaluate(&Op::FNeg(mode.width), ty, &[low]).unwrap_or_default();
    evaluate(&Op::FAdd(mode), ty, &[high, less]).unwrap_or_default()
}
