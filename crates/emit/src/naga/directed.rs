//! The functions of [`super::helper`] that round toward zero, down or up: from the nearest result one step by its bits,
//! where what rounding lost says so.

use super::double_helper::{DOUBLE, and, both, call, double, either, is_infinite, word};
use super::helper::{
    BOOL, FLOAT, UINT, binary, bits, bits_to_float, convert, from_words, function, literal, local, select,
};
use unshade_ir::Round;
use unshade_ir::ast::{self, Binary, Builtin, Expr, ExprKind, Helper, Scalar, Type, Unary};

/// The function, if it is one that rounds in a direction.
pub(super) fn scalar(helper: Helper, kind: Scalar) -> Option<ast::Function> {
    let name = |what: &str, round: Round| format!("{what}_{}", format!("{round:?}").to_lowercase());
    let (a, b) = (|| local(0, DOUBLE), || local(1, DOUBLE));
    let two = [DOUBLE; 2];
    Some(match helper {
        Helper::ToSingle(round) => function(&name("toSingle", round), &[DOUBLE], to_single(a(), round)),
        Helper::ToHalf(round) => {
            let ty = Type { scalar: kind, components: 1 };
            let what = if kind == Scalar::Double { "toHalf_double" } else { "toHalf" };
            function(&name(what, round), &[ty], to_half(local(0, ty), round))
        }
        Helper::SumToSingle(round) => {
            let odd = Expr::new(FLOAT, ExprKind::Helper(Helper::ToSingle(round), vec![odd_sum(a(), b())]));
            let zero = bits_to_float(literal(UINT, 1 << 31));
            function(&name("sumToSingle", round), &two, negative_zero(a(), b(), round, zero, odd))
        }
        Helper::AddToward(round) => {
            let sum = binary(Binary::Add, DOUBLE, a(), b());
            let lost = overflow(&sum, rest_of_sum(a(), b()), a(), b());
            let zero = from_words(vec![literal(UINT, 0), literal(UINT, 1 << 31)]);
            let value = stepped(sum, &lost, round);
            function(&name("add", round), &two, negative_zero(a(), b(), round, zero, value))
        }
        Helper::MulToward(round) => {
            let product = binary(Binary::Mul, DOUBLE, a(), b());
            let lost = overflow(&product, rest_of_product(a(), b()), a(), b());
            function(&name("multiply", round), &two, stepped(product, &lost, round))
        }
        _ => return None,
    })
}

fn amount(value: Expr) -> Expr {
    call(value.ty, Builtin::Abs, vec![value])
}

fn negated(value: Expr) -> Expr {
    Expr::new(value.ty, ExprKind::Unary(Unary::Negate, Box::new(value)))
}

fn compared(by: Binary, a: Expr, b: Expr) -> Expr {
    binary(by, BOOL, a, b)
}

fn plus(value: Expr, step: Expr) -> Expr {
    binary(Binary::Add, UINT, value, step)
}

/// 1 where a condition holds, else what is given.
fn one_or(condition: Expr, other: u32) -> Expr {
    select(condition, literal(UINT, 1), literal(UINT, other))
}

/// The bits of a number next to `near` that is not beyond `exact`. The lower bits of a negative number are above it.
fn neighbour(near: &Expr, exact: &Expr, bits: &Expr, sign: u32, round: Round) -> Expr {
    let negative = compared(Binary::Ge, bits.clone(), literal(UINT, sign));
    let (beyond, step) = match round {
        Round::Nearest => return bits.clone(),
        Round::Zero => {
            (compared(Binary::Gt, amount(near.clone()), amount(exact.clone())), literal(UINT, u32::MAX))
        }
        Round::Down => (compared(Binary::Gt, near.clone(), exact.clone()), one_or(negative, u32::MAX)),
        Round::Up => {
            let step = select(negative, literal(UINT, u32::MAX), literal(UINT, 1));
            (compared(Binary::Lt, near.clone(), exact.clone()), step)
        }
    };
    plus(bits.clone(), select(beyond, step, literal(UINT, 0)))
}

fn to_single(a: Expr, round: Round) -> Expr {
    let near = convert(FLOAT, a.clone());
    bits_to_float(neighbour(&convert(DOUBLE, near.clone()), &a, &bits(near), 1 << 31, round))
}

fn to_half(a: Expr, round: Round) -> Expr {
    let pair = Type { scalar: Scalar::Float, components: 2 };
    let given = if a.ty == DOUBLE { convert(FLOAT, a.clone()) } else { a.clone() };
    let zero = Expr::new(FLOAT, ExprKind::Literal(vec![0]));
    let two = Expr::new(pair, ExprKind::Construct(vec![given, zero]));
    let packed = call(UINT, Builtin::PackHalf, vec![two]);
    let value = |bits: Expr| {
        let halves = call(pair, Builtin::UnpackHalf, vec![bits]);
        Expr::new(FLOAT, ExprKind::Swizzle(Box::new(halves), vec![0]))
    };
    let near = value(packed.clone());
    let near = if a.ty == DOUBLE { convert(DOUBLE, near) } else { near };
    value(neighbour(&near, &a, &packed, 0x8000, round))
}

/// What a sum lost, which is taken from the larger operand exactly.
fn rest_of_sum(a: Expr, b: Expr) -> Expr {
    let less = || compared(Binary::Lt, amount(a.clone()), amount(b.clone()));
    let large = select(less(), b.clone(), a.clone());
    let small = select(less(), a.clone(), b.clone());
    let sum = binary(Binary::Add, DOUBLE, a, b);
    binary(Binary::Sub, DOUBLE, small, binary(Binary::Sub, DOUBLE, sum, large))
}

/// What a product lost; of a small one that of factors 2^900 times larger.
fn rest_of_product(a: Expr, b: Expr) -> Expr {
    let product = binary(Binary::Mul, DOUBLE, a.clone(), b.clone());
    let high = and(word(product.clone(), 1), 0x7FFF_FFFF);
    let small = compared(Binary::Lt, high, literal(UINT, 0x03F0_0000));
    let scale = select(small, double(f64::from_bits(0x7830_0000 << 32)), double(1.0));
    let times = |value: Expr| binary(Binary::Mul, DOUBLE, value, scale.clone());
    call(DOUBLE, Builtin::Fma, vec![times(a), times(b), negated(times(times(product)))])
}

/// What was lost where finite operands gave an infinity is all that is beyond the largest number.
fn overflow(near: &Expr, lost: Expr, a: Expr, b: Expr) -> Expr {
    let all = select(either(is_infinite(a), is_infinite(b)), double(0.0), negated(near.clone()));
    select(is_infinite(near.clone()), all, lost)
}

/// `zero` where rounding goes down and the sum of two numbers, one of them negative, is zero.
fn negative_zero(a: Expr, b: Expr, round: Round, zero: Expr, otherwise: Expr) -> Expr {
    if round != Round::Down {
        return otherwise;
    }
    let sum = binary(Binary::Add, DOUBLE, a.clone(), b.clone());
    let signs = binary(Binary::BitOr, UINT, word(a, 1), word(b, 1));
    let negative = compared(Binary::Ge, signs, literal(UINT, 1 << 31));
    select(both(compared(Binary::Eq, sum, double(0.0)), negative), zero, otherwise)
}

/// A double one step away from zero, or towards it.
fn step(value: &Expr, outward: Expr) -> Expr {
    let (low, high) = (word(value.clone(), 0), word(value.clone(), 1));
    let next = plus(low.clone(), one_or(outward.clone(), u32::MAX));
    let carry = one_or(compared(Binary::Eq, low.clone(), literal(UINT, u32::MAX)), 0);
    let no = literal(UINT, 0);
    let borrow = select(compared(Binary::Eq, low, no.clone()), literal(UINT, u32::MAX), no);
    from_words(vec![next, plus(high, select(outward, carry, borrow))])
}

/// Whether what was lost has the sign of the result.
fn is_outward(near: &Expr, lost: &Expr) -> Expr {
    let negative = compared(Binary::Ge, word(near.clone(), 1), literal(UINT, 1 << 31));
    let below = compared(Binary::Lt, lost.clone(), double(0.0));
    let above = compared(Binary::Gt, lost.clone(), double(0.0));
    select(negative, below, above)
}

/// The sum rounded to a double that is odd where it is not exact.
fn odd_sum(a: Expr, b: Expr) -> Expr {
    let sum = binary(Binary::Add, DOUBLE, a.clone(), b.clone());
    let lost = rest_of_sum(a, b);
    let even = compared(Binary::Eq, and(word(sum.clone(), 0), 1), literal(UINT, 0));
    let inexact = both(compared(Binary::Gt, amount(lost.clone()), double(0.0)), even);
    select(inexact, step(&sum, is_outward(&sum, &lost)), sum)
}

/// From the nearest result to the one in the given direction.
fn stepped(near: Expr, lost: &Expr, round: Round) -> Expr {
    let below = compared(Binary::Lt, lost.clone(), double(0.0));
    let above = compared(Binary::Gt, lost.clone(), double(0.0));
    let when = match round {
        Round::Nearest => return near,
        Round::Zero => {
            select(compared(Binary::Ge, word(near.clone(), 1), literal(UINT, 1 << 31)), above, below)
        }
        Round::Down => below,
        Round::Up => above,
    };
    select(when, step(&near, is_outward(&near, lost)), near)
}
