//! What is wrong with a piece of text.

use std::ops::Range;
use unshade_bytes::{Diagnostic, Location, Severity};

/// Why a piece of text is not what it should be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// Stable name of the kind of finding: `pica200.asm.unknown-name`.
    pub code: &'static str,
    /// Byte range in the source text.
    pub span: Range<usize>,
    /// What is wrong, in plain words; no trailing full stop.
    pub message: String,
    /// What to do about it.
    pub notes: Vec<String>,
}

/// Boxed, so that the common case stays small.
pub type Result<T> = std::result::Result<T, Box<Problem>>;

impl Problem {
    /// A problem without notes.
    pub fn new(code: &'static str, span: Range<usize>, message: impl Into<String>) -> Box<Self> {
        Box::new(Self { code, span, message: message.into(), notes: Vec::new() })
    }

    /// The same problem with one more note.
    #[must_use]
    pub fn note(mut self: Box<Self>, note: impl Into<String>) -> Box<Self> {
        self.notes.push(note.into());
        self
    }

    /// As a finding about source text number `source`.
    pub fn diagnostic(self, severity: Severity, source: usize) -> Diagnostic {
        let Self { code, span, message, notes } = self;
        let mut diagnostic = Diagnostic::new(severity, code, Location::Text { source, span }, "", message);
        diagnostic.notes = notes;
        diagnostic
    }
}
