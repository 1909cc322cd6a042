//! Names of inputs, outputs, uniforms and textures: what the loads and stores of the module mean to a person.
//!
//! Names come from the tables of the file; what the tables do not name is called after its machine place, or, for the
//! profile of the Cemu emulator, as that emulator's generated shaders call it. Varyings have no names in any file:
//! both sides of a program are called after what they share, the semantic number, or the number of the parameter.

mod uniforms;

use super::super::bindings::{
    DEPTH_WORD, EXPORT_BINDING, FRAG_COORD_BINDING, FRONT_FACING_BINDING, PARAMETER_WORD, PIXEL_WORD,
    POINT_COORD_BINDING, REGISTER_BINDING, REGISTERS, RING_INPUT_BINDING, RING_OUTPUT_BINDING,
    STREAM_BINDING, STREAMS,
};
use super::super::ring;
use super::super::semantics::sample::shape_of;
use std::collections::{BTreeMap, BTreeSet};
use unshade_ir::{Global, Interpolation, Module, Op, Sampling, Shape, Space, Texel, Texture, UniformBlock};
use unshade_stage::latte::{Attribute, PixelInput, Profile, Scalar};
use unshade_stage::{Latte, Stage, StageKind};

/// Names the globals of a lifted program.
pub(super) fn name(stage: &Stage<'_>, latte: &Latte, module: &mut Module) {
    let used = Used::new(module, stage.kind == StageKind::Geometry || latte.copy_program);
    let mut names = Names { kind: stage.kind, latte, used: &used, globals: Vec::new() };
    names.inputs();
    names.outputs();
    let (mut uniforms, blocks) = uniforms::uniforms(stage.kind, latte, &used);
    names.samplers();
    module.globals = names.globals;
    module.globals.append(&mut uniforms);
    module.blocks = blocks;
    apart(&mut module.globals, &mut module.blocks);
}

/// Locations that a semantic number can say.
const LOCATIONS: u32 = 256;

/// Textures that a program can ask.
const UNITS: u32 = 256;

/// Passes of strict mode up to the one that computes with constants.
const FOLDING: usize = 6;

/// What the code reads and writes.
#[derive(Default)]
struct Used {
    /// Words at fixed addresses, by space and binding.
    words: BTreeMap<(Space, u32), BTreeSet<u32>>,
    /// Words at which an index starts, and its step.
    bases: BTreeMap<(Space, u32), BTreeSet<(u32, u32)>>,
    /// Textures.
    textures: BTreeMap<u32, Texture>,
}

impl Used {
    /// `folded`: what is at a fixed address shows only when offsets that registers start with were added up.
    fn new(module: &Module, folded: bool) -> Self {
        let mut used = Self::default();
        let mut copy = None;
        if folded {
            let module = copy.insert(module.clone());
            unshade_ir::passes::run(module, unshade_ir::passes::strict(), Some(FOLDING));
        }
        let module = copy.as_ref().unwrap_or(module);
        for inst in module.functions.iter().flat_map(|function| &function.insts) {
            match inst.op {
                Op::Load(access) | Op::Store(access) => {
                    let place = (access.space, access.binding);
                    if access.stride == 0 {
                        used.words.entry(place).or_default().insert(access.offset);
                    } else {
                        used.bases.entry(place).or_default().insert((access.offset, access.stride));
                    }
                }
                Op::Texture(texture) => {
                    // One that compares says more of it.
                    let known = used.textures.entry(texture.unit).or_insert(texture);
                    known.shadow |= texture.shadow;
                }
                _ => {}
            }
        }
        used
    }

    /// Whether there are exports among the outputs.
    fn exports(&self) -> bool {
        self.words.contains_key(&(Space::Output, EXPORT_BINDING))
    }

    fn has(&self, space: Space, binding: u32, word: u32) -> bool {
        self.words.get(&(space, binding)).is_some_and(|words| words.contains(&word))
    }

    /// Numbers of the vectors of a range of words that are used, counted from its start.
    fn vectors(&self, space: Space, binding: u32, words: std::ops::Range<u32>) -> BTreeSet<u32> {
        let used = self.words.get(&(space, binding)).into_iter().flatten();
        used.filter(|word| words.contains(word)).map(|word| (word - words.start) / 4).collect()
    }

    /// Components of a vector that are used, bit 0 = x.
    fn components(&self, space: Space, binding: u32, word: u32) -> u8 {
        (0..4).filter(|lane| self.has(space, binding, word + lane)).fold(0, |mask, lane| mask | 1 << lane)
    }
}

/// Gives equal names numbers.
fn apart(globals: &mut [Global], blocks: &mut [UniformBlock]) {
    let mut taken = BTreeSet::new();
    let globals = globals.iter_mut().map(|global| &mut global.name);
    for name in blocks.iter_mut().map(|block| &mut block.name).chain(globals) {
        let mut free = name.clone();
        let mut n = 1;
        while !taken.insert(free.clone()) {
            n += 1;
            free = format!("{name}_{n}");
        }
        *name = free;
    }
}

fn float(components: u8) -> Shape {
    Shape::Float { components, elements: 0 }
}

fn int(components: u8) -> Shape {
    Shape::Int { components, elements: 0 }
}

/// Name of an attribute, how many vectors it has, each at a location of its own, and what each of them is.
fn attribute(known: &Attribute) -> Option<(&str, u32, Shape)> {
    let (scalar, columns, rows) = known.ty.shape()?;
    let rows = rows.clamp(1, 4) as u8;
    let shape = if matches!(scalar, Scalar::Float | Scalar::Double) { float(rows) } else { int(rows) };
    Some((&known.name, columns.saturating_mul(known.count.max(1)), shape))
}

/// Letter of a kind of program in the emulator's names.
fn letters(kind: StageKind) -> &'static str {
    match kind {
        StageKind::Fragment => "PS",
        StageKind::Geometry => "GS",
        _ => "VS",
    }
}

struct Names<'a> {
    kind: StageKind,
    latte: &'a Latte,
    used: &'a Used,
    globals: Vec<Global>,
}

impl Names<'_> {
    fn is_cemu(&self) -> bool {
        self.latte.profile == Profile::Cemu
    }

    fn add(&mut self, global: Global, location: u32) {
        self.globals.push(Global { named: false, location, ..global });
    }

    fn inputs(&mut self) {
        match self.kind {
            StageKind::Fragment => self.pixel_inputs(),
            StageKind::Geometry => self.geometry_inputs(),
            _ => self.vertex_inputs(),
        }
    }

    fn semantic(&mut self, name: &str, semantic: &str, space: Space, binding: u32, word: u32, shape: Shape) {
        let global = Global::new(name, space, binding, word, shape);
        self.add(Global { semantic: Some(semantic.to_owned()), ..global }, 0);
    }

    fn vertex_inputs(&mut self) {
        if self.latte.copy_program {
            return self.copied();
        }
        self.semantic("gl_VertexID", "vertex-id", Space::Input, REGISTER_BINDING, 0, int(1));
        self.semantic("gl_InstanceID", "instance-id", Space::Input, REGISTER_BINDING, 3, int(1));
        if self.latte.semantics.is_empty() {
            for n in self.used.vectors(Space::Input, REGISTER_BINDING, 4..512) {
                let name = if self.is_cemu() { format!("attrDataSem{n}") } else { format!("attribute{n}") };
                let global = Global::new(name, Space::Input, REGISTER_BINDING, 4 * (n + 1), float(4));
                self.add(Global { by_use: true, ..global }, n);
            }
            return;
        }
        for (register, location) in (1_u32..).zip(&self.latte.semantics) {
            let Some(location) = location.map(u32::from) else { continue };
            let attributes = self.latte.attributes.iter().filter(|known| known.location <= location);
            // Matrices and arrays take a location for each vector.
            let found = attributes.max_by_key(|known| known.location).and_then(|known| {
                let (name, vectors, shape) = attribute(known)?;
                let n = location - known.location;
                (n < vectors).then_some((name, vectors, n, shape))
            });
            let (name, named, shape) = match found {
                _ if self.is_cemu() => (format!("attrDataSem{location}"), false, float(4)),
                Some((name, vectors, n, shape)) => {
                    let name = if vectors > 1 { format!("{name}_{n}") } else { name.to_owned() };
                    (name, true, shape)
                }
                None => (format!("attribute{location}"), false, float(4)),
            };
            let global = Global::new(name, Space::Input, REGISTER_BINDING, 4 * register, shape);
            self.globals.push(Global { named, location, by_use: !named, ..global });
            // What the attribute does not have, the fetch program fills in; see the lift.
        }
        self.attributes_without_register();
    }

    /// Attributes that the source declares and the table lists, but that no register is filled with: nothing reads
    /// them, and whoever draws may still set them. They stand behind all registers.
    fn attributes_without_register(&mut self) {
        if self.is_cemu() {
            return;
        }
        let mut filled: BTreeSet<u32> =
            self.latte.semantics.iter().flatten().map(|location| u32::from(*location)).collect();
        let mut word = 4 * REGISTERS as u32;
        for known in &self.latte.attributes {
            let Some((name, vectors, shape)) = attribute(known) else { continue };
            for n in 0..vectors.min(LOCATIONS) {
                let location = known.location.saturating_add(n);
                if location >= LOCATIONS || !filled.insert(location) {
                    continue;
                }
                let name = if vectors > 1 { format!("{name}_{n}") } else { name.to_owned() };
                let global = Global::new(name, Space::Input, REGISTER_BINDING, word, shape);
                self.globals.push(Global { location, ..global });
                word += 4;
            }
        }
    }

    fn pixel_inputs(&mut self) {
        let frag_coord = Space::Input;
        self.semantic("gl_FragCoord", "frag-coord", frag_coord, FRAG_COORD_BINDING, 0, float(4));
        self.semantic("gl_FrontFacing", "front-facing", Space::Input, FRONT_FACING_BINDING, 0, float(1));
        self.semantic("gl_PointCoord", "point-coord", Space::Input, POINT_COORD_BINDING, 0, float(2));
        if self.latte.inputs.is_empty() {
            for n in self.used.vectors(Space::Input, REGISTER_BINDING, 0..512) {
                let global =
                    Global::new(self.varying(None, n), Space::Input, REGISTER_BINDING, 4 * n, float(4));
                self.add(Global { by_use: true, ..global }, n);
            }
            return;
        }
        let inputs = self.latte.inputs.clone();
        for (n, input) in (0_u32..).zip(inputs) {
            if input.point_coord {
                continue;
            }
            let PixelInput { semantic, flat, centroid, linear, sample, .. } = input;
            let (name, location) = self.linked(Some(semantic), n);
            let global = Global::new(name, Space::Input, REGISTER_BINDING, 4 * n, float(4));
            let interpolation = match (flat, linear) {
                (true, _) => Interpolation::Flat,
                (false, true) => Interpolation::Linear,
                (false, false) => Interpolation::Smooth,
            };
            let sampling = match (sample, centroid) {
                (true, _) => Sampling::Sample,
                (false, true) => Sampling::Centroid,
                (false, false) => Sampling::Center,
            };
            // What comes interpolated is a float.
            self.add(Global { interpolation, sampling, by_use: flat, ..global }, location);
        }
    }

    /// Name of a varying: by its semantic number, or that of the parameter.
    fn varying(&self, semantic: Option<u8>, number: u32) -> String {
        match semantic {
            Some(semantic) if self.is_cemu() => format!("passParameterSem{semantic}"),
            Some(semantic) => format!("v_param_{semantic}"),
            None if self.is_cemu() => format!("passParameterSem{number}"),
            None => format!("param{number}"),
        }
    }

    /// Name and location of a varying with a semantic number.
    fn linked(&self, semantic: Option<u8>, number: u32) -> (String, u32) {
        // Semantic numbers of compilers are small; those that are no location count as none.
        let location = semantic.map(u32::from).filter(|semantic| *semantic < 32).unwrap_or(number);
        (self.varying(semantic, number), location)
    }

    fn geometry_inputs(&mut self) {
        self.semantic("gl_PrimitiveIDIn", "primitive-id", Space::Input, REGISTER_BINDING, 2, int(1));
        let last = self.used.words.get(&(Space::Input, RING_INPUT_BINDING)).and_then(BTreeSet::last);
        self.ring(ring::vertices(last.map_or(0, |word| word / ring::item_words(self.latte).max(1))));
    }

    /// What a copy program reads from the ring: the words of one vertex, as the geometry program left them there.
    fn copied(&mut self) {
        for n in self.used.vectors(Space::Input, RING_INPUT_BINDING, 0..ring::MOST_WORDS) {
            let global = Global::new(format!("ring{n}"), Space::Input, RING_INPUT_BINDING, 4 * n, float(4));
            self.add(Global { by_use: true, ..global }, n);
        }
    }

    /// What a program reads from the ring: vectors of each vertex.
    fn ring(&mut self, vertices: u32) {
        let stride = ring::item_words(self.latte);
        for n in self.used.vectors(Space::Input, RING_INPUT_BINDING, 0..stride * vertices.max(1)) {
            let element = n % (stride / 4).max(1);
            if self
                .globals
                .iter()
                .any(|global| global.binding == RING_INPUT_BINDING && global.offset == 4 * element)
            {
                continue;
            }
            let name = if element == 0 { "gl_Position".to_owned() } else { self.varying(None, element - 1) };
            let semantic = (element == 0).then(|| "position".to_owned());
            let global = Global::new(name, Space::Input, RING_INPUT_BINDING, 4 * element, float(4));
            let by_use = semantic.is_none();
            let global = Global { semantic, vertices, vertex_stride: stride, by_use, ..global };
            self.add(global, element.saturating_sub(1));
        }
    }

    fn outputs(&mut self) {
        match self.kind {
            StageKind::Fragment => self.pixels(),
            // What the copy program exports, where that is known.
            StageKind::Geometry if self.used.exports() => self.positions(),
            StageKind::Geometry => self.ring_outputs(),
            _ if self.latte.export_stage => self.ring_outputs(),
            _ => self.positions(),
        }
        for stream in 0..STREAMS {
            let binding = STREAM_BINDING + stream;
            for n in self.used.vectors(Space::Output, binding, 0..0x2000) {
                let mask = self.used.components(Space::Output, binding, 4 * n);
                let components = (8 - mask.leading_zeros() as u8).max(1);
                let name = format!("stream{stream}_{n}");
                let location = self.free_location();
                let global = Global::new(name, Space::Output, binding, 4 * n, float(components));
                self.add(Global { by_use: true, ..global }, location);
            }
        }
    }

    fn free_location(&self) -> u32 {
        let outputs = self.globals.iter().filter(|global| global.space == Space::Output);
        let outputs = outputs.filter(|global| global.semantic.is_none());
        outputs.map(|global| global.location + 1).max().unwrap_or(0)
    }

    fn pixels(&mut self) {
        for n in self.used.vectors(Space::Output, EXPORT_BINDING, PIXEL_WORD..DEPTH_WORD) {
            let name = if self.is_cemu() { format!("passPixelColor{n}") } else { format!("color{n}") };
            let global = Global::new(name, Space::Output, EXPORT_BINDING, PIXEL_WORD + 4 * n, float(4));
            let semantic = (n == 0).then(|| "color".to_owned());
            self.add(Global { semantic, by_use: true, ..global }, n);
        }
        let (space, binding) = (Space::Output, EXPORT_BINDING);
        self.semantic("gl_FragDepth", "frag-depth", space, binding, DEPTH_WORD, float(1));
    }

    /// Vectors of the ring: the position, then varyings.
    fn ring_outputs(&mut self) {
        let words = ring::MOST_WORDS;
        for n in self.used.vectors(Space::Output, RING_OUTPUT_BINDING, 0..words) {
            let word = 4 * n;
            if n == 0 {
                let (space, binding) = (Space::Output, RING_OUTPUT_BINDING);
                self.semantic("gl_Position", "position", space, binding, word, float(4));
                continue;
            }
            let semantic = self.latte.parameters.get(n as usize - 1).copied().flatten();
            let (name, location) = self.linked(semantic, n - 1);
            let global = Global::new(name, Space::Output, RING_OUTPUT_BINDING, word, float(4));
            self.add(Global { by_use: true, ..global }, location);
        }
    }

    fn positions(&mut self) {
        let (space, binding) = (Space::Output, EXPORT_BINDING);
        self.semantic("gl_Position", "position", space, binding, 0, float(4));
        let position = self.latte.position;
        let mut word = 4;
        if position.misc {
            for (lane, counts, name, semantic, shape) in [
                (0, position.point_size, "gl_PointSize", "point-size", float(1)),
                (1, position.edge_flag, "edge_flag", "edge-flag", int(1)),
                (2, position.layer, "gl_Layer", "layer", int(1)),
                (3, position.viewport, "gl_ViewportIndex", "viewport", int(1)),
            ] {
                if counts {
                    self.semantic(name, semantic, space, binding, word + lane, shape);
                }
            }
            word += 4;
        }
        let vectors = position.distances.iter().filter(|there| **there).count() as u32;
        let elements = |mask: u8| 8 - mask.leading_zeros();
        let distances = |names: &mut Self, name: &str, semantic: &str, mask: u8, before: u32| {
            let count = elements(mask).saturating_sub(before).min(4 * vectors);
            if count > 0 {
                let shape = Shape::Float { components: 1, elements: count };
                let global = Global::new(name, space, binding, word + before, shape);
                let semantic = Some(semantic.to_owned());
                names.add(Global { stride: 1, semantic, ..global }, 0);
            }
        };
        if vectors > 0 {
            distances(self, "gl_ClipDistance", "clip-distance", position.clip, 0);
            // Those that cull stand behind those that clip, in programs of compilers.
            let before = position.cull.trailing_zeros().min(8);
            distances(self, "gl_CullDistance", "cull-distance", position.cull, before);
        }
        for n in self.used.vectors(space, binding, PARAMETER_WORD..PIXEL_WORD) {
            let semantic = self.latte.parameters.get(n as usize).copied().flatten();
            let (name, location) = self.linked(semantic, n);
            let word = PARAMETER_WORD + 4 * n;
            let global = Global::new(name, space, binding, word, float(4));
            self.add(Global { by_use: true, ..global }, location);
        }
        // What is behind the position and nobody says what it is.
        for n in self.used.vectors(space, binding, 4..PARAMETER_WORD) {
            let word = 4 + 4 * n;
            let known = self.globals.iter().any(|global| {
                global.space == space
                    && global.binding == binding
                    && (word..word + 4).contains(&global.offset)
            });
            if !known {
                let location = self.free_location();
                self.add(Global::new(format!("pos{}", 61 + n), space, binding, word, float(4)), location);
            }
        }
    }

    fn samplers(&mut self) {
        for (&unit, texture) in &self.used.textures {
            let named = self.latte.samplers.iter().find(|sampler| sampler.location == unit);
            let shape = Shape::Sampler {
                shape: texture.shape,
                elements: 0,
                external: false,
                shadow: texture.shadow,
                texel: Texel::Float,
            };
            let (name, is_named) = match named {
                _ if self.is_cemu() => (format!("textureUnit{}{unit}", letters(self.kind)), false),
                Some(sampler) if !sampler.name.is_empty() => (sampler.name.clone(), true),
                _ => (format!("texture{unit}"), false),
            };
            let global = Global::new(name, Space::Texture, 0, unit, shape);
            self.globals.push(Global { named: is_named, location: unit, ..global });
        }
        self.samplers_without_fetch();
    }

    /// Samplers that the table lists and nothing asks.
    fn samplers_without_fetch(&mut self) {
        if self.is_cemu() {
            return;
        }
        let mut known: BTreeSet<u32> = self.used.textures.keys().copied().collect();
        for sampler in &self.latte.samplers {
            let Some(dimension) = sampler.dimension.filter(|_| !sampler.name.is_empty()) else { continue };
            if sampler.location >= UNITS || !known.insert(sampler.location) {
                continue;
            }
            let shape = Shape::Sampler {
                shape: shape_of(dimension),
                elements: 0,
                external: false,
                shadow: sampler.shadow,
                texel: Texel::Float,
            };
            let global = Global::new(&sampler.name, Space::Texture, 0, sampler.location, shape);
            self.globals.push(Global { location: sampler.location, ..global });
        }
    }
}
