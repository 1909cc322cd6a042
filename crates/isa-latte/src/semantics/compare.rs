//! How operations compare, and what they choose by it.

use super::super::table::AluOp;
use super::alu::{Arithmetic, FLOAT};
use unshade_ir::{CompareFloat, CompareInt, Op};

/// How operands are compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Condition {
    Float(CompareFloat),
    Int(Integers),
}

/// How integers are compared: equal, not equal, greater, greater or equal, signed or not; less, less or equal,
/// signed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Integers {
    Eq,
    Ne,
    Gt,
    Ge,
    Lt,
    Le,
    UnsignedGt,
    UnsignedGe,
}

/// The comparison that an operation makes.
pub(super) fn condition(op: AluOp) -> Option<Condition> {
    use AluOp as O;
    Some(match op {
        O::PredSetE | O::PredSetEPush | O::KillE => Condition::Float(CompareFloat::Eq),
        O::PredSetGt | O::PredSetGtPush | O::KillGt => Condition::Float(CompareFloat::Gt),
        O::PredSetGe | O::PredSetGePush | O::KillGe => Condition::Float(CompareFloat::Ge),
        O::PredSetNe | O::PredSetNePush | O::KillNe => Condition::Float(CompareFloat::Ne),
        O::SetEInt | O::PredSetEInt | O::PredSetEPushInt | O::KillEInt | O::CndEInt => {
            Condition::Int(Integers::Eq)
        }
        O::SetNeInt | O::PredSetNeInt | O::PredSetNePushInt | O::KillNeInt => Condition::Int(Integers::Ne),
        O::SetGtInt | O::PredSetGtInt | O::PredSetGtPushInt | O::KillGtInt | O::CndGtInt => {
            Condition::Int(Integers::Gt)
        }
        O::SetGeInt | O::PredSetGeInt | O::PredSetGePushInt | O::KillGeInt | O::CndGeInt => {
            Condition::Int(Integers::Ge)
        }
        O::PredSetLtPushInt => Condition::Int(Integers::Lt),
        O::PredSetLePushInt => Condition::Int(Integers::Le),
        O::SetGtUint | O::PredSetGtUint | O::KillGtUint => Condition::Int(Integers::UnsignedGt),
        O::SetGeUint | O::PredSetGeUint | O::KillGeUint => Condition::Int(Integers::UnsignedGe),
        _ => return None,
    })
}

#[inline(always)]
pub(super) fn conditional<A: Arithmetic>(
    at: &mut A,
    condition: Condition,
    a: A::Word,
    b: A::Word,
) -> A::Truth {
    match condition {
        Condition::Float(comparison) => compare(at, comparison, a, b),
        Condition::Int(_) => integers(at, condition, a, b),
    }
}

/// `a cc b` of integers. The IR has less and less or equal, so greater swaps the operands.
#[inline(always)]
pub(super) fn integers<A: Arithmetic>(at: &mut A, condition: Condition, a: A::Word, b: A::Word) -> A::Truth {
    let (comparison, args) = match condition {
        Condition::Float(comparison) => return compare(at, comparison, a, b),
        Condition::Int(Integers::Eq) => (CompareInt::Eq, [a, b]),
        Condition::Int(Integers::Ne) => (CompareInt::Ne, [a, b]),
        Condition::Int(Integers::Gt) => (CompareInt::Slt, [b, a]),
        Condition::Int(Integers::Ge) => (CompareInt::Sle, [b, a]),
        Condition::Int(Integers::Lt) => (CompareInt::Slt, [a, b]),
        Condition::Int(Integers::Le) => (CompareInt::Sle, [a, b]),
        Condition::Int(Integers::UnsignedGt) => (CompareInt::Ult, [b, a]),
        Condition::Int(Integers::UnsignedGe) => (CompareInt::Ule, [b, a]),
    };
    at.test(Op::ICompare(comparison), &args)
}

#[inline(always)]
pub(super) fn compare<A: Arithmetic>(
    at: &mut A,
    comparison: CompareFloat,
    a: A::Word,
    b: A::Word,
) -> A::Truth {
    at.test(Op::FCompare(comparison, FLOAT), &[a, b])
}

#[inline(always)]
pub(super) fn one_where<A: Arithmetic>(
    at: &mut A,
    comparison: CompareFloat,
    a: A::Word,
    b: A::Word,
) -> A::Word {
    let truth = compare(at, comparison, a, b);
    let (one, zero) = (at.float(1.0), at.word(0));
    at.select(truth, one, zero)
}

#[inline(always)]
pub(super) fn bits_where<A: Arithmetic>(
    at: &mut A,
    comparison: CompareFloat,
    a: A::Word,
    b: A::Word,
) -> A::Word {
    let truth = compare(at, comparison, a, b);
    let (all, none) = (at.word(u32::MAX), at.word(0));
    at.select(truth, all, none)
}

#[inline(always)]
pub(super) fn choose<A: Arithmetic>(
    at: &mut A,
    comparison: CompareFloat,
    [a, b, c]: [A::Word; 3],
) -> A::Word {
    let zero = at.word(0);
    let truth = compare(at, comparison, a, zero);
    at.select(truth, b, c)
}

#[inline(always)]
pub(super) fn larger<A: Arithmetic>(at: &mut A, a: A::Word, b: A::Word) -> A::Word {
    let truth = compare(at, CompareFloat::Ge, a, b);
    at.select(truth, a, b)
}
