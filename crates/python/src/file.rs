//! A file as Python sees it.

use crate::{
    catalogs::item_table,
    errors::{self, Class, Problem},
    findings::{Diagnostic, diagnostics},
    given::Given,
    html, json,
    manner::{Wanted, manner},
    shared::{Bytes, Shared},
    sources::Decompiled,
    stages::Stages,
    tables::Table,
};
use pyo3::{
    exceptions::PyValueError,
    prelude::*,
    types::{PyBytes, PyDict},
};
use std::{path::PathBuf, sync::Arc};
use unshade::{
    Change, FilePath, ListingOptions, OpenError, Origin, Renaming, Setting, by_program,
    report::{self, EditReport, ItemReport},
};
use unshade_catalog::content;

/// A file, or what was chosen in it. `open` makes one.
#[pyclass(frozen, module = "unshade")]
pub(crate) struct File {
    pub(crate) shared: Arc<Shared>,
    /// What `edit` changed.
    edited: Option<EditReport>,
}

/// What stands for the names of what is inside a file.
#[derive(FromPyObject)]
pub(crate) enum Inner {
    Text(String),
    Names(Vec<String>),
}

/// Opens a file: a path, also with names behind it as the command line takes them (`game.szs:Model/x.bfsha#model/0/vertex`), or
/// its bytes.
///
/// `name`: what it is called in messages and above sources, instead of its path.
/// `inner`: what to open inside of it: `"Model/x.szs:x.bfsha"`, or a list of names.
/// `item`: the program that is meant, `"model/0/vertex"`.
/// `dictionaries`: paths or bytes of dictionaries for compressed files.
///
/// Raises `FormatError` for bytes that are nothing that is known, `NameNotFound` for names that nothing has, `OSError`.
#[pyfunction]
#[pyo3(signature = (source, *, name=None, inner=None, item=None, dictionaries=None))]
pub(crate) fn open(
    py: Python<'_>,
    source: Given,
    name: Option<String>,
    inner: Option<Inner>,
    item: Option<String>,
    dictionaries: Option<Vec<Given>>,
) -> PyResult<File> {
    let inner = match inner {
        None => Vec::new(),
        Some(Inner::Names(names)) => names,
        Some(Inner::Text(text)) => {
            FilePath::parse(&format!("-:{}", text.strip_prefix(':').unwrap_or(&text))).inner
        }
    };
    let item = item.map(|item| item.strip_prefix('#').map(str::to_owned).unwrap_or(item));
    let shared = Shared::open(py, source, name, (inner, item), dictionaries)?;
    Ok(File { shared: Arc::new(shared), edited: None })
}

#[pymethods]
impl File {
    /// What it is called: its path, or the name that was given.
    #[getter]
    fn name(&self) -> &str {
        &self.shared.place.file
    }

    /// The names of what was opened inside of it, the outermost first.
    #[getter]
    fn inner(&self) -> Vec<String> {
        self.shared.place.inner.clone()
    }

    /// The program that was asked for.
    #[getter]
    fn item(&self) -> Option<&str> {
        self.shared.place.item.as_deref()
    }

    /// Its programs: by number, and by what names them.
    #[getter]
    fn stages(&self, py: Python<'_>) -> PyResult<Stages> {
        py.detach(|| self.shared.programs().map(drop))?;
        Ok(Stages::new(self.shared.clone()))
    }

    /// What is damaged inside of it, as errors that were not raised since the rest can be read. Known when `stages` is.
    #[getter]
    fn damaged<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyAny>>> {
        let failed = py.detach(|| self.shared.programs().map(|programs| programs.failed.clone()))?;
        let name = &self.shared.place.file;
        failed.into_iter().map(|error| errors::within(name, error).instance(py)).collect()
    }

    /// Its programs as a table: what `unshade ls` prints.
    fn list(&self, py: Python<'_>) -> PyResult<Table> {
        item_table(&py.detach(|| self.items(usize::MAX))?)
    }

    /// What it is: containers, wrappers around them, files that are known by name only. What `unshade info --json` prints of it.
    fn info<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let report = py.detach(|| PyResult::Ok(report::info(&self.shared.bytes, self.shared.opened()?)))?;
        json::objects(py, &report)
    }

    /// Every field with name, value and offset, as trees: one for each wrapper and container. What `unshade show --json`
    /// prints of it.
    fn show<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let report = py.detach(|| PyResult::Ok(report::show(&self.shared.bytes, self.shared.opened()?)))?;
        json::objects(py, &report.containers)
    }

    /// What is wrong with it, container and code, the most severe first. Never raises because of the file.
    fn check(&self, py: Python<'_>) -> Vec<Diagnostic> {
        let place = &self.shared.place;
        let report = py.detach(|| report::check(self.shared.source(), &place.inner, place.item.as_deref()));
        diagnostics(&report.diagnostics)
    }

    /// Writes it from what was read and compares: true where the bytes are the same.
    fn roundtrip(&self, py: Python<'_>) -> PyResult<Roundtrip> {
        let report =
            py.detach(|| PyResult::Ok(report::roundtrip(&self.shared.bytes, self.shared.opened()?)))?;
        Ok(Roundtrip { identical: report.identical, difference: report.difference })
    }

    /// All of its containers as listings. What `asm` takes gives the same file back.
    #[pyo3(signature = (*, words=false, offsets=false, control=true))]
    fn disassemble(&self, py: Python<'_>, words: bool, offsets: bool, control: bool) -> PyResult<Py<PyAny>> {
        let options = ListingOptions { words, offsets, no_control: !control };
        let text = py.detach(|| {
            let opened = self.shared.opened()?;
            PyResult::Ok(unshade::listing::disassemble_opened_to_text(opened, &options))
        })?;
        html::listing(py, text)
    }

    /// Decompiles its programs, all stages of each together: for each program one `Decompiled`. Programs that cannot be
    /// decompiled are in `errors` of theirs.
    #[pyo3(signature = (target="glsl", *, strict=false, glsl=None, layout=None, profile=None))]
    fn decompile(
        &self,
        py: Python<'_>,
        target: &str,
        strict: bool,
        glsl: Option<&str>,
        layout: Option<&str>,
        profile: Option<&str>,
    ) -> PyResult<Vec<Decompiled>> {
        let how = manner(&Wanted { target, strict, glsl, layout })?;
        let profile = profile.map(crate::manner::profile).transpose()?;
        py.detach(|| {
            let mut stages: Vec<(String, unshade::Stage<'static>)> =
                self.shared.programs()?.stages.iter().map(|named| (**named).clone()).collect();
            for (_, stage) in &mut stages {
                if let Some(profile) = profile {
                    unshade::apply_profile(stage, profile);
                }
            }
            let origin = Origin {
                name: self.shared.short_name(),
                source: self.shared.source(),
                inner: &self.shared.place.inner,
                compiled_for: self.shared.compiled_for(),
            };
            let groups = by_program(&stages);
            let sources = groups.into_iter().map(|group| {
                let members: Vec<_> = group.stages.iter().filter_map(|at| stages.get(*at)).collect();
                let made = origin.decompile(&group.place, &members, how);
                Decompiled::of_program(&self.shared.place.file, group.place, &members, made, how)
            });
            Ok(sources.collect())
        })
    }

    /// What has a name and a value in it, by which `edit` finds it.
    fn names<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let place = &self.shared.place;
        let names = py.detach(|| unshade::names(self.shared.source(), &place.inner));
        let names = names.map_err(|error| errors::open(&place.file, error))?;
        json::objects(py, &report::names(names).names)
    }

    /// A file with other values: of fields by the paths that `show` gives, of things by the names that `names` gives. `rename`:
    /// other names. Values are text as the command line takes it, numbers, truth values, lists of them, or `None` for none. All is
    /// done or nothing; everything else is as it was.
    #[pyo3(signature = (values=None, *, rename=None))]
    fn edit(
        &self,
        py: Python<'_>,
        values: Option<Bound<'_, PyDict>>,
        rename: Option<Bound<'_, PyDict>>,
    ) -> PyResult<Self> {
        let mut changes = Vec::new();
        for (path, value) in values.iter().flatten() {
            let (path, value) = (path.extract()?, value_text(&value)?);
            changes.push(Change::Set(Setting { path, value }));
        }
        for (name, new) in rename.iter().flatten() {
            changes.push(Change::Rename(Renaming { name: name.extract()?, new: new.extract()? }));
        }
        let place = &self.shared.place;
        if place.item.is_some() {
            return Err(PyValueError::new_err("edit changes a whole container; open it without an item"));
        }
        py.detach(|| {
            let edited = unshade::edit(self.shared.source(), &place.inner, &changes);
            let edited = edited.map_err(|error| failed_edit(&place.file, error))?;
            let bytes = Bytes::Read(edited.rewritten.bytes);
            let shared = Shared::new(place.clone(), bytes, self.shared.dictionaries.clone())?;
            Ok(Self { shared: Arc::new(shared), edited: Some(report::edit(&edited.changed)) })
        })
    }

    /// What `edit` changed to make this file: path, places, old and new value of each.
    #[getter]
    fn changes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        json::objects(py, &self.edited.as_ref().map(|report| &report.changes[..]).unwrap_or_default())
    }

    /// The options or macros that its programs were compiled for. What `unshade options --json` prints of it.
    fn options<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let place = &self.shared.place;
        let report = py.detach(|| report::options(self.shared.source(), &place.inner, place.item.as_deref()));
        json::objects(py, &report.map_err(|error| errors::open(&place.file, error))?)
    }

    /// The programs that serve these values of options or macros, `"*"` for any; those that are not given have their defaults.
    /// What `unshade pick --json` prints of it.
    #[pyo3(signature = (values=None, *, program=None))]
    fn pick<'py>(
        &self,
        py: Python<'py>,
        values: Option<Bound<'py, PyDict>>,
        program: Option<String>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let mut given: Vec<(String, String)> = Vec::new();
        for (name, value) in values.iter().flatten() {
            given.push((name.extract()?, value_text(&value)?));
        }
        let given: Vec<(&str, &str)> = given.iter().map(|(name, value)| (&**name, &**value)).collect();
        let place = &self.shared.place;
        let program = program.as_deref().map(|name| name.strip_prefix('#').unwrap_or(name));
        let program = program.or(place.item.as_deref());
        let answer = py.detach(|| report::pick_any(self.shared.source(), &place.inner, program, &given));
        let answer = answer.map_err(|error| match error {
            report::PickError::Open(error) => errors::open(&place.file, error),
            other => Problem::new(Class::Name, format!("{}: {other}", place.file)).of(&place.file),
        })?;
        json::objects(py, &answer)
    }

    /// Its bytes, with all that is around what was chosen.
    fn to_bytes<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.shared.bytes)
    }

    fn __bytes__<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        self.to_bytes(py)
    }

    /// Writes its bytes to a file: whole or not at all, and then the old file stays.
    fn write(&self, py: Python<'_>, path: PathBuf) -> PyResult<()> {
        let written = py.detach(|| content::write_whole(&path, &self.shared.bytes));
        written.map_err(|error| errors::io(&path, &error))
    }

    fn __repr__(&self) -> String {
        let FilePath { file, inner, item } = &self.shared.place;
        let inner: String = inner.iter().map(|name| format!(":{name}")).collect();
        let item = item.iter().map(|item| format!("#{item}")).collect::<String>();
        format!("<unshade.File {file}{inner}{item}, {} bytes>", self.shared.bytes.len())
    }

    fn _repr_html_(&self, py: Python<'_>) -> String {
        let shown = py.detach(|| {
            let info = self.shared.opened().map(|opened| report::info(&self.shared.bytes, opened));
            Ok::<_, PyErr>((info?, self.items(html::ROWS + 1)?))
        });
        match shown {
            Ok((info, items)) => html::file(&self.__repr__(), &info, item_table(&items).ok().as_ref()),
            Err(_) => html::paragraph(&self.__repr__()),
        }
    }
}

impl File {
    /// Its first programs.
    fn items(&self, most: usize) -> PyResult<Vec<ItemReport>> {
        let place = &self.shared.place;
        let mut items = Vec::new();
        report::each_item(self.shared.source(), &place.inner, place.item.as_deref(), |item| {
            items.push(item);
            items.len() < most
        })
        .map_err(|error| errors::open(&place.file, error))?;
        Ok(items)
    }
}

fn failed_edit(file: &str, error: OpenError) -> Problem {
    Problem { class: Class::Edit, ..errors::open(file, error) }
}

/// A value as the command line takes it: `true`, `1,0,0,1`.
fn value_text(value: &Bound<'_, PyAny>) -> PyResult<String> {
    if let Ok(text) = value.extract::<String>() {
        return Ok(text);
    }
    if value.is_none() {
        return Ok("none".to_owned());
    }
    if let Ok(truth) = value.extract::<bool>() {
        return Ok(truth.to_string());
    }
    if let Ok(values) = value.extract::<Vec<Bound<'_, PyAny>>>() {
        let values = values.iter().map(value_text).collect::<PyResult<Vec<_>>>()?;
        return Ok(values.join(","));
    }
    value.str()?.extract()
}

/// Whether a file comes back. It is true where it does.
#[pyclass(frozen, get_all, module = "unshade")]
pub(crate) struct Roundtrip {
    /// The bytes are the same.
    identical: bool,
    /// Where not: what differs first, as a sentence with offset and path.
    difference: Option<String>,
}

#[pymethods]
impl Roundtrip {
    fn __bool__(&self) -> bool {
        self.identical
    }

    fn __repr__(&self) -> String {
        format!("<unshade.Roundtrip, {}>", self.difference.as_deref().unwrap_or("identical"))
    }
}
