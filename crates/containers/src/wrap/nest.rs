//! Wrappers in wrappers: walking down to the files inside, and writing a changed one back up.
//!
//! A compressed file opens by itself; of an archive, or a model file with others embedded in it, a name chooses one
//! file, and without names all are visited. What a stranger's file may cost is bounded: depth, unpacked bytes
//! altogether, and visits of the same bytes.

use super::{
    inside::wrappers,
    sarc::{self, Sarc},
    yaz0::{self, Level},
    zstd::{self, DICTIONARY_MAGIC, Dictionaries},
};
use crate::{bfres, detect};
use std::{fmt, ops::Range, sync::Arc};
use unshade_bytes::{Error, ErrorKind, Limits, Result};

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
    /// Whether wrappers that lie in bytes that nobody knows are visited, too; the file around them comes first, as
    /// [`Found::File`].
    pub in_bytes: bool,
}

impl Bounds {
    /// The bounds by default, and everything that lies within them is visited.
    pub const EVERYTHING: Self = Self { depth: DEPTH, unpacked: Limits::DEFAULT.bytes, in_bytes: true };
}

impl Default for Bounds {
    fn default() -> Self {
        Self { depth: DEPTH, unpacked: Limits::DEFAULT.bytes, in_bytes: false }
    }
}

/// A file with the dictionaries that are at hand for what is compressed in it.
#[derive(Debug, Clone, Copy)]
pub struct Source<'f> {
    /// The file.
    pub bytes: &'f [u8],
    /// Dictionaries that somebody gave.
    pub dictionaries: Option<&'f Dictionaries>,
}

impl<'f> Source<'f> {
    /// A file with dictionaries.
    pub fn new(bytes: &'f [u8], dictionaries: &'f Dictionaries) -> Self {
        Self { bytes, dictionaries: Some(dictionaries) }
    }
}

impl<'f> From<&'f [u8]> for Source<'f> {
    fn from(bytes: &'f [u8]) -> Self {
        Self { bytes, dictionaries: None }
    }
}

impl<'f> From<&'f Vec<u8>> for Source<'f> {
    fn from(bytes: &'f Vec<u8>) -> Self {
        Self { bytes, dictionaries: None }
    }
}

impl<'f, const N: usize> From<&'f [u8; N]> for Source<'f> {
    fn from(bytes: &'f [u8; N]) -> Self {
        Self { bytes, dictionaries: None }
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
    /// Those that were given, and those of the archives on the way.
    dictionaries: Dictionaries,
}

/// Something that was not looked at yet.
struct Pending {
    chain: Chain,
    piece: Piece,
    names: Vec<String>,
}

/// Walks through a file, along `names` as far as they go, below them through everything. Files that were compressed
/// with a dictionary open where it was given or lies in an archive on the way.
pub fn walk<'f>(file: impl Into<Source<'f>>, names: &[String]) -> Walk<'f> {
    walk_within(file, names, Bounds::default())
}

/// As [`walk`], with bounds of the caller's own.
pub fn walk_within<'f>(file: impl Into<Source<'f>>, names: &[String], bounds: Bounds) -> Walk<'f> {
    let Source { bytes, dictionaries } = file.into();
    let start = Pending { chain: Chain::default(), piece: Piece::whole(bytes.len()), names: names.to_vec() };
    Walk {
        file: bytes,
        stack: vec![start],
        bounds,
        left: bounds.unpacked,
        visits: visits(bytes.len()),
        dictionaries: dictionaries.cloned().unwrap_or_default(),
    }
}

/// The dictionaries in a file: itself, or those in the archives in it (`ZsDic.pack.zs`).
///
/// # Errors
/// [`ErrorKind::BadValue`] where there is none; and where the file does not open.
pub fn dictionaries(file: &[u8]) -> Result<Dictionaries> {
    let mut found = Dictionaries::default();
    for part in walk(file, &[]) {
        match part {
            Found::File { piece, .. } => found.offer(piece.bytes(file)),
            Found::Failed { error, .. } if found.0.is_empty() => return Err(error),
            _ => {}
        }
    }
    if found.0.is_empty() {
        if file.starts_with(&DICTIONARY_MAGIC) {
            zstd::Dictionary::read(file)?;
        }
        let expected = "a zstd dictionary, or an archive with some";
        let found = format!("\"{}\"", file.get(..4).unwrap_or(file).escape_ascii());
        return Err(Error::new(ErrorKind::BadValue, 0, "", expected, found).code("zstd.no-dictionary"));
    }
    Ok(found)
}

fn visits(len: usize) -> u64 {
    (len as u64).saturating_mul(VISITS).saturating_add(64 << 10)
}

impl Walk<'_> {
    /// The dictionaries that were given, and those of the archives that were opened so far.
    pub fn dictionaries(&self) -> &Dictionaries {
        &self.dictionaries
    }
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
            if self.bounds.in_bytes && detect(piece.bytes(file)).is_none() {
                let inside = in_bytes(&chain, &piece, &names, file);
                // What was chosen is one of them, and not the bytes around it.
                if !names.is_empty() && !inside.is_empty() {
                    self.stack.extend(inside);
                    return self.next();
                }
                self.stack.extend(inside.into_iter().rev());
            }
            return Some(Found::File { chain, piece, names });
        };
        if chain.0.len() >= self.bounds.depth {
            let expected = format!("at most {} wrappers around a file", self.bounds.depth);
            let error = Error::new(ErrorKind::LimitExceeded, 0, "", expected, "one more").code("wrap.depth");
            return Some(Found::Failed { chain, error });
        }
        let inside = match kind {
            Wrapper::Yaz0 | Wrapper::Zstd => self.unpack(kind, &chain, &piece, names.clone()),
            Wrapper::Sarc => self.archive(&chain, &piece, names.clone()),
            Wrapper::Bfres => embedded(&chain, &piece, names.clone(), file),
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
        kind: Wrapper,
        chain: &Chain,
        piece: &Piece,
        names: Vec<String>,
    ) -> std::result::Result<Vec<Pending>, Stop> {
        let bytes = piece.bytes(self.file);
        // A stream of zstd that turns out to be damaged, or too long, may have given any number of bytes before.
        let mut spent = 0;
        let (data, step, at, field) = match kind {
            Wrapper::Zstd => {
                let data = zstd::read_counted(bytes, self.left, &self.dictionaries, &mut spent);
                (data.map(|file| file.data), Step::Zstd, 0, "content")
            }
            _ => (yaz0::read_within(bytes, self.left).map(|file| file.data), Step::Yaz0, 4, "size"),
        };
        let left = self.left;
        self.left = left.saturating_sub(data.as_ref().map_or(spent, |data| data.len() as u64));
        let data = data.map_err(|error| {
            if error.kind != ErrorKind::LimitExceeded {
                return error;
            }
            let expected = format!("at most {} bytes unpacked altogether", self.bounds.unpacked);
            let before = self.bounds.unpacked.saturating_sub(left);
            let found = format!("{} more than {before}", error.found);
            Error::new(ErrorKind::LimitExceeded, at, field, expected, found).code("wrap.unpacked")
        })?;
        self.visits = self.visits.saturating_add(visits(data.len()));
        let piece = Piece { range: 0..data.len(), unpacked: Some(Arc::new(data)) };
        Ok(vec![Pending { chain: chain.with(step), piece, names }])
    }

    fn archive(
        &mut self,
        chain: &Chain,
        piece: &Piece,
        names: Vec<String>,
    ) -> std::result::Result<Vec<Pending>, Stop> {
        let archive = sarc::read(piece.bytes(self.file))?;
        offer(&archive, &mut self.dictionaries);
        let labels = archive.labels();
        let places: Vec<_> = archive.entries.iter().map(|entry| archive.place(entry)).collect();
        let chosen = choose(
            &labels,
            &names,
            |name| archive.find(name.as_bytes()),
            |hash| archive.entries.iter().position(|entry| entry.hash == hash),
        );
        let step = |index, label| Step::Sarc { index, label };
        list(chain, piece, &places, (labels, names, chosen), step)
    }
}

/// Takes the dictionaries of an archive, which others of its files may have been compressed with.
fn offer(archive: &Sarc<'_>, dictionaries: &mut Dictionaries) {
    for entry in &archive.entries {
        dictionaries.offer(archive.file(entry));
    }
}

fn embedded(
    chain: &Chain,
    piece: &Piece,
    names: Vec<String>,
    file: &[u8],
) -> std::result::Result<Vec<Pending>, Stop> {
    let models = bfres::read(piece.bytes(file))?;
    let labels = models.labels();
    let places: Vec<_> = models.files.iter().map(bfres::Embedded::range).collect();
    let chosen = choose(&labels, &names, |_| None, |_| None);
    list(chain, piece, &places, (labels, names, chosen), |index, label| Step::Bfres { index, label })
}

/// The wrappers in bytes that nobody knows: the one at the offset that the first name says, or all without a name.
fn in_bytes(chain: &Chain, piece: &Piece, names: &[String], file: &[u8]) -> Vec<Pending> {
    let wanted =
        match names.first().map(|name| name.strip_prefix("0x").map(|at| usize::from_str_radix(at, 16))) {
            None => None,
            Some(Some(Ok(at))) => Some(at),
            Some(_) => return Vec::new(),
        };
    let found = wrappers(piece.bytes(file)).filter(|inside| wanted.is_none_or(|at| inside.range.start == at));
    let rest = names.get(1..).unwrap_or_default();
    found
        .map(|inside| {
            let start = piece.range.start;
            let range = start.saturating_add(inside.range.start)..start.saturating_add(inside.range.end);
            let piece = Piece { unpacked: piece.unpacked.clone(), range };
            Pending { chain: chain.with(Step::Bytes { range: inside.range }), piece, names: rest.to_vec() }
        })
        .collect()
}

/// What is to be visited of the files of an archive: the one that was chosen, or all without a name.
fn list(
    chain: &Chain,
    piece: &Piece,
    places: &[Range<usize>],
    (labels, names, chosen): (Vec<String>, Vec<String>, Option<(usize, usize)>),
    step: impl Fn(usize, String) -> Step,
) -> std::result::Result<Vec<Pending>, Stop> {
    let pending = |index: usize, names: Vec<String>| {
        let place = places.get(index)?;
        let start = piece.range.start;
        let range = start.saturating_add(place.start)..start.saturating_add(place.end);
        let piece = Piece { unpacked: piece.unpacked.clone(), range };
        Some(Pending { chain: chain.with(step(index, labels.get(index)?.clone())), piece, names })
    };
    if names.is_empty() {
        return Ok((0..places.len()).filter_map(|index| pending(index, Vec::new())).collect());
    }
    match (chosen, places.len()) {
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
fn choose(
    labels: &[String],
    names: &[String],
    find: impl Fn(&str) -> Option<usize>,
    by_hash: impl Fn(u32) -> Option<usize>,
) -> Option<(usize, usize)> {
    let mut name = String::new();
    for (index, part) in names.iter().enumerate() {
        if index > 0 {
            name.push(':');
        }
        name.push_str(part);
        if let Some(found) = find(&name).or_else(|| labels.iter().position(|label| *label == name)) {
            return Some((found, index.saturating_add(1)));
        }
    }
    let first = names.first()?;
    let hash = first.strip_prefix("0x").and_then(|digits| u32::from_str_radix(digits, 16).ok());
    let by_number = || first.parse().ok().filter(|&index: &usize| index < labels.len());
    hash.and_then(by_hash).or_else(by_number).map(|index| (index, 1))
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
/// are the same, all wrappers are; else each changes only where it must, and Yaz0 and zstd are compressed anew.
///
/// # Errors
/// Where a wrapper on the way cannot be read or cannot hold the file.
pub fn replace<'f>(file: impl Into<Source<'f>>, chain: &Chain, inside: Vec<u8>) -> Result<Rewritten> {
    let Source { bytes: file, dictionaries } = file.into();
    let mut dictionaries = dictionaries.cloned().unwrap_or_default();
    // Down: the bytes of every wrapper. The chain came out of a walk, so it is no deeper than that allows.
    let mut layers: Vec<Vec<u8>> = Vec::new();
    let mut left = Bounds::default().unpacked;
    for step in &chain.0 {
        let outer = layers.last().map_or(file, Vec::as_slice);
        let inner = match step {
            Step::Yaz0 => yaz0::read_within(outer, left)?.data,
            Step::Zstd => zstd::read_within(outer, left, &dictionaries)?.data,
            Step::Bfres { index, .. } => bfres::read(outer)?.file(*index).to_vec(),
            Step::Sarc { index, label } => {
                let archive = sarc::read(outer)?;
                offer(&archive, &mut dictionaries);
                let entry = archive.entries.get(*index).ok_or_else(|| no_entry(label))?;
                archive.file(entry).to_vec()
            }
            Step::Bytes { range } => {
                let inner =
                    outer.get(range.clone()).ok_or_else(|| no_entry(&format!("{:#x}", range.start)))?;
                inner.to_vec()
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
            Step::Zstd => {
                let mut packed = zstd::read(outer, &dictionaries)?;
                let dictionary = match packed.dictionaries().is_empty() {
                    true => "",
                    false => ", now without a dictionary",
                };
                packed.replace(bytes)?;
                let written = packed.write();
                notes.push(format!(
                    "zstd: compressed anew{dictionary}, {} bytes became {} ({} unpacked)",
                    outer.len(),
                    written.len(),
                    packed.data.len()
                ));
                written
            }
            Step::Bfres { index, label } => {
                let replaced = bfres::read(outer)?.replace(*index, &bytes)?;
                notes.push(match replaced.moved_to {
                    None => format!("BFRES: `{label}` replaced in its place"),
                    Some(place) => format!("BFRES: `{label}` replaced, now at {place:#x} behind all others"),
                });
                replaced.bytes
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
            Step::Bytes { range } => {
                let (written, note) = in_place(outer, range, bytes);
                notes.push(note);
                written
            }
        };
    }
    Ok(Rewritten { bytes, notes })
}

/// Bytes that nobody knows with others in the place of some of them. Shorter ones are followed by zeros, so that nothing
/// else moves.
fn in_place(outer: &[u8], range: &Range<usize>, mut new: Vec<u8>) -> (Vec<u8>, String) {
    let at = range.start;
    let note = match new.len().checked_sub(range.len()) {
        Some(0) => format!("bytes at {at:#x}: replaced in their place"),
        Some(more) => format!("bytes at {at:#x}: {more} more than there were, what lies behind them moved"),
        None => {
            let zeros = range.len().saturating_sub(new.len());
            new.resize(range.len(), 0);
            format!("bytes at {at:#x}: replaced in their place, the last {zeros} of them are zeros now")
        }
    };
    let (before, behind) = (outer.get(..at).unwrap_or_default(), outer.get(range.end..).unwrap_or_default());
    ([before, &new, behind].concat(), note)
}

fn no_entry(label: &str) -> Error {
    Error::new(ErrorKind::OutOfBounds, 0, "sfat", "an entry of the archive", format!("`{label}`"))
        .code("wrap.entry")
}
