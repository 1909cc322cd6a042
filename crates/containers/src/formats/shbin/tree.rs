//! Every field of a SHBIN by name, with its value and its place.

use super::entries::Entry;
use super::layout::{Layout, Part, Scope, Section};
use super::model::{Code, Constant, ConstantValue, Dvlb, Dvoj, Executable, GeometryWord, HeaderForm, Shbin};
use super::plan::Plan;
use super::register::{Numbered, Unified, mask_letters, semantic_name};
use crate::shared::fields::{Form, Grow, Record};
use crate::shared::{FieldEncoding, Strings, encoding::Names, opaque::escape, tree::Node};
use std::fmt::Display;
use unshade_bytes::{Endian, F24, Result};

/// Code words in one row of the tree.
const WORDS_IN_A_ROW: usize = 8;

impl Shbin {
    /// The structure of the file with names, values and places.
    ///
    /// # Errors
    /// Where the model was changed to what no file can hold.
    pub fn tree(&self) -> Result<Node> {
        let plan = self.plan()?;
        let mut root = Node::new("shbin", 0).value(self.describe());
        let trailing = match self {
            Self::Linked(file) => {
                self.linked(file, &plan, &mut root)?;
                &file.trailing
            }
            Self::Object(file) => {
                let node = self.object(file, &plan)?;
                root.push(node);
                &file.trailing
            }
        };
        for (index, fill) in plan.fills.iter().enumerate() {
            let mut node = Node::new("", fill.start);
            match &fill.bytes {
                Some(bytes) => node.unknown(format!("opaque[{index}]"), &bytes.0, "between the parts"),
                None => {
                    let zeros = vec![0; usize::try_from(fill.len).unwrap_or(0)];
                    node.unused(format!("padding[{index}]"), &zeros);
                }
            }
            root.children.append(&mut node.children);
        }
        if !trailing.is_empty() {
            let mut node = Node::new("", plan.end);
            node.unknown("trailing", &trailing.0, format_args!("{} bytes", trailing.0.len()));
            root.children.append(&mut node.children);
        }
        root.size = plan.end.saturating_add(trailing.0.len() as u64);
        Ok(root)
    }

    /// What the file is, in a few words.
    pub fn describe(&self) -> String {
        let layout = |layout: &Layout| match layout {
            Layout::Standard(producer) => format!("{} layout", producer.name()),
            Layout::Explicit(_) => "layout of its own".to_owned(),
        };
        match self {
            Self::Linked(file) => {
                let header = if file.program.header == HeaderForm::Long { "" } else { ", short DVLP header" };
                let versions = match file.executables.first() {
                    Some(dvle) => {
                        format!("DVLP {:#x}, DVLE {:#x}", file.program.version, dvle.executable.version)
                    }
                    None => format!("DVLP {:#x}", file.program.version),
                };
                let count = match file.executables.len() {
                    1 => "1 executable".to_owned(),
                    count => format!("{count} executables"),
                };
                format!("DVLB with {count}, versions {versions}, {}{header}", layout(&file.layout))
            }
            Self::Object(file) => {
                format!("DVOJ object, version {:#x}, {}", file.executable.version, layout(&file.layout))
            }
        }
    }

    fn linked(&self, file: &Dvlb, plan: &Plan, root: &mut Node) -> Result<()> {
        root.field("magic", 4, "\"DVLB\"");
        root.field("dvle_count", 4, file.executables.len());
        let mut offsets = Node::new("dvle_offsets", root.end());
        let mut executables = Vec::with_capacity(file.executables.len());
        for (index, dvle) in (0_u32..).zip(&file.executables) {
            let scope = Scope::Executable(index);
            let start = plan.start(Part { scope, section: Section::Header });
            offsets.field(format!("[{index}]"), 4, hex(start));
            let mut node = Node::new(scope.to_string(), start).value(kind_name(&dvle.executable));
            node.field("magic", 4, "\"DVLE\"");
            kind_fields(&dvle.executable, &mut node);
            node.number("entry", 4, hex(dvle.entry));
            node.number("end", 4, hex(dvle.end));
            masks(&dvle.executable, &mut node);
            self.table_fields(plan, scope, &Section::TABLES, &mut node)?;
            executable_tables(&dvle.executable, plan, scope, &mut node);
            executables.push(node);
        }
        root.push(offsets);

        let program = &file.program;
        let mut node = Node::new("dvlp", root.end()).value(match program.header {
            HeaderForm::Long => "program",
            HeaderForm::Short { .. } => "program, short header",
        });
        node.field("magic", 4, "\"DVLP\"");
        node.number("version", 2, hex(program.version));
        node.unknown("unknown_06", &program.unknown_06.to_le_bytes(), hex(program.unknown_06));
        match program.header {
            HeaderForm::Long => self.table_fields(plan, Scope::Program, &Section::PROGRAM, &mut node)?,
            HeaderForm::Short { word_18 } => {
                let sections = [Section::Code, Section::Descriptors];
                self.table_fields(plan, Scope::Program, &sections, &mut node)?;
                node.unknown("word_18", &word_18.to_le_bytes(), hex(word_18));
            }
        }
        code_tables(&program.code, &program.file_names, plan, Scope::Program, &mut node);
        let part = Part { scope: Scope::Program, section: Section::FileNames };
        strings(&program.file_names, part, plan, &mut node);
        root.push(node);
        root.children.append(&mut executables);
        Ok(())
    }

    fn object(&self, file: &Dvoj, plan: &Plan) -> Result<Node> {
        let scope = Scope::Object;
        let mut node = Node::new(scope.to_string(), 0).value(kind_name(&file.executable));
        node.field("magic", 4, "\"DVOJ\"");
        kind_fields(&file.executable, &mut node);
        masks(&file.executable, &mut node);
        self.table_fields(plan, scope, &Section::OBJECT, &mut node)?;
        executable_tables(&file.executable, plan, scope, &mut node);
        code_tables(&file.code, &file.executable.symbols, plan, scope, &mut node);
        let part = Part { scope, section: Section::Relocations };
        table(&file.relocations, part, plan, &mut node, |entry, relocation| {
            fields(entry, *relocation);
            let (first, second) = (relocation.unknown_04, relocation.unknown_08);
            format!("word {:#05x}, unknown {first:#x} {second:#x}", relocation.word)
        });
        Ok(node)
    }

    fn table_fields(&self, plan: &Plan, scope: Scope, sections: &[Section], node: &mut Node) -> Result<()> {
        for &section in sections {
            let field = self.table(plan, scope, section)?;
            let count = match section {
                Section::Symbols | Section::FileNames => "size",
                _ => "count",
            };
            node.field(format!("{}_offset", section.name()), 4, hex(field.offset));
            node.field(format!("{}_{count}", section.name()), 4, field.count);
        }
        Ok(())
    }
}

/// What kinds of programs are called, from 0 on.
const KINDS: [&str; 2] = ["vertex program", "geometry program"];

fn kind_name(executable: &Executable) -> String {
    match KINDS.get(usize::from(executable.kind)) {
        Some(name) => (*name).to_owned(),
        None => format!("{} (program of unknown kind)", executable.kind),
    }
}

fn kind_fields(executable: &Executable, node: &mut Node) {
    node.number("version", 2, hex(executable.version));
    node.coded("kind", 1, kind_name(executable), FieldEncoding::Spelled(&Names(&KINDS)));
    let merge = if executable.flags & 1 == 1 { " (merge output maps)" } else { "" };
    node.number("flags", 1, format_args!("{:#x}{merge}", executable.flags));
}

fn masks(executable: &Executable, node: &mut Node) {
    node.number("input_mask", 2, format_args!("{:#06x}", executable.input_mask));
    node.number("output_mask", 2, format_args!("{:#06x}", executable.output_mask));
    let word = executable.geometry;
    let mut geometry = Node::new("geometry", node.end()).value(geometry_name(word));
    fields(&mut geometry, word);
    node.push(geometry);
}

fn geometry_name(word: GeometryWord) -> String {
    match word.mode {
        _ if word == GeometryWord::UNSET => "not set".to_owned(),
        0 => "point".to_owned(),
        1 => format!("variable, {} full vertices", word.full_vertices),
        2 => format!("fixed, {} vertices into c{} up", word.vertices, word.first_uniform),
        mode => format!("unknown mode {mode}"),
    }
}

fn executable_tables(executable: &Executable, plan: &Plan, scope: Scope, node: &mut Node) {
    let part = |section| Part { scope, section };
    let symbols = &executable.symbols;
    table(&executable.constants, part(Section::Constants), plan, node, constant);
    table(&executable.labels, part(Section::Labels), plan, node, |entry, label| {
        fields(entry, *label);
        let size = if label.size == u32::MAX { String::new() } else { format!(", {} words", label.size) };
        format!("{} at word {:#05x}{size}", quoted(symbols, label.name), label.position)
    });
    table(&executable.outputs, part(Section::Outputs), plan, node, |entry, output| {
        fields(entry, *output);
        format!("{} in o{}.{}", semantic_name(output.semantic), output.register, mask_letters(output.mask))
    });
    table(&executable.uniforms, part(Section::Uniforms), plan, node, |entry, uniform| {
        let (first, last) = (Unified(uniform.first), Unified(uniform.last));
        fields(entry, *uniform);
        let registers = if first == last { first.to_string() } else { format!("{first}-{last}") };
        format!("{} in {registers}", quoted(symbols, uniform.name))
    });
    strings(symbols, part(Section::Symbols), plan, node);
}

fn constant(entry: &mut Node, constant: &Constant) -> String {
    let [k0, k1, ..] = constant.to_bytes();
    let (kind, spelling): (_, &'static Numbered) = match constant.value {
        ConstantValue::Bool { .. } => ("bool", &Numbered('b')),
        ConstantValue::Int { .. } => ("int", &Numbered('i')),
        ConstantValue::Float(_) => ("float", &Numbered('c')),
        ConstantValue::Unknown { .. } => ("unknown", &Numbered('?')),
    };
    let letter = spelling.0;
    entry.number("kind", 2, format_args!("{} ({kind})", u16::from_le_bytes([k0, k1])));
    let register = format!("{letter}{}", constant.register);
    entry.coded("register", 1, register, FieldEncoding::Spelled(spelling));
    entry.unused("byte_03", &[constant.byte_03]);
    let summary = match &constant.value {
        ConstantValue::Bool { word, tail } => {
            entry.number("value", 4, hex(*word));
            entry.unused("tail", tail);
            format!("{}", word & 1 == 1)
        }
        ConstantValue::Int { xyzw, tail } => {
            entry.coded("value", 4, format_args!("{xyzw:?}"), FieldEncoding::Components);
            entry.unused("tail", tail);
            format!("{xyzw:?}")
        }
        ConstantValue::Float(words) => {
            for (name, word) in ["x", "y", "z", "w"].into_iter().zip(words) {
                let float = F24::from_bits(*word).to_f32();
                entry.coded(name, 4, format_args!("{word:#08x} ({float:?})"), FieldEncoding::Float24);
            }
            format!("{:?}", words.map(|word| F24::from_bits(word).to_f32()))
        }
        ConstantValue::Unknown { payload, .. } => {
            entry.unknown("payload", payload, "of unknown kind");
            "of unknown kind".to_owned()
        }
    };
    format!("{letter}{} = {summary}", constant.register)
}

fn code_tables(code: &Code, names: &Strings, plan: &Plan, scope: Scope, node: &mut Node) {
    let part = |section| Part { scope, section };
    let mut words = Node::new("code", plan.start(part(Section::Code)))
        .value(format_args!("{} instruction words", code.words.len()));
    for (row, start) in code.words.chunks(WORDS_IN_A_ROW).zip((0_usize..).step_by(WORDS_IN_A_ROW)) {
        let text: Vec<String> = row.iter().map(|word| format!("{word:08x}")).collect();
        let (size, coding) = ((row.len() as u64).saturating_mul(4), FieldEncoding::Words(Endian::Little));
        words.coded(format!("[{start:#05x}]"), size, text.join(" "), coding);
    }
    node.children.push(words);
    table(&code.descriptors, part(Section::Descriptors), plan, node, |entry, descriptor| {
        fields(entry, *descriptor);
        format!("{:#010x} {:#x}", descriptor.bits, descriptor.high)
    });
    table(&code.lines, part(Section::Lines), plan, node, |entry, line| {
        fields(entry, *line);
        format!("{} line {}", quoted(names, line.file), line.line)
    });
}

/// Adds the fields of a record.
fn fields(node: &mut Node, mut record: impl Record) {
    // A tree has room for every value.
    let _ = record.visit(&mut Grow::new(Form::plain(Endian::Little), node));
}

/// Adds a table: `fill` names the fields of an entry and sums them up.
fn table<const N: usize, T: Entry<N>>(
    entries: &[T],
    part: Part,
    plan: &Plan,
    parent: &mut Node,
    mut fill: impl FnMut(&mut Node, &T) -> String,
) {
    let title = match part.section {
        Section::Lines => "line table (block 1), ",
        Section::Relocations => "relocation table (block 2), ",
        _ => "",
    };
    let entries_are = if entries.len() == 1 { "entry" } else { "entries" };
    let mut node = Node::new(part.section.name(), plan.start(part))
        .value(format_args!("{title}{} {entries_are}", entries.len()));
    for (index, entry) in entries.iter().enumerate() {
        let mut child = Node::new(format!("[{index}]"), node.end());
        let summary = fill(&mut child, entry);
        node.push(child.value(summary));
    }
    parent.children.push(node);
}

fn strings(strings: &Strings, part: Part, plan: &Plan, parent: &mut Node) {
    let mut node = Node::new(part.section.name(), plan.start(part))
        .value(format_args!("{} bytes of strings", strings.0.len()));
    for (offset, string) in strings.iter() {
        let size = (string.len() as u64).saturating_add(1);
        node.coded(
            format!("[{offset:#x}]"),
            size,
            format_args!("\"{}\"", escape(string)),
            FieldEncoding::Text,
        );
    }
    let rest = strings.0.get(strings.terminated()..).unwrap_or_default();
    if !rest.is_empty() {
        node.unknown("unterminated", rest, format_args!("\"{}\"", escape(rest)));
    }
    parent.children.push(node);
}

fn quoted(strings: &Strings, offset: u32) -> String {
    match strings.text(offset) {
        Some(text) => format!("\"{}\"", escape(text.as_bytes())),
        None => format!("(no name at {offset:#x})"),
    }
}

fn hex(value: impl Into<u64>) -> impl Display {
    struct Hex(u64);
    impl Display for Hex {
        fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            write!(f, "{:#x}", self.0)
        }
    }
    Hex(value.into())
}
