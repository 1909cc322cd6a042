//! What a lift spells out so that it is rounded once, as a person writes it.
//!
//! * A product with a scale, of which the factor is scaled that does not leave the range
//!   (`|a| < |b| ? a * s * b : b * s * a`), is `a * b * s`.
//! * A result that is odd where it is not exact (`toward zero | (down != up)`) is the result.

use super::Changes;
use super::edit::{Forward, constant};
use crate::{CompareFloat, CompareInt, Function, InstId, Module, Multiply, Op, Round, Value};

/// What must hold.
pub(super) const ASSUMPTION: &str = "a result may be rounded before it is scaled or made narrower";

pub(super) fn run(module: &mut Module) -> Changes {
    let count: usize = module.functions.iter_mut().map(plain).sum();
    Changes::from(count).assume(ASSUMPTION)
}

/// What takes the place of a value.
enum Plain {
    /// `a * b * scale`, with the operation of the first product and that of the second.
    Scaled { product: Op, scale: Op, operands: [Value; 3] },
    /// An operation in another rounding.
    Nearest(Op, Vec<Value>),
}

fn plain(function: &mut Function) -> usize {
    let mut count = 0;
    let mut forward = Forward::new(function);
    for block in 0..function.blocks.len() {
        let list = std::mem::take(&mut function.blocks[block].insts);
        let mut out: Vec<InstId> = Vec::with_capacity(list.len());
        for id in list {
            let found = scaled(function, id).or_else(|| odd(function, id));
            out.push(id);
            let Some(found) = found else { continue };
            let inst = &function.insts[id.index()];
            let (origin, result) = (inst.origin, function.result(id, 0));
            let ty = function.ty(result);
            let made = match found {
                Plain::Scaled { product, scale, operands: [a, b, factor] } => {
                    let first = function.push_inst(product, &[a, b], &[ty], origin);
                    out.push(first);
                    let first = function.result(first, 0);
                    function.push_inst(scale, &[first, factor], &[ty], origin)
                }
                Plain::Nearest(op, operands) => function.push_inst(op, &operands, &[ty], origin),
            };
            out.push(made);
            forward.set(result, function.result(made, 0));
            count += 1;
        }
        function.blocks[block].insts = out;
    }
    if count > 0 {
        forward.apply(function);
    }
    count
}

/// The operands of a product of which the first factor is a product with a constant: the factor, the constant, the
/// other factor, and the two operations.
fn product_with_scale(function: &Function, value: Value) -> Option<(Value, Value, Value, Op, Op)> {
    let outer = function.definition(value)?;
    let (Op::FMul(..), &[first, other]) = (outer.op, &outer.args[..]) else { return None };
    let inner = function.definition(first)?;
    let (Op::FMul(_, Multiply::Ieee), &[factor, scale]) = (inner.op, &inner.args[..]) else { return None };
    constant(function, scale)?;
    Some((factor, scale, other, outer.op, inner.op))
}

/// The operand of a magnitude.
fn magnitude(function: &Function, value: Value) -> Option<Value> {
    let inst = function.definition(value)?;
    matches!(inst.op, Op::FAbs(_)).then(|| inst.args.first().copied()).flatten()
}

fn scaled(function: &Function, id: InstId) -> Option<Plain> {
    let inst = &function.insts[id.index()];
    let (Op::Select, &[condition, then, otherwise]) = (inst.op, &inst.args[..]) else { return None };
    let test = function.definition(condition)?;
    let (Op::FCompare(CompareFloat::Lt, _), &[less, more]) = (test.op, &test.args[..]) else { return None };
    let compared = [magnitude(function, less)?, magnitude(function, more)?];
    let (a, scale, b, product, scaling) = product_with_scale(function, then)?;
    let (other_a, other_scale, other_b, ..) = product_with_scale(function, otherwise)?;
    let same = constant(function, scale) == constant(function, other_scale);
    let crossed = (a, b) == (other_b, other_a);
    let ordered = [[a, b], [b, a]].contains(&compared);
    let [a, b] = compared;
    (same && crossed && ordered).then_some(Plain::Scaled { product, scale: scaling, operands: [a, b, scale] })
}

fn odd(function: &Function, id: InstId) -> Option<Plain> {
    let inst = &function.insts[id.index()];
    let (Op::Or, &[cut, bit]) = (inst.op, &inst.args[..]) else { return None };
    let one = |value: Value, op: Op| {
        let inst = function.definition(value).filter(|inst| inst.op == op)?;
        inst.args.first().copied()
    };
    let same = one(one(bit, Op::BToI)?, Op::Not)?;
    let test = function.definition(same)?;
    let (Op::ICompare(CompareInt::Eq), &[down, up]) = (test.op, &test.args[..]) else { return None };
    let nearest = |value: Value, round: Round| {
        let inst = function.definition(value)?;
        let mut op = inst.op;
        let mode = op.float_mode_mut().filter(|mode| mode.round == round)?;
        mode.round = Round::Nearest;
        Some((op, &inst.args))
    };
    let (op, operands) = nearest(cut, Round::Zero)?;
    let also = |value, round| nearest(value, round) == Some((op, operands));
    (also(down, Round::Down) && also(up, Round::Up)).then(|| Plain::Nearest(op, operands.to_vec()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::build::FunctionBuilder;
    use crate::passes::testing::{assert_near, program};
    use crate::{FloatMode, Width};

    fn product(builder: &mut FunctionBuilder, a: Value, b: Value) -> Value {
        builder.value(Op::FMul(FloatMode::F32, Multiply::Ieee), &[a, b])
    }

    /// `|a| < |b| ? then * scale * other : otherwise * scale * other`.
    fn chosen(
        builder: &mut FunctionBuilder,
        [a, b]: [Value; 2],
        then: [Value; 2],
        otherwise: [Value; 2],
    ) -> Value {
        let two = builder.float(2.0);
        let [x, y] = [a, b].map(|value| builder.value(Op::FAbs(Width::F32), &[value]));
        let less = builder.value(Op::FCompare(CompareFloat::Lt, FloatMode::F32), &[x, y]);
        let [then, otherwise] = [then, otherwise].map(|[scaled, other]| {
            let scaled = product(builder, scaled, two);
            product(builder, scaled, other)
        });
        builder.value(Op::Select, &[less, then, otherwise])
    }

    #[test]
    fn products_with_a_scale() {
        let before = program(|builder, x| {
            let up = chosen(builder, [x[0], x[1]], [x[0], x[1]], [x[1], x[0]]);
            let down = chosen(builder, [x[2], x[3]], [x[3], x[2]], [x[2], x[3]]);
            vec![up, down]
        });
        let mut after = before.clone();
        assert_eq!(run(&mut after), Changes { count: 2, assumptions: vec![ASSUMPTION] });
        assert!(crate::verify::check(&after).is_empty(), "{after}");
        assert_near(&before, &after, 1);
    }

    /// Other numbers are compared, or other ones multiplied.
    #[test]
    fn other_choices_stay() {
        let mut module = program(|builder, x| {
            let compared = chosen(builder, [x[0], x[2]], [x[0], x[1]], [x[1], x[0]]);
            let multiplied = chosen(builder, [x[0], x[1]], [x[0], x[1]], [x[1], x[2]]);
            let same = chosen(builder, [x[0], x[1]], [x[0], x[1]], [x[0], x[1]]);
            vec![compared, multiplied, same]
        });
        assert_eq!(run(&mut module).count, 0);
    }

    #[test]
    fn results_that_are_odd() {
        let odd = |builder: &mut FunctionBuilder, rounds: [Round; 3], [a, b]: [Value; 2]| {
            let [cut, down, up] =
                rounds.map(|round| builder.value(Op::FAdd(FloatMode { round, ..FloatMode::F32 }), &[a, b]));
            let same = builder.value(Op::ICompare(CompareInt::Eq), &[down, up]);
            let inexact = builder.value(Op::Not, &[same]);
            let bit = builder.value(Op::BToI, &[inexact]);
            builder.value(Op::Or, &[cut, bit])
        };
        let before = program(|builder, x| {
            let odd = odd(builder, [Round::Zero, Round::Down, Round::Up], [x[0], x[1]]);
            vec![odd]
        });
        let mut after = before.clone();
        assert_eq!(run(&mut after).count, 1);
        assert_near(&before, &after, 2);
        let mut other = program(|builder, x| {
            let twice = odd(builder, [Round::Zero, Round::Down, Round::Down], [x[0], x[1]]);
            let near = odd(builder, [Round::Nearest, Round::Down, Round::Up], [x[0], x[1]]);
            vec![twice, near]
        });
        assert_eq!(run(&mut other).count, 0);
    }
}
