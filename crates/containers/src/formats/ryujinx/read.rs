//! Bytes to model. Only headers are asked for: what the tables say is for `check` to judge.

use super::join::Files;
use super::model::{Guest, GuestEntry, GuestHeader, Ryujinx, Shared, SharedHeader};
use super::raw::{ENTRY_LEN, GUEST_MAGIC, HEADER_LEN, SHARED_MAGIC};
use crate::formats::caches::Wide;
use crate::shared::{Opaque, fields::Record};
use unshade_bytes::{Error, ErrorKind, Result};

/// Reads a cache: its files as [`join`](super::join) puts them together, or `guest.toc` alone.
///
/// # Errors
/// [`ErrorKind::BadMagic`] for another file; [`ErrorKind::Truncated`] for one without a whole header.
pub fn read(bytes: &[u8]) -> Result<Ryujinx> {
    let joined = Files::of(bytes);
    let files = joined.unwrap_or(Files { guest_toc: bytes, ..Files::default() });
    let (header, table) = header(files.guest_toc, GUEST_MAGIC, "guest_toc", 0)?;
    let (entries, trailing) = table.as_chunks::<ENTRY_LEN>();
    let guest = Guest {
        header: GuestHeader::read(header).unwrap_or_default(),
        entries: entries.iter().filter_map(|entry| GuestEntry::read(entry)).collect(),
        trailing: Opaque(trailing.to_vec()),
        data: Opaque(files.guest_data.to_vec()),
    };
    let shared_at = files.guest_toc.len().saturating_add(files.guest_data.len()) as u64;
    let shared = match files.shared_toc {
        [] => None,
        toc => Some(shared(toc, files.shared_data, shared_at)?),
    };
    if shared.is_none() && !files.shared_data.is_empty() {
        let found = format!("{} bytes of shared.data without it", files.shared_data.len());
        return Err(Error::new(ErrorKind::Truncated, shared_at, "shared_toc", "shared.toc", found)
            .code("ryujinx.shared-toc"));
    }
    Ok(Ryujinx { guest, shared, joined: joined.is_some() })
}

fn shared(toc: &[u8], data: &[u8], at: u64) -> Result<Shared> {
    let (header, table) = header(toc, SHARED_MAGIC, "shared_toc", at)?;
    let (offsets, trailing) = table.as_chunks::<8>();
    Ok(Shared {
        header: SharedHeader::read(header).unwrap_or_default(),
        offsets: offsets.iter().map(|offset| Wide(u64::from_le_bytes(*offset))).collect(),
        trailing: Opaque(trailing.to_vec()),
        data: Opaque(data.to_vec()),
    })
}

/// The header of a file behind its magic number, and what is behind it.
fn header<'a>(file: &'a [u8], magic: [u8; 4], path: &'static str, at: u64) -> Result<(&'a [u8], &'a [u8])> {
    let front = file.get(..4).unwrap_or(file);
    if front != magic {
        let expected = format!("\"{}\"", magic.escape_ascii());
        let found = format!("\"{}\"", front.escape_ascii());
        return Err(Error::new(ErrorKind::BadMagic, at, format!("{path}.magic"), expected, found)
            .code("ryujinx.magic"));
    }
    let Some((header, table)) = file.split_at_checked(HEADER_LEN) else {
        let found = format!("{} bytes", file.len());
        return Err(Error::new(
            ErrorKind::Truncated,
            at,
            path,
            format!("a header of {HEADER_LEN} bytes"),
            found,
        )
        .code("ryujinx.truncated"));
    };
    Ok((header.get(4..).unwrap_or_default(), table))
}
