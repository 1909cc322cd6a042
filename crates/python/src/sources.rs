//! Programs as source in another language.

use crate::{
    errors::{Class, Problem},
    html, json,
};
use pyo3::{
    exceptions::PyValueError,
    prelude::*,
    types::{PyBytes, PyList},
};
use unshade::{DecompileError, Manner, ProgramSource, Stage, Target, report::DecompiledItem};

/// A program in another language: as text its source.
#[pyclass(frozen, module = "unshade")]
pub(crate) struct Decompiled {
    file: String,
    /// What stands behind the file to name the program.
    place: String,
    text: String,
    target: Target,
    /// Each stage.
    items: Vec<DecompiledItem>,
    failed: Vec<(String, DecompileError)>,
}

impl Decompiled {
    /// A program whose stages were decompiled together.
    pub(crate) fn of_program(
        file: &str,
        place: String,
        members: &[&(String, Stage<'_>)],
        made: ProgramSource,
        how: Manner,
    ) -> Self {
        let (mut items, mut failed) = (Vec::new(), Vec::new());
        let mut text = made.text;
        let names = members.iter().map(|(item, stage)| (item.clone(), stage.kind));
        for ((item, kind), made) in names.zip(made.stages) {
            match made {
                Ok(made) => {
                    text.get_or_insert_with(|| made.text.clone());
                    items.push(DecompiledItem::new(item, kind, how.target, how.strict, made));
                }
                Err(error) => failed.push((item, error)),
            }
        }
        Self {
            file: file.to_owned(),
            place,
            text: text.unwrap_or_default(),
            target: how.target,
            items,
            failed,
        }
    }

    /// A stage alone; why it could not be decompiled.
    pub(crate) fn alone(self) -> PyResult<Self> {
        match self.failed.first() {
            Some((item, error)) => Err(problem(&self.file, item, error).into()),
            None => Ok(self),
        }
    }
}

fn problem(file: &str, item: &str, error: &DecompileError) -> Problem {
    let offset = match error {
        DecompileError::Lift(error) => Some(error.offset),
        _ => None,
    };
    Problem {
        code: Some(error.code().to_owned()),
        offset,
        path: Some(item.to_owned()),
        ..Problem::new(Class::Decompile, format!("{file}{item}: {error}")).of(file)
    }
}

#[pymethods]
impl Decompiled {
    /// What stands behind the file to name the program: `#0`, `#model/12`. Empty where the file is the program.
    #[getter]
    fn place(&self) -> &str {
        &self.place
    }

    /// The language: `glsl`, `wgsl`, `hlsl`, `msl`, `spirv`, `ir`.
    #[getter]
    fn target(&self) -> &str {
        self.target.name()
    }

    /// The source; empty for SPIR-V. Of several stages in GLSL each has a macro, `VERTEX_SHADER`, by which a compiler gets it.
    #[getter]
    fn text(&self) -> &str {
        &self.text
    }

    /// The words of a SPIR-V binary; of several stages those of the first.
    #[getter]
    fn words(&self) -> Option<Vec<u32>> {
        self.items.first().and_then(|item| item.words.clone())
    }

    /// Each stage: `item`, `kind`, `interface`, `assumptions`. What `unshade decompile --json` prints of it.
    #[getter]
    fn stages<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        json::objects(py, &self.items)
    }

    /// What was assumed to make it readable.
    #[getter]
    fn assumptions(&self) -> Vec<&str> {
        let mut all = Vec::new();
        for assumption in self.items.iter().flat_map(|item| &item.assumptions) {
            if !all.contains(&assumption.as_str()) {
                all.push(assumption.as_str());
            }
        }
        all
    }

    /// Why stages of the program are not in it.
    #[getter]
    fn errors<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let errors = self.failed.iter().map(|(item, error)| problem(&self.file, item, error).instance(py));
        PyList::new(py, errors.collect::<PyResult<Vec<_>>>()?)
    }

    /// What belongs into a file: the text in UTF-8, or the words of SPIR-V.
    fn __bytes__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        match (self.items.as_slice(), self.words()) {
            ([_], Some(words)) => {
                let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
                Ok(PyBytes::new(py, &bytes))
            }
            (_, None) => Ok(PyBytes::new(py, self.text.as_bytes())),
            _ => Err(PyValueError::new_err("several stages are several binaries; decompile each alone")),
        }
    }

    fn __str__(&self) -> &str {
        &self.text
    }

    fn __repr__(&self) -> String {
        let kinds: Vec<&str> = self.items.iter().map(|item| item.kind.as_str()).collect();
        format!("<unshade.Decompiled {}{}, {} as {}>", self.file, self.place, kinds.join(", "), self.target())
    }

    fn _repr_html_(&self) -> String {
        match self.text.as_str() {
            "" => html::paragraph(&self.__repr__()),
            text => html::code(text),
        }
    }
}
