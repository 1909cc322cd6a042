//! Divisions of a number by a constant, in whatever way they are spelled: as the high half of a product with corrections,
//! as shifts and masks of the amount, with the product of the quotient taken away by shifts.
//!
//! Where a word is computed from one number and constants alone, it is run on many numbers. The first number above zero for
//! which it is not 0 (not the number itself) is the only divisor it can be the quotient (the remainder) by. It is run on
//! the multiples of that divisor of every size and their neighbours, where a factor that is too small or too large shows
//! first, the largest of all among them.

use super::Changes;
use super::edit::{Forward, constant};
use super::slice::{Choices, Slice};
use crate::cfg::Cfg;
use crate::exec::evaluate;
use crate::{CompareInt, Function, InstId, Module, Op, Origin, Type, Value, ValueDef};
use smallvec::{SmallVec, smallvec};

/// Most operations that one is made of.
const STEPS: usize = 24;
/// Numbers that a word may be a function of.
const NUMBERS: usize = 3;
/// So many words of a function are run on numbers.
const MOST: usize = 2000;

pub(super) fn run(module: &mut Module) -> Changes {
    module.functions.iter_mut().map(find_all).sum::<usize>().into()
}

/// What a word is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Divided {
    /// A quotient or remainder by this number.
    By(Op, u32),
    /// The signed quotient, one less where the number is negative.
    Lower(u32),
}

fn find_all(function: &mut Function) -> usize {
    let cfg = Cfg::new(function);
    let mut marks: Vec<SmallVec<[Value; NUMBERS]>> = vec![SmallVec::new(); function.values.len()];
    let choices = Choices::new(function, &cfg);
    let mut forward = Forward::new(function);
    let (mut count, mut left) = (0, MOST);
    let mut slots = Vec::new();
    for block in cfg.order.clone() {
        let mut starts: Vec<InstId> = Vec::new();
        for param in function.blocks[block.index()].params.clone() {
            let Some((condition, a, b)) = choices.get(param) else { continue };
            let from = [condition, a, b];
            for other in from {
                marks_of(&mut marks, param, other);
            }
            let list = marks.get(param.index()).cloned().unwrap_or_default();
            let Some((x, found)) = divided(function, &choices, param, &list, &mut left, &mut slots) else {
                continue;
            };
            let (insts, value) = written(function, x, found);
            starts.extend(insts);
            forward.set(param, value);
            count += 1;
        }
        let listed = std::mem::take(&mut function.blocks[block.index()].insts);
        let mut out = starts;
        for id in listed {
            let inst = &function.insts[id.index()];
            if let ([result], true) = (&inst.results[..], inst.results.len() == 1) {
                let result = *result;
                for arg in inst.args.clone() {
                    marks_of(&mut marks, result, arg);
                }
                if let Some(x) = spells(function, id)
                    && let Some(list) = marks.get_mut(result.index())
                    && !list.contains(&x)
                    && list.len() < NUMBERS
                {
                    list.push(x);
                }
                let inst = &function.insts[id.index()];
                let ends = matches!(
                    inst.op,
                    Op::IAdd
                        | Op::ISub
                        | Op::INeg
                        | Op::ShrU
                        | Op::ShrS
                        | Op::Select
                        | Op::UMulHigh
                        | Op::And
                );
                let list = marks.get(result.index()).cloned().unwrap_or_default();
                if ends
                    && function.ty(result) == Type::B32
                    && let Some((x, found)) =
                        divided(function, &choices, result, &list, &mut left, &mut slots)
                {
                    let (mut insts, value) = written(function, x, found);
                    // The last one takes the place of what stood here.
                    if let Some(last) = insts.pop() {
                        debug_assert_eq!(function.result(last, 0), value);
                        let made = function.insts[last.index()].clone();
                        let inst = &mut function.insts[id.index()];
                        (inst.op, inst.args) = (made.op, made.args);
                        out.extend(insts);
                        count += 1;
                    }
                }
            }
            out.push(id);
        }
        function.blocks[block.index()].insts = out;
    }
    if count > 0 {
        forward.apply(function);
    }
    count
}

/// A value is spelled from the numbers that another is spelled from.
fn marks_of(marks: &mut [SmallVec<[Value; NUMBERS]>], value: Value, of: Value) {
    let Some(list) = marks.get(of.index()).cloned() else { return };
    let Some(own) = marks.get_mut(value.index()) else { return };
    for number in list {
        if !own.contains(&number) && own.len() < NUMBERS {
            own.push(number);
        }
    }
}

/// The number that an operation takes apart as divisions do: the high half of its product with a constant, a quotient of it,
/// its amount, its sign.
fn spells(function: &Function, id: InstId) -> Option<Value> {
    let inst = &function.insts[id.index()];
    let known = |value: Value| constant(function, value);
    let word = |value: Value| (function.ty(value) == Type::B32).then_some(value);
    match (inst.op, &inst.args[..]) {
        (Op::SMulHigh | Op::UMulHigh, &[a, b]) => match (known(a), known(b)) {
            (None, Some(_)) => word(a),
            (Some(_), None) => word(b),
            _ => None,
        },
        (Op::SDiv | Op::UDiv | Op::SRem | Op::URem, &[a, b]) => {
            (known(a).is_none() && known(b).is_some()).then(|| word(a))?
        }
        (Op::SMax, &[a, b]) => [(a, b), (b, a)].into_iter().find_map(|(x, minus)| {
            let inst = function.definition(minus)?;
            match (inst.op, &inst.args[..]) {
                (Op::INeg, &[inner]) => (inner == x).then(|| word(x))?,
                (Op::ISub, &[zero, inner]) => (inner == x && known(zero) == Some(0)).then(|| word(x))?,
                _ => None,
            }
        }),
        (Op::ShrS, &[a, by]) => (known(by) == Some(31)).then(|| word(a))?,
        (Op::ICompare(CompareInt::Slt | CompareInt::Sle), &[a, b]) => match (known(a), known(b)) {
            (None, Some(0)) => word(a),
            (Some(0), None) => word(b),
            _ => None,
        },
        _ => None,
    }
}

/// What a value is of one of the numbers that it may be spelled from.
fn divided(
    function: &Function,
    choices: &Choices,
    value: Value,
    numbers: &[Value],
    left: &mut usize,
    slots: &mut Vec<u64>,
) -> Option<(Value, Divided)> {
    if let ValueDef::Result(id, _) = function.values.get(value.index())?.def {
        let inst = &function.insts[id.index()];
        let by_constant = inst.args.get(1).is_some_and(|by| constant(function, *by).is_some());
        if matches!(inst.op, Op::SDiv | Op::UDiv | Op::SRem | Op::URem) && by_constant {
            return None;
        }
        // What `written` makes stays as it is.
        if inst.op == Op::IAdd && is_lower(function, inst.args[0], inst.args[1]) {
            return None;
        }
    }
    numbers.iter().find_map(|x| {
        *left = left.checked_sub(1)?;
        if *x == value {
            return None;
        }
        let slice = Slice::with_choices(function, choices, value, &[*x], STEPS)?;
        let mut run = |number: u32| slice.run(&[number.into()], slots).map(|bits| bits as u32);
        Some((*x, recognised(&mut run)?))
    })
}

/// Whether both are the terms of [`Divided::Lower`].
fn is_lower(function: &Function, quotient: Value, sign: Value) -> bool {
    let parts = |value: Value, op: Op| {
        let inst = function.definition(value).filter(|inst| inst.op == op)?;
        Some((*inst.args.first()?, constant(function, *inst.args.get(1)?)?))
    };
    match (parts(quotient, Op::SDiv), parts(sign, Op::ShrS)) {
        (Some((x, _)), Some((y, 31))) => x == y,
        _ => false,
    }
}

/// The division that a function of one number is.
fn recognised(run: &mut impl FnMut(u32) -> Option<u32>) -> Option<Divided> {
    if run(0)? != 0 {
        return None;
    }
    let one = run(1)?;
    let quotient = one == 0;
    if one > 1 {
        return None;
    }
    // A quotient is 0 below the divisor and never again, a remainder is the number itself below it and never again.
    let mut below = |x: u32| Some(run(x)? == if quotient { 0 } else { x });
    let (mut low, mut high) = (1_u32, i32::MAX as u32);
    if below(high)? {
        return None;
    }
    while high - low > 1 {
        let middle = low + (high - low) / 2;
        if below(middle)? { low = middle } else { high = middle }
    }
    let divisor = high;
    let negative = divisor.wrapping_neg();
    let mut possible: SmallVec<[Divided; 4]> = if !quotient {
        smallvec![Divided::By(Op::SRem, divisor), Divided::By(Op::URem, divisor)]
    } else if run(divisor)? == 1 {
        smallvec![Divided::By(Op::SDiv, divisor), Divided::By(Op::UDiv, divisor), Divided::Lower(divisor)]
    } else {
        smallvec![Divided::By(Op::SDiv, negative)]
    };
    for number in numbers(divisor) {
        let result = run(number)?;
        possible.retain(|divided| divided.of(number) == Some(result));
        if possible.is_empty() {
            return None;
        }
    }
    // Shifts and masks of what has no sign are written as such.
    possible.into_iter().find(|divided| {
        let unsigned = matches!(divided, Divided::By(Op::UDiv | Op::URem, _));
        !(unsigned && divisor.is_power_of_two())
    })
}

impl Divided {
    fn of(self, number: u32) -> Option<u32> {
        match self {
            Self::By(op, by) => evaluate(&op, Type::B32, &[number.into(), by.into()]).map(|bits| bits as u32),
            Self::Lower(by) => {
                let quotient = Self::By(Op::SDiv, by).of(number)?;
                Some(quotient.wrapping_sub(number >> 31))
            }
        }
    }
}

/// Numbers on which a quotient or remainder that is none shows: multiples of every size with their neighbours, and
/// numbers around powers of two.
fn numbers(divisor: u32) -> impl Iterator<Item = u32> {
    let wide = u64::from(divisor);
    let powers = (0..32).map(|bit| 1_u64 << bit);
    let largest = [i32::MAX as u64 / wide, (1 << 31) / wide, u64::from(u32::MAX) / wide];
    let near = largest.into_iter().flat_map(|most| [most.saturating_sub(1), most, most + 1]);
    // Xorshift (Marsaglia), cut to every length.
    let mut state = 0x9E37_79B9_7F4A_7C15_u64;
    let drawn = (0..160).map(move |_| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 32) >> (state & 31)
    });
    let times: Vec<u64> =
        powers.clone().chain(near).chain([3, 5, 7, 100, 1000]).chain(drawn.clone()).collect();
    let multiples = times.into_iter().flat_map(move |n| {
        let multiple = n.wrapping_mul(wide) as u32;
        [multiple.wrapping_sub(1), multiple, multiple.wrapping_add(1)]
    });
    let edges = powers.flat_map(|power| [power - 1, power, power + 1]).chain(drawn).map(|n| n as u32);
    multiples.chain(edges).flat_map(|n| [n, n.wrapping_neg()])
}

/// The instructions of a division, with what they give; the last one makes it.
fn written(function: &mut Function, x: Value, divided: Divided) -> (SmallVec<[InstId; 4]>, Value) {
    let nowhere = Origin { instruction: u32::MAX, step: 0, lane: 0 };
    let mut insts: SmallVec<[InstId; 4]> = SmallVec::new();
    let mut make = |op: Op, args: &[Value]| {
        let id = function.push_inst(op, args, &[Type::B32], nowhere);
        insts.push(id);
        function.result(id, 0)
    };
    let value = match divided {
        Divided::By(op, by) => {
            let by = make(Op::B32(by), &[]);
            make(op, &[x, by])
        }
        Divided::Lower(by) => {
            let by = make(Op::B32(by), &[]);
            let all = make(Op::B32(31), &[]);
            let quotient = make(Op::SDiv, &[x, by]);
            let sign = make(Op::ShrS, &[x, all]);
            make(Op::IAdd, &[quotient, sign])
        }
    };
    (insts, value)
}

#[cfg(test)]
mod tests {
    use super::super::testing::{assert_same, program, simplified};
    use super::*;
    use crate::build::FunctionBuilder;

    /// What is left of a program, which does the same.
    fn left(write: impl FnOnce(&mut FunctionBuilder, Value) -> Vec<Value>) -> String {
        let before = program(|builder, x| write(builder, x[0]));
        let mut after = before.clone();
        assert!(run(&mut after).count > 0, "{after}");
        let text = simplified(&mut after);
        assert_same(&before, &after, 5);
        text
    }

    /// `high + x >> shift` of the signed product, as compilers divide by a factor with its sign bit set.
    fn high(builder: &mut FunctionBuilder, x: Value, by: u32, shift: u32) -> Value {
        let (by, shift) = (builder.bits(by), builder.bits(shift));
        let high = builder.value(Op::SMulHigh, &[x, by]);
        let sum = builder.value(Op::IAdd, &[high, x]);
        builder.value(Op::ShrS, &[sum, shift])
    }

    fn sign(builder: &mut FunctionBuilder, x: Value) -> Value {
        let [zero, all] = [0, u32::MAX].map(|bits| builder.bits(bits));
        let negative = builder.value(Op::ICompare(CompareInt::Slt), &[x, zero]);
        builder.value(Op::Select, &[negative, all, zero])
    }

    #[test]
    fn a_remainder_by_shifts() {
        // x - ((q << 2) + (sign - high)), q = high - sign: what is left of x by 3.
        let text = left(|builder, x| {
            let (high, sign) = (high(builder, x, 0xAAAA_AAAB, 1), sign(builder, x));
            let quotient = builder.value(Op::ISub, &[high, sign]);
            let opposite = builder.value(Op::ISub, &[sign, high]);
            let two = builder.bits(2);
            let four = builder.value(Op::Shl, &[quotient, two]);
            let three = builder.value(Op::IAdd, &[four, opposite]);
            vec![builder.value(Op::ISub, &[x, three])]
        });
        assert!(text.contains("srem") && !text.contains("mulhigh"), "{text}");
    }

    #[test]
    fn a_quotient_without_its_correction() {
        let text = left(|builder, x| vec![high(builder, x, 0xCCCC_CCCD, 2)]);
        assert!(text.contains("sdiv") && !text.contains("mulhigh"), "{text}");
    }

    #[test]
    fn quotients_by_negative_numbers() {
        let text = left(|builder, x| {
            let (high, sign) = (high(builder, x, 0xAAAA_AAAB, 1), sign(builder, x));
            vec![builder.value(Op::ISub, &[sign, high])]
        });
        assert!(text.contains("0xfffffffd") && text.contains("sdiv"), "{text}");
    }

    #[test]
    fn what_powers_of_two_leave() {
        let text = left(|builder, x| {
            let (zero, mask) = (builder.bits(0), builder.bits(7));
            let minus = builder.value(Op::INeg, &[x]);
            let amount = builder.value(Op::SMax, &[x, minus]);
            let bits = builder.value(Op::And, &[amount, mask]);
            let opposite = builder.value(Op::ISub, &[zero, bits]);
            let negative = builder.value(Op::ICompare(CompareInt::Slt), &[x, zero]);
            vec![builder.value(Op::Select, &[negative, opposite, bits])]
        });
        assert!(text.contains("srem") && !text.contains("smax"), "{text}");
    }

    #[test]
    fn what_is_none_stays() {
        // A factor that is too small, an amount, a mask, a sign.
        let mut module = program(|builder, x| {
            let small = high(builder, x[0], 0xAAAA_AAA9, 1);
            let sign = sign(builder, x[1]);
            let close = builder.value(Op::ISub, &[small, sign]);
            let minus = builder.value(Op::INeg, &[x[2]]);
            let amount = builder.value(Op::SMax, &[x[2], minus]);
            let (mask, by) = (builder.bits(7), builder.bits(3));
            let bits = builder.value(Op::And, &[amount, mask]);
            let eighth = builder.value(Op::ShrU, &[x[3], by]);
            vec![close, sign, amount, bits, eighth]
        });
        assert_eq!(run(&mut module).count, 0, "{module}");
    }
}
