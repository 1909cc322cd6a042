//! A catalog that questions go to: a table on disk, a folder of tables, or one that is made for a question alone.

use crate::{scan, table};
use std::{
    fs,
    path::{Path, PathBuf},
};
use tempfile::TempDir;
use unshade::Dictionaries;

/// A catalog to ask.
#[derive(Debug)]
pub struct Catalog {
    /// What it was opened as.
    path: PathBuf,
    /// In the order in which their rows come.
    tables: Vec<PathBuf>,
    /// Where a table of this question's own lies; it goes with it.
    _folder: Option<TempDir>,
}

impl Catalog {
    /// Opens the table at a path, or the tables in a folder that holds nothing else (what several machines have scanned
    /// together). Of other folders and files a table is made that is gone when the value is.
    ///
    /// # Errors
    /// Where that table cannot be made.
    pub fn open(path: &Path, dictionaries: &Dictionaries) -> Result<Self, scan::Error> {
        if let Some(tables) = tables(path) {
            return Ok(Self { path: path.to_owned(), tables, _folder: None });
        }
        let folder = tempfile::tempdir().map_err(scan::Error::io(std::env::temp_dir()))?;
        let table = folder.path().join("catalog.parquet");
        let options = scan::Options { dictionaries: dictionaries.clone(), ..scan::Options::default() };
        scan::scan(&[path.to_owned()], &table, &options, &mut |_| true)?;
        Ok(Self { path: path.to_owned(), tables: vec![table], _folder: Some(folder) })
    }

    /// Its rows.
    ///
    /// # Errors
    /// Where it is no catalog, with the path that it was opened as.
    pub fn rows(&self) -> Result<table::Rows, scan::Error> {
        let (first, rest) = match self.tables.split_first() {
            Some((first, rest)) => (table::read(first).map_err(self.fault())?, rest.to_vec()),
            None => return Ok(Box::new(std::iter::empty())),
        };
        // One after the other, so that no more than one of them is open.
        let rest = rest.into_iter().flat_map(|path| -> table::Rows {
            match table::read(&path) {
                Ok(rows) => rows,
                Err(error) => Box::new(std::iter::once(Err(error))),
            }
        });
        Ok(Box::new(first.chain(rest)))
    }

    /// What is wrong with a row of it, with the path that it was opened as.
    pub fn fault(&self) -> impl FnOnce(table::Error) -> scan::Error + use<> {
        scan::Error::table(self.path.clone())
    }
}

/// The table at a path, or the tables in a folder that has no files but them and what scans keep beside them.
fn tables(path: &Path) -> Option<Vec<PathBuf>> {
    if !path.is_dir() {
        return table::is_table(path).then(|| vec![path.to_owned()]);
    }
    let mut tables = Vec::new();
    for entry in fs::read_dir(path).ok()? {
        let path = entry.ok()?.path();
        let beside = path.extension().is_some_and(|extension| extension == "seen");
        if !beside {
            (path.is_file() && table::is_table(&path)).then(|| tables.push(path))?;
        }
    }
    tables.sort();
    (!tables.is_empty()).then_some(tables)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::row::Row;

    fn places(path: &Path) -> Vec<String> {
        let catalog = Catalog::open(path, &Dictionaries::default()).unwrap();
        catalog.rows().unwrap().map(|row| row.unwrap()).filter(Row::is_stage).map(|row| row.place()).collect()
    }

    /// The parts of a scan are asked as the whole is, and so are the files themselves.
    #[test]
    fn tables_in_a_folder_are_one() {
        let samples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../samples");
        let folder = tempfile::tempdir().unwrap();
        let (whole, parts) = (folder.path().join("whole.parquet"), folder.path().join("parts"));
        fs::create_dir(&parts).unwrap();
        let scan = |out: &Path, shard| {
            let options = scan::Options { shard, ..scan::Options::default() };
            scan::scan(std::slice::from_ref(&samples), out, &options, &mut |_| true).unwrap();
        };
        scan(&whole, None);
        for part in 1..=3 {
            let name = if part == 2 { "2.jsonl".to_owned() } else { format!("{part}.parquet") };
            scan(&parts.join(name), Some((part, 3)));
        }
        let expected = places(&whole);
        let mut found = places(&parts);
        found.sort();
        let mut sorted = expected.clone();
        sorted.sort();
        assert!(found == sorted && expected.len() > 50);
        assert_eq!(places(&samples), expected);
        // With another file in it, it is a folder of files.
        fs::copy(samples.join("loops.shbin"), parts.join("loops.shbin")).unwrap();
        assert_eq!(places(&parts), [format!("{}#0", parts.join("loops.shbin").display())]);
    }

    #[test]
    fn a_damaged_part_is_told() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("1.jsonl"), "{\"record\":\"stage\"}\n").unwrap();
        fs::write(folder.path().join("2.parquet"), "PAR1 and nothing behind it").unwrap();
        let catalog = Catalog::open(folder.path(), &Dictionaries::default()).unwrap();
        let rows: Vec<_> = catalog.rows().unwrap().collect();
        assert!(rows.len() == 2 && rows[0].is_ok() && rows[1].is_err());
    }
}
