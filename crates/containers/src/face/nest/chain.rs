//! The way from a file to something inside: kinds of wrappers, the steps through them, and the bytes at the end.

use crate::formats::{bfres, sarc, yaz0, zstd};
use std::{fmt, ops::Range, sync::Arc};

/// A kind of wrapper.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Wrapper {
    /// One file, compressed.
    Yaz0,
    /// An archive of files.
    Sarc,
    /// One file, compressed, perhaps with a dictionary.
    Zstd,
    /// Models, with files embedded in them.
    Bfres,
}

impl Wrapper {
    /// Its name: `Yaz0`, `SARC`, `zstd`, `BFRES`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Yaz0 => "Yaz0",
            Self::Sarc => "SARC",
            Self::Zstd => "zstd",
            Self::Bfres => "BFRES",
        }
    }
}

impl fmt::Display for Wrapper {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// The wrapper that the first bytes announce. It says nothing of the rest.
pub fn wrapper(bytes: &[u8]) -> Option<Wrapper> {
    match *bytes.first_chunk()? {
        yaz0::MAGIC => Some(Wrapper::Yaz0),
        sarc::MAGIC => Some(Wrapper::Sarc),
        _ if zstd::starts(bytes) => Some(Wrapper::Zstd),
        _ if bfres::is_read(bytes) => Some(Wrapper::Bfres),
        _ => None,
    }
}

/// One step from a wrapper to what is inside.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Step {
    /// Out of the compressed stream.
    Yaz0,
    /// To a file of an archive.
    Sarc {
        /// Its entry.
        index: usize,
        /// What it is called in paths.
        label: String,
    },
    /// Out of the compressed frames.
    Zstd,
    /// To a file that is embedded in models.
    Bfres {
        /// Its index.
        index: usize,
        /// What it is called in paths.
        label: String,
    },
    /// To a wrapper that lies in bytes that nobody knows.
    Bytes {
        /// Where, in bytes.
        range: Range<usize>,
    },
}

impl Step {
    /// What it is called in paths; `None` where there is nothing to choose.
    fn label(&self) -> Option<String> {
        match self {
            Self::Yaz0 | Self::Zstd => None,
            Self::Sarc { label, .. } | Self::Bfres { label, .. } => Some(label.clone()),
            Self::Bytes { range } => Some(format!("{:#x}", range.start)),
        }
    }

    /// What it leads out of; `None` for bytes that nobody knows.
    fn wrapper(&self) -> Option<Wrapper> {
        match self {
            Self::Yaz0 => Some(Wrapper::Yaz0),
            Self::Sarc { .. } => Some(Wrapper::Sarc),
            Self::Zstd => Some(Wrapper::Zstd),
            Self::Bfres { .. } => Some(Wrapper::Bfres),
            Self::Bytes { .. } => None,
        }
    }
}

/// The steps from a file to something inside, outermost first.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Chain(pub Vec<Step>);

impl Chain {
    /// What stands behind `FILE:` on the command line; `None` where nothing is chosen on the way.
    pub fn name(&self) -> Option<String> {
        let labels = self.labels();
        (!labels.is_empty()).then(|| labels.join(":"))
    }

    /// The names that choose what is at its end.
    pub fn labels(&self) -> Vec<String> {
        self.0.iter().filter_map(Step::label).collect()
    }

    /// The wrappers on the way, outermost first.
    pub fn wrappers(&self) -> impl Iterator<Item = Wrapper> {
        self.0.iter().filter_map(Step::wrapper)
    }

    pub(super) fn with(&self, step: Step) -> Self {
        let mut steps = self.0.clone();
        steps.push(step);
        Self(steps)
    }
}

/// The wrappers from the outermost on: `Yaz0, SARC, Yaz0`.
impl fmt::Display for Chain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut wrappers = self.wrappers().peekable();
        while let Some(wrapper) = wrappers.next() {
            let mut times = 1_usize;
            while wrappers.next_if_eq(&wrapper).is_some() {
                times = times.saturating_add(1);
            }
            write!(f, "{wrapper}")?;
            if times > 1 {
                write!(f, " ({times} times)")?;
            }
            if wrappers.peek().is_some() {
                f.write_str(", ")?;
            }
        }
        Ok(())
    }
}

/// Bytes of the file itself, or of something that was unpacked on the way.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Piece {
    /// What was unpacked last; `None` for the file itself.
    pub unpacked: Option<Arc<Vec<u8>>>,
    /// Which of those bytes.
    pub range: Range<usize>,
}

impl Piece {
    /// All of a file of `len` bytes.
    pub fn whole(len: usize) -> Self {
        Self { unpacked: None, range: 0..len }
    }

    /// The bytes; `file` is the outermost file.
    pub fn bytes<'b>(&'b self, file: &'b [u8]) -> &'b [u8] {
        let bytes = self.unpacked.as_ref().map_or(file, |unpacked| unpacked.as_slice());
        bytes.get(self.range.clone()).unwrap_or_default()
    }

    /// How many bytes.
    pub fn len(&self) -> usize {
        self.range.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.range.is_empty()
    }
}
