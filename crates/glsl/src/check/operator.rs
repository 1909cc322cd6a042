//! Operators: types, conversions of operands, constants.

use super::{Checked, Checker, Known};
use crate::errors::{Kind, Problem};
use crate::language::since_or;
use crate::parse::syntax::{ExpressionKind as Syntax, Ref};
use crate::place::Span;
use crate::tree::{Binary, ExpressionId, ExpressionKind, Unary};
use crate::types::{Part, Precision, Scalar, Type};

/// The operator of one link of a chain.
#[derive(Debug, Clone, Copy)]
enum Link {
    Binary(Binary),
    And,
    Or,
}

impl Checker<'_> {
    /// `a + b * c && d`: from left to right, without going deep on the left.
    pub(super) fn chain(&mut self, at: Ref) -> Checked {
        let syntax = self.syntax;
        let mut links = Vec::new();
        let mut first = at;
        loop {
            let (link, left, right) = match &syntax.get(first).kind {
                Syntax::Binary(operation, left, right) => (Link::Binary(*operation), *left, *right),
                Syntax::And(left, right) => (Link::And, *left, *right),
                Syntax::Or(left, right) => (Link::Or, *left, *right),
                _ => break,
            };
            links.push((link, right, self.span(first)));
            first = left;
        }
        let mut left = self.expression(first);
        for (link, right, span) in links.into_iter().rev() {
            let right = self.expression(right);
            left = match (left, right) {
                (Some(left), Some(right)) => match link {
                    Link::Binary(operation) => self.binary(operation, left, right, span),
                    Link::And | Link::Or => self.logical(matches!(link, Link::And), left, right, span),
                },
                _ => None,
            };
        }
        left
    }

    fn logical(&mut self, is_and: bool, left: ExpressionId, right: ExpressionId, span: Span) -> Checked {
        let sign = if is_and { "&&" } else { "||" };
        self.need_bool(left, sign)?;
        self.need_bool(right, sign)?;
        if let Some(value) = self.fold_logical(is_and, left, right) {
            return Some(self.constant(value, Precision::Unspecified, span));
        }
        let kind = match is_and {
            true => ExpressionKind::And { left, right },
            false => ExpressionKind::Or { left, right },
        };
        let known = self.known_of(&[left, right]);
        Some(self.add(kind, Type::BOOL, Precision::Unspecified, span, known))
    }

    /// A `bool`, as an operator or a condition asks for.
    pub(super) fn need_bool(&mut self, value: ExpressionId, of: &str) -> Checked<()> {
        let ty = self.ty(value);
        if ty == Type::BOOL {
            return Some(());
        }
        let message = format!("`{of}` takes a `bool`, and this is {}", self.shown(ty));
        let problem = Problem::error(Kind::Type, self.place(value), message);
        let problem = match ty {
            Type::Scalar(scalar) if scalar.is_float() => problem.help("compare it, as in `x != 0.0`"),
            Type::Scalar(_) => problem.help("compare it, as in `x != 0`"),
            Type::Vector(Scalar::Bool, _) => problem.help("`any(...)` or `all(...)` makes one `bool` of it"),
            _ => problem,
        };
        self.report(problem);
        None
    }

    pub(super) fn unary(&mut self, operation: Unary, value: ExpressionId, span: Span) -> Checked {
        let ty = self.ty(value);
        let fits = match operation {
            Unary::Negate => Self::is_numeric(ty),
            Unary::Not => ty == Type::BOOL,
            Unary::Complement => ty.is_integer(),
        };
        if !fits {
            let (sign, takes) = match operation {
                Unary::Negate => ("-", "numbers"),
                Unary::Not => ("!", "a `bool`"),
                Unary::Complement => ("~", "whole numbers"),
            };
            let message = format!("`{sign}` takes {takes}, and this is {}", self.shown(ty));
            let problem = Problem::error(Kind::Type, self.place(value), message);
            let problem = match (operation, ty) {
                (Unary::Not, Type::Vector(Scalar::Bool, _)) => problem.help("`not(...)` is for vectors"),
                _ => problem,
            };
            self.report(problem);
            return None;
        }
        if operation == Unary::Complement {
            self.need(&since_or(130, 300, &[]), span, "`~`");
        }
        let precision = self.precision(value);
        if let Some(folded) = self.fold_unary(operation, value) {
            return Some(self.constant(folded, precision, span));
        }
        let known = self.known(value);
        Some(self.add(ExpressionKind::Unary { operation, value }, ty, precision, span, known))
    }

    /// `+x` is `x`, and no place any more.
    pub(super) fn plus(&mut self, value: ExpressionId, span: Span) -> Checked {
        let ty = self.ty(value);
        if !Self::is_numeric(ty) {
            self.error(
                Kind::Type,
                self.place(value),
                format!("`+` takes numbers, and this is {}", self.shown(ty)),
            );
            return None;
        }
        if self.value(value).is_some() {
            return Some(value);
        }
        let scalar = ty.scalar()?;
        let (precision, known) = (self.precision(value), self.known(value));
        let kind = ExpressionKind::Convert { value, is_implicit: true };
        Some(self.add(kind, ty.with_scalar(scalar), precision, span, known))
    }

    pub(super) fn step(&mut self, target: Ref, is_increment: bool, is_prefix: bool, span: Span) -> Checked {
        let target = self.expression(target)?;
        let ty = self.ty(target);
        if !Self::is_numeric(ty) {
            let sign = if is_increment { "++" } else { "--" };
            self.error(Kind::Type, span, format!("`{sign}` takes numbers, and this is {}", self.shown(ty)));
            return None;
        }
        if !self.is_place(target, "changed") {
            return None;
        }
        let precision = self.precision(target);
        Some(self.add(
            ExpressionKind::Step { target, is_increment, is_prefix },
            ty,
            precision,
            span,
            Known::Late,
        ))
    }

    pub(super) fn assign(
        &mut self,
        operation: Option<Binary>,
        target: Ref,
        value: Ref,
        span: Span,
    ) -> Checked {
        let target = self.expression(target);
        let value = self.expression(value);
        let (target, value) = (target?, value?);
        if !self.is_place(target, "assigned") {
            return None;
        }
        let ty = self.ty(target);
        let precision = self.precision(target);
        let (operation, value) = match operation {
            None => {
                if matches!(ty, Type::Array(_)) || self.types.has(ty, Part::Array) {
                    self.arrays_are_values(span);
                }
                if self.types.has(ty, Part::Unsized) {
                    self.error(Kind::Type, span, "an array without a size cannot be assigned");
                    return None;
                }
                (None, self.as_type(value, ty, "for this place")?)
            }
            Some(operation) => {
                let (operation, left, right, result) = self.operands(operation, target, value, span)?;
                if left != ty || result != ty {
                    let message = format!(
                        "`{}=` gives {}, which does not go into {}",
                        operation.sign(),
                        self.shown(result),
                        self.shown(ty)
                    );
                    self.error(Kind::Type, span, message);
                    return None;
                }
                let value = match right.scalar() {
                    Some(scalar) => self.converted(value, scalar, true, self.place(value)),
                    None => value,
                };
                (Some(operation), value)
            }
        };
        Some(self.add(ExpressionKind::Assign { target, operation, value }, ty, precision, span, Known::Late))
    }

    pub(super) fn select(&mut self, condition: Ref, accept: Ref, reject: Ref, span: Span) -> Checked {
        let condition = self.expression(condition);
        let accept = self.any_expression(accept);
        let reject = self.any_expression(reject);
        let (condition, mut accept, mut reject) = (condition?, accept?, reject?);
        self.need_bool(condition, "?:")?;
        let (one, other) = (self.ty(accept), self.ty(reject));
        if !self.types.same(one, other) {
            let common = match (one.scalar(), other.scalar()) {
                (Some(a), Some(b)) if one.with_scalar(b) == other => self.common(a, b),
                _ => None,
            };
            let Some(scalar) = common else {
                let message = format!(
                    "`?:` between {} and {}, which are not the same",
                    self.shown(one),
                    self.shown(other)
                );
                let problem = Problem::error(Kind::Type, self.place(reject), message);
                let problem = problem.note(Some(self.place(accept)), "the other one is this");
                let problem = self.advise(problem, other, one, reject);
                self.report(problem);
                return None;
            };
            accept = self.converted(accept, scalar, true, self.place(accept));
            reject = self.converted(reject, scalar, true, self.place(reject));
        }
        let ty = self.ty(accept);
        if matches!(ty, Type::Array(_)) || self.types.has(ty, Part::Array) {
            self.arrays_are_values(span);
        }
        if self.types.has(ty, Part::Opaque) {
            self.error(Kind::Type, span, "textures and images cannot be chosen by `?:`");
            return None;
        }
        let precision = self.precision(accept).max(self.precision(reject));
        let known = self.known_of(&[condition, accept, reject]);
        if known == Known::Constant
            && let Some(crate::tree::Value::Bool(holds)) =
                self.value(condition).and_then(|constant| constant.values.first().copied())
        {
            let chosen = if holds { accept } else { reject };
            if let Some(id) = self.constant_id(chosen) {
                return Some(self.add(ExpressionKind::Constant(id), ty, precision, span, Known::Constant));
            }
        }
        Some(self.add(ExpressionKind::Select { condition, accept, reject }, ty, precision, span, known))
    }

    pub(super) fn binary(
        &mut self,
        operation: Binary,
        left: ExpressionId,
        right: ExpressionId,
        span: Span,
    ) -> Checked {
        let (operation, left_ty, right_ty, result) = self.operands(operation, left, right, span)?;
        let left = match left_ty.scalar() {
            Some(scalar) => self.converted(left, scalar, true, self.place(left)),
            None => left,
        };
        let right = match right_ty.scalar() {
            Some(scalar) => self.converted(right, scalar, true, self.place(right)),
            None => right,
        };
        let precision = match result.is_bool() {
            true => Precision::Unspecified,
            false => self.precision(left).max(self.precision(right)),
        };
        if let Some(folded) = self.fold_binary(operation, left, right, result, span) {
            return Some(self.constant(folded, precision, span));
        }
        let known = self.known_of(&[left, right]);
        Some(self.add(ExpressionKind::Binary { operation, left, right }, result, precision, span, known))
    }

    /// The operation that an operator is for its operands, the types that these become, and that of the result.
    fn operands(
        &mut self,
        operation: Binary,
        left: ExpressionId,
        right: ExpressionId,
        span: Span,
    ) -> Checked<(Binary, Type, Type, Type)> {
        let (one, other) = (self.ty(left), self.ty(right));
        let found = self.operand_types(operation, one, other);
        let Some(found) = found else {
            let sign = operation.sign();
            let message = format!("`{sign}` does not take {} and {}", self.shown(one), self.shown(other));
            let problem = Problem::error(Kind::Type, span, message);
            let problem =
                problem.label(format!("{} {sign} {}", self.types.name(one), self.types.name(other)));
            let has_float = one.is_float() || other.is_float();
            let takes_whole = matches!(
                operation,
                Binary::Remainder
                    | Binary::BitAnd
                    | Binary::BitOr
                    | Binary::BitXor
                    | Binary::ShiftLeft
                    | Binary::ShiftRight
            );
            let problem = match (one.scalar(), other.scalar()) {
                _ if operation == Binary::Remainder && has_float => problem.help("`mod(x, y)` is for floats"),
                _ if takes_whole && has_float => problem.help("it takes whole numbers; `int(...)` converts"),
                (Some(a), Some(b)) if a != b && a != Scalar::Bool && b != Scalar::Bool => {
                    let (to, place) = if a.is_float() { (one, "right") } else { (other, "left") };
                    let name = to.scalar().map_or("float", Scalar::name);
                    let is_literal = [left, right]
                        .into_iter()
                        .any(|side| self.ty(side) == Type::INT && self.value(side).is_some());
                    match is_literal && (a.is_float() || b.is_float()) {
                        true => problem.help("write the whole number with a point, as in `1.0`"),
                        false => problem.help(format!("`{name}(...)` converts the {place} one")),
                    }
                }
                _ => problem,
            };
            self.report(problem);
            return None;
        };
        match operation {
            Binary::ShiftLeft
            | Binary::ShiftRight
            | Binary::BitAnd
            | Binary::BitOr
            | Binary::BitXor
            | Binary::Remainder => {
                let since = since_or(130, 300, &[]);
                self.need(&since, span, &format!("`{}`", operation.sign()));
            }
            Binary::Equal | Binary::NotEqual => {
                if self.types.has(one, Part::Opaque) || self.types.has(one, Part::AtomicCounter) {
                    self.error(Kind::Type, span, format!("{} cannot be compared", self.shown(one)));
                    return None;
                }
                if self.types.has(one, Part::Array) {
                    self.arrays_are_values(span);
                }
            }
            _ => {}
        }
        Some(found)
    }

    fn operand_types(&self, operation: Binary, one: Type, other: Type) -> Option<(Binary, Type, Type, Type)> {
        let scalars = || Some((one.scalar()?, other.scalar()?));
        let common =
            || scalars().and_then(|(a, b)| self.common(a, b)).filter(|scalar| *scalar != Scalar::Bool);
        // Both of one shape, or one of them a scalar.
        let by_component = |scalar: Scalar| {
            let (one, other) = (one.with_scalar(scalar), other.with_scalar(scalar));
            match (one, other) {
                _ if one == other => Some((one, other, one)),
                (Type::Scalar(_), _) => Some((one, other, other)),
                (_, Type::Scalar(_)) => Some((one, other, one)),
                _ => None,
            }
        };
        match operation {
            Binary::Add | Binary::Subtract | Binary::Divide => {
                let (one, other, result) = by_component(common()?)?;
                Some((operation, one, other, result))
            }
            Binary::Multiply
            | Binary::MatrixTimesVector
            | Binary::VectorTimesMatrix
            | Binary::MatrixTimesMatrix => {
                let scalar = common()?;
                let (one, other) = (one.with_scalar(scalar), other.with_scalar(scalar));
                match (one, other) {
                    (Type::Matrix(_, columns, rows), Type::Vector(_, size)) if columns == size => {
                        Some((Binary::MatrixTimesVector, one, other, Type::Vector(scalar, rows)))
                    }
                    (Type::Vector(_, size), Type::Matrix(_, columns, rows)) if rows == size => {
                        Some((Binary::VectorTimesMatrix, one, other, Type::Vector(scalar, columns)))
                    }
                    (Type::Matrix(_, inner, rows), Type::Matrix(_, columns, other_rows))
                        if inner == other_rows =>
                    {
                        Some((Binary::MatrixTimesMatrix, one, other, Type::Matrix(scalar, columns, rows)))
                    }
                    (Type::Matrix(..), Type::Vector(..) | Type::Matrix(..))
                    | (Type::Vector(..), Type::Matrix(..)) => None,
                    _ => {
                        let (one, other, result) = by_component(scalar)?;
                        Some((Binary::Multiply, one, other, result))
                    }
                }
            }
            Binary::Remainder | Binary::BitAnd | Binary::BitOr | Binary::BitXor => {
                if !one.is_integer() || !other.is_integer() {
                    return None;
                }
                let (one, other, result) = by_component(common()?)?;
                Some((operation, one, other, result))
            }
            Binary::ShiftLeft | Binary::ShiftRight => {
                let fits = one.is_integer() && other.is_integer();
                let shapes = match (one, other) {
                    (_, Type::Scalar(_)) => true,
                    (Type::Vector(_, a), Type::Vector(_, b)) => a == b,
                    _ => false,
                };
                (fits && shapes).then_some((operation, one, other, one))
            }
            Binary::LogicalXor => {
                (one == Type::BOOL && other == Type::BOOL).then_some((operation, one, other, Type::BOOL))
            }
            Binary::Less | Binary::Greater | Binary::LessEqual | Binary::GreaterEqual => {
                let scalar = common()?;
                let fits = one.is_scalar() && other.is_scalar();
                let ty = Type::Scalar(scalar);
                fits.then_some((operation, ty, ty, Type::BOOL))
            }
            Binary::Equal | Binary::NotEqual => {
                if self.types.same(one, other) && one != Type::Void {
                    return Some((operation, one, other, Type::BOOL));
                }
                let (a, b) = scalars()?;
                let scalar = self.common(a, b)?;
                let (one, other) = (one.with_scalar(scalar), other.with_scalar(scalar));
                (one == other).then_some((operation, one, other, Type::BOOL))
            }
        }
    }
}
