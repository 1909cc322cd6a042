//! The functions of [`super::helper`] of doubles. What needs their bits takes them by words.

use super::helper::{
    BOOL, FLOAT, INT, UINT, binary, bits, convert, from_words, function, literal, local, select,
};
use unshade_ir::ast::{self, Binary, Builtin, Expr, ExprKind, Helper, Scalar, Type};

pub(super) const DOUBLE: Type = Type { scalar: Scalar::Double, components: 1 };

pub(super) fn double(value: f64) -> Expr {
    Expr::new(DOUBLE, ExprKind::Literal(vec![value.to_bits()]))
}

pub(super) fn call(ty: Type, builtin: Builtin, operands: Vec<Expr>) -> Expr {
    Expr::new(ty, ExprKind::Builtin(builtin, operands))
}

/// A word of a double; 0: the lower.
pub(super) fn word(value: Expr, which: u8) -> Expr {
    let pair = call(Type { scalar: Scalar::Uint, components: 2 }, Builtin::UnpackDouble, vec![value]);
    Expr::new(UINT, ExprKind::Swizzle(Box::new(pair), vec![which]))
}

pub(super) fn and(value: Expr, mask: u32) -> Expr {
    binary(Binary::BitAnd, UINT, value, literal(UINT, mask))
}

pub(super) fn both(a: Expr, b: Expr) -> Expr {
    binary(Binary::LogicalAnd, BOOL, a, b)
}

pub(super) fn either(a: Expr, b: Expr) -> Expr {
    binary(Binary::LogicalOr, BOOL, a, b)
}

fn is_nan(value: Expr) -> Expr {
    call(BOOL, Builtin::IsNan, vec![value])
}

fn is_zero(value: Expr) -> Expr {
    binary(Binary::Eq, BOOL, value, double(0.0))
}

pub(super) fn is_infinite(value: Expr) -> Expr {
    let high = and(word(value.clone(), 1), 0x7FFF_FFFF);
    let high = binary(Binary::Eq, BOOL, high, literal(UINT, 0x7FF0_0000));
    both(high, binary(Binary::Eq, BOOL, word(value, 0), literal(UINT, 0)))
}

/// `a` where it compares so with `b`, where `b` is NaN, or where both are equal and its sign fits.
fn number(compare: Binary, a: Expr, b: Expr, negative: bool) -> Expr {
    let op = if negative { Binary::Ne } else { Binary::Eq };
    let sign_fits = binary(op, BOOL, and(word(a.clone(), 1), 0x8000_0000), literal(UINT, 0));
    let tie = both(binary(Binary::Eq, BOOL, a.clone(), b.clone()), sign_fits);
    let ordered = binary(compare, BOOL, a.clone(), b.clone());
    select(either(either(is_nan(b.clone()), ordered), tie), a, b)
}

pub(super) fn scalar(helper: Helper) -> ast::Function {
    let (a, b) = (|| local(0, DOUBLE), || local(1, DOUBLE));
    let (one, two) = ([DOUBLE], [DOUBLE; 2]);
    let product = || binary(Binary::Mul, DOUBLE, a(), b());
    match helper {
        Helper::MulInfTimesZero => {
            let special = either(both(is_zero(a()), is_infinite(b())), both(is_zero(b()), is_infinite(a())));
            function("mul0_double", &two, select(special, double(0.0), product()))
        }
        Helper::MulZeroWins => {
            let special = either(is_zero(a()), is_zero(b()));
            function("mulZeroWins_double", &two, select(special, double(0.0), product()))
        }
        Helper::MaxSecond => {
            function("maxSecond_double", &two, select(binary(Binary::Gt, BOOL, a(), b()), a(), b()))
        }
        Helper::MinSecond => {
            function("minSecond_double", &two, select(binary(Binary::Lt, BOOL, a(), b()), a(), b()))
        }
        Helper::MinNumber => function("minNumber_double", &two, number(Binary::Lt, a(), b(), true)),
        Helper::MaxNumber => function("maxNumber_double", &two, number(Binary::Gt, a(), b(), false)),
        Helper::Saturate => {
            let inside = select(binary(Binary::Lt, BOOL, a(), double(1.0)), a(), double(1.0));
            let positive = binary(Binary::Gt, BOOL, a(), double(0.0));
            function("saturate_double", &one, select(positive, inside, double(0.0)))
        }
        Helper::ToIntSaturate => {
            let inside = binary(Binary::Lt, BOOL, a(), double(2_147_483_648.0));
            let above = select(inside, convert(INT, a()), literal(INT, 0x7FFF_FFFF));
            let below = binary(Binary::Le, BOOL, a(), double(-2_147_483_649.0));
            let value = select(below, literal(INT, 0x8000_0000), above);
            function("toInt_double", &one, select(is_nan(a()), literal(INT, 0), value))
        }
        Helper::ToUintSaturate => {
            let inside = binary(Binary::Lt, BOOL, a(), double(4_294_967_296.0));
            let above = select(inside, convert(UINT, a()), literal(UINT, u32::MAX));
            let positive = binary(Binary::Gt, BOOL, a(), double(0.0));
            function("toUint_double", &one, select(positive, above, literal(UINT, 0)))
        }
        Helper::FlushDenormal => {
            let denormal = binary(Binary::Eq, BOOL, and(word(a(), 1), 0x7FF0_0000), literal(UINT, 0));
            let zero = from_words(vec![literal(UINT, 0), and(word(a(), 1), 0x8000_0000)]);
            function("flushDenormal_double", &one, select(denormal, zero, a()))
        }
        Helper::RoundHalf => function("roundHalf_double", &one, round_half(a())),
        // Refused before, or of integers.
        _ => function("same_double", &one, a()),
    }
}

/// The nearest float of 16 bits of a double, rounded once: that of 32 bits is made odd where it is not exact.
fn round_half(a: Expr) -> Expr {
    let near = || convert(FLOAT, a.clone());
    let back = || convert(DOUBLE, near());
    let amount = |value: Expr| call(value.ty, Builtin::Abs, vec![value]);
    let even = binary(Binary::Eq, BOOL, and(bits(near()), 1), literal(UINT, 0));
    let finite = binary(Binary::Ne, BOOL, and(bits(near()), 0x7F80_0000), literal(UINT, 0x7F80_0000));
    let inexact = both(binary(Binary::Ne, BOOL, back(), a.clone()), both(finite, even));
    let below = binary(Binary::Lt, BOOL, amount(back()), amount(a.clone()));
    let step = select(below, literal(UINT, 1), literal(UINT, u32::MAX));
    let odd = binary(Binary::Add, UINT, bits(near()), select(inexact, step, literal(UINT, 0)));
    let odd = super::helper::bits_to_float(odd);
    let pair = Type { scalar: Scalar::Float, components: 2 };
    let zero = Expr::new(FLOAT, ExprKind::Literal(vec![0]));
    let both = Expr::new(pair, ExprKind::Construct(vec![odd, zero]));
    let halves = call(pair, Builtin::UnpackHalf, vec![call(UINT, Builtin::PackHalf, vec![both])]);
    Expr::new(FLOAT, ExprKind::Swizzle(Box::new(halves), vec![0]))
}
