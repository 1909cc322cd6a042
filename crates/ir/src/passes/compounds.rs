//! Functions that source languages have and no machine does: `exp`, `log`, `mod`, `sign`, `step`, `smoothstep`.
//!
//! Constants of the code tell the operands: that 1 / 0.8 stands in it makes 0.9 of the edge above 0.1.

use super::Changes;
use super::edit::constant;
use crate::{
    CompareFloat, Compound, FloatMode, Function, Inst, InstId, Module, Multiply, Op, Origin, Round, Type,
    Value, Width,
};
use smallvec::{SmallVec, smallvec};
use std::f32::consts::{LN_2, LOG2_E};

const MODE: FloatMode = FloatMode::F32;
const MUL: Op = Op::FMul(MODE, Multiply::Ieee);
const ADD: Op = Op::FAdd(MODE);

/// What must hold for those that a constant tells.
const CONSTANTS: &str = "constants in the code are what shorter numbers of the source were rounded to";
/// What must hold for the rest.
const NUMBERS: &str = "no operand of mod, sign or step is NaN or infinite";

/// How far a constant may be from what it stands for, relatively.
const TOLERANCE: f32 = 4e-7;

pub(super) fn run(module: &mut Module) -> Changes {
    let (mut told, mut others) = (0, 0);
    for function in &mut module.functions {
        let (some, more) = find_all(function);
        told += some;
        others += more;
    }
    let mut changes = Changes::from(told + others);
    changes.assumptions.extend((told > 0).then_some(CONSTANTS));
    changes.assumptions.extend((others > 0).then_some(NUMBERS));
    changes
}

/// An operand: a value, or a number to be made.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Operand {
    Value(Value),
    Negative(Value),
    Number(f32),
}

type Found = Option<(Compound, SmallVec<[Operand; 3]>)>;

fn find_all(function: &mut Function) -> (usize, usize) {
    let (mut told, mut others) = (0, 0);
    for block in 0..function.blocks.len() {
        let mut list: Vec<InstId> = Vec::with_capacity(function.blocks[block].insts.len());
        for id in std::mem::take(&mut function.blocks[block].insts) {
            if let Some((compound, operands)) = find(function, &function.insts[id.index()]) {
                let is_told = matches!(compound, Compound::Exp | Compound::Log)
                    || operands.iter().any(|operand| matches!(operand, Operand::Number(_)));
                if is_told {
                    told += 1;
                } else {
                    others += 1;
                }
                let args: SmallVec<[Value; 3]> = operands
                    .into_iter()
                    .map(|operand| match operand {
                        Operand::Value(value) => value,
                        Operand::Negative(value) => {
                            let origin = function.insts[id.index()].origin;
                            let negate = Op::FNeg(Width::F32);
                            let made = function.push_inst(negate, &[value], &[Type::B32], origin);
                            list.push(made);
                            function.result(made, 0)
                        }
                        Operand::Number(number) => {
                            let nowhere = Origin { instruction: u32::MAX, step: 0, lane: 0 };
                            let made =
                                function.push_inst(Op::B32(number.to_bits()), &[], &[Type::B32], nowhere);
                            list.push(made);
                            function.result(made, 0)
                        }
                    })
                    .collect();
                let inst = &mut function.insts[id.index()];
                (inst.op, inst.args) = (Op::Compound(compound), args);
            }
            list.push(id);
        }
        function.blocks[block].insts = list;
    }
    (told, others)
}

fn find(function: &Function, inst: &Inst) -> Found {
    let finder = Finder { function };
    match (inst.op, &inst.args[..]) {
        (Op::FExp2(MODE), &[a]) => {
            let (x, factor) = finder.by_number(a)?;
            let operand = if factor < 0.0 { Operand::Negative(x) } else { Operand::Value(x) };
            is_near(factor.abs(), LOG2_E).then(|| (Compound::Exp, smallvec![operand]))
        }
        (MUL, &[a, b]) => finder.logarithm(a, b).or_else(|| finder.smoothstep(a, b)),
        (ADD, &[a, b]) => finder
            .modulo(a, b)
            .or_else(|| finder.modulo(b, a))
            .or_else(|| finder.sign(a, b))
            .or_else(|| finder.sign(b, a)),
        (Op::Select, &[condition, yes, no]) => finder.step(condition, yes, no),
        _ => None,
    }
}

struct Finder<'a> {
    function: &'a Function,
}

impl Finder<'_> {
    fn args(&self, value: Value, op: Op) -> Option<&[Value]> {
        let inst = self.function.definition(value)?;
        (inst.op == op).then_some(&inst.args[..])
    }

    fn pair(&self, value: Value, op: Op) -> Option<(Value, Value)> {
        match self.args(value, op)? {
            [a, b] => Some((*a, *b)),
            _ => None,
        }
    }

    fn number(&self, value: Value) -> Option<f32> {
        match self.function.ty(value) {
            Type::B32 => constant(self.function, value).map(|bits| f32::from_bits(bits as u32)),
            _ => None,
        }
    }

    /// A value times a number, where it is one.
    fn by_number(&self, value: Value) -> Option<(Value, f32)> {
        let (a, b) = self.pair(value, MUL)?;
        match (self.number(a), self.number(b)) {
            (None, Some(by)) => Some((a, by)),
            (Some(by), None) => Some((b, by)),
            _ => None,
        }
    }

    /// `log2(x) * ln(2)`.
    fn logarithm(&self, a: Value, b: Value) -> Found {
        [(a, b), (b, a)].into_iter().find_map(|(power, by)| {
            let x = *self.args(power, Op::FLog2(MODE))?.first()?;
            is_near(self.number(by)?, LN_2).then(|| (Compound::Log, smallvec![Operand::Value(x)]))
        })
    }

    /// What is taken away: the operand of a negation, or a product with a negative number as one with a positive.
    fn negative(&self, value: Value) -> Option<(Value, Option<f32>)> {
        if let Some([inner]) = self.args(value, Op::FNeg(Width::F32)) {
            return Some(match self.by_number(*inner) {
                Some((x, by)) => (x, Some(by)),
                None => (*inner, None),
            });
        }
        let (x, by) = self.by_number(value)?;
        (by < 0.0).then_some((x, Some(-by)))
    }

    /// `x - floor(x * (1 / y)) * y`, `x - y * floor(x / y)`.
    fn modulo(&self, x: Value, rest: Value) -> Found {
        let floor = Op::FRound(MODE, Round::Down);
        let (taken, by) = self.negative(rest)?;
        let args = |by| Some((Compound::Modulo, smallvec![Operand::Value(x), by]));
        if let Some(by) = by {
            let ratio = *self.args(taken, floor)?.first()?;
            let (dividend, factor) = self.by_number(ratio)?;
            // Compilers divide by multiplying with the reciprocal, as it is rounded.
            let fits = dividend == x && factor > 0.0 && (factor * by - 1.0).abs() <= TOLERANCE;
            return if fits { args(Operand::Number(by)) } else { None };
        }
        let (a, b) = self.pair(taken, MUL)?;
        [(a, b), (b, a)].into_iter().find_map(|(whole, by)| {
            let ratio = *self.args(whole, floor)?.first()?;
            let divided = self.pair(ratio, Op::FDiv(MODE)) == Some((x, by));
            let multiplied = self.pair(ratio, MUL).is_some_and(|(a, b)| {
                let is_reciprocal = |value| self.args(value, Op::FRcp(MODE)) == Some(&[by]);
                a == x && is_reciprocal(b) || b == x && is_reciprocal(a)
            });
            if divided || multiplied { args(Operand::Value(by)) } else { None }
        })
    }

    /// A choice between numbers by a comparison with zero: what is compared, whether greater (less), the numbers.
    fn by_sign(&self, value: Value) -> Option<(Value, bool, f32, f32)> {
        let [condition, yes, no] = self.args(value, Op::Select)? else { return None };
        let inst = self.function.definition(*condition)?;
        let (Op::FCompare(by, MODE), &[a, b]) = (inst.op, &inst.args[..]) else { return None };
        let is_zero = |value| self.number(value) == Some(0.0);
        let (x, greater) = match by {
            CompareFloat::Gt if is_zero(b) => (a, true),
            CompareFloat::Lt if is_zero(b) => (a, false),
            CompareFloat::Lt if is_zero(a) => (b, true),
            CompareFloat::Gt if is_zero(a) => (b, false),
            _ => return None,
        };
        Some((x, greater, self.number(*yes)?, self.number(*no)?))
    }

    /// `(x > 0 ? 1 : 0) + (x < 0 ? -1 : 0)`.
    fn sign(&self, above: Value, below: Value) -> Found {
        let (x, greater, one, zero) = self.by_sign(above)?;
        let (y, also, minus, nothing) = match self.args(below, Op::FNeg(Width::F32)) {
            Some([inner]) => {
                let (y, also, one, zero) = self.by_sign(*inner)?;
                (y, also, -one, -zero)
            }
            _ => self.by_sign(below)?,
        };
        let fits = x == y && greater && !also && (one, zero, minus, nothing) == (1.0, 0.0, -1.0, 0.0);
        fits.then(|| (Compound::Sign, smallvec![Operand::Value(x)]))
    }

    /// `x >= edge ? 1 : 0`.
    fn step(&self, condition: Value, yes: Value, no: Value) -> Found {
        let inst = self.function.definition(condition)?;
        let (Op::FCompare(by, MODE), &[a, b]) = (inst.op, &inst.args[..]) else { return None };
        let (one, zero) = (self.number(yes)?, self.number(no)?);
        let (x, edge) = match (by, one == 1.0 && zero == 0.0, one == 0.0 && zero == 1.0) {
            (CompareFloat::Ge, true, _) | (CompareFloat::Lt, _, true) => (a, b),
            (CompareFloat::Le, true, _) | (CompareFloat::Gt, _, true) => (b, a),
            _ => return None,
        };
        Some((Compound::Step, smallvec![Operand::Value(edge), Operand::Value(x)]))
    }

    /// `t * t * (3 - 2 * t)`.
    fn smoothstep(&self, a: Value, b: Value) -> Found {
        let mut factors: SmallVec<[Value; 4]> = SmallVec::new();
        for value in [a, b] {
            match self.pair(value, MUL) {
                Some((p, q)) if factors.len() <= 2 && self.polynomial(value).is_none() => {
                    factors.extend([p, q])
                }
                _ => factors.push(value),
            }
        }
        let &[p, q, r] = &factors[..] else { return None };
        [(p, q, r), (p, r, q), (q, r, p)].into_iter().find_map(|(t, same, rest)| {
            (t == same && self.polynomial(rest) == Some(t)).then(|| self.ramp(t))?
        })
    }

    /// What `t` is in `3 - 2 * t`.
    fn polynomial(&self, value: Value) -> Option<Value> {
        let (a, b) = self.pair(value, ADD)?;
        [(a, b), (b, a)].into_iter().find_map(|(three, rest)| {
            if self.number(three) != Some(3.0) {
                return None;
            }
            match self.negative(rest)? {
                (t, Some(2.0)) => Some(t),
                (sum, None) => self.pair(sum, ADD).filter(|(t, same)| t == same).map(|(t, _)| t),
                _ => None,
            }
        })
    }

    /// The edges of `clamp((x - low) / (high - low), 0, 1)`.
    fn ramp(&self, t: Value) -> Found {
        let inst = self.function.definition(t)?;
        let inside = match (inst.op, &inst.args[..]) {
            (Op::FSaturate(MODE), &[inside]) => inside,
            (Op::Clamp, &[inside, low, high])
                if self.number(low) == Some(0.0) && self.number(high) == Some(1.0) =>
            {
                inside
            }
            _ => return None,
        };
        let difference = |value: Value| {
            let (a, b) = self.pair(value, ADD)?;
            let minus = |value: Value| match self.number(value) {
                Some(number) => Some(Operand::Number(-number)),
                None => self.args(value, Op::FNeg(Width::F32)).map(|args| Operand::Value(args[0])),
            };
            [(a, b), (b, a)].into_iter().find_map(|(x, low)| Some((x, minus(low)?)))
        };
        let done = |low: Operand, high: Operand, x: Value| {
            Some((Compound::Smoothstep, smallvec![low, high, Operand::Value(x)]))
        };
        if let Some((above, width)) = self.pair(inside, Op::FDiv(MODE))
            && let (Some((x, low)), Some((high, same))) = (difference(above), difference(width))
            && low == same
        {
            return done(low, Operand::Value(high), x);
        }
        if let Some((above, factor)) = self.by_number(inside) {
            let (x, low) = match difference(above) {
                Some((x, Operand::Number(low))) => (x, low),
                _ => (above, 0.0),
            };
            if let Some(high) = short(low, factor) {
                return done(Operand::Number(low), Operand::Number(high), x);
            }
        }
        // Whatever it is, from 0 to 1.
        done(Operand::Number(0.0), Operand::Number(1.0), inside)
    }
}

fn is_near(number: f32, to: f32) -> bool {
    number.is_finite() && (number - to).abs() <= TOLERANCE * to.abs()
}

/// The shortest decimal so far above another number that the reciprocal of the distance is the factor.
fn short(from: f32, factor: f32) -> Option<f32> {
    let exact = f64::from(from) + 1.0 / f64::from(factor);
    let mut scale = 1.0;
    for _ in 0..7 {
        let number = ((exact * scale).round() / scale) as f32;
        if number > from && is_near(1.0 / (number - from), factor) {
            return Some(number);
        }
        scale *= 10.0;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::super::testing::{assert_near, program};
    use super::*;
    use crate::build::FunctionBuilder;

    fn check(write: impl Fn(&mut FunctionBuilder, &[Value]) -> Value, expected: &str) {
        let before = program(|builder, x| vec![write(builder, x)]);
        let mut after = before.clone();
        run(&mut after);
        super::super::run(&mut after, &[super::super::VALUES, super::super::DEAD], None);
        let text = after.to_string();
        assert!(text.contains(expected), "no {expected} in\n{text}");
        assert_near(&before, &after, 11);
    }

    fn minus(builder: &mut FunctionBuilder, a: Value, b: Value) -> Value {
        let negative = builder.value(Op::FNeg(Width::F32), &[b]);
        builder.value(ADD, &[a, negative])
    }

    #[test]
    fn powers_of_e() {
        let exp = |builder: &mut FunctionBuilder, x: &[Value]| {
            let factor = builder.float(LOG2_E);
            let scaled = builder.value(MUL, &[factor, x[0]]);
            builder.value(Op::FExp2(MODE), &[scaled])
        };
        check(exp, " = exp ");
        let log = |builder: &mut FunctionBuilder, x: &[Value]| {
            let factor = builder.float(LN_2);
            let power = builder.value(Op::FLog2(MODE), &[x[0]]);
            builder.value(MUL, &[power, factor])
        };
        check(log, " = log ");
    }

    #[test]
    fn remainders_of_numbers() {
        let constant = |builder: &mut FunctionBuilder, x: &[Value]| {
            let (by, reciprocal) = (builder.float(4.0), builder.float(0.25));
            let ratio = builder.value(MUL, &[x[0], reciprocal]);
            let whole = builder.value(Op::FRound(MODE, Round::Down), &[ratio]);
            let multiple = builder.value(MUL, &[whole, by]);
            minus(builder, x[0], multiple)
        };
        check(constant, " = mod ");
        let rounded = |builder: &mut FunctionBuilder, x: &[Value]| {
            let (by, reciprocal) = (builder.float(0.3), builder.float(1.0 / 0.3));
            let ratio = builder.value(MUL, &[x[0], reciprocal]);
            let whole = builder.value(Op::FRound(MODE, Round::Down), &[ratio]);
            let multiple = builder.value(MUL, &[whole, by]);
            minus(builder, x[0], multiple)
        };
        check(rounded, " = mod ");
        let divided = |builder: &mut FunctionBuilder, x: &[Value]| {
            let ratio = builder.value(Op::FDiv(MODE), &[x[0], x[1]]);
            let whole = builder.value(Op::FRound(MODE, Round::Down), &[ratio]);
            let multiple = builder.value(MUL, &[x[1], whole]);
            minus(builder, x[0], multiple)
        };
        check(divided, " = mod ");
    }

    #[test]
    fn signs_and_steps() {
        let sign = |builder: &mut FunctionBuilder, x: &[Value]| {
            let [zero, one, below, nothing] = [0.0, 1.0, -1.0, -0.0].map(|number| builder.float(number));
            let above = builder.value(Op::FCompare(CompareFloat::Gt, MODE), &[x[0], zero]);
            let under = builder.value(Op::FCompare(CompareFloat::Lt, MODE), &[x[0], zero]);
            let above = builder.value(Op::Select, &[above, one, zero]);
            let under = builder.value(Op::Select, &[under, below, nothing]);
            builder.value(ADD, &[above, under])
        };
        check(sign, " = sign ");
        let step = |builder: &mut FunctionBuilder, x: &[Value]| {
            let [zero, one] = [0.0, 1.0].map(|number| builder.float(number));
            let reached = builder.value(Op::FCompare(CompareFloat::Ge, MODE), &[x[0], x[1]]);
            builder.value(Op::Select, &[reached, one, zero])
        };
        check(step, " = step ");
    }

    #[test]
    fn smooth_steps() {
        let smooth = |builder: &mut FunctionBuilder, x: &[Value]| {
            let [low, factor, three] = [-0.1, 1.25, 3.0].map(|number| builder.float(number));
            let above = builder.value(ADD, &[x[0], low]);
            let ratio = builder.value(MUL, &[above, factor]);
            let t = builder.value(Op::FSaturate(MODE), &[ratio]);
            let twice = builder.value(ADD, &[t, t]);
            let rest = minus(builder, three, twice);
            let scaled = builder.value(MUL, &[t, rest]);
            builder.value(MUL, &[scaled, t])
        };
        check(smooth, " = smoothstep ");
        assert_eq!(short(0.1, 1.250_000_1), Some(0.9));
        let edges = |builder: &mut FunctionBuilder, x: &[Value]| {
            let [two, three] = [2.0, 3.0].map(|number| builder.float(number));
            let (above, width) = (minus(builder, x[0], x[1]), minus(builder, x[2], x[1]));
            let ratio = builder.value(Op::FDiv(MODE), &[above, width]);
            let t = builder.value(Op::FSaturate(MODE), &[ratio]);
            let twice = builder.value(MUL, &[t, two]);
            let rest = minus(builder, three, twice);
            let square = builder.value(MUL, &[t, t]);
            builder.value(MUL, &[square, rest])
        };
        check(edges, " = smoothstep ");
        // From 0 to 1, of anything; from 0 to another number.
        let bare = |builder: &mut FunctionBuilder, x: &[Value]| {
            let [two, three] = [2.0, 3.0].map(|number| builder.float(number));
            let t = builder.value(Op::FSaturate(MODE), &[x[0]]);
            let twice = builder.value(MUL, &[t, two]);
            let rest = minus(builder, three, twice);
            let scaled = builder.value(MUL, &[t, rest]);
            builder.value(MUL, &[t, scaled])
        };
        check(bare, " = smoothstep ");
        let from_zero = |builder: &mut FunctionBuilder, x: &[Value]| {
            let four = builder.float(4.0);
            let scaled = builder.value(MUL, &[x[0], four]);
            bare(builder, &[scaled])
        };
        check(from_zero, " = smoothstep ");
    }
}
