//! Walking down: what is in a file, and in what is in it.

use super::chain::{Chain, Piece, Step, Wrapper, wrapper};
use crate::face::{container::detect, inside::wrappers};
use crate::formats::{
    bfres,
    sarc::{self, Sarc},
    yaz0,
    zstd::{self, DICTIONARY_MAGIC, Dictionaries},
};
use std::{ops::Range, sync::Arc};
use unshade_bytes::{Error, ErrorKind, Limits, Result};

/// How deep wrappers may nest.
pub const DEPTH: usize = 16;

/// How often the bytes of a file may be visited altogether: entries of an archive may share bytes, but not all of
/// them everything.
const VISITS: u64 = 16;

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

/// The dictionaries in a file: itself, those in the archives in it (`ZsDic.pack.zs`), or those that lie packed anywhere in it
/// (Cemu's executable).
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
        found = zstd::dictionaries_in(file);
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
pub(super) fn offer(archive: &Sarc<'_>, dictionaries: &mut Dictionaries) {
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
