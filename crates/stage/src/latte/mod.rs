//! What surrounds a program of the Wii U's GPU: the registers and tables of the GX2 structures, in the words of
//! the machine.
//!
//! The microcode does not hold where inputs arrive, which parameter feeds which pixel input, what a texture's
//! dimension is or how constants are named. A GX2 structure does; for bare code these are the defaults of
//! [`Latte`], or what the user says. Field layouts of the registers: `containers::gx2`, which fills this.

mod variables;

pub use variables::{Part, UniformRow, Variable, Variables};

/// Where a program finds its constants.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum UniformMode {
    /// In the 256 registers of the constant file.
    Registers,
    /// In up to 16 buffers.
    #[default]
    Blocks,
}

/// Who numbers resources.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum Profile {
    /// The console: texture unit n is resource n, uniform block n is buffer 128 + n of a fetch.
    #[default]
    Gx2,
    /// Mesa's r600 driver: texture unit n is resource 18 + n, constant buffer n is buffer n of a fetch, loose
    /// uniforms are constant buffer 0, the ring of a geometry program is buffer 17.
    Mesa,
    /// Resources as on the console; names as the Cemu emulator gives them (`uf_blockVS1`, `textureUnitPS0`).
    Cemu,
}

/// GX2's number for the type of a variable (`GX2ShaderVarType`): 1 bool, 2 int, 3 uint, 4 float, 5 double, then
/// vectors and matrices of these.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "serde", serde(transparent))]
pub struct VarType(pub u32);

/// What the components of a variable are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum Scalar {
    /// Truth values.
    Bool,
    /// Signed integers.
    Int,
    /// Unsigned integers.
    Uint,
    /// 32-bit floats.
    Float,
    /// 64-bit floats.
    Double,
}

impl VarType {
    /// Scalar type, columns (1 for scalars and vectors) and rows (components of a vector or column). `None` for
    /// `void` and for numbers that GX2 does not define.
    pub fn shape(self) -> Option<(Scalar, u32, u32)> {
        let vector = |scalar, first: u32| Some((scalar, 1, self.0.wrapping_sub(first).wrapping_add(2)));
        let matrix = |scalar, first: u32| {
            let number = self.0.wrapping_sub(first);
            Some((scalar, number.wrapping_div(3).wrapping_add(2), number.wrapping_rem(3).wrapping_add(2)))
        };
        match self.0 {
            1 => Some((Scalar::Bool, 1, 1)),
            2 => Some((Scalar::Int, 1, 1)),
            3 => Some((Scalar::Uint, 1, 1)),
            4 => Some((Scalar::Float, 1, 1)),
            5 => Some((Scalar::Double, 1, 1)),
            6..=8 => vector(Scalar::Double, 6),
            9..=11 => vector(Scalar::Float, 9),
            12..=14 => vector(Scalar::Bool, 12),
            15..=17 => vector(Scalar::Int, 15),
            18..=20 => vector(Scalar::Uint, 18),
            21..=29 => matrix(Scalar::Float, 21),
            30..=38 => matrix(Scalar::Double, 30),
            _ => None,
        }
    }

    /// The name in GLSL: `vec4`, `mat3x4`; `type57` for a number that GX2 does not define.
    pub fn name(self) -> String {
        let Some((scalar, columns, rows)) = self.shape() else {
            return if self.0 == 0 { "void".to_owned() } else { format!("type{}", self.0) };
        };
        let (word, letter) = match scalar {
            Scalar::Bool => ("bool", "b"),
            Scalar::Int => ("int", "i"),
            Scalar::Uint => ("uint", "u"),
            Scalar::Float => ("float", ""),
            Scalar::Double => ("double", "d"),
        };
        match (columns, rows) {
            (1, 1) => word.to_owned(),
            (1, _) => format!("{letter}vec{rows}"),
            _ if columns == rows => format!("{letter}mat{columns}"),
            _ => format!("{letter}mat{columns}x{rows}"),
        }
    }
}

/// Shape of a texture.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum Dimension {
    /// One coordinate.
    D1,
    /// Two coordinates.
    D2,
    /// Three coordinates.
    D3,
    /// A direction.
    Cube,
    /// One coordinate and a layer.
    D1Array,
    /// Two coordinates and a layer.
    D2Array,
    /// A direction and a layer.
    CubeArray,
    /// Two coordinates counted in texels.
    Rect,
    /// A buffer of texels.
    Buffer,
    /// Two coordinates, several samples per texel.
    D2Multisample,
    /// Two coordinates and a layer, several samples per texel.
    D2MultisampleArray,
}

/// A vertex attribute (`GX2AttribVar`).
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Attribute {
    /// Name as the file gives it.
    pub name: String,
    /// Type.
    pub ty: VarType,
    /// Length of an array; 0 or 1: no array.
    pub count: u32,
    /// Its number, which [`Latte::attributes`] refers to.
    pub location: u32,
}

/// A uniform block (`GX2UniformBlock`).
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Block {
    /// Name as the file gives it.
    pub name: String,
    /// Number of the constant buffer that holds it.
    pub buffer: u32,
    /// Size in bytes.
    pub size: u32,
}

/// A row of the table of uniforms (`GX2UniformVar`): a variable, or an element of one ([`Variables`]).
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Uniform {
    /// Name as the file gives it.
    pub name: String,
    /// Type.
    pub ty: VarType,
    /// Length of an array; 0 or 1: no array.
    pub count: u32,
    /// Place in 32-bit words, from the start of its block or of the constant file.
    pub offset: u32,
    /// Index into [`Latte::blocks`]; `None`: in the constant file.
    pub block: Option<u32>,
}

/// A register that the loader fills (`GX2UniformInitialValue`).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct InitialValue {
    /// The bits of four floats.
    pub value: [u32; 4],
    /// Place in 32-bit words, as in [`Uniform::offset`].
    pub offset: u32,
}

/// The count, first value and step of a loop (`GX2LoopVar`), which the code refers to by number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct LoopConstant {
    /// Number of the loop constant.
    pub slot: u32,
    /// The word SQ_LOOP_CONST: count in bits 0-11, first value in 12-23 (signed), step in 24-31 (signed).
    pub value: u32,
}

/// A texture with its sampler (`GX2SamplerVar`).
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Sampler {
    /// Name as the file gives it.
    pub name: String,
    /// Shape of the texture, where the file gives a known one.
    pub dimension: Option<Dimension>,
    /// Compares with a reference: GX2 has numbers of their own for some types that do; of others the code or the user
    /// says so.
    pub shadow: bool,
    /// Texture unit and sampler.
    pub location: u32,
}

/// Which components of the vertex outputs 61 to 63 mean what (register PA_CL_VS_OUT_CNTL).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "serde", serde(default))]
pub struct PositionExports {
    /// There is a vector of point size (x), edge flag (y), layer (z), viewport (w); it takes place 61.
    pub misc: bool,
    /// The point size counts.
    pub point_size: bool,
    /// The edge flag counts.
    pub edge_flag: bool,
    /// The layer counts.
    pub layer: bool,
    /// The viewport counts.
    pub viewport: bool,
    /// There is a vector of clip or cull distances 0-3, and one of 4-7; each takes the next free place.
    pub distances: [bool; 2],
    /// Distances that clip, bit n = distance n.
    pub clip: u8,
    /// Distances that cull, bit n = distance n.
    pub cull: u8,
}

/// An input of a pixel program (register SPI_PS_INPUT_CNTL); input n arrives in register n.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "serde", serde(default))]
pub struct PixelInput {
    /// The vertex program's parameter with the same number is what arrives.
    pub semantic: u8,
    /// What arrives where no parameter has that number: 0 zeros, 1 (0, 0, 0, 1), 2 (1, 1, 1, 0), 3 ones.
    pub default: u8,
    /// Taken from the provoking vertex.
    pub flat: bool,
    /// Interpolated at the centroid.
    pub centroid: bool,
    /// Interpolated without perspective.
    pub linear: bool,
    /// Interpolated at each sample.
    pub sample: bool,
    /// Replaced by the coordinate inside a point.
    pub point_coord: bool,
}

/// Where a pixel program finds the facing of its primitive.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FrontFace {
    /// Register.
    pub register: u8,
    /// Component.
    pub component: u8,
    /// All bits instead of the sign of a float.
    pub all_bits: bool,
}

/// What a geometry program makes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum OutputPrimitive {
    /// Points.
    Points,
    /// Strips of lines.
    LineStrip,
    /// Strips of triangles.
    #[default]
    TriangleStrip,
}

/// Registers of a geometry program.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "serde", serde(default))]
pub struct GeometryRegisters {
    /// What it makes (VGT_GS_OUT_PRIM_TYPE).
    pub primitive: OutputPrimitive,
    /// Vertices that one input primitive may become, by the cut mode of VGT_GS_MODE: 1024, 512, 256 or 128.
    pub max_vertices: u32,
    /// Words of one vertex that it writes (SQ_GS_VERT_ITEMSIZE): vertex k starts at word k times that. 0 where nobody
    /// says.
    pub vertex_words: u32,
    /// Words of the ring that one input primitive takes: all vertices that may come of it.
    pub ring_words: u32,
    /// The machine code of the copy program, which says which words of a vertex are the position and which are
    /// parameters; empty where nobody knows it.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Vec::is_empty"))]
    pub copy: Vec<u32>,
}

/// What surrounds a program. The default is what is assumed of bare code: buffers, no names, no registers.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "serde", serde(default))]
#[cfg_attr(feature = "schema", schemars(deny_unknown_fields))]
pub struct Latte {
    /// Who numbers resources.
    pub profile: Profile,
    /// Where constants are.
    pub uniform_mode: UniformMode,
    /// A vertex program in front of a geometry program: it writes the ring instead of exporting.
    pub export_stage: bool,
    /// The copy program of a geometry program: a vertex program that reads the ring.
    pub copy_program: bool,
    /// Registers that the program claims (NUM_GPRS); `None` where nobody says.
    pub registers: Option<u8>,
    /// Elements of the stack that the program claims (STACK_SIZE).
    pub stack: Option<u8>,
    /// A NaN that is clamped becomes 0 (DX10_CLAMP).
    pub dx10_clamp: bool,
    /// Vertex programs: [`Attribute::location`] of what arrives in register n + 1 (SQ_VTX_SEMANTIC).
    pub semantics: Vec<Option<u8>>,
    /// Vertex programs: semantic number of parameter n (SPI_VS_OUT_ID).
    pub parameters: Vec<Option<u8>>,
    /// Vertex programs: parameters that they export (VS_EXPORT_COUNT + 1).
    pub parameter_count: Option<u8>,
    /// Vertex programs: what the exports behind the position are.
    pub position: PositionExports,
    /// Pixel programs: inputs from the vertex program, in order of their registers.
    pub inputs: Vec<PixelInput>,
    /// Pixel programs: the registers SPI_PS_IN_CONTROL_0 and SPI_PS_INPUT_CNTL as they stand; empty where nobody says. What
    /// they mean is in `inputs`, `frag_coord` and `point_coord`; emulators name programs by the bits.
    pub input_registers: Vec<u32>,
    /// Pixel programs: register that holds the window position, w as the clip-space w.
    pub frag_coord: Option<u8>,
    /// Pixel programs: where the facing is.
    pub front_face: Option<FrontFace>,
    /// Pixel programs: register of the generated point coordinate.
    pub point_coord: Option<u8>,
    /// Pixel programs: colours that they export; `None` where nobody says.
    pub colours: Option<u8>,
    /// Pixel programs: components of each colour target, four bits a target, bit 0 = x of target 0.
    pub colour_mask: Option<u32>,
    /// Pixel programs: they export a depth.
    pub exports_depth: bool,
    /// Pixel programs: they drop pixels (KILL_ENABLE); `None` where nobody says.
    pub kills: Option<bool>,
    /// Geometry programs.
    pub geometry: Option<GeometryRegisters>,
    /// Vertex programs in front of a geometry program: words of one item of the ring.
    pub ring_words: u32,
    /// Bytes from one vertex to the next in the four stream-out buffers; `None`: no stream-out.
    pub stream_strides: Option<[u32; 4]>,
    /// Named attributes.
    pub attributes: Vec<Attribute>,
    /// Named uniform blocks.
    pub blocks: Vec<Block>,
    /// Named uniforms.
    pub uniforms: Vec<Uniform>,
    /// Values that the loader sets.
    pub initial_values: Vec<InitialValue>,
    /// Constants of counted loops.
    pub loops: Vec<LoopConstant>,
    /// Named textures.
    pub samplers: Vec<Sampler>,
}

impl Latte {
    /// The variables that the rows of [`Latte::uniforms`] form. Where there are no blocks all are in the constant file:
    /// one compiler writes block 0 for them.
    pub fn variables(&self) -> Variables<'_> {
        let block = |row: UniformRow<'_>| row.block.filter(|_| !self.blocks.is_empty());
        let rows = self.uniforms.iter().map(UniformRow::from);
        let rows: Vec<_> = rows.map(|row| UniformRow { block: block(row), ..row }).collect();
        Variables::of(&rows)
    }

    /// Texture unit of a resource number in a texture instruction; `None` where the profile has no unit there.
    pub fn texture_unit(&self, resource: u32) -> Option<u32> {
        match self.profile {
            Profile::Gx2 | Profile::Cemu => (resource < 32).then_some(resource),
            Profile::Mesa => resource.checked_sub(18),
        }
    }

    /// Constant buffer that a vertex fetch with this buffer number reads; `None`: another buffer.
    pub fn constant_buffer(&self, buffer: u32) -> Option<u32> {
        match self.profile {
            Profile::Gx2 | Profile::Cemu => buffer.checked_sub(128).filter(|&number| number < 16),
            Profile::Mesa => (buffer < 16).then_some(buffer),
        }
    }
}
