//! Functions of angles that source languages have and no machine does: arc sines and tangents, which compilers put
//! polynomials in place of, hyperbolic functions and their inverses, which they spell with powers and logarithms.
//!
//! A constant or an operation tells where one may be: the last coefficient of a polynomial, a power, a logarithm. What is
//! computed from there on is run on numbers; where it gives what a function gives for all of them, it is that function,
//! however its terms are put. The coefficients are facts of Mesa's compilers, which uam is one of.

use super::Changes;
use super::edit::constant;
use super::slice::{Choices, Slice};
use crate::cfg::Cfg;
use crate::exec::evaluate;
use crate::op::Effect;
use crate::{Compound, FloatMode, Function, InstId, Module, Op, Type, Value, ValueDef};
use smallvec::{SmallVec, smallvec};

const MODE: FloatMode = FloatMode::F32;

/// What must hold.
const ASSUMPTION: &str = "polynomials of the code stand for the functions that they are close to";

/// Most operations that a function is made of.
const STEPS: usize = 80;
/// Values in front of a mark of which a function may be one, and behind it which it may be.
const BEFORE: usize = 24;
const BEHIND: usize = 40;
/// Instructions behind a mark in which the rest of a function is looked for.
const WINDOW: usize = 300;
/// Marks of a function that are looked at, and ways to take what is behind and in front of them.
const MARKS: usize = 200;
const WAYS: usize = 40_000;

pub(super) fn run(module: &mut Module) -> Changes {
    if !module.from_shading_language {
        return Changes::default();
    }
    let count = module.functions.iter_mut().map(find_all).sum();
    Changes { count, ..Changes::default() }.assume(ASSUMPTION)
}

/// What an instruction may be a part of.
fn marked(function: &Function, id: InstId) -> &'static [Compound] {
    let inst = &function.insts[id.index()];
    let has = |number: f32| {
        inst.args.iter().any(|arg| {
            let bits = constant(function, *arg).filter(|_| function.ty(*arg) == Type::B32);
            bits.is_some_and(|bits| (f32::from_bits(bits as u32).abs() - number).abs() < number * 1e-6)
        })
    };
    match inst.op {
        Op::FMul(..) | Op::FFma(..) if has(0.012_132_322) => &[Compound::Atan],
        Op::FMul(..) | Op::FFma(..) if has(0.031_029_55) => &[Compound::Asin],
        Op::FMul(..) | Op::FFma(..) if has(0.023_633_18) => &[Compound::Acos],
        Op::Compound(Compound::Atan) => &[Compound::Atan2],
        Op::Compound(Compound::Exp) | Op::FExp2(MODE) => &[Compound::Sinh, Compound::Cosh, Compound::Tanh],
        Op::Compound(Compound::Log) | Op::FLog2(MODE) => &[Compound::Asinh, Compound::Acosh, Compound::Atanh],
        Op::FSin(MODE) => &[Compound::Tan],
        _ => &[],
    }
}

fn find_all(function: &mut Function) -> usize {
    let cfg = Cfg::new(function);
    let listed: Vec<InstId> =
        cfg.order.iter().flat_map(|block| function.blocks[block.index()].insts.iter().copied()).collect();
    if listed.iter().all(|id| marked(function, *id).is_empty()) {
        return 0;
    }
    let choices = Choices::new(function, &cfg);
    let (mut count, mut ways, mut marks) = (0, WAYS, MARKS);
    for at in 0..listed.len() {
        // What is found is looked at again, as a part of another.
        for _ in 0..2 {
            let possible = marked(function, listed[at]);
            if possible.is_empty() || marks == 0 {
                break;
            }
            marks -= 1;
            // What has no sign is not asked for it by its code; but what is asked for its sign goes first.
            let found = [false, true]
                .into_iter()
                .find_map(|amounts| find(function, &choices, (&listed, at), possible, amounts, &mut ways));
            let Some((root, compound, args)) = found else { break };
            let inst = &mut function.insts[root.index()];
            (inst.op, inst.args) = (Op::Compound(compound), args);
            count += 1;
            if root != listed[at] {
                break;
            }
        }
    }
    count
}

/// The first instruction behind a mark that is one of the functions.
fn find(
    function: &Function,
    choices: &Choices,
    (listed, at): (&[InstId], usize),
    possible: &[Compound],
    amounts: bool,
    ways: &mut usize,
) -> Option<(InstId, Compound, SmallVec<[Value; 3]>)> {
    let behind = behind(function, &listed[at..listed.len().min(at + WINDOW)]);
    let mut before = None;
    let mut slots = Vec::new();
    for root in behind {
        let inst = &function.insts[root.index()];
        let [result] = inst.results[..] else { continue };
        let ends = matches!(
            inst.op,
            Op::FAdd(MODE)
                | Op::FMul(MODE, _)
                | Op::FFma(MODE, _)
                | Op::FDiv(MODE)
                | Op::Mix
                | Op::Select
                | Op::Compound(Compound::Log)
        );
        if !ends || function.ty(result) != Type::B32 {
            continue;
        }
        // The angle of a point ends with the choice of its sign.
        let single = amounts || inst.op != Op::Select;
        for compound in possible.iter().filter(|compound| !single || compound.operands() == 1) {
            // Two operands may lie far in front of the mark, and are not looked for where it is.
            let before: &SmallVec<[Value; BEFORE]> = match compound.operands() {
                1 => before.get_or_insert_with(|| in_front(function, choices, listed[at])),
                _ => &in_front(function, choices, root),
            };
            for x in before {
                if compound.operands() == 1 {
                    *ways = ways.checked_sub(1)?;
                    if is(*compound, function, choices, result, (&[*x], amounts), &mut slots) {
                        return Some((root, *compound, smallvec![*x]));
                    }
                    continue;
                }
                for y in before.iter().filter(|y| *y != x) {
                    *ways = ways.checked_sub(1)?;
                    if is(*compound, function, choices, result, (&[*y, *x], amounts), &mut slots) {
                        return Some((root, *compound, smallvec![*y, *x]));
                    }
                }
            }
        }
    }
    None
}

/// Instructions that compute something from the first one's result, the first one included.
fn behind(function: &Function, listed: &[InstId]) -> Vec<InstId> {
    let mut found: Vec<InstId> = Vec::new();
    let mut reached: Vec<Value> = Vec::new();
    for id in listed {
        let inst = &function.insts[id.index()];
        let computes = inst.op.effect() == Effect::Pure && inst.results.len() == 1;
        if computes && (found.is_empty() || inst.args.iter().any(|arg| reached.contains(arg))) {
            found.push(*id);
            reached.push(inst.results[0]);
        }
        if found.len() >= BEHIND {
            break;
        }
    }
    found
}

/// Words that an instruction is computed from, the farthest first, since a bound that the code puts around an operand is a
/// part of the function; those that are the negative of another last.
fn in_front(function: &Function, choices: &Choices, of: InstId) -> SmallVec<[Value; BEFORE]> {
    let mut found: SmallVec<[Value; BEFORE]> = SmallVec::new();
    let mut work: SmallVec<[Value; BEFORE]> = function.insts[of.index()].args.iter().copied().collect();
    let mut at = 0;
    while let Some(value) = work.get(at).copied() {
        at += 1;
        if constant(function, value).is_some() || found.contains(&value) {
            continue;
        }
        if function.ty(value) == Type::B32 {
            found.push(value);
        }
        if at > 2 * BEFORE || found.len() >= BEFORE {
            break;
        }
        match function.values.get(value.index()).map(|data| data.def) {
            Some(ValueDef::Result(id, _)) if function.insts[id.index()].op.effect() == Effect::Pure => {
                work.extend(function.insts[id.index()].args.iter().copied());
            }
            _ => {
                if let Some((condition, a, b)) = choices.get(value) {
                    work.extend([condition, a, b]);
                }
            }
        }
    }
    let negative =
        |value: &Value| matches!(function.definition(*value), Some(inst) if matches!(inst.op, Op::FNeg(_)));
    found.reverse();
    found.sort_by_key(negative);
    found
}

/// Whether a value is a function of others.
fn is(
    compound: Compound,
    function: &Function,
    choices: &Choices,
    value: Value,
    (operands, amounts): (&[Value], bool),
    slots: &mut Vec<u64>,
) -> bool {
    let Some(slice) = Slice::with_choices(function, choices, value, operands, STEPS) else { return false };
    let op = Op::Compound(compound);
    let mut fits = |sample: [f32; 2]| {
        let words = sample.map(|number| u64::from(number.to_bits()));
        let words = &words[..operands.len()];
        let number = |bits: Option<u64>| bits.map(|bits| f32::from_bits(bits as u32));
        match (number(slice.run(words, slots)), number(evaluate(&op, Type::B32, words))) {
            (Some(got), Some(expected)) => {
                (got - expected).abs() <= 2e-6 * expected.abs().max(1.0) && got.is_finite()
            }
            _ => false,
        }
    };
    let amount = amounts && operands.len() == 1 && is_amount(function, operands[0], 4);
    samples(compound).filter(|sample| !amount || sample[0] >= 0.0).all(&mut fits)
}

/// A proof that a float has no sign, some definitions back.
fn is_amount(function: &Function, value: Value, depth: u32) -> bool {
    let (Some(inst), Some(depth)) = (function.definition(value), depth.checked_sub(1)) else { return false };
    let of = |at: usize| inst.args.get(at).is_some_and(|arg| is_amount(function, *arg, depth));
    match inst.op {
        Op::B32(bits) => bits >> 31 == 0,
        Op::FAbs(_) | Op::UToF(_) | Op::FExp2(_) | Op::FSaturate(_) | Op::FSqrt(_) | Op::Length(_) => true,
        Op::FMul(..) => inst.args.first() == inst.args.get(1) || of(0) && of(1),
        Op::FAdd(_) | Op::FMin(..) | Op::FDiv(_) => of(0) && of(1),
        Op::FMax(..) => of(0) || of(1),
        Op::Select => of(1) && of(2),
        _ => false,
    }
}

/// Numbers on which a function is told from all others.
fn samples(compound: Compound) -> impl Iterator<Item = [f32; 2]> {
    // Where it is looked at, and up to which number.
    let (from, to) = match compound {
        Compound::Asin | Compound::Acos => (-1.0, 1.0),
        Compound::Atan => (-40.0, 40.0),
        Compound::Atan2 => (-5.0, 5.0),
        Compound::Acosh => (1.0, 30.0),
        Compound::Atanh => (-0.9, 0.9),
        Compound::Tan => (-1.25, 1.25),
        Compound::Tanh => (-6.0, 6.0),
        _ => (-4.0, 4.0),
    };
    const COUNT: u32 = 48;
    let middle: f32 = (from + to) * 0.5;
    (0..=COUNT).map(move |n| {
        let part = n as f32 / COUNT as f32;
        // The second operand goes up and down while the first one goes up; small ones stand close.
        let other = ((n * 29 % 61) as f32 / 30.5 - 1.0) * to;
        let x = middle + (part * 2.0 - 1.0).powi(3) * (to - middle);
        [x, other]
    })
}

#[cfg(test)]
mod tests {
    use super::super::testing::program;
    use super::*;
    use crate::build::FunctionBuilder;
    use crate::{CompareFloat, MinMax, Multiply, Width};

    const MUL: Op = Op::FMul(MODE, Multiply::Ieee);
    const ADD: Op = Op::FAdd(MODE);

    fn text(write: impl FnOnce(&mut FunctionBuilder, &[Value]) -> Value) -> String {
        let mut module = program(|builder, x| vec![write(builder, x)]);
        module.from_shading_language = true;
        run(&mut module);
        super::super::run(&mut module, &[super::super::DEAD], None);
        module.to_string()
    }

    fn times(builder: &mut FunctionBuilder, a: Value, by: f32) -> Value {
        let by = builder.float(by);
        builder.value(MUL, &[a, by])
    }

    fn plus(builder: &mut FunctionBuilder, a: Value, number: f32) -> Value {
        let number = builder.float(number);
        builder.value(ADD, &[a, number])
    }

    fn minus(builder: &mut FunctionBuilder, a: Value, b: Value) -> Value {
        let negative = builder.value(Op::FNeg(Width::F32), &[b]);
        builder.value(ADD, &[a, negative])
    }

    /// `pi/2 - sqrt(1 - |x|) * polynomial`, with the sign of `x`.
    fn arc(builder: &mut FunctionBuilder, x: Value, third: f32, fourth: f32) -> Value {
        let size = builder.value(Op::FAbs(Width::F32), &[x]);
        let mut sum = times(builder, size, fourth);
        for coefficient in [third, -0.214_601_84, 1.570_796_4] {
            sum = plus(builder, sum, coefficient);
            if coefficient < 1.0 {
                sum = builder.value(MUL, &[sum, size]);
            }
        }
        let one = builder.float(1.0);
        let rest = minus(builder, one, size);
        let root = builder.value(Op::FSqrt(MODE), &[rest]);
        let product = builder.value(MUL, &[root, sum]);
        let quarter = builder.float(1.570_796_4);
        let angle = minus(builder, quarter, product);
        let sign = builder.value(Op::Compound(Compound::Sign), &[x]);
        builder.value(MUL, &[angle, sign])
    }

    fn atan(builder: &mut FunctionBuilder, x: Value) -> Value {
        let one = builder.float(1.0);
        let size = builder.value(Op::FAbs(Width::F32), &[x]);
        let least = builder.value(Op::FMin(MODE, MinMax::Number), &[size, one]);
        let most = builder.value(Op::FMax(MODE, MinMax::Number), &[size, one]);
        let ratio = builder.value(Op::FDiv(MODE), &[least, most]);
        let square = builder.value(MUL, &[ratio, ratio]);
        let mut sum = times(builder, square, -0.012_132_321_5);
        for coefficient in [0.053_681_377, -0.117_350_32, 0.193_892_5, -0.332_675_64] {
            sum = plus(builder, sum, coefficient);
            sum = builder.value(MUL, &[sum, square]);
        }
        sum = plus(builder, sum, 0.999_979_3);
        sum = builder.value(MUL, &[sum, ratio]);
        let twice = times(builder, sum, -2.0);
        let other = plus(builder, twice, 1.570_796_4);
        let above = builder.value(Op::FCompare(CompareFloat::Gt, MODE), &[size, one]);
        let zero = builder.float(0.0);
        let more = builder.value(Op::Select, &[above, other, zero]);
        let angle = builder.value(ADD, &[more, sum]);
        let sign = builder.value(Op::Compound(Compound::Sign), &[x]);
        builder.value(MUL, &[angle, sign])
    }

    #[test]
    fn arcs_by_polynomials() {
        let asin = text(|builder, x| arc(builder, x[0], 0.086_566_724, -0.031_029_55));
        assert!(asin.contains(" = asin ") && !asin.contains("fsqrt"), "{asin}");
        let acos = text(|builder, x| {
            let angle = arc(builder, x[0], 0.081_324_63, -0.023_633_18);
            let quarter = builder.float(1.570_796_4);
            minus(builder, quarter, angle)
        });
        assert!(acos.contains(" = acos ") && !acos.contains("fsqrt"), "{acos}");
        let tangent = text(|builder, x| atan(builder, x[0]));
        assert!(tangent.contains(" = atan ") && !tangent.contains("fdiv"), "{tangent}");
    }

    #[test]
    fn the_angle_of_a_point() {
        let angle = text(|builder, x| {
            let (y, x) = (x[0], x[1]);
            let [zero, one, quarter, large, part] =
                [0.0, 1.0, 1.570_796_4, 1e18, 0.25].map(|number| builder.float(number));
            let size = builder.value(Op::FAbs(Width::F32), &[x]);
            let turned = builder.value(Op::FCompare(CompareFloat::Le, MODE), &[x, zero]);
            let up = builder.value(Op::Select, &[turned, size, y]);
            let along = builder.value(Op::Select, &[turned, y, size]);
            let far = builder.value(Op::FAbs(Width::F32), &[along]);
            let is_far = builder.value(Op::FCompare(CompareFloat::Ge, MODE), &[far, large]);
            let scale = builder.value(Op::Select, &[is_far, part, one]);
            let scaled = builder.value(MUL, &[along, scale]);
            let reciprocal = builder.value(Op::FRcp(MODE), &[scaled]);
            let up = builder.value(MUL, &[up, scale]);
            let ratio = builder.value(Op::FDiv(MODE), &[up, scaled]);
            let ratio = builder.value(Op::FAbs(Width::F32), &[ratio]);
            let other = builder.value(Op::FAbs(Width::F32), &[y]);
            let same = builder.value(Op::FCompare(CompareFloat::Eq, MODE), &[size, other]);
            let ratio = builder.value(Op::Select, &[same, one, ratio]);
            let angle = atan(builder, ratio);
            let start = builder.value(Op::Select, &[turned, quarter, zero]);
            let sum = builder.value(ADD, &[start, angle]);
            let least = builder.value(Op::FMin(MODE, MinMax::Number), &[y, reciprocal]);
            let below = builder.value(Op::FCompare(CompareFloat::Lt, MODE), &[least, zero]);
            let opposite = builder.value(Op::FNeg(Width::F32), &[sum]);
            builder.value(Op::Select, &[below, opposite, sum])
        });
        assert!(angle.contains(" = atan2 ") && !angle.contains("select"), "{angle}");
    }

    #[test]
    fn what_has_no_sign_is_not_asked_for_it() {
        let without = |builder: &mut FunctionBuilder, x: Value, size: Value| {
            let angle = arc(builder, size, 0.086_566_724, -0.031_029_55);
            let _ = x;
            angle
        };
        let asin = text(|builder, x| {
            let size = builder.value(Op::FAbs(Width::F32), &[x[0]]);
            without(builder, x[0], size)
        });
        assert!(asin.contains(" = asin ") && asin.contains("fabs"), "{asin}");
    }

    #[test]
    fn functions_of_powers() {
        let exp = |builder: &mut FunctionBuilder, x: Value| builder.value(Op::Compound(Compound::Exp), &[x]);
        let both = |builder: &mut FunctionBuilder, x: Value| {
            let opposite = builder.value(Op::FNeg(Width::F32), &[x]);
            [exp(builder, x), exp(builder, opposite)]
        };
        let sinh = text(|builder, x| {
            let [up, down] = both(builder, x[0]);
            let difference = minus(builder, up, down);
            times(builder, difference, 0.5)
        });
        assert!(sinh.contains(" = sinh "), "{sinh}");
        let cosh = text(|builder, x| {
            let [up, down] = both(builder, x[0]);
            let sum = builder.value(ADD, &[down, up]);
            times(builder, sum, 0.5)
        });
        assert!(cosh.contains(" = cosh "), "{cosh}");
        let tanh = text(|builder, x| {
            let scaled = times(builder, x[0], 2.885_39);
            let power = builder.value(Op::FExp2(MODE), &[scaled]);
            let (above, below) = (plus(builder, power, -1.0), plus(builder, power, 1.0));
            builder.value(Op::FDiv(MODE), &[above, below])
        });
        assert!(tanh.contains(" = tanh "), "{tanh}");
        let atanh = text(|builder, x| {
            let one = builder.float(1.0);
            let (above, below) = (plus(builder, x[0], 1.0), minus(builder, one, x[0]));
            let ratio = builder.value(Op::FDiv(MODE), &[above, below]);
            let log = builder.value(Op::FLog2(MODE), &[ratio]);
            times(builder, log, 0.346_573_6)
        });
        assert!(atanh.contains(" = atanh "), "{atanh}");
    }

    #[test]
    fn what_is_near_a_function_stays() {
        // Another coefficient; the sum of powers without its half; the arc sine's polynomial of another quarter.
        let other = text(|builder, x| arc(builder, x[0], 0.086_567, -0.031_129_55));
        assert!(!other.contains("asin"), "{other}");
        let other = text(|builder, x| arc(builder, x[0], 0.087_566_724, -0.031_029_55));
        assert!(!other.contains("asin"), "{other}");
        let other = text(|builder, x| {
            let up = builder.value(Op::Compound(Compound::Exp), &[x[0]]);
            let down = builder.value(Op::Compound(Compound::Exp), &[x[1]]);
            let sum = builder.value(ADD, &[up, down]);
            times(builder, sum, 0.5)
        });
        assert!(!other.contains("cosh"), "{other}");
    }
}
