//! Puts functions in place of their calls: those that are called once, those that are tiny, and those that
//! may end the program, which source languages cannot do from inside a function.
//!
//! Callees are done before callers; functions that call themselves, directly or in a circle, stay.

use crate::{
    Block, BlockId, Effect, Function, FunctionId, InstId, Module, Op, Target, Terminator, Value, ValueDef,
};

/// Instructions, constants and loads left out, up to which a function without branches is tiny.
const TINY: usize = 4;
/// Instructions that a module may grow to by inlining; one that is larger already does not grow.
const LIMIT: usize = 1 << 16;

/// Inlines; answers how many calls went. Functions that nothing calls any more are removed.
pub(super) fn run(module: &mut Module) -> usize {
    let count = module.functions.len();
    let order = callees_first(module);
    let mut calls = vec![0usize; count];
    for function in &module.functions {
        for (_, _, callee) in call_sites(function) {
            calls[callee.index()] += 1;
        }
    }
    let mut size: usize = module.functions.iter().map(listed).sum();
    let mut inlined = 0;
    let mut done = vec![false; count];
    // Functions that may come back to themselves, and those that call such.
    let mut circular = vec![false; count];
    for at in order {
        // Blocks that are added behind are looked at too: what stands behind a call moves to a new block.
        let mut block = 0;
        while block < module.functions[at].blocks.len() {
            let mut position = 0;
            while let Some((found, id, callee)) = next_call(&module.functions[at], block, position) {
                position = found + 1;
                let callee = callee.index();
                // A callee that is not done yet is one that leads back here.
                if !done[callee] || circular[callee] {
                    circular[at] = true;
                    continue;
                }
                let grows = listed(&module.functions[callee]);
                let once = calls[callee] == 1 && callee != module.entry.index();
                let wanted = once || is_tiny(&module.functions[callee]) || ends(&module.functions[callee]);
                if !wanted || (!once && size.saturating_add(grows) > LIMIT) {
                    continue;
                }
                let body = if once {
                    std::mem::take(&mut module.functions[callee])
                } else {
                    size += grows;
                    module.functions[callee].clone()
                };
                if !once {
                    for (_, _, inner) in call_sites(&body) {
                        calls[inner.index()] += 1;
                    }
                }
                calls[callee] -= 1;
                splice(&mut module.functions[at], block, found, id, body);
                inlined += 1;
                break;
            }
            block += 1;
        }
        done[at] = true;
    }
    remove_uncalled(module);
    inlined
}

fn listed(function: &Function) -> usize {
    function.blocks.iter().map(|block| block.insts.len()).sum()
}

fn call_sites(function: &Function) -> impl Iterator<Item = (usize, InstId, FunctionId)> {
    let listed = function.blocks.iter().flat_map(|block| block.insts.iter().enumerate());
    listed.filter_map(|(position, id)| match function.insts[id.index()].op {
        Op::Call(callee) => Some((position, *id, callee)),
        _ => None,
    })
}

fn next_call(function: &Function, block: usize, from: usize) -> Option<(usize, InstId, FunctionId)> {
    let insts = function.blocks[block].insts.iter().enumerate().skip(from);
    insts
        .filter_map(|(position, id)| match function.insts[id.index()].op {
            Op::Call(callee) => Some((position, *id, callee)),
            _ => None,
        })
        .next()
}

fn is_tiny(function: &Function) -> bool {
    let [block] = &function.blocks[..] else { return false };
    let counts = block.insts.iter().filter(|id| {
        let inst = &function.insts[id.index()];
        !(inst.args.is_empty() && inst.op.effect() == Effect::Pure)
    });
    counts.count() <= TINY
}

fn ends(function: &Function) -> bool {
    let stops = |block: &Block| matches!(block.terminator, Terminator::End | Terminator::Discard);
    function.blocks.iter().any(stops)
}

/// Functions in an order in which callees stand before their callers, as far as calls go in no circle.
fn callees_first(module: &Module) -> Vec<usize> {
    let callees: Vec<Vec<usize>> = module
        .functions
        .iter()
        .map(|function| call_sites(function).map(|(_, _, callee)| callee.index()).collect())
        .collect();
    let mut order = Vec::new();
    let mut seen = vec![false; callees.len()];
    for start in 0..callees.len() {
        if std::mem::replace(&mut seen[start], true) {
            continue;
        }
        let mut stack = vec![(start, 0)];
        while let Some((at, next)) = stack.last_mut() {
            match callees[*at].get(*next) {
                Some(callee) => {
                    *next += 1;
                    if !std::mem::replace(&mut seen[*callee], true) {
                        stack.push((*callee, 0));
                    }
                }
                None => {
                    order.push(*at);
                    stack.pop();
                }
            }
        }
    }
    order
}

/// Replaces the call at a place of a block by the body. What stands behind the call moves to a new block,
/// whose parameters are the results of the call.
fn splice(function: &mut Function, block: usize, position: usize, call: InstId, body: Function) {
    let first = function.blocks.len() as u32;
    let behind = BlockId(first + body.blocks.len() as u32);
    let value_base = function.values.len() as u32;
    let inst_base = function.insts.len() as u32;
    let value = |value: Value| Value(value.0 + value_base);
    for mut data in body.values {
        data.def = match data.def {
            ValueDef::Result(inst, n) => ValueDef::Result(InstId(inst.0 + inst_base), n),
            ValueDef::Param(block, n) => ValueDef::Param(BlockId(block.0 + first), n),
        };
        function.values.push(data);
    }
    for mut inst in body.insts {
        inst.args.iter_mut().for_each(|arg| *arg = value(*arg));
        inst.results.iter_mut().for_each(|result| *result = value(*result));
        function.insts.push(inst);
    }
    for mut block in body.blocks {
        block.params.iter_mut().for_each(|param| *param = value(*param));
        block.insts.iter_mut().for_each(|inst| inst.0 += inst_base);
        block.terminator.for_each_value_mut(|used| *used = value(*used));
        block.terminator.targets_mut().for_each(|target| target.block.0 += first);
        if let Terminator::Return(values) = block.terminator {
            block.terminator = Terminator::Jump(Target { block: behind, args: values });
        }
        function.blocks.push(block);
    }
    let call = &function.insts[call.index()];
    let (args, results) = (call.args.to_vec(), call.results.to_vec());
    for (n, result) in results.iter().enumerate() {
        function.values[result.index()].def = ValueDef::Param(behind, n as u16);
    }
    let front = &mut function.blocks[block];
    let insts = front.insts.split_off(position + 1);
    front.insts.pop();
    let enter = Terminator::Jump(Target { block: BlockId(first), args });
    let mut rest = Block { params: results, insts, ..Block::default() };
    rest.leave_as(front);
    front.terminator = enter;
    function.blocks.push(rest);
}

/// Removes functions that cannot be reached from the entry, and numbers the others anew.
fn remove_uncalled(module: &mut Module) {
    let count = module.functions.len();
    let mut reached = vec![false; count];
    let mut work = vec![module.entry.index()];
    while let Some(at) = work.pop() {
        if at < count && !std::mem::replace(&mut reached[at], true) {
            work.extend(call_sites(&module.functions[at]).map(|(_, _, callee)| callee.index()));
        }
    }
    let mut number = vec![FunctionId(0); count];
    let mut next = 0;
    for (at, reached) in reached.iter().enumerate() {
        number[at] = FunctionId(next);
        next += u32::from(*reached);
    }
    let mut at = 0;
    module.functions.retain(|_| {
        at += 1;
        reached[at - 1]
    });
    module.entry = number.get(module.entry.index()).copied().unwrap_or_default();
    for function in &mut module.functions {
        for inst in &mut function.insts {
            if let Op::Call(callee) = &mut inst.op {
                *callee = number.get(callee.index()).copied().unwrap_or_default();
            }
        }
    }
}
