//! From the model to the manifest.

use super::super::layout::{Item, Layout};
use super::super::model::{Code, Constant, ConstantValue, Dvle, Executable, GeometryWord, HeaderForm, Shbin};
use super::super::register::{Unified, mask_letters, semantic_name};
use super::super::{Label, Uniform, entries};
use crate::shared::{
    Strings,
    opaque::{escape, to_hex},
    parts::Parts,
};
use std::collections::BTreeMap;
use unshade_bytes::{F24, Limits, Result};

/// The manifest of a file; everything that is no text goes into `parts`.
pub(crate) fn extract(file: &Shbin, parts: &mut Parts) -> Result<String> {
    file.plan()?;
    let mut out = Printer { text: String::new(), parts };
    out.line("# A 3DS shader binary, taken apart. Offsets and counts follow from what is here.");
    out.line("format = \"shbin\"");
    match file {
        Shbin::Linked(file) => {
            out.line("kind = \"dvlb\"");
            out.layout(&file.layout);
            out.trailing(&file.trailing);
            out.line("\n[program]");
            out.number("version", file.program.version.into());
            out.number("unknown_06", file.program.unknown_06.into());
            if let HeaderForm::Short { word_18 } = file.program.header {
                out.line(&format!("short_header = {word_18:#x}"));
            }
            out.code(&file.program.code, &file.program.file_names, true);
            for dvle in &file.executables {
                out.line("\n[[executable]]");
                out.executable(&dvle.executable, Some(dvle));
            }
        }
        Shbin::Object(file) => {
            out.line("kind = \"dvoj\"");
            out.layout(&file.layout);
            out.trailing(&file.trailing);
            let rows = file.relocations.iter().map(|entry| {
                let [first, second] = entry.unknown;
                format!("[{:#05x}, {first:#x}, {second:#x}]", entry.word)
            });
            out.list("relocations", rows);
            out.line("\n[program]");
            out.code(&file.code, &file.executable.symbols, false);
            out.line("\n[[executable]]");
            out.executable(&file.executable, None);
        }
    }
    Ok(out.text)
}

struct Printer<'p> {
    text: String,
    parts: &'p mut Parts,
}

impl Printer<'_> {
    fn line(&mut self, line: &str) {
        self.text.push_str(line);
        self.text.push('\n');
    }

    /// A field that is 0 when it is left out.
    fn number(&mut self, name: &str, value: u32) {
        if value != 0 {
            self.line(&format!("{name} = {value:#x}"));
        }
    }

    /// A list with one entry a line; nothing for an empty one.
    fn list(&mut self, name: &str, rows: impl Iterator<Item = String>) {
        let mut rows = rows.peekable();
        if rows.peek().is_none() {
            return;
        }
        self.line(&format!("{name} = ["));
        for row in rows {
            self.line(&format!("    {row},"));
        }
        self.line("]");
    }

    fn layout(&mut self, layout: &Layout) {
        let items = match layout {
            Layout::Standard(producer) => return self.line(&format!("layout = \"{}\"", producer.name())),
            Layout::Explicit(items) => items,
        };
        let mut opaque = 0_usize;
        let mut steps = Vec::with_capacity(items.len());
        for item in items {
            steps.push(match item {
                Item::Opaque(bytes) => {
                    let name = format!("opaque-{opaque}.bin");
                    opaque = opaque.saturating_add(1);
                    self.parts.insert(name.as_str(), bytes.0.clone());
                    quoted(&format!("file {name}"))
                }
                item => quoted(&item.to_string()),
            });
        }
        if steps.is_empty() {
            self.line("layout = []");
        }
        self.list("layout", steps.into_iter());
    }

    fn trailing(&mut self, bytes: &[u8]) {
        if !bytes.is_empty() {
            self.parts.insert("trailing.bin", bytes);
            self.line("trailing = \"trailing.bin\"");
        }
    }

    fn code(&mut self, code: &Code, names: &Strings, own_names: bool) {
        let mut bytes = Vec::new();
        entries::write(&code.words, &mut bytes);
        self.parts.insert("code.bin", bytes);
        self.line("code = \"code.bin\"");
        let descriptors = code.descriptors.iter();
        self.list("descriptors", descriptors.map(|d| format!("[{:#010x}, {:#x}]", d.bits, d.high)));
        if own_names {
            self.strings("file_names", names, "file-names.bin");
        }
        let index = Index::new(names);
        let lines = code.lines.iter();
        self.list(
            "lines",
            lines.map(|line| match index.whole(line.file) {
                Some(name) => format!("[{}, {}]", quoted(&name), line.line),
                None => format!("[{:#x}, {}]", line.file, line.line),
            }),
        );
    }

    /// All strings of a table as a list; as a file where the last one has no end.
    fn strings(&mut self, name: &str, strings: &Strings, file: &str) {
        if strings.terminated() < strings.0.len() {
            self.parts.insert(file, strings.0.clone());
            self.line(&format!("{name}_file = \"{file}\""));
        } else {
            self.list(name, strings.iter().map(|(_, string)| quoted(&escape(string))));
        }
    }

    fn executable(&mut self, executable: &Executable, dvle: Option<&Dvle>) {
        match executable.kind {
            0 => self.line("kind = \"vertex\""),
            1 => self.line("kind = \"geometry\""),
            other => self.line(&format!("kind = {other}")),
        }
        self.number("version", executable.version.into());
        self.number("flags", executable.flags.into());
        if let Some(dvle) = dvle {
            self.line(&format!("entry = {:#05x}", dvle.entry));
            self.line(&format!("end = {:#05x}", dvle.end));
        }
        self.line(&format!("input_mask = {:#06x}", executable.input_mask));
        self.line(&format!("output_mask = {:#06x}", executable.output_mask));
        let usual = if dvle.is_some() { GeometryWord::default() } else { GeometryWord::UNSET };
        if executable.geometry != usual || executable.kind == 1 {
            self.line("# mode (0 point, 1 variable, 2 fixed), first uniform, full vertices, vertices");
            self.line(&format!("geometry = {:?}", executable.geometry.to_bytes()));
        }
        let index = Index::new(&executable.symbols);
        if !index.follows_from(executable) {
            let file = format!("strings-{}.bin", self.parts.files().count());
            self.strings("strings", &executable.symbols, &file);
            if executable.symbols.0.is_empty() {
                self.line("strings = []");
            }
        }
        self.list("constants", executable.constants.iter().map(constant));
        self.list("labels", executable.labels.iter().map(|entry| label(entry, &index)));
        let outputs = executable.outputs.iter().map(|output| {
            let mask = match output.mask {
                1..=15 => quoted(&mask_letters(output.mask)),
                other => format!("{other:#x}"),
            };
            let unknown = optional("unknown_06", output.unknown_06.into());
            let semantic = quoted(&semantic_name(output.semantic));
            format!("{{ semantic = {semantic}, register = {}, mask = {mask}{unknown} }}", output.register)
        });
        self.list("outputs", outputs);
        self.list("uniforms", executable.uniforms.iter().map(|entry| uniform(entry, &index)));
    }
}

/// The whole strings of a table by their offsets, and where a text stands first.
struct Index<'s> {
    by_offset: BTreeMap<u32, &'s [u8]>,
    first: BTreeMap<&'s [u8], u32>,
    strings: &'s Strings,
}

impl<'s> Index<'s> {
    fn new(strings: &'s Strings) -> Self {
        let mut index = Self { by_offset: BTreeMap::new(), first: BTreeMap::new(), strings };
        for (offset, string) in strings.iter() {
            let Ok(offset) = u32::try_from(offset) else { break };
            index.by_offset.insert(offset, string);
            index.first.entry(string).or_insert(offset);
        }
        index
    }

    /// The text at `offset` where the text alone finds that place again. Long ones are left to their
    /// offset: many entries may share one.
    fn whole(&self, offset: u32) -> Option<String> {
        let string = self.by_offset.get(&offset).filter(|string| string.len() <= Limits::DEFAULT.name)?;
        (self.first.get(string) == Some(&offset)).then(|| escape(string))
    }

    fn name(&self, offset: u32) -> String {
        match self.whole(offset) {
            Some(name) => format!("name = {}", quoted(&name)),
            None => format!("name_at = {offset:#x}"),
        }
    }

    /// Whether the table is what a builder makes of the names of labels and uniforms alone.
    fn follows_from(&self, executable: &Executable) -> bool {
        let mut end = 0;
        let labels = executable.labels.iter().map(|label| label.name);
        for offset in labels.chain(executable.uniforms.iter().map(|uniform| uniform.name)) {
            let Some(string) = self.by_offset.get(&offset).filter(|_| self.whole(offset).is_some()) else {
                return false;
            };
            if offset as usize == end {
                end = end.saturating_add(string.len()).saturating_add(1);
            } else if offset as usize > end {
                return false;
            }
        }
        end == self.strings.0.len()
    }
}

fn constant(constant: &Constant) -> String {
    let (letter, value, tail) = match &constant.value {
        ConstantValue::Bool { word: word @ (0 | 1), tail } => {
            ("b", format!("bool = {}", *word == 1), tail.as_slice())
        }
        ConstantValue::Bool { word, tail } => ("b", format!("bool = {word:#x}"), tail.as_slice()),
        ConstantValue::Int { xyzw, tail } => ("i", format!("int = {xyzw:?}"), tail.as_slice()),
        ConstantValue::Float(words) => {
            ("c", format!("float = [{}]", words.map(component).join(", ")), [].as_slice())
        }
        ConstantValue::Unknown { kind, payload } => {
            ("r", format!("kind = {kind:#x}, payload = \"{}\"", to_hex(payload)), [].as_slice())
        }
    };
    let byte_03 = optional("byte_03", constant.byte_03.into());
    let tail = if tail.iter().all(|&byte| byte == 0) {
        String::new()
    } else {
        format!(", tail = \"{}\"", to_hex(tail))
    };
    format!("{{ register = \"{letter}{}\", {value}{byte_03}{tail} }}", constant.register)
}

/// A float as text where that gives the same word back, else its bits.
fn component(word: u32) -> String {
    let value = F24::from_bits(word);
    let text = format!("{:?}", value.to_f32());
    let back = text.parse::<f64>().map(|parsed| F24::from_f32(parsed as f32).to_bits());
    if !value.is_nan() && back == Ok(word) { text } else { format!("\"{word:#08x}\"") }
}

fn label(label: &Label, index: &Index<'_>) -> String {
    let unknown = optional("unknown_02", label.unknown_02.into());
    let size = if label.size == u32::MAX { String::new() } else { format!(", size = {:#x}", label.size) };
    let name = index.name(label.name);
    format!("{{ {name}, id = {}, position = {:#05x}{size}{unknown} }}", label.id, label.position)
}

fn uniform(uniform: &Uniform, index: &Index<'_>) -> String {
    let (first, last) = (Unified(uniform.first), Unified(uniform.last));
    format!("{{ {}, first = \"{first}\", last = \"{last}\" }}", index.name(uniform.name))
}

fn optional(name: &str, value: u32) -> String {
    if value == 0 { String::new() } else { format!(", {name} = {value:#x}") }
}

/// A TOML basic string.
fn quoted(text: &str) -> String {
    let mut quoted = String::with_capacity(text.len().saturating_add(2));
    quoted.push('"');
    for character in text.chars() {
        match character {
            '"' | '\\' => {
                quoted.push('\\');
                quoted.push(character);
            }
            '\0'..='\u{1f}' | '\u{7f}' => quoted.push_str(&format!("\\u{:04x}", u32::from(character))),
            _ => quoted.push(character),
        }
    }
    quoted.push('"');
    quoted
}
