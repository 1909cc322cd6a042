//! The files of a container that was taken apart, and the words that all manifests share.

use serde::Deserialize;
use std::{borrow::Cow, collections::BTreeMap};
use unshade_bytes::{Error, ErrorKind, Limits, Result};

/// The files of a container that was taken apart, by their names in a folder.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Parts {
    files: BTreeMap<String, Vec<u8>>,
}

impl Parts {
    /// Name of the manifest. It is TOML.
    pub const MANIFEST: &'static str = "manifest.toml";

    /// Adds or replaces a file.
    pub fn insert(&mut self, name: impl Into<String>, bytes: impl Into<Vec<u8>>) {
        self.files.insert(name.into(), bytes.into());
    }

    /// The files in order of their names, the manifest among them.
    pub fn files(&self) -> impl Iterator<Item = (&str, &[u8])> {
        self.files.iter().map(|(name, bytes)| (name.as_str(), bytes.as_slice()))
    }

    /// The manifest.
    pub fn manifest(&self) -> &str {
        self.text(Self::MANIFEST).unwrap_or_default()
    }

    /// The bytes of a file that a manifest names.
    ///
    /// # Errors
    /// [`ErrorKind::BadValue`] when the file is not here.
    pub(crate) fn file(&self, name: &str) -> Result<&[u8]> {
        self.files
            .get(name)
            .map(Vec::as_slice)
            .ok_or_else(|| bad(name, "a file of this name beside the manifest", "none"))
    }

    pub(crate) fn text(&self, name: &str) -> Result<&str> {
        std::str::from_utf8(self.file(name)?).map_err(|error| bad(name, "UTF-8", error.to_string()))
    }

    /// The parts in a folder of these parts, by their names there.
    pub(crate) fn folder(&self, folder: &str) -> Self {
        let prefix = format!("{folder}/");
        let inside = self.files.iter().filter_map(|(name, bytes)| Some((name.strip_prefix(&prefix)?, bytes)));
        Self { files: inside.map(|(name, bytes)| (name.to_owned(), bytes.clone())).collect() }
    }
}

/// Reads TOML into what a manifest may say.
pub(crate) fn parse<'t, T: Deserialize<'t>>(text: &'t str, name: &str) -> Result<T> {
    if text.len() as u64 > Limits::DEFAULT.bytes {
        return Err(bad(name, "a manifest of a sensible size", format!("{} bytes", text.len())));
    }
    toml::from_str(text).map_err(|error| {
        let mut refused = bad(name, "a manifest", error.message().to_owned());
        if let Some(span) = error.span() {
            refused.offset = span.start as u64;
            refused.placed = true;
        }
        refused
    })
}

/// Names of files stay inside the folder, on every system.
pub(crate) fn check_name(name: &str) -> Result<()> {
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_');
    if !name.is_empty() && name.chars().all(plain) && !name.starts_with('.') && !name.ends_with('.') {
        return Ok(());
    }
    Err(bad(
        Parts::MANIFEST,
        "a file name of letters, digits, `-`, `_` and `.`",
        format!("`{}`", name.escape_debug()),
    ))
}

pub(crate) fn bad(
    path: impl Into<String>,
    expected: impl Into<Cow<'static, str>>,
    found: impl Into<String>,
) -> Error {
    Error::unplaced(ErrorKind::BadValue, path, expected, found.into()).code("manifest")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_stay_in_the_folder() {
        for name in ["code.bin", "gap-0x1f4.bin", "a_b"] {
            assert!(check_name(name).is_ok(), "{name}");
        }
        for name in ["", "..", ".hidden", "a/b", "a\\b", "/etc", "c:", "x.", "ü", "a\0"] {
            assert_eq!(check_name(name).map_err(|error| error.kind), Err(ErrorKind::BadValue), "{name}");
        }
    }
}
