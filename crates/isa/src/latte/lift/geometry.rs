//! Geometry programs: where they find their vertices, and what they hand over.

use unshade_stage::Latte;

/// Words of one item of the ring that the program writes, at most.
pub(super) const RING_WORDS: u32 = 1 << 12;

/// Words of registers that hold the offsets of the vertices: R0.x, R0.y, R0.w, R1.x, R1.y, R1.z.
pub const VERTEX_WORDS: [u32; 6] = [0, 1, 3, 4, 5, 6];

/// Words of an item of the ring in front of the program, where nobody says: the position and as many varyings as
/// there can be.
const ITEM: u32 = 4 * 33;

/// Words from one vertex to the next in the ring in front of the program.
pub fn item_words(latte: &Latte) -> u32 {
    match latte.ring_words {
        0 => ITEM,
        words => words.min(RING_WORDS).next_multiple_of(4),
    }
}

/// Vertices of the input primitive, by the registers that are read at the start.
pub(super) fn vertices(is_read: impl Fn(u32) -> bool) -> u32 {
    let last = VERTEX_WORDS.iter().rposition(|word| is_read(*word));
    match last {
        None => 1,
        Some(last @ 0..=2) => last as u32 + 1,
        Some(3) => 4,
        Some(_) => 6,
    }
}
