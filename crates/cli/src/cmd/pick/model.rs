//! What `pick` says of a shading model.

use super::pairs;
use crate::{
    style::{self, paint},
    table::{Cell, Table},
};
use unshade::report::{ModelPick, ModelProgram, OptionDifference};

pub fn text(report: &ModelPick) -> String {
    let model = paint(style::NAME, &report.model);
    let mut text = match report.picked.as_slice() {
        [] => {
            let none = paint(style::BAD, "no program");
            format!("{model}: {none} of {} was compiled for these options\n", report.programs)
        }
        [only] => format!(
            "{model}: program {} of {}{}\n",
            paint(style::BOLD, only.program),
            report.programs,
            variation(only.variation)
        ),
        several => {
            format!("{model}: {} of {} programs\n", paint(style::BOLD, several.len()), report.programs)
        }
    };
    if !report.defaults.is_empty() {
        text.push_str(&format!("  by default: {}\n", pairs(&report.defaults)));
    }
    if !report.any.is_empty() {
        text.push_str(&format!("  any choice: {}\n", report.any.join(", ")));
    }
    match report.picked.as_slice() {
        [] => {
            for near in &report.nearest {
                text.push_str(&nearest(near));
            }
            text.push_str(&fallback(report.fallback));
        }
        [only] => {
            for value in &only.values {
                text.push_str(&format!("  {}={}\n", value.name, paint(style::BOLD, &value.value)));
            }
            text.push_str(&stages(only.stages.iter().map(|stage| stage.item.as_str())));
        }
        several => {
            let mut table = Table::new(&["program", "values", "shaders"]);
            for picked in several {
                let stages: Vec<&str> = picked.stages.iter().map(|stage| stage.item.as_str()).collect();
                table.row(vec![
                    Cell::number(picked.program),
                    Cell::text(pairs(&picked.values)),
                    Cell::text(if stages.is_empty() { "none".to_owned() } else { stages.join(" ") })
                        .styled(style::NAME),
                ]);
            }
            text.push_str(&table.render());
        }
    }
    text
}

/// Items of shaders, a line for each.
pub fn stages<'s>(items: impl Iterator<Item = &'s str>) -> String {
    let lines: String = items.map(|item| format!("{}\n", paint(style::NAME, item))).collect();
    if lines.is_empty() { "no shaders in machine code\n".to_owned() } else { lines }
}

pub fn variation(variation: Option<u64>) -> String {
    variation.map(|number| format!(" (variation {number})")).unwrap_or_default()
}

/// A program that comes near, and why it does not fit.
fn nearest(near: &ModelProgram) -> String {
    let count = near.differences.len();
    format!(
        "  nearest: program {} differs in {count} option{}\n{}",
        paint(style::BOLD, near.program),
        if count == 1 { "" } else { "s" },
        differences(&near.differences, "    ")
    )
}

/// `    static   fog  wanted 2, compiled for 0`
pub fn differences(differences: &[OptionDifference], indent: &str) -> String {
    let kinds = differences.iter().map(|difference| {
        let kind = if difference.is_static { "static " } else { "dynamic" };
        format!(
            "{indent}{kind} {}: wanted {}, compiled for {}\n",
            paint(style::BOLD, &difference.name),
            paint(style::BAD, &difference.wanted),
            paint(style::GOOD, &difference.found)
        )
    });
    kinds.collect()
}

pub fn fallback(program: Option<u64>) -> String {
    match program {
        Some(program) => format!("  the model names program {program} for what none fits\n"),
        None => "  the model names no program for what none fits: nothing can be drawn with these options\n"
            .to_owned(),
    }
}
