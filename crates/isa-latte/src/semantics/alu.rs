//! What each arithmetic operation computes, in operations of the IR. The interpreter and the lift both go through
//! these functions, each with its own [`Arithmetic`], so that they cannot differ.
//!
//! `M` is [`FLOAT`]: binary32, to nearest, denormal operands and results count as zero of the same sign. `FMul`
//! has the IEEE rule unless it says `legacy`, which is `Multiply::ZeroWins`. `a b c` are the sources after
//! absolute value and negation, which work on bit 31 whatever the operation is.
//!
//! | operation | result |
//! |---|---|
//! | ADD | `FAdd a b` |
//! | MUL, MUL_IEEE | `FMul legacy a b`, `FMul a b` |
//! | MAX, MIN | `a >= b ? a : b`, `a < b ? a : b`: the chosen bits as they are |
//! | MAX_DX10, MIN_DX10 | `FMax`, `FMin` with `MinMax::Number` |
//! | SETE, SETGT, SETGE, SETNE | `FCompare ? 1.0 : 0.0`; with NaN only NE is true |
//! | SETE_DX10 ... | `FCompare ? all bits : 0` |
//! | FRACT | `FAdd a (FNeg (FRound down a))` |
//! | TRUNC, CEIL, RNDNE, FLOOR | `FRound` to zero, up, to nearest, down |
//! | MOV | the bits |
//! | MOVA | see [`address`] |
//! | PRED_SETcc | predicate `a cc b`; result `predicate ? 0.0 : 1.0` |
//! | PRED_SETcc_INT, _UINT | the same, integers compared |
//! | PRED_SET_INV | `a == 1.0`; `predicate ? 0.0 : (a == 0.0 ? 1.0 : a)` |
//! | PRED_SET_POP | `a <= b`; `predicate ? 0.0 : FAdd a (FNeg b)` |
//! | PRED_SET_CLR | false; the largest float |
//! | PRED_SET_RESTORE | `a == 0.0`; `predicate ? 0.0 : a` |
//! | PRED_SETcc_PUSH | `b cc 0.0 and a == 0.0`; `predicate ? 0.0 : FAdd a 1.0` |
//! | PRED_SETcc_PUSH_INT | the same, b compared as an integer; a stays a float counter |
//! | KILLcc, _INT, _UINT | drops the pixel where `a cc b`; result `killed ? 1.0 : 0.0` |
//! | AND_INT, OR_INT, XOR_INT, NOT_INT, ADD_INT, SUB_INT | `And`, `Or`, `Xor`, `Not`, `IAdd`, `ISub` |
//! | MAX_INT, MIN_INT | `SMax`, `SMin` |
//! | MAX_UINT, MIN_UINT | `a <u b ? b : a`, `a <u b ? a : b` |
//! | SETcc_INT, _UINT | `ICompare ? all bits : 0` |
//! | ASHR_INT, LSHR_INT, LSHL_INT | `ShrS`, `ShrU`, `Shl` by `b & 31` |
//! | MULLO_INT, MULLO_UINT | `IMul` |
//! | MULHI_INT, MULHI_UINT | [`Arithmetic::product_high`] |
//! | RECIP_UINT | 2^32 / a towards zero, at most 2^32 - 1, which is also that of 0: see [`scalar`] |
//! | RECIP_INT | that of the absolute value, negated where a is negative |
//! | EXP_IEEE, LOG_IEEE | `FExp2 a`, `FLog2 a` |
//! | LOG_CLAMPED | `FLog2 a`; minus infinity becomes minus the largest float |
//! | RECIP_IEEE, RECIPSQRT_IEEE, SQRT_IEEE | `FRcp a`, `FRsq a`, `FSqrt a` |
//! | RECIP_CLAMPED, RECIPSQRT_CLAMPED | the same; infinities become the largest float of their sign |
//! | RECIP_FF, RECIPSQRT_FF | the same; infinities become zero of their sign |
//! | FLT_TO_INT, FLT_TO_UINT | `FToS zero a`, `FToU zero a`: saturated, NaN is 0 |
//! | INT_TO_FLT, UINT_TO_FLT | `SToF a`, `UToF a` |
//! | SIN, COS | `FSin (FMul a 2pi)`, `FCos (FMul a 2pi)` with 2pi as [`TURN`] |
//! | MUL_LIT | `b is NaN, b == -inf, b == -MAX, or not (c > 0.0)` ? -MAX : `FMul legacy b a` |
//! | MULADD | `FAdd (FMul legacy a b) c`: rounded twice |
//! | MULADD_IEEE | `FAdd (FMul a b) c` |
//! | ..._M2, _M4, _D2 | the same, then `FMul` by 2, 4, 0.5 |
//! | CNDE, CNDGT, CNDGE | `a == 0.0 ? b : c`, `a > 0.0`, `a >= 0.0`: the chosen bits as they are |
//! | CNDE_INT, CNDGT_INT, CNDGE_INT | the same with signed integers |
//! | DOT4, DOT4_IEEE | `FAdd (FAdd (FAdd px py) pz) pw`, p the products, legacy or IEEE; in all four units |
//! | MAX4 | `MAX` of x and y, of that and z, of that and w; in all four units |
//! | CUBE | see [`cube`] |
//!
//! Then [`modify`]: the factor (`FMul` by 2, 4, 0.5), then the clamp, for results that are floats
//! ([`Domain::Float`] and [`Domain::IntToFloat`]). Operations with 64-bit floats are not here: the IR has nothing that
//! makes a 64-bit number of two words. The interpreter does them itself, the lift refuses them.
//!
//! NaN: float operations of the IR give the one canonical NaN (`7FC00000`).

use super::super::table::{AluOp, Domain};
use super::compare::{bits_where, choose, compare, condition, conditional, integers, larger, one_where};
use unshade_ir::{CompareFloat, CompareInt, FloatMode, MinMax, Multiply, Op, Round, Width};

/// The machine's floats.
pub const FLOAT: FloatMode = FloatMode { width: Width::F32, flush: true, round: Round::Nearest };

/// The circle, for sines of turns.
pub const TURN: f32 = std::f32::consts::TAU;

/// What computes: numbers at once, or instructions that will.
pub trait Arithmetic {
    /// 32 bits.
    type Word: Copy;
    /// A truth value.
    type Truth: Copy;

    /// A constant.
    fn word(&mut self, bits: u32) -> Self::Word;
    /// A constant truth.
    fn truth(&mut self, value: bool) -> Self::Truth;
    /// An operation on words with a word as its result.
    fn apply(&mut self, op: Op, args: &[Self::Word]) -> Self::Word;
    /// An operation on words with a truth as its result: [`Op::FCompare`], [`Op::ICompare`], [`Op::FIsNan`].
    fn test(&mut self, op: Op, args: &[Self::Word]) -> Self::Truth;
    /// `And` or `Or` of truths.
    fn join(&mut self, op: Op, a: Self::Truth, b: Self::Truth) -> Self::Truth;
    /// [`Op::Select`].
    fn select(&mut self, condition: Self::Truth, a: Self::Word, b: Self::Word) -> Self::Word;
    /// The high half of a product: `Op::SMulHigh` or `Op::UMulHigh`.
    fn product_high(&mut self, signed: bool, a: Self::Word, b: Self::Word) -> Self::Word;
    /// A quotient of unsigned numbers, towards zero: `Op::UDiv`; by 0 all bits.
    fn quotient(&mut self, a: Self::Word, b: Self::Word) -> Self::Word;

    /// A constant float.
    fn float(&mut self, value: f32) -> Self::Word {
        self.word(value.to_bits())
    }
}

/// What an operation gives beside its result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sign<T> {
    /// Nothing.
    None,
    /// A predicate.
    Predicate(T),
    /// Whether the pixel is dropped.
    Kill(T),
}

/// Result of an operation and what it gives beside it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Outcome<W, T> {
    /// The result, not yet modified.
    pub value: W,
    /// Predicate or kill.
    pub sign: Sign<T>,
}

/// An operation of one unit: all but [`AluOp::Dot4`], [`AluOp::Dot4Ieee`], [`AluOp::Cube`], [`AluOp::Max4`]
/// (see [`reduce`]) and those of 64-bit floats; `None` for these. Operations that write the address register give
/// what [`address`] says.
#[inline(always)]
#[allow(clippy::too_many_lines, reason = "one arm for each operation")]
pub fn scalar<A: Arithmetic>(
    at: &mut A,
    op: AluOp,
    [a, b, c]: [A::Word; 3],
) -> Option<Outcome<A::Word, A::Truth>> {
    use AluOp as O;
    use CompareFloat::{Eq, Ge, Gt, Le, Lt, Ne};
    let value = match op {
        O::Nop => at.word(0),
        O::Mov => a,
        O::Mova | O::MovaFloor | O::MovaInt | O::MovaGprInt => address(at, op, a),
        O::Add => at.apply(Op::FAdd(FLOAT), &[a, b]),
        O::Mul => multiply(at, Multiply::ZeroWins, a, b),
        O::MulIeee => multiply(at, Multiply::Ieee, a, b),
        O::Max => larger(at, a, b),
        O::Min => {
            let less = compare(at, Lt, a, b);
            at.select(less, a, b)
        }
        O::MaxDx10 => at.apply(Op::FMax(FLOAT, MinMax::Number), &[a, b]),
        O::MinDx10 => at.apply(Op::FMin(FLOAT, MinMax::Number), &[a, b]),
        O::SetE => one_where(at, Eq, a, b),
        O::SetGt => one_where(at, Gt, a, b),
        O::SetGe => one_where(at, Ge, a, b),
        O::SetNe => one_where(at, Ne, a, b),
        O::SetEDx10 => bits_where(at, Eq, a, b),
        O::SetGtDx10 => bits_where(at, Gt, a, b),
        O::SetGeDx10 => bits_where(at, Ge, a, b),
        O::SetNeDx10 => bits_where(at, Ne, a, b),
        O::Fract => {
            let floor = at.apply(Op::FRound(FLOAT, Round::Down), &[a]);
            minus(at, a, floor)
        }
        O::Trunc => at.apply(Op::FRound(FLOAT, Round::Zero), &[a]),
        O::Ceil => at.apply(Op::FRound(FLOAT, Round::Up), &[a]),
        O::RoundNe => at.apply(Op::FRound(FLOAT, Round::Nearest), &[a]),
        O::Floor => at.apply(Op::FRound(FLOAT, Round::Down), &[a]),
        O::AndInt => at.apply(Op::And, &[a, b]),
        O::OrInt => at.apply(Op::Or, &[a, b]),
        O::XorInt => at.apply(Op::Xor, &[a, b]),
        O::NotInt => at.apply(Op::Not, &[a]),
        O::AddInt => at.apply(Op::IAdd, &[a, b]),
        O::SubInt => at.apply(Op::ISub, &[a, b]),
        O::MaxInt => at.apply(Op::SMax, &[a, b]),
        O::MinInt => at.apply(Op::SMin, &[a, b]),
        O::MaxUint => {
            let less = at.test(Op::ICompare(CompareInt::Ult), &[a, b]);
            at.select(less, b, a)
        }
        O::MinUint => {
            let less = at.test(Op::ICompare(CompareInt::Ult), &[a, b]);
            at.select(less, a, b)
        }
        O::SetEInt | O::SetGtInt | O::SetGeInt | O::SetNeInt | O::SetGtUint | O::SetGeUint => {
            let truth = integers(at, condition(op)?, a, b);
            let (all, none) = (at.word(u32::MAX), at.word(0));
            at.select(truth, all, none)
        }
        O::AshrInt => shift(at, Op::ShrS, a, b),
        O::LshrInt => shift(at, Op::ShrU, a, b),
        O::LshlInt => shift(at, Op::Shl, a, b),
        O::MulLoInt | O::MulLoUint => at.apply(Op::IMul, &[a, b]),
        O::MulHiInt => at.product_high(true, a, b),
        O::MulHiUint => at.product_high(false, a, b),
        O::RecipUint => reciprocal(at, a),
        O::RecipInt => {
            let zero = at.word(0);
            let negative = at.test(Op::ICompare(CompareInt::Slt), &[a, zero]);
            let opposite = at.apply(Op::INeg, &[a]);
            let magnitude = at.select(negative, opposite, a);
            let result = reciprocal(at, magnitude);
            let opposite = at.apply(Op::INeg, &[result]);
            at.select(negative, opposite, result)
        }
        O::ExpIeee => at.apply(Op::FExp2(FLOAT), &[a]),
        O::LogIeee => at.apply(Op::FLog2(FLOAT), &[a]),
        O::LogClamped => {
            let log = at.apply(Op::FLog2(FLOAT), &[a]);
            instead(at, log, f32::NEG_INFINITY, f32::MIN)
        }
        O::RecipIeee => at.apply(Op::FRcp(FLOAT), &[a]),
        O::RecipClamped => {
            let value = at.apply(Op::FRcp(FLOAT), &[a]);
            clamped(at, value)
        }
        O::RecipFf => {
            let value = at.apply(Op::FRcp(FLOAT), &[a]);
            vanishing(at, value)
        }
        O::RecipSqrtIeee => at.apply(Op::FRsq(FLOAT), &[a]),
        O::RecipSqrtClamped => {
            let value = at.apply(Op::FRsq(FLOAT), &[a]);
            clamped(at, value)
        }
        O::RecipSqrtFf => {
            let value = at.apply(Op::FRsq(FLOAT), &[a]);
            vanishing(at, value)
        }
        O::SqrtIeee => at.apply(Op::FSqrt(FLOAT), &[a]),
        O::FltToInt => at.apply(Op::FToS(Width::F32, Round::Zero), &[a]),
        O::FltToUint => at.apply(Op::FToU(Width::F32, Round::Zero), &[a]),
        O::IntToFlt => at.apply(Op::SToF(FLOAT), &[a]),
        O::UintToFlt => at.apply(Op::UToF(FLOAT), &[a]),
        O::Sin => {
            let angle = scaled(at, a, TURN);
            at.apply(Op::FSin(FLOAT), &[angle])
        }
        O::Cos => {
            let angle = scaled(at, a, TURN);
            at.apply(Op::FCos(FLOAT), &[angle])
        }
        O::MulLit => light(at, [a, b, c]),
        O::MulLitM2 => {
            let value = light(at, [a, b, c]);
            scaled(at, value, 2.0)
        }
        O::MulLitM4 => {
            let value = light(at, [a, b, c]);
            scaled(at, value, 4.0)
        }
        O::MulLitD2 => {
            let value = light(at, [a, b, c]);
            scaled(at, value, 0.5)
        }
        O::MulAdd => multiply_add(at, Multiply::ZeroWins, [a, b, c]),
        O::MulAddM2 => {
            let value = multiply_add(at, Multiply::ZeroWins, [a, b, c]);
            scaled(at, value, 2.0)
        }
        O::MulAddM4 => {
            let value = multiply_add(at, Multiply::ZeroWins, [a, b, c]);
            scaled(at, value, 4.0)
        }
        O::MulAddD2 => {
            let value = multiply_add(at, Multiply::ZeroWins, [a, b, c]);
            scaled(at, value, 0.5)
        }
        O::MulAddIeee => multiply_add(at, Multiply::Ieee, [a, b, c]),
        O::MulAddIeeeM2 => {
            let value = multiply_add(at, Multiply::Ieee, [a, b, c]);
            scaled(at, value, 2.0)
        }
        O::MulAddIeeeM4 => {
            let value = multiply_add(at, Multiply::Ieee, [a, b, c]);
            scaled(at, value, 4.0)
        }
        O::MulAddIeeeD2 => {
            let value = multiply_add(at, Multiply::Ieee, [a, b, c]);
            scaled(at, value, 0.5)
        }
        O::CndE => choose(at, Eq, [a, b, c]),
        O::CndGt => choose(at, Gt, [a, b, c]),
        O::CndGe => choose(at, Ge, [a, b, c]),
        O::CndEInt | O::CndGtInt | O::CndGeInt => {
            let zero = at.word(0);
            let truth = integers(at, condition(op)?, a, zero);
            at.select(truth, b, c)
        }
        O::PredSetE
        | O::PredSetGt
        | O::PredSetGe
        | O::PredSetNe
        | O::PredSetEInt
        | O::PredSetGtInt
        | O::PredSetGeInt
        | O::PredSetNeInt
        | O::PredSetGtUint
        | O::PredSetGeUint => {
            let truth = conditional(at, condition(op)?, a, b);
            let (one, zero) = (at.float(1.0), at.word(0));
            let value = at.select(truth, zero, one);
            return Some(Outcome { value, sign: Sign::Predicate(truth) });
        }
        O::PredSetInv => {
            let (zero, one) = (at.word(0), at.float(1.0));
            let truth = compare(at, Eq, a, one);
            let none = compare(at, Eq, a, zero);
            let otherwise = at.select(none, one, a);
            let value = at.select(truth, zero, otherwise);
            return Some(Outcome { value, sign: Sign::Predicate(truth) });
        }
        O::PredSetPop => {
            let truth = compare(at, Le, a, b);
            let left = minus(at, a, b);
            let zero = at.word(0);
            let value = at.select(truth, zero, left);
            return Some(Outcome { value, sign: Sign::Predicate(truth) });
        }
        O::PredSetClr => {
            let value = at.float(f32::MAX);
            let truth = at.truth(false);
            return Some(Outcome { value, sign: Sign::Predicate(truth) });
        }
        O::PredSetRestore => {
            let zero = at.word(0);
            let truth = compare(at, Eq, a, zero);
            let value = at.select(truth, zero, a);
            return Some(Outcome { value, sign: Sign::Predicate(truth) });
        }
        O::PredSetEPush
        | O::PredSetGtPush
        | O::PredSetGePush
        | O::PredSetNePush
        | O::PredSetEPushInt
        | O::PredSetGtPushInt
        | O::PredSetGePushInt
        | O::PredSetNePushInt
        | O::PredSetLtPushInt
        | O::PredSetLePushInt => {
            let zero = at.word(0);
            let holds = conditional(at, condition(op)?, b, zero);
            let none = compare(at, Eq, a, zero);
            let truth = at.join(Op::And, holds, none);
            let one = at.float(1.0);
            let deeper = at.apply(Op::FAdd(FLOAT), &[a, one]);
            let value = at.select(truth, zero, deeper);
            return Some(Outcome { value, sign: Sign::Predicate(truth) });
        }
        O::KillE
        | O::KillGt
        | O::KillGe
        | O::KillNe
        | O::KillGtUint
        | O::KillGeUint
        | O::KillEInt
        | O::KillGtInt
        | O::KillGeInt
        | O::KillNeInt => {
            let truth = conditional(at, condition(op)?, a, b);
            let (one, zero) = (at.float(1.0), at.word(0));
            let value = at.select(truth, one, zero);
            return Some(Outcome { value, sign: Sign::Kill(truth) });
        }
        O::Dot4 | O::Dot4Ieee | O::Cube | O::Max4 => return None,
        O::Frexp64
        | O::Add64
        | O::Mul64
        | O::Flt64ToFlt32
        | O::Flt32ToFlt64
        | O::Ldexp64
        | O::Fract64
        | O::PredSetGt64
        | O::PredSetE64
        | O::PredSetGe64
        | O::MulAdd64
        | O::MulAdd64M2
        | O::MulAdd64M4
        | O::MulAdd64D2 => return None,
    };
    Some(Outcome { value, sign: Sign::None })
}

/// An operation of the four vector units together, from the first two sources of each: the results of the four.
/// `None` for any other operation.
#[inline(always)]
pub fn reduce<A: Arithmetic>(at: &mut A, op: AluOp, sources: [[A::Word; 2]; 4]) -> Option<[A::Word; 4]> {
    match op {
        AluOp::Dot4 | AluOp::Dot4Ieee => {
            let rule = if op == AluOp::Dot4 { Multiply::ZeroWins } else { Multiply::Ieee };
            let [x, y, z, w] = sources.map(|[a, b]| multiply(at, rule, a, b));
            let sum = [y, z, w].into_iter().fold(x, |sum, term| at.apply(Op::FAdd(FLOAT), &[sum, term]));
            Some([sum; 4])
        }
        AluOp::Max4 => {
            let [x, y, z, w] = sources.map(|[a, _]| a);
            let most = [y, z, w].into_iter().fold(x, |most, next| larger(at, most, next));
            Some([most; 4])
        }
        AluOp::Cube => Some(cube(at, sources)),
        _ => None,
    }
}

/// The face of a cube map that a direction meets, and the place on it. The units get the direction as `z, x`
/// (first source of the units x and z), `y` (first source of w): `R.zzxy, R.yxzz`. Results: x is T, y is S, z is
/// twice the coordinate across the face, w is the face, 0 to 5: +x -x +y -y +z -z.
///
/// `|z| >= |x|` and `|z| >= |y|`: face 4 or 5, S = x or -x, T = -y. Else `|y| >= |x|`: face 2 or 3, S = x, T = z
/// or -z. Else face 0 or 1, S = -z or z, T = -y. The second of each where the coordinate is below 0.
#[inline(always)]
pub fn cube<A: Arithmetic>(at: &mut A, sources: [[A::Word; 2]; 4]) -> [A::Word; 4] {
    use CompareFloat::{Ge, Lt};
    let ([x, y, z], zero) = ([sources[2][0], sources[3][0], sources[0][0]], at.word(0));
    let [ax, ay, az] = [x, y, z].map(|value| at.apply(Op::FAbs(Width::F32), &[value]));
    let [nx, ny, nz] = [x, y, z].map(|value| at.apply(Op::FNeg(Width::F32), &[value]));
    let [below_x, below_y, below_z] = [x, y, z].map(|value| compare(at, Lt, value, zero));
    let (over_x, over_y) = (compare(at, Ge, az, ax), compare(at, Ge, az, ay));
    let is_z = at.join(Op::And, over_x, over_y);
    let is_y = compare(at, Ge, ay, ax);
    let mut pick = |[on_x, on_y, on_z]: [A::Word; 3]| {
        let other = at.select(is_y, on_y, on_x);
        at.select(is_z, on_z, other)
    };
    let across = pick([x, y, z]);
    let t_of_y = at.select(below_y, nz, z);
    let t = {
        let other = at.select(is_y, t_of_y, ny);
        at.select(is_z, ny, other)
    };
    let (s_of_x, s_of_z) = (at.select(below_x, z, nz), at.select(below_z, nx, x));
    let s = {
        let other = at.select(is_y, x, s_of_x);
        at.select(is_z, s_of_z, other)
    };
    let face = |at: &mut A, below: A::Truth, first: f32| {
        let (positive, negative) = (at.float(first), at.float(first + 1.0));
        at.select(below, negative, positive)
    };
    let (face_x, face_y, face_z) = (face(at, below_x, 0.0), face(at, below_y, 2.0), face(at, below_z, 4.0));
    let face = {
        let other = at.select(is_y, face_y, face_x);
        at.select(is_z, face_z, other)
    };
    [t, s, scaled(at, across, 2.0), face]
}

/// What MOVA writes to the address register, and to a register where its write mask says so: an integer between
/// -256 and 255. MOVA `FToS zero (FRound down (FAdd a 0.5))`, MOVA_FLOOR `FToS zero (FRound down a)`, MOVA_INT and
/// MOVA_GPR_INT a itself; then `SMin (SMax _ -256) 255`.
#[inline(always)]
pub fn address<A: Arithmetic>(at: &mut A, op: AluOp, a: A::Word) -> A::Word {
    let whole = match op {
        AluOp::Mova | AluOp::MovaFloor => {
            let shifted = if op == AluOp::Mova {
                let half = at.float(0.5);
                at.apply(Op::FAdd(FLOAT), &[a, half])
            } else {
                a
            };
            let floor = at.apply(Op::FRound(FLOAT, Round::Down), &[shifted]);
            at.apply(Op::FToS(Width::F32, Round::Zero), &[floor])
        }
        _ => a,
    };
    let (least, most) = (at.word(-256_i32 as u32), at.word(255));
    let whole = at.apply(Op::SMax, &[whole, least]);
    at.apply(Op::SMin, &[whole, most])
}

/// The factor (`omod`: 0 none, 1 two, 2 four, 3 a half) and the clamp of a result, where it is a float. A clamped NaN
/// is 0 where `dx10_clamp` says so, else it stays: `FIsNan a ? a : FSaturate a`.
#[inline(always)]
pub fn modify<A: Arithmetic>(
    at: &mut A,
    domain: Domain,
    omod: u32,
    clamp: bool,
    dx10_clamp: bool,
    value: A::Word,
) -> A::Word {
    if !matches!(domain, Domain::Float | Domain::IntToFloat) {
        return value;
    }
    let value = match omod & 3 {
        0 => value,
        1 => scaled(at, value, 2.0),
        2 => scaled(at, value, 4.0),
        _ => scaled(at, value, 0.5),
    };
    if !clamp {
        return value;
    }
    let clamped = at.apply(Op::FSaturate(FLOAT), &[value]);
    if dx10_clamp {
        return clamped;
    }
    let unordered = at.test(Op::FIsNan(Width::F32), &[value]);
    at.select(unordered, value, clamped)
}

/// A source behind its modifiers: absolute value, then negation.
#[inline(always)]
pub fn source<A: Arithmetic>(at: &mut A, absolute: bool, negate: bool, value: A::Word) -> A::Word {
    let value = if absolute { at.apply(Op::FAbs(Width::F32), &[value]) } else { value };
    if negate { at.apply(Op::FNeg(Width::F32), &[value]) } else { value }
}

#[inline(always)]
fn multiply<A: Arithmetic>(at: &mut A, rule: Multiply, a: A::Word, b: A::Word) -> A::Word {
    at.apply(Op::FMul(FLOAT, rule), &[a, b])
}

#[inline(always)]
fn multiply_add<A: Arithmetic>(at: &mut A, rule: Multiply, [a, b, c]: [A::Word; 3]) -> A::Word {
    let product = multiply(at, rule, a, b);
    at.apply(Op::FAdd(FLOAT), &[product, c])
}

#[inline(always)]
fn scaled<A: Arithmetic>(at: &mut A, value: A::Word, factor: f32) -> A::Word {
    let factor = at.float(factor);
    multiply(at, Multiply::Ieee, value, factor)
}

#[inline(always)]
fn minus<A: Arithmetic>(at: &mut A, a: A::Word, b: A::Word) -> A::Word {
    let opposite = at.apply(Op::FNeg(Width::F32), &[b]);
    at.apply(Op::FAdd(FLOAT), &[a, opposite])
}

#[inline(always)]
fn shift<A: Arithmetic>(at: &mut A, op: Op, a: A::Word, b: A::Word) -> A::Word {
    let mask = at.word(31);
    let count = at.apply(Op::And, &[b, mask]);
    at.apply(op, &[a, count])
}

/// `value`, or the other one where it equals the first.
#[inline(always)]
fn instead<A: Arithmetic>(at: &mut A, value: A::Word, of: f32, other: f32) -> A::Word {
    let (of, other) = (at.float(of), at.float(other));
    let truth = compare(at, CompareFloat::Eq, value, of);
    at.select(truth, other, value)
}

/// The largest float instead of infinity, first the positive one.
#[inline(always)]
fn clamped<A: Arithmetic>(at: &mut A, value: A::Word) -> A::Word {
    let value = instead(at, value, f32::INFINITY, f32::MAX);
    instead(at, value, f32::NEG_INFINITY, f32::MIN)
}

/// Zero instead of infinity, first the positive one.
#[inline(always)]
fn vanishing<A: Arithmetic>(at: &mut A, value: A::Word) -> A::Word {
    let value = instead(at, value, f32::INFINITY, 0.0);
    instead(at, value, f32::NEG_INFINITY, -0.0)
}

/// The helper of the LIT instruction of older shading languages.
#[inline(always)]
fn light<A: Arithmetic>(at: &mut A, [a, b, c]: [A::Word; 3]) -> A::Word {
    let (zero, least, infinite) = (at.word(0), at.float(f32::MIN), at.float(f32::NEG_INFINITY));
    let product = multiply(at, Multiply::ZeroWins, b, a);
    let positive = compare(at, CompareFloat::Gt, c, zero);
    let value = at.select(positive, product, least);
    let unordered = at.test(Op::FIsNan(Width::F32), &[b]);
    let lowest = compare(at, CompareFloat::Eq, b, least);
    let below = compare(at, CompareFloat::Eq, b, infinite);
    let either = at.join(Op::Or, lowest, below);
    let bad = at.join(Op::Or, unordered, either);
    at.select(bad, least, value)
}

/// `2^32 / a`, at most all bits: with `q = (2^32 - 1) / a`, `q + 1` where a is a power of two above 1, else `q`.
/// Division by 0 gives all bits.
#[inline(always)]
fn reciprocal<A: Arithmetic>(at: &mut A, a: A::Word) -> A::Word {
    let (all, one, zero) = (at.word(u32::MAX), at.word(1), at.word(0));
    let quotient = at.quotient(all, a);
    let more = at.apply(Op::IAdd, &[quotient, one]);
    let less = at.apply(Op::ISub, &[a, one]);
    let others = at.apply(Op::And, &[a, less]);
    let power = at.test(Op::ICompare(CompareInt::Eq), &[others, zero]);
    let above = at.test(Op::ICompare(CompareInt::Ult), &[one, a]);
    let exact = at.join(Op::And, power, above);
    at.select(exact, more, quotient)
}
