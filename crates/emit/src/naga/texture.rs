//! Textures: what is declared, and questions to them.

use super::body::Body;
use super::expression::Lowered;
use super::levels::ASKED;
use super::lower::{Lower, PER_TEXTURE};
use crate::Error;
use crate::visit::{self, Node};
use ::naga::{
    AddressSpace, BinaryOperator, Expression, GlobalVariable, Handle, ImageClass, ImageDimension, ImageQuery,
    MathFunction, ResourceBinding, SampleLevel, ScalarKind, Span, SwizzleComponent, Type, TypeInner,
};
use std::collections::{BTreeMap, BTreeSet};
use unshade_ir::ast::{self, Builtin, Expr, ExprKind, Fetch, Scalar};
use unshade_ir::{Shape, Texel, Texture, TextureLevel, TextureQuery, TextureShape};
use unshade_stage::StageKind;

/// Texture and sampler by global and element.
pub(super) type Textures = BTreeMap<(u32, u32), (Handle<GlobalVariable>, Handle<GlobalVariable>)>;

/// Bind group of textures.
const GROUP: u32 = 1;

/// The element that a fetch uses, if it is known.
fn element_of(fetch: &Fetch) -> Option<u32> {
    match fetch.element.as_ref().map(|element| &element.kind) {
        None => Some(0),
        Some(ExprKind::Literal(bits)) => bits.first().map(|bits| *bits as u32),
        Some(_) => None,
    }
}

/// Dimension, whether it is an array, whether texels have samples; `None`: these languages have no such texture.
fn dimension(shape: TextureShape) -> Option<(ImageDimension, bool, bool)> {
    Some(match shape {
        TextureShape::Line => (ImageDimension::D1, false, false),
        // The coordinates of a rectangle are divided by its size.
        TextureShape::Plane | TextureShape::Rectangle => (ImageDimension::D2, false, false),
        TextureShape::Volume => (ImageDimension::D3, false, false),
        TextureShape::Cube => (ImageDimension::Cube, false, false),
        TextureShape::PlaneArray => (ImageDimension::D2, true, false),
        TextureShape::CubeArray => (ImageDimension::Cube, true, false),
        TextureShape::PlaneSamples => (ImageDimension::D2, false, true),
        TextureShape::LineArray | TextureShape::Buffer | TextureShape::PlaneSamplesArray => return None,
    })
}

impl Lower<'_> {
    /// Declares the textures that are fetched from, each with a sampler.
    ///
    /// Errors: a texture that is chosen by a computed number, or of a shape that these languages do not have.
    pub fn declare_textures(&mut self) -> Result<(), Error> {
        let program = self.program;
        let mut used: BTreeSet<(u32, u32)> = BTreeSet::new();
        let mut computed = None;
        let mut quads = false;
        for function in &program.functions {
            visit::block(&function.body, &mut |node| {
                let Node::Expr(expr) = node else { return };
                quads |= matches!(
                    expr.kind,
                    ExprKind::Texture(_)
                        | ExprKind::Builtin(
                            Builtin::DerivativeX | Builtin::DerivativeY | Builtin::DerivativeWidth,
                            _
                        )
                );
                let ExprKind::Texture(fetch) = &expr.kind else { return };
                match element_of(fetch) {
                    Some(element) => {
                        used.insert((fetch.sampler.0, element));
                    }
                    None => computed = Some(fetch.sampler),
                }
            });
        }
        if let Some(sampler) = computed {
            let name = &program.globals[sampler.0 as usize].global.name;
            return Err(Error::unsupported(format!("a texture of {name} chosen by a computed number")));
        }
        for (global, element) in used {
            let declared = &program.globals[global as usize].global;
            let name = self.names.globals[global as usize].clone();
            let name = match declared.shape {
                Shape::Sampler { elements: 1.., .. } => format!("{name}_{element}"),
                _ => name,
            };
            let unit = declared.offset.wrapping_add(element.wrapping_mul(declared.stride));
            let binding = unit.wrapping_mul(PER_TEXTURE);
            let Shape::Sampler { shape, shadow, texel, .. } = declared.shape else { continue };
            let Some((dim, arrayed, multi)) = dimension(shape) else {
                return Err(Error::unsupported(format!("{name}, a texture of the shape {shape:?},")));
            };
            let kind = match texel {
                Texel::Float => ScalarKind::Float,
                Texel::Int => ScalarKind::Sint,
                Texel::Uint => ScalarKind::Uint,
            };
            let class =
                if shadow { ImageClass::Depth { multi } } else { ImageClass::Sampled { kind, multi } };
            if shadow && dim != ImageDimension::D2 && dim != ImageDimension::Cube {
                return Err(Error::unsupported(format!("{name}, a {shape:?} of shadows,")));
            }
            let image = self.resource(&name, TypeInner::Image { dim, arrayed, class }, binding);
            let name = self.names.add(&format!("{name}_sampler"));
            let sampler = TypeInner::Sampler { comparison: shadow };
            let sampler = self.resource(&name, sampler, binding.wrapping_add(1));
            self.textures.insert((global, element), (image, sampler));
        }
        if quads {
            self.allow_conditions();
        }
        Ok(())
    }

    fn resource(&mut self, name: &str, inner: TypeInner, binding: u32) -> Handle<GlobalVariable> {
        let ty = self.module.types.insert(Type { name: None, inner }, Span::UNDEFINED);
        let variable = GlobalVariable {
            name: Some(name.to_owned()),
            space: AddressSpace::Handle,
            binding: Some(ResourceBinding { group: GROUP, binding }),
            ty,
            init: None,
            memory_decorations: ::naga::MemoryDecorations::empty(),
        };
        self.module.global_variables.append(variable, Span::UNDEFINED)
    }

    /// Fetches and derivatives under conditions are the program's own affair.
    fn allow_conditions(&mut self) {
        use ::naga::diagnostic_filter::{
            DiagnosticFilter, DiagnosticFilterNode, FilterableTriggeringRule, Severity,
            StandardFilterableTriggeringRule,
        };
        let rule = StandardFilterableTriggeringRule::DerivativeUniformity;
        let inner = DiagnosticFilter {
            new_severity: Severity::Off,
            triggering_rule: FilterableTriggeringRule::Standard(rule),
        };
        let node = DiagnosticFilterNode { inner, parent: None };
        let leaf = self.module.diagnostic_filters.append(node, Span::UNDEFINED);
        self.module.diagnostic_filter_leaf = Some(leaf);
    }
}

/// Whether a fetch from something that is not flat has an offset.
pub(super) fn moves_others(program: &ast::Program) -> bool {
    let mut found = false;
    for function in &program.functions {
        visit::block(&function.body, &mut |node| {
            if let Node::Expr(Expr { kind: ExprKind::Texture(fetch), .. }) = node {
                let Texture { shape, query, offset, .. } = fetch.texture;
                let planar = !matches!(shape, TextureShape::Line | TextureShape::Volume);
                found |= !planar && query == TextureQuery::Sample && offset != [0; 3];
            }
        });
    }
    found
}

/// What every question has.
#[derive(Clone, Copy)]
struct Asked {
    image: Handle<Expression>,
    sampler: Handle<Expression>,
    coordinate: Option<Handle<Expression>>,
    layer: Option<Handle<Expression>>,
}

const INT: ast::Type = ast::Type { scalar: Scalar::Int, components: 1 };

/// An operand of a fetch that not every fetch has.
type Part = Option<Handle<Expression>>;

impl Body<'_, '_, '_> {
    /// A question, all four components of the answer.
    pub fn fetch(&mut self, fetch: &Fetch) -> Lowered {
        let element = element_of(fetch).unwrap_or(0);
        let Some(&(image, sampler)) = self.lower.textures.get(&(fetch.sampler.0, element)) else {
            return Err(Error::invalid("a fetch from a texture that was not seen"));
        };
        let texture = fetch.texture;
        let (coordinate, layer) = self.coordinates(fetch)?;
        let image = self.add(Expression::GlobalVariable(image));
        let sampler = self.add(Expression::GlobalVariable(sampler));
        let asked = Asked { image, sampler, coordinate, layer };
        let value = match texture.query {
            TextureQuery::Sample | TextureQuery::Gather(_) => self.sample(fetch, asked)?,
            TextureQuery::Texel => self.texel(fetch, asked)?,
            TextureQuery::Size => return self.size(fetch, asked),
            TextureQuery::Samples => {
                if !texture.shape.has_samples() {
                    // Texels of all others have one.
                    let one = self.literal(Scalar::Int, 1u32);
                    return Ok(self.four(vec![one], Scalar::Int));
                }
                let query = ImageQuery::NumSamples;
                let samples = self.number(Expression::ImageQuery { image, query });
                return Ok(self.four(vec![samples], Scalar::Int));
            }
            TextureQuery::Level => return self.level(fetch, asked),
        };
        // Fetched here, not wherever the value is used.
        self.name(value, "texel".to_owned());
        self.height = 0;
        Ok(value)
    }

    /// Coordinates without the layer, and the layer as a whole number.
    fn coordinates(&mut self, fetch: &Fetch) -> Result<(Part, Part), Error> {
        let texture = fetch.texture;
        let Some(coordinates) = &fetch.coordinates else { return Ok((None, None)) };
        let width = coordinates.ty.components;
        let whole = self.expr(coordinates)?;
        if !texture.shape.is_array() || texture.query == TextureQuery::Level {
            return Ok((Some(whole), None));
        }
        let lanes: Vec<u8> = (0..width - 1).collect();
        let place = self.swizzle(whole, width, &lanes);
        let mut layer = self.add(Expression::AccessIndex { base: whole, index: u32::from(width - 1) });
        if coordinates.ty.scalar == Scalar::Float {
            layer = self.math(MathFunction::Round, &[layer]);
            layer = self.add(Expression::As { expr: layer, kind: ScalarKind::Sint, convert: Some(4) });
        }
        Ok((Some(place), Some(layer)))
    }

    fn sample(&mut self, fetch: &Fetch, asked: Asked) -> Lowered {
        use TextureShape::{Cube, CubeArray, Line, PlaneSamples, Rectangle, Volume};
        let texture = fetch.texture;
        let shape = texture.shape;
        let fragment = self.lower.kind == StageKind::Fragment;
        let gathers = matches!(texture.query, TextureQuery::Gather(_));
        let texel = match self.lower.program.globals[fetch.sampler.0 as usize].global.shape {
            Shape::Sampler { texel, .. } => texel,
            _ => Texel::Float,
        };
        let has_offset = texture.offset != [0; 3];
        let refused = match shape {
            PlaneSamples => Some("a filtered fetch"),
            Cube | CubeArray if has_offset => Some("an offset in texels"),
            _ if texture.moved => Some("an offset in texels that is not a constant"),
            Line | Volume if gathers => Some("a gather"),
            _ if gathers && texture.level != TextureLevel::Quad => Some("a gather from a level of its own"),
            _ if !gathers && texel != Texel::Float => Some("a filtered fetch of integers"),
            Line if !gathers && (!fragment || texture.level != TextureLevel::Quad) => {
                Some("a level of its own")
            }
            _ => None,
        };
        if let Some(what) = refused {
            return Err(shapeless(what, texture));
        }
        let Some(mut coordinate) = asked.coordinate else {
            return Err(Error::invalid("a fetch without coordinates"));
        };
        if shape == Rectangle {
            let query = ImageQuery::Size { level: None };
            let size = self.add(Expression::ImageQuery { image: asked.image, query });
            let size = self.add(Expression::As { expr: size, kind: ScalarKind::Float, convert: Some(4) });
            let op = BinaryOperator::Divide;
            coordinate = self.add(Expression::Binary { op, left: coordinate, right: size });
        }
        let mut levels = fetch.levels.iter().map(|level| self.expr(level)).collect::<Result<Vec<_>, _>>()?;
        let first_level = fetch.levels.iter().all(is_zero);
        let mut beyond = None;
        let level = match (texture.level, &mut levels[..]) {
            _ if gathers => SampleLevel::Zero,
            _ if shape == Rectangle => SampleLevel::Zero,
            (TextureLevel::Quad, _) if fragment => SampleLevel::Auto,
            (TextureLevel::Quad, _) => SampleLevel::Zero,
            (TextureLevel::Given, _) if texture.shadow && first_level => SampleLevel::Zero,
            _ if texture.shadow && self.lower.levels.is_none() => {
                return Err(shapeless("a level of its own", texture));
            }
            // The level comes behind naga's validator.
            (TextureLevel::Given, [level]) if texture.shadow => {
                beyond = Some(SampleLevel::Gradient { x: *level, y: *level });
                SampleLevel::Zero
            }
            (TextureLevel::Bias, [bias]) if texture.shadow && fragment => {
                beyond = Some(SampleLevel::Bias(self.no_question(*bias)));
                SampleLevel::Auto
            }
            (TextureLevel::Gradients, [x, y]) if texture.shadow => {
                beyond = Some(SampleLevel::Gradient { x: *x, y: *y });
                SampleLevel::Zero
            }
            (TextureLevel::Given, [level]) => SampleLevel::Exact(*level),
            (TextureLevel::Bias, [bias]) if fragment => SampleLevel::Bias(self.no_question(*bias)),
            (TextureLevel::Gradients, [x, y]) => SampleLevel::Gradient { x: *x, y: *y },
            _ => {
                let message = format!("a texture fetch with a bias in a {} program", self.lower.kind);
                return Err(Error::unsupported(message));
            }
        };
        // naga's text for HLSL has the function for the first level of shadows alone.
        let level = match level {
            SampleLevel::Zero if !texture.shadow && !gathers => {
                SampleLevel::Exact(self.literal(Scalar::Float, 0u32))
            }
            level => level,
        };
        let mut depth_ref = fetch.reference.as_ref().map(|reference| self.expr(reference)).transpose()?;
        if let (Some(reference), Some(_)) = (depth_ref, beyond) {
            let widths: Vec<u8> = fetch.levels.iter().map(|level| level.ty.components).collect();
            depth_ref = Some(self.used_beside(reference, &levels, &widths));
        }
        let offset = has_offset.then(|| self.offset(texture));
        let gather = match texture.query {
            TextureQuery::Gather(_) if texture.shadow => Some(SwizzleComponent::X),
            TextureQuery::Gather(component) => Some(SwizzleComponent::XYZW[usize::from(component & 3)]),
            _ => None,
        };
        let value = self.add(Expression::ImageSample {
            image: asked.image,
            sampler: asked.sampler,
            gather,
            coordinate,
            array_index: asked.layer,
            offset,
            level,
            depth_ref,
            clamp_to_edge: false,
        });
        if let (Some(levels), Some(level)) = (&mut self.lower.levels, beyond) {
            levels.add(value, level);
        }
        if texture.shadow && !gathers {
            // A comparison is the same in all components.
            return Ok(self.widened(value, ast::Type { scalar: Scalar::Float, components: 1 }, 4));
        }
        Ok(value)
    }

    /// A float that uses the operands of a level until the module is validated, and is the reference behind that.
    fn used_beside(
        &mut self,
        reference: Handle<Expression>,
        operands: &[Handle<Expression>],
        widths: &[u8],
    ) -> Handle<Expression> {
        let mut sum = reference;
        for (&operand, width) in operands.iter().zip(widths) {
            let mut floats = Vec::new();
            let mut right = operand;
            if *width > 1 {
                right = self.add(Expression::AccessIndex { base: operand, index: 0 });
                floats.push(right);
            }
            sum = self.add(Expression::Binary { op: BinaryOperator::Add, left: sum, right });
            floats.push(sum);
            if let Some(levels) = &mut self.lower.levels {
                floats.into_iter().for_each(|float| levels.same(float, reference));
            }
        }
        sum
    }

    /// A program's own bias that would be read as a question for the level of detail is the number above it: both choose the first
    /// level of any texture.
    fn no_question(&mut self, bias: Handle<Expression>) -> Handle<Expression> {
        match self.function.expressions[bias] {
            Expression::Literal(::naga::Literal::F32(value)) if ASKED.contains(&value) => {
                self.literal(Scalar::Float, value.ceil().to_bits())
            }
            _ => bias,
        }
    }

    /// The level of detail that a sample would take: a fetch that becomes the question behind naga's validator.
    fn level(&mut self, fetch: &Fetch, asked: Asked) -> Lowered {
        let texture = fetch.texture;
        let fragment = self.lower.kind == StageKind::Fragment;
        // naga has no bias of a line, which this goes by.
        let lacks = matches!(texture.shape, TextureShape::Rectangle | TextureShape::Line);
        let has_levels = !lacks && !texture.shape.has_samples();
        if self.lower.levels.is_none() || !fragment || !has_levels {
            return Err(Error::unsupported("the level of detail of a texture fetch"));
        }
        let Some(coordinate) = asked.coordinate else {
            return Err(Error::invalid("a question for a level without coordinates"));
        };
        let compares = match self.lower.program.globals[fetch.sampler.0 as usize].global.shape {
            Shape::Sampler { shadow, .. } => shadow,
            _ => false,
        };
        let zero = self.literal(Scalar::Float, 0u32);
        let array_index = texture.shape.is_array().then(|| self.literal(Scalar::Int, 0u32));
        let mut levels = Vec::new();
        for bias in ASKED {
            let bias = self.literal(Scalar::Float, bias.to_bits());
            // naga has no bias of a comparison: that one comes behind its validator.
            let depth_ref = compares.then(|| self.used_beside(zero, &[bias], &[1]));
            let value = self.add(Expression::ImageSample {
                image: asked.image,
                sampler: asked.sampler,
                gather: None,
                coordinate,
                array_index,
                offset: None,
                level: if compares { SampleLevel::Auto } else { SampleLevel::Bias(bias) },
                depth_ref,
                clamp_to_edge: false,
            });
            if let Some(levels) = self.lower.levels.as_mut().filter(|_| compares) {
                levels.add(value, SampleLevel::Bias(bias));
            }
            levels.push(match compares {
                true => value,
                false => self.add(Expression::AccessIndex { base: value, index: 0 }),
            });
        }
        Ok(self.four(levels, Scalar::Float))
    }

    /// The offset, which has to be a constant.
    fn offset(&mut self, texture: Texture) -> Handle<Expression> {
        let steps: Vec<_> = texture
            .offset
            .iter()
            .take(texture.shape.axes())
            .map(|step| self.literal(Scalar::Int, i32::from(*step).cast_unsigned()))
            .collect();
        match steps[..] {
            [single] => single,
            _ => {
                let ty = self.lower.ty(ast::Type { components: steps.len() as u8, ..INT });
                self.add(Expression::Compose { ty, components: steps })
            }
        }
    }

    fn texel(&mut self, fetch: &Fetch, asked: Asked) -> Lowered {
        let texture = fetch.texture;
        if texture.shape.is_cube() || texture.shadow {
            return Err(shapeless("a single texel", texture));
        }
        let Some(mut coordinate) = asked.coordinate else {
            return Err(Error::invalid("a fetch without coordinates"));
        };
        if texture.offset != [0; 3] {
            let right = self.offset(texture);
            let op = BinaryOperator::Add;
            coordinate = self.add(Expression::Binary { op, left: coordinate, right });
        }
        let operand = fetch.levels.first().map(|level| self.expr(level)).transpose()?;
        let has_samples = texture.shape.has_samples();
        let (level, sample) = match operand {
            Some(operand) if has_samples => (None, Some(operand)),
            Some(operand) => (Some(operand), None),
            None => (Some(self.literal(Scalar::Int, 0u32)), None),
        };
        Ok(self.add(Expression::ImageLoad {
            image: asked.image,
            coordinate,
            array_index: asked.layer,
            sample,
            level,
        }))
    }

    fn size(&mut self, fetch: &Fetch, asked: Asked) -> Lowered {
        let texture = fetch.texture;
        let shape = texture.shape;
        let image = asked.image;
        let has_levels = !shape.has_samples() && shape != TextureShape::Rectangle;
        let level = match (texture.level, fetch.levels.first()) {
            (TextureLevel::Given, Some(level)) if has_levels => Some(self.expr(level)?),
            _ => None,
        };
        let size = self.number(Expression::ImageQuery { image, query: ImageQuery::Size { level } });
        let axes = match shape {
            TextureShape::Cube | TextureShape::CubeArray => 2,
            shape => shape.axes() as u8,
        };
        let mut parts = vec![size];
        let mut width = axes;
        if shape.is_array() {
            parts.push(self.number(Expression::ImageQuery { image, query: ImageQuery::NumLayers }));
            width += 1;
        }
        for _ in width..3 {
            parts.push(self.literal(Scalar::Int, 0u32));
        }
        parts.push(if has_levels {
            self.number(Expression::ImageQuery { image, query: ImageQuery::NumLevels })
        } else {
            self.literal(Scalar::Int, 1u32)
        });
        let ty = self.lower.ty(ast::Type { components: 4, ..INT });
        Ok(self.add(Expression::Compose { ty, components: parts }))
    }

    /// An unsigned answer as signed.
    fn number(&mut self, query: Expression) -> Handle<Expression> {
        let value = self.add(query);
        self.add(Expression::As { expr: value, kind: ScalarKind::Sint, convert: Some(4) })
    }

    /// Components with zeros behind them.
    fn four(&mut self, mut components: Vec<Handle<Expression>>, scalar: Scalar) -> Handle<Expression> {
        while components.len() < 4 {
            components.push(self.literal(scalar, 0u32));
        }
        let ty = self.lower.ty(ast::Type { scalar, components: 4 });
        self.add(Expression::Compose { ty, components })
    }
}

fn is_zero(expr: &Expr) -> bool {
    matches!(&expr.kind, ExprKind::Literal(bits) if bits.iter().all(|bits| bits & 0x7FFF_FFFF == 0))
}

fn shapeless(what: &str, texture: Texture) -> Error {
    let comparing = if texture.shadow { " of shadows" } else { "" };
    Error::unsupported(format!("{what} of a {:?}{comparing}", texture.shape))
}
