//! A catalog that questions go to: a table on disk, or one that is made for a question alone.

use crate::{scan, table};
use std::path::{Path, PathBuf};
use tempfile::TempDir;
use unshade::Dictionaries;

/// A catalog to ask.
#[derive(Debug)]
pub struct Catalog {
    /// What it was opened as.
    path: PathBuf,
    table: PathBuf,
    /// Where a table of this question's own lies; it goes with it.
    _folder: Option<TempDir>,
}

impl Catalog {
    /// Opens the table at a path. Of folders and other files a table is made that is gone when the value is.
    ///
    /// # Errors
    /// Where that table cannot be made.
    pub fn open(path: &Path, dictionaries: &Dictionaries) -> Result<Self, scan::Error> {
        if table::is_table(path) {
            return Ok(Self { path: path.to_owned(), table: path.to_owned(), _folder: None });
        }
        let folder = tempfile::tempdir().map_err(scan::Error::io(std::env::temp_dir()))?;
        let table = folder.path().join("catalog.parquet");
        let options = scan::Options { dictionaries: dictionaries.clone(), ..scan::Options::default() };
        scan::scan(&[path.to_owned()], &table, &options, &mut |_| true)?;
        Ok(Self { path: path.to_owned(), table, _folder: Some(folder) })
    }

    /// Where the table lies.
    pub fn table(&self) -> &Path {
        &self.table
    }

    /// Its rows.
    ///
    /// # Errors
    /// Where it is no catalog, with the path that it was opened as.
    pub fn rows(&self) -> Result<table::Rows, scan::Error> {
        table::read(&self.table).map_err(self.fault())
    }

    /// What is wrong with a row of it, with the path that it was opened as.
    pub fn fault(&self) -> impl FnOnce(table::Error) -> scan::Error + use<> {
        scan::Error::table(self.path.clone())
    }
}
