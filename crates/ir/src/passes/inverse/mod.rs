//! The inverse of a matrix, spelled out: cofactors, each over the determinant, and the sums of their products with the
//! components of a vector.
//!
//! What divides is taken apart into a sum of products of the elements. If it has the terms of a determinant, the elements
//! stand in a matrix as they do in the vectors they come from; what it divides is held against the cofactors of that. In which
//! order a compiler multiplied and added does not matter.

mod polynomials;
mod products;
#[cfg(test)]
mod tests;

use super::Changes;
use super::terms::{Vectors, Words, find_vectors};
use crate::{FloatMode, Function, Module, Multiply, Op, Space, Value, Width};
use polynomials::{Polynomial, Polynomials, opposite};
use smallvec::smallvec;
use std::collections::{BTreeMap, BTreeSet};

const MODE: FloatMode = FloatMode::F32;
const ADD: Op = Op::FAdd(MODE);
const NEGATE: Op = Op::FNeg(Width::F32);
/// The bits of 1.0.
const ONE: u32 = 0x3F80_0000;

/// Rows and columns that a matrix has at most.
const MOST: usize = 4;
/// Words of a vector in a uniform buffer, and of an input.
const SLOT: u32 = 4;

/// What must hold.
const ASSUMPTION: &str = "the inverse of a matrix may be computed in other steps";

pub(super) fn run(module: &mut Module) -> Changes {
    let Module { functions, globals, .. } = module;
    let words = Words::new(globals);
    let count: usize = functions.iter_mut().map(|function| find_all(function, &words)).sum();
    if count > 0 {
        // The cofactors, so that nobody looks for more in them.
        super::dead::run(module);
    }
    Changes { count, ..Changes::default() }.assume(ASSUMPTION)
}

/// What a value is without opposites in front of it, and whether it is the opposite of that.
fn plain(function: &Function, mut value: Value) -> (bool, Value) {
    let mut negated = false;
    while let Some(inner) = function.definition(value).filter(|inst| inst.op == NEGATE) {
        (negated, value) = (!negated, inner.args[0]);
    }
    (negated, value)
}

/// A matrix of values.
struct Matrix {
    size: usize,
    /// Column by column.
    elements: Vec<Value>,
}

impl Matrix {
    /// The determinant without some rows and columns, of those whose bits are set.
    fn determinant(&self, rows: u8, columns: u8) -> Polynomial {
        let Some(column) = (0..self.size).find(|column| columns >> column & 1 == 1) else {
            return [(smallvec![], 1)].into_iter().collect();
        };
        let mut all = Polynomial::new();
        for (place, row) in (0..self.size).filter(|row| rows >> row & 1 == 1).enumerate() {
            let element = self.elements[column * self.size + row];
            for (mut factors, times) in self.determinant(rows & !(1 << row), columns & !(1 << column)) {
                factors.push(element);
                factors.sort_unstable();
                all.insert(factors, if place % 2 == 0 { times } else { -times });
            }
        }
        all
    }

    fn all(&self) -> u8 {
        (1 << self.size) - 1
    }

    /// The elements of the inverse times the determinant, with the row and the column they stand in.
    fn cofactors(&self) -> Vec<(usize, usize, Polynomial)> {
        let all = self.all();
        let places = (0..self.size).flat_map(|row| (0..self.size).map(move |column| (row, column)));
        let cofactor = |(row, column): (usize, usize)| {
            let minor = self.determinant(all & !(1 << column), all & !(1 << row));
            (row, column, if (row + column) % 2 == 0 { minor } else { opposite(&minor) })
        };
        places.map(cofactor).collect()
    }
}

/// Where a value stands: what tells its vector, and which component it is.
fn place(function: &Function, vectors: &[Vectors], value: Value) -> Option<((u64, u64), u8)> {
    if let Some(inst) = function.definition(value)
        && let Op::Load(access) = inst.op
        && matches!(access.space, Space::Uniform | Space::Input)
    {
        let index = inst.args.first().map_or(u32::MAX, |index| index.0);
        let buffer = u64::from(access.binding) << 32 | u64::from(index);
        let buffer = buffer << 1 | u64::from(access.space == Space::Input);
        return Some(((buffer, u64::from(access.offset / SLOT)), (access.offset % SLOT) as u8));
    }
    let (key, lane) = vectors.get(value.index())?.first()?;
    Some(((u64::MAX, key.number()), *lane))
}

/// The matrix that a sum of products is the determinant of, and whether it is the opposite of it.
fn matrix_of(function: &Function, vectors: &[Vectors], sum: &Polynomial) -> Option<(Matrix, bool)> {
    let size = match sum.len() {
        2 => 2,
        6 => 3,
        24 => 4,
        _ => return None,
    };
    if sum.iter().any(|(factors, times)| factors.len() != size || times.abs() != 1) {
        return None;
    }
    let elements: BTreeSet<Value> = sum.keys().flatten().copied().collect();
    if elements.len() != size * size {
        return None;
    }
    let mut columns: BTreeMap<(u64, u64), BTreeMap<u8, Value>> = BTreeMap::new();
    for value in elements {
        let (column, row) = place(function, vectors, value)?;
        columns.entry(column).or_default().insert(row, value);
    }
    let whole = |column: &BTreeMap<u8, Value>| column.keys().copied().eq((0..size as u8).collect::<Vec<_>>());
    if columns.len() != size || !columns.values().all(whole) {
        return None;
    }
    // Slots stand in their order, other vectors as they were made.
    let mut columns: Vec<_> = columns.into_iter().collect();
    columns.sort_by_key(|((kind, slot), column)| match kind {
        &u64::MAX => (*kind, u64::from(column[&0].0)),
        _ => (*kind, *slot),
    });
    let elements = columns.into_iter().flat_map(|(_, column)| column.into_values()).collect();
    let matrix = Matrix { size, elements };
    let determinant = matrix.determinant(matrix.all(), matrix.all());
    if determinant == *sum {
        return Some((matrix, false));
    }
    (opposite(&determinant) == *sum).then_some((matrix, true))
}

/// A value that is an element of an inverse, or the opposite of one.
#[derive(Debug, Clone, Copy)]
struct Element {
    row: usize,
    column: usize,
    opposite: bool,
}

/// An inverse, and the values that are its elements.
struct Inverse {
    matrix: Matrix,
    elements: BTreeMap<Value, Element>,
}

impl Inverse {
    /// Whether that many elements are no chance: of four columns the determinant alone tells.
    fn is_told(&self) -> bool {
        let least = match self.matrix.size {
            2 => 4,
            3 => 6,
            _ => 3,
        };
        let places: BTreeSet<(usize, usize)> =
            self.elements.values().map(|found| (found.row, found.column)).collect();
        places.len() >= least
    }
}

/// The inverses of a function.
fn inverses(function: &Function, words: &Words<'_>) -> Vec<Inverse> {
    // What is divided, by what divides it; whether the quotient is the opposite of theirs.
    let mut quotients: BTreeMap<Value, Vec<(Value, Value, bool)>> = BTreeMap::new();
    let reciprocal = |value: Value| {
        let (negated, value) = plain(function, value);
        match function.definition(value) {
            Some(inst) if inst.op == Op::FRcp(MODE) => Some((negated, *inst.args.first()?)),
            _ => None,
        }
    };
    for id in function.blocks.iter().flat_map(|block| &block.insts) {
        let inst = &function.insts[id.index()];
        let (Some(result), &[a, b]) = (inst.results.first(), &inst.args[..]) else { continue };
        let found = match inst.op {
            Op::FDiv(MODE) => Some(((false, b), a)),
            Op::FMul(MODE, Multiply::Ieee) => {
                reciprocal(b).map(|whole| (whole, a)).or_else(|| Some((reciprocal(a)?, b)))
            }
            _ => None,
        };
        if let Some(((negated, whole), part)) = found {
            let (other, whole) = plain(function, whole);
            quotients.entry(whole).or_default().push((*result, part, negated != other));
        }
    }
    quotients.retain(|_, parts| parts.len() >= 3);
    if quotients.is_empty() {
        return Vec::new();
    }
    let mut polynomials = Polynomials::new(function);
    let mut vectors = None;
    let mut found = Vec::new();
    for (whole, parts) in quotients {
        let Some(sum) = polynomials.of(whole, 0).filter(|sum| matches!(sum.len(), 2 | 6 | 24)) else {
            continue;
        };
        let vectors = vectors.get_or_insert_with(|| find_vectors(function, words));
        let Some((matrix, turned)) = matrix_of(function, vectors, &sum) else { continue };
        let cofactors = matrix.cofactors();
        let element = |part: &Polynomial| {
            cofactors.iter().find_map(|(row, column, cofactor)| {
                let same = part == cofactor;
                let is = same || *part == opposite(cofactor);
                is.then_some(Element { row: *row, column: *column, opposite: same == turned })
            })
        };
        let elements = parts
            .into_iter()
            .filter_map(|(quotient, part, negated)| {
                let found = element(&*polynomials.of(part, 0)?)?;
                Some((quotient, Element { opposite: found.opposite != negated, ..found }))
            })
            .collect();
        let inverse = Inverse { matrix, elements };
        if inverse.is_told() {
            found.push(inverse);
        }
    }
    found
}

fn find_all(function: &mut Function, words: &Words<'_>) -> usize {
    let found = inverses(function, words);
    found.iter().map(|inverse| products::put(function, inverse)).sum()
}
