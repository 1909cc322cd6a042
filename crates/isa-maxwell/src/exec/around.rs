//! What lanes see beside registers and memory: textures, images, and each other.

use crate::address_map::raw_image;
use unshade_ir::exec::Environment;
use unshade_ir::{
    Image, ImageQuery, InputPlace, QuadSide, Texture, TextureLevel, TextureQuery, TextureShape, Vote,
};
use unshade_isa_common::texture::{ImageAccess, Images, Query, Textures, View};

/// The surroundings of the lanes. Questions about other lanes are answered where a lane is alone; `None`: the other
/// lanes are there.
pub(super) trait Around {
    /// Asks a texture for each lane of a quad.
    fn texture(&mut self, texture: Texture, operands: [&[u32]; 4], wanted: [bool; 4]) -> [[u32; 4]; 4];

    /// The shape of what is bound to a unit, where that is known.
    fn shape(&mut self, unit: u32) -> Option<TextureShape>;

    /// Accesses an image.
    fn image(&mut self, access: &ImageAccess<'_>) -> [u32; 4];

    /// What a value is in another pixel of the quad.
    fn quad(&mut self, side: QuadSide, value: u32) -> Option<u32> {
        let _ = (side, value);
        None
    }

    /// What a value is in another lane.
    fn shuffle(&mut self, value: u32, lane: u32) -> Option<u32> {
        let _ = (value, lane);
        None
    }

    /// The answer to a vote, and the lanes in which it holds.
    fn vote(&mut self, vote: Vote, value: bool) -> Option<(bool, u32)> {
        let _ = (vote, value);
        None
    }

    /// Lanes are at work that the program had left behind (`SAM`), or no longer.
    fn forced(&mut self, forced: bool) {
        let _ = forced;
    }

    /// What a barrier of the work group does to its memory.
    fn barrier(&mut self, shared: &mut [u32]) {
        let _ = shared;
    }

    /// An input at an offset from the centre of the pixel.
    fn interpolate(&mut self, word: u32, offset: [u32; 2]) -> Option<u32> {
        let _ = (word, offset);
        None
    }
}

/// Lanes that see each other.
pub(super) struct World<'a, P> {
    pub(super) pictures: &'a mut P,
}

impl<P: Textures + Images> Around for World<'_, P> {
    fn texture(&mut self, texture: Texture, operands: [&[u32]; 4], wanted: [bool; 4]) -> [[u32; 4]; 4] {
        self.pictures.query(&Query { texture, operands, faces: None, wanted })
    }

    fn shape(&mut self, unit: u32) -> Option<TextureShape> {
        self.pictures.shape(unit)
    }

    fn image(&mut self, access: &ImageAccess<'_>) -> [u32; 4] {
        self.pictures.image(access)
    }
}

/// A quad of which one lane is looked at. Where a program has all four lanes work for it (between `SAM` and `RAM`),
/// they see each other, and a fetch at the level of the quad is one with the differences between them as gradients. What
/// else a lane asks, the environment makes up for it as for one that is alone.
pub(super) struct Together<'a, E> {
    pub(super) alone: Alone<'a, E>,
    pub(super) forced: bool,
}

impl<E: Environment> Around for Together<'_, E> {
    fn texture(&mut self, texture: Texture, operands: [&[u32]; 4], wanted: [bool; 4]) -> [[u32; 4]; 4] {
        let moved = self.forced
            && texture.query == TextureQuery::Sample
            && texture.level == TextureLevel::Quad
            && operands.iter().all(|words| words.len() == operands[0].len());
        let axes = texture.shape.axes();
        std::array::from_fn(|n| {
            if !wanted[n] {
                return [0; 4];
            }
            let mut words = operands[n].to_vec();
            let mut asked = texture;
            if moved {
                asked.level = TextureLevel::Gradients;
                for (low, high) in [(n & !1, n | 1), (n & !2, n | 2)] {
                    let pairs = operands[low].iter().zip(operands[high]).take(axes);
                    let steps =
                        pairs.map(|(low, high)| (f32::from_bits(*high) - f32::from_bits(*low)).to_bits());
                    words.extend(steps);
                }
            }
            self.alone.environment.texture(asked, asked.unit, &words)
        })
    }

    fn shape(&mut self, unit: u32) -> Option<TextureShape> {
        self.alone.shape(unit)
    }

    fn image(&mut self, access: &ImageAccess<'_>) -> [u32; 4] {
        self.alone.image(access)
    }

    fn quad(&mut self, side: QuadSide, value: u32) -> Option<u32> {
        if self.forced { None } else { self.alone.quad(side, value) }
    }

    fn shuffle(&mut self, value: u32, lane: u32) -> Option<u32> {
        if self.forced { None } else { self.alone.shuffle(value, lane) }
    }

    fn vote(&mut self, vote: Vote, value: bool) -> Option<(bool, u32)> {
        self.alone.vote(vote, value)
    }

    fn forced(&mut self, forced: bool) {
        self.forced = forced;
    }

    fn barrier(&mut self, shared: &mut [u32]) {
        self.alone.barrier(shared);
    }

    fn interpolate(&mut self, word: u32, offset: [u32; 2]) -> Option<u32> {
        self.alone.interpolate(word, offset)
    }
}

/// One lane, whose surroundings an environment makes up.
pub(super) struct Alone<'a, E> {
    pub(super) environment: &'a mut E,
}

impl<E: Environment> Around for Alone<'_, E> {
    fn texture(&mut self, texture: Texture, operands: [&[u32]; 4], _: [bool; 4]) -> [[u32; 4]; 4] {
        [self.environment.texture(texture, texture.unit, operands[0]), [0; 4], [0; 4], [0; 4]]
    }

    fn shape(&mut self, unit: u32) -> Option<TextureShape> {
        self.environment.texture_shape(unit)
    }

    fn image(&mut self, access: &ImageAccess<'_>) -> [u32; 4] {
        // An access to bytes is one to an image of integers with as many components as words.
        // The lift gives what is taken for bits declarations of its own.
        let raw = match access.view {
            View::Texels(bytes) | View::Bytes(bytes) => Some(bytes),
            View::Formatted => None,
        };
        let unit = raw_image(access.image.unit, raw);
        let mut operands = access.operands.to_vec();
        if let (Some(bytes @ 1..=2), ImageQuery::Store) = (raw, access.image.query)
            && let Some(value) = operands.get_mut(access.image.coordinates())
        {
            *value &= (1 << (8 * bytes)) - 1;
        }
        let answer = self.environment.image(Image { unit, ..access.image }, unit, &operands);
        match (access.view, access.image.query) {
            (View::Texels(bytes) | View::Bytes(bytes), ImageQuery::Load) => {
                let words = bytes.div_ceil(4) as usize;
                std::array::from_fn(|n| if n < words { answer[n] } else { 0 })
            }
            _ => answer,
        }
    }

    fn quad(&mut self, side: QuadSide, value: u32) -> Option<u32> {
        Some(self.environment.quad_read(side, value))
    }

    fn shuffle(&mut self, value: u32, lane: u32) -> Option<u32> {
        Some(self.environment.shuffle(value, lane))
    }

    fn vote(&mut self, vote: Vote, value: bool) -> Option<(bool, u32)> {
        Some((self.environment.vote(vote, value), self.environment.ballot(value)))
    }

    fn barrier(&mut self, shared: &mut [u32]) {
        // As the memory of the IR has it: others have written.
        if !shared.is_empty() {
            shared.rotate_left(1);
        }
    }

    fn interpolate(&mut self, word: u32, offset: [u32; 2]) -> Option<u32> {
        Some(self.environment.interpolate(InputPlace::Offset, 0, word, &offset))
    }
}
