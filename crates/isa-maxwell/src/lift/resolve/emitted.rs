//! Geometry programs leave through the vertices that they emit: what is stored behind the last of them is not seen.

use unshade_ir::{Function, Module, Op, Space};

/// Removes stores to outputs that no emitted vertex follows.
pub(super) fn forget(module: &mut Module) {
    if let [function] = &mut module.functions[..] {
        forget_in(function);
    }
}

fn op(function: &Function, id: unshade_ir::InstId) -> Option<Op> {
    function.insts.get(id.index()).map(|inst| inst.op)
}

fn forget_in(function: &mut Function) {
    // Whether a vertex is emitted in a block or behind it.
    let mut emits: Vec<bool> = function
        .blocks
        .iter()
        .map(|block| block.insts.iter().any(|id| matches!(op(function, *id), Some(Op::EmitVertex(_)))))
        .collect();
    let mut behind = vec![false; emits.len()];
    loop {
        let mut changed = false;
        for (at, block) in function.blocks.iter().enumerate().rev() {
            let follows = block
                .terminator
                .targets()
                .any(|target| emits.get(target.block.index()).copied().unwrap_or(false));
            if follows && !behind.get(at).copied().unwrap_or(true) {
                changed = true;
                for table in [&mut behind, &mut emits] {
                    if let Some(place) = table.get_mut(at) {
                        *place = true;
                    }
                }
            }
        }
        if !changed {
            break;
        }
    }
    for at in 0..function.blocks.len() {
        if behind.get(at).copied().unwrap_or(true) {
            continue;
        }
        let Some(insts) = function.blocks.get_mut(at).map(|block| std::mem::take(&mut block.insts)) else {
            continue;
        };
        let last = insts.iter().rposition(|id| matches!(op(function, *id), Some(Op::EmitVertex(_))));
        let kept = insts.into_iter().enumerate().filter(|(place, id)| {
            let seen = last.is_some_and(|last| *place < last);
            seen || !matches!(op(function, *id), Some(Op::Store(access)) if access.space == Space::Output)
        });
        let kept: Vec<_> = kept.map(|(_, id)| id).collect();
        if let Some(block) = function.blocks.get_mut(at) {
            block.insts = kept;
        }
    }
}
