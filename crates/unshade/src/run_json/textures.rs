//! The textures that a document names: by formula, or the probe of its evaluator files.

use super::document::small_number;
use super::words::{object, text};
use super::{Case, Document, RunJsonError};
use serde_json::{Map, Value};
use unshade_ir::{TextureLevel, TextureShape};
use unshade_isa::texture::{Bank, Bound, Fetch, Filter, Procedural, Textures, face};

/// Largest width, height and number of levels; no more than any of these machines has.
const LARGEST: u32 = 1 << 14;

/// The textures of a case, by the number of their sampler.
pub(super) fn bank(document: &Document, case: &Case) -> Result<Bank, RunJsonError> {
    let mut bank = Bank::default();
    let Some(textures) = document.header.get("textures") else { return Ok(bank) };
    let filter = filter(case)?;
    let more = match case.source.get("seed") {
        Some(seed) => small_number(seed, &format!("{}.seed", case.path))?,
        None => 0,
    };
    for (key, texture) in object(textures, "textures")? {
        let path = format!("textures.{key}");
        let unit = key
            .parse()
            .map_err(|_| RunJsonError::new(path.clone(), format!("{key:?} is no number of a sampler")))?;
        bank.units.insert(unit, bound(object(texture, &path)?, filter, more, &path)?);
    }
    Ok(bank)
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
