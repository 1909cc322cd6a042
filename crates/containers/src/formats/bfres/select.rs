//! From a material to the programs of a shading model.
//!
//! A material says the values of static options. The renderer of a game adds others: some follow from the material's
//! settings, the number of bones from the shape, and the pass of the renderer decides one more. What no rule gives
//! has its default. So one material has a program for each pass and each number of bones, and where there is none
//! for exactly these values, the ones that differ least tell why.

use super::material::{DEFAULT_VALUE, Material, Model};
use crate::formats::bfsha::options::OptionTable;
use crate::formats::bfsha::pick::{Difference, Near, Picker, Query};
use std::collections::BTreeMap;
use unshade_bytes::{Error, ErrorKind, Result};

/// Where the value of an option comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum Origin {
    /// Somebody said it.
    Given,
    /// The shader assign of the material.
    Material,
    /// A setting of the material.
    RenderInfo,
    /// The render state of the material, where no setting says otherwise (Wii U).
    RenderState,
    /// How many bones the shape has.
    Skin,
    /// The pass of the renderer.
    Pass,
    /// What games set it to for all materials.
    Game,
    /// Nothing else said anything.
    Default,
}

impl Origin {
    /// Its name in words: `render info`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Given => "given",
            Self::Material => "material",
            Self::RenderInfo => "render info",
            Self::RenderState => "render state",
            Self::Skin => "shape",
            Self::Pass => "pass",
            Self::Game => "game",
            Self::Default => "default",
        }
    }
}

/// A value that an archive cannot take.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Unknown {
    /// The option; its index with a number sign where its name is not known.
    pub option: String,
    /// The value.
    pub value: String,
    /// The choices that the option has; none where there is no such option.
    pub choices: Option<Vec<String>>,
}

/// How well a program serves a material.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum Grade {
    /// It was compiled for exactly these values.
    Exact,
    /// It differs only in options that settings of the material or the renderer decide.
    Relaxed,
    /// There is no program; the ones that were found are the nearest.
    None,
}

impl Grade {
    /// `exact`, `relaxed`, `none`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Exact => "exact",
            Self::Relaxed => "relaxed",
            Self::None => "none",
        }
    }
}

/// A program for a material.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Candidate {
    /// Its index.
    pub program: usize,
    /// The choice of the option that says the pass, where the model has one.
    pub pass: Option<String>,
    /// Options that are otherwise than was wanted; none for an exact one.
    pub differences: Vec<Difference>,
}

/// What was found for shapes with one number of bones.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Outcome {
    /// Bones of a vertex; `None` where no shape has the material.
    pub skin: Option<u8>,
    /// The shapes.
    pub shapes: Vec<String>,
    /// How good the programs are.
    pub grade: Grade,
    /// The programs: one for each pass that has one, or else those that come near.
    pub candidates: Vec<Candidate>,
    /// The program that the console takes where none fits.
    pub fallback: Option<usize>,
    /// What every option was wanted to be, in the order of the model.
    pub wanted: Vec<Wanted>,
}

/// An option with the value that was wanted.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Wanted {
    /// The option.
    pub option: String,
    /// The choice; `*` for any.
    pub value: String,
    /// Where it comes from.
    pub origin: Origin,
}

/// What was found for a material.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Selection {
    /// For each number of bones.
    pub outcomes: Vec<Outcome>,
    /// Values that the archive cannot take, so that the defaults of their options were taken.
    pub unknown: Vec<Unknown>,
}

impl Selection {
    /// The worst of all grades.
    pub fn grade(&self) -> Grade {
        self.outcomes.iter().map(|outcome| outcome.grade).max().unwrap_or(Grade::None)
    }
}

/// Options that the pass of the renderer decides; the first that a model has.
const PASSES: [&str; 2] = ["gsys_assign_type", "Shader_Path"];

/// Options that the number of bones decides.
const SKINS: [&str; 2] = ["gsys_weight", "cSkinWeightNum"];

/// Options that games set to 0 for usual materials.
const GAME: [&str; 10] = [
    "system_id",
    "gsys_index_stream_format",
    "material_lod_level",
    "is_output_motion_vec",
    "enable_add_stain_proc_texture_3d",
    "enable_compose_capture",
    "enable_compose_footprint",
    "enable_parallax_cubemap",
    "compose_prog_texture0",
    "blitz_ink_type",
];

/// Words of a setting and the choices that they stand for.
type Words = &'static [(&'static str, &'static str)];

const MODES: Words = &[("opaque", "0"), ("mask", "1"), ("translucent", "2"), ("custom", "3")];
const TESTS: Words = &[
    ("never", "0"),
    ("less", "1"),
    ("equal", "2"),
    ("lequal", "3"),
    ("greater", "4"),
    ("nequal", "5"),
    ("gequal", "6"),
    ("always", "7"),
];
const FACES: Words = &[("both", "0"), ("front", "1"), ("back", "2"), ("none", "3")];
const DRAWN: Words = &[("no_setting", "0"), ("seal", "1"), ("xlu_water", "2"), ("reduced_buffer", "3")];
const SWITCHED: Words = &[("false", "0"), ("true", "1")];

/// Option, setting, words.
const SETTINGS: [(&str, &str, Words); 5] = [
    ("gsys_renderstate", "gsys_render_state_mode", MODES),
    ("gsys_alpha_test_enable", "gsys_alpha_test_enable", SWITCHED),
    ("gsys_alpha_test_func", "gsys_alpha_test_func", TESTS),
    ("gsys_display_face_type", "gsys_render_state_display_face", FACES),
    ("gsys_pass", "gsys_pass", DRAWN),
];

/// The programs of a shading model that serve a material, for each number of bones that its shapes have and for each
/// pass. `given` are values that somebody wants otherwise: they count more than everything else, and `*` stands for
/// any.
///
/// # Errors
/// [`ErrorKind::BadValue`] for one of `given` that the model does not have.
pub fn select(
    table: &OptionTable,
    model: &Model,
    material: usize,
    given: &[(&str, &str)],
) -> Result<Selection> {
    let found = model.materials.get(material).ok_or_else(|| {
        let expected = format!("one of {} materials", model.materials.len());
        Error::new(ErrorKind::OutOfBounds, 0, "materials", expected, material.to_string())
            .code("bfres.no-material")
    })?;
    let mut unknown = Vec::new();
    let mut values = of_material(table, found, &mut unknown);
    for (name, value) in given {
        // What a question may say is what `pick` may be asked.
        Query::new(table, [(*name, *value)])?;
        values.insert((*name).to_owned(), ((*value).to_owned(), Origin::Given));
    }
    let mut skins: BTreeMap<Option<u8>, Vec<String>> = BTreeMap::new();
    for shape in model.shapes_of(material) {
        skins.entry(Some(shape.skin)).or_default().push(shape.name.clone());
    }
    if skins.is_empty() {
        skins.insert(None, Vec::new());
    }
    let picker = Picker::new(table);
    let mut outcomes = Vec::new();
    for (skin, shapes) in skins {
        let mut values = values.clone();
        skinned(table, skin, &mut values, &mut unknown);
        outcomes.push(outcome(table, &picker, &values, skin, shapes)?);
    }
    unknown.dedup();
    Ok(Selection { outcomes, unknown })
}

/// Options with values, by name.
type Values = BTreeMap<String, (String, Origin)>;

fn has(table: &OptionTable, option: &str, choice: &str) -> bool {
    table.option(option).is_some_and(|option| option.choice(choice).is_some())
}

/// What the material itself says: its options, and those that follow from its settings.
fn of_material(table: &OptionTable, material: &Material, unknown: &mut Vec<Unknown>) -> Values {
    let mut values = Values::new();
    // Without names, positions count where the model still has as many options.
    let fixed: Vec<_> = table.options.iter().filter(|option| option.is_static).collect();
    let in_order = material.option_count == Some(fixed.len());
    for assigned in &material.options {
        let by_position =
            || fixed.get(assigned.position).filter(|_| in_order).map(|option| option.name.clone());
        let name = assigned.name.clone().filter(|name| !name.is_empty()).or_else(by_position);
        let name = name.unwrap_or_else(|| format!("#{}", assigned.position));
        let Some(option) = table.option(&name) else {
            unknown.push(Unknown { option: name, value: assigned.value.to_string(), choices: None });
            continue;
        };
        let value = assigned.value.among(|choice| option.choice(choice).is_some());
        if assigned.value.is_default() || option.choice(&value).is_some() {
            values.insert(name, (value, Origin::Material));
        } else {
            unknown.push(Unknown { option: name, value, choices: Some(option.choices.clone()) });
        }
    }
    let decided = settings(material, |option| {
        let known = table.option(option).filter(|_| !values.contains_key(option))?;
        Some(known.choices.clone())
    });
    for Setting { option, value, origin, choices } in decided {
        if choices.contains(&value) {
            values.insert(option.to_owned(), (value, origin));
        } else {
            unknown.push(Unknown { option: option.to_owned(), value, choices: Some(choices) });
        }
    }
    for option in GAME {
        if !values.contains_key(option) && has(table, option, "0") {
            values.insert(option.to_owned(), ("0".to_owned(), Origin::Game));
        }
    }
    values
}

/// What a setting of a material makes of an option.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Setting {
    /// The option.
    pub option: &'static str,
    /// The choice that the setting stands for; where the option has none such, what the setting says.
    pub value: String,
    /// Where it comes from.
    pub origin: Origin,
    /// The choices that the option has.
    pub choices: Vec<String>,
}

/// The options that settings of a material decide, and on the Wii U its render state where no setting does. `choices` gives the
/// choices of an option that is open to that.
pub fn settings(material: &Material, choices: impl Fn(&str) -> Option<Vec<String>>) -> Vec<Setting> {
    // What the settings say counts more than the state of the machine, also for what follows from it.
    let mode = material.setting("gsys_render_state_mode");
    let state = |setting: &str| material.state(setting).filter(|_| mode.is_none()).map(str::to_owned);
    let mut decided = Vec::new();
    for (option, setting, words) in SETTINGS {
        let Some(choices) = choices(option) else { continue };
        let (said, origin) = match material.setting(setting) {
            Some(said) => (Some(said), Origin::RenderInfo),
            None => match state(setting) {
                Some(said) => (Some(said), Origin::RenderState),
                None => (None, Origin::RenderInfo),
            },
        };
        let value = match &said {
            Some(said) => {
                let known = words.iter().find(|(word, _)| word == said).map(|(_, choice)| *choice);
                known.unwrap_or(said).to_owned()
            }
            // A mask is tested, everything else is not.
            None if option == "gsys_alpha_test_enable" => {
                if mode.as_deref() == Some("mask") {
                    "1".to_owned()
                } else {
                    "0".to_owned()
                }
            }
            None if option == "gsys_alpha_test_func" => "6".to_owned(),
            None => continue,
        };
        let other = match value.as_str() {
            "0" => "False",
            "1" => "True",
            other => other,
        };
        let has = |value: &str| choices.iter().any(|choice| choice == value);
        let value = match said {
            _ if has(&value) => value,
            _ if has(other) => other.to_owned(),
            Some(said) => said,
            // What follows and is not there was said by nobody.
            None => continue,
        };
        decided.push(Setting { option, value, origin, choices });
    }
    decided
}

/// Adds what the number of bones decides.
fn skinned(table: &OptionTable, skin: Option<u8>, values: &mut Values, unknown: &mut Vec<Unknown>) {
    for name in SKINS {
        let Some(option) = table.option(name) else { continue };
        if values.get(name).is_some_and(|(_, origin)| *origin == Origin::Given) {
            continue;
        }
        let value = skin.map_or_else(|| "*".to_owned(), |skin| skin.to_string());
        if value == "*" || option.choice(&value).is_some() {
            values.insert(name.to_owned(), (value, Origin::Skin));
        } else {
            let choices = Some(option.choices.clone());
            unknown.push(Unknown { option: name.to_owned(), value, choices });
        }
    }
}

fn query(table: &OptionTable, values: &Values, open: impl Fn(&str, Origin) -> bool) -> Result<Query> {
    let mut query = Query::default();
    for (name, (value, origin)) in values {
        query.want(table, name, if open(name, *origin) { "*" } else { value })?;
    }
    Ok(query)
}

fn outcome(
    table: &OptionTable,
    picker: &Picker<'_>,
    values: &Values,
    skin: Option<u8>,
    shapes: Vec<String>,
) -> Result<Outcome> {
    let pass = PASSES.into_iter().find(|name| table.option(name).is_some());
    // A pass that the material or somebody says is the only one.
    let pass = pass.filter(|name| !values.contains_key(*name));
    let choices: Vec<Option<String>> = match pass.and_then(|name| table.option(name)) {
        Some(option) => option.choices.iter().cloned().map(Some).collect(),
        None => vec![None],
    };
    let with_pass = |choice: &Option<String>| {
        let mut values = values.clone();
        if let (Some(name), Some(choice)) = (pass, choice) {
            values.insert(name.to_owned(), (choice.clone(), Origin::Pass));
        }
        values
    };
    let mut open = values.clone();
    if let Some(name) = pass {
        open.insert(name.to_owned(), ("*".to_owned(), Origin::Pass));
    }
    let mut candidates = Vec::new();
    let (mut grade, mut fallback) = (Grade::Exact, table.default_program);
    for choice in &choices {
        let picked = picker.pick(&query(table, &with_pass(choice), |_, _| false)?);
        let candidate = |program| Candidate { program, pass: choice.clone(), differences: Vec::new() };
        candidates.extend(picked.programs.into_iter().map(candidate));
    }
    // First what only settings decide is left open, then what the renderer may decide as well.
    let settings = |name: &str, origin: Origin| {
        matches!(origin, Origin::RenderInfo | Origin::RenderState)
            || origin != Origin::Given && SETTINGS.iter().any(|(known, ..)| *known == name)
    };
    let moving = |name: &str, origin: Origin| {
        let decided = origin == Origin::Given || origin == Origin::Pass || origin == Origin::Skin;
        let dynamic = table.option(name).is_some_and(|option| !option.is_static);
        settings(name, origin) || origin == Origin::Game || dynamic && !decided
    };
    for level in 0..2_u8 {
        if !candidates.is_empty() {
            break;
        }
        grade = Grade::Relaxed;
        for choice in &choices {
            let mut values = with_pass(choice);
            if level == 1 {
                // Dynamic options that nothing says have a value to be left open, too.
                for option in table.options.iter().filter(|option| !option.is_static) {
                    let default = (DEFAULT_VALUE.to_owned(), Origin::Default);
                    values.entry(option.name.clone()).or_insert(default);
                }
            }
            let relaxed =
                |name: &str, origin| if level == 0 { settings(name, origin) } else { moving(name, origin) };
            for program in picker.pick(&query(table, &values, relaxed)?).programs {
                let differences = differences(table, &values, program);
                candidates.push(Candidate { program, pass: choice.clone(), differences });
            }
        }
    }
    if candidates.is_empty() {
        grade = Grade::None;
        let picked = picker.pick(&query(table, &open, |_, _| false)?);
        fallback = picked.fallback;
        let near = |Near { program, differences }| {
            let pass = pass.and_then(|name| {
                let (_, choice) = table.choices(program).into_iter().find(|(option, _)| *option == name)?;
                Some(choice)
            });
            Candidate { program, pass, differences }
        };
        candidates = picked.nearest.into_iter().map(near).collect();
    }
    candidates.sort_by_key(|candidate| candidate.differences.len());
    let wanted = table.options.iter().map(|option| {
        let (value, origin) = match open.get(&option.name) {
            Some((value, origin)) if value != DEFAULT_VALUE => (value.clone(), *origin),
            said => {
                let default = usize::try_from(option.default).ok().and_then(|at| option.choices.get(at));
                let origin = said.map_or(Origin::Default, |(_, origin)| *origin);
                (default.cloned().unwrap_or_else(|| format!("#{}", option.default)), origin)
            }
        };
        Wanted { option: option.name.clone(), value, origin }
    });
    Ok(Outcome { skin, shapes, grade, candidates, fallback, wanted: wanted.collect() })
}

/// Where a program is otherwise than was wanted.
fn differences(table: &OptionTable, values: &Values, program: usize) -> Vec<Difference> {
    let key = table.key(program);
    let mut differences = Vec::new();
    for option in &table.options {
        let said = values.get(&option.name).map_or(DEFAULT_VALUE, |(value, _)| value);
        let wanted = match said {
            "*" => continue,
            DEFAULT_VALUE => option.default,
            value => option.choice(value).unwrap_or(option.default),
        };
        let found = option.packed.choice(key);
        if found != wanted {
            let name = |choice: u32| {
                let known = usize::try_from(choice).ok().and_then(|at| option.choices.get(at));
                known.cloned().unwrap_or_else(|| format!("#{choice}"))
            };
            let (wanted, found) = (name(wanted), name(found));
            differences.push(Difference { option: option.name.clone(), wanted, found });
        }
    }
    differences
}
