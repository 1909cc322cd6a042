//! A container of any known format, and what all of them can do.

use crate::Node;
use crate::mbs::{self, Mbs};
use crate::shbin::{self, Shbin};
use crate::wrap::recognise::recognise;
use std::fmt;
use unshade_bytes::{Coverage, Diagnostic, Error, ErrorKind, Limits, Result};
use unshade_stage::{Code, Stage, StageId};

use crate::{Format, detect};

/// A file of a known format.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
#[non_exhaustive]
pub enum Container {
    /// Nintendo 3DS shader binary or object.
    Shbin(Shbin),
    /// Mali Utgard shader binary.
    Mbs(Mbs),
}

impl Container {
    /// Reads a file of any known format.
    ///
    /// # Errors
    /// [`ErrorKind::UnknownFormat`] when the bytes start like none, [`ErrorKind::LimitExceeded`] for more
    /// than [`Limits::bytes`]; otherwise what the format's reader says.
    pub fn read(bytes: &[u8]) -> Result<Self> {
        if bytes.len() as u64 > Limits::DEFAULT.bytes {
            let expected = format!("a file of at most {} bytes", Limits::DEFAULT.bytes);
            let found = format!("{} bytes", bytes.len());
            return Err(
                Error::new(ErrorKind::LimitExceeded, 0, "", expected, found).code("container.too-long")
            );
        }
        match detect(bytes) {
            Some(Format::Shbin) => shbin::read(bytes).map(Self::Shbin),
            Some(Format::Mbs) => mbs::read(bytes).map(Self::Mbs),
            None => Err(unknown(bytes)),
        }
    }

    /// The bytes of the file; the same as were read when nothing was changed.
    ///
    /// # Errors
    /// [`ErrorKind::Unrepresentable`] when the model was changed to what no file can hold.
    pub fn write(&self) -> Result<Vec<u8>> {
        match self {
            Self::Shbin(file) => file.write(),
            Self::Mbs(file) => file.write(),
        }
    }

    /// Writes the model and compares with the bytes that it was read from: what differs first, or `None`
    /// when every byte is the same.
    ///
    /// # Errors
    /// What the writer says.
    pub fn difference(&self, original: &[u8]) -> Result<Option<Difference>> {
        let written = self.write()?;
        if written == original {
            return Ok(None);
        }
        let at = written.iter().zip(original).take_while(|(new, old)| new == old).count();
        Ok(Some(Difference {
            offset: at as u64,
            path: self.coverage().owner(at as u64).unwrap_or_default().to_owned(),
            expected: original.get(at).copied(),
            found: written.get(at).copied(),
        }))
    }

    /// Which format it is.
    pub fn format(&self) -> Format {
        match self {
            Self::Shbin(_) => Format::Shbin,
            Self::Mbs(_) => Format::Mbs,
        }
    }

    /// What the file is, in a few words: variant, versions, layout.
    pub fn describe(&self) -> String {
        match self {
            Self::Shbin(file) => file.describe(),
            Self::Mbs(file) => file.describe(),
        }
    }

    /// What is wrong with the container, most severe first. Offsets count from its start. The code is not
    /// looked at: that is the instruction set's to judge.
    pub fn check(&self) -> Vec<Diagnostic> {
        match self {
            Self::Shbin(file) => file.check(),
            Self::Mbs(file) => file.check(),
        }
    }

    /// The structure with names, values and places; a single node that says why, for a model that was
    /// changed to what no file can hold.
    pub fn tree(&self) -> Node {
        let tree = match self {
            Self::Shbin(file) => file.tree(),
            Self::Mbs(file) => file.tree(),
        };
        tree.unwrap_or_else(|error| Node::new(self.format().name(), 0).value(error))
    }

    /// Which bytes of the file are what.
    pub fn coverage(&self) -> Coverage {
        let tree = self.tree();
        tree.coverage(tree.size)
    }

    /// The programs, in file order.
    pub fn stages(&self) -> impl Iterator<Item = Stage<'_>> {
        let (shbin, mbs) = match self {
            Self::Shbin(file) => (Some(file.stages()), None),
            Self::Mbs(file) => (None, Some(file.stages())),
        };
        shbin.into_iter().flatten().chain(mbs.into_iter().flatten())
    }

    /// The program of that name.
    pub fn stage(&self, id: &StageId) -> Option<Stage<'_>> {
        match self {
            Self::Shbin(file) => file.stage(id),
            Self::Mbs(file) => file.stage(id),
        }
    }

    /// Gives a program other code.
    ///
    /// # Errors
    /// Where no program has that name, or the format cannot hold the code.
    pub fn replace(&mut self, id: &StageId, code: &Code<'_>) -> Result<()> {
        match self {
            Self::Shbin(file) => file.replace(id, code),
            Self::Mbs(file) => file.replace(id, code),
        }
    }
}

/// The first byte in which a written file is not the one that was read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Difference {
    /// Where it is.
    pub offset: u64,
    /// Path of the field that it belongs to; empty behind the end of the written file.
    pub path: String,
    /// The byte that was read; `None` behind the end.
    pub expected: Option<u8>,
    /// The byte that was written; `None` behind the end.
    pub found: Option<u8>,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let byte = |byte: Option<u8>| byte.map_or("the end".to_owned(), |byte| format!("{byte:#04x}"));
        if !self.path.is_empty() {
            write!(f, "{}: ", self.path)?;
        }
        write!(f, "expected {}, found {} at {:#x}", byte(self.expected), byte(self.found), self.offset)
    }
}

fn unknown(bytes: &[u8]) -> Error {
    if let Some(unread) = recognise(bytes) {
        let expected = "a format that this version reads";
        let found = format!("{} (known by name only)", unread.describe());
        return Error::new(ErrorKind::Unsupported, 0, "magic", expected, found).code("container.not-read");
    }
    let (code, found) = match bytes.first_chunk::<4>() {
        Some(magic) => ("container.unknown-format", format!("\"{}\"", magic.escape_ascii())),
        None if bytes.is_empty() => ("container.empty", "an empty file".to_owned()),
        None => ("container.unknown-format", format!("a file of {} bytes", bytes.len())),
    };
    Error::new(
        ErrorKind::UnknownFormat,
        0,
        "magic",
        "a known magic number (\"DVLB\", \"DVOJ\", \"MBS1\")",
        found,
    )
    .code(code)
}
