//! Errors of the library as exceptions of `unshade.errors`.

use crate::findings::Diagnostic;
use pyo3::{
    exceptions::PyOSError,
    prelude::*,
    sync::PyOnceLock,
    types::{PyDict, PyType},
};
use std::{io, path::Path};
use unshade::{Error, OpenError, UnknownName, WithinError};
use unshade_catalog::{scan, table};

/// A class of `unshade.errors`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Class {
    /// Bytes that are not what they claim to be.
    Format,
    /// A name that nothing in a file has.
    Name,
    /// A table that is no catalog.
    Catalog,
    /// A change that cannot be.
    Edit,
    /// A program that cannot be said in another language.
    Decompile,
    /// Inputs that make no sense.
    Run,
}

impl Class {
    fn name(self) -> &'static str {
        match self {
            Self::Format => "FormatError",
            Self::Name => "NameNotFound",
            Self::Catalog => "CatalogError",
            Self::Edit => "EditError",
            Self::Decompile => "DecompileError",
            Self::Run => "RunError",
        }
    }
}

/// What went wrong, where.
#[derive(Debug)]
pub(crate) struct Problem {
    pub(crate) class: Class,
    /// What the command line says behind `error:`.
    pub(crate) message: String,
    pub(crate) code: Option<String>,
    pub(crate) offset: Option<u64>,
    pub(crate) path: Option<String>,
    pub(crate) file: Option<String>,
}

impl Problem {
    pub(crate) fn new(class: Class, message: String) -> Self {
        Self { class, message, code: None, offset: None, path: None, file: None }
    }

    /// The same, of a file.
    pub(crate) fn of(self, file: &str) -> Self {
        Self { file: Some(file.to_owned()), ..self }
    }

    /// The exception, not raised.
    pub(crate) fn instance<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let class = class(py, self.class.name())?;
        let about = PyDict::new(py);
        about.set_item("code", self.code.as_deref())?;
        about.set_item("offset", self.offset)?;
        about.set_item("path", self.path.as_deref())?;
        about.set_item("file", self.file.as_deref())?;
        class.call((self.message.as_str(),), Some(&about))
    }
}

/// A class of `unshade.errors`.
pub(crate) fn class<'py>(py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyType>> {
    static ERRORS: PyOnceLock<Py<PyModule>> = PyOnceLock::new();
    let errors = ERRORS.get_or_try_init(py, || py.import("unshade.errors").map(Bound::unbind))?;
    Ok(errors.bind(py).getattr(name)?.cast_into::<PyType>()?)
}

/// Texts that do not assemble: everything that is wrong in them, and what is said of the first.
pub(crate) fn assembling(py: Python<'_>, diagnostics: Vec<Diagnostic>, text: &str) -> PyResult<PyErr> {
    let about = PyDict::new(py);
    about.set_item("diagnostics", diagnostics)?;
    Ok(PyErr::from_value(class(py, "AssembleError")?.call((text,), Some(&about))?))
}

impl From<Problem> for PyErr {
    fn from(problem: Problem) -> Self {
        Python::attach(|py| problem.instance(py).map_or_else(|error| error, Self::from_value))
    }
}

/// Bytes that stopped the library.
pub(crate) fn format(file: &str, error: Error) -> Problem {
    let message = format!("{file}: {error}");
    Problem { message, ..located(error) }.of(file)
}

fn located(error: Error) -> Problem {
    let code = error.diagnostic_code().to_owned();
    let details = error.into_details();
    Problem {
        code: Some(code),
        offset: details.placed.then_some(details.offset),
        path: Some(details.path).filter(|path| !path.is_empty()),
        ..Problem::new(Class::Format, String::new())
    }
}

/// A file, or one inside it, that cannot be read.
pub(crate) fn within(file: &str, error: WithinError) -> Problem {
    // The name of a file inside starts with its own colon.
    let between = if error.chain.name().is_some() { "" } else { ": " };
    let message = format!("{file}{between}{error}");
    Problem { message, ..located(error.into_error()) }.of(file)
}

/// A name that nothing in a file has.
pub(crate) fn unknown(file: &str, error: &UnknownName) -> Problem {
    Problem::new(Class::Name, format!("{file}: {error}")).of(file)
}

/// A file that does not open.
pub(crate) fn open(file: &str, error: OpenError) -> Problem {
    match error {
        OpenError::Within(error) => within(file, *error),
        OpenError::Unknown(error) => unknown(file, &error),
    }
}

/// What the system says of a file: an `OSError`, whose class follows from its number.
pub(crate) fn io(path: &Path, error: &io::Error) -> PyErr {
    let text = error.to_string();
    // The number stands in an attribute of its own.
    let text = text.split(" (os error ").next().unwrap_or_default().to_owned();
    // What is said in words of our own has no number.
    let missing = (error.kind() == io::ErrorKind::NotFound).then_some(2);
    match error.raw_os_error().or(missing) {
        Some(number) => PyOSError::new_err((number, text, path.as_os_str().to_owned())),
        None if error.kind() != io::ErrorKind::FileTooLarge => {
            io::Error::new(error.kind(), format!("{}: {text}", path.display())).into()
        }
        None => Problem::new(Class::Format, format!("{}: {text}", path.display()))
            .of(&path.display().to_string())
            .into(),
    }
}

/// A table that cannot be read or written.
pub(crate) fn catalog(error: scan::Error) -> PyErr {
    match &error.error {
        table::Error::Io(found) => io(&error.path, found),
        _ => Problem::new(Class::Catalog, error.to_string()).of(&error.path.display().to_string()).into(),
    }
}
