//! The machine's side: inputs and what it makes of them.

use unshade_ir::{Global, Space};
use unshade_isa::{cases::Kind, with_machine};
use unshade_stage::Stage;

use super::compare::Words;
use super::outside::Reason;
use super::shapes::Shape;
use super::subject::{Ended, Subject};
use super::typed::Typed;
use super::work::Work;

/// Machine instructions after which a run counts as endless.
const FUEL: u64 = 1 << 14;
/// The same, until a few runs have shown that no program with these inputs goes on for so long and ends.
const LONG_FUEL: u64 = 1 << 18;
/// Draws that end, after which the longest of them says how long a run takes; and the fewest instructions that it may say.
const KNOWN_DRAWS: u32 = 64;
const SHORT_FUEL: u64 = 1 << 10;
/// Endless draws that are given the long time.
const LONG_DRAWS: u32 = 8;
/// One case in that many may be endless; further endless draws are replaced.
const ENDLESS_SHARE: u32 = 64;
/// Draws in search of a case that ends.
const DRAWS: u64 = 64;

/// The registers of one space before a run, word by word, as the IR addresses them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Registers {
    /// Address space.
    pub space: Space,
    /// Register file of the space.
    pub binding: u32,
    /// Its words.
    pub words: Vec<u32>,
}

/// Everything that a program reads.
pub type Inputs = Vec<Registers>;

/// Words of a register file; none where the inputs have no such file.
pub(super) fn words(inputs: &Inputs, space: Space, binding: u32) -> &[u32] {
    let found = inputs.iter().find(|registers| registers.space == space && registers.binding == binding);
    found.map_or(&[], |registers| &registers.words)
}

/// The reference interpreter of an instruction set, on one program.
pub(crate) trait Machine {
    /// The inputs of a case, by seed and number.
    fn inputs(&self, seed: u64, index: u64, kind: Kind) -> Inputs;

    /// Whether its inputs have the types of their variables by themselves.
    fn draws_by_type(&self) -> bool {
        false
    }

    /// Inputs that were changed, as the hardware can tell them.
    fn limited(&self, inputs: Inputs) -> Inputs {
        inputs
    }

    /// The same inputs without what the machine computes back with a rounding of its own.
    fn plain(&self, inputs: Inputs) -> Inputs {
        inputs
    }

    /// The inputs of a case as the machine's registers hold them, where the source has them otherwise.
    fn registers(&self, inputs: Inputs) -> Inputs {
        inputs
    }

    /// Runs it: what leaves the program, if it comes to an end, and the instructions that it took.
    fn run(&self, inputs: &Inputs, fuel: u64) -> (Option<Words>, u64);

    /// Whether a run stops at a bound on what it emits that the interpreter has and the program has not: it says nothing.
    fn stops_at_bound(&self, _inputs: &Inputs, _fuel: u64) -> bool {
        false
    }

    /// What a run does that readable mode assumes that none does.
    fn leaves_assumptions(&self, inputs: &Inputs, fuel: u64, globals: &[Global]) -> Option<Reason>;

    /// Whether whole quads run, since their lanes work for each other, which readable mode says otherwise.
    fn in_quads(&self) -> bool {
        false
    }

    /// How many words of outputs there are, in binding 0.
    fn output_words(&self) -> usize;

    /// Output bindings and how many words each has; they follow each other in what leaves the program.
    fn output_files(&self) -> Vec<(u32, usize)> {
        vec![(0, self.output_words())]
    }

    /// Storage buffers; what is in them afterwards follows on the outputs, unless those are vertices.
    fn buffers(&self) -> Vec<u32> {
        Vec::new()
    }

    /// What leaves the program.
    fn leaves(&self) -> Leaves;

    /// What counts of the outputs when vertex `number` was emitted.
    fn vertex(&self, _number: usize, words: &[u32]) -> Vec<u32> {
        words.to_vec()
    }

    /// What the machine stores where a program in which the source's own outputs were found again stores those.
    fn as_stored(&self, _inputs: &Inputs, words: Words, _restored: Restored) -> Words {
        words
    }

    /// What the machine calls a word of the outputs.
    fn output_name(&self, word: usize) -> String;
}

/// Which outputs a program stores as its source did, without what compilers add.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Restored {
    /// The position before the viewport transform.
    pub(crate) position: bool,
    /// The size of points without bounds.
    pub(crate) point_size: bool,
}

/// What leaves a program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Leaves {
    /// Its outputs.
    Outputs,
    /// Its outputs, and behind them a word that says whether the pixel was dropped; the outputs are 0 then.
    Pixel,
    /// The vertices that it emits.
    Vertices,
}

/// A machine whose programs can be verified.
pub(super) trait Verified {
    /// The interpreter of a program.
    fn machine<'a>(stage: &'a Stage<'_>) -> Result<Box<dyn Machine + 'a>, String>;

    /// The same for readable mode, which reads the constants in the code as they were most likely written.
    fn readable<'a>(stage: &'a Stage<'_>) -> Result<Box<dyn Machine + 'a>, String> {
        Self::machine(stage)
    }
}

/// The interpreter of a stage's instruction set.
pub(crate) fn machine<'a>(stage: &'a Stage<'_>) -> Result<Box<dyn Machine + 'a>, String> {
    with_machine!(stage.isa, M => M::machine(stage), _ => Err(format!("{} programs cannot be run", stage.isa)))
}

/// The same for readable mode.
pub(super) fn readable_machine<'a>(stage: &'a Stage<'_>) -> Result<Box<dyn Machine + 'a>, String> {
    with_machine!(stage.isa, M => M::readable(stage), _ => machine(stage))
}

/// One case.
#[derive(Debug)]
pub(super) struct Case {
    /// Its number in the series.
    pub(super) index: u64,
    /// Registers before the run.
    pub(super) inputs: Inputs,
    /// What the machine computed, if it came to an end.
    pub(super) result: Option<Words>,
    /// Instructions that it took.
    steps: u64,
    /// Words that one instruction may move: all outputs, where it emits a vertex, and a few hundred components beside them.
    moved: u64,
}

impl Case {
    /// Steps that a program made from the machine's may take for this case.
    pub(super) fn fuel(&self) -> u64 {
        match self.result {
            Some(_) => 10_000 + self.steps.saturating_mul(self.moved),
            // What the machine had, several times: a step of the source may be less than an instruction.
            None => 4 * self.steps.clamp(SHORT_FUEL, FUEL),
        }
    }
}

/// A series of cases.
pub(super) struct Cases<'a> {
    machine: &'a dyn Machine,
    /// Words that have a type.
    typed: &'a Typed,
    seed: u64,
    kind: Kind,
    next: u64,
    given: u32,
    endless: u32,
    /// Draws that may still take the long time.
    long: u32,
    /// Draws that came to their end, and the most instructions that one of them took.
    ended: u32,
    longest: u64,
    /// What all runs together may take; no other draw begins behind that.
    work: Work,
    /// See [`Case::moved`].
    moved: u64,
}

impl<'a> Cases<'a> {
    /// A series whose runs, and those of everything that is compared with them, together take so many machine instructions:
    /// without draws that take the long time where too little of that is left, and without another draw behind it.
    pub(super) fn within(
        machine: &'a dyn Machine,
        typed: &'a Typed,
        seed: u64,
        kind: Kind,
        budget: u64,
    ) -> Self {
        let outputs = machine.output_files().iter().map(|&(_, words)| words as u64).sum::<u64>();
        let moved = outputs.saturating_add(2_000);
        Self {
            machine,
            typed,
            seed,
            kind,
            next: 0,
            given: 0,
            endless: 0,
            long: LONG_DRAWS,
            ended: 0,
            longest: 0,
            work: Work::new(budget),
            moved,
        }
    }

    /// Whether the work is used up.
    pub(super) fn is_spent(&self) -> bool {
        self.work.is_spent()
    }

    /// Whether the work was used up in the middle of a run, which says nothing then.
    pub(super) fn was_cut(&self) -> bool {
        self.work.was_cut()
    }

    /// Runs a program made from the machine's with the fuel that a case gives it, or with what is left of the work.
    pub(super) fn run(&self, subject: &mut Subject<'_>, inputs: &Inputs, fuel: u64) -> (Ended, u64) {
        let given = self.work.fuel(fuel);
        let (ended, steps) = subject.run(inputs, given);
        self.work.ran(inputs, steps);
        if ended == Ended::OutOfFuel && given < fuel {
            self.work.cut();
        }
        (ended, steps)
    }

    /// Counts runs of a program made from the machine's that happen whether there is work left or not.
    pub(super) fn explained(&self, inputs: &Inputs, runs: u64, steps: u64) {
        for _ in 0..runs {
            self.work.ran(inputs, steps);
        }
    }

    /// The machine that runs them.
    pub(super) fn machine(&self) -> &'a dyn Machine {
        self.machine
    }

    /// The next case.
    pub(super) fn next(&mut self) -> Case {
        let mut case = self.draw(None);
        if self.endless > self.given / ENDLESS_SHARE {
            for _ in 0..DRAWS {
                if case.result.is_some() || self.is_spent() {
                    break;
                }
                case = self.draw(None);
            }
        }
        self.given += 1;
        self.endless += u32::from(case.result.is_none());
        case
    }

    /// The next case, with inputs of another shape than the series has; one of the series where the machine does not end with these.
    pub(super) fn shaped(&mut self, shape: &Shape<'_>) -> Case {
        let case = self.draw(Some(shape));
        if case.result.is_some() { case } else { self.next() }
    }

    fn draw(&mut self, shape: Option<&Shape<'_>>) -> Case {
        let index = self.next;
        self.next += 1;
        let inputs = match shape {
            None => {
                let mut inputs = self.machine.inputs(self.seed, index, self.kind);
                self.typed.fit(&mut inputs, self.seed, index, self.kind);
                inputs
            }
            Some(shape) => shape.inputs(self.machine, self.typed, self.seed, index),
        };
        let (mut result, mut steps) = self.machine.run(&inputs, self.fuel());
        self.work.add(steps);
        if result.is_none() && self.long > 0 && self.work.left() > LONG_FUEL {
            (result, steps) = self.machine.run(&inputs, LONG_FUEL);
            self.work.add(steps);
            self.long = if result.is_some() { LONG_DRAWS } else { self.long - 1 };
        }
        if result.is_some() {
            self.ended = self.ended.saturating_add(1);
            self.longest = self.longest.max(steps);
        }
        Case { index, inputs, result, steps, moved: self.moved }
    }

    /// Instructions for a draw. Where enough came to their end, one that takes several times as many as any of them is as good as
    /// endless: another in its place costs less. If it ends all the same, the run of what it is compared with shows it.
    fn fuel(&self) -> u64 {
        match self.ended {
            ..KNOWN_DRAWS => FUEL,
            _ => self.longest.saturating_mul(4).clamp(SHORT_FUEL, FUEL),
        }
    }

    /// The result of a case that something else finished in `steps`, if the machine finishes it with more
    /// fuel.
    pub(super) fn longer(&self, inputs: &Inputs, steps: u64) -> Option<Words> {
        let fuel = LONG_FUEL.saturating_add(steps.saturating_mul(64));
        let given = fuel.min(self.work.left());
        let (result, steps) = self.machine.run(inputs, given);
        self.work.add(steps);
        if result.is_none() && given < fuel {
            self.work.cut();
        }
        result
    }

    /// Whether the machine's interpreter stops at a bound of its own where something else finished in `steps`.
    pub(super) fn stops_at_bound(&self, inputs: &Inputs, steps: u64) -> bool {
        self.machine.stops_at_bound(inputs, LONG_FUEL.saturating_add(steps.saturating_mul(64)))
    }

    /// What a case does that readable mode assumes that none does.
    pub(super) fn leaves_assumptions(&self, inputs: &Inputs, globals: &[Global]) -> Option<Reason> {
        self.machine.leaves_assumptions(inputs, LONG_FUEL, globals)
    }
}
