//! Doubles that are taken apart and put together again are one value all the way.
//!
//! A machine keeps a double in two registers, and what passes it on passes two words: choices, and parameters of blocks.
//! Where both words always are those of one double, and a double is made of them, the double is what is passed on.

use super::edit::{Forward, constant};
use crate::{BlockId, Function, Module, Op, Origin, Type, Value, ValueDef};
use std::collections::{BTreeMap, BTreeSet};

/// What is behind a join may be a word of another.
const ROUNDS: usize = 16;
/// Pairs of parameters that pass one double on to each other.
const WEB: usize = 256;

pub(super) fn run(module: &mut Module) -> usize {
    let joins = |op: &Op| matches!(op, Op::Join);
    module
        .functions
        .iter_mut()
        .filter(|function| function.insts.iter().any(|inst| joins(&inst.op)))
        .map(|function| (0..ROUNDS).map(|_| round(function)).take_while(|count| *count > 0).sum::<usize>())
        .sum()
}

/// A double that two words are of: known, or a constant.
#[derive(Clone, Copy)]
enum Whole {
    Value(Value),
    Constant(u64),
}

fn whole(function: &Function, low: Value, high: Value) -> Option<Whole> {
    if let (Some(low), Some(high)) = (constant(function, low), constant(function, high)) {
        return Some(Whole::Constant(high << 32 | low));
    }
    let (low, high) = (function.definition(low)?, function.definition(high)?);
    let (Op::Low, Op::High) = (low.op, high.op) else { return None };
    let double = *low.args.first()?;
    (high.args.first() == Some(&double) && function.ty(double) == Type::B64).then_some(Whole::Value(double))
}

fn round(function: &mut Function) -> usize {
    let mut forward = Forward::new(function);
    let edges = edges(function);
    // Parameters that were made for two others.
    let mut made: Made = BTreeMap::new();
    let mut count = 0;
    for index in 0..function.blocks.len() {
        for position in 0..function.blocks[index].insts.len() {
            let id = function.blocks[index].insts[position];
            let inst = &function.insts[id.index()];
            let (Op::Join, &[low, high], Some(result)) =
                (inst.op, &inst.args[..], inst.results.first().copied())
            else {
                continue;
            };
            if function.ty(result) != Type::B64 {
                continue;
            }
            if let Some(Whole::Value(double)) = whole(function, low, high) {
                forward.set(result, double);
                count += 1;
                continue;
            }
            if select(function, (index, position), low, high) {
                count += 1;
                continue;
            }
            if let Some(param) = parameter(function, &edges, &mut made, low, high) {
                forward.set(result, param);
                count += 1;
            }
        }
    }
    if count > 0 {
        forward.apply(function);
    }
    count
}

/// A join of two choices by one condition becomes the choice of two doubles.
fn select(function: &mut Function, at: (usize, usize), low: Value, high: Value) -> bool {
    let (Some(a), Some(b)) = (function.definition(low), function.definition(high)) else { return false };
    let (Op::Select, Op::Select) = (a.op, b.op) else { return false };
    let (&[condition, a, b], &[other, c, d]) = (&a.args[..], &b.args[..]) else { return false };
    if condition != other {
        return false;
    }
    let (Some(first), Some(second)) = (whole(function, a, c), whole(function, b, d)) else { return false };
    let (block, position) = at;
    let id = function.blocks[block].insts[position];
    let origin = function.insts[id.index()].origin;
    let mut at = position;
    let mut value = |function: &mut Function, found: Whole| match found {
        Whole::Value(value) => value,
        Whole::Constant(bits) => {
            let made = function.push_inst(Op::B64(bits), &[], &[Type::B64], origin);
            function.blocks[block].insts.insert(at, made);
            at += 1;
            function.result(made, 0)
        }
    };
    let (first, second) = (value(function, first), value(function, second));
    let inst = &mut function.insts[id.index()];
    inst.op = Op::Select;
    inst.args = [condition, first, second].into_iter().collect();
    true
}

/// Blocks that lead to each block, one for each edge.
fn edges(function: &Function) -> Vec<Vec<BlockId>> {
    let mut edges = vec![Vec::new(); function.blocks.len()];
    for (index, block) in function.blocks.iter().enumerate() {
        for target in block.terminator.targets() {
            if let Some(edges) = edges.get_mut(target.block.index()) {
                edges.push(BlockId(index as u32));
            }
        }
    }
    edges
}

/// Parameters for doubles, by those for their words.
type Made = BTreeMap<(Value, Value), Value>;

/// A parameter for the double whose words two parameters of a block always get: from what makes it, or from two others that
/// get such words, as those of the pass before.
fn parameter(
    function: &mut Function,
    edges: &[Vec<BlockId>],
    made: &mut Made,
    low: Value,
    high: Value,
) -> Option<Value> {
    let mut web: Vec<((Value, Value), BlockId)> = Vec::new();
    let mut open = vec![(low, high)];
    while let Some(pair) = open.pop() {
        if made.contains_key(&pair) || web.iter().any(|(known, _)| *known == pair) {
            continue;
        }
        let (block, ..) = places(function, pair)?;
        let from = edges.get(block.index())?;
        // Those of the function itself come from callers.
        if block == BlockId(0) || from.is_empty() || web.len() >= WEB {
            return None;
        }
        web.push((pair, block));
        for from in from {
            let given = given(function, *from, pair)?;
            open.extend(given.into_iter().filter(|(low, high)| whole(function, *low, *high).is_none()));
        }
    }
    for &(pair, block) in &web {
        made.insert(pair, function.push_param(block, Type::B64, None));
    }
    for (pair, block) in web {
        for from in edges[block.index()].iter().collect::<BTreeSet<_>>() {
            let mut values = Vec::new();
            for (low, high) in given(function, *from, pair)? {
                values.push(match (made.get(&(low, high)), whole(function, low, high)) {
                    (Some(param), _) => *param,
                    (None, Some(Whole::Value(value))) => value,
                    (None, Some(Whole::Constant(bits))) => {
                        let made = function.push_inst(Op::B64(bits), &[], &[Type::B64], Origin::default());
                        function.blocks[from.index()].insts.push(made);
                        function.result(made, 0)
                    }
                    (None, None) => return None,
                });
            }
            let targets = function.blocks[from.index()].terminator.targets_mut();
            targets.filter(|target| target.block == block).zip(values).for_each(|(target, value)| {
                target.args.push(value);
            });
        }
    }
    made.get(&(low, high)).copied()
}

/// The block that two values are parameters of, and which.
fn places(function: &Function, (low, high): (Value, Value)) -> Option<(BlockId, usize, usize)> {
    let place = |value: Value| match function.values.get(value.index())?.def {
        ValueDef::Param(block, place) => Some((block, usize::from(place))),
        ValueDef::Result(..) => None,
    };
    let ((block, first), (other, second)) = (place(low)?, place(high)?);
    (block == other).then_some((block, first, second))
}

/// What a block passes to two parameters of another, for each of its ways there.
fn given(function: &Function, from: BlockId, pair: (Value, Value)) -> Option<Vec<(Value, Value)>> {
    let (block, first, second) = places(function, pair)?;
    let ways = function.blocks.get(from.index())?.terminator.targets().filter(|way| way.block == block);
    ways.map(|way| Some((*way.args.get(first)?, *way.args.get(second)?))).collect()
}

#[cfg(test)]
mod tests {
    use super::super::testing::{assert_same, program};
    use super::*;
    use crate::{CompareInt, FloatMode, Width};

    const MODE: FloatMode = FloatMode { width: Width::F64, ..FloatMode::F32 };

    /// Two doubles, chosen by a branch or at once; a constant in place of one of them.
    fn chosen(branch: bool, fixed: bool) -> Module {
        program(|builder, inputs| {
            let double = |builder: &mut crate::build::FunctionBuilder, low, high| {
                let joined = builder.value(Op::Join, &[low, high]);
                builder.value(Op::FAdd(MODE), &[joined, joined])
            };
            let words = |builder: &mut crate::build::FunctionBuilder, double| {
                [Op::Low, Op::High].map(|op| builder.value(op, &[double]))
            };
            let a = double(builder, inputs[0], inputs[1]);
            let b = double(builder, inputs[2], inputs[3]);
            let a = words(builder, a);
            let b = if fixed { [builder.bits(0), builder.bits(0x3FF0_0000)] } else { words(builder, b) };
            let below = builder.value(Op::ICompare(CompareInt::Ult), &[inputs[4], inputs[5]]);
            let [low, high] = if branch {
                let (then, otherwise, end) = (builder.block(), builder.block(), builder.block());
                let params = [builder.param(end, Type::B32), builder.param(end, Type::B32)];
                builder.branch(below, then, otherwise);
                builder.switch_to(then);
                builder.jump(end, &a);
                builder.switch_to(otherwise);
                builder.jump(end, &b);
                builder.switch_to(end);
                params
            } else {
                [0, 1].map(|word| builder.value(Op::Select, &[below, a[word], b[word]]))
            };
            let joined = builder.value(Op::Join, &[low, high]);
            let sum = builder.value(Op::FAdd(MODE), &[joined, joined]);
            words(builder, sum).to_vec()
        })
    }

    #[test]
    fn a_double_is_passed_on_as_one() {
        for (branch, fixed) in [(false, false), (false, true), (true, false), (true, true)] {
            let before = chosen(branch, fixed);
            let mut after = before.clone();
            assert!(run(&mut after) > 0, "{branch} {fixed}");
            assert_eq!(crate::verify::check(&after), [], "{after}");
            assert_same(&before, &after, 11);
            // The two that are loaded, or one of them.
            let text = super::super::testing::simplified(&mut after);
            assert_eq!(text.matches("join").count(), if fixed { 1 } else { 2 }, "{text}");
        }
    }

    /// Three blocks in a row that each change a double or leave it, and a loop around a fourth.
    #[test]
    fn doubles_go_on_through_blocks_that_leave_them() {
        let before = program(|builder, inputs| {
            let joined = builder.value(Op::Join, &[inputs[0], inputs[1]]);
            let first = builder.value(Op::FAdd(MODE), &[joined, joined]);
            let mut words = [Op::Low, Op::High].map(|op| builder.value(op, &[first]));
            for n in 0..3 {
                let bound = builder.bits(n);
                let below = builder.value(Op::ICompare(CompareInt::Ult), &[inputs[2], bound]);
                let (changed, end) = (builder.block(), builder.block());
                let params = [builder.param(end, Type::B32), builder.param(end, Type::B32)];
                let ways = [(changed, vec![]), (end, words.to_vec())];
                let [then, otherwise] = ways.map(|(block, args)| crate::Target { block, args });
                builder.terminate(crate::Terminator::Branch { condition: below, then, otherwise });
                builder.switch_to(changed);
                let joined = builder.value(Op::Join, &words);
                let sum = builder.value(Op::FAdd(MODE), &[joined, joined]);
                let next = [Op::Low, Op::High].map(|op| builder.value(op, &[sum]));
                builder.jump(end, &next);
                builder.switch_to(end);
                words = params;
            }
            let last = builder.value(Op::Join, &words);
            let sum = builder.value(Op::FAdd(MODE), &[last, first]);
            [Op::Low, Op::High].map(|op| builder.value(op, &[sum])).to_vec()
        });
        let mut after = before.clone();
        assert!(run(&mut after) > 0);
        assert_eq!(crate::verify::check(&after), [], "{after}");
        assert_same(&before, &after, 12);
        let text = super::super::testing::simplified(&mut after);
        assert_eq!(text.matches("join").count(), 1, "{text}");
    }
}
