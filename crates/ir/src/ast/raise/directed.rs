//! Strict forms of what is rounded toward zero, down or up.
//!
//! Doubles hold a product of two floats of 32 bits exactly. A sum of such products and floats, rounded to a double that is
//! odd where it is not exact, rounds to a float as the exact sum does. So everything of 32 bits becomes doubles and is
//! rounded once in the end.

use super::super::{Expr, Helper, Scalar, Type};
use super::forms::{broadcast, convert, helper};
use super::operations::multiply;
use crate::{FloatMode, Multiply, Op, Round, Width};

/// Whether an operation that is not rounded to nearest has a form.
pub(super) fn is_sayable(op: &Op, mode: FloatMode) -> bool {
    match *op {
        Op::FAdd(_) => mode.width != Width::F16,
        Op::FMul(_, rule) => mode.width == Width::F32 || mode.width == Width::F64 && rule == Multiply::Ieee,
        Op::FFma(..) => mode.width == Width::F32,
        Op::FConvert(..) | Op::SToF(_) | Op::UToF(_) => true,
        // Exact in any direction.
        Op::FMin(..) | Op::FMax(..) | Op::FCompare(..) | Op::FSaturate(_) | Op::FRound(..) => true,
        _ => false,
    }
}

/// Whether rounding to nearest instead would show: a step of 16 bits is no small error.
pub(super) fn is_coarse(op: &Op) -> bool {
    matches!(op, Op::FConvert(Width::F32 | Width::F64, mode) if mode.width == Width::F16)
}

/// The form of an operation that is not rounded to nearest; none where rounding changes nothing.
pub(super) fn form(op: &Op, result: Type, args: &[Expr]) -> Option<Expr> {
    let mode = op.float_mode().filter(|mode| mode.round != Round::Nearest)?;
    let round = mode.round;
    let lanes = usize::from(result.components);
    let given = |at: usize| args.get(at).map(|arg| broadcast(arg.clone(), lanes));
    let wide = |at: usize| given(at).map(|arg| convert(Scalar::Double, arg));
    let double = Type { scalar: Scalar::Double, ..result };
    Some(match (*op, mode.width) {
        (Op::FAdd(_), Width::F32) => helper(Helper::SumToSingle(round), result, vec![wide(0)?, wide(1)?]),
        (Op::FMul(_, rule), Width::F32) => {
            let product = multiply(wide(0)?, wide(1)?, rule, double);
            helper(Helper::ToSingle(round), result, vec![product])
        }
        (Op::FFma(_, rule), Width::F32) => {
            let product = multiply(wide(0)?, wide(1)?, rule, double);
            helper(Helper::SumToSingle(round), result, vec![product, wide(2)?])
        }
        (Op::FAdd(_), Width::F64) => helper(Helper::AddToward(round), result, vec![given(0)?, given(1)?]),
        (Op::FMul(..), Width::F64) => helper(Helper::MulToward(round), result, vec![given(0)?, given(1)?]),
        (Op::FConvert(Width::F64, _), Width::F32) => helper(Helper::ToSingle(round), result, vec![given(0)?]),
        (Op::SToF(_) | Op::UToF(_), Width::F32) => helper(Helper::ToSingle(round), result, vec![wide(0)?]),
        (Op::FConvert(Width::F32 | Width::F64, _), Width::F16) => {
            helper(Helper::ToHalf(round), result, vec![given(0)?])
        }
        (Op::SToF(_) | Op::UToF(_), Width::F16) => helper(Helper::ToHalf(round), result, vec![wide(0)?]),
        _ => return None,
    })
}
