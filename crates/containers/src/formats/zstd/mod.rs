//! zstd (`.zs`, `.zstd`): one file in compressed frames (RFC 8878), which may want a dictionary.
//!
//! Frames follow each other, and frames to be skipped stand between them; the content is what all of them hold, one
//! behind the other. Compressors differ, so the frames that were read are kept: while the content is the same, so is
//! the file.

mod decode;
mod dictionary;
mod frame;

pub use dictionary::{DICTIONARY_MAGIC, Dictionaries, Dictionary};
pub use frame::{Data, Frame, FrameKind};

use crate::shared::{Node, Opaque};
use std::borrow::Cow;
use unshade_bytes::{Diagnostic, Error, ErrorKind, Limits, Location, Owner, Result, Severity};

/// First bytes of a frame.
pub const MAGIC: [u8; 4] = [0x28, 0xb5, 0x2f, 0xfd];

/// Whether the bytes start with a frame, or with one to be skipped.
pub fn starts(bytes: &[u8]) -> bool {
    matches!(bytes, [0x28, 0xb5, 0x2f, 0xfd, ..] | [0x50..=0x5f, 0x2a, 0x4d, 0x18, ..])
}

/// A file of zstd frames: the frames as they were read or made, and what they stand for.
#[derive(Clone, PartialEq, Eq)]
pub struct Zstd<'a> {
    /// All frames, packed.
    pub packed: Cow<'a, [u8]>,
    /// Where each frame is and what its header says.
    pub frames: Vec<Frame>,
    /// Bytes behind the frames that are none.
    pub tail: Cow<'a, [u8]>,
    /// The file inside, unpacked.
    pub data: Vec<u8>,
}

/// Reads and unpacks a file, up to [`Limits::bytes`].
///
/// # Errors
/// As [`read_within`].
pub fn read<'a>(bytes: &'a [u8], dictionaries: &Dictionaries) -> Result<Zstd<'a>> {
    read_within(bytes, Limits::DEFAULT.bytes, dictionaries)
}

/// Reads and unpacks a file that holds at most `limit` bytes. What a header says about sizes is not believed: memory
/// is taken as the content comes.
///
/// # Errors
/// [`ErrorKind::Unsupported`] (`zstd.dictionary`) where a frame wants a dictionary that is not among `dictionaries`;
/// [`ErrorKind::LimitExceeded`] for more than `limit` bytes; [`ErrorKind::Truncated`] where a frame ends early;
/// [`ErrorKind::BadValue`] for a damaged one, also by its checksum or its size.
pub fn read_within<'a>(bytes: &'a [u8], limit: u64, dictionaries: &Dictionaries) -> Result<Zstd<'a>> {
    read_counted(bytes, limit, dictionaries, &mut 0)
}

/// As [`read_within`]; `spent` is how many bytes were unpacked, also where that was for nothing.
pub(crate) fn read_counted<'a>(
    bytes: &'a [u8],
    limit: u64,
    dictionaries: &Dictionaries,
    spent: &mut u64,
) -> Result<Zstd<'a>> {
    if !starts(bytes) {
        let found = format!("\"{}\"", bytes.get(..4).unwrap_or(bytes).escape_ascii());
        return Err(
            Error::new(ErrorKind::BadMagic, 0, "frames[0].magic", "28 b5 2f fd", found).code("zstd.magic")
        );
    }
    let (frames, used, data) = decode::decode(bytes, limit, dictionaries, spent)?;
    let (packed, tail) = bytes.split_at_checked(used).unwrap_or((bytes, &[]));
    Ok(Zstd { packed: packed.into(), frames, tail: tail.into(), data })
}

/// Bytes of the longest dictionary that is looked for in other bytes.
const LONGEST_DICTIONARY: u64 = 1 << 20;
/// Bytes that looking for them may unpack.
const DICTIONARY_WORK: u64 = 64 << 20;

/// The dictionaries that lie packed in a file of any kind, at any offset: a program that brings its own has them in it.
pub fn dictionaries_in(file: &[u8]) -> Dictionaries {
    let mut found = Dictionaries::default();
    let (mut at, mut left) = (0_usize, DICTIONARY_WORK);
    while let Some(rest) = file.get(at..).filter(|_| left > 0) {
        let Some(next) = rest.windows(MAGIC.len()).position(|window| window == MAGIC) else { break };
        let start = at.saturating_add(next);
        let rest = file.get(start..).unwrap_or_default();
        let mut spent = 0;
        let (limit, none) = (LONGEST_DICTIONARY.min(left), Dictionaries::default());
        // One frame: what follows on it in such a file is something else.
        if let Ok(data) = decode::one(rest, limit, &none, &mut spent) {
            found.offer(&data);
        }
        left = left.saturating_sub(spent.max(64));
        at = start.saturating_add(1);
    }
    found
}

/// How many bytes the headers of all frames say that they hold; `None` where one does not say it or is damaged.
/// Nothing says yet that they are there.
pub fn announced(bytes: &[u8]) -> Option<u64> {
    match frame::header(bytes, 0).ok()?.kind {
        FrameKind::Data(data) => data.content_size,
        FrameKind::Skippable { .. } => None,
    }
}

/// How many bytes a file takes that others follow: to the end of the last of its frames, by the lengths of their blocks.
/// `None` where they do not end; `charge` is told of bytes that are looked at, and says whether to go on.
pub(crate) fn extent(bytes: &[u8], mut charge: impl FnMut(usize) -> bool) -> Option<usize> {
    let mut at = 0_usize;
    let mut known = None;
    while let Some(rest) = bytes.get(at..).filter(|rest| starts(rest)) {
        let frame = frame::header(bytes, at as u64).ok();
        let len = match &frame {
            Some(frame) => frame.extent(rest, &mut charge),
            None => None,
        };
        // What stands behind a whole frame and is none may be anything.
        let Some(len) = len else { break };
        at = at.checked_add(len)?;
        known = Some(at);
    }
    known
}

/// Packs bytes into one frame that says its size and wants no dictionary.
pub fn encode(data: &[u8]) -> Vec<u8> {
    let packed = ruzstd::encoding::compress_to_vec(data, ruzstd::encoding::CompressionLevel::Fastest);
    // The encoder does not say the size, by which games take memory. It stands behind descriptor and window.
    match packed.split_first_chunk() {
        Some((&[a, b, c, d, descriptor, window], blocks)) if descriptor & !4 == 0 => {
            let (flag, size) = match u32::try_from(data.len()) {
                Ok(size) => (0x80, size.to_le_bytes().to_vec()),
                Err(_) => (0xc0, (data.len() as u64).to_le_bytes().to_vec()),
            };
            [&[a, b, c, d, descriptor | flag, window], size.as_slice(), blocks].concat()
        }
        _ => packed,
    }
}

impl Zstd<'_> {
    /// The same file with bytes of its own.
    pub fn into_owned(self) -> Zstd<'static> {
        Zstd {
            packed: self.packed.into_owned().into(),
            tail: self.tail.into_owned().into(),
            frames: self.frames,
            data: self.data,
        }
    }

    /// The file.
    pub fn write(&self) -> Vec<u8> {
        [&*self.packed, &*self.tail].concat()
    }

    /// Puts other bytes inside. The same bytes change nothing; others are compressed anew into one frame without a
    /// dictionary, which every decoder reads whether it has one or not. Whether anything changed.
    ///
    /// # Errors
    /// [`ErrorKind::Unrepresentable`] where the packed file does not give the content again.
    pub fn replace(&mut self, data: Vec<u8>) -> Result<bool> {
        if self.data == data {
            return Ok(false);
        }
        let packed = encode(&data);
        // A stranger's encoder is not believed: what is written must read.
        let none = Dictionaries::default();
        let (frames, used, again) = decode::decode(&packed, data.len() as u64, &none, &mut 0)?;
        if used != packed.len() || again != data {
            let expected = "a frame that gives the content again";
            return Err(Error::new(ErrorKind::Unrepresentable, 0, "frames", expected, "another content")
                .code("zstd.encode"));
        }
        self.packed = packed.into();
        self.frames = frames;
        self.data = data;
        Ok(true)
    }

    /// Ids of the dictionaries that the frames want, each once.
    pub fn dictionaries(&self) -> Vec<u32> {
        let mut ids: Vec<u32> = self.frames.iter().filter_map(Frame::dictionary).collect();
        ids.sort_unstable();
        ids.dedup();
        ids
    }

    /// All findings, by place. What a decoder would stumble over is no finding: it does not read.
    pub fn check(&self) -> Vec<Diagnostic> {
        let mut found = Vec::new();
        for (index, frame) in self.frames.iter().enumerate().take(Limits::DEFAULT.diagnostics) {
            let range = frame.offset..frame.offset.saturating_add(frame.len);
            let path = format!("frames[{index}]");
            if let FrameKind::Data(data) = &frame.kind
                && data.content_size.is_none()
            {
                let message = "expected the size of the content, found a frame that does not say it: games take \
                               memory by it";
                let place = Location::Bytes(range);
                found.push(Diagnostic::new(Severity::Note, "zstd.no-size", place, path, message));
            }
        }
        if !self.tail.is_empty() {
            let start = self.packed.len() as u64;
            let place = Location::Bytes(start..start.saturating_add(self.tail.len() as u64));
            let message = format!("expected another frame or the end, found {} other bytes", self.tail.len());
            found.push(Diagnostic::new(Severity::Warning, "zstd.trailing", place, "tail", message));
        }
        found
    }

    /// The structure with values and places: headers in full, the packed blocks as one piece for each frame.
    pub fn tree(&self) -> Node {
        let mut root = Node::new("zstd", 0).value(self.describe());
        for (index, frame) in self.frames.iter().enumerate() {
            root.push(frame.tree(index));
        }
        if !self.tail.is_empty() {
            let mut node = Node::new("tail", root.end()).value(format_args!("{} bytes", self.tail.len()));
            node.size = self.tail.len() as u64;
            node.owner = Owner::Opaque;
            node.opaque = Some(Opaque(self.tail.to_vec()));
            root.push(node);
        }
        root
    }

    /// What it is, in a few words.
    pub fn describe(&self) -> String {
        let frames = match self.frames.len() {
            1 => String::new(),
            count => format!(", {count} frames"),
        };
        let wanted = match self.dictionaries().as_slice() {
            [] => String::new(),
            [id] => format!(", dictionary {id}"),
            ids => {
                format!(", dictionaries {}", ids.iter().map(u32::to_string).collect::<Vec<_>>().join(", "))
            }
        };
        format!("zstd, {} bytes in {}{frames}{wanted}", self.data.len(), self.packed.len())
    }
}

impl std::fmt::Debug for Zstd<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Zstd")
            .field("frames", &self.frames)
            .field("tail", &self.tail.len())
            .field("data", &self.data.len())
            .finish()
    }
}
