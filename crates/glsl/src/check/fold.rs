//! Operators on constants.

use super::Checker;
use super::value::{as_float, as_integer, convert, float, integer, small};
use crate::errors::{Kind, Problem};
use crate::place::Span;
use crate::tree::{Binary, Constant, ExpressionId, Unary, Value};
use crate::types::{Scalar, Type};

impl Checker<'_> {
    pub(super) fn fold_unary(&self, operation: Unary, value: ExpressionId) -> Option<Constant> {
        let constant = self.value(value)?;
        let scalar = constant.ty.scalar()?;
        let fold = |value: &Value| match (operation, *value) {
            (Unary::Not, Value::Bool(value)) => Some(Value::Bool(!value)),
            (Unary::Negate, Value::Float(value)) => Some(Value::Float(-value)),
            (Unary::Negate, value) => Some(integer(-as_integer(value)?, scalar)),
            (Unary::Complement, value) => Some(integer(!as_integer(value)?, scalar)),
            _ => None,
        };
        let values: Option<Box<[Value]>> = constant.values.iter().map(fold).collect();
        Some(Constant { ty: constant.ty, values: values? })
    }

    pub(super) fn fold_logical(
        &self,
        is_and: bool,
        left: ExpressionId,
        right: ExpressionId,
    ) -> Option<Constant> {
        let truth = |value: ExpressionId| match self.value(value)?.values.first()? {
            Value::Bool(value) => Some(*value),
            _ => None,
        };
        let (left, right) = (truth(left)?, truth(right)?);
        let value = if is_and { left && right } else { left || right };
        Some(Constant { ty: Type::BOOL, values: [Value::Bool(value)].into() })
    }

    /// An operation on two constants. A division of whole numbers by 0 is a warning, and is not computed.
    pub(super) fn fold_binary(
        &mut self,
        operation: Binary,
        left: ExpressionId,
        right: ExpressionId,
        result: Type,
        span: Span,
    ) -> Option<Constant> {
        let one = self.value(left)?;
        let other = self.value(right)?;
        if matches!(operation, Binary::Equal | Binary::NotEqual) {
            let is_equal = one.values.len() == other.values.len()
                && one.values.iter().zip(other.values.iter()).all(|(a, b)| a == b);
            let value = Value::Bool(is_equal == (operation == Binary::Equal));
            return Some(Constant { ty: Type::BOOL, values: [value].into() });
        }
        let (left_ty, right_ty) = (one.ty, other.ty);
        let scalar = left_ty.scalar()?;
        match operation {
            Binary::MatrixTimesVector | Binary::VectorTimesMatrix | Binary::MatrixTimesMatrix => {
                let values = product(left_ty, &one.values, right_ty, &other.values, scalar)?;
                return Some(Constant { ty: result, values });
            }
            _ => {}
        }
        let count = one.values.len().max(other.values.len());
        let mut values = Vec::with_capacity(count);
        let pick = |values: &[Value], at: usize| values.get(if values.len() == 1 { 0 } else { at }).copied();
        for at in 0..count {
            let (a, b) = (pick(&one.values, at)?, pick(&other.values, at)?);
            match scalars(operation, a, b, scalar) {
                Some(value) => values.push(value),
                None => {
                    let is_zero =
                        matches!(operation, Binary::Divide | Binary::Remainder) && as_integer(b) == Some(0);
                    if is_zero {
                        self.report(Problem::warning(Kind::Constant, span, "a division by 0"));
                    }
                    return None;
                }
            }
        }
        Some(Constant { ty: result, values: values.into() })
    }

    /// `mat3(1.0)`, `mat2(mat3(...))`
    pub(super) fn fold_diagonal(&self, value: ExpressionId, ty: Type) -> Option<Constant> {
        let Type::Matrix(scalar, columns, rows) = ty else { return None };
        let constant = self.value(value)?;
        let mut values = Vec::new();
        for column in 0..columns {
            for row in 0..rows {
                let identity = if row == column { small(1, scalar) } else { small(0, scalar) };
                values.push(match constant.ty {
                    Type::Scalar(_) if row == column => *constant.values.first()?,
                    Type::Scalar(_) => small(0, scalar),
                    Type::Matrix(_, from_columns, from_rows) => {
                        match column < from_columns && row < from_rows {
                            true => *constant
                                .values
                                .get(usize::from(column) * usize::from(from_rows) + usize::from(row))?,
                            false => identity,
                        }
                    }
                    _ => return None,
                });
            }
        }
        Some(Constant { ty, values: values.into() })
    }
}

/// One component.
pub(super) fn scalars(operation: Binary, a: Value, b: Value, scalar: Scalar) -> Option<Value> {
    if let (Some(a), Some(b)) = (as_float(a), as_float(b)) {
        let value = match operation {
            Binary::Add => a + b,
            Binary::Subtract => a - b,
            Binary::Multiply => a * b,
            Binary::Divide => a / b,
            Binary::Less => return Some(Value::Bool(a < b)),
            Binary::Greater => return Some(Value::Bool(a > b)),
            Binary::LessEqual => return Some(Value::Bool(a <= b)),
            Binary::GreaterEqual => return Some(Value::Bool(a >= b)),
            _ => return None,
        };
        // The sum, product and quotient of two floats of 32 bits in 64 are rounded a second time without a change.
        return Some(float(value, scalar));
    }
    if let (Value::Bool(a), Value::Bool(b)) = (a, b) {
        return (operation == Binary::LogicalXor).then_some(Value::Bool(a != b));
    }
    let (a, b) = (as_integer(a)?, as_integer(b)?);
    let bits = i128::from(scalar.size()) * 8;
    let value = match operation {
        Binary::Add => a + b,
        Binary::Subtract => a - b,
        Binary::Multiply => a.wrapping_mul(b),
        Binary::Divide => a.checked_div(b)?,
        Binary::Remainder => a.checked_rem(b)?,
        // What is shifted by more bits than there are is anything; nothing of it is left here.
        Binary::ShiftLeft | Binary::ShiftRight if b < 0 || b >= bits => return None,
        Binary::ShiftLeft => a << b,
        Binary::ShiftRight => a >> b,
        Binary::BitAnd => a & b,
        Binary::BitOr => a | b,
        Binary::BitXor => a ^ b,
        Binary::Less => return Some(Value::Bool(a < b)),
        Binary::Greater => return Some(Value::Bool(a > b)),
        Binary::LessEqual => return Some(Value::Bool(a <= b)),
        Binary::GreaterEqual => return Some(Value::Bool(a >= b)),
        _ => return None,
    };
    Some(integer(value, scalar))
}

/// Products of linear algebra: sums in order, each step rounded.
fn product(left: Type, a: &[Value], right: Type, b: &[Value], scalar: Scalar) -> Option<Box<[Value]>> {
    // Both sides as matrices; a vector on the left is a row, one on the right a column.
    let shape = |ty: Type, is_left: bool| match ty {
        Type::Matrix(_, columns, rows) => Some((usize::from(columns), usize::from(rows))),
        Type::Vector(_, size) if is_left => Some((usize::from(size), 1)),
        Type::Vector(_, size) => Some((1, usize::from(size))),
        _ => None,
    };
    let (inner, rows) = shape(left, true)?;
    let (columns, _) = shape(right, false)?;
    let number = |values: &[Value], at: usize| values.get(at).copied().and_then(as_float);
    let mut out = Vec::new();
    for column in 0..columns {
        for row in 0..rows {
            let mut sum = 0.0;
            for step in 0..inner {
                let term = number(a, step * rows + row)? * number(b, column * inner + step)?;
                let term = as_float(float(term, scalar))?;
                sum = match step {
                    0 => term,
                    _ => as_float(float(sum + term, scalar))?,
                };
            }
            out.push(convert(Value::Float(sum), scalar));
        }
    }
    Some(out.into())
}
