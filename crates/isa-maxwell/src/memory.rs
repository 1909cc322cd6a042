//! How many words of memory of its own a program has: what its header and the file say, and what counts where they do not.
//! Behind them reads give 0 and writes vanish, in the interpreter as in what is lifted. (The machine reports an error there.)

use super::Header;
use unshade_stage::Maxwell;

/// Words of local memory in source where no header says how many.
pub const LOCAL_WORDS: u32 = 1 << 12;
/// Words of local memory that are taken seriously in source.
const MOST_LOCAL_WORDS: u32 = 1 << 16;
/// Words of shared memory of a work group where nobody says how many: 48 KiB, the most that a group can have.
pub const SHARED_WORDS: u32 = 0xC000 / 4;

/// Words of local memory of an invocation; nothing where no header says.
pub fn local_words(header: Option<&Header>) -> Option<u32> {
    let words = header?.local_memory().div_ceil(4);
    (words > 0).then(|| words.min(MOST_LOCAL_WORDS))
}

/// Words of shared memory of a work group.
pub fn shared_words(maxwell: &Maxwell) -> u32 {
    match maxwell.shared_memory {
        0 => SHARED_WORDS,
        bytes => bytes.div_ceil(4).min(SHARED_WORDS),
    }
}
