//! The small floats of the machines, kept as their raw bits, converted exactly.
//!
//! All of them are laid out as a sign, an exponent and a mantissa with the meaning that IEEE 754 gives
//! them: exponent 0 is zero or a denormal, the exponent of all ones is infinity or NaN. Each value of each
//! format has one binary32 value of its own (NaN payloads and denormals included), so going to `f32` and
//! back gives the same bits.
#![allow(
    clippy::arithmetic_side_effects,
    reason = "shifts and sums stay within the widths of the formats, which the constants fix"
)]

use core::fmt;

/// A float of one sign bit, `EXPONENT` exponent bits and `MANTISSA` mantissa bits in the low bits of a word.
///
/// The exponent has at most 8 bits and the mantissa at most 23, and every value must be exact as binary32;
/// that holds for the formats named in this module.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct MiniFloat<const EXPONENT: u32, const MANTISSA: u32>(u32);

/// 24 bits: 1 sign, 7 exponent (bias 63), 16 mantissa. What PICA200 computes with. Largest `0x7EFFFF`
/// (just under 2^64), smallest normal `0x010000` (2^-62), one `0x3F0000`.
pub type F24 = MiniFloat<7, 16>;

/// 20 bits: 1 sign, 7 exponent (bias 63), 12 mantissa. PICA200's form for some light and fog tables.
pub type F20 = MiniFloat<7, 12>;

/// 16 bits: 1 sign, 5 exponent (bias 15), 10 mantissa. binary16.
pub type F16 = MiniFloat<5, 10>;

impl<const EXPONENT: u32, const MANTISSA: u32> MiniFloat<EXPONENT, MANTISSA> {
    /// How many bits a value has.
    pub const BITS: u32 = 1 + EXPONENT + MANTISSA;

    const BIAS: u32 = (1 << (EXPONENT - 1)) - 1;
    const EXPONENT_ONES: u32 = (1 << EXPONENT) - 1;
    const MANTISSA_MASK: u32 = (1 << MANTISSA) - 1;
    const MANTISSA_GAP: u32 = 23 - MANTISSA;

    /// Positive infinity.
    pub const INFINITY: Self = Self(Self::EXPONENT_ONES << MANTISSA);

    /// The value with these raw bits; bits above [`Self::BITS`] are dropped.
    pub const fn from_bits(bits: u32) -> Self {
        Self(bits & ((1 << Self::BITS) - 1))
    }

    /// The raw bits.
    pub const fn to_bits(self) -> u32 {
        self.0
    }

    /// Neither infinite nor NaN.
    pub const fn is_finite(self) -> bool {
        (self.0 >> MANTISSA) & Self::EXPONENT_ONES != Self::EXPONENT_ONES
    }

    /// Not a number: exponent of all ones with a mantissa that is not 0.
    pub const fn is_nan(self) -> bool {
        !self.is_finite() && self.0 & Self::MANTISSA_MASK != 0
    }

    /// The same value as binary32, exactly. A NaN keeps its payload in the top mantissa bits.
    pub const fn to_f32(self) -> f32 {
        let sign = (self.0 >> (EXPONENT + MANTISSA)) << 31;
        let exponent = (self.0 >> MANTISSA) & Self::EXPONENT_ONES;
        let mantissa = self.0 & Self::MANTISSA_MASK;
        let magnitude = if exponent == Self::EXPONENT_ONES {
            0x7F80_0000 | (mantissa << Self::MANTISSA_GAP)
        } else if exponent != 0 {
            ((exponent + 127 - Self::BIAS) << 23) | (mantissa << Self::MANTISSA_GAP)
        } else if mantissa == 0 {
            0
        } else {
            // A denormal here is a normal number in binary32: move its top bit to the hidden place.
            let shift = mantissa.leading_zeros() - (31 - MANTISSA);
            let normal = (mantissa << shift) & Self::MANTISSA_MASK;
            ((128 - Self::BIAS - shift) << 23) | (normal << Self::MANTISSA_GAP)
        };
        f32::from_bits(sign | magnitude)
    }

    /// The value nearest to `value` that is not further from zero: mantissa bits that do not fit are cut
    /// off, as the 3DS assemblers do. Too large becomes infinity, too small a denormal or a zero, and
    /// the sign stays. A NaN stays one.
    pub const fn from_f32(value: f32) -> Self {
        Self::convert(value, false)
    }

    /// The value nearest to `value`, the even one of two that are equally near (IEEE's default rounding).
    pub const fn from_f32_nearest(value: f32) -> Self {
        Self::convert(value, true)
    }

    const fn convert(value: f32, nearest: bool) -> Self {
        let bits = value.to_bits();
        let sign = (bits >> 31) << (EXPONENT + MANTISSA);
        let exponent = (bits >> 23) & 0xFF;
        let mantissa = bits & 0x7F_FFFF;
        if exponent == 0xFF {
            let kept = mantissa >> Self::MANTISSA_GAP;
            // A payload whose kept bits are all 0 would read as infinity: make it a quiet NaN.
            let payload = if mantissa != 0 && kept == 0 { 1 << (MANTISSA - 1) } else { kept };
            return Self(sign | (Self::EXPONENT_ONES << MANTISSA) | payload);
        }
        if exponent == 0 {
            // binary32's own denormals are far below every format here.
            return Self(sign);
        }
        let wide = mantissa | 0x80_0000;
        // How far the significand moves right; a denormal result moves further and loses the hidden bit.
        let lowest = 127 - Self::BIAS;
        let (drop, base) = if exponent > lowest {
            (Self::MANTISSA_GAP, (exponent - lowest - 1) << MANTISSA)
        } else {
            (Self::MANTISSA_GAP + 1 + (lowest - exponent), 0)
        };
        if drop > 24 {
            return Self(sign);
        }
        let mut kept = wide >> drop;
        if nearest && drop > 0 {
            let rest = wide & ((1 << drop) - 1);
            let half = 1 << (drop - 1);
            if rest > half || (rest == half && kept & 1 == 1) {
                kept += 1;
            }
        }
        // For a normal result `kept` still has the hidden bit, which adds 1 to the exponent field; a
        // mantissa that rounds up to a power of two carries into the exponent by itself.
        let magnitude = base + kept;
        let infinity = Self::EXPONENT_ONES << MANTISSA;
        Self(sign | if magnitude > infinity { infinity } else { magnitude })
    }
}

impl<const EXPONENT: u32, const MANTISSA: u32> fmt::Debug for MiniFloat<EXPONENT, MANTISSA> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} ({:#08x})", self.to_f32(), self.0)
    }
}

impl<const EXPONENT: u32, const MANTISSA: u32> From<MiniFloat<EXPONENT, MANTISSA>> for f32 {
    fn from(value: MiniFloat<EXPONENT, MANTISSA>) -> Self {
        value.to_f32()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What the bits mean, computed the slow way in f64.
    fn meaning(bits: u32, exponent_bits: i32, mantissa_bits: i32) -> f64 {
        let mantissa = f64::from(bits & ((1 << mantissa_bits) - 1)) / f64::from(1 << mantissa_bits);
        let exponent = (bits >> mantissa_bits) as i32 & ((1 << exponent_bits) - 1);
        let sign = if bits >> (mantissa_bits + exponent_bits) & 1 == 1 { -1.0 } else { 1.0 };
        let bias = (1 << (exponent_bits - 1)) - 1;
        sign * match exponent {
            e if e == (1 << exponent_bits) - 1 && mantissa == 0.0 => f64::INFINITY,
            e if e == (1 << exponent_bits) - 1 => f64::NAN,
            0 => mantissa * two_to(1 - bias),
            e => (1.0 + mantissa) * two_to(e - bias),
        }
    }

    fn two_to(exponent: i32) -> f64 {
        f64::from_bits(((1023 + exponent) as u64) << 52)
    }

    fn all_values<const E: u32, const M: u32>() {
        for bits in 0..1u32 << (1 + E + M) {
            let value = MiniFloat::<E, M>::from_bits(bits);
            let wide = value.to_f32();
            let meant = meaning(bits, E as i32, M as i32);
            assert!(
                f64::from(wide) == meant && wide.is_sign_negative() == meant.is_sign_negative()
                    || wide.is_nan() && meant.is_nan(),
                "{bits:#x}: {wide} is not {meant}"
            );
            assert_eq!(MiniFloat::<E, M>::from_f32(wide).to_bits(), bits);
            assert_eq!(MiniFloat::<E, M>::from_f32_nearest(wide).to_bits(), bits);
            assert_eq!((value.is_nan(), value.is_finite()), (wide.is_nan(), wide.is_finite()));
        }
    }

    #[test]
    fn all_24_bit_values_survive() {
        all_values::<7, 16>();
    }

    #[test]
    fn all_20_and_16_bit_values_survive() {
        all_values::<7, 12>();
        all_values::<5, 10>();
    }

    #[test]
    fn known_values() {
        for (value, bits) in [
            (1.0, 0x3F0000),
            (0.5, 0x3E0000),
            (3.0, 0x408000),
            (0.1, 0x3B9999),
            (-0.0, 0x800000),
            (1.844_661e19, 0x7EFFFF),
            (f32::INFINITY, 0x7F0000),
            (f32::MAX, 0x7F0000),
            (-f32::MAX, 0xFF0000),
            (f32::MIN_POSITIVE, 0),
        ] {
            assert_eq!(F24::from_f32(value).to_bits(), bits, "{value}");
        }
        assert_eq!(F24::from_bits(0xFF00_0000 | 0x3F0000), F24::from_f32(1.0));
        assert!(F24::from_f32(f32::from_bits(0x7F80_0001)).is_nan());
    }

    #[test]
    fn rounding() {
        let step = 1.0 / 65536.0;
        for (value, cut, near) in [
            (1.0 + 0.25 * step, 0x3F0000, 0x3F0000),
            (1.0 + 0.5 * step, 0x3F0000, 0x3F0000),
            (1.0 + 0.75 * step, 0x3F0000, 0x3F0001),
            (1.0 + 1.5 * step, 0x3F0001, 0x3F0002),
            (2.0 - 0.25 * step, 0x3FFFFF, 0x400000),
            (-(2.0 - 0.25 * step), 0xBFFFFF, 0xC00000),
            // Between the largest denormal and the smallest normal number.
            (f32::from_bits(0x20FF_FFFF), 0x010000 + 0x00FFFF, 0x020000),
            (f32::from_bits(0x207F_FFFF), 0x00FFFF, 0x010000),
            // Half of the smallest denormal, and a bit more.
            (f32::from_bits((127 - 79) << 23), 0, 0),
            (f32::from_bits(((127 - 79) << 23) + 1), 0, 1),
            (f32::from_bits((127 - 80) << 23), 0, 0),
            (f32::from_bits(((127 + 63) << 23) | 0x7F_FFFF), 0x7EFFFF, 0x7F0000),
        ] {
            assert_eq!(F24::from_f32(value).to_bits(), cut, "{value} cut");
            assert_eq!(F24::from_f32_nearest(value).to_bits(), near, "{value} nearest");
        }
    }

    #[test]
    fn what_is_just_too_small_rounds() {
        use alloc::format;
        // Half of the smallest number, and what is a little more than that.
        let smallest = F16::from_bits(1).to_f32();
        assert_eq!(F16::from_f32_nearest(smallest / 2.0).to_bits(), 0);
        assert_eq!(F16::from_f32_nearest(f32::from_bits((smallest / 2.0).to_bits() + 1)).to_bits(), 1);
        assert_eq!(F16::from_f32(smallest).to_bits(), 1);
        assert_eq!(f32::from(F24::from_f32(1.5)), 1.5);
        assert_eq!(format!("{:?}", F16::from_f32(1.5)), "1.5 (0x003e00)");
        assert_eq!(F16::from_bits(u32::MAX).to_bits(), 0xFFFF);
    }
    #[test]
    fn infinity_and_wide_mantissas() {
        assert_eq!((F24::INFINITY.to_f32(), F24::INFINITY.to_bits()), (f32::INFINITY, 0x7F0000));
        assert_eq!((F16::INFINITY.to_bits(), F20::INFINITY.to_bits()), (0x7C00, 0x7F000));
        // A mantissa of all 23 bits loses none, so there is nothing to round.
        type Wide = MiniFloat<7, 23>;
        for value in [1.0, -1.5, f32::from_bits(0x3F80_0001), f32::from_bits(0x407F_FFFF)] {
            assert_eq!(Wide::from_f32_nearest(value).to_f32(), value);
            assert_eq!(Wide::from_f32(value).to_f32(), value);
        }
    }
}
