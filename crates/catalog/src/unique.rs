//! Each distinct program once, as files of its code, with a list of all its places.

use crate::{error::Error, load, row::Row};
use serde::Serialize;
use std::{
    collections::HashSet,
    fs::{self, File},
    io::{BufWriter, Write},
    path::{Path, PathBuf},
};
use unshade::Stage;

/// The list of places in the folder: a JSON object a line, with the names of the file and of the place.
pub const PLACES: &str = "places.jsonl";

/// The folder that programs go to.
pub(crate) struct Unique {
    folder: PathBuf,
    known: HashSet<String>,
    places: BufWriter<File>,
    temporary: PathBuf,
}

/// A line of the list.
#[derive(Serialize)]
struct Place<'a> {
    program: &'a str,
    place: String,
    #[serde(skip_serializing_if = "str::is_empty")]
    options: &'a str,
}

/// The code of a program as it is written.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Code {
    /// As it lies in the file, behind its header where it has one.
    pub(crate) words: Vec<u8>,
    /// Its side table (PICA200: operand descriptors).
    pub(crate) descriptors: Vec<u8>,
}

impl Code {
    pub(crate) fn of(stage: &Stage<'_>) -> Self {
        let header =
            stage.interface.maxwell.as_deref().map(|maxwell| maxwell.header.as_slice()).unwrap_or_default();
        let bytes = |word: &u32| word.to_le_bytes();
        Self {
            words: header.iter().chain(stage.code.words.iter()).flat_map(bytes).collect(),
            descriptors: stage.code.descriptors.iter().flat_map(bytes).collect(),
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.words.len().saturating_add(self.descriptors.len())
    }
}

impl Unique {
    pub(crate) fn new(folder: &Path) -> Result<Self, Error> {
        fs::create_dir_all(folder).map_err(Error::io(folder))?;
        let temporary = folder.join(".places.jsonl");
        let places = File::create(&temporary).map_err(Error::io(&temporary))?;
        Ok(Self {
            folder: folder.to_owned(),
            known: HashSet::new(),
            places: BufWriter::new(places),
            temporary,
        })
    }

    /// Takes a row; writes its program where it is the first of its kind, and says whether it was.
    pub(crate) fn take(&mut self, row: &Row, code: Option<&Code>) -> Result<bool, Error> {
        if !row.is_stage() {
            return Ok(false);
        }
        let program = format!("{}.{}.{}.bin", row.code_hash, row.isa, row.kind);
        let place = Place { program: &program, place: row.place(), options: &row.options };
        let line = serde_json::to_writer(&mut self.places, &place).map_err(std::io::Error::from);
        line.and_then(|()| self.places.write_all(b"\n")).map_err(Error::io(&self.temporary))?;
        if !self.known.insert(program.clone()) {
            return Ok(false);
        }
        let path = self.folder.join(&program);
        if path.is_file() {
            return Ok(true);
        }
        // Of a file that has not changed there is a row alone.
        let loaded = match code {
            Some(_) => None,
            None => load::stage(row).ok().map(|stage| Code::of(&stage)),
        };
        let Some(code) = code.or(loaded.as_ref()) else { return Ok(false) };
        if !code.descriptors.is_empty() {
            let path = path.with_extension("descriptors.bin");
            fs::write(&path, &code.descriptors).map_err(Error::io(&path))?;
        }
        // The code comes last: where it is, all of the program is. Written whole or not at all.
        let temporary = self.folder.join(".program");
        fs::write(&temporary, &code.words).map_err(Error::io(&temporary))?;
        fs::rename(&temporary, &path).map_err(Error::io(&path))?;
        Ok(true)
    }

    pub(crate) fn finish(mut self) -> Result<(), Error> {
        self.places.flush().map_err(Error::io(&self.temporary))?;
        let list = self.folder.join(PLACES);
        fs::rename(&self.temporary, &list).map_err(Error::io(&list))
    }
}
