//! Numbers of literals as decaf writes them.

use std::fmt::{self, Write};
use unshade_isa_common::text::{PartKind, Sink};

/// Room for the shortest decimal digits of a float.
#[derive(Default)]
struct Room {
    bytes: [u8; 24],
    length: usize,
}

impl Write for Room {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        let place = self.bytes.get_mut(self.length..self.length + text.len()).ok_or(fmt::Error)?;
        place.copy_from_slice(text.as_bytes());
        self.length += text.len();
        Ok(())
    }
}

/// Writes a float with as few digits as tell it from its neighbours; with an exponent where it is below 10^-4
/// or from 10^16 on.
pub(crate) fn float(sink: &mut impl Sink, bits: u32) {
    let value = f32::from_bits(bits);
    if bits >> 31 != 0 {
        sink.put(PartKind::Immediate, "-");
    }
    let value = value.abs();
    if value < 1_000_000.0 && value.fract() == 0.0 {
        return sink.decimal(PartKind::Immediate, value as u32);
    }
    if value.is_nan() {
        return sink.put(PartKind::Immediate, "nan");
    }
    if value.is_infinite() {
        return sink.put(PartKind::Immediate, "inf");
    }
    let mut room = Room::default();
    if write!(room, "{value:e}").is_err() {
        return;
    }
    let text = std::str::from_utf8(room.bytes.get(..room.length).unwrap_or_default()).unwrap_or_default();
    let (mantissa, exponent) = text.split_once('e').unwrap_or((text, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    const ZEROS: &str = "0000000000000000";
    let mut put = |text: &str| sink.put(PartKind::Immediate, text);
    match exponent {
        -4..0 => {
            put("0.");
            put(ZEROS.get(..(-exponent - 1) as usize).unwrap_or_default());
            put(whole);
            put(fraction);
        }
        0..16 => {
            let moved = exponent as usize;
            put(whole);
            match fraction.split_at_checked(moved) {
                Some((front, "")) => put(front),
                Some((front, back)) => {
                    put(front);
                    put(".");
                    put(back);
                }
                None => {
                    put(fraction);
                    put(ZEROS.get(..moved - fraction.len()).unwrap_or_default());
                }
            }
        }
        _ => {
            put(mantissa);
            put(if exponent < 0 { "e-" } else { "e+" });
            // At least two digits.
            if exponent.unsigned_abs() < 10 {
                put("0");
            }
            sink.decimal(PartKind::Immediate, exponent.unsigned_abs());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::float;
    use unshade_isa_common::text::PlainText;

    #[test]
    fn shortest_digits() {
        for (value, expected) in [
            (1.0, "1"),
            (0.25, "0.25"),
            (-0.0, "-0"),
            (1.5, "1.5"),
            (1_048_576.0, "1048576"),
            (16_777_216.5, "16777216"),
            (1e-4, "0.0001"),
            (1e-5, "1e-05"),
            (f32::from_bits(3), "4e-45"),
            (1e15, "1000000000000000"),
            (1e16, "1e+16"),
            (f32::MAX, "3.4028235e+38"),
            (f32::INFINITY, "inf"),
            (f32::NEG_INFINITY, "-inf"),
            (123.456, "123.456"),
            (0.15915494, "0.15915494"),
        ] {
            let mut text = PlainText::default();
            float(&mut text, value.to_bits());
            assert_eq!(text.text(), expected, "{value}");
        }
    }
}
