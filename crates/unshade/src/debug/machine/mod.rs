//! The machines, seen alike: a run that can be copied, taken one step further and looked at.

mod latte;
mod mali_gp;
mod mali_pp;
mod maxwell;
mod pica200;

use super::view::{Ended, RegisterFile, RegisterKind, StackEntry};
use crate::run_json::{self, Case, Document, Outputs, RunJsonError};
use std::sync::Arc;
use unshade_isa::with_machine;
use unshade_stage::Stage;

/// What a register holds, as many words as it has components.
pub(super) type Words = [u32; 4];

/// A register or another thing with up to four words that a run holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Slot {
    pub(super) file: RegisterFile,
    pub(super) kind: RegisterKind,
    /// The machine's name.
    pub(super) name: String,
    /// What the file calls it.
    pub(super) label: Option<String>,
    /// Which of the machine's sets it is in; each machine has its own numbers.
    pub(super) set: u8,
    /// Its number there.
    pub(super) number: u32,
    /// How many components it has, 1 to 4.
    pub(super) components: u8,
}

/// Where a run is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Place {
    /// Index of the code word; of code that the listing does not show none.
    pub(super) word: Option<u32>,
    /// The instruction, where the listing does not show it.
    pub(super) text: String,
    /// Lanes at work: of all lanes, those from [`Machine::first_lane`] on, bit by bit.
    pub(super) active: u32,
    pub(super) warp: Option<u32>,
    pub(super) group: Option<u32>,
}

/// What a component of a variable of the source holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Held {
    /// Its value; none before it is assigned.
    pub(super) word: Option<u32>,
    /// The register that has it, and the letter of the component where it has several; none where it has been
    /// overwritten since.
    pub(super) place: Option<(String, Option<char>)>,
}

/// A run of one machine.
pub(super) trait Machine: Send {
    /// The run as it is, to go on from.
    fn copy(&self) -> Box<dyn Machine>;

    /// Bytes that a copy takes, about.
    fn size(&self) -> usize;

    /// From now on textures that nothing is bound to answer by [`unshade_ir::math::smooth_texture`]. For runs in front of
    /// their first step.
    fn answer_by_formula(&mut self) {}

    /// Goes one step further, if the run has not ended.
    fn step(&mut self);

    /// How it ended, if it has.
    fn ended(&self) -> Option<&Ended>;

    /// What comes next; nothing at the end.
    fn next(&self) -> Option<Place>;

    /// Lanes for which what comes next is done: those at work whose predicate holds; bit n = lane n of the warp.
    fn at_work(&self) -> u32 {
        self.next().map_or(0, |place| place.active)
    }

    /// How many calls are open.
    fn calls(&self) -> usize;

    /// What is open, outermost first.
    fn stack(&self) -> Vec<StackEntry>;

    /// How many lanes there are, those of other warps of the same group included.
    fn lanes(&self) -> u32;

    /// The first lane of the warp whose turn it is.
    fn first_lane(&self) -> u32 {
        0
    }

    /// The registers that the code names.
    fn slots(&self) -> Arc<[Slot]>;

    /// The thing of that name, whether the code names it or not.
    fn slot(&self, name: &str) -> Option<Slot> {
        self.slots().iter().find(|slot| slot.name == name).cloned()
    }

    /// The words of a slot in a lane.
    fn read(&self, slot: &Slot, lane: u32) -> Words;

    /// What the next step reads, with the components, bit 0 = x.
    fn reads(&self) -> Vec<(Slot, u8)>;

    /// What a component of a variable of the source holds, where that is kept beside the run.
    fn held(&self, _lane: u32, _variable: usize, _component: u8) -> Option<Held> {
        None
    }

    /// What would leave the program if it ended here.
    fn outputs(&self) -> Result<Outputs, RunJsonError>;
}

/// A machine whose programs can be debugged.
trait Debugged {
    /// A run of one case in front of its first step.
    fn start(
        stage: &Stage<'_>,
        document: &Document,
        case: &Case,
        fuel: u64,
    ) -> Result<Box<dyn Machine>, RunJsonError>;
}

/// A run of one case in front of its first step.
pub(super) fn start(
    stage: &Stage<'_>,
    document: &Document,
    case: &Case,
    fuel: u64,
) -> Result<Box<dyn Machine>, RunJsonError> {
    run_json::right_machine(stage, document)?;
    let none = || RunJsonError::new("isa", format!("{} programs cannot be run", stage.isa));
    with_machine!(stage.isa, M => M::start(stage, document, case, fuel), _ => Err(none()))
}

/// The end at the end of the program.
fn finished() -> Ended {
    Ended { finished: true, why: None }
}

/// The end of a run that was stopped.
fn stopped(why: impl Into<String>) -> Ended {
    Ended { finished: false, why: Some(why.into()) }
}

/// The end of a run without fuel, as `run` says it.
fn out_of_fuel(steps: u64) -> Ended {
    stopped(format!("still running after {steps} instructions"))
}

/// The letters of components, bit 0 = x.
pub(super) fn letters(mask: u8) -> String {
    "xyzw".chars().enumerate().filter(|(n, _)| mask >> n & 1 != 0).map(|(_, letter)| letter).collect()
}

/// Adds to a list of reads, once for each register.
fn add(reads: &mut Vec<(Slot, u8)>, slot: Slot, mask: u8) {
    match reads.iter_mut().find(|(known, _)| (known.set, known.number) == (slot.set, slot.number)) {
        Some((_, known)) => *known |= mask,
        None => reads.push((slot, mask)),
    }
}

fn bits(vector: [f32; 4]) -> Words {
    vector.map(f32::to_bits)
}

/// A number behind a letter or sign, as in `r12`, `$3`.
fn numbered(name: &str, prefix: &str, count: u32) -> Option<u32> {
    let digits = name.strip_prefix(prefix)?;
    let number: u32 = digits.parse().ok()?;
    (number < count && digits == number.to_string()).then_some(number)
}
