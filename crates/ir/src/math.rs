//! The functions behind the float operations, written down once: the machine interpreters, the IR
//! interpreter and constant folding all call these, so that they agree bit for bit on every platform.
//! Nothing here comes from the platform's C library.

use crate::op::{MinMax, Multiply};

/// Multiply by the given rule.
pub fn mul(a: f32, b: f32, rule: Multiply) -> f32 {
    match rule {
        Multiply::Ieee => a * b,
        Multiply::InfTimesZero => {
            if (a == 0.0 && b.is_infinite()) || (a.is_infinite() && b == 0.0) {
                0.0
            } else {
                a * b
            }
        }
        Multiply::ZeroWins => {
            if a == 0.0 || b == 0.0 {
                0.0
            } else {
                a * b
            }
        }
    }
}

/// Maximum by the given rule.
pub fn max(a: f32, b: f32, rule: MinMax) -> f32 {
    match rule {
        MinMax::SecondUnlessOrdered => {
            if a > b {
                a
            } else {
                b
            }
        }
        MinMax::Number => libm::fmaximum_numf(a, b),
    }
}

/// Minimum by the given rule.
pub fn min(a: f32, b: f32, rule: MinMax) -> f32 {
    match rule {
        MinMax::SecondUnlessOrdered => {
            if a < b {
                a
            } else {
                b
            }
        }
        MinMax::Number => libm::fminimum_numf(a, b),
    }
}

/// `1 / a`.
pub fn rcp(a: f32) -> f32 {
    1.0 / a
}

/// `1 / sqrt(a)`, each step correctly rounded.
pub fn rsq(a: f32) -> f32 {
    1.0 / libm::sqrtf(a)
}

/// `2^a`, within 1 ulp.
pub fn exp2(a: f32) -> f32 {
    libm::exp2f(a)
}

/// `log2(a)`, within 1 ulp.
pub fn log2(a: f32) -> f32 {
    libm::log2f(a)
}

/// Towards minus infinity.
pub fn floor(a: f32) -> f32 {
    libm::floorf(a)
}

/// Signed integer, towards zero, saturated; NaN gives 0.
pub fn to_int(a: f32) -> i32 {
    // `as` saturates and maps NaN to 0 by the language's definition.
    a as i32
}
