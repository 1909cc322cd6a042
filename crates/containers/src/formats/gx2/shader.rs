//! A GX2 structure with its tables and names, looked at where it lies. Nothing is copied; what points outside of
//! the data is not there.

use super::structure::{Member, ShaderKind, TableKind};
use unshade_bytes::{Endian, meter};

/// How a file stores structures.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Form {
    /// Byte order of the structure and its tables. Loop variables are always big endian, code little.
    pub endian: Endian,
    /// Pointers carry a tag in their upper twelve bits ([`Form::DATA`], [`Form::TEXT`]), as in GFD files;
    /// otherwise they are offsets.
    pub tagged: bool,
}

impl Form {
    /// As in GFD files (`.gsh`).
    pub const GFD: Self = Self { endian: Endian::Big, tagged: true };
    /// Tag of pointers to structures, tables and patches.
    pub const DATA: u32 = 0xD060_0000;
    /// Tag of pointers to text.
    pub const TEXT: u32 = 0xCA70_0000;
    /// The bits of a pointer that are its tag.
    pub const TAG: u32 = 0xFFF0_0000;

    /// As in a SHARCFB of that byte order.
    pub const fn sharcfb(endian: Endian) -> Self {
        Self { endian, tagged: false }
    }

    /// The offset that a pointer to data means; `None` for one with another tag.
    pub fn data(self, pointer: u32) -> Option<usize> {
        self.offset(pointer, Self::DATA)
    }

    /// The offset that a pointer to text means; `None` for one with another tag.
    pub fn text(self, pointer: u32) -> Option<usize> {
        self.offset(pointer, Self::TEXT)
    }

    fn offset(self, pointer: u32, tag: u32) -> Option<usize> {
        match self.tagged {
            false => usize::try_from(pointer).ok(),
            true if pointer & Self::TAG == tag => usize::try_from(pointer & !Self::TAG).ok(),
            true => None,
        }
    }

    /// The pointer to data at `offset`.
    pub fn data_pointer(self, offset: u32) -> u32 {
        if self.tagged { offset | Self::DATA } else { offset }
    }

    /// The pointer to text at `offset`.
    pub fn text_pointer(self, offset: u32) -> u32 {
        if self.tagged { offset | Self::TEXT } else { offset }
    }

    /// A word of a structure or table.
    pub fn word(self, bytes: [u8; 4]) -> u32 {
        match self.endian {
            Endian::Little => u32::from_le_bytes(bytes),
            Endian::Big => u32::from_be_bytes(bytes),
        }
    }

    /// The bytes of a word of a structure or table.
    pub fn bytes(self, word: u32) -> [u8; 4] {
        match self.endian {
            Endian::Little => word.to_le_bytes(),
            Endian::Big => word.to_be_bytes(),
        }
    }
}

/// A structure at the start of its data.
#[derive(Debug, Clone, Copy)]
pub struct Shader<'a> {
    /// Which structure.
    pub kind: ShaderKind,
    /// How it is stored.
    pub form: Form,
    /// Everything that its pointers count in.
    pub data: &'a [u8],
}

/// A table as its structure states it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stated {
    /// Number of entries.
    pub count: u32,
    /// The pointer, as it stands there.
    pub pointer: u32,
}

impl<'a> Shader<'a> {
    /// The structure at the start of `data`; `None` where it is cut.
    pub fn new(kind: ShaderKind, form: Form, data: &'a [u8]) -> Option<Self> {
        (data.len() >= kind.size()).then_some(Self { kind, form, data })
    }

    /// The word at a byte offset of the data.
    pub fn word_at(&self, offset: usize) -> Option<u32> {
        let bytes = self.data.get(offset..)?.first_chunk()?;
        meter::charge(1);
        Some(self.form.word(*bytes))
    }

    /// A word of the structure by its number; 0 behind its end.
    pub fn word(&self, number: u16) -> u32 {
        self.word_at(usize::from(number).saturating_mul(4)).unwrap_or(0)
    }

    /// The word that is `member`; 0 where the structure has none.
    pub fn member(&self, member: Member) -> u32 {
        self.kind.row(member).map_or(0, |row| self.word(row.word))
    }

    /// The `index`th word of the row of that name; 0 where there is none.
    pub fn named(&self, name: &str, index: u16) -> u32 {
        let row = self.kind.row_named(name).filter(|row| index < row.count);
        row.map_or(0, |row| self.word(row.word.saturating_add(index)))
    }

    /// What the structure says of a table.
    pub fn stated(&self, table: TableKind) -> Stated {
        Stated { count: self.member(Member::Count(table)), pointer: self.member(Member::Pointer(table)) }
    }

    /// The bytes of a table with their offset: all of its entries. `None` for one without entries, and for
    /// one that does not lie in the data.
    pub fn table(&self, table: TableKind) -> Option<(usize, &'a [u8])> {
        let stated = self.stated(table);
        if stated.count == 0 {
            return None;
        }
        let at = self.form.data(stated.pointer)?;
        let size = usize::try_from(stated.count).ok()?.checked_mul(table.entry_size())?;
        Some((at, self.data.get(at..at.checked_add(size)?)?))
    }

    /// The entries of a table, each with its offset in the data.
    pub fn entries(&self, table: TableKind) -> impl ExactSizeIterator<Item = Entry<'a>> + use<'a> {
        let (at, bytes) = self.table(table).unwrap_or((0, &[]));
        let form = match table {
            TableKind::Loops => Form { endian: Endian::Big, ..self.form },
            _ => self.form,
        };
        let size = table.entry_size();
        bytes.chunks_exact(size).enumerate().map(move |(index, bytes)| Entry {
            offset: at.saturating_add(index.saturating_mul(size)),
            bytes,
            form,
        })
    }

    /// The text that a pointer names, without its NUL; `None` where it lies outside of the data or has no NUL.
    /// It takes the time that the text is long.
    pub fn text(&self, pointer: u32) -> Option<&'a [u8]> {
        let rest = self.data.get(self.form.text(pointer)?..)?;
        rest.get(..rest.iter().position(|&byte| byte == 0)?)
    }

    /// The text that a pointer names for people: at most [`Limits::name`](unshade_bytes::Limits::name) bytes
    /// are looked at. `None` where it starts outside of the data.
    pub fn short_text(&self, pointer: u32) -> Option<&'a [u8]> {
        let rest = self.data.get(self.form.text(pointer)?..).filter(|rest| !rest.is_empty())?;
        let near = rest.get(..unshade_bytes::Limits::DEFAULT.name).unwrap_or(rest);
        let end = near.iter().position(|&byte| byte == 0).unwrap_or(near.len());
        near.get(..end)
    }

    /// Offset and size of the program in the data, as the structure states them. In GFD files the program is
    /// a block of its own: then only the size says something.
    pub fn code(&self) -> (usize, usize) {
        (self.member(Member::CodePointer) as usize, self.member(Member::CodeSize) as usize)
    }

    /// Offset and size of the copy program of a geometry shader.
    pub fn copy(&self) -> (usize, usize) {
        (self.member(Member::CopyPointer) as usize, self.member(Member::CopySize) as usize)
    }
}

/// An entry of a table.
#[derive(Debug, Clone, Copy)]
pub struct Entry<'a> {
    /// Where it is in the data.
    pub offset: usize,
    bytes: &'a [u8],
    form: Form,
}

impl Entry<'_> {
    /// A word of the entry by its number; 0 behind its end.
    pub fn word(&self, number: usize) -> u32 {
        self.bytes.as_chunks().0.get(number).map_or(0, |bytes| self.form.word(*bytes))
    }

    /// The words of the entry.
    pub fn words(&self) -> impl ExactSizeIterator<Item = u32> {
        let form = self.form;
        self.bytes.as_chunks().0.iter().map(move |bytes| form.word(*bytes))
    }
}

/// The words of a program. Code is little endian in every file; what is less than a word at the end is left out.
pub fn code_words(bytes: &[u8]) -> Vec<u32> {
    bytes.as_chunks::<4>().0.iter().map(|word| u32::from_le_bytes(*word)).collect()
}

/// The bytes of a program.
pub fn code_bytes(words: &[u32]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}
