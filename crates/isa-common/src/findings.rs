//! What lints have found in a program.

use std::collections::BTreeMap;
use unshade_bytes::{Diagnostic, Location, Severity};
use unshade_stage::Stage;

/// Findings of one kind that are listed; of more the number is told.
const MOST_OF_A_KIND: u32 = unshade_bytes::Limits::DEFAULT.diagnostics as u32;

/// What the checks have found.
pub struct Findings<'a> {
    /// The program.
    pub stage: &'a Stage<'a>,
    list: Vec<Diagnostic>,
    counts: BTreeMap<&'static str, u32>,
}

impl<'a> Findings<'a> {
    /// None yet.
    #[must_use]
    pub fn new(stage: &'a Stage<'a>) -> Self {
        Self { stage, list: Vec::new(), counts: BTreeMap::new() }
    }

    /// A finding about one word.
    pub fn word(&mut self, severity: Severity, code: &'static str, at: u32, message: impl Into<String>) {
        let count = self.counts.entry(code).or_insert(0);
        *count = count.saturating_add(1);
        if *count <= MOST_OF_A_KIND {
            let start = self.stage.code.file_offset.saturating_add(4 * u64::from(at));
            let range = Location::Bytes(start..start.saturating_add(4));
            self.list.push(Diagnostic::new(severity, code, range, format!("code[{at:#x}]"), message));
        }
    }

    /// A finding about the code as a whole.
    pub fn whole(&mut self, severity: Severity, code: &'static str, message: impl Into<String>) {
        let start = self.stage.code.file_offset;
        let end = start.saturating_add(4 * self.stage.code.words.len() as u64);
        self.list.push(Diagnostic::new(severity, code, Location::Bytes(start..end), "code", message));
    }

    /// All of them.
    #[must_use]
    pub fn finish(mut self) -> Vec<Diagnostic> {
        for (code, count) in &self.counts {
            if let Some(more) = count.checked_sub(MOST_OF_A_KIND).filter(|&more| more > 0)
                && let Some(last) = self.list.iter_mut().rev().find(|finding| finding.code == *code)
            {
                last.notes.push(format!("{more} more of this kind are not listed"));
            }
        }
        self.list
    }
}
