//! Listing text to code, line by line. Nothing is added to what the text says: no padding, no merging.

use super::instruction::{InstructionReader, mask_of};
use super::resolve::{AssembledCode, Bounds, PlaceRef, Resolver};
use crate::asm::operand;
use crate::asm::operand::Names;
use std::borrow::Cow;
use unshade_bytes::{Diagnostic, Severity};
use unshade_isa_common::assembly::lexer::{Arguments, Line, Piece, Statement};
use unshade_isa_common::assembly::number::unsigned;
use unshade_isa_common::assembly::{Problem, Result};

/// Findings after which the rest of a text is not looked at.
const MOST_FINDINGS: usize = 100;

/// Reads the code part of a listing. The caller walks the lines, takes its own directives, and gives the
/// others to [`CodeReader::line`].
#[derive(Debug, Default)]
pub struct CodeReader<'a> {
    resolver: Resolver<'a>,
    open: Vec<Open<'a>>,
    findings: Vec<Diagnostic>,
}

/// A block whose end has not been met.
#[derive(Debug, Clone, Copy)]
pub(super) enum Open<'a> {
    Procedure { name: Piece<'a>, start: u32 },
    If { at: u32, otherwise: Option<u32>, head: Piece<'a> },
    For { at: u32, head: Piece<'a> },
}

pub(super) fn finding(problem: Problem) -> Diagnostic {
    problem.diagnostic(Severity::Error, 0)
}

pub(super) fn wrong(piece: Piece<'_>, message: impl Into<Cow<'static, str>>) -> Box<Problem> {
    Problem::new("pica200.listing.syntax", piece.span(), message)
}

/// A place of the code: the name of a label or procedure, or a word index.
///
/// # Errors
/// Neither an identifier nor a number.
pub fn place_or_number(piece: Piece<'_>) -> Result<PlaceRef<'_>> {
    if piece.is_identifier() { Ok(PlaceRef::Name(piece)) } else { unsigned(piece).map(PlaceRef::Word) }
}

/// `a..b`, or the name of a procedure.
pub(super) fn bounds(piece: Piece<'_>) -> Result<Bounds<'_>> {
    match piece.text.find("..") {
        Some(at) => Ok(Bounds::FromTo(
            place_or_number(piece.take(at).trim())?,
            place_or_number(piece.skip(at + 2).trim())?,
        )),
        None if piece.is_identifier() => Ok(Bounds::Procedure(piece)),
        None => Err(wrong(piece, format!("expected a procedure or `from..to`, found `{}`", piece.text))),
    }
}

impl<'a> CodeReader<'a> {
    /// A reader that has seen nothing.
    pub fn new() -> Self {
        Self::default()
    }

    /// Reports a finding about the text.
    pub fn report(&mut self, finding: Diagnostic) {
        if self.findings.len() < MOST_FINDINGS {
            self.findings.push(finding);
        }
    }

    /// Reports a problem with a piece of the text.
    pub fn problem(&mut self, problem: Problem) {
        self.report(finding(problem));
    }

    /// Index of the next word.
    pub fn here(&self) -> u32 {
        self.resolver.here()
    }

    /// Whether so much is wrong that the rest need not be read.
    pub fn is_full(&self) -> bool {
        self.findings.len() >= MOST_FINDINGS
    }

    /// Reads a line: labels, a directive of the code part, or an instruction. `names` are the registers'.
    pub fn line(&mut self, mut line: Line<'a>, names: &impl Names) {
        while let Some(label) = line.label() {
            let here = self.resolver.here();
            if let Err(problem) = self.resolver.label(label, here) {
                self.problem(*problem);
            }
        }
        let outcome = match line.statement() {
            Statement::None | Statement::Marker(_) => Ok(()),
            Statement::Directive { head, name, arguments } => self.directive(head, name, arguments),
            Statement::Instruction { head, arguments } => self.instruction(head, arguments, names),
        };
        if let Err(problem) = outcome {
            self.problem(*problem);
        }
    }

    /// Puts everything together.
    ///
    /// # Errors
    /// Everything that was wrong in the text.
    pub fn finish(mut self) -> std::result::Result<AssembledCode, Vec<Diagnostic>> {
        for open in std::mem::take(&mut self.open) {
            let head = match open {
                Open::Procedure { name, .. } => name,
                Open::If { head, .. } | Open::For { head, .. } => head,
            };
            self.problem(*wrong(head, format!("`{}` has no `.end`", head.text)));
        }
        self.resolver.finish(self.findings)
    }

    fn directive(&mut self, head: Piece<'a>, name: Piece<'a>, mut arguments: Arguments<'a>) -> Result<()> {
        let here = self.resolver.here();
        if name.is("proc") {
            let name = arguments.rest.trim();
            if !name.is_identifier() {
                return Err(wrong(if name.is_empty() { head } else { name }, "`.proc` needs a name"));
            }
            self.resolver.label(name, here)?;
            self.open.push(Open::Procedure { name, start: here });
        } else if name.is("else") {
            match self.open.last_mut() {
                Some(Open::If { otherwise: otherwise @ None, .. }) => *otherwise = Some(here),
                _ => return Err(wrong(head, "`.else` belongs to no `ifc` or `ifu`")),
            }
        } else if name.is("end") {
            match self.open.pop() {
                Some(Open::Procedure { name, start }) => self.resolver.procedure(name, start, here),
                Some(Open::If { at, otherwise, head }) => {
                    self.resolver.patch(at, otherwise.unwrap_or(here), here, head)?;
                }
                Some(Open::For { at, head }) => self.resolver.patch_last(at, here, head)?,
                None => return Err(wrong(head, "`.end` without a block to end")),
            }
        } else if name.is("word") {
            while let Some(piece) = arguments.comma() {
                self.resolver.words.push(unsigned(piece)?);
            }
        } else if name.is("desc") {
            self.descriptor(head, arguments)?;
        } else {
            let message = format!("`{}` is no directive of a listing", head.text);
            return Err(Problem::new("pica200.listing.unknown-directive", head.span(), message));
        }
        Ok(())
    }

    /// `.desc N mask, swizzle, swizzle, swizzle [@31] [@high=N]`.
    fn descriptor(&mut self, head: Piece<'a>, mut arguments: Arguments<'a>) -> Result<()> {
        let index = arguments.blank().ok_or_else(|| wrong(head, "`.desc` needs a number"))?;
        if unsigned(index)? as usize != self.resolver.descriptors.len() {
            let message =
                format!("expected `.desc {}`, found `{}`", self.resolver.descriptors.len(), index.text);
            return Err(wrong(index, message).note("descriptors are numbered from 0 without gaps"));
        }
        let (fields, suffixes) = match arguments.rest.find(b'@') {
            Some(at) => (arguments.rest.take(at), arguments.rest.skip(at)),
            None => (arguments.rest, arguments.rest.skip(arguments.rest.text.len())),
        };
        let mut arguments = Arguments { rest: fields };
        let mut field = |what: &str| {
            let piece = arguments.comma().unwrap_or(head);
            if piece.at == head.at { Err(wrong(head, format!("{what} is missing"))) } else { Ok(piece) }
        };
        let mask = field("the mask")?;
        let mut low = if mask.text == "_" { 0 } else { mask_of(operand::swizzle(mask)?) };
        for source in 0..3 {
            let mut piece = field("a swizzle")?;
            if piece.first() == Some(b'-') {
                low |= 1 << (4 + 9 * source);
                piece = piece.skip(1).trim_start();
            }
            low |= u32::from(operand::swizzle(piece)?.0) << (5 + 9 * source);
        }
        let mut high = 0;
        let mut rest = Arguments { rest: suffixes };
        while let Some(suffix) = rest.blank() {
            match suffix.split(b'=') {
                Some((name, value)) if name.is("@high") => high = unsigned(value)?,
                None if suffix.text == "@31" => low |= 1 << 31,
                _ => return Err(wrong(suffix, format!("`{}` says nothing about a descriptor", suffix.text))),
            }
        }
        self.resolver.descriptors.push(low);
        self.resolver.high.push(high);
        Ok(())
    }

    fn instruction(&mut self, head: Piece<'a>, arguments: Arguments<'a>, names: &impl Names) -> Result<()> {
        let block = InstructionReader::new(&mut self.resolver, head, arguments, names)?.read()?;
        self.open.extend(block);
        Ok(())
    }
}
