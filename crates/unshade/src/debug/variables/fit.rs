//! Which instruction assigns what to a variable, and where it is then: what agrees in every run.

use super::tree::{Assigned, Site, Source};
use super::{Definition, Table, held, held_out};
use crate::debug::machine::{self, Machine, Slot};
use crate::debug::view::RegisterFile;
use crate::run_json::{self, Document, Unbound};
use crate::verify::{Draw, Inputs, Kind, series};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::RangeInclusive;
use std::sync::Arc;
use unshade_ir::ast::Scalar;
use unshade_stage::Stage;

/// Runs that are compared.
const RUNS: usize = 40;
/// Where chance starts for their inputs.
const SEED: u64 = 0x5EED_0F11;
/// Steps of a run of the machine; a longer one says nothing.
pub(super) const STEPS: u64 = 1 << 12;
/// Words of registers that are kept of a run; a run with more says nothing.
const WORDS: usize = 1 << 22;
/// Assignments that must have been seen for them to say something.
pub(super) const SEEN: usize = 16;
/// Different values by which a float tells itself from all others.
const VARIED: usize = 8;
/// Relative difference of two floats that are one value: readable source rounds a little otherwise, and has the
/// constants as they were most likely written.
const NEAR: f32 = 1.0 / 1024.0;

/// A place that may hold what a site assigns: behind an instruction, in a slot, which component.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Place {
    word: u32,
    slot: usize,
    component: u8,
}

/// A component of a site, with the places that agree with it so far.
struct Open {
    site: usize,
    component: u8,
    /// The site assigns a constant to it.
    constant: bool,
    /// None before the first run.
    places: Option<Vec<Place>>,
    /// Assignments that were compared.
    seen: usize,
    /// Different values among them, a few.
    values: BTreeSet<u32>,
}

/// A run of the machine: where it was, and what the registers held behind the instructions in question.
struct Passed {
    /// By word: behind which steps, and where in `words` the registers are.
    behind: BTreeMap<u32, Vec<(u64, usize)>>,
    words: Vec<u32>,
}

impl Passed {
    fn word(&self, base: usize, slot: usize, component: u8) -> Option<u32> {
        let at = slot.checked_mul(4)?.checked_add(component.into())?.checked_add(base)?;
        self.words.get(at).copied()
    }
}

/// One run of both sides.
struct Pair {
    assigned: Vec<Assigned>,
    /// Steps of the machine behind each word in question.
    steps: BTreeMap<u32, Vec<u64>>,
}

/// The table of a program.
pub(super) fn table(stage: &Stage<'_>, mut source: Source) -> Table {
    let mut found = compare(stage, &source).unwrap_or_default();
    held_out::prove(stage, &source, &mut found);
    let Found { definitions, initial, components } = found;
    let mut variables = std::mem::take(&mut source.variables);
    for (variable, found) in variables.iter_mut().zip(components) {
        variable.found = found;
    }
    Table { variables, definitions, initial }
}

/// What was found: definitions by word, what variables hold from the start, and by variable the components that are found.
#[derive(Default)]
pub(super) struct Found {
    pub definitions: BTreeMap<u32, Vec<Definition>>,
    pub initial: Vec<(usize, u8, u32)>,
    pub components: Vec<u8>,
}

/// Where a component of a site gets its value.
#[derive(Debug, Clone, Copy)]
enum At {
    /// Behind an instruction.
    Place(Place),
    /// It is a constant that the variable holds from the start; no instruction need say so.
    Start(u32),
}

fn compare(stage: &Stage<'_>, source: &Source) -> Option<Found> {
    let draw = Draw { seed: SEED, kind: Kind::Finite, count: RUNS, least: SEEN, plain: true };
    let drawn = series(stage, draw)?;
    let around = source.sites.iter().filter_map(|site| site.around());
    let wanted: Vec<RangeInclusive<u32>> = joined(around.collect());
    let mut open: Vec<Open> = Vec::new();
    for (number, site) in source.sites.iter().enumerate().filter(|(_, site)| source.fits(site.variable)) {
        let components = site.components.iter();
        open.extend(components.map(|component| Open {
            site: number,
            component: *component,
            constant: site.constants.get(usize::from(*component)).is_some_and(Option::is_some),
            places: None,
            seen: 0,
            values: BTreeSet::new(),
        }));
    }
    let mut slots: Arc<[Slot]> = Vec::new().into();
    let mut pairs = Vec::new();
    for (inputs, registers) in &drawn.inputs {
        let Some(assigned) = source.run(inputs, &drawn.outputs) else { continue };
        let Some(mut machine) = start(stage, registers) else { continue };
        if slots.is_empty() {
            slots = machine.slots().iter().filter(|slot| holds_variables(slot.file)).cloned().collect();
        }
        let Some(passed) = pass(&mut *machine, &slots, &wanted) else { continue };
        let mut values: BTreeMap<usize, Vec<[u32; 4]>> = BTreeMap::new();
        for (site, value) in &assigned {
            values.entry(*site).or_default().push(*value);
        }
        for open in &mut open {
            let Some(site) = source.sites.get(open.site) else { continue };
            let scalar = source.variables.get(site.variable).map_or(Scalar::Uint, |variable| variable.scalar);
            let values = values.get(&open.site).map_or(&[][..], Vec::as_slice);
            narrow(open, site, scalar, values, &passed, &slots);
        }
        let steps = passed.behind.iter();
        let steps = steps.map(|(word, at)| (*word, at.iter().map(|(step, _)| *step).collect())).collect();
        pairs.push(Pair { assigned, steps });
    }
    Some(choose(source, &open, &slots, &pairs))
}

/// The ranges with those that overlap as one.
fn joined(mut ranges: Vec<RangeInclusive<u32>>) -> Vec<RangeInclusive<u32>> {
    ranges.sort_unstable_by_key(|range| *range.start());
    let mut all: Vec<RangeInclusive<u32>> = Vec::new();
    for range in ranges {
        match all.last_mut() {
            Some(last) if range.start() <= last.end() => *last = *last.start()..=*range.end().max(last.end()),
            _ => all.push(range),
        }
    }
    all
}

/// Registers that variables can be in. What a program only reads is named by the file.
fn holds_variables(file: RegisterFile) -> bool {
    !matches!(file, RegisterFile::Uniform | RegisterFile::Memory)
}

/// The machine with these inputs, in front of its first step.
pub(super) fn start(stage: &Stage<'_>, inputs: &Inputs) -> Option<Box<dyn Machine>> {
    let document = Document::inputs(&run_json::inputs(stage, inputs, Unbound::Black)).ok()?;
    let mut machine = machine::start(stage, &document, document.cases.first()?, STEPS).ok()?;
    machine.answer_by_formula();
    Some(machine)
}

/// Runs it to its end, and keeps what the registers hold behind the instructions in question.
fn pass(machine: &mut dyn Machine, slots: &[Slot], wanted: &[RangeInclusive<u32>]) -> Option<Passed> {
    let mut passed = Passed { behind: BTreeMap::new(), words: Vec::new() };
    let mut step = 0_u64;
    let lane = machine.next()?.active.trailing_zeros().min(31);
    while let Some(place) = machine.next() {
        let at_work = machine.at_work() >> lane & 1 != 0;
        machine.step();
        step = step.saturating_add(1);
        if step > STEPS || passed.words.len() > WORDS {
            return None;
        }
        let is_wanted = |word: &u32| at_work && wanted.iter().any(|range| range.contains(word));
        let Some(word) = place.word.filter(is_wanted) else { continue };
        passed.behind.entry(word).or_default().push((step, passed.words.len()));
        for slot in slots {
            passed.words.extend(machine.read(slot, lane));
        }
    }
    machine.ended().is_some_and(|ended| ended.finished).then_some(passed)
}

/// Keeps the places that hold what a site assigned, each time.
fn narrow(
    open: &mut Open,
    site: &Site,
    scalar: Scalar,
    values: &[[u32; 4]],
    passed: &Passed,
    slots: &[Slot],
) {
    let component = usize::from(open.component & 3);
    let agrees = |place: &Place| {
        let behind = passed.behind.get(&place.word).map_or(&[][..], Vec::as_slice);
        let same = |(value, (_, base)): (&[u32; 4], &(u64, usize))| {
            let word = passed.word(*base, place.slot, place.component);
            let value = value.get(component).copied().unwrap_or(0);
            word.is_some_and(|word| says_nothing(scalar, value) || is_same(scalar, value, word))
        };
        behind.len() == values.len() && values.iter().zip(behind).all(same)
    };
    // A run in which it is not assigned, and the instruction not done, says little.
    match &mut open.places {
        Some(places) => places.retain(agrees),
        None if values.is_empty() => return,
        places @ None => {
            let mut all = Vec::new();
            // Of vectors the tree remembers the instructions of some components alone; what assigns a float, which
            // tells itself from others by its values, may be any of those around them.
            let near = site.around().filter(|_| scalar == Scalar::Float);
            let around = near.into_iter().flat_map(|range| passed.behind.range(range)).map(|(word, _)| *word);
            for word in site.words.iter().copied().chain(around.filter(|word| !site.words.contains(word))) {
                for (slot, known) in slots.iter().enumerate() {
                    let components = 0..known.components.min(4);
                    all.extend(components.map(|component| Place { word, slot, component }));
                }
            }
            all.retain(agrees);
            *places = Some(all);
        }
    }
    let values = values.iter().map(|value| value.get(component).copied().unwrap_or(0));
    for value in values.filter(|value| !says_nothing(scalar, *value)) {
        open.seen = open.seen.saturating_add(1);
        if open.values.len() < VARIED {
            open.values.insert(value);
        }
    }
}

/// Whether a value is an infinity or no number: with these readable source does not count as the machine does, so nothing can be
/// learned from them.
pub(super) fn says_nothing(scalar: Scalar, value: u32) -> bool {
    scalar == Scalar::Float && !f32::from_bits(value).is_finite()
}

/// Whether a word of the machine is what the source has. Floats that are too small to be normal are zero to most machines.
pub(super) fn is_same(scalar: Scalar, value: u32, word: u32) -> bool {
    if scalar != Scalar::Float || value == word {
        return held(scalar, word) == value;
    }
    let (a, b) = (f32::from_bits(value), f32::from_bits(word));
    let size = a.abs().max(b.abs());
    (a.is_nan() && b.is_nan()) || a == b || size < f32::MIN_POSITIVE || (a - b).abs() <= NEAR * size
}

/// The definitions, and by variable the components that are found.
fn choose(source: &Source, open: &[Open], slots: &[Slot], pairs: &[Pair]) -> Found {
    // The place of each component of each site.
    let mut places: BTreeMap<(usize, u8), Place> = BTreeMap::new();
    for open in open {
        let told = open.seen >= SEEN && (open.constant || open.values.len() > 1);
        let Some(found) = open.places.as_deref().filter(|_| told) else { continue };
        // Of its own instructions the one that is done last has all of it, of those around the one that is done first; a
        // register proper before a result on its way.
        let last = |place: &Place| {
            let steps = pairs.iter().find_map(|pair| pair.steps.get(&place.word)?.first().copied());
            let steps = steps.map_or(0, |step| i64::try_from(step).unwrap_or(i64::MAX));
            let on_its_way = slots.get(place.slot).is_some_and(|slot| slot.file == RegisterFile::Result);
            let own = source.sites.get(open.site).is_some_and(|site| site.words.contains(&place.word));
            let order = if own { steps } else { steps.saturating_neg() };
            (own, order, !on_its_way, std::cmp::Reverse((place.slot, place.component)))
        };
        let has_own = |place: &&Place| {
            let site = source.sites.get(open.site);
            open.values.len() >= VARIED || site.is_some_and(|site| site.words.contains(&place.word))
        };
        if let Some(best) = found.iter().filter(has_own).max_by_key(|place| last(place)) {
            places.insert((open.site, open.component), *best);
        }
    }
    let mut found = Found { components: vec![0_u8; source.variables.len()], ..Found::default() };
    for variable in 0..source.variables.len() {
        for component in 0..4_u8 {
            let assigns = |site: &Site| site.variable == variable && site.components.contains(&component);
            let sites: Vec<usize> =
                source.sites.iter().enumerate().filter(|(_, site)| assigns(site)).map(|(n, _)| n).collect();
            let place = |number: &usize| {
                if let Some(place) = places.get(&(*number, component)) {
                    return Some((*number, At::Place(*place)));
                }
                let site = source.sites.get(*number).filter(|site| site.at_the_top)?;
                let constant = *site.constants.get(usize::from(component))?;
                Some((*number, At::Start(constant?)))
            };
            let at: Option<Vec<(usize, At)>> = sites.iter().map(place).collect();
            let Some(at) = at.filter(|at| !at.is_empty()) else { continue };
            if pairs.is_empty() || !pairs.iter().all(|pair| in_order(&at, pair)) {
                continue;
            }
            if let Some(known) = found.components.get_mut(variable) {
                *known |= 1 << component;
            }
            for (_, at) in at {
                match at {
                    At::Start(word) => found.initial.push((variable, component, word)),
                    At::Place(place) => {
                        let Some(slot) = slots.get(place.slot).cloned() else { continue };
                        let word = place.word;
                        let place = Definition { variable, component, slot, place: place.component };
                        found.definitions.entry(word).or_default().push(place);
                    }
                }
            }
        }
    }
    found
}

/// Whether the sites of a component come in the same order on both sides.
fn in_order(at: &[(usize, At)], pair: &Pair) -> bool {
    let is_one = |site: &usize| at.iter().any(|(one, _)| one == site);
    let assigned = pair.assigned.iter().map(|(site, _)| *site).filter(is_one);
    let mut done: Vec<(u64, usize)> = Vec::new();
    for (site, at) in at {
        match at {
            At::Start(_) => done.push((0, *site)),
            At::Place(place) => {
                let steps = pair.steps.get(&place.word).into_iter().flatten();
                done.extend(steps.map(|step| (*step, *site)));
            }
        }
    }
    done.sort_unstable();
    // Two at once leave open which comes last.
    let apart = done.windows(2).all(|two| two.first().map(|one| one.0) != two.last().map(|one| one.0));
    apart && assigned.eq(done.into_iter().map(|(_, site)| site))
}
