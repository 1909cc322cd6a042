//! Products of zero and infinity are taken not to occur: multiplications lose the machine's zero rule and
//! are plain ones.

use super::Changes;
use crate::{Module, Multiply, Op};

/// What must hold.
const ASSUMPTION: &str = "no product of zero with an infinity or NaN is formed";

pub(super) fn run(module: &mut Module) -> Changes {
    let mut changes = Changes::default();
    for inst in module.functions.iter_mut().flat_map(|function| &mut function.insts) {
        if let Op::FMul(_, rule) | Op::FFma(_, rule) = &mut inst.op
            && *rule != Multiply::Ieee
        {
            *rule = Multiply::Ieee;
            changes.count += 1;
        }
    }
    changes.assume(ASSUMPTION)
}
