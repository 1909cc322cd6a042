//! `edit`: what changed.

use serde::Serialize;
use unshade_containers::edit::Changed;

/// The fields of a file that changed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct EditReport {
    /// `unshade-edit-1`.
    pub schema: String,
    /// The file that was written; none with `--dry-run`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub written: Option<String>,
    /// The backup of the old file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub backup: Option<String>,
    /// In the order in which they were asked for.
    pub changes: Vec<FieldChange>,
}

/// A field that changed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FieldChange {
    /// Its path, as `show` prints it.
    pub path: String,
    /// Its first byte, from the start of the container.
    pub offset: u64,
    /// How many bytes it has.
    pub bytes: u64,
    /// Its value before.
    pub old: String,
    /// Its value now.
    pub new: String,
}

/// The report of these changes.
pub fn edit(changed: &[Changed]) -> EditReport {
    let changes = changed.iter().map(|change| FieldChange {
        path: change.path.clone(),
        offset: change.place.start,
        bytes: change.place.end.saturating_sub(change.place.start),
        old: change.old.clone(),
        new: change.new.clone(),
    });
    EditReport {
        schema: "unshade-edit-1".to_owned(),
        written: None,
        backup: None,
        changes: changes.collect(),
    }
}
