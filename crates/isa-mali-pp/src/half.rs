//! Half floats as numbers and as text.

use unshade_bytes::float::F16;
use unshade_isa_common::numbers::KNOWN;

/// The value of a half; exact.
#[inline]
pub fn to_f32(half: u16) -> f32 {
    F16::from_bits(half.into()).to_f32()
}

/// The nearest half, the even one of two that are equally near.
#[inline]
pub fn nearest(value: f32) -> u16 {
    F16::from_f32_nearest(value).to_bits() as u16
}

/// A number with the precision of a half.
#[inline]
pub fn round(value: f32) -> f32 {
    to_f32(nearest(value))
}

/// How the constants in the code are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Constants {
    /// As the machine reads them.
    #[default]
    Exact,
    /// As what most likely stood in the source before the compiler cut it to 16 bits: a number that everybody
    /// knows, or else the shortest decimal that gives the same half.
    Written,
}

impl Constants {
    /// The number that a half stands for.
    pub fn read(self, half: u16) -> f32 {
        match self {
            Self::Exact => to_f32(half),
            Self::Written => {
                let sign = if half >> 15 == 0 { 1.0 } else { -1.0 };
                if let Some(known) = KNOWN.iter().find(|known| nearest(**known) == half & 0x7FFF) {
                    return sign * known;
                }
                let digits = shortest(half);
                let text = std::str::from_utf8(digits.bytes()).unwrap_or_default();
                // A NaN is no decimal.
                text.parse().unwrap_or_else(|_| to_f32(half))
            }
        }
    }
}

/// Magnitude of a finite half as a count of 2^-24, the smallest half.
fn steps(half: u16) -> u64 {
    let fraction = u64::from(half & 0x3FF);
    match half >> 10 & 31 {
        0 => fraction,
        exponent => (fraction | 0x400) << (exponent - 1),
    }
}

/// Letters of a number, without memory of its own.
#[derive(Debug, Clone, Copy)]
pub struct Digits {
    bytes: [u8; 24],
    start: usize,
}

impl Digits {
    /// The letters.
    pub fn bytes(&self) -> &[u8] {
        self.bytes.get(self.start..).unwrap_or_default()
    }

    /// `scaled / 10^places`, with that many digits behind the point.
    fn fixed(negative: bool, mut scaled: u64, places: usize) -> Self {
        let mut digits = Self { bytes: [0; 24], start: 24 };
        let mut written = 0;
        while scaled != 0 || written <= places {
            if written == places && places != 0 {
                digits.push(b'.');
            }
            digits.push(b'0' + (scaled % 10) as u8);
            scaled /= 10;
            written += 1;
        }
        if negative {
            digits.push(b'-');
        }
        digits
    }

    fn word(negative: bool, word: &[u8]) -> Self {
        let mut digits = Self { bytes: [0; 24], start: 24 };
        word.iter().rev().for_each(|byte| digits.push(*byte));
        if negative {
            digits.push(b'-');
        }
        digits
    }

    fn push(&mut self, byte: u8) {
        if let Some(start) = self.start.checked_sub(1)
            && let Some(place) = self.bytes.get_mut(start)
        {
            *place = byte;
            self.start = start;
        }
    }
}

/// As C prints it with `%f`: six digits behind the point, `inf` and `nan` with their signs.
pub fn six_places(half: u16) -> Digits {
    let negative = half >> 15 != 0;
    if half & 0x7C00 == 0x7C00 {
        return Digits::word(negative, if half & 0x3FF == 0 { b"inf" } else { b"nan" });
    }
    // Below 2^40 * 10^6 < 2^60.
    let scaled = steps(half) * 1_000_000;
    let (whole, rest) = (scaled >> 24, scaled & 0xFF_FFFF);
    let up = rest > 0x80_0000 || (rest == 0x80_0000 && whole & 1 == 1);
    // At most 65504 * 10^6 < 2^36; in two parts of 32 bits it goes quicker.
    let whole = whole + u64::from(up);
    let (mut front, mut behind) = ((whole / 1_000_000) as u32, (whole % 1_000_000) as u32);
    let mut digits = Digits { bytes: [0; 24], start: 24 };
    for _ in 0..6 {
        digits.push(b'0' + (behind % 10) as u8);
        behind /= 10;
    }
    digits.push(b'.');
    loop {
        digits.push(b'0' + (front % 10) as u8);
        front /= 10;
        if front == 0 {
            break;
        }
    }
    if negative {
        digits.push(b'-');
    }
    digits
}

/// The shortest decimal that [`parse`] reads as the same half; `0x7E01` for a NaN, which has many.
pub fn shortest(half: u16) -> Digits {
    let negative = half >> 15 != 0;
    if half & 0x7FFF == 0x7C00 {
        return Digits::word(negative, b"inf");
    }
    if half & 0x7C00 == 0x7C00 {
        let mut word = *b"0x0000";
        for (n, place) in word.iter_mut().skip(2).enumerate() {
            *place = b"0123456789ABCDEF"[usize::from(half >> (12 - 4 * n) & 15)];
        }
        return Digits::word(false, &word);
    }
    let steps = steps(half);
    if steps & 0xFF_FFFF == 0 {
        return Digits::fixed(negative, steps >> 24, 0);
    }
    // Half the distance to the neighbours; below a power of two it is half of that on one side, which the
    // stricter bound covers.
    let exponent = u32::from(half >> 10 & 31);
    let spacing = 1_u64 << exponent.saturating_sub(1);
    let narrow = half & 0x3FF == 0 && exponent > 1;
    // Numbers of few digits fit into 64 bits: one below 2^41 with a factor up to 10^5.
    let mut scale = 1_u64;
    for places in 1..=5 {
        scale *= 10;
        let exact = steps * scale;
        let nearest = (exact + (1 << 23)) >> 24;
        let error = exact.abs_diff(nearest << 24);
        if error * if narrow { 4 } else { 2 } < spacing * scale {
            return Digits::fixed(negative, nearest, places);
        }
    }
    let (steps, spacing, mut scale) = (u128::from(steps), u128::from(spacing), u128::from(scale));
    for places in 6..=9 {
        scale *= 10;
        let exact = steps * scale;
        let nearest = (exact + (1 << 23)) >> 24;
        let error = exact.abs_diff(nearest << 24);
        if error * if narrow { 4 } else { 2 } < spacing * scale {
            return Digits::fixed(negative, nearest as u64, places);
        }
    }
    Digits::fixed(negative, 0, 0)
}

/// Reads a decimal number, `inf`, or the bits of a half as `0x` and four digits. None: it is none of those.
/// Numbers too large become infinity.
pub fn parse(text: &str) -> Option<u16> {
    let (negative, magnitude) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    let sign = u16::from(negative) << 15;
    if let Some(bits) = text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")) {
        let digits = bits.len() == 4 && bits.bytes().all(|byte| byte.is_ascii_hexdigit());
        return digits.then(|| u16::from_str_radix(bits, 16).ok()).flatten();
    }
    if magnitude.eq_ignore_ascii_case("inf") {
        return Some(sign | 0x7C00);
    }
    if !magnitude.bytes().next()?.is_ascii_digit() && !magnitude.starts_with('.') {
        return None;
    }
    let value: f64 = magnitude.parse().ok()?;
    Some(sign | nearest_double(value))
}

/// The half nearest to a number that is not negative.
fn nearest_double(value: f64) -> u16 {
    // Halfway between the largest half and the next one there would be.
    if value >= 65_520.0 {
        return 0x7C00;
    }
    // Counted in units of the last place of a half of that size.
    let exponent = ((value.to_bits() >> 52) as i32 - 1023).max(-14);
    let unit = f64::from_bits(((exponent - 10 + 1023) as u64) << 52);
    let count = (value / unit).round_ties_even() as u16;
    // The leading bit of a normal number counts up the exponent by itself.
    ((exponent + 14) as u16) * 0x400 + count
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(digits: Digits) -> String {
        String::from_utf8(digits.bytes().to_vec()).unwrap()
    }

    #[test]
    fn every_half_survives_its_text() {
        let mut longest = 0;
        for half in 0..=u16::MAX {
            let written = text(shortest(half));
            assert_eq!(parse(&written), Some(half), "{half:04x} {written}");
            longest = longest.max(written.len());
        }
        assert!(longest <= 11, "{longest}");
    }

    #[test]
    fn six_places_are_those_of_c() {
        for half in (0..=u16::MAX).filter(|half| half & 0x7C00 != 0x7C00) {
            // Rust prints exact decimals, to nearest even as C does.
            assert_eq!(text(six_places(half)), format!("{:.6}", to_f32(half)));
        }
        assert_eq!(text(six_places(0xFC00)), "-inf");
        assert_eq!(text(six_places(0x7E00)), "nan");
    }

    #[test]
    fn numbers_of_a_person() {
        assert_eq!(parse("0.5"), Some(0x3800));
        assert_eq!(parse("1e3"), Some(nearest(1000.0)));
        assert_eq!(parse("65519.9"), Some(0x7BFF));
        assert_eq!(parse("70000"), Some(0x7C00));
        assert_eq!(parse("-0"), Some(0x8000));
        for wrong in ["", "-", "x", "0x1", "1.2.3", "nan", "infinity"] {
            assert_eq!(parse(wrong), None, "{wrong}");
        }
        assert_eq!(text(shortest(nearest(0.159_155))), "0.1592");
    }
}
