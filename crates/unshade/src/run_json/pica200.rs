//! The spaces of PICA200: `v`, `c`, `i`, `b` in; `o`, `r`, `a`, `cc` and `emit` out.

use super::compare::{Output, OutputVertex, Outputs};
use super::{Case, CaseRun, Document, RunJsonError, words};
use crate::verify::Inputs;
use serde_json::{Map, Value};
use unshade_ir::Space;
use unshade_isa::pica200::Pica200;
use unshade_isa::pica200::exec::{End, Float, NoTrace, Program, Rounding, State, Trace, Vector, Vertex};
use unshade_isa::pica200::lift::{BOOL_BINDING, FLOAT_BINDING, INT_BINDING};
use unshade_stage::Stage;

/// Outputs of an emitted vertex that a document lists.
const LISTED_OUTPUTS: usize = 3;

impl super::Run for Pica200 {
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
    let float = float(document)?;
    let mut state = state(stage, document, case)?;
    let program = Program::new(stage);
    let outcome = program.run_with(&mut state, fuel, float, trace);
    let unfinished = match outcome.end {
        End::Ended => None,
        End::OutOfFuel => Some(format!("still running after {} instructions", outcome.steps)),
        End::TooManyVertices => Some(format!("more than {} vertices", outcome.emitted.len())),
    };
    let mask = emitted_mask(stage, document, &program);
    Ok(CaseRun {
        id: case.id.clone(),
        steps: outcome.steps,
        unfinished,
        uncertain: Vec::new(),
        outputs: outputs(&state, &outcome.emitted, mask),
    })
}

/// The outputs of emitted vertices that count; nothing for programs that emit none.
pub(crate) fn emitted_mask(stage: &Stage<'_>, document: &Document, program: &Program) -> Option<u32> {
    let mask = match (document.outmask, stage.interface.output_mask) {
        (Some(mask), _) => mask,
        (None, 0) => u32::MAX,
        (None, mask) => mask,
    };
    program.is_geometry().then_some(mask)
}

/// Arithmetic that the document asks for; binary32 if it does not say.
pub fn float(document: &Document) -> Result<Float, RunJsonError> {
    match document.float.as_deref() {
        None | Some("f32") => Ok(Float::F32),
        Some("f24") => Ok(Float::F24(Rounding::default())),
        Some(other) => Err(RunJsonError::new("float", format!("expected f32 or f24, found {other:?}"))),
    }
}

/// Registers before the run: the stage's constants, overwritten by the inputs of the case.
pub fn state(stage: &Stage<'_>, document: &Document, case: &Case) -> Result<State, RunJsonError> {
    let pool = &document.pool;
    for space in case.input.keys() {
        if !["v", "c", "i", "b", "r", "a", "cc"].contains(&space.as_str()) {
            return Err(RunJsonError::new(case.input_path(space), "this machine has no such input"));
        }
    }
    let mut state = State::new(stage);
    for (n, words) in case.registers("v", 16, pool)? {
        state.v[n as usize] = vector(&words, || format!("{}.{n}", case.input_path("v")))?;
    }
    for (n, words) in case.registers("c", 96, pool)? {
        state.c[n as usize] = vector(&words, || format!("{}.{n}", case.input_path("c")))?;
    }
    for (n, words) in case.registers("r", 16, pool)? {
        state.r[n as usize] = vector(&words, || format!("{}.{n}", case.input_path("r")))?;
    }
    if let Some(value) = case.input.get("a") {
        if value.is_object() {
            let message = "this machine has no such input; `a` is three words here: a0.x a0.y aL";
            return Err(RunJsonError::new(case.input_path("a"), message));
        }
        let words = words::words(value, pool, &case.input_path("a"))?;
        let [x, y, al] = words[..] else {
            let message = format!("expected three words, a0.x a0.y aL, found {}", words.len());
            return Err(RunJsonError::new(case.input_path("a"), message));
        };
        (state.a0, state.al) = ([x, y].map(u32::cast_signed), al.cast_signed());
    }
    if let Some(value) = case.input.get("cc") {
        state.cmp = match words::text(value, &case.input_path("cc"))?.as_bytes() {
            [x @ (b'0' | b'1'), y @ (b'0' | b'1')] => [*x == b'1', *y == b'1'],
            _ => {
                let message = "expected two digits, cmp.x and cmp.y";
                return Err(RunJsonError::new(case.input_path("cc"), message));
            }
        };
    }
    for (n, words) in case.registers("i", 4, pool)? {
        let [word] = words.as_slice() else {
            return Err(RunJsonError::new(format!("{}.{n}", case.input_path("i")), "expected one word"));
        };
        state.i[n as usize] = word.to_le_bytes();
    }
    if let Some(word) = case.word("b", pool)? {
        state.b = std::array::from_fn(|n| word >> n & 1 != 0);
    }
    Ok(state)
}

fn vector(words: &[u32], path: impl FnOnce() -> String) -> Result<Vector, RunJsonError> {
    match *words {
        [x, y, z, w] => Ok([x, y, z, w].map(f32::from_bits)),
        _ => Err(RunJsonError::new(path(), format!("expected four words, found {}", words.len()))),
    }
}

/// Registers and vertices after a run, in the notation of the document. `mask`: enabled outputs of a
/// geometry program.
pub(crate) fn outputs(state: &State, emitted: &[Vertex], mask: Option<u32>) -> Outputs {
    let words = |vector: &Vector| vector.map(f32::to_bits).to_vec();
    let registers = |vectors: &[Vector]| Output::Registers((0..).zip(vectors.iter().map(words)).collect());
    let address = [state.a0[0], state.a0[1], state.al].map(i32::cast_unsigned);
    let mut spaces = vec![
        ("o", registers(&state.o)),
        ("r", registers(&state.r)),
        ("a", Output::Words(address.to_vec())),
        ("cc", Output::Digits(state.cmp.map(|flag| if flag { '1' } else { '0' }).iter().collect())),
    ];
    if let Some(mask) = mask {
        let vertices = emitted.iter().map(|vertex| OutputVertex {
            outputs: vertex.enabled(mask, LISTED_OUTPUTS).iter().map(words).collect(),
            inverted: vertex.inverted,
        });
        spaces.push(("emit", Output::Vertices(vertices.collect())));
    }
    Outputs { spaces }
}

/// The registers of a case of [`crate::verify()`], in the notation of the document.
fn registers(inputs: &Inputs) -> Map<String, Value> {
    let mut document = Map::new();
    for registers in inputs {
        match (registers.space, registers.binding) {
            (Space::Input, _) => document.insert("v".into(), words::registers(&registers.words).into()),
            (Space::Uniform, FLOAT_BINDING) => {
                document.insert("c".into(), words::registers(&registers.words).into())
            }
            (Space::Uniform, INT_BINDING) => {
                let words = registers.words.chunks(4).map(|bytes| {
                    (0..).zip(bytes).fold(0, |word, (n, byte): (u32, _)| word | (byte & 0xFF) << (8 * n))
                });
                let entry = |(n, word): (usize, u32)| (n.to_string(), format!("{word:08x}").into());
                let set: Map<_, Value> = words.enumerate().map(entry).collect();
                document.insert("i".into(), set.into())
            }
            (Space::Uniform, BOOL_BINDING) => {
                let set = registers.words.iter().enumerate();
                let bits = set.fold(0_u32, |bits, (n, word)| bits | u32::from(*word != 0) << n);
                document.insert("b".into(), format!("{bits:08x}").into())
            }
            _ => None,
        };
    }
    document
}
