//! Textures to look at a program with: a checkerboard with a gradient, so that every place of it can be told.

use unshade_ir::{CompareFloat, Texel, TextureShape};
use unshade_isa::texture::{Bank, Bound, Filter, Image, Sampler};

/// Width and height of the largest level in texels.
pub const SIDE: u32 = 128;
/// Levels, down to one texel.
pub const LEVELS: u32 = 8;

/// The texels of all levels of a texture, the largest first: red, green, blue, alpha of each, x fastest. `number` tells
/// textures and faces of cubes apart.
pub fn levels(number: u32) -> Vec<u8> {
    let mut level: Vec<[u8; 4]> = (0..SIDE * SIDE).map(|at| texel(at % SIDE, at / SIDE, number)).collect();
    let mut all = level.as_flattened().to_vec();
    let mut side = SIDE as usize;
    while side > 1 {
        let half = side / 2;
        let mean = |at: usize| {
            let corner = (at / half) * 2 * side + (at % half) * 2;
            let four = [corner, corner + 1, corner + side, corner + side + 1];
            let texels = four.map(|at| level.get(at).copied().unwrap_or_default());
            std::array::from_fn(|n| {
                ((texels.iter().map(|texel| u32::from(texel[n])).sum::<u32>() + 2) / 4) as u8
            })
        };
        let next: Vec<[u8; 4]> = (0..half * half).map(mean).collect();
        all.extend_from_slice(next.as_flattened());
        (level, side) = (next, half);
    }
    all
}

/// A texel of the largest level.
fn texel(x: u32, y: u32, number: u32) -> [u8; 4] {
    let light = if (x / 16 + y / 16) % 2 == 1 { 20 } else { 11 };
    let colour = [x * 200 / SIDE + 55, y * 200 / SIDE + 55, 90 + number % 6 * 27];
    let [red, green, blue] = colour.map(|part| (part * light / 20) as u8);
    [red, green, blue, 255]
}

/// The kinds of textures that programs declare, and how GLSL calls them.
const KINDS: [(&str, TextureShape, bool); 14] = [
    ("sampler1D", TextureShape::Line, false),
    ("sampler1DArray", TextureShape::LineArray, false),
    ("sampler1DShadow", TextureShape::Line, true),
    ("sampler1DArrayShadow", TextureShape::LineArray, true),
    ("sampler2DRect", TextureShape::Rectangle, false),
    ("samplerCubeArray", TextureShape::CubeArray, false),
    ("samplerCubeArrayShadow", TextureShape::CubeArray, true),
    ("sampler2D", TextureShape::Plane, false),
    ("sampler3D", TextureShape::Volume, false),
    ("samplerCube", TextureShape::Cube, false),
    ("sampler2DArray", TextureShape::PlaneArray, false),
    ("sampler2DShadow", TextureShape::Plane, true),
    ("samplerCubeShadow", TextureShape::Cube, true),
    ("sampler2DArrayShadow", TextureShape::PlaneArray, true),
];

/// Binds the test texture of a number to units, in the shape that the source declares for that name. Others are black.
pub(super) fn bind(bank: &mut Bank, units: impl Iterator<Item = u32>, number: u32, source: &str, name: &str) {
    let declared = source.lines().filter(|line| line.contains("uniform")).find_map(|line| {
        let mut words = line.split([' ', ';', '[']).filter(|word| !word.is_empty());
        let kind = words.find(|word| word.contains("sampler"))?;
        (words.next() == Some(name)).then_some(kind)
    });
    let Some((_, shape, shadow)) = KINDS.into_iter().find(|(kind, ..)| declared == Some(*kind)) else {
        return;
    };
    let image = if shadow { passing(shape) } else { image(number, shape) };
    bank.units.extend(units.map(|unit| (unit, Bound::Image(image.clone()))));
}

/// A texture with which every comparison passes.
fn passing(shape: TextureShape) -> Image {
    Image {
        shape,
        size: [1; 3],
        texel: Texel::Float,
        levels: vec![vec![[f32::NEG_INFINITY.to_bits(); 4]; 6]],
        sampler: Sampler { compare: CompareFloat::Ge, ..Sampler::default() },
    }
}

/// A texture of a shape. What has one layer is the texture itself, one line its first row; a cube has another on each face.
fn image(number: u32, shape: TextureShape) -> Image {
    let numbers = if shape.is_cube() { 0..6 } else { number..number.saturating_add(1) };
    let texels: Vec<Vec<u8>> = numbers.map(levels).collect();
    let sampler = Sampler {
        min: Filter::Linear,
        mag: Filter::Linear,
        mip: Some(Filter::Linear),
        seamless: true,
        ..Sampler::default()
    };
    let is_line = shape.axes() == 1;
    let size = [SIDE, if is_line { 1 } else { SIDE }, 1];
    let mut image = Image { shape, size, texel: Texel::Float, levels: Vec::new(), sampler };
    let count = if shape == TextureShape::Rectangle { 1 } else { LEVELS };
    let mut start = 0;
    for level in 0..count {
        let side = (SIDE >> level) as usize;
        let taken = if is_line { side } else { side * side };
        let bytes = texels
            .iter()
            .flat_map(|all| all.get(start..start + taken * 4).unwrap_or_default().as_chunks::<4>().0);
        image.levels.push(bytes.map(|texel| texel.map(|byte| (f32::from(byte) / 255.0).to_bits())).collect());
        start += side * side * 4;
    }
    image
}

#[cfg(test)]
mod tests {
    use super::*;
    use unshade_ir::{Texture, TextureLevel};
    use unshade_isa::texture::{Fetch, Query, Textures};

    #[test]
    fn every_shape_has_as_many_texels_as_its_size_says() {
        let faces = |shape: TextureShape| if shape.is_cube() { 6 } else { 1 };
        for (name, shape, shadow) in KINDS {
            let image = if shadow { passing(shape) } else { image(2, shape) };
            for (number, level) in (0_u32..).zip(&image.levels) {
                let texels =
                    image.size.map(|side| (side >> number).max(1)).iter().product::<u32>() * faces(shape);
                // What passes has texels enough for a cube in every shape.
                let expected = if shadow { 6 } else { texels as usize };
                assert_eq!(level.len(), expected, "{name}, level {number}");
            }
        }
        let (line, plane) = (image(2, TextureShape::Line), image(2, TextureShape::Plane));
        assert_eq!(line.levels[1], plane.levels[1][..64], "a line is the first row");
    }

    #[test]
    fn levels_are_means_of_what_is_below() {
        let all = levels(1);
        let texels: u32 = (0..LEVELS).map(|level| (SIDE >> level).pow(2)).sum();
        assert_eq!(all.len(), 4 * texels as usize);
        let last = &all[all.len() - 4..];
        let level = &all[..(SIDE * SIDE * 4) as usize];
        for channel in 0..3 {
            let sum: u64 = level.iter().skip(channel).step_by(4).map(|byte| u64::from(*byte)).sum();
            let mean = sum as f64 / f64::from(SIDE * SIDE);
            assert!((mean - f64::from(last[channel])).abs() < 4.0, "{mean} {last:?}");
        }
    }

    fn asked(bank: &Bank, unit: u32, shape: TextureShape, shadow: bool, coordinates: &[f32]) -> [f32; 4] {
        let words: Vec<u32> = coordinates.iter().map(|part| part.to_bits()).collect();
        let texture = Texture { shadow, ..Texture::sample(unit, shape, TextureLevel::Quad) };
        let query = Query { texture, operands: [&words; 4], faces: None, wanted: [true; 4] };
        let mut bank = bank;
        bank.query(&query)[0].map(f32::from_bits)
    }

    #[test]
    fn textures_have_the_shape_that_is_declared() {
        let source =
            "uniform lowp sampler2D a;\nuniform samplerCube b[2];\nuniform highp sampler2DShadow ab;\n";
        let mut bank = Bank::default();
        for (name, units) in [("a", 3..4), ("b", 5..7), ("ab", 8..9), ("c", 9..10)] {
            bind(&mut bank, units, 2, source, name);
        }
        assert_eq!(bank.units.len(), 4);
        let [red, .., alpha] = asked(&bank, 3, TextureShape::Plane, false, &[0.1, 0.2]);
        assert!(red > 0.1 && alpha == 1.0);
        assert_eq!(asked(&bank, 6, TextureShape::Cube, false, &[0.1, 0.2, 1.0])[3], 1.0);
        for reference in [-7.0, 0.5, 9.0] {
            assert_eq!(asked(&bank, 8, TextureShape::Plane, true, &[0.3, 0.3, reference])[0], 1.0);
        }
        assert_eq!(asked(&bank, 9, TextureShape::Plane, false, &[0.1, 0.2]), [0.0; 4]);
    }

    #[test]
    fn both_ways_of_asking_give_the_same() {
        let mut bank = Bank::default();
        bind(&mut bank, 3..4, 2, "uniform sampler2D a;", "a");
        let mut fetch = Fetch {
            shape: TextureShape::Plane,
            level: TextureLevel::Quad,
            units: [3; 4],
            coordinates: [[0.1, 0.2, 0.0], [0.15, 0.2, 0.0], [0.1, 0.25, 0.0], [0.15, 0.25, 0.0]],
            levels: [0.5; 4],
            wanted: [true, true, false, true],
        };
        for level in [TextureLevel::Quad, TextureLevel::Bias, TextureLevel::Given] {
            fetch.level = level;
            let fetched = bank.fetch(&fetch);
            let mut words = fetch.coordinates.map(|at| vec![at[0].to_bits(), at[1].to_bits()]);
            if level != TextureLevel::Quad {
                words.iter_mut().for_each(|words| words.push(0.5_f32.to_bits()));
            }
            let operands: [&[u32]; 4] = std::array::from_fn(|n| words[n].as_slice());
            let texture = Texture::sample(3, TextureShape::Plane, level);
            let query = Query { texture, operands, faces: None, wanted: fetch.wanted };
            assert_eq!(bank.query(&query).map(|texel| texel.map(f32::from_bits)), fetched);
            assert_eq!(fetched[2], [0.0; 4]);
        }
    }
}
