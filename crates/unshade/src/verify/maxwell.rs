//! The interpreter of the Switch's GPU, as [`super::verify`] needs it: one lane alone, with the IR's own answers for
//! textures, images and neighbours, so that both sides get the same.
//!
//! | what | value |
//! |---|---|
//! | attributes, constants, storage buffers | floats by [`Kind`]; one word in eight is an integer from 0 to 15 |
//! | numbers of vertex, instance, primitive, layer; special registers | 0 to 7 |
//! | gl_FragCoord | x and y in the middle of a pixel of a picture of 2048 by 2048, z 0 to 1, 1/w 1 |
//! | handles | the numbers that the lift gives textures and images |
//! | storage buffers | 2^20 bytes apart from 2^32 on |

use super::Words;
use super::machine::{Inputs, Leaves, Machine, Registers, words};
use std::collections::{BTreeMap, BTreeSet};
use unshade_ir::exec::Memory;
use unshade_ir::{Global, Space};
use unshade_isa::cases::{Kind, Random};
use unshade_isa::maxwell::exec::{Attributes, End, Event, Lane, NoTrace, Program, Resources, Step, Trace};
use unshade_isa::maxwell::header::PixelOutput;
use unshade_isa::maxwell::places::constant;
use unshade_isa::maxwell::{Attribute, Class, Form, Header, Reach, Uses, Word, layout, spaces};
use unshade_stage::maxwell::Driver;
use unshade_stage::{Stage, StageKind};

/// Vertices of a primitive or patch that inputs have.
const VERTICES: u32 = 6;
/// Words of attributes.
const WORDS: u32 = spaces::VERTEX_WORDS;
/// Words of a bank that a register reaches.
const INDEXED: u32 = 1024;
/// Words of a storage buffer.
const STORAGE: u32 = 256;
/// Storage buffers that there are, where a register says which.
const BUFFERS: u32 = 8;
/// Words of bank 0 that hold what the driver says.
const DRIVER_WORDS: u32 = 0x1000 / 4;
/// Words of special inputs.
const SPECIALS: u32 = spaces::HELPER + 1;
/// Words of what a pixel gives.
const PIXEL: u32 = spaces::DEPTH_WORD + 1;

/// A program and the interpreter.
pub(super) struct Maxwell {
    kind: StageKind,
    driver: Driver,
    program: Program,
    header: Option<Header>,
    /// Words of each bank that the code reads.
    banks: BTreeMap<u8, u32>,
    /// Storage buffers whose addresses the code reads.
    buffers: BTreeSet<u32>,
    /// The words of the code.
    words: Vec<u32>,
}

impl Maxwell {
    pub(super) fn new(stage: &Stage<'_>) -> Self {
        let program = Program::new(stage);
        let reach = Reach::new(&stage.code);
        let uses = Uses::new(&reach);
        let header = Header::read(&program.maxwell().header).filter(|header| header.stage().is_some());
        let words = |extent: &unshade_isa::maxwell::usage::Extent| {
            if extent.indexed { INDEXED.max(extent.end.div_ceil(4)) } else { extent.end.div_ceil(4) }
        };
        let mut banks: BTreeMap<u8, u32> =
            uses.banks.iter().map(|(bank, extent)| (*bank, words(extent))).collect();
        let driver = program.maxwell().driver;
        banks.insert(spaces::DRIVER_BANK, DRIVER_WORDS);
        banks.insert(spaces::handle_bank(driver), DRIVER_WORDS);
        let mut buffers = BTreeSet::new();
        for placed in &reach.placed {
            let read = Form::of(placed.word).and_then(|form| constant(form, Word(placed.word)));
            let read = read.filter(|read| read.bank == spaces::DRIVER_BANK);
            match read {
                Some(read) if read.indexed => buffers.extend(0..BUFFERS),
                Some(read) => {
                    let word = u32::try_from(read.offset / 4).unwrap_or(0);
                    buffers.extend(spaces::storage(driver, stage.kind, word));
                }
                None => {}
            }
        }
        let words = stage.code.words.to_vec();
        Self { kind: stage.kind, driver, program, header, banks, buffers, words }
    }

    /// Vertices that the attributes of the inputs are for.
    fn vertices(&self) -> u32 {
        match self.kind {
            StageKind::Geometry | StageKind::TessControl | StageKind::TessEval => VERTICES,
            _ => 1,
        }
    }

    fn address(buffer: u32) -> u64 {
        (1 << 32) + (u64::from(buffer) << 20)
    }

    /// What the driver puts into its constants: handles and descriptors of buffers.
    fn drive(&self, bank: u8, constants: &mut [u32]) {
        for (word, place) in (0_u32..).zip(constants.iter_mut()) {
            if bank == spaces::handle_bank(self.driver) {
                let image = spaces::is_image(self.driver, self.kind, word);
                let number = match image {
                    true => spaces::image(self.driver, self.kind, word),
                    false => spaces::texture(self.driver, self.kind, word),
                };
                if number < spaces::UNKNOWN_TEXTURE {
                    *place = number;
                }
            }
        }
        if bank != spaces::DRIVER_BANK {
            return;
        }
        for word in 0..constants.len() as u32 {
            let Some(buffer) = spaces::storage(self.driver, self.kind, word) else { continue };
            let address = Self::address(buffer);
            let descriptor = [address as u32, (address >> 32) as u32, 4 * STORAGE, 0];
            for (place, value) in constants.iter_mut().skip(word as usize).zip(descriptor) {
                *place = value;
            }
        }
    }

    fn lane(&self, inputs: &Inputs) -> (Lane, Resources) {
        let mut lane = Lane::default();
        let mut resources = Resources::default();
        let given = words(inputs, Space::Input, spaces::ATTRIBUTE_BINDING);
        let per_vertex = self.vertices() > 1;
        for (n, attributes) in given.chunks(WORDS as usize).enumerate() {
            let mut vertex = Attributes::default();
            vertex.set_all(0, attributes);
            if n == 0 {
                lane.attributes = vertex.clone();
            }
            if per_vertex {
                resources.vertices.push(vertex);
            }
        }
        for (word, value) in (0_u32..).zip(words(inputs, Space::Input, spaces::SPECIAL_BINDING)) {
            match word {
                spaces::SAMPLE_ID => lane.sample = *value,
                spaces::SAMPLE_MASK_IN => lane.sample_mask = *value,
                spaces::HELPER => lane.helper = *value != 0,
                spaces::PATCH_VERTICES => {
                    lane.special.insert(16, value << 8);
                }
                // What a patch is made of stands there too.
                16 => {}
                word => {
                    if let Ok(number) = u8::try_from(word) {
                        lane.special.insert(number, *value);
                    }
                }
            }
        }
        resources.patch.set_all(0, words(inputs, Space::Input, spaces::PATCH_BINDING));
        for bank in self.banks.keys() {
            let words = words(inputs, Space::Uniform, spaces::uniform_binding(self.driver, *bank));
            resources.set_constants(*bank, 0, words);
        }
        for &buffer in &self.buffers {
            let words = words(inputs, Space::Storage, buffer).to_vec();
            resources.global.regions.insert(Self::address(buffer), words);
        }
        (lane, resources)
    }

    fn run_traced(&self, inputs: &Inputs, fuel: u64, trace: &mut impl Trace) -> (Lane, Resources, End, u64) {
        let (mut lane, mut resources) = self.lane(inputs);
        // Answers by formula, as every environment without textures does.
        let mut environment = Memory::default();
        let outcome = self.program.run_lane(&mut lane, &mut resources, &mut environment, fuel, trace);
        (lane, resources, outcome.end, outcome.steps)
    }

    /// The words of a pixel's results, in their places.
    fn pixel(&self, lane: &Lane) -> Vec<u32> {
        let mut out = vec![0; PIXEL as usize];
        let results = self.header.map(|header| header.pixel_registers()).unwrap_or_default();
        for result in results {
            let place = match result.output {
                PixelOutput::Colour(target, component) => 4 * u32::from(target) + u32::from(component),
                PixelOutput::SampleMask => spaces::SAMPLE_MASK_WORD,
                PixelOutput::Depth => spaces::DEPTH_WORD,
            };
            if let Some(place) = out.get_mut(place as usize) {
                *place = lane.registers.get(usize::from(result.register)).copied().unwrap_or(0);
            }
        }
        out
    }
}

impl Machine for Maxwell {
    fn inputs(&self, seed: u64, index: u64, kind: Kind) -> Inputs {
        let mut random = Random::new(seed, index);
        let mut fill = |count: u32| -> Vec<u32> {
            (0..count)
                .map(|_| {
                    let bits = random.float(kind, index).to_bits();
                    let choice = random.next();
                    if choice & 7 == 0 { (choice >> 60) as u32 } else { bits }
                })
                .collect()
        };
        let mut attributes = fill(self.vertices() * WORDS);
        let patch = fill(WORDS);
        let mut banks: Vec<(u8, Vec<u32>)> =
            self.banks.iter().map(|(bank, words)| (*bank, fill((*words).min(1 << 14)))).collect();
        let buffers: Vec<(u32, Vec<u32>)> =
            self.buffers.iter().map(|buffer| (*buffer, fill(STORAGE))).collect();
        let mut small = |count: u32| -> Vec<u32> { (0..count).map(|_| random.next() as u32 & 7).collect() };
        for vertex in attributes.chunks_mut(WORDS as usize) {
            for (number, address) in small(5).into_iter().zip([0x60, 0x64, 0x68, 0x2F8, 0x2FC]) {
                vertex[address / 4] = number;
            }
        }
        let mut specials = small(SPECIALS);
        let mut special = |number: u32, value: u32| {
            if let Some(place) = specials.get_mut(number as usize) {
                *place = value;
            }
        };
        // Vertices of a patch are numbered from the first on; so many bits have the three numbers of a thread.
        special(29, 0);
        special(spaces::HELPER, 0);
        let thread = small(3);
        for (number, value) in (33..).zip(&thread) {
            special(number, *value);
        }
        special(32, thread.iter().zip([0, 16, 26]).map(|(value, shift)| value << shift).sum());
        if self.kind == StageKind::Fragment {
            let unit = |bits: u32| (bits >> 8) as f32 / (1 << 24) as f32;
            let bits: Vec<u32> = (0..3).map(|_| random.next() as u32).collect();
            let position = [unit(bits[0]) * 2048.0, unit(bits[1]) * 2048.0].map(|place| place.trunc() + 0.5);
            let position = [position[0], position[1], unit(bits[2]), 1.0].map(f32::to_bits);
            attributes[0x70 / 4..0x80 / 4].copy_from_slice(&position);
            attributes[0x3FC / 4] = if bits[0] & 1 == 0 { u32::MAX } else { 0 };
        }
        for (bank, words) in &mut banks {
            if *bank == spaces::COMPILER_BANK {
                let own = self.program.maxwell().constants.as_chunks::<4>().0;
                words.iter_mut().zip(own).for_each(|(word, own)| *word = u32::from_le_bytes(*own));
            }
            self.drive(*bank, words);
        }
        let driver = banks.iter().find(|(bank, _)| *bank == spaces::DRIVER_BANK);
        let driver = driver.map(|(_, words)| words.clone()).unwrap_or_default();
        let registers = |space, binding, words| Registers { space, binding, words };
        let mut inputs = vec![
            registers(Space::Input, spaces::ATTRIBUTE_BINDING, attributes),
            registers(Space::Input, spaces::PATCH_BINDING, patch),
            registers(Space::Input, spaces::SPECIAL_BINDING, specials),
            registers(Space::Input, spaces::DRIVER_BINDING, driver),
        ];
        inputs.extend(banks.into_iter().map(|(bank, words)| {
            registers(Space::Uniform, spaces::uniform_binding(self.driver, bank), words)
        }));
        inputs.extend(buffers.into_iter().map(|(buffer, words)| registers(Space::Storage, buffer, words)));
        inputs
    }

    fn run(&self, inputs: &Inputs, fuel: u64) -> (Option<Words>, u64) {
        let (lane, resources, end, steps) = self.run_traced(inputs, fuel, &mut NoTrace);
        if end == End::OutOfFuel {
            return (None, steps);
        }
        let all =
            |attributes: &Attributes| (0..WORDS).map(|word| attributes.get(4 * word)).collect::<Vec<u32>>();
        if self.kind == StageKind::Geometry {
            let vertex = |event: &Event| match event {
                Event::Vertex { outputs, .. } => Some(all(outputs)),
                Event::Cut { .. } => None,
            };
            return (Some(lane.events.iter().filter_map(vertex).collect()), steps);
        }
        let mut result = match self.kind {
            StageKind::Fragment => {
                let shown = self.pixel(&lane).into_iter().map(|word| if lane.killed { 0 } else { word });
                shown.chain([u32::from(lane.killed)]).collect()
            }
            StageKind::TessControl => {
                let mut words = all(&lane.outputs);
                words.extend(all(&resources.patch));
                words
            }
            StageKind::Compute => Vec::new(),
            _ => all(&lane.outputs),
        };
        for buffer in &self.buffers {
            let words = resources.global.regions.get(&Self::address(*buffer));
            result.extend(words.into_iter().flatten());
        }
        (Some(vec![result]), steps)
    }

    fn leaves_assumptions(&self, inputs: &Inputs, fuel: u64, _: &[Global]) -> bool {
        let mut watch = Watch { words: &self.words, outside: false };
        self.run_traced(inputs, fuel, &mut watch);
        watch.outside
    }

    fn output_words(&self) -> usize {
        WORDS as usize
    }

    fn output_files(&self) -> Vec<(u32, usize)> {
        match self.kind {
            StageKind::Fragment => vec![(spaces::PIXEL_BINDING, PIXEL as usize)],
            StageKind::TessControl => {
                vec![(spaces::ATTRIBUTE_BINDING, WORDS as usize), (spaces::PATCH_BINDING, WORDS as usize)]
            }
            StageKind::Compute => Vec::new(),
            _ => vec![(spaces::ATTRIBUTE_BINDING, WORDS as usize)],
        }
    }

    fn buffers(&self) -> Vec<u32> {
        self.buffers.iter().copied().collect()
    }

    fn leaves(&self) -> Leaves {
        match self.kind {
            StageKind::Geometry => Leaves::Vertices,
            StageKind::Fragment => Leaves::Pixel,
            _ => Leaves::Outputs,
        }
    }

    fn output_name(&self, word: usize) -> String {
        let at = word as u32;
        let known = if self.kind == StageKind::Fragment { PIXEL + 1 } else { WORDS };
        let name = |attribute: Option<Attribute>| attribute.map(|attribute| attribute.to_string());
        match self.kind {
            StageKind::Compute => format!("buffer word {word}"),
            StageKind::Fragment if at == spaces::SAMPLE_MASK_WORD => "sample_mask".to_owned(),
            StageKind::Fragment if at == spaces::DEPTH_WORD => "depth".to_owned(),
            StageKind::Fragment if at == PIXEL => "discard".to_owned(),
            StageKind::Fragment if at < PIXEL => {
                format!("target[{}].{}", at / 4, ["x", "y", "z", "w"][word & 3])
            }
            StageKind::TessControl if (WORDS..2 * WORDS).contains(&at) => {
                name(Attribute::of_patch(4 * (at - WORDS)))
                    .unwrap_or_else(|| format!("patch word {}", at - WORDS))
            }
            _ if at < known => name(Attribute::at(4 * at)).unwrap_or_else(|| format!("a[{:#x}]", 4 * at)),
            _ => format!("buffer word {}", at - known),
        }
    }
}

/// Sees whether a float operation gives an infinity or NaN.
struct Watch<'w> {
    words: &'w [u32],
    outside: bool,
}

impl Trace for Watch<'_> {
    fn step(&mut self, step: &Step<'_>) {
        use unshade_isa::maxwell::exec::Written;
        let form = layout::at(self.words, step.address).and_then(Form::of);
        if form.is_none_or(|form| Class::of(form) != Class::Float) {
            return;
        }
        for written in step.written {
            if let Written::Register { register, lane } = *written
                && let Some(lane) = step.lanes.get(usize::from(lane))
            {
                self.outside |= !f32::from_bits(lane.registers[usize::from(register)]).is_finite();
            }
        }
    }
}
