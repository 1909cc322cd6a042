//! The form of each pure operation.

use super::super::{Binary, Builtin, Expr, ExprKind, Helper, Scalar, Type, Unary};
use super::forms::{
    add, binary, broadcast, builtin, convert, float, helper, literal, negate, not, number, reinterpret,
    select, swizzle, ty, unary,
};
use super::statements::Unit;
use super::{Mode, counts, directed, halves, idioms};
use crate::{Axis, CompareFloat, CompareInt, Compound, FloatMode, MinMax, Multiply, Op, Round, Vote, Width};

impl Unit<'_> {
    /// The form of a pure operation.
    pub(super) fn operation(&mut self, op: &Op, result: Type, mut args: Vec<Expr>) -> Expr {
        let width = usize::from(result.components);
        if self.mode == Mode::Strict
            && let Some(plain) = unflushed(op)
        {
            let given = op.float_mode().map_or(Width::F32, |mode| mode.width);
            let taken = if let Op::FConvert(from, _) = *op { from } else { given };
            for arg in &mut args {
                if arg.ty.scalar.is_float() {
                    let inner = std::mem::replace(arg, float(0.0));
                    *arg = flush(taken, inner);
                }
            }
            let value = self.operation(&plain, result, args);
            return if value.ty.scalar.is_float() { flush(given, value) } else { value };
        }
        if (self.mode == Mode::Strict || directed::is_coarse(op))
            && let Some(value) = directed::form(op, result, &args)
        {
            return value;
        }
        if let Some(mode) = op.float_mode().filter(|mode| mode.width == Width::F16) {
            return self.half(op, mode, result, args);
        }
        let strict = self.mode == Mode::Strict;
        // Functions take one number for all components of a vector, as a person writes it.
        let plain = !strict && self.module.from_shading_language;
        let one_for_all = |args: Vec<Expr>, from: usize| -> Vec<Expr> {
            let single = |expr: &Expr| expr.ty.components == 1;
            let fits = args[from.min(args.len())..].iter().all(single);
            let widened = args.iter().take(from).any(|arg| !single(arg));
            let wide = |(at, arg)| if fits && widened && at >= from { arg } else { broadcast(arg, width) };
            args.into_iter().enumerate().map(wide).collect()
        };
        let full =
            |args: Vec<Expr>| -> Vec<Expr> { args.into_iter().map(|arg| broadcast(arg, width)).collect() };
        // Operators take a scalar and a vector; two scalars for a vector need one to be widened.
        let pair = |mut args: Vec<Expr>| -> (Expr, Expr) {
            let b = args.pop().unwrap_or_else(|| float(0.0));
            let a = args.pop().unwrap_or_else(|| float(0.0));
            let narrow = usize::from(a.ty.components.max(b.ty.components)) < width;
            let both = !a.ty.scalar.is_float();
            let a = if narrow || both { broadcast(a, width) } else { a };
            let b = if both { broadcast(b, width) } else { b };
            (a, b)
        };
        let one = |args: Vec<Expr>| args.into_iter().next().unwrap_or_else(|| float(0.0));
        let call = |function: Builtin, args: Vec<Expr>| builtin(function, result, full(args));
        let ask = |function: Helper, args: Vec<Expr>| helper(function, result, full(args));
        match *op {
            Op::FAdd(_) => {
                let (a, b) = pair(args);
                let sum = add(a, b);
                if plain { idioms::sum(sum) } else { sum }
            }
            Op::FMul(_, rule) => {
                let (a, b) = pair(args);
                multiply(a, b, rule, result)
            }
            // Divisions of doubles are made of remainders that are exact.
            Op::FFma(mode, rule) if strict || mode.width == Width::F64 => fused(full(args), rule, result),
            Op::FFma(..) => {
                let c = args.pop().unwrap_or_else(|| float(0.0));
                let (a, b) = pair(args);
                add(binary(Binary::Mul, a, b), c)
            }
            Op::FDiv(_) => {
                let (a, b) = pair(args);
                binary(Binary::Div, a, b)
            }
            Op::FNeg(_) => negate(broadcast(one(args), width)),
            Op::FAbs(_) => call(Builtin::Abs, args),
            Op::FMin(_, rule) if strict => ask(
                match rule {
                    MinMax::SecondUnlessOrdered => Helper::MinSecond,
                    MinMax::Number => Helper::MinNumber,
                },
                args,
            ),
            Op::FMax(_, rule) if strict => ask(
                match rule {
                    MinMax::SecondUnlessOrdered => Helper::MaxSecond,
                    MinMax::Number => Helper::MaxNumber,
                },
                args,
            ),
            Op::FMin(..) if plain => builtin(Builtin::Min, result, one_for_all(args, 1)),
            Op::FMax(..) if plain => builtin(Builtin::Max, result, one_for_all(args, 1)),
            // The amount of a number.
            Op::SMax if !strict && result.scalar == Scalar::Int && is_opposite(&args) => {
                let amount = args.into_iter().find(|arg| !matches!(arg.kind, ExprKind::Unary(..)));
                call(Builtin::Abs, amount.into_iter().collect())
            }
            Op::SMin | Op::UMin if !strict && bounds(&args).is_some() => {
                call(Builtin::Clamp, bounds(&args).map(Vec::from).unwrap_or_default())
            }
            Op::FMin(..) | Op::SMin | Op::UMin => call(Builtin::Min, args),
            Op::FMax(..) | Op::SMax | Op::UMax => call(Builtin::Max, args),
            Op::SMulHigh => ask(Helper::MulHighInt, args),
            Op::UMulHigh => ask(Helper::MulHighUint, args),
            Op::SDiv if strict => ask(Helper::DivideInt, args),
            Op::UDiv if strict => ask(Helper::DivideUint, args),
            Op::SRem if strict => ask(Helper::RemainderInt, args),
            Op::URem if strict => ask(Helper::RemainderUint, args),
            Op::SDiv | Op::UDiv => {
                let (a, b) = pair(args);
                binary(Binary::Div, a, b)
            }
            Op::SRem | Op::URem => {
                let (a, b) = pair(args);
                binary(Binary::Rem, a, b)
            }
            Op::FRound(_, round) => call(rounding(round), args),
            Op::FSaturate(_) if strict => ask(Helper::Saturate, args),
            Op::FSaturate(_) => {
                let limits = [number(result.scalar, 0.0), number(result.scalar, 1.0)];
                if plain {
                    return builtin(
                        Builtin::Clamp,
                        result,
                        one_for_all(args.into_iter().chain(limits).collect(), 1),
                    );
                }
                call(Builtin::Clamp, args.into_iter().chain(limits).collect())
            }
            Op::FRcp(_) => binary(Binary::Div, number(result.scalar, 1.0), broadcast(one(args), width)),
            Op::FRsq(_) if strict => {
                let root = call(Builtin::Sqrt, args);
                binary(Binary::Div, number(result.scalar, 1.0), root)
            }
            Op::FRsq(_) => call(Builtin::InverseSqrt, args),
            Op::FSqrt(_) => call(Builtin::Sqrt, args),
            Op::FExp2(_) => call(Builtin::Exp2, args),
            Op::FLog2(_) => call(Builtin::Log2, args),
            Op::FSin(_) => call(Builtin::Sin, args),
            Op::FCos(_) => call(Builtin::Cos, args),
            Op::FAtan(_) => call(Builtin::Atan, args),
            Op::FAtan2(_) => call(Builtin::Atan2, args),
            Op::Derivative(Axis::X, _) => call(Builtin::DerivativeX, args),
            Op::Derivative(Axis::Y, _) => call(Builtin::DerivativeY, args),
            Op::FCompare(by, _) => {
                if width == 1 {
                    let (a, b) = pair(args);
                    compare_truth(by, &a, &b).unwrap_or_else(|| binary(comparison(by), a, b))
                } else {
                    call(lanes_comparison(by), args)
                }
            }
            Op::FIsNan(_) => call(Builtin::IsNan, args),
            Op::IAdd => {
                let (a, b) = pair(args);
                add(a, b)
            }
            Op::ISub => {
                let (a, b) = pair(args);
                binary(Binary::Sub, a, b)
            }
            Op::IMul => {
                let (a, b) = pair(args);
                binary(Binary::Mul, a, b)
            }
            Op::INeg if result.scalar == Scalar::Int => unary(Unary::Negate, broadcast(one(args), width)),
            Op::INeg => {
                let zero = broadcast(literal(result.scalar, &[0]), width);
                binary(Binary::Sub, zero, broadcast(one(args), width))
            }
            Op::ICompare(by) => {
                let (a, b) = pair(args);
                compare_integers(by, a, b)
            }
            Op::And | Op::Or | Op::Xor => {
                let (a, b) = pair(args);
                let truth = result.scalar == Scalar::Bool;
                let operator = match (op, truth) {
                    (Op::And, true) => Binary::LogicalAnd,
                    (Op::Or, true) => Binary::LogicalOr,
                    (_, true) => Binary::LogicalXor,
                    (Op::And, false) => Binary::BitAnd,
                    (Op::Or, false) => Binary::BitOr,
                    (_, false) => Binary::BitXor,
                };
                binary(operator, a, b)
            }
            Op::Not if result.scalar == Scalar::Bool => self.inverted(one(args)),
            Op::Not => unary(Unary::BitNot, broadcast(one(args), width)),
            Op::Shl | Op::ShrU | Op::ShrS => {
                let (a, b) = pair(args);
                shift(op, a, b)
            }
            Op::FToS(_, round) | Op::FToU(_, round) => {
                let mut a = broadcast(one(args), width);
                if round != Round::Zero {
                    let whole = a.ty;
                    a = builtin(rounding(round), whole, vec![a]);
                }
                match (op, strict) {
                    (Op::FToS(..), true) => helper(Helper::ToIntSaturate, result, vec![a]),
                    (_, true) => helper(Helper::ToUintSaturate, result, vec![a]),
                    _ => convert(result.scalar, a),
                }
            }
            Op::SToF(_) | Op::UToF(_) | Op::BToI => {
                let a = broadcast(one(args), width);
                convert(result.scalar, a)
            }
            Op::Select => {
                let choice = self.choose(result, args);
                if plain { idioms::choice(choice) } else { choice }
            }
            Op::Dot(_) => {
                let lanes = args.iter().map(|arg| usize::from(arg.ty.components)).max().unwrap_or(1);
                let args = args.into_iter().map(|arg| broadcast(arg, lanes)).collect();
                builtin(Builtin::Dot, result, args)
            }
            Op::Length(_) => builtin(Builtin::Length, result, args),
            Op::Pow => call(Builtin::Pow, args),
            Op::Clamp if plain => builtin(Builtin::Clamp, result, one_for_all(args, 1)),
            Op::Mix if plain => builtin(Builtin::Mix, result, one_for_all(args, 2)),
            Op::Clamp => call(Builtin::Clamp, args),
            Op::Mix => call(Builtin::Mix, args),
            Op::Fract => call(Builtin::Fract, args),
            Op::Compound(compound) => {
                let (function, from) = match compound {
                    Compound::Exp => (Builtin::Exp, 1),
                    Compound::Log => (Builtin::Log, 1),
                    Compound::Sign => (Builtin::Sign, 1),
                    Compound::Modulo => (Builtin::Modulo, 1),
                    Compound::Tan => (Builtin::Tan, 1),
                    Compound::Asin => (Builtin::Asin, 1),
                    Compound::Acos => (Builtin::Acos, 1),
                    Compound::Atan => (Builtin::AtanNear, 1),
                    Compound::Atan2 => (Builtin::Atan2Near, 0),
                    Compound::Sinh => (Builtin::Sinh, 1),
                    Compound::Cosh => (Builtin::Cosh, 1),
                    Compound::Tanh => (Builtin::Tanh, 1),
                    Compound::Asinh => (Builtin::Asinh, 1),
                    Compound::Acosh => (Builtin::Acosh, 1),
                    Compound::Atanh => (Builtin::Atanh, 1),
                    Compound::Significand => (Builtin::Significand, 1),
                    // The number is the last one, and the others may be one for all.
                    Compound::Step => (Builtin::Step, 0),
                    Compound::Smoothstep => (Builtin::Smoothstep, 0),
                };
                match from {
                    1 if plain => builtin(function, result, one_for_all(args, 1)),
                    _ => call(function, args),
                }
            }
            Op::Exponent => call(Builtin::Exponent, args),
            Op::FConvert(..) => {
                let a = broadcast(one(args), width);
                if a.ty.scalar == result.scalar { a } else { convert(result.scalar, a) }
            }
            Op::Join if result.scalar == Scalar::Double => builtin(Builtin::PackDouble, result, args),
            Op::Join if strict => halves::joined(result, args),
            Op::Join => halves::packed(result, args),
            Op::Low | Op::High => {
                let a = one(args);
                let halves = match a.ty.scalar {
                    Scalar::Double => builtin(Builtin::UnpackDouble, ty(Scalar::Uint, 2), vec![a]),
                    _ => builtin(Builtin::UnpackHalf, ty(Scalar::Float, 2), vec![a]),
                };
                swizzle(halves, &[u8::from(matches!(op, Op::High))])
            }
            Op::BufferLength(length) => counts::count(&self.interface.memories, length),
            Op::BitCount => call(Builtin::BitCount, args),
            Op::BitReverse => call(Builtin::BitReverse, args),
            Op::PackNorm(norm) => builtin(Builtin::PackNorm(norm), result, args),
            Op::UnpackNorm(norm, field) => {
                let all =
                    builtin(Builtin::UnpackNorm(norm), ty(Scalar::Float, norm.fields()), vec![one(args)]);
                swizzle(all, &[field])
            }
            Op::FindLsb => call(Builtin::FindLsb, args),
            Op::UFindMsb | Op::SFindMsb => call(Builtin::FindMsb, args),
            Op::UBitExtract | Op::SBitExtract | Op::BitInsert => bit_field(op, result, args, strict),
            Op::Vote(vote) => {
                let function = match vote {
                    Vote::All => Builtin::VoteAll,
                    Vote::Any => Builtin::VoteAny,
                    Vote::Equal => Builtin::VoteEqual,
                };
                builtin(function, result, args)
            }
            Op::Ballot => builtin(Builtin::Ballot, result, args),
            Op::Shuffle => builtin(Builtin::Shuffle, result, args),
            Op::Bool(_)
            | Op::B16(_)
            | Op::B32(_)
            | Op::B64(_)
            | Op::ReadVar(_)
            | Op::WriteVar(_)
            | Op::Load(_)
            | Op::Store(_)
            | Op::Call(_)
            | Op::EmitVertex(_)
            | Op::EndPrimitive(_)
            | Op::Atomic(..)
            | Op::Interpolate(..)
            | Op::Image(_)
            | Op::Barrier(_)
            | Op::Demote
            | Op::FToS64(..)
            | Op::FToU64(..)
            | Op::Texture(_)
            | Op::QuadRead(_)
            | Op::Cross
            | Op::Refract(_)
            | Op::InverseTimes(_)
            | Op::TimesInverse(_)
            | Op::Normalize(_) => literal(result.scalar, &vec![0; width]),
        }
    }

    /// An operation on floats of 16 bits, which are floats of the same values here.
    fn half(&mut self, op: &Op, mode: FloatMode, result: Type, args: Vec<Expr>) -> Expr {
        let width = usize::from(result.components);
        if matches!(op, Op::FFma(..)) && self.mode == Mode::Strict {
            return helper(
                Helper::FmaHalf,
                result,
                args.into_iter().map(|arg| broadcast(arg, width)).collect(),
            );
        }
        if let Op::FConvert(Width::F64, _) = op {
            return helper(Helper::RoundHalf, result, args);
        }
        let mut wide = *op;
        if let Some(own) = wide.float_mode_mut() {
            *own = FloatMode { width: Width::F32, flush: false, ..mode };
        }
        let value = self.operation(&wide, result, args);
        // What only chooses or cuts stays a float of 16 bits.
        let stays = matches!(
            op,
            Op::FCompare(..) | Op::FMin(..) | Op::FMax(..) | Op::FSaturate(_) | Op::FConvert(Width::F16, _)
        );
        if stays { value } else { helper(Helper::RoundHalf, result, vec![value]) }
    }

    fn choose(&mut self, result: Type, args: Vec<Expr>) -> Expr {
        let width = usize::from(result.components);
        let mut args = args.into_iter();
        let (Some(condition), Some(a), Some(b)) = (args.next(), args.next(), args.next()) else {
            return literal(result.scalar, &vec![0; width]);
        };
        let is = |expr: &Expr, value: u64| match &expr.kind {
            ExprKind::Literal(bits) => bits.iter().all(|bits| *bits == value),
            _ => false,
        };
        let one = match result.scalar {
            Scalar::Float => 1.0f32.to_bits().into(),
            Scalar::Double => 1.0f64.to_bits(),
            _ => 1,
        };
        if result.scalar != Scalar::Bool && is(&a, one) && is(&b, 0) {
            return convert(result.scalar, broadcast(condition, width));
        }
        if condition.ty.components == 1 {
            if result.scalar == Scalar::Bool && is(&a, 1) && is(&b, 0) {
                return condition;
            }
            if result.scalar != Scalar::Bool && is(&a, 0) && is(&b, one) {
                return convert(result.scalar, broadcast(self.inverted(condition), width));
            }
            return select(condition, broadcast(a, width), broadcast(b, width));
        }
        let (a, b) = (broadcast(a, width), broadcast(b, width));
        builtin(Builtin::Choose, result, vec![b, a, condition])
    }
}

/// Fields of bits: the functions of the languages where the field lies inside of the word.
fn bit_field(op: &Op, result: Type, args: Vec<Expr>, strict: bool) -> Expr {
    let known = |expr: Option<&Expr>| match expr.map(|expr| &expr.kind) {
        Some(ExprKind::Literal(bits)) => bits.first().copied(),
        _ => None,
    };
    let mut last = args.iter().rev();
    let (count, offset) = (known(last.next()), known(last.next()));
    let inside = match (offset, count) {
        (Some(offset), Some(count)) => offset.checked_add(count).is_some_and(|end| end <= 32),
        _ => false,
    };
    let plain = inside || !strict && (offset.is_none() || count.is_none());
    match (op, plain) {
        (Op::BitInsert, true) => builtin(Builtin::BitInsert, result, args),
        (Op::BitInsert, false) => helper(Helper::BitInsert, result, args),
        (_, true) => builtin(Builtin::BitExtract, result, args),
        (Op::SBitExtract, false) => helper(Helper::BitExtractInt, result, args),
        (_, false) => helper(Helper::BitExtractUint, result, args),
    }
}

/// A number between two others of which the first is not above the second, where the lesser of two is taken.
fn bounds(args: &[Expr]) -> Option<[Expr; 3]> {
    let number = |expr: &Expr| match (&expr.kind, expr.ty.scalar) {
        (ExprKind::Literal(bits), Scalar::Int) if bits.iter().all(|other| *other == bits[0]) => {
            Some(i64::from(bits[0] as u32 as i32))
        }
        (ExprKind::Literal(bits), Scalar::Uint) if bits.iter().all(|other| *other == bits[0]) => {
            Some(i64::from(bits[0] as u32))
        }
        _ => None,
    };
    let [a, b] = args else { return None };
    let (raised, high) = if number(b).is_some() { (a, b) } else { (b, a) };
    let ExprKind::Builtin(Builtin::Max, inner) = &raised.kind else { return None };
    let [x, y] = &inner[..] else { return None };
    let (x, low) = if number(y).is_some() { (x, y) } else { (y, x) };
    (number(low)? <= number(high)?).then(|| [x.clone(), low.clone(), high.clone()])
}

/// Whether one of two numbers is the other's negative.
fn is_opposite(args: &[Expr]) -> bool {
    let minus =
        |a: &Expr, b: &Expr| matches!(&a.kind, ExprKind::Unary(Unary::Negate, inner) if **inner == *b);
    matches!(args, [a, b] if minus(a, b) || minus(b, a))
}

pub(super) fn multiply(a: Expr, b: Expr, rule: Multiply, result: Type) -> Expr {
    // By a number that is neither zero nor infinite there is no infinity times zero.
    let tame = |expr: &Expr| match &expr.kind {
        ExprKind::Literal(bits) => {
            let double = expr.ty.scalar == Scalar::Double;
            let value =
                |bits: u64| if double { f64::from_bits(bits) } else { f32::from_bits(bits as u32).into() };
            bits.iter().map(|bits| value(*bits)).all(|value| value.is_finite() && value != 0.0)
        }
        _ => false,
    };
    let exact = |function: Helper, a: Expr, b: Expr| {
        let width = result.components.into();
        helper(function, result, vec![broadcast(a, width), broadcast(b, width)])
    };
    match rule {
        Multiply::InfTimesZero if !(tame(&a) || tame(&b)) => exact(Helper::MulInfTimesZero, a, b),
        Multiply::ZeroWins => exact(Helper::MulZeroWins, a, b),
        _ => binary(Binary::Mul, a, b),
    }
}

/// `a * b + c` rounded once, by a multiplication rule that `fma` does not have.
fn fused(args: Vec<Expr>, rule: Multiply, result: Type) -> Expr {
    let plain = builtin(Builtin::Fma, result, args.clone());
    let mut args = args.into_iter();
    let (Some(a), Some(b), Some(c)) = (args.next(), args.next(), args.next()) else { return plain };
    let nan = |expr: Expr| builtin(Builtin::IsNan, ty(Scalar::Bool, 1), vec![expr]);
    let special = match rule {
        Multiply::Ieee => return plain,
        Multiply::InfTimesZero => {
            let exact = helper(Helper::MulInfTimesZero, result, vec![a.clone(), b.clone()]);
            binary(Binary::LogicalAnd, nan(binary(Binary::Mul, a, b)), not(nan(exact)))
        }
        Multiply::ZeroWins => {
            let zero = |expr: Expr| binary(Binary::Eq, expr, number(result.scalar, 0.0));
            binary(Binary::LogicalOr, zero(a), zero(b))
        }
    };
    select(special, binary(Binary::Add, number(result.scalar, 0.0), c), plain)
}

/// A denormal of so many bits as the zero of its sign.
fn flush(width: Width, a: Expr) -> Expr {
    let function = if width == Width::F16 { Helper::FlushHalf } else { Helper::FlushDenormal };
    helper(function, a.ty, vec![a])
}

/// An operation that flushes denormals, without doing so. Conversions from integers meet none.
fn unflushed(op: &Op) -> Option<Op> {
    let mut plain = *op;
    match plain.float_mode_mut() {
        Some(mode) if mode.flush && !matches!(op, Op::SToF(_) | Op::UToF(_)) => {
            mode.flush = false;
            Some(plain)
        }
        _ => None,
    }
}

fn rounding(round: Round) -> Builtin {
    match round {
        Round::Nearest => Builtin::RoundEven,
        Round::Zero => Builtin::Trunc,
        Round::Down => Builtin::Floor,
        Round::Up => Builtin::Ceil,
    }
}

fn comparison(by: CompareFloat) -> Binary {
    match by {
        CompareFloat::Eq => Binary::Eq,
        CompareFloat::Ne => Binary::Ne,
        CompareFloat::Lt => Binary::Lt,
        CompareFloat::Le => Binary::Le,
        CompareFloat::Gt => Binary::Gt,
        CompareFloat::Ge => Binary::Ge,
    }
}

fn lanes_comparison(by: CompareFloat) -> Builtin {
    match by {
        CompareFloat::Eq => Builtin::Equal,
        CompareFloat::Ne => Builtin::NotEqual,
        CompareFloat::Lt => Builtin::LessThan,
        CompareFloat::Le => Builtin::LessThanEqual,
        CompareFloat::Gt => Builtin::GreaterThan,
        CompareFloat::Ge => Builtin::GreaterThanEqual,
    }
}

fn compare_integers(by: CompareInt, a: Expr, b: Expr) -> Expr {
    // A truth value as a number, compared with 0 or 1, is the truth value or its opposite.
    if let (CompareInt::Eq | CompareInt::Ne, ExprKind::Convert(inner), ExprKind::Literal(bits)) =
        (by, &a.kind, &b.kind)
        && inner.ty.scalar == Scalar::Bool
        && let [bits @ (0 | 1)] = bits[..]
    {
        let same = (by == CompareInt::Eq) == (bits == 1);
        return if same { (**inner).clone() } else { not((**inner).clone()) };
    }
    let operator = match by {
        CompareInt::Eq => Binary::Eq,
        CompareInt::Ne => Binary::Ne,
        CompareInt::Slt | CompareInt::Ult => Binary::Lt,
        CompareInt::Sle | CompareInt::Ule => Binary::Le,
    };
    binary(operator, a, b)
}

/// A truth value as a float, compared with 0 or 1, is the truth value or its opposite.
fn compare_truth(by: CompareFloat, a: &Expr, b: &Expr) -> Option<Expr> {
    let (ExprKind::Convert(inner), ExprKind::Literal(bits)) = (&a.kind, &b.kind) else { return None };
    if inner.ty.scalar != Scalar::Bool {
        return None;
    }
    let unit = if a.ty.scalar == Scalar::Double { 1.0f64.to_bits() } else { 1.0f32.to_bits().into() };
    let one = match bits[..] {
        [bits] if bits == unit => true,
        [bits] if bits & !a.ty.scalar.sign_bit() == 0 => false,
        _ => return None,
    };
    let same = match by {
        CompareFloat::Eq => one,
        CompareFloat::Ne => !one,
        // Above 0 is only 1.
        CompareFloat::Gt if !one => true,
        CompareFloat::Le if !one => false,
        _ => return None,
    };
    Some(if same { (**inner).clone() } else { not((**inner).clone()) })
}

/// Shifts by 32 and more are defined here, but not in the target languages.
fn shift(op: &Op, a: Expr, by: Expr) -> Expr {
    let operator = if matches!(op, Op::Shl) { Binary::ShiftLeft } else { Binary::ShiftRight };
    if let ExprKind::Literal(bits) = &by.kind {
        let wide = bits.iter().any(|bits| *bits >= 32);
        let by = match (op, wide) {
            (_, false) => by,
            (Op::ShrS, true) => literal(by.ty.scalar, &vec![31; bits.len()]),
            _ => return literal(a.ty.scalar, &vec![0; a.ty.components.into()]),
        };
        return binary(operator, a, by);
    }
    let by = reinterpret(Scalar::Uint, by);
    let width = by.ty;
    if matches!(op, Op::ShrS) {
        let by = builtin(Builtin::Min, width, vec![by, literal(Scalar::Uint, &[31])]);
        return binary(operator, a, by);
    }
    let zero = literal(a.ty.scalar, &[0]);
    let inside = binary(Binary::Lt, by.clone(), literal(Scalar::Uint, &[32]));
    select(inside, binary(operator, a, by), zero)
}
