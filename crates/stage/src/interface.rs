//! What a file says about the inputs, outputs and uniforms of a program.

use crate::{Declared, Latte, Maxwell, Space, Symbol};

/// A range of registers, both ends included.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Range {
    /// First register.
    pub first: u32,
    /// Last register, not below `first`.
    pub last: u32,
}

impl Range {
    /// How many registers it covers.
    pub fn count(self) -> u32 {
        self.last.saturating_sub(self.first).saturating_add(1)
    }
}

/// A named input or uniform.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Variable {
    /// Name as the file gives it; bytes that are no UTF-8 are shown as U+FFFD.
    pub name: String,
    /// Register space.
    pub space: Space,
    /// Registers it covers.
    pub range: Range,
}

/// An output register (or some of its components) with its meaning.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Output {
    /// Name of the meaning: `position`, `color`, `texcoord0`, `unknown7`.
    pub semantic: String,
    /// Output register number.
    pub register: u32,
    /// Which components, bit 0 = x.
    pub mask: u8,
}

/// How a geometry program is fed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Geometry {
    /// Point, variable or fixed.
    pub mode: GeometryMode,
    /// Outputs of the vertex program are merged into the output map.
    pub merge_outputs: bool,
}

/// What fills the registers of a geometry program (PICA200).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum GeometryMode {
    /// Vertices arrive in the input registers.
    Point,
    /// c0 holds the vertex count, attributes follow from c1.
    Variable {
        /// How many vertices come with all attributes; the others bring their position only.
        full_vertices: u8,
    },
    /// Attributes of a fixed number of vertices arrive in float uniforms.
    Fixed {
        /// First float uniform that receives them.
        first_uniform: u8,
        /// Vertices per primitive.
        vertices: u8,
    },
}

/// Inputs, outputs and uniforms of a program, as far as the file names them.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Interface {
    /// Named inputs.
    pub inputs: Vec<Variable>,
    /// Outputs with their meaning.
    pub outputs: Vec<Output>,
    /// Named uniforms of all spaces.
    pub uniforms: Vec<Variable>,
    /// Input registers in use according to the file, bit n = register n; 0 where the file does not say.
    pub input_mask: u32,
    /// Output registers in use according to the file, bit n = register n; 0 where the file does not say.
    pub output_mask: u32,
    /// Geometry programs only.
    pub geometry: Option<Geometry>,
    /// Typed variables with their places, where the file has a symbol table of that kind (Mali); in file
    /// order, since [`Symbol::parent`] counts in it. `inputs`, `outputs` and `uniforms` are empty then.
    pub symbols: Vec<Symbol>,
    /// What the file says about the program as a whole (Mali).
    pub declared: Option<Declared>,
    /// The registers and tables around a program of the Wii U; the other tables are empty then.
    pub latte: Option<Box<Latte>>,
    /// Header, constants and names around a program of the Switch; the other tables are empty then.
    pub maxwell: Option<Box<Maxwell>>,
}
