//! From bytes to the records that archives share. What is damaged is kept as it is.

use super::model::{Array, Block, Macro, Record, Symbol, Uniform};
use super::raw::{self, ArrayView, BlockView, MacroView, SymbolView, UniformView};
use crate::shared::{Opaque, Strings};

pub(crate) fn opaque(bytes: &[u8]) -> Opaque {
    Opaque(bytes.to_vec())
}

pub(crate) fn strings(bytes: &[u8]) -> Strings {
    Strings(bytes.to_vec())
}

/// The records of an array as `make` has them. They are counted first, so that many small ones take no more than
/// they need.
pub(crate) fn array<T>(
    view: ArrayView<'_>,
    fixed: usize,
    mut make: impl FnMut(&[u8]) -> Option<T>,
) -> Array<Record<T>> {
    let mut records = view.records(fixed);
    let count = records.count();
    let mut items = Vec::with_capacity(count);
    for record in records.by_ref() {
        items.push(match make(record) {
            Some(known) => Record::Known(known),
            None => Record::Damaged(opaque(record.get(4..).unwrap_or_default())),
        });
    }
    Array {
        size: Some(view.size).filter(|_| !view.is_whole()),
        count: Some(view.count).filter(|&stated| stated as usize != count),
        items,
        stray: opaque(records.rest()),
    }
}

/// An array of macros with their values.
pub(crate) fn macros(view: ArrayView<'_>) -> Array<Record<Macro>> {
    array(view, raw::MACRO, |record| MacroView::read(record, view.endian).map(macro_of))
}

/// An array of symbols.
pub(crate) fn symbols(view: ArrayView<'_>) -> Array<Record<Symbol>> {
    array(view, raw::SYMBOL, |record| SymbolView::read(record, view.endian).map(symbol))
}

/// An array of blocks with their uniforms.
pub(crate) fn blocks(view: ArrayView<'_>) -> Array<Record<Block>> {
    array(view, raw::BLOCK, |record| BlockView::read(record, view.endian).map(block))
}

fn macro_of(view: MacroView<'_>) -> Macro {
    let values = strings(view.values);
    let count = Some(view.count).filter(|&count| count as usize != values.iter().count());
    Macro { name: strings(view.name), values, count, id: strings(view.id) }
}

fn symbol(view: SymbolView<'_>) -> Symbol {
    Symbol {
        name: strings(view.name),
        id: strings(view.id),
        offset: signed(view.offset),
        default: opaque(view.default),
        flags: opaque(view.flags),
        tail: opaque(view.tail),
    }
}

fn block(view: BlockView<'_>) -> Block {
    let endian = view.uniforms.endian;
    let uniform = |view: UniformView<'_>| Uniform {
        name: strings(view.name),
        location: signed(view.location),
        tail: opaque(view.tail),
    };
    Block {
        name: strings(view.name),
        location: signed(view.location),
        uniforms: array(view.uniforms, raw::UNIFORM, |record| UniformView::read(record, endian).map(uniform)),
        tail: opaque(view.tail),
    }
}

fn signed(word: u32) -> i32 {
    i32::from_ne_bytes(word.to_ne_bytes())
}
