//! Operations on constants.

use super::Op;

/// 2^x.
pub fn exp2(x: f32) -> f32 {
    libm::exp2f(x)
}

/// Logarithm to base 2.
pub fn log2(x: f32) -> f32 {
    libm::log2f(x)
}

/// An operation on one lane of each operand; `None` for one that does not work so, and where the result is no number.
pub fn lanewise(op: Op, values: &[f32]) -> Option<f32> {
    let value = match (op, values) {
        (Op::Add, [a, b]) => a + b,
        (Op::Mul, [a, b]) => a * b,
        (Op::Mad, [a, b, c]) => a * b + c,
        (Op::Min, [a, b]) => a.min(*b),
        (Op::Max, [a, b]) => a.max(*b),
        (Op::Floor, [a]) => a.floor(),
        (Op::Truncate, [a]) => a.trunc(),
        (Op::Compare(relation), [a, b]) => f32::from(u8::from(relation.holds(*a, *b))),
        (Op::Pack, [a]) => *a,
        _ => return None,
    };
    value.is_finite().then_some(value)
}
