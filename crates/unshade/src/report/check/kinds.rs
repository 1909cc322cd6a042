//! Findings of one kind together: a file that breaks a rule often breaks it a hundred times.

use super::CheckReport;
use unshade_bytes::{Diagnostic, Severity};

/// Findings of a kind that are told one by one.
const TOLD: usize = 3;

/// The findings of one kind in a report.
#[derive(Debug, Clone, PartialEq)]
pub struct Kind<'r> {
    /// How bad each is.
    pub severity: Severity,
    /// Stable name of the kind.
    pub code: &'r str,
    /// All of them in the order of the report; at least one.
    pub findings: Vec<&'r Diagnostic>,
}

impl<'r> Kind<'r> {
    /// Those that are told one by one where not all are asked for: the first, or all where only one would be left.
    pub fn told(&self) -> &[&'r Diagnostic] {
        match self.findings.split_at_checked(TOLD) {
            Some((told, [_, _, ..])) => told,
            _ => &self.findings,
        }
    }

    /// The others.
    pub fn others(&self) -> &[&'r Diagnostic] {
        self.findings.get(self.told().len()..).unwrap_or_default()
    }
}

impl CheckReport {
    /// The findings by kind, in the order of each kind's first: so the most severe come first.
    pub fn kinds(&self) -> Vec<Kind<'_>> {
        let mut kinds: Vec<Kind<'_>> = Vec::new();
        for finding in &self.diagnostics {
            let (severity, code) = (finding.severity, &*finding.code);
            match kinds.iter_mut().find(|kind| kind.severity == severity && kind.code == code) {
                Some(kind) => kind.findings.push(finding),
                None => kinds.push(Kind { severity, code, findings: vec![finding] }),
            }
        }
        kinds
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use unshade_bytes::Location;

    #[test]
    fn kinds_keep_all_and_tell_the_first() {
        let finding = |severity, code: &'static str, at: u64| {
            Diagnostic::new(severity, code, Location::Bytes(at..at + 4), "", "what was found")
        };
        let mut diagnostics = vec![finding(Severity::Error, "a", 0)];
        diagnostics.extend((0..9).map(|at| finding(Severity::Warning, "b", at)));
        diagnostics.extend((0..4).map(|at| finding(Severity::Warning, "a", at)));
        diagnostics.extend((9..11).map(|at| finding(Severity::Warning, "b", at)));
        let report = CheckReport { diagnostics, unowned: Vec::new() };
        let counts: Vec<_> = report
            .kinds()
            .iter()
            .map(|kind| (kind.severity, kind.code, kind.told().len(), kind.others().len()))
            .collect();
        let expected =
            [(Severity::Error, "a", 1, 0), (Severity::Warning, "b", 3, 8), (Severity::Warning, "a", 4, 0)];
        assert_eq!(counts, expected);
    }
}
