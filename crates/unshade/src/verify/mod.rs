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
//!   program is a few units in the last place off. A case with another result in which the machine itself does what
//!   readable mode assumes it does not do says nothing; it is counted with its [`Reason`], and others are drawn in its place,
//!   with inputs such as an application gives (`shapes`).
//!
//! A draw that the machine does not finish is mostly replaced by another, so that a program with an endless
//! loop behind some switch is still compared on as many cases as were asked for; some of these draws are
//! kept, and the program must not end on them either. All runs of a mode share one amount of work ([`WORK`]): cases that
//! are left when it is used up are counted, and where these are most, the program is [`Standing::Unfinished`].

mod compare;
mod drawn;
mod latte;
mod machine;
mod mali_gp;
mod mali_pp;
#[cfg_attr(not(feature = "compile"), allow(dead_code))]
mod mapped;
mod maxwell;
mod outside;
mod perturb;
mod pica200;
mod roots;
mod shapes;
mod subject;
mod texels;
#[cfg(feature = "compile")]
mod text;
mod typed;
mod watch;
mod work;

pub(crate) use drawn::{Draw, Series, series};
pub use drawn::{Drawn, drawn, drawn_for_both, in_registers};
pub(crate) use latte::{latte_start, latte_uniforms, latte_value};
pub use machine::{Inputs, Registers};
pub(crate) use machine::{Machine, machine};
pub(crate) use mali_pp::hardware;

pub use outside::{Outside, Reason};
#[cfg(feature = "compile")]
pub use text::{Alone, By, Pair, TextVerdict, verify_text};

use crate::decompile::{lift_readable, readable_passes, strict_passes};
use compare::{Answer, Tolerance, compare};
use machine::{Case, Cases, Restored};
use mapped::Text;
use shapes::Shapes;
use std::fmt;
use subject::{Form, Subject};
use texels::Formats;
use typed::Typed;
use unshade_ir::ast::raise::{self, Mode};
use unshade_ir::passes::{self, Pass};
use unshade_ir::{Module, exec};
pub use unshade_isa::cases::Kind;
use unshade_isa::mali_gp::lift::sines;
use unshade_isa::mali_gp::lift::{POINT_SIZE, SINES, VIEWPORT};
use unshade_isa::maxwell::lift::idiom::{GRADIENTS, TEXELS};
use unshade_isa::pica200::written::written;
use unshade_isa::{Machine as _, with_machine};
use unshade_stage::{Isa, Stage};

/// Machine instructions that the runs of one mode take together, with what is made from the program counted as
/// about the time it takes. Only the runs that explain the last difference may go beyond.
pub const WORK: u64 = 1 << 26;

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
    /// Whether everything that was compared is equal, and most of the cases were.
    pub fn passed(&self) -> bool {
        self.standing() == Standing::Pass
    }

    /// What it comes to.
    pub fn standing(&self) -> Standing {
        let sections = [&self.strict, &self.readable];
        if sections.iter().any(|section| section.failure.is_some()) {
            return Standing::Fail;
        }
        let is_weak = |section: &&Section| section.compared < section.outside.total();
        match () {
            () if sections.iter().any(|section| section.is_unfinished()) => Standing::Unfinished,
            () if sections.iter().any(is_weak) => Standing::Weak,
            () => Standing::Pass,
        }
    }
}

/// What a verdict comes to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Standing {
    /// Everything that was compared is equal.
    Pass,
    /// Everything that was compared is equal, but that is under half of the cases: no proof.
    Weak,
    /// Nothing differs, but the program runs for so long that its work was used up before half of the cases were run, or that more
    /// than one case in ten did not end.
    Unfinished,
    /// Something differs.
    Fail,
}

impl Standing {
    /// `pass`, `weak`, `unfinished` or `fail`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Pass => "pass",
            Self::Weak => "weak",
            Self::Unfinished => "unfinished",
            Self::Fail => "fail",
        }
    }
}

/// What comparing in one mode showed.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Section {
    /// Cases that were compared at every point.
    pub compared: u32,
    /// How many of these end on neither side.
    pub unfinished: u32,
    /// Cases that were not run, since the work was used up.
    pub left: u32,
    /// Cases beside these that say nothing, since the machine leaves what readable mode assumes, or a change in
    /// the last place changes everything.
    pub outside: Outside,
    /// Where on the way to source the program was compared: `lift`, `pass 1 ssa`, `pass 12 dead`, `tree`.
    pub points: Vec<String>,
    /// What was assumed, one sentence each.
    pub assumptions: Vec<String>,
    /// What went wrong, at the first case where something did.
    pub failure: Option<Failure>,
}

impl Section {
    /// Whether the program runs for too long to say much of it.
    pub fn is_unfinished(&self) -> bool {
        let run = self.compared.saturating_add(self.outside.total());
        self.left > run || self.unfinished > run / 10
    }
}

impl Section {
    /// What two ways to one source showed together, where the first has no failure and more cases: where the second says
    /// enough, its cases are not counted.
    fn behind(mut self, first: Self) -> Self {
        self.points.splice(0..0, first.points.iter().cloned());
        match self.failure.is_some() || self.is_unfinished() || self.compared < self.outside.total() {
            true => self,
            false => Self { points: self.points, assumptions: self.assumptions, ..first },
        }
    }
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
            Self::Differs(example) => {
                write!(f, "case {} at {}: {}", example.case, example.point, example.difference)
            }
        }
    }
}

/// Compares a stage with what is made from it, on `cases` inputs drawn from `seed`, for each mode.
pub fn verify(stage: &Stage<'_>, cases: u32, seed: u64) -> Verdict {
    verify_within(stage, cases, seed, WORK)
}

/// The same, where a program of which a part cannot be read fails: that both sides stop there alike proves nothing of it.
pub fn verify_undamaged(stage: &Stage<'_>, cases: u32, seed: u64) -> Verdict {
    match crate::Damage::of(stage) {
        Some(damage) => {
            let section = || refused("code", damage.to_string());
            Verdict { cases, seed, strict: section(), readable: section() }
        }
        None => verify(stage, cases, seed),
    }
}

/// What is said of a mode in which nothing could be compared.
fn refused(point: &str, message: String) -> Section {
    Section { failure: Some(Failure::Refused { point: point.to_owned(), message }), ..Section::default() }
}

/// [`verify()`] with another amount of work for each mode than [`WORK`].
pub fn verify_within(stage: &Stage<'_>, cases: u32, seed: u64, work: u64) -> Verdict {
    let refused = |message| refused("lift", message);
    let machine = match machine(stage) {
        Ok(machine) => machine,
        Err(message) => {
            return Verdict { cases, seed, strict: refused(message.clone()), readable: refused(message) };
        }
    };
    let strict = match crate::lift(stage) {
        Ok(lifted) => {
            let passes = passes::strict();
            let pipeline =
                Pipeline { lifted: &lifted, passes, mode: Mode::Strict, exact: true, work, text: None };
            let section = pipeline.section(machine.as_ref(), cases, seed);
            match machine::readable_machine(stage) {
                // What lanes of a quad do for each other no language says: from there on whole quads tell what is meant.
                Ok(quads) if quads.in_quads() && section.failure.is_none() => {
                    let passes = strict_passes(stage.isa);
                    let restored = Pipeline { passes: &passes, exact: false, ..pipeline };
                    restored.section(quads.as_ref(), cases.div_ceil(4), seed).behind(section)
                }
                _ => section,
            }
        }
        Err(error) => refused(error.to_string()),
    };
    // The machine runs with the constants that the source has.
    let shown = Some(stage).filter(|stage| stage.isa == Isa::Pica200).and_then(written);
    let readable_machine = machine::readable_machine(shown.as_ref().unwrap_or(stage));
    let readable = match (lift_readable(stage), readable_machine) {
        (Ok((lifted, assumed)), Ok(machine)) => {
            let passes = readable_passes(stage.isa);
            let pipeline = Pipeline {
                lifted: &lifted,
                passes: &passes,
                mode: Mode::Readable,
                exact: false,
                work,
                text: None,
            };
            let mut section = pipeline.section(machine.as_ref(), cases, seed);
            section.assumptions.splice(0..0, assumed);
            section
        }
        (Err(error), _) => refused(error.to_string()),
        (_, Err(message)) => refused(message),
    };
    Verdict { cases, seed, strict, readable }
}

/// How far the hardware may be from what both sides of a comparison compute alike, in a line; nothing where they are said to be equal.
pub fn accuracy(stage: &Stage<'_>) -> Option<String> {
    with_machine!(stage.isa, M => M::accuracy(&stage.code), _ => None)
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
    /// Results must be equal bit for bit, on inputs of all kinds.
    exact: bool,
    /// Machine instructions that all runs together may take.
    work: u64,
    /// What is compared in place of what is made from the program: a text that is said to be its source.
    text: Option<&'a Text>,
}

impl Pipeline<'_> {
    /// Name of a step.
    fn name(&self, step: usize) -> String {
        match step.checked_sub(1) {
            None if self.text.is_some() => "text".to_owned(),
            None => "lift".to_owned(),
            Some(pass) => match self.passes.get(pass) {
                Some(pass) => format!("pass {step} {}", pass.name),
                None => "tree".to_owned(),
            },
        }
    }

    /// The program behind a step, ready to run.
    fn form(&self, step: usize) -> Result<Formed, String> {
        if let Some(text) = self.text {
            let program = exec::Program::new(&text.module).map_err(|refusal| refusal.to_string())?;
            return Ok(Formed {
                form: Form::Module(program),
                restored: text.restored,
                formats: text.formats.clone(),
                assumptions: Vec::new(),
            });
        }
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
        let built = raise::raise(&module, self.mode).map_err(|error| error.to_string())?;
        assumptions.extend(built.program.assumptions.iter().cloned());
        Ok(Formed { form: Form::Tree(built.program), restored, formats, assumptions })
    }

    /// Steps at which every case is compared.
    fn steps(&self) -> Vec<usize> {
        let last = self.passes.len();
        let mut steps = match self.exact {
            _ if self.text.is_some() => vec![0],
            true => vec![0, last.min(1), last, last + 1],
            false => vec![last, last + 1],
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
                (*step, subject.with_formats(&formed.formats).through(self.text))
            })
            .collect();
        let kind = if self.exact { Kind::Full } else { Kind::Finite };
        let typed = Typed::of(self.lifted, machine);
        let mut series = Cases::within(machine, &typed, seed, kind, self.work);
        let tolerance = match self.exact {
            true => None,
            false => Tolerance::new(self.lifted, machine, self.text),
        };
        let mut shapes = tolerance.as_ref().map(|of| Shapes::new(of.roots.clone(), seed));
        for number in 0..u64::from(cases) {
            if series.is_spent() {
                section.left = cases.saturating_sub(number as u32);
                break;
            }
            let is_wild = shapes.as_ref().is_none_or(|shapes| shapes.is_wild(number));
            let mut draws = 0;
            let (case, outside) = loop {
                // Wild first; in the place of what says nothing, and where nearly all of these do, another shape.
                let (case, way) = match &mut shapes {
                    Some(shapes) if draws > 0 || !is_wild => {
                        let shape = shapes.next();
                        (series.shaped(&shape), shape.way)
                    }
                    _ => (series.next(), 0),
                };
                draws += 1;
                let outside = match self.answer(&case, &mut subjects, &series, tolerance.as_ref()) {
                    Ok(outside) => outside,
                    Err(example) => {
                        section.failure = Some(Failure::Differs(example));
                        return section;
                    }
                };
                let is_over = series.is_spent();
                let Some(shapes) = &mut shapes else { break (case, outside) };
                shapes.learn(way, outside.is_none());
                // A run without end takes long, and others like it would too.
                let is_endless = case.result.is_none();
                if outside.is_none() || is_endless || is_over || draws >= shapes::DRAWS || !shapes.has_hope()
                {
                    break (case, outside);
                }
            };
            if series.was_cut() {
                section.left = cases.saturating_sub(number as u32);
                break;
            }
            match outside {
                Some(reason) => section.outside.add(reason),
                None => {
                    section.compared += 1;
                    section.unfinished += u32::from(case.result.is_none());
                }
            }
        }
        section
    }

    /// Compares one case at every point. Answers why it says nothing, where it does not; fails with the first difference.
    fn answer(
        &self,
        case: &Case,
        subjects: &mut [(usize, Subject<'_>)],
        series: &Cases<'_>,
        tolerance: Option<&Tolerance<'_>>,
    ) -> Result<Option<Reason>, Box<Counterexample>> {
        let mut outside = None;
        for (step, subject) in subjects {
            match compare(case, subject, series, tolerance) {
                Answer::Equal => {}
                Answer::Outside(reason) => outside = Some(reason),
                // What a run that was stopped shows is nothing that the program does.
                Answer::Differs(_) if series.was_cut() => return Ok(None),
                Answer::Differs(difference) => {
                    let example = self.first_wrong(*step, case, series, tolerance);
                    let (step, difference) = example.unwrap_or((*step, difference));
                    return Err(Box::new(Counterexample {
                        case: case.index,
                        point: self.name(step),
                        inputs: case.inputs.clone(),
                        difference,
                    }));
                }
            }
        }
        Ok(outside)
    }

    /// The first step before `step` at which a case is wrong.
    fn first_wrong(
        &self,
        step: usize,
        case: &Case,
        series: &Cases<'_>,
        tolerance: Option<&Tolerance<'_>>,
    ) -> Option<(usize, Difference)> {
        // Quads whose lanes work for each other run as what that means.
        let first = match series.machine().in_quads() {
            true => self.passes.iter().position(|pass| pass.name == GRADIENTS.name).map_or(0, |at| at + 1),
            false => 0,
        };
        (first..step).find_map(|step| {
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

#[cfg(test)]
mod tests;
