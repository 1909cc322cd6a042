//! Operand descriptors: destination mask, and for each source a sign and a swizzle.

/// One entry of the descriptor table (the low word; what a file keeps beside it is the container's).
///
/// | bits | meaning |
/// |---|---|
/// | 0-3 | destination mask, bit 3 = x, bit 0 = w |
/// | 4, 5-12 | negate and swizzle of the first source (by meaning, also in the inverted formats) |
/// | 13, 14-21 | second source |
/// | 22, 23-30 | third source |
/// | 31 | no known effect; set in most entries of official files (one source: GBATEK) |
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Descriptor(pub u32);

/// Which component of the source each lane takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Swizzle(pub u8);

impl Swizzle {
    /// `xyzw`.
    pub const IDENTITY: Self = Self(0x1B);

    /// Component 0-3 (x y z w) that lane 0-3 takes. Lane 0 is in the two highest bits.
    pub fn component(self, lane: usize) -> usize {
        usize::from(self.0 >> (6 - 2 * (lane & 3)) & 3)
    }

    /// From four components, each 0-3.
    pub fn new(components: [u8; 4]) -> Self {
        Self(components.iter().fold(0, |bits, c| bits << 2 | c & 3))
    }
}

impl Descriptor {
    /// Bit 31, without known effect.
    pub const UNKNOWN_BIT: u32 = 1 << 31;

    /// Whether lane 0-3 (x y z w) of the destination is written.
    pub fn writes(self, lane: usize) -> bool {
        self.0 >> (3 - (lane & 3)) & 1 != 0
    }

    /// The mask with bit 0 = x, the order that output tables use.
    pub fn mask(self) -> u8 {
        (0..4).fold(0, |mask, lane| mask | u8::from(self.writes(lane)) << lane)
    }

    /// Whether source 0, 1 or 2 is negated.
    pub fn negates(self, source: usize) -> bool {
        self.0 >> (4 + 9 * source.min(2)) & 1 != 0
    }

    /// Swizzle of source 0, 1 or 2.
    pub fn swizzle(self, source: usize) -> Swizzle {
        Swizzle((self.0 >> (5 + 9 * source.min(2)) & 0xFF) as u8)
    }
}
