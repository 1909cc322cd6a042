//! A BFSHA as a manifest and files: the BNSH of each shading model in a folder of its own.

use super::model::{Bfsha, Object, Role};
use crate::formats::bnsh;
use crate::formats::switch::manifest::{self, Manifested, Part};
use crate::shared::parts::{Parts, bad};
use std::collections::BTreeMap;
use unshade_bytes::Result;

pub(crate) use crate::formats::switch::manifest::wanted;

impl Manifested for Object {
    fn part(&self) -> Part<'_> {
        match self {
            Self::Blob(Role::Defaults, bytes) => Part::Blob("defaults", bytes),
            Self::Blob(Role::Code, bytes) => Part::Blob("code", bytes),
            Self::Unknown(bytes) => Part::Blob("unknown", bytes),
            Self::Raw(bytes) => Part::Blob("record", bytes),
            Self::Bnsh(file) => {
                let mut parts = Parts::default();
                Part::Folder(bnsh::manifest::extract(file, &mut parts).map(|text| {
                    parts.insert(Parts::MANIFEST, text);
                    parts
                }))
            }
            _ => Part::Fields,
        }
    }

    fn blob(role: &str, bytes: Vec<u8>) -> Option<Self> {
        Some(match role {
            "defaults" => Self::Blob(Role::Defaults, bytes.into()),
            "code" => Self::Blob(Role::Code, bytes.into()),
            "unknown" => Self::Unknown(bytes.into()),
            "record" => Self::Raw(bytes.into()),
            _ => return None,
        })
    }

    fn folder(parts: &Parts) -> Result<Self> {
        let text = parts.manifest();
        bnsh::manifest::build(text, parts).map(|file| Self::Bnsh(Box::new(file)))
    }
}

/// Takes a BFSHA apart.
pub(crate) fn extract(file: &Bfsha, parts: &mut Parts) -> Result<String> {
    let mut names = BTreeMap::new();
    for index in 0..file.model_count() {
        if let Some(model) = file.model(index) {
            names.entry(model.bnsh.0).or_insert_with(|| format!("model-{index}"));
        }
    }
    manifest::extract("bfsha", &file.image, &file.trailing, &names, parts)
}

/// Puts a BFSHA together.
pub(crate) fn build(text: &str, parts: &Parts) -> Result<Bfsha> {
    let (image, trailing, changed) = manifest::build(text, parts)?;
    if !changed.is_empty() {
        let expected = "files of the length that the manifest says";
        return Err(bad(Parts::MANIFEST, expected, format!("{} others", changed.len())));
    }
    let mut file = Bfsha { image, trailing };
    file.settle()?;
    Ok(file)
}

impl Bfsha {
    /// Makes room for a BNSH that came back longer than it was.
    fn settle(&mut self) -> Result<()> {
        let mut edit = crate::formats::switch::layout::Edit::new(self.image.clone())?;
        let mut grown = false;
        for (&at, object) in &self.image.objects {
            let Object::Bnsh(file) = object else { continue };
            let next = self.image.objects.range(at.saturating_add(1)..).next();
            let room = next.map_or(self.image.len, |(next, _)| *next).saturating_sub(at);
            if file.len() > room {
                edit.was(at, room);
                grown = true;
            }
        }
        if grown { self.place_all(edit) } else { Ok(()) }
    }
}
