//! What is wrong with a piece of a source text.

use crate::{Diagnostic, Location, Severity};
use alloc::borrow::Cow;
use alloc::boxed::Box;
use alloc::vec::Vec;
use core::ops::Range;

/// Why a piece of text is not what it should be, before it is known which of several texts it stands in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// Stable name of the kind of finding: `pica200.asm.unknown-name`.
    pub code: &'static str,
    /// Byte range in the source text; empty at 0 for the whole of it.
    pub span: Range<usize>,
    /// What is wrong, in plain words; no trailing full stop.
    pub message: Cow<'static, str>,
    /// What to do about it.
    pub notes: Vec<Cow<'static, str>>,
}

/// Boxed, so that the common case stays small.
pub type Result<T> = core::result::Result<T, Box<Problem>>;

impl Problem {
    /// A problem without notes. It is boxed, so that results stay small.
    pub fn new(code: &'static str, span: Range<usize>, message: impl Into<Cow<'static, str>>) -> Box<Self> {
        Box::new(Self { code, span, message: message.into(), notes: Vec::new() })
    }

    /// The same problem with one more note.
    #[must_use]
    pub fn note(mut self: Box<Self>, note: impl Into<Cow<'static, str>>) -> Box<Self> {
        self.notes.push(note.into());
        self
    }

    /// As a finding about source text number `source`.
    pub fn diagnostic(self, severity: Severity, source: usize) -> Diagnostic {
        let location = Location::Text { source, span: self.span };
        let found = Diagnostic::new(severity, self.code, location, "", self.message);
        self.notes.into_iter().fold(found, |found, note| found.note(note))
    }
}
