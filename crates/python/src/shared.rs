//! A file that was given, and what was found in it: made when it is asked for first, and kept.

use crate::{
    errors,
    given::{self, Given},
};
use pyo3::{prelude::*, pybacked::PyBackedBytes};
use std::{
    ops::Deref,
    path::{Path, PathBuf},
    sync::{Arc, OnceLock},
};
use unshade::{
    CompiledFor, Detail, Dictionaries, FilePath, MAX_INPUT, Opened, Source, Stage, WithinError, each_program,
    open_at,
};
use unshade_catalog::content;

/// The bytes of a file. They are not mapped: who changes a file that a notebook has open must not end the notebook.
#[derive(Debug)]
pub(crate) enum Bytes {
    Given(PyBackedBytes),
    Read(Vec<u8>),
}

impl Deref for Bytes {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        match self {
            Self::Given(bytes) => bytes,
            Self::Read(bytes) => bytes,
        }
    }
}

/// A program with what stands behind its file to name it.
pub(crate) type Named = Arc<(String, Stage<'static>)>;

/// The programs of a file.
#[derive(Debug)]
pub(crate) struct Programs {
    pub(crate) stages: Vec<Named>,
    /// Files in wrappers that are damaged.
    pub(crate) failed: Vec<WithinError>,
}

/// A file.
#[derive(Debug)]
pub(crate) struct Shared {
    /// What it is called, and what is meant in it.
    pub(crate) place: FilePath,
    pub(crate) bytes: Bytes,
    pub(crate) dictionaries: Dictionaries,
    opened: OnceLock<Opened>,
    programs: OnceLock<Programs>,
    compiled_for: OnceLock<CompiledFor>,
}

impl Shared {
    /// Takes a file in and sees whether there is something in it; the lock of the interpreter is not held.
    pub(crate) fn new(place: FilePath, bytes: Bytes, dictionaries: Dictionaries) -> PyResult<Self> {
        let shared = Self {
            place,
            bytes,
            dictionaries,
            opened: OnceLock::new(),
            programs: OnceLock::new(),
            compiled_for: OnceLock::new(),
        };
        // The first program is enough; the others are looked at when they are asked for.
        let place = &shared.place;
        each_program(shared.source(), &place.inner, place.item.as_deref(), Detail::Code, |_, _| false)
            .map_err(|error| errors::open(&place.file, error))?;
        Ok(shared)
    }

    /// Reads a file from disk or takes its bytes.
    pub(crate) fn open(
        py: Python<'_>,
        given: Given,
        name: Option<String>,
        (inner, item): (Vec<String>, Option<String>),
        dictionaries: Option<Vec<Given>>,
    ) -> PyResult<Self> {
        let dictionaries = given::dictionaries(py, dictionaries)?;
        py.detach(|| {
            let (mut place, bytes) = match given {
                Given::Bytes(bytes) => (FilePath::literal("bytes"), Bytes::Given(bytes)),
                Given::Path(path) => {
                    let (place, file) = resolve(path);
                    let bytes = content::read(&file, MAX_INPUT).map_err(|error| errors::io(&file, &error))?;
                    (place, Bytes::Read(bytes))
                }
            };
            place.file = name.unwrap_or(place.file);
            place.inner.extend(inner);
            place.item = item.or(place.item);
            Self::new(place, bytes, dictionaries)
        })
    }

    /// The file with the dictionaries that were given.
    pub(crate) fn source(&self) -> Source<'_> {
        Source { bytes: &self.bytes, dictionaries: Some(&self.dictionaries) }
    }

    /// The containers in it.
    pub(crate) fn opened(&self) -> PyResult<&Opened> {
        if let Some(opened) = self.opened.get() {
            return Ok(opened);
        }
        let opened = open_at(self.source(), &self.place.inner);
        let opened = opened.map_err(|error| errors::open(&self.place.file, error))?;
        Ok(self.opened.get_or_init(|| opened))
    }

    /// The programs in it.
    pub(crate) fn programs(&self) -> PyResult<&Programs> {
        if let Some(programs) = self.programs.get() {
            return Ok(programs);
        }
        let found = unshade::programs(self.source(), &self.place.inner, self.place.item.as_deref());
        let found = found.map_err(|error| errors::open(&self.place.file, error))?;
        let stages = found.stages.into_iter().map(Arc::new).collect();
        Ok(self.programs.get_or_init(|| Programs { stages, failed: found.failed }))
    }

    /// What its programs were compiled for.
    pub(crate) fn compiled_for(&self) -> &CompiledFor {
        self.compiled_for.get_or_init(|| CompiledFor::new(self.source(), &self.place.inner))
    }

    /// What it is called above sources: the last part of its name.
    pub(crate) fn short_name(&self) -> &str {
        let name = Path::new(&self.place.file).file_name().and_then(|name| name.to_str());
        name.unwrap_or(&self.place.file)
    }
}

/// Takes `PATH[:INNER][#ITEM]` apart, where a file ends that exists.
fn resolve(path: PathBuf) -> (FilePath, PathBuf) {
    match path.to_str() {
        Some(text) if !path.is_file() => {
            let place = FilePath::resolve(text, |path| Path::new(path).is_file());
            let file = PathBuf::from(&place.file);
            (place, file)
        }
        // Bytes that are no text, or a file of the whole name.
        _ => (FilePath::literal(&path.to_string_lossy()), path),
    }
}
