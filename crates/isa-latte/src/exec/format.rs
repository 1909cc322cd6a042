//! Elements of buffers to components.

use super::super::fields::Vtx;
use super::super::table::DataFormat;
use super::state::{Layout, Vector};

/// What the bits of a component are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// As the number format says.
    Number,
    /// A float of this many mantissa bits; the others are exponent and, for 16 and 32 bits, sign.
    Float(u32),
}

/// Sizes of the components in bits, the one in the lowest bits (x) first, and what they are. `None` for formats that
/// only textures have.
fn components(format: DataFormat) -> Option<(&'static [u32], Kind)> {
    use DataFormat as F;
    use Kind::{Float, Number};
    Some(match format {
        F::X8 => (&[8], Number),
        F::X4Y4 => (&[4, 4], Number),
        F::X3Y3Z2 => (&[2, 3, 3], Number),
        F::X16 => (&[16], Number),
        F::X16Float => (&[16], Float(10)),
        F::X8Y8 => (&[8, 8], Number),
        F::X5Y6Z5 => (&[5, 6, 5], Number),
        F::X6Y5Z5 => (&[5, 5, 6], Number),
        F::X1Y5Z5W5 => (&[5, 5, 5, 1], Number),
        F::X4Y4Z4W4 => (&[4, 4, 4, 4], Number),
        F::X5Y5Z5W1 => (&[1, 5, 5, 5], Number),
        F::X32 => (&[32], Number),
        F::X32Float => (&[32], Float(23)),
        F::X16Y16 => (&[16, 16], Number),
        F::X16Y16Float => (&[16, 16], Float(10)),
        F::X8Y24 => (&[24, 8], Number),
        F::X24Y8 => (&[8, 24], Number),
        F::X10Y11Z11 => (&[11, 11, 10], Number),
        F::X11Y11Z10 => (&[10, 11, 11], Number),
        F::X10Y11Z11Float => (&[11, 11, 10], Float(0)),
        F::X11Y11Z10Float => (&[10, 11, 11], Float(0)),
        F::X2Y10Z10W10 => (&[10, 10, 10, 2], Number),
        F::X8Y8Z8W8 => (&[8, 8, 8, 8], Number),
        F::X10Y10Z10W2 => (&[2, 10, 10, 10], Number),
        F::X32Y32 => (&[32, 32], Number),
        F::X32Y32Float => (&[32, 32], Float(23)),
        F::X16Y16Z16W16 => (&[16, 16, 16, 16], Number),
        F::X16Y16Z16W16Float => (&[16, 16, 16, 16], Float(10)),
        F::X32Y32Z32W32 => (&[32, 32, 32, 32], Number),
        F::X32Y32Z32W32Float => (&[32, 32, 32, 32], Float(23)),
        F::X8Y8Z8 => (&[8, 8, 8], Number),
        F::X16Y16Z16 => (&[16, 16, 16], Number),
        F::X16Y16Z16Float => (&[16, 16, 16], Float(10)),
        F::X32Y32Z32 => (&[32, 32, 32], Number),
        F::X32Y32Z32Float => (&[32, 32, 32], Float(23)),
        F::X1 => (&[1], Number),
        // Mixed and shared ones are taken apart below.
        F::X8Y24Float | F::X24Y8Float | F::X24Y8Z32Float | F::X5Y9Z9E9 => (&[32, 32], Number),
        F::GbGr | F::BgRg | F::X32As8 | F::X32As8Y8 | F::Bc1 | F::Bc2 | F::Bc3 | F::Bc4 | F::Bc5 => {
            return None;
        }
    })
}

/// Bytes from one element to the next of a buffer that nobody describes: as many as the fetch takes, in whole words.
pub fn stride(inst: Vtx) -> u32 {
    let bits = match DataFormat::of(inst.data_format()) {
        Some(DataFormat::X8Y24Float | DataFormat::X24Y8Float | DataFormat::X5Y9Z9E9) => 32,
        Some(format) => components(format).map_or(128, |(sizes, _)| sizes.iter().sum::<u32>()),
        None => 128,
    };
    bits.div_ceil(32).max(1) * 4
}

/// The components of an element whose bytes `read` gives, by their place behind the start. Those that the format does
/// not have are 0, 0 and 1 (1.0, or the integer 1); all are 0 where only textures have the format.
pub(super) fn element(layout: Layout, mut read: impl FnMut(u32) -> u8) -> Vector {
    let mut bits = |first: u32, count: u32| -> u32 {
        let mut value = 0_u64;
        for byte in first / 8..(first + count).div_ceil(8) {
            value |= u64::from(read(byte)) << (8 * (byte - first / 8));
        }
        let value = value >> (first % 8);
        if count < 32 { value as u32 & ((1 << count) - 1) } else { value as u32 }
    };
    let one = |float: bool| if float || layout.numbers != 1 { 1.0_f32.to_bits() } else { 1 };
    match layout.format {
        DataFormat::X8Y24Float => {
            return [float_of(bits(0, 24), 24, 20), number(bits(24, 8), 8, layout), 0, one(true)];
        }
        DataFormat::X24Y8Float => {
            return [number(bits(0, 8), 8, layout), float_of(bits(8, 24), 24, 20), 0, one(true)];
        }
        DataFormat::X24Y8Z32Float => return [bits(0, 32), number(bits(32, 8), 8, layout), 0, one(true)],
        DataFormat::X5Y9Z9E9 => {
            // Mantissas of 9 bits, exponent with bias 15 (OpenGL's RGB9_E5).
            let exponent = bits(27, 5) as i32 - 15 - 9;
            let scale = f32::from_bits(((127 + exponent) as u32) << 23);
            let [x, y, z] = [0, 9, 18].map(|first| (bits(first, 9) as f32 * scale).to_bits());
            return [x, y, z, one(true)];
        }
        _ => {}
    }
    let Some((sizes, kind)) = components(layout.format) else { return [0; 4] };
    let mut vector = [0, 0, 0, one(matches!(kind, Kind::Float(_)))];
    let mut first = 0;
    for (place, &size) in vector.iter_mut().zip(sizes) {
        let raw = bits(first, size);
        first += size;
        *place = match kind {
            Kind::Number => number(raw, size, layout),
            Kind::Float(23) => raw,
            // Those of 10 and 11 bits have five bits of exponent and no sign.
            Kind::Float(0) => float_of(raw, size, size - 5),
            Kind::Float(mantissa) => {
                let magnitude = float_of(raw & 0x7FFF, 15, mantissa);
                magnitude | (raw & 0x8000) << 16
            }
        };
    }
    vector
}

/// A number of `size` bits by its number format.
fn number(raw: u32, size: u32, layout: Layout) -> u32 {
    let signed = ((raw << (32 - size)) as i32) >> (32 - size);
    match (layout.numbers, layout.signed) {
        (1, false) => raw,
        (1, true) => signed as u32,
        (0, false) => ((f64::from(raw) / (2.0_f64.powi(size as i32) - 1.0)) as f32).to_bits(),
        (0, true) if layout.spread => {
            (((2.0 * f64::from(signed) + 1.0) / (2.0_f64.powi(size as i32) - 1.0)) as f32).to_bits()
        }
        (0, true) => {
            // One bit has no positive number.
            let most = (2.0_f64.powi(size as i32 - 1) - 1.0).max(1.0);
            ((f64::from(signed) / most).max(-1.0) as f32).to_bits()
        }
        (_, false) => (raw as f32).to_bits(),
        (_, true) => (signed as f32).to_bits(),
    }
}

/// An unsigned float of `size` bits with that many of mantissa, as binary32.
fn float_of(raw: u32, size: u32, mantissa: u32) -> u32 {
    let exponent_bits = size - mantissa;
    let bias = (1 << (exponent_bits - 1)) - 1;
    let (exponent, fraction) = (raw >> mantissa, raw & ((1 << mantissa) - 1));
    let value = if exponent == (1 << exponent_bits) - 1 {
        if fraction == 0 { f64::INFINITY } else { f64::NAN }
    } else {
        let (whole, exponent) =
            if exponent == 0 { (fraction, 1) } else { (fraction | 1 << mantissa, exponent) };
        f64::from(whole) * 2.0_f64.powi(exponent as i32 - bias - mantissa as i32)
    };
    (value as f32).to_bits()
}
