//! Programs as compilers of shading languages leave them: textures, derivatives, matrices by columns, strides,
//! numbers in float registers.

use super::super::exec;
use super::text;
use super::*;
use crate::build::FunctionBuilder;
use crate::exec::{Limits, Machine, Memory, Outcome, Program as Flat};
use crate::random::same;
use crate::{
    Access, Axis, CompareFloat, FloatMode, Global, Multiply, Op, Round, Shape, Space, Texel, Texture,
    TextureLevel, TextureQuery, TextureShape, UniformBlock, Value, Width, passes, ssa,
};

const F32: FloatMode = FloatMode::F32;
const MUL: Op = Op::FMul(F32, Multiply::Ieee);
const ADD: Op = Op::FAdd(F32);

fn access(space: Space, offset: u32, stride: u32) -> Access {
    Access { space, binding: 0, offset, stride }
}

fn load(builder: &mut FunctionBuilder, space: Space, offset: u32) -> Value {
    builder.value(Op::Load(access(space, offset, 0)), &[])
}

fn store(builder: &mut FunctionBuilder, offset: u32, value: Value) {
    builder.effect(Op::Store(access(Space::Output, offset, 0)), &[value]);
}

fn float(components: u8, elements: u32) -> Shape {
    Shape::Float { components, elements }
}

fn matrix(size: u8, elements: u32) -> Shape {
    Shape::Matrix { columns: size, rows: size, elements, element_stride: 0 }
}

fn module(globals: Vec<Global>, builder: FunctionBuilder) -> Module {
    let mut module = Module { globals, from_shading_language: true, ..Module::default() };
    module.push_function(builder.finish());
    module
}

fn varying(name: &str, offset: u32, components: u8) -> Global {
    Global::new(name, Space::Input, 0, offset, float(components, 0))
}

fn colour() -> Global {
    Global::new("colour", Space::Output, 0, 0, float(4, 0))
}

fn uniform(name: &str, offset: u32, shape: Shape) -> Global {
    Global::new(name, Space::Uniform, 0, offset, shape)
}

fn sampler(name: &str, unit: u32, elements: u32) -> Global {
    let shape = Shape::Sampler {
        shape: TextureShape::Plane,
        elements,
        external: false,
        shadow: false,
        texel: Texel::Float,
    };
    Global::new(name, Space::Texture, 0, unit, shape)
}

fn plane(unit: u32, level: TextureLevel) -> Texture {
    Texture::sample(unit, TextureShape::Plane, level)
}

fn memory(seed: u32) -> Memory {
    let words = |first: u32, count: u32| {
        (first..first + count)
            .map(|n| ((n * 7 + seed * 13) % 32) as f32 / 8.0 - 1.5)
            .map(f32::to_bits)
            .collect()
    };
    let mut memory = Memory::default();
    memory.set(Space::Input, 0, words(0, 16));
    let mut uniforms: Vec<u32> = words(16, 60);
    // Whole numbers, for those that are declared as such.
    uniforms.extend((0..8).map(|n| (((n + seed) % 3) as f32).to_bits()));
    memory.set(Space::Uniform, 0, uniforms);
    memory.set(Space::Uniform, 1, words(5, 24));
    memory.set(Space::Output, 0, vec![0; 8]);
    memory
}

/// The tree in both modes: the strict one bit for bit as the module, the readable one nearly, behind all passes.
/// Gives the text of the readable one.
fn check(module: &Module) -> String {
    let run_module = |module: &Module, memory: &mut Memory| {
        Machine::new(&Flat::new(module).unwrap()).run(memory, Limits::fuel(10_000)).outcome
    };
    let mut after = module.clone();
    ssa::run(&mut after);
    let strict = raise(&after, Mode::Strict).unwrap_or_else(|error| panic!("{error}\n{after}")).program;
    let mut idiomatic = module.clone();
    passes::run(&mut idiomatic, passes::readable(), None);
    let readable =
        raise(&idiomatic, Mode::Readable).unwrap_or_else(|error| panic!("{error}\n{idiomatic}")).program;
    for seed in 0..20 {
        let (mut expected, mut exact, mut near) = (memory(seed), memory(seed), memory(seed));
        let outcome = run_module(module, &mut expected);
        let got = exec::run(&strict, &mut exact, Limits::fuel(10_000)).outcome;
        assert!(same(&(outcome, expected.clone()), &(got, exact)), "{after}\n{}", text::program(&strict));
        let got = exec::run(&readable, &mut near, Limits::fuel(10_000)).outcome;
        assert_eq!(got, outcome);
        assert!(matches!(outcome, Outcome::Ended | Outcome::Discarded));
        for (a, b) in expected.words(Space::Output, 0).iter().zip(near.words(Space::Output, 0)) {
            let (a, b) = (f32::from_bits(*a), f32::from_bits(*b));
            let close = (a - b).abs() <= 1e-4 * a.abs().max(1.0) || a.is_nan() && b.is_nan();
            assert!(close, "{a} became {b}, seed {seed}\n{idiomatic}\n{}", text::program(&readable));
        }
    }
    text::program(&readable)
}

#[test]
fn a_fetch_is_one_expression() {
    let mut builder = FunctionBuilder::new("main");
    let uv = [0, 1].map(|lane| load(&mut builder, Space::Input, 4 + lane));
    let texel = builder.values(Op::Texture(plane(2, TextureLevel::Quad)), &uv);
    for (lane, channel) in texel.iter().enumerate() {
        store(&mut builder, lane as u32, *channel);
    }
    builder.returns(&[]);
    let globals = vec![varying("uv", 4, 2), colour(), sampler("picture", 2, 0)];
    assert_eq!(check(&module(globals, builder)), "main()\n  colour = texture(picture, uv)\n");
}

#[test]
fn a_fetch_stays_outside_of_conditions() {
    let mut builder = FunctionBuilder::new("main");
    let uv = [0, 1].map(|lane| load(&mut builder, Space::Input, 4 + lane));
    let texel = builder.values(Op::Texture(plane(0, TextureLevel::Quad)), &uv);
    let slope = builder.value(Op::Derivative(Axis::X, F32), &[uv[0]]);
    let zero = builder.float(0.0);
    let condition = builder.value(Op::FCompare(CompareFloat::Gt, F32), &[uv[1], zero]);
    let chosen = builder.value(Op::Select, &[condition, texel[0], uv[0]]);
    store(&mut builder, 0, chosen);
    let chosen = builder.value(Op::Select, &[condition, slope, uv[1]]);
    store(&mut builder, 1, chosen);
    builder.returns(&[]);
    let globals = vec![varying("uv", 4, 2), colour(), sampler("picture", 0, 0)];
    let text = check(&module(globals, builder));
    let choice = text.lines().find(|line| line.contains('?')).unwrap();
    assert!(!choice.contains("texture") && !choice.contains("Derivative"), "{text}");
}

#[test]
fn a_fetch_under_a_condition_stays_there() {
    let mut builder = FunctionBuilder::new("main");
    let uv = [0, 1].map(|lane| load(&mut builder, Space::Input, 4 + lane));
    let zero = builder.float(0.0);
    let condition = builder.value(Op::FCompare(CompareFloat::Gt, F32), &[uv[1], zero]);
    let (then, otherwise, join) = (builder.block(), builder.block(), builder.block());
    builder.branch(condition, then, otherwise);
    let result = builder.param(join, crate::Type::B32);
    for (block, unit) in [(then, 0), (otherwise, 1)] {
        builder.switch_to(block);
        let texel = builder.values(Op::Texture(plane(unit, TextureLevel::Bias)), &[uv[0], uv[1], uv[0]]);
        builder.jump(join, &[texel[0]]);
    }
    builder.switch_to(join);
    store(&mut builder, 0, result);
    builder.returns(&[]);
    let text = check(&module(vec![varying("uv", 4, 2), colour(), sampler("a", 0, 0)], builder));
    assert!(text.contains("if") && !text.contains('?'), "{text}");
    assert!(text.contains("texture(texture1, uv, Bias uv.x)"), "{text}");
}

#[test]
fn textures_by_number_need_an_array() {
    let write = || {
        let mut builder = FunctionBuilder::new("main");
        let x = load(&mut builder, Space::Input, 4);
        let index = builder.value(Op::FToS(Width::F32, Round::Zero), &[x]);
        let texture = Texture { indexed: true, ..plane(3, TextureLevel::Given) };
        let texel = builder.values(Op::Texture(texture), &[index, x, x, x]);
        store(&mut builder, 0, texel[3]);
        builder.returns(&[]);
        builder
    };
    let text = check(&module(vec![varying("uv", 4, 2), colour(), sampler("layers", 2, 4)], write()));
    assert!(text.contains("texture(layers[(Int(uv.x) + 1)], uv.xx, Given uv.x).w"), "{text}");
    let error = raise(&module(vec![sampler("single", 3, 0)], write()), Mode::Readable).unwrap_err();
    assert!(error.to_string().contains("chosen by number, from unit 3"), "{error}");
}

/// Rows of the product of a matrix at a word with four values, added up from the last column.
fn product(builder: &mut FunctionBuilder, first: u32, size: u32, vector: &[Value]) -> Vec<Value> {
    (0..size)
        .map(|row| {
            let mut sum = None;
            for (column, by) in vector.iter().enumerate().rev() {
                let factor = load(builder, Space::Uniform, first + 4 * column as u32 + row);
                let product = builder.value(MUL, &[factor, *by]);
                sum = Some(match sum {
                    Some(sum) => builder.value(ADD, &[product, sum]),
                    None => product,
                });
            }
            sum.unwrap()
        })
        .collect()
}

#[test]
fn sums_of_columns_are_products_with_a_matrix() {
    let mut builder = FunctionBuilder::new("main");
    let position: Vec<Value> = (0..4).map(|lane| load(&mut builder, Space::Input, lane)).collect();
    let view = product(&mut builder, 16, 4, &position);
    let clip = product(&mut builder, 0, 4, &view);
    for (lane, value) in (0..).zip(&clip) {
        store(&mut builder, lane, *value);
    }
    builder.returns(&[]);
    let globals = vec![
        varying("position", 0, 4),
        colour(),
        uniform("projection", 0, matrix(4, 0)),
        uniform("bones", 16, matrix(4, 2)),
    ];
    let text = check(&module(globals, builder));
    assert_eq!(text, "main()\n  colour = (projection * (bones[0] * position -> 4) -> 4)\n");
}

#[test]
fn a_matrix_of_an_array_is_chosen_by_number() {
    let mut builder = FunctionBuilder::new("main");
    let position: Vec<Value> = (0..3).map(|lane| load(&mut builder, Space::Input, lane)).collect();
    let number = load(&mut builder, Space::Uniform, 60);
    let index = builder.value(Op::FToS(Width::F32, Round::Zero), &[number]);
    for row in 0..3 {
        let mut sum = None;
        for (column, by) in (0..).zip(&position) {
            let factor = builder.value(Op::Load(access(Space::Uniform, 16 + 4 * column + row, 12)), &[index]);
            let product = builder.value(MUL, &[factor, *by]);
            sum = Some(match sum {
                Some(sum) => builder.value(ADD, &[sum, product]),
                None => product,
            });
        }
        store(&mut builder, row, sum.unwrap());
    }
    builder.returns(&[]);
    let mut count = uniform("which", 60, Shape::Int { components: 1, elements: 0 });
    count.as_float = true;
    let globals = vec![varying("position", 0, 3), colour(), uniform("frames", 16, matrix(3, 3)), count];
    let text = check(&module(globals, builder));
    assert!(text.contains("(frames[which] * position -> 3)") || text.contains("(frames[Int("), "{text}");
}

#[test]
fn components_strides_and_numbers_in_floats() {
    let mut builder = FunctionBuilder::new("main");
    let weight = load(&mut builder, Space::Uniform, 8);
    let pair = load(&mut builder, Space::Uniform, 5);
    let fade = load(&mut builder, Space::Uniform, 7);
    let number = load(&mut builder, Space::Uniform, 61);
    let flag = load(&mut builder, Space::Uniform, 62);
    let index = builder.value(Op::FToS(Width::F32, Round::Zero), &[number]);
    let chosen = builder.value(Op::Load(access(Space::Uniform, 8, 1)), &[index]);
    let zero = builder.float(0.0);
    let on = builder.value(Op::FCompare(CompareFloat::Ne, F32), &[flag, zero]);
    let values = [
        builder.value(ADD, &[weight, pair]),
        builder.value(MUL, &[fade, number]),
        builder.value(Op::Select, &[on, chosen, fade]),
    ];
    for (at, value) in (0..).zip(values) {
        store(&mut builder, at, value);
    }
    builder.returns(&[]);
    let mut globals = vec![
        colour(),
        uniform("pairs", 4, float(2, 2)),
        uniform("weights", 8, float(1, 5)),
        uniform("count", 61, Shape::Int { components: 1, elements: 0 }),
        uniform("on", 62, Shape::Bool { components: 1, elements: 0 }),
    ];
    globals[1].stride = 2;
    globals[2].stride = 1;
    globals[3].as_float = true;
    globals[4].as_float = true;
    let text = check(&module(globals, builder));
    for part in
        ["pairs[0].y", "pairs[1].y", "weights[0]", "weights[Int(Float(count))]", "Float(count)", "(on ?"]
    {
        let shorter = part.replace("Int(Float(count))", "count");
        assert!(text.contains(part) || text.contains(&shorter), "{part} in {text}");
    }
}

#[test]
fn functions_of_the_languages_are_found() {
    let mut builder = FunctionBuilder::new("main");
    let x: Vec<Value> = (0..3).map(|lane| load(&mut builder, Space::Input, lane)).collect();
    let n: Vec<Value> = (0..3).map(|lane| load(&mut builder, Space::Input, 4 + lane)).collect();
    let mut sum = builder.float(0.0);
    for (a, b) in x.iter().zip(&n) {
        let product = builder.value(MUL, &[*a, *b]);
        sum = builder.value(ADD, &[sum, product]);
    }
    let two = builder.float(2.0);
    let twice = builder.value(MUL, &[sum, two]);
    for lane in 0..3 {
        let along = builder.value(MUL, &[twice, n[lane]]);
        let back = builder.value(Op::FNeg(Width::F32), &[along]);
        let reflected = builder.value(ADD, &[x[lane], back]);
        store(&mut builder, lane as u32, reflected);
    }
    let [dx, dy] = [Axis::X, Axis::Y].map(|axis| {
        let slope = builder.value(Op::Derivative(axis, F32), &[x[0]]);
        builder.value(Op::FAbs(Width::F32), &[slope])
    });
    let width = builder.value(ADD, &[dx, dy]);
    store(&mut builder, 3, width);
    let (zero, one, minus) = (builder.float(0.0), builder.float(1.0), builder.float(-1.0));
    let below = builder.value(Op::FCompare(CompareFloat::Lt, F32), &[x[1], zero]);
    let above = builder.value(Op::FCompare(CompareFloat::Gt, F32), &[x[1], zero]);
    let low = builder.value(Op::Select, &[below, minus, zero]);
    let sign = builder.value(Op::Select, &[above, one, low]);
    store(&mut builder, 4, sign);
    builder.returns(&[]);
    let globals = vec![
        varying("x", 0, 3),
        varying("n", 4, 3),
        colour(),
        Global::new("sign", Space::Output, 0, 4, float(1, 0)),
    ];
    let text = check(&module(globals, builder));
    for part in ["Reflect(x, n)", "DerivativeWidth(x.x)", "Sign(x.y)"] {
        assert!(text.contains(part), "{part} in {text}");
    }
}

#[test]
fn loops_count_in_floats() {
    let mut builder = FunctionBuilder::new("main");
    let x = load(&mut builder, Space::Input, 0);
    let (start, one, end) = (builder.float(0.0), builder.float(1.0), builder.float(5.0));
    let (header, body, done) = (builder.block(), builder.block(), builder.block());
    let count = builder.param(header, crate::Type::B32);
    let total = builder.param(header, crate::Type::B32);
    builder.jump(header, &[start, x]);
    builder.switch_to(header);
    let over = builder.value(Op::FCompare(CompareFloat::Ge, F32), &[count, end]);
    builder.branch(over, done, body);
    builder.switch_to(body);
    let next = builder.value(ADD, &[count, one]);
    let more = builder.value(MUL, &[total, x]);
    builder.jump(header, &[next, more]);
    builder.switch_to(done);
    store(&mut builder, 0, total);
    builder.returns(&[]);
    let text = check(&module(vec![varying("x", 0, 1), colour()], builder));
    assert!(text.contains("for i = 0; (i < 5); i += 1"), "{text}");
}

fn in_block(offset: u32) -> Op {
    Op::Load(Access { space: Space::Uniform, binding: 1, offset, stride: 0 })
}

/// A program with a block of 24 words as binding 1.
fn with_block(mut globals: Vec<Global>, builder: FunctionBuilder) -> Module {
    globals.push(colour());
    let block = UniformBlock { name: "Material".into(), named: true, binding: 1, words: 24 };
    Module { blocks: vec![block], ..module(globals, builder) }
}

#[test]
fn members_of_a_block_have_their_names_and_the_rest_numbers() {
    let mut builder = FunctionBuilder::new("main");
    // A member, an element of an array, a word that no member covers, a member that cannot be where it is.
    for (at, word) in [1, 12, 6, 17].into_iter().enumerate() {
        let value = builder.value(in_block(word), &[]);
        store(&mut builder, at as u32, value);
    }
    builder.returns(&[]);
    let member = |name: &str, offset, shape| Global::new(name, Space::Uniform, 1, offset, shape);
    let globals = vec![
        member("tint", 0, float(4, 0)),
        member("weights", 8, float(1, 2)),
        member("awkward", 17, float(3, 0)),
    ];
    let module = with_block(globals, builder);
    let text = check(&module);
    assert_eq!(text, "main()\n  colour = v4(tint.y, weights[1], Material_1.z, Material_4.y)\n");
    let mut module = module;
    ssa::run(&mut module);
    let program = raise(&module, Mode::Readable).unwrap().program;
    assert_eq!(program.blocks.len(), 1);
    let names: Vec<&str> = program.globals.iter().map(|variable| variable.global.name.as_str()).collect();
    assert_eq!(names, ["tint", "weights", "colour", "Material_1", "Material_4"]);
}

#[test]
fn a_block_without_members_has_those_that_are_used() {
    let mut builder = FunctionBuilder::new("main");
    let value = builder.value(in_block(6), &[]);
    store(&mut builder, 0, value);
    builder.returns(&[]);
    let mut module = with_block(Vec::new(), builder);
    let text = check(&module);
    assert_eq!(text, "main()\n  colour = v4(Material_value1_2, 0, 0, 0)\n");
    // Where no pass has looked for them it is an array.
    ssa::run(&mut module);
    let program = raise(&module, Mode::Readable).unwrap().program;
    let names: Vec<&str> = program.globals.iter().map(|variable| variable.global.name.as_str()).collect();
    assert!(names.contains(&"Material_values"), "{names:?}");
}

/// What the file names is there to be set, whether the program reads it or not.
#[test]
fn what_is_named_is_declared_unread() {
    let mut builder = FunctionBuilder::new("main");
    let value = load(&mut builder, Space::Uniform, 16);
    store(&mut builder, 0, value);
    builder.returns(&[]);
    let input = |name: &str, offset| Global::new(name, Space::Input, 0, offset, float(2, 0));
    let strided = |name: &str, offset, components| Global {
        stride: 16,
        ..Global::new(name, Space::Uniform, 0, offset, float(components, 4))
    };
    let globals = vec![
        input("normal", 4),
        // One has no name, one is made by a compiler, one has a meaning instead.
        Global { named: false, ..input("a2", 8) },
        input("gl_Color", 12),
        Global { semantic: Some("vertex-id".to_owned()), ..input("number", 16) },
        sampler("shadow", 3, 0),
        // Arrays of members lie in each other's gaps; what shares words with others is declared with none.
        uniform("read", 16, float(4, 0)),
        uniform("hidden", 18, float(1, 0)),
        strided("lights.colour", 64, 3),
        strided("lights.range", 67, 1),
        uniform("apart", 20, float(1, 0)),
    ];
    let mut module = with_block(globals, builder);
    let bare = UniformBlock { name: "Empty".into(), named: true, binding: 2, words: 8 };
    let unnamed = UniformBlock { name: "cb3".into(), named: false, binding: 3, words: 8 };
    module.blocks.extend([bare, unnamed]);
    module.globals.push(Global::new("weight", Space::Uniform, 1, 4, float(4, 0)));
    ssa::run(&mut module);
    for mode in [Mode::Readable, Mode::Strict] {
        let program = raise(&module, mode).unwrap().program;
        let mut names: Vec<&str> = program.globals.iter().map(|variable| &*variable.global.name).collect();
        names.sort_unstable();
        let expected = [
            "Empty_values",
            "apart",
            "colour",
            "lights.colour",
            "lights.range",
            "normal",
            "read",
            "shadow",
            "weight",
        ];
        assert_eq!(names, expected);
        let blocks: Vec<&str> = program.blocks.iter().map(|block| &*block.name).collect();
        assert_eq!(blocks, ["Material", "Empty"]);
    }
}

#[test]
fn inputs_of_vertices_are_arrays_over_them() {
    let mut builder = FunctionBuilder::new("main");
    let index = load(&mut builder, Space::Input, 0);
    let zero = builder.value(Op::FMul(F32, Multiply::ZeroWins), &[index, index]);
    let vertex = builder.value(Op::FToS(Width::F32, Round::Zero), &[zero]);
    let two = builder.bits(1);
    let vertex = builder.value(Op::And, &[vertex, two]);
    let per_vertex = Access { space: Space::Input, binding: 0, offset: 1, stride: 4 };
    let first = builder.value(Op::Load(per_vertex), &[vertex]);
    let last = load(&mut builder, Space::Input, 9);
    let sum = builder.value(ADD, &[first, last]);
    store(&mut builder, 0, sum);
    builder.returns(&[]);
    let v_param = Global { vertices: 3, vertex_stride: 4, ..varying("v_param", 0, 2) };
    let text = check(&module(vec![v_param, colour()], builder));
    assert!(text.contains("v_param[2].y") && text.contains("].y + "), "{text}");
}

#[test]
fn what_vertices_leave_are_vectors() {
    let mut builder = FunctionBuilder::new("main");
    let number = load(&mut builder, Space::Input, 0);
    let zero = builder.value(Op::FMul(F32, Multiply::ZeroWins), &[number, number]);
    let vertex = builder.value(Op::FToS(Width::F32, Round::Zero), &[zero]);
    let one = builder.bits(1);
    let vertex = builder.value(Op::And, &[vertex, one]);
    let two = builder.float(2.0);
    for lane in 0..4 {
        let value = load(&mut builder, Space::Input, 4 + lane);
        let scaled = builder.value(MUL, &[value, two]);
        builder.effect(Op::Store(access(Space::Output, lane, 4)), &[vertex, scaled]);
    }
    builder.effect(Op::Barrier(crate::Barrier::Group), &[]);
    // What the first vertex left, for the second one.
    let left: Vec<Value> = (0..4).map(|lane| load(&mut builder, Space::Output, lane)).collect();
    for (lane, value) in (4..).zip(left) {
        let scaled = builder.value(MUL, &[value, two]);
        store(&mut builder, lane, scaled);
    }
    builder.returns(&[]);
    let made =
        Global { vertices: 2, vertex_stride: 4, ..Global::new("made", Space::Output, 0, 0, float(4, 0)) };
    let module = Module { vectors_by_use: true, ..module(vec![varying("value", 4, 4), made], builder) };
    let text = check(&module);
    assert!(text.contains("= (value * 2)") && text.contains("made[1] = (made[0] * 2)"), "{text}");
}

#[test]
fn short_answers_of_textures_are_short() {
    let mut builder = FunctionBuilder::new("main");
    let uv = [0, 1].map(|lane| load(&mut builder, Space::Input, 4 + lane));
    let shadow = Texture { shadow: true, ..plane(1, TextureLevel::Quad) };
    let reference = load(&mut builder, Space::Input, 6);
    let lit = builder.values(Op::Texture(shadow), &[uv[0], uv[1], reference]);
    let size = Texture { query: TextureQuery::Size, ..plane(2, TextureLevel::Quad) };
    let size = builder.values(Op::Texture(size), &[]);
    let width = builder.value(Op::SToF(F32), &[size[0]]);
    let product = builder.value(MUL, &[lit[0], lit[2]]);
    store(&mut builder, 0, product);
    store(&mut builder, 1, width);
    builder.returns(&[]);
    let text = check(&module(vec![varying("uv", 4, 3), colour()], builder));
    assert!(text.contains("Float1 shadow = texture(texture1, uv.xy, uv.z).x"), "{text}");
    assert!(text.contains("shadow * shadow") && text.contains("texture(Size texture2,).x"), "{text}");
}
