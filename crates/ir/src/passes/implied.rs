//! What a branch decided stays decided behind it: conditions that follow from those on the way are known,
//! choices by them are one of their sides, and a way into an empty join that only asks again goes where the
//! answer leads.
//!
//! Behind `x == 0` is false, `x != 0` is true, `c || x == 0` is `c`, and behind `x == 1` is `x == 2` false.
//! Exact with [`Rules::Exact`]; otherwise `a < b` being false makes `a >= b` true.

use super::Changes;
use super::edit::constant;
use super::fold::Rules;
use crate::cfg::{Cfg, Dominators};
use crate::exec::evaluate;
use crate::{
    BlockId, CompareFloat, CompareInt, FloatMode, Function, InstId, Module, Op, Origin, Target, Terminator,
    Type, Value,
};
use std::collections::{HashMap, HashSet};

/// What must hold where a comparison was turned round.
const ASSUMPTION: &str = "no NaN is compared";

/// How deep conditions are taken apart.
const DEPTH: u32 = 6;

pub(super) fn run(module: &mut Module, rules: Rules) -> Changes {
    let (mut count, mut assumed) = (0, false);
    for function in &mut module.functions {
        let (changed, turned) = of_function(function, rules);
        count += changed;
        assumed |= turned;
    }
    let changes = Changes::from(count);
    if assumed { changes.assume(ASSUMPTION) } else { changes }
}

/// An operand of a comparison; constants by their bits, since they may stand more than once.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Operand {
    Value(Value),
    Bits(u64),
}

/// How two operands are held against each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Kind {
    Int,
    Float(FloatMode),
}

type Pair = (Kind, Operand, Operand);

/// Results that a comparison may have, a bit each.
type Outcomes = u8;

const EQUAL: Outcomes = 1;
/// Floats: less, greater, one is no number.
const LESS: Outcomes = 2;
const GREATER: Outcomes = 4;
const UNORDERED: Outcomes = 8;
/// Integers that differ: signed less or greater, then unsigned less or greater.
const LESS_LESS: Outcomes = 2;
const LESS_GREATER: Outcomes = 4;
const GREATER_LESS: Outcomes = 8;
const GREATER_GREATER: Outcomes = 16;

/// All outcomes there are.
fn all(kind: Kind) -> Outcomes {
    if kind == Kind::Int { 31 } else { 15 }
}

/// The same with the operands the other way round.
fn mirrored(kind: Kind, outcomes: Outcomes) -> Outcomes {
    let exchange = |a: Outcomes, b: Outcomes| {
        (if outcomes & a != 0 { b } else { 0 }) | (if outcomes & b != 0 { a } else { 0 })
    };
    match kind {
        Kind::Int => {
            outcomes & EQUAL | exchange(LESS_LESS, GREATER_GREATER) | exchange(LESS_GREATER, GREATER_LESS)
        }
        Kind::Float(_) => outcomes & (EQUAL | UNORDERED) | exchange(LESS, GREATER),
    }
}

/// What a comparison holds against each other, and for which outcomes it is true.
fn comparison(function: &Function, value: Value) -> Option<(Pair, Outcomes)> {
    let inst = function.definition(value)?;
    let (kind, outcomes) = match inst.op {
        Op::ICompare(by) => {
            let outcomes = match by {
                CompareInt::Eq => EQUAL,
                CompareInt::Ne => all(Kind::Int) & !EQUAL,
                CompareInt::Slt => LESS_LESS | LESS_GREATER,
                CompareInt::Sle => EQUAL | LESS_LESS | LESS_GREATER,
                CompareInt::Ult => LESS_LESS | GREATER_LESS,
                CompareInt::Ule => EQUAL | LESS_LESS | GREATER_LESS,
            };
            (Kind::Int, outcomes)
        }
        Op::FCompare(by, mode) => {
            let outcomes = match by {
                CompareFloat::Eq => EQUAL,
                CompareFloat::Ne => LESS | GREATER | UNORDERED,
                CompareFloat::Lt => LESS,
                CompareFloat::Le => LESS | EQUAL,
                CompareFloat::Gt => GREATER,
                CompareFloat::Ge => GREATER | EQUAL,
            };
            (Kind::Float(mode), outcomes)
        }
        _ => return None,
    };
    let &[a, b] = &inst.args[..] else { return None };
    if function.ty(a) == Type::Bool {
        return None;
    }
    let operand = |value| constant(function, value).map_or(Operand::Value(value), Operand::Bits);
    Some(pair(kind, operand(a), operand(b), outcomes))
}

/// The pair in its one order.
fn pair(kind: Kind, a: Operand, b: Operand, outcomes: Outcomes) -> (Pair, Outcomes) {
    if a <= b { ((kind, a, b), outcomes) } else { ((kind, b, a), mirrored(kind, outcomes)) }
}

/// A change of the tables, to be taken back when its region is left.
enum Undo {
    Truth(Value, Option<bool>),
    Possible(Pair, Option<Outcomes>),
    Number(Value, Option<u64>),
}

/// What is known where the walk stands.
#[derive(Default)]
struct Known {
    truths: HashMap<Value, bool>,
    possible: HashMap<Pair, Outcomes>,
    numbers: HashMap<Value, u64>,
    log: Vec<Undo>,
}

impl Known {
    fn is_empty(&self) -> bool {
        self.log.is_empty()
    }

    fn back_to(&mut self, length: usize) {
        fn put<K: std::hash::Hash + Eq, V>(table: &mut HashMap<K, V>, key: K, before: Option<V>) {
            match before {
                Some(before) => table.insert(key, before),
                None => table.remove(&key),
            };
        }
        while self.log.len() > length {
            match self.log.pop() {
                Some(Undo::Truth(key, before)) => put(&mut self.truths, key, before),
                Some(Undo::Possible(key, before)) => put(&mut self.possible, key, before),
                Some(Undo::Number(key, before)) => put(&mut self.numbers, key, before),
                None => {}
            }
        }
    }

    fn is_number(&mut self, value: Value, bits: u64) {
        let before = self.numbers.insert(value, bits);
        self.log.push(Undo::Number(value, before));
    }

    fn restrict(&mut self, pair: Pair, to: Outcomes) {
        let before = self.possible.get(&pair).copied();
        let now = before.unwrap_or(all(pair.0)) & to;
        self.possible.insert(pair, now);
        self.log.push(Undo::Possible(pair, before));
    }

    /// A condition has been decided.
    fn learn(&mut self, function: &Function, condition: Value, holds: bool, depth: u32) {
        let before = self.truths.insert(condition, holds);
        self.log.push(Undo::Truth(condition, before));
        if depth == 0 {
            return;
        }
        if let Some((pair, outcomes)) = comparison(function, condition) {
            let outcomes = if holds { outcomes } else { all(pair.0) & !outcomes };
            self.restrict(pair, outcomes);
            if let (EQUAL, (Kind::Int, Operand::Value(value), Operand::Bits(bits))) = (outcomes, pair) {
                self.is_number(value, bits);
            }
            return;
        }
        let Some(inst) = function.definition(condition) else { return };
        match (inst.op, &inst.args[..]) {
            (Op::Not, &[a]) => self.learn(function, a, !holds, depth - 1),
            (Op::And | Op::Or, &[a, b]) => {
                // Both sides are what decides nothing, or one is known and the other follows.
                if holds == (inst.op == Op::And) {
                    self.learn(function, a, holds, depth - 1);
                    self.learn(function, b, holds, depth - 1);
                } else if self.truths.get(&a) == Some(&!holds) {
                    self.learn(function, b, holds, depth - 1);
                } else if self.truths.get(&b) == Some(&!holds) {
                    self.learn(function, a, holds, depth - 1);
                }
            }
            _ => {}
        }
    }

    /// What the selector of a switch is behind one of its edges.
    fn learn_case(&mut self, value: Value, number: u32, equal: bool) {
        let operands = (Operand::Value(value), Operand::Bits(number.into()));
        let outcomes = if equal { EQUAL } else { all(Kind::Int) & !EQUAL };
        let (pair, outcomes) = pair(Kind::Int, operands.0, operands.1, outcomes);
        self.restrict(pair, outcomes);
        if equal {
            self.is_number(value, number.into());
        }
    }
}

struct Walk<'a> {
    function: &'a mut Function,
    rules: Rules,
    known: Known,
    /// New constants, for the start of block 0.
    constants: Vec<InstId>,
    truths: [Option<Value>; 2],
    changed: usize,
    /// Something was decided as if there were no NaN.
    assumed: bool,
}

/// What an operand is by what is known.
enum Use {
    Value(Value),
    Truth(bool),
}

impl Walk<'_> {
    fn truth(&mut self, value: Value, depth: u32) -> Option<bool> {
        if self.function.ty(value) != Type::Bool {
            return None;
        }
        if let Some(bits) = constant(self.function, value) {
            return Some(bits != 0);
        }
        if let Some(known) = self.known.truths.get(&value) {
            return Some(*known);
        }
        if depth == 0 {
            return None;
        }
        if let Some((pair, outcomes)) = comparison(self.function, value) {
            return self.compared(pair, outcomes);
        }
        let inst = self.function.definition(value)?;
        match (inst.op, &inst.args[..]) {
            (Op::Not, &[a]) => self.truth(a, depth - 1).map(|truth| !truth),
            (Op::And | Op::Or, &[a, b]) => {
                let decides = inst.op == Op::Or;
                let (a, b) = (self.truth(a, depth - 1), self.truth(b, depth - 1));
                if a == Some(decides) || b == Some(decides) {
                    Some(decides)
                } else {
                    (a.is_some() && b.is_some()).then_some(!decides)
                }
            }
            (Op::Select, &[condition, yes, no]) => {
                let side = if self.truth(condition, depth - 1)? { yes } else { no };
                self.truth(side, depth - 1)
            }
            _ => None,
        }
    }

    fn compared(&mut self, pair: Pair, outcomes: Outcomes) -> Option<bool> {
        if let (Kind::Int, Operand::Value(value), Operand::Bits(bits)) = pair
            && let Some(number) = self.known.numbers.get(&value)
        {
            let ty = self.function.ty(value);
            let less = |op| evaluate(&Op::ICompare(op), ty, &[*number, bits]) == Some(1);
            let outcome = match (*number == bits, less(CompareInt::Slt), less(CompareInt::Ult)) {
                (true, ..) => EQUAL,
                (_, true, true) => LESS_LESS,
                (_, true, false) => LESS_GREATER,
                (_, false, true) => GREATER_LESS,
                (_, false, false) => GREATER_GREATER,
            };
            return Some(outcomes & outcome != 0);
        }
        let possible = *self.known.possible.get(&pair)?;
        let decide = |possible: Outcomes| match (possible & outcomes, possible & !outcomes) {
            (0, 0) => None,
            (0, _) => Some(false),
            (_, 0) => Some(true),
            _ => None,
        };
        if let Some(truth) = decide(possible) {
            return Some(truth);
        }
        if self.rules == Rules::Exact || pair.0 == Kind::Int {
            return None;
        }
        let truth = decide(possible & !UNORDERED);
        self.assumed |= truth.is_some();
        truth
    }

    /// What a use of a value becomes.
    fn better(&mut self, value: Value) -> Option<Use> {
        let mut at = value;
        for _ in 0..DEPTH {
            let Some(inst) = self.function.definition(at) else { break };
            let (op, args) = (inst.op, inst.args.clone());
            if let Some(truth) = self.truth(at, DEPTH) {
                return (constant(self.function, at).is_none()).then_some(Use::Truth(truth));
            }
            at = match (op, &args[..]) {
                (Op::Select, &[condition, yes, no]) => match self.truth(condition, DEPTH) {
                    Some(true) => yes,
                    Some(false) => no,
                    None => break,
                },
                (Op::And | Op::Or, &[a, b]) if self.function.ty(a) == Type::Bool => {
                    let neutral = Some(op == Op::And);
                    if self.truth(a, DEPTH) == neutral {
                        b
                    } else if self.truth(b, DEPTH) == neutral {
                        a
                    } else {
                        break;
                    }
                }
                _ => break,
            };
        }
        if at == value {
            // A parameter.
            return self.known.truths.get(&at).copied().map(Use::Truth);
        }
        Some(match self.truth(at, DEPTH) {
            Some(truth) => Use::Truth(truth),
            None => Use::Value(at),
        })
    }

    fn constant_truth(&mut self, truth: bool) -> Value {
        if let Some(value) = self.truths[usize::from(truth)] {
            return value;
        }
        let nowhere = Origin { instruction: u32::MAX, step: 0, lane: 0 };
        let made = self.function.push_inst(Op::Bool(truth), &[], &[Type::Bool], nowhere);
        self.constants.push(made);
        let value = self.function.result(made, 0);
        self.truths[usize::from(truth)] = Some(value);
        value
    }

    fn rewrite(&mut self, value: &mut Value) {
        let interesting = self.function.ty(*value) == Type::Bool
            || self.function.definition(*value).is_some_and(|inst| inst.op == Op::Select);
        if !interesting {
            return;
        }
        match self.better(*value) {
            Some(Use::Value(better)) => *value = better,
            Some(Use::Truth(truth)) => *value = self.constant_truth(truth),
            None => return,
        }
        self.changed += 1;
    }

    /// Notes what holds on an edge.
    fn take(&mut self, terminator: &Terminator, slot: usize) {
        match terminator {
            Terminator::Branch { condition, .. } => {
                self.known.learn(self.function, *condition, slot == 0, DEPTH);
            }
            Terminator::Switch { value, cases, .. } => match cases.get(slot) {
                Some((number, _)) => self.known.learn_case(*value, *number, true),
                None => {
                    for (number, _) in cases.iter().take(64) {
                        self.known.learn_case(*value, *number, false);
                    }
                }
            },
            _ => {}
        }
    }
}

/// A way that may go past a block which only asks what is known.
struct Thread {
    from: BlockId,
    slot: usize,
    past: BlockId,
    /// Where the block that is passed goes otherwise.
    other: BlockId,
    to: Target,
}

fn of_function(function: &mut Function, rules: Rules) -> (usize, bool) {
    if function.blocks.is_empty() {
        return (0, false);
    }
    let cfg = Cfg::new(function);
    let dominators = Dominators::new(&cfg);
    let mut walk = Walk {
        function,
        rules,
        known: Known::default(),
        constants: Vec::new(),
        truths: [None; 2],
        changed: 0,
        assumed: false,
    };
    let mut regions: Vec<(BlockId, usize)> = Vec::new();
    let mut threads: Vec<Thread> = Vec::new();
    for block in &dominators.preorder {
        while let Some((region, length)) = regions.last()
            && !dominators.dominates(*region, *block)
        {
            walk.known.back_to(*length);
            regions.pop();
        }
        if let ([from], true) = (cfg.predecessors(*block), *block != BlockId(0)) {
            regions.push((*block, walk.known.log.len()));
            let terminator = walk.function.blocks[from.index()].terminator.clone();
            if let Some(slot) = terminator.targets().position(|target| target.block == *block) {
                walk.take(&terminator, slot);
            }
        }
        of_block(&mut walk, *block, &cfg, &dominators, &mut threads);
    }
    let Walk { constants, changed, assumed, .. } = walk;
    let threaded = go_past(function, &cfg, &dominators, threads);
    function.blocks[0].insts.splice(0..0, constants);
    (changed + threaded, assumed)
}

fn of_block(
    walk: &mut Walk<'_>,
    block: BlockId,
    cfg: &Cfg,
    dominators: &Dominators,
    threads: &mut Vec<Thread>,
) {
    let list = std::mem::take(&mut walk.function.blocks[block.index()].insts);
    for id in &list {
        if !walk.known.is_empty() {
            let mut args = walk.function.insts[id.index()].args.clone();
            args.iter_mut().for_each(|arg| walk.rewrite(arg));
            walk.function.insts[id.index()].args = args;
        }
        under_conditions(walk, *id);
    }
    walk.function.blocks[block.index()].insts = list;
    let nothing = Terminator::Unreachable;
    let mut terminator = std::mem::replace(&mut walk.function.blocks[block.index()].terminator, nothing);
    if !walk.known.is_empty() {
        match &mut terminator {
            Terminator::Branch { condition, .. } => walk.rewrite(condition),
            Terminator::Return(values) => values.iter_mut().for_each(|value| walk.rewrite(value)),
            _ => {}
        }
    }
    let source = terminator.clone();
    for (slot, target) in terminator.targets_mut().enumerate() {
        let length = walk.known.log.len();
        walk.take(&source, slot);
        if !walk.known.is_empty() {
            target.args.iter_mut().for_each(|arg| walk.rewrite(arg));
            if let Some((to, other)) = past(walk, target, cfg, dominators) {
                threads.push(Thread { from: block, slot, past: target.block, other, to });
            }
        }
        walk.known.back_to(length);
    }
    walk.function.blocks[block.index()].terminator = terminator;
}

/// The sides of a choice are only asked for where its condition is so, and the second of two conditions where
/// the first does not decide.
fn under_conditions(walk: &mut Walk<'_>, id: InstId) {
    let inst = &walk.function.insts[id.index()];
    let (sides, condition): (&[(usize, bool)], Value) = match (inst.op, &inst.args[..]) {
        (Op::Select, &[condition, ..]) => (&[(1, true), (2, false)], condition),
        (Op::And, &[a, b]) if a != b && walk.function.ty(a) == Type::Bool => (&[(1, true)], a),
        (Op::Or, &[a, b]) if a != b && walk.function.ty(a) == Type::Bool => (&[(1, false)], a),
        _ => return,
    };
    for (at, holds) in sides {
        let mut side = walk.function.insts[id.index()].args[*at];
        let composed = walk.function.definition(side).is_some_and(|inst| {
            matches!(inst.op, Op::Select | Op::And | Op::Or | Op::Not | Op::ICompare(_) | Op::FCompare(..))
        });
        if composed && side != condition {
            let length = walk.known.log.len();
            walk.known.learn(walk.function, condition, *holds, DEPTH);
            walk.rewrite(&mut side);
            walk.known.back_to(length);
            walk.function.insts[id.index()].args[*at] = side;
        }
    }
}

/// Where an edge to an empty block with a known answer leads in truth.
fn past(walk: &mut Walk<'_>, edge: &Target, cfg: &Cfg, dominators: &Dominators) -> Option<(Target, BlockId)> {
    let through = edge.block;
    let body = walk.function.blocks.get(through.index())?;
    let Terminator::Branch { condition, then, otherwise } = &body.terminator else { return None };
    let is_header = |block: BlockId| {
        block == BlockId(0) || cfg.predecessors(block).iter().any(|from| dominators.dominates(block, *from))
    };
    if !body.insts.is_empty() || cfg.predecessors(through).len() < 2 || is_header(through) {
        return None;
    }
    let (condition, then, otherwise) = (*condition, then.clone(), otherwise.clone());
    let params = body.params.clone();
    let passed =
        |value: Value| params.iter().position(|param| *param == value).map_or(value, |at| edge.args[at]);
    let goes = walk.truth(passed(condition), DEPTH)?;
    let (to, other) = if goes { (then, otherwise) } else { (otherwise, then) };
    // What lies behind on one way only may use what the block brings along; and a loop keeps its one way in.
    if cfg.predecessors(to.block).len() < 2 || to.block == other.block || is_header(to.block) {
        return None;
    }
    let target = Target { block: to.block, args: to.args.iter().map(|arg| passed(*arg)).collect() };
    Some((target, other.block))
}

/// Blocks with parameters that are used where a turned edge leads as well.
fn tied_down(
    function: &Function,
    cfg: &Cfg,
    dominators: &Dominators,
    threads: &[Thread],
) -> HashSet<BlockId> {
    let mut tied = HashSet::new();
    let mut bring: HashMap<Value, (BlockId, BlockId)> = HashMap::new();
    for thread in threads {
        for param in &function.blocks[thread.past.index()].params {
            if let Some((_, other)) = bring.insert(*param, (thread.past, thread.other))
                && other != thread.other
            {
                tied.insert(thread.past);
            }
        }
    }
    if bring.is_empty() {
        return tied;
    }
    for block in &cfg.order {
        let mut note = |value: Value| {
            if let Some((past, other)) = bring.get(&value)
                && block != past
                && !(cfg.predecessors(*other).len() == 1 && dominators.dominates(*other, *block))
            {
                tied.insert(*past);
            }
        };
        let body = &function.blocks[block.index()];
        for id in &body.insts {
            function.insts[id.index()].args.iter().copied().for_each(&mut note);
        }
        body.terminator.for_each_value(note);
    }
    tied
}

/// Turns edges, where at most one way into the block is left that does not know the answer: with more the
/// turned edges would jump over what the others share.
fn go_past(function: &mut Function, cfg: &Cfg, dominators: &Dominators, threads: Vec<Thread>) -> usize {
    if threads.is_empty() {
        return 0;
    }
    let tied = tied_down(function, cfg, dominators, &threads);
    let mut turned: HashMap<BlockId, usize> = HashMap::new();
    for thread in &threads {
        *turned.entry(thread.past).or_default() += 1;
    }
    let mut count = 0;
    for Thread { from, slot, past, to, .. } in threads {
        let ways = cfg.predecessors(past).len();
        if tied.contains(&past) || turned.get(&past).is_none_or(|turned| turned + 1 < ways) {
            continue;
        }
        // Its own terminator may have been turned already.
        if turned.contains_key(&to.block) {
            turned.remove(&to.block);
        }
        if let Some(target) = function.blocks[from.index()].terminator.targets_mut().nth(slot) {
            *target = to;
            count += 1;
        }
    }
    count
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::passes::testing::{assert_same, program};
    use crate::passes::{BRANCHES, DEAD, VALUES, run as run_passes};

    fn checked(module: &Module, seed: u64) -> String {
        let mut after = module.clone();
        assert!(run(&mut after, Rules::Exact).count > 0, "{module}");
        assert!(crate::verify::check(&after).is_empty(), "{after}");
        assert_same(module, &after, seed);
        run_passes(&mut after, &[VALUES, BRANCHES, DEAD, VALUES, BRANCHES, DEAD], None);
        assert_same(module, &after, seed);
        after.to_string()
    }

    #[test]
    fn what_a_comparison_excludes_is_known() {
        let module = program(|builder, inputs| {
            let (zero, one) = (builder.bits(0), builder.bits(1));
            let is_zero = builder.value(Op::ICompare(CompareInt::Eq), &[inputs[0], zero]);
            let (then, otherwise, join) = (builder.block(), builder.block(), builder.block());
            let result = builder.param(join, Type::B32);
            builder.branch(is_zero, then, otherwise);
            builder.switch_to(then);
            let is_one = builder.value(Op::ICompare(CompareInt::Eq), &[one, inputs[0]]);
            let a = builder.value(Op::Select, &[is_one, inputs[1], inputs[2]]);
            builder.jump(join, &[a]);
            builder.switch_to(otherwise);
            let not_zero = builder.value(Op::ICompare(CompareInt::Ne), &[zero, inputs[0]]);
            let b = builder.value(Op::Select, &[not_zero, inputs[3], inputs[4]]);
            builder.jump(join, &[b]);
            builder.switch_to(join);
            vec![result]
        });
        let text = checked(&module, 1);
        assert!(!text.contains("load input 0[1]") && !text.contains("load input 0[4]"), "{text}");
    }

    #[test]
    fn a_join_that_asks_again_is_passed() {
        let module = program(|builder, inputs| {
            let less = builder.value(Op::ICompare(CompareInt::Slt), &[inputs[0], inputs[1]]);
            let [then, ask, rest, join] = [(); 4].map(|()| builder.block());
            let carried = builder.param(ask, Type::B32);
            let result = builder.param(join, Type::B32);
            builder.terminate(Terminator::Branch {
                condition: less,
                then: Target::plain(then),
                otherwise: Target { block: ask, args: vec![inputs[2]] },
            });
            builder.switch_to(then);
            let sum = builder.value(Op::IAdd, &[inputs[2], inputs[3]]);
            builder.jump(ask, &[sum]);
            builder.switch_to(ask);
            builder.terminate(Terminator::Branch {
                condition: less,
                then: Target { block: join, args: vec![carried] },
                otherwise: Target::plain(rest),
            });
            builder.switch_to(rest);
            let product = builder.value(Op::IMul, &[carried, inputs[4]]);
            builder.jump(join, &[product]);
            builder.switch_to(join);
            vec![result]
        });
        let text = checked(&module, 2);
        assert_eq!(text.matches("branch").count(), 1, "{text}");
    }

    #[test]
    fn a_choice_within_a_choice_knows_the_first() {
        let module = program(|builder, inputs| {
            let zero = builder.bits(0);
            let none = builder.value(Op::ICompare(CompareInt::Eq), &[inputs[0], zero]);
            let some = builder.value(Op::ICompare(CompareInt::Ne), &[zero, inputs[0]]);
            let inner = builder.value(Op::Select, &[some, inputs[1], inputs[2]]);
            vec![builder.value(Op::Select, &[none, inputs[3], inner])]
        });
        assert_eq!(checked(&module, 3).matches("select").count(), 1);
    }

    #[test]
    fn orders_turn_round_only_without_nan() {
        let module = program(|builder, inputs| {
            let mode = FloatMode::F32;
            let less = builder.value(Op::FCompare(CompareFloat::Lt, mode), &[inputs[0], inputs[1]]);
            let (then, join) = (builder.block(), builder.block());
            let result = builder.param(join, Type::B32);
            builder.terminate(Terminator::Branch {
                condition: less,
                then: Target { block: join, args: vec![inputs[2]] },
                otherwise: Target::plain(then),
            });
            builder.switch_to(then);
            let not_less = builder.value(Op::FCompare(CompareFloat::Le, mode), &[inputs[1], inputs[0]]);
            let a = builder.value(Op::Select, &[not_less, inputs[3], inputs[4]]);
            builder.jump(join, &[a]);
            builder.switch_to(join);
            vec![result]
        });
        assert_eq!(run(&mut module.clone(), Rules::Exact).count, 0);
        let changes = run(&mut module.clone(), Rules::Finite);
        assert!(changes.count > 0);
        assert_eq!(changes.assumptions, [ASSUMPTION]);
    }

    #[test]
    fn outcomes_are_what_comparing_gives() {
        use CompareInt::{Eq, Ne, Sle, Slt, Ule, Ult};
        let words = [0u64, 1, 0x7FFF_FFFF, 0x8000_0000, 0xFFFF_FFFF];
        for by in [Eq, Ne, Slt, Sle, Ult, Ule] {
            for (a, b) in words.iter().flat_map(|a| words.map(|b| (*a, b))) {
                let mut function = Function::default();
                function.push_block();
                let mut make = |op, args: &[Value], ty| {
                    let inst = function.push_inst(op, args, &[ty], Origin::default());
                    function.result(inst, 0)
                };
                let x = make(Op::BitCount, &[Value(0)], Type::B32);
                let y = make(Op::B32(b as u32), &[], Type::B32);
                let compared = make(Op::ICompare(by), &[x, y], Type::Bool);
                let mut walk = Walk {
                    function: &mut function,
                    rules: Rules::Exact,
                    known: Known::default(),
                    constants: Vec::new(),
                    truths: [None; 2],
                    changed: 0,
                    assumed: false,
                };
                walk.known.learn_case(x, a as u32, true);
                let expected = evaluate(&Op::ICompare(by), Type::B32, &[a, b]).map(|bits| bits == 1);
                assert_eq!(walk.truth(compared, 1), expected, "{by:?} {a:x} {b:x}");
            }
        }
    }
}
