//! Fields: bits of a word that make one number, not always in one piece.

/// Runs that a field has behind its first one, at most.
const MORE: usize = 3;

/// Where a number stands: runs of bits, the lowest digits first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Field {
    /// All of its bits in a word.
    mask: u64,
    /// Where the first run starts.
    at: u8,
    /// Length of the first run.
    len: u8,
    /// Length of all runs.
    bits: u8,
    /// Position and length of the other runs; unused ones have length zero and stand behind the others.
    more: [(u8, u8); MORE],
}

impl Field {
    /// The immediate second source of arithmetic: nineteen bits and a sign.
    pub const IMMEDIATE: Self = Self::two((20, 19), (56, 1));

    /// One run.
    pub const fn new(at: u8, len: u8) -> Self {
        Self { mask: ones(len) << at, at, len, bits: len, more: [(0, 0); MORE] }
    }

    /// Two runs.
    pub const fn two(low: (u8, u8), high: (u8, u8)) -> Self {
        Self::new(low.0, low.1).and(high, 0)
    }

    /// With another run, which is number `index` behind the first one.
    const fn and(mut self, run: (u8, u8), index: usize) -> Self {
        self.mask |= ones(run.1) << run.0;
        self.bits += run.1;
        self.more[index] = run;
        self
    }

    /// From text: `20+19,56`. A run without a length has `len` bits.
    pub fn parse(text: &str, len: u8) -> Option<Self> {
        let run = |part: &str| {
            let (at, len) = match part.split_once('+') {
                Some((at, len)) => (at, len.parse().ok()?),
                None => (part, len),
            };
            let at: u8 = at.parse().ok()?;
            (len > 0 && u32::from(at) + u32::from(len) <= 64).then_some((at, len))
        };
        let mut parts = text.split(',');
        let (at, len) = run(parts.next()?)?;
        let mut field = Self::new(at, len);
        for (index, part) in parts.enumerate() {
            let next = run(part)?;
            if index >= MORE || u32::from(field.bits) + u32::from(next.1) > 64 {
                return None;
            }
            field = field.and(next, index);
        }
        Some(field)
    }

    /// How many bits it has.
    pub fn bits(self) -> u32 {
        self.bits.into()
    }

    /// Its bits in a word.
    #[inline]
    pub fn mask(self) -> u64 {
        self.mask
    }

    /// Its number in a word.
    #[inline]
    pub fn get(self, word: u64) -> u64 {
        if self.len == self.bits { (word & self.mask) >> self.at } else { self.pieced(word) }
    }

    /// As [`Self::get`], of several runs.
    fn pieced(self, word: u64) -> u64 {
        let mut value = word >> self.at & ones(self.len);
        let mut done = self.len;
        for (at, len) in self.more {
            if len == 0 {
                break;
            }
            value |= (word >> at & ones(len)) << done;
            done += len;
        }
        value
    }

    /// Its number in two's complement.
    #[inline]
    pub fn signed(self, word: u64) -> i64 {
        let free = 64 - self.bits();
        (self.get(word) << free) as i64 >> free
    }

    /// The word with another number in its place; bits that do not fit are left out.
    #[inline]
    pub fn put(self, word: u64, value: u64) -> u64 {
        let word = word & !self.mask;
        if self.len == self.bits {
            return word | value << self.at & self.mask;
        }
        let mut word = word | (value & ones(self.len)) << self.at;
        let mut rest = value >> self.len;
        for (at, len) in self.more {
            if len == 0 {
                break;
            }
            word |= (rest & ones(len)) << at;
            rest >>= len;
        }
        word
    }
}

/// `len` ones, up to 64.
const fn ones(len: u8) -> u64 {
    if len == 0 { 0 } else { u64::MAX >> (64 - len) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_in_pieces() {
        let field = Field::parse("20+19,56", 1).unwrap();
        assert_eq!((field.bits(), field.mask()), (20, 0x0100_007F_FFF0_0000));
        let word = field.put(u64::MAX, 0x8_0001);
        assert_eq!(field.get(word), 0x8_0001);
        assert_eq!(field.signed(word), -0x7_FFFF);
        assert_eq!(word | field.mask(), u64::MAX);
        assert_eq!(Field::parse("8+2,x", 1), None);
        assert_eq!(Field::parse("0+64", 1).map(Field::mask), Some(u64::MAX));
    }
}
