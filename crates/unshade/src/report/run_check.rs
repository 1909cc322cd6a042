//! `run --check`: which cases of a vector file came out as expected.

use crate::run_json::CaseReport;
use serde::Serialize;

/// The cases of one vector file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RunCheckReport {
    /// How many there are.
    pub cases: u64,
    /// How many of them expect nothing, so that they can only fail to end.
    pub without_expectation: u64,
    /// Those that came out differently.
    pub failed: Vec<FailedCase>,
}

/// A case that came out differently.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FailedCase {
    /// Its name.
    pub id: String,
    /// First difference, or why it did not end.
    pub reason: String,
}

/// Sums up the cases of a vector file.
pub fn run_check(cases: &[CaseReport]) -> RunCheckReport {
    let failed = cases.iter().filter(|case| !case.passes()).map(|case| FailedCase {
        id: case.run.id.clone(),
        reason: match (&case.run.unfinished, case.differences.first()) {
            (Some(why), _) => why.clone(),
            (None, Some(first)) => match case.differences.len() - 1 {
                0 => first.to_string(),
                more => format!("{first} (and {more} more)"),
            },
            (None, None) => String::new(),
        },
    });
    RunCheckReport {
        cases: cases.len() as u64,
        without_expectation: cases.iter().filter(|case| !case.expected).count() as u64,
        failed: failed.collect(),
    }
}
