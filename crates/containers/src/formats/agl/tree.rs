//! The records that archives share as nodes of the tree.

use super::model::{Array, Block, Macro, Record, Symbol, SymbolKind, Uniform};
use super::raw;
use crate::shared::{FieldEncoding, Strings, opaque::escape, tree::Node};
use unshade_bytes::{Endian, Limits};

/// Words of a default value in one row of the tree.
const WORDS_IN_A_ROW: usize = 4;

/// An array at `at`: its size and count, the records, what is left.
pub(crate) fn array<T>(
    array: &Array<Record<T>>,
    name: &str,
    at: u64,
    mut fill: impl FnMut(usize, &mut Node, &T),
) -> Node {
    let mut node = Node::new(name, at);
    // The size is known when the records are there.
    node.field("size", 4, "");
    node.field("count", 4, array.count.map_or(array.items.len() as u64, u64::from));
    for (index, record) in array.items.iter().enumerate() {
        let mut child = Node::new(format!("[{index}]"), node.end());
        child.field("size", 4, "");
        match record {
            Record::Known(record) => fill(index, &mut child, record),
            Record::Damaged(contents) => {
                child = child.value("damaged");
                child.unknown("contents", contents, bytes(contents.len()));
            }
        }
        let size = child.size;
        set_size(&mut child, size);
        node.push(child);
    }
    if !array.stray.is_empty() {
        node.unknown("stray", &array.stray, bytes(array.stray.len()));
    }
    let size = array.size.map_or(node.size, u64::from);
    set_size(&mut node, size);
    match array.items.len() {
        1 => node.value("1 entry"),
        count => node.value(format_args!("{count} entries")),
    }
}

fn set_size(node: &mut Node, size: u64) {
    if let Some(field) = node.children.first_mut() {
        field.value = Some(size.to_string());
    }
}

pub(crate) fn bytes(count: usize) -> String {
    if count == 1 { "1 byte".to_owned() } else { format!("{count} bytes") }
}

/// A string with its NUL; what its length covers behind that is padding.
pub(crate) fn strings(node: &mut Node, name: &str, text: &Strings) {
    let all = &text.0;
    let end = all.iter().position(|&byte| byte == 0).map_or(all.len(), |nul| nul.saturating_add(1));
    let (front, rest) = all.split_at_checked(end).unwrap_or((all, &[]));
    let near = front.get(..Limits::DEFAULT.name).unwrap_or(front);
    if !front.is_empty() {
        node.coded(
            name,
            front.len() as u64,
            format_args!("\"{}\"", escape(raw::text(near))),
            FieldEncoding::Text,
        );
    }
    node.unused(format!("{name}_rest"), rest);
}

/// Strings one after the other.
fn list(node: &mut Node, name: &str, text: &Strings) {
    let mut child = Node::new(name, node.end());
    let mut values = 0_usize;
    for string in text.0.split_inclusive(|&byte| byte == 0) {
        let near = string.get(..Limits::DEFAULT.name).unwrap_or(string);
        let text = format!("\"{}\"", escape(raw::text(near)));
        child.coded(format!("[{values}]"), string.len() as u64, text, FieldEncoding::Text);
        values = values.saturating_add(1);
    }
    if values > 0 {
        node.push(child);
    }
}

pub(crate) fn macro_fields(node: &mut Node, of: &Macro) {
    let near = |text: &[u8]| escape(text.get(..Limits::DEFAULT.name).unwrap_or(text));
    let shown: Vec<_> = of.values().take(4).map(near).collect();
    let more = if of.stated_count() > 4 { ", ..." } else { "" };
    node.value = Some(format!("{} = {}{more}", near(of.name()), shown.join(", ")));
    node.field("name_length", 4, of.name.0.len());
    node.field("value_count", 4, of.stated_count());
    node.field("id_length", 4, of.id.0.len());
    strings(node, "name", &of.name);
    list(node, "values", &of.values);
    strings(node, "id", &of.id);
}

pub(crate) fn symbol_fields(node: &mut Node, symbol: &Symbol, kind: SymbolKind, endian: Endian) {
    let name = raw::text(&symbol.name.0);
    node.value = Some(escape(name.get(..Limits::DEFAULT.name).unwrap_or(name)));
    node.number("offset", 4, symbol.offset);
    node.field("name_length", 4, symbol.name.0.len());
    node.field("id_length", 4, symbol.id.0.len());
    node.field("default_size", 4, symbol.default.len());
    node.field("variation_count", 4, symbol.flags.len());
    strings(node, "name", &symbol.name);
    strings(node, "id", &symbol.id);
    // The console turns the defaults of uniforms with the file; those of blocks are for the GPU.
    let order = if kind == SymbolKind::Uniforms { endian } else { Endian::Little };
    default_value(node, &symbol.default, order);
    flags(node, &symbol.flags);
    if !symbol.tail.is_empty() {
        node.unknown("tail", &symbol.tail, bytes(symbol.tail.len()));
    }
}

fn default_value(node: &mut Node, value: &[u8], endian: Endian) {
    if value.is_empty() {
        return;
    }
    let mut child = Node::new("default", node.end());
    let (words, rest) = value.as_chunks::<4>();
    for (row, words) in words.chunks(WORDS_IN_A_ROW).enumerate() {
        let text: Vec<_> =
            words.iter().map(|word| format!("{:08x}", raw::word(word, 0, endian).unwrap_or(0))).collect();
        let index = row.saturating_mul(WORDS_IN_A_ROW);
        let size = words.as_flattened().len() as u64;
        child.coded(format!("[{index}]"), size, text.join(" "), FieldEncoding::Words(endian));
    }
    if !rest.is_empty() {
        child.unknown("rest", rest, bytes(rest.len()));
    }
    node.push(child);
}

fn flags(node: &mut Node, flags: &[u8]) {
    if flags.is_empty() {
        return;
    }
    let used = flags.iter().filter(|&&flag| flag != 0).count();
    let mut child = Node::new("flags", node.end()).value(format_args!("used by {used} of {}", flags.len()));
    for (row, flags) in flags.chunks(64).enumerate() {
        let text: Vec<_> = flags.iter().map(u8::to_string).collect();
        let name = format!("[{}]", row.saturating_mul(64));
        child.coded(name, flags.len() as u64, text.join(" "), FieldEncoding::Components);
    }
    node.push(child);
}

/// An array of blocks at `at`, each with its uniforms.
pub(crate) fn blocks(blocks: &Array<Record<Block>>, name: &str, at: u64) -> Node {
    array(blocks, name, at, |_, node, block: &Block| {
        node.value = Some(near(&block.name));
        node.number("location", 4, block.location);
        node.field("name_length", 4, block.name.0.len());
        strings(node, "name", &block.name);
        let uniforms = array(&block.uniforms, "uniforms", node.end(), |_, node, uniform: &Uniform| {
            node.value = Some(near(&uniform.name));
            node.number("location", 4, uniform.location);
            node.field("name_length", 4, uniform.name.0.len());
            strings(node, "name", &uniform.name);
            tail(node, &uniform.tail);
        });
        node.push(uniforms);
        tail(node, &block.tail);
    })
}

/// As much of a name as a line holds.
fn near(name: &Strings) -> String {
    let name = raw::text(&name.0);
    escape(name.get(..Limits::DEFAULT.name).unwrap_or(name))
}

/// Bytes behind what is known of a record.
pub(crate) fn tail(node: &mut Node, tail: &[u8]) {
    if !tail.is_empty() {
        node.unknown("tail", tail, bytes(tail.len()));
    }
}
