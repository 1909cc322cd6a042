//! The textures that a document names: by formula, with their texels, or the probe of its evaluator files.

use super::document::small_number;
use super::words::{object, text};
use super::{Case, Document, RunJsonError};
use serde_json::{Map, Value};
use unshade_ir::{CompareFloat, Texel, TextureLevel, TextureShape};
use unshade_isa::texture::{
    Bank, Bound, Fetch, Filter, Image, Procedural, Sampler, Textures, Unbound, Wrap, face, texel_byte,
};
use unshade_stage::latte::Dimension;

/// Largest width, height and number of levels; no more than any of these machines has.
const LARGEST: u32 = 1 << 14;

/// The textures of a case, by the number of their sampler.
pub(crate) fn bank(document: &Document, case: &Case) -> Result<Bank, RunJsonError> {
    let mut bank = Bank { unbound: unbound(document)?, ..Bank::default() };
    let Some(textures) = document.header.get("textures") else { return Ok(bank) };
    let filter = filter(case)?;
    let more = seed(case)?;
    for (key, texture) in object(textures, "textures")? {
        let path = format!("textures.{key}");
        let unit = key
            .parse()
            .map_err(|_| RunJsonError::new(path.clone(), format!("{key:?} is no number of a sampler")))?;
        bank.units.insert(unit, bound(object(texture, &path)?, filter, more, &path)?);
    }
    Ok(bank)
}

/// What textures answer that the document does not name.
pub(super) fn unbound(document: &Document) -> Result<Unbound, RunJsonError> {
    match document.header.get("unbound").map(|unbound| text(unbound, "unbound")).transpose()? {
        None | Some("black") => Ok(Unbound::Black),
        Some("smooth") => Ok(Unbound::Smooth),
        Some("hashed") => Ok(Unbound::Hashed),
        Some(other) => {
            let message = format!("expected \"black\", \"smooth\" or \"hashed\", found {other:?}");
            Err(RunJsonError::new("unbound", message))
        }
    }
}

fn filter(case: &Case) -> Result<Filter, RunJsonError> {
    let path = format!("{}.filter", case.path);
    match case.source.get("filter").map(|filter| text(filter, &path)).transpose()? {
        None | Some("nearest") => Ok(Filter::Nearest),
        Some("linear") => Ok(Filter::Linear),
        Some(other) => {
            Err(RunJsonError::new(path, format!("expected \"nearest\" or \"linear\", found {other:?}")))
        }
    }
}

fn bound(texture: &Map<String, Value>, filter: Filter, more: u32, path: &str) -> Result<Bound, RunJsonError> {
    let field = |name: &str| format!("{path}.{name}");
    let string = |name: &str, otherwise: &'static str| match texture.get(name) {
        Some(value) => text(value, &field(name)),
        None => Ok(otherwise),
    };
    match string("kind", "f")? {
        "probe" => return Ok(Bound::Probe),
        "f" => {}
        other => {
            let message = format!("expected \"f\" or \"probe\", found {other:?}");
            return Err(RunJsonError::new(field("kind"), message));
        }
    }
    let shape = match string("target", "2D")? {
        "2D" => TextureShape::Plane,
        "Cube" => TextureShape::Cube,
        other => {
            let message = format!("expected \"2D\" or \"Cube\", found {other:?}");
            return Err(RunJsonError::new(field("target"), message));
        }
    };
    let size = match texture.get("size") {
        Some(Value::Array(size)) => size.as_slice(),
        _ => return Err(RunJsonError::new(field("size"), "expected an array of width and height")),
    };
    let side = |n: usize| {
        let path = format!("{path}.size[{n}]");
        let value = size.get(n).ok_or_else(|| RunJsonError::new(path.clone(), "missing"))?;
        in_range(small_number(value, &path)?, &path)
    };
    let number = |name: &str, otherwise: u32| match texture.get(name) {
        Some(value) => small_number(value, &field(name)),
        None => Ok(otherwise),
    };
    Ok(Bound::Procedural(Procedural {
        shape,
        size: [side(0)?, side(1)?],
        levels: in_range(number("levels", 1)?, &field("levels"))?,
        seed: number("seed", 0)?.wrapping_add(more),
        filter,
    }))
}

fn in_range(number: u32, path: &str) -> Result<u32, RunJsonError> {
    match number {
        1..=LARGEST => Ok(number),
        _ => Err(RunJsonError::new(path, format!("expected 1 to {LARGEST}, found {number}"))),
    }
}

/// A texture with its texels, and what it looks like to the machine.
pub(super) struct Named {
    pub(super) dimension: Dimension,
    pub(super) image: Image,
}

/// Texels of one texture, all levels and layers.
const TEXELS: u64 = 1 << 24;

/// The textures of a case with their texels, by the number of their resource. Without `data` the content is the
/// formula of the other machines' documents.
pub(super) fn images(document: &Document, case: &Case) -> Result<Vec<(u32, Named)>, RunJsonError> {
    images_by(document, case, |key, path| super::words::register(key, 1 << 16, path))
}

/// The same by the 32-bit handle that the constants of a driver hold, in hexadecimal digits. Faces of cubes count as
/// layers in such documents, and filters go over their edges.
pub(super) fn images_by_handle(document: &Document, case: &Case) -> Result<Vec<(u32, Named)>, RunJsonError> {
    let mut images = images_by(document, case, super::words::handle)?;
    for (_, named) in &mut images {
        let image = &mut named.image;
        image.sampler.seamless = true;
        if image.shape.is_cube() {
            image.size[2] = (image.size[2] / 6).max(1);
        }
    }
    Ok(images)
}

fn images_by(
    document: &Document,
    case: &Case,
    number: impl Fn(&str, &str) -> Result<u32, RunJsonError>,
) -> Result<Vec<(u32, Named)>, RunJsonError> {
    let Some(textures) = document.header.get("textures") else { return Ok(Vec::new()) };
    let filter = filter(case)?;
    let more = seed(case)?;
    let one = |(key, texture): (&String, &Value)| {
        let path = format!("textures.{key}");
        Ok((number(key, &path)?, image(object(texture, &path)?, document, filter, more, &path)?))
    };
    object(textures, "textures")?.iter().map(one).collect()
}

/// What a case adds to the seed of every texture and image.
pub(super) fn seed(case: &Case) -> Result<u32, RunJsonError> {
    case.source.get("seed").map_or(Ok(0), |seed| small_number(seed, &format!("{}.seed", case.path)))
}

fn image(
    fields: &Map<String, Value>,
    document: &Document,
    filter: Filter,
    more: u32,
    path: &str,
) -> Result<Named, RunJsonError> {
    let field = |name: &str| format!("{path}.{name}");
    let string = |name: &str, otherwise: &'static str| match fields.get(name) {
        Some(value) => text(value, &field(name)),
        None => Ok(otherwise),
    };
    let (dimension, shape) = match string("target", "2D")? {
        "1D" => (Dimension::D1, TextureShape::Line),
        "2D" => (Dimension::D2, TextureShape::Plane),
        "3D" => (Dimension::D3, TextureShape::Volume),
        "CUBE" | "Cube" => (Dimension::Cube, TextureShape::Cube),
        "1D_ARRAY" | "1DArray" => (Dimension::D1Array, TextureShape::LineArray),
        "2D_ARRAY" | "2DArray" => (Dimension::D2Array, TextureShape::PlaneArray),
        "CUBE_ARRAY" | "CubeArray" => (Dimension::CubeArray, TextureShape::CubeArray),
        "2DMS" => (Dimension::D2, TextureShape::PlaneSamples),
        "2DMSArray" => (Dimension::D2Array, TextureShape::PlaneSamplesArray),
        "RECT" => (Dimension::Rect, TextureShape::Rectangle),
        "BUFFER" | "Buffer" => (Dimension::Buffer, TextureShape::Buffer),
        other => {
            let message = format!("{other:?} is no target of a texture");
            return Err(RunJsonError::new(field("target"), message));
        }
    };
    let mut size = [1; 3];
    if let Some(Value::Array(sides)) = fields.get("size") {
        for (n, (place, side)) in size.iter_mut().zip(sides).enumerate() {
            let path = format!("{path}.size[{n}]");
            *place = in_range(small_number(side, &path)?, &path)?;
        }
    } else {
        return Err(RunJsonError::new(field("size"), "expected an array of width, height and depth"));
    }
    // Of shapes with samples an image holds the samples in place of levels.
    let chain = if shape.has_samples() { "samples" } else { "levels" };
    let levels = match fields.get(chain) {
        Some(levels) => small_number(levels, &field(chain))?.clamp(1, 15),
        None => 1,
    };
    let format = string("format", "rgba32f")?;
    let (texel, depth) = match (format, string("kind", "f")?) {
        (_, "d") | ("d32f", _) => (Texel::Float, true),
        (_, "i") | ("rgba32i", _) => (Texel::Int, false),
        (_, "u") | ("rgba32ui", _) => (Texel::Uint, false),
        ("rgba32f", "f") => (Texel::Float, false),
        _ => {
            let message = format!("expected rgba32f, rgba32i, rgba32ui or d32f, found {format:?}");
            return Err(RunJsonError::new(field("format"), message));
        }
    };
    let mut image = Image { shape, size, texel, levels: Vec::new(), sampler: sampler(fields, filter, path)? };
    if size.iter().map(|side| u64::from(*side)).product::<u64>() * 6 > TEXELS {
        return Err(RunJsonError::new(field("size"), format!("more than {TEXELS} texels")));
    }
    match fields.get("data") {
        Some(Value::Array(data)) => {
            for (level, words) in data.iter().enumerate() {
                let words = super::words::words(words, &document.pool, &format!("{path}.data[{level}]"))?;
                let texels = if depth {
                    words.iter().map(|word| [*word; 4]).collect()
                } else {
                    words
                        .chunks(4)
                        .map(|texel| std::array::from_fn(|n| texel.get(n).copied().unwrap_or(0)))
                        .collect()
                };
                image.levels.push(texels);
            }
        }
        Some(_) => {
            return Err(RunJsonError::new(field("data"), "expected a list of words, one for each level"));
        }
        None => {
            let seed = match fields.get("seed") {
                Some(seed) => small_number(seed, &field("seed"))?,
                None => 0,
            };
            fill(&mut image, levels, depth, seed.wrapping_add(more));
        }
    }
    Ok(Named { dimension, image })
}

/// Texels by formula.
fn fill(image: &mut Image, levels: u32, depth: bool, seed: u32) {
    let halves = |axis: usize| match image.shape {
        TextureShape::LineArray => axis < 1,
        TextureShape::PlaneArray | TextureShape::Cube | TextureShape::CubeArray => axis < 2,
        shape if shape.has_samples() => false,
        _ => true,
    };
    for level in 0..levels {
        let (level, sample) = if image.shape.has_samples() { (0, level) } else { (level, 0) };
        let side =
            |axis: usize| if halves(axis) { (image.size[axis] >> level).max(1) } else { image.size[axis] };
        let faces = if image.shape.is_cube() { 6 } else { 1 };
        let [width, height, layers] = [side(0), side(1), side(2) * faces];
        let mut texels = Vec::new();
        for z in 0..layers {
            for y in 0..height {
                for x in 0..width {
                    texels.push(std::array::from_fn(|channel| {
                        let channel = if depth { 0 } else { channel as u32 };
                        let byte = texel_byte([x, y, z], level, channel, sample, seed);
                        match image.texel {
                            Texel::Float => (f32::from(byte) / 256.0).to_bits(),
                            Texel::Int => (i32::from(byte) - 128) as u32,
                            Texel::Uint => byte.into(),
                        }
                    }));
                }
            }
        }
        image.levels.push(texels);
    }
}

/// The state of a sampler: `min`, `mag`, `wrap`, `compare`, `border`, `bias`.
fn sampler(fields: &Map<String, Value>, filter: Filter, path: &str) -> Result<Sampler, RunJsonError> {
    let mut sampler = Sampler { min: filter, mag: filter, mip: Some(Filter::Nearest), ..Sampler::default() };
    let Some(state) = fields.get("sampler") else { return Ok(sampler) };
    let path = format!("{path}.sampler");
    for (key, value) in object(state, &path)? {
        let path = format!("{path}.{key}");
        let unknown = |found: &str| RunJsonError::new(path.clone(), format!("{found:?} is not known here"));
        match key.as_str() {
            "mag" => {
                sampler.mag = match text(value, &path)? {
                    "nearest" => Filter::Nearest,
                    "linear" => Filter::Linear,
                    other => return Err(unknown(other)),
                };
            }
            "min" => {
                (sampler.min, sampler.mip) = match text(value, &path)? {
                    "nearest" => (Filter::Nearest, None),
                    "linear" => (Filter::Linear, None),
                    "nearest_mipmap_nearest" => (Filter::Nearest, Some(Filter::Nearest)),
                    "linear_mipmap_nearest" => (Filter::Linear, Some(Filter::Nearest)),
                    "nearest_mipmap_linear" => (Filter::Nearest, Some(Filter::Linear)),
                    "linear_mipmap_linear" => (Filter::Linear, Some(Filter::Linear)),
                    other => return Err(unknown(other)),
                };
            }
            "wrap" => {
                sampler.wrap = [match text(value, &path)? {
                    "repeat" => Wrap::Repeat,
                    "mirrored_repeat" => Wrap::Mirror,
                    "clamp_to_edge" => Wrap::Edge,
                    "mirror_clamp_to_edge" => Wrap::MirrorOnce,
                    "clamp_to_border" => Wrap::Border,
                    other => return Err(unknown(other)),
                }; 3];
            }
            "compare" => {
                sampler.compare = match text(value, &path)? {
                    "equal" => CompareFloat::Eq,
                    "notequal" => CompareFloat::Ne,
                    "less" => CompareFloat::Lt,
                    "lequal" => CompareFloat::Le,
                    "greater" => CompareFloat::Gt,
                    "gequal" => CompareFloat::Ge,
                    other => return Err(unknown(other)),
                };
            }
            "bias" => {
                let bias =
                    value.as_f64().ok_or_else(|| RunJsonError::new(path.clone(), "expected a number"))?;
                sampler.bias = bias as f32;
            }
            "border" => {
                let words = super::words::words(value, &Map::new(), &path)?;
                for (place, word) in sampler.border.iter_mut().zip(words) {
                    *place = word;
                }
            }
            _ => return Err(RunJsonError::new(path, "a sampler has no such state")),
        }
    }
    Ok(sampler)
}

/// Textures that notice where a result hangs on rounding: a fetch within a thousandth of a texel of a border, or
/// as near to the border of a level, may get another texel from another implementation.
#[derive(Debug)]
pub(super) struct Watched {
    bank: Bank,
    /// Pixels of which that holds.
    pub near: [bool; 4],
}

/// A thousandth of a texel.
const NEAR: f32 = 1e-3;
/// Implementations take the logarithm of the level of detail more or less exactly.
const LEVEL: f32 = 0.05;
/// Texels this close are as good as the same.
const CLOSE: f32 = 4e-3;

impl Watched {
    pub(super) fn new(bank: Bank) -> Self {
        Self { bank, near: [false; 4] }
    }
}

impl Textures for Watched {
    fn fetch(&mut self, fetch: &Fetch) -> [[f32; 4]; 4] {
        let texels = self.bank.fetch(fetch);
        for (pixel, near) in self.near.iter_mut().enumerate() {
            if let Some(Bound::Procedural(texture)) = self.bank.units.get(&fetch.units[pixel])
                && fetch.wanted[pixel]
                && !*near
            {
                *near = is_near_border(texture, fetch, pixel, texels[pixel]);
            }
        }
        texels
    }
}

/// Whether a small step in some direction, or to another level, changes the texel much. Which level a quad has
/// whose pixels lie on different faces of a cube is every implementation's own affair.
fn is_near_border(texture: &Procedural, fetch: &Fetch, pixel: usize, texel: [f32; 4]) -> bool {
    let differs =
        |other: [f32; 4]| other.iter().zip(texel).any(|(other, texel)| (other - texel).abs() > CLOSE);
    let faces = fetch.coordinates.map(face);
    if texture.shape == TextureShape::Cube && faces != [faces[0]; 4] {
        return true;
    }
    let shifted = [-LEVEL, LEVEL].map(|bias| {
        let level = if fetch.level == TextureLevel::Quad { TextureLevel::Bias } else { fetch.level };
        texture.fetch(&Fetch { level, levels: fetch.levels.map(|level| level + bias), ..*fetch }, pixel)
    });
    if shifted.into_iter().any(differs) {
        return true;
    }
    const STEPS: [[f32; 2]; 6] = [[1.0, 0.0], [-1.0, 0.0], [0.0, 1.0], [0.0, -1.0], [1.0, 1.0], [-1.0, -1.0]];
    let [width, height] = texture.size.map(|side| side as f32);
    STEPS.iter().any(|[right, up]| {
        let mut moved = *fetch;
        for coordinates in &mut moved.coordinates {
            match texture.shape {
                // The face of a cube goes from -1 to 1, at the distance of the largest coordinate.
                TextureShape::Cube => {
                    let distance = coordinates.iter().fold(0.0_f32, |most, x| most.max(x.abs()));
                    let step = 2.0 * NEAR / width * distance;
                    coordinates[0] += right * step;
                    coordinates[1] += up * step;
                    coordinates[2] += right * up * step;
                }
                _ => {
                    coordinates[0] += right * NEAR / width;
                    coordinates[1] += up * NEAR / height;
                }
            }
        }
        differs(texture.fetch(&moved, pixel))
    })
}
