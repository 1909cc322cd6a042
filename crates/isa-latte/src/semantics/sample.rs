//! What a texture instruction asks, in the IR's words. The interpreter and the lift both go through these functions,
//! as with [`super::alu`].
//!
//! The microcode does not say what shape a texture has: that comes from the samplers of [`Latte`], else it is a plane;
//! a plane whose x is not normalised is a rectangle. With c the swizzled source:
//!
//! | shape | coordinates |
//! |---|---|
//! | line | c.x |
//! | plane, rectangle | c.x c.y |
//! | volume | c.x c.y c.z |
//! | array of lines | c.x, layer c.z |
//! | array of planes | c.x c.y, layer c.z |
//! | cube | [`direction`] of c.x c.y and the face c.z |
//! | array of cubes | the same, and the number that SET_CUBEMAP_INDEX set |
//!
//! | instruction | query, level |
//! |---|---|
//! | SAMPLE, SAMPLE_C | `Sample`, `Quad`; with a LOD_BIAS field `Bias` |
//! | SAMPLE_L, SAMPLE_C_L, SAMPLE_G_L... | `Given` c.w |
//! | SAMPLE_LB, SAMPLE_C_LB | `Bias` c.w plus the LOD_BIAS field |
//! | SAMPLE_LZ... | `Given` 0.0 |
//! | SAMPLE_G, SAMPLE_C_G | `Gradients` that SET_GRADIENTS or KEEP_GRADIENTS set |
//! | SAMPLE_G_LB, SAMPLE_C_G_LB | the same, times `FExp2` of c.w |
//! | LD | `Texel`, `Given` c.w; without level for rectangles and buffers; c.w is the sample of samples |
//! | FETCH4 | `Gather(0)`; its z x y w are the IR's x y z w |
//! | GET_TEXTURE_INFO | `Size` of level c.x |
//! | GET_SAMPLE_INFO | `Samples` |
//! | GET_COMP_TEX_LOD | `Level` |
//!
//! The reference of a comparison is c.w; of the forms with a level or bias in c.w it is c.z. A rectangle has no level,
//! whatever the instruction says. Offsets are halved, down.

use super::super::fields::Tex;
use super::super::table::FetchOp;
use super::alu::{Arithmetic, FLOAT};
use unshade_ir::{CompareFloat, Multiply, Op, Texture, TextureLevel, TextureQuery, TextureShape, Width};
use unshade_stage::Latte;
use unshade_stage::latte::Dimension;

/// Operands of a fetch: coordinates, reference, level.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Operands<W> {
    words: [W; 12],
    count: usize,
}

impl<W: Copy> Operands<W> {
    fn new(filler: W) -> Self {
        Self { words: [filler; 12], count: 0 }
    }

    /// One operand alone.
    pub fn one(word: W) -> Self {
        Self { words: [word; 12], count: 1 }
    }

    fn push(&mut self, word: W) {
        if let Some(place) = self.words.get_mut(self.count) {
            *place = word;
            self.count += 1;
        }
    }

    /// The operands, in the IR's order.
    pub fn as_slice(&self) -> &[W] {
        &self.words[..self.count]
    }
}

/// What the instructions before left for later ones.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Kept<W> {
    /// How the coordinates change to the right, and upwards.
    pub gradients: [[W; 3]; 2],
    /// Which cube of an array.
    pub cube: W,
}

/// Shape of the texture of a unit, by the samplers that the file names and the coordinates of the instruction.
pub fn shape(latte: &Latte, inst: Tex, op: FetchOp, unit: u32) -> TextureShape {
    let named = latte.samplers.iter().find(|sampler| sampler.location == unit);
    match named.and_then(|sampler| sampler.dimension) {
        None | Some(Dimension::D2) => {
            let counts_texels = op.is_sample() && inst.coord_type_x() == 0;
            if counts_texels { TextureShape::Rectangle } else { TextureShape::Plane }
        }
        Some(dimension) => shape_of(dimension),
    }
}

/// Shape of a texture that the file declares so.
pub fn shape_of(dimension: Dimension) -> TextureShape {
    match dimension {
        Dimension::D1 => TextureShape::Line,
        Dimension::D2 => TextureShape::Plane,
        Dimension::D3 => TextureShape::Volume,
        Dimension::Cube => TextureShape::Cube,
        Dimension::D1Array => TextureShape::LineArray,
        Dimension::D2Array => TextureShape::PlaneArray,
        Dimension::CubeArray => TextureShape::CubeArray,
        Dimension::Rect => TextureShape::Rectangle,
        Dimension::Buffer => TextureShape::Buffer,
        Dimension::D2Multisample => TextureShape::PlaneSamples,
        Dimension::D2MultisampleArray => TextureShape::PlaneSamplesArray,
    }
}

/// What a texture instruction asks. `None` for instructions that ask no texture.
pub fn query(inst: Tex, op: FetchOp, unit: u32, shape: TextureShape) -> Option<Texture> {
    use FetchOp as F;
    let has_levels = !matches!(shape, TextureShape::Rectangle | TextureShape::Buffer) && !shape.has_samples();
    let (query, level) = match op {
        F::Ld => (TextureQuery::Texel, TextureLevel::Given),
        F::GetTextureInfo => (TextureQuery::Size, TextureLevel::Given),
        F::GetSampleInfo => (TextureQuery::Samples, TextureLevel::Quad),
        F::GetCompTexLod => (TextureQuery::Level, TextureLevel::Quad),
        F::Fetch4 => (TextureQuery::Gather(0), TextureLevel::Quad),
        F::Sample | F::SampleC if inst.lod_bias() != 0 => (TextureQuery::Sample, TextureLevel::Bias),
        F::Sample | F::SampleC => (TextureQuery::Sample, TextureLevel::Quad),
        F::SampleLb | F::SampleCLb => (TextureQuery::Sample, TextureLevel::Bias),
        F::SampleG | F::SampleCG | F::SampleGLb | F::SampleCGLb => {
            (TextureQuery::Sample, TextureLevel::Gradients)
        }
        F::SampleL
        | F::SampleLz
        | F::SampleGL
        | F::SampleGLz
        | F::SampleCL
        | F::SampleCLz
        | F::SampleCGL
        | F::SampleCGLz => (TextureQuery::Sample, TextureLevel::Given),
        F::VtxFetch
        | F::VtxSemantic
        | F::Mem
        | F::GetGradientsH
        | F::GetGradientsV
        | F::GetLerp
        | F::KeepGradients
        | F::SetGradientsH
        | F::SetGradientsV
        | F::Pass
        | F::SetCubemapIndex => return None,
    };
    let offset =
        if op.is_sample() || op == F::Ld { inst.offsets().map(|half| (half >> 1) as i8) } else { [0; 3] };
    Some(Texture {
        query,
        shadow: op.compares(),
        level: if has_levels || level == TextureLevel::Gradients { level } else { TextureLevel::Quad },
        offset,
        ..Texture::sample(unit, shape, level)
    })
}

/// The operands of what [`query`] says, from the swizzled source.
pub fn operands<A: Arithmetic>(
    at: &mut A,
    inst: Tex,
    op: FetchOp,
    texture: Texture,
    c: [A::Word; 4],
    kept: Kept<A::Word>,
) -> Operands<A::Word> {
    let mut operands = Operands::new(c[0]);
    match texture.query {
        TextureQuery::Size | TextureQuery::Samples => {}
        TextureQuery::Sample | TextureQuery::Level | TextureQuery::Gather(_) if texture.shape.is_cube() => {
            direction(at, c[0], c[1], c[2]).into_iter().for_each(|word| operands.push(word));
            if texture.coordinates() > 3 {
                operands.push(kept.cube);
            }
        }
        _ => {
            let places: &[usize] = match texture.shape {
                TextureShape::LineArray => &[0, 2],
                TextureShape::CubeArray => &[0, 1, 2, 3],
                _ => &[0, 1, 2],
            };
            places.iter().take(texture.coordinates()).for_each(|&place| operands.push(c[place]));
        }
    }
    if texture.shadow {
        use FetchOp as F;
        let beside = matches!(op, F::SampleCL | F::SampleCLb | F::SampleCGL | F::SampleCGLb);
        operands.push(c[if beside { 2 } else { 3 }]);
    }
    if texture.has_sample_operand() {
        operands.push(c[3]);
        return operands;
    }
    match (texture.level, texture.query) {
        (TextureLevel::Quad, _) => {}
        (TextureLevel::Given, TextureQuery::Size) => operands.push(c[0]),
        (TextureLevel::Given, _) => {
            use FetchOp as F;
            let zero = matches!(op, F::SampleLz | F::SampleGLz | F::SampleCLz | F::SampleCGLz);
            let level = if zero { at.word(0) } else { c[3] };
            operands.push(level);
        }
        (TextureLevel::Bias, _) => {
            let field = bias(inst);
            let word = match op {
                FetchOp::Sample | FetchOp::SampleC => at.float(field),
                _ if field == 0.0 => c[3],
                _ => {
                    let field = at.float(field);
                    at.apply(Op::FAdd(FLOAT), &[c[3], field])
                }
            };
            operands.push(word);
        }
        (TextureLevel::Gradients, _) => {
            let scale = matches!(op, FetchOp::SampleGLb | FetchOp::SampleCGLb)
                .then(|| at.apply(Op::FExp2(FLOAT), &[c[3]]));
            let cube = texture.shape.is_cube();
            for gradient in kept.gradients {
                let gradient = if cube { turned(at, gradient, c[2]) } else { gradient };
                for mut word in gradient.into_iter().take(texture.shape.axes()) {
                    if let Some(scale) = scale {
                        word = at.apply(Op::FMul(FLOAT, Multiply::Ieee), &[word, scale]);
                    }
                    operands.push(word);
                }
            }
        }
    }
    operands
}

/// The components of a result in the machine's order.
pub fn arranged<W: Copy>(op: FetchOp, [x, y, z, w]: [W; 4]) -> [W; 4] {
    if op == FetchOp::Fetch4 { [z, x, y, w] } else { [x, y, z, w] }
}

/// The LOD_BIAS field: seven bits, signed, in sixteenths.
fn bias(inst: Tex) -> f32 {
    ((inst.lod_bias() << 25) as i32 >> 25) as f32 / 16.0
}

/// The direction that a place on a face of a cube map lies in, with a length of 1 across the face. The coordinates go
/// from 1 to 2, as the idiom behind CUBE leaves them: `s = FAdd (FMul x 2.0) -3.0`, t likewise; then by the face
/// (below 0.5, 1.5, ... 4.5, else 5) `(1, -t, -s) (-1, -t, s) (s, 1, t) (s, -1, -t) (s, -t, 1) (-s, -t, -1)`.
pub fn direction<A: Arithmetic>(at: &mut A, x: A::Word, y: A::Word, face: A::Word) -> [A::Word; 3] {
    let (two, three) = (at.float(2.0), at.float(-3.0));
    let [s, t] = [x, y].map(|value| {
        let doubled = at.apply(Op::FMul(FLOAT, Multiply::Ieee), &[value, two]);
        at.apply(Op::FAdd(FLOAT), &[doubled, three])
    });
    let [one, minus] = [at.float(1.0), at.float(-1.0)];
    on_face(at, s, t, face, [one, minus])
}

/// A gradient on a face as one of the direction.
fn turned<A: Arithmetic>(at: &mut A, gradient: [A::Word; 3], face: A::Word) -> [A::Word; 3] {
    let two = at.float(2.0);
    let [s, t, _] = gradient.map(|value| at.apply(Op::FMul(FLOAT, Multiply::Ieee), &[value, two]));
    let zero = at.word(0);
    on_face(at, s, t, face, [zero, zero])
}

fn on_face<A: Arithmetic>(
    at: &mut A,
    s: A::Word,
    t: A::Word,
    face: A::Word,
    [front, back]: [A::Word; 2],
) -> [A::Word; 3] {
    let [less_s, less_t] = [s, t].map(|value| at.apply(Op::FNeg(Width::F32), &[value]));
    let below = [0.5, 1.5, 2.5, 3.5, 4.5].map(|limit| {
        let limit = at.float(limit);
        at.test(Op::FCompare(CompareFloat::Lt, FLOAT), &[face, limit])
    });
    let faces = [
        [front, less_t, less_s],
        [back, less_t, s],
        [s, front, t],
        [s, back, less_t],
        [s, less_t, front],
        [less_s, less_t, back],
    ];
    std::array::from_fn(|axis| {
        (0..5).rev().fold(faces[5][axis], |other, n| at.select(below[n], faces[n][axis], other))
    })
}
