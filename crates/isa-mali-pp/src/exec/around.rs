//! What is around a pixel: textures, and the other pixels of its quad.

use super::state::Vector;
use unshade_ir::exec::Environment;
use unshade_ir::{Axis, QuadSide, Texture};
use unshade_isa_common::texture::{Fetch, Textures};

/// What one pixel asks a texture.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct LaneFetch {
    pub(super) unit: u32,
    pub(super) coordinates: [f32; 3],
    pub(super) level: f32,
}

/// What a pixel sees of textures and of other pixels.
pub(super) trait Around {
    fn texture(
        &mut self,
        texture: Texture,
        count: usize,
        fetches: &[LaneFetch; 4],
        together: [bool; 4],
    ) -> [Vector; 4];

    /// `a` of the right or lower pixel plus `b` of the other; `difference`: one is the other, negated.
    fn derivative(
        &mut self,
        axis: Axis,
        difference: bool,
        count: usize,
        a: &[Vector; 4],
        b: &[Vector; 4],
    ) -> [Vector; 4];
}

/// Four pixels that see each other.
pub(super) struct Quad<'a, T> {
    pub(super) textures: &'a mut T,
}

impl<T: Textures> Around for Quad<'_, T> {
    fn texture(
        &mut self,
        texture: Texture,
        _: usize,
        fetches: &[LaneFetch; 4],
        together: [bool; 4],
    ) -> [Vector; 4] {
        self.textures.fetch(&Fetch {
            shape: texture.shape,
            level: texture.level,
            units: fetches.map(|fetch| fetch.unit),
            coordinates: fetches.map(|fetch| fetch.coordinates),
            levels: fetches.map(|fetch| fetch.level),
            wanted: together,
        })
    }

    fn derivative(&mut self, axis: Axis, _: bool, _: usize, a: &[Vector; 4], b: &[Vector; 4]) -> [Vector; 4] {
        std::array::from_fn(|n| {
            let (first, second) = match axis {
                Axis::X => (a[n | 1], b[n & !1]),
                Axis::Y => (a[n & !2], b[n | 2]),
            };
            std::array::from_fn(|lane| first[lane] + second[lane])
        })
    }
}

/// One pixel, whose surroundings an environment makes up.
pub(super) struct Alone<'a, E> {
    pub(super) environment: &'a mut E,
}

impl<E: Environment> Around for Alone<'_, E> {
    fn texture(
        &mut self,
        texture: Texture,
        count: usize,
        fetches: &[LaneFetch; 4],
        _: [bool; 4],
    ) -> [Vector; 4] {
        let mut texels = [[0.0; 4]; 4];
        for (texel, fetch) in texels.iter_mut().zip(fetches).take(count) {
            let [x, y, z] = fetch.coordinates.map(f32::to_bits);
            let mut operands = [x, y, z, 0];
            let axes = texture.coordinates();
            operands[axes] = fetch.level.to_bits();
            let bits =
                self.environment.texture(texture, fetch.unit, &operands[..axes + texture.level_operands()]);
            *texel = bits.map(f32::from_bits);
        }
        texels
    }

    fn derivative(
        &mut self,
        axis: Axis,
        difference: bool,
        count: usize,
        a: &[Vector; 4],
        b: &[Vector; 4],
    ) -> [Vector; 4] {
        let mut read = |side, value: f32| f32::from_bits(self.environment.quad_read(side, value.to_bits()));
        let mut results = [[0.0; 4]; 4];
        for n in 0..count {
            for lane in 0..4 {
                let (a, b) = (a[n][lane], b[n][lane]);
                results[n][lane] = match (axis, difference) {
                    (Axis::X, false) => read(QuadSide::Right, a) + read(QuadSide::Left, b),
                    (Axis::Y, false) => read(QuadSide::Lower, a) + read(QuadSide::Upper, b),
                    // As the IR's own operation does it.
                    (Axis::X, true) => {
                        let left = read(QuadSide::Left, a);
                        difference_of(read(QuadSide::Right, a), left)
                    }
                    (Axis::Y, true) => {
                        let lower = read(QuadSide::Lower, b);
                        difference_of(read(QuadSide::Upper, b), lower)
                    }
                };
            }
        }
        results
    }
}

fn difference_of(high: f32, low: f32) -> f32 {
    high + -low
}
