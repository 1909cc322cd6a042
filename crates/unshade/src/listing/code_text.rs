//! What the listing of a container asks of the instruction sets: the code of a program as text, and back.

use super::ListingOptions;
use unshade_bytes::{Diagnostic, Location};
use unshade_isa::{
    pica200::asm::lexer::{Lines, Statement},
    pica200::listing::number,
    text::{PartKind, Sink},
};
use unshade_stage::{Isa, Stage, Symbol};

/// What code says of itself that a container may state as well. A listing states it only where the container
/// says otherwise; `None`: the instruction set does not tell, and the listing states it always.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct CodeFacts {
    /// Index of the last instruction that loads an attribute, plus 1.
    pub attribute_prefetch: Option<u32>,
    /// The program can drop pixels.
    pub discards: Option<bool>,
}

/// The code of programs as text, in whatever language its instruction set has.
pub(super) trait CodeText {
    /// Writes the code of a program, line by line. No line of it is `.end_code`.
    fn write(&self, sink: &mut impl Sink, stage: &Stage<'_>, options: &ListingOptions);

    /// What code says of itself.
    fn facts(&self, isa: Isa, words: &[u32]) -> CodeFacts;

    /// The words of a text, with the symbols of the program whose code it is.
    ///
    /// # Errors
    /// Everything that is wrong, with its place in this text.
    fn read(&self, isa: Isa, text: &str, symbols: &[Symbol]) -> Result<Vec<u32>, Vec<Diagnostic>>;
}

/// Code as bare words, which serves every instruction set: `.word 0x00000000, ...`.
pub(super) struct Words;

/// Words in a line.
const IN_A_LINE: usize = 4;

impl CodeText for Words {
    fn write(&self, sink: &mut impl Sink, stage: &Stage<'_>, _: &ListingOptions) {
        for (row, at) in stage.code.words.chunks(IN_A_LINE).zip((0_u32..).step_by(IN_A_LINE)) {
            sink.words(at..at.saturating_add(row.len() as u32));
            sink.put(PartKind::Plain, "    ");
            sink.put(PartKind::Directive, ".word");
            for (index, &word) in row.iter().enumerate() {
                sink.put(PartKind::Punctuation, if index == 0 { " " } else { ", " });
                sink.hex(PartKind::Immediate, word, 8);
            }
            sink.end_line();
        }
    }

    fn facts(&self, _: Isa, _: &[u32]) -> CodeFacts {
        CodeFacts::default()
    }

    fn read(&self, _: Isa, text: &str, _: &[Symbol]) -> Result<Vec<u32>, Vec<Diagnostic>> {
        let mut words = Vec::new();
        let wrong = |span, message: String| {
            let location = Location::Text { source: 0, span };
            vec![Diagnostic::new(unshade_bytes::Severity::Error, "listing.code", location, "", message)]
        };
        for line in Lines::new(text) {
            match line.statement() {
                Statement::None => {}
                Statement::Directive { name, mut arguments, .. } if name.is("word") => {
                    while let Some(piece) = arguments.comma() {
                        let word = number(piece).map_err(|problem| wrong(problem.span, problem.message))?;
                        words.push(word);
                    }
                }
                _ => {
                    let message = format!("expected `.word`, found `{}`", line.body.text);
                    return Err(wrong(line.body.span(), message));
                }
            }
        }
        Ok(words)
    }
}
