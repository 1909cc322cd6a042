//! What an MBS has names for: the symbols of its programs; and their names of other lengths.
//!
//! Vertex and fragment program are linked by the names of their varyings, so one gets another name only with the other.
//! A uniform that both programs have is one where no program is said.

use super::layout::{Extents, MATRIX};
use super::model::{
    FileChunk, Initial, Mbs, Program, ProgramChunk, Symbol, SymbolChunk, Table, TableEntry, TableKind,
};
use super::view;
use crate::shared::names::{Content, Element, Joins, Key, Put, Slot, Thing, child, no_text};
use crate::shared::{FieldEncoding, Name, Node};
use std::collections::BTreeMap;
use unshade_bytes::{Endian, Error, ErrorKind, Limits, Result};

/// Where a symbol is: chunk of the file, chunk of the program, entry of the table.
type Place = (usize, usize, usize);

/// A symbol with its node.
struct Placed<'t> {
    place: Place,
    program: &'t Program,
    table: (TableKind, &'t Table),
    symbol: &'t Symbol,
    node: &'t Node,
}

impl Mbs {
    /// The symbols of all programs with their nodes in the tree.
    fn placed<'t>(&'t self, tree: &'t Node) -> Vec<Placed<'t>> {
        let mut placed = Vec::new();
        // Behind tag and size; in a program also behind the processor.
        let chunks = self.chunks.iter().zip(tree.children.iter().skip(2)).enumerate();
        for (file_index, (chunk, node)) in chunks {
            let FileChunk::Program(program) = chunk else { continue };
            let chunks = program.chunks.iter().zip(node.children.iter().skip(2)).enumerate();
            for (chunk_index, (chunk, node)) in chunks {
                let Some(table) = chunk.table() else { continue };
                let fields = if table.0 == TableKind::Uniforms { 3 } else { 2 };
                let entries = table.1.entries.iter().zip(node.children.iter().skip(fields)).enumerate();
                for (index, (entry, node)) in entries {
                    if let TableEntry::Symbol(symbol) = entry {
                        let place = (file_index, chunk_index, index);
                        placed.push(Placed { place, program, table, symbol, node });
                    }
                }
            }
        }
        placed
    }

    /// What the file has names for.
    pub(crate) fn things(&self, tree: &Node) -> Vec<Thing> {
        let mut things = Vec::new();
        let mut extents: BTreeMap<(usize, usize), Extents> = BTreeMap::new();
        for found in self.placed(tree) {
            let Placed { place, program, table: (kind, table), symbol, node } = found;
            let (file_index, chunk_index, index) = place;
            let nth = self
                .chunks
                .get(..file_index)
                .unwrap_or_default()
                .iter()
                .filter(|chunk| matches!(chunk, FileChunk::Program(other) if other.kind == program.kind));
            let owner = match nth.count() {
                0 => format!("{}.", program.kind.name()),
                nth => format!("{}[{nth}].", program.kind.name()),
            };
            let group = match symbol.parent {
                None => kind.name().to_owned(),
                Some(parent) => {
                    let array = table.symbol(parent.into()).is_some_and(|parent| parent.entry_count > 0);
                    let array = if array { "[]" } else { "" };
                    format!("{}.{}{array}", kind.name(), view::path(table, parent.into()))
                }
            };
            let text = child(node, "name").and_then(|name| child(name, "text"));
            let joins = if kind == TableKind::Varyings { Joins::Always } else { Joins::Unowned };
            let thing = Thing::new(&owner, group.as_str(), &symbol.name).joins(joins);
            let thing = thing.texts(text.map(|text| text.offset));
            if kind == TableKind::Uniforms {
                let extents = extents.entry((file_index, chunk_index)).or_insert_with(|| Extents::of(table));
                let key = Key { owner: file_index, table: chunk_index, index };
                let count = extents.len(table, index) as usize;
                things.push(thing.value(initial(symbol, node, key, count)));
            } else {
                things.push(thing);
            }
            let offset = child(node, "offset").filter(|_| kind == TableKind::Attributes);
            if let Some(offset) = offset
                && symbol.offset.is_none_or(|offset| offset % 4 == 0)
            {
                let shown = symbol.offset.map_or("unused".to_owned(), |offset| (offset / 4).to_string());
                let slot =
                    Slot { coding: FieldEncoding::Spelled(&Location), ..Slot::of(offset, Endian::Little) };
                let thing = Thing::new(&owner, group, &symbol.name).tail(".location").joins(Joins::Unowned);
                things.push(thing.value(Content::number(slot.shown(shown))));
            }
        }
        things
    }

    /// Puts other names in place of those at these places of the file.
    ///
    /// # Errors
    /// Where no name stands there, and for an empty one.
    pub(crate) fn set_texts(&mut self, texts: &[(u64, Vec<u8>)]) -> Result<()> {
        if texts.is_empty() {
            return Ok(());
        }
        let tree = self.tree()?;
        let places: BTreeMap<u64, Place> = self
            .placed(&tree)
            .into_iter()
            .filter_map(|found| Some((child(child(found.node, "name")?, "text")?.offset, found.place)))
            .collect();
        for (at, text) in texts {
            let symbol = places.get(at).and_then(|place| self.symbol_mut(*place));
            let symbol = symbol.ok_or_else(|| no_text(*at))?;
            symbol.name = Name(text.clone());
            // What stood behind the old name stood there for its length.
            if symbol.name_tail.as_ref().is_some_and(|tail| tail.iter().all(|&byte| byte == 0)) {
                symbol.name_tail = None;
            }
        }
        Ok(())
    }

    fn symbol_mut(&mut self, (file, chunk, index): Place) -> Option<&mut Symbol> {
        let FileChunk::Program(program) = self.chunks.get_mut(file)? else { return None };
        let table = match program.chunks.get_mut(chunk)? {
            ProgramChunk::Uniforms(uniforms) => &mut uniforms.table,
            ProgramChunk::Attributes(table) | ProgramChunk::Varyings(table) => table,
            _ => return None,
        };
        match table.entries.get_mut(index)? {
            TableEntry::Symbol(symbol) => Some(symbol),
            TableEntry::Other(_) => None,
        }
    }

    /// Gives uniforms a value that they start with behind what else hangs on them, and takes such values out.
    ///
    /// # Errors
    /// [`ErrorKind::BadValue`] for what is no float.
    pub(crate) fn set_things(&mut self, puts: &[Put]) -> Result<()> {
        for put in puts {
            let Key { owner, table, index } = put.key;
            let Some(symbol) = self.symbol_mut((owner, table, index)) else { continue };
            match &put.values {
                None => {
                    let first =
                        symbol.chunks.iter().position(|chunk| matches!(chunk, SymbolChunk::Initial(_)));
                    if let Some(first) = first {
                        symbol.chunks.remove(first);
                    }
                }
                Some(values) => {
                    let words: Vec<u32> = values.iter().map(|value| float(value)).collect::<Result<_>>()?;
                    symbol.chunks.push(SymbolChunk::Initial(Initial { count: None, words }));
                }
            }
        }
        Ok(())
    }
}

fn float(text: &str) -> Result<u32> {
    let bytes = FieldEncoding::Float.encode(text, &[0; 4], Endian::Little).map_err(|refusal| {
        Error::new(ErrorKind::BadValue, 0, "initial", refusal.expected, refusal.found).code("edit.value")
    })?;
    Ok(bytes.first_chunk().map_or(0, |bytes| u32::from_le_bytes(*bytes)))
}

/// The value that a uniform starts with, or could start with: an array by its elements, a matrix by its columns.
fn initial(symbol: &Symbol, node: &Node, key: Key, count: usize) -> Option<Content> {
    let has_none = matches!(symbol.kind, 5 | 6 | 8 | 9);
    let words: Vec<Slot> = match (symbol.initial(), child(node, "initial")) {
        (Some(initial), Some(node)) => {
            let numbers = node.children.iter().filter(|field| field.coding == FieldEncoding::Float);
            let slot = |(field, word): (&Node, &u32)| {
                Slot::new(field.offset, &word.to_le_bytes(), FieldEncoding::Float, Endian::Little)
            };
            numbers.zip(&initial.words).map(slot).collect()
        }
        _ => Vec::new(),
    };
    let is_there = symbol.initial().is_some();
    let total = if is_there { words.len() } else { count };
    if total == 0 || has_none || total > Limits::DEFAULT.diagnostics {
        return None;
    }
    let parts = match (usize::from(symbol.entry_count), usize::from(symbol.component_count)) {
        (entries, _) if entries > 1 && total.checked_rem(entries) == Some(0) => entries,
        (0, columns) if symbol.kind == MATRIX && total.checked_rem(columns) == Some(0) => columns,
        _ => 1,
    };
    let size = total.checked_div(parts).filter(|size| *size > 0)?;
    // A value of another length than the declaration's could not come back.
    let key = Some(key).filter(|_| !is_there || total == count);
    let element = |slots: &[Slot]| Element { slots: slots.to_vec(), count: size, key };
    Some(Content::Numbers(match is_there {
        true => words.chunks(size).map(element).collect(),
        false => vec![element(&[]); parts],
    }))
}

/// The number of an attribute, of which each has four floats.
#[derive(Debug)]
struct Location;

impl crate::shared::encoding::Spelling for Location {
    fn takes(&self) -> String {
        "the number of an attribute, unused".to_owned()
    }

    fn read(&self, text: &str, _: u64) -> Option<u64> {
        match text {
            "unused" => Some(u16::MAX.into()),
            digits => digits.parse::<u64>().ok()?.checked_mul(4).filter(|offset| *offset < u16::MAX.into()),
        }
    }
}
