//! Signatures: which pairs of instructions a program has, in 64 bytes that can be compared (min-hashing: of each of 64
//! orders of all possible pairs, a byte of the pair that comes first in it).

use std::{fmt, str::FromStr};

/// Bytes of a signature.
pub const BYTES: usize = 64;

/// What a program looks like.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Signature(pub [u8; BYTES]);

impl Signature {
    /// The share of pairs that two programs have in common of all that one of them has, about: 0.0 to 1.0. With 64 bytes
    /// it is off by 0.06 in the middle of the range.
    pub fn alike(&self, other: &Self) -> f64 {
        // Counted in bytes, of which a processor adds sixteen at once.
        let same: u8 = self.0.iter().zip(other.0).map(|(a, b)| u8::from(*a == b)).sum();
        // Of bytes that have nothing to do with each other, one in 256 is the same.
        let chance = BYTES as f64 / 256.0;
        ((f64::from(same) - chance) / (BYTES as f64 - chance)).clamp(0.0, 1.0)
    }
}

/// 128 hexadecimal digits.
impl fmt::Display for Signature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl FromStr for Signature {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let mut bytes = [0; BYTES];
        let (digits, []) = text.as_bytes().as_chunks::<2>() else { return Err("an odd number of digits") };
        if digits.len() != BYTES {
            return Err("not 128 digits");
        }
        for (byte, digits) in bytes.iter_mut().zip(digits) {
            let digits = std::str::from_utf8(digits).map_err(|_| "no digits")?;
            *byte = u8::from_str_radix(digits, 16).map_err(|_| "no hexadecimal digits")?;
        }
        Ok(Self(bytes))
    }
}

/// Takes in the instructions of a program, one after the other.
#[derive(Debug, Clone)]
pub(super) struct Signing {
    least: [u32; BYTES],
    last: u32,
}

impl Signing {
    pub(super) fn new() -> Self {
        Self { least: [u32::MAX; BYTES], last: 0x9e37_79b9 }
    }

    /// An instruction, by a hash of what it looks like.
    pub(super) fn instruction(&mut self, looks: u64) {
        let looks = (looks ^ (looks >> 32)) as u32;
        let pair = mix(looks ^ self.last.rotate_left(13).wrapping_mul(0x85eb_ca6b));
        self.last = looks;
        // An order of all pairs each: products with odd numbers permute them.
        for (least, factor) in self.least.iter_mut().zip(FACTORS) {
            *least = (*least).min(pair.wrapping_mul(factor).wrapping_add(factor.rotate_left(16)));
        }
    }

    pub(super) fn finish(self) -> Signature {
        Signature(self.least.map(|least| (mix(least) >> 24) as u8))
    }
}

/// Spreads every bit over all others.
const fn mix(mut word: u32) -> u32 {
    word ^= word >> 16;
    word = word.wrapping_mul(0x7feb_352d);
    word ^= word >> 15;
    word = word.wrapping_mul(0x846c_a68b);
    word ^ (word >> 16)
}

/// An odd number for each byte.
const FACTORS: [u32; BYTES] = {
    let mut factors = [0; BYTES];
    let mut at = 0;
    while at < BYTES {
        factors[at] = mix(at as u32 + 1) | 1;
        at += 1;
    }
    factors
};
