//! A run under the debugger.

use super::command::{Command, CommandError};
use super::condition::{self, Condition};
use super::history::{History, STATES};
use super::lines::Lines;
use super::machine::{self, Machine, Place, Slot, letters};
use super::variables::{self, Table, Tracked, Variables};
use super::view::{
    BreakpointView, Listing, Number, Position, Read, RegisterView, Reply, SCHEMA, Stop, Stopped, View,
};
use crate::run_json::{DEFAULT_FUEL, Document, RunJsonError};
use serde_json::{Map, Value};
use std::sync::Arc;
use unshade_stage::Stage;

/// Breakpoints that a session may have.
const BREAKPOINTS: usize = 1 << 10;

/// How a session runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Options {
    /// Which case of the document.
    pub case: usize,
    /// Steps after which the run ends, as `run` has it.
    pub fuel: u64,
    /// Bytes of states that are kept, at most.
    pub states: usize,
    /// Whether the program is decompiled and run a few times to find out what holds the variables of its source, where
    /// that is not given.
    pub variables: bool,
    /// Textures that nothing is bound to answer by [`unshade_ir::math::smooth_texture`], instead of being black.
    pub by_formula: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self { case: 0, fuel: DEFAULT_FUEL, states: STATES, variables: true, by_formula: false }
    }
}

struct Breakpoint {
    id: u32,
    word: u32,
    condition: Option<Condition>,
    enabled: bool,
}

/// A run that can be taken forwards and backwards.
pub struct Session {
    machine: Box<dyn Machine>,
    step: u64,
    history: History,
    lines: Lines,
    breakpoints: Vec<Breakpoint>,
    last_id: u32,
    lane: u32,
    stop: Stop,
    printed: Option<Slot>,
    /// The variables of the source.
    table: Arc<Table>,
}

impl std::fmt::Debug for Session {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Session").field("step", &self.step).finish_non_exhaustive()
    }
}

impl Session {
    /// A run of one case of a document, in front of its first step.
    ///
    /// # Errors
    /// Inputs that `run` would refuse; a case that the document does not have.
    pub fn new(stage: &Stage<'_>, document: &Document, options: Options) -> Result<Self, RunJsonError> {
        let variables = if options.variables { Variables::of(stage) } else { Variables::default() };
        Self::with_variables(stage, document, options, &variables)
    }

    /// The same with variables of the source that were found out before, for those who run a program more than once.
    ///
    /// # Errors
    /// As [`Self::new`].
    pub fn with_variables(
        stage: &Stage<'_>,
        document: &Document,
        options: Options,
        variables: &Variables,
    ) -> Result<Self, RunJsonError> {
        let Some(case) = document.cases.get(options.case) else {
            let message = format!("there is no case {}; there are {}", options.case, document.cases.len());
            return Err(RunJsonError::new("cases", message));
        };
        let mut machine = machine::start(stage, document, case, options.fuel)?;
        if options.by_formula {
            machine.answer_by_formula();
        }
        let table = variables.0.clone();
        if !table.variables.is_empty() {
            machine = Box::new(Tracked::new(machine, table.clone()));
        }
        Ok(Self {
            history: History::new(&*machine, options.states),
            machine,
            step: 0,
            lines: Lines::new(stage),
            breakpoints: Vec::new(),
            last_id: 0,
            lane: 0,
            stop: Stop { reason: Stopped::Start, breakpoint: None },
            printed: None,
            table,
        })
    }

    /// The listing that lines count in: what `disasm` prints for the program.
    pub fn listing(&self) -> Listing {
        Listing { lines: self.lines.all.clone() }
    }

    /// Steps done since the start.
    pub fn step(&self) -> u64 {
        self.step
    }

    /// Does a command and shows where the run is then.
    ///
    /// # Errors
    /// A command that makes no sense here; nothing has changed then.
    pub fn run(&mut self, command: &Command) -> Result<View, CommandError> {
        self.go(command)?;
        Ok(self.view())
    }

    /// The same with the refusal as data, for those who pass everything on.
    pub fn answer(&mut self, command: &Command) -> Reply {
        match self.run(command) {
            Ok(view) => Reply::View(Box::new(view)),
            Err(error) => Reply::refused(&error),
        }
    }

    /// Does a command without looking.
    ///
    /// # Errors
    /// As [`Self::run`].
    pub fn go(&mut self, command: &Command) -> Result<(), CommandError> {
        let depth = self.machine.calls();
        let mut printed = None;
        let mut stop = Stop { reason: Stopped::Done, breakpoint: None };
        match command {
            Command::Step { count } => self.walk(self.step.saturating_add(*count)),
            Command::Back { count } => self.seek(self.step.saturating_sub(*count)),
            Command::Goto { step } => self.walk(*step),
            Command::Start => self.seek(0),
            Command::End => self.walk(u64::MAX),
            Command::Next { count } => {
                for _ in 0..*count {
                    if !self.forward() || stop.breakpoint.is_some() {
                        break;
                    }
                    stop = self.walk_to(None, depth.saturating_add(1));
                }
            }
            Command::Out => {
                self.forward();
                stop = self.walk_to(None, depth);
            }
            Command::BackOver { count } => self.back_over(*count, depth),
            Command::BackOut => {
                let target = if depth == 0 { None } else { self.last(|machine| machine.calls() < depth) };
                self.seek(target.unwrap_or(0));
            }
            Command::Continue => {
                self.forward();
                stop = self.walk_to(None, 0);
            }
            Command::Until { at } => {
                let word = self.word(at)?;
                self.forward();
                stop = self.walk_to(Some(word), 0);
            }
            Command::Reverse => {
                let found = self.reverse();
                stop.breakpoint = found.map(|(_, id)| id);
                stop.reason = if found.is_some() { Stopped::Breakpoint } else { Stopped::Start };
                self.seek(found.map_or(0, |(step, _)| step));
            }
            Command::Break { at, condition } => self.set(at, condition.as_deref())?,
            Command::Delete { id: None } => self.breakpoints.clear(),
            Command::Delete { id: Some(id) } => {
                self.known(*id)?;
                self.breakpoints.retain(|breakpoint| breakpoint.id != *id);
            }
            Command::Enable { id, enabled } => self.known(*id)?.enabled = *enabled,
            Command::Lane { lane } => {
                let lanes = self.machine.lanes().min(32);
                if *lane >= lanes {
                    return Err(CommandError::new(format!("there is no lane {lane}; there are {lanes}")));
                }
                self.lane = *lane;
            }
            Command::Print { register } => {
                let (slot, ..) =
                    condition::place(register.trim(), &*self.machine).map_err(CommandError::new)?;
                printed = Some(slot);
            }
            Command::View => {}
        }
        if stop.reason == Stopped::Done && self.machine.ended().is_some() {
            stop.reason = Stopped::End;
        } else if stop.reason == Stopped::Done && self.step == 0 {
            stop.reason = Stopped::Start;
        }
        (self.stop, self.printed) = (stop, printed);
        Ok(())
    }

    /// One step forward; answers whether there was one.
    fn forward(&mut self) -> bool {
        if self.machine.ended().is_some() {
            return false;
        }
        self.machine.step();
        self.step += 1;
        self.history.pass(self.step, &*self.machine);
        true
    }

    /// To a step, back or forward.
    fn walk(&mut self, step: u64) {
        if step < self.step {
            self.seek(step);
        }
        while self.step < step && self.forward() {}
    }

    /// Forward to a breakpoint, a place, the end, or to where fewer than `calls` calls are open (0: to the end).
    /// Looks where the run is before it goes.
    fn walk_to(&mut self, place: Option<u32>, calls: usize) -> Stop {
        loop {
            if calls > 0 && self.machine.calls() < calls {
                break;
            }
            if let Some(word) = self.machine.next().and_then(|next| next.word) {
                if let Some(id) = hit(&self.breakpoints, word, &*self.machine) {
                    return Stop { reason: Stopped::Breakpoint, breakpoint: Some(id) };
                }
                if place == Some(word) {
                    break;
                }
            }
            if !self.forward() {
                break;
            }
        }
        Stop { reason: Stopped::Done, breakpoint: None }
    }

    /// Back to a step.
    fn seek(&mut self, step: u64) {
        let Some((at, machine)) = self.history.before(step) else { return };
        (self.machine, self.step) = (machine, at);
        while self.step < step && self.machine.ended().is_none() {
            self.machine.step();
            self.step += 1;
            self.history.pass_near(self.step, step, &*self.machine);
        }
    }

    /// The latest earlier place of the run where something holds.
    fn last(&self, holds: impl Fn(&dyn Machine) -> bool) -> Option<u64> {
        let mut end = self.step;
        // From kept state to kept state, each stretch forward.
        while let Some(before) = end.checked_sub(1) {
            let (start, mut machine) = self.history.before(before)?;
            let mut found = None;
            let mut at = start;
            while at < end {
                if holds(&*machine) {
                    found = Some(at);
                }
                machine.step();
                at += 1;
            }
            if found.is_some() {
                return found;
            }
            end = start;
        }
        None
    }

    /// The latest earlier place at a breakpoint, and which.
    fn reverse(&self) -> Option<(u64, u32)> {
        let at = |machine: &dyn Machine| {
            let word = machine.next()?.word?;
            hit(&self.breakpoints, word, machine)
        };
        let step = self.last(|machine| at(machine).is_some())?;
        let (mut done, mut machine) = self.history.before(step)?;
        while done < step {
            machine.step();
            done += 1;
        }
        Some((step, at(&*machine)?))
    }

    /// Back over calls. Where the step before was the return of one, to the call.
    fn back_over(&mut self, count: u64, depth: usize) {
        for _ in 0..count {
            let Some(before) = self.step.checked_sub(1) else { break };
            self.seek(before);
            if self.machine.calls() > depth {
                let target = self.last(|machine| machine.calls() <= depth);
                self.seek(target.unwrap_or(0));
            }
        }
    }

    fn set(&mut self, at: &str, condition: Option<&str>) -> Result<(), CommandError> {
        if self.breakpoints.len() >= BREAKPOINTS {
            return Err(CommandError::new(format!("more than {BREAKPOINTS} breakpoints")));
        }
        let word = self.word(at)?;
        let condition = condition.map(|text| Condition::parse(text, &*self.machine)).transpose();
        let condition = condition.map_err(CommandError::new)?;
        self.last_id += 1;
        self.breakpoints.push(Breakpoint { id: self.last_id, word, condition, enabled: true });
        Ok(())
    }

    fn known(&mut self, id: u32) -> Result<&mut Breakpoint, CommandError> {
        let found = self.breakpoints.iter_mut().find(|breakpoint| breakpoint.id == id);
        found.ok_or_else(|| CommandError::new(format!("there is no breakpoint {id}")))
    }

    /// The code word that a text means.
    fn word(&self, text: &str) -> Result<u32, CommandError> {
        let text = text.trim();
        let number = |digits: &str, radix| u32::from_str_radix(digits, radix).ok();
        if let Some(word) = self.lines.word_of_label(text) {
            return Ok(word);
        }
        if let Some(line) = text.strip_prefix(':') {
            let word = number(line, 10).and_then(|line| self.lines.word_of_line(line));
            return word
                .ok_or_else(|| CommandError::new(format!("no instruction stands on line {line} or behind")));
        }
        let word = match text.strip_prefix("0x") {
            Some(digits) => number(digits, 16),
            None => number(text, 10),
        };
        match word {
            Some(word) if self.lines.is_instruction(word) => Ok(word),
            Some(word) => Err(CommandError::new(format!("no instruction starts at word 0x{word:x}"))),
            None => Err(CommandError::new(format!(
                "expected a word (0x12), a line of the listing (:15) or a label, found {text:?}"
            ))),
        }
    }

    /// Where the run is and what is there.
    pub fn view(&mut self) -> View {
        let before = self.step.checked_sub(1).and_then(|step| self.at(step));
        let machine = &*self.machine;
        let lanes = machine.lanes();
        let first = (machine.first_lane() + (self.lane & !3)).min(lanes.saturating_sub(1));
        let count = lanes.saturating_sub(first).min(4);
        let shown = first..first + count;
        let reads = machine.reads();
        let before = before.as_deref();
        let slots = machine.slots();
        let register = |slot: &Slot| self.register(slot, shown.clone(), before, &reads);
        let registers = slots.iter().map(register).collect();
        let (outputs, outputs_changed) = outputs(machine, before);
        View {
            schema: SCHEMA.to_owned(),
            step: self.step,
            stop: self.stop.clone(),
            next: machine.next().map(|place| self.position(&place, machine, first, count)),
            last: before.and_then(|machine| Some(self.position(&machine.next()?, machine, first, count))),
            ended: machine.ended().cloned(),
            first_lane: first,
            lanes: count,
            all_lanes: lanes,
            stack: machine.stack(),
            registers,
            variables: variables::view(&self.table, machine, before, shown.clone()),
            reads: reads.iter().map(|(slot, mask)| read(machine, slot, *mask, shown.clone())).collect(),
            outputs,
            outputs_changed,
            breakpoints: self.breakpoints.iter().map(|breakpoint| self.breakpoint(breakpoint)).collect(),
            printed: self.printed.as_ref().map(register),
        }
    }

    /// The run as it was after so many steps.
    fn at(&mut self, step: u64) -> Option<Box<dyn Machine>> {
        let (mut at, mut machine) = self.history.before(step)?;
        while at < step {
            machine.step();
            at += 1;
            self.history.pass_near(at, step, &*machine);
        }
        Some(machine)
    }

    fn register(
        &self,
        slot: &Slot,
        shown: std::ops::Range<u32>,
        before: Option<&dyn Machine>,
        reads: &[(Slot, u8)],
    ) -> RegisterView {
        let count = usize::from(slot.components).min(4);
        let same = |(known, _): &&(Slot, u8)| (known.set, known.number) == (slot.set, slot.number);
        let changed = |lane: u32| {
            let Some(before) = before else { return 0 };
            let (old, new) = (before.read(slot, lane), self.machine.read(slot, lane));
            (0..count).filter(|n| old[*n & 3] != new[*n & 3]).fold(0, |mask, n| mask | 1_u8 << n)
        };
        let values =
            shown.clone().map(|lane| self.machine.read(slot, lane).into_iter().take(count).map(Number::new));
        RegisterView {
            name: slot.name.clone(),
            label: slot.label.clone(),
            file: slot.file,
            kind: slot.kind,
            values: values.map(Iterator::collect).collect(),
            changed: shown.map(changed).collect(),
            read: reads.iter().find(same).map_or(0, |(_, mask)| *mask),
        }
    }

    fn position(&self, place: &Place, machine: &dyn Machine, first: u32, count: u32) -> Position {
        let known = place.word.and_then(|word| self.lines.text(word));
        let behind =
            || place.word.map_or_else(String::new, |word| format!("word 0x{word:x} is no instruction"));
        let from = first.checked_sub(machine.first_lane());
        let active =
            (0..count).map(|n| from.is_some_and(|from| from + n < 32 && place.active >> (from + n) & 1 != 0));
        Position {
            word: place.word,
            line: place.word.and_then(|word| self.lines.line(word)),
            text: match known {
                Some(text) => text.to_owned(),
                None if place.text.is_empty() => behind(),
                None => place.text.clone(),
            },
            active: active.collect(),
            warp: place.warp,
            group: place.group,
        }
    }

    fn breakpoint(&self, breakpoint: &Breakpoint) -> BreakpointView {
        BreakpointView {
            id: breakpoint.id,
            word: breakpoint.word,
            line: self.lines.line(breakpoint.word),
            condition: breakpoint.condition.as_ref().map(|condition| condition.text.clone()),
            enabled: breakpoint.enabled,
        }
    }

    /// Bytes of the states that are kept.
    #[cfg(test)]
    pub(super) fn kept(&self) -> usize {
        self.history.bytes()
    }
}

/// The breakpoint that counts where a run is.
fn hit(breakpoints: &[Breakpoint], word: u32, machine: &dyn Machine) -> Option<u32> {
    let here = breakpoints.iter().filter(|breakpoint| breakpoint.enabled && breakpoint.word == word);
    let holds =
        |condition: &Option<Condition>| condition.as_ref().is_none_or(|condition| condition.holds(machine));
    here.filter(|breakpoint| holds(&breakpoint.condition)).map(|breakpoint| breakpoint.id).next()
}

fn read(machine: &dyn Machine, slot: &Slot, mask: u8, shown: std::ops::Range<u32>) -> Read {
    let of = |lane| {
        let words = machine.read(slot, lane).into_iter().enumerate();
        words.filter(|(n, _)| mask >> n & 1 != 0).map(|(_, word)| Number::new(word)).collect()
    };
    Read {
        name: slot.name.clone(),
        label: slot.label.clone(),
        components: if slot.components > 1 { letters(mask) } else { String::new() },
        kind: slot.kind,
        values: shown.map(of).collect(),
    }
}

/// What would leave the program, and which of it the last step changed.
fn outputs(machine: &dyn Machine, before: Option<&dyn Machine>) -> (Map<String, Value>, Vec<String>) {
    let of = |machine: &dyn Machine| machine.outputs().map(|outputs| outputs.to_json()).unwrap_or_default();
    let now = of(machine);
    let Some(before) = before.map(of) else { return (now, Vec::new()) };
    let mut changed = Vec::new();
    for (space, value) in &now {
        let old = before.get(space);
        if old == Some(value) {
            continue;
        }
        match (value, old) {
            (Value::Object(fields), Some(Value::Object(old))) => {
                let differing = fields.iter().filter(|(key, value)| old.get(*key) != Some(value));
                changed.extend(differing.map(|(key, _)| format!("{space}.{key}")));
                let gone = old.keys().filter(|key| !fields.contains_key(*key));
                changed.extend(gone.map(|key| format!("{space}.{key}")));
            }
            _ => changed.push(space.clone()),
        }
    }
    (now, changed)
}
