//! Arithmetic in 24 bits, checked against formulas of our own (no bit-exact reference of the console is
//! public): exact integer arithmetic, rounded once, written independently of the interpreter.

use proptest::prelude::*;
use unshade_isa_pica200::exec::Rounding::{self, Nearest, Truncate};
use unshade_isa_pica200::exec::f24;

/// A normal number of the format: sign, exponent field 1-126, mantissa.
fn number(sign: bool, exponent: u32, mantissa: u32) -> f32 {
    f32::from_bits(u32::from(sign) << 31 | (exponent + 64) << 23 | mantissa << 7)
}

fn any_number() -> impl Strategy<Value = f32> {
    prop_oneof![
        8 => (any::<bool>(), 1..127_u32, 0..0x1_0000_u32),
        // Exponents near each other, mantissas near the edges: cancellation, carries, ties.
        8 => (any::<bool>(), 55..72_u32, prop_oneof![0..4_u32, 0xFFFC..0x1_0000_u32, 0x7FFE..0x8002_u32]),
    ]
    .prop_map(|(sign, exponent, mantissa)| number(sign, exponent, mantissa))
}

/// Mantissa with its leading one, and the power of two of its last bit.
fn parts(a: f32) -> (i128, i32) {
    let bits = a.to_bits();
    let magnitude = i128::from(bits >> 7 & 0xFFFF | 0x1_0000);
    (if bits >> 31 != 0 { -magnitude } else { magnitude }, (bits >> 23 & 0xFF) as i32 - 127 - 16)
}

/// The number `value * 2^exponent`, cut to 17 significant bits. `rest`: something not zero, and too small to
/// be seen, was left off behind the last bit (away from zero).
fn round(value: i128, exponent: i32, rest: bool, rounding: Rounding) -> f32 {
    if value == 0 {
        return 0.0;
    }
    let magnitude = value.unsigned_abs();
    let drop = (128 - magnitude.leading_zeros() as i32 - 17).max(0);
    let mut kept = magnitude >> drop;
    let lost = magnitude & ((1 << drop) - 1);
    let half = if drop == 0 { 0 } else { 1_u128 << (drop - 1) };
    let up = drop > 0 && (lost > half || (lost == half && (rest || kept & 1 != 0)));
    if rounding == Nearest && up {
        kept += 1;
    }
    // 17 bits and a power of two are exact in binary64.
    let size = kept as f64 * 2_f64.powi(exponent + drop);
    let size = if size < 2_f64.powi(-62) {
        return 0.0;
    } else if size >= 2_f64.powi(64) {
        f32::INFINITY
    } else {
        size as f32
    };
    if value < 0 { -size } else { size }
}

fn exact_sum(a: f32, b: f32, rounding: Rounding) -> f32 {
    let ((a, ea), (b, eb)) = (parts(a), parts(b));
    let ((high, eh), (low, el)) = if ea >= eb { ((a, ea), (b, eb)) } else { ((b, eb), (a, ea)) };
    if eh - el <= 100 {
        return round((high << (eh - el)) + low, el, false, rounding);
    }
    // The small one only says on which side of the large one the sum lies.
    let same_sign = (high < 0) == (low < 0);
    let spread = high << 60;
    if same_sign {
        round(spread, eh - 60, true, rounding)
    } else {
        round(spread - high.signum(), eh - 60, true, rounding)
    }
}

fn exact_product(a: f32, b: f32, rounding: Rounding) -> f32 {
    let ((a, ea), (b, eb)) = (parts(a), parts(b));
    round(a * b, ea + eb, false, rounding)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(20_000))]

    #[test]
    fn sums_and_products_are_exact_before_rounding(a in any_number(), b in any_number()) {
        for rounding in [Nearest, Truncate] {
            prop_assert_eq!(f24::add(a, b, rounding).to_bits(), exact_sum(a, b, rounding).to_bits());
            prop_assert_eq!(f24::mul(a, b, rounding).to_bits(), exact_product(a, b, rounding).to_bits());
        }
    }

    /// 1/a: the result times a lies within half a unit (nearest) or one unit (truncation) of 1.
    #[test]
    fn reciprocals_are_correctly_rounded(a in any_number()) {
        let (value, exponent) = parts(a);
        // 2^80 / |value| in integers, with what is left.
        let (quotient, left) = ((1_i128 << 80) / value.abs(), (1_i128 << 80) % value.abs());
        for rounding in [Nearest, Truncate] {
            let want = round(quotient * value.signum(), -80 - exponent, left != 0, rounding);
            prop_assert_eq!(f24::rcp(a, rounding).to_bits(), want.to_bits());
        }
    }

    /// 1/sqrt(a), by squaring both neighbours of the result.
    #[test]
    fn reciprocal_roots_are_correctly_rounded(a in any_number().prop_map(f32::abs)) {
        let got = f24::rsq(a, Truncate);
        // got <= 1/sqrt(a) < next: got^2 * a <= 1 < next^2 * a, exact in 51 bits.
        let next = f32::from_bits(got.to_bits() + 0x80);
        let product = |x: f32| f64::from(x) * f64::from(x) * f64::from(a);
        prop_assert!(product(got) <= 1.0 && product(next) > 1.0, "{got} {next}");
        let nearest = f24::rsq(a, Nearest);
        let middle = f64::from(got) + (f64::from(next) - f64::from(got)) / 2.0;
        let want = if middle * middle * f64::from(a) < 1.0 { next } else { got };
        prop_assert_eq!(nearest.to_bits(), want.to_bits());
    }

    /// Whatever goes in, what comes out is a number of the format without -0 and denormals.
    #[test]
    fn results_fit_the_format(a in any::<u32>(), b in any::<u32>()) {
        for rounding in [Nearest, Truncate] {
            let (a, b) = (f24::load(f32::from_bits(a), rounding), f24::load(f32::from_bits(b), rounding));
            let results = [
                f24::add(a, b, rounding), f24::mul(a, b, rounding), f24::rcp(a, rounding), f24::rsq(a, rounding),
                f24::exp2(a, rounding), f24::log2(a, rounding), f24::floor(a), f24::negate(a),
            ];
            for (n, x) in results.into_iter().enumerate() {
                let normal = x.abs() >= 2_f32.powi(-62) && x.abs() < 2_f32.powi(64) && x.to_bits() & 0x7F == 0;
                let special = x.is_nan() || x.is_infinite() || x.to_bits() == 0;
                // Negation is no arithmetic: it keeps denormals.
                prop_assert!(normal || special || n == 7, "{n}: {x:e} of {a:e} {b:e}");
                prop_assert!(x.to_bits() != 0x8000_0000);
            }
            // Loading is idempotent.
            prop_assert!(f24::load(a, rounding).to_bits() == a.to_bits() || a.is_nan());
        }
    }
}

const INF: f32 = f32::INFINITY;
const NAN: f32 = f32::NAN;
/// Largest denormal and smallest normal number.
const S: f32 = f32::from_bits(0x207F_FF00);
const N: f32 = f32::from_bits(0x2080_0000);

/// The table of console results that 3dbrew collected.
#[test]
fn special_values_of_the_hardware() {
    for rounding in [Nearest, Truncate] {
        let same = |got: f32, want: f32| {
            assert!(got.to_bits() == want.to_bits() || (got.is_nan() && want.is_nan()), "{got} {want}");
        };
        same(f24::mul(INF, 0.0, rounding), 0.0);
        same(f24::mul(0.0, -INF, rounding), 0.0);
        same(f24::mul(NAN, 0.0, rounding), NAN);
        same(f24::add(INF, -INF, rounding), NAN);
        same(f24::rcp(0.0, rounding), INF);
        same(f24::rcp(f24::negate(0.0), rounding), INF);
        same(f24::rcp(-0.0, rounding), INF);
        same(f24::rcp(INF, rounding), 0.0);
        same(f24::rcp(NAN, rounding), NAN);
        same(f24::rsq(0.0, rounding), INF);
        same(f24::rsq(-0.0, rounding), INF);
        same(f24::rsq(-2.0, rounding), NAN);
        same(f24::rsq(-INF, rounding), NAN);
        same(f24::rsq(INF, rounding), 0.0);
        same(f24::rsq(f24::rcp(-INF, rounding), rounding), INF);
        same(f24::mul(S, 2.0, rounding), 0.0);
        same(f24::mul(N, 0.5, rounding), 0.0);
        same(f24::log2(0.0, rounding), -INF);
        same(f24::log2(-1.0, rounding), NAN);
        same(f24::exp2(-1000.0, rounding), 0.0);
        same(f24::exp2(1000.0, rounding), INF);
        let mut halved = 1.0;
        let steps = (1..).find(|_| {
            halved = f24::mul(halved, 0.5, rounding);
            halved == 0.0
        });
        assert_eq!(steps, Some(63));
    }
}

#[test]
fn loading_keeps_denormals_and_drops_the_sign_of_zero() {
    assert_eq!(f24::load(S, Nearest), S);
    assert_eq!(f24::load(-0.0, Nearest).to_bits(), 0);
    assert_eq!(f24::load(f32::from_bits(1), Nearest), 0.0);
    // 1.5 steps of 2^-78: to the even neighbour, or down.
    let step = 2_f32.powi(-78);
    assert_eq!(f24::load(1.5 * step, Nearest), 2.0 * step);
    assert_eq!(f24::load(-1.5 * step, Truncate), -step);
    assert_eq!(f24::load(f32::MAX, Nearest), INF);
    assert_eq!(f24::load(f32::from_bits(0x5F7F_FFFF), Nearest), INF);
    assert_eq!(f24::load(f32::from_bits(0x5F7F_FFFF), Truncate), f32::from_bits(0x5F7F_FF80));
    assert_eq!(f24::load(0.1, Truncate).to_bits(), 0x3DCC_CC80);
    assert_eq!(f24::load(0.1, Nearest).to_bits(), 0x3DCC_CD00);
}
