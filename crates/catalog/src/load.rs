//! From a row back to its program.

use crate::{content, row::Row};
use std::{fs::File, path::Path};
use unshade::{MAX_INPUT, Stage, programs};

/// The program that a row is about, read from the file that it names.
///
/// # Errors
/// Why it is not there any more, in words.
pub fn stage(row: &Row) -> Result<Stage<'static>, String> {
    let names: Vec<String> = row.inner.split(':').skip(1).map(str::to_owned).collect();
    let (bytes, names) =
        bytes(Path::new(&row.path), &names).map_err(|error| format!("{}: {error}", row.path))?;
    let found =
        programs(&bytes[..], names, Some(&row.item)).map_err(|error| format!("{}: {error}", row.path))?;
    let stage = found.stages.into_iter().map(|(_, stage)| stage).find(|stage| stage.id.0 == row.item);
    stage.ok_or_else(|| format!("{}: there is no such program any more", row.place()))
}

/// The bytes that names choose from: a whole file, or, of a file that is too long to be opened, what starts at the offset
/// that the first name says.
fn bytes<'n>(path: &Path, names: &'n [String]) -> std::io::Result<(content::Bytes, &'n [String])> {
    let file = File::open(path)?;
    let len = file.metadata()?.len();
    let at = names.first().and_then(|name| u64::from_str_radix(name.strip_prefix("0x")?, 16).ok());
    match at.filter(|at| len > MAX_INPUT && *at < len) {
        Some(at) => {
            let end = at.saturating_add(MAX_INPUT).min(len);
            Ok((content::part(&file, at..end)?, names.get(1..).unwrap_or_default()))
        }
        None => Ok((content::whole(path, MAX_INPUT)?, names)),
    }
}
