//! Which part of the structure owns each byte of a file, for who looks at the bytes themselves.
//!
//! The tree that `show` prints says where every field is. Here it is turned round: for any byte its field, for any field its
//! bytes, and for a window of a large file what lies in it. A tree of a million fields is kept as a table of them, with
//! every name once; paths are put together where they are asked for.
//!
//! ```
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let bytes = std::fs::read("../../samples/passthrough.shbin")?;
//! let opened = unshade::open(&bytes)?;
//! let owners = &unshade::owners::owners(&bytes, &opened)[0];
//! let first = owners.at(0).ok_or("nobody owns the first byte")?;
//! assert_eq!(first.path, "magic");
//! assert_eq!(owners.bytes_of("magic"), Some(0..4));
//! # Ok(())
//! # }
//! ```

mod runs;

use crate::Opened;
use crate::headers::{NAME as HEADER, add_headers};
use serde::Serialize;
use std::collections::HashMap;
use std::ops::Range;
use unshade_bytes::Owner;
use unshade_containers::{Container, FieldEncoding, Node, wrap::layer::Layer};

/// What a run of bytes is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum ByteKind {
    /// A field with a known meaning.
    Field,
    /// Instructions of a program.
    Code,
    /// Characters.
    String,
    /// Fill between fields, of one value.
    Padding,
    /// Kept exactly, but not understood.
    Opaque,
    /// No part of the structure has it.
    Unowned,
}

impl ByteKind {
    /// Its name, as in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::Field => "field",
            Self::Code => "code",
            Self::String => "string",
            Self::Padding => "padding",
            Self::Opaque => "opaque",
            Self::Unowned => "unowned",
        }
    }
}

/// A run of bytes that one field owns. Runs follow each other without gaps.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct OwnedBytes {
    /// First byte, from the start of the container.
    pub start: u64,
    /// Behind the last.
    pub end: u64,
    /// What they are.
    pub kind: ByteKind,
    /// Path of the field as `show` and `edit` have it; empty where nobody owns them.
    pub path: String,
}

/// The owners of the bytes of a container, or of a wrapper.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Owners {
    /// What stands behind `:`, where the file is not the container itself.
    pub inner: Option<String>,
    /// Where the container starts in its file; all other offsets count from there.
    pub offset: u64,
    /// Its length.
    pub len: u64,
    fields: Vec<Field>,
    /// All names of fields, each once.
    names: Vec<Box<str>>,
    runs: Vec<Run>,
}

/// A field of the tree.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Field {
    /// Index of the one around it; of the root its own.
    parent: u32,
    /// Index of its name.
    name: u32,
    depth: u32,
    start: u64,
    end: u64,
    kind: ByteKind,
    /// It has the bytes that none of its children has.
    owns: bool,
}

/// Bytes up to an end, with the field that owns them; `u32::MAX`: nobody.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Run {
    end: u64,
    field: u32,
}

/// The owners of the bytes of everything that was opened in a file; `bytes` is the whole file. One for each tree that
/// [`crate::report::show`] has, in the same order.
pub fn owners(bytes: &[u8], opened: &Opened) -> Vec<Owners> {
    let wrappers = opened.wrappers.iter().filter(|wrapped| wrapped.chosen).filter_map(|wrapped| {
        let packed = wrapped.piece.bytes(bytes);
        let tree = Layer::read(wrapped.kind, packed, &opened.dictionaries).ok()?.tree();
        Some(Owners::of_tree(wrapped.name.clone(), 0, packed.len() as u64, &tree, &[]))
    });
    let containers = opened
        .containers
        .iter()
        .map(|inner| Owners::of_container(inner.name.clone(), inner.offset, &inner.container));
    wrappers.chain(containers).collect()
}

impl Owners {
    /// The owners of the bytes of a container that starts at `offset` of the file `inner`.
    pub fn of_container(inner: Option<String>, offset: u64, container: &Container) -> Self {
        let mut tree = container.tree();
        let len = tree.size;
        add_headers(&mut tree, container);
        let mut code: Vec<(u64, u64)> = container
            .stages()
            .map(|stage| {
                let start = stage.code.file_offset;
                (start, start.saturating_add(4 * stage.code.words.len() as u64))
            })
            .collect();
        code.sort_unstable();
        code.dedup();
        Self::of_tree(inner, offset, len, &tree, &code)
    }

    /// Of a tree, with the sorted ranges that are code.
    fn of_tree(inner: Option<String>, offset: u64, len: u64, tree: &Node, code: &[(u64, u64)]) -> Self {
        let mut names: Vec<Box<str>> = Vec::new();
        let mut known: HashMap<&str, u32> = HashMap::new();
        let mut fields: Vec<Field> = Vec::new();
        let mut stack: Vec<(&Node, u32, u32)> = vec![(tree, 0, 0)];
        while let Some((node, parent, depth)) = stack.pop() {
            let name = *known.entry(&node.name).or_insert_with(|| {
                names.push(node.name.as_str().into());
                names.len() as u32 - 1
            });
            let index = fields.len() as u32;
            fields.push(Field {
                parent,
                name,
                depth,
                start: node.offset.min(len),
                end: node.end().min(len),
                kind: kind(node, code),
                owns: owns(node),
            });
            stack.extend(node.children.iter().rev().map(|child| (child, index, depth + 1)));
        }
        let runs = runs::of(&fields, len);
        Self { inner, offset, len, fields, names, runs }
    }

    /// The run that a byte belongs to.
    pub fn at(&self, offset: u64) -> Option<OwnedBytes> {
        self.window(offset..offset.saturating_add(1)).next()
    }

    /// The runs that have bytes in a window, whole, in order.
    pub fn window(&self, window: Range<u64>) -> impl Iterator<Item = OwnedBytes> {
        let first = self.runs.partition_point(|run| run.end <= window.start);
        let runs = self.runs.get(first..).unwrap_or_default().iter().enumerate();
        runs.map(move |(at, run)| {
            let before = (first + at).checked_sub(1).and_then(|before| self.runs.get(before));
            let start = before.map_or(0, |before| before.end);
            let field = self.fields.get(run.field as usize);
            OwnedBytes {
                start,
                end: run.end,
                kind: field.map_or(ByteKind::Unowned, |field| field.kind),
                path: field.map_or_else(String::new, |_| self.path(run.field)),
            }
        })
        .take_while(move |run| run.start < window.end)
    }

    /// How many runs there are.
    pub fn runs(&self) -> usize {
        self.runs.len()
    }

    /// The bytes of the field or structure of that path.
    pub fn bytes_of(&self, path: &str) -> Option<Range<u64>> {
        // A name may have dots and brackets in it, so that several children can begin a path. Each field is looked at once.
        let mut open = vec![(0_u32, path)];
        while let Some((at, rest)) = open.pop() {
            let field = self.fields.get(at as usize)?;
            if rest.is_empty() {
                return Some(field.start..field.end);
            }
            // The children of a field are behind it, up to the next one that is no deeper.
            let behind = self.fields.get(at as usize + 1..)?.iter().zip(at + 1..);
            let children = behind
                .take_while(|(child, _)| child.depth > field.depth)
                .filter(|(child, _)| child.depth == field.depth + 1);
            let first = open.len();
            open.extend(children.filter_map(|(child, index)| {
                let left = rest.strip_prefix(&**self.names.get(child.name as usize)?)?;
                let ends = left.is_empty() || left.starts_with(['.', '[']);
                ends.then(|| (index, left.strip_prefix('.').unwrap_or(left)))
            }));
            // Of those that have the path the first is meant.
            open.get_mut(first..)?.reverse();
        }
        None
    }

    /// The path of a field; that of the root is empty.
    fn path(&self, field: u32) -> String {
        let mut parts: Vec<&str> = Vec::new();
        let mut at = field;
        while let Some(found) = self.fields.get(at as usize).filter(|found| found.depth > 0) {
            parts.push(self.names.get(found.name as usize).map_or("", |name| name));
            at = found.parent;
        }
        let mut path = String::new();
        for part in parts.iter().rev() {
            if !path.is_empty() && !part.starts_with('[') {
                path.push('.');
            }
            path.push_str(part);
        }
        path
    }
}

/// Whether a node has bytes of its own. Leaves have, and code, in which only the fields of a program header are named.
fn owns(node: &Node) -> bool {
    is_header(node) || node.children.is_empty() || node.children.iter().any(is_header)
}

/// Whether that is the structure that is named inside of code.
fn is_header(node: &Node) -> bool {
    node.name.strip_prefix(HEADER).is_some_and(|rest| rest.is_empty() || rest.starts_with('['))
}

fn kind(node: &Node, code: &[(u64, u64)]) -> ByteKind {
    match node.owner {
        Owner::Padding(_) => ByteKind::Padding,
        _ if node.children.iter().all(is_header) && is_code(node, code) => ByteKind::Code,
        Owner::Opaque => ByteKind::Opaque,
        Owner::Field if node.coding == FieldEncoding::Text => ByteKind::String,
        Owner::Field => ByteKind::Field,
    }
}

/// Whether code begins in a node, or goes through it.
fn is_code(node: &Node, code: &[(u64, u64)]) -> bool {
    let behind = code.partition_point(|(start, _)| *start < node.end());
    let before = code.get(..behind).unwrap_or_default();
    // Programs that share code begin at different places and end together.
    before.iter().rev().take(4).any(|(_, end)| *end > node.offset)
}
