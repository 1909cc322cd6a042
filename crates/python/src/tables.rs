//! Tables in the memory layout of Apache Arrow, handed over without copying.

use crate::{
    errors::{Class, Problem},
    html,
    rows::Rows,
};
use arrow_array::{
    Array, ArrayRef, RecordBatch, RecordBatchIterator, StringArray, UInt64Array, cast::AsArray,
    ffi_stream::FFI_ArrowArrayStream, types::UInt64Type,
};
use arrow_schema::{ArrowError, DataType, Field, Metadata, Schema, SchemaRef, ffi::FFI_ArrowSchema};
use pyo3::{
    IntoPyObjectExt,
    exceptions::{PyIndexError, PyKeyError},
    prelude::*,
    types::{PyCapsule, PyDict, PyList, PyTuple},
};
use std::{collections::HashMap, sync::Arc};

/// A table of programs. Libraries that know Apache Arrow take it without copying: `pyarrow.table(t)`, `polars.DataFrame(t)`,
/// `pandas.DataFrame.from_arrow(t)`, `duckdb.sql("... FROM t")`. As a sequence it gives its rows as dictionaries.
#[pyclass(frozen, module = "unshade")]
pub(crate) struct Table {
    pub(crate) schema: SchemaRef,
    batches: Vec<RecordBatch>,
}

/// Where a row stands: a batch, and the row in it.
type Place<'t> = (&'t RecordBatch, usize);

fn failed(error: &ArrowError) -> PyErr {
    Problem::new(Class::Catalog, error.to_string()).into()
}

impl Table {
    pub(crate) fn new(schema: SchemaRef, batches: Vec<RecordBatch>) -> Self {
        Self { schema, batches }
    }

    /// The table of batches that could perhaps not be made.
    pub(crate) fn made(schema: SchemaRef, batches: Result<Vec<RecordBatch>, ArrowError>) -> PyResult<Self> {
        batches.map(|batches| Self::new(schema, batches)).map_err(|error| failed(&error))
    }

    pub(crate) fn len(&self) -> usize {
        self.batches.iter().map(RecordBatch::num_rows).sum()
    }

    /// Where a row stands.
    pub(crate) fn place(&self, mut row: usize) -> Option<Place<'_>> {
        for batch in &self.batches {
            match row.checked_sub(batch.num_rows()) {
                Some(rest) => row = rest,
                None => return Some((batch, row)),
            }
        }
        None
    }

    /// A row as a dictionary.
    pub(crate) fn row<'py>(&self, py: Python<'py>, (batch, row): Place<'_>) -> PyResult<Bound<'py, PyDict>> {
        let dict = PyDict::new(py);
        for (field, array) in self.schema.fields().iter().zip(batch.columns()) {
            dict.set_item(field.name(), value(py, array, row)?)?;
        }
        Ok(dict)
    }

    fn column<'py>(&self, py: Python<'py>, index: usize) -> PyResult<Bound<'py, PyList>> {
        let list = PyList::empty(py);
        for array in self.batches.iter().filter_map(|batch| batch.columns().get(index)) {
            for row in 0..array.len() {
                list.append(value(py, array, row)?)?;
            }
        }
        Ok(list)
    }

    /// What a cell shows.
    pub(crate) fn text(array: &ArrayRef, row: usize) -> Option<String> {
        if array.is_null(row) {
            return None;
        }
        match (array.as_string_opt::<i32>(), array.as_primitive_opt::<UInt64Type>()) {
            (Some(text), _) => Some(text.value(row).to_owned()),
            (_, Some(number)) => Some(number.value(row).to_string()),
            _ => None,
        }
    }
}

/// The value of a cell.
fn value<'py>(py: Python<'py>, array: &ArrayRef, row: usize) -> PyResult<Bound<'py, PyAny>> {
    if array.is_null(row) {
        return Ok(py.None().into_bound(py));
    }
    match (array.as_string_opt::<i32>(), array.as_primitive_opt::<UInt64Type>()) {
        (Some(text), _) => text.value(row).into_bound_py_any(py),
        (_, Some(number)) => number.value(row).into_bound_py_any(py),
        _ => Ok(py.None().into_bound(py)),
    }
}

#[pymethods]
impl Table {
    /// The names of its columns.
    #[getter]
    fn column_names(&self) -> Vec<&str> {
        self.schema.fields().iter().map(|field| field.name().as_str()).collect()
    }

    /// How many rows it has.
    #[getter]
    fn num_rows(&self) -> usize {
        self.len()
    }

    /// What each column means.
    #[getter]
    fn meanings(&self) -> HashMap<&str, &str> {
        let fields = self.schema.fields().iter();
        fields
            .map(|field| (field.name().as_str(), field.metadata().get("meaning").map_or("", String::as_str)))
            .collect()
    }

    /// A capsule with its schema, for libraries that know Apache Arrow.
    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        let schema = FFI_ArrowSchema::try_from(&*self.schema).map_err(|error| failed(&error))?;
        PyCapsule::new_with_value(py, schema, c"arrow_schema")
    }

    /// A capsule with its rows, for libraries that know Apache Arrow. Nothing is copied; another schema that is asked for is
    /// not made.
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        drop(requested_schema);
        let batches = self.batches.clone().into_iter().map(Ok);
        let stream =
            FFI_ArrowArrayStream::new(Box::new(RecordBatchIterator::new(batches, self.schema.clone())));
        PyCapsule::new_with_value(py, stream, c"arrow_array_stream")
    }

    fn __len__(&self) -> usize {
        self.len()
    }

    fn __iter__(slf: Bound<'_, Self>) -> Rows {
        Rows::new(slf.unbind())
    }

    /// A row by its number, as a dictionary, or a column by its name, as a list.
    fn __getitem__<'py>(&self, py: Python<'py>, key: Key) -> PyResult<Bound<'py, PyAny>> {
        match key {
            Key::Row(index) => {
                let row = usize::try_from(index).ok();
                let row = row.or_else(|| self.len().checked_sub(index.unsigned_abs()));
                let place = row.and_then(|row| self.place(row));
                let place = place.ok_or_else(|| PyIndexError::new_err("table index out of range"))?;
                Ok(self.row(py, place)?.into_any())
            }
            Key::Column(name) => match self.schema.index_of(&name) {
                Ok(index) => Ok(self.column(py, index)?.into_any()),
                Err(_) => Err(PyKeyError::new_err(name)),
            },
        }
    }

    /// All rows, as dictionaries.
    fn to_dicts<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let list = PyList::empty(py);
        for row in (0..self.len()).filter_map(|row| self.place(row)) {
            list.append(self.row(py, row)?)?;
        }
        Ok(list)
    }

    /// As a `pyarrow.Table`, without copying. Needs pyarrow.
    fn to_arrow<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        slf.py().import("pyarrow")?.call_method1("table", (slf,))
    }

    /// As a `pandas.DataFrame`. Needs pandas and pyarrow.
    fn to_pandas<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        Self::to_arrow(slf)?.call_method0("to_pandas")
    }

    /// As a `polars.DataFrame`, without copying. Needs polars.
    fn to_polars<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        slf.py().import("polars")?.call_method1("DataFrame", (slf,))
    }

    fn __repr__(&self) -> String {
        format!("<unshade.Table, {} rows: {}>", self.len(), self.column_names().join(", "))
    }

    fn _repr_html_(&self) -> String {
        html::table(self)
    }

    /// For `pickle`: its columns as lists.
    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let fields = self.schema.fields();
        let columns = (0..fields.len()).map(|index| self.column(py, index)).collect::<PyResult<Vec<_>>>()?;
        let about = |metadata: &Metadata| metadata.clone().into_iter().collect::<HashMap<_, _>>();
        let fields: Vec<(&str, bool, HashMap<String, String>)> = fields
            .iter()
            .map(|field| {
                (field.name().as_str(), field.data_type() == &DataType::Utf8, about(field.metadata()))
            })
            .collect();
        let arguments = (fields, about(self.schema.metadata()), columns).into_pyobject(py)?;
        let make = py.import("unshade._unshade")?.getattr("_table")?;
        (make, arguments).into_pyobject(py)
    }
}

/// What chooses a part of a table.
#[derive(FromPyObject)]
pub(crate) enum Key {
    Row(isize),
    Column(String),
}

/// A field as it is pickled: its name, whether it holds text, what is said about it.
type Pickled = (String, bool, HashMap<String, String>);

/// A table again that was pickled.
#[pyfunction(name = "_table")]
pub(crate) fn table(
    fields: Vec<Pickled>,
    about: HashMap<String, String>,
    columns: Vec<Bound<'_, PyAny>>,
) -> PyResult<Table> {
    let mut arrays: Vec<ArrayRef> = Vec::new();
    for ((_, is_text, _), column) in fields.iter().zip(&columns) {
        arrays.push(match is_text {
            true => Arc::new(StringArray::from(column.extract::<Vec<Option<String>>>()?)),
            false => Arc::new(UInt64Array::from(column.extract::<Vec<Option<u64>>>()?)),
        });
    }
    let fields = fields.into_iter().map(|(name, is_text, about)| {
        let data = if is_text { DataType::Utf8 } else { DataType::UInt64 };
        Field::new(name, data, true).with_metadata(about)
    });
    let schema = Arc::new(Schema::new_with_metadata(fields.collect::<Vec<_>>(), about));
    let batch = RecordBatch::try_new(schema.clone(), arrays);
    Table::made(schema, batch.map(|batch| vec![batch]))
}
