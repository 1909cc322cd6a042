//! Three differences of products are the cross product of two vectors, also where some have the opposite sign: the cofactors of
//! a matrix, of which its inverse is made, are three such products.

use super::Changes;
use super::edit::Forward;
use super::terms::{Words, find_vectors};
use crate::{FloatMode, Function, InstId, Module, Multiply, Op, Type, Value, Width};
use std::collections::BTreeMap;

const MODE: FloatMode = FloatMode::F32;
const MUL: Op = Op::FMul(MODE, Multiply::Ieee);

/// How many products in one another an opposite is taken out of.
const SIGNS: usize = 4;
/// Differences of products in a block; one with more is left as it is.
const MOST: usize = 96;

pub(super) fn run(module: &mut Module) -> Changes {
    let Module { functions, globals, .. } = module;
    let words = Words::new(globals);
    functions.iter_mut().map(|function| find_all(function, &words)).sum::<usize>().into()
}

/// Two factors, the lesser first.
type Pair = (Value, Value);

/// `p * q - r * s`.
#[derive(Debug, Clone, Copy)]
struct Difference {
    at: usize,
    id: InstId,
    result: Value,
    plus: Pair,
    minus: Pair,
    /// It is the opposite of that.
    opposite: bool,
}

impl Difference {
    /// What this one is the opposite of.
    fn flipped(self) -> Self {
        Self { plus: self.minus, minus: self.plus, opposite: !self.opposite, ..self }
    }
}

/// The operands of a cross product, and the differences that are its components.
struct Cross {
    a: [Value; 3],
    b: [Value; 3],
    parts: [Difference; 3],
}

fn find_all(function: &mut Function, words: &Words<'_>) -> usize {
    let mut forward = Forward::new(function);
    let mut count = 0;
    let mut vectors = None;
    let mut turned_round: Vec<InstId> = Vec::new();
    for block in 0..function.blocks.len() {
        let mut differences = differences(function, block);
        let own = differences.len();
        if !(3..=MOST).contains(&own) {
            continue;
        }
        let mut places = Places::new(function, block, &differences);
        // The opposites behind them, so that they come into question last.
        differences.extend(differences.clone().into_iter().map(Difference::flipped));
        let mut by_pairs: BTreeMap<(Pair, Pair), usize> = BTreeMap::new();
        for (n, found) in differences.iter().enumerate() {
            by_pairs.entry((found.plus, found.minus)).or_insert(n);
        }
        let mut taken = vec![false; own];
        let mut inserts: Vec<(usize, InstId)> = Vec::new();
        for first in 0..own {
            if taken[first] {
                continue;
            }
            let Some((cross, used)) = search(&differences, &by_pairs, &taken, first) else { continue };
            let vectors = vectors.get_or_insert_with(|| find_vectors(function, words));
            let lane = |value: Value| {
                vectors.get(value.index()).and_then(|list| list.first()).map(|(_, lane)| *lane)
            };
            let cross = turned(cross, &lane);
            // Of what is a vector already only the first three components, where signs do not say that it was this.
            let lanes = |list: [Value; 3]| (0..3_u8).zip(list).map(|(n, value)| (n, lane(value)));
            let strange = |(n, lane): (u8, Option<u8>)| lane.is_some_and(|lane| lane != n);
            let turns = cross.parts.iter().any(|part| part.opposite);
            if turns && lanes(cross.a).chain(lanes(cross.b)).any(strange) {
                continue;
            }
            // Where all operands are there, and no component is used yet.
            let Some(place) = places.between(&cross) else { continue };
            places.put(&cross, place);
            used.iter().for_each(|n| taken[*n % own] = true);
            let args = [cross.a, cross.b].concat();
            let origin = function.insts[cross.parts[0].id.index()].origin;
            let id = function.push_inst(Op::Cross, &args, &[Type::B32; 3], origin);
            let mut opposites: Vec<InstId> = Vec::new();
            for (n, part) in cross.parts.iter().enumerate() {
                let (old, mut new) = (function.result(part.id, 0), function.result(id, n));
                function.values[new.index()].variable = function.values[old.index()].variable;
                if part.opposite {
                    let made = function.push_inst(Op::FNeg(Width::F32), &[new], &[Type::B32], origin);
                    opposites.push(made);
                    new = function.result(made, 0);
                }
                forward.set(old, new);
            }
            inserts.push((place, id));
            inserts.extend(opposites.iter().map(|made| (place, *made)));
            turned_round.append(&mut opposites);
            count += 1;
        }
        inserts.sort_by_key(|(place, _)| *place);
        let old = std::mem::take(&mut function.blocks[block].insts);
        let mut new = inserts.into_iter().peekable();
        let mut list = Vec::with_capacity(old.len());
        for (place, id) in old.into_iter().enumerate() {
            while let Some((_, made)) = new.next_if(|(at, _)| *at == place) {
                list.push(made);
            }
            list.push(id);
        }
        list.extend(new.map(|(_, made)| made));
        function.blocks[block].insts = list;
    }
    if count > 0 {
        forward.apply(function);
    }
    turn_signs(function, turned_round);
    count
}

/// Takes opposites out of products: those of components become opposites of products, and of these what is subtracted is
/// added.
fn turn_signs(function: &mut Function, mut opposites: Vec<InstId>) {
    for _ in 0..SIGNS {
        let plain: BTreeMap<Value, Value> = opposites
            .drain(..)
            .map(|id| (function.result(id, 0), function.insts[id.index()].args[0]))
            .collect();
        if plain.is_empty() {
            return;
        }
        // Products that had an opposite as a factor.
        let mut products: BTreeMap<Value, Option<InstId>> = BTreeMap::new();
        let listed: Vec<InstId> = function.blocks.iter().flat_map(|block| &block.insts).copied().collect();
        for id in listed {
            let inst = &function.insts[id.index()];
            let (MUL, &[a, b]) = (inst.op, &inst.args[..]) else { continue };
            let (value, other) = match (plain.get(&a), plain.get(&b)) {
                (Some(value), _) => (*value, b),
                (_, Some(value)) => (*value, a),
                _ => continue,
            };
            // Of two opposites the product is that of what they are of.
            let opposite = function.definition(other).filter(|inst| inst.op == Op::FNeg(Width::F32));
            let both = opposite.and_then(|inst| inst.args.first().copied());
            let inst = &mut function.insts[id.index()];
            inst.args = [value, both.unwrap_or(other)].into_iter().collect();
            if both.is_none() {
                products.insert(inst.results[0], None);
            }
        }
        let mut forward = Forward::new(function);
        for block in 0..function.blocks.len() {
            let mut list = Vec::new();
            for id in std::mem::take(&mut function.blocks[block].insts) {
                list.push(id);
                let inst = &function.insts[id.index()];
                let Some(product) = inst.results.first().filter(|result| products.contains_key(result))
                else {
                    continue;
                };
                let (product, origin) = (*product, inst.origin);
                let made = function.push_inst(Op::FNeg(Width::F32), &[product], &[Type::B32], origin);
                products.insert(product, Some(made));
                opposites.push(made);
                list.push(made);
            }
            function.blocks[block].insts = list;
        }
        // Whoever asked for the product asks for its opposite now, and for it where it was the opposite before.
        let made: Vec<InstId> = opposites.clone();
        for id in function.blocks.iter().flat_map(|block| &block.insts) {
            let inst = &function.insts[id.index()];
            if let (Op::FNeg(Width::F32), Some(product), false) =
                (inst.op, inst.args.first().filter(|arg| products.contains_key(arg)), made.contains(id))
            {
                forward.set(inst.results[0], *product);
            }
        }
        let opposite: BTreeMap<Value, Value> = products
            .iter()
            .filter_map(|(product, made)| Some((*product, function.result((*made)?, 0))))
            .collect();
        for block in 0..function.blocks.len() {
            for id in function.blocks[block].insts.clone() {
                if made.contains(&id) || function.insts[id.index()].op == Op::FNeg(Width::F32) {
                    continue;
                }
                for arg in &mut function.insts[id.index()].args {
                    *arg = opposite.get(arg).copied().unwrap_or(*arg);
                }
            }
            function.blocks[block]
                .terminator
                .for_each_value_mut(|value| *value = opposite.get(value).copied().unwrap_or(*value));
        }
        forward.apply(function);
    }
}

/// Where values of a block are made and used first.
struct Places {
    made: BTreeMap<Value, usize>,
    used: BTreeMap<Value, usize>,
}

impl Places {
    fn new(function: &Function, block: usize, differences: &[Difference]) -> Self {
        let mut made = BTreeMap::new();
        let mut used: BTreeMap<Value, usize> =
            differences.iter().map(|found| (function.result(found.id, 0), usize::MAX)).collect();
        for (place, id) in function.blocks[block].insts.iter().enumerate() {
            let inst = &function.insts[id.index()];
            made.extend(inst.results.iter().map(|result| (*result, place)));
            for arg in &inst.args {
                if let Some(first) = used.get_mut(arg) {
                    *first = (*first).min(place);
                }
            }
        }
        Self { made, used }
    }

    /// A cross product is in front of this place now: its components are there from then on, its operands must be before.
    fn put(&mut self, cross: &Cross, place: usize) {
        for part in &cross.parts {
            self.made.insert(part.result, place.saturating_sub(1));
        }
        for operand in cross.a.iter().chain(&cross.b) {
            if let Some(first) = self.used.get_mut(operand) {
                *first = (*first).min(place.saturating_sub(1));
            }
        }
    }

    /// A place behind all operands and in front of all uses.
    fn between(&self, cross: &Cross) -> Option<usize> {
        let operands = cross.a.iter().chain(&cross.b);
        let ready =
            operands.filter_map(|value| self.made.get(value)).map(|place| place + 1).max().unwrap_or(0);
        let first = cross.parts.iter().filter_map(|part| self.used.get(&part.result)).min().copied();
        // As late as its components were made, where that is early enough.
        let last = cross.parts.iter().map(|part| part.at).max().unwrap_or(0);
        let first = first.unwrap_or(usize::MAX);
        (ready <= first).then(|| last.clamp(ready, first.max(ready)))
    }
}

/// All differences of products in a block.
fn differences(function: &Function, block: usize) -> Vec<Difference> {
    let product = |value: Value| match function.definition(value) {
        Some(inst) if inst.op == MUL => match inst.args[..] {
            [a, b] => Some((a.min(b), a.max(b))),
            _ => None,
        },
        _ => None,
    };
    let negated = |value: Value| match function.definition(value) {
        Some(inst) if inst.op == Op::FNeg(Width::F32) => inst.args.first().copied(),
        _ => None,
    };
    let mut found = Vec::new();
    for (at, id) in function.blocks[block].insts.iter().enumerate() {
        let inst = &function.insts[id.index()];
        let (Op::FAdd(MODE), &[a, b]) = (inst.op, &inst.args[..]) else { continue };
        let difference = [(a, b), (b, a)].into_iter().find_map(|(plus, minus)| {
            let (plus, minus) = (product(plus)?, product(negated(minus)?)?);
            Some(Difference { at, id: *id, result: function.result(*id, 0), plus, minus, opposite: false })
        });
        found.extend(difference);
    }
    found
}

/// The factor beside another one.
fn beside(pair: Pair, value: Value) -> Option<Value> {
    if pair.0 == value { Some(pair.1) } else { (pair.1 == value).then_some(pair.0) }
}

/// Two differences that make a cross product with the first one, `a1 * b2 - a2 * b1`.
fn search(
    differences: &[Difference],
    by_pairs: &BTreeMap<(Pair, Pair), usize>,
    taken: &[bool],
    first: usize,
) -> Option<(Cross, [usize; 3])> {
    let found = differences.get(first)?;
    let turns = |(a, b): Pair| [(a, b), (b, a)];
    for ((a1, b2), (a2, b1)) in
        turns(found.plus).into_iter().flat_map(|plus| turns(found.minus).map(|minus| (plus, minus)))
    {
        for (second, next) in differences.iter().enumerate() {
            let own = taken.len();
            if second % own == first || taken[second % own] {
                continue;
            }
            // a2 * b0 - a0 * b2
            let (Some(b0), Some(a0)) = (beside(next.plus, a2), beside(next.minus, b2)) else { continue };
            let pair = |a: Value, b: Value| (a.min(b), a.max(b));
            let Some(third) = by_pairs.get(&(pair(a0, b1), pair(a1, b0))).copied() else { continue };
            if third % own == first || third % own == second % own || taken[third % own] {
                continue;
            }
            let parts = [*found, *next, differences[third]];
            return Some((Cross { a: [a0, a1, a2], b: [b0, b1, b2], parts }, [first, second, third]));
        }
    }
    None
}

/// The same with its components in the order that the operands have in their vectors.
fn turned(cross: Cross, lane: &dyn Fn(Value) -> Option<u8>) -> Cross {
    let turn = |by: usize| {
        let of = |list: [Value; 3]| [0, 1, 2].map(|n| list[(n + by) % 3]);
        let parts = [0, 1, 2].map(|n| cross.parts[(n + by) % 3]);
        Cross { a: of(cross.a), b: of(cross.b), parts }
    };
    let score = |cross: &Cross| {
        let lanes =
            |list: [Value; 3]| (0..3u8).zip(list).filter(|(n, value)| lane(*value) == Some(*n)).count();
        lanes(cross.a) + lanes(cross.b)
    };
    // Of equal ones that whose first component was made first.
    let mut turns = [turn(0), turn(1), turn(2)];
    turns.sort_by_key(|cross| (std::cmp::Reverse(score(cross)), cross.parts[0].at));
    let [best, ..] = turns;
    best
}

#[cfg(test)]
mod tests {
    use super::super::testing::{assert_near, program};
    use super::*;
    use crate::build::FunctionBuilder;

    #[test]
    fn differences_are_a_cross_product() {
        let difference = |builder: &mut FunctionBuilder, x: &[Value], [p, q, r, s]: [usize; 4]| {
            let plus = builder.value(MUL, &[x[p], x[q]]);
            let minus = builder.value(MUL, &[x[r], x[s]]);
            let minus = builder.value(Op::FNeg(Width::F32), &[minus]);
            builder.value(Op::FAdd(MODE), &[minus, plus])
        };
        // In the order in which a compiler may have put them.
        for order in [[0, 1, 2], [1, 2, 0], [2, 1, 0]] {
            let before = program(|builder, x| {
                let parts = [[1, 5, 2, 4], [3, 2, 0, 5], [0, 4, 1, 3]];
                let values = order.map(|n| (n, difference(builder, x, parts[n])));
                let mut stored = vec![x[0]; 3];
                values.into_iter().for_each(|(n, value)| stored[n] = value);
                stored
            });
            let mut after = before.clone();
            assert_eq!(run(&mut after).count, 1);
            let text = after.to_string();
            assert!(text.contains("cross"), "{text}");
            assert!(crate::verify::check(&after).is_empty());
            assert_near(&before, &after, 5);
        }
    }

    #[test]
    fn components_may_have_the_opposite_sign() {
        let before = program(|builder, x| {
            let parts = [[1, 5, 2, 4], [0, 5, 3, 2], [0, 4, 1, 3]];
            let stored = parts.map(|[p, q, r, s]| {
                let plus = builder.value(MUL, &[x[p], x[q]]);
                let minus = builder.value(MUL, &[x[r], x[s]]);
                let minus = builder.value(Op::FNeg(Width::F32), &[minus]);
                builder.value(Op::FAdd(MODE), &[plus, minus])
            });
            stored.to_vec()
        });
        let mut after = before.clone();
        assert_eq!(run(&mut after).count, 1);
        let text = after.to_string();
        assert!(text.contains("cross"), "{text}");
        assert!(crate::verify::check(&after).is_empty());
        assert_near(&before, &after, 5);
    }

    #[test]
    fn one_difference_is_none() {
        let before = program(|builder, x| {
            let plus = builder.value(MUL, &[x[0], x[1]]);
            let minus = builder.value(MUL, &[x[2], x[3]]);
            let minus = builder.value(Op::FNeg(Width::F32), &[minus]);
            let first = builder.value(Op::FAdd(MODE), &[minus, plus]);
            vec![first, first]
        });
        assert_eq!(run(&mut before.clone()).count, 0);
    }
}
