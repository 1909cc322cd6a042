//! The records of an archive of sources, field for field, looked at where they lie.

use crate::formats::agl::raw::{
    ArrayView, blocks_add_up, byte_order, macros_add_up, split, symbols_add_up, word,
};
use unshade_bytes::Endian;

/// The magic number, as a number: bytes `SHAA` big endian, `AAHS` little endian.
pub const MAGIC: u32 = 0x5348_4141;
/// The lowest version whose layout is known.
pub const FIRST_VERSION: u32 = 10;
/// The highest version whose layout is known.
pub const LAST_VERSION: u32 = 13;
/// Size of the header without the name.
pub const HEADER: usize = 0x14;
/// Size and name length of a program, in front of the indices of its sources.
pub const PROGRAM: usize = 0x08;
/// Smallest source.
pub const SOURCE: usize = 0x10;
/// Smallest macro of a stage.
pub const STAGE_MACRO: usize = 0x0c;
/// Size of a record of information.
pub const INFO: usize = 0x10;

/// What programs have, by the version of their archive.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rules {
    /// Sources and arrays of macros: 3 (vertex, pixel, geometry) or 4 (and compute).
    pub stages: usize,
    /// The index of a source is the low half of its word.
    pub halves: bool,
    /// There is an array of default values.
    pub defaults: bool,
    /// There are arrays of uniforms, samplers and attributes.
    pub symbols: bool,
    /// There is one of uniform blocks between uniforms and samplers.
    pub block_symbols: bool,
    /// There is an array of blocks with their uniforms, and behind the sources one of information.
    pub blocks: bool,
}

impl Rules {
    /// Those of the known version that is nearest. `without_blocks`: the other reading of version 10.
    pub fn of(version: u32, without_blocks: bool) -> Self {
        let (defaults, blocks) = (version > FIRST_VERSION, version >= LAST_VERSION);
        Self {
            stages: if blocks { 4 } else { 3 },
            halves: blocks,
            defaults,
            symbols: !blocks,
            block_symbols: !blocks && !without_blocks,
            blocks,
        }
    }
}

/// The header of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Header {
    /// 0x04.
    pub version: u32,
    /// 0x08. Size of the file.
    pub file_size: u32,
    /// 0x0C. 1 in a little-endian file, 0 in a big-endian one.
    pub endian_word: u32,
    /// 0x10. Bytes of the name with its NUL.
    pub name_len: u32,
}

impl Header {
    /// The header at the start of `bytes` with the byte order of its magic number.
    pub fn read(bytes: &[u8]) -> Option<(Self, Endian)> {
        let endian = byte_order(bytes, MAGIC)?;
        let word = |at| word(bytes, at, endian);
        let header =
            Self { version: word(4)?, file_size: word(8)?, endian_word: word(12)?, name_len: word(16)? };
        Some((header, endian))
    }
}

/// A program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ProgramView<'a> {
    /// The name with its NUL.
    pub name: &'a [u8],
    /// A word for each stage.
    pub sources: &'a [u8],
    /// Macros that each stage is compiled with.
    pub stage_macros: [Option<ArrayView<'a>>; 4],
    /// Macros with all values.
    pub macros: ArrayView<'a>,
    /// Macros with their default value.
    pub defaults: Option<ArrayView<'a>>,
    /// Uniforms, uniform blocks, samplers, attributes.
    pub symbols: [Option<ArrayView<'a>>; 4],
    /// Blocks with their uniforms.
    pub blocks: Option<ArrayView<'a>>,
    /// Bytes behind the last array.
    pub tail: &'a [u8],
}

impl<'a> ProgramView<'a> {
    /// The program in a record; `None` where its name or its arrays do not fit.
    pub fn read(record: &'a [u8], endian: Endian, rules: Rules) -> Option<Self> {
        let name_len = word(record, 4, endian)?;
        let words = rules.stages.checked_mul(4)?;
        let (sources, rest) = record.get(PROGRAM..)?.split_at_checked(words)?;
        let (name, mut rest) = split(rest, name_len)?;
        let mut next = |there: bool| {
            let Some((array, behind)) = ArrayView::split(rest, endian).filter(|_| there) else {
                return if there { None } else { Some(None) };
            };
            rest = behind;
            Some(Some(array))
        };
        let stage_macros = [next(true)?, next(true)?, next(true)?, next(rules.stages > 3)?];
        let macros = next(true)??;
        let defaults = next(rules.defaults)?;
        let symbols =
            [next(rules.symbols)?, next(rules.block_symbols)?, next(rules.symbols)?, next(rules.symbols)?];
        let blocks = next(rules.blocks)?;
        Some(Self { name, sources, stage_macros, macros, defaults, symbols, blocks, tail: rest })
    }

    /// Whether all sizes in it add up to its last byte.
    pub fn adds_up(&self) -> bool {
        let stage_macros = |array: &ArrayView<'a>| {
            array.adds_up(STAGE_MACRO, |record| {
                StageMacroView::read(record, array.endian).is_some_and(|view| view.tail.is_empty())
            })
        };
        self.stage_macros.iter().flatten().all(stage_macros)
            && macros_add_up(&self.macros)
            && self.defaults.iter().all(macros_add_up)
            && self.symbols.iter().flatten().all(symbols_add_up)
            && self.blocks.iter().all(blocks_add_up)
            && self.tail.is_empty()
    }
}

/// A macro that a stage is compiled with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StageMacroView<'a> {
    /// The name with its NUL.
    pub name: &'a [u8],
    /// The value with its NUL.
    pub value: &'a [u8],
    /// Bytes behind the value.
    pub tail: &'a [u8],
}

impl<'a> StageMacroView<'a> {
    /// The macro in a record; `None` where its strings do not fit.
    pub fn read(record: &'a [u8], endian: Endian) -> Option<Self> {
        let (name_len, value_len) = (word(record, 4, endian)?, word(record, 8, endian)?);
        let (name, rest) = split(record.get(STAGE_MACRO..)?, name_len)?;
        let (value, tail) = split(rest, value_len)?;
        Some(Self { name, value, tail })
    }
}

/// A source.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SourceView<'a> {
    /// 0x0C. Length of the text once other texts were included; nothing reads it.
    pub raw_len: u32,
    /// The name with its NUL.
    pub name: &'a [u8],
    /// The text with its NUL.
    pub text: &'a [u8],
    /// Bytes behind the text.
    pub tail: &'a [u8],
}

impl<'a> SourceView<'a> {
    /// The source in a record; `None` where its name or its text do not fit.
    pub fn read(record: &'a [u8], endian: Endian) -> Option<Self> {
        let (name_len, text_len) = (word(record, 4, endian)?, word(record, 8, endian)?);
        let raw_len = word(record, 12, endian)?;
        let (name, rest) = split(record.get(SOURCE..)?, name_len)?;
        let (text, tail) = split(rest, text_len)?;
        Some(Self { raw_len, name, text, tail })
    }
}

/// Whether all sizes of an archive add up: `rest` is what stands behind its name.
pub fn adds_up(rest: &[u8], endian: Endian, rules: Rules) -> bool {
    let walk = || {
        let (programs, rest) = ArrayView::split(rest, endian)?;
        let (sources, rest) = ArrayView::split(rest, endian)?;
        let source = |record| SourceView::read(record, endian).is_some_and(|view| view.tail.is_empty());
        let (info, rest) = match rules.blocks {
            true => ArrayView::split(rest, endian).map(|(info, rest)| (Some(info), rest))?,
            false => (None, rest),
        };
        let info = info.is_none_or(|info| info.adds_up(INFO, |record| record.len() == INFO));
        Some(rest.is_empty() && programs_add_up(&programs, rules) && sources.adds_up(SOURCE, source) && info)
    };
    walk().unwrap_or(false)
}

/// Whether all sizes in an array of programs add up.
pub fn programs_add_up(programs: &ArrayView<'_>, rules: Rules) -> bool {
    programs.adds_up(PROGRAM, |record| {
        ProgramView::read(record, programs.endian, rules).is_some_and(|view| view.adds_up())
    })
}
