//! From the manifest to the model.

use super::super::entries;
use super::super::layout::{Item, Layout, Producer};
use super::super::model::{
    Code, Constant, ConstantValue, Descriptor, Dvlb, Dvle, Dvlp, Dvoj, Executable, GeometryWord, HeaderForm,
    Label, Line, Output, Relocation, Shbin, Uniform,
};
use super::super::register::{Unified, semantic_number};
use super::form::{self, Bool, Component, FileKind, KindText, LayoutText, Manifest, MaskText, NameOrOffset};
use crate::shared::{
    Opaque, Strings,
    opaque::{from_hex, unescape},
    parts::{Parts, bad, check_name, parse},
};
use std::collections::BTreeMap;
use unshade_bytes::{F24, Result};

/// Names of the files that a manifest needs.
pub(crate) fn wanted(text: &str) -> Result<Vec<String>> {
    let manifest: Manifest = parse(text, Parts::MANIFEST)?;
    let mut names = vec![manifest.program.code];
    names.extend(manifest.trailing);
    names.extend(manifest.program.file_names_file);
    names.extend(manifest.executable.into_iter().filter_map(|executable| executable.strings_file));
    if let LayoutText::Steps(steps) = manifest.layout {
        names.extend(steps.iter().filter_map(|step| Some(step.strip_prefix("file ")?.to_owned())));
    }
    names.iter().try_for_each(|name| check_name(name))?;
    Ok(names)
}

/// The file that a manifest describes.
pub(crate) fn build(text: &str, parts: &Parts) -> Result<Shbin> {
    let manifest: Manifest = parse(text, Parts::MANIFEST)?;
    let layout = layout(&manifest.layout, parts)?;
    let trailing = match &manifest.trailing {
        Some(name) => Opaque(parts.file(name)?.to_vec()),
        None => Opaque::default(),
    };
    let program = &manifest.program;
    let executables = manifest.executable.iter().enumerate();
    if manifest.kind == FileKind::Dvlb {
        let file_names = match &program.file_names_file {
            Some(name) => Table::new(parts.file(name)?.to_vec()),
            None => Table::of(&program.file_names, "program.file_names")?,
        };
        let dvle = |(index, form): (usize, &form::Executable)| {
            let path = format!("executable[{index}]");
            let (executable, _) = executable(form, GeometryWord::default(), parts, &path)?;
            Ok(Dvle { entry: form.entry, end: form.end, executable })
        };
        if !manifest.relocations.is_empty() {
            return Err(bad("relocations", "none in a linked binary", "some"));
        }
        let (code, file_names) = code(program, file_names, parts)?;
        return Ok(Shbin::Linked(Dvlb {
            program: Dvlp {
                header: program
                    .short_header
                    .map_or(HeaderForm::Long, |word_18| HeaderForm::Short { word_18 }),
                version: program.version,
                unknown_06: program.unknown_06,
                code,
                file_names,
            },
            executables: executables.map(dvle).collect::<Result<_>>()?,
            layout,
            trailing,
        }));
    }
    let [form] = manifest.executable.as_slice() else {
        return Err(bad("executable", "one, for an object", format!("{}", manifest.executable.len())));
    };
    let only_linked = program.version != 0
        || program.unknown_06 != 0
        || program.short_header.is_some()
        || !program.file_names.is_empty()
        || program.file_names_file.is_some()
        || (form.entry, form.end) != (0, 0);
    if only_linked {
        return Err(bad(
            "program",
            "only code, descriptors and lines in an object",
            "fields of a linked binary",
        ));
    }
    let (mut executable, symbols) = executable(form, GeometryWord::UNSET, parts, "executable[0]")?;
    let (code, symbols) = code(program, symbols, parts)?;
    executable.symbols = symbols;
    let relocation =
        |[word, first, second]: &[u32; 3]| Relocation { word: *word, unknown: [*first, *second] };
    let relocations = manifest.relocations.iter().map(relocation).collect();
    Ok(Shbin::Object(Dvoj { executable, code, relocations, layout, trailing }))
}

fn layout(text: &LayoutText, parts: &Parts) -> Result<Layout> {
    let step = |step: &String| match step.strip_prefix("file ") {
        Some(name) => Ok(Item::Opaque(Opaque(parts.file(name)?.to_vec()))),
        None => step
            .parse()
            .map_err(|()| bad("layout", "a part, `align N`, `zeros N`, `file NAME`", format!("`{step}`"))),
    };
    match text {
        LayoutText::Producer(name) => Producer::ALL
            .into_iter()
            .find(|producer| producer.name() == name)
            .map(Layout::Standard)
            .ok_or_else(|| {
                bad("layout", "picasso, aemstro, official, nihstro, object, or a list", format!("`{name}`"))
            }),
        LayoutText::Steps(steps) => Ok(Layout::Explicit(steps.iter().map(step).collect::<Result<_>>()?)),
    }
}

/// A string table that finds and adds names.
struct Table {
    bytes: Vec<u8>,
    first: BTreeMap<Vec<u8>, u32>,
}

impl Table {
    fn new(bytes: Vec<u8>) -> Self {
        let strings = Strings(bytes);
        let mut first = BTreeMap::new();
        for (offset, string) in strings.iter() {
            first.entry(string.to_vec()).or_insert(u32::try_from(offset).unwrap_or(u32::MAX));
        }
        Self { bytes: strings.0, first }
    }

    fn of(names: &[String], path: &str) -> Result<Self> {
        let mut bytes = Vec::new();
        for name in names {
            bytes.extend(raw_name(name, path)?);
            bytes.push(0);
        }
        Ok(Self::new(bytes))
    }

    /// Offset of a name, which is added where the table does not have it.
    fn offset(&mut self, name: &str, path: &str) -> Result<u32> {
        let name = raw_name(name, path)?;
        if let Some(&offset) = self.first.get(&name) {
            return Ok(offset);
        }
        if self.bytes.last().is_some_and(|&last| last != 0) {
            self.bytes.push(0);
        }
        let offset =
            u32::try_from(self.bytes.len()).map_err(|_| bad(path, "strings of at most 4 GiB", "more"))?;
        self.bytes.extend_from_slice(&name);
        self.bytes.push(0);
        self.first.insert(name, offset);
        Ok(offset)
    }

    fn name(&mut self, name: Option<&String>, at: Option<u32>, path: &str) -> Result<u32> {
        match (name, at) {
            (Some(name), None) => self.offset(name, path),
            (None, Some(offset)) => Ok(offset),
            _ => Err(bad(path, "one of `name` and `name_at`", "none, or both")),
        }
    }
}

fn raw_name(name: &str, path: &str) -> Result<Vec<u8>> {
    unescape(name)
        .filter(|name| !name.contains(&0))
        .ok_or_else(|| bad(path, "a name whose backslashes are `\\\\` or `\\xNN`", format!("`{name}`")))
}

fn code(program: &form::Program, mut names: Table, parts: &Parts) -> Result<(Code, Strings)> {
    let bytes = parts.file(&program.code)?;
    if !bytes.len().is_multiple_of(4) {
        return Err(bad(program.code.as_str(), "words of 4 bytes", format!("{} bytes", bytes.len())));
    }
    let mut lines = Vec::with_capacity(program.lines.len());
    for (file, line) in &program.lines {
        let file = match file {
            NameOrOffset::Offset(offset) => *offset,
            NameOrOffset::Name(name) => names.offset(name, "program.lines")?,
        };
        lines.push(Line { file, line: *line });
    }
    let descriptor = |[bits, high]: &[u32; 2]| Descriptor { bits: *bits, high: *high };
    let descriptors = program.descriptors.iter().map(descriptor).collect();
    Ok((Code { words: entries::read(bytes), descriptors, lines }, Strings(names.bytes)))
}

fn executable(
    form: &form::Executable,
    usual_geometry: GeometryWord,
    parts: &Parts,
    path: &str,
) -> Result<(Executable, Table)> {
    let mut names = match (&form.strings, &form.strings_file) {
        (None, None) => Table::new(Vec::new()),
        (Some(strings), None) => Table::of(strings, path)?,
        (None, Some(file)) => Table::new(parts.file(file)?.to_vec()),
        (Some(_), Some(_)) => return Err(bad(path, "one of `strings` and `strings_file`", "both")),
    };
    let mut labels = Vec::with_capacity(form.labels.len());
    for (index, label) in form.labels.iter().enumerate() {
        labels.push(Label {
            id: label.id,
            unknown_02: label.unknown_02,
            position: label.position,
            size: label.size.unwrap_or(u32::MAX),
            name: names.name(label.name.as_ref(), label.name_at, &format!("{path}.labels[{index}]"))?,
        });
    }
    let mut uniforms = Vec::with_capacity(form.uniforms.len());
    for (index, uniform) in form.uniforms.iter().enumerate() {
        let path = format!("{path}.uniforms[{index}]");
        let register = |text: &str| {
            let register = Unified::parse(text).map(|register| register.0);
            register.ok_or_else(|| {
                bad(path.as_str(), "a register like v0, c12, i1, b3 or 0x75", format!("`{text}`"))
            })
        };
        uniforms.push(Uniform {
            name: names.name(uniform.name.as_ref(), uniform.name_at, &path)?,
            first: register(&uniform.first)?,
            last: register(&uniform.last)?,
        });
    }
    let constants = form.constants.iter().enumerate();
    let constants = constants.map(|(index, entry)| constant(entry, &format!("{path}.constants[{index}]")));
    let outputs = form.outputs.iter().enumerate();
    let outputs = outputs.map(|(index, entry)| output(entry, &format!("{path}.outputs[{index}]")));
    let executable = Executable {
        version: form.version,
        kind: match &form.kind {
            KindText::Number(number) => *number,
            KindText::Name(name) if name == "vertex" => 0,
            KindText::Name(name) if name == "geometry" => 1,
            KindText::Name(name) => return Err(bad(path, "kind vertex or geometry", format!("`{name}`"))),
        },
        flags: form.flags,
        input_mask: form.input_mask,
        output_mask: form.output_mask,
        geometry: form.geometry.map_or(usual_geometry, GeometryWord::from),
        constants: constants.collect::<Result<_>>()?,
        labels,
        outputs: outputs.collect::<Result<_>>()?,
        uniforms,
        symbols: Strings(names.bytes.clone()),
    };
    Ok((executable, names))
}

fn constant(form: &form::Constant, path: &str) -> Result<Constant> {
    let wrong = || bad(path, "one of `bool`, `int`, `float`, or `kind` with `payload`", "none, or several");
    let tail = match &form.tail {
        Some(text) => hex::<12>(text, path)?,
        None => [0; 12],
    };
    let (letter, value) = match (&form.bool, &form.int, &form.float, form.kind, &form.payload) {
        (Some(bool), None, None, None, None) => {
            let word = match bool {
                Bool::Truth(truth) => u32::from(*truth),
                Bool::Word(word) => *word,
            };
            ('b', ConstantValue::Bool { word, tail })
        }
        (None, Some(xyzw), None, None, None) => ('i', ConstantValue::Int { xyzw: *xyzw, tail }),
        (None, None, Some([x, y, z, w]), None, None) if form.tail.is_none() => {
            let word = |component| component_word(component, path);
            ('c', ConstantValue::Float([word(x)?, word(y)?, word(z)?, word(w)?]))
        }
        (None, None, None, Some(kind), Some(payload)) if form.tail.is_none() && kind > 2 => {
            ('r', ConstantValue::Unknown { kind, payload: hex(payload, path)? })
        }
        _ => return Err(wrong()),
    };
    let register = form.register.strip_prefix(letter).and_then(|digits| digits.parse().ok());
    let register = register.ok_or_else(|| {
        bad(path, "a register of the class of its value (b0, i0, c0)", format!("`{}`", form.register))
    })?;
    Ok(Constant { register, byte_03: form.byte_03, value })
}

fn component_word(component: &Component, path: &str) -> Result<u32> {
    match component {
        Component::Float(value) => Ok(F24::from_f32(*value as f32).to_bits()),
        Component::Raw(text) => text
            .strip_prefix("0x")
            .and_then(|digits| u32::from_str_radix(digits, 16).ok())
            .ok_or_else(|| bad(path, "a float, or its bits as \"0x3f0000\"", format!("`{text}`"))),
    }
}

fn output(form: &form::Output, path: &str) -> Result<Output> {
    let semantic = semantic_number(&form.semantic).ok_or_else(|| {
        bad(path, "a meaning like position, color or unknown7", format!("`{}`", form.semantic))
    })?;
    let mask = match &form.mask {
        MaskText::Number(number) => *number,
        MaskText::Letters(letters) => letters.chars().try_fold(0, |mask, letter| {
            let bit = match letter {
                'x' => 1,
                'y' => 2,
                'z' => 4,
                'w' => 8,
                _ => return Err(bad(path, "a mask of the letters x y z w", format!("`{letters}`"))),
            };
            Ok(mask | bit)
        })?,
    };
    Ok(Output { semantic, register: form.register, mask, unknown_06: form.unknown_06 })
}

fn hex<const N: usize>(text: &str, path: &str) -> Result<[u8; N]> {
    from_hex(text)
        .and_then(|bytes| bytes.try_into().ok())
        .ok_or_else(|| bad(path, "as many hexadecimal digits as the field has", format!("`{text}`")))
}
