//! What lanes see beside registers and memory: textures, images, and each other.

use crate::maxwell::spaces::RAW_IMAGE;
use crate::texture::{ImageAccess, Images, Query, Textures, View};
use unshade_ir::exec::Environment;
use unshade_ir::{Image, ImageQuery, InputPlace, QuadSide, Texture, TextureShape, Vote};

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

/// One lane, whose surroundings an environment makes up.
pub(super) struct Alone<'a, E> {
    pub(super) environment: &'a mut E,
}

impl<E: Environment> Around for Alone<'_, E> {
    fn texture(&mut self, texture: Texture, operands: [&[u32]; 4], _: [bool; 4]) -> [[u32; 4]; 4] {
        [self.environment.texture(texture, texture.unit, operands[0]), [0; 4], [0; 4], [0; 4]]
    }

    fn shape(&mut self, _: u32) -> Option<TextureShape> {
        None
    }

    fn image(&mut self, access: &ImageAccess<'_>) -> [u32; 4] {
        // An access to bytes is one to an image of integers with as many components as words.
        // The lift gives what is read as bits a declaration of its own.
        let raw = matches!(access.view, View::Texels(_) | View::Bytes(_));
        let unit = access.image.unit + if raw { RAW_IMAGE } else { 0 };
        let answer = self.environment.image(Image { unit, ..access.image }, unit, access.operands);
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
