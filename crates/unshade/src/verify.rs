//! `verify`: the machine's interpreter against everything that is made from a program.
//!
//! The same inputs run through the machine (its reference interpreter) and through the program
//! at several points on its way to source. What leaves the program is compared: the outputs, or the vertices
//! of a geometry program's triangles in winding order.
//!
//! - **strict**: as it was lifted, as values, behind the last strict pass, and as a source tree. Results must
//!   be equal bit for bit (any NaN equals any NaN), on inputs of all kinds.
//! - **readable**: behind the last readable pass, and as a source tree, on finite inputs of ordinary size. A
//!   result may differ by as much as the case allows: by what comes out when every operation of the strict
//!   program is a few units in the last place off. Cases in which the machine itself leaves what readable
//!   mode assumes (an infinity on the way, an integer divided by zero, an index outside its array or a number that
//!   counts as zero because it is so small, where that shows; a pixel that goes on without end after it was dropped)
//!   are counted and say nothing.
//!
//! A draw that the machine does not finish is mostly replaced by another, so that a program with an endless
//! loop behind some switch is still compared on as many cases as were asked for; some of these draws are
//! kept, and the program must not end on them either.

mod drawn;
mod latte;
mod machine;
mod mali_gp;
mod mali_pp;
mod maxwell;
mod perturb;
mod pica200;
mod subject;
mod texels;
mod watch;

pub(crate) use drawn::{Draw, Series, series};
pub use drawn::{Drawn, drawn, drawn_for_both, in_registers};
pub(crate) use latte::{latte_start, latte_uniforms, latte_value};
pub use machine::{Inputs, Registers};
pub(crate) use machine::{Machine, machine};

use crate::decompile::{POINT_SIZE, SINES, VIEWPORT, lift_readable, readable_passes};
use machine::{Case, Cases, Restored};
use std::fmt;
use subject::{Ended, Form, Subject};
use texels::Formats;
use unshade_ir::ast::build::{self, Mode};
use unshade_ir::passes::{self, Pass};
use unshade_ir::{Module, exec};
pub use unshade_isa::cases::Kind;
use unshade_isa::mali_gp::lift::sines;
use unshade_isa::maxwell::lift::idiom::TEXELS;
use unshade_isa::pica200::written::written;
use unshade_stage::{Isa, Stage};

/// What verifying a program showed.
#[derive(Debug, Clone, PartialEq)]
pub struct Verdict {
    /// Cases that were asked for.
    pub cases: u32,
    /// Seed of the inputs.
    pub seed: u64,
    /// Bit for bit, on all kinds of inputs.
    pub strict: Section,
    /// Within tolerance, on finite inputs.
    pub readable: Section,
}

impl Verdict {
    /// Whether everything that was compared is equal.
    pub fn passed(&self) -> bool {
        self.strict.failure.is_none() && self.readable.failure.is_none()
    }
}

/// What comparing in one mode showed.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Section {
    /// Cases that were compared at every point.
    pub compared: u32,
    /// How many of these end on neither side.
    pub unfinished: u32,
    /// How many of these say nothing, since the machine leaves what readable mode assumes, or a change in
    /// the last place changes everything.
    pub outside: u32,
    /// Where on the way to source the program was compared: `lift`, `pass 1 ssa`, `pass 12 dead`, `tree`.
    pub points: Vec<String>,
    /// What was assumed, one sentence each.
    pub assumptions: Vec<String>,
    /// What went wrong, at the first case where something did.
    pub failure: Option<Failure>,
}

/// Why a program does not pass.
#[derive(Debug, Clone, PartialEq)]
pub enum Failure {
    /// The program could not be brought to a point, and why.
    Refused {
        /// Where on the way to source.
        point: String,
        /// Reason.
        message: String,
    },
    /// More than one case in ten does not end.
    Unfinished,
    /// A case with another result than the machine's.
    Differs(Box<Counterexample>),
}

/// A case in which the machine and what was made from it disagree.
#[derive(Debug, Clone, PartialEq)]
pub struct Counterexample {
    /// Number of the case; with the same seed it comes back.
    pub case: u64,
    /// First point on the way to source at which this case is wrong.
    pub point: String,
    /// What went into the run, as the source has it; [`in_registers`] has it as the machine does.
    pub inputs: Inputs,
    /// The first difference.
    pub difference: Difference,
}

/// How two results differ.
#[derive(Debug, Clone, PartialEq)]
pub enum Difference {
    /// One component of an output.
    Word {
        /// Emitted vertex, for geometry programs.
        vertex: Option<usize>,
        /// Which word of the outputs.
        word: usize,
        /// What the machine calls it: `o3.x`.
        place: String,
        /// Bits that the machine computed.
        expected: u32,
        /// Bits that were computed instead.
        got: u32,
    },
    /// The number of emitted vertices.
    Vertices {
        /// The machine's.
        expected: usize,
        /// The other one.
        got: usize,
    },
    /// Only one of them ends.
    End {
        /// How the machine stopped.
        expected: String,
        /// How the other one stopped.
        got: String,
    },
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Word { vertex, place, expected, got, .. } => {
                if let Some(vertex) = vertex {
                    write!(f, "vertex {vertex} ")?;
                }
                let [want, have] = [*expected, *got].map(f32::from_bits);
                write!(f, "{place}: expected {want} ({expected:08x}), found {have} ({got:08x})")
            }
            Self::Vertices { expected, got } => write!(f, "expected {expected} vertices, found {got}"),
            Self::End { expected, got } => write!(f, "expected {expected}, found {got}"),
        }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Refused { point, message } => write!(f, "{point}: {message}"),
            Self::Unfinished => f.write_str("more than one case in ten does not end"),
            Self::Differs(example) => {
                write!(f, "case {} at {}: {}", example.case, example.point, example.difference)
            }
        }
    }
}

/// Compares a stage with what is made from it, on `cases` inputs drawn from `seed`, for each mode.
pub fn verify(stage: &Stage<'_>, cases: u32, seed: u64) -> Verdict {
    let refused = |message: String| Section {
        failure: Some(Failure::Refused { point: "lift".to_owned(), message }),
        ..Section::default()
    };
    let machine = match machine(stage) {
        Ok(machine) => machine,
        Err(message) => {
            return Verdict { cases, seed, strict: refused(message.clone()), readable: refused(message) };
        }
    };
    let strict = match crate::lift(stage) {
        Ok(lifted) => Pipeline { lifted: &lifted, passes: passes::strict(), mode: Mode::Strict }.section(
            machine.as_ref(),
            cases,
            seed,
        ),
        Err(error) => refused(error.to_string()),
    };
    // The machine runs with the constants that the source has.
    let shown = Some(stage).filter(|stage| stage.isa == Isa::Pica200).and_then(written);
    let readable_machine = machine::readable_machine(shown.as_ref().unwrap_or(stage));
    let readable = match (lift_readable(stage), readable_machine) {
        (Ok((lifted, assumed)), Ok(machine)) => {
            let passes = readable_passes(stage.isa);
            let pipeline = Pipeline { lifted: &lifted, passes: &passes, mode: Mode::Readable };
            let mut section = pipeline.section(machine.as_ref(), cases, seed);
            section.assumptions.splice(0..0, assumed);
            section
        }
        (Err(error), _) => refused(error.to_string()),
        (_, Err(message)) => refused(message),
    };
    Verdict { cases, seed, strict, readable }
}

/// A program on its way to source.
struct Formed {
    form: Form,
    restored: Restored,
    /// Of images that the machine reads as bits.
    formats: Formats,
    /// What was assumed up to there.
    assumptions: Vec<String>,
}

/// The way from a lifted module to source. Step 0 is the lift itself, then come the passes, then the tree.
#[derive(Clone, Copy)]
struct Pipeline<'a> {
    lifted: &'a Module,
    passes: &'a [Pass],
    mode: Mode,
}

impl Pipeline<'_> {
    /// Name of a step.
    fn name(&self, step: usize) -> String {
        match step.checked_sub(1) {
            None => "lift".to_owned(),
            Some(pass) => match self.passes.get(pass) {
                Some(pass) => format!("pass {step} {}", pass.name),
                None => "tree".to_owned(),
            },
        }
    }

    /// The program behind a step, ready to run.
    fn form(&self, step: usize) -> Result<Formed, String> {
        let mut module = self.lifted.clone();
        let report = passes::run(&mut module, self.passes, Some(step));
        let changed = |pass: Pass| report.passes.iter().any(|(name, count)| *name == pass.name && *count > 0);
        let restored = Restored { position: changed(VIEWPORT), point_size: changed(POINT_SIZE) };
        if changed(SINES) {
            sines::expand(&mut module);
        }
        let formats = match report.passes.iter().any(|(name, count)| *name == TEXELS.name && *count > 0) {
            true => texels::formats(&module.globals),
            false => Formats::new(),
        };
        let mut assumptions = report.assumptions;
        if step <= self.passes.len() {
            let program = exec::Program::new(&module).map_err(|refusal| refusal.to_string())?;
            return Ok(Formed { form: Form::Module(program), restored, formats, assumptions });
        }
        let built = build::build(&module, self.mode).map_err(|error| error.to_string())?;
        assumptions.extend(built.program.assumptions.iter().cloned());
        Ok(Formed { form: Form::Tree(built.program), restored, formats, assumptions })
    }

    /// Steps at which every case is compared.
    fn steps(&self) -> Vec<usize> {
        let last = self.passes.len();
        let mut steps = match self.mode {
            Mode::Strict => vec![0, last.min(1), last, last + 1],
            Mode::Readable => vec![last, last + 1],
        };
        steps.dedup();
        steps
    }

    /// Compares at all steps.
    fn section(&self, machine: &dyn Machine, cases: u32, seed: u64) -> Section {
        let mut section = Section::default();
        let mut forms = Vec::new();
        for step in self.steps() {
            match self.form(step) {
                Ok(mut formed) => {
                    section.assumptions = std::mem::take(&mut formed.assumptions);
                    forms.push((step, formed));
                }
                Err(message) => {
                    // An earlier step may be the one that broke it.
                    let broken = (0..step).find_map(|step| Some((step, self.form(step).err()?)));
                    let (step, message) = broken.unwrap_or((step, message));
                    section.failure = Some(Failure::Refused { point: self.name(step), message });
                    return section;
                }
            }
        }
        section.points = forms.iter().map(|(step, _)| self.name(*step)).collect();
        let mut subjects: Vec<_> = forms
            .iter()
            .map(|(step, formed)| {
                let subject = Subject::new(&formed.form, machine).restored(formed.restored);
                (*step, subject.with_formats(&formed.formats))
            })
            .collect();
        let kind = if self.mode == Mode::Strict { Kind::Full } else { Kind::Finite };
        let mut series = Cases::new(machine, seed, kind);
        let tolerance = match self.mode {
            Mode::Strict => None,
            Mode::Readable => Tolerance::new(self.lifted, machine),
        };
        for _ in 0..cases {
            let case = series.next();
            let mut outside = false;
            for (step, subject) in &mut subjects {
                match compare(&case, subject, &series, tolerance.as_ref()) {
                    Answer::Equal => {}
                    Answer::Outside => outside = true,
                    Answer::Differs(difference) => {
                        let example = self.first_wrong(*step, &case, &series, tolerance.as_ref());
                        let (step, difference) = example.unwrap_or((*step, difference));
                        section.failure = Some(Failure::Differs(Box::new(Counterexample {
                            case: case.index,
                            point: self.name(step),
                            inputs: case.inputs,
                            difference,
                        })));
                        return section;
                    }
                }
            }
            section.compared += 1;
            section.unfinished += u32::from(case.result.is_none());
            section.outside += u32::from(outside);
        }
        if section.unfinished > section.compared / 10 {
            section.failure = Some(Failure::Unfinished);
        }
        section
    }

    /// The first step before `step` at which a case is wrong.
    fn first_wrong(
        &self,
        step: usize,
        case: &Case,
        series: &Cases<'_>,
        tolerance: Option<&Tolerance>,
    ) -> Option<(usize, Difference)> {
        (0..step).find_map(|step| {
            let formed = self.form(step).ok()?;
            let mut subject = Subject::new(&formed.form, series.machine())
                .restored(formed.restored)
                .with_formats(&formed.formats);
            match compare(case, &mut subject, series, tolerance) {
                Answer::Differs(difference) => Some((step, difference)),
                _ => None,
            }
        })
    }
}

/// What readable results may differ by.
struct Tolerance {
    globals: Vec<unshade_ir::Global>,
    perturbed: Form,
    factors: u32,
    /// The program as readable mode lifts it and as it would be if nothing that it assumes of registers and of
    /// small numbers mattered: exact, but numbers that the machine takes for zero are kept.
    assumed: Form,
    /// The same with the indices that readable mode has. It leaves a mark where it does what no program does.
    watched: Form,
}

impl Tolerance {
    /// From the program as it was lifted. Nothing if that cannot run, which strict mode reports.
    fn new(lifted: &Module, machine: &dyn Machine) -> Option<Self> {
        let mut strict = lifted.clone();
        // What lanes of a quad do for each other, nobody alone does.
        if machine.in_quads() {
            maxwell::restored(&mut strict);
        }
        passes::run(&mut strict, passes::strict(), None);
        let (perturbed, factors) = perturb::instrument(&strict);
        let perturbed = Form::Module(exec::Program::new(&perturbed).ok()?);
        let only = |name: &str| -> Vec<Pass> {
            passes::readable().iter().copied().filter(|pass| pass.name == name).collect()
        };
        passes::run(&mut strict, &only("flush"), None);
        let assumed = Form::Module(exec::Program::new(&strict).ok()?);
        passes::run(&mut strict, &only("index"), None);
        watch::watch(&mut strict, &machine.inputs(0, 0, Kind::Finite));
        let watched = Form::Module(exec::Program::new(&strict).ok()?);
        Some(Self { globals: lifted.globals.clone(), perturbed, factors, assumed, watched })
    }

    /// Judges results that are not equal.
    fn judge(&self, case: &Case, expected: &Words, got: &Words, series: &Cases<'_>) -> Answer {
        let Some(differs) =
            difference(expected, got, series.machine(), |expected, got| near(expected, got, 4))
        else {
            return Answer::Equal;
        };
        let mut answer = Answer::Differs(differs);
        for runs in [perturb::RUNS, perturb::MOST_RUNS] {
            let allowed = self.allowance(case, Some(expected), series, runs);
            let Some(allowed) = allowed else { return Answer::Outside };
            if expected.len() != got.len() {
                break;
            }
            let mut allowed = allowed.iter().flatten();
            let within = |expected: u32, got: u32| {
                let allowed = allowed.next();
                let [want, have] = [expected, got].map(|bits| f64::from(f32::from_bits(bits)));
                near(expected, got, 4) || allowed.is_some_and(|allowed| (want - have).abs() <= *allowed)
            };
            match difference(expected, got, series.machine(), within) {
                None => return Answer::Equal,
                Some(differs) => answer = Answer::Differs(differs),
            }
        }
        answer
    }

    /// What each word may differ by; nothing where the case says nothing. A case that the machine does not
    /// finish has no words.
    fn allowance(
        &self,
        case: &Case,
        expected: Option<&Words>,
        series: &Cases<'_>,
        runs: u64,
    ) -> Option<Vec<Vec<f64>>> {
        if series.leaves_assumptions(&case.inputs, &self.globals) {
            return None;
        }
        let Some(expected) = expected else { return Some(Vec::new()) };
        let (machine, fuel) = (series.machine(), case.fuel());
        // A number that is taken for zero and that shows.
        let mut subject = Subject::new(&self.assumed, machine);
        let ended = subject.run(&case.inputs, fuel).0;
        let same = |expected: u32, got: u32| near(expected, got, 4);
        if ended != Ended::Yes || difference(expected, &subject.result(machine), machine, same).is_some() {
            return None;
        }
        // An index that leads out of its array, an integer that is divided by zero. What comes out then says nothing:
        // a wrong index must not excuse itself.
        let mut subject = Subject::new(&self.watched, machine);
        watch::clear(&mut subject);
        subject.run(&case.inputs, fuel);
        if watch::is_marked(&subject) {
            return None;
        }
        let mut subject = Subject::new(&self.perturbed, machine);
        perturb::allowance(&mut subject, (self.factors, runs), &case.inputs, fuel, expected, machine)
    }

    /// Whether the machine drops the pixel and goes on with it without end. In readable source it is over.
    fn goes_on_dropped(&self, case: &Case, series: &Cases<'_>) -> bool {
        let mut subject = Subject::new(&self.watched, series.machine());
        watch::clear(&mut subject);
        subject.run(&case.inputs, case.fuel()).0 == Ended::OutOfFuel && watch::is_dropped(&subject)
    }
}

/// Whether two finite floats are at most that many units in the last place apart, or both so small that they
/// hardly are numbers.
fn near(expected: u32, got: u32, units: u32) -> bool {
    let [want, have] = [expected, got].map(f32::from_bits);
    if !want.is_finite() || !have.is_finite() {
        return same_bits(expected, got);
    }
    if want.abs() < 1e-37 && have.abs() < 1e-37 {
        return true;
    }
    (want < 0.0) == (have < 0.0) && expected.abs_diff(got) <= units
}

/// What comparing one case showed.
enum Answer {
    Equal,
    /// The case says nothing.
    Outside,
    Differs(Difference),
}

/// Compares the subject with the machine: bit for bit, or within a tolerance.
fn compare(
    case: &Case,
    subject: &mut Subject<'_>,
    series: &Cases<'_>,
    tolerance: Option<&Tolerance>,
) -> Answer {
    let (ended, steps) = subject.run(&case.inputs, case.fuel());
    let judge = |expected: &Words, got: &Words| match tolerance {
        Some(tolerance) => tolerance.judge(case, expected, got, series),
        None => difference(expected, got, series.machine(), same_bits).map_or(Answer::Equal, Answer::Differs),
    };
    let end = |expected: &str, got: String| match tolerance {
        Some(tolerance)
            if tolerance.allowance(case, case.result.as_ref(), series, perturb::RUNS).is_none() =>
        {
            Answer::Outside
        }
        _ => Answer::Differs(Difference::End { expected: expected.to_owned(), got }),
    };
    match (ended, &case.result) {
        (Ended::Yes, Some(expected)) => judge(expected, &subject.stored(&case.inputs, series.machine())),
        (Ended::OutOfFuel, None) => Answer::Equal,
        // The subject may have been quicker than the machine was allowed to be.
        (Ended::Yes, None) => match series.longer(&case.inputs, steps) {
            Some(expected) => judge(&expected, &subject.stored(&case.inputs, series.machine())),
            None if series.stops_at_bound(&case.inputs, steps) => Answer::Outside,
            None if subject.is_dropped() && tolerance.is_some_and(|of| of.goes_on_dropped(case, series)) => {
                Answer::Outside
            }
            None => end("no end", format!("an end after {steps} steps")),
        },
        (Ended::OutOfFuel, Some(_)) => end("an end", format!("none after {steps} steps")),
        (Ended::Otherwise(outcome), Some(_)) => end("an end", format!("{outcome:?}")),
        (Ended::Otherwise(outcome), None) => end("no end", format!("{outcome:?}")),
    }
}

fn same_bits(expected: u32, got: u32) -> bool {
    let nan = |bits: u32| f32::from_bits(bits).is_nan();
    expected == got || nan(expected) && nan(got)
}

/// Words that leave a program: one list for most programs, one for each emitted vertex of a geometry
/// program.
type Words = Vec<Vec<u32>>;

/// The first word that is not equal enough.
fn difference(
    expected: &Words,
    got: &Words,
    machine: &dyn Machine,
    mut equal: impl FnMut(u32, u32) -> bool,
) -> Option<Difference> {
    let many = expected.len() != 1 || got.len() != 1;
    for (vertex, (expected, got)) in expected.iter().zip(got).enumerate() {
        for (word, (expected, got)) in expected.iter().zip(got).enumerate() {
            if !equal(*expected, *got) {
                return Some(Difference::Word {
                    vertex: many.then_some(vertex),
                    word,
                    place: machine.output_name(word),
                    expected: *expected,
                    got: *got,
                });
            }
        }
    }
    let (expected, got) = (expected.len(), got.len());
    (expected != got).then_some(Difference::Vertices { expected, got })
}

#[cfg(test)]
mod tests;
