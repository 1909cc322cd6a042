//! Sums, taken apart, and the rows of matrices in them.

use super::vectors::{Key, Vectors};
use super::{ADD, LANES, TERMS};
use crate::{FloatMode, Function, InstId, Op, Space, Value, ValueDef};
use smallvec::{SmallVec, smallvec};
use std::collections::{BTreeMap, BTreeSet};

/// A sum: its additions, and what is added, from left to right.
pub(in crate::passes) struct Sum {
    pub(in crate::passes) adds: SmallVec<[InstId; 8]>,
    pub(in crate::passes) terms: SmallVec<[Value; 8]>,
}

/// All sums with their blocks and places, block by block, the last place first.
pub(super) fn sums(function: &Function, uses: &[u32]) -> Vec<((usize, usize), InstId, Sum)> {
    let mut taken = vec![false; function.insts.len()];
    let mut found = Vec::new();
    for (at, block) in function.blocks.iter().enumerate() {
        for (position, id) in block.insts.iter().enumerate().rev() {
            if taken.get(id.index()) != Some(&false) || function.insts[id.index()].op != ADD {
                continue;
            }
            let Some(sum) = collect(function, *id, uses) else { continue };
            for inner in &sum.adds {
                taken[inner.index()] = true;
            }
            found.push(((at, position), *id, sum));
        }
    }
    found
}

/// Products of a row of a matrix in a sum, in the order of its columns.
pub(super) struct Row {
    pub(super) key: Key,
    pub(super) products: SmallVec<[RowProduct; LANES]>,
}

/// A component of a row, by its column, the term that it is in, and what it is multiplied with there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct RowProduct {
    pub(super) column: u8,
    pub(super) term: usize,
    pub(super) factor: Value,
}

impl Row {
    /// What the row is multiplied with.
    fn factors(&self) -> SmallVec<[Value; LANES]> {
        self.products.iter().map(|product| product.factor).collect()
    }
}

/// Values that several rows of a matrix are multiplied with: they are the components of a vector, whatever they are made of.
pub(super) struct Multiplied(BTreeMap<SmallVec<[Value; LANES]>, BTreeSet<Key>>);

impl Multiplied {
    pub(super) fn new<'r>(rows: impl Iterator<Item = &'r Row>) -> Self {
        let mut found: BTreeMap<SmallVec<[Value; LANES]>, BTreeSet<Key>> = BTreeMap::new();
        for row in rows {
            found.entry(row.factors()).or_default().insert(row.key);
        }
        found.retain(|_, rows| rows.len() > 1);
        Self(found)
    }

    /// The vector that the factors of a row are.
    pub(super) fn key(&self, row: &Row) -> Option<Key> {
        let factors = row.factors();
        let with = |key: Key, factor: &Value| key.with(u64::from(factor.0));
        self.0.contains_key(&factors).then(|| factors.iter().fold(Key::of(&[5]), with))
    }
}

/// The rows of matrices that a sum has at least three products with.
pub(super) fn rows(function: &Function, sum: &Sum, vectors: &[Vectors]) -> Vec<Row> {
    let mut rows: BTreeMap<Key, SmallVec<[RowProduct; LANES]>> = BTreeMap::new();
    for (term, value) in sum.terms.iter().enumerate() {
        let Some(inst) = function.definition(*value) else { continue };
        let (Op::FMul(FloatMode::F32, _), &[a, b]) = (inst.op, &inst.args[..]) else { continue };
        let row = |value: Value| match (function.definition(value)?.op, &vectors[value.index()][..]) {
            // Components of matrices have a row first, then a column.
            (Op::Load(access), [row, _]) if access.space == Space::Uniform => Some(*row),
            _ => None,
        };
        let ((key, column), factor) = match (row(a), row(b)) {
            (Some(row), None) => (row, b),
            (None, Some(row)) => (row, a),
            _ => continue,
        };
        rows.entry(key).or_default().push(RowProduct { column, term, factor });
    }
    let in_order = |(key, mut products): (Key, SmallVec<[RowProduct; LANES]>)| {
        products.sort_unstable();
        let is_row = (3..=LANES).contains(&products.len())
            && products.windows(2).all(|pair| pair[0].column != pair[1].column);
        is_row.then_some(Row { key, products })
    };
    rows.into_iter().filter_map(in_order).collect()
}

/// The tree of additions whose root this is; none if it is too large.
pub(in crate::passes) fn collect(function: &Function, root: InstId, uses: &[u32]) -> Option<Sum> {
    let mut sum = Sum { adds: SmallVec::new(), terms: SmallVec::new() };
    let mut work: SmallVec<[(Value, bool); 8]> = smallvec![(function.result(root, 0), true)];
    while let Some((value, is_root)) = work.pop() {
        let made = match function.values[value.index()].def {
            ValueDef::Result(id, _) => Some((id, &function.insts[id.index()])),
            ValueDef::Param(..) => None,
        };
        match made {
            Some((id, inst)) if inst.op == ADD && (is_root || uses.get(value.index()) == Some(&1)) => {
                if sum.adds.len() > TERMS {
                    return None;
                }
                sum.adds.push(id);
                work.push((inst.args[1], false));
                work.push((inst.args[0], false));
            }
            _ if sum.terms.len() == TERMS => return None,
            _ => sum.terms.push(value),
        }
    }
    Some(sum)
}
