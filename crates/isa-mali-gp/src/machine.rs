//! The machine to everything above the instruction sets.

use crate::names::Names;
use crate::{asm, exec, lift, lima, lint, listing, stats, successors};
use unshade_bytes::{Diagnostic, Error};
use unshade_ir::{Module, passes::Pass};
use unshade_isa_common::cases::Kind;
use unshade_isa_common::machine::{AssembledCode, CaseRunner, CodeFacts, Counts, ListingStyle, Machine};
use unshade_isa_common::successors::Reached;
use unshade_isa_common::text::Sink;
use unshade_stage::{Code, Isa, Stage, StageKind, Symbol};

/// The vertex processor of Mali-200 and Mali-400.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MaliGp;

impl Machine for MaliGp {
    const ISA: Isa = Isa::MaliGp;
    /// A word is more text than one of the others: a quarter of an instruction with up to twelve units.
    const TEXT_PER_WORD: usize = 64;
    const FOREIGN_SYNTAX: &'static str = "lima";

    fn kind(_: &Code<'_>) -> StageKind {
        StageKind::Vertex
    }

    /// Four words each; what is left at the end is not one.
    fn instruction_count(code: &Code<'_>) -> u64 {
        code.words.len() as u64 / 4
    }

    fn successors(code: &Code<'_>) -> Reached {
        successors::steps(code)
    }

    fn facts(code: &Code<'_>) -> CodeFacts {
        let (_, attribute_prefetch) = stats::declaration(&code.words);
        CodeFacts { attribute_prefetch: Some(attribute_prefetch), ..CodeFacts::default() }
    }

    fn list(sink: &mut impl Sink, stage: &Stage<'_>, style: ListingStyle) {
        listing::list_code(sink, &stage.code, &stage.interface.symbols, style.remarks);
    }

    fn list_inside(sink: &mut impl Sink, stage: &Stage<'_>, style: ListingStyle) {
        let names = Names::of_symbols(&stage.interface.symbols);
        listing::write_code(sink, &stage.code.words, &stage.code.labels, &names, style.remarks);
    }

    fn list_foreign(sink: &mut impl Sink, stage: &Stage<'_>) {
        lima::list(&stage.code.words, sink);
    }

    fn assemble(text: &str, symbols: &[Symbol]) -> Result<AssembledCode, Vec<Diagnostic>> {
        let made = asm::assemble(text, symbols)?;
        Ok(AssembledCode { words: made.words, warnings: made.warnings, ..AssembledCode::default() })
    }

    fn units_on_lines(text: &str) -> String {
        text.replace(" || ", "\n|| ")
    }

    fn lint(stage: &Stage<'_>) -> Vec<Diagnostic> {
        lint::lint(stage)
    }

    /// Arithmetic is what the units do besides moving; the slots stand among the resources, with as many places as there
    /// are instructions.
    fn counts(stage: &Stage<'_>) -> Counts {
        let stats = stats::stats(stage);
        let branches =
            stats.slots.iter().find(|(name, _)| *name == "branch").map_or(0, |(_, usage)| usage.used);
        let operations: usize = stats.operations.values().sum();
        let mut counts = Counts {
            arithmetic: operations.saturating_sub(stats.moves),
            flow: branches,
            nops: stats.nops,
            relative: stats.relative,
            ..Counts::of_mnemonics(stats.operations.iter().map(|(name, count)| (name.as_str(), *count)))
        };
        counts.add(stats.resources);
        counts.add(stats.slots.into_iter().map(|(name, usage)| (format!("slot-{name}"), usage)));
        counts
    }

    fn case_runner<'a>(stage: &'a Stage<'_>, seed: u64, kind: Kind) -> Option<CaseRunner<'a>> {
        let program = exec::Program::new(stage);
        Some(Box::new(move |index, most| {
            let mut state = exec::cases::case(stage, seed, index, kind);
            let outcome = program.run(&mut state, most);
            (outcome.steps, outcome.end != exec::End::OutOfFuel)
        }))
    }

    fn lift(stage: &Stage<'_>) -> Result<Module, Error> {
        lift::lift(stage)
    }

    fn readable_passes() -> &'static [Pass] {
        &[lift::VIEWPORT, lift::POINT_SIZE, lift::SINES]
    }
}
