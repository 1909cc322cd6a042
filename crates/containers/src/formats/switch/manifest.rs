//! Files of the Switch's formats taken apart into a manifest of their structures and one file for each blob,
//! and put together again.
//!
//! The manifest lists every structure with its place, in file order; pointers are places. A blob may come back
//! longer or shorter: what follows moves, and everything that leads there.

use super::image::{Image, Object};
use crate::shared::Opaque;
use crate::shared::fields::Form;
use crate::shared::parts::{Parts, bad, check_name, parse};
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use std::collections::BTreeMap;
use unshade_bytes::Result;

/// What a format adds.
pub(crate) trait Manifested: Object + Serialize + DeserializeOwned {
    /// The part of a structure that goes to a file or folder of its own.
    fn part(&self) -> Part<'_>;

    /// A structure of a blob's role and bytes.
    fn blob(role: &str, bytes: Vec<u8>) -> Option<Self>;

    /// A structure of what is in a folder.
    ///
    /// # Errors
    /// As [`crate::shared::parts::build`].
    fn folder(_parts: &Parts) -> Result<Self> {
        Err(bad(Parts::MANIFEST, "a structure without a folder", "one with"))
    }
}

/// How a structure is kept outside of the manifest.
pub(crate) enum Part<'a> {
    /// In the manifest.
    Fields,
    /// As a file.
    Blob(&'static str, &'a [u8]),
    /// As a folder.
    Folder(Result<Parts>),
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Manifest {
    format: String,
    len: u64,
    form: Form,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    trailing: Option<String>,
    #[serde(default)]
    object: Vec<Entry>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    at: u64,
    /// What a blob is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    blob: Option<String>,
    /// File of a blob.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    file: Option<String>,
    /// Bytes that the blob has in the records that lead to it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    size: Option<u64>,
    /// Folder of a file in the file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    folder: Option<String>,
    /// Anything else.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    is: Option<toml::Value>,
}

/// Names of the files that a manifest asks for.
pub(crate) fn wanted(text: &str) -> Result<Vec<String>> {
    let manifest: Manifest = parse(text, Parts::MANIFEST)?;
    let mut names: Vec<String> = manifest.trailing.into_iter().collect();
    for entry in manifest.object {
        names.extend(entry.file);
        if let Some(folder) = entry.folder {
            check_name(&folder)?;
            names.push(format!("{folder}/{}", Parts::MANIFEST));
        }
    }
    for name in &names {
        check_name(name.rsplit('/').next().unwrap_or_default())?;
    }
    Ok(names)
}

/// Takes a file apart. `names` are good names for blobs, by their places.
pub(crate) fn extract<O: Manifested>(
    format: &str,
    image: &Image<O>,
    trailing: &Opaque,
    names: &BTreeMap<u64, String>,
    parts: &mut Parts,
) -> Result<String> {
    let mut manifest = Manifest {
        format: format.to_owned(),
        len: image.len,
        form: image.form,
        trailing: None,
        object: Vec::new(),
    };
    let mut folders = 0_usize;
    for (&at, object) in &image.objects {
        let mut entry = Entry { at, blob: None, file: None, size: None, folder: None, is: None };
        match object.part() {
            Part::Fields => {
                let value = toml::Value::try_from(object);
                entry.is =
                    Some(value.map_err(|error| bad("object", "fields for a manifest", error.to_string()))?);
            }
            Part::Blob(role, bytes) => {
                entry.blob = Some(role.to_owned());
                entry.size = Some(bytes.len() as u64);
                if bytes.iter().any(|&byte| byte != 0) {
                    let name = names.get(&at).cloned().unwrap_or_else(|| format!("{role}-{at:#x}.bin"));
                    parts.insert(name.clone(), bytes);
                    entry.file = Some(name);
                }
            }
            Part::Folder(inner) => {
                let folder = names.get(&at).cloned().unwrap_or_else(|| format!("inner-{folders}"));
                folders = folders.saturating_add(1);
                for (name, bytes) in inner?.files() {
                    parts.insert(format!("{folder}/{name}"), bytes);
                }
                entry.folder = Some(folder);
            }
        }
        manifest.object.push(entry);
    }
    if !trailing.is_empty() {
        parts.insert("trailing.bin", trailing.0.clone());
        manifest.trailing = Some("trailing.bin".to_owned());
    }
    let text = toml::to_string(&manifest).map_err(|error| bad("object", "a manifest", error.to_string()))?;
    Ok(format!(
        "# Every structure by its place. Blobs are files beside this one; one without a file is zeros.\n{text}"
    ))
}

/// A file that was put together, and blobs with other lengths than the records say, by their places.
pub(crate) type Built<O> = (Image<O>, Opaque, BTreeMap<u64, Vec<u8>>);

/// Puts a file together.
pub(crate) fn build<O: Manifested>(text: &str, parts: &Parts) -> Result<Built<O>> {
    wanted(text)?;
    let manifest: Manifest = parse(text, Parts::MANIFEST)?;
    let mut image = Image { form: manifest.form, len: manifest.len, objects: BTreeMap::new() };
    let mut changed = BTreeMap::new();
    for (index, entry) in manifest.object.into_iter().enumerate() {
        let path = format!("object[{index}]");
        let object = match (entry.is, entry.blob, entry.folder) {
            (Some(value), None, None) => value.try_into().map_err(|error: toml::de::Error| {
                bad(path.clone(), "the fields of a structure", error.message())
            })?,
            (None, Some(role), None) => {
                let size = entry.size.ok_or_else(|| bad(path.clone(), "a `size`", "none"))?;
                if size > manifest.len {
                    return Err(bad(path, "a `size` that fits the file", size.to_string()));
                }
                let zeros = vec![0; usize::try_from(size).unwrap_or(0)];
                let mut bytes = match &entry.file {
                    Some(name) => parts.file(name)?.to_vec(),
                    None => zeros,
                };
                if bytes.len() as u64 != size {
                    changed.insert(entry.at, bytes.clone());
                    bytes.resize(usize::try_from(size).unwrap_or(0), 0);
                }
                O::blob(&role, bytes).ok_or_else(|| {
                    bad(path.clone(), "a kind of blob that the format has", format!("`{role}`"))
                })?
            }
            (None, None, Some(folder)) => O::folder(&parts.folder(&folder))?,
            _ => return Err(bad(path, "one of `is`, `blob` and `folder`", "none, or several")),
        };
        if image.objects.insert(entry.at, object).is_some() {
            return Err(bad(path, "a place of its own", format!("{}, which another one has", entry.at)));
        }
    }
    let trailing = match &manifest.trailing {
        Some(name) => Opaque(parts.file(name)?.to_vec()),
        None => Opaque::default(),
    };
    Ok((image, trailing, changed))
}
