//! From bytes to the model. Refused is only what is no GFD; what is damaged inside is kept as it is.

use super::model::{Block, BlockKind, Gfd};
use super::raw::{ALIGNMENT, BLOCK_MAGIC, BlockHeader, FileHeader, HEADER, MAGIC, header};
use crate::shared::Opaque;
use unshade_bytes::{Budget, Error, ErrorKind, Result};

/// Reads a whole file.
///
/// # Errors
/// [`ErrorKind::BadMagic`] for anything else, [`ErrorKind::Truncated`] for less than the header.
pub fn read(bytes: &[u8]) -> Result<Gfd> {
    if !bytes.starts_with(&MAGIC) {
        let found = format!("\"{}\"", bytes.get(..4).unwrap_or(bytes).escape_ascii());
        return Err(Error::new(ErrorKind::BadMagic, 0, "magic", "\"Gfx2\"", found).code("gfd.magic"));
    }
    let Some(header) = header::<FileHeader>(bytes, MAGIC) else {
        let found = format!("the end after {}", bytes.len());
        return Err(Error::new(ErrorKind::Truncated, 0, "header", "0x20 bytes", found).code("gfd.truncated"));
    };
    let (header_size, header_rest, mut rest) = behind(bytes, header.header_size);
    let mut file = Gfd {
        major: header.major_version,
        minor: header.minor_version,
        gpu: header.gpu_version,
        align: header.align,
        unknown: [header.unknown_18, header.unknown_1c],
        header_size,
        header_rest,
        ..Gfd::default()
    };
    file.blocks.reserve_exact(Blocks { rest }.count());
    let mut blocks = Blocks { rest };
    let mut after_padding = false;
    while let Some((header, parts)) = blocks.next() {
        let BlockHeader { major_version: major, minor_version: minor, data_size: size, id, index, .. } =
            header;
        let kind = BlockKind(header.kind);
        let at = bytes.len().saturating_sub(blocks.rest.len()).saturating_sub(parts.data.len());
        file.blocks.push(Block {
            kind,
            major,
            minor,
            id,
            index,
            header_size: parts.header_size,
            header_rest: parts.header_rest,
            size: Some(size).filter(|&size| size as usize != parts.data.len()),
            aligned: after_padding && (at as u64).is_multiple_of(ALIGNMENT),
            data: Opaque(parts.data.to_vec()),
        });
        after_padding = kind == BlockKind::PADDING;
        rest = blocks.rest;
        if kind == BlockKind::END {
            break;
        }
    }
    file.trailing = Opaque(rest.to_vec());
    Ok(file)
}

/// What is missing at the end of a file: data of a block, or the block that ends it.
pub(super) fn cut(bytes: &[u8]) -> Option<Error> {
    let file: FileHeader = header(bytes, MAGIC)?;
    let (.., rest) = behind(bytes, file.header_size);
    let mut blocks = Blocks { rest };
    let len = bytes.len() as u64;
    let error = |at: u64, path: String, expected: String, found: String| {
        let found = format!("{found}: the file was cut");
        Some(Error::new(ErrorKind::Truncated, at, path, expected, found).code("gfd.truncated"))
    };
    let mut number = 0_u32;
    while let Some((header, parts)) = blocks.next() {
        let size = header.data_size;
        let start = len.saturating_sub(blocks.rest.len() as u64).saturating_sub(parts.data.len() as u64);
        if u64::from(size) > parts.data.len() as u64 {
            return error(
                start,
                format!("blocks[{number}].data"),
                format!("{size} bytes in the last block"),
                parts.data.len().to_string(),
            );
        }
        if BlockKind(header.kind) == BlockKind::END {
            return None;
        }
        number = number.saturating_add(1);
    }
    let at = len.saturating_sub(blocks.rest.len() as u64);
    error(
        at,
        format!("blocks[{number}]"),
        "a block of type 1 (end)".to_owned(),
        "the end of the file".to_owned(),
    )
}

/// What stands behind the fixed part of a header: the size it states where that is none, the rest of the header,
/// and what follows on it.
fn behind(bytes: &[u8], size: u32) -> (Option<u32>, Opaque, &[u8]) {
    let (_, after) = bytes.split_at_checked(HEADER).unwrap_or((bytes, &[]));
    let extra = (size as usize).checked_sub(HEADER).and_then(|extra| after.split_at_checked(extra));
    match extra {
        Some((rest, after)) => (None, Opaque(rest.to_vec()), after),
        None => (Some(size), Opaque::default(), after),
    }
}

struct Parts<'a> {
    header_size: Option<u32>,
    header_rest: Opaque,
    data: &'a [u8],
}

/// The blocks in some bytes, up to what is none. It does not stop at the end block.
struct Blocks<'a> {
    rest: &'a [u8],
}

impl<'a> Iterator for Blocks<'a> {
    type Item = (BlockHeader, Parts<'a>);

    fn next(&mut self) -> Option<Self::Item> {
        let header: BlockHeader = header(self.rest, BLOCK_MAGIC)?;
        let (header_size, header_rest, after) = behind(self.rest, header.header_size);
        let size = header.data_size;
        let (data, rest) = after.split_at_checked(size as usize).unwrap_or((after, &[]));
        self.rest = rest;
        Some((header, Parts { header_size, header_rest, data }))
    }
}

/// The length of a file at the start of `data` that goes on behind it: of one whose blocks are whole up to its
/// end block. What it claims is charged.
pub(crate) fn embedded(data: &[u8], base: u64, budget: &mut Budget) -> Option<usize> {
    let file: FileHeader = header(data, MAGIC)?;
    if file.header_size as usize != HEADER || !(1..=15).contains(&file.major_version) {
        return None;
    }
    let mut blocks = Blocks { rest: data.get(HEADER..)? };
    while let Some((header, parts)) = blocks.next() {
        budget.charge((HEADER as u64).saturating_add(parts.data.len() as u64), base, "blocks").ok()?;
        if header.data_size as usize != parts.data.len() || parts.header_size.is_some() {
            return None;
        }
        if BlockKind(header.kind) == BlockKind::END {
            return data.len().checked_sub(blocks.rest.len());
        }
    }
    None
}
