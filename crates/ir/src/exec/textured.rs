//! The plain environment with textures of its own.

use super::{Environment, Memory};
use crate::{Barrier, Image, Space, Texture};

/// Memory whose textures answer as a function says, instead of by [`crate::math::probe_texture`].
///
/// ```
/// use unshade_ir::{Space, TextureLevel, TextureShape, Texture, math, exec::{Environment, Memory, Textured}};
/// let mut around = Textured { memory: Memory::default(), answer: math::smooth_texture };
/// let texture = Texture::sample(0, TextureShape::Plane, TextureLevel::Quad);
/// let place = [0.25_f32, 0.5].map(f32::to_bits);
/// assert_eq!(around.texture(texture, 0, &place), math::smooth_texture(texture, 0, &place));
/// ```
#[derive(Debug, Clone)]
pub struct Textured<F> {
    /// Everything else.
    pub memory: Memory,
    /// What a texture answers: which question, the unit, and the operands of [`Environment::texture`].
    pub answer: F,
}

impl<F: FnMut(Texture, u32, &[u32]) -> [u32; 4]> Environment for Textured<F> {
    fn load(&mut self, space: Space, binding: u32, word: u32) -> u32 {
        self.memory.load(space, binding, word)
    }

    fn store(&mut self, space: Space, binding: u32, word: u32, value: u32) {
        self.memory.store(space, binding, word, value);
    }

    fn emit_vertex(&mut self, stream: u32) -> u64 {
        self.memory.emit_vertex(stream)
    }

    fn end_primitive(&mut self, stream: u32) -> u64 {
        self.memory.end_primitive(stream)
    }

    fn texture(&mut self, texture: Texture, unit: u32, operands: &[u32]) -> [u32; 4] {
        (self.answer)(texture, unit, operands)
    }

    fn buffer_size(&mut self, binding: u32) -> u32 {
        self.memory.buffer_size(binding)
    }

    fn global_load(&mut self, address: u64) -> u32 {
        self.memory.global_load(address)
    }

    fn global_store(&mut self, address: u64, value: u32) {
        self.memory.global_store(address, value);
    }

    fn image(&mut self, image: Image, unit: u32, operands: &[u32]) -> [u32; 4] {
        self.memory.image(image, unit, operands)
    }

    fn barrier(&mut self, barrier: Barrier) {
        self.memory.barrier(barrier);
    }
}
