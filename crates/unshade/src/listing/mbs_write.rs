//! MBS to listing text.

use super::{
    ListingOptions,
    code_text::{self, CodeFacts},
    symbols::written,
};
use unshade_containers::{
    fields::{Listed, Record},
    mbs::{
        FileChunk, Index, Initial, Instructions, Mbs, Program, ProgramChunk, ProgramKind, RawChunk, Symbol,
        SymbolChunk, Table, TableEntry, TableKind,
        layout::{self, Extents, Sizes, StorageClass},
        view::{precision_name, type_name, type_named},
    },
    opaque::to_hex,
};
use unshade_isa::text::{PartKind, Sink};
use unshade_stage::Stage;

/// Column of what follows on a directive.
const ARGUMENTS: usize = 16;

/// Writes the listing of a file.
pub(super) fn write(sink: &mut impl Sink, file: &Mbs, options: &ListingOptions) {
    sink.put(PartKind::Comment, "; All that the file holds: `unshade asm` makes the same file from it.");
    sink.end_line();
    sink.put(PartKind::Directive, ".container");
    sink.put(PartKind::Plain, " ");
    sink.put(PartKind::Name, "mbs");
    suffix_if(sink, "size", file.size);
    sink.end_line();
    let mut stages: Vec<_> = file.stages().collect();
    for chunk in &file.chunks {
        sink.end_line();
        match chunk {
            FileChunk::Program(program) => {
                let kind = program.kind.stage();
                let at = stages.iter().position(|stage| stage.kind == kind);
                let stage = at.map(|at| stages.remove(at));
                write_program(sink, program, stage.as_ref(), options);
            }
            FileChunk::Other(chunk) => raw(sink, 0, ".file_chunk", chunk),
        }
    }
    bytes(sink, 0, ".file_stray", &file.stray);
    bytes(sink, 0, ".trailing", &file.trailing);
}

fn directive(sink: &mut impl Sink, depth: usize, name: &str) {
    for _ in 0..depth {
        sink.put(PartKind::Plain, "    ");
    }
    sink.put(PartKind::Directive, name);
}

/// A directive with arguments, which start in the same column.
fn column(sink: &mut impl Sink, depth: usize, name: &str) {
    directive(sink, depth, name);
    sink.pad_to(if depth == 0 { sink.column() + 1 } else { ARGUMENTS + 4 * (depth - 1) });
}

fn suffix_text(sink: &mut impl Sink, name: &str, value: &str) {
    sink.put(PartKind::Plain, " ");
    sink.put(PartKind::Directive, "@");
    sink.put(PartKind::Directive, name);
    sink.put(PartKind::Directive, "=");
    sink.put(PartKind::Directive, value);
}

fn suffix(sink: &mut impl Sink, name: &str, value: u32) {
    suffix_text(sink, name, &value.to_string());
}

fn suffix_if(sink: &mut impl Sink, name: &str, value: Option<u32>) {
    if let Some(value) = value {
        suffix(sink, name, value);
    }
}

/// The numbers of a record that are not the usual ones, which are listed in the same order; all where these are not given.
fn suffixes(sink: &mut impl Sink, numbers: &[Listed], usual: &[Listed]) {
    for (at, number) in numbers.iter().enumerate() {
        if usual.get(at).is_none_or(|usual| usual.value != number.value) {
            suffix_text(sink, number.name, &number.value.to_string());
        }
    }
}

/// A line with bytes; none for none.
fn bytes(sink: &mut impl Sink, depth: usize, name: &str, bytes: &[u8]) {
    if !bytes.is_empty() {
        column(sink, depth, name);
        sink.put(PartKind::Immediate, &to_hex(bytes));
        sink.end_line();
    }
}

/// A chunk that is kept as it is.
fn raw(sink: &mut impl Sink, depth: usize, name: &str, chunk: &RawChunk) {
    column(sink, depth, name);
    sink.put(PartKind::Name, &written(&chunk.tag.0));
    if !chunk.bytes.is_empty() {
        sink.put(PartKind::Plain, " ");
        sink.put(PartKind::Immediate, &to_hex(&chunk.bytes));
    }
    sink.end_line();
}

fn write_program(
    sink: &mut impl Sink,
    program: &Program,
    stage: Option<&Stage<'_>>,
    options: &ListingOptions,
) {
    let isa = program.kind.isa();
    let facts = program.code().map_or_else(CodeFacts::default, |code| code_text::facts(isa, &code.words));
    directive(sink, 0, ".program");
    sink.put(PartKind::Plain, " ");
    sink.put(PartKind::Name, program.kind.name());
    suffix(sink, "core", program.core);
    sink.end_line();
    let mut own_code = stage;
    for chunk in &program.chunks {
        match chunk {
            ProgramChunk::Stack(stack) => {
                directive(sink, 1, ".stack");
                suffixes(sink, &stack.numbers(), &[]);
                sink.end_line();
            }
            ProgramChunk::Discard(word) => {
                directive(sink, 1, ".discard");
                if facts.discards.map(u32::from) != Some(*word) {
                    suffix(sink, "has_discard", *word);
                }
                sink.end_line();
            }
            ProgramChunk::Framebuffer(of) => {
                directive(sink, 1, ".framebuffer");
                let numbers = of.numbers();
                for number in numbers.iter().filter(|number| number.value == 1) {
                    sink.put(PartKind::Plain, " ");
                    sink.put(PartKind::Name, number.name);
                }
                let others: Vec<_> = numbers.into_iter().filter(|number| number.value > 1).collect();
                suffixes(sink, &others, &[]);
                if !of.unknown_06.is_empty() {
                    suffix_text(sink, "unknown_06", &of.unknown_06.to_hex());
                }
                sink.end_line();
            }
            ProgramChunk::Instructions(of) => {
                directive(sink, 1, ".instructions");
                let count = program.code().map_or(0, |code| code.words.len() / 4);
                let usual = Instructions {
                    unknown_00: 0,
                    instruction_count: u32::try_from(count).unwrap_or(u32::MAX),
                    // Without an answer of the code, the number is said.
                    attrib_prefetch: facts.attribute_prefetch.unwrap_or(!of.attrib_prefetch),
                };
                suffixes(sink, &of.numbers(), &usual.numbers());
                sink.end_line();
            }
            ProgramChunk::Uniforms(uniforms) => {
                let space = Extents::of(&uniforms.table).space(&uniforms.table);
                let space = Some(uniforms.space).filter(|&stated| stated != space);
                write_table(sink, program.kind, TableKind::Uniforms, &uniforms.table, space);
            }
            ProgramChunk::Attributes(table) => {
                write_table(sink, program.kind, TableKind::Attributes, table, None);
            }
            ProgramChunk::Varyings(table) => {
                write_table(sink, program.kind, TableKind::Varyings, table, None)
            }
            ProgramChunk::Code(code) => {
                directive(sink, 1, ".code");
                if !code.stray.is_empty() {
                    suffix_text(sink, "stray", &to_hex(&code.stray));
                }
                sink.end_line();
                // The first code is that of the stage; another, which nobody runs, has no names.
                let plain = super::raw_code(program.kind.isa(), &code.words);
                code_text::write(sink, own_code.take().unwrap_or(&plain), options);
                directive(sink, 1, ".end_code");
                sink.end_line();
            }
            ProgramChunk::Other(chunk) => raw(sink, 1, ".chunk", chunk),
        }
    }
    bytes(sink, 1, ".stray", &program.stray);
}

/// The directive of a symbol of a table.
pub(super) fn symbol_directive(kind: TableKind) -> &'static str {
    match kind {
        TableKind::Uniforms => ".uniform",
        TableKind::Attributes => ".attribute",
        TableKind::Varyings => ".varying",
    }
}

fn write_table(
    sink: &mut impl Sink,
    program: ProgramKind,
    kind: TableKind,
    table: &Table,
    space: Option<u32>,
) {
    directive(sink, 1, ".");
    sink.put(PartKind::Directive, kind.name());
    suffix_if(sink, "space", space);
    suffix_if(sink, "count", table.count);
    sink.end_line();
    let layout = layout::anew(StorageClass::of(program, kind), table);
    for (entry, sizes) in table.entries.iter().zip(&layout.sizes) {
        match entry {
            TableEntry::Symbol(symbol) => write_symbol(sink, kind, symbol, sizes),
            TableEntry::Other(chunk) => raw(sink, 2, ".table_chunk", chunk),
        }
    }
    bytes(sink, 2, ".table_stray", &table.stray);
}

fn write_symbol(sink: &mut impl Sink, kind: TableKind, symbol: &Symbol, usual: &Sizes) {
    column(sink, 2, symbol_directive(kind));
    match precision_name(symbol.precision) {
        Some(name) => sink.put(PartKind::Plain, name),
        None => sink.put(PartKind::Plain, &format!("precision{}", symbol.precision)),
    }
    sink.put(PartKind::Plain, if symbol.invariant == 1 { " invariant " } else { " " });
    let is_struct = symbol.kind == layout::STRUCT;
    let name = type_name(symbol.kind, symbol.component_count);
    let known = is_struct || type_named(&name) == Some((symbol.kind, symbol.component_count));
    let odd = format!("type{}x{}", symbol.kind, symbol.component_count);
    sink.put(PartKind::Plain, if known { &name } else { &odd });
    sink.put(PartKind::Plain, " ");
    sink.put(PartKind::Name, &written(&symbol.name));
    if symbol.entry_count > 0 {
        sink.put(PartKind::Punctuation, "[");
        sink.decimal(PartKind::Immediate, symbol.entry_count.into());
        sink.put(PartKind::Punctuation, "]");
    }
    match symbol.offset {
        Some(offset) => {
            sink.put(PartKind::Plain, " at ");
            sink.decimal(PartKind::Immediate, offset.into());
        }
        None => sink.put(PartKind::Plain, " unused"),
    }
    let size = |size: u32, stated: u16| u16::try_from(size).unwrap_or(!stated);
    let usual = Symbol {
        kind: symbol.kind,
        component_count: if is_struct { 0 } else { symbol.component_count },
        component_size: size(usual.component_size, symbol.component_size),
        entry_count: symbol.entry_count,
        src_stride: size(usual.src_stride, symbol.src_stride),
        precision: symbol.precision,
        invariant: symbol.invariant.min(1),
        offset: symbol.offset,
        ..Symbol::usual()
    };
    suffixes(sink, &symbol.numbers(kind), &usual.numbers(kind));
    if let Some(tail) = &symbol.name_tail {
        suffix_text(sink, "name_tail", &to_hex(tail));
    }
    let (in_line, rest) = match symbol.chunks.as_slice() {
        [SymbolChunk::Index(index), SymbolChunk::Initial(initial), rest @ ..] if initial.count.is_none() => {
            suffix_text(sink, "index", &index_text(index));
            suffix_text(sink, "initial", &floats(initial));
            (2, rest)
        }
        [SymbolChunk::Index(index), rest @ ..] => {
            suffix_text(sink, "index", &index_text(index));
            (1, rest)
        }
        [SymbolChunk::Initial(initial), rest @ ..] if initial.count.is_none() => {
            suffix_text(sink, "initial", &floats(initial));
            (1, rest)
        }
        rest => (0, rest),
    };
    debug_assert_eq!(in_line + rest.len(), symbol.chunks.len());
    sink.end_line();
    for chunk in rest {
        match chunk {
            SymbolChunk::Index(index) => {
                directive(sink, 3, ".symbol_index");
                suffix_text(sink, "index", &index_text(index));
                sink.end_line();
            }
            SymbolChunk::Initial(initial) => {
                directive(sink, 3, ".symbol_initial");
                suffix_text(sink, "initial", &floats(initial));
                suffix_if(sink, "count", initial.count);
                sink.end_line();
            }
            SymbolChunk::Other(chunk) => raw(sink, 3, ".symbol_chunk", chunk),
        }
    }
    bytes(sink, 3, ".symbol_stray", &symbol.stray);
}

/// Three numbers, `-` where they say nothing.
fn index_text(index: &Index) -> String {
    let number = |word: u32| if word == u32::MAX { "-".to_owned() } else { word.to_string() };
    format!("{},{},{}", number(index.itdr), number(index.iyuv), number(index.igrd))
}

fn floats(initial: &Initial) -> String {
    let words: Vec<_> = initial.words.iter().map(|&word| float(word)).collect();
    words.join(",")
}

/// A float as the shortest decimal that gives it back, or as its bits.
fn float(word: u32) -> String {
    let value = f32::from_bits(word);
    let text = format!("{value:?}");
    let back = text.parse().map(f32::to_bits);
    if value.is_finite() && back == Ok(word) { text } else { format!("0x{word:08X}") }
}
