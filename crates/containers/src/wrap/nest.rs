//! Wrappers in wrappers: walking down to the files inside, and writing a changed one back up.
//!
//! A Yaz0 file opens by itself; of a SARC archive a name chooses one file, and without names all are visited. What a
//! stranger's file may cost is bounded: depth, unpacked bytes altogether, and visits of the same bytes.

use super::{
    sarc::{self, Sarc},
    yaz0::{self, Level},
};
use std::{fmt, ops::Range, sync::Arc};
use unshade_bytes::{Error, ErrorKind, Limits, Result};

/// A kind of wrapper.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Wrapper {
    /// One file, compressed.
    Yaz0,
    /// An archive of files.
    Sarc,
}

impl Wrapper {
    /// Its name: `Yaz0`, `SARC`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Yaz0 => "Yaz0",
            Self::Sarc => "SARC",
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
        _ => None,
    }
}

/// How deep wrappers may nest.
pub const DEPTH: usize = 16;

/// How often the bytes of a file may be visited altogether: entries of an archive may share bytes, but not all of
/// them everything.
const VISITS: u64 = 16;

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
}

/// The steps from a file to something inside, outermost first.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Chain(pub Vec<Step>);

impl Chain {
    /// What stands behind `FILE:` on the command line; `None` where no archive is on the way.
    pub fn name(&self) -> Option<String> {
        let labels: Vec<&str> = self
            .0
            .iter()
            .filter_map(|step| match step {
                Step::Yaz0 => None,
                Step::Sarc { label, .. } => Some(label.as_str()),
            })
            .collect();
        (!labels.is_empty()).then(|| labels.join(":"))
    }

    /// The wrappers on the way, outermost first.
    pub fn wrappers(&self) -> impl Iterator<Item = Wrapper> {
        self.0.iter().map(|step| match step {
            Step::Yaz0 => Wrapper::Yaz0,
            Step::Sarc { .. } => Wrapper::Sarc,
        })
    }

    fn with(&self, step: Step) -> Self {
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

/// What a walk comes by.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Found {
    /// A wrapper that could be read; what is inside follows.
    Wrapper {
        /// The way to it.
        chain: Chain,
        /// Which it is.
        kind: Wrapper,
        /// Its bytes, packed.
        piece: Piece,
        /// Names that were given and that no archive on the way took.
        names: Vec<String>,
    },
    /// A file that is no wrapper.
    File {
        /// The way to it.
        chain: Chain,
        /// Its bytes.
        piece: Piece,
        /// Names that were given and that no archive on the way took.
        names: Vec<String>,
    },
    /// A wrapper that cannot be read, or goes past a limit.
    Failed {
        /// The way to it.
        chain: Chain,
        /// Why. Offsets count from the start of that wrapper.
        error: Error,
    },
    /// An archive that holds no file of the name that was asked for.
    Unknown {
        /// The way to the archive.
        chain: Chain,
        /// The name.
        wanted: String,
        /// The names that there are.
        known: Vec<String>,
    },
}

/// Bounds of a walk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bounds {
    /// How many wrappers may be around a file.
    pub depth: usize,
    /// How many bytes may be unpacked altogether.
    pub unpacked: u64,
}

impl Default for Bounds {
    fn default() -> Self {
        Self { depth: DEPTH, unpacked: Limits::DEFAULT.bytes }
    }
}

/// A walk through a file, depth first and in the order of the archives' tables. Each unpacked wrapper lives only
/// as long as something that was found in it.
pub struct Walk<'f> {
    file: &'f [u8],
    stack: Vec<Pending>,
    bounds: Bounds,
    /// Bytes that may still be unpacked.
    left: u64,
    /// Bytes that may still be visited.
    visits: u64,
}

/// Something that was not looked at yet.
struct Pending {
    chain: Chain,
    piece: Piece,
    names: Vec<String>,
}

/// Walks through a file, along `names` as far as they go, below them through everything.
pub fn walk<'f>(file: &'f [u8], names: &[String]) -> Walk<'f> {
    walk_within(file, names, Bounds::default())
}

/// As [`walk`], with bounds of the caller's own.
pub fn walk_within<'f>(file: &'f [u8], names: &[String], bounds: Bounds) -> Walk<'f> {
    let start = Pending { chain: Chain::default(), piece: Piece::whole(file.len()), names: names.to_vec() };
    Walk { file, stack: vec![start], bounds, left: bounds.unpacked, visits: visits(file.len()) }
}

fn visits(len: usize) -> u64 {
    (len as u64).saturating_mul(VISITS).saturating_add(64 << 10)
}

impl Iterator for Walk<'_> {
    type Item = Found;

    fn next(&mut self) -> Option<Found> {
        let Pending { chain, piece, names } = self.stack.pop()?;
        let work = piece.len() as u64;
        let Some(visits) = self.visits.checked_sub(work) else {
            self.stack.clear();
            let expected = "an archive whose files do not share all of their bytes";
            let found = format!("{work} bytes that were visited {VISITS} times before");
            let error = Error::new(ErrorKind::LimitExceeded, 0, "", expected, found).code("wrap.visits");
            return Some(Found::Failed { chain, error });
        };
        self.visits = visits;
        let file = self.file;
        let Some(kind) = wrapper(piece.bytes(file)) else {
            return Some(Found::File { chain, piece, names });
        };
        if chain.0.len() >= self.bounds.depth {
            let expected = format!("at most {} wrappers around a file", self.bounds.depth);
            let error = Error::new(ErrorKind::LimitExceeded, 0, "", expected, "one more").code("wrap.depth");
            return Some(Found::Failed { chain, error });
        }
        let inside = match kind {
            Wrapper::Yaz0 => self.unpack(&chain, &piece, names.clone()),
            Wrapper::Sarc => list(&chain, &piece, names.clone(), file),
        };
        match inside {
            Ok(inside) => {
                self.stack.extend(inside.into_iter().rev());
                Some(Found::Wrapper { chain, kind, piece, names })
            }
            Err(Stop::Error(error)) => Some(Found::Failed { chain, error: *error }),
            Err(Stop::Unknown { wanted, known }) => Some(Found::Unknown { chain, wanted, known }),
        }
    }
}

/// Why a wrapper does not open.
enum Stop {
    Error(Box<Error>),
    Unknown { wanted: String, known: Vec<String> },
}

impl From<Error> for Stop {
    fn from(error: Error) -> Self {
        Self::Error(Box::new(error))
    }
}

impl Walk<'_> {
    fn unpack(
        &mut self,
        chain: &Chain,
        piece: &Piece,
        names: Vec<String>,
    ) -> std::result::Result<Vec<Pending>, Stop> {
        let bytes = piece.bytes(self.file);
        let data = yaz0::read_within(bytes, self.left).map(|file| file.data).map_err(|error| {
            if error.kind != ErrorKind::LimitExceeded {
                return error;
            }
            let expected = format!("at most {} bytes unpacked altogether", self.bounds.unpacked);
            let before = self.bounds.unpacked.saturating_sub(self.left);
            let found = format!("{} more than {before}", error.found);
            Error::new(ErrorKind::LimitExceeded, 4, "size", expected, found).code("wrap.unpacked")
        })?;
        self.left = self.left.saturating_sub(data.len() as u64);
        self.visits = self.visits.saturating_add(visits(data.len()));
        let piece = Piece { range: 0..data.len(), unpacked: Some(Arc::new(data)) };
        Ok(vec![Pending { chain: chain.with(Step::Yaz0), piece, names }])
    }
}

fn list(
    chain: &Chain,
    piece: &Piece,
    names: Vec<String>,
    file: &[u8],
) -> std::result::Result<Vec<Pending>, Stop> {
    let archive = sarc::read(piece.bytes(file))?;
    let labels = archive.labels();
    let pending = |index: usize, names: Vec<String>| {
        let entry = archive.entries.get(index)?;
        let place = archive.place(entry);
        let start = piece.range.start;
        let range = start.saturating_add(place.start)..start.saturating_add(place.end);
        let step = Step::Sarc { index, label: labels.get(index)?.clone() };
        let piece = Piece { unpacked: piece.unpacked.clone(), range };
        Some(Pending { chain: chain.with(step), piece, names })
    };
    let all = 0..archive.entries.len();
    if names.is_empty() {
        return Ok(all.filter_map(|index| pending(index, Vec::new())).collect());
    }
    let chosen = choose(&archive, &labels, &names);
    match (chosen, all.len()) {
        (Some((index, taken)), _) => {
            let rest = names.get(taken..).unwrap_or_default().to_vec();
            Ok(pending(index, rest).into_iter().collect())
        }
        // An archive of one file opens by itself.
        (None, 1) => Ok(pending(0, names).into_iter().collect()),
        (None, _) => {
            Err(Stop::Unknown { wanted: names.into_iter().next().unwrap_or_default(), known: labels })
        }
    }
}

/// The entry that the first of `names` mean, and how many of them: a name may hold colons itself. Names come before
/// hashes, hashes before numbers.
fn choose(archive: &Sarc<'_>, labels: &[String], names: &[String]) -> Option<(usize, usize)> {
    let mut name = String::new();
    for (index, part) in names.iter().enumerate() {
        if index > 0 {
            name.push(':');
        }
        name.push_str(part);
        let found = archive.find(name.as_bytes()).or_else(|| labels.iter().position(|label| *label == name));
        if let Some(found) = found {
            return Some((found, index.saturating_add(1)));
        }
    }
    let first = names.first()?;
    let hash = first.strip_prefix("0x").and_then(|digits| u32::from_str_radix(digits, 16).ok());
    let by_hash = hash.and_then(|hash| archive.entries.iter().position(|entry| entry.hash == hash));
    let by_number = || first.parse().ok().filter(|&index: &usize| index < archive.entries.len());
    by_hash.or_else(by_number).map(|index| (index, 1))
}

/// A file with something inside it changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rewritten {
    /// The outermost file.
    pub bytes: Vec<u8>,
    /// What happened to the wrappers on the way, from the innermost on, as sentences.
    pub notes: Vec<String>,
}

/// Puts other bytes in the place of the file at the end of `chain`, and writes the wrappers around it. Where the bytes
/// are the same, all wrappers are; else each changes only where it must, and Yaz0 is compressed anew.
///
/// # Errors
/// Where a wrapper on the way cannot be read or cannot hold the file.
pub fn replace(file: &[u8], chain: &Chain, inside: Vec<u8>) -> Result<Rewritten> {
    // Down: the bytes of every wrapper. The chain came out of a walk, so it is no deeper than that allows.
    let mut layers: Vec<Vec<u8>> = Vec::new();
    let mut left = Bounds::default().unpacked;
    for step in &chain.0 {
        let outer = layers.last().map_or(file, Vec::as_slice);
        let inner = match step {
            Step::Yaz0 => yaz0::read_within(outer, left)?.data,
            Step::Sarc { index, label } => {
                let archive = sarc::read(outer)?;
                let entry = archive.entries.get(*index).ok_or_else(|| no_entry(label))?;
                archive.file(entry).to_vec()
            }
        };
        left = left.saturating_sub(inner.len() as u64);
        layers.push(inner);
    }
    let mut notes = Vec::new();
    if layers.pop().as_deref().unwrap_or(file) == inside {
        return Ok(Rewritten { bytes: file.to_vec(), notes });
    }
    let mut bytes = inside;
    for step in chain.0.iter().rev() {
        let outer = layers.pop();
        let outer = outer.as_deref().unwrap_or(file);
        bytes = match step {
            Step::Yaz0 => {
                let mut packed = yaz0::read(outer)?;
                packed.replace(bytes, Level::Normal);
                let written = packed.write()?;
                notes.push(format!(
                    "Yaz0: compressed anew, {} bytes became {} ({} unpacked)",
                    outer.len(),
                    written.len(),
                    packed.data.len()
                ));
                written
            }
            Step::Sarc { index, label } => {
                let mut archive = sarc::read(outer)?;
                let moved = archive.replace(*index, &bytes)?;
                notes.push(match moved.files {
                    0 => format!("SARC: `{label}` replaced, all other files in their places"),
                    1 => format!("SARC: `{label}` replaced, 1 file behind it moved"),
                    n => format!("SARC: `{label}` replaced, {n} files behind it moved"),
                });
                archive.write()?
            }
        };
    }
    Ok(Rewritten { bytes, notes })
}

fn no_entry(label: &str) -> Error {
    Error::new(ErrorKind::OutOfBounds, 0, "sfat", "an entry of the archive", format!("`{label}`"))
        .code("wrap.entry")
}
