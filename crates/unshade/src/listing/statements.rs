//! What every listing of a file consists of: directives, and code between `.code` and `.end_code`.

use unshade_bytes::{Diagnostic, Location, Severity};
use unshade_isa::assembly::lexer::{Arguments, Lines, Piece, Statement};
use unshade_isa::assembly::{Problem, Result};

/// Findings that are reported of one text.
pub(super) const MOST: usize = 1000;

/// Who makes something of the statements of a listing.
pub(super) trait Reader<'a> {
    /// Dotted name of what is wrong where the form of a statement is.
    const CODE: &'static str;

    /// What was found so far.
    fn findings(&mut self) -> &mut Vec<Diagnostic>;
    /// A directive other than `.code`.
    fn directive(&mut self, head: Piece<'a>, name: Piece<'a>, arguments: Arguments<'a>) -> Result<()>;
    /// `.code` with its arguments, and the text up to `.end_code`.
    fn code(&mut self, head: Piece<'a>, arguments: Arguments<'a>, code: Piece<'a>) -> Result<()>;
}

/// Goes through a text; what is wrong is found, and the rest is read all the same.
pub(super) fn read<'a, R: Reader<'a>>(source: &'a str, reader: &mut R) {
    let wrong = |piece: Piece<'_>, message: String| Problem::new(R::CODE, piece.span(), message);
    let mut lines = Lines::new(source);
    while let Some(line) = lines.next() {
        if reader.findings().len() >= MOST {
            break;
        }
        let outcome = match line.statement() {
            Statement::None | Statement::Marker(_) => Ok(()),
            Statement::Directive { head, name, arguments } if name.is("code") => {
                let start = line.body.span().end;
                let end = lines.by_ref().find(|line| is_end(line.statement())).map(|line| line.body.at);
                match end {
                    Some(end) => {
                        let code = Piece { text: source.get(start..end).unwrap_or_default(), at: start };
                        reader.code(head, arguments, code)
                    }
                    None => Err(wrong(head, "`.code` has no `.end_code`".to_owned())),
                }
            }
            Statement::Directive { head, name, arguments } => reader.directive(head, name, arguments),
            Statement::Instruction { head, .. } => {
                Err(wrong(head, format!("expected a directive, found `{}`", head.text))
                    .note("instructions stand between `.code` and `.end_code`"))
            }
        };
        if let Err(problem) = outcome {
            reader.findings().push(finding(*problem));
        }
    }
}

/// Whether a statement ends code.
fn is_end(statement: Statement<'_>) -> bool {
    matches!(statement, Statement::Directive { name, .. } if name.is("end_code"))
}

/// A problem with its place in the text.
pub(super) fn finding(problem: Problem) -> Diagnostic {
    problem.diagnostic(Severity::Error, 0)
}

/// Says that a text was cut, which would end with the directive `end` were it whole.
pub(super) fn cut(code: &'static str, text: &str, end: &str) -> Diagnostic {
    let stop = text.trim_end().len();
    let start = text.get(..stop).and_then(|text| text.rfind('\n')).map_or(0, |at| at + 1);
    let location = Location::Text { source: 0, span: start..stop };
    Diagnostic::new(Severity::Error, code, location, "", format!("the listing ends without `{end}`"))
        .note("it was cut: what stood behind this line is missing")
}

/// What was found in a part of a text that starts at `at`, with its places in the whole.
pub(super) fn moved(findings: Vec<Diagnostic>, at: usize) -> impl Iterator<Item = Diagnostic> {
    findings.into_iter().map(move |mut finding| {
        if let Location::Text { span, .. } = &mut finding.location {
            *span = span.start + at..span.end + at;
        }
        finding
    })
}
