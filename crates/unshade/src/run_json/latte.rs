//! The spaces of the Wii U's GPU.
//!
//! | in | |
//! |---|---|
//! | `gpr` | {register: words} at the start; what CALL_FS brings is there already |
//! | `cb` | {constant buffer: words} |
//! | `file` | {register of the constant file: words} |
//! | `loop`, `bool` | {number: word} loop constants (count, first value, step) and bool constants |
//! | `fetch` | {resource: {`stride`, `data`, `swapped`}} other buffers; without a stride elements are as far apart as a fetch takes; `swapped` 1: the words are what a fetch sees behind its endian swap |
//!
//! | out | |
//! |---|---|
//! | `exp` | {`POS60`, `PARAM0`, `PIXEL0`, `PIXEL61`: words}; the x of `PIXEL61` is clamped to 0..1 |
//! | `discard` | one digit for each lane |
//! | `stream` | {buffer: words} |
//! | `ring` | {`0`: words} what a program in front of a geometry program wrote |
//! | `vertices` | geometry: words of the item of each vertex, strips split into triangles or lines |
//! | `exp`, `stream` | geometry with its copy program: what that makes of these vertices, in the same order |
//!
//! Textures are those of the header, by resource number. Code without a file around it numbers resources as Mesa
//! does, unless the header has another `profile` (`gx2`, `mesa`, `cemu`).

use super::compare::{Output, Outputs};
use super::document::small_number;
use super::words::{self, object, text};
use super::{Case, CaseRun, Document, RunJsonError, textures};
use crate::verify::Inputs;
use serde_json::{Map, Value};
use unshade_ir::Space;
use unshade_isa::latte::bindings;
use unshade_isa::latte::exec::{
    Buffer, End, Event, Lane, NoTrace, Outcome, Program, Region, Resources, Trace,
};
use unshade_isa::texture::Bank;
use unshade_stage::latte::{OutputPrimitive, Profile, Sampler};
use unshade_stage::{Latte, Stage, StageKind};

/// What a case may set.
const SPACES: [&str; 6] = ["gpr", "cb", "file", "loop", "bool", "fetch"];

impl super::Run for unshade_isa::latte::Latte {
    fn run(stage: &Stage<'_>, document: &Document, case: &Case, fuel: u64) -> Result<CaseRun, RunJsonError> {
        run_traced(stage, document, case, fuel, &mut NoTrace)
    }

    fn registers(_: &Stage<'_>, inputs: &Inputs) -> Map<String, Value> {
        registers(inputs)
    }
}

/// Runs one case and reports each step to `trace`.
pub fn run_traced(
    stage: &Stage<'_>,
    document: &Document,
    case: &Case,
    fuel: u64,
    trace: &mut impl Trace<Program>,
) -> Result<CaseRun, RunJsonError> {
    let Start { program, mut bank, resources, lanes: mut state } = Start::read(stage, document, case)?;
    let lanes = state.len();
    let outcome = program.run_with(&mut state, &resources, &mut bank, fuel, trace);
    Ok(CaseRun {
        id: case.id.clone(),
        steps: outcome.steps,
        unfinished: unfinished(outcome),
        uncertain: vec![false; lanes],
        outputs: outputs(&program, stage.kind, &state),
    })
}

/// A run of a case before its first step.
pub(crate) struct Start {
    pub(crate) program: Program,
    pub(crate) bank: Bank,
    pub(crate) resources: Resources,
    pub(crate) lanes: Vec<Lane>,
}

impl Start {
    /// What a case says.
    pub(crate) fn read(stage: &Stage<'_>, document: &Document, case: &Case) -> Result<Self, RunJsonError> {
        for space in case.input.keys() {
            if !SPACES.contains(&space.as_str()) {
                return Err(RunJsonError::new(case.input_path(space), "this machine has no such input"));
            }
        }
        let count = case.lanes(document)?;
        let (latte, bank) = surroundings(stage, document, case)?;
        let program = Program::with(stage, latte);
        let resources = resources(stage, document, case)?;
        let lanes = (0..count).map(|n| lane(document, case, n)).collect::<Result<_, _>>()?;
        Ok(Self { program, bank, resources, lanes })
    }
}

/// Why a run stopped, if not at the end of the program.
pub(crate) fn unfinished(outcome: Outcome) -> Option<String> {
    match outcome.end {
        End::Ended => None,
        End::OutOfFuel => Some(format!("still running after {} instructions", outcome.steps)),
        End::Fault { address, fault } => Some(format!("stopped at {address:02}: {}", fault.text())),
    }
}

/// What surrounds the program, with the textures of the document.
fn surroundings(stage: &Stage<'_>, document: &Document, case: &Case) -> Result<(Latte, Bank), RunJsonError> {
    let mut latte = match &stage.interface.latte {
        Some(latte) => (**latte).clone(),
        None => Latte { profile: Profile::Mesa, ..Latte::default() },
    };
    match document.header.get("profile").map(|profile| text(profile, "profile")).transpose()? {
        None => {}
        Some("gx2") => latte.profile = Profile::Gx2,
        Some("mesa") => latte.profile = Profile::Mesa,
        Some("cemu") => latte.profile = Profile::Cemu,
        Some(other) => {
            let message = format!("expected gx2, mesa or cemu, found {other:?}");
            return Err(RunJsonError::new("profile", message));
        }
    }
    let mut bank = Bank { unbound: textures::unbound(document)?, ..Bank::default() };
    for (resource, texture) in textures::images(document, case)? {
        let unit = bindings::texture_unit(&latte, resource);
        // What the document binds is what the instructions see.
        latte.samplers.retain(|sampler| sampler.location != unit);
        latte.samplers.push(Sampler {
            name: format!("texture{resource}"),
            dimension: Some(texture.dimension),
            shadow: false,
            location: unit,
        });
        bank.units.insert(unit, unshade_isa::texture::Bound::Image(texture.image));
    }
    Ok((latte, bank))
}

/// Buffers and constants: those of the file, overwritten by the inputs of the case.
fn resources(stage: &Stage<'_>, document: &Document, case: &Case) -> Result<Resources, RunJsonError> {
    let pool = &document.pool;
    let mut resources = Resources::default();
    if let Some(latte) = &stage.interface.latte {
        resources.load(latte);
    }
    for (number, words) in case.registers("cb", bindings::CONSTANT_BUFFERS, pool)? {
        if let Some(buffer) = resources.constants.get_mut(number as usize) {
            *buffer = words;
        }
    }
    for (number, words) in case.registers("file", 256, pool)? {
        let start = 4 * number as usize;
        resources.constant_file.resize(1024.max(resources.constant_file.len()), 0);
        for (place, word) in resources.constant_file.iter_mut().skip(start).zip(words) {
            *place = word;
        }
    }
    let single = |space: &str, number: u32, words: &[u32]| match words {
        [word] => Ok(*word),
        other => Err(RunJsonError::new(
            format!("{}.{number}", case.input_path(space)),
            format!("expected one word, found {}", other.len()),
        )),
    };
    for (number, words) in case.registers("loop", 32, pool)? {
        resources.loops[number as usize & 31] = single("loop", number, &words)?;
    }
    for (number, words) in case.registers("bool", 32, pool)? {
        let bit = 1 << (number & 31);
        resources.bools &= !bit;
        if single("bool", number, &words)? != 0 {
            resources.bools |= bit;
        }
    }
    if let Some(fetch) = case.input.get("fetch") {
        let path = case.input_path("fetch");
        for (key, value) in object(fetch, &path)? {
            let path = format!("{path}.{key}");
            let number = words::register(key, 256, &path)?;
            resources.buffers.insert(number, buffer(object(value, &path)?, pool, &path)?);
        }
    }
    Ok(resources)
}

fn buffer(
    fields: &Map<String, Value>,
    pool: &Map<String, Value>,
    path: &str,
) -> Result<Buffer, RunJsonError> {
    let at = |name: &str| format!("{path}.{name}");
    let number = |name: &str| fields.get(name).map(|value| small_number(value, &at(name))).transpose();
    let words = match fields.get("data") {
        Some(data) => words::words(data, pool, &at("data"))?,
        None => return Err(RunJsonError::new(at("data"), "missing")),
    };
    Ok(Buffer {
        words,
        stride: number("stride")?,
        swapped: number("swapped")?.unwrap_or(0) != 0,
        ..Buffer::default()
    })
}

fn lane(document: &Document, case: &Case, n: usize) -> Result<Lane, RunJsonError> {
    let mut lane = Lane::default();
    for (number, words) in case.lane("gpr", n, 128, &document.pool)? {
        let register = lane.registers.get_mut(number as usize);
        for (place, word) in register.into_iter().flatten().zip(words) {
            *place = word;
        }
    }
    Ok(lane)
}

/// What left the program.
pub(crate) fn outputs(program: &Program, kind: StageKind, lanes: &[Lane]) -> Outputs {
    let by_lane = |of: &dyn Fn(&Lane) -> Vec<u32>| -> Vec<Option<Vec<u32>>> {
        lanes.iter().map(|lane| (!lane.killed).then(|| of(lane))).collect()
    };
    let split_vertices = |lanes: &[Lane]| {
        let primitive = program.latte().geometry.as_ref().map_or_else(Default::default, |at| at.primitive);
        lanes.iter().flat_map(|lane| split(&lane.events, primitive)).collect::<Vec<_>>()
    };
    if kind == StageKind::Geometry && program.copy().is_some() {
        let vertices = split_vertices(lanes);
        let copied: Vec<Lane> = vertices.iter().filter_map(|words| program.copied(words)).collect();
        let Outputs { mut spaces } = outputs(program, StageKind::Vertex, &copied);
        spaces.push(("vertices", Output::Items(vertices)));
        return Outputs { spaces };
    }
    let mut spaces = Vec::new();
    let exported = lanes.iter().fold(0, |mask, lane| mask | lane.exported);
    let exports =
        (0..bindings::EXPORT_WORDS).step_by(4).filter(|word| exported >> (word / 4) & 1 != 0).map(|word| {
            let values = by_lane(&|lane: &Lane| {
                let mut value = lane.exports[word as usize..word as usize + 4].to_vec();
                if word == bindings::DEPTH_WORD {
                    let depth = f32::from_bits(value[0]);
                    value[0] = if depth > 0.0 { depth.min(1.0) } else { 0.0 }.to_bits();
                }
                value
            });
            (bindings::export_name(word), values)
        });
    if kind == StageKind::Fragment {
        spaces.push(("discard", Output::Flags(lanes.iter().map(|lane| lane.killed).collect())));
    }
    spaces.push(("exp", Output::Named(exports.collect())));
    let written = |region: &dyn Fn(&Lane) -> &Region| lanes.iter().any(|lane| !region(lane).words.is_empty());
    let streams: Vec<_> = (0..bindings::STREAMS as usize)
        .filter(|n| written(&|lane: &Lane| &lane.streams[*n]))
        .map(|n| (n.to_string(), by_lane(&|lane: &Lane| lane.streams[n].words.clone())))
        .collect();
    if !streams.is_empty() {
        spaces.push(("stream", Output::Named(streams)));
    }
    if kind == StageKind::Geometry {
        spaces.push(("vertices", Output::Items(split_vertices(lanes))));
    } else if written(&|lane: &Lane| &lane.ring) {
        let ring = by_lane(&|lane: &Lane| lane.ring.words.clone());
        spaces.push(("ring", Output::Named(vec![("0".to_owned(), ring)])));
    }
    Outputs { spaces }
}

/// Vertices of separate points, lines or triangles from strips. Every second triangle of a strip starts with its
/// second vertex, so that all have the same winding. What is too short for a primitive is dropped.
fn split(events: &[Event], primitive: OutputPrimitive) -> Vec<Vec<u32>> {
    let mut strips: Vec<Vec<&Vec<u32>>> = vec![Vec::new()];
    for event in events {
        match (event, strips.last_mut()) {
            (Event::Vertex(words), Some(strip)) => strip.push(words),
            (Event::Cut, _) => strips.push(Vec::new()),
            (Event::Vertex(_), None) => {}
        }
    }
    let mut vertices = Vec::new();
    for strip in strips {
        let count = match primitive {
            OutputPrimitive::Points => 1,
            OutputPrimitive::LineStrip => 2,
            OutputPrimitive::TriangleStrip => 3,
        };
        for (n, window) in strip.windows(count).enumerate() {
            match window {
                [a, b, c] if n % 2 == 1 => vertices.extend([b, a, c].map(|words| (*words).clone())),
                window => vertices.extend(window.iter().map(|words| (*words).clone())),
            }
        }
    }
    vertices
}

/// The registers of a case of [`crate::verify()`], in the notation of the document.
fn registers(inputs: &Inputs) -> Map<String, Value> {
    let mut document = Map::new();
    let mut put = |space: &str, key: String, value: Value| {
        if let Value::Object(registers) =
            document.entry(space.to_owned()).or_insert_with(|| Value::Object(Map::new()))
        {
            registers.insert(key, value);
        }
    };
    for registers in inputs {
        let words = || Value::from(words::print(&registers.words));
        let each = |stride: usize| {
            let set = registers.words.chunks(stride).enumerate();
            set.filter(|(_, words)| words.iter().any(|&word| word != 0))
                .map(|(n, words)| (n, Value::from(words::print(words))))
        };
        let memory = |stride: Option<u32>| {
            let mut memory = Map::new();
            if let Some(stride) = stride {
                memory.insert("stride".to_owned(), Value::from(stride));
            }
            memory.insert("swapped".to_owned(), Value::from(1));
            memory.insert("data".to_owned(), words());
            Value::Object(memory)
        };
        match (registers.space, registers.binding) {
            // Behind them stand attributes that no register is filled with.
            (Space::Input, bindings::REGISTER_BINDING) => {
                each(4)
                    .take_while(|(n, _)| *n < bindings::REGISTERS)
                    .for_each(|(n, value)| put("gpr", n.to_string(), value));
            }
            (Space::Input, bindings::RING_INPUT_BINDING) => put("fetch", "17".to_owned(), memory(Some(4))),
            (Space::Uniform, bindings::CONSTANT_FILE_BINDING) => {
                each(4).for_each(|(n, value)| put("file", n.to_string(), value));
            }
            (Space::Uniform, bindings::LOOP_BINDING) => {
                each(1).for_each(|(n, value)| put("loop", n.to_string(), value))
            }
            (Space::Uniform, bindings::BOOL_BINDING) => {
                each(1).for_each(|(n, value)| put("bool", n.to_string(), value))
            }
            (Space::Uniform, binding)
                if binding < bindings::CONSTANT_BUFFERS && registers.words.iter().any(|&word| word != 0) =>
            {
                put("cb", binding.to_string(), words());
            }
            (Space::Uniform, binding) if binding >= bindings::FETCH_BINDING => {
                put("fetch", (binding - bindings::FETCH_BINDING).to_string(), memory(None));
            }
            _ => {}
        }
    }
    document
}
