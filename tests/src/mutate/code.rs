//! Programs of which an instruction is another, by way of the listing: what comes out assembles.

use super::{Dice, text};
use crate::properties::words;
use unshade::{Isa, ListingOptions};

/// Longest program that is taken apart, in bytes.
const LARGEST: usize = 1 << 13;
/// Tries to change a listing so that it still assembles.
const TRIES: usize = 4;

/// Changes instructions of a program that begins behind `head` bytes of something else.
pub fn code(isa: Isa, head: usize, data: &[u8], dice: &mut Dice) -> Option<Vec<u8>> {
    let (head, code) = data.split_at_checked(head)?;
    if code.len() > LARGEST || code.len() < 4 {
        return None;
    }
    let stage = unshade::raw_stage(isa, words(code), Vec::new());
    let listing = unshade::disassemble_stage_to_text(&stage, &ListingOptions::default());
    (0..TRIES).find_map(|_| {
        let changed = text::changed(&listing, dice)?;
        let bytes = unshade::assemble_code(isa, &changed).ok().filter(|bytes| !bytes.is_empty())?;
        Some([head, &bytes[..]].concat())
    })
}
