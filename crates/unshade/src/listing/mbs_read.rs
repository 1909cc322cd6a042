//! Listing text to MBS.

use super::{
    code_text,
    fields::{Fields, fits, hex, name_bytes},
    mbs_write::symbol_directive,
    statements::{self, finding, moved},
};
use unshade_bytes::Diagnostic;
use unshade_containers::{
    Name, Opaque,
    fields::Record,
    mbs::{
        Code, FileChunk, Framebuffer, Index, Initial, Instructions, Mbs, Program, ProgramChunk, ProgramKind,
        RawChunk, Stack, Symbol, SymbolChunk, Table, TableEntry, TableKind, Tag, Uniforms,
        layout::{self, Extents, StorageClass},
        view::type_named,
    },
};
use unshade_isa::assembly::lexer::{Arguments, Piece};
use unshade_isa::assembly::number::unsigned;
use unshade_isa::assembly::{Problem, Result};

/// Reads the listing of a file.
pub(super) fn read(source: &str) -> std::result::Result<Mbs, Vec<Diagnostic>> {
    let mut reader = Reader { file: Mbs::default(), programs: Vec::new(), findings: Vec::new() };
    statements::read(source, &mut reader);
    reader.finish()
}

/// What is wrong where the form of a statement is.
const CODE: &str = "mbs.listing.syntax";

fn wrong(piece: Piece<'_>, message: impl Into<std::borrow::Cow<'static, str>>) -> Box<Problem> {
    Problem::new(CODE, piece.span(), message)
}

struct Reader<'a> {
    file: Mbs,
    programs: Vec<Open<'a>>,
    findings: Vec<Diagnostic>,
}

/// A program with what its text leaves to be worked out once all of it is known.
struct Open<'a> {
    /// Its place among the chunks of the file.
    index: usize,
    kind: ProgramKind,
    chunks: Vec<ProgramChunk>,
    /// The text of each code with the place of its chunk.
    codes: Vec<(usize, Piece<'a>)>,
    /// Chunks `FINS` that state no count, and those that state no prefetch.
    counts: Vec<usize>,
    prefetches: Vec<(usize, Piece<'a>)>,
    /// Chunks `FDIS` that state nothing.
    discards: Vec<(usize, Piece<'a>)>,
    /// Chunks `SUNI` that state no space.
    spaces: Vec<usize>,
    /// What the symbols of the table that is being read leave out.
    given: Vec<Given>,
}

/// Which fields of a symbol are given.
#[derive(Clone, Copy, Default)]
struct Given {
    size: bool,
    stride: bool,
    offset: bool,
}

impl<'a> statements::Reader<'a> for Reader<'a> {
    const CODE: &'static str = CODE;

    fn findings(&mut self) -> &mut Vec<Diagnostic> {
        &mut self.findings
    }

    fn directive(&mut self, head: Piece<'a>, name: Piece<'a>, arguments: Arguments<'a>) -> Result<()> {
        let mut fields = Fields::new(head, arguments)?;
        match &*name.text.to_ascii_lowercase() {
            "container" => {
                fields.word("the format")?;
                self.file.size = fields.value("size")?;
            }
            "program" => {
                let piece = fields.word("vertex or fragment")?;
                let kinds = [ProgramKind::Vertex, ProgramKind::Fragment];
                let kind = kinds.into_iter().find(|kind| piece.is(kind.name()));
                let expected =
                    || wrong(piece, format!("expected vertex or fragment, found `{}`", piece.text));
                let kind = kind.ok_or_else(expected)?;
                let core = fields.value("core")?;
                let core = core.ok_or_else(|| wrong(head, "`@core=` is missing behind `.program`"))?;
                self.close_table(head)?;
                self.programs.push(Open::new(self.file.chunks.len(), kind));
                let program = Program { kind, core, chunks: Vec::new(), stray: Opaque::default() };
                self.file.chunks.push(FileChunk::Program(program));
            }
            "file_chunk" => {
                self.close_table(head)?;
                self.file.chunks.push(FileChunk::Other(raw(&mut fields)?));
            }
            "file_stray" => self.file.stray = Opaque(hex(fields.word("the bytes")?)?),
            "trailing" => self.file.trailing.0.extend(hex(fields.word("the bytes")?)?),
            "stray" => {
                let bytes = Opaque(hex(fields.word("the bytes")?)?);
                let index = self.program(head)?.index;
                if let Some(FileChunk::Program(program)) = self.file.chunks.get_mut(index) {
                    program.stray = bytes;
                }
            }
            _ => {
                if starts_part(name) {
                    self.close_table(head)?;
                }
                self.program(head)?.directive(name, &mut fields)?;
            }
        }
        fields.end()
    }

    fn code(&mut self, head: Piece<'a>, arguments: Arguments<'a>, text: Piece<'a>) -> Result<()> {
        let mut fields = Fields::new(head, arguments)?;
        let stray = fields.suffix("stray").map(hex).transpose()?.unwrap_or_default();
        self.close_table(head)?;
        let program = self.program(head)?;
        program.codes.push((program.chunks.len(), text));
        program.chunks.push(ProgramChunk::Code(Code { words: Vec::new(), stray: Opaque(stray) }));
        fields.end()
    }
}

impl<'a> Reader<'a> {
    /// The program that is being read.
    fn program(&mut self, head: Piece<'a>) -> Result<&mut Open<'a>> {
        let missing = || wrong(head, format!("`{}` belongs to a program", head.text));
        self.programs.last_mut().ok_or_else(|| missing().note("`.program vertex @core=6` starts one"))
    }

    fn close_table(&mut self, head: Piece<'a>) -> Result<()> {
        self.programs.last_mut().map_or(Ok(()), |program| program.close_table(head))
    }

    fn finish(mut self) -> std::result::Result<Mbs, Vec<Diagnostic>> {
        for mut open in std::mem::take(&mut self.programs) {
            if let Err(problem) = open.close_table(Piece { text: "", at: 0 }) {
                self.findings.push(finding(*problem));
            }
            let chunks = std::mem::take(&mut open.chunks);
            if let Some(FileChunk::Program(program)) = self.file.chunks.get_mut(open.index) {
                program.chunks = chunks;
            }
            self.assemble(&open);
        }
        if self.findings.is_empty() { Ok(self.file) } else { Err(self.findings) }
    }

    /// Fills in the code of a program, and what follows from it.
    fn assemble(&mut self, open: &Open<'a>) {
        let isa = open.kind.isa();
        // A program of its own, so that it is the first of its kind and its symbols are those of the stage.
        let Some(FileChunk::Program(program)) = self.file.chunks.get(open.index) else { return };
        let alone = Mbs { chunks: vec![FileChunk::Program(program.clone())], ..Mbs::default() };
        // Of several of a kind only the first is a stage, and has its names in its text.
        let is_kind = |chunk: &FileChunk| matches!(chunk, FileChunk::Program(it) if it.kind == open.kind);
        let is_stage = self.file.chunks.iter().position(is_kind) == Some(open.index);
        let stage = alone.stages().next().filter(|_| is_stage);
        let symbols = stage.map(|stage| stage.interface.symbols).unwrap_or_default();
        let mut first = None;
        for (nth, (index, piece)) in open.codes.iter().enumerate() {
            let symbols = if nth == 0 { symbols.as_slice() } else { &[] };
            match code_text::read(isa, piece.text, symbols) {
                Ok(words) => {
                    if nth == 0 {
                        first = Some((code_text::facts(isa, &words), words.len() / 4));
                    }
                    self.change(open, *index, |chunk| {
                        if let ProgramChunk::Code(code) = chunk {
                            code.words = words;
                        }
                    });
                }
                Err(findings) => self.findings.extend(moved(findings, piece.at)),
            }
        }
        let (facts, count) = first.unwrap_or_default();
        for &index in &open.counts {
            self.change(open, index, |chunk| {
                if let ProgramChunk::Instructions(of) = chunk {
                    of.instruction_count = u32::try_from(count).unwrap_or(u32::MAX);
                }
            });
        }
        for &(index, head) in &open.prefetches {
            match facts.attribute_prefetch {
                Some(prefetch) => self.change(open, index, |chunk| {
                    if let ProgramChunk::Instructions(of) = chunk {
                        of.attrib_prefetch = prefetch;
                    }
                }),
                None => self
                    .findings
                    .push(finding(*wrong(head, "`@attrib_prefetch=` is missing, and no code says it"))),
            }
        }
        for &(index, head) in &open.discards {
            match facts.discards {
                Some(discards) => self.change(open, index, |chunk| {
                    if let ProgramChunk::Discard(word) = chunk {
                        *word = discards.into();
                    }
                }),
                None => self
                    .findings
                    .push(finding(*wrong(head, "`@has_discard=` is missing, and no code says it"))),
            }
        }
    }

    fn change(&mut self, open: &Open<'a>, index: usize, change: impl FnOnce(&mut ProgramChunk)) {
        if let Some(FileChunk::Program(program)) = self.file.chunks.get_mut(open.index)
            && let Some(chunk) = program.chunks.get_mut(index)
        {
            change(chunk);
        }
    }
}

/// Whether a directive starts a chunk of a program, which ends the table before it.
fn starts_part(name: Piece<'_>) -> bool {
    let parts =
        ["stack", "discard", "framebuffer", "instructions", "uniforms", "attributes", "varyings", "chunk"];
    parts.iter().any(|part| name.is(part))
}

/// `TAG HEX`, of which the bytes may be missing.
fn raw(fields: &mut Fields<'_>) -> Result<RawChunk> {
    let piece = fields.word("the tag")?;
    let tag = name_bytes(piece)?.try_into();
    let tag = tag.map_err(|_| wrong(piece, format!("a tag has four characters, found `{}`", piece.text)))?;
    let bytes = fields.plain.blank().filter(|piece| !piece.is_empty()).map(hex).transpose()?;
    Ok(RawChunk { tag: Tag(tag), bytes: Opaque(bytes.unwrap_or_default()) })
}

impl<'a> Open<'a> {
    fn new(index: usize, kind: ProgramKind) -> Self {
        Self {
            index,
            kind,
            chunks: Vec::new(),
            codes: Vec::new(),
            counts: Vec::new(),
            prefetches: Vec::new(),
            discards: Vec::new(),
            spaces: Vec::new(),
            given: Vec::new(),
        }
    }

    fn directive(&mut self, name: Piece<'a>, fields: &mut Fields<'a>) -> Result<()> {
        let (head, index) = (fields.head, self.chunks.len());
        match &*name.text.to_ascii_lowercase() {
            "stack" => {
                let mut stack = Stack::default();
                fields.numbers(&stack.numbers(), |name, value| stack.set_number(name, value))?;
                self.chunks.push(ProgramChunk::Stack(stack));
            }
            "discard" => {
                let value = fields.value("has_discard")?;
                if value.is_none() {
                    self.discards.push((index, head));
                }
                self.chunks.push(ProgramChunk::Discard(value.unwrap_or(0)));
            }
            "framebuffer" => {
                let of = framebuffer(fields)?;
                self.chunks.push(ProgramChunk::Framebuffer(of));
            }
            "instructions" => {
                let mut of = Instructions::default();
                let given = fields.numbers(&of.numbers(), |name, value| of.set_number(name, value))?;
                if !given.contains(&"instruction_count") {
                    self.counts.push(index);
                }
                if !given.contains(&"attrib_prefetch") {
                    self.prefetches.push((index, head));
                }
                self.chunks.push(ProgramChunk::Instructions(of));
            }
            "uniforms" => {
                let space = fields.value("space")?;
                if space.is_none() {
                    self.spaces.push(index);
                }
                let table = Table { count: fields.value("count")?, ..Table::default() };
                self.chunks.push(ProgramChunk::Uniforms(Uniforms { space: space.unwrap_or(0), table }));
            }
            "attributes" => {
                let table = Table { count: fields.value("count")?, ..Table::default() };
                self.chunks.push(ProgramChunk::Attributes(table));
            }
            "varyings" => {
                let table = Table { count: fields.value("count")?, ..Table::default() };
                self.chunks.push(ProgramChunk::Varyings(table));
            }
            "chunk" => self.chunks.push(ProgramChunk::Other(raw(fields)?)),
            _ => return self.table_directive(name, fields),
        }
        Ok(())
    }

    /// The table that is being read.
    fn table(&mut self) -> Option<(TableKind, &mut Table)> {
        match self.chunks.last_mut()? {
            ProgramChunk::Uniforms(uniforms) => Some((TableKind::Uniforms, &mut uniforms.table)),
            ProgramChunk::Attributes(table) => Some((TableKind::Attributes, table)),
            ProgramChunk::Varyings(table) => Some((TableKind::Varyings, table)),
            _ => None,
        }
    }

    fn table_directive(&mut self, name: Piece<'a>, fields: &mut Fields<'a>) -> Result<()> {
        let head = fields.head;
        let kinds = [TableKind::Uniforms, TableKind::Attributes, TableKind::Varyings];
        let wanted = kinds.into_iter().find(|kind| head.is(symbol_directive(*kind)));
        let known =
            ["table_chunk", "table_stray", "symbol_chunk", "symbol_stray", "symbol_index", "symbol_initial"];
        if wanted.is_none() && !known.iter().any(|known| name.is(known)) {
            return Err(wrong(head, format!("`{}` is no directive of an mbs listing", head.text)));
        }
        let Some((kind, table)) = self.table() else {
            return Err(wrong(head, format!("`{}` stands in no table", head.text))
                .note("`.uniforms`, `.attributes` and `.varyings` start one"));
        };
        if let Some(wanted) = wanted {
            if kind != wanted {
                return Err(wrong(head, format!("`{}` does not belong among {}", head.text, kind.name())));
            }
            let (symbol, given) = symbol(kind, fields)?;
            table.entries.push(TableEntry::Symbol(Box::new(symbol)));
            self.given.push(given);
            return Ok(());
        }
        if name.is("table_chunk") {
            table.entries.push(TableEntry::Other(raw(fields)?));
            self.given.push(Given { size: true, stride: true, offset: true });
            return Ok(());
        }
        if name.is("table_stray") {
            table.stray = Opaque(hex(fields.word("the bytes")?)?);
            return Ok(());
        }
        let Some(TableEntry::Symbol(symbol)) = table.entries.last_mut() else {
            return Err(wrong(head, format!("`{}` follows on no symbol", head.text)));
        };
        match &*name.text.to_ascii_lowercase() {
            "symbol_chunk" => symbol.chunks.push(SymbolChunk::Other(raw(fields)?)),
            "symbol_index" => {
                let piece = fields.suffix("index").ok_or_else(|| wrong(head, "`@index=` is missing"))?;
                symbol.chunks.push(SymbolChunk::Index(index_words(piece)?));
            }
            "symbol_initial" => {
                let piece = fields.suffix("initial").ok_or_else(|| wrong(head, "`@initial=` is missing"))?;
                let (count, words) = (fields.value("count")?, floats(piece)?);
                symbol.chunks.push(SymbolChunk::Initial(Initial { count, words }));
            }
            _ => symbol.stray = Opaque(hex(fields.word("the bytes")?)?),
        }
        Ok(())
    }

    /// Works out what the symbols of a table left out, once all of them are known.
    fn close_table(&mut self, head: Piece<'a>) -> Result<()> {
        let given = std::mem::take(&mut self.given);
        let program = self.kind;
        let index = self.chunks.len().saturating_sub(1);
        let Some((kind, table)) = self.table() else { return Ok(()) };
        let class = StorageClass::of(program, kind);
        let layout = layout::anew(class, table);
        let mut unfit = false;
        for (index, symbol) in table.symbols_mut() {
            let (Some(given), Some(sizes)) = (given.get(index), layout.sizes.get(index)) else { continue };
            let mut fill = |field: &mut u16, size: u32| match u16::try_from(size) {
                Ok(size) => *field = size,
                Err(_) => unfit = true,
            };
            if !given.size {
                fill(&mut symbol.component_size, sizes.component_size);
            }
            if !given.stride {
                fill(&mut symbol.src_stride, sizes.src_stride);
            }
        }
        if unfit {
            return Err(wrong(head, "a struct of the table before needs more than 65535 floats"));
        }
        let missing: Vec<bool> = given.iter().map(|given| !given.offset).collect();
        layout::place_missing(class, table, &missing);
        let space = Extents::of(table).space(table);
        if self.spaces.contains(&index)
            && let Some(ProgramChunk::Uniforms(uniforms)) = self.chunks.last_mut()
        {
            uniforms.space = space;
        }
        Ok(())
    }
}

/// The words that are 1, then other values by name.
fn framebuffer(fields: &mut Fields<'_>) -> Result<Framebuffer> {
    let mut of = Framebuffer::default();
    let numbers = of.numbers();
    while let Some(piece) = fields.plain.blank().filter(|piece| !piece.is_empty()) {
        match numbers.iter().find(|number| piece.is(number.name)) {
            Some(number) => _ = of.set_number(number.name, 1),
            None => {
                let names: Vec<_> = numbers.iter().map(|number| number.name).collect();
                return Err(wrong(piece, format!("expected one of {}", names.join(", "))));
            }
        }
    }
    fields.numbers(&numbers, |name, value| of.set_number(name, value))?;
    if let Some(piece) = fields.suffix("unknown_06") {
        of.unknown_06 = Opaque(hex(piece)?);
        if of.unknown_06.len() != 2 {
            return Err(wrong(piece, "expected 2 bytes"));
        }
    }
    Ok(of)
}

/// `PRECISION [invariant] TYPE NAME[LENGTH] at N`, with its suffixes.
fn symbol(kind: TableKind, fields: &mut Fields<'_>) -> Result<(Symbol, Given)> {
    let precision = fields.word("a precision")?;
    let mut symbol = Symbol {
        precision: match precision {
            _ if precision.is("lowp") => 1,
            _ if precision.is("mediump") => 2,
            _ if precision.is("highp") => 3,
            _ => match precision.text.strip_prefix("precision") {
                Some(_) => fits(unsigned(precision.skip("precision".len()))?, precision)?,
                None => return Err(wrong(precision, "expected lowp, mediump or highp")),
            },
        },
        ..Symbol::usual()
    };
    let mut ty = fields.word("a type")?;
    if ty.is("invariant") {
        symbol.invariant = 1;
        ty = fields.word("a type")?;
    }
    (symbol.kind, symbol.component_count) = symbol_type(ty)?;
    let name = fields.word("a name")?;
    let (name, length) = split_array(name)?;
    symbol.name = Name(name_bytes(name)?);
    symbol.entry_count =
        length.map(|piece| unsigned(piece).and_then(|n| fits(n, piece))).transpose()?.unwrap_or(0);
    let mut given = Given::default();
    if let Some(word) = fields.plain.blank().filter(|piece| !piece.is_empty()) {
        given.offset = true;
        if word.is("at") {
            let piece = fields.word("a place")?;
            symbol.offset = Some(fits(unsigned(piece)?, piece)?);
        } else if !word.is("unused") {
            return Err(wrong(word, format!("expected `at` or `unused`, found `{}`", word.text)));
        }
    }
    let numbers = symbol.numbers(kind);
    for name in fields.numbers(&numbers, |name, value| symbol.set_number(kind, name, value))? {
        match name {
            "component_size" => given.size = true,
            "src_stride" => given.stride = true,
            "offset" => given.offset = true,
            _ => {}
        }
    }
    symbol.name_tail = fields.suffix("name_tail").map(hex).transpose()?.map(Opaque);
    if let Some(piece) = fields.suffix("index") {
        symbol.chunks.push(SymbolChunk::Index(index_words(piece)?));
    }
    if let Some(piece) = fields.suffix("initial") {
        symbol.chunks.push(SymbolChunk::Initial(Initial { count: None, words: floats(piece)? }));
    }
    Ok((symbol, given))
}

/// A type of GLSL, or `type7x2`: its number and its components.
fn symbol_type(piece: Piece<'_>) -> Result<(u8, u16)> {
    if let Some(known) = type_named(piece.text) {
        return Ok(known);
    }
    let expected = || wrong(piece, format!("`{}` is no type like vec3, mat4 or sampler2D", piece.text));
    let numbers = piece.text.strip_prefix("type").and_then(|rest| rest.split_once('x'));
    let (kind, components) = numbers.ok_or_else(expected)?;
    kind.parse().ok().zip(components.parse().ok()).ok_or_else(expected)
}

/// A name, and what stands in brackets behind it.
fn split_array(piece: Piece<'_>) -> Result<(Piece<'_>, Option<Piece<'_>>)> {
    let behind = match piece.text.strip_prefix('"') {
        Some(rest) => rest.find('"').map_or(piece.text.len(), |at| at + 2),
        None => piece.find(b'[').unwrap_or(piece.text.len()),
    };
    let array = piece.skip(behind);
    if array.is_empty() {
        return Ok((piece, None));
    }
    let inside = array.text.strip_prefix('[').and_then(|rest| rest.strip_suffix(']'));
    let inside =
        inside.ok_or_else(|| wrong(array, format!("expected `[LENGTH]`, found `{}`", array.text)))?;
    Ok((piece.take(behind), Some(Piece { text: inside, at: array.at + 1 })))
}

/// Three numbers, `-` for none.
fn index_words(piece: Piece<'_>) -> Result<Index> {
    let mut arguments = Arguments { rest: piece };
    let mut word = || {
        let piece = arguments.comma().ok_or_else(|| wrong(piece, "expected three numbers"))?;
        if piece.is("-") { Ok(u32::MAX) } else { unsigned(piece) }
    };
    let index = Index { itdr: word()?, iyuv: word()?, igrd: word()? };
    if arguments.is_done() { Ok(index) } else { Err(wrong(arguments.rest, "expected three numbers")) }
}

fn floats(piece: Piece<'_>) -> Result<Vec<u32>> {
    let mut arguments = Arguments { rest: piece };
    let mut words = Vec::new();
    while let Some(piece) = arguments.comma() {
        let piece = piece.trim();
        words.push(match piece.text.strip_prefix("0x") {
            Some(_) => unsigned(piece)?,
            None => piece
                .text
                .parse()
                .map(f32::to_bits)
                .map_err(|_| wrong(piece, format!("`{}` is no number", piece.text)))?,
        });
    }
    Ok(words)
}
