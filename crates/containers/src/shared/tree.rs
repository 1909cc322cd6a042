//! The structure of a file as a tree of named fields with values and places: what `show` prints, and what
//! coverage is counted from.

use crate::shared::{FieldEncoding, Opaque};
use std::{
    collections::{BTreeMap, BTreeSet},
    fmt::Display,
};
use unshade_bytes::{Coverage, Owner};

/// A field, or a structure of fields.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Node {
    /// Name in the parent, an index in brackets for an entry of a table: `constants`, `[3]`.
    pub name: String,
    /// First byte, from the start of the container.
    pub offset: u64,
    /// How many bytes.
    pub size: u64,
    /// The value as text, where there is one; for a structure a summary.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub value: Option<String>,
    /// What its bytes are. Of a structure: what the bytes are that none of its children has.
    pub owner: Owner,
    /// How the bytes say the value; of a structure nothing.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub coding: FieldEncoding,
    /// The bytes themselves, where they are kept without being understood.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub opaque: Option<Opaque>,
    /// Fields and entries, in the order of the structure.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Vec::is_empty"))]
    pub children: Vec<Self>,
}

impl Node {
    /// A structure at `offset` that has no fields yet.
    pub fn new(name: impl Into<String>, offset: u64) -> Self {
        Self {
            name: name.into(),
            offset,
            size: 0,
            value: None,
            owner: Owner::Field,
            coding: FieldEncoding::Follows,
            opaque: None,
            children: Vec::new(),
        }
    }

    /// The same node with a value.
    #[must_use]
    pub fn value(mut self, value: impl Display) -> Self {
        self.value = Some(value.to_string());
        self
    }

    /// Adds a field of `size` bytes behind those so far, whose value follows from the rest of the file.
    pub fn field(&mut self, name: impl Into<String>, size: u64, value: impl Display) {
        self.coded(name, size, value, FieldEncoding::Follows);
    }

    /// Adds a field that holds a number, which `value` starts with.
    pub fn number(&mut self, name: impl Into<String>, size: u64, value: impl Display) {
        self.coded(name, size, value, FieldEncoding::Number);
    }

    /// Adds a field whose bytes say its value by `coding`.
    pub fn coded(&mut self, name: impl Into<String>, size: u64, value: impl Display, coding: FieldEncoding) {
        let mut child = Self::new(name, self.end()).value(value);
        child.size = size;
        child.coding = coding;
        self.push(child);
    }

    /// Adds a field whose meaning is not known.
    pub fn unknown(&mut self, name: impl Into<String>, bytes: &[u8], value: impl Display) {
        let mut child = Self::new(name, self.end()).value(value);
        child.size = bytes.len() as u64;
        child.owner = Owner::Opaque;
        child.coding = FieldEncoding::Bytes;
        child.opaque = Some(Opaque(bytes.to_vec()));
        self.push(child);
    }

    /// Adds bytes that the format does not use: padding where they are all the same, else opaque.
    pub fn unused(&mut self, name: impl Into<String>, bytes: &[u8]) {
        match bytes.split_first() {
            None => {}
            Some((first, rest)) if rest.iter().all(|byte| byte == first) => {
                let mut child = Self::new(name, self.end());
                child.size = bytes.len() as u64;
                child.value = Some(match bytes.len() {
                    1 => format!("{first:#04x}"),
                    count => format!("{count} bytes of {first:#04x}"),
                });
                child.owner = Owner::Padding(*first);
                child.coding = FieldEncoding::Bytes;
                self.push(child);
            }
            Some(_) => self.unknown(name, bytes, format_args!("{} bytes", bytes.len())),
        }
    }

    /// Adds a child, which may lie anywhere; the node grows to its end when it follows on what is there.
    pub fn push(&mut self, child: Self) {
        if child.offset == self.end() {
            self.size = self.size.saturating_add(child.size);
        }
        self.children.push(child);
    }

    /// Gives children that share a name their number among these, here and further inside, so that every path is the
    /// path of one field.
    pub(crate) fn number_repeats(&mut self) {
        let mut stack = vec![self];
        while let Some(node) = stack.pop() {
            let mut names = BTreeSet::new();
            let repeated: BTreeSet<String> = node
                .children
                .iter()
                .filter(|child| !names.insert(child.name.as_str()))
                .map(|child| child.name.clone())
                .collect();
            let mut next: BTreeMap<&str, usize> = BTreeMap::new();
            for child in &mut node.children {
                if let Some(name) = repeated.get(&child.name) {
                    let index = next.entry(name).or_default();
                    child.name = format!("{name}[{index}]");
                    *index = index.saturating_add(1);
                }
            }
            stack.extend(&mut node.children);
        }
    }

    /// Offset behind the bytes so far.
    pub fn end(&self) -> u64 {
        self.offset.saturating_add(self.size)
    }

    /// Calls `visit` with every node below this one, each with its path (`dvle[0].constants[3].register`),
    /// parents first. The name of this node is not part of the paths.
    pub fn walk<'a>(&'a self, mut visit: impl FnMut(&str, &'a Self)) {
        let mut stack: Vec<(String, &Self)> =
            self.children.iter().rev().map(|child| (child.name.clone(), child)).collect();
        while let Some((path, node)) = stack.pop() {
            visit(&path, node);
            for child in node.children.iter().rev() {
                let dot = if child.name.starts_with('[') { "" } else { "." };
                stack.push((format!("{path}{dot}{}", child.name), child));
            }
        }
    }

    /// The owners of the bytes of a file of `len` bytes whose tree this is: its leaves.
    pub fn coverage(&self, len: u64) -> Coverage {
        let mut coverage = Coverage::new(len);
        self.walk(|path, node| {
            if node.children.is_empty() {
                coverage.own(node.offset..node.end(), node.owner, path);
            }
        });
        coverage.sort();
        coverage
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_follow_each_other() {
        let mut root = Node::new("file", 0);
        let mut table = Node::new("table", 4);
        for index in 0..2 {
            let mut entry = Node::new(format!("[{index}]"), table.end());
            entry.field("kind", 2, index);
            entry.unused("pad", &[0, 0]);
            table.push(entry);
        }
        root.field("magic", 4, "DVLB");
        root.push(table);
        root.unknown("junk", &[1, 2], "?");
        let mut paths = Vec::new();
        root.walk(|path, node| paths.push((path.to_owned(), node.offset, node.size)));
        let expected = [
            ("magic", 0, 4),
            ("table", 4, 8),
            ("table[0]", 4, 4),
            ("table[0].kind", 4, 2),
            ("table[0].pad", 6, 2),
            ("table[1]", 8, 4),
            ("table[1].kind", 8, 2),
            ("table[1].pad", 10, 2),
            ("junk", 12, 2),
        ];
        assert_eq!(paths, expected.map(|(path, offset, size)| (path.to_owned(), offset, size)));
        let coverage = root.coverage(15);
        let totals = coverage.totals();
        assert_eq!((totals.field, totals.padding, totals.opaque, totals.unowned), (8, 4, 2, 1));
        assert_eq!(coverage.owner(10), Some("table[1].pad"));
        assert_eq!(coverage.owner(14), None);
    }
}
