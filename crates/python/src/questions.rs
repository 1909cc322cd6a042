//! Questions to catalogs: which programs a hash means, which look like one, a page about all of them.

use crate::{
    errors,
    given::{self, Given, Paths},
    json,
    stage::Stage,
};
use pyo3::{
    exceptions::{PyFileNotFoundError, PyValueError},
    prelude::*,
};
use std::path::PathBuf;
use unshade::Dictionaries;
use unshade_catalog::{
    Catalog, report as reporting,
    similar::{self as alike, Subject},
    which::{self as naming, Certainty, Query},
};

/// Opens what is asked: tables that `scan` wrote, or files and folders to look into.
fn catalogs(py: Python<'_>, paths: Paths, dictionaries: &Dictionaries) -> PyResult<Vec<Catalog>> {
    let open = |path: PathBuf| match path.exists() {
        true => py.detach(|| Catalog::open(&path, dictionaries)).map_err(errors::catalog),
        false => Err(PyFileNotFoundError::new_err(format!("there is no file or folder {}", path.display()))),
    };
    Vec::from(paths).into_iter().map(open).collect()
}

/// The programs that an emulator's hash, a line of its log or a dumped file may mean. `query`: text with a hash of 8 or 16
/// hexadecimal digits, the path (not as text) of a dumped file, or its bytes. `catalog`: tables that `scan` wrote, or files and
/// folders to look into; one or several.
///
/// Gives dictionaries, the surest first: `place`, `rule`, `meaning`, `certainty`, `code_hash`, `options`.
#[pyfunction]
#[pyo3(signature = (query, catalog, *, dictionaries=None))]
pub(crate) fn which<'py>(
    py: Python<'py>,
    query: &Bound<'py, PyAny>,
    catalog: Paths,
    dictionaries: Option<Vec<Given>>,
) -> PyResult<Bound<'py, PyAny>> {
    let query = if let Ok(text) = query.extract::<String>() {
        Query::of_text(&text).ok_or_else(|| {
            PyValueError::new_err(format!("`{text}` has no hash in it (8 or 16 hexadecimal digits)"))
        })?
    } else {
        match query.extract()? {
            Given::Bytes(bytes) => Query::of_dump("", bytes.to_vec()),
            Given::Path(path) => {
                let name = path.file_name().map(|name| name.to_string_lossy().into_owned());
                let read = py.detach(|| unshade_catalog::content::read(&path, unshade::MAX_INPUT));
                let bytes = read.map_err(|error| errors::io(&path, &error))?;
                Query::of_dump(&name.unwrap_or_default(), bytes)
            }
        }
    };
    let dictionaries = given::dictionaries(py, dictionaries)?;
    let mut found = Vec::new();
    for catalog in catalogs(py, catalog, &dictionaries)? {
        py.detach(|| naming::which(&catalog, &query, &mut |one| found.push(one))).map_err(errors::catalog)?;
    }
    found.sort_by_key(|one| match one.certainty {
        Certainty::Content => 0,
        Certainty::Exact => 1,
        Certainty::Conditional => 2,
    });
    json::objects(py, &found)
}

/// The `count` programs of catalogs that look most like `stage`, the nearest first, behind the program itself where they have it.
/// `catalog`: tables that `scan` wrote, or files and folders to look into; one or several.
///
/// Gives dictionaries: `relation` (`same`, `renamed`, `alike`), `share` (how much of both is alike, 0.0 to 1.0), `aligned` (the
/// instructions side by side), `code_hash`, `kind`, `instructions`, `options`, `count`, `places`.
#[pyfunction]
#[pyo3(signature = (stage, catalog, *, count=10, dictionaries=None))]
pub(crate) fn similar<'py>(
    py: Python<'py>,
    stage: &Bound<'py, Stage>,
    catalog: Paths,
    count: u16,
    dictionaries: Option<Vec<Given>>,
) -> PyResult<Bound<'py, PyAny>> {
    let dictionaries = given::dictionaries(py, dictionaries)?;
    let catalogs = catalogs(py, catalog, &dictionaries)?;
    let program = stage.get().stage();
    let report = py.detach(|| alike::similar(&Subject::new(program), &catalogs, count.into()));
    json::objects(py, &report.map_err(errors::catalog)?.found)
}

/// A page with charts about catalogs, as HTML that loads nothing and runs no script. `catalog`: tables that `scan` wrote, or
/// files and folders to look into; one or several. `title` stands at its head.
#[pyfunction]
#[pyo3(name = "_report_html", signature = (catalog, *, title=None, dictionaries=None))]
pub(crate) fn report_html(
    py: Python<'_>,
    catalog: Paths,
    title: Option<String>,
    dictionaries: Option<Vec<Given>>,
) -> PyResult<String> {
    let dictionaries = given::dictionaries(py, dictionaries)?;
    let paths: Vec<PathBuf> = catalog.into();
    let names: Vec<String> = paths.iter().map(|path| path.display().to_string()).collect();
    let title = title.unwrap_or_else(|| format!("Shaders of {}", names.join(", ")));
    let catalogs = catalogs(py, Paths::Several(paths), &dictionaries)?;
    py.detach(|| reporting::report(&title, &catalogs)).map(|page| page.html).map_err(errors::catalog)
}
