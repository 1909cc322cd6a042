//! Variables, blocks, and the layouts of a stage.

use super::{BlockId, ConstantId, ExpressionId, Meaning, VariableId};
use crate::place::Span;
use crate::types::layout::Packing;
use crate::types::{Precision, StructId, Type};

/// A variable of any kind.
#[derive(Debug, Clone, PartialEq)]
pub struct Variable {
    /// Its name; of a block without an instance name, empty, as of a parameter without a name.
    pub name: String,
    /// Its type; of blocks a structure or an array of it.
    pub ty: Type,
    /// What kind of variable it is.
    pub storage: Storage,
    /// `const` of anything: it cannot be written.
    pub is_constant: bool,
    /// Its precision.
    pub precision: Precision,
    /// How it is interpolated.
    pub interpolation: Interpolation,
    /// `centroid`, `sample`, `patch`
    pub auxiliary: Auxiliary,
    /// `invariant`
    pub is_invariant: bool,
    /// `precise`
    pub is_precise: bool,
    /// `coherent` and the like, of images and buffers.
    pub memory: MemoryQualifiers,
    /// What `layout(...)` says.
    pub layout: Layout,
    /// The value of a `const` that is known; of a specialization constant, its default.
    pub constant: Option<ConstantId>,
    /// The initial value of a global variable. Of local ones it stands in the statement.
    pub initial: Option<ExpressionId>,
    /// What a built-in variable stands for.
    pub meaning: Option<Meaning>,
    /// The block that it is.
    pub block: Option<BlockId>,
    /// Whether any expression names it.
    pub is_used: bool,
    /// Where its name stands; of built-in variables, where they are first used.
    pub span: Span,
}

/// What kind of variable it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Storage {
    /// Global, of the invocation.
    Global,
    /// In a function.
    Local,
    /// A parameter.
    Parameter(Direction),
    /// From the stage before, or an attribute.
    In,
    /// To the stage after, or a colour.
    Out,
    /// A colour that is read and written (`inout` of framebuffer fetch).
    InOut,
    /// Set from outside; textures, images and counters too.
    Uniform,
    /// A buffer block.
    Buffer,
    /// Of the work group.
    Shared,
}

/// Which way a parameter goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Direction {
    /// A copy.
    In,
    /// Copied back at the end.
    Out,
    /// Both.
    InOut,
}

/// How a value is interpolated between vertices.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Interpolation {
    /// Nothing is said: `smooth`.
    #[default]
    Unspecified,
    /// With perspective.
    Smooth,
    /// Not at all.
    Flat,
    /// In the plane of the screen.
    NoPerspective,
}

/// Where a value is taken, or that it belongs to a patch.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Auxiliary {
    /// Nothing is said.
    #[default]
    None,
    /// `centroid`
    Centroid,
    /// `sample`
    Sample,
    /// `patch`
    Patch,
}

/// How memory may be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[allow(missing_docs)]
pub struct MemoryQualifiers {
    pub coherent: bool,
    pub is_volatile: bool,
    pub is_restrict: bool,
    pub is_readonly: bool,
    pub is_writeonly: bool,
}

/// What `layout(...)` says of a variable, a block or a member.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Layout {
    /// `location`
    pub location: Option<u32>,
    /// `component`
    pub component: Option<u32>,
    /// `index`, of two colours for blending.
    pub index: Option<u32>,
    /// `binding`
    pub binding: Option<u32>,
    /// `set`
    pub set: Option<u32>,
    /// `offset`: of a member in its block, of a counter in its buffer.
    pub offset: Option<u32>,
    /// `align`
    pub align: Option<u32>,
    /// `constant_id`: it is a specialization constant.
    pub constant_id: Option<u32>,
    /// `input_attachment_index`
    pub input_attachment_index: Option<u32>,
    /// `stream`
    pub stream: Option<u32>,
    /// `xfb_buffer`
    pub xfb_buffer: Option<u32>,
    /// `xfb_offset`
    pub xfb_offset: Option<u32>,
    /// `xfb_stride`
    pub xfb_stride: Option<u32>,
    /// `push_constant`
    pub is_push_constant: bool,
    /// The format of an image.
    pub format: Option<Format>,
    /// How matrices lie.
    pub matrix: Option<MatrixLayout>,
    /// How a block is packed.
    pub packing: Option<Packing>,
}

/// How matrices lie in memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum MatrixLayout {
    /// Column behind column.
    ColumnMajor,
    /// Row behind row.
    RowMajor,
}

/// A format of images.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Format {
    /// As it is written: `rgba8_snorm`.
    pub name: &'static str,
    /// Number of components.
    pub components: u8,
    /// Bits of each; of `r11f_g11f_b10f` and `rgb10_a2`, of the first.
    pub bits: u8,
    /// What the numbers are.
    pub kind: FormatKind,
}

/// What the numbers of an image are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum FormatKind {
    /// Floats.
    Float,
    /// Fractions from 0 to 1.
    Unorm,
    /// Fractions from -1 to 1.
    Snorm,
    /// Signed whole numbers.
    Int,
    /// Unsigned whole numbers.
    Uint,
}

/// A block: uniforms, a buffer, or what goes between stages.
#[derive(Debug, Clone, PartialEq)]
pub struct Block {
    /// Its name, not that of an instance.
    pub name: String,
    /// Its variable.
    pub variable: VariableId,
    /// Its members as a structure.
    pub structure: StructId,
    /// How uniforms and buffers are packed.
    pub packing: Packing,
    /// What is said of each member, in order.
    pub members: Vec<BlockMember>,
    /// Size in bytes of uniforms and buffers; of an array at the end without a length, none of it.
    pub size: u32,
    /// Where its name stands.
    pub span: Span,
}

/// What is said of a member of a block.
#[derive(Debug, Clone, PartialEq)]
pub struct BlockMember {
    /// Offset in bytes, of uniforms and buffers; `offset` and `align` of layouts are in it.
    pub offset: u32,
    /// From one element of an array to the next; 0 for none.
    pub array_stride: u32,
    /// From one column (or row) of a matrix to the next; 0 for none.
    pub matrix_stride: u32,
    /// Whether matrices in it are row-major.
    pub is_row_major: bool,
    /// What its layout says. Between stages, the location of a member that follows from the block's is here too.
    pub layout: Layout,
    /// How it is interpolated.
    pub interpolation: Interpolation,
    /// `centroid`, `sample`, `patch`
    pub auxiliary: Auxiliary,
    /// `invariant`
    pub is_invariant: bool,
    /// `precise`
    pub is_precise: bool,
    /// `coherent` and the like.
    pub memory: MemoryQualifiers,
    /// What a member of `gl_PerVertex` stands for.
    pub meaning: Option<Meaning>,
}

/// What the layouts of a stage say.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct StageLayout {
    /// Of compute shaders.
    pub work_group: WorkGroup,
    /// Of geometry shaders.
    pub geometry: GeometryLayout,
    /// Of tessellation shaders.
    pub tessellation: TessellationLayout,
    /// `early_fragment_tests`
    pub early_fragment_tests: bool,
    /// `post_depth_coverage`
    pub post_depth_coverage: bool,
    /// `origin_upper_left` of `gl_FragCoord`.
    pub origin_upper_left: bool,
    /// `pixel_center_integer` of `gl_FragCoord`.
    pub pixel_center_integer: bool,
    /// `depth_greater` and the like of `gl_FragDepth`.
    pub depth: Option<DepthLayout>,
    /// `blend_support_...`, as written.
    pub blend_support: Vec<String>,
    /// `xfb_stride` of each buffer that has one.
    pub xfb_strides: Vec<(u32, u32)>,
    /// `num_views`
    pub views: Option<u32>,
}

/// The work group of a compute shader.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WorkGroup {
    /// Invocations in each direction.
    pub size: [u32; 3],
    /// `local_size_x_id` and its kin: specialization constants.
    pub ids: [Option<u32>; 3],
    /// Whether the text says it.
    pub is_declared: bool,
}

impl Default for WorkGroup {
    fn default() -> Self {
        Self { size: [1; 3], ids: [None; 3], is_declared: false }
    }
}

/// The layouts of a geometry shader.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct GeometryLayout {
    /// What it takes.
    pub input: Option<GeometryInput>,
    /// What it makes.
    pub output: Option<GeometryOutput>,
    /// `max_vertices`
    pub max_vertices: Option<u32>,
    /// `invocations`
    pub invocations: Option<u32>,
    /// The default `stream`.
    pub stream: u32,
}

/// Primitives that a geometry shader takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum GeometryInput {
    Points,
    Lines,
    LinesAdjacency,
    Triangles,
    TrianglesAdjacency,
}

impl GeometryInput {
    /// Vertices of a primitive.
    pub fn vertices(self) -> u32 {
        match self {
            Self::Points => 1,
            Self::Lines => 2,
            Self::Triangles => 3,
            Self::LinesAdjacency => 4,
            Self::TrianglesAdjacency => 6,
        }
    }
}

/// Primitives that a geometry shader makes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum GeometryOutput {
    Points,
    LineStrip,
    TriangleStrip,
}

/// The layouts of tessellation shaders.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct TessellationLayout {
    /// `vertices` of a control shader.
    pub vertices: Option<u32>,
    /// What is divided.
    pub mode: Option<PrimitiveMode>,
    /// How edges are divided.
    pub spacing: Option<Spacing>,
    /// `cw`
    pub is_clockwise: bool,
    /// `point_mode`
    pub is_point_mode: bool,
}

/// What a tessellation divides.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum PrimitiveMode {
    Triangles,
    Quads,
    Isolines,
}

/// How a tessellation divides edges.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum Spacing {
    Equal,
    FractionalEven,
    FractionalOdd,
}

/// What is promised of the depth that is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum DepthLayout {
    Any,
    Greater,
    Less,
    Unchanged,
}
