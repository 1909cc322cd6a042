//! Bytes to model. Reading ends at the first entry that is damaged or cut: all before it is there.

use super::model::{Citra, Entry, EntryHeader};
use super::raw::{HEADER_LEN, REGISTERS, VERSION, VERTEX, WORDS};
use crate::shared::{Opaque, fields::Record};
use unshade_bytes::{Endian, Error, ErrorKind, Reader, Result};

/// Whether bytes start as a cache does: nothing in it is there to be known by, so its first entry has to be one.
pub(super) fn detect(bytes: &[u8]) -> bool {
    let version = bytes.first_chunk().map(|word| u32::from_le_bytes(*word));
    let header = bytes.get(4..).and_then(|rest| EntryHeader::read(rest.get(..HEADER_LEN)?));
    version == Some(VERSION)
        && header.is_some_and(|header| {
            header.kind == 0 && header.program_type <= 2 && header.register_count.0 == REGISTERS
        })
}

/// Reads a cache.
///
/// # Errors
/// [`ErrorKind::BadMagic`] for another file.
pub fn read(bytes: &[u8]) -> Result<Citra> {
    if !detect(bytes) {
        let expected = "version 1 and an entry with 0x300 registers";
        let found = format!("\"{}\"", bytes.get(..8).unwrap_or(bytes).escape_ascii());
        return Err(Error::new(ErrorKind::BadMagic, 0, "version", expected, found).code("citra.version"));
    }
    let mut reader = Reader::new(bytes, Endian::Little).at(4, "entries")?;
    let mut entries = Vec::new();
    let mut at = reader.position();
    while reader.remaining() > 0 {
        let Ok(entry) = entry(&mut reader) else { break };
        entries.push(entry);
        at = reader.position();
    }
    let rest = usize::try_from(at).ok().and_then(|at| bytes.get(at..)).unwrap_or_default();
    Ok(Citra { version: VERSION, entries, rest: Opaque(rest.to_vec()) })
}

/// The next entry.
///
/// # Errors
/// Where it is damaged or not whole, by the field.
pub(super) fn entry(reader: &mut Reader<'_>) -> Result<Entry> {
    let truncated = |error: Error| error.code("citra.truncated");
    let at = reader.offset();
    let bytes = reader.bytes(HEADER_LEN as u64, "header").map_err(truncated)?;
    let header = EntryHeader::read(bytes).unwrap_or_default();
    let bad = |offset: u64, field: &'static str, expected: &'static str, found: String| {
        let at = at.saturating_add(offset);
        Err(Error::new(ErrorKind::BadValue, at, field, expected, found).code("citra.entry"))
    };
    if header.kind != 0 {
        return bad(0, "kind", "0, an entry with registers", header.kind.to_string());
    }
    if header.program_type > 2 {
        return bad(
            12,
            "program_type",
            "0 vertex, 1 fragment or 2 geometry",
            header.program_type.to_string(),
        );
    }
    if header.register_count.0 != REGISTERS {
        return bad(16, "register_count", "0x300 registers", format!("{:#x}", header.register_count.0));
    }
    let registers = reader.bytes(REGISTERS.saturating_mul(4), "registers").map_err(truncated)?;
    let mut program_code = &[][..];
    if header.program_type == VERTEX {
        let at = reader.offset();
        let count = reader.u64("word_count").map_err(truncated)?;
        if count != WORDS {
            let error = Error::new(ErrorKind::BadValue, at, "word_count", "8192 words", count.to_string());
            return Err(error.code("citra.entry"));
        }
        program_code = reader.bytes(WORDS.saturating_mul(4), "program_code").map_err(truncated)?;
    }
    let (registers, program_code) = (Opaque(registers.to_vec()), Opaque(program_code.to_vec()));
    Ok(Entry { header, registers, program_code })
}
