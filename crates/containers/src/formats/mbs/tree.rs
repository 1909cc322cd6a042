//! Every field of an MBS by name, with its value and its place.

use super::model::{
    Code, FileChunk, Framebuffer, Mbs, Program, ProgramChunk, ProgramKind, RawChunk, Symbol, SymbolChunk,
    Table, TableEntry, TableKind, Tag,
};
use super::raw::{CHUNK_HEADER, MBS1};
use super::read::usual_tail;
use super::records::FORM;
use super::view::{floats, summary};
use crate::shared::{
    FieldEncoding,
    fields::{Grow, Record},
    opaque::escape,
    tree::Node,
};
use std::collections::BTreeMap;
use unshade_bytes::{Endian, Limits, Result};

/// Code words in one row of the tree.
const WORDS_IN_A_ROW: usize = 8;

impl Mbs {
    /// The structure of the file with names, values and places. It is that of the chunks: each has its tag and
    /// its size, then its fields, then the chunks in it.
    ///
    /// # Errors
    /// Where the model was changed to what no file can hold.
    pub fn tree(&self) -> Result<Node> {
        let mut root = Node::new("mbs", 0).value(self.describe());
        let size = self.size.map_or_else(|| self.contents_len(), u64::from);
        root.field("magic", 4, format_args!("\"{}\"", escape(&MBS1)));
        root.field("size", 4, size);
        let mut names = Names::default();
        for chunk in &self.chunks {
            let node = match chunk {
                FileChunk::Program(program) => {
                    program.node(names.next(program.kind.name()), root.end(), chunk.len())?
                }
                FileChunk::Other(chunk) => raw(chunk, &mut names, root.end()),
            };
            root.push(node);
        }
        stray(&mut root, &self.stray);
        if !self.trailing.is_empty() {
            root.unknown("trailing", &self.trailing, bytes(self.trailing.len()));
        }
        Ok(root)
    }

    /// What the file is, in a few words.
    pub fn describe(&self) -> String {
        let programs: Vec<_> = self
            .programs()
            .map(|program| match core_name(program.kind, program.core) {
                Some(core) => format!("{} program for {core}", program.kind.name()),
                None => format!("{} program for unknown core {}", program.kind.name(), program.core),
            })
            .collect();
        let cut = if self.size.is_some() { ", cut off" } else { "" };
        match programs.as_slice() {
            [] => format!("MBS1 without programs{cut}"),
            [one] => format!("MBS1 with a {one}{cut}"),
            [one, two] => format!("MBS1 with a {one} and a {two}{cut}"),
            many => format!("MBS1 with {} programs{cut}", many.len()),
        }
    }
}

impl ProgramKind {
    /// `vertex` or `fragment`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Vertex => "vertex",
            Self::Fragment => "fragment",
        }
    }
}

impl TableKind {
    /// `uniforms`, `attributes` or `varyings`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Uniforms => "uniforms",
            Self::Attributes => "attributes",
            Self::Varyings => "varyings",
        }
    }
}

/// The processor of that number, if a program of that kind runs on it.
pub(super) fn core_name(kind: ProgramKind, core: u32) -> Option<&'static str> {
    match (kind, core) {
        (ProgramKind::Vertex, 2) => Some("Mali-200 GP"),
        (ProgramKind::Vertex, 6) => Some("Mali-400 GP"),
        (ProgramKind::Fragment, 5) => Some("Mali-200 PP"),
        (ProgramKind::Fragment, 7) => Some("Mali-400 PP"),
        _ => None,
    }
}

/// Names of the chunks in a parent: `vertex`, and for a second one `vertex[1]`; of tables, whose symbols are numbered so,
/// `varyings` and `varyings_2`.
#[derive(Default)]
pub(super) struct Names {
    seen: BTreeMap<String, usize>,
}

impl Names {
    /// The next name of that kind.
    pub(super) fn next(&mut self, name: &str) -> String {
        let count = self.seen.entry(name.to_owned()).or_default();
        let index = *count;
        *count = index.saturating_add(1);
        let is_table = [TableKind::Uniforms, TableKind::Attributes, TableKind::Varyings]
            .iter()
            .any(|kind| kind.name() == name);
        match index {
            0 => name.to_owned(),
            _ if is_table => format!("{name}_{}", index.saturating_add(1)),
            _ => format!("{name}[{index}]"),
        }
    }

    /// The next name of a chunk that is not understood: its tag.
    pub(super) fn next_raw(&mut self, tag: Tag) -> String {
        let plain = |&byte: &u8| if byte.is_ascii_alphanumeric() { char::from(byte) } else { '_' };
        self.next(&tag.0.iter().map(plain).collect::<String>())
    }
}

/// A chunk at `at` with `len` bytes of contents, of which only the header with tag and size is there.
fn open(name: String, at: u64, tag: Tag, len: u64) -> Node {
    let mut node = Node::new(name, at);
    node.field("chunk", CHUNK_HEADER, format_args!("{tag}, {len} bytes"));
    node
}

fn raw(chunk: &RawChunk, names: &mut Names, at: u64) -> Node {
    raw_named(chunk, names.next_raw(chunk.tag), at)
}

fn raw_named(chunk: &RawChunk, name: String, at: u64) -> Node {
    let len = chunk.bytes.len();
    let mut node = open(name, at, chunk.tag, len as u64).value(format_args!("chunk \"{}\"", chunk.tag));
    if len > 0 {
        node.unknown("contents", &chunk.bytes, bytes(len));
    }
    node
}

/// Bytes at the end of a chunk that are none themselves.
fn stray(node: &mut Node, stray: &[u8]) {
    if !stray.is_empty() {
        node.unknown("stray", stray, bytes(stray.len()));
    }
}

fn bytes(count: usize) -> String {
    if count == 1 { "1 byte".to_owned() } else { format!("{count} bytes") }
}

impl Program {
    fn node(&self, name: String, at: u64, len: u64) -> Result<Node> {
        let mut node = open(name, at, self.kind.tag(), len);
        match core_name(self.kind, self.core) {
            Some(core) => {
                node.number("core", 4, format_args!("{} ({core})", self.core));
                node = node.value(format_args!("program for {core}"));
            }
            None => node.number("core", 4, format_args!("{} (unknown)", self.core)),
        }
        let mut names = Names::default();
        for chunk in &self.chunks {
            let child = self.chunk(chunk, &mut names, node.end())?;
            node.push(child);
        }
        stray(&mut node, &self.stray);
        Ok(node)
    }

    fn chunk(&self, chunk: &ProgramChunk, names: &mut Names, at: u64) -> Result<Node> {
        if let ProgramChunk::Other(chunk) = chunk {
            return Ok(raw(chunk, names, at));
        }
        let mut node = open(names.next(chunk.name()), at, chunk.tag(), chunk.len());
        match chunk {
            ProgramChunk::Stack(stack) => fields(&mut node, *stack)?,
            ProgramChunk::Discard(word) => {
                node.number("has_discard", 4, word);
                node = node.value(if *word == 0 { "no" } else { "yes" });
            }
            ProgramChunk::Framebuffer(of) => framebuffer(&mut node, of)?,
            ProgramChunk::Instructions(of) => fields(&mut node, *of)?,
            ProgramChunk::Uniforms(uniforms) => {
                node.field("count", 4, uniforms.table.stated_count()?);
                node.number("space", 4, format_args!("{} floats", uniforms.space));
                self.table_node(&uniforms.table, TableKind::Uniforms, &mut node)?;
            }
            ProgramChunk::Attributes(table) => {
                node.field("count", 4, table.stated_count()?);
                self.table_node(table, TableKind::Attributes, &mut node)?;
            }
            ProgramChunk::Varyings(table) => {
                node.field("count", 4, table.stated_count()?);
                self.table_node(table, TableKind::Varyings, &mut node)?;
            }
            ProgramChunk::Code(code) => code.node(&mut node),
            ProgramChunk::Other(_) => {}
        }
        Ok(match chunk.table() {
            Some((kind, table)) => node.value(counted(table.entries.len(), kind)),
            None => node,
        })
    }

    fn table_node(&self, table: &Table, kind: TableKind, node: &mut Node) -> Result<()> {
        for (index, entry) in table.entries.iter().enumerate() {
            let name = format!("[{index}]");
            let child = match entry {
                TableEntry::Symbol(symbol) => {
                    let child = open(name, node.end(), kind.symbol_tag(), entry.len(kind));
                    symbol.node(child, kind)?.value(summary(self.kind, kind, table, index))
                }
                TableEntry::Other(chunk) => raw_named(chunk, name, node.end()),
            };
            node.push(child);
        }
        stray(node, &table.stray);
        Ok(())
    }
}

/// `9 uniforms`.
fn counted(count: usize, kind: TableKind) -> String {
    let names = kind.name();
    let name = if count == 1 { names.strip_suffix('s').unwrap_or(names) } else { names };
    format!("{count} {name}")
}

/// Adds the fields of a record.
fn fields(node: &mut Node, mut record: impl Record) -> Result<()> {
    record.visit(&mut Grow::new(FORM, node))
}

fn framebuffer(node: &mut Node, of: &Framebuffer) -> Result<()> {
    fields(node, of.clone())?;
    let used = of.accesses().into_iter().filter(|(_, byte)| *byte != 0);
    let used: Vec<_> = used.map(|(name, _)| name.replace('_', " ")).collect();
    node.value = Some(if used.is_empty() { "unused".to_owned() } else { used.join(", ") });
    Ok(())
}

impl ProgramChunk {
    /// What the chunk is called in paths.
    pub(super) fn name(&self) -> &'static str {
        match self {
            Self::Stack(_) => "stack",
            Self::Discard(_) => "discard",
            Self::Framebuffer(_) => "framebuffer",
            Self::Instructions(_) => "instructions",
            Self::Uniforms(_) => TableKind::Uniforms.name(),
            Self::Attributes(_) => TableKind::Attributes.name(),
            Self::Varyings(_) => TableKind::Varyings.name(),
            Self::Code(_) => "code",
            Self::Other(_) => "chunk",
        }
    }
}

impl Code {
    fn node(&self, node: &mut Node) {
        for (row, start) in self.words.chunks(WORDS_IN_A_ROW).zip((0_usize..).step_by(WORDS_IN_A_ROW)) {
            let text: Vec<String> = row.iter().map(|word| format!("{word:08x}")).collect();
            let (size, coding) = ((row.len() as u64).saturating_mul(4), FieldEncoding::Words(Endian::Little));
            node.coded(format!("[{start:#05x}]"), size, text.join(" "), coding);
        }
        stray(node, &self.stray);
        node.value = Some(format!("{} instruction words", self.words.len()));
    }
}

impl Symbol {
    /// Adds its fields to a node that has tag and size.
    fn node(&self, mut node: Node, table: TableKind) -> Result<Node> {
        let mut name = open("name".to_owned(), node.end(), Tag::NAME, self.name_len());
        let near = self.name.get(..Limits::DEFAULT.name).unwrap_or(&self.name);
        let more = if near.len() < self.name.len() { "..." } else { "" };
        let text = format!("\"{}{more}\"", escape(near));
        name.coded("text", self.name.len() as u64, &text, FieldEncoding::Text);
        match &self.name_tail {
            Some(tail) => name.unused("padding", tail),
            None => name.unused("padding", [0; 4].get(..usual_tail(self.name.len())).unwrap_or(&[])),
        }
        node.push(name.value(text));

        self.record().visit(table, &mut Grow::new(FORM, &mut node))?;
        let mut names = Names::default();
        for chunk in &self.chunks {
            let child = chunk.node(&mut names, node.end())?;
            node.push(child);
        }
        stray(&mut node, &self.stray);
        Ok(node)
    }
}

impl SymbolChunk {
    fn node(&self, names: &mut Names, at: u64) -> Result<Node> {
        match self {
            Self::Index(index) => {
                // Each is a chunk of its own.
                let words = [("itdr", index.itdr), ("iyuv", index.iyuv), ("igrd", index.igrd)];
                let mut node = open(names.next("index"), at, Tag::INDEX, self.len());
                for (name, word) in words {
                    let meaning = if word == u32::MAX { " (none)" } else { "" };
                    let coding = FieldEncoding::Behind(CHUNK_HEADER as usize, &FieldEncoding::Number);
                    node.coded(name, 12, format_args!("{word}{meaning}"), coding);
                }
                let given = words.iter().filter(|(_, word)| *word != u32::MAX);
                let given: Vec<_> = given.map(|(name, word)| format!("{name} {word}")).collect();
                Ok(node.value(if given.is_empty() { "none".to_owned() } else { given.join(", ") }))
            }
            Self::Initial(initial) => {
                let mut node = open(names.next("initial"), at, Tag::INITIAL, self.len());
                node.field("count", 4, initial.stated_count()?);
                for (index, &word) in initial.words.iter().enumerate() {
                    let value = format!("{word:#010x} ({:?})", f32::from_bits(word));
                    node.coded(format!("[{index}]"), 4, value, FieldEncoding::Float);
                }
                Ok(node.value(floats(&initial.words)))
            }
            Self::Other(chunk) => Ok(raw(chunk, names, at)),
        }
    }
}
