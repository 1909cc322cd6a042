//! Branches in the place of choices: what only one side of a choice asks for is computed on that side alone.

use super::super::edit::{Forward, is_constant, use_counts};
use super::write::param;
use crate::{Block, BlockId, Effect, Function, InstId, Op, Target, Terminator, Value};
use smallvec::SmallVec;
use std::collections::{BTreeMap, BTreeSet};

/// Operations of both sides of a branch, at the least.
const WORTH: usize = 2;
/// Branches that one block becomes, at most.
const MOST: usize = 64;

/// Gives a block without branches those that its choices were.
pub(super) fn restore(function: &mut Function, block: BlockId) {
    let mut work = vec![block];
    for _ in 0..MOST {
        let Some(block) = work.pop() else { break };
        if let Some(sides) = Sides::largest(function, block) {
            work.extend(sides.part(function, block));
            work.push(block);
        }
    }
}

/// The choices of one condition in a block, and what is asked for by one side of them alone.
struct Sides {
    condition: Value,
    choices: Vec<InstId>,
    then: BTreeSet<InstId>,
    otherwise: BTreeSet<InstId>,
}

/// Which side of the choices asks for a value.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    Then,
    Otherwise,
    Both,
}

impl Sides {
    /// Those of the condition whose sides compute most.
    fn largest(function: &Function, block: BlockId) -> Option<Self> {
        let mut conditions: Vec<Value> = Vec::new();
        for id in &function.blocks[block.index()].insts {
            let inst = &function.insts[id.index()];
            if inst.op == Op::Select && !conditions.contains(&inst.args[0]) {
                conditions.push(inst.args[0]);
            }
        }
        let uses = use_counts(function);
        let found =
            conditions.into_iter().filter_map(|condition| Self::new(function, block, condition, &uses));
        found.filter(|sides| sides.weight(function) >= WORTH).max_by_key(|sides| sides.weight(function))
    }

    /// Operations that are computed on one side alone.
    fn weight(&self, function: &Function) -> usize {
        let sides = self.then.iter().chain(&self.otherwise);
        sides.filter(|id| !is_constant(&function.insts[id.index()].op)).count()
    }

    /// Nothing where a side needs what comes only behind the choices.
    fn new(function: &Function, block: BlockId, condition: Value, uses: &[u32]) -> Option<Self> {
        let list = &function.blocks[block.index()].insts;
        let (mut then, mut otherwise) = (BTreeSet::new(), BTreeSet::new());
        let mut choices = Vec::new();
        // By value: who asks for it, and how often that was counted.
        let mut asked: BTreeMap<Value, (Side, u32)> = BTreeMap::new();
        let ask = |asked: &mut BTreeMap<Value, (Side, u32)>, value: Value, side: Side| {
            let (own, count) = asked.entry(value).or_insert((side, 0));
            *own = if *own == side { side } else { Side::Both };
            *count += 1;
        };
        for id in list.iter().rev() {
            let inst = &function.insts[id.index()];
            if inst.op == Op::Select && inst.args[0] == condition {
                ask(&mut asked, condition, Side::Both);
                ask(&mut asked, inst.args[1], Side::Then);
                ask(&mut asked, inst.args[2], Side::Otherwise);
                choices.push(*id);
                continue;
            }
            // All who ask are of one side.
            let side = inst.results.iter().try_fold(None, |known, result| {
                let (side, count) = asked.get(result).copied()?;
                let alone = uses.get(result.index()) == Some(&count) && side != Side::Both;
                (alone && known.is_none_or(|known| known == side)).then_some(Some(side))
            });
            let side = side.flatten().filter(|_| inst.op.effect() == Effect::Pure).unwrap_or(Side::Both);
            match side {
                Side::Then => _ = then.insert(*id),
                Side::Otherwise => _ = otherwise.insert(*id),
                Side::Both => {}
            }
            inst.args.iter().for_each(|arg| ask(&mut asked, *arg, side));
        }
        // What stands behind the choices, since it asks for one.
        let mut later: BTreeSet<Value> = BTreeSet::new();
        let mut chosen: BTreeSet<Value> = BTreeSet::new();
        for id in list {
            let inst = &function.insts[id.index()];
            let is_side = then.contains(id) || otherwise.contains(id);
            let waits = inst.args.iter().any(|arg| later.contains(arg));
            if choices.contains(id) {
                if waits {
                    return None;
                }
                chosen.extend(&inst.results);
            } else if is_side {
                if waits {
                    return None;
                }
            } else if waits || inst.args.iter().any(|arg| chosen.contains(arg)) {
                later.extend(&inst.results);
            }
        }
        choices.reverse();
        let ready = !later.contains(&condition) && !chosen.contains(&condition);
        ready.then_some(Self { condition, choices, then, otherwise })
    }

    /// Makes the branch; answers the new blocks.
    fn part(self, function: &mut Function, block: BlockId) -> SmallVec<[BlockId; 3]> {
        let first = function.blocks.len() as u32;
        let ends = BlockId(first);
        let list = std::mem::take(&mut function.blocks[block.index()].insts);
        let results: Vec<Value> = self.choices.iter().map(|id| function.result(*id, 0)).collect();
        let params: Vec<Value> = results
            .iter()
            .enumerate()
            .map(|(place, result)| {
                let variable = function.values[result.index()].variable;
                let param = param(function, ends, place, function.ty(*result));
                function.values[param.index()].variable = variable;
                param
            })
            .collect();
        // On a side each choice is what that side gives.
        let (mut yes, mut no, mut behind) =
            (Forward::new(function), Forward::new(function), Forward::new(function));
        for ((id, result), param) in self.choices.iter().zip(&results).zip(&params) {
            let args = &function.insts[id.index()].args;
            yes.set(*result, args[1]);
            no.set(*result, args[2]);
            behind.set(*result, *param);
        }
        let gives_yes: Vec<Value> = results.iter().map(|result| yes.resolve(*result)).collect();
        let gives_no: Vec<Value> = results.iter().map(|result| no.resolve(*result)).collect();
        let (mut front, mut then, mut otherwise, mut rest) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        let mut later: BTreeSet<Value> = params.iter().copied().collect();
        for id in list {
            if self.choices.contains(&id) {
                continue;
            }
            let (forward, side) = match (self.then.contains(&id), self.otherwise.contains(&id)) {
                (true, _) => (&mut yes, Some(&mut then)),
                (_, true) => (&mut no, Some(&mut otherwise)),
                _ => (&mut behind, None),
            };
            for arg in &mut function.insts[id.index()].args {
                *arg = forward.resolve(*arg);
            }
            let inst = &function.insts[id.index()];
            match side {
                Some(side) => side.push(id),
                None if inst.args.iter().any(|arg| later.contains(arg)) => {
                    later.extend(&inst.results);
                    rest.push(id);
                }
                None => front.push(id),
            }
        }
        let mut join = Block { params, insts: rest, ..Block::default() };
        join.leave_as(&mut function.blocks[block.index()]);
        function.blocks.push(join);
        let mut made: SmallVec<[BlockId; 3]> = SmallVec::new();
        made.push(ends);
        let mut way = |function: &mut Function, insts: Vec<InstId>, args: Vec<Value>| {
            if insts.is_empty() {
                return Target { block: ends, args };
            }
            let side = BlockId(function.blocks.len() as u32);
            let terminator = Terminator::Jump(Target { block: ends, args });
            function.blocks.push(Block { insts, terminator, ..Block::default() });
            made.push(side);
            Target { block: side, args: Vec::new() }
        };
        let then = way(function, then, gives_yes);
        let otherwise = way(function, otherwise, gives_no);
        let here = &mut function.blocks[block.index()];
        here.insts = front;
        here.terminator = Terminator::Branch { condition: self.condition, then, otherwise };
        // Blocks behind this one ask for what the choices are there.
        behind.apply(function);
        made
    }
}
