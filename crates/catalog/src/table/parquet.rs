//! Apache Parquet: all columns may be NULL, text is UTF-8, numbers are unsigned of 64 bits. What a column means stands in the
//! metadata of the file as `unshade.column.NAME`, the version of the columns as `unshade.schema`.

use super::Error;
use crate::row::{COLUMNS, Column, Kind, Row, SCHEMA};
use parquet::{
    basic::{Compression, LogicalType, Repetition, Type as Physical},
    column::reader::{ColumnReader, get_typed_column_reader},
    data_type::{ByteArray, ByteArrayType, DataType, Int64Type},
    file::{
        metadata::KeyValue,
        properties::WriterProperties,
        reader::{FileReader, SerializedFileReader},
        writer::SerializedFileWriter,
    },
    schema::types::Type,
};
use std::{fs::File, sync::Arc};

/// Rows that are written, and read, together.
const ROWS: usize = 8192;
/// Bytes of text after which they are written earlier.
const BYTES: usize = 8 << 20;

/// Writes rows in groups.
pub struct Writer {
    file: SerializedFileWriter<File>,
    rows: Vec<Row>,
    bytes: usize,
}

impl Writer {
    pub(super) fn new(file: File) -> Result<Self, Error> {
        let columns = COLUMNS.iter().map(|column| {
            let (physical, logical) = match column.kind {
                Kind::Text => (Physical::BYTE_ARRAY, LogicalType::String),
                Kind::Number => (Physical::INT64, LogicalType::integer(64, false)),
            };
            let field = Type::primitive_type_builder(column.name, physical);
            let field = field.with_logical_type(Some(logical)).with_repetition(Repetition::OPTIONAL);
            Ok(Arc::new(field.build()?))
        });
        let columns = columns.collect::<Result<Vec<_>, parquet::errors::ParquetError>>()?;
        let schema = Type::group_type_builder("catalog").with_fields(columns).build()?;
        let mut about = vec![
            KeyValue::new("unshade.schema".to_owned(), SCHEMA.to_string()),
            KeyValue::new("unshade.version".to_owned(), env!("CARGO_PKG_VERSION").to_owned()),
        ];
        let meanings = COLUMNS.iter();
        about.extend(meanings.map(|column| {
            KeyValue::new(format!("unshade.column.{}", column.name), column.meaning.to_owned())
        }));
        let properties = WriterProperties::builder()
            .set_compression(Compression::SNAPPY)
            .set_created_by(concat!("unshade version ", env!("CARGO_PKG_VERSION")).to_owned())
            .set_key_value_metadata(Some(about))
            .build();
        let file = SerializedFileWriter::new(file, Arc::new(schema), Arc::new(properties))?;
        Ok(Self { file, rows: Vec::new(), bytes: 0 })
    }

    pub(super) fn row(&mut self, row: Row) -> Result<(), Error> {
        self.bytes += super::size(&row);
        self.rows.push(row);
        if self.rows.len() >= ROWS || self.bytes >= BYTES { self.group() } else { Ok(()) }
    }

    pub(super) fn finish(mut self) -> Result<(), Error> {
        self.group()?;
        self.file.close()?;
        Ok(())
    }

    fn group(&mut self) -> Result<(), Error> {
        let rows = std::mem::take(&mut self.rows);
        self.bytes = 0;
        if rows.is_empty() {
            return Ok(());
        }
        let mut group = self.file.next_row_group()?;
        for column in COLUMNS {
            let Some(mut writer) = group.next_column()? else { break };
            match column.kind {
                Kind::Text => {
                    let (values, levels) = values(&rows, |row| column.text(row).map(ByteArray::from));
                    writer.typed::<ByteArrayType>().write_batch(&values, Some(&levels), None)?;
                }
                Kind::Number => {
                    let (values, levels) = values(&rows, |row| column.number(row).map(u64::cast_signed));
                    writer.typed::<Int64Type>().write_batch(&values, Some(&levels), None)?;
                }
            }
            writer.close()?;
        }
        group.close()?;
        Ok(())
    }
}

/// The values that are there, and for each row whether it has one.
fn values<T>(rows: &[Row], value: impl Fn(&Row) -> Option<T>) -> (Vec<T>, Vec<i16>) {
    let all: Vec<Option<T>> = rows.iter().map(value).collect();
    let levels = all.iter().map(|value| i16::from(value.is_some())).collect();
    (all.into_iter().flatten().collect(), levels)
}

/// Reads rows in groups.
pub(super) struct Reader {
    file: SerializedFileReader<File>,
    next: usize,
    rows: std::vec::IntoIter<Row>,
    /// Where in the file each of [`COLUMNS`] is; a column that an older version did not have is nowhere.
    places: Vec<(&'static Column, Option<usize>)>,
    done: bool,
}

impl Reader {
    pub(super) fn new(file: File) -> Result<Self, Error> {
        let file = SerializedFileReader::new(file)?;
        let about = file.metadata().file_metadata();
        let pairs = about.key_value_metadata().map(Vec::as_slice).unwrap_or_default();
        let schema =
            pairs.iter().find(|pair| pair.key == "unshade.schema").and_then(|pair| pair.value.clone());
        match schema {
            Some(found) if found != SCHEMA.to_string() => return Err(Error::Schema { found }),
            Some(_) => {}
            None => return Err(Error::Column { name: "record" }),
        }
        let columns = about.schema_descr().columns();
        let mut places = Vec::new();
        for column in COLUMNS {
            let place = columns.iter().position(|found| found.name() == column.name);
            let physical = match column.kind {
                Kind::Text => Physical::BYTE_ARRAY,
                Kind::Number => Physical::INT64,
            };
            let found = place.and_then(|place| columns.get(place));
            if found.is_some_and(|found| {
                found.physical_type() != physical || found.max_rep_level() != 0 || found.max_def_level() > 1
            }) {
                return Err(Error::Column { name: column.name });
            }
            places.push((column, place));
        }
        Ok(Self { file, next: 0, rows: Vec::new().into_iter(), places, done: false })
    }

    /// The next group.
    fn group(&mut self) -> Result<(), Error> {
        let group = self.file.get_row_group(self.next)?;
        self.next += 1;
        let count = usize::try_from(group.metadata().num_rows()).unwrap_or_default();
        // What a damaged file says of itself takes no memory; rows come as their values do.
        let mut rows: Vec<Row> = Vec::new();
        for (column, place) in &self.places {
            let Some(place) = *place else { continue };
            let reader = group.get_column_reader(place)?;
            let nullable = group.metadata().column(place).column_descr().max_def_level() > 0;
            match column.kind {
                Kind::Text => {
                    let found = Values::<ByteArrayType>::read(reader, count, nullable)?;
                    found.fill(&mut rows, |row, value| {
                        column.set_text(row, String::from_utf8_lossy(value.data()).into_owned());
                    });
                }
                Kind::Number => {
                    let found = Values::<Int64Type>::read(reader, count, nullable)?;
                    found.fill(&mut rows, |row, value| column.set_number(row, value.cast_unsigned()));
                }
            }
        }
        self.rows = rows.into_iter();
        Ok(())
    }
}

/// The values of a column in a group.
struct Values<T: DataType> {
    /// How many rows were read.
    rows: usize,
    /// Those that there are.
    values: Vec<T::T>,
    /// For each row whether it has one; `None` where all have.
    levels: Option<Vec<i16>>,
}

impl<T: DataType> Values<T> {
    /// Reads up to `count` rows.
    fn read(reader: ColumnReader, count: usize, nullable: bool) -> Result<Self, Error> {
        let mut reader = get_typed_column_reader::<T>(reader);
        let (mut rows, mut values, mut levels) = (0, Vec::new(), Vec::new());
        while rows < count {
            let (read, ..) = reader.read_records(count - rows, Some(&mut levels), None, &mut values)?;
            if read == 0 {
                break;
            }
            rows += read;
        }
        Ok(Self { rows, values, levels: nullable.then_some(levels) })
    }

    /// Puts them into rows, of which there are as many as the longest column has.
    fn fill(self, rows: &mut Vec<Row>, set: impl Fn(&mut Row, T::T)) {
        if rows.len() < self.rows {
            rows.resize_with(self.rows, Row::default);
        }
        let mut values = self.values.into_iter();
        for (index, row) in rows.iter_mut().enumerate().take(self.rows) {
            let levels = self.levels.as_ref();
            if levels.is_none_or(|levels| levels.get(index).is_some_and(|level| *level > 0)) {
                let Some(value) = values.next() else { break };
                set(row, value);
            }
        }
    }
}

impl Iterator for Reader {
    type Item = Result<Row, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(row) = self.rows.next() {
                return Some(Ok(row));
            }
            if self.done || self.next >= self.file.num_row_groups() {
                return None;
            }
            if let Err(error) = self.group() {
                self.done = true;
                return Some(Err(error));
            }
        }
    }
}
