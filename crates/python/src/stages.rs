//! The programs of a file as a sequence.

use crate::{
    errors,
    shared::{Named, Shared},
    stage::Stage,
};
use pyo3::{
    exceptions::PyIndexError,
    prelude::*,
    types::{PyIterator, PyList},
};
use std::sync::Arc;
use unshade::UnknownName;

/// The programs of a file: by number, and by what stands behind the file to name them, with `#` or without.
#[pyclass(frozen, sequence, module = "unshade")]
pub(crate) struct Stages {
    shared: Arc<Shared>,
}

/// What chooses a program.
#[derive(FromPyObject)]
pub(crate) enum Key {
    Number(isize),
    Name(String),
}

impl Stages {
    pub(crate) fn new(shared: Arc<Shared>) -> Self {
        Self { shared }
    }

    fn all(&self) -> PyResult<&[Named]> {
        self.shared.programs().map(|programs| programs.stages.as_slice())
    }

    fn stage(&self, named: &Named) -> Stage {
        Stage::new(named.clone(), Some(self.shared.clone()))
    }

    /// The program of a name, or of one that the command line takes for it.
    fn find(&self, name: &str) -> PyResult<Option<&Named>> {
        let all = self.all()?;
        let name = name.strip_prefix('#').unwrap_or(name);
        let whole = if name.starts_with(':') { name.to_owned() } else { format!("#{name}") };
        if let Some(found) = all.iter().find(|named| named.0 == whole) {
            return Ok(Some(found));
        }
        let place = &self.shared.place;
        let other = unshade::programs(self.shared.source(), &place.inner, Some(name)).ok();
        let other = other.and_then(|found| found.stages.into_iter().next());
        Ok(other.and_then(|(whole, _)| all.iter().find(|named| named.0 == whole)))
    }
}

#[pymethods]
impl Stages {
    fn __len__(&self) -> PyResult<usize> {
        self.all().map(<[Named]>::len)
    }

    fn __getitem__(&self, py: Python<'_>, key: Key) -> PyResult<Stage> {
        match key {
            Key::Number(index) => {
                let all = self.all()?;
                let at = usize::try_from(index).ok();
                let at = at.or_else(|| all.len().checked_sub(index.unsigned_abs()));
                let named = at.and_then(|at| all.get(at));
                Ok(self.stage(named.ok_or_else(|| PyIndexError::new_err("there are not so many programs"))?))
            }
            Key::Name(name) => match py.detach(|| self.find(&name))? {
                Some(named) => Ok(self.stage(named)),
                None => {
                    let known = self.all()?.iter().map(|named| named.0.clone()).collect();
                    let wanted = if name.starts_with(['#', ':']) { name } else { format!("#{name}") };
                    Err(errors::unknown(&self.shared.place.file, &UnknownName { wanted, known }).into())
                }
            },
        }
    }

    fn __contains__(&self, py: Python<'_>, name: &str) -> PyResult<bool> {
        Ok(py.detach(|| self.find(name))?.is_some())
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyIterator>> {
        let stages = self.all()?.iter().map(|named| self.stage(named));
        PyList::new(py, stages.collect::<Vec<_>>())?.try_iter()
    }

    /// What names them, in their order: `#model/0/vertex`.
    fn keys(&self) -> PyResult<Vec<&str>> {
        Ok(self.all()?.iter().map(|named| named.0.as_str()).collect())
    }

    fn __repr__(&self) -> PyResult<String> {
        Ok(format!("<unshade.Stages, {} of {}>", self.all()?.len(), self.shared.place.file))
    }
}
