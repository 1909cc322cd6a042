//! Numbers of attributes and varyings in the code of the Mali vertex processor.
//!
//! An instruction has 128 bits. It loads one attribute (number in bits 58-61, bit 62 set; else a register), and
//! has two store slots that write two components each: x and y (number in bits 90-93, bit 94 set for a varying,
//! bit 67 for a temporary) and z and w (95-98, 99, 68).

use std::ops::Range;

/// How many attributes, and how many varyings, there are.
pub(super) const COUNT: u8 = 16;

/// New numbers for old ones: each number is given once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Renumbering([u8; COUNT as usize]);

impl Default for Renumbering {
    /// All stay.
    fn default() -> Self {
        Self(std::array::from_fn(|number| number as u8))
    }
}

impl Renumbering {
    /// Moves runs of numbers to new places; numbers that no run names take the places that are left, in
    /// order. `None` where two runs share a number before or after.
    pub fn of(moves: impl IntoIterator<Item = (Range<u8>, u8)>) -> Option<Self> {
        let mut new = [None; COUNT as usize];
        let mut taken = [false; COUNT as usize];
        for (rows, to) in moves {
            for (row, to) in rows.zip(to..) {
                let place = new.get_mut(usize::from(row)).filter(|place| place.is_none())?;
                let mark = taken.get_mut(usize::from(to)).filter(|mark| !**mark)?;
                *place = Some(to);
                *mark = true;
            }
        }
        let mut left = (0..COUNT).filter(|to| !taken.get(usize::from(*to)).copied().unwrap_or(true));
        Some(Self(new.map(|to| to.or_else(|| left.next()).unwrap_or(0))))
    }

    /// The new number of an old one; one that cannot be stays.
    pub fn of_row(&self, row: u8) -> u8 {
        self.0.get(usize::from(row)).copied().unwrap_or(row)
    }

    /// The same for the row of an offset.
    pub fn row(&self, row: u16) -> u16 {
        u8::try_from(row).map_or(row, |row| self.of_row(row).into())
    }
}

/// Gives attributes and varyings in each instruction their new numbers.
pub(super) fn renumber(words: &mut [u32], attributes: &Renumbering, varyings: &Renumbering) {
    for instruction in words.as_chunks_mut::<4>().0 {
        let old = instruction.iter().rev().fold(0_u128, |bits, word| bits << 32 | u128::from(*word));
        let has = |bit: u32| old >> bit & 1 == 1;
        let mut bits = old;
        let mut put = |first: u32, rows: &Renumbering| {
            let number = rows.of_row((bits >> first & 0xF) as u8);
            bits = bits & !(0xF << first) | u128::from(number) << first;
        };
        if has(62) {
            put(58, attributes);
        }
        if has(94) && !has(67) {
            put(90, varyings);
        }
        if has(99) && !has(68) {
            put(95, varyings);
        }
        for (index, word) in instruction.iter_mut().enumerate() {
            *word = (bits >> (32 * index)) as u32;
        }
    }
}
