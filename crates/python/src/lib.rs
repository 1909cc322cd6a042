//! The Python package `unshade`: a thin door to the library. What each function does stands in the libraries; here arguments
//! come in, results go out, the interpreter's lock is released in between, and errors become exceptions with their places.
//!
//! The classes and functions are documented for Python, in their docstrings and in `python/unshade/_unshade.pyi`.

mod assembling;
mod catalogs;
mod errors;
mod file;
mod findings;
mod given;
mod html;
mod json;
mod manner;
mod rows;
mod shared;
mod sources;
mod stage;
mod stages;
mod tables;

/// Compiled shaders of consoles and mobile GPUs. Use the package `unshade`; this is the part of it in Rust.
#[pyo3::pymodule]
mod _unshade {
    use pyo3::{prelude::*, types::PyList};
    use unshade_catalog::row::{COLUMNS, SCHEMA};

    #[pymodule_export]
    use crate::{
        assembling::assemble,
        catalogs::{Progress, read_catalog, scan, scan_bytes, scan_file, which},
        file::{File, Roundtrip, open},
        findings::Diagnostic,
        html::code_html,
        rows::Rows,
        sources::Decompiled,
        stage::{Stage, Verdict, raw},
        stages::Stages,
        tables::{Table, table},
    };

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("__version__", env!("CARGO_PKG_VERSION"))?;
        module.add("SCHEMA_VERSION", SCHEMA)?;
        let columns = COLUMNS.iter().map(|column| (column.name, column.meaning));
        module.add("COLUMNS", PyList::new(module.py(), columns)?)
    }
}
