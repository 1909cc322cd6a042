//! What every file format does. [`Container`](crate::Container) speaks to all of them through this trait, so that it
//! names each format once.

use super::names::{Put, Thing, no_text};
#[cfg(feature = "manifest")]
use super::parts::Parts;
use super::programs::{DetachedStage, NewProgram, Removed, missing};
use super::stages::Stages;
use super::tree::Node;
use std::fmt::Debug;
use unshade_bytes::{Budget, Diagnostic, Endian, Error, ErrorKind, Result};
use unshade_stage::{Code, Stage, StageId};

/// Bits of the first word of a file, little endian, that count, and their values.
pub(crate) type Magic = (u32, u32);

/// Four bytes that a file starts with.
pub(crate) const fn magic(bytes: [u8; 4]) -> Magic {
    (u32::MAX, u32::from_le_bytes(bytes))
}

/// Whether bytes start with one of these words.
#[inline]
pub(crate) fn starts_with_one(magics: &[Magic], bytes: &[u8]) -> bool {
    let word = bytes.first_chunk().map(|word| u32::from_le_bytes(*word));
    word.is_some_and(|word| magics.iter().any(|(mask, value)| word & mask == *value))
}

/// A file of one format.
pub(crate) trait FileFormat: Clone + Debug + PartialEq + Sized {
    /// The name used on the command line and in JSON: `shbin`.
    const NAME: &'static str;
    /// The machine whose programs it holds.
    const PLATFORM: &'static str;

    /// The words that its files start with: a mask of the bits that count, and their values, as [`magic`] makes them. None for
    /// formats that are known by more than a word; nobody looks for these inside other bytes.
    const MAGIC: &'static [Magic] = &[];

    /// Whether the first bytes of a file announce the format. It says nothing of the rest.
    fn detect(bytes: &[u8]) -> bool {
        starts_with_one(Self::MAGIC, bytes)
    }

    /// How many bytes the file takes that starts `data`, which may go on after it. What the file claims is charged, since letters
    /// that happen to be a magic number may stand everywhere. None where that cannot be said, or something in it is damaged.
    fn extent(_data: &[u8], _base: u64, _budget: &mut Budget) -> Option<usize> {
        None
    }

    /// Reads the file that starts `data`, which may go on after it, with its length.
    fn embedded(data: &[u8], base: u64, budget: &mut Budget) -> Option<(Self, usize)> {
        let len = Self::extent(data, base, budget)?;
        Some((Self::read(data.get(..len)?).ok()?, len))
    }

    /// Reads a file.
    ///
    /// # Errors
    /// What the model cannot hold.
    fn read(bytes: &[u8]) -> Result<Self>;

    /// What is missing at the end of a file that [`FileFormat::read`] takes all the same: what is there is then a part. Nothing for
    /// whole files, and for formats that refuse files that were cut.
    fn cut(_bytes: &[u8]) -> Option<Error> {
        None
    }

    /// Why files of the format are read and never changed, where that is so.
    fn locked() -> Option<Error> {
        None
    }

    /// The bytes of the file; the same as were read when nothing was changed.
    ///
    /// # Errors
    /// [`ErrorKind::Unrepresentable`] when the model was changed to what no file can hold.
    fn write(&self) -> Result<Vec<u8>>;

    /// Order of the bytes of its numbers.
    fn byte_order(&self) -> Endian {
        Endian::Little
    }

    /// What the file is, in a few words: variant, versions, layout.
    fn describe(&self) -> String;

    /// What is wrong with it, most severe first.
    fn check(&self) -> Vec<Diagnostic>;

    /// The structure with names, values and places.
    ///
    /// # Errors
    /// As [`FileFormat::write`].
    fn tree(&self) -> Result<Node>;

    /// The programs, in file order.
    fn stages(&self) -> Stages<'_>;

    /// The program of that name.
    fn stage(&self, id: &StageId) -> Option<Stage<'_>>;

    /// Gives a program other code.
    ///
    /// # Errors
    /// Where no program has that name, or the format cannot hold the code.
    fn replace(&mut self, id: &StageId, code: &Code<'_>) -> Result<()>;

    /// The stage of that name with everything that the file says of it.
    ///
    /// # Errors
    /// [`ErrorKind::OutOfBounds`] where no stage has that name.
    fn take(&self, id: &StageId) -> Result<DetachedStage> {
        Err(missing(&id.0))
    }

    /// Puts another stage in the place of that name.
    ///
    /// # Errors
    /// [`ErrorKind::BadValue`] for a stage that does not belong there; [`ErrorKind::Unrepresentable`] where it has no room.
    fn put(&mut self, _id: &StageId, _stage: &DetachedStage) -> Result<()> {
        Err(unsupported::<Self>("put in"))
    }

    /// Adds stages as a program of its own and returns their names.
    ///
    /// # Errors
    /// [`ErrorKind::BadValue`] for stages that make no program of this format; [`ErrorKind::Unsupported`] for a format that
    /// holds no further program.
    fn add(&mut self, _what: &NewProgram) -> Result<Vec<StageId>> {
        Err(unsupported::<Self>("added"))
    }

    /// Takes a program with all its stages out.
    ///
    /// # Errors
    /// [`ErrorKind::OutOfBounds`] where nothing has that name.
    fn remove(&mut self, _item: &str) -> Result<Removed> {
        Err(unsupported::<Self>("removed"))
    }

    /// A program as it stands here, to be added again.
    ///
    /// # Errors
    /// As [`FileFormat::remove`].
    fn copy_of(&self, item: &str) -> Result<NewProgram> {
        self.clone().remove(item).map(|removed| removed.again)
    }

    /// What the file has names for, where `tree` is its tree. Of a file without names, nothing.
    fn things(&self, _tree: &Node) -> Vec<Thing> {
        Vec::new()
    }

    /// Puts other characters where these texts are; what lies behind them moves.
    ///
    /// # Errors
    /// [`ErrorKind::BadValue`] where none is.
    fn set_texts(&mut self, texts: &[(u64, Vec<u8>)]) -> Result<()> {
        texts.first().map_or(Ok(()), |(at, _)| Err(no_text(*at)))
    }

    /// Brings values in, and takes them out. Nothing where what has a name has its value, too.
    ///
    /// # Errors
    /// [`ErrorKind::Unrepresentable`] where the file cannot hold them.
    fn set_things(&mut self, _puts: &[Put]) -> Result<()> {
        Ok(())
    }

    /// Takes the file apart: what is no text goes to `parts`, the manifest is returned.
    ///
    /// # Errors
    /// As [`FileFormat::write`].
    #[cfg(feature = "manifest")]
    fn extract(&self, parts: &mut Parts) -> Result<String>;

    /// Puts a file together.
    ///
    /// # Errors
    /// [`ErrorKind::BadValue`] where the manifest says what cannot be, or a file is missing.
    #[cfg(feature = "manifest")]
    fn build(manifest: &str, parts: &Parts) -> Result<Self>;

    /// Names of the files that a manifest asks for.
    ///
    /// # Errors
    /// [`ErrorKind::BadValue`] when the text is no manifest of the format.
    #[cfg(feature = "manifest")]
    fn wanted(manifest: &str) -> Result<Vec<String>>;
}

/// What is missing where a file should have so many bytes, as a number in it says.
pub(crate) fn shorter(
    bytes: &[u8],
    wanted: u64,
    (at, path): (u64, &'static str),
    code: &'static str,
) -> Option<Error> {
    let len = bytes.len() as u64;
    let error = || {
        let expected = format!("{wanted} bytes, as the file says");
        let found = format!("{len}: the file was cut");
        Error::new(ErrorKind::Truncated, at, path, expected, found).code(code)
    };
    (len < wanted).then(error)
}

/// What a format says that holds no further programs.
fn unsupported<F: FileFormat>(what: &str) -> Error {
    let expected = format!("a format whose stages can be {what} whole");
    Error::unplaced(ErrorKind::Unsupported, "", expected, F::NAME).code("programs.format")
}

/// As many bytes as a file says that it has, where they are there.
pub(crate) fn sized(data: &[u8], size: u64, base: u64, budget: &mut Budget) -> Option<usize> {
    budget.charge(size, base, "container").ok()?;
    usize::try_from(size).ok().filter(|size| *size <= data.len())
}

/// Makes methods of [`FileFormat`] of those that the file has under the same names. One that it lacks would call itself, which
/// the lint `unconditional_recursion` refuses.
macro_rules! forward {
    ($($name:ident),+ $(,)?) => { $($crate::shared::format::forward!(@ $name);)+ };
    (@ write) => {
        fn write(&self) -> ::unshade_bytes::Result<Vec<u8>> {
            self.write()
        }
    };
    (@ describe) => {
        fn describe(&self) -> String {
            self.describe()
        }
    };
    (@ check) => {
        fn check(&self) -> Vec<::unshade_bytes::Diagnostic> {
            self.check()
        }
    };
    (@ tree) => {
        fn tree(&self) -> ::unshade_bytes::Result<$crate::shared::Node> {
            self.tree()
        }
    };
    (@ stage) => {
        fn stage(&self, id: &::unshade_stage::StageId) -> Option<::unshade_stage::Stage<'_>> {
            self.stage(id)
        }
    };
    (@ replace) => {
        fn replace(&mut self, id: &::unshade_stage::StageId, code: &::unshade_stage::Code<'_>) -> ::unshade_bytes::Result<()> {
            self.replace(id, code)
        }
    };
    (@ add) => {
        fn add(&mut self, what: &$crate::shared::NewProgram) -> ::unshade_bytes::Result<Vec<::unshade_stage::StageId>> {
            self.add(what)
        }
    };
    (@ remove) => {
        fn remove(&mut self, item: &str) -> ::unshade_bytes::Result<$crate::shared::Removed> {
            self.remove(item)
        }
    };
    (@ copy_of) => {
        fn copy_of(&self, item: &str) -> ::unshade_bytes::Result<$crate::shared::NewProgram> {
            self.copy_of(item)
        }
    };
    (@ things) => {
        fn things(&self, tree: &$crate::shared::Node) -> Vec<$crate::shared::names::Thing> {
            self.things(tree)
        }
    };
    (@ set_texts) => {
        fn set_texts(&mut self, texts: &[(u64, Vec<u8>)]) -> ::unshade_bytes::Result<()> {
            self.set_texts(texts)
        }
    };
    (@ set_things) => {
        fn set_things(&mut self, puts: &[$crate::shared::names::Put]) -> ::unshade_bytes::Result<()> {
            self.set_things(puts)
        }
    };
    // What a format takes out is a type of its own.
    (@ take) => {
        fn take(&self, id: &::unshade_stage::StageId) -> ::unshade_bytes::Result<$crate::shared::DetachedStage> {
            self.take(id).map(Into::into)
        }
    };
}
pub(crate) use forward;

/// Makes the three methods of [`FileFormat`] for manifests: of the model itself ([`Manifest`](super::manifest::Manifest)), or of
/// the functions of a format's room.
macro_rules! forward_manifest {
    () => {
        #[cfg(feature = "manifest")]
        fn extract(&self, parts: &mut $crate::shared::Parts) -> ::unshade_bytes::Result<String> {
            // What no file can hold has no manifest either.
            $crate::shared::format::FileFormat::write(self)?;
            $crate::shared::manifest::extract(Self::NAME, self, parts)
        }

        #[cfg(feature = "manifest")]
        fn build(manifest: &str, parts: &$crate::shared::Parts) -> ::unshade_bytes::Result<Self> {
            $crate::shared::manifest::build(manifest, parts)
        }

        #[cfg(feature = "manifest")]
        fn wanted(manifest: &str) -> ::unshade_bytes::Result<Vec<String>> {
            $crate::shared::manifest::wanted::<Self>(manifest)
        }
    };
    ($extract:path, $build:path, $wanted:path) => {
        #[cfg(feature = "manifest")]
        fn extract(&self, parts: &mut $crate::shared::Parts) -> ::unshade_bytes::Result<String> {
            $extract(self, parts)
        }

        #[cfg(feature = "manifest")]
        fn build(manifest: &str, parts: &$crate::shared::Parts) -> ::unshade_bytes::Result<Self> {
            $build(manifest, parts)
        }

        #[cfg(feature = "manifest")]
        fn wanted(manifest: &str) -> ::unshade_bytes::Result<Vec<String>> {
            $wanted(manifest)
        }
    };
}
pub(crate) use forward_manifest;
