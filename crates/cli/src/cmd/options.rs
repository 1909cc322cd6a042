//! `options`: the macros of programs and the options of shading models, and how often each value is used.

use crate::{
    args::Files,
    input,
    output::{self, Failure, Outcome, Status},
    style::{self, paint},
    table::{Cell, Table},
};
use unshade::report::{self, Document, MacroReport, ModelOptions, OptionReport, ProgramOptions};

pub fn run(arguments: &Files, json: bool) -> Outcome {
    let mut files = Vec::new();
    for file in &arguments.files {
        let place = input::place(file);
        let bytes = input::map(&place.file)?;
        let report = report::options(input::source(&bytes), &place.inner, place.item.as_deref())
            .map_err(|error| Failure::open(place.file.clone(), error))?;
        files.push((file.clone(), report));
    }
    if json {
        output::print_json(&Document::new("options", files))?;
        return Ok(Status::Good);
    }
    let mut text = String::new();
    let several = files.len() > 1;
    for (file, report) in &files {
        text.push_str(&output::file_heading(file, several, text.is_empty()));
        let mut programs: Vec<_> = report.programs.iter().map(program).collect();
        programs.extend(report.models.iter().map(model));
        text.push_str(&programs.join("\n"));
        if programs.is_empty() {
            text.push_str("no programs\n");
        }
    }
    output::print(&text)?;
    Ok(Status::Good)
}

fn program(program: &ProgramOptions) -> String {
    let count = |count: u64, what: &str| format!("{count} {what}{}", if count == 1 { "" } else { "s" });
    let mut text = format!(
        "{}: {}, {}\n",
        paint(style::NAME, &program.item),
        count(program.variations, "variation"),
        count(program.symbols, "symbol"),
    );
    if program.macros.is_empty() {
        text.push_str("  no macros\n");
        return text;
    }
    // Where nothing is said of symbols, nothing is said of what decides on them.
    let bare = program.symbols == 0;
    let heading: &[&str] = match bare {
        true => &["  macro", "id", "default", "values"],
        false => &["  macro", "id", "default", "values (symbols used)", "decides"],
    };
    let mut table = Table::new(heading);
    for found in &program.macros {
        let id = if found.id == found.name { "" } else { &found.id };
        let mut row = vec![
            Cell::text(format!("  {}", found.name)).styled(style::BOLD),
            Cell::text(id),
            Cell::text(found.default.as_deref().unwrap_or("none")),
        ];
        if bare {
            let all: Vec<&str> = found.values.iter().map(|value| value.value.as_str()).collect();
            row.push(Cell::text(all.join(", ")));
            table.row(row);
            continue;
        }
        row.extend([
            Cell::text(values(found)),
            Cell::text(match found.decides {
                0 => "nothing".to_owned(),
                decides => count(decides, "symbol"),
            })
            .styled(if found.decides == 0 { style::DIM } else { anstyle::Style::new() }),
        ]);
        table.row(row);
    }
    text + &table.render()
}

fn model(model: &ModelOptions) -> String {
    let fallback = match model.default_program {
        Some(program) => format!("program {program} where none fits"),
        None => "nothing where none fits".to_owned(),
    };
    let plural = |count: u64| if count == 1 { "" } else { "s" };
    let mut text = format!(
        "{}: {} program{}, {fallback}\n",
        paint(style::NAME, &model.item),
        model.programs,
        plural(model.programs),
    );
    if model.options.is_empty() {
        text.push_str("  no options\n");
        return text;
    }
    let mut table = Table::new(&["  option", "kind", "default", "choices (programs)"]);
    for option in &model.options {
        table.row(vec![
            Cell::text(format!("  {}", option.name)).styled(style::BOLD),
            Cell::text(if option.is_static { "static" } else { "dynamic" }),
            Cell::text(option.default.as_str()),
            Cell::text(choices(option)),
        ]);
    }
    text + &table.render()
}

/// Choices in a row, so many of a long list.
const CHOICES: usize = 24;

/// `0 (3), 1 (5)`
fn choices(option: &OptionReport) -> String {
    let shown = option.choices.iter().take(CHOICES);
    let mut text: Vec<_> = shown.map(|choice| format!("{} ({})", choice.value, choice.programs)).collect();
    if let Some(more) = option.choices.len().checked_sub(CHOICES).filter(|more| *more > 0) {
        text.push(format!("and {more} more"));
    }
    text.join(", ")
}

/// `0 (3), 1 (5)`
fn values(found: &MacroReport) -> String {
    let values: Vec<_> =
        found.values.iter().map(|value| format!("{} ({})", value.value, value.symbols)).collect();
    values.join(", ")
}
