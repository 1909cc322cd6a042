//! `verify --source`: whether a text computes what a program does.

use super::verify::{OutsideReason, cases_in_words};
use crate::run_json::{self, Unbound};
use crate::verify::{self, By, Failure, TextVerdict};
use serde::Serialize;
use unshade_stage::Stage;

/// A program held against a text.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TextReport {
    /// `unshade-verify-source-1`.
    pub schema: String,
    /// The file of the program, as given.
    pub file: String,
    /// What stands behind `FILE` to name the program.
    pub item: String,
    /// `vertex`, `geometry`.
    pub kind: String,
    /// The text's file, or the other program.
    pub source: String,
    /// Everything that was compared is equal within the tolerance, something was compared, and no output is missing.
    pub passed: bool,
    /// All of it in a sentence.
    pub verdict: String,
    /// Seed of the inputs.
    pub seed: u64,
    /// Cases that were compared.
    pub compared: u32,
    /// How many of these end on neither side.
    pub unfinished: u32,
    /// Cases that were not run, since the work of a verify was used up.
    pub left: u32,
    /// Cases beside those that were compared, which say nothing.
    pub outside: u32,
    /// Why these say nothing; most frequent first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub reasons: Vec<OutsideReason>,
    /// Variables of the text with those of the program.
    pub pairs: Vec<TextPair>,
    /// Variables that only one side has.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub alone: Vec<TextAlone>,
    /// A counterexample with its inputs, as lines of text.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub details: Vec<String>,
}

/// A variable of the text with that of the program.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TextPair {
    /// Name in the text.
    pub text: String,
    /// Name in the source that `decompile` prints.
    pub program: String,
    /// `name`; `place`: the same location or binding; `order`: what was left on both sides.
    pub by: String,
}

/// A variable that one side does not have.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TextAlone {
    /// `input`, `output`, `uniform`, `block`, `buffer`, `texture`, `image`.
    pub kind: String,
    /// Its name.
    pub name: String,
    /// `text` or `program`: who has it.
    pub side: String,
}

/// The report of a verdict.
pub fn verify_text(
    file: &str,
    item: &str,
    stage: &Stage<'_>,
    source: &str,
    verdict: &TextVerdict,
) -> TextReport {
    let section = &verdict.section;
    let mut details = Vec::new();
    if let Some(failure) = &section.failure {
        details.push(failure.to_string());
        if let Failure::Differs(example) = failure {
            let inputs = verify::in_registers(stage, example.inputs.clone());
            details.push(format!("inputs: {}", run_json::inputs(stage, &inputs, Unbound::Hashed)));
        }
    }
    for alone in &verdict.alone {
        let (has, lacks) = if alone.in_text { ("text", "program") } else { ("program", "text") };
        details.push(format!("the {has} has the {} `{}`, the {lacks} has not", alone.kind, alone.name));
    }
    TextReport {
        schema: "unshade-verify-source-1".to_owned(),
        file: file.to_owned(),
        item: item.to_owned(),
        kind: stage.kind.name().to_owned(),
        source: source.to_owned(),
        passed: verdict.passed(),
        verdict: sentence(verdict),
        seed: verdict.seed,
        compared: section.compared,
        unfinished: section.unfinished,
        left: section.left,
        outside: section.outside.total(),
        reasons: OutsideReason::all(&section.outside),
        pairs: verdict
            .pairs
            .iter()
            .map(|pair| TextPair {
                text: pair.text.clone(),
                program: pair.program.clone(),
                by: match pair.by {
                    By::Name => "name",
                    By::Place => "place",
                    By::Order => "order",
                }
                .to_owned(),
            })
            .collect(),
        alone: verdict
            .alone
            .iter()
            .map(|alone| TextAlone {
                kind: alone.kind.to_owned(),
                name: alone.name.clone(),
                side: if alone.in_text { "text" } else { "program" }.to_owned(),
            })
            .collect(),
        details,
    }
}

fn sentence(verdict: &TextVerdict) -> String {
    if verdict.section.failure.is_some() {
        return "DIFFERS from the text".to_owned();
    }
    if let Some(missing) = verdict.missing() {
        let who = if missing.in_text { "program" } else { "text" };
        return format!("DIFFERS: the {who} has no output `{}`", missing.name);
    }
    if verdict.section.compared == 0 {
        return "UNKNOWN: no case could be compared".to_owned();
    }
    format!("equal to the text within tolerance on {}", cases_in_words(&verdict.section))
}
