//! Words to instructions. Total: whatever the words are, they are all in the items that come out.

use super::table::{Branch, Control, FIELDS, Field, WIDTHS};
use super::{Inst, Item};

/// Walks through code from its start, instruction by instruction, as the machine's counts lead.
///
/// A control word whose count is 0, goes past the end, or leaves no room for the fields that it announces
/// starts no instruction: it comes out as [`Item::Word`], and the walk goes on with the next word.
#[derive(Debug, Clone)]
pub struct Walk<'a> {
    words: &'a [u32],
    at: usize,
}

impl<'a> Walk<'a> {
    /// A walk from the first word.
    pub fn new(words: &'a [u32]) -> Self {
        Self { words, at: 0 }
    }

    /// A walk from the word at `at`.
    pub fn from(words: &'a [u32], at: u32) -> Self {
        Self { words, at: at as usize }
    }
}

impl Iterator for Walk<'_> {
    /// Word index, and what stands there.
    type Item = (u32, Item);

    #[inline]
    fn next(&mut self) -> Option<(u32, Item)> {
        let rest = self.words.get(self.at..)?;
        let at = self.at as u32;
        let first = *rest.first()?;
        let item = match instruction(rest) {
            Some(inst) => Item::Inst(inst),
            None => Item::Word(first),
        };
        self.at += item.words() as usize;
        Some((at, item))
    }
}

/// All items with their word indices.
pub fn decode(words: &[u32]) -> Vec<(u32, Item)> {
    Walk::new(words).collect()
}

/// The control word of the instruction at the start of `words`, if there is one, and the words of its fields.
#[inline]
fn parts(words: &[u32]) -> Option<(Control, &[u32])> {
    let control = Control(*words.first()?);
    let body = words.get(1..control.count() as usize)?;
    (usize::from(FIELD_BITS[control.fields() as usize]) <= 32 * body.len()).then_some((control, body))
}

/// How many words the instruction at the start of `words` has, if there is one, and its branch, if it has one: what
/// [`instruction`] gives, without the rest.
#[inline]
pub(super) fn outline(words: &[u32]) -> Option<(u32, Option<Branch>)> {
    let (control, body) = parts(words)?;
    let fields = control.fields();
    let branch = (fields & Field::Branch.bit() != 0).then(|| {
        let before = fields & (Field::Branch.bit() - 1);
        let mut bits = Bits { words: body, at: FIELD_BITS[before as usize].into() };
        Branch(bits.take(WIDTHS[Field::Branch as usize]))
    });
    Some((control.count(), branch))
}

/// The instruction at the start of `words`, if there is one.
#[inline]
pub fn instruction(words: &[u32]) -> Option<Inst> {
    let (control, body) = parts(words)?;
    let mut bits = Bits { words: body, at: 0 };
    let fields = control.fields();
    let mut inst = Inst { control, ..Inst::default() };
    let mut left = fields;
    while left != 0 {
        let number = left.trailing_zeros() as usize % FIELDS;
        left &= left - 1;
        inst.put(Field::ALL[number], bits.take(WIDTHS[number]));
    }
    bits.rest(&mut inst.tail);
    Some(inst)
}

/// Bits that each set of fields takes together.
pub(super) static FIELD_BITS: [u16; 1 << FIELDS] = {
    let mut sums = [0; 1 << FIELDS];
    let mut set = 1_usize;
    while set < sums.len() {
        let lowest = set.trailing_zeros();
        sums[set] = sums[set & (set - 1)] + WIDTHS[lowest as usize] as u16;
        set += 1;
    }
    sums
};

/// Cursor over packed bits, the lowest bit of a word first.
struct Bits<'a> {
    words: &'a [u32],
    at: usize,
}

impl Bits<'_> {
    /// The next `count` bits, at most 96; those behind the end are zero.
    #[inline]
    fn take(&mut self, count: u32) -> u128 {
        let word = self.at / 32;
        let bit = self.at % 32;
        self.at += count as usize;
        let part = |n: usize| u128::from(self.words.get(word + n).copied().unwrap_or(0)) << (32 * n);
        ((part(0) | part(1) | part(2) | part(3)) >> bit) & ((1 << count) - 1)
    }

    /// What is left, without zeros at the end.
    #[inline]
    fn rest(&mut self, tail: &mut Vec<u32>) {
        if self.words.len() * 32 - self.at < 32 && self.words.last().is_none_or(|last| self.unused(*last)) {
            return;
        }
        while self.at < 32 * self.words.len() {
            let word = self.take(32);
            tail.push(word as u32);
        }
        while tail.last() == Some(&0) {
            tail.pop();
        }
    }

    /// Whether the bits of the last word that no field has taken are zero.
    #[inline]
    fn unused(&self, last: u32) -> bool {
        let taken = self.at % 32;
        taken == 0 || last >> taken == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn outlines_say_what_instructions_do(words in prop::collection::vec(any::<u32>(), 0..40)) {
            let whole = instruction(&words)
                .map(|inst| (inst.count(), inst.has(Field::Branch).then_some(inst.branch)));
            prop_assert_eq!(outline(&words), whole);
        }
    }
}
