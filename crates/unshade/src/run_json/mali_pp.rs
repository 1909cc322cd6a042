//! The spaces of the Mali pixel processor: `vary`, `mem`, `fragcoord`, `pointcoord`, `front` in, and
//! `fbcolor`, `fbdepth` for programs that read the framebuffer; `r` and `discard` out. Textures are those of the
//! header.

use super::compare::{Output, Outputs};
use super::textures::{self, Watched};
use super::{Case, CaseRun, Document, RunJsonError, words};
use crate::verify::Inputs;
use serde_json::{Map, Value};
use std::collections::BTreeMap;
use unshade_ir::Space;
use unshade_isa::mali_pp::MaliPp;
use unshade_isa::mali_pp::exec::{End, Float, Lane, NoTrace, Program, State, Step, Trace};
use unshade_isa::mali_pp::lift;
use unshade_isa::texture::Bank;
use unshade_stage::{Space as StageSpace, Stage};

/// Floats of uniform memory and of varyings that a document may set.
const FLOATS: u32 = 1 << 16;

/// What a case may set.
const SPACES: [&str; 8] = ["vary", "mem", "r", "fragcoord", "pointcoord", "front", "fbcolor", "fbdepth"];

impl super::Run for MaliPp {
    fn run(stage: &Stage<'_>, document: &Document, case: &Case, fuel: u64) -> Result<CaseRun, RunJsonError> {
        run_traced(stage, document, case, fuel, &mut NoTrace)
    }

    fn registers(_: &Stage<'_>, inputs: &Inputs) -> Map<String, Value> {
        registers(inputs)
    }
}

/// Runs one case and reports each instruction to `trace`.
pub fn run_traced(
    stage: &Stage<'_>,
    document: &Document,
    case: &Case,
    fuel: u64,
    trace: &mut impl Trace<Program>,
) -> Result<CaseRun, RunJsonError> {
    let float = float(document)?;
    let lanes = case.lanes(document)?;
    let mut state = state(stage, document, case, lanes)?;
    let program = Program::new(stage);
    let bank = textures::bank(document, case)?;
    let wide = wide_ways(&program, &state, &bank, float, fuel);
    let mut textures = Watched::new(bank);
    let mut ways = Ways { hashes: [0; 4], inner: trace };
    let outcome = program.run_with(&mut state, &mut textures, float, fuel, &mut ways);
    let parted = |lane: usize| wide.as_ref().is_some_and(|wide| wide[lane] != ways.hashes[lane]);
    let uncertain = (0..lanes).map(|lane| textures.near[lane] || parted(lane)).collect();
    let ends = &outcome.ends[..lanes];
    let unfinished =
        ends.contains(&End::OutOfFuel).then(|| format!("still running after {} instructions", outcome.steps));
    Ok(CaseRun {
        id: case.id.clone(),
        steps: outcome.steps,
        unfinished,
        uncertain,
        outputs: outputs(&state, ends),
    })
}

/// Colours of pixels that came to such ends.
pub(crate) fn outputs(state: &State, ends: &[End]) -> Outputs {
    let color = |(lane, end): (&Lane, &End)| {
        (*end != End::Discarded).then(|| lane.registers[0].map(f32::to_bits).to_vec())
    };
    let colors = state.lanes.iter().zip(ends).map(color).collect();
    let dropped = ends.iter().map(|end| *end == End::Discarded).collect();
    Outputs {
        spaces: vec![
            ("discard", Output::Flags(dropped)),
            ("r", Output::Lanes(BTreeMap::from([(0, colors)]))),
        ],
    }
}

/// Which instructions each pixel does in wide arithmetic, to see where narrow arithmetic goes another way; nothing
/// where the run itself is wide.
fn wide_ways(program: &Program, state: &State, bank: &Bank, float: Float, fuel: u64) -> Option<[u64; 4]> {
    if float == Float::F32 {
        return None;
    }
    let mut ways = Ways { hashes: [0; 4], inner: &mut NoTrace };
    program.run_with(&mut state.clone(), &mut bank.clone(), Float::F32, fuel, &mut ways);
    Some(ways.hashes)
}

/// A hash of the way of each pixel, and whoever else watches.
struct Ways<'a, T> {
    hashes: [u64; 4],
    inner: &'a mut T,
}

impl<T: Trace<Program>> Trace<Program> for Ways<'_, T> {
    fn step(&mut self, step: &Step<'_>) {
        for (hash, together) in self.hashes.iter_mut().zip(step.together) {
            if together {
                // FNV-1a, word by word.
                *hash = (*hash ^ (u64::from(step.pc) + 1)).wrapping_mul(0x0100_0000_01B3);
            }
        }
        self.inner.step(step);
    }
}

/// Arithmetic that the document asks for; binary32 if it does not say.
pub(crate) fn float(document: &Document) -> Result<Float, RunJsonError> {
    match document.float.as_deref() {
        None | Some("f32") => Ok(Float::F32),
        Some("f16") => Ok(Float::F16),
        Some(other) => Err(RunJsonError::new("float", format!("expected f32 or f16, found {other:?}"))),
    }
}

/// The uniforms as the file has them.
pub(crate) fn initial(stage: &Stage<'_>) -> Vec<f32> {
    let mut uniforms = Vec::new();
    for symbol in stage.interface.symbols.iter().filter(|symbol| symbol.space == StageSpace::Float) {
        if let (Some(values), Some(offset), None) = (&symbol.initial, symbol.offset, symbol.parent) {
            place(&mut uniforms, offset.into(), values);
        }
    }
    uniforms
}

/// The quad before the run: the file's initial values, overwritten by the inputs of the case. One lane alone is
/// the first pixel of a quad of equal ones.
pub(crate) fn state(
    stage: &Stage<'_>,
    document: &Document,
    case: &Case,
    lanes: usize,
) -> Result<State, RunJsonError> {
    for space in case.input.keys() {
        if !SPACES.contains(&space.as_str()) {
            return Err(RunJsonError::new(case.input_path(space), "this machine has no such input"));
        }
    }
    let pool = &document.pool;
    let mut state = State { uniforms: initial(stage), ..State::default() };
    for (at, words) in case.registers("mem", FLOATS, pool)? {
        place(&mut state.uniforms, at, &words);
    }
    for (n, lane) in state.lanes.iter_mut().enumerate() {
        let n = n.min(lanes - 1);
        for (at, words) in case.lane("vary", n, FLOATS, pool)? {
            place(&mut lane.varyings, at, &words);
        }
        for (register, words) in case.lane("r", n, 12, pool)? {
            let [x, y, z, w] = words[..] else {
                let message = format!("expected four words, found {}", words.len());
                return Err(RunJsonError::new(format!("{}.{register}", case.input_path("r")), message));
            };
            lane.registers[register as usize] = [x, y, z, w].map(f32::from_bits);
        }
        let vector = |space: &str, most: usize| -> Result<Option<[f32; 4]>, RunJsonError> {
            let Some(words) = case.lane_words(space, n, pool)? else { return Ok(None) };
            if words.is_empty() || words.len() > most {
                let message = format!("expected up to {most} words, found {}", words.len());
                return Err(RunJsonError::new(case.input_path(space), message));
            }
            let at = |n: usize| words.get(n).copied().map_or(0.0, f32::from_bits);
            Ok(Some(std::array::from_fn(at)))
        };
        if let Some(value) = vector("fragcoord", 4)? {
            lane.frag_coord = value;
        }
        if let Some([x, y, ..]) = vector("pointcoord", 2)? {
            lane.point_coord = [x, y];
        }
        if let Some([front, ..]) = vector("front", 1)? {
            lane.front_facing = front;
        }
        if let Some(value) = vector("fbcolor", 4)? {
            lane.framebuffer_color = value;
        }
        if let Some([depth, ..]) = vector("fbdepth", 1)? {
            lane.framebuffer_depth = depth;
        }
    }
    Ok(state)
}

/// Puts floats at their place in a memory that grows as needed.
fn place(memory: &mut Vec<f32>, at: u32, words: &[u32]) {
    let at = at as usize;
    if memory.len() < at + words.len() {
        memory.resize(at + words.len(), 0.0);
    }
    for (place, word) in memory.iter_mut().skip(at).zip(words) {
        *place = f32::from_bits(*word);
    }
}

/// The registers of a case of [`crate::verify()`], in the notation of the document.
fn registers(inputs: &Inputs) -> Map<String, Value> {
    let mut document = Map::new();
    for registers in inputs {
        let words = || Value::from(words::print(&registers.words));
        let memory = || Value::Object(Map::from_iter([("0".to_owned(), words())]));
        let (space, value) = match (registers.space, registers.binding) {
            (Space::Uniform, _) => ("mem", memory()),
            (Space::Input, lift::FRAG_COORD_BINDING) => ("fragcoord", words()),
            (Space::Input, lift::POINT_COORD_BINDING) => ("pointcoord", words()),
            (Space::Input, lift::FRONT_FACING_BINDING) => ("front", words()),
            (Space::Input, lift::FRAMEBUFFER_COLOR_BINDING) => ("fbcolor", words()),
            (Space::Input, lift::FRAMEBUFFER_DEPTH_BINDING) => ("fbdepth", words()),
            (Space::Input, _) => ("vary", memory()),
            _ => continue,
        };
        document.insert(space.into(), value);
    }
    document
}
