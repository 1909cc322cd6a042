//! What a SHBIN file holds, as typed tables. Nothing here is a copy of the input: the file is written from
//! these values and the [`Layout`].

use super::layout::Layout;
use crate::shared::{Opaque, Strings};
use unshade_bytes::F24;

/// A 3DS shader file: a linked binary, or a single object that was not linked yet.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum Shbin {
    /// Magic `DVLB`: one program and its executables.
    Linked(Dvlb),
    /// Magic `DVOJ`: code and tables of one source file.
    Object(Dvoj),
}

/// A linked shader binary: `DVLB`, the number of executables, their offsets, the program, the executables.
/// Offsets in the file count from the `DVLB` magic, wherever that lies. Source: 3dbrew; verified.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Dvlb {
    /// The program, which all executables share.
    pub program: Dvlp,
    /// The executables in the order of the offset table, which need not be their order in the file.
    pub executables: Vec<Dvle>,
    /// Where everything lies.
    pub layout: Layout,
    /// Bytes behind the last part. A shader embedded in a C array brought one stray NUL.
    pub trailing: Opaque,
}

/// The program of a linked binary: header of 0x28 or 0x1C bytes right behind the offset table. Offsets in
/// it count from its magic. Source: 3dbrew, GBATEK; verified.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Dvlp {
    /// How long the header is.
    pub header: HeaderForm,
    /// 0x04. 0 from picasso, nihstro and aemstro; 0x0C02 seen from official tools (GBATEK).
    pub version: u16,
    /// 0x06. 0 so far; SPICA reads a shader type and an output flag here.
    pub unknown_06: u16,
    /// Code, descriptors and line table.
    pub code: Code,
    /// 0x20/0x24. Names of the source files, which the line table points into.
    pub file_names: Strings,
}

/// Length of a DVLP header.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum HeaderForm {
    /// 0x28 bytes.
    #[default]
    Long,
    /// 0x1C bytes: no line count and no file names, as nihstro's assembler writes it.
    Short {
        /// 0x18. Where the long form has the offset of the line table; 0 from nihstro.
        word_18: u32,
    },
}

/// Code with what belongs to its words.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Code {
    /// The instruction words. The hardware holds 512 for a vertex program, 4096 in all.
    pub words: Vec<u32>,
    /// Operand descriptors, which the words index; the hardware holds 128.
    pub descriptors: Vec<Descriptor>,
    /// Line table, 8 bytes an entry, one for each word where there is one ("block 1" of a DVOJ).
    pub lines: Vec<Line>,
}

/// Operand descriptor, 8 bytes: masks and swizzles of an instruction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Descriptor {
    /// Low word: what the hardware gets. Official files set bit 31, which it ignores (GBATEK).
    pub bits: u32,
    /// High word: 0 from the public assemblers; 0x0F, 0x07, 0x03 in official files (GBATEK), perhaps which
    /// operands the descriptor is used for.
    pub high: u32,
}

/// Line-table entry, 8 bytes: where the code word of the same index came from. Source: GBATEK.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Line {
    /// Offset of the source file's name in [`Dvlp::file_names`], or in [`Executable::symbols`] of a DVOJ.
    pub file: u32,
    /// Line number.
    pub line: u32,
}

/// An executable: an entry point into the program, with the tables of its variables. Header of 0x40 bytes;
/// offsets in it count from its magic. Source: 3dbrew; verified.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Dvle {
    /// 0x08. Where execution starts, as a word index. nihstro stores the string offset of the label here.
    pub entry: u32,
    /// 0x0C. Word behind the main procedure (picasso), address of `endmain` (official), 0 (nihstro). It is
    /// no stop: execution ends at an `end` instruction.
    pub end: u32,
    /// Kind, masks and tables.
    #[cfg_attr(feature = "serde", serde(flatten))]
    pub executable: Executable,
}

/// A single object that was not linked: header of 0x58 bytes, offsets from its magic. Execution starts at
/// its first word. No real file is known. Source: 3dbrew, GBATEK (there also "DVOB").
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Dvoj {
    /// Kind, masks and tables. Its strings also hold the names of source files.
    #[cfg_attr(feature = "serde", serde(flatten))]
    pub executable: Executable,
    /// Code, descriptors and line table (block 1).
    pub code: Code,
    /// Relocation table (block 2), 12 bytes an entry.
    pub relocations: Vec<Relocation>,
    /// Where everything lies.
    pub layout: Layout,
    /// Bytes behind the last part.
    pub trailing: Opaque,
}

/// Relocation entry of a DVOJ, 12 bytes; about one for each instruction with operands. Source: 3dbrew.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Relocation {
    /// Index of a code word.
    pub word: u32,
    /// The words behind it. Meaning unknown.
    pub unknown_04: u32,
    /// Its last word. Meaning unknown.
    pub unknown_08: u32,
}

/// What DVLE and DVOJ have in common.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Executable {
    /// Version: 0x1002 from picasso, 0 from nihstro and aemstro, 0x0C02 seen from official tools (GBATEK).
    pub version: u16,
    /// 0 vertex program, 1 geometry program.
    pub kind: u8,
    /// Bit 0: the output maps of vertex and geometry program are merged.
    pub flags: u8,
    /// Input registers in use, bit n = vn. 0 where the producer does not say.
    pub input_mask: u16,
    /// Output registers in use, bit n = on. 0 where the producer does not say.
    pub output_mask: u16,
    /// How a geometry program is fed.
    pub geometry: GeometryWord,
    /// Values that are loaded into registers before the program runs, in order; the last one wins.
    pub constants: Vec<Constant>,
    /// Named places in the code. picasso writes none.
    pub labels: Vec<Label>,
    /// Meaning of the output registers.
    pub outputs: Vec<Output>,
    /// Names of input registers and uniforms.
    pub uniforms: Vec<Uniform>,
    /// The strings that labels and uniforms name.
    pub symbols: Strings,
}

/// The four bytes of a DVLE at 0x14. In a DVOJ the word at 0x0C, all bits set where it is not given.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct GeometryWord {
    /// 0 point, 1 variable (subdivision), 2 fixed (particle).
    pub mode: u8,
    /// Fixed mode: the first float uniform that receives the vertices.
    pub first_uniform: u8,
    /// Variable mode: how many vertices come with all their attributes.
    pub full_vertices: u8,
    /// Fixed mode: vertices per primitive.
    pub vertices: u8,
}

impl GeometryWord {
    /// All bits set: a DVOJ that does not say.
    pub const UNSET: Self = Self { mode: 0xFF, first_uniform: 0xFF, full_vertices: 0xFF, vertices: 0xFF };
}

/// Constant-table entry, 0x14 bytes: a value for a register, applied when the program is bound.
/// Source: 3dbrew; verified.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Constant {
    /// Register number in the class that the value's kind names: b0-b15, i0-i3, c0-c95.
    pub register: u8,
    /// Byte 3. 0 so far; one editor takes it for a length.
    pub byte_03: u8,
    /// Kind and payload.
    pub value: ConstantValue,
}

/// Kind and payload of a constant. Producers leave unused payload bytes 0, but nothing forces that, so
/// they are kept.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum ConstantValue {
    /// Kind 0.
    Bool {
        /// The loader tests bit 0.
        word: u32,
        /// Unused.
        tail: [u8; 12],
    },
    /// Kind 1.
    Int {
        /// x y z w; for a loop the count, the start and the step.
        xyzw: [u8; 4],
        /// Unused.
        tail: [u8; 12],
    },
    /// Kind 2: four 24-bit floats, each in the low bits of a word; the upper bytes are unused. Kept as they
    /// are, since producers do not agree on rounding.
    Float([u32; 4]),
    /// Any other kind.
    Unknown {
        /// Bytes 0-1.
        kind: u16,
        /// Bytes 4-19.
        payload: [u8; 16],
    },
}

impl ConstantValue {
    /// The kind as the file numbers it.
    pub fn kind(&self) -> u16 {
        match self {
            Self::Bool { .. } => 0,
            Self::Int { .. } => 1,
            Self::Float(_) => 2,
            Self::Unknown { kind, .. } => *kind,
        }
    }

    /// The four floats of a float constant.
    pub fn floats(&self) -> Option<[f32; 4]> {
        match self {
            Self::Float(words) => Some(words.map(|word| F24::from_bits(word).to_f32())),
            _ => None,
        }
    }
}

/// Label-table entry, 0x10 bytes: a named place in the code. Source: 3dbrew, GBATEK.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Label {
    /// Number of the label, counting up from 0.
    pub id: u16,
    /// Bytes 2-3. 1 in official files, 0 from nihstro and aemstro.
    pub unknown_02: u16,
    /// Word index.
    pub position: u32,
    /// Length in words; 0xFFFFFFFF where it has none (3dbrew); 0 from nihstro and aemstro.
    pub size: u32,
    /// Offset of the name in [`Executable::symbols`].
    pub name: u32,
}

/// Output-table entry, 8 bytes: what some components of an output register mean. Several entries may share
/// a register. Source: 3dbrew; verified.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Output {
    /// 0 position, 1 normalquat, 2 color, 3 texcoord0, 4 texcoord0w, 5 texcoord1, 6 texcoord2, 8 view,
    /// 9 dummy (generic); others unknown.
    pub semantic: u16,
    /// Output register number, 0-15.
    pub register: u16,
    /// Bits 0-3: components, bit 0 = x (the other way round than in descriptors). The rest is 0 so far.
    pub mask: u16,
    /// Bytes 6-7. 0 from picasso; in official files the same number throughout one DVLE (3dbrew).
    pub unknown_06: u16,
}

/// Uniform-table entry, 8 bytes: the name of a range of input or uniform registers. Source: 3dbrew; verified.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Uniform {
    /// Offset of the name in [`Executable::symbols`].
    pub name: u32,
    /// First register in the numbering that inputs and uniforms share, see [`super::register`].
    pub first: u16,
    /// Last register, included.
    pub last: u16,
}
