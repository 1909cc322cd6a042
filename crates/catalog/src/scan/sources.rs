//! What is known from before: the last table, and the parts of scans that did not end.

use super::{
    Error,
    seen::{self, Seen, Settings},
    writing::{part_of, parts_of},
};
use crate::{
    paths::Input,
    row::Row,
    table::{self, Rows},
};
use std::{
    collections::HashMap,
    fs,
    iter::Peekable,
    path::{Path, PathBuf},
};

/// Tables with rows of files that may not have changed, the newest first.
pub(super) struct Sources {
    folder: PathBuf,
    generation: u32,
    sources: Vec<Source>,
}

/// A table, or the parts of one in their order.
struct Source {
    files: HashMap<String, Seen>,
    tables: std::vec::IntoIter<PathBuf>,
    rows: Option<Peekable<Rows>>,
}

impl Sources {
    /// Nothing is known; parts that are there go.
    pub(super) fn none(out: &Path) -> Result<Self, Error> {
        let folder = parts_of(out);
        if folder.is_dir() {
            fs::remove_dir_all(&folder).map_err(Error::io(&folder))?;
        }
        Ok(Self { folder, generation: 0, sources: Vec::new() })
    }

    /// What there is beside a table.
    pub(super) fn open(out: &Path, settings: &Settings) -> Result<Self, Error> {
        let folder = parts_of(out);
        let mut parts: Vec<(u32, u32, PathBuf)> = Vec::new();
        if let Ok(entries) = fs::read_dir(&folder) {
            for entry in entries.flatten() {
                let path = entry.path();
                let place = path.file_name().and_then(|name| part_of(name.to_str()?));
                parts.extend(place.map(|(generation, number)| (generation, number, path.with_extension(""))));
            }
        }
        parts.sort();
        let generation = parts.last().map_or(0, |(generation, ..)| generation.saturating_add(1));
        let mut sources: Vec<Source> = Vec::new();
        for run in parts.chunk_by(|one, other| one.0 == other.0).rev() {
            let mut files = HashMap::new();
            let mut tables = Vec::new();
            for (.., path) in run {
                // Parts behind a damaged one are in order, too.
                if let Some(seen) = seen::read(&path.with_extension("seen"), settings) {
                    files.extend(seen);
                    tables.push(path.clone());
                }
            }
            sources.push(Source { files, tables: tables.into_iter(), rows: None });
        }
        if let Some(files) = seen::read(&seen::beside(out), settings) {
            sources.push(Source { files, tables: vec![out.to_owned()].into_iter(), rows: None });
        }
        Ok(Self { folder, generation, sources })
    }

    /// The number of this run.
    pub(super) fn generation(&self) -> u32 {
        self.generation
    }

    /// Which of them knows a file as it is.
    pub(super) fn knows(&self, input: &Input) -> Option<usize> {
        self.sources
            .iter()
            .position(|source| source.files.get(&input.path).is_some_and(|seen| seen.is(input)))
    }

    /// The rows of a file. Files are asked for in the order of their paths.
    pub(super) fn rows(&mut self, source: usize, path: &str) -> Result<Vec<Row>, Error> {
        let Some(source) = self.sources.get_mut(source) else { return Ok(Vec::new()) };
        let wanted = source.files.get(path).map_or(0, |seen| seen.rows);
        let mut found = Vec::new();
        while (found.len() as u64) < wanted {
            let Some(rows) = &mut source.rows else {
                let Some(table) = source.tables.next() else { break };
                source.rows = Some(table::read(&table).map_err(Error::table(&table))?.peekable());
                continue;
            };
            match rows.next_if(|row| row.as_ref().map_or(true, |row| row.path.as_str() <= path)) {
                Some(row) => {
                    let row = row.map_err(Error::table(&self.folder))?;
                    if row.path == path {
                        found.push(row);
                    }
                }
                None if rows.peek().is_some() => break,
                None => source.rows = None,
            }
        }
        Ok(found)
    }

    /// The table is done: the parts go.
    pub(super) fn remove(self) -> Result<(), Error> {
        fs::remove_dir_all(&self.folder).map_err(Error::io(&self.folder))
    }
}
