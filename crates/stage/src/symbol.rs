//! Typed variables and their places, as the symbol tables of a GLSL compiler give them.

use crate::Space;

/// What a [`Symbol`] is made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum SymbolType {
    /// A float or vector of floats.
    Float,
    /// An integer or vector of integers; the machine holds them as floats.
    Int,
    /// A truth value or vector of them; the machine holds 0.0 and 1.0.
    Bool,
    /// A square matrix, column by column.
    Matrix,
    /// A two-dimensional texture.
    Sampler2d,
    /// A cube map.
    SamplerCube,
    /// A structure; its members follow as symbols that name it as their parent.
    Struct,
    /// An image from outside of OpenGL (`samplerExternalOES`).
    SamplerExternal,
    /// A number that no known compiler writes.
    Unknown(u8),
}

impl SymbolType {
    /// Whether it names a texture.
    pub fn is_sampler(self) -> bool {
        matches!(self, Self::Sampler2d | Self::SamplerCube | Self::SamplerExternal)
    }
}

/// Precision qualifier.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum Precision {
    /// `lowp`.
    Low,
    /// `mediump`.
    Medium,
    /// `highp`.
    High,
}

/// A declared variable. Places and strides count in floats (32-bit words on the vertex processor's side,
/// half floats in the pixel processor's memory), as in the file.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Symbol {
    /// Name as the file gives it; bytes that are no UTF-8 are shown as U+FFFD.
    pub name: String,
    /// [`Space::Input`], [`Space::Output`] or, for uniforms and samplers, [`Space::Float`].
    pub space: Space,
    /// What it is made of.
    pub ty: SymbolType,
    /// Components of a vector, columns of a matrix, members of a structure, coordinates of a sampler.
    pub components: u16,
    /// Floats from one column of a matrix to the next; for others the room of one element.
    pub component_size: u16,
    /// Length of an array; 0: no array.
    pub elements: u16,
    /// Floats from one element of an array to the next.
    pub stride: u16,
    /// Precision qualifier, where the file gives a known one.
    pub precision: Option<Precision>,
    /// Declared `invariant`.
    pub invariant: bool,
    /// First float, counted from the start of the space, or of the structure that it is a member of. `None`:
    /// declared, but without a place, since the program does not use it.
    pub offset: Option<u16>,
    /// Index of the structure in the symbols **of the same space** that it is a member of.
    pub parent: Option<u16>,
    /// Value that the loader puts there, one word for each float.
    pub initial: Option<Vec<u32>>,
}

/// What a file says about a program as a whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum Declared {
    /// A program of the Mali vertex processor (chunk FINS).
    MaliVertex {
        /// Number of instructions.
        instructions: u32,
        /// Index of the last instruction that loads an attribute, plus 1; 0 if none does.
        attribute_prefetch: u32,
    },
    /// A program of the Mali pixel processor (chunks FSTA, FDIS, FBUU).
    MaliFragment {
        /// Vectors of four on the stack.
        stack_size: u32,
        /// Where the stack starts, in vectors of four.
        stack_offset: u32,
        /// The program can drop pixels.
        discards: bool,
        /// Reads colour, writes colour, reads depth, writes depth, reads stencil, writes stencil.
        framebuffer: [bool; 6],
    },
}
