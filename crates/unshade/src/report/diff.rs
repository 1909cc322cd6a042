//! `diff`: what is different between two files.

use crate::diff::Difference;
use serde::Serialize;

/// What is different between two files.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct DiffReport {
    /// `unshade-diff-1`.
    pub schema: String,
    /// The old file, as given.
    pub old: String,
    /// The new file, as given.
    pub new: String,
    /// What is different.
    #[serde(flatten)]
    pub difference: Difference,
}

impl DiffReport {
    /// The document of two files.
    pub fn new(old: impl Into<String>, new: impl Into<String>, difference: Difference) -> Self {
        Self { schema: "unshade-diff-1".to_owned(), old: old.into(), new: new.into(), difference }
    }
}
