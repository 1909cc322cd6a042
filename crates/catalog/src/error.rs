//! Why a catalog, or a file that it is about, cannot be read or written.

use crate::table;
use std::{fmt, io, path::PathBuf};

/// Why a scan ended without a table.
#[derive(Debug)]
pub struct Error {
    /// The file or folder that it is about.
    pub path: PathBuf,
    /// What is wrong with it.
    pub error: table::Error,
}

impl Error {
    pub(crate) fn io(path: impl Into<PathBuf>) -> impl FnOnce(io::Error) -> Self {
        let path = path.into();
        move |error| Self { path, error: error.into() }
    }

    pub(crate) fn table(path: impl Into<PathBuf>) -> impl FnOnce(table::Error) -> Self {
        let path = path.into();
        move |error| Self { path, error }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.path.display(), self.error)
    }
}

impl std::error::Error for Error {}
