//! The records of a BFSHA of the Switch, field for field. The first number of the version decides the layout;
//! offsets in comments are those of versions 3 to 6, or of the first version that has the field.

mod interface;

pub use interface::{Attribute, Block, OptionRecord, Sampler, Variable};

use crate::formats::bnsh::raw::reserved;
use crate::formats::switch::layout::Map;
use crate::formats::switch::{FileHeader, Form};
use crate::shared::Opaque;
use crate::shared::fields::{Fields, Pointer, Visitor};
use unshade_bytes::Result;

/// First bytes of the file.
pub const MAGIC: [u8; 8] = *b"FSHA    ";
/// Bytes of an option.
pub const OPTION_LEN: u64 = 0x28;
/// Bytes of a sampler or an image.
pub const SAMPLER_LEN: u64 = 0x10;
/// Bytes of a block.
pub const BLOCK_LEN: u64 = 0x20;
/// Bytes of a variable.
pub const VARIABLE_LEN: u64 = 0x10;
/// Major versions whose layout is known.
pub const MAJORS: std::ops::RangeInclusive<u16> = 3..=9;

/// Stages in the order of columns.
pub const COLUMNS: [&str; 6] = ["vertex", "geometry", "fragment", "compute", "hull", "domain"];

/// File header and what is behind it. It has 0x38 bytes.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Header {
    /// The header that all such files have.
    pub file: FileHeader,
    /// 20: the archive.
    pub archive: Pointer,
    /// 28: the strings.
    pub strings: Pointer,
    /// 30: bytes of the strings.
    pub strings_size: u32,
    /// 34: not used.
    pub reserved: [u8; 4],
}

impl Header {
    pub(super) fn visit(&mut self, v: &mut dyn Visitor) -> Result<()> {
        self.file.visit(v)?;
        v.object("archive", &mut self.archive)?;
        v.object("strings", &mut self.strings)?;
        v.u32("strings_size", &mut self.strings_size)?;
        reserved(v, "reserved", &mut self.reserved)
    }

    pub(super) fn rescale(&mut self, map: &Map) {
        self.strings_size =
            u32::try_from(map.len(self.strings.0, self.strings_size.into())).unwrap_or(u32::MAX);
    }
}

/// The archive. It has 0x40 bytes, from version 7 on 0x48.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Archive {
    /// 00: its name.
    pub name: Pointer,
    /// 08: path that it was made from.
    pub path: Pointer,
    /// 10: the shading models.
    pub models: Pointer,
    /// 18: their names.
    pub dictionary: Pointer,
    /// 20: filled in at run time.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Opaque::is_empty"))]
    pub runtime: Opaque,
    /// 38, from version 7 on 40: how many shading models.
    pub model_count: u16,
    /// See [`ARCHIVE_FLAGS`].
    pub flags: u16,
    /// Not used.
    pub reserved: [u8; 4],
}

/// Names of the bits of an archive's flags, from bit 0 on.
pub const ARCHIVE_FLAGS: [Option<&str>; 16] = [
    Some("has shader source"),
    Some("binary"),
    None,
    Some("binary available"),
    Some("force variation"),
    Some("offline"),
    Some("intermediate available"),
    Some("initialised"),
    None,
    None,
    None,
    None,
    None,
    None,
    None,
    None,
];

/// Names of the bits of a program's flags, from bit 0 on.
pub const PROGRAM_FLAGS: [Option<&str>; 16] = [
    Some("update required"),
    Some("initialised"),
    Some("binary"),
    Some("source"),
    Some("intermediate"),
    None,
    None,
    None,
    None,
    None,
    None,
    None,
    None,
    None,
    None,
    None,
];

/// The bits that are set, by name: `binary + force variation`.
pub fn flag_names(flags: u16, names: &[Option<&str>; 16]) -> String {
    let set = names.iter().enumerate().filter(|(bit, _)| flags >> bit & 1 == 1);
    let names: Vec<_> =
        set.map(|(bit, name)| name.map_or_else(|| format!("bit {bit}"), str::to_owned)).collect();
    if names.is_empty() { "none".to_owned() } else { names.join(" + ") }
}

impl Archive {
    pub(super) fn visit(&mut self, v: &mut dyn Visitor) -> Result<()> {
        v.text("name", &mut self.name)?;
        v.text("path", &mut self.path)?;
        v.object("models", &mut self.models)?;
        v.object("dictionary", &mut self.dictionary)?;
        let runtime = if v.form().major >= 7 { 0x20 } else { 0x18 };
        v.reserved("runtime", runtime, &mut self.runtime)?;
        v.u16("model_count", &mut self.model_count)?;
        v.bits16("flags", &mut self.flags)?;
        reserved(v, "reserved", &mut self.reserved)
    }
}

/// Things that a shading model names, each with tables of its programs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum Resource {
    /// Textures with their samplers.
    Samplers,
    /// Images (from version 8 on).
    Images,
    /// Uniform blocks.
    UniformBlocks,
    /// Storage blocks (from version 7 on).
    StorageBlocks,
}

impl Resource {
    /// Those that a version has, in the order of its tables.
    pub fn of(form: Form) -> &'static [Self] {
        match form.major {
            _ if form.relative => &[Self::Samplers, Self::UniformBlocks],
            0..=6 => &[Self::Samplers, Self::UniformBlocks],
            7 => &[Self::Samplers, Self::UniformBlocks, Self::StorageBlocks],
            _ => &[Self::Samplers, Self::Images, Self::UniformBlocks, Self::StorageBlocks],
        }
    }

    /// `samplers`, `uniform_blocks` ...
    pub fn name(self) -> &'static str {
        match self {
            Self::Samplers => "samplers",
            Self::Images => "images",
            Self::UniformBlocks => "uniform_blocks",
            Self::StorageBlocks => "storage_blocks",
        }
    }

    /// Its index in [`Tables`].
    pub fn index(self) -> usize {
        match self {
            Self::Samplers => 0,
            Self::Images => 1,
            Self::UniformBlocks => 2,
            Self::StorageBlocks => 3,
        }
    }
}

/// A pointer for each [`Resource`]; those that the version does not have stay null.
pub type Tables = [Pointer; 4];

fn tables(v: &mut dyn Visitor, tables: &mut Tables) -> Result<()> {
    for resource in Resource::of(v.form()) {
        if let Some(table) = tables.get_mut(resource.index()) {
            v.object(resource.name(), table)?;
        }
    }
    Ok(())
}

/// A shading model: 0xC0 bytes, version 7 0xE8, from version 8 on 0x100.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default))]
pub struct Model {
    /// 00: its name.
    pub name: Pointer,
    /// 08: options that a program is compiled for, and their names.
    pub static_options: [Pointer; 2],
    /// 18: options that are chosen at run time, and their names.
    pub dynamic_options: [Pointer; 2],
    /// 28: vertex attributes and their names.
    pub attributes: [Pointer; 2],
    /// 38: samplers and their names.
    pub samplers: [Pointer; 2],
    /// 48 (8): images and their names.
    pub images: [Pointer; 2],
    /// 48: uniform blocks and their names.
    pub uniform_blocks: [Pointer; 2],
    /// 58: variables of all uniform blocks.
    pub uniforms: Pointer,
    /// 60 (7): storage blocks and their names.
    pub storage_blocks: [Pointer; 2],
    /// 70 (7): variables of all storage blocks.
    pub storage_members: Pointer,
    /// 60: programs.
    pub programs: Pointer,
    /// 68: for each program the options that it was compiled for.
    pub keys: Pointer,
    /// 70: the archive.
    pub parent: Pointer,
    /// 78: names in the shaders.
    pub symbols: Pointer,
    /// 80: the shaders.
    pub bnsh: Pointer,
    /// 88: filled in at run time.
    pub runtime: Opaque,
    /// A0: how many variables all uniform blocks have.
    pub uniform_count: u32,
    /// CC (7): how many variables all storage blocks have.
    pub storage_member_count: u32,
    /// A4: the program that is taken where none fits; -1: none.
    pub default_program: i32,
    /// A8: how many static options.
    pub static_option_count: u16,
    /// AA: how many dynamic options.
    pub dynamic_option_count: u16,
    /// AC: how many programs.
    pub program_count: u16,
    /// AE (to 6): bytes of the largest vertex that a geometry program makes.
    pub max_geometry_ring: u16,
    /// B0: words of a key that static options take.
    pub static_words: u8,
    /// B1: words of a key that dynamic options take.
    pub dynamic_words: u8,
    /// B2: how many attributes.
    pub attribute_count: u8,
    /// B3: how many samplers.
    pub sampler_count: u8,
    /// EE (8): how many images.
    pub image_count: u8,
    /// B4: how many uniform blocks.
    pub uniform_block_count: u8,
    /// B5 (to 6): bytes of the largest vertex that a vertex program hands on.
    pub max_vertex_ring: u8,
    /// B6: index of the uniform block of the material, shape, skeleton, options; -1: none.
    pub block_index: [i8; 4],
    /// E3 (7): how many storage blocks.
    pub storage_block_count: u8,
    /// E4 (7): more such indices.
    pub further_block_index: [i8; 4],
    /// F9 (8): column of each stage, in the order of [`COLUMNS`]; -1: none.
    pub stage_columns: [i8; 6],
    /// FF (8): how many columns the tables of programs and symbols have (from version 9 on).
    pub column_count: u8,
    /// BA (to 6): not used.
    pub reserved: [u8; 6],
}

impl Model {
    /// Bytes of a model.
    pub fn len(form: Form) -> u64 {
        match form.major {
            0..=6 => 0xC0,
            7 => 0xE8,
            _ => 0x100,
        }
    }

    /// Columns of the tables of its programs and symbols: one for each stage.
    pub fn columns(&self, form: Form) -> u8 {
        match form.major {
            0..=7 => 4,
            8 => 6,
            _ => self.column_count,
        }
    }

    /// The column of a stage of [`COLUMNS`].
    pub fn column(&self, form: Form, stage: usize) -> Option<usize> {
        match form.major {
            0..=8 => (stage < usize::from(self.columns(form))).then_some(stage),
            _ => {
                let column = usize::try_from(*self.stage_columns.get(stage)?).ok()?;
                (column < usize::from(self.column_count)).then_some(column)
            }
        }
    }

    /// How many programs there can be: none where the file says a number and no place.
    pub(crate) fn programs_held(&self) -> usize {
        if self.programs.is_null() { 0 } else { self.program_count.into() }
    }

    /// Words of a key.
    pub fn words(&self) -> u64 {
        u64::from(self.static_words).saturating_add(self.dynamic_words.into())
    }

    /// Array and dictionary of a resource.
    pub fn resource(&self, resource: Resource) -> [Pointer; 2] {
        match resource {
            Resource::Samplers => self.samplers,
            Resource::Images => self.images,
            Resource::UniformBlocks => self.uniform_blocks,
            Resource::StorageBlocks => self.storage_blocks,
        }
    }

    /// How many of a resource there are.
    pub fn resource_count(&self, resource: Resource) -> u8 {
        match resource {
            Resource::Samplers => self.sampler_count,
            Resource::Images => self.image_count,
            Resource::UniformBlocks => self.uniform_block_count,
            Resource::StorageBlocks => self.storage_block_count,
        }
    }

    pub(super) fn visit(&mut self, v: &mut dyn Visitor) -> Result<()> {
        let major = v.form().major;
        v.text("name", &mut self.name)?;
        pair(v, "static_options", "static_option_names", &mut self.static_options)?;
        pair(v, "dynamic_options", "dynamic_option_names", &mut self.dynamic_options)?;
        pair(v, "attributes", "attribute_names", &mut self.attributes)?;
        pair(v, "samplers", "sampler_names", &mut self.samplers)?;
        if major >= 8 {
            pair(v, "images", "image_names", &mut self.images)?;
        }
        pair(v, "uniform_blocks", "uniform_block_names", &mut self.uniform_blocks)?;
        v.object("uniforms", &mut self.uniforms)?;
        if major >= 7 {
            pair(v, "storage_blocks", "storage_block_names", &mut self.storage_blocks)?;
            v.object("storage_members", &mut self.storage_members)?;
        }
        v.object("programs", &mut self.programs)?;
        v.object("keys", &mut self.keys)?;
        v.object("parent", &mut self.parent)?;
        v.object("symbols", &mut self.symbols)?;
        v.object("bnsh", &mut self.bnsh)?;
        v.reserved("runtime", if major >= 7 { 0x28 } else { 0x18 }, &mut self.runtime)?;
        v.u32("uniform_count", &mut self.uniform_count)?;
        if major >= 7 {
            v.u32("storage_member_count", &mut self.storage_member_count)?;
        }
        v.i32("default_program", &mut self.default_program)?;
        v.u16("static_option_count", &mut self.static_option_count)?;
        v.u16("dynamic_option_count", &mut self.dynamic_option_count)?;
        v.u16("program_count", &mut self.program_count)?;
        if major < 7 {
            v.u16("max_geometry_ring", &mut self.max_geometry_ring)?;
        }
        v.u8("static_words", &mut self.static_words)?;
        v.u8("dynamic_words", &mut self.dynamic_words)?;
        v.u8("attribute_count", &mut self.attribute_count)?;
        v.u8("sampler_count", &mut self.sampler_count)?;
        if major >= 8 {
            v.u8("image_count", &mut self.image_count)?;
        }
        v.u8("uniform_block_count", &mut self.uniform_block_count)?;
        if major < 7 {
            v.u8("max_vertex_ring", &mut self.max_vertex_ring)?;
        }
        for (name, index) in BLOCK_INDICES.iter().zip(&mut self.block_index) {
            v.i8(name, index)?;
        }
        if major < 7 {
            return reserved(v, "reserved", &mut self.reserved);
        }
        v.u8("storage_block_count", &mut self.storage_block_count)?;
        for index in &mut self.further_block_index {
            v.i8("further_block", index)?;
        }
        if major >= 8 {
            for (name, column) in COLUMN_FIELDS.iter().zip(&mut self.stage_columns) {
                v.i8(name, column)?;
            }
            v.u8("column_count", &mut self.column_count)?;
        }
        Ok(())
    }
}

const BLOCK_INDICES: [&str; 4] = ["material_block", "shape_block", "skeleton_block", "option_block"];
const COLUMN_FIELDS: [&str; 6] =
    ["vertex_column", "geometry_column", "fragment_column", "compute_column", "hull_column", "domain_column"];

pub(super) fn pair(
    v: &mut dyn Visitor,
    array: &'static str,
    names: &'static str,
    pointers: &mut [Pointer; 2],
) -> Result<()> {
    let [entries, dictionary] = pointers;
    v.object(array, entries)?;
    v.object(names, dictionary)
}

/// A program: 0x30 bytes, versions 5 to 7 0x38, from version 8 on 0x40.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Program {
    /// 00: where each resource is bound, stage by stage.
    pub tables: Tables,
    /// 10: the variation of the model's BNSH.
    pub variation: Pointer,
    /// 18: the shading model.
    pub parent: Pointer,
    /// 20: attributes that it uses, bit n = attribute n.
    pub active_attributes: u32,
    /// 24: see [`PROGRAM_FLAGS`].
    pub flags: u16,
    /// 26: how many there are of each resource.
    pub counts: [u16; 4],
    /// Not used.
    pub reserved: [u8; 6],
    /// 30 (5 and 6): not known, none in all files.
    pub extra: Pointer,
    /// Columns of its tables, as its model says.
    pub columns: u8,
    /// Rows of its tables, as its model says; a table has no more even where the counts say so.
    pub rows: [u8; 4],
}

impl Program {
    /// Bytes of a program.
    pub fn len(form: Form) -> u64 {
        match form.major {
            0..=4 => 0x30,
            5..=7 => 0x38,
            _ => 0x40,
        }
    }

    pub(super) fn visit(&mut self, v: &mut dyn Visitor) -> Result<()> {
        let form = v.form();
        tables(v, &mut self.tables)?;
        v.object("variation", &mut self.variation)?;
        v.object("parent", &mut self.parent)?;
        v.bits32("active_attributes", &mut self.active_attributes)?;
        v.bits16("flags", &mut self.flags)?;
        let names = ["sampler_count", "image_count", "uniform_block_count", "storage_block_count"];
        for resource in Resource::of(form) {
            if let (Some(count), Some(name)) =
                (self.counts.get_mut(resource.index()), names.get(resource.index()))
            {
                v.u16(name, count)?;
            }
        }
        let fill = match form.major {
            0..=6 => 6,
            7 => 4,
            _ => 2,
        };
        if let Some(bytes) = self.reserved.get_mut(..fill) {
            reserved(v, "reserved", bytes)?;
        }
        if matches!(form.major, 5 | 6) {
            v.object("extra", &mut self.extra)?;
        }
        Ok(())
    }
}

/// Where the names in the shaders are. It has 0x20 bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct SymbolInfo {
    /// For each resource a name in each stage.
    pub tables: Tables,
    /// 10 (to 6): stream-outs, of which no record is known.
    pub stream_outs: Pointer,
    /// 18 (to 6): how many.
    pub stream_out_count: u32,
    /// Not used.
    pub reserved: [u8; 8],
    /// Names in each table, as its model says.
    pub counts: [u16; 4],
}

impl SymbolInfo {
    pub(super) fn visit(&mut self, v: &mut dyn Visitor) -> Result<()> {
        let major = v.form().major;
        tables(v, &mut self.tables)?;
        let fill = match major {
            0..=6 => {
                v.object("stream_outs", &mut self.stream_outs)?;
                v.u32("stream_out_count", &mut self.stream_out_count)?;
                4
            }
            7 => 8,
            _ => return Ok(()),
        };
        match self.reserved.get_mut(..fill) {
            Some(bytes) => reserved(v, "reserved", bytes),
            None => Ok(()),
        }
    }
}
