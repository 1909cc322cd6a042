//! What can be written as blocks: procedures, `if` and `for` whose ends nest.

use crate::reach::Flow;

/// A block of the text: `.proc`, `ifc`, `ifu` or `for` up to its `.end`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Block {
    /// First word: of a procedure its first instruction, else the IF or LOOP itself.
    pub start: u32,
    /// The word behind the last one.
    pub end: u32,
    /// What it is.
    pub kind: BlockKind,
}

/// What a [`Block`] is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BlockKind {
    /// What CALLs run, or a main program.
    Procedure,
    /// IFC or IFU; the else part starts at this word (and is empty if that is the end).
    If {
        /// First word of the else part.
        otherwise: u32,
    },
    /// LOOP.
    For,
}

/// The blocks of a code, in the order in which they open. Of two that overlap without nesting the one that
/// opens first is a block; the other has to be written with its bounds.
///
/// `mains` are (start, end) of main programs. Linear but for one sort.
pub fn blocks(words: &[u32], mains: &[(u32, u32)]) -> Vec<Block> {
    let length = u32::try_from(words.len()).unwrap_or(u32::MAX);
    let procedure = |start: u32, end: u32| {
        (start <= end && end <= length).then_some(Block { start, end, kind: BlockKind::Procedure })
    };
    let mut procedures: Vec<Block> = mains.iter().filter_map(|&(start, end)| procedure(start, end)).collect();
    let mut heads = Vec::new();
    for (at, &word) in (0u32..).zip(words) {
        match Flow::of(word) {
            // NUM runs into bits 8 and 9 here, as in the text.
            Flow::Call { begin, end } => procedures.extend(procedure(begin, end + (word & 0x300))),
            Flow::If { then_end, end } => {
                let end = end + (word & 0x300);
                if then_end > at && end <= length {
                    heads.push(Block { start: at, end, kind: BlockKind::If { otherwise: then_end } });
                }
            }
            Flow::Loop { last } if last >= at && last < length => {
                heads.push(Block { start: at, end: last + 1, kind: BlockKind::For });
            }
            _ => {}
        }
    }
    let mut all = procedures;
    all.sort_unstable_by_key(|b| (b.start, std::cmp::Reverse(b.end)));
    all.dedup();
    all.extend(heads);
    // Stable: at one place the procedures come first where they are as long.
    all.sort_by_key(|b| (b.start, std::cmp::Reverse(b.end)));
    nest(all)
}

/// Keeps the blocks that nest.
fn nest(candidates: Vec<Block>) -> Vec<Block> {
    let mut open: Vec<Block> = Vec::new();
    let mut kept = Vec::with_capacity(candidates.len());
    for block in candidates {
        // A block that is empty at the end of another stands behind it.
        while open.last().is_some_and(|outer| outer.end <= block.start) {
            open.pop();
        }
        let fits = open.last().is_none_or(|outer| match outer.kind {
            // An IF and a procedure that start at one word: the procedure must be outside.
            BlockKind::If { .. } | BlockKind::For if outer.start == block.start => false,
            BlockKind::If { otherwise } if block.start < otherwise => block.end <= otherwise,
            _ => block.end <= outer.end,
        });
        if fits {
            kept.push(block);
            if block.end > block.start {
                open.push(block);
            }
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    fn b(start: u32, end: u32) -> Block {
        Block { start, end, kind: BlockKind::Procedure }
    }

    #[test]
    fn the_first_of_two_that_cross_is_kept() {
        assert_eq!(nest(vec![b(0, 5), b(2, 7), b(3, 5), b(5, 7)]), [b(0, 5), b(3, 5), b(5, 7)]);
    }

    #[test]
    fn a_block_stays_in_its_part_of_an_if() {
        let outer = Block { start: 0, end: 6, kind: BlockKind::If { otherwise: 3 } };
        assert_eq!(nest(vec![outer, b(1, 3), b(2, 4), b(3, 6)]), [outer, b(1, 3), b(3, 6)]);
    }
}
