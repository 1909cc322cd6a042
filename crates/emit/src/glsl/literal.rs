//! Literals: as short as they can be, and exactly the value.

use std::fmt::Write as _;
use unshade_ir::ast::Scalar;

/// How tightly a printed literal binds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Binds {
    /// A single token or a call.
    Whole,
    /// Begins with a minus sign.
    Negated,
    /// A quotient.
    Quotient,
}

/// Whether a NaN is one that arithmetic gives, or that a narrower float had (its lowest bits are zeros then): with other bits
/// it is an integer in the place of a float.
fn is_plain(value: f32) -> bool {
    let bits = value.to_bits();
    bits == 0xFFC0_0000 || bits & 0xFFC0_007F == 0x7FC0_0000
}

/// Prints a float that is no number as a person writes it: what a division by zero gives. None: it is a number, or bits that
/// only a bit cast keeps.
pub(super) fn infinite(out: &mut String, value: f32) -> Option<Binds> {
    let text = match value {
        value if is_plain(value) => "0.0 / 0.0",
        f32::INFINITY => "1.0 / 0.0",
        f32::NEG_INFINITY => "-1.0 / 0.0",
        _ => return None,
    };
    out.push_str(text);
    Some(Binds::Quotient)
}

/// Prints the literal of one component in ES 1.00, which has no bits to make infinities and NaN from.
pub(super) fn old_literal(out: &mut String, scalar: Scalar, bits: u64) -> Binds {
    let value = f32::from_bits(bits as u32);
    if scalar == Scalar::Int && bits == 1 << 31 {
        out.push_str("(-2147483647 - 1)");
        return Binds::Whole;
    }
    if scalar != Scalar::Float {
        return literal(out, scalar, bits);
    }
    if value.is_finite() {
        return digits(out, value);
    }
    infinite(out, if value.is_nan() { f32::NAN } else { value }).unwrap_or(Binds::Whole)
}

/// Prints the literal of one component.
pub(super) fn literal(out: &mut String, scalar: Scalar, bits: u64) -> Binds {
    let word = bits as u32;
    match scalar {
        Scalar::Bool => out.push_str(if bits == 0 { "false" } else { "true" }),
        Scalar::Uint => uint(out, word),
        Scalar::Int => return int(out, word.cast_signed()),
        Scalar::Float => return float(out, f32::from_bits(word)),
        Scalar::Double => return double(out, f64::from_bits(bits)),
    }
    Binds::Whole
}

/// A float literal: the shortest digits that read back as the same value. Infinities and NaN have no
/// literal and are made from their bits; so are denormals, which compilers and machines take for zero: who has them moves
/// integers.
fn float(out: &mut String, value: f32) -> Binds {
    if !value.is_finite() || value.is_subnormal() {
        let bits = value.to_bits();
        let small = bits.cast_signed();
        let _ = match small.unsigned_abs() {
            ..0x1_0000 => write!(out, "intBitsToFloat({small})"),
            _ => write!(out, "uintBitsToFloat(0x{bits:08x}u)"),
        };
        return Binds::Whole;
    }
    digits(out, value)
}

/// The digits of a float.
fn digits(out: &mut String, value: f32) -> Binds {
    let start = out.len();
    let _ = write!(out, "{value:?}");
    if value.abs() >= 1e6 {
        shorter(out, start, format_args!("{value:e}"));
    }
    // Compilers read a literal as a double and round that again; for rare values the shortest digits are so
    // near the middle between two floats that the detour matters. Nine digits never are.
    let reread = out.get(start..).and_then(|digits| digits.parse::<f64>().ok());
    if reread.is_some_and(|double| (double as f32).to_bits() != value.to_bits()) {
        out.truncate(start);
        let _ = write!(out, "{value:.8e}");
    }
    if value.is_sign_negative() { Binds::Negated } else { Binds::Whole }
}

/// Takes another form of the number from `start` on if it has fewer letters.
fn shorter(out: &mut String, start: usize, other: std::fmt::Arguments<'_>) {
    let end = out.len();
    let _ = out.write_fmt(other);
    if out.len() - end < end - start {
        out.drain(start..end);
    } else {
        out.truncate(end);
    }
}

/// A double literal: the shortest digits that read back as the same value.
fn double(out: &mut String, value: f64) -> Binds {
    if !value.is_finite() {
        let bits = value.to_bits();
        let _ = write!(out, "packDouble2x32(uvec2(0x{:x}u, 0x{:08x}u))", bits as u32, bits >> 32);
        return Binds::Whole;
    }
    let start = out.len();
    let _ = write!(out, "{value:?}");
    if value.abs() >= 1e6 {
        shorter(out, start, format_args!("{value:e}"));
    }
    out.push_str("LF");
    if value.is_sign_negative() { Binds::Negated } else { Binds::Whole }
}

fn int(out: &mut String, value: i32) -> Binds {
    if value == i32::MIN {
        // Its digits without the sign are no int.
        out.push_str("int(0x80000000u)");
        return Binds::Whole;
    }
    let _ = if value == i32::MAX { write!(out, "0x7fffffff") } else { write!(out, "{value}") };
    if value < 0 { Binds::Negated } else { Binds::Whole }
}

fn uint(out: &mut String, value: u32) {
    // Large numbers are masks or bit patterns more often than counts.
    let _ = if value > 0xffff { write!(out, "0x{value:x}u") } else { write!(out, "{value}u") };
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn print(scalar: Scalar, bits: u64) -> String {
        let mut out = String::new();
        literal(&mut out, scalar, bits);
        out
    }

    fn float_text(value: f32) -> String {
        print(Scalar::Float, value.to_bits().into())
    }

    #[test]
    fn literals_are_short() {
        for (value, text) in [
            (0.0, "0.0"),
            (-0.0, "-0.0"),
            (1.0, "1.0"),
            (-0.5, "-0.5"),
            (0.1, "0.1"),
            // 0.1 cut to the 16 bits of a machine float's mantissa.
            (f32::from_bits(0x3dcc_cc80), "0.09999943"),
            (1e-7, "1e-7"),
            (3.0e38, "3e38"),
            (16_777_216.0, "16777216.0"),
            (1e6, "1e6"),
            (-2.5e9, "-2.5e9"),
            (100_000.0, "100000.0"),
            (0.001, "0.001"),
            (f32::from_bits(1), "intBitsToFloat(1)"),
            (f32::from_bits(-510_i32 as u32), "intBitsToFloat(-510)"),
            (f32::from_bits(0x0012_3456), "uintBitsToFloat(0x00123456u)"),
        ] {
            assert_eq!(float_text(value), text);
        }
        assert_eq!(float_text(f32::INFINITY), "uintBitsToFloat(0x7f800000u)");
        assert_eq!(print(Scalar::Float, 0xffc0_0001), "uintBitsToFloat(0xffc00001u)");
        assert_eq!(print(Scalar::Int, 0x8000_0000), "int(0x80000000u)");
        assert_eq!(print(Scalar::Int, 0xffff_ffff), "-1");
        assert_eq!(print(Scalar::Uint, 0xffff_ffff), "0xffffffffu");
        assert_eq!(print(Scalar::Uint, 7), "7u");
        assert_eq!(print(Scalar::Bool, 1), "true");
    }

    #[test]
    fn doubles_are_short_and_exact() {
        let text = |value: f64| print(Scalar::Double, value.to_bits());
        for (value, expected) in [
            (0.0, "0.0LF"),
            (-0.0, "-0.0LF"),
            (0.5, "0.5LF"),
            (-1.0, "-1.0LF"),
            (0.1, "0.1LF"),
            (1e300, "1e300LF"),
            (4_294_967_296.0, "4294967296.0LF"),
            (f64::from_bits(1), "5e-324LF"),
            (1.0 / 3.0, "0.3333333333333333LF"),
        ] {
            assert_eq!(text(value), expected);
        }
        assert_eq!(text(f64::INFINITY), "packDouble2x32(uvec2(0x0u, 0x7ff00000u))");
        assert_eq!(print(Scalar::Double, 0xFFF8_0000_0000_0001), "packDouble2x32(uvec2(0x1u, 0xfff80000u))");
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 20_000, failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn any_double_reads_back(bits: u64) {
            let value = f64::from_bits(bits);
            prop_assume!(value.is_finite());
            let text = print(Scalar::Double, bits);
            let digits = text.strip_suffix("LF").unwrap();
            prop_assert_eq!(digits.parse::<f64>().unwrap().to_bits(), bits);
            prop_assert!(digits.contains(['.', 'e']));
        }
    }

    /// Reads a float literal the way a compiler may: as a float at once, or as a double first.
    fn reads_back(bits: u32) -> bool {
        let value = f32::from_bits(bits);
        let text = float_text(value);
        if !value.is_finite() || value.is_subnormal() {
            let int = format!("intBitsToFloat({})", bits as i32);
            return text == int || text == format!("uintBitsToFloat(0x{bits:08x}u)");
        }
        let is_float_literal = text.contains(['.', 'e']);
        let at_once = text.parse::<f32>().unwrap().to_bits() == bits;
        let through_double = (text.parse::<f64>().unwrap() as f32).to_bits() == bits;
        is_float_literal && at_once && through_double
    }

    #[test]
    fn a_stride_through_all_floats_reads_back() {
        // A prime step visits every exponent and both signs.
        let mut bits = 0u32;
        for _ in 0..1_000_000 {
            assert!(reads_back(bits), "{bits:08x}");
            bits = bits.wrapping_add(4_294_967 | 1);
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 20_000, failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn any_float_reads_back(bits: u32) {
            prop_assert!(reads_back(bits));
        }
    }
}
