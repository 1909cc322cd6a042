//! Dot products of one vector with consecutive rows of a uniform are a matrix times a vector.

use super::operands::Leaf;
use super::packs::Lanes;
use super::statements::Unit;
use crate::quick::QuickMap;
use crate::{Op, Shape, Value};
use std::collections::BTreeMap;

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
        let mut seen: QuickMap<(u32, Lanes), usize> = QuickMap::default();
        let mut found: Vec<((u32, Lanes), BTreeMap<u32, Value>)> = Vec::new();
        for id in &unit.function.blocks[block.index()].insts {
            let inst = &unit.function.insts[id.index()];
            let Op::Dot(lanes) = inst.op else { continue };
            if !unit.needed[id.index()] {
                continue;
            }
            let (a, b) = inst.args.split_at(lanes.into());
            let split = row(unit, a, b).or_else(|| row(unit, b, a));
            let (Some((global, row, vector)), Some(value)) = (split, inst.results.first()) else { continue };
            let key = (global, vector);
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

/// The row of a matrix that these values are, if they are one: components of an element of an array of two
/// to four float vectors, which no index goes through. What is multiplied with components that are missing
/// is 0.
fn row(unit: &Unit<'_>, values: &[Value], vector: &[Value]) -> Option<(u32, u32, Lanes)> {
    let mut place = None;
    for value in values {
        let Leaf::Global(lane) = unit.leaves[value.index()] else { return None };
        let here = (lane.global, lane.element?);
        if *place.get_or_insert(here) != here {
            return None;
        }
    }
    let (global, element) = place?;
    let Shape::Float { components, elements } = unit.interface.global(global).shape else { return None };
    // The elements of an input of a primitive are its vertices.
    let of_vertices = unit.interface.global(global).vertices > 0;
    let constant = unit.interface.global(global).constant.is_some();
    if constant
        || of_vertices
        || !(2..=4).contains(&elements)
        || !(3..=4).contains(&components)
        || values.len() < 3
    {
        return None;
    }
    let mut filled = Lanes::from_elem(unit.zero(), components.into());
    let mut seen = 0u8;
    let mut highest = 0;
    for (value, by) in values.iter().zip(vector) {
        let Leaf::Global(lane) = unit.leaves[value.index()] else { return None };
        if seen >> lane.component & 1 == 1 {
            return None;
        }
        seen |= 1 << lane.component;
        highest = highest.max(lane.component);
        filled[usize::from(lane.component)] = *by;
    }
    // The first three components alone are a smaller product.
    filled.truncate(usize::from(highest) + 1);
    Some((global, element, filled))
}
