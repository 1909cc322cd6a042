//! A quick hash for short names. Aliases are looked up several times in an instruction, and the standard
//! hash takes longer than all the rest of an operand. The seed is random, so that no text can be made whose
//! names collide; nothing depends on the order of a map.

use std::hash::{BuildHasher, Hasher, RandomState};

/// Makes hashers with one secret seed.
#[derive(Debug, Clone)]
pub(super) struct Seeded(u64);

impl Default for Seeded {
    fn default() -> Self {
        Self(RandomState::new().hash_one(0u8))
    }
}

impl BuildHasher for Seeded {
    type Hasher = Folded;

    fn build_hasher(&self) -> Folded {
        Folded(self.0)
    }
}

/// Multiplies eight bytes at a time to 128 bits and folds both halves together.
pub(super) struct Folded(u64);

impl Folded {
    fn mix(&mut self, value: u64) {
        let product = u128::from(self.0 ^ value).wrapping_mul(0x9E37_79B9_7F4A_7C15_F39C_C060_5CED_C835);
        self.0 = (product >> 64) as u64 ^ product as u64;
    }
}

impl Hasher for Folded {
    fn write(&mut self, bytes: &[u8]) {
        let (chunks, rest) = bytes.as_chunks::<8>();
        for chunk in chunks {
            self.mix(u64::from_le_bytes(*chunk));
        }
        let last = rest.iter().fold(rest.len() as u64, |last, &byte| last << 8 | u64::from(byte));
        self.mix(last);
    }

    fn write_u8(&mut self, value: u8) {
        // The end mark of a text: its length is in the hash already.
        self.0 ^= u64::from(value);
    }

    fn finish(&self) -> u64 {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_get_different_hashes() {
        let seeded = Seeded::default();
        let mut hashes: Vec<u64> = (0..10_000).map(|n| seeded.hash_one(format!("name{n}"))).collect();
        hashes.extend(["", "\0", "\0\0", "a", "a\0"].map(|name| seeded.hash_one(name)));
        hashes.sort_unstable();
        hashes.dedup();
        assert_eq!(hashes.len(), 10_005);
        assert_eq!(seeded.hash_one("name"), seeded.clone().hash_one("name"));
    }
}
