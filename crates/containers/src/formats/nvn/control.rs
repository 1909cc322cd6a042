//! The control section: where program and constants lie in the code section, and what the driver sets up.
//!
//! Facts: the open compiler uam-nvn, whose output the driver accepts; the layout of the console's library as
//! published in decompiled headers; and eight sections of glslc 1.8 and 1.12 in open homebrew. Little endian
//! in every file, whatever the order of the container.

use unshade_stage::StageKind;

/// First word of a control section.
pub const MAGIC: u32 = 0x9876_1234;
/// First word of a code section.
pub const CODE_MAGIC: u32 = 0x1234_5678;
/// Bytes of a control section without which nothing can be said.
pub const LEAST: usize = 0x748;
/// Bytes of the program header of graphics stages.
pub const SPH_LEN: u32 = 0x50;

/// A control section.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Control<'a>(pub &'a [u8]);

/// Numbers of stages in a control section. They are not those in the program header.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct NvnStage(pub u32);

impl NvnStage {
    /// The stage of that number.
    pub fn kind(self) -> Option<StageKind> {
        Some(match self.0 {
            0 => StageKind::Vertex,
            1 => StageKind::Fragment,
            2 => StageKind::Geometry,
            3 => StageKind::TessControl,
            4 => StageKind::TessEval,
            5 => StageKind::Compute,
            _ => return None,
        })
    }

    /// The number of a stage.
    pub fn of(kind: StageKind) -> Self {
        Self(match kind {
            StageKind::Vertex => 0,
            StageKind::Fragment => 1,
            StageKind::Geometry => 2,
            StageKind::TessControl => 3,
            StageKind::TessEval => 4,
            StageKind::Compute => 5,
        })
    }
}

/// A field of a control section.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ControlField {
    /// Its place.
    pub offset: usize,
    /// 1, 4 or 8 bytes.
    pub size: usize,
    /// What it is.
    pub name: &'static str,
}

const fn field(offset: usize, size: usize, name: &'static str) -> ControlField {
    ControlField { offset, size, name }
}

/// The fields that are known, in order. What lies between them is kept and not understood.
pub const FIELDS: [ControlField; 36] = [
    field(0x000, 4, "magic"),
    field(0x004, 4, "version_major"),
    field(0x008, 4, "version_minor"),
    field(0x00C, 4, "architecture"),
    field(0x010, 4, "implementation"),
    field(0x014, 4, "assembly_offset"),
    field(0x018, 4, "assembly_size"),
    field(0x01C, 4, "locals_size"),
    field(0x020, 4, "locals_offset"),
    field(0x6F0, 4, "specialisation_offset"),
    field(0x6F4, 4, "specialisation_size"),
    field(0x6F8, 4, "program_size"),
    field(0x6FC, 4, "constants_size"),
    field(0x700, 4, "constants_offset"),
    field(0x704, 4, "code_size"),
    field(0x708, 4, "program_offset"),
    field(0x70C, 4, "registers"),
    field(0x710, 4, "scratch_per_warp"),
    field(0x714, 4, "stage"),
    field(0x718, 1, "early_fragment_tests"),
    field(0x719, 1, "post_depth_coverage"),
    field(0x71C, 1, "writes_depth"),
    field(0x734, 4, "colour_outputs"),
    field(0x748, 4, "work_group_x"),
    field(0x74C, 4, "work_group_y"),
    field(0x750, 4, "work_group_z"),
    field(0x754, 4, "shared_size"),
    field(0x758, 4, "local_positive_size"),
    field(0x75C, 4, "local_negative_size"),
    field(0x760, 4, "call_stack_size"),
    field(0x764, 4, "barriers"),
    field(0x7C8, 4, "pragma_offset"),
    field(0x7CC, 4, "pragma_size"),
    field(0x7D0, 8, "hash_7d0"),
    field(0x7E8, 4, "uniform64_offset"),
    field(0x7EC, 4, "uniform64_size"),
];

impl<'a> Control<'a> {
    /// A section that starts like one and is long enough to say where its program is.
    pub fn new(bytes: &'a [u8]) -> Option<Self> {
        let control = Self(bytes);
        (control.word(0) == Some(MAGIC) && bytes.len() >= LEAST).then_some(control)
    }

    /// The word at an offset.
    pub fn word(self, offset: usize) -> Option<u32> {
        self.0.get(offset..)?.first_chunk().map(|bytes| u32::from_le_bytes(*bytes))
    }

    fn at(self, offset: usize) -> u32 {
        self.word(offset).unwrap_or(0)
    }

    /// Version of the code: major and minor.
    pub fn version(self) -> (u32, u32) {
        (self.at(4), self.at(8))
    }

    /// Offset and size of the program in the code section: program header and instructions.
    pub fn program(self) -> (u32, u32) {
        (self.at(0x708), self.at(0x6F8))
    }

    /// Offset and size of the constants in the code section, which the driver binds as buffer 1.
    pub fn constants(self) -> (u32, u32) {
        (self.at(0x700), self.at(0x6FC))
    }

    /// Size of the code section.
    pub fn code_size(self) -> u32 {
        self.at(0x704)
    }

    /// General registers that the program uses.
    pub fn registers(self) -> u32 {
        self.at(0x70C)
    }

    /// Scratch memory of a warp in bytes.
    pub fn scratch(self) -> u32 {
        self.at(0x710)
    }

    /// Which stage it is for.
    pub fn stage(self) -> NvnStage {
        NvnStage(self.at(0x714))
    }

    /// Whether depth and stencil are tested before the program runs (fragment).
    pub fn early_tests(self) -> bool {
        self.stage().kind() == Some(StageKind::Fragment) && self.0.get(0x718).is_some_and(|flag| *flag != 0)
    }

    /// Size of a work group (compute).
    pub fn work_group(self) -> [u32; 3] {
        [self.at(0x748), self.at(0x74C), self.at(0x750)]
    }

    /// Whether the device that it is for is the Switch's.
    pub fn is_for_switch(self) -> bool {
        self.at(0xC) == 0x120 && self.at(0x10) == 0xB
    }

    /// The assembly text that the compiler left in it, without its NUL.
    pub fn assembly(self) -> Option<&'a [u8]> {
        let (start, size) = (self.at(0x14) as usize, self.at(0x18) as usize);
        let text = self.0.get(start..start.checked_add(size)?).filter(|text| !text.is_empty())?;
        Some(text.strip_suffix(&[0]).unwrap_or(text))
    }

    /// The end of the section as raw pair files state it: behind the last part.
    pub fn end(self) -> u32 {
        self.at(0x6F0)
    }

    /// Header and instructions in a code section; empty where it does not reach so far.
    pub fn program_in(self, code: &[u8]) -> &[u8] {
        let (offset, size) = self.program();
        part(code, offset, size)
    }

    /// The constants in a code section.
    pub fn constants_in(self, code: &[u8]) -> &[u8] {
        let (offset, size) = self.constants();
        part(code, offset, size)
    }
}

fn part(bytes: &[u8], offset: u32, size: u32) -> &[u8] {
    let start = offset as usize;
    bytes.get(start..start.saturating_add(size as usize)).unwrap_or_default()
}

/// The stage that a program header names: 1 vertex, 2 tessellation control, 3 tessellation evaluation, 4
/// geometry, 5 pixel.
pub fn header_stage(header: &[u8]) -> Option<StageKind> {
    let word = u32::from_le_bytes(*header.first_chunk()?);
    Some(match word >> 10 & 15 {
        1 => StageKind::Vertex,
        2 => StageKind::TessControl,
        3 => StageKind::TessEval,
        4 => StageKind::Geometry,
        5 => StageKind::Fragment,
        _ => return None,
    })
}

/// Bytes of the program header in front of the instructions. Graphics stages have one; of compute programs those
/// of open compilers do, filled with zeros but for the versions in its first word, those of the console's
/// compiler do not.
pub fn header_len(kind: StageKind, program: &[u8]) -> u32 {
    // Version of the header in bits 5-9 and of the code in bits 17-20, both 3; no kind of stage.
    const MASK: u32 = 0x001E_03FF;
    const EMPTY: u32 = 0x0006_0060;
    let word = program.first_chunk().map_or(0, |bytes| u32::from_le_bytes(*bytes));
    if kind == StageKind::Compute && word & MASK != EMPTY { 0 } else { SPH_LEN }
}
