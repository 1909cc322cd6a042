//! Findings about source texts, drawn with the line they are about and a caret under the place.

use crate::output::{self, Failure};
use annotate_snippets::{AnnotationKind, Level, Renderer, Snippet};
use unshade::assembly::{Place, Places};
use unshade::report::Written;
use unshade::{Diagnostic, Severity};

/// More than this many findings hide the first, which is the one that matters.
const SHOWN: usize = 20;

/// What is wrong with texts: drawn, or printed as a JSON document.
pub fn failure(places: &Places<'_>, findings: &[Diagnostic], json: bool) -> Failure {
    if !json {
        return Failure::Text(draw(places, findings));
    }
    match output::print_json(&Written::new([]).with_findings(findings, places)) {
        Ok(()) => Failure::Told,
        Err(failure) => failure,
    }
}

/// Draws findings whose places are known.
pub fn draw(places: &Places<'_>, diagnostics: &[Diagnostic]) -> String {
    let renderer = Renderer::styled();
    let shown = diagnostics.iter().take(SHOWN);
    let mut parts: Vec<_> =
        shown.map(|found| one(&renderer, found, places.find(&found.location).as_ref())).collect();
    if diagnostics.len() > SHOWN {
        parts.push(format!("… and {} more", diagnostics.len() - SHOWN));
    }
    parts.join("\n\n")
}

fn one(renderer: &Renderer, found: &Diagnostic, place: Option<&Place<'_>>) -> String {
    let level = match found.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
        Severity::Note => Level::NOTE,
    };
    let title = level.primary_title(found.message.as_str()).id(found.code.as_ref());
    let notes = found.notes.iter().map(|note| Level::NOTE.message(note.as_str()));
    let group = match place {
        Some(place) => title.element(
            Snippet::source(place.text)
                .path(place.file)
                .line_start(place.line as usize)
                .annotation(AnnotationKind::Primary.span(span(place))),
        ),
        None => title.elements(std::iter::empty::<Snippet<'_, annotate_snippets::Annotation<'_>>>()),
    };
    renderer.render(&[group.elements(notes)])
}

/// Byte range of the place in its line.
fn span(place: &Place<'_>) -> std::ops::Range<usize> {
    let byte =
        |column: u32| place.text.char_indices().nth(column as usize).map_or(place.text.len(), |(at, _)| at);
    let first = place.column.saturating_sub(1);
    byte(first)..byte(first.saturating_add(place.width))
}
