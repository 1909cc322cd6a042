//! GFD to listing text.

use super::{
    ListingOptions, code_text,
    symbols::{quoted, written},
};
use unshade_containers::{
    gfd::{Block, BlockKind, Gfd},
    gx2::{
        Member, Row, TableKind,
        layout::{Contents, EntryContents, HeaderStyle},
        registers::{SPI_VS_OUT_ID, SQ_VTX_SEMANTIC},
    },
    opaque::to_hex,
};
use unshade_isa::text::{PartKind, Sink};
use unshade_stage::{Isa, Stage, latte::VarType};

/// Writes the listing of a file.
pub(super) fn write(sink: &mut impl Sink, file: &Gfd, options: &ListingOptions) {
    sink.put(PartKind::Comment, "; All that the file holds: `unshade asm` makes the same file from it.");
    sink.end_line();
    directive(sink, 0, ".container");
    sink.put(PartKind::Name, "gfd");
    for (name, value) in
        [("major", file.major), ("minor", file.minor), ("gpu", file.gpu), ("align", file.align)]
    {
        suffix(sink, name, value);
    }
    let [u18, u1c] = file.unknown;
    unusual(sink, "unknown_18", u18, 0);
    unusual(sink, "unknown_1c", u1c, 0);
    rest_of_header(sink, file.header_size, &file.header_rest);
    sink.end_line();
    // Each code belongs to the next stage.
    let mut stages = file.stages();
    for (index, block) in file.blocks.iter().enumerate() {
        sink.end_line();
        let stage = if block.kind.is_code() { stages.next() } else { None };
        write_block(sink, file, index, block, stage.as_ref(), options);
    }
    bytes(sink, 0, ".trailing", &file.trailing);
}

fn directive(sink: &mut impl Sink, depth: usize, name: &str) {
    for _ in 0..depth {
        sink.put(PartKind::Plain, "    ");
    }
    sink.put(PartKind::Directive, name);
    sink.put(PartKind::Plain, " ");
}

fn suffix_text(sink: &mut impl Sink, name: &str, value: &str) {
    sink.put(PartKind::Plain, " ");
    for part in ["@", name, "=", value] {
        sink.put(PartKind::Directive, part);
    }
}

fn suffix(sink: &mut impl Sink, name: &str, value: u32) {
    suffix_text(sink, name, &value.to_string());
}

fn unusual(sink: &mut impl Sink, name: &str, value: u32, usual: u32) {
    if value != usual {
        suffix(sink, name, value);
    }
}

fn rest_of_header(sink: &mut impl Sink, size: Option<u32>, rest: &[u8]) {
    if let Some(size) = size {
        suffix(sink, "header_size", size);
    }
    if !rest.is_empty() {
        suffix_text(sink, "header_rest", &to_hex(rest));
    }
}

/// A line with bytes; none for none.
fn bytes(sink: &mut impl Sink, depth: usize, name: &str, bytes: &[u8]) {
    if !bytes.is_empty() {
        directive(sink, depth, name);
        sink.put(PartKind::Immediate, &to_hex(bytes));
        sink.end_line();
    }
}

fn write_block(
    sink: &mut impl Sink,
    file: &Gfd,
    index: usize,
    block: &Block,
    stage: Option<&Stage<'_>>,
    options: &ListingOptions,
) {
    directive(sink, 0, ".block");
    match block.kind.name() {
        Some(name) => sink.put(PartKind::Name, name),
        None => sink.put(PartKind::Name, &block.kind.0.to_string()),
    }
    suffix(sink, "id", block.id);
    suffix(sink, "index", block.index);
    unusual(sink, "major", block.major, 1);
    unusual(sink, "minor", block.minor, 0);
    rest_of_header(sink, block.header_size, &block.header_rest);
    if let Some(size) = block.size {
        suffix(sink, "size", size);
    }
    unusual(sink, "aligned", block.aligned.into(), 0);
    if let Some((contents, style)) = block.contents() {
        unusual(sink, "names", style.names as u32, HeaderStyle::default().names as u32);
        unusual(sink, "slots", style.slots.into(), 0);
        for (name, member) in [("code_size", Member::CodeSize), ("copy_size", Member::CopySize)] {
            unusual(sink, name, contents.member(member), file.code_size(index, member));
        }
        sink.end_line();
        write_contents(sink, &contents);
        return;
    }
    sink.end_line();
    if block.kind.is_code() {
        let (words, stray) = block.data.as_chunks::<4>();
        directive(sink, 1, ".code");
        if !stray.is_empty() {
            suffix_text(sink, "stray", &to_hex(stray));
        }
        sink.end_line();
        let words: Vec<u32> = words.iter().map(|word| u32::from_le_bytes(*word)).collect();
        let plain = super::raw_code(Isa::Latte, &words);
        code_text::write(sink, stage.unwrap_or(&plain), options);
        directive(sink, 1, ".end_code");
        sink.end_line();
    } else if block.kind == BlockKind::PADDING && block.data.iter().all(|&byte| byte == 0) {
        directive(sink, 1, ".zeros");
        sink.put(PartKind::Immediate, &block.data.len().to_string());
        sink.end_line();
    } else if block.kind.header_of().is_some() || !block.data.is_empty() {
        directive(sink, 1, ".data");
        sink.put(PartKind::Immediate, &to_hex(&block.data));
        sink.end_line();
    }
}

/// The directive of an entry of a table.
pub(super) fn entry_directive(table: TableKind) -> &'static str {
    match table {
        TableKind::Blocks => ".uniform_block",
        TableKind::Uniforms => ".uniform",
        TableKind::InitialValues => ".initial_value",
        TableKind::Loops => ".loop",
        TableKind::Samplers => ".sampler",
        TableKind::Attributes => ".attribute",
    }
}

/// What the words of a row hold that are left out at its end.
pub(super) fn fill(row: &Row) -> u32 {
    match row.name {
        name if name == SPI_VS_OUT_ID.name => u32::MAX,
        name if name == SQ_VTX_SEMANTIC.name => 0xFF,
        _ => 0,
    }
}

fn write_contents(sink: &mut impl Sink, contents: &Contents) {
    for row in contents.kind.rows() {
        let (name, register) = match row.member {
            Member::Register(register) => (".register", Some(register).filter(|it| it.fields.len() > 1)),
            Member::Word => (".word", None),
            _ => continue,
        };
        let start = usize::from(row.word);
        let words = contents.words.get(start..start + usize::from(row.count)).unwrap_or_default();
        let kept = words.iter().rposition(|&word| word != fill(row)).map_or(0, |last| last + 1);
        let words = words.get(..kept).unwrap_or_default();
        if words.is_empty() {
            continue;
        }
        directive(sink, 1, name);
        sink.put(PartKind::Name, row.name);
        for &word in words {
            match register.filter(|register| row.count == 1 && register.reserved(word) == 0) {
                Some(register) => {
                    for field in register.fields.iter().filter(|field| field.of(word) != 0) {
                        suffix(sink, field.name, field.of(word));
                    }
                }
                None => {
                    sink.put(PartKind::Plain, " ");
                    let text = if register.is_some() { format!("{word:#x}") } else { word.to_string() };
                    sink.put(PartKind::Immediate, &text);
                }
            }
        }
        sink.end_line();
    }
    for table in contents.kind.tables() {
        for entry in contents.table(table) {
            write_entry(sink, table, entry);
        }
    }
}

fn write_entry(sink: &mut impl Sink, table: TableKind, entry: &EntryContents) {
    directive(sink, 1, entry_directive(table));
    if let Some(name) = &entry.name {
        // A long name stands in quotes like one of odd characters.
        let text = if name.is_empty() { quoted(name) } else { written(name) };
        sink.put(PartKind::Name, &text);
    }
    let fields = table.fields().iter().skip(usize::from(table.is_named()));
    for (field, &word) in fields.zip(&entry.words) {
        match (table, *field) {
            (TableKind::Uniforms | TableKind::Attributes, "type") if VarType(word).shape().is_some() => {
                suffix_text(sink, field, &VarType(word).name());
            }
            (TableKind::InitialValues, "x" | "y" | "z" | "w") | (TableKind::Loops, "value") => {
                suffix_text(sink, field, &format!("{word:#x}"));
            }
            (_, "block") if word == u32::MAX => suffix_text(sink, field, "none"),
            _ => suffix(sink, field, word),
        }
    }
    sink.end_line();
}
