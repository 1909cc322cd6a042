//! Bytes to model. Reading ends at the first pipeline that is damaged or cut: all before it is there.

use super::key::key_length;
use super::model::{Environment, EnvironmentHeader, KeyLengths, Pipeline, Yuzu};
use super::raw::{
    COMPUTE, COMPUTE_TAIL, GEOMETRY, HEADER_LEN, MAGIC, MOST_CODE, MOST_ENTRIES, MOST_STAGES,
    PASSTHROUGH_LEN, RECORD_LEN,
};
use crate::formats::caches::maxwell::{SPH_LEN, words};
use crate::shared::{Opaque, fields::Record};
use unshade_bytes::{Endian, Error, ErrorKind, Reader, Result, Under};

/// Reads a cache.
///
/// # Errors
/// [`ErrorKind::BadMagic`] for another file; [`ErrorKind::Truncated`] for one without a version.
pub fn read(bytes: &[u8]) -> Result<Yuzu> {
    let front = bytes.get(..MAGIC.len()).unwrap_or(bytes);
    if front != MAGIC {
        let found = format!("\"{}\"", front.escape_ascii());
        return Err(Error::new(ErrorKind::BadMagic, 0, "magic", "\"yuzucach\"", found).code("yuzu.magic"));
    }
    let mut reader = Reader::new(bytes, Endian::Little);
    let version =
        reader.at(MAGIC.len() as u64, "cache_version").and_then(|mut reader| reader.u32("cache_version"));
    let cache_version = version.map_err(|error| error.code("yuzu.truncated"))?;
    let mut keys = KeyLengths::default();
    let mut pipelines = Vec::new();
    let mut at = HEADER_LEN as u64;
    while at < bytes.len() as u64 {
        reader = reader.at(at, "pipelines")?;
        let Ok(pipeline) = pipeline(&mut reader, cache_version, &mut keys) else { break };
        pipelines.push(pipeline);
        at = reader.position();
    }
    let rest = usize::try_from(at).ok().and_then(|at| bytes.get(at..)).unwrap_or_default();
    Ok(Yuzu { cache_version, keys, pipelines, rest: Opaque(rest.to_vec()) })
}

/// The next pipeline; how long keys are is found with the first.
///
/// # Errors
/// Where it is damaged or not whole, by the field.
pub(super) fn pipeline(reader: &mut Reader<'_>, version: u32, keys: &mut KeyLengths) -> Result<Pipeline> {
    let count = count(reader)?;
    let mut stages = Vec::new();
    for index in 0..count {
        stages.push(environment(reader).under(|| format!("stages[{index}]"))?);
    }
    let compute = stages.iter().any(|stage| stage.header.stage == COMPUTE);
    let known = if compute { &mut keys.compute } else { &mut keys.graphics };
    let length = match *known {
        Some(length) => length,
        None => key_length(reader, version, compute)?,
    };
    let key = reader.bytes(length.into(), "key").map_err(damaged)?;
    *known = Some(length);
    Ok(Pipeline { stages, key: Opaque(key.to_vec()) })
}

/// How many stages the next pipeline has.
pub(super) fn count(reader: &mut Reader<'_>) -> Result<u32> {
    let at = reader.offset();
    let count = reader.u32("stage_count").map_err(damaged)?;
    match count {
        1..=MOST_STAGES => Ok(count),
        _ => {
            let expected = "1 to 6, the stages of the next pipeline";
            let error = Error::new(ErrorKind::BadValue, at, "stage_count", expected, count.to_string());
            Err(error.code("yuzu.stage-count"))
        }
    }
}

/// The record of the next stage, whose numbers fit each other.
pub(super) fn header(reader: &mut Reader<'_>) -> Result<EnvironmentHeader> {
    let at = reader.offset();
    let bytes = reader.bytes(RECORD_LEN as u64, "record").map_err(damaged)?;
    let header = EnvironmentHeader::read(bytes).unwrap_or_default();
    let bad = |field: &'static str, offset: u64, expected: String, found: String| {
        let at = at.saturating_add(offset);
        Error::new(ErrorKind::BadValue, at, field, expected, found).code("yuzu.record")
    };
    let range = u64::from(header.cached_highest)
        .checked_sub(header.cached_lowest.into())
        .and_then(|range| range.checked_add(8));
    let size = header.code_size.0;
    if range != Some(size) || size > MOST_CODE || !size.is_multiple_of(8) {
        let expected = format!(
            "a multiple of 8 up to {MOST_CODE}, the bytes from {:#x} to {:#x}",
            header.cached_lowest, header.cached_highest
        );
        return Err(bad("code_size", 0, expected, size.to_string()));
    }
    let counts = [
        ("num_texture_types", 8, header.num_texture_types),
        ("num_texture_pixel_formats", 16, header.num_texture_pixel_formats),
        ("num_cbuf_values", 24, header.num_cbuf_values),
        ("num_cbuf_replacement_values", 32, header.num_cbuf_replacement_values),
    ];
    for (field, offset, count) in counts {
        if count.0 >= MOST_ENTRIES {
            return Err(bad(
                field,
                offset,
                format!("fewer than {MOST_ENTRIES} entries"),
                count.0.to_string(),
            ));
        }
    }
    if header.stage > 6 {
        return Err(bad("stage", 64, "the number of a stage, 0 to 6".to_owned(), header.stage.to_string()));
    }
    Ok(header)
}

fn environment(reader: &mut Reader<'_>) -> Result<Environment> {
    let header = header(reader)?;
    let code = reader.bytes(header.code_size.0, "code").map_err(damaged)?;
    let mut environment = Environment { header, code: Opaque(code.to_vec()), ..Environment::default() };
    environment.texture_types = list(reader, "texture_types", header.num_texture_types.0, 8)?;
    environment.texture_pixel_formats =
        list(reader, "texture_pixel_formats", header.num_texture_pixel_formats.0, 8)?;
    environment.cbuf_values = list(reader, "cbuf_values", header.num_cbuf_values.0, 12)?;
    environment.cbuf_replacements =
        list(reader, "cbuf_replacements", header.num_cbuf_replacement_values.0, 12)?;
    if header.stage == COMPUTE {
        let tail = reader.bytes(COMPUTE_TAIL as u64, "workgroup_size").map_err(damaged)?;
        environment.compute = words(tail).try_into().ok();
    } else {
        let len = SPH_LEN.saturating_add(if header.stage == GEOMETRY { PASSTHROUGH_LEN } else { 0 });
        let tail = reader.bytes(len as u64, "program_header").map_err(damaged)?;
        environment.program_header = Opaque(tail.to_vec());
    }
    Ok(environment)
}

/// A list of records of `size` bytes.
fn list<T: Record>(reader: &mut Reader<'_>, name: &'static str, count: u64, size: usize) -> Result<Vec<T>> {
    let bytes = reader.bytes(count.saturating_mul(size as u64), name).map_err(damaged)?;
    Ok(bytes.chunks_exact(size).filter_map(T::read).collect())
}

fn damaged(error: Error) -> Error {
    error.code("yuzu.truncated")
}
