//! SQL over catalogs of shaders, by DataFusion.
//!
//! A catalog is what `unshade scan` writes, in Parquet or JSON lines. [`tables::open`] makes tables of such files,
//! [`question::ask`] asks them, and [`recipes`] has the questions that come up most.

pub mod functions;
pub mod output;
pub mod question;
pub mod recipes;
pub mod tables;

/// The columns, from where the scan has them: what each is called, holds and means stands once. The rest of that crate
/// would bring a second version of Parquet.
#[allow(dead_code)]
#[path = "../../crates/catalog/src/row.rs"]
mod row;

pub use row::{COLUMNS, Column, Kind, SCHEMA};

use std::fmt;

/// Why there is no answer.
#[derive(Debug)]
pub enum Failure {
    /// The question makes no sense, or asks for what there is not; exit status 2.
    Usage(String),
    /// A file cannot be read or written, or is no catalog; exit status 1.
    Bad(String),
    /// Nobody reads the answer any more.
    Gone,
}

impl Failure {
    /// The exit status that goes with it.
    pub fn status(&self) -> u8 {
        match self {
            Self::Usage(_) => 2,
            Self::Bad(_) => 1,
            Self::Gone => 0,
        }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Usage(text) | Self::Bad(text) => f.write_str(text),
            Self::Gone => f.write_str("nobody reads the answer"),
        }
    }
}

impl std::error::Error for Failure {}
