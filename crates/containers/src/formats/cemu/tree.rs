//! Every byte by name.

use super::model::{Cemu, StoreEntry, StoreHeader};
use super::pipeline::Pipeline;
use super::raw::{ENTRY_LEN, HEADER_LEN, version};
use super::record::{Packed, Record};
use crate::shared::Node;
use crate::shared::fields::{Grow, Record as Fields};
use std::collections::BTreeMap;
use unshade_bytes::Result;

/// Records that are looked at to say what all of them are.
const SOME: usize = 16;

impl Cemu {
    /// What the cache is, in a few words.
    pub fn describe(&self) -> String {
        let count = self.records().count();
        let pipelines = |index| self.stored(index).is_ok_and(|(_, bytes)| Pipeline::read(bytes).is_some());
        if count > 0 && self.records().take(SOME).all(pipelines) {
            let store = version(self.header.magic).unwrap_or(0);
            return format!(
                "pipeline cache of Cemu, store version {store}: which programs were drawn together, {count} times"
            );
        }
        let plural = if count == 1 { "" } else { "s" };
        let store = version(self.header.magic).unwrap_or(0);
        let dictionaries =
            if self.is_unpackable() || count == 0 { "" } else { ", packed with Cemu's dictionaries" };
        format!("shader cache of Cemu, store version {store}, {count} program{plural}{dictionaries}")
    }

    /// The structure of the file with names, values and places.
    ///
    /// # Errors
    /// Where the model was changed to what no file can hold.
    pub fn tree(&self) -> Result<Node> {
        self.write()?;
        let mut root = Node::new("cemu", 0).value(self.describe());
        let mut header = self.header;
        header.visit(&mut Grow::new(StoreHeader::FORM, &mut root))?;
        let table = HEADER_LEN.saturating_add(self.before.len());
        let behind = table.saturating_add(self.entries.len().saturating_mul(ENTRY_LEN));
        let places = self.places();
        self.spans(&mut root, "before_table", &self.before, HEADER_LEN, &places);
        for (index, entry) in self.entries.iter().enumerate() {
            let mut node = Node::new(format!("entries[{index}]"), root.end());
            let mut entry = entry.clone();
            entry.visit(&mut Grow::new(StoreEntry::FORM, &mut node))?;
            root.push(node);
        }
        self.spans(&mut root, "behind_table", &self.behind, behind, &places);
        Ok(root)
    }

    /// Where the records start, each with the first entry that lies there.
    fn places(&self) -> BTreeMap<u64, usize> {
        let mut places = BTreeMap::new();
        for index in self.records() {
            if let Ok((at, bytes)) = self.stored(index)
                && !bytes.is_empty()
            {
                places.entry(at).or_insert(index);
            }
        }
        places
    }

    /// The records in a piece of the file that starts at `start`, and what is between them. Where one lies in another, it goes
    /// as far as the next begins.
    fn spans(&self, root: &mut Node, name: &str, piece: &[u8], start: usize, places: &BTreeMap<u64, usize>) {
        let end = (start as u64).saturating_add(piece.len() as u64);
        let bytes = |from: u64, to: u64| {
            let from = usize::try_from(from.saturating_sub(start as u64)).unwrap_or(usize::MAX);
            let to = usize::try_from(to.saturating_sub(start as u64)).unwrap_or(usize::MAX);
            piece.get(from..to).unwrap_or_default()
        };
        let mut reached = start as u64;
        let mut here = places.range(start as u64..end).peekable();
        while let Some((at, index)) = here.next() {
            root.unused(name, bytes(reached, *at));
            let next = here.peek().map_or(end, |(next, _)| **next);
            let size = self.entries.get(*index).map_or(0, |entry| u64::from(entry.size));
            reached = at.saturating_add(size).min(next);
            let stored = bytes(*at, reached);
            root.push(self.record_node(*index, *at, stored));
        }
        root.unused(name, bytes(reached, end));
    }

    fn record_node(&self, index: usize, at: u64, stored: &[u8]) -> Node {
        let mut node = Node::new(format!("records[{index}]"), at);
        if self.is_packed(index) {
            // What is packed has no places of its own.
            frame(&mut node, "code", stored.len() as u64);
            return node;
        }
        if let Some(pipeline) = Pipeline::read(stored) {
            node.value = Some(pipeline.names().collect::<Vec<_>>().join(", "));
            node.field("version", 1, 1);
            let mask = pipeline.programs.iter().fold(0_u8, |mask, (kind, ..)| mask | 1 << *kind as u8);
            node.field("mask", 1, mask);
            for (kind, base, aux) in &pipeline.programs {
                node.field(format!("{}_base_hash", kind.suffix()), 8, base);
                node.field(format!("{}_aux_hash", kind.suffix()), 8, aux);
            }
            node.field("registers_version", 1, 1);
            node.field("registers_size", 2, pipeline.registers.frame.len());
            frame(&mut node, "registers", pipeline.registers.frame.len() as u64);
            return node;
        }
        let record = Record::read(stored);
        let Ok(record) = record else {
            node.unknown("bytes", stored, format_args!("{} bytes", stored.len()));
            return node;
        };
        node.value = Some(record.name());
        node.field("kind", 1, format_args!("{} (version 1)", record.kind.suffix()));
        node.field("base_hash", 8, record.base);
        node.field("aux_hash", 8, record.aux);
        match record.kind {
            super::Kind::Geometry => node.field("ring_parameters", 2, record.geometry),
            _ => node.field("uses_geometry", 1, record.geometry),
        }
        node.field("registers_version", 1, 1);
        node.field("registers_size", 2, record.registers.frame.len());
        frame(&mut node, "registers", record.registers.frame.len() as u64);
        let last = record.programs.len().saturating_sub(1);
        for (place, Packed { size, frame: bytes, .. }) in record.programs.iter().enumerate() {
            let name = match (place == last, record.kind) {
                (true, _) => "code",
                (_, super::Kind::Vertex) => "fetch",
                (_, _) => "copy",
            };
            node.field(format!("{name}_version"), 1, 1);
            node.field(format!("{name}_size"), 4, format_args!("{} bytes", size.unwrap_or(0)));
            node.field(format!("{name}_packed_size"), 4, bytes.len());
            frame(&mut node, name, bytes.len() as u64);
        }
        node
    }
}

/// Bytes of a frame, as a row.
fn frame(node: &mut Node, name: &str, size: u64) {
    if size == 0 {
        return;
    }
    let mut content = Node::new(name, node.end());
    let mut row = Node::new("[0x000]", content.offset).value(format_args!("{size} bytes, packed"));
    row.size = size;
    content.push(row);
    node.push(content);
}
