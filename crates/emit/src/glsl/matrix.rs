//! Products with matrices by columns.

use super::expression::{Printed, precedence};
use super::{Printer, types};
use crate::Error;
use crate::interface::Form;
use precedence::{ANY, PRODUCT};
use unshade_ir::ast::{Expr, Product, Scalar, Type};

impl Printer<'_> {
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
