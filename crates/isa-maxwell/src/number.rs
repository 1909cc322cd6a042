//! Numbers with a fraction, as NVIDIA's listings print them, and back.
//!
//! Twenty significant digits as `%.20g` of C has them without zeros at the end; from 1e9 on the form with an
//! exponent and all its digits (`%.20e`). Zero with a sign, infinities and numbers that are none have a blank behind
//! them.

use std::fmt::Write;
use unshade_isa_common::text::{PartKind, Sink};

/// From this magnitude on a number has an exponent.
const LARGE: f64 = 1e9;

/// A short text on the stack.
pub(super) struct Digits {
    bytes: [u8; 48],
    len: usize,
}

impl Write for Digits {
    fn write_str(&mut self, text: &str) -> std::fmt::Result {
        let end = self.len + text.len();
        let place = self.bytes.get_mut(self.len..end).ok_or(std::fmt::Error)?;
        place.copy_from_slice(text.as_bytes());
        self.len = end;
        Ok(())
    }
}

impl Digits {
    const EMPTY: Self = Self { bytes: [0; 48], len: 0 };

    /// The characters.
    pub fn text(&self) -> &str {
        std::str::from_utf8(self.bytes.get(..self.len).unwrap_or_default()).unwrap_or_default()
    }
}

/// The text of a number.
pub(super) fn digits(value: f64) -> Digits {
    let mut out = Digits::EMPTY;
    // The buffer holds every text of this kind; a write cannot fail.
    let _ = if value.is_nan() {
        out.write_str(if value.is_sign_negative() { "-QNAN " } else { "+QNAN " })
    } else if value.is_infinite() {
        out.write_str(if value < 0.0 { "-INF " } else { "+INF " })
    } else if value == 0.0 {
        out.write_str(if value.is_sign_negative() { "-0.0 " } else { "0" })
    } else {
        plain(&mut out, value).unwrap_or_else(|| fraction(&mut out, value))
    };
    out
}

/// Writes the text of a number.
pub(super) fn write(value: f64, sink: &mut impl Sink) {
    let text = digits(value);
    sink.ascii(PartKind::Immediate, text.bytes.get(..text.len).unwrap_or_default());
}

/// Significant digits.
const SIGNIFICANT: i32 = 20;

/// A number from 1e-4 to 1e9, which is most of them, from whole numbers alone: its digits are those of
/// `mantissa * 10^n * 2^exponent`, rounded to even. None for others, and where rounding makes one more digit.
fn plain(out: &mut Digits, value: f64) -> Option<std::fmt::Result> {
    const MANTISSA: u32 = 52;
    const HALF: u64 = 10_u64.pow(SIGNIFICANT as u32 / 2);
    let magnitude = value.abs();
    // Digits in front of the point; negative: zeros behind it.
    let front = match magnitude {
        1.0..LARGE => (magnitude as u64).ilog10() as i32 + 1,
        0.1..1.0 => 0,
        0.01..0.1 => -1,
        0.001..0.01 => -2,
        0.0001..0.001 => -3,
        _ => return None,
    };
    let bits = magnitude.to_bits();
    let mantissa = bits & ((1 << MANTISSA) - 1) | 1 << MANTISSA;
    let exponent = (bits >> MANTISSA) as i32 - 1023 - MANTISSA as i32;
    let power = SIGNIFICANT - front;
    // At most 53 and 54 bits.
    let product = u128::from(mantissa) * u128::from(5_u64.pow(power as u32));
    // The mantissa has 52 bits behind its point: what is left over is shifted out.
    let below = (-exponent - power) as u32;
    let (digits, rest) = (product >> below, product & ((1 << below) - 1));
    let half = 1 << (below - 1);
    let digits = digits + u128::from(rest > half || rest == half && digits & 1 == 1);
    let (upper, lower) = ((digits / u128::from(HALF)) as u64, (digits % u128::from(HALF)) as u64);
    if upper >= HALF {
        return None;
    }
    let mut text = [b'0'; SIGNIFICANT as usize];
    for (part, mut number) in text.chunks_exact_mut(SIGNIFICANT as usize / 2).zip([upper, lower]) {
        for digit in part.iter_mut().rev() {
            *digit = b'0' + (number % 10) as u8;
            number /= 10;
        }
    }
    let shown = text.iter().rposition(|digit| *digit != b'0').map_or(0, |last| last + 1);
    let text = std::str::from_utf8(&text).ok()?;
    let (whole, part) = text.split_at(front.max(0) as usize);
    let part = part.get(..shown.saturating_sub(whole.len()))?;
    let mut write = || {
        out.write_str(if value < 0.0 { "-" } else { "" })?;
        out.write_str(if whole.is_empty() { "0" } else { whole })?;
        if !part.is_empty() {
            out.write_str(".")?;
            out.write_str("000".get(..-front.min(0) as usize).unwrap_or_default())?;
            out.write_str(part)?;
        }
        Ok(())
    };
    Some(write())
}

fn fraction(out: &mut Digits, value: f64) -> std::fmt::Result {
    if value < 0.0 {
        out.write_str("-")?;
    }
    let value = value.abs();
    if value >= LARGE {
        let mut all = Digits::EMPTY;
        write!(all, "{value:.20e}")?;
        let (mantissa, exponent) = all.text().split_once('e').ok_or(std::fmt::Error)?;
        let exponent: i32 = exponent.parse().map_err(|_| std::fmt::Error)?;
        return write!(out, "{mantissa}e+{exponent:02}");
    }
    let mut all = Digits::EMPTY;
    write!(all, "{value:.19e}")?;
    let (mantissa, exponent) = all.text().split_once('e').ok_or(std::fmt::Error)?;
    let exponent: i32 = exponent.parse().map_err(|_| std::fmt::Error)?;
    let mantissa = mantissa.trim_end_matches('0').trim_end_matches('.');
    if exponent < -4 {
        return write!(out, "{mantissa}e-{:02}", -exponent);
    }
    let (whole, part) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    if exponent < 0 {
        out.write_str("0.")?;
        for _ in 1..-exponent {
            out.write_str("0")?;
        }
        out.write_str(whole)?;
        return out.write_str(part);
    }
    let split = (exponent as usize).min(part.len());
    let (more, part) = part.split_at(split);
    out.write_str(whole)?;
    out.write_str(more)?;
    for _ in split..exponent as usize {
        out.write_str("0")?;
    }
    if !part.is_empty() {
        out.write_str(".")?;
        out.write_str(part)?;
    }
    Ok(())
}

/// The value of a half.
pub(super) fn half(bits: u16) -> f64 {
    let sign = if bits >> 15 == 1 { -1.0 } else { 1.0 };
    let (exponent, mantissa) = (i32::from(bits >> 10 & 31), f64::from(bits & 0x3FF));
    match exponent {
        31 if mantissa == 0.0 => sign * f64::INFINITY,
        31 => f64::NAN.copysign(sign),
        0 => sign * mantissa * f64::exp2(-24.0),
        _ => sign * (1.0 + mantissa / 1024.0) * f64::exp2(f64::from(exponent - 15)),
    }
}

/// The half with exactly this value; a number that is none gets the bits `quiet`.
pub(super) fn to_half(value: f64) -> Option<u16> {
    let sign = if value.is_sign_negative() { 0x8000 } else { 0 };
    let magnitude = value.abs();
    if value.is_nan() {
        return Some(sign | 0x7FFF);
    }
    if value.is_infinite() {
        return Some(sign | 0x7C00);
    }
    // Sixteen bits: the one that has the value is found by its place in the order of magnitudes.
    let (mut low, mut high) = (0_u16, 0x7BFF_u16);
    while low < high {
        let middle = low + (high - low).div_ceil(2);
        if half(middle) <= magnitude {
            low = middle;
        } else {
            high = middle - 1;
        }
    }
    (half(low) == magnitude).then_some(sign | low)
}

/// The value of a text: what [`digits`] makes, and anything else that reads as a decimal number.
pub(super) fn value(text: &str) -> Option<f64> {
    match text {
        "+QNAN" | "QNAN" => Some(f64::NAN),
        "-QNAN" => Some(-f64::NAN),
        "+INF" | "INF" => Some(f64::INFINITY),
        "-INF" => Some(f64::NEG_INFINITY),
        _ if text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'.' | b'e' | b'+' | b'-')) => {
            text.parse().ok()
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_of_numbers() {
        for (value, text) in [
            (0.0, "0"),
            (-0.0, "-0.0 "),
            (1.0, "1"),
            (-180_160.0, "-180160"),
            (0.25, "0.25"),
            (f64::from(f32::from_bits(0x3a83126f)), "0.0010000000474974513054"),
            (f64::from(f32::from_bits(0x4000)), "2.295887403949780289e-41"),
            (1_020_893_593.6e1, "1.02089359360000000000e+10"),
            (967_049_216.0, "967049216"),
            (f64::INFINITY, "+INF "),
            (1e-4, "0.00010000000000000000479"),
        ] {
            assert_eq!(digits(value).text(), text);
            assert_eq!(super::value(text.trim_end()), Some(value));
        }
        for bits in 0..=u16::MAX {
            let back = to_half(half(bits)).unwrap();
            assert!(back == bits || half(bits).is_nan() && back == bits & 0x8000 | 0x7FFF, "{bits:04x}");
        }
        let mut random = unshade_isa_common::cases::Random::new(5, 6);
        for _ in 0..300_000 {
            let bits = random.next();
            let value = match bits & 3 {
                0 => f64::from_bits(bits & !(0x7FF << 52) | (1009 + bits % 45) << 52),
                1 => {
                    f64::from_bits(bits & 0x8000_0000_0000_0000 | (1005 + bits % 50) << 52 | (bits & 3) << 50)
                }
                2 => f64::from((bits >> 8) as u32 >> (bits >> 40 & 31)) / f64::from(1 << (bits >> 46 & 15)),
                _ => f64::from(f32::from_bits((bits >> 32) as u32 & !0 << (bits >> 2 & 31))),
            };
            let (mut one, mut other) = (Digits::EMPTY, Digits::EMPTY);
            if !value.is_finite() || value == 0.0 || plain(&mut one, value).is_none() {
                continue;
            }
            fraction(&mut other, value).unwrap();
            assert_eq!(one.text(), other.text());
        }
        assert_eq!(to_half(0.1), None);
        assert_eq!(to_half(65_536.0), None);
    }
}
