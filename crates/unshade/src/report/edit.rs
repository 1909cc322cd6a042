//! `edit`: what changed, and what has a name.

use serde::Serialize;
use unshade_containers::edit::{Changed, Named};

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

/// A field or a value that changed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FieldChange {
    /// Its path, as `show` prints it, or its name, as `edit --names` prints it.
    pub path: String,
    /// Its first byte, from the start of the container.
    pub offset: u64,
    /// How many bytes it had; 0 where it was not there.
    pub bytes: u64,
    /// Its first byte in the file as it is now.
    pub new_offset: u64,
    /// How many bytes it has now; 0 where it is not there any more.
    pub new_bytes: u64,
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
        new_offset: change.now.start,
        new_bytes: change.now.end.saturating_sub(change.now.start),
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

/// What a container has names for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct NamesReport {
    /// `unshade-names-1`.
    pub schema: String,
    /// In file order.
    pub names: Vec<NamedThing>,
}

/// Something that a container has a name for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct NamedThing {
    /// Its name, by which `edit` finds it.
    pub name: String,
    /// Its own name, which `edit --rename` changes; none where that cannot be.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub own: Option<String>,
    /// Its value, which `edit --set` changes; `none` where it has none and could have one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<String>,
    /// What `edit --set` takes, in a few words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub takes: Option<String>,
}

/// The report of these names.
pub fn names(names: Vec<Named>) -> NamesReport {
    let thing = |named: Named| NamedThing {
        name: named.name,
        own: named.own,
        value: named.value,
        takes: named.takes,
    };
    NamesReport { schema: "unshade-names-1".to_owned(), names: names.into_iter().map(thing).collect() }
}
