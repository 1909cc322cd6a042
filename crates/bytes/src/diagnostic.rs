//! What `check`, the lints and the assembler report: a severity, a stable code, a place, a sentence.

use alloc::{borrow::Cow, string::String, vec::Vec};
use core::{fmt, ops::Range};

/// How bad it is. Ordered: `Note < Warning < Error`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "lowercase"))]
pub enum Severity {
    /// Worth knowing, nothing is wrong.
    Note,
    /// Legal, but probably not what was meant, or known to upset some loader.
    Warning,
    /// A loader or the hardware will reject or misread it.
    Error,
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Note => "note",
            Self::Warning => "warning",
            Self::Error => "error",
        })
    }
}

/// Where a diagnostic points.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum Location {
    /// Bytes of a container file; offsets from the start of the whole file.
    Bytes(Range<u64>),
    /// A place in a source text: index of the input text, and the byte range in it.
    Text {
        /// Which of the texts that were given.
        source: usize,
        /// Byte range in that text.
        span: Range<usize>,
    },
    /// A code word of a stage, counted in words from the start of its code.
    Word(u32),
    /// The whole file or text.
    Whole,
}

/// One finding. Codes are stable, dotted, and start with the room: `shbin.dvle.constant-table`,
/// `pica200.lint.two-inputs`, `pica200.asm.unknown-name`.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Diagnostic {
    /// How bad it is.
    pub severity: Severity,
    /// Stable name of the kind of finding.
    pub code: Cow<'static, str>,
    /// Where it is.
    pub location: Location,
    /// Path of the field as `show` prints it (`dvle[0].constants`), or empty.
    pub path: String,
    /// What was expected and what was found, in plain words; no trailing full stop.
    pub message: String,
    /// Further sentences: why it matters, what to do.
    pub notes: Vec<String>,
}

impl Diagnostic {
    /// A finding without notes.
    pub fn new(
        severity: Severity,
        code: impl Into<Cow<'static, str>>,
        location: Location,
        path: impl Into<String>,
        message: impl Into<String>,
    ) -> Self {
        Self {
            severity,
            code: code.into(),
            location,
            path: path.into(),
            message: message.into(),
            notes: Vec::new(),
        }
    }

    /// The same finding with one more note.
    #[must_use]
    pub fn note(mut self, note: impl Into<String>) -> Self {
        self.notes.push(note.into());
        self
    }

    /// The same finding seen from a file in which the container starts at `base`.
    #[must_use]
    pub fn moved(mut self, base: u64) -> Self {
        if let Location::Bytes(range) = &mut self.location {
            *range = range.start.saturating_add(base)..range.end.saturating_add(base);
        }
        self
    }
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}[{}]", self.severity, self.code)?;
        match &self.location {
            Location::Bytes(range) => write!(f, " at {:#x}", range.start)?,
            Location::Text { span, .. } => write!(f, " at byte {}", span.start)?,
            Location::Word(word) => write!(f, " at word {word:#05x}")?,
            Location::Whole => {}
        }
        if !self.path.is_empty() {
            write!(f, " ({})", self.path)?;
        }
        write!(f, ": {}", self.message)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::ToString;

    #[test]
    fn findings_are_told_in_words() {
        let found =
            |location, path| Diagnostic::new(Severity::Warning, "a.code", location, path, "what was found");
        let texts = [
            (found(Location::Bytes(16..20), "field"), "warning[a.code] at 0x10 (field): what was found"),
            (
                found(Location::Bytes(16..20), "field").moved(0x100),
                "warning[a.code] at 0x110 (field): what was found",
            ),
            (
                found(Location::Text { source: 1, span: 7..9 }, ""),
                "warning[a.code] at byte 7: what was found",
            ),
            (found(Location::Word(3), ""), "warning[a.code] at word 0x003: what was found"),
            (found(Location::Whole, "").moved(5), "warning[a.code]: what was found"),
        ];
        for (diagnostic, text) in texts {
            assert_eq!(diagnostic.to_string(), text);
        }
        assert_eq!(Severity::Note.to_string() + &Severity::Error.to_string(), "noteerror");
        assert_eq!(found(Location::Whole, "").note("why").notes, ["why"]);
    }
}
