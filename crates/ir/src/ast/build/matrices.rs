//! Dot products of one vector with consecutive rows of a uniform are a matrix times a vector.

use super::operands::Leaf;
use super::packs::Lanes;
use super::statements::Unit;
use crate::{Op, Shape, Value};
use std::collections::{BTreeMap, HashMap};

/// A product that was found.
pub(super) struct Product {
    pub lanes: Lanes,
    pub global: u32,
    pub row: u32,
    pub vector: Lanes,
}

/// Finds products in all blocks, in order.
pub(super) fn find(unit: &Unit<'_>) -> Vec<Product> {
    let mut products = Vec::new();
    for block in &unit.cfg.order {
        // Rows by matrix and vector, in order of appearance.
        let mut seen: HashMap<(u32, Lanes), usize> = HashMap::new();
        let mut found: Vec<((u32, Lanes), BTreeMap<u32, Value>)> = Vec::new();
        for id in &unit.function.blocks[block.index()].insts {
            let inst = &unit.function.insts[id.index()];
            let Op::Dot(lanes) = inst.op else { continue };
            if !unit.needed[id.index()] {
                continue;
            }
            let (a, b) = inst.args.split_at(lanes.into());
            let split = row(unit, a).map(|row| (row, b)).or_else(|| row(unit, b).map(|row| (row, a)));
            let (Some(((global, row), vector)), Some(value)) = (split, inst.results.first()) else {
                continue;
            };
            let key = (global, Lanes::from_slice(vector));
            let at = *seen.entry(key.clone()).or_insert_with(|| {
                found.push((key, BTreeMap::new()));
                found.len() - 1
            });
            found[at].1.entry(row).or_insert(*value);
        }
        for ((global, vector), rows) in found {
            products.extend(split_runs(unit, global, &vector, &rows));
        }
    }
    products
}

/// Runs of consecutive rows that are long enough.
fn split_runs(unit: &Unit<'_>, global: u32, vector: &Lanes, rows: &BTreeMap<u32, Value>) -> Vec<Product> {
    let elements = match unit.interface.global(global).shape {
        Shape::Float { elements, .. } => elements as usize,
        _ => 0,
    };
    let mut products: Vec<Product> = Vec::new();
    for (row, value) in rows {
        match products.last_mut() {
            Some(last) if last.row + last.lanes.len() as u32 == *row => last.lanes.push(*value),
            _ => products.push(Product {
                lanes: Lanes::from_slice(&[*value]),
                global,
                row: *row,
                vector: vector.clone(),
            }),
        }
    }
    products.retain(|product| product.lanes.len() >= 3 || product.lanes.len() == elements);
    products
}

/// The row of a matrix that these values are, if they are one: first components of an element of an array
/// of two to four float vectors, which no index goes through.
fn row(unit: &Unit<'_>, values: &[Value]) -> Option<(u32, u32)> {
    let mut place = None;
    for (component, value) in values.iter().enumerate() {
        let Leaf::Global(lane) = unit.leaves[value.index()] else { return None };
        if usize::from(lane.component) != component {
            return None;
        }
        let here = (lane.global, lane.element?);
        if *place.get_or_insert(here) != here {
            return None;
        }
    }
    let (global, _) = place?;
    let fits = match unit.interface.global(global).shape {
        Shape::Float { components, elements } => {
            (2..=4).contains(&elements) && (3..=4).contains(&components) && values.len() <= components.into()
        }
        _ => false,
    };
    let constant = unit.interface.global(global).constant.is_some();
    place.filter(|_| fits && !constant && values.len() >= 3)
}
