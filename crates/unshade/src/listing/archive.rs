//! Listings of archives: the programs in them, one after the other. They do not hold the rest of the archive, so they
//! are read into the archive that they were made of.

use super::{
    ListingOptions, code_text,
    fields::{Fields, name_bytes},
    statements::{self, moved},
    symbols::quoted,
};
use unshade_bytes::{Diagnostic, Location, Severity};
use unshade_containers::{Container, stages::Stages};
use unshade_isa::pica200::asm::{
    lexer::{Arguments, Lines, Piece, Statement},
    operand::{Problem, Result},
};
use unshade_isa::text::{PartKind, Sink};
use unshade_stage::{Code, StageId};

/// What is wrong where the form of a statement is.
const CODE: &str = "listing.archive";

/// Writes the programs of a container.
pub(super) fn write(sink: &mut impl Sink, format: &str, mut stages: Stages<'_>, options: &ListingOptions) {
    sink.put(
        PartKind::Comment,
        "; The programs of the archive: `unshade asm --into` puts them into it again.",
    );
    sink.end_line();
    sink.put(PartKind::Directive, ".archive");
    sink.put(PartKind::Plain, " ");
    sink.put(PartKind::Name, format);
    sink.end_line();
    for stage in stages.by_ref() {
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
    if let Some(error) = stages.left_out() {
        sink.end_line();
        sink.put(
            PartKind::Comment,
            &format!("; Not all programs: expected {}, found {}.", error.expected, error.found),
        );
        sink.end_line();
    }
}

fn wrong(piece: Piece<'_>, message: impl Into<String>) -> Box<Problem> {
    Problem::new(CODE, piece.span(), message)
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
    let mut reader = Reader { container, item: None, changed: Vec::new(), findings: Vec::new() };
    statements::read(text, &mut reader);
    let Reader { changed, mut findings, .. } = reader;
    if !findings.is_empty() {
        return Err(findings);
    }
    let mut result = container.clone();
    for (id, words, at) in changed {
        let code = Code { words: words.into(), ..Code::default() };
        if let Err(error) = result.replace(&id, &code) {
            let location = Location::Text { source: 0, span: at..at };
            findings.push(Diagnostic::new(Severity::Error, CODE, location, "", error.to_string()));
        }
    }
    if !findings.is_empty() {
        return Err(findings);
    }
    *container = result;
    Ok(())
}

/// What the text says about the programs of a container.
struct Reader<'c> {
    container: &'c Container,
    /// The program whose code comes next.
    item: Option<StageId>,
    /// New words of programs, with the place of their text.
    changed: Vec<(StageId, Vec<u32>, usize)>,
    findings: Vec<Diagnostic>,
}

impl<'a> statements::Reader<'a> for Reader<'_> {
    const CODE: &'static str = CODE;

    fn findings(&mut self) -> &mut Vec<Diagnostic> {
        &mut self.findings
    }

    fn directive(&mut self, head: Piece<'a>, name: Piece<'a>, arguments: Arguments<'a>) -> Result<()> {
        let mut fields = Fields::new(head, arguments)?;
        if name.is("archive") {
            fields.word("the format")?;
        } else if name.is("item") {
            let piece = fields.word("the name of a program")?;
            let id = StageId(String::from_utf8_lossy(&name_bytes(piece)?).into_owned());
            if self.container.stage(&id).is_none() {
                return Err(wrong(piece, format!("the container has no program `{id}`")));
            }
            self.item = Some(id);
        } else {
            return Err(wrong(head, format!("expected `.item` or `.code`, found `{}`", head.text)));
        }
        fields.end()
    }

    fn code(&mut self, head: Piece<'a>, arguments: Arguments<'a>, code: Piece<'a>) -> Result<()> {
        Fields::new(head, arguments)?.end()?;
        let Some(id) = self.item.take() else {
            return Err(wrong(head, "`.code` has no `.item` in front of it"));
        };
        let Some(stage) = self.container.stage(&id) else { return Ok(()) };
        match code_text::read(stage.isa, code.text, &stage.interface.symbols) {
            Ok(words) if words == *stage.code.words => {}
            // Only what differs, so that unchanged programs stay as they are to the bit.
            Ok(words) => self.changed.push((id, words, code.at)),
            Err(found) => self.findings.extend(moved(found, code.at)),
        }
        Ok(())
    }
}
