//! Comparing two choices between constants is an operation on their conditions:
//! `(c ? -1 : 0) == (d ? -1 : 0)` is `!(c ^^ d)`. Exact.

use super::edit::{constant_choice, with_room_before};
use crate::exec::evaluate;
use crate::{Function, InstId, Module, Op, Type, Value};
use smallvec::smallvec;

pub(super) fn run(module: &mut Module) -> usize {
    module.functions.iter_mut().map(rewrite).sum()
}

fn rewrite(function: &mut Function) -> usize {
    with_room_before(function, |function, id, before| {
        let Some((a, b, answers)) = compared(function, id) else { return false };
        apply(function, id, a, b, answers, before);
        true
    })
}

/// A choice between two words, or a truth value as 1 or 0: its condition and the words.
fn choice(function: &Function, value: Value) -> Option<(Value, u64, u64)> {
    let inst = function.definition(value)?;
    match (inst.op, &inst.args[..]) {
        (Op::BToI, &[condition]) => Some((condition, 1, 0)),
        _ => constant_choice(function, value).map(|(condition, yes, no)| (condition, yes.into(), no.into())),
    }
}

/// The conditions of both sides of a comparison, and its answers: for both true, the first, the second, none.
fn compared(function: &Function, id: InstId) -> Option<(Value, Value, [bool; 4])> {
    let inst = &function.insts[id.index()];
    let (Op::ICompare(_) | Op::FCompare(..), &[a, b]) = (inst.op, &inst.args[..]) else { return None };
    let (a, b) = (choice(function, a)?, choice(function, b)?);
    let answer = |x: u64, y: u64| evaluate(&inst.op, Type::B32, &[x, y]).map(|bits| bits != 0);
    Some((a.0, b.0, [answer(a.1, b.1)?, answer(a.1, b.2)?, answer(a.2, b.1)?, answer(a.2, b.2)?]))
}

fn apply(
    function: &mut Function,
    id: InstId,
    a: Value,
    b: Value,
    answers: [bool; 4],
    before: &mut Vec<InstId>,
) {
    let origin = function.insts[id.index()].origin;
    let mut make = |function: &mut Function, op: Op, args: &[Value]| {
        let made = function.push_inst(op, args, &[Type::Bool], origin);
        before.push(made);
        function.result(made, 0)
    };
    let [both, first, second, none] = answers;
    let (op, args) = match answers {
        _ if both == first && second == none && both == second => (Op::Bool(both), smallvec![]),
        // Only one of the conditions matters.
        [true, true, false, false] => (Op::And, smallvec![a, a]),
        [true, false, true, false] => (Op::And, smallvec![b, b]),
        [false, false, true, true] => (Op::Not, smallvec![a]),
        [false, true, false, true] => (Op::Not, smallvec![b]),
        [false, true, true, false] => (Op::Xor, smallvec![a, b]),
        [true, false, false, true] => {
            let differ = make(function, Op::Xor, &[a, b]);
            (Op::Not, smallvec![differ])
        }
        _ => {
            // One answer is unlike the others: that of the conditions as they then are.
            let odd = answers.iter().filter(|answer| **answer).count() == 1;
            let at = answers.iter().position(|answer| *answer == odd).unwrap_or(0);
            let (a_holds, b_holds) = (at < 2, at % 2 == 0);
            let a = if a_holds == odd { a } else { make(function, Op::Not, &[a]) };
            let b = if b_holds == odd { b } else { make(function, Op::Not, &[b]) };
            (if odd { Op::And } else { Op::Or }, smallvec![a, b])
        }
    };
    let inst = &mut function.insts[id.index()];
    inst.op = op;
    inst.args = args;
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::CompareInt;
    use crate::passes::testing::{assert_same, program};
    use crate::random::Dice;

    #[test]
    fn comparing_choices_asks_their_conditions() {
        use CompareInt::{Eq, Ne, Sle, Slt, Ule, Ult};
        for seed in 0..200 {
            let mut dice = Dice::new(seed);
            let before = program(|builder, inputs| {
                let condition = |builder: &mut crate::build::FunctionBuilder, at: usize| {
                    builder.value(Op::ICompare(Slt), &[inputs[at], inputs[at + 1]])
                };
                let (c, d) = (condition(builder, 0), condition(builder, 2));
                let words = [0u32, 1, 2, u32::MAX].map(|word| builder.bits(word));
                let mut side = |condition: Value| {
                    let args = [condition, dice.pick(&words), dice.pick(&words)];
                    builder.value(Op::Select, &args)
                };
                let (x, y) = (side(c), side(d));
                let by = dice.pick(&[Eq, Ne, Slt, Sle, Ult, Ule]);
                let compared = builder.value(Op::ICompare(by), &[x, y]);
                vec![builder.value(Op::Select, &[compared, inputs[4], inputs[5]])]
            });
            let mut after = before.clone();
            assert_eq!(run(&mut after), 1);
            assert!(crate::verify::check(&after).is_empty(), "{after}");
            assert_same(&before, &after, seed);
        }
    }
}
