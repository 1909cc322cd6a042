//! From the structured source tree of [`unshade_ir::ast`] to source text and SPIR-V.
//!
//! [`glsl`] is a printer of our own: every stage, the names of the file, text as a careful person writes
//! it. [`mod@naga`] hands the same tree to the naga library for WGSL, HLSL, MSL and SPIR-V of vertex and fragment
//! programs.
//! Both describe the printed interface by [`Binding`]s: which location or which bytes of the uniform buffer
//! stand for which words of the machine. All targets lay the uniform buffer out alike.

// Some of what both printers share only naga's side reads.
#![cfg_attr(not(feature = "naga"), allow(dead_code))]

mod check;
mod comment;
mod error;
pub mod glsl;
mod interface;
#[cfg(feature = "naga")]
pub mod naga;
#[cfg(not(feature = "naga"))]
#[path = "without_naga.rs"]
pub mod naga;
mod names;
mod signature;
mod source;
mod system;
mod unread;
mod visit;

pub use comment::comment;
pub use error::{Error, ErrorKind};
pub use glsl::GlslVersion;
pub use source::{Binary, Binding, BindingKind, MachineWords, MatrixSize, Source};
use unshade_stage::StageKind;

/// Deepest nesting of statements and of expressions that is printed; deeper trees are refused, so that no
/// tree can exhaust the stack. The tree builder keeps far below it.
pub const DEPTH_LIMIT: usize = 512;

/// A language to print.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Target {
    /// GLSL of some version.
    Glsl(GlslVersion),
    /// WebGPU's language.
    Wgsl,
    /// Direct3D's language, shader model 5.1.
    Hlsl,
    /// Metal's language.
    Msl,
    /// SPIR-V 1.3, a binary.
    Spirv,
    /// The text form of the intermediate representation; [`unshade_ir`] prints it, not this crate.
    Ir,
}

impl Target {
    /// The name on the command line: `glsl`, `wgsl`, `hlsl`, `msl`, `spirv`, `ir`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Glsl(_) => "glsl",
            Self::Wgsl => "wgsl",
            Self::Hlsl => "hlsl",
            Self::Msl => "msl",
            Self::Spirv => "spirv",
            Self::Ir => "ir",
        }
    }

    /// Customary ending of a file of this language for a program of this kind, without the dot.
    pub fn extension(self, kind: StageKind) -> &'static str {
        match self {
            Self::Glsl(_) => match kind {
                StageKind::Vertex => "vert",
                StageKind::TessControl => "tesc",
                StageKind::TessEval => "tese",
                StageKind::Geometry => "geom",
                StageKind::Fragment => "frag",
                StageKind::Compute => "comp",
            },
            Self::Wgsl => "wgsl",
            Self::Hlsl => "hlsl",
            Self::Msl => "metal",
            Self::Spirv => "spv",
            Self::Ir => "ir",
        }
    }
}

/// How to print.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Options {
    /// Which step of the pipeline the program is for.
    pub kind: StageKind,
    /// Version of GLSL; the other languages do not look at it.
    pub glsl: GlslVersion,
    /// The text must give the machine's results bit for bit: `precise` where the language has it.
    pub strict: bool,
    /// What is outside of the program is found by its name, as OpenGL ES 2 does it: GLSL declares uniforms one by
    /// one instead of in a block, and gives no locations to inputs and varyings. The other languages do not look
    /// at it.
    pub by_name: bool,
    /// Whose rules for resources and locations GLSL is printed by. The other languages do not look at it.
    pub layout: Layout,
    /// Lines of the comment at the top: file, item, machine.
    pub header: Vec<String>,
    /// What a geometry program gives; what it takes is the number of vertices of its inputs.
    pub geometry: Geometry,
    /// What tessellation programs do.
    pub tessellation: Tessellation,
    /// Invocations of a work group of a compute program, along each axis.
    pub local_size: [u32; 3],
    /// Depth and stencil are tested before a fragment program runs.
    pub early_tests: bool,
}

/// Whose rules GLSL says by where resources, inputs and outputs are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
pub enum Layout {
    /// Those of the language that the program was written in: OpenGL, or by name where [`Options::by_name`] says so.
    #[default]
    Source,
    /// OpenGL: one number for each resource, counted for each kind alone, and numbers for what comes in and goes out,
    /// as far as the version has them.
    OpenGl,
    /// Vulkan, for GLSL 4.50: sets 0 uniform blocks, 1 textures, 2 images, 3 storage buffers; every uniform is in a
    /// block; everything that comes in and goes out has a location.
    Vulkan,
}

/// What the machine's registers say of a geometry program.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Geometry {
    /// What it emits.
    pub output: Primitive,
    /// Most vertices that a run emits, where the program itself does not show it.
    pub max_vertices: Option<u32>,
    /// Runs for each primitive; 0 and 1: one.
    pub invocations: u32,
}

/// What the machine's registers say of a tessellation program.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Tessellation {
    /// Vertices of a patch that a control program makes.
    pub vertices: u32,
    /// What a patch is divided into.
    pub domain: Domain,
    /// How edges are divided.
    pub spacing: Spacing,
    /// Triangles turn clockwise.
    pub clockwise: bool,
    /// Vertices become points.
    pub points: bool,
}

/// What a patch is divided into.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Domain {
    /// Triangles of a triangle.
    #[default]
    Triangles,
    /// Triangles of a quadrilateral.
    Quads,
    /// Lines beside each other.
    Isolines,
}

impl Domain {
    /// The word of GLSL.
    pub fn name(self) -> &'static str {
        match self {
            Self::Triangles => "triangles",
            Self::Quads => "quads",
            Self::Isolines => "isolines",
        }
    }
}

/// How edges are divided.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Spacing {
    /// Into equal parts.
    #[default]
    Equal,
    /// Into an even number of parts, two of them shorter.
    FractionalEven,
    /// Into an odd number of parts, two of them shorter.
    FractionalOdd,
}

impl Spacing {
    /// The word of GLSL.
    pub fn name(self) -> &'static str {
        match self {
            Self::Equal => "equal_spacing",
            Self::FractionalEven => "fractional_even_spacing",
            Self::FractionalOdd => "fractional_odd_spacing",
        }
    }
}

/// A primitive that a geometry program emits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Primitive {
    /// Points.
    Points,
    /// Lines that follow each other.
    LineStrip,
    /// Triangles that share edges.
    #[default]
    TriangleStrip,
}

impl Primitive {
    /// The word of GLSL.
    pub fn name(self) -> &'static str {
        match self {
            Self::Points => "points",
            Self::LineStrip => "line_strip",
            Self::TriangleStrip => "triangle_strip",
        }
    }
}

impl Options {
    /// Whether what is outside of the program is found by name.
    pub(crate) fn links_by_name(&self) -> bool {
        self.by_name && self.layout == Layout::Source
    }

    /// Readable GLSL 450 of a program of this kind, without a header.
    pub fn new(kind: StageKind) -> Self {
        Self {
            kind,
            glsl: GlslVersion::Core450,
            strict: false,
            by_name: false,
            layout: Layout::default(),
            header: Vec::new(),
            geometry: Geometry::default(),
            tessellation: Tessellation::default(),
            local_size: [1; 3],
            early_tests: false,
        }
    }
}
