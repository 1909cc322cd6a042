//! Scalars known to the compiler: made as a type would hold them, and converted.

use crate::tree::Value;
use crate::types::Scalar;

/// A whole number wrapped to the width of a kind.
pub(super) fn integer(bits: i128, scalar: Scalar) -> Value {
    match scalar {
        Scalar::Int8 => Value::Int(i64::from(bits as i8)),
        Scalar::Int16 => Value::Int(i64::from(bits as i16)),
        Scalar::Int => Value::Int(i64::from(bits as i32)),
        Scalar::Int64 => Value::Int(bits as i64),
        Scalar::Uint8 => Value::Uint(u64::from(bits as u8)),
        Scalar::Uint16 => Value::Uint(u64::from(bits as u16)),
        Scalar::Uint => Value::Uint(u64::from(bits as u32)),
        Scalar::Uint64 => Value::Uint(bits as u64),
        Scalar::Bool => Value::Bool(bits != 0),
        Scalar::Float16 | Scalar::Float | Scalar::Double => float(bits as f64, scalar),
    }
}

/// A float rounded to the width of a kind.
pub(super) fn float(value: f64, scalar: Scalar) -> Value {
    Value::Float(match scalar {
        Scalar::Float => f64::from(value as f32),
        Scalar::Float16 => half(value),
        _ => value,
    })
}

/// Rounded to a float of 16 bits, to the nearest, ties to even.
fn half(value: f64) -> f64 {
    if value == 0.0 || !value.is_finite() {
        return value;
    }
    // The last place of a number of 11 bits; below the smallest exponent, that of denormals.
    let exponent = ((value.to_bits() >> 52) & 0x7ff) as i32 - 1023;
    let place = 2f64.powi(exponent.max(-14) - 10);
    let rounded = (value / place).round_ties_even() * place;
    if rounded.abs() > 65504.0 { f64::INFINITY.copysign(value) } else { rounded }
}

/// A scalar as another kind.
pub(super) fn convert(value: Value, to: Scalar) -> Value {
    match (value, to) {
        (Value::Bool(value), Scalar::Bool) => Value::Bool(value),
        (Value::Int(value), Scalar::Bool) => Value::Bool(value != 0),
        (Value::Uint(value), Scalar::Bool) => Value::Bool(value != 0),
        (Value::Float(value), Scalar::Bool) => Value::Bool(value != 0.0),
        (Value::Bool(value), _) if to.is_float() => float(f64::from(u8::from(value)), to),
        (Value::Int(value), _) if to.is_float() => float(from_integer(i128::from(value), to), to),
        (Value::Uint(value), _) if to.is_float() => float(from_integer(i128::from(value), to), to),
        (Value::Float(value), _) if to.is_float() => float(value, to),
        (Value::Bool(value), _) => integer(i128::from(value), to),
        (Value::Int(value), _) => integer(i128::from(value), to),
        (Value::Uint(value), _) => integer(i128::from(value), to),
        // Out of range, the language says nothing; the nearest value is at least the same everywhere.
        (Value::Float(value), _) if to.is_unsigned() && value >= 0.0 => {
            integer(value.min(1.9e19) as u64 as i128, to)
        }
        (Value::Float(value), _) => integer(i128::from(value as i64), to),
    }
}

/// Rounded once: a `float` of a number of 64 bits does not go by way of a `double`.
fn from_integer(value: i128, to: Scalar) -> f64 {
    match to {
        Scalar::Float => f64::from(value as f32),
        _ => value as f64,
    }
}

/// The zero, one or false of a kind.
pub(super) fn small(number: u8, scalar: Scalar) -> Value {
    integer(i128::from(number), scalar)
}

/// As a whole number.
pub(super) fn as_integer(value: Value) -> Option<i128> {
    match value {
        Value::Int(value) => Some(i128::from(value)),
        Value::Uint(value) => Some(i128::from(value)),
        _ => None,
    }
}

/// As a float.
pub(super) fn as_float(value: Value) -> Option<f64> {
    match value {
        Value::Float(value) => Some(value),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::{convert, float, half};
    use crate::tree::Value;
    use crate::types::Scalar;

    #[test]
    fn halves() {
        for (value, expected) in [
            (1.0, 1.0),
            (2049.0, 2048.0),
            (2051.0, 2052.0),
            (65519.0, 65504.0),
            (65520.0, f64::INFINITY),
            (-1e9, f64::NEG_INFINITY),
            (5.960_464_477_539_063e-8, 5.960_464_477_539_063e-8),
            (2.9e-8, 0.0),
            (0.1, 0.0999755859375),
        ] {
            assert_eq!(half(value), expected, "{value}");
        }
    }

    #[test]
    fn conversions() {
        assert_eq!(convert(Value::Int(-1), Scalar::Uint), Value::Uint(0xffff_ffff));
        assert_eq!(convert(Value::Uint(0xffff_ffff), Scalar::Int), Value::Int(-1));
        assert_eq!(convert(Value::Float(-1.75), Scalar::Int), Value::Int(-1));
        assert_eq!(convert(Value::Float(3e9), Scalar::Uint), Value::Uint(3_000_000_000));
        assert_eq!(convert(Value::Int(16_777_217), Scalar::Float), Value::Float(16_777_216.0));
        assert_eq!(convert(Value::Float(0.5), Scalar::Bool), Value::Bool(true));
        assert_eq!(float(0.1, Scalar::Float), Value::Float(f64::from(0.1_f32)));
    }
}
