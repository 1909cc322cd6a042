//! The model: the tables of the cache, and its packed bytes as they stand.

use crate::formats::caches::Wide;
use crate::shared::Opaque;

/// A cache.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Ryujinx {
    /// `guest.toc` and `guest.data`: the programs.
    pub guest: Guest,
    /// `shared.toc` and `shared.data`: which programs were drawn together, and with what.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub shared: Option<Shared>,
    /// Whether the bytes are those of several files ([`join`](super::join)); else of `guest.toc` alone.
    pub joined: bool,
}

/// The programs.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Guest {
    /// The header.
    pub header: GuestHeader,
    /// The entries.
    pub entries: Vec<GuestEntry>,
    /// Behind the last whole entry.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Opaque::is_empty"))]
    pub trailing: Opaque,
    /// `guest.data`; empty where it was not there.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Opaque::is_empty"))]
    pub data: Opaque,
}

/// The header of `guest.toc` behind its magic number. It has 28 bytes.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct GuestHeader {
    /// 04: version, major in the upper 16 bits.
    pub version: u32,
    /// 08: not used.
    pub padding: u32,
    /// 0C: entries, as they were when the file was made; the length of the file counts.
    pub modules_count: u32,
    /// 10: not used, 16 bytes; empty stands for zeros.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Opaque::is_empty"))]
    pub reserved: Opaque,
}

/// An entry of `guest.toc`. It has 16 bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct GuestEntry {
    /// 00: its place in `guest.data`, in bytes.
    pub offset: u32,
    /// 04: bytes of program header and code, unpacked.
    pub code_size: u32,
    /// 08: bytes of constant bank 1 in front of them.
    pub cb1_data_size: u32,
    /// 0C: hash of code and constants.
    pub hash: u32,
}

/// Which programs were drawn together.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Shared {
    /// The header.
    pub header: SharedHeader,
    /// Place of each program in `shared.data`, in bytes.
    pub offsets: Vec<Wide>,
    /// Behind the last whole place.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Opaque::is_empty"))]
    pub trailing: Opaque,
    /// `shared.data`.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Opaque::is_empty"))]
    pub data: Opaque,
}

/// The header of `shared.toc` behind its magic number. It has 28 bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct SharedHeader {
    /// 04: version, major in the upper 16 bits.
    pub format_version: u32,
    /// 08: version of the emulator's translator, which changes often.
    pub code_gen_version: u32,
    /// 0C: not used.
    pub padding: u32,
    /// 10: when it was made, in seconds of Unix time.
    pub timestamp: Wide,
    /// 18: not used.
    pub reserved: Wide,
}
