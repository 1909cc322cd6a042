//! Denormals are taken to count as other numbers do: operations lose the machine's rule that they are zero. Constants
//! so small become the zero that they count as, so a program that has one still does what the machine does.

use super::Changes;
use super::edit::{constant, constant_op, with_room_before};
use crate::{Function, Inst, InstId, Module, Op, Type, Value};

/// What must hold.
const ASSUMPTION: &str = "no number is so small that the machine takes it for zero";

pub(super) fn run(module: &mut Module) -> Changes {
    let count = module.functions.iter_mut().map(|function| with_room_before(function, release)).sum();
    Changes { count, ..Changes::default() }.assume(ASSUMPTION)
}

/// Takes the rule from one operation.
fn release(function: &mut Function, id: InstId, before: &mut Vec<InstId>) -> bool {
    let inst = &mut function.insts[id.index()];
    let takes_numbers = !matches!(inst.op, Op::SToF(_) | Op::UToF(_));
    match inst.op.float_mode_mut() {
        Some(mode) if mode.flush => mode.flush = false,
        _ => return false,
    }
    let operands = if takes_numbers { inst.args.len() } else { 0 };
    let origin = inst.origin;
    for n in 0..operands {
        let arg = function.insts[id.index()].args[n];
        let ty = function.ty(arg);
        let Some(zero) = number(function, arg).and_then(|bits| zero_for(ty, bits)) else { continue };
        let made = function.push_inst(constant_op(ty, zero), &[], &[ty], origin);
        function.insts[id.index()].args[n] = function.insts[made.index()].results[0];
        before.push(made);
    }
    true
}

/// The bits of a constant, or of one without its sign or with the other.
fn number(function: &Function, value: Value) -> Option<u64> {
    let inst = function.definition(value)?;
    let sign = match function.ty(value) {
        Type::Bool => return None,
        Type::B16 => 1 << 15,
        Type::B32 => 1 << 31,
        Type::B64 => 1 << 63,
    };
    match (inst.op, &inst.args[..]) {
        (Op::FAbs(_), &[of]) => constant(function, of).map(|bits| bits & !sign),
        (Op::FNeg(_), &[of]) => match function.definition(of) {
            Some(Inst { op: Op::FAbs(_), args, .. }) => {
                constant(function, *args.first()?).map(|bits| bits | sign)
            }
            _ => constant(function, of).map(|bits| bits ^ sign),
        },
        _ => constant(function, value),
    }
}

/// The zero that a denormal counts as; nothing for other numbers.
fn zero_for(ty: Type, bits: u64) -> Option<u64> {
    let (exponent, sign) = match ty {
        Type::Bool => return None,
        Type::B16 => (0x7C00, 1 << 15),
        Type::B32 => (0x7F80_0000, 1 << 31),
        Type::B64 => (0x7FF0_0000_0000_0000, 1 << 63),
    };
    (bits & exponent == 0 && bits & !sign != 0).then_some(bits & sign)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::passes::testing::{outputs, program};
    use crate::{FloatMode, Multiply};

    const MODE: FloatMode = FloatMode { flush: true, ..FloatMode::F32 };

    #[test]
    fn constants_so_small_are_zeros() {
        let mut module = program(|builder, inputs| {
            let tiny = builder.value(Op::B32(0x801F_A420), &[]);
            let root = builder.value(Op::FRcp(MODE), &[tiny]);
            let product = builder.value(Op::FMul(MODE, Multiply::Ieee), &[tiny, inputs[0]]);
            // As an integer it stays what it is.
            let number = builder.value(Op::SToF(MODE), &[tiny]);
            let width = MODE.width;
            let amount = builder.value(Op::FAbs(width), &[tiny]);
            let negated = builder.value(Op::FNeg(width), &[amount]);
            let [up, down] = [amount, negated].map(|of| builder.value(Op::FRcp(MODE), &[of]));
            vec![root, product, number, tiny, up, down]
        });
        let inputs = [3.0e38_f32.to_bits(); 6];
        let before = outputs(&module, &inputs);
        let changes = run(&mut module);
        assert_eq!((changes.count, changes.assumptions), (5, vec![ASSUMPTION]));
        assert!(crate::verify::check(&module).is_empty(), "{module}");
        assert_eq!(outputs(&module, &inputs), before, "{module}");
        assert_eq!(run(&mut module).count, 0);
    }

    #[test]
    fn zeros_keep_their_sign() {
        assert_eq!(zero_for(Type::B16, 0x83FF), Some(0x8000));
        assert_eq!(zero_for(Type::B16, 0x0400), None);
        assert_eq!(zero_for(Type::B32, 1), Some(0));
        assert_eq!(zero_for(Type::B32, 1 << 31), None);
        assert_eq!(zero_for(Type::B64, 0x000F_FFFF_FFFF_FFFF), Some(0));
        assert_eq!(zero_for(Type::Bool, 1), None);
    }
}
