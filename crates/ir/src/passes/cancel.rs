//! What is multiplied by a value and then by its reciprocal stays what it was: inputs that the machine takes with
//! perspective come as `x * w * (1 / w)`, the halves of which may lie far apart. So does the inverse of an inverse.
//!
//! Within 2 ulp where the value is neither zero nor beyond what its reciprocal can hold.

use super::Changes;
use super::edit::Forward;
use crate::{FloatMode, Function, Module, Op, Value};

/// What must hold.
const ASSUMPTION: &str = "nothing is multiplied and divided by zero";

pub(super) fn run(module: &mut Module) -> Changes {
    Changes::from(module.functions.iter_mut().map(of_function).sum::<usize>()).assume(ASSUMPTION)
}

fn of_function(function: &mut Function) -> usize {
    let mut found: Vec<(Value, Value)> = Vec::new();
    for id in function.blocks.iter().flat_map(|block| &block.insts) {
        let inst = &function.insts[id.index()];
        // The inverse of an inverse.
        if let (Op::FRcp(_), &[a]) = (inst.op, &inst.args[..])
            && let Some(Op::FRcp(_)) = function.definition(a).map(|inst| inst.op)
            && let (Some(kept), Some(result)) =
                (function.definition(a).and_then(|inst| inst.args.first()), inst.results.first())
        {
            found.push((*result, *kept));
            continue;
        }
        let (Op::FMul(FloatMode::F32, _), &[a, b]) = (inst.op, &inst.args[..]) else { continue };
        let kept = kept(function, a, b).or_else(|| kept(function, b, a));
        if let (Some(kept), Some(result)) = (kept, inst.results.first()) {
            found.push((*result, kept));
        }
    }
    if found.is_empty() {
        return 0;
    }
    let mut forward = Forward::new(function);
    for (result, kept) in &found {
        forward.set(*result, *kept);
    }
    forward.apply(function);
    found.len()
}

/// `x` of `x * w` and `1 / w`.
fn kept(function: &Function, product: Value, reciprocal: Value) -> Option<Value> {
    let inverse = function.definition(reciprocal)?;
    let (Op::FRcp(_), &[by]) = (inverse.op, &inverse.args[..]) else { return None };
    let inst = function.definition(product)?;
    match (inst.op, &inst.args[..]) {
        (Op::FMul(FloatMode::F32, _), &[x, w]) if w == by => Some(x),
        (Op::FMul(FloatMode::F32, _), &[w, x]) if w == by => Some(x),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Multiply;
    use crate::passes::DEAD;
    use crate::passes::testing::program;

    #[test]
    fn both_factors_go() {
        let mut module = program(|builder, inputs| {
            let product = builder.value(Op::FMul(FloatMode::F32, Multiply::Ieee), &[inputs[0], inputs[1]]);
            let inverse = builder.value(Op::FRcp(FloatMode::F32), &[inputs[1]]);
            let other = builder.value(Op::FRcp(FloatMode::F32), &[inputs[2]]);
            [inverse, other]
                .map(|by| builder.value(Op::FMul(FloatMode::F32, Multiply::Ieee), &[by, product]))
                .to_vec()
        });
        let changes = run(&mut module);
        assert_eq!((changes.count, changes.assumptions), (1, vec![ASSUMPTION]));
        (DEAD.run)(&mut module);
        assert!(crate::verify::check(&module).is_empty(), "{module}");
        assert_eq!(module.to_string().matches("frcp").count(), 1, "{module}");
    }
}
