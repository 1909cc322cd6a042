//! Listings of archives: the programs in them, one after the other. They do not hold the rest of the archive, so they
//! are read into the archive that they were made of.

use super::{
    ListingOptions, code_text,
    fields::{Fields, name_bytes},
    gfd_read::{is_end, moved},
    symbols::quoted,
};
use unshade_bytes::{Diagnostic, Location, Severity};
use unshade_containers::Container;
use unshade_isa::pica200::asm::{
    lexer::{Lines, Piece, Statement},
    operand::{Problem, Result},
};
use unshade_isa::text::{PartKind, Sink};
use unshade_stage::{Code, Stage, StageId};

/// Findings that are reported of one text.
const MOST: usize = 1000;

/// Writes the programs of a container.
pub(super) fn write<'a>(
    sink: &mut impl Sink,
    format: &str,
    stages: impl Iterator<Item = Stage<'a>>,
    options: &ListingOptions,
) {
    sink.put(
        PartKind::Comment,
        "; The programs of the archive: `unshade asm --into` puts them into it again.",
    );
    sink.end_line();
    sink.put(PartKind::Directive, ".archive");
    sink.put(PartKind::Plain, " ");
    sink.put(PartKind::Name, format);
    sink.end_line();
    for stage in stages {
        sink.end_line();
        sink.put(PartKind::Directive, ".item");
        sink.put(PartKind::Plain, " ");
        sink.put(PartKind::Name, &quoted(stage.id.0.as_bytes()));
        sink.end_line();
        sink.put(PartKind::Directive, "    .code");
        sink.end_line();
        code_text::write(sink, &stage, options);
        sink.put(PartKind::Directive, "    .end_code");
        sink.end_line();
    }
}

fn wrong(piece: Piece<'_>, message: impl Into<String>) -> Box<Problem> {
    Problem::new("listing.archive", piece.span(), message)
}

/// Whether the text is a listing of an archive: its first statement is `.archive`.
pub fn is_archive_listing(text: &str) -> bool {
    Lines::new(text)
        .map(|line| line.statement())
        .find(|statement| !matches!(statement, Statement::None | Statement::Marker(_)))
        .is_some_and(|first| matches!(first, Statement::Directive { name, .. } if name.is("archive")))
}

/// Puts the programs of a listing into a container that has programs of these names; programs that the text does not
/// name stay. What is not changed in the text does not change in the container.
///
/// # Errors
/// Everything that is wrong in the text, with its place in it; the container is then as it was.
pub fn assemble_into(container: &mut Container, text: &str) -> std::result::Result<(), Vec<Diagnostic>> {
    let mut changed = Vec::new();
    let mut findings = Vec::new();
    let mut item: Option<StageId> = None;
    let mut lines = Lines::new(text);
    while let Some(line) = lines.next() {
        if findings.len() >= MOST {
            break;
        }
        let outcome = match line.statement() {
            Statement::None | Statement::Marker(_) => Ok(()),
            Statement::Directive { head, name, .. } if name.is("code") => {
                let start = line.body.span().end;
                let end = lines.by_ref().find(|line| is_end(line.statement())).map(|line| line.body.at);
                let code = end.and_then(|end| text.get(start..end));
                match (code, item.take()) {
                    (Some(code), Some(id)) => {
                        read_code(container, id, code, start, &mut changed, &mut findings)
                    }
                    (None, _) => Err(wrong(head, "`.code` has no `.end_code`")),
                    (_, None) => Err(wrong(head, "`.code` has no `.item` in front of it")),
                }
            }
            Statement::Directive { head, name, arguments } => (|| -> Result<()> {
                let mut fields = Fields::new(head, arguments)?;
                if name.is("archive") {
                    fields.word("the format")?;
                } else if name.is("item") {
                    let piece = fields.word("the name of a program")?;
                    let id = StageId(String::from_utf8_lossy(&name_bytes(piece)?).into_owned());
                    if container.stage(&id).is_none() {
                        return Err(wrong(piece, format!("the container has no program `{id}`")));
                    }
                    item = Some(id);
                } else {
                    return Err(wrong(head, format!("expected `.item` or `.code`, found `{}`", head.text)));
                }
                fields.end()
            })(),
            Statement::Instruction { head, .. } => {
                Err(wrong(head, format!("expected a directive, found `{}`", head.text))
                    .note("instructions stand between `.code` and `.end_code`"))
            }
        };
        if let Err(problem) = outcome {
            let location = Location::Text { source: 0, span: problem.span };
            let mut finding = Diagnostic::new(Severity::Error, problem.code, location, "", problem.message);
            finding.notes = problem.notes;
            findings.push(finding);
        }
    }
    if !findings.is_empty() {
        return Err(findings);
    }
    let mut result = container.clone();
    for (id, words, at) in changed {
        let code = Code { words: words.into(), ..Code::default() };
        if let Err(error) = result.replace(&id, &code) {
            let location = Location::Text { source: 0, span: at..at };
            findings.push(Diagnostic::new(
                Severity::Error,
                "listing.archive",
                location,
                "",
                error.to_string(),
            ));
        }
    }
    if !findings.is_empty() {
        return Err(findings);
    }
    *container = result;
    Ok(())
}

/// The words of a program, kept where they are not those that it has.
fn read_code(
    container: &Container,
    id: StageId,
    code: &str,
    at: usize,
    changed: &mut Vec<(StageId, Vec<u32>, usize)>,
    findings: &mut Vec<Diagnostic>,
) -> Result<()> {
    let Some(stage) = container.stage(&id) else { return Ok(()) };
    match code_text::read(stage.isa, code, &stage.interface.symbols) {
        Ok(words) if words == *stage.code.words => {}
        Ok(words) => changed.push((id, words, at)),
        Err(found) => findings.extend(moved(found, at)),
    }
    Ok(())
}
