//! Deflate (RFC 1951), zlib (RFC 1950) and Brotli (RFC 7932), unpacked up to as many bytes as are wanted. Memory is taken as the
//! content comes, so that a size which a file claims costs nothing.

use alloc_no_stdlib::{Allocator, SliceWrapper, SliceWrapperMut};
use brotli_decompressor::{BrotliDecompressStream, BrotliResult, BrotliState};
use miniz_oxide::inflate::{
    TINFLStatus,
    core::{DecompressorOxide, decompress, inflate_flags},
};

/// Bytes that are unpacked before memory is taken for more.
const STEP: usize = 1 << 14;

/// What came of a packed stream.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Unpacked {
    /// What it holds, as far as it was wanted or is sound.
    pub bytes: Vec<u8>,
    /// How many bytes of the stream were looked at.
    pub used: usize,
    /// What is wrong with it, in words.
    pub damage: Option<&'static str>,
}

/// Raw deflate, with `zlib` behind the head of zlib: the first `most` bytes of what is in it.
pub(crate) fn inflate(packed: &[u8], most: usize, zlib: bool) -> Unpacked {
    let mut state = Box::<DecompressorOxide>::default();
    let flags = inflate_flags::TINFL_FLAG_USING_NON_WRAPPING_OUTPUT_BUF
        | if zlib {
            inflate_flags::TINFL_FLAG_PARSE_ZLIB_HEADER | inflate_flags::TINFL_FLAG_COMPUTE_ADLER32
        } else {
            0
        };
    let (mut bytes, mut used, mut written) = (Vec::new(), 0_usize, 0_usize);
    let damage = loop {
        bytes.resize(room(written, most), 0);
        let rest = packed.get(used..).unwrap_or_default();
        let (status, read, made) = decompress(&mut state, rest, &mut bytes, written, flags);
        used = used.saturating_add(read);
        written = written.saturating_add(made);
        match status {
            TINFLStatus::Done => break None,
            TINFLStatus::HasMoreOutput if written >= most => break None,
            TINFLStatus::HasMoreOutput => {}
            TINFLStatus::FailedCannotMakeProgress | TINFLStatus::NeedsMoreInput => {
                break Some("the stream ends early");
            }
            TINFLStatus::Adler32Mismatch => break Some("the checksum is another"),
            _ => break Some("the stream is damaged"),
        }
    };
    bytes.truncate(written);
    Unpacked { bytes, used, damage }
}

/// Brotli: the first `most` bytes of what is in it.
pub(crate) fn brotli(packed: &[u8], most: usize) -> Unpacked {
    let mut state = BrotliState::new(Heap, Heap, Heap);
    let (mut bytes, mut used, mut written, mut total) = (Vec::new(), 0_usize, 0_usize, 0_usize);
    let mut left = packed.len();
    let damage = loop {
        bytes.resize(room(written, most), 0);
        let mut space = bytes.len().saturating_sub(written);
        let result = BrotliDecompressStream(
            &mut left,
            &mut used,
            packed,
            &mut space,
            &mut written,
            &mut bytes,
            &mut total,
            &mut state,
        );
        match result {
            BrotliResult::ResultSuccess => break None,
            BrotliResult::NeedsMoreOutput if written >= most => break None,
            BrotliResult::NeedsMoreOutput => {}
            // All that was wanted may be there before the stream says that it has ended.
            BrotliResult::NeedsMoreInput if written >= most => break None,
            BrotliResult::NeedsMoreInput => break Some("the stream ends early"),
            BrotliResult::ResultFailure => break Some("the stream is damaged"),
        }
    };
    bytes.truncate(written);
    Unpacked { bytes, used, damage }
}

/// How much memory there is once `written` bytes are there: twice as much, up to what is wanted.
fn room(written: usize, most: usize) -> usize {
    written.saturating_mul(2).max(STEP).min(most)
}

/// Memory for the tables of Brotli.
struct Heap;

/// A piece of it.
#[derive(Default)]
struct Piece<T>(Vec<T>);

impl<T> SliceWrapper<T> for Piece<T> {
    fn slice(&self) -> &[T] {
        &self.0
    }
}

impl<T> SliceWrapperMut<T> for Piece<T> {
    fn slice_mut(&mut self) -> &mut [T] {
        &mut self.0
    }
}

impl<T: Clone + Default> Allocator<T> for Heap {
    type AllocatedMemory = Piece<T>;

    fn alloc_cell(&mut self, len: usize) -> Piece<T> {
        Piece(vec![T::default(); len])
    }

    fn free_cell(&mut self, _: Piece<T>) {}
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `hello hello hello hello\n` by zlib of Python, without its head.
    const DEFLATED: [u8; 11] = [0xcb, 0x48, 0xcd, 0xc9, 0xc9, 0x57, 0xc8, 0x40, 0x27, 0xb9, 0x00];

    #[test]
    fn deflate_up_to_what_is_wanted() {
        let all = inflate(&DEFLATED, 100, false);
        assert_eq!(all.bytes, b"hello hello hello hello\n");
        assert_eq!((all.used, all.damage), (DEFLATED.len(), None));
        assert_eq!(inflate(&DEFLATED, 7, false).bytes, b"hello h");
        assert_eq!(inflate(&DEFLATED[..6], 100, false).damage, Some("the stream ends early"));
        assert!(inflate(&[7; 9], 100, false).damage.is_some());
        assert!(inflate(&[], 0, false).bytes.is_empty());
    }

    #[test]
    fn brotli_up_to_what_is_wanted() {
        // A stream of one uncompressed meta-block of five bytes, then the last, empty one.
        let stream = [0x0b, 0x02, 0x80, b'h', b'e', b'l', b'l', b'o', 0x03];
        let all = brotli(&stream, 100);
        assert_eq!((all.bytes.as_slice(), all.damage), (&b"hello"[..], None));
        assert_eq!(brotli(&stream, 3).bytes, b"hel");
        assert_eq!(brotli(&stream[..6], 100).damage, Some("the stream ends early"));
        assert!(brotli(&[0xff; 9], 100).damage.is_some());
    }
}
