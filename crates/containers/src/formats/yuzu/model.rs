//! The model: pipelines with their stages, field for field.

use crate::formats::caches::Wide;
use crate::shared::Opaque;

/// A cache.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Yuzu {
    /// Version of the emulator's structures; it throws caches of others away.
    pub cache_version: u32,
    /// How long the keys of its pipelines are.
    pub keys: KeyLengths,
    /// The pipelines, up to the first that is damaged or cut.
    pub pipelines: Vec<Pipeline>,
    /// What is behind them.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Opaque::is_empty"))]
    pub rest: Opaque,
}

/// Bytes of the keys of pipelines, which nothing in the file says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct KeyLengths {
    /// Of graphics pipelines; `None` where the file has no whole one.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub graphics: Option<u32>,
    /// Of compute pipelines; `None` where the file has no whole one.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub compute: Option<u32>,
}

/// A pipeline: stages that were drawn together, and the state that they were translated for.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Pipeline {
    /// The stages.
    pub stages: Vec<Environment>,
    /// The emulator's own structure: of graphics pipelines the hashes of the stages and the state of the machine, of compute
    /// pipelines hash, shared memory and size of a work group.
    pub key: Opaque,
}

/// A stage, with what its translator asked for.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Environment {
    /// The record in front.
    pub header: EnvironmentHeader,
    /// The code, with the program header where that lies among the addresses that were read.
    pub code: Opaque,
    /// Shapes of textures by their handles.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Vec::is_empty"))]
    pub texture_types: Vec<TextureEntry>,
    /// Number formats of textures by their handles.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Vec::is_empty"))]
    pub texture_pixel_formats: Vec<TextureEntry>,
    /// Words of constant banks.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Vec::is_empty"))]
    pub cbuf_values: Vec<ConstantValue>,
    /// Words of constant banks for which something else stands.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Vec::is_empty"))]
    pub cbuf_replacements: Vec<Replacement>,
    /// Compute: size of a work group in x, y, z, then bytes of shared memory.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub compute: Option<[u32; 4]>,
    /// Others: the program header, 0x50 bytes, and behind that of a geometry stage 0x20 bytes that say what passes through.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Opaque::is_empty"))]
    pub program_header: Opaque,
}

/// The record of a stage. It has 68 bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct EnvironmentHeader {
    /// 00: bytes of code: from the lowest address that was read to the highest, and 8.
    pub code_size: Wide,
    /// 08: entries of the list of shapes.
    pub num_texture_types: Wide,
    /// 10: entries of the list of formats.
    pub num_texture_pixel_formats: Wide,
    /// 18: entries of the list of constants.
    pub num_cbuf_values: Wide,
    /// 20: entries of the list of replaced constants.
    pub num_cbuf_replacement_values: Wide,
    /// 28: local memory of an invocation in bytes.
    pub local_memory_size: u32,
    /// 2C: bank that holds the handles of textures: 2 with the console's own driver, others with deko3d and Mesa.
    pub texture_bound: u32,
    /// 30: address of the program header, or of the code of a compute stage.
    pub start_address: u32,
    /// 34: lowest address that was read.
    pub cached_lowest: u32,
    /// 38: highest address that was read: that of the last word of 8 bytes.
    pub cached_highest: u32,
    /// 3C: whether the viewport transforms positions.
    pub viewport_transform_state: u32,
    /// 40: 0 vertex, 1 tessellation control, 2 tessellation evaluation, 3 geometry, 4 fragment, 5 compute, 6 the vertex
    /// program in front of the vertex program.
    pub stage: u32,
}

/// What is known of the texture with a handle.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct TextureEntry {
    /// 00: the handle.
    pub handle: u32,
    /// 04: shape, or number format as the emulator numbers these.
    pub value: u32,
}

/// A word of a constant bank.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct ConstantValue {
    /// 00: its place in the bank, in bytes.
    pub offset: u32,
    /// 04: the bank.
    pub bank: u32,
    /// 08: the word.
    pub value: u32,
}

/// A word of a constant bank that the emulator puts something else for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Replacement {
    /// 00: its place in the bank, in bytes.
    pub offset: u32,
    /// 04: the bank.
    pub bank: u32,
    /// 08: 0 base instance, 1 base vertex, 2 number of the draw.
    pub value: u32,
}
