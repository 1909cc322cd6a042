//! What `replace`, `add` and `remove` have in common: reading what shall go in, writing, and saying what changed.

use crate::{
    args::Target,
    destination::Place,
    input,
    output::{self, Failure, Outcome, Status},
    snippet,
    style::{self, paint},
};
use unshade::FilePath;
use unshade::assembly::{Places, Source};
use unshade::change::{Change, ChangeError, Replacement};
use unshade::report::ChangeReport;

/// The program or text that an argument names.
pub fn replacement(argument: &str, raw: bool) -> Outcome<Replacement> {
    let place = input::place(argument);
    let bytes = input::map(&place.file)?;
    let wanted = (place.file.as_str(), place.inner.as_slice(), place.item.as_deref());
    match unshade::change::replacement(input::source(&bytes), wanted, raw) {
        Ok(replacement) => Ok(replacement),
        Err(ChangeError::Open(error)) => Err(Failure::open(place.file, error)),
        Err(error) => Err(Failure::usage(error.to_string())),
    }
}

/// Writes a changed file and says what changed; without one why not.
pub fn finish(
    place: &FilePath,
    target: &Target,
    changed: Result<Change, ChangeError>,
    json: bool,
) -> Outcome {
    // A wrong place to write to is said before anything else.
    let destination = target.place(&place.file)?;
    let change = match changed {
        Ok(change) => change,
        Err(ChangeError::Mismatch(findings)) => {
            if json {
                output::print_json(&ChangeReport::refused(findings))?;
            } else {
                findings.iter().for_each(|finding| output::print_diagnostic(&place.file, finding));
                output::note("nothing was written; --allow-mismatch writes all the same");
            }
            return Ok(Status::Bad);
        }
        Err(error) => return Err(failure(&place.file, error)),
    };
    let mut report = ChangeReport::new(&change);
    let unchanged = report.programs.iter().all(|program| program.what == "unchanged");
    if !unchanged || matches!(destination, Place::File(_)) {
        (report.written, report.backup) = destination.write(&change.rewritten)?;
    }
    if json {
        output::print_json(&report)?;
        return Ok(Status::Good);
    }
    report.diagnostics.iter().for_each(|finding| output::print_diagnostic(&place.file, finding));
    if report.written.as_deref() != Some("-") {
        output::print(&text(&place.file, &report, unchanged))?;
    }
    Ok(Status::Good)
}

/// Why nothing was changed.
pub fn failure(file: &str, error: ChangeError) -> Failure {
    failure_as(file, error, false)
}

/// The same, with what is wrong with a text as JSON where that is wanted.
pub fn failure_as(file: &str, error: ChangeError, json: bool) -> Failure {
    match error {
        ChangeError::Open(error) => Failure::open(file, error),
        ChangeError::Text { name, text, findings } => {
            let sources = [Source { name: &name, text: &text }];
            snippet::failure(&Places::new(&sources), &findings, json)
        }
        ChangeError::Mismatch(_) => Failure::usage(format!("{file}: {error}")),
    }
}

fn text(file: &str, report: &ChangeReport, unchanged: bool) -> String {
    let mut text = String::new();
    for program in &report.programs {
        let sizes = match (program.bytes_before, program.bytes) {
            (Some(before), Some(now)) if before != now => format!("{before} -> {now} bytes"),
            // A program of sources has no code of its own.
            (Some(0), None) | (None, Some(0)) => String::new(),
            (_, Some(bytes)) | (Some(bytes), None) => format!("{bytes} bytes"),
            (None, None) => String::new(),
        };
        let style = match program.what.as_str() {
            "removed" => style::BAD,
            "unchanged" => style::DIM,
            _ => style::GOOD,
        };
        let what = paint(style, format!("{:<9}", program.what));
        text.push_str(format!("{what}  {}  {sizes}", paint(style::NAME, &program.item)).trim_end());
        text.push('\n');
    }
    match &report.written {
        _ if unchanged && report.written.is_none() => {
            text.push_str(&format!("{file}: everything is so already\n"));
        }
        None => text.push_str("nothing written (--dry-run)\n"),
        Some(written) => {
            let backup = report.backup.as_ref().map(|backup| format!(", the old file is {backup}"));
            text.push_str(&format!("wrote {written}{}\n", backup.unwrap_or_default()));
        }
    }
    text
}
