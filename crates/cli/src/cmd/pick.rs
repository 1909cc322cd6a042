//! `pick`: which shaders serve these values of the macros.

use crate::{
    args::Pick,
    input,
    output::{self, Failure, Outcome, Status},
    style::{self, paint},
    table::{Cell, Table},
};
use unshade::report::{self, Document, MacroValue, PickError, PickReport};

pub fn run(arguments: &Pick, json: bool) -> Outcome {
    let mut given = Vec::new();
    for set in &arguments.set {
        let pair = set.split_once('=').filter(|(name, _)| !name.is_empty());
        let pair = pair.ok_or_else(|| Failure::usage(format!("--set takes NAME=VALUE, found `{set}`")))?;
        given.push(pair);
    }
    let place = input::place(&arguments.file);
    let bytes = input::map(&place.file)?;
    let report =
        report::pick(&bytes, &place.inner, place.item.as_deref(), &given).map_err(|error| match error {
            PickError::Open(error) => Failure::open(place.file.clone(), error),
            other => Failure::usage(format!("{}: {other}", arguments.file)),
        })?;
    if json {
        output::print_json(&Document::new("pick", [(arguments.file.clone(), report)]))?;
        return Ok(Status::Good);
    }
    output::print(&text(&report))?;
    Ok(Status::Good)
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

/// `FOG=1 LIGHTS=a`
fn pairs(values: &[MacroValue]) -> String {
    let pairs: Vec<_> = values.iter().map(|value| format!("{}={}", value.name, value.value)).collect();
    pairs.join(" ")
}
