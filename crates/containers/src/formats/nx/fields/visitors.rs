//! Who goes through the fields of a record: reading, writing, collecting pointers, looking for stains.

use super::{Fields, Form, Meaning, Pointer, Style, Use, Visitor};
use crate::shared::Opaque;
use unshade_bytes::{Error, ErrorKind, Result, meter};

/// Reads fields.
pub struct Loader<'a> {
    form: Form,
    file: &'a [u8],
    at: usize,
}

impl<'a> Loader<'a> {
    /// A reader at `at` of a file.
    pub fn new(form: Form, file: &'a [u8], at: u64) -> Self {
        Self { form, file, at: usize::try_from(at).unwrap_or(usize::MAX) }
    }

    /// Where the next field is.
    pub fn position(&self) -> u64 {
        self.at as u64
    }

    /// The next `size` bytes.
    ///
    /// # Errors
    /// [`ErrorKind::OutOfBounds`] when the file ends before.
    pub fn take(&mut self, name: &'static str, size: u64) -> Result<&'a [u8]> {
        let end = usize::try_from(size).ok().and_then(|size| self.at.checked_add(size));
        match end.and_then(|end| self.file.get(self.at..end)) {
            Some(bytes) => {
                meter::charge(1);
                self.at = self.at.saturating_add(bytes.len());
                Ok(bytes)
            }
            None => Err(Error::new(
                ErrorKind::OutOfBounds,
                self.at as u64,
                name,
                format!("{size} bytes before the end at {:#x}", self.file.len()),
                format!("{} bytes", self.file.len().saturating_sub(self.at)),
            )
            .code("nx.truncated")),
        }
    }

    /// Up to `size` of the next bytes, without moving.
    pub fn peek(&self, size: u64) -> &'a [u8] {
        let rest = self.file.get(self.at..).unwrap_or_default();
        rest.get(..usize::try_from(size).unwrap_or(usize::MAX)).unwrap_or(rest)
    }

    /// The next `count` numbers of 32 bits.
    ///
    /// # Errors
    /// [`ErrorKind::OutOfBounds`] when the file ends before.
    pub fn numbers(&mut self, name: &'static str, count: u64) -> Result<Vec<u32>> {
        let mut list = Vec::new();
        self.entries(&mut list, count, 4)?;
        let big_endian = self.form.big_endian;
        let bytes = self.take(name, count.saturating_mul(4))?;
        for (place, bytes) in list.iter_mut().zip(bytes.as_chunks::<4>().0) {
            *place = if big_endian { u32::from_be_bytes(*bytes) } else { u32::from_le_bytes(*bytes) };
        }
        Ok(list)
    }

    fn unsigned(&mut self, name: &'static str, size: u8) -> Result<u64> {
        let bytes = self.take(name, size.into())?;
        let fold = |sum: u64, byte: &u8| sum << 8 | u64::from(*byte);
        Ok(if self.form.big_endian { bytes.iter().fold(0, fold) } else { bytes.iter().rev().fold(0, fold) })
    }
}

impl Visitor for Loader<'_> {
    fn form(&self) -> Form {
        self.form
    }

    fn number(&mut self, name: &'static str, size: u8, _: Style, value: &mut u64) -> Result<()> {
        *value = self.unsigned(name, size)?;
        Ok(())
    }

    fn pointer(&mut self, name: &'static str, target: Use, value: &mut Pointer) -> Result<()> {
        let here = self.at as u64;
        value.0 = match target {
            Use::Offset | Use::Characters | Use::End => self.unsigned(name, 4)?,
            _ if !self.form.relative => self.unsigned(name, 8)?,
            _ => match self.unsigned(name, 4)? as u32 as i32 {
                0 => 0,
                // The file's start, where a structure's place would look like none, is nothing's target.
                away => here.checked_add_signed(away.into()).filter(|at| *at > 0).unwrap_or(u64::MAX),
            },
        };
        let len = self.file.len() as u64;
        let end = if matches!(target, Use::End) { len } else { len.saturating_sub(1) };
        if value.0 > end {
            return Err(Error::new(
                ErrorKind::OutOfBounds,
                here,
                name,
                format!("a place before the end at {len:#x}"),
                format!("{:#x}", value.0),
            )
            .code("nx.pointer-range"));
        }
        Ok(())
    }

    fn bytes(&mut self, name: &'static str, size: u64, _: Meaning, value: &mut Opaque) -> Result<()> {
        let bytes = self.take(name, size)?;
        if bytes.iter().any(|&byte| byte != 0) {
            value.0 = bytes.to_vec();
        } else {
            value.0.clear();
        }
        Ok(())
    }

    fn magic(&mut self, name: &'static str, value: &mut [u8]) -> Result<()> {
        let bytes = self.take(name, value.len() as u64)?;
        value.copy_from_slice(bytes);
        Ok(())
    }

    fn left(&self) -> Option<u64> {
        Some(self.file.len().saturating_sub(self.at) as u64)
    }
}

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
        Error::new(ErrorKind::Unrepresentable, self.position(), name, expected, found).code("nx.unfit")
    }
}

impl Visitor for Saver {
    fn form(&self) -> Form {
        self.form
    }

    fn number(&mut self, _: &'static str, size: u8, _: Style, value: &mut u64) -> Result<()> {
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

/// A pointer field of a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Slot {
    /// Its place from the start of the record.
    pub offset: u64,
    /// Name of the field.
    pub name: &'static str,
    /// What it leads to.
    pub target: Use,
}

/// Calls a function with each pointer of a record, and counts its bytes.
pub struct Walk<F> {
    form: Form,
    /// Bytes of the fields so far.
    pub len: u64,
    visit: F,
}

impl<F: FnMut(Slot, &mut Pointer)> Walk<F> {
    /// Nothing visited yet.
    pub fn new(form: Form, visit: F) -> Self {
        Self { form, len: 0, visit }
    }
}

impl<F: FnMut(Slot, &mut Pointer)> Visitor for Walk<F> {
    fn form(&self) -> Form {
        self.form
    }

    fn number(&mut self, _: &'static str, size: u8, _: Style, _: &mut u64) -> Result<()> {
        self.len = self.len.saturating_add(size.into());
        Ok(())
    }

    fn pointer(&mut self, name: &'static str, target: Use, value: &mut Pointer) -> Result<()> {
        (self.visit)(Slot { offset: self.len, name, target }, value);
        let size = match target {
            Use::Object | Use::Text => self.form.pointer_size(),
            Use::Offset | Use::Characters | Use::End => 4,
        };
        self.len = self.len.saturating_add(size);
        Ok(())
    }

    fn bytes(&mut self, _: &'static str, size: u64, _: Meaning, _: &mut Opaque) -> Result<()> {
        self.len = self.len.saturating_add(size);
        Ok(())
    }

    fn magic(&mut self, _: &'static str, value: &mut [u8]) -> Result<()> {
        self.len = self.len.saturating_add(value.len() as u64);
        Ok(())
    }
}

/// Bytes of a record that should be zero and are not.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stain {
    /// Place from the start of the record.
    pub offset: u64,
    /// How many bytes the field has.
    pub size: u64,
    /// Name of the field.
    pub name: &'static str,
}

/// Collects the reserved fields that are not zero.
pub struct Stains {
    form: Form,
    at: u64,
    /// What was found.
    pub found: Vec<Stain>,
}

impl Stains {
    /// Nothing found yet.
    pub fn new(form: Form) -> Self {
        Self { form, at: 0, found: Vec::new() }
    }
}

impl Visitor for Stains {
    fn form(&self) -> Form {
        self.form
    }

    fn number(&mut self, _: &'static str, size: u8, _: Style, _: &mut u64) -> Result<()> {
        self.at = self.at.saturating_add(size.into());
        Ok(())
    }

    fn pointer(&mut self, _: &'static str, target: Use, _: &mut Pointer) -> Result<()> {
        let size = match target {
            Use::Object | Use::Text => self.form.pointer_size(),
            Use::Offset | Use::Characters | Use::End => 4,
        };
        self.at = self.at.saturating_add(size);
        Ok(())
    }

    fn bytes(&mut self, name: &'static str, size: u64, meaning: Meaning, value: &mut Opaque) -> Result<()> {
        if meaning == Meaning::Reserved && value.iter().any(|&byte| byte != 0) {
            self.found.push(Stain { offset: self.at, size, name });
        }
        self.at = self.at.saturating_add(size);
        Ok(())
    }

    fn magic(&mut self, _: &'static str, value: &mut [u8]) -> Result<()> {
        self.at = self.at.saturating_add(value.len() as u64);
        Ok(())
    }
}
