//! Ways through a function: branches with a known condition become jumps, empty blocks are skipped,
//! straight lines become one block, what cannot be reached goes. The blocks stand in reverse post-order
//! afterwards.

use super::edit::{Forward, constant, use_counts};
use crate::cfg::{Cfg, Dominators};
use crate::{Block, BlockId, Function, Module, Op, Target, Terminator, Value, ValueDef};

/// Tidies all functions; answers how many branches and blocks went.
pub(super) fn run(module: &mut Module) -> usize {
    module.functions.iter_mut().map(tidy).sum()
}

fn tidy(function: &mut Function) -> usize {
    let mut changed = 0;
    for index in 0..function.blocks.len() {
        changed += usize::from(decide(function, index));
    }
    let cfg = Cfg::new(function);
    changed += skip_empty(function, &cfg);
    let mut cfg = Cfg::new(function);
    for _ in 0..ASKED {
        if !ask_once(function, &cfg) {
            break;
        }
        cfg = Cfg::new(function);
        changed += 1;
    }
    let mut forward = Forward::new(function);
    changed += merge(function, &cfg, &mut forward);
    changed + compact(function, &cfg, &mut forward)
}

/// Makes a jump of a branch that always goes the same way.
fn decide(function: &mut Function, index: usize) -> bool {
    let nowhere = Terminator::Unreachable;
    let terminator = std::mem::replace(&mut function.blocks[index].terminator, nowhere);
    let (terminator, changed) = match terminator {
        Terminator::Branch { then, otherwise, .. } if then == otherwise => (Terminator::Jump(then), true),
        Terminator::Branch { condition, then, otherwise } => match constant(function, condition) {
            Some(0) => (Terminator::Jump(otherwise), true),
            Some(_) => (Terminator::Jump(then), true),
            None => match function.definition(condition) {
                Some(inst) if inst.op == Op::Not => {
                    let condition = inst.args[0];
                    (Terminator::Branch { condition, then: otherwise, otherwise: then }, true)
                }
                _ => (Terminator::Branch { condition, then, otherwise }, false),
            },
        },
        Terminator::Switch { value, mut cases, default } => {
            if let Some(known) = constant(function, value) {
                let case = cases.iter().position(|(selector, _)| u64::from(*selector) == known);
                let target = case.map_or(default, |case| cases.swap_remove(case).1);
                (Terminator::Jump(target), true)
            } else {
                let before = cases.len();
                cases.retain(|(_, target)| *target != default);
                let changed = cases.len() != before;
                if cases.is_empty() {
                    (Terminator::Jump(default), true)
                } else {
                    (Terminator::Switch { value, cases, default }, changed)
                }
            }
        }
        other => (other, false),
    };
    function.blocks[index].terminator = terminator;
    changed
}

/// Most empty blocks in a row that one edge skips in one run.
const SKIPS: usize = 32;

/// Sends edges past blocks that do nothing but jump on.
///
/// Edges back to a loop's header keep their block, and so do several ways into a loop: one way back and one
/// way in make a plain loop.
fn skip_empty(function: &mut Function, cfg: &Cfg) -> usize {
    let uses = use_counts(function);
    let is_header =
        |block: BlockId| cfg.predecessors(block).iter().any(|from| cfg.rank(*from) >= cfg.rank(block));
    let passes: Vec<bool> = function
        .blocks
        .iter()
        .enumerate()
        .map(|(index, block)| {
            let here = BlockId(index as u32);
            let Terminator::Jump(target) = &block.terminator else { return false };
            block.insts.is_empty()
                && index != 0
                && cfg.is_reachable(here)
                && cfg.rank(target.block) > cfg.rank(here)
                && !(is_header(target.block) && cfg.predecessors(here).len() > 1)
                && params_only_pass(block, target, &uses)
        })
        .collect();
    let mut changed = 0;
    for from in &cfg.order {
        let mut terminator =
            std::mem::replace(&mut function.blocks[from.index()].terminator, Terminator::Unreachable);
        for target in terminator.targets_mut() {
            for _ in 0..SKIPS {
                let empty = &function.blocks[target.block.index()];
                let Terminator::Jump(next) = &empty.terminator else { break };
                if !passes[target.block.index()] {
                    break;
                }
                let args = next.args.iter().map(|arg| {
                    let param = empty.params.iter().position(|param| param == arg);
                    param.map_or(*arg, |n| target.args[n])
                });
                *target = Target { args: args.collect(), block: next.block };
                changed += 1;
            }
        }
        function.blocks[from.index()].terminator = terminator;
    }
    changed
}

/// Branches that are found to ask the same again, in one run.
const ASKED: usize = 16;

/// Sends one way of a branch past an empty block that both ways lead to and that asks the same again: what a condition in front
/// of an instruction comes to where a branch on it follows.
fn ask_once(function: &mut Function, cfg: &Cfg) -> bool {
    let mut dominators: Option<Dominators> = None;
    for from in &cfg.order {
        let Some((condition, block)) = both_ways(function, *from) else { continue };
        let again = &function.blocks[block.index()];
        let Terminator::Branch { condition: asked, then, otherwise } = &again.terminator else { continue };
        let is_both = *asked == condition && again.insts.is_empty() && block != *from;
        if !is_both || then.block == otherwise.block || cfg.predecessors(block).len() != 2 {
            continue;
        }
        // What one way goes on with stays behind the block, with all that reads its parameters.
        let dominators = dominators.get_or_insert_with(|| Dominators::new(cfg));
        let stays = |kept: &Target| {
            let behind = |user: BlockId| dominators.dominates(kept.block, user);
            let comes_back = |before: &BlockId| *before == block || behind(*before);
            let is_read = |at: usize| {
                let mut found = false;
                let mut look = |value: Value| found |= again.params.contains(&value);
                let user = &function.blocks[at];
                user.insts.iter().for_each(|id| {
                    function.insts[id.index()].args.iter().copied().for_each(&mut look);
                });
                user.terminator.for_each_value(look);
                found
            };
            cfg.predecessors(kept.block).iter().all(comes_back)
                && cfg.order.iter().all(|user| *user == block || behind(*user) || !is_read(user.index()))
        };
        let (skips_then, kept, skipped) = if stays(otherwise) {
            (true, otherwise.clone(), then.clone())
        } else if stays(then) {
            (false, then.clone(), otherwise.clone())
        } else {
            continue;
        };
        let params = again.params.clone();
        if let Terminator::Branch { then, otherwise, .. } = &mut function.blocks[from.index()].terminator {
            let way = if skips_then { then } else { otherwise };
            let given =
                |arg: &Value| params.iter().position(|param| param == arg).map_or(*arg, |n| way.args[n]);
            *way = Target { args: skipped.args.iter().map(given).collect(), block: skipped.block };
        }
        function.blocks[block.index()].terminator = Terminator::Jump(kept);
        // The graph is another one now.
        return true;
    }
    false
}

/// The condition of a branch both of whose ways lead to one block, and that block.
fn both_ways(function: &Function, from: BlockId) -> Option<(Value, BlockId)> {
    match &function.blocks[from.index()].terminator {
        Terminator::Branch { condition, then, otherwise } if then.block == otherwise.block => {
            Some((*condition, then.block))
        }
        _ => None,
    }
}

/// Whether the parameters of an empty block are used by its own jump alone. Blocks with many parameters are
/// not looked at, so that skipping them takes no time that grows with their square.
fn params_only_pass(block: &Block, target: &Target, uses: &[u32]) -> bool {
    block.params.len() <= 64
        && block.params.iter().all(|param| {
            let own = target.args.iter().filter(|arg| *arg == param).count();
            uses[param.index()] as usize == own
        })
}

/// Appends blocks to the only block that leads to them by a jump.
fn merge(function: &mut Function, cfg: &Cfg, forward: &mut Forward) -> usize {
    let mut gone = vec![false; function.blocks.len()];
    let mut merged = 0;
    for block in &cfg.order {
        if gone[block.index()] {
            continue;
        }
        while let Terminator::Jump(target) = &function.blocks[block.index()].terminator {
            let to = target.block;
            if to == *block || to == BlockId(0) || cfg.predecessors(to).len() != 1 {
                break;
            }
            let args = target.args.clone();
            let mut next = std::mem::take(&mut function.blocks[to.index()]);
            for (param, arg) in next.params.iter().zip(args) {
                replace(function, forward, *param, arg);
            }
            let body = &mut function.blocks[block.index()];
            body.insts.append(&mut next.insts);
            body.leave_as(&mut next);
            gone[to.index()] = true;
            merged += 1;
        }
    }
    merged
}

fn replace(function: &mut Function, forward: &mut Forward, param: Value, arg: Value) {
    let arg = forward.resolve(arg);
    if let Some(variable) = function.values[param.index()].variable {
        function.values[arg.index()].variable.get_or_insert(variable);
    }
    forward.set(param, arg);
}

/// Drops what cannot be reached any more and numbers the rest in reverse post-order.
fn compact(function: &mut Function, cfg: &Cfg, forward: &mut Forward) -> usize {
    // Merged blocks end in `Unreachable` and nothing leads to them.
    let mut number = vec![u32::MAX; function.blocks.len()];
    let mut blocks = Vec::with_capacity(cfg.order.len());
    let mut is_target = vec![false; function.blocks.len()];
    is_target[0] = true;
    for block in &cfg.order {
        for target in function.blocks[block.index()].terminator.targets() {
            is_target[target.block.index()] = true;
        }
    }
    for block in cfg.order.iter().filter(|block| is_target[block.index()]) {
        number[block.index()] = blocks.len() as u32;
        blocks.push(std::mem::take(&mut function.blocks[block.index()]));
    }
    let removed = function.blocks.len() - blocks.len();
    for (index, block) in blocks.iter_mut().enumerate() {
        for (n, param) in block.params.iter().enumerate() {
            function.values[param.index()].def = ValueDef::Param(BlockId(index as u32), n as u16);
        }
        for target in block.terminator.targets_mut() {
            target.block = BlockId(number[target.block.index()]);
        }
    }
    function.blocks = blocks;
    forward.apply(function);
    removed
}

#[cfg(test)]
mod tests {
    use super::super::testing::{assert_same, program};
    use super::*;
    use crate::{CompareInt, Type};

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
}
