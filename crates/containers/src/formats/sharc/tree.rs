//! Every field of an archive of sources by name, with its value and its place.

use super::model::{Info, Program, Sharc, Source, SourceIndex, Stage, StageMacro, symbol_kinds};
use super::raw::{HEADER, MAGIC};
use crate::formats::agl::model::{Macro, Symbol};
use crate::formats::agl::raw::{bytes as word_bytes, text};
use crate::formats::agl::tree::{array, blocks, bytes, macro_fields, strings, symbol_fields, tail};
use crate::shared::{opaque::escape, tree::Node};
use unshade_bytes::{Endian, Limits, Result};

impl Sharc {
    /// The structure of the archive with names, values and places.
    ///
    /// # Errors
    /// Where the model was changed to what no file can hold.
    pub fn tree(&self) -> Result<Node> {
        let len = self.write()?.len();
        let mut root = Node::new("sharc", 0).value(self.describe());
        root.field("magic", 4, format_args!("\"{}\"", escape(&word_bytes(MAGIC, self.endian))));
        root.field("version", 4, self.version);
        root.field("file_size", 4, self.file_size.map_or(len as u64, u64::from));
        root.field("endian", 4, self.endian_word());
        root.field("name_length", 4, self.name.0.len());
        debug_assert_eq!(root.end(), HEADER as u64);
        strings(&mut root, "name", &self.name);
        if let Some(programs) = &self.programs {
            let node = array(programs, "programs", root.end(), |_, node, program| {
                self.program(node, program);
            });
            root.push(node);
        }
        if let Some(sources) = &self.sources {
            let node =
                array(sources, "sources", root.end(), |_, node, source: &Source| source_fields(node, source));
            root.push(node);
        }
        if let Some(info) = &self.info {
            let node = array(info, "info", root.end(), |_, node, Info(words): &Info| {
                for (index, word) in words.iter().enumerate() {
                    node.number(format!("word{index}"), 4, format_args!("{word:#x}"));
                }
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
        let (programs, sources) = (self.programs().count(), self.sources().count());
        let plural = |count: usize, one: &str| match count {
            1 => format!("1 {one}"),
            count => format!("{count} {one}s"),
        };
        format!(
            "SHARC version {}, {} endian, {} of {}",
            self.version,
            self.endian.name(),
            plural(programs, "program"),
            plural(sources, "source text"),
        )
    }

    fn program(&self, node: &mut Node, program: &Program) {
        let rules = self.rules();
        let name = program.text();
        node.value = Some(match program.variation_count() {
            Some(1) => name,
            Some(count) => format!("{name}: {count} variations"),
            None => format!("{name}: more variations than can be counted"),
        });
        node.field("name_length", 4, program.name.0.len());
        for (stage, &word) in Stage::ALL.into_iter().zip(&program.sources) {
            let SourceIndex { index, high } = SourceIndex::of(word, rules);
            let title = index.map(|index| self.source(index).map(|source| near(&source.name.0)));
            let value = match (index, title) {
                (None, _) if rules.halves => "65535 (none)".to_owned(),
                (None, _) => "-1 (none)".to_owned(),
                (Some(index), Some(Some(title))) => format!("{index} ({title})"),
                // As the number of the file, which may have a sign.
                (Some(index), _) if rules.halves => format!("{index} (not there)"),
                (Some(index), _) => format!("{} (not there)", i32::from_ne_bytes(index.to_ne_bytes())),
            };
            let source = format!("{}_source", stage.name());
            let upper = format!("{}_source_high", stage.name());
            match (rules.halves, self.endian) {
                (false, _) => node.number(source, 4, value),
                (true, Endian::Little) => {
                    node.number(source, 2, value);
                    node.number(upper, 2, format_args!("{high:#x}"));
                }
                (true, Endian::Big) => {
                    node.number(upper, 2, format_args!("{high:#x}"));
                    node.number(source, 2, value);
                }
            }
        }
        strings(node, "name", &program.name);
        for (stage, macros) in Stage::ALL.into_iter().zip(&program.stage_macros) {
            let name = format!("{}_macros", stage.name());
            let child = array(macros, &name, node.end(), |_, node, of: &StageMacro| {
                node.value = Some(format!("{} = {}", near(&of.name.0), near(&of.value.0)));
                node.field("name_length", 4, of.name.0.len());
                node.field("value_length", 4, of.value.0.len());
                strings(node, "name", &of.name);
                strings(node, "value", &of.value);
                tail(node, &of.tail);
            });
            node.push(child);
        }
        let mut lists = vec![("macros", &program.macros)];
        if rules.defaults {
            lists.push(("defaults", &program.defaults));
        }
        for (name, macros) in lists {
            let child = array(macros, name, node.end(), |_, node, of: &Macro| macro_fields(node, of));
            node.push(child);
        }
        for kind in symbol_kinds(rules) {
            let child = array(program.symbols(kind), kind.name(), node.end(), |_, node, symbol: &Symbol| {
                symbol_fields(node, symbol, kind, self.endian);
            });
            node.push(child);
        }
        if rules.blocks {
            let child = blocks(&program.blocks, "blocks", node.end());
            node.push(child);
        }
        tail(node, &program.tail);
    }
}

fn source_fields(node: &mut Node, source: &Source) {
    node.value = Some(format!("{}, {}", near(&source.name.0), bytes(source.bytes().len())));
    node.field("name_length", 4, source.name.0.len());
    node.field("text_length", 4, source.text.0.len());
    node.number("raw_length", 4, source.raw_len());
    strings(node, "name", &source.name);
    strings(node, "text", &source.text);
    tail(node, &source.tail);
}

/// As much of a name as a line holds.
fn near(name: &[u8]) -> String {
    let name = text(name);
    escape(name.get(..Limits::DEFAULT.name).unwrap_or(name))
}
