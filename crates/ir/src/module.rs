//! Modules, functions, blocks, instructions, values.

use crate::{ImageFormat, Op, TextureShape, Type};
use smallvec::SmallVec;

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident, $prefix:literal;)*) => {$(
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
        pub struct $name(pub u32);

        impl $name {
            /// As an index into the table that holds it.
            pub fn index(self) -> usize {
                self.0 as usize
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                write!(f, concat!($prefix, "{}"), self.0)
            }
        }
    )*};
}

ids! {
    /// A function of a module.
    FunctionId, "fn";
    /// A block of a function.
    BlockId, "b";
    /// An instruction of a function.
    InstId, "i";
    /// A value of a function.
    Value, "%";
    /// A variable of a module.
    VarId, "$";
}

/// Streams that a geometry program may emit vertices to.
pub const STREAMS: u32 = 4;

/// One program.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Module {
    /// All functions; calls name them by index.
    pub functions: Vec<Function>,
    /// Where the program starts. It has no parameters.
    pub entry: FunctionId,
    /// Machine registers and flags, shared by all functions until [`crate::ssa`] turns them into values.
    /// Their names stay, since values remember which variable they were.
    pub variables: Vec<Variable>,
    /// Register ranges with dynamic index, scratch memory: private to the invocation, zero at start.
    pub arrays: Vec<LocalArray>,
    /// What the file names: inputs, outputs, uniforms.
    pub globals: Vec<Global>,
    /// Buffers that uniforms lie in, where the machine has several; without an entry a buffer is the loose
    /// uniforms of the program.
    pub blocks: Vec<UniformBlock>,
    /// What is known of the bindings of [`crate::Space::Storage`]; one without an entry is a buffer of unknown
    /// length without a name.
    pub buffers: Vec<StorageBuffer>,
    /// Where constant data holds the addresses of storage buffers: accesses to [`crate::Space::Global`] that start
    /// there are accesses to these buffers.
    pub buffer_tables: Vec<BufferTable>,
    /// Where a driver's constants say what texels of buffer textures are.
    pub texel_table: Option<TexelTable>,
    /// The code does not tell buffers of texels from textures of one axis (Maxwell as the console's compiler writes it):
    /// readable mode takes what is only fetched from for a buffer.
    pub lines_may_be_buffers: bool,
    /// Machine instructions, as [`Origin::instruction`] counts them, that ask other pixels of the quad for a value that
    /// the program holds: all have the same.
    pub shared_by_quad: Vec<u32>,
    /// Length of [`crate::Space::Shared`] in words.
    pub shared_words: u32,
    /// The code comes from a compiler of a shading language for a machine that holds truth values as 1.0 and
    /// 0.0, or knows little of vectors (Mali, Maxwell): readable mode looks for what such compilers spell out.
    pub from_shading_language: bool,
    /// What one machine instruction does side by side says nothing of vectors: the machine has none (Maxwell, the Mali
    /// vertex processor), or its compiler fills slots as they are free (Latte). Vectors are then found by their uses.
    pub vectors_by_use: bool,
}

/// A scalar machine register (one component), address register or flag.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Variable {
    /// Register it belongs to, for debugging and for finding lanes again: `r0`, `a0`, `cmp`.
    pub register: String,
    /// Component of the register, 0-3.
    pub lane: u8,
    /// Type.
    pub ty: Type,
    /// Value at the start of the program: the bits, zero-extended.
    pub initial: u64,
}

/// An array private to the invocation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LocalArray {
    /// Its name.
    pub name: String,
    /// Length in 32-bit words.
    pub words: u32,
}

/// A named part of an address space: what `load uniform` of some word means to a person.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Global {
    /// Name from the file, or one made from its place or meaning.
    pub name: String,
    /// Whether the name stands in the file.
    pub named: bool,
    /// Address space.
    pub space: crate::Space,
    /// Buffer or register file, as in [`crate::Access`].
    pub binding: u32,
    /// First 32-bit word.
    pub offset: u32,
    /// What it is made of.
    pub shape: Shape,
    /// 32-bit words from one element of an array, or one column of a matrix, to the next; for samplers units.
    /// Without a meaning for the others.
    pub stride: u32,
    /// The words of an integer or truth value hold it as a float (Mali); otherwise as the integer, a truth
    /// value as 0 or 1.
    pub as_float: bool,
    /// Nobody but the code says whether the words of an input, an output, a texel or a block are floats or integers, so the pass
    /// `varyings` may make them the one or the other. Not where a file says it, nor what comes interpolated.
    pub by_use: bool,
    /// Precision qualifier of the file.
    pub precision: Option<Precision>,
    /// Inputs of fragment programs: how they come from the vertices.
    pub interpolation: Interpolation,
    /// Inputs of fragment programs: where in the pixel.
    pub sampling: Sampling,
    /// Inputs of geometry and tessellation programs: vertices of the input primitive, each with a value (or array)
    /// of its own; word `n` of it is word `offset + vertex * vertex_stride + n`. Geometry: 1 points, 2 lines, 3
    /// triangles, 4 and 6 the same with neighbours; tessellation: 32, the most that a patch has. Outputs of
    /// tessellation control programs: the vertices that these make; a program stores at its own number (the input
    /// `invocation-id`) alone and loads at any. 0: not per vertex.
    pub vertices: u32,
    /// Words from one vertex to the next in the space.
    pub vertex_stride: u32,
    /// An output of a tessellation control program, or an input of an evaluation program, that the patch has once.
    pub patch: bool,
    /// Meaning of an output or input that the pipeline knows.
    ///
    /// Outputs: `position`, `point-size`, `color`, `frag-depth`, `sample-mask` (an integer), `edge-flag`, `layer`,
    /// `viewport` and `primitive-id` (integers), `clip-distance` and `cull-distance` (arrays of single floats),
    /// `tess-level-outer` (four floats) and `tess-level-inner` (two; arrays of single floats, of a patch),
    /// `stream-out` (word `offset` of what a vertex leaves in the transform feedback buffer `binding - 1`).
    ///
    /// Inputs (integers of one component unless something else is said), by program: vertex: `vertex-id` (with the
    /// base vertex), `instance-id` (without the base instance), `base-vertex`, `base-instance`, `draw-id`;
    /// tessellation control: `position` and `point-size` (of each vertex), `invocation-id`, `patch-vertices`,
    /// `primitive-id`; tessellation evaluation: `position`, `point-size`, `patch-vertices`, `primitive-id`,
    /// `tess-coord` (three floats), `tess-level-outer`, `tess-level-inner`; geometry: `position`, `point-size`,
    /// `primitive-id`, `invocation-id`; fragment: `frag-coord` (four floats; the last is 1/w), `point-coord` (two
    /// floats), `front-facing` (1.0 or 0.0), `primitive-id`, `layer`, `viewport`, `sample-id`, `sample-position`
    /// (two floats), `sample-mask-in`, `helper-invocation` (a truth value), `clip-distance` (an array of single
    /// floats), `framebuffer-color`, `framebuffer-depth`; compute: `workgroup-id`, `workgroup-count`, `local-id`,
    /// `global-id` (three unsigned integers), `local-index` (unsigned); every program: `lane-id` (unsigned; its
    /// number among those that run in step).
    pub semantic: Option<String>,
    /// Location, attribute or register number, of images the binding, for the interface declaration.
    pub location: u32,
    /// Outputs of geometry programs: the stream whose vertices have it, below [`STREAMS`].
    pub stream: u32,
    /// Value that is always there (constants of the file), one entry per word.
    pub constant: Option<Vec<u32>>,
}

impl Global {
    /// What stands in the name of a member of an array of structures for the index: `lights[].color` are the colors of all
    /// lights, `stride` words apart.
    pub const EACH: &'static str = "[]";

    /// A global of the file without a meaning, precision or constant, whose stride is that of its shape in a
    /// register file of four components ([`Shape::stride`]) and whose location is 0.
    pub fn new(
        name: impl Into<String>,
        space: crate::Space,
        binding: u32,
        offset: u32,
        shape: Shape,
    ) -> Self {
        Self {
            name: name.into(),
            named: true,
            space,
            binding,
            offset,
            shape,
            stride: shape.stride(),
            as_float: false,
            by_use: false,
            precision: None,
            interpolation: Interpolation::Smooth,
            sampling: Sampling::Center,
            vertices: 0,
            vertex_stride: 0,
            patch: false,
            semantic: None,
            location: 0,
            stream: 0,
            constant: None,
        }
    }

    /// Words from one element of an array of matrices to the next.
    pub fn element_stride(&self) -> u32 {
        match self.shape {
            Shape::Matrix { columns, element_stride: 0, .. } => self.stride.wrapping_mul(columns.into()),
            Shape::Matrix { element_stride, .. } => element_stride,
            _ => self.stride,
        }
    }
}

/// A buffer of uniforms. What lies in it are the globals of [`crate::Space::Uniform`] with its binding.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UniformBlock {
    /// Name from the file, or one made from its number.
    pub name: String,
    /// Whether the name stands in the file.
    pub named: bool,
    /// Number of the buffer, as in [`crate::Access`].
    pub binding: u32,
    /// Length in 32-bit words; 0: unknown.
    pub words: u32,
}

/// A storage buffer: words that all invocations read and write.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StorageBuffer {
    /// Name from the file, or one made from its number.
    pub name: String,
    /// Whether the name stands in the file.
    pub named: bool,
    /// Number of the buffer, as in [`crate::Access`].
    pub binding: u32,
}

/// Descriptors of storage buffers in constant data, one for each buffer: the low and the high word of the address of
/// its first byte come first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BufferTable {
    /// Binding of [`crate::Space::Uniform`] that holds them.
    pub binding: u32,
    /// Word of the first one.
    pub offset: u32,
    /// Words from one to the next.
    pub stride: u32,
    /// How many there may be.
    pub count: u32,
    /// Binding of the buffer that the first one describes; that of the next is one more.
    pub first: u32,
}

impl BufferTable {
    /// The buffer whose address starts at a word.
    pub fn buffer(&self, binding: u32, word: u32) -> Option<u32> {
        let at = word.checked_sub(self.offset).filter(|_| binding == self.binding)?;
        let number = at / self.stride.max(1);
        (at.is_multiple_of(self.stride.max(1)) && number < self.count)
            .then_some(self.first.wrapping_add(number))
    }
}

/// Words of constant data that a driver keeps for each buffer texture, whose machine fetches four words of a texel
/// whatever its format: masks for the four, what is put into the last one, how many texels there are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TexelTable {
    /// Binding of [`crate::Space::Uniform`] that holds them.
    pub binding: u32,
    /// First word of unit 0.
    pub offset: u32,
    /// Words from one unit to the next.
    pub stride: u32,
}

impl TexelTable {
    /// Word of a unit with the bits that the last component gets; in front of it are the masks.
    pub const LAST: u32 = 4;
    /// Word of a unit with the number of its texels.
    pub const COUNT: u32 = 5;

    /// Unit, and which of its words.
    pub fn word(&self, binding: u32, word: u32) -> Option<(u32, u32)> {
        let at = word.checked_sub(self.offset).filter(|_| binding == self.binding)?;
        Some((at / self.stride.max(1), at % self.stride.max(1)))
    }
}

/// How an input of a fragment program comes from the vertices.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub enum Interpolation {
    /// With perspective.
    #[default]
    Smooth,
    /// Straight in the window.
    Linear,
    /// From one vertex.
    Flat,
}

/// Where in a pixel an input is interpolated.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub enum Sampling {
    /// At its centre.
    #[default]
    Center,
    /// Inside of the primitive.
    Centroid,
    /// At each sample.
    Sample,
}

/// Precision qualifier of a variable.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Precision {
    /// `lowp`.
    Low,
    /// `mediump`.
    Medium,
    /// `highp`.
    High,
}

/// What the components of a texel are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub enum Texel {
    /// Floats, also normalised ones.
    #[default]
    Float,
    /// Signed integers.
    Int,
    /// Unsigned integers.
    Uint,
}

/// Shape of a global. How far elements of arrays and columns of matrices are apart is [`Global::stride`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    /// A float vector of 1-4 components; `elements` > 0: an array of those.
    Float {
        /// Components, 1-4.
        components: u8,
        /// 0: no array.
        elements: u32,
    },
    /// A vector of signed integers.
    Int {
        /// Components, 1-4.
        components: u8,
        /// 0: no array.
        elements: u32,
    },
    /// A vector of unsigned integers.
    Uint {
        /// Components, 1-4.
        components: u8,
        /// 0: no array.
        elements: u32,
    },
    /// A vector of truth values, a word for each.
    Bool {
        /// Components, 1-4.
        components: u8,
        /// 0: no array.
        elements: u32,
    },
    /// A float matrix by columns: component `r` of column `c` is word `offset + c * stride + r`.
    Matrix {
        /// Columns, 2-4.
        columns: u8,
        /// Rows, 2-4: components of a column.
        rows: u8,
        /// 0: no array.
        elements: u32,
        /// Words from one matrix of an array to the next; 0: they follow each other column by column.
        element_stride: u32,
    },
    /// A texture, in [`crate::Space::Texture`]; the offset is its unit.
    Sampler {
        /// What it looks like to a fetch.
        shape: TextureShape,
        /// 0: no array.
        elements: u32,
        /// An image from outside of OpenGL (`samplerExternalOES`).
        external: bool,
        /// Compares with a reference.
        shadow: bool,
        /// What its texels are.
        texel: Texel,
    },
    /// An image that is read and written, in [`crate::Space::Image`]; the offset is its unit.
    Image {
        /// What it looks like.
        shape: TextureShape,
        /// 0: no array.
        elements: u32,
        /// What its texels are.
        texel: Texel,
        /// How they lie in memory, where that is known.
        format: Option<ImageFormat>,
    },
}

impl Shape {
    /// Words from one element or column to the next in a register file of four components: 1 for single truth
    /// values and samplers, 4 for all others.
    pub fn stride(self) -> u32 {
        match self {
            Self::Bool { components: 1, .. } | Self::Sampler { .. } | Self::Image { .. } => 1,
            _ => 4,
        }
    }

    /// Components of the value, of an element or of a column.
    pub fn components(self) -> u8 {
        match self {
            Self::Float { components, .. }
            | Self::Int { components, .. }
            | Self::Uint { components, .. }
            | Self::Bool { components, .. } => components.clamp(1, 4),
            Self::Matrix { rows, .. } => rows.clamp(1, 4),
            Self::Sampler { .. } | Self::Image { .. } => 1,
        }
    }

    /// Elements of an array; 0: none.
    pub fn elements(self) -> u32 {
        match self {
            Self::Float { elements, .. }
            | Self::Int { elements, .. }
            | Self::Uint { elements, .. }
            | Self::Image { elements, .. }
            | Self::Bool { elements, .. }
            | Self::Matrix { elements, .. }
            | Self::Sampler { elements, .. } => elements,
        }
    }
}

/// A function. Its parameters are the parameters of its first block.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Function {
    /// Name: from the file's labels, or made.
    pub name: String,
    /// Blocks; block 0 is where it starts.
    pub blocks: Vec<Block>,
    /// Instructions; blocks list them by id. One that no block lists is dead.
    pub insts: Vec<Inst>,
    /// Values.
    pub values: Vec<ValueData>,
    /// Types of the results; every `Return` gives as many values.
    pub results: Vec<Type>,
    /// Which variable each result was, where it was one (as many as `results`, or none).
    pub result_vars: Vec<VarId>,
}

/// A straight run of instructions with one way out.
#[derive(Debug, Clone, PartialEq)]
pub struct Block {
    /// Values that each way in brings along.
    pub params: Vec<Value>,
    /// In order.
    pub insts: Vec<InstId>,
    /// The way out.
    pub terminator: Terminator,
    /// The machine instruction that the way out comes from, in words from the start of the code; `u32::MAX`: none is known.
    pub exit: u32,
}

impl Default for Block {
    fn default() -> Self {
        Self { params: Vec::new(), insts: Vec::new(), terminator: Terminator::Unreachable, exit: u32::MAX }
    }
}

impl Block {
    /// Takes the way out of another block, which is left without one.
    pub fn leave_as(&mut self, other: &mut Self) {
        self.terminator = std::mem::replace(&mut other.terminator, Terminator::Unreachable);
        self.exit = std::mem::replace(&mut other.exit, u32::MAX);
    }
}

/// A block with the values for its parameters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Target {
    /// Where to.
    pub block: BlockId,
    /// As many as the block has parameters, of the same types.
    pub args: Vec<Value>,
}

/// How a block ends.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Terminator {
    /// Goes on there.
    Jump(Target),
    /// Goes on in one of two places.
    Branch {
        /// A `bool`.
        condition: Value,
        /// If true.
        then: Target,
        /// If false.
        otherwise: Target,
    },
    /// Goes where a `b32` says.
    Switch {
        /// The selector.
        value: Value,
        /// Distinct selectors with their places.
        cases: Vec<(u32, Target)>,
        /// All others.
        default: Target,
    },
    /// Leaves the function.
    Return(Vec<Value>),
    /// Ends the program, at any call depth. What was stored and emitted stays.
    End,
    /// Ends the program; the pixel is dropped.
    Discard,
    /// Never reached.
    Unreachable,
}

/// An instruction.
#[derive(Debug, Clone, PartialEq)]
pub struct Inst {
    /// Operation with its static parameters.
    pub op: Op,
    /// Operands.
    pub args: SmallVec<[Value; 3]>,
    /// Results.
    pub results: SmallVec<[Value; 1]>,
    /// Where in the machine code it came from.
    pub origin: Origin,
}

/// Where something came from in the machine code: instruction and lane. Lanes of one vector instruction
/// find each other again by it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Origin {
    /// Index of the machine instruction, in words from the start of the code; `u32::MAX` if none.
    pub instruction: u32,
    /// Step inside the machine instruction: multiply of a multiply-add, for instance, so that lanes of
    /// the same step go together.
    pub step: u8,
    /// Lane 0-3.
    pub lane: u8,
}

/// A value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ValueData {
    /// Type.
    pub ty: Type,
    /// What makes it.
    pub def: ValueDef,
    /// Variable it was before SSA, if it was one: names of locals and their lanes come from it.
    pub variable: Option<VarId>,
}

/// What makes a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ValueDef {
    /// Result `n` of an instruction.
    Result(InstId, u16),
    /// Parameter `n` of a block.
    Param(BlockId, u16),
}
