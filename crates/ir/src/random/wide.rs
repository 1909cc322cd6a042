//! Doubles, integers of 64 bits, and floats of 16 bits that flush denormals.

use super::{DOUBLES, Dice, FIRST_DOUBLE, Kinds};
use crate::build::FunctionBuilder;
use crate::{CompareFloat, CompareInt, FloatMode, MinMax, Multiply, Op, Round, Type, Value, VarId, Width};

/// A double, special ones often.
pub(super) fn double(dice: &mut Dice) -> f64 {
    const SPECIAL: [f64; 12] = [
        0.0,
        -0.0,
        1.0,
        -2.5,
        f64::INFINITY,
        f64::NEG_INFINITY,
        f64::MAX,
        f64::MIN_POSITIVE,
        1e-310,
        4_294_967_296.0,
        -9_223_372_036_854_775_808.0,
        6.1e-5,
    ];
    match dice.below(3) {
        0 => dice.pick(&SPECIAL),
        1 => f64::from(dice.float()),
        _ => f64::from_bits(dice.next()),
    }
}

fn variable(dice: &mut Dice) -> VarId {
    VarId((FIRST_DOUBLE + dice.below(DOUBLES)) as u32)
}

fn mode(dice: &mut Dice, width: Width) -> FloatMode {
    FloatMode { width, flush: dice.one_in(6), round: Round::Nearest }
}

/// Something with doubles.
pub(super) fn wide(dice: &mut Dice, builder: &mut FunctionBuilder, kinds: &mut Kinds) {
    let rounds = [Round::Nearest, Round::Zero, Round::Down, Round::Up];
    let rule = dice.pick(&[Multiply::Ieee, Multiply::Ieee, Multiply::InfTimesZero, Multiply::ZeroWins]);
    let choice = dice.pick(&[MinMax::SecondUnlessOrdered, MinMax::Number]);
    let (d, e) = (dice.pick(&kinds.doubles), dice.pick(&kinds.doubles));
    let (a, i, p) = (kinds.float(dice), kinds.integer(dice), kinds.flag(dice));
    let own = mode(dice, Width::F64);
    match dice.below(20) {
        0 | 1 => kinds.doubles.push(builder.read(variable(dice), Type::B64)),
        2 | 3 => builder.write(variable(dice), d),
        4 => {
            let bits = double(dice).to_bits();
            kinds.doubles.push(builder.value(Op::B64(bits), &[]));
        }
        5 => kinds.doubles.push(builder.value(Op::FConvert(Width::F32, own), &[a])),
        6 => {
            let single = mode(dice, Width::F32);
            kinds.floats.push(builder.value(Op::FConvert(Width::F64, single), &[d]));
        }
        7 => {
            let half = mode(dice, Width::F16);
            let narrow = builder.value(Op::FConvert(Width::F64, half), &[d]);
            kinds.doubles.push(builder.value(Op::FConvert(Width::F16, own), &[narrow]));
        }
        8 | 9 => {
            let op = dice.pick(&[Op::FAdd(own), Op::FMul(own, rule), Op::FDiv(own)]);
            kinds.doubles.push(builder.value(op, &[d, e]));
        }
        10 => {
            let f = dice.pick(&kinds.doubles);
            kinds.doubles.push(builder.value(Op::FFma(own, rule), &[d, e, f]));
        }
        11 => {
            let op = dice.pick(&[Op::FMin(own, choice), Op::FMax(own, choice)]);
            kinds.doubles.push(builder.value(op, &[d, e]));
        }
        12 => {
            let round = dice.pick(&rounds);
            let op = dice.pick(&[
                Op::FNeg(Width::F64),
                Op::FAbs(Width::F64),
                Op::FRound(own, round),
                Op::FSqrt(own),
                Op::FRcp(own),
                Op::FRsq(own),
                Op::FSaturate(own),
            ]);
            kinds.doubles.push(builder.value(op, &[d]));
        }
        13 => {
            use CompareFloat::{Eq, Ge, Gt, Le, Lt, Ne};
            let by = dice.pick(&[Eq, Ne, Lt, Le, Gt, Ge]);
            kinds.flags.push(builder.value(Op::FCompare(by, own), &[d, e]));
            kinds.flags.push(builder.value(Op::FIsNan(Width::F64), &[d]));
        }
        14 => {
            let round = dice.pick(&rounds);
            let op = dice.pick(&[Op::FToS(Width::F64, round), Op::FToU(Width::F64, round)]);
            kinds.integers.push(builder.value(op, &[d]));
        }
        15 => {
            let op = dice.pick(&[Op::SToF(own), Op::UToF(own)]);
            let value = builder.value(op, &[i]);
            kinds.doubles.push(value);
            // The bits of what cannot be NaN.
            let sum = builder.value(Op::FAdd(own), &[value, value]);
            halves(builder, kinds, sum);
        }
        16 => kinds.doubles.push(builder.value(Op::Select, &[p, d, e])),
        17 => {
            let (round, width) = (dice.pick(&rounds), dice.pick(&[Width::F32, Width::F64]));
            let op = dice.pick(&[Op::FToS64(width, round), Op::FToU64(width, round)]);
            let value = builder.value(op, &[if width == Width::F32 { a } else { d }]);
            halves(builder, kinds, value);
        }
        18 => {
            let width = dice.pick(&[Width::F16, Width::F32, Width::F64]);
            let value = integer(dice, builder, kinds);
            let to = FloatMode { width, flush: false, round: Round::Nearest };
            let value = builder.value(dice.pick(&[Op::SToF(to), Op::UToF(to)]), &[value]);
            match width {
                Width::F16 => {
                    kinds.floats.push(builder.value(Op::FConvert(width, FloatMode::F32), &[value]));
                }
                Width::F32 => kinds.floats.push(value),
                Width::F64 => kinds.doubles.push(value),
            }
        }
        _ => integers(dice, builder, kinds),
    }
}

/// The words of what is not the result of an operation that gives NaN.
fn halves(builder: &mut FunctionBuilder, kinds: &mut Kinds, value: Value) {
    kinds.integers.push(builder.value(Op::Low, &[value]));
    kinds.integers.push(builder.value(Op::High, &[value]));
}

/// 64 bits of an integer.
fn integer(dice: &mut Dice, builder: &mut FunctionBuilder, kinds: &Kinds) -> Value {
    let (low, high) = (kinds.integer(dice), kinds.integer(dice));
    builder.value(Op::Join, &[low, high])
}

/// Integers of 64 bits.
fn integers(dice: &mut Dice, builder: &mut FunctionBuilder, kinds: &mut Kinds) {
    use CompareInt::{Eq, Ne, Sle, Slt, Ule, Ult};
    let (x, y) = (integer(dice, builder, kinds), integer(dice, builder, kinds));
    if dice.one_in(3) {
        let by = dice.pick(&[Eq, Ne, Slt, Sle, Ult, Ule]);
        kinds.flags.push(builder.value(Op::ICompare(by), &[x, y]));
        return;
    }
    let value = match dice.below(3) {
        0 => {
            let op = dice.pick(&[Op::Shl, Op::ShrU, Op::ShrS]);
            let by = if dice.one_in(2) { y } else { kinds.integer(dice) };
            builder.value(op, &[x, by])
        }
        1 => builder.value(dice.pick(&[Op::INeg, Op::Not]), &[x]),
        _ => {
            let op = dice.pick(&[
                Op::IAdd,
                Op::ISub,
                Op::IMul,
                Op::And,
                Op::Or,
                Op::Xor,
                Op::SMin,
                Op::SMax,
                Op::UMin,
                Op::UMax,
            ]);
            builder.value(op, &[x, y])
        }
    };
    halves(builder, kinds, value);
}
