//! Products with matrices by columns.

use super::call::Argument;
use super::expression::{Printed, precedence};
use super::{Printer, types};
use crate::Error;
use crate::interface::Form;
use precedence::{ANY, PRODUCT};
use unshade_ir::ast::{Expr, ExprKind, GlobalRef, Product, Scalar, Type};

/// Which component a vector has alone, which is 1.
fn unit(vector: &Expr) -> Option<usize> {
    let ExprKind::Literal(bits) = &vector.kind else { return None };
    let is_one = |word: &u64| *word as u32 == 1.0f32.to_bits();
    let place = bits.iter().position(is_one)?;
    let alone = bits.iter().enumerate().all(|(n, word)| n == place || *word == 0);
    (alone && bits.len() == usize::from(vector.ty.components)).then_some(place)
}

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

    /// `inverse(matrix) * vector` or `vector * inverse(matrix)`, of a matrix with these columns; a column of the inverse where
    /// the vector picks one.
    pub(super) fn inverse_product(
        &mut self,
        columns: &[Expr],
        vector: &Expr,
        vector_first: bool,
        least: u8,
    ) -> Printed {
        if self.version.is_old() {
            return Err(Error::unsupported(format!("inverse in GLSL {}", self.version.name())));
        }
        if let Some(column) = unit(vector).filter(|_| !vector_first) {
            self.inverse(columns)?;
            self.out.push_str(&format!("[{column}]"));
            return Ok(());
        }
        let bracket = PRODUCT < least;
        self.open(bracket);
        if vector_first {
            self.expression(vector, PRODUCT)?;
            self.out.push_str(" * ");
            self.inverse(columns)?;
        } else {
            self.inverse(columns)?;
            self.out.push_str(" * ");
            self.expression(vector, PRODUCT + 1)?;
        }
        self.close(bracket);
        Ok(())
    }

    fn inverse(&mut self, columns: &[Expr]) -> Printed {
        let size = columns.len() as u8;
        self.out.push_str("inverse(");
        match self.same_matrix(columns) {
            Some((matrix, element, whole)) => {
                if !whole {
                    self.out.push_str(types::matrix(size, size));
                    self.out.push('(');
                }
                self.out.push_str(&self.names.globals[matrix.0 as usize]);
                element.into_iter().try_for_each(|element| self.index(element))?;
                self.close(!whole);
                self.out.push(')');
                Ok(())
            }
            None => {
                self.out.push_str(types::matrix(size, size));
                self.arguments(columns.iter().map(Argument::Whole))?;
                self.out.push(')');
                Ok(())
            }
        }
    }

    /// The matrix whose first columns these are, with the element of an array; whether they are all of it.
    fn same_matrix<'a>(&self, columns: &'a [Expr]) -> Option<(GlobalRef, Option<&'a Expr>, bool)> {
        let size = columns.len();
        let mut found: Option<(GlobalRef, Option<&Expr>)> = None;
        for (n, expr) in columns.iter().enumerate() {
            let expr = match &expr.kind {
                ExprKind::Swizzle(inner, lanes) if lanes.iter().copied().eq(0..size as u8) => inner,
                _ => expr,
            };
            let ExprKind::Column(matrix, element, column) = &expr.kind else { return None };
            let here = (*matrix, element.as_deref());
            let is_next =
                matches!(&column.kind, ExprKind::Literal(bits) if bits.first() == Some(&(n as u64)));
            if !is_next || *found.get_or_insert(here) != here {
                return None;
            }
        }
        let (matrix, element) = found?;
        let slot = self.slots.get(matrix.0 as usize)?;
        let Form::Columns(all, _) = slot.form else { return None };
        Some((matrix, element, (usize::from(all), usize::from(slot.ty.components)) == (size, size)))
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
