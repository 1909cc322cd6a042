//! What passes share: replaced values, use counts, constants.

use crate::cfg::Cfg;
use crate::{Block, BlockId, Function, Inst, InstId, Op, Type, Value, ValueDef};

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

/// Goes through the instructions of all blocks in order. `visit` may change one, and puts what it needs in front of it
/// into the list; it answers whether it changed something. Answers how many were changed.
pub(super) fn with_room_before(
    function: &mut Function,
    mut visit: impl FnMut(&mut Function, InstId, &mut Vec<InstId>) -> bool,
) -> usize {
    let mut count = 0;
    for block in 0..function.blocks.len() {
        let list = std::mem::take(&mut function.blocks[block].insts);
        let mut out = Vec::with_capacity(list.len());
        for id in list {
            count += usize::from(visit(function, id, &mut out));
            out.push(id);
        }
        function.blocks[block].insts = out;
    }
    count
}

/// Puts instructions in front of others of a block: places with what comes there, the last place first.
pub(super) fn insert_before(
    function: &mut Function,
    block: usize,
    mut inserts: Vec<(usize, impl IntoIterator<Item = InstId>)>,
) {
    if inserts.is_empty() {
        return;
    }
    let old = std::mem::take(&mut function.blocks[block].insts);
    let mut list = Vec::with_capacity(old.len() + inserts.len());
    for (position, id) in old.into_iter().enumerate() {
        if let Some((_, new)) = inserts.pop_if(|(at, _)| *at == position) {
            list.extend(new);
        }
        list.push(id);
    }
    function.blocks[block].insts = list;
}

/// A choice between two constant words: its condition and the words.
pub(super) fn constant_choice(function: &Function, value: Value) -> Option<(Value, u32, u32)> {
    let inst = function.definition(value)?;
    match (inst.op, &inst.args[..]) {
        (Op::Select, &[condition, yes, no]) if function.ty(yes) == Type::B32 => {
            Some((condition, constant(function, yes)? as u32, constant(function, no)? as u32))
        }
        _ => None,
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
            *block = Block::default();
        }
    }
}
