//! `pick`: which shaders serve these values of macros or options, or a material.

pub mod material;
mod model;

use crate::{
    args::Pick,
    input,
    output::{self, Failure, Outcome, Status},
    style::{self, paint},
    table::{Cell, Table},
};
use unshade::report::{self, Answer, Document, MacroValue, PickError, PickReport};

pub fn run(arguments: &Pick, json: bool) -> Outcome {
    let mut given = Vec::new();
    for set in &arguments.set {
        let pair = set.split_once('=').filter(|(name, _)| !name.is_empty());
        let pair = pair.ok_or_else(|| Failure::usage(format!("--set takes NAME=VALUE, found `{set}`")))?;
        given.push(pair);
    }
    let place = input::place(&arguments.file);
    let bytes = input::map(&place.file)?;
    let failure = |file: &str, whole: &str, error| match error {
        PickError::Open(error) => Failure::open(file, error),
        other => Failure::usage(format!("{whole}: {other}")),
    };
    let file = input::source(&bytes);
    let answer = match &arguments.material {
        None => report::pick_any(file, &place.inner, place.item.as_deref(), &given)
            .map_err(|error| failure(&place.file, &arguments.file, error))?,
        Some(material) => {
            let model = input::place(material);
            let bytes = input::map(&model.file)?;
            // What stands behind a number sign is part of a material's name.
            let mut names = model.inner.clone();
            if let (Some(item), Some(last)) = (&model.item, names.last_mut()) {
                *last = format!("{last}#{item}");
            }
            if names.is_empty() {
                let message = format!(
                    "--material takes a model file and the name of a material in it, found `{material}`"
                );
                return Err(Failure::usage(message));
            }
            let models = (input::source(&bytes), names.as_slice());
            let found = report::pick_material(file, &place.inner, place.item.as_deref(), models, &given);
            // Which of the two files it is about is in the words.
            let found = found.map_err(|error| match error {
                PickError::Open(error) => Failure::open(format!("{} with {material}", place.file), error),
                other => Failure::usage(format!("{}: {other}", arguments.file)),
            })?;
            Answer::Material(Box::new(found))
        }
    };
    let status = match &answer {
        Answer::Model(report) if report.picked.is_empty() => Status::NoProgram,
        Answer::Material(report) => match report.grade.as_str() {
            "exact" => Status::Good,
            "relaxed" => Status::Relaxed,
            _ => Status::NoProgram,
        },
        _ => Status::Good,
    };
    if json {
        output::print_json(&Document::new("pick", [(arguments.file.clone(), answer)]))?;
        return Ok(status);
    }
    output::print(&match &answer {
        Answer::Macros(report) => text(report),
        Answer::Model(report) => model::text(report),
        Answer::Material(report) => {
            let mut out = material::text(report);
            if let Some(report) = &report.macros {
                out.push_str(&text(report));
            }
            out
        }
    })?;
    Ok(status)
}

fn text(report: &PickReport) -> String {
    let program = paint(style::NAME, &report.program);
    let mut text = match report.picked.as_slice() {
        [only] => {
            format!("{program}: variation {} of {}\n", paint(style::BOLD, only.variation), report.variations)
        }
        several => {
            format!("{program}: {} of {} variations\n", paint(style::BOLD, several.len()), report.variations)
        }
    };
    if !report.defaults.is_empty() {
        text.push_str(&format!("  by default: {}\n", pairs(&report.defaults)));
    }
    if !report.any.is_empty() {
        text.push_str(&format!("  any value: {}\n", report.any.join(", ")));
    }
    if let [only] = report.picked.as_slice() {
        for value in &only.values {
            text.push_str(&format!("  {}={}\n", value.name, paint(style::BOLD, &value.value)));
        }
        for stage in &only.stages {
            text.push_str(&format!("{}\n", paint(style::NAME, &stage.item)));
        }
        if only.stages.is_empty() {
            text.push_str("no shaders: the program has no binaries\n");
        }
        return text;
    }
    let mut table = Table::new(&["variation", "values", "shaders"]);
    for picked in &report.picked {
        let stages: Vec<&str> = picked.stages.iter().map(|stage| stage.item.as_str()).collect();
        table.row(vec![
            Cell::number(picked.variation),
            Cell::text(pairs(&picked.values)),
            Cell::text(if stages.is_empty() { "none".to_owned() } else { stages.join(" ") })
                .styled(style::NAME),
        ]);
    }
    text + &table.render()
}

/// Pairs in a row, so many of a long list.
const PAIRS: usize = 40;

/// `FOG=1 LIGHTS=a`
fn pairs(values: &[MacroValue]) -> String {
    let shown = values.iter().take(PAIRS);
    let mut pairs: Vec<_> = shown.map(|value| format!("{}={}", value.name, value.value)).collect();
    if let Some(more) = values.len().checked_sub(PAIRS).filter(|more| *more > 0) {
        pairs.push(format!("and {more} more"));
    }
    pairs.join(" ")
}
