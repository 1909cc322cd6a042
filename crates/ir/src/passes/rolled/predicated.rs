//! Passes that the machine goes through without a branch: each result is chosen by a condition that holds only where that of the
//! pass before does (`c2 = r2 && c1`), so that nothing changes any more once one does not. Such a block comes apart at its
//! conditions, each of which leads to where the block goes with what it then has.
//!
//! Exact.

use super::super::edit::{Forward, use_counts};
use crate::{Block, BlockId, Effect, Function, InstId, Op, Target, Terminator, Value, ValueDef};
use std::collections::{BTreeMap, BTreeSet};

/// A condition of the block, and what is asked for it alone.
struct Link {
    /// Holds where this pass and all before go on.
    all: Value,
    /// The comparison of this pass.
    own: Value,
    /// Where it stands in the block.
    at: usize,
}

/// What is known of a block before it is taken apart.
struct Predicated<'f> {
    function: &'f Function,
    /// Where the results of the block's instructions stand.
    places: BTreeMap<Value, usize>,
    links: Vec<Link>,
    /// Which link a condition is.
    numbers: BTreeMap<Value, usize>,
}

/// Takes a block apart that goes on to another one; answers whether it did.
pub(super) fn split(function: &mut Function, block: BlockId) -> bool {
    let body = &function.blocks[block.index()];
    let Terminator::Jump(target) = body.terminator.clone() else { return false };
    let insts = body.insts.clone();
    let Some(predicated) = Predicated::new(function, &insts) else { return false };
    // What the block gives where each condition is the first that does not hold, and where all do.
    let count = predicated.links.len();
    let gives: Option<Vec<Vec<Value>>> = (0..=count)
        .map(|failed| {
            let limit = predicated.links.get(failed).map_or(insts.len(), |link| link.at);
            target.args.iter().map(|arg| predicated.resolve(*arg, failed, limit)).collect()
        })
        .collect();
    let Some(mut gives) = gives else { return false };
    let mut forward = Forward::new(function);
    let mut gone: BTreeSet<InstId> = BTreeSet::new();
    for id in &insts {
        let inst = &function.insts[id.index()];
        if let (Op::Select, &[condition, yes, _]) = (inst.op, &inst.args[..])
            && predicated.numbers.contains_key(&condition)
        {
            forward.set(inst.results[0], yes);
            gone.insert(*id);
        }
    }
    for link in predicated.links.iter().filter(|link| link.all != link.own) {
        forward.set(link.all, link.own);
        gone.insert(insts[link.at]);
    }
    let cuts: Vec<(usize, Value)> = predicated.links.iter().map(|link| (link.at, link.own)).collect();
    let last = gives.pop().unwrap_or_default();
    let first = function.blocks.len() as u32;
    let mut rest = insts;
    for (n, ((at, condition), args)) in cuts.iter().zip(gives).enumerate().rev() {
        let tail = rest.split_off(at + 1);
        let then = Target { block: BlockId(first + n as u32), args: Vec::new() };
        let otherwise = Target { block: target.block, args };
        let way_out = Terminator::Branch { condition: *condition, then, otherwise };
        while function.blocks.len() <= first as usize + n {
            function.blocks.push(Block::default());
        }
        function.blocks[first as usize + n].insts =
            tail.into_iter().filter(|id| !gone.contains(id)).collect();
        // The segment in front of the tail leaves by this condition.
        match n.checked_sub(1) {
            Some(before) => function.blocks[first as usize + before].terminator = way_out,
            None => function.blocks[block.index()].terminator = way_out,
        }
    }
    let end = function.blocks.len() - 1;
    function.blocks[end].terminator = Terminator::Jump(Target { block: target.block, args: last });
    function.blocks[block.index()].insts = rest.into_iter().filter(|id| !gone.contains(id)).collect();
    forward.apply(function);
    true
}

impl<'f> Predicated<'f> {
    fn new(function: &'f Function, insts: &[InstId]) -> Option<Self> {
        let mut places = BTreeMap::new();
        for (at, id) in insts.iter().enumerate() {
            places.extend(function.insts[id.index()].results.iter().map(|result| (*result, at)));
        }
        let mut this = Self { function, places, links: Vec::new(), numbers: BTreeMap::new() };
        // Which conditions choose, and what is made of two of them.
        let mut chooses: BTreeMap<Value, u32> = BTreeMap::new();
        let mut joins: BTreeMap<Value, Vec<(Value, Value)>> = BTreeMap::new();
        for id in insts {
            let inst = &function.insts[id.index()];
            match (inst.op, &inst.args[..]) {
                (Op::Select, &[condition, _, _]) => *chooses.entry(condition).or_default() += 1,
                (Op::And, &[a, b]) if function.ty(a) == crate::Type::Bool => {
                    let result = inst.results[0];
                    joins.entry(a).or_default().push((result, b));
                    joins.entry(b).or_default().push((result, a));
                }
                _ => {}
            }
        }
        let joined = |value: &Value| joins.values().flatten().any(|(result, _)| result == value);
        let mut at =
            chooses.keys().copied().find(|value| this.places.contains_key(value) && !joined(value))?;
        let mut own = at;
        let uses = use_counts(function);
        loop {
            let place = *this.places.get(&at)?;
            let next: Vec<(Value, Value)> = joins
                .get(&at)
                .into_iter()
                .flatten()
                .filter(|(result, _)| chooses.contains_key(result))
                .copied()
                .collect();
            let asked = chooses.get(&at).copied().unwrap_or(0) + next.len() as u32;
            // Nobody else may ask, since it is another question afterwards.
            if uses.get(at.index()) != Some(&asked) || next.len() > 1 || this.places.get(&own) > Some(&place)
            {
                return None;
            }
            this.numbers.insert(at, this.links.len());
            this.links.push(Link { all: at, own, at: place });
            match next.first() {
                Some((result, other)) => (at, own) = (*result, *other),
                None => break,
            }
        }
        let start = this.links.first()?.at;
        let inside = |value: &Value| this.places.get(value).is_some_and(|at| *at > start);
        // Behind the first condition nothing happens but in values, and those stay inside of the block.
        let quiet =
            insts[start..].iter().all(|id| matches!(function.insts[id.index()].op.effect(), Effect::Pure));
        let mut own_uses: BTreeMap<Value, u32> = BTreeMap::new();
        for id in insts {
            for arg in function.insts[id.index()].args.iter().filter(|arg| inside(arg)) {
                *own_uses.entry(*arg).or_default() += 1;
            }
        }
        let stays = this.places.keys().filter(|value| inside(value)).all(|value| {
            let own = own_uses.get(value).copied().unwrap_or(0);
            uses.get(value.index()).is_none_or(|count| *count == own + this.given(insts, *value))
        });
        (quiet && stays).then_some(this)
    }

    /// How often the way out of the block gives a value.
    fn given(&self, insts: &[InstId], value: Value) -> u32 {
        let holds = |block: &&Block| block.insts.first() == insts.first();
        let block = self.function.blocks.iter().find(holds);
        let args =
            block.into_iter().flat_map(|block| block.terminator.targets()).flat_map(|target| &target.args);
        args.filter(|arg| **arg == value).count() as u32
    }

    /// What a value is where one condition is the first that does not hold; it must be there by then.
    fn resolve(&self, value: Value, failed: usize, limit: usize) -> Option<Value> {
        let mut value = value;
        while let ValueDef::Result(id, _) = self.function.values[value.index()].def {
            let inst = &self.function.insts[id.index()];
            let (Op::Select, &[condition, yes, no]) = (inst.op, &inst.args[..]) else { break };
            match self.numbers.get(&condition) {
                Some(number) => value = if *number < failed { yes } else { no },
                None => break,
            }
        }
        self.places.get(&value).is_none_or(|at| *at <= limit).then_some(value)
    }
}
