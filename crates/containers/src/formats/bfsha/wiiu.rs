//! The records of a BFSHA of the Wii U (`FSHA` 3.x and 4.x, big endian), field for field. Pointers count from
//! where they stand, those to strings lead to the first character.

use crate::formats::bnsh::raw::reserved;
use crate::formats::switch::layout::Map;
use crate::shared::fields::{Fields, Pointer, Use, Visitor};
use unshade_bytes::Result;

/// First bytes of the file; the version follows, where a Switch file has spaces.
pub const MAGIC: [u8; 4] = *b"FSHA";
/// Bytes of an option.
pub const OPTION_LEN: u64 = 0x18;
/// Bytes of a sampler.
pub const SAMPLER_LEN: u64 = 8;
/// Bytes of a block.
pub const BLOCK_LEN: u64 = 0x10;
/// Bytes of a variable.
pub const VARIABLE_LEN: u64 = 0x10;
/// Bytes of a program.
pub const PROGRAM_LEN: u64 = 0x38;

/// File header. It has 0x38 bytes.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct WiiUHeader {
    /// `FSHA`.
    pub magic: [u8; 4],
    /// 04: four numbers of the version.
    pub version: [u8; 4],
    /// 08: 0xFEFF.
    pub byte_order_mark: u16,
    /// 0A: bytes of the header before its pointers, 0x10.
    pub header_size: u16,
    /// 0C: length of the file.
    pub file_size: Pointer,
    /// 10: the file wants to be loaded at a multiple of this.
    pub alignment: u32,
    /// 14: name of the archive.
    pub name: Pointer,
    /// 18: bytes of the strings.
    pub strings_size: u32,
    /// 1C: the strings.
    pub strings: Pointer,
    /// 20: path that it was made from.
    pub path: Pointer,
    /// 24: how many shading models.
    pub model_count: u16,
    /// 26: flags.
    pub flags: u16,
    /// 28: not used.
    pub reserved_28: u32,
    /// 2C: names of the shading models, with the models.
    pub models: Pointer,
    /// 30: not used.
    pub reserved_30: [u8; 8],
}

impl WiiUHeader {
    pub(super) fn visit(&mut self, v: &mut dyn Visitor) -> Result<()> {
        v.magic("magic", &mut self.magic)?;
        for number in &mut self.version {
            v.u8("version", number)?;
        }
        v.bits16("byte_order_mark", &mut self.byte_order_mark)?;
        v.u16("header_size", &mut self.header_size)?;
        v.pointer("file_size", Use::End, &mut self.file_size)?;
        v.u32("alignment", &mut self.alignment)?;
        v.text("name", &mut self.name)?;
        v.u32("strings_size", &mut self.strings_size)?;
        v.object("strings", &mut self.strings)?;
        v.text("path", &mut self.path)?;
        v.u16("model_count", &mut self.model_count)?;
        v.bits16("flags", &mut self.flags)?;
        v.u32("reserved_28", &mut self.reserved_28)?;
        v.object("models", &mut self.models)?;
        reserved(v, "reserved_30", &mut self.reserved_30)
    }

    pub(super) fn rescale(&mut self, map: &Map) {
        self.strings_size =
            u32::try_from(map.len(self.strings.0, self.strings_size.into())).unwrap_or(u32::MAX);
    }
}

/// A shading model. It has 0x70 bytes.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct WiiUModel {
    /// 00: words of a key that static and dynamic options take.
    pub words: [u8; 2],
    /// 02: how many static options, dynamic options, programs.
    pub counts: [u16; 3],
    /// 08: how many attributes, samplers, uniform blocks.
    pub small_counts: [u8; 3],
    /// 0B: not known.
    pub unknown_0b: u8,
    /// 0C: words of the largest vertex that a vertex program hands on, and of any.
    pub max_ring: [u16; 2],
    /// 10: not known, 16 or 17, 1, 0, 0.
    pub unknown_10: [u8; 4],
    /// 14: how many variables all uniform blocks have.
    pub uniform_count: u32,
    /// 18: index of the uniform block of the material, shape, skeleton, options; -1: none.
    pub block_index: [i8; 4],
    /// 1C: the program that is taken where none fits; -1: none.
    pub default_program: i32,
    /// 20: its name.
    pub name: Pointer,
    /// 24: not used.
    pub reserved_24: [u8; 8],
    /// 2C: static options, dynamic options, attributes, samplers, uniform blocks, each with their names.
    pub arrays: [[Pointer; 2]; 5],
    /// 54: variables of all uniform blocks.
    pub uniforms: Pointer,
    /// 58: programs.
    pub programs: Pointer,
    /// 5C: for each program the options that it was compiled for.
    pub keys: Pointer,
    /// 60: the archive, from here; the start of the file.
    pub archive: i32,
    /// 64: not used.
    pub reserved_64: [u8; 8],
    /// 6C: names in the shaders; no layout is known.
    pub symbols: Pointer,
}

impl WiiUModel {
    /// How many programs there can be: none where the file says a number and no place.
    pub(crate) fn programs_held(&self) -> usize {
        let [_, _, count] = self.counts;
        if self.programs.is_null() { 0 } else { count.into() }
    }

    pub(super) fn visit(&mut self, v: &mut dyn Visitor) -> Result<()> {
        let [fixed, moving] = &mut self.words;
        v.u8("static_words", fixed)?;
        v.u8("dynamic_words", moving)?;
        let names = ["static_option_count", "dynamic_option_count", "program_count"];
        for (name, count) in names.iter().zip(&mut self.counts) {
            v.u16(name, count)?;
        }
        let names = ["attribute_count", "sampler_count", "uniform_block_count"];
        for (name, count) in names.iter().zip(&mut self.small_counts) {
            v.u8(name, count)?;
        }
        v.u8("unknown_0b", &mut self.unknown_0b)?;
        let [vertex, any] = &mut self.max_ring;
        v.u16("max_vertex_ring", vertex)?;
        v.u16("max_ring", any)?;
        for byte in &mut self.unknown_10 {
            v.u8("unknown_10", byte)?;
        }
        v.u32("uniform_count", &mut self.uniform_count)?;
        let names = ["material_block", "shape_block", "skeleton_block", "option_block"];
        for (name, index) in names.iter().zip(&mut self.block_index) {
            v.i8(name, index)?;
        }
        v.i32("default_program", &mut self.default_program)?;
        v.text("name", &mut self.name)?;
        reserved(v, "reserved_24", &mut self.reserved_24)?;
        let names = [
            ["static_options", "static_option_names"],
            ["dynamic_options", "dynamic_option_names"],
            ["attributes", "attribute_names"],
            ["samplers", "sampler_names"],
            ["uniform_blocks", "uniform_block_names"],
        ];
        for ([array, dictionary], pointers) in names.iter().zip(&mut self.arrays) {
            super::raw::pair(v, array, dictionary, pointers)?;
        }
        v.object("uniforms", &mut self.uniforms)?;
        v.object("programs", &mut self.programs)?;
        v.object("keys", &mut self.keys)?;
        v.i32("archive", &mut self.archive)?;
        reserved(v, "reserved_64", &mut self.reserved_64)?;
        v.object("symbols", &mut self.symbols)
    }

    /// Brings the distance to the archive along.
    pub(super) fn rescale(&mut self, at: u64, map: &Map) {
        let moved = i128::from(map.get(at)).saturating_sub(i128::from(at));
        let moved = i32::try_from(moved).unwrap_or(i32::MAX);
        if self.archive != 0 {
            self.archive = self.archive.saturating_sub(moved);
        }
    }
}

/// An option with its choices. It has 0x18 bytes.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct WiiUOption {
    /// 00: how many choices.
    pub choice_count: u8,
    /// 01: the choice that is taken where none is given.
    pub default_choice: u8,
    /// 02: place of the value in the block of options.
    pub branch_offset: u16,
    /// 04: 2 on all static options of the measured file.
    pub flags: u8,
    /// 05: words of the key in front of those of its group.
    pub key_offset: u8,
    /// 06: word of the key that holds its choice.
    pub word: u8,
    /// 07: lowest bit of its choice in that word.
    pub shift: u8,
    /// 08: bits of its choice in that word.
    pub mask: u32,
    /// 0C: its name.
    pub name: Pointer,
    /// 10: names of the choices, with their numbers.
    pub choices: Pointer,
    /// 14: a number for each choice.
    pub values: Pointer,
}

impl WiiUOption {
    pub(super) fn visit(&mut self, v: &mut dyn Visitor) -> Result<()> {
        v.u8("choice_count", &mut self.choice_count)?;
        v.u8("default_choice", &mut self.default_choice)?;
        v.u16("branch_offset", &mut self.branch_offset)?;
        v.bits8("flags", &mut self.flags)?;
        v.u8("key_offset", &mut self.key_offset)?;
        v.u8("word", &mut self.word)?;
        v.u8("shift", &mut self.shift)?;
        v.bits32("mask", &mut self.mask)?;
        v.text("name", &mut self.name)?;
        v.object("choices", &mut self.choices)?;
        v.object("values", &mut self.values)
    }
}

/// A vertex attribute. It has 4 bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct WiiUAttribute {
    /// 00: its index.
    pub index: u8,
    /// 01: GX2's number of its type.
    pub kind: u8,
    /// 02: length of an array.
    pub count: u8,
    /// 03: its location in the vertex program.
    pub location: i8,
}

/// A sampler. It has 8 bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct WiiUSampler {
    /// 00: its index.
    pub index: u8,
    /// 01: GX2's number of its type.
    pub kind: u8,
    /// 02: length of an array.
    pub count: u8,
    /// 03: not used.
    pub reserved: [u8; 5],
}

impl WiiUSampler {
    pub(super) fn visit(&mut self, v: &mut dyn Visitor) -> Result<()> {
        v.u8("index", &mut self.index)?;
        v.u8("kind", &mut self.kind)?;
        v.u8("count", &mut self.count)?;
        reserved(v, "reserved", &mut self.reserved)
    }
}

/// A uniform block. It has 0x10 bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct WiiUBlock {
    /// 00: its index.
    pub index: u8,
    /// 01: 0 none, 1 material, 2 shape, 3 skeleton, 4 options.
    pub kind: u8,
    /// 02: its size in bytes.
    pub size: u16,
    /// 04: how many variables.
    pub count: u16,
    /// 06: not used.
    pub reserved: [u8; 2],
    /// 08: names of the variables, with them.
    pub dictionary: Pointer,
    /// 0C: default values, of the material's block.
    pub defaults: Pointer,
}

impl WiiUBlock {
    pub(super) fn visit(&mut self, v: &mut dyn Visitor) -> Result<()> {
        v.u8("index", &mut self.index)?;
        v.u8("kind", &mut self.kind)?;
        v.u16("size", &mut self.size)?;
        v.u16("count", &mut self.count)?;
        reserved(v, "reserved", &mut self.reserved)?;
        v.object("variable_names", &mut self.dictionary)?;
        v.object("defaults", &mut self.defaults)
    }
}

/// A variable of a block. It has 0x10 bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct WiiUVariable {
    /// 00: its index.
    pub index: i32,
    /// 04: length of an array.
    pub count: u16,
    /// 06: GX2's number of its type.
    pub kind: u8,
    /// 07: index of its block.
    pub block: u8,
    /// 08: its place in the block, and 1; 0: none.
    pub offset_plus_1: u16,
    /// 0A: number of the parameter's type.
    pub parameter_type: u8,
    /// 0B: not used.
    pub reserved: [u8; 5],
}

impl WiiUVariable {
    pub(super) fn visit(&mut self, v: &mut dyn Visitor) -> Result<()> {
        v.i32("index", &mut self.index)?;
        v.u16("count", &mut self.count)?;
        v.u8("kind", &mut self.kind)?;
        v.u8("block", &mut self.block)?;
        v.u16("offset_plus_1", &mut self.offset_plus_1)?;
        v.u8("parameter_type", &mut self.parameter_type)?;
        reserved(v, "reserved", &mut self.reserved)
    }
}

/// A program of versions before 3.5. It has 0x38 bytes.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct WiiUProgram {
    /// 00: see [`super::raw::PROGRAM_FLAGS`].
    pub flags: u16,
    /// 02: how many samplers, uniform blocks.
    pub counts: [u8; 2],
    /// 04: attributes that it uses, bit n = attribute n.
    pub active_attributes: u32,
    /// 08: not known.
    pub gx2_words: [u16; 10],
    /// 1C: not used.
    pub reserved: u32,
    /// 20: where samplers and uniform blocks are bound, stage by stage.
    pub tables: [Pointer; 2],
    /// 28: the vertex, geometry and pixel program.
    pub shaders: [Pointer; 3],
    /// 34: the shading model.
    pub parent: Pointer,
}

/// The highest number of a texture unit or block that is taken for one.
const LAST_LOCATION: i32 = 0xFF;

impl WiiUProgram {
    /// Whether the tables of locations are words; bytes otherwise. The console's files have words, other writers bytes,
    /// and nothing in the record tells them apart: words leave room for all of them up to what follows, and say
    /// locations or -1. `bytes` looks at a place of the file.
    pub(super) fn wide_tables<B: AsRef<[u8]>>(
        &self,
        columns: u64,
        bytes: impl Fn(u64, usize) -> Option<B>,
    ) -> bool {
        let ends: Vec<u64> = self.tables.iter().chain(&self.shaders).filter_map(|at| at.get()).collect();
        let is_wide = |(at, rows): (u64, u8)| {
            let len = u64::from(rows).saturating_mul(columns).saturating_mul(4);
            let fits = ends.iter().all(|end| *end <= at || end.saturating_sub(at) >= len);
            let words = usize::try_from(len).ok().filter(|_| fits).and_then(|len| bytes(at, len));
            words.is_some_and(|words| {
                let mut words =
                    words.as_ref().as_chunks::<4>().0.iter().map(|word| i32::from_be_bytes(*word));
                words.all(|word| (-1..=LAST_LOCATION).contains(&word))
            })
        };
        let tables = self.tables.iter().zip(self.counts).filter(|(_, rows)| *rows > 0);
        let mut tables = tables.filter_map(|(at, rows)| Some((at.get()?, rows))).peekable();
        tables.peek().is_some() && tables.all(is_wide)
    }

    pub(super) fn visit(&mut self, v: &mut dyn Visitor) -> Result<()> {
        v.bits16("flags", &mut self.flags)?;
        let [samplers, blocks] = &mut self.counts;
        v.u8("sampler_count", samplers)?;
        v.u8("uniform_block_count", blocks)?;
        v.bits32("active_attributes", &mut self.active_attributes)?;
        for word in &mut self.gx2_words {
            v.u16("gx2_word", word)?;
        }
        v.u32("reserved", &mut self.reserved)?;
        let [samplers, blocks] = &mut self.tables;
        v.object("samplers", samplers)?;
        v.object("uniform_blocks", blocks)?;
        for (name, shader) in WiiUStage::NAMES.iter().zip(&mut self.shaders) {
            v.object(name, shader)?;
        }
        v.object("parent", &mut self.parent)
    }
}

/// A stage of the Wii U.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum WiiUStage {
    /// Vertex program.
    #[default]
    Vertex,
    /// Geometry program.
    Geometry,
    /// Pixel program.
    Pixel,
}

impl WiiUStage {
    /// All of them, in the order of a program's record.
    pub const ALL: [Self; 3] = [Self::Vertex, Self::Geometry, Self::Pixel];
    /// Their names.
    pub const NAMES: [&str; 3] = ["vertex", "geometry", "pixel"];

    /// Registers before the size of the code, and words behind the mode.
    fn words(self) -> (usize, usize) {
        match self {
            Self::Vertex => (52, 22),
            Self::Geometry => (19, 20),
            Self::Pixel => (41, 14),
        }
    }
}

/// The GX2 structure of a stage: `GX2VertexShader`, `GX2GeometryShader` or `GX2PixelShader`. Its tables are
/// kept as words, since no file with any is known.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct WiiUShader {
    /// Which one.
    pub stage: WiiUStage,
    /// Registers.
    pub registers: Vec<u32>,
    /// Bytes of the code.
    pub code_size: u32,
    /// The code.
    pub code: Pointer,
    /// Bytes of the copy program (geometry).
    pub copy_size: u32,
    /// The copy program (geometry).
    pub copy: Pointer,
    /// 0 registers, 1 blocks, 2 geometry, 3 compute.
    pub mode: u32,
    /// Tables and what follows on them.
    pub rest: Vec<u32>,
}

impl WiiUShader {
    /// An empty one, ready to be read.
    pub fn new(stage: WiiUStage) -> Self {
        let (registers, rest) = stage.words();
        Self { stage, registers: vec![0; registers], rest: vec![0; rest], ..Self::default() }
    }

    pub(super) fn visit(&mut self, v: &mut dyn Visitor) -> Result<()> {
        for word in &mut self.registers {
            v.bits32("register", word)?;
        }
        v.u32("code_size", &mut self.code_size)?;
        v.object("code", &mut self.code)?;
        if self.stage == WiiUStage::Geometry {
            v.u32("copy_size", &mut self.copy_size)?;
            v.object("copy", &mut self.copy)?;
        }
        v.u32("mode", &mut self.mode)?;
        for word in &mut self.rest {
            v.bits32("word", word)?;
        }
        Ok(())
    }
}
