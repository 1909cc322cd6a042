//! Every field of an archive by name, with its value and its place.

use super::model::{Binary, Extra, Macro, Program, Sharcfb, Symbol, SymbolKind};
use super::raw::{self, HEADER, MAGIC, NO_BINARIES};
use super::write::Placed;
use crate::formats::agl::tree::{array, blocks, bytes, macro_fields, strings, symbol_fields};
use crate::formats::gx2::{Shader, tree};
use crate::shared::{opaque::escape, tree::Node};
use unshade_bytes::{Endian, Result};

impl Sharcfb {
    /// The structure of the archive with names, values and places.
    ///
    /// # Errors
    /// Where the model was changed to what no file can hold.
    pub fn tree(&self) -> Result<Node> {
        let len = self.write()?.len();
        let mut root = Node::new("sharcfb", 0).value(self.describe());
        root.field("magic", 4, format_args!("\"{}\"", escape(&raw::bytes(MAGIC, self.endian))));
        root.field("version", 4, self.version);
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
            "SHARCFB version {}, {} endian, {} with {}",
            self.version,
            self.endian.name(),
            plural(programs, "program", "programs"),
            plural(binaries, "binary", "binaries"),
        )
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
        if let Some(extra) = program.extra.as_ref().filter(|_| kind == SymbolKind::Uniforms) {
            let child = extra_section(extra, node.end());
            node.push(child);
        }
    }
    if !program.tail.is_empty() {
        node.unknown("tail", &program.tail, bytes(program.tail.len()));
    }
}

fn extra_section(extra: &Extra, at: u64) -> Node {
    match extra {
        Extra::Blocks(array) => blocks(array, "extra", at),
        Extra::Bytes { size, bytes: contents } => {
            let mut node = Node::new("extra", at).value("no array of blocks");
            let len = (contents.len() as u64).saturating_add(4);
            node.field("size", 4, size.map_or(len, u64::from));
            if !contents.is_empty() {
                node.unknown("contents", contents, bytes(contents.len()));
            }
            node
        }
    }
}
