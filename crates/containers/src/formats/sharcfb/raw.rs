//! The records of an archive, field for field, looked at where they lie.

pub use crate::formats::agl::raw::{
    ArrayView, MACRO, MacroView, Records, SYMBOL, SectionView, SymbolView, byte_order, bytes, text, values,
    word,
};
use crate::formats::agl::raw::{macros_add_up, split, symbols_add_up};
use unshade_bytes::Endian;

/// The magic number, as a number: bytes `SHAB` big endian, `BAHS` little endian.
pub const MAGIC: u32 = 0x5348_4142;
/// The version that was known first, and the lowest one whose layout is known.
pub const VERSION: u32 = 8;
/// The highest version whose layout is known.
pub const LAST_VERSION: u32 = 9;
/// From this version on programs have a section between uniforms and uniform blocks.
pub const EXTRA_VERSION: u32 = 9;
/// Size of the header without the name.
pub const HEADER: usize = 0x18;
/// What stands in place of the name's length in archives of the Switch is at least this: an alignment.
pub const SWITCH_ALIGNMENT: u32 = 0x800;
pub use crate::formats::agl::binaries::NO_BINARIES;
pub use crate::formats::gx2::record::ALIGNMENT;

/// Smallest record of each kind.
pub const BINARY: usize = crate::formats::gx2::record::HEAD;
/// Smallest program.
pub const PROGRAM: usize = 0x10;

/// The header of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Header {
    /// 0x04.
    pub version: u32,
    /// 0x08. Size of the file.
    pub file_size: u32,
    /// 0x0C. 1 in a little-endian file, 0 in a big-endian one.
    pub endian_word: u32,
    /// 0x10. 0; the console sets it when the archive is loaded.
    pub resolved: u32,
    /// 0x14. Bytes of the name with its NUL.
    pub name_len: u32,
}

impl Header {
    /// The header at the start of `bytes` with the byte order of its magic number.
    pub fn read(bytes: &[u8]) -> Option<(Self, Endian)> {
        let endian = byte_order(bytes, MAGIC)?;
        let word = |at| word(bytes, at, endian);
        let header = Self {
            version: word(4)?,
            file_size: word(8)?,
            endian_word: word(12)?,
            resolved: word(16)?,
            name_len: word(20)?,
        };
        Some((header, endian))
    }

    /// Whether it is one of the Switch, where the word behind `resolved` is an alignment.
    pub fn is_switch(&self) -> bool {
        self.name_len >= SWITCH_ALIGNMENT && (self.version != VERSION || self.name_len.is_power_of_two())
    }
}

/// Whether bytes start like an archive of the Switch: in one of the Wii U the length of a name stands where this has that
/// of all names, which is filled up to at least 0x800.
pub fn is_switch(bytes: &[u8]) -> bool {
    Header::read(bytes).is_some_and(|(header, endian)| endian == Endian::Little && header.is_switch())
}

/// A shader binary.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BinaryView<'a> {
    /// 0x04. 0 vertex, 1 pixel, 2 geometry.
    pub kind: u32,
    /// Bytes between the record's head and its data.
    pub gap: &'a [u8],
    /// The GX2 structure with everything that it points to.
    pub data: &'a [u8],
    /// Bytes behind the data.
    pub tail: &'a [u8],
}

impl<'a> BinaryView<'a> {
    /// The binary in a record; `None` where its data does not lie in it.
    pub fn read(record: &'a [u8], endian: Endian) -> Option<Self> {
        let kind = word(record, 4, endian)?;
        let (offset, size) = (word(record, 8, endian)?, word(record, 12, endian)?);
        let (gap, rest) = split(record.get(BINARY..)?, offset)?;
        let (data, tail) = split(rest, size)?;
        Some(Self { kind, gap, data, tail })
    }
}

/// A program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ProgramView<'a> {
    /// 0x08. Bits: 1 vertex, 2 pixel, 4 geometry.
    pub stages: u32,
    /// 0x0C. Number of the first binary, or [`NO_BINARIES`].
    pub base: u32,
    /// The name with its NUL.
    pub name: &'a [u8],
    /// Macros with all values.
    pub macros: ArrayView<'a>,
    /// Macros with their default value.
    pub defaults: ArrayView<'a>,
    /// Uniforms, uniform blocks, samplers, attributes.
    pub symbols: [ArrayView<'a>; 4],
    /// The section between uniforms and uniform blocks, from version 9 on.
    pub extra: Option<SectionView<'a>>,
    /// Bytes behind the last array.
    pub tail: &'a [u8],
}

impl<'a> ProgramView<'a> {
    /// The program in a record of an archive of some version; `None` where its name, its six arrays or the section
    /// among them do not fit.
    pub fn read(record: &'a [u8], endian: Endian, version: u32) -> Option<Self> {
        let name_len = word(record, 4, endian)?;
        let (stages, base) = (word(record, 8, endian)?, word(record, 12, endian)?);
        let (name, rest) = split(record.get(PROGRAM..)?, name_len)?;
        let (macros, rest) = ArrayView::split(rest, endian)?;
        let (defaults, rest) = ArrayView::split(rest, endian)?;
        let (uniforms, rest) = ArrayView::split(rest, endian)?;
        let (extra, rest) = match version {
            ..EXTRA_VERSION => (None, rest),
            _ => SectionView::split(rest, endian).map(|(extra, rest)| (Some(extra), rest))?,
        };
        let (blocks, rest) = ArrayView::split(rest, endian)?;
        let (samplers, rest) = ArrayView::split(rest, endian)?;
        let (attributes, tail) = ArrayView::split(rest, endian)?;
        let symbols = [uniforms, blocks, samplers, attributes];
        Some(Self { stages, base, name, macros, defaults, symbols, extra, tail })
    }

    /// Whether all sizes in it add up to its last byte.
    pub fn adds_up(&self) -> bool {
        [self.macros, self.defaults].iter().all(macros_add_up)
            && self.symbols.iter().all(symbols_add_up)
            && self.extra.is_none_or(|extra| extra.is_whole())
            && self.tail.is_empty()
    }

    /// Binaries of one variation: 3 where the program has a geometry shader, else 2.
    pub fn binaries_per_variation(&self) -> u32 {
        if self.stages & 4 != 0 { 3 } else { 2 }
    }
}

/// Whether all sizes of an archive of some version add up: `rest` is what stands behind its name.
pub fn adds_up(rest: &[u8], endian: Endian, version: u32) -> bool {
    let walk = || {
        let (binaries, rest) = ArrayView::split(rest, endian)?;
        let (programs, rest) = ArrayView::split(rest, endian)?;
        let binary = |record| BinaryView::read(record, endian).is_some_and(|view| view.tail.is_empty());
        let program = |record| ProgramView::read(record, endian, version).is_some_and(|view| view.adds_up());
        Some(rest.is_empty() && binaries.adds_up(BINARY, binary) && programs.adds_up(PROGRAM, program))
    };
    walk().unwrap_or(false)
}
