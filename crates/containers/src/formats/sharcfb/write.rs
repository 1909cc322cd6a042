//! From the model to bytes: record by record, code brought to its alignment, each size filled in when its end is
//! known.

use super::model::{Binary, Extra, Program, Record, Sharcfb, SymbolKind};
use super::raw::{self, MAGIC};
use crate::formats::agl::write::Out;
use crate::formats::gx2::Form;
use std::borrow::Cow;
use unshade_bytes::{Error, ErrorKind, Limits, Result, Under};

impl Sharcfb {
    /// The bytes of the archive. Where something in front of a binary changed its length, the padding in front of
    /// its code is fitted, so that the code keeps its alignment.
    ///
    /// # Errors
    /// [`ErrorKind::LimitExceeded`] for an archive that is longer than [`Limits::bytes`];
    /// [`ErrorKind::Unrepresentable`] when an offset does not fit its field any more, or there are programs
    /// but no binaries.
    pub fn write(&self) -> Result<Vec<u8>> {
        let mut out = Out { bytes: Vec::with_capacity(self.estimate()), endian: self.endian };
        for word in [MAGIC, self.version, 0, self.endian_word(), self.resolved, out.len_of(&self.name.0)] {
            out.word(word);
        }
        out.bytes.extend_from_slice(&self.name.0);
        let form = self.form();
        match (&self.binaries, &self.programs) {
            (None, Some(_)) => {
                let found = "programs alone";
                return Err(Error::new(
                    ErrorKind::Unrepresentable,
                    0,
                    "",
                    "binaries in front of programs",
                    found,
                ));
            }
            (binaries, programs) => {
                if let Some(binaries) = binaries {
                    out.array(binaries, |out, binary| out.binary(binary, form)).under(|| "binaries")?;
                }
                if let Some(programs) = programs {
                    out.array(programs, |out, program| out.program(program, self.has_extra()))
                        .under(|| "programs")?;
                }
            }
        }
        out.bytes.extend_from_slice(&self.trailing);
        out.limit()?;
        let size = self.file_size.unwrap_or(out.position());
        out.patch(8, size);
        Ok(out.bytes)
    }

    /// The record of a program without its size word.
    #[cfg(feature = "manifest")]
    pub(super) fn program_record(&self, program: &Program) -> Result<Vec<u8>> {
        let mut out = Out { bytes: Vec::new(), endian: self.endian };
        out.program(program, self.has_extra())?;
        Ok(out.bytes)
    }

    /// Length of the archive, but for padding that is fitted.
    fn estimate(&self) -> usize {
        let binaries = self.binaries.iter().flat_map(|array| &array.items).map(|record| match record {
            Record::Known(binary) => binary.len(),
            Record::Damaged(bytes) => bytes.len() as u64,
        });
        let sum = binaries.fold(self.trailing.len() as u64, |sum, len| sum.saturating_add(len));
        usize::try_from(sum.min(Limits::DEFAULT.bytes)).unwrap_or(0)
    }

    /// Offset of the first binary's record.
    pub(super) fn first_binary(&self) -> u64 {
        (raw::HEADER as u64).saturating_add(self.name.0.len() as u64).saturating_add(8)
    }

    /// Where each binary goes, with its data as it is written; `None` for those that were not understood.
    ///
    /// # Errors
    /// As [`Sharcfb::write`].
    pub(super) fn placed(&self) -> Result<Vec<Placed<'_>>> {
        let mut at = self.first_binary();
        let form = self.form();
        let mut placed = Vec::with_capacity(self.binaries.as_ref().map_or(0, |array| array.items.len()));
        for (index, record) in self.binaries.iter().flat_map(|array| &array.items).enumerate() {
            let (data, len) = match record {
                Record::Known(binary) => {
                    let data = binary.aligned(at, form).under(|| format!("binaries[{index}]"))?;
                    let around = binary.len().saturating_sub(binary.data.len() as u64);
                    let len = around.saturating_add(data.len() as u64);
                    (Some(data), len)
                }
                Record::Damaged(bytes) => (None, (bytes.len() as u64).saturating_add(4)),
            };
            placed.push(Placed { at, data });
            at = at.saturating_add(len);
        }
        Ok(placed)
    }

    /// Brings all code to its alignment for good, as [`Sharcfb::write`] does in what it writes.
    ///
    /// # Errors
    /// As [`Sharcfb::write`].
    pub fn settle(&mut self) -> Result<()> {
        let mut at = self.first_binary();
        let form = self.form();
        for record in self.binaries.iter_mut().flat_map(|array| &mut array.items) {
            let len = match record {
                Record::Known(binary) => {
                    let moved = match binary.aligned(at, form)? {
                        Cow::Owned(data) => Some(data),
                        Cow::Borrowed(_) => None,
                    };
                    if let Some(data) = moved {
                        binary.data.0 = data;
                    }
                    binary.len()
                }
                Record::Damaged(bytes) => (bytes.len() as u64).saturating_add(4),
            };
            at = at.saturating_add(len);
        }
        Ok(())
    }
}

/// A binary in the file.
#[derive(Debug, Clone)]
pub(super) struct Placed<'m> {
    /// Offset of its record.
    pub at: u64,
    /// Its data with the padding that it has there; `None` for a record that was not understood.
    pub data: Option<Cow<'m, [u8]>>,
}

impl Out {
    fn binary(&mut self, binary: &Binary, form: Form) -> Result<()> {
        // The size word stands already.
        let data = binary.aligned((self.bytes.len() as u64).saturating_sub(4), form)?;
        for word in [binary.kind, self.len_of(&binary.gap), self.len_of(&data)] {
            self.word(word);
        }
        for part in [&*binary.gap, &*data, &*binary.tail] {
            self.bytes.extend_from_slice(part);
        }
        Ok(())
    }

    fn extra(&mut self, extra: &Extra) -> Result<()> {
        match extra {
            Extra::Blocks(blocks) => self.array(blocks, Self::block),
            Extra::Bytes { size, bytes } => {
                let at = self.open();
                self.bytes.extend_from_slice(bytes);
                self.close(at, *size)
            }
        }
    }

    fn program(&mut self, program: &Program, extra: bool) -> Result<()> {
        if program.extra.is_some() && !extra {
            let expected = "a program without the section that version 9 has";
            return Err(Error::new(ErrorKind::Unrepresentable, 0, "extra", expected, "one with it"));
        }
        for word in [self.len_of(&program.name.0), program.stages, program.base] {
            self.word(word);
        }
        self.bytes.extend_from_slice(&program.name.0);
        self.array(&program.macros, Self::macro_of).under(|| "macros")?;
        self.array(&program.defaults, Self::macro_of).under(|| "defaults")?;
        for kind in SymbolKind::ALL {
            self.array(program.symbols(kind), Self::symbol).under(|| kind.name())?;
            if kind == SymbolKind::Uniforms && extra {
                self.extra(program.extra.as_ref().unwrap_or(&Extra::default())).under(|| "extra")?;
            }
        }
        self.bytes.extend_from_slice(&program.tail);
        Ok(())
    }
}
