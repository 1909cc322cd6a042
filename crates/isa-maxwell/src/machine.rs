//! The machine to everything above the instruction sets.

use crate::listing::{self, Control};
use crate::{Class, Reach, Uses, asm, lift, lint, nvdisasm, special, stats, successors, usage};
use std::ops::Range;
use unshade_bytes::{Diagnostic, Error};
use unshade_ir::{Module, passes::Pass};
use unshade_isa_common::Usage;
use unshade_isa_common::machine::{AssembledCode, CodeFacts, Counts, ListingStyle, Machine};
use unshade_isa_common::successors::Reached;
use unshade_isa_common::text::Sink;
use unshade_stage::{Code, Isa, Stage, StageKind, Symbol};

/// The Switch's GPU, sm_53.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Maxwell;

fn control(style: ListingStyle) -> Control {
    if style.hide_control { Control::Hidden } else { Control::Shown }
}

impl Machine for Maxwell {
    const ISA: Isa = Isa::Maxwell;
    const FOREIGN_SYNTAX: &'static str = "nvdisasm";

    /// What it does tells.
    fn kind(code: &Code<'_>) -> StageKind {
        Uses::new(&Reach::new(code)).kind()
    }

    /// Three after every word that schedules them.
    fn instruction_count(code: &Code<'_>) -> u64 {
        let all = code.words.len() as u64 / 2;
        all - all.div_ceil(4)
    }

    fn successors(code: &Code<'_>) -> Reached {
        successors::steps(code)
    }

    fn facts(code: &Code<'_>) -> CodeFacts {
        CodeFacts { registers: Some(Uses::new(&Reach::new(code)).registers), ..CodeFacts::default() }
    }

    fn list(sink: &mut impl Sink, stage: &Stage<'_>, style: ListingStyle) {
        listing::list_bare(&stage.code, control(style), style.remarks, sink);
    }

    fn list_inside(sink: &mut impl Sink, stage: &Stage<'_>, style: ListingStyle) {
        listing::list_code(&stage.code, control(style), style.remarks, sink);
    }

    fn list_foreign(sink: &mut impl Sink, stage: &Stage<'_>) {
        nvdisasm::list_code(&stage.code, sink);
    }

    fn assemble(text: &str, _: &[Symbol]) -> Result<AssembledCode, Vec<Diagnostic>> {
        let made = asm::assemble(text)?;
        Ok(AssembledCode { words: made.words, warnings: made.warnings, ..AssembledCode::default() })
    }

    /// What its control word says.
    fn without_prefix(text: &str) -> &str {
        let rest = text.strip_prefix('[').and_then(|rest| rest.split_once(']')).map(|(_, rest)| rest);
        rest.unwrap_or(text).trim_start()
    }

    /// The one after a control word, which the first line of three shows too.
    fn instruction_word(words: &Range<u32>) -> u32 {
        words.end.saturating_sub(2).max(words.start)
    }

    fn accuracy(code: &Code<'_>) -> Option<String> {
        special::note(code)
    }

    fn lint(stage: &Stage<'_>) -> Vec<Diagnostic> {
        lint::lint(stage)
    }

    /// Arithmetic is what computes; the classes of instructions stand among the resources, with as many places as there are
    /// instructions. Cycles are those that the control words let pass, each instruction once.
    fn counts(stage: &Stage<'_>) -> Counts {
        let stats = stats::stats(stage);
        let uses = &stats.uses;
        let instructions = uses.instructions as usize;
        let arithmetic = uses.classes.iter().filter(|(class, _)| class.is_arithmetic());
        let mut counts = Counts {
            arithmetic: arithmetic.map(|(_, count)| *count as usize).sum(),
            flow: uses.of_class(Class::Flow) as usize,
            nops: uses.of_class(Class::Nop) as usize,
            unknown: uses.unknown as usize,
            relative: uses.relative as usize,
            ..Counts::of_mnemonics(uses.operations.iter().map(|(name, count)| (*name, *count as usize)))
        };
        let memory = |extent: usage::Extent| extent.end as usize;
        let kinds = [
            ("textures", uses.textures.len(), instructions),
            ("images", uses.images.len(), instructions),
            ("bindless", uses.bindless as usize, instructions),
            ("local-bytes", memory(uses.local), stats::LOCAL),
            ("shared-bytes", memory(uses.shared), stats::SHARED),
            ("issue-cycles", usize::try_from(uses.cycles).unwrap_or(usize::MAX), 15 * instructions),
            ("instructions", instructions, instructions + stats.unreached),
        ];
        let kinds = kinds.into_iter().filter(|(_, used, _)| *used > 0);
        counts.add(stats.resources);
        counts.add(kinds.map(|(name, used, limit)| (name, Usage { used, limit })));
        counts
    }

    fn lift(stage: &Stage<'_>) -> Result<Module, Error> {
        lift::lift(stage)
    }

    fn readable_passes() -> &'static [Pass] {
        lift::idiom::PASSES
    }

    fn strict_passes() -> &'static [Pass] {
        &[lift::idiom::GRADIENTS]
    }
}
