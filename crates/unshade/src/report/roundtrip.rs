//! `roundtrip`: read, write, compare.

use crate::Opened;
use serde::Serialize;

/// Whether a file comes back.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RoundtripReport {
    /// The bytes are the same.
    pub identical: bool,
    /// Where not: what differs first, as a sentence with offset and field path.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub difference: Option<String>,
}

/// Writes every container of an opened file and compares with the file's bytes.
pub fn roundtrip(bytes: &[u8], opened: &Opened) -> RoundtripReport {
    let difference = opened.containers.iter().find_map(|inner| inner.difference(bytes));
    RoundtripReport { identical: difference.is_none(), difference }
}
