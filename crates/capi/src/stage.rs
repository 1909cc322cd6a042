//! What one program is.

use crate::{file::Program, text::Text};
use unshade::{StageKind, report};

/// Which step of the pipeline a program is for.
#[repr(u32)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Not said; nothing that is open has it.
    Unknown = 0,
    /// Runs once for each vertex.
    Vertex = 1,
    /// Tessellation control (hull).
    TessControl = 2,
    /// Tessellation evaluation (domain).
    TessEval = 3,
    /// Runs once for each primitive and emits vertices.
    Geometry = 4,
    /// Runs once for each pixel.
    Fragment = 5,
    /// Compute.
    Compute = 6,
}

impl Kind {
    fn of(kind: StageKind) -> Self {
        match kind {
            StageKind::Vertex => Self::Vertex,
            StageKind::TessControl => Self::TessControl,
            StageKind::TessEval => Self::TessEval,
            StageKind::Geometry => Self::Geometry,
            StageKind::Fragment => Self::Fragment,
            StageKind::Compute => Self::Compute,
        }
    }

    /// The kind of that number, where it is one.
    pub(crate) fn numbered(number: u32) -> Option<StageKind> {
        use StageKind as K;
        let kinds = [K::Vertex, K::TessControl, K::TessEval, K::Geometry, K::Fragment, K::Compute];
        kinds.into_iter().find(|kind| Self::of(*kind) as u32 == number)
    }
}

/// An instruction set.
#[repr(u32)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Isa {
    /// One that this interface has no number for.
    Unknown = 0,
    /// Nintendo 3DS shader units.
    Pica200 = 1,
    /// Vertex processor of Mali-200 and Mali-400.
    MaliGp = 2,
    /// Pixel processor of Mali-200 and Mali-400.
    MaliPp = 3,
    /// The Wii U's GPU7.
    Latte = 4,
    /// The Switch's GPU.
    Maxwell = 5,
}

impl Isa {
    fn of(isa: unshade::Isa) -> Self {
        match isa {
            unshade::Isa::Pica200 => Self::Pica200,
            unshade::Isa::MaliGp => Self::MaliGp,
            unshade::Isa::MaliPp => Self::MaliPp,
            unshade::Isa::Latte => Self::Latte,
            unshade::Isa::Maxwell => Self::Maxwell,
            _ => Self::Unknown,
        }
    }

    /// The instruction set of that number, where it is one.
    pub(crate) fn numbered(number: u32) -> Option<unshade::Isa> {
        unshade::ISAS.iter().copied().find(|isa| Self::of(*isa) as u32 == number)
    }
}

/// What one program is. The caller sets `size`; texts live as long as the file is open.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct StageInfo {
    /// Size of this structure as the caller knows it, in bytes: `sizeof(unshade_stage_info)`.
    pub size: usize,
    /// Which step of the pipeline it is for, an `unshade_kind`.
    pub kind: u32,
    /// Its instruction set, an `unshade_isa`.
    pub isa: u32,
    /// Hash of everything that decides what it computes: code, entry, constants that its file sets. That of `unshade ls`.
    pub hash: u64,
    /// Where its code starts, in bytes from the start of its container.
    pub code_offset: u64,
    /// Size of its code in bytes. Programs of one file may share code.
    pub code_bytes: u64,
    /// Instructions in that code.
    pub instructions: u64,
    /// What stands behind the file on the command line to name it: `#0`, `:x.szs:shader.sharcfb#toon/3/pixel`.
    pub item: Text,
    /// Name of the entry point. Empty where the file has none.
    pub name: Text,
}

impl StageInfo {
    pub(crate) fn of(program: &Program) -> Self {
        let Program { stage, texts: [item, name], .. } = program;
        Self {
            size: 0,
            kind: Kind::of(stage.kind) as u32,
            isa: Isa::of(stage.isa) as u32,
            hash: report::code_hash(stage),
            code_offset: stage.code.file_offset,
            code_bytes: stage.code.words.len() as u64 * 4,
            instructions: report::instruction_count(stage),
            item: item.view(),
            name: name.view(),
        }
    }
}
