//! Bytes to model. Reading ends at the first entry that is damaged or cut: all before it is there.

use super::model::{Entry, EntryFooter, EntryHeader, Vkch};
use super::raw::{AROUND, FOOTER_MARK, HEADER_MARK, INFO_MAGIC, MOST};
use crate::shared::{Opaque, fields::Record};
use unshade_bytes::{Endian, Error, ErrorKind, Reader, Result};

/// Bytes of the header, and of the footer.
const HALF: usize = AROUND / 2;

/// Whether bytes start with the entry that says what the file is, which is not packed.
pub(super) fn detect(bytes: &[u8]) -> bool {
    bytes.starts_with(&[HEADER_MARK, 0, 0, 0])
        && bytes.get(HALF..).is_some_and(|info| info.starts_with(&INFO_MAGIC))
}

/// Reads a cache.
///
/// # Errors
/// [`ErrorKind::BadMagic`] for another file.
pub fn read(bytes: &[u8]) -> Result<Vkch> {
    if !detect(bytes) {
        let found = format!("\"{}\"", bytes.get(..4).unwrap_or(bytes).escape_ascii());
        let expected = "an entry 42 00 00 00 that holds \"VKCH\"";
        return Err(Error::new(ErrorKind::BadMagic, 0, "entries[0]", expected, found).code("vkch.magic"));
    }
    let mut reader = Reader::new(bytes, Endian::Little);
    let (mut entries, mut at) = (Vec::new(), 0);
    while reader.remaining() > 0 {
        let Ok(entry) = entry(&mut reader) else { break };
        entries.push(entry);
        at = reader.position();
    }
    let rest = usize::try_from(at).ok().and_then(|at| bytes.get(at..)).unwrap_or_default();
    Ok(Vkch { entries, rest: Opaque(rest.to_vec()) })
}

/// The next entry.
///
/// # Errors
/// Where it is damaged or not whole, by the field.
pub(super) fn entry(reader: &mut Reader<'_>) -> Result<Entry> {
    let truncated = |error: Error| error.code("vkch.truncated");
    let at = reader.offset();
    let bad = |at: u64, field: &'static str, expected: String, found: String| {
        Error::new(ErrorKind::BadValue, at, field, expected, found).code("vkch.entry")
    };
    let bytes = reader.bytes(HALF as u64, "header").map_err(truncated)?;
    let header = EntryHeader::read(bytes).unwrap_or_default();
    if header.version != HEADER_MARK {
        let expected = format!("{HEADER_MARK:#x}, an entry");
        return Err(bad(at, "version", expected, format!("{:#x}", header.version)));
    }
    let size = header.entry_size as usize;
    let Some(len) = size.checked_sub(AROUND).filter(|_| size <= MOST) else {
        let expected = format!("{AROUND} to {MOST} bytes");
        return Err(bad(at.saturating_add(4), "entry_size", expected, size.to_string()));
    };
    let payload = reader.bytes(len as u64, "payload").map_err(truncated)?;
    let end = reader.offset();
    let bytes = reader.bytes(HALF as u64, "footer").map_err(truncated)?;
    let footer = EntryFooter::read(bytes).unwrap_or_default();
    let [mark, ..] = footer.version_and_number.to_le_bytes();
    if mark != FOOTER_MARK || footer.entry_size != header.entry_size {
        let expected = format!("{FOOTER_MARK:#x} and {size} bytes, as the header says");
        let found = format!("{mark:#x} and {} bytes", footer.entry_size);
        return Err(bad(end, "footer", expected, found));
    }
    Ok(Entry { header, payload: Opaque(payload.to_vec()), footer })
}
