//! Yaz0 (`.szs`, `.sbfsha`): one file, compressed with literals and copies from the last 4096 bytes.
//!
//! A header of 16 bytes, always big endian, then groups of a flag byte and up to eight chunks. There is no
//! checksum. The vendor's encoder is not known to the last bit, so a stream that was read is kept: while the
//! content is the same, so is the file.

mod check;
mod decode;
mod encode;

pub use encode::{Level, encode};

use crate::shared::{Node, Opaque};
use std::borrow::Cow;
use unshade_bytes::{Endian, Error, ErrorKind, Limits, Reader, Result, Under};

/// The first four bytes.
pub const MAGIC: [u8; 4] = *b"Yaz0";

/// Bytes of the header.
pub const HEADER: usize = 16;

/// No stream gives more bytes for one of its own than this, rounded up: a group of 25 bytes holds at most
/// eight copies of 273.
pub const RATIO: u64 = 88;

/// How far back a copy may reach, in bytes.
pub const WINDOW: usize = 0x1000;

/// How many bytes one copy may give.
pub const LONGEST: usize = 0x111;

/// A Yaz0 file: the header's words, the compressed stream as it was read or made, and what it stands for.
#[derive(Clone, PartialEq, Eq)]
pub struct Yaz0<'a> {
    /// Alignment in bytes that a loader gives the buffer it unpacks to; 0 where nobody asked for one. Kept
    /// as it is, also when it is no power of two.
    pub alignment: u32,
    /// Last word of the header; 0 in all known files.
    pub reserved: u32,
    /// The groups, up to the last byte that a decoder looks at.
    pub stream: Cow<'a, [u8]>,
    /// Bytes behind the stream: padding of some tools.
    pub tail: Cow<'a, [u8]>,
    /// The file inside, unpacked.
    pub data: Vec<u8>,
}

/// The header's word that says how many bytes are inside, if the bytes are a Yaz0 file at all. Nothing
/// says yet that they are there.
pub fn announced(bytes: &[u8]) -> Option<u32> {
    let rest = bytes.strip_prefix(&MAGIC)?;
    rest.first_chunk().map(|size| u32::from_be_bytes(*size))
}

/// Reads and unpacks a file, up to [`Limits::bytes`].
///
/// # Errors
/// As [`read_within`].
pub fn read(bytes: &[u8]) -> Result<Yaz0<'_>> {
    read_within(bytes, Limits::DEFAULT.bytes)
}

/// Reads and unpacks a file that holds at most `limit` bytes. Memory is taken only after the size in the header
/// was compared with what so short a stream can hold.
///
/// # Errors
/// [`ErrorKind::LimitExceeded`] for a size above `limit`; [`ErrorKind::BadValue`] for one that the stream cannot
/// hold, for a copy from before the start and for one past the end; [`ErrorKind::Truncated`] where the stream
/// ends first.
pub fn read_within(bytes: &[u8], limit: u64) -> Result<Yaz0<'_>> {
    let mut reader = Reader::new(bytes, Endian::Big);
    reader.magic(&MAGIC, "magic").code("yaz0.magic")?;
    let size = u64::from(reader.u32("size").code("yaz0.header")?);
    let alignment = reader.u32("alignment").code("yaz0.header")?;
    let reserved = reader.u32("reserved").code("yaz0.header")?;
    let packed = reader.rest();
    let most = (packed.len() as u64).saturating_mul(RATIO);
    if size > most {
        let expected = format!("at most {most}, as a stream of {} bytes can hold", packed.len());
        return Err(Error::new(ErrorKind::BadValue, 4, "size", expected, format!("{size}")).code("yaz0.size"));
    }
    if size > limit {
        let expected = format!("at most {limit} bytes inside");
        return Err(Error::new(ErrorKind::LimitExceeded, 4, "size", expected, format!("{size}"))
            .code("yaz0.too-long"));
    }
    let (data, used) = decode::decode(packed, size as usize)?;
    let (stream, tail) = packed.split_at_checked(used).unwrap_or((packed, &[]));
    Ok(Yaz0 { alignment, reserved, stream: stream.into(), tail: tail.into(), data })
}

/// How many bytes a file takes that others follow: to the end of its stream. `None` where the stream does not give what
/// the header says; `charge` is told of bytes that are looked at, and says whether to go on.
pub(crate) fn extent(bytes: &[u8], charge: impl FnMut(usize) -> bool) -> Option<usize> {
    let mut reader = Reader::new(bytes, Endian::Big);
    reader.magic(&MAGIC, "magic").ok()?;
    let size = u64::from(reader.u32("size").ok()?);
    reader.bytes(8, "header").ok()?;
    let packed = reader.rest();
    if size > (packed.len() as u64).saturating_mul(RATIO) {
        return None;
    }
    decode::extent(packed, usize::try_from(size).ok()?, charge)?.checked_add(HEADER)
}

impl Yaz0<'_> {
    /// The same file with bytes of its own.
    pub fn into_owned(self) -> Yaz0<'static> {
        Yaz0 {
            stream: self.stream.into_owned().into(),
            tail: self.tail.into_owned().into(),
            data: self.data,
            alignment: self.alignment,
            reserved: self.reserved,
        }
    }

    /// The file.
    ///
    /// # Errors
    /// [`ErrorKind::Unrepresentable`] when there are more bytes inside than the header can say.
    pub fn write(&self) -> Result<Vec<u8>> {
        let size = u32::try_from(self.data.len()).map_err(|_| {
            let found = format!("{} bytes", self.data.len());
            Error::new(ErrorKind::Unrepresentable, 4, "size", "at most 4 GiB inside", found).code("yaz0.size")
        })?;
        let mut bytes =
            Vec::with_capacity(HEADER.saturating_add(self.stream.len()).saturating_add(self.tail.len()));
        bytes.extend_from_slice(&MAGIC);
        for word in [size, self.alignment, self.reserved] {
            bytes.extend_from_slice(&word.to_be_bytes());
        }
        bytes.extend_from_slice(&self.stream);
        bytes.extend_from_slice(&self.tail);
        Ok(bytes)
    }

    /// Puts other bytes inside. The same bytes change nothing; others are compressed anew, and the words of the
    /// header stay. Zeros behind the stream that only filled the file to a multiple of 4, 16 or 32 do so
    /// again; other bytes there stay as they are. Whether anything changed.
    pub fn replace(&mut self, data: Vec<u8>, level: Level) -> bool {
        if self.data == data {
            return false;
        }
        let multiple = self.filled_to();
        self.stream = encode(&data, level).into();
        self.data = data;
        if let Some(multiple) = multiple {
            let len = HEADER.saturating_add(self.stream.len());
            let end = len.checked_next_multiple_of(multiple).unwrap_or(len);
            self.tail = vec![0; end.saturating_sub(len)].into();
        }
        true
    }

    /// The multiple that zeros at the end fill the file to.
    fn filled_to(&self) -> Option<usize> {
        let len = HEADER.saturating_add(self.stream.len()).saturating_add(self.tail.len());
        let zeros = self.tail.iter().all(|&byte| byte == 0);
        [32, 16, 4]
            .into_iter()
            .find(|&to| zeros && !self.tail.is_empty() && self.tail.len() < to && len.is_multiple_of(to))
    }

    /// The structure with values and places.
    pub fn tree(&self) -> Node {
        let mut root = Node::new("yaz0", 0).value(self.describe());
        root.field("magic", 4, "\"Yaz0\"");
        root.field("size", 4, self.data.len());
        root.field("alignment", 4, format_args!("{:#x}", self.alignment));
        root.field("reserved", 4, format_args!("{:#x}", self.reserved));
        if !self.stream.is_empty() {
            let tokens = decode::tokens(&self.stream, self.data.len());
            let text = format!(
                "{} bytes: {} literals, {} short copies, {} long copies",
                self.stream.len(),
                tokens.literals,
                tokens.short,
                tokens.long
            );
            root.field("stream", self.stream.len() as u64, text);
        }
        if self.tail.iter().any(|&byte| byte != 0) {
            let mut node = Node::new("tail", root.end()).value(format_args!("{} bytes", self.tail.len()));
            node.size = self.tail.len() as u64;
            node.owner = unshade_bytes::Owner::Opaque;
            node.opaque = Some(Opaque(self.tail.to_vec()));
            root.push(node);
        } else {
            root.unused("tail", &self.tail);
        }
        root
    }

    /// What it is, in a few words.
    pub fn describe(&self) -> String {
        format!("Yaz0, {} bytes in {}", self.data.len(), HEADER.saturating_add(self.stream.len()))
    }
}

impl std::fmt::Debug for Yaz0<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Yaz0")
            .field("alignment", &self.alignment)
            .field("reserved", &self.reserved)
            .field("stream", &self.stream.len())
            .field("tail", &self.tail.len())
            .field("data", &self.data.len())
            .finish()
    }
}
