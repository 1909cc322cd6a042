//! The words that containers and instruction sets share, so that neither needs the other.
//!
//! A container hands out [`Stage`]s: which machine, which kind of program, the code with everything the
//! machine needs to decode it ([`Code`]), and what the file says about inputs, outputs and uniforms
//! ([`Interface`]). An instruction set takes a stage and knows nothing of files.

mod code;
mod facts;
mod interface;
pub mod latte;
pub mod maxwell;
mod space;
mod suggest;
mod symbol;

pub use code::{Code, CodeLabel, Constant, ConstantValue, SourceLine};
pub use facts::CodeFacts;
pub use interface::{Geometry, GeometryMode, Interface, Output, Range, Variable};
pub use latte::Latte;
pub use maxwell::Maxwell;
pub use space::Space;
pub use suggest::suggest;
pub use symbol::{Declared, Precision, Symbol, SymbolType};

use std::fmt;

/// An instruction set.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
#[non_exhaustive]
pub enum Isa {
    /// Nintendo 3DS shader units.
    Pica200,
    /// Vertex processor of Mali-200 and Mali-400 ("Utgard").
    MaliGp,
    /// Pixel processor of Mali-200 and Mali-400 ("Utgard").
    MaliPp,
    /// The Wii U's GPU7 ("Latte"), of AMD's R700 generation.
    Latte,
    /// The Switch's GPU, of NVIDIA's second Maxwell generation (sm_53).
    Maxwell,
}

impl Isa {
    /// The name used on the command line and in JSON: `pica200`, `mali-gp`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Pica200 => "pica200",
            Self::MaliGp => "mali-gp",
            Self::MaliPp => "mali-pp",
            Self::Latte => "latte",
            Self::Maxwell => "maxwell",
        }
    }
}

impl fmt::Display for Isa {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// Which step of the graphics pipeline a program is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum StageKind {
    /// Runs once for each vertex.
    Vertex,
    /// Tessellation control (hull).
    TessControl,
    /// Tessellation evaluation (domain).
    TessEval,
    /// Runs once for each primitive and emits vertices.
    Geometry,
    /// Runs once for each pixel (fragment).
    Fragment,
    /// Compute.
    Compute,
}

impl StageKind {
    /// The name used on the command line and in JSON: `vertex`, `tess-control`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Vertex => "vertex",
            Self::TessControl => "tess-control",
            Self::TessEval => "tess-eval",
            Self::Geometry => "geometry",
            Self::Fragment => "fragment",
            Self::Compute => "compute",
        }
    }
}

impl fmt::Display for StageKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// Name of a stage inside its file: what stands behind `#` on the command line. Stable for a given file.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct StageId(pub String);

impl fmt::Display for StageId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

/// One program of one file, ready for its instruction set.
#[derive(Debug, Clone, PartialEq)]
pub struct Stage<'a> {
    /// Its name in the file.
    pub id: StageId,
    /// Which step of the pipeline it is for.
    pub kind: StageKind,
    /// Which machine runs it.
    pub isa: Isa,
    /// What the machine needs to decode and run it.
    pub code: Code<'a>,
    /// What the file says about its inputs, outputs and uniforms.
    pub interface: Interface,
}

impl Stage<'_> {
    /// The same with words of its own, so that what it was taken from may go.
    pub fn into_owned(self) -> Stage<'static> {
        let Self { id, kind, isa, code, interface } = self;
        Stage { id, kind, isa, code: code.into_owned(), interface }
    }
}
