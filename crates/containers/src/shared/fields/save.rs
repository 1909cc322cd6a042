//! Writes the fields of a record.

use super::{Form, Meaning, Pointer, Style, Use, Visitor};
use crate::shared::Opaque;
use unshade_bytes::{Error, ErrorKind, Result};

/// A list of numbers of 32 bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Numbers<'a> {
    /// Without a sign.
    Unsigned(&'a [u32]),
    /// With a sign.
    Signed(&'a [i32]),
}

impl Numbers<'_> {
    /// Bytes that they take.
    pub fn size(self) -> u64 {
        let len = match self {
            Self::Unsigned(all) => all.len(),
            Self::Signed(all) => all.len(),
        };
        (len as u64).saturating_mul(4)
    }
}

/// Writes fields behind what is there.
pub struct Saver {
    form: Form,
    /// Where the file starts among the bytes.
    base: usize,
    /// Where the first byte stands in the file.
    origin: u64,
    /// The bytes so far; the record that is being written stands where the file has it.
    pub bytes: Vec<u8>,
}

impl Saver {
    /// Nothing written yet.
    pub fn new(form: Form, capacity: u64) -> Self {
        Self::behind(form, Vec::with_capacity(usize::try_from(capacity).unwrap_or(0)))
    }

    /// A file that starts behind bytes that are there.
    pub fn behind(form: Form, bytes: Vec<u8>) -> Self {
        Self { form, base: bytes.len(), origin: 0, bytes }
    }

    /// A record by itself that stands at a place of the file.
    pub fn standing_at(form: Form, origin: u64) -> Self {
        Self { form, base: 0, origin, bytes: Vec::new() }
    }

    /// Bytes of the file so far.
    pub fn position(&self) -> u64 {
        (self.bytes.len().saturating_sub(self.base) as u64).saturating_add(self.origin)
    }

    /// Fills up with zeros to a place of the file.
    pub fn fill(&mut self, to: u64) {
        let end = usize::try_from(to).unwrap_or(0).saturating_add(self.base);
        self.bytes.resize(end.max(self.bytes.len()), 0);
    }

    /// Writes numbers of 32 bits.
    pub fn numbers(&mut self, numbers: Numbers<'_>) {
        match (numbers, self.form.big_endian) {
            (Numbers::Unsigned(all), true) => self.bytes.extend(all.iter().flat_map(|n| n.to_be_bytes())),
            (Numbers::Unsigned(all), false) => self.bytes.extend(all.iter().flat_map(|n| n.to_le_bytes())),
            (Numbers::Signed(all), true) => self.bytes.extend(all.iter().flat_map(|n| n.to_be_bytes())),
            (Numbers::Signed(all), false) => self.bytes.extend(all.iter().flat_map(|n| n.to_le_bytes())),
        }
    }

    fn put(&mut self, size: u8, value: u64) {
        let bytes = value.to_le_bytes();
        let bytes = bytes.get(..usize::from(size)).unwrap_or(&bytes);
        if self.form.big_endian {
            self.bytes.extend(bytes.iter().rev());
        } else {
            self.bytes.extend_from_slice(bytes);
        }
    }

    fn unfit(&self, name: &'static str, expected: String, found: String) -> Error {
        Error::new(ErrorKind::Unrepresentable, self.position(), name, expected, found).code("record.unfit")
    }
}

impl Visitor for Saver {
    fn form(&self) -> Form {
        self.form
    }

    fn number(&mut self, name: &'static str, size: u8, _: Style, value: &mut u64) -> Result<()> {
        let bits = u32::from(size).saturating_mul(8);
        if value.checked_shr(bits).is_some_and(|above| above != 0) {
            return Err(self.unfit(name, format!("a number of {bits} bits"), format!("{value:#x}")));
        }
        self.put(size, *value);
        Ok(())
    }

    fn pointer(&mut self, name: &'static str, target: Use, value: &mut Pointer) -> Result<()> {
        let short = matches!(target, Use::Offset | Use::Characters | Use::End);
        if !short && !self.form.relative {
            self.put(8, value.0);
            return Ok(());
        }
        let here = self.position();
        let stored = if short || value.is_null() {
            u32::try_from(value.0).ok()
        } else {
            let away = (value.0 as i64).checked_sub(here as i64);
            away.and_then(|away| i32::try_from(away).ok()).map(|away| away as u32)
        };
        let Some(stored) = stored else {
            return Err(self.unfit(name, "a place that 32 bits reach".to_owned(), format!("{:#x}", value.0)));
        };
        self.put(4, stored.into());
        Ok(())
    }

    fn bytes(&mut self, name: &'static str, size: u64, _: Meaning, value: &mut Opaque) -> Result<()> {
        if value.is_empty() {
            let zeros = usize::try_from(size).unwrap_or(0);
            self.bytes.resize(self.bytes.len().saturating_add(zeros), 0);
        } else if value.len() as u64 == size {
            self.bytes.extend_from_slice(value);
        } else {
            return Err(self.unfit(
                name,
                format!("{size} bytes, or none for zeros"),
                value.len().to_string(),
            ));
        }
        Ok(())
    }

    fn magic(&mut self, _: &'static str, value: &mut [u8]) -> Result<()> {
        self.bytes.extend_from_slice(value);
        Ok(())
    }
}
