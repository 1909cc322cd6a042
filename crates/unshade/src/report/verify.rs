//! `verify`: what was proved of each program.

use crate::{
    Opened,
    verify::{self, Failure, Section, Verdict},
};
use serde::Serialize;
use serde_json::Map;
use unshade_isa::pica200::exec::State;

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
    /// Everything that was compared is equal.
    pub passed: bool,
    /// Both modes in a sentence.
    pub verdict: String,
    /// Seed of the inputs.
    pub seed: u64,
    /// Cases that were compared bit for bit.
    pub strict_cases: u32,
    /// How many of these end on neither side.
    pub strict_unfinished: u32,
    /// Cases with finite inputs that were compared within the tolerance of readable mode.
    pub readable_cases: u32,
    /// How many of these end on neither side.
    pub readable_unfinished: u32,
    /// Cases of readable mode that say nothing: the machine leaves what readable mode assumes, or a change in
    /// the last place changes everything.
    pub readable_outside: u32,
    /// What readable mode assumed, one sentence each.
    pub assumptions: Vec<String>,
    /// Counterexamples with their inputs, as lines of text.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub details: Vec<String>,
}

/// Verifies the programs of an opened file on `cases` inputs each; `item` keeps those of that name.
pub fn verify(opened: &Opened, item: Option<&str>, cases: u32, seed: u64) -> VerifyReport {
    let stages = opened.stages(item).map(|(inner, stage)| {
        let verdict = verify::verify(&stage, cases, seed);
        StageVerdict {
            item: inner.item_name(&stage.id),
            kind: stage.kind.name().to_owned(),
            passed: verdict.passed(),
            verdict: sentence(&verdict),
            seed,
            strict_cases: verdict.strict.compared,
            strict_unfinished: verdict.strict.unfinished,
            readable_cases: verdict.readable.compared,
            readable_unfinished: verdict.readable.unfinished,
            readable_outside: verdict.readable.outside,
            assumptions: verdict.readable.assumptions.clone(),
            details: details(&verdict),
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
        let mut text = format!("{name} {equal} on {} cases", section.compared - section.outside);
        if section.unfinished > 0 {
            text.push_str(&format!(", {} of them unfinished", section.unfinished));
        }
        text
    };
    let strict = mode("strict", "equal", &verdict.strict);
    let mut readable = mode("readable", "within tolerance", &verdict.readable);
    if verdict.readable.failure.is_none() && verdict.readable.outside > 0 {
        readable.push_str(&format!(" ({} outside what it assumes)", verdict.readable.outside));
    }
    format!("{strict}; {readable}")
}

/// What failed, each with the inputs that `run --inputs` takes.
fn details(verdict: &Verdict) -> Vec<String> {
    let mut lines = Vec::new();
    for (name, section) in [("strict", &verdict.strict), ("readable", &verdict.readable)] {
        let Some(failure) = &section.failure else { continue };
        lines.push(format!("{name}: {failure}"));
        if let Failure::Differs(example) = failure {
            lines.push(format!("inputs: {}", inputs(&example.inputs)));
        }
    }
    lines
}

/// The registers before a run as JSON for `run --inputs`; those that are zero are left out.
fn inputs(state: &State) -> String {
    let floats = |registers: &[[f32; 4]]| {
        let set = registers.iter().enumerate().filter(|(_, value)| value.iter().any(|x| x.to_bits() != 0));
        let words = |value: &[f32; 4]| value.map(|x| format!("{:08x}", x.to_bits())).join(" ");
        set.map(|(n, value)| (n.to_string(), words(value).into())).collect::<Map<_, _>>()
    };
    let ints = state.i.iter().enumerate();
    let ints = ints.map(|(n, value)| (n.to_string(), format!("{:08x}", u32::from_le_bytes(*value)).into()));
    let bools = state.b.iter().enumerate().fold(0_u32, |bits, (n, set)| bits | u32::from(*set) << n);
    let mut document = Map::new();
    document.insert("v".into(), floats(&state.v).into());
    document.insert("c".into(), floats(&state.c).into());
    document.insert("i".into(), ints.collect::<Map<_, _>>().into());
    document.insert("b".into(), format!("{bools:08x}").into());
    serde_json::Value::Object(document).to_string()
}
