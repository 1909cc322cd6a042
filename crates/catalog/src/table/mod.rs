//! Tables on disk: Apache Parquet, or JSON lines. Both hold the same columns and are read row by row.

#[cfg(feature = "arrow")]
pub mod arrow;
mod lines;
mod parquet;

use crate::row::{COLUMNS, Row};
use std::{fmt, fs::File, io, path::Path};

/// How a table is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Format {
    /// Apache Parquet, compressed with Snappy.
    Parquet,
    /// A JSON object a line.
    Lines,
}

impl Format {
    /// By the name of the file: `.jsonl`, `.ndjson` and `.json` are lines, all others Parquet.
    pub fn of(path: &Path) -> Self {
        match path.extension().and_then(|extension| extension.to_str()) {
            Some("jsonl" | "ndjson" | "json") => Self::Lines,
            _ => Self::Parquet,
        }
    }
}

/// Why a table cannot be read or written.
#[derive(Debug)]
pub enum Error {
    /// The system says so.
    Io(io::Error),
    /// It is no such table.
    Parquet(::parquet::errors::ParquetError),
    /// A line of it is none of a catalog.
    Line {
        /// Its number, from 1.
        number: u64,
        /// What is wrong.
        error: serde_json::Error,
    },
    /// It is a table of something else: a column is missing or holds something else.
    Column {
        /// Which column.
        name: &'static str,
    },
    /// It was made by another version, whose columns mean something else.
    Schema {
        /// The version of its columns.
        found: String,
    },
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io(error) => error.fmt(f),
            Self::Parquet(error) => write!(f, "no catalog: {error}"),
            Self::Line { number, error } => write!(f, "no catalog: line {number}: {error}"),
            Self::Column { name } => write!(f, "no catalog: there is no column `{name}` as a catalog has it"),
            Self::Schema { found } => {
                write!(
                    f,
                    "its columns are those of version {found}; this program knows version {}",
                    crate::row::SCHEMA
                )
            }
        }
    }
}

impl std::error::Error for Error {}

impl From<io::Error> for Error {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

impl From<::parquet::errors::ParquetError> for Error {
    fn from(error: ::parquet::errors::ParquetError) -> Self {
        Self::Parquet(error)
    }
}

/// Writes a table.
pub enum Writer {
    /// Parquet.
    Parquet(Box<parquet::Writer>),
    /// JSON lines.
    Lines(lines::Writer),
}

impl Writer {
    /// Starts a table in a file that is there and empty.
    ///
    /// # Errors
    /// What the system says.
    pub fn new(file: File, format: Format) -> Result<Self, Error> {
        Ok(match format {
            Format::Parquet => Self::Parquet(Box::new(parquet::Writer::new(file)?)),
            Format::Lines => Self::Lines(lines::Writer::new(file)),
        })
    }

    /// Adds a row.
    ///
    /// # Errors
    /// What the system says.
    pub fn row(&mut self, row: Row) -> Result<(), Error> {
        match self {
            Self::Parquet(writer) => writer.row(row),
            Self::Lines(writer) => writer.row(&row),
        }
    }

    /// Ends the table.
    ///
    /// # Errors
    /// What the system says.
    pub fn finish(self) -> Result<(), Error> {
        match self {
            Self::Parquet(writer) => writer.finish(),
            Self::Lines(writer) => writer.finish(),
        }
    }
}

/// Whether a file starts as a table does: as Parquet, or with a row in JSON.
pub fn is_table(path: &Path) -> bool {
    let mut head = Vec::new();
    let read =
        File::open(path).and_then(|file| io::Read::read_to_end(&mut io::Read::take(file, 16), &mut head));
    read.is_ok() && (head.starts_with(b"PAR1") || head.starts_with(b"{\"record\":"))
}

/// About how many bytes a row takes in memory.
pub(crate) fn size(row: &Row) -> usize {
    let text = COLUMNS.iter().filter_map(|column| column.text(row)).map(str::len).sum::<usize>();
    text + size_of::<Row>()
}

/// The rows of a table, in its order.
pub type Rows = Box<dyn Iterator<Item = Result<Row, Error>> + Send>;

/// Opens a table; its first bytes tell how it is written.
///
/// # Errors
/// Where there is no such file or it is no catalog.
pub fn read(path: &Path) -> Result<Rows, Error> {
    let mut file = File::open(path)?;
    let mut magic = [0; 4];
    let parquet = io::Read::read(&mut file, &mut magic)? == 4 && &magic == b"PAR1";
    io::Seek::rewind(&mut file)?;
    Ok(if parquet { Box::new(parquet::Reader::new(file)?) } else { Box::new(lines::Reader::new(file)) })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::row::Kind;

    fn rows() -> Vec<Row> {
        let mut all = Vec::new();
        for number in 0..40_000_u64 {
            let mut row =
                Row { record: if number % 7 == 3 { "error" } else { "stage" }.to_owned(), ..Row::default() };
            for (index, column) in COLUMNS.iter().enumerate().skip(1) {
                match column.kind {
                    Kind::Text if !(number + index as u64).is_multiple_of(3) => {
                        column.set_text(&mut row, format!("{}\u{e4}\"\n{number}", column.name));
                    }
                    Kind::Number if row.is_stage() => column.set_number(&mut row, number << index),
                    _ => {}
                }
            }
            all.push(row);
        }
        all.push(Row { record: "stage".to_owned(), offset: u64::MAX, ..Row::default() });
        all
    }

    #[test]
    fn what_is_written_is_read() {
        let folder = tempfile::tempdir().unwrap();
        let rows = rows();
        for name in ["a.parquet", "a.jsonl"] {
            let path = folder.path().join(name);
            let mut writer = Writer::new(File::create(&path).unwrap(), Format::of(&path)).unwrap();
            rows.iter().for_each(|row| writer.row(row.clone()).unwrap());
            writer.finish().unwrap();
            let again: Vec<Row> = read(&path).unwrap().map(Result::unwrap).collect();
            assert!(again == rows, "{name}");
        }
    }

    #[test]
    fn an_empty_table_is_one() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["a.parquet", "a.jsonl"] {
            let path = folder.path().join(name);
            Writer::new(File::create(&path).unwrap(), Format::of(&path)).unwrap().finish().unwrap();
            assert_eq!(read(&path).unwrap().count(), 0, "{name}");
        }
    }

    #[test]
    fn damaged_tables_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.parquet");
        let mut writer = Writer::new(File::create(&path).unwrap(), Format::Parquet).unwrap();
        rows().into_iter().take(500).for_each(|row| writer.row(row).unwrap());
        writer.finish().unwrap();
        let bytes = std::fs::read(&path).unwrap();
        // Cut anywhere, and with any byte changed: an error or other rows, never a panic.
        for step in 0..60 {
            let at = bytes.len() * step / 60;
            std::fs::write(&path, &bytes[..at]).unwrap();
            assert!(
                read(&path).map_or(true, |rows| at == 0 || rows.into_iter().any(|row| row.is_err())),
                "{at}"
            );
            let mut changed = bytes.clone();
            changed[at] ^= 0x55;
            std::fs::write(&path, &changed).unwrap();
            if let Ok(rows) = read(&path) {
                let _ = rows.take_while(Result::is_ok).count();
            }
        }
        std::fs::write(&path, b"{\"record\":\"stage\"}\n\n{\"record\":3}\n").unwrap();
        let all: Vec<_> = read(&path).unwrap().collect();
        assert!(all[0].is_ok() && all.len() == 2);
        assert_eq!(
            all[1].as_ref().unwrap_err().to_string().split(':').take(2).collect::<String>(),
            "no catalog line 3"
        );
    }
}
