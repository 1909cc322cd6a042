//! Comparisons as sets of outcomes: `a < b` and `b >= a` are about one pair of operands, and exclude each other.

use crate::passes::edit::constant;
use crate::{CompareFloat, CompareInt, FloatMode, Function, Op, Type, Value};

/// An operand of a comparison; constants by their bits, since they may stand more than once.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Operand {
    Value(Value),
    Bits(u64),
}

/// How two operands are held against each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Kind {
    Int,
    Float(FloatMode),
}

pub(super) type Pair = (Kind, Operand, Operand);

/// Results that a comparison may have, a bit each.
pub(super) type Outcomes = u8;

pub(super) const EQUAL: Outcomes = 1;
/// Floats: less, greater, one is no number.
pub(super) const LESS: Outcomes = 2;
pub(super) const GREATER: Outcomes = 4;
pub(super) const UNORDERED: Outcomes = 8;
/// Integers that differ: signed less or greater, then unsigned less or greater.
pub(super) const LESS_LESS: Outcomes = 2;
pub(super) const LESS_GREATER: Outcomes = 4;
pub(super) const GREATER_LESS: Outcomes = 8;
pub(super) const GREATER_GREATER: Outcomes = 16;

/// All outcomes there are.
pub(super) fn all(kind: Kind) -> Outcomes {
    if kind == Kind::Int { 31 } else { 15 }
}

/// The same with the operands the other way round.
pub(super) fn mirrored(kind: Kind, outcomes: Outcomes) -> Outcomes {
    let exchange = |a: Outcomes, b: Outcomes| {
        (if outcomes & a != 0 { b } else { 0 }) | (if outcomes & b != 0 { a } else { 0 })
    };
    match kind {
        Kind::Int => {
            outcomes & EQUAL | exchange(LESS_LESS, GREATER_GREATER) | exchange(LESS_GREATER, GREATER_LESS)
        }
        Kind::Float(_) => outcomes & (EQUAL | UNORDERED) | exchange(LESS, GREATER),
    }
}

/// What a comparison holds against each other, and for which outcomes it is true.
pub(super) fn comparison(function: &Function, value: Value) -> Option<(Pair, Outcomes)> {
    let inst = function.definition(value)?;
    let (kind, outcomes) = match inst.op {
        Op::ICompare(by) => {
            let outcomes = match by {
                CompareInt::Eq => EQUAL,
                CompareInt::Ne => all(Kind::Int) & !EQUAL,
                CompareInt::Slt => LESS_LESS | LESS_GREATER,
                CompareInt::Sle => EQUAL | LESS_LESS | LESS_GREATER,
                CompareInt::Ult => LESS_LESS | GREATER_LESS,
                CompareInt::Ule => EQUAL | LESS_LESS | GREATER_LESS,
            };
            (Kind::Int, outcomes)
        }
        Op::FCompare(by, mode) => {
            let outcomes = match by {
                CompareFloat::Eq => EQUAL,
                CompareFloat::Ne => LESS | GREATER | UNORDERED,
                CompareFloat::Lt => LESS,
                CompareFloat::Le => LESS | EQUAL,
                CompareFloat::Gt => GREATER,
                CompareFloat::Ge => GREATER | EQUAL,
            };
            (Kind::Float(mode), outcomes)
        }
        _ => return None,
    };
    let &[a, b] = &inst.args[..] else { return None };
    if function.ty(a) == Type::Bool {
        return None;
    }
    let operand = |value| constant(function, value).map_or(Operand::Value(value), Operand::Bits);
    Some(pair(kind, operand(a), operand(b), outcomes))
}

/// The pair in its one order.
pub(super) fn pair(kind: Kind, a: Operand, b: Operand, outcomes: Outcomes) -> (Pair, Outcomes) {
    if a <= b { ((kind, a, b), outcomes) } else { ((kind, b, a), mirrored(kind, outcomes)) }
}
