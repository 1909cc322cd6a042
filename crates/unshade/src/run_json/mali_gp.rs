//! The spaces of the Mali vertex processor: `a` and `mem` in; `v` out.

use super::compare::{Output, Outputs};
use super::{Case, CaseRun, Document, RunJsonError, words};
use crate::verify::Inputs;
use serde_json::{Map, Value};
use unshade_ir::Space;
use unshade_isa::mali_gp::MaliGp;
use unshade_isa::mali_gp::exec::{End, NoTrace, Program, State, Timing, Trace};
use unshade_stage::Stage;

/// Words of the memory that a document may set: all vectors that an instruction can name.
const MEMORY_WORDS: u32 = 4 * 512;

impl super::Run for MaliGp {
    fn run(stage: &Stage<'_>, document: &Document, case: &Case, fuel: u64) -> Result<CaseRun, RunJsonError> {
        run_traced(stage, document, case, fuel, &mut NoTrace)
    }

    fn registers(_: &Stage<'_>, inputs: &Inputs) -> Map<String, Value> {
        registers(inputs)
    }
}

/// Runs one case and reports each instruction to `trace`.
pub fn run_traced<T: Trace<Program>>(
    stage: &Stage<'_>,
    document: &Document,
    case: &Case,
    fuel: u64,
    trace: &mut T,
) -> Result<CaseRun, RunJsonError> {
    let timing = timing(document)?;
    let mut state = state(stage, document, case)?;
    let outcome = Program::new(stage).run_with(&mut state, fuel, timing, trace);
    let unfinished = match outcome.end {
        End::Ended => None,
        End::OutOfFuel => Some(format!("still running after {} instructions", outcome.steps)),
    };
    Ok(CaseRun {
        id: case.id.clone(),
        steps: outcome.steps,
        unfinished,
        uncertain: Vec::new(),
        outputs: outputs(&state),
    })
}

/// Varyings after a run.
pub(crate) fn outputs(state: &State) -> Outputs {
    let varyings = state.varyings.iter().map(|vector| vec![Some(vector.map(f32::to_bits).to_vec())]);
    Outputs { spaces: vec![("v", Output::Lanes((0..).zip(varyings).collect()))] }
}

/// When writes are seen: `"timing"` of the header, at once if it does not say.
pub(crate) fn timing(document: &Document) -> Result<Timing, RunJsonError> {
    match document.float.as_deref() {
        None | Some("f32") => {}
        Some(other) => return Err(RunJsonError::new("float", format!("expected f32, found {other:?}"))),
    }
    match document.header.get("timing") {
        None => Ok(Timing::Relaxed),
        Some(value) => match words::text(value, "timing")? {
            "relaxed" => Ok(Timing::Relaxed),
            "strict" => Ok(Timing::Strict),
            other => {
                let message = format!("expected \"relaxed\" or \"strict\", found {other:?}");
                Err(RunJsonError::new("timing", message))
            }
        },
    }
}

/// The state before the run: the file's initial values, overwritten by the inputs of the case.
pub(crate) fn state(stage: &Stage<'_>, document: &Document, case: &Case) -> Result<State, RunJsonError> {
    for space in case.input.keys() {
        if !["a", "mem", "r"].contains(&space.as_str()) {
            return Err(RunJsonError::new(case.input_path(space), "this machine has no such input"));
        }
    }
    let mut state = State::new(stage);
    for (n, words) in case.registers("a", 16, &document.pool)? {
        if words.len() > 4 {
            let message = format!("expected up to four words, found {}", words.len());
            return Err(RunJsonError::new(format!("{}.{n}", case.input_path("a")), message));
        }
        let attribute = &mut state.attributes[n as usize];
        *attribute = [0.0, 0.0, 0.0, 1.0];
        for (component, word) in attribute.iter_mut().zip(words) {
            *component = f32::from_bits(word);
        }
    }
    for (n, words) in case.registers("r", 16, &document.pool)? {
        let [x, y, z, w] = words[..] else {
            let message = format!("expected four words, found {}", words.len());
            return Err(RunJsonError::new(format!("{}.{n}", case.input_path("r")), message));
        };
        state.registers[n as usize] = [x, y, z, w].map(f32::from_bits);
    }
    for (first, words) in case.registers("mem", MEMORY_WORDS, &document.pool)? {
        for (word, bits) in (first as usize..).zip(words) {
            state.set_memory(word, f32::from_bits(bits));
        }
    }
    Ok(state)
}

/// The registers of a case of [`crate::verify()`], in the notation of the document.
fn registers(inputs: &Inputs) -> Map<String, Value> {
    let mut document = Map::new();
    for registers in inputs {
        match registers.space {
            Space::Input => document.insert("a".into(), words::registers(&registers.words).into()),
            Space::Uniform => {
                let memory = Map::from_iter([("0".to_owned(), words::print(&registers.words).into())]);
                document.insert("mem".into(), memory.into())
            }
            _ => None,
        };
    }
    document
}
