//! What is wrong in a text: errors and warnings with their places, as a compiler of today prints them.

mod render;

use crate::place::Span;

/// How bad it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// The text cannot be taken.
    Error,
    /// The text is taken.
    Warning,
}

/// What kind of mistake it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Kind {
    /// A directive or a macro.
    Preprocessor,
    /// Something stands where it cannot.
    Syntax,
    /// A number that cannot be.
    Number,
    /// A name that nothing has.
    UnknownName,
    /// A name that is taken, or that nobody may take.
    Redeclared,
    /// Types that do not go together.
    Type,
    /// No function takes these arguments, or several do.
    Overload,
    /// A constant is needed, or one is out of range.
    Constant,
    /// Something is written that cannot be.
    LValue,
    /// A qualifier that cannot stand there.
    Qualifier,
    /// A layout that cannot be.
    Layout,
    /// Control flow that cannot be: `break` outside a loop, recursion, no `main`.
    Flow,
    /// The version, profile, stage or API has no such thing.
    Version,
    /// The reader does not have it (docs/glsl.md).
    Unsupported,
    /// A limit of the reader.
    Limit,
}

impl Kind {
    /// All kinds.
    pub const ALL: [Self; 15] = [
        Self::Preprocessor,
        Self::Syntax,
        Self::Number,
        Self::UnknownName,
        Self::Redeclared,
        Self::Type,
        Self::Overload,
        Self::Constant,
        Self::LValue,
        Self::Qualifier,
        Self::Layout,
        Self::Flow,
        Self::Version,
        Self::Unsupported,
        Self::Limit,
    ];

    /// The name in JSON: `unknown-name`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Preprocessor => "preprocessor",
            Self::Syntax => "syntax",
            Self::Number => "number",
            Self::UnknownName => "unknown-name",
            Self::Redeclared => "redeclared",
            Self::Type => "type",
            Self::Overload => "overload",
            Self::Constant => "constant",
            Self::LValue => "l-value",
            Self::Qualifier => "qualifier",
            Self::Layout => "layout",
            Self::Flow => "flow",
            Self::Version => "version",
            Self::Unsupported => "unsupported",
            Self::Limit => "limit",
        }
    }
}

/// Something wrong.
#[derive(Debug, Clone, PartialEq)]
pub struct Problem {
    /// How bad it is.
    pub severity: Severity,
    /// What kind it is.
    pub kind: Kind,
    /// Where it is.
    pub span: Span,
    /// What is wrong, in a sentence: what was found, what was expected.
    pub message: String,
    /// What stands under the place, in a few words; may be empty.
    pub label: String,
    /// What to write instead.
    pub help: Option<String>,
    /// Other places that matter, with what they are.
    pub notes: Vec<(Option<Span>, String)>,
}

impl Problem {
    /// An error.
    pub fn error(kind: Kind, span: Span, message: impl Into<String>) -> Self {
        Self {
            severity: Severity::Error,
            kind,
            span,
            message: message.into(),
            label: String::new(),
            help: None,
            notes: Vec::new(),
        }
    }

    /// A warning.
    pub fn warning(kind: Kind, span: Span, message: impl Into<String>) -> Self {
        Self { severity: Severity::Warning, ..Self::error(kind, span, message) }
    }

    /// With words under the place.
    pub fn label(mut self, label: impl Into<String>) -> Self {
        self.label = label.into();
        self
    }

    /// With what to write instead.
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// With the nearest of the names that there are.
    pub fn near<'a>(self, wanted: &str, known: impl IntoIterator<Item = &'a str>) -> Self {
        let near = unshade_stage::suggest(wanted, known, 3);
        match near.as_slice() {
            [] => self,
            names => {
                let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
                self.help(format!("did you mean {}?", names.join(" or ")))
            }
        }
    }

    /// With another place.
    pub fn note(mut self, span: Option<Span>, text: impl Into<String>) -> Self {
        self.notes.push((span, text.into()));
        self
    }
}

/// What was found so far.
#[derive(Debug, Clone, Default)]
pub struct Problems {
    list: Vec<Problem>,
    errors: usize,
    limit: usize,
}

impl Problems {
    /// None yet, and at most so many errors.
    pub fn new(limit: usize) -> Self {
        Self { list: Vec::new(), errors: 0, limit: limit.max(1) }
    }

    /// Takes one in, but for a second one at the same place: that follows from the first.
    pub fn push(&mut self, problem: Problem) {
        let is_error = problem.severity == Severity::Error;
        let known = |other: &Problem| other.span == problem.span && other.severity == problem.severity;
        if self.list.iter().rev().take(8).any(known) {
            return;
        }
        match is_error {
            true if self.errors >= self.limit => return,
            true => self.errors += 1,
            false if self.list.len() >= self.limit.saturating_mul(2) => return,
            false => {}
        }
        let last = is_error && self.errors == self.limit;
        let span = problem.span;
        self.list.push(problem);
        if last {
            let message =
                format!("more than {} errors (limit `errors`); the rest was not looked at", self.limit);
            self.list.push(Problem::error(Kind::Limit, Span { end: span.start, ..span }, message));
        }
    }

    /// Adds a note to each where `note` has one for it.
    pub fn explain(&mut self, note: impl Fn(&Problem) -> Option<(Span, String)>) {
        for problem in &mut self.list {
            if let Some((span, text)) = note(problem) {
                problem.notes.push((Some(span), text));
            }
        }
    }

    /// Whether there are errors.
    pub fn has_errors(&self) -> bool {
        self.errors > 0
    }

    /// Number of errors.
    pub fn errors(&self) -> usize {
        self.errors
    }

    /// Whether there is an error in a part of a text.
    pub fn has_errors_in(&self, span: Span) -> bool {
        let inside =
            |other: &Span| other.file == span.file && other.start >= span.start && other.start <= span.end;
        let mut errors = self.list.iter().filter(|problem| problem.severity == Severity::Error);
        errors.any(|problem| inside(&problem.span))
    }

    /// No more errors are taken: what follows is not looked at.
    pub fn fill(&mut self) {
        self.limit = self.errors;
    }

    /// Whether a warning would be kept.
    pub fn takes_warnings(&self) -> bool {
        self.list.len() < self.limit.saturating_mul(2)
    }

    /// Whether no more errors are taken.
    pub fn is_full(&self) -> bool {
        self.errors >= self.limit
    }

    /// All of them, in the order of their places.
    pub fn into_list(mut self) -> Vec<Problem> {
        self.list.sort_by_key(|problem| (problem.span.file, problem.span.start));
        self.list
    }
}
