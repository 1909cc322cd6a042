//! The Switch's GPU: one instruction of one warp. Work groups and invocations that do not run together run one after
//! the other, as in `run`.

use super::super::view::{Ended, RegisterFile, RegisterKind, StackEntry};
use super::{Machine, Place, Slot, Words, add, finished, numbered, out_of_fuel, stopped};
use crate::run_json::{self, Case, Document, Outputs, RunJsonError};
use std::collections::BTreeSet;
use std::sync::Arc;
use unshade_isa::maxwell::cosimulation::name_textures;
use unshade_isa::maxwell::exec::{
    ATTRIBUTE_WORDS, End, Lane, NoTrace, Open, Outcome, Program, Progress, Resources, WARP,
};
use unshade_isa::maxwell::operand_fields::{constant, registers};
use unshade_isa::maxwell::operation::Token;
use unshade_isa::maxwell::{Attribute, Form, Header, Reach, Word, attribute};
use unshade_isa::texture::{Pictures, Unbound};
use unshade_stage::{Code, Maxwell, Stage, StageKind};

const REGISTER: u8 = 0;
const PREDICATE: u8 = 1;
const FLAGS: u8 = 2;
const INPUT: u8 = 3;
const OUTPUT: u8 = 4;
/// Constant banks, from this set on.
const BANK: u8 = 32;

/// Registers of a program.
const REGISTERS: u32 = 255;

struct Shared {
    program: Program,
    document: Document,
    kind: StageKind,
    header: Option<Header>,
    fuel: u64,
    code: Vec<u32>,
    /// The lanes of every group, as they start.
    groups: Vec<Vec<Lane>>,
    around: Option<Box<Maxwell>>,
    slots: Arc<[Slot]>,
}

#[derive(Clone)]
struct Run {
    shared: Arc<Shared>,
    resources: Resources,
    pictures: Pictures,
    /// Lanes of groups that have ended.
    done: Vec<Arc<Vec<Lane>>>,
    group: usize,
    lanes: Vec<Lane>,
    progress: Progress,
    /// Steps of groups that have ended.
    before: u64,
    ended: Option<Ended>,
}

impl super::Debugged for unshade_isa::maxwell::Maxwell {
    fn start(
        stage: &Stage<'_>,
        document: &Document,
        case: &Case,
        fuel: u64,
    ) -> Result<Box<dyn Machine>, RunJsonError> {
        let around = stage.interface.maxwell.clone();
        let header = around.as_deref().and_then(|around| Header::read(&around.header));
        let start = run_json::maxwell::Start::read(stage, document, case)?;
        let program = Program::new(stage);
        let groups = run_json::maxwell::groups(stage, document, case, &start, header.as_ref())?;
        let slots = slots(&stage.code, around.as_deref()).into();
        // Only the header of the document says something of the outputs.
        let document = Document { cases: Vec::new(), pool: Default::default(), ..document.clone() };
        let lanes = groups.first().cloned().unwrap_or_default();
        let progress = program.begin(&lanes);
        let shared = Shared {
            program,
            document,
            kind: stage.kind,
            header,
            fuel,
            code: stage.code.words.to_vec(),
            groups,
            around,
            slots,
        };
        let mut run = Run {
            shared: Arc::new(shared),
            resources: start.resources,
            pictures: start.pictures,
            done: Vec::new(),
            group: 0,
            lanes,
            progress,
            before: 0,
            ended: None,
        };
        run.resources.shared = Default::default();
        run.look();
        // What `run` says of outputs that cannot be shown, it says before the first step.
        run.outputs()?;
        Ok(Box::new(run))
    }
}

/// The word at an address in bytes.
fn word_at(code: &[u32], address: u64) -> Option<(Form, Word)> {
    let at = usize::try_from(address / 4).ok()?;
    let word = u64::from(*code.get(at)?) | u64::from(*code.get(at + 1)?) << 32;
    Some((Form::of(word)?, Word(word)))
}

/// What an instruction reads, each with its components.
fn reads(form: Form, word: Word) -> Vec<(u8, u32)> {
    let mut all = Vec::new();
    for place in registers(form, word).filter(|place| !place.written) {
        let first = u32::from(place.first.0);
        all.extend((first..first + u32::from(place.count)).filter(|n| *n < REGISTERS).map(|n| (REGISTER, n)));
    }
    if let Some(constant) = constant(form, word).filter(|constant| !constant.indexed && constant.offset >= 0)
    {
        let first = constant.offset as u32;
        let offsets = (0..constant.size.div_ceil(4)).map(|n| first + 4 * n);
        all.extend(offsets.map(|offset| (BANK + (constant.bank & 31), offset & !3)));
    }
    // The guard.
    let guard = word.bits(16, 3) as u32;
    if guard != 7 {
        all.push((PREDICATE, guard));
    }
    match form {
        Form::Ald if word.register(8).is_zero() => {
            let (set, first) = (if word.bit(32) { OUTPUT } else { INPUT }, word.bits(20, 10) as u32);
            all.extend((0..1 + word.bits(47, 2) as u32).map(|n| (set, (first & !3) + 4 * n)));
        }
        Form::Ipa if !word.bit(38) => all.push((INPUT, word.bits(28, 10) as u32 & !3)),
        _ => {}
    }
    all
}

/// Addresses of outputs that an instruction writes.
fn outputs_of(form: Form, word: Word) -> Vec<u32> {
    match form {
        Form::Ast if word.register(8).is_zero() && !word.bit(31) => {
            let first = word.bits(20, 10) as u32 & !3;
            (0..1 + word.bits(47, 2) as u32).map(|n| first + 4 * n).collect()
        }
        _ => Vec::new(),
    }
}

/// What the code names.
fn slots(code: &Code<'_>, around: Option<&Maxwell>) -> Vec<Slot> {
    let reach = Reach::new(code);
    let mut named = BTreeSet::from([(FLAGS, 0)]);
    for placed in &reach.placed {
        let Some((form, word)) = word_at(&code.words, placed.address) else { continue };
        named.extend(reads(form, word));
        for place in registers(form, word).filter(|place| place.written) {
            let first = u32::from(place.first.0);
            named.extend(
                (first..first + u32::from(place.count)).filter(|n| *n < REGISTERS).map(|n| (REGISTER, n)),
            );
        }
        named.extend(outputs_of(form, word).into_iter().map(|address| (OUTPUT, address)));
        if form.name().ends_with("SETP") {
            named.extend([word.bits(3, 3), word.bits(0, 3)].map(|n| (PREDICATE, n as u32)));
        }
    }
    named.remove(&(PREDICATE, 7));
    let mut slots: Vec<Slot> =
        named.into_iter().filter_map(|(set, number)| slot(around, set, number)).collect();
    slots.sort_by_key(|slot| slot.file);
    slots
}

fn slot(around: Option<&Maxwell>, set: u8, number: u32) -> Option<Slot> {
    use RegisterFile as F;
    use RegisterKind as K;
    let (file, kind, name, label, components) = match set {
        REGISTER if number < REGISTERS => (F::Temporary, K::Bits, format!("R{number}"), None, 1),
        PREDICATE if number < 7 => (F::Flag, K::Flag, format!("P{number}"), None, 1),
        FLAGS => (F::Flag, K::Flag, "CC".to_owned(), None, 4),
        INPUT | OUTPUT if (number as usize) < 4 * ATTRIBUTE_WORDS => {
            let (file, letter) = if set == INPUT { (F::Input, "a") } else { (F::Output, "out") };
            let label = attribute_name(around, number, set == OUTPUT);
            (file, K::Bits, format!("{letter}[0x{number:x}]"), label, 1)
        }
        BANK..=63 => {
            let bank = set - BANK;
            let label = constant_name(around, bank, number);
            (F::Uniform, K::Bits, format!("c[0x{bank:x}][0x{number:x}]"), label, 1)
        }
        _ => return None,
    };
    Some(Slot { file, kind, name, label, set, number, components })
}

/// What lies at an address of the attributes: the name of the file, or what the machine means there.
fn attribute_name(around: Option<&Maxwell>, address: u32, output: bool) -> Option<String> {
    let letter = ["x", "y", "z", "w"][address as usize / 4 % 4];
    let location = address.checked_sub(attribute::GENERIC).map(|offset| offset / 16);
    let named = around.zip(location).and_then(|(around, location)| {
        let bindings = if output { &around.outputs } else { &around.inputs };
        bindings.iter().find(|binding| u32::try_from(binding.slot) == Ok(location))
    });
    match named {
        Some(binding) => Some(format!("{}.{letter}", binding.name)),
        None => Attribute::at(address).map(|attribute| attribute.to_string()),
    }
}

/// The member of a block that lies at an offset of a bank.
fn constant_name(around: Option<&Maxwell>, bank: u8, offset: u32) -> Option<String> {
    let around = around?;
    let first = unshade_isa::maxwell::address_map::first_block(around.driver);
    let binding = i32::from(bank.checked_sub(first)?);
    let block = around.constant_buffers.iter().find(|block| block.slot == binding)?;
    let members =
        around.members.iter().filter(|member| member.block == block.name && member.offset <= offset);
    match members.max_by_key(|member| member.offset) {
        Some(member) if member.offset == offset => Some(member.name.clone()),
        Some(member) => Some(format!("{}+0x{:x}", member.name, offset - member.offset)),
        None => Some(block.name.clone()),
    }
}

impl Run {
    fn steps(&self) -> u64 {
        self.before.saturating_add(self.progress.steps)
    }

    /// Goes on up to so many steps of this group.
    fn resume(&mut self, steps: u64) -> End {
        let (resources, pictures) = (&mut self.resources, &mut self.pictures);
        let lanes = &mut self.lanes;
        self.shared.program.resume(&mut self.progress, lanes, resources, pictures, steps, &mut NoTrace)
    }

    /// Goes over to the next group where one has ended, and notes an end that needs no further step.
    fn look(&mut self) {
        while self.ended.is_none() && self.resume(self.progress.steps) == End::Ended {
            if self.group + 1 < self.shared.groups.len() {
                self.next_group();
            } else {
                self.ended = Some(finished());
            }
        }
        if self.ended.is_none() && self.steps() >= self.shared.fuel {
            self.ended = Some(out_of_fuel(self.steps()));
        }
    }

    fn next_group(&mut self) {
        self.group += 1;
        let lanes = self.shared.groups.get(self.group).cloned().unwrap_or_default();
        self.done.push(Arc::new(std::mem::replace(&mut self.lanes, lanes)));
        self.before = self.steps();
        self.progress = self.shared.program.begin(&self.lanes);
        self.resources.shared = Default::default();
    }

    /// The word that comes next.
    fn word(&self) -> Option<(Form, Word)> {
        let (address, _) = self.progress.next().filter(|_| self.ended.is_none())?;
        word_at(&self.shared.code, address)
    }
}

impl Machine for Run {
    fn copy(&self) -> Box<dyn Machine> {
        Box::new(self.clone())
    }

    fn size(&self) -> usize {
        let lane = |lane: &Lane| 3400 + 4 * lane.local.words.len() + 1100 * lane.events.len();
        let lanes: usize = self.lanes.iter().map(lane).sum();
        let done: usize = self.done.len() * size_of::<usize>();
        let resources = &self.resources;
        let words = resources.constants.values().map(Vec::len).sum::<usize>()
            + resources.global.regions.values().map(Vec::len).sum::<usize>()
            + 12 * resources.global.overlay.len()
            + resources.shared.words.len()
            + 280 * resources.vertices.len();
        let images: usize = self.pictures.images.values().map(|image| image.bytes.len()).sum();
        size_of::<Self>() + lanes + done + 4 * words + images
    }

    fn answer_by_formula(&mut self) {
        Arc::make_mut(&mut self.pictures.textures).unbound = Unbound::Smooth;
        let driver = self.shared.program.maxwell().driver;
        name_textures(&mut self.resources, driver, self.shared.kind, true);
    }

    fn step(&mut self) {
        if self.ended.is_some() {
            return;
        }
        let steps = self.progress.steps + 1;
        match self.resume(steps) {
            End::Fault { address, fault } => {
                let end = End::Fault { address, fault };
                let why = run_json::maxwell::unfinished(Outcome { end, steps: self.steps() });
                self.ended = Some(stopped(why.unwrap_or_default()));
            }
            End::Ended | End::OutOfFuel => self.look(),
        }
    }

    fn ended(&self) -> Option<&Ended> {
        self.ended.as_ref()
    }

    fn next(&self) -> Option<Place> {
        if self.ended.is_some() {
            return None;
        }
        let (address, active) = self.progress.next()?;
        let word = u32::try_from(address / 4).ok();
        let several = self.lanes.len() > WARP;
        Some(Place {
            word,
            text: String::new(),
            active,
            warp: several.then_some(self.progress.warp() as u32),
            group: (self.shared.groups.len() > 1).then_some(self.group as u32),
        })
    }

    fn at_work(&self) -> u32 {
        let Some((address, active)) = self.progress.next().filter(|_| self.ended.is_none()) else { return 0 };
        let Some((_, word)) = word_at(&self.shared.code, address) else { return active };
        let guard = word.guard();
        let first = self.first_lane() as usize;
        let holds =
            |n: &usize| self.lanes.get(first.saturating_add(*n)).is_some_and(|lane| lane.holds(guard));
        (0..WARP).filter(|n| active >> n & 1 != 0).filter(holds).fold(0, |mask, n| mask | 1 << n)
    }

    fn calls(&self) -> usize {
        self.progress.open().iter().filter(|open| open.token == Some(Token::Return)).count()
    }

    fn stack(&self) -> Vec<StackEntry> {
        let width = self.lanes.len().min(WARP);
        let entry = |open: Open| StackEntry {
            kind: match open.token {
                None => "branch",
                Some(Token::Sync) => "SSY",
                Some(Token::Break) => "PBK",
                Some(Token::Continue) => "PCNT",
                Some(Token::Exit) => "PEXIT",
                Some(Token::Return) => "call",
                Some(Token::LongJump) => "PLONGJMP",
            }
            .to_owned(),
            word: u32::try_from(open.address / 4).ok(),
            text: format!("lanes {:0width$b} go on at {:04x}", open.lanes, open.address),
        };
        self.progress.open().into_iter().map(entry).collect()
    }

    fn lanes(&self) -> u32 {
        self.lanes.len() as u32
    }

    fn first_lane(&self) -> u32 {
        let last = self.lanes.len().div_ceil(WARP).saturating_sub(1);
        (self.progress.warp().min(last) * WARP) as u32
    }

    fn slots(&self) -> Arc<[Slot]> {
        self.shared.slots.clone()
    }

    fn slot(&self, name: &str) -> Option<Slot> {
        let hexadecimal = |text: &str| u32::from_str_radix(text.strip_prefix("0x")?, 16).ok();
        let place = |prefix: &str| {
            let address = hexadecimal(name.strip_prefix(prefix)?.strip_prefix('[')?.strip_suffix(']')?)?;
            (address % 4 == 0).then_some(address)
        };
        let bank = || {
            let (bank, offset) = name.strip_prefix("c[")?.strip_suffix(']')?.split_once("][")?;
            let bank = hexadecimal(bank).filter(|bank| *bank < 32)?;
            Some((BANK + bank as u8, hexadecimal(offset).filter(|at| *at < 0x1_0000 && at % 4 == 0)?))
        };
        let (set, number) = None
            .or_else(|| numbered(name, "R", REGISTERS).map(|n| (REGISTER, n)))
            .or_else(|| numbered(name, "P", 7).map(|n| (PREDICATE, n)))
            .or_else(|| (name == "CC").then_some((FLAGS, 0)))
            .or_else(|| place("a").map(|n| (INPUT, n)))
            .or_else(|| place("out").map(|n| (OUTPUT, n)))
            .or_else(bank)?;
        slot(self.shared.around.as_deref(), set, number)
    }

    fn read(&self, slot: &Slot, lane: u32) -> Words {
        let Some(lane) = self.lanes.get(lane as usize) else { return [0; 4] };
        let single = |word: u32| [word, 0, 0, 0];
        match slot.set {
            REGISTER => single(lane.registers.get(slot.number as usize).copied().unwrap_or(0)),
            PREDICATE => single(u32::from(lane.predicates >> (slot.number & 7) & 1)),
            FLAGS => {
                let flags = lane.flags;
                [flags.zero, flags.sign, flags.carry, flags.overflow].map(u32::from)
            }
            INPUT => single(lane.attributes.get(slot.number)),
            OUTPUT => single(lane.outputs.get(slot.number)),
            set => single(self.resources.constant(set.saturating_sub(BANK), slot.number)),
        }
    }

    fn reads(&self) -> Vec<(Slot, u8)> {
        let mut all = Vec::new();
        let Some((form, word)) = self.word() else { return all };
        for (set, number) in reads(form, word) {
            if let Some(slot) = slot(self.shared.around.as_deref(), set, number) {
                add(&mut all, slot, 1);
            }
        }
        all
    }

    fn outputs(&self) -> Result<Outputs, RunJsonError> {
        let ended = self.done.iter().flat_map(|lanes| lanes.iter()).cloned();
        let results = run_json::maxwell::Results {
            stage: self.shared.kind,
            header: self.shared.header,
            lanes: ended.chain(self.lanes.iter().cloned()).collect(),
        };
        results.outputs(&self.resources, &self.pictures, &self.shared.document)
    }
}
