//! The Wii U's GPU: one instruction of the control flow, one group, or one fetch, of up to four lanes in lockstep.

use super::super::names;
use super::super::view::{Ended, RegisterFile, RegisterKind, StackEntry};
use super::{Machine, Place, Slot, Words, add, finished, numbered, out_of_fuel, stopped};
use crate::run_json::{self, Case, Document, Outputs, RunJsonError};
use std::collections::BTreeSet;
use std::sync::Arc;
use unshade_isa::latte::exec::{End, Lane, NoTrace, Open, Outcome, Program, Progress, Resources, Upcoming};
use unshade_isa::latte::{Alu, AluOp, Cf, CfOp, Fetch, FetchOp, Group, Source, bindings};
use unshade_isa::texture::{Bank, Unbound};
use unshade_stage::{Stage, StageKind};

const REGISTER: u8 = 0;
const EXPORT: u8 = 1;
const PREVIOUS: u8 = 2;
const SCALAR: u8 = 3;
const ADDRESS: u8 = 4;
const INDEX: u8 = 5;
const PREDICATE: u8 = 6;
const FILE: u8 = 7;
const BOOLS: u8 = 8;
const LOOPS: u8 = 9;
/// Constant buffers, from this set on.
const BUFFER: u8 = 16;

struct Shared {
    program: Program,
    bank: Bank,
    resources: Resources,
    kind: StageKind,
    fuel: u64,
    names: names::Latte,
    slots: Arc<[Slot]>,
}

#[derive(Clone)]
struct Run {
    shared: Arc<Shared>,
    lanes: Vec<Lane>,
    progress: Progress,
    ended: Option<Ended>,
}

impl super::Debugged for unshade_isa::latte::Latte {
    fn start(
        stage: &Stage<'_>,
        document: &Document,
        case: &Case,
        fuel: u64,
    ) -> Result<Box<dyn Machine>, RunJsonError> {
        let run_json::latte::Start { program, bank, resources, lanes } =
            run_json::latte::Start::read(stage, document, case)?;
        let names = names::Latte::of(stage, program.latte());
        let slots = slots(&program, &names).into();
        let progress = program.begin(&lanes);
        let kind = stage.kind;
        let shared = Shared { program, bank, resources, kind, fuel, names, slots };
        let mut run = Run { shared: Arc::new(shared), lanes, progress, ended: None };
        run.look();
        Ok(Box::new(run))
    }
}

type Reads = Vec<((u8, u32), u8)>;

/// Where relative operands lead; nothing where that is not known.
struct Around<'a> {
    /// What an instruction adds to a number.
    offset: &'a dyn Fn(Alu) -> i64,
    /// The loop index.
    index: i64,
    /// Constant buffer and vector behind a place of the clause's lines.
    kcache: &'a dyn Fn(u8, i64) -> Option<(u32, u64)>,
}

fn group_reads(group: &Group, around: &Around<'_>) -> Reads {
    let mut all = Reads::new();
    for (_, inst) in group.insts() {
        let Some(info) = inst.op().map(AluOp::info) else { continue };
        for n in 0..usize::from(info.sources) {
            let operand = inst.operand(n);
            let mask = 1_u8 << (operand.channel & 3);
            let offset = if operand.relative { (around.offset)(inst) } else { 0 };
            if operand.relative {
                match inst.op2().index_mode() {
                    mode @ 0..=3 => all.push(((ADDRESS, 0), 1 << mode)),
                    _ => all.push(((INDEX, 0), 1)),
                }
            }
            let moved = |number: u8| u32::try_from(i64::from(number) + offset).ok();
            let read = match operand.source {
                Source::Gpr(number) => moved(number).map(|number| (REGISTER, number)),
                Source::Constant(number) => moved(number).map(|number| (FILE, number)),
                Source::Kcache(set, vector) => (around.kcache)(set, i64::from(vector) + offset)
                    .and_then(|(buffer, vector)| Some((BUFFER + buffer as u8, u32::try_from(vector).ok()?))),
                Source::PreviousVector => Some((PREVIOUS, 0)),
                Source::PreviousScalar => {
                    all.push(((SCALAR, 0), 1));
                    None
                }
                _ => None,
            };
            all.extend(read.map(|place| (place, mask)));
        }
        if inst.op2().pred_sel() > 1 {
            all.push(((PREDICATE, 0), 1));
        }
    }
    all
}

fn fetch_reads(fetch: Fetch, index: i64) -> Reads {
    let (register, relative, mask) = match fetch.op() {
        FetchOp::VtxFetch | FetchOp::VtxSemantic => {
            let vtx = fetch.vtx();
            (vtx.src_gpr(), vtx.src_rel(), 1_u8 << (vtx.src_sel_x() & 3))
        }
        _ => {
            let tex = fetch.tex();
            let used = tex.src_swizzle().into_iter().filter(|sel| *sel < 4);
            (tex.src_gpr(), tex.src_rel(), used.fold(0, |mask, sel| mask | 1 << sel))
        }
    };
    let number = i64::from(register) + if relative != 0 { index } else { 0 };
    let mut all = Reads::new();
    if relative != 0 {
        all.push(((INDEX, 0), 1));
    }
    all.extend(u32::try_from(number).ok().map(|number| ((REGISTER, number), mask)));
    all
}

fn flow_reads(cf: Cf, index: i64) -> Reads {
    let mut all = Reads::new();
    let Some(op) = cf.op() else { return all };
    if op.is_export() {
        let export = cf.export();
        let first = i64::from(export.gpr()) + if export.gpr_relative() != 0 { index } else { 0 };
        let used = export.swizzle().into_iter().filter(|sel| *sel < 4);
        let mask = used.fold(0, |mask, sel| mask | 1_u8 << sel);
        let registers =
            (first..=first + i64::from(export.burst_count())).filter_map(|n| u32::try_from(n).ok());
        all.extend(registers.map(|number| ((REGISTER, number), mask)));
    } else if op.is_memory() {
        let memory = cf.memory();
        let first = i64::from(memory.gpr()) + if memory.gpr_relative() != 0 { index } else { 0 };
        let registers =
            (first..=first + i64::from(memory.burst_count())).filter_map(|n| u32::try_from(n).ok());
        all.extend(registers.map(|number| ((REGISTER, number), 15)));
    } else if !cf.is_alu() {
        let normal = cf.normal();
        if normal.cond() > 1 {
            all.push(((BOOLS, normal.cf_const()), 1));
        }
        if matches!(op, CfOp::LoopStart | CfOp::LoopStartNoAl) {
            all.push(((LOOPS, normal.cf_const() & 31), 1));
        }
    }
    all
}

/// What the code names.
fn slots(program: &Program, names: &names::Latte) -> Vec<Slot> {
    let mut named = BTreeSet::new();
    let code = program.code();
    let mut take = |reads: Reads| named.extend(reads.into_iter().map(|(place, _)| place));
    let mut written = BTreeSet::new();
    for (_, cf) in code.control_flow() {
        take(flow_reads(cf, 0));
        let Some(op) = cf.op() else { continue };
        if cf.is_alu() {
            let alu = cf.alu();
            let sets = [
                (alu.kcache_mode0(), alu.kcache_bank0(), alu.kcache_addr0()),
                (alu.kcache_mode1(), alu.kcache_bank1(), alu.kcache_addr1()),
            ];
            let kcache = |set: u8, vector: i64| {
                let (mode, bank, line) = sets[usize::from(set & 1)];
                (mode != 0).then_some((bank, u64::from(line) * 16 + u64::try_from(vector).ok()?))
            };
            let around = Around { offset: &|_| 0, index: 0, kcache: &kcache };
            for group in code.groups(alu) {
                take(group_reads(&group, &around));
                for (_, inst) in group.insts() {
                    if inst.writes() {
                        written.insert((REGISTER, inst.dst_gpr()));
                    }
                    if inst.op().is_some_and(|op| op.info().effect == unshade_isa::latte::Effect::Address) {
                        written.insert((ADDRESS, 0));
                    }
                    if inst.updates_predicate() && inst.op2().pred_sel() > 1 {
                        written.insert((PREDICATE, 0));
                    }
                }
            }
            written.extend([(PREVIOUS, 0), (SCALAR, 0)]);
        } else if op.is_fetch() {
            for (_, fetch) in code.fetches(cf.normal()) {
                take(fetch_reads(fetch, 0));
                let to = match fetch.op() {
                    FetchOp::VtxFetch => fetch.vtx().dst_gpr(),
                    FetchOp::VtxSemantic => continue,
                    _ => fetch.tex().dst_gpr(),
                };
                written.insert((REGISTER, to));
            }
        } else if op.is_export() {
            let export = cf.export();
            let targets = (0..=export.burst_count()).map(|n| export.array_base() + n);
            let words = targets.filter_map(|target| bindings::export_word(export.kind(), target));
            written.extend(words.map(|word| (EXPORT, word)));
        } else if matches!(op, CfOp::LoopStart | CfOp::LoopStartNoAl | CfOp::LoopStartDx10) {
            written.insert((INDEX, 0));
        }
    }
    // Attributes come before the program starts, or by the fetch program.
    named.extend(written);
    let mut slots: Vec<Slot> =
        named.into_iter().filter_map(|(set, number)| slot(names, set, number)).collect();
    slots.sort_by_key(|slot| slot.file);
    slots
}

fn slot(names: &names::Latte, set: u8, number: u32) -> Option<Slot> {
    use RegisterFile as F;
    use RegisterKind as K;
    let (file, kind, name, label, components) = match set {
        REGISTER if number < 128 => (F::Temporary, K::Bits, format!("R{number}"), names.register(number), 4),
        EXPORT if number + 4 <= bindings::EXPORT_WORDS => {
            (F::Output, K::Float, bindings::export_name(number), None, 4)
        }
        PREVIOUS => (F::Result, K::Bits, "PV".to_owned(), None, 4),
        SCALAR => (F::Result, K::Bits, "PS".to_owned(), None, 1),
        ADDRESS => (F::Address, K::Int, "AR".to_owned(), None, 4),
        INDEX => (F::Address, K::Int, "aL".to_owned(), None, 1),
        PREDICATE => (F::Flag, K::Flag, "pred".to_owned(), None, 1),
        FILE => (F::Uniform, K::Bits, format!("C{number}"), names.file(number), 4),
        BOOLS => (F::Uniform, K::Flag, format!("bool{number}"), None, 1),
        LOOPS => (F::Uniform, K::Int, format!("loop{number}"), None, 3),
        BUFFER..=31 => {
            let buffer = u32::from(set - BUFFER);
            (F::Uniform, K::Bits, format!("CB{buffer}[{number}]"), names.block(buffer, number), 4)
        }
        _ => return None,
    };
    Some(Slot { file, kind, name, label, set, number, components })
}

impl Run {
    /// Notes an end that needs no further step.
    fn look(&mut self) {
        let steps = self.progress.steps;
        if self.ended.is_none()
            && let Some(end) = self.resume(steps)
        {
            self.ended = Some(self.end(end));
        }
        if self.ended.is_none() && steps >= self.shared.fuel {
            self.ended = Some(out_of_fuel(steps));
        }
    }

    fn resume(&mut self, pause: u64) -> Option<End> {
        let Shared { program, bank, resources, fuel, .. } = &*self.shared;
        let mut bank = bank;
        let lanes = &mut self.lanes;
        program.resume(&mut self.progress, lanes, resources, &mut bank, pause, *fuel, &mut NoTrace)
    }

    fn end(&self, end: End) -> Ended {
        match run_json::latte::unfinished(Outcome { end, steps: self.progress.steps }) {
            Some(why) => stopped(why),
            None => finished(),
        }
    }

    /// The first lane at work, whose addresses count where lanes have several.
    fn first(&self) -> usize {
        self.progress.active().trailing_zeros().min(3) as usize
    }
}

/// The operations of a step by their names alone, for code that the listing does not show.
fn operations(step: Upcoming) -> String {
    match step {
        Upcoming::Flow(cf) => cf.op().map_or("?", CfOp::name).to_owned(),
        Upcoming::Fetch(fetch) => fetch.op().name().to_owned(),
        Upcoming::Group(group) => {
            let names = group
                .insts()
                .map(|(unit, inst)| format!("{}: {}", unit.letter(), inst.op().map_or("?", AluOp::name)));
            names.collect::<Vec<_>>().join("  ")
        }
    }
}

impl Machine for Run {
    fn copy(&self) -> Box<dyn Machine> {
        Box::new(self.clone())
    }

    fn size(&self) -> usize {
        let lane = |lane: &Lane| {
            let regions =
                lane.streams.iter().chain([&lane.ring, &lane.scratch, &lane.reduction, &lane.memory]);
            let words: usize = regions.map(|region| region.words.len()).sum();
            let events: usize = lane
                .events
                .iter()
                .map(|event| match event {
                    unshade_isa::latte::exec::Event::Vertex(words) => 32 + 4 * words.len(),
                    unshade_isa::latte::exec::Event::Cut => 32,
                })
                .sum();
            3600 + 4 * words + events
        };
        size_of::<Self>() + self.lanes.iter().map(lane).sum::<usize>()
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
        let pause = self.progress.steps + 1;
        match self.resume(pause) {
            Some(end) => self.ended = Some(self.end(end)),
            None => self.look(),
        }
    }

    fn ended(&self) -> Option<&Ended> {
        self.ended.as_ref()
    }

    fn next(&self) -> Option<Place> {
        if self.ended.is_some() {
            return None;
        }
        let active = u32::from(self.progress.active());
        let step = self.progress.next(&self.shared.program, &self.shared.resources);
        let outside = self.progress.in_fetch_program;
        let (word, text) = match step {
            Some((address, step)) => (
                (!outside).then(|| address.saturating_mul(2)),
                if outside { operations(step) } else { String::new() },
            ),
            // The machine finds out that there is nothing by trying.
            None => ((!outside).then(|| self.progress.address.saturating_mul(2)), String::new()),
        };
        Some(Place { word, text, active, warp: None, group: None })
    }

    fn calls(&self) -> usize {
        self.progress.calls()
    }

    fn stack(&self) -> Vec<StackEntry> {
        let count = self.lanes.len();
        let entry = |open| match open {
            Open::Call { back, fetch } => StackEntry {
                kind: "call".to_owned(),
                word: Some(back.saturating_mul(2)),
                text: if fetch { "the fetch program" } else { "a subroutine" }.to_owned(),
            },
            Open::Loop { lanes, broken, continued, left } => {
                let left = left.map_or_else(String::new, |left| format!(", {left} passes left"));
                let at_work = lanes & !broken & !continued;
                StackEntry {
                    kind: "loop".to_owned(),
                    word: None,
                    text: format!("lanes {at_work:0count$b}{left}"),
                }
            }
            Open::Mask { lanes } => {
                StackEntry { kind: "mask".to_owned(), word: None, text: format!("{lanes:0count$b}") }
            }
        };
        self.progress.open().into_iter().map(entry).collect()
    }

    fn lanes(&self) -> u32 {
        self.lanes.len() as u32
    }

    fn slots(&self) -> Arc<[Slot]> {
        self.shared.slots.clone()
    }

    fn slot(&self, name: &str) -> Option<Slot> {
        let buffer = || {
            let (buffer, vector) = name.strip_prefix("CB")?.split_once('[')?;
            let buffer = numbered(buffer, "", bindings::CONSTANT_BUFFERS)?;
            Some((BUFFER + buffer as u8, numbered(vector.strip_suffix(']')?, "", 1 << 16)?))
        };
        let steering = match name {
            "PV" => Some(PREVIOUS),
            "PS" => Some(SCALAR),
            "AR" => Some(ADDRESS),
            "aL" => Some(INDEX),
            "pred" => Some(PREDICATE),
            _ => None,
        };
        let export =
            || (0..bindings::EXPORT_WORDS).step_by(4).find(|&word| bindings::export_name(word) == name);
        let (set, number) = None
            .or_else(|| numbered(name, "R", 128).map(|n| (REGISTER, n)))
            .or_else(|| numbered(name, "C", 256).map(|n| (FILE, n)))
            .or_else(|| numbered(name, "bool", 32).map(|n| (BOOLS, n)))
            .or_else(|| numbered(name, "loop", 32).map(|n| (LOOPS, n)))
            .or_else(|| steering.map(|set| (set, 0)))
            .or_else(buffer)
            .or_else(|| export().map(|n| (EXPORT, n)))?;
        slot(&self.shared.names, set, number)
    }

    fn read(&self, slot: &Slot, lane: u32) -> Words {
        let at = lane as usize;
        let Some(lane) = self.lanes.get(at) else { return [0; 4] };
        let n = slot.number as usize;
        let resources = &self.shared.resources;
        let vector = |words: &[u32], first: usize| {
            std::array::from_fn(|component| words.get(first + component).copied().unwrap_or(0))
        };
        match slot.set {
            REGISTER => lane.registers.get(n).copied().unwrap_or_default(),
            EXPORT => vector(&*lane.exports, n),
            PREVIOUS => {
                let [x, y, z, w, _] = self.progress.previous(at);
                [x, y, z, w]
            }
            SCALAR => [self.progress.previous(at)[4], 0, 0, 0],
            ADDRESS => self.progress.address_register(at).map(|address| address as u32),
            INDEX => [self.progress.index() as u32, 0, 0, 0],
            PREDICATE => [self.progress.predicate(at).into(), 0, 0, 0],
            FILE => vector(&resources.constant_file, 4 * n),
            BOOLS => [resources.bools >> (n & 31) & 1, 0, 0, 0],
            LOOPS => {
                let word = resources.loops.get(n).copied().unwrap_or(0);
                [word & 0xFFF, ((word as i32) << 8 >> 20) as u32, (word as i32 >> 24) as u32, 0]
            }
            set => {
                let buffer = resources.constants.get(usize::from(set.saturating_sub(BUFFER)));
                buffer.map_or([0; 4], |words| vector(words, 4 * n))
            }
        }
    }

    fn reads(&self) -> Vec<(Slot, u8)> {
        let mut all = Vec::new();
        if self.ended.is_some() {
            return all;
        }
        let Some((_, step)) = self.progress.next(&self.shared.program, &self.shared.resources) else {
            return all;
        };
        let index = i64::from(self.progress.index());
        let addresses = self.progress.address_register(self.first());
        let offset = |inst: Alu| match inst.op2().index_mode() {
            mode @ 0..=3 => addresses[mode as usize & 3].into(),
            _ => index,
        };
        let kcache = |set: u8, vector: i64| self.progress.kcache(set, vector);
        let around = Around { offset: &offset, index, kcache: &kcache };
        let reads = match step {
            Upcoming::Flow(cf) => flow_reads(cf, around.index),
            Upcoming::Group(group) => group_reads(&group, &around),
            Upcoming::Fetch(fetch) => fetch_reads(fetch, around.index),
        };
        for ((set, number), mask) in reads {
            if let Some(slot) = slot(&self.shared.names, set, number) {
                add(&mut all, slot, mask);
            }
        }
        all
    }

    fn outputs(&self) -> Result<Outputs, RunJsonError> {
        Ok(run_json::latte::outputs(&self.shared.program, self.shared.kind, &self.lanes))
    }
}
