//! Every byte by name.

use super::model::{Citra, Entry, EntryHeader};
use super::raw::{DESCRIPTORS, PROGRAM_WORDS, VERTEX};
use super::registers::NAMES;
use crate::formats::caches::pica::trimmed;
use crate::shared::Node;
use crate::shared::fields::{Grow, Record};
use unshade_bytes::Result;

impl Citra {
    /// What the cache is, in a few words.
    pub fn describe(&self) -> String {
        let count = |kind| self.entries.iter().filter(|entry| entry.header.program_type == kind).count();
        let rest = match self.rest.len() {
            0 => String::new(),
            len => format!(", {len} bytes behind them that are no whole entry"),
        };
        let vertex = count(0);
        format!(
            "shader cache of Citra for OpenGL: {vertex} vertex program{}, registers of {} geometry and {} fragment units{rest}",
            if vertex == 1 { "" } else { "s" },
            count(2),
            count(1)
        )
    }

    /// The structure of the file with names, values and places.
    ///
    /// # Errors
    /// Where the model was changed to what no file can hold.
    pub fn tree(&self) -> Result<Node> {
        self.write()?;
        let mut root = Node::new("citra", 0).value(self.describe());
        root.field("version", 4, self.version);
        for (index, entry) in self.entries.iter().enumerate() {
            let node = entry.node(format!("entries[{index}]"), root.end())?;
            root.push(node);
        }
        root.unused("rest", &self.rest);
        Ok(root)
    }
}

impl Entry {
    fn node(&self, name: String, at: u64) -> Result<Node> {
        let mut node = Node::new(name, at);
        let mut header = self.header;
        header.visit(&mut Grow::new(EntryHeader::FORM, &mut node))?;
        let mut registers = Node::new("registers", node.end());
        let mut next = 0_usize;
        let bytes = |from: usize, to: usize| {
            self.registers.get(from.saturating_mul(4)..to.saturating_mul(4)).unwrap_or_default()
        };
        for (number, name) in NAMES {
            registers.unused(format!("[{next:#05x}]"), bytes(next, number));
            registers.field(name, 4, format_args!("{:#010x}", self.register(number)));
            next = number.saturating_add(1);
        }
        registers.unused(format!("[{next:#05x}]"), bytes(next, self.registers.len() / 4));
        node.push(registers);
        if self.header.program_type == VERTEX {
            node.field("word_count", 8, self.program_code.len() / 4);
            let (code, descriptors) =
                self.program_code.split_at_checked(PROGRAM_WORDS.saturating_mul(4)).unwrap_or_default();
            rows(&mut node, "code", code, PROGRAM_WORDS);
            rows(&mut node, "descriptors", descriptors, DESCRIPTORS);
        }
        Ok(node)
    }
}

/// A row for each word up to the last that is not 0, of at most `most`, then what is behind them.
fn rows(node: &mut Node, name: &str, bytes: &[u8], most: usize) {
    let words = trimmed(bytes, most);
    let mut list = Node::new(name, node.end()).value(format_args!("{} words", words.len()));
    for (index, word) in words.iter().enumerate() {
        list.field(format!("[{index:#05x}]"), 4, format_args!("{word:#010x}"));
    }
    if !words.is_empty() {
        node.push(list);
    }
    node.unused(format!("behind_{name}"), bytes.get(words.len().saturating_mul(4)..).unwrap_or_default());
}
