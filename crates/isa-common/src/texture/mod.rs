//! Textures for the interpreters: what a program asks of them, and textures whose content is a formula, so
//! that the same texels exist everywhere without any image file.

mod image;
mod storage;

pub use image::{Image, Sampler, Wrap};
pub use storage::{ImageAccess, Images, Pictures, Storage, View};

use std::collections::BTreeMap;
use unshade_ir::exec::evaluate;
use unshade_ir::{FloatMode, Op, Texture, TextureLevel, TextureShape, Type, math};

/// Where a machine fetches from.
pub trait Textures {
    /// Red, green, blue, alpha for each pixel of the quad.
    fn fetch(&mut self, fetch: &Fetch) -> [[f32; 4]; 4];

    /// Answers of any kind for each pixel of the quad, as bits. Where there is only [`Textures::fetch`], all are 0.
    fn query(&mut self, query: &Query<'_>) -> [[u32; 4]; 4] {
        let _ = query;
        [[0; 4]; 4]
    }

    /// The shape of what is bound to a unit, where that is known.
    fn shape(&mut self, unit: u32) -> Option<TextureShape> {
        let _ = unit;
        None
    }
}

/// What a whole quad asks a texture: pixels (0, 0), (1, 0), (0, 1), (1, 1), y upwards.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Query<'a> {
    /// What is asked, and of which unit.
    pub texture: Texture,
    /// Operands of each pixel, as [`unshade_ir::Op::Texture`] has them, without an index.
    pub operands: [&'a [u32]; 4],
    /// Of cube maps where the program chose the face itself: place on the face, 1 to 2 each, and the face. The
    /// operands hold the direction.
    pub faces: Option<[[f32; 3]; 4]>,
    /// Pixels whose answers are looked at.
    pub wanted: [bool; 4],
}

/// A fetch of a whole quad: pixels (0, 0), (1, 0), (0, 1), (1, 1), y upwards.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Fetch {
    /// Shape of the texture, as the program says.
    pub shape: TextureShape,
    /// Where the level comes from.
    pub level: TextureLevel,
    /// Number of the texture for each pixel; they differ only where a register is in it.
    pub units: [u32; 4],
    /// Coordinates of each pixel; the third only of a cube map. Those of pixels that are not wanted serve
    /// the level of detail.
    pub coordinates: [[f32; 3]; 4],
    /// Bias or level, where [`Self::level`] says so; else 0.
    pub levels: [f32; 4],
    /// Pixels whose texels are looked at.
    pub wanted: [bool; 4],
}

/// No textures: black, nothing.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct NoTextures;

impl Textures for NoTextures {
    fn fetch(&mut self, _: &Fetch) -> [[f32; 4]; 4] {
        [[0.0; 4]; 4]
    }
}

/// How texels are put together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Filter {
    /// The nearest one.
    #[default]
    Nearest,
    /// Four around the place, weighted.
    Linear,
}

/// A texture whose texels are a formula of place, level and channel. Coordinates of a plane repeat, those on a
/// face of a cube map stay at its edge; of several levels the nearest is taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Procedural {
    /// A cube map, or a plane: all else counts as one.
    pub shape: TextureShape,
    /// Width and height of level 0 in texels; each further level has half, at least 1.
    pub size: [u32; 2],
    /// Number of levels, at least 1.
    pub levels: u32,
    /// Makes textures differ.
    pub seed: u32,
    /// How texels are put together.
    pub filter: Filter,
}

/// The byte of a texel: `x`, `y`; `z` is layer, slice or face; `level` of the chain; `channel` 0-3; `sample`.
pub fn texel_byte([x, y, z]: [u32; 3], level: u32, channel: u32, sample: u32, seed: u32) -> u8 {
    let products = [(37, x), (101, y), (59, z), (13, level), (71, channel), (29, seed), (83, sample)];
    let sum = products.iter().fold(0_u32, |sum, (factor, n)| sum.wrapping_add(n.wrapping_mul(*factor)));
    sum.wrapping_add(x.wrapping_mul(y).wrapping_mul(7)) as u8
}

impl Procedural {
    /// The texel at a place of a face (0 of a plane) and level, between 0 and 1.
    pub fn texel(&self, x: u32, y: u32, face: u32, level: u32) -> [f32; 4] {
        [0, 1, 2, 3].map(|channel| f32::from(texel_byte([x, y, face], level, channel, 0, self.seed)) / 256.0)
    }

    /// Size of a level.
    fn extent(&self, level: u32) -> [u32; 2] {
        self.size.map(|size| size.checked_shr(level).unwrap_or(0).max(1))
    }

    /// Fetches for one pixel of a quad.
    pub fn fetch(&self, fetch: &Fetch, pixel: usize) -> [f32; 4] {
        let own = fetch.coordinates[pixel & 3];
        let (face, place) = match self.shape {
            TextureShape::Cube => (face(own), on_face(face(own), own)),
            _ => (0, [own[0], own[1]]),
        };
        let mut lod = match fetch.level {
            TextureLevel::Given => 0.0,
            _ => self.level_of_detail(&fetch.coordinates, pixel & 3),
        };
        if fetch.level != TextureLevel::Quad {
            lod += fetch.levels[pixel & 3];
        }
        let most = self.levels.saturating_sub(1).min(31);
        // NaN and everything below gives level 0.
        let level = if lod >= 0.5 { (lod + 0.5).floor().min(most as f32) as u32 } else { 0 };
        self.sample(place, face, level)
    }

    /// Logarithm of how many texels lie between pixels: see [`neighbours`].
    fn level_of_detail(&self, coordinates: &[[f32; 3]; 4], pixel: usize) -> f32 {
        let own = coordinates[pixel & 3];
        let texels = |(high, low): (usize, usize)| {
            let change: [f32; 3] = std::array::from_fn(|n| coordinates[high][n] - coordinates[low][n]);
            let [u, v] = match self.shape {
                TextureShape::Cube => face_change(face(own), own, change),
                _ => [change[0], change[1]],
            };
            let [u, v] = [u * self.size[0] as f32, v * self.size[1] as f32];
            u * u + v * v
        };
        let [across, up] = neighbours(self.shape, pixel);
        let (across, up) = (texels(across), texels(up));
        math::log2(if across > up { across } else { up }) / 2.0
    }

    fn sample(&self, place: [f32; 2], face: u32, level: u32) -> [f32; 4] {
        let extent = self.extent(level);
        let scaled = [0, 1].map(|n: usize| {
            let inside = match self.shape {
                TextureShape::Cube => place[n].clamp(0.0, 1.0),
                _ => place[n] - place[n].floor(),
            };
            inside * extent[n] as f32
        });
        match self.filter {
            Filter::Nearest => {
                let [x, y] = [0, 1].map(|n: usize| (scaled[n] as u32).min(extent[n] - 1));
                self.texel(x, y, face, level)
            }
            Filter::Linear => {
                let corner = scaled.map(|x| (x - 0.5).floor());
                let weight = [0, 1].map(|n: usize| scaled[n] - 0.5 - corner[n]);
                let at = |dx: u32, dy: u32| {
                    let [x, y] = [0, 1].map(|n: usize| {
                        let step = if n == 0 { dx } else { dy };
                        let texel = corner[n] as i64 + i64::from(step);
                        match self.shape {
                            TextureShape::Cube => texel.clamp(0, i64::from(extent[n]) - 1) as u32,
                            _ => texel.rem_euclid(extent[n].into()) as u32,
                        }
                    });
                    self.texel(x, y, face, level)
                };
                let rows = [0, 1].map(|dy| mix(at(0, dy), at(1, dy), weight[0]));
                mix(rows[0], rows[1], weight[1])
            }
        }
    }
}

fn mix(a: [f32; 4], b: [f32; 4], t: f32) -> [f32; 4] {
    std::array::from_fn(|n| a[n] + (b[n] - a[n]) * t)
}

/// Face of a cube map that a direction meets: +x -x +y -y +z -z. Of coordinates that are equally large z goes before
/// y and y before x, as Direct3D and Vulkan have it; OpenGL leaves that open.
pub fn face([x, y, z]: [f32; 3]) -> u32 {
    let (ax, ay, az) = (x.abs(), y.abs(), z.abs());
    let (axis, value) = if az >= ay && az >= ax {
        (4, z)
    } else if ay >= ax {
        (2, y)
    } else {
        (0, x)
    };
    axis + u32::from(value < 0.0)
}

/// Coordinates of a direction on a face, and the one that points at it (OpenGL ES 2.0, section 3.7.5).
fn turned(face: u32, [x, y, z]: [f32; 3]) -> (f32, f32, f32) {
    match face {
        0 => (-z, -y, x),
        1 => (z, -y, -x),
        2 => (x, z, y),
        3 => (x, -z, -y),
        4 => (x, -y, z),
        _ => (-x, -y, -z),
    }
}

/// Pixels of a quad whose difference is how coordinates change to the right, and upwards. Of a plane what they do
/// from pixel 0 to its neighbours holds for the whole quad; of a cube each pixel looks along its own row and column,
/// and what the change means depends on its own direction. Measured on software OpenGL, in quads over two faces.
fn neighbours(shape: TextureShape, pixel: usize) -> [(usize, usize); 2] {
    let pixel = pixel & 3;
    match shape {
        TextureShape::Cube | TextureShape::CubeArray => [(pixel | 1, pixel & 2), (pixel | 2, pixel & 1)],
        _ => [(1, 0), (2, 0)],
    }
}

/// Place on a face, 0 to 1.
fn on_face(face: u32, direction: [f32; 3]) -> [f32; 2] {
    let (s, t, major) = turned(face, direction);
    [s, t].map(|c| (c / major + 1.0) / 2.0)
}

/// How the place on a face changes with the direction.
fn face_change(face: u32, direction: [f32; 3], change: [f32; 3]) -> [f32; 2] {
    let (s, t, major) = turned(face, direction);
    let (ds, dt, dmajor) = turned(face, change);
    [(s, ds), (t, dt)].map(|(c, dc)| (dc - c / major * dmajor) / major / 2.0)
}

/// A texture that makes every property of a fetch visible in its result: of a plane
/// `(0.3 s + 0.1 unit, 0.2 t + 0.1, 0.1 s t, 0.5 + 0.4 sin(s + bias))`, of a cube map `(s, t, r, 1)`.
pub fn probe(fetch: &Fetch, pixel: usize) -> [f32; 4] {
    let pixel = pixel & 3;
    let [s, t, r] = fetch.coordinates[pixel];
    match fetch.shape {
        TextureShape::Cube => [s, t, r, 1.0],
        _ => {
            let angle = u64::from((s + fetch.levels[pixel]).to_bits());
            let sine = evaluate(&Op::FSin(FloatMode::F32), Type::B32, &[angle]).unwrap_or_default();
            let sine = f32::from_bits(sine as u32);
            [0.3 * s + 0.1 * fetch.units[pixel] as f32, 0.2 * t + 0.1, 0.1 * s * t, 0.5 + 0.4 * sine]
        }
    }
}

/// What is bound to a unit.
#[derive(Debug, Clone, PartialEq)]
pub enum Bound {
    /// A texture by formula.
    Procedural(Procedural),
    /// See [`probe`].
    Probe,
    /// A texture with its texels.
    Image(Image),
}

/// What units answer that nothing is bound to.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Unbound {
    /// Zeros.
    #[default]
    Black,
    /// As [`math::smooth_texture`] has it: what is nearly the same question has nearly the same answer.
    Smooth,
    /// As [`math::probe_texture`] has it, and with it every run that checks a lift: another answer for every question.
    Hashed,
}

impl Unbound {
    /// The answer to a question, unless it is black.
    fn answer(self, texture: Texture, operands: &[u32]) -> Option<[u32; 4]> {
        match self {
            Self::Black => None,
            Self::Smooth => Some(math::smooth_texture(texture, texture.unit, operands)),
            Self::Hashed => Some(math::probe_texture(texture, texture.unit, operands)),
        }
    }

    /// The answer to one pixel of a fetch.
    fn texel(self, fetch: &Fetch, pixel: usize) -> [f32; 4] {
        let texture = Texture::sample(fetch.units[pixel], fetch.shape, fetch.level);
        let [x, y, z] = fetch.coordinates[pixel].map(f32::to_bits);
        let mut operands = [x, y, z, 0];
        let axes = texture.coordinates().min(3);
        operands[axes] = fetch.levels[pixel].to_bits();
        let count = (axes + texture.level_operands()).min(4);
        self.answer(texture, &operands[..count]).unwrap_or_default().map(f32::from_bits)
    }
}

/// Textures by their units. [`Textures::query`] asks images only.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Bank {
    /// What is bound.
    pub units: BTreeMap<u32, Bound>,
    /// What the other units answer.
    pub unbound: Unbound,
}

impl Textures for Bank {
    fn fetch(&mut self, fetch: &Fetch) -> [[f32; 4]; 4] {
        (&*self).fetch(fetch)
    }

    fn query(&mut self, query: &Query<'_>) -> [[u32; 4]; 4] {
        (&*self).query(query)
    }

    fn shape(&mut self, unit: u32) -> Option<TextureShape> {
        (&*self).shape(unit)
    }
}

/// Asking changes nothing.
impl Textures for &Bank {
    fn fetch(&mut self, fetch: &Fetch) -> [[f32; 4]; 4] {
        [0, 1, 2, 3].map(|pixel| match self.units.get(&fetch.units[pixel]) {
            _ if !fetch.wanted[pixel] => [0.0; 4],
            Some(Bound::Procedural(texture)) => texture.fetch(fetch, pixel),
            Some(Bound::Probe) => probe(fetch, pixel),
            Some(Bound::Image(image)) => image.fetch(fetch, pixel),
            None => self.unbound.texel(fetch, pixel),
        })
    }

    fn query(&mut self, query: &Query<'_>) -> [[u32; 4]; 4] {
        [0, 1, 2, 3].map(|pixel| match self.units.get(&query.texture.unit) {
            Some(Bound::Image(image)) if query.wanted[pixel] => image.query(query, pixel),
            None if query.wanted[pixel] => {
                self.unbound.answer(query.texture, query.operands[pixel]).unwrap_or_default()
            }
            _ => [0; 4],
        })
    }

    fn shape(&mut self, unit: u32) -> Option<TextureShape> {
        match self.units.get(&unit)? {
            Bound::Image(image) => Some(image.shape),
            Bound::Procedural(texture) => Some(texture.shape),
            Bound::Probe => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texture(filter: Filter) -> Procedural {
        Procedural { shape: TextureShape::Plane, size: [16, 8], levels: 4, seed: 3, filter }
    }

    fn at(s: f32, t: f32, step: f32) -> Fetch {
        Fetch {
            shape: TextureShape::Plane,
            level: TextureLevel::Quad,
            units: [0; 4],
            coordinates: [[s, t, 0.0], [s + step, t, 0.0], [s, t + step, 0.0], [s + step, t + step, 0.0]],
            levels: [0.0; 4],
            wanted: [true; 4],
        }
    }

    #[test]
    fn texels_follow_the_formula() {
        // 37*5 + 101*2 + 7*10 + 71 + 29*3 = 615
        assert_eq!(texel_byte([5, 2, 0], 0, 1, 0, 3), (615 % 256) as u8);
        assert_eq!(texture(Filter::Nearest).texel(5, 2, 0, 0)[1], 103.0 / 256.0);
    }

    #[test]
    fn coordinates_repeat() {
        let texture = texture(Filter::Nearest);
        let here = texture.fetch(&at(0.33, 0.6, 0.0), 0);
        assert_eq!(here, texture.texel(5, 4, 0, 0));
        assert_eq!(here, texture.fetch(&at(0.33 - 2.0, 0.6 + 3.0, 0.0), 0));
    }

    #[test]
    fn linear_is_exact_in_the_middle_of_texels() {
        let texture = texture(Filter::Linear);
        assert_eq!(texture.fetch(&at(5.5 / 16.0, 4.5 / 8.0, 0.0), 0), texture.texel(5, 4, 0, 0));
        let between = texture.fetch(&at(0.0, 0.5 / 8.0, 0.0), 0);
        let (a, b) = (texture.texel(15, 0, 0, 0), texture.texel(0, 0, 0, 0));
        assert_eq!(between[2], (a[2] + b[2]) / 2.0);
    }

    #[test]
    fn levels_come_from_the_quad_or_the_program() {
        let texture = texture(Filter::Nearest);
        let mut fetch = at(0.1, 0.1, 4.0 / 16.0);
        assert_eq!(texture.fetch(&fetch, 0), texture.texel(0, 0, 0, 2));
        fetch.level = TextureLevel::Given;
        fetch.levels = [1.0; 4];
        assert_eq!(texture.fetch(&fetch, 0), texture.texel(0, 0, 0, 1));
        fetch.levels = [99.0; 4];
        assert_eq!(texture.fetch(&fetch, 0), texture.texel(0, 0, 0, 3));
        fetch.levels = [f32::NAN; 4];
        assert_eq!(texture.fetch(&fetch, 0), texture.texel(1, 0, 0, 0));
    }

    #[test]
    fn directions_find_their_faces() {
        assert_eq!(
            [[1.0, 0.5, 0.0], [-1.0, 0.0, 0.5], [0.0, 2.0, 1.0], [0.0, -1.0, 0.0]].map(face),
            [0, 1, 2, 3]
        );
        assert_eq!([[1.0, 1.0, 0.0], [1.0, 0.5, -1.0], [0.5, -1.0, 1.0]].map(face), [2, 5, 4]);
        assert_eq!([[0.0, 0.5, 1.0], [0.1, 0.0, -0.5]].map(face), [4, 5]);
        assert_eq!(on_face(0, [2.0, 1.0, -1.0]), [0.75, 0.25]);
    }
}
