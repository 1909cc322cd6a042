//! Reciprocals and reciprocal roots as a person writes them: `a * (1 / b)` is `a / b`, `x * rsq(x)` and
//! `1 / rsq(x)` are `sqrt(x)`.

use super::Changes;
use crate::{FloatMode, Function, Inst, InstId, Module, Multiply, Op, Value};
use smallvec::{SmallVec, smallvec};

/// What must hold for the roots.
const ASSUMPTION: &str = "square roots are taken of positive numbers";

pub(super) fn run(module: &mut Module) -> Changes {
    let mut changes = Changes::default();
    let mut roots = 0;
    for function in &mut module.functions {
        for block in 0..function.blocks.len() {
            for position in 0..function.blocks[block].insts.len() {
                let id = function.blocks[block].insts[position];
                if let Some((op, args)) = better(function, id) {
                    roots += usize::from(matches!(op, Op::FSqrt(_)));
                    function.insts[id.index()].op = op;
                    function.insts[id.index()].args = args;
                    changes.count += 1;
                }
            }
        }
    }
    if roots > 0 { changes.assume(ASSUMPTION) } else { changes }
}

fn better(function: &Function, id: InstId) -> Option<(Op, SmallVec<[Value; 3]>)> {
    const MODE: FloatMode = FloatMode::F32;
    let made_by = |value: Value, op: Op| match function.definition(value) {
        Some(Inst { op: found, args, .. }) if *found == op => args.first().copied(),
        _ => None,
    };
    let inst = &function.insts[id.index()];
    match (inst.op, &inst.args[..]) {
        (Op::FMul(MODE, Multiply::Ieee), &[a, b]) => {
            for (a, b) in [(a, b), (b, a)] {
                if made_by(b, Op::FRsq(MODE)) == Some(a) {
                    return Some((Op::FSqrt(MODE), smallvec![a]));
                }
            }
            for (a, b) in [(a, b), (b, a)] {
                if let Some(divisor) = made_by(b, Op::FRcp(MODE)) {
                    return Some((Op::FDiv(MODE), smallvec![a, divisor]));
                }
            }
            None
        }
        (Op::FRcp(MODE), &[a]) => {
            let x = made_by(a, Op::FRsq(MODE))?;
            Some((Op::FSqrt(MODE), smallvec![x]))
        }
        _ => None,
    }
}
