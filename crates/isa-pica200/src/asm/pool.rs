//! The pool of operand descriptors: instructions whose descriptors agree where it matters share one.
//!
//! Each descriptor remembers which of its bits some instruction cares about. A new one matches if it
//! agrees in all bits that both sides care about; its own bits are then copied in. The order of the search
//! and what exactly an instruction cares about decide the bytes of the file, so both follow the reference
//! assembler.

use crate::Opcode;

/// How many descriptors the machine holds.
pub(super) const LIMIT: usize = 128;
/// How many of them MAD can reach.
const MAD_REACH: u8 = 32;
const MEMO: usize = 256;

#[derive(Debug, Clone, Copy)]
struct Entry {
    bits: u32,
    care: u32,
}

/// The descriptors so far.
#[derive(Debug, Clone)]
pub(super) struct Pool {
    entries: Vec<Entry>,
    /// Bit n: descriptor n is used by a MAD.
    used_by_mad: u32,
    /// Answers of earlier searches: bits, care, index. An answer stays right, because entries only become
    /// stricter, until two entries change places.
    memo: Box<[(u32, u32, u8); MEMO]>,
}

/// No descriptor has these bits and cares about nothing.
const UNUSED: (u32, u32, u8) = (u32::MAX, 0, 0);

/// What an instruction must do about a descriptor for MAD that was out of reach.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Swap(pub(super) u8, pub(super) u8);

impl Pool {
    pub(super) fn new() -> Self {
        Self { entries: Vec::with_capacity(LIMIT), used_by_mad: 0, memo: Box::new([UNUSED; MEMO]) }
    }

    /// The descriptors as they stand.
    pub(super) fn words(&self) -> Vec<u32> {
        self.entries.iter().map(|entry| entry.bits).collect()
    }

    /// Index of a descriptor for an instruction (`opcode` in its plain, not inverted form). `None` when the
    /// pool is full.
    pub(super) fn find(&mut self, opcode: Opcode, bits: u32) -> Option<u8> {
        let care = care(opcode, bits);
        let slot = (bits ^ care.rotate_left(16)).wrapping_mul(0x9E37_79B1) >> 24;
        let slot = &mut self.memo[slot as usize % MEMO];
        if (slot.0, slot.1) == (bits, care) {
            return Some(slot.2);
        }
        let found = self.entries.iter_mut().position(|entry| {
            let both = care & entry.care;
            (bits ^ entry.bits) & both == 0
        });
        let index = match found {
            Some(index) => {
                let entry = &mut self.entries[index];
                entry.bits = entry.bits & !care | bits & care;
                entry.care |= care;
                index
            }
            None if self.entries.len() == LIMIT => return None,
            None => {
                self.entries.push(Entry { bits, care });
                self.entries.len() - 1
            }
        };
        *slot = (bits, care, index as u8);
        Some(index as u8)
    }

    /// As [`Pool::find`] for MAD, which reaches 32 descriptors only: one further up changes places with the
    /// lowest that no MAD uses yet, and the caller has to renumber the words before. `None` when the pool,
    /// or the part in reach, is full.
    pub(super) fn find_for_mad(&mut self, bits: u32) -> Option<(u8, Option<Swap>)> {
        let index = self.find(Opcode::Mad, bits)?;
        let (index, swap) = if index < MAD_REACH {
            (index, None)
        } else {
            let free = self.used_by_mad.trailing_ones() as u8;
            if free == MAD_REACH {
                return None;
            }
            self.entries.swap(free.into(), index.into());
            self.memo.fill(UNUSED);
            (free, Some(Swap(free, index)))
        };
        self.used_by_mad |= 1 << index;
        Some((index, swap))
    }
}

/// Lanes 0-3 of a swizzle as bits of its field.
fn lanes(wanted: impl Fn(u32) -> bool) -> u32 {
    (0..4).filter(|&lane| wanted(lane)).fold(0, |bits, lane| bits | 3 << (6 - 2 * lane))
}

/// A swizzle field at the place of source 0, 1 or 2.
fn at(source: u32, bits: u32) -> u32 {
    bits << (5 + 9 * source)
}

/// The bits of a descriptor that matter to an instruction.
fn care(opcode: Opcode, bits: u32) -> u32 {
    let mask = if opcode == Opcode::Cmp { 0 } else { 0xF };
    let present = match opcode.row().sources {
        1 => mask | 0x1FF << 4,
        2 => mask | 0x3_FFFF << 4,
        _ => mask | 0x7FF_FFFF << 4,
    };
    let written = |lane: u32| bits >> (3 - lane) & 1 != 0;
    let unread = match opcode {
        Opcode::Add
        | Opcode::Mul
        | Opcode::Sge
        | Opcode::Slt
        | Opcode::Flr
        | Opcode::Max
        | Opcode::Min
        | Opcode::Mov
        | Opcode::Mad => {
            let lanes = UNWRITTEN[(bits & 0xF) as usize];
            at(0, lanes) | at(1, lanes) | at(2, lanes)
        }
        Opcode::Dp3 => at(0, lanes(|lane| lane == 3)) | at(1, lanes(|lane| lane == 3)),
        Opcode::Dph => at(0, lanes(|lane| lane == 3)),
        Opcode::Ex2 | Opcode::Lg2 | Opcode::Rcp | Opcode::Rsq => at(0, lanes(|lane| lane > 0)),
        Opcode::Mova => at(0, lanes(|lane| lane > 1 || !written(lane))),
        Opcode::Cmp => at(0, lanes(|lane| lane > 1)),
        _ => 0,
    };
    present & !unread
}

/// For each mask, the swizzle bits of the lanes that it does not write.
const UNWRITTEN: [u32; 16] = {
    let mut table = [0; 16];
    let mut mask = 0;
    while mask < 16 {
        let mut lane = 0;
        while lane < 4 {
            if mask >> (3 - lane) & 1 == 0 {
                table[mask] |= 3 << (6 - 2 * lane);
            }
            lane += 1;
        }
        mask += 1;
    }
    table
};

#[cfg(test)]
mod tests {
    use super::*;

    const XYZW: u32 = 0xF | 0x1B << 5 | 0x1B << 14;

    #[test]
    fn descriptors_that_agree_where_it_matters_are_one() {
        let mut pool = Pool::new();
        assert_eq!(pool.find(Opcode::Add, XYZW), Some(0));
        // dp3 does not read the fourth lane: .xyzz is as good as .xyzw.
        assert_eq!(pool.find(Opcode::Dp3, 0xF | 0x1A << 5 | 0x1B << 14), Some(0));
        // Another mask is another descriptor.
        assert_eq!(pool.find(Opcode::Add, XYZW & !1), Some(1));
        assert_eq!(pool.words(), [XYZW, XYZW & !1]);
    }

    #[test]
    fn a_match_brings_its_own_bits() {
        let mut pool = Pool::new();
        assert_eq!(pool.find(Opcode::Rcp, 0xF), Some(0));
        assert_eq!(pool.find(Opcode::Mov, 0xF | 0x1B << 5), Some(0));
        assert_eq!(pool.words(), [0xF | 0x1B << 5]);
        assert_eq!(pool.find(Opcode::Mov, 0xF), Some(1));
    }

    #[test]
    fn mad_takes_a_place_in_reach() {
        let mut pool = Pool::new();
        for swizzle in 0..40 {
            assert_eq!(pool.find(Opcode::Dp4, 0xF | swizzle << 5), Some(swizzle as u8));
        }
        assert_eq!(pool.find_for_mad(0xF | 39 << 5), Some((0, Some(Swap(0, 39)))));
        assert_eq!(pool.find_for_mad(0xF | 39 << 5), Some((0, None)));
        assert_eq!(pool.find(Opcode::Dp4, 0xF), Some(39));
    }

    #[test]
    fn a_full_pool_says_so() {
        let mut pool = Pool::new();
        for swizzle in 0..128 {
            assert!(pool.find(Opcode::Dp4, 0xF | swizzle << 5).is_some());
        }
        assert_eq!(pool.find(Opcode::Dp4, 0xF | 128 << 5), None);
    }
}
