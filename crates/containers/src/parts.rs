//! A container taken apart into a manifest that a person can read and edit, and one file for each part that
//! is no text; and put together again. Nothing changed gives the same bytes.

use crate::{
    Container, Format,
    wrap::{
        manifest,
        nest::{DEPTH, Wrapper},
        scan::{Blob, Piece},
    },
};
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

    /// Parts of which only the manifest is there; [`Parts::missing`] names the others.
    ///
    /// # Errors
    /// [`ErrorKind::BadValue`] when the text is no manifest.
    pub fn from_manifest(text: impl Into<String>) -> Result<Self> {
        let mut parts = Self::default();
        parts.insert(Self::MANIFEST, text.into().into_bytes());
        let text = parts.text(Self::MANIFEST)?;
        kind_of(text, Self::MANIFEST)?;
        Ok(parts)
    }

    /// Names of the files that the manifests here ask for and that are not here. A manifest that is added
    /// may ask for more.
    pub fn missing(&self) -> Vec<String> {
        let mut missing = Vec::new();
        for name in self.files.keys().filter(|name| name.rsplit('/').next() == Some(Self::MANIFEST)) {
            let folder = name.strip_suffix(Self::MANIFEST).unwrap_or_default();
            let wanted = self.text(name).and_then(|text| wanted(text, name)).unwrap_or_default();
            missing.extend(wanted.into_iter().map(|file| format!("{folder}{file}")));
        }
        missing.retain(|name| !self.files.contains_key(name));
        missing.sort_unstable();
        missing.dedup();
        missing
    }

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

    fn text(&self, name: &str) -> Result<&str> {
        std::str::from_utf8(self.file(name)?).map_err(|error| bad(name, "UTF-8", error.to_string()))
    }

    /// The parts in a folder of these parts, by their names there.
    pub(crate) fn folder(&self, folder: &str) -> Self {
        let prefix = format!("{folder}/");
        let inside = self.files.iter().filter_map(|(name, bytes)| Some((name.strip_prefix(&prefix)?, bytes)));
        Self { files: inside.map(|(name, bytes)| (name.to_owned(), bytes.clone())).collect() }
    }
}

/// What every manifest says first.
#[derive(Deserialize)]
struct Head {
    format: String,
    #[serde(default)]
    piece: Vec<PieceEntry>,
}

#[derive(Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
enum PieceEntry {
    Rest(String),
    Container(String),
}

enum Kind {
    Format(Format),
    Blob(Vec<PieceEntry>),
    Wrapper(Wrapper),
}

fn kind_of(text: &str, name: &str) -> Result<Kind> {
    let head: Head = parse(text, name)?;
    if head.format == "blob" {
        for entry in &head.piece {
            let (PieceEntry::Rest(name) | PieceEntry::Container(name)) = entry;
            check_name(name)?;
        }
        return Ok(Kind::Blob(head.piece));
    }
    match head.format.as_str() {
        "yaz0" => return Ok(Kind::Wrapper(Wrapper::Yaz0)),
        "sarc" => return Ok(Kind::Wrapper(Wrapper::Sarc)),
        "zstd" => return Ok(Kind::Wrapper(Wrapper::Zstd)),
        "bfres" => return Ok(Kind::Wrapper(Wrapper::Bfres)),
        _ => {}
    }
    let known = Format::ALL.into_iter().find(|format| format.name() == head.format);
    known.map(Kind::Format).ok_or_else(|| {
        let names: Vec<_> = Format::ALL.iter().map(|format| format.name()).collect();
        let expected = format!("a known format ({}, blob, yaz0, sarc, zstd, bfres)", names.join(", "));
        bad(name, expected, format!("`{}`", head.format))
    })
}

fn wanted(text: &str, name: &str) -> Result<Vec<String>> {
    let names = match kind_of(text, name)? {
        Kind::Format(Format::Shbin) => crate::shbin::manifest::wanted(text)?,
        Kind::Format(Format::Mbs) => crate::mbs::manifest::wanted(text)?,
        Kind::Format(Format::Bnsh) => crate::bnsh::manifest::wanted(text)?,
        Kind::Format(Format::Bfsha) => crate::bfsha::manifest::wanted(text)?,
        Kind::Format(Format::Nvn) => crate::nvn::manifest::wanted_pair(text)?,
        Kind::Format(Format::NvnCode) => crate::nvn::manifest::wanted_code(text)?,
        Kind::Format(Format::Dksh) => crate::nvn::manifest::wanted_dksh(text)?,
        Kind::Format(Format::Gfd) => crate::gfd::manifest::wanted(text)?,
        Kind::Format(Format::Sharcfb) => crate::sharcfb::manifest::wanted(text)?,
        Kind::Format(Format::SharcfbNx) => crate::sharcfb_nx::manifest::wanted(text)?,
        Kind::Format(Format::Sharc) => crate::sharc::manifest::wanted(text)?,
        Kind::Wrapper(Wrapper::Yaz0) => manifest::wanted_yaz0(text)?,
        Kind::Wrapper(Wrapper::Sarc) => manifest::wanted_sarc(text)?,
        Kind::Wrapper(Wrapper::Zstd) => crate::wrap::zstd::manifest::wanted(text)?,
        Kind::Wrapper(Wrapper::Bfres) => crate::bfres::manifest::wanted(text)?,
        Kind::Blob(pieces) => pieces
            .into_iter()
            .map(|piece| match piece {
                PieceEntry::Rest(file) => file,
                PieceEntry::Container(folder) => format!("{folder}/{}", Parts::MANIFEST),
            })
            .collect(),
    };
    Ok(names)
}

/// Takes a container apart.
///
/// # Errors
/// [`ErrorKind::Unrepresentable`] when its model was changed to what no file can hold.
pub fn extract(container: &Container) -> Result<Parts> {
    let mut parts = Parts::default();
    let manifest = match container {
        Container::Shbin(file) => crate::shbin::manifest::extract(file, &mut parts)?,
        Container::Mbs(file) => crate::mbs::manifest::extract(file, &mut parts)?,
        Container::Bnsh(file) => crate::bnsh::manifest::extract(file, &mut parts)?,
        Container::Bfsha(file) => crate::bfsha::manifest::extract(file, &mut parts)?,
        Container::Nvn(file) => crate::nvn::manifest::extract_pair(file, &mut parts)?,
        Container::NvnCode(file) => crate::nvn::manifest::extract_code(file, &mut parts)?,
        Container::Dksh(file) => crate::nvn::manifest::extract_dksh(file, &mut parts)?,
        Container::Gfd(file) => crate::gfd::manifest::extract(file, &mut parts)?,
        Container::Sharcfb(file) => crate::sharcfb::manifest::extract(file, &mut parts)?,
        Container::SharcfbNx(file) => crate::sharcfb_nx::manifest::extract(file, &mut parts)?,
        Container::Sharc(file) => crate::sharc::manifest::extract(file, &mut parts)?,
    };
    parts.insert(Parts::MANIFEST, manifest);
    Ok(parts)
}

/// Puts a container together.
///
/// # Errors
/// [`ErrorKind::BadValue`] where the manifest says what cannot be, or a file is missing;
/// [`ErrorKind::Unsupported`] for the parts of a blob, which [`build_blob`] takes.
pub fn build(parts: &Parts) -> Result<Container> {
    let text = parts.text(Parts::MANIFEST)?;
    match kind_of(text, Parts::MANIFEST)? {
        Kind::Format(Format::Shbin) => crate::shbin::manifest::build(text, parts).map(Container::Shbin),
        Kind::Format(Format::Mbs) => crate::mbs::manifest::build(text, parts).map(Container::Mbs),
        Kind::Format(Format::Bnsh) => crate::bnsh::manifest::build(text, parts).map(Container::Bnsh),
        Kind::Format(Format::Bfsha) => crate::bfsha::manifest::build(text, parts).map(Container::Bfsha),
        Kind::Format(Format::Nvn) => crate::nvn::manifest::build_pair(text, parts).map(Container::Nvn),
        Kind::Format(Format::NvnCode) => {
            crate::nvn::manifest::build_code(text, parts).map(Container::NvnCode)
        }
        Kind::Format(Format::Dksh) => crate::nvn::manifest::build_dksh(text, parts).map(Container::Dksh),
        Kind::Format(Format::Gfd) => crate::gfd::manifest::build(text, parts).map(Container::Gfd),
        Kind::Format(Format::Sharcfb) => crate::sharcfb::manifest::build(text, parts).map(Container::Sharcfb),
        Kind::Format(Format::SharcfbNx) => {
            crate::sharcfb_nx::manifest::build(text, parts).map(Container::SharcfbNx)
        }
        Kind::Format(Format::Sharc) => crate::sharc::manifest::build(text, parts).map(Container::Sharc),
        Kind::Blob(_) => Err(Error::new(
            ErrorKind::Unsupported,
            0,
            Parts::MANIFEST,
            "a single container",
            "a blob with containers in it",
        )
        .code("manifest")),
        Kind::Wrapper(kind) => Err(Error::new(
            ErrorKind::Unsupported,
            0,
            Parts::MANIFEST,
            "a single container",
            format!("a {kind} file around others"),
        )
        .code("manifest")),
    }
}

/// Takes a blob with containers in it apart: each container into a folder of its own.
///
/// # Errors
/// As [`extract`].
pub fn extract_blob(blob: &Blob) -> Result<Parts> {
    let mut parts = Parts::default();
    let mut manifest =
        "# A file with shader containers among other bytes, piece by piece.\nformat = \"blob\"\n\n"
            .to_owned();
    for (index, piece) in blob.pieces.iter().enumerate() {
        match piece {
            Piece::Rest(bytes) => {
                let name = format!("rest-{index}.bin");
                manifest.push_str(&format!("[[piece]]\nrest = \"{name}\"\n"));
                parts.insert(name, bytes.0.clone());
            }
            Piece::Container(container) => {
                let folder = format!("container-{index}");
                manifest.push_str(&format!("[[piece]]\ncontainer = \"{folder}\"\n"));
                for (name, bytes) in extract(container)?.files {
                    parts.insert(format!("{folder}/{name}"), bytes);
                }
            }
        }
    }
    parts.insert(Parts::MANIFEST, manifest);
    Ok(parts)
}

/// Puts a blob together; a single container becomes a blob of one piece.
///
/// # Errors
/// As [`build`].
pub fn build_blob(parts: &Parts) -> Result<Blob> {
    let text = parts.text(Parts::MANIFEST)?;
    let Kind::Blob(entries) = kind_of(text, Parts::MANIFEST)? else {
        return Ok(Blob { pieces: vec![Piece::Container(Box::new(build(parts)?))] });
    };
    let piece = |entry: &PieceEntry| match entry {
        PieceEntry::Rest(name) => Ok(Piece::Rest(parts.file(name)?.to_vec().into())),
        PieceEntry::Container(folder) => Ok(Piece::Container(Box::new(build(&parts.folder(folder))?))),
    };
    Ok(Blob { pieces: entries.iter().map(piece).collect::<Result<_>>()? })
}

/// Puts any file together: a container, a blob, or a wrapper with what is in it.
///
/// # Errors
/// As [`build`].
pub fn build_whole(parts: &Parts) -> Result<Vec<u8>> {
    build_bytes(parts, DEPTH)
}

/// As [`build_whole`], for a file inside of others: at most `depth` wrappers around a file.
pub(crate) fn build_bytes(parts: &Parts, depth: usize) -> Result<Vec<u8>> {
    let text = parts.text(Parts::MANIFEST)?;
    match kind_of(text, Parts::MANIFEST)? {
        Kind::Format(_) => build(parts)?.write(),
        Kind::Blob(_) => build_blob(parts)?.write(),
        Kind::Wrapper(Wrapper::Sarc) => manifest::build_sarc(text, parts),
        Kind::Wrapper(Wrapper::Bfres) => crate::bfres::manifest::build(text, parts),
        Kind::Wrapper(kind) => match depth.checked_sub(1) {
            Some(depth) if kind == Wrapper::Zstd => crate::wrap::zstd::manifest::build(text, parts, depth),
            Some(depth) => manifest::build_yaz0(text, parts, depth),
            None => Err(bad(Parts::MANIFEST, "fewer wrappers around a file", "one more")),
        },
    }
}

/// Reads TOML into what a manifest may say.
pub(crate) fn parse<'t, T: Deserialize<'t>>(text: &'t str, name: &str) -> Result<T> {
    if text.len() as u64 > Limits::DEFAULT.bytes {
        return Err(bad(name, "a manifest of a sensible size", format!("{} bytes", text.len())));
    }
    toml::from_str(text).map_err(|error| Error {
        offset: error.span().map_or(0, |span| span.start as u64),
        ..bad(name, "a manifest", error.message().to_owned())
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
    Error::new(ErrorKind::BadValue, 0, path, expected, found.into()).code("manifest")
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

    #[test]
    fn bad_manifests_say_where() {
        for (text, message) in [
            ("format = 3", "invalid type"),
            ("", "missing field `format`"),
            ("format = \"x\"", "`x`"),
            ("format = \"blob\"\n[[piece]]\nrest = \"../x\"", "`../x`"),
        ] {
            let error = Parts::from_manifest(text).unwrap_err();
            assert!(error.to_string().contains(message), "{error}");
        }
    }
}
