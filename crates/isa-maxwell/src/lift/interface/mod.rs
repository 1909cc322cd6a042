//! Names of inputs, outputs, uniforms, buffers and textures: what the loads and stores of the module mean to a
//! person.
//!
//! Names come from the reflection of the container, by slot; what it does not name is called after its machine place.

mod bounds;
mod kinds;
mod resources;
mod streams;

use super::super::address_map::{
    ATTRIBUTE_BINDING, DEPTH_WORD, DRIVER_BINDING, HELPER, INSTANCE_ID, PATCH_BINDING, PATCH_VERTICES,
    PIXEL_BINDING, PRIMITIVE_ID, SAMPLE_ID, SAMPLE_MASK_IN, SAMPLE_MASK_WORD, SAMPLE_POSITION,
    SPECIAL_BINDING, VERTEX_ID, VERTEX_WORDS, driver_input,
};
use super::super::attribute::{GENERICS, PATCH};
use super::super::header::Interpolation as Told;
use super::super::{Attribute, Header};
use super::attributes::{INVOCATION_ID, Interpolated};
use kinds::Kinds;
use std::collections::{BTreeMap, BTreeSet};
use unshade_ir::passes::varyings;
use unshade_ir::votes::Kind;
use unshade_ir::{Global, Interpolation, Module, Op, Sampling, Shape, Space};
use unshade_stage::maxwell::Binding;
use unshade_stage::{Maxwell, Stage, StageKind};

/// Vertices of a patch, at most.
const PATCH_LIMIT: u32 = 32;

/// What the texels of images are by what is done with them, by unit.
pub(super) fn image_kinds(module: &Module) -> BTreeMap<u32, Kind> {
    let kinds = Kinds::new(module);
    let images = module.globals.iter().filter(|global| global.space == Space::Image);
    images.map(|global| (global.offset, kinds.image(global.offset))).collect()
}

/// Names the globals of a lifted program.
pub(super) fn name(
    stage: &Stage<'_>,
    maxwell: &Maxwell,
    header: Option<&Header>,
    interpolated: &Interpolated,
    module: &mut Module,
) {
    let used = Used::new(module);
    let kinds = Kinds::new(module);
    let mut names =
        Names { kind: stage.kind, maxwell, header, interpolated, used: &used, globals: Vec::new() };
    names.inputs();
    names.outputs();
    names.special();
    module.globals = names.globals;
    module.globals.retain(|global| used.reaches(global));
    if stage.kind == StageKind::Geometry {
        streams::name(module, VERTEX_WORDS);
    }
    varyings::run(module);
    resources::name(stage.kind, maxwell, &used, &kinds, module);
    apart(module);
}

/// What the code reads and writes.
#[derive(Default)]
struct Used {
    /// Words at fixed addresses, by space and binding; of the first vertex where each has its own.
    words: BTreeMap<(Space, u32), BTreeSet<u32>>,
    /// Bindings that are reached by an index.
    indexed: BTreeSet<(Space, u32)>,
    /// Number of the last vertex that is named by a constant.
    last_vertex: u32,
    /// A vertex is chosen by a computed number.
    any_vertex: bool,
}

impl Used {
    fn new(module: &Module) -> Self {
        let mut used = Self::default();
        for inst in module.functions.iter().flat_map(|function| {
            function
                .blocks
                .iter()
                .flat_map(|block| &block.insts)
                .filter_map(|id| function.insts.get(id.index()))
        }) {
            let (Op::Load(access) | Op::Store(access) | Op::Atomic(_, access) | Op::Interpolate(_, access)) =
                inst.op
            else {
                continue;
            };
            let place = (access.space, access.binding);
            let mut word = access.offset;
            if matches!(access.space, Space::Input | Space::Output) && access.binding == ATTRIBUTE_BINDING {
                if access.space == Space::Input {
                    used.last_vertex = used.last_vertex.max(word / VERTEX_WORDS);
                    used.any_vertex |= access.stride != 0;
                }
                word %= VERTEX_WORDS;
            } else if access.stride != 0 {
                used.indexed.insert(place);
                continue;
            }
            used.words.entry(place).or_default().insert(word);
        }
        used
    }

    fn has(&self, space: Space, binding: u32, word: u32) -> bool {
        self.words.get(&(space, binding)).is_some_and(|words| words.contains(&word))
    }

    /// Whether a word of a global is used.
    fn reaches(&self, global: &Global) -> bool {
        let words = self.words.get(&(global.space, global.binding)).into_iter().flatten();
        words.into_iter().any(|word| global.offset <= *word && global.locate(*word).is_some())
            || self.indexed.contains(&(global.space, global.binding))
    }

    /// How many of `count` words from `first` on are used, up to the last.
    fn count(&self, space: Space, binding: u32, first: u32, count: u32) -> u8 {
        let last = (0..count).rev().find(|n| self.has(space, binding, first + n));
        last.map_or(0, |last| last as u8 + 1)
    }
}

/// Gives equal names numbers.
fn apart(module: &mut Module) {
    let mut taken = BTreeSet::new();
    let blocks = module.blocks.iter_mut().map(|block| &mut block.name);
    let buffers = module.buffers.iter_mut().map(|buffer| &mut buffer.name);
    // What the pipeline knows has its name in each language.
    let own = module
        .globals
        .iter_mut()
        .filter(|global| global.semantic.is_none() || !global.name.starts_with("gl_"));
    let globals = own.map(|global| &mut global.name);
    for name in blocks.chain(buffers).chain(globals) {
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

fn uint(components: u8) -> Shape {
    Shape::Uint { components, elements: 0 }
}

/// The name of a slot.
fn named(bindings: &[Binding], slot: u32) -> Option<&str> {
    bindings
        .iter()
        .find(|binding| u32::try_from(binding.slot) == Ok(slot) && !binding.name.is_empty())
        .map(|binding| &binding.name[..])
}

struct Names<'a> {
    kind: StageKind,
    maxwell: &'a Maxwell,
    header: Option<&'a Header>,
    interpolated: &'a Interpolated,
    used: &'a Used,
    globals: Vec<Global>,
}

/// Which vertices a global has values for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Of {
    One,
    Vertices(u32),
    Patch,
}

impl Names<'_> {
    fn add(&mut self, global: Global, of: Of) {
        let global = match of {
            Of::One => global,
            Of::Vertices(vertices) => Global { vertices, vertex_stride: VERTEX_WORDS, ..global },
            Of::Patch => Global { patch: true, ..global },
        };
        self.globals.push(global);
    }

    fn semantic(&mut self, name: &str, semantic: &str, place: (Space, u32, u32), shape: Shape, of: Of) {
        let (space, binding, word) = place;
        let global = Global::new(name, space, binding, word, shape);
        self.add(Global { named: false, semantic: Some(semantic.to_owned()), ..global }, of);
    }

    /// Vectors that programs agree on.
    fn generics(&mut self, space: Space, of: Of) {
        let (binding, first) = match of {
            Of::Patch => (PATCH_BINDING, PATCH / 4),
            _ => (ATTRIBUTE_BINDING, 0x20),
        };
        let bindings =
            if space == Space::Input { &self.maxwell.inputs[..] } else { &self.maxwell.outputs[..] };
        let vectors = if of == Of::Patch { 30 } else { u32::from(GENERICS) };
        for n in 0..vectors {
            let word = first + 4 * n;
            let components = self.used.count(space, binding, word, 4);
            if components == 0 {
                continue;
            }
            // A location names a vector of the vertices first.
            let is_taken = of == Of::Patch && self.used.count(space, ATTRIBUTE_BINDING, 0x20 + 4 * n, 4) > 0;
            let known = named(bindings, n).filter(|_| !is_taken);
            let name = match (known, of, space, self.kind) {
                (Some(name), ..) => name.to_owned(),
                (None, Of::Patch, ..) => format!("patch{n}"),
                (None, _, Space::Input, StageKind::Vertex) => format!("attribute{n}"),
                (None, _, Space::Input, _) => format!("input{n}"),
                _ => format!("output{n}"),
            };
            let global = Global {
                named: known.is_some(),
                location: n,
                by_use: true,
                ..Global::new(name, space, binding, word, float(components))
            };
            let global = self.interpolated(global, 4 * word);
            self.add(global, of);
        }
    }

    /// How a pixel's input comes from the vertices.
    fn interpolated(&self, global: Global, address: u32) -> Global {
        if self.kind != StageKind::Fragment || global.space != Space::Input {
            return global;
        }
        let mode = self.interpolated.of(address);
        let told = mode.map(|mode| mode.interpolation);
        let interpolation = match told {
            Some(Told::Constant) => Interpolation::Flat,
            Some(Told::ScreenLinear) => Interpolation::Linear,
            Some(Told::Perspective | Told::Unused) | None => Interpolation::Smooth,
        };
        let by_use = matches!(told, Some(Told::Constant | Told::Unused) | None);
        let sampling = match mode {
            Some(mode) if mode.centroid && interpolation != Interpolation::Flat => Sampling::Centroid,
            _ => Sampling::Center,
        };
        Global { interpolation, sampling, by_use, ..global }
    }

    fn inputs(&mut self) {
        let attribute = |word: u32| (Space::Input, ATTRIBUTE_BINDING, word);
        let per_vertex = match self.kind {
            StageKind::Geometry => Of::Vertices(self.geometry_vertices()),
            StageKind::TessControl | StageKind::TessEval => Of::Vertices(PATCH_LIMIT),
            _ => Of::One,
        };
        self.generics(Space::Input, per_vertex);
        match self.kind {
            StageKind::Vertex => {
                self.semantic("gl_VertexID", "vertex-id", attribute(VERTEX_ID), int(1), Of::One);
                self.semantic("gl_InstanceID", "instance-id", attribute(INSTANCE_ID), int(1), Of::One);
            }
            StageKind::Fragment => {
                self.semantic("gl_FragCoord", "frag-coord", attribute(0x1C), float(4), Of::One);
                self.semantic("gl_FrontFacing", "front-facing", attribute(0xFF), float(1), Of::One);
                self.semantic("gl_PointCoord", "point-coord", attribute(0xB8), float(2), Of::One);
                self.semantic("gl_Layer", "layer", attribute(0x19), int(1), Of::One);
                self.semantic("gl_ViewportIndex", "viewport", attribute(0x1A), int(1), Of::One);
                self.clip_distances(Space::Input, Of::One);
            }
            StageKind::Geometry | StageKind::TessControl | StageKind::TessEval => {
                self.semantic("gl_Position", "position", attribute(0x1C), float(4), per_vertex);
                self.semantic("gl_PointSize", "point-size", attribute(0x1B), float(1), per_vertex);
            }
            StageKind::Compute => {}
        }
        if !matches!(self.kind, StageKind::Vertex | StageKind::Compute) {
            self.semantic("gl_PrimitiveID", "primitive-id", attribute(PRIMITIVE_ID), int(1), Of::One);
        }
        if self.kind == StageKind::TessEval {
            self.semantic("gl_TessCoord", "tess-coord", attribute(0xBC), float(3), Of::One);
            self.levels(Space::Input);
            self.generics(Space::Input, Of::Patch);
        }
    }

    /// Vertices of the input primitive of a geometry program: no file says how many there are, the code names them.
    fn geometry_vertices(&self) -> u32 {
        match (self.used.last_vertex, self.used.any_vertex) {
            (0, false) => 1,
            (1, false) => 2,
            (0..=2, _) => 3,
            (3, _) => 4,
            _ => 6,
        }
    }

    fn levels(&mut self, space: Space) {
        let array = |elements| Shape::Float { components: 1, elements };
        for (name, semantic, word, elements) in
            [("gl_TessLevelOuter", "tess-level-outer", 0, 4), ("gl_TessLevelInner", "tess-level-inner", 4, 2)]
        {
            self.semantic(name, semantic, (space, PATCH_BINDING, word), array(elements), Of::Patch);
            if let Some(global) = self.globals.last_mut() {
                global.stride = 1;
            }
        }
    }

    fn clip_distances(&mut self, space: Space, of: Of) {
        let Attribute::ClipDistance(_) = Attribute::ClipDistance(0) else { return };
        let word = Attribute::ClipDistance(0).address() / 4;
        let elements = self.used.count(space, ATTRIBUTE_BINDING, word, 8);
        if elements == 0 {
            return;
        }
        let shape = Shape::Float { components: 1, elements: elements.into() };
        self.semantic("gl_ClipDistance", "clip-distance", (space, ATTRIBUTE_BINDING, word), shape, of);
        if let Some(global) = self.globals.last_mut() {
            global.stride = 1;
        }
    }

    fn outputs(&mut self) {
        let attribute = |word: u32| (Space::Output, ATTRIBUTE_BINDING, word);
        let of = match self.kind {
            StageKind::Fragment => return self.pixels(),
            StageKind::Compute => return,
            StageKind::TessControl => {
                Of::Vertices(self.header.map_or(1, |header| header.threads()).clamp(1, PATCH_LIMIT))
            }
            _ => Of::One,
        };
        self.generics(Space::Output, of);
        self.semantic("gl_Position", "position", attribute(0x1C), float(4), of);
        self.semantic("gl_PointSize", "point-size", attribute(0x1B), float(1), of);
        self.clip_distances(Space::Output, of);
        if self.kind == StageKind::TessControl {
            self.levels(Space::Output);
            return self.generics(Space::Output, Of::Patch);
        }
        self.semantic("gl_Layer", "layer", attribute(0x19), int(1), Of::One);
        self.semantic("gl_ViewportIndex", "viewport", attribute(0x1A), int(1), Of::One);
        if self.kind == StageKind::Geometry {
            self.semantic("gl_PrimitiveID", "primitive-id", attribute(PRIMITIVE_ID), int(1), Of::One);
        }
    }

    fn pixels(&mut self) {
        for n in 0..8 {
            let components = self.used.count(Space::Output, PIXEL_BINDING, 4 * n, 4);
            if components == 0 {
                continue;
            }
            let known = named(&self.maxwell.outputs, n).map(str::to_owned);
            let global = Global {
                named: known.is_some(),
                location: n,
                by_use: true,
                semantic: (n == 0).then(|| "color".to_owned()),
                ..Global::new(
                    known.unwrap_or_else(|| format!("color{n}")),
                    Space::Output,
                    PIXEL_BINDING,
                    4 * n,
                    float(components),
                )
            };
            self.add(global, Of::One);
        }
        let pixel = |word| (Space::Output, PIXEL_BINDING, word);
        self.semantic("gl_SampleMask", "sample-mask", pixel(SAMPLE_MASK_WORD), int(1), Of::One);
        self.semantic("gl_FragDepth", "frag-depth", pixel(DEPTH_WORD), float(1), Of::One);
    }

    /// What special registers and the driver tell.
    fn special(&mut self) {
        let special = |word| (Space::Input, SPECIAL_BINDING, word);
        let truth = Shape::Bool { components: 1, elements: 0 };
        for (name, semantic, word, shape) in [
            ("gl_InvocationID", "invocation-id", INVOCATION_ID, int(1)),
            ("gl_PatchVerticesIn", "patch-vertices", PATCH_VERTICES, int(1)),
            ("gl_SampleID", "sample-id", SAMPLE_ID, int(1)),
            ("gl_SamplePosition", "sample-position", SAMPLE_POSITION, float(2)),
            ("gl_SampleMaskIn", "sample-mask-in", SAMPLE_MASK_IN, int(1)),
            ("gl_HelperInvocation", "helper-invocation", HELPER, truth),
            ("gl_LocalInvocationID", "local-id", 33, uint(3)),
            ("gl_WorkGroupID", "workgroup-id", 37, uint(3)),
            ("gl_SubgroupInvocationID", "lane-id", 0, uint(1)),
        ] {
            self.semantic(name, semantic, special(word), shape, Of::One);
        }
        let words = self.used.words.get(&(Space::Input, DRIVER_BINDING)).cloned().unwrap_or_default();
        let mut known = BTreeSet::new();
        for word in words {
            let Some((semantic, first)) = driver_input(self.maxwell.driver, self.kind, word) else {
                continue;
            };
            if !known.insert(semantic) {
                continue;
            }
            let (name, shape) = match semantic {
                "base-vertex" => ("gl_BaseVertex", int(1)),
                "base-instance" => ("gl_BaseInstance", int(1)),
                "draw-id" => ("gl_DrawID", int(1)),
                _ => ("gl_NumWorkGroups", uint(3)),
            };
            self.semantic(name, semantic, (Space::Input, DRIVER_BINDING, first), shape, Of::One);
        }
    }
}
