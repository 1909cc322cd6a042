//! The machine to everything above the instruction sets.

use crate::listing::{self, CodeText, assemble_code, write_picasso};
use crate::{exec, lift, lint, stats, successors, written};
use unshade_bytes::{Diagnostic, Error};
use unshade_ir::Module;
use unshade_isa_common::cases::Kind;
use unshade_isa_common::machine::{AssembledCode, CaseRunner, CodeFacts, Counts, ListingStyle, Machine};
use unshade_isa_common::successors::Reached;
use unshade_isa_common::text::Sink;
use unshade_stage::{Code, Isa, Stage, StageKind, Symbol};

/// What readable source assumes of the constants beside a program.
const WRITTEN: &str =
    "constants of 24 bits stand for well-known numbers, or the shortest decimals, that give them";
/// What is assumed of registers that a program reads and never writes.
const UNWRITTEN: &str = "registers that are read and never written hold 0";

/// The shader units of the Nintendo 3DS.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pica200;

impl Machine for Pica200 {
    const ISA: Isa = Isa::Pica200;
    const FOREIGN_SYNTAX: &'static str = "picasso";

    fn kind(_: &Code<'_>) -> StageKind {
        StageKind::Vertex
    }

    fn instruction_count(code: &Code<'_>) -> u64 {
        code.words.len() as u64
    }

    fn successors(code: &Code<'_>) -> Reached {
        successors::steps(code)
    }

    fn facts(_: &Code<'_>) -> CodeFacts {
        CodeFacts::default()
    }

    fn list(sink: &mut impl Sink, stage: &Stage<'_>, style: ListingStyle) {
        listing::list_code(sink, &CodeText::of_stage(stage), style.remarks);
    }

    /// The container of this machine writes the code itself: several programs share it.
    fn list_inside(sink: &mut impl Sink, stage: &Stage<'_>, style: ListingStyle) {
        Self::list(sink, stage, style);
    }

    fn list_foreign(sink: &mut impl Sink, stage: &Stage<'_>) {
        write_picasso(sink, stage);
    }

    fn assemble(text: &str, _: &[Symbol]) -> Result<AssembledCode, Vec<Diagnostic>> {
        let made = assemble_code(text)?;
        let entry = made.procedure("main").map(|(start, _)| start);
        Ok(AssembledCode {
            words: made.words,
            descriptors: made.descriptors,
            entry,
            ..AssembledCode::default()
        })
    }

    fn lint(stage: &Stage<'_>) -> Vec<Diagnostic> {
        lint::lint(stage)
    }

    fn counts(stage: &Stage<'_>) -> Counts {
        let stats = stats::stats(stage);
        Counts {
            arithmetic: stats.arithmetic,
            flow: stats.flow,
            nops: stats.nops,
            unknown: stats.unknown,
            relative: stats.relative,
            resources: stats.resources.iter().map(|(name, usage)| ((*name).to_owned(), *usage)).collect(),
            ..Counts::of_mnemonics(stats.mnemonics)
        }
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

    fn lift_readable(stage: &Stage<'_>) -> Result<(Module, Vec<String>), Error> {
        match written::written(stage) {
            Some(written) => Ok((lift::lift(&written)?, vec![WRITTEN.to_owned()])),
            None => Ok((lift::lift(stage)?, Vec::new())),
        }
    }

    fn assumptions(stage: &Stage<'_>) -> Vec<String> {
        if lint::unwritten(stage).is_empty() { Vec::new() } else { vec![UNWRITTEN.to_owned()] }
    }
}
