//! Bytes as pieces: what the old file has is copied, what it has not is in the patch.

use super::{FailedHunk, Piece, counted, hash};
use crate::delta::{self, Index};
use unshade_bytes::{Error, ErrorKind, Limits, Result, limits::Budget};

/// So few new bytes cannot hold a run of the old file that matters.
const SHORT: usize = 16;

/// All bytes that can be copied from, one file behind the other: the file in question, and the outermost one where that is
/// another.
pub(super) fn together(file: &[u8], outermost: &[u8]) -> Vec<u8> {
    let more = if file == outermost { &[] } else { outermost };
    [file, more].concat()
}

/// Takes new bytes apart.
pub(super) struct Cutter<'a> {
    bytes: &'a [u8],
    index: Index<'a>,
}

impl<'a> Cutter<'a> {
    /// With copies from these bytes.
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, index: Index::new(bytes) }
    }

    /// New bytes in pieces.
    pub(super) fn pieces(&self, new: &[u8]) -> Vec<Piece> {
        let mut pieces = Vec::new();
        self.cut(new, 0, &mut pieces);
        pieces
    }

    /// What became of a part, in pieces: copies are from the part, behind its end from the file.
    pub(super) fn pieces_of_part(&self, was: &[u8], new: &[u8]) -> Vec<Piece> {
        let mut pieces = Vec::new();
        for piece in Index::new(was).delta(new) {
            match piece {
                delta::Piece::Copy(run) => pieces.push(copy(run.start, &was[run.clone()])),
                delta::Piece::New(run) => self.cut(&new[run], was.len(), &mut pieces),
            }
        }
        pieces
    }

    fn cut(&self, new: &[u8], shift: usize, pieces: &mut Vec<Piece>) {
        if new.is_empty() {
            return;
        }
        if new.len() < SHORT {
            pieces.push(Piece::Bytes(new.to_vec()));
            return;
        }
        pieces.extend(self.index.delta(new).into_iter().map(|piece| match piece {
            delta::Piece::New(run) => Piece::Bytes(new[run].to_vec()),
            delta::Piece::Copy(run) => copy(run.start + shift, &self.bytes[run.clone()]),
        }));
    }
}

fn copy(from: usize, bytes: &[u8]) -> Piece {
    Piece::Copy { from: from as u64, len: bytes.len() as u64, hash: hash(bytes) }
}

/// The bytes that pieces are, with copies from these files, one behind the other; or the copies of which other bytes
/// stand there.
pub(super) fn joined(
    files: &[&[u8]],
    pieces: &[Piece],
    budget: &mut Budget,
) -> Result<std::result::Result<Vec<u8>, Vec<Missing>>> {
    let len = pieces.iter().fold(0, |sum: u64, piece| sum.saturating_add(piece.len()));
    if len > Limits::DEFAULT.bytes {
        let expected = format!("pieces of at most {} bytes together", Limits::DEFAULT.bytes);
        let found = format!("{len} bytes");
        return Err(Error::new(ErrorKind::LimitExceeded, 0, "", expected, found).code("patch.limit"));
    }
    budget.charge(len, 0, "pieces of a patch")?;
    let (mut bytes, mut missing) = (Vec::new(), Vec::new());
    for piece in pieces {
        match piece {
            Piece::Bytes(new) => bytes.extend_from_slice(new),
            Piece::Copy { from, len, hash: expected } => {
                let start = bytes.len();
                let whole = copied(files, *from, *len, &mut bytes);
                let found = hash(&bytes[start..]);
                if !whole || found != *expected {
                    let found = whole.then_some(found);
                    missing.push(Missing { from: *from, len: *len, expected: *expected, found });
                }
            }
        }
    }
    Ok(if missing.is_empty() { Ok(bytes) } else { Err(missing) })
}

/// Puts a run behind what is there; whether the files have all of it.
fn copied(files: &[&[u8]], mut from: u64, mut len: u64, out: &mut Vec<u8>) -> bool {
    for file in files {
        let size = file.len() as u64;
        if from < size && len > 0 {
            let end = size.min(from.saturating_add(len));
            out.extend_from_slice(&file[from as usize..end as usize]);
            (len, from) = (len - (end - from), 0);
        } else {
            from = from.saturating_sub(size);
        }
    }
    len == 0
}

/// A run that was to be copied and is not there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Missing {
    from: u64,
    len: u64,
    expected: u64,
    /// `None` where the file ends before.
    found: Option<u64>,
}

impl Missing {
    /// The hunk at `place` that it lets fail.
    pub(super) fn failed(&self, place: &str) -> FailedHunk {
        let Self { from, len, expected, found } = self;
        let bytes = counted(*len, "byte");
        let expected = format!("{bytes} to copy at {from:#x} that hash to {expected:016x}");
        let found = found
            .map_or("the end of the file".to_owned(), |found| format!("bytes that hash to {found:016x}"));
        FailedHunk { place: place.to_owned(), expected, found }
    }
}
