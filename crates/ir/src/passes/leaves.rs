//! The end of a function that a loop leads to beside its natural way out stands there once more: `return` from the
//! middle of a loop, instead of a variable that says at the end of every loop on the way that it is over. Exact.

use crate::cfg::{Cfg, Dominators, LoopId, Loops};
use crate::structure::MAX_NESTING;
use crate::{BlockId, Effect, Function, Module, Op, Target, Terminator, Value};
use std::collections::HashMap;

/// Instructions that stand in several places; those that are written where they are used do not count.
const SHORT: usize = 4;
/// Copies of one end.
const COPIES: usize = 4;

pub(super) fn run(module: &mut Module) -> usize {
    module.functions.iter_mut().map(of_function).sum()
}

fn of_function(function: &mut Function) -> usize {
    let cfg = Cfg::new(function);
    let leaves: Vec<BlockId> =
        cfg.order.iter().copied().filter(|leaf| is_short(function, &cfg, *leaf)).collect();
    if leaves.is_empty() {
        return 0;
    }
    let dominators = Dominators::new(&cfg);
    let loops = Loops::new(&cfg, &dominators);
    let deepest = loops.loops.iter().map(|found| found.depth).max().unwrap_or(0);
    if deepest == 0 || deepest as usize > MAX_NESTING || !loops.irreducible.is_empty() {
        return 0;
    }
    // For each loop: whether a way out of it goes on to other code.
    let mut natural: Vec<bool> = vec![false; loops.loops.len()];
    for block in &cfg.order {
        let Some(inner) = loops.innermost(*block) else { continue };
        for to in cfg.successors(*block) {
            if loops.innermost(*to) != Some(inner) && !cfg.successors(*to).is_empty() {
                let mut at = Some(inner);
                while let Some(id) = at {
                    if holds(&loops, id, *to) {
                        break;
                    }
                    natural[id.0 as usize] = true;
                    at = loops.get(id).parent;
                }
            }
        }
    }
    let mut count = 0;
    for leaf in leaves {
        let mut copies = 0;
        for from in cfg.predecessors(leaf) {
            // Some other way leads out of a loop that this one leaves.
            let mut at = loops.innermost(*from);
            let mut beside = false;
            while let Some(id) = at {
                beside |= natural[id.0 as usize];
                at = loops.get(id).parent;
            }
            if beside && copies < COPIES && copies + 1 < cfg.predecessors(leaf).len() {
                copies += copy(function, *from, leaf);
            }
        }
        count += copies;
    }
    count
}

/// Whether a block lies in a loop.
fn holds(loops: &Loops, outer: LoopId, block: BlockId) -> bool {
    let mut at = loops.innermost(block);
    while let Some(id) = at {
        if id == outer {
            return true;
        }
        at = loops.get(id).parent;
    }
    false
}

/// Whether a block ends the function soon, and several ways lead there.
fn is_short(function: &Function, cfg: &Cfg, leaf: BlockId) -> bool {
    let body = &function.blocks[leaf.index()];
    let ends = matches!(body.terminator, Terminator::Return(_) | Terminator::End | Terminator::Discard);
    if !ends || leaf == BlockId(0) || cfg.predecessors(leaf).len() < 2 || body.insts.len() > 16 * SHORT {
        return false;
    }
    let mut registers = Vec::new();
    let mut others = 0;
    for id in &body.insts {
        let inst = &function.insts[id.index()];
        match inst.op {
            Op::Store(access) if !access.is_indexed() && access.space == crate::Space::Output => {
                let register = access.offset / 4;
                if !registers.contains(&register) {
                    registers.push(register);
                }
            }
            Op::Bool(_) | Op::B16(_) | Op::B32(_) | Op::B64(_) => {}
            Op::Load(access) if !access.is_indexed() => {}
            op if op.effect() == Effect::Pure => others += 1,
            _ => return false,
        }
    }
    registers.len() + others <= SHORT
}

/// Gives all edges from one block to the leaf a leaf of their own.
fn copy(function: &mut Function, from: BlockId, leaf: BlockId) -> usize {
    let mut count = 0;
    let mut terminator =
        std::mem::replace(&mut function.blocks[from.index()].terminator, Terminator::Unreachable);
    for target in terminator.targets_mut().filter(|target| target.block == leaf) {
        let body = function.blocks[leaf.index()].clone();
        let mut known: HashMap<Value, Value> =
            body.params.iter().copied().zip(target.args.iter().copied()).collect();
        let own = function.push_block();
        let mut insts = Vec::with_capacity(body.insts.len());
        for id in &body.insts {
            let inst = function.insts[id.index()].clone();
            let args: Vec<Value> =
                inst.args.iter().map(|arg| known.get(arg).copied().unwrap_or(*arg)).collect();
            let types: Vec<crate::Type> = inst.results.iter().map(|result| function.ty(*result)).collect();
            let made = function.push_inst(inst.op, &args, &types, inst.origin);
            for (n, result) in inst.results.iter().enumerate() {
                known.insert(*result, function.result(made, n));
            }
            insts.push(made);
        }
        let mut end = body.terminator;
        end.for_each_value_mut(|value| *value = known.get(value).copied().unwrap_or(*value));
        let block = &mut function.blocks[own.index()];
        block.insts = insts;
        (block.terminator, block.exit) = (end, body.exit);
        *target = Target::plain(own);
        count += 1;
    }
    function.blocks[from.index()].terminator = terminator;
    count
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::passes::testing::{assert_same, program};
    use crate::{CompareInt, Type};

    #[test]
    fn a_return_from_a_loop_has_its_own_end() {
        let before = program(|builder, inputs| {
            let (zero, one, limit) = (builder.bits(0), builder.bits(1), builder.bits(7));
            let [head, body, again, out, end] = [(); 5].map(|()| builder.block());
            let count = builder.param(head, Type::B32);
            let result = builder.param(end, Type::B32);
            builder.jump(head, &[zero]);
            builder.switch_to(head);
            let more = builder.value(Op::ICompare(CompareInt::Ult), &[count, limit]);
            builder.branch(more, body, out);
            builder.switch_to(body);
            let next = builder.value(Op::IAdd, &[count, one]);
            let found = builder.value(Op::ICompare(CompareInt::Eq), &[count, inputs[0]]);
            builder.terminate(Terminator::Branch {
                condition: found,
                then: Target { block: end, args: vec![next] },
                otherwise: Target::plain(again),
            });
            builder.switch_to(again);
            builder.jump(head, &[next]);
            builder.switch_to(out);
            let sum = builder.value(Op::IAdd, &[inputs[1], inputs[2]]);
            builder.jump(end, &[sum]);
            builder.switch_to(end);
            vec![result]
        });
        let mut after = before.clone();
        assert_eq!(run(&mut after), 1);
        assert!(crate::verify::check(&after).is_empty(), "{after}");
        assert_same(&before, &after, 1);
        assert_eq!(run(&mut after), 0);
    }
}
