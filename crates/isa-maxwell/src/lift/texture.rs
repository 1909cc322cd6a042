//! Questions to textures.
//!
//! What an operand holds is known only when the registers have become values. A handle in a register and offsets in
//! registers are therefore left in front of and behind the operands of the fetch; [`super::resolve`] takes them
//! away.

use super::super::Register;
use super::super::address_map;
use super::super::operation::{
    Answer, Dimension, Handle, Level, LevelClamp, Offset, Texture, TextureOperation,
};
use super::write::Writer;
use unshade_ir::{
    self as ir, FloatMode, Image, ImageQuery, Multiply, Op, Round, TextureLevel, TextureQuery, TextureShape,
    Value, Width,
};
use unshade_stage::maxwell::{BoundTexture, Driver, TextureKind};
use unshade_stage::{Maxwell, StageKind};

/// Unit of a texture whose handle is the first operand.
pub(super) const BINDLESS: u32 = u32::MAX;

/// Fractions of a level that the machine tells.
const LEVEL_STEPS: f32 = 256.0;

/// Whether a fetch is from a buffer: Mesa's compiler for this machine fetches from textures of one axis by the short form
/// (`isScalarTexGM107` in its register allocator), which it has for all masks but two, unless there are offsets, and from
/// buffers by the long one.
fn is_row(texture: &Texture, driver: Driver) -> bool {
    driver != Driver::Nvn
        && texture.operation == TextureOperation::Fetch
        && texture.dimension == Dimension::D1
        && (texture.layer, texture.offset, texture.level) == (None, Offset::None, Level::Zero)
        && matches!(texture.handle, Handle::Bound(_))
        && matches!(texture.answer, Answer::Block { mask, .. } if !matches!(mask, 5 | 6))
}

/// Whether somebody noted that a buffer was bound where a fetch along one axis reads its handle: code says of both the same.
fn is_noted_buffer(texture: &Texture, maxwell: &Maxwell) -> bool {
    let Handle::Bound(word) = texture.handle else { return false };
    let here = |bound: &&BoundTexture| bound.bank.is_none() && bound.offset == 4 * u32::from(word);
    let fetch = texture.operation == TextureOperation::Fetch
        && texture.dimension == Dimension::D1
        && (texture.layer, texture.offset) == (None, Offset::None);
    fetch
        && maxwell
            .bound_textures
            .iter()
            .find(here)
            .is_some_and(|bound| bound.kind == Some(TextureKind::Buffer))
}

/// The shape that an access sees.
fn shape(texture: &Texture) -> TextureShape {
    match (texture.dimension, texture.layer.is_some(), texture.sample.is_some()) {
        (Dimension::D1, false, _) => TextureShape::Line,
        (Dimension::D1, true, _) => TextureShape::LineArray,
        (Dimension::D2, false, false) => TextureShape::Plane,
        (Dimension::D2, true, false) => TextureShape::PlaneArray,
        (Dimension::D2, false, true) => TextureShape::PlaneSamples,
        (Dimension::D2, true, true) => TextureShape::PlaneSamplesArray,
        (Dimension::D3, ..) => TextureShape::Volume,
        (Dimension::Cube, false, _) => TextureShape::Cube,
        (Dimension::Cube, true, _) => TextureShape::CubeArray,
        (Dimension::Buffer, ..) => TextureShape::Buffer,
    }
}

impl Writer<'_> {
    /// Unit of a handle, and the handle where a register holds it.
    fn texture_unit(&mut self, handle: Handle) -> (u32, Option<Value>) {
        match handle {
            Handle::Bound(word) => (address_map::texture(self.maxwell.driver, self.kind, word.into()), None),
            Handle::Register(register) => (BINDLESS, Some(self.register(register))),
        }
    }

    pub(super) fn texture(&mut self, texture: &Texture) {
        if texture.clamp != LevelClamp::None {
            return self.refuse("a lower limit of the level of detail");
        }
        let is_buffer = is_row(texture, self.maxwell.driver) || is_noted_buffer(texture, self.maxwell);
        let shape = if is_buffer { TextureShape::Buffer } else { shape(texture) };
        let (unit, handle) = self.texture_unit(texture.handle);
        let query = match texture.operation {
            TextureOperation::Sample | TextureOperation::Gradient => TextureQuery::Sample,
            TextureOperation::Fetch => TextureQuery::Texel,
            TextureOperation::Gather(component) => TextureQuery::Gather(component),
            TextureOperation::Level => TextureQuery::Level,
            TextureOperation::Address => return self.refuse("TXA"),
        };
        let quads = self.kind == StageKind::Fragment;
        let gathers = matches!(query, TextureQuery::Gather(_));
        let level = match (texture.operation, texture.level) {
            _ if gathers || query == TextureQuery::Level || shape.has_samples() => TextureLevel::Quad,
            _ if shape == TextureShape::Buffer => TextureLevel::Quad,
            (TextureOperation::Gradient, _) => TextureLevel::Gradients,
            (_, Level::Quad) if query == TextureQuery::Texel => TextureLevel::Given,
            // Where there are no quads the level is 0, whatever is added to it.
            (_, Level::Quad) if !quads && !texture.no_derivatives => TextureLevel::Given,
            (_, Level::Bias | Level::BiasAligned) if !quads => TextureLevel::Given,
            (_, Level::Quad) => TextureLevel::Quad,
            (_, Level::Bias | Level::BiasAligned) => TextureLevel::Bias,
            (_, Level::Zero | Level::Given | Level::GivenAligned) => TextureLevel::Given,
        };
        let fetch = ir::Texture {
            unit,
            indexed: handle.is_some(),
            shape,
            query,
            shadow: texture.reference.is_some(),
            level,
            offset: [0; 3],
            moved: false,
        };
        let mut operands: Vec<Value> = handle.into_iter().collect();
        let axes = match shape {
            TextureShape::Volume | TextureShape::Cube | TextureShape::CubeArray => 3,
            TextureShape::Line | TextureShape::LineArray | TextureShape::Buffer => 1,
            _ => 2,
        };
        for register in texture.coordinates.iter().take(axes) {
            operands.push(self.register(*register));
        }
        if let Some(layer) = texture.layer.filter(|_| query != TextureQuery::Level) {
            let layer = self.register(layer);
            let layer = self.masked(layer, 0xFFFF);
            let layer =
                if fetch.is_integer() { layer } else { self.value(Op::UToF(FloatMode::F32), &[layer]) };
            operands.push(layer);
        }
        if let Some(reference) = texture.reference {
            operands.push(self.register(reference));
        }
        if fetch.has_sample_operand() {
            let sample = texture.sample.unwrap_or(Register::ZERO);
            operands.push(self.register(sample));
        } else {
            match level {
                TextureLevel::Quad => {}
                TextureLevel::Given if !matches!(texture.level, Level::Given | Level::GivenAligned) => {
                    operands.push(self.bits(0));
                }
                TextureLevel::Bias | TextureLevel::Given => {
                    let operand = texture.level_operand.unwrap_or(Register::ZERO);
                    operands.push(self.register(operand));
                }
                TextureLevel::Gradients => self.gradients(texture, axes, &mut operands),
            }
        }
        self.offsets(texture, &mut operands);
        self.at(0, 0);
        let mut answer: Vec<Value> = self.builder.values(Op::Texture(fetch), &operands).to_vec();
        if query == TextureQuery::Level {
            answer = self.levels(&answer);
        }
        if let (TextureQuery::Sample, true, &[passes, ..]) = (query, fetch.shadow, answer.as_slice()) {
            // What a comparison gives stands in three components; the fourth is 1.
            answer = vec![passes, passes, passes, self.bits(1.0_f32.to_bits())];
        }
        self.put_answer(texture.answer, &answer);
        if texture.resident < 7 {
            // Nothing was missing.
            let no = self.truth(false);
            self.set_predicate(texture.resident, no);
        }
    }

    /// Offsets in texels, one operand for each of three axes; four of two axes one after the other.
    fn offsets(&mut self, texture: &Texture, operands: &mut Vec<Value>) {
        let Some(register) = texture.offset_operand else { return };
        let mut field = |w: &mut Self, word: Value, first: u32, count: u32| {
            let (first, count) = (w.bits(first), w.bits(count));
            let axis = w.value(Op::SBitExtract, &[word, first, count]);
            operands.push(axis);
        };
        match texture.offset {
            Offset::None => {}
            Offset::One { at, step, bits } => {
                let word = self.register(register);
                for axis in 0..3 {
                    field(self, word, u32::from(at) + axis * u32::from(step), bits.into());
                }
            }
            Offset::Four => {
                for n in 0..2 {
                    let word = self.register(register.further(n));
                    (0..4).for_each(|byte| field(self, word, 8 * byte, 6));
                }
            }
        }
    }

    /// Gradients lie axis by axis in the registers, and direction by direction in the fetch.
    fn gradients(&mut self, texture: &Texture, axes: usize, operands: &mut Vec<Value>) {
        let first = texture.gradients.unwrap_or(Register::ZERO);
        for direction in 0..2_u8 {
            for axis in 0..axes as u8 {
                operands.push(self.register(first.further(2 * axis + direction)));
            }
        }
    }

    /// The levels of detail as the machine tells them: in fractions, first as computed, then clamped.
    fn levels(&mut self, answer: &[Value]) -> Vec<Value> {
        let scale = self.bits(LEVEL_STEPS.to_bits());
        let zero = self.bits(0);
        let get = |n: usize| answer.get(n).copied().unwrap_or(zero);
        let (clamped, computed) = (get(0), get(1));
        let scaled = |w: &mut Self, value, op: Op| {
            let value = w.value(Op::FMul(FloatMode::F32, Multiply::Ieee), &[value, scale]);
            let number = w.value(op, &[value]);
            w.masked(number, 0xFFFF)
        };
        let computed = scaled(self, computed, Op::FToS(Width::F32, Round::Nearest));
        let clamped = scaled(self, clamped, Op::FToU(Width::F32, Round::Nearest));
        vec![computed, clamped, zero, zero]
    }

    /// Puts the components of an answer where they go.
    pub(super) fn put_answer(&mut self, to: Answer, answer: &[Value]) {
        let taken = |mask: u8| {
            answer.iter().enumerate().filter(move |(n, _)| mask >> n & 1 != 0).map(|(_, value)| *value)
        };
        match to {
            Answer::Block { first, mask } => {
                for (n, value) in (0_u8..).zip(taken(mask)) {
                    self.set_register(first.further(n), value);
                }
            }
            Answer::Pairs { low, high, mask, halves } => {
                let values: Vec<Value> = taken(mask).collect();
                if halves {
                    for (pair, register) in values.chunks(2).zip([low, high]) {
                        let mode = FloatMode { width: Width::F16, ..FloatMode::F32 };
                        let mut parts: Vec<Value> = pair
                            .iter()
                            .map(|value| self.value(Op::FConvert(Width::F32, mode), &[*value]))
                            .collect();
                        if parts.len() < 2 {
                            parts.push(self.value(Op::B16(0), &[]));
                        }
                        let word = self.value(Op::Join, &parts);
                        self.set_register(register, word);
                    }
                    return;
                }
                for (n, value) in (0_u8..).zip(values) {
                    let register = if n < 2 { low.further(n) } else { high.further(n - 2) };
                    self.set_register(register, value);
                }
            }
        }
    }

    /// Asks for sizes and the like.
    pub(super) fn texture_query(&mut self, d: Register, a: Register, handle: Handle, query: u8, mask: u8) {
        let level = self.register(a);
        if let Handle::Bound(word) = handle
            && let Some(shape) = self.images.get(&word).copied()
            && query == 1
        {
            let unit = address_map::image(self.maxwell.driver, self.kind, word.into());
            let image = Image { unit, indexed: false, shape, query: ImageQuery::Size };
            let answer = self.builder.values(Op::Image(image), &[]).to_vec();
            return self.put_answer(Answer::Block { first: d, mask }, &answer);
        }
        let (unit, handle) = self.texture_unit(handle);
        let (query, level_kind) = match query {
            1 => (TextureQuery::Size, TextureLevel::Given),
            2 => (TextureQuery::Samples, TextureLevel::Quad),
            other => return self.refuse(format!("TXQ of property {other}")),
        };
        let fetch = ir::Texture {
            unit,
            indexed: handle.is_some(),
            // Only textures that have samples are asked for their number. Compilers ask for as many components of a
            // size as the type has; another access to the texture says more (`resolve`).
            shape: match (query, mask & 7) {
                (TextureQuery::Samples, _) => TextureShape::PlaneSamples,
                (_, 1) => TextureShape::Line,
                (_, 4..) => TextureShape::PlaneArray,
                _ => TextureShape::Plane,
            },
            query,
            shadow: false,
            level: level_kind,
            offset: [0; 3],
            moved: false,
        };
        let mut operands: Vec<Value> = handle.into_iter().collect();
        if level_kind == TextureLevel::Given {
            operands.push(level);
        }
        let answer = self.builder.values(Op::Texture(fetch), &operands).to_vec();
        let answer = match query {
            // The third component of the type is the number of samples.
            TextureQuery::Samples => {
                let zero = self.bits(0);
                let samples = answer.first().copied().unwrap_or(zero);
                vec![zero, zero, samples, zero]
            }
            _ => answer,
        };
        self.put_answer(Answer::Block { first: d, mask }, &answer);
    }
}
