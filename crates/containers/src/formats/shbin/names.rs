//! What a SHBIN has names for: inputs, uniforms and labels by their symbols, output registers; and their symbols of
//! other lengths.
//!
//! Labels, uniforms and lines point into one table of strings. One string may serve several of them; then all of
//! them are called by it, before as after. Where strings of other lengths move, what points behind them follows.

use super::layout::{Item, Layout, Part, Scope, Section};
use super::model::{Constant, ConstantValue, Executable, Shbin};
use super::plan::Plan;
use super::register::{Semantic, Unified, mask_letters};
use crate::shared::names::{Content, Element, Joins, Key, Put, Slot, Thing, no_text};
use crate::shared::{FieldEncoding, Node, Strings, opaque::escape};
use std::collections::BTreeMap;
use unshade_bytes::{Endian, Error, ErrorKind, Result};
use unshade_stage::Space;

/// Tables of [`Key`]s: the kind of constant, as the file numbers it.
const BOOL: usize = 0;
const INT: usize = 1;
const FLOAT: usize = 2;

impl Shbin {
    fn executables(&self) -> Vec<(Scope, &Executable)> {
        match self {
            Self::Linked(file) => (0..)
                .map(Scope::Executable)
                .zip(file.executables.iter().map(|dvle| &dvle.executable))
                .collect(),
            Self::Object(file) => vec![(Scope::Object, &file.executable)],
        }
    }

    fn executable_mut(&mut self, index: usize) -> Option<&mut Executable> {
        match self {
            Self::Linked(file) => file.executables.get_mut(index).map(|dvle| &mut dvle.executable),
            Self::Object(file) => (index == 0).then_some(&mut file.executable),
        }
    }

    /// What the file has names for.
    pub(crate) fn things(&self, _: &Node) -> Vec<Thing> {
        let mut things = Vec::new();
        let Ok(plan) = self.plan() else { return things };
        for (index, (scope, executable)) in self.executables().into_iter().enumerate() {
            let owner = format!("{scope}.");
            let start = |section| plan.start(Part { scope, section });
            let strings = start(Section::Symbols);
            let constants = start(Section::Constants);
            let named = |kind: &str, name: u32| {
                let own = executable.symbols.at(name)?;
                let whole = is_whole(&executable.symbols, name);
                let text = whole.then(|| strings.saturating_add(name.into()));
                Some(Thing::new(&owner, kind, own).texts(text).joins(Joins::Unowned))
            };
            let entries = (start(Section::Uniforms)..).step_by(8).zip(&executable.uniforms);
            for (at, uniform) in entries {
                let class = Unified(uniform.first).class();
                let kind = if matches!(class, Some((Space::Input, _))) { "inputs" } else { "uniforms" };
                let Some(thing) = named(kind, uniform.name) else { continue };
                things.push(thing.value(values(executable, index, constants, (uniform.first, uniform.last))));
                if kind == "inputs" && uniform.first == uniform.last {
                    let own = executable.symbols.at(uniform.name).unwrap_or_default();
                    // First and last register are one: a pair of fields with one value.
                    let pair = u32::from(uniform.first) | u32::from(uniform.last) << 16;
                    let (at, coding) = (at.saturating_add(4), FieldEncoding::Spelled(&Pair));
                    let slot = Slot::new(at, &pair.to_le_bytes(), coding, Endian::Little)
                        .shown(Unified(uniform.first).to_string());
                    let thing = Thing::new(&owner, kind, own).tail(".register").joins(Joins::Unowned);
                    things.push(thing.value(Content::number(slot)));
                }
            }
            let labels = executable.labels.iter();
            things.extend(labels.filter_map(|label| named("labels", label.name)));
            let places = start(Section::Outputs);
            for (at, output) in (places..).step_by(8).zip(&executable.outputs) {
                let same = |other: &&super::model::Output| other.register == output.register;
                let own = match executable.outputs.iter().filter(same).count() {
                    1 => format!("o{}", output.register),
                    _ => format!("o{}.{}", output.register, mask_letters(output.mask)),
                };
                let shown = super::register::semantic_name(output.semantic);
                let bytes = output.semantic.to_le_bytes();
                let slot =
                    Slot::new(at, &bytes, FieldEncoding::Spelled(&Semantic), Endian::Little).shown(shown);
                let thing = Thing::new(&owner, "outputs", own.as_bytes()).joins(Joins::Unowned);
                things.push(thing.value(Content::number(slot)));
            }
        }
        things
    }

    /// Puts other strings in place of those at these places of the file.
    ///
    /// # Errors
    /// Where no string starts there, or something points into the middle of one that would not be there any more.
    pub(crate) fn set_texts(&mut self, texts: &[(u64, Vec<u8>)]) -> Result<()> {
        if texts.is_empty() {
            return Ok(());
        }
        let plan = self.plan()?;
        let mut tables: BTreeMap<Scope, BTreeMap<usize, &[u8]>> = BTreeMap::new();
        let mut scopes: Vec<(Scope, Section)> =
            self.executables().into_iter().map(|(scope, _)| (scope, Section::Symbols)).collect();
        scopes.push((Scope::Program, Section::FileNames));
        for (at, text) in texts {
            let inside = |&(scope, section): &(Scope, Section)| {
                let part = Part { scope, section };
                let offset = at.checked_sub(plan.start(part)).filter(|offset| *offset < self.size(part))?;
                Some((scope, usize::try_from(offset).ok()?))
            };
            let (scope, offset) = scopes.iter().find_map(inside).ok_or_else(|| no_text(*at))?;
            tables.entry(scope).or_default().insert(offset, text);
        }
        for (scope, changes) in tables {
            let section = if scope == Scope::Program { Section::FileNames } else { Section::Symbols };
            let part = Part { scope, section };
            let end = plan.start(part).saturating_add(self.size(part));
            self.replace_strings(scope, &changes)?;
            self.keep_alignment(part, end, &plan);
        }
        Ok(())
    }

    /// What stood at a multiple of 4 behind a part of a layout of its own stands at one again. Known producers' layouts
    /// say that themselves.
    /// The part ended at `end` in the plan `before`.
    fn keep_alignment(&mut self, part: Part, end: u64, before: &Plan) {
        let layout = match self {
            Self::Linked(file) => &mut file.layout,
            Self::Object(file) => &mut file.layout,
        };
        let Layout::Explicit(items) = layout else { return };
        let Some(index) = items.iter().position(|item| *item == Item::Part(part)) else { return };
        let first = index.saturating_add(1);
        let rest = items.get(first..).unwrap_or_default();
        let fills = rest.iter().take_while(|item| matches!(item, Item::Align(_) | Item::Zeros(_))).count();
        let next = match rest.get(fills) {
            Some(Item::Part(next)) => before.start(*next),
            None => before.end,
            Some(_) => return,
        };
        let Some(gap) = next.checked_sub(end) else { return };
        if !next.is_multiple_of(4) {
            return;
        }
        let mut fill = Vec::new();
        if gap >= 4 {
            fill.push(Item::Zeros(u32::try_from(gap & !3).unwrap_or(0)));
        }
        fill.push(Item::Align(4));
        items.splice(first..first.saturating_add(fills), fill);
    }

    fn replace_strings(&mut self, scope: Scope, changes: &BTreeMap<usize, &[u8]>) -> Result<()> {
        match (self, scope) {
            (Self::Linked(file), Scope::Program) => {
                let moved = Moved::of(&file.program.file_names, changes)?;
                for line in &mut file.program.code.lines {
                    moved.follow(&mut line.file, "file")?;
                }
                file.program.file_names = moved.strings;
            }
            (Self::Linked(file), Scope::Executable(index)) => {
                let Some(dvle) = file.executables.get_mut(index as usize) else { return Ok(()) };
                // nihstro's entry point is no word but the string of its label.
                let entry = dvle.entry;
                let words = file.program.code.words.len();
                let by_name =
                    entry as usize >= words && dvle.executable.labels.iter().any(|label| label.name == entry);
                let moved = follow(&mut dvle.executable, changes)?;
                if by_name {
                    moved.follow(&mut dvle.entry, "entry")?;
                }
                dvle.executable.symbols = moved.strings;
            }
            (Self::Object(file), Scope::Object) => {
                let moved = follow(&mut file.executable, changes)?;
                for line in &mut file.code.lines {
                    moved.follow(&mut line.file, "file")?;
                }
                file.executable.symbols = moved.strings;
            }
            _ => {}
        }
        Ok(())
    }

    /// Brings constants in, at their place where the others stand in the order of registers and else behind them, and takes them
    /// out.
    ///
    /// # Errors
    /// [`ErrorKind::BadValue`] for what is no number, or none that the register can hold.
    pub(crate) fn set_things(&mut self, puts: &[Put]) -> Result<()> {
        for put in puts {
            let Some(executable) = self.executable_mut(put.key.owner) else { continue };
            let register = u8::try_from(put.key.index).unwrap_or(u8::MAX);
            let same = |constant: &Constant| {
                constant.register == register && usize::from(constant.value.kind()) == put.key.table
            };
            match &put.values {
                None => executable.constants.retain(|constant| !same(constant)),
                Some(values) => {
                    let value = value(put.key.table, values)?;
                    let constant = Constant { register, byte_03: 0, value };
                    let constants = &mut executable.constants;
                    let at = match constants.is_sorted_by_key(place) {
                        true => constants.partition_point(|other| place(other) <= place(&constant)),
                        false => constants.len(),
                    };
                    constants.insert(at, constant);
                }
            }
        }
        Ok(())
    }
}

/// Where a constant stands in the order of registers: floats, integers, truth values.
fn place(constant: &Constant) -> (Option<usize>, u8) {
    let kind = usize::from(constant.value.kind());
    ([FLOAT, INT, BOOL].iter().position(|known| *known == kind), constant.register)
}

/// Both registers of an entry of the uniform table, which are the same one.
#[derive(Debug)]
struct Pair;

impl crate::shared::encoding::Spelling for Pair {
    fn takes(&self) -> String {
        "a register (v0-v15)".to_owned()
    }

    fn read(&self, text: &str, _: u64) -> Option<u64> {
        let register = Unified::parse(text)?;
        matches!(register.class(), Some((Space::Input, _))).then(|| {
            let number = u64::from(register.0);
            number | number << 16
        })
    }
}

/// The values that the constants give registers, where the last one of a register wins.
fn values(executable: &Executable, owner: usize, at: u64, (first, last): (u16, u16)) -> Option<Content> {
    let mut elements = Vec::new();
    // The table holds at most the registers of a class.
    for register in (first..=last).take(96) {
        let (space, number) = Unified(register).class()?;
        let (table, count) = match space {
            Space::Bool => (BOOL, 1),
            Space::Int => (INT, 4),
            Space::Float => (FLOAT, 4),
            _ => return None,
        };
        let key = Key { owner, table, index: number as usize };
        let is_its = |constant: &Constant| {
            u32::from(constant.register) == number && usize::from(constant.value.kind()) == table
        };
        let found = executable.constants.iter().rposition(is_its);
        let slots = found.and_then(|index| {
            let start = at.saturating_add((index as u64).saturating_mul(20)).saturating_add(4);
            Some(slots(&executable.constants.get(index)?.value, start))
        });
        elements.push(Element { slots: slots.unwrap_or_default(), count, key: Some(key) });
    }
    (!elements.is_empty()).then_some(Content::Numbers(elements))
}

/// The numbers of a constant whose payload starts at `at`.
fn slots(value: &ConstantValue, at: u64) -> Vec<Slot> {
    let payload = value.payload();
    let slot = |at, bytes: &[u8], coding| Slot::new(at, bytes, coding, Endian::Little);
    match value {
        ConstantValue::Bool { word, .. } => {
            let truth = slot(at, &word.to_le_bytes(), FieldEncoding::Spelled(&Truth));
            vec![match word {
                0 => truth.shown("false"),
                1 => truth.shown("true"),
                _ => truth,
            }]
        }
        ConstantValue::Int { xyzw, .. } => {
            (at..).zip(xyzw).map(|(at, byte)| slot(at, &[*byte], FieldEncoding::Number)).collect()
        }
        ConstantValue::Float(_) => {
            let words = payload.as_chunks::<4>().0.iter();
            (at..).step_by(4).zip(words).map(|(at, word)| slot(at, word, FieldEncoding::Float24)).collect()
        }
        ConstantValue::Unknown { .. } => Vec::new(),
    }
}

/// A bool, as a word.
#[derive(Debug)]
struct Truth;

impl crate::shared::encoding::Spelling for Truth {
    fn takes(&self) -> String {
        "true, false".to_owned()
    }

    fn read(&self, text: &str, _: u64) -> Option<u64> {
        match text {
            "true" => Some(1),
            "false" => Some(0),
            _ => None,
        }
    }
}

/// A constant of these numbers.
fn value(kind: usize, values: &[String]) -> Result<ConstantValue> {
    let number = |index: usize, coding: FieldEncoding, size: usize| {
        let text = values.get(index).map_or("0", String::as_str);
        coding.encode(text, &vec![0; size], Endian::Little).map_err(|refusal| {
            Error::new(ErrorKind::BadValue, 0, "constants", refusal.expected, refusal.found)
                .code("edit.value")
        })
    };
    let word = |index, coding| {
        number(index, coding, 4)
            .map(|bytes| bytes.first_chunk().map_or(0, |bytes| u32::from_le_bytes(*bytes)))
    };
    let byte =
        |index| number(index, FieldEncoding::Number, 1).map(|bytes| bytes.first().copied().unwrap_or(0));
    Ok(match kind {
        BOOL => ConstantValue::Bool { word: word(0, FieldEncoding::Spelled(&Truth))?, tail: [0; 12] },
        INT => ConstantValue::Int { xyzw: [byte(0)?, byte(1)?, byte(2)?, byte(3)?], tail: [0; 12] },
        _ => {
            let float = |index| word(index, FieldEncoding::Float24);
            ConstantValue::Float([float(0)?, float(1)?, float(2)?, float(3)?])
        }
    })
}

/// Whether a string of the table starts at an offset, and not in the middle of one.
fn is_whole(strings: &Strings, offset: u32) -> bool {
    let before = (offset as usize).checked_sub(1);
    before.is_none_or(|before| strings.0.get(before) == Some(&0))
}

/// A table of strings of which some are others now.
struct Moved {
    strings: Strings,
    /// Bytes of the table before.
    old_len: usize,
    spans: Vec<Span>,
}

/// A string of a table: its old place, the old place behind its NUL, and its new place.
struct Span {
    start: usize,
    end: usize,
    place: usize,
    /// Of one that is another now what it was and what it is.
    change: Option<(Vec<u8>, Vec<u8>)>,
}

impl Moved {
    fn of(old: &Strings, changes: &BTreeMap<usize, &[u8]>) -> Result<Self> {
        let mut moved = Self { strings: Strings::default(), old_len: old.0.len(), spans: Vec::new() };
        let mut found = 0_usize;
        for (start, text) in old.iter() {
            let new = changes.get(&start).copied();
            found = found.saturating_add(usize::from(new.is_some()));
            let place = moved.strings.0.len();
            moved.strings.0.extend_from_slice(new.unwrap_or(text));
            moved.strings.0.push(0);
            let end = start.saturating_add(text.len()).saturating_add(1);
            let change = new.map(|new| (text.to_vec(), new.to_vec()));
            moved.spans.push(Span { start, end, place, change });
        }
        if found != changes.len() {
            return Err(no_text(changes.keys().next().map_or(0, |at| *at as u64)));
        }
        moved.strings.0.extend_from_slice(old.0.get(old.terminated()..).unwrap_or_default());
        Ok(moved)
    }

    /// Lets an offset into the table name the string that it named.
    fn follow(&self, offset: &mut u32, field: &'static str) -> Result<()> {
        let at = *offset as usize;
        let index = self.spans.partition_point(|span| span.start <= at).checked_sub(1);
        let Some(span) = index.and_then(|index| self.spans.get(index)).filter(|_| at < self.old_len) else {
            return Ok(());
        };
        let inner = at.saturating_sub(span.start);
        let inner = match &span.change {
            None => inner,
            // Behind the last NUL: as far behind it as before.
            Some((_, new)) if at >= span.end => {
                new.len().saturating_add(1).saturating_add(at.saturating_sub(span.end))
            }
            Some((old, new)) if inner > 0 => {
                let kept = old.get(inner..).unwrap_or_default();
                let start = new.len().checked_sub(kept.len()).filter(|_| new.ends_with(kept));
                start.ok_or_else(|| shared(field, kept, new))?
            }
            Some(_) => inner,
        };
        let place = u32::try_from(span.place.saturating_add(inner));
        *offset = place.map_err(|_| {
            Error::new(ErrorKind::Unrepresentable, 0, field, "an offset of 32 bits", "a larger one")
        })?;
        Ok(())
    }
}

fn shared(field: &'static str, kept: &[u8], new: &[u8]) -> Error {
    let expected = format!("text that ends in \"{}\", which another name starts in", escape(kept));
    let found = format!("\"{}\"", escape(new));
    Error::new(ErrorKind::Unrepresentable, 0, field, expected, found).code("shbin.string-shared")
}

/// Lets labels and uniforms follow their strings.
fn follow(executable: &mut Executable, changes: &BTreeMap<usize, &[u8]>) -> Result<Moved> {
    let moved = Moved::of(&executable.symbols, changes)?;
    for label in &mut executable.labels {
        moved.follow(&mut label.name, "name")?;
    }
    for uniform in &mut executable.uniforms {
        moved.follow(&mut uniform.name, "name")?;
    }
    Ok(moved)
}
