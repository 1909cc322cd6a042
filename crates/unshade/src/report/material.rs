//! `pick --material`: the programs that serve a material.

use super::{
    model_pick::{self, OptionDifference},
    pick::{self, MacroValue, PickError, PickReport, PickedStage, failed},
};
use crate::{UnknownName, WithinError, archives, archives::ShaderArchive};
use serde::Serialize;
use std::collections::BTreeMap;
use unshade_bytes::{Error, ErrorKind};
use unshade_containers::{
    bfres::{
        self, Bfres, Material, Model,
        material::Parameter,
        select::{Candidate, Grade, Outcome, Selection, Setting, select, settings},
    },
    bfsha::{
        index::{Index, IndexedModel},
        lazy::{BoundResource, no_model},
        options::OptionTable,
    },
    opaque::escape,
    wrap::nest::{Found, Source, Wrapper, walk},
};

/// Programs with all their bindings are shown up to this many for each number of bones.
const SHOWN: usize = 16;

/// The programs that serve a material.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct MaterialPick {
    /// The material, behind its model: `demo/Mt_A`.
    pub material: String,
    /// The archive in which its shaders were looked for.
    pub archive: ArchiveChoice,
    /// What stands behind the archive's file to name the shading model, or the program with macros.
    pub model: String,
    /// How many programs, or variations, that has.
    pub programs: u64,
    /// `exact`, `relaxed` or `none`: the worst of `skins`.
    pub grade: String,
    /// Values of the material that the archive does not have.
    pub unknown: Vec<UnknownValue>,
    /// For each number of bones that shapes with the material have.
    pub skins: Vec<MaterialSkin>,
    /// In an archive with macros: the variations.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub macros: Option<PickReport>,
}

/// The archive in which a material's shaders were looked for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ArchiveChoice {
    /// What stands behind `FILE`, where it is a file inside.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub inner: Option<String>,
    /// Its name.
    pub name: String,
    /// The name that the material says.
    pub wanted: String,
    /// Why it was taken: `name`, `file name`, `only one`.
    pub by: String,
    /// Whether it lies in the model's file, as none in the other has the name that the material says.
    pub in_models: bool,
}

/// A value of a material that the archive does not have.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct UnknownValue {
    /// The option.
    pub name: String,
    /// The value.
    pub value: String,
    /// The choices that there are; none where there is no such option.
    pub choices: Option<Vec<String>>,
}

/// What was found for shapes with one number of bones.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct MaterialSkin {
    /// Bones of a vertex; none where no shape has the material.
    pub skin: Option<u8>,
    /// The shapes.
    pub shapes: Vec<String>,
    /// `exact`, `relaxed` or `none`.
    pub grade: String,
    /// What every option was wanted to be.
    pub wanted: Vec<WantedValue>,
    /// How many programs were found.
    pub found: u64,
    /// They, or the nearest; of many the first.
    pub programs: Vec<MaterialProgram>,
    /// The program that the console takes where none fits.
    pub fallback: Option<u64>,
}

/// An option with the value that was wanted.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct WantedValue {
    /// The option.
    pub name: String,
    /// The value; `*` for any.
    pub value: String,
    /// Where it comes from: `material`, `render info`, `render state`, `shape`, `pass`, `game`, `given`, `default`.
    pub from: String,
}

/// A program with what it binds.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct MaterialProgram {
    /// Its index.
    pub program: u64,
    /// The pass that it is for.
    pub pass: Option<String>,
    /// Index of the variation of the model's BNSH with its shaders; not on the Wii U.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub variation: Option<u64>,
    /// Its shaders.
    pub stages: Vec<PickedStage>,
    /// What it was compiled for.
    pub values: Vec<MacroValue>,
    /// Options that are otherwise than was wanted.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub differences: Vec<OptionDifference>,
    /// Attributes that it uses.
    pub attributes: Vec<AttributeSlot>,
    /// Samplers.
    pub samplers: Vec<SamplerSlots>,
    /// Uniform and storage blocks.
    pub blocks: Vec<ResourceSlots>,
    /// Parameters of the material that the program has a variable for.
    pub parameters: Vec<ParameterPlace>,
}

/// A vertex attribute of a program.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct AttributeSlot {
    /// Its name in the shading model.
    pub name: String,
    /// Its location in the vertex program.
    pub location: i8,
    /// The attribute of the vertices that the material binds to it.
    pub vertex_attribute: Option<String>,
}

/// A block of a program.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ResourceSlots {
    /// Its name in the shading model.
    pub name: String,
    /// Its slot in each stage that uses it.
    pub slots: BTreeMap<String, i32>,
}

/// A sampler of a program.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SamplerSlots {
    /// Its name in the shading model.
    pub name: String,
    /// Its slot in each stage that uses it.
    pub slots: BTreeMap<String, i32>,
    /// The sampler of the material that is bound to it.
    pub sampler: Option<String>,
    /// The texture of that.
    pub texture: Option<String>,
}

/// A parameter of a material.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ParameterPlace {
    /// Its name, which is that of a variable of the material's block.
    pub name: String,
    /// Where the variable is in the block, in bytes.
    pub offset: u16,
    /// Where the value is in the material's data, in bytes.
    pub source: u32,
}

/// The programs that serve the material that `material_names` choose in a model file: the names of wrappers on the way,
/// and that of the material, perhaps behind that of its model (`demo/Mt_A`). Its archive is looked for in `file`, as far
/// as `names` go, and then in the model file. `group` is another shading model than the material's, `given` are values
/// that count more than the material's.
///
/// # Errors
///
/// Where there is no such material, archive or shading model, and where `given` has what the model does not have.
pub fn pick_material<'f, 'm>(
    file: impl Into<Source<'f>>,
    names: &[String],
    group: Option<&str>,
    (models, material_names): (impl Into<Source<'m>>, &[String]),
    given: &[(&str, &str)],
) -> Result<MaterialPick, PickError> {
    let models = models.into();
    let (place, model, index) = material(models, material_names)?;
    let found = model.materials.get(index).ok_or_else(|| unknown_material(material_names, Vec::new()))?;
    let (mut candidates, mut in_models) = (Vec::new(), false);
    let first = collect(file.into(), names, found, &mut candidates);
    if !candidates.iter().any(|candidate| candidate.by == By::Name) && first.is_ok() || candidates.is_empty()
    {
        // The file that the model brings along.
        let mut own = Vec::new();
        let _ = collect(models, place.get(..place.len()).unwrap_or_default(), found, &mut own);
        own.retain(|candidate| candidate.by == By::Name);
        if !own.is_empty() {
            candidates = own;
            in_models = true;
        }
    }
    if candidates.is_empty() {
        first?;
    }
    candidates.sort_by_key(|candidate| candidate.by);
    let best = candidates.first().map(|candidate| candidate.by);
    let several = candidates.iter().filter(|candidate| Some(candidate.by) == best).count() > 1;
    let known: Vec<String> = candidates.iter().map(|candidate| candidate.name.clone()).collect();
    let Some(chosen) = candidates.into_iter().next().filter(|found| !several || found.by == By::Name) else {
        let expected = format!("the archive `{}`, which the material names", found.archive);
        let error =
            Error::new(ErrorKind::BadValue, 0, "", expected, known.join(", ")).code("pick.no-archive");
        return Err(failed(error).into());
    };
    let archive = ArchiveChoice {
        inner: chosen.inner.clone(),
        name: chosen.name.clone(),
        wanted: found.archive.clone(),
        by: chosen.by.text().to_owned(),
        in_models,
    };
    let wanted = group.unwrap_or(&found.shading_model);
    let front = chosen.inner.map(|inner| format!(":{inner}")).unwrap_or_default();
    let work = Work { front, model: &model, material: index, archive, wanted, given };
    // The bytes of the archive may have been unpacked on the way.
    match chosen.kind {
        Kind::Models => work.in_models(&Index::open(&chosen.bytes).map_err(failed)?),
        Kind::Macros => match ShaderArchive::open(&chosen.bytes) {
            Some(archive) => work.in_macros(&archive.map_err(failed)?),
            // It was one when it was chosen.
            None => Err(UnknownName { wanted: chosen.name, known: Vec::new() }.into()),
        },
    }
}

/// How an archive was found, the best way first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum By {
    Name,
    FileName,
    OnlyOne,
}

impl By {
    fn text(self) -> &'static str {
        match self {
            Self::Name => "name",
            Self::FileName => "file name",
            Self::OnlyOne => "only one",
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Models,
    Macros,
}

/// An archive that a material's shaders may be in.
struct Chosen {
    inner: Option<String>,
    name: String,
    by: By,
    kind: Kind,
    bytes: Vec<u8>,
}

/// The archives of a file, each with how well it fits the material.
fn collect(
    source: Source<'_>,
    names: &[String],
    material: &Material,
    out: &mut Vec<Chosen>,
) -> Result<(), PickError> {
    archives::each_archive(source, names, |inner, archive| {
        let written: Vec<u8>;
        let (name, kind, bytes) = match archive {
            ShaderArchive::Models(index) => (escape(index.name), Kind::Models, index.file),
            ShaderArchive::Macros(archive) => (escape(archive.name()), Kind::Macros, archive.bytes()),
            ShaderArchive::Switch(archive) => {
                written = archive.write().unwrap_or_default();
                (escape(archive.name()), Kind::Macros, written.as_slice())
            }
            // No material is drawn with a text.
            ShaderArchive::Sources(_) => return Ok(()),
        };
        let file_name = inner.as_deref().and_then(|inner| inner.rsplit(['/', ':']).next());
        let stem = file_name.and_then(|name| name.split('.').next());
        let by = match name == material.archive {
            true => By::Name,
            false if stem == Some(material.archive.as_str()) => By::FileName,
            false => By::OnlyOne,
        };
        // Of thousands of archives those that do not fit are not kept.
        if by != By::OnlyOne || out.len() < 8 {
            out.push(Chosen { inner, name, by, kind, bytes: bytes.to_vec() });
        }
        Ok(())
    })?;
    Ok(())
}

/// A material with its model; the names of what is around its file.
fn material(source: Source<'_>, names: &[String]) -> Result<(Vec<String>, Model, usize), PickError> {
    let mut known = Vec::new();
    for split in (0..names.len()).rev() {
        let (around, wanted) = names.split_at(split);
        let wanted = wanted.join(":");
        for found in walk(source, around) {
            let (chain, piece) = match found {
                Found::Wrapper { kind: Wrapper::Bfres, names, chain, piece } if names.is_empty() => {
                    (chain, piece)
                }
                Found::Wrapper { .. } | Found::File { .. } => continue,
                Found::Failed { chain, error } if known.is_empty() && split + 1 == names.len() => {
                    return Err(WithinError::new(chain, error).into());
                }
                Found::Failed { .. } | Found::Unknown { .. } => break,
            };
            let failed = |error| WithinError::new(chain.clone(), error);
            let file: Bfres<'_> = bfres::read(piece.bytes(source.bytes)).map_err(failed)?;
            let models = file.models().map_err(failed)?;
            let full = |model: &Model, material: &Material| format!("{}/{}", model.name, material.name);
            for model in models {
                let by_name =
                    |material: &Material| material.name == wanted || full(&model, material) == wanted;
                if let Some(index) = model.materials.iter().position(by_name) {
                    return Ok((around.to_vec(), model, index));
                }
                known.extend(model.materials.iter().map(|material| full(&model, material)));
            }
        }
    }
    Err(unknown_material(names, known))
}

fn unknown_material(names: &[String], known: Vec<String>) -> PickError {
    let wanted = names.last().cloned().unwrap_or_default();
    if known.is_empty() {
        let expected = "a model file and the name of a material in it: --material model.bfres:NAME";
        let found =
            if names.is_empty() { "no name".to_owned() } else { format!("`{wanted}`, no model file") };
        let error = Error::new(ErrorKind::BadValue, 0, "", expected, found).code("pick.no-material");
        return failed(error).into();
    }
    UnknownName { wanted: format!("material `{wanted}`"), known }.into()
}

/// A material and where its programs are looked for.
struct Work<'w> {
    /// What stands between the archive's file and `#`.
    front: String,
    model: &'w Model,
    material: usize,
    archive: ArchiveChoice,
    wanted: &'w str,
    given: &'w [(&'w str, &'w str)],
}

impl Work<'_> {
    fn name(&self) -> String {
        let name = self.model.materials.get(self.material).map(|material| material.name.as_str());
        format!("{}/{}", self.model.name, name.unwrap_or_default())
    }

    fn in_models(self, archive: &Index<'_>) -> Result<MaterialPick, PickError> {
        let known = || archive.models.iter().map(|model| escape(model.name)).collect::<Vec<_>>();
        let model =
            archive.model_named(self.wanted).ok_or_else(|| failed(no_model(self.wanted, &known())))?;
        let table = archive.options(model).map_err(failed)?;
        // Says best what is wrong with them.
        model_pick::query(&table, self.given)?;
        let selection: Selection = select(&table, self.model, self.material, self.given).map_err(failed)?;
        let item = format!("{}#{}", self.front, escape(model.name));
        let mut skins = Vec::new();
        for outcome in &selection.outcomes {
            skins.push(self.skin(&item, archive, model, &table, outcome)?);
        }
        Ok(MaterialPick {
            material: self.name(),
            model: item,
            programs: table.programs as u64,
            grade: selection.grade().name().to_owned(),
            unknown: selection
                .unknown
                .into_iter()
                .map(|value| UnknownValue { name: value.option, value: value.value, choices: value.choices })
                .collect(),
            skins,
            macros: None,
            archive: self.archive,
        })
    }

    fn skin(
        &self,
        item: &str,
        archive: &Index<'_>,
        model: &IndexedModel<'_>,
        table: &OptionTable,
        outcome: &Outcome,
    ) -> Result<MaterialSkin, PickError> {
        let mut programs = Vec::new();
        for candidate in outcome.candidates.iter().take(SHOWN) {
            programs.push(self.program(item, archive, model, table, candidate)?);
        }
        Ok(MaterialSkin {
            skin: outcome.skin,
            shapes: outcome.shapes.clone(),
            grade: outcome.grade.name().to_owned(),
            wanted: outcome
                .wanted
                .iter()
                .map(|wanted| WantedValue {
                    name: wanted.option.clone(),
                    value: wanted.value.clone(),
                    from: wanted.origin.name().to_owned(),
                })
                .collect(),
            found: if outcome.grade == Grade::None { 0 } else { outcome.candidates.len() as u64 },
            programs,
            fallback: outcome.fallback.map(|program| program as u64),
        })
    }

    fn program(
        &self,
        item: &str,
        archive: &Index<'_>,
        model: &IndexedModel<'_>,
        table: &OptionTable,
        candidate: &Candidate,
    ) -> Result<MaterialProgram, PickError> {
        let plain =
            model_pick::program(item, archive, model, table, candidate.program, &candidate.differences);
        let bindings = archive.bindings(model, candidate.program).map_err(failed)?;
        let material = self.model.materials.get(self.material);
        let (attributes, samplers, parameters) = match material {
            Some(found) => (&found.attributes[..], &found.samplers[..], &found.parameters[..]),
            None => Default::default(),
        };
        let assigned = |pairs: &[(String, String)], name: &str| {
            pairs.iter().find(|(known, _)| known == name).map(|(_, value)| value.clone())
        };
        let sampler = |resource: &BoundResource| {
            let sampler = assigned(samplers, &resource.name).filter(|name| !name.is_empty());
            let texture = sampler.as_deref().and_then(|sampler| material?.texture(sampler));
            SamplerSlots {
                name: resource.name.clone(),
                slots: resource.slots.iter().cloned().collect(),
                texture: texture.map(str::to_owned),
                sampler,
            }
        };
        let block = |resource: &BoundResource| ResourceSlots {
            name: resource.name.clone(),
            slots: resource.slots.iter().cloned().collect(),
        };
        let place = |parameter: &Parameter| {
            let variable = bindings.variables.iter().find(|(name, _)| *name == parameter.name)?;
            Some(ParameterPlace {
                name: parameter.name.clone(),
                offset: variable.1,
                source: parameter.offset,
            })
        };
        let used = |resource: &&BoundResource| !resource.slots.is_empty();
        Ok(MaterialProgram {
            program: plain.program,
            pass: candidate.pass.clone(),
            variation: plain.variation,
            stages: plain.stages,
            values: plain.values,
            differences: plain.differences,
            attributes: bindings
                .attributes
                .iter()
                .filter(|attribute| attribute.used)
                .map(|attribute| AttributeSlot {
                    name: attribute.name.clone(),
                    location: attribute.location,
                    vertex_attribute: assigned(attributes, &attribute.name),
                })
                .collect(),
            samplers: bindings.samplers.iter().filter(used).map(sampler).collect(),
            blocks: bindings
                .uniform_blocks
                .iter()
                .chain(&bindings.storage_blocks)
                .filter(used)
                .map(block)
                .collect(),
            parameters: parameters.iter().filter_map(place).collect(),
        })
    }

    /// An archive with macros has a variation for every combination of values that it knows.
    fn in_macros(self, archive: &ShaderArchive<'_>) -> Result<MaterialPick, PickError> {
        let programs = archive.programs().map_err(failed)?;
        let known: Vec<String> = programs.iter().map(|(name, _)| name.clone()).collect();
        let found = programs.iter().find(|(name, _)| name == self.wanted);
        let (name, program) = found.ok_or_else(|| failed(no_model(self.wanted, &known)))?;
        let list = program.macro_list().map_err(failed)?;
        let mut values: BTreeMap<String, String> = BTreeMap::new();
        let mut unknown = Vec::new();
        let material = self.model.materials.get(self.material);
        for option in material.map(|found| &found.options[..]).unwrap_or_default() {
            let name = option.name.clone().unwrap_or_else(|| format!("#{}", option.position));
            let known = list.macros.iter().find(|known| known.name == name.as_bytes());
            let known = known.or_else(|| list.macros.iter().find(|known| known.id == name.as_bytes()));
            let Some(known) = known else {
                unknown.push(UnknownValue { name, value: option.value.to_string(), choices: None });
                continue;
            };
            let has = |value: &str| known.values.contains(&value.as_bytes());
            let value = option.value.among(has);
            if option.value.is_default() {
                continue;
            }
            if has(&value) {
                values.insert(name, value);
            } else {
                let choices = known.values.iter().map(|value| escape(value)).collect();
                unknown.push(UnknownValue { name, value, choices: Some(choices) });
            }
        }
        let decided = material.map(|material| {
            settings(material, |option| {
                let known = list.macros.iter().find(|known| known.name == option.as_bytes());
                let known = known.filter(|_| !values.contains_key(option))?;
                Some(known.values.iter().map(|value| escape(value)).collect())
            })
        });
        for Setting { option, value, choices, .. } in decided.unwrap_or_default() {
            if choices.contains(&value) {
                values.insert(option.to_owned(), value);
            } else {
                unknown.push(UnknownValue { name: option.to_owned(), value, choices: Some(choices) });
            }
        }
        for (name, value) in self.given {
            values.insert((*name).to_owned(), (*value).to_owned());
        }
        let given: Vec<(&str, &str)> = values.iter().map(|(name, value)| (&**name, &**value)).collect();
        let item = format!("{}#{name}", self.front);
        let report = pick::of_program(item.clone(), program, &given)?;
        let shaders = report.picked.iter().any(|picked| !picked.stages.is_empty());
        let grade = if shaders { Grade::Exact } else { Grade::None };
        Ok(MaterialPick {
            material: self.name(),
            model: item,
            programs: report.variations,
            grade: grade.name().to_owned(),
            unknown,
            skins: Vec::new(),
            macros: Some(report),
            archive: self.archive,
        })
    }
}
