//! Lines to code.

use super::bundle::Bundle;
use super::operand::{self, wrong};
use super::slot;
use crate::names::Names;
use crate::table::field;
use crate::{decode, encode, lint, stats, words};
use std::collections::HashMap;
use unshade_bytes::{Diagnostic, Location, Severity};
use unshade_isa_common::assembly::lexer::{Line, Piece, Statement};
use unshade_isa_common::assembly::{Problem, Result};

/// Findings after which the rest of a text is not looked at.
const MOST_FINDINGS: usize = 100;

/// What an assembly gives.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Assembled {
    /// The code, four words for each instruction; words of `.word` lines follow.
    pub words: Vec<u32>,
    /// Number of instructions.
    pub instructions: u32,
    /// Index of the last instruction that loads an attribute, plus 1; 0 if none does.
    pub attribute_prefetch: u32,
    /// What the machine would do otherwise than it looks, with its place in the text.
    pub warnings: Vec<Diagnostic>,
}

/// Reads the code part of a listing. The caller walks the lines, takes its own directives, and gives the
/// others to [`CodeReader::line`].
#[derive(Debug, Default)]
pub struct CodeReader<'a> {
    /// Finished instructions and the one whose lines are being read.
    bundles: Vec<Bundle<'a>>,
    /// Words behind the last instruction.
    rest: Vec<u32>,
    labels: HashMap<&'a str, u32>,
    findings: Vec<Diagnostic>,
}

fn finding(problem: Problem) -> Diagnostic {
    problem.diagnostic(Severity::Error, 0)
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

    /// Whether so much is wrong that the rest need not be read.
    pub fn is_full(&self) -> bool {
        self.findings.len() >= MOST_FINDINGS
    }

    /// Reads a line: labels, `.word`, or a line of an instruction.
    pub fn line(&mut self, mut line: Line<'a>, names: &Names) {
        let mut labelled = false;
        while let Some(label) = line.label() {
            labelled = true;
            if let Err(problem) = self.label(label) {
                self.problem(*problem);
            }
        }
        let outcome = match line.statement() {
            Statement::None | Statement::Marker(_) => Ok(()),
            Statement::Directive { name, arguments, .. } if name.is("word") => {
                self.word(arguments.rest.trim())
            }
            Statement::Directive { head, .. } => {
                Err(wrong(head, format!("`{}` is no directive of the code part", head.text)))
            }
            Statement::Instruction { head, mut arguments } if head.text == "||" => match self
                .bundles
                .last_mut()
            {
                Some(_) if labelled => Err(wrong(head, "a place cannot be named inside of an instruction")),
                Some(bundle) => match arguments.blank() {
                    Some(head) => slot::line(bundle, head, arguments, names),
                    None => Err(wrong(head, "expected a unit behind `||`")),
                },
                None => Err(wrong(head, "`||` goes on with an instruction, and there is none before it")),
            },
            Statement::Instruction { head, .. } if !self.rest.is_empty() => {
                Err(wrong(head, "instructions cannot follow `.word`"))
            }
            Statement::Instruction { head, arguments } => {
                self.close();
                self.bundles.push(Bundle::new());
                match self.bundles.last_mut() {
                    Some(bundle) => slot::line(bundle, head, arguments, names),
                    None => Ok(()),
                }
            }
        };
        if let Err(problem) = outcome {
            self.problem(*problem);
        }
    }

    fn label(&mut self, label: Piece<'a>) -> Result<()> {
        if !label.is_identifier() {
            return Err(wrong(label, format!("`{}` cannot name a place", label.text)));
        }
        let here = self.bundles.len() as u32;
        if self.labels.insert(label.text, here).is_some() {
            let message = format!("`{}` names two places", label.text);
            return Err(Problem::new("mali-gp.asm.label-twice", label.span(), message));
        }
        Ok(())
    }

    /// `.word value`: a word behind the last instruction.
    fn word(&mut self, value: Piece<'_>) -> Result<()> {
        self.rest.push(operand::number(value, u32::MAX)?);
        Ok(())
    }

    /// Ends the instruction whose lines have been read.
    fn close(&mut self) {
        let Some(mut bundle) = self.bundles.pop() else { return };
        let mut outcome = bundle.allocate();
        if let (Ok(()), Some((register, piece))) = (&outcome, bundle.wanted) {
            outcome = match self.bundles.last_mut() {
                Some(previous) => previous.keep(register, piece),
                None => Err(Problem::new(
                    "mali-gp.asm.load",
                    piece.span(),
                    "there is no instruction before that could have loaded this register",
                )),
            };
        }
        self.bundles.push(bundle);
        if let Err(problem) = outcome {
            self.problem(*problem);
        }
    }

    /// Where a branch goes.
    fn target(&self, place: Piece<'_>) -> Result<u32> {
        if place.first().is_some_and(|first| first.is_ascii_digit()) {
            return operand::number(place, 511);
        }
        match self.labels.get(place.text) {
            Some(&index @ 0..=511) => Ok(index),
            Some(index) => Err(Problem::new(
                "mali-gp.asm.branch-range",
                place.span(),
                format!("`{}` is instruction {index}; a branch reaches 511", place.text),
            )),
            None => Err(Problem::new(
                "mali-gp.asm.unknown-label",
                place.span(),
                format!("no place is called `{}`", place.text),
            )),
        }
    }

    /// Puts everything together.
    ///
    /// # Errors
    /// Everything that was wrong in the text.
    pub fn finish(mut self, names: &Names) -> std::result::Result<Assembled, Vec<Diagnostic>> {
        self.close();
        for index in 0..self.bundles.len() {
            let Some(place) = self.bundles[index].branch else { continue };
            match self.target(place) {
                Ok(target) => {
                    let bundle = &mut self.bundles[index];
                    let mask = field::BRANCH_TARGET.mask() | field::BRANCH_LOW.mask();
                    bundle.word = bundle.word & !mask | encode::target(target as u16);
                }
                Err(problem) => self.problem(*problem),
            }
        }
        if !self.findings.is_empty() {
            return Err(self.findings);
        }
        let code: Vec<u128> = self.bundles.iter().map(Bundle::finished).collect();
        let insts: Vec<_> = code.iter().map(|&word| decode(word)).collect();
        let warnings = lint::code(&insts, names)
            .into_iter()
            .filter_map(|finding| {
                let lines = &self.bundles.get(finding.instruction as usize)?.lines;
                let named = |unit: &str| {
                    lines
                        .iter()
                        .find(|(head, _)| head.text == unit || (head.text == "mul01" && unit == "mul0"))
                };
                let line = finding.line.and_then(named).or(lines.first())?;
                let location = Location::Text { source: 0, span: line.1.clone() };
                let mut out = Diagnostic::new(Severity::Warning, finding.code, location, "", finding.message);
                out.notes = finding.notes;
                Some(out)
            })
            .collect();
        let mut all: Vec<u32> = code.iter().flat_map(|&word| words(word)).collect();
        let (instructions, attribute_prefetch) = stats::declaration(&all);
        all.extend(&self.rest);
        Ok(Assembled { words: all, instructions, attribute_prefetch, warnings })
    }
}
