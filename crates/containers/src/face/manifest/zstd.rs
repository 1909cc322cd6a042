//! A zstd file taken apart into a manifest and its content, and put together again.

use super::build_bytes;
use crate::formats::zstd::{self, Dictionaries, Dictionary, Zstd};
use crate::shared::Parts;
use crate::shared::parts::{bad, check_name, parse};
use serde::Deserialize;
use std::fmt::Write;
use unshade_bytes::Result;

/// Name of the folder, and stem of the file, with the content.
pub(crate) const CONTENT: &str = "content";

pub(crate) fn extract(
    file: &Zstd<'_>,
    known: bool,
    dictionaries: &Dictionaries,
    folder: &str,
    parts: &mut Parts,
) {
    let mut text = "# A zstd file, unpacked. While what is inside stays the same, `frames` is used again; otherwise, or\n\
                    # without that line, it is compressed anew, without a dictionary.\n\
                    format = \"zstd\"\nframes = \"frames.bin\"\n"
        .to_owned();
    parts.insert(format!("{folder}frames.bin"), file.packed.to_vec());
    let wanted = file.dictionaries();
    let wanted = wanted.iter().filter_map(|id| dictionaries.get(*id));
    let names: Vec<_> = wanted
        .map(|dictionary| {
            let name = format!("dictionary-{}.bin", dictionary.id);
            parts.insert(format!("{folder}{name}"), dictionary.bytes.to_vec());
            format!("\"{name}\"")
        })
        .collect();
    if !names.is_empty() {
        let _ = writeln!(text, "dictionaries = [{}]", names.join(", "));
    }
    if !file.tail.is_empty() {
        text.push_str("tail = \"tail.bin\"\n");
        parts.insert(format!("{folder}tail.bin"), file.tail.to_vec());
    }
    if known {
        let _ = writeln!(text, "folder = \"{CONTENT}\"");
    } else {
        let _ = writeln!(text, "file = \"{CONTENT}.bin\"");
        parts.insert(format!("{folder}{CONTENT}.bin"), file.data.clone());
    }
    parts.insert(format!("{folder}{}", Parts::MANIFEST), text);
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Manifest {
    #[serde(rename = "format")]
    _format: String,
    frames: Option<String>,
    #[serde(default)]
    dictionaries: Vec<String>,
    tail: Option<String>,
    folder: Option<String>,
    file: Option<String>,
}

/// The files that the manifest asks for.
pub(crate) fn wanted(text: &str) -> Result<Vec<String>> {
    let form: Manifest = parse(text, Parts::MANIFEST)?;
    let names = [&form.frames, &form.tail, &form.folder, &form.file].into_iter().flatten();
    for name in names.chain(&form.dictionaries) {
        check_name(name)?;
    }
    let folder = form.folder.map(|folder| format!("{folder}/{}", Parts::MANIFEST));
    let files = [form.frames, form.tail, form.file, folder].into_iter().flatten();
    Ok(files.chain(form.dictionaries).collect())
}

/// The bytes of the file.
pub(crate) fn build(text: &str, parts: &Parts, depth: usize) -> Result<Vec<u8>> {
    let form: Manifest = parse(text, Parts::MANIFEST)?;
    let content = match (&form.folder, &form.file) {
        (Some(folder), None) => build_bytes(&parts.folder(folder), depth)?,
        (None, Some(file)) => parts.file(file)?.to_vec(),
        _ => return Err(bad(Parts::MANIFEST, "one of `folder` and `file`", "none or both")),
    };
    let tail = form.tail.as_ref().map_or(Ok(&[][..]), |tail| parts.file(tail))?;
    let mut dictionaries = Dictionaries::default();
    for name in &form.dictionaries {
        dictionaries.add(Dictionary::read(parts.file(name)?)?);
    }
    let empty = || Zstd {
        packed: zstd::encode(&[]).into(),
        frames: Vec::new(),
        tail: Vec::new().into(),
        data: Vec::new(),
    };
    // Frames that do not read say nothing about what is inside.
    let before = match &form.frames {
        Some(frames) => zstd::read(parts.file(frames)?, &dictionaries).ok(),
        None => None,
    };
    let mut file = before.filter(|file| file.tail.is_empty()).unwrap_or_else(empty);
    file.replace(content)?;
    file.tail = tail.into();
    Ok(file.write())
}
