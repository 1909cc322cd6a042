//! `pick`: which shaders serve which values of macros or options.

use super::{
    material::MaterialPick,
    model_pick::{self, ModelPick},
};
use crate::{
    OpenError, UnknownName, WithinError,
    archives::{self, MacroProgram, ShaderArchive},
};
use serde::Serialize;
use std::fmt;
use unshade_bytes::{Error, ErrorKind};
use unshade_containers::{
    agl::variation::{MacroList, MacroValues},
    opaque::escape,
    wrap::nest::Source,
};
use unshade_stage::suggest;

/// More variations than this are not listed one by one.
const MOST: u64 = 1 << 20;

/// What was found.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(untagged)]
pub enum Answer {
    /// Variations of a program with macros.
    Macros(PickReport),
    /// Programs of a shading model with options.
    Model(ModelPick),
    /// Programs for a material.
    Material(Box<MaterialPick>),
}

/// The variations of a program that fit the values that were asked for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PickReport {
    /// What stands behind `FILE` to name the program.
    pub program: String,
    /// How many variations the program has altogether.
    pub variations: u64,
    /// Macros that nobody gave a value, with the default that was taken.
    pub defaults: Vec<MacroValue>,
    /// Macros of which every value was taken: those that `*` was given for, and those without a value and a default.
    pub any: Vec<String>,
    /// The variations that fit, in rising order.
    pub picked: Vec<Picked>,
}

/// A macro with a value.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct MacroValue {
    /// Name in the shader's source.
    pub name: String,
    /// The value.
    pub value: String,
}

/// A variation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Picked {
    /// Its number.
    pub variation: u64,
    /// Its shaders.
    pub stages: Vec<PickedStage>,
    /// The values of all macros.
    pub values: Vec<MacroValue>,
}

/// A shader of a variation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PickedStage {
    /// What stands behind `FILE` to name it: `#toon/3/vertex`.
    pub item: String,
    /// Number of its binary in the archive, where macros choose it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub binary: Option<u32>,
}

/// Why nothing can be picked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PickError {
    /// The file does not open, or holds no such program.
    Open(OpenError),
    /// A macro that the program does not have.
    Macro {
        /// The name that was given.
        wanted: String,
        /// The macros that there are.
        known: Vec<String>,
    },
    /// A value that a macro does not have.
    Value {
        /// The macro.
        name: String,
        /// The value that was given.
        wanted: String,
        /// The values that there are.
        known: Vec<String>,
    },
    /// An option that the shading model does not have.
    Option {
        /// The name that was given.
        wanted: String,
        /// The options that there are.
        known: Vec<String>,
    },
    /// A choice that an option does not have.
    Choice {
        /// The option.
        name: String,
        /// The choice that was given.
        wanted: String,
        /// The choices that there are.
        known: Vec<String>,
    },
    /// A macro that was given twice.
    Twice(String),
    /// Several programs could be meant.
    Several(Vec<String>),
}

impl fmt::Display for PickError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Open(error) => error.fmt(f),
            Self::Macro { wanted, known } if known.is_empty() => {
                write!(f, "there is no macro `{wanted}`: the program has none")
            }
            Self::Macro { wanted, known } => {
                write!(f, "there is no macro `{wanted}`")?;
                told(f, wanted, known)
            }
            Self::Value { name, wanted, known } => {
                write!(f, "{name} has no value `{wanted}`")?;
                told(f, wanted, known)
            }
            Self::Option { wanted, known } if known.is_empty() => {
                write!(f, "there is no option `{wanted}`: the shading model has none")
            }
            Self::Option { wanted, known } => {
                write!(f, "there is no option `{wanted}`")?;
                told(f, wanted, known)
            }
            Self::Choice { name, wanted, known } => {
                write!(f, "{name} has no choice `{wanted}`")?;
                told(f, wanted, known)
            }
            Self::Twice(name) => write!(f, "{name} is set twice"),
            Self::Several(known) => {
                let shown: Vec<&str> = known.iter().take(20).map(String::as_str).collect();
                write!(f, "there are {} programs in it; name one: {}", known.len(), shown.join(", "))?;
                if known.len() > shown.len() { f.write_str(", …") } else { Ok(()) }
            }
        }
    }
}

/// What is spelled most like it, and what there is.
fn told(f: &mut fmt::Formatter<'_>, wanted: &str, known: &[String]) -> fmt::Result {
    if let [near] = suggest(wanted, known.iter().map(String::as_str), 1).as_slice() {
        write!(f, "; `{near}` is near")?;
    }
    let shown: Vec<&str> = known.iter().take(40).map(String::as_str).collect();
    write!(f, "; there is {}", shown.join(", "))?;
    match known.len().saturating_sub(shown.len()) {
        0 => Ok(()),
        more => write!(f, " and {more} more"),
    }
}

impl std::error::Error for PickError {}

impl<E: Into<OpenError>> From<E> for PickError {
    fn from(error: E) -> Self {
        Self::Open(error.into())
    }
}

/// The variations of the program that `names` and `program` choose in a file which fit `given`: pairs of a macro, by
/// either of its names, and a value, or `*` for all of them. A macro that is not given has its default.
///
/// # Errors
///
/// Where there is no such program, macro or value, or more than one program could be meant.
pub fn pick<'f>(
    file: impl Into<Source<'f>>,
    names: &[String],
    program: Option<&str>,
    given: &[(&str, &str)],
) -> Result<PickReport, PickError> {
    match pick_any(file, names, program, given)? {
        Answer::Macros(report) => Ok(report),
        Answer::Model(_) | Answer::Material(_) => {
            let wanted = "program with macros".to_owned();
            Err(UnknownName { wanted, known: Vec::new() }.into())
        }
    }
}

/// As [`pick`], in an archive of either kind; in one with shading models the programs that fit, or else the nearest.
///
/// # Errors
///
/// As [`pick`].
pub fn pick_any<'f>(
    file: impl Into<Source<'f>>,
    names: &[String],
    program: Option<&str>,
    given: &[(&str, &str)],
) -> Result<Answer, PickError> {
    let (mut picked, mut known) = (Vec::new(), Vec::new());
    let mut failure = None;
    archives::each_archive(file, names, |inner, archive| {
        let failed = |error| WithinError::new(Default::default(), error);
        let place = inner.map(|inner| format!(":{inner}")).unwrap_or_default();
        if let ShaderArchive::Models(archive) = archive {
            for model in &archive.models {
                let name = escape(model.name);
                let place = format!("{place}#{name}");
                let first = picked.is_empty() && failure.is_none();
                if first && program.is_none_or(|wanted| wanted == name) {
                    match model_pick::of_model(place.clone(), archive, model, given) {
                        Ok(report) => picked.push(Answer::Model(report)),
                        Err(error) => failure = Some(error),
                    }
                }
                known.push(place);
            }
        }
        for (name, found) in archive.programs().map_err(failed)? {
            let place = format!("{place}#{name}");
            // Of several programs the first is picked from, and the others are only counted.
            let first = picked.is_empty() && failure.is_none();
            if first && program.is_none_or(|wanted| wanted == name) {
                match of_program(place.clone(), &found, given) {
                    Ok(report) => picked.push(Answer::Macros(report)),
                    Err(error) => failure = Some(error),
                }
            }
            known.push(place);
        }
        Ok(())
    })?;
    let meant = |place: &&String| program.is_none_or(|wanted| place.ends_with(&format!("#{wanted}")));
    match (known.iter().filter(meant).count(), program) {
        (0, program) => {
            let wanted = program.map_or_else(|| "program".to_owned(), |wanted| format!("#{wanted}"));
            Err(UnknownName { wanted, known }.into())
        }
        (1, _) => match (failure, picked.pop()) {
            (Some(error), _) => Err(error),
            (None, Some(report)) => Ok(report),
            (None, None) => Err(UnknownName { wanted: "program".to_owned(), known }.into()),
        },
        (_, _) => Err(PickError::Several(known)),
    }
}

pub(super) fn of_program(
    item: String,
    program: &MacroProgram<'_>,
    given: &[(&str, &str)],
) -> Result<PickReport, PickError> {
    let list = program.macro_list().map_err(failed)?;
    let wanted = wanted(&list, given)?;
    let mut report = PickReport {
        program: item.clone(),
        variations: program.variation_count().map_err(failed)?,
        defaults: Vec::new(),
        any: Vec::new(),
        picked: Vec::new(),
    };
    // For each macro the digits that fit.
    let mut digits: Vec<std::ops::Range<u64>> = Vec::with_capacity(wanted.len());
    let mut count = 1_u64;
    for (list, wanted) in list.macros.iter().zip(&wanted) {
        let digit =
            |value: &[u8]| list.values.iter().position(|known| *known == value).map(|digit| digit as u64);
        let range = match (*wanted, list.default) {
            (Wanted::Value(digit), _) => digit..digit.saturating_add(1),
            (Wanted::Default, Some(default)) => match digit(default) {
                Some(digit) => {
                    report.defaults.push(MacroValue { name: escape(list.name), value: escape(default) });
                    digit..digit.saturating_add(1)
                }
                None => {
                    return Err(PickError::Value {
                        name: escape(list.name),
                        wanted: escape(default),
                        known: list.values.iter().map(|value| escape(value)).collect(),
                    });
                }
            },
            (Wanted::Any, _) | (Wanted::Default, None) => {
                report.any.push(escape(list.name));
                0..list.values.len() as u64
            }
        };
        count = count.saturating_mul(range.end.saturating_sub(range.start));
        digits.push(range);
    }
    if count > MOST {
        let found = format!("{count}");
        let expected = format!("at most {MOST} variations; set more macros");
        return Err(
            failed(Error::new(ErrorKind::LimitExceeded, 0, item, expected, found).code("pick.many")).into()
        );
    }
    for number in 0..count {
        // The number's digits in the system of those that are free, as digits of the variation.
        let (mut rest, mut variation, mut weight) = (number, 0_u64, 1_u64);
        for (range, list) in digits.iter().zip(&list.macros).rev() {
            let free = range.end.saturating_sub(range.start).max(1);
            variation =
                variation.saturating_add(weight.saturating_mul(range.start.saturating_add(rest % free)));
            rest /= free;
            weight = weight.saturating_mul(list.values.len() as u64);
        }
        report.picked.push(one(&item, program, &list, variation));
    }
    Ok(report)
}

/// What is asked of a macro.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Wanted {
    /// Nothing.
    Default,
    /// All values.
    Any,
    /// The value of that number.
    Value(u64),
}

fn wanted(list: &MacroList<'_>, given: &[(&str, &str)]) -> Result<Vec<Wanted>, PickError> {
    let mut wanted = vec![Wanted::Default; list.macros.len()];
    for &(name, value) in given {
        let by = |of: fn(&MacroValues<'_>) -> Vec<u8>| {
            list.macros.iter().position(|list| of(list) == name.as_bytes())
        };
        let index = by(|list| list.name.to_vec()).or_else(|| by(|list| list.id.to_vec()));
        let (Some(index), Some(list)) = (index, index.and_then(|index| list.macros.get(index))) else {
            let known = list.macros.iter().map(|list| escape(list.name)).collect();
            return Err(PickError::Macro { wanted: name.to_owned(), known });
        };
        let digit = list.values.iter().position(|known| *known == value.as_bytes());
        let new = match (digit, value) {
            (Some(digit), _) => Wanted::Value(digit as u64),
            (None, "*") => Wanted::Any,
            (None, value) => {
                let known = list.values.iter().map(|value| escape(value)).collect();
                return Err(PickError::Value { name: escape(list.name), wanted: value.to_owned(), known });
            }
        };
        match wanted.get_mut(index) {
            Some(place @ Wanted::Default) => *place = new,
            _ => return Err(PickError::Twice(name.to_owned())),
        }
    }
    Ok(wanted)
}

/// A variation with its shaders and values.
fn one(item: &str, program: &MacroProgram<'_>, list: &MacroList<'_>, variation: u64) -> Picked {
    let parts = program.parts(variation).into_iter();
    let stages = parts.map(|(part, binary)| PickedStage { item: format!("{item}{part}"), binary });
    let values = list.values_of(variation).unwrap_or_default();
    let value = |(list, value): (&MacroValues<'_>, &[u8])| MacroValue {
        name: escape(list.name),
        value: escape(value),
    };
    Picked {
        variation,
        stages: stages.collect(),
        values: list.macros.iter().zip(values).map(value).collect(),
    }
}

pub(super) fn failed(error: Error) -> WithinError {
    WithinError::new(Default::default(), error)
}
