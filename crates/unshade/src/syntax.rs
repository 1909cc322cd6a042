//! Programs in the exact text of other tools.

use crate::listing::picasso_source;
use std::fmt;
use unshade_bytes::Diagnostic;
use unshade_isa::text::{Listing, PlainText, Sink};
use unshade_isa::{Machine, with_machine};
use unshade_stage::{Isa, Stage};

/// Another tool's text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Syntax {
    /// Source for picasso, the assembler of the 3DS homebrew tools (PICA200).
    Picasso,
    /// What Mesa's disassembler for the lima driver prints (Mali-200/400).
    Lima,
    /// What the disassembler of the decaf emulator prints, and AMD's tools print alike (Wii U).
    Decaf,
    /// What NVIDIA's disassembler prints of bare code (Switch).
    Nvdisasm,
}

impl Syntax {
    /// The name used on the command line: `picasso`, `lima`, `decaf`, `nvdisasm`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Picasso => "picasso",
            Self::Lima => "lima",
            Self::Decaf => "decaf",
            Self::Nvdisasm => "nvdisasm",
        }
    }
}

/// No tool of that name knows the instruction set.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct UnknownToTool {
    /// The tool's text.
    pub syntax: Syntax,
    /// Instruction set of the program.
    pub isa: Isa,
}

impl fmt::Display for UnknownToTool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "there is no {} text of {} programs", self.syntax.name(), self.isa)
    }
}

impl std::error::Error for UnknownToTool {}

/// A program as another tool writes it, and what could not be said so.
///
/// # Errors
/// Where the tool does not know the program's instruction set.
pub fn foreign_text(stage: &Stage<'_>, syntax: Syntax) -> Result<(Listing, Vec<Diagnostic>), UnknownToTool> {
    if (syntax, stage.isa) == (Syntax::Picasso, Isa::Pica200) {
        return Ok(picasso_source(stage));
    }
    let mut listing = Listing::default();
    write(&mut listing, stage, syntax)?;
    Ok((listing, Vec::new()))
}

/// As [`foreign_text`], as plain text and faster; what could not be said is not reported.
///
/// # Errors
/// Where the tool does not know the program's instruction set.
pub fn foreign_text_plain(stage: &Stage<'_>, syntax: Syntax) -> Result<String, UnknownToTool> {
    let mut text = PlainText::with_capacity(crate::listing::room(stage));
    write(&mut text, stage, syntax)?;
    Ok(text.into_text())
}

fn write(sink: &mut impl Sink, stage: &Stage<'_>, syntax: Syntax) -> Result<(), UnknownToTool> {
    with_machine!(stage.isa, M => {
        if M::FOREIGN_SYNTAX != syntax.name() {
            return Err(UnknownToTool { syntax, isa: stage.isa });
        }
        M::list_foreign(sink, stage);
    }, _ => return Err(UnknownToTool { syntax, isa: stage.isa }));
    Ok(())
}
