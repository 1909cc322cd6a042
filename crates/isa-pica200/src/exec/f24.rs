//! Arithmetic in the width of the hardware: sign, 7 exponent bits (bias 63), 16 mantissa bits.
//!
//! Every such number is a binary32 too, so registers stay `f32` and each operation rounds its result. Known
//! from tests on the console (3dbrew): 0 * inf = 0 while 0 * NaN = NaN; there is no negative zero; arithmetic
//! takes denormals as zero and gives none; MOV, MIN, MAX and CMP leave them alone; rcp(±0) = rsq(±0) = +inf.
//!
//! **Not known, and assumed here:** the direction of rounding (both are offered, [`Rounding::Nearest`] is the
//! default); that a result rounds before it is compared with the smallest normal; that overflow gives
//! infinity in either direction of rounding; that DP3, DP4 and DPH round each product and each sum from left
//! to right, and MAD its product; that RCP, RSQ, EX2 and LG2 are as good as correctly rounded; that SGE and
//! SLT compare as CMP does; that FLR flushes. No public bit-exact reference exists for any of these.

use unshade_ir::math;

/// Direction in which results are cut to 16 mantissa bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Rounding {
    /// To nearest, ties to even.
    #[default]
    Nearest,
    /// Towards zero.
    Truncate,
}

/// 2^-62, the smallest normal number.
const SMALLEST_NORMAL: f64 = f64::from_bits((1023 - 62) << 52);
/// 2^-78, the smallest denormal number.
const SMALLEST: f64 = f64::from_bits((1023 - 78) << 52);
/// 2^64: from here on only infinity.
const TOO_LARGE: f64 = f64::from_bits((1023 + 64) << 52);
/// Mantissa bits of binary64 that do not exist here.
const DROPPED: u32 = 52 - 16;

/// The result of an arithmetic operation from its exact value (or one from which both directions of rounding
/// give the same as from the exact value).
pub fn result(exact: f64, rounding: Rounding) -> f32 {
    let rounded = cut(exact, rounding);
    if rounded.abs() < SMALLEST_NORMAL { 0.0 } else { rounded as f32 }
}

/// Any number as the registers hold it when it is loaded: as [`result`], but denormals stay.
pub fn load(value: f32, rounding: Rounding) -> f32 {
    let wide = f64::from(value);
    let rounded = if wide.abs() < SMALLEST_NORMAL {
        // Whole multiples of the smallest denormal; the quotient is below 2^16, exact, and far from the
        // limits of an integer.
        let steps = wide / SMALLEST;
        let whole = match rounding {
            Rounding::Nearest => steps.round_ties_even(),
            Rounding::Truncate => steps.trunc(),
        };
        whole * SMALLEST
    } else {
        cut(wide, rounding)
    };
    // The sum turns a negative zero into a positive one.
    rounded as f32 + 0.0
}

fn cut(value: f64, rounding: Rounding) -> f64 {
    if !value.is_finite() {
        return value;
    }
    let bits = value.to_bits();
    let half_less_one = (1_u64 << (DROPPED - 1)) - 1;
    let up = match rounding {
        Rounding::Nearest => half_less_one + (bits >> DROPPED & 1),
        Rounding::Truncate => 0,
    };
    let rounded = f64::from_bits((bits + up) >> DROPPED << DROPPED);
    if rounded.abs() >= TOO_LARGE { f64::INFINITY.copysign(value) } else { rounded }
}

fn operand(a: f32) -> f64 {
    let wide = f64::from(a);
    if wide.abs() < SMALLEST_NORMAL { 0.0 } else { wide }
}

/// `-a`; the negation of zero is zero.
pub fn negate(a: f32) -> f32 {
    0.0 - a
}

/// `a + b`.
pub fn add(a: f32, b: f32, rounding: Rounding) -> f32 {
    let (a, b) = (operand(a), operand(b));
    let sum = a + b;
    if !sum.is_finite() {
        return result(sum, rounding);
    }
    // What the sum lost (Knuth), then the sum rounded to odd: enough for any later rounding to fewer bits.
    let part = sum - a;
    let lost = (a - (sum - part)) + (b - part);
    let bits = sum.to_bits();
    let odd = if lost == 0.0 || bits & 1 != 0 {
        sum
    } else if (lost > 0.0) == (sum > 0.0) {
        f64::from_bits(bits + 1)
    } else {
        f64::from_bits(bits - 1)
    };
    result(odd, rounding)
}

/// `a * b`, where 0 * inf is 0.
pub fn mul(a: f32, b: f32, rounding: Rounding) -> f32 {
    let (a, b) = (operand(a), operand(b));
    if (a == 0.0 && b.is_infinite()) || (a.is_infinite() && b == 0.0) {
        return 0.0;
    }
    // Two times 17 bits fit into 53.
    result(a * b, rounding)
}

/// `1 / a`.
pub fn rcp(a: f32, rounding: Rounding) -> f32 {
    result(1.0 / operand(a), rounding)
}

/// `1 / sqrt(a)`.
pub fn rsq(a: f32, rounding: Rounding) -> f32 {
    result(1.0 / operand(a).sqrt(), rounding)
}

/// `2^a`.
pub fn exp2(a: f32, rounding: Rounding) -> f32 {
    result(f64::from(math::exp2(operand(a) as f32)), rounding)
}

/// `log2(a)`.
pub fn log2(a: f32, rounding: Rounding) -> f32 {
    result(f64::from(math::log2(operand(a) as f32)), rounding)
}

/// Towards minus infinity.
pub fn floor(a: f32) -> f32 {
    result(f64::from(math::floor(operand(a) as f32)), Rounding::Truncate)
}
