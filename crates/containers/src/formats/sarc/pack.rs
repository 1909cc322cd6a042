//! Files to an archive that had none before.

use super::{ENTRY, Entry, HASH_KEY, HEADER, MOST_ENTRIES, SFAT_HEADER, SFNT_HEADER, Sarc, alignment, hash};
use crate::shared::Name;
use std::collections::BTreeMap;
use unshade_bytes::{Endian, Error, ErrorKind, Result};

/// A file to put into an archive.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct File<'a> {
    /// Its name; or its hash, for archives that hold no names.
    pub name: std::result::Result<Name, u32>,
    /// Its bytes.
    pub data: &'a [u8],
    /// Alignment beside what its kind asks for; a power of two, or 0 for none.
    pub alignment: u32,
}

/// An archive of these files: ordered by hash, then by name, each at the multiple that its kind asks for, zeros
/// between them. `key` is the hash's multiplier, [`HASH_KEY`] everywhere so far.
///
/// # Errors
/// [`ErrorKind::Unrepresentable`] for a NUL in a name, two files of one name, [`MOST_ENTRIES`] files and more, and more
/// names or bytes than the fields can say.
pub fn pack(endian: Endian, key: u32, files: &[File<'_>]) -> Result<Sarc<'static>> {
    let bad = |path: &'static str, expected: &'static str, found: String| {
        Error::new(ErrorKind::Unrepresentable, 0, path, expected, found).code("sarc.pack")
    };
    if files.len() >= MOST_ENTRIES {
        return Err(bad("sfat.count", "fewer than 16384 files", files.len().to_string()));
    }
    let mut sorted: Vec<(u32, Option<&Name>, &File<'_>)> = files
        .iter()
        .map(|file| match &file.name {
            Ok(name) => (hash(name, key), Some(name), file),
            Err(hash) => (*hash, None, file),
        })
        .collect();
    sorted.sort_by_key(|(hash, name, _)| (*hash, *name));
    let mut sarc = Sarc {
        endian,
        size: 0,
        version: 0x100,
        reserved: 0,
        hash_key: key,
        names_reserved: 0,
        entries: Vec::with_capacity(files.len()),
        names: Vec::new().into(),
        data: Vec::new().into(),
    };
    let (mut names, mut data) = (Vec::new(), Vec::new());
    let mut numbers: BTreeMap<u32, u32> = BTreeMap::new();
    let mut widest = 4_u64;
    let mut before: Option<&Name> = None;
    for (hash, name, file) in sorted {
        let mut attribute = 0;
        if let Some(name) = name {
            if name.contains(&0) {
                return Err(bad("name", "a name without NUL", name.to_string()));
            }
            if before == Some(name) {
                return Err(bad("name", "names that differ", format!("`{name}` twice")));
            }
            before = Some(name);
            let number = numbers.entry(hash).or_default();
            *number = number.saturating_add(1);
            let offset = u32::try_from(names.len() / 4).ok().filter(|&offset| offset < 1 << 24);
            let (true, Some(offset)) = (*number <= 0xff, offset) else {
                return Err(bad("name", "names that fit the table", format!("`{name}`")));
            };
            attribute = *number << 24 | offset;
            names.extend_from_slice(name);
            names.push(0);
            pad(&mut names, 4);
        }
        let kind = alignment(name.map_or(&[], |name| name), file.data, endian);
        let multiple = u64::from(kind.max(file.alignment.min(1 << 16).next_power_of_two()));
        widest = widest.max(multiple);
        pad(&mut data, multiple as usize);
        let begin = data.len();
        data.extend_from_slice(file.data);
        let end = u32::try_from(data.len()).ok();
        let (Ok(begin), Some(end)) = (u32::try_from(begin), end) else {
            return Err(bad("data", "at most 4 GiB", format!("{} bytes", data.len())));
        };
        sarc.entries.push(Entry { hash, attribute, begin, end });
    }
    let tables = [HEADER, SFAT_HEADER, sarc.entries.len().saturating_mul(ENTRY), SFNT_HEADER];
    let tables = tables.into_iter().fold(0, usize::saturating_add);
    let end = tables.saturating_add(names.len());
    let padded = end.checked_next_multiple_of(widest as usize).unwrap_or(end);
    names.resize(padded.saturating_sub(tables), 0);
    sarc.names = names.into();
    sarc.data = data.into();
    sarc.size =
        u32::try_from(sarc.len()).map_err(|_| bad("size", "at most 4 GiB", sarc.len().to_string()))?;
    Ok(sarc)
}

/// Zeros up to a multiple.
fn pad(bytes: &mut Vec<u8>, multiple: usize) {
    let end = bytes.len().checked_next_multiple_of(multiple.max(1)).unwrap_or(bytes.len());
    bytes.resize(end, 0);
}

impl Sarc<'_> {
    /// The archive of these files with everything else as in this one: byte order, key, version.
    ///
    /// # Errors
    /// As [`pack`].
    pub fn repack(&self, files: &[File<'_>]) -> Result<Sarc<'static>> {
        let key = if self.hash_key == 0 { HASH_KEY } else { self.hash_key };
        let packed = pack(self.endian, key, files)?;
        let (version, reserved, names_reserved) = (self.version, self.reserved, self.names_reserved);
        Ok(Sarc { version, reserved, names_reserved, ..packed })
    }
}
