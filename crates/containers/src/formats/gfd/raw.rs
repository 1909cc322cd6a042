//! The fixed parts of a GFD, field for field.

use crate::formats::gx2::relocation::words;

/// First bytes of a file.
pub const MAGIC: [u8; 4] = *b"Gfx2";
/// First bytes of a block.
pub const BLOCK_MAGIC: [u8; 4] = *b"BLK{";
/// Size of the headers of file and block.
pub const HEADER: usize = 0x20;
/// What code and images are aligned to where a file says so.
pub const ALIGNMENT: u64 = 0x100;

/// A header of 0x20 bytes: magic, header size, and six fields.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Header {
    /// 0x04. Size of the header.
    pub size: u32,
    /// 0x08 to 0x20. Of the file: major version, minor version, GPU version, alignment, two zeros. Of a block:
    /// major version, minor version, type, data size, number, shader.
    pub fields: [u32; 6],
}

impl Header {
    /// The header at the start of `bytes`, if it starts with `magic`.
    pub fn read(bytes: &[u8], magic: [u8; 4]) -> Option<Self> {
        let bytes = bytes.get(..HEADER).filter(|bytes| bytes.starts_with(&magic))?;
        let [_, size, fields @ ..] = words::<8>(bytes)?;
        Some(Self { size, fields })
    }

    /// Appends the header.
    pub fn append(&self, magic: [u8; 4], out: &mut Vec<u8>) {
        out.extend_from_slice(&magic);
        out.extend_from_slice(&self.size.to_be_bytes());
        out.extend(self.fields.iter().flat_map(|field| field.to_be_bytes()));
    }
}
