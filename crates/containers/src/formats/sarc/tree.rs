//! An archive as a tree of named fields.

use super::{Entry, HEADER, SFAT_HEADER, SFNT_HEADER, Sarc};
use crate::shared::{Name, Node, Opaque};
use unshade_bytes::{Endian, Owner};

impl Sarc<'_> {
    /// The structure with values and places; the files are leaves, whatever is in them.
    pub fn tree(&self) -> Node {
        let mut root = Node::new("sarc", 0).value(self.describe());
        root.field("magic", 4, "\"SARC\"");
        root.field("header_size", 2, format_args!("{HEADER:#x}"));
        let mark = match self.endian {
            Endian::Little => "ff fe (little)",
            Endian::Big => "fe ff (big)",
        };
        root.field("byte_order", 2, mark);
        root.field("size", 4, format_args!("{:#x}", self.size));
        root.field("data_offset", 4, format_args!("{:#x}", self.data_offset()));
        root.field("version", 2, format_args!("{:#x}", self.version));
        root.field("reserved", 2, format_args!("{:#x}", self.reserved));
        let mut sfat = Node::new("sfat", root.end()).value(format_args!("{} entries", self.entries.len()));
        sfat.field("magic", 4, "\"SFAT\"");
        sfat.field("header_size", 2, format_args!("{SFAT_HEADER:#x}"));
        sfat.field("count", 2, self.entries.len());
        sfat.field("hash_key", 4, format_args!("{:#x}", self.hash_key));
        for (index, entry) in self.entries.iter().enumerate() {
            let summary = match self.name(entry) {
                Some(_) => format!("\"{}\"", self.label(entry)),
                None => "no name".to_owned(),
            };
            let mut node = Node::new(format!("[{index}]"), sfat.end()).value(summary);
            node.field("hash", 4, format_args!("{:#010x}", entry.hash));
            node.field("attribute", 4, attribute(entry));
            node.field("begin", 4, format_args!("{:#x}", entry.begin));
            node.field("end", 4, format_args!("{:#x}", entry.end));
            sfat.push(node);
        }
        root.push(sfat);
        root.push(self.names_tree(root.end()));
        root.push(self.data_tree());
        root.size = self.len() as u64;
        root
    }

    fn names_tree(&self, offset: u64) -> Node {
        let mut sfnt = Node::new("sfnt", offset);
        sfnt.field("magic", 4, "\"SFNT\"");
        sfnt.field("header_size", 2, format_args!("{SFNT_HEADER:#x}"));
        sfnt.field("reserved", 2, format_args!("{:#x}", self.names_reserved));
        let mut names: Vec<(usize, usize)> = self
            .entries
            .iter()
            .filter_map(|entry| Some((entry.name_offset()?, self.name(entry)?.len())))
            .collect();
        names.sort_unstable();
        let start = sfnt.end();
        let mut reached = 0_usize;
        // Fills are called by the name that they stand in front of, so that each has a name of its own.
        for (number, &(at, len)) in names.iter().enumerate() {
            if at < reached {
                // Entries that share a name.
                continue;
            }
            sfnt.unused(format!("padding[{number}]"), self.names.get(reached..at).unwrap_or_default());
            let text = self.names.get(at..at.saturating_add(len)).unwrap_or_default();
            let mut node = Node::new(format!("[{at:#x}]"), start.saturating_add(at as u64));
            node.size = (len as u64).saturating_add(1);
            sfnt.push(node.value(format_args!("\"{}\"", Name(text.to_vec()))));
            reached = at.saturating_add(len).saturating_add(1);
        }
        sfnt.unused(format!("padding[{}]", names.len()), self.names.get(reached..).unwrap_or_default());
        sfnt
    }

    fn data_tree(&self) -> Node {
        let start = self.data_offset() as u64;
        let mut data = Node::new("data", start).value(format_args!("{} bytes", self.data.len()));
        let mut order: Vec<usize> = (0..self.entries.len()).collect();
        order.sort_by_key(|&index| self.entries.get(index).map_or((0, 0), |entry| (entry.begin, entry.end)));
        let mut reached = 0_usize;
        for index in order {
            let Some(entry) = self.entries.get(index) else { continue };
            let (begin, end) = (entry.begin as usize, entry.end as usize);
            gap(&mut data, index, start, reached, self.data.get(reached..begin).unwrap_or_default());
            let mut node = Node::new(format!("[{index}]"), start.saturating_add(begin as u64));
            node.size = entry.len().into();
            data.push(node.value(format_args!("\"{}\", {} bytes", self.label(entry), entry.len())));
            reached = reached.max(end);
        }
        gap(&mut data, self.entries.len(), start, reached, self.data.get(reached..).unwrap_or_default());
        data.size = self.data.len() as u64;
        data
    }
}

/// Bytes in front of a file, which they are called by: zeros, or something that is kept.
fn gap(data: &mut Node, index: usize, start: u64, at: usize, bytes: &[u8]) {
    if bytes.is_empty() {
        return;
    }
    let mut node = Node::new(format!("gap[{index}]"), start.saturating_add(at as u64));
    node.size = bytes.len() as u64;
    if bytes.iter().all(|&byte| byte == 0) {
        node.owner = Owner::Padding(0);
        data.push(node.value(format_args!("{} bytes of 0x00", bytes.len())));
    } else {
        node.owner = Owner::Opaque;
        node.opaque = Some(Opaque(bytes.to_vec()));
        data.push(node.value(format_args!("{} bytes", bytes.len())));
    }
}

fn attribute(entry: &Entry) -> String {
    match entry.name_offset() {
        Some(offset) => format!("{:#010x} (number {}, name at {offset:#x})", entry.attribute, entry.number()),
        None => "0x00000000 (no name)".to_owned(),
    }
}
