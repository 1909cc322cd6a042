//! `refract(i, n, eta)`, spelled out: with `d = dot(n, i)` and `k = 1 - eta * eta * (1 - d * d)`, what is zero where
//! `k < 0` and `eta * i - (eta * d + sqrt(k)) * n` elsewhere, lane by lane; as choices, or as two ways that meet.

use super::Changes;
use super::edit::{Forward, constant};
use super::terms::{Words, find_vectors};
use crate::{
    BlockId, CompareFloat, FloatMode, Function, InstId, Module, Multiply, Op, Terminator, Type, Value, Width,
};
use smallvec::SmallVec;

const MODE: FloatMode = FloatMode::F32;
const MUL: Op = Op::FMul(MODE, Multiply::Ieee);
const ADD: Op = Op::FAdd(MODE);
const NEGATE: Op = Op::FNeg(Width::F32);

/// How far the square of a constant may be from the constant that stands for it, relatively.
const TOLERANCE: f32 = 4e-7;

/// What must hold where a constant was squared by the compiler.
const ASSUMPTION: &str = "constants in the code are what shorter numbers of the source were rounded to";

pub(super) fn run(module: &mut Module) -> Changes {
    let Module { functions, globals, .. } = module;
    let words = Words::new(globals);
    let count: usize = functions.iter_mut().map(|function| find_all(function, &words)).sum();
    Changes { count, ..Changes::default() }.assume(ASSUMPTION)
}

/// The ratio of the indices of refraction.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Eta {
    Number(f32),
    Value(Value),
}

impl Eta {
    /// What is equal for one ratio.
    fn key(self) -> (bool, u32) {
        match self {
            Self::Number(number) => (false, number.to_bits()),
            Self::Value(value) => (true, value.0),
        }
    }
}

/// A component of what comes in, and of the normal.
type Pair = (Value, Value);

/// One lane of a vector that is refracted.
#[derive(Debug, Clone, Copy)]
struct Found {
    /// What comes out, where both ways are together.
    result: Value,
    incident: Value,
    normal: Value,
    along: Value,
    eta: Eta,
    /// The block that decides, and the place in it behind which all operands are known.
    block: BlockId,
    place: usize,
}

fn find_all(function: &mut Function, words: &Words<'_>) -> usize {
    let found = Finder { function }.lanes();
    let vectors = if found.is_empty() { Vec::new() } else { find_vectors(function, words) };
    let lane = |value: Value| vectors.get(value.index()).and_then(|list| list.first()).map(|(_, lane)| *lane);
    let mut forward = Forward::new(function);
    let mut count = 0;
    let mut new: Vec<(BlockId, usize, SmallVec<[InstId; 2]>)> = Vec::new();
    let mut left: &[Found] = &found;
    while let Some(first) = left.first() {
        let key = |lane: &Found| (lane.block, lane.along, lane.eta.key());
        let same = |other: &Found| key(first) == key(other);
        let end = left.iter().position(|other| !same(other)).unwrap_or(left.len());
        let (group, rest) = left.split_at(end);
        left = rest;
        let Some(mut pairs) = (Finder { function }).whole(group) else { continue };
        // As they stand in a vector, if they come from one; otherwise as they were made.
        let distinct = |side: &dyn Fn(&Pair) -> Value| {
            let lanes: SmallVec<[u8; 3]> = pairs.iter().filter_map(|pair| lane(side(pair))).collect();
            (0..pairs.len()).all(|at| lanes.get(at).is_some_and(|one| !lanes[..at].contains(one)))
        };
        if distinct(&|pair| pair.0) {
            pairs.sort_by_key(|pair| lane(pair.0));
        } else if distinct(&|pair| pair.1) {
            pairs.sort_by_key(|pair| lane(pair.1));
        } else {
            pairs.sort_by_key(|pair| pair.0);
        }
        let lanes = pairs.len();
        let sides =
            pairs.iter().map(|(incident, _)| *incident).chain(pairs.iter().map(|(_, normal)| *normal));
        let mut args: SmallVec<[Value; 7]> = sides.collect();
        let place = group.iter().map(|lane| lane.place).min().unwrap_or(0);
        let origin = match function.blocks[first.block.index()].insts.get(place) {
            Some(at) => function.insts[at.index()].origin,
            None => crate::Origin { instruction: u32::MAX, step: 0, lane: 0 },
        };
        let mut made = SmallVec::new();
        args.push(match first.eta {
            Eta::Value(value) => value,
            // The constant may stand further behind.
            Eta::Number(number) => {
                let constant = function.push_inst(Op::B32(number.to_bits()), &[], &[Type::B32], origin);
                made.push(constant);
                function.result(constant, 0)
            }
        });
        let types = vec![Type::B32; lanes];
        let id = function.push_inst(Op::Refract(lanes as u8), &args, &types, origin);
        for lane in group {
            let at = pairs.iter().position(|pair| *pair == (lane.incident, lane.normal)).unwrap_or(0);
            let refracted = function.result(id, at);
            function.values[refracted.index()].variable = function.values[lane.result.index()].variable;
            forward.set(lane.result, refracted);
        }
        made.push(id);
        new.push((first.block, place, made));
        count += 1;
    }
    // The last places first, so that the others stay where they are.
    new.sort_by_key(|(block, place, _)| std::cmp::Reverse((*block, *place)));
    for (block, place, made) in new {
        let list = &mut function.blocks[block.index()].insts;
        let place = place.min(list.len());
        list.splice(place..place, made);
    }
    if count > 0 {
        forward.apply(function);
    }
    count
}

struct Finder<'a> {
    function: &'a Function,
}

impl Finder<'_> {
    /// All lanes, those of one vector next to each other.
    fn lanes(&self) -> Vec<Found> {
        let mut found = Vec::new();
        for (at, block) in self.function.blocks.iter().enumerate() {
            let at = BlockId(at as u32);
            for (place, id) in block.insts.iter().enumerate() {
                let inst = &self.function.insts[id.index()];
                if let (Op::Select, &[condition, yes, no]) = (inst.op, &inst.args[..]) {
                    found.extend(self.lane(condition, (yes, no), inst.results[0], (at, place)));
                }
            }
            if let Terminator::Branch { condition, .. } = &block.terminator {
                for (result, ways) in self.meeting(at) {
                    found.extend(self.lane(*condition, ways, result, (at, block.insts.len())));
                }
            }
        }
        // Stable: lanes stay in order.
        found.sort_by_key(|lane| (lane.block, lane.along, lane.eta.key()));
        found
    }

    /// The parameters of the block in which the two ways of a branch meet, one of them through a block of its own: each
    /// with what comes where the condition holds and where not.
    fn meeting(&self, block: BlockId) -> Vec<(Value, (Value, Value))> {
        let Terminator::Branch { then, otherwise, .. } = &self.function.blocks[block.index()].terminator
        else {
            return Vec::new();
        };
        let through = |way: &crate::Target| match &self.function.blocks[way.block.index()].terminator {
            Terminator::Jump(target) if way.args.is_empty() => Some(target.clone()),
            _ => None,
        };
        let (yes, no) = match (through(then), through(otherwise)) {
            (Some(inner), _) if inner.block == otherwise.block => (inner, otherwise.clone()),
            (_, Some(inner)) if inner.block == then.block => (then.clone(), inner),
            (Some(a), Some(b)) if a.block == b.block => (a, b),
            _ => return Vec::new(),
        };
        let join = yes.block;
        let entries = self.function.blocks.iter().flat_map(|block| block.terminator.targets());
        if entries.filter(|target| target.block == join).count() != 2 || join == block {
            return Vec::new();
        }
        let params = self.function.blocks[join.index()].params.iter();
        params.zip(yes.args.iter().zip(&no.args)).map(|(param, (yes, no))| (*param, (*yes, *no))).collect()
    }

    /// One lane: what comes where a condition holds and where not.
    fn lane(
        &self,
        condition: Value,
        (yes, no): (Value, Value),
        result: Value,
        (block, place): (BlockId, usize),
    ) -> Option<Found> {
        let (rest, negative) = self.is_negative(condition)?;
        let (zero, sum) = if negative { (yes, no) } else { (no, yes) };
        if self.number(zero)? != 0.0 {
            return None;
        }
        let (along, square) = self.squares(rest)?;
        // eta * i - t * n, where t is eta * d + sqrt(k).
        let (a, b) = self.pair(sum, ADD)?;
        [(a, b), (b, a)].into_iter().find_map(|(scaled, taken)| {
            let (first, second) = self.pair(scaled, MUL)?;
            let (t, normal) = self.taken(taken)?;
            [(first, second), (second, first)].into_iter().find_map(|(eta, incident)| {
                let eta = self.eta(eta, &square)?;
                let found = Found { result, incident, normal, along, eta, block, place };
                let fits = |factor| self.is_factor(factor, eta, along, rest);
                if fits(t) { Some(found) } else { fits(normal).then_some(Found { normal: t, ..found }) }
            })
        })
    }

    /// What is less than zero where a condition holds, or where it does not.
    fn is_negative(&self, condition: Value) -> Option<(Value, bool)> {
        let inst = self.function.definition(condition)?;
        let is_zero = |value| self.number(value) == Some(0.0);
        match (inst.op, &inst.args[..]) {
            (Op::Not, &[inner]) => self.is_negative(inner).map(|(rest, negative)| (rest, !negative)),
            (Op::FCompare(CompareFloat::Lt, MODE), &[a, b]) if is_zero(b) => Some((a, true)),
            (Op::FCompare(CompareFloat::Gt, MODE), &[a, b]) if is_zero(a) => Some((b, true)),
            (Op::FCompare(CompareFloat::Ge, MODE), &[a, b]) if is_zero(b) => Some((a, false)),
            (Op::FCompare(CompareFloat::Le, MODE), &[a, b]) if is_zero(a) => Some((b, false)),
            _ => None,
        }
    }

    /// `d` and the factors of `eta * eta` in `1 - eta * eta * (1 - d * d)`.
    fn squares(&self, rest: Value) -> Option<(Value, SmallVec<[Value; 4]>)> {
        let factors = self.one_less(rest)?;
        (0..factors.len()).find_map(|at| {
            let inner = self.one_less(factors[at])?;
            let &[along, again] = &inner[..] else { return None };
            let mut others = factors.clone();
            others.remove(at);
            (along == again).then_some((along, others))
        })
    }

    /// The factors of `p` in `1 - p`.
    fn one_less(&self, value: Value) -> Option<SmallVec<[Value; 4]>> {
        let (a, b) = self.pair(value, ADD)?;
        [(a, b), (b, a)].into_iter().find_map(|(one, rest)| {
            let mut factors = SmallVec::new();
            (self.number(one)? == 1.0 && self.factors(rest, &mut factors, 3)).then_some(factors)
        })
    }

    /// The factors of a product; whether an odd number of signs stands in front of them.
    fn factors(&self, value: Value, factors: &mut SmallVec<[Value; 4]>, depth: u32) -> bool {
        match self.function.definition(value).map(|inst| (inst.op, &inst.args[..])) {
            Some((NEGATE, &[inner])) if depth > 0 => !self.factors(inner, factors, depth - 1),
            Some((MUL, &[a, b])) if depth > 0 => {
                let first = self.factors(a, factors, depth - 1);
                first ^ self.factors(b, factors, depth - 1)
            }
            _ => {
                factors.push(value);
                false
            }
        }
    }

    /// What is multiplied and taken away.
    fn taken(&self, value: Value) -> Option<(Value, Value)> {
        let inside = |value| match self.function.definition(value).map(|inst| (inst.op, &inst.args[..])) {
            Some((NEGATE, &[inner])) => Some(inner),
            _ => None,
        };
        if let Some(inner) = inside(value) {
            return self.pair(inner, MUL);
        }
        let (a, b) = self.pair(value, MUL)?;
        inside(a).map(|a| (a, b)).or_else(|| inside(b).map(|b| (a, b)))
    }

    /// A factor as the ratio whose square has these factors.
    fn eta(&self, value: Value, square: &[Value]) -> Option<Eta> {
        match (self.number(value), square) {
            (Some(number), [one]) => {
                let own = number * number;
                let near = (self.number(*one)? - own).abs() <= TOLERANCE * own;
                near.then_some(Eta::Number(number))
            }
            (None, [one, two]) if *one == value && *two == value => Some(Eta::Value(value)),
            _ => None,
        }
    }

    /// Whether a value is `eta * d + sqrt(k)`.
    fn is_factor(&self, value: Value, eta: Eta, along: Value, rest: Value) -> bool {
        let Some((a, b)) = self.pair(value, ADD) else { return false };
        let is_root = |value| {
            let inst = self.function.definition(value);
            inst.is_some_and(|inst| inst.op == Op::FSqrt(MODE) && inst.args[0] == rest)
        };
        let same = |value| match eta {
            Eta::Number(number) => self.number(value) == Some(number),
            Eta::Value(eta) => value == eta,
        };
        let is_scaled = |value| {
            self.pair(value, MUL).is_some_and(|(a, b)| a == along && same(b) || b == along && same(a))
        };
        is_root(a) && is_scaled(b) || is_root(b) && is_scaled(a)
    }

    /// Lanes of what comes in and of the normal, if these are all that the dot product has.
    fn whole(&self, group: &[Found]) -> Option<SmallVec<[Pair; 3]>> {
        let along = group.first()?.along;
        let mut products: SmallVec<[(Value, Value); 4]> = SmallVec::new();
        let inst = self.function.definition(along)?;
        match inst.op {
            Op::Dot(lanes) => {
                let (a, b) = inst.args.split_at(lanes.into());
                products.extend(a.iter().copied().zip(b.iter().copied()));
            }
            _ => self.products(along, &mut products, 3)?,
        }
        // Of each product the lane that has its factors; the same factors may stand there twice.
        let mut used = vec![false; group.len()];
        let mut pairs = SmallVec::new();
        for (a, b) in &products {
            let at = (0..group.len()).find(|at| {
                let lane = &group[*at];
                !used[*at] && [(*a, *b), (*b, *a)].contains(&(lane.incident, lane.normal))
            })?;
            used[at] = true;
            pairs.push((group[at].incident, group[at].normal));
        }
        // A lane may be asked for twice.
        let all = group.iter().all(|lane| pairs.contains(&(lane.incident, lane.normal)));
        ((2..=3).contains(&pairs.len()) && all).then_some(pairs)
    }

    /// The products of a sum.
    fn products(&self, value: Value, found: &mut SmallVec<[(Value, Value); 4]>, depth: u32) -> Option<()> {
        if let Some(pair) = self.pair(value, MUL) {
            found.push(pair);
            return Some(());
        }
        let (a, b) = self.pair(value, ADD).filter(|_| depth > 0)?;
        self.products(a, found, depth - 1)?;
        self.products(b, found, depth - 1)
    }

    fn pair(&self, value: Value, op: Op) -> Option<(Value, Value)> {
        let inst = self.function.definition(value).filter(|inst| inst.op == op)?;
        let &[a, b] = &inst.args[..] else { return None };
        Some((a, b))
    }

    fn number(&self, value: Value) -> Option<f32> {
        constant(self.function, value).map(|bits| f32::from_bits(bits as u32))
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{assert_near, program};
    use super::*;
    use crate::build::FunctionBuilder;

    /// `d`, `k` and `eta * d + sqrt(k)`.
    fn begin(builder: &mut FunctionBuilder, x: &[Value], eta: Value, square: Value) -> (Value, Value) {
        let lanes = x.len() / 2;
        let along = builder.value(Op::Dot(lanes as u8), x);
        let one = builder.float(1.0);
        let less = |builder: &mut FunctionBuilder, value| {
            let negative = builder.value(NEGATE, &[value]);
            builder.value(ADD, &[one, negative])
        };
        let squared = builder.value(MUL, &[along, along]);
        let rest = less(builder, squared);
        let scaled = builder.value(MUL, &[rest, square]);
        let rest = less(builder, scaled);
        let scaled = builder.value(MUL, &[eta, along]);
        let root = builder.value(Op::FSqrt(MODE), &[rest]);
        (rest, builder.value(ADD, &[scaled, root]))
    }

    fn lane(builder: &mut FunctionBuilder, eta: Value, t: Value, incident: Value, normal: Value) -> Value {
        let scaled = builder.value(MUL, &[incident, eta]);
        let taken = builder.value(MUL, &[normal, t]);
        let taken = builder.value(NEGATE, &[taken]);
        builder.value(ADD, &[taken, scaled])
    }

    fn found(before: &Module, expected: usize) {
        let mut after = before.clone();
        assert_eq!(run(&mut after).count, expected, "{before}");
        let problems = crate::verify::check(&after);
        assert!(problems.is_empty(), "{problems:?}\n{after}");
        assert_near(before, &after, 17);
    }

    /// Numbers that make `k` negative and positive are among those of the tests.
    #[test]
    fn choices_of_lanes() {
        for lanes in [2, 3] {
            let before = program(|builder, x| {
                let (eta, square) = (builder.float(0.7), builder.float(0.7 * 0.7));
                let x = &x[..2 * lanes];
                let (rest, t) = begin(builder, x, eta, square);
                let zero = builder.float(0.0);
                let negative = builder.value(Op::FCompare(CompareFloat::Lt, MODE), &[rest, zero]);
                // Not in the order of the dot product.
                let lanes = (0..lanes).rev().map(|at| {
                    let refracted = lane(builder, eta, t, x[at], x[lanes + at]);
                    builder.value(Op::Select, &[negative, zero, refracted])
                });
                lanes.collect()
            });
            found(&before, 1);
        }
    }

    #[test]
    fn two_ways_that_meet() {
        let mut builder = FunctionBuilder::new("main");
        let access = |space, offset| crate::Access { space, binding: 0, offset, stride: 0 };
        let input =
            |builder: &mut FunctionBuilder, at| builder.value(Op::Load(access(crate::Space::Input, at)), &[]);
        let x: Vec<Value> = (0..4).map(|at| input(&mut builder, at)).collect();
        let eta = input(&mut builder, 4);
        let square = builder.value(MUL, &[eta, eta]);
        let (rest, t) = begin(&mut builder, &x, eta, square);
        let zero = builder.float(0.0);
        let positive = builder.value(Op::FCompare(CompareFloat::Ge, MODE), &[rest, zero]);
        let (other, join) = (builder.block(), builder.block());
        let params = [builder.param(join, Type::B32), builder.param(join, Type::B32)];
        let target = crate::Target { block: join, args: vec![zero; 2] };
        let then = crate::Target { block: other, args: Vec::new() };
        builder.terminate(Terminator::Branch { condition: positive, then, otherwise: target });
        builder.switch_to(other);
        let lanes = [0, 1].map(|at| lane(&mut builder, eta, t, x[at], x[2 + at]));
        builder.jump(join, &lanes);
        builder.switch_to(join);
        for (at, param) in params.into_iter().enumerate() {
            builder.effect(Op::Store(access(crate::Space::Output, at as u32)), &[param]);
        }
        builder.returns(&[]);
        let mut before = Module::default();
        before.push_function(builder.finish());
        found(&before, 1);
    }

    /// Another normal, another ratio, another sign: something else.
    #[test]
    fn what_only_looks_like_it() {
        for wrong in 0..3 {
            let before = program(|builder, x| {
                let (eta, square) =
                    (builder.float(0.7), builder.float(if wrong == 0 { 0.5 } else { 0.7 * 0.7 }));
                let (rest, t) = begin(builder, x, eta, square);
                let zero = builder.float(0.0);
                let by = if wrong == 1 { CompareFloat::Gt } else { CompareFloat::Lt };
                let negative = builder.value(Op::FCompare(by, MODE), &[rest, zero]);
                let lanes = (0..3).map(|at| {
                    let normal = if wrong == 2 && at == 1 { x[0] } else { x[3 + at] };
                    let refracted = lane(builder, eta, t, x[at], normal);
                    builder.value(Op::Select, &[negative, zero, refracted])
                });
                lanes.collect()
            });
            found(&before, 0);
        }
    }
}
