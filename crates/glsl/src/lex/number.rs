//! Numbers as they are written.

use crate::types::Scalar;

/// The value of a number.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Literal {
    /// A whole number with its bits, and its kind.
    Integer(u64, Scalar),
    /// A float and its kind.
    Float(f64, Scalar),
}

/// The value of a number, or what is wrong with it.
pub fn literal(text: &str) -> Result<Literal, String> {
    let lower = text.to_ascii_lowercase();
    if let Some(digits) = lower.strip_prefix("0x") {
        let (digits, scalar) = integer_suffix(digits);
        if digits.is_empty() {
            return Err(format!("`{text}` has no digits behind `0x`"));
        }
        return integer(text, digits, 16, scalar);
    }
    let is_float = lower.contains(['.', 'e']) || lower.ends_with('f');
    if !is_float {
        let (digits, scalar) = integer_suffix(&lower);
        return match digits.strip_prefix('0') {
            Some(octal) if !octal.is_empty() => integer(text, octal, 8, scalar),
            _ => integer(text, digits, 10, scalar),
        };
    }
    let (digits, scalar) = match lower.as_str() {
        text if text.ends_with("lf") => (text.strip_suffix("lf"), Scalar::Double),
        text if text.ends_with("hf") => (text.strip_suffix("hf"), Scalar::Float16),
        text if text.ends_with('f') => (text.strip_suffix('f'), Scalar::Float),
        text => (Some(text), Scalar::Float),
    };
    let digits = digits.unwrap_or("");
    let plain = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
    let (mantissa, exponent) = match digits.split_once('e') {
        Some((mantissa, exponent)) => (mantissa, Some(exponent.strip_prefix(['+', '-']).unwrap_or(exponent))),
        None => (digits, None),
    };
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    if !plain(whole) || !plain(fraction) || whole.len() + fraction.len() == 0 {
        return Err(format!("`{text}` is not a number"));
    }
    match exponent {
        Some(exponent) if exponent.is_empty() || !plain(exponent) => {
            return Err(format!("`{text}` has no exponent behind its `e`"));
        }
        // `1f` is no number, `1.f` and `1e0f` are.
        None if !mantissa.contains('.') => {
            return Err(format!("`{text}` needs a point to be a float: `{mantissa}.0`"));
        }
        _ => {}
    }
    let value: f64 = match scalar {
        // Rounded once, from the text.
        Scalar::Float => f64::from(digits.parse::<f32>().map_err(|_| format!("`{text}` is not a number"))?),
        _ => digits.parse().map_err(|_| format!("`{text}` is not a number"))?,
    };
    Ok(Literal::Float(value, scalar))
}

fn integer_suffix(text: &str) -> (&str, Scalar) {
    let suffixes = [
        ("ul", Scalar::Uint64),
        ("us", Scalar::Uint16),
        ("u", Scalar::Uint),
        ("l", Scalar::Int64),
        ("s", Scalar::Int16),
    ];
    for (suffix, scalar) in suffixes {
        if let Some(digits) = text.strip_suffix(suffix) {
            return (digits, scalar);
        }
    }
    (text, Scalar::Int)
}

fn integer(text: &str, digits: &str, radix: u32, scalar: Scalar) -> Result<Literal, String> {
    let wrong = digits.chars().find(|digit| !digit.is_digit(radix));
    if let Some(wrong) = wrong {
        let kind = match radix {
            8 => "an octal number (one that begins with 0)",
            16 => "a hexadecimal number",
            _ => "a number",
        };
        return Err(format!("`{wrong}` is no digit of {kind}: `{text}`"));
    }
    let value =
        u64::from_str_radix(digits, radix).map_err(|_| format!("`{text}` does not fit in 64 bits"))?;
    let bits = scalar.size() * 8;
    if bits < 64 && value >> bits != 0 {
        return Err(format!("`{text}` does not fit in the {bits} bits of `{}`", scalar.name()));
    }
    Ok(Literal::Integer(value, scalar))
}

#[cfg(test)]
mod tests {
    use super::{Literal, literal};
    use crate::types::Scalar;

    #[test]
    fn numbers() {
        let integer = |value, scalar| Ok(Literal::Integer(value, scalar));
        let float = |value, scalar| Ok(Literal::Float(value, scalar));
        assert_eq!(literal("0"), integer(0, Scalar::Int));
        assert_eq!(literal("0u"), integer(0, Scalar::Uint));
        assert_eq!(literal("017"), integer(15, Scalar::Int));
        assert_eq!(literal("0xFFFFffffU"), integer(0xffff_ffff, Scalar::Uint));
        assert_eq!(literal("4294967295"), integer(0xffff_ffff, Scalar::Int));
        assert_eq!(literal("1UL"), integer(1, Scalar::Uint64));
        assert_eq!(literal("1s"), integer(1, Scalar::Int16));
        assert_eq!(literal("1."), float(1.0, Scalar::Float));
        assert_eq!(literal(".5e-1f"), float(f64::from(0.05_f32), Scalar::Float));
        assert_eq!(literal("1e3"), float(1000.0, Scalar::Float));
        assert_eq!(literal("1.0LF"), float(1.0, Scalar::Double));
        assert_eq!(literal("1.5hf"), float(1.5, Scalar::Float16));
        assert_eq!(literal("0x1e3"), integer(0x1e3, Scalar::Int));
        for wrong in ["08", "0x", "1f", "1e", "1.0x", "4294967296", "12ab", "1e+", "0xfg", "1.2.3"] {
            assert!(literal(wrong).is_err(), "{wrong}");
        }
    }
}
