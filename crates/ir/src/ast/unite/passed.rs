//! What goes from one stage to the next: one type and one name on both sides.

use super::super::{GlobalRef, Program};
use super::replace::{Home, reorder, replace, spell_out};
use super::{Linking, Renamed, names, narrow};
use crate::{Global, Shape, Space};
use std::collections::{BTreeMap, BTreeSet};

/// A variable on its way: index in the program that writes it, and in the one that reads it.
pub(super) struct Pair {
    pub front: usize,
    pub back: usize,
}

/// Unites two neighbours; gives the names that the back one had otherwise.
pub(super) fn unite(front: &mut Program, back: &mut Program, linking: Linking) -> Renamed {
    let pairs = pairs(front, back, linking.machine_by_name);
    if linking.machine_by_name {
        locate(front, back, &pairs);
    }
    widen(front, back, &pairs);
    if linking.fill_left_out {
        narrow::run(front, back, &pairs);
    }
    rename(front, back, &pairs, linking.varyings_by_name)
}

/// Gives what is read the location at which it is written; what nobody writes comes behind.
fn locate(front: &Program, back: &mut Program, pairs: &[Pair]) {
    let outputs = front.globals.iter().map(|variable| &variable.global);
    let last = outputs.filter(|global| is_passed(global, Space::Output)).map(|global| global.location).max();
    let mut free = last.map_or(0, |last| last.saturating_add(1));
    for (index, variable) in back.globals.iter_mut().enumerate() {
        let global = &mut variable.global;
        if !is_passed(global, Space::Input) {
            continue;
        }
        let pair = pairs.iter().find(|pair| pair.back == index);
        global.location = match pair.and_then(|pair| front.globals.get(pair.front)) {
            Some(from) => from.global.location,
            None => {
                free = free.saturating_add(1);
                free - 1
            }
        };
    }
}

fn is_passed(global: &Global, space: Space) -> bool {
    global.space == space && global.semantic.is_none() && global.constant.is_none()
}

/// Outputs with the inputs that read them: those that begin at one place, or are alone at their location.
fn pairs(front: &Program, back: &Program, by_name: bool) -> Vec<Pair> {
    let of = |program: &Program, space: Space| -> BTreeMap<u32, Vec<usize>> {
        let mut found = BTreeMap::<u32, Vec<usize>>::new();
        for (index, variable) in program.globals.iter().enumerate() {
            if is_passed(&variable.global, space) {
                found.entry(variable.global.location).or_default().push(index);
            }
        }
        found
    };
    let (outputs, inputs) = (of(front, Space::Output), of(back, Space::Input));
    let all: Vec<usize> = outputs.values().flatten().copied().collect();
    // What both sides have a name for is found by it, where locations say nothing.
    let mut of_name = BTreeMap::<&str, usize>::new();
    if by_name {
        for &output in &all {
            let Some(from) = front.globals.get(output) else { continue };
            if from.global.named {
                of_name.entry(&from.global.name).or_insert(output);
            }
        }
    }
    let called = |input: usize| {
        let to = back.globals.get(input).filter(|to| to.global.named)?;
        of_name.get(to.global.name.as_str()).copied()
    };
    let taken: BTreeSet<usize> = inputs.values().flatten().filter_map(|&input| called(input)).collect();
    let mut pairs = Vec::new();
    for (location, inputs) in &inputs {
        for &input in inputs {
            let Some(to) = back.globals.get(input) else { continue };
            let fits = |output: &&usize| {
                let Some(from) = front.globals.get(**output) else { return false };
                let at_once = first(&from.global) == first(&to.global);
                let alone = inputs.len() == 1 && outputs.get(location).is_some_and(|list| list.len() == 1);
                (at_once || alone) && from.global.patch == to.global.patch
            };
            let at_place =
                || outputs.get(location)?.iter().find(fits).copied().filter(|at| !taken.contains(at));
            let output = called(input).or_else(at_place);
            pairs.extend(output.map(|front| Pair { front, back: input }));
        }
    }
    pairs
}

/// First component in the location.
fn first(global: &Global) -> u32 {
    global.offset % 4
}

/// A vector that is no array, whose components may be read apart: how many.
pub(super) fn vector(global: &Global) -> Option<u32> {
    match global.shape {
        Shape::Float { components, elements: 0 }
        | Shape::Int { components, elements: 0 }
        | Shape::Uint { components, elements: 0 }
            if global.vertices == 0 =>
        {
            Some(components.clamp(1, 4).into())
        }
        _ => None,
    }
}

/// The same shape with so many components.
pub(super) fn with_components(shape: Shape, components: u8) -> Shape {
    match shape {
        Shape::Int { elements, .. } => Shape::Int { components, elements },
        Shape::Uint { elements, .. } => Shape::Uint { components, elements },
        _ => Shape::Float { components, elements: 0 },
    }
}

/// Gives both sides all components that one of them has.
fn widen(front: &mut Program, back: &mut Program, pairs: &[Pair]) {
    let (mut of_front, mut of_back) = (Vec::new(), Vec::new());
    for pair in pairs {
        let (Some(from), Some(to)) = (front.globals.get(pair.front), back.globals.get(pair.back)) else {
            continue;
        };
        let (from, to) = (&from.global, &to.global);
        let (Some(written), Some(read)) = (vector(from), vector(to)) else { continue };
        if std::mem::discriminant(&from.shape) != std::mem::discriminant(&to.shape) {
            continue;
        }
        let start = first(from).min(first(to));
        let end = (first(from) + written).max(first(to) + read);
        // Where several share a location, what one gets may be another's.
        let shared = |program: &Program, space: Space, location: u32| {
            let at = |global: &Global| is_passed(global, space) && global.location == location;
            program.globals.iter().filter(|variable| at(&variable.global)).count() > 1
        };
        let grows = |global: &Global, width: u32| (first(global), width) != (start, end - start);
        if end > 4
            || grows(from, written) && shared(front, Space::Output, from.location)
            || grows(to, read) && shared(back, Space::Input, to.location)
        {
            continue;
        }
        if grows(from, written) {
            of_front.push((pair.front, start, end));
        }
        if grows(to, read) {
            of_back.push((pair.back, start, end));
        }
    }
    grow(front, &of_front);
    grow(back, &of_back);
}

/// Gives variables the components from one to another.
fn grow(program: &mut Program, list: &[(usize, u32, u32)]) {
    if list.is_empty() {
        return;
    }
    let mut homes = BTreeMap::new();
    let mut widths = BTreeMap::new();
    let mut order: Vec<u32> = (0..program.globals.len() as u32).collect();
    for &(index, start, end) in list {
        let Some(mut variable) = program.globals.get(index).cloned() else { continue };
        let to = GlobalRef(program.globals.len() as u32);
        let global = &mut variable.global;
        let moved = first(global).saturating_sub(start);
        let width = u8::try_from(end - start).unwrap_or(4);
        widths.insert(index as u32, global.shape.components());
        global.shape = with_components(global.shape, width);
        global.offset = global.offset.saturating_sub(moved);
        let first = u8::try_from(moved).unwrap_or(0);
        homes.insert(index as u32, Home::Lanes { to, element: None, column: None, first, width });
        if let Some(place) = order.get_mut(index) {
            *place = to.0;
        }
        program.globals.push(variable);
    }
    spell_out(program, &widths);
    replace(program, &homes);
    reorder(program, &order);
}

/// Gives both sides one name, where the text is shared or what is found by name would be lost: that of the file, and
/// of two that of the front.
fn rename(front: &mut Program, back: &mut Program, pairs: &[Pair], by_name: bool) -> Renamed {
    let mut renamed = Renamed::new();
    let (mut of_front, mut of_back) = (names::of(front), names::of(back));
    // Names that something on the other side has too, at another place, are not free for both.
    let passed: BTreeSet<(usize, usize)> = pairs.iter().map(|pair| (pair.front, pair.back)).collect();
    for (at, input) in passed {
        let (Some(from), Some(to)) = (front.globals.get(at), back.globals.get(input)) else { continue };
        let (from, to) = (&from.global, &to.global);
        let alike = std::mem::discriminant(&from.shape) == std::mem::discriminant(&to.shape)
            && from.shape.components() == to.shape.components()
            && if from.vertices > 0 { to.vertices > 0 } else { from.shape.elements() == to.shape.elements() };
        if from.name == to.name || !(alike || by_name) {
            continue;
        }
        let taken = |name: &str| {
            let in_front = name != from.name && of_front.contains(name);
            let in_back = name != to.name && of_back.contains(name);
            in_front || in_back
        };
        let [wish, other] =
            if from.named || !to.named { [&from.name, &to.name] } else { [&to.name, &from.name] };
        let both_named = from.named && to.named;
        let name = if taken(wish) && !taken(other) { other.clone() } else { names::free(wish, taken) };
        // Where locations link, names of the file are not given up for a number.
        if !by_name && both_named && name != from.name && name != to.name {
            continue;
        }
        if to.named && to.name != name {
            renamed.insert(input as u32, to.name.clone());
        }
        for (program, index, names) in [(&mut *front, at, &mut of_front), (&mut *back, input, &mut of_back)] {
            if let Some(variable) = program.globals.get_mut(index) {
                names.remove(&variable.global.name);
                names.insert(name.clone());
                variable.global.name.clone_from(&name);
            }
        }
    }
    renamed
}
