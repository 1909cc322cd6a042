//! `edit`: other values, names and texts, everything else as it is.

use crate::{
    args::Edit,
    input,
    output::{self, Failure, Outcome, Status},
    style::{self, paint},
};
use unshade::{
    Change,
    report::{self, EditReport, NamesReport},
};

/// Characters of a value that the listing of names shows.
const SHOWN: usize = 72;

pub fn run(arguments: &Edit, json: bool) -> Outcome {
    let mut changes = Vec::new();
    for text in &arguments.set {
        changes.push(unshade::setting(text).map(Change::Set).ok_or_else(|| {
            Failure::usage(format!(
                "--set takes PATH=VALUE, with a path that `show` prints or a name that --names prints; found `{text}`"
            ))
        })?);
    }
    for text in &arguments.rename {
        changes.push(unshade::renaming(text).map(Change::Rename).ok_or_else(|| {
            Failure::usage(format!(
                "--rename takes NAME=NEW, with a name that --names prints; found `{text}`"
            ))
        })?);
    }
    let place = input::place(&arguments.file);
    if let Some(item) = &place.item {
        return Err(Failure::usage(format!(
            "edit changes a whole container; leave #{item} out, its fields have paths and names of their own"
        )));
    }
    if arguments.target.names {
        let bytes = input::read(&place.file)?;
        let names = unshade::names(input::source(&bytes), &place.inner)
            .map_err(|error| Failure::open(place.file.clone(), error))?;
        let report = report::names(names);
        if json {
            output::print_json(&report)?;
        } else {
            output::print(&listing(&place.file, &report))?;
        }
        return Ok(Status::Good);
    }
    let target = arguments.target.target().place(&place.file)?;
    let bytes = input::read(&place.file)?;
    let edited = unshade::edit(input::source(&bytes), &place.inner, &changes)
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

fn listing(file: &str, report: &NamesReport) -> String {
    let mut text = String::new();
    for thing in &report.names {
        text.push_str(&thing.name);
        // What is called as its kind alone says its name here.
        if let Some(own) = thing.own.as_ref().filter(|own| !thing.name.contains(own.as_str())) {
            text.push_str(&paint(style::DIM, format!(" \"{own}\"")));
        }
        if let Some(value) = &thing.value {
            let near: String = value.chars().take(SHOWN).collect();
            let more = if near.len() < value.len() { "..." } else { "" };
            text.push_str(&format!(" = {}", paint(style::GOOD, format!("{near}{more}"))));
        }
        text.push('\n');
    }
    if report.names.is_empty() {
        text.push_str(&format!("{file}: nothing has a name\n"));
    }
    text
}

fn text(file: &str, report: &EditReport) -> String {
    let mut text = String::new();
    for change in &report.changes {
        let place = |offset: u64, bytes: u64| match bytes {
            0 => "nowhere".to_owned(),
            _ => format!("{offset:#06x}..{:#06x}", offset + bytes),
        };
        let mut places = place(change.offset, change.bytes);
        let now = place(change.new_offset, change.new_bytes);
        if now != places {
            places.push_str(&format!(" -> {now}"));
        }
        text.push_str(&format!(
            "{}  {}: {} -> {}\n",
            paint(style::DIM, places),
            change.path,
            paint(style::BAD, &change.old),
            paint(style::GOOD, &change.new)
        ));
    }
    match (&report.written, report.changes.is_empty()) {
        (_, true) => text.push_str(&format!("{file}: everything is as it was asked for already\n")),
        (None, false) => text.push_str("nothing written (--dry-run)\n"),
        (Some(written), false) => {
            let backup = report.backup.as_ref().map(|backup| format!(", the old file is {backup}"));
            text.push_str(&format!("wrote {written}{}\n", backup.unwrap_or_default()));
        }
    }
    text
}
