//! Wrappers inside bytes that nobody knows: an image of a disc, an archive of another kind, a memory dump.
//!
//! Four bytes are soon found by accident, so each is held against its own structure: it counts when it can be followed
//! to its end.

use super::{magic, nest::Wrapper, nest::wrapper};
use crate::formats::{bfres, sarc, yaz0, zstd};
use std::ops::Range;
use unshade_bytes::{Budget, Endian, Reader};

/// A wrapper with its place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Inside {
    /// Which bytes.
    pub range: Range<usize>,
    /// Which it is.
    pub kind: Wrapper,
}

/// The wrappers in `bytes` at offsets that are multiples of 4, in order. What lies in one of them is not looked for.
pub fn wrappers(bytes: &[u8]) -> impl Iterator<Item = Inside> {
    let mut budget = budget(bytes.len());
    let mut from = 0_usize;
    std::iter::from_fn(move || {
        loop {
            let start = magic::wrapper(bytes, from)?;
            let found = inside(bytes, start, &mut budget);
            let end = found.as_ref().map_or(start.checked_add(4)?, |found| found.range.end);
            from = end.checked_next_multiple_of(4)?;
            if found.is_some() {
                return found;
            }
        }
    })
}

/// What the search for wrappers may cost. One budget for all of a file: false starts that must be followed for long cannot
/// add up.
pub(super) fn budget(len: usize) -> Budget {
    Budget::new((len as u64).saturating_mul(8).saturating_add(1 << 16))
}

/// The wrapper that starts at an offset.
pub(super) fn inside(bytes: &[u8], offset: usize, budget: &mut Budget) -> Option<Inside> {
    let bytes = bytes.get(offset..)?;
    let kind = wrapper(bytes)?;
    let mut charge = |work: usize| budget.charge(work as u64, offset as u64, "wrapper").is_ok();
    let len = match kind {
        Wrapper::Yaz0 => yaz0::extent(bytes, charge)?,
        Wrapper::Zstd => zstd::extent(bytes, charge)?,
        Wrapper::Sarc => {
            let (tables, len) = sarc::announced(bytes)?;
            let own = bytes.get(..len).filter(|_| charge(tables))?;
            sarc::read(own).is_ok().then_some(len)?
        }
        Wrapper::Bfres => {
            let len = usize::try_from(bfres_size(bytes)?).ok()?;
            let own = bytes.get(..len).filter(|_| charge(len))?;
            bfres::read(own).is_ok().then_some(len)?
        }
    };
    Some(Inside { range: offset..offset.saturating_add(len.max(4)), kind })
}

/// What the header of models says of their size.
fn bfres_size(bytes: &[u8]) -> Option<u32> {
    let (at, mark) = match bytes.get(4..8)? {
        b"    " => (0x1c, bytes.get(12..14)?),
        _ => (0x0c, bytes.get(8..10)?),
    };
    let endian = if mark == [0xfe, 0xff] { Endian::Big } else { Endian::Little };
    Reader::new(bytes.get(at..)?, endian).u32("size").ok()
}
