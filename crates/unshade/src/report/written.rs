//! What commands say that write files.

use serde::Serialize;
use unshade_bytes::{Diagnostic, Location};
use unshade_isa::assembly::Places;

/// A file that was written.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Written {
    /// `unshade-written-1`.
    pub schema: String,
    /// In the order of writing; none where a text is wrong.
    pub files: Vec<WrittenFile>,
    /// Where the outputs of compiled programs went.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub outputs: Vec<OutputPlace>,
    /// What is wrong with the texts, or may be.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub diagnostics: Vec<TextFinding>,
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

/// Where an output of a compiled program went.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct OutputPlace {
    /// The source.
    pub source: String,
    /// Name of the output in it.
    pub name: String,
    /// What it is to the machine, one for each part; none for one that was left out.
    pub places: Vec<String>,
    /// Why.
    pub reason: String,
}

/// A finding about a text, at its place.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TextFinding {
    /// `error`, `warning` or `note`.
    pub severity: String,
    /// Stable dotted name of the kind of finding.
    pub code: String,
    /// The file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// Its line, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
    /// Column of the first character, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub column: Option<u32>,
    /// How many characters of the line it is about.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub width: Option<u32>,
    /// What was expected and what was found.
    pub message: String,
    /// Further sentences.
    pub notes: Vec<String>,
}

impl Written {
    /// The document of these files.
    pub fn new(files: impl IntoIterator<Item = (String, usize)>) -> Self {
        let files = files.into_iter().map(|(file, bytes)| WrittenFile { file, bytes: bytes as u64 });
        Self {
            schema: "unshade-written-1".to_owned(),
            files: files.collect(),
            outputs: Vec::new(),
            diagnostics: Vec::new(),
        }
    }

    /// The same with what is said of texts.
    #[must_use]
    pub fn with_findings(mut self, findings: &[Diagnostic], places: &Places<'_>) -> Self {
        self.diagnostics.extend(findings.iter().map(|found| TextFinding::of(found, places)));
        self
    }
}

impl TextFinding {
    /// A finding with its place as file, line and column.
    pub fn of(found: &Diagnostic, places: &Places<'_>) -> Self {
        let place = places.find(&found.location);
        let is_whole = matches!(&found.location, Location::Text { span, .. } if *span == (0..0));
        let here = place.filter(|_| !is_whole);
        Self {
            severity: found.severity.to_string(),
            code: found.code.to_string(),
            file: place.map(|place| place.file.to_owned()),
            line: here.map(|place| place.line),
            column: here.map(|place| place.column),
            width: here.map(|place| place.width),
            message: found.message.clone(),
            notes: found.notes.clone(),
        }
    }
}
