//! What passes share: replaced values, use counts, constants.

use crate::cfg::Cfg;
use crate::{Block, BlockId, Function, Inst, InstId, Op, Terminator, Type, Value, ValueDef};

/// Which value stands for which since a pass replaced it.
#[derive(Debug, Default)]
pub(super) struct Forward {
    to: Vec<Value>,
}

const SELF: Value = Value(u32::MAX);

impl Forward {
    /// Nothing is replaced yet.
    pub(super) fn new(function: &Function) -> Self {
        Self { to: vec![SELF; function.values.len()] }
    }

    /// From now on `from` is `to`.
    pub(super) fn set(&mut self, from: Value, to: Value) {
        if self.to.len() <= from.index() {
            self.to.resize(from.index() + 1, SELF);
        }
        self.to[from.index()] = to;
    }

    /// What stands for a value, over any number of steps; shortens the way.
    pub(super) fn resolve(&mut self, value: Value) -> Value {
        let mut last = value;
        while let Some(next) = self.next(last) {
            last = next;
        }
        let mut at = value;
        while let Some(next) = self.next(at) {
            self.to[at.index()] = last;
            at = next;
        }
        last
    }

    fn next(&self, value: Value) -> Option<Value> {
        self.to.get(value.index()).copied().filter(|to| *to != SELF)
    }

    /// Replaces the operands of everything that is listed.
    pub(super) fn apply(&mut self, function: &mut Function) {
        let Function { blocks, insts, .. } = function;
        for block in blocks {
            for inst in &block.insts {
                for arg in &mut insts[inst.index()].args {
                    *arg = self.resolve(*arg);
                }
            }
            block.terminator.for_each_value_mut(|value| *value = self.resolve(*value));
        }
    }
}

/// The bits of a constant.
pub(super) fn constant(function: &Function, value: Value) -> Option<u64> {
    match function.definition(value)?.op {
        Op::Bool(value) => Some(value.into()),
        Op::B16(bits) => Some(bits.into()),
        Op::B32(bits) => Some(bits.into()),
        Op::B64(bits) => Some(bits),
        _ => None,
    }
}

/// The operation that gives a constant of a type.
pub(super) fn constant_op(ty: Type, bits: u64) -> Op {
    match ty {
        Type::Bool => Op::Bool(bits != 0),
        Type::B16 => Op::B16(bits as u16),
        Type::B32 => Op::B32(bits as u32),
        Type::B64 => Op::B64(bits),
    }
}

/// Whether an operation is a constant.
pub(super) fn is_constant(op: &Op) -> bool {
    matches!(op, Op::Bool(_) | Op::B16(_) | Op::B32(_) | Op::B64(_))
}

/// The instruction that makes a value, with its id.
pub(super) fn listed(function: &Function, value: Value) -> Option<(InstId, &Inst)> {
    match function.values.get(value.index())?.def {
        ValueDef::Result(id, _) => Some((id, function.insts.get(id.index())?)),
        ValueDef::Param(..) => None,
    }
}

/// How often each value is used by what is listed.
pub(super) fn use_counts(function: &Function) -> Vec<u32> {
    let mut counts = vec![0u32; function.values.len()];
    let mut count = |value: Value| {
        if let Some(count) = counts.get_mut(value.index()) {
            *count += 1;
        }
    };
    for block in &function.blocks {
        for inst in &block.insts {
            function.insts[inst.index()].args.iter().copied().for_each(&mut count);
        }
        block.terminator.for_each_value(&mut count);
    }
    counts
}

/// Removes the results, parameters or arguments at the places where `keep` is false, and renumbers.
pub(super) fn retain_at<T>(list: &mut Vec<T>, keep: &[bool]) {
    let mut at = 0;
    list.retain(|_| {
        at += 1;
        keep.get(at - 1).copied().unwrap_or(true)
    });
}

/// Gives the parameters of a block their places again after some were removed.
pub(super) fn renumber_params(function: &mut Function, block: BlockId) {
    for (n, param) in function.blocks[block.index()].params.iter().enumerate() {
        function.values[param.index()].def = ValueDef::Param(block, n as u16);
    }
}

/// Gives the results of an instruction their places again after some were removed.
pub(super) fn renumber_results(inst: &Inst, id: InstId, values: &mut [crate::ValueData]) {
    for (n, result) in inst.results.iter().enumerate() {
        values[result.index()].def = ValueDef::Result(id, n as u16);
    }
}

/// Empties blocks that cannot be reached, so that nothing in them needs to be kept right.
pub(super) fn clear_unreachable(function: &mut Function, cfg: &Cfg) {
    for (index, block) in function.blocks.iter_mut().enumerate() {
        if !cfg.is_reachable(BlockId(index as u32)) {
            *block = Block { params: Vec::new(), insts: Vec::new(), terminator: Terminator::Unreachable };
        }
    }
}
