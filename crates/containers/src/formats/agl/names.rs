//! What the records that archives share have names for, and their texts.

use super::model::{Array, Block, Macro, Record, Symbol, SymbolKind, Uniform};
use super::raw;
use crate::shared::names::{Content, Element, Key, Slot, Thing, child, floats};
use crate::shared::{FieldEncoding, Node, Strings};
use unshade_bytes::Endian;

/// Numbers of one default value that are shown and set.
pub(crate) const VALUES: usize = 0x1_0000;

/// Which of the two lists of macros.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum List {
    Macros,
    Defaults,
}

/// Which text of a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Part {
    Name,
    Id,
    Value(usize),
}

/// Where the text of a record stands in its program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Place {
    /// Of a macro in one of the two lists.
    Macro(List, usize, Part),
    /// Of a symbol.
    Symbol(SymbolKind, usize, Part),
    /// Of a block, or of one of its uniforms.
    Block(usize, Option<usize>),
}

/// The records of an array with their nodes.
pub(crate) fn records<'t, T>(array: &'t Array<Record<T>>, node: &'t Node) -> Vec<(usize, &'t T, &'t Node)> {
    // Behind size and count.
    let nodes = node.children.iter().skip(2);
    let known = array.items.iter().zip(nodes).enumerate();
    known.filter_map(|(index, (record, node))| Some((index, record.known()?, node))).collect()
}

/// The place of a text in a record, by the name of its field.
pub(crate) fn text(node: &Node, name: &str) -> Option<u64> {
    child(node, name).filter(|node| node.coding == FieldEncoding::Text).map(|node| node.offset)
}

/// What the macros of a program are called, with their values, defaults and other names.
pub(crate) fn macros(
    program: (&Array<Record<Macro>>, &Array<Record<Macro>>),
    node: &Node,
    owner: &str,
    things: &mut Vec<Thing>,
) {
    let (Some(macros), Some(defaults)) = (child(node, "macros"), child(node, "defaults")) else { return };
    let defaults = records(program.1, defaults);
    for (number, of, node) in records(program.0, macros) {
        let same_place =
            defaults.iter().find(|(index, other, _)| *index == number && other.name() == of.name());
        let default = same_place.or_else(|| defaults.iter().find(|(_, other, _)| other.name() == of.name()));
        let in_default = default.and_then(|(_, _, node)| text(node, "name"));
        let name = Thing::new(owner, "macros", of.name()).texts(text(node, "name")).texts(in_default).one();
        things.push(name);
        let kind = format!("macros{}", Thing::part(of.name()));
        let default_text = default.and_then(|(_, other, node)| {
            let place = child(node, "values")?.children.first()?.offset;
            Some((place, other.values().next()?))
        });
        if let Some((at, shown)) = default_text {
            let choices = of.values().map(<[u8]>::to_vec).collect();
            let value = Content::Text { at, shown: shown.to_vec(), choices };
            things.push(Thing::new(owner, "macros", of.name()).tail(".default").value(value));
        }
        for value in child(node, "values").map(|node| node.children.as_slice()).unwrap_or_default() {
            let Some(own) = value_at(of, value, node) else { continue };
            let same = default_text.filter(|(_, shown)| *shown == own).map(|(at, _)| at);
            let value = Thing::new(owner, format!("{kind}.values"), own).texts([value.offset]).texts(same);
            things.push(value.one());
        }
        if let Some(id) = text(node, "id") {
            let in_default = default.filter(|(_, other, _)| other.id == of.id);
            let in_default = in_default.and_then(|(_, _, node)| text(node, "id"));
            things.push(
                Thing::only(owner, &format!("{kind}.id"), raw::text(&of.id.0), Some(id))
                    .texts(in_default)
                    .one(),
            );
        }
    }
}

/// The value that a symbol has where a program says nothing, as floats in rows of four. It can come and go where it is
/// known how many numbers it has.
pub(crate) fn default_value(
    symbol: &Symbol,
    node: &Node,
    endian: Endian,
    known: Option<usize>,
    key: Key,
) -> Option<Content> {
    let Some(value) = child(node, "default").filter(|_| symbol.default.len() <= VALUES) else {
        let key = Some(key).filter(|_| symbol.default.is_empty());
        let absent = Element { slots: Vec::new(), count: known?, key };
        return key.map(|_| Content::Numbers(vec![absent]));
    };
    let slots = floats(value.offset, &symbol.default, endian);
    // What came in may go again; what cannot come back stays.
    let key = Some(key).filter(|_| known == Some(slots.len()) && symbol.default.len().is_multiple_of(4));
    let row = |slots: &[Slot]| Element { slots: slots.to_vec(), count: slots.len(), key };
    (!slots.is_empty()).then(|| Content::Numbers(slots.chunks(4).map(row).collect()))
}

/// The value of a macro that a node in the node of its record shows.
fn value_at<'m>(of: &'m Macro, value: &Node, record: &Node) -> Option<&'m [u8]> {
    let start = child(record, "values")?.offset;
    let at = usize::try_from(value.offset.checked_sub(start)?).ok()?;
    of.values.at(u32::try_from(at).ok()?)
}

/// Puts another text in place of the `index`th of these; what stands behind their NUL stays.
pub(crate) fn exchange(strings: &mut Strings, index: usize, text: &[u8]) {
    let mut at = 0_usize;
    for (number, string) in strings.0.split_inclusive(|&byte| byte == 0).enumerate() {
        let len = string.strip_suffix(&[0]).unwrap_or(string).len();
        if number == index {
            let end = at.saturating_add(len);
            strings.0.splice(at..end, text.iter().copied());
            return;
        }
        at = at.saturating_add(string.len());
    }
}

/// The texts of macros by their places in the file.
pub(crate) fn macro_places(
    macros: &Array<Record<Macro>>,
    list: List,
    node: &Node,
    mut add: impl FnMut(u64, Place),
) {
    for (index, _, node) in records(macros, node) {
        for (part, name) in [(Part::Name, "name"), (Part::Id, "id")] {
            if let Some(at) = text(node, name) {
                add(at, Place::Macro(list, index, part));
            }
        }
        let values = child(node, "values").map(|node| node.children.as_slice()).unwrap_or_default();
        for (value, node) in values.iter().enumerate() {
            add(node.offset, Place::Macro(list, index, Part::Value(value)));
        }
    }
}

/// The texts of symbols by their places in the file.
pub(crate) fn symbol_places(
    symbols: &Array<Record<Symbol>>,
    kind: SymbolKind,
    node: &Node,
    mut add: impl FnMut(u64, Place),
) {
    for (index, _, node) in records(symbols, node) {
        for (part, name) in [(Part::Name, "name"), (Part::Id, "id")] {
            if let Some(at) = text(node, name) {
                add(at, Place::Symbol(kind, index, part));
            }
        }
    }
}

/// The strings of a macro that a part of it is among, and which of them it is.
pub(crate) fn macro_text(
    macros: &mut Array<Record<Macro>>,
    index: usize,
    part: Part,
) -> Option<(&mut Strings, usize)> {
    let Record::Known(of) = macros.items.get_mut(index)? else { return None };
    Some(match part {
        Part::Name => (&mut of.name, 0),
        Part::Id => (&mut of.id, 0),
        Part::Value(value) => (&mut of.values, value),
    })
}

/// The string that is a part of a symbol.
pub(crate) fn symbol_text(
    symbols: &mut Array<Record<Symbol>>,
    index: usize,
    part: Part,
) -> Option<(&mut Strings, usize)> {
    let Record::Known(symbol) = symbols.items.get_mut(index)? else { return None };
    Some((if part == Part::Id { &mut symbol.id } else { &mut symbol.name }, 0))
}

/// The uniforms of each block with their nodes.
fn uniforms<'t>(block: &'t Block, node: &'t Node) -> Vec<(usize, &'t Uniform, &'t Node)> {
    child(node, "uniforms").map(|node| records(&block.uniforms, node)).unwrap_or_default()
}

/// What blocks and their uniforms are called; `kind` is the name of their array.
pub(crate) fn blocks(
    blocks: &Array<Record<Block>>,
    kind: &str,
    node: &Node,
    owner: &str,
    things: &mut Vec<Thing>,
) {
    for (_, block, node) in records(blocks, node) {
        let own = raw::text(&block.name.0);
        things.push(Thing::new(owner, kind, own).texts(text(node, "name")));
        let inner = format!("{kind}{}.uniforms", Thing::part(own));
        for (_, uniform, node) in uniforms(block, node) {
            let own = raw::text(&uniform.name.0);
            things.push(Thing::new(owner, inner.clone(), own).texts(text(node, "name")));
        }
    }
}

/// The texts of blocks by their places in the file.
pub(crate) fn block_places(blocks: &Array<Record<Block>>, node: &Node, mut add: impl FnMut(u64, Place)) {
    for (index, block, node) in records(blocks, node) {
        if let Some(at) = text(node, "name") {
            add(at, Place::Block(index, None));
        }
        for (number, _, node) in uniforms(block, node) {
            if let Some(at) = text(node, "name") {
                add(at, Place::Block(index, Some(number)));
            }
        }
    }
}

/// The name of a block, or of a uniform of it.
pub(crate) fn block_text(
    blocks: &mut Array<Record<Block>>,
    index: usize,
    uniform: Option<usize>,
) -> Option<(&mut Strings, usize)> {
    let Record::Known(block) = blocks.items.get_mut(index)? else { return None };
    let Some(uniform) = uniform else { return Some((&mut block.name, 0)) };
    match block.uniforms.items.get_mut(uniform)? {
        Record::Known(uniform) => Some((&mut uniform.name, 0)),
        Record::Damaged(_) => None,
    }
}
