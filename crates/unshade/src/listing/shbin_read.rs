//! Listing text to SHBIN.

use super::{
    fields::{Fields, fits, hex, name_bytes},
    shbin_write::{class_of, derived_masks},
    symbols::SymbolRule,
};
use unshade_bytes::{Diagnostic, F24};
use unshade_containers::{
    Opaque,
    shbin::{
        Code, Constant, ConstantValue, Descriptor, Dvlb, Dvle, Dvlp, Dvoj, Executable, GeometryWord,
        HeaderForm, Item, Label, Layout, Line, Output, Producer, Relocation, Shbin, Uniform,
        register::{Unified, semantic_number},
    },
};
use unshade_isa::assembly::lexer::{Arguments, Lines, Piece, Statement};
use unshade_isa::assembly::number::{float, unsigned};
use unshade_isa::assembly::{Problem, Result};
use unshade_isa::pica200::asm::operand::{Class, Register};
use unshade_isa::pica200::listing::{AssembledCode, CodeReader, PlaceRef, RegisterNames, place_or_number};
use unshade_isa::pica200::names::to_code_name;

/// Reads the listing of a file.
pub(super) fn read(text: &str) -> std::result::Result<Shbin, Vec<Diagnostic>> {
    let mut code = CodeReader::new();
    let mut tables = Tables::default();
    for line in Lines::new(text) {
        if code.is_full() {
            break;
        }
        let here = code.here();
        if let Statement::Directive { head, name, arguments } = line.statement() {
            match tables.directive(head, name, arguments, here) {
                Ok(true) => continue,
                Ok(false) => {}
                Err(problem) => {
                    code.problem(*problem);
                    continue;
                }
            }
        }
        code.line(line, &tables.names);
    }
    let code = code.finish()?;
    tables.finish(code).map_err(|problem| {
        let mut failed = CodeReader::new();
        failed.problem(*problem);
        failed.finish().err().unwrap_or_default()
    })
}

/// What the directives have said so far.
#[derive(Default)]
struct Tables<'a> {
    names: RegisterNames,
    is_object: bool,
    program: Dvlp,
    file_names: SymbolRule,
    programs: Vec<Program<'a>>,
    producer: Option<Producer>,
    places: Vec<Item>,
    trailing: Vec<u8>,
    /// From which word on which line.
    lines: Vec<(u32, Line)>,
    line_entries: Vec<Line>,
    relocations: Vec<(PlaceRef<'a>, [u32; 2])>,
    inline_relocations: Vec<Relocation>,
}

#[derive(Default)]
struct Program<'a> {
    executable: Executable,
    symbols: SymbolRule,
    entry: Option<Run<'a>>,
    masks: Option<(u16, u16)>,
    /// Places of the labels, in their order.
    labels: Vec<Run<'a>>,
}

/// One place, or the words between two.
#[derive(Clone, Copy)]
enum Run<'a> {
    At(PlaceRef<'a>),
    Between(PlaceRef<'a>, PlaceRef<'a>),
}

fn wrong(piece: Piece<'_>, message: impl Into<std::borrow::Cow<'static, str>>) -> Box<Problem> {
    Problem::new("shbin.listing.syntax", piece.span(), message)
}

fn run(piece: Piece<'_>) -> Result<Run<'_>> {
    match piece.text.find("..") {
        Some(at) => Ok(Run::Between(
            place_or_number(piece.take(at).trim())?,
            place_or_number(piece.skip(at + 2).trim())?,
        )),
        None => place_or_number(piece).map(Run::At),
    }
}

/// `o5`, `c95`: the number behind the letter, which need not exist.
fn register(piece: Piece<'_>, letter: u8) -> Result<u32> {
    let digits = piece.skip(1);
    if piece.first() == Some(letter) && digits.first().is_some_and(|b| b.is_ascii_digit()) {
        return unsigned(digits);
    }
    Err(wrong(piece, format!("expected a register `{}n`, found `{}`", char::from(letter), piece.text)))
}

/// Four values in parentheses; missing ones at the end are zero.
fn four<'a>(fields: &mut Fields<'a>) -> Result<(Piece<'a>, [Option<Piece<'a>>; 4])> {
    let head = fields.head;
    let open = fields.plain.rest.find(b'(').ok_or_else(|| wrong(head, "expected `(`"))?;
    let name = fields.plain.rest.take(open).trim();
    let rest = fields.plain.rest.skip(open + 1);
    let (inside, after) = rest.split(b')').ok_or_else(|| wrong(rest, "`(` without `)`"))?;
    fields.plain = Arguments { rest: after.trim() };
    let mut values = Arguments { rest: inside };
    let pieces = [values.comma(), values.comma(), values.comma(), values.comma()];
    if values.is_done() { Ok((name, pieces)) } else { Err(wrong(values.rest, "more than four values")) }
}

fn float_word(piece: Option<Piece<'_>>) -> Result<u32> {
    let Some(piece) = piece else { return Ok(0) };
    // Bits are written as six digits or more; a hexadecimal float has a `p`.
    if piece.text.starts_with("0x") && !piece.text.contains(['p', 'P', '.']) {
        return unsigned(piece);
    }
    match float(piece) {
        Some((value, rest)) if rest.trim().is_empty() => Ok(F24::from_f32(value as f32).to_bits()),
        _ => Err(wrong(piece, format!("`{}` is no number", piece.text))),
    }
}

fn tail(fields: &mut Fields<'_>) -> Result<[u8; 12]> {
    let Some(piece) = fields.suffix("tail") else { return Ok([0; 12]) };
    hex(piece)?.try_into().map_err(|_| wrong(piece, "a tail has 12 bytes"))
}

impl<'a> Tables<'a> {
    /// Takes a directive of the container; `false` for one that belongs to the code.
    fn directive(
        &mut self,
        head: Piece<'a>,
        name: Piece<'a>,
        arguments: Arguments<'a>,
        here: u32,
    ) -> Result<bool> {
        if name.is("place") {
            let item = arguments.rest.trim();
            let parsed = item
                .text
                .parse()
                .map_err(|()| wrong(item, format!("`{}` is no step of a layout", item.text)))?;
            self.places.push(parsed);
            return Ok(true);
        }
        let known = [
            "container",
            "program",
            "file_names",
            "layout",
            "trailing",
            "executable",
            "object",
            "entry",
            "masks",
            "gsh",
            "symbols",
            "in",
            "uniform",
            "out",
            "setf",
            "seti",
            "setb",
            "set",
            "label",
            "line",
            "line_entry",
            "reloc",
            "reloc_entry",
        ];
        if !known.iter().any(|known| name.is(known)) {
            return Ok(false);
        }
        let mut fields = Fields::new(head, arguments)?;
        match &*name.text.to_ascii_lowercase() {
            "container" => self.is_object = fields.word("the format")?.is("dvoj"),
            "program" => {
                self.program.version = fields.value_or_zero("version")?;
                self.program.unknown_06 = fields.value_or_zero("unknown_06")?;
                if let Some(word_18) = fields.value("short_header")? {
                    self.program.header = HeaderForm::Short { word_18 };
                }
            }
            "file_names" => self.file_names = SymbolRule::given(name_bytes(fields.word("the names")?)?),
            "layout" => {
                let piece = fields.word("the producer")?;
                self.producer = Producer::ALL.into_iter().find(|producer| piece.is(producer.name()));
                if self.producer.is_none() && !piece.is("explicit") {
                    return Err(wrong(piece, format!("`{}` is no known layout", piece.text)));
                }
            }
            "trailing" => self.trailing.extend(hex(fields.word("the bytes")?)?),
            "executable" | "object" => {
                if name.is("object") != self.is_object || (self.is_object && !self.programs.is_empty()) {
                    return Err(wrong(head, "a `dvoj` has one `.object`, a `shbin` has `.executable`s"));
                }
                let kind = fields.word("vertex or geometry")?;
                let mut program = Program::default();
                let executable = &mut program.executable;
                executable.kind = match kind {
                    _ if kind.is("vertex") => 0,
                    _ if kind.is("geometry") => 1,
                    _ => fits(unsigned(kind)?, kind)?,
                };
                executable.version = fields.value_or_zero("version")?;
                executable.flags = fields.value_or_zero("flags")?;
                if self.is_object {
                    executable.geometry = GeometryWord::UNSET;
                }
                self.programs.push(program);
            }
            "line" => {
                let line = self.line(&mut fields)?;
                self.lines.push((here, line));
            }
            "line_entry" => {
                let line = self.line(&mut fields)?;
                self.line_entries.push(line);
            }
            "reloc" => {
                let unknown_04 = unsigned(fields.comma("a word")?)?;
                let unknown_08 = unsigned(fields.comma("a word")?)?;
                self.inline_relocations.push(Relocation { word: here, unknown_04, unknown_08 });
            }
            "reloc_entry" => {
                let place = place_or_number(fields.comma("the place")?)?;
                let words = [unsigned(fields.comma("a word")?)?, unsigned(fields.comma("a word")?)?];
                self.relocations.push((place, words));
            }
            _ => self.program_directive(name, &mut fields)?,
        }
        fields.end()?;
        Ok(true)
    }

    /// `NAME NUMBER [@name=OFFSET]`.
    fn line(&mut self, fields: &mut Fields<'a>) -> Result<Line> {
        let name = name_bytes(fields.word("the file name")?)?;
        let line = unsigned(fields.word("the line number")?)?;
        let explicit = fields.value("name")?;
        let head = fields.head;
        let symbols = if self.is_object {
            let program = self.programs.last_mut();
            &mut program.ok_or_else(|| wrong(head, "`.line` before `.object`"))?.symbols
        } else {
            if !self.file_names.is_given() {
                self.file_names = SymbolRule::given(Vec::new());
            }
            &mut self.file_names
        };
        Ok(Line { file: explicit.unwrap_or_else(|| symbols.mention(&name)), line })
    }

    /// A directive about the program that was opened last.
    fn program_directive(&mut self, name: Piece<'a>, fields: &mut Fields<'a>) -> Result<()> {
        let head = fields.head;
        let Some(program) = self.programs.last_mut() else {
            return Err(wrong(head, format!("`{}` belongs behind `.executable` or `.object`", head.text)));
        };
        let executable = &mut program.executable;
        match &*name.text.to_ascii_lowercase() {
            "entry" if self.is_object => return Err(wrong(head, "an object starts at its first word")),
            "entry" => program.entry = Some(run(fields.word("a place")?)?),
            "masks" => {
                let (inputs, outputs) = (fields.comma("the inputs")?, fields.comma("the outputs")?);
                program.masks = Some((fits(unsigned(inputs)?, inputs)?, fits(unsigned(outputs)?, outputs)?));
            }
            "gsh" => executable.geometry = geometry(fields)?,
            "symbols" => program.symbols = SymbolRule::given(name_bytes(fields.word("the strings")?)?),
            "in" | "uniform" => {
                let piece = fields.word("the name")?;
                let name = name_bytes(piece)?;
                let range = fields.word("the registers")?;
                let (first, last) = range.split(b'-').unwrap_or((range, range));
                let unified = |piece: Piece<'_>| {
                    let register = Unified::parse(piece.text);
                    register.ok_or_else(|| wrong(piece, format!("`{}` is no input or uniform", piece.text)))
                };
                let (first, last) = (unified(first.trim())?, unified(last.trim())?);
                let explicit = fields.value("name")?;
                let offset = explicit.unwrap_or_else(|| program.symbols.mention(&name));
                executable.uniforms.push(Uniform { name: offset, first: first.0, last: last.0 });
                let code_name = std::str::from_utf8(&name).ok().and_then(to_code_name);
                if let (Some(name), Some((class, number))) = (code_name, class_of(first)) {
                    self.names.add(&name, Register { class, number: number as u8 });
                }
            }
            "out" => self.output(fields)?,
            "setf" | "seti" | "setb" | "set" => {
                let constant = constant(name, fields)?;
                executable.constants.push(constant);
            }
            "label" => {
                let name = name_bytes(fields.word("the name")?)?;
                let place = run(fields.word("the place")?)?;
                let index = executable.labels.len() as u32 & 0xFFFF;
                let label = Label {
                    id: fields.value("id")?.unwrap_or(index as u16),
                    unknown_02: fields.value_or_zero("unknown_02")?,
                    position: 0,
                    size: fields.value("size")?.unwrap_or(u32::MAX),
                    name: fields.value("name")?.unwrap_or_else(|| program.symbols.mention(&name)),
                };
                executable.labels.push(label);
                program.labels.push(place);
            }
            _ => {}
        }
        Ok(())
    }

    /// `NAME MEANING oN.xyzw`.
    fn output(&mut self, fields: &mut Fields<'a>) -> Result<()> {
        let name = fields.word("the name, or `-`")?;
        let meaning = fields.word("the meaning")?;
        let place = fields.word("the register")?;
        let semantic = semantic_number(meaning.text)
            .ok_or_else(|| wrong(meaning, format!("`{}` is no meaning of an output", meaning.text)))?;
        let (register_piece, letters) = place.split(b'.').unwrap_or((place, place.skip(place.text.len())));
        let number: u16 = fits(register(register_piece, b'o')?, register_piece)?;
        let mut mask = if letters.is_empty() { 0xF } else { 0 };
        for letter in letters.text.bytes().filter(|_| letters.text != "_") {
            let bit = b"xyzw".iter().position(|&known| known == letter);
            let bit = bit.ok_or_else(|| wrong(letters, format!("`{}` are no components", letters.text)))?;
            mask |= 1 << bit;
        }
        let mask = fields.value("mask")?.unwrap_or(mask);
        let unknown_06 = fields.value_or_zero("unknown_06")?;
        if let Some(program) = self.programs.last_mut() {
            program.executable.outputs.push(Output { semantic, register: number, mask, unknown_06 });
        }
        if name.text != "-" {
            if !name.is_identifier() {
                return Err(wrong(name, format!("`{}` cannot be a name", name.text)));
            }
            if let Some(number) = u8::try_from(number).ok().filter(|&number| number < 16) {
                self.names.add(name.text, Register { class: Class::Output, number });
            }
        }
        Ok(())
    }

    /// Puts code and tables together.
    fn finish(self, code: AssembledCode) -> Result<Shbin> {
        let layout = match self.producer {
            Some(producer) => Layout::Standard(producer),
            None => Layout::Explicit(self.places),
        };
        let lines = if self.line_entries.is_empty() {
            spread(&self.lines, code.words.len())
        } else {
            self.line_entries
        };
        let mut executables = Vec::with_capacity(self.programs.len());
        for program in self.programs {
            executables.push(program.finish(&code)?);
        }
        let mut relocations = self.inline_relocations;
        for (place, [unknown_04, unknown_08]) in self.relocations {
            relocations.push(Relocation { word: code.place(place)?, unknown_04, unknown_08 });
        }
        let trailing = Opaque(self.trailing);
        let high = code.high.iter().copied().chain(std::iter::repeat(0));
        let descriptors =
            code.descriptors.iter().zip(high).map(|(&bits, high)| Descriptor { bits, high }).collect();
        let code = Code { words: code.words, descriptors, lines };
        if !self.is_object {
            let program = Dvlp { code, file_names: self.file_names.into_table(), ..self.program };
            return Ok(Shbin::Linked(Dvlb { program, executables, layout, trailing }));
        }
        let executable = executables.into_iter().next().map(|dvle| dvle.executable).unwrap_or_default();
        Ok(Shbin::Object(Dvoj { executable, code, relocations, layout, trailing }))
    }
}

/// One line entry for each word, from the places where the line changes; none where nothing was said.
fn spread(changes: &[(u32, Line)], words: usize) -> Vec<Line> {
    if changes.is_empty() {
        return Vec::new();
    }
    let mut changes = changes.iter().peekable();
    let mut current = Line::default();
    (0..words)
        .map(|at| {
            while let Some((_, line)) = changes.next_if(|(from, _)| *from as usize <= at) {
                current = *line;
            }
            current
        })
        .collect()
}

fn geometry(fields: &mut Fields<'_>) -> Result<GeometryWord> {
    let zero = GeometryWord::default();
    let mode = fields.word("the mode")?;
    let byte = |fields: &mut Fields<'_>| {
        let piece = fields.word("a number")?;
        fits(unsigned(piece)?, piece)
    };
    Ok(match mode {
        _ if mode.is("point") => zero,
        _ if mode.is("variable") => GeometryWord { mode: 1, full_vertices: byte(fields)?, ..zero },
        _ if mode.is("fixed") => {
            let first = fields.word("the first uniform")?;
            let first_uniform = fits(register(first, b'c')?, first)?;
            GeometryWord { mode: 2, first_uniform, vertices: byte(fields)?, ..zero }
        }
        _ if mode.is("raw") => {
            let mode = byte(fields)?;
            let first_uniform = byte(fields)?;
            let full_vertices = byte(fields)?;
            GeometryWord { mode, first_uniform, full_vertices, vertices: byte(fields)? }
        }
        _ => return Err(wrong(mode, format!("`{}` is not point, variable, fixed or raw", mode.text))),
    })
}

fn constant(name: Piece<'_>, fields: &mut Fields<'_>) -> Result<Constant> {
    let (register, value) = if name.is("setf") {
        let (piece, [x, y, z, w]) = four(fields)?;
        let words = [float_word(x)?, float_word(y)?, float_word(z)?, float_word(w)?];
        (fits(register(piece, b'c')?, piece)?, ConstantValue::Float(words))
    } else if name.is("seti") {
        let (piece, values) = four(fields)?;
        let mut xyzw = [0; 4];
        for (place, piece) in xyzw.iter_mut().zip(values) {
            if let Some(piece) = piece {
                *place = fits(unsigned(piece)?, piece)?;
            }
        }
        (fits(register(piece, b'i')?, piece)?, ConstantValue::Int { xyzw, tail: tail(fields)? })
    } else if name.is("setb") {
        let piece = fields.word("the register")?;
        let value = fields.word("the value")?;
        let word = match value {
            _ if value.is("true") || value.is("on") => 1,
            _ if value.is("false") || value.is("off") => 0,
            _ => unsigned(value)?,
        };
        (fits(register(piece, b'b')?, piece)?, ConstantValue::Bool { word, tail: tail(fields)? })
    } else {
        let kind = fields.word("the kind")?;
        let register = fields.word("the register number")?;
        let payload = fields.word("the payload")?;
        let bytes = hex(payload)?.try_into().map_err(|_| wrong(payload, "a payload has 16 bytes"))?;
        let kind_number: u16 = fits(unsigned(kind)?, kind)?;
        if kind_number < 3 {
            return Err(wrong(kind, "kinds 0, 1 and 2 are written `.setb`, `.seti` and `.setf`"));
        }
        (fits(unsigned(register)?, register)?, ConstantValue::Unknown { kind: kind_number, payload: bytes })
    };
    Ok(Constant { register, byte_03: fields.value_or_zero("byte_03")?, value })
}

impl Program<'_> {
    fn finish(self, code: &AssembledCode) -> Result<Dvle> {
        let mut executable = self.executable;
        (executable.input_mask, executable.output_mask) =
            self.masks.unwrap_or_else(|| derived_masks(&executable));
        for (label, place) in executable.labels.iter_mut().zip(self.labels) {
            match place {
                Run::At(at) => label.position = code.place(at)?,
                Run::Between(from, to) => {
                    label.position = code.place(from)?;
                    label.size = code.place(to)?.wrapping_sub(label.position);
                }
            }
        }
        executable.symbols = self.symbols.into_table();
        let (entry, end) = match self.entry {
            None => (0, 0),
            Some(Run::Between(from, to)) => (code.place(from)?, code.place(to)?),
            Some(Run::At(at)) => {
                let procedure = match at {
                    PlaceRef::Name(name) => code.procedure(name.text),
                    PlaceRef::Word(_) => None,
                };
                match procedure {
                    Some(run) => run,
                    None => (code.place(at)?, 0),
                }
            }
        };
        Ok(Dvle { entry, end, executable })
    }
}
