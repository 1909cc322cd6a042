//! Rows as record batches of Apache Arrow: the same columns as in Parquet, all of which may be NULL, text as UTF-8, numbers
//! unsigned of 64 bits. What a column means stands in the metadata of its field as `meaning`, the version of the columns in that
//! of the schema as `unshade.schema`.

use crate::row::{COLUMNS, Kind, Row, SCHEMA};
use arrow_array::{ArrayRef, RecordBatch, StringArray, UInt64Array};
use arrow_schema::{ArrowError, DataType, Field, Schema, SchemaRef};
use std::sync::{Arc, LazyLock};
use unshade::report::ItemReport;

/// Rows of a batch, where there are more.
const ROWS: usize = 8192;
/// Bytes of text after which a batch ends earlier; a column of one holds less than 2 GiB.
const BYTES: usize = 64 << 20;

fn field(name: &str, data: DataType, meaning: &str) -> Field {
    Field::new(name, data, true).with_metadata([("meaning", meaning)])
}

/// The schema of catalogs.
static CATALOG: LazyLock<SchemaRef> = LazyLock::new(|| {
    let fields: Vec<Field> = COLUMNS
        .iter()
        .map(|column| {
            let data = match column.kind {
                Kind::Text => DataType::Utf8,
                Kind::Number => DataType::UInt64,
            };
            field(column.name, data, column.meaning)
        })
        .collect();
    let about =
        [("unshade.schema", SCHEMA.to_string()), ("unshade.version", env!("CARGO_PKG_VERSION").to_owned())];
    Arc::new(Schema::new_with_metadata(fields, about))
});

/// The schema of catalogs.
pub fn schema() -> SchemaRef {
    CATALOG.clone()
}

/// One batch of rows.
///
/// # Errors
/// Where a column has more text than a batch can hold.
pub fn batch(rows: &[Row]) -> Result<RecordBatch, ArrowError> {
    let columns = COLUMNS.iter().map(|column| -> ArrayRef {
        match column.kind {
            Kind::Text => Arc::new(rows.iter().map(|row| column.text(row)).collect::<StringArray>()),
            Kind::Number => Arc::new(rows.iter().map(|row| column.number(row)).collect::<UInt64Array>()),
        }
    });
    RecordBatch::try_new(schema(), columns.collect())
}

/// Collects rows as batches, so that no more than one batch of them is in memory as rows.
#[derive(Debug, Default)]
pub struct Batches {
    done: Vec<RecordBatch>,
    rows: Vec<Row>,
    bytes: usize,
}

impl Batches {
    /// Adds a row.
    ///
    /// # Errors
    /// As [`batch`].
    pub fn row(&mut self, row: Row) -> Result<(), ArrowError> {
        self.bytes = self.bytes.saturating_add(super::size(&row));
        self.rows.push(row);
        if self.rows.len() >= ROWS || self.bytes >= BYTES { self.end() } else { Ok(()) }
    }

    /// The batches of all rows.
    ///
    /// # Errors
    /// As [`batch`].
    pub fn finish(mut self) -> Result<Vec<RecordBatch>, ArrowError> {
        if !self.rows.is_empty() {
            self.end()?;
        }
        Ok(self.done)
    }

    fn end(&mut self) -> Result<(), ArrowError> {
        self.done.push(batch(&std::mem::take(&mut self.rows))?);
        self.bytes = 0;
        Ok(())
    }
}

/// The programs of one file as `ls` lists them, with the columns of its JSON.
///
/// # Errors
/// As [`batch`].
pub fn items(items: &[ItemReport]) -> Result<RecordBatch, ArrowError> {
    let text = |name, meaning, of: fn(&ItemReport) -> Option<&str>| -> (Field, ArrayRef) {
        (field(name, DataType::Utf8, meaning), Arc::new(items.iter().map(of).collect::<StringArray>()))
    };
    let number = |name, meaning, of: fn(&ItemReport) -> u64| -> (Field, ArrayRef) {
        let values: UInt64Array = items.iter().map(|item| Some(of(item))).collect();
        (field(name, DataType::UInt64, meaning), Arc::new(values))
    };
    let (fields, columns): (Vec<Field>, Vec<ArrayRef>) = [
        text("item", "What stands behind `FILE` to name it: `#0`, `:0x80#1`.", |item| Some(&item.item)),
        text("kind", "Which step of the pipeline it is for: `vertex`, `geometry`.", |item| Some(&item.kind)),
        text("isa", "Instruction set: `pica200`.", |item| Some(&item.isa)),
        number("code_bytes", "Code size in bytes. Programs of one file may share code.", |item| {
            item.code_bytes
        }),
        number("instructions", "Instructions in that code.", |item| item.instructions),
        text(
            "hash",
            "Hash of the program: 16 hexadecimal digits. Programs of equal hash do the same.",
            |item| Some(&item.hash),
        ),
        text("name", "Name of the entry point, where the file has one.", |item| item.name.as_deref()),
    ]
    .into_iter()
    .unzip();
    RecordBatch::try_new(Arc::new(Schema::new(fields)), columns)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use arrow_array::Array;

    #[test]
    fn columns_are_those_of_catalogs() {
        let rows = [
            Row { record: "stage".to_owned(), offset: u64::MAX, path: "\u{e4}".to_owned(), ..Row::default() },
            Row { record: "error".to_owned(), message: "why".to_owned(), offset: 7, ..Row::default() },
        ];
        let batch = batch(&rows).unwrap();
        assert_eq!(batch.num_columns(), COLUMNS.len());
        assert_eq!(batch.num_rows(), rows.len());
        for (index, column) in COLUMNS.iter().enumerate() {
            let array = batch.column(index);
            let found = schema().field(index).clone();
            assert_eq!(
                (found.name().as_str(), found.metadata()["meaning"].as_str()),
                (column.name, column.meaning)
            );
            for (at, row) in rows.iter().enumerate() {
                match column.kind {
                    Kind::Text => {
                        let array = array.as_any().downcast_ref::<StringArray>().unwrap();
                        assert_eq!(array.is_valid(at).then(|| array.value(at)), column.text(row));
                    }
                    Kind::Number => {
                        let array = array.as_any().downcast_ref::<UInt64Array>().unwrap();
                        assert_eq!(array.is_valid(at).then(|| array.value(at)), column.number(row));
                    }
                }
            }
        }
    }

    #[test]
    fn many_rows_are_several_batches() {
        let mut batches = Batches::default();
        for number in 0..ROWS + 3 {
            let row = Row { record: "stage".to_owned(), offset: number as u64, ..Row::default() };
            batches.row(row).unwrap();
        }
        let batches = batches.finish().unwrap();
        assert_eq!(batches.iter().map(RecordBatch::num_rows).collect::<Vec<_>>(), [ROWS, 3]);
        assert!(Batches::default().finish().unwrap().is_empty());
    }
}
