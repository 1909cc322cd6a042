//! What an assembly gives: plain data that a container can be made of.

use super::operand::Register;
use unshade_stage::{GeometryMode, StageKind};

/// Everything that several sources make together.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Program {
    /// Code words, shared by all executables.
    pub words: Vec<u32>,
    /// Operand descriptors (low words), shared by all executables.
    pub descriptors: Vec<u32>,
    /// One for each source that makes one, in the order of the sources.
    pub executables: Vec<Executable>,
    /// Uniforms of the space that vertex sources share, in the order of declaration; a uniform that several
    /// sources declare stands here once for each. What [`super::header`] prints.
    pub shared: Vec<Uniform>,
    /// Kind of the first source with a declaration or an instruction, whether it makes an executable or
    /// not: the reference assembler's header names all constants after it.
    pub first_kind: Option<StageKind>,
}

/// An entry point with its tables.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Executable {
    /// Index of the source that it comes from.
    pub source: usize,
    /// Vertex or geometry.
    pub kind: StageKind,
    /// Name of the entry procedure.
    pub entry_name: String,
    /// First word of the entry procedure.
    pub entry: u32,
    /// Word behind its last one.
    pub end: u32,
    /// Declared inputs, bit n = vn.
    pub input_mask: u16,
    /// Declared outputs, bit n = on.
    pub output_mask: u16,
    /// How a geometry program is fed; `None` for vertex programs.
    pub geometry: Option<GeometryMode>,
    /// Geometry programs: the output map is merged with that of the vertex program.
    pub merge: bool,
    /// Constants in the order of the source.
    pub constants: Vec<Constant>,
    /// Outputs in the order of the source.
    pub outputs: Vec<Output>,
    /// Inputs and visible uniforms, ordered by register.
    pub uniforms: Vec<Uniform>,
}

/// A value that the loader puts into a uniform.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Constant {
    /// Which register: float, integer or bool, as the value.
    pub register: Register,
    /// What to put there.
    pub value: ConstantValue,
}

/// Value of a [`Constant`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ConstantValue {
    /// Four floats of 24 bits each (sign 23, exponent 16-22, mantissa 0-15).
    Float([u32; 4]),
    /// Four bytes.
    Int([u8; 4]),
    /// A truth value.
    Bool(bool),
}

/// An output and its meaning.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Output {
    /// What it means.
    pub semantic: Semantic,
    /// Output register, 0-15.
    pub register: u8,
    /// Components, bit 0 = x.
    pub mask: u8,
}

/// Meaning of an output. The values are those of SHBIN files (spec of the container).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Semantic {
    /// Position of the vertex.
    Position = 0,
    /// Quaternion of the normal.
    NormalQuat = 1,
    /// Colour.
    Color = 2,
    /// First texture coordinate.
    TexCoord0 = 3,
    /// Third component of the first texture coordinate.
    TexCoord0W = 4,
    /// Second texture coordinate.
    TexCoord1 = 5,
    /// Third texture coordinate.
    TexCoord2 = 6,
    /// View vector.
    View = 8,
    /// Without meaning: passed to the geometry program, or taken from the vertex program's map.
    Dummy = 9,
}

/// An input, or one or several uniform registers with a name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Uniform {
    /// The name; in the tables of executables `$` has become `.`.
    pub name: String,
    /// First register: input, float, integer or bool.
    pub register: Register,
    /// How many registers, at least 1.
    pub count: u8,
}
