//! Multiplications by powers of two that a compiler spelled out with the bits of exponents: `ldexp` with a number that is
//! known. The field is taken out, added to, bounded and put back, infinities and NaN pass, and what would be
//! a denormal is a zero of the same sign, which is what a multiplication that flushes gives but for what is rounded up to the
//! smallest number.
//!
//! What a form comes to is computed, not recognised: its bits depend on the sign, the exponent and, bit by bit, on the rest
//! of one number, so that it is run for every sign and exponent.

use super::Changes;
use super::edit::{constant, with_room_before};
use crate::exec::evaluate;
use crate::{CompareFloat, FloatMode, Function, InstId, Module, Multiply, Op, Type, Value, Width};
use smallvec::SmallVec;

/// What must hold.
const ASSUMPTION: &str = "no number is so small that the machine takes it for zero";

/// The same where the form takes no sign off.
pub(super) const POSITIVE: &str = "where a compiler takes an exponent without the sign, there is none";

/// The multiplication that stands for such a form.
const MODE: FloatMode = FloatMode { flush: true, ..FloatMode::F32 };
/// Where the exponent lies in a float, and how long it is.
const EXPONENT: (u64, u64) = (23, 8);
/// The bits of -1.
const MINUS_ONE: u64 = 0xBF80_0000;
/// Instructions that a form has at most.
const MOST: usize = 32;
/// Bits below the exponent that are tried: none, all, each second one, the first and the last.
pub(super) const FRACTIONS: [u32; 6] = [0, 0x7F_FFFF, 0x2A_AAAA, 0x55_5555, 1, 0x40_0000];

pub(super) fn run(module: &mut Module) -> Changes {
    let (mut count, mut only_positive) = (0, false);
    for function in &mut module.functions {
        if function.insts.iter().any(|inst| inst.op == Op::BitInsert) {
            count += with_room_before(function, |function, id, before| {
                multiply(function, id, before, &mut only_positive) || choose(function, id, before)
            });
        }
    }
    let changes = Changes::from(count).assume(ASSUMPTION);
    if only_positive { changes.assume(POSITIVE) } else { changes }
}

/// What the exponent of a choice between two numbers is changed to is one between two others.
fn choose(function: &mut Function, id: InstId, before: &mut Vec<InstId>) -> bool {
    let inst = &function.insts[id.index()];
    let Some(result) = inst.results.first().copied().filter(|result| is_exponent_put_in(function, *result))
    else {
        return false;
    };
    let origin = inst.origin;
    let Some(form) = Form::of_truth(function, result) else { return false };
    let (Some(yes), Some(no)) = (form.value(1, result), form.value(0, result)) else { return false };
    let [yes, no] = [yes, no].map(|bits| {
        let made = function.push_inst(Op::B32(bits), &[], &[Type::B32], origin);
        before.push(made);
        function.result(made, 0)
    });
    let inst = &mut function.insts[id.index()];
    inst.op = Op::Select;
    inst.args = [form.start, yes, no].into_iter().collect();
    true
}

/// Makes the choice at the end of a form a multiplication.
fn multiply(function: &mut Function, id: InstId, before: &mut Vec<InstId>, only_positive: &mut bool) -> bool {
    let inst = &function.insts[id.index()];
    let (Op::Select, &[_, yes, no]) = (inst.op, &inst.args[..]) else { return false };
    let origin = inst.origin;
    let found = [(yes, no), (no, yes)].into_iter().find_map(|(number, inserted)| {
        if !is_exponent_put_in(function, inserted) {
            return None;
        }
        Some((number, scale(function, id, number)?))
    });
    let Some((number, (scale, positive))) = found else { return false };
    *only_positive |= positive;
    let made = function.push_inst(Op::B32(scale.to_bits()), &[], &[Type::B32], origin);
    before.push(made);
    let scale = function.result(made, 0);
    let inst = &mut function.insts[id.index()];
    inst.op = Op::FMul(MODE, Multiply::Ieee);
    inst.args = [number, scale].into_iter().collect();
    true
}

fn is_exponent_put_in(function: &Function, value: Value) -> bool {
    let Some(inst) = function.definition(value) else { return false };
    let (Op::BitInsert, &[_, _, at, count]) = (inst.op, &inst.args[..]) else { return false };
    (constant(function, at), constant(function, count)) == (Some(EXPONENT.0), Some(EXPONENT.1))
}

/// What a form multiplies a number by, and whether it does so with numbers alone that are not negative.
fn scale(function: &Function, root: InstId, number: Value) -> Option<(f32, bool)> {
    let form = Form::of(function, root, number)?;
    // The number may be the opposite of what the form starts with.
    let by = f32::from_bits(form.run(1.0_f32.to_bits())?) / f32::from_bits(form.number(1.0_f32.to_bits())?);
    if !by.is_normal() || by < 0.0 || by.to_bits() & 0x7F_FFFF != 0 {
        return None;
    }
    let product = |number: u32| {
        let args = [u64::from(number), u64::from(by.to_bits())];
        evaluate(&Op::FMul(MODE, Multiply::Ieee), Type::B32, &args).map(|bits| bits as u32)
    };
    let is_nan = |bits: u32| f32::from_bits(bits).is_nan();
    let mut only_positive = false;
    for high in 0..1 << 9 {
        for fraction in FRACTIONS {
            let bits = high << 23 | fraction;
            let (number, got) = (form.number(bits)?, form.run(bits)?);
            let wanted = product(number)?;
            let is_least = |bits: u32| f32::from_bits(bits).abs() <= f32::MIN_POSITIVE;
            if got != wanted && !(is_nan(got) && is_nan(wanted) || is_least(got) && is_least(wanted)) {
                // Without the sign taken off, the compiler knew that there is none.
                if number >> 31 == 0 {
                    return None;
                }
                only_positive = true;
            }
        }
    }
    Some((by, only_positive))
}

/// Whether an operation may be a part of a form.
pub(super) fn is_part(op: &Op) -> bool {
    match *op {
        Op::FAdd(mode) | Op::FCompare(CompareFloat::Eq | CompareFloat::Ne, mode) => {
            FloatMode { flush: false, ..mode } == FloatMode::F32
        }
        // A sign that changes.
        Op::FMul(mode, Multiply::Ieee) => FloatMode { flush: false, ..mode } == FloatMode::F32,
        Op::FAbs(Width::F32) | Op::FNeg(Width::F32) | Op::Select | Op::BToI | Op::BitInsert => true,
        Op::Bool(_) | Op::B32(_) | Op::IAdd | Op::ISub | Op::INeg | Op::SMin | Op::SMax => true,
        Op::And | Op::Or | Op::Xor | Op::Not | Op::ShrS | Op::ShrU | Op::Shl | Op::ICompare(_) => true,
        op => op == Op::UBitExtract,
    }
}

/// Whether a value is zero, with a sign or without.
fn is_zero(function: &Function, value: Value) -> bool {
    match function.definition(value).map(|inst| (inst.op, &inst.args[..])) {
        Some((Op::FNeg(_), &[of])) => constant(function, of) == Some(0),
        _ => matches!(constant(function, value), Some(0 | 0x8000_0000)),
    }
}

/// The instructions between a number and what is made of it, in order.
pub(super) struct Form {
    /// What they start with: the number, or what it is but for its sign.
    start: Value,
    number: Value,
    root: Value,
    steps: Vec<Step>,
}

/// An operation, the type of its first operand, and its operands: 0 for what the form starts with, n for the result of step n - 1.
struct Step {
    op: Op,
    ty: Type,
    args: SmallVec<[u8; 4]>,
    result: Value,
}

impl Form {
    pub(super) fn of(function: &Function, root: InstId, number: Value) -> Option<Self> {
        let mut start = number;
        while let Some(inst) = function.definition(start) {
            start = match (inst.op, &inst.args[..]) {
                (Op::FNeg(Width::F32) | Op::FAbs(Width::F32), &[of]) => of,
                (Op::FAdd(_), &[zero, of] | &[of, zero]) if is_zero(function, zero) => of,
                (Op::FMul(..), &[one, of] | &[of, one]) if constant(function, one) == Some(MINUS_ONE) => of,
                _ => break,
            };
        }
        let root = *function.insts[root.index()].results.first()?;
        let mut form = Self { start, number, root, steps: Vec::new() };
        form.add(function, root, MOST)?;
        form.add(function, number, MOST)?;
        Some(form)
    }

    /// What a value is made of whose only operand that is not known is one truth.
    fn of_truth(function: &Function, root: Value) -> Option<Self> {
        let mut open = vec![root];
        let mut seen = Vec::new();
        let mut starts = Vec::new();
        while let Some(value) = open.pop() {
            if seen.contains(&value) || seen.len() > MOST {
                continue;
            }
            seen.push(value);
            let Some(inst) = function.definition(value).filter(|inst| is_part(&inst.op)) else { continue };
            // What chooses between two numbers that are known.
            if let (Op::Select, &[condition, yes, no]) = (inst.op, &inst.args[..])
                && constant(function, yes).is_some()
                && constant(function, no).is_some()
                && !starts.contains(&condition)
            {
                starts.push(condition);
            }
            open.extend(inst.args.iter().copied());
        }
        starts.into_iter().rev().find_map(|start| {
            let mut form = Self { start, number: start, root, steps: Vec::new() };
            form.add(function, root, MOST)?;
            form.steps.iter().any(|step| step.args.contains(&0)).then_some(form)
        })
    }

    /// Adds what a value is made of, operands first. Nothing where that is more than the number.
    fn add(&mut self, function: &Function, value: Value, depth: usize) -> Option<()> {
        if value == self.start || self.steps.iter().any(|step| step.result == value) {
            return Some(());
        }
        let inst = function.definition(value)?;
        if !is_part(&inst.op) || depth == 0 || self.steps.len() >= MOST {
            return None;
        }
        let mut args = SmallVec::new();
        for arg in &inst.args {
            self.add(function, *arg, depth - 1)?;
            args.push(self.place(*arg)? as u8);
        }
        // The operands are steps of their own.
        if self.steps.len() >= MOST {
            return None;
        }
        let ty = inst.args.first().map_or(Type::B32, |arg| function.ty(*arg));
        self.steps.push(Step { op: inst.op, ty, args, result: value });
        Some(())
    }

    /// Where a value stands among what is known: behind what the form starts with the results of its steps.
    fn place(&self, value: Value) -> Option<usize> {
        if value == self.start {
            return Some(0);
        }
        self.steps.iter().position(|step| step.result == value).map(|step| step + 1)
    }

    pub(super) fn run(&self, start: u32) -> Option<u32> {
        self.value(start, self.root)
    }

    /// What the number is where the form starts with these bits.
    pub(super) fn number(&self, start: u32) -> Option<u32> {
        self.value(start, self.number)
    }

    /// What a value is where the form starts with these bits.
    fn value(&self, start: u32, wanted: Value) -> Option<u32> {
        let place = self.place(wanted)?;
        let mut known = [0; MOST + 1];
        known[0] = u64::from(start);
        for (n, step) in self.steps.iter().enumerate().take(place) {
            let args: SmallVec<[u64; 4]> = step.args.iter().map(|arg| known[usize::from(*arg)]).collect();
            known[n + 1] = evaluate(&step.op, step.ty, &args)?;
        }
        Some(known[place] as u32)
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::program;
    use super::*;
    use crate::CompareInt;
    use crate::build::FunctionBuilder;

    /// `ldexp(x, n)` as Mesa spells it out, with the bound of the exponent that it has.
    fn spelled(builder: &mut FunctionBuilder, x: Value, n: i32, most: u32) -> Value {
        let [zero, at, count, by] = [0, 23, 8, n as u32].map(|bits| builder.bits(bits));
        let [most, rest, sign] = [most, 0x807F_FFFF, 0x8000_0000].map(|bits| builder.bits(bits));
        let positive = builder.value(Op::FAbs(Width::F32), &[x]);
        let positive = builder.value(Op::FAdd(MODE), &[zero, positive]);
        let old = builder.value(Op::ShrS, &[positive, at]);
        let new = builder.value(Op::IAdd, &[old, by]);
        let new = builder.value(Op::SMin, &[new, most]);
        let least = builder.value(Op::SMin, &[new, old]);
        let is_zero = builder.value(Op::ICompare(CompareInt::Sle), &[least, zero]);
        let new = builder.value(Op::Select, &[is_zero, zero, new]);
        let is_infinite = builder.value(Op::ICompare(CompareInt::Eq), &[new, most]);
        let is_bare = builder.value(Op::Or, &[is_infinite, is_zero]);
        let [sign, rest] = [sign, rest].map(|mask| builder.value(Op::And, &[x, mask]));
        let base = builder.value(Op::Select, &[is_bare, sign, rest]);
        let made = builder.value(Op::BitInsert, &[base, new, at, count]);
        let passes = builder.value(Op::ICompare(CompareInt::Sle), &[most, old]);
        builder.value(Op::Select, &[passes, x, made])
    }

    fn multiplied(n: i32, most: u32) -> (Module, Module) {
        let before = program(|builder, x| {
            let negative = builder.value(Op::FNeg(Width::F32), &[x[1]]);
            [x[0], negative].map(|x| spelled(builder, x, n, most)).to_vec()
        });
        let mut after = before.clone();
        run(&mut after);
        (before, after)
    }

    #[test]
    fn exponents_that_are_added_to_are_multiplications() {
        for n in [-3, 0, 2, 100, -126, 127] {
            let (before, after) = multiplied(n, 255);
            assert_eq!(after.to_string().matches("fmul").count(), 2, "{after}");
            let is_number = |bits: &u32| !f32::from_bits(*bits).is_nan();
            let mut dice = crate::random::Dice::new(7);
            for _ in 0..500 {
                let inputs: Vec<u32> = (0..6).map(|_| super::super::testing::word(&mut dice)).collect();
                let [a, b] = [&before, &after].map(|module| super::super::testing::outputs(module, &inputs));
                let is_least = |bits: &u32| f32::from_bits(*bits).abs() <= f32::MIN_POSITIVE;
                let same = |a: &u32, b: &u32| a == b || is_least(a) && is_least(b);
                let mut pairs = a.iter().zip(&b);
                assert!(pairs.all(|(a, b)| same(a, b) || !is_number(a) && !is_number(b)), "{inputs:x?}");
            }
        }
    }

    #[test]
    fn another_bound_or_scale_is_none() {
        for (n, most) in [(2, 254), (140, 255)] {
            let (before, after) = multiplied(n, most);
            assert_eq!(before, after);
        }
    }
}
