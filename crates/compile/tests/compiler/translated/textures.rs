//! Textures and images of the vectors.

use serde_json::Value;
use unshade_ir::{CompareFloat, ImageFormat, Texel, TextureShape};
use unshade_isa::texture::{Filter, Image, Sampler, Storage, Wrap, texel_byte};

fn shape(target: &str) -> TextureShape {
    match target.to_ascii_uppercase().replace('_', "").as_str() {
        "1D" => TextureShape::Line,
        "1DARRAY" => TextureShape::LineArray,
        "2D" => TextureShape::Plane,
        "2DARRAY" => TextureShape::PlaneArray,
        "2DMS" => TextureShape::PlaneSamples,
        "2DMSARRAY" => TextureShape::PlaneSamplesArray,
        "3D" => TextureShape::Volume,
        "CUBE" => TextureShape::Cube,
        "CUBEARRAY" => TextureShape::CubeArray,
        "BUFFER" => TextureShape::Buffer,
        "RECT" | "RECTANGLE" => TextureShape::Rectangle,
        other => panic!("{other}"),
    }
}

fn number(value: &Value) -> u32 {
    value.as_u64().unwrap_or(0) as u32
}

fn sides(value: &Value) -> [u32; 3] {
    std::array::from_fn(|axis| number(&value["size"][axis]).max(1))
}

/// A texture of a file; `more` is added to its seed.
pub fn texture(value: &Value, more: u32, filter: &str, seamless: bool) -> Image {
    let shape = shape(value["target"].as_str().unwrap());
    let size = sides(value);
    let kind = match value["format"].as_str() {
        Some("rgba32i") => "i",
        Some("rgba32ui") => "u",
        _ => value["kind"].as_str().unwrap_or("f"),
    };
    let texel = match kind {
        "i" => Texel::Int,
        "u" => Texel::Uint,
        _ => Texel::Float,
    };
    let filter = match filter {
        "linear" if texel == Texel::Float => Filter::Linear,
        _ => Filter::Nearest,
    };
    let levels = number(&value["levels"]).max(1);
    let state = &value["sampler"];
    let wrap = match state["wrap"].as_str() {
        Some("clamp_to_edge") => Wrap::Edge,
        _ => Wrap::Repeat,
    };
    let mip = if state.is_null() || levels > 1 { Some(Filter::Nearest) } else { None };
    let sampler = Sampler {
        min: filter,
        mag: filter,
        mip,
        wrap: [wrap; 3],
        compare: CompareFloat::Le,
        seamless,
        ..Sampler::default()
    };
    if let Some(data) = value["data"].as_array() {
        let levels = data.iter().map(|words| {
            let words = super::words(words);
            words.chunks(4).map(|texel| std::array::from_fn(|n| texel.get(n).copied().unwrap_or(0))).collect()
        });
        return Image { shape, size: layered(shape, size), texel, levels: levels.collect(), sampler };
    }
    let samples = number(&value["samples"]).max(1);
    let seed = number(&value["seed"]) + more;
    let chain = if shape.has_samples() { samples } else { levels };
    let mut image = Image { shape, size: layered(shape, size), texel, levels: Vec::new(), sampler };
    for step in 0..chain {
        let (level, sample) = if shape.has_samples() { (0, step) } else { (step, 0) };
        let halves = match shape {
            TextureShape::Line | TextureShape::LineArray | TextureShape::Buffer => 1,
            TextureShape::Volume => 3,
            _ => 2,
        };
        let side = |axis: usize| {
            let size = image.size[axis];
            if axis < halves && !shape.has_samples() { (size >> level).max(1) } else { size }
        };
        let faces = if shape.is_cube() { 6 } else { 1 };
        let (rows, layers) = (side(1), side(2) * faces);
        let mut texels = Vec::new();
        for z in 0..layers {
            for y in 0..rows {
                for x in 0..side(0) {
                    let place = [x, y, z];
                    texels.push(std::array::from_fn(|channel| {
                        let byte = texel_byte(place, level, channel as u32, sample, seed);
                        match kind {
                            "i" => (i32::from(byte) - 128) as u32,
                            "u" => byte.into(),
                            "d" => (f32::from(texel_byte(place, level, 0, sample, seed)) / 256.0).to_bits(),
                            _ => (f32::from(byte) / 256.0).to_bits(),
                        }
                    }));
                }
            }
        }
        image.levels.push(texels);
    }
    image
}

/// Sizes as the texture's own type counts them: layers in their place.
fn layered(shape: TextureShape, size: [u32; 3]) -> [u32; 3] {
    match shape {
        TextureShape::Cube => [size[0], size[1], 1],
        TextureShape::CubeArray => [size[0], size[1], size[2] / 6],
        _ => size,
    }
}

/// An image of a file.
pub fn image(value: &Value, more: u32) -> Storage {
    let shape = shape(value["target"].as_str().unwrap());
    let name = value["format"].as_str().unwrap();
    let format = ImageFormat::ALL.into_iter().find(|format| format.name() == name).unwrap();
    let seed = number(&value["seed"]) + more;
    let size = sides(value);
    let mut bytes = Vec::new();
    for z in 0..size[2] {
        for y in 0..size[1] {
            for x in 0..size[0] {
                for channel in 0..4 {
                    let byte = texel_byte([x, y, z], 0, channel, 0, seed);
                    let single = f32::from(byte) / 256.0;
                    match name {
                        "rgba8" => bytes.push(byte),
                        "rgba16f" => bytes.extend(half(single).to_le_bytes()),
                        "rgba32f" => bytes.extend(single.to_le_bytes()),
                        "rgba32i" | "rgba32ui" => bytes.extend(u32::from(byte).to_le_bytes()),
                        "r32f" if channel == 0 => bytes.extend(single.to_le_bytes()),
                        "r32i" | "r32ui" if channel == 0 => bytes.extend(u32::from(byte).to_le_bytes()),
                        _ => {}
                    }
                }
            }
        }
    }
    Storage { shape, size, format, bytes }
}

/// A float of 16 bits; these are exact.
fn half(value: f32) -> u16 {
    use unshade_ir::exec::evaluate;
    use unshade_ir::{FloatMode, Op, Type, Width};
    let mode = FloatMode { width: Width::F16, ..FloatMode::F32 };
    let bits = evaluate(&Op::FConvert(Width::F32, mode), Type::B32, &[value.to_bits().into()]);
    bits.unwrap_or_default() as u16
}
