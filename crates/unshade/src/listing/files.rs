//! Listings of several containers that lie in one file: each stands behind the name that it has there.

use super::{
    ListingKind, ListingOptions,
    fields::{Fields, name_bytes},
    statements,
    symbols::quoted,
    write_container,
};
use crate::Inner;
use std::{borrow::Cow, ops::Range};
use unshade_bytes::{Diagnostic, Location, Severity};
use unshade_isa::assembly::Problem;
use unshade_isa::assembly::lexer::{Lines, Piece, Statement};
use unshade_isa::text::{PartKind, Sink};

/// What is wrong where the form of a statement is.
const CODE: &str = "listing.files";

/// Writes the containers of a file: one by itself, several each behind its name.
pub(super) fn write(sink: &mut impl Sink, containers: &[Inner], options: &ListingOptions) {
    match containers {
        [] => return,
        [only] => return write_container(sink, &only.container, options),
        _ => {}
    }
    let remark = "; What the files inside hold: `unshade asm --into` puts it into them again.";
    sink.put(PartKind::Comment, remark);
    sink.end_line();
    sink.put(PartKind::Directive, ".files");
    sink.end_line();
    for inner in containers {
        sink.end_line();
        sink.put(PartKind::Directive, ".inside");
        sink.put(PartKind::Plain, " ");
        sink.put(PartKind::Name, &quoted(name(inner).as_bytes()));
        sink.end_line();
        write_container(sink, &inner.container, options);
    }
    sink.end_line();
    sink.put(PartKind::Directive, ".end_files");
    sink.end_line();
}

/// What a container is called in its file. One that only has others behind it has no name.
pub(crate) fn name(inner: &Inner) -> &str {
    inner.name.as_deref().unwrap_or_default()
}

/// The listing of one container among several.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Part<'t> {
    /// What it is called.
    pub name: String,
    /// Where that stands in the whole text.
    pub at: Range<usize>,
    /// Its listing, and where that starts in the whole text.
    pub text: &'t str,
    /// Byte offset of `text`.
    pub start: usize,
}

fn wrong(piece: Piece<'_>, message: impl Into<Cow<'static, str>>) -> Box<Problem> {
    Problem::new(CODE, piece.span(), message)
}

/// The listings in a listing of several files.
///
/// # Errors
/// Where it has another form, or was cut.
pub(crate) fn split(text: &str) -> Result<Vec<Part<'_>>, Vec<Diagnostic>> {
    let mut parts: Vec<Part<'_>> = Vec::new();
    let (mut findings, mut ended) = (Vec::new(), false);
    for line in Lines::new(text) {
        let Statement::Directive { head, name, arguments } = line.statement() else { continue };
        let mut part = || {
            let (first, ends) = (name.is("files") && parts.is_empty(), name.is("end_files"));
            if ended {
                return Err(wrong(head, format!("`{}` stands behind `.end_files`", head.text)));
            }
            if !first && !ends && !name.is("inside") {
                // What a part says is for its own format to read.
                return match parts.is_empty() {
                    true => Err(wrong(head, format!("expected `.inside`, found `{}`", head.text))),
                    false => Ok(()),
                };
            }
            if let Some(last) = parts.last_mut() {
                last.text = text.get(last.start..head.at).unwrap_or_default();
            }
            let mut fields = Fields::new(head, arguments)?;
            if name.is("inside") {
                let piece = fields.word("the name of a file")?;
                let name = String::from_utf8_lossy(&name_bytes(piece)?).into_owned();
                let start = line.body.span().end;
                parts.push(Part { name, at: piece.span(), text: "", start });
            }
            ended = ends;
            fields.end()
        };
        if let Err(problem) = part() {
            findings.push(statements::finding(*problem));
            if findings.len() >= statements::MOST {
                return Err(findings);
            }
        }
    }
    if !ended {
        findings.push(statements::cut(CODE, text, ".end_files"));
    }
    for part in &parts {
        if findings.is_empty()
            && !matches!(kind(part), Some(ListingKind::Container(_) | ListingKind::Archive(_)))
        {
            let location = Location::Text { source: 0, span: part.at.clone() };
            let message = format!(
                "expected `.container` or `.archive` behind `.inside {}`",
                quoted(part.name.as_bytes())
            );
            findings.push(Diagnostic::new(Severity::Error, CODE, location, part.name.clone(), message));
        }
    }
    if findings.is_empty() { Ok(parts) } else { Err(findings) }
}

fn kind<'t>(part: &Part<'t>) -> Option<ListingKind<'t>> {
    ListingKind::of(part.text)
}

/// Findings about the text of a part, with their places in the whole text and the name of the file.
pub(crate) fn of_part(findings: Vec<Diagnostic>, part: &Part<'_>) -> Vec<Diagnostic> {
    let name: Cow<'_, str> =
        if part.name.is_empty() { "the first file".into() } else { format!("`{}`", part.name).into() };
    statements::moved(findings, part.start).map(|finding| finding.note(format!("in {name}"))).collect()
}

#[cfg(test)]
mod tests {
    use super::split;

    #[test]
    fn the_text_falls_into_its_parts() {
        let text = ".files\n.inside \"a\\x3ab\"\n.container shbin\nx\n; .inside\n.inside c\n.archive bnsh\n.end_archive\n.end_files\n";
        let parts = split(text).unwrap();
        let found: Vec<_> = parts.iter().map(|part| (part.name.as_str(), part.text.trim())).collect();
        assert_eq!(found, [("a:b", ".container shbin\nx\n; .inside"), ("c", ".archive bnsh\n.end_archive")]);
        assert_eq!(&text[parts[1].start..parts[1].start + 6], "\n.arch");
        for (wrong, expected) in [
            (text.replace(".end_files", ""), "ends without `.end_files`"),
            (text.replace(".files\n.inside", ".files 3\n.inside"), "unexpected `3`"),
            (text.replace(".container shbin", ".isa latte"), "expected `.container` or `.archive`"),
            (text.replace(".files\n", ".files\n.item a\n"), "expected `.inside`, found `.item`"),
            (text.replace(".inside c", ".inside"), "the name of a file is missing"),
            (format!("{text}.inside d"), "stands behind `.end_files`"),
        ] {
            let found = split(&wrong).unwrap_err();
            assert!(found[0].message.contains(expected), "{expected}: {found:?}");
        }
    }
}
