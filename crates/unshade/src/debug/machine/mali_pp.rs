//! The Mali pixel processor: one instruction, which is what its units do one behind the other, of the pixels of a quad
//! that are there.

use super::super::names;
use super::super::view::{Ended, RegisterFile, RegisterKind, StackEntry};
use super::{Machine, Place, Slot, Words, add, bits, finished, numbered, out_of_fuel};
use crate::run_json::{self, Case, Document, Outputs, RunJsonError};
use std::collections::BTreeSet;
use std::sync::Arc;
use unshade_ir::math;
use unshade_isa::mali_pp::exec::trace::writes;
use unshade_isa::mali_pp::exec::{End, Float, Lane, NoTrace, Program, Progress, State};
use unshade_isa::mali_pp::reach::{Reach, floats};
use unshade_isa::mali_pp::table::{Combine, CombineOp, NO_OFFSET, TEMPORARY, VaryingSource};
use unshade_isa::mali_pp::{AddOp, Field, Inst, MulOp};
use unshade_isa::texture::{Bank, Unbound};
use unshade_stage::{Space, Stage};

const REGISTER: u8 = 0;
const VARYING: u8 = 1;
const UNIFORMS: u8 = 2;
const MEMORY: u8 = 3;
const INPUT: u8 = 4;
const CONSTANT: u8 = 5;

/// Inputs that are no varyings, by their numbers.
const INPUTS: [(&str, u8); 5] =
    [("gl_FragCoord", 4), ("gl_PointCoord", 2), ("gl_FrontFacing", 1), ("fb_color", 4), ("fb_depth", 1)];

struct Shared {
    program: Program,
    bank: Bank,
    float: Float,
    fuel: u64,
    lanes: usize,
    names: names::Floats,
    /// First float of the temporaries.
    first: i32,
    slots: Arc<[Slot]>,
}

#[derive(Clone)]
struct Run {
    shared: Arc<Shared>,
    state: State,
    progress: Progress,
    ended: Option<Ended>,
}

impl super::Debugged for unshade_isa::mali_pp::MaliPp {
    fn start(
        stage: &Stage<'_>,
        document: &Document,
        case: &Case,
        fuel: u64,
    ) -> Result<Box<dyn Machine>, RunJsonError> {
        let float = run_json::mali_pp::float(document)?;
        let lanes = case.lanes(document)?;
        let mut state = run_json::mali_pp::state(stage, document, case, lanes)?;
        let bank = run_json::textures::bank(document, case)?;
        let program = Program::new(stage);
        let progress = program.begin(&mut state, float);
        let names = names::Floats::of(stage);
        let reach = Reach::new(&stage.code.words);
        let slots = slots(&reach, &names).into();
        let first = reach.temporaries().start;
        let shared = Shared { program, bank, float, fuel, lanes, names, first, slots };
        let mut run = Run { shared: Arc::new(shared), state, progress, ended: None };
        run.look();
        Ok(Box::new(run))
    }
}

/// What an instruction reads: registers by number, all else by its first float and how many. `offset` says what a
/// component that is added to an index holds.
struct Reads<'a> {
    inst: &'a Inst,
    offset: &'a dyn Fn(u32) -> i64,
    all: Vec<((u8, u32), u8)>,
}

impl<'a> Reads<'a> {
    fn of(inst: &'a Inst, offset: &'a dyn Fn(u32) -> i64) -> Vec<((u8, u32), u8)> {
        let mut reads = Self { inst, offset, all: Vec::new() };
        reads.fields();
        reads.all
    }

    fn register(&mut self, number: u32, mask: u8) {
        match number & 15 {
            number @ 12..=13 => self.all.push(((CONSTANT, number - 12), mask)),
            // Results inside of the instruction.
            14 | 15 => {}
            number => self.all.push(((REGISTER, number), mask)),
        }
    }

    fn scalar(&mut self, component: u32) {
        self.register(component >> 2, 1 << (component & 3));
    }

    fn vector(&mut self, number: u32, swizzle: u32, lanes: u32) {
        let used = (0..4).filter(|lane| lanes >> lane & 1 != 0);
        self.register(number, used.fold(0, |mask, lane| mask | 1 << (swizzle >> (2 * lane) & 3)));
    }

    /// Floats of a memory, from an index that counts accesses of that width on.
    fn memory(&mut self, set: u8, index: i64, width: u32, offset: Option<u32>) {
        let mut index = index;
        if let Some(component) = offset {
            self.scalar(component);
            index += (self.offset)(component);
        }
        for n in 0..i64::from(width) {
            if let Ok(float) = u32::try_from(index * i64::from(width) + n) {
                self.all.push(((set, float / 4), 1 << (float % 4)));
            }
        }
    }

    fn fields(&mut self) {
        let inst = self.inst;
        if inst.has(Field::Varying) {
            self.varying();
        }
        if inst.has(Field::Sampler) {
            let field = inst.sampler;
            if field.lod_enable() != 0 {
                self.scalar(field.lod_register());
            }
            if field.offset_enable() != 0 {
                self.scalar(field.offset_register());
            }
        }
        if inst.has(Field::Uniform) {
            let field = inst.uniform;
            let set = if field.source() == TEMPORARY { MEMORY } else { UNIFORMS };
            let offset = (field.offset_enable() != 0).then(|| field.offset_register());
            let index = i64::from(field.index() as u16 as i16);
            self.memory(set, index, floats(field.alignment()), offset);
        }
        if inst.has(Field::VectorMul) {
            let field = inst.vector_mul;
            let lanes = if field.mask() == 0 { 15 } else { field.mask() };
            self.vector(field.arg0(), field.arg0_swizzle(), lanes);
            if sources(MulOp::of(field.op()).map(|op| op.row().sources)) > 1 {
                self.vector(field.arg1(), field.arg1_swizzle(), lanes);
            }
        }
        if inst.has(Field::FloatMul) {
            let field = inst.float_mul;
            self.scalar(field.arg0());
            if sources(MulOp::of(field.op()).map(|op| op.row().sources)) > 1 {
                self.scalar(field.arg1());
            }
        }
        if inst.has(Field::VectorAdd) {
            let field = inst.vector_add;
            if field.mul_in() == 0 {
                self.vector(field.arg0(), field.arg0_swizzle(), 15);
            }
            if sources(AddOp::of(field.op()).map(|op| op.row().sources)) > 1 {
                self.vector(field.arg1(), field.arg1_swizzle(), 15);
            }
        }
        if inst.has(Field::FloatAdd) {
            let field = inst.float_add;
            if field.mul_in() == 0 {
                self.scalar(field.arg0());
            }
            if sources(AddOp::of(field.op()).map(|op| op.row().sources)) > 1 {
                self.scalar(field.arg1());
            }
        }
        match inst.combine() {
            Some(Combine::Scalar(field)) => {
                self.scalar(field.arg0());
                if sources(CombineOp::of(field.op()).map(|op| op.row().sources)) > 1 {
                    self.scalar(field.arg1());
                }
            }
            Some(Combine::Atan(field)) => {
                self.scalar(field.arg0());
                self.scalar(field.arg1());
            }
            Some(Combine::Mul(field)) => {
                self.scalar(field.arg0());
                self.vector(field.arg1(), field.arg1_swizzle(), field.mask());
            }
            Some(Combine::AtanSecond(field)) => self.vector(field.arg1(), field.arg1_swizzle(), 15),
            None => {}
        }
        if inst.has(Field::Store) {
            self.store();
        }
        if inst.has(Field::Branch) && !inst.branch.is_discard() {
            self.scalar(inst.branch.arg0());
            self.scalar(inst.branch.arg1());
        }
    }

    fn varying(&mut self) {
        let field = self.inst.varying;
        let source = field.source();
        if source.is_register() {
            let form = field.register();
            self.vector(form.source(), form.swizzle(), 15);
        } else if source.is_place() {
            let offset = (field.offset_register() != NO_OFFSET)
                .then(|| field.offset_register() << 2 | field.offset_component());
            self.memory(VARYING, field.index().into(), floats(field.alignment()), offset);
        } else {
            match source {
                VaryingSource::FragCoord => self.all.push(((INPUT, 0), 15)),
                VaryingSource::PointCoord => self.all.push(((INPUT, 1), 3)),
                VaryingSource::FrontFacing => self.all.push(((INPUT, 2), 1)),
                _ => {}
            }
        }
    }

    fn store(&mut self) {
        let field = self.inst.store;
        if let Some(read) = field.framebuffer_read() {
            let (input, mask) = if read.color() != 0 { (3, 15) } else { (4, 1) };
            self.all.push(((INPUT, input), mask));
            return;
        }
        if field.offset_enable() != 0 {
            self.scalar(field.offset_register());
        }
        match floats(field.alignment()) {
            1 => self.scalar(field.source()),
            width => self.register(field.source() >> 2, ((1_u16 << width.min(4)) - 1) as u8),
        }
    }
}

/// Sources of an operation; of one that nobody knows both may count.
fn sources(row: Option<u8>) -> u8 {
    row.unwrap_or(2)
}

/// What the code names.
fn slots(reach: &Reach, names: &names::Floats) -> Vec<Slot> {
    let mut named = BTreeSet::new();
    for inst in reach.insts.values() {
        named.extend(Reads::of(inst, &|_| 0).into_iter().map(|(place, _)| place));
        let written = (0_u32..).zip(writes(inst)).filter(|(_, mask)| *mask != 0);
        named.extend(written.map(|(register, _)| (REGISTER, register)));
        if inst.has(Field::Store) && inst.store.framebuffer_read().is_none() {
            let width = i64::from(floats(inst.store.alignment()));
            let first = i64::from(inst.store.index() as u16 as i16) * width;
            let rows = (first..first + width).filter_map(|float| u32::try_from(float / 4).ok());
            named.extend(rows.map(|row| (MEMORY, row)));
        }
    }
    // Constants stand in the code.
    let named = named.into_iter().filter(|(set, _)| *set != CONSTANT);
    let mut slots: Vec<Slot> = named.filter_map(|(set, number)| slot(names, set, number)).collect();
    slots.sort_by_key(|slot| slot.file);
    slots
}

fn slot(names: &names::Floats, set: u8, number: u32) -> Option<Slot> {
    use RegisterFile as F;
    let (file, name, space, components) = match set {
        REGISTER => (F::Temporary, format!("${number}"), None, 4),
        VARYING => (F::Input, format!("varying[{number}]"), Some(Space::Input), 4),
        UNIFORMS => (F::Uniform, format!("uniform[{number}]"), Some(Space::Float), 4),
        MEMORY => (F::Memory, format!("temp[{number}]"), None, 4),
        CONSTANT => (F::Uniform, format!("^const{number}"), None, 4),
        _ => {
            let (name, components) = INPUTS.get(number as usize)?;
            (F::Input, (*name).to_owned(), None, *components)
        }
    };
    let label = space.and_then(|space| names.row(space, number));
    Some(Slot { file, kind: RegisterKind::Float, name, label, set, number, components })
}

impl Run {
    /// Notes an end that needs no further step.
    fn look(&mut self) {
        if self.ended.is_none() {
            let steps = self.progress.steps;
            if self.resume(steps) {
                self.ended = Some(finished());
            } else if steps >= self.shared.fuel {
                self.ended = Some(out_of_fuel(steps));
            }
        }
    }

    /// Goes on up to so many steps; answers whether all pixels came to their end.
    fn resume(&mut self, steps: u64) -> bool {
        let Shared { program, bank, float, .. } = &*self.shared;
        let mut bank = bank;
        program.resume(&mut self.progress, &mut self.state, &mut bank, *float, steps, &mut NoTrace)
    }

    fn lane(&self, lane: u32) -> Option<&Lane> {
        self.state.lanes.get(lane as usize)
    }
}

fn row(memory: &[f32], first: i64) -> Words {
    std::array::from_fn(|n| {
        let place = usize::try_from(first + n as i64).ok();
        place.and_then(|place| memory.get(place)).map_or(0, |value| value.to_bits())
    })
}

impl Machine for Run {
    fn copy(&self) -> Box<dyn Machine> {
        Box::new(self.clone())
    }

    fn size(&self) -> usize {
        let lanes = self.state.lanes.iter();
        let floats = lanes.map(|lane| lane.varyings.len() + lane.temporaries.len()).sum::<usize>();
        size_of::<Self>() + 4 * (floats + self.state.uniforms.len())
    }

    fn answer_by_formula(&mut self) {
        if let Some(shared) = Arc::get_mut(&mut self.shared) {
            shared.bank.unbound = Unbound::Smooth;
        }
    }

    fn step(&mut self) {
        if self.ended.is_some() {
            return;
        }
        let steps = self.progress.steps + 1;
        if self.resume(steps) {
            self.ended = Some(finished());
        } else {
            self.look();
        }
    }

    fn ended(&self) -> Option<&Ended> {
        self.ended.as_ref()
    }

    fn next(&self) -> Option<Place> {
        if self.ended.is_some() {
            return None;
        }
        let (word, together) = self.progress.next(&self.shared.program)?;
        let active = together.iter().rev().fold(0, |mask, at_work| mask << 1 | u32::from(*at_work));
        Some(Place { word: Some(word), text: String::new(), active, warp: None, group: None })
    }

    fn calls(&self) -> usize {
        0
    }

    fn stack(&self) -> Vec<StackEntry> {
        // Pixels that have parted wait for the others.
        let next = self.progress.next(&self.shared.program).map(|(word, _)| word);
        let count = self.shared.lanes;
        let waiting = self.progress.places.iter().take(count).enumerate();
        let mut stack: Vec<StackEntry> = Vec::new();
        for (n, place) in waiting.filter_map(|(n, place)| Some((n, (*place)?))) {
            if next.is_none_or(|next| next == place) || self.ended.is_some() {
                continue;
            }
            match stack.iter_mut().find(|entry| entry.word == Some(place)) {
                Some(entry) => entry.text.push_str(&format!(", {n}")),
                None => stack.push(StackEntry {
                    kind: "waits".to_owned(),
                    word: Some(place),
                    text: format!("pixels {n}"),
                }),
            }
        }
        stack
    }

    fn lanes(&self) -> u32 {
        self.shared.lanes as u32
    }

    fn slots(&self) -> Arc<[Slot]> {
        self.shared.slots.clone()
    }

    fn slot(&self, name: &str) -> Option<Slot> {
        let indexed = |prefix: &str| {
            let number = name.strip_prefix(prefix)?.strip_prefix('[')?.strip_suffix(']')?;
            numbered(number, "", 1 << 14)
        };
        let input = || INPUTS.iter().position(|(known, _)| *known == name);
        let (set, number) = None
            .or_else(|| numbered(name, "$", 12).map(|n| (REGISTER, n)))
            .or_else(|| indexed("varying").map(|n| (VARYING, n)))
            .or_else(|| indexed("uniform").map(|n| (UNIFORMS, n)))
            .or_else(|| indexed("temp").map(|n| (MEMORY, n)))
            .or_else(|| input().map(|n| (INPUT, n as u32)))?;
        slot(&self.shared.names, set, number)
    }

    fn read(&self, slot: &Slot, lane: u32) -> Words {
        let Some(lane) = self.lane(lane) else { return [0; 4] };
        let first = i64::from(slot.number) * 4;
        match slot.set {
            REGISTER => bits(lane.registers.get(slot.number as usize).copied().unwrap_or_default()),
            VARYING => row(&lane.varyings, first),
            UNIFORMS => row(&self.state.uniforms, first),
            MEMORY => row(&lane.temporaries, first - i64::from(self.shared.first)),
            CONSTANT => {
                let next = self.progress.next(&self.shared.program);
                let inst = next.and_then(|(word, _)| self.shared.program.inst(word));
                let constant = inst.and_then(|inst| inst.constants.get(slot.number as usize));
                constant.map_or([0; 4], |constant| {
                    constant
                        .halves()
                        .map(|half| unshade_isa::mali_pp::half::Constants::Exact.read(half).to_bits())
                })
            }
            _ => bits(match slot.number {
                0 => lane.frag_coord,
                1 => [lane.point_coord[0], lane.point_coord[1], 0.0, 0.0],
                2 => [lane.front_facing, 0.0, 0.0, 0.0],
                3 => lane.framebuffer_color,
                _ => [lane.framebuffer_depth, 0.0, 0.0, 0.0],
            }),
        }
    }

    fn reads(&self) -> Vec<(Slot, u8)> {
        let mut all = Vec::new();
        let Some((word, together)) = self.progress.next(&self.shared.program) else { return all };
        let Some(inst) = self.shared.program.inst(word).filter(|_| self.ended.is_none()) else { return all };
        // Of pixels with several addresses the first one's.
        let first = together.iter().position(|at_work| *at_work).unwrap_or(0);
        let offset = |component: u32| {
            let register = self.state.lanes.get(first).and_then(|l| l.registers.get(component as usize >> 2));
            register.map_or(0, |register| math::to_int(register[component as usize & 3]).into())
        };
        for ((set, number), mask) in Reads::of(inst, &offset) {
            if let Some(slot) = slot(&self.shared.names, set, number) {
                add(&mut all, slot, mask);
            }
        }
        all
    }

    fn outputs(&self) -> Result<Outputs, RunJsonError> {
        let ends: Vec<End> = self.progress.ends.iter().take(self.shared.lanes).copied().collect();
        Ok(run_json::mali_pp::outputs(&self.state, &ends))
    }
}
