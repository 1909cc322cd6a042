//! Dot products of one vector with the rows of a matrix by columns are `matrix * vector`, those with its
//! columns `vector * matrix`.

use super::interface::{Indexed, Lane};
use super::operands::Leaf;
use super::packs::{Lanes, Make};
use super::statements::Unit;
use crate::quick::QuickMap;
use crate::{Op, Shape, Value};
use std::collections::BTreeMap;

/// A component of a matrix.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Place {
    global: u32,
    /// Which of an array of matrices; at index 0, if there is one.
    element: u32,
    index: Option<Value>,
    column: u32,
    row: u8,
}

/// What all components of a product share.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct Key {
    global: u32,
    element: u32,
    index: Option<Value>,
    vector: Lanes,
    vector_first: bool,
}

/// Finds products in all blocks, in order. Loads with a dynamic index that only they use are gone afterwards.
pub(super) fn find(unit: &mut Unit<'_>) -> Vec<(Lanes, Make)> {
    let has_matrices =
        unit.interface.globals().iter().any(|global| matches!(global.shape, Shape::Matrix { .. }));
    let mut products = Vec::new();
    // All dot products that are components of some product.
    let mut multiplied = Vec::new();
    if !has_matrices {
        return products;
    }
    for block in unit.cfg.order.clone() {
        // Components by product, in order of appearance.
        let mut seen: QuickMap<Key, usize> = QuickMap::default();
        let mut found: Vec<(Key, BTreeMap<u32, Value>)> = Vec::new();
        let function = unit.function;
        for id in &function.blocks[block.index()].insts {
            let inst = &function.insts[id.index()];
            let Op::Dot(lanes) = inst.op else { continue };
            if !unit.needed[id.index()] {
                continue;
            }
            let (a, b) = inst.args.split_at(lanes.into());
            // Of a row of one matrix and a column of another, the column is what a person multiplies with.
            let (split, other) = (component(unit, a, b), component(unit, b, a));
            let turned = split.as_ref().is_none_or(|(key, _)| key.vector_first);
            let split = if turned { other.or(split) } else { split };
            let (Some((key, at)), Some(value)) = (split, inst.results.first()) else { continue };
            let entry = *seen.entry(key.clone()).or_insert_with(|| {
                found.push((key, BTreeMap::new()));
                found.len() - 1
            });
            found[entry].1.entry(at).or_insert(*value);
        }
        for (key, components) in found {
            // From the first component on, without a gap.
            let lanes: Lanes = (0..4).map_while(|at| components.get(&at).copied()).collect();
            if lanes.len() < 2 {
                continue;
            }
            multiplied.extend_from_slice(&lanes);
            let Key { global, element, index, vector, vector_first } = key;
            products.push((lanes, Make::Product { global, element, index, vector, vector_first }));
        }
    }
    drop_loads(unit, &multiplied);
    products
}

/// The product that a dot product is a component of, and which.
fn component(unit: &Unit<'_>, values: &[Value], by: &[Value]) -> Option<(Key, u32)> {
    let places: Vec<Place> = values.iter().map(|value| place(unit, *value)).collect::<Option<_>>()?;
    let first = *places.first()?;
    let same = |place: &Place| {
        (place.global, place.element, place.index) == (first.global, first.element, first.index)
    };
    if !places.iter().all(same) {
        return None;
    }
    let is_row = places.iter().all(|place| place.row == first.row);
    let is_column = places.iter().all(|place| place.column == first.column);
    let (vector_first, at) = match (is_row, is_column) {
        (true, false) => (false, u32::from(first.row)),
        (false, true) => (true, first.column),
        _ => return None,
    };
    let lane = |place: &Place| if vector_first { u32::from(place.row) } else { place.column };
    let width = places.iter().map(lane).max()? + 1;
    // What is multiplied with components that are missing is 0.
    let mut vector = Lanes::from_elem(unit.zero(), width as usize);
    let mut seen = 0u8;
    for (place, by) in places.iter().zip(by) {
        if seen >> lane(place) & 1 == 1 {
            return None;
        }
        seen |= 1 << lane(place);
        vector[lane(place) as usize] = *by;
    }
    let Place { global, element, index, .. } = first;
    Some((Key { global, element, index, vector, vector_first }, at))
}

/// Where in a matrix a value lies.
fn place(unit: &Unit<'_>, value: Value) -> Option<Place> {
    if let Leaf::Global(Lane { global, element, component }) = unit.leaves[value.index()] {
        let (columns, _) = matrix(unit, global)?;
        let flat = element?;
        let (element, column) = (flat / columns, flat % columns);
        return Some(Place { global, element, index: None, column, row: component });
    }
    let inst = unit.function.definition(value)?;
    let Op::Load(access) = inst.op else { return None };
    if !access.is_indexed() {
        return None;
    }
    let Indexed::Elements { global, first, component, steps } = unit.interface.indexed(access)? else {
        return None;
    };
    let (columns, elements) = matrix(unit, global)?;
    let (element, column) = (first / columns, first % columns);
    let index = inst.args.first().copied();
    (steps == columns && elements > 0).then_some(Place { global, element, index, column, row: component })
}

/// Columns and elements of a matrix that may change.
fn matrix(unit: &Unit<'_>, global: u32) -> Option<(u32, u32)> {
    let global = unit.interface.global(global);
    match global.shape {
        Shape::Matrix { columns, elements, .. } if global.constant.is_none() => {
            Some((u32::from(columns.max(1)), elements))
        }
        _ => None,
    }
}

/// Takes away the packs of loads that only these dot products use.
fn drop_loads(unit: &mut Unit<'_>, products: &[Value]) {
    let function = unit.function;
    let loads: Vec<Value> = products
        .iter()
        .filter_map(|value| function.definition(*value))
        .flat_map(|inst| inst.args.iter().copied())
        .filter(|arg| {
            unit.leaves[arg.index()] == Leaf::Pack
                && matches!(function.definition(*arg).map(|inst| inst.op), Some(Op::Load(_)))
        })
        .collect();
    if loads.is_empty() {
        return;
    }
    let uses = unit.count_uses();
    let mut here: QuickMap<Value, u32> = QuickMap::default();
    for load in &loads {
        *here.entry(*load).or_default() += 1;
    }
    for load in &loads {
        let Some((pack, _)) = unit.pack_of[load.index()] else { continue };
        let lanes = unit.pack(pack).lanes.clone();
        let done = |lane: &Value| here.get(lane).is_some_and(|here| uses[lane.index()] == *here);
        if lanes.iter().all(done) {
            unit.packs[pack.index()].alive = false;
        }
    }
}
