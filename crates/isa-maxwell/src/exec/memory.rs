//! Memory: a region that grows, and global memory by address.

use crate::Header;
use crate::memory::{local_words, shared_words};
use std::collections::BTreeMap;
use unshade_stage::Maxwell;

/// Words that shared memory of a work group has at most (64 KiB).
pub const SHARED_WORDS: usize = 1 << 14;
/// Words that one invocation has for itself at most (512 KiB).
pub const LOCAL_WORDS: usize = 1 << 17;
/// Words that a run may leave at addresses where nothing was listed.
pub const OVERLAY_WORDS: usize = 1 << 16;

/// Words of memory that a program has for itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Extent {
    /// Of a lane.
    pub(super) local: usize,
    /// Of a work group.
    pub(super) shared: usize,
}

impl Extent {
    /// What header and file say; as much as the machine can have where they do not.
    pub(super) fn of(maxwell: &Maxwell) -> Self {
        let header = Header::read(&maxwell.header).filter(|header| header.stage().is_some());
        let local = local_words(header.as_ref()).map_or(LOCAL_WORDS, |words| words as usize);
        let shared = if maxwell.shared_memory == 0 { SHARED_WORDS } else { shared_words(maxwell) as usize };
        Self { local, shared }
    }
}

/// Words that grow with what is written, up to a limit: reads behind give 0, writes behind vanish.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Region {
    /// The words up to the last one written.
    pub words: Vec<u32>,
}

impl Region {
    /// A word below `limit`; 0 where none was written.
    pub fn read(&self, word: u64, limit: usize) -> u32 {
        let word = usize::try_from(word).ok().filter(|&word| word < limit);
        word.and_then(|word| self.words.get(word)).copied().unwrap_or(0)
    }

    /// Changes a word below `limit`.
    pub fn write(&mut self, word: u64, value: u32, limit: usize) {
        let Some(word) = usize::try_from(word).ok().filter(|&word| word < limit) else { return };
        if word >= self.words.len() {
            self.words.resize(word + 1, 0);
        }
        if let Some(place) = self.words.get_mut(word) {
            *place = value;
        }
    }
}

/// Global memory: what is listed, by its first address, and what a program writes elsewhere. Addresses are in
/// bytes; words lie at multiples of four.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Global {
    /// Listed memory, by the address of its first word.
    pub regions: BTreeMap<u64, Vec<u32>>,
    /// Words that were written where nothing is listed, at most [`OVERLAY_WORDS`].
    pub overlay: BTreeMap<u64, u32>,
}

impl Global {
    fn listed(&self, address: u64) -> Option<(u64, usize)> {
        let (&start, words) = self.regions.range(..=address).next_back()?;
        let word = usize::try_from((address - start) / 4).ok()?;
        (word < words.len()).then_some((start, word))
    }

    /// The word at an address, a multiple of four: 0 where nothing is.
    pub fn read(&self, address: u64) -> u32 {
        match self.listed(address) {
            Some((start, word)) => {
                self.regions.get(&start).and_then(|words| words.get(word)).copied().unwrap_or(0)
            }
            None => self.overlay.get(&address).copied().unwrap_or(0),
        }
    }

    /// Changes the word at an address. `false`: there is no room for more words where nothing is listed.
    pub fn write(&mut self, address: u64, value: u32) -> bool {
        if let Some((start, word)) = self.listed(address) {
            if let Some(place) = self.regions.get_mut(&start).and_then(|words| words.get_mut(word)) {
                *place = value;
            }
            return true;
        }
        if self.overlay.len() >= OVERLAY_WORDS && !self.overlay.contains_key(&address) {
            return false;
        }
        self.overlay.insert(address, value);
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn listed_and_other_words() {
        let mut global = Global::default();
        global.regions.insert(0x1000, vec![1, 2]);
        assert_eq!([0xffc, 0x1000, 0x1004, 0x1008].map(|address| global.read(address)), [0, 1, 2, 0]);
        assert!(global.write(0x1004, 7) && global.write(0x1008, 9));
        assert_eq!((global.regions[&0x1000][1], global.read(0x1008)), (7, 9));
        for n in 1..OVERLAY_WORDS as u64 {
            assert!(global.write(0x10_0000 + 4 * n, 1));
        }
        assert!(!global.write(0x9000_0000, 1) && global.write(0x1008, 3));
    }

    #[test]
    fn regions_end() {
        let mut region = Region::default();
        region.write(3, 5, 4);
        region.write(4, 5, 4);
        assert_eq!(
            (region.words.len(), region.read(3, 4), region.read(9, 99), region.read(3, 3)),
            (4, 5, 0, 0)
        );
    }
}
