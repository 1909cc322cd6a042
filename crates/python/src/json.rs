//! Reports as the objects that Python's `json` would make of what the command line prints.

use pyo3::{
    IntoPyObjectExt,
    exceptions::PyValueError,
    prelude::*,
    types::{PyDict, PyList, PyString},
};
use serde::Serialize;
use serde_json::Value;

/// A report as dictionaries, lists, text and numbers.
pub(crate) fn objects<'py>(py: Python<'py>, report: &impl Serialize) -> PyResult<Bound<'py, PyAny>> {
    let value = serde_json::to_value(report).map_err(|error| PyValueError::new_err(error.to_string()))?;
    object(py, &value)
}

/// Trees of files are at most 64 deep, and so is this.
fn object<'py>(py: Python<'py>, value: &Value) -> PyResult<Bound<'py, PyAny>> {
    match value {
        Value::Null => Ok(py.None().into_bound(py)),
        Value::Bool(value) => value.into_bound_py_any(py),
        Value::Number(number) => match (number.as_u64(), number.as_i64()) {
            (Some(number), _) => number.into_bound_py_any(py),
            (_, Some(number)) => number.into_bound_py_any(py),
            _ => number.as_f64().into_bound_py_any(py),
        },
        Value::String(text) => text.into_bound_py_any(py),
        Value::Array(values) => {
            let list = PyList::empty(py);
            for value in values {
                list.append(object(py, value)?)?;
            }
            list.into_bound_py_any(py)
        }
        Value::Object(fields) => {
            let dict = PyDict::new(py);
            for (name, value) in fields {
                dict.set_item(name, object(py, value)?)?;
            }
            dict.into_bound_py_any(py)
        }
    }
}

/// JSON text of what was given: text as it is, other objects as `json.dumps` says them; nothing of nothing.
pub(crate) fn text(py: Python<'_>, given: Option<Bound<'_, PyAny>>) -> PyResult<String> {
    match given {
        None => Ok(String::new()),
        Some(given) if given.is_instance_of::<PyString>() => given.extract(),
        Some(given) => py.import("json")?.call_method1("dumps", (given,))?.extract(),
    }
}
