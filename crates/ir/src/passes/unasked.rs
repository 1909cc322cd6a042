//! What a register held on a way on which nobody asks for it any more: where two sides of a condition meet, a machine's register
//! is a number of the one and what was there before of the other, and only where the condition holds is it read. Where that is of
//! another kind (an integer, and a float before it), no source has both in one variable: it is 0 there.
//!
//! Where a choice by the same condition follows, between such a parameter and a constant, the parameter is all of it:
//! `inside ? 1.0 : p`, with `p` asked for outside alone, is `p` that is 1.0 inside.
//!
//! Exact, but that of two comparisons of floats which are each other's opposite one holds ([`ASSUMPTION`]).

use super::Changes;
use super::edit::{Forward, is_constant, use_counts};
use crate::cfg::{Cfg, Dominators};
use crate::votes::{Votes, by_all, by_use, is_no_float};
use crate::{
    BlockId, CompareFloat, CompareInt, Function, InstId, Module, Op, Origin, Space, Terminator, Type, Value,
    ValueDef,
};
use std::collections::BTreeMap;

/// What must hold.
const ASSUMPTION: &str = "no NaN is compared";

/// Conditions on one way at most.
const MOST: usize = 16;

/// A condition, and whether it holds.
type Fact = (Condition, bool);

/// What may hold or not: a truth value, or how two values compare. Each comparison stands for its opposite too.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Condition {
    Truth(Value),
    Equal(Value, Value),
    Less(Value, Value),
    Below(Value, Value),
    FloatsEqual(Value, Value),
    FloatLess(Value, Value),
}

impl Condition {
    fn is_of_floats(self) -> bool {
        matches!(self, Self::FloatsEqual(..) | Self::FloatLess(..))
    }
}

/// A condition of a truth value and whether that holds where the value is so.
fn fact(function: &Function, condition: Value, holds: bool) -> Fact {
    use Condition::*;
    let sorted = |a: Value, b: Value| (a.min(b), a.max(b));
    let Some(inst) = function.definition(condition) else { return (Truth(condition), holds) };
    match (inst.op, &inst.args[..]) {
        (Op::Not, &[a]) => fact(function, a, !holds),
        (Op::ICompare(by), &[a, b]) => {
            let (least, most) = sorted(a, b);
            match by {
                CompareInt::Eq => (Equal(least, most), holds),
                CompareInt::Ne => (Equal(least, most), !holds),
                CompareInt::Slt => (Less(a, b), holds),
                CompareInt::Sle => (Less(b, a), !holds),
                CompareInt::Ult => (Below(a, b), holds),
                CompareInt::Ule => (Below(b, a), !holds),
            }
        }
        (Op::FCompare(by, _), &[a, b]) => {
            let (least, most) = sorted(a, b);
            match by {
                CompareFloat::Eq => (FloatsEqual(least, most), holds),
                CompareFloat::Ne => (FloatsEqual(least, most), !holds),
                CompareFloat::Lt => (FloatLess(a, b), holds),
                CompareFloat::Ge => (FloatLess(a, b), !holds),
                CompareFloat::Gt => (FloatLess(b, a), holds),
                CompareFloat::Le => (FloatLess(b, a), !holds),
            }
        }
        _ => (Truth(condition), holds),
    }
}

pub(super) fn run(module: &mut Module) -> Changes {
    if !module.from_shading_language {
        return Changes::default();
    }
    let (mut count, mut assumed) = (0, false);
    for function in &mut module.functions {
        count += chosen_again(function, &mut assumed) + of_function(function, &mut assumed);
    }
    let changes = Changes::from(count);
    if assumed { changes.assume(ASSUMPTION) } else { changes }
}

/// A choice between a parameter that nobody else asks for and a constant.
struct Choice {
    inst: InstId,
    param: Value,
    join: BlockId,
    number: usize,
    /// Whether the parameter is chosen where the condition holds.
    side: bool,
    constant: Value,
}

fn chosen_again(function: &mut Function, assumed: &mut bool) -> usize {
    let choices = choices(function);
    if choices.is_empty() {
        return 0;
    }
    let cfg = Cfg::new(function);
    let dominators = Dominators::new(&cfg);
    let ways = Ways { function, cfg: &cfg, dominators: &dominators };
    let mut found = Vec::new();
    for choice in choices {
        let from = cfg.predecessors(choice.join);
        if from.iter().any(|from| dominators.dominates(choice.join, *from)) {
            continue;
        }
        let condition = function.insts[choice.inst.index()].args[0];
        let asked = fact(function, condition, choice.side);
        let edges = edges_into(function, choice.join);
        let answer = |(from, slot): &(BlockId, usize)| {
            let there = ways.on_edge(*from, *slot, choice.join);
            let holds = |holds: bool| there.contains(&(asked.0, holds));
            match (holds(asked.1), holds(!asked.1)) {
                (true, _) => Some(true),
                (_, true) => Some(false),
                _ => None,
            }
        };
        let answers: Option<Vec<bool>> = edges.iter().map(answer).collect();
        let Some(answers) = answers else { continue };
        if answers.contains(&false) {
            *assumed |= asked.0.is_of_floats();
            let unasked = edges.into_iter().zip(answers).filter(|(_, asked)| !asked).map(|(edge, _)| edge);
            found.push((unasked.collect::<Vec<_>>(), choice));
        }
    }
    let mut forward = Forward::new(function);
    for (edges, choice) in &found {
        for (from, slot) in edges {
            let terminator = &mut function.blocks[from.index()].terminator;
            let target = terminator.targets_mut().nth(*slot);
            if let Some(arg) = target.and_then(|target| target.args.get_mut(choice.number)) {
                *arg = choice.constant;
            }
        }
        forward.set(function.insts[choice.inst.index()].results[0], choice.param);
    }
    if !found.is_empty() {
        forward.apply(function);
        for block in &mut function.blocks {
            block.insts.retain(|id| found.iter().all(|(_, choice)| choice.inst != *id));
        }
    }
    found.len()
}

fn choices(function: &Function) -> Vec<Choice> {
    let uses = use_counts(function);
    let mut found = Vec::new();
    for id in function.blocks.iter().flat_map(|block| &block.insts) {
        let inst = &function.insts[id.index()];
        let (Op::Select, &[_, yes, no]) = (inst.op, &inst.args[..]) else { continue };
        for (param, constant, side) in [(yes, no, true), (no, yes, false)] {
            let def = function.values.get(param.index()).map(|value| value.def);
            if let Some(ValueDef::Param(join, number)) = def
                && uses.get(param.index()) == Some(&1)
                && join != BlockId(0)
                && function.definition(constant).is_some_and(|inst| is_constant(&inst.op))
            {
                found.push(Choice { inst: *id, param, join, number: number.into(), side, constant });
            }
        }
    }
    found
}

/// The ways into a block: where they come from, and which of the ways from there.
fn edges_into(function: &Function, block: BlockId) -> Vec<(BlockId, usize)> {
    let mut found = Vec::new();
    for (from, body) in function.blocks.iter().enumerate() {
        let slots = body.terminator.targets().enumerate().filter(|(_, target)| target.block == block);
        found.extend(slots.map(|(slot, _)| (BlockId(from as u32), slot)));
    }
    found
}

fn of_function(function: &mut Function, assumed: &mut bool) -> usize {
    if function.blocks.iter().skip(1).all(|block| block.params.is_empty()) {
        return 0;
    }
    let suspects = suspects(function);
    if suspects.is_empty() {
        return 0;
    }
    let cfg = Cfg::new(function);
    let dominators = Dominators::new(&cfg);
    let ways = Ways { function, cfg: &cfg, dominators: &dominators };
    let mut uses: BTreeMap<Value, Option<Vec<Vec<Fact>>>> =
        suspects.iter().map(|suspect| (suspect.param, Some(Vec::new()))).collect();
    ways.find_uses(&mut uses);
    let mut unasked = Vec::new();
    for suspect in suspects {
        let Some(Some(uses)) = uses.get(&suspect.param) else { continue };
        // A condition in a loop is another one the next time.
        if cfg.predecessors(suspect.join).iter().any(|from| dominators.dominates(suspect.join, *from)) {
            continue;
        }
        let there = ways.on_edge(suspect.from, suspect.slot, suspect.join);
        let never = |use_facts: &Vec<Fact>| {
            use_facts.iter().any(|(condition, holds)| there.contains(&(*condition, !holds)))
        };
        if !uses.is_empty() && uses.iter().all(never) {
            *assumed |= there.iter().any(|(condition, _)| condition.is_of_floats());
            unasked.push(suspect);
        }
    }
    if unasked.is_empty() {
        return 0;
    }
    let nowhere = Origin { instruction: u32::MAX, step: 0, lane: 0 };
    let made = function.push_inst(Op::B32(0), &[], &[Type::B32], nowhere);
    function.blocks[0].insts.insert(0, made);
    let zero = function.result(made, 0);
    for suspect in &unasked {
        let terminator = &mut function.blocks[suspect.from.index()].terminator;
        if let Some(arg) =
            terminator.targets_mut().nth(suspect.slot).and_then(|target| target.args.get_mut(suspect.at))
        {
            *arg = zero;
        }
    }
    unasked.len()
}

/// A parameter that is of another kind than what it gets on a way, or gets an input there: a register of the machine holds one
/// as long as it is asked for, and what number a lane has is asked for by few sources.
struct Suspect {
    param: Value,
    join: BlockId,
    from: BlockId,
    slot: usize,
    at: usize,
}

fn suspects(function: &Function) -> Vec<Suspect> {
    let (made, read) = (by_all(function), by_use(function));
    let of = |votes: &[Votes], value: Value| votes.get(value.index()).copied().unwrap_or_default();
    let is_float = |arg: Value| match of(&made, arg) {
        // It may have the votes of what it is passed on as.
        _ if has_no_float(function, arg) => Some(false),
        votes if votes.is_float() => Some(true),
        votes if votes.is_integer() => Some(false),
        _ => None,
    };
    // What parameters that nobody computes with get: floats, integers, something else; numbers say nothing.
    let mut gets: BTreeMap<Value, [bool; 3]> = BTreeMap::new();
    for (to, arg) in function.blocks.iter().flat_map(|body| body.terminator.targets()).flat_map(|target| {
        let params = function.blocks.get(target.block.index()).map_or(&[][..], |to| &to.params[..]);
        params.iter().zip(&target.args)
    }) {
        let known = is_float(*arg);
        let is_number = function.definition(*arg).is_some_and(|inst| is_constant(&inst.op));
        if of(&read, *to).is_empty() && (known.is_some() || !is_number) {
            gets.entry(*to).or_default()[known.map_or(2, |is_float| usize::from(!is_float))] = true;
        }
    }
    let mut found = Vec::new();
    for (block, body) in function.blocks.iter().enumerate() {
        for (slot, target) in body.terminator.targets().enumerate() {
            let Some(to) = function.blocks.get(target.block.index()) else { continue };
            for (at, (param, arg)) in to.params.iter().zip(&target.args).enumerate() {
                let (own, other) = (of(&read, *param), is_float(*arg));
                let mixed = gets.get(param).is_some_and(|gets| gets.iter().filter(|got| **got).count() > 1);
                let differ = match other {
                    Some(true) => own.is_integer() || mixed,
                    Some(false) => own.is_float() || mixed,
                    None => false,
                };
                let input = matches!(
                    function.definition(*arg).map(|inst| inst.op),
                    Some(Op::Load(access)) if access.space == Space::Input && !access.is_indexed()
                );
                if (differ || input) && function.ty(*param) == Type::B32 {
                    let from = BlockId(block as u32);
                    found.push(Suspect { param: *param, join: target.block, from, slot, at });
                }
            }
        }
    }
    found
}

/// Whether a value may be a constant that no float is.
fn has_no_float(function: &Function, value: Value) -> bool {
    let is_none = |value: Value| match function.definition(value).map(|inst| inst.op) {
        Some(Op::B32(bits)) => is_no_float(bits),
        _ => false,
    };
    match function.definition(value).map(|inst| (inst.op, &inst.args[..])) {
        Some((Op::Select, &[_, yes, no])) => is_none(yes) || is_none(no),
        _ => is_none(value),
    }
}

struct Ways<'f> {
    function: &'f Function,
    cfg: &'f Cfg,
    dominators: &'f Dominators,
}

impl Ways<'_> {
    /// What holds where a condition does, or does not.
    fn learn(&self, condition: Value, holds: bool, facts: &mut Vec<Fact>) {
        if facts.len() >= MOST {
            return;
        }
        match self.function.definition(condition).map(|inst| (inst.op, &inst.args[..])) {
            Some((Op::Not, &[a])) => return self.learn(a, !holds, facts),
            Some((Op::And, &[a, b])) if holds => {
                [a, b].into_iter().for_each(|part| self.learn(part, true, facts))
            }
            Some((Op::Or, &[a, b])) if !holds => {
                [a, b].into_iter().for_each(|part| self.learn(part, false, facts))
            }
            _ => {}
        }
        facts.push(fact(self.function, condition, holds));
    }

    fn take(&self, from: BlockId, slot: usize, facts: &mut Vec<Fact>) {
        if let Some(Terminator::Branch { condition, then, otherwise }) =
            self.function.blocks.get(from.index()).map(|block| &block.terminator)
            && then.block != otherwise.block
        {
            self.learn(*condition, slot == 0, facts);
        }
    }

    /// What holds in a block since control is behind another that dominates it.
    fn in_block(&self, block: BlockId, behind: BlockId, facts: &mut Vec<Fact>) {
        let mut at = block;
        while at != behind && facts.len() < MOST {
            if let &[from] = self.cfg.predecessors(at)
                && let Some(body) = self.function.blocks.get(from.index())
                && let Some(slot) = body.terminator.targets().position(|target| target.block == at)
            {
                self.take(from, slot, facts);
            }
            match self.dominators.immediate(at) {
                Some(next) => at = next,
                None => break,
            }
        }
    }

    /// What holds on an edge into a block where ways meet.
    fn on_edge(&self, from: BlockId, slot: usize, join: BlockId) -> Vec<Fact> {
        let mut facts = Vec::new();
        self.take(from, slot, &mut facts);
        if let Some(behind) = self.dominators.immediate(join) {
            self.in_block(from, behind, &mut facts);
        }
        facts
    }

    /// What holds where each of these parameters is used; nothing for one that is used in a loop that it is not of.
    fn find_uses(&self, uses: &mut BTreeMap<Value, Option<Vec<Vec<Fact>>>>) {
        let homes: BTreeMap<Value, BlockId> = self
            .function
            .blocks
            .iter()
            .enumerate()
            .flat_map(|(at, block)| block.params.iter().map(move |param| (*param, BlockId(at as u32))))
            .collect();
        let mut note = |value: Value, block: BlockId, more: &dyn Fn(&mut Vec<Fact>)| {
            let (Some(known), Some(home)) = (uses.get_mut(&value), homes.get(&value)) else { return };
            let mut facts = Vec::new();
            more(&mut facts);
            self.in_block(block, *home, &mut facts);
            match known {
                Some(list) if list.len() < MOST => list.push(facts),
                known => *known = None,
            }
        };
        for block in &self.cfg.order {
            let body = &self.function.blocks[block.index()];
            for inst in body.insts.iter().map(|id| &self.function.insts[id.index()]) {
                for (position, arg) in inst.args.iter().enumerate() {
                    note(*arg, *block, &|facts| {
                        if let (Op::Select, 1 | 2, Some(condition)) = (inst.op, position, inst.args.first()) {
                            self.learn(*condition, position == 1, facts);
                        }
                    });
                }
            }
            for (slot, target) in body.terminator.targets().enumerate() {
                for arg in &target.args {
                    note(*arg, *block, &|facts| self.take(*block, slot, facts));
                }
            }
            if let Some(asked) = body.terminator.asked() {
                note(asked, *block, &|_| {});
            }
            if let Terminator::Return(values) = &body.terminator {
                values.iter().for_each(|value| note(*value, *block, &|_| {}));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{outputs, program};
    use super::*;
    use crate::{CompareInt, FloatMode};

    /// An integer of a condition's one side, and a float of the other, that is asked for where the condition holds.
    fn of_two_kinds(everywhere: bool) -> Module {
        let mut module = program(|builder, x| {
            let zero = builder.bits(0);
            let holds = builder.value(Op::ICompare(CompareInt::Ne), &[x[0], zero]);
            let float = builder.value(Op::FAdd(FloatMode::F32), &[x[1], x[2]]);
            let [then, join] = [builder.block(), builder.block()];
            let param = builder.param(join, Type::B32);
            let to = |block, args: &[Value]| crate::Target { block, args: args.into() };
            builder.terminate(Terminator::Branch {
                condition: holds,
                then: to(then, &[]),
                otherwise: to(join, &[float]),
            });
            builder.switch_to(then);
            let sum = builder.value(Op::IAdd, &[x[3], x[4]]);
            builder.jump(join, &[sum]);
            builder.switch_to(join);
            let product = builder.value(Op::IMul, &[param, param]);
            let chosen = builder.value(Op::Select, &[holds, product, zero]);
            let picked = builder.value(Op::Select, &[holds, param, zero]);
            let picked = builder.value(Op::IAdd, &[picked, x[5]]);
            vec![if everywhere { chosen } else { picked }, float]
        });
        module.from_shading_language = true;
        super::super::run(&mut module, &[super::super::DEAD], None);
        module
    }

    #[test]
    fn what_nobody_asks_for_is_nothing() {
        let before = of_two_kinds(false);
        let mut after = before.clone();
        assert_eq!(run(&mut after).count, 1);
        assert!(crate::verify::check(&after).is_empty(), "{after}");
        for holds in 0..2 {
            let inputs = [holds, 0x3F80_0000, 0x4000_0000, 3, 4, 5];
            assert_eq!(outputs(&before, &inputs), outputs(&after, &inputs), "{after}");
        }
        assert_eq!(run(&mut after).count, 0);
    }

    #[test]
    fn a_choice_by_the_same_condition_is_what_it_chooses() {
        let mut module = program(|builder, x| {
            let (zero, one) = (builder.bits(0), builder.float(1.0));
            let differ = builder.value(Op::ICompare(CompareInt::Ne), &[x[0], zero]);
            let [then, join] = [builder.block(), builder.block()];
            let param = builder.param(join, Type::B32);
            let to = |block, args: &[Value]| crate::Target { block, args: args.into() };
            builder.terminate(Terminator::Branch {
                condition: differ,
                then: to(then, &[]),
                otherwise: to(join, &[x[0]]),
            });
            builder.switch_to(then);
            let sum = builder.value(Op::FAdd(FloatMode::F32), &[x[1], x[2]]);
            builder.jump(join, &[sum]);
            builder.switch_to(join);
            let same = builder.value(Op::ICompare(CompareInt::Eq), &[zero, x[0]]);
            vec![builder.value(Op::Select, &[same, one, param])]
        });
        module.from_shading_language = true;
        let before = module.clone();
        assert_eq!(run(&mut module).count, 1);
        assert!(!module.to_string().contains("select"), "{module}");
        assert!(crate::verify::check(&module).is_empty(), "{module}");
        for first in 0..2 {
            let inputs = [first, 0x3F80_0000, 0x4000_0000, 3, 4, 5];
            assert_eq!(outputs(&before, &inputs), outputs(&module, &inputs), "{module}");
        }
    }

    #[test]
    fn what_is_computed_with_stays() {
        let before = of_two_kinds(true);
        let mut after = before.clone();
        assert_eq!(run(&mut after).count, 0);
        assert_eq!(before, after);
    }
}
