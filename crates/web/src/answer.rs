//! What a question is answered with.

use serde::Serialize;
use unshade::{Diagnostic, OpenError, WithinError};

/// An answer: a JSON document, or a text as the command prints it.
pub type Answer = Result<String, Failure>;

/// Why there is no answer.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct Failure {
    /// In plain words, as the command says it behind the name of the file.
    pub message: String,
    /// Stable name of what went wrong, where there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub code: Option<String>,
    /// The place in the file inside, in bytes, where it is the file's fault.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub offset: Option<u64>,
    /// What is wrong in a text, with places in it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub findings: Vec<Diagnostic>,
}

impl Failure {
    /// Something that was asked for wrongly.
    pub fn new(message: impl Into<String>) -> Self {
        Self { message: message.into(), ..Self::default() }
    }

    /// A text that is wrong.
    pub(crate) fn text(findings: Vec<Diagnostic>) -> Self {
        let message = match findings.as_slice() {
            [only] => only.message.clone(),
            several => format!("{} things in the text are wrong", several.len()),
        };
        Self { message, findings, ..Self::default() }
    }

    /// The failure as JSON.
    pub fn json(&self) -> String {
        serde_json::to_string(self).unwrap_or_default()
    }
}

impl From<OpenError> for Failure {
    fn from(error: OpenError) -> Self {
        match error {
            OpenError::Within(error) => (*error).into(),
            OpenError::Unknown(error) => Self::new(error.to_string()),
        }
    }
}

impl From<WithinError> for Failure {
    fn from(error: WithinError) -> Self {
        Self {
            message: error.to_string(),
            code: Some(error.error.diagnostic_code().to_owned()),
            offset: Some(error.error.offset),
            findings: Vec::new(),
        }
    }
}

impl From<unshade::Error> for Failure {
    fn from(error: unshade::Error) -> Self {
        Self {
            message: error.to_string(),
            code: Some(error.diagnostic_code().to_owned()),
            offset: Some(error.offset),
            findings: Vec::new(),
        }
    }
}

/// A document as the command prints it with `--json`.
pub(crate) fn document(value: &impl Serialize) -> Answer {
    let mut text = serde_json::to_string_pretty(value).map_err(|error| Failure::new(error.to_string()))?;
    text.push('\n');
    Ok(text)
}

/// A document for the page alone, without blanks.
pub(crate) fn compact(value: &impl Serialize) -> Answer {
    serde_json::to_string(value).map_err(|error| Failure::new(error.to_string()))
}
