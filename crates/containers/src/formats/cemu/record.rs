//! A record of the store: one program of the game with the state that it was drawn with. Big endian.

use super::model::{Cemu, StoreEntry};
use super::raw::{ENTRY_LEN, HEADER_LEN, MOST_CODE, MOST_RECORD, TABLE_NAMES};
use super::registers::Registers;
use crate::formats::caches::Wide;
use crate::formats::caches::packed::inflate;
use crate::formats::zstd::{self, Dictionaries};
use std::borrow::Cow;
use unshade_bytes::{Endian, Error, ErrorKind, Reader, Result, Under};

/// What a record holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// A vertex program, and the fetch program in front of it.
    Vertex,
    /// A geometry program, and the copy program behind it.
    Geometry,
    /// A pixel program.
    Pixel,
}

impl Kind {
    /// The kind with that number.
    pub fn of(number: u8) -> Option<Self> {
        match number {
            0 => Some(Self::Vertex),
            1 => Some(Self::Geometry),
            2 => Some(Self::Pixel),
            _ => None,
        }
    }

    /// The end of the name that the emulator gives to programs of the kind.
    pub fn suffix(self) -> &'static str {
        match self {
            Self::Vertex => "vs",
            Self::Geometry => "gs",
            Self::Pixel => "ps",
        }
    }
}

/// A packed part of a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Packed<'r> {
    /// Where the frame starts in the record, in bytes.
    pub at: u64,
    /// Bytes unpacked, where the record says it.
    pub size: Option<u32>,
    /// The frame.
    pub frame: &'r [u8],
}

/// A record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Record<'r> {
    /// What it holds.
    pub kind: Kind,
    /// Hash of the program and what it was made for.
    pub base: Wide,
    /// Hash of the rest of what it was made for.
    pub aux: Wide,
    /// Vertex and pixel programs: a geometry program is between them. Geometry programs: parameters that the vertex program
    /// hands over.
    pub geometry: u16,
    /// The registers of the machine.
    pub registers: Packed<'r>,
    /// The programs: of a vertex record fetch and vertex, of a geometry record copy and geometry, of a pixel record pixel.
    pub programs: Vec<Packed<'r>>,
}

impl<'r> Record<'r> {
    /// Reads a record, all of it.
    ///
    /// # Errors
    /// Where it is of another version, ends early, or goes on. Offsets count from its start.
    pub fn read(bytes: &'r [u8]) -> Result<Self> {
        let mut reader = Reader::new(bytes, Endian::Big);
        let truncated = |error: Error| error.code("cemu.record");
        let bad = |at: u64, field: &'static str, expected: String, found: String| {
            Error::new(ErrorKind::BadValue, at, field, expected, found).code("cemu.record")
        };
        let first = reader.u8("kind").map_err(truncated)?;
        let Some(kind) = Kind::of(first >> 4).filter(|_| first & 15 == 1) else {
            let expected = "01 (vertex), 11 (geometry) or 21 (pixel): a record of version 1".to_owned();
            return Err(bad(0, "kind", expected, format!("{first:02x}")));
        };
        let base = Wide(reader.u64("base_hash").map_err(truncated)?);
        let aux = Wide(reader.u64("aux_hash").map_err(truncated)?);
        let geometry = match kind {
            Kind::Geometry => reader.u16("ring_parameters").map_err(truncated)?,
            _ => reader.u8("uses_geometry").map_err(truncated)?.into(),
        };
        let version = |reader: &mut Reader<'_>, field: &'static str| {
            let at = reader.offset();
            let version = reader.u8(field).map_err(truncated)?;
            if version == 1 {
                Ok(())
            } else {
                Err(bad(at, field, "1, the version".into(), version.to_string()))
            }
        };
        version(&mut reader, "registers")?;
        let size = reader.u16("registers").map_err(truncated)?;
        let at = reader.offset();
        let frame = reader.bytes(size.into(), "registers").map_err(truncated)?;
        let registers = Packed { at, size: None, frame };
        let count = if kind == Kind::Pixel { 1 } else { 2 };
        let mut programs = Vec::new();
        for index in 0..count {
            version(&mut reader, "program")?;
            let size = reader.u32("program").map_err(truncated)?;
            let packed = reader.u32("program").map_err(truncated)?;
            let at = reader.offset();
            let frame = reader
                .bytes(packed.into(), "program")
                .under(|| format!("programs[{index}]"))
                .map_err(truncated)?;
            programs.push(Packed { at, size: Some(size), frame });
        }
        if reader.remaining() > 0 {
            let found = format!("{} more bytes", reader.remaining());
            return Err(bad(reader.offset(), "end", "the end of the record".to_owned(), found));
        }
        Ok(Self { kind, base, aux, geometry, registers, programs })
    }

    /// What the emulator calls it in names of files: `BASE_AUX_ps`.
    pub fn name(&self) -> String {
        format!("{}_{}_{}", self.base, self.aux, self.kind.suffix())
    }

    /// The program that the record is named for, and the one with it.
    pub fn program(&self) -> (Option<Packed<'r>>, Option<Packed<'r>>) {
        match self.programs.as_slice() {
            [with, program] => (Some(*program), Some(*with)),
            [program] => (Some(*program), None),
            _ => (None, None),
        }
    }

    /// The registers.
    ///
    /// # Errors
    /// Where their dictionary is missing, or they are damaged. Offsets count from the start of the record.
    pub fn state(&self, dictionaries: &Dictionaries) -> Result<Registers> {
        let limit = super::raw::MOST_REGISTERS;
        let unpacked = unpack(&self.registers, limit, dictionaries).under(|| "registers")?;
        Registers::of_runs(&unpacked).map_err(|error| error.moved(self.registers.at)).under(|| "registers")
    }
}

/// What a frame holds.
///
/// # Errors
/// What the reader of frames says; [`ErrorKind::BadValue`] where there is another number of bytes than was said.
pub(super) fn unpack(packed: &Packed<'_>, limit: u64, dictionaries: &Dictionaries) -> Result<Vec<u8>> {
    let limit = packed.size.map_or(limit, |size| limit.min(size.into()));
    let unpacked = zstd::read_within(packed.frame, limit, dictionaries).map_err(|error| {
        let kind = error.kind;
        let code = if kind == ErrorKind::Unsupported { "cemu.dictionary" } else { "cemu.packed" };
        error.moved(packed.at).code(code)
    })?;
    if let Some(size) = packed.size
        && unpacked.data.len() as u64 != u64::from(size)
    {
        let found = unpacked.data.len().to_string();
        let expected = format!("{size} bytes, as the record says");
        return Err(Error::new(ErrorKind::BadValue, packed.at, "size", expected, found).code("cemu.packed"));
    }
    Ok(unpacked.data)
}

/// What a program holds.
///
/// # Errors
/// As [`unpack`].
pub(super) fn code(packed: &Packed<'_>, dictionaries: &Dictionaries) -> Result<Vec<u8>> {
    unpack(packed, MOST_CODE, dictionaries)
}

impl StoreEntry {
    /// Whether it stands for nothing, or for the table.
    pub fn is_free(&self) -> bool {
        let names = (self.name1.0, self.name2.0);
        names == (0, 0) || names == TABLE_NAMES
    }

    /// The kind of program in its first name, as the emulator puts it there.
    pub fn kind(&self) -> Option<Kind> {
        Kind::of(u8::try_from(self.name1.0 >> 61).unwrap_or(u8::MAX))
    }
}

impl Cemu {
    /// Where the data starts, in bytes.
    fn place(&self, entry: &StoreEntry) -> Option<u64> {
        self.header.data_offset.0.checked_add(entry.offset.0)
    }

    /// The bytes of an entry as they stand, with their place in the file.
    ///
    /// # Errors
    /// Where they do not lie in the file, or in the table.
    pub fn stored(&self, index: usize) -> Result<(u64, &[u8])> {
        let entry = self.entries.get(index);
        let table = HEADER_LEN.saturating_add(self.before.len());
        let end = table.saturating_add(self.entries.len().saturating_mul(ENTRY_LEN));
        let piece = |start: usize, size: usize| match start.checked_sub(end) {
            Some(start) => self.behind.get(start..start.checked_add(size)?),
            None => {
                let start = start.checked_sub(HEADER_LEN)?;
                self.before.get(start..start.checked_add(size)?)
            }
        };
        let found = entry.and_then(|entry| {
            let at = self.place(entry)?;
            Some((at, piece(usize::try_from(at).ok()?, entry.size as usize)?))
        });
        found.ok_or_else(|| {
            let at = table.saturating_add(index.saturating_mul(ENTRY_LEN)).saturating_add(16);
            let (offset, size) = entry.map_or((0, 0), |entry| (entry.offset.0, entry.size));
            let expected = "a place beside the table and in front of the end of the file";
            let found = format!("{size} bytes at {offset:#x} of the data");
            let path = format!("entries[{index}].offset");
            Error::new(ErrorKind::OutOfBounds, at as u64, path, expected, found).code("cemu.place")
        })
    }

    /// Whether the record of an entry is packed as a whole.
    pub(super) fn is_packed(&self, index: usize) -> bool {
        super::raw::version(self.header.magic) == Some(3)
            && self.entries.get(index).is_some_and(|entry| entry.flags & 1 != 0)
    }

    /// Bytes that [`Cemu::record_bytes`] may unpack.
    pub(super) fn record_cost(&self, index: usize) -> u64 {
        let said =
            self.stored(index).ok().and_then(|(_, stored)| Some(u32::from_be_bytes(*stored.first_chunk()?)));
        said.filter(|_| self.is_packed(index)).map_or(0, |size| u64::from(size).min(MOST_RECORD as u64))
    }

    /// The record of an entry, unpacked where the store packs its files, and its place.
    ///
    /// # Errors
    /// As [`Cemu::stored`], and where it does not unpack.
    pub fn record_bytes(&self, index: usize) -> Result<(u64, Cow<'_, [u8]>)> {
        let (at, stored) = self.stored(index)?;
        if !self.is_packed(index) {
            return Ok((at, stored.into()));
        }
        let bad = |found: String, expected: String| {
            let path = format!("records[{index}]");
            Error::new(ErrorKind::BadValue, at, path, expected, found).code("cemu.packed")
        };
        let Some((size, stream)) = stored.split_first_chunk::<4>() else {
            return Err(bad(format!("{} bytes", stored.len()), "a size and a zlib stream".to_owned()));
        };
        let size = u32::from_be_bytes(*size) as usize;
        if size > MOST_RECORD {
            return Err(bad(format!("{size} bytes"), format!("a record of at most {MOST_RECORD} bytes")));
        }
        let unpacked = inflate(stream, size, true);
        if unpacked.bytes.len() != size {
            let found = format!("{}: {}", unpacked.bytes.len(), unpacked.damage.unwrap_or("the stream ends"));
            return Err(bad(found, format!("{size} bytes in a zlib stream")));
        }
        Ok((at, unpacked.bytes.into()))
    }
}
