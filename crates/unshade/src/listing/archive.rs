//! Listings of archives: the programs in them, one after the other. They do not hold the rest of the archive, so they
//! are read into the archive that they were made of.

use super::{
    ListingKind, ListingOptions, code_text,
    fields::{Fields, name_bytes},
    statements::{self, moved},
    symbols::quoted,
};
use crate::code::replace_code;
use std::{collections::BTreeSet, ops::Range};
use unshade_bytes::{Diagnostic, Location, Severity};
use unshade_containers::{Container, stages::Stages};
use unshade_isa::assembly::lexer::{Arguments, Piece};
use unshade_isa::assembly::{Problem, Result};
use unshade_isa::text::{PartKind, Sink};
use unshade_stage::suggest;
use unshade_stage::{Code, StageId};

/// What is wrong where the form of a statement is.
const CODE: &str = "listing.archive";
/// Unknown names for which one like it is looked for; with more, the listing is not a misspelled one.
const LIKENED: usize = 5;

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
    sink.end_line();
    if let Some(error) = stages.left_out() {
        sink.put(
            PartKind::Comment,
            &format!("; Not all programs: expected {}, found {}.", error.expected, error.found),
        );
        sink.end_line();
    }
    sink.put(PartKind::Directive, ".end_archive");
    sink.end_line();
}

fn wrong(piece: Piece<'_>, message: impl Into<std::borrow::Cow<'static, str>>) -> Box<Problem> {
    Problem::new(CODE, piece.span(), message)
}

fn error(span: Range<usize>, message: impl Into<String>) -> Diagnostic {
    Diagnostic::new(Severity::Error, CODE, Location::Text { source: 0, span }, "", message)
}

/// Puts the programs of a listing into a container that has programs of these names, and lets follow what the container
/// states of them; programs that the text does not name stay. What is not changed in the text does not change in the
/// container. Gives the names of the programs that changed.
///
/// # Errors
/// Everything that is wrong in the text, with its place in it and the program in [`Diagnostic::path`]; the container is
/// then as it was.
pub fn assemble_into(
    container: &mut Container,
    text: &str,
) -> std::result::Result<Vec<StageId>, Vec<Diagnostic>> {
    if !matches!(ListingKind::of(text), Some(ListingKind::Archive(_))) {
        return Err(vec![error(0..0, "a listing of an archive starts with `.archive`")]);
    }
    let mut reader = Reader::new(container);
    statements::read(text, &mut reader);
    let changed = reader.finish(text)?;
    if changed.is_empty() {
        return Ok(Vec::new());
    }
    let (mut result, mut findings) = (container.clone(), Vec::new());
    for Changed { id, words, at } in &changed {
        let Some(stage) = container.stage(id) else { continue };
        let code = Code { words: words.as_slice().into(), ..stage.code.clone() };
        if let Err(reason) = replace_code(&mut result, &stage, &code) {
            findings.push(of_program(error(at.clone(), reason.to_string()), id));
        }
    }
    if !findings.is_empty() {
        return Err(findings);
    }
    *container = result;
    Ok(changed.into_iter().map(|changed| changed.id).collect())
}

/// A finding about a program.
fn of_program(mut finding: Diagnostic, id: &StageId) -> Diagnostic {
    finding.path = id.0.clone();
    finding.note(format!("in the program `{id}`"))
}

/// A program whose text says other code than it has.
struct Changed {
    id: StageId,
    words: Vec<u32>,
    /// Its name in the text.
    at: Range<usize>,
}

/// The program whose code comes next.
enum Next {
    /// None was named.
    None,
    /// One that the container has, with its name in the text.
    Known(StageId, Range<usize>),
    /// One that the container has not, or that was named before, which was said.
    Skipped,
}

/// What the text says about the programs of a container.
struct Reader<'c> {
    container: &'c Container,
    next: Next,
    /// Where the text of each program starts, in the order of the text.
    starts: Vec<(usize, StageId)>,
    /// Those that the container has.
    named: BTreeSet<StageId>,
    /// Those that it has not.
    unknown: Vec<(Range<usize>, StageId)>,
    changed: Vec<Changed>,
    findings: Vec<Diagnostic>,
    /// The name of the format in the text.
    format: Option<Range<usize>>,
    /// The container is of another one.
    other_format: bool,
    ended: bool,
}

impl<'c> Reader<'c> {
    fn new(container: &'c Container) -> Self {
        Self {
            container,
            next: Next::None,
            starts: Vec::new(),
            named: BTreeSet::new(),
            unknown: Vec::new(),
            changed: Vec::new(),
            findings: Vec::new(),
            format: None,
            other_format: false,
            ended: false,
        }
    }

    /// What changes, where nothing is wrong.
    fn finish(mut self, text: &str) -> std::result::Result<Vec<Changed>, Vec<Diagnostic>> {
        if self.other_format {
            // Nothing else can be right.
            return Err(self.findings);
        }
        self.unfinished(text);
        for finding in &mut self.findings {
            let Location::Text { span, .. } = &finding.location else { continue };
            let before = self.starts.partition_point(|(start, _)| *start <= span.start);
            if let Some((_, id)) = before.checked_sub(1).and_then(|at| self.starts.get(at))
                && finding.path.is_empty()
            {
                finding.path = id.0.clone();
                finding.notes.push(format!("in the program `{id}`"));
            }
        }
        self.unknown_programs();
        self.findings.sort_by_key(|finding| match &finding.location {
            Location::Text { span, .. } => span.start,
            _ => 0,
        });
        if self.findings.is_empty() { Ok(self.changed) } else { Err(self.findings) }
    }

    /// Says where the text was cut.
    fn unfinished(&mut self, text: &str) {
        if self.ended || self.findings.len() >= statements::MOST {
            return;
        }
        if let Next::Known(id, at) = &self.next {
            let said = self.findings.last().is_some_and(
                |last| matches!(&last.location, Location::Text { span, .. } if span.start > at.start),
            );
            if !said {
                self.findings.push(error(at.clone(), format!("`.item` of `{id}` has no `.code` behind it")));
            }
            return;
        }
        self.findings.push(statements::cut(CODE, text, ".end_archive"));
    }

    /// Says which programs the container has not.
    fn unknown_programs(&mut self) {
        let Some((first, _)) = self.unknown.first() else { return };
        if self.named.is_empty() {
            let at = self.format.clone().unwrap_or(first.clone());
            let count = self.unknown.len();
            let known: Vec<_> =
                self.container.stages().take(3).map(|stage| format!("`{}`", stage.id)).collect();
            let has = match known.is_empty() {
                true => "which has none".to_owned(),
                false => format!("which has {} ...", known.join(", ")),
            };
            let message = match count {
                1 => format!("the file has no program of this name, {has}"),
                _ => format!("the file has none of these {count} programs, {has}"),
            };
            self.findings.push(error(at, message).note("the listing is one of another file"));
            return;
        }
        let known: Vec<_> = self.container.stages().map(|stage| stage.id).collect();
        for (index, (span, id)) in self.unknown.iter().enumerate() {
            let mut finding = error(span.clone(), format!("the file has no program `{id}`"));
            finding.path = id.0.clone();
            let others = known.iter().filter(|known| !self.named.contains(known));
            let names = others.map(|known| known.0.as_str());
            if index < LIKENED
                && let [near] = suggest(&id.0, names, 1).as_slice()
            {
                finding = finding.note(format!("there is `{near}`"));
            }
            self.findings.push(finding);
        }
    }
}

impl<'a> statements::Reader<'a> for Reader<'_> {
    const CODE: &'static str = CODE;

    fn findings(&mut self) -> &mut Vec<Diagnostic> {
        &mut self.findings
    }

    fn directive(&mut self, head: Piece<'a>, name: Piece<'a>, arguments: Arguments<'a>) -> Result<()> {
        if self.other_format {
            return Ok(());
        }
        let mut fields = Fields::new(head, arguments)?;
        if self.ended {
            return Err(wrong(head, format!("`{}` stands behind `.end_archive`", head.text)));
        }
        if let Next::Known(id, _) = &self.next {
            let message = format!("`.item` of `{id}` has no `.code` behind it");
            self.next = Next::Skipped;
            return Err(wrong(head, message));
        }
        if name.is("archive") {
            let format = fields.word("the format")?;
            let found = self.container.format().name();
            if self.format.replace(format.span()).is_some() {
                return Err(wrong(head, "a second `.archive`"));
            }
            if !format.is(found) {
                self.other_format = true;
                let message =
                    format!("this is a listing of a `{}`, and the file is a `{found}`", format.text);
                return Err(wrong(format, message));
            }
        } else if name.is("item") {
            let piece = fields.word("the name of a program")?;
            let id = StageId(String::from_utf8_lossy(&name_bytes(piece)?).into_owned());
            self.starts.push((head.at, id.clone()));
            if self.container.stage(&id).is_none() {
                self.next = Next::Skipped;
                self.unknown.push((piece.span(), id));
            } else if self.named.insert(id.clone()) {
                self.next = Next::Known(id, piece.span());
            } else {
                self.next = Next::Skipped;
                return Err(wrong(piece, format!("`{id}` stands in the listing twice")));
            }
        } else if name.is("end_archive") {
            self.ended = true;
        } else {
            let message = format!("expected `.item`, `.code` or `.end_archive`, found `{}`", head.text);
            return Err(wrong(head, message));
        }
        fields.end()
    }

    fn code(&mut self, head: Piece<'a>, arguments: Arguments<'a>, code: Piece<'a>) -> Result<()> {
        if self.other_format {
            return Ok(());
        }
        Fields::new(head, arguments)?.end()?;
        let (id, at) = match std::mem::replace(&mut self.next, Next::None) {
            Next::None => return Err(wrong(head, "`.code` has no `.item` in front of it")),
            Next::Skipped => return Ok(()),
            Next::Known(id, at) => (id, at),
        };
        let Some(stage) = self.container.stage(&id) else { return Ok(()) };
        match code_text::read(stage.isa, code.text, &stage.interface.symbols) {
            Ok(words) if words == *stage.code.words => {}
            // Only what differs, so that unchanged programs stay as they are to the bit.
            Ok(words) => self.changed.push(Changed { id, words, at }),
            Err(found) => self.findings.extend(moved(found, code.at)),
        }
        Ok(())
    }
}
