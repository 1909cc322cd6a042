//! Programs of every stage of the pipeline, from modules to GLSL: what each stage has of its own, memory that
//! invocations share, images, lanes, bits.
#![allow(dead_code)]

use crate::tools;
use unshade_emit::{Domain, Geometry, Layout, Options, Spacing, Tessellation, glsl, naga};
use unshade_ir::ast::{self, raise::Mode};
use unshade_ir::build::FunctionBuilder;
use unshade_ir::exec::{Limits, Machine, Memory, Program};
use unshade_ir::{
    Access, AtomicOp, Barrier, CompareFloat, CompareInt, FloatMode, Global, Image, ImageFormat, ImageQuery,
    InputPlace, MinMax, Module, Multiply, Op, Round, Shape, Space, StorageBuffer, Target, Terminator, Texel,
    TextureShape, Type, Value, Vote, Width, passes,
};
use unshade_stage::StageKind;

const HALF: FloatMode = FloatMode { width: Width::F16, ..FloatMode::F32 };

fn at(space: Space, offset: u32) -> Access {
    Access { space, binding: 0, offset, stride: 0 }
}

fn indexed(space: Space, offset: u32, stride: u32) -> Access {
    Access { stride, ..at(space, offset) }
}

fn float(components: u8) -> Shape {
    Shape::Float { components, elements: 0 }
}

const INT: Shape = Shape::Int { components: 1, elements: 0 };

struct Build {
    module: Module,
    code: FunctionBuilder,
}

impl Build {
    fn new() -> Self {
        Self { module: Module::default(), code: FunctionBuilder::new("main") }
    }

    fn global(&mut self, name: &str, space: Space, offset: u32, shape: Shape) -> &mut Global {
        // Images are counted one by one.
        let location = if space == Space::Image { offset } else { offset / 4 };
        let global = Global { location, ..Global::new(name, space, 0, offset, shape) };
        self.module.globals.push(global);
        self.module.globals.last_mut().unwrap()
    }

    /// A part of the pipeline.
    fn system(&mut self, semantic: &str, space: Space, offset: u32, shape: Shape) -> &mut Global {
        let name = semantic.replace('-', "_");
        let global = self.global(&name, space, offset, shape);
        global.semantic = Some(semantic.to_owned());
        global
    }

    fn load(&mut self, access: Access, index: &[Value]) -> Value {
        self.code.value(Op::Load(access), index)
    }

    fn store(&mut self, access: Access, args: &[Value]) {
        self.code.effect(Op::Store(access), args);
    }

    fn add(&mut self, a: Value, b: Value) -> Value {
        self.code.value(Op::FAdd(FloatMode::F32), &[a, b])
    }

    fn finish(mut self) -> Module {
        self.code.returns(&[]);
        self.module.push_function(self.code.finish());
        self.module
    }
}

/// Each vertex of the patch passes on its position and a direction, and one sets the levels.
fn tess_control() -> Module {
    let mut build = Build::new();
    for (space, vertices) in [(Space::Input, 32), (Space::Output, 3)] {
        for (semantic, offset, components) in [(Some("position"), 28, 4), (None, 32, 3)] {
            let name =
                semantic.map_or_else(|| format!("{space:?}direction"), |_| format!("{space:?}position"));
            let global = build.global(&name, space, offset, float(components));
            global.semantic = semantic.map(str::to_owned);
            (global.vertices, global.vertex_stride) = (vertices, 256);
            global.location = 0;
        }
    }
    build.system("invocation-id", Space::Input, 10_000, INT);
    build.system("patch-vertices", Space::Input, 10_001, INT);
    build.system("primitive-id", Space::Input, 10_002, INT);
    let levels = |elements| Shape::Float { components: 1, elements };
    let outer = build.system("tess-level-outer", Space::Output, 0, levels(4));
    (outer.stride, outer.patch) = (1, true);
    let inner = build.system("tess-level-inner", Space::Output, 4, levels(2));
    (inner.stride, inner.patch) = (1, true);
    build.global("patchColor", Space::Output, 12, float(4)).patch = true;
    let own = build.load(at(Space::Input, 10_000), &[]);
    for word in 28..35 {
        let value = build.load(indexed(Space::Input, word, 256), &[own]);
        build.store(indexed(Space::Output, word, 256), &[own, value]);
    }
    build.code.effect(Op::Barrier(Barrier::Control), &[]);
    let zero = build.code.bits(0);
    let first = build.code.value(Op::ICompare(CompareInt::Eq), &[own, zero]);
    let (then, end) = (build.code.block(), build.code.block());
    build.code.branch(first, then, end);
    build.code.switch_to(then);
    let one = build.code.bits(1);
    for word in 0..4 {
        let level = build.load(indexed(Space::Output, 28 + word, 256), &[one]);
        build.store(at(Space::Output, word), &[level]);
        build.store(at(Space::Output, 12 + word), &[level]);
    }
    let count = build.load(at(Space::Input, 10_001), &[]);
    let id = build.load(at(Space::Input, 10_002), &[]);
    let sum = build.code.value(Op::IAdd, &[count, id]);
    let level = build.code.value(Op::SToF(FloatMode::F32), &[sum]);
    build.store(at(Space::Output, 5), &[level]);
    build.code.jump(end, &[]);
    build.code.switch_to(end);
    build.finish()
}

/// A point between the vertices of the patch.
fn tess_eval() -> Module {
    let mut build = Build::new();
    let position = build.system("position", Space::Input, 28, float(4));
    (position.vertices, position.vertex_stride) = (32, 256);
    build.system("tess-coord", Space::Input, 10_000, float(3));
    let outer = Shape::Float { components: 1, elements: 4 };
    let outer = build.system("tess-level-outer", Space::Input, 0, outer);
    (outer.stride, outer.patch) = (1, true);
    build.global("patchColor", Space::Input, 12, float(4)).patch = true;
    build.system("position", Space::Output, 28, float(4)).name = "positionOut".into();
    build.global("color", Space::Output, 32, float(4));
    let u = build.load(at(Space::Input, 10_000), &[]);
    let level = build.load(at(Space::Input, 1), &[]);
    for lane in 0..4 {
        let vertex = build.code.bits(lane % 3);
        let corner = build.load(indexed(Space::Input, 28 + lane, 256), &[vertex]);
        let moved = build.add(corner, u);
        build.store(at(Space::Output, 28 + lane), &[moved]);
        let color = build.load(at(Space::Input, 12 + lane), &[]);
        let color = build.add(color, level);
        build.store(at(Space::Output, 32 + lane), &[color]);
    }
    build.finish()
}

/// Points that carry their invocation.
fn geometry() -> Module {
    let mut build = Build::new();
    let position = build.system("position", Space::Input, 28, float(4));
    (position.vertices, position.vertex_stride) = (1, 256);
    let number = build.global("number", Space::Input, 32, INT);
    (number.vertices, number.vertex_stride, number.location) = (1, 256, 0);
    build.system("invocation-id", Space::Input, 10_000, INT);
    build.system("primitive-id", Space::Input, 10_001, INT).name = "primitiveIn".into();
    build.system("position", Space::Output, 28, float(4)).name = "positionOut".into();
    build.system("layer", Space::Output, 25, INT);
    build.system("viewport", Space::Output, 26, INT);
    build.system("primitive-id", Space::Output, 24, INT).name = "primitiveOut".into();
    build.system("point-size", Space::Output, 27, float(1));
    build.global("sum", Space::Output, 32, INT).location = 1;
    let own = build.load(at(Space::Input, 10_000), &[]);
    let zero = build.code.bits(0);
    let number = build.load(indexed(Space::Input, 32, 256), &[zero]);
    let sum = build.code.value(Op::IAdd, &[number, own]);
    let id = build.load(at(Space::Input, 10_001), &[]);
    let two = build.code.float(2.0);
    for (word, value) in [(32, sum), (26, own), (25, own), (24, id), (27, two)] {
        build.store(at(Space::Output, word), &[value]);
    }
    for lane in 0..4 {
        let value = build.load(indexed(Space::Input, 28 + lane, 256), &[zero]);
        build.store(at(Space::Output, 28 + lane), &[value]);
    }
    build.code.effect(Op::EmitVertex(0), &[]);
    build.code.effect(Op::EndPrimitive(0), &[]);
    build.finish()
}

fn system_values(build: &mut Build, list: &[(&str, Shape)]) -> Value {
    let mut sum = build.code.float(0.0);
    for (place, (semantic, shape)) in (0..).zip(list) {
        let word = 10_000 + 16 * place;
        let global = build.system(semantic, Space::Input, word, *shape);
        if shape.elements() > 0 {
            global.stride = 1;
        }
        for lane in 0..u32::from(shape.components()) {
            let value = build.load(at(Space::Input, word + lane), &[]);
            let value = match shape {
                Shape::Int { .. } => build.code.value(Op::SToF(FloatMode::F32), &[value]),
                Shape::Uint { .. } => build.code.value(Op::UToF(FloatMode::F32), &[value]),
                Shape::Bool { .. } => {
                    let zero = build.code.bits(0);
                    let truth = build.code.value(Op::ICompare(CompareInt::Ne), &[value, zero]);
                    let number = build.code.value(Op::BToI, &[truth]);
                    build.code.value(Op::SToF(FloatMode::F32), &[number])
                }
                _ => value,
            };
            sum = build.add(sum, value);
        }
    }
    sum
}

fn vertex() -> Module {
    let mut build = Build::new();
    let numbers = ["vertex-id", "instance-id", "base-vertex", "base-instance", "draw-id"];
    let sum = system_values(&mut build, &numbers.map(|semantic| (semantic, INT)));
    build.global("attribute", Space::Input, 32, Shape::Uint { components: 2, elements: 0 });
    build.system("position", Space::Output, 28, float(4));
    build.global("ids", Space::Output, 32, Shape::Uint { components: 2, elements: 0 });
    build.module.buffers.push(StorageBuffer { name: "offsets".into(), named: true, binding: 0 });
    for lane in 0..2 {
        let value = build.load(at(Space::Input, 32 + lane), &[]);
        build.store(at(Space::Output, 32 + lane), &[value]);
    }
    let index = build.load(at(Space::Input, 10_000), &[]);
    for lane in 0..4 {
        let word = build.load(indexed(Space::Storage, lane, 4), &[index]);
        let moved = build.add(word, sum);
        build.store(at(Space::Output, 28 + lane), &[moved]);
    }
    build.finish()
}

fn fragment() -> Module {
    let mut build = Build::new();
    let sum = system_values(
        &mut build,
        &[
            ("frag-coord", float(4)),
            ("primitive-id", INT),
            ("layer", INT),
            ("viewport", INT),
            ("sample-id", INT),
            ("sample-position", float(2)),
            ("sample-mask-in", INT),
            ("helper-invocation", Shape::Bool { components: 1, elements: 0 }),
            ("clip-distance", Shape::Float { components: 1, elements: 8 }),
            ("lane-id", Shape::Uint { components: 1, elements: 0 }),
        ],
    );
    build.global("a", Space::Input, 32, float(4));
    build.global("color", Space::Output, 0, float(4)).semantic = Some("color".into());
    build.global("bits", Space::Output, 12, Shape::Uint { components: 4, elements: 0 });
    build.system("sample-mask", Space::Output, 20, INT);
    build.system("frag-depth", Space::Output, 21, float(1));
    let inside = build.load(at(Space::Input, 35), &[]);
    let quarter = build.code.float(0.25);
    let low = build.code.value(Op::FCompare(CompareFloat::Lt, FloatMode::F32), &[inside, quarter]);
    let (then, next) = (build.code.block(), build.code.block());
    build.code.branch(low, then, next);
    build.code.switch_to(then);
    build.code.effect(Op::Demote, &[]);
    build.code.jump(next, &[]);
    build.code.switch_to(next);
    let one = build.code.bits(1);
    let place = |build: &mut Build, place, args: &[Value]| {
        build.code.value(Op::Interpolate(place, at(Space::Input, 32)), args)
    };
    let a = place(&mut build, InputPlace::Centroid, &[]);
    let b = place(&mut build, InputPlace::Sample, &[one]);
    let c = place(&mut build, InputPlace::Offset, &[quarter, quarter]);
    let d = build.code.value(Op::Derivative(unshade_ir::Axis::X, FloatMode::F32), &[inside]);
    for (lane, value) in (0..).zip([a, b, c, d]) {
        let value = build.add(value, sum);
        build.store(at(Space::Output, lane), &[value]);
    }
    let truth = build.code.value(Op::Vote(Vote::Any), &[low]);
    let number = build.code.value(Op::BToI, &[truth]);
    let ballot = build.code.value(Op::Ballot, &[low]);
    let other = build.code.value(Op::Shuffle, &[ballot, one]);
    let moved = build.code.value(Op::Shuffle, &[inside, one]);
    let half = build.code.value(Op::FConvert(Width::F32, HALF), &[moved]);
    let eight = build.code.bits(8);
    let word = build.code.value(Op::Join, &[half, half]);
    for (lane, value) in (12..).zip([number, other, word, ballot]) {
        let count = build.code.value(Op::BitCount, &[value]);
        let msb = build.code.value(Op::UFindMsb, &[value]);
        let signed = build.code.value(Op::SFindMsb, &[value]);
        let field = build.code.value(Op::UBitExtract, &[value, one, eight]);
        let dynamic = build.code.value(Op::SBitExtract, &[value, count, msb]);
        let put = build.code.value(Op::BitInsert, &[field, dynamic, eight, msb]);
        let turned = build.code.value(Op::BitReverse, &[put]);
        let all = build.code.value(Op::Xor, &[turned, signed]);
        build.store(at(Space::Output, lane), &[all]);
    }
    build.store(at(Space::Output, 20), &[one]);
    build.store(at(Space::Output, 21), &[quarter]);
    let counter = build.code.value(Op::Atomic(AtomicOp::Increment, at(Space::Storage, 0)), &[eight]);
    build.store(indexed(Space::Storage, 4, 1), &[counter, eight]);
    build.finish()
}

fn image(unit: u32, shape: TextureShape, query: ImageQuery) -> Image {
    Image { unit, indexed: false, shape, query }
}

fn compute() -> Module {
    let mut build = Build::new();
    build.module.shared_words = 64;
    build.module.buffers.push(StorageBuffer { name: "values".into(), named: true, binding: 1 });
    let uint = |components| Shape::Uint { components, elements: 0 };
    for (semantic, offset, components) in [
        ("workgroup-id", 0, 3),
        ("workgroup-count", 4, 3),
        ("local-id", 8, 3),
        ("global-id", 12, 3),
        ("local-index", 16, 1),
    ] {
        build.system(semantic, Space::Input, offset, uint(components));
    }
    let shape = |shape, texel, format| Shape::Image { shape, elements: 0, texel, format };
    use TextureShape::{Buffer, Plane, Volume};
    build.global("picture", Space::Image, 0, shape(Plane, Texel::Float, Some(ImageFormat::Rgba8)));
    build.global("target", Space::Image, 1, shape(Plane, Texel::Float, None));
    build.global("counts", Space::Image, 2, shape(Volume, Texel::Uint, Some(ImageFormat::R32ui)));
    build.global("list", Space::Image, 3, shape(Buffer, Texel::Int, None));
    let index = build.load(at(Space::Input, 16), &[]);
    let group = build.load(at(Space::Input, 0), &[]);
    let global = build.load(at(Space::Input, 12), &[]);
    let counts: Vec<Value> = (4..7).map(|word| build.load(at(Space::Input, word), &[])).collect();
    let buffer = Access { binding: 1, ..indexed(Space::Storage, 0, 1) };
    let value = build.load(buffer, &[global]);
    let sum = build.add(value, value);
    build.store(indexed(Space::Shared, 0, 1), &[index, sum]);
    build.code.effect(Op::Barrier(Barrier::Group), &[]);
    build.code.effect(Op::Barrier(Barrier::Control), &[]);
    let other = build.load(at(Space::Shared, 3), &[]);
    build.store(buffer, &[group, other]);
    // Words of which some are signed and some are not.
    let one = build.code.bits(1);
    for op in [AtomicOp::Add, AtomicOp::UMax, AtomicOp::SMin, AtomicOp::Xor, AtomicOp::Exchange] {
        let access = Access { binding: 2, ..at(Space::Storage, 5) };
        build.code.value(Op::Atomic(op, access), &[index]);
    }
    let access = Access { binding: 2, ..at(Space::Storage, 6) };
    let old = build.code.value(Op::Atomic(AtomicOp::CompareExchange, access), &[index, one]);
    let wrapped = build.code.value(Op::Atomic(AtomicOp::Decrement, access), &[old]);
    build.code.value(Op::Atomic(AtomicOp::FAdd, Access { offset: 9, ..access }), &[sum]);
    let texel = build.code.values(Op::Image(image(0, Plane, ImageQuery::Load)), &[index, wrapped]);
    let size = build.code.values(Op::Image(image(0, Plane, ImageQuery::Size)), &[]);
    let store: Vec<Value> = [index, size[1]].into_iter().chain(texel.iter().copied()).collect();
    build.code.effect(Op::Image(image(1, Plane, ImageQuery::Store)), &store);
    let atomic = Op::Image(image(2, Volume, ImageQuery::Atomic(AtomicOp::CompareExchange)));
    let found = build.code.value(atomic, &[counts[0], counts[1], counts[2], one, index]);
    let least = Op::Image(image(3, Buffer, ImageQuery::Atomic(AtomicOp::SMin)));
    build.code.value(least, &[found, size[0]]);
    build.finish()
}

/// Doubles, integers of 64 bits, and floats of 16 bits that flush denormals.
fn doubles() -> Module {
    const WIDE: FloatMode = FloatMode { width: Width::F64, ..FloatMode::F32 };
    const FLUSHED: FloatMode = FloatMode { flush: true, ..WIDE };
    const HALF_FLUSHED: FloatMode = FloatMode { flush: true, ..HALF };
    let mut build = Build::new();
    for (name, space, offset) in
        [("first", Space::Input, 32), ("second", Space::Input, 36), ("bits", Space::Output, 4)]
    {
        build.global(name, space, offset, Shape::Uint { components: 4, elements: 0 });
    }
    build.global("color", Space::Output, 0, float(4)).semantic = Some("color".into());
    let words: Vec<Value> = (32..40).map(|word| build.load(at(Space::Input, word), &[])).collect();
    let code = &mut build.code;
    let [x, y, z] = [0, 2, 4].map(|low| code.value(Op::Join, &words[low..low + 2]));
    let third = code.value(Op::B64((1.0f64 / 3.0).to_bits()), &[]);
    let sum = code.value(Op::FAdd(WIDE), &[x, y]);
    let product = code.value(Op::FMul(WIDE, Multiply::InfTimesZero), &[sum, third]);
    let fused = code.value(Op::FFma(WIDE, Multiply::Ieee), &[product, x, z]);
    let quotient = code.value(Op::FDiv(FLUSHED), &[fused, y]);
    let amount = code.value(Op::FAbs(Width::F64), &[quotient]);
    let roots = [Op::FSqrt(WIDE), Op::FRsq(WIDE), Op::FRcp(WIDE), Op::FSaturate(WIDE)];
    let roots = roots.map(|op| code.value(op, &[amount]));
    let low = code.value(Op::FMin(WIDE, MinMax::Number), &[roots[0], roots[1]]);
    let high = code.value(Op::FMax(WIDE, MinMax::SecondUnlessOrdered), &[roots[2], roots[3]]);
    let whole = code.value(Op::FRound(WIDE, Round::Nearest), &[high]);
    let opposite = code.value(Op::FNeg(Width::F64), &[whole]);
    let less = code.value(Op::FCompare(CompareFloat::Lt, WIDE), &[low, high]);
    // A double on two ways.
    let (then, next) = (code.block(), code.block());
    let chosen = code.param(next, Type::B64);
    code.terminate(Terminator::Branch {
        condition: less,
        then: Target::plain(then),
        otherwise: Target { block: next, args: vec![opposite] },
    });
    code.switch_to(then);
    let more = code.value(Op::FAdd(WIDE), &[low, third]);
    code.jump(next, &[more]);
    code.switch_to(next);
    let narrow = code.value(Op::FConvert(Width::F64, FloatMode::F32), &[chosen]);
    let half = code.value(Op::FConvert(Width::F64, HALF_FLUSHED), &[chosen]);
    let other = code.value(Op::FConvert(Width::F32, HALF_FLUSHED), &[narrow]);
    let halves = code.value(Op::FAdd(HALF_FLUSHED), &[half, other]);
    let single = FloatMode { flush: true, ..FloatMode::F32 };
    let back = code.value(Op::FConvert(Width::F16, single), &[halves]);
    let wide = code.value(Op::FConvert(Width::F16, WIDE), &[other]);
    let pair = code.value(Op::Join, &[half, halves]);
    let integers = [Op::FToS64(Width::F64, Round::Zero), Op::FToU64(Width::F32, Round::Down)];
    let integers = [code.value(integers[0], &[chosen]), code.value(integers[1], &[back])];
    let total = code.value(Op::IMul, &[integers[0], integers[1]]);
    let shifted = code.value(Op::ShrS, &[total, words[6]]);
    let least = code.value(Op::SMin, &[shifted, integers[0]]);
    let float = code.value(Op::SToF(FloatMode::F32), &[least]);
    let again = code.value(Op::UToF(WIDE), &[least]);
    let signed = code.value(Op::FToS(Width::F64, Round::Up), &[again]);
    let unsigned = code.value(Op::FToU(Width::F64, Round::Zero), &[wide]);
    let nan = code.value(Op::FIsNan(Width::F64), &[wide]);
    let high = code.value(Op::High, &[least]);
    let high = code.value(Op::Select, &[nan, high, words[7]]);
    let last = code.value(Op::SToF(WIDE), &[words[7]]);
    let last = code.value(Op::FConvert(Width::F64, FloatMode::F32), &[last]);
    for (word, value) in [narrow, back, float, last, pair, signed, unsigned, high].into_iter().enumerate() {
        build.store(at(Space::Output, word as u32), &[value]);
    }
    build.finish()
}

fn all() -> Vec<(&'static str, StageKind, Module)> {
    vec![
        ("vertex", StageKind::Vertex, vertex()),
        ("tess-control", StageKind::TessControl, tess_control()),
        ("tess-eval", StageKind::TessEval, tess_eval()),
        ("geometry", StageKind::Geometry, geometry()),
        ("fragment", StageKind::Fragment, fragment()),
        ("compute", StageKind::Compute, compute()),
        ("doubles", StageKind::Fragment, doubles()),
    ]
}

fn options(kind: StageKind, strict: bool) -> Options {
    Options {
        strict,
        local_size: [8, 8, 1],
        geometry: Geometry { invocations: 4, ..Geometry::default() },
        tessellation: Tessellation {
            vertices: 3,
            domain: Domain::Quads,
            spacing: Spacing::FractionalOdd,
            clockwise: true,
            points: false,
        },
        ..Options::new(kind)
    }
}

fn build_tree(module: &Module, mode: Mode) -> ast::Program {
    let mut module = module.clone();
    let passes = if mode == Mode::Strict { passes::strict().to_vec() } else { passes::readable().to_vec() };
    passes::run(&mut module, &passes, None);
    ast::raise::raise(&module, mode).unwrap_or_else(|error| panic!("{error}\n{module}")).program
}

#[test]
fn every_stage_is_valid_glsl() {
    let mut texts = Vec::new();
    for (name, kind, module) in all() {
        assert_eq!(unshade_ir::verify::check(&module), [], "{name}\n{module}");
        for mode in [Mode::Strict, Mode::Readable] {
            let strict = mode == Mode::Strict;
            let program = build_tree(&module, mode);
            let source =
                glsl::print(&program, &options(kind, strict)).unwrap_or_else(|e| panic!("{name}: {e}"));
            if !strict {
                tools::golden(&format!("stage-{name}.glsl"), &source.text);
            }
            texts.push((format!("{name}-{strict}"), kind, source.text));
        }
    }
    tools::validate_glsl(&texts);
}

#[test]
fn both_layouts_are_valid() {
    let (mut gl, mut vulkan) = (Vec::new(), Vec::new());
    for (name, kind, module) in all() {
        let program = build_tree(&module, Mode::Readable);
        for by_name in [false, true] {
            let print = |layout| {
                let options = Options { layout, by_name, ..options(kind, false) };
                glsl::print(&program, &options).unwrap_or_else(|error| panic!("{name}: {error}")).text
            };
            gl.push((format!("{name}-{by_name}"), kind, print(Layout::OpenGl)));
            let text = print(Layout::Vulkan);
            assert!(!text.contains("binding = ") || text.contains("set = "), "{text}");
            vulkan.push((format!("{name}-{by_name}"), kind, text));
        }
    }
    tools::validate_glsl(&gl);
    tools::validate_vulkan(&vulkan);
}

/// A work group's sum through shared memory and buffers, with an image: what naga has of memory.
fn reduction() -> Module {
    let mut build = Build::new();
    build.module.shared_words = 64;
    for (semantic, offset, components) in [("global-id", 0, 3), ("local-index", 4, 1)] {
        build.system(semantic, Space::Input, offset, Shape::Uint { components, elements: 0 });
    }
    let shape = |texel, format| Shape::Image { shape: TextureShape::Plane, elements: 0, texel, format };
    build.global("picture", Space::Image, 0, shape(Texel::Float, Some(ImageFormat::Rgba8)));
    build.global("target", Space::Image, 1, shape(Texel::Float, Some(ImageFormat::Rgba16f)));
    let global = build.load(at(Space::Input, 0), &[]);
    let index = build.load(at(Space::Input, 4), &[]);
    let value = build.load(indexed(Space::Storage, 0, 1), &[global]);
    build.store(indexed(Space::Shared, 0, 1), &[index, value]);
    build.code.effect(Op::Barrier(Barrier::Control), &[]);
    let one = build.code.bits(1);
    let next = build.code.value(Op::Xor, &[index, one]);
    let other = build.load(indexed(Space::Shared, 0, 1), &[next]);
    let sum = build.add(value, other);
    build.store(indexed(Space::Storage, 0, 1), &[global, sum]);
    let counter = Access { binding: 1, ..at(Space::Storage, 2) };
    let old = build.code.value(Op::Atomic(AtomicOp::Add, counter), &[one]);
    let swap = Op::Atomic(AtomicOp::CompareExchange, Access { offset: 3, ..counter });
    let seen = build.code.value(swap, &[old, one]);
    build.code.value(Op::Atomic(AtomicOp::Increment, counter), &[seen]);
    let texel = build.code.values(Op::Image(image(0, TextureShape::Plane, ImageQuery::Load)), &[index, seen]);
    let size = build.code.values(Op::Image(image(0, TextureShape::Plane, ImageQuery::Size)), &[]);
    let store: Vec<Value> = [index, size[1]].into_iter().chain(texel).collect();
    build.code.effect(Op::Image(image(1, TextureShape::Plane, ImageQuery::Store)), &store);
    build.finish()
}

/// A pixel that may be dropped before its quad is needed, and bits.
fn dropped() -> Module {
    let mut build = Build::new();
    build.global("a", Space::Input, 32, float(4));
    build.global("color", Space::Output, 0, float(4)).semantic = Some("color".into());
    build.global("bits", Space::Output, 4, Shape::Uint { components: 1, elements: 0 });
    let x = build.load(at(Space::Input, 32), &[]);
    let quarter = build.code.float(0.25);
    let low = build.code.value(Op::FCompare(CompareFloat::Lt, FloatMode::F32), &[x, quarter]);
    let (then, next) = (build.code.block(), build.code.block());
    build.code.branch(low, then, next);
    build.code.switch_to(then);
    build.code.effect(Op::Demote, &[]);
    build.code.jump(next, &[]);
    build.code.switch_to(next);
    let slope = build.code.value(Op::Derivative(unshade_ir::Axis::X, FloatMode::F32), &[x]);
    for lane in 0..4 {
        build.store(at(Space::Output, lane), &[slope]);
    }
    build.store(at(Space::Storage, 3), &[slope]);
    let half = build.code.value(Op::FConvert(Width::F32, HALF), &[slope]);
    let word = build.code.value(Op::Join, &[half, half]);
    let high = build.code.value(Op::High, &[word]);
    let wide = build.code.value(Op::FConvert(Width::F16, FloatMode::F32), &[high]);
    let count = build.code.value(Op::BitCount, &[word]);
    let msb = build.code.value(Op::SFindMsb, &[wide]);
    let field = build.code.value(Op::SBitExtract, &[word, count, msb]);
    let put = build.code.value(Op::BitInsert, &[field, word, msb, count]);
    build.store(at(Space::Output, 4), &[put]);
    build.finish()
}

#[test]
fn naga_has_memory_and_dropped_pixels() {
    let mut binaries = Vec::new();
    for (name, kind, module) in
        [("reduction", StageKind::Compute, reduction()), ("dropped", StageKind::Fragment, dropped())]
    {
        for mode in [Mode::Strict, Mode::Readable] {
            let program = build_tree(&module, mode);
            let options = options(kind, mode == Mode::Strict);
            let text = naga::wgsl(&program, &options).unwrap_or_else(|error| panic!("{name}: {error}")).text;
            tools::validate_wgsl(name, &text);
            naga::hlsl(&program, &options).unwrap_or_else(|error| panic!("{name}: {error}"));
            naga::msl(&program, &options).unwrap_or_else(|error| panic!("{name}: {error}"));
            let words =
                naga::spirv(&program, &options).unwrap_or_else(|error| panic!("{name}: {error}")).words;
            binaries.push((name.to_owned(), words.iter().flat_map(|word| word.to_le_bytes()).collect()));
        }
    }
    tools::validate_spirv(&binaries);
}

/// SPIR-V has doubles.
#[test]
fn doubles_are_valid_spirv() {
    let binaries = [Mode::Strict, Mode::Readable].map(|mode| {
        let program = build_tree(&doubles(), mode);
        let binary = naga::spirv(&program, &options(StageKind::Fragment, mode == Mode::Strict)).unwrap();
        (format!("{mode:?}"), binary.bytes())
    });
    tools::validate_spirv(&binaries);
}

/// What naga cannot say is refused with its name.
#[test]
fn naga_refuses_by_name() {
    for (name, kind, module) in all() {
        let program = build_tree(&module, Mode::Readable);
        let error = naga::wgsl(&program, &options(kind, false)).unwrap_err();
        println!("{name}: {error}");
        assert_eq!(error.kind, unshade_emit::ErrorKind::Unsupported, "{name}: {error}");
    }
}

/// Inputs of all kinds, outputs and memory.
fn memory(seed: u32) -> Memory {
    let mut memory = Memory::default();
    let word = |n: u32| (n.wrapping_mul(0x9E37_79B9) ^ seed) >> 27;
    let numbers = |from: u32, count: u32| (from..from + count).map(word).collect::<Vec<u32>>();
    memory.set(Space::Input, 0, numbers(0, 10_200));
    memory.set(Space::Output, 0, vec![0; 8_300]);
    memory.set(Space::Shared, 0, numbers(7, 64));
    for binding in 0..3 {
        memory.set(Space::Storage, binding, numbers(90 * binding, 100));
    }
    memory
}

#[test]
fn trees_do_what_modules_do() {
    for (name, _, module) in all() {
        let program = Program::new(&module).unwrap();
        let tree = build_tree(&module, Mode::Strict);
        for seed in 0..64 {
            let (mut first, mut second) = (memory(seed * 77), memory(seed * 77));
            let run = Machine::new(&program).run(&mut first, Limits::fuel(10_000));
            let walked = ast::exec::run(&tree, &mut second, Limits::fuel(100_000));
            assert_eq!(run.outcome, walked.outcome, "{name}, {seed}");
            assert!(first == second, "{name}, {seed}:\n{module}");
        }
    }
}
