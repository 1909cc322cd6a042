//! Results of the machine and of what was made from it, held against each other: bit for bit, or as close as a case allows.
//!
//! A result outside of what a case allows is wrong, unless the machine itself did something in this very case that readable mode
//! assumes it does not do. Which assumption that was is said ([`Reason`]).

use super::machine::{Case, Cases, Machine};
use super::mapped::Text;
use super::outside::Reason;
use super::perturb::{Allowed, Perturbation};
use super::roots::Roots;
use super::subject::{Ended, Form, Subject};
use super::{Difference, maxwell, perturb, watch};
use unshade_ir::passes::{self, Pass};
use unshade_ir::{Module, exec};
use unshade_isa::cases::Kind;

/// A result that is another by that share of it, though within what the case allows, is the result of chaos.
const CHAOS: f64 = 0.125;
/// By less than that it is not: a sum of ordinary numbers whose terms cancel leaves such remainders.
const CHAOS_LEAST: f64 = 1.0 / 1024.0;

/// What readable results may differ by.
pub(super) struct Tolerance<'t> {
    /// The text that is compared, with factors as the program has them.
    text: Option<(Form, Perturbation, &'t Text)>,
    globals: Vec<unshade_ir::Global>,
    /// The strict program. Nothing where whole quads run, of which no program alone is exact.
    exact: Option<Form>,
    /// The same with multiplications for what was spelled with the bits of exponents, of which the machine takes what is
    /// too small for zero. Nothing where there are none.
    scaled: Option<Form>,
    perturbed: Form,
    perturbation: Perturbation,
    /// The program as readable mode lifts it and as it would be if nothing that it assumes of registers and of
    /// small numbers mattered: exact, but numbers that the machine takes for zero are kept.
    assumed: Form,
    /// The same with the indices that readable mode has. It leaves a mark where it does what no program does.
    watched: Form,
    /// The inputs that decide where it reads and what it divides by.
    pub(super) roots: Roots,
}

impl<'t> Tolerance<'t> {
    /// From the program as it was lifted. Nothing if that cannot run, which strict mode reports.
    pub(super) fn new(lifted: &Module, machine: &dyn Machine, text: Option<&'t Text>) -> Option<Self> {
        let text = match text {
            Some(text) => {
                let (perturbed, perturbation) = perturb::instrument(&text.module, false);
                Some((Form::Module(exec::Program::new(&perturbed).ok()?), perturbation, text))
            }
            None => None,
        };
        let mut strict = lifted.clone();
        // What lanes of a quad do for each other, nobody alone does.
        if machine.in_quads() {
            maxwell::restored(&mut strict);
        }
        passes::run(&mut strict, passes::strict(), None);
        let exact = match machine.in_quads() {
            true => None,
            false => Some(Form::Module(exec::Program::new(&strict).ok()?)),
        };
        let (perturbed, perturbation) = perturb::instrument(&strict, machine.in_quads());
        let perturbed = Form::Module(exec::Program::new(&perturbed).ok()?);
        let only = |name: &str| -> Vec<Pass> {
            passes::readable().iter().copied().filter(|pass| pass.name == name).collect()
        };
        let found = passes::run(&mut strict, &only("scaled"), None);
        let is_scaled = found.passes.iter().any(|(_, count)| *count > 0);
        let scaled = is_scaled.then(|| exec::Program::new(&strict).map(Form::Module)).transpose().ok()?;
        passes::run(&mut strict, &only("flush"), None);
        let assumed = Form::Module(exec::Program::new(&strict).ok()?);
        passes::run(&mut strict, &[only("index"), only("scratch")].concat(), None);
        let inputs = machine.inputs(0, 0, Kind::Finite);
        let roots = Roots::of(&strict, &inputs);
        watch::watch(&mut strict, &inputs);
        let watched = Form::Module(exec::Program::new(&strict).ok()?);
        Some(Self {
            text,
            globals: lifted.globals.clone(),
            exact,
            scaled,
            perturbed,
            perturbation,
            assumed,
            watched,
            roots,
        })
    }

    /// Judges results that are not equal.
    fn judge(&self, case: &Case, expected: &Words, got: &Words, series: &Cases<'_>) -> Answer {
        let Some(differs) =
            difference(expected, got, series.machine(), |expected, got| near(expected, got, 4))
        else {
            return Answer::Equal;
        };
        let mut answer = Answer::Differs(differs);
        let mut runs = perturb::RUNS;
        loop {
            let allowed = match self.allowance(case, Some((expected, got)), series, runs) {
                Ok(allowed) => allowed,
                Err(reason) => return Answer::Outside(reason),
            };
            if expected.len() != got.len() {
                return answer;
            }
            let mut words = allowed.words.iter().flatten();
            let mut widest = 0.0_f64;
            let within = |expected: u32, got: u32| {
                let allowed = words.next();
                let [want, have] = [expected, got].map(|bits| f64::from(f32::from_bits(bits)));
                let apart = (want - have).abs();
                if near(expected, got, 4) {
                    return true;
                }
                // Of an infinity or NaN nothing is allowed, and this is not larger.
                let size = want.abs().max(have.abs());
                widest = widest.max((apart - CHAOS_LEAST).min(apart / size - CHAOS));
                allowed.is_some_and(|allowed| apart <= *allowed)
            };
            match difference(expected, got, series.machine(), within) {
                // Where a result may be anything, that it is equal enough says nothing. Textures are chaos by the way they answer here.
                None if widest > 0.0 && !self.perturbation.textured => {
                    return Answer::Outside(Reason::Unstable);
                }
                None => return Answer::Equal,
                Some(differs) => answer = Answer::Differs(differs),
            }
            // Behind a condition that the last place decides stands what one run in a hundred shows, or in a thousand.
            let more = perturb::more(runs, &allowed);
            if more <= runs {
                return answer;
            }
            runs = more;
        }
    }

    /// What each word may differ by, or why the case says nothing. A case that the machine does not finish has no words.
    fn allowance(
        &self,
        case: &Case,
        results: Option<(&Words, &Words)>,
        series: &Cases<'_>,
        runs: u64,
    ) -> Result<Allowed, Reason> {
        if let Some(reason) = series.leaves_assumptions(&case.inputs, &self.globals) {
            return Err(reason);
        }
        let Some((expected, got)) = results else { return Ok(Allowed::default()) };
        let (machine, fuel) = (series.machine(), case.fuel());
        let same = |form: &Form| {
            let mut subject = Subject::new(form, machine);
            let (ended, steps) = series.run(&mut subject, &case.inputs, fuel);
            let same = |expected: u32, got: u32| near(expected, got, 4);
            let same = difference(expected, &subject.result(machine), machine, same).is_none();
            (ended == Ended::Yes && same, steps)
        };
        // A number that is taken for zero and that shows. Where the strict program is wrong already, that excuses nothing.
        let exact = self.exact.as_ref().map(same);
        let (is_kept, steps) = same(&self.assumed);
        let is_scaled = || self.scaled.as_ref().is_none_or(|form| same(form).0);
        if !is_kept && exact.is_none_or(|(is_exact, _)| is_exact) && is_scaled() {
            return Err(Reason::Small);
        }
        // An index that leads out of its array, an integer that is divided by zero. What comes out then says nothing:
        // a wrong index must not excuse itself.
        let mut subject = Subject::new(&self.watched, machine);
        watch::clear(&mut subject);
        series.run(&mut subject, &case.inputs, fuel);
        if let Some(reason) = watch::marked(&subject) {
            return Err(reason);
        }
        if exact.is_some_and(|(is_exact, _)| !is_exact) {
            return Ok(Allowed::default());
        }
        let mut subject = Subject::new(&self.perturbed, machine);
        series.explained(&case.inputs, runs, steps);
        let run = perturb::Run { inputs: &case.inputs, steps, expected, machine };
        let allowed =
            perturb::allowance(&mut subject, self.perturbation, runs, run).ok_or(Reason::Unstable)?;
        let Some((form, perturbation, text)) = &self.text else { return Ok(allowed) };
        // A text rounds in places of its own: it may be off by as much as that makes of its own result, too.
        let mut subject = Subject::new(form, machine)
            .restored(text.restored)
            .with_formats(&text.formats)
            .through(Some(text));
        let run = perturb::Run { expected: got, ..run };
        let own = perturb::allowance(&mut subject, *perturbation, runs, run).ok_or(Reason::Unstable)?;
        Ok(allowed.and(&own))
    }

    /// Whether the machine drops the pixel and goes on with it without end. In readable source it is over.
    fn goes_on_dropped(&self, case: &Case, series: &Cases<'_>) -> bool {
        let mut subject = Subject::new(&self.watched, series.machine());
        watch::clear(&mut subject);
        series.run(&mut subject, &case.inputs, case.fuel()).0 == Ended::OutOfFuel
            && watch::is_dropped(&subject)
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
pub(super) enum Answer {
    Equal,
    /// The case says nothing, and why.
    Outside(Reason),
    Differs(Difference),
}

/// Compares the subject with the machine: bit for bit, or within a tolerance.
pub(super) fn compare(
    case: &Case,
    subject: &mut Subject<'_>,
    series: &Cases<'_>,
    tolerance: Option<&Tolerance<'_>>,
) -> Answer {
    let (ended, steps) = series.run(subject, &case.inputs, case.fuel());
    let has_strayed = subject.has_strayed();
    let judge = |expected: &Words, got: &Words| match tolerance {
        // Beyond the end of an array stands whatever the machine has there.
        Some(_) if has_strayed => match difference(expected, got, series.machine(), same_bits) {
            None => Answer::Equal,
            Some(_) => Answer::Outside(Reason::Index),
        },
        Some(tolerance) => tolerance.judge(case, expected, got, series),
        None => difference(expected, got, series.machine(), same_bits).map_or(Answer::Equal, Answer::Differs),
    };
    let end = |expected: &str, got: String| {
        let result = case.result.as_ref();
        let allowed =
            tolerance.map(|of| of.allowance(case, result.map(|words| (words, words)), series, perturb::RUNS));
        match allowed {
            Some(Err(reason)) => Answer::Outside(reason),
            _ => Answer::Differs(Difference::End { expected: expected.to_owned(), got }),
        }
    };
    let stored = |expected: &Words| {
        let mut words = subject.stored(&case.inputs, series.machine());
        subject.complete(&mut words, expected, series.machine());
        words
    };
    match (ended, &case.result) {
        (Ended::Yes, Some(expected)) => judge(expected, &stored(expected)),
        (Ended::OutOfFuel, None) => Answer::Equal,
        // The subject may have been quicker than the machine was allowed to be.
        (Ended::Yes, None) => match series.longer(&case.inputs, steps) {
            Some(expected) => judge(&expected, &stored(&expected)),
            None if series.stops_at_bound(&case.inputs, steps) => Answer::Outside(Reason::Bound),
            None if subject.is_dropped() && tolerance.is_some_and(|of| of.goes_on_dropped(case, series)) => {
                Answer::Outside(Reason::Dropped)
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
pub(super) type Words = Vec<Vec<u32>>;

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
