//! The records of an archive of the Switch, field for field, looked at where they lie. All numbers are little-endian.
//!
//! Facts: two independent reconstructions of the console's library and the reader of an open editor.

use crate::formats::agl::raw::{ArrayView, blocks_add_up, byte_order, macros_add_up, split, word};
use unshade_bytes::Endian;
use unshade_stage::StageKind;

/// The magic number, as a number: that of all archives of binaries.
pub const MAGIC: u32 = crate::formats::sharcfb::raw::MAGIC;
/// The version whose layout is known.
pub const VERSION: u32 = 9;
/// Size of the header, behind which the names start.
pub const HEADER: usize = 0x150;
/// What the console fills: the memory pool and the buffer of its graphics interface.
pub const RUNTIME: usize = 0x20;
/// The memory pool starts at a multiple of this, and is as long as a multiple.
pub const POOL_ALIGNMENT: u64 = 0x1000;
/// Code starts at multiples of this in the memory pool.
pub const CODE_ALIGNMENT: u64 = 0x80;
pub use crate::formats::agl::binaries::NO_BINARIES;
/// Smallest record of a binary.
pub const BINARY: usize = 0x10;
/// Smallest program.
pub const PROGRAM: usize = 0x10;
/// Bytes of an info block, and of an older one without storage blocks.
pub const INFO: usize = 0x5C;
/// See [`INFO`].
pub const OLD_INFO: usize = 0x50;

/// Bit of the header's flags: numbers are in the reader's byte order. Set in every file.
pub const NATIVE: u32 = 1;
/// Offsets were turned into pointers, which the console does.
pub const RESOLVED: u32 = 2;
/// Names of variables count from the end of the header; otherwise from the data of their binary.
pub const POOLED_NAMES: u32 = 4;
/// The number of a program is that of its one binary, whatever its stage.
pub const BY_PROGRAM: u32 = 8;

/// The header of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Header {
    /// 0x04.
    pub version: u32,
    /// 0x08. Size of the file.
    pub file_size: u32,
    /// 0x0C. See [`POOLED_NAMES`].
    pub flags: u32,
    /// 0x10. 0; the console sets it when the archive is loaded.
    pub resolved: u32,
    /// 0x14. Bytes of the names behind the header.
    pub names_len: u32,
    /// 0x18. Bytes of the memory pool.
    pub pool_size: u32,
    /// 0x1C. Offset of the memory pool in the file.
    pub pool_offset: u32,
}

impl Header {
    /// The header at the start of `bytes`.
    pub fn read(bytes: &[u8]) -> Option<Self> {
        (byte_order(bytes, MAGIC)? == Endian::Little).then_some(())?;
        let word = |at| word(bytes, at, Endian::Little);
        Some(Self {
            version: word(4)?,
            file_size: word(8)?,
            flags: word(0xC)?,
            resolved: word(0x10)?,
            names_len: word(0x14)?,
            pool_size: word(0x18)?,
            pool_offset: word(0x1C)?,
        })
    }
}

/// A binary.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BinaryView<'a> {
    /// 0x04. 0 vertex, 1 pixel, 2 geometry, 3 compute.
    pub stage: u32,
    /// 0x08. Four numbers of unknown meaning, of 12, 8, 6 and 6 bits; 0 in known files.
    pub numbers: u32,
    /// The info block and everything that it points to.
    pub data: &'a [u8],
    /// Bytes behind the data.
    pub tail: &'a [u8],
}

impl<'a> BinaryView<'a> {
    /// The binary in a record; `None` where its data does not fit.
    pub fn read(record: &'a [u8]) -> Option<Self> {
        let word = |at| word(record, at, Endian::Little);
        let (data, tail) = split(record.get(BINARY..)?, word(12)?)?;
        Some(Self { stage: word(4)?, numbers: word(8)?, data, tail })
    }
}

/// The stage of a binary's number.
pub fn stage_kind(number: u32) -> Option<StageKind> {
    Some(match number {
        0 => StageKind::Vertex,
        1 => StageKind::Fragment,
        2 => StageKind::Geometry,
        3 => StageKind::Compute,
        _ => return None,
    })
}

/// The number of a stage; `None` for one that archives do not have.
pub fn stage_number(kind: StageKind) -> Option<u32> {
    (0..4).find(|number| stage_kind(*number) == Some(kind))
}

/// The word for a stage in names of programs.
pub fn stage_word(kind: StageKind) -> &'static str {
    match kind {
        StageKind::Fragment => "pixel",
        kind => kind.name(),
    }
}

/// A table of a binary.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Table {
    /// Uniform blocks.
    Blocks,
    /// Storage blocks.
    Buffers,
    /// Inputs of vertices.
    Attributes,
    /// Uniforms.
    Uniforms,
    /// Textures with their samplers.
    Samplers,
    /// Images, as it seems: known readers pass over this table.
    Images,
}

impl Table {
    /// All of them, in the order of the info block.
    pub const ALL: [Self; 6] =
        [Self::Blocks, Self::Buffers, Self::Attributes, Self::Uniforms, Self::Samplers, Self::Images];

    /// Name in trees: `blocks`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Blocks => "blocks",
            Self::Buffers => "buffers",
            Self::Attributes => "attributes",
            Self::Uniforms => "uniforms",
            Self::Samplers => "samplers",
            Self::Images => "images",
        }
    }

    /// Bytes of an entry: name and location; of blocks their size as well.
    pub const fn entry_len(self) -> usize {
        if self.has_size() { 16 } else { 12 }
    }

    /// Whether entries say a size.
    pub const fn has_size(self) -> bool {
        matches!(self, Self::Blocks | Self::Buffers)
    }
}

/// The info block at the start of a binary's data, packed to words. Offsets count from it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Info {
    /// 0x00. Offset of the code section in the memory pool.
    pub code: u64,
    /// 0x08. Bytes of the control section.
    pub control_size: u32,
    /// 0x0C. Offset of the control section.
    pub control: u64,
    /// 0x14. Entries and offset of each table; `None` for storage blocks in an older block, which has not room for them.
    pub tables: [Option<(u32, u64)>; 6],
}

/// An entry of a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Entry {
    /// Offset of the name, see [`POOLED_NAMES`].
    pub name: u64,
    /// Location, or offset of a uniform.
    pub location: i32,
    /// Bytes of a block.
    pub size: Option<u32>,
}

impl Info {
    /// The info block of a binary's data; `None` where that is shorter.
    pub fn read(data: &[u8]) -> Option<Self> {
        let whole = Self::of(data, true);
        let old = Self::of(data, false);
        // The open editor's rule: where neither the control section nor the first table stands right behind a whole block, it
        // is an older one. Where that leads out of the data and the other reading does not, the other one counts.
        match (whole, old) {
            (Some(whole), Some(old)) => {
                let named = whole.control == 0x60 || whole.first_table() == Some(INFO as u64);
                match named || !old.fits(data) {
                    true => Some(whole),
                    false if whole.fits(data) && old.first_table() != Some(OLD_INFO as u64) => Some(whole),
                    false => Some(old),
                }
            }
            (whole, old) => whole.or(old),
        }
    }

    fn of(data: &[u8], whole: bool) -> Option<Self> {
        let word = |at| word(data, at, Endian::Little);
        let wide = |at: usize| {
            let bytes = data.get(at..)?.first_chunk()?;
            Some(u64::from_le_bytes(*bytes))
        };
        let mut info = Self { code: wide(0)?, control_size: word(8)?, control: wide(12)?, tables: [None; 6] };
        let mut at = 0x14_usize;
        for (table, place) in Table::ALL.into_iter().zip(&mut info.tables) {
            if table == Table::Buffers && !whole {
                continue;
            }
            *place = Some((word(at)?, wide(at.checked_add(4)?)?));
            at = at.checked_add(12)?;
        }
        Some(info)
    }

    /// Bytes of the block.
    pub fn len(&self) -> usize {
        match self.tables {
            [_, None, ..] => OLD_INFO,
            _ => INFO,
        }
    }

    /// Whether the block holds nothing: it never does.
    pub fn is_empty(&self) -> bool {
        false
    }

    fn first_table(&self) -> Option<u64> {
        let used = self.tables.iter().flatten().filter(|(count, _)| *count > 0);
        used.map(|(_, offset)| *offset).min()
    }

    /// Whether control section and tables lie behind the block and inside of the data.
    pub fn fits(&self, data: &[u8]) -> bool {
        let inside = |offset: u64, len: u64| {
            offset >= self.len() as u64 && offset.checked_add(len).is_some_and(|end| end <= data.len() as u64)
        };
        let tables =
            Table::ALL.into_iter().zip(&self.tables).filter_map(|(table, place)| Some((table, (*place)?)));
        let mut tables = tables.filter(|(_, (count, _))| *count > 0);
        inside(self.control, self.control_size.into())
            && tables.all(|(table, (count, offset))| {
                inside(offset, u64::from(count).saturating_mul(table.entry_len() as u64))
            })
    }

    /// Offset of the pair of count and offset of a table in the block; `None` where it has none.
    pub fn pair_at(&self, table: Table) -> Option<usize> {
        let before = Table::ALL.into_iter().zip(&self.tables).take_while(|(known, _)| *known != table);
        let before = before.filter(|(_, place)| place.is_some()).count();
        self.table(table)?;
        before.checked_mul(12)?.checked_add(0x14)
    }

    /// Entries and offset of a table.
    pub fn table(&self, table: Table) -> Option<(u32, u64)> {
        self.tables.get(table as usize).copied().flatten()
    }

    /// The bytes of a table in the data, as far as they are there.
    pub fn table_bytes<'a>(&self, data: &'a [u8], table: Table) -> &'a [u8] {
        let Some((count, offset)) = self.table(table).filter(|(count, _)| *count > 0) else { return &[] };
        let rest = usize::try_from(offset).ok().and_then(|start| data.get(start..)).unwrap_or_default();
        let len = (count as usize).saturating_mul(table.entry_len());
        let fits = rest.len().checked_div(table.entry_len()).unwrap_or(0).saturating_mul(table.entry_len());
        rest.get(..len.min(fits)).unwrap_or_default()
    }

    /// The entries of a table, as far as they are there.
    pub fn entries<'a>(&self, data: &'a [u8], table: Table) -> impl Iterator<Item = Entry> + use<'a> {
        let rows = self.table_bytes(data, table).chunks_exact(table.entry_len());
        rows.filter_map(|row| {
            Some(Entry {
                name: u64::from_le_bytes(*row.first_chunk()?),
                location: i32::from_le_bytes(*row.get(8..)?.first_chunk()?),
                size: row.get(12..)?.first_chunk().map(|bytes| u32::from_le_bytes(*bytes)),
            })
        })
    }

    /// The control section in the data, as far as it is there.
    pub fn control_in<'a>(&self, data: &'a [u8]) -> &'a [u8] {
        let start = usize::try_from(self.control).unwrap_or(usize::MAX);
        let rest = data.get(start..).unwrap_or_default();
        rest.get(..self.control_size as usize).unwrap_or(rest)
    }
}

/// A program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ProgramView<'a> {
    /// The name with its NUL.
    pub name: &'a [u8],
    /// 0x08. Bits: 1 vertex, 2 pixel, 4 geometry, 8 compute.
    pub stages: u32,
    /// 0x0C. Number of its first binary.
    pub base: u32,
    /// Macros with all values.
    pub macros: ArrayView<'a>,
    /// Macros with their default value.
    pub defaults: ArrayView<'a>,
    /// Blocks with their uniforms.
    pub blocks: ArrayView<'a>,
    /// Bytes behind the last array.
    pub tail: &'a [u8],
}

impl<'a> ProgramView<'a> {
    /// The program in a record; `None` where its name or its arrays do not fit.
    pub fn read(record: &'a [u8]) -> Option<Self> {
        let word = |at| word(record, at, Endian::Little);
        let (name, rest) = split(record.get(PROGRAM..)?, word(4)?)?;
        let (macros, rest) = ArrayView::split(rest, Endian::Little)?;
        let (defaults, rest) = ArrayView::split(rest, Endian::Little)?;
        let (blocks, tail) = ArrayView::split(rest, Endian::Little)?;
        Some(Self { name, stages: word(8)?, base: word(12)?, macros, defaults, blocks, tail })
    }

    /// Whether all sizes in it add up to its last byte.
    pub fn adds_up(&self) -> bool {
        macros_add_up(&self.macros)
            && macros_add_up(&self.defaults)
            && blocks_add_up(&self.blocks)
            && self.tail.is_empty()
    }
}

/// Whether all sizes of an archive add up: `rest` is what stands behind its names, `before` how many bytes in front of that.
pub fn adds_up(rest: &[u8], before: usize, header: &Header) -> bool {
    let walk = || {
        let (binaries, behind) = ArrayView::split(rest, Endian::Little)?;
        let (programs, behind) = ArrayView::split(behind, Endian::Little)?;
        let end = rest.len().checked_sub(behind.len())?.checked_add(before)?;
        let len = rest.len().checked_add(before)?;
        let pool = (header.pool_offset as usize).checked_add(header.pool_size as usize);
        let pool = header.pool_offset as usize >= end && pool.is_some_and(|end| end <= len);
        let binary = |record| BinaryView::read(record).is_some_and(|view| view.tail.is_empty());
        let program = |record| ProgramView::read(record).is_some_and(|view| view.adds_up());
        Some(pool && binaries.adds_up(BINARY, binary) && programs.adds_up(PROGRAM, program))
    };
    walk().unwrap_or(false)
}
