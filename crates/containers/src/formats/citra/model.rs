//! The model: entries with their registers and words.

use crate::formats::caches::Wide;
use crate::shared::Opaque;

/// A cache.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Citra {
    /// Version: 1.
    pub version: u32,
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
    /// All registers of the GPU, words.
    pub registers: Opaque,
    /// Vertex programs: 4,096 words of code, then as many of operand descriptors, of which the machine has 128.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Opaque::is_empty"))]
    pub program_code: Opaque,
}

/// The header of an entry. It has 24 bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct EntryHeader {
    /// 00: 0, an entry with registers.
    pub kind: u32,
    /// 04: hash of registers and words, by which the emulator knows it.
    pub unique_identifier: Wide,
    /// 0C: 0 vertex, 1 fragment, 2 geometry.
    pub program_type: u32,
    /// 10: registers: 0x300.
    pub register_count: Wide,
}
