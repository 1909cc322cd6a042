//! `pick` in a shading model: the programs that were compiled for the options that are wanted.

use super::pick::{MacroValue, PickError, PickedStage, failed};
use serde::Serialize;
use unshade_containers::bfsha::{
    index::{Index, IndexedModel, ModelRecord},
    options::OptionTable,
    pick::{Difference, Picker, Query},
};

/// The programs of a shading model that fit the options that were asked for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ModelPick {
    /// What stands behind `FILE` to name the shading model.
    pub model: String,
    /// How many programs it has altogether.
    pub programs: u64,
    /// Options that nobody gave a value, with the default that was taken.
    pub defaults: Vec<MacroValue>,
    /// Options of which every choice was taken.
    pub any: Vec<String>,
    /// The programs that fit, in rising order.
    pub picked: Vec<ModelProgram>,
    /// Where none fits: those that differ in the fewest options.
    pub nearest: Vec<ModelProgram>,
    /// The program that the console takes where none fits.
    pub fallback: Option<u64>,
}

/// A program of a shading model.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ModelProgram {
    /// Its index.
    pub program: u64,
    /// Index of the variation of the model's BNSH with its shaders; not on the Wii U.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub variation: Option<u64>,
    /// Its shaders.
    pub stages: Vec<PickedStage>,
    /// What it was compiled for: the choice of every option.
    pub values: Vec<MacroValue>,
    /// Options that are otherwise than was asked for.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub differences: Vec<OptionDifference>,
}

/// An option whose choice is another one than was asked for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct OptionDifference {
    /// The option.
    pub name: String,
    /// Whether materials say its value.
    pub is_static: bool,
    /// What was asked for.
    pub wanted: String,
    /// What the program was compiled for.
    pub found: String,
}

pub(super) fn of_model(
    item: String,
    archive: &Index<'_>,
    model: &IndexedModel<'_>,
    given: &[(&str, &str)],
) -> Result<ModelPick, PickError> {
    let table = archive.options(model).map_err(failed)?;
    let query = query(&table, given)?;
    let found = Picker::new(&table).pick(&query);
    let said = |name: &str| given.iter().any(|(known, _)| *known == name);
    let default = |option: &unshade_containers::bfsha::options::ShaderOption| MacroValue {
        name: option.name.clone(),
        value: usize::try_from(option.default)
            .ok()
            .and_then(|index| option.choices.get(index).cloned())
            .unwrap_or_else(|| format!("#{}", option.default)),
    };
    Ok(ModelPick {
        programs: table.programs as u64,
        defaults: table.options.iter().filter(|option| !said(&option.name)).map(default).collect(),
        any: given.iter().filter(|(_, value)| *value == "*").map(|(name, _)| (*name).to_owned()).collect(),
        picked: found
            .programs
            .iter()
            .map(|index| program(&item, archive, model, &table, *index, &[]))
            .collect(),
        nearest: found
            .nearest
            .iter()
            .map(|near| program(&item, archive, model, &table, near.program, &near.differences))
            .collect(),
        fallback: found.fallback.map(|program| program as u64),
        model: item,
    })
}

/// What is asked of the options.
pub(super) fn query(table: &OptionTable, given: &[(&str, &str)]) -> Result<Query, PickError> {
    let mut query = Query::default();
    let mut seen = std::collections::BTreeSet::new();
    for (name, value) in given {
        if !seen.insert(*name) {
            return Err(PickError::Twice((*name).to_owned()));
        }
        let Some(option) = table.option(name) else {
            let known = table.options.iter().map(|option| option.name.clone()).collect();
            return Err(PickError::Option { wanted: (*name).to_owned(), known });
        };
        query.want(table, name, value).map_err(|_| PickError::Choice {
            name: option.name.clone(),
            wanted: (*value).to_owned(),
            known: option.choices.clone(),
        })?;
    }
    Ok(query)
}

/// A program with its shaders and what it was compiled for.
pub(super) fn program(
    item: &str,
    archive: &Index<'_>,
    model: &IndexedModel<'_>,
    table: &OptionTable,
    program: usize,
    differences: &[Difference],
) -> ModelProgram {
    let variation = match &model.record {
        ModelRecord::Switch(record) => archive.bnsh(record).ok().and_then(|shaders| {
            let found = archive.program(record, program).ok()?;
            archive.variation(record, &shaders, &found).ok()
        }),
        ModelRecord::WiiU(_) => None,
    };
    let stages = archive.stage_names(model, None, program).unwrap_or_default();
    ModelProgram {
        program: program as u64,
        variation: variation.map(u64::from),
        stages: stages
            .into_iter()
            .map(|kind| PickedStage { item: format!("{item}/{program}/{kind}"), binary: None })
            .collect(),
        values: table
            .choices(program)
            .into_iter()
            .map(|(name, value)| MacroValue { name: name.to_owned(), value })
            .collect(),
        differences: differences.iter().map(|difference| of_option(table, difference)).collect(),
    }
}

fn of_option(table: &OptionTable, difference: &Difference) -> OptionDifference {
    OptionDifference {
        name: difference.option.clone(),
        is_static: table.option(&difference.option).is_some_and(|option| option.is_static),
        wanted: difference.wanted.clone(),
        found: difference.found.clone(),
    }
}
