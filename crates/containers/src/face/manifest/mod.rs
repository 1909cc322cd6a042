//! A container taken apart into a manifest that a person can read and edit, and one file for each part that
//! is no text; and put together again. Nothing changed gives the same bytes.

pub mod wrappers;
pub(crate) mod zstd;

use super::container::{Container, Format, with_file};
use super::nest::{DEPTH, Wrapper};
use super::scan::{Blob, Piece};
use crate::formats::bfres;
use crate::shared::format::FileFormat;
use crate::shared::parts::{Parts, bad, check_name, parse};
use serde::Deserialize;
use unshade_bytes::{Error, ErrorKind, Result};

impl Parts {
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
        for (name, _) in self.files().filter(|(name, _)| name.rsplit('/').next() == Some(Self::MANIFEST)) {
            let folder = name.strip_suffix(Self::MANIFEST).unwrap_or_default();
            let wanted = self.text(name).and_then(|text| wanted(text, name)).unwrap_or_default();
            missing.extend(wanted.into_iter().map(|file| format!("{folder}{file}")));
        }
        missing.retain(|name| self.file(name).is_err());
        missing.sort_unstable();
        missing.dedup();
        missing
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
        Kind::Format(format) => format.wanted(text)?,
        Kind::Wrapper(Wrapper::Yaz0) => wrappers::wanted_yaz0(text)?,
        Kind::Wrapper(Wrapper::Sarc) => wrappers::wanted_sarc(text)?,
        Kind::Wrapper(Wrapper::Zstd) => zstd::wanted(text)?,
        Kind::Wrapper(Wrapper::Bfres) => bfres::manifest::wanted(text)?,
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
    let manifest = with_file!(container, file => file.extract(&mut parts))?;
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
        Kind::Format(format) => format.build(text, parts),
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
                for (name, bytes) in extract(container)?.files() {
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
        Kind::Wrapper(Wrapper::Sarc) => wrappers::build_sarc(text, parts),
        Kind::Wrapper(Wrapper::Bfres) => bfres::manifest::build(text, parts),
        Kind::Wrapper(kind) => match depth.checked_sub(1) {
            Some(depth) if kind == Wrapper::Zstd => zstd::build(text, parts, depth),
            Some(depth) => wrappers::build_yaz0(text, parts, depth),
            None => Err(bad(Parts::MANIFEST, "fewer wrappers around a file", "one more")),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
