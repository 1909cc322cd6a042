//! The registers of the GPU as a record has them: 1,854 words in a fixed order, in runs.

use super::raw::MOST_REGISTERS;
use unshade_bytes::{Error, ErrorKind, Result};

/// Words that a record has.
pub const WORDS: usize = 1854;

/// The registers in the order of the words: address of the first of a run, counted in words, and how many.
#[rustfmt::skip]
const RUNS: [(u32, u32); 73] = [
    (0x2232, 0x2), (0x2235, 0x1), (0x223A, 0x1), (0x2256, 0x1), (0x22C8, 0x1), (0x2300, 0x6), (0x2310, 0xC), (0x2363, 0x1), (0x2404, 0x2), (0x2542, 0x1), (0x25C5, 0x1), (0x260C, 0x1), (0x2900, 0x48), (0x2980, 0x48), (0x2A00, 0x48), (0xA000, 0x2), (0xA003, 0x3), (0xA00A, 0x4), (0xA010, 0x38), (0xA050, 0x34), (0xA08C, 0x1), (0xA08E, 0x4), (0xA094, 0x40), (0xA0D5, 0x1), (0xA0E0, 0x20), (0xA100, 0x9), (0xA10C, 0x3), (0xA10F, 0x60), (0xA185, 0xA), (0xA191, 0x27), (0xA1E0, 0x9), (0xA200, 0x1), (0xA202, 0x7), (0xA210, 0x29), (0xA250, 0x34), (0xA284, 0xC), (0xA290, 0x1), (0xA292, 0x2), (0xA29B, 0x1), (0xA2A1, 0x1), (0xA2A5, 0x1), (0xA2A8, 0x2), (0xA2AC, 0x3), (0xA2B4, 0x3), (0xA2B8, 0x3), (0xA2BC, 0x3), (0xA2C0, 0x3), (0xA2C8, 0x1), (0xA2CA, 0x1), (0xA2CC, 0x1), (0xA2CE, 0x1), (0xA300, 0x9), (0xA30C, 0x1), (0xA312, 0x1), (0xA316, 0x2), (0xA343, 0x2), (0xA349, 0x3), (0xA34C, 0x2), (0xA351, 0x1), (0xA37E, 0x6), (0xE000, 0x70), (0xE380, 0x70), (0xE460, 0x70), (0xE7E0, 0x70), (0xE8B9, 0x7), (0xE8C0, 0x70), (0xE930, 0x70), (0xECB0, 0x70), (0xED89, 0x7), (0xF000, 0x36), (0xF036, 0x36), (0xF06C, 0x36), (0xF880, 0x60),
];

/// The registers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Registers(Vec<u32>);

impl Registers {
    /// All of them 0.
    pub fn zero() -> Self {
        Self(vec![0; WORDS])
    }

    /// Reads the runs: a byte, whose lower bits are a count, at least 1; where its bit 7 is set that many words are 0, else they
    /// follow, most significant byte first.
    ///
    /// # Errors
    /// Where there is another number of words.
    pub fn of_runs(bytes: &[u8]) -> Result<Self> {
        let bad = |at: usize, expected: String, found: String| {
            Error::new(ErrorKind::BadValue, at as u64, "runs", expected, found).code("cemu.registers")
        };
        if bytes.len() as u64 > MOST_REGISTERS {
            return Err(bad(0, format!("at most {MOST_REGISTERS} bytes"), bytes.len().to_string()));
        }
        let mut words = Vec::with_capacity(WORDS);
        let mut rest = bytes;
        while let Some((control, behind)) = rest.split_first() {
            let at = bytes.len().saturating_sub(rest.len());
            let count = usize::from(control & 0x7f);
            if count == 0 {
                return Err(bad(at, "a run of at least one word".to_owned(), format!("{control:#04x}")));
            }
            rest = behind;
            if control & 0x80 != 0 {
                words.resize(words.len().saturating_add(count), 0);
            } else {
                let Some((run, behind)) = rest.split_at_checked(count.saturating_mul(4)) else {
                    return Err(bad(
                        at,
                        format!("{count} words"),
                        format!("{} bytes to the end", rest.len()),
                    ));
                };
                words.extend(run.as_chunks::<4>().0.iter().map(|word| u32::from_be_bytes(*word)));
                rest = behind;
            }
            if words.len() > WORDS {
                break;
            }
        }
        if words.len() != WORDS {
            let found = if words.len() > WORDS { "more".to_owned() } else { words.len().to_string() };
            return Err(bad(bytes.len(), format!("{WORDS} words"), found));
        }
        Ok(Self(words))
    }

    /// The register at that address, counted in words; 0 for one that is not among them.
    pub fn get(&self, address: u32) -> u32 {
        self.index(address).and_then(|index| self.0.get(index)).copied().unwrap_or(0)
    }

    /// Gives the register at that address another value; whether it is among them.
    pub fn set(&mut self, address: u32, value: u32) -> bool {
        let place = self.index(address).and_then(|index| self.0.get_mut(index));
        place.map(|place| *place = value).is_some()
    }

    /// All of them, with their addresses.
    pub fn iter(&self) -> impl Iterator<Item = (u32, u32)> {
        let addresses = RUNS.iter().flat_map(|(first, count)| (0..*count).map(|n| first.saturating_add(n)));
        addresses.zip(self.0.iter().copied())
    }

    fn index(&self, address: u32) -> Option<usize> {
        let mut before = 0_u32;
        for (first, count) in RUNS {
            if let Some(place) = address.checked_sub(first).filter(|place| *place < count) {
                return usize::try_from(before.saturating_add(place)).ok();
            }
            before = before.saturating_add(count);
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_order_has_as_many_words_as_a_record() {
        assert_eq!(Registers::zero().iter().count(), WORDS);
        assert_eq!(RUNS.iter().map(|(_, count)| *count as usize).sum::<usize>(), WORDS);
    }

    #[test]
    fn words_by_their_addresses() {
        let mut registers = Registers::zero();
        assert!(registers.set(0xa191, 7) && registers.set(0xf8df, 9));
        assert!(!registers.set(0xf8e0, 1));
        assert_eq!((registers.get(0xa191), registers.get(0xf8df), registers.get(0xa190)), (7, 9, 0));
    }
}
