//! Tessellation control programs run all invocations of a patch in step, so that compiled code has no barrier where the
//! source waits for what the other invocations write.

use unshade_ir::{Barrier, Function, Module, Op, Space, Terminator};

/// Lets a program wait before it reads outputs back: at the end of what every invocation does at its start.
pub(super) fn wait(module: &mut Module) {
    for function in &mut module.functions {
        let reads = function.blocks.iter().flat_map(|block| &block.insts).any(|id| {
            let op = function.insts.get(id.index()).map(|inst| inst.op);
            matches!(op, Some(Op::Load(access)) if access.space == Space::Output)
        });
        let waits = function.insts.iter().any(|inst| inst.op == Op::Barrier(Barrier::Control));
        if reads && !waits {
            insert(function);
        }
    }
}

fn insert(function: &mut Function) {
    // Follows the jumps from the start on, as long as no other way leads there.
    let mut at = 0;
    let mut left = function.blocks.len();
    while let Some(Terminator::Jump(target)) = function.blocks.get(at).map(|block| &block.terminator) {
        left = left.saturating_sub(1);
        if left == 0 {
            break;
        }
        at = target.block.index();
    }
    let Some(block) = function.blocks.get(at) else { return };
    let first = block.insts.iter().position(|id| {
        let op = function.insts.get(id.index()).map(|inst| inst.op);
        matches!(op, Some(Op::Load(access)) if access.space == Space::Output)
    });
    let place = first.unwrap_or(block.insts.len());
    let origin = unshade_ir::Origin { instruction: u32::MAX, ..unshade_ir::Origin::default() };
    let id = function.push_inst(Op::Barrier(Barrier::Control), &[], &[], origin);
    if let Some(block) = function.blocks.get_mut(at) {
        block.insts.insert(place, id);
    }
}
