//! A shader of the Wii U without its container, in the form of either kind of file.

use super::edit::Program;
use super::layout::{Contents, HeaderStyle, Programs};
use super::record::{ALIGNMENT, Binary};
use super::shader::{Form, Shader, code_words};
use super::structure::ShaderKind;
use crate::formats::agl::model::SymbolKind;
use crate::shared::Opaque;
use crate::shared::programs::unfit;
use std::borrow::Cow;
use unshade_bytes::{Endian, Result};
use unshade_stage::{Code, Interface, Isa, Stage, StageId, StageKind};

/// A GX2 structure with its tables, names and programs, as its container had it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Detached {
    /// Which structure.
    pub kind: ShaderKind,
    /// Where everything stands.
    pub parts: Parts,
}

/// The two ways in which files keep a shader.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Parts {
    /// Of a GFD: programs beside the data of the header.
    Blocks(Blocks),
    /// Of a SHARCFB: everything in one record.
    Binary {
        /// Byte order of the archive.
        endian: Endian,
        /// The record.
        record: Box<Binary>,
        /// What the archive says of its variables that its tables do not say.
        flags: Vec<Flag>,
    },
}

/// A flag of a symbol for the variation that a shader was taken from, where that is not what the tables of the variation
/// say: that the shader uses what it does not name, or the other way round.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Flag {
    /// Which symbols.
    pub kind: SymbolKind,
    /// The name in the source.
    pub name: Vec<u8>,
    /// What stands there.
    pub flag: u8,
}

/// The data of the blocks of a shader in a GFD.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Blocks {
    /// Structure, tables, names, pointers, trailer; `None` for code without a header.
    pub header: Option<Opaque>,
    /// The program.
    pub code: Opaque,
    /// The copy program of a geometry shader.
    pub copy: Option<Opaque>,
}

impl Detached {
    /// Its structure; `None` where there is none, or that is cut.
    pub fn shader(&self) -> Option<Shader<'_>> {
        match &self.parts {
            Parts::Blocks(blocks) => Shader::new(self.kind, Form::GFD, blocks.header.as_ref()?),
            Parts::Binary { endian, record, .. } => {
                Shader::new(self.kind, Form::sharcfb(*endian), &record.data)
            }
        }
    }

    /// The bytes of its program, or of the copy program of a geometry shader; empty where there is none.
    pub fn program(&self, which: Program) -> &[u8] {
        match (&self.parts, which) {
            (Parts::Blocks(blocks), Program::Main) => &blocks.code,
            (Parts::Blocks(blocks), Program::Copy) => blocks.copy.as_deref().unwrap_or_default(),
            (Parts::Binary { record, .. }, which) => {
                let place = self.shader().and_then(|shader| which.place(&shader));
                let (at, len) = place.unwrap_or((0, 0));
                record.data.get(at..at.saturating_add(len)).unwrap_or_default()
            }
        }
    }

    /// Which step of the pipeline it is for.
    pub fn stage_kind(&self) -> StageKind {
        match self.kind {
            ShaderKind::Vertex => StageKind::Vertex,
            ShaderKind::Pixel => StageKind::Fragment,
            ShaderKind::Geometry => StageKind::Geometry,
            ShaderKind::Compute => StageKind::Compute,
        }
    }

    /// The stage as its instruction set sees it; of a geometry shader not the copy program.
    pub fn stage(&self) -> Stage<'_> {
        let copy = self.program(Program::Copy);
        let latte = self.shader().map(|shader| shader.latte_with_copy(copy)).unwrap_or_default();
        let words = Cow::Owned(code_words(self.program(Program::Main)));
        Stage {
            id: StageId(self.kind.name().to_owned()),
            kind: self.stage_kind(),
            isa: Isa::Latte,
            code: Code { words, ..Code::default() },
            interface: Interface { latte: Some(Box::new(latte)), ..Interface::default() },
        }
    }

    /// What it holds, for a file that stores it in another way.
    fn contents(&self) -> Result<Contents> {
        let shader = self.shader();
        let shader = shader.ok_or_else(|| unfit("", "a shader with its structure", "code alone"))?;
        Contents::of(&shader)
            .ok_or_else(|| unfit("", "tables and names inside of the data", "some that lie outside of it"))
    }

    /// As blocks of a GFD whose writer has that style. What comes from a GFD stays as it is.
    ///
    /// # Errors
    /// [`unshade_bytes::ErrorKind::Unrepresentable`] for tables that lie outside of the data, and for more than a GFD
    /// can point to.
    pub fn to_blocks(&self, style: HeaderStyle) -> Result<Blocks> {
        if let Parts::Blocks(blocks) = &self.parts {
            return Ok(blocks.clone());
        }
        let mut contents = self.contents()?;
        for which in [Program::Main, Program::Copy] {
            let size = u32::try_from(self.program(which).len()).unwrap_or(u32::MAX);
            contents.set_member(which.members().0, size);
        }
        let header = Opaque(contents.to_header(style)?);
        let code = Opaque(self.program(Program::Main).to_vec());
        let copy = (self.kind == ShaderKind::Geometry).then(|| Opaque(self.program(Program::Copy).to_vec()));
        Ok(Blocks { header: Some(header), code, copy })
    }

    /// As a record of an archive of that byte order that starts at `at` of the file. What comes from such an archive
    /// stays as it is.
    ///
    /// # Errors
    /// [`unshade_bytes::ErrorKind::Unrepresentable`] for a compute shader, which archives have no number for, and for
    /// tables that lie outside of the data.
    pub fn to_binary(&self, endian: Endian, at: u64) -> Result<Binary> {
        match &self.parts {
            Parts::Binary { endian: own, record, .. } if *own == endian => return Ok((**record).clone()),
            _ => {}
        }
        let kind = match self.kind {
            ShaderKind::Vertex => 0,
            ShaderKind::Pixel => 1,
            ShaderKind::Geometry => 2,
            ShaderKind::Compute => {
                return Err(unfit("", "a vertex, pixel or geometry shader", "a compute shader"));
            }
        };
        let programs =
            Programs { code: self.program(Program::Main), copy: self.program(Program::Copy), fill: 0 };
        let mut binary = Binary { kind, ..Binary::default() };
        let start = binary.data_at(at);
        binary.data =
            Opaque(self.contents()?.to_binary(Form::sharcfb(endian), programs, start, ALIGNMENT)?);
        Ok(binary)
    }
}
