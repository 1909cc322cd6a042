//! Reproducible random numbers for inputs: the same seed and index give the same on every platform.
//!
//! [`Kind::Finite`] draws from ±[1/64, 64) and from the integers -8 to 94 (so that addresses and loops mean
//! something), nothing else. [`Kind::Full`] cycles through four mixtures by the index: case 0, 4, 8... as
//! `Finite`; 1, 5, 9... with one value in sixteen from the boundary list; 2, 6, 10... with one in four; 3, 7,
//! 11... with one half boundary values and one quarter of any 32 bits. Most cases thus keep enough ordinary
//! numbers for NaN not to swallow everything. [`Kind::Sized`] draws numbers of one [`Size`] alone: what a program gets from
//! an application is mostly smaller and tamer than that.

/// Which values the float registers get.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Boundary values and any bits as well.
    Full,
    /// Finite numbers of ordinary size only.
    Finite,
    /// Finite numbers of that size only.
    Sized(Size),
}

/// How large numbers are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Size {
    /// From 0 to 1, as colours, weights and texture coordinates are.
    Unit,
    /// From -1 to 1, as the components of directions are.
    Signed,
    /// From 1/64 to 64: roots, logarithms and quotients of these are numbers.
    Positive,
    /// Whole numbers from 0 to 15.
    Whole,
}

/// Values at which float operations change their ways.
pub const BOUNDARIES: [f32; 26] = [
    0.0,
    -0.0,
    1.0,
    -1.0,
    0.5,
    -0.5,
    2.0,
    f32::NAN,
    f32::INFINITY,
    f32::NEG_INFINITY,
    f32::MIN_POSITIVE,
    -f32::MIN_POSITIVE,
    // Denormals: the smallest, the largest.
    f32::from_bits(1),
    f32::from_bits(0x8000_0001),
    f32::from_bits(0x007F_FFFF),
    f32::MAX,
    f32::MIN,
    // Smallest normal and largest number of the hardware's 24 bits.
    f32::from_bits(0x2080_0000),
    f32::from_bits(0x5F7F_FF80),
    // Where the fraction ends, where addresses stop counting, where 32-bit integers end.
    8_388_608.0,
    -128.0,
    127.0,
    128.0,
    96.0,
    2_147_483_648.0,
    -2_147_483_904.0,
];

/// SplitMix64 (Steele, Lea, Flood): a counter and a mixing function.
#[derive(Debug, Clone)]
pub struct Random(u64);

/// 2^64 divided by the golden ratio: the published step of the counter.
const STEP: u64 = 0x9E37_79B9_7F4A_7C15;

impl Random {
    /// The series of one case.
    pub fn new(seed: u64, index: u64) -> Self {
        // Mixed once, so that neighbouring seeds and indices do not give shifted copies of one series.
        Self(Self(seed).next() ^ Self(index.wrapping_mul(STEP)).next().rotate_left(32))
    }

    /// The next 64 bits.
    #[allow(clippy::should_implement_trait, reason = "a series without end needs no Option")]
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(STEP);
        let mixed = (self.0 ^ self.0 >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ mixed >> 31
    }

    /// A float for case number `index`.
    pub fn float(&mut self, kind: Kind, index: u64) -> f32 {
        let bits = self.next();
        let [choice, pick, ..] = bits.to_be_bytes();
        // 24 bits, as many as a float has.
        let unit = (bits & 0xFF_FFFF) as f32 / (1 << 24) as f32;
        if let Kind::Sized(size) = kind {
            return match size {
                Size::Unit => unit,
                Size::Signed => 2.0 * unit - 1.0,
                Size::Positive => (1.0 + unit) * f32::from_bits((127 - 6 + u32::from(pick) % 12) << 23),
                Size::Whole => f32::from(pick & 15),
            };
        }
        // Sixteenths: boundary values, and any bits.
        let (boundary, any) = match (kind, index & 3) {
            (Kind::Finite | Kind::Sized(_), _) | (Kind::Full, 0) => (0, 0),
            (Kind::Full, 1) => (1, 0),
            (Kind::Full, 2) => (4, 0),
            (Kind::Full, _) => (8, 4),
        };
        let low = bits as u32;
        match choice & 15 {
            c if c < boundary => BOUNDARIES[usize::from(pick) % BOUNDARIES.len()],
            c if c < boundary + any => f32::from_bits(low),
            _ if pick & 3 == 0 => (i32::from(pick >> 2) * 104 / 64 - 8) as f32,
            // Sign and mantissa at random, exponent -6 to 5.
            _ => f32::from_bits((low & 0x807F_FFFF) | (127 - 6 + u32::from(pick >> 2) % 12) << 23),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// First numbers of the published reference program for the seed 1234567.
    #[test]
    fn the_series_is_splitmix64() {
        let mut random = Random(1_234_567);
        assert_eq!(random.next(), 6_457_827_717_110_365_317);
        assert_eq!(random.next(), 3_203_168_211_198_807_973);
    }
}
