//! What commands say that write files.

use serde::Serialize;

/// A file that was written.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Written {
    /// `unshade-written-1`.
    pub schema: String,
    /// In the order of writing.
    pub files: Vec<WrittenFile>,
}

/// Name and size of a file that was written.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct WrittenFile {
    /// Its path.
    pub file: String,
    /// Its size.
    pub bytes: u64,
}

impl Written {
    /// The document of these files.
    pub fn new(files: impl IntoIterator<Item = (String, usize)>) -> Self {
        let files = files.into_iter().map(|(file, bytes)| WrittenFile { file, bytes: bytes as u64 });
        Self { schema: "unshade-written-1".to_owned(), files: files.collect() }
    }
}
