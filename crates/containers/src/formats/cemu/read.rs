//! Bytes to model. The table has to be there; what its entries say is for `check` to judge.

use super::model::{Cemu, StoreEntry, StoreHeader};
use super::raw::{ENTRY_LEN, HEADER_LEN, version};
use crate::formats::zstd::Dictionaries;
use crate::shared::{Opaque, fields::Record};
use unshade_bytes::{Error, ErrorKind, Result};

/// Reads a cache.
///
/// # Errors
/// [`ErrorKind::BadMagic`] for another file; [`ErrorKind::Truncated`] for one without a whole header or table;
/// [`ErrorKind::OutOfBounds`] where the table lies in the header.
pub fn read(bytes: &[u8]) -> Result<Cemu> {
    let Some((header, _)) = bytes.split_at_checked(HEADER_LEN) else {
        let found = format!("{} bytes", bytes.len());
        let expected = format!("a header of {HEADER_LEN} bytes and more");
        return Err(Error::new(ErrorKind::Truncated, 0, "header", expected, found).code("cemu.truncated"));
    };
    let header = StoreHeader::read(header).unwrap_or_default();
    if version(header.magic).is_none() {
        let expected = "8371b694, 8371b695 or 8371b696";
        let found = format!("{:08x}", header.magic);
        return Err(Error::new(ErrorKind::BadMagic, 0, "magic", expected, found).code("cemu.magic"));
    }
    let at = header.data_offset.0.checked_add(header.file_table_offset.0);
    let start = at.and_then(|at| usize::try_from(at).ok()).filter(|start| *start >= HEADER_LEN);
    let end = start.and_then(|start| start.checked_add(header.file_table_size as usize));
    let parts = start.zip(end).and_then(|(start, end)| {
        Some((bytes.get(HEADER_LEN..start)?, bytes.get(start..end)?, bytes.get(end..)?))
    });
    let Some((before, table, rest)) = parts else {
        let expected = format!("a table behind the header and in front of the end at {:#x}", bytes.len());
        let found = format!(
            "{} bytes at {:#x} of the data at {:#x}",
            header.file_table_size, header.file_table_offset.0, header.data_offset.0
        );
        let kind = if start.is_none() { ErrorKind::OutOfBounds } else { ErrorKind::Truncated };
        return Err(Error::new(kind, 16, "file_table_offset", expected, found).code("cemu.table"));
    };
    let (entries, odd) = table.as_chunks::<ENTRY_LEN>();
    Ok(Cemu {
        header,
        before: Opaque(before.to_vec()),
        entries: entries.iter().filter_map(|entry| StoreEntry::read(entry)).collect(),
        behind: Opaque([odd, rest].concat()),
        dictionaries: Dictionaries::default(),
    })
}
