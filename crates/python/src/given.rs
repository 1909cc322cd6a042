//! What callers give: bytes of any kind, paths, dictionaries.

use crate::errors;
use pyo3::{
    exceptions::PyTypeError,
    prelude::*,
    pybacked::PyBackedBytes,
    types::{PyBytes, PyString},
};
use std::path::PathBuf;
use unshade::{Dictionaries, MAX_INPUT};
use unshade_catalog::content;

/// A path, or the bytes of a file.
#[derive(Debug)]
pub(crate) enum Given {
    Path(PathBuf),
    Bytes(PyBackedBytes),
}

impl<'py> FromPyObject<'_, 'py> for Given {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        if object.is_instance_of::<PyString>() || object.hasattr("__fspath__")? {
            return object.extract().map(Self::Path);
        }
        object.extract::<Data>().map(|data| Self::Bytes(data.0)).map_err(|_| {
            let found = object.get_type().name().map(|name| name.to_string()).unwrap_or_default();
            PyTypeError::new_err(format!("expected a path or the bytes of a file, found {found}"))
        })
    }
}

/// Bytes: `bytes` as they are, other buffers copied, since what they hold may change.
#[derive(Debug)]
pub(crate) struct Data(pub(crate) PyBackedBytes);

impl<'py> FromPyObject<'_, 'py> for Data {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        if let Ok(bytes) = object.cast::<PyBytes>() {
            return Ok(Self(bytes.to_owned().into()));
        }
        let py = object.py();
        let view = py.import("builtins")?.getattr("memoryview")?.call1((object,))?;
        let bytes = view.call_method0("tobytes")?.cast_into::<PyBytes>()?;
        Ok(Self(bytes.into()))
    }
}

/// One path, or several.
#[derive(Debug, FromPyObject)]
pub(crate) enum Paths {
    One(PathBuf),
    Several(Vec<PathBuf>),
}

impl From<Paths> for Vec<PathBuf> {
    fn from(paths: Paths) -> Self {
        match paths {
            Paths::One(path) => vec![path],
            Paths::Several(paths) => paths,
        }
    }
}

/// The dictionaries in files that were given.
pub(crate) fn dictionaries(py: Python<'_>, given: Option<Vec<Given>>) -> PyResult<Dictionaries> {
    let mut all = Dictionaries::default();
    for (number, given) in given.into_iter().flatten().enumerate() {
        let found = py.detach(|| match given {
            Given::Path(path) => {
                let bytes = content::read(&path, MAX_INPUT).map_err(|error| errors::io(&path, &error))?;
                let found = unshade::wrap::nest::dictionaries(&bytes);
                found.map_err(|error| errors::format(&path.display().to_string(), error).into())
            }
            Given::Bytes(bytes) => unshade::wrap::nest::dictionaries(&bytes)
                .map_err(|error| PyErr::from(errors::format(&format!("dictionaries[{number}]"), error))),
        })?;
        found.0.into_iter().for_each(|dictionary| all.add(dictionary));
    }
    Ok(all)
}
