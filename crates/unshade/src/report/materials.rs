//! The materials of the models in a file: what `pick --material` can be asked for.

use serde::Serialize;
use unshade_containers::bfres;
use unshade_containers::wrap::nest::{Found, Source, Wrapper, walk};

/// A material, and the shaders that it wants.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct MaterialName {
    /// The names of what is around the model's file, and last the material behind its model: what
    /// [`super::pick_material`] takes.
    pub names: Vec<String>,
    /// Name of the archive with its shaders.
    pub archive: String,
    /// Name of the shading model, or of the program with macros.
    pub shading_model: String,
}

/// The materials of all models in a file, as far as `names` choose, at most `most`. Models that cannot be read have none.
pub fn materials<'f>(file: impl Into<Source<'f>>, names: &[String], most: usize) -> Vec<MaterialName> {
    let file = file.into();
    let mut all = Vec::new();
    for found in walk(file, names) {
        let Found::Wrapper { kind: Wrapper::Bfres, chain, piece, names } = found else { continue };
        if !names.is_empty() {
            continue;
        }
        let Ok(models) = bfres::read(piece.bytes(file.bytes)).and_then(|file| file.models()) else {
            continue;
        };
        for model in models {
            for material in &model.materials {
                if all.len() >= most {
                    return all;
                }
                let mut names = chain.labels();
                names.push(format!("{}/{}", model.name, material.name));
                all.push(MaterialName {
                    names,
                    archive: material.archive.clone(),
                    shading_model: material.shading_model.clone(),
                });
            }
        }
    }
    all
}
