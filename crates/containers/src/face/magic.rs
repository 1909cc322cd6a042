//! Where, in bytes that nobody knows, something may start: the magic numbers at offsets that are multiples of 4.

use super::container::Format;
use crate::formats::{bfres, gfd, mbs, sarc, yaz0, zstd};
use crate::shared::format::{Magic, magic};

/// Words that a wrapper starts with. Frames of zstd that are to be skipped hold nothing.
const WRAPPERS: [Magic; 4] =
    [magic(yaz0::MAGIC), magic(sarc::MAGIC), magic(zstd::MAGIC), magic(bfres::MAGIC)];

/// What words of either kind have in common: most words have none of these, so that a large file is looked at with a third
/// of the comparisons. Capital letters share their upper three bits, and eleven of the fifteen words are of capitals.
const EITHER: [Magic; 5] = [
    (0xe0e0_e0e0, 0x4040_4040),
    mbs::raw::FAMILY_WORD,
    magic(gfd::raw::MAGIC),
    magic(yaz0::MAGIC),
    magic(zstd::MAGIC),
];

/// Words that a container starts with.
fn containers() -> impl Iterator<Item = &'static Magic> {
    Format::MAGICS.into_iter().flatten()
}

/// The first offset from `from` on, a multiple of 4, where a magic number of either kind may stand: what it is is for the
/// readers to say.
pub(super) fn either(bytes: &[u8], from: usize) -> Option<usize> {
    let mut from = from;
    loop {
        let at = next(bytes, from, &EITHER)?;
        let word = u32::from_le_bytes(*bytes.get(at..)?.first_chunk()?);
        if containers().chain(&WRAPPERS).any(|(mask, value)| word & mask == *value) {
            return Some(at);
        }
        from = at.checked_add(4)?;
    }
}

/// The first offset from `from` on, a multiple of 4, where a wrapper's magic number stands.
pub(super) fn wrapper(bytes: &[u8], from: usize) -> Option<usize> {
    next(bytes, from, &WRAPPERS)
}

/// Words that are compared before anyone asks whether one of them was found: no branch between them, so that the
/// processor compares several at once.
const AT_ONCE: usize = 32;

#[inline(always)]
fn next<const N: usize>(bytes: &[u8], from: usize, magics: &[Magic; N]) -> Option<usize> {
    let is = |word: &[u8; 4]| {
        let word = u32::from_le_bytes(*word);
        magics.iter().fold(false, |found, (mask, value)| found | (word & mask == *value))
    };
    let words = bytes.get(from..)?.as_chunks::<4>().0;
    let (blocks, _) = words.as_chunks::<AT_ONCE>();
    let mut skipped = 0_usize;
    for block in blocks {
        if block.iter().fold(false, |found, word| found | is(word)) {
            break;
        }
        skipped = skipped.saturating_add(AT_ONCE);
    }
    let index = words.get(skipped..)?.iter().position(is)?;
    index.checked_add(skipped)?.checked_mul(4)?.checked_add(from)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::face::{detect, nest};

    /// What the reader of a format knows by its first word is looked for, and nothing else.
    #[test]
    fn the_words_are_those_of_the_formats() {
        let known: Vec<[u8; 4]> = containers().map(|(_, value)| value.to_le_bytes()).collect();
        assert!(known.iter().all(|magic| detect(magic).is_some()));
        for (_, value) in containers().chain(&WRAPPERS) {
            assert_eq!(either(&value.to_le_bytes(), 0), Some(0), "{value:08x}");
        }
        assert!(WRAPPERS[..3].iter().all(|(_, value)| nest::wrapper(&value.to_le_bytes()).is_some()));
        let mut word = 1_u32;
        for _ in 0..200_000 {
            word = word.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let bytes = word.to_le_bytes();
            let known = detect(&bytes).is_some() || nest::wrapper(&bytes).is_some();
            assert_eq!(either(&bytes, 0).is_some(), known);
        }
    }

    #[test]
    fn found_wherever_they_stand() {
        for place in [0, 4, 124, 128, 132, 252, 256, 1000] {
            let mut bytes = vec![0_u8; 1004];
            bytes[place..place + 4].copy_from_slice(b"Yaz0");
            assert_eq!((wrapper(&bytes, 0), either(&bytes, 0)), (Some(place), Some(place)));
            bytes[place..place + 4].copy_from_slice(b"MBS9");
            assert_eq!((wrapper(&bytes, 0), either(&bytes, 0)), (None, Some(place)));
            assert_eq!(either(&bytes, place + 4), None);
            // Capitals that are nothing.
            bytes[place..place + 4].copy_from_slice(b"NAME");
            assert_eq!(either(&bytes, 0), None);
        }
        assert_eq!(wrapper(b"\0\0Yaz0\0\0", 0), None);
    }
}
