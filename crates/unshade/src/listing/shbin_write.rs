//! SHBIN to listing text.

use super::symbols::{SymbolRule, name_at, quoted, written};
use unshade_bytes::F24;
use unshade_containers::{
    Opaque, Strings,
    opaque::to_hex,
    shbin::{
        Code, Constant, ConstantValue, Executable, GeometryWord, HeaderForm, Label, Layout as FileLayout,
        Shbin,
        register::{Unified, letter, semantic_name},
    },
};
use unshade_isa::{
    pica200::{
        asm::operand::Class,
        listing::{
            CodeText, Layout, Named, Remarks, Root, indent, output_names, write_code, write_descriptors,
        },
        names::to_code_name,
    },
    text::{PartKind, Sink},
};
use unshade_stage::Space;

/// Column of the arguments of a table's line.
const ARGUMENTS: usize = 16;

/// Writes the listing of a file.
pub(super) fn write(sink: &mut impl Sink, file: &Shbin, remarks: Remarks) {
    let (code, programs) = match file {
        Shbin::Linked(linked) => {
            let programs = linked
                .executables
                .iter()
                .map(|dvle| Program {
                    executable: &dvle.executable,
                    entry: Some((dvle.entry, dvle.end)),
                    names: names(&dvle.executable),
                })
                .collect();
            (&linked.program.code, programs)
        }
        Shbin::Object(object) => {
            let executable = &object.executable;
            (&object.code, vec![Program { executable, entry: None, names: names(executable) }])
        }
    };
    let words: Vec<u32> = code.descriptors.iter().map(|descriptor| descriptor.bits).collect();
    let high: Vec<u32> = code.descriptors.iter().map(|descriptor| descriptor.high).collect();
    let text = code_text(code, &programs, &words, &high);
    let layout = text.layout();

    sink.put(PartKind::Comment, "; All that the file holds: `unshade asm` makes the same file from it.");
    sink.end_line();
    directive(sink, 0, ".container");
    sink.put(PartKind::Name, if matches!(file, Shbin::Linked(_)) { "shbin" } else { "dvoj" });
    sink.end_line();
    let (file_layout, trailing, strings) = match file {
        Shbin::Linked(linked) => {
            let program = &linked.program;
            sink.put(PartKind::Directive, ".program");
            suffix(sink, "version", program.version.into());
            if program.unknown_06 != 0 {
                suffix(sink, "unknown_06", program.unknown_06.into());
            }
            if let HeaderForm::Short { word_18 } = program.header {
                suffix(sink, "short_header", word_18);
            }
            sink.end_line();
            if !program.file_names.0.is_empty() {
                string_table(sink, 0, ".file_names", &program.file_names);
            }
            (&linked.layout, &linked.trailing, &program.file_names)
        }
        Shbin::Object(object) => (&object.layout, &object.trailing, &object.executable.symbols),
    };
    write_layout(sink, file_layout, trailing);
    let has_lines = !code.lines.is_empty();
    for program in &programs {
        sink.end_line();
        write_program(sink, program, &layout, has_lines && program.entry.is_none());
    }
    sink.end_line();
    if !words.is_empty() {
        write_descriptors(sink, &words, &high);
        sink.end_line();
    }
    let relocations = match file {
        Shbin::Linked(_) => &[][..],
        Shbin::Object(object) => &object.relocations,
    };
    let file_names = SymbolRule::given(strings.0.clone());
    let inline_lines = code.lines.len() == code.words.len();
    let inline_relocations = relocations.is_sorted_by_key(|relocation| relocation.word)
        && relocations.last().is_none_or(|last| (last.word as usize) < code.words.len());
    let mut next_relocations = relocations.iter().peekable();
    let mut last_line = None;
    write_code(sink, &text, &layout, remarks, |sink, at, depth| {
        if inline_lines
            && let Some(line) = code.lines.get(at as usize)
            && last_line != Some(*line)
        {
            last_line = Some(*line);
            indent(sink, depth);
            directive(sink, 0, ".line");
            name(sink, strings, line.file);
            sink.put(PartKind::Plain, " ");
            sink.decimal(PartKind::Immediate, line.line);
            explicit_name(sink, strings, line.file, &file_names);
            sink.end_line();
        }
        while inline_relocations
            && let Some(relocation) = next_relocations.next_if(|relocation| relocation.word == at)
        {
            indent(sink, depth);
            directive(sink, 0, ".reloc");
            two_words(sink, [relocation.unknown_04, relocation.unknown_08]);
            sink.end_line();
        }
    });
    if !inline_lines {
        for line in &code.lines {
            directive(sink, 0, ".line_entry");
            name(sink, strings, line.file);
            sink.put(PartKind::Plain, " ");
            sink.decimal(PartKind::Immediate, line.line);
            explicit_name(sink, strings, line.file, &file_names);
            sink.end_line();
        }
    }
    if !inline_relocations {
        for relocation in relocations {
            directive(sink, 0, ".reloc_entry");
            layout.places.put(sink, relocation.word);
            sink.put(PartKind::Punctuation, ", ");
            two_words(sink, [relocation.unknown_04, relocation.unknown_08]);
            sink.end_line();
        }
    }
}

struct Program<'a> {
    executable: &'a Executable,
    /// Entry point and end; an object has none of its own.
    entry: Option<(u32, u32)>,
    names: Vec<Named>,
}

/// The code with its names, as the instruction set wants it.
fn code_text<'a>(code: &'a Code, programs: &[Program<'_>], low: &'a [u32], high: &'a [u32]) -> CodeText<'a> {
    let mut text = CodeText { words: &code.words, descriptors: low, high, ..CodeText::default() };
    let length = u32::try_from(code.words.len()).unwrap_or(u32::MAX);
    for (index, program) in programs.iter().enumerate() {
        let (entry, end) = program.entry.unwrap_or((0, length));
        text.roots.push(Root {
            entry,
            end: (end != 0).then_some(end),
            name: if programs.len() == 1 { "main".to_owned() } else { format!("main{index}") },
            names: program.names.clone(),
        });
        for label in &program.executable.labels {
            let symbols = &program.executable.symbols;
            if let Some(name) = name_at(symbols, label.name).and_then(|name| std::str::from_utf8(name).ok()) {
                text.labels.push((label.position, name.to_owned()));
            }
            text.marks.push(label.position);
            if has_size(label) {
                text.marks.push(label.position.saturating_add(label.size));
            }
        }
    }
    text
}

/// Names of registers, exactly those that the tables of the listing will declare.
fn names(executable: &Executable) -> Vec<Named> {
    let mut names: Vec<Named> = executable
        .uniforms
        .iter()
        .filter_map(|uniform| {
            let name = to_code_name(std::str::from_utf8(name_at(&executable.symbols, uniform.name)?).ok()?)?;
            let (class, first) = class_of(Unified(uniform.first))?;
            Some(Named {
                class,
                first,
                last: first + u32::from(uniform.last.saturating_sub(uniform.first)),
                name,
            })
        })
        .collect();
    names.extend(outputs_named(executable));
    names
}

/// The outputs that have a name, see [`output_names`].
fn outputs_named(executable: &Executable) -> Vec<Named> {
    let meanings: Vec<_> = executable.outputs.iter().map(|output| semantic_name(output.semantic)).collect();
    output_names(
        meanings.iter().zip(&executable.outputs).map(|(name, output)| (&**name, u32::from(output.register))),
    )
}

/// A register of the uniform table as the language counts.
pub(super) fn class_of(register: Unified) -> Option<(Class, u32)> {
    let (space, number) = register.class()?;
    let class = match space {
        Space::Input => Class::Input,
        Space::Float => Class::Float,
        Space::Int => Class::Int,
        Space::Bool => Class::Bool,
        _ => return None,
    };
    Some((class, number))
}

fn directive(sink: &mut impl Sink, depth: usize, name: &str) {
    indent(sink, depth);
    sink.put(PartKind::Directive, name);
    let column = if depth == 0 { sink.column() + 1 } else { ARGUMENTS };
    sink.pad_to(column);
}

fn suffix(sink: &mut impl Sink, name: &str, value: u32) {
    sink.put(PartKind::Plain, " ");
    sink.put(PartKind::Directive, "@");
    sink.put(PartKind::Directive, name);
    sink.put(PartKind::Directive, "=");
    sink.hex(PartKind::Directive, value, 1);
}

/// A suffix that stands only where the value is not the usual one.
fn unusual(sink: &mut impl Sink, name: &str, value: u32, usual: u32) {
    if value != usual {
        suffix(sink, name, value);
    }
}

fn hex_suffix(sink: &mut impl Sink, name: &str, bytes: &[u8]) {
    if bytes.iter().any(|&byte| byte != 0) {
        sink.put(PartKind::Plain, " ");
        sink.put(PartKind::Directive, "@");
        sink.put(PartKind::Directive, name);
        sink.put(PartKind::Directive, "=");
        sink.put(PartKind::Directive, &to_hex(bytes));
    }
}

fn two_words(sink: &mut impl Sink, words: [u32; 2]) {
    sink.hex(PartKind::Immediate, words[0], 1);
    sink.put(PartKind::Punctuation, ", ");
    sink.hex(PartKind::Immediate, words[1], 1);
}

fn string_table(sink: &mut impl Sink, depth: usize, name: &str, table: &Strings) {
    directive(sink, depth, name);
    sink.put(PartKind::String, &quoted(&table.0));
    sink.end_line();
}

/// Writes the name at an offset, or an empty one where it cannot be spelled.
fn name(sink: &mut impl Sink, table: &Strings, offset: u32) {
    sink.put(PartKind::Name, &written(name_at(table, offset).unwrap_or_default()));
}

/// Writes the offset of a name where mentioning the name would give another one.
fn explicit_name(sink: &mut impl Sink, table: &Strings, offset: u32, rule: &SymbolRule) {
    if !rule.is_given() || name_at(table, offset).and_then(|name| rule.find(name)) == Some(offset) {
        return;
    }
    suffix(sink, "name", offset);
}

fn write_layout(sink: &mut impl Sink, layout: &FileLayout, trailing: &Opaque) {
    match layout {
        FileLayout::Standard(producer) => {
            directive(sink, 0, ".layout");
            sink.put(PartKind::Name, producer.name());
            sink.end_line();
        }
        FileLayout::Explicit(items) => {
            directive(sink, 0, ".layout");
            sink.put(PartKind::Name, "explicit");
            sink.end_line();
            for item in items {
                indent(sink, 1);
                sink.put(PartKind::Directive, ".place ");
                sink.put(PartKind::Name, &item.to_string());
                sink.end_line();
            }
        }
    }
    for piece in trailing.0.chunks(32) {
        directive(sink, 0, ".trailing");
        sink.put(PartKind::Immediate, &to_hex(piece));
        sink.end_line();
    }
}

fn write_program(sink: &mut impl Sink, program: &Program<'_>, layout: &Layout, names_lines: bool) {
    let executable = program.executable;
    directive(sink, 0, if program.entry.is_some() { ".executable" } else { ".object" });
    match executable.kind {
        0 => sink.put(PartKind::Name, "vertex"),
        1 => sink.put(PartKind::Name, "geometry"),
        kind => sink.hex(PartKind::Immediate, kind.into(), 1),
    }
    suffix(sink, "version", executable.version.into());
    unusual(sink, "flags", executable.flags.into(), 0);
    sink.end_line();

    if let Some((entry, end)) = program.entry {
        directive(sink, 1, ".entry");
        write_entry(sink, layout, entry, end);
        sink.end_line();
    }
    write_geometry(sink, executable, program.entry.is_none());
    let derived = derived_masks(executable);
    if derived != (executable.input_mask, executable.output_mask) {
        directive(sink, 1, ".masks");
        sink.hex(PartKind::Immediate, executable.input_mask.into(), 4);
        sink.put(PartKind::Punctuation, ", ");
        sink.hex(PartKind::Immediate, executable.output_mask.into(), 4);
        sink.end_line();
    }

    let symbols = &executable.symbols;
    let uniforms = || executable.uniforms.iter().map(|uniform| uniform.name);
    let labels = || executable.labels.iter().map(|label| label.name);
    let labels_first = !SymbolRule::makes(symbols, uniforms().chain(labels()))
        && SymbolRule::makes(symbols, labels().chain(uniforms()));
    let made = labels_first || SymbolRule::makes(symbols, uniforms().chain(labels()));
    let rule =
        if made && !names_lines { SymbolRule::default() } else { SymbolRule::given(symbols.0.clone()) };
    if rule.is_given() {
        string_table(sink, 1, ".symbols", symbols);
    }
    if labels_first {
        write_labels(sink, executable, layout, &rule);
    }
    for uniform in &executable.uniforms {
        let (first, last) = (Unified(uniform.first), Unified(uniform.last));
        let is_input = matches!(first.class(), Some((Space::Input, _)))
            && matches!(last.class(), Some((Space::Input, _)));
        directive(sink, 1, if is_input { ".in" } else { ".uniform" });
        name(sink, symbols, uniform.name);
        sink.put(PartKind::Plain, " ");
        sink.put(PartKind::Register, &first.to_string());
        if first != last {
            sink.put(PartKind::Punctuation, "-");
            sink.put(PartKind::Register, &last.to_string());
        }
        explicit_name(sink, symbols, uniform.name, &rule);
        sink.end_line();
    }
    write_outputs(sink, executable);
    for constant in &executable.constants {
        write_constant(sink, constant);
    }
    if !labels_first {
        write_labels(sink, executable, layout, &rule);
    }
}

/// Entry point and end: a procedure, or `from..to`; the entry alone where the end is 0.
fn write_entry(sink: &mut impl Sink, layout: &Layout, entry: u32, end: u32) {
    let places = &layout.places;
    if end != 0 {
        return places.put_run(sink, entry, end);
    }
    places.put(sink, entry);
    if places.label_at(entry).is_some_and(|label| layout.is_procedure(label)) {
        sink.put(PartKind::Punctuation, "..");
        sink.put(PartKind::Immediate, "0");
    }
}

fn write_geometry(sink: &mut impl Sink, executable: &Executable, is_object: bool) {
    let word = executable.geometry;
    let zero = GeometryWord::default();
    let usual = if is_object { GeometryWord::UNSET } else { zero };
    if word == usual && (executable.kind != 1 || is_object) {
        return;
    }
    directive(sink, 1, ".gsh");
    let GeometryWord { mode, first_uniform, full_vertices, vertices } = word;
    if word == zero {
        sink.put(PartKind::Name, "point");
    } else if word == (GeometryWord { mode: 1, full_vertices, ..zero }) {
        sink.put(PartKind::Name, "variable ");
        sink.decimal(PartKind::Immediate, full_vertices.into());
    } else if word == (GeometryWord { mode: 2, first_uniform, vertices, ..zero }) && first_uniform < 96 {
        sink.put(PartKind::Name, "fixed ");
        sink.put(PartKind::Register, &format!("c{first_uniform} "));
        sink.decimal(PartKind::Immediate, vertices.into());
    } else {
        sink.put(PartKind::Name, "raw");
        for byte in [mode, first_uniform, full_vertices, vertices] {
            sink.put(PartKind::Plain, " ");
            sink.decimal(PartKind::Immediate, byte.into());
        }
    }
    sink.end_line();
}

/// The masks that the tables suggest: all inputs with a name, all outputs with a meaning.
pub(super) fn derived_masks(executable: &Executable) -> (u16, u16) {
    let mut inputs = 0;
    for uniform in &executable.uniforms {
        for register in uniform.first..=uniform.last.min(15) {
            inputs |= 1 << register.min(15);
        }
    }
    let outputs = executable
        .outputs
        .iter()
        .filter(|output| output.register < 16)
        .fold(0, |mask, output| mask | 1 << output.register);
    (inputs, outputs)
}

fn write_outputs(sink: &mut impl Sink, executable: &Executable) {
    let named = outputs_named(executable);
    for output in &executable.outputs {
        directive(sink, 1, ".out");
        match named.iter().find(|named| named.first == u32::from(output.register)) {
            Some(named) => sink.put(PartKind::Name, &named.name),
            None => sink.put(PartKind::Punctuation, "-"),
        }
        sink.put(PartKind::Plain, " ");
        sink.put(PartKind::Directive, &semantic_name(output.semantic));
        sink.put(PartKind::Plain, " ");
        sink.put(PartKind::Register, &format!("o{}.{}", output.register, components(output.mask)));
        unusual(sink, "mask", output.mask.into(), (output.mask & 0xF).into());
        unusual(sink, "unknown_06", output.unknown_06.into(), 0);
        sink.end_line();
    }
}

/// Letters of an output mask, bit 0 = x; `_` for none.
fn components(mask: u16) -> String {
    let letters: String =
        "xyzw".chars().enumerate().filter(|(n, _)| mask >> n & 1 != 0).map(|(_, c)| c).collect();
    if letters.is_empty() { "_".to_owned() } else { letters }
}

fn write_constant(sink: &mut impl Sink, constant: &Constant) {
    let register = |space| format!("{}{}", letter(space), constant.register);
    match &constant.value {
        ConstantValue::Float(words) => {
            directive(sink, 1, ".setf");
            sink.put(PartKind::Register, &register(Space::Float));
            list(sink, &words.map(float_text));
        }
        ConstantValue::Int { xyzw, tail } => {
            directive(sink, 1, ".seti");
            sink.put(PartKind::Register, &register(Space::Int));
            list(sink, &xyzw.map(|value| value.to_string()));
            hex_suffix(sink, "tail", tail);
        }
        ConstantValue::Bool { word, tail } => {
            directive(sink, 1, ".setb");
            sink.put(PartKind::Register, &register(Space::Bool));
            sink.put(PartKind::Plain, " ");
            match word {
                0 => sink.put(PartKind::Immediate, "false"),
                1 => sink.put(PartKind::Immediate, "true"),
                word => sink.hex(PartKind::Immediate, *word, 1),
            }
            hex_suffix(sink, "tail", tail);
        }
        ConstantValue::Unknown { kind, payload } => {
            directive(sink, 1, ".set");
            sink.hex(PartKind::Immediate, (*kind).into(), 1);
            sink.put(PartKind::Plain, " ");
            sink.decimal(PartKind::Immediate, constant.register.into());
            sink.put(PartKind::Plain, " ");
            sink.put(PartKind::Immediate, &to_hex(payload));
        }
    }
    unusual(sink, "byte_03", constant.byte_03.into(), 0);
    sink.end_line();
}

fn list(sink: &mut impl Sink, values: &[String]) {
    sink.put(PartKind::Punctuation, "(");
    for (n, value) in values.iter().enumerate() {
        if n > 0 {
            sink.put(PartKind::Punctuation, ", ");
        }
        sink.put(PartKind::Immediate, value);
    }
    sink.put(PartKind::Punctuation, ")");
}

/// A float word as the shortest decimal that gives it back, or as its bits.
fn float_text(word: u32) -> String {
    let value = F24::from_bits(word).to_f32();
    let text = format!("{value}");
    let back = text.parse().map(|value: f32| F24::from_f32(value).to_bits());
    // Long strings of digits say less than the bits.
    if !value.is_nan() && back == Ok(word) && text.len() <= 16 {
        return text;
    }
    let text = format!("{value:e}");
    let back = text.parse().map(|value: f32| F24::from_f32(value).to_bits());
    if value.is_finite() && back == Ok(word) { text } else { format!("0x{word:06X}") }
}

/// Whether a label's size is a length that the code's places can show.
fn has_size(label: &Label) -> bool {
    label.size != u32::MAX && label.position.checked_add(label.size).is_some()
}

fn write_labels(sink: &mut impl Sink, executable: &Executable, layout: &Layout, rule: &SymbolRule) {
    for (index, label) in (0u32..).zip(&executable.labels) {
        directive(sink, 1, ".label");
        name(sink, &executable.symbols, label.name);
        sink.put(PartKind::Plain, " ");
        layout.places.put(sink, label.position);
        if has_size(label) {
            sink.put(PartKind::Punctuation, "..");
            layout.places.put(sink, label.position.saturating_add(label.size));
        } else {
            unusual(sink, "size", label.size, u32::MAX);
        }
        unusual(sink, "id", label.id.into(), index & 0xFFFF);
        unusual(sink, "unknown_02", label.unknown_02.into(), 0);
        explicit_name(sink, &executable.symbols, label.name, rule);
        sink.end_line();
    }
}
