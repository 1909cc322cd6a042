//! Signs in front of products instead of inside: machines negate an operand, a person writes `c - a * b`, not
//! `-a * b + c`. So products that differ only in where the sign stands are the same to all that look for them.
//!
//! Exact: no bit changes (any NaN counts as equal to any other).

use super::Changes;
use super::edit::constant;
use crate::{FloatMode, Function, InstId, Module, Op, Type, Value, Width};
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
    let mut count = 0;
    for block in 0..function.blocks.len() {
        let list = std::mem::take(&mut function.blocks[block].insts);
        let mut out: Vec<InstId> = Vec::with_capacity(list.len());
        for id in list {
            let inst = &function.insts[id.index()];
            let (op, origin) = (inst.op, inst.origin);
            match (op, &inst.args[..]) {
                (Op::FMul(MODE, _), &[a, b]) if summed.get(inst.results[0].index()) == Some(&true) => {
                    let factors = match (negated(function, a), negated(function, b)) {
                        (Some(a), None) => Some([a, b]),
                        (None, Some(b)) => Some([a, b]),
                        _ => None,
                    };
                    if let Some(factors) = factors {
                        let product = function.push_inst(op, &factors, &[Type::B32], origin);
                        let value = function.result(product, 0);
                        let inst = &mut function.insts[id.index()];
                        (inst.op, inst.args) = (NEGATE, smallvec![value]);
                        out.push(product);
                        count += 1;
                    }
                }
                // What is taken away stands behind what it is taken from.
                (Op::FAdd(MODE), &[a, b])
                    if negated(function, a).is_some()
                        && negated(function, b).is_none()
                        && constant(function, b).is_none() =>
                {
                    function.insts[id.index()].args = smallvec![b, a];
                    count += 1;
                }
                _ => {}
            }
            out.push(id);
        }
        function.blocks[block].insts = out;
    }
    count
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
    use crate::Multiply;

    #[test]
    fn signs_stand_in_front_of_products() {
        let mut module = program(|builder, inputs| {
            let minus = builder.value(NEGATE, &[inputs[0]]);
            let product = builder.value(Op::FMul(MODE, Multiply::Ieee), &[minus, inputs[1]]);
            let sum = builder.value(Op::FAdd(MODE), &[product, inputs[2]]);
            let alone = builder.value(Op::FMul(MODE, Multiply::Ieee), &[minus, inputs[3]]);
            vec![sum, alone]
        });
        module.from_shading_language = true;
        let inputs = [2.0_f32, -3.5, 0.25, 7.0, 0.0, 0.0].map(f32::to_bits);
        let before = outputs(&module, &inputs);
        // The product, and the order of the sum.
        assert_eq!(run(&mut module).count, 2, "{module}");
        assert_eq!(outputs(&module, &inputs), before, "{module}");
        assert!(crate::verify::check(&module).is_empty(), "{module}");
        assert_eq!(run(&mut module).count, 0, "{module}");
    }
}
