//! What a lane sees beside its own registers: textures, and the other pixels of its quad.

use super::super::semantics::alu::{Arithmetic, FLOAT};
use super::super::semantics::sample::Operands;
use super::flow::Mask;
use super::state::Vector;
use super::value::Bits;
use unshade_ir::exec::Environment;
use unshade_ir::{Axis, Op, QuadSide, Texture, Width};
use unshade_isa_common::texture::{Query, Textures};

/// The surroundings of the lanes.
pub(super) trait Around {
    /// Asks a texture for each lane. `faces`: of cube maps, the place on the face (1 to 2 each) and the face, which
    /// the operands hold as a direction.
    fn texture(
        &mut self,
        texture: Texture,
        count: usize,
        operands: &[Operands<u32>; 4],
        faces: Option<[[f32; 3]; 4]>,
        wanted: Mask,
    ) -> [Vector; 4];

    /// How values change along an axis.
    fn derivative(&mut self, axis: Axis, count: usize, values: &[Vector; 4]) -> [Vector; 4];
}

fn difference(high: u32, low: u32) -> u32 {
    let low = Bits.apply(Op::FNeg(Width::F32), &[low]);
    Bits.apply(Op::FAdd(FLOAT), &[high, low])
}

/// Lanes that see each other.
pub(super) struct Quad<'a, T> {
    pub(super) textures: &'a mut T,
}

impl<T: Textures> Around for Quad<'_, T> {
    fn texture(
        &mut self,
        texture: Texture,
        count: usize,
        operands: &[Operands<u32>; 4],
        faces: Option<[[f32; 3]; 4]>,
        wanted: Mask,
    ) -> [Vector; 4] {
        // A lane without neighbours is its own.
        let lane = |n: usize| if n < count { n } else { 0 };
        self.textures.query(&Query {
            texture,
            operands: std::array::from_fn(|n| operands[lane(n)].as_slice()),
            faces: faces.map(|faces| std::array::from_fn(|n| faces[lane(n)])),
            wanted: std::array::from_fn(|n| wanted >> n & 1 != 0),
        })
    }

    fn derivative(&mut self, axis: Axis, count: usize, values: &[Vector; 4]) -> [Vector; 4] {
        let lane = |n: usize| if n < count { n } else { 0 };
        std::array::from_fn(|n| {
            let (high, low) = match axis {
                Axis::X => (values[lane(n | 1)], values[lane(n & !1)]),
                Axis::Y => (values[lane(n | 2)], values[lane(n & !2)]),
            };
            std::array::from_fn(|component| difference(high[component], low[component]))
        })
    }
}

/// One lane, whose surroundings an environment makes up.
pub(super) struct Alone<'a, E> {
    pub(super) environment: &'a mut E,
}

impl<E: Environment> Around for Alone<'_, E> {
    fn texture(
        &mut self,
        texture: Texture,
        count: usize,
        operands: &[Operands<u32>; 4],
        _: Option<[[f32; 3]; 4]>,
        _: Mask,
    ) -> [Vector; 4] {
        let mut texels = [[0; 4]; 4];
        for (texel, operands) in texels.iter_mut().zip(operands).take(count) {
            *texel = self.environment.texture(texture, texture.unit, operands.as_slice());
        }
        texels
    }

    fn derivative(&mut self, axis: Axis, count: usize, values: &[Vector; 4]) -> [Vector; 4] {
        let (low, high) = match axis {
            Axis::X => (QuadSide::Left, QuadSide::Right),
            Axis::Y => (QuadSide::Lower, QuadSide::Upper),
        };
        let mut changes = [[0; 4]; 4];
        for (changes, values) in changes.iter_mut().zip(values).take(count) {
            for (change, &value) in changes.iter_mut().zip(values) {
                let low = self.environment.quad_read(low, value);
                *change = difference(self.environment.quad_read(high, value), low);
            }
        }
        changes
    }
}
