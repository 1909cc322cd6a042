//! What a GFD holds: its blocks, each with its data as it is. What is in the data is looked at when it is asked
//! for.

use super::raw::HEADER;
use crate::formats::gx2::{
    Form, Member, Shader, ShaderKind,
    layout::{Contents, HeaderStyle},
};
use crate::shared::Opaque;

/// A GFD file.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Gfd {
    /// 0x08. 7; 6 in old files.
    pub major: u32,
    /// 0x0C. 1.
    pub minor: u32,
    /// 0x10. 2: the GPU of the Wii U.
    pub gpu: u32,
    /// 0x14. Whether data is aligned to 0x100 by blocks of padding. One writer sets it and aligns nothing.
    pub align: u32,
    /// 0x18. Zeros.
    #[cfg_attr(feature = "serde", serde(default))]
    pub unknown: [u32; 2],
    /// Size of the header, where it is none: less than 0x20, or more than the file has.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub header_size: Option<u32>,
    /// What else stands in a header of more than 0x20 bytes.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Opaque::is_empty"))]
    pub header_rest: Opaque,
    /// The blocks in file order; the last one should be [`BlockKind::END`].
    pub blocks: Vec<Block>,
    /// Bytes behind the last block.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Opaque::is_empty"))]
    pub trailing: Opaque,
}

/// What a block is, by the number in its header.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(transparent))]
pub struct BlockKind(pub u32);

impl BlockKind {
    /// End of the file.
    pub const END: Self = Self(1);
    /// Zeros that align what follows.
    pub const PADDING: Self = Self(2);
    /// Copy program of a geometry shader.
    pub const COPY: Self = Self(10);

    /// The structure in a shader header.
    pub const fn header_of(self) -> Option<ShaderKind> {
        match self.0 {
            3 => Some(ShaderKind::Vertex),
            6 => Some(ShaderKind::Pixel),
            8 => Some(ShaderKind::Geometry),
            14 => Some(ShaderKind::Compute),
            _ => None,
        }
    }

    /// The shader whose code it is; the copy program is none of these.
    pub const fn code_of(self) -> Option<ShaderKind> {
        match self.0 {
            5 => Some(ShaderKind::Vertex),
            7 => Some(ShaderKind::Pixel),
            9 => Some(ShaderKind::Geometry),
            15 => Some(ShaderKind::Compute),
            _ => None,
        }
    }

    /// Whether its data is code.
    pub const fn is_code(self) -> bool {
        self.code_of().is_some() || self.0 == Self::COPY.0
    }

    /// The header of that structure.
    pub const fn header(kind: ShaderKind) -> Self {
        Self(match kind {
            ShaderKind::Vertex => 3,
            ShaderKind::Pixel => 6,
            ShaderKind::Geometry => 8,
            ShaderKind::Compute => 14,
        })
    }

    /// The code of that shader.
    pub const fn code(kind: ShaderKind) -> Self {
        Self(match kind {
            ShaderKind::Vertex => 5,
            ShaderKind::Pixel => 7,
            ShaderKind::Geometry => 9,
            ShaderKind::Compute => 15,
        })
    }

    /// Its name: `vertex_header`; `None` for a number that nobody writes.
    pub const fn name(self) -> Option<&'static str> {
        Some(match self.0 {
            1 => "end",
            2 => "padding",
            3 => "vertex_header",
            5 => "vertex_code",
            6 => "pixel_header",
            7 => "pixel_code",
            8 => "geometry_header",
            9 => "geometry_code",
            10 => "geometry_copy_code",
            11 => "texture_header",
            12 => "texture_image",
            13 => "texture_mip",
            14 => "compute_header",
            15 => "compute_code",
            _ => return None,
        })
    }

    /// The kind of that name.
    pub fn named(name: &str) -> Option<Self> {
        (1..16).map(Self).find(|kind| kind.name() == Some(name))
    }
}

/// A block.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Block {
    /// 0x10. What it is.
    pub kind: BlockKind,
    /// 0x08. 1.
    pub major: u32,
    /// 0x0C. 0.
    pub minor: u32,
    /// 0x18. Some writers count the blocks here.
    pub id: u32,
    /// 0x1C. Number of the shader or texture.
    pub index: u32,
    /// Size of the header, where it is none: less than 0x20, or more than the file has.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub header_size: Option<u32>,
    /// What else stands in a header of more than 0x20 bytes.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Opaque::is_empty"))]
    pub header_rest: Opaque,
    /// 0x14. Size of the data, where the file ends before.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub size: Option<u32>,
    /// The data starts at a multiple of 0x100, for which a block of padding stands in front: that one is fitted
    /// when something moves.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "is_false"))]
    pub aligned: bool,
    /// The data.
    pub data: Opaque,
}

#[cfg(feature = "serde")]
#[expect(clippy::trivially_copy_pass_by_ref, reason = "the shape that serde asks for")]
fn is_false(value: &bool) -> bool {
    !value
}

impl Block {
    /// The structure of a shader header; `None` for other blocks and where it is cut.
    pub fn shader(&self) -> Option<Shader<'_>> {
        Shader::new(self.kind.header_of()?, Form::GFD, &self.data)
    }

    /// What a shader header holds, and how it is laid out, if these give its data back: if a known writer does so.
    pub fn contents(&self) -> Option<(Contents, HeaderStyle)> {
        Contents::with_style(&self.shader()?)
    }

    /// Size of its header in bytes.
    pub fn header_len(&self) -> u64 {
        (self.header_rest.len() as u64).saturating_add(HEADER as u64)
    }

    /// Size of header and data in bytes, without alignment.
    pub fn len(&self) -> u64 {
        self.header_len().saturating_add(self.data.len() as u64)
    }

    /// Whether it has no data.
    pub fn is_empty(&self) -> bool {
        self.data.is_empty()
    }
}

impl Gfd {
    /// Size of the header in bytes.
    pub fn header_len(&self) -> u64 {
        (self.header_rest.len() as u64).saturating_add(HEADER as u64)
    }

    /// The `number`th block of a kind, counted from 0, with its place among all blocks.
    pub fn nth(&self, kind: BlockKind, number: usize) -> Option<(usize, &Block)> {
        self.blocks.iter().enumerate().filter(|(_, block)| block.kind == kind).nth(number)
    }

    /// Size of the code, or of the copy program ([`Member::CopySize`]), that belongs to the shader header at
    /// `index` of the blocks; 0 where there is none.
    pub fn code_size(&self, index: usize, member: Member) -> u32 {
        let size = || {
            let kind = self.blocks.get(index)?.kind;
            let shader = kind.header_of()?;
            let number = self.blocks.get(..index)?.iter().filter(|block| block.kind == kind).count();
            let code = match member {
                Member::CopySize if shader == ShaderKind::Geometry => BlockKind::COPY,
                Member::CopySize => return None,
                _ => BlockKind::code(shader),
            };
            u32::try_from(self.nth(code, number)?.1.data.len()).ok()
        };
        size().unwrap_or(0)
    }

    /// The structure of the `number`th shader of a kind.
    pub fn shader(&self, kind: ShaderKind, number: usize) -> Option<Shader<'_>> {
        self.nth(BlockKind::header(kind), number)?.1.shader()
    }
}
