//! Derivatives, and products with matrices by columns.

use super::body::{Body, Held};
use super::expression::{Lowered, one};
use super::types;
use crate::Error;
use crate::interface::Form;
use ::naga::{BinaryOperator, DerivativeAxis, DerivativeControl, Expression, Handle, MathFunction};
use unshade_ir::ast::{Binary, Expr, ExprKind, GlobalRef, Product, Scalar};

impl Body<'_, '_, '_> {
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
            Form::Columns(columns, _) => u64::from(columns),
            _ => 1,
        };
        let ty = one(Scalar::Int);
        let literal = |bits: u64| Expr::new(ty, ExprKind::Literal(vec![bits]));
        let known = |expr: &Expr| match &expr.kind {
            ExprKind::Literal(bits) => bits.first().copied(),
            _ => None,
        };
        let Some(element) = element else { return column.clone() };
        if let (Some(element), Some(column)) = (known(element), known(column)) {
            return literal(element.wrapping_mul(columns).wrapping_add(column));
        }
        let operation =
            |binary, a: Expr, b: Expr| Expr::new(ty, ExprKind::Binary(binary, Box::new(a), Box::new(b)));
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
            let column = Expr::new(one(Scalar::Int), ExprKind::Literal(vec![u64::from(column)]));
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
