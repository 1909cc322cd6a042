//! `replace`, `add`, `remove`: what became of which program.

use crate::change::Change;
use serde::Serialize;
use unshade_bytes::Diagnostic;

/// Programs of a file that were replaced, added or removed.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ChangeReport {
    /// `unshade-change-1`.
    pub schema: String,
    /// The file that was written; none with `--dry-run`, and where the programs did not fit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub written: Option<String>,
    /// The backup of the old file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub backup: Option<String>,
    /// The programs, in the order of the file.
    pub programs: Vec<ProgramChange>,
    /// What of their surroundings does not fit to them, most severe first. With an error nothing was written, unless it
    /// was to be overlooked.
    #[cfg_attr(feature = "schema", schemars(with = "Vec<super::schema::Diagnostic>"))]
    pub diagnostics: Vec<Diagnostic>,
}

/// What became of a program.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ProgramChange {
    /// What stands behind `FILE` to name it.
    pub item: String,
    /// `replaced`, `unchanged`, `added` or `removed`.
    pub what: String,
    /// Bytes of code that it had, or of a source's text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bytes_before: Option<u64>,
    /// Bytes of code that it has, or of a source's text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bytes: Option<u64>,
}

impl ChangeReport {
    /// A report of nothing but findings: the programs did not fit.
    pub fn refused(diagnostics: Vec<Diagnostic>) -> Self {
        let schema = "unshade-change-1".to_owned();
        Self { schema, written: None, backup: None, programs: Vec::new(), diagnostics }
    }

    /// The report of a change.
    pub fn new(change: &Change) -> Self {
        let programs = change.programs.iter().map(|program| ProgramChange {
            item: program.item.clone(),
            what: match (program.before, program.after) {
                (None, _) => "added",
                (_, None) => "removed",
                _ if program.changed => "replaced",
                _ => "unchanged",
            }
            .to_owned(),
            bytes_before: program.before,
            bytes: program.after,
        });
        Self { programs: programs.collect(), ..Self::refused(change.findings.clone()) }
    }
}
