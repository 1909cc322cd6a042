//! Words of two floats of 16 bits.

use super::super::{Binary, Builtin, Expr, ExprKind, Helper, Scalar, Type};
use super::forms::{binary, builtin, literal, reinterpret, ty};

/// Two floats as a word; packing rounds them by itself.
pub(super) fn packed(result: Type, args: Vec<Expr>) -> Expr {
    let parts = args.into_iter().map(|arg| match arg.kind {
        ExprKind::Helper(Helper::RoundHalf, mut inner) if inner.len() == 1 => inner.remove(0),
        kind => Expr::new(arg.ty, kind).linked(arg.link),
    });
    let pair = Expr::new(ty(Scalar::Float, 2), ExprKind::Construct(parts.collect()));
    builtin(Builtin::PackHalf, result, vec![pair])
}

/// The same where every bit counts: halves of other words move as bits, since packing would make another NaN of one.
pub(super) fn joined(result: Type, args: Vec<Expr>) -> Expr {
    let [low, high] = match <[Expr; 2]>::try_from(args) {
        Ok(halves) if result.components == 1 => halves,
        Ok(halves) => return packed(result, halves.into()),
        Err(args) => return packed(result, args),
    };
    let moved =
        |half: &Expr| half_of(half).map(|(word, place)| (reinterpret(result.scalar, word.clone()), place));
    // One half of a new word; what the other holds does not matter.
    let alone = |half: Expr, place: usize| {
        let zero = literal(Scalar::Float, &[0]);
        packed(result, if place == 0 { vec![half, zero] } else { vec![zero, half] })
    };
    let number = |bits: u64| literal(Scalar::Int, &[bits]);
    let lowered = |(word, place): (Expr, u8)| match place {
        0 => word,
        _ => binary(Binary::ShiftRight, word, number(16)),
    };
    let insert = |base: Expr, field: Expr, first: u64| {
        builtin(Builtin::BitInsert, result, vec![base, field, number(first), number(16)])
    };
    match (moved(&low), moved(&high)) {
        (None, None) => packed(result, vec![low, high]),
        // A half that stays where it is.
        (low_word, Some((base, 1))) => insert(base, low_word.map_or_else(|| alone(low, 0), lowered), 0),
        (Some((base, 0)), high_word) => insert(base, high_word.map_or_else(|| alone(high, 0), lowered), 16),
        (Some(word), None) => insert(alone(high, 1), lowered(word), 0),
        (low_word, Some(word)) => insert(low_word.map_or_else(|| alone(low, 0), lowered), lowered(word), 16),
    }
}

/// The word that an expression is a half of as a float, and which half.
fn half_of(half: &Expr) -> Option<(&Expr, u8)> {
    let ExprKind::Swizzle(halves, component) = &half.kind else { return None };
    match (&halves.kind, &component[..]) {
        (ExprKind::Builtin(Builtin::UnpackHalf, word), &[component]) => Some((word.first()?, component)),
        _ => None,
    }
}
