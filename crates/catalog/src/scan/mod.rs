//! Scanning: all programs in a tree of files to a table.
//!
//! Files are looked at by several threads, and their rows are written in the order of their paths. What was found is kept
//! in parts beside the table while the scan runs, so that one that was ended goes on where it was; which files were seen,
//! and how they were, is kept beside the finished table, so that the next scan looks only at those that changed.

mod gate;
mod seen;
mod sources;
mod workers;
mod writing;

pub use crate::error::Error;
use crate::{
    content,
    paths::{self, Input},
    row::Row,
    unique::Unique,
};
use serde::Serialize;
use sources::Sources;
use std::path::{Path, PathBuf};
use unshade::Dictionaries;
use writing::Writing;

/// How to scan.
#[derive(Debug, Clone)]
pub struct Options {
    /// How many threads look into files.
    pub threads: usize,
    /// How much memory they may take together, in bytes. A file that needs more is a row that says so.
    pub memory: u64,
    /// Which part of how many: `(1, 4)` is the first of four. The parts of all together are the whole.
    pub shard: Option<(u32, u32)>,
    /// A folder to which each distinct program is written once.
    pub unique_to: Option<PathBuf>,
    /// Everything is looked at anew, whatever is known from before.
    pub fresh: bool,
    /// For files that were compressed with dictionaries.
    pub dictionaries: Dictionaries,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            threads: std::thread::available_parallelism().map_or(1, usize::from),
            memory: MEMORY,
            shard: None,
            unique_to: None,
            fresh: false,
            dictionaries: Dictionaries::default(),
        }
    }
}

/// Memory that a scan takes unless it is told otherwise: 512 MiB.
pub const MEMORY: u64 = 512 << 20;
/// The least memory with which a scan gets anywhere.
pub const LEAST_MEMORY: u64 = 64 << 20;

/// How far a scan is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Progress {
    /// Files that are done, of which so many.
    pub files: u64,
    /// Files altogether.
    pub all_files: u64,
    /// Bytes of files that are done.
    pub bytes: u64,
    /// Bytes of all files.
    pub all_bytes: u64,
    /// Files that were looked at before and have not changed.
    pub unchanged: u64,
    /// Bytes of those.
    pub unchanged_bytes: u64,
    /// Rows of programs.
    pub stages: u64,
    /// Rows of errors.
    pub errors: u64,
    /// Rows of files known by name only.
    pub unread: u64,
    /// Distinct programs that were written, where that was asked for.
    pub unique: u64,
}

impl Progress {
    fn row(&mut self, row: &Row) {
        match row.record.as_str() {
            "stage" => self.stages += 1,
            "unread" => self.unread += 1,
            _ => self.errors += 1,
        }
    }
}

/// Looks into all files below `roots` and writes the table `out`, in the format that its name says ([`crate::table::Format::of`]).
/// `watch` is told now and then how far it is, and says whether to go on; a scan that is ended can be taken up again.
///
/// # Errors
/// Where the table cannot be written. What is wrong with a file that is looked into is a row.
pub fn scan(
    roots: &[PathBuf],
    out: &Path,
    options: &Options,
    watch: &mut dyn FnMut(&Progress) -> bool,
) -> Result<Progress, Error> {
    let mut inputs = paths::list(roots);
    // What the scan itself writes is no input.
    let own = own_files(out, options.unique_to.as_deref());
    inputs.retain(|input| !own.iter().any(|own| input.file.starts_with(own)));
    // Every part of a scan knows the dictionaries of all.
    let options = &Options { dictionaries: dictionaries(&inputs, &options.dictionaries), ..options.clone() };
    if let Some((index, count)) = options.shard {
        inputs.retain(|input| paths::in_shard(&input.path, index, count));
    }
    let settings = seen::Settings::new(&options.dictionaries);
    let mut sources = match options.fresh {
        true => Sources::none(out)?,
        false => Sources::open(out, &settings)?,
    };
    let kept: Vec<Option<usize>> = inputs.iter().map(|input| sources.knows(input)).collect();
    let mut progress = Progress {
        all_files: inputs.len() as u64,
        all_bytes: inputs.iter().map(|input| input.bytes).sum(),
        ..Progress::default()
    };
    let mut writing = Writing::new(out, settings, sources.generation())?;
    let mut unique = options.unique_to.as_deref().map(Unique::new).transpose()?;
    let jobs: Vec<&Input> =
        inputs.iter().zip(&kept).filter(|(_, kept)| kept.is_none()).map(|(input, _)| input).collect();
    let ended = workers::run(&jobs, options, unique.is_some(), |results| {
        for (input, kept) in inputs.iter().zip(&kept) {
            let mut state = seen::Seen::of(input);
            let mut take = |found: workers::Found| -> Result<(), Error> {
                progress.row(&found.row);
                state.row(&found.row);
                if let Some(unique) = &mut unique {
                    progress.unique += u64::from(unique.take(&found.row, found.code.as_ref())?);
                }
                writing.row(found.row)
            };
            match kept {
                Some(source) => {
                    for row in sources.rows(*source, &input.path)? {
                        take(workers::Found { row, code: None })?;
                    }
                    progress.unchanged += 1;
                    progress.unchanged_bytes += input.bytes;
                }
                None => {
                    while let Some(found) = results.next() {
                        found.into_iter().try_for_each(&mut take)?;
                    }
                }
            }
            writing.seen(state)?;
            progress.files += 1;
            progress.bytes += input.bytes;
            if !watch(&progress) {
                writing.pause()?;
                return Ok(true);
            }
        }
        Ok(false)
    })?;
    if ended {
        return Ok(progress);
    }
    if let Some(unique) = unique {
        unique.finish()?;
    }
    writing.finish()?;
    sources.remove()?;
    watch(&progress);
    Ok(progress)
}

/// The dictionaries that were given, and those that lie among the files under the names that games give them.
pub(crate) fn dictionaries(inputs: &[Input], given: &Dictionaries) -> Dictionaries {
    let mut all = given.clone();
    for input in inputs {
        if !has_dictionaries(&input.path, input.bytes) {
            continue;
        }
        if let Ok(bytes) = content::whole(&input.file, DICTIONARIES) {
            add_dictionaries(&bytes, &mut all);
        }
    }
    all
}

/// Whether a file of so many bytes is one of dictionaries by its name.
pub(crate) fn has_dictionaries(path: &str, bytes: u64) -> bool {
    let name = path.rsplit('/').next().unwrap_or_default();
    (name.starts_with("ZsDic.pack") || name.ends_with(".zsdic")) && bytes <= DICTIONARIES
}

/// Adds the dictionaries in a file, if it has any.
pub(crate) fn add_dictionaries(bytes: &[u8], all: &mut Dictionaries) {
    let found = unshade::wrap::nest::dictionaries(bytes).ok();
    found.into_iter().flat_map(|found| found.0).for_each(|dictionary| all.add(dictionary));
}

/// What one file may unpack, of this much memory, when nothing else runs.
pub(crate) fn for_one_file(memory: u64) -> u64 {
    memory.max(LEAST_MEMORY) / 3
}

/// Files of dictionaries are not longer than this.
const DICTIONARIES: u64 = 16 << 20;

/// Files and folders that belong to a table.
fn own_files(out: &Path, unique: Option<&Path>) -> Vec<PathBuf> {
    let mut own = vec![out.to_owned(), seen::beside(out), writing::parts_of(out)];
    own.extend(unique.map(Path::to_owned));
    own
}
