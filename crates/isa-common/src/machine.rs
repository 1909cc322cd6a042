//! What a machine is to everything above the instruction sets: one [`Machine`] for each, in a row of `unshade_isa`'s registry.

use crate::Usage;
use crate::successors::Reached;
use crate::text::Sink;
use crate::{Remarks, cases::Kind};
use std::ops::Range;
use unshade_bytes::{Diagnostic, Error};
use unshade_ir::{Module, passes::Pass};
pub use unshade_stage::CodeFacts;
use unshade_stage::{Code, Isa, Stage, StageKind, Symbol};

/// How a program is listed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ListingStyle {
    /// What is said after the instructions.
    pub remarks: Remarks,
    /// Leave out what schedules instructions (control words); the assembler then makes safe ones.
    pub hide_control: bool,
}

/// Code that was made from a listing.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AssembledCode {
    /// The code.
    pub words: Vec<u32>,
    /// Operand descriptors that the text lists; empty where it lists none, or the machine has none.
    pub descriptors: Vec<u32>,
    /// Word of the entry point, where the text names one.
    pub entry: Option<u32>,
    /// What may be a mistake, in the order of the text.
    pub warnings: Vec<Diagnostic>,
}

/// What a program uses.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Counts {
    /// Instructions by mnemonic, in alphabetical order.
    pub mnemonics: Vec<(String, usize)>,
    /// Arithmetic instructions.
    pub arithmetic: usize,
    /// Flow control.
    pub flow: usize,
    /// Instructions that do nothing.
    pub nops: usize,
    /// Code words that are not an instruction.
    pub unknown: usize,
    /// Operands with relative addressing.
    pub relative: usize,
    /// Resources in use and their limits.
    pub resources: Vec<(String, Usage)>,
}

impl Counts {
    /// With these counts by mnemonic.
    pub fn of_mnemonics<'a>(counts: impl IntoIterator<Item = (&'a str, usize)>) -> Self {
        let mnemonics = counts.into_iter().map(|(name, count)| (name.to_owned(), count)).collect();
        Self { mnemonics, ..Self::default() }
    }

    /// Adds resources in use.
    pub fn add<N: Into<String>>(&mut self, resources: impl IntoIterator<Item = (N, Usage)>) {
        self.resources.extend(resources.into_iter().map(|(name, usage)| (name.into(), usage)));
    }
}

/// Runs a seeded case of a program with so many instructions at most: how many it took, and whether it ended.
pub type CaseRunner<'a> = Box<dyn FnMut(u64, u64) -> (u64, bool) + 'a>;

/// An instruction set, as everything above the instruction sets knows it. The functions are those of the machine's own rooms,
/// under one name for all machines; where a machine has nothing of a kind, the default says so.
pub trait Machine {
    /// The instruction set.
    const ISA: Isa;
    /// Characters of listing that a code word takes, about: room for the text is made once.
    const TEXT_PER_WORD: usize = 40;
    /// The tool whose syntax the machine can be printed in besides its own: `picasso`, `lima`.
    const FOREIGN_SYNTAX: &'static str;

    /// The kind of program that bare code is, as far as the code shows it.
    fn kind(code: &Code<'_>) -> StageKind;

    /// How many instructions the code has.
    fn instruction_count(code: &Code<'_>) -> u64;

    /// Where each instruction can lead.
    fn successors(code: &Code<'_>) -> Reached;

    /// What a container may have to state of the code.
    fn facts(code: &Code<'_>) -> CodeFacts;

    /// Lists a program on its own, with the line that says which machine it is for.
    fn list(sink: &mut impl Sink, stage: &Stage<'_>, style: ListingStyle);

    /// Lists the code of a program inside the listing of a container. No line of it is `.end_code`.
    fn list_inside(sink: &mut impl Sink, stage: &Stage<'_>, style: ListingStyle);

    /// Lists a program in the syntax of [`Self::FOREIGN_SYNTAX`].
    fn list_foreign(sink: &mut impl Sink, stage: &Stage<'_>);

    /// Assembles a listing, with the symbols of the program that it is for.
    ///
    /// # Errors
    /// Everything that is wrong in the text, with its place in it.
    fn assemble(text: &str, symbols: &[Symbol]) -> Result<AssembledCode, Vec<Diagnostic>>;

    /// The text of an instruction without what a listing has in front of it: what schedules it, its number.
    fn without_prefix(text: &str) -> &str {
        text.trim_start()
    }

    /// The text of an instruction, which stands on one line, with each of its units on a line, as a listing has them.
    fn units_on_lines(text: &str) -> String {
        text.to_owned()
    }

    /// The word that a run names an instruction by, of the words that its line of a listing shows.
    fn instruction_word(words: &Range<u32>) -> u32 {
        words.start
    }

    /// Whether a predicate leaves out a part of what the instruction at a word does at once.
    fn has_predicate(_code: &Code<'_>, _word: u32) -> bool {
        false
    }

    /// How far the hardware may be from what this crate computes, in a line; nothing where they are said to be equal.
    fn accuracy(_code: &Code<'_>) -> Option<String> {
        None
    }

    /// What is wrong with a program. Offsets count from the start of its container.
    fn lint(stage: &Stage<'_>) -> Vec<Diagnostic>;

    /// What a program uses.
    fn counts(stage: &Stage<'_>) -> Counts;

    /// Runs seeded cases of a program, to count instructions; `None` where nothing says what the machine would read.
    fn case_runner<'a>(_stage: &'a Stage<'_>, _seed: u64, _kind: Kind) -> Option<CaseRunner<'a>> {
        None
    }

    /// The program in the common IR, as it comes from the machine code.
    ///
    /// # Errors
    /// Where the code does more than a module may hold.
    fn lift(stage: &Stage<'_>) -> Result<Module, Error>;

    /// As [`Self::lift`] for readable source: constants as they were most likely written, registers as the arrays that the
    /// source had. With what that assumes, a sentence each.
    ///
    /// # Errors
    /// As [`Self::lift`].
    fn lift_readable(stage: &Stage<'_>) -> Result<(Module, Vec<String>), Error> {
        Ok((Self::lift(stage)?, Vec::new()))
    }

    /// What both modes assume of a program, a sentence each.
    fn assumptions(_stage: &Stage<'_>) -> Vec<String> {
        Vec::new()
    }

    /// Passes of readable mode for the machine's own idioms; they run in front of those that all machines share.
    fn readable_passes() -> &'static [Pass] {
        &[]
    }

    /// The same of strict mode.
    fn strict_passes() -> &'static [Pass] {
        &[]
    }
}
