//! The state of an assembly, the loop over lines, and blocks.

use super::finding::Findings;
use super::hash::Seeded;
use super::mnemonic::Directive;
use super::operand::{Alias, Names, Operand, looks_like_register, operand};
use super::pool::{Pool, Swap};
use super::program::{Constant, Output, Uniform};
use super::space::Space;
use super::{Origin, Procedure, Source, mnemonic};
use crate::{Format, Inst, Opcode, Operands, decode, encode};
use std::{collections::HashMap, ops::Range};
use unshade_isa_common::assembly::lexer::{Arguments, Line, Lines, Piece, Statement};
use unshade_isa_common::assembly::{Problem, Result};
use unshade_stage::{GeometryMode, StageKind};

/// Words that vertex units hold.
pub(super) const VERTEX_WORDS: usize = 512;
/// Words that addresses reach.
pub(super) const ALL_WORDS: usize = 4096;
/// How deep blocks may nest.
const BLOCKS: usize = 32;

/// The aliases of one source.
#[derive(Debug, Default)]
pub(super) struct Aliases<'a> {
    names: HashMap<&'a str, Alias, Seeded>,
    /// Some name has the form of a register, so even registers must be looked up.
    hides_registers: bool,
}

impl<'a> Aliases<'a> {
    pub(super) fn insert(&mut self, name: &'a str, alias: Alias) {
        self.hides_registers |= looks_like_register(name);
        self.names.insert(name, alias);
    }

    pub(super) fn contains(&self, name: &str) -> bool {
        self.names.contains_key(name)
    }
}

impl Names for Aliases<'_> {
    fn find(&self, name: &str) -> Option<Alias> {
        if !self.hides_registers && looks_like_register(name) {
            return None;
        }
        self.names.get(name).copied()
    }

    fn hides_registers(&self) -> bool {
        self.hides_registers
    }
}

/// An open block.
#[derive(Debug)]
pub(super) enum Block<'a> {
    Procedure { name: Piece<'a>, start: usize },
    Loop { head: Piece<'a>, start: usize },
    If { head: Piece<'a>, start: usize, other: Option<usize> },
    Array { name: Piece<'a>, size: Option<u8>, rows: Vec<[u32; 4]> },
}

impl<'a> Block<'a> {
    fn head(&self) -> Piece<'a> {
        match self {
            Self::Loop { head, .. } | Self::If { head, .. } => *head,
            Self::Procedure { name, .. } | Self::Array { name, .. } => *name,
        }
    }
}

/// A use of a name that is not known yet.
#[derive(Debug, Clone, Copy)]
pub(super) struct Reference<'a> {
    pub(super) word: usize,
    pub(super) source: usize,
    pub(super) name: Piece<'a>,
}

/// What a source says about its executable.
#[derive(Debug)]
pub(super) struct Unit<'a> {
    pub(super) source: usize,
    pub(super) entry: Option<Piece<'a>>,
    pub(super) no_executable: bool,
    pub(super) geometry: bool,
    /// A geometry program in the old way: its uniforms live in the space of vertex programs.
    pub(super) legacy: bool,
    pub(super) mode: GeometryMode,
    pub(super) merge: bool,
    pub(super) input_mask: u16,
    pub(super) output_mask: u16,
    /// Four bits for each output register: components that have a meaning.
    pub(super) output_components: u64,
    pub(super) constants: Vec<Constant>,
    pub(super) outputs: Vec<Output>,
    pub(super) uniforms: Vec<Uniform>,
}

impl Unit<'_> {
    pub(super) fn own_space(&self) -> bool {
        self.geometry && !self.legacy
    }

    /// Output registers: geometry programs have fewer.
    pub(super) fn output_registers(&self) -> u8 {
        if self.geometry { 7 } else { 16 }
    }

    pub(super) fn kind(&self) -> StageKind {
        if self.geometry { StageKind::Geometry } else { StageKind::Vertex }
    }
}

/// What belongs to the source that is being read.
#[derive(Debug, Default)]
pub(super) struct File<'a> {
    pub(super) index: usize,
    /// Index of its unit, once something needed one.
    pub(super) unit: Option<usize>,
    pub(super) aliases: Aliases<'a>,
    pub(super) labels: HashMap<&'a str, usize>,
    pub(super) jumps: Vec<Reference<'a>>,
    pub(super) blocks: Vec<Block<'a>>,
    /// The first statement whose words do not fit into a vertex unit.
    pub(super) past_vertex: Option<Range<usize>>,
}

/// The whole assembly.
pub(super) struct Assembler<'a> {
    pub(super) padding: bool,
    pub(super) words: Vec<u32>,
    pub(super) origins: Vec<Origin>,
    pub(super) pool: Pool,
    pub(super) procedures: HashMap<&'a str, usize>,
    pub(super) procedure_list: Vec<Procedure>,
    /// Names of procedures whose `.end` has not come yet, or that failed.
    pub(super) calls: Vec<Reference<'a>>,
    pub(super) shared: Vec<(Uniform, &'a str)>,
    pub(super) shared_by_name: HashMap<&'a str, usize>,
    pub(super) vertex_space: Space,
    pub(super) geometry_space: Space,
    pub(super) units: Vec<Unit<'a>>,
    pub(super) findings: Findings,
    pub(super) file: File<'a>,
    /// The statement before was the `.end` of an `if` or a loop. Labels and directives do not count.
    last_was_end: bool,
    /// The statement being read.
    pub(super) statement: Piece<'a>,
    full: bool,
}

impl<'a> Assembler<'a> {
    pub(super) fn new(padding: bool) -> Self {
        Self {
            padding,
            words: Vec::new(),
            origins: Vec::new(),
            pool: Pool::new(),
            procedures: HashMap::new(),
            procedure_list: Vec::new(),
            calls: Vec::new(),
            shared: Vec::new(),
            shared_by_name: HashMap::new(),
            vertex_space: Space::vertex(),
            geometry_space: Space::geometry(0),
            units: Vec::new(),
            findings: Findings::default(),
            file: File::default(),
            last_was_end: false,
            statement: Piece::new(""),
            full: false,
        }
    }

    /// Reads one source.
    pub(super) fn source(&mut self, index: usize, source: Source<'a>) {
        self.file = File { index, ..File::default() };
        self.findings.source = index;
        self.vertex_space.next_source();
        for line in Lines::new(source.text) {
            self.line(line);
        }
        for block in std::mem::take(&mut self.file.blocks) {
            let head = block.head();
            let message = format!("the block of `{}` has no `.end`", head.text);
            self.findings.error(Problem::new("pica200.asm.unclosed-block", head.span(), message));
            if let Block::Procedure { name, start } = block {
                self.define_procedure(name, start);
            }
        }
        self.link_labels();
        let geometry = self.file.unit.and_then(|unit| self.units.get(unit)).is_some_and(|unit| unit.geometry);
        if let Some(span) = self.file.past_vertex.take().filter(|_| !geometry) {
            let message = format!("vertex programs end here: the units hold {VERTEX_WORDS} words");
            self.findings.error(Problem::new("pica200.asm.vertex-size", span, message));
        }
    }

    fn line(&mut self, mut line: Line<'a>) {
        if line.body.is_empty() {
            return;
        }
        while let Some(name) = line.label() {
            if let Err(problem) = self.label(name) {
                self.findings.error(problem);
            }
        }
        self.statement = line.body;
        let result = match line.statement() {
            Statement::None | Statement::Marker(_) => Ok(()),
            Statement::Instruction { head, arguments } => self.instruction_line(head, arguments),
            Statement::Directive { head, name, arguments } => match mnemonic::directive(name.text) {
                Some(directive) => self.directive_line(directive, head, arguments),
                None => {
                    let message = format!("there is no directive `{}`", head.text);
                    Err(Problem::new("pica200.asm.unknown-directive", head.span(), message))
                }
            },
        };
        if let Err(problem) = result {
            self.findings.error(problem);
        }
    }

    fn label(&mut self, name: Piece<'a>) -> Result<()> {
        if !name.is_identifier() {
            let message = format!("`{}` is no label name", name.text);
            return Err(Problem::new("pica200.asm.identifier", name.span(), message));
        }
        if self.file.labels.insert(name.text, self.words.len()).is_some() {
            let message = format!("label `{}` stands twice in this source", name.text);
            return Err(Problem::new("pica200.asm.duplicate", name.span(), message));
        }
        Ok(())
    }

    fn instruction_line(&mut self, head: Piece<'a>, arguments: Arguments<'a>) -> Result<()> {
        if matches!(self.file.blocks.last(), None | Some(Block::Array { .. })) {
            return Err(match mnemonic::opcode(head.text) {
                Some(_) => Problem::new(
                    "pica200.asm.outside",
                    head.span(),
                    format!("instruction `{}` outside a procedure", head.text),
                ),
                None => unknown_mnemonic(head),
            });
        }
        self.last_was_end = false;
        self.unit();
        let opcode = mnemonic::opcode(head.text).ok_or_else(|| unknown_mnemonic(head))?;
        let (words, blocks) = (self.words.len(), self.file.blocks.len());
        let result = self.instruction(opcode, head, arguments);
        if result.is_err() {
            // Go on as if it had been right, so that one mistake is reported once.
            if self.file.blocks.len() == blocks {
                let start = self.words.len();
                match opcode {
                    Opcode::Ifc | Opcode::Ifu => {
                        self.file.blocks.push(Block::If { head, start, other: None });
                    }
                    Opcode::Loop => self.file.blocks.push(Block::Loop { head, start }),
                    _ => {}
                }
            }
            if self.words.len() == words {
                self.push(encode(Inst::Known {
                    opcode: Opcode::Nop,
                    operands: Operands::Bare { unused: 0 },
                }));
            }
        }
        result
    }

    fn directive_line(
        &mut self,
        directive: Directive,
        head: Piece<'a>,
        mut arguments: Arguments<'a>,
    ) -> Result<()> {
        match directive {
            Directive::Proc => {
                let name = arguments.comma().unwrap_or(head.skip(head.text.len()));
                let opened = self.open(Block::Procedure { name, start: self.words.len() });
                self.done(arguments)?;
                opened?;
                if name.is_empty() {
                    return Err(Problem::new("pica200.asm.missing", head.span(), "a name is missing"));
                }
                if !name.is_identifier() {
                    let message = format!("`{}` is no identifier, so it cannot be called", name.text);
                    self.findings.warn("pica200.asm.identifier", name.span(), message);
                }
                if self.procedures.contains_key(name.text) {
                    let message = format!("there is already a procedure `{}`", name.text);
                    return Err(Problem::new("pica200.asm.duplicate", name.span(), message));
                }
                Ok(())
            }
            Directive::Else => {
                self.done(arguments)?;
                self.other_part(head)
            }
            Directive::End => {
                self.done(arguments)?;
                self.close(head)
            }
            other => self.declare(other, head, arguments),
        }
    }

    /// Opens a block.
    pub(super) fn open(&mut self, block: Block<'a>) -> Result<()> {
        let head = block.head();
        // Kept open even where too deep, so that its `.end` finds it; the text bounds the depth.
        self.file.blocks.push(block);
        if self.file.blocks.len() == BLOCKS + 1 {
            let message = format!("blocks nest deeper than {BLOCKS}");
            return Err(Problem::new("pica200.asm.nesting", head.span(), message));
        }
        Ok(())
    }

    /// `.else`.
    fn other_part(&mut self, head: Piece<'a>) -> Result<()> {
        let problem = |message: &'static str| Err(Problem::new("pica200.asm.block", head.span(), message));
        let Some(Block::If { start, other, .. }) = self.file.blocks.last() else {
            return problem("`.else` belongs into an `ifc` or `ifu` block");
        };
        if other.is_some() {
            return problem("this block has had its `.else`");
        }
        let start = *start;
        if std::mem::take(&mut self.last_was_end) || self.ends_badly(start, 2, false) {
            self.pad();
        }
        let here = self.words.len();
        if let Some(Block::If { other, .. }) = self.file.blocks.last_mut() {
            *other = Some(here);
        }
        self.set_target(start, here);
        Ok(())
    }

    /// `.end`.
    fn close(&mut self, head: Piece<'a>) -> Result<()> {
        let Some(block) = self.file.blocks.pop() else {
            return Err(Problem::new("pica200.asm.block", head.span(), "`.end` without a block"));
        };
        if let Some((start, least, is_loop)) = match block {
            Block::Procedure { start, .. } => Some((start, 1, false)),
            Block::Loop { start, .. } => Some((start, 2, true)),
            Block::If { start, .. } => Some((start, 2, false)),
            Block::Array { .. } => None,
        } && (std::mem::take(&mut self.last_was_end) || self.ends_badly(start, least, is_loop))
        {
            self.pad();
        }
        let here = self.words.len();
        match block {
            Block::Procedure { name, start } => {
                self.define_procedure(name, start);
            }
            Block::Loop { start, .. } => {
                self.set_target(start, here.saturating_sub(1));
                self.last_was_end = true;
            }
            Block::If { start, other, .. } => {
                match other {
                    None => self.set_target(start, here),
                    Some(other) => self.set_length(start, here - other, head.span()),
                }
                self.last_was_end = true;
            }
            Block::Array { name, size, rows } => return self.constant_array(name, size, rows),
        }
        Ok(())
    }

    /// A procedure that ends here.
    fn define_procedure(&mut self, name: Piece<'a>, start: usize) {
        if self.procedures.contains_key(name.text) {
            // Reported at its head, or hidden in a block of the same name.
            let message = format!("there is already a procedure `{}`", name.text);
            self.findings.error_once(Problem::new("pica200.asm.duplicate", name.span(), message));
            return;
        }
        self.procedures.insert(name.text, self.procedure_list.len());
        self.procedure_list.push(Procedure {
            name: name.text.to_string(),
            start: start as u32,
            length: (self.words.len() - start) as u32,
            source: self.file.index,
            span: name.span(),
        });
    }

    /// Whether the machine would miss the end of a block that closes here: the last word transfers control,
    /// or the block has fewer than `least` words with its head.
    fn ends_badly(&self, start: usize, least: usize, is_loop: bool) -> bool {
        let Some(&last) = self.words.last() else { return false };
        let transfers = match Opcode::of_word(last) {
            Some(Opcode::Jmpc | Opcode::Jmpu | Opcode::Call | Opcode::Callc | Opcode::Callu) => true,
            Some(Opcode::Break | Opcode::Breakc) => is_loop,
            _ => false,
        };
        transfers || self.words.len() - start < least
    }

    /// Inserts the NOP that the machine needs here, or says that it is missing.
    fn pad(&mut self) {
        if self.padding {
            self.push(encode(Inst::Known { opcode: Opcode::Nop, operands: Operands::Bare { unused: 0 } }));
        } else {
            self.findings.warn(
                "pica200.asm.padding",
                self.statement.span(),
                "a padding nop is required here",
            );
        }
    }

    /// Appends a code word.
    pub(super) fn push(&mut self, word: u32) {
        self.words.push(word);
        self.origins.push(Origin { source: self.file.index as u32, at: self.statement.at as u32 });
        if self.words.len() > VERTEX_WORDS && self.file.past_vertex.is_none() {
            self.file.past_vertex = Some(self.statement.span());
        }
        if self.words.len() > ALL_WORDS && !self.full {
            self.full = true;
            let message = format!("the machine holds {ALL_WORDS} words");
            self.findings.error(Problem::new("pica200.asm.size", self.statement.span(), message));
        }
    }

    /// Appends an instruction.
    pub(super) fn emit(&mut self, opcode: Opcode, operands: Operands) {
        self.push(encode(Inst::Known { opcode, operands }));
    }

    /// Writes the target of a flow instruction. Targets past the last address go with a program that is
    /// too long, which is reported where it is.
    pub(super) fn set_target(&mut self, word: usize, target: usize) {
        self.change(word, |operands| match operands {
            Operands::FlowCondition { dst, .. } | Operands::FlowUniform { dst, .. } => {
                *dst = (target & 0xFFF) as u16;
            }
            _ => {}
        });
        if target >= ALL_WORDS && !self.full {
            self.full = true;
            let message = format!("this leads to word {target}, and addresses end at {}", ALL_WORDS - 1);
            self.findings.error(Problem::new("pica200.asm.size", self.statement.span(), message));
        }
    }

    /// Writes the length field of a flow instruction. It has eight bits; the reference assembler lets it run
    /// on into the two unknown bits above, and so do we, with a warning.
    pub(super) fn set_length(&mut self, word: usize, length: usize, span: Range<usize>) {
        self.change(word, |operands| match operands {
            Operands::FlowCondition { num, unused, .. } | Operands::FlowUniform { num, unused, .. } => {
                (*num, *unused) = ((length & 0xFF) as u8, (length >> 8 & 3) as u8);
            }
            _ => {}
        });
        let message = format!("{length} words do not fit into the length field, which ends at 255");
        if length > 0x3FF {
            self.findings.error(Problem::new("pica200.asm.length", span, message));
        } else if length > 0xFF {
            self.findings.warn("pica200.asm.length", span, message);
        }
    }

    fn change(&mut self, word: usize, how: impl FnOnce(&mut Operands)) {
        if let Some(word) = self.words.get_mut(word) {
            let mut inst = decode(*word);
            if let Inst::Known { operands, .. } = &mut inst {
                how(operands);
            }
            *word = encode(inst);
        }
    }

    /// Renumbers two descriptors that changed places, in all words so far. No MAD uses either.
    pub(super) fn renumber(&mut self, Swap(a, b): Swap) {
        for word in &mut self.words {
            let Some(opcode) = Opcode::of_word(*word) else { continue };
            if matches!(opcode.format(), Format::One | Format::Two | Format::TwoInverted | Format::Compare)
                && let Inst::Known { opcode, mut operands } = decode(*word)
            {
                if let Operands::One { desc, .. }
                | Operands::Two { desc, .. }
                | Operands::Compare { desc, .. } = &mut operands
                {
                    *desc = match *desc {
                        from if from == a => b,
                        from if from == b => a,
                        other => other,
                    };
                }
                *word = encode(Inst::Known { opcode, operands });
            }
        }
    }

    /// The unit of this source; the first need makes it.
    pub(super) fn unit(&mut self) -> &mut Unit<'a> {
        let index = *self.file.unit.get_or_insert_with(|| {
            self.units.push(Unit {
                source: self.file.index,
                entry: None,
                no_executable: false,
                geometry: false,
                legacy: false,
                mode: GeometryMode::Point,
                merge: false,
                input_mask: 0,
                output_mask: 0,
                output_components: 0,
                constants: Vec::new(),
                outputs: Vec::new(),
                uniforms: Vec::new(),
            });
            self.units.len() - 1
        });
        &mut self.units[index]
    }

    /// The next argument of an instruction.
    pub(super) fn argument(&self, arguments: &mut Arguments<'a>) -> Result<Piece<'a>> {
        arguments.comma().ok_or_else(|| self.missing())
    }

    /// That an argument is missing at the end of the statement.
    pub(super) fn missing(&self) -> Box<Problem> {
        let end = self.statement.span().end;
        Problem::new("pica200.asm.missing", end..end, "an argument is missing")
    }

    /// Nothing may be left.
    pub(super) fn done(&mut self, arguments: Arguments<'a>) -> Result<()> {
        if arguments.is_done() {
            return Ok(());
        }
        let message = format!("unexpected `{}`", arguments.rest.text);
        Err(Problem::new("pica200.asm.too-many", arguments.rest.span(), message))
    }

    /// Reads a register operand and reports what is doubtful in it.
    pub(super) fn operand(&mut self, piece: Piece<'a>) -> Result<Operand<'a>> {
        let operand = operand(piece, &self.file.aliases)?;
        if operand.doubt.is_some() || operand.register.class == super::operand::Class::Output {
            self.examine(&operand)?;
        }
        Ok(operand)
    }
}

fn unknown_mnemonic(head: Piece<'_>) -> Box<Problem> {
    let message = format!("there is no instruction `{}`", head.text);
    Problem::new("pica200.asm.unknown-instruction", head.span(), message)
}
