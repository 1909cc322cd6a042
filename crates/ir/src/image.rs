//! Images that programs read and write texel by texel.

use crate::{AtomicOp, TextureShape};

/// What is done to an image.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ImageQuery {
    /// `-> r g b a`: a texel, floats or integers as the image has them.
    Load,
    /// `r g b a ->`: writes a texel.
    Store,
    /// `a -> old` (compare and exchange: `compare a -> old`): changes a texel of one word.
    Atomic(AtomicOp),
    /// `-> x y z 0`: integer size in texels: one for each axis (a cube has two), then the layers, then 0. No
    /// coordinates.
    Size,
}

/// An operation on an image: its static part. Operands: `[index] coordinates.. [sample] values..`, all of them
/// words; coordinates and the sample are signed integers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Image {
    /// Which image: its global has this as its offset in [`crate::Space::Image`].
    pub unit: u32,
    /// The first operand, a signed integer, is added to the unit.
    pub indexed: bool,
    /// Its shape. A cube and an array of cubes are arrays of faces: three coordinates.
    pub shape: TextureShape,
    /// What is done.
    pub query: ImageQuery,
}

impl Image {
    /// Coordinates among its operands.
    pub fn coordinates(self) -> usize {
        match (self.query, self.shape) {
            (ImageQuery::Size, _) => 0,
            (_, TextureShape::Cube | TextureShape::CubeArray) => 3,
            (_, shape) => shape.coordinates(),
        }
    }

    /// Whether the number of a sample is behind the coordinates.
    pub fn has_sample_operand(self) -> bool {
        self.query != ImageQuery::Size && self.shape.has_samples()
    }

    /// Values behind coordinates and sample.
    pub fn values(self) -> usize {
        match self.query {
            ImageQuery::Load | ImageQuery::Size => 0,
            ImageQuery::Store => 4,
            ImageQuery::Atomic(op) => op.operands(),
        }
    }

    /// Operands: `[index] coordinates.. [sample] values..`.
    pub fn operands(self) -> usize {
        usize::from(self.indexed)
            + self.coordinates()
            + usize::from(self.has_sample_operand())
            + self.values()
    }

    /// Results: 4, 1 or none.
    pub fn results(self) -> usize {
        match self.query {
            ImageQuery::Load | ImageQuery::Size => 4,
            ImageQuery::Store => 0,
            ImageQuery::Atomic(_) => 1,
        }
    }

    /// Components of a size that say something, from the first on.
    pub fn size_components(self) -> u8 {
        match self.shape {
            TextureShape::Cube => 2,
            TextureShape::CubeArray => 3,
            shape => shape.axes() as u8 + u8::from(shape.is_array()),
        }
    }
}

/// How the texels of an image lie in memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ImageFormat {
    /// `rgba32f`.
    Rgba32f,
    /// `rgba16f`.
    Rgba16f,
    /// `rg32f`.
    Rg32f,
    /// `rg16f`.
    Rg16f,
    /// `r11f_g11f_b10f`.
    R11fG11fB10f,
    /// `r32f`.
    R32f,
    /// `r16f`.
    R16f,
    /// `rgba16`.
    Rgba16,
    /// `rgb10_a2`.
    Rgb10A2,
    /// `rgba8`.
    Rgba8,
    /// `rg16`.
    Rg16,
    /// `rg8`.
    Rg8,
    /// `r16`.
    R16,
    /// `r8`.
    R8,
    /// `rgba16_snorm`.
    Rgba16Snorm,
    /// `rgba8_snorm`.
    Rgba8Snorm,
    /// `rg16_snorm`.
    Rg16Snorm,
    /// `rg8_snorm`.
    Rg8Snorm,
    /// `r16_snorm`.
    R16Snorm,
    /// `r8_snorm`.
    R8Snorm,
    /// `rgba32i`.
    Rgba32i,
    /// `rgba16i`.
    Rgba16i,
    /// `rgba8i`.
    Rgba8i,
    /// `rg32i`.
    Rg32i,
    /// `rg16i`.
    Rg16i,
    /// `rg8i`.
    Rg8i,
    /// `r32i`.
    R32i,
    /// `r16i`.
    R16i,
    /// `r8i`.
    R8i,
    /// `rgba32ui`.
    Rgba32ui,
    /// `rgba16ui`.
    Rgba16ui,
    /// `rgb10_a2ui`.
    Rgb10A2ui,
    /// `rgba8ui`.
    Rgba8ui,
    /// `rg32ui`.
    Rg32ui,
    /// `rg16ui`.
    Rg16ui,
    /// `rg8ui`.
    Rg8ui,
    /// `r32ui`.
    R32ui,
    /// `r16ui`.
    R16ui,
    /// `r8ui`.
    R8ui,
}

impl ImageFormat {
    /// All of them.
    pub const ALL: [Self; 39] = [
        Self::Rgba32f,
        Self::Rgba16f,
        Self::Rg32f,
        Self::Rg16f,
        Self::R11fG11fB10f,
        Self::R32f,
        Self::R16f,
        Self::Rgba16,
        Self::Rgb10A2,
        Self::Rgba8,
        Self::Rg16,
        Self::Rg8,
        Self::R16,
        Self::R8,
        Self::Rgba16Snorm,
        Self::Rgba8Snorm,
        Self::Rg16Snorm,
        Self::Rg8Snorm,
        Self::R16Snorm,
        Self::R8Snorm,
        Self::Rgba32i,
        Self::Rgba16i,
        Self::Rgba8i,
        Self::Rg32i,
        Self::Rg16i,
        Self::Rg8i,
        Self::R32i,
        Self::R16i,
        Self::R8i,
        Self::Rgba32ui,
        Self::Rgba16ui,
        Self::Rgb10A2ui,
        Self::Rgba8ui,
        Self::Rg32ui,
        Self::Rg16ui,
        Self::Rg8ui,
        Self::R32ui,
        Self::R16ui,
        Self::R8ui,
    ];

    /// The word of GLSL.
    pub fn name(self) -> &'static str {
        match self {
            Self::Rgba32f => "rgba32f",
            Self::Rgba16f => "rgba16f",
            Self::Rg32f => "rg32f",
            Self::Rg16f => "rg16f",
            Self::R11fG11fB10f => "r11f_g11f_b10f",
            Self::R32f => "r32f",
            Self::R16f => "r16f",
            Self::Rgba16 => "rgba16",
            Self::Rgb10A2 => "rgb10_a2",
            Self::Rgba8 => "rgba8",
            Self::Rg16 => "rg16",
            Self::Rg8 => "rg8",
            Self::R16 => "r16",
            Self::R8 => "r8",
            Self::Rgba16Snorm => "rgba16_snorm",
            Self::Rgba8Snorm => "rgba8_snorm",
            Self::Rg16Snorm => "rg16_snorm",
            Self::Rg8Snorm => "rg8_snorm",
            Self::R16Snorm => "r16_snorm",
            Self::R8Snorm => "r8_snorm",
            Self::Rgba32i => "rgba32i",
            Self::Rgba16i => "rgba16i",
            Self::Rgba8i => "rgba8i",
            Self::Rg32i => "rg32i",
            Self::Rg16i => "rg16i",
            Self::Rg8i => "rg8i",
            Self::R32i => "r32i",
            Self::R16i => "r16i",
            Self::R8i => "r8i",
            Self::Rgba32ui => "rgba32ui",
            Self::Rgba16ui => "rgba16ui",
            Self::Rgb10A2ui => "rgb10_a2ui",
            Self::Rgba8ui => "rgba8ui",
            Self::Rg32ui => "rg32ui",
            Self::Rg16ui => "rg16ui",
            Self::Rg8ui => "rg8ui",
            Self::R32ui => "r32ui",
            Self::R16ui => "r16ui",
            Self::R8ui => "r8ui",
        }
    }

    /// The format whose texels are as many words of 32 bits, of another kind; none where its texels are something else.
    pub fn of_words(self, texel: crate::Texel) -> Option<Self> {
        let kinds = match self {
            Self::R32f | Self::R32i | Self::R32ui => [Self::R32f, Self::R32i, Self::R32ui],
            Self::Rg32f | Self::Rg32i | Self::Rg32ui => [Self::Rg32f, Self::Rg32i, Self::Rg32ui],
            Self::Rgba32f | Self::Rgba32i | Self::Rgba32ui => [Self::Rgba32f, Self::Rgba32i, Self::Rgba32ui],
            _ => return None,
        };
        kinds.into_iter().find(|format| format.texel() == texel)
    }

    /// What components its texels have.
    pub fn texel(self) -> crate::Texel {
        let name = self.name();
        if name.ends_with("ui") {
            crate::Texel::Uint
        } else if name.ends_with('i') {
            crate::Texel::Int
        } else {
            crate::Texel::Float
        }
    }
}
