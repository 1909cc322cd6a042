//! The records that archives share, field for field, looked at where they lie.

use unshade_bytes::Endian;

/// Smallest macro.
pub const MACRO: usize = 0x10;
/// Smallest symbol.
pub const SYMBOL: usize = 0x18;
/// Smallest block with the array of its uniforms.
pub const BLOCK: usize = 0x0c;
/// Smallest uniform of a block.
pub const UNIFORM: usize = 0x0c;

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

/// The byte order in which `bytes` start with that number.
pub fn byte_order(bytes: &[u8], magic: u32) -> Option<Endian> {
    [Endian::Little, Endian::Big].into_iter().find(|&endian| word(bytes, 0, endian) == Some(magic))
}

/// Splits `len` bytes off; `None` where there are fewer.
pub(crate) fn split(bytes: &[u8], len: u32) -> Option<(&[u8], &[u8])> {
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

    /// Whether the size is that of the contents, and these are as many records as the count says, each of at least
    /// `fixed` bytes and one that `holds`.
    pub fn adds_up(&self, fixed: usize, mut holds: impl FnMut(&'a [u8]) -> bool) -> bool {
        let mut records = self.records(fixed);
        let mut count = 0_u64;
        for record in records.by_ref() {
            count = count.saturating_add(1);
            if !holds(record) {
                return false;
            }
        }
        self.is_whole() && count == u64::from(self.count) && records.rest().is_empty()
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

/// A section of which only the size is sure: the size, which counts itself, and bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SectionView<'a> {
    /// Size of the section with its first four bytes, as it is stated.
    pub size: u32,
    /// What is in it: as many bytes as the size says, or as there are.
    pub contents: &'a [u8],
}

impl<'a> SectionView<'a> {
    /// The section at the start of `bytes`, and what follows on it. Where the size cannot be, it has no contents (too
    /// small) or all of them (too large).
    pub fn split(bytes: &'a [u8], endian: Endian) -> Option<(Self, &'a [u8])> {
        let size = word(bytes, 0, endian)?;
        let rest = bytes.get(4..)?;
        let len = (size as usize).saturating_sub(4);
        let (contents, rest) = rest.split_at_checked(len).unwrap_or((rest, &[]));
        Some((Self { size, contents }, rest))
    }

    /// Whether the size is that of the contents.
    pub fn is_whole(&self) -> bool {
        self.contents.len().checked_add(4) == Some(self.size as usize)
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

    /// Whether there are as many values as it says, each with its NUL.
    pub fn adds_up(&self) -> bool {
        let count = self.values.iter().filter(|&&byte| byte == 0).count();
        count == self.count as usize && self.values.last().is_none_or(|&last| last == 0)
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

/// A block with its uniforms.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BlockView<'a> {
    /// 0x04. Location of the block.
    pub location: u32,
    /// The name with its NUL.
    pub name: &'a [u8],
    /// Its uniforms.
    pub uniforms: ArrayView<'a>,
    /// Bytes behind the uniforms.
    pub tail: &'a [u8],
}

impl<'a> BlockView<'a> {
    /// The block in a record; `None` where its name or the array of its uniforms do not fit.
    pub fn read(record: &'a [u8], endian: Endian) -> Option<Self> {
        let (location, name_len) = (word(record, 4, endian)?, word(record, 8, endian)?);
        let (name, rest) = split(record.get(BLOCK..)?, name_len)?;
        let (uniforms, tail) = ArrayView::split(rest, endian)?;
        Some(Self { location, name, uniforms, tail })
    }
}

/// Whether all sizes in an array of macros add up.
pub fn macros_add_up(array: &ArrayView<'_>) -> bool {
    array.adds_up(MACRO, |record| MacroView::read(record, array.endian).is_some_and(|view| view.adds_up()))
}

/// Whether all sizes in an array of symbols add up.
pub fn symbols_add_up(array: &ArrayView<'_>) -> bool {
    array.adds_up(SYMBOL, |record| {
        SymbolView::read(record, array.endian).is_some_and(|view| view.tail.is_empty())
    })
}

/// Whether all sizes in an array of blocks add up.
pub fn blocks_add_up(array: &ArrayView<'_>) -> bool {
    array.adds_up(BLOCK, |record| {
        let whole = |view: BlockView<'_>| {
            let uniform = |record| UniformView::read(record, array.endian);
            view.tail.is_empty()
                && view.uniforms.adds_up(UNIFORM, |record| uniform(record).is_some_and(|u| u.tail.is_empty()))
        };
        BlockView::read(record, array.endian).is_some_and(whole)
    })
}

/// A uniform of a block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct UniformView<'a> {
    /// 0x04. Its location, or its byte offset in the block.
    pub location: u32,
    /// The name with its NUL.
    pub name: &'a [u8],
    /// Bytes behind the name.
    pub tail: &'a [u8],
}

impl<'a> UniformView<'a> {
    /// The uniform in a record; `None` where its name does not fit.
    pub fn read(record: &'a [u8], endian: Endian) -> Option<Self> {
        let (location, name_len) = (word(record, 4, endian)?, word(record, 8, endian)?);
        let (name, tail) = split(record.get(UNIFORM..)?, name_len)?;
        Some(Self { location, name, tail })
    }
}

/// A string up to its first NUL; all of it where it has none.
pub fn text(bytes: &[u8]) -> &[u8] {
    bytes.split(|&byte| byte == 0).next().unwrap_or_default()
}
