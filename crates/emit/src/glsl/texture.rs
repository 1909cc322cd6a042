//! Texture fetches, and products with matrices by columns.

use super::call::Argument;
use super::expression::{Printed, precedence};
use super::{Printer, types};
use crate::Error;
use crate::interface::Form;
use precedence::{ANY, PRODUCT};
use unshade_ir::ast::{Binary, Expr, ExprKind, Fetch, Product, Scalar, Type};
use unshade_ir::{Texture, TextureLevel, TextureShape};
use unshade_stage::StageKind;

impl Printer<'_> {
    /// A fetch by the function that the version has for it.
    pub(super) fn texture(&mut self, fetch: &Fetch) -> Printed {
        let texture = fetch.texture;
        let plain = Texture {
            indexed: texture.indexed,
            ..Texture::sample(texture.unit, texture.shape, texture.level)
        };
        let Some(coordinates) = fetch.coordinates.as_ref().filter(|_| {
            texture == plain
                && texture.level != TextureLevel::Gradients
                && matches!(texture.shape, TextureShape::Plane | TextureShape::Cube)
        }) else {
            return Err(Error::unsupported(format!("the texture operation {texture:?}")));
        };
        if texture.level == TextureLevel::Bias && self.options.kind != StageKind::Fragment {
            return Err(Error::unsupported(format!(
                "a texture fetch with a bias in a {} program",
                self.options.kind
            )));
        }
        let projected = if self.options.strict { None } else { projected(fetch) };
        let projection = if projected.is_some() { "Proj" } else { "" };
        let given = texture.level == TextureLevel::Given;
        let name = if self.version.is_old() {
            let shape = match texture.shape {
                TextureShape::Cube => "Cube",
                _ => "2D",
            };
            let level = match (given, self.options.kind) {
                (false, _) => "",
                (true, StageKind::Fragment) => "LodEXT",
                (true, _) => "Lod",
            };
            format!("texture{shape}{projection}{level}")
        } else {
            format!("texture{projection}{}", if given { "Lod" } else { "" })
        };
        self.out.push_str(&name);
        if let Some(element) = &fetch.element {
            let literal = matches!(element.kind, ExprKind::Literal(_));
            // Only 4.00 and ES 3.20 let an index be computed at run time.
            if !literal && !self.version.has_bindings() {
                return Err(Error::unsupported(format!(
                    "a texture chosen by number in GLSL {}",
                    self.version.name()
                )));
            }
        }
        let sampler = self.names.globals[fetch.sampler.0 as usize].clone();
        let sampler = Argument::Named(&sampler, fetch.element.as_ref());
        let rest = [projected.as_ref().unwrap_or(coordinates)].into_iter().chain(&fetch.levels);
        self.arguments([sampler].into_iter().chain(rest.map(Argument::Whole)))
    }

    /// `matrix * vector` or `vector * matrix`, result of so many components.
    pub(super) fn product(&mut self, product: &Product, result: u8, least: u8) -> Printed {
        let index = product.matrix.0 as usize;
        let slot = self.slots[index];
        let Form::Columns(columns, _) = slot.form else {
            return Err(Error::invalid("a product with something that is no matrix"));
        };
        let rows = slot.ty.components;
        let width = product.vector.ty.components;
        let (taken, given) = if product.vector_first { (rows, columns) } else { (columns, rows) };
        let whole = (width, result) == (taken, given);
        // ES 1.00 makes no matrix of another.
        let cut = !whole && width == result && !self.version.is_old();
        // What is left: a longer vector, and the first components of the result.
        let widened = !whole && !cut && width < taken;
        let swizzled = !whole && !cut && result < given;
        let bracket = swizzled || PRODUCT < least;
        self.open(bracket);
        if product.vector_first {
            self.factor(&product.vector, widened.then_some(taken), PRODUCT)?;
            self.out.push_str(" * ");
        }
        if cut {
            self.out.push_str(types::matrix(width, width));
            self.out.push('(');
        }
        self.out.push_str(&self.names.globals[index]);
        product.element.iter().try_for_each(|element| self.index(element))?;
        self.close(cut);
        if !product.vector_first {
            self.out.push_str(" * ");
            self.factor(&product.vector, widened.then_some(taken), PRODUCT + 1)?;
        }
        self.close(bracket);
        if swizzled {
            self.out.push('.');
            self.out.push_str(&"xyzw"[..usize::from(result.min(4))]);
        }
        Ok(())
    }

    /// A vector, filled up with zeros.
    fn factor(&mut self, vector: &Expr, width: Option<u8>, least: u8) -> Printed {
        let Some(components) = width else { return self.expression(vector, least) };
        self.out.push_str(types::name(Type { scalar: Scalar::Float, components }));
        self.out.push('(');
        self.expression(vector, ANY)?;
        for _ in vector.ty.components..components {
            self.out.push_str(", 0.0");
        }
        self.out.push(')');
        Ok(())
    }
}

/// The vector whose first two components are divided by its third or fourth.
fn projected(fetch: &Fetch) -> Option<Expr> {
    if fetch.texture.shape != TextureShape::Plane {
        return None;
    }
    let ExprKind::Binary(Binary::Div, dividend, divisor) = &fetch.coordinates.as_ref()?.kind else {
        return None;
    };
    let component = |expr: &Expr| match &expr.kind {
        ExprKind::Swizzle(base, lanes) if lanes.iter().all(|lane| *lane == lanes[0]) => {
            Some(((**base).clone(), lanes[0]))
        }
        _ => None,
    };
    let divisor = match &divisor.kind {
        ExprKind::Construct(parts) if parts.len() == 1 => &parts[0],
        _ => divisor,
    };
    let ((base, last), ExprKind::Swizzle(inner, lanes)) = (component(divisor)?, &dividend.kind) else {
        return None;
    };
    if **inner != base || lanes[..] != [0, 1] {
        return None;
    }
    match (base.ty.components, last) {
        (4, 3) | (3, 2) => Some(base),
        (4, 2) => Some(Expr {
            ty: Type { components: 3, ..base.ty },
            kind: ExprKind::Swizzle(Box::new(base), vec![0, 1, 2]),
        }),
        _ => None,
    }
}
