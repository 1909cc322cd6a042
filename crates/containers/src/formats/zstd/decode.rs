//! Frames to bytes.

use super::dictionary::Dictionaries;
use super::frame::{self, Frame, FrameKind};
use ruzstd::decoding::{BlockDecodingStrategy, Dictionary, FrameDecoder, errors::FrameDecoderError};
use unshade_bytes::{Error, ErrorKind, Result, Under};

/// Bytes that are unpacked before they are counted.
const STEP: usize = 1 << 18;

/// The frames, the bytes they take, and what they hold. `spent` is what was unpacked, also where that was for nothing.
pub(super) fn decode(
    file: &[u8],
    limit: u64,
    dictionaries: &Dictionaries,
    spent: &mut u64,
) -> Result<(Vec<Frame>, usize, Vec<u8>)> {
    let (mut frames, mut data, mut at) = (Vec::new(), Vec::new(), 0_usize);
    let mut decoder = FrameDecoder::new();
    while let Some(rest) = file.get(at..).filter(|rest| super::starts(rest)) {
        let path = format!("frames[{}]", frames.len());
        let mut frame = frame::header(file, at as u64).under(|| path.as_str())?;
        if let FrameKind::Data(header) = &frame.kind {
            let len = content(&mut decoder, rest, header, (limit, dictionaries), &mut data, spent)
                .map_err(|error: Error| error.moved(at as u64))
                .under(|| path.as_str())?;
            frame.len = len;
        }
        at = at.saturating_add(usize::try_from(frame.len.max(1)).unwrap_or(usize::MAX));
        frames.push(frame);
    }
    Ok((frames, at.min(file.len()), data))
}

/// What the frame holds that `file` starts with.
pub(super) fn one(file: &[u8], limit: u64, dictionaries: &Dictionaries, spent: &mut u64) -> Result<Vec<u8>> {
    let mut data = Vec::new();
    if let FrameKind::Data(header) = &frame::header(file, 0)?.kind {
        content(&mut FrameDecoder::new(), file, header, (limit, dictionaries), &mut data, spent)?;
    }
    Ok(data)
}

/// Adds the content of a frame; gives the length of the frame.
fn content(
    decoder: &mut FrameDecoder,
    packed: &[u8],
    header: &frame::Data,
    (limit, dictionaries): (u64, &Dictionaries),
    data: &mut Vec<u8>,
    spent: &mut u64,
) -> Result<u64> {
    if header.dictionary != 0 {
        let Some(known) = dictionaries.get(header.dictionary) else {
            let expected = format!(
                "the dictionary {0} (give the file that holds it: --dictionary FILE)",
                header.dictionary
            );
            return Err(Error::new(ErrorKind::Unsupported, 0, "dictionary", expected, told(dictionaries))
                .code("zstd.dictionary"));
        };
        let dictionary = Dictionary::decode_dict(&known.bytes);
        let dictionary = dictionary.map_err(|error| damaged(0, "dictionary", error))?;
        decoder.add_dict(dictionary).map_err(|error| damaged(0, "dictionary", error))?;
    }
    let start = data.len() as u64;
    let too_long = |len: u64| {
        let expected = format!("at most {limit} bytes inside");
        Error::new(ErrorKind::LimitExceeded, 0, "content", expected, format!("{len}")).code("zstd.too-long")
    };
    if let Some(size) = header.content_size
        && start.saturating_add(size) > limit
    {
        return Err(too_long(start.saturating_add(size)));
    }
    let mut source = packed;
    // The bytes that a reader must remember are bounded like the content: more are never looked back at.
    decoder.set_max_window_size(limit.max(1 << 27));
    decoder.reset(&mut source).map_err(|error| failure(packed, source, "header", &error))?;
    *spent = start;
    loop {
        let done = decoder
            .decode_blocks(&mut source, BlockDecodingStrategy::UptoBytes(STEP))
            .map_err(|error| failure(packed, source, "blocks", &error))?;
        decoder
            .collect_to_writer(&mut *data)
            .map_err(|error| damaged(offset(packed, source), "blocks", error))?;
        // What may be looked back at is not collected yet, but every step except the last gave at least so much.
        *spent = if done { data.len() as u64 } else { spent.saturating_add(STEP as u64) };
        if *spent > limit {
            return Err(too_long(*spent));
        }
        if done {
            break;
        }
    }
    let len = (data.len() as u64).saturating_sub(start);
    if let Some(size) = header.content_size
        && size != len
    {
        let expected = format!("{size} bytes, as the header says");
        return Err(Error::new(ErrorKind::BadValue, 0, "content_size", expected, format!("{len}"))
            .code("zstd.content-size"));
    }
    if let (Some(said), Some(found)) = (decoder.get_checksum_from_data(), decoder.get_calculated_checksum())
        && said != found
    {
        let at = offset(packed, source).saturating_sub(4);
        let expected = format!("{said:#010x}, the checksum of the content");
        return Err(Error::new(ErrorKind::BadValue, at, "checksum", expected, format!("{found:#010x}"))
            .code("zstd.checksum"));
    }
    Ok(offset(packed, source))
}

fn told(dictionaries: &Dictionaries) -> String {
    match dictionaries.0.as_slice() {
        [] => "none".to_owned(),
        known => known.iter().map(|known| known.id.to_string()).collect::<Vec<_>>().join(", "),
    }
}

/// How far a reader came.
fn offset(packed: &[u8], rest: &[u8]) -> u64 {
    packed.len().saturating_sub(rest.len()) as u64
}

fn damaged(at: u64, path: &'static str, error: impl std::fmt::Display) -> Error {
    Error::new(ErrorKind::BadValue, at, path, "a sound zstd frame", error.to_string()).code("zstd.damaged")
}

/// A frame that ends early reads short; everything else is damage.
fn failure(packed: &[u8], rest: &[u8], path: &'static str, error: &FrameDecoderError) -> Error {
    let at = offset(packed, rest);
    let mut source: Option<&(dyn std::error::Error + 'static)> = Some(error);
    while let Some(inner) = source {
        let early = inner.downcast_ref::<std::io::Error>();
        if early.is_some_and(|error| error.kind() == std::io::ErrorKind::UnexpectedEof) {
            let found = format!("the end after {at} bytes of the frame");
            return Error::new(ErrorKind::Truncated, at, path, "a whole zstd frame", found)
                .code("zstd.truncated");
        }
        source = inner.source();
    }
    damaged(at, path, error)
}
