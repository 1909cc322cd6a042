//! Formats that are known by their first bytes and not read.

use std::fmt;

/// A format around or of shaders that this version knows by name only.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Unread {
    /// A zstd frame (`.zs`), or a frame to be skipped in front of one.
    Zstd,
    /// A package of compressed meshes (`.bfres.mc`).
    MeshCodec,
    /// Models with whatever was embedded in them, of a version whose layout is not known.
    Bfres,
    /// Effects (`VFXB`, `EFTB`, `EFTF`, `SPBD`).
    Effects,
    /// Effects of one game around others (`EFFN`).
    EffectPack,
    /// An archive of compressed files (`GFLXPACK`).
    Gfpak,
    /// A shader archive with options (`FSHA`).
    Bfsha,
    /// Shader programs of the Switch (`BNSH`).
    Bnsh,
    /// Yaz0's stream under another magic number.
    Yaz1,
    /// What an emulator made of programs for the machine that it runs on (`TOCH`, `yuzuvkch`).
    HostCache,
    /// Which programs of a cache were drawn together (`TOCS`): it is read with the file beside it that holds these.
    SharedToc,
}

impl Unread {
    /// The name people use for it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Zstd => "zstd",
            Self::MeshCodec => "MeshCodec",
            Self::Bfres => "BFRES",
            Self::Effects => "effect",
            Self::EffectPack => "EFFN",
            Self::Gfpak => "GFPAK",
            Self::Bfsha => "BFSHA",
            Self::Bnsh => "BNSH",
            Self::Yaz1 => "Yaz1",
            Self::HostCache => "host cache",
            Self::SharedToc => "shared.toc",
        }
    }

    /// What it is, with its article: `a BFSHA shader archive`.
    pub const fn describe(self) -> &'static str {
        match self {
            Self::Zstd => "a file compressed with zstd",
            Self::MeshCodec => "a MeshCodec package of compressed models (MCPK)",
            Self::Bfres => "a BFRES model archive (FRES) of a version whose layout is not known",
            Self::Effects => "an effect file",
            Self::EffectPack => "a pack of effects (EFFN)",
            Self::Gfpak => "a GFPAK archive (GFLXPACK)",
            Self::Bfsha => "a BFSHA shader archive (FSHA)",
            Self::Bnsh => "a BNSH shader file",
            Self::Yaz1 => "a file of the Yaz1 kind",
            Self::HostCache => {
                "a cache of an emulator for the machine that it runs on, without programs of a console"
            }
            Self::SharedToc => "a list of programs (TOCS), which is read with guest.toc beside it",
        }
    }
}

impl fmt::Display for Unread {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// The format that the first bytes announce, if it is one of those that are not read.
pub fn recognise(bytes: &[u8]) -> Option<Unread> {
    if bytes.starts_with(b"GFLXPACK") {
        return Some(Unread::Gfpak);
    }
    if bytes.starts_with(b"yuzuvkch") {
        return Some(Unread::HostCache);
    }
    match bytes.first_chunk::<4>()? {
        [0x28, 0xb5, 0x2f, 0xfd] | [0x50..=0x5f, 0x2a, 0x4d, 0x18] => Some(Unread::Zstd),
        b"MCPK" => Some(Unread::MeshCodec),
        b"FRES" => Some(Unread::Bfres),
        b"VFXB" | b"EFTB" | b"EFTF" | b"SPBD" => Some(Unread::Effects),
        b"EFFN" => Some(Unread::EffectPack),
        b"FSHA" => Some(Unread::Bfsha),
        b"BNSH" => Some(Unread::Bnsh),
        b"Yaz1" => Some(Unread::Yaz1),
        b"TOCH" => Some(Unread::HostCache),
        b"TOCS" => Some(Unread::SharedToc),
        _ => None,
    }
}
