//! What a value is as a function of a few others: the operations between them, which can be run on any numbers.
//!
//! Compilers spell a function in many ways; what it gives for many numbers is the same in all of them.

use crate::cfg::Cfg;
use crate::exec::evaluate;
use crate::op::Effect;
use crate::{BlockId, Function, Op, Terminator, Type, Value, ValueDef};
use smallvec::SmallVec;
use std::collections::BTreeMap;

/// Operations from some values to one that is computed from nothing but these and constants.
#[derive(Debug)]
pub(super) struct Slice {
    leaves: usize,
    steps: Vec<Step>,
}

/// One operation of a slice; its operands are numbers of slots, the leaves first.
#[derive(Debug)]
struct Step {
    op: Op,
    ty: Type,
    args: SmallVec<[usize; 3]>,
}

impl Slice {
    /// What is computed for `root` from the leaves. Nothing if it needs anything else, more than `most` operations, or none.
    pub(super) fn new(function: &Function, root: Value, leaves: &[Value], most: usize) -> Option<Self> {
        Self::with_choices(function, &Choices::default(), root, leaves, most)
    }

    /// The same where parameters that a condition chooses are computed as well.
    pub(super) fn with_choices(
        function: &Function,
        choices: &Choices,
        root: Value,
        leaves: &[Value],
        most: usize,
    ) -> Option<Self> {
        let mut slots: BTreeMap<Value, usize> =
            leaves.iter().enumerate().rev().map(|(slot, leaf)| (*leaf, slot)).collect();
        let mut steps: Vec<Step> = Vec::new();
        let mut work = vec![root];
        while let Some(value) = work.last().copied() {
            if slots.contains_key(&value) {
                work.pop();
                continue;
            }
            let choice = choices.get(value).map(|(condition, a, b)| [condition, a, b]);
            let (op, operands) = match &choice {
                Some(choice) => (Op::Select, &choice[..]),
                None => {
                    let inst = function.definition(value)?;
                    let plain = inst.op.effect() == Effect::Pure && inst.results.len() == 1;
                    if !plain || matches!(inst.op, Op::Load(_)) {
                        return None;
                    }
                    (inst.op, &inst.args[..])
                }
            };
            let before = work.len();
            work.extend(operands.iter().filter(|arg| !slots.contains_key(arg)));
            if work.len() > before {
                // Nothing is made of itself, so this ends; but it may be long.
                if work.len() > most {
                    return None;
                }
                continue;
            }
            work.pop();
            let args = operands.iter().map(|arg| slots[arg]).collect();
            let ty = operands.first().map_or(Type::B32, |arg| function.ty(*arg));
            steps.push(Step { op, ty, args });
            slots.insert(value, leaves.len() + steps.len() - 1);
            if steps.len() > most {
                return None;
            }
        }
        (!steps.is_empty()).then_some(Self { leaves: leaves.len(), steps })
    }

    /// What comes out for these leaves. `slots` is room that calls share. Nothing where an operation cannot be run alone.
    pub(super) fn run(&self, leaves: &[u64], slots: &mut Vec<u64>) -> Option<u64> {
        slots.clear();
        slots.extend(&leaves[..self.leaves.min(leaves.len())]);
        for step in &self.steps {
            let mut args: SmallVec<[u64; 4]> = SmallVec::new();
            for slot in &step.args {
                args.push(*slots.get(*slot)?);
            }
            slots.push(evaluate(&step.op, step.ty, &args)?);
        }
        slots.last().copied()
    }
}

/// Parameters that a condition chooses: the two sides of a branch meet again in their block.
#[derive(Debug, Default)]
pub(super) struct Choices {
    found: BTreeMap<Value, (Value, Value, Value)>,
}

impl Choices {
    pub(super) fn new(function: &Function, cfg: &Cfg) -> Self {
        let mut found = BTreeMap::new();
        for block in &cfg.order {
            let Terminator::Branch { condition, then, otherwise } =
                &function.blocks[block.index()].terminator
            else {
                continue;
            };
            // Where a side leads: at once, or over a block of its own.
            let meets = |target: &crate::Target| -> (BlockId, SmallVec<[Value; 4]>) {
                let arm = &function.blocks[target.block.index()];
                match &arm.terminator {
                    Terminator::Jump(next)
                        if cfg.predecessors(target.block).len() == 1 && target.block != BlockId(0) =>
                    {
                        (next.block, next.args.iter().copied().collect())
                    }
                    _ => (target.block, target.args.iter().copied().collect()),
                }
            };
            let ways = |at: BlockId| cfg.predecessors(at).len();
            let direct = |target: &crate::Target| (target.block, target.args.iter().copied().collect());
            let sides = [
                (meets(then), meets(otherwise)),
                (direct(then), meets(otherwise)),
                (meets(then), direct(otherwise)),
            ];
            let Some(((join, first), (_, second))) = sides
                .into_iter()
                .find(|((a, _), (b, _))| a == b && ways(*a) == 2 && *a != BlockId(0) && a != block)
            else {
                continue;
            };
            let params = &function.blocks[join.index()].params;
            for (param, (a, b)) in params.iter().zip(first.into_iter().zip(second)) {
                if matches!(function.values[param.index()].def, ValueDef::Param(..)) {
                    found.insert(*param, (*condition, a, b));
                }
            }
        }
        Self { found }
    }

    /// Condition, value where it holds, value elsewhere.
    pub(super) fn get(&self, param: Value) -> Option<(Value, Value, Value)> {
        self.found.get(&param).copied()
    }
}
