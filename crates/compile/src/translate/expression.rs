//! Expressions.

use super::{Result, Translator, Values, ir_type, unsupported};
use smallvec::smallvec;
use unshade_glsl::place::Span;
use unshade_glsl::tree::{Binary, ConstantId, ExpressionId, ExpressionKind, Operation, Value as Known};
use unshade_glsl::types::{Scalar, Type};
use unshade_ir::{CompareInt, Op, Value};

/// Expressions of so many nodes are computed without being needed rather than jumped over.
const CHEAP: usize = 12;

impl Translator<'_> {
    /// The one scalar of an expression.
    pub(super) fn scalar(&mut self, id: ExpressionId) -> Result<Value> {
        let span = self.span(id);
        self.value(id)?.first().copied().ok_or_else(|| unsupported("expected a value", span))
    }

    /// The value of an expression; none of one without a value.
    pub(super) fn value(&mut self, id: ExpressionId) -> Result<Values> {
        let shader = self.shader;
        let expression = &shader.expressions[id];
        let span = expression.span;
        self.within_limits(span)?;
        self.enter(span)?;
        let before = self.origin;
        self.at(id);
        let values = match &expression.kind {
            ExpressionKind::Constant(constant) => self.constant(*constant, span)?,
            ExpressionKind::Variable(_)
            | ExpressionKind::Field { .. }
            | ExpressionKind::Index { .. }
            | ExpressionKind::Swizzle { .. } => self.part(id)?,
            ExpressionKind::Length(array) => smallvec![self.buffer_length(*array)?],
            ExpressionKind::Convert { value, .. } => {
                let from = self.ty(*value).scalar().unwrap_or(Scalar::Float);
                let to = expression.ty.scalar().unwrap_or(Scalar::Float);
                let values = self.value(*value)?;
                self.at(id);
                self.converted(&values, from, to)
            }
            ExpressionKind::Splat(value) => {
                let value = self.scalar(*value)?;
                Values::from_elem(value, expression.ty.components().unwrap_or(1).into())
            }
            ExpressionKind::Diagonal(value) => {
                let value = self.scalar(*value)?;
                self.on_diagonal(expression.ty, |column, row| (column == row).then_some(value))
            }
            ExpressionKind::Resize(value) => {
                let values = self.value(*value)?;
                let Type::Matrix(_, columns, rows) = self.ty(*value) else { return Ok(values) };
                self.on_diagonal(expression.ty, |column, row| {
                    let inside = column < columns && row < rows;
                    inside.then(|| {
                        values.get(usize::from(column) * usize::from(rows) + usize::from(row)).copied()
                    })?
                })
            }
            ExpressionKind::Compose(parts) => {
                let mut values = Values::new();
                for part in parts {
                    values.extend(self.value(*part)?);
                }
                values.truncate(expression.ty.components().unwrap_or(1).into());
                values
            }
            ExpressionKind::Build(parts) => {
                self.leaves(expression.ty, span)?;
                let mut values = Values::new();
                for part in parts {
                    values.extend(self.value(*part)?);
                }
                values
            }
            ExpressionKind::Unary { operation, value } => {
                let scalar = self.ty(*value).scalar().unwrap_or(Scalar::Float);
                let values = self.value(*value)?;
                self.at(id);
                self.unary(*operation, scalar, &values)
            }
            ExpressionKind::Binary { .. } => self.chain(id)?,
            ExpressionKind::And { left, right } => {
                let left = self.scalar(*left)?;
                match self.is_cheap(*right, &mut { CHEAP }) {
                    true => {
                        let right = self.scalar(*right)?;
                        self.at(id);
                        smallvec![self.op(Op::And, &[left, right])]
                    }
                    false => self.either(
                        left,
                        expression.ty,
                        span,
                        |t| t.value(*right),
                        |t| Ok(smallvec![t.op(Op::Bool(false), &[])]),
                    )?,
                }
            }
            ExpressionKind::Or { left, right } => {
                let left = self.scalar(*left)?;
                match self.is_cheap(*right, &mut { CHEAP }) {
                    true => {
                        let right = self.scalar(*right)?;
                        self.at(id);
                        smallvec![self.op(Op::Or, &[left, right])]
                    }
                    false => self.either(
                        left,
                        expression.ty,
                        span,
                        |t| Ok(smallvec![t.op(Op::Bool(true), &[])]),
                        |t| t.value(*right),
                    )?,
                }
            }
            ExpressionKind::Select { condition, accept, reject } => {
                let condition = self.scalar(*condition)?;
                let budget = &mut { CHEAP };
                match self.is_cheap(*accept, budget) && self.is_cheap(*reject, budget) {
                    true => {
                        let (a, b) = (self.value(*accept)?, self.value(*reject)?);
                        self.at(id);
                        self.selected(condition, &a, &b)
                    }
                    false => self.either(
                        condition,
                        expression.ty,
                        span,
                        |t| t.value(*accept),
                        |t| t.value(*reject),
                    )?,
                }
            }
            ExpressionKind::Assign { target, operation, value } => {
                let place = self.target(*target)?;
                let mut values = self.value(*value)?;
                if let Some(operation) = operation {
                    let before = self.load(&place, span)?;
                    self.at(id);
                    values =
                        self.binary(*operation, (place.ty, &before), (self.ty(*value), &values), span)?;
                }
                self.at(id);
                self.store(&place, &values, span)?;
                values
            }
            ExpressionKind::Step { target, is_increment, is_prefix } => {
                let place = self.target(*target)?;
                let before = self.load(&place, span)?;
                let scalar = place.ty.scalar().unwrap_or(Scalar::Int);
                self.at(id);
                let one = self.number(scalar, 1.0);
                let operation = if *is_increment { Binary::Add } else { Binary::Subtract };
                let one: (Type, &[Value]) = (Type::Scalar(scalar), &[one]);
                let after = self.binary(operation, (place.ty, &before), one, span)?;
                self.store(&place, &after, span)?;
                if *is_prefix { after } else { before }
            }
            ExpressionKind::Sequence { first, second } => {
                self.value(*first)?;
                self.value(*second)?
            }
            ExpressionKind::Call { function, arguments } => self.call(*function, arguments, span)?,
            ExpressionKind::Builtin { operation, name, arguments } => {
                self.builtin(id, *operation, name, arguments)?
            }
        };
        self.depth -= 1;
        self.origin = before;
        self.code.at(before);
        Ok(values)
    }

    /// Operations of which each has the one before as its left operand: `a + b + c`, from the left. There may be thousands.
    fn chain(&mut self, id: ExpressionId) -> Result<Values> {
        let shader = self.shader;
        let (mut links, mut first) = (Vec::new(), id);
        while let ExpressionKind::Binary { operation, left, right } = shader.expressions[first].kind {
            links.push((first, operation, left, right));
            first = left;
        }
        let mut values = self.value(first)?;
        for (id, operation, left, right) in links.into_iter().rev() {
            let other = self.value(right)?;
            self.at(id);
            let (one, other) = ((self.ty(left), &values[..]), (self.ty(right), &other[..]));
            values = self.binary(operation, one, other, self.span(id))?;
        }
        Ok(values)
    }

    /// The value of a part of something, which may be no l-value.
    fn part(&mut self, id: ExpressionId) -> Result<Values> {
        let span = self.span(id);
        if let Some(place) = self.place(id)? {
            self.at(id);
            return self.load(&place, span);
        }
        let shader = self.shader;
        match &shader.expressions[id].kind {
            ExpressionKind::Field { base, member } => {
                let (values, types) = (self.value(*base)?, self.types());
                let Type::Struct(structure) = self.ty(*base) else { return Ok(values) };
                let members = &types.structure(structure).members;
                let before: u64 =
                    members.iter().take(*member as usize).map(|member| types.scalars(member.ty)).sum();
                Ok(cut(&values, before, types.scalars(shader.expressions[id].ty)))
            }
            ExpressionKind::Swizzle { base, lanes } => {
                let values = self.value(*base)?;
                Ok(lanes.iter().filter_map(|lane| values.get(usize::from(*lane))).copied().collect())
            }
            ExpressionKind::Index { base, index } => {
                let ty = self.ty(*base);
                let count = self.types().scalars(shader.expressions[id].ty);
                if let Some(number) = self.known_index(*index) {
                    let values = self.value(*base)?;
                    return Ok(cut(&values, count.saturating_mul(number.into()), count));
                }
                if let Type::Array(_) = ty {
                    let place = self.table(*base)?;
                    let index = self.index(*index)?;
                    let place = self.element_at(&place, index, span)?;
                    self.at(id);
                    return self.load(&place, span);
                }
                let (values, index) = (self.value(*base)?, self.index(*index)?);
                self.at(id);
                let mut chosen: Option<Values> = None;
                for number in (0..self.types().length(ty).unwrap_or(0)).rev() {
                    let part = cut(&values, count.saturating_mul(number.into()), count);
                    chosen = Some(match chosen {
                        None => part,
                        Some(others) => {
                            let number = self.bits(number);
                            let is_it = self.op(Op::ICompare(CompareInt::Eq), &[index, number]);
                            self.selected(is_it, &part, &others)
                        }
                    });
                }
                Ok(chosen.unwrap_or_default())
            }
            _ => Err(unsupported("expected a variable or a part of a value", span)),
        }
    }

    /// An array that is no variable, in memory, to be indexed. Constants are put there once, in front of the program.
    fn table(&mut self, id: ExpressionId) -> Result<super::place::Place> {
        let span = self.span(id);
        let ty = self.ty(id);
        let ExpressionKind::Constant(constant) = self.shader.expressions[id].kind else {
            let place = self.private("table", ty, true, span)?;
            let values = self.value(id)?;
            self.store(&place, &values, span)?;
            return Ok(place);
        };
        if let Some(place) = self.tables.get(&constant) {
            return Ok(place.clone());
        }
        let place = self.private("table", ty, true, span)?;
        let (here, ended) = (self.code.current(), self.has_ended);
        self.continue_in(self.prologue);
        let values = self.constant(constant, span)?;
        self.store(&place, &values, span)?;
        self.code.switch_to(here);
        self.has_ended = ended;
        self.tables.insert(constant, place.clone());
        Ok(place)
    }

    /// A constant.
    fn constant(&mut self, id: ConstantId, span: Span) -> Result<Values> {
        let constant = &self.shader.constants[id];
        let leaves = self.leaves(constant.ty, span)?;
        let scalars = leaves.iter().zip(constant.values.iter()).enumerate();
        let mut values = Values::new();
        for (lane, (scalar, value)) in scalars {
            self.lane(lane);
            values.push(self.known(*scalar, *value));
        }
        Ok(values)
    }

    /// A known scalar.
    fn known(&mut self, scalar: Scalar, value: Known) -> Value {
        let whole = match value {
            Known::Bool(value) => return self.op(Op::Bool(value), &[]),
            Known::Float(value) => {
                return match scalar {
                    Scalar::Double => self.op(Op::B64(value.to_bits()), &[]),
                    Scalar::Float16 => {
                        let single = self.float(value as f32);
                        let mut values = self.converted(&[single], Scalar::Float, Scalar::Float16);
                        values.pop().unwrap_or_default()
                    }
                    _ => self.float(value as f32),
                };
            }
            Known::Int(value) => value as u64,
            Known::Uint(value) => value,
        };
        match ir_type(scalar) {
            unshade_ir::Type::B64 => self.op(Op::B64(whole), &[]),
            _ => self.bits(whole as u32),
        }
    }

    /// A small number of a kind.
    pub(super) fn number(&mut self, scalar: Scalar, value: f64) -> Value {
        match scalar {
            Scalar::Bool => self.op(Op::Bool(value != 0.0), &[]),
            scalar if scalar.is_float() => self.known(scalar, Known::Float(value)),
            scalar => self.known(scalar, Known::Int(value as i64)),
        }
    }

    /// A matrix: what a place has, or what it has in the identity.
    fn on_diagonal(&mut self, ty: Type, mut part: impl FnMut(u8, u8) -> Option<Value>) -> Values {
        let Type::Matrix(scalar, columns, rows) = ty else { return Values::new() };
        let (zero, one) = (self.number(scalar, 0.0), self.number(scalar, 1.0));
        let mut values = Values::new();
        // Of a scalar, all that is not on the diagonal is 0, and nothing is missing on it.
        for column in 0..columns {
            for row in 0..rows {
                values.push(part(column, row).unwrap_or(if column == row { one } else { zero }));
            }
        }
        values
    }

    pub(super) fn selected(&mut self, condition: Value, a: &[Value], b: &[Value]) -> Values {
        let mut values = Values::new();
        for (lane, (a, b)) in a.iter().zip(b).enumerate() {
            self.lane(lane);
            values.push(self.op(Op::Select, &[condition, *a, *b]));
        }
        values
    }

    /// One of two values, of which only one is computed.
    fn either(
        &mut self,
        condition: Value,
        ty: Type,
        span: Span,
        accept: impl FnOnce(&mut Self) -> Result<Values>,
        reject: impl FnOnce(&mut Self) -> Result<Values>,
    ) -> Result<Values> {
        let place = match ty {
            Type::Void => None,
            ty => Some(self.private("choice", ty, false, span)?),
        };
        let (then, otherwise, behind) = (self.code.block(), self.code.block(), self.code.block());
        self.branch(condition, then, otherwise);
        self.continue_in(then);
        let values = accept(self)?;
        if let Some(place) = &place {
            self.store(place, &values, span)?;
        }
        self.jump(behind);
        self.continue_in(otherwise);
        let values = reject(self)?;
        if let Some(place) = &place {
            self.store(place, &values, span)?;
        }
        self.jump(behind);
        self.continue_in(behind);
        match place {
            Some(place) => self.load(&place, span),
            None => Ok(Values::new()),
        }
    }

    /// Whether an expression changes nothing, asks no other invocation, and takes little time.
    fn is_cheap(&self, id: ExpressionId, left: &mut usize) -> bool {
        let Some(rest) = left.checked_sub(1) else { return false };
        *left = rest;
        match &self.shader.expressions[id].kind {
            ExpressionKind::Constant(_) | ExpressionKind::Variable(_) | ExpressionKind::Length(_) => true,
            ExpressionKind::Field { base: value, .. }
            | ExpressionKind::Swizzle { base: value, .. }
            | ExpressionKind::Convert { value, .. }
            | ExpressionKind::Splat(value)
            | ExpressionKind::Diagonal(value)
            | ExpressionKind::Resize(value)
            | ExpressionKind::Unary { value, .. } => self.is_cheap(*value, left),
            ExpressionKind::Index { base, index } => {
                self.is_cheap(*base, left) && self.is_cheap(*index, left)
            }
            ExpressionKind::Compose(parts) | ExpressionKind::Build(parts) => {
                parts.iter().all(|part| self.is_cheap(*part, left))
            }
            ExpressionKind::Binary { left: a, right: b, .. }
            | ExpressionKind::And { left: a, right: b }
            | ExpressionKind::Or { left: a, right: b } => self.is_cheap(*a, left) && self.is_cheap(*b, left),
            ExpressionKind::Select { condition, accept, reject } => {
                [condition, accept, reject].into_iter().all(|part| self.is_cheap(*part, left))
            }
            ExpressionKind::Builtin { operation, arguments, .. } => {
                let plain = matches!(
                    operation,
                    Operation::Abs
                        | Operation::Sign
                        | Operation::Floor
                        | Operation::Fract
                        | Operation::Min
                        | Operation::Max
                        | Operation::Clamp
                        | Operation::Mix
                        | Operation::Dot
                        | Operation::Bitcast
                        | Operation::Any
                        | Operation::All
                        | Operation::Not
                        | Operation::LessThan
                        | Operation::GreaterThan
                );
                plain && arguments.iter().all(|part| self.is_cheap(*part, left))
            }
            ExpressionKind::Assign { .. }
            | ExpressionKind::Step { .. }
            | ExpressionKind::Sequence { .. }
            | ExpressionKind::Call { .. } => false,
        }
    }
}

fn cut(values: &[Value], from: u64, count: u64) -> Values {
    let (from, count) =
        (usize::try_from(from).unwrap_or(usize::MAX), usize::try_from(count).unwrap_or(usize::MAX));
    values.iter().skip(from).take(count).copied().collect()
}
