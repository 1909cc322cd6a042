//! What is wrong with a source, and what may be.

use std::{borrow::Cow, ops::Range};
use unshade_bytes::{Diagnostic, Location, Severity};

/// A finding about a source text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// Stable name of its kind.
    pub code: &'static str,
    /// Bytes of the text that it is about; empty at 0 for the whole of it.
    pub span: Range<usize>,
    /// What was found.
    pub message: Cow<'static, str>,
    /// What to do about it.
    pub notes: Vec<Cow<'static, str>>,
}

impl Problem {
    /// A finding. It is boxed, since results carry it through everything.
    pub fn new(code: &'static str, span: Range<usize>, message: impl Into<Cow<'static, str>>) -> Box<Self> {
        Box::new(Self { code, span, message: message.into(), notes: Vec::new() })
    }

    /// The same with one more sentence.
    #[must_use]
    pub fn note(mut self: Box<Self>, note: impl Into<Cow<'static, str>>) -> Box<Self> {
        self.notes.push(note.into());
        self
    }

    /// As others report findings.
    pub fn diagnostic(self, severity: Severity, source: usize) -> Diagnostic {
        let location = Location::Text { source, span: self.span };
        let found = Diagnostic::new(severity, self.code, location, "", self.message);
        self.notes.into_iter().fold(found, |found, note| found.note(note))
    }
}

/// A result or what is wrong.
pub type Result<T> = std::result::Result<T, Box<Problem>>;
