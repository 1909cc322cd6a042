//! From the model to bytes, each size filled in when its end is known.

use super::model::{Binary, Pool, Program, SharcfbNx};
use super::raw::{HEADER, MAGIC, POOL_ALIGNMENT, RUNTIME};
use crate::formats::agl::write::Out;
use unshade_bytes::{Endian, Error, ErrorKind, Result, Under};

/// Where parts of a file lie.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Placed {
    /// Behind the programs.
    pub end: u64,
    /// The memory pool, where it lies behind them.
    pub pool: u64,
}

impl SharcfbNx {
    /// The bytes of the file.
    ///
    /// # Errors
    /// [`ErrorKind::Unrepresentable`] for programs without binaries in front of them, and where the console's part of the header
    /// has another length; [`ErrorKind::LimitExceeded`] for a file that is too long.
    pub fn write(&self) -> Result<Vec<u8>> {
        Ok(self.written()?.0)
    }

    pub(super) fn written(&self) -> Result<(Vec<u8>, Placed)> {
        let unfit = |path: &'static str, expected: &'static str, found: String| {
            Err(Error::new(ErrorKind::Unrepresentable, 0, path, expected, found))
        };
        let mut out = Out { bytes: Vec::with_capacity(self.estimate()), endian: Endian::Little };
        for word in [MAGIC, self.version, 0, self.flags, self.resolved, out.len_of(&self.names.0), 0, 0] {
            out.word(word);
        }
        let room = HEADER.saturating_sub(RUNTIME);
        match self.runtime.len() {
            0 => out.bytes.resize(HEADER, 0),
            len if len == room => out.bytes.extend_from_slice(&self.runtime),
            len => return unfit("runtime", "0x130 bytes", format!("{len:#x}")),
        }
        out.bytes.extend_from_slice(&self.names.0);
        match (&self.binaries, &self.programs) {
            (None, Some(_)) => {
                return unfit("", "binaries in front of programs", "programs alone".to_owned());
            }
            (binaries, programs) => {
                if let Some(binaries) = binaries {
                    out.array(binaries, Out::nx_binary).under(|| "binaries")?;
                }
                if let Some(programs) = programs {
                    out.array(programs, |out, program| out.nx_program(program)).under(|| "programs")?;
                }
            }
        }
        let end = out.bytes.len() as u64;
        let (offset, size) = match &self.pool {
            Pool::Elsewhere { offset, size } => (*offset, *size),
            Pool::Behind { gap: Some(gap), bytes } => {
                out.bytes.extend_from_slice(gap);
                let offset = out.position();
                out.bytes.extend_from_slice(bytes);
                (offset, out.len_of(bytes))
            }
            Pool::Behind { gap: None, bytes } => {
                let start = out.bytes.len().next_multiple_of(POOL_ALIGNMENT as usize);
                // A file that ends in front of its arrays has no pool that it could fill up to.
                if self.programs.is_none() && !bytes.is_empty() {
                    return unfit("pool", "programs in front of the memory pool", "none".to_owned());
                }
                if self.programs.is_some() {
                    out.bytes.resize(start, 0);
                }
                let offset = out.position();
                out.bytes.extend_from_slice(bytes);
                (offset, out.len_of(bytes))
            }
        };
        out.bytes.extend_from_slice(&self.trailing);
        out.limit()?;
        out.patch(0x18, size);
        out.patch(0x1C, offset);
        let len = self.file_size.unwrap_or(out.position());
        out.patch(8, len);
        Ok((out.bytes, Placed { end, pool: offset.into() }))
    }

    /// The record of a program without its size word.
    #[cfg(feature = "manifest")]
    pub(super) fn program_record(program: &Program) -> Result<Vec<u8>> {
        let mut out = Out { bytes: Vec::new(), endian: Endian::Little };
        out.nx_program(program)?;
        Ok(out.bytes)
    }

    /// About how long the file is.
    fn estimate(&self) -> usize {
        let binaries = self.binaries().flatten().map(|binary| binary.data.len().saturating_add(0x20));
        let sum = binaries.fold(self.pool().len(), usize::saturating_add);
        let sum = sum.saturating_add(self.names.0.len()).saturating_add(self.trailing.len());
        sum.saturating_add(HEADER).min(unshade_bytes::Limits::DEFAULT.bytes as usize)
    }

    /// Offset of the array of binaries.
    pub(super) fn binaries_at(&self) -> u64 {
        (HEADER as u64).saturating_add(self.names.0.len() as u64)
    }
}

impl Out {
    fn nx_binary(&mut self, binary: &Binary) -> Result<()> {
        for word in [binary.stage, binary.numbers, self.len_of(&binary.data)] {
            self.word(word);
        }
        self.bytes.extend_from_slice(&binary.data);
        self.bytes.extend_from_slice(&binary.tail);
        Ok(())
    }

    fn nx_program(&mut self, program: &Program) -> Result<()> {
        for word in [self.len_of(&program.name.0), program.stages, program.base] {
            self.word(word);
        }
        self.bytes.extend_from_slice(&program.name.0);
        self.array(&program.macros, Self::macro_of).under(|| "macros")?;
        self.array(&program.defaults, Self::macro_of).under(|| "defaults")?;
        self.array(&program.blocks, Self::block).under(|| "blocks")?;
        self.bytes.extend_from_slice(&program.tail);
        Ok(())
    }
}
