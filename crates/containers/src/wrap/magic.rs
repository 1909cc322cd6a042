//! Where, in bytes that nobody knows, something may start: the magic numbers at offsets that are multiples of 4.

use super::{sarc, yaz0, zstd};
use crate::{bfres, dksh, gfd, mbs, sharcfb, shbin::raw};

/// Words that a container starts with, as they lie in the file: a mask of the bits that count, and their values.
const CONTAINERS: [(u32, u32); 11] = [
    whole(raw::DVLB),
    whole(raw::DVOJ),
    (0x00ff_ffff, u32::from_le_bytes([mbs::raw::FAMILY[0], mbs::raw::FAMILY[1], mbs::raw::FAMILY[2], 0])),
    whole(*b"FSHA"),
    whole(*b"BNSH"),
    whole(dksh::MAGIC),
    whole(gfd::raw::MAGIC),
    whole(sharcfb::raw::MAGIC.to_le_bytes()),
    whole(sharcfb::raw::MAGIC.to_be_bytes()),
    whole(sharcfb::raw::TEXT_MAGIC.to_le_bytes()),
    whole(sharcfb::raw::TEXT_MAGIC.to_be_bytes()),
];

/// Words that a wrapper starts with. Frames of zstd that are to be skipped hold nothing.
const WRAPPERS: [(u32, u32); 4] =
    [whole(yaz0::MAGIC), whole(sarc::MAGIC), whole(zstd::MAGIC), whole(bfres::MAGIC)];

const fn whole(magic: [u8; 4]) -> (u32, u32) {
    (u32::MAX, u32::from_le_bytes(magic))
}

/// The first offset from `from` on, a multiple of 4, where a container's magic number stands.
pub(super) fn container(bytes: &[u8], from: usize) -> Option<usize> {
    next(bytes, from, &CONTAINERS)
}

/// The first offset from `from` on, a multiple of 4, where a wrapper's magic number stands.
pub(super) fn wrapper(bytes: &[u8], from: usize) -> Option<usize> {
    next(bytes, from, &WRAPPERS)
}

/// Words that are compared before anyone asks whether one of them was found: no branch between them, so that the
/// processor compares several at once.
const AT_ONCE: usize = 32;

#[inline(always)]
fn next<const N: usize>(bytes: &[u8], from: usize, magics: &[(u32, u32); N]) -> Option<usize> {
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
    use crate::{detect, wrap::nest};

    /// What the reader of a format knows by its first word is looked for, and nothing else.
    #[test]
    fn the_words_are_those_of_the_formats() {
        let known: Vec<[u8; 4]> = CONTAINERS.iter().map(|(_, value)| value.to_le_bytes()).collect();
        assert!(known.iter().all(|magic| detect(magic).is_some()));
        assert!(WRAPPERS[..3].iter().all(|(_, value)| nest::wrapper(&value.to_le_bytes()).is_some()));
        let mut word = 1_u32;
        for _ in 0..200_000 {
            word = word.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let bytes = word.to_le_bytes();
            assert_eq!(container(&bytes, 0).is_some(), detect(&bytes).is_some());
        }
    }

    #[test]
    fn found_wherever_they_stand() {
        for place in [0, 4, 124, 128, 132, 252, 256, 1000] {
            let mut bytes = vec![0_u8; 1004];
            bytes[place..place + 4].copy_from_slice(b"Yaz0");
            assert_eq!((wrapper(&bytes, 0), container(&bytes, 0)), (Some(place), None));
            bytes[place..place + 4].copy_from_slice(b"MBS9");
            assert_eq!((wrapper(&bytes, 0), container(&bytes, 0)), (None, Some(place)));
            assert_eq!(container(&bytes, place + 4), None);
        }
        assert_eq!(wrapper(b"\0\0Yaz0\0\0", 0), None);
    }
}
