//! A shader of the Wii U without its container.

use super::edit::Program;
use super::shader::{Form, Shader, code_words};
use super::structure::ShaderKind;
use crate::Opaque;
use std::borrow::Cow;
use unshade_stage::{Code, Interface, Isa, Stage, StageId, StageKind};

/// A GX2 structure with its tables, names and programs, as its container had it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Loose {
    /// Which structure.
    pub kind: ShaderKind,
    /// Where everything stands.
    pub parts: Parts,
}

/// The two ways in which files keep a shader.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Parts {
    /// Of a GFD: programs beside the data of the header.
    Blocks {
        /// Structure, tables, names, pointers, trailer.
        header: Opaque,
        /// The program.
        code: Opaque,
        /// The copy program of a geometry shader.
        copy: Option<Opaque>,
    },
    /// Of a SHARCFB: everything in the data of one binary.
    Binary {
        /// How it is stored.
        form: Form,
        /// Structure, tables, names, padding, programs.
        data: Opaque,
    },
}

impl Loose {
    /// Its structure; `None` where that is cut.
    pub fn shader(&self) -> Option<Shader<'_>> {
        match &self.parts {
            Parts::Blocks { header, .. } => Shader::new(self.kind, Form::GFD, header),
            Parts::Binary { form, data } => Shader::new(self.kind, *form, data),
        }
    }

    /// The bytes of its program, and of a geometry shader its copy program; empty where there is none.
    pub fn program(&self, which: Program) -> &[u8] {
        match (&self.parts, which) {
            (Parts::Blocks { code, .. }, Program::Main) => code,
            (Parts::Blocks { copy, .. }, Program::Copy) => copy.as_deref().unwrap_or_default(),
            (Parts::Binary { data, .. }, which) => {
                let place = self.shader().and_then(|shader| which.place(&shader));
                let (at, len) = place.unwrap_or((0, 0));
                data.get(at..at.saturating_add(len)).unwrap_or_default()
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
        let latte = self.shader().map(|shader| shader.latte()).unwrap_or_default();
        let words = Cow::Owned(code_words(self.program(Program::Main)));
        Stage {
            id: StageId(self.kind.name().to_owned()),
            kind: self.stage_kind(),
            isa: Isa::Latte,
            code: Code { words, ..Code::default() },
            interface: Interface { latte: Some(Box::new(latte)), ..Interface::default() },
        }
    }
}
