//! Products of zero and infinity are taken not to occur: multiplications lose the machine's zero rule and
//! are plain ones. Where the program itself multiplies by an infinity or NaN the rule stays.

use super::Changes;
use super::edit::constant;
use crate::{Function, Inst, Module, Multiply, Op, Width};

/// What must hold.
const ASSUMPTION: &str = "no product of zero with an infinity or NaN is formed";

pub(super) fn run(module: &mut Module) -> Changes {
    let mut changes = Changes::default();
    for function in &mut module.functions {
        for at in 0..function.insts.len() {
            let Some(inst) = function.insts.get(at) else { continue };
            let with_rule =
                matches!(inst.op, Op::FMul(_, rule) | Op::FFma(_, rule) if rule != Multiply::Ieee);
            if !with_rule || has_factor_without_end(function, inst) {
                continue;
            }
            if let Some(Op::FMul(_, rule) | Op::FFma(_, rule)) =
                function.insts.get_mut(at).map(|inst| &mut inst.op)
            {
                *rule = Multiply::Ieee;
                changes.count += 1;
            }
        }
    }
    changes.assume(ASSUMPTION)
}

/// Whether a factor of a product is an infinity or NaN that the program holds.
fn has_factor_without_end(function: &Function, inst: &Inst) -> bool {
    let (Op::FMul(mode, _) | Op::FFma(mode, _)) = inst.op else { return false };
    inst.args.iter().take(2).any(|factor| {
        constant(function, *factor).is_some_and(|bits| match mode.width {
            Width::F16 => bits & 0x7C00 == 0x7C00,
            Width::F32 => !f32::from_bits(bits as u32).is_finite(),
            Width::F64 => !f64::from_bits(bits).is_finite(),
        })
    })
}
