//! Every field of an archive by name, with its value and its place.

use super::model::{Array, Binary, Macro, Program, Record, Sharcfb, Symbol, SymbolKind};
use super::raw::{self, HEADER, MAGIC, NO_BINARIES, VERSION};
use super::write::Placed;
use crate::gx2::{Shader, tree};
use crate::{Coding, Strings, opaque::escape, tree::Node};
use unshade_bytes::{Endian, Limits, Result};

/// Words of a default value in one row of the tree.
const WORDS_IN_A_ROW: usize = 4;

impl Sharcfb {
    /// The structure of the archive with names, values and places.
    ///
    /// # Errors
    /// Where the model was changed to what no file can hold.
    pub fn tree(&self) -> Result<Node> {
        let len = self.write()?.len();
        let mut root = Node::new("sharcfb", 0).value(self.describe());
        root.field("magic", 4, format_args!("\"{}\"", escape(&raw::bytes(MAGIC, self.endian))));
        root.field("version", 4, VERSION);
        root.field("file_size", 4, self.file_size.map_or(len as u64, u64::from));
        root.field("endian", 4, self.endian_word());
        root.number("resolved", 4, self.resolved);
        root.field("name_length", 4, self.name.0.len());
        debug_assert_eq!(root.end(), HEADER as u64);
        strings(&mut root, "name", &self.name);
        if let Some(binaries) = &self.binaries {
            let placed = self.placed()?;
            let node = array(binaries, "binaries", root.end(), |index, node, binary: &Binary| {
                if let Some(placed) = placed.get(index) {
                    self.binary(node, binary, placed);
                }
            });
            root.push(node);
        }
        if let Some(programs) = &self.programs {
            let node = array(programs, "programs", root.end(), |_, node, program| {
                program_fields(node, program, self.endian);
            });
            root.push(node);
        }
        if !self.trailing.is_empty() {
            root.unknown("trailing", &self.trailing, bytes(self.trailing.len()));
        }
        Ok(root)
    }

    /// What the file is, in a few words.
    pub fn describe(&self) -> String {
        let (binaries, programs) = (self.binaries().count(), self.programs().count());
        let plural = |count: usize, one: &str, many: &str| match count {
            1 => format!("1 {one}"),
            count => format!("{count} {many}"),
        };
        format!(
            "SHARCFB version {VERSION}, {} endian, {} with {}",
            self.endian.name(),
            plural(programs, "program", "programs"),
            plural(binaries, "binary", "binaries"),
        )
    }
}

/// An array at `at`: its size and count, the records, what is left.
fn array<T>(
    array: &Array<Record<T>>,
    name: &str,
    at: u64,
    mut fill: impl FnMut(usize, &mut Node, &T),
) -> Node {
    let mut node = Node::new(name, at);
    // The size is known when the records are there.
    node.field("size", 4, "");
    node.field("count", 4, array.count.map_or(array.items.len() as u64, u64::from));
    for (index, record) in array.items.iter().enumerate() {
        let mut child = Node::new(format!("[{index}]"), node.end());
        child.field("size", 4, "");
        match record {
            Record::Known(record) => fill(index, &mut child, record),
            Record::Damaged(contents) => {
                child = child.value("damaged");
                child.unknown("contents", contents, bytes(contents.len()));
            }
        }
        let size = child.size;
        set_size(&mut child, size);
        node.push(child);
    }
    if !array.stray.is_empty() {
        node.unknown("stray", &array.stray, bytes(array.stray.len()));
    }
    let size = array.size.map_or(node.size, u64::from);
    set_size(&mut node, size);
    match array.items.len() {
        1 => node.value("1 entry"),
        count => node.value(format_args!("{count} entries")),
    }
}

fn set_size(node: &mut Node, size: u64) {
    if let Some(field) = node.children.first_mut() {
        field.value = Some(size.to_string());
    }
}

fn bytes(count: usize) -> String {
    if count == 1 { "1 byte".to_owned() } else { format!("{count} bytes") }
}

/// A string with its NUL; what its length covers behind that is padding.
fn strings(node: &mut Node, name: &str, text: &Strings) {
    let all = &text.0;
    let end = all.iter().position(|&byte| byte == 0).map_or(all.len(), |nul| nul.saturating_add(1));
    let (front, rest) = all.split_at_checked(end).unwrap_or((all, &[]));
    let near = front.get(..Limits::DEFAULT.name).unwrap_or(front);
    if !front.is_empty() {
        node.coded(name, front.len() as u64, format_args!("\"{}\"", escape(raw::text(near))), Coding::Text);
    }
    node.unused(format!("{name}_rest"), rest);
}

/// Strings one after the other.
fn list(node: &mut Node, name: &str, text: &Strings) {
    let mut child = Node::new(name, node.end());
    let mut values = 0_usize;
    for string in text.0.split_inclusive(|&byte| byte == 0) {
        let near = string.get(..Limits::DEFAULT.name).unwrap_or(string);
        let text = format!("\"{}\"", escape(raw::text(near)));
        child.coded(format!("[{values}]"), string.len() as u64, text, Coding::Text);
        values = values.saturating_add(1);
    }
    if values > 0 {
        node.push(child);
    }
}

impl Sharcfb {
    fn binary(&self, node: &mut Node, binary: &Binary, placed: &Placed<'_>) {
        let data = placed.data.as_deref().unwrap_or(&binary.data);
        let kind = binary.shader_kind();
        node.value = Some(match kind {
            Some(kind) => format!("{} shader", kind.name()),
            None => format!("type {}", binary.kind),
        });
        node.number(
            "type",
            4,
            format_args!("{} ({})", binary.kind, kind.map_or("unknown", |kind| kind.name())),
        );
        node.field("data_offset", 4, binary.gap.len());
        node.field("data_size", 4, data.len());
        node.unused("gap", &binary.gap);
        let base = node.end();
        match kind.and_then(|kind| Shader::new(kind, self.form(), data)) {
            Some(shader) => {
                let mut child = Node::new("data", base);
                tree::fill(&mut child, &shader, base, Vec::new());
                node.push(child);
            }
            None if data.is_empty() => {}
            None => node.unknown("data", data, bytes(data.len())),
        }
        if !binary.tail.is_empty() {
            node.unknown("tail", &binary.tail, bytes(binary.tail.len()));
        }
    }
}

fn program_fields(node: &mut Node, program: &Program, endian: Endian) {
    let name = program.text();
    node.value = Some(match program.variation_count() {
        Some(1) => name,
        Some(count) => format!("{name}: {count} variations"),
        None => format!("{name}: more variations than can be counted"),
    });
    node.field("name_length", 4, program.name.0.len());
    let stages = ["vertex", "pixel", "geometry"];
    let stages: Vec<_> =
        (0..3).zip(stages).filter(|(bit, _)| program.stages >> bit & 1 != 0).map(|(_, name)| name).collect();
    node.number("stages", 4, format_args!("{} ({})", program.stages, stages.join(", ")));
    match program.base {
        NO_BINARIES => node.number("first_binary", 4, "-1 (none)"),
        base => node.number("first_binary", 4, base),
    }
    strings(node, "name", &program.name);
    for (name, macros) in [("macros", &program.macros), ("defaults", &program.defaults)] {
        let child = array(macros, name, node.end(), |_, node, of: &Macro| macro_fields(node, of));
        node.push(child);
    }
    for kind in SymbolKind::ALL {
        let symbols = program.symbols(kind);
        let child = array(symbols, kind.name(), node.end(), |_, node, symbol: &Symbol| {
            symbol_fields(node, symbol, kind, endian);
        });
        node.push(child);
    }
    if !program.tail.is_empty() {
        node.unknown("tail", &program.tail, bytes(program.tail.len()));
    }
}

fn macro_fields(node: &mut Node, of: &Macro) {
    let near = |text: &[u8]| escape(text.get(..Limits::DEFAULT.name).unwrap_or(text));
    let shown: Vec<_> = of.values().take(4).map(near).collect();
    let more = if of.stated_count() > 4 { ", ..." } else { "" };
    node.value = Some(format!("{} = {}{more}", near(of.name()), shown.join(", ")));
    node.field("name_length", 4, of.name.0.len());
    node.field("value_count", 4, of.stated_count());
    node.field("id_length", 4, of.id.0.len());
    strings(node, "name", &of.name);
    list(node, "values", &of.values);
    strings(node, "id", &of.id);
}

fn symbol_fields(node: &mut Node, symbol: &Symbol, kind: SymbolKind, endian: Endian) {
    let name = raw::text(&symbol.name.0);
    node.value = Some(escape(name.get(..Limits::DEFAULT.name).unwrap_or(name)));
    node.number("offset", 4, symbol.offset);
    node.field("name_length", 4, symbol.name.0.len());
    node.field("id_length", 4, symbol.id.0.len());
    node.field("default_size", 4, symbol.default.len());
    node.field("variation_count", 4, symbol.flags.len());
    strings(node, "name", &symbol.name);
    strings(node, "id", &symbol.id);
    // The console turns the defaults of uniforms with the file; those of blocks are for the GPU.
    let order = if kind == SymbolKind::Uniforms { endian } else { Endian::Little };
    default_value(node, &symbol.default, order);
    flags(node, &symbol.flags);
    if !symbol.tail.is_empty() {
        node.unknown("tail", &symbol.tail, bytes(symbol.tail.len()));
    }
}

fn default_value(node: &mut Node, value: &[u8], endian: Endian) {
    if value.is_empty() {
        return;
    }
    let mut child = Node::new("default", node.end());
    let (words, rest) = value.as_chunks::<4>();
    for (row, words) in words.chunks(WORDS_IN_A_ROW).enumerate() {
        let text: Vec<_> =
            words.iter().map(|word| format!("{:08x}", raw::word(word, 0, endian).unwrap_or(0))).collect();
        let index = row.saturating_mul(WORDS_IN_A_ROW);
        let size = words.as_flattened().len() as u64;
        child.coded(format!("[{index}]"), size, text.join(" "), Coding::Words(endian));
    }
    if !rest.is_empty() {
        child.unknown("rest", rest, bytes(rest.len()));
    }
    node.push(child);
}

fn flags(node: &mut Node, flags: &[u8]) {
    if flags.is_empty() {
        return;
    }
    let used = flags.iter().filter(|&&flag| flag != 0).count();
    let mut child = Node::new("flags", node.end()).value(format_args!("used by {used} of {}", flags.len()));
    for (row, flags) in flags.chunks(64).enumerate() {
        let text: Vec<_> = flags.iter().map(u8::to_string).collect();
        let name = format!("[{}]", row.saturating_mul(64));
        child.coded(name, flags.len() as u64, text.join(" "), Coding::Components);
    }
    node.push(child);
}
