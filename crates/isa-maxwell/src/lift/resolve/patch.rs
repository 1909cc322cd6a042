//! Tessellation control programs run all invocations of a patch in step, so that compiled code has no barrier where the
//! source waits for what the other invocations write.

use unshade_ir::cfg::{Cfg, Dominators, Loops};
use unshade_ir::{Barrier, BlockId, Function, InstId, Module, Op, Space};

/// Lets a program wait before it reads outputs back: where every invocation comes by once.
pub(super) fn wait(module: &mut Module) {
    for function in &mut module.functions {
        let reads =
            function.blocks.iter().flat_map(|block| &block.insts).any(|id| reads_output(function, *id));
        let waits = function.insts.iter().any(|inst| inst.op == Op::Barrier(Barrier::Control));
        if reads && !waits {
            insert(function);
        }
    }
}

/// Whether an instruction reads an output.
fn reads_output(function: &Function, id: InstId) -> bool {
    let op = function.insts.get(id.index()).map(|inst| inst.op);
    matches!(op, Some(Op::Load(access)) if access.space == Space::Output)
}

/// In front of the first read, in a block that every invocation runs through once: a barrier may not stand in a branch or
/// a loop.
fn insert(function: &mut Function) {
    let cfg = Cfg::new(function);
    let dominators = Dominators::new(&cfg);
    let loops = Loops::new(&cfg, &dominators);
    let blocks = || (0..function.blocks.len() as u32).map(BlockId).filter(|block| cfg.is_reachable(*block));
    // What must lie behind it: reads and ends.
    let behind: Vec<BlockId> = blocks()
        .filter(|at| {
            let Some(block) = function.blocks.get(at.index()) else { return false };
            cfg.successors(*at).is_empty() || block.insts.iter().any(|id| reads_output(function, *id))
        })
        .collect();
    let candidates = blocks().filter(|at| {
        loops.innermost(*at).is_none() && behind.iter().all(|other| dominators.dominates(*at, *other))
    });
    let Some(at) = candidates.max_by_key(|at| dominators.depth(*at)) else { return };
    let Some(block) = function.blocks.get(at.index()) else { return };
    let first = block.insts.iter().position(|id| reads_output(function, *id));
    let place = first.unwrap_or(block.insts.len());
    let origin = unshade_ir::Origin { instruction: u32::MAX, ..unshade_ir::Origin::default() };
    let id = function.push_inst(Op::Barrier(Barrier::Control), &[], &[], origin);
    if let Some(block) = function.blocks.get_mut(at.index()) {
        block.insts.insert(place, id);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use unshade_ir::Access;
    use unshade_ir::build::FunctionBuilder;

    /// A loop, and behind it a branch in which an output is read: the wait stands between them.
    #[test]
    fn waits_stand_between_loops_and_branches() {
        let mut code = FunctionBuilder::new("main");
        let [head, behind, then, end] = [(); 4].map(|()| code.block());
        let input = Access { space: Space::Input, binding: 0, offset: 0, stride: 0 };
        let again = code.value(Op::Load(input), &[]);
        let zero = code.bits(0);
        let again = code.value(Op::ICompare(unshade_ir::CompareInt::Ne), &[again, zero]);
        code.jump(head, &[]);
        code.switch_to(head);
        code.branch(again, head, behind);
        code.switch_to(behind);
        code.branch(again, then, end);
        code.switch_to(then);
        code.value(Op::Load(Access { space: Space::Output, ..input }), &[]);
        code.jump(end, &[]);
        code.switch_to(end);
        code.returns(&[]);
        let mut module = Module::default();
        module.push_function(code.finish());
        wait(&mut module);
        let function = &module.functions[0];
        let waits = |block: BlockId| {
            let insts = &function.blocks[block.index()].insts;
            insts.iter().any(|id| function.insts[id.index()].op == Op::Barrier(Barrier::Control))
        };
        assert_eq!([head, behind, then, end].map(waits), [false, true, false, false]);
    }
}
