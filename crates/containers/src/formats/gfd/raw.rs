//! The fixed parts of a GFD, field for field.

use super::model::BlockKind;
use crate::shared::fields::{Fields, Form, Number, Record, Visitor};
use unshade_bytes::{Endian, Result};

/// First bytes of a file.
pub const MAGIC: [u8; 4] = *b"Gfx2";
/// First bytes of a block.
pub const BLOCK_MAGIC: [u8; 4] = *b"BLK{";
/// Size of the headers of file and block.
pub const HEADER: usize = 0x20;
/// What code and images are aligned to where a file says so.
pub const ALIGNMENT: u64 = 0x100;

/// The header of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct FileHeader {
    /// 0x04. Size of the header.
    pub header_size: u32,
    /// 0x08.
    pub major_version: u32,
    /// 0x0C.
    pub minor_version: u32,
    /// 0x10.
    pub gpu_version: u32,
    /// 0x14.
    pub align: u32,
    /// 0x18.
    pub unknown_18: u32,
    /// 0x1C.
    pub unknown_1c: u32,
}

impl Record for FileHeader {
    const FORM: Form = Form::plain(Endian::Big);

    fn visit(&mut self, v: &mut dyn Visitor) -> Result<()> {
        let unknown = |name| Number::new(name).unknown();
        v.field(&Number::new("header_size").follows(), &mut self.header_size)?;
        v.u32("major_version", &mut self.major_version)?;
        v.u32("minor_version", &mut self.minor_version)?;
        v.u32("gpu_version", &mut self.gpu_version)?;
        v.u32("align", &mut self.align)?;
        v.field(&unknown("unknown_18"), &mut self.unknown_18)?;
        v.field(&unknown("unknown_1c"), &mut self.unknown_1c)
    }
}

/// The header of a block.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct BlockHeader {
    /// 0x04. Size of the header.
    pub header_size: u32,
    /// 0x08.
    pub major_version: u32,
    /// 0x0C.
    pub minor_version: u32,
    /// 0x10. What the block is.
    pub kind: u32,
    /// 0x14. Bytes of its data.
    pub data_size: u32,
    /// 0x18.
    pub id: u32,
    /// 0x1C. Number of the shader.
    pub index: u32,
}

impl Record for BlockHeader {
    const FORM: Form = Form::plain(Endian::Big);

    fn visit(&mut self, v: &mut dyn Visitor) -> Result<()> {
        let kind = |kind: u64| {
            let known = u32::try_from(kind).ok().and_then(|kind| BlockKind(kind).name());
            known.unwrap_or("unknown").to_owned()
        };
        v.field(&Number::new("header_size").follows(), &mut self.header_size)?;
        v.u32("major_version", &mut self.major_version)?;
        v.u32("minor_version", &mut self.minor_version)?;
        v.field(&Number::new("type").meaning(kind), &mut self.kind)?;
        v.field(&Number::new("data_size").follows(), &mut self.data_size)?;
        v.u32("id", &mut self.id)?;
        v.u32("index", &mut self.index)
    }
}

/// The header at the start of `bytes`, if it starts with `magic`.
pub fn header<H: Record>(bytes: &[u8], magic: [u8; 4]) -> Option<H> {
    H::read(bytes.get(..HEADER)?.strip_prefix(&magic)?)
}
