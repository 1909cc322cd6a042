//! Programs of the 3DS as emulators keep them: the whole program memory.

use super::maxwell::words;

/// The words up to the last that is not 0, of at most `most`. What a longer program left behind a shorter one is there, too: nothing
/// in a cache tells it from the program.
pub(crate) fn trimmed(bytes: &[u8], most: usize) -> Vec<u32> {
    let mut words = words(bytes);
    words.truncate(most);
    while words.last() == Some(&0) {
        words.pop();
    }
    words
}
