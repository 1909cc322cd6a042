//! Mali vertex code to IR.
//!
//! # What the module looks like
//! | machine | IR |
//! |---|---|
//! | a`n` component k | `Load` of `Input`, binding 0, word 4n + k |
//! | `t[n]` | `Load` of `Uniform`, binding 0, word 4n + k; with an address register: stride 4 |
//! | $`n` | variables `r0`-`r15` |
//! | results of units, one and two instructions ago | values along straight code; across the edges of blocks variables `add0_1`, `add0_2`, ..., and `kept` for what the first register load brought |
//! | address registers | variables `addr0`-`addr3`, signed integers |
//! | v`n` | variables; `Store` to `Output`, binding 0, word 4n + k, at the end, for every component that the code writes |
//! | temporaries | see `memory` |
//!
//! One machine instruction gives many scalar operations: [`Origin::step`] is the number of the unit, and
//! behind the units the load of memory, the stores, the branch; varyings at the end have a step each.
//! Moves leave no trace: multiplying by the neutral 1 and adding the neutral -0 change no value.
//!
//! The meaning is that of [`super::exec`] with [`Timing::Relaxed`](super::exec::Timing::Relaxed), bit for bit.
//! What the two share about unknown things is said there. [`viewport`] brings `gl_Position` back, [`point_size`]
//! `gl_PointSize`, [`sines`] sine and cosine.

mod arithmetic;
mod interface;
mod memory;
pub mod point_size;
pub mod sines;
pub mod viewport;

use super::inst::{Inst, Source, SourceKind};
use super::table::{ComplexOp, Unit};
use super::{decode, instructions};
use memory::Memory;
use std::collections::BTreeMap;
use unshade_bytes::{Error, ErrorKind};
use unshade_ir::build::FunctionBuilder;
use unshade_ir::passes::Pass;
use unshade_ir::{
    Access, BlockId, CompareFloat, FloatMode, Module, Op, Origin, Round, Space, Terminator, Type, Value,
    VarId, Width,
};
use unshade_stage::{Isa, Stage};

/// Positions as the source has them, before the viewport transform that compilers add.
pub const VIEWPORT: Pass = Pass { name: "viewport", run: viewport::run };
/// Sizes of points as the source has them, without the bounds that compilers add.
pub const POINT_SIZE: Pass = Pass { name: "point-size", run: point_size::run };
/// Sine and cosine as the source has them, instead of the polynomials that compilers put there.
pub const SINES: Pass = Pass { name: "sines", run: sines::run };

/// Instructions that are lifted at most. The machine holds 512; a file may say otherwise.
const INSTRUCTIONS: usize = 8192;

/// Steps of [`Origin::step`] behind the six units.
pub(super) mod step {
    /// A load from memory.
    pub const LOAD: u8 = 6;
    /// A store to temporary memory.
    pub const STORE: u8 = 7;
    /// The branch.
    pub const BRANCH: u8 = 8;
    /// Varying 0 leaves the program; the others follow.
    pub const OUTPUT: u8 = 16;
}

/// Lifts a stage. The module is over variables; `unshade_ir::ssa` comes next.
///
/// # Errors
/// [`ErrorKind::Unsupported`] if the stage is for another machine, [`ErrorKind::LimitExceeded`] if it has more
/// than 8192 instructions.
pub fn lift(stage: &Stage<'_>) -> Result<Module, Error> {
    let offset = stage.code.file_offset;
    if stage.isa != Isa::MaliGp {
        return Err(Error::new(ErrorKind::Unsupported, offset, "", "Mali vertex code", stage.isa.name()));
    }
    let (all, _) = instructions(&stage.code.words);
    if all.len() > INSTRUCTIONS {
        let (wanted, found) = (format!("at most {INSTRUCTIONS} instructions"), all.len().to_string());
        return Err(Error::new(ErrorKind::LimitExceeded, offset, "code", wanted, found));
    }
    let insts: Vec<Inst> = all.map(decode).collect();
    let leaders = leaders(&insts);
    let mut writer = Writer {
        builder: FunctionBuilder::new("main"),
        module: Module { from_shading_language: true, vectors_by_use: true, ..Module::default() },
        variables: BTreeMap::new(),
        memory: Memory::of(stage, &insts, &leaders),
        latches: [Latch::Zero; LATCHES],
        index: 0,
    };
    writer.program(&insts, &leaders);
    let outputs = written(&insts);
    let Writer { builder, mut module, .. } = writer;
    module.entry = module.push_function(builder.finish());
    module.globals = interface::globals(stage, &module, &outputs);
    Ok(module)
}

/// Instructions that start a block.
fn leaders(insts: &[Inst]) -> Vec<bool> {
    let mut leaders = vec![false; insts.len()];
    let mut mark = |at: usize| {
        if let Some(leader) = leaders.get_mut(at) {
            *leader = true;
        }
    };
    mark(0);
    for (index, inst) in insts.iter().enumerate().filter(|(_, inst)| inst.branch) {
        mark(index + 1);
        mark(inst.target.into());
    }
    leaders
}

/// Components of the varyings that the code writes.
fn written(insts: &[Inst]) -> [u8; 16] {
    let mut masks = [0; 16];
    for store in insts.iter().flat_map(|inst| inst.store.iter().enumerate()) {
        let (slot, store) = store;
        if !store.varying || store.temporary {
            continue;
        }
        for (n, _) in store.sources.iter().enumerate().filter(|(_, source)| !source.is_none()) {
            masks[usize::from(store.number & 15)] |= 1 << (2 * slot + n);
        }
    }
    masks
}

/// A place that keeps a value for later instructions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Place {
    Register(u8, u8),
    Varying(u8, u8),
    Address(u8),
    /// A component of a row of memory that only stores at known places write.
    Temporary(u16, u8),
    /// A latch between instructions, across the edge of a block.
    Latch(u8),
}

/// How many latches there are: six results one instruction ago, six two ago, four components of a register.
const LATCHES: usize = 16;
const KEPT: usize = 12;

/// What a latch holds at a point of a block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Latch {
    /// What that latch held at the start of the block.
    Entry(u8),
    /// A value.
    Value(Value),
    /// Zero: the unit was off.
    Zero,
    /// Nobody reads it.
    Nothing,
}

/// Writes the function.
struct Writer {
    builder: FunctionBuilder,
    module: Module,
    variables: BTreeMap<Place, VarId>,
    memory: Memory,
    latches: [Latch; LATCHES],
    /// The instruction that is being written.
    index: usize,
}

impl Writer {
    fn program(&mut self, insts: &[Inst], leaders: &[bool]) {
        let exit = self.builder.block();
        let blocks: Vec<Option<BlockId>> =
            leaders.iter().map(|leader| leader.then(|| self.builder.block())).collect();
        let to = |index: usize| blocks.get(index).copied().flatten().unwrap_or(exit);
        self.fill_temporaries();
        self.builder.jump(to(0), &[]);
        for (index, inst) in insts.iter().enumerate() {
            self.index = index;
            if let Some(block) = blocks[index] {
                self.builder.switch_to(block);
                self.latches = std::array::from_fn(|n| Latch::Entry(n as u8));
            }
            let next = [Some(index + 1), inst.branch.then_some(usize::from(inst.target))];
            let keeps =
                next.into_iter().flatten().filter_map(|at| insts.get(at)).map(kept).fold(0, |a, b| a | b);
            let pass = self.instruction(inst, keeps);
            if inst.branch {
                self.at(step::BRANCH, 0);
                let zero = self.builder.float(0.0);
                let taken = self.builder.value(Op::FCompare(CompareFloat::Ne, FloatMode::F32), &[pass, zero]);
                self.leave_latches();
                self.builder.branch(taken, to(inst.target.into()), to(index + 1));
            } else if leaders.get(index + 1).copied().unwrap_or(true) {
                self.leave_latches();
                self.builder.jump(to(index + 1), &[]);
            }
        }
        self.builder.switch_to(exit);
        self.index = insts.len().saturating_sub(1);
        for (n, mask) in (0..16_u8).zip(written(insts)) {
            for component in (0..4_u8).filter(|component| mask >> component & 1 != 0) {
                self.at(step::OUTPUT + n, component);
                let value = self.read_place(Place::Varying(n, component));
                let offset = u32::from(n) * 4 + u32::from(component);
                let access = Access { space: Space::Output, binding: 0, offset, stride: 0 };
                // What wrote the register is what stores it.
                self.builder.at(Origin { instruction: u32::MAX, step: step::OUTPUT + n, lane: component });
                self.builder.effect(Op::Store(access), &[value]);
            }
        }
        self.builder.terminate(Terminator::End);
    }

    /// What is written next belongs to that step of the current instruction.
    fn at(&mut self, step: u8, lane: u8) {
        let instruction = u32::try_from(self.index * 4).unwrap_or(u32::MAX);
        self.builder.at(Origin { instruction, step, lane });
    }

    fn variable(&mut self, place: Place) -> VarId {
        let module = &mut self.module;
        *self.variables.entry(place).or_insert_with(|| {
            let (name, lane) = match place {
                Place::Register(n, lane) => (format!("r{n}"), lane),
                Place::Varying(n, lane) => (format!("v{n}"), lane),
                Place::Address(n) => (format!("addr{n}"), 0),
                Place::Temporary(row, lane) => (format!("t{row}"), lane),
                Place::Latch(n) if usize::from(n) >= KEPT => ("kept".to_owned(), n - KEPT as u8),
                Place::Latch(n) => {
                    let unit = Unit::ALL[usize::from(n % 6)];
                    (format!("{}_{}", unit.name(), 1 + n / 6), 0)
                }
            };
            module.push_variable(name, lane, Type::B32, 0)
        })
    }

    fn read_place(&mut self, place: Place) -> Value {
        let variable = self.variable(place);
        self.builder.read(variable, Type::B32)
    }

    fn write_place(&mut self, place: Place, value: Value) {
        let variable = self.variable(place);
        self.builder.write(variable, value);
    }

    fn latch(&mut self, n: usize) -> Value {
        match self.latches[n % LATCHES] {
            // Nothing writes these variables before the end of the block.
            Latch::Entry(entry) => self.read_place(Place::Latch(entry)),
            Latch::Value(value) => value,
            Latch::Zero | Latch::Nothing => self.builder.float(0.0),
        }
    }

    /// Writes what the latches hold for the blocks that follow.
    fn leave_latches(&mut self) {
        // All are read before the first is written.
        let mut changed = Vec::new();
        for n in 0..LATCHES as u8 {
            let latch = self.latches[usize::from(n)];
            if latch != Latch::Nothing && latch != Latch::Entry(n) {
                changed.push((n, self.latch(n.into())));
            }
        }
        for (n, value) in changed {
            self.write_place(Place::Latch(n), value);
        }
    }

    /// A source; `neutral` is what the neutral element is in this place, if there is one.
    fn source(&mut self, inst: &Inst, source: Source, neutral: Option<f32>) -> Value {
        match source.kind() {
            SourceKind::Reg0(component) if inst.reg0.attribute => self.attribute(inst.reg0.number, component),
            SourceKind::Reg0(component) => {
                self.read_place(Place::Register(inst.reg0.number & 15, component & 3))
            }
            SourceKind::Reg1(component) => self.read_place(Place::Register(inst.reg1 & 15, component & 3)),
            SourceKind::Load(component) => self.load(inst, component),
            SourceKind::Result(unit, back) => self.latch(unit as usize + if back == 2 { 6 } else { 0 }),
            SourceKind::PreviousReg0(component) => self.latch(KEPT + usize::from(component & 3)),
            SourceKind::Identity => match neutral {
                Some(number) => self.builder.float(number),
                None => self.latch(Unit::Complex as usize),
            },
            SourceKind::Unknown(_) | SourceKind::Unused => self.builder.float(0.0),
        }
    }

    fn attribute(&mut self, number: u8, component: u8) -> Value {
        let offset = u32::from(number & 15) * 4 + u32::from(component & 3);
        self.builder.value(Op::Load(Access { space: Space::Input, binding: 0, offset, stride: 0 }), &[])
    }

    /// Writes what an instruction does, up to its branch. `keeps` are the components of the first register load
    /// that the next instruction reads. Answers the result of the pass unit.
    fn instruction(&mut self, inst: &Inst, keeps: u8) -> Value {
        let results: [Option<Value>; 6] = Unit::ALL.map(|unit| self.unit(inst, unit));
        let kept: [Latch; 4] = std::array::from_fn(|component| {
            if keeps >> component & 1 == 0 {
                return Latch::Nothing;
            }
            self.at(step::LOAD, component as u8);
            Latch::Value(self.source(inst, Source(component as u8), None))
        });
        let pass = match results[Unit::Pass as usize] {
            Some(value) => value,
            None => self.builder.float(0.0),
        };
        self.addresses(inst, &results, pass);
        self.stores(inst, &results);
        for unit in Unit::ALL {
            let n = unit as usize;
            self.latches[6 + n] = self.latches[n];
            self.latches[n] = results[n].map_or(Latch::Zero, Latch::Value);
        }
        self.latches[KEPT..].copy_from_slice(&kept);
        pass
    }

    fn addresses(&mut self, inst: &Inst, results: &[Option<Value>; 6], pass: Value) {
        let mask = inst.complex_op.addresses();
        if mask == 0 {
            return;
        }
        self.at(Unit::Complex as u8, 0);
        let both = inst.complex_op == ComplexOp::Address01;
        let number = if both { Some(pass) } else { results[Unit::Complex as usize] };
        let Some(number) = number else { return };
        let integer = self.builder.value(Op::FToS(Width::F32, Round::Zero), &[number]);
        for n in (0..4).filter(|n| mask >> n & 1 != 0) {
            self.write_place(Place::Address(n), integer);
        }
    }

    fn stores(&mut self, inst: &Inst, results: &[Option<Value>; 6]) {
        for (slot, store) in inst.store.iter().enumerate() {
            for (n, source) in store.sources.iter().enumerate().filter(|(_, source)| !source.is_none()) {
                let component = (2 * slot + n) as u8;
                self.at(step::STORE, component);
                let value = match source.unit().and_then(|unit| results[unit as usize]) {
                    Some(value) => value,
                    None => self.builder.float(0.0),
                };
                let number = store.number & 15;
                match (store.temporary, store.varying) {
                    (true, _) => self.store_temporary(component, value),
                    (false, true) => self.write_place(Place::Varying(number, component), value),
                    (false, false) => self.write_place(Place::Register(number, component), value),
                }
            }
        }
    }
}

/// Components of the register load of the instruction before that an instruction reads.
fn kept(inst: &Inst) -> u8 {
    let mut mask = 0;
    for (_, _, source) in inst.sources() {
        if let SourceKind::PreviousReg0(component) = source.kind() {
            mask |= 1 << component;
        }
    }
    mask
}
