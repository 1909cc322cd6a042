//! `check`: what is wrong with a file, container and code together.

use crate::open;
use serde::Serialize;
use unshade_bytes::{Diagnostic, Location, Severity};
use unshade_isa::{latte, mali_gp, mali_pp, pica200};
use unshade_stage::{Isa, Stage};

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
pub fn check(bytes: &[u8], inner: &[String], item: Option<&str>) -> CheckReport {
    let alone = |finding| CheckReport { diagnostics: vec![finding], unowned: Vec::new() };
    let opened = match open(bytes) {
        Ok(opened) => opened,
        Err(error) => return alone(error.diagnostic()),
    };
    let opened = match opened.select(inner) {
        Ok(opened) => opened,
        Err(error) => {
            let finding = Diagnostic::new(
                Severity::Error,
                "check.unknown-name",
                Location::Whole,
                String::new(),
                error.to_string(),
            );
            return alone(finding);
        }
    };
    let mut diagnostics = Vec::new();
    let mut unowned = Vec::new();
    for inner in &opened.containers {
        diagnostics.extend(inner.container.check().into_iter().map(|found| moved(found, inner.offset)));
        let coverage = inner.container.coverage();
        unowned.extend(coverage.unowned().map(|range| UnownedRange {
            offset: inner.offset.saturating_add(range.start),
            bytes: range.end.saturating_sub(range.start),
        }));
    }
    for (inner, stage) in opened.stages(item) {
        diagnostics.extend(lint(&stage).into_iter().map(|found| moved(found, inner.offset)));
    }
    // Programs that share code share its findings.
    diagnostics.sort_by(|a, b| {
        let key = |d: &Diagnostic| (std::cmp::Reverse(d.severity), place(d));
        key(a).cmp(&key(b)).then_with(|| a.code.cmp(&b.code)).then_with(|| a.path.cmp(&b.path))
    });
    diagnostics.dedup();
    CheckReport { diagnostics, unowned }
}

/// A finding about a container that starts at `offset` of the file.
fn moved(mut diagnostic: Diagnostic, offset: u64) -> Diagnostic {
    if let Location::Bytes(range) = &mut diagnostic.location {
        range.start = range.start.saturating_add(offset);
        range.end = range.end.saturating_add(offset);
    }
    diagnostic
}

/// The code's own findings.
fn lint(stage: &Stage<'_>) -> Vec<Diagnostic> {
    match stage.isa {
        Isa::Pica200 => pica200::lint::lint(stage),
        Isa::MaliGp => mali_gp::lint::lint(stage),
        Isa::MaliPp => mali_pp::lint::lint(stage),
        Isa::Latte => latte::lint::lint(stage),
        _ => Vec::new(),
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
