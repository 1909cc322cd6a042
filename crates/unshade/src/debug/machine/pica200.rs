//! PICA200: one instruction of one vertex or primitive.

use super::super::names;
use super::super::view::{Ended, RegisterFile, RegisterKind, StackEntry};
use super::{Machine, Place, Slot, Words, add, bits, finished, numbered, out_of_fuel, stopped};
use crate::run_json::{self, Case, Document, Outputs, RunJsonError};
use std::collections::BTreeSet;
use std::sync::Arc;
use unshade_isa::pica200::exec::{End, Float, NoTrace, Open, Program, Progress, Read, State, Vector, Vertex};
use unshade_isa::pica200::inst::RegKind;
use unshade_stage::{Space, Stage};

const INPUT: u8 = 0;
const TEMPORARY: u8 = 1;
const OUTPUT: u8 = 2;
const FLOAT: u8 = 3;
const INT: u8 = 4;
const BOOL: u8 = 5;
const ADDRESS: u8 = 6;
const COUNTER: u8 = 7;
const FLAGS: u8 = 8;

struct Shared {
    program: Program,
    float: Float,
    fuel: u64,
    mask: Option<u32>,
    names: names::Registers,
    slots: Arc<[Slot]>,
}

#[derive(Clone)]
struct Run {
    shared: Arc<Shared>,
    state: State,
    progress: Progress,
    ended: Option<Ended>,
}

impl super::Debugged for unshade_isa::pica200::Pica200 {
    fn start(
        stage: &Stage<'_>,
        document: &Document,
        case: &Case,
        fuel: u64,
    ) -> Result<Box<dyn Machine>, RunJsonError> {
        let float = run_json::pica200::float(document)?;
        let mut state = run_json::pica200::state(stage, document, case)?;
        let program = Program::new(stage);
        let progress = program.begin(&mut state, float);
        let names = names::Registers::of(stage);
        let mask = run_json::pica200::emitted_mask(stage, document, &program);
        let slots = slots(&program, &names, stage.code.words.len());
        let shared = Shared { program, float, fuel, mask, names, slots: slots.into() };
        let mut run = Run { shared: Arc::new(shared), state, progress, ended: None };
        run.look();
        Ok(Box::new(run))
    }
}

/// What the code names, and the registers that steer.
fn slots(program: &Program, names: &names::Registers, words: usize) -> Vec<Slot> {
    let mut named = BTreeSet::from([(ADDRESS, 0), (COUNTER, 0), (FLAGS, 0)]);
    let state = State::default();
    for word in 0..words.min(1 << 12) as u32 {
        for (read, _) in program.reads(word, &state) {
            match read {
                Read::Outputs => {}
                read => {
                    named.insert(place(read));
                }
            }
        }
        if let Some(dest) = program.writes(word) {
            named.insert(match dest.output() {
                Some(n) => (OUTPUT, u32::from(n)),
                None => (TEMPORARY, u32::from(dest.0 & 15)),
            });
        }
    }
    let mut slots: Vec<Slot> =
        named.into_iter().filter_map(|(set, number)| slot(names, set, number)).collect();
    slots.sort_by_key(|slot| slot.file);
    slots
}

fn place(read: Read) -> (u8, u32) {
    match read {
        Read::Register(RegKind::Input(n)) => (INPUT, n.into()),
        Read::Register(RegKind::Temp(n)) => (TEMPORARY, n.into()),
        Read::Register(RegKind::Float(n)) => (FLOAT, n.into()),
        Read::Address => (ADDRESS, 0),
        Read::Counter => (COUNTER, 0),
        Read::Flags => (FLAGS, 0),
        Read::Bool(n) => (BOOL, n.into()),
        Read::Int(n) => (INT, n.into()),
        Read::Outputs => (OUTPUT, 0),
    }
}

fn slot(names: &names::Registers, set: u8, number: u32) -> Option<Slot> {
    use RegisterFile as F;
    use RegisterKind as K;
    let (file, kind, name, space, components) = match set {
        INPUT => (F::Input, K::Float, format!("v{number}"), Some(Space::Input), 4),
        TEMPORARY => (F::Temporary, K::Float, format!("r{number}"), None, 4),
        OUTPUT => (F::Output, K::Float, format!("o{number}"), Some(Space::Output), 4),
        FLOAT => (F::Uniform, K::Float, format!("c{number}"), Some(Space::Float), 4),
        INT => (F::Uniform, K::Int, format!("i{number}"), Some(Space::Int), 3),
        BOOL => (F::Uniform, K::Flag, format!("b{number}"), Some(Space::Bool), 1),
        ADDRESS => (F::Address, K::Int, "a0".to_owned(), None, 2),
        COUNTER => (F::Address, K::Int, "aL".to_owned(), None, 1),
        FLAGS => (F::Flag, K::Flag, "cmp".to_owned(), None, 2),
        _ => return None,
    };
    let label = space.and_then(|space| names.at(space, number));
    Some(Slot { file, kind, name, label, set, number, components })
}

impl Run {
    /// Notes an end that needs no further step.
    fn look(&mut self) {
        let Shared { program, float, fuel, .. } = &*self.shared;
        let steps = self.progress.steps;
        if self.ended.is_none() {
            match program.resume(&mut self.progress, &mut self.state, steps, *float, &mut NoTrace) {
                End::Ended => self.ended = Some(finished()),
                _ if steps >= *fuel => self.ended = Some(out_of_fuel(steps)),
                _ => {}
            }
        }
    }
}

impl Machine for Run {
    fn copy(&self) -> Box<dyn Machine> {
        Box::new(self.clone())
    }

    fn size(&self) -> usize {
        size_of::<Self>() + self.progress.emitted.len() * size_of::<Vertex>()
    }

    fn step(&mut self) {
        if self.ended.is_some() {
            return;
        }
        let Shared { program, float, .. } = &*self.shared;
        let steps = self.progress.steps + 1;
        match program.resume(&mut self.progress, &mut self.state, steps, *float, &mut NoTrace) {
            End::Ended => self.ended = Some(finished()),
            End::OutOfFuel => self.look(),
            End::TooManyVertices => {
                let count = self.progress.emitted.len();
                self.ended = Some(stopped(format!("more than {count} vertices")));
            }
        }
    }

    fn ended(&self) -> Option<&Ended> {
        self.ended.as_ref()
    }

    fn next(&self) -> Option<Place> {
        if self.ended.is_some() {
            return None;
        }
        let word = Some(self.progress.pc());
        Some(Place { word, text: String::new(), active: 1, warp: None, group: None })
    }

    fn calls(&self) -> usize {
        self.progress.open().filter(|open| matches!(open, Open::Call { .. })).count()
    }

    fn stack(&self) -> Vec<StackEntry> {
        let entry = |open| match open {
            Open::Call { end, back } => StackEntry {
                kind: "call".to_owned(),
                word: Some(back),
                text: format!("up to {end:03x}, back to {back:03x}"),
            },
            Open::If { end, behind } => StackEntry {
                kind: "if".to_owned(),
                word: Some(behind),
                text: format!("up to {end:03x}, then {behind:03x}"),
            },
            Open::Loop { body, end, left } => StackEntry {
                kind: "loop".to_owned(),
                word: Some(body),
                text: format!("{body:03x} to {end:03x}, {left} more"),
            },
        };
        self.progress.open().map(entry).collect()
    }

    fn lanes(&self) -> u32 {
        1
    }

    fn slots(&self) -> Arc<[Slot]> {
        self.shared.slots.clone()
    }

    fn slot(&self, name: &str) -> Option<Slot> {
        let of = |prefix, set, count| numbered(name, prefix, count).map(|number| (set, number));
        let found = match name {
            "a0" => Some((ADDRESS, 0)),
            "aL" => Some((COUNTER, 0)),
            "cmp" => Some((FLAGS, 0)),
            _ => of("v", INPUT, 16)
                .or(of("r", TEMPORARY, 16))
                .or(of("o", OUTPUT, 16))
                .or(of("c", FLOAT, 96))
                .or(of("i", INT, 4))
                .or(of("b", BOOL, 16)),
        };
        let (set, number) = found?;
        slot(&self.shared.names, set, number)
    }

    fn read(&self, slot: &Slot, _: u32) -> Words {
        let n = slot.number as usize;
        let state = &self.state;
        let vector = |vectors: &[Vector]| bits(vectors.get(n).copied().unwrap_or([1.0; 4]));
        let flag = |flag: bool| u32::from(flag);
        match slot.set {
            INPUT => vector(&state.v),
            TEMPORARY => vector(&state.r),
            OUTPUT => vector(&state.o),
            FLOAT => vector(&state.c),
            INT => state.i.get(n).map_or([0; 4], |bytes| bytes.map(u32::from)),
            BOOL => [flag(state.b.get(n).copied().unwrap_or_default()), 0, 0, 0],
            ADDRESS => [state.a0[0] as u32, state.a0[1] as u32, 0, 0],
            COUNTER => [state.al as u32, 0, 0, 0],
            _ => [flag(state.cmp[0]), flag(state.cmp[1]), 0, 0],
        }
    }

    fn reads(&self) -> Vec<(Slot, u8)> {
        let mut reads = Vec::new();
        if self.ended.is_some() {
            return reads;
        }
        for (read, mask) in self.shared.program.reads(self.progress.pc(), &self.state) {
            if read == Read::Outputs {
                let outputs = self.shared.slots.iter().filter(|slot| slot.set == OUTPUT);
                outputs.for_each(|slot| add(&mut reads, slot.clone(), 15));
                continue;
            }
            let (set, number) = place(read);
            if let Some(slot) = slot(&self.shared.names, set, number) {
                add(&mut reads, slot, mask);
            }
        }
        reads
    }

    fn outputs(&self) -> Result<Outputs, RunJsonError> {
        Ok(run_json::pica200::outputs(&self.state, &self.progress.emitted, self.shared.mask))
    }
}
