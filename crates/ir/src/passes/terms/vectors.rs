//! Which vectors values are components of.
//!
//! Two values are components of one vector if they are components of one global, results of one instruction, or come from the
//! same operations on such.

use super::super::edit::constant;
use crate::cfg::Cfg;
use crate::{Function, Global, Op, Shape, Space, Value};
use smallvec::{SmallVec, smallvec};
use std::collections::BTreeMap;

/// Which globals a word belongs to.
pub(in crate::passes) struct Words<'a> {
    globals: &'a [Global],
    /// By space and binding, in order of the module.
    bindings: BTreeMap<(Space, u32), Vec<u32>>,
}

impl<'a> Words<'a> {
    pub(in crate::passes) fn new(globals: &'a [Global]) -> Self {
        let mut bindings: BTreeMap<(Space, u32), Vec<u32>> = BTreeMap::new();
        for (index, global) in globals.iter().enumerate() {
            bindings.entry((global.space, global.binding)).or_default().push(index as u32);
        }
        Self { globals, bindings }
    }

    /// The vectors that a word is a component of. `steps` goes with the dynamic index, if there is one.
    fn vectors(&self, access: crate::Access, index: Option<Value>) -> Vectors {
        let members = self.bindings.get(&(access.space, access.binding));
        for at in members.into_iter().flatten() {
            let global = &self.globals[*at as usize];
            let (vertex, word) = of_vertex(global, access.offset);
            let Some((element, component)) = global.locate(word) else { continue };
            // An element of what each vertex has; there are fewer vertices than that.
            let element = element.unwrap_or(0).wrapping_add(vertex << 16);
            let from =
                |kind: u32, which: u32| Key::of(&[kind, *at, which, index.map_or(u32::MAX, |index| index.0)]);
            let Shape::Matrix { columns, .. } = global.shape else {
                return smallvec![(from(0, element), component)];
            };
            let columns = u32::from(columns.max(1));
            let (matrix, column) = (element / columns, element % columns);
            let row = from(1, matrix * 4 + u32::from(component));
            return smallvec![(row, column as u8), (from(2, element), component)];
        }
        smallvec![]
    }
}

/// The vertex that a word belongs to, and the word of the first vertex in its place.
fn of_vertex(global: &Global, word: u32) -> (u32, u32) {
    match word.checked_sub(global.offset) {
        Some(at) if global.vertices > 0 && global.vertex_stride > 0 => {
            (at / global.vertex_stride, global.offset + at % global.vertex_stride)
        }
        _ => (0, word),
    }
}

/// Names a vector.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::passes) struct Key(u64);

impl Key {
    pub(super) fn of(parts: &[u32]) -> Self {
        parts.iter().fold(Self(0x9E37_79B9), |key, part| key.with(u64::from(*part)))
    }

    /// The number that it is.
    pub(in crate::passes) fn number(self) -> u64 {
        self.0
    }

    pub(super) fn with(self, part: u64) -> Self {
        Self((self.0.rotate_left(5) ^ part).wrapping_mul(0x517C_C1B7_2722_0A95).rotate_left(21))
    }
}

/// Vectors that a value is a component of, and which.
pub(in crate::passes) type Vectors = SmallVec<[(Key, u8); 4]>;

/// All constants are components of one vector.
pub(super) const CONSTANTS: Key = Key(1);

/// For each value the vectors it is a component of.
pub(in crate::passes) fn find_vectors(function: &Function, words: &Words<'_>) -> Vec<Vectors> {
    let mut vectors: Vec<Vectors> = vec![Vectors::new(); function.values.len()];
    let cfg = Cfg::new(function);
    for block in &cfg.order {
        for id in &function.blocks[block.index()].insts {
            let inst = &function.insts[id.index()];
            if inst.results.len() > 1 {
                for (lane, result) in inst.results.iter().enumerate().take(4) {
                    vectors[result.index()] = smallvec![(Key::of(&[3, id.0]), lane as u8)];
                }
                continue;
            }
            let Some(result) = inst.results.first() else { continue };
            vectors[result.index()] = match inst.op {
                Op::B32(_) => smallvec![(CONSTANTS, 0)],
                Op::Load(access) => words.vectors(access, inst.args.first().copied()),
                Op::Dot(lanes) => product(function, lanes.into(), &inst.args, &vectors).into_iter().collect(),
                op => computed(function, &op, &inst.args, &vectors),
            };
        }
        // What the first way into a block passes as a vector is one there, and so what a loop carries.
        for target in function.blocks[block.index()].terminator.targets() {
            let params = &function.blocks[target.block.index()].params;
            for (param, arg) in params.iter().zip(&target.args) {
                let passed = vectors[arg.index()].iter().filter(|(key, _)| *key != CONSTANTS);
                let into = u64::from(target.block.0) | 1 << 42;
                let passed: Vectors = passed.map(|(key, lane)| (key.with(into), *lane)).collect();
                if vectors[param.index()].is_empty() {
                    vectors[param.index()] = passed;
                }
            }
        }
    }
    vectors
}

/// The vector of dot products of one vector with the rows or columns of a matrix.
fn product(function: &Function, width: usize, args: &[Value], vectors: &[Vectors]) -> Option<(Key, u8)> {
    let (a, b) = args.split_at(width);
    [(a, b), (b, a)].into_iter().find_map(|(side, other)| {
        // Each factor is the same component of some vector, of a row or of a column.
        [0, 1].into_iter().find_map(|kind| {
            let (_, lane) = vectors[side.first()?.index()].get(kind)?;
            let mut key = Key::of(&[4]);
            for value in side {
                let (own, at) = vectors[value.index()].get(kind)?;
                if at != lane || *own == CONSTANTS {
                    return None;
                }
                key = key.with(own.0);
            }
            other.iter().for_each(|value| key = key.with(scalar(function, *value)));
            (side.len() > 1 && side.iter().any(|value| *value != side[0])).then_some((key, *lane))
        })
    })
}

/// What a value that is no component of a vector adds to a key: equal constants add the same.
fn scalar(function: &Function, value: Value) -> u64 {
    match constant(function, value) {
        Some(bits) => bits | 1 << 40,
        None => u64::from(value.0) | 1 << 41,
    }
}

/// Vectors that are followed through operations.
const WAYS: usize = 4;

/// The vectors that a value is a component of; for a constant none.
fn own(vectors: &[Vectors], value: Value) -> &[(Key, u8)] {
    match &vectors[value.index()][..] {
        [(CONSTANTS, _), ..] => &[],
        list => list,
    }
}

/// The vectors that the same operation on vectors gives: all operands that have a lane have the same one, the others
/// are the same for all of them. A product is that of two vectors, or of a vector and a number.
fn computed(function: &Function, op: &Op, args: &[Value], vectors: &[Vectors]) -> Vectors {
    let key = operation_key(op);
    let &[a, b] = args else { return alike(function, key, args, vectors) };
    let (first, second) = (own(vectors, a), own(vectors, b));
    if first.is_empty() || second.is_empty() {
        return alike(function, key, args, vectors);
    }
    // Ways that were found the same way come first.
    let way = |at: usize, list: &[(Key, u8)]| if list.len() == 2 { at + 1 } else { at };
    let mut both: SmallVec<[(usize, Key, u8); 8]> = SmallVec::new();
    for (n, (one, lane)) in first.iter().enumerate() {
        for (m, (other, at)) in second.iter().enumerate() {
            if lane == at {
                let apart = way(n, first).abs_diff(way(m, second));
                both.push((apart, key.with(one.0).with(other.0), *lane));
            }
        }
    }
    both.sort_by_key(|(apart, ..)| *apart);
    let product = matches!(op, Op::FMul(..));
    let most = if product { 1 } else { WAYS };
    let mut found: Vectors = both.into_iter().take(most).map(|(_, key, lane)| (key, lane)).collect();
    if product {
        let vector = first.first().map(|(one, lane)| (key.with(one.0).with(scalar(function, b)), *lane));
        let scaled = second.first().map(|(other, lane)| (key.with(scalar(function, a)).with(other.0), *lane));
        found.extend(vector.into_iter().chain(scaled));
    }
    found
}

/// The vector of an operation whose operands that have a lane have the same one: of each the first way.
fn alike(function: &Function, mut key: Key, args: &[Value], vectors: &[Vectors]) -> Vectors {
    // With one vector among the operands all of its ways go on.
    let lists: SmallVec<[&[(Key, u8)]; 4]> = args.iter().map(|arg| own(vectors, *arg)).collect();
    let mut with_lane = lists.iter().filter(|list| !list.is_empty());
    if let (Some(list), None) = (with_lane.next(), with_lane.next()) {
        let of = |(vector, lane): &(Key, u8)| {
            let parts = args.iter().zip(&lists).map(|(arg, list)| match list.is_empty() {
                true => scalar(function, *arg),
                false => vector.0,
            });
            (parts.fold(key, Key::with), *lane)
        };
        return list.iter().map(of).collect();
    }
    let mut lane = None;
    for (arg, list) in args.iter().zip(&lists) {
        match list.first() {
            Some((vector, at)) => {
                if *lane.get_or_insert(*at) != *at {
                    return Vectors::new();
                }
                key = key.with(vector.0);
            }
            None => key = key.with(scalar(function, *arg)),
        }
    }
    lane.map(|lane| (key, lane)).into_iter().collect()
}

/// The key of an operation.
fn operation_key(op: &Op) -> Key {
    use std::hash::{Hash, Hasher};
    struct Folding(Key);
    impl Hasher for Folding {
        fn write(&mut self, bytes: &[u8]) {
            for byte in bytes {
                self.0 = self.0.with(u64::from(*byte));
            }
        }
        fn write_u8(&mut self, word: u8) {
            self.write_u64(word.into());
        }
        fn write_u32(&mut self, word: u32) {
            self.write_u64(word.into());
        }
        fn write_u64(&mut self, word: u64) {
            self.0 = self.0.with(word);
        }
        fn write_isize(&mut self, word: isize) {
            self.write_u64(word as u64);
        }
        fn finish(&self) -> u64 {
            self.0.0
        }
    }
    let mut hasher = Folding(Key(7));
    op.hash(&mut hasher);
    hasher.0
}
