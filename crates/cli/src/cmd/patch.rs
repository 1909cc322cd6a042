//! `patch`: what one file adds to another, made and applied.

use crate::{
    args::{Patch, PatchApply, PatchMake},
    input,
    output::{self, Failure, Outcome, Status},
    style::{self, paint},
};
use unshade::{
    FilePath, Rewritten,
    patch::{self, PatchError},
    report::PatchReport,
};

pub fn run(what: &Patch, json: bool) -> Outcome {
    match what {
        Patch::Make(arguments) => make(arguments, json),
        Patch::Apply(arguments) => apply(arguments, json),
    }
}

/// What an argument names, as bytes: a file, or one in it.
fn chosen(argument: &str) -> Outcome<Vec<u8>> {
    let place = whole(argument)?;
    let bytes = input::read(&place.file)?;
    inside(&place, bytes)
}

fn inside(place: &FilePath, bytes: Vec<u8>) -> Outcome<Vec<u8>> {
    if place.inner.is_empty() {
        return Ok(bytes);
    }
    patch::file_at(input::source(&bytes), &place.inner)
        .map_err(|error| Failure::open(place.file.clone(), error))
}

/// The place of a file; programs have no patches of their own.
fn whole(argument: &str) -> Outcome<FilePath> {
    let place = input::place(argument);
    match &place.item {
        Some(item) => Err(Failure::usage(format!("patches are about whole files; leave #{item} out"))),
        None => Ok(place),
    }
}

fn make(arguments: &PatchMake, json: bool) -> Outcome {
    let (old, new) = (chosen(&arguments.old)?, chosen(&arguments.new)?);
    let text = patch::make(input::source(&old), input::source(&new)).to_string();
    output::write_file(&arguments.output, text.as_bytes())?;
    let mut report = PatchReport::new(text.len(), true, old == new);
    report.written = Some(arguments.output.clone());
    if json {
        output::print_json(&report)?;
    } else if arguments.output != "-" {
        let same = if old == new { "; the files are the same" } else { "" };
        output::print(&format!("wrote {}, {} bytes{same}\n", arguments.output, text.len()))?;
    }
    Ok(Status::Good)
}

fn apply(arguments: &PatchApply, json: bool) -> Outcome {
    let place = whole(&arguments.file)?;
    let target = arguments.target.place(&place.file)?;
    let text = input::read_text(&arguments.patch)?;
    let made = patch::parse(&text).map_err(|error| Failure::file(arguments.patch.clone(), error))?;
    let bytes = input::read(&place.file)?;
    let old = inside(&place, bytes.clone())?;
    let applied = match patch::apply(&made, input::source(&old)) {
        Ok(applied) => applied,
        Err(error) => return refused(arguments, error, json),
    };
    let mut report = PatchReport::new(applied.rewritten.bytes.len(), applied.exact, applied.already);
    let rewritten = match place.inner.is_empty() {
        true => applied.rewritten,
        false => {
            let Rewritten { bytes: new, notes } = applied.rewritten;
            let mut outer = unshade::replace_file(input::source(&bytes), &place.inner, new)
                .map_err(|error| Failure::open(place.file.clone(), error))?;
            outer.notes.splice(0..0, notes);
            outer
        }
    };
    if !applied.already || arguments.target.output.is_some() {
        (report.written, report.backup) = target.write(&rewritten)?;
    }
    if json {
        output::print_json(&report)?;
    } else if report.written.as_deref() != Some("-") {
        output::print(&told(arguments, &report))?;
    }
    Ok(Status::Good)
}

fn refused(arguments: &PatchApply, error: PatchError, json: bool) -> Outcome {
    match error {
        PatchError::Failed(hunks) => {
            if json {
                output::print_json(&PatchReport::failed(&hunks))?;
            } else {
                for hunk in &hunks {
                    let head = paint(style::BAD, "error[patch.hunk]:");
                    output::print_rendered(&format!("{head} {}: {hunk}", arguments.file));
                }
                let count = match hunks.len() {
                    1 => "1 hunk".to_owned(),
                    count => format!("{count} hunks"),
                };
                output::note(&format!("{count} without a place; nothing written"));
            }
            Ok(Status::Bad)
        }
        PatchError::Errors(found) => {
            found.iter().for_each(|finding| output::print_diagnostic(&arguments.file, finding));
            output::note(
                "the patched file would have these errors, which it had not before; nothing written",
            );
            Ok(Status::Bad)
        }
        PatchError::Open(error) => Err(Failure::open(arguments.file.clone(), error)),
        PatchError::Patch(error) => Err(Failure::file(arguments.file.clone(), *error)),
    }
}

fn told(arguments: &PatchApply, report: &PatchReport) -> String {
    let how = match (report.already, report.exact) {
        (true, _) => return format!("{}: the patch is in it already\n", arguments.file),
        (_, true) => "the file that the patch was made for, byte for byte",
        _ => {
            "not the file that the patch was made from: every hunk found its place, and there is no new error"
        }
    };
    let written = match &report.written {
        None => "nothing written (--dry-run)".to_owned(),
        Some(written) => {
            let backup = report.backup.as_ref().map(|backup| format!(", the old file is {backup}"));
            format!("wrote {written}{}", backup.unwrap_or_default())
        }
    };
    format!("{how}\n{written}\n")
}
