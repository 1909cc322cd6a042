//! Denormals are taken to count as other numbers do: operations lose the machine's rule that they are zero.

use super::Changes;
use crate::Module;

/// What must hold.
const ASSUMPTION: &str = "no number is so small that the machine takes it for zero";

pub(super) fn run(module: &mut Module) -> Changes {
    let mut changes = Changes::default();
    for inst in module.functions.iter_mut().flat_map(|function| &mut function.insts) {
        if let Some(mode) = inst.op.float_mode_mut()
            && mode.flush
        {
            mode.flush = false;
            changes.count += 1;
        }
    }
    changes.assume(ASSUMPTION)
}
