//! Why a program could not be printed.

use std::fmt;

/// What went wrong, and where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Error {
    /// Which of the three cases it is.
    pub kind: ErrorKind,
    /// What was met and what the target would need, one sentence without a full stop.
    pub message: String,
    /// Function of the program it was met in, if in one.
    pub function: Option<String>,
}

/// The cases of [`Error`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ErrorKind {
    /// The target language has no way to say this.
    Unsupported,
    /// The tree breaks a rule of [`unshade_ir::ast`], or goes deeper than [`crate::DEPTH_LIMIT`].
    Invalid,
    /// The library that writes the target language refused the program.
    Refused,
}

impl Error {
    pub(crate) fn unsupported(message: impl Into<String>) -> Self {
        Self { kind: ErrorKind::Unsupported, message: message.into(), function: None }
    }

    pub(crate) fn invalid(message: impl Into<String>) -> Self {
        Self { kind: ErrorKind::Invalid, message: message.into(), function: None }
    }

    pub(crate) fn refused(message: impl Into<String>) -> Self {
        Self { kind: ErrorKind::Refused, message: message.into(), function: None }
    }

    pub(crate) fn within(mut self, function: &str) -> Self {
        self.function.get_or_insert_with(|| function.to_owned());
        self
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let what = match self.kind {
            ErrorKind::Unsupported => "cannot be expressed",
            ErrorKind::Invalid => "malformed source tree",
            ErrorKind::Refused => "refused by the writer",
        };
        write!(f, "{what}: {}", self.message)?;
        if let Some(function) = &self.function {
            write!(f, " (in function {function})")?;
        }
        Ok(())
    }
}

impl std::error::Error for Error {}
