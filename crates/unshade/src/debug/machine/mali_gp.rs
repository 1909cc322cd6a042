//! The Mali vertex processor: one instruction, which is what its six units do at once, of one vertex.

use super::super::names;
use super::super::view::{Ended, RegisterFile, RegisterKind, StackEntry};
use super::{Machine, Place, Slot, Words, add, bits, finished, numbered, out_of_fuel};
use crate::run_json::{self, Case, Document, Outputs, RunJsonError};
use std::collections::BTreeSet;
use std::sync::Arc;
use unshade_isa::mali_gp::exec::{End, NoTrace, Program, Progress, State, Timing, Vector};
use unshade_isa::mali_gp::{Inst, SourceKind, Unit};
use unshade_stage::{Space, Stage};

const ATTRIBUTE: u8 = 0;
const REGISTER: u8 = 1;
const RESULT: u8 = 2;
const KEPT: u8 = 3;
const ADDRESS: u8 = 4;
const VARYING: u8 = 5;
const MEMORY: u8 = 6;

/// Rows of the memory.
const ROWS: u32 = 304;

struct Shared {
    program: Program,
    timing: Timing,
    fuel: u64,
    names: names::Floats,
    slots: Arc<[Slot]>,
}

#[derive(Clone)]
struct Run {
    shared: Arc<Shared>,
    state: State,
    progress: Progress,
    ended: Option<Ended>,
}

impl super::Debugged for unshade_isa::mali_gp::MaliGp {
    fn start(
        stage: &Stage<'_>,
        document: &Document,
        case: &Case,
        fuel: u64,
    ) -> Result<Box<dyn Machine>, RunJsonError> {
        let timing = run_json::mali_gp::timing(document)?;
        let state = run_json::mali_gp::state(stage, document, case)?;
        let program = Program::new(stage);
        let names = names::Floats::of(stage);
        let slots = slots(&program, &names).into();
        let shared = Shared { program, timing, fuel, names, slots };
        let mut run = Run { shared: Arc::new(shared), state, progress: Progress::default(), ended: None };
        run.look();
        Ok(Box::new(run))
    }
}

/// What an instruction reads, each with its components, and its address registers' values counted in by `row`.
fn reads(inst: &Inst, row: impl Fn(&Inst) -> Option<u32>) -> Vec<((u8, u32), u8)> {
    let mut all = Vec::new();
    let register = |inst: &Inst| {
        (if inst.reg0.attribute { ATTRIBUTE } else { REGISTER }, u32::from(inst.reg0.number & 15))
    };
    let load = |all: &mut Vec<_>, component: u8| {
        if let Some(register) = inst.load.register() {
            all.push(((ADDRESS, u32::from(register)), 1));
        }
        if let Some(row) = row(inst) {
            all.push(((MEMORY, row), 1 << (component & 3)));
        }
    };
    for (_, n, source) in inst.sources() {
        match source.kind() {
            SourceKind::Reg0(component) => all.push((register(inst), 1 << (component & 3))),
            SourceKind::Reg1(component) => {
                all.push(((REGISTER, u32::from(inst.reg1 & 15)), 1 << (component & 3)));
            }
            SourceKind::Load(component) => load(&mut all, component),
            SourceKind::Result(unit, back) => {
                all.push(((RESULT, unit as u32 + if back == 2 { 6 } else { 0 }), 1));
            }
            SourceKind::PreviousReg0(component) => {
                all.push(((KEPT, 0), 1 << (component & 3)));
            }
            // As second source it is the neutral element.
            SourceKind::Identity if n == 0 => all.push(((RESULT, Unit::Complex as u32), 1)),
            SourceKind::Identity | SourceKind::Unknown(_) | SourceKind::Unused => {}
        }
    }
    if inst.clamps() {
        load(&mut all, 0);
        load(&mut all, 1);
    }
    if inst.stores_temporary() {
        all.push(((ADDRESS, 0), 1));
    }
    all
}

/// What the code names.
fn slots(program: &Program, names: &names::Floats) -> Vec<Slot> {
    let mut named = BTreeSet::new();
    for inst in program.insts() {
        for ((set, number), _) in reads(inst, |inst| Some(inst.load.address.into())) {
            named.insert((set, number));
        }
        for unit in Unit::ALL {
            if inst.is_on(unit) {
                named.insert((RESULT, unit as u32));
            }
        }
        for n in (0..4_u32).filter(|n| inst.complex_op.addresses() >> n & 1 != 0) {
            named.insert((ADDRESS, n));
        }
        for store in inst.store.iter().filter(|store| store.is_active() && !store.temporary) {
            let set = if store.varying { VARYING } else { REGISTER };
            named.insert((set, u32::from(store.number & 15)));
        }
    }
    let mut slots: Vec<Slot> =
        named.into_iter().filter_map(|(set, number)| slot(names, set, number)).collect();
    slots.sort_by_key(|slot| slot.file);
    slots
}

fn slot(names: &names::Floats, set: u8, number: u32) -> Option<Slot> {
    use RegisterFile as F;
    use RegisterKind as K;
    let (file, kind, name, space, components) = match set {
        ATTRIBUTE => (F::Input, K::Float, format!("a{number}"), Some(Space::Input), 4),
        REGISTER => (F::Temporary, K::Float, format!("${number}"), None, 4),
        RESULT => {
            let unit = Unit::ALL.get(number as usize % 6)?;
            let name = if number < 6 { unit.name().to_owned() } else { format!("{}@2", unit.name()) };
            (F::Result, K::Float, name, None, 1)
        }
        KEPT => (F::Result, K::Float, "kept".to_owned(), None, 4),
        ADDRESS => (F::Address, K::Int, format!("addr{number}"), None, 1),
        VARYING => (F::Output, K::Float, format!("v{number}"), Some(Space::Output), 4),
        MEMORY => (F::Uniform, K::Float, format!("t[{number}]"), Some(Space::Float), 4),
        _ => return None,
    };
    let label = space.and_then(|space| names.row(space, number));
    Some(Slot { file, kind, name, label, set, number, components })
}

impl Run {
    /// Notes an end that needs no further step.
    fn look(&mut self) {
        let Shared { program, fuel, .. } = &*self.shared;
        if self.ended.is_none() {
            if self.progress.pc >= program.insts().len() {
                self.ended = Some(finished());
            } else if self.progress.steps >= *fuel {
                self.ended = Some(out_of_fuel(self.progress.steps));
            }
            if self.ended.is_some() {
                self.progress.arrive(&mut self.state);
            }
        }
    }

    fn inst(&self) -> Option<&Inst> {
        self.shared.program.insts().get(self.progress.pc)
    }
}

impl Machine for Run {
    fn copy(&self) -> Box<dyn Machine> {
        Box::new(self.clone())
    }

    fn size(&self) -> usize {
        size_of::<Self>() + self.state.memory.len() * size_of::<Vector>()
    }

    fn step(&mut self) {
        if self.ended.is_some() {
            return;
        }
        let Shared { program, timing, .. } = &*self.shared;
        let steps = self.progress.steps + 1;
        let end = program.resume(&mut self.progress, &mut self.state, steps, *timing, &mut NoTrace);
        if end == End::Ended && self.progress.steps < steps {
            self.ended = Some(finished());
        }
        self.look();
    }

    fn ended(&self) -> Option<&Ended> {
        self.ended.as_ref()
    }

    fn next(&self) -> Option<Place> {
        if self.ended.is_some() {
            return None;
        }
        let word = u32::try_from(self.progress.pc).ok()?.saturating_mul(4);
        Some(Place { word: Some(word), text: String::new(), active: 1, warp: None, group: None })
    }

    fn calls(&self) -> usize {
        0
    }

    fn stack(&self) -> Vec<StackEntry> {
        Vec::new()
    }

    fn lanes(&self) -> u32 {
        1
    }

    fn slots(&self) -> Arc<[Slot]> {
        self.shared.slots.clone()
    }

    fn slot(&self, name: &str) -> Option<Slot> {
        let memory = || {
            let number = name.strip_prefix("t[")?.strip_suffix(']')?;
            numbered(number, "", ROWS)
        };
        let results =
            || (0..12).find(|&n| slot(&self.shared.names, RESULT, n).is_some_and(|s| s.name == name));
        let (set, number) = None
            .or_else(|| numbered(name, "a", 16).map(|n| (ATTRIBUTE, n)))
            .or_else(|| numbered(name, "$", 16).map(|n| (REGISTER, n)))
            .or_else(|| numbered(name, "v", 16).map(|n| (VARYING, n)))
            .or_else(|| numbered(name, "addr", 4).map(|n| (ADDRESS, n)))
            .or_else(|| memory().map(|n| (MEMORY, n)))
            .or_else(|| results().map(|n| (RESULT, n)))
            .or_else(|| (name == "kept").then_some((KEPT, 0)))?;
        slot(&self.shared.names, set, number)
    }

    fn read(&self, slot: &Slot, _: u32) -> Words {
        let n = slot.number as usize;
        let state = &self.state;
        let vector = |vectors: &[Vector]| bits(vectors.get(n).copied().unwrap_or_default());
        let single = |word: u32| [word, 0, 0, 0];
        match slot.set {
            ATTRIBUTE => vector(&state.attributes),
            REGISTER => vector(&state.registers),
            VARYING => vector(&state.varyings),
            MEMORY => vector(&state.memory),
            KEPT => bits(state.kept),
            ADDRESS => single(state.addresses.get(n).map_or(0, |address| *address as u32)),
            _ => {
                let results = state.results.get(n / 6);
                single(results.and_then(|results| results.get(n % 6)).map_or(0, |value| value.to_bits()))
            }
        }
    }

    fn reads(&self) -> Vec<(Slot, u8)> {
        let mut all = Vec::new();
        let Some(inst) = self.inst().filter(|_| self.ended.is_none()) else { return all };
        let row = |inst: &Inst| {
            let offset =
                inst.load.register().and_then(|n| self.state.addresses.get(usize::from(n & 3))).copied();
            let row = i64::from(inst.load.address) + i64::from(offset.unwrap_or(0));
            u32::try_from(row).ok().filter(|row| *row < ROWS)
        };
        for ((set, number), mask) in reads(inst, row) {
            if let Some(slot) = slot(&self.shared.names, set, number) {
                add(&mut all, slot, mask);
            }
        }
        all
    }

    fn outputs(&self) -> Result<Outputs, RunJsonError> {
        Ok(run_json::mali_gp::outputs(&self.state))
    }
}
