//! Headers of frames.

use crate::shared::Node;
use unshade_bytes::{Endian, Error, ErrorKind, Owner, Reader, Result, Under};

/// A frame of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Frame {
    /// Where it starts.
    pub offset: u64,
    /// Its bytes, with its header.
    pub len: u64,
    /// What it is.
    pub kind: FrameKind,
}

/// What a frame is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FrameKind {
    /// Holds something.
    Data(Data),
    /// Holds nothing of the file; a reader goes on behind it.
    Skippable {
        /// First bytes: 0x184D2A50 to 0x184D2A5F.
        magic: u32,
    },
}

/// What the header of a frame with content says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Data {
    /// The byte with the lengths of the fields that follow.
    pub descriptor: u8,
    /// The byte with the bytes that a reader must remember; not there where the whole content is remembered.
    pub window: Option<u8>,
    /// Id of the dictionary that it was packed with; 0: none.
    pub dictionary: u32,
    /// Bytes of the content, where it says so.
    pub content_size: Option<u64>,
    /// Whether a checksum of the content stands at its end.
    pub checksum: bool,
    /// Bytes of the header.
    pub header: u64,
}

impl Frame {
    /// Id of the dictionary that it wants.
    pub fn dictionary(&self) -> Option<u32> {
        match &self.kind {
            FrameKind::Data(data) => (data.dictionary != 0).then_some(data.dictionary),
            FrameKind::Skippable { .. } => None,
        }
    }

    /// Its length by the lengths of its blocks; `bytes` start with it. `None` where they pass the end.
    pub(super) fn extent(&self, bytes: &[u8], charge: &mut impl FnMut(usize) -> bool) -> Option<usize> {
        let FrameKind::Data(data) = &self.kind else {
            return usize::try_from(self.len).ok().filter(|len| *len <= bytes.len());
        };
        let mut at = usize::try_from(data.header).ok()?;
        loop {
            let (head, _) = bytes.get(at..)?.split_first_chunk::<3>()?;
            let [low, middle, high] = head.map(usize::from);
            let head = high << 16 | middle << 8 | low;
            // Bit 0: the last one; bits 1-2: as it is, one byte repeated, packed, nothing known; the rest: bytes.
            let len = match head >> 1 & 3 {
                0 | 2 => head >> 3,
                1 => 1,
                _ => return None,
            };
            at = at.checked_add(3)?.checked_add(len).filter(|end| *end <= bytes.len() && charge(4))?;
            if head & 1 == 1 {
                break;
            }
        }
        at.checked_add(if data.checksum { 4 } else { 0 }).filter(|end| *end <= bytes.len())
    }

    /// Its fields with their places.
    pub(super) fn tree(&self, index: usize) -> Node {
        let mut node = Node::new(format!("frames[{index}]"), self.offset);
        match &self.kind {
            FrameKind::Skippable { magic } => {
                node = node.value("to be skipped");
                node.field("magic", 4, format_args!("{magic:#x}"));
                node.field("size", 4, self.len.saturating_sub(8));
            }
            FrameKind::Data(data) => {
                node.field("magic", 4, "28 b5 2f fd");
                node.field("descriptor", 1, format_args!("{:#04x}", data.descriptor));
                if let Some(window) = data.window {
                    node.field("window", 1, format_args!("{window:#04x}"));
                }
                let [_, dictionary, size] = lengths(data.descriptor);
                if dictionary > 0 {
                    node.field("dictionary", dictionary, data.dictionary);
                }
                if let Some(content) = data.content_size {
                    node.field("content_size", size, content);
                }
            }
        }
        let rest = self.offset.saturating_add(self.len).saturating_sub(node.end());
        let sum = match &self.kind {
            FrameKind::Data(data) if data.checksum => 4.min(rest),
            _ => 0,
        };
        if rest > sum {
            let name = if matches!(self.kind, FrameKind::Data(_)) { "blocks" } else { "bytes" };
            let mut blocks =
                Node::new(name, node.end()).value(format_args!("{} bytes", rest.saturating_sub(sum)));
            blocks.size = rest.saturating_sub(sum);
            blocks.owner = if name == "blocks" { Owner::Field } else { Owner::Opaque };
            node.push(blocks);
        }
        if sum > 0 {
            node.field("checksum", sum, "of the content");
        }
        node
    }
}

/// Bytes of the window, the dictionary's id and the size of the content, by the descriptor.
fn lengths(descriptor: u8) -> [u64; 3] {
    let single = descriptor >> 5 & 1;
    let dictionary = match descriptor & 3 {
        3 => 4,
        length => length.into(),
    };
    let size = match descriptor >> 6 {
        0 => single.into(),
        1 => 2,
        2 => 4,
        _ => 8,
    };
    [u64::from(single ^ 1), dictionary, size]
}

/// The header of the frame at `offset`; of one to be skipped its length as well.
///
/// # Errors
/// [`ErrorKind::Truncated`] where the file ends in the header or in a frame to be skipped, [`ErrorKind::BadMagic`]
/// where there is none.
pub(super) fn header(file: &[u8], offset: u64) -> Result<Frame> {
    let rest = usize::try_from(offset).ok().and_then(|at| file.get(at..)).unwrap_or_default();
    let mut reader = Reader::with_base(rest, offset, Endian::Little);
    let magic = reader.u32("magic").code("zstd.truncated")?;
    if (0x184d_2a50..=0x184d_2a5f).contains(&magic) {
        let size = u64::from(reader.u32("size").code("zstd.truncated")?);
        if size > reader.remaining() {
            let expected = format!("{size} bytes to be skipped");
            let found = format!("{} bytes", reader.remaining());
            return Err(
                Error::new(ErrorKind::Truncated, offset, "size", expected, found).code("zstd.truncated")
            );
        }
        return Ok(Frame { offset, len: size.saturating_add(8), kind: FrameKind::Skippable { magic } });
    }
    if magic != u32::from_le_bytes(super::MAGIC) {
        let found = format!("{magic:#x}");
        return Err(Error::new(ErrorKind::BadMagic, offset, "magic", "28 b5 2f fd", found).code("zstd.magic"));
    }
    let descriptor = reader.u8("descriptor").code("zstd.truncated")?;
    if descriptor & 8 != 0 {
        let found = format!("{descriptor:#x}");
        let expected = "a descriptor whose bit 3 is 0";
        return Err(
            Error::new(ErrorKind::BadValue, offset, "descriptor", expected, found).code("zstd.descriptor")
        );
    }
    let [window, dictionary, size] = lengths(descriptor);
    let window = if window > 0 { Some(reader.u8("window").code("zstd.truncated")?) } else { None };
    let mut number = |len: u64, what| -> Result<u64> {
        let bytes = reader.bytes(len, what).code("zstd.truncated")?;
        Ok(bytes.iter().rev().fold(0, |number, byte| number << 8 | u64::from(*byte)))
    };
    let dictionary = u32::try_from(number(dictionary, "dictionary")?).unwrap_or(0);
    let content_size = match size {
        0 => None,
        2 => Some(number(2, "content_size")?.saturating_add(256)),
        _ => Some(number(size, "content_size")?),
    };
    let header = reader.position();
    let checksum = descriptor & 4 != 0;
    let data = Data { descriptor, window, dictionary, content_size, checksum, header };
    Ok(Frame { offset, len: header, kind: FrameKind::Data(data) })
}
