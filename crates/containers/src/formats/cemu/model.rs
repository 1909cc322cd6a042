//! The model: the store with its table; records are looked at where they lie.

use crate::formats::caches::Wide;
use crate::formats::zstd::Dictionaries;
use crate::shared::Opaque;

/// A cache.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Cemu {
    /// The numbers at the start.
    pub header: StoreHeader,
    /// Between them and the table: the rest of the header, and data in front of the table.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Opaque::is_empty"))]
    pub before: Opaque,
    /// The entries of the table.
    pub entries: Vec<StoreEntry>,
    /// Behind the table's last whole entry, to the end of the file: data behind the table.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Opaque::is_empty"))]
    pub behind: Opaque,
    /// What registers and programs are unpacked with; no part of the file.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub dictionaries: Dictionaries,
}

/// The numbers at the start of the store. They have 28 bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct StoreHeader {
    /// 00: tells the version of the store: 8371B694 up to 8371B696.
    pub magic: u32,
    /// 04: version of what is in it, which depends on the title as well.
    pub extra_version: u32,
    /// 08: where the data starts, in bytes.
    pub data_offset: Wide,
    /// 10: where the table starts, from the start of the data.
    pub file_table_offset: Wide,
    /// 18: bytes of the table.
    pub file_table_size: u32,
}

/// An entry of the table. It has 32 bytes.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct StoreEntry {
    /// 00: base hash, its upper three bits replaced by the kind of program. Both names 0: not used.
    pub name1: Wide,
    /// 08: aux hash.
    pub name2: Wide,
    /// 10: place, from the start of the data.
    pub offset: Wide,
    /// 18: bytes.
    pub size: u32,
    /// 1C: bit 0: packed with zlib, behind its size (versions 3).
    pub flags: u8,
    /// 1D: not used, 3 bytes; empty stands for zeros.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Opaque::is_empty"))]
    pub reserved: Opaque,
}
