//! The end of the program inside of a called function: source languages cannot say it, so such a function
//! returns one more truth value, and its callers end in turn.

use crate::{Block, FunctionId, InstId, Module, Op, Origin, Target, Terminator, Type, ValueDef};

/// Lowers every [`Terminator::End`] of a called function. None if there is nothing to do.
pub(super) fn lower(module: &Module, order: &[FunctionId]) -> Option<Module> {
    // Callees come first, so one pass finds all that may end.
    let mut ends = vec![false; module.functions.len()];
    for id in order {
        let function = &module.functions[id.index()];
        ends[id.index()] = function.blocks.iter().any(|block| {
            matches!(block.terminator, Terminator::End)
                || block.insts.iter().any(
                    |inst| matches!(function.insts[inst.index()].op, Op::Call(callee) if ends[callee.index()]),
                )
        });
    }
    ends[module.entry.index()] = false;
    if !ends.iter().any(|ends| *ends) {
        return None;
    }
    let mut module = module.clone();
    for id in order {
        split_calls(&mut module, *id, &ends);
        if ends[id.index()] {
            return_ended(&mut module, *id);
        }
    }
    Some(module)
}

/// Behind each call of a function that may end: on with the rest, or end.
fn split_calls(module: &mut Module, id: FunctionId, ends: &[bool]) {
    let function = &mut module.functions[id.index()];
    let mut at = 0;
    // Blocks that are split off are looked at in their turn.
    while at < function.blocks.len() {
        let insts = &function.blocks[at].insts;
        let call = insts.iter().position(
            |inst| matches!(function.insts[inst.index()].op, Op::Call(callee) if ends[callee.index()]),
        );
        if let Some(position) = call {
            let call = insts[position];
            let insts = function.blocks[at].insts.split_off(position + 1);
            let mut rest = Block { insts, ..Block::default() };
            rest.leave_as(&mut function.blocks[at]);
            let ended = add_result(function, call);
            let ending = function.push_block();
            function.blocks[ending.index()].terminator = Terminator::End;
            let next = function.push_block();
            function.blocks[at].terminator = Terminator::Branch {
                condition: ended,
                then: Target::plain(ending),
                otherwise: Target::plain(next),
            };
            function.blocks[next.index()] = rest;
        }
        at += 1;
    }
}

fn add_result(function: &mut crate::Function, call: InstId) -> crate::Value {
    let value = crate::Value(function.values.len() as u32);
    let position = function.insts[call.index()].results.len() as u16;
    function.values.push(crate::ValueData {
        ty: Type::Bool,
        def: ValueDef::Result(call, position),
        variable: None,
    });
    function.insts[call.index()].results.push(value);
    value
}

fn return_ended(module: &mut Module, id: FunctionId) {
    let function = &mut module.functions[id.index()];
    let types = function.results.clone();
    function.results.push(Type::Bool);
    for at in 0..function.blocks.len() {
        let origin = Origin { instruction: u32::MAX, step: 0, lane: 0 };
        let terminator = function.blocks[at].terminator.clone();
        let mut constant = |op: Op, ty: Type| {
            let inst = function.push_inst(op, &[], &[ty], origin);
            function.blocks[at].insts.push(inst);
            function.result(inst, 0)
        };
        match terminator {
            Terminator::Return(mut values) => {
                values.push(constant(Op::Bool(false), Type::Bool));
                function.blocks[at].terminator = Terminator::Return(values);
            }
            Terminator::End => {
                let mut values: Vec<_> = types
                    .iter()
                    .map(|ty| match ty {
                        Type::Bool => constant(Op::Bool(false), Type::Bool),
                        Type::B16 => constant(Op::B16(0), Type::B16),
                        Type::B64 => constant(Op::B64(0), Type::B64),
                        Type::B32 => constant(Op::B32(0), Type::B32),
                    })
                    .collect();
                values.push(constant(Op::Bool(true), Type::Bool));
                function.blocks[at].terminator = Terminator::Return(values);
            }
            _ => {}
        }
    }
}
