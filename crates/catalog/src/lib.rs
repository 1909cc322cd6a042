//! Catalogs of shaders: [`scan`] finds every program in a tree of files, however deep it is wrapped, and writes a row for
//! each; [`which`] goes from an emulator's hash to the programs it may stand for, [`similar`] from a program to those that look
//! like it.
//!
//! A catalog is a table in Apache Parquet or JSON lines with the columns of [`row::COLUMNS`], sorted by path and then by
//! place in the file, so that the same files give the same table, however many threads or machines made it.

mod catalog;
mod companions;
pub mod content;
pub mod emulators;
mod error;
pub mod file;
pub mod fingerprint;
mod interface;
pub mod load;
pub mod one;
mod paths;
pub mod report;
pub mod row;
pub mod scan;
pub mod similar;
mod stage;
pub mod table;
pub mod unique;
pub mod which;

pub use catalog::Catalog;

/// Name and schema of every JSON document about catalogs, sorted by name.
#[cfg(feature = "schema")]
pub fn schemas() -> Vec<(&'static str, schemars::Schema)> {
    use unshade::report::Document;
    vec![
        ("scan", schemars::schema_for!(Document<scan::Progress>)),
        ("similar", schemars::schema_for!(Document<similar::Report>)),
        ("which", schemars::schema_for!(Document<which::Report>)),
    ]
}
