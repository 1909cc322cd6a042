//! A BFRES taken apart into its embedded files and the rest, and put together again.

use super::{Bfres, read};
use crate::shared::Parts;
use crate::shared::parts::{bad, parse};
use crate::shared::path::refused;
use serde::Deserialize;
use std::collections::BTreeSet;
use std::fmt::Write;
use unshade_bytes::Result;

/// Name of the folder with the embedded files.
const FILES: &str = "files";

pub(crate) fn extract(models: &Bfres<'_>, folder: &str, parts: &mut Parts) {
    let mut text = "# A BFRES, taken apart: the files that are embedded in it, and `models` with zeros in their places. A file of\n\
                    # another size stays where it is if it fits, and goes behind everything else if it does not.\n\
                    format = \"bfres\"\nmodels = \"models.bin\"\n"
        .to_owned();
    let mut rest = models.bytes.to_vec();
    for file in &models.files {
        if let Some(place) = rest.get_mut(file.range()) {
            place.fill(0);
        }
    }
    // Of a damaged file the table may lie in what it embeds.
    if !read(&rest).is_ok_and(|again| again.files == models.files) {
        rest = models.bytes.to_vec();
    }
    parts.insert(format!("{folder}models.bin"), rest);
    let mut taken = BTreeSet::new();
    for (index, label) in models.labels().iter().enumerate() {
        let manifest =
            label.rsplit('/').next().is_some_and(|last| last.eq_ignore_ascii_case(Parts::MANIFEST));
        let plain = refused(label.as_bytes()).is_none() && !manifest && !label.contains('/');
        let path = match plain && taken.insert(label.to_lowercase()) {
            true => format!("{FILES}/{label}"),
            false => format!("{FILES}/unnamed/{index}.bin"),
        };
        // Names with quotes or backslashes are refused.
        let _ = write!(text, "\n[[file]]\nindex = {index}\nfile = \"{path}\"\n");
        parts.insert(format!("{folder}{path}"), models.file(index).to_vec());
    }
    parts.insert(format!("{folder}{}", Parts::MANIFEST), text);
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Manifest {
    #[serde(rename = "format")]
    _format: String,
    models: String,
    #[serde(default)]
    file: Vec<File>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    index: usize,
    file: String,
}

/// The files that the manifest asks for.
pub(crate) fn wanted(text: &str) -> Result<Vec<String>> {
    let form: Manifest = parse(text, Parts::MANIFEST)?;
    for name in form.file.iter().map(|file| &file.file).chain([&form.models]) {
        if let Some(why) = refused(name.as_bytes()) {
            return Err(bad(
                Parts::MANIFEST,
                format!("a path below the manifest ({why})"),
                format!("`{name}`"),
            ));
        }
    }
    Ok(form.file.into_iter().map(|file| file.file).chain([form.models]).collect())
}

/// The bytes of the file.
pub(crate) fn build(text: &str, parts: &Parts) -> Result<Vec<u8>> {
    let form: Manifest = parse(text, Parts::MANIFEST)?;
    let mut bytes = parts.file(&form.models)?.to_vec();
    // Files of the size that the table says go back to their places first: they may be shared.
    let places: Vec<_> = read(&bytes)?.files.iter().map(|file| file.range()).collect();
    let mut others = Vec::new();
    for file in &form.file {
        let new = parts.file(&file.file)?;
        let place = places.get(file.index).cloned();
        let place = place.ok_or_else(|| {
            let found = file.index.to_string();
            bad(Parts::MANIFEST, format!("an index below {}", places.len()), found)
        })?;
        match bytes.get_mut(place).filter(|place| place.len() == new.len()) {
            Some(place) => place.copy_from_slice(new),
            None => others.push((file.index, new)),
        }
    }
    for (index, new) in others {
        let replaced = read(&bytes)?.replace(index, new)?.bytes;
        bytes = replaced;
    }
    Ok(bytes)
}
