//! How long the key behind a pipeline is: nothing in the file says it.

use super::raw::{COMPUTE, COMPUTE_KEY, COMPUTE_TAIL, GEOMETRY, PASSTHROUGH_LEN, graphics_key};
use super::read::{count, header};
use crate::formats::caches::maxwell::SPH_LEN;
use unshade_bytes::{Error, ErrorKind, Reader, Result};

/// Shortest and longest key that is looked for, in bytes.
const SHORTEST: usize = 24;
const LONGEST: usize = 4096;
/// Pipelines that have to follow for a length to be the right one, as long as the file has them.
const FOLLOWING: u32 = 3;

/// The length of the key that `reader` stands in front of: that of the version where something sound follows on it; else the
/// shortest that has sound pipelines behind it; of an unknown version at last the one that goes to the end.
///
/// # Errors
/// Where nothing sound follows anywhere, and the version is not known.
pub(super) fn key_length(reader: &Reader<'_>, version: u32, compute: bool) -> Result<u32> {
    let known = if compute { Some(COMPUTE_KEY) } else { graphics_key(version) };
    let next = |length: &usize| follows(reader, *length, compute);
    let found = match known {
        // Another length than that of the version has to be beyond doubt: a damaged pipeline may look like a longer key.
        Some(known) => Some(known)
            .filter(|length| next(length).is_some())
            .or_else(|| lengths().find(|length| next(length) == Some(Behind::Pipelines)))
            .or_else(|| Some(known).filter(|length| *length as u64 <= reader.remaining())),
        None => lengths()
            .find(|length| matches!(next(length), Some(Behind::Pipeline | Behind::Pipelines)))
            .or_else(|| lengths().find(|length| next(length) == Some(Behind::End))),
    };
    found.and_then(|length| u32::try_from(length).ok()).ok_or_else(|| {
        let expected = match known {
            Some(length) => format!("a key of {length} bytes"),
            None => format!("a key of {SHORTEST} to {LONGEST} bytes in front of a pipeline or the end"),
        };
        let found = format!("{} bytes to the end, and none that starts a pipeline", reader.remaining());
        Error::new(ErrorKind::Truncated, reader.offset(), "key", expected, found).code("yuzu.key")
    })
}

/// What stands behind a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Behind {
    /// A pipeline, and nothing to say whether its key is as long.
    Pipeline,
    /// Pipelines whose keys are as long.
    Pipelines,
    /// The end of the file.
    End,
}

/// The lengths that a key may have.
fn lengths() -> impl Iterator<Item = usize> {
    (SHORTEST..=LONGEST).step_by(4)
}

/// What begins `length` bytes from here: the end, or pipelines of that kind each with a key of that length.
fn follows(reader: &Reader<'_>, length: usize, compute: bool) -> Option<Behind> {
    let mut reader = reader.at(reader.position().saturating_add(length as u64), "key").ok()?;
    if reader.remaining() == 0 {
        return Some(Behind::End);
    }
    let mut found = 0_u32;
    while found < FOLLOWING {
        if reader.remaining() == 0 {
            return Some(Behind::Pipelines);
        }
        let graphics = skip(&mut reader)?;
        let other = graphics == compute;
        if other && compute {
            // How long keys of graphics pipelines are is not known here.
            break;
        }
        found = found.saturating_add(u32::from(!other));
        // A file that is cut in a key says nothing against it.
        if reader.bytes(if other { COMPUTE_KEY } else { length } as u64, "key").is_err() {
            break;
        }
    }
    Some(if found > 1 { Behind::Pipelines } else { Behind::Pipeline })
}

/// Passes over the stages of a pipeline. Whether they are graphics stages; `None` where no pipeline stands here. What is cut
/// behind the record of its first stage is one.
fn skip(reader: &mut Reader<'_>) -> Option<bool> {
    let stages = count(reader).ok()?;
    let mut graphics = true;
    for index in 0..stages {
        let header = match header(reader) {
            Ok(header) => header,
            Err(_) if index > 0 && reader.remaining() < super::raw::RECORD_LEN as u64 => {
                return Some(graphics);
            }
            Err(_) => return None,
        };
        graphics &= header.stage != COMPUTE;
        let pairs = header.num_texture_types.0.saturating_add(header.num_texture_pixel_formats.0);
        let triples = header.num_cbuf_values.0.saturating_add(header.num_cbuf_replacement_values.0);
        let tail = match header.stage {
            COMPUTE => COMPUTE_TAIL,
            GEOMETRY => SPH_LEN.saturating_add(PASSTHROUGH_LEN),
            _ => SPH_LEN,
        };
        let lists = pairs.saturating_mul(8).saturating_add(triples.saturating_mul(12));
        let len = header.code_size.0.saturating_add(lists).saturating_add(tail as u64);
        if reader.bytes(len, "stage").is_err() {
            let _ = reader.bytes(reader.remaining(), "stage");
            return Some(graphics);
        }
    }
    Some(graphics)
}
