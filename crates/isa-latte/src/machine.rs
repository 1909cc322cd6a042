//! The machine to everything above the instruction sets.

use crate::lift::{REGISTERS, Reach, lift, lift_with, likely_reach};
use crate::{Layout, Program, Uses, asm, decaf, lint, listing, stats, successors, usage};
use unshade_bytes::{Diagnostic, Error};
use unshade_ir::{Module, passes};
use unshade_isa_common::Usage;
use unshade_isa_common::machine::{AssembledCode, CodeFacts, Counts, ListingStyle, Machine};
use unshade_isa_common::successors::Reached;
use unshade_isa_common::text::Sink;
use unshade_stage::{Code, Isa, Stage, StageKind, Symbol};

/// What readable source assumes of registers that a program reaches by an index.
const ARRAY: &str = "an index into registers stays inside of the array that the source had";
/// How often a program is lifted to see how far its indices go.
const REACHES: usize = 4;

/// The Wii U's GPU7.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Latte;

fn uses(code: &Code<'_>) -> Uses {
    let program = Program::new(&code.words);
    Uses::new(&program, &Layout::new(&program))
}

impl Machine for Latte {
    const ISA: Isa = Isa::Latte;
    const FOREIGN_SYNTAX: &'static str = "decaf";

    /// What it exports tells.
    fn kind(code: &Code<'_>) -> StageKind {
        uses(code).kind()
    }

    fn instruction_count(code: &Code<'_>) -> u64 {
        uses(code).instructions().into()
    }

    fn successors(code: &Code<'_>) -> Reached {
        successors::steps(code)
    }

    fn facts(code: &Code<'_>) -> CodeFacts {
        let uses = uses(code);
        CodeFacts {
            registers: Some(uses.registers),
            stack: Some(uses.stack.div_ceil(usage::ENTRY)),
            discards: Some(uses.kills),
            ..CodeFacts::default()
        }
    }

    fn list(sink: &mut impl Sink, stage: &Stage<'_>, style: ListingStyle) {
        listing::list_bare(&stage.code, style.remarks, sink);
    }

    fn list_inside(sink: &mut impl Sink, stage: &Stage<'_>, style: ListingStyle) {
        listing::list_code(&stage.code, style.remarks, sink);
    }

    fn list_foreign(sink: &mut impl Sink, stage: &Stage<'_>) {
        decaf::list(&stage.code.words, sink);
    }

    fn assemble(text: &str, _: &[Symbol]) -> Result<AssembledCode, Vec<Diagnostic>> {
        let made = asm::assemble(text)?;
        Ok(AssembledCode { words: made.words, warnings: made.warnings, ..AssembledCode::default() })
    }

    /// The number of a group or clause.
    fn without_prefix(text: &str) -> &str {
        let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        let rest = text.split_once(' ').filter(|(number, _)| is_number(number)).map(|(_, rest)| rest);
        rest.unwrap_or(text).trim_start()
    }

    /// Of each operation of the group, which bit 31 ends.
    fn has_predicate(code: &Code<'_>, word: u32) -> bool {
        let at = |word: u32| code.words.get(word as usize).copied().unwrap_or(0);
        let places = (0..5_u32).map(|n| at(word.saturating_add(n.saturating_mul(2))));
        let mut ended = false;
        let group = places.take_while(|first| !std::mem::replace(&mut ended, first >> 31 != 0));
        group.into_iter().any(|first| first >> 29 & 3 != 0)
    }

    fn lint(stage: &Stage<'_>) -> Vec<Diagnostic> {
        lint::lint(stage)
    }

    /// Arithmetic is what the five units do; slots of groups stand among the resources, with five places to a group.
    fn counts(stage: &Stage<'_>) -> Counts {
        let stats = stats::stats(stage);
        let uses = &stats.uses;
        let count = |name: &str| uses.operations.get(name).map_or(0, |count| *count as usize);
        let mut counts = Counts {
            arithmetic: uses.units.iter().sum::<u32>() as usize,
            flow: uses.flow as usize,
            nops: count("NOP"),
            unknown: count("unknown") + stats.strays,
            relative: uses.relative as usize,
            ..Counts::of_mnemonics(
                uses.operations.iter().map(|(name, count)| (name.as_ref(), *count as usize)),
            )
        };
        let kinds = [
            ("groups", uses.groups),
            ("literals", uses.literals),
            ("texture-fetches", uses.texture_fetches),
            ("buffer-fetches", uses.buffer_fetches),
            ("clauses", uses.alu_clauses + uses.fetch_clauses),
        ];
        let limit = uses.instructions() as usize;
        counts.add(stats.resources);
        counts.add(kinds.map(|(name, used)| (name, Usage { used: used as usize, limit })));
        counts
    }

    fn lift(stage: &Stage<'_>) -> Result<Module, Error> {
        lift(stage)
    }

    /// Registers that an index reaches are the array that the source had.
    fn lift_readable(stage: &Stage<'_>) -> Result<(Module, Vec<String>), Error> {
        let module = lift_with(stage, Reach::Array)?;
        if module.arrays.first().is_none_or(|array| array.name != REGISTERS) {
            return Ok((module, Vec::new()));
        }
        let Some(likely) = likely_reach(stage)? else { return Ok((module, vec![ARRAY.to_owned()])) };
        // Passes show how far indices go, as long as they leave indices and arrays as they are.
        let keeps = |pass: &passes::Pass| !["index", "locals", "scratch", "rolled"].contains(&pass.name);
        let chosen: Vec<passes::Pass> = passes::readable().iter().copied().filter(keeps).collect();
        let mut reach = likely;
        for _ in 0..REACHES {
            let module = lift_with(stage, reach)?;
            let mut passed = module.clone();
            passes::run(&mut passed, &chosen, None);
            let Some((shown, of_each)) = reach.shown(&passed) else { break };
            // Where some index may lead anywhere, the array is as long as it most likely was, and as the others lead.
            let shown = if of_each { shown } else { shown.with(likely) };
            if shown == reach {
                return Ok((module, vec![ARRAY.to_owned()]));
            }
            // One that is as long as the indices go, or longer if these go further in one that is.
            reach = shown;
        }
        Ok((module, vec![ARRAY.to_owned()]))
    }
}
