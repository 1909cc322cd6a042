//! Images that a program reads as bits get the format by which it unpacks them, or none where it does not say one.

use unshade_ir::build::FunctionBuilder;
use unshade_ir::passes;
use unshade_ir::{
    Access, FloatMode, Global, Image, ImageFormat, ImageQuery, Module, Multiply, Op, Shape, Space, Texel,
    TextureShape, Value, Width,
};
use unshade_isa_maxwell::address_map::raw_image;
use unshade_isa_maxwell::lift::idiom::TEXELS;

const SHAPE: TextureShape = TextureShape::Plane;

/// A program that reads a texel of so many bytes and stores what `unpack` makes of its words.
fn program(bytes: u32, unpack: impl Fn(&mut FunctionBuilder, &[Value]) -> Vec<Value>) -> Module {
    let mut module = Module::default();
    let mut code = FunctionBuilder::new("main");
    let unit = raw_image(3, Some(bytes));
    let at = code.bits(0);
    let load = Image { unit, indexed: false, shape: SHAPE, query: ImageQuery::Load };
    let words = code.values(Op::Image(load), &[at, at]).to_vec();
    for (offset, value) in (0..).zip(unpack(&mut code, &words)) {
        code.effect(Op::Store(Access { space: Space::Output, binding: 0, offset, stride: 0 }), &[value]);
    }
    // A store through the format, which has its own declaration.
    let store = Image { unit: 3, query: ImageQuery::Store, ..load };
    code.effect(Op::Image(store), &[at, at, at, at, at, at]);
    code.returns(&[]);
    module.push_function(code.finish());
    let shape = |texel, format| Shape::Image { shape: SHAPE, elements: 0, texel, format };
    module.globals.push(Global::new("picture", Space::Image, 0, 3, shape(Texel::Float, None)));
    let raw = shape(Texel::Uint, Some(ImageFormat::R32ui));
    module.globals.push(Global::new("picture_2", Space::Image, 0, unit, raw));
    module
}

/// The format that the pass finds; there is one declaration then, by the first name.
fn found(bytes: u32, unpack: impl Fn(&mut FunctionBuilder, &[Value]) -> Vec<Value>) -> Option<ImageFormat> {
    let mut module = program(bytes, unpack);
    let before = module.clone();
    let report = passes::run(&mut module, &[TEXELS], None);
    if report.passes.iter().all(|(_, count)| *count == 0) {
        assert_eq!(module, before);
        return None;
    }
    let [global] = &module.globals[..] else { panic!("{:?}", module.globals) };
    assert_eq!(global.name, "picture");
    let Shape::Image { texel, format, .. } = global.shape else { panic!("{:?}", global.shape) };
    assert_eq!(format.map(ImageFormat::texel), Some(texel));
    format
}

/// As the lift writes it: without shifts by nothing and masks of everything.
fn field(code: &mut FunctionBuilder, word: Value, first: u32, bits: u32, signed: bool) -> Value {
    let mut shifted = |op: Op, value: Value, by: u32| {
        let by = Some(by).filter(|by| *by > 0).map(|by| code.bits(by));
        by.map_or(value, |by| code.value(op, &[value, by]))
    };
    if signed {
        let up = shifted(Op::Shl, word, 32 - bits - first);
        return shifted(Op::ShrS, up, 32 - bits);
    }
    let down = shifted(Op::ShrU, word, first);
    if first + bits == 32 {
        return down;
    }
    let mask = code.bits((1 << bits) - 1);
    code.value(Op::And, &[down, mask])
}

/// A field as a part of `whole`, from which something is taken in the same instruction if `fused`.
fn part(code: &mut FunctionBuilder, value: Value, signed: bool, whole: f32, fused: bool) -> Value {
    let mode = FloatMode::F32;
    let number = code.value(if signed { Op::SToF(mode) } else { Op::UToF(mode) }, &[value]);
    let factor = code.float(1.0 / whole);
    if fused {
        let half = code.float(-0.5);
        return code.value(Op::FFma(mode, Multiply::Ieee), &[number, factor, half]);
    }
    code.value(Op::FMul(mode, Multiply::Ieee), &[number, factor])
}

#[test]
fn parts_of_one_are_normalized() {
    for (bytes, bits, signed, format) in [
        (1, 8, false, ImageFormat::R8),
        (2, 8, false, ImageFormat::Rg8),
        (4, 8, false, ImageFormat::Rgba8),
        (4, 8, true, ImageFormat::Rgba8Snorm),
        (2, 16, false, ImageFormat::R16),
        (4, 16, true, ImageFormat::Rg16Snorm),
        (8, 16, false, ImageFormat::Rgba16),
    ] {
        let whole = ((1_u32 << (bits - u32::from(signed))) - 1) as f32;
        for fused in [false, true] {
            let unpacked = found(bytes, |code, words| {
                let fields = (8 * bytes / bits).min(4);
                (0..fields)
                    .map(|n| {
                        let word = words[(n * bits / 32) as usize];
                        let field = field(code, word, n * bits % 32, bits, signed);
                        part(code, field, signed, whole, fused)
                    })
                    .collect()
            });
            assert_eq!(unpacked, Some(format));
        }
    }
}

#[test]
fn halves_and_words_are_what_they_are_used_as() {
    let halves = |code: &mut FunctionBuilder, words: &[Value]| {
        let mut made = Vec::new();
        for word in &words[..2] {
            for op in [Op::Low, Op::High] {
                let half = code.value(op, &[*word]);
                made.push(code.value(Op::FConvert(Width::F16, FloatMode::F32), &[half]));
            }
        }
        made
    };
    assert_eq!(found(8, halves), Some(ImageFormat::Rgba16f));
    let floats = |code: &mut FunctionBuilder, words: &[Value]| {
        vec![code.value(Op::FAdd(FloatMode::F32), &[words[0], words[0]])]
    };
    assert_eq!(found(4, floats), Some(ImageFormat::R32f));
    assert_eq!(found(16, floats), Some(ImageFormat::Rgba32f));
    let integers = |code: &mut FunctionBuilder, words: &[Value]| {
        let one = code.bits(1);
        vec![code.value(Op::UMax, &[words[0], one])]
    };
    assert_eq!(found(8, integers), Some(ImageFormat::Rg32ui));
    let fields = |signed| {
        move |code: &mut FunctionBuilder, words: &[Value]| {
            (0..4).map(|n| field(code, words[0], 8 * n, 8, signed)).collect::<Vec<Value>>()
        }
    };
    assert_eq!(found(4, fields(true)), Some(ImageFormat::Rgba8i));
    assert_eq!(found(4, fields(false)), Some(ImageFormat::Rgba8ui));
}

#[test]
fn what_does_not_agree_stays_bits() {
    // Fields of two sizes, a field across two others, parts of something else than 1 beside parts of 1.
    let sizes = |code: &mut FunctionBuilder, words: &[Value]| {
        vec![field(code, words[0], 0, 8, false), field(code, words[0], 16, 16, false)]
    };
    assert_eq!(found(4, sizes), None);
    let across = |code: &mut FunctionBuilder, words: &[Value]| vec![field(code, words[0], 4, 8, false)];
    assert_eq!(found(4, across), None);
    let mixed = |code: &mut FunctionBuilder, words: &[Value]| {
        let (low, high) = (field(code, words[0], 0, 8, false), field(code, words[0], 8, 8, false));
        vec![part(code, low, false, 255.0, false), part(code, high, false, 200.0, false)]
    };
    assert_eq!(found(4, mixed), None);
}
