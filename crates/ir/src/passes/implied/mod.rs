//! What a branch decided stays decided behind it: conditions that follow from those on the way are known,
//! choices by them are one of their sides, and a way into an empty join that only asks again goes where the
//! answer leads.
//!
//! Behind `x == 0` is false, `x != 0` is true, `c || x == 0` is `c`, and behind `x == 1` is `x == 2` false.
//! Exact with [`Rules::Exact`]; otherwise `a < b` being false makes `a >= b` true.

mod comparison;
mod known;
mod threads;
mod unread;

use super::Changes;
use super::edit::constant;
use super::fold::Rules;
use crate::cfg::{Cfg, Dominators};
use crate::exec::evaluate;
use crate::{BlockId, CompareInt, Function, InstId, Module, Op, Origin, Target, Terminator, Type, Value};
use comparison::{
    EQUAL, GREATER_GREATER, GREATER_LESS, Kind, LESS_GREATER, LESS_LESS, Operand, Outcomes, Pair, UNORDERED,
    comparison,
};
use known::Known;
use threads::{Thread, go_past, past};
use unread::Unread;

/// What must hold where a comparison was turned round.
const ASSUMPTION: &str = "no NaN is compared";

/// Cases of a switch that are known behind it.
const CASES: usize = 64;
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

struct Walk<'a> {
    function: &'a mut Function,
    rules: Rules,
    known: Known,
    /// New constants, for the start of block 0.
    constants: Vec<InstId>,
    truths: [Option<Value>; 2],
    zero: Option<Value>,
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

    /// Nothing instead of what other lanes have, where nobody reads it on this way.
    fn leave_out(&mut self, unread: &Unread, target: &mut Target) {
        for at in 0..target.args.len() {
            let Some((condition, side)) = unread.asked(self.function, target, at) else { continue };
            if self.truth(condition, DEPTH) != Some(!side) {
                continue;
            }
            target.args[at] = self.zero.unwrap_or_else(|| {
                let nowhere = Origin { instruction: u32::MAX, step: 0, lane: 0 };
                let made = self.function.push_inst(Op::B32(0), &[], &[Type::B32], nowhere);
                self.constants.push(made);
                self.function.result(made, 0)
            });
            self.zero = Some(target.args[at]);
            self.changed += 1;
        }
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
                    for (number, _) in cases.iter().take(CASES) {
                        self.known.learn_case(*value, *number, false);
                    }
                }
            },
            _ => {}
        }
    }
}

/// The ways of a function, and which blocks loops begin with.
struct Graph<'a> {
    cfg: &'a Cfg,
    headers: Vec<bool>,
    unread: Unread,
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
        zero: None,
        changed: 0,
        assumed: false,
    };
    let mut headers = vec![false; cfg.blocks()];
    headers[0] = true;
    for block in &cfg.order {
        for to in cfg.successors(*block) {
            headers[to.index()] |= dominators.dominates(*to, *block);
        }
    }
    let unread = Unread::of(walk.function, &dominators);
    let graph = Graph { cfg: &cfg, headers, unread };
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
            regions.push((*block, walk.known.depth()));
            let terminator = &walk.function.blocks[from.index()].terminator;
            let few = !matches!(terminator, Terminator::Switch { cases, .. } if cases.len() > CASES);
            if few {
                let terminator = terminator.clone();
                let slot = terminator.targets().position(|target| target.block == *block);
                slot.into_iter().for_each(|slot| walk.take(&terminator, slot));
            }
        }
        of_block(&mut walk, *block, &graph, &mut threads);
    }
    let Walk { constants, changed, assumed, .. } = walk;
    let threaded = go_past(function, &cfg, &dominators, threads);
    function.blocks[0].insts.splice(0..0, constants);
    (changed + threaded, assumed)
}

fn of_block(walk: &mut Walk<'_>, block: BlockId, graph: &Graph<'_>, threads: &mut Vec<Thread>) {
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
        let length = walk.known.depth();
        walk.take(&source, slot);
        if !walk.known.is_empty() {
            target.args.iter_mut().for_each(|arg| walk.rewrite(arg));
            walk.leave_out(&graph.unread, target);
            // The cases of a switch meet where they have code in common.
            if !matches!(source, Terminator::Switch { .. })
                && let Some((to, other)) = past(walk, target, graph)
            {
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
            let length = walk.known.depth();
            walk.known.learn(walk.function, condition, *holds, DEPTH);
            walk.rewrite(&mut side);
            walk.known.back_to(length);
            walk.function.insts[id.index()].args[*at] = side;
        }
    }
}

#[cfg(test)]
mod tests;
