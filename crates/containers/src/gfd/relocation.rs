//! The end of a shader header: the table of its pointers, and the trailer that says where things are.

use super::raw::{TRAILER, TRAILER_MAGIC, words};
use crate::gx2::Form;

/// The last 0x28 bytes of a shader header. Offsets are tagged as [`Form::DATA`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Trailer {
    /// 0x04. Size of the trailer.
    pub size: u32,
    /// 0x08. 0.
    pub unknown: u32,
    /// 0x0C. Size of structure, tables and names in bytes.
    pub data_size: u32,
    /// 0x10. Where they start.
    pub data: u32,
    /// 0x14. Size of the names in bytes.
    pub text_size: u32,
    /// 0x18. Where they start.
    pub text: u32,
    /// 0x1C. What the patches count from.
    pub patch_base: u32,
    /// 0x20. How many patches.
    pub patch_count: u32,
    /// 0x24. Where they start.
    pub patches: u32,
}

impl Trailer {
    /// Names of its words.
    pub const FIELDS: [&'static str; 10] = [
        "magic",
        "size",
        "unknown_08",
        "data_size",
        "data_offset",
        "text_size",
        "text_offset",
        "patch_base",
        "patch_count",
        "patch_offset",
    ];

    /// The bytes.
    pub fn to_bytes(self) -> [u8; TRAILER] {
        let mut bytes = [0; TRAILER];
        let words = [
            u32::from_be_bytes(TRAILER_MAGIC),
            self.size,
            self.unknown,
            self.data_size,
            self.data,
            self.text_size,
            self.text,
            self.patch_base,
            self.patch_count,
            self.patches,
        ];
        for (place, word) in bytes.as_chunks_mut().0.iter_mut().zip(words) {
            *place = word.to_be_bytes();
        }
        bytes
    }
}

/// The end of a shader header, looked at where it lies.
#[derive(Debug, Clone, Copy)]
pub struct Relocation<'a> {
    /// The trailer.
    pub trailer: Trailer,
    /// Offset of the trailer in the data.
    pub at: usize,
    /// Offset of the patches in the data; `None` where they do not lie in front of the trailer.
    pub patches_at: Option<usize>,
    patches: &'a [u8],
}

impl<'a> Relocation<'a> {
    /// The end of a shader header; `None` where no trailer stands there.
    pub fn of(data: &'a [u8]) -> Option<Self> {
        let at = data.len().checked_sub(TRAILER)?;
        let bytes = data.get(at..).filter(|bytes| bytes.starts_with(&TRAILER_MAGIC))?;
        let [_, size, unknown, data_size, data_at, text_size, text, patch_base, patch_count, patches] =
            words::<10>(bytes)?;
        let trailer = Trailer {
            size,
            unknown,
            data_size,
            data: data_at,
            text_size,
            text,
            patch_base,
            patch_count,
            patches,
        };
        let place = Form::GFD.data(patches).and_then(|start| {
            let size = usize::try_from(patch_count).ok()?.checked_mul(4)?;
            let end = start.checked_add(size).filter(|&end| end <= at)?;
            Some((start, data.get(start..end)?))
        });
        let (patches_at, patches) = place.map_or((None, [].as_slice()), |(at, bytes)| (Some(at), bytes));
        Some(Self { trailer, at, patches_at, patches })
    }

    /// The patches: each names the place of a pointer, tagged as that pointer is.
    pub fn patches(&self) -> impl ExactSizeIterator<Item = u32> + use<'a> {
        self.patches.as_chunks().0.iter().map(|bytes| u32::from_be_bytes(*bytes))
    }
}
