//! SARC (`.sarc`, `.pack`, inside most `.szs`): an archive of named files, in either byte order.
//!
//! A header, a table of entries that is ordered by the hash of their names (SFAT), the names (SFNT), and the files,
//! each at its own alignment. The console finds a file by bisection over the hashes.

mod align;
mod check;
mod edit;
mod pack;
mod read;
mod tree;

pub use align::alignment;
pub use edit::Moved;
pub use pack::{File, pack};
pub(crate) use read::announced;
pub use read::read;

use crate::shared::Name;
use std::borrow::Cow;
use unshade_bytes::{Endian, Error, ErrorKind, Result};

/// The first four bytes.
pub const MAGIC: [u8; 4] = *b"SARC";

/// Bytes of the header in front of the table of entries.
pub const HEADER: usize = 0x14;

/// Bytes in front of the entries: `SFAT`, size of this header, count, key.
pub const SFAT_HEADER: usize = 12;

/// Bytes of an entry.
pub const ENTRY: usize = 16;

/// Bytes in front of the names: `SFNT`, size of this header, a reserved word.
pub const SFNT_HEADER: usize = 8;

/// The multiplier of the hash in all known archives.
pub const HASH_KEY: u32 = 0x65;

/// One more than the entries that an archive may have: the console keeps two bits of the count for itself.
pub const MOST_ENTRIES: usize = 0x4000;

/// An archive. All of its bytes are here; the entries point into them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sarc<'a> {
    /// Order of the bytes of its numbers.
    pub endian: Endian,
    /// The size that the header claims; the file's own in a sound one.
    pub size: u32,
    /// 0x100 in all known archives.
    pub version: u16,
    /// Word behind the version; 0.
    pub reserved: u16,
    /// Multiplier of the hash.
    pub hash_key: u32,
    /// Word in front of the names; 0.
    pub names_reserved: u16,
    /// The entries in the order of the table.
    pub entries: Vec<Entry>,
    /// The table of names, and the padding behind it up to the data.
    pub names: Cow<'a, [u8]>,
    /// Everything behind the names: the files and the gaps between them.
    pub data: Cow<'a, [u8]>,
}

/// What the table says of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Entry {
    /// Hash of the name.
    pub hash: u32,
    /// 0 where the archive holds no name; else the number among entries of equal hash, from 1, in the high byte,
    /// and the place of the name in the other three, in units of 4 bytes.
    pub attribute: u32,
    /// First byte, counted from the start of the data.
    pub begin: u32,
    /// Behind the last byte.
    pub end: u32,
}

impl Entry {
    /// Where its name starts in the table of names, in bytes; `None` where only the hash is known.
    pub fn name_offset(&self) -> Option<usize> {
        (self.attribute != 0).then(|| (self.attribute as usize & 0xff_ffff).saturating_mul(4))
    }

    /// Its number among the entries of equal hash, from 1.
    pub fn number(&self) -> u8 {
        (self.attribute >> 24) as u8
    }

    /// How many bytes the file has.
    pub fn len(&self) -> u32 {
        self.end.saturating_sub(self.begin)
    }

    /// Whether the file has no bytes.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// The hash of a name: each byte, taken as a signed number, is added to what was so far times the key.
pub fn hash(name: &[u8], key: u32) -> u32 {
    name.iter()
        .fold(0_u32, |hash, &byte| hash.wrapping_mul(key).wrapping_add_signed(i32::from(byte.cast_signed())))
}

impl<'a> Sarc<'a> {
    /// Where the data starts in the file.
    pub fn data_offset(&self) -> usize {
        [HEADER, SFAT_HEADER, self.entries.len().saturating_mul(ENTRY), SFNT_HEADER, self.names.len()]
            .into_iter()
            .fold(0, usize::saturating_add)
    }

    /// The name of an entry; `None` where the archive holds only its hash.
    pub fn name(&self, entry: &Entry) -> Option<&[u8]> {
        let rest = self.names.get(entry.name_offset()?..)?;
        rest.get(..rest.iter().position(|&byte| byte == 0)?)
    }

    /// The bytes of a file.
    pub fn file(&self, entry: &Entry) -> &[u8] {
        self.data.get(entry.begin as usize..entry.end as usize).unwrap_or_default()
    }

    /// Where a file lies in the archive's bytes.
    pub fn place(&self, entry: &Entry) -> std::ops::Range<usize> {
        let start = self.data_offset();
        start.saturating_add(entry.begin as usize)..start.saturating_add(entry.end as usize)
    }

    /// What an entry is called in paths: its name as text (see [`crate::shared::opaque::escape`]), or its hash
    /// (`0x1e17d63c`) where there is none.
    pub fn label(&self, entry: &Entry) -> String {
        match self.name(entry) {
            Some(name) => Name(name.to_vec()).to_string(),
            None => format!("{:#010x}", entry.hash),
        }
    }

    /// What all entries are called in paths: their labels; where a label was there before, the number of the
    /// entry instead.
    pub fn labels(&self) -> Vec<String> {
        let mut seen = std::collections::BTreeSet::new();
        let label = |(index, entry): (usize, &Entry)| {
            let label = self.label(entry);
            if seen.insert(label.clone()) && !label.is_empty() { label } else { index.to_string() }
        };
        self.entries.iter().enumerate().map(label).collect()
    }

    /// The entry of that name. Names are compared, since several may have one hash; the order of the table does
    /// not matter, so that an archive that a console would misread is read all the same.
    pub fn find(&self, name: &[u8]) -> Option<usize> {
        self.entries.iter().position(|entry| self.name(entry) == Some(name))
    }

    /// The file.
    ///
    /// # Errors
    /// [`ErrorKind::Unrepresentable`] when it has more entries or bytes than its fields can say.
    pub fn write(&self) -> Result<Vec<u8>> {
        let too_much = |what: &'static str, found: usize| {
            Error::new(ErrorKind::Unrepresentable, 0, what, "a number that fits its field", found.to_string())
                .code("sarc.too-much")
        };
        let start = self.data_offset();
        let data_offset = u32::try_from(start).map_err(|_| too_much("data_offset", start))?;
        let count =
            u16::try_from(self.entries.len()).map_err(|_| too_much("sfat.count", self.entries.len()))?;
        let mut out =
            Out { bytes: Vec::with_capacity(start.saturating_add(self.data.len())), endian: self.endian };
        out.bytes.extend_from_slice(&MAGIC);
        out.u16(HEADER as u16);
        out.u16(0xfeff);
        out.u32(self.size);
        out.u32(data_offset);
        out.u16(self.version);
        out.u16(self.reserved);
        out.bytes.extend_from_slice(b"SFAT");
        out.u16(SFAT_HEADER as u16);
        out.u16(count);
        out.u32(self.hash_key);
        for entry in &self.entries {
            for word in [entry.hash, entry.attribute, entry.begin, entry.end] {
                out.u32(word);
            }
        }
        out.bytes.extend_from_slice(b"SFNT");
        out.u16(SFNT_HEADER as u16);
        out.u16(self.names_reserved);
        out.bytes.extend_from_slice(&self.names);
        out.bytes.extend_from_slice(&self.data);
        Ok(out.bytes)
    }

    /// What it is, in a few words.
    pub fn describe(&self) -> String {
        let order = match self.endian {
            Endian::Little => "little",
            Endian::Big => "big",
        };
        let files = self.entries.len();
        format!("SARC with {files} file{}, {order}-endian", if files == 1 { "" } else { "s" })
    }

    /// Bytes of the data that no file has and that are not all zero, each run with its place in the data.
    pub fn gaps(&self) -> Vec<(usize, &[u8])> {
        let mut order: Vec<(usize, usize)> =
            self.entries.iter().map(|entry| (entry.begin as usize, entry.end as usize)).collect();
        order.push((self.data.len(), self.data.len()));
        order.sort_unstable();
        let mut gaps = Vec::new();
        let mut reached = 0_usize;
        for (begin, end) in order {
            let gap = self.data.get(reached..begin).unwrap_or_default();
            if gap.iter().any(|&byte| byte != 0) {
                gaps.push((reached, gap));
            }
            reached = reached.max(end);
        }
        gaps
    }

    /// The same archive with bytes of its own.
    pub fn into_owned(self) -> Sarc<'static> {
        Sarc {
            names: self.names.into_owned().into(),
            data: self.data.into_owned().into(),
            entries: self.entries,
            endian: self.endian,
            size: self.size,
            version: self.version,
            reserved: self.reserved,
            hash_key: self.hash_key,
            names_reserved: self.names_reserved,
        }
    }

    /// How many bytes it takes as a file.
    fn len(&self) -> usize {
        self.data_offset().saturating_add(self.data.len())
    }
}

/// Numbers in the archive's byte order.
struct Out {
    bytes: Vec<u8>,
    endian: Endian,
}

impl Out {
    fn u16(&mut self, value: u16) {
        self.bytes.extend_from_slice(&match self.endian {
            Endian::Little => value.to_le_bytes(),
            Endian::Big => value.to_be_bytes(),
        });
    }

    fn u32(&mut self, value: u32) {
        self.bytes.extend_from_slice(&match self.endian {
            Endian::Little => value.to_le_bytes(),
            Endian::Big => value.to_be_bytes(),
        });
    }
}
