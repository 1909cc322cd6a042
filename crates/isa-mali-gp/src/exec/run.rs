//! One vertex, instruction by instruction.

use super::super::inst::{Inst, Source, SourceKind};
use super::super::table::{AddOp, ComplexOp, MEMORY, MulOp, PassOp, Unit};
use super::super::{decode, instructions};
use super::state::{State, Vector};
use super::trace::Step;
use std::collections::VecDeque;
use unshade_ir::math;
use unshade_ir::op::{MinMax, Multiply};
use unshade_isa_common::trace::{NoTrace, Trace};
use unshade_stage::Stage;

/// When writes are seen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Timing {
    /// By the next instruction.
    Relaxed,
    /// As late as the machine makes them seen.
    Strict,
}

/// Why a run stopped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum End {
    /// It came behind the last instruction.
    Ended,
    /// As many instructions as allowed were done.
    OutOfFuel,
}

/// How a run went. What it computed is in the state.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Outcome {
    /// Why it stopped.
    pub end: End,
    /// Instructions done.
    pub steps: u64,
}

/// A run that stands still between two instructions. Beside the state this is all that it goes on with.
#[derive(Debug, Clone, Default)]
pub struct Progress {
    /// Index of the next instruction.
    pub pc: usize,
    /// Instructions done.
    pub steps: u64,
    late: VecDeque<Late>,
    /// Strict: the instruction before was `complex1`, whose result is not there yet.
    unfinished: bool,
}

impl Progress {
    /// Writes that are still on their way arrive.
    pub fn arrive(&mut self, state: &mut State) {
        for late in self.late.drain(..) {
            late.what.apply(state);
        }
    }
}

/// A program, decoded.
#[derive(Debug, Clone)]
pub struct Program {
    insts: Vec<Inst>,
}

/// A write that is not seen yet.
#[derive(Debug, Clone, Copy)]
struct Late {
    /// The first instruction, counted from the start of the run, that sees it.
    due: u64,
    what: What,
}

#[derive(Debug, Clone, Copy)]
enum What {
    Register(usize, usize, f32),
    Memory(usize, usize, f32),
    Address(usize, i32),
}

impl What {
    /// Distance in instructions after which it is seen.
    fn distance(self) -> u64 {
        match self {
            Self::Register(..) => 3,
            Self::Memory(..) | Self::Address(..) => 4,
        }
    }

    fn apply(self, state: &mut State) {
        match self {
            Self::Register(n, component, value) => state.registers[n & 15][component & 3] = value,
            Self::Memory(row, component, value) => {
                if let Some(vector) = state.memory.get_mut(row) {
                    vector[component & 3] = value;
                }
            }
            Self::Address(n, value) => state.addresses[n & 3] = value,
        }
    }
}

impl Program {
    /// Decodes the code of a stage. Words that make no whole instruction are left out.
    pub fn new(stage: &Stage<'_>) -> Self {
        Self::of_words(&stage.code.words)
    }

    /// Decodes code words.
    pub fn of_words(words: &[u32]) -> Self {
        Self { insts: instructions(words).0.map(decode).collect() }
    }

    /// The instructions.
    pub fn insts(&self) -> &[Inst] {
        &self.insts
    }

    /// Runs one vertex, at most `fuel` instructions; every write is seen by the next instruction.
    pub fn run(&self, state: &mut State, fuel: u64) -> Outcome {
        self.run_with(state, fuel, Timing::Relaxed, &mut NoTrace)
    }

    /// Runs one vertex and reports each instruction to `trace`. Writes that are still on their way at the end
    /// arrive then.
    pub fn run_with<T: Trace<Program>>(
        &self,
        state: &mut State,
        fuel: u64,
        timing: Timing,
        trace: &mut T,
    ) -> Outcome {
        let mut progress = Progress::default();
        let end = self.resume(&mut progress, state, fuel, timing, trace);
        progress.arrive(state);
        Outcome { end, steps: progress.steps }
    }

    /// Goes on until the run has done `fuel` instructions in all. One that ran out of fuel can go on with more; writes
    /// that are on their way arrive by [`Progress::arrive`].
    pub fn resume<T: Trace<Program>>(
        &self,
        progress: &mut Progress,
        state: &mut State,
        fuel: u64,
        timing: Timing,
        trace: &mut T,
    ) -> End {
        let strict = timing == Timing::Strict;
        let Progress { mut pc, mut steps, mut unfinished, .. } = *progress;
        let late = &mut progress.late;
        let end = loop {
            let Some(inst) = self.insts.get(pc) else { break End::Ended };
            if steps >= fuel {
                break End::OutOfFuel;
            }
            while let Some(first) = late.iter().position(|late| late.due <= steps) {
                if let Some(due) = late.remove(first) {
                    due.what.apply(state);
                }
            }
            steps += 1;
            let reader = Reader::new(inst, state, unfinished && strict);
            let results = reader.results();
            let kept = reader.reg0;
            let index = pc;
            let taken = inst.branch && results[Unit::Pass as usize] != 0.0;
            pc = if taken { usize::from(inst.target) } else { pc + 1 };
            let mut write = |state: &mut State, what: What| {
                if strict {
                    late.push_back(Late { due: steps - 1 + what.distance(), what });
                } else {
                    what.apply(state);
                }
            };
            self.addresses(inst, &results, state, &mut write);
            unfinished = inst.mul_op == MulOp::Complex1;
            let mut stored = results;
            if unfinished && strict {
                stored[Unit::Mul0 as usize] = 0.0;
            }
            store(inst, &stored, state, &mut write);
            state.results = [results, state.results[0]];
            state.kept = kept;
            if T::ACTIVE {
                let next = self.insts.get(pc).map(|_| pc as u32);
                trace.step(&Step {
                    pc: index as u32,
                    inst: *inst,
                    results,
                    addresses: state.addresses,
                    next,
                });
            }
        };
        (progress.pc, progress.steps, progress.unfinished) = (pc, steps, unfinished);
        end
    }

    /// Address registers that the complex unit sets. That of stores is there at once.
    fn addresses(
        &self,
        inst: &Inst,
        results: &[f32; 6],
        state: &mut State,
        write: &mut impl FnMut(&mut State, What),
    ) {
        let mask = inst.complex_op.addresses();
        if mask == 0 {
            return;
        }
        let both = inst.complex_op == ComplexOp::Address01;
        let value = math::to_int(results[if both { Unit::Pass } else { Unit::Complex } as usize]);
        for n in (0..4).filter(|n| mask >> n & 1 != 0) {
            if n == 0 {
                state.addresses[0] = value;
            } else {
                write(state, What::Address(n, value));
            }
        }
    }
}

fn store(inst: &Inst, results: &[f32; 6], state: &mut State, write: &mut impl FnMut(&mut State, What)) {
    for (slot, store) in inst.store.iter().enumerate() {
        for (n, source) in store.sources.iter().enumerate().filter(|(_, source)| !source.is_none()) {
            let component = 2 * slot + n;
            let value = source.unit().map_or(0.0, |unit| results[unit as usize]);
            let number = usize::from(store.number & 15);
            if store.temporary {
                if let Ok(row @ 0..MEMORY) = usize::try_from(state.addresses[0]) {
                    write(state, What::Memory(row, component, value));
                }
            } else if store.varying {
                state.varyings[number][component & 3] = value;
            } else {
                write(state, What::Register(number, component, value));
            }
        }
    }
}

/// What an instruction can read.
struct Reader<'a> {
    inst: &'a Inst,
    reg0: Vector,
    reg1: Vector,
    load: Vector,
    kept: Vector,
    results: [[f32; 6]; 2],
}

impl<'a> Reader<'a> {
    fn new(inst: &'a Inst, state: &State, unfinished: bool) -> Self {
        let file = if inst.reg0.attribute { &state.attributes } else { &state.registers };
        let offset = inst.load.register().map_or(0, |n| state.addresses[usize::from(n & 3)]);
        let row = i64::from(inst.load.address) + i64::from(offset);
        let load = usize::try_from(row).ok().and_then(|row| state.memory.get(row)).copied();
        let mut results = state.results;
        if unfinished {
            results[0][Unit::Mul0 as usize] = 0.0;
        }
        Self {
            inst,
            reg0: file[usize::from(inst.reg0.number & 15)],
            reg1: state.registers[usize::from(inst.reg1 & 15)],
            load: load.unwrap_or([0.0; 4]),
            kept: state.kept,
            results,
        }
    }

    /// `neutral` is what the neutral element is in this place, if there is one.
    fn read(&self, source: Source, neutral: Option<f32>) -> f32 {
        match source.kind() {
            SourceKind::Reg0(component) => self.reg0[usize::from(component & 3)],
            SourceKind::Reg1(component) => self.reg1[usize::from(component & 3)],
            SourceKind::Load(component) => self.load[usize::from(component & 3)],
            SourceKind::PreviousReg0(component) => self.kept[usize::from(component & 3)],
            SourceKind::Result(unit, back) => self.results[usize::from(back == 2)][unit as usize],
            SourceKind::Identity => neutral.unwrap_or(self.results[0][Unit::Complex as usize]),
            SourceKind::Unknown(_) | SourceKind::Unused => 0.0,
        }
    }

    /// What every unit gives, in the order of [`Unit::ALL`].
    fn results(&self) -> [f32; 6] {
        let [mul0, mul1] = self.multipliers();
        [self.adder(0), self.adder(1), mul0, mul1, self.pass(), self.complex()]
    }

    fn adder(&self, n: usize) -> f32 {
        let inst = self.inst;
        if !inst.is_on([Unit::Add0, Unit::Add1][n & 1]) {
            return 0.0;
        }
        let add = &inst.add[n & 1];
        let signed = |n: usize, value: f32| if add.negate[n] { -value } else { value };
        let a = signed(0, self.read(add.sources[0], None));
        let b = || signed(1, self.read(add.sources[1], Some(0.0)));
        match inst.add_op {
            AddOp::Add => a + b(),
            AddOp::Floor => math::floor(a),
            AddOp::Sign => sign(a),
            AddOp::Op3 => 0.0,
            AddOp::Ge => truth(a >= b()),
            AddOp::Lt => truth(a < b()),
            AddOp::Min => math::min(a, b(), MinMax::SecondUnlessOrdered),
            AddOp::Max => math::max(a, b(), MinMax::SecondUnlessOrdered),
        }
    }

    fn multipliers(&self) -> [f32; 2] {
        let inst = self.inst;
        let [first, second] = inst.mul;
        let product = |mul: &super::super::Mul| {
            let [a, b] = [self.read(mul.sources[0], None), self.read(mul.sources[1], Some(1.0))];
            let product = math::mul(a, b, Multiply::Ieee);
            if mul.negate { -product } else { product }
        };
        let joined = |value: f32| [if first.negate { -value } else { value }, 0.0];
        match inst.mul_op {
            MulOp::Mul | MulOp::Complex2 => {
                let on = |unit: Unit, mul| if inst.is_on(unit) { product(mul) } else { 0.0 };
                [on(Unit::Mul0, &first), on(Unit::Mul1, &second)]
            }
            MulOp::Complex1 => joined(self.read(first.sources[0], None)),
            MulOp::Select => {
                let condition = self.read(first.sources[1], Some(1.0));
                joined(self.read(if condition != 0.0 { second.sources[0] } else { first.sources[0] }, None))
            }
            MulOp::Op2 | MulOp::Op5 | MulOp::Op6 | MulOp::Op7 => [0.0; 2],
        }
    }

    fn complex(&self) -> f32 {
        let x = self.read(self.inst.complex, None);
        match self.inst.complex_op {
            ComplexOp::Exp2 => math::exp2(x),
            ComplexOp::Log2 => math::log2(x),
            ComplexOp::Rsqrt => math::rsq(x),
            ComplexOp::Rcp => math::rcp(x),
            ComplexOp::Mov
            | ComplexOp::Address01
            | ComplexOp::Address0
            | ComplexOp::Address1
            | ComplexOp::Address2
            | ComplexOp::Address3 => x,
            ComplexOp::Off
            | ComplexOp::Op1
            | ComplexOp::Op6
            | ComplexOp::Op7
            | ComplexOp::Op8
            | ComplexOp::Op11 => 0.0,
        }
    }

    fn pass(&self) -> f32 {
        if !self.inst.is_on(Unit::Pass) {
            return 0.0;
        }
        let x = self.read(self.inst.pass, None);
        match self.inst.pass_op {
            PassOp::Mov | PassOp::PreExp2 | PassOp::PostLog2 => x,
            PassOp::Clamp => {
                let raised = math::max(x, self.load[0], MinMax::SecondUnlessOrdered);
                math::min(raised, self.load[1], MinMax::SecondUnlessOrdered)
            }
            PassOp::Op0 | PassOp::Op1 | PassOp::Op3 | PassOp::Op7 => 0.0,
        }
    }
}

fn truth(holds: bool) -> f32 {
    if holds { 1.0 } else { 0.0 }
}

fn sign(a: f32) -> f32 {
    if a > 0.0 {
        1.0
    } else if a < 0.0 {
        -1.0
    } else {
        0.0
    }
}
