//! Choices that are functions of what is compared: `a < b ? a : b` is `min(a, b)`; a choice of a number where
//! another is infinite is the other one (what machines with clamped reciprocals and logarithms do); `y >= 0 ? y : -1`
//! with `y = x > 0 ? 1 : x` is `x > 0 ? 1 : x < 0 ? -1 : 0`, which the tree calls `sign(x)`.

use super::Changes;
use super::edit::{Forward, constant};
use crate::{CompareFloat, FloatMode, Function, InstId, MinMax, Module, Op, Type, Value};
use smallvec::smallvec;

const MODE: FloatMode = FloatMode::F32;
const ONE: f32 = 1.0;

/// What must hold where equal zeros or NaN would choose.
const ORDERED: &str = "the sign of a zero does not matter, and no NaN is compared";
/// What must hold where machines give another number for an infinite one.
const FINITE: &str = "no reciprocal, root or logarithm is infinite";

pub(super) fn run(module: &mut Module) -> Changes {
    if !module.from_shading_language {
        return Changes::default();
    }
    let (mut ordered, mut finite) = (0, 0);
    for function in &mut module.functions {
        let mut forward = Forward::new(function);
        let before = finite;
        for block in 0..function.blocks.len() {
            let list = std::mem::take(&mut function.blocks[block].insts);
            let mut out = Vec::with_capacity(list.len());
            for id in list {
                match better(function, id) {
                    Some(Better::Value(value)) => {
                        forward.set(function.result(id, 0), value);
                        finite += 1;
                    }
                    Some(Better::Extreme(op, a, b)) => {
                        let inst = &mut function.insts[id.index()];
                        (inst.op, inst.args) = (op, smallvec![a, b]);
                        ordered += 1;
                    }
                    Some(Better::Sign { above, of }) => {
                        sign(function, id, above, of, &mut out);
                        ordered += 1;
                    }
                    None => {}
                }
                out.push(id);
            }
            function.blocks[block].insts = out;
        }
        if finite > before {
            forward.apply(function);
        }
    }
    let mut changes = Changes::from(ordered + finite);
    changes.assumptions.extend((ordered > 0).then_some(ORDERED));
    changes.assumptions.extend((finite > 0).then_some(FINITE));
    changes
}

/// What a choice becomes.
enum Better {
    Value(Value),
    Extreme(Op, Value, Value),
    /// By the condition that something is above 0.
    Sign {
        above: Value,
        of: Value,
    },
}

/// Makes the instruction the choice of 1, -1 and 0.
fn sign(function: &mut Function, id: InstId, above: Value, of: Value, before: &mut Vec<InstId>) {
    let origin = function.insts[id.index()].origin;
    let mut make = |function: &mut Function, op: Op, args: &[Value], ty: Type| {
        let made = function.push_inst(op, args, &[ty], origin);
        before.push(made);
        function.result(made, 0)
    };
    let zero = make(function, Op::B32(0), &[], Type::B32);
    let one = make(function, Op::B32(ONE.to_bits()), &[], Type::B32);
    let minus = make(function, Op::B32((-ONE).to_bits()), &[], Type::B32);
    let below = make(function, Op::FCompare(CompareFloat::Lt, MODE), &[of, zero], Type::Bool);
    let rest = make(function, Op::Select, &[below, minus, zero], Type::B32);
    let inst = &mut function.insts[id.index()];
    (inst.op, inst.args) = (Op::Select, smallvec![above, one, rest]);
}

fn number(function: &Function, value: Value) -> Option<f32> {
    if function.ty(value) != Type::B32 {
        return None;
    }
    constant(function, value).map(|bits| f32::from_bits(bits as u32))
}

/// The condition and both sides of a choice of words.
fn choice(function: &Function, value: Value) -> Option<(Value, Value, Value)> {
    let inst = function.definition(value).filter(|inst| inst.op == Op::Select)?;
    let &[condition, yes, no] = &inst.args[..] else { return None };
    (function.ty(yes) == Type::B32).then_some((condition, yes, no))
}

/// A comparison of floats.
fn comparison(function: &Function, condition: Value) -> Option<(CompareFloat, Value, Value)> {
    let inst = function.definition(condition)?;
    match (inst.op, &inst.args[..]) {
        (Op::FCompare(by, MODE), &[a, b]) => Some((by, a, b)),
        _ => None,
    }
}

/// What is above 0 where a condition holds.
fn above(function: &Function, condition: Value) -> Option<Value> {
    match comparison(function, condition)? {
        (CompareFloat::Gt, x, zero) | (CompareFloat::Lt, zero, x) if number(function, zero) == Some(0.0) => {
            Some(x)
        }
        _ => None,
    }
}

fn better(function: &Function, id: InstId) -> Option<Better> {
    let inst = &function.insts[id.index()];
    match (inst.op, &inst.args[..]) {
        (Op::Select, &[condition, yes, no]) if function.ty(yes) == Type::B32 => {
            let (by, a, b) = comparison(function, condition)?;
            extreme(by, [a, b], yes, no)
                .or_else(|| infinite(function, by, [a, b], yes, no))
                .or_else(|| in_steps(function, by, [a, b], yes, no))
        }
        _ => None,
    }
}

/// `a < b ? a : b` and its kin.
fn extreme(by: CompareFloat, [a, b]: [Value; 2], yes: Value, no: Value) -> Option<Better> {
    let lower_first = match by {
        CompareFloat::Lt | CompareFloat::Le => true,
        CompareFloat::Gt | CompareFloat::Ge => false,
        CompareFloat::Eq | CompareFloat::Ne => return None,
    };
    let straight = match () {
        () if a == b => return None,
        () if (yes, no) == (a, b) => true,
        () if (yes, no) == (b, a) => false,
        () => return None,
    };
    let rule = MinMax::SecondUnlessOrdered;
    let op = if lower_first == straight { Op::FMin(MODE, rule) } else { Op::FMax(MODE, rule) };
    Some(Better::Extreme(op, yes, no))
}

/// `x == infinity ? number : x`.
fn infinite(
    function: &Function,
    by: CompareFloat,
    [a, b]: [Value; 2],
    yes: Value,
    no: Value,
) -> Option<Better> {
    let is_infinite = |value: Value| number(function, value).is_some_and(f32::is_infinite);
    let x = if is_infinite(b) { a } else { is_infinite(a).then_some(b)? };
    let (other, kept) = match by {
        CompareFloat::Eq => (yes, no),
        CompareFloat::Ne => (no, yes),
        _ => return None,
    };
    number(function, other)?;
    // What is kept may be the same behind another such choice.
    (kept == x || choice(function, kept).is_some_and(|(_, yes, no)| yes == x || no == x))
        .then_some(Better::Value(kept))
}

/// `y >= 0 ? y : -1` with `y = x > 0 ? 1 : x`.
fn in_steps(
    function: &Function,
    by: CompareFloat,
    [a, b]: [Value; 2],
    yes: Value,
    no: Value,
) -> Option<Better> {
    let fits = by == CompareFloat::Ge && a == yes && number(function, b) == Some(0.0);
    if !fits || number(function, no) != Some(-ONE) {
        return None;
    }
    let (condition, one, x) = choice(function, yes)?;
    (number(function, one) == Some(ONE) && above(function, condition) == Some(x))
        .then_some(Better::Sign { above: condition, of: x })
}

#[cfg(test)]
mod tests {
    use super::super::testing::{outputs, program};
    use super::*;
    use crate::build::FunctionBuilder;

    const NUMBERS: [f32; 6] = [-2.5, 0.0, 3.0, -1.0, 0.75, 8.0];

    /// The program keeps what it stores, and is another one where that is expected.
    fn check(write: impl Fn(&mut FunctionBuilder, &[Value]) -> Vec<Value>, expected: usize, present: &str) {
        let mut module = Module { from_shading_language: true, ..program(write) };
        for first in 0..NUMBERS.len() {
            let mut inputs = NUMBERS.map(f32::to_bits);
            inputs.rotate_left(first);
            let before = outputs(&module, &inputs);
            let mut after = module.clone();
            assert_eq!(run(&mut after).count, expected, "{after}");
            assert_eq!(outputs(&after, &inputs), before, "{after}");
        }
        run(&mut module);
        assert!(module.to_string().contains(present), "{module}");
        assert!(crate::verify::check(&module).is_empty(), "{module}");
    }

    fn compare(builder: &mut FunctionBuilder, by: CompareFloat, a: Value, b: Value) -> Value {
        builder.value(Op::FCompare(by, MODE), &[a, b])
    }

    #[test]
    fn the_lesser_and_the_greater() {
        check(
            |builder, inputs| {
                let (a, b) = (inputs[0], inputs[1]);
                let less = compare(builder, CompareFloat::Lt, a, b);
                let not_less = compare(builder, CompareFloat::Ge, a, b);
                vec![
                    builder.value(Op::Select, &[less, a, b]),
                    builder.value(Op::Select, &[less, b, a]),
                    builder.value(Op::Select, &[not_less, a, b]),
                ]
            },
            3,
            "fmax",
        );
    }

    #[test]
    fn numbers_instead_of_infinities() {
        check(
            |builder, inputs| {
                let infinity = builder.float(f32::NEG_INFINITY);
                let least = builder.float(f32::MIN);
                let log = builder.value(Op::FExp2(MODE), &[inputs[0]]);
                let is = compare(builder, CompareFloat::Eq, log, infinity);
                vec![builder.value(Op::Select, &[is, least, log])]
            },
            1,
            "exp2",
        );
    }

    #[test]
    fn signs() {
        check(
            |builder, inputs| {
                let (x, zero, one) = (inputs[0], builder.float(0.0), builder.float(1.0));
                let minus = builder.float(-1.0);
                let above = compare(builder, CompareFloat::Gt, x, zero);
                let first = builder.value(Op::Select, &[above, one, x]);
                let not_below = compare(builder, CompareFloat::Ge, first, zero);
                vec![builder.value(Op::Select, &[not_below, first, minus])]
            },
            1,
            "select",
        );
    }
}
