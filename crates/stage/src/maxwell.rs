//! What surrounds a program of the Switch's GPU: its header, its constants, and what the container says about
//! names and slots.

/// Who fills constant buffers and handles.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum Driver {
    /// The console's own: user block n is bank 3 + n, texture handles are in bank 2 from byte 0x20 on.
    #[default]
    Nvn,
    /// The open library deko3d: user block n is bank 2 + n, texture handles are in bank 0.
    Deko3d,
    /// The console's own as the open compiler uam-nvn takes it to be: banks and textures as for [`Self::Nvn`], but what
    /// bank 0 says of calls and storage buffers, and the handles of images, lie in places of that compiler's own.
    UamNvn,
}

/// A name with the slot that it is bound to; -1: nowhere.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Binding {
    /// Name as the file gives it.
    pub name: String,
    /// Location of an input or output, binding of anything else.
    pub slot: i32,
}

/// A variable of a block, where the container knows them.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Member {
    /// Name of the block, as in [`Maxwell::constant_buffers`] or [`Maxwell::storage_buffers`].
    pub block: String,
    /// Name of the variable.
    pub name: String,
    /// Its place in bytes.
    pub offset: u32,
}

/// Shape of a texture.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum TextureKind {
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
    /// A buffer of texels.
    Buffer,
    /// Two coordinates, counted in texels where the texture is sampled.
    Rect,
}

/// What was bound where a program reads a texture: who translated the program for a draw noted it. Code says by itself how many
/// coordinates it gives, but not all of this.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct BoundTexture {
    /// Constant bank that its handle lies in; `None`: the one that the driver uses for handles.
    pub bank: Option<u8>,
    /// Place of the handle in that bank, in bytes.
    pub offset: u32,
    /// What was bound there.
    pub kind: Option<TextureKind>,
    /// Its number format, as the one who noted it numbers formats.
    pub format: Option<u32>,
    /// Whether coordinates count from 0 to 1, where that is known.
    pub normalised: Option<bool>,
}

/// A word of a constant bank that was the same whenever the program was translated.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct BoundConstant {
    /// The bank.
    pub bank: u8,
    /// Place in the bank, in bytes.
    pub offset: u32,
    /// The word.
    pub value: u32,
}

/// What surrounds a program.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default))]
pub struct Maxwell {
    /// Who fills constant buffers and handles.
    pub driver: Driver,
    /// The program header of a graphics stage, 20 words.
    pub header: Vec<u32>,
    /// Constants of the compiler, bound as bank 1.
    pub constants: Vec<u8>,
    /// General registers that the program claims; `None` where nobody says.
    pub registers: Option<u32>,
    /// Scratch memory of a warp in bytes.
    pub scratch: u32,
    /// Size of a work group (compute).
    pub work_group: Option<[u32; 3]>,
    /// Shared memory in bytes (compute).
    pub shared_memory: u32,
    /// Depth and stencil are tested before the program runs (fragment).
    pub early_tests: bool,
    /// How patches are divided (tessellation evaluation), as the machine's register of tessellation parameters
    /// (0x320) has it: bits 0-1 lines, triangles or quadrilaterals; bits 4-5 equal, odd or even spacing; bits 8-9
    /// what comes out: points, lines, triangles, triangles the other way round. `None` where nobody says.
    pub tessellation: Option<u32>,
    /// Named inputs.
    pub inputs: Vec<Binding>,
    /// Named outputs.
    pub outputs: Vec<Binding>,
    /// Textures with their samplers.
    pub samplers: Vec<Binding>,
    /// Uniform blocks.
    pub constant_buffers: Vec<Binding>,
    /// Storage blocks.
    pub storage_buffers: Vec<Binding>,
    /// Images.
    pub images: Vec<Binding>,
    /// Textures by themselves.
    pub separate_textures: Vec<Binding>,
    /// Samplers by themselves.
    pub separate_samplers: Vec<Binding>,
    /// Variables of blocks.
    pub members: Vec<Member>,
    /// What was bound where the program reads textures, sorted.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Vec::is_empty"))]
    pub bound_textures: Vec<BoundTexture>,
    /// Words of constant banks whose values are known, sorted.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Vec::is_empty"))]
    pub bound_constants: Vec<BoundConstant>,
}
