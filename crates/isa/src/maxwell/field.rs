//! Fields: bits of a word that make one number, not always in one piece.

/// Runs that a field has at most.
const RUNS: usize = 4;

/// Where a number stands: runs of bits, the lowest digits first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Field {
    /// Position and length of each run; unused ones have length zero and stand behind the others.
    runs: [(u8, u8); RUNS],
}

impl Field {
    /// The immediate second source of arithmetic: nineteen bits and a sign.
    pub const IMMEDIATE: Self = Self { runs: [(20, 19), (56, 1), (0, 0), (0, 0)] };

    /// One run.
    pub const fn new(at: u8, len: u8) -> Self {
        let mut runs = [(0, 0); RUNS];
        runs[0] = (at, len);
        Self { runs }
    }

    /// Two runs.
    pub const fn two(low: (u8, u8), high: (u8, u8)) -> Self {
        Self { runs: [low, high, (0, 0), (0, 0)] }
    }

    /// From text: `20+19,56`. A run without a length has `len` bits.
    pub fn parse(text: &str, len: u8) -> Option<Self> {
        let mut runs = [(0, 0); RUNS];
        let mut parts = text.split(',');
        for (run, part) in runs.iter_mut().zip(&mut parts) {
            let (at, len) = match part.split_once('+') {
                Some((at, len)) => (at, len.parse().ok()?),
                None => (part, len),
            };
            *run = (at.parse().ok()?, len);
            if len == 0 || u32::from(run.0) + u32::from(len) > 64 {
                return None;
            }
        }
        parts.next().is_none().then_some(Self { runs })
    }

    /// How many bits it has.
    pub fn bits(self) -> u32 {
        self.runs.iter().map(|run| u32::from(run.1)).sum()
    }

    /// Its bits in a word.
    pub fn mask(self) -> u64 {
        self.runs.iter().filter(|run| run.1 > 0).fold(0, |mask, run| mask | ones(run.1) << run.0)
    }

    /// Its number in a word.
    #[inline]
    pub fn get(self, word: u64) -> u64 {
        let [(at, len), ..] = self.runs;
        let mut value = word >> at & ones(len);
        let mut done = len;
        for (at, len) in &self.runs[1..] {
            if *len == 0 {
                break;
            }
            value |= (word >> at & ones(*len)) << done;
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
    pub fn put(self, word: u64, value: u64) -> u64 {
        let mut word = word & !self.mask();
        let mut rest = value;
        for (at, len) in self.runs {
            if len == 0 {
                break;
            }
            word |= (rest & ones(len)) << at;
            rest = rest.checked_shr(len.into()).unwrap_or(0);
        }
        word
    }
}

/// `len` ones, up to 64.
fn ones(len: u8) -> u64 {
    u64::MAX.checked_shr(64 - u32::from(len.min(64))).unwrap_or(0)
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
