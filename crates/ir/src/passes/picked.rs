//! A component picked by its number. Machines without such an index add up choices, of which one at most is not zero:
//! `(i == 0 ? v.x : 0) + (i == 1 ? v.y : 0) + (i == 2 ? v.z : 0)` is `i == 0 ? v.x : i == 1 ? v.y : i == 2 ? v.z : 0`, which
//! says that one of them is taken.

use super::Changes;
use super::edit::{constant, listed, use_counts, with_room_before};
use crate::{CompareInt, FloatMode, Function, Inst, InstId, Module, Op, Type, Value};
use smallvec::{SmallVec, smallvec};
use std::collections::BTreeSet;

/// What must hold where floats are added.
const ASSUMPTION: &str = "the sign of a zero does not matter, and no NaN is compared";

/// Choices that are taken together, at least and at most.
const CHOICES: std::ops::RangeInclusive<usize> = 3..=8;

pub(super) fn run(module: &mut Module) -> Changes {
    if !module.from_shading_language {
        return Changes::default();
    }
    let mut count = 0;
    for function in &mut module.functions {
        let uses = use_counts(function);
        let inner = inner_sums(function, &uses);
        count += with_room_before(function, |function, id, before| {
            !inner.contains(&id) && pick(function, &uses, id, before)
        });
    }
    Changes::from(count).assume(ASSUMPTION)
}

/// A choice of a value where something has a number, else zero.
struct Choice {
    of: Value,
    number: u32,
    value: Value,
    zero: Value,
}

/// Sums that are nothing but a part of a larger one.
fn inner_sums(function: &Function, uses: &[u32]) -> BTreeSet<InstId> {
    let mut inner = BTreeSet::new();
    for id in function.blocks.iter().flat_map(|block| &block.insts) {
        let sum = &function.insts[id.index()];
        if !matches!(sum.op, Op::FAdd(FloatMode::F32) | Op::IAdd) {
            continue;
        }
        for arg in &sum.args {
            if let Some((part, made)) = listed(function, *arg)
                && made.op == sum.op
                && uses.get(arg.index()) == Some(&1)
            {
                inner.insert(part);
            }
        }
    }
    inner
}

fn pick(function: &mut Function, uses: &[u32], id: InstId, before: &mut Vec<InstId>) -> bool {
    let op = function.insts[id.index()].op;
    if !matches!(op, Op::FAdd(FloatMode::F32) | Op::IAdd) {
        return false;
    }
    let Some(mut choices) = choices(function, uses, id, op) else { return false };
    let Some(first) = choices.first() else { return false };
    let (of, mut rest) = (first.of, first.zero);
    choices.sort_by_key(|choice| choice.number);
    let is_one = choices.iter().all(|choice| choice.of == of);
    let distinct = choices.windows(2).all(|pair| pair[0].number != pair[1].number);
    if !is_one || !distinct || !CHOICES.contains(&choices.len()) {
        return false;
    }
    let origin = function.insts[id.index()].origin;
    let mut chosen = smallvec![];
    for (at, choice) in choices.iter().enumerate().rev() {
        let mut make = |function: &mut Function, op: Op, args: &[Value], ty: Type| {
            let made = function.push_inst(op, args, &[ty], origin);
            before.push(made);
            function.result(made, 0)
        };
        let number = make(function, Op::B32(choice.number), &[], Type::B32);
        let condition = make(function, Op::ICompare(CompareInt::Eq), &[of, number], Type::Bool);
        chosen = smallvec![condition, choice.value, rest];
        if at > 0 {
            rest = make(function, Op::Select, &chosen, Type::B32);
        }
    }
    let inst = &mut function.insts[id.index()];
    (inst.op, inst.args) = (Op::Select, chosen);
    true
}

/// The terms of a sum, if all are choices. Parts of a larger sum that is one are no sums of their own.
fn choices(function: &Function, uses: &[u32], root: InstId, op: Op) -> Option<SmallVec<[Choice; 8]>> {
    let mut found: SmallVec<[Choice; 8]> = SmallVec::new();
    let mut work: SmallVec<[Value; 8]> = function.insts[root.index()].args.iter().copied().collect();
    let mut sums = 0;
    while let Some(value) = work.pop() {
        let used = uses.get(value.index()).copied().unwrap_or(0);
        match listed(function, value) {
            Some((_, inst)) if inst.op == op && used == 1 && sums < *CHOICES.end() => {
                sums += 1;
                work.extend(inst.args.iter().copied());
            }
            Some((_, inst)) if found.len() < *CHOICES.end() => found.push(choice(function, inst)?),
            _ => return None,
        }
    }
    Some(found)
}

fn choice(function: &Function, inst: &Inst) -> Option<Choice> {
    let (Op::Select, &[condition, yes, no]) = (inst.op, &inst.args[..]) else { return None };
    let is_zero = |value: Value| function.ty(value) == Type::B32 && constant(function, value) == Some(0);
    let (by, a, b) = match function.definition(condition)? {
        Inst { op: Op::ICompare(by), args, .. } => (*by, *args.first()?, *args.get(1)?),
        _ => return None,
    };
    let (value, zero) = match by {
        CompareInt::Eq if is_zero(no) => (yes, no),
        CompareInt::Ne if is_zero(yes) => (no, yes),
        _ => return None,
    };
    if function.ty(a) != Type::B32 {
        return None;
    }
    let (of, number) = match (constant(function, a), constant(function, b)) {
        (None, Some(number)) => (a, number as u32),
        (Some(number), None) => (b, number as u32),
        _ => return None,
    };
    // `i - 2 == 0` is `i == 2`.
    let word = |value: Value| constant(function, value).map(|bits| bits as u32);
    let (of, number) = match function.definition(of).map(|inst| (inst.op, &inst.args[..])) {
        Some((Op::ISub, &[inner, by])) if word(by).is_some() => (inner, number.wrapping_add(word(by)?)),
        Some((Op::IAdd, &[inner, by] | &[by, inner])) if word(by).is_some() => {
            (inner, number.wrapping_sub(word(by)?))
        }
        _ => (of, number),
    };
    Some(Choice { of, number, value, zero })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::build::FunctionBuilder;
    use crate::exec::{Limits, Machine, Memory, Outcome, Program};
    use crate::{Access, Space};

    fn access(space: Space, offset: u32) -> Access {
        Access { space, binding: 0, offset, stride: 0 }
    }

    /// Adds up choices of words 1 to 4 by the number in word 0; `repeated`: two for one number.
    fn program(op: Op, repeated: bool, minus: Option<Op>) -> Module {
        let mut builder = FunctionBuilder::new("main");
        let index = builder.value(Op::Load(access(Space::Input, 0)), &[]);
        let zero = builder.value(Op::B32(0), &[]);
        let mut sum = None;
        for n in 0..4 {
            let number = builder.value(Op::B32(if repeated && n == 3 { 1 } else { n }), &[]);
            let is = match minus {
                Some(Op::ISub) => {
                    let less = builder.value(Op::ISub, &[index, number]);
                    builder.value(Op::ICompare(CompareInt::Eq), &[less, zero])
                }
                Some(_) => {
                    let more = builder.value(Op::B32(0_u32.wrapping_sub(n)), &[]);
                    let less = builder.value(Op::IAdd, &[more, index]);
                    builder.value(Op::ICompare(CompareInt::Eq), &[less, zero])
                }
                None => builder.value(Op::ICompare(CompareInt::Eq), &[index, number]),
            };
            let value = builder.value(Op::Load(access(Space::Input, 1 + n)), &[]);
            let chosen = builder.value(Op::Select, &[is, value, zero]);
            sum = Some(sum.map_or(chosen, |sum| builder.value(op, &[sum, chosen])));
        }
        builder.effect(Op::Store(access(Space::Output, 0)), &[sum.unwrap()]);
        builder.returns(&[]);
        let mut module = Module { from_shading_language: true, ..Module::default() };
        module.push_function(builder.finish());
        module
    }

    fn result(module: &Module, index: u32) -> u32 {
        let program = Program::new(module).unwrap();
        let mut memory = Memory::default();
        let words = [index, 10, 11, 12, 13].map(|n| if n == index { n } else { (n as f32).to_bits() });
        memory.set(Space::Input, 0, words.to_vec());
        memory.set(Space::Output, 0, vec![0]);
        let run = Machine::new(&program).run(&mut memory, Limits::fuel(1000));
        assert_eq!(run.outcome, Outcome::Ended);
        memory.words(Space::Output, 0)[0]
    }

    #[test]
    fn one_of_several_by_its_number() {
        for op in [Op::FAdd(FloatMode::F32), Op::IAdd] {
            for minus in [None, Some(Op::ISub), Some(Op::IAdd)] {
                let before = program(op, false, minus);
                let mut after = before.clone();
                assert_eq!(run(&mut after).count, 1);
                for index in 0..6 {
                    assert_eq!(result(&before, index), result(&after, index), "{op:?} {minus:?} {index}");
                }
            }
            // Two may be taken at once.
            assert_eq!(run(&mut program(op, true, None)).count, 0);
        }
    }
}
