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
mod paths;
pub mod row;
pub mod scan;
mod stage;
pub mod table;
pub mod unique;
pub mod which;
