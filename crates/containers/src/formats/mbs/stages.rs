//! The programs of an MBS as stages: what the instruction set needs, with the file's own names.

use super::model::{FileChunk, Mbs, Program, ProgramChunk, ProgramKind, Symbol, Table, TableKind};
use super::raw::CHUNK_HEADER;
use std::borrow::Cow;
use unshade_bytes::{Error, ErrorKind, Result};
use unshade_stage::{Code, Declared, Interface, Precision, Space, Stage, StageId, SymbolType};

impl Mbs {
    /// The programs of the file in its order: the vertex program is `vert`, the fragment program `frag`. Of
    /// several of a kind, which no loader expects, the first counts.
    pub fn stages(&self) -> impl Iterator<Item = Stage<'_>> {
        let mut at = CHUNK_HEADER;
        let mut seen = Vec::new();
        self.chunks.iter().filter_map(move |chunk| {
            let start = at.saturating_add(CHUNK_HEADER);
            at = start.saturating_add(chunk.len());
            match chunk {
                FileChunk::Program(program) if !seen.contains(&program.kind) => {
                    seen.push(program.kind);
                    Some(program.stage(start))
                }
                _ => None,
            }
        })
    }

    /// The program of that name; it also answers to the tag of its chunk, `cver` and `cfra`.
    pub fn stage(&self, id: &StageId) -> Option<Stage<'_>> {
        let kind = named(id)?;
        self.stages().find(|stage| named(&stage.id) == Some(kind))
    }

    /// Gives the program of that name other code, and the number of instructions that a vertex program
    /// states. What else follows from the code only the instruction set knows: see
    /// [`Program::set_attrib_prefetch`] and [`Program::set_discards`].
    ///
    /// # Errors
    /// [`ErrorKind::OutOfBounds`] where no program has that name; [`ErrorKind::Unrepresentable`] for a
    /// program that would not start at its first word, or has no chunk for code.
    pub fn replace(&mut self, id: &StageId, code: &Code<'_>) -> Result<()> {
        let name = id.0.as_str();
        let unfit = |expected, found| Error::new(ErrorKind::Unrepresentable, 0, name, expected, found);
        let program = self.named_mut(id).ok_or_else(|| {
            Error::new(ErrorKind::OutOfBounds, 0, "", "the name of a stage of this file", format!("`{id}`"))
        })?;
        if code.entry != 0 {
            let found = format!("an entry point at word {}", code.entry);
            return Err(unfit("code that starts at word 0, as that of an MBS does", found));
        }
        if program.set_code(code.words.to_vec()) {
            Ok(())
        } else {
            Err(unfit("a program with a chunk for code (DBIN)", "none".to_owned()))
        }
    }

    /// The program of that name.
    pub fn named(&self, id: &StageId) -> Option<&Program> {
        self.program(named(id)?)
    }

    /// The program of that name, to be changed.
    pub fn named_mut(&mut self, id: &StageId) -> Option<&mut Program> {
        let kind = named(id)?;
        self.programs_mut().find(|program| program.kind == kind)
    }
}

/// The kind of program that a name means.
fn named(id: &StageId) -> Option<ProgramKind> {
    match id.0.to_ascii_lowercase().as_str() {
        "vert" | "cver" => Some(ProgramKind::Vertex),
        "frag" | "cfra" => Some(ProgramKind::Fragment),
        _ => None,
    }
}

impl Program {
    /// The program as a stage; its contents lie at `start` of the file.
    pub(crate) fn stage(&self, start: u64) -> Stage<'_> {
        let mut at = start.saturating_add(4);
        let mut code = Code::default();
        for chunk in &self.chunks {
            let contents = at.saturating_add(CHUNK_HEADER);
            at = contents.saturating_add(chunk.len());
            if let ProgramChunk::Code(found) = chunk {
                code = Code { words: Cow::Borrowed(&found.words), file_offset: contents, ..Code::default() };
                break;
            }
        }
        let id = StageId(self.kind.stage_name().to_owned());
        let (kind, isa) = (self.kind.stage(), self.kind.isa());
        Stage { id, kind, isa, code, interface: self.interface() }
    }

    /// Uniforms, attributes and varyings, and what the program says of itself.
    fn interface(&self) -> Interface {
        let mut symbols = Vec::new();
        for kind in [TableKind::Uniforms, TableKind::Attributes, TableKind::Varyings] {
            if let Some(table) = self.table(kind) {
                table.interface(self.space(kind), &mut symbols);
            }
        }
        Interface { symbols, declared: Some(self.declared()), ..Interface::default() }
    }

    fn space(&self, kind: TableKind) -> Space {
        match (kind, self.kind) {
            (TableKind::Uniforms, _) => Space::Float,
            (TableKind::Attributes, _) | (TableKind::Varyings, ProgramKind::Fragment) => Space::Input,
            (TableKind::Varyings, ProgramKind::Vertex) => Space::Output,
        }
    }

    /// What the program says of itself; what it leaves out counts as 0, and color is written.
    fn declared(&self) -> Declared {
        if self.kind == ProgramKind::Vertex {
            let stated = self.instructions().copied().unwrap_or_default();
            return Declared::MaliVertex {
                instructions: stated.instruction_count,
                attribute_prefetch: stated.attrib_prefetch,
            };
        }
        let (mut stack_size, mut stack_offset, mut discards) = (0, 0, false);
        let mut framebuffer = [false, true, false, false, false, false];
        for chunk in &self.chunks {
            match chunk {
                ProgramChunk::Stack(stack) => {
                    (stack_size, stack_offset) = (stack.stack_size, stack.stack_offset)
                }
                ProgramChunk::Discard(word) => discards = *word != 0,
                ProgramChunk::Framebuffer(of) => framebuffer = of.accesses().map(|(_, byte)| byte != 0),
                _ => {}
            }
        }
        Declared::MaliFragment { stack_size, stack_offset, discards, framebuffer }
    }
}

impl Table {
    /// Appends the symbols as the instruction sets know them. Where some entries are no symbols, the parents
    /// count without these.
    fn interface(&self, space: Space, symbols: &mut Vec<unshade_stage::Symbol>) {
        let mut places = Vec::with_capacity(self.entries.len());
        let mut next = 0_u16;
        for index in 0..self.entries.len() {
            let is_symbol = self.symbol(index).is_some();
            places.push(Some(next).filter(|_| is_symbol));
            next = next.saturating_add(is_symbol.into());
        }
        let parent = |symbol: &Symbol| places.get(usize::from(symbol.parent?)).copied().flatten();
        symbols.extend(self.symbols().map(|(_, symbol)| symbol.interface(space, parent(symbol))));
    }
}

/// What a symbol is made of, by the number in its record.
pub(super) fn symbol_type(kind: u8) -> SymbolType {
    match kind {
        1 => SymbolType::Float,
        2 => SymbolType::Int,
        3 => SymbolType::Bool,
        4 => SymbolType::Matrix,
        5 => SymbolType::Sampler2d,
        6 => SymbolType::SamplerCube,
        8 => SymbolType::Struct,
        9 => SymbolType::SamplerExternal,
        other => SymbolType::Unknown(other),
    }
}

impl Symbol {
    fn interface(&self, space: Space, parent: Option<u16>) -> unshade_stage::Symbol {
        unshade_stage::Symbol {
            name: self.name.text(),
            space,
            ty: symbol_type(self.kind),
            components: self.component_count,
            component_size: self.component_size,
            elements: self.entry_count,
            stride: self.src_stride,
            precision: match self.precision {
                1 => Some(Precision::Low),
                2 => Some(Precision::Medium),
                3 => Some(Precision::High),
                _ => None,
            },
            invariant: self.invariant != 0,
            offset: self.offset,
            parent,
            initial: self.initial().map(|initial| initial.words.clone()),
        }
    }
}
