//! Questions to textures: shapes, levels, operands.

/// What a texture looks like to a fetch.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum TextureShape {
    /// One coordinate.
    Line,
    /// Two coordinates.
    Plane,
    /// Three coordinates.
    Volume,
    /// Three coordinates: a direction.
    Cube,
    /// One coordinate and a layer.
    LineArray,
    /// Two coordinates and a layer.
    PlaneArray,
    /// A direction and a layer.
    CubeArray,
    /// Two coordinates that count texels; one level.
    Rectangle,
    /// An integer coordinate; a buffer of texels.
    Buffer,
    /// Two integer coordinates and a sample.
    PlaneSamples,
    /// Two integer coordinates, a layer, and a sample.
    PlaneSamplesArray,
}

impl TextureShape {
    /// Coordinates of a fetch, the layer included; the number of a sample is an operand of its own.
    pub fn coordinates(self) -> usize {
        match self {
            Self::Line | Self::Buffer => 1,
            Self::Plane | Self::LineArray | Self::Rectangle | Self::PlaneSamples => 2,
            Self::Volume | Self::Cube | Self::PlaneArray | Self::PlaneSamplesArray => 3,
            Self::CubeArray => 4,
        }
    }

    /// Coordinates that an offset in texels, a gradient or a size has: all but the layer; a cube has two in a
    /// size and three in a gradient, and no offset.
    pub fn axes(self) -> usize {
        match self {
            Self::Line | Self::LineArray | Self::Buffer => 1,
            Self::Plane
            | Self::PlaneArray
            | Self::Rectangle
            | Self::PlaneSamples
            | Self::PlaneSamplesArray => 2,
            Self::Volume | Self::Cube | Self::CubeArray => 3,
        }
    }

    /// Whether it has six faces, which a direction chooses from.
    pub fn is_cube(self) -> bool {
        matches!(self, Self::Cube | Self::CubeArray)
    }

    /// Whether the last coordinate is a layer.
    pub fn is_array(self) -> bool {
        matches!(self, Self::LineArray | Self::PlaneArray | Self::CubeArray | Self::PlaneSamplesArray)
    }

    /// Whether texels have several samples.
    pub fn has_samples(self) -> bool {
        matches!(self, Self::PlaneSamples | Self::PlaneSamplesArray)
    }
}

/// What is asked of a texture.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum TextureQuery {
    /// The filtered colour at float coordinates; a layer is rounded to nearest.
    Sample,
    /// The texel at integer coordinates, unfiltered. [`TextureLevel::Given`] is an integer level; with
    /// samples the last operand is the sample.
    Texel,
    /// One component of the four texels that a filter would mix, in GLSL's order: (0, 1), (1, 1), (1, 0), (0, 0).
    Gather(u8),
    /// Integer size of the level that [`TextureLevel::Given`] names (others: level 0), in texels: one for each
    /// axis (a cube has two), then the layers (of an array of cubes: cubes), then 0; as fourth the number of
    /// levels, 1 where a shape has no more. No coordinates.
    Size,
    /// Level of detail that a sample would take: clamped to the levels there are, as computed, 0, 0. The
    /// coordinates are those of a sample without the layer.
    Level,
    /// Number of samples of a texel, 0, 0, 0. No coordinates.
    Samples,
}

impl TextureQuery {
    /// Whether the answer is texels, or parts of some; not what there is to know about the texture.
    pub fn is_texel(self) -> bool {
        matches!(self, Self::Sample | Self::Texel | Self::Gather(_))
    }
}

/// Where a fetch takes its level of detail from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum TextureLevel {
    /// From the quad.
    Quad,
    /// From the quad, plus the last operand.
    Bias,
    /// From the last operand.
    Given,
    /// From gradients, the last operands: how each axis changes to the right, then upwards.
    Gradients,
}

/// A texture fetch: its static part.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Texture {
    /// Which texture: its global has this as its offset in [`crate::Space::Texture`].
    pub unit: u32,
    /// The first operand, a signed integer, is added to the unit.
    pub indexed: bool,
    /// Its shape.
    pub shape: TextureShape,
    /// What is asked.
    pub query: TextureQuery,
    /// Compares with a reference, the operand behind the coordinates: results are 1.0 or 0.0, filtered.
    pub shadow: bool,
    /// Its level.
    pub level: TextureLevel,
    /// Added to the coordinates, in texels.
    pub offset: [i8; 3],
    /// Gathers: what is added are the last operands instead, signed integers, one for each axis.
    pub moved: bool,
}

impl Texture {
    /// A sample without comparison and offset.
    pub fn sample(unit: u32, shape: TextureShape, level: TextureLevel) -> Self {
        Self {
            unit,
            indexed: false,
            shape,
            query: TextureQuery::Sample,
            shadow: false,
            level,
            offset: [0; 3],
            moved: false,
        }
    }

    /// Operands that are offsets in texels.
    pub fn offset_operands(self) -> usize {
        if self.moved { self.shape.axes() } else { 0 }
    }

    /// The same question with the offsets that its operands say, and how many operands are left.
    pub fn placed(self, operands: &[u32]) -> (Self, usize) {
        let rest = operands.len().saturating_sub(self.offset_operands());
        let mut texture = Self { moved: false, ..self };
        for (place, step) in texture.offset.iter_mut().zip(operands.get(rest..).unwrap_or_default()) {
            *place = *step as i8;
        }
        (texture, rest)
    }

    /// Coordinates among its operands.
    pub fn coordinates(self) -> usize {
        match self.query {
            TextureQuery::Size | TextureQuery::Samples => 0,
            TextureQuery::Level => self.shape.axes(),
            TextureQuery::Sample | TextureQuery::Texel | TextureQuery::Gather(_) => self.shape.coordinates(),
        }
    }

    /// Operands behind coordinates and reference: level, bias, gradients, the number of a sample.
    pub fn level_operands(self) -> usize {
        match self.level {
            _ if self.has_sample_operand() => 1,
            TextureLevel::Quad => 0,
            TextureLevel::Bias | TextureLevel::Given => 1,
            TextureLevel::Gradients => 2 * self.shape.axes(),
        }
    }

    /// Whether the last operand is the number of a sample.
    pub fn has_sample_operand(self) -> bool {
        self.query == TextureQuery::Texel && self.shape.has_samples()
    }

    /// Operands of the fetch: `[index] coordinates.. [reference] [level..] [offset..]`.
    pub fn operands(self) -> usize {
        usize::from(self.indexed)
            + self.coordinates()
            + usize::from(self.shadow)
            + self.level_operands()
            + self.offset_operands()
    }

    /// Components of the answer that say something, from the first on. Sizes have the number of levels as fourth
    /// besides; all components of a comparison that is sampled are one.
    pub fn answer(self) -> u8 {
        let layers = u8::from(self.shape.is_array());
        match self.query {
            TextureQuery::Size => match self.shape {
                TextureShape::Cube | TextureShape::CubeArray => 2 + layers,
                shape => shape.axes() as u8 + layers,
            },
            TextureQuery::Level => 2,
            TextureQuery::Samples => 1,
            TextureQuery::Sample if self.shadow => 1,
            TextureQuery::Sample | TextureQuery::Texel | TextureQuery::Gather(_) => 4,
        }
    }

    /// Whether coordinates, and the level that is given, are integers.
    pub fn is_integer(self) -> bool {
        matches!(self.query, TextureQuery::Texel | TextureQuery::Size)
    }
}
