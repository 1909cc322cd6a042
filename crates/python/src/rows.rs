//! The rows of a table, one after the other.

use crate::tables::Table;
use pyo3::{prelude::*, types::PyDict};
use std::sync::atomic::{AtomicUsize, Ordering};

/// The rows of a table.
#[pyclass(frozen, module = "unshade._unshade")]
pub(crate) struct Rows {
    table: Py<Table>,
    next: AtomicUsize,
}

impl Rows {
    pub(crate) fn new(table: Py<Table>) -> Self {
        Self { table, next: AtomicUsize::new(0) }
    }
}

#[pymethods]
impl Rows {
    fn __iter__(slf: Bound<'_, Self>) -> Bound<'_, Self> {
        slf
    }

    fn __next__<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyDict>>> {
        let table = self.table.get();
        let place = table.place(self.next.fetch_add(1, Ordering::Relaxed));
        place.map(|place| table.row(py, place)).transpose()
    }
}
