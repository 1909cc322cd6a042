//! Problems as text.

use super::{Problem, Severity};
use crate::place::{Sources, Span};
use std::fmt::Write as _;

/// Longer lines are cut around the place.
const WIDTH: usize = 160;

impl Problem {
    /// The problem with its line and a caret, for a terminal without colours. Ends with a line break.
    pub fn render(&self, sources: &Sources) -> String {
        let mut out = String::new();
        let severity = match self.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
        };
        let _ = writeln!(out, "{severity}: {}", self.message);
        snippet(&mut out, sources, self.span, &self.label);
        for (span, text) in &self.notes {
            match span {
                Some(span) => {
                    let _ = writeln!(out, "note: {text}");
                    snippet(&mut out, sources, *span, "");
                }
                None => {
                    let _ = writeln!(out, "  = note: {text}");
                }
            }
        }
        if let Some(help) = &self.help {
            let _ = writeln!(out, "  = help: {help}");
        }
        out
    }
}

fn snippet(out: &mut String, sources: &Sources, span: Span, label: &str) {
    let place = sources.place(span);
    let number = place.line.to_string();
    let gutter = number.len();
    let said = match place.said {
        Some((line, Some(string))) => format!(" (#line {line}, source string {string})"),
        Some((line, None)) => format!(" (#line {line})"),
        None => String::new(),
    };
    let _ = writeln!(out, "{:gutter$}--> {place}{said}", "");
    let _ = writeln!(out, "{:gutter$} |", "");
    let column = (place.column as usize).saturating_sub(1);
    let length = place.length as usize;
    let skip = column.saturating_sub(WIDTH / 2);
    // What would move the cursor or the columns is a space.
    let line: String =
        place.text.chars().skip(skip).take(WIDTH).map(|c| if c.is_control() { ' ' } else { c }).collect();
    let _ = writeln!(out, "{number} | {}", line.trim_end());
    let carets = "^".repeat(length.min(WIDTH.saturating_sub(column - skip)).max(1));
    let text = format!("{:gutter$} | {:width$}{carets} {label}", "", "", width = column - skip);
    let _ = writeln!(out, "{}", text.trim_end());
}
