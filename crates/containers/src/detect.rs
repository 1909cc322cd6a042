//! Which format a file is, by its first bytes.

use crate::{dksh, gfd, mbs, nvn, sharc, sharcfb, sharcfb_nx, shbin::raw};
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
    /// Shaders of the Switch (`BNSH`).
    Bnsh,
    /// Archive of shading models of the Switch or the Wii U (`FSHA`).
    Bfsha,
    /// Raw pair of stages of the Switch: control and code sections behind four offsets.
    Nvn,
    /// Code section of one stage of the Switch, without its control section.
    NvnCode,
    /// Shaders of the open library deko3d for the Switch (`DKSH`).
    Dksh,
    /// Wii U shaders and textures (`Gfx2`, `.gsh`, `.gtx`).
    Gfd,
    /// Wii U shader archive (`SHAB`, `BAHS`, `.sharcfb`).
    Sharcfb,
    /// Shader archive of the Switch (`BAHS`, `.sharcb`).
    SharcfbNx,
    /// Archive of shader sources (`SHAA`, `AAHS`, `.sharc`).
    Sharc,
}

impl Format {
    /// All known formats.
    pub const ALL: [Self; 11] = [
        Self::Shbin,
        Self::Mbs,
        Self::Gfd,
        Self::Sharcfb,
        Self::SharcfbNx,
        Self::Sharc,
        Self::Bnsh,
        Self::Bfsha,
        Self::Nvn,
        Self::NvnCode,
        Self::Dksh,
    ];

    /// The name used on the command line and in JSON: `shbin`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Shbin => "shbin",
            Self::Mbs => "mbs",
            Self::Bnsh => "bnsh",
            Self::Bfsha => "bfsha",
            Self::Nvn => "nvn",
            Self::NvnCode => "nvn-code",
            Self::Dksh => "dksh",
            Self::Gfd => "gfd",
            Self::Sharcfb => "sharcfb",
            Self::SharcfbNx => "sharcfb-nx",
            Self::Sharc => "sharc",
        }
    }

    /// The machine whose programs it holds.
    pub const fn platform(self) -> &'static str {
        match self {
            Self::Shbin => "Nintendo 3DS",
            Self::Mbs => "Mali-200/400 (Utgard)",
            Self::Gfd | Self::Sharcfb => "Wii U",
            Self::Bfsha | Self::Sharc => "Nintendo Switch or Wii U",
            Self::Bnsh | Self::Nvn | Self::NvnCode | Self::Dksh | Self::SharcfbNx => "Nintendo Switch",
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
        b"FSHA" => Some(Format::Bfsha),
        &dksh::MAGIC => Some(Format::Dksh),
        b"BNSH" => Some(Format::Bnsh),
        &gfd::raw::MAGIC => Some(Format::Gfd),
        magic if is(magic, sharcfb::raw::MAGIC) => Some(match sharcfb_nx::raw::detect(bytes) {
            true => Format::SharcfbNx,
            false => Format::Sharcfb,
        }),
        magic if is(magic, sharc::raw::MAGIC) => Some(Format::Sharc),
        _ if nvn::pair::detect(bytes) => Some(Format::Nvn),
        _ if nvn::section::detect(bytes) => Some(Format::NvnCode),
        _ => None,
    }
}

/// Whether a file starts with a number in either byte order.
fn is(magic: &[u8; 4], number: u32) -> bool {
    [number.to_le_bytes(), number.to_be_bytes()].contains(magic)
}
