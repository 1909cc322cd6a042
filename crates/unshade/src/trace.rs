//! What a run does, instruction by instruction, as lines of text.

use crate::{
    listing::stage_text,
    run_json::{self, CaseRun, Document, RunJsonError},
};
use unshade_isa::{
    pica200::{
        exec::Step,
        names::Names,
        print::{Form, Places, Printer},
    },
    text::PlainText,
};
use unshade_stage::{Isa, Stage};

/// One case of a document with its trace.
#[derive(Debug, Clone, PartialEq)]
pub struct CaseTrace {
    /// The results.
    pub run: CaseRun,
    /// Every instruction in the order of execution.
    pub lines: Vec<TraceLine>,
}

/// An instruction that was executed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TraceLine {
    /// Word index.
    pub word: u32,
    /// The instruction as a listing shows it.
    pub text: String,
    /// What it changed: `r0.xy = 1 0.5`; empty for nothing.
    pub change: String,
}

/// Instructions that a trace keeps at most; the run goes on without.
const LINES: usize = 1 << 20;

/// Runs every case of a document and writes down each instruction with what it changed.
///
/// # Errors
///
/// As [`run_json::run`].
pub fn trace(stage: &Stage<'_>, document: &Document, fuel: u64) -> Result<Vec<CaseTrace>, RunJsonError> {
    match stage.isa {
        Isa::Pica200 => document.cases.iter().map(|case| pica200(stage, document, case, fuel)).collect(),
        other => Err(RunJsonError::new("isa", format!("{other} programs cannot be run"))),
    }
}

fn pica200(
    stage: &Stage<'_>,
    document: &Document,
    case: &run_json::Case,
    fuel: u64,
) -> Result<CaseTrace, RunJsonError> {
    let mut steps = Steps::default();
    let run = run_json::pica200::run_traced(stage, document, case, fuel, &mut steps)?;
    let mut names = Names::default();
    for named in stage_text(stage).roots.iter().flat_map(|root| &root.names) {
        names.set(named.class, named.first, named.last, &named.name);
    }
    let mut printer = Printer::new(&stage.code.descriptors);
    let places = Places::default();
    let line = |step: &Step| {
        let mut text = PlainText::default();
        printer.instruction(&mut text, step.inst, &names, &places, Form::Bounds);
        let mut change = step.write.to_string();
        if let Some(counter) = step.counter {
            let separator = if change.is_empty() { "" } else { ", " };
            change = format!("{change}{separator}aL = {counter}");
        }
        TraceLine { word: step.pc, text: text.into_text(), change }
    };
    Ok(CaseTrace { run, lines: steps.0.iter().map(line).collect() })
}

/// Keeps the first [`LINES`] steps.
#[derive(Default)]
struct Steps(Vec<Step>);

impl unshade_isa::pica200::exec::Trace for Steps {
    fn step(&mut self, step: &Step) {
        if self.0.len() < LINES {
            self.0.push(*step);
        }
    }
}
