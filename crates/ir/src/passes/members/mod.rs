//! Members of uniform blocks that the file does not describe, by how the program uses their words.
//!
//! A block of the Switch is 16-byte slots and nothing else. What a person declared shows in the code: words four
//! apart that are multiplied with the components of one vector and added are the columns of a matrix ([`matrices`]);
//! words that are read as integers are integers ([`uses`]); what an index goes through is an array, of structures where
//! it goes on by several slots ([`structures`]). Names that the
//! file has stay; of those only arrays of vectors become the matrices that they are.

pub(super) mod matrices;
mod structures;
mod uses;

use super::Changes;
use crate::votes::Kind;
use crate::{Global, Module, Op, Shape, Space, UniformBlock};
use matrices::{Columns, Matrices};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use structures::Structures;
use uses::{SlotUse, Uses};

/// What must hold where the product of an index becomes the step of an array of matrices.
const ASSUMPTION: &str = "indices of relative addressing stay inside what they address";

/// Words of a slot.
const SLOT: u32 = 4;
/// Words that a block has at most.
const MOST_WORDS: u32 = 1 << 14;
/// Members that a block gets at most; one with more stays an array of slots.
const MOST_MEMBERS: usize = 256;
/// Slots in a row that are an array of vectors.
const ARRAY: u32 = 3;

pub(super) fn run(module: &mut Module) -> Changes {
    if module.blocks.is_empty() {
        return Changes::default();
    }
    let uses = Uses::new(module);
    let matrices = Matrices::new(&module.functions);
    let mut count = 0;
    let mut cut = 0;
    let mut new = Vec::new();
    let mut steps = BTreeMap::new();
    for block in &module.blocks {
        let is_member = |global: &Global| {
            (global.space, global.binding) == (Space::Uniform, block.binding) && global.constant.is_none()
        };
        if module.globals.iter().any(is_member) {
            for global in module.globals.iter_mut().filter(|global| is_member(global)) {
                count +=
                    usize::from(shape_member(global, &uses, &matrices) || read_as_integers(global, &uses));
            }
            continue;
        }
        let mut plan = Plan {
            block,
            uses: &uses,
            matrices: &matrices,
            taken: BTreeSet::new(),
            made: Vec::new(),
            cut: false,
        };
        let step = plan.make();
        if plan.made.len() <= MOST_MEMBERS {
            count += plan.made.len();
            cut += usize::from(plan.cut);
            new.append(&mut plan.made);
            steps.extend(step.map(|step| (block.binding, step)));
        }
    }
    for global in &mut new {
        global.named = false;
    }
    module.globals.append(&mut new);
    let stepped = matrices::step(module, &steps);
    let changes = Changes::from(count + stepped);
    if stepped + cut > 0 { changes.assume(ASSUMPTION) } else { changes }
}

/// Makes an array of vectors the matrix or the array of matrices that it is used as.
fn shape_member(global: &mut Global, uses: &Uses, matrices: &Matrices) -> bool {
    let Shape::Float { components: 4, elements } = global.shape else { return false };
    if global.stride != SLOT || elements < 3 {
        return false;
    }
    let (first, last) = (global.offset, global.offset.saturating_add(elements.saturating_mul(SLOT)));
    let inside: Vec<&Columns> =
        matrices.fixed(global.binding).filter(|found| (first..last).contains(&found.base)).collect();
    let Some(most) = inside.iter().map(|found| found.columns).max() else { return false };
    let columns = if elements <= 4 { elements } else { most };
    let fits =
        |found: &&Columns| (found.base - first).is_multiple_of(columns * SLOT) && found.columns <= columns;
    if !elements.is_multiple_of(columns)
        || !inside.iter().all(fits)
        || uses.is_indexed(global.binding, first, last)
    {
        return false;
    }
    let rows = rows(uses, global.binding, columns, first, last);
    let count = if elements == columns { 0 } else { elements / columns };
    global.shape = Shape::Matrix { columns: columns as u8, rows, elements: count, element_stride: 0 };
    true
}

/// Makes a number or vector of floats that is read as integers alone one of integers: no file says what a member is.
fn read_as_integers(global: &mut Global, uses: &Uses) -> bool {
    let Shape::Float { components, elements: 0 } = global.shape else { return false };
    let (first, last) = (global.offset, global.offset.saturating_add(components.into()));
    if uses.is_indexed(global.binding, first, last) {
        return false;
    }
    let mut kinds = uses.words(global.binding, first, last).map(|(_, kind)| kind);
    let Some(kind) = kinds.next().filter(|kind| *kind != Kind::Float) else { return false };
    if kinds.any(|other| other != kind) {
        return false;
    }
    global.shape = shape(kind, components);
    true
}

/// Rows of a matrix of whose columns these words are: what has four columns has four, others as many as are used.
fn rows(uses: &Uses, binding: u32, columns: u32, first: u32, last: u32) -> u8 {
    let highest = uses.words(binding, first, last).map(|(word, _)| word % SLOT).max();
    if columns == 4 { 4 } else { highest.map_or(4, |highest| (highest + 1).max(2) as u8) }
}

/// The members of a block while they are found.
struct Plan<'a> {
    block: &'a UniformBlock,
    uses: &'a Uses,
    matrices: &'a Matrices,
    /// Slots that belong to a member.
    taken: BTreeSet<u32>,
    made: Vec<Global>,
    /// An array ends in front of a member that is of another kind.
    cut: bool,
}

impl Plan<'_> {
    /// Finds all of them. Gives the words from one element to the next of an array of matrices.
    fn make(&mut self) -> Option<u32> {
        let end = if self.block.words == 0 { MOST_WORDS } else { self.block.words.min(MOST_WORDS) };
        let end = end.next_multiple_of(SLOT);
        let binding = self.block.binding;
        let first = self.uses.first_indexed(binding).unwrap_or(0);
        if self.matrices.indexed(binding, first).is_none()
            && let Some(found) = Structures::find(self.uses, binding, end)
        {
            self.made.extend(found.globals(self.block));
            // An index may lead out of it.
            self.cut = true;
            let arrays = [found.words];
            self.fixed_matrices(&arrays);
            self.vectors(&arrays);
            return Some(found.step);
        }
        let arrays = self.arrays(end);
        let mut step = None;
        for array in &arrays {
            step = self.array(array.start, array.end, arrays.len() == 1);
        }
        self.fixed_matrices(&arrays);
        self.vectors(&arrays);
        step
    }

    fn add(&mut self, what: &str, first: u32, shape: Shape) {
        let number = first / SLOT;
        let component = match first % SLOT {
            0 => String::new(),
            n => format!("_{n}"),
        };
        let name = format!("{}_{what}{number}{component}", self.block.name);
        self.made.push(Global::new(name, Space::Uniform, self.block.binding, first, shape));
    }

    /// What indices go through: arrays, each of which ends where the code shows that its indices do, in front of a slot of another
    /// kind that the program reads, or with the block.
    fn arrays(&mut self, end: u32) -> Vec<Range<u32>> {
        let binding = self.block.binding;
        let Some(first) = self.uses.first_indexed(binding) else { return Vec::new() };
        let mut arrays: Vec<Range<u32>> = Vec::new();
        // The array that is open: where it starts, and what its slots are read as.
        let mut open: Option<(u32, SlotUse)> = None;
        let reached = |start: u32, slot: u32| {
            let reached = self.uses.end(binding, start * SLOT, (slot * SLOT).max(start * SLOT + 1));
            reached.map(|reached| reached.next_multiple_of(SLOT))
        };
        for (slot, read) in self.uses.slots(binding, first / SLOT * SLOT) {
            if slot * SLOT >= end && !arrays.is_empty() {
                break;
            }
            if let Some((start, kind)) = &mut open {
                let is_mixed = kind.float && kind.integer;
                let is_read = read.float || read.integer;
                let differ = kind.float && read.integer || kind.integer && read.float;
                let fits = is_mixed || !differ && (kind.double == read.double || !is_read);
                let behind = reached(*start, slot).filter(|reached| *reached <= slot * SLOT);
                if *start == slot || fits && behind.is_none() {
                    kind.double |= read.double;
                    kind.float |= read.float;
                    kind.integer |= read.integer;
                    continue;
                }
                arrays.push(*start * SLOT..behind.unwrap_or(slot * SLOT));
                open = None;
                self.cut |= behind.is_none();
            }
            if read.indexed {
                open = Some((slot, read));
            }
        }
        if let Some((start, _)) = open {
            arrays.push(start * SLOT..reached(start, end / SLOT).map_or(end, |reached| reached.min(end)));
        }
        arrays
    }

    /// One array, of matrices where it is `alone`.
    fn array(&mut self, first: u32, end: u32, alone: bool) -> Option<u32> {
        let binding = self.block.binding;
        if let Some(columns) = self.matrices.indexed(binding, first).filter(|_| alone) {
            let step = columns * SLOT;
            let elements = end.saturating_sub(first) / step;
            if elements > 0 && self.uses.steps(binding).all(|step| columns * SLOT == step) {
                let rows = if columns == 4 { 4 } else { self.uses.indexed_rows(binding) };
                let shape = Shape::Matrix { columns: columns as u8, rows, elements, element_stride: 0 };
                self.add("matrices", first, shape);
                return Some(step);
            }
        }
        let elements = (end.saturating_sub(first) / SLOT).max(1);
        let shape = match self.uses.indexed_kind(binding, first, end) {
            Kind::Float => Shape::Float { components: 4, elements },
            Kind::Int => Shape::Int { components: 4, elements },
            Kind::Uint => Shape::Uint { components: 4, elements },
        };
        self.add("values", first, shape);
        None
    }

    fn fixed_matrices(&mut self, arrays: &[Range<u32>]) {
        let binding = self.block.binding;
        let mut found: Vec<Columns> = self.matrices.fixed(binding).copied().collect();
        // Larger ones and those that are used more often first.
        found.sort_by_key(|found| (std::cmp::Reverse((found.columns, found.times)), found.base));
        for Columns { base, columns, .. } in found {
            let columns = if columns == 3 && self.is_padded(base) { 4 } else { columns };
            let slots = base / SLOT..base / SLOT + columns;
            let end = base + columns * SLOT;
            if arrays.iter().any(|array| base < array.end && end > array.start)
                || slots.clone().any(|slot| self.taken.contains(&slot))
            {
                continue;
            }
            if self.uses.words(binding, base, end).any(|(_, kind)| kind != Kind::Float) {
                continue;
            }
            self.taken.extend(slots);
            let rows = rows(self.uses, binding, columns, base, end);
            self.add(
                "matrix",
                base,
                Shape::Matrix { columns: columns as u8, rows, elements: 0, element_stride: 0 },
            );
        }
    }

    /// Whether three columns are four, the last of which nobody asks for: nothing reads the slot behind them, but the next.
    fn is_padded(&self, base: u32) -> bool {
        let binding = self.block.binding;
        let reads = |slot: u32| {
            self.uses.words(binding, base + slot * SLOT, base + (slot + 1) * SLOT).next().is_some()
        };
        !reads(3) && reads(4)
    }

    /// Slots that are left, by runs of words of one kind.
    fn vectors(&mut self, arrays: &[Range<u32>]) {
        let binding = self.block.binding;
        let mut slots: BTreeMap<u32, Vec<(u32, Kind)>> = BTreeMap::new();
        for (word, kind) in self.uses.words(binding, 0, u32::MAX) {
            if !arrays.iter().any(|array| array.contains(&word)) && !self.taken.contains(&(word / SLOT)) {
                slots.entry(word / SLOT).or_default().push((word, kind));
            }
        }
        let whole =
            |words: &[(u32, Kind)]| words.len() == 4 && words.iter().all(|(_, kind)| *kind == Kind::Float);
        let mut in_array = BTreeSet::new();
        for (slot, words) in &slots {
            if !whole(words) || in_array.contains(slot) {
                continue;
            }
            let run =
                (*slot..).take_while(|next| slots.get(next).is_some_and(|words| whole(words))).count() as u32;
            if run >= ARRAY {
                in_array.extend(*slot..slot + run);
                self.add("values", slot * SLOT, Shape::Float { components: 4, elements: run });
            }
        }
        for (slot, words) in &slots {
            if !in_array.contains(slot) {
                self.slot(words);
            }
        }
    }

    /// The words of one slot that are used.
    fn slot(&mut self, words: &[(u32, Kind)]) {
        let is_word = |word: u32| words.contains(&(word, Kind::Uint));
        let is_double = |word: &u32| {
            self.uses.is_double(self.block.binding, *word) && is_word(*word) && is_word(*word + 1)
        };
        let doubles: Vec<u32> = words.iter().map(|(word, _)| *word).filter(is_double).collect();
        if let Some(first) = doubles.first() {
            // One or two of them.
            self.add("vector", *first, shape(Kind::Uint, 2 * doubles.len() as u8));
            let rest: Vec<(u32, Kind)> =
                words.iter().copied().filter(|(word, _)| !doubles.contains(&(word & !1))).collect();
            return self.slot(&rest);
        }
        for (first, components, kind) in runs(words) {
            self.add(if components == 1 { "value" } else { "vector" }, first, shape(kind, components));
            if let Some(global) = self.made.last_mut() {
                // What only moves is known when memory is.
                global.by_use = components == 1 && self.uses.is_open(self.block.binding, first);
            }
        }
    }
}

/// The numbers and vectors that words of one slot are: the first word, components, the kind.
fn runs(words: &[(u32, Kind)]) -> Vec<(u32, u8, Kind)> {
    let mut found = Vec::new();
    for run in words.chunk_by(|(_, a), (_, b)| a == b) {
        let (Some((first, kind)), Some((last, _))) = (run.first(), run.last()) else { continue };
        let components = (last - first + 1) as u8;
        // Two integers are rarely a vector.
        let apart = *kind != Kind::Float && run.len() == 2;
        let aligned = match components {
            1 => true,
            2 => first.is_multiple_of(2),
            _ => first.is_multiple_of(SLOT),
        };
        if aligned && !apart && components > 1 {
            found.push((*first, components, *kind));
        } else {
            found.extend(run.iter().map(|(word, kind)| (*word, 1, *kind)));
        }
    }
    found
}

fn shape(kind: Kind, components: u8) -> Shape {
    match kind {
        Kind::Float => Shape::Float { components, elements: 0 },
        Kind::Int => Shape::Int { components, elements: 0 },
        Kind::Uint => Shape::Uint { components, elements: 0 },
    }
}

/// Whether an operation reads a word of a uniform block.
fn uniform(op: &Op) -> Option<crate::Access> {
    match op {
        Op::Load(access) if access.space == Space::Uniform => Some(*access),
        _ => None,
    }
}

#[cfg(test)]
mod tests;
