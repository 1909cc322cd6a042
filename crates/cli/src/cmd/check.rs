//! `check`: all findings, most severe first.

use crate::{
    args::{Check, Deny},
    input,
    output::{self, Failure, Outcome, Status},
    style::{self, paint},
};
use unshade::{
    Severity,
    report::{self, CheckReport, Document},
};

pub fn run(arguments: &Check, json: bool) -> Outcome {
    let mut files = Vec::new();
    for file in &arguments.files.files {
        if let Some(mut stage) = input::code(file, &arguments.bare)? {
            if let Some(path) = &arguments.state {
                input::state(&mut stage, path)?;
            }
            files.push((file.clone(), report::check_code(&stage)));
            continue;
        }
        if arguments.state.is_some() {
            return Err(Failure::usage(
                "--state is for bare code; a container says itself what surrounds its programs",
            ));
        }
        let place = input::place(file);
        let bytes = input::read(&place.file)?;
        files.push((file.clone(), report::check(input::source(&bytes), &place.inner, place.item.as_deref())));
    }
    let worst = if arguments.deny == Some(Deny::Warnings) { Severity::Warning } else { Severity::Error };
    let bad = |report: &CheckReport| report.diagnostics.iter().any(|d| d.severity >= worst);
    let status = if files.iter().any(|(_, report)| bad(report)) { Status::Bad } else { Status::Good };
    if json {
        output::print_json(&Document::new("check", files))?;
        return Ok(status);
    }
    for (file, report) in &files {
        for kind in report.kinds() {
            let told = if arguments.all { &kind.findings } else { kind.told() };
            told.iter().for_each(|finding| output::print_diagnostic(file, finding));
            if !arguments.all {
                output::print_others(file, &kind);
            }
        }
        output::print(&summary(file, report, arguments.coverage))?;
    }
    Ok(status)
}

fn summary(file: &str, report: &CheckReport, coverage: bool) -> String {
    let count = |severity, name: &str, style| match report.count(severity) {
        0 => None,
        1 => Some(paint(style, format_args!("1 {name}"))),
        n => Some(paint(style, format_args!("{n} {name}s"))),
    };
    let counts: Vec<_> = [
        count(Severity::Error, "error", style::BAD),
        count(Severity::Warning, "warning", style::WARN),
        count(Severity::Note, "note", style::DIM),
    ]
    .into_iter()
    .flatten()
    .collect();
    let mut text = match counts.as_slice() {
        [] => format!("{file}: {}\n", paint(style::GOOD, "sound")),
        counts => format!("{file}: {}\n", counts.join(", ")),
    };
    if coverage {
        for range in &report.unowned {
            text.push_str(&format!("  {:#x}: {} bytes without an owner\n", range.offset, range.bytes));
        }
        if report.unowned.is_empty() && report.count(Severity::Error) == 0 {
            text.push_str("  every byte has an owner\n");
        }
    }
    text
}
