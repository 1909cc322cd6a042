//! Bytes to an archive.

use super::{ENTRY, Entry, HEADER, MAGIC, SFAT_HEADER, SFNT_HEADER, Sarc};
use unshade_bytes::{Budget, Endian, Error, ErrorKind, Reader, Result, Under};

/// What the header says of an archive that others follow: bytes of its tables, and of all of it.
pub(crate) fn announced(bytes: &[u8]) -> Option<(usize, usize)> {
    let big = bytes.get(6..8)? == [0xfe, 0xff];
    let endian = if big { Endian::Big } else { Endian::Little };
    let mut words = Reader::new(bytes.get(8..16)?, endian);
    let (size, data) = (words.u32("size").ok()?, words.u32("data_offset").ok()?);
    let (size, data) = (usize::try_from(size).ok()?, usize::try_from(data).ok()?);
    (data <= size && size <= bytes.len()).then_some((data, size))
}

/// Reads an archive. Its bytes are borrowed; memory is taken for the table of entries alone.
///
/// # Errors
/// Where a header is not what it must be, or an entry's name or bytes lie outside of their tables. What a console
/// would only fail to find (hashes that are wrong or out of order) is for [`Sarc::check`] to say.
pub fn read(bytes: &[u8]) -> Result<Sarc<'_>> {
    let endian = match bytes.get(6..8) {
        Some([0xfe, 0xff]) => Endian::Big,
        _ => Endian::Little,
    };
    let mut reader = Reader::new(bytes, endian);
    reader.magic(&MAGIC, "magic").code("sarc.magic")?;
    header_size(&mut reader, HEADER, "header_size")?;
    let at = reader.offset();
    let mark = reader.u16("byte_order").code("sarc.header")?;
    if mark != 0xfeff {
        let found = format!("{:02x?}", bytes.get(6..8).unwrap_or_default());
        let expected = "the mark fe ff (big endian) or ff fe (little endian)";
        return Err(
            Error::new(ErrorKind::BadValue, at, "byte_order", expected, found).code("sarc.byte-order")
        );
    }
    let size = reader.u32("size").code("sarc.header")?;
    let data_at = reader.offset();
    let data_offset = reader.u32("data_offset").code("sarc.header")?;
    let version = reader.u16("version").code("sarc.header")?;
    let reserved = reader.u16("reserved").code("sarc.header")?;

    reader.magic(b"SFAT", "magic").code("sarc.sfat").under(|| "sfat")?;
    header_size(&mut reader, SFAT_HEADER, "header_size").under(|| "sfat")?;
    let count = reader.u16("count").code("sarc.sfat").under(|| "sfat")?;
    let hash_key = reader.u32("hash_key").code("sarc.sfat").under(|| "sfat")?;
    let table = reader
        .counted(reader.position(), u64::from(count), ENTRY as u64, "entries")
        .code("sarc.count")
        .under(|| "sfat")?;
    let entries_at = reader.offset();
    let mut fields = Reader::with_base(table, entries_at, endian);
    let mut entries = Vec::with_capacity(usize::from(count));
    for _ in 0..count {
        let mut word = |what| fields.u32(what).code("sarc.sfat");
        entries.push(Entry {
            hash: word("hash")?,
            attribute: word("attribute")?,
            begin: word("begin")?,
            end: word("end")?,
        });
    }
    reader.bytes(table.len() as u64, "entries").code("sarc.count")?;

    reader.magic(b"SFNT", "magic").code("sarc.sfnt").under(|| "sfnt")?;
    header_size(&mut reader, SFNT_HEADER, "header_size").under(|| "sfnt")?;
    let names_reserved = reader.u16("reserved").code("sarc.sfnt").under(|| "sfnt")?;
    let names_at = reader.offset();
    let Some(names) = u64::from(data_offset).checked_sub(names_at) else {
        let expected = format!("a place behind the tables, which end at {names_at:#x}");
        return Err(Error::new(
            ErrorKind::OutOfBounds,
            data_at,
            "data_offset",
            expected,
            format!("{data_offset:#x}"),
        )
        .code("sarc.data-offset"));
    };
    let names = match reader.bytes(names, "names") {
        Ok(names) => names,
        Err(_) => {
            let expected = format!("a place before the end at {:#x}", bytes.len());
            return Err(Error::new(
                ErrorKind::OutOfBounds,
                data_at,
                "data_offset",
                expected,
                format!("{data_offset:#x}"),
            )
            .code("sarc.data-offset"));
        }
    };
    let sarc = Sarc {
        endian,
        size,
        version,
        reserved,
        hash_key,
        names_reserved,
        entries,
        names: names.into(),
        data: reader.rest().into(),
    };
    let terminated = names.iter().rposition(|&byte| byte == 0).map_or(0, |last| last.saturating_add(1));
    // Names that share their bytes must not add up to more than a few times the table.
    let mut budget = Budget::new((names.len() as u64).saturating_mul(4).saturating_add(0x1000));
    for (index, entry) in sarc.entries.iter().enumerate() {
        let at = entries_at.saturating_add((index as u64).saturating_mul(ENTRY as u64));
        check_entry(&sarc, entry, at, terminated).under(|| format!("sfat[{index}]"))?;
        let name = sarc.name(entry).unwrap_or_default().len() as u64;
        budget.charge(name, at.saturating_add(4), "attribute").code("sarc.names")?;
    }
    Ok(sarc)
}

/// An entry whose bytes and name are there.
fn check_entry(sarc: &Sarc<'_>, entry: &Entry, at: u64, terminated: usize) -> Result<()> {
    let bad = |field: u64, kind, path, expected, found, code| {
        Err(Error::new(kind, at.saturating_add(field), path, expected, found).code(code))
    };
    if entry.begin > entry.end {
        let expected = format!("a place before the end of the file at {:#x}", entry.end);
        return bad(8, ErrorKind::BadValue, "begin", expected, format!("{:#x}", entry.begin), "sarc.range");
    }
    if entry.end as usize > sarc.data.len() {
        let expected = format!("at most {:#x}, the end of the data", sarc.data.len());
        return bad(12, ErrorKind::OutOfBounds, "end", expected, format!("{:#x}", entry.end), "sarc.range");
    }
    // The last NUL of the table ends every name that starts before it.
    if let Some(offset) = entry.name_offset().filter(|&offset| offset >= terminated) {
        let expected = format!("a name that starts and ends before {terminated:#x} of the names");
        return bad(4, ErrorKind::OutOfBounds, "attribute", expected, format!("{offset:#x}"), "sarc.name");
    }
    Ok(())
}

/// The size that a header gives of itself, which never varies.
fn header_size(reader: &mut Reader<'_>, size: usize, what: &'static str) -> Result<()> {
    let at = reader.offset();
    let found = reader.u16(what).code("sarc.header")?;
    if usize::from(found) == size {
        return Ok(());
    }
    Err(Error::new(ErrorKind::BadValue, at, what, format!("{size:#x}"), format!("{found:#x}"))
        .code("sarc.header"))
}
