//! The machine to everything above the instruction sets.

use crate::decode::Walk;
use crate::exec::{End, Float, NoTrace, Program, cases};
use crate::half::Constants;
use crate::{Field, Item, asm, lift, lima, lint, listing, stats, successors};
use unshade_bytes::{Diagnostic, Error};
use unshade_ir::{Module, exec::Memory};
use unshade_isa_common::Usage;
use unshade_isa_common::cases::Kind;
use unshade_isa_common::machine::{AssembledCode, CaseRunner, CodeFacts, Counts, ListingStyle, Machine};
use unshade_isa_common::successors::Reached;
use unshade_isa_common::text::Sink;
use unshade_stage::{Code, Isa, Stage, StageKind, Symbol};

/// What readable source assumes of constants in the code.
const WRITTEN: &str =
    "constants of 16 bits stand for well-known numbers, or the shortest decimals, that give them";

/// The pixel processor of Mali-200 and Mali-400.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MaliPp;

impl Machine for MaliPp {
    const ISA: Isa = Isa::MaliPp;
    const FOREIGN_SYNTAX: &'static str = "lima";

    fn kind(_: &Code<'_>) -> StageKind {
        StageKind::Fragment
    }

    fn instruction_count(code: &Code<'_>) -> u64 {
        Walk::new(&code.words).filter(|(_, item)| matches!(item, Item::Inst(_))).count() as u64
    }

    fn successors(code: &Code<'_>) -> Reached {
        successors::steps(code)
    }

    fn facts(code: &Code<'_>) -> CodeFacts {
        let mut walk = Walk::new(&code.words);
        let discards = walk.any(|(_, item)| matches!(item, Item::Inst(inst) if inst.discards()));
        CodeFacts { discards: Some(discards), ..CodeFacts::default() }
    }

    fn list(sink: &mut impl Sink, stage: &Stage<'_>, style: ListingStyle) {
        listing::list_bare(&stage.code, &stage.interface.symbols, style.remarks, sink);
    }

    fn list_inside(sink: &mut impl Sink, stage: &Stage<'_>, style: ListingStyle) {
        listing::list_code_with(&stage.code, &stage.interface.symbols, style.remarks, sink);
    }

    fn list_foreign(sink: &mut impl Sink, stage: &Stage<'_>) {
        lima::list(&stage.code.words, sink);
    }

    fn assemble(text: &str, symbols: &[Symbol]) -> Result<AssembledCode, Vec<Diagnostic>> {
        let made = asm::assemble(text, symbols)?;
        Ok(AssembledCode { words: made.words, warnings: made.warnings, ..AssembledCode::default() })
    }

    fn units_on_lines(text: &str) -> String {
        text.replace(" | ", "\n| ")
    }

    fn lint(stage: &Stage<'_>) -> Vec<Diagnostic> {
        lint::lint(stage)
    }

    /// Arithmetic is what the four units and the combiner do; the fields stand among the resources, with as many places as
    /// there are instructions.
    fn counts(stage: &Stage<'_>) -> Counts {
        let stats = stats::stats(stage);
        let mut counts = Counts {
            arithmetic: stats.operations.values().sum(),
            flow: stats.branches + stats.discards,
            unknown: stats.strays,
            relative: stats.relative,
            ..Counts::of_mnemonics(stats.operations.iter().map(|(name, count)| (name.as_ref(), *count)))
        };
        counts.add(stats.resources);
        let fields = Field::ALL.iter().zip(stats.fields);
        counts.add(fields.map(|(field, used)| {
            (format!("field-{}", field.name()), Usage { used, limit: stats.instructions })
        }));
        counts
    }

    fn case_runner<'a>(stage: &'a Stage<'_>, seed: u64, kind: Kind) -> Option<CaseRunner<'a>> {
        let program = Program::new(stage);
        Some(Box::new(move |index, most| {
            let (mut lane, uniforms) = cases::case(stage, &program, seed, index, kind);
            let (memory, trace) = (&mut Memory::default(), &mut NoTrace);
            let outcome = program.run_lane(&mut lane, &uniforms, memory, Float::F32, most, trace);
            (outcome.steps, outcome.ends[0] != End::OutOfFuel)
        }))
    }

    fn lift(stage: &Stage<'_>) -> Result<Module, Error> {
        lift::lift(stage)
    }

    fn lift_readable(stage: &Stage<'_>) -> Result<(Module, Vec<String>), Error> {
        let exact = lift::lift(stage)?;
        let written = lift::lift_with(stage, Constants::Written)?;
        let assumed = if written == exact { Vec::new() } else { vec![WRITTEN.to_owned()] };
        Ok((written, assumed))
    }
}
