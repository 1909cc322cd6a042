//! The model: entries with their payloads, as they stand.

use crate::formats::caches::Wide;
use crate::shared::Opaque;

/// A cache.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Vkch {
    /// The entries, up to the first that is damaged or cut.
    pub entries: Vec<Entry>,
    /// What is behind them.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Opaque::is_empty"))]
    pub rest: Opaque,
}

/// An entry.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Entry {
    /// The header in front.
    pub header: EntryHeader,
    /// What it holds, packed where the header says so.
    pub payload: Opaque,
    /// The footer behind it.
    pub footer: EntryFooter,
}

/// The header of an entry. It has 16 bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct EntryHeader {
    /// 00: 42 (hexadecimal).
    pub version: u8,
    /// 01: bit 0: the payload is a zstd frame.
    pub flags: u8,
    /// 02: what it holds.
    pub entry_type: u16,
    /// 04: bytes of the entry with header and footer.
    pub entry_size: u32,
    /// 08: hash of what it holds.
    pub id: Wide,
}

/// The footer of an entry. It has 16 bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct EntryFooter {
    /// 00: 24 (hexadecimal), then the number of the entry in three bytes.
    pub version_and_number: u32,
    /// 04: bytes of the entry, again.
    pub entry_size: u32,
    /// 08: 0.
    pub reserved: Wide,
}
