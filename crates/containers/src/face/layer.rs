//! A wrapper that was read, whichever it is.

use super::nest::Wrapper;
use crate::formats::bfres::{self, Bfres};
use crate::formats::sarc::{self, Sarc};
use crate::formats::yaz0::{self, Yaz0};
use crate::formats::zstd::{self, Dictionaries, Zstd};
use crate::shared::Node;
use unshade_bytes::{Diagnostic, Result};

/// A wrapper with what is inside.
#[derive(Debug)]
pub enum Layer<'a> {
    /// A compressed file.
    Yaz0(Yaz0<'a>),
    /// An archive.
    Sarc(Sarc<'a>),
    /// A file compressed with zstd.
    Zstd(Zstd<'a>),
    /// Models.
    Bfres(Box<Bfres<'a>>),
}

impl<'a> Layer<'a> {
    /// Reads a wrapper of a kind.
    ///
    /// # Errors
    /// As the reader of that kind.
    pub fn read(kind: Wrapper, bytes: &'a [u8], dictionaries: &Dictionaries) -> Result<Self> {
        Ok(match kind {
            Wrapper::Yaz0 => Self::Yaz0(yaz0::read(bytes)?),
            Wrapper::Sarc => Self::Sarc(sarc::read(bytes)?),
            Wrapper::Zstd => Self::Zstd(zstd::read(bytes, dictionaries)?),
            Wrapper::Bfres => Self::Bfres(Box::new(bfres::read(bytes)?)),
        })
    }

    /// Its bytes, packed again; the same as were read when nothing was changed.
    ///
    /// # Errors
    /// As the writer of that kind.
    pub fn write(&self) -> Result<Vec<u8>> {
        match self {
            Self::Yaz0(file) => file.write(),
            Self::Sarc(file) => file.write(),
            Self::Zstd(file) => Ok(file.write()),
            Self::Bfres(file) => Ok(file.bytes.to_vec()),
        }
    }

    /// The structure with values and places.
    pub fn tree(&self) -> Node {
        match self {
            Self::Yaz0(file) => file.tree(),
            Self::Sarc(file) => file.tree(),
            Self::Zstd(file) => file.tree(),
            Self::Bfres(file) => file.tree(),
        }
    }

    /// What is odd about it.
    pub fn check(&self) -> Vec<Diagnostic> {
        match self {
            Self::Yaz0(file) => file.check(),
            Self::Sarc(file) => file.check(),
            Self::Zstd(file) => file.check(),
            Self::Bfres(file) => file.check(),
        }
    }

    /// What it is, in a few words.
    pub fn describe(&self) -> String {
        match self {
            Self::Yaz0(file) => file.describe(),
            Self::Sarc(file) => file.describe(),
            Self::Zstd(file) => file.describe(),
            Self::Bfres(file) => file.describe(),
        }
    }
}
