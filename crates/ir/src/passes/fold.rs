//! What an operation is worth on its own: constants computed by the interpreter's own function, and
//! identities of algebra that hold for every bit pattern (any NaN equal to any other).
//!
//! `x + 0` is not `x` (it turns -0 into +0) and `0 * x` is not 0 (NaN, -0): such rules wait for readable
//! mode or for a proof about the operand.

use super::edit::{constant, constant_op};
use crate::exec::evaluate;
use crate::{
    Access, CompareFloat, CompareInt, Effect, FloatMode, Function, Inst, InstId, MinMax, Module, Multiply,
    Op, Round, Space, Type, Value,
};
use smallvec::{SmallVec, smallvec};

/// Which identities may be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Rules {
    /// Those that keep every bit.
    Exact,
    /// Those too that keep the number for finite operands: zeros lose their sign.
    Finite,
}

/// What an instruction can be replaced by.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Simpler {
    /// A value that is there.
    Value(Value),
    /// A constant.
    Constant(Op),
    /// Another operation in its place.
    Inst(Op, SmallVec<[Value; 3]>),
    /// Another operation of a value and a new constant.
    WithConstant(Op, Value, Op),
}

/// Words of globals that always have the same value.
#[derive(Debug, Default)]
pub(super) struct FixedWords {
    /// Space, binding, first word, words; sorted by the first three.
    ranges: Vec<(Space, u32, u32, Vec<u32>)>,
}

impl FixedWords {
    /// Those of a module.
    pub(super) fn new(module: &Module) -> Self {
        let mut ranges: Vec<_> = module
            .globals
            .iter()
            .filter_map(|global| {
                Some((global.space, global.binding, global.offset, global.constant.clone()?))
            })
            .collect();
        ranges.sort_by_key(|(space, binding, offset, _)| (*space, *binding, *offset));
        Self { ranges }
    }

    fn get(&self, access: &Access) -> Option<u32> {
        let key = (access.space, access.binding, access.offset);
        let behind =
            self.ranges.partition_point(|(space, binding, offset, _)| (*space, *binding, *offset) <= key);
        let (space, binding, offset, words) = self.ranges.get(behind.checked_sub(1)?)?;
        if (*space, *binding) != (access.space, access.binding) {
            return None;
        }
        words.get((access.offset - offset) as usize).copied()
    }
}

/// Looks at one instruction.
pub(super) struct Folder<'a> {
    pub(super) function: &'a Function,
    pub(super) fixed: &'a FixedWords,
    pub(super) rules: Rules,
}

const ONE: u32 = 0x3F80_0000;
const MINUS_ONE: u32 = 0xBF80_0000;
const MINUS_ZERO: u32 = 0x8000_0000;

impl Folder<'_> {
    /// Something simpler than the instruction, if there is.
    pub(super) fn simplify(&self, id: InstId) -> Option<Simpler> {
        let inst = self.function.insts.get(id.index())?;
        if inst.results.len() != 1 || inst.op.effect() != Effect::Pure {
            return None;
        }
        if let Op::Load(access) = inst.op {
            return self.load(access, inst);
        }
        self.computed(inst).or_else(|| self.identity(inst))
    }

    fn constant(&self, value: Value) -> Option<u64> {
        constant(self.function, value)
    }

    fn load(&self, access: Access, inst: &Inst) -> Option<Simpler> {
        if !access.is_indexed() {
            return self.fixed.get(&access).map(|bits| Simpler::Constant(Op::B32(bits)));
        }
        let index = i64::from(self.constant(*inst.args.first()?)? as u32 as i32);
        let word = i64::from(access.offset) + index * i64::from(access.stride);
        Some(match u32::try_from(word) {
            Ok(offset) => Simpler::Inst(Op::Load(Access { offset, stride: 0, ..access }), smallvec![]),
            Err(_) => Simpler::Constant(Op::B32(0)),
        })
    }

    fn computed(&self, inst: &Inst) -> Option<Simpler> {
        let first = *inst.args.first()?;
        let mut bits = SmallVec::<[u64; 8]>::new();
        for arg in &inst.args {
            bits.push(self.constant(*arg)?);
        }
        let result = evaluate(&inst.op, self.function.ty(first), &bits)?;
        let ty = self.function.ty(inst.results[0]);
        Some(Simpler::Constant(constant_op(ty, one_nan(&inst.op, ty, result))))
    }

    fn identity(&self, inst: &Inst) -> Option<Simpler> {
        match inst.args[..] {
            [a] => self.unary(&inst.op, a),
            [a, b] => self.binary(&inst.op, a, b),
            [a, b, c] => self.ternary(&inst.op, a, b, c),
            _ => self.dot(inst),
        }
    }

    /// A dot product without the lanes that are zero.
    fn dot(&self, inst: &Inst) -> Option<Simpler> {
        let Op::Dot(lanes) = inst.op else { return None };
        let (a, b) = inst.args.split_at(lanes.into());
        let is_zero = |value: Value| self.constant(value).is_some_and(|bits| bits as u32 & !MINUS_ZERO == 0);
        let lanes_left = a.iter().copied().zip(b.iter().copied());
        let left = lanes_left.filter(|(a, b)| !is_zero(*a) && !is_zero(*b));
        let (mut args, second): (SmallVec<[Value; 3]>, SmallVec<[Value; 3]>) = left.unzip();
        match args.len() {
            0 => return Some(Simpler::Constant(Op::B32(0))),
            all if all == usize::from(lanes) => return None,
            _ => {}
        }
        let op = match args.len() {
            1 => Op::FMul(FloatMode::F32, Multiply::Ieee),
            lanes => Op::Dot(lanes as u8),
        };
        args.extend(second);
        Some(Simpler::Inst(op, args))
    }

    fn unary(&self, op: &Op, a: Value) -> Option<Simpler> {
        if let (Op::FIsNan(_), Rules::Finite) = (op, self.rules) {
            return Some(Simpler::Constant(Op::Bool(false)));
        }
        let inner = self.function.definition(a)?;
        match (op, &inner.op) {
            (Op::Low, Op::Join) => Some(Simpler::Value(inner.args[0])),
            (Op::High, Op::Join) => Some(Simpler::Value(inner.args[1])),
            (Op::INeg, Op::ISub) => Some(Simpler::Inst(Op::ISub, smallvec![inner.args[1], inner.args[0]])),
            (Op::FNeg(_), Op::FNeg(_)) | (Op::Not, Op::Not) | (Op::INeg, Op::INeg) => {
                Some(Simpler::Value(inner.args[0]))
            }
            (Op::FAbs(_), _) if self.is_never_negative(a, 6) => Some(Simpler::Value(a)),
            (Op::FRcp(mode), Op::FRcp(inner_mode)) if mode == inner_mode && self.rules == Rules::Finite => {
                Some(Simpler::Value(inner.args[0]))
            }
            (Op::FAbs(_), Op::FNeg(_)) => Some(Simpler::Inst(*op, smallvec![inner.args[0]])),
            (Op::Not, Op::FCompare(by, mode)) => {
                let by = match (by, self.rules) {
                    (CompareFloat::Eq, _) => CompareFloat::Ne,
                    (CompareFloat::Ne, _) => CompareFloat::Eq,
                    // With a NaN both orders are false.
                    (_, Rules::Exact) => return None,
                    (CompareFloat::Lt, _) => CompareFloat::Ge,
                    (CompareFloat::Le, _) => CompareFloat::Gt,
                    (CompareFloat::Gt, _) => CompareFloat::Le,
                    (CompareFloat::Ge, _) => CompareFloat::Lt,
                };
                Some(Simpler::Inst(Op::FCompare(by, *mode), inner.args.clone()))
            }
            (Op::Not, Op::ICompare(by)) => {
                let (by, swaps) = match by {
                    CompareInt::Eq => (CompareInt::Ne, false),
                    CompareInt::Ne => (CompareInt::Eq, false),
                    CompareInt::Slt => (CompareInt::Sle, true),
                    CompareInt::Sle => (CompareInt::Slt, true),
                    CompareInt::Ult => (CompareInt::Ule, true),
                    CompareInt::Ule => (CompareInt::Ult, true),
                };
                let mut args = inner.args.clone();
                if swaps {
                    args.reverse();
                }
                Some(Simpler::Inst(Op::ICompare(by), args))
            }
            (
                Op::FRound(mode, _),
                Op::FRound(inner_mode, _) | Op::SToF(inner_mode) | Op::UToF(inner_mode),
            ) if mode == inner_mode => Some(Simpler::Value(a)),
            _ => None,
        }
    }

    fn binary(&self, op: &Op, a: Value, b: Value) -> Option<Simpler> {
        let (left, right) = (self.constant(a), self.constant(b));
        // Where a rule looks at a constant, it stands on the right of `x`.
        let (x, known) = match (left, right) {
            (Some(bits), None) if op.is_commutative() => (b, Some(bits)),
            _ => (a, right),
        };
        match *op {
            Op::FMul(mode, rule) if is_plain(mode) => self.product(mode, rule, a, b, x, known),
            // A person writes `2 * x`, which is the same number.
            Op::FAdd(mode) if is_plain(mode) && a == b && self.rules == Rules::Finite => {
                Some(Simpler::WithConstant(Op::FMul(mode, Multiply::Ieee), a, Op::B32(2.0f32.to_bits())))
            }
            Op::FAdd(mode) if is_plain(mode) => {
                let bits = known? as u32;
                let vanishes = bits == MINUS_ZERO
                    || bits == 0 && (self.rules == Rules::Finite || self.is_never_minus_zero(x, 4));
                vanishes.then_some(Simpler::Value(x))
            }
            Op::FMin(mode, _) | Op::FMax(mode, _) if a == b && !mode.flush => Some(Simpler::Value(a)),
            Op::FCompare(_, _) | Op::ICompare(_) => self.comparison(op, a, b, left, right),
            Op::Join => {
                let half = |value: Value, of: Op| {
                    let inst = self.function.definition(value).filter(|inst| inst.op == of)?;
                    inst.args.first().copied()
                };
                let whole = half(a, Op::Low)?;
                (half(b, Op::High) == Some(whole)).then_some(Simpler::Value(whole))
            }
            _ => self.integer(op, a, b, x, known),
        }
    }

    fn product(
        &self,
        mode: FloatMode,
        rule: Multiply,
        a: Value,
        b: Value,
        x: Value,
        known: Option<u64>,
    ) -> Option<Simpler> {
        let negated = |value| match self.function.definition(value) {
            Some(Inst { op: Op::FNeg(_), args, .. }) => args.first().copied(),
            _ => None,
        };
        if let (Some(a), Some(b)) = (negated(a), negated(b)) {
            return Some(Simpler::Inst(Op::FMul(mode, rule), smallvec![a, b]));
        }
        // -0 * 1 is +0 where zero wins.
        let keeps_zeros = rule != Multiply::ZeroWins || self.rules == Rules::Finite;
        match known? as u32 {
            ONE if keeps_zeros => Some(Simpler::Value(x)),
            MINUS_ONE if keeps_zeros => Some(Simpler::Inst(Op::FNeg(mode.width), smallvec![x])),
            0 | MINUS_ZERO if rule == Multiply::ZeroWins || self.rules == Rules::Finite => {
                Some(Simpler::Constant(Op::B32(0)))
            }
            _ => None,
        }
    }

    /// A proof that a binary32 value is not -0, looking at most `depth` definitions back.
    fn is_never_minus_zero(&self, value: Value, depth: u32) -> bool {
        let Some(inst) = self.function.definition(value) else { return false };
        if depth == 0 {
            return false;
        }
        let never = |n: usize| inst.args.get(n).is_some_and(|arg| self.is_never_minus_zero(*arg, depth - 1));
        match inst.op {
            Op::B32(bits) => bits != MINUS_ZERO,
            Op::FAbs(_) | Op::SToF(_) | Op::UToF(_) | Op::FExp2(_) | Op::FSaturate(_) => true,
            // Rounding to nearest, a sum is -0 only if both are.
            Op::FAdd(mode) => mode.round == Round::Nearest && !mode.flush && (never(0) || never(1)),
            Op::Select => never(1) && never(2),
            // Equal zeros and NaN give the second.
            Op::FMax(_, MinMax::SecondUnlessOrdered) | Op::FMin(_, MinMax::SecondUnlessOrdered) => {
                never(0) && never(1)
            }
            _ => false,
        }
    }

    /// A proof that a binary32 value is NaN or has no sign, looking at most `depth` definitions back.
    fn is_never_negative(&self, value: Value, depth: u32) -> bool {
        let Some(inst) = self.function.definition(value) else { return false };
        let Some(depth) = depth.checked_sub(1) else { return false };
        let never = |n: usize| inst.args.get(n).is_some_and(|arg| self.is_never_negative(*arg, depth));
        match inst.op {
            Op::B32(bits) => bits & MINUS_ZERO == 0,
            Op::FAbs(_) | Op::UToF(_) | Op::FExp2(_) | Op::FSaturate(_) | Op::Length(_) => true,
            // A square, or factors without a sign.
            Op::FMul(..) => inst.args.first() == inst.args.get(1) || never(0) && never(1),
            Op::Dot(lanes) => {
                let (a, b) = inst.args.split_at(lanes.into());
                a == b
            }
            Op::FAdd(mode) => mode.round == Round::Nearest && never(0) && never(1),
            Op::FMin(..) | Op::FMax(..) => never(0) && never(1),
            Op::FSqrt(_) => never(0),
            Op::Select => never(1) && never(2),
            _ => false,
        }
    }

    fn comparison(
        &self,
        op: &Op,
        a: Value,
        b: Value,
        left: Option<u64>,
        right: Option<u64>,
    ) -> Option<Simpler> {
        if let (Op::ICompare(by), true) = (op, a == b) {
            let holds = matches!(by, CompareInt::Eq | CompareInt::Sle | CompareInt::Ule);
            return Some(Simpler::Constant(Op::Bool(holds)));
        }
        // A choice between constants against a constant is the condition, its opposite, or known.
        let ty = self.function.ty(a);
        let (choice, against, first) = match (left, right) {
            (None, Some(bits)) => (a, bits, true),
            (Some(bits), None) => (b, bits, false),
            _ => return None,
        };
        let inst = self.function.definition(choice)?;
        let (condition, yes, no) = match inst.op {
            Op::Select => (inst.args[0], self.constant(inst.args[1])?, self.constant(inst.args[2])?),
            Op::BToI => (inst.args[0], 1, 0),
            _ => return None,
        };
        let outcome = |bits: u64| {
            let args = if first { [bits, against] } else { [against, bits] };
            evaluate(op, ty, &args)
        };
        Some(match (outcome(yes)? != 0, outcome(no)? != 0) {
            (true, false) => Simpler::Value(condition),
            (false, true) => Simpler::Inst(Op::Not, smallvec![condition]),
            (same, _) => Simpler::Constant(Op::Bool(same)),
        })
    }

    fn integer(&self, op: &Op, a: Value, b: Value, x: Value, known: Option<u64>) -> Option<Simpler> {
        let ty = self.function.ty(a);
        let all = match ty {
            Type::Bool => 1,
            Type::B16 => 0xFFFF,
            Type::B32 => u64::from(u32::MAX),
            Type::B64 => u64::MAX,
        };
        if a == b {
            return match op {
                Op::And | Op::Or | Op::SMin | Op::SMax | Op::UMin | Op::UMax => Some(Simpler::Value(a)),
                Op::Xor | Op::ISub => Some(Simpler::Constant(constant_op(ty, 0))),
                _ => None,
            };
        }
        let Some(known) = known else { return self.sum(op, a, b) };
        match op {
            Op::IAdd | Op::ISub | Op::Or | Op::Xor | Op::Shl | Op::ShrU | Op::ShrS if known == 0 => {
                Some(Simpler::Value(x))
            }
            Op::IMul | Op::SDiv | Op::UDiv if known == 1 => Some(Simpler::Value(x)),
            Op::SRem | Op::URem if known == 1 => Some(Simpler::Constant(constant_op(ty, 0))),
            Op::UMax if known == 0 => Some(Simpler::Value(x)),
            Op::UMin if known == all => Some(Simpler::Value(x)),
            Op::SMulHigh | Op::UMulHigh | Op::UMin if known == 0 => {
                Some(Simpler::Constant(constant_op(ty, 0)))
            }
            Op::UMulHigh if known == 1 => Some(Simpler::Constant(constant_op(ty, 0))),
            Op::And if known == all => Some(Simpler::Value(x)),
            Op::And | Op::IMul if known == 0 => Some(Simpler::Constant(constant_op(ty, 0))),
            Op::Or if known == all => Some(Simpler::Constant(constant_op(ty, all))),
            Op::Xor if ty == Type::Bool => Some(Simpler::Inst(Op::Not, smallvec![x])),
            Op::IAdd => {
                // (y + c) + d is y + (c + d).
                let inner = self.function.definition(x).filter(|inner| inner.op == Op::IAdd)?;
                let (y, c) = match (self.constant(inner.args[0]), self.constant(inner.args[1])) {
                    (None, Some(c)) => (inner.args[0], c),
                    (Some(c), None) => (inner.args[1], c),
                    _ => return None,
                };
                let sum = evaluate(&Op::IAdd, ty, &[c, known])?;
                Some(Simpler::WithConstant(Op::IAdd, y, constant_op(ty, sum)))
            }
            _ => None,
        }
    }

    /// A sum with a negative is a difference, a word and its own multiple are another multiple.
    fn sum(&self, op: &Op, a: Value, b: Value) -> Option<Simpler> {
        let negated = |value: Value| {
            let inst = self.function.definition(value).filter(|inst| inst.op == Op::INeg)?;
            inst.args.first().copied()
        };
        // `n` of `of << n`.
        let shifted = |value: Value, of: Value| {
            let inst = self.function.definition(value).filter(|inst| inst.op == Op::Shl)?;
            let n = self.constant(inst.args[1]).filter(|n| *n < 32)?;
            (inst.args[0] == of && self.function.ty(of) == Type::B32).then_some(n)
        };
        let times = |of: Value, number: u32| Some(Simpler::WithConstant(Op::IMul, of, Op::B32(number)));
        match op {
            Op::IAdd => match (negated(a), negated(b), shifted(a, b), shifted(b, a)) {
                (_, Some(b), ..) => Some(Simpler::Inst(Op::ISub, smallvec![a, b])),
                (Some(a), ..) => Some(Simpler::Inst(Op::ISub, smallvec![b, a])),
                (_, _, Some(n), _) => times(b, (1 << n) + 1),
                (_, _, _, Some(n)) => times(a, (1 << n) + 1),
                _ => None,
            },
            // `0 - a` is the negative of `a`.
            Op::ISub if self.constant(a) == Some(0) => Some(Simpler::Inst(Op::INeg, smallvec![b])),
            Op::ISub => match (negated(b), shifted(a, b)) {
                (Some(b), _) => Some(Simpler::Inst(Op::IAdd, smallvec![a, b])),
                (_, Some(n)) => times(b, (1 << n) - 1),
                _ => None,
            },
            _ => None,
        }
    }

    /// The number of the lowest bit, which machines find as the highest one of the bits in reverse order:
    /// `highest == -1 ? -1 : 31 - highest`.
    fn lowest_bit(&self, condition: Value, none: Value, number: Value) -> Option<Simpler> {
        let definition = |value: Value, op: Op| self.function.definition(value).filter(|inst| inst.op == op);
        let minus_one = |value: Value| self.constant(value) == Some(u32::MAX.into());
        let compared = &definition(condition, Op::ICompare(CompareInt::Eq))?.args;
        let highest = match compared[..] {
            [a, b] if minus_one(b) => a,
            [a, b] if minus_one(a) => b,
            _ => return None,
        };
        let reversed = *definition(highest, Op::UFindMsb)?.args.first()?;
        let of = *definition(reversed, Op::BitReverse)?.args.first()?;
        let from = &definition(number, Op::ISub)?.args;
        let counts = self.constant(*from.first()?) == Some(31) && from.get(1) == Some(&highest);
        (counts && minus_one(none)).then(|| Simpler::Inst(Op::FindLsb, smallvec![of]))
    }

    fn ternary(&self, op: &Op, a: Value, b: Value, c: Value) -> Option<Simpler> {
        if *op != Op::Select {
            return None;
        }
        if let Some(condition) = self.constant(a) {
            return Some(Simpler::Value(if condition != 0 { b } else { c }));
        }
        if b == c {
            return Some(Simpler::Value(b));
        }
        if let Some(Inst { op: Op::Not, args, .. }) = self.function.definition(a) {
            return Some(Simpler::Inst(Op::Select, smallvec![args[0], c, b]));
        }
        if let Some(found) = self.lowest_bit(a, b, c) {
            return Some(found);
        }
        // In a choice the same choice is known.
        let chosen = |value: Value, side: usize| {
            let inst = self.function.definition(value).filter(|inst| inst.op == Op::Select)?;
            (inst.args.first() == Some(&a)).then(|| inst.args.get(side).copied())?
        };
        if let Some(inner) = chosen(b, 1) {
            return Some(Simpler::Inst(Op::Select, smallvec![a, inner, c]));
        }
        if let Some(inner) = chosen(c, 2) {
            return Some(Simpler::Inst(Op::Select, smallvec![a, b, inner]));
        }
        if self.function.ty(b) == Type::Bool {
            return match (self.constant(b), self.constant(c)) {
                (Some(1), Some(0)) => Some(Simpler::Value(a)),
                (Some(0), Some(1)) => Some(Simpler::Inst(Op::Not, smallvec![a])),
                (Some(1), None) => Some(Simpler::Inst(Op::Or, smallvec![a, c])),
                (None, Some(0)) => Some(Simpler::Inst(Op::And, smallvec![a, b])),
                _ => None,
            };
        }
        None
    }
}

/// Binary32, denormals kept, to nearest.
fn is_plain(mode: FloatMode) -> bool {
    mode == FloatMode::F32
}

/// The same NaN on every platform, which processors do not agree on.
fn one_nan(op: &Op, ty: Type, bits: u64) -> u64 {
    let computes = !matches!(op, Op::Select | Op::FNeg(_) | Op::FAbs(_));
    let is_float = matches!(
        op,
        Op::FAdd(_)
            | Op::FMul(..)
            | Op::FFma(..)
            | Op::FDiv(_)
            | Op::FMin(..)
            | Op::FMax(..)
            | Op::FRound(..)
            | Op::FRcp(_)
            | Op::FRsq(_)
            | Op::FSqrt(_)
            | Op::FExp2(_)
            | Op::FLog2(_)
            | Op::FSin(_)
            | Op::FCos(_)
            | Op::FAtan(_)
            | Op::FAtan2(_)
            | Op::Dot(_)
            | Op::Pow
            | Op::Clamp
            | Op::Mix
            | Op::Fract
            | Op::Compound(_)
            | Op::Length(_)
    );
    match ty {
        Type::B32 if computes && is_float && f32::from_bits(bits as u32).is_nan() => 0x7FC0_0000,
        Type::B64 if computes && is_float && f64::from_bits(bits).is_nan() => 0x7FF8_0000_0000_0000,
        _ => bits,
    }
}
