//! Where everything is in the four GX2 structures, and in the entries of their tables.

use super::registers::{self as r, Field, Register};

/// Which structure.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum ShaderKind {
    /// `GX2VertexShader`, 0x134 bytes.
    Vertex,
    /// `GX2PixelShader`, 0xE8 bytes.
    Pixel,
    /// `GX2GeometryShader`, 0xB0 bytes.
    Geometry,
    /// `GX2ComputeShader`, 0x84 bytes.
    Compute,
}

/// Which table of a structure.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum TableKind {
    /// `GX2UniformBlock`: name, buffer, size in bytes.
    Blocks,
    /// `GX2UniformVar`: name, type, count, offset in words, block.
    Uniforms,
    /// `GX2UniformInitialValue`: four floats, offset in words.
    InitialValues,
    /// `GX2LoopVar`: slot, value.
    Loops,
    /// `GX2SamplerVar`: name, type, location.
    Samplers,
    /// `GX2AttribVar`: name, type, count, location.
    Attributes,
}

/// What a word of a structure is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Member {
    /// A register of the GPU.
    Register(&'static Register),
    /// A number.
    Word,
    /// Size of the program in bytes.
    CodeSize,
    /// Where the program is; 0 in `.gsh` files.
    CodePointer,
    /// Size of the copy program in bytes.
    CopySize,
    /// Where the copy program is; 0 in `.gsh` files.
    CopyPointer,
    /// Number of entries of a table.
    Count(TableKind),
    /// Where a table is.
    Pointer(TableKind),
}

impl Member {
    /// Whether it is a pointer.
    pub const fn is_pointer(self) -> bool {
        matches!(self, Self::CodePointer | Self::CopyPointer | Self::Pointer(_))
    }
}

/// A word of a structure, or several of a kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Row {
    /// Number of the first word.
    pub word: u16,
    /// How many.
    pub count: u16,
    /// Name; registers have the guide's.
    pub name: &'static str,
    /// What it is.
    pub member: Member,
}

/// Values of the word `mode` (`GX2ShaderMode`).
pub static SHADER_MODE: Register = Register {
    name: "mode",
    fields: &[Field {
        name: "GX2ShaderMode",
        first: 0,
        width: 32,
        values: &["uniform register", "uniform block", "geometry shader", "compute shader"],
        label: false,
    }],
};

const fn register(word: u16, count: u16, register: &'static Register) -> Row {
    Row { word, count, name: register.name, member: Member::Register(register) }
}

const fn word(word: u16, count: u16, name: &'static str) -> Row {
    Row { word, count, name, member: Member::Word }
}

const fn one(word: u16, name: &'static str, member: Member) -> Row {
    Row { word, count: 1, name, member }
}

const VERTEX: &[Row] = &[
    register(0, 1, &r::SQ_PGM_RESOURCES_VS),
    register(1, 1, &r::VGT_PRIMITIVEID_EN),
    register(2, 1, &r::SPI_VS_OUT_CONFIG),
    word(3, 1, "num_spi_vs_out_id"),
    register(4, 10, &r::SPI_VS_OUT_ID),
    register(14, 1, &r::PA_CL_VS_OUT_CNTL),
    register(15, 1, &r::SQ_VTX_SEMANTIC_CLEAR),
    word(16, 1, "num_sq_vtx_semantic"),
    register(17, 32, &r::SQ_VTX_SEMANTIC),
    register(49, 1, &r::VGT_STRMOUT_BUFFER_EN),
    register(50, 1, &r::VGT_VERTEX_REUSE_BLOCK_CNTL),
    register(51, 1, &r::VGT_HOS_REUSE_DEPTH),
    one(52, "code_size", Member::CodeSize),
    one(53, "code_pointer", Member::CodePointer),
    register(54, 1, &SHADER_MODE),
    one(55, "uniform_block_count", Member::Count(TableKind::Blocks)),
    one(56, "uniform_blocks_pointer", Member::Pointer(TableKind::Blocks)),
    one(57, "uniform_count", Member::Count(TableKind::Uniforms)),
    one(58, "uniforms_pointer", Member::Pointer(TableKind::Uniforms)),
    one(59, "initial_value_count", Member::Count(TableKind::InitialValues)),
    one(60, "initial_values_pointer", Member::Pointer(TableKind::InitialValues)),
    one(61, "loop_count", Member::Count(TableKind::Loops)),
    one(62, "loops_pointer", Member::Pointer(TableKind::Loops)),
    one(63, "sampler_count", Member::Count(TableKind::Samplers)),
    one(64, "samplers_pointer", Member::Pointer(TableKind::Samplers)),
    one(65, "attribute_count", Member::Count(TableKind::Attributes)),
    one(66, "attributes_pointer", Member::Pointer(TableKind::Attributes)),
    word(67, 1, "ring_item_size"),
    word(68, 1, "has_stream_out"),
    word(69, 4, "stream_out_stride"),
    word(73, 1, "gx2r_flags"),
    word(74, 1, "gx2r_element_size"),
    word(75, 1, "gx2r_element_count"),
    word(76, 1, "gx2r_buffer"),
];

const PIXEL: &[Row] = &[
    register(0, 1, &r::SQ_PGM_RESOURCES_PS),
    register(1, 1, &r::SQ_PGM_EXPORTS_PS),
    register(2, 1, &r::SPI_PS_IN_CONTROL_0),
    register(3, 1, &r::SPI_PS_IN_CONTROL_1),
    word(4, 1, "num_spi_ps_input_cntl"),
    register(5, 32, &r::SPI_PS_INPUT_CNTL),
    register(37, 1, &r::CB_SHADER_MASK),
    register(38, 1, &r::CB_SHADER_CONTROL),
    register(39, 1, &r::DB_SHADER_CONTROL),
    register(40, 1, &r::SPI_INPUT_Z),
    one(41, "code_size", Member::CodeSize),
    one(42, "code_pointer", Member::CodePointer),
    register(43, 1, &SHADER_MODE),
    one(44, "uniform_block_count", Member::Count(TableKind::Blocks)),
    one(45, "uniform_blocks_pointer", Member::Pointer(TableKind::Blocks)),
    one(46, "uniform_count", Member::Count(TableKind::Uniforms)),
    one(47, "uniforms_pointer", Member::Pointer(TableKind::Uniforms)),
    one(48, "initial_value_count", Member::Count(TableKind::InitialValues)),
    one(49, "initial_values_pointer", Member::Pointer(TableKind::InitialValues)),
    one(50, "loop_count", Member::Count(TableKind::Loops)),
    one(51, "loops_pointer", Member::Pointer(TableKind::Loops)),
    one(52, "sampler_count", Member::Count(TableKind::Samplers)),
    one(53, "samplers_pointer", Member::Pointer(TableKind::Samplers)),
    word(54, 1, "gx2r_flags"),
    word(55, 1, "gx2r_element_size"),
    word(56, 1, "gx2r_element_count"),
    word(57, 1, "gx2r_buffer"),
];

const GEOMETRY: &[Row] = &[
    register(0, 1, &r::SQ_PGM_RESOURCES_GS),
    register(1, 1, &r::VGT_GS_OUT_PRIM_TYPE),
    register(2, 1, &r::VGT_GS_MODE),
    register(3, 1, &r::PA_CL_VS_OUT_CNTL),
    register(4, 1, &r::SQ_PGM_RESOURCES_VS),
    register(5, 1, &r::SQ_GS_VERT_ITEMSIZE),
    register(6, 1, &r::SPI_VS_OUT_CONFIG),
    word(7, 1, "num_spi_vs_out_id"),
    register(8, 10, &r::SPI_VS_OUT_ID),
    register(18, 1, &r::VGT_STRMOUT_BUFFER_EN),
    one(19, "code_size", Member::CodeSize),
    one(20, "code_pointer", Member::CodePointer),
    one(21, "copy_size", Member::CopySize),
    one(22, "copy_pointer", Member::CopyPointer),
    register(23, 1, &SHADER_MODE),
    one(24, "uniform_block_count", Member::Count(TableKind::Blocks)),
    one(25, "uniform_blocks_pointer", Member::Pointer(TableKind::Blocks)),
    one(26, "uniform_count", Member::Count(TableKind::Uniforms)),
    one(27, "uniforms_pointer", Member::Pointer(TableKind::Uniforms)),
    one(28, "initial_value_count", Member::Count(TableKind::InitialValues)),
    one(29, "initial_values_pointer", Member::Pointer(TableKind::InitialValues)),
    one(30, "loop_count", Member::Count(TableKind::Loops)),
    one(31, "loops_pointer", Member::Pointer(TableKind::Loops)),
    one(32, "sampler_count", Member::Count(TableKind::Samplers)),
    one(33, "samplers_pointer", Member::Pointer(TableKind::Samplers)),
    word(34, 1, "ring_item_size"),
    word(35, 1, "has_stream_out"),
    word(36, 4, "stream_out_stride"),
    word(40, 1, "gx2r_flags"),
    word(41, 1, "gx2r_element_size"),
    word(42, 1, "gx2r_element_count"),
    word(43, 1, "gx2r_buffer"),
];

const COMPUTE: &[Row] = &[
    word(0, 12, "register"),
    one(12, "code_size", Member::CodeSize),
    one(13, "code_pointer", Member::CodePointer),
    one(14, "uniform_block_count", Member::Count(TableKind::Blocks)),
    one(15, "uniform_blocks_pointer", Member::Pointer(TableKind::Blocks)),
    one(16, "uniform_count", Member::Count(TableKind::Uniforms)),
    one(17, "uniforms_pointer", Member::Pointer(TableKind::Uniforms)),
    one(18, "initial_value_count", Member::Count(TableKind::InitialValues)),
    one(19, "initial_values_pointer", Member::Pointer(TableKind::InitialValues)),
    one(20, "loop_count", Member::Count(TableKind::Loops)),
    one(21, "loops_pointer", Member::Pointer(TableKind::Loops)),
    one(22, "sampler_count", Member::Count(TableKind::Samplers)),
    one(23, "samplers_pointer", Member::Pointer(TableKind::Samplers)),
    word(24, 1, "work_group_size_x"),
    word(25, 1, "work_group_size_y"),
    word(26, 1, "work_group_size_z"),
    word(27, 1, "over_64_mode"),
    word(28, 1, "waves_per_simd"),
    word(29, 1, "gx2r_flags"),
    word(30, 1, "gx2r_element_size"),
    word(31, 1, "gx2r_element_count"),
    word(32, 1, "gx2r_buffer"),
];

impl ShaderKind {
    /// All of them, in the order of their numbers in an archive; `Compute` has none there.
    pub const ALL: [Self; 4] = [Self::Vertex, Self::Pixel, Self::Geometry, Self::Compute];

    /// `vertex`, `pixel`, `geometry` or `compute`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Vertex => "vertex",
            Self::Pixel => "pixel",
            Self::Geometry => "geometry",
            Self::Compute => "compute",
        }
    }

    /// Size of the structure in bytes.
    pub const fn size(self) -> usize {
        match self {
            Self::Vertex => 0x134,
            Self::Pixel => 0xE8,
            Self::Geometry => 0xB0,
            Self::Compute => 0x84,
        }
    }

    /// The words of the structure, in order and without holes.
    pub const fn rows(self) -> &'static [Row] {
        match self {
            Self::Vertex => VERTEX,
            Self::Pixel => PIXEL,
            Self::Geometry => GEOMETRY,
            Self::Compute => COMPUTE,
        }
    }

    /// The row of that kind.
    pub fn row(self, member: Member) -> Option<&'static Row> {
        self.rows().iter().find(|row| row.member == member)
    }

    /// The row of that name.
    pub fn row_named(self, name: &str) -> Option<&'static Row> {
        self.rows().iter().find(|row| row.name == name)
    }

    /// The tables that the structure has, in its order.
    pub fn tables(self) -> impl Iterator<Item = TableKind> {
        TableKind::ALL
            .into_iter()
            .filter(move |table| *table != TableKind::Attributes || self == Self::Vertex)
    }
}

impl TableKind {
    /// All of them, in the order of the structure.
    pub const ALL: [Self; 6] =
        [Self::Blocks, Self::Uniforms, Self::InitialValues, Self::Loops, Self::Samplers, Self::Attributes];

    /// Name in trees: `uniform_blocks`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Blocks => "uniform_blocks",
            Self::Uniforms => "uniforms",
            Self::InitialValues => "initial_values",
            Self::Loops => "loops",
            Self::Samplers => "samplers",
            Self::Attributes => "attributes",
        }
    }

    /// Names of the words of an entry.
    pub const fn fields(self) -> &'static [&'static str] {
        match self {
            Self::Blocks => &["name", "offset", "size"],
            Self::Uniforms => &["name", "type", "count", "offset", "block"],
            Self::InitialValues => &["x", "y", "z", "w", "offset"],
            Self::Loops => &["offset", "value"],
            Self::Samplers => &["name", "type", "location"],
            Self::Attributes => &["name", "type", "count", "location"],
        }
    }

    /// Size of an entry in bytes.
    pub const fn entry_size(self) -> usize {
        self.fields().len().saturating_mul(4)
    }

    /// Whether the first word of an entry points to its name.
    pub const fn is_named(self) -> bool {
        !matches!(self, Self::InitialValues | Self::Loops)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn structures_have_no_holes() {
        for kind in ShaderKind::ALL {
            let mut next = 0;
            for row in kind.rows() {
                assert_eq!(row.word, next, "{} {}", kind.name(), row.name);
                next += row.count;
            }
            assert_eq!(usize::from(next) * 4, kind.size(), "{}", kind.name());
            for table in kind.tables() {
                let (count, pointer) = (kind.row(Member::Count(table)), kind.row(Member::Pointer(table)));
                assert_eq!(count.unwrap().word + 1, pointer.unwrap().word);
            }
        }
    }
}
