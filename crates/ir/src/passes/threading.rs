//! What the ways that lead to a block know of a condition that it asks.
//!
//! Jump threading: a block that two ways lead to and that asks what both ways know already. Each way goes on where the answer
//! leads it. `if (a) { ... } if (!a) { ... }` becomes `if (a) { ... } else { ... }`: what predicated instructions are, and what
//! a condition in front of an instruction comes to where a branch on it follows.
//!
//! And a choice by such a condition between what comes from the ways and something else is made on the ways.

use super::edit::Forward;
use crate::cfg::{Cfg, Dominators};
use crate::quick::QuickMap;
use crate::{BlockId, CompareFloat, CompareInt, Function, InstId, Op, Target, Terminator, Value, ValueDef};

/// Blocks that are passed by, in one run.
const THREADED: usize = 16;
/// Blocks above a block in which its condition is looked for.
const ABOVE: usize = 32;
/// Parameters of a block that is passed by.
const MOST_PARAMS: usize = 64;

/// Answers how many blocks are passed by. What cannot be reached afterwards stays in the tables.
pub(super) fn thread(function: &mut Function) -> usize {
    for done in 0..THREADED {
        let cfg = Cfg::new(function);
        let candidates: Vec<BlockId> =
            cfg.order.iter().copied().filter(|block| only_asks(function, &cfg, *block)).collect();
        if candidates.is_empty() {
            return done;
        }
        let dominators = Dominators::new(&cfg);
        let readers = readers(function, &cfg, &candidates);
        let found =
            candidates.iter().find_map(|block| Plan::new(function, &cfg, &dominators, &readers, *block));
        let Some(plan) = found else { return done };
        plan.apply(function, &cfg, &dominators);
    }
    THREADED
}

/// Which blocks read a value.
type Readers = QuickMap<Value, Vec<BlockId>>;

/// The values that these blocks make, with who else reads them.
fn readers(function: &Function, cfg: &Cfg, blocks: &[BlockId]) -> Readers {
    let mut readers = Readers::default();
    for block in blocks {
        let body = &function.blocks[block.index()];
        let made = body.insts.iter().flat_map(|id| &function.insts[id.index()].results);
        readers.extend(body.params.iter().chain(made).map(|value| (*value, Vec::new())));
    }
    for user in &cfg.order {
        let body = &function.blocks[user.index()];
        let mut look = |value: Value| {
            if let Some(found) = readers.get_mut(&value)
                && found.last() != Some(user)
            {
                found.push(*user);
            }
        };
        let args = body.insts.iter().flat_map(|id| &function.insts[id.index()].args);
        args.copied().for_each(&mut look);
        body.terminator.for_each_value(look);
    }
    readers
}

/// Ways to a block on which choices are made.
const MOST_WAYS: usize = 8;
/// Choices of a block that are made on the ways to it.
const MOST_CHOICES: usize = 16;

/// Makes choices on the ways to their block where each knows the condition; answers how many.
pub(super) fn choose(function: &mut Function, cfg: &Cfg) -> usize {
    let is_join = |block: &BlockId| {
        let before = cfg.predecessors(*block);
        let edges = 2..=MOST_WAYS;
        edges.contains(&before.len()) && before.iter().all(|from| cfg.rank(*from) < cfg.rank(*block))
    };
    let is_choice = |function: &Function, id: &InstId| function.insts[id.index()].op == Op::Select;
    let chooses =
        |block: &BlockId| function.blocks[block.index()].insts.iter().any(|id| is_choice(function, id));
    let joins: Vec<BlockId> =
        cfg.order.iter().copied().filter(|block| is_join(block) && chooses(block)).collect();
    if joins.is_empty() {
        return 0;
    }
    let dominators = Dominators::new(cfg);
    let mut forward = Forward::new(function);
    let mut count = 0;
    for block in joins {
        let edges = edges(cfg, block);
        let ids: Vec<InstId> = function.blocks[block.index()].insts.clone();
        let choices = ids.iter().filter(|id| is_choice(function, id)).take(MOST_CHOICES);
        let mut made = Vec::new();
        for id in choices {
            let inst = &function.insts[id.index()];
            let &[condition, yes, no] = &inst.args[..] else { continue };
            // Where nothing comes from the ways, a choice is shorter.
            let comes = |value: Value| matches!(function.values[value.index()].def, ValueDef::Param(of, _) if of == block);
            if !comes(yes) && !comes(no) {
                continue;
            }
            let value = |edge: &Edge| {
                let chosen = if edge.answer(function, cfg, &dominators, condition)? { yes } else { no };
                let target = edge.target(function)?;
                match function.values[chosen.index()].def {
                    ValueDef::Param(of, n) if of == block => target.args.get(usize::from(n)).copied(),
                    ValueDef::Result(by, _) if ids.contains(&by) => None,
                    _ => Some(chosen),
                }
            };
            let values: Option<Vec<Value>> = edges.iter().map(value).collect();
            if let (Some(values), Some(result)) = (values, inst.results.first()) {
                made.push((*id, *result, values));
            }
        }
        for (id, result, values) in made {
            let data = function.values[result.index()].clone();
            let param = function.push_param(block, data.ty, data.variable);
            for (edge, value) in edges.iter().zip(values) {
                let mut targets = function.blocks[edge.from.index()].terminator.targets_mut();
                if let Some(target) = targets.nth(edge.way) {
                    target.args.push(value);
                }
            }
            function.blocks[block.index()].insts.retain(|other| *other != id);
            forward.set(result, param);
            count += 1;
        }
    }
    if count > 0 {
        forward.apply(function);
    }
    count
}

/// The edges that lead to a block.
fn edges(cfg: &Cfg, block: BlockId) -> Vec<Edge> {
    let mut edges = Vec::new();
    for (n, from) in cfg.predecessors(block).iter().enumerate() {
        if !cfg.predecessors(block)[..n].contains(from) {
            let ways = cfg.successors(*from).iter().enumerate().filter(|(_, to)| **to == block);
            edges.extend(ways.map(|(way, _)| Edge { from: *from, way }));
        }
    }
    edges
}

/// Whether a block does nothing but ask, and two edges lead to it, neither of them back.
fn only_asks(function: &Function, cfg: &Cfg, block: BlockId) -> bool {
    let body = &function.blocks[block.index()];
    let Terminator::Branch { condition, then, otherwise } = &body.terminator else { return false };
    let asks = match body.insts[..] {
        [] => true,
        [only] => function.insts[only.index()].results[..] == [*condition],
        _ => false,
    };
    let before = cfg.predecessors(block);
    asks && then.block != otherwise.block
        && block != BlockId(0)
        && body.params.len() <= MOST_PARAMS
        && before.len() == 2
        && before.iter().all(|from| cfg.rank(*from) < cfg.rank(block))
}

/// Whether one condition is another (true), or holds where the other does not (false).
fn related(function: &Function, asked: Value, known: Value) -> Option<bool> {
    if asked == known {
        return Some(true);
    }
    let (one, other) = (function.definition(asked)?, function.definition(known)?);
    match (one.op, other.op) {
        (Op::Not, _) if one.args[..] == [known] => return Some(false),
        (_, Op::Not) if other.args[..] == [asked] => return Some(false),
        _ => {}
    }
    let (a, b) = (&one.args[..], &other.args[..]);
    let same = a == b;
    let swapped = matches!((a, b), ([a, b], [c, d]) if (a, b) == (d, c));
    match (one.op, other.op) {
        (a, b) if a == b && same => Some(true),
        // Of an order, the opposite has its operands the other way round; a NaN has no place in any.
        (Op::ICompare(CompareInt::Eq), Op::ICompare(CompareInt::Ne))
        | (Op::ICompare(CompareInt::Ne), Op::ICompare(CompareInt::Eq)) => (same || swapped).then_some(false),
        (Op::ICompare(CompareInt::Slt), Op::ICompare(CompareInt::Sle))
        | (Op::ICompare(CompareInt::Sle), Op::ICompare(CompareInt::Slt))
        | (Op::ICompare(CompareInt::Ult), Op::ICompare(CompareInt::Ule))
        | (Op::ICompare(CompareInt::Ule), Op::ICompare(CompareInt::Ult)) => swapped.then_some(false),
        (Op::FCompare(CompareFloat::Eq, mode), Op::FCompare(CompareFloat::Ne, other))
        | (Op::FCompare(CompareFloat::Ne, mode), Op::FCompare(CompareFloat::Eq, other)) => {
            (mode == other && (same || swapped)).then_some(false)
        }
        _ => None,
    }
}

/// An edge: the block it leaves, and which of its terminator's targets it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Edge {
    from: BlockId,
    way: usize,
}

impl Edge {
    fn target(self, function: &Function) -> Option<&Target> {
        function.blocks[self.from.index()].terminator.targets().nth(self.way)
    }

    /// What is known of a condition on this edge: the branch that it leaves by asks it, or one above of which only one way
    /// leads here.
    fn answer(self, function: &Function, cfg: &Cfg, dominators: &Dominators, asked: Value) -> Option<bool> {
        let known = |edge: Self| {
            let Terminator::Branch { condition, then, otherwise } =
                &function.blocks[edge.from.index()].terminator
            else {
                return None;
            };
            if then.block == otherwise.block && edge != self {
                return None;
            }
            related(function, asked, *condition).map(|same| same == (edge.way == 0))
        };
        if let Some(answer) = known(self) {
            return Some(answer);
        }
        let mut block = self.from;
        for _ in 0..ABOVE {
            if let [before] = *cfg.predecessors(block) {
                let way = cfg.successors(before).iter().position(|to| *to == block)?;
                if let Some(answer) = known(Self { from: before, way }) {
                    return Some(answer);
                }
            }
            block = dominators.immediate(block)?;
        }
        None
    }
}

/// One of the two ways through the block.
struct Way {
    /// The edge that led to the block.
    edge: Edge,
    /// Where it leads now.
    to: BlockId,
    /// What the parameters of the block are on it.
    given: Vec<Value>,
    /// The parameters of the block that are read there or behind it.
    read: Vec<usize>,
    /// Nothing else leads there.
    alone: bool,
}

/// A block that is passed by.
struct Plan {
    block: BlockId,
    ways: [Way; 2],
}

impl Plan {
    fn new(
        function: &Function,
        cfg: &Cfg,
        dominators: &Dominators,
        readers: &Readers,
        block: BlockId,
    ) -> Option<Self> {
        let body = &function.blocks[block.index()];
        let Terminator::Branch { condition, then, otherwise } = &body.terminator else { return None };
        let &[one, other] = &edges(cfg, block)[..] else { return None };
        let [one, other] = [one, other].map(|edge| {
            let answer = edge.answer(function, cfg, dominators, *condition)?;
            let to = if answer { then.block } else { otherwise.block };
            let (given, alone) = (edge.target(function)?.args.clone(), cfg.predecessors(to).len() == 1);
            Some((answer, Way { edge, to, given, read: Vec::new(), alone }))
        });
        let ((truth, one), (other_truth, other)) = (one?, other?);
        if truth == other_truth {
            return None;
        }
        let mut plan = Self { block, ways: [one, other] };
        plan.find_reads(function, dominators, readers)?;
        plan.is_possible(cfg, dominators).then_some(plan)
    }

    /// Which way leads to a block, if one alone does.
    fn behind(&self, dominators: &Dominators, block: BlockId) -> Option<usize> {
        self.ways.iter().position(|way| {
            // A way back to where a loop begins leads to all that is in it.
            dominators.dominates(self.block, way.to) && dominators.dominates(way.to, block)
        })
    }

    /// Finds out which parameters are read where. Nothing if one is read behind both ways, or what the block makes itself is read.
    fn find_reads(&mut self, function: &Function, dominators: &Dominators, readers: &Readers) -> Option<()> {
        let body = &function.blocks[self.block.index()];
        let none = Vec::new();
        for (n, param) in body.params.iter().enumerate() {
            for user in readers.get(param).unwrap_or(&none).iter().filter(|user| **user != self.block) {
                let way = self.behind(dominators, *user)?;
                if !self.ways[way].read.contains(&n) {
                    self.ways[way].read.push(n);
                }
            }
        }
        let Terminator::Branch { condition, then, otherwise } = &body.terminator else { return None };
        let makes = !body.insts.is_empty();
        let is_read = readers.get(condition).unwrap_or(&none).iter().any(|user| *user != self.block);
        let is_passed = then.args.contains(condition) || otherwise.args.contains(condition);
        (!makes || !is_read && !is_passed).then_some(())
    }

    /// Whether each way that joins others with what is read behind it can be told by all of them what that is.
    fn is_possible(&self, cfg: &Cfg, dominators: &Dominators) -> bool {
        self.ways.iter().all(|way| {
            way.alone
                || way.read.is_empty()
                || cfg.predecessors(way.to).iter().all(|from| {
                    *from == self.block
                        || dominators.dominates(way.to, *from)
                        || self.behind(dominators, *from).is_some_and(|other| self.ways[other].alone)
                })
        })
    }

    fn apply(&self, function: &mut Function, cfg: &Cfg, dominators: &Dominators) {
        let params = function.blocks[self.block.index()].params.clone();
        // What each parameter is on each way behind the block.
        let mut behind: Vec<Vec<Value>> = self.ways.iter().map(|way| way.given.clone()).collect();
        let mut joined = Vec::new();
        for (n, way) in self.ways.iter().enumerate().filter(|(_, way)| !way.alone) {
            for at in &way.read {
                let data = function.values[params[*at].index()].clone();
                behind[n][*at] = function.push_param(way.to, data.ty, data.variable);
            }
            joined.push(n);
        }
        for user in cfg.order.iter().copied().filter(|user| *user != self.block) {
            let Some(way) = self.behind(dominators, user) else { continue };
            let renamed = |value: &mut Value| {
                if let Some(n) = params.iter().position(|param| param == value) {
                    *value = behind[way][n];
                }
            };
            let ids = std::mem::take(&mut function.blocks[user.index()].insts);
            for id in &ids {
                function.insts[id.index()].args.iter_mut().for_each(renamed);
            }
            function.blocks[user.index()].insts = ids;
            function.blocks[user.index()].terminator.for_each_value_mut(renamed);
        }
        for n in joined {
            let way = &self.ways[n];
            for user in cfg.order.iter().copied().filter(|user| *user != self.block) {
                let values = self.behind(dominators, user).map(|from| &behind[from]);
                for target in function.blocks[user.index()].terminator.targets_mut() {
                    if let (true, Some(values)) = (target.block == way.to, values) {
                        target.args.extend(way.read.iter().map(|at| values[*at]));
                    }
                }
            }
        }
        for way in &self.ways {
            let body = &function.blocks[self.block.index()];
            let Some(before) = body.terminator.targets().find(|target| target.block == way.to) else {
                continue;
            };
            let value =
                |arg: &Value| params.iter().position(|param| param == arg).map_or(*arg, |at| way.given[at]);
            let mut args: Vec<Value> = before.args.iter().map(value).collect();
            if !way.alone {
                args.extend(way.read.iter().map(|at| way.given[*at]));
            }
            let target = Target { block: way.to, args };
            let mut ways = function.blocks[way.edge.from.index()].terminator.targets_mut();
            if let Some(edge) = ways.nth(way.edge.way) {
                *edge = target;
            }
        }
        function.blocks[self.block.index()].terminator = Terminator::Unreachable;
    }
}

#[cfg(test)]
mod tests {
    use super::super::branches::run;
    use super::super::testing::{assert_same, program};
    use super::*;
    use crate::{Module, Type};

    /// `x = a < b ? a : c; if (a < b) ... else ...`, with what `stays` says read behind the second branch alone, or behind both ways.
    fn asked_again(stays: bool) -> Module {
        program(|builder, x| {
            let less = builder.value(Op::ICompare(CompareInt::Slt), &[x[0], x[1]]);
            let [again, yes, no, end] = [(); 4].map(|()| builder.block());
            let number = builder.param(again, Type::B32);
            let (below, last) = (builder.param(yes, Type::B32), builder.param(end, Type::B32));
            let target = |block: BlockId, args: &[Value]| Target { block, args: args.to_vec() };
            let ways = (target(again, &[x[0]]), target(again, &[x[2]]));
            builder.terminate(Terminator::Branch { condition: less, then: ways.0, otherwise: ways.1 });
            builder.switch_to(again);
            let ways = (target(yes, &[number]), target(no, &[]));
            builder.terminate(Terminator::Branch { condition: less, then: ways.0, otherwise: ways.1 });
            builder.switch_to(yes);
            let sum = builder.value(Op::IAdd, &[below, x[3]]);
            builder.jump(end, &[sum]);
            builder.switch_to(no);
            let product = builder.value(Op::IMul, &[number, x[4]]);
            builder.jump(end, &[product]);
            builder.switch_to(end);
            let other = if stays { x[5] } else { number };
            vec![last, builder.value(Op::Xor, &[last, other])]
        })
    }

    #[test]
    fn what_is_asked_again_is_asked_once() {
        for stays in [true, false] {
            let before = asked_again(stays);
            let mut after = before.clone();
            run(&mut after);
            assert_same(&before, &after, 3);
            let blocks = &after.functions[0].blocks;
            let branches =
                blocks.iter().filter(|block| matches!(block.terminator, Terminator::Branch { .. }));
            // What is read behind both ways has to come from both.
            assert_eq!(branches.count(), if stays { 1 } else { 2 }, "{after}");
        }
    }

    /// `if (a < b) n = a + c; else n = d; if (a >= b) n = n * e;`, and what is read of the first of them behind all.
    fn opposite(reads: bool) -> Module {
        program(|builder, x| {
            let less = builder.value(Op::ICompare(CompareInt::Slt), &[x[0], x[1]]);
            let [first, again, second, end] = [(); 4].map(|()| builder.block());
            let (number, rest) = (builder.param(again, Type::B32), builder.param(again, Type::B32));
            let last = builder.param(end, Type::B32);
            let target = |block: BlockId, args: &[Value]| Target { block, args: args.to_vec() };
            let ways = (target(first, &[]), target(again, &[x[3], x[4]]));
            builder.terminate(Terminator::Branch { condition: less, then: ways.0, otherwise: ways.1 });
            builder.switch_to(first);
            let sum = builder.value(Op::IAdd, &[x[0], x[2]]);
            builder.jump(again, &[sum, x[5]]);
            builder.switch_to(again);
            let not_less = builder.value(Op::ICompare(CompareInt::Sle), &[x[1], x[0]]);
            let ways = (target(second, &[]), target(end, &[number]));
            builder.terminate(Terminator::Branch { condition: not_less, then: ways.0, otherwise: ways.1 });
            builder.switch_to(second);
            let product = builder.value(Op::IMul, &[number, x[4]]);
            builder.jump(end, &[product]);
            builder.switch_to(end);
            vec![last, builder.value(Op::Xor, &[last, if reads { rest } else { x[5] }])]
        })
    }

    #[test]
    fn the_opposite_is_not_asked_again() {
        for reads in [true, false] {
            let before = opposite(reads);
            let mut after = before.clone();
            run(&mut after);
            assert_same(&before, &after, 3);
            let blocks = &after.functions[0].blocks;
            let branches =
                blocks.iter().filter(|block| matches!(block.terminator, Terminator::Branch { .. }));
            assert_eq!(branches.count(), 1, "{after}");
        }
    }

    #[test]
    fn a_choice_behind_its_branch_is_made_on_the_ways() {
        let before = program(|builder, x| {
            let less = builder.value(Op::ICompare(CompareInt::Slt), &[x[0], x[1]]);
            let [first, end] = [(); 2].map(|()| builder.block());
            let number = builder.param(end, Type::B32);
            let target = |block: BlockId, args: &[Value]| Target { block, args: args.to_vec() };
            let ways = (target(first, &[]), target(end, &[x[3]]));
            builder.terminate(Terminator::Branch { condition: less, then: ways.0, otherwise: ways.1 });
            builder.switch_to(first);
            let sum = builder.value(Op::IMul, &[x[0], x[2]]);
            builder.jump(end, &[sum]);
            builder.switch_to(end);
            vec![builder.value(Op::Select, &[less, number, x[4]])]
        });
        let mut after = before.clone();
        run(&mut after);
        assert_same(&before, &after, 3);
        assert!(!after.to_string().contains("select"), "{after}");
    }
}
