//! What an assembly has found so far.

use std::borrow::Cow;
use std::ops::Range;
use unshade_bytes::{Diagnostic, Location, Severity};
use unshade_isa_common::assembly::Problem;

/// So many findings of a kind are kept; a hostile text must not cost more memory than it is worth.
const KEPT: usize = 1000;

/// Errors and warnings in the order in which they were found.
#[derive(Debug, Default)]
pub(super) struct Findings {
    /// The source being read.
    pub(super) source: usize,
    pub(super) errors: Vec<Diagnostic>,
    pub(super) warnings: Vec<Diagnostic>,
}

impl Findings {
    /// Keeps an error in the source being read.
    #[expect(clippy::boxed_local, reason = "problems travel in boxes, to keep results small")]
    pub(super) fn error(&mut self, problem: Box<Problem>) {
        if self.errors.len() < KEPT {
            self.errors.push(problem.diagnostic(Severity::Error, self.source));
        }
    }

    /// Keeps an error unless there is already one of this kind at this place.
    pub(super) fn error_once(&mut self, problem: Box<Problem>) {
        if self.errors.len() >= KEPT {
            return;
        }
        let place = Location::Text { source: self.source, span: problem.span.clone() };
        if !self.errors.iter().any(|known| known.code == problem.code && known.location == place) {
            self.error(problem);
        }
    }

    /// Keeps a warning in the source being read.
    pub(super) fn warn(
        &mut self,
        code: &'static str,
        span: Range<usize>,
        message: impl Into<Cow<'static, str>>,
    ) {
        if self.warnings.len() < KEPT {
            let problem = Problem::new(code, span, message);
            self.warnings.push(problem.diagnostic(Severity::Warning, self.source));
        }
    }
}
