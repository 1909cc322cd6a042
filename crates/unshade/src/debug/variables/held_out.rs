//! What was found, held against runs that had no say in it.
//!
//! Places are chosen among many, so a few agree with the runs they were chosen by without being the variable: by chance, or since
//! these runs came nowhere near the inputs that tell them apart. Here nothing is chosen. Each run is told as the debugger
//! tells it, definition by definition, and a component that does not get exactly what the source assigns, in the same order and
//! as often, is dropped for good.

use super::fit::{Found, SEEN, STEPS, is_same, says_nothing, start};
use super::held;
use super::tree::Source;
use crate::verify::{Draw, Inputs, Kind, Series, series};
use std::collections::BTreeMap;
use unshade_ir::ast::Scalar;
use unshade_stage::Stage;

/// Runs of each kind.
const RUNS: usize = 64;
/// Where chance starts for each kind of inputs: numbers of ordinary size, and with the edges of what there is.
const SEEDS: [(u64, Kind); 2] = [(0x5EED_0F12, Kind::Finite), (0x5EED_0F13, Kind::Full)];

/// A component of a variable.
type Component = (usize, u8);

/// What each component gets in a run, in order.
type Told = BTreeMap<Component, Vec<u32>>;

/// Takes out of what was found the components that are wrong in one of the runs, and those that were assigned too rarely in all
/// of them for that to say something.
pub(super) fn prove(stage: &Stage<'_>, source: &Source, found: &mut Found) {
    // How many assignments of each were as they should be.
    let mut right: BTreeMap<Component, usize> = BTreeMap::new();
    for (variable, components) in found.components.iter().enumerate() {
        let known = (0..4_u8).filter(|component| components >> component & 1 != 0);
        right.extend(known.map(|component| ((variable, component), 0)));
    }
    for (seed, kind) in SEEDS {
        if right.is_empty() {
            break;
        }
        let draw = Draw { seed, kind, count: RUNS, least: SEEN, plain: false };
        let Some(Series { inputs, outputs }) = series(stage, draw) else { continue };
        for (of_source, of_machine) in &inputs {
            let Some(expected) = by_source(source, of_source, &outputs) else { continue };
            let Some(told) = by_machine(stage, source, found, of_machine) else { continue };
            right.retain(|component, count| {
                let scalar = scalar(source, component.0);
                let expected = expected.get(component).map_or(&[][..], Vec::as_slice);
                let told = told.get(component).map_or(&[][..], Vec::as_slice);
                let pairs = expected.iter().zip(told);
                let mut telling = pairs.filter(|(expected, told)| {
                    !says_nothing(scalar, **expected) && !says_nothing(scalar, **told)
                });
                *count = count.saturating_add(telling.clone().count());
                expected.len() == told.len()
                    && telling.all(|(expected, told)| is_same(scalar, *expected, *told))
            });
        }
    }
    right.retain(|_, count| *count >= SEEN);
    let is_right = |variable: usize, component: u8| right.contains_key(&(variable, component));
    for (variable, components) in found.components.iter_mut().enumerate() {
        for component in (0..4).filter(|component| !is_right(variable, *component)) {
            *components &= !(1 << component);
        }
    }
    found.initial.retain(|(variable, component, _)| is_right(*variable, *component));
    for definitions in found.definitions.values_mut() {
        definitions.retain(|definition| is_right(definition.variable, definition.component));
    }
    found.definitions.retain(|_, definitions| !definitions.is_empty());
}

fn scalar(source: &Source, variable: usize) -> Scalar {
    source.variables.get(variable).map_or(Scalar::Uint, |variable| variable.scalar)
}

/// What the source assigns. None where its run does not end in time.
fn by_source(source: &Source, inputs: &Inputs, outputs: &[(u32, usize)]) -> Option<Told> {
    let mut told = Told::new();
    for (site, value) in source.run(inputs, outputs)? {
        let Some(site) = source.sites.get(site) else { continue };
        for component in &site.components {
            let word = value.get(usize::from(*component)).copied().unwrap_or(0);
            told.entry((site.variable, *component)).or_default().push(word);
        }
    }
    Some(told)
}

/// What the debugger would show, in the lane that the source speaks of. None where the run does not come to its end.
fn by_machine(stage: &Stage<'_>, source: &Source, found: &Found, inputs: &Inputs) -> Option<Told> {
    let mut told = Told::new();
    for (variable, component, word) in &found.initial {
        told.entry((*variable, *component)).or_default().push(*word);
    }
    let mut machine = start(stage, inputs)?;
    let lane = machine.next()?.active.trailing_zeros().min(31);
    let mut step = 0_u64;
    while let Some(place) = machine.next() {
        let at_work = machine.at_work() >> lane & 1 != 0;
        machine.step();
        step = step.saturating_add(1);
        if step > STEPS {
            return None;
        }
        let definitions = place.word.filter(|_| at_work).and_then(|word| found.definitions.get(&word));
        for definition in definitions.into_iter().flatten() {
            let now = machine.read(&definition.slot, lane);
            let word = now.get(usize::from(definition.place)).copied().unwrap_or(0);
            let word = held(scalar(source, definition.variable), word);
            told.entry((definition.variable, definition.component)).or_default().push(word);
        }
    }
    machine.ended().is_some_and(|ended| ended.finished).then_some(told)
}
