//! Catalogs of shaders: [`scan`] finds every program in a tree of files, however deep it is wrapped, and writes a row for
//! each; [`which`] goes from an emulator's hash to the programs it may stand for.
//!
//! A catalog is a table in Apache Parquet or JSON lines with the columns of [`row::COLUMNS`], sorted by path and then by
//! place in the file, so that the same files give the same table, however many threads or machines made it.

pub mod content;
pub mod emulators;
pub mod file;
pub mod fingerprint;
mod interface;
pub mod load;
pub mod one;
mod paths;
pub mod row;
pub mod scan;
mod stage;
pub mod table;
pub mod unique;
pub mod which;

/// Name and schema of every JSON document about catalogs, sorted by name.
#[cfg(feature = "schema")]
pub fn schemas() -> Vec<(&'static str, schemars::Schema)> {
    use unshade::report::Document;
    vec![
        ("scan", schemars::schema_for!(Document<scan::Progress>)),
        ("which", schemars::schema_for!(Document<which::Report>)),
    ]
}
