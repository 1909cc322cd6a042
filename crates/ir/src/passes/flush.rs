//! Denormals are taken to count as other numbers do: operations lose the machine's rule that they are zero.

use super::Changes;
use crate::{FloatMode, Module, Op};

/// What must hold.
const ASSUMPTION: &str = "no number is so small that the machine takes it for zero";

pub(super) fn run(module: &mut Module) -> Changes {
    let mut changes = Changes::default();
    for inst in module.functions.iter_mut().flat_map(|function| &mut function.insts) {
        if let Some(mode) = mode(&mut inst.op)
            && mode.flush
        {
            mode.flush = false;
            changes.count += 1;
        }
    }
    changes.assume(ASSUMPTION)
}

/// The float rules of an operation.
fn mode(op: &mut Op) -> Option<&mut FloatMode> {
    match op {
        Op::FAdd(mode)
        | Op::FMul(mode, _)
        | Op::FFma(mode, _)
        | Op::FDiv(mode)
        | Op::FMin(mode, _)
        | Op::FMax(mode, _)
        | Op::FRound(mode, _)
        | Op::FSaturate(mode)
        | Op::FRcp(mode)
        | Op::FRsq(mode)
        | Op::FSqrt(mode)
        | Op::FExp2(mode)
        | Op::FLog2(mode)
        | Op::FSin(mode)
        | Op::FCos(mode)
        | Op::FAtan(mode)
        | Op::FAtan2(mode)
        | Op::FCompare(_, mode)
        | Op::SToF(mode)
        | Op::UToF(mode)
        | Op::Derivative(_, mode) => Some(mode),
        _ => None,
    }
}
