//! A container of any known format, and what all of them can do.

use crate::Node;
use crate::bfsha::{self, Bfsha};
use crate::bnsh::{self, Bnsh};
use crate::dksh::{self, Dksh};
use crate::gfd::{self, Gfd};
use crate::mbs::{self, Mbs};
use crate::nvn::{self, NvnCode, NvnPair};
use crate::sharc::{self, Sharc};
use crate::sharcfb::{self, Sharcfb};
use crate::sharcfb_nx::{self, SharcfbNx};
use crate::shbin::{self, Shbin};
use crate::stages::Stages;
use crate::wrap::recognise::recognise;
use std::fmt;
use unshade_bytes::{Coverage, Diagnostic, Endian, Error, ErrorKind, Limits, Result};
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
    /// Shaders of the Switch.
    Bnsh(Bnsh),
    /// Archive of shading models of the Switch or the Wii U.
    Bfsha(Bfsha),
    /// Raw pair of stages of the Switch.
    Nvn(NvnPair),
    /// Code section of a stage of the Switch.
    NvnCode(NvnCode),
    /// Shaders of deko3d.
    Dksh(Dksh),
    /// Wii U shaders and textures.
    Gfd(Gfd),
    /// Wii U shader archive.
    Sharcfb(Sharcfb),
    /// Shader archive of the Switch.
    SharcfbNx(SharcfbNx),
    /// Archive of shader sources.
    Sharc(Sharc),
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
            Some(Format::Bnsh) => bnsh::read(bytes).map(Self::Bnsh),
            Some(Format::Bfsha) => bfsha::read(bytes).map(Self::Bfsha),
            Some(Format::Nvn) => nvn::read(bytes).map(Self::Nvn),
            Some(Format::NvnCode) => nvn::section::read(bytes).map(Self::NvnCode),
            Some(Format::Dksh) => dksh::read(bytes).map(Self::Dksh),
            Some(Format::Gfd) => gfd::read(bytes).map(Self::Gfd),
            Some(Format::Sharcfb) => sharcfb::read(bytes).map(Self::Sharcfb),
            Some(Format::SharcfbNx) => sharcfb_nx::read(bytes).map(Self::SharcfbNx),
            Some(Format::Sharc) => sharc::read(bytes).map(Self::Sharc),
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
            Self::Bnsh(file) => file.write(),
            Self::Bfsha(file) => file.write(),
            Self::Nvn(file) => file.write(),
            Self::NvnCode(file) => Ok(file.write()),
            Self::Dksh(file) => file.write(),
            Self::Gfd(file) => file.write(),
            Self::Sharcfb(file) => file.write(),
            Self::SharcfbNx(file) => file.write(),
            Self::Sharc(file) => file.write(),
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
            Self::Bnsh(_) => Format::Bnsh,
            Self::Bfsha(_) => Format::Bfsha,
            Self::Nvn(_) => Format::Nvn,
            Self::NvnCode(_) => Format::NvnCode,
            Self::Dksh(_) => Format::Dksh,
            Self::Gfd(_) => Format::Gfd,
            Self::Sharcfb(_) => Format::Sharcfb,
            Self::SharcfbNx(_) => Format::SharcfbNx,
            Self::Sharc(_) => Format::Sharc,
        }
    }

    /// Order of the bytes of its numbers. Code has an order of its own: that of the Wii U is always little
    /// endian.
    pub fn byte_order(&self) -> Endian {
        match self {
            Self::Shbin(_) | Self::Mbs(_) | Self::Nvn(_) | Self::NvnCode(_) | Self::Dksh(_) => Endian::Little,
            Self::Bnsh(file) => file.image.form.endian(),
            Self::Bfsha(file) => file.image.form.endian(),
            Self::Gfd(_) => Endian::Big,
            Self::Sharcfb(file) => file.endian,
            Self::SharcfbNx(_) => Endian::Little,
            Self::Sharc(file) => file.endian,
        }
    }

    /// What the file is, in a few words: variant, versions, layout.
    pub fn describe(&self) -> String {
        match self {
            Self::Shbin(file) => file.describe(),
            Self::Mbs(file) => file.describe(),
            Self::Bnsh(file) => file.describe(),
            Self::Bfsha(file) => file.describe(),
            Self::Nvn(file) => file.describe(),
            Self::NvnCode(file) => file.describe(),
            Self::Dksh(file) => file.describe(),
            Self::Gfd(file) => file.describe(),
            Self::Sharcfb(file) => file.describe(),
            Self::SharcfbNx(file) => file.describe(),
            Self::Sharc(file) => file.describe(),
        }
    }

    /// What is wrong with the container, most severe first. Offsets count from its start. The code is not
    /// looked at: that is the instruction set's to judge.
    pub fn check(&self) -> Vec<Diagnostic> {
        match self {
            Self::Shbin(file) => file.check(),
            Self::Mbs(file) => file.check(),
            Self::Bnsh(file) => file.check(),
            Self::Bfsha(file) => file.check(),
            Self::Nvn(file) => file.check(),
            Self::NvnCode(file) => file.check(),
            Self::Dksh(file) => file.check(),
            Self::Gfd(file) => file.check(),
            Self::Sharcfb(file) => file.check(),
            Self::SharcfbNx(file) => file.check(),
            Self::Sharc(file) => file.check(),
        }
    }

    /// The structure with names, values and places; a single node that says why, for a model that was
    /// changed to what no file can hold.
    pub fn tree(&self) -> Node {
        let tree = match self {
            Self::Shbin(file) => file.tree(),
            Self::Mbs(file) => file.tree(),
            Self::Bnsh(file) => file.tree(),
            Self::Bfsha(file) => file.tree(),
            Self::Nvn(file) => file.tree(),
            Self::NvnCode(file) => Ok(file.tree()),
            Self::Dksh(file) => file.tree(),
            Self::Gfd(file) => file.tree(),
            Self::Sharcfb(file) => file.tree(),
            Self::SharcfbNx(file) => file.tree(),
            Self::Sharc(file) => file.tree(),
        };
        let mut tree = tree.unwrap_or_else(|error| Node::new(self.format().name(), 0).value(error));
        tree.number_repeats();
        tree
    }

    /// Which bytes of the file are what.
    pub fn coverage(&self) -> Coverage {
        let tree = self.tree();
        tree.coverage(tree.size)
    }

    /// The programs, in file order. Of more programs that share code than the file can mean, [`Stages`] leaves out some.
    pub fn stages(&self) -> Stages<'_> {
        match self {
            Self::Shbin(file) => Stages::sharing(file.stages(), file.code_len()),
            Self::Mbs(file) => Stages::all(file.stages()),
            Self::Bnsh(file) => Stages::sharing(file.stages(), file.image.len),
            Self::Bfsha(file) => Stages::sharing(file.stages(), file.image.len),
            Self::Nvn(file) => Stages::all(file.stages()),
            Self::NvnCode(file) => Stages::all(file.stages()),
            Self::Dksh(file) => Stages::sharing(file.stages(), file.code.len() as u64),
            Self::Gfd(file) => Stages::all(file.stages()),
            Self::Sharcfb(file) => Stages::all(file.stages()),
            Self::SharcfbNx(file) => Stages::sharing(file.stages(), file.pool().len() as u64),
            // Texts are no programs yet.
            Self::Sharc(_) => Stages::all(std::iter::empty()),
        }
    }

    /// The program of that name.
    pub fn stage(&self, id: &StageId) -> Option<Stage<'_>> {
        match self {
            Self::Shbin(file) => file.stage(id),
            Self::Mbs(file) => file.stage(id),
            Self::Bnsh(file) => file.stage(id),
            Self::Bfsha(file) => file.stage(id),
            Self::Nvn(file) => file.stage(id),
            Self::NvnCode(file) => file.stage(id),
            Self::Dksh(file) => file.stage(id),
            Self::Gfd(file) => file.stage(id),
            Self::Sharcfb(file) => file.stage(id),
            Self::SharcfbNx(file) => file.stage(id),
            Self::Sharc(_) => None,
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
            Self::Bnsh(file) => file.replace(id, code),
            Self::Bfsha(file) => file.replace(id, code),
            Self::Nvn(file) => file.replace(id, code),
            Self::NvnCode(file) => file.replace(id, code),
            Self::Dksh(file) => file.replace(id, code),
            Self::Gfd(file) => file.replace(id, code),
            Self::Sharcfb(file) => file.replace(id, code),
            Self::SharcfbNx(file) => file.replace(id, code),
            Self::Sharc(_) => Err(sharc::programs::no_code()),
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
        "a known magic number (\"DVLB\", \"DVOJ\", \"MBS1\", \"Gfx2\", \"SHAB\", \"BAHS\", \"SHAA\", \"AAHS\", \"BNSH\", \"FSHA\", \"DKSH\")",
        found,
    )
    .code(code)
}
