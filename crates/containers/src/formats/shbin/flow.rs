//! What must be known of instruction words to move them: where control goes, and which operand descriptor a word names.
//! Everything else of the instruction set lies with the instruction set.
//!
//! Source: 3dbrew, GBATEK. Bit 0 is the lowest; the operation is in bits 26-31.

/// An instruction that does nothing.
pub(super) const NOP: u32 = 0x21 << 26;
/// Words that branches reach.
pub(super) const REACH: usize = 1 << 12;
/// Pairs of a word and the end of the procedure around it that are followed before all words count as reached.
const STEPS: usize = 1 << 20;
/// No procedure around.
const NOWHERE: u32 = u32::MAX;

/// What an instruction word does with control.
enum Flow {
    /// Goes on with the next word.
    On,
    /// Ends the program.
    End,
    /// Leaves a loop, whose end is known from its head.
    Leave,
    /// Runs `target` and `count` words from there on, then the next word.
    Call,
    /// Runs the next words up to `target`, or `count` words from there on.
    If,
    /// Runs the next words up to and with `target`, again and again.
    Loop,
    /// Goes to `target`, or on.
    Jump,
}

fn flow(word: u32) -> Flow {
    match word >> 26 {
        0x22 => Flow::End,
        0x20 | 0x23 => Flow::Leave,
        0x24..=0x26 => Flow::Call,
        0x27 | 0x28 => Flow::If,
        0x29 => Flow::Loop,
        0x2C | 0x2D => Flow::Jump,
        _ => Flow::On,
    }
}

/// The word that an instruction of control flow names.
pub(super) fn target(word: u32) -> Option<usize> {
    match flow(word) {
        Flow::Call | Flow::If | Flow::Loop | Flow::Jump => Some((word >> 10 & 0xFFF) as usize),
        Flow::On | Flow::End | Flow::Leave => None,
    }
}

/// The same instruction with another target, of which twelve bits count.
pub(super) fn with_target(word: u32, target: usize) -> u32 {
    word & !(0xFFF << 10) | (target as u32 & 0xFFF) << 10
}

/// Bits in which a word names its descriptor: 5 for multiply-add, else 7; none for control flow.
fn descriptor_bits(word: u32) -> Option<u32> {
    match word >> 26 {
        0x30.. => Some(5),
        0x20..=0x2D => None,
        _ => Some(7),
    }
}

/// The operand descriptor that a word names, and how many such a word can name.
pub(super) fn descriptor(word: u32) -> Option<(usize, usize)> {
    let count = 1_u32 << descriptor_bits(word)?;
    Some(((word & count.saturating_sub(1)) as usize, count as usize))
}

/// The same instruction with another descriptor.
pub(super) fn with_descriptor(word: u32, index: usize) -> u32 {
    match descriptor_bits(word) {
        Some(bits) => word >> bits << bits | index as u32,
        None => word,
    }
}

/// The words that a program needs.
pub(super) struct Reach {
    /// For each word whether it may run, or lies inside of a block that does.
    pub words: Vec<bool>,
    /// Whether control may go on behind the last word.
    pub runs_off: bool,
}

/// Follows control from `entry` on, both ways at each branch; what lies up to `end` belongs to it. `left` is how many
/// steps may still be taken; when they are used up all words count.
pub(super) fn reach(words: &[u32], entry: u32, end: u32, left: &mut Option<usize>) -> Reach {
    let mut ranges = Ranges::new(words.len());
    ranges.add(entry as usize, end as usize);
    let mut runs_off = false;
    let mut seen = std::collections::BTreeSet::new();
    let mut waiting = vec![(entry, NOWHERE)];
    let steps = left.get_or_insert(STEPS);
    while let Some((at, end)) = waiting.pop() {
        let Some(&word) = words.get(at as usize) else {
            runs_off = true;
            continue;
        };
        if !seen.insert((at, end)) {
            continue;
        }
        *steps = steps.saturating_sub(1);
        if *steps == 0 {
            return Reach { words: vec![true; words.len()], runs_off: true };
        }
        let next = at.saturating_add(1);
        ranges.add(at as usize, next as usize);
        let target = word >> 10 & 0xFFF;
        // One assembler writes ten bits; the hardware is said to look at eight.
        let counts = [word & 0xFF, word & 0x3FF];
        match flow(word) {
            Flow::End => continue,
            Flow::On | Flow::Leave => {}
            Flow::Call => {
                for count in counts {
                    let behind = target.saturating_add(count);
                    ranges.add(target as usize, behind as usize);
                    waiting.push((target, if count == 0 { NOWHERE } else { behind }));
                }
            }
            Flow::If => {
                for count in counts {
                    let behind = target.saturating_add(count);
                    ranges.add(next as usize, behind as usize);
                    waiting.push((behind, end));
                }
                waiting.push((target, end));
            }
            Flow::Loop => {
                let behind = target.saturating_add(1);
                ranges.add(next as usize, behind as usize);
                waiting.push((behind, end));
            }
            Flow::Jump => waiting.push((target, end)),
        }
        // At its end a procedure returns.
        if next != end {
            waiting.push((next, end));
        }
    }
    Reach { words: ranges.inside(), runs_off }
}

/// Ranges of words, by how many start and end at each place.
pub(super) struct Ranges(Vec<i64>);

impl Ranges {
    /// None, of so many words.
    pub fn new(len: usize) -> Self {
        Self(vec![0; len.saturating_add(1)])
    }

    /// Adds one; what lies behind the last word does not count.
    pub fn add(&mut self, start: usize, end: usize) {
        let last = self.0.len().saturating_sub(1);
        let end = end.min(last);
        if start < end {
            for (place, step) in [(start, 1), (end, -1)] {
                if let Some(count) = self.0.get_mut(place) {
                    *count = count.saturating_add(step);
                }
            }
        }
    }

    /// Which words lie in one.
    pub fn inside(&self) -> Vec<bool> {
        let mut depth = 0_i64;
        let inside = self.0.iter().map(|step| {
            depth = depth.saturating_add(*step);
            depth > 0
        });
        inside.take(self.0.len().saturating_sub(1)).collect()
    }
}
