//! Why reading or writing stopped: always with an offset in the whole file, the path of the field, what
//! was expected and what was found.

use crate::{Diagnostic, Location, Severity};
use alloc::{borrow::Cow, boxed::Box, format, string::String};
use core::fmt;
use core::ops::{Deref, DerefMut};

/// Result of an operation on bytes.
pub type Result<T, E = Error> = core::result::Result<T, E>;

/// What kind of trouble stopped a reader, a writer or a decoder.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
#[non_exhaustive]
pub enum ErrorKind {
    /// The bytes end before the field does.
    Truncated,
    /// A magic number is not the one that must stand here.
    BadMagic,
    /// The value has no meaning in this field.
    BadValue,
    /// An offset points outside the bytes it must lie in.
    OutOfBounds,
    /// Count, size, depth or work go past a limit (see [`crate::limits`]).
    LimitExceeded,
    /// A known format or version that this library does not take.
    Unsupported,
    /// The bytes are none of the known formats.
    UnknownFormat,
    /// The model cannot be written: two parts claim one place, or a value does not fit its field.
    Unrepresentable,
}

/// An error with its place. Printed it is one sentence that ends with the offset.
///
/// ```
/// use unshade_bytes::{Error, ErrorKind};
/// let error = Error::new(ErrorKind::BadMagic, 0x40, "dvle[0].magic", "\"DVLE\"", "\"DVLX\"");
/// assert_eq!(error.to_string(), "dvle[0].magic: expected \"DVLE\", found \"DVLX\" at 0x40");
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "serde", serde(transparent))]
pub struct Error(
    // One word on the way that goes well.
    Box<ErrorDetails>,
);

/// What an [`Error`] says.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct ErrorDetails {
    /// What kind of trouble it is.
    pub kind: ErrorKind,
    /// Stable dotted name of what is wrong (`shbin.dvle.magic`), as in a [`Diagnostic`]; empty where the
    /// place that found it does not know the format, see [`Error::diagnostic_code`].
    pub code: &'static str,
    /// Offset of the offending field, in bytes from the start of the whole file; 0 without a place in it.
    pub offset: u64,
    /// Whether what is wrong stands in the file: an argument, or a value that shall come in, has no offset.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub placed: bool,
    /// Path of the field, as `show` prints it: `dvle[0].constants[3].type`.
    pub path: String,
    /// What had to stand there.
    pub expected: Cow<'static, str>,
    /// What stands there.
    pub found: Cow<'static, str>,
}

impl Deref for Error {
    type Target = ErrorDetails;

    fn deref(&self) -> &ErrorDetails {
        &self.0
    }
}

impl DerefMut for Error {
    fn deref_mut(&mut self) -> &mut ErrorDetails {
        &mut self.0
    }
}

impl Error {
    /// An error with everything that a reader of the message needs.
    pub fn new(
        kind: ErrorKind,
        offset: u64,
        path: impl Into<String>,
        expected: impl Into<Cow<'static, str>>,
        found: impl Into<Cow<'static, str>>,
    ) -> Self {
        let (path, expected, found) = (path.into(), expected.into(), found.into());
        Self(Box::new(ErrorDetails { kind, code: "", offset, placed: true, path, expected, found }))
    }

    /// An error about something that has no place in a file.
    pub fn unplaced(
        kind: ErrorKind,
        path: impl Into<String>,
        expected: impl Into<Cow<'static, str>>,
        found: impl Into<Cow<'static, str>>,
    ) -> Self {
        let mut error = Self::new(kind, 0, path, expected, found);
        error.placed = false;
        error
    }

    /// All that it says.
    pub fn into_details(self) -> ErrorDetails {
        *self.0
    }

    /// The same error further on in the file.
    #[must_use]
    pub fn moved(mut self, by: u64) -> Self {
        self.offset = self.offset.saturating_add(by);
        self
    }

    /// The same error under another path.
    #[must_use]
    pub fn at_path(mut self, path: impl Into<String>) -> Self {
        self.path = path.into();
        self
    }

    /// The same error with a stable code.
    #[must_use]
    pub fn code(mut self, code: &'static str) -> Self {
        self.code = code;
        self
    }

    /// The stable code of this error: its own, or the name of its kind (`bytes.truncated`).
    pub fn diagnostic_code(&self) -> &'static str {
        match self.kind {
            _ if !self.code.is_empty() => self.code,
            ErrorKind::Truncated => "bytes.truncated",
            ErrorKind::BadMagic => "bytes.magic",
            ErrorKind::BadValue => "bytes.value",
            ErrorKind::OutOfBounds => "bytes.out-of-bounds",
            ErrorKind::LimitExceeded => "bytes.limit",
            ErrorKind::Unsupported => "bytes.unsupported",
            ErrorKind::UnknownFormat => "bytes.unknown-format",
            ErrorKind::Unrepresentable => "bytes.unrepresentable",
        }
    }

    /// The error as a finding, so that a file that cannot be read is reported like one that can.
    pub fn diagnostic(&self) -> Diagnostic {
        Diagnostic::new(
            Severity::Error,
            self.diagnostic_code(),
            if self.placed { Location::Bytes(self.offset..self.offset) } else { Location::Whole },
            self.path.clone(),
            format!("expected {}, found {}", self.expected, self.found),
        )
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.path.is_empty() {
            write!(f, "{}: ", self.path)?;
        }
        write!(f, "expected {}, found {}", self.expected, self.found)?;
        if self.placed { write!(f, " at {:#x}", self.offset) } else { Ok(()) }
    }
}

impl core::error::Error for Error {}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::{format, string::ToString};

    #[test]
    fn each_kind_has_a_code() {
        use ErrorKind::*;
        let kinds = [
            (Truncated, "bytes.truncated"),
            (BadMagic, "bytes.magic"),
            (BadValue, "bytes.value"),
            (OutOfBounds, "bytes.out-of-bounds"),
            (LimitExceeded, "bytes.limit"),
            (Unsupported, "bytes.unsupported"),
            (UnknownFormat, "bytes.unknown-format"),
            (Unrepresentable, "bytes.unrepresentable"),
        ];
        for (kind, code) in kinds {
            let error = Error::new(kind, 16, "field", "this", "that");
            assert_eq!(error.diagnostic_code(), code);
            assert_eq!(error.clone().code("its.own").diagnostic_code(), "its.own");
            assert_eq!(error.to_string(), "field: expected this, found that at 0x10");
            assert_eq!(
                error.diagnostic().to_string(),
                format!("error[{code}] at 0x10 (field): expected this, found that")
            );
        }
    }
}
