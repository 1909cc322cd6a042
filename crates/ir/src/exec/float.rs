//! Floats of every width and rounding, on bits. Binary32 to nearest takes the short way through
//! [`crate::math`]; the rest is computed in binary64 together with the sign of what rounding lost.

use crate::{CompareFloat, FloatMode, MinMax, Multiply, Round, Width, math};

/// The value of the bits; exact for every width.
pub(super) fn widen(width: Width, bits: u64) -> f64 {
    match width {
        Width::F16 => half_to_f64(bits as u16),
        Width::F32 => f32::from_bits(bits as u32).into(),
        Width::F64 => f64::from_bits(bits),
    }
}

/// A result before rounding: the nearest binary64, and a number with the sign of (exact - nearest).
#[derive(Clone, Copy)]
pub(super) struct Exact {
    near: f64,
    rest: f64,
}

impl Exact {
    /// A result that binary64 holds exactly.
    pub(super) fn of(value: f64) -> Self {
        Self { near: value, rest: 0.0 }
    }

    /// Whether nothing was lost.
    pub(super) fn is_exact(self) -> bool {
        self.rest == 0.0
    }

    /// An integer of at most 64 bits.
    pub(super) fn integer(value: i128) -> Self {
        let near = value as f64;
        Self { near, rest: (value - near as i128) as f64 }
    }

    /// `a + b`.
    pub(super) fn add(a: f64, b: f64) -> Self {
        let near = a + b;
        if near.is_infinite() {
            return Self::overflow(near, a.is_finite() && b.is_finite());
        }
        // From the larger one what the sum has of the smaller is taken exactly.
        let (large, small) = if a.abs() < b.abs() { (b, a) } else { (a, b) };
        Self { near, rest: small - (near - large) }
    }

    /// An infinity: finite operands give less than that.
    fn overflow(near: f64, finite: bool) -> Self {
        Self { near, rest: if finite { -near } else { 0.0 } }
    }

    /// `a * b` by the given rule.
    pub(super) fn mul(a: f64, b: f64, rule: Multiply) -> Self {
        let near = product(a, b, rule);
        if near.is_infinite() {
            return Self::overflow(near, a.is_finite() && b.is_finite());
        }
        if near == 0.0 && (a == 0.0 || b == 0.0) {
            return Self::of(near);
        }
        // What a small product lost is looked at far above the denormals.
        let scale = if near.abs() < SMALL_PRODUCT { SCALE } else { 1.0 };
        Self { near, rest: libm::fma(a * scale, b * scale, -(near * scale * scale)) }
    }

    /// `a * b + c` by the given rule.
    pub(super) fn fma(a: f64, b: f64, c: f64, rule: Multiply) -> Self {
        let product = product(a, b, rule);
        if product.to_bits() != (a * b).to_bits() {
            // What the rule makes zero of.
            return Self::add(product, c);
        }
        let near = libm::fma(a, b, c);
        if near.is_infinite() {
            return Self::overflow(near, a.is_finite() && b.is_finite() && c.is_finite());
        }
        let first = Self::mul(a, b, Multiply::Ieee);
        if !near.is_finite() || !first.near.is_finite() || first.near == 0.0 {
            // The product is none that its own rest could be told from.
            return Self::of(near);
        }
        let second = Self::add(first.near, c);
        Self { near, rest: ((second.near - near) + second.rest) + first.rest }
    }

    /// `a / b`.
    pub(super) fn div(a: f64, b: f64) -> Self {
        let near = a / b;
        let rest = if near.is_finite() && b.is_finite() { libm::fma(-near, b, a) } else { 0.0 };
        Self { near, rest: if b < 0.0 { -rest } else { rest } }
    }

    /// `sqrt(a)`.
    pub(super) fn sqrt(a: f64) -> Self {
        let near = libm::sqrt(a);
        Self { near, rest: if near.is_finite() { libm::fma(-near, near, a) } else { 0.0 } }
    }

    /// The bits of the rounded result.
    pub(super) fn round(self, mode: FloatMode) -> u64 {
        let lost = if self.rest > 0.0 {
            1
        } else if self.rest < 0.0 {
            -1
        } else {
            0
        };
        flush(
            mode,
            match mode.width {
                Width::F64 => {
                    let near = self.near;
                    if near.is_nan() {
                        // All NaNs are one, as in 32 bits.
                        return NAN;
                    }
                    // A product too small for any number has its sign still.
                    let towards_zero = if near.is_sign_positive() { Round::Down } else { Round::Up };
                    let round = if mode.round == Round::Zero { towards_zero } else { mode.round };
                    match (round, lost) {
                        (Round::Up, 1) => near.next_up(),
                        (Round::Down, -1) => near.next_down(),
                        _ => near,
                    }
                    .to_bits()
                }
                Width::F32 => narrow(self.near, lost, mode.round, &SINGLE),
                Width::F16 => narrow(self.near, lost, mode.round, &HALF),
            },
        )
    }
}

/// Products below this are looked at scaled: what they lose may be too small for a binary64.
const SMALL_PRODUCT: f64 = f64::from_bits((1023 - 960) << 52);

/// What both factors of a small product are scaled by: the larger is at most 2^114, and the product of two denormals
/// is at least 2^-2148.
const SCALE: f64 = f64::from_bits((1023 + 900) << 52);

pub(super) fn product(a: f64, b: f64, rule: Multiply) -> f64 {
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

/// The only NaN of 64 bits that operations give.
const NAN: u64 = 0x7FF8_0000_0000_0000;

/// A narrow format.
struct Format {
    mantissa: u32,
    bias: i32,
    exponents: u32,
    /// The only NaN that operations give.
    nan: u64,
}

const SINGLE: Format = Format { mantissa: 23, bias: 127, exponents: 255, nan: 0x7FC0_0000 };
/// Its NaN is that of the one machine of these that it was measured on (Maxwell).
const HALF: Format = Format { mantissa: 10, bias: 15, exponents: 31, nan: 0x7FFF };

/// Rounds a binary64 with a lost part of the given sign to a narrower format.
fn narrow(value: f64, lost: i32, round: Round, format: &Format) -> u64 {
    let bits = value.to_bits();
    let sign = bits >> 63;
    let infinity = u64::from(format.exponents) << format.mantissa;
    let signed = |magnitude: u64| magnitude | sign << (format.mantissa + format.exponents.count_ones());
    if value.is_nan() {
        return format.nan;
    }
    if value.is_infinite() {
        return signed(infinity);
    }
    if value == 0.0 {
        return signed(0);
    }
    // The magnitude as an integer of 53 bits and a sticky bit below, so that what was lost decides ties.
    let exponent = (bits >> 52 & 0x7FF) as i32;
    let fraction = bits & ((1 << 52) - 1);
    let (mut integer, mut exponent) =
        if exponent == 0 { (fraction << 2, -1074 - 2) } else { ((fraction | 1 << 52) << 2, exponent - 1077) };
    let outwards = if sign == 0 { lost } else { -lost };
    match outwards {
        1 => integer |= 1,
        -1 => integer -= 1,
        _ => {}
    }
    // Normalise to 62 bits, then drop down to the format's mantissa.
    let shift = integer.leading_zeros() as i32 - 2;
    integer <<= shift;
    exponent -= shift;
    // value = integer * 2^exponent with bit 61 set, so its own exponent is exponent + 61.
    let biased = exponent + 61 + format.bias;
    let drop = (61 - format.mantissa as i32) + if biased < 1 { 1 - biased } else { 0 };
    let (kept, below, half) = if drop > 62 {
        (0, 1, 2)
    } else {
        (integer >> drop, integer & ((1u64 << drop) - 1), 1u64 << (drop - 1))
    };
    let away = match round {
        Round::Nearest => below > half || (below == half && kept & 1 == 1),
        Round::Zero => false,
        Round::Down => sign == 1 && below != 0,
        Round::Up => sign == 0 && below != 0,
    };
    // A carry out of the mantissa raises the exponent by itself.
    let magnitude = if biased < 1 {
        kept + u64::from(away)
    } else {
        ((biased as u64 - 1) << format.mantissa) + kept + u64::from(away)
    };
    if magnitude >= infinity {
        let stays = match round {
            Round::Nearest => false,
            Round::Zero => true,
            Round::Down => sign == 0,
            Round::Up => sign == 1,
        };
        return signed(if stays { infinity - 1 } else { infinity });
    }
    signed(magnitude)
}

fn half_to_f64(bits: u16) -> f64 {
    let magnitude = match (bits >> 10 & 31, bits & 1023) {
        (31, 0) => f64::INFINITY,
        (31, _) => f64::NAN,
        (0, fraction) => f64::from(fraction) / f64::from(1 << 24),
        (exponent, fraction) => f64::from(fraction | 1024) * libm::ldexp(1.0, i32::from(exponent) - 25),
    };
    if bits >> 15 == 1 { -magnitude } else { magnitude }
}

/// Zero of the same sign for a denormal, where the mode says so.
pub(super) fn flush(mode: FloatMode, bits: u64) -> u64 {
    if !mode.flush {
        return bits;
    }
    let (sign, exponent) = match mode.width {
        Width::F16 => (1 << 15, 0x7C00),
        Width::F32 => (1 << 31, 0x7F80_0000),
        Width::F64 => (1 << 63, 0x7FF0_0000_0000_0000),
    };
    if bits & exponent == 0 { bits & sign } else { bits }
}

/// Rounds to an integral value.
pub(super) fn integral(value: f64, round: Round) -> f64 {
    match round {
        Round::Nearest => libm::roundeven(value),
        Round::Zero => libm::trunc(value),
        Round::Down => libm::floor(value),
        Round::Up => libm::ceil(value),
    }
}

/// Compares.
pub(super) fn compare(comparison: CompareFloat, a: f64, b: f64) -> bool {
    match comparison {
        CompareFloat::Eq => a == b,
        CompareFloat::Ne => a != b,
        CompareFloat::Lt => a < b,
        CompareFloat::Le => a <= b,
        CompareFloat::Gt => a > b,
        CompareFloat::Ge => a >= b,
    }
}

/// Minimum or maximum by the given rule.
pub(super) fn extremum(maximum: bool, rule: MinMax, a: f64, b: f64) -> f64 {
    match (rule, maximum) {
        (MinMax::SecondUnlessOrdered, true) => {
            if a > b {
                a
            } else {
                b
            }
        }
        (MinMax::SecondUnlessOrdered, false) => {
            if a < b {
                a
            } else {
                b
            }
        }
        (MinMax::Number, true) => libm::fmaximum_num(a, b),
        (MinMax::Number, false) => libm::fminimum_num(a, b),
    }
}

/// A function of one operand that has no exact result: binary32 and binary16 by the binary32 function of
/// [`crate::math`], binary64 by its own.
pub(super) fn approximate(
    mode: FloatMode,
    a: f64,
    single: impl Fn(f32) -> f32,
    double: impl Fn(f64) -> f64,
) -> u64 {
    let value = match mode.width {
        Width::F64 => double(a),
        Width::F32 | Width::F16 => single(a as f32).into(),
    };
    Exact::of(value).round(FloatMode { round: Round::Nearest, ..mode })
}

/// `1 / sqrt(a)` in two rounded steps.
pub(super) fn reciprocal_root(mode: FloatMode, a: f64) -> u64 {
    if mode.width == Width::F32 && mode.round == Round::Nearest {
        return flush(mode, math::bits(math::rsq(a as f32)).into());
    }
    let root = widen(mode.width, Exact::sqrt(a).round(mode));
    Exact::div(1.0, root).round(mode)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const NEAREST: FloatMode = FloatMode::F32;

    fn same(a: u32, b: f32) -> bool {
        a == b.to_bits() || (f32::from_bits(a).is_nan() && b.is_nan())
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(20_000))]
        /// The long way gives what the processor's binary32 gives.
        #[test]
        fn the_long_way_agrees_with_binary32(a: u32, b: u32, c: u32) {
            let (x, y, z) = (f32::from_bits(a), f32::from_bits(b), f32::from_bits(c));
            let (p, q, r) = (f64::from(x), f64::from(y), f64::from(z));
            let rule = Multiply::Ieee;
            prop_assert!(same(Exact::add(p, q).round(NEAREST) as u32, x + y));
            prop_assert!(same(Exact::mul(p, q, rule).round(NEAREST) as u32, x * y));
            prop_assert!(same(Exact::div(p, q).round(NEAREST) as u32, x / y));
            prop_assert!(same(Exact::sqrt(p).round(NEAREST) as u32, x.sqrt()));
            prop_assert!(same(Exact::fma(p, q, r, rule).round(NEAREST) as u32, libm::fmaf(x, y, z)));
        }

        /// Directed results enclose the exact one: they are the nearest one and its neighbour.
        #[test]
        fn directed_rounding_encloses(a: u32, b: u32) {
            let (p, q) = (f64::from(f32::from_bits(a)), f64::from(f32::from_bits(b)));
            let mode = |round| FloatMode { round, ..NEAREST };
            let exact = Exact::mul(p, q, Multiply::Ieee);
            // A product of binary32 numbers is exact in binary64.
            prop_assume!(exact.near.is_finite());
            let value = |round| f64::from(f32::from_bits(exact.round(mode(round)) as u32));
            prop_assert!(value(Round::Down) <= exact.near && exact.near <= value(Round::Up));
            prop_assert!(value(Round::Zero).abs() <= exact.near.abs());
            let near = value(Round::Nearest);
            prop_assert!(near == value(Round::Down) || near == value(Round::Up));
        }

        /// Products of binary64 toward zero are what whole numbers give, down to the denormals and up to the ends.
        #[test]
        fn products_of_doubles_toward_zero(a: u64, b: u64, near in any::<bool>()) {
            // Half of the products lie around the smallest numbers.
            let b = if near { b & !(0x7FF << 52) | (1100u64.saturating_sub(a >> 52 & 0x7FF)).min(2046) << 52 } else { b };
            let (x, y) = (f64::from_bits(a), f64::from_bits(b));
            prop_assume!(x.is_finite() && y.is_finite());
            let parts = |bits: u64| match bits >> 52 & 0x7FF {
                0 => (u128::from(bits & ((1 << 52) - 1)), -1074),
                exponent => (u128::from(bits & ((1 << 52) - 1) | 1 << 52), exponent as i32 - 1075),
            };
            let ((p, i), (q, j)) = (parts(a), parts(b));
            let (product, exponent) = (p * q, i + j);
            let length = 128 - product.leading_zeros() as i32;
            let unit = (length - 53 + exponent).max(-1074);
            let kept = match unit - exponent {
                128.. => 0,
                drop @ 0.. => product >> drop,
                more => product << -more,
            };
            let amount = libm::ldexp(kept as f64, unit).min(f64::MAX);
            let wanted = if (a ^ b) >> 63 == 1 { -amount } else { amount };
            let mode = FloatMode { width: Width::F64, round: Round::Zero, ..NEAREST };
            prop_assert_eq!(Exact::mul(x, y, Multiply::Ieee).round(mode), wanted.to_bits());
        }

        #[test]
        fn halves_round_trip(bits: u16) {
            let value = half_to_f64(bits);
            let back = narrow(value, 0, Round::Nearest, &HALF) as u16;
            prop_assert!(back == bits || value.is_nan() && half_to_f64(back).is_nan());
        }
    }

    #[test]
    fn ends_of_binary64() {
        let mode = |round| FloatMode { width: Width::F64, round, ..NEAREST };
        let sum = |a, b, round| f64::from_bits(Exact::add(a, b).round(mode(round)));
        assert_eq!(sum(f64::MAX, f64::MAX, Round::Zero), f64::MAX);
        assert_eq!(sum(f64::MAX, f64::MAX, Round::Up), f64::INFINITY);
        assert_eq!(sum(-f64::MAX, -1.0, Round::Up), -f64::MAX);
        assert_eq!(sum(-f64::MAX, -1.0, Round::Down), f64::NEG_INFINITY);
        assert_eq!(sum(f64::INFINITY, 1.0, Round::Zero), f64::INFINITY);
        // The sum is a tie; taking what it has of the smaller from the smaller first would be infinite.
        let three = 3.0 * libm::ldexp(1.0, 970);
        assert_eq!(sum(-three, f64::MAX, Round::Down), f64::MAX.next_down().next_down());
        assert_eq!(sum(f64::MAX, -three, Round::Up), f64::MAX.next_down());
        let tiny = f64::from_bits(1);
        let product = |a, b, round| f64::from_bits(Exact::mul(a, b, Multiply::Ieee).round(mode(round)));
        assert_eq!(product(tiny, tiny, Round::Up), tiny);
        assert_eq!(product(tiny, -tiny, Round::Down), -tiny);
        assert_eq!(product(tiny, tiny, Round::Down), 0.0);
    }

    #[test]
    fn ties_and_ends_of_binary16() {
        let half = |value| narrow(value, 0, Round::Nearest, &HALF);
        assert_eq!(half(1.0), 0x3C00);
        assert_eq!(half(65504.0), 0x7BFF);
        assert_eq!(half(65519.9), 0x7BFF);
        assert_eq!(half(65520.0), 0x7C00);
        assert_eq!(half(-2.0f64.powi(-24)), 0x8001);
        assert_eq!(half(2.0f64.powi(-25)), 0);
        assert_eq!(narrow(2.0f64.powi(-25), 1, Round::Nearest, &HALF), 1);
        assert_eq!(narrow(1e30, 0, Round::Zero, &HALF), 0x7BFF);
        assert_eq!(narrow(1e-30, 0, Round::Up, &HALF), 1);
        // A tie between 1 and 1 + 2^-10, decided by what was lost.
        let tie = 1.0 + 2.0f64.powi(-11);
        assert_eq!(narrow(tie, 0, Round::Nearest, &HALF), 0x3C00);
        assert_eq!(narrow(tie, 1, Round::Nearest, &HALF), 0x3C01);
        assert_eq!(narrow(tie + 2.0f64.powi(-10), -1, Round::Nearest, &HALF), 0x3C01);
    }
}
