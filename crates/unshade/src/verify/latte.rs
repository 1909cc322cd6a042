//! The interpreter of the Wii U's GPU, as [`super::verify`] needs it: one lane alone, with the IR's own answers for
//! textures and neighbours, so that both sides get the same.

use super::compare::Words;
use super::machine::{Inputs, Leaves, Machine, Registers, words};
use super::outside::Reason;
use unshade_ir::exec::{Memory, evaluate};
use unshade_ir::math::probe_texture;
use unshade_ir::{
    CompareFloat, Global, Op, Space, TexelTable, Texture, TextureLevel, TextureQuery, TextureShape, Type,
};
use unshade_isa::cases::Kind;
use unshade_isa::latte;
use unshade_isa::latte::bindings::MESA_TEXELS;
use unshade_isa::latte::exec::cases;
use unshade_isa::latte::exec::surface::{Numbers, Surface};
use unshade_isa::latte::exec::{
    Action, Buffer, End, Event, Fault, Lane, NoTrace, Program, Resources, Step, Trace,
};
use unshade_isa::latte::lift::start::{Start, start};
use unshade_isa::latte::ring::STRIDE as RING_STRIDE;
use unshade_isa::latte::semantics::alu::FLOAT;
use unshade_isa::latte::table::Domain;
use unshade_isa::latte::{AluOp, Effect, bindings};
use unshade_stage::latte::Profile;
use unshade_stage::{Stage, StageKind};

/// Words of the memory that MEM_EXPORT writes which are compared: what indices that are small numbers lead to.
const MEMORY_WORDS: usize = 1 << 12;

/// A program and the interpreter.
pub(super) struct Latte {
    kind: StageKind,
    program: Program,
    surface: Surface,
    /// What each component of a register holds at the start.
    start: Vec<Start>,
    /// Words of each output binding.
    outputs: Vec<(u32, usize)>,
    /// The driver's constants say what readable mode assumes of them.
    texels: Option<TexelTable>,
}

/// What each component of a register holds at the start.
pub(crate) fn latte_start(kind: StageKind, latte: &unshade_stage::Latte) -> Vec<Start> {
    let places = (0..128_u8).flat_map(|register| [0, 1, 2, 3].map(|component| (register, component)));
    places.map(|(n, component)| start(kind, latte, n, component)).collect()
}

/// What a component of a register holds at the start, of the words of input bindings.
pub(crate) fn latte_value(start: Start, word: &impl Fn(u32, u32) -> u32) -> u32 {
    let computed = |op: Op, args: &[u64]| evaluate(&op, Type::B32, args).unwrap_or_default() as u32;
    match start {
        Start::Word(binding, at) => word(binding, at),
        Start::Constant(bits) => bits,
        Start::Reciprocal(binding, at) => computed(Op::FRcp(FLOAT), &[word(binding, at).into()]),
        Start::Mask(binding, at) => {
            let test = Op::FCompare(CompareFloat::Ne, FLOAT);
            if computed(test, &[word(binding, at).into(), 0]) != 0 { u32::MAX } else { 0 }
        }
    }
}

/// The constants among the inputs, where the machine reads them.
pub(crate) fn latte_uniforms(inputs: &Inputs) -> Resources {
    let uniform = |binding| words(inputs, Space::Uniform, binding).to_vec();
    let mut resources =
        Resources { constant_file: uniform(bindings::CONSTANT_FILE_BINDING), ..Resources::default() };
    for (number, buffer) in (0_u32..).zip(&mut resources.constants) {
        *buffer = uniform(bindings::CONSTANT_BUFFER_BINDING + number);
    }
    for (place, word) in resources.loops.iter_mut().zip(uniform(bindings::LOOP_BINDING)) {
        *place = word;
    }
    for (n, word) in uniform(bindings::BOOL_BINDING).into_iter().enumerate().take(32) {
        resources.bools |= u32::from(word != 0) << n;
    }
    resources
}

impl Latte {
    pub(super) fn new(stage: &Stage<'_>) -> Self {
        let program = Program::new(stage);
        let surface = Surface::new(&program);
        let start = latte_start(stage.kind, program.latte());
        let outputs = surface.outputs.iter().map(|(binding, words)| (*binding, *words as usize)).collect();
        Self { kind: stage.kind, program, surface, start, outputs, texels: None }
    }

    /// As readable mode takes it: texels of buffer textures have four components.
    pub(super) fn readable(stage: &Stage<'_>) -> Self {
        let machine = Self::new(stage);
        let texels = Some(MESA_TEXELS).filter(|_| machine.program.latte().profile == Profile::Mesa);
        Self { texels, ..machine }
    }

    fn run_traced(&self, inputs: &Inputs, fuel: u64, trace: &mut impl Trace<Program>) -> (Lane, End, u64) {
        let mut lane = Lane::default();
        let word = |binding, at: u32| word(inputs, binding, at);
        for (place, start) in lane.registers.iter_mut().flatten().zip(&self.start) {
            *place = latte_value(*start, &word);
        }
        let uniform = |binding| words(inputs, Space::Uniform, binding).to_vec();
        let mut resources = latte_uniforms(inputs);
        for &resource in &self.surface.buffers {
            let words = uniform(bindings::FETCH_BINDING + resource);
            resources.buffers.insert(resource, Buffer { words, swapped: true, ..Buffer::default() });
        }
        for &resource in &self.surface.rings {
            let words = words(inputs, Space::Input, bindings::RING_INPUT_BINDING).to_vec();
            let ring = Buffer { words, stride: Some(RING_STRIDE), swapped: true, ..Buffer::default() };
            resources.buffers.insert(resource, ring);
        }
        // Answers by formula, as every environment without textures does.
        let mut environment = Memory::default();
        let outcome = self.program.run_lane(&mut lane, &resources, &mut environment, fuel, trace);
        (lane, outcome.end, outcome.steps)
    }
}

impl Latte {
    /// The words of all outputs, one behind the other.
    fn outputs_of(&self, lane: &Lane) -> Vec<u32> {
        let mut result = Vec::new();
        for &(binding, count) in &self.outputs {
            let words = match binding {
                bindings::EXPORT_BINDING => lane.exports.as_slice(),
                bindings::RING_OUTPUT_BINDING => lane.ring.words.as_slice(),
                stream => lane.streams[(stream - bindings::STREAM_BINDING) as usize & 3].words.as_slice(),
            };
            result.extend(words.iter().copied().chain(std::iter::repeat(0)).take(count));
        }
        result
    }
}

/// A word of an input binding.
fn word(inputs: &Inputs, binding: u32, at: u32) -> u32 {
    words(inputs, Space::Input, binding).get(at as usize).copied().unwrap_or(0)
}

/// Clears the registers, of so many words, that are not among these.
fn keep(words: &mut [u32], width: usize, numbers: &Numbers) {
    for (number, words) in (0..).zip(words.chunks_mut(width)) {
        if !numbers.contains(number) {
            words.fill(0);
        }
    }
}

/// Whether that is the end at the bound on vertices.
fn is_bound(end: End) -> bool {
    matches!(end, End::Fault { fault: Fault::TooManyVertices, .. })
}

impl super::machine::Verified for latte::Latte {
    fn machine<'a>(stage: &'a Stage<'_>) -> Result<Box<dyn Machine + 'a>, String> {
        Ok(Box::new(Latte::new(stage)))
    }

    fn readable<'a>(stage: &'a Stage<'_>) -> Result<Box<dyn Machine + 'a>, String> {
        Ok(Box::new(Latte::readable(stage)))
    }
}

impl Machine for Latte {
    fn inputs(&self, seed: u64, index: u64, kind: Kind) -> Inputs {
        let case = cases::case(&self.program, &self.surface, seed, index, kind);
        let registers = |space| move |(binding, words)| Registers { space, binding, words };
        let inputs = case.input.into_iter().map(registers(Space::Input));
        let mut inputs: Inputs =
            inputs.chain(case.uniform.into_iter().map(registers(Space::Uniform))).collect();
        if self.surface.memory {
            let (space, binding) = (Space::Storage, bindings::MEMORY_BINDING);
            inputs.push(Registers { space, binding, words: vec![0; MEMORY_WORDS] });
        }
        if let Some(table) = self.texels {
            inputs.iter_mut().filter(|file| file.space == Space::Uniform).for_each(|file| whole(table, file));
        }
        inputs
    }

    fn registers(&self, mut inputs: Inputs) -> Inputs {
        let word = |binding, at: u32| word(&inputs, binding, at);
        let start: Vec<u32> = self.start.iter().map(|start| latte_value(*start, &word)).collect();
        for registers in &mut inputs {
            let words = &mut registers.words;
            // What is not read says nothing.
            match (registers.space, registers.binding) {
                (Space::Input, bindings::REGISTER_BINDING) => {
                    words.clone_from(&start);
                    keep(words, 4, &self.surface.registers);
                }
                (Space::Uniform, bindings::CONSTANT_FILE_BINDING) => keep(words, 4, &self.surface.file),
                (Space::Uniform, bindings::LOOP_BINDING) => keep(words, 1, &self.surface.loops),
                (Space::Uniform, bindings::BOOL_BINDING) => keep(words, 1, &self.surface.bools),
                _ => {}
            }
        }
        inputs
    }

    fn run(&self, inputs: &Inputs, fuel: u64) -> (Option<Words>, u64) {
        let (lane, end, steps) = self.run_traced(inputs, fuel, &mut NoTrace);
        if end == End::OutOfFuel || is_bound(end) {
            return (None, steps);
        }
        // Where the machine cannot go on, what was written until then is what there is.
        if self.kind == StageKind::Geometry {
            let vertex = |event: &Event| match event {
                Event::Vertex(words) => Some(match self.program.copied(words) {
                    Some(copied) => self.outputs_of(&copied),
                    None => words.clone(),
                }),
                Event::Cut => None,
            };
            return (Some(lane.events.iter().filter_map(vertex).collect()), steps);
        }
        // Only of a pixel nothing is left; other programs end with what they have written.
        let dropped = lane.killed && self.kind == StageKind::Fragment;
        let mut result = self.outputs_of(&lane);
        if dropped {
            result.fill(0);
        }
        result.push(dropped.into());
        if self.surface.memory {
            let memory = lane.memory.words.iter().copied().chain(std::iter::repeat(0));
            result.extend(memory.take(MEMORY_WORDS));
        }
        (Some(vec![result]), steps)
    }

    fn stops_at_bound(&self, inputs: &Inputs, fuel: u64) -> bool {
        is_bound(self.run_traced(inputs, fuel, &mut NoTrace).1)
    }

    fn leaves_assumptions(&self, inputs: &Inputs, fuel: u64, _: &[Global]) -> Option<Reason> {
        let mut watch = Watch::default();
        self.run_traced(inputs, fuel, &mut watch);
        watch.outside
    }

    fn output_words(&self) -> usize {
        bindings::EXPORT_WORDS as usize
    }

    fn output_files(&self) -> Vec<(u32, usize)> {
        self.outputs.clone()
    }

    fn buffers(&self) -> Vec<u32> {
        if self.surface.memory { vec![bindings::MEMORY_BINDING] } else { Vec::new() }
    }

    fn leaves(&self) -> Leaves {
        if self.kind == StageKind::Geometry { Leaves::Vertices } else { Leaves::Pixel }
    }

    fn vertex(&self, _: usize, words: &[u32]) -> Vec<u32> {
        // Behind a copy program all outputs are the vertex.
        if self.program.copy().is_some() {
            return words.to_vec();
        }
        // The ring lies behind the exports and streams; the item of the vertex is a part of it.
        let before: usize = self
            .outputs
            .iter()
            .filter(|(binding, _)| *binding != bindings::RING_OUTPUT_BINDING)
            .map(|(_, words)| *words)
            .sum();
        let item = self.program.ring_item() as usize;
        (before..before.saturating_add(item)).map(|at| words.get(at).copied().unwrap_or(0)).collect()
    }

    fn output_name(&self, word: usize) -> String {
        let component = |word: usize| ["x", "y", "z", "w"][word & 3];
        if self.kind == StageKind::Geometry && self.program.copy().is_none() {
            return format!("item.{word}");
        }
        let mut left = word;
        for &(binding, count) in &self.outputs {
            if left < count {
                return match binding {
                    bindings::EXPORT_BINDING => {
                        format!("{}.{}", bindings::export_name(left as u32), component(left))
                    }
                    bindings::RING_OUTPUT_BINDING => format!("ring.{left}"),
                    stream => format!("stream{}.{left}", stream - bindings::STREAM_BINDING),
                };
            }
            left -= count;
        }
        "discard".to_owned()
    }
}

/// Puts the constants of buffer textures with four components into a driver's table.
fn whole(table: TexelTable, file: &mut Registers) {
    for (at, place) in (0_u32..).zip(&mut file.words) {
        let Some((unit, word)) = table.word(file.binding, at) else { continue };
        match word {
            0..TexelTable::LAST => *place = u32::MAX,
            TexelTable::LAST => *place = 0,
            TexelTable::COUNT => {
                let texture = Texture {
                    query: TextureQuery::Size,
                    ..Texture::sample(unit, TextureShape::Buffer, TextureLevel::Quad)
                };
                let [count, ..] = probe_texture(texture, unit, &[]);
                *place = count;
            }
            _ => {}
        }
    }
}

/// Sees whether a float operation gives an infinity or NaN, what the machine gives instead of one, or takes NaN.
#[derive(Default)]
struct Watch {
    outside: Option<Reason>,
}

impl Trace<Program> for Watch {
    fn step(&mut self, step: &Step<'_>) {
        let Action::Group(group) = step.action else { return };
        for ((unit, inst), sources) in group.insts().zip(&step.sources[0]) {
            let Some(op) = inst.op() else { continue };
            Reason::Small.note(decides_by_small(op, sources), &mut self.outside);
            // Moves and choices take bits that may be integers.
            let moves = matches!(op, AluOp::Mov | AluOp::CndE | AluOp::CndGt | AluOp::CndGe);
            if moves {
                continue;
            }
            let domain = op.info().domain;
            Reason::NotFinite.note(takes_nan(domain, sources), &mut self.outside);
            if matches!(domain, Domain::Float | Domain::IntToFloat) {
                let value = f32::from_bits(step.results[0][unit as usize % 5]);
                let clamped = inst.op2().clamp() != 0;
                let is_infinite = !value.is_finite() || stands_for_infinity(op, clamped, value);
                Reason::NotFinite.note(is_infinite, &mut self.outside);
            }
        }
    }
}

/// Whether a float operation takes what is no number, also the bits of a truth value: what a minimum or a comparison makes
/// of it need not show.
fn takes_nan(domain: Domain, sources: &[u32; 3]) -> bool {
    matches!(domain, Domain::Float | Domain::FloatToMask | Domain::FloatToInt)
        && sources.iter().any(|&bits| f32::from_bits(bits).is_nan())
}

/// Whether a comparison or choice takes a number that is so small that the machine takes it for zero: source that
/// compares the number itself goes the other way, and what it computes there nothing bounds.
fn decides_by_small(op: AluOp, sources: &[u32; 3]) -> bool {
    let info = op.info();
    let compared = match op {
        AluOp::CndE | AluOp::CndGt | AluOp::CndGe => 1,
        AluOp::SetE | AluOp::SetGt | AluOp::SetGe | AluOp::SetNe => 2,
        _ if info.domain == Domain::FloatToMask => 2,
        _ if info.domain == Domain::Float && matches!(info.effect, Effect::Predicate | Effect::Kill) => 2,
        _ => 0,
    };
    sources.iter().take(compared).any(|bits| f32::from_bits(*bits).is_subnormal())
}

/// Whether a result may be the one that an operation gives instead of an infinity, after factor and clamp.
fn stands_for_infinity(op: AluOp, clamped: bool, value: f32) -> bool {
    /// The least that a factor leaves of the largest float.
    const LARGE: f32 = f32::MAX / 2.0;
    match op {
        AluOp::RecipFf | AluOp::RecipSqrtFf => value == 0.0,
        AluOp::RecipClamped | AluOp::RecipSqrtClamped | AluOp::LogClamped => {
            value.abs() >= LARGE || clamped && (value == 0.0 || value == 1.0)
        }
        _ => false,
    }
}
