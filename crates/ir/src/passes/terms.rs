//! Sums of products become dot products where the factors are components of vectors, whatever instructions the
//! products came from.
//!
//! Two values are components of one vector if they are components of one global, results of one instruction, or
//! come from the same operations on such. The rows of a matrix by columns are vectors too: that finds
//! `matrix * vector`, also where the last component of the vector is 1 and its product was left out.

use super::Changes;
use super::edit::{constant, insert_before, use_counts};
use crate::cfg::Cfg;
use crate::{
    FloatMode, Function, Global, InstId, Module, Op, Origin, Shape, Space, Type, Value, ValueDef, Width,
};
use smallvec::{SmallVec, smallvec};
use std::collections::BTreeMap;

const ADD: Op = Op::FAdd(FloatMode::F32);
const NEGATE: Op = Op::FNeg(Width::F32);

/// What must hold.
const ASSUMPTION: &str = "the terms of a dot product may be added in any order";
/// Most terms of a sum that is looked at.
const TERMS: usize = 16;
/// How often a function is gone through.
const ROUNDS: usize = 4;
/// Most products of a dot product.
const LANES: usize = 4;

pub(super) fn run(module: &mut Module) -> Changes {
    if !module.from_shading_language {
        return Changes::default();
    }
    let Module { functions, globals, .. } = module;
    let words = Words::new(globals);
    let mut count = 0;
    for function in functions {
        // What was found makes vectors of what it is used by.
        for _ in 0..ROUNDS {
            let found = find_all(function, &words);
            count += found;
            if found == 0 {
                break;
            }
        }
    }
    Changes { count, ..Changes::default() }.assume(ASSUMPTION)
}

/// Which globals a word belongs to.
pub(super) struct Words<'a> {
    globals: &'a [Global],
    /// By space and binding, in order of the module.
    bindings: BTreeMap<(Space, u32), Vec<u32>>,
}

impl<'a> Words<'a> {
    pub(super) fn new(globals: &'a [Global]) -> Self {
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
pub(super) struct Key(u64);

impl Key {
    fn of(parts: &[u32]) -> Self {
        parts.iter().fold(Self(0x9E37_79B9), |key, part| key.with(u64::from(*part)))
    }

    /// The number that it is.
    pub(super) fn number(self) -> u64 {
        self.0
    }

    fn with(self, part: u64) -> Self {
        Self((self.0.rotate_left(5) ^ part).wrapping_mul(0x517C_C1B7_2722_0A95).rotate_left(21))
    }
}

/// Vectors that a value is a component of, and which.
pub(super) type Vectors = SmallVec<[(Key, u8); 4]>;

/// All constants are components of one vector.
const CONSTANTS: Key = Key(1);

/// For each value the vectors it is a component of.
pub(super) fn find_vectors(function: &Function, words: &Words<'_>) -> Vec<Vectors> {
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

/// A product of a sum, with its factors as components of a pair of vectors.
#[derive(Debug, Clone, Copy)]
struct Candidate {
    term: usize,
    /// Factors in the order of the pair.
    factors: [Value; 2],
    lanes: [u8; 2],
}

/// Vectors that products have their factors from, and whether the products are taken away.
type Pair = ([Key; 2], bool);

/// A sum: its additions, and what is added, from left to right.
pub(super) struct Sum {
    pub(super) adds: SmallVec<[InstId; 8]>,
    pub(super) terms: SmallVec<[Value; 8]>,
}

fn find_all(function: &mut Function, words: &Words<'_>) -> usize {
    let uses = use_counts(function);
    let vectors = find_vectors(function, words);
    let mut taken = vec![false; function.insts.len()];
    let mut count = 0;
    for block in 0..function.blocks.len() {
        // Instructions to put in front of others, the last place first.
        let mut inserts: Vec<(usize, Vec<InstId>)> = Vec::new();
        for position in (0..function.blocks[block].insts.len()).rev() {
            let id = function.blocks[block].insts[position];
            if taken.get(id.index()) != Some(&false) || function.insts[id.index()].op != ADD {
                continue;
            }
            let Some(sum) = collect(function, id, &uses) else { continue };
            for inner in &sum.adds {
                taken[inner.index()] = true;
            }
            let groups = group(function, &sum, &vectors);
            if !groups.is_empty() {
                inserts.push((position, rebuild(function, id, &sum, &groups)));
                count += groups.len();
            } else if let Some(terms) = in_order(function, &sum, &vectors) {
                let sum = Sum { terms, ..sum };
                inserts.push((position, rebuild(function, id, &sum, &[])));
                count += 1;
            }
        }
        insert_before(function, block, inserts);
    }
    count
}

/// The tree of additions whose root this is; none if it is too large.
pub(super) fn collect(function: &Function, root: InstId, uses: &[u32]) -> Option<Sum> {
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

/// Terms that make a dot product: by lane, the factors; no first factor stands for 1.
struct Group {
    /// The dot product is taken away.
    negated: bool,
    terms: Vec<usize>,
    factors: Vec<(Option<Value>, Value)>,
}

fn group(function: &Function, sum: &Sum, vectors: &[Vectors]) -> Vec<Group> {
    let mut pairs: BTreeMap<Pair, Vec<Candidate>> = BTreeMap::new();
    for (term, value) in sum.terms.iter().enumerate() {
        let Some(mut inst) = function.definition(*value) else { continue };
        let negated = matches!(inst.op, Op::FNeg(_));
        if negated {
            let Some(inner) = function.definition(inst.args[0]) else { continue };
            inst = inner;
        }
        let (Op::FMul(FloatMode::F32, _), &[a, b]) = (inst.op, &inst.args[..]) else { continue };
        for (first, at) in &vectors[a.index()] {
            for (second, lane) in &vectors[b.index()] {
                let mut candidate = Candidate { term, factors: [a, b], lanes: [*at, *lane] };
                let mut key = [*first, *second];
                if key[0] > key[1] {
                    key.reverse();
                    candidate.factors.reverse();
                    candidate.lanes.reverse();
                }
                pairs.entry((key, negated)).or_default().push(candidate);
            }
        }
    }
    let mut used = vec![false; sum.terms.len()];
    let mut groups = Vec::new();
    // The largest first; of equal ones that with the earliest term.
    let mut pairs: Vec<(Pair, Vec<Candidate>)> = pairs.into_iter().collect();
    pairs.sort_by_key(|(_, list)| (std::cmp::Reverse(list.len()), list.first().map(|first| first.term)));
    for ((key, negated), list) in pairs {
        let mut members: Vec<Candidate> = Vec::new();
        let constants = key.map(|key| key == CONSTANTS);
        for candidate in list.iter().filter(|candidate| !used[candidate.term]) {
            let fresh = |side: usize| {
                constants[side] || members.iter().all(|other| other.lanes[side] != candidate.lanes[side])
            };
            let again = members.iter().any(|other| other.term == candidate.term);
            if members.len() < LANES && !again && fresh(0) && fresh(1) {
                members.push(*candidate);
            }
        }
        let least = if constants.contains(&true) { 3 } else { 2 };
        if members.len() < least {
            continue;
        }
        // Ordered by the side that is no constant.
        let side = usize::from(constants[0]);
        members.sort_by_key(|member| member.lanes[side]);
        members.iter().for_each(|member| used[member.term] = true);
        let mut group = Group {
            negated,
            terms: members.iter().map(|member| member.term).collect(),
            factors: members
                .iter()
                .map(|member| (Some(member.factors[1 - side]), member.factors[side]))
                .collect(),
        };
        if !negated {
            add_last(function, &mut group, key, side, &members, sum, vectors, &mut used);
        }
        uniforms_last(function, &mut group);
        groups.push(group);
    }
    groups.sort_by_key(|group| group.terms.iter().min().copied());
    groups
}

/// What is set from outside stands behind what it is multiplied with.
fn uniforms_last(function: &Function, group: &mut Group) {
    let is_uniform = |value: Value| matches!(function.definition(value).map(|inst| inst.op), Some(Op::Load(access)) if access.space == Space::Uniform);
    let known =
        |(first, second): &(Option<Value>, Value)| first.is_some_and(is_uniform) && !is_uniform(*second);
    if group.factors.iter().all(known) {
        for (first, second) in &mut group.factors {
            if let Some(first) = first {
                std::mem::swap(first, second);
            }
        }
    }
}

/// The terms of a sum with the products of a vector's components in their order; none if they stand so, or if there
/// are other products. What the components are multiplied with comes from one buffer, as the rows of a matrix do: in
/// other sums the order of one lane need not be that of the next.
fn in_order(function: &Function, sum: &Sum, vectors: &[Vectors]) -> Option<SmallVec<[Value; 8]>> {
    let mut lanes: BTreeMap<(Key, Space, u32), Vec<(u8, usize)>> = BTreeMap::new();
    let mut products = 0;
    for (term, value) in sum.terms.iter().enumerate() {
        let Some(inst) = function.definition(*value) else { continue };
        let (Op::FMul(FloatMode::F32, _), &[a, b]) = (inst.op, &inst.args[..]) else { continue };
        products += 1;
        for (factor, other) in [(a, b), (b, a)] {
            let Some(Op::Load(access)) = function.definition(other).map(|inst| inst.op) else { continue };
            for (key, lane) in &vectors[factor.index()] {
                if *key != CONSTANTS {
                    let from = (*key, access.space, access.binding);
                    lanes.entry(from).or_default().push((*lane, term));
                }
            }
        }
    }
    // The largest; of equal ones that with the earliest term.
    let most = lanes
        .into_values()
        .filter(|list| list.len() >= 2 && list.len() == products)
        .min_by_key(|list| (std::cmp::Reverse(list.len()), list.first().map(|(_, term)| *term)))?;
    let mut sorted = most.clone();
    sorted.sort_unstable();
    let is_vector = sorted.windows(2).all(|pair| pair[0].0 != pair[1].0);
    let mut places: Vec<usize> = most.iter().map(|(_, term)| *term).collect();
    places.sort_unstable();
    places.dedup();
    if !is_vector
        || places.len() != sorted.len()
        || sorted.iter().map(|(_, term)| *term).eq(places.iter().copied())
    {
        return None;
    }
    let mut terms = sum.terms.clone();
    for (place, (_, term)) in places.into_iter().zip(sorted) {
        terms[place] = sum.terms[term];
    }
    Some(terms)
}

/// A term that is the next component of one of the vectors stands for its product with 1; in a row of a matrix that is
/// multiplied with (x, y, 0, 1) one is left out.
#[allow(clippy::too_many_arguments, reason = "a step of its caller")]
fn add_last(
    function: &Function,
    group: &mut Group,
    key: [Key; 2],
    second: usize,
    members: &[Candidate],
    sum: &Sum,
    vectors: &[Vectors],
    used: &mut [bool],
) {
    if members.len() < 2 || members.len() >= LANES {
        return;
    }
    for (term, value) in sum.terms.iter().enumerate().filter(|(term, _)| !used[*term]) {
        let own = &vectors[value.index()];
        // Components of matrices have a row first, then a column.
        let loaded = matches!(function.definition(*value).map(|inst| inst.op), Some(Op::Load(_)));
        let of_matrix = loaded && own.len() == 2;
        let found = own.iter().enumerate().find_map(|(at, (own_key, lane))| {
            let side = key.iter().position(|key| key == own_key)?;
            let next = members.iter().map(|member| member.lanes[side]).max()? + 1;
            let fits = if at == 0 && of_matrix { *lane >= next } else { members.len() > 2 && *lane == next };
            (key[side] != CONSTANTS && fits).then_some(side)
        });
        if let Some(side) = found {
            used[term] = true;
            if side != second {
                for (first, second) in &mut group.factors {
                    if let Some(first) = first {
                        std::mem::swap(first, second);
                    }
                }
            }
            group.terms.push(term);
            group.factors.push((None, *value));
            return;
        }
    }
}

/// Makes the root the sum of the dot products and of what is left. Gives the instructions to put in front.
fn rebuild(function: &mut Function, root: InstId, sum: &Sum, groups: &[Group]) -> Vec<InstId> {
    let origin = function.insts[root.index()].origin;
    let mut new = Vec::new();
    let mut one = None;
    // Values with the place of the first of their terms.
    let mut parts: Vec<(usize, Value)> = Vec::new();
    let mut only: Option<(Op, SmallVec<[Value; 3]>)> = None;
    for group in groups {
        let mut args: SmallVec<[Value; 3]> = SmallVec::new();
        for (first, _) in &group.factors {
            args.push(match first {
                Some(first) => *first,
                None => *one.get_or_insert_with(|| {
                    let nowhere = Origin { instruction: u32::MAX, step: 0, lane: 0 };
                    let made = function.push_inst(Op::B32(1.0f32.to_bits()), &[], &[Type::B32], nowhere);
                    new.push(made);
                    function.result(made, 0)
                }),
            });
        }
        args.extend(group.factors.iter().map(|(_, second)| *second));
        let op = Op::Dot(group.factors.len() as u8);
        if group.terms.len() == sum.terms.len() && !group.negated {
            only = Some((op, args));
            break;
        }
        let mut made = function.push_inst(op, &args, &[Type::B32], origin);
        new.push(made);
        if group.negated {
            let value = function.result(made, 0);
            if group.terms.len() == sum.terms.len() {
                only = Some((NEGATE, smallvec![value]));
                break;
            }
            made = function.push_inst(NEGATE, &[value], &[Type::B32], origin);
            new.push(made);
        }
        parts.push((group.terms.iter().min().copied().unwrap_or(0), function.result(made, 0)));
    }
    let (op, args) = match only {
        Some(only) => only,
        None => {
            let in_group = |term: &usize| groups.iter().any(|group| group.terms.contains(term));
            parts.extend(
                (0..sum.terms.len()).filter(|term| !in_group(term)).map(|term| (term, sum.terms[term])),
            );
            parts.sort_by_key(|(term, _)| *term);
            let last = parts.pop().map(|(_, value)| value);
            let mut total = None;
            // The additions keep their places, from the innermost on, so that lanes find each other again.
            let mut origins =
                sum.adds.iter().rev().map(|add| function.insts[add.index()].origin).collect::<Vec<_>>();
            origins.reverse();
            for (_, value) in parts {
                total = Some(match total {
                    None => value,
                    Some(before) => {
                        let origin = origins.pop().unwrap_or(origin);
                        let made = function.push_inst(ADD, &[before, value], &[Type::B32], origin);
                        new.push(made);
                        function.result(made, 0)
                    }
                });
            }
            match (total, last) {
                (Some(total), Some(last)) => (ADD, smallvec![total, last]),
                _ => return new,
            }
        }
    };
    let inst = &mut function.insts[root.index()];
    inst.op = op;
    inst.args = args;
    new
}
