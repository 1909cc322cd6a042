//! Answers: columns for people, JSON lines, CSV, Parquet.

use crate::{Failure, question};
use datafusion::{
    arrow::{
        array::RecordBatch,
        csv,
        error::ArrowError,
        json,
        util::display::{ArrayFormatter, FormatOptions},
    },
    execution::SendableRecordBatchStream,
    parquet::{arrow::ArrowWriter, basic::Compression, file::properties::WriterProperties},
};
use futures::StreamExt;
use std::{
    io::{self, Write},
    path::Path,
};

/// How an answer is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// Columns as wide as their widest cell, under a heading.
    Table,
    /// A JSON object a line, without the columns that are NULL.
    Json,
    /// Comma-separated values under a heading.
    Csv,
}

/// Writes an answer to `out`; gives the number of rows.
///
/// # Errors
/// What the system says of `out`, and what comes in the way of the answer.
pub async fn write(
    sql: &str,
    mut rows: SendableRecordBatchStream,
    form: Form,
    mut out: &mut dyn Write,
) -> Result<usize, Failure> {
    let mut count = 0;
    match form {
        Form::Table => {
            let mut table = Table::new(
                rows.schema()
                    .fields()
                    .iter()
                    .map(|field| (field.name().clone(), field.data_type().is_numeric())),
            );
            while let Some(batch) = next(sql, &mut rows).await? {
                count += batch.num_rows();
                table.add(&batch).map_err(arrow)?;
            }
            table.print(out).map_err(|error| unwritten(&error))?;
        }
        Form::Json => {
            let mut writer = json::LineDelimitedWriter::new(&mut out);
            while let Some(batch) = next(sql, &mut rows).await? {
                count += batch.num_rows();
                writer.write(&batch).map_err(arrow)?;
            }
            writer.finish().map_err(arrow)?;
        }
        Form::Csv => {
            let mut writer = csv::Writer::new(&mut out);
            writer.write(&RecordBatch::new_empty(rows.schema())).map_err(arrow)?;
            while let Some(batch) = next(sql, &mut rows).await? {
                count += batch.num_rows();
                writer.write(&batch).map_err(arrow)?;
            }
        }
    }
    out.flush().map_err(|error| unwritten(&error))?;
    Ok(count)
}

/// Writes an answer as a Parquet file, whole or not at all; gives the number of rows.
///
/// # Errors
/// What the system says of the file, and what comes in the way of the answer.
pub async fn write_parquet(
    sql: &str,
    mut rows: SendableRecordBatchStream,
    path: &Path,
) -> Result<usize, Failure> {
    let failed =
        |error: &dyn std::fmt::Display| Failure::Bad(format!("cannot write {}: {error}", path.display()));
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let file = tempfile::NamedTempFile::new_in(folder).map_err(|error| failed(&error))?;
    let snappy = WriterProperties::builder().set_compression(Compression::SNAPPY).build();
    let mut writer =
        ArrowWriter::try_new(file, rows.schema(), Some(snappy)).map_err(|error| failed(&error))?;
    let mut count = 0;
    while let Some(batch) = next(sql, &mut rows).await? {
        count += batch.num_rows();
        writer.write(&batch).map_err(|error| failed(&error))?;
    }
    let file = writer.into_inner().map_err(|error| failed(&error))?;
    #[cfg(unix)]
    {
        // A temporary file is its owner's alone; a result is everybody's who may read the folder.
        use std::os::unix::fs::PermissionsExt;
        let everybody = std::fs::Permissions::from_mode(0o644);
        file.as_file().set_permissions(everybody).map_err(|error| failed(&error))?;
    }
    file.persist(path).map_err(|error| failed(&error))?;
    Ok(count)
}

async fn next(sql: &str, rows: &mut SendableRecordBatchStream) -> Result<Option<RecordBatch>, Failure> {
    rows.next().await.transpose().map_err(|error| question::failure(sql, &error))
}

fn arrow(error: ArrowError) -> Failure {
    match error {
        ArrowError::IoError(_, error) => unwritten(&error),
        ArrowError::CsvError(text) => Failure::Usage(text),
        error => Failure::Bad(error.to_string()),
    }
}

/// Who reads the answer may go before its end; that is no failure.
fn unwritten(error: &io::Error) -> Failure {
    match error.kind() {
        io::ErrorKind::BrokenPipe => Failure::Gone,
        _ => Failure::Bad(format!("cannot write the answer: {error}")),
    }
}

/// Rows as text.
struct Table {
    heading: Vec<String>,
    /// Which columns stand to the right.
    right: Vec<bool>,
    rows: Vec<Vec<String>>,
}

impl Table {
    fn new(columns: impl Iterator<Item = (String, bool)>) -> Self {
        let (heading, right) = columns.unzip();
        Self { heading, right, rows: Vec::new() }
    }

    fn add(&mut self, batch: &RecordBatch) -> Result<(), ArrowError> {
        let options = FormatOptions::default();
        let cells = batch.columns().iter().map(|column| ArrayFormatter::try_new(column, &options));
        let cells = cells.collect::<Result<Vec<_>, _>>()?;
        for row in 0..batch.num_rows() {
            self.rows.push(cells.iter().map(|column| plain(&column.value(row).to_string())).collect());
        }
        Ok(())
    }

    fn print(&self, out: &mut dyn Write) -> io::Result<()> {
        let lines = || std::iter::once(&self.heading).chain(&self.rows);
        let mut widths = vec![0; self.heading.len()];
        for line in lines() {
            for (width, cell) in widths.iter_mut().zip(line) {
                *width = (*width).max(cell.chars().count());
            }
        }
        for line in lines() {
            let mut text = String::new();
            for ((cell, width), right) in line.iter().zip(&widths).zip(&self.right) {
                let space = " ".repeat(width.saturating_sub(cell.chars().count()));
                let (front, behind) = if *right { (space.as_str(), "") } else { ("", space.as_str()) };
                text.push_str(&format!("{front}{cell}{behind}  "));
            }
            writeln!(out, "{}", text.trim_end())?;
        }
        Ok(())
    }
}

/// Names come from strangers' files; what would move the cursor of a terminal is shown instead.
fn plain(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter.is_control() {
            true => plain.extend(letter.escape_default()),
            false => plain.push(letter),
        }
    }
    plain
}
