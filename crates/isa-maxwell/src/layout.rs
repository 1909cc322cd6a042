//! Where instructions lie: groups of four 64-bit words, the first of which controls the other three.
//!
//! Addresses count bytes from the start of the code, control words included. A branch to a control word means
//! the instruction behind it (compilers make such branches).

/// Bytes of a group.
pub const GROUP: u64 = 32;

/// What the control word says about one instruction: its 21 bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Slot(pub u32);

/// The 64-bit words of a program, from 32-bit words in file order, the lower half first. A half without its
/// other half is left out.
pub fn words(code: &[u32]) -> impl ExactSizeIterator<Item = u64> + '_ {
    code.chunks_exact(2).map(|pair| match *pair {
        [low, high] => u64::from(low) | u64::from(high) << 32,
        _ => 0,
    })
}

/// The instructions of a program in order: address, word, and what the control word says. A last group may be
/// cut.
pub fn instructions(code: &[u32]) -> impl Iterator<Item = Placed> + '_ {
    let mut control = 0;
    words(code).enumerate().filter_map(move |(index, word)| {
        let place = index as u64 % 4;
        if place == 0 {
            control = word;
            return None;
        }
        let slot = Slot((control >> (21 * (place - 1)) & 0x1f_ffff) as u32);
        Some(Placed { address: index as u64 * 8, word, slot })
    })
}

/// The word at an address, if it is an instruction's: multiples of eight but not of [`GROUP`].
pub fn at(code: &[u32], address: u64) -> Option<u64> {
    if !address.is_multiple_of(8) || address.is_multiple_of(GROUP) {
        return None;
    }
    let index = usize::try_from(address / 4).ok()?;
    Some(u64::from(*code.get(index)?) | u64::from(*code.get(index + 1)?) << 32)
}

/// The address of the instruction that a branch to `address` means.
pub fn target(address: u64) -> u64 {
    if address.is_multiple_of(GROUP) { address + 8 } else { address }
}

/// The address of the instruction behind the one at `address`.
pub fn next(address: u64) -> u64 {
    target(address + 8)
}

/// An instruction in its place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Placed {
    /// Bytes from the start of the code.
    pub address: u64,
    /// The instruction word.
    pub word: u64,
    /// What its control word says about it.
    pub slot: Slot,
}
