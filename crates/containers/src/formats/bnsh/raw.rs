//! The records of a BNSH, field for field. Offsets in comments are those in the record.

use crate::formats::nvn::Group;
use crate::formats::switch::layout::Map;
use crate::formats::switch::{BlockHeader, FileHeader, Look};
use crate::shared::Opaque;
use crate::shared::fields::{Fields, Pointer, Visitor};
use unshade_bytes::Result;

/// First bytes of the file.
pub const MAGIC: [u8; 8] = *b"BNSH\0\0\0\0";
/// Bytes of a variation.
pub const VARIATION_LEN: u64 = 0x40;
/// Bytes of the run-time object behind a memory pool.
pub const POOL_OBJECT_LEN: u64 = 0x140;

/// The stages of a program in the order of its records.
pub const STAGES: [&str; 6] = ["vertex", "hull", "domain", "geometry", "pixel", "compute"];

/// File header with the unused bytes up to the first block.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Header {
    /// The header that all such files have.
    pub file: FileHeader,
    /// 20: not used.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Opaque::is_empty"))]
    pub reserved: Opaque,
}

impl Header {
    pub(super) fn visit(&mut self, v: &mut dyn Visitor) -> Result<()> {
        self.file.visit(v)?;
        v.reserved("reserved", 0x40, &mut self.reserved)
    }
}

/// The block `grsc`: what is in the file.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Container {
    /// Block header; the block reaches to the end of the code.
    pub block: BlockHeader,
    /// 10: graphics interface; 4 is NVN.
    pub api_type: u16,
    /// 12: its version.
    pub api_version: u16,
    /// 14: kind of code, set when it is loaded.
    pub code_type: u8,
    /// 15: not used.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Opaque::is_empty"))]
    pub reserved_15: Opaque,
    /// 18: version of the compiler that made the file.
    pub compiler_version: u32,
    /// 1C: how many variations.
    pub variation_count: u32,
    /// 20: the variations.
    pub variations: Pointer,
    /// 28: the memory that all code lies in; none where there is no binary program.
    pub pool: Pointer,
    /// 30: version of the compiler below (glslc), four numbers of 16 bits.
    #[cfg_attr(feature = "serde", serde(with = "crate::formats::switch::wide"))]
    pub low_level_compiler_version: u64,
    /// 38: not used.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Opaque::is_empty"))]
    pub reserved_38: Opaque,
}

impl Container {
    /// Signature of the block.
    pub const SIGNATURE: [u8; 4] = *b"grsc";

    /// How many variations there can be: none where the file says a number and no place.
    pub(crate) fn variations_held(&self) -> u32 {
        if self.variations.is_null() { 0 } else { self.variation_count }
    }

    pub(super) fn visit(&mut self, v: &mut dyn Visitor) -> Result<()> {
        self.block.visit(v)?;
        v.u16("api_type", &mut self.api_type)?;
        v.u16("api_version", &mut self.api_version)?;
        v.u8("code_type", &mut self.code_type)?;
        v.reserved("reserved_15", 3, &mut self.reserved_15)?;
        v.bits32("compiler_version", &mut self.compiler_version)?;
        v.u32("variation_count", &mut self.variation_count)?;
        v.object("variations", &mut self.variations)?;
        v.object("pool", &mut self.pool)?;
        v.bits64("low_level_compiler_version", &mut self.low_level_compiler_version)?;
        v.reserved("reserved_38", 0x28, &mut self.reserved_38)
    }

    pub(super) fn rescale(&mut self, at: u64, map: &Map) {
        let scaled = |distance: u32| {
            if distance == 0 { 0 } else { u32::try_from(map.size(at, distance.into())).unwrap_or(u32::MAX) }
        };
        self.block.next = scaled(self.block.next);
        self.block.size = scaled(self.block.size);
    }
}

/// One shader: up to three programs that are the same in three languages.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Variation {
    /// 00: the program as source.
    pub source: Pointer,
    /// 08: the program in an intermediate language.
    pub intermediate: Pointer,
    /// 10: the program as machine code.
    pub binary: Pointer,
    /// 18: the container.
    pub parent: Pointer,
    /// 20: not used.
    #[cfg_attr(feature = "serde", serde(with = "crate::formats::switch::wide::list"))]
    pub reserved: [u64; 4],
}

impl Variation {
    pub(super) fn visit(&mut self, v: &mut dyn Visitor) -> Result<()> {
        v.object("source", &mut self.source)?;
        v.object("intermediate", &mut self.intermediate)?;
        v.object("binary", &mut self.binary)?;
        v.object("parent", &mut self.parent)?;
        words(v, &mut self.reserved)
    }
}

/// Unused words, kept as numbers since a record of them is small.
fn words(v: &mut dyn Visitor, words: &mut [u64]) -> Result<()> {
    let size = (words.len() as u64).saturating_mul(8);
    let mut bytes = Opaque::default();
    if words.iter().any(|&word| word != 0) {
        bytes.0 = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    }
    v.reserved("reserved", size, &mut bytes)?;
    for (index, word) in words.iter_mut().enumerate() {
        let (chunks, _) = bytes.as_chunks::<8>();
        *word = chunks.get(index).map_or(0, |bytes| u64::from_le_bytes(*bytes));
    }
    Ok(())
}

/// What language the stages of a program are in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum CodeType {
    /// Machine code.
    Binary,
    /// An intermediate language whose record is not known.
    Intermediate,
    /// One text for each stage.
    Source,
    /// Several texts for each stage.
    SourceArray,
}

impl CodeType {
    /// The code type of that number.
    pub fn from_number(number: u8) -> Option<Self> {
        [Self::Binary, Self::Intermediate, Self::Source, Self::SourceArray].get(usize::from(number)).copied()
    }

    /// `binary`, `intermediate`, `source` or `source-array`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Binary => "binary",
            Self::Intermediate => "intermediate",
            Self::Source => "source",
            Self::SourceArray => "source-array",
        }
    }
}

/// A program.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Program {
    /// 00: bit 0 separable, bit 1 made by the resource compiler.
    pub flags: u8,
    /// 01: see [`CodeType`].
    pub code_type: u8,
    /// 02: language of source, 0 is GLSL.
    pub source_format: u8,
    /// 03: not used.
    pub reserved_03: u8,
    /// 04: format of machine code.
    pub binary_format: u32,
    /// 08: records of the stages, in the order of [`STAGES`].
    pub stages: [Pointer; 6],
    /// 38: not used.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Opaque::is_empty"))]
    pub reserved_38: Opaque,
    /// 60: bytes of the object that a console makes of it.
    pub object_size: u32,
    /// 64: not used.
    pub reserved_64: u32,
    /// 68: room for that object.
    pub object: Pointer,
    /// 70: the variation that it belongs to.
    pub parent: Pointer,
    /// 78: names and slots of its inputs and resources.
    pub reflection: Pointer,
    /// 80: the compiler's own reflection; none in files for consoles.
    pub tool_reflection: Pointer,
    /// 88: not used.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Opaque::is_empty"))]
    pub reserved_88: Opaque,
}

impl Program {
    pub(super) fn visit(&mut self, v: &mut dyn Visitor) -> Result<()> {
        v.bits8("flags", &mut self.flags)?;
        v.u8("code_type", &mut self.code_type)?;
        v.u8("source_format", &mut self.source_format)?;
        let mut byte = Opaque(vec![self.reserved_03]);
        v.reserved("reserved_03", 1, &mut byte)?;
        self.reserved_03 = byte.first().copied().unwrap_or(0);
        v.u32("binary_format", &mut self.binary_format)?;
        for (name, stage) in STAGES.iter().zip(&mut self.stages) {
            v.object(name, stage)?;
        }
        v.reserved("reserved_38", 0x28, &mut self.reserved_38)?;
        v.u32("object_size", &mut self.object_size)?;
        v.u32("reserved_64", &mut self.reserved_64)?;
        v.object("object", &mut self.object)?;
        v.object("parent", &mut self.parent)?;
        v.object("reflection", &mut self.reflection)?;
        v.object("tool_reflection", &mut self.tool_reflection)?;
        v.reserved("reserved_88", 0x18, &mut self.reserved_88)
    }
}

/// Record of a stage in machine code.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct StageCode {
    /// 00: address on the GPU, filled in at run time.
    #[cfg_attr(feature = "serde", serde(with = "crate::formats::switch::wide"))]
    pub address: u64,
    /// 08: what the driver reads.
    pub control: Pointer,
    /// 10: what the GPU reads.
    pub code: Pointer,
    /// 18: bytes of the code.
    pub code_size: u32,
    /// 1C: bytes of the control section.
    pub control_size: u32,
    /// 20: the control section in parts, from which the whole one is put together at run time.
    pub decomposed: Pointer,
    /// 28: scratch memory that is recommended.
    pub scratch_recommended: u32,
    /// 2C: scratch memory for a warp.
    pub scratch_per_warp: u32,
    /// 30: not used.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Opaque::is_empty"))]
    pub reserved: Opaque,
}

impl StageCode {
    pub(super) fn visit(&mut self, v: &mut dyn Visitor) -> Result<()> {
        v.bits64("address", &mut self.address)?;
        v.object("control", &mut self.control)?;
        v.object("code", &mut self.code)?;
        v.u32("code_size", &mut self.code_size)?;
        v.u32("control_size", &mut self.control_size)?;
        v.object("decomposed", &mut self.decomposed)?;
        v.u32("scratch_recommended", &mut self.scratch_recommended)?;
        v.u32("scratch_per_warp", &mut self.scratch_per_warp)?;
        v.reserved("reserved", 0x10, &mut self.reserved)
    }
}

/// The parts of a control section.
pub const PARTS: [&str; 6] = ["metadata", "assembly", "specialisation", "pragma", "locals", "uniform64"];

/// Where the metadata says the size of each part: of itself, then in the order of [`PARTS`].
const PART_SIZES: [u64; 6] = [0x14, 0x18, 0x6F4, 0x7CC, 0x1C, 0x7EC];

/// A control section in parts.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Decomposed {
    /// 00: the parts in the order of [`PARTS`].
    pub parts: [Pointer; 6],
    /// 30: not used.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Opaque::is_empty"))]
    pub reserved: Opaque,
}

impl Decomposed {
    pub(super) fn visit(&mut self, v: &mut dyn Visitor) -> Result<()> {
        for (name, part) in PARTS.iter().zip(&mut self.parts) {
            v.object(name, part)?;
        }
        v.reserved("reserved", 0x10, &mut self.reserved)
    }

    /// The parts that are there, each with its index and its size, which the metadata says.
    pub fn sizes(&self, look: &dyn Look) -> Vec<(usize, Pointer, u64)> {
        let Some(metadata) = self.parts[0].get() else { return Vec::new() };
        let parts = self.parts.iter().zip(PART_SIZES).enumerate();
        let size = |place: u64| {
            let bytes = look.record(metadata.saturating_add(place), 4)?;
            Some(u64::from(u32::from_le_bytes(*bytes.first_chunk()?)))
        };
        parts
            .filter(|(_, (part, _))| !part.is_null())
            .map(|(index, (part, place))| (index, *part, size(place).unwrap_or(0)))
            .collect()
    }
}

/// Record of a stage as one text. Two layouts are published, and a file does not say which one it has.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum SourceCode {
    /// That of the console's library: 0x20 bytes.
    Short {
        /// 00: bytes of the text.
        size: u32,
        /// 04: bytes of the text when it is unpacked.
        decompressed_size: u32,
        /// 08: the text.
        code: Pointer,
        /// 10: zeros, else it is not this layout.
        #[cfg_attr(feature = "serde", serde(with = "crate::formats::switch::wide::list"))]
        reserved: [u64; 2],
    },
    /// That of other descriptions: 0x40 bytes, the shape of [`StageCode`].
    Long(Box<StageCode>),
}

/// Record of a stage as several texts. It has 0x20 bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct SourceArray {
    /// 00: how many texts.
    pub count: u16,
    /// 02: not used.
    pub reserved_02: [u8; 6],
    /// 08: their sizes.
    pub sizes: Pointer,
    /// 10: the texts.
    pub codes: Pointer,
    /// 18: not used.
    pub reserved_18: [u8; 8],
}

impl SourceArray {
    pub(super) fn visit(&mut self, v: &mut dyn Visitor) -> Result<()> {
        v.u16("count", &mut self.count)?;
        reserved(v, "reserved_02", &mut self.reserved_02)?;
        v.object("sizes", &mut self.sizes)?;
        v.object("codes", &mut self.codes)?;
        reserved(v, "reserved_18", &mut self.reserved_18)
    }
}

/// Where several texts are.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct TextTable {
    /// The texts.
    pub texts: Vec<Pointer>,
    /// Their sizes, as the record of the stage says; not part of the table.
    pub sizes: Pointer,
}

/// A few unused bytes.
pub(crate) fn reserved(v: &mut dyn Visitor, name: &'static str, bytes: &mut [u8]) -> Result<()> {
    let used = bytes.iter().any(|&byte| byte != 0);
    let mut value = if used { Opaque(bytes.to_vec()) } else { Opaque::default() };
    v.reserved(name, bytes.len() as u64, &mut value)?;
    for (index, byte) in bytes.iter_mut().enumerate() {
        *byte = value.get(index).copied().unwrap_or(0);
    }
    Ok(())
}

/// The reflection of each stage. It has 0x40 bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Reflection {
    /// 00: records of the stages, in the order of [`STAGES`].
    pub stages: [Pointer; 6],
    /// 30: not used.
    #[cfg_attr(feature = "serde", serde(with = "crate::formats::switch::wide::list"))]
    pub reserved: [u64; 2],
}

impl Reflection {
    pub(super) fn visit(&mut self, v: &mut dyn Visitor) -> Result<()> {
        for (name, stage) in STAGES.iter().zip(&mut self.stages) {
            v.object(name, stage)?;
        }
        words(v, &mut self.reserved)
    }
}

/// Names and slots of a stage. It has 0x60 bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct StageReflection {
    /// 00: names of inputs, outputs, samplers, constant buffers, unordered-access buffers.
    pub dictionaries: [Pointer; 5],
    /// 28: index of the first slot of outputs, samplers, constant buffers, unordered-access buffers; that of
    /// inputs is 0.
    pub first: [i32; 4],
    /// 38: the slots.
    pub slots: Pointer,
    /// 40: size of a work group in three directions.
    pub work_group: [u32; 3],
    /// 4C: index of the first slot of images.
    pub first_image: i32,
    /// 50: names of images.
    pub images: Pointer,
    /// 58: textures and samplers by themselves.
    pub extension: Pointer,
}

impl StageReflection {
    pub(super) fn visit(&mut self, v: &mut dyn Visitor) -> Result<()> {
        for (group, dictionary) in Group::ALL.iter().zip(&mut self.dictionaries) {
            v.object(group.name(), dictionary)?;
        }
        let names =
            ["first_output", "first_sampler", "first_constant_buffer", "first_unordered_access_buffer"];
        for (name, first) in names.iter().zip(&mut self.first) {
            v.i32(name, first)?;
        }
        v.object("slots", &mut self.slots)?;
        for (name, size) in ["work_group_x", "work_group_y", "work_group_z"].iter().zip(&mut self.work_group)
        {
            v.u32(name, size)?;
        }
        v.i32("first_image", &mut self.first_image)?;
        v.object("images", &mut self.images)?;
        v.object("extension", &mut self.extension)
    }

    /// The dictionary and the index of the first slot of each group, but for those of the extension.
    pub fn groups(&self) -> [(Group, Pointer, i32); 6] {
        let [inputs, outputs, samplers, constant, unordered] = self.dictionaries;
        let [output, sampler, buffer, access] = self.first;
        [
            (Group::Inputs, inputs, 0),
            (Group::Outputs, outputs, output),
            (Group::Samplers, samplers, sampler),
            (Group::ConstantBuffers, constant, buffer),
            (Group::UnorderedAccessBuffers, unordered, access),
            (Group::Images, self.images, self.first_image),
        ]
    }
}

/// Textures and samplers by themselves. It has 0x30 bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Extension {
    /// 00: names of textures.
    pub separate_textures: Pointer,
    /// 08: names of samplers.
    pub separate_samplers: Pointer,
    /// 10: index of the first slot of textures.
    pub first_texture: i32,
    /// 14: index of the first slot of samplers.
    pub first_sampler: i32,
    /// 18: not used.
    #[cfg_attr(feature = "serde", serde(with = "crate::formats::switch::wide::list"))]
    pub reserved: [u64; 3],
}

impl Extension {
    /// Its length.
    pub const LEN: usize = 0x30;

    pub(super) fn visit(&mut self, v: &mut dyn Visitor) -> Result<()> {
        v.object("separate_textures", &mut self.separate_textures)?;
        v.object("separate_samplers", &mut self.separate_samplers)?;
        v.i32("first_texture", &mut self.first_texture)?;
        v.i32("first_sampler", &mut self.first_sampler)?;
        words(v, &mut self.reserved)
    }

    /// The dictionary and the index of the first slot of each group.
    pub fn groups(&self) -> [(Group, Pointer, i32); 2] {
        [
            (Group::SeparateTextures, self.separate_textures, self.first_texture),
            (Group::SeparateSamplers, self.separate_samplers, self.first_sampler),
        ]
    }
}

/// The memory that all code lies in. It has 0x50 bytes.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct MemoryPool {
    /// 00: what kind of memory.
    pub property: u32,
    /// 04: bytes of the memory.
    pub size: u32,
    /// 08: the memory.
    pub memory: Pointer,
    /// 10: not used.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Opaque::is_empty"))]
    pub reserved_10: Opaque,
    /// 20: room for the object that a console makes of it.
    pub object: Pointer,
    /// 28: not used.
    #[cfg_attr(feature = "serde", serde(with = "crate::formats::switch::wide"))]
    pub reserved_28: u64,
    /// 30: the pool in use, filled in at run time.
    #[cfg_attr(feature = "serde", serde(with = "crate::formats::switch::wide"))]
    pub current: u64,
    /// 38: not used.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Opaque::is_empty"))]
    pub reserved_38: Opaque,
}

impl MemoryPool {
    pub(super) fn visit(&mut self, v: &mut dyn Visitor) -> Result<()> {
        v.bits32("property", &mut self.property)?;
        v.bits32("size", &mut self.size)?;
        v.object("memory", &mut self.memory)?;
        v.reserved("reserved_10", 0x10, &mut self.reserved_10)?;
        v.object("object", &mut self.object)?;
        v.bits64("reserved_28", &mut self.reserved_28)?;
        v.bits64("current", &mut self.current)?;
        v.reserved("reserved_38", 0x18, &mut self.reserved_38)
    }

    pub(super) fn rescale(&mut self, map: &Map) {
        self.size = u32::try_from(map.size(self.memory.0, self.size.into())).unwrap_or(u32::MAX);
    }
}

impl SourceCode {
    pub(super) fn visit(&mut self, v: &mut dyn Visitor) -> Result<()> {
        match self {
            Self::Short { size, decompressed_size, code, reserved } => {
                v.u32("size", size)?;
                v.u32("decompressed_size", decompressed_size)?;
                v.object("code", code)?;
                words(v, reserved)
            }
            Self::Long(record) => record.visit(v),
        }
    }
}
