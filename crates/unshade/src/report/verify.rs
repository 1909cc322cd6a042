//! `verify`: what was proved of each program.

use crate::{
    Opened,
    run_json::{self, Unbound},
    verify::{self, Failure, Outside, Section, Standing, Verdict},
};
use serde::Serialize;
use unshade_stage::Stage;

/// The programs of one file.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct VerifyReport {
    /// In file order.
    pub stages: Vec<StageVerdict>,
}

/// One program.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct StageVerdict {
    /// What stands behind `FILE` to name it.
    pub item: String,
    /// `vertex`, `geometry`.
    pub kind: String,
    /// Everything that was compared is equal, and most of the cases could be compared.
    pub passed: bool,
    /// `pass`; `weak`: everything that was compared is equal, but that is under half of the cases; `unfinished`: nothing differs, but
    /// the program runs for too long to say much of it; `fail`: something differs.
    pub standing: String,
    /// Both modes in a sentence.
    pub verdict: String,
    /// Seed of the inputs.
    pub seed: u64,
    /// Cases that were compared bit for bit.
    pub strict_cases: u32,
    /// How many of these end on neither side.
    pub strict_unfinished: u32,
    /// Cases that were not run bit for bit, since the work of a verify was used up.
    pub strict_left: u32,
    /// Cases with finite inputs that were compared within the tolerance of readable mode.
    pub readable_cases: u32,
    /// How many of these end on neither side.
    pub readable_unfinished: u32,
    /// Cases of readable mode that were not run, since the work of a verify was used up.
    pub readable_left: u32,
    /// Cases of readable mode beside those that were compared, which say nothing: the machine leaves what readable mode assumes,
    /// or a change in the last place changes everything.
    pub readable_outside: u32,
    /// Why these say nothing; most frequent first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub readable_reasons: Vec<OutsideReason>,
    /// What readable mode assumed, one sentence each.
    pub assumptions: Vec<String>,
    /// How far the hardware may be from what both sides compute alike: of functions that it looks up in tables.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub accuracy: Option<String>,
    /// Counterexamples with their inputs, as lines of text.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub details: Vec<String>,
}

/// Why cases say nothing.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct OutsideReason {
    /// What the machine did that readable mode assumes it does not do: `not-finite`, `small`, `index`, `divisor`, `turns`,
    /// `layer`, `dropped`, `bound`, `unstable`.
    pub reason: String,
    /// How many cases.
    pub cases: u32,
}

impl OutsideReason {
    /// All reasons, most frequent first.
    pub(super) fn all(outside: &Outside) -> Vec<Self> {
        let reasons = outside.reasons().into_iter();
        reasons.map(|(reason, cases)| Self { reason: reason.name().to_owned(), cases }).collect()
    }
}

/// Verifies the programs of an opened file on `cases` inputs each; `item` keeps those of that name.
pub fn verify(opened: &Opened, item: Option<&str>, cases: u32, seed: u64) -> VerifyReport {
    let stages = opened.stages(item).map(|(inner, stage)| (inner.item_name(&stage.id), stage));
    verify_stages(stages, cases, seed)
}

/// Verifies programs, each with its name, on `cases` inputs each.
pub fn verify_stages<'a>(
    stages: impl IntoIterator<Item = (String, Stage<'a>)>,
    cases: u32,
    seed: u64,
) -> VerifyReport {
    let stages = stages.into_iter().map(|(item, stage)| {
        let verdict = verify::verify_undamaged(&stage, cases, seed);
        StageVerdict {
            item,
            kind: stage.kind.name().to_owned(),
            passed: verdict.passed(),
            standing: verdict.standing().name().to_owned(),
            verdict: sentence(&verdict),
            seed,
            strict_cases: verdict.strict.compared,
            strict_unfinished: verdict.strict.unfinished,
            strict_left: verdict.strict.left,
            readable_cases: verdict.readable.compared,
            readable_unfinished: verdict.readable.unfinished,
            readable_left: verdict.readable.left,
            readable_outside: verdict.readable.outside.total(),
            readable_reasons: OutsideReason::all(&verdict.readable.outside),
            assumptions: verdict.readable.assumptions.clone(),
            accuracy: verify::accuracy(&stage),
            details: details(&verdict, &stage),
        }
    });
    VerifyReport { stages: stages.collect() }
}

/// Both modes in a sentence.
fn sentence(verdict: &Verdict) -> String {
    let mode = |name: &str, equal: &str, section: &Section| {
        if section.failure.is_some() {
            return format!("{name} FAILS");
        }
        format!("{name} {equal} on {}", cases_in_words(section))
    };
    let strict = mode("strict", "equal", &verdict.strict);
    let readable = mode("readable", "within tolerance", &verdict.readable);
    let standing = match verdict.standing() {
        Standing::Weak => "WEAK: ",
        Standing::Unfinished => "UNFINISHED: ",
        Standing::Pass | Standing::Fail => "",
    };
    format!("{standing}{strict}; {readable}")
}

/// How many cases were compared, and why others were not.
pub(super) fn cases_in_words(section: &Section) -> String {
    let outside = section.outside.total();
    let mut text = section.compared.to_string();
    if outside > 0 {
        text.push_str(&format!(" of {}", section.compared.saturating_add(outside)));
    }
    text.push_str(" cases");
    if section.unfinished > 0 {
        text.push_str(&format!(", {} of them unfinished", section.unfinished));
    }
    if outside > 0 {
        let reasons = section.outside.reasons();
        let reasons: Vec<String> =
            reasons.iter().map(|(reason, cases)| format!("{cases} {reason}")).collect();
        text.push_str(&format!(" ({} {} nothing: {})", outside, say(outside), reasons.join(", ")));
    }
    if section.left > 0 {
        text.push_str(&format!(" ({} not run: the work of a verify is used up)", section.left));
    }
    text
}

fn say(count: u32) -> &'static str {
    if count == 1 { "says" } else { "say" }
}

/// What failed, each with the inputs that `run --inputs` takes.
fn details(verdict: &Verdict, stage: &Stage<'_>) -> Vec<String> {
    let mut lines = Vec::new();
    for (name, section) in [("strict", &verdict.strict), ("readable", &verdict.readable)] {
        let Some(failure) = &section.failure else { continue };
        lines.push(format!("{name}: {failure}"));
        if let Failure::Differs(example) = failure {
            let inputs = verify::in_registers(stage, example.inputs.clone());
            lines.push(format!("inputs: {}", run_json::inputs(stage, &inputs, Unbound::Hashed)));
        }
    }
    lines
}
