//! Reads the fields of a record.

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
            .code("record.truncated")),
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
            .code("record.pointer-range"));
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
