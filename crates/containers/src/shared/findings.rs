//! Collects what checks find.

use super::fields::{Surprise, Surprises};
use unshade_bytes::{Diagnostic, Limits, Location, Severity};

/// Findings of one file: at most [`Limits::diagnostics`] are kept, the others counted.
#[derive(Debug, Default)]
pub(crate) struct Findings {
    found: Vec<Diagnostic>,
    more: usize,
}

/// Offset and length of what a finding is about.
pub(crate) type Place = (u64, u64);

impl Findings {
    pub(crate) fn report(
        &mut self,
        severity: Severity,
        code: &'static str,
        (start, len): Place,
        path: &str,
        message: impl FnOnce() -> String,
    ) {
        if self.found.len() >= Limits::DEFAULT.diagnostics {
            self.more = self.more.saturating_add(1);
            return;
        }
        let location = Location::Bytes(start..start.saturating_add(len));
        self.found.push(Diagnostic::new(severity, code, location, path, message()));
    }

    /// Takes those that others have found, and how many more these had.
    pub(crate) fn take(&mut self, (found, more): (Vec<Diagnostic>, usize)) {
        let room = Limits::DEFAULT.diagnostics.saturating_sub(self.found.len());
        self.more = self.more.saturating_add(more).saturating_add(found.len().saturating_sub(room));
        self.found.extend(found.into_iter().take(room));
    }

    pub(crate) fn error(
        &mut self,
        code: &'static str,
        at: Place,
        path: &str,
        message: impl FnOnce() -> String,
    ) {
        self.report(Severity::Error, code, at, path, message);
    }

    pub(crate) fn warning(
        &mut self,
        code: &'static str,
        at: Place,
        path: &str,
        message: impl FnOnce() -> String,
    ) {
        self.report(Severity::Warning, code, at, path, message);
    }

    pub(crate) fn note(
        &mut self,
        code: &'static str,
        at: Place,
        path: &str,
        message: impl FnOnce() -> String,
    ) {
        self.report(Severity::Note, code, at, path, message);
    }

    /// All findings, most severe first, then by place; those that are not listed are counted in a note of
    /// that code.
    /// Reports the numbers of a record at `start` that have values which files do not have.
    pub(crate) fn surprises(&mut self, surprises: &Surprises, start: u64, path: &str) {
        for Surprise { field, expected } in &surprises.found {
            let place = (start.saturating_add(field.offset), field.size.into());
            self.report(expected.severity, expected.code, place, &inside(path, field.name), || {
                format!("expected {}, found {}", expected.words, field.value)
            });
        }
    }

    pub(crate) fn finish(mut self, more: &'static str) -> Vec<Diagnostic> {
        let place = |diagnostic: &Diagnostic| match &diagnostic.location {
            Location::Bytes(range) => range.start,
            _ => 0,
        };
        self.found.sort_by_key(|diagnostic| (std::cmp::Reverse(diagnostic.severity), place(diagnostic)));
        if self.more > 0 {
            let message = format!("{} more findings are not listed", self.more);
            self.found.push(Diagnostic::new(Severity::Note, more, Location::Whole, "", message));
        }
        self.found
    }
}

/// `parent.name`; for things in the file itself only the name.
pub(crate) fn inside(parent: &str, name: &str) -> String {
    match (parent.is_empty(), name.starts_with('[')) {
        (true, _) => name.to_owned(),
        (false, true) => format!("{parent}{name}"),
        (false, false) => format!("{parent}.{name}"),
    }
}
