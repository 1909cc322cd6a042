//! Which format a file is, by its first bytes.

use crate::shbin::raw;
use std::fmt;

/// A known format.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
#[non_exhaustive]
pub enum Format {
    /// Nintendo 3DS shader binary (`DVLB`) or object (`DVOJ`).
    Shbin,
}

impl Format {
    /// All known formats.
    pub const ALL: [Self; 1] = [Self::Shbin];

    /// The name used on the command line and in JSON: `shbin`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Shbin => "shbin",
        }
    }

    /// The machine whose programs it holds.
    pub const fn platform(self) -> &'static str {
        match self {
            Self::Shbin => "Nintendo 3DS",
        }
    }

    /// Order of the bytes of its numbers: `little` or `big`.
    pub const fn byte_order(self) -> &'static str {
        match self {
            Self::Shbin => "little",
        }
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// The format that the first bytes announce. It says nothing of the rest.
#[inline]
pub fn detect(bytes: &[u8]) -> Option<Format> {
    match bytes.first_chunk()? {
        &raw::DVLB | &raw::DVOJ => Some(Format::Shbin),
        _ => None,
    }
}
