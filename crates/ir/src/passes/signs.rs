//! Signs in front of products instead of inside: machines negate an operand, a person writes `c - a * b`, not
//! `-a * b + c`. So products that differ only in where the sign stands are the same to all that look for them.
//!
//! Exact: no bit changes (any NaN counts as equal to any other).

use super::Changes;
use super::edit::{constant, with_room_before};
use crate::{FloatMode, Function, Module, Op, Type, Value, Width};
use smallvec::smallvec;

const MODE: FloatMode = FloatMode::F32;
const NEGATE: Op = Op::FNeg(Width::F32);

pub(super) fn run(module: &mut Module) -> Changes {
    if !module.from_shading_language {
        return Changes::default();
    }
    module.functions.iter_mut().map(rewrite).sum::<usize>().into()
}

fn rewrite(function: &mut Function) -> usize {
    let summed = only_in_sums(function);
    with_room_before(function, |function, id, before| {
        let inst = &function.insts[id.index()];
        let (op, origin) = (inst.op, inst.origin);
        match (op, &inst.args[..]) {
            (Op::FMul(MODE, _), &[a, b]) if summed.get(inst.results[0].index()) == Some(&true) => {
                let factors = match (negated(function, a), negated(function, b)) {
                    (Some(a), None) => [a, b],
                    (None, Some(b)) => [a, b],
                    _ => return false,
                };
                let product = function.push_inst(op, &factors, &[Type::B32], origin);
                let value = function.result(product, 0);
                let inst = &mut function.insts[id.index()];
                (inst.op, inst.args) = (NEGATE, smallvec![value]);
                before.push(product);
            }
            // What is taken away stands behind what it is taken from.
            (Op::FAdd(MODE), &[a, b])
                if negated(function, a).is_some()
                    && negated(function, b).is_none()
                    && constant(function, b).is_none() =>
            {
                function.insts[id.index()].args = smallvec![b, a];
            }
            // The opposite is compared with the opposite, the other way round.
            (Op::FCompare(by, MODE), &[a, b]) => {
                let zero = |value: Value| constant(function, value).is_some_and(|bits| bits << 33 == 0);
                let plain = match (negated(function, a), negated(function, b)) {
                    (Some(a), Some(b)) => [a, b],
                    (Some(a), None) if zero(b) => [a, b],
                    (None, Some(b)) if zero(a) => [a, b],
                    _ => return false,
                };
                let inst = &mut function.insts[id.index()];
                (inst.op, inst.args) = (Op::FCompare(by.turned(), MODE), plain.into_iter().collect());
            }
            _ => return false,
        }
        true
    })
}

/// What is negated, unless it is a number.
fn negated(function: &Function, value: Value) -> Option<Value> {
    let inst = function.definition(value).filter(|inst| inst.op == NEGATE)?;
    let &[inner] = &inst.args[..] else { return None };
    constant(function, inner).is_none().then_some(inner)
}

/// Values that only sums and other products use.
fn only_in_sums(function: &Function) -> Vec<bool> {
    let mut summed = vec![true; function.values.len()];
    let mut other = |value: Value| {
        if let Some(place) = summed.get_mut(value.index()) {
            *place = false;
        }
    };
    for block in &function.blocks {
        for id in &block.insts {
            let inst = &function.insts[id.index()];
            if !matches!(inst.op, Op::FAdd(MODE) | Op::FMul(MODE, _)) {
                inst.args.iter().copied().for_each(&mut other);
            }
        }
        block.terminator.for_each_value(&mut other);
    }
    summed
}

#[cfg(test)]
mod tests {
    use super::super::testing::{outputs, program};
    use super::*;
    use crate::{CompareFloat, Multiply};

    #[test]
    fn signs_stand_in_front_of_products() {
        let mut module = program(|builder, inputs| {
            let minus = builder.value(NEGATE, &[inputs[0]]);
            let product = builder.value(Op::FMul(MODE, Multiply::Ieee), &[minus, inputs[1]]);
            let sum = builder.value(Op::FAdd(MODE), &[product, inputs[2]]);
            let alone = builder.value(Op::FMul(MODE, Multiply::Ieee), &[minus, inputs[3]]);
            let zero = builder.float(0.0);
            let below = builder.value(Op::FCompare(CompareFloat::Gt, MODE), &[minus, zero]);
            let chosen = builder.value(Op::Select, &[below, inputs[1], inputs[2]]);
            vec![sum, alone, chosen]
        });
        module.from_shading_language = true;
        let inputs = [2.0_f32, -3.5, 0.25, 7.0, 0.0, 0.0].map(f32::to_bits);
        let before = outputs(&module, &inputs);
        // The product, the order of the sum, the comparison.
        assert_eq!(run(&mut module).count, 3, "{module}");
        assert_eq!(outputs(&module, &inputs), before, "{module}");
        assert!(crate::verify::check(&module).is_empty(), "{module}");
        assert_eq!(run(&mut module).count, 0, "{module}");
    }
}
