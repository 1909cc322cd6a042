//! The assembler of the native text.
//!
//! A line holds a field, `|` goes on with the next field of the same instruction, at the front of a line as
//! well; `name:` is a label and `;` starts a remark:
//!
//! ```text
//! L12:
//!     load.v      ^discard.xy, v_uv.xy
//!   | texld       u_image
//!   | mul.v0      $0, $0, ^texture
//!   | sync, stop
//! ```
//!
//! Sizes, the size of the following instruction, distances of branches and the sizes there are computed;
//! `sync` is set wherever it is needed. `@name=value` behind a field or behind `control` sets bits that the
//! text has no other way to say. `.word` puts a word as it is.

mod alu;
mod cursor;
mod field;
mod link;
mod operand;

use super::Inst;
use super::declare;
use super::symbols::{Symbols, is_identifier};
use super::table::{Control, Field, Part};
use cursor::Cursor;
use std::ops::Range;
use unshade_bytes::{Diagnostic, Severity};
use unshade_isa_common::assembly::{Problem, Result};
use unshade_stage::Symbol;

/// What an assembly gives.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Assembled {
    /// The code.
    pub words: Vec<u32>,
    /// The program can drop pixels, which files say as well.
    pub discards: bool,
    /// What may be a mistake, in the order of the text.
    pub warnings: Vec<Diagnostic>,
    /// For each instruction or word its first word and the byte offset of its line in the text.
    pub origins: Vec<(u32, usize)>,
}

/// Findings of a kind that are kept.
const MOST: usize = 1000;

/// Assembles a listing. Names of varyings, uniforms and samplers are those of the symbols.
///
/// # Errors
/// Everything that is wrong in the text, with its place, in the order of the text; at most 1000 findings.
pub fn assemble(text: &str, symbols: &[Symbol]) -> std::result::Result<Assembled, Vec<Diagnostic>> {
    let declared: Vec<Symbol> = symbols.iter().cloned().chain(declarations(text)).collect();
    let symbols = Symbols::new(&declared);
    let mut program = Program::default();
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        if program.errors.len() >= MOST {
            break;
        }
        let body = line.split_once(';').map_or(line, |(body, _)| body);
        if let Err(problem) = program.line(Cursor::new(body, at), &symbols) {
            program.error(problem);
        }
        at += line.len();
    }
    program.link()
}

/// Symbols that a listing declares at most; no compiler's table is as long.
const MOST_SYMBOLS: usize = 1 << 12;

/// The symbols that the text declares. Lines that are wrong are reported when their turn comes.
fn declarations(text: &str) -> impl Iterator<Item = Symbol> + '_ {
    let lines = text.lines().map(|line| line.split_once(';').map_or(line, |(body, _)| body).trim());
    let declared = lines.filter_map(|line| line.strip_prefix(".symbol")?.strip_prefix([' ', '\t']));
    declared.filter_map(|line| declare::read(line).ok()).take(MOST_SYMBOLS)
}

/// A piece of the program, before its place is known.
#[derive(Debug)]
struct Statement {
    /// Where it stands in the text.
    span: Range<usize>,
    what: What,
}

#[derive(Debug)]
enum What {
    Word(u32),
    Inst(Box<Draft>),
}

/// An instruction without what its neighbours determine.
#[derive(Debug, Default)]
struct Draft {
    inst: Inst,
    /// `sync` or `nosync`, where the text says either.
    sync: Option<bool>,
    /// Bits of the control word that the text sets.
    control: Vec<(Part, u32)>,
    /// Where the branch goes.
    target: Option<Target>,
    /// Bits of the branch that the text sets.
    branch: Vec<(Part, u32)>,
}

/// Target of a branch.
#[derive(Debug)]
struct Target {
    place: Place,
    span: Range<usize>,
}

#[derive(Debug)]
enum Place {
    Label(String),
    Word(i64),
}

#[derive(Debug, Default)]
struct Program {
    statements: Vec<Statement>,
    /// Name, its place in the text, and the statement behind it; in the order of the text.
    labels: Vec<(String, Range<usize>, usize)>,
    errors: Vec<Diagnostic>,
    warnings: Vec<Diagnostic>,
    /// The last statement was wrong, so lines that go on with it are passed over.
    broken: bool,
}

impl Program {
    #[expect(clippy::boxed_local, reason = "problems travel in boxes, to keep results small")]
    fn error(&mut self, problem: Box<Problem>) {
        if self.errors.len() < MOST {
            self.errors.push(problem.diagnostic(Severity::Error, 0));
        }
    }

    #[expect(clippy::boxed_local, reason = "problems travel in boxes, to keep results small")]
    fn warn(&mut self, problem: Box<Problem>) {
        if self.warnings.len() < MOST {
            self.warnings.push(problem.diagnostic(Severity::Warning, 0));
        }
    }

    fn line(&mut self, mut line: Cursor<'_>, symbols: &Symbols<'_>) -> Result<()> {
        while let Some((name, span)) = line.label() {
            if !is_identifier(name) {
                return Err(Problem::new("mali-pp.asm.label", span, format!("`{name}` cannot be a label")));
            }
            self.labels.push((name.to_owned(), span, self.statements.len()));
        }
        if line.is_done() {
            return Ok(());
        }
        if line.eat(".") {
            return self.directive(line);
        }
        let start = line.position();
        if line.eat("|") {
            let continues = self.labels.last().is_none_or(|(_, _, behind)| *behind < self.statements.len());
            if !matches!(self.statements.last(), Some(Statement { what: What::Inst(_), .. })) || !continues {
                let message = "`|` goes on with an instruction, but none stands in front of it";
                return if self.broken {
                    Ok(())
                } else {
                    Err(Problem::new("mali-pp.asm.syntax", start..start + 1, message))
                };
            }
        } else {
            self.broken = false;
            let span = start..line.end();
            self.statements.push(Statement { span, what: What::Inst(Box::default()) });
        }
        if self.broken {
            return Ok(());
        }
        loop {
            let Some(Statement { what: What::Inst(draft), .. }) = self.statements.last_mut() else {
                return Ok(());
            };
            let read = field::item(&mut line, draft, symbols);
            let wrong = match read {
                Ok(()) if line.is_done() => return Ok(()),
                Ok(()) if line.eat("|") => continue,
                Ok(()) => line.unexpected("the end of the line or `|`"),
                Err(problem) => problem,
            };
            self.broken = true;
            return Err(wrong);
        }
    }

    fn directive(&mut self, mut line: Cursor<'_>) -> Result<()> {
        // The full stop is part of it.
        let start = line.position().saturating_sub(1);
        let (name, span) = line.word();
        let span = start..span.end;
        match name {
            "word" => loop {
                let start = line.position();
                let value = line.number(u64::from(u32::MAX))?;
                self.broken = false;
                let span = start..line.position();
                self.statements.push(Statement { span, what: What::Word(value as u32) });
                if line.is_done() {
                    return Ok(());
                }
                if !line.eat(",") {
                    return Err(line.unexpected("`,` or the end of the line"));
                }
            },
            "isa" => {
                let start = line.position();
                if line.eat("mali-pp") && line.is_done() {
                    return Ok(());
                }
                Err(Problem::new("mali-pp.asm.isa", start..line.end(), "expected `mali-pp`"))
            }
            "symbol" => {
                let span = line.position()..line.end();
                declare::read(line.rest())
                    .map(|_| ())
                    .map_err(|message| Problem::new("mali-pp.asm.symbol", span, message))
            }
            _ => Err(Problem::new(
                "mali-pp.asm.directive",
                span,
                format!("`.{name}` is no directive of this listing"),
            )),
        }
    }
}

/// The run of bits that a name means in a field, or in the control word where there is no field.
fn part(name: &str, parts: &[Part]) -> Option<Part> {
    parts.iter().copied().find(|part| part.name == name)
}

/// Bits of the control word that a listing may set.
const CONTROL: &[Part] = Control::PARTS;

impl Draft {
    /// Adds a field.
    fn set(&mut self, field: Field, bits: u128, span: Range<usize>) -> Result<()> {
        if self.inst.has(field) {
            let message = format!("the instruction has its {} field already", field.name());
            return Err(Problem::new("mali-pp.asm.field-twice", span, message));
        }
        self.inst.set_field(field, bits);
        Ok(())
    }
}
