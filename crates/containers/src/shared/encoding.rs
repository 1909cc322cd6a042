//! How the bytes of a field say its value: text to bytes, and what a field can hold.
//!
//! `show` prints a field, `edit` takes what `show` printed. So what stands here reads the text of a tree back, up to the
//! remark behind the number (`3 (float)`, `16 floats`), and also what a person would type instead.

use std::fmt;
use unshade_bytes::{Endian, F24};

/// How the bytes of a field say its value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum FieldEncoding {
    /// It follows from something else in the file, which has to change instead.
    #[default]
    Follows,
    /// A number in the byte order of the file; a negative one in two's complement.
    Number,
    /// A number with a spelling of its own: names of values, registers, bits with names.
    Spelled(&'static dyn Spelling),
    /// In this way, but with the most significant byte first, whatever the order of the file.
    BigEndian(&'static FieldEncoding),
    /// In this way behind so many bytes, which stay: the header of a chunk.
    Behind(usize, &'static FieldEncoding),
    /// A 32-bit float.
    Float,
    /// A float of the PICA200 with 24 bits, in a word of 32.
    Float24,
    /// Signed bytes.
    Components,
    /// Words of 32 bits in this order, each as eight hexadecimal digits.
    Words(Endian),
    /// Bytes, each as two hexadecimal digits; up to eight may be said as one number.
    Bytes,
    /// Characters. Another length moves what lies behind it, which is for the format to do.
    Text,
}

/// A spelling of numbers.
pub trait Spelling: fmt::Debug + Sync {
    /// What it takes besides numbers, in a few words.
    fn takes(&self) -> String;

    /// The number that `text` stands for, where the field holds `old`; `None` where it is no such text.
    fn read(&self, text: &str, old: u64) -> Option<u64>;
}

impl PartialEq for dyn Spelling {
    fn eq(&self, other: &Self) -> bool {
        self.takes() == other.takes()
    }
}

impl Eq for dyn Spelling {}

/// Names for the numbers from 0 on.
#[derive(Debug)]
pub struct Names(pub &'static [&'static str]);

impl Spelling for Names {
    fn takes(&self) -> String {
        self.0.join(", ")
    }

    fn read(&self, text: &str, _: u64) -> Option<u64> {
        self.0.iter().position(|name| *name == text).map(|index| index as u64)
    }
}

/// Why a field cannot have a value: what it takes, and what was given.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    /// What the field takes.
    pub expected: String,
    /// What was given.
    pub found: String,
}

impl Refusal {
    pub(crate) fn new(expected: impl Into<String>, found: impl fmt::Display) -> Self {
        Self { expected: expected.into(), found: format!("`{found}`") }
    }
}

impl FieldEncoding {
    /// The bytes that say `text` in a field that holds `old` now.
    ///
    /// # Errors
    /// Where the field cannot hold that, or nothing like it.
    pub fn encode(self, text: &str, old: &[u8], endian: Endian) -> Result<Vec<u8>, Refusal> {
        let size = old.len();
        let plain = text.split(" (").next().unwrap_or(text).trim();
        match self {
            Self::Follows | Self::Text => Err(Refusal::new(self.takes(), text)),
            Self::Number => number(plain, size, endian),
            Self::BigEndian(coding) => coding.encode(text, old, Endian::Big),
            Self::Behind(len, coding) => {
                let (front, rest) = old.split_at_checked(len).unwrap_or((old, &[]));
                let rest = coding.encode(text, rest, endian)?;
                Ok([front, &rest].concat())
            }
            Self::Spelled(spelling) => match spelling.read(text.trim(), loaded(old, endian)) {
                Some(value) => fitting(value.into(), size, endian, text),
                None => number(plain, size, endian).map_err(|refusal| Refusal {
                    expected: format!("{}, or {}", spelling.takes(), refusal.expected),
                    ..refusal
                }),
            },
            Self::Float => match hexadecimal(plain) {
                Some(bits) => fitting(bits.into(), size, endian, plain),
                None => Ok(stored(float(plain)?.to_bits().into(), size, endian)),
            },
            Self::Float24 => match hexadecimal(plain) {
                Some(bits) => fitting(bits.into(), size, endian, plain),
                None => float24(plain).map(|bits| stored(bits.into(), size, endian)),
            },
            Self::Components => components(text, size),
            Self::Words(order) => words(text, size, order),
            Self::Bytes => bytes(text, plain, size, endian),
        }
    }

    /// What such a field takes, in a few words.
    pub fn takes(self) -> String {
        match self {
            Self::Follows => "nothing: its value follows from the rest of the file".to_owned(),
            Self::Number => "a number".to_owned(),
            Self::BigEndian(coding) | Self::Behind(_, coding) => coding.takes(),
            Self::Spelled(spelling) => format!("{}, or a number", spelling.takes()),
            Self::Float | Self::Float24 => "a float, or its bits after 0x".to_owned(),
            Self::Components => "signed bytes with commas between".to_owned(),
            Self::Words(_) => "words of eight hexadecimal digits".to_owned(),
            Self::Bytes => "bytes of two hexadecimal digits".to_owned(),
            Self::Text => "text of any length, which only some formats can place".to_owned(),
        }
    }
}

/// Digits after `0x`.
fn hexadecimal(text: &str) -> Option<u64> {
    text.strip_prefix("0x").and_then(|digits| u64::from_str_radix(digits, 16).ok())
}

fn number(text: &str, size: usize, endian: Endian) -> Result<Vec<u8>, Refusal> {
    // Units stand behind numbers: `16 floats`.
    let text = text.split(' ').next().unwrap_or(text);
    let value = match hexadecimal(text) {
        Some(value) => Some(i128::from(value)),
        None => text.parse::<i128>().ok(),
    };
    match value {
        Some(value) => fitting(value, size, endian, text),
        None => Err(Refusal::new(range(size), text)),
    }
}

fn range(size: usize) -> String {
    let bits = size.saturating_mul(8);
    match 1_i128.checked_shl(u32::try_from(bits).unwrap_or(u32::MAX)) {
        Some(end) if (1..=8).contains(&size) => format!(
            "a number from -{} to {} ({bits} bits)",
            end.checked_div(2).unwrap_or(0),
            end.saturating_sub(1)
        ),
        _ => format!("a value of {size} bytes"),
    }
}

/// A number as it is stored, where it fits.
fn fitting(value: i128, size: usize, endian: Endian, text: &str) -> Result<Vec<u8>, Refusal> {
    let bits = u32::try_from(size.saturating_mul(8)).unwrap_or(u32::MAX);
    let end = 1_i128.checked_shl(bits).filter(|_| (1..=8).contains(&size));
    match end {
        Some(end) if value < end && value >= end.checked_div(2).unwrap_or(0).saturating_neg() => {
            Ok(stored(value.rem_euclid(end) as u64, size, endian))
        }
        _ => Err(Refusal::new(range(size), text)),
    }
}

/// The low bytes of a number.
fn stored(value: u64, size: usize, endian: Endian) -> Vec<u8> {
    let mut bytes: Vec<u8> = value.to_le_bytes().into_iter().chain(std::iter::repeat(0)).take(size).collect();
    if endian == Endian::Big {
        bytes.reverse();
    }
    bytes
}

pub(crate) fn loaded(bytes: &[u8], endian: Endian) -> u64 {
    let add = |sum: u64, byte: &u8| (sum << 8) | u64::from(*byte);
    match endian {
        Endian::Little => bytes.iter().rev().fold(0, add),
        Endian::Big => bytes.iter().fold(0, add),
    }
}

fn float(text: &str) -> Result<f32, Refusal> {
    text.parse().map_err(|_| Refusal::new("a float, or its bits after 0x", text))
}

fn float24(text: &str) -> Result<u32, Refusal> {
    let value = float(text)?;
    let near = F24::from_f32_nearest(value);
    if value.is_finite() && !near.is_finite() {
        return Err(Refusal::new("a float of 24 bits, at most about 1.8e19", text));
    }
    Ok(near.to_bits())
}

fn components(text: &str, size: usize) -> Result<Vec<u8>, Refusal> {
    let inner = text.trim().trim_start_matches('[').trim_end_matches(']');
    let parts: Vec<Option<u8>> = inner
        .split([',', ' '])
        .filter(|part| !part.is_empty())
        .map(|part| {
            part.parse::<i8>().map(|value| value.to_ne_bytes()[0]).or_else(|_| part.parse::<u8>()).ok()
        })
        .collect();
    match parts.into_iter().collect::<Option<Vec<u8>>>() {
        Some(bytes) if bytes.len() == size => Ok(bytes),
        _ => {
            Err(Refusal::new(format!("{size} numbers from -128 to 255 with commas or blanks between"), text))
        }
    }
}

fn words(text: &str, size: usize, order: Endian) -> Result<Vec<u8>, Refusal> {
    let word = |digits: &str| {
        u32::from_str_radix(digits, 16)
            .ok()
            .filter(|_| digits.len() == 8)
            .map(|word| stored(word.into(), 4, order))
    };
    let words: Option<Vec<Vec<u8>>> = text.split_whitespace().map(word).collect();
    match words {
        Some(words) if words.len().saturating_mul(4) == size => Ok(words.concat()),
        _ => Err(Refusal::new(format!("{} words of eight hexadecimal digits", size / 4), text)),
    }
}

fn bytes(text: &str, plain: &str, size: usize, endian: Endian) -> Result<Vec<u8>, Refusal> {
    // Pairs of digits with blanks between are bytes; one byte without more is a number, like any field of that size.
    let is_number = size == 1 || !text.trim().contains(' ');
    if is_number
        && size <= 8
        && let Ok(bytes) = number(plain, size, endian)
    {
        return Ok(bytes);
    }
    let byte = |digits: &str| u8::from_str_radix(digits, 16).ok().filter(|_| digits.len() == 2);
    let bytes: Option<Vec<u8>> = text.split_whitespace().map(byte).collect();
    match bytes {
        Some(bytes) if bytes.len() == size => Ok(bytes),
        _ => Err(Refusal::new(format!("{size} bytes of two hexadecimal digits"), text)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn little(coding: FieldEncoding, text: &str, size: usize) -> Option<Vec<u8>> {
        coding.encode(text, &vec![0; size], Endian::Little).ok()
    }

    #[test]
    fn numbers_fit_or_not() {
        assert_eq!(little(FieldEncoding::Number, "0x1002", 2), Some(vec![2, 0x10]));
        assert_eq!(little(FieldEncoding::Number, "-1 (none)", 4), Some(vec![0xFF; 4]));
        assert_eq!(little(FieldEncoding::Number, "16 floats", 4), Some(vec![16, 0, 0, 0]));
        assert_eq!(little(FieldEncoding::Number, "255", 1), Some(vec![255]));
        assert_eq!(little(FieldEncoding::Number, "256", 1), None);
        assert_eq!(little(FieldEncoding::Number, "-129", 1), None);
        assert_eq!(little(FieldEncoding::Number, "0xffffffffffffffff", 8), Some(vec![0xFF; 8]));
        assert_eq!(little(FieldEncoding::Number, "three", 4), None);
        assert_eq!(FieldEncoding::Number.encode("3", &[0; 4], Endian::Big), Ok(vec![0, 0, 0, 3]));
        let refusal = FieldEncoding::Number.encode("70000", &[0; 2], Endian::Big);
        assert_eq!(
            refusal.map_err(|r| r.expected),
            Err("a number from -32768 to 65535 (16 bits)".to_owned())
        );
    }

    #[test]
    fn other_codings() {
        assert_eq!(little(FieldEncoding::Float, "0.5", 4), Some(0.5_f32.to_le_bytes().to_vec()));
        assert_eq!(little(FieldEncoding::Float, "0x3f800000 (1.0)", 4), Some(1.0_f32.to_le_bytes().to_vec()));
        assert_eq!(little(FieldEncoding::Float24, "1", 4), Some(vec![0, 0, 0x3F, 0]));
        assert_eq!(little(FieldEncoding::Float24, "1e30", 4), None);
        assert_eq!(little(FieldEncoding::Components, "[1, -2, 255, 0]", 4), Some(vec![1, 254, 255, 0]));
        assert_eq!(little(FieldEncoding::Components, "1,2", 4), None);
        assert_eq!(
            little(FieldEncoding::Words(Endian::Big), "00000001 00000002", 8),
            Some(vec![0, 0, 0, 1, 0, 0, 0, 2])
        );
        assert_eq!(little(FieldEncoding::Words(Endian::Little), "1", 4), None);
        assert_eq!(little(FieldEncoding::Bytes, "01 ff", 2), Some(vec![1, 255]));
        assert_eq!(little(FieldEncoding::Bytes, "23 01", 2), Some(vec![0x23, 1]));
        assert_eq!(little(FieldEncoding::Bytes, "0x1", 2), Some(vec![1, 0]));
        assert_eq!(little(FieldEncoding::Spelled(&Names(&["no", "yes"])), "yes", 1), Some(vec![1]));
        assert_eq!(little(FieldEncoding::Spelled(&Names(&["no", "yes"])), "maybe", 1), None);
        assert_eq!(little(FieldEncoding::Follows, "1", 1), None);
        let behind =
            FieldEncoding::Behind(2, &FieldEncoding::Number).encode("3", &[7, 8, 9, 9], Endian::Little);
        assert_eq!(behind, Ok(vec![7, 8, 3, 0]));
        assert_eq!(
            little(FieldEncoding::BigEndian(&FieldEncoding::Number), "258", 4),
            Some(vec![0, 0, 1, 2])
        );
    }
}
