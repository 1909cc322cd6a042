//! Which files were looked at, and how they were: JSON lines beside the table, a line for each file behind one for the
//! settings.

use crate::{paths::Input, row::Row};
use serde::{Deserialize, Serialize};
use std::{
    collections::HashMap,
    fs::File,
    io::{self, BufRead, BufReader, BufWriter, Write},
    path::{Path, PathBuf},
};
use unshade::Dictionaries;

/// The file beside a table.
pub(super) fn beside(table: &Path) -> PathBuf {
    let mut name = table.as_os_str().to_owned();
    name.push(".seen");
    name.into()
}

/// What rows depend on beside the file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Settings {
    schema: u32,
    version: String,
    dictionaries: Vec<u32>,
}

impl Settings {
    pub(super) fn new(dictionaries: &Dictionaries) -> Self {
        let mut ids: Vec<u32> = dictionaries.0.iter().map(|dictionary| dictionary.id).collect();
        ids.sort_unstable();
        Self { schema: crate::row::SCHEMA, version: env!("CARGO_PKG_VERSION").to_owned(), dictionaries: ids }
    }
}

/// A file as it was looked at.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Seen {
    pub(super) path: String,
    bytes: u64,
    modified: u64,
    /// How many rows it has.
    pub(super) rows: u64,
    /// Another scan may find more in it: it could not be opened, or there was not enough memory.
    again: bool,
}

impl Seen {
    pub(super) fn of(input: &Input) -> Self {
        let Input { path, bytes, modified, error, .. } = input;
        Self { path: path.clone(), bytes: *bytes, modified: *modified, rows: 0, again: error.is_some() }
    }

    pub(super) fn row(&mut self, row: &Row) {
        self.rows += 1;
        self.again |= AGAIN.iter().any(|code| row.message.starts_with(code));
    }

    /// Whether it says what is known of a file as it is now.
    pub(super) fn is(&self, input: &Input) -> bool {
        !self.again && self.modified != 0 && (self.bytes, self.modified) == (input.bytes, input.modified)
    }
}

/// Errors that may be gone at another time.
const AGAIN: [&str; 3] = ["[scan.io]", "[scan.memory]", "[scan.panic]"];

/// Writes a list of files.
pub(super) struct Writer(BufWriter<File>);

impl Writer {
    pub(super) fn new(file: File, settings: &Settings) -> io::Result<Self> {
        let mut writer = Self(BufWriter::new(file));
        writer.line(settings)?;
        Ok(writer)
    }

    fn line(&mut self, line: &impl Serialize) -> io::Result<()> {
        serde_json::to_writer(&mut self.0, line)?;
        self.0.write_all(b"\n")
    }

    pub(super) fn add(&mut self, seen: &Seen) -> io::Result<()> {
        self.line(seen)
    }

    pub(super) fn finish(mut self) -> io::Result<()> {
        self.0.flush()
    }
}

/// The files of a list, where it was made with the same settings and is whole.
pub(super) fn read(path: &Path, settings: &Settings) -> Option<HashMap<String, Seen>> {
    let mut lines = BufReader::new(File::open(path).ok()?).lines();
    let first: Settings = serde_json::from_str(&lines.next()?.ok()?).ok()?;
    if first != *settings {
        return None;
    }
    let seen = lines.map(|line| serde_json::from_str::<Seen>(&line.ok()?).ok());
    seen.map(|seen| seen.map(|seen| (seen.path.clone(), seen))).collect()
}
