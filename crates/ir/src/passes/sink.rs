//! A condition whose results only one side of the next condition uses moves there:
//! `if (a) x = f; if (b) use(x); else ...` is `if (b) { if (a) x = f; use(x); } else ...`.
//!
//! Compilers put the common part of two cases of a switch behind both that way. Exact.

use crate::cfg::{Cfg, Dominators};
use crate::{Block, BlockId, Effect, Function, InstId, Module, Target, Terminator, Value};

pub(super) fn run(module: &mut Module) -> usize {
    module.functions.iter_mut().map(of_function).sum()
}

/// A condition, where its sides meet, and the side of the next one that wants the result.
struct Found {
    head: BlockId,
    join: BlockId,
    wants_then: bool,
    /// The join's instructions that need nothing of the sides.
    free: Vec<InstId>,
    /// The others, with its parameters: what they make must not be used on the other side.
    bound: Vec<InstId>,
}

fn of_function(function: &mut Function) -> usize {
    if function.blocks.len() < 5 {
        return 0;
    }
    let cfg = Cfg::new(function);
    let dominators = Dominators::new(&cfg);
    let mut candidates: Vec<Found> = Vec::new();
    let mut taken = vec![false; function.blocks.len()];
    // What a candidate makes, by value.
    let mut made_by: Vec<u32> = vec![u32::MAX; function.values.len()];
    for join in &cfg.order {
        let Some(found) = candidate(function, &cfg, &dominators, *join) else { continue };
        if taken[found.head.index()] || taken[join.index()] {
            continue;
        }
        taken[found.head.index()] = true;
        taken[join.index()] = true;
        let at = candidates.len() as u32;
        let results = found.bound.iter().flat_map(|id| &function.insts[id.index()].results);
        for value in function.blocks[join.index()].params.iter().chain(results) {
            made_by[value.index()] = at;
        }
        candidates.push(found);
    }
    if candidates.is_empty() {
        return 0;
    }
    let sides = used_on(function, &cfg, &dominators, &candidates, &made_by);
    let mut count = 0;
    for (mut found, [by_then, by_otherwise]) in candidates.into_iter().zip(sides) {
        if by_then == by_otherwise {
            continue;
        }
        found.wants_then = by_then;
        apply(function, found);
        count += 1;
    }
    count
}

/// A block where two pure sides of a condition meet, which goes on with a condition of its own that needs
/// nothing of them.
fn candidate(function: &Function, cfg: &Cfg, dominators: &Dominators, join: BlockId) -> Option<Found> {
    let body = &function.blocks[join.index()];
    let Terminator::Branch { condition, then, otherwise } = &body.terminator else { return None };
    if body.params.is_empty() || body.params.len() > 64 || body.insts.len() > 64 {
        return None;
    }
    let [_, _] = cfg.predecessors(join) else { return None };
    let head = dominators.immediate(join)?;
    let Terminator::Branch { then: first, otherwise: second, .. } = &function.blocks[head.index()].terminator
    else {
        return None;
    };
    let pure = |ids: &[InstId]| ids.iter().all(|id| function.insts[id.index()].op.effect() == Effect::Pure);
    let meets = |side: &Target| {
        side.block == join || {
            let arm = &function.blocks[side.block.index()];
            cfg.predecessors(side.block).len() == 1
                && arm.insts.len() <= 64
                && pure(&arm.insts)
                && matches!(&arm.terminator, Terminator::Jump(next) if next.block == join)
        }
    };
    let goes_on = |target: &Target| {
        target.block != join && target.block != head && cfg.predecessors(target.block).len() == 1
    };
    if !meets(first)
        || !meets(second)
        || first.block == second.block
        || !goes_on(then)
        || !goes_on(otherwise)
        || !pure(&body.insts)
    {
        return None;
    }
    let mut tied: Vec<Value> = body.params.clone();
    let (mut free, mut bound) = (Vec::new(), Vec::new());
    for id in &body.insts {
        let inst = &function.insts[id.index()];
        if inst.args.iter().any(|arg| tied.contains(arg)) {
            tied.extend(&inst.results);
            bound.push(*id);
        } else {
            free.push(*id);
        }
    }
    (!tied.contains(condition)).then_some(Found { head, join, wants_then: false, free, bound })
}

/// For each candidate: whether what it makes is used on either side.
fn used_on(
    function: &Function,
    cfg: &Cfg,
    dominators: &Dominators,
    candidates: &[Found],
    made_by: &[u32],
) -> Vec<[bool; 2]> {
    let mut sides = vec![[false; 2]; candidates.len()];
    for block in &cfg.order {
        let body = &function.blocks[block.index()];
        let mut note = |value: Value, slot: Option<usize>| {
            let Some(at) = made_by.get(value.index()).filter(|at| **at != u32::MAX) else { return };
            let Some(found) = candidates.get(*at as usize) else { return };
            let mut targets = function.blocks[found.join.index()].terminator.targets();
            let sides = &mut sides[*at as usize];
            if *block == found.join {
                // What its own edges pass along; its own instructions go with it.
                if let Some(side) = slot.and_then(|slot| sides.get_mut(slot)) {
                    *side = true;
                }
                return;
            }
            match targets.position(|target| dominators.dominates(target.block, *block)) {
                Some(side) => sides[side.min(1)] = true,
                None => *sides = [true; 2],
            }
        };
        for id in &body.insts {
            function.insts[id.index()].args.iter().for_each(|arg| note(*arg, None));
        }
        match &body.terminator {
            Terminator::Branch { condition: value, .. } | Terminator::Switch { value, .. } => {
                note(*value, None);
            }
            Terminator::Return(values) => values.iter().for_each(|value| note(*value, None)),
            _ => {}
        }
        for (slot, target) in body.terminator.targets().enumerate() {
            target.args.iter().for_each(|arg| note(*arg, Some(slot)));
        }
    }
    sides
}

fn apply(function: &mut Function, found: Found) {
    let inner = function.push_block();
    let (mut asks, mut next) = (Block::default(), Block::default());
    asks.leave_as(&mut function.blocks[found.head.index()]);
    next.leave_as(&mut function.blocks[found.join.index()]);
    let Terminator::Branch { condition, then, otherwise } = next.terminator else { return };
    function.blocks[inner.index()].leave_as(&mut asks);
    let (wanted, then, otherwise) = if found.wants_then {
        (then, Target::plain(inner), otherwise)
    } else {
        (otherwise, then, Target::plain(inner))
    };
    let head = &mut function.blocks[found.head.index()];
    head.insts.extend(found.free);
    head.terminator = Terminator::Branch { condition, then, otherwise };
    head.exit = next.exit;
    let join = &mut function.blocks[found.join.index()];
    join.insts = found.bound;
    join.terminator = Terminator::Jump(wanted);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::passes::testing::{assert_same, program};
    use crate::{CompareInt, Op, Type};

    /// `if (a < b) x += c; if (c < d) r = x * e; else r = e (+ x)`.
    fn module(other_too: bool) -> Module {
        program(|builder, inputs| {
            let first = builder.value(Op::ICompare(CompareInt::Slt), &[inputs[0], inputs[1]]);
            let [arm, meet, then, otherwise, join] = [(); 5].map(|()| builder.block());
            let x = builder.param(meet, Type::B32);
            let result = builder.param(join, Type::B32);
            builder.terminate(Terminator::Branch {
                condition: first,
                then: Target::plain(arm),
                otherwise: Target { block: meet, args: vec![inputs[2]] },
            });
            builder.switch_to(arm);
            let sum = builder.value(Op::IAdd, &[inputs[2], inputs[3]]);
            builder.jump(meet, &[sum]);
            builder.switch_to(meet);
            let second = builder.value(Op::ICompare(CompareInt::Ult), &[inputs[2], inputs[3]]);
            let more = builder.value(Op::IAdd, &[x, inputs[5]]);
            builder.branch(second, then, otherwise);
            builder.switch_to(then);
            let product = builder.value(Op::IMul, &[more, inputs[4]]);
            builder.jump(join, &[product]);
            builder.switch_to(otherwise);
            let other = if other_too { x } else { inputs[0] };
            let rest = builder.value(Op::Xor, &[inputs[4], other]);
            builder.jump(join, &[rest]);
            builder.switch_to(join);
            vec![result]
        })
    }

    #[test]
    fn a_condition_moves_to_the_side_that_uses_it() {
        let before = module(false);
        let mut after = before.clone();
        assert_eq!(run(&mut after), 1);
        assert!(crate::verify::check(&after).is_empty(), "{after}");
        assert_same(&before, &after, 1);
        assert_eq!(run(&mut after), 0, "{after}");
    }

    #[test]
    fn what_both_sides_use_stays() {
        assert_eq!(run(&mut module(true)), 0);
    }
}
