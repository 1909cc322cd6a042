//! A BNSH as a manifest and files: code, control sections and source text by variation and stage.

use super::model::{Bnsh, Language, Object, Role};
use super::raw::STAGES;
use crate::formats::switch::layout::Edit;
use crate::formats::switch::manifest::{self, Manifested, Part};
use crate::shared::parts::{Parts, bad};
use std::collections::BTreeMap;
use unshade_bytes::Result;

pub(crate) use crate::formats::switch::manifest::wanted;

/// Roles of blobs with their names.
const ROLES: [Role; 6] =
    [Role::Control, Role::Part, Role::Code, Role::Source, Role::ProgramObject, Role::PoolObject];

impl Manifested for Object {
    fn part(&self) -> Part<'_> {
        match self {
            Self::Blob(role, bytes) => Part::Blob(role.name(), bytes),
            Self::Unknown(bytes) => Part::Blob("unknown", bytes),
            Self::Raw(bytes) => Part::Blob("record", bytes),
            _ => Part::Fields,
        }
    }

    fn blob(role: &str, bytes: Vec<u8>) -> Option<Self> {
        match role {
            "unknown" => Some(Self::Unknown(bytes.into())),
            "record" => Some(Self::Raw(bytes.into())),
            _ => {
                let role = ROLES.into_iter().find(|known| known.name() == role)?;
                Some(Self::Blob(role, bytes.into()))
            }
        }
    }
}

/// Takes a BNSH apart.
pub(crate) fn extract(file: &Bnsh, parts: &mut Parts) -> Result<String> {
    manifest::extract("bnsh", &file.image, &file.trailing, &names(file), parts)
}

/// Puts a BNSH together.
pub(crate) fn build(text: &str, parts: &Parts) -> Result<Bnsh> {
    let (image, trailing, changed) = manifest::build(text, parts)?;
    let mut file = Bnsh { image, trailing };
    if !changed.is_empty() {
        file.resize(changed)?;
    }
    Ok(file)
}

/// A name for each blob, by the first stage that has it.
fn names(file: &Bnsh) -> BTreeMap<u64, String> {
    let mut names = BTreeMap::new();
    for (index, variation) in file.variations().enumerate() {
        for language in Language::ALL {
            let Some(program) = file.program(variation.program(language)) else { continue };
            for (stage, at) in STAGES.iter().zip(program.stages) {
                if let Some(record) = file.stage_code(at) {
                    names.entry(record.control.0).or_insert_with(|| format!("{index}-{stage}.control.bin"));
                    names.entry(record.code.0).or_insert_with(|| format!("{index}-{stage}.code.bin"));
                }
                if let Some(super::raw::SourceCode::Short { code, .. }) = file.source_code(at) {
                    names.entry(code.0).or_insert_with(|| format!("{index}-{stage}.glsl"));
                }
                let table = file.source_array(at).and_then(|array| file.text_table(array.codes));
                for (part, at) in table.into_iter().flat_map(|table| table.texts.iter().enumerate()) {
                    names.entry(at.0).or_insert_with(|| format!("{index}-{stage}-{part}.glsl"));
                }
            }
        }
    }
    names
}

impl Bnsh {
    /// Gives blobs other lengths; every record that leads to one says the new one.
    fn resize(&mut self, changed: BTreeMap<u64, Vec<u8>>) -> Result<()> {
        let sizes: BTreeMap<u64, u32> =
            changed.iter().map(|(at, bytes)| (*at, u32::try_from(bytes.len()).unwrap_or(u32::MAX))).collect();
        let tables: Vec<(u64, Vec<u64>)> = self
            .image
            .objects
            .values()
            .filter_map(|object| match object {
                Object::TextTable(table) => {
                    Some((table.sizes.0, table.texts.iter().map(|at| at.0).collect()))
                }
                _ => None,
            })
            .collect();
        let mut edit = Edit::new(self.image.clone())?;
        for object in edit.image.objects.values_mut() {
            match object {
                Object::StageCode(stage) => {
                    if let Some(size) = sizes.get(&stage.code.0) {
                        stage.code_size = *size;
                    }
                    if let Some(size) = sizes.get(&stage.control.0) {
                        stage.control_size = *size;
                    }
                }
                Object::SourceCode(super::raw::SourceCode::Short {
                    size, decompressed_size, code, ..
                }) => {
                    if let Some(new) = sizes.get(&code.0) {
                        if decompressed_size == size {
                            *decompressed_size = *new;
                        }
                        *size = *new;
                    }
                }
                Object::Program(program) => {
                    if let Some(size) = sizes.get(&program.object.0) {
                        program.object_size = *size;
                    }
                }
                _ => {}
            }
        }
        for (at, texts) in tables {
            if let Some(Object::Sizes(list)) = edit.image.objects.get_mut(&at) {
                for (size, text) in list.iter_mut().zip(texts) {
                    *size = sizes.get(&text).copied().unwrap_or(*size);
                }
            }
        }
        for (at, bytes) in changed {
            match edit.image.objects.get_mut(&at) {
                Some(Object::Blob(Role::Part | Role::PoolObject, _)) | None => {
                    return Err(bad(
                        "object",
                        "a file of the length that the manifest says",
                        "another length",
                    ));
                }
                Some(Object::Blob(_, known) | Object::Unknown(known) | Object::Raw(known)) => known.0 = bytes,
                Some(_) => {}
            }
        }
        self.finish(edit).map(drop)
    }
}
