//! From the model to the manifest.

use crate::formats::mbs::layout::{self, Extents, STRUCT, StorageClass};
use crate::formats::mbs::model::{
    FileChunk, Index, Initial, Mbs, Program, ProgramChunk, ProgramKind, RawChunk, Symbol, SymbolChunk, Table,
    TableEntry, TableKind,
};
use crate::formats::mbs::tree::{Names, core_name};
use crate::formats::mbs::view::{precision_name, type_name, type_named};
use crate::shared::{Opaque, parts::Parts};
use unshade_bytes::Result;

/// The manifest of a file; everything that is no text goes into `parts`.
pub(crate) fn extract(file: &Mbs, parts: &mut Parts) -> Result<String> {
    file.write()?;
    let mut out = Printer { text: String::new(), parts, names: Names::default() };
    out.line(
        "# A Mali shader binary, taken apart. Sizes and counts follow from what is here; so do the sizes,",
    );
    out.line("# strides and offsets of variables that are left out.");
    out.line("format = \"mbs\"");
    if let Some(size) = file.size {
        out.line(&format!("size = {size}"));
    }
    out.bytes("stray", "stray", &file.stray);
    out.bytes("trailing", "trailing", &file.trailing);
    for chunk in &file.chunks {
        out.line("\n[[chunk]]");
        match chunk {
            FileChunk::Program(program) => out.program(program),
            FileChunk::Other(chunk) => out.raw(chunk, "chunk"),
        }
    }
    Ok(out.text)
}

struct Printer<'p> {
    text: String,
    parts: &'p mut Parts,
    names: Names,
}

impl Printer<'_> {
    fn line(&mut self, line: &str) {
        self.text.push_str(line);
        self.text.push('\n');
    }

    /// Puts bytes into a file of their own and names it; nothing for none.
    fn bytes(&mut self, field: &str, name: &str, bytes: &[u8]) {
        if !bytes.is_empty() {
            self.file(field, name, bytes);
        }
    }

    fn file(&mut self, field: &str, name: &str, bytes: &[u8]) {
        let name = format!("{}.bin", self.names.next(name).replace('[', "-").replace(']', ""));
        self.line(&format!("{field} = \"{name}\""));
        self.parts.insert(name, bytes);
    }

    fn raw(&mut self, chunk: &RawChunk, name: &str) {
        let tag = chunk.tag.to_string();
        self.line(&format!("tag = {}", quoted(&tag)));
        let plain = tag.chars().all(|c| c.is_ascii_alphanumeric());
        let name = if plain { format!("{name}-{tag}") } else { name.to_owned() };
        self.file("file", &name, &chunk.bytes);
    }

    fn program(&mut self, program: &Program) {
        let kind = program.kind;
        self.line(&format!("program = \"{}\"", kind.name()));
        let core = core_name(kind, program.core).map(|name| format!("  # {name}")).unwrap_or_default();
        self.line(&format!("core = {}{core}", program.core));
        self.bytes("stray", &format!("{}-stray", kind.name()), &program.stray);
        for chunk in &program.chunks {
            self.line("\n[[chunk.part]]");
            match chunk {
                ProgramChunk::Stack(stack) => {
                    self.line(&format!("stack = {{ size = {}, offset = {} }}", stack.size, stack.offset));
                }
                ProgramChunk::Discard(word @ 0..=1) => self.line(&format!("discard = {}", *word == 1)),
                ProgramChunk::Discard(word) => self.line(&format!("discard = {word:#x}")),
                ProgramChunk::Framebuffer(of) => {
                    self.line("# reads color, writes color, reads depth, writes depth, reads stencil, writes stencil");
                    self.line(&format!("framebuffer = {:?}", of.to_bytes()));
                }
                ProgramChunk::Instructions(of) => {
                    let unknown = match of.unknown_00 {
                        0 => String::new(),
                        unknown => format!(", unknown_00 = {unknown:#x}"),
                    };
                    let (count, prefetch) = (of.count, of.attribute_prefetch);
                    self.line(&format!(
                        "instructions = {{ count = {count}, attribute_prefetch = {prefetch}{unknown} }}"
                    ));
                }
                ProgramChunk::Uniforms(uniforms) => {
                    if uniforms.space != Extents::of(&uniforms.table).space(&uniforms.table) {
                        self.line(&format!("space = {}", uniforms.space));
                    }
                    self.table(kind, TableKind::Uniforms, &uniforms.table);
                }
                ProgramChunk::Attributes(table) => self.table(kind, TableKind::Attributes, table),
                ProgramChunk::Varyings(table) => self.table(kind, TableKind::Varyings, table),
                ProgramChunk::Code(code) => {
                    let mut bytes = Vec::with_capacity(code.words.len().saturating_mul(4));
                    bytes.extend(code.words.iter().flat_map(|word| word.to_le_bytes()));
                    bytes.extend_from_slice(&code.stray);
                    self.file("code", &format!("{}-code", kind.name()), &bytes);
                }
                ProgramChunk::Other(chunk) => self.raw(chunk, kind.name()),
            }
        }
    }

    fn table(&mut self, program: ProgramKind, kind: TableKind, table: &Table) {
        if let Some(count) = table.count {
            self.line(&format!("count = {count}"));
        }
        let name = format!("{}-{}-stray", program.name(), kind.name());
        self.bytes("stray", &name, &table.stray);
        let layout = layout::anew(StorageClass::of(program, kind), table);
        if table.entries.is_empty() {
            return self.line(&format!("{} = []", kind.name()));
        }
        self.line(&format!("{} = [", kind.name()));
        for (entry, usual) in table.entries.iter().zip(&layout.sizes) {
            let row = match entry {
                TableEntry::Symbol(symbol) => symbol_fields(symbol, usual),
                TableEntry::Other(chunk) => raw_fields(chunk),
            };
            self.line(&format!("    {{ {row} }},"));
        }
        self.line("]");
    }
}

fn raw_fields(chunk: &RawChunk) -> String {
    format!("tag = {}, bytes = \"{}\"", quoted(&chunk.tag.to_string()), chunk.bytes.to_hex())
}

/// Text as TOML has it; `text` was escaped, so that it holds no control characters.
fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

/// A symbol without what its type implies.
fn symbol_fields(symbol: &Symbol, usual: &layout::Sizes) -> String {
    let mut row = Row::default();
    row.put("name", quoted(&symbol.name.to_string()));
    if let Some(tail) = &symbol.name_tail {
        row.hex("name_tail", tail);
    }
    let name = type_name(symbol.kind, symbol.components);
    if symbol.kind == STRUCT {
        row.put("type", quoted(&name));
        row.put("members", symbol.components.to_string());
    } else if type_named(&name) == Some((symbol.kind, symbol.components)) {
        row.put("type", quoted(&name));
    } else {
        row.put("type", format!("[{}, {}]", symbol.kind, symbol.components));
    }
    row.unless("array", symbol.entries, 0);
    match symbol.offset {
        Some(offset) => row.put("offset", offset.to_string()),
        None => row.put("unused", "true".to_owned()),
    }
    if let Some(parent) = symbol.parent {
        row.put("parent", parent.to_string());
    }
    if u32::from(symbol.component_size) != usual.component_size {
        row.put("component_size", symbol.component_size.to_string());
    }
    if u32::from(symbol.stride) != usual.stride {
        row.put("stride", symbol.stride.to_string());
    }
    row.put(
        "precision",
        match precision_name(symbol.precision) {
            Some(name) => quoted(name),
            None => symbol.precision.to_string(),
        },
    );
    match symbol.invariant {
        0 => {}
        1 => row.put("invariant", "true".to_owned()),
        other => row.put("invariant", format!("{other:#x}")),
    }
    row.unless("dst_bits", symbol.dst_bits.into(), 16);
    row.unless("unknown_0", symbol.unknown_0.into(), 2);
    match symbol.chunks.as_slice() {
        [] => {}
        [SymbolChunk::Index(index)] => row.put("index", index_text(index)),
        [SymbolChunk::Initial(initial)] if initial.count.is_none() => row.put("initial", floats(initial)),
        [SymbolChunk::Index(index), SymbolChunk::Initial(initial)] if initial.count.is_none() => {
            row.put("index", index_text(index));
            row.put("initial", floats(initial));
        }
        chunks => {
            let chunks: Vec<_> =
                chunks.iter().map(|chunk| format!("{{ {} }}", symbol_chunk(chunk))).collect();
            row.put("chunks", format!("[{}]", chunks.join(", ")));
        }
    }
    if !symbol.stray.is_empty() {
        row.hex("stray", &symbol.stray);
    }
    row.0
}

/// The fields of an inline table.
#[derive(Default)]
struct Row(String);

impl Row {
    fn put(&mut self, name: &str, value: String) {
        let comma = if self.0.is_empty() { "" } else { ", " };
        self.0.push_str(&format!("{comma}{name} = {value}"));
    }

    fn hex(&mut self, name: &str, bytes: &Opaque) {
        self.put(name, format!("\"{}\"", bytes.to_hex()));
    }

    fn unless(&mut self, name: &str, value: u16, usual: u16) {
        if value != usual {
            self.put(name, value.to_string());
        }
    }
}

/// The three numbers, -1 where they say nothing.
fn index_text(index: &Index) -> String {
    let number = |word: u32| if word == u32::MAX { "-1".to_owned() } else { word.to_string() };
    format!("[{}, {}, {}]", number(index.itdr), number(index.iyuv), number(index.igrd))
}

fn floats(initial: &Initial) -> String {
    let words: Vec<_> = initial.words.iter().map(|&word| float(word)).collect();
    format!("[{}]", words.join(", "))
}

/// A float whose text gives it back, else its bits.
fn float(word: u32) -> String {
    let value = f32::from_bits(word);
    let text = format!("{value:?}");
    let back = text.parse::<f64>().map(|value| (value as f32).to_bits());
    if value.is_finite() && back == Ok(word) { text } else { format!("\"{word:#010x}\"") }
}

fn symbol_chunk(chunk: &SymbolChunk) -> String {
    match chunk {
        SymbolChunk::Index(index) => format!("index = {}", index_text(index)),
        SymbolChunk::Initial(initial) => {
            let count = initial.count.map(|count| format!(", count = {count}")).unwrap_or_default();
            format!("initial = {}{count}", floats(initial))
        }
        SymbolChunk::Other(chunk) => raw_fields(chunk),
    }
}
