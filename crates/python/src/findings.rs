//! Findings about files, code and texts.

use pyo3::prelude::*;
use unshade::Location;
use unshade::assembly::{Places, Source};

/// A finding: what is wrong, how bad it is, where it is.
#[pyclass(frozen, get_all, eq, module = "unshade")]
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Diagnostic {
    /// `error`, `warning` or `note`.
    severity: String,
    /// Stable name of the kind of finding: `shbin.dvle.magic`.
    code: String,
    /// Where in the file it is, in bytes.
    offset: Option<u64>,
    /// Path of the field: `dvle[0].magic`.
    path: Option<String>,
    /// What was expected and what was found.
    message: String,
    /// Why it matters, what to do.
    notes: Vec<String>,
    /// Of code: the word, counted from the start of the program.
    word: Option<u32>,
    /// Of a text: its name.
    file: Option<String>,
    /// Of a text: the line, from 1.
    line: Option<u32>,
    /// Of a text: the column, from 1, in characters.
    column: Option<u32>,
    text: String,
}

#[pymethods]
impl Diagnostic {
    fn __str__(&self) -> &str {
        &self.text
    }

    fn __repr__(&self) -> String {
        format!("<unshade.Diagnostic {}>", self.text)
    }
}

impl From<&unshade::Diagnostic> for Diagnostic {
    fn from(found: &unshade::Diagnostic) -> Self {
        let (offset, word) = match &found.location {
            Location::Bytes(range) => (Some(range.start), None),
            Location::Word(word) => (None, Some(*word)),
            Location::Text { .. } | Location::Whole => (None, None),
        };
        Self {
            severity: found.severity.to_string(),
            code: found.code.to_string(),
            offset,
            path: Some(found.path.clone()).filter(|path| !path.is_empty()),
            message: found.message.clone(),
            notes: found.notes.clone(),
            word,
            file: None,
            line: None,
            column: None,
            text: found.to_string(),
        }
    }
}

pub(crate) fn diagnostics(found: &[unshade::Diagnostic]) -> Vec<Diagnostic> {
    found.iter().map(Diagnostic::from).collect()
}

/// A finding about texts, and the line that it is about with a mark under the place.
pub(crate) fn in_texts(places: &Places<'_>, found: &unshade::Diagnostic) -> (Diagnostic, Option<String>) {
    let plain = Diagnostic::from(found);
    let Some(place) = places.find(&found.location) else { return (plain, None) };
    let text = format!(
        "{}:{}:{}: {}[{}]: {}",
        place.file, place.line, place.column, found.severity, found.code, found.message
    );
    let before: String = place.text.chars().take(place.column.saturating_sub(1) as usize).collect();
    // Tabs stay, so that the mark stands below the place.
    let blank: String = before.chars().map(|letter| if letter == '\t' { '\t' } else { ' ' }).collect();
    let marks = "^".repeat(place.width.clamp(1, 200) as usize);
    let snippet = format!("{text}\n    {}\n    {blank}{marks}", place.text);
    let located = Diagnostic {
        file: Some(place.file.to_owned()),
        line: Some(place.line),
        column: Some(place.column),
        text,
        ..plain
    };
    (located, Some(snippet))
}

/// Findings about these texts, and what is said of the first that counts.
pub(crate) fn about_texts(
    sources: &[Source<'_>],
    found: &[unshade::Diagnostic],
) -> (Vec<Diagnostic>, String) {
    let places = Places::new(sources);
    let all: Vec<_> = found.iter().map(|found| in_texts(&places, found)).collect();
    let mut text = all.first().map(|(found, snippet)| snippet.clone().unwrap_or_else(|| found.text.clone()));
    if let (Some(text), more) = (&mut text, all.len().saturating_sub(1))
        && more > 0
    {
        text.push_str(&format!("\n\u{2026} and {more} more"));
    }
    (all.into_iter().map(|(found, _)| found).collect(), text.unwrap_or_default())
}
