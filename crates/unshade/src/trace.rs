//! What a run does, instruction by instruction, as lines of text.

use crate::{
    debug::first_word,
    listing::{instruction_texts, stage_text},
    run_json::{self, Case, CaseRun, Document, RunJsonError},
};
use std::collections::BTreeMap;
use unshade_isa::{
    latte, mali_gp, mali_pp, maxwell,
    pica200::{
        self,
        exec::Step,
        names::Names,
        print::{Form, Places, Printer},
    },
    text::PlainText,
    with_machine,
};
use unshade_stage::Stage;

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

/// A machine whose runs can be written down.
trait Traced {
    /// Runs one case and writes down each instruction.
    fn trace(
        stage: &Stage<'_>,
        texts: &Texts,
        document: &Document,
        case: &Case,
        fuel: u64,
    ) -> Result<CaseTrace, RunJsonError>;
}

/// Runs every case of a document and writes down each instruction with what it changed.
///
/// # Errors
///
/// As [`run_json::run`].
pub fn trace(stage: &Stage<'_>, document: &Document, fuel: u64) -> Result<Vec<CaseTrace>, RunJsonError> {
    let none = || RunJsonError::new("isa", format!("{} programs cannot be run", stage.isa));
    let texts = Texts::new(stage);
    let one =
        |case| with_machine!(stage.isa, M => M::trace(stage, &texts, document, case, fuel), _ => Err(none()));
    document.cases.iter().map(one).collect()
}

impl Traced for pica200::Pica200 {
    fn trace(
        stage: &Stage<'_>,
        _: &Texts,
        document: &Document,
        case: &Case,
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
}

impl Traced for mali_gp::MaliGp {
    fn trace(
        stage: &Stage<'_>,
        texts: &Texts,
        document: &Document,
        case: &Case,
        fuel: u64,
    ) -> Result<CaseTrace, RunJsonError> {
        let mut steps = Steps::default();
        let run = run_json::mali_gp::run_traced(stage, document, case, fuel, &mut steps)?;
        let line = |step: &mali_gp::exec::Step| {
            let word = step.pc.saturating_mul(4);
            TraceLine { word, text: texts.at(word).to_owned(), change: step.to_string() }
        };
        Ok(CaseTrace { run, lines: steps.0.iter().map(line).collect() })
    }
}

impl Traced for mali_pp::MaliPp {
    fn trace(
        stage: &Stage<'_>,
        texts: &Texts,
        document: &Document,
        case: &Case,
        fuel: u64,
    ) -> Result<CaseTrace, RunJsonError> {
        let mut steps = Changes::default();
        let run = run_json::mali_pp::run_traced(stage, document, case, fuel, &mut steps)?;
        let lines = steps.0.into_iter().map(|(word, change)| TraceLine {
            word,
            text: texts.at(word).to_owned(),
            change,
        });
        Ok(CaseTrace { run, lines: lines.collect() })
    }
}

impl Traced for latte::Latte {
    fn trace(
        stage: &Stage<'_>,
        texts: &Texts,
        document: &Document,
        case: &Case,
        fuel: u64,
    ) -> Result<CaseTrace, RunJsonError> {
        let mut steps = LatteSteps { texts, lines: Vec::new() };
        let run = run_json::latte::run_traced(stage, document, case, fuel, &mut steps)?;
        Ok(CaseTrace { run, lines: steps.lines })
    }
}

/// Keeps the first [`LINES`] steps as lines.
struct LatteSteps<'a> {
    texts: &'a Texts,
    lines: Vec<TraceLine>,
}

impl latte::exec::Trace<latte::exec::Program> for LatteSteps<'_> {
    fn step(&mut self, step: &latte::exec::Step<'_>) {
        if self.lines.len() >= LINES {
            return;
        }
        let word = step.address.saturating_mul(2);
        // The listing knows nothing of the fetch program.
        let listed = if step.fetch_program { "" } else { self.texts.at(word) };
        let text = if listed.is_empty() { operations(step.action) } else { listed.to_owned() };
        self.lines.push(TraceLine { word, text, change: step.to_string() });
    }
}

impl Traced for maxwell::Maxwell {
    fn trace(
        stage: &Stage<'_>,
        texts: &Texts,
        document: &Document,
        case: &Case,
        fuel: u64,
    ) -> Result<CaseTrace, RunJsonError> {
        let mut steps = MaxwellSteps { texts, lines: Vec::new() };
        let run = run_json::maxwell::run_traced(stage, document, case, fuel, &mut steps)?;
        Ok(CaseTrace { run, lines: steps.lines })
    }
}

/// Keeps the first [`LINES`] steps as lines.
struct MaxwellSteps<'a> {
    texts: &'a Texts,
    lines: Vec<TraceLine>,
}

impl maxwell::exec::Trace<maxwell::exec::Program> for MaxwellSteps<'_> {
    fn step(&mut self, step: &maxwell::exec::Step<'_>) {
        if self.lines.len() < LINES {
            let word = u32::try_from(step.address / 4).unwrap_or(u32::MAX);
            self.lines.push(TraceLine {
                word,
                text: self.texts.at(word).to_owned(),
                change: step.to_string(),
            });
        }
    }
}

/// The operations of a step of the Wii U's GPU by their names alone.
fn operations(action: latte::exec::Action<'_>) -> String {
    use latte::exec::Action;
    let known = |name: Option<&'static str>| name.unwrap_or("?");
    match action {
        Action::Flow(cf) => known(cf.op().map(latte::CfOp::name)).to_owned(),
        Action::Fetch(fetch) => fetch.op().name().to_owned(),
        Action::Group(group) => {
            let one = |(unit, inst): (latte::Unit, latte::Alu)| {
                format!("{}: {}", unit.letter(), known(inst.op().map(latte::AluOp::name)))
            };
            group.insts().map(one).collect::<Vec<_>>().join("  ")
        }
    }
}

/// Keeps the first [`LINES`] steps, each with what it changed: the pixels go on changing behind it.
#[derive(Default)]
struct Changes(Vec<(u32, String)>);

impl mali_pp::exec::Trace<mali_pp::exec::Program> for Changes {
    fn step(&mut self, step: &mali_pp::exec::Step<'_>) {
        if self.0.len() < LINES {
            self.0.push((step.pc, step.to_string()));
        }
    }
}

/// The instructions of a program as a listing shows them, by their first words.
struct Texts(BTreeMap<u32, String>);

impl Texts {
    fn new(stage: &Stage<'_>) -> Self {
        let texts = instruction_texts(stage).into_iter();
        Self(texts.map(|(words, text)| (first_word(stage.isa, &words), text)).collect())
    }

    fn at(&self, word: u32) -> &str {
        self.0.get(&word).map_or("", String::as_str)
    }
}

/// Keeps the first [`LINES`] steps.
struct Steps<S>(Vec<S>);

impl<S> Default for Steps<S> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<S> Steps<S> {
    fn keep(&mut self, step: S) {
        if self.0.len() < LINES {
            self.0.push(step);
        }
    }
}

impl pica200::exec::Trace<pica200::exec::Program> for Steps<Step> {
    fn step(&mut self, step: &Step) {
        self.keep(*step);
    }
}

impl mali_gp::exec::Trace<mali_gp::exec::Program> for Steps<mali_gp::exec::Step> {
    fn step(&mut self, step: &mali_gp::exec::Step) {
        self.keep(*step);
    }
}
