//! Variables to values.
//!
//! A lift reads and writes the machine's registers as module variables, which all functions share. Here
//! they become values of each function: where ways meet, a block gets a parameter for each variable that
//! differs and is still wanted; a function gets the variables it needs as parameters and gives back those
//! it changes that some caller still wants.
//!
//! Only live variables take part (the parameters are pruned), so that a register that two procedures use
//! for different things does not tie them together.

mod liveness;
mod rename;

use crate::cfg::{Cfg, Dominators};
use crate::{Block, BlockId, Function, FunctionId, Inst, Module, Op, Origin, Target, Terminator, ValueDef};
use liveness::Liveness;
use smallvec::SmallVec;

/// Replaces all variables by values. Answers how many reads and writes were replaced.
///
/// Blocks that cannot be reached are emptied. If some function calls the entry function, a new entry that
/// calls it takes its place, since an entry has no parameters.
pub fn run(module: &mut Module) -> usize {
    if module.functions.get(module.entry.index()).is_none() {
        return 0;
    }
    free_the_entry(module);
    let graphs: Vec<Cfg> = module
        .functions
        .iter_mut()
        .map(|function| {
            free_the_first_block(function);
            let cfg = Cfg::new(function);
            empty_unreachable_blocks(function, &cfg);
            cfg
        })
        .collect();
    let liveness = Liveness::new(module, &graphs);
    let Module { functions, variables, entry, .. } = module;
    let mut replaced = 0;
    for (index, (function, cfg)) in functions.iter_mut().zip(&graphs).enumerate() {
        let dominators = Dominators::new(cfg);
        let is_entry = index == entry.index();
        let renaming = rename::Renaming { variables, liveness: &liveness, id: index, is_entry };
        replaced += renaming.run(function, cfg, &dominators);
    }
    replaced
}

/// Makes sure that nothing calls the entry function.
fn free_the_entry(module: &mut Module) {
    let entry = module.entry;
    let calls_it = |function: &Function| {
        let mut listed = function.blocks.iter().flat_map(|block| &block.insts);
        listed.any(|id| function.insts.get(id.index()).is_some_and(|inst| inst.op == Op::Call(entry)))
    };
    if !module.functions.iter().any(calls_it) {
        return;
    }
    let old = &module.functions[entry.index()];
    let mut function = Function { name: old.name.clone(), ..Function::default() };
    let results = old.results.clone();
    let block = function.push_block();
    let nowhere = Origin { instruction: u32::MAX, step: 0, lane: 0 };
    let call = function.push_inst(Op::Call(entry), &[], &results, nowhere);
    function.blocks[block.index()].insts.push(call);
    function.blocks[block.index()].terminator = Terminator::Return(Vec::new());
    module.entry = module.push_function(function);
}

/// Makes sure that no jump leads to block 0, whose parameters are those of the function.
fn free_the_first_block(function: &mut Function) {
    let first = BlockId(0);
    let is_target =
        function.blocks.iter().any(|block| block.terminator.targets().any(|target| target.block == first));
    if !is_target {
        return;
    }
    let moved = BlockId(function.blocks.len() as u32);
    let body = std::mem::take(&mut function.blocks[0]);
    for (n, param) in body.params.iter().enumerate() {
        function.values[param.index()].def = ValueDef::Param(moved, n as u16);
    }
    let args = body
        .params
        .iter()
        .map(|param| {
            let data = &function.values[param.index()];
            let (ty, variable) = (data.ty, data.variable);
            function.push_param(first, ty, variable)
        })
        .collect();
    function.blocks.push(body);
    for block in &mut function.blocks {
        for target in block.terminator.targets_mut() {
            if target.block == first {
                target.block = moved;
            }
        }
    }
    function.blocks[0].terminator = Terminator::Jump(Target { block: moved, args });
}

fn empty_unreachable_blocks(function: &mut Function, cfg: &Cfg) {
    for (index, block) in function.blocks.iter_mut().enumerate() {
        if !cfg.is_reachable(BlockId(index as u32)) {
            *block = Block::default();
        }
    }
}

/// Which functions a function calls, in order, each call once.
fn calls(function: &Function) -> impl Iterator<Item = FunctionId> {
    let listed = function.blocks.iter().flat_map(|block| &block.insts);
    listed.filter_map(|id| match function.insts.get(id.index()) {
        Some(Inst { op: Op::Call(callee), .. }) => Some(*callee),
        _ => None,
    })
}

/// A set of variables as bits.
type Bits = SmallVec<[u64; 4]>;

fn contains(bits: &[u64], at: usize) -> bool {
    bits.get(at / 64).is_some_and(|word| word >> (at % 64) & 1 == 1)
}

fn insert(bits: &mut [u64], at: usize) {
    if let Some(word) = bits.get_mut(at / 64) {
        *word |= 1 << (at % 64);
    }
}

/// Adds `more`; whether that changed anything.
fn unite(bits: &mut [u64], more: impl Iterator<Item = u64>) -> bool {
    let mut changed = false;
    for (word, more) in bits.iter_mut().zip(more) {
        changed |= more & !*word != 0;
        *word |= more;
    }
    changed
}

/// The members in ascending order.
fn members(bits: &[u64]) -> impl Iterator<Item = usize> {
    bits.iter().enumerate().flat_map(|(at, word)| {
        let mut left = *word;
        std::iter::from_fn(move || {
            let bit = (left != 0).then(|| left.trailing_zeros() as usize)?;
            left &= left - 1;
            Some(at * 64 + bit)
        })
    })
}

#[cfg(test)]
mod tests;
