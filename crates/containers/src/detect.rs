//! Which format a file is, by its first bytes.

use crate::{gfd, mbs, sharcfb, shbin::raw};
use std::fmt;

/// A known format.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
#[non_exhaustive]
pub enum Format {
    /// Nintendo 3DS shader binary (`DVLB`) or object (`DVOJ`).
    Shbin,
    /// Mali Utgard shader binary (`MBS1`). Other versions (`MBS2`) are told by the same name and not read.
    Mbs,
    /// Wii U shaders and textures (`Gfx2`, `.gsh`, `.gtx`).
    Gfd,
    /// Wii U shader archive (`SHAB`, `BAHS`, `.sharcfb`). Other versions, archives of the Switch and the text
    /// sibling `.sharc` are told by the same name and not read.
    Sharcfb,
}

impl Format {
    /// All known formats.
    pub const ALL: [Self; 4] = [Self::Shbin, Self::Mbs, Self::Gfd, Self::Sharcfb];

    /// The name used on the command line and in JSON: `shbin`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Shbin => "shbin",
            Self::Mbs => "mbs",
            Self::Gfd => "gfd",
            Self::Sharcfb => "sharcfb",
        }
    }

    /// The machine whose programs it holds.
    pub const fn platform(self) -> &'static str {
        match self {
            Self::Shbin => "Nintendo 3DS",
            Self::Mbs => "Mali-200/400 (Utgard)",
            Self::Gfd | Self::Sharcfb => "Wii U",
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
        magic if magic.starts_with(&mbs::raw::FAMILY) => Some(Format::Mbs),
        &gfd::raw::MAGIC => Some(Format::Gfd),
        magic if sharcfb::raw::is_family(magic) => Some(Format::Sharcfb),
        _ => None,
    }
}
