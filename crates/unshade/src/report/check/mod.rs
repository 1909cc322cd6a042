//! `check`: what is wrong with a file, container and code together.

mod kinds;
mod paths;

pub use kinds::Kind;

use crate::headers::add_headers;
use crate::lint::lint;
use crate::{
    OpenError, WithinError,
    open::{names, open_at, within},
};
use serde::Serialize;
use std::{borrow::Cow, collections::BTreeMap};
use unshade_bytes::{Coverage, Diagnostic, Location, Severity};
use unshade_containers::wrap::{layer::Layer, nest::Source};
use unshade_stage::Stage;

/// All findings about one file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CheckReport {
    /// Most severe first, then by place.
    #[cfg_attr(feature = "schema", schemars(with = "Vec<super::schema::Diagnostic>"))]
    pub diagnostics: Vec<Diagnostic>,
    /// Bytes of the containers that no part of the structure owns.
    pub unowned: Vec<UnownedRange>,
}

/// Bytes without an owner.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct UnownedRange {
    /// What stands behind `:`, where the file is inside a wrapper.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub inner: Option<String>,
    /// First byte, from the start of the file.
    pub offset: u64,
    /// How many.
    pub bytes: u64,
}

impl CheckReport {
    /// How many findings there are of a severity.
    pub fn count(&self, severity: Severity) -> usize {
        self.diagnostics.iter().filter(|diagnostic| diagnostic.severity == severity).count()
    }
}

/// Checks a file: bytes that cannot be read are one finding, so this never fails. `inner` and `item` narrow
/// it down as on the command line.
pub fn check<'f>(file: impl Into<Source<'f>>, inner: &[String], item: Option<&str>) -> CheckReport {
    let source = file.into();
    let bytes = source.bytes;
    let opened = match open_at(source, inner) {
        Ok(opened) => opened,
        Err(error) => {
            let finding = match error {
                OpenError::Within(error) => failure(&error),
                OpenError::Unknown(error) => {
                    let (code, text) = ("check.unknown-name", error.to_string());
                    Diagnostic::new(Severity::Error, code, Location::Whole, String::new(), text)
                }
            };
            return CheckReport { diagnostics: vec![finding], unowned: Vec::new() };
        }
    };
    if let Err(error) = opened.require(item) {
        let (code, text) = ("check.unknown-name", error.to_string());
        let finding = Diagnostic::new(Severity::Error, code, Location::Whole, String::new(), text);
        return CheckReport { diagnostics: vec![finding], unowned: Vec::new() };
    }
    let mut found = Found::default();
    for wrapped in opened.wrappers.iter().filter(|wrapped| wrapped.chosen && item.is_none()) {
        let bytes = wrapped.piece.bytes(bytes);
        let layer = Layer::read(wrapped.kind, bytes, &opened.dictionaries);
        let (diagnostics, coverage) = match layer {
            Ok(layer) => {
                let (mut about, tree) = (layer.check(), layer.tree());
                paths::settle(&tree, &mut about);
                (about, tree.coverage(bytes.len() as u64))
            }
            Err(error) => (vec![error.diagnostic()], Coverage::default()),
        };
        found.file();
        found.take(diagnostics, wrapped.name.as_deref(), 0);
        found.unowned(&coverage, wrapped.name.as_deref(), 0);
    }
    for inner in &opened.containers {
        let name = inner.name.as_deref().filter(|_| !inner.chain.0.is_empty());
        found.file();
        let whole =
            item.is_none_or(|item| opened.stages(Some(item)).any(|(other, _)| std::ptr::eq(other, inner)));
        let mut about = if whole { inner.container.check() } else { Vec::new() };
        let mut stages = inner.container.stages();
        for stage in stages.by_ref().filter(|stage| item.is_none_or(|item| names(stage, item))) {
            about.extend(lint(&stage).into_iter().filter(|finding| found.has_room(finding)));
        }
        about.extend(stages.left_out().map(|error| error.diagnostic()));
        if whole || !about.is_empty() {
            let mut tree = inner.container.tree();
            if whole {
                found.unowned(&tree.coverage(tree.size), name, inner.offset);
            }
            if !about.is_empty() {
                add_headers(&mut tree, &inner.container);
                paths::settle(&tree, &mut about);
            }
        }
        found.take(about, inner.name.as_deref(), inner.offset);
    }
    found.file();
    found.take(opened.failed.iter().map(failure).collect(), None, 0);
    let unread = opened.unread.iter().filter(|_| item.is_none()).map(|file| {
        let path = within(file.name.as_deref(), "");
        let message = format!("{} is known by name only and was not looked at", file.format.describe());
        Diagnostic::new(Severity::Note, "wrap.not-read", Location::Whole, path, message)
    });
    found.take(unread.collect(), None, 0);
    found.report()
}

/// Checks a program without a container: what the instruction set finds.
pub fn check_code(stage: &Stage<'_>) -> CheckReport {
    let mut found = Found::default();
    found.file();
    let about = lint(stage).into_iter().filter(|finding| found.has_room(finding)).collect();
    found.take(about, None, 0);
    found.report()
}

/// A file inside that cannot be read, as a finding.
fn failure(error: &WithinError) -> Diagnostic {
    let mut finding = error.error.diagnostic();
    finding.path = within(error.chain.name().as_deref(), &finding.path);
    if error.chain.wrappers().next().is_some() {
        finding
            .notes
            .push(format!("inside {}; offsets count from the start of the file inside", error.chain));
    }
    finding
}

/// Findings of one kind about the code of all programs that are kept; of more the number is told.
const MOST_OF_A_KIND: u64 = 10_000;

/// Findings with the number of the file that each is about.
#[derive(Default)]
struct Found {
    /// How many there were about code, by code.
    counts: BTreeMap<Cow<'static, str>, u64>,
    diagnostics: Vec<(usize, Diagnostic)>,
    unowned: Vec<UnownedRange>,
    files: usize,
}

impl Found {
    /// What follows is about another file.
    fn file(&mut self) {
        self.files += 1;
    }

    /// Counts a finding about code, and says whether it is kept: many programs may each have many.
    fn has_room(&mut self, finding: &Diagnostic) -> bool {
        let count = self.counts.entry(finding.code.clone()).or_default();
        *count = count.saturating_add(1);
        *count <= MOST_OF_A_KIND
    }

    /// Findings about a container that starts at `offset` of the file `name`.
    fn take(&mut self, found: Vec<Diagnostic>, name: Option<&str>, offset: u64) {
        let files = self.files;
        self.diagnostics.extend(found.into_iter().map(|finding| {
            let path = within(name, &finding.path);
            (files, Diagnostic { path, ..finding.moved(offset) })
        }));
    }

    fn unowned(&mut self, coverage: &Coverage, name: Option<&str>, offset: u64) {
        self.unowned.extend(coverage.unowned().map(|range| UnownedRange {
            inner: name.map(str::to_owned),
            offset: offset.saturating_add(range.start),
            bytes: range.end.saturating_sub(range.start),
        }));
    }

    /// Most severe first, then in the order of the files, then by place. Programs that share code share its
    /// findings.
    fn report(mut self) -> CheckReport {
        self.diagnostics.sort_by(|(a_file, a), (b_file, b)| {
            let key = |file: &usize, d: &Diagnostic| (std::cmp::Reverse(d.severity), *file, place(d));
            key(a_file, a)
                .cmp(&key(b_file, b))
                .then_with(|| a.code.cmp(&b.code))
                .then_with(|| a.path.cmp(&b.path))
        });
        let mut diagnostics: Vec<_> = self.diagnostics.into_iter().map(|(_, finding)| finding).collect();
        diagnostics.dedup();
        for (code, count) in self.counts.into_iter().filter(|(_, count)| *count > MOST_OF_A_KIND) {
            if let Some(last) = diagnostics.iter_mut().rfind(|finding| finding.code == code) {
                last.notes.push(format!("{} more of this kind are not listed", count - MOST_OF_A_KIND));
            }
        }
        CheckReport { diagnostics, unowned: self.unowned }
    }
}

fn place(diagnostic: &Diagnostic) -> u64 {
    match &diagnostic.location {
        Location::Bytes(range) => range.start,
        Location::Word(word) => u64::from(*word),
        Location::Text { span, .. } => span.start as u64,
        Location::Whole => 0,
    }
}
