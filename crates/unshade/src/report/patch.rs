//! `patch`: what became of a patch.

use crate::patch::FailedHunk;
use serde::Serialize;

/// A patch that was made or applied, or was not.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PatchReport {
    /// `unshade-patch-report-1`.
    pub schema: String,
    /// Whether the file is the one that the patch was made from, so that the result is the one that it was made for.
    pub exact: bool,
    /// Whether the file was the result before.
    pub already: bool,
    /// Size of the result in bytes: of the patch, or of the patched file.
    pub bytes: u64,
    /// The file that was written; none with `--dry-run`, or where hunks failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub written: Option<String>,
    /// The backup of the old file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub backup: Option<String>,
    /// Hunks that found no place; then nothing was written.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub failed: Vec<HunkFailure>,
}

/// A hunk that found no place.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct HunkFailure {
    /// Where: a field's path, or a part and its line, with the name of the file in front.
    pub place: String,
    /// What must stand there.
    pub expected: String,
    /// What stands there.
    pub found: String,
}

impl PatchReport {
    /// The report of a result of so many bytes.
    pub fn new(bytes: usize, exact: bool, already: bool) -> Self {
        Self {
            schema: "unshade-patch-report-1".to_owned(),
            exact,
            already,
            bytes: bytes as u64,
            written: None,
            backup: None,
            failed: Vec::new(),
        }
    }

    /// The report of hunks that failed.
    pub fn failed(hunks: &[FailedHunk]) -> Self {
        let failed = hunks.iter().map(|hunk| HunkFailure {
            place: hunk.place.clone(),
            expected: hunk.expected.clone(),
            found: hunk.found.clone(),
        });
        Self { failed: failed.collect(), ..Self::new(0, false, false) }
    }
}
