//! Tables of catalogs: `catalog` is all rows of all files; a file given as `NAME=FILE` is the table `NAME` as well.

use crate::{COLUMNS, Failure, Kind, SCHEMA, functions};
use datafusion::{
    arrow::datatypes::{DataType, Field, Schema, SchemaRef},
    dataframe::DataFrame,
    datasource::{
        file_format::{FileFormat, json::JsonFormat, parquet::ParquetFormat},
        listing::{ListingOptions, ListingTable, ListingTableConfig, ListingTableUrl},
    },
    parquet::file::reader::{FileReader, SerializedFileReader},
    prelude::{SessionConfig, SessionContext},
};
use std::{
    fs::File,
    io::Read,
    path::{Path, PathBuf},
    sync::Arc,
};

/// The table of all rows.
pub const ALL: &str = "catalog";

/// A catalog as it was given.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Source {
    /// The table that it is.
    pub name: Option<String>,
    /// The file, or a folder of Parquet files.
    pub path: PathBuf,
}

impl Source {
    /// Of `FILE` or `NAME=FILE`. What is there under the whole text is a file.
    pub fn of(argument: &str) -> Self {
        let plain = || Self { name: None, path: argument.into() };
        match argument.split_once('=') {
            Some((name, path)) if is_name(name) && !Path::new(argument).exists() => {
                Self { name: Some(name.to_lowercase()), path: path.into() }
            }
            _ => plain(),
        }
    }
}

fn is_name(text: &str) -> bool {
    text.starts_with(|letter: char| letter.is_ascii_alphabetic())
        && text.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '_')
}

/// Files of one table, by how they are written.
#[derive(Default)]
struct Files {
    parquet: Vec<PathBuf>,
    lines: Vec<PathBuf>,
}

/// Opens catalogs.
///
/// # Errors
/// Where a file is not there or no catalog, or two have the same name.
pub async fn open(sources: &[Source]) -> Result<SessionContext, Failure> {
    let mut config = SessionConfig::new().with_information_schema(true);
    // So that errors say where.
    config.options_mut().sql_parser.collect_spans = true;
    // Columns are read as the type that they are told to have.
    config.options_mut().execution.parquet.schema_force_view_types = false;
    let session = SessionContext::new_with_config(config);
    functions::register(&session);
    let mut all = Files::default();
    for source in sources {
        let files = files(&source.path)?;
        if let Some(name) = &source.name {
            if name == ALL || session.table_exist(name.as_str()).unwrap_or(true) {
                return Err(Failure::Usage(format!("there is a table `{name}` already")));
            }
            table(&session, name, &files).await?;
        }
        all.parquet.extend(files.parquet);
        all.lines.extend(files.lines);
    }
    table(&session, ALL, &all).await?;
    Ok(session)
}

/// The columns of every catalog; files of older versions, which lack some, have NULL there.
fn schema() -> SchemaRef {
    let fields = COLUMNS.iter().map(|column| {
        let holds = match column.kind {
            Kind::Text => DataType::Utf8,
            Kind::Number => DataType::UInt64,
        };
        Field::new(column.name, holds, true)
    });
    Arc::new(Schema::new(fields.collect::<Vec<_>>()))
}

async fn table(session: &SessionContext, name: &str, files: &Files) -> Result<(), Failure> {
    let failed = |error: datafusion::error::DataFusionError| Failure::Bad(error.strip_backtrace());
    let mut both: Option<DataFrame> = None;
    let formats: [(Arc<dyn FileFormat>, _); 2] = [
        (Arc::new(ParquetFormat::default()), &files.parquet),
        (Arc::new(JsonFormat::default()), &files.lines),
    ];
    for (format, paths) in formats {
        if paths.is_empty() {
            continue;
        }
        let urls = paths.iter().map(|path| url(path)).collect::<Result<Vec<_>, _>>()?;
        let options = ListingOptions::new(format).with_file_extension("");
        let config = ListingTableConfig::new_with_multi_paths(urls)
            .with_listing_options(options)
            .with_schema(schema());
        let rows =
            session.read_table(Arc::new(ListingTable::try_new(config).map_err(failed)?)).map_err(failed)?;
        both = Some(match both {
            Some(others) => others.union(rows).map_err(failed)?,
            None => rows,
        });
    }
    if let Some(rows) = both {
        session.register_table(name, rows.into_view()).map_err(failed)?;
    }
    Ok(())
}

/// Names may hold what means something in patterns and addresses, so the address is made of the path.
fn url(path: &Path) -> Result<ListingTableUrl, Failure> {
    let strange = || Failure::Bad(format!("cannot read {}: a strange path", path.display()));
    let full = std::path::absolute(path).map_err(|error| unread(path, &error))?;
    let url = url::Url::from_file_path(full).map_err(|()| strange())?;
    ListingTableUrl::try_new(url, None).map_err(|_| strange())
}

fn unread(path: &Path, error: &dyn std::fmt::Display) -> Failure {
    Failure::Bad(format!("cannot read {}: {error}", path.display()))
}

fn no_catalog(path: &Path, why: &dyn std::fmt::Display) -> Failure {
    Failure::Bad(format!("cannot read {}: no catalog: {why}", path.display()))
}

/// The file, or the Parquet files of a folder: a catalog in parts.
fn files(path: &Path) -> Result<Files, Failure> {
    let mut files = Files::default();
    if !path.is_dir() {
        match is_parquet(path)? {
            true => files.parquet.push(path.to_owned()),
            false => files.lines.push(path.to_owned()),
        }
        return Ok(files);
    }
    let mut folders = vec![path.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).map_err(|error| unread(&folder, &error))? {
            let entry = entry.map_err(|error| unread(&folder, &error))?;
            let file = entry.path();
            if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                // What a scan that goes on has so far is no catalog yet.
                if file.extension().is_none_or(|extension| extension != "parts") {
                    folders.push(file);
                }
            } else if file.extension().is_some_and(|extension| extension == "parquet") && is_parquet(&file)? {
                files.parquet.push(file);
            }
        }
    }
    files.parquet.sort();
    match files.parquet.is_empty() {
        true => Err(no_catalog(path, &"there is no Parquet file in this folder")),
        false => Ok(files),
    }
}

/// Whether a catalog is written as Parquet, or else as lines.
fn is_parquet(path: &Path) -> Result<bool, Failure> {
    let mut file = File::open(path).map_err(|error| unread(path, &error))?;
    let mut head = Vec::new();
    file.by_ref().take(16).read_to_end(&mut head).map_err(|error| unread(path, &error))?;
    if !head.starts_with(b"PAR1") {
        // A table without a row is an empty file.
        return match head.is_empty() || head.starts_with(b"{\"record\":") {
            true => Ok(false),
            false => Err(no_catalog(path, &"neither Parquet nor JSON lines with the rows of one")),
        };
    }
    let reader = SerializedFileReader::new(file).map_err(|error| no_catalog(path, &error))?;
    let about = reader.metadata().file_metadata();
    let pairs = about.key_value_metadata().map(Vec::as_slice).unwrap_or_default();
    let version =
        pairs.iter().find(|pair| pair.key == "unshade.schema").and_then(|pair| pair.value.as_deref());
    match version {
        Some(version) if version == SCHEMA.to_string() => Ok(true),
        Some(version) => {
            let what =
                format!("its columns are those of version {version}; this program knows version {SCHEMA}");
            Err(unread(path, &what))
        }
        None => Err(no_catalog(path, &"a Parquet file of something else")),
    }
}
