//! JSON lines.

use super::Error;
use crate::row::Row;
use std::{
    fs::File,
    io::{BufRead, BufReader, BufWriter, Write},
};

/// Writes rows as lines.
pub struct Writer(BufWriter<File>);

impl Writer {
    pub(super) fn new(file: File) -> Self {
        Self(BufWriter::with_capacity(1 << 18, file))
    }

    pub(super) fn row(&mut self, row: &Row) -> Result<(), Error> {
        serde_json::to_writer(&mut self.0, row).map_err(std::io::Error::from)?;
        Ok(self.0.write_all(b"\n")?)
    }

    pub(super) fn finish(mut self) -> Result<(), Error> {
        Ok(self.0.flush()?)
    }
}

/// Reads lines as rows; empty ones are passed over.
pub(super) struct Reader {
    lines: BufReader<File>,
    number: u64,
    done: bool,
}

impl Reader {
    pub(super) fn new(file: File) -> Self {
        Self { lines: BufReader::with_capacity(1 << 18, file), number: 0, done: false }
    }
}

impl Iterator for Reader {
    type Item = Result<Row, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        let mut line = String::new();
        while !self.done {
            line.clear();
            self.number += 1;
            match self.lines.read_line(&mut line) {
                Ok(0) => self.done = true,
                Ok(_) if line.trim().is_empty() => {}
                Ok(_) => {
                    let row = serde_json::from_str(&line);
                    self.done = row.is_err();
                    return Some(row.map_err(|error| Error::Line { number: self.number, error }));
                }
                Err(error) => {
                    self.done = true;
                    return Some(Err(error.into()));
                }
            }
        }
        None
    }
}
