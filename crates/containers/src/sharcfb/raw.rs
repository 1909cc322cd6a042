//! The records of an archive, field for field, looked at where they lie.

use unshade_bytes::Endian;

/// The magic number, as a number: bytes `SHAB` big endian, `BAHS` little endian.
pub const MAGIC: u32 = 0x5348_4142;
/// The magic number of the text sibling `.sharc`: bytes `SHAA` or `AAHS`.
pub const TEXT_MAGIC: u32 = 0x5348_4141;
/// The version that is read.
pub const VERSION: u32 = 8;
/// Size of the header without the name.
pub const HEADER: usize = 0x18;
/// What stands in place of the name's length in archives of the Switch is at least this: an alignment.
pub const SWITCH_ALIGNMENT: u32 = 0x800;
/// Multiple of the file at which code starts.
pub const ALIGNMENT: u64 = 0x100;
/// A program without binaries.
pub const NO_BINARIES: u32 = u32::MAX;

/// Smallest record of each kind.
pub const BINARY: usize = 0x10;
/// Smallest program.
pub const PROGRAM: usize = 0x10;
/// Smallest macro.
pub const MACRO: usize = 0x10;
/// Smallest symbol.
pub const SYMBOL: usize = 0x18;

/// The word at a byte offset.
pub fn word(bytes: &[u8], at: usize, endian: Endian) -> Option<u32> {
    let bytes = bytes.get(at..)?.first_chunk()?;
    Some(match endian {
        Endian::Little => u32::from_le_bytes(*bytes),
        Endian::Big => u32::from_be_bytes(*bytes),
    })
}

/// The bytes of a word.
pub fn bytes(word: u32, endian: Endian) -> [u8; 4] {
    match endian {
        Endian::Little => word.to_le_bytes(),
        Endian::Big => word.to_be_bytes(),
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

/// The byte order in which `bytes` start with that number.
pub fn byte_order(bytes: &[u8], magic: u32) -> Option<Endian> {
    [Endian::Little, Endian::Big].into_iter().find(|&endian| word(bytes, 0, endian) == Some(magic))
}

/// Whether a file that starts so is an archive or its text sibling.
pub fn is_family(magic: &[u8; 4]) -> bool {
    [MAGIC, TEXT_MAGIC].iter().any(|known| [known.to_le_bytes(), known.to_be_bytes()].contains(magic))
}

/// Splits `len` bytes off; `None` where there are fewer.
fn split(bytes: &[u8], len: u32) -> Option<(&[u8], &[u8])> {
    bytes.split_at_checked(usize::try_from(len).ok()?)
}

/// An array of records: its size, a count, the records.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ArrayView<'a> {
    /// Size of the array with its first eight bytes, as it is stated.
    pub size: u32,
    /// How many records, as it is stated.
    pub count: u32,
    /// The records: as many bytes as the size says, or as there are.
    pub contents: &'a [u8],
    /// Byte order.
    pub endian: Endian,
}

impl<'a> ArrayView<'a> {
    /// The array at the start of `bytes`, and what follows on it. Where the size cannot be, the array has no
    /// contents (too small) or all of them (too large).
    pub fn split(bytes: &'a [u8], endian: Endian) -> Option<(Self, &'a [u8])> {
        let (size, count) = (word(bytes, 0, endian)?, word(bytes, 4, endian)?);
        let rest = bytes.get(8..)?;
        let len = (size as usize).saturating_sub(8);
        let (contents, rest) = rest.split_at_checked(len).unwrap_or((rest, &[]));
        Some((Self { size, count, contents, endian }, rest))
    }

    /// Whether the size is that of the contents.
    pub fn is_whole(&self) -> bool {
        self.contents.len().checked_add(8) == Some(self.size as usize)
    }

    /// The records, which have at least `fixed` bytes each.
    pub fn records(&self, fixed: usize) -> Records<'a> {
        Records { rest: self.contents, fixed, endian: self.endian }
    }
}

/// The records in some bytes, each with its size word. What is left where none stands any more is
/// [`Records::rest`].
#[derive(Debug, Clone, Copy)]
pub struct Records<'a> {
    rest: &'a [u8],
    fixed: usize,
    endian: Endian,
}

impl<'a> Records<'a> {
    /// What was not taken yet.
    pub fn rest(&self) -> &'a [u8] {
        self.rest
    }
}

impl<'a> Iterator for Records<'a> {
    type Item = &'a [u8];

    fn next(&mut self) -> Option<&'a [u8]> {
        let size = word(self.rest, 0, self.endian)? as usize;
        let (record, rest) = self.rest.split_at_checked(size).filter(|_| size >= self.fixed)?;
        self.rest = rest;
        Some(record)
    }
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
    /// Bytes behind the last array.
    pub tail: &'a [u8],
}

impl<'a> ProgramView<'a> {
    /// The program in a record; `None` where its name or its six arrays do not fit.
    pub fn read(record: &'a [u8], endian: Endian) -> Option<Self> {
        let name_len = word(record, 4, endian)?;
        let (stages, base) = (word(record, 8, endian)?, word(record, 12, endian)?);
        let (name, rest) = split(record.get(PROGRAM..)?, name_len)?;
        let (macros, rest) = ArrayView::split(rest, endian)?;
        let (defaults, rest) = ArrayView::split(rest, endian)?;
        let (uniforms, rest) = ArrayView::split(rest, endian)?;
        let (blocks, rest) = ArrayView::split(rest, endian)?;
        let (samplers, rest) = ArrayView::split(rest, endian)?;
        let (attributes, tail) = ArrayView::split(rest, endian)?;
        let symbols = [uniforms, blocks, samplers, attributes];
        Some(Self { stages, base, name, macros, defaults, symbols, tail })
    }

    /// Binaries of one variation: 3 where the program has a geometry shader, else 2.
    pub fn binaries_per_variation(&self) -> u32 {
        if self.stages & 4 != 0 { 3 } else { 2 }
    }
}

/// A macro with its values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MacroView<'a> {
    /// The name with its NUL.
    pub name: &'a [u8],
    /// 0x08. How many values.
    pub count: u32,
    /// The values, each with its NUL, one after the other.
    pub values: &'a [u8],
    /// Its other name, with its NUL.
    pub id: &'a [u8],
}

impl<'a> MacroView<'a> {
    /// The macro in a record; `None` where its strings do not fit.
    pub fn read(record: &'a [u8], endian: Endian) -> Option<Self> {
        let (name_len, count) = (word(record, 4, endian)?, word(record, 8, endian)?);
        let id_len = word(record, 12, endian)? as usize;
        let (name, rest) = split(record.get(MACRO..)?, name_len)?;
        let (values, id) = rest.split_at_checked(rest.len().checked_sub(id_len)?)?;
        Some(Self { name, count, values, id })
    }

    /// The values, without their NUL.
    pub fn values(&self) -> impl Iterator<Item = &'a [u8]> + use<'a> {
        values(self.values, self.count)
    }
}

/// The strings of a block of values. Where there are more than `count`, the empty ones are passed over, as the
/// console does.
pub fn values(block: &[u8], count: u32) -> impl Iterator<Item = &[u8]> {
    let strings = || block.split_inclusive(|&byte| byte == 0).filter_map(|text| text.strip_suffix(&[0]));
    let all = strings().count() == count as usize;
    strings().filter(move |text| all || !text.is_empty()).take(count as usize)
}

/// A symbol.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SymbolView<'a> {
    /// 0x04. Uniforms: byte offset in their block or -1; blocks: size in bytes; others -1.
    pub offset: u32,
    /// Name in the shader's source, with its NUL.
    pub name: &'a [u8],
    /// Its other name, with its NUL.
    pub id: &'a [u8],
    /// The default value. Of uniforms words in the file's byte order, of blocks always little-endian ones.
    pub default: &'a [u8],
    /// A byte for each variation: 1 where it is used.
    pub flags: &'a [u8],
    /// Bytes behind the flags.
    pub tail: &'a [u8],
}

impl<'a> SymbolView<'a> {
    /// The symbol in a record; `None` where its parts do not fit.
    pub fn read(record: &'a [u8], endian: Endian) -> Option<Self> {
        let word = |at| word(record, at, endian);
        let (name, rest) = split(record.get(SYMBOL..)?, word(8)?)?;
        let (id, rest) = split(rest, word(12)?)?;
        let (default, rest) = split(rest, word(16)?)?;
        let (flags, tail) = split(rest, word(20)?)?;
        Some(Self { offset: word(4)?, name, id, default, flags, tail })
    }
}

/// A string up to its first NUL; all of it where it has none.
pub fn text(bytes: &[u8]) -> &[u8] {
    bytes.split(|&byte| byte == 0).next().unwrap_or_default()
}
