//! Numbers as the reference assembler reads them, which is how C's `strtoll`, `atoi` and `atof` do, done
//! here without any C library so that every platform gives the same file.

use super::lexer::Piece;
use super::{Problem, Result};

/// An integer in C notation: sign, then `0x` hexadecimal, `0` octal, or decimal. Gives the value (held at
/// the ends of the range of 64 bits) and what follows it; `None` where no digit stands.
pub fn c_integer(piece: Piece<'_>) -> Option<(i64, Piece<'_>)> {
    let (negative, digits) = sign(piece.trim_start());
    let bytes = digits.text.as_bytes();
    let (radix, digits) = match bytes {
        [b'0', b'x' | b'X', digit, ..] if digit.is_ascii_hexdigit() => (16, digits.skip(2)),
        [b'0', ..] => (8, digits),
        _ => (10, digits),
    };
    integer(negative, digits, radix)
}

/// A number in C notation that fits in 32 bits and fills the piece.
///
/// # Errors
/// Anything else.
pub fn unsigned(piece: Piece<'_>) -> Result<u32> {
    let wrong = |message: String| Problem::new("listing.number", piece.span(), message);
    match c_integer(piece) {
        Some((value, rest)) if rest.trim().is_empty() => {
            u32::try_from(value).map_err(|_| wrong(format!("`{}` does not fit in 32 bits", piece.text)))
        }
        _ => Err(wrong(format!("expected a number, found `{}`", piece.text))),
    }
}

/// A decimal integer with an optional sign, otherwise as [`c_integer`].
pub fn decimal_integer(piece: Piece<'_>) -> Option<(i64, Piece<'_>)> {
    let (negative, digits) = sign(piece.trim_start());
    integer(negative, digits, 10)
}

fn sign(piece: Piece<'_>) -> (bool, Piece<'_>) {
    match piece.first() {
        Some(b'-') => (true, piece.skip(1)),
        Some(b'+') => (false, piece.skip(1)),
        _ => (false, piece),
    }
}

fn integer(negative: bool, digits: Piece<'_>, radix: u32) -> Option<(i64, Piece<'_>)> {
    let digit = |byte: u8| char::from(byte).to_digit(radix);
    let count = digits.text.bytes().take_while(|&b| digit(b).is_some()).count();
    if count == 0 {
        return None;
    }
    let value = digits.text.bytes().take(count).filter_map(digit).fold(0i64, |value, digit| {
        let value = value.saturating_mul(i64::from(radix));
        if negative { value.saturating_sub(digit.into()) } else { value.saturating_add(digit.into()) }
    });
    Some((value, digits.skip(count)))
}

/// A floating-point number as `strtod` reads it: decimal or hexadecimal with optional exponent, `inf`,
/// `infinity`, `nan`, `nan(...)`, in any case. Gives the value, rounded to nearest, and what follows it;
/// `None` where no number stands.
pub fn float(piece: Piece<'_>) -> Option<(f64, Piece<'_>)> {
    let (negative, body) = sign(piece.trim_start());
    let signed = |value: f64| if negative { -value } else { value };
    let starts = |word: &str| {
        body.text.as_bytes().get(..word.len()).is_some_and(|b| b.eq_ignore_ascii_case(word.as_bytes()))
    };
    if starts("infinity") {
        return Some((signed(f64::INFINITY), body.skip(8)));
    }
    if starts("inf") {
        return Some((signed(f64::INFINITY), body.skip(3)));
    }
    if starts("nan") {
        let rest = body.skip(3);
        let note = rest.text.strip_prefix('(').and_then(|note| {
            let end = note.bytes().take_while(|&b| b.is_ascii_alphanumeric() || b == b'_').count();
            (note.as_bytes().get(end) == Some(&b')')).then_some(end + 2)
        });
        return Some((signed(f64::NAN.copysign(1.0)), rest.skip(note.unwrap_or(0))));
    }
    if starts("0x")
        && let Some((value, length)) = hexadecimal(&body.text.as_bytes()[2..])
    {
        return Some((signed(value), body.skip(2 + length)));
    }
    let length = decimal_length(body.text.as_bytes())?;
    // The grammar that `decimal_length` accepts is a part of Rust's, whose parser rounds correctly.
    let value: f64 = body.take(length).text.parse().ok()?;
    Some((signed(value), body.skip(length)))
}

fn digits(bytes: &[u8]) -> usize {
    bytes.iter().take_while(|b| b.is_ascii_digit()).count()
}

/// Length of a decimal number; an `e` without digits behind it is not part of it.
fn decimal_length(bytes: &[u8]) -> Option<usize> {
    let whole = digits(bytes);
    let mut length = whole;
    let mut fraction = 0;
    if bytes.get(length) == Some(&b'.') {
        fraction = digits(&bytes[length + 1..]);
        length += 1 + fraction;
    }
    if whole + fraction == 0 {
        return None;
    }
    Some(length + exponent(&bytes[length..], b'e').map_or(0, |(_, length)| length))
}

/// An exponent with its letter: value (held at plus or minus 100 000, far past any float) and length.
fn exponent(bytes: &[u8], letter: u8) -> Option<(i32, usize)> {
    if !bytes.first()?.eq_ignore_ascii_case(&letter) {
        return None;
    }
    let signs = usize::from(matches!(bytes.get(1), Some(b'+' | b'-')));
    let count = digits(&bytes[1 + signs..]);
    if count == 0 {
        return None;
    }
    let value = bytes[1 + signs..][..count]
        .iter()
        .fold(0i32, |value, &digit| (value * 10 + i32::from(digit - b'0')).min(100_000));
    Some((if bytes.get(1) == Some(&b'-') { -value } else { value }, 1 + signs + count))
}

/// Hexadecimal mantissa and binary exponent behind `0x`: value and length.
fn hexadecimal(bytes: &[u8]) -> Option<(f64, usize)> {
    let mut mantissa = 0u64;
    let mut scale = 0i64;
    let mut sticky = false;
    let mut any = false;
    let mut point = false;
    let mut length = 0;
    while let Some(&byte) = bytes.get(length) {
        if byte == b'.' && !point {
            point = true;
        } else if let Some(digit) = char::from(byte).to_digit(16) {
            any = true;
            if mantissa >> 60 == 0 {
                mantissa = mantissa << 4 | u64::from(digit);
            } else {
                // Past 64 bits a digit can only decide a tie.
                sticky |= digit != 0;
                scale += 4;
            }
            scale -= if point { 4 } else { 0 };
        } else {
            break;
        }
        length += 1;
    }
    if !any {
        return None;
    }
    let (power, exponent_length) = exponent(&bytes[length..], b'p').unwrap_or((0, 0));
    Some((scaled(mantissa, sticky, scale.saturating_add(power.into())), length + exponent_length))
}

/// `mantissa * 2^scale`, rounded to nearest, ties to even; `sticky` says that a little more was cut off.
fn scaled(mantissa: u64, sticky: bool, scale: i64) -> f64 {
    if mantissa == 0 {
        return 0.0;
    }
    let shift = i64::from(mantissa.leading_zeros());
    let mantissa = mantissa << shift;
    // Now the value is 1.xxx * 2^exponent with the leading one in bit 63.
    let exponent = scale - shift + 63;
    if exponent > 1023 {
        return f64::INFINITY;
    }
    // Normal numbers keep 53 bits, denormal ones fewer.
    let dropped = if exponent >= -1022 { 11 } else { 11 + (-1022 - exponent) };
    if dropped > 64 {
        return 0.0;
    }
    let wide = u128::from(mantissa);
    let kept = (wide >> dropped) as u64;
    let cut = wide & ((1u128 << dropped) - 1);
    let half = 1u128 << (dropped - 1);
    let up = cut > half || cut == half && (sticky || kept & 1 == 1);
    // The leading one of a normal number adds one to the exponent field; a carry out of the mantissa does
    // the right thing too, up to infinity.
    let field = if exponent >= -1022 { (exponent + 1022) as u64 } else { 0 };
    f64::from_bits((field << 52) + kept + u64::from(up))
}

/// What happens to a value on its way into 24 bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fit {
    /// It is kept, or loses low bits of the mantissa.
    Kept,
    /// Not a number: written as infinity.
    NotANumber,
    /// Finite and at least 2^65: written as infinity.
    Infinite,
    /// Finite, at least 2^64 and less than 2^65: the reference assembler writes exponent 0x7F with the
    /// mantissa left in place, which the machine reads as NaN (infinity for 2^64 itself).
    Reserved,
    /// Not zero and less than 2^-62: written as a denormal of another value, or as zero.
    Tiny,
}

/// The 24-bit float (sign, 7 bits of exponent with bias 63, 16 of mantissa) that the reference assembler
/// writes for a value: the value goes through binary32, then the mantissa is truncated.
pub fn float24(value: f64) -> (u32, Fit) {
    let sign = (value.to_bits() >> 63) as u32 * 0x80_0000;
    if value.is_nan() {
        return (sign | 0x7F_0000, Fit::NotANumber);
    }
    let bits = (value as f32).to_bits();
    let mantissa = (bits & 0x7F_FFFF) >> 7;
    let exponent = (bits >> 23 & 0xFF) as i32 - 127 + 63;
    let fit = if value.is_infinite() {
        Fit::Kept
    } else if exponent > 0x7F {
        Fit::Infinite
    } else if exponent == 0x7F {
        Fit::Reserved
    } else if exponent <= 0 && value != 0.0 {
        Fit::Tiny
    } else {
        Fit::Kept
    };
    let word = match exponent {
        ..0 => sign,
        0x80.. => sign | 0x7F_0000,
        _ => sign | (exponent as u32) << 16 | mantissa,
    };
    (word, fit)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Option<(f64, &str)> {
        float(Piece::new(text)).map(|(value, rest)| (value, rest.text))
    }

    #[test]
    fn floats_read_as_in_c() {
        for (text, value, rest) in [
            ("1", 1.0, ""),
            (" +1.5e3x", 1500.0, "x"),
            ("1e", 1.0, "e"),
            ("1e+", 1.0, "e+"),
            (".5", 0.5, ""),
            ("5.", 5.0, ""),
            ("1/2", 1.0, "/2"),
            ("0x1.8p3", 12.0, ""),
            ("0x10", 16.0, ""),
            ("0x.8", 0.5, ""),
            ("0x1p", 1.0, "p"),
            ("0x", 0.0, "x"),
            ("0xg", 0.0, "xg"),
            ("-INFinity", f64::NEG_INFINITY, ""),
            ("infinit", f64::INFINITY, "init"),
            ("1e400", f64::INFINITY, ""),
            ("1e-400", 0.0, ""),
            ("0x1p99999999999", f64::INFINITY, ""),
            ("0x1p-1074", 5e-324, ""),
            ("0x1p-1075", 0.0, ""),
            ("0x1.0000000000000000000001p-1075", 5e-324, ""),
            ("0x1.fffffffffffff8p0", 2.0, ""),
            ("0x1.fffffffffffff7p0", 1.9999999999999998, ""),
            ("0x1.00000000000008p0", 1.0, ""),
            ("0x1.000000000000080000000000001p0", 1.0000000000000002, ""),
            ("0x1.fffffffffffffp-1023", f64::MIN_POSITIVE, ""),
        ] {
            assert_eq!(read(text), Some((value, rest)), "{text}");
        }
        assert!(read("-0").unwrap().0.is_sign_negative());
        let (nan, rest) = read("-nan(ab_1)z").unwrap();
        assert!(nan.is_nan() && nan.is_sign_negative());
        assert_eq!(rest, "z");
        assert_eq!(read("nan(a").unwrap().1, "(a");
        for text in ["", ".", "e5", "-", "pi", "+-1"] {
            assert_eq!(read(text), None, "{text}");
        }
    }

    #[test]
    fn integers_read_as_in_c() {
        let read = |text| c_integer(Piece::new(text)).map(|(value, rest)| (value, rest.text));
        assert_eq!(read("010"), Some((8, "")));
        assert_eq!(read("0x10"), Some((16, "")));
        assert_eq!(read("0x"), Some((0, "x")));
        assert_eq!(read("09"), Some((0, "9")));
        assert_eq!(read(" -12abc"), Some((-12, "abc")));
        assert_eq!(read("99999999999999999999"), Some((i64::MAX, "")));
        assert_eq!(read("-99999999999999999999"), Some((i64::MIN, "")));
        assert_eq!(read("x"), None);
    }

    #[test]
    fn floats_of_24_bits_truncate() {
        for (value, word, fit) in [
            (1.0, 0x3F_0000, Fit::Kept),
            (0.1, 0x3B_9999, Fit::Kept),
            (-0.0, 0x80_0000, Fit::Kept),
            (3.6e19, 0x7F_F399, Fit::Reserved),
            (1e30, 0x7F_0000, Fit::Infinite),
            (-1e300, 0xFF_0000, Fit::Infinite),
            (f64::INFINITY, 0x7F_0000, Fit::Kept),
            (f64::NAN, 0x7F_0000, Fit::NotANumber),
            (-1e-30, 0x80_0000, Fit::Tiny),
            (2f64.powi(-62), 0x01_0000, Fit::Kept),
            (1.5 * 2f64.powi(-63), 0x00_8000, Fit::Tiny),
        ] {
            assert_eq!(float24(value), (word, fit), "{value}");
        }
    }
}
