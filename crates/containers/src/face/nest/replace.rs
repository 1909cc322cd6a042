//! Writing back up: a file inside is another one, and every wrapper around it follows.

use super::chain::{Chain, Step};
use super::walk::{Bounds, Source, offer};
use crate::formats::{
    bfres, sarc,
    yaz0::{self, Level},
    zstd,
};
use std::ops::Range;
use unshade_bytes::{Error, ErrorKind, Result};

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
