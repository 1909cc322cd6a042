//! A container of any known format, and what all of them can do.

use super::recognise::recognise;
use crate::formats::bfsha::Bfsha;
use crate::formats::bnsh::Bnsh;
#[cfg(feature = "caches")]
use crate::formats::cemu::Cemu;
#[cfg(feature = "caches")]
use crate::formats::citra::Citra;
use crate::formats::dksh::Dksh;
use crate::formats::gfd::Gfd;
use crate::formats::mbs::Mbs;
use crate::formats::nvn::{NvnCode, NvnPair};
#[cfg(feature = "caches")]
use crate::formats::ryujinx::Ryujinx;
use crate::formats::sharc::Sharc;
use crate::formats::sharcfb::Sharcfb;
use crate::formats::sharcfb_nx::SharcfbNx;
use crate::formats::shbin::Shbin;
#[cfg(feature = "caches")]
use crate::formats::vkch::Vkch;
#[cfg(feature = "caches")]
use crate::formats::yuzu::Yuzu;
use crate::formats::zstd::Dictionaries;
use crate::shared::{
    Node,
    format::{FileFormat, Magic},
    stages::Stages,
};
use std::fmt;
use unshade_bytes::{Budget, Coverage, Diagnostic, Endian, Error, ErrorKind, Limits, Result};
use unshade_stage::{Code, Stage, StageId};

/// From one row for each format: [`Format`], [`Container`], and what depends on the format alone.
macro_rules! formats {
    ($($(#[doc = $doc:literal])+ $(#[cfg($($cfg:tt)+)])? $name:ident($file:ty)),+ $(,)?) => {
        /// A known format.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
        #[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
        #[non_exhaustive]
        pub enum Format {
            $($(#[doc = $doc])+ $(#[cfg($($cfg)+)])? $name),+
        }

        impl Format {
            /// All known formats.
            pub const ALL: [Self; [$($(#[cfg($($cfg)+)])? Self::$name),+].len()] =
                [$($(#[cfg($($cfg)+)])? Self::$name),+];

            /// The name used on the command line and in JSON: `shbin`.
            pub const fn name(self) -> &'static str {
                match self {
                    $($(#[cfg($($cfg)+)])? Self::$name => <$file as FileFormat>::NAME),+
                }
            }

            /// The machine whose programs it holds.
            pub const fn platform(self) -> &'static str {
                match self {
                    $($(#[cfg($($cfg)+)])? Self::$name => <$file as FileFormat>::PLATFORM),+
                }
            }

            /// The words that its files start with.
            pub(super) const MAGICS: [&'static [Magic]; Self::ALL.len()] =
                [$($(#[cfg($($cfg)+)])? <$file as FileFormat>::MAGIC),+];

            /// How many bytes the file takes that starts `data`.
            pub(super) fn extent(self, data: &[u8], base: u64, budget: &mut Budget) -> Option<usize> {
                match self {
                    $($(#[cfg($($cfg)+)])? Self::$name => <$file as FileFormat>::extent(data, base, budget)),+
                }
            }

            /// Reads the file that starts `data`, with its length.
            pub(super) fn embedded(self, data: &[u8], base: u64, budget: &mut Budget) -> Option<(Container, usize)> {
                match self {
                    $($(#[cfg($($cfg)+)])? Self::$name => {
                        let (file, len) = <$file as FileFormat>::embedded(data, base, budget)?;
                        Some((Container::$name(file), len))
                    }),+
                }
            }

            /// Why files of the format are read and never changed, where that is so: caches, which nobody takes that somebody else
            /// wrote.
            pub fn locked(self) -> Option<Error> {
                match self {
                    $($(#[cfg($($cfg)+)])? Self::$name => <$file as FileFormat>::locked()),+
                }
            }

            fn read(self, bytes: &[u8]) -> Result<Container> {
                match self {
                    $($(#[cfg($($cfg)+)])? Self::$name => <$file as FileFormat>::read(bytes).map(Container::$name)),+
                }
            }

            /// Names of the files that a manifest of the format asks for.
            #[cfg(feature = "manifest")]
            pub(super) fn wanted(self, manifest: &str) -> Result<Vec<String>> {
                match self {
                    $($(#[cfg($($cfg)+)])? Self::$name => <$file as FileFormat>::wanted(manifest)),+
                }
            }

            /// What is missing at the end of a file of the format.
            fn cut(self, bytes: &[u8]) -> Option<Error> {
                match self {
                    $($(#[cfg($($cfg)+)])? Self::$name => <$file as FileFormat>::cut(bytes)),+
                }
            }

            /// Puts a container of the format together.
            #[cfg(feature = "manifest")]
            pub(super) fn build(self, manifest: &str, parts: &crate::shared::Parts) -> Result<Container> {
                match self {
                    $($(#[cfg($($cfg)+)])? Self::$name => <$file as FileFormat>::build(manifest, parts).map(Container::$name)),+
                }
            }
        }

        /// The format that the first bytes announce. It says nothing of the rest.
        #[inline]
        pub fn detect(bytes: &[u8]) -> Option<Format> {
            $($(#[cfg($($cfg)+)])? if <$file as FileFormat>::detect(bytes) {
                return Some(Format::$name);
            })+
            None
        }

        /// A file of a known format.
        #[derive(Debug, Clone, PartialEq, Eq)]
        #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
        #[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
        #[non_exhaustive]
        pub enum Container {
            $($(#[doc = $doc])+ $(#[cfg($($cfg)+)])? $name($file)),+
        }

        impl Container {
            /// Which format it is.
            pub fn format(&self) -> Format {
                match self {
                    $($(#[cfg($($cfg)+)])? Self::$name(_) => Format::$name),+
                }
            }
        }

        /// Does the same with a file of any format.
        macro_rules! with_file {
            ($container:expr, $inner:ident => $do:expr) => {
                match $container {
                    $($(#[cfg($($cfg)+)])? Container::$name($inner) => $do),+
                }
            };
        }
    };
}

formats! {
    /// Nintendo 3DS shader binary (`DVLB`) or object (`DVOJ`).
    Shbin(Shbin),
    /// Mali Utgard shader binary (`MBS1`). Other versions (`MBS2`) are told by the same name and not read.
    Mbs(Mbs),
    /// Wii U shaders and textures (`Gfx2`, `.gsh`, `.gtx`).
    Gfd(Gfd),
    /// Wii U shader archive (`SHAB`, `BAHS`, `.sharcfb`).
    Sharcfb(Sharcfb),
    /// Shader archive of the Switch (`BAHS`, `.sharcb`).
    SharcfbNx(SharcfbNx),
    /// Archive of shader sources (`SHAA`, `AAHS`, `.sharc`).
    Sharc(Sharc),
    /// Shaders of the Switch (`BNSH`).
    Bnsh(Bnsh),
    /// Archive of shading models of the Switch or the Wii U (`FSHA`).
    Bfsha(Bfsha),
    /// Raw pair of stages of the Switch: control and code sections behind four offsets.
    Nvn(NvnPair),
    /// Code section of one stage of the Switch, without its control section.
    NvnCode(NvnCode),
    /// Shaders of the open library deko3d for the Switch (`DKSH`).
    Dksh(Dksh),
    /// Shader cache of Ryujinx and its followers (`guest.toc` and the files beside it).
    #[cfg(feature = "caches")]
    Ryujinx(Ryujinx),
    /// Shader cache of yuzu and its followers (`vulkan.bin`, `opengl.bin`).
    #[cfg(feature = "caches")]
    Yuzu(Yuzu),
    /// Shader cache of Cemu (`TITLEID_shaders.bin`).
    #[cfg(feature = "caches")]
    Cemu(Cemu),
    /// Shader cache of Citra and Azahar for OpenGL.
    #[cfg(feature = "caches")]
    Citra(Citra),
    /// Shader cache of Azahar for Vulkan (`.vkch`).
    #[cfg(feature = "caches")]
    Vkch(Vkch),
}
pub(super) use with_file;

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl Container {
    /// Reads a file of any known format.
    ///
    /// # Errors
    /// [`ErrorKind::UnknownFormat`] when the bytes start like none, [`ErrorKind::LimitExceeded`] for more
    /// than [`Limits::bytes`]; otherwise what the format's reader says.
    pub fn read(bytes: &[u8]) -> Result<Self> {
        if bytes.len() as u64 > Limits::DEFAULT.bytes {
            let expected = format!("a file of at most {} bytes", Limits::DEFAULT.bytes);
            let found = format!("{} bytes", bytes.len());
            return Err(
                Error::new(ErrorKind::LimitExceeded, 0, "", expected, found).code("container.too-long")
            );
        }
        detect(bytes).ok_or_else(|| unknown(bytes))?.read(bytes)
    }

    /// Gives it the dictionaries that its programs were packed with, where it is of a format that uses some.
    pub fn equip(&mut self, dictionaries: &Dictionaries) {
        #[cfg(feature = "caches")]
        if let Self::Cemu(cache) = self {
            cache.dictionaries = dictionaries.clone();
        }
        #[cfg(not(feature = "caches"))]
        let _ = dictionaries;
    }

    /// The bytes of the file; the same as were read when nothing was changed.
    ///
    /// # Errors
    /// [`ErrorKind::Unrepresentable`] when the model was changed to what no file can hold.
    pub fn write(&self) -> Result<Vec<u8>> {
        with_file!(self, file => FileFormat::write(file))
    }

    /// Writes the model and compares with the bytes that it was read from: what differs first, or `None`
    /// when every byte is the same.
    ///
    /// # Errors
    /// What the writer says.
    pub fn difference(&self, original: &[u8]) -> Result<Option<Difference>> {
        let written = self.write()?;
        if written == original {
            return Ok(None);
        }
        let at = written.iter().zip(original).take_while(|(new, old)| new == old).count();
        Ok(Some(Difference {
            offset: at as u64,
            path: self.coverage().owner(at as u64).unwrap_or_default().to_owned(),
            expected: original.get(at).copied(),
            found: written.get(at).copied(),
        }))
    }

    /// Order of the bytes of its numbers. Code has an order of its own: that of the Wii U is always little
    /// endian.
    pub fn byte_order(&self) -> Endian {
        with_file!(self, file => file.byte_order())
    }

    /// What the file is, in a few words: variant, versions, layout.
    pub fn describe(&self) -> String {
        with_file!(self, file => FileFormat::describe(file))
    }

    /// What is missing at the end of a file of that format that [`Container::read`] takes all the same: what is there is then a
    /// part. Nothing for whole files.
    pub fn cut(format: Format, bytes: &[u8]) -> Option<Error> {
        format.cut(bytes)
    }

    /// What is wrong with the container, most severe first. Offsets count from its start. The code is not
    /// looked at: that is the instruction set's to judge.
    pub fn check(&self) -> Vec<Diagnostic> {
        with_file!(self, file => FileFormat::check(file))
    }

    /// The structure with names, values and places; a single node that says why, for a model that was
    /// changed to what no file can hold.
    pub fn tree(&self) -> Node {
        let tree = with_file!(self, file => FileFormat::tree(file));
        let mut tree = tree.unwrap_or_else(|error| Node::new(self.format().name(), 0).value(error));
        tree.number_repeats();
        tree
    }

    /// Which bytes of the file are what.
    pub fn coverage(&self) -> Coverage {
        let tree = self.tree();
        tree.coverage(tree.size)
    }

    /// The programs, in file order. Of more programs that share code than the file can mean, [`Stages`] leaves out some.
    pub fn stages(&self) -> Stages<'_> {
        with_file!(self, file => FileFormat::stages(file))
    }

    /// The program of that name.
    pub fn stage(&self, id: &StageId) -> Option<Stage<'_>> {
        with_file!(self, file => FileFormat::stage(file, id))
    }

    /// Gives a program other code.
    ///
    /// # Errors
    /// Where no program has that name, or the format cannot hold the code.
    pub fn replace(&mut self, id: &StageId, code: &Code<'_>) -> Result<()> {
        with_file!(self, file => FileFormat::replace(file, id, code))
    }
}

/// The first byte in which a written file is not the one that was read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Difference {
    /// Where it is.
    pub offset: u64,
    /// Path of the field that it belongs to; empty behind the end of the written file.
    pub path: String,
    /// The byte that was read; `None` behind the end.
    pub expected: Option<u8>,
    /// The byte that was written; `None` behind the end.
    pub found: Option<u8>,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let byte = |byte: Option<u8>| byte.map_or("the end".to_owned(), |byte| format!("{byte:#04x}"));
        if !self.path.is_empty() {
            write!(f, "{}: ", self.path)?;
        }
        write!(f, "expected {}, found {} at {:#x}", byte(self.expected), byte(self.found), self.offset)
    }
}

fn unknown(bytes: &[u8]) -> Error {
    if let Some(unread) = recognise(bytes) {
        let expected = "a format that this version reads";
        let found = format!("{} (known by name only)", unread.describe());
        return Error::new(ErrorKind::Unsupported, 0, "magic", expected, found).code("container.not-read");
    }
    let (code, found) = match bytes.first_chunk::<4>() {
        Some(magic) => ("container.unknown-format", format!("\"{}\"", magic.escape_ascii())),
        None if bytes.is_empty() => ("container.empty", "an empty file".to_owned()),
        None => ("container.unknown-format", format!("a file of {} bytes", bytes.len())),
    };
    Error::new(
        ErrorKind::UnknownFormat,
        0,
        "magic",
        "a known magic number (\"DVLB\", \"DVOJ\", \"MBS1\", \"Gfx2\", \"SHAB\", \"BAHS\", \"SHAA\", \"AAHS\", \"BNSH\", \"FSHA\", \"DKSH\", \"TOCG\", \"yuzucach\")",
        found,
    )
    .code(code)
}
