//! Where blocks hold matrices: sums of products tell their columns, or their rows.

use super::super::edit::{constant, use_counts};
use super::super::terms::{self, Sum};
use super::{SLOT, uniform};
use crate::{Access, FloatMode, Function, Inst, Module, Op, Space, Value};
use std::collections::{BTreeMap, BTreeSet};

/// Longest step from one matrix of an array to the next, in words.
const MOST_STEP: u32 = 64;

/// Columns one behind the other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Columns {
    /// First word of the first column.
    pub(super) base: u32,
    /// How many columns.
    pub(super) columns: u32,
    /// How many sums say so.
    pub(super) times: u32,
}

/// What sums of products tell.
#[derive(Debug, Default)]
pub(super) struct Matrices {
    fixed: BTreeMap<u32, Vec<Columns>>,
    /// By binding, first word and columns.
    indexed: BTreeMap<u32, BTreeSet<(u32, u32)>>,
}

/// Where words lie that a sum multiplies: binding, the index with its step, if there is one.
type Base = (u32, Option<(Value, u32)>);

/// A word with what it is multiplied with.
type Factor = (u32, Value);

/// What a sum of products of one slot is: the slot and the vector, by component.
type Dots = BTreeMap<(Base, Vec<(u32, Value)>), BTreeSet<u32>>;

impl Matrices {
    pub(super) fn new(functions: &[Function]) -> Self {
        let mut found: BTreeMap<(Base, u32, u32), u32> = BTreeMap::new();
        let mut matrices = Self::default();
        for function in functions {
            let uses = use_counts(function);
            let mut taken = vec![false; function.insts.len()];
            let mut dots = Dots::new();
            for block in &function.blocks {
                for id in &block.insts {
                    inverted(function, &function.insts[id.index()], &mut found);
                }
                for id in block.insts.iter().rev() {
                    if taken[id.index()] || function.insts[id.index()].op != Op::FAdd(FloatMode::F32) {
                        continue;
                    }
                    let Some(sum) = terms::collect(function, *id, &uses) else { continue };
                    sum.adds.iter().for_each(|inner| taken[inner.index()] = true);
                    for (base, factors) in factors(function, &sum) {
                        columns(base, &factors, &sum, function, &mut found);
                        rows(base, &factors, &mut dots);
                    }
                }
            }
            matrices.arrays_of_rows(&dots);
        }
        for ((base, first, columns), times) in found {
            match base {
                (binding, None) => {
                    matrices.fixed.entry(binding).or_default().push(Columns { base: first, columns, times });
                }
                (binding, Some((_, step))) if step == columns * SLOT => {
                    matrices.indexed.entry(binding).or_default().insert((first, columns));
                }
                _ => {}
            }
        }
        matrices
    }

    /// Matrices at fixed places.
    pub(super) fn fixed(&self, binding: u32) -> impl Iterator<Item = &Columns> {
        self.fixed.get(&binding).into_iter().flatten()
    }

    /// Columns of the matrices of an array that starts at a word, if all that is known says the same.
    pub(super) fn indexed(&self, binding: u32, first: u32) -> Option<u32> {
        let found = self.indexed.get(&binding)?;
        let (_, columns) = *found.first()?;
        let fits = |(base, own): &(u32, u32)| {
            *own == columns && base.checked_sub(first).is_some_and(|more| more.is_multiple_of(columns * SLOT))
        };
        found.iter().all(fits).then_some(columns)
    }

    /// A vector by all columns of an element of an array, column by column.
    fn arrays_of_rows(&mut self, dots: &Dots) {
        for ((base, _), slots) in dots {
            let ((binding, Some((_, step))), Some(first)) = (base, slots.first()) else { continue };
            let columns = step / SLOT;
            let all = (2..=4).contains(&columns)
                && step.is_multiple_of(SLOT)
                && slots.iter().copied().eq(*first..first + columns);
            if all {
                self.indexed.entry(*binding).or_default().insert((first * SLOT, columns));
            }
        }
    }
}

/// An index without the constant that it is multiplied with, and the words from one index to the next.
pub(in crate::passes) fn stepped(
    function: &Function,
    index: Option<Value>,
    stride: u32,
) -> (Option<Value>, u32) {
    let Some(value) = index else { return (None, stride) };
    let Some(inst) = function.definition(value) else { return (index, stride) };
    let known = |value: Value| constant(function, value).and_then(|bits| u32::try_from(bits).ok());
    let (inner, times) = match (inst.op, &inst.args[..]) {
        (Op::IMul, &[a, b]) => match (known(a), known(b)) {
            (None, Some(times)) => (a, times),
            (Some(times), None) => (b, times),
            _ => return (index, stride),
        },
        (Op::Shl, &[a, by]) => match known(by) {
            Some(by @ 0..=4) => (a, 1 << by),
            _ => return (index, stride),
        },
        _ => return (index, stride),
    };
    match stride.checked_mul(times) {
        Some(step @ 1..=MOST_STEP) => (Some(inner), step),
        _ => (index, stride),
    }
}

/// Makes the constants in indices the steps of arrays of matrices, by binding.
pub(super) fn step(module: &mut Module, steps: &BTreeMap<u32, u32>) -> usize {
    let mut count = 0;
    if steps.is_empty() {
        return 0;
    }
    for function in &mut module.functions {
        for at in 0..function.insts.len() {
            let Some(access) = uniform(&function.insts[at].op).filter(Access::is_indexed) else { continue };
            let Some(wanted) = steps.get(&access.binding) else { continue };
            let (Some(index), step) =
                stepped(function, function.insts[at].args.first().copied(), access.stride)
            else {
                continue;
            };
            if step == *wanted && access.stride != step {
                function.insts[at].op = Op::Load(Access { stride: step, space: Space::Uniform, ..access });
                function.insts[at].args[0] = index;
                count += 1;
            }
        }
    }
    count
}

/// Words of blocks in the products of a sum, with the other factors.
fn factors(function: &Function, sum: &Sum) -> BTreeMap<Base, Vec<Factor>> {
    let mut found: BTreeMap<Base, Vec<Factor>> = BTreeMap::new();
    for term in &sum.terms {
        let Some(inst) = function.definition(*term) else { continue };
        let (Op::FMul(FloatMode::F32, _), &[a, b]) = (inst.op, &inst.args[..]) else { continue };
        for (word, other) in [(a, b), (b, a)] {
            if let Some((base, at)) = place(function, word) {
                found.entry(base).or_default().push((at, other));
            }
        }
    }
    found
}

fn place(function: &Function, value: Value) -> Option<(Base, u32)> {
    let inst = function.definition(value)?;
    let access = uniform(&inst.op)?;
    let index = match access.is_indexed() {
        true => {
            let (index, step) = stepped(function, inst.args.first().copied(), access.stride);
            Some((index?, step))
        }
        false => None,
    };
    Some(((access.binding, index), access.offset))
}

/// The columns of what an inverse is taken of.
fn inverted(function: &Function, inst: &Inst, found: &mut BTreeMap<(Base, u32, u32), u32>) {
    let (Op::InverseTimes(size) | Op::TimesInverse(size)) = inst.op else { return };
    let mut first = None;
    for (at, value) in (0u32..).zip(inst.args.iter().take(usize::from(size * size))) {
        let (column, row) = (at / u32::from(size), at % u32::from(size));
        let Some((base, word)) = place(function, *value) else { return };
        let Some(start) = word.checked_sub(column * SLOT + row).filter(|start| start % SLOT == 0) else {
            return;
        };
        if *first.get_or_insert((base, start)) != (base, start) {
            return;
        }
    }
    if let Some((base, start)) = first {
        *found.entry((base, start, size.into())).or_default() += u32::from(size);
    }
}

/// Words four apart, each multiplied with something else, are a row of three or four columns.
fn columns(
    base: Base,
    factors: &[Factor],
    sum: &Sum,
    function: &Function,
    found: &mut BTreeMap<(Base, u32, u32), u32>,
) {
    let mut rows: BTreeMap<u32, BTreeMap<u32, Value>> = BTreeMap::new();
    for (word, other) in factors {
        rows.entry(word % SLOT).or_default().entry(word / SLOT).or_insert(*other);
    }
    for (row, slots) in rows {
        let slots: Vec<(u32, Value)> = slots.into_iter().collect();
        for run in slots.chunk_by(|(a, _), (b, _)| a + 1 == *b) {
            let (Some((first, _)), length) = (run.first(), run.len()) else { continue };
            let others: BTreeSet<Value> = run.iter().map(|(_, other)| *other).collect();
            let count = match length {
                // The fourth column alone is that of a point, whose last component is 1.
                3 => {
                    let last = (first + 3) * SLOT + row;
                    let is_last = |term: &Value| place(function, *term) == Some((base, last));
                    if sum.terms.iter().any(is_last) { 4 } else { 3 }
                }
                4 => 4,
                _ => continue,
            };
            if others.len() == length {
                *found.entry((base, first * SLOT, count)).or_default() += 1;
            }
        }
    }
}

/// Three or four words of one slot.
fn rows(base: Base, factors: &[Factor], dots: &mut Dots) {
    if base.1.is_none() {
        return;
    }
    let mut slots: BTreeMap<u32, BTreeMap<u32, Value>> = BTreeMap::new();
    for (word, other) in factors {
        slots.entry(word / SLOT).or_default().entry(word % SLOT).or_insert(*other);
    }
    for (slot, components) in slots {
        if components.len() >= 3 {
            dots.entry((base, components.into_iter().collect())).or_default().insert(slot);
        }
    }
}
