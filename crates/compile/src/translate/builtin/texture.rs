//! Lookups of textures, and questions about them.

use super::super::interface::shape;
use super::super::place::{Handle, Kind};
use super::super::{Result, Translator, Values, unsupported};
use unshade_glsl::builtins::{Level, Offsets, Role, Sample};
use unshade_glsl::language::Stage;
use unshade_glsl::place::Span;
use unshade_glsl::tree::{Binary, ExpressionId, ExpressionKind, Operation, Value as Known};
use unshade_glsl::types::{Scalar, Type};
use unshade_ir::{Op, Texture, TextureLevel, TextureQuery, TextureShape, Value};

/// A lookup with its arguments.
struct Asked<'e> {
    handle: Handle,
    shape: TextureShape,
    sample: Sample,
    arguments: &'e [ExpressionId],
}

impl Asked<'_> {
    fn of(&self, role: Role) -> Option<ExpressionId> {
        let place = self.sample.argument(role, self.handle.opaque, self.arguments.len())?;
        self.arguments.get(place).copied()
    }
}

impl Translator<'_> {
    /// The texture or image of an argument.
    pub(super) fn handle_of(&mut self, id: ExpressionId) -> Result<Handle> {
        let span = self.span(id);
        match self.place(id)?.map(|place| place.kind) {
            Some(Kind::Handle(handle)) => Ok(handle),
            Some(Kind::Choice(..)) => {
                Err(unsupported("textures in structures are chosen by numbers that are known", span))
            }
            _ => Err(unsupported("expected a texture, or an image, that is declared", span)),
        }
    }

    fn asked<'e>(&mut self, sample: Sample, arguments: &'e [ExpressionId], span: Span) -> Result<Asked<'e>> {
        let texture = *arguments.first().ok_or_else(|| unsupported("expected a texture", span))?;
        let handle = self.handle_of(texture)?;
        let span = self.span(texture);
        let shape = shape(handle.opaque)
            .ok_or_else(|| unsupported(format!("`{}` is no texture here", handle.opaque.name()), span))?;
        Ok(Asked { handle, shape, sample, arguments })
    }

    pub(super) fn sample(
        &mut self,
        sample: Sample,
        ty: Type,
        name: &str,
        arguments: &[ExpressionId],
        span: Span,
    ) -> Result<Values> {
        if sample.is_clamped || sample.is_sparse {
            return Err(unsupported(format!("`{name}` has no operation in the common language"), span));
        }
        let asked = self.asked(sample, arguments, span)?;
        let opaque = asked.handle.opaque;
        let fragment = self.shader.stage == Stage::Fragment;
        let one_level = matches!(asked.shape, TextureShape::Buffer) || asked.shape.has_samples();
        let level = match sample.level {
            _ if sample.is_gather || one_level => TextureLevel::Quad,
            _ if sample.is_fetch => TextureLevel::Given,
            Level::Gradient => TextureLevel::Gradients,
            Level::Explicit => TextureLevel::Given,
            // No quads, no slopes: the first level.
            _ if !fragment => TextureLevel::Given,
            Level::Bias => TextureLevel::Bias,
            Level::Implicit => TextureLevel::Quad,
        };
        let component = match asked.of(Role::Component) {
            Some(id) => self.known_index(id).unwrap_or(0) as u8,
            None => 0,
        };
        let query = match (sample.is_gather, sample.is_fetch) {
            (true, _) => TextureQuery::Gather(component),
            (_, true) => TextureQuery::Texel,
            _ => TextureQuery::Sample,
        };
        let mut question = Texture::sample(asked.handle.unit, asked.shape, level);
        question.query = query;
        question.shadow = opaque.is_shadow;
        question.indexed = asked.handle.index.is_some();
        let (mut operands, reference) = self.coordinates(&asked)?;
        // A fetch may move by offsets that are not known; they are whole numbers as its coordinates are.
        let offset = asked.of(Role::Offset);
        let mut moved = Values::new();
        let mut several = Vec::new();
        if let Some(offset) = offset {
            match (self.known_offsets(offset), sample.offsets) {
                (Some(known), Offsets::Four) => {
                    several = known.chunks(asked.shape.axes()).map(placed).collect();
                }
                (Some(known), _) => question.offset = placed(&known),
                (None, _) if sample.is_fetch => {
                    let steps = self.value(offset)?;
                    for (coordinate, step) in operands.iter_mut().zip(steps) {
                        *coordinate = self.op(Op::IAdd, &[*coordinate, step]);
                    }
                }
                (None, Offsets::One) if sample.is_gather => {
                    moved = self.value(offset)?;
                    question.moved = true;
                }
                (None, _) => return Err(unsupported("expected offsets that are known", self.span(offset))),
            }
        }
        operands.extend(reference);
        self.level_operands(&question, &asked, &mut operands)?;
        operands.extend(moved);
        if let Some(index) = asked.handle.index {
            operands.insert(0, index);
        }
        if several.is_empty() {
            return Ok(self.texels(question, &operands, ty));
        }
        // The texel itself is the last of the four that a gather gives.
        let mut values = Values::new();
        for offset in several {
            let four = self.texels(Texture { offset, ..question }, &operands, ty);
            values.extend(four.get(3).copied());
        }
        Ok(values)
    }

    /// Coordinates, and what is compared.
    fn coordinates(&mut self, asked: &Asked<'_>) -> Result<(Values, Option<Value>)> {
        let Some(coordinate) = asked.of(Role::Coordinate) else { return Ok((Values::new(), None)) };
        let scalar = self.ty(coordinate).scalar().unwrap_or(Scalar::Float);
        let mut parts = self.value(coordinate)?;
        if scalar == Scalar::Float16 {
            parts = self.converted(&parts, scalar, Scalar::Float);
        }
        let count = asked.shape.coordinates();
        // Of a line, the value compared with is the third component as of all others.
        let place = count.max(2);
        let mut reference = match (asked.handle.opaque.is_shadow, asked.of(Role::Compare)) {
            (false, _) => None,
            (true, Some(id)) => Some(self.scalar(id)?),
            (true, None) => parts.get(place).copied(),
        };
        let last = parts.last().copied();
        let mut operands: Values = parts.into_iter().take(count).collect();
        if let (true, Some(divisor)) = (asked.sample.is_projected, last) {
            for value in operands.iter_mut().chain(reference.as_mut()) {
                *value = self.operate(Binary::Divide, Scalar::Float, *value, divisor);
            }
        }
        Ok((operands, reference))
    }

    fn level_operands(&mut self, question: &Texture, asked: &Asked<'_>, operands: &mut Values) -> Result<()> {
        if question.has_sample_operand() {
            let sample = match asked.of(Role::SampleIndex) {
                Some(id) => self.scalar(id)?,
                None => self.bits(0),
            };
            operands.push(sample);
            return Ok(());
        }
        match question.level {
            TextureLevel::Quad => {}
            TextureLevel::Bias => {
                let bias = match asked.of(Role::Bias) {
                    Some(id) => self.scalar(id)?,
                    None => self.bits(0),
                };
                operands.push(bias);
            }
            TextureLevel::Given => {
                // Without one it is the first level, a whole number or a float as the question asks: both are no bits at all.
                let level = match asked.of(Role::Lod) {
                    Some(id) => self.scalar(id)?,
                    None => self.bits(0),
                };
                operands.push(level);
            }
            TextureLevel::Gradients => {
                for role in [Role::GradientX, Role::GradientY] {
                    if let Some(id) = asked.of(role) {
                        operands.extend(self.value(id)?);
                    }
                }
            }
        }
        Ok(())
    }

    /// The offsets of an argument, if they are known.
    fn known_offsets(&self, id: ExpressionId) -> Option<Vec<i64>> {
        let ExpressionKind::Constant(constant) = self.shader.expressions[id].kind else { return None };
        let values = self.shader.constants[constant].values.iter();
        values.map(|value| if let Known::Int(number) = value { Some(*number) } else { None }).collect()
    }

    fn texels(&mut self, question: Texture, operands: &[Value], ty: Type) -> Values {
        self.count += 1;
        let mut values = self.code.values(Op::Texture(question), operands);
        values.truncate(ty.components().unwrap_or(4).into());
        match ty.scalar() {
            Some(Scalar::Float16) => self.converted(&values, Scalar::Float, Scalar::Float16),
            _ => values,
        }
    }

    pub(super) fn texture_query(
        &mut self,
        operation: Operation,
        ty: Type,
        arguments: &[ExpressionId],
        span: Span,
    ) -> Result<Values> {
        let asked = self.asked(Sample::PLAIN, arguments, span)?;
        let has_levels = !asked.shape.has_samples()
            && !matches!(asked.shape, TextureShape::Buffer | TextureShape::Rectangle);
        let (query, level) = match operation {
            Operation::TextureQueryLod => (TextureQuery::Level, TextureLevel::Quad),
            Operation::TextureSamples => (TextureQuery::Samples, TextureLevel::Quad),
            _ if has_levels => (TextureQuery::Size, TextureLevel::Given),
            _ => (TextureQuery::Size, TextureLevel::Quad),
        };
        let mut question = Texture::sample(asked.handle.unit, asked.shape, level);
        question.query = query;
        question.indexed = asked.handle.index.is_some();
        let mut operands: Values = asked.handle.index.into_iter().collect();
        match (operation, arguments.get(1)) {
            (Operation::TextureQueryLod, Some(coordinate)) => operands.extend(self.value(*coordinate)?),
            (Operation::TextureSize, Some(lod)) if has_levels => operands.push(self.scalar(*lod)?),
            _ if level == TextureLevel::Given => operands.push(self.bits(0)),
            _ => {}
        }
        if operands.len() != question.operands() {
            return Err(unsupported("this question is not known of such a texture", span));
        }
        self.count += 1;
        let values = self.code.values(Op::Texture(question), &operands);
        Ok(match operation {
            Operation::TextureQueryLevels => values.into_iter().skip(3).collect(),
            _ => values.into_iter().take(ty.components().unwrap_or(4).into()).collect(),
        })
    }
}

/// Offsets in texels, as the question holds them.
fn placed(offsets: &[i64]) -> [i8; 3] {
    let mut placed = [0; 3];
    for (place, offset) in placed.iter_mut().zip(offsets) {
        *place = (*offset).clamp(-128, 127) as i8;
    }
    placed
}
