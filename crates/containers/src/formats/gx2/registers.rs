//! The registers that a GX2 structure holds, field by field: the one table of their names and bits.
//!
//! Names and places are those of AMD's R600/R700 register guide, as far as the structures hold them.

use crate::shared::encoding::Spelling;

/// Bits of a register with a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Field {
    /// Name in the register guide.
    pub name: &'static str,
    /// Lowest bit.
    pub first: u8,
    /// How many bits; at most 32.
    pub width: u8,
    /// Names of the values from 0 on, where they have names.
    pub values: &'static [&'static str],
    /// A label, of which 0 is one like any other.
    pub label: bool,
}

impl Field {
    /// The value of the field in a register that holds `word`.
    pub const fn of(&self, word: u32) -> u32 {
        (word >> self.first) & self.mask()
    }

    /// The register with the field set to the low bits of `value`.
    pub const fn with(&self, word: u32, value: u32) -> u32 {
        let mask = self.mask() << self.first;
        (word & !mask) | ((value << self.first) & mask)
    }

    const fn mask(&self) -> u32 {
        u32::MAX >> (32_u32.saturating_sub(self.width as u32))
    }

    /// The name of a value, where it has one.
    pub fn value_name(&self, value: u32) -> Option<&'static str> {
        self.values.get(usize::try_from(value).ok()?).copied()
    }
}

/// A register.
#[derive(Debug, PartialEq, Eq)]
pub struct Register {
    /// Name in the register guide; of a numbered one without the number.
    pub name: &'static str,
    /// What is in it, lowest bit first. Bits of no field are reserved.
    pub fields: &'static [Field],
}

impl Register {
    /// The field of that name.
    pub fn field(&self, name: &str) -> Option<&'static Field> {
        self.fields.iter().find(|field| field.name == name)
    }

    /// Value of the field of that name, 0 where the register has none of that name.
    pub fn get(&self, name: &str, word: u32) -> u32 {
        self.field(name).map_or(0, |field| field.of(word))
    }

    /// The bits of `word` that belong to no field.
    pub fn reserved(&self, word: u32) -> u32 {
        self.fields.iter().fold(word, |left, field| field.with(left, 0))
    }

    /// The word and its fields by name, those that are 0 left out unless that is a label: `0x00000105: NUM_GPRS 5, STACK_SIZE 1`.
    pub fn describe(&self, word: u32) -> String {
        let mut text = format!("{word:#010x}");
        let mut separator = ": ";
        for field in self.fields {
            let value = field.of(word);
            let named = field.value_name(value).filter(|name| !name.is_empty());
            if value == 0 && named.is_none() && !field.label {
                continue;
            }
            text.push_str(separator);
            separator = ", ";
            text.push_str(field.name);
            if let Some(name) = named {
                text.push_str(&format!(" {value} ({name})"));
            } else if field.width > 1 {
                text.push_str(&format!(" {value}"));
            }
        }
        let reserved = self.reserved(word);
        if reserved != 0 {
            text.push_str(&format!("{separator}reserved {reserved:#x}"));
        }
        text
    }
}

impl Spelling for Register {
    fn takes(&self) -> String {
        let names: Vec<_> = self.fields.iter().map(|field| field.name).collect();
        format!("`NAME VALUE` with commas between (names: {})", names.join(", "))
    }

    /// Fields that are named change, the others stay; behind a whole word the names only explain it.
    fn read(&self, text: &str, old: u64) -> Option<u64> {
        if text.starts_with("0x") {
            let word = text.split(':').next().unwrap_or(text).trim();
            return u64::from_str_radix(word.get(2..)?, 16).ok();
        }
        let mut word = u32::try_from(old).ok()?;
        for part in text.split(',') {
            let (name, value) = part.trim().split_once([' ', '=']).unwrap_or((part.trim(), "1"));
            let field = self.field(name)?;
            let value = value.trim();
            let named = field.values.iter().position(|known| *known == value && !known.is_empty());
            let number = match (named, value.strip_prefix("0x")) {
                (Some(index), _) => u32::try_from(index).ok()?,
                (None, Some(digits)) => u32::from_str_radix(digits, 16).ok()?,
                (None, None) => value.parse().ok()?,
            };
            (field.of(field.with(0, number)) == number).then_some(())?;
            word = field.with(word, number);
        }
        Some(word.into())
    }
}

const fn bit(name: &'static str, first: u8) -> Field {
    bits(name, first, 1)
}

const fn bits(name: &'static str, first: u8, width: u8) -> Field {
    Field { name, first, width, values: &[], label: false }
}

const fn named(name: &'static str, first: u8, width: u8, values: &'static [&'static str]) -> Field {
    Field { name, first, width, values, label: false }
}

const fn label(name: &'static str, first: u8, width: u8) -> Field {
    Field { label: true, ..bits(name, first, width) }
}

const PROGRAM: &[Field] = &[
    bits("NUM_GPRS", 0, 8),
    bits("STACK_SIZE", 8, 8),
    bit("DX10_CLAMP", 21),
    bit("PRIME_CACHE_PGM_EN", 22),
    bit("PRIME_CACHE_ON_DRAW", 23),
    bits("FETCH_CACHE_LINES", 24, 3),
    bit("UNCACHED_FIRST_INST", 28),
    bit("PRIME_CACHE_ENABLE", 29),
    bit("PRIME_CACHE_ON_CONST", 30),
];

/// Needs of a vertex program, or of a geometry program's copy program.
pub static SQ_PGM_RESOURCES_VS: Register = Register { name: "SQ_PGM_RESOURCES_VS", fields: PROGRAM };
/// Needs of a geometry program.
pub static SQ_PGM_RESOURCES_GS: Register = Register { name: "SQ_PGM_RESOURCES_GS", fields: PROGRAM };
/// Needs of a pixel program.
pub static SQ_PGM_RESOURCES_PS: Register = Register {
    name: "SQ_PGM_RESOURCES_PS",
    fields: &[
        bits("NUM_GPRS", 0, 8),
        bits("STACK_SIZE", 8, 8),
        bit("DX10_CLAMP", 21),
        bit("PRIME_CACHE_PGM_EN", 22),
        bit("PRIME_CACHE_ON_DRAW", 23),
        bits("FETCH_CACHE_LINES", 24, 3),
        bit("UNCACHED_FIRST_INST", 28),
        bit("PRIME_CACHE_ENABLE", 29),
        bit("PRIME_CACHE_ON_CONST", 30),
        bit("CLAMP_CONSTS", 31),
    ],
};
/// Whether primitives are numbered.
pub static VGT_PRIMITIVEID_EN: Register =
    Register { name: "VGT_PRIMITIVEID_EN", fields: &[bit("PRIMITIVEID_EN", 0)] };
/// How many parameters are exported.
pub static SPI_VS_OUT_CONFIG: Register = Register {
    name: "SPI_VS_OUT_CONFIG",
    fields: &[
        bit("VS_PER_COMPONENT", 0),
        bits("VS_EXPORT_COUNT", 1, 5),
        bit("VS_EXPORTS_FOG", 8),
        bits("VS_OUT_FOG_VEC_ADDR", 9, 5),
    ],
};
/// Labels of four exported parameters, the first in the lowest byte.
pub static SPI_VS_OUT_ID: Register = Register {
    name: "SPI_VS_OUT_ID",
    fields: &[
        label("SEMANTIC_0", 0, 8),
        label("SEMANTIC_1", 8, 8),
        label("SEMANTIC_2", 16, 8),
        label("SEMANTIC_3", 24, 8),
    ],
};
/// What the exports behind the position are.
pub static PA_CL_VS_OUT_CNTL: Register = Register {
    name: "PA_CL_VS_OUT_CNTL",
    fields: &[
        bits("CLIP_DIST_ENA", 0, 8),
        bits("CULL_DIST_ENA", 8, 8),
        bit("USE_VTX_POINT_SIZE", 16),
        bit("USE_VTX_EDGE_FLAG", 17),
        bit("USE_VTX_RENDER_TARGET_INDX", 18),
        bit("USE_VTX_VIEWPORT_INDX", 19),
        bit("USE_VTX_KILL_FLAG", 20),
        bit("VS_OUT_MISC_VEC_ENA", 21),
        bit("VS_OUT_CCDIST0_VEC_ENA", 22),
        bit("VS_OUT_CCDIST1_VEC_ENA", 23),
        bit("VS_OUT_MISC_SIDE_BUS_ENA", 24),
        bit("USE_VTX_GS_CUT_FLAG", 25),
    ],
};
/// Entries of the semantic table that are not used, one bit each.
pub static SQ_VTX_SEMANTIC_CLEAR: Register =
    Register { name: "SQ_VTX_SEMANTIC_CLEAR", fields: &[bits("CLEAR", 0, 32)] };
/// Which attribute arrives in a register.
pub static SQ_VTX_SEMANTIC: Register =
    Register { name: "SQ_VTX_SEMANTIC", fields: &[label("SEMANTIC_ID", 0, 8)] };
/// Which stream-out buffers are written.
pub static VGT_STRMOUT_BUFFER_EN: Register = Register {
    name: "VGT_STRMOUT_BUFFER_EN",
    fields: &[bit("BUFFER_0_EN", 0), bit("BUFFER_1_EN", 1), bit("BUFFER_2_EN", 2), bit("BUFFER_3_EN", 3)],
};
/// How many vertices are kept for reuse.
pub static VGT_VERTEX_REUSE_BLOCK_CNTL: Register =
    Register { name: "VGT_VERTEX_REUSE_BLOCK_CNTL", fields: &[bits("VTX_REUSE_DEPTH", 0, 8)] };
/// How many vertices are kept for reuse in tessellation.
pub static VGT_HOS_REUSE_DEPTH: Register =
    Register { name: "VGT_HOS_REUSE_DEPTH", fields: &[bits("REUSE_DEPTH", 0, 8)] };
/// What a pixel program exports: bit 0 a depth, the bits above the number of colors.
pub static SQ_PGM_EXPORTS_PS: Register =
    Register { name: "SQ_PGM_EXPORTS_PS", fields: &[bits("EXPORT_MODE", 0, 5)] };
/// How a pixel program is fed.
pub static SPI_PS_IN_CONTROL_0: Register = Register {
    name: "SPI_PS_IN_CONTROL_0",
    fields: &[
        bits("NUM_INTERP", 0, 6),
        bit("POSITION_ENA", 8),
        bit("POSITION_CENTROID", 9),
        bits("POSITION_ADDR", 10, 5),
        bits("PARAM_GEN", 15, 4),
        bits("PARAM_GEN_ADDR", 19, 7),
        bits("BARYC_SAMPLE_CNTL", 26, 2),
        bit("PERSP_GRADIENT_ENA", 28),
        bit("LINEAR_GRADIENT_ENA", 29),
        bit("POSITION_SAMPLE", 30),
        bit("BARYC_AT_SAMPLE_ENA", 31),
    ],
};
/// How a pixel program is fed, continued.
pub static SPI_PS_IN_CONTROL_1: Register = Register {
    name: "SPI_PS_IN_CONTROL_1",
    fields: &[
        bit("GEN_INDEX_PIX", 0),
        bits("GEN_INDEX_PIX_ADDR", 1, 7),
        bit("FRONT_FACE_ENA", 8),
        bits("FRONT_FACE_CHAN", 9, 2),
        bit("FRONT_FACE_ALL_BITS", 11),
        bits("FRONT_FACE_ADDR", 12, 5),
        bits("FOG_ADDR", 17, 7),
        bit("FIXED_PT_POSITION_ENA", 24),
        bits("FIXED_PT_POSITION_ADDR", 25, 5),
        bit("POSITION_ULC", 30),
    ],
};
/// An input of a pixel program.
pub static SPI_PS_INPUT_CNTL: Register = Register {
    name: "SPI_PS_INPUT_CNTL",
    fields: &[
        label("SEMANTIC", 0, 8),
        bits("DEFAULT_VAL", 8, 2),
        bit("FLAT_SHADE", 10),
        bit("SEL_CENTROID", 11),
        bit("SEL_LINEAR", 12),
        bits("CYL_WRAP", 13, 4),
        bit("PT_SPRITE_TEX", 17),
        bit("SEL_SAMPLE", 18),
    ],
};
/// Components of each color target that are exported.
pub static CB_SHADER_MASK: Register = Register {
    name: "CB_SHADER_MASK",
    fields: &[
        bits("OUTPUT0_ENABLE", 0, 4),
        bits("OUTPUT1_ENABLE", 4, 4),
        bits("OUTPUT2_ENABLE", 8, 4),
        bits("OUTPUT3_ENABLE", 12, 4),
        bits("OUTPUT4_ENABLE", 16, 4),
        bits("OUTPUT5_ENABLE", 20, 4),
        bits("OUTPUT6_ENABLE", 24, 4),
        bits("OUTPUT7_ENABLE", 28, 4),
    ],
};
/// Color targets that are exported.
pub static CB_SHADER_CONTROL: Register = Register {
    name: "CB_SHADER_CONTROL",
    fields: &[
        bit("RT0_ENABLE", 0),
        bit("RT1_ENABLE", 1),
        bit("RT2_ENABLE", 2),
        bit("RT3_ENABLE", 3),
        bit("RT4_ENABLE", 4),
        bit("RT5_ENABLE", 5),
        bit("RT6_ENABLE", 6),
        bit("RT7_ENABLE", 7),
    ],
};
/// What a pixel program does with depth and coverage.
pub static DB_SHADER_CONTROL: Register = Register {
    name: "DB_SHADER_CONTROL",
    fields: &[
        bit("Z_EXPORT_ENABLE", 0),
        bit("STENCIL_REF_EXPORT_ENABLE", 1),
        named("Z_ORDER", 4, 2, &["", "EARLY_Z_THEN_LATE_Z", "RE_Z", "EARLY_Z_THEN_RE_Z"]),
        bit("KILL_ENABLE", 6),
        bit("COVERAGE_TO_MASK_ENABLE", 7),
        bit("MASK_EXPORT_ENABLE", 8),
        bit("DUAL_EXPORT_ENABLE", 9),
        bit("EXEC_ON_HIER_FAIL", 10),
        bit("EXEC_ON_NOOP", 11),
        bit("ALPHA_TO_MASK_DISABLE", 12),
    ],
};
/// Whether a pixel program gets a depth.
pub static SPI_INPUT_Z: Register = Register { name: "SPI_INPUT_Z", fields: &[bit("PROVIDE_Z_TO_SPI", 0)] };
/// What a geometry program makes.
pub static VGT_GS_OUT_PRIM_TYPE: Register = Register {
    name: "VGT_GS_OUT_PRIM_TYPE",
    fields: &[named("OUTPRIM_TYPE", 0, 6, &["points", "line strip", "triangle strip"])],
};
/// How geometry programs run.
pub static VGT_GS_MODE: Register = Register {
    name: "VGT_GS_MODE",
    fields: &[
        named("MODE", 0, 2, &["off", "scenario A", "scenario B", "scenario G"]),
        bit("ES_PASSTHRU", 2),
        named("CUT_MODE", 3, 2, &["1024 vertices", "512 vertices", "256 vertices", "128 vertices"]),
        bit("MODE_HI", 8),
        bit("GS_C_PACK_EN", 11),
        bit("COMPUTE_MODE", 14),
        bit("FAST_COMPUTE_MODE", 15),
        bit("ELEMENT_INFO_EN", 16),
        bit("PARTIAL_THD_AT_EOI", 17),
    ],
};
/// Size of a vertex that a geometry program writes, in words.
pub static SQ_GS_VERT_ITEMSIZE: Register =
    Register { name: "SQ_GS_VERT_ITEMSIZE", fields: &[bits("ITEMSIZE", 0, 15)] };
/// A loop's count, first value and step; INIT and INC are signed.
pub static SQ_LOOP_CONST: Register = Register {
    name: "SQ_LOOP_CONST",
    fields: &[bits("COUNT", 0, 12), bits("INIT", 12, 12), bits("INC", 24, 8)],
};

/// Every register of the table.
pub static ALL: [&Register; 25] = [
    &SQ_PGM_RESOURCES_VS,
    &SQ_PGM_RESOURCES_GS,
    &SQ_PGM_RESOURCES_PS,
    &VGT_PRIMITIVEID_EN,
    &SPI_VS_OUT_CONFIG,
    &SPI_VS_OUT_ID,
    &PA_CL_VS_OUT_CNTL,
    &SQ_VTX_SEMANTIC_CLEAR,
    &SQ_VTX_SEMANTIC,
    &VGT_STRMOUT_BUFFER_EN,
    &VGT_VERTEX_REUSE_BLOCK_CNTL,
    &VGT_HOS_REUSE_DEPTH,
    &SQ_PGM_EXPORTS_PS,
    &SPI_PS_IN_CONTROL_0,
    &SPI_PS_IN_CONTROL_1,
    &SPI_PS_INPUT_CNTL,
    &CB_SHADER_MASK,
    &CB_SHADER_CONTROL,
    &DB_SHADER_CONTROL,
    &SPI_INPUT_Z,
    &VGT_GS_OUT_PRIM_TYPE,
    &VGT_GS_MODE,
    &SQ_GS_VERT_ITEMSIZE,
    &SQ_LOOP_CONST,
    &super::structure::SHADER_MODE,
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_do_not_overlap() {
        for register in ALL {
            let mut taken = 0_u32;
            for field in register.fields {
                let mask = field.with(0, u32::MAX);
                assert!(field.width > 0 && mask.count_ones() == u32::from(field.width), "{}", field.name);
                assert_eq!(taken & mask, 0, "{} {}", register.name, field.name);
                taken |= mask;
                assert_eq!((field.of(u32::MAX), field.of(0)), (mask >> field.first, 0));
            }
            assert_eq!(register.reserved(u32::MAX), !taken);
        }
    }

    #[test]
    fn words_are_described_by_name() {
        assert_eq!(SQ_PGM_RESOURCES_VS.describe(0x105), "0x00000105: NUM_GPRS 5, STACK_SIZE 1");
        let text = SPI_PS_IN_CONTROL_0.describe(0x1400_0002);
        assert_eq!(text, "0x14000002: NUM_INTERP 2, BARYC_SAMPLE_CNTL 1, PERSP_GRADIENT_ENA");
        assert_eq!(SPI_INPUT_Z.describe(0x11), "0x00000011: PROVIDE_Z_TO_SPI, reserved 0x10");
        assert_eq!(DB_SHADER_CONTROL.describe(0), "0x00000000");
        let text = VGT_GS_OUT_PRIM_TYPE.describe(0);
        assert_eq!(text, "0x00000000: OUTPRIM_TYPE 0 (points)");
    }
}
