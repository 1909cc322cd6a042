//! Loops count once: variables that step alike become one, and a variable that only counts passes gives way
//! to one that the body uses. All of it is exact.

use crate::cfg::{Cfg, Dominators, Loops};
use crate::{
    BlockId, CompareInt, FloatMode, Function, InstId, Module, Op, Terminator, Type, Value, ValueDef,
};

/// Whether any function has a loop, so that there may be something to do.
pub(super) fn has_loops(module: &Module) -> bool {
    module.functions.iter().any(|function| {
        // In a listing without loops every edge leads forwards, mostly by number.
        let cfg = Cfg::new(function);
        cfg.order
            .iter()
            .any(|block| cfg.successors(*block).iter().any(|to| cfg.rank(*to) <= cfg.rank(*block)))
    })
}

/// Simplifies the counting of all loops.
pub(super) fn run(module: &mut Module) {
    // Compilers of shading languages count in floats.
    let floats = module.from_shading_language;
    for function in &mut module.functions {
        let cfg = Cfg::new(function);
        let dominators = Dominators::new(&cfg);
        let loops = Loops::new(&cfg, &dominators);
        let headers: Vec<BlockId> = loops.loops.iter().map(|found| found.header).collect();
        let mut changed = false;
        for header in &headers {
            changed |= simplify(function, &cfg, &dominators, *header, floats);
        }
        for header in &headers {
            step_last(function, &cfg, &dominators, *header, floats);
        }
        if changed {
            drop_idle_params(function, &cfg);
        }
    }
}

/// A parameter of a loop header that every pass adds the same to.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Counter {
    param: Value,
    start: Value,
    step: Value,
    /// [`Op::IAdd`] or [`Op::FAdd`].
    sum: Op,
}

fn constant(function: &Function, value: Value) -> Option<i32> {
    match function.definition(value)?.op {
        Op::B32(bits) => Some(bits as i32),
        _ => None,
    }
}

fn same(function: &Function, a: Value, b: Value) -> bool {
    a == b || constant(function, a).is_some_and(|a| constant(function, b) == Some(a))
}

/// Counters of a loop, in order of its parameters.
fn counters(
    function: &Function,
    cfg: &Cfg,
    dominators: &Dominators,
    header: BlockId,
    sum: Op,
) -> Vec<Counter> {
    let mut found = Vec::new();
    for (position, param) in function.blocks[header.index()].params.iter().enumerate() {
        if function.ty(*param) != Type::B32 {
            continue;
        }
        let (mut start, mut step, mut fits) = (None, None, true);
        let mut seen: Option<BlockId> = None;
        for from in cfg.predecessors(header) {
            // All edges of a block are looked at together.
            if seen.replace(*from) == Some(*from) {
                continue;
            }
            for target in function.blocks[from.index()].terminator.targets() {
                if target.block != header {
                    continue;
                }
                let Some(arg) = target.args.get(position).copied() else { continue };
                if dominators.dominates(header, *from) {
                    let by = match function.definition(arg) {
                        Some(inst) if inst.op == sum && inst.args[0] == *param => Some(inst.args[1]),
                        Some(inst) if inst.op == sum && inst.args[1] == *param => Some(inst.args[0]),
                        _ => None,
                    };
                    fits &= by.is_some_and(|by| step.is_none_or(|step| same(function, step, by)));
                    step = step.or(by);
                } else {
                    fits &= start.is_none_or(|start| same(function, start, arg));
                    start = start.or(Some(arg));
                }
            }
        }
        if let (true, Some(start), Some(step)) = (fits, start, step) {
            // What is added must be the same in every pass.
            let steady = constant(function, step).is_some() || block_of(function, step, header, dominators);
            if steady {
                found.push(Counter { param: *param, start, step, sum });
            }
        }
    }
    found
}

/// Whether a value is made outside of the loop: before its header.
fn block_of(function: &Function, value: Value, header: BlockId, dominators: &Dominators) -> bool {
    match function.values[value.index()].def {
        ValueDef::Param(block, _) => block != header && dominators.dominates(block, header),
        ValueDef::Result(inst, _) => {
            let found = function.blocks.iter().position(|block| block.insts.contains(&inst));
            found.is_some_and(|block| {
                let block = BlockId(block as u32);
                block != header && dominators.dominates(block, header)
            })
        }
    }
}

fn simplify(
    function: &mut Function,
    cfg: &Cfg,
    dominators: &Dominators,
    header: BlockId,
    floats: bool,
) -> bool {
    let mut found = counters(function, cfg, dominators, header, Op::IAdd);
    if floats {
        found.extend(counters(function, cfg, dominators, header, Op::FAdd(FloatMode::F32)));
    }
    let mut changed = false;
    let mut kept: Vec<Counter> = Vec::new();
    for counter in found {
        let twin = kept.iter().find(|other| {
            other.sum == counter.sum
                && same(function, other.start, counter.start)
                && same(function, other.step, counter.step)
        });
        match twin.copied() {
            Some(twin) => {
                function.replace_uses(counter.param, twin.param);
                changed = true;
            }
            None => kept.push(counter),
        }
    }
    kept.retain(|counter| counter.sum == Op::IAdd);
    for at in 0..kept.len() {
        changed |= retire(function, kept[at], &kept);
    }
    changed
}

/// Lets every way back to the header make the step itself, at its end: a machine adds when it has the time, so
/// that the old and the new count live beside each other.
fn step_last(function: &mut Function, cfg: &Cfg, dominators: &Dominators, header: BlockId, floats: bool) {
    let mut found = counters(function, cfg, dominators, header, Op::IAdd);
    if floats {
        found.extend(counters(function, cfg, dominators, header, Op::FAdd(FloatMode::F32)));
    }
    if found.is_empty() {
        return;
    }
    for from in cfg.predecessors(header) {
        let latch = function.blocks[from.index()].terminator.clone();
        // One edge, so that the step stands for nothing else.
        let (Terminator::Jump(target), true) = (latch, dominators.dominates(header, *from)) else { continue };
        for counter in &found {
            let ValueDef::Param(_, position) = function.values[counter.param.index()].def else { continue };
            let Some(next) = target.args.get(usize::from(position)).copied() else { continue };
            let ValueDef::Result(made, _) = function.values[next.index()].def else { continue };
            if function.insts[made.index()].op != counter.sum {
                continue;
            }
            let inst = function.insts[made.index()].clone();
            let own = function.push_inst(inst.op, &inst.args, &[Type::B32], inst.origin);
            let result = function.result(own, 0);
            function.values[result.index()].variable = function.values[next.index()].variable;
            let block = &mut function.blocks[from.index()];
            block.insts.push(own);
            if let Terminator::Jump(target) = &mut block.terminator {
                target.args[usize::from(position)] = result;
            }
        }
    }
}

/// Lets another counter decide about the end of the loop, if this one does nothing else.
fn retire(function: &mut Function, counter: Counter, all: &[Counter]) -> bool {
    let (Some(start), Some(step)) = (constant(function, counter.start), constant(function, counter.step))
    else {
        return false;
    };
    // Its uses: its own step, and one comparison with a constant.
    let mut test: Option<InstId> = None;
    for block in &function.blocks {
        for id in &block.insts {
            let inst = &function.insts[id.index()];
            if !inst.args.contains(&counter.param) {
                continue;
            }
            match inst.op {
                Op::IAdd if only_feeds(function, inst.results[0], counter.param) => {}
                Op::ICompare(CompareInt::Sle) if test.is_none() && inst.args[0] == counter.param => {
                    test = Some(*id);
                }
                _ => return false,
            }
        }
        let mut passed = false;
        block.terminator.for_each_value(|value| passed |= value == counter.param);
        if passed {
            return false;
        }
    }
    let Some(test) = test else { return false };
    let Some(bound) = constant(function, function.insts[test.index()].args[1]) else { return false };
    // A counter that wraps before it passes the bound never ends the loop.
    if step <= 0 || bound.checked_add(step).is_none() {
        return false;
    }
    let passes = (i64::from(bound) - i64::from(start)).div_euclid(step.into()) + 1;
    for other in all {
        let (Some(first), Some(by)) = (constant(function, other.start), constant(function, other.step))
        else {
            continue;
        };
        if other.param == counter.param || by == 0 || passes <= 0 {
            continue;
        }
        let end = i64::from(first) + passes * i64::from(by);
        let last = end - i64::from(by);
        if i32::try_from(end).is_err() {
            continue;
        }
        // Up to and including the value of the last pass.
        let limit = function.push_inst(
            Op::B32(last as i32 as u32),
            &[],
            &[Type::B32],
            function.insts[test.index()].origin,
        );
        let limit_value = function.result(limit, 0);
        let Some(entry) = function.blocks.first_mut() else { return false };
        entry.insts.insert(0, limit);
        let args = if by > 0 { [other.param, limit_value] } else { [limit_value, other.param] };
        function.insts[test.index()].args = args.into_iter().collect();
        return true;
    }
    false
}

/// Whether a value only goes back into the parameter it was made from.
fn only_feeds(function: &Function, value: Value, param: Value) -> bool {
    let ValueDef::Param(header, position) = function.values[param.index()].def else { return false };
    for block in &function.blocks {
        if block.insts.iter().any(|id| function.insts[id.index()].args.contains(&value)) {
            return false;
        }
        match &block.terminator {
            Terminator::Branch { condition: read, .. } | Terminator::Switch { value: read, .. }
                if *read == value =>
            {
                return false;
            }
            Terminator::Return(values) if values.contains(&value) => return false,
            _ => {}
        }
        for target in block.terminator.targets() {
            for (at, arg) in target.args.iter().enumerate() {
                if *arg == value && (target.block != header || at != usize::from(position)) {
                    return false;
                }
            }
        }
    }
    true
}

/// Removes parameters that only carry themselves round a loop.
fn drop_idle_params(function: &mut Function, cfg: &Cfg) {
    // Needed is what an effect or a way out reads, and what that is made of.
    let mut needed = vec![false; function.values.len()];
    let mut work = Vec::new();
    for block in &cfg.order {
        let block = &function.blocks[block.index()];
        for id in &block.insts {
            let inst = &function.insts[id.index()];
            if inst.op.effect() == crate::op::Effect::Writes {
                work.extend(&inst.args);
            }
        }
        match &block.terminator {
            Terminator::Branch { condition: value, .. } | Terminator::Switch { value, .. } => {
                work.push(*value)
            }
            Terminator::Return(values) => work.extend(values),
            _ => {}
        }
    }
    // Arguments by parameter.
    let mut args: Vec<Vec<Value>> = vec![Vec::new(); function.values.len()];
    for block in &cfg.order {
        for target in function.blocks[block.index()].terminator.targets() {
            for (param, arg) in function.blocks[target.block.index()].params.iter().zip(&target.args) {
                args[param.index()].push(*arg);
            }
        }
    }
    while let Some(value) = work.pop() {
        if std::mem::replace(&mut needed[value.index()], true) {
            continue;
        }
        match function.values[value.index()].def {
            ValueDef::Result(inst, _) => work.extend(&function.insts[inst.index()].args),
            ValueDef::Param(..) => work.extend(&args[value.index()]),
        }
    }
    for at in 1..function.blocks.len() {
        let keep: Vec<bool> = function.blocks[at].params.iter().map(|param| needed[param.index()]).collect();
        if keep.iter().all(|keep| *keep) {
            continue;
        }
        let mut index = 0;
        function.blocks[at].params.retain(|_| {
            index += 1;
            keep[index - 1]
        });
        for (position, param) in function.blocks[at].params.iter().enumerate() {
            function.values[param.index()].def = ValueDef::Param(BlockId(at as u32), position as u16);
        }
        for block in &mut function.blocks {
            for target in block.terminator.targets_mut() {
                if target.block.index() == at {
                    let mut index = 0;
                    target.args.retain(|_| {
                        index += 1;
                        keep[index - 1]
                    });
                }
            }
        }
    }
}
