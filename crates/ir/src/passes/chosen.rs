//! What was chosen by a condition that the way to here was taken by.
//!
//! `if (c) { a = x; b = x; } else { a = u; b = y; } r = c ? a : b;` gives `r` what one variable would hold: `x` where
//! the condition holds, `y` where not. Compilers write it where a register is needed for something else in between.

use super::edit::Forward;
use crate::cfg::{Cfg, Dominators};
use crate::{BlockId, Function, Module, Op, Terminator, Type, Value, ValueDef};

pub(super) fn run(module: &mut Module) -> usize {
    module.functions.iter_mut().map(choose).sum()
}

/// The parameters of one block, of which a condition chooses one.
struct Choice {
    result: Value,
    condition: Value,
    block: BlockId,
    /// Places of the parameters, if the condition holds and if not.
    places: [usize; 2],
}

fn choose(function: &mut Function) -> usize {
    let choices = choices(function);
    if choices.is_empty() {
        return 0;
    }
    let cfg = Cfg::new(function);
    let dominators = Dominators::new(&cfg);
    let mut forward = Forward::new(function);
    let mut count = 0;
    for Choice { result, condition, block, places } in choices {
        let Some([then, otherwise]) = ways(function, &cfg, &dominators, condition, block) else { continue };
        let arg = |from: BlockId, place: usize| {
            let mut targets = function.blocks[from.index()].terminator.targets();
            targets.find(|target| target.block == block).and_then(|target| target.args.get(place).copied())
        };
        let (Some(holds), Some(fails)) = (arg(then, places[0]), arg(otherwise, places[1])) else { continue };
        let known = (0..function.blocks[block.index()].params.len())
            .find(|place| arg(then, *place) == Some(holds) && arg(otherwise, *place) == Some(fails));
        // Another variable is no gain.
        if let Some(param) = known.and_then(|place| function.blocks[block.index()].params.get(place)) {
            forward.set(result, *param);
            count += 1;
        }
    }
    if count > 0 {
        forward.apply(function);
    }
    count
}

/// Selections between parameters of one block.
fn choices(function: &Function) -> Vec<Choice> {
    let param = |value: Value| match function.values.get(value.index())?.def {
        ValueDef::Param(block, place) => Some((block, usize::from(place))),
        ValueDef::Result(..) => None,
    };
    let mut found = Vec::new();
    for id in function.blocks.iter().flat_map(|block| &block.insts) {
        let inst = &function.insts[id.index()];
        let (Op::Select, &[condition, a, b], Some(result)) = (inst.op, &inst.args[..], inst.results.first())
        else {
            continue;
        };
        if let (Some((block, first)), Some((other, second))) = (param(a), param(b))
            && block == other
            && function.ty(*result) != Type::Bool
        {
            found.push(Choice { result: *result, condition, block, places: [first, second] });
        }
    }
    found
}

/// From where a block is reached if a condition holds, and if not: its only two ways in.
fn ways(
    function: &Function,
    cfg: &Cfg,
    dominators: &Dominators,
    condition: Value,
    block: BlockId,
) -> Option<[BlockId; 2]> {
    let &[first, second] = cfg.predecessors(block) else { return None };
    let head = dominators.immediate(block)?;
    let Terminator::Branch { condition: by, then, otherwise } = &function.blocks[head.index()].terminator
    else {
        return None;
    };
    if *by != condition || then.block == otherwise.block || first == second {
        return None;
    }
    // An arm is behind the branch alone, or the edge itself.
    let through = |from: BlockId, arm: BlockId| {
        if arm == block {
            from == head
        } else {
            from != head && cfg.predecessors(arm) == [head] && dominators.dominates(arm, from)
        }
    };
    if through(first, then.block) && through(second, otherwise.block) {
        Some([first, second])
    } else if through(second, then.block) && through(first, otherwise.block) {
        Some([second, first])
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{assert_same, program};
    use super::*;
    use crate::CompareInt;

    /// A choice behind a branch by the same condition (`same`), or by another; the arms in either order.
    fn chosen(same: bool, turned: bool) -> Module {
        program(|builder, inputs| {
            let below = builder.value(Op::ICompare(CompareInt::Ult), &[inputs[0], inputs[1]]);
            let other = builder.value(Op::ICompare(CompareInt::Ult), &[inputs[1], inputs[2]]);
            let (then, otherwise, end) = (builder.block(), builder.block(), builder.block());
            builder.branch(below, then, otherwise);
            let a = builder.param(end, Type::B32);
            let b = builder.param(end, Type::B32);
            builder.switch_to(then);
            let sum = builder.value(Op::IAdd, &[inputs[3], inputs[4]]);
            builder.jump(end, &[sum, sum]);
            builder.switch_to(otherwise);
            let product = builder.value(Op::IMul, &[inputs[3], inputs[4]]);
            builder.jump(end, &[inputs[5], product]);
            builder.switch_to(end);
            let (a, b) = if turned { (b, a) } else { (a, b) };
            let condition = if same { below } else { other };
            vec![builder.value(Op::Select, &[condition, a, b])]
        })
    }

    #[test]
    fn a_condition_chooses_once() {
        for (same, turned, count) in [(true, false, 1), (true, true, 1), (false, false, 0), (false, true, 0)]
        {
            let before = chosen(same, turned);
            let mut after = before.clone();
            assert_eq!(run(&mut after), count, "{same} {turned}");
            assert_same(&before, &after, 7);
            let select = super::super::testing::simplified(&mut after).contains("select");
            assert_eq!(select, count == 0);
        }
    }
}
