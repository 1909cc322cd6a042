//! Arrays of structures: what indices reach that go on by several slots at a time, `lights[i].color`.

use super::uses::Uses;
use super::{MOST_WORDS, SLOT};
use crate::votes::{Kind, Votes};
use crate::{Global, Shape};
use std::collections::BTreeMap;
use std::ops::Range;

/// Words of a structure, at most.
const MOST_STEP: u32 = 64;

/// An array of structures of a block.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Structures {
    /// The words that it has.
    pub(super) words: Range<u32>,
    /// Words of a structure.
    pub(super) step: u32,
    /// What is read of a structure: by the word in it.
    members: BTreeMap<u32, Kind>,
}

impl Structures {
    /// The array of a block that has one such array and nothing else that an index goes through; `end`: that of the block.
    ///
    /// One value, or vectors of one kind alone, stay an array of vectors: nobody knows better.
    pub(super) fn find(uses: &Uses, binding: u32, end: u32) -> Option<Self> {
        let step = uses.steps(binding).next()?;
        let is_step = step > SLOT && step <= MOST_STEP && step.is_multiple_of(SLOT);
        if !is_step || uses.steps(binding).any(|other| other != step) {
            return None;
        }
        let indexed: BTreeMap<u32, Votes> = uses.indexed(binding).collect();
        let mut start = indexed.keys().next()? / SLOT * SLOT;
        if indexed.keys().any(|word| *word >= start + step) {
            return None;
        }
        let members: BTreeMap<u32, Kind> =
            indexed.iter().map(|(word, votes)| (word - start, votes.kind())).collect();
        let slots: Vec<Vec<(u32, Kind)>> = by_slot(&members);
        let is_whole =
            |slot: &Vec<(u32, Kind)>| slot.len() == 4 && slot.iter().all(|word| word.1 == slot[0].1);
        let values = slots.iter().map(|slot| super::runs(slot).len()).sum::<usize>();
        let is_plain = values < 2 || slots.iter().all(|slot| is_whole(slot) && slot[0].1 == slots[0][0].1);
        if is_plain || uses.doubles(binding, start..end).next().is_some() {
            return None;
        }
        // What is read at a fixed place may be one of them, too.
        let fits = |start: u32, word: u32, kind: Kind| {
            members.get(&((word - start) % step)).is_some_and(|member| *member == kind)
        };
        while let Some(before) = start.checked_sub(step) {
            let mut words = uses.words(binding, before, start).peekable();
            if words.peek().is_none() || !words.all(|(word, kind)| fits(before, word, kind)) {
                break;
            }
            start = before;
        }
        // The code may show how many there are.
        let reached = uses.end(binding, start, end).map(|last| start + (last - start).next_multiple_of(step));
        let end = reached.map_or(end, |reached| reached.min(end));
        let other = uses.words(binding, start, end).find(|(word, kind)| !fits(start, *word, *kind));
        let end = other.map_or(end, |(word, _)| word).min(MOST_WORDS);
        let count = end.saturating_sub(start) / step;
        (count > 0).then(|| Self { words: start..start + count * step, step, members })
    }

    /// The members, each an array of a value of every structure.
    pub(super) fn globals(&self, block: &crate::UniformBlock) -> Vec<Global> {
        let count = (self.words.end - self.words.start) / self.step;
        let name = format!("{}_items{}", block.name, Global::EACH);
        let mut made = Vec::new();
        for slot in by_slot(&self.members) {
            for (first, components, kind) in super::runs(&slot) {
                let shape = match kind {
                    Kind::Float => Shape::Float { components, elements: count },
                    Kind::Int => Shape::Int { components, elements: count },
                    Kind::Uint => Shape::Uint { components, elements: count },
                };
                let what = if components == 1 { "value" } else { "vector" };
                let name = format!("{name}.{what}{first}");
                let offset = self.words.start + first;
                let global = Global::new(name, crate::Space::Uniform, block.binding, offset, shape);
                made.push(Global { stride: self.step, ..global });
            }
        }
        made
    }
}

/// Words slot by slot.
fn by_slot(words: &BTreeMap<u32, Kind>) -> Vec<Vec<(u32, Kind)>> {
    let words: Vec<(u32, Kind)> = words.iter().map(|(word, kind)| (*word, *kind)).collect();
    words.chunk_by(|(a, _), (b, _)| a / SLOT == b / SLOT).map(<[_]>::to_vec).collect()
}
