//! From the model to bytes: the blocks one after the other, padding fitted where something moved.

use super::model::{Block, BlockKind, Gfd};
use super::raw::{ALIGNMENT, BLOCK_MAGIC, BlockHeader, FileHeader, HEADER, MAGIC};
use crate::shared::fields::Record;
use unshade_bytes::{Error, ErrorKind, Limits, Result};

/// Where a block is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Placed {
    /// Offset of its header.
    pub at: u64,
    /// How many bytes of data it has: of padding as many as what follows needs.
    pub len: u64,
}

impl Gfd {
    /// The bytes of the file.
    ///
    /// # Errors
    /// [`ErrorKind::LimitExceeded`] for a file that is longer than [`Limits::bytes`];
    /// [`ErrorKind::Unrepresentable`] for a header with a size of its own that has more than 0x20 bytes.
    pub fn write(&self) -> Result<Vec<u8>> {
        let placed = self.placed();
        let end = placed.last().map_or(self.header_len(), |last| {
            let header = self.blocks.last().map_or(0, Block::header_len);
            last.at.saturating_add(header).saturating_add(last.len)
        });
        let len = end.saturating_add(self.trailing.len() as u64);
        if len > Limits::DEFAULT.bytes {
            let expected = format!("a file of at most {} bytes", Limits::DEFAULT.bytes);
            let found = format!("{len} bytes");
            return Err(Error::new(ErrorKind::LimitExceeded, 0, "", expected, found).code("gfd.too-long"));
        }
        let mut out = Vec::with_capacity(usize::try_from(len).unwrap_or(0));
        let stated = header_size(self.header_size, &self.header_rest, "header_size")?;
        out.extend_from_slice(&MAGIC);
        self.header(stated).write(&mut out)?;
        out.extend_from_slice(&self.header_rest);
        for (index, (block, placed)) in self.blocks.iter().zip(&placed).enumerate() {
            let len = u32::try_from(placed.len).unwrap_or(u32::MAX);
            let size = block.size.unwrap_or(len);
            let stated = header_size(block.header_size, &block.header_rest, "header_size")
                .map_err(|error| error.at_path(format!("blocks[{index}].header_size")).moved(placed.at))?;
            out.extend_from_slice(&BLOCK_MAGIC);
            block.header(stated, size).write(&mut out)?;
            out.extend_from_slice(&block.header_rest);
            let end = out.len().saturating_add(len as usize);
            let data = block.data.get(..len as usize).unwrap_or(&block.data);
            out.extend_from_slice(data);
            out.resize(end, 0);
        }
        out.extend_from_slice(&self.trailing);
        Ok(out)
    }

    /// Its header, which states that size.
    pub(super) fn header(&self, header_size: u32) -> FileHeader {
        let [unknown_18, unknown_1c] = self.unknown;
        FileHeader {
            header_size,
            major_version: self.major,
            minor_version: self.minor,
            gpu_version: self.gpu,
            align: self.align,
            unknown_18,
            unknown_1c,
        }
    }

    /// Where each block goes. A block of padding in front of one that must be aligned gets another size where
    /// its own does not do any more.
    pub(super) fn placed(&self) -> Vec<Placed> {
        let mut at = self.header_len();
        let mut placed = Vec::with_capacity(self.blocks.len());
        for (index, block) in self.blocks.iter().enumerate() {
            let mut len = block.data.len() as u64;
            let next = self.blocks.get(index.saturating_add(1)).filter(|next| next.aligned);
            if let Some(next) = next.filter(|_| block.kind == BlockKind::PADDING) {
                let front = at.saturating_add(block.header_len()).saturating_add(next.header_len());
                if !front.saturating_add(len).is_multiple_of(ALIGNMENT) {
                    len =
                        front.checked_next_multiple_of(ALIGNMENT).map_or(0, |end| end.saturating_sub(front));
                }
            }
            placed.push(Placed { at, len });
            at = at.saturating_add(block.header_len()).saturating_add(len);
        }
        placed
    }
}

impl Block {
    /// Its header, which states these sizes.
    pub(super) fn header(&self, header_size: u32, data_size: u32) -> BlockHeader {
        BlockHeader {
            header_size,
            major_version: self.major,
            minor_version: self.minor,
            kind: self.kind.0,
            data_size,
            id: self.id,
            index: self.index,
        }
    }
}

fn header_size(stated: Option<u32>, rest: &[u8], path: &str) -> Result<u32> {
    match stated {
        Some(stated) if rest.is_empty() => Ok(stated),
        Some(stated) => {
            let found = format!("{stated:#x} and {} bytes behind the header", rest.len());
            Err(Error::new(ErrorKind::Unrepresentable, 0, path, "one size of the header", found))
        }
        None => Ok(u32::try_from(HEADER.saturating_add(rest.len())).unwrap_or(u32::MAX)),
    }
}
