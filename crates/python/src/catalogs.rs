//! Catalogs: scanning, reading, asking.

use crate::{
    errors,
    given::{self, Data, Given, Paths},
    json,
    tables::Table,
};
use arrow_array::RecordBatch;
use pyo3::{
    exceptions::{PyFileNotFoundError, PyValueError},
    prelude::*,
};
use std::{
    path::PathBuf,
    time::{Duration, Instant},
};
use unshade::report::ItemReport;
use unshade_catalog::{
    one,
    row::Row,
    scan as scanning,
    table::{
        self,
        arrow::{self, Batches},
    },
    which::{Certainty, Query, which_in},
};

/// How often Python is asked whether a scan goes on.
const STEP: Duration = Duration::from_millis(50);

/// How far a scan is, or was when it ended.
#[pyclass(frozen, get_all, module = "unshade", eq)]
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Progress {
    /// Files that are done.
    files: u64,
    /// Files altogether.
    all_files: u64,
    /// Bytes of files that are done.
    bytes: u64,
    /// Bytes of all files.
    all_bytes: u64,
    /// Files that were looked at before and have not changed.
    unchanged: u64,
    /// Bytes of those.
    unchanged_bytes: u64,
    /// Rows of programs.
    stages: u64,
    /// Rows of errors.
    errors: u64,
    /// Rows of files known by name only.
    unread: u64,
    /// Distinct programs that were written, where that was asked for.
    unique: u64,
    /// Whether all is done and the table is written.
    finished: bool,
}

impl Progress {
    fn new(progress: &scanning::Progress, finished: bool) -> Self {
        let scanning::Progress {
            files,
            all_files,
            bytes,
            all_bytes,
            unchanged,
            unchanged_bytes,
            stages,
            errors,
            unread,
            unique,
        } = *progress;
        Self {
            files,
            all_files,
            bytes,
            all_bytes,
            unchanged,
            unchanged_bytes,
            stages,
            errors,
            unread,
            unique,
            finished,
        }
    }
}

#[pymethods]
impl Progress {
    fn __repr__(&self) -> String {
        format!(
            "<unshade.Progress, {} of {} files, {} programs, {} errors{}>",
            self.files,
            self.all_files,
            self.stages,
            self.errors,
            if self.finished { "" } else { ", not finished" }
        )
    }
}

/// Looks into all files below `paths` and writes a table of all programs to `out`: Parquet, or JSON lines for a name that ends in
/// `.jsonl`. Files that did not change since the last scan into the same table are not looked at again, and a scan that was ended
/// goes on where it was.
///
/// `threads`: how many look into files; as many as the machine has.
/// `memory`: bytes that they may take together; 512 MiB.
/// `shard`: `(2, 8)` looks at the second of eight parts.
/// `unique_to`: a folder to which each distinct program is written once.
/// `fresh`: look at everything, whatever is known from before.
/// `dictionaries`: paths or bytes of dictionaries for compressed files; those among the files are used without.
/// `progress`: is called now and then with a `Progress`; where it returns `False`, the scan ends.
#[pyfunction]
#[pyo3(signature = (paths, out, *, threads=None, memory=None, shard=None, unique_to=None, fresh=false, dictionaries=None, progress=None))]
#[expect(clippy::too_many_arguments, reason = "each has a name in Python")]
pub(crate) fn scan(
    py: Python<'_>,
    paths: Paths,
    out: PathBuf,
    threads: Option<usize>,
    memory: Option<u64>,
    shard: Option<(u32, u32)>,
    unique_to: Option<PathBuf>,
    fresh: bool,
    dictionaries: Option<Vec<Given>>,
    progress: Option<Py<PyAny>>,
) -> PyResult<Progress> {
    let paths: Vec<PathBuf> = paths.into();
    for path in &paths {
        if !py.detach(|| path.exists()) {
            return Err(PyFileNotFoundError::new_err((
                2,
                "No such file or directory",
                path.clone().into_os_string(),
            )));
        }
    }
    if threads == Some(0) {
        return Err(PyValueError::new_err("threads: at least 1"));
    }
    if shard.is_some_and(|(index, count)| index == 0 || index > count) {
        return Err(PyValueError::new_err("shard: (1, 8) to (8, 8) are the parts of eight"));
    }
    let usual = scanning::Options::default();
    let options = scanning::Options {
        threads: threads.unwrap_or(usual.threads),
        memory: memory.unwrap_or(usual.memory),
        shard,
        unique_to,
        fresh,
        dictionaries: given::dictionaries(py, dictionaries)?,
    };
    let mut raised: Option<PyErr> = None;
    let mut ended = false;
    let mut last: Option<Instant> = None;
    let done = py.detach(|| {
        scanning::scan(&paths, &out, &options, &mut |now| {
            let whole = now.files == now.all_files;
            if !whole && last.is_some_and(|last| last.elapsed() < STEP) {
                return true;
            }
            last = Some(Instant::now());
            let asked = Python::attach(|py| -> PyResult<bool> {
                py.check_signals()?;
                let Some(progress) = &progress else { return Ok(true) };
                let answer = progress.bind(py).call1((Progress::new(now, false),))?;
                // What returns nothing has nothing against it.
                if answer.is_none() { Ok(true) } else { answer.is_truthy() }
            });
            let goes_on = asked.unwrap_or_else(|error| {
                raised = Some(error);
                false
            });
            ended |= !goes_on;
            goes_on
        })
    });
    match (raised, done) {
        (Some(error), _) => Err(error),
        (None, Ok(done)) => Ok(Progress::new(&done, !ended)),
        (None, Err(error)) => Err(errors::catalog(error)),
    }
}

/// Collects the rows that a look gives.
fn collected(py: Python<'_>, look: impl FnOnce(&mut dyn FnMut(Row) -> bool) + Send) -> PyResult<Table> {
    let batches = py.detach(|| {
        let (mut batches, mut failed) = (Batches::default(), None);
        look(&mut |row| match batches.row(row) {
            Ok(()) => true,
            Err(error) => {
                failed = Some(error);
                false
            }
        });
        failed.map_or_else(|| batches.finish(), Err)
    });
    Table::made(arrow::schema(), batches)
}

/// The table of a file's programs.
pub(crate) fn item_table(items: &[ItemReport]) -> PyResult<Table> {
    let batch = arrow::items(items);
    let schema = batch.as_ref().map(RecordBatch::schema).unwrap_or_else(|_| arrow::schema());
    Table::made(schema, batch.map(|batch| vec![batch]))
}

fn options(py: Python<'_>, memory: Option<u64>, given: Option<Vec<Given>>) -> PyResult<one::Options> {
    let dictionaries = given::dictionaries(py, given)?;
    Ok(one::Options { memory: memory.unwrap_or(scanning::MEMORY), dictionaries })
}

/// The rows that `scan` writes for one file, with `name` in the place of its path. What is wrong with the file is a row.
#[pyfunction]
#[pyo3(signature = (path, *, name=None, memory=None, dictionaries=None))]
pub(crate) fn scan_file(
    py: Python<'_>,
    path: PathBuf,
    name: Option<String>,
    memory: Option<u64>,
    dictionaries: Option<Vec<Given>>,
) -> PyResult<Table> {
    let options = options(py, memory, dictionaries)?;
    collected(py, |take| one::of_file(&path, name.as_deref(), &options, take))
}

/// The rows that `scan` writes for a file called `name` that holds these bytes.
#[pyfunction]
#[pyo3(signature = (data, name, *, memory=None, dictionaries=None))]
pub(crate) fn scan_bytes(
    py: Python<'_>,
    data: Data,
    name: String,
    memory: Option<u64>,
    dictionaries: Option<Vec<Given>>,
) -> PyResult<Table> {
    let options = options(py, memory, dictionaries)?;
    collected(py, |take| one::of_bytes(&name, &data.0, &options, take))
}

/// Reads a table that `scan` wrote.
#[pyfunction]
pub(crate) fn read_catalog(py: Python<'_>, path: PathBuf) -> PyResult<Table> {
    let batches = py.detach(|| {
        let mut batches = Batches::default();
        for row in table::read(&path)? {
            batches.row(row?).map_err(|error| table::Error::Io(std::io::Error::other(error)))?;
        }
        batches.finish().map_err(|error| table::Error::Io(std::io::Error::other(error)))
    });
    let batches = batches.map_err(|error| errors::catalog(scanning::Error { path, error }))?;
    Ok(Table::new(arrow::schema(), batches))
}

/// The programs that an emulator's hash, a line of its log or a dumped file may mean. `query`: text with a hash of 8 or 16
/// hexadecimal digits, the path (not as text) of a dumped file, or its bytes. `catalog`: a table that `scan` wrote, or a file or
/// folder to look into.
///
/// Gives dictionaries, the surest first: `place`, `rule`, `meaning`, `certainty`, `code_hash`, `options`.
#[pyfunction]
#[pyo3(signature = (query, catalog, *, dictionaries=None))]
pub(crate) fn which<'py>(
    py: Python<'py>,
    query: &Bound<'py, PyAny>,
    catalog: PathBuf,
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
    py.detach(|| which_in(&catalog, &dictionaries, &query, &mut |one| found.push(one)))
        .map_err(errors::catalog)?;
    found.sort_by_key(|one| match one.certainty {
        Certainty::Content => 0,
        Certainty::Exact => 1,
        Certainty::Conditional => 2,
    });
    json::objects(py, &found)
}
