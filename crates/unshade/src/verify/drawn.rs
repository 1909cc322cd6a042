//! Inputs that nobody gave, for those who run programs to see what they do: as [`super::verify`] draws them, and so that a program
//! does what its readable source assumes where that can be had.

use super::machine::{Case, Cases, Inputs, Machine, machine};
use super::typed::Typed;
use unshade_isa::cases::Kind;
use unshade_stage::Stage;

/// Machine instructions of a run that is looked at for what readable mode assumes.
const LONG_RUN: u64 = 1 << 18;
/// Machine instructions that drawing inputs may take, but for the run that goes beyond.
const DRAWING: u64 = 1 << 20;
/// Draws in search of inputs with which a program does nothing that readable mode assumes it does not.
const ORDINARY: usize = 16;

/// Inputs of chance for a program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Drawn {
    /// As the source has them.
    pub source: Inputs,
    /// The same as the machine's registers have them: on the Switch, inputs of pixels times w; on the Wii U, what the hardware
    /// puts there, and only where the program reads it.
    pub machine: Inputs,
    /// Whether the program ends with them and does what readable source assumes.
    pub is_ordinary: bool,
}

/// Inputs of chance for a program as [`super::verify()`] draws them, with which it ends and does what readable source assumes where
/// there are some. Those of [`Kind::Full`] have values from the edges of what there is among them. None for machines that
/// cannot be run, and of [`Kind::Full`] where a program goes on for too long.
pub fn drawn_for_both(stage: &Stage<'_>, seed: u64, kind: Kind) -> Option<Drawn> {
    let machine = machine(stage).ok()?;
    let lifted = crate::lift(stage);
    let typed = lifted.as_ref().map(|module| Typed::of(module, machine.as_ref())).unwrap_or_default();
    let globals = lifted.map(|module| module.globals).unwrap_or_default();
    let mut cases = of_kind(machine.as_ref(), &typed, seed, kind);
    let first = cases.next()?;
    let is_ordinary = |case: &Case| {
        case.result.is_some() && machine.leaves_assumptions(&case.inputs, LONG_RUN, &globals).is_none()
    };
    let found = match is_ordinary(&first) {
        true => Some(first.inputs.clone()),
        false => cases.take(ORDINARY).find(is_ordinary).map(|case| case.inputs),
    };
    let is_ordinary = found.is_some();
    let source = found.unwrap_or(first.inputs);
    Some(Drawn { machine: machine.registers(source.clone()), source, is_ordinary })
}

/// What to run a program with that nobody gave inputs for: finite ones of [`drawn_for_both`], as the machine has them.
pub fn drawn(stage: &Stage<'_>, seed: u64) -> Option<Inputs> {
    Some(drawn_for_both(stage, seed, Kind::Finite)?.machine)
}

/// The inputs of a case of [`super::verify()`] as the machine's registers hold them: what `run` takes.
pub fn in_registers(stage: &Stage<'_>, inputs: Inputs) -> Inputs {
    match machine(stage) {
        Ok(machine) => machine.registers(inputs),
        Err(_) => inputs,
    }
}

/// A series of cases, as many as [`DRAWING`] allows; of [`Kind::Full`] those alone that differ from finite ones.
fn of_kind<'a>(
    machine: &'a dyn Machine,
    typed: &'a Typed,
    seed: u64,
    kind: Kind,
) -> impl Iterator<Item = Case> + 'a {
    let mut cases = Cases::within(machine, typed, seed, kind, DRAWING);
    std::iter::from_fn(move || (!cases.is_spent()).then(|| cases.next()))
        .filter(move |case| kind != Kind::Full || !case.index.is_multiple_of(4))
}

/// How the inputs of a [`Series`] are drawn.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Draw {
    /// Where chance starts.
    pub seed: u64,
    /// What is drawn from.
    pub kind: Kind,
    /// How many are wanted.
    pub count: usize,
    /// Where fewer than these do what readable mode assumes, others are taken as well.
    pub least: usize,
    /// Without what the machine computes back with a rounding of its own.
    pub plain: bool,
}

/// What a program is run with to see what its variables are: inputs with which the machine comes to its end, and the output
/// bindings with their words.
pub(crate) struct Series {
    /// What goes into each run, as the source has it and as the machine's registers do.
    pub inputs: Vec<(Inputs, Inputs)>,
    /// Output bindings and how many words each has.
    pub outputs: Vec<(u32, usize)>,
}

/// Inputs of chance with which a program ends, as many as are wanted where there are so many. None for machines that cannot
/// be run.
pub(crate) fn series(stage: &Stage<'_>, draw: Draw) -> Option<Series> {
    let machine = machine(stage).ok()?;
    let lifted = crate::lift(stage).ok()?;
    let typed = Typed::of(&lifted, machine.as_ref());
    let globals = lifted.globals;
    let (mut ordinary, mut others) = (Vec::new(), Vec::new());
    for case in of_kind(machine.as_ref(), &typed, draw.seed, draw.kind).take(draw.count.saturating_mul(16)) {
        if ordinary.len() >= draw.count {
            break;
        }
        if case.result.is_none() {
            continue;
        }
        let inputs = if draw.plain { machine.plain(case.inputs) } else { case.inputs };
        match machine.leaves_assumptions(&inputs, LONG_RUN, &globals) {
            None => ordinary.push(inputs),
            Some(_) => others.push(inputs),
        }
    }
    if ordinary.len() < draw.least {
        ordinary.append(&mut others);
        ordinary.truncate(draw.count);
    }
    let inputs = ordinary.into_iter().map(|inputs| (inputs.clone(), machine.registers(inputs))).collect();
    Some(Series { inputs, outputs: machine.output_files() })
}
