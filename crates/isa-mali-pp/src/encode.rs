//! Instructions to words: the exact reverse of decoding.

use super::decode::FIELD_BITS;
use super::table::{FIELDS, Field, WIDTHS};
use super::{Inst, Item};

/// Bits that a set of fields takes together, bit n of `fields` = field n.
pub fn field_bits(fields: u32) -> u32 {
    FIELD_BITS.get(fields as usize & ((1 << FIELDS) - 1)).copied().unwrap_or(0).into()
}

/// Words that an instruction with these fields needs, control word included.
pub fn words_needed(fields: u32) -> u32 {
    1 + field_bits(fields).div_ceil(32)
}

/// Appends an instruction: as many words as its control word says (at least the control word itself), so
/// fields and tail that do not fit into those are cut off.
pub fn encode(inst: &Inst, words: &mut Vec<u32>) {
    let start = words.len();
    let end = start + inst.count().max(1) as usize;
    words.push(inst.control.0);
    words.resize(end, 0);
    let body = words.get_mut(start + 1..).unwrap_or_default();
    let mut at = 0;
    for field in Field::ALL {
        if inst.has(field) {
            put(body, at, inst.field(field));
            at += WIDTHS[field as usize] as usize;
        }
    }
    for word in &inst.tail {
        put(body, at, (*word).into());
        at += 32;
    }
}

/// Appends all items.
pub fn encode_all<'a>(items: impl IntoIterator<Item = &'a Item>) -> Vec<u32> {
    let mut words = Vec::new();
    for item in items {
        match item {
            Item::Inst(inst) => encode(inst, &mut words),
            Item::Word(word) => words.push(*word),
        }
    }
    words
}

fn put(body: &mut [u32], at: usize, bits: u128) {
    let (word, bit) = (at / 32, at % 32);
    // At most 96 bits and 31 in front of them.
    let bits = bits << bit;
    for (n, place) in body.iter_mut().skip(word).take(4).enumerate() {
        *place |= (bits >> (32 * n)) as u32;
    }
}
