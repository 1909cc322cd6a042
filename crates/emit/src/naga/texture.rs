//! Textures, derivatives, and matrices by columns.

use super::body::{Body, Held};
use super::expression::{Lowered, one};
use super::lower::{Lower, PER_TEXTURE};
use super::types;
use crate::Error;
use crate::interface::Form;
use crate::visit::{self, Node};
use ::naga::{
    AddressSpace, BinaryOperator, DerivativeAxis, DerivativeControl, Expression, GlobalVariable, Handle,
    ImageClass, ImageDimension, MathFunction, ResourceBinding, SampleLevel, ScalarKind, Span, Type,
    TypeInner,
};
use std::collections::BTreeMap;
use unshade_ir::ast::{Binary, Builtin, Expr, ExprKind, Fetch, GlobalRef, Product, Scalar};
use unshade_ir::{Shape, Texture, TextureLevel, TextureShape};
use unshade_stage::StageKind;

/// Texture and sampler by global and element.
pub(super) type Textures = BTreeMap<(u32, u32), (Handle<GlobalVariable>, Handle<GlobalVariable>)>;

/// Bind group of textures.
const GROUP: u32 = 1;

/// The element that a fetch uses, if it is known.
fn element_of(fetch: &Fetch) -> Option<u32> {
    match fetch.element.as_ref().map(|element| &element.kind) {
        None => Some(0),
        Some(ExprKind::Literal(bits)) => bits.first().copied(),
        Some(_) => None,
    }
}

impl Lower<'_> {
    /// Declares the textures that are fetched from, each with a sampler.
    ///
    /// Errors: a texture that is chosen by a computed number.
    pub fn declare_textures(&mut self) -> Result<(), Error> {
        let program = self.program;
        let mut used: BTreeMap<(u32, u32), TextureShape> = BTreeMap::new();
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
                        used.insert((fetch.sampler.0, element), fetch.texture.shape);
                    }
                    None => computed = Some(fetch.sampler),
                }
            });
        }
        if let Some(sampler) = computed {
            let name = &program.globals[sampler.0 as usize].global.name;
            return Err(Error::unsupported(format!("a texture of {name} chosen by a computed number")));
        }
        for ((global, element), shape) in used {
            let declared = &program.globals[global as usize].global;
            let name = self.names.globals[global as usize].clone();
            let name = match declared.shape {
                Shape::Sampler { elements: 1.., .. } => format!("{name}_{element}"),
                _ => name,
            };
            let unit = declared.offset.wrapping_add(element.wrapping_mul(declared.stride));
            let binding = unit.wrapping_mul(PER_TEXTURE);
            let dim = match shape {
                TextureShape::Plane => ImageDimension::D2,
                TextureShape::Cube => ImageDimension::Cube,
                _ => return Err(Error::unsupported(format!("a texture of the shape {shape:?}"))),
            };
            let class = ImageClass::Sampled { kind: ScalarKind::Float, multi: false };
            let image = self.resource(&name, TypeInner::Image { dim, arrayed: false, class }, binding);
            let name = self.names.add(&format!("{name}_sampler"));
            let sampler = TypeInner::Sampler { comparison: false };
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

impl Body<'_, '_, '_> {
    /// A fetch.
    pub fn fetch(&mut self, fetch: &Fetch) -> Lowered {
        let element = element_of(fetch).unwrap_or(0);
        let Some(&(image, sampler)) = self.lower.textures.get(&(fetch.sampler.0, element)) else {
            return Err(Error::invalid("a fetch from a texture that was not seen"));
        };
        let fragment = self.lower.kind == StageKind::Fragment;
        let texture = fetch.texture;
        let plain = Texture {
            indexed: texture.indexed,
            ..Texture::sample(texture.unit, texture.shape, texture.level)
        };
        let Some(coordinate) = fetch
            .coordinates
            .as_ref()
            .filter(|_| texture == plain && texture.level != TextureLevel::Gradients)
        else {
            return Err(Error::unsupported(format!("the texture operation {texture:?}")));
        };
        let coordinate = self.expr(coordinate)?;
        let lod = fetch.levels.first().map(|lod| self.expr(lod)).transpose()?;
        let level = match (texture.level, lod) {
            (TextureLevel::Given, Some(lod)) => SampleLevel::Exact(lod),
            (TextureLevel::Bias, Some(lod)) if fragment => SampleLevel::Bias(lod),
            (TextureLevel::Quad, _) if fragment => SampleLevel::Auto,
            (TextureLevel::Quad, _) => SampleLevel::Zero,
            _ => {
                let message = format!("a texture fetch with a bias in a {} program", self.lower.kind);
                return Err(Error::unsupported(message));
            }
        };
        let image = self.add(Expression::GlobalVariable(image));
        let sampler = self.add(Expression::GlobalVariable(sampler));
        let value = self.add(Expression::ImageSample {
            image,
            sampler,
            gather: None,
            coordinate,
            array_index: None,
            offset: None,
            level,
            depth_ref: None,
            clamp_to_edge: false,
        });
        // Fetched here, not wherever the value is used.
        self.name(value, "texel".to_owned());
        self.height = 0;
        Ok(value)
    }

    pub(super) fn derivative(
        &mut self,
        axis: DerivativeAxis,
        value: Handle<Expression>,
    ) -> Handle<Expression> {
        let ctrl = DerivativeControl::None;
        let value = self.add(Expression::Derivative { axis, ctrl, expr: value });
        self.name(value, "derivative".to_owned());
        value
    }

    /// The index of a column among all columns of a global.
    pub(super) fn column_index(&self, global: GlobalRef, element: Option<&Expr>, column: &Expr) -> Expr {
        let columns = match self.lower.slots[global.0 as usize].form {
            Form::Columns(columns, _) => u32::from(columns),
            _ => 1,
        };
        let ty = one(Scalar::Int);
        let literal = |bits: u32| Expr { ty, kind: ExprKind::Literal(vec![bits]) };
        let known = |expr: &Expr| match &expr.kind {
            ExprKind::Literal(bits) => bits.first().copied(),
            _ => None,
        };
        let Some(element) = element else { return column.clone() };
        if let (Some(element), Some(column)) = (known(element), known(column)) {
            return literal(element.wrapping_mul(columns).wrapping_add(column));
        }
        let operation =
            |binary, a: Expr, b: Expr| Expr { ty, kind: ExprKind::Binary(binary, Box::new(a), Box::new(b)) };
        let first = operation(Binary::Mul, element.clone(), literal(columns));
        operation(Binary::Add, first, column.clone())
    }

    /// A product with a matrix by columns, of so many components.
    pub(super) fn product(&mut self, product: &Product, result: u8) -> Lowered {
        let slot = self.lower.slots[product.matrix.0 as usize];
        let Form::Columns(columns, _) = slot.form else {
            return Err(Error::invalid("a product with something that is no matrix"));
        };
        let width = product.vector.ty.components;
        let vector = self.expr(&product.vector)?;
        let whole = if product.vector_first {
            (width, result) == (slot.ty.components, columns)
        } else {
            (width, result) == (columns, slot.ty.components)
        };
        if let (Some(Held::Value(matrix)), true) = (self.globals[product.matrix.0 as usize], whole) {
            let (left, right) = if product.vector_first { (vector, matrix) } else { (matrix, vector) };
            let op = BinaryOperator::Multiply;
            return Ok(self.add(Expression::Binary { op, left, right }));
        }
        let rows = if product.vector_first { width } else { result };
        let lanes: Vec<u8> = (0..rows).collect();
        let mut parts = Vec::new();
        for column in 0..if product.vector_first { result } else { width } {
            let column = Expr { ty: one(Scalar::Int), kind: ExprKind::Literal(vec![u32::from(column)]) };
            let index = self.column_index(product.matrix, product.element.as_ref(), &column);
            let value = self.global(slot.ty, product.matrix, Some(&index))?;
            parts.push(self.swizzle(value, slot.ty.components, &lanes));
        }
        if product.vector_first {
            let components: Vec<_> =
                parts.into_iter().map(|column| self.math(MathFunction::Dot, &[vector, column])).collect();
            if let [single] = components.as_slice() {
                return Ok(*single);
            }
            let ty = self.lower.ty(unshade_ir::ast::Type { scalar: Scalar::Float, components: result });
            return Ok(self.add(Expression::Compose { ty, components }));
        }
        let mut sum = None;
        for (index, column) in (0..).zip(parts) {
            let right = self.add(Expression::AccessIndex { base: vector, index });
            let op = BinaryOperator::Multiply;
            let term = self.add(Expression::Binary { op, left: column, right });
            sum = Some(match sum {
                Some(left) => self.add(Expression::Binary { op: BinaryOperator::Add, left, right: term }),
                None => term,
            });
        }
        debug_assert!(types::size(width).is_some());
        sum.ok_or_else(|| Error::invalid("a matrix product of the wrong size"))
    }
}
