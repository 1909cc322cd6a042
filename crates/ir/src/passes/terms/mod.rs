//! Sums of products become dot products where the factors are components of vectors, whatever instructions the
//! products came from.
//!
//! Two values are components of one vector if they are components of one global, results of one instruction, or
//! come from the same operations on such. The rows of a matrix by columns are vectors too: that finds
//! `matrix * vector`, also where the last component of the vector is 1 and its product was left out. Values that several rows of
//! one matrix are multiplied with are the components of a vector, whatever they are made of.

mod sums;
mod vectors;

pub(super) use sums::{Sum, collect};
pub(super) use vectors::{Vectors, Words, find_vectors};

use super::Changes;
use super::edit::{insert_before, use_counts};
use crate::{FloatMode, Function, InstId, Module, Op, Origin, Space, Type, Value, Width};
use smallvec::{SmallVec, smallvec};
use std::collections::BTreeMap;
use sums::{Multiplied, Row, rows, sums};
use vectors::{CONSTANTS, Key};

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

fn find_all(function: &mut Function, words: &Words<'_>) -> usize {
    let uses = use_counts(function);
    let vectors = find_vectors(function, words);
    let sums = sums(function, &uses);
    let all: Vec<Vec<Row>> = sums.iter().map(|(_, _, sum)| rows(function, sum, &vectors)).collect();
    let multiplied = Multiplied::new(all.iter().flatten());
    let mut sums = sums.into_iter().zip(all).peekable();
    let mut count = 0;
    for block in 0..function.blocks.len() {
        // Instructions to put in front of others, the last place first.
        let mut inserts: Vec<(usize, Vec<InstId>)> = Vec::new();
        while let Some((((_, position), id, sum), rows)) = sums.next_if(|(((own, _), ..), _)| *own == block) {
            let groups = group(function, &sum, &vectors, &rows, &multiplied);
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

/// Terms that make a dot product: by lane, the factors; no first factor stands for 1.
struct Group {
    /// The dot product is taken away.
    negated: bool,
    terms: Vec<usize>,
    factors: Vec<(Option<Value>, Value)>,
}

fn group(
    function: &Function,
    sum: &Sum,
    vectors: &[Vectors],
    rows: &[Row],
    multiplied: &Multiplied,
) -> Vec<Group> {
    let mut pairs: BTreeMap<Pair, Vec<Candidate>> = BTreeMap::new();
    for row in rows {
        let Some(vector) = multiplied.key(row) else { continue };
        let is_first = row.key <= vector;
        let candidates = row.products.iter().filter_map(|product| {
            let args = &function.definition(*sum.terms.get(product.term)?)?.args;
            let other = *args.iter().find(|arg| **arg != product.factor)?;
            let factors = if is_first { [other, product.factor] } else { [product.factor, other] };
            Some(Candidate { term: product.term, factors, lanes: [product.column; 2] })
        });
        let key = if is_first { [row.key, vector] } else { [vector, row.key] };
        pairs.insert((key, false), candidates.collect());
    }
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
