//! `edit`: other values in fields, everything else as it is.

use crate::{
    args::Edit,
    input,
    output::{self, Failure, Outcome, Status},
    style::{self, paint},
};
use unshade::report::{self, EditReport};

pub fn run(arguments: &Edit, json: bool) -> Outcome {
    let mut settings = Vec::new();
    for text in &arguments.set {
        settings.push(unshade::setting(text).ok_or_else(|| {
            Failure::usage(format!("--set takes PATH=VALUE, with a path that `show` prints; found `{text}`"))
        })?);
    }
    let place = input::place(&arguments.file);
    if let Some(item) = &place.item {
        return Err(Failure::usage(format!(
            "edit sets fields of a whole container; leave #{item} out, its fields have paths of their own"
        )));
    }
    let target = arguments.target.place(&place.file)?;
    let bytes = input::read(&place.file)?;
    let edited = unshade::set_fields(input::source(&bytes), &place.inner, &settings)
        .map_err(|error| Failure::open(place.file.clone(), error))?;
    let mut report = report::edit(&edited.changed);
    if !edited.changed.is_empty() || arguments.target.output.is_some() {
        let (written, backup) = target.write(&edited.rewritten)?;
        report.written = written;
        report.backup = backup;
    }
    if json {
        output::print_json(&report)?;
    } else if report.written.as_deref() != Some("-") {
        output::print(&text(&place.file, &report))?;
    }
    Ok(Status::Good)
}

fn text(file: &str, report: &EditReport) -> String {
    let mut text = String::new();
    for change in &report.changes {
        let place = format!("{:#06x}..{:#06x}", change.offset, change.offset + change.bytes);
        text.push_str(&format!(
            "{}  {}: {} -> {}\n",
            paint(style::DIM, place),
            change.path,
            paint(style::BAD, &change.old),
            paint(style::GOOD, &change.new)
        ));
    }
    match (&report.written, report.changes.is_empty()) {
        (_, true) => text.push_str(&format!("{file}: every field has that value already\n")),
        (None, false) => text.push_str("nothing written (--dry-run)\n"),
        (Some(written), false) => {
            let backup = report.backup.as_ref().map(|backup| format!(", the old file is {backup}"));
            text.push_str(&format!("wrote {written}{}\n", backup.unwrap_or_default()));
        }
    }
    text
}
