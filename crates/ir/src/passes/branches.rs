//! Ways through a function: branches with a known condition become jumps, empty blocks are skipped,
//! straight lines become one block, what cannot be reached goes. The blocks stand in reverse post-order
//! afterwards.

use super::edit::{Forward, constant, use_counts};
use crate::cfg::Cfg;
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
    changed += super::threading::thread(function);
    let cfg = Cfg::new(function);
    changed += super::threading::choose(function, &cfg);
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
