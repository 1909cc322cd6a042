//! The interpreter on the words of the IR: what a lifted program reads, put where the machine finds it, and what the
//! machine leaves, where the program would have stored it. So the two can be compared word by word.

use super::address_map::{
    ATTRIBUTE_BINDING, COMPILER_BANK, DEPTH_WORD, DRIVER_BANK, DRIVER_BINDING, HELPER, INSTANCE_ID,
    OTHER_BANKS, PATCH_BINDING, PATCH_VERTICES, PIXEL_BINDING, POSITION_W, PRIMITIVE_ID, SAMPLE_ID,
    SAMPLE_MASK_IN, SAMPLE_MASK_WORD, SAMPLE_POSITION, SAMPLE_TABLE, SPECIAL_BINDING, VERTEX_ID,
    VERTEX_WORDS, first_block, handle_bank, has_sample_table, image, image_of, storage_word, texture,
    uniform_binding, unknown_handle,
};
use super::exec::{Attributes, End, Event, Lane, NoTrace, Outcome, Program, Resources, Trace};
use super::header::PixelOutput;
use super::lift::perspective;
use super::memory::{LOCAL_WORDS, local_words};
use super::{Attribute, Header};
use std::collections::{BTreeMap, BTreeSet};
use unshade_ir::exec::Environment;
use unshade_ir::math::{probe_place, probe_sample};
use unshade_ir::{Image, InputPlace, Module, Op, QuadSide, Shape, Space, Texture, TextureShape, Vote};
use unshade_isa_common::cases::{Kind, Random};
use unshade_isa_common::texture::{Images, Textures};
use unshade_stage::maxwell::Driver;
use unshade_stage::{Stage, StageKind};

/// Words that a program reads, by space and binding.
pub type Words = BTreeMap<(Space, u32), Vec<u32>>;

/// Words of a buffer that an index reaches.
const BUFFER: u32 = 256;
/// Buffers whose size the driver tells behind their address.
const STORAGE_BUFFERS: u32 = 256;
/// Distance of the addresses of storage buffers.
const FAR: u64 = 1 << 32;
/// Low word of their addresses.
const LOW: u64 = 0x1000_0000;
/// Words of the table of handles.
const HANDLES: u32 = 1 << 11;
/// Vertices of a primitive or patch.
const VERTICES: u32 = 32;

/// A program, its interpreter, and the words that it reads.
#[derive(Debug, Clone)]
pub struct Beside {
    kind: StageKind,
    program: Program,
    header: Option<Header>,
    perspective: Vec<u32>,
    /// Of the textures that the lifted program declares.
    shapes: Shapes,
    /// Words of a pixel that the lifted program gives: registers that are no outputs hold anything.
    given: BTreeSet<u32>,
    /// Whole quads run.
    quads: bool,
    /// Words of shared memory.
    shared: u32,
    /// Input words that choose from an array of textures.
    chosen: BTreeSet<u32>,
    /// Handles outside of the driver's table: bank, word, unit.
    handles: Vec<(u8, u32, u32)>,
    /// Words of each binding that the lifted program reads or writes.
    files: BTreeMap<(Space, u32), u32>,
}

/// A word of the table of samples, which is the same for every pixel: for each axis twelve bits with the distance
/// from the centre and above them the place from 0 on, in sixteenths.
fn sample_word(word: u32) -> u32 {
    let [x, y] = probe_sample(word.wrapping_sub(SAMPLE_TABLE.start) & 7).map(|step| {
        let step = i32::from(step);
        (step * 256) as u32 & 0xFFF | ((step + 8) as u32) << 12
    });
    x | y << 16
}

/// The compiler's constants of a program, as words.
fn constants(program: &Program) -> Vec<u32> {
    let word = |bytes: &[u8]| bytes.iter().rev().fold(0, |word, byte| word << 8 | u32::from(*byte));
    program.maxwell().constants.chunks(4).map(word).collect()
}

/// Shapes of textures, with how many there are from a unit on.
type Shapes = BTreeMap<u32, (u32, TextureShape)>;

/// The shapes of the textures that a program declares: a size is asked for without saying of what.
fn shapes(module: &Module) -> Shapes {
    let of = |global: &unshade_ir::Global| match global.shape {
        Shape::Sampler { shape, elements, .. } if global.space == Space::Texture => {
            Some((global.offset, (elements.max(1), shape)))
        }
        _ => None,
    };
    module.globals.iter().filter_map(of).collect()
}

/// A pixel whose inputs at other places are near to its own: what an environment says of them is said of the inputs as
/// the lifted program has them, before they are multiplied by the reciprocal of w. That one is the same everywhere in
/// the pixel, as are the place of the pixel and what vertices tell.
struct Pixel<'a, E> {
    environment: &'a mut E,
    attributes: &'a [u32],
    perspective: &'a [u32],
    shapes: &'a Shapes,
}

impl<E: Environment> Environment for Pixel<'_, E> {
    fn load(&mut self, space: Space, binding: u32, word: u32) -> u32 {
        self.environment.load(space, binding, word)
    }

    fn store(&mut self, space: Space, binding: u32, word: u32, value: u32) {
        self.environment.store(space, binding, word, value);
    }

    fn emit_vertex(&mut self, stream: u32) -> u64 {
        self.environment.emit_vertex(stream)
    }

    fn end_primitive(&mut self, stream: u32) -> u64 {
        self.environment.end_primitive(stream)
    }

    fn texture(&mut self, texture: Texture, unit: u32, operands: &[u32]) -> [u32; 4] {
        self.environment.texture(texture, unit, operands)
    }

    fn texture_shape(&mut self, unit: u32) -> Option<TextureShape> {
        let (first, (count, shape)) = self.shapes.range(..=unit).next_back()?;
        (unit - first < *count).then_some(*shape)
    }

    fn quad_read(&mut self, side: QuadSide, value: u32) -> u32 {
        self.environment.quad_read(side, value)
    }

    fn interpolate(&mut self, place: InputPlace, _: u32, word: u32, operands: &[u32]) -> u32 {
        let read = |word: u32| self.attributes.get(word as usize).copied().unwrap_or(0);
        let (own, address) = (read(word), 4 * word);
        if (0x60..0x80).contains(&address) {
            return own;
        }
        let near = probe_place(place, own, operands);
        if self.perspective.contains(&address) { product(near, read(POSITION_W / 4)) } else { near }
    }

    fn image(&mut self, image: Image, unit: u32, operands: &[u32]) -> [u32; 4] {
        self.environment.image(image, unit, operands)
    }

    fn vote(&mut self, vote: Vote, value: bool) -> bool {
        self.environment.vote(vote, value)
    }

    fn ballot(&mut self, value: bool) -> u32 {
        self.environment.ballot(value)
    }

    fn shuffle(&mut self, value: u32, lane: u32) -> u32 {
        self.environment.shuffle(value, lane)
    }
}

/// An input of a pixel as the machine has it.
fn product(value: u32, w: u32) -> u32 {
    let product = f32::from_bits(value) * f32::from_bits(w);
    if product.is_nan() { 0x7FC0_0000 } else { product.to_bits() }
}

/// What the machine left.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Left {
    /// Words of the output bindings, in order of [`Beside::outputs`], and those of storage; of each emitted vertex
    /// where a geometry program emits.
    pub words: Vec<Vec<u32>>,
    /// The pixel was dropped.
    pub killed: bool,
}

impl Beside {
    /// A program beside what was lifted from it.
    pub fn new(stage: &Stage<'_>, module: &Module) -> Self {
        let shared = module.shared_by_quad.iter().map(|word| 4 * u64::from(*word));
        let program = Program::new(stage).sharing(shared);
        let header = Header::read(&program.maxwell().header).filter(|header| header.stage().is_some());
        let local = local_words(header.as_ref()).unwrap_or(LOCAL_WORDS);
        let program = program.with_memory(local, module.shared_words);
        let mut files: BTreeMap<(Space, u32), u32> = BTreeMap::new();
        for inst in module.functions.iter().flat_map(|function| &function.insts) {
            if let Op::BufferLength(length) = inst.op {
                let known = files.entry((Space::Storage, length.binding)).or_default();
                *known = (*known).max((length.offset / 4).saturating_add(BUFFER).min(1 << 14));
            }
            let (Op::Load(access) | Op::Store(access) | Op::Atomic(_, access) | Op::Interpolate(_, access)) =
                inst.op
            else {
                continue;
            };
            let words = match access.space {
                Space::Uniform | Space::Storage if access.stride > 0 => access.offset.saturating_add(BUFFER),
                Space::Input | Space::Output if access.stride > 0 => VERTICES * VERTEX_WORDS,
                Space::Uniform | Space::Storage | Space::Input | Space::Output => {
                    access.offset.saturating_add(1)
                }
                _ => continue,
            };
            let known = files.entry((access.space, access.binding)).or_default();
            *known = (*known).max(words.min(1 << 14));
        }
        let perspective = perspective(stage);
        let insts = module.functions.iter().flat_map(|function| &function.insts);
        let chooses = insts.into_iter().any(|inst| {
            matches!(inst.op, Op::Texture(texture) if texture.indexed)
                || matches!(inst.op, Op::Image(image) if image.indexed)
        });
        let integers = module.globals.iter().filter(|global| {
            chooses
                && global.space == Space::Input
                && matches!(global.shape, Shape::Int { .. } | Shape::Uint { .. })
        });
        let chosen = integers
            .flat_map(|global| global.offset..global.offset + u32::from(global.shape.components()))
            .collect();
        let shared = module.shared_words;
        let driver = program.maxwell().driver;
        let units =
            module.functions.iter().flat_map(|function| &function.insts).filter_map(|inst| match inst.op {
                Op::Texture(texture) => Some((texture.unit, texture.indexed)),
                Op::Image(image) => Some((image_of(image.unit).0, image.indexed)),
                _ => None,
            });
        let handles = units
            .filter_map(|(unit, indexed)| Some((unknown_handle(unit)?, unit, indexed)))
            .flat_map(|((bank, word), unit, indexed)| {
                (0..if indexed { BUFFER } else { 1 }).map(move |n| (bank, word + n, unit + n))
            })
            .collect();
        let driver_bank = (Space::Uniform, uniform_binding(driver, DRIVER_BANK));
        let table = (Space::Uniform, uniform_binding(driver, COMPILER_BANK));
        if let Some(words) = files.get_mut(&table) {
            *words = (*words).max(constants(&program).len() as u32);
        }
        if let (true, Some(words)) = (has_sample_table(driver, stage.kind), files.get_mut(&driver_bank)) {
            *words = (*words).max(SAMPLE_TABLE.end);
        }
        let shapes = shapes(module);
        let quads = false;
        let stores = module.functions.iter().flat_map(|function| {
            let ids = function.blocks.iter().flat_map(|block| &block.insts);
            ids.filter_map(|id| function.insts.get(id.index()))
        });
        let given = stores
            .filter_map(|inst| match inst.op {
                Op::Store(access) if (access.space, access.binding) == (Space::Output, PIXEL_BINDING) => {
                    Some(access.offset)
                }
                _ => None,
            })
            .collect();
        let kind = stage.kind;
        Self { kind, program, header, perspective, shapes, given, quads, shared, chosen, handles, files }
    }

    /// The inputs of a case.
    pub fn inputs(&self, seed: u64, index: u64, kind: Kind) -> Words {
        let mut random = Random::new(seed, index);
        let mut words = Words::new();
        for (&(space, binding), &count) in &self.files {
            if space == Space::Output {
                continue;
            }
            let word = |random: &mut Random| match (random.next() & 7, kind) {
                (0..=1, _) => (random.next() & 15) as u32,
                (2, Kind::Full) => random.next() as u32 & 0xFF,
                _ => random.float(kind, index).to_bits(),
            };
            let file: Vec<u32> = (0..count).map(|_| word(&mut random)).collect();
            words.insert((space, binding), file);
        }
        self.limit(&mut words);
        words
    }

    /// Makes of words what the hardware can tell: numbers of vertices, samples and the like are no larger than they can be,
    /// and what the file or the driver says stands in its place.
    pub fn limit(&self, words: &mut Words) {
        let driver = self.program.maxwell().driver;
        for (&(space, binding), file) in words.iter_mut() {
            match (space, binding) {
                (Space::Input, SPECIAL_BINDING) => {
                    for (at, word) in (0_u32..).zip(file.iter_mut()) {
                        *word = match at {
                            HELPER => *word & 1,
                            33..=35 => *word & 0x3F,
                            PATCH_VERTICES => 1 + (word.wrapping_sub(1) & 0x1F),
                            // Vertices are the first of their warp.
                            0 if !matches!(self.kind, StageKind::Fragment | StageKind::Compute) => 0,
                            0 if self.quads => *word & 3,
                            0 => *word & 0x1F,
                            17 => 0,
                            _ => *word & 0xFFFF,
                        };
                    }
                    let place = probe_sample(file.get(SAMPLE_ID as usize).copied().unwrap_or(0));
                    for (word, step) in file.iter_mut().skip(SAMPLE_POSITION as usize).zip(place) {
                        *word = (f32::from(step + 8) / 16.0).to_bits();
                    }
                }
                // What the file holds, and nothing behind it.
                (Space::Uniform, _) if binding == uniform_binding(driver, COMPILER_BANK) => {
                    let constants = constants(&self.program);
                    if !constants.is_empty() {
                        let behind = constants.into_iter().chain(std::iter::repeat(0));
                        file.iter_mut().zip(behind).for_each(|(word, known)| *word = known);
                    }
                }
                (Space::Uniform, _) if binding == uniform_binding(driver, DRIVER_BANK) => {
                    let known = self.descriptors().into_iter();
                    let mut known: BTreeMap<u32, u32> =
                        known.flat_map(|(word, known)| (word..).zip(known)).collect();
                    if has_sample_table(driver, self.kind) {
                        known.extend(SAMPLE_TABLE.map(|at| (at, sample_word(at))));
                    }
                    for (at, word) in known {
                        if let Some(place) = file.get_mut(at as usize) {
                            *place = word;
                        }
                    }
                }
                (Space::Input, ATTRIBUTE_BINDING) => {
                    for at in [PRIMITIVE_ID, INSTANCE_ID, VERTEX_ID] {
                        if let Some(word) = file.get_mut(at as usize) {
                            // Loops may go as far, most of the time not very far.
                            *word &= if *word & 0x700 == 0 { 0xFFFF } else { 0xFF };
                        }
                    }
                    if self.kind != StageKind::Fragment {
                        continue;
                    }
                    // An index outside of its array has no meaning.
                    for at in &self.chosen {
                        if let Some(word) = file.get_mut(*at as usize) {
                            *word &= 7;
                        }
                    }
                    if let Some(face) = file.get_mut(0xFF) {
                        *face = if *face & 1 == 0 { 0 } else { 1.0_f32.to_bits() };
                    }
                }
                _ => {}
            }
        }
    }

    /// Bindings of outputs, with their words.
    pub fn outputs(&self) -> Vec<(u32, usize)> {
        match self.kind {
            StageKind::Fragment => vec![(PIXEL_BINDING, DEPTH_WORD as usize + 1)],
            StageKind::Compute => Vec::new(),
            StageKind::TessControl => vec![
                (ATTRIBUTE_BINDING, (VERTICES * VERTEX_WORDS) as usize),
                (PATCH_BINDING, VERTEX_WORDS as usize),
            ],
            _ => vec![(ATTRIBUTE_BINDING, VERTEX_WORDS as usize)],
        }
    }

    /// Storage buffers, with their words.
    pub fn buffers(&self) -> Vec<(u32, usize)> {
        let storage = self.files.iter().filter(|((space, _), _)| *space == Space::Storage);
        storage.map(|((_, binding), words)| (*binding, *words as usize)).collect()
    }

    /// What the driver says of storage buffers in its bank: the word, and address and size from there on.
    fn descriptors(&self) -> Vec<(u32, Vec<u32>)> {
        let driver = self.program.maxwell().driver;
        let of = |(binding, words): (u32, usize)| {
            let word = storage_word(driver, self.kind, binding)?;
            let address = FAR * (u64::from(binding) + 1) + LOW;
            let mut known = vec![address as u32, (address >> 32) as u32];
            known.extend((binding < STORAGE_BUFFERS).then_some(4 * words as u32));
            Some((word, known))
        };
        self.buffers().into_iter().filter_map(of).collect()
    }

    /// Words of shared memory.
    pub fn shared_words(&self) -> u32 {
        self.shared
    }

    /// What an output word is called; behind the outputs follow the words of the buffers.
    pub fn output_name(&self, word: usize) -> String {
        let outputs: usize = self.outputs().iter().map(|(_, words)| words).sum();
        if word >= outputs {
            return format!("buffer word {}", word - outputs);
        }
        let at = word as u32;
        let patch = VERTICES * VERTEX_WORDS;
        let (name, otherwise) = match self.kind {
            StageKind::Fragment => {
                return match at {
                    SAMPLE_MASK_WORD => "sample mask".to_owned(),
                    DEPTH_WORD => "depth".to_owned(),
                    _ => format!("target[{}].{}", at / 4, ["x", "y", "z", "w"][word & 3]),
                };
            }
            StageKind::TessControl if at >= patch => {
                (Attribute::of_patch(4 * (at - patch)), format!("patch word {}", at - patch))
            }
            _ => {
                let address = 4 * (at % VERTEX_WORDS);
                (Attribute::at(address), format!("a[{address:#x}]"))
            }
        };
        name.map_or(otherwise, |name| name.to_string())
    }

    /// The attributes of the inputs as the machine reads them: of a pixel those that are interpolated with perspective
    /// times w, the side as a mask.
    pub fn attributes(&self, inputs: &Words) -> Vec<u32> {
        let words = inputs.get(&(Space::Input, ATTRIBUTE_BINDING)).map_or(&[][..], |words| &words[..]);
        let w = words.get(POSITION_W as usize / 4).copied().unwrap_or(0);
        let one = |(word, value): (u32, &u32)| match word.saturating_mul(4) {
            0x3FC if self.kind == StageKind::Fragment => match f32::from_bits(*value) == 0.0 {
                true => 0,
                false => u32::MAX,
            },
            address if self.perspective.contains(&address) => product(*value, w),
            _ => *value,
        };
        (0_u32..).zip(words).map(one).collect()
    }

    fn lane(&self, inputs: &Words) -> Lane {
        let file = |binding| inputs.get(&(Space::Input, binding)).map_or(&[][..], |words| &words[..]);
        let mut lane = Lane::default();
        for (word, value) in (0_u32..VERTEX_WORDS).zip(self.attributes(inputs)) {
            lane.attributes.set(4 * word, value);
        }
        let special = file(SPECIAL_BINDING);
        for (number, value) in (0_u32..).zip(special) {
            match number {
                PATCH_VERTICES => {
                    lane.special.insert(16, value << 8);
                }
                SAMPLE_ID => lane.sample = *value,
                SAMPLE_MASK_IN => lane.sample_mask = *value,
                HELPER => {
                    lane.special.insert(19, value.wrapping_neg());
                }
                0 | 17 | 33..=35 | 37..=39 => {
                    lane.special.insert(number as u8, *value);
                }
                _ => {}
            }
        }
        let place = |n: usize| special.get(33 + n).copied().unwrap_or(0);
        lane.special.insert(32, place(0) | place(1) << 16 | place(2) << 26);
        lane
    }

    /// Runs whole quads from now on, of which one lane is looked at: for programs in which the lanes of a quad work for
    /// each other.
    pub fn in_quads(mut self) -> Self {
        self.quads = true;
        self
    }

    /// Whether whole quads run.
    pub fn runs_quads(&self) -> bool {
        self.quads
    }

    /// The lane of those that run that is looked at.
    pub fn lane_at_work(&self, inputs: &Words) -> u8 {
        let lane = inputs.get(&(Space::Input, SPECIAL_BINDING)).and_then(|words| words.first());
        if self.quads { (lane.copied().unwrap_or(0) & 3) as u8 } else { 0 }
    }

    /// Another lane of the quad, with other inputs. It leaves nothing.
    fn neighbour(&self, inputs: &Words, number: usize) -> Lane {
        let mut inputs = inputs.clone();
        if let Some(words) = inputs.get_mut(&(Space::Input, ATTRIBUTE_BINDING)) {
            for word in words {
                let value = f32::from_bits(*word);
                if value.is_normal() {
                    *word = (value * (1.0 + 0.125 * (number + 1) as f32)).to_bits();
                }
            }
        }
        let mut lane = self.lane(&inputs);
        lane.special.insert(0, number as u32);
        lane.helper = true;
        lane
    }

    /// What the machine finds in memory where the lifted program reads these words.
    pub fn resources(&self, inputs: &Words) -> Resources {
        let maxwell = self.program.maxwell();
        let driver = maxwell.driver;
        let mut resources = Resources::default();
        resources.shared.words = vec![0; self.shared as usize];
        for (&(space, binding), words) in inputs {
            match (space, binding) {
                (Space::Uniform, _) => {
                    let bank = match binding.checked_sub(OTHER_BANKS) {
                        Some(bank) => bank as u8,
                        None => first_block(driver) + binding as u8,
                    };
                    resources.set_constants(bank, 0, words);
                }
                (Space::Storage, _) => {
                    resources.global.regions.insert(FAR * (u64::from(binding) + 1) + LOW, words.clone());
                }
                _ => {}
            }
        }
        if let Some(words) = inputs.get(&(Space::Input, DRIVER_BINDING)) {
            for (word, value) in (0_u32..).zip(words) {
                if super::address_map::driver_input(driver, self.kind, word).is_some() {
                    resources.set_constants(DRIVER_BANK, 4 * word, &[*value]);
                }
            }
        }
        let constants = constants(&self.program);
        if !constants.is_empty() {
            resources.set_constants(COMPILER_BANK, 0, &constants);
        }
        if let (StageKind::Compute, Driver::Deko3d, Some(size)) = (self.kind, driver, maxwell.work_group) {
            resources.set_constants(DRIVER_BANK, 0, &size);
        }
        if has_sample_table(driver, self.kind) {
            let words: Vec<u32> = SAMPLE_TABLE.map(sample_word).collect();
            resources.set_constants(DRIVER_BANK, 4 * SAMPLE_TABLE.start, &words);
        }
        for (bank, word, unit) in &self.handles {
            resources.set_constants(*bank, 4 * word, &[*unit]);
        }
        let loaded = inputs.contains_key(&(Space::Uniform, uniform_binding(driver, handle_bank(driver))));
        name_textures(&mut resources, driver, self.kind, loaded);
        for (word, known) in self.descriptors() {
            resources.set_constants(DRIVER_BANK, 4 * word, &known);
        }
        if let Some(words) = inputs.get(&(Space::Input, PATCH_BINDING)) {
            resources.patch.set_all(0, words);
        }
        if matches!(self.kind, StageKind::Geometry | StageKind::TessControl | StageKind::TessEval) {
            let words = inputs.get(&(Space::Input, ATTRIBUTE_BINDING)).map_or(&[][..], |words| &words[..]);
            for vertex in words.chunks(VERTEX_WORDS as usize) {
                let mut attributes = Attributes::default();
                attributes.set_all(0, vertex);
                if let Some(id) = words.get(PRIMITIVE_ID as usize) {
                    attributes.set(0x60, *id);
                }
                resources.vertices.push(attributes);
            }
        }
        resources
    }

    /// Runs the machine; none where it does not end. Behind a fault is what was written until then.
    pub fn run(
        &self,
        inputs: &Words,
        environment: &mut impl Environment,
        fuel: u64,
        trace: &mut impl Trace<Program>,
    ) -> (Option<Left>, Outcome) {
        let (mut lane, mut resources) = (self.lane(inputs), self.resources(inputs));
        let attributes = inputs.get(&(Space::Input, ATTRIBUTE_BINDING)).map_or(&[][..], |words| &words[..]);
        let mut pixel =
            Pixel { environment, attributes, perspective: &self.perspective, shapes: &self.shapes };
        let outcome = if self.quads {
            let number = usize::from(self.lane_at_work(inputs));
            let mut lanes: [Lane; 4] =
                std::array::from_fn(|n| if n == number { lane.clone() } else { self.neighbour(inputs, n) });
            let outcome = self.program.run_quad(&mut lanes, &mut resources, &mut pixel, fuel, trace);
            std::mem::swap(&mut lane, &mut lanes[number]);
            outcome
        } else {
            self.program.run_lane(&mut lane, &mut resources, &mut pixel, fuel, trace)
        };
        if outcome.end == End::OutOfFuel {
            return (None, outcome);
        }
        let killed = lane.killed;
        let attributes = |outputs: &Attributes| -> Vec<u32> {
            (0..VERTEX_WORDS).map(|word| outputs.get(4 * word)).collect()
        };
        let mut words = match self.kind {
            StageKind::Geometry => {
                let vertices = lane.events.iter().filter_map(|event| match event {
                    Event::Vertex { outputs, .. } => Some(attributes(outputs)),
                    Event::Cut { .. } => None,
                });
                return (Some(Left { words: vertices.collect(), killed }), outcome);
            }
            StageKind::Fragment => self.pixel(&lane),
            StageKind::Compute => Vec::new(),
            StageKind::TessControl => {
                let mut words = attributes(&lane.outputs);
                words.resize((VERTICES * VERTEX_WORDS) as usize, 0);
                words.extend(attributes(&resources.patch));
                words
            }
            _ => attributes(&lane.outputs),
        };
        for (binding, count) in self.buffers() {
            let address = FAR * (u64::from(binding) + 1) + LOW;
            let buffer = resources.global.regions.get(&address).cloned().unwrap_or_default();
            words.extend(buffer.into_iter().chain(std::iter::repeat(0)).take(count));
        }
        (Some(Left { words: vec![words], killed }), outcome)
    }

    /// Runs a quad of a fragment program, which sees its own textures and images, on what [`Self::resources`] gave: of each
    /// pixel its words. Pixels that are not covered only help.
    pub fn run_pixels(
        &self,
        inputs: &[Words; 4],
        covered: [bool; 4],
        resources: &mut Resources,
        pictures: &mut (impl Textures + Images),
        fuel: u64,
    ) -> ([Left; 4], Outcome) {
        let mut lanes: [Lane; 4] = std::array::from_fn(|n| {
            let mut lane = self.lane(&inputs[n]);
            lane.helper = !covered[n];
            lane
        });
        let outcome = self.program.run_with(&mut lanes, resources, pictures, fuel, &mut NoTrace);
        (lanes.map(|lane| Left { words: vec![self.pixel(&lane)], killed: lane.killed }), outcome)
    }

    fn pixel(&self, lane: &Lane) -> Vec<u32> {
        let mut words = vec![0; DEPTH_WORD as usize + 1];
        let Some(header) = &self.header else {
            for (place, register) in words.iter_mut().zip(lane.registers.iter()).take(4) {
                *place = *register;
            }
            return words;
        };
        for register in header.pixel_registers() {
            let word = match register.output {
                PixelOutput::Colour(target, component) => 4 * u32::from(target) + u32::from(component),
                PixelOutput::SampleMask => SAMPLE_MASK_WORD,
                PixelOutput::Depth => DEPTH_WORD,
            };
            let value = lane.registers.get(usize::from(register.register)).copied().unwrap_or(0);
            if let Some(place) = words.get_mut(word as usize).filter(|_| self.given.contains(&word)) {
                *place = value;
            }
        }
        words
    }
}

/// Puts the numbers of textures and images where the driver has their handles, so that each answers for itself. `loaded`: what
/// stands where nobody knows of a texture is given.
pub fn name_textures(resources: &mut Resources, driver: Driver, kind: StageKind, loaded: bool) {
    for word in 0..HANDLES {
        let unit = texture(driver, kind, word).min(image(driver, kind, word));
        if unit < super::address_map::UNKNOWN_TEXTURE || !loaded && driver != Driver::Deko3d {
            resources.set_constants(handle_bank(driver), 4 * word, &[unit]);
        }
    }
}
