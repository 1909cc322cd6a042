//! Expressions.

use super::body::{Body, Held};
use super::lower::Stored;
use super::{helper, types};
use crate::Error;
use crate::interface::{Form, Role};
use ::naga::{
    BinaryOperator, DerivativeAxis, Expression, Handle, MathFunction, SwizzleComponent, UnaryOperator,
};
use unshade_ir::ast::{Binary, Builtin, Expr, ExprKind, GlobalRef, Helper, Scalar, Type, Unary};

/// Expressions inside one another before one gets a name: naga's text writers recurse into what has none.
const HEIGHT_LIMIT: usize = 24;

pub(super) type Lowered = Result<Handle<Expression>, Error>;

pub(super) const fn one(scalar: Scalar) -> Type {
    Type { scalar, components: 1 }
}

impl Body<'_, '_, '_> {
    /// Lowers an expression.
    pub fn expr(&mut self, expr: &Expr) -> Lowered {
        let beside = std::mem::take(&mut self.height);
        let value = self.node(expr)?;
        let mut height = self.height + 1;
        if height > HEIGHT_LIMIT {
            self.name(value, "part".to_owned());
            height = 0;
        }
        self.height = beside.max(height);
        Ok(value)
    }

    fn node(&mut self, expr: &Expr) -> Lowered {
        match &expr.kind {
            ExprKind::Literal(bits) => self.literal_vector(expr.ty, bits),
            ExprKind::Local(local) => Ok(self.read_local(*local)),
            ExprKind::Global(global, index) => self.global(expr.ty, *global, index.as_deref()),
            ExprKind::Word(memory, index) => {
                let pointer = self.word_pointer(*memory, index)?;
                Ok(self.add(Expression::Load { pointer }))
            }
            ExprKind::Elements(memory) => {
                let base = self.memory_pointer(*memory);
                let count = self.add(Expression::ArrayLength(base));
                Ok(self.add(Expression::As { expr: count, kind: ::naga::ScalarKind::Sint, convert: Some(4) }))
            }
            ExprKind::Image(global, image, operands) => self.image_expression(*global, *image, operands),
            ExprKind::Interpolate(_, global, _) => {
                let name = &self.lower.program.globals[global.0 as usize].global.name;
                Err(Error::unsupported(format!("{name} at another place of the pixel in this language")))
            }
            ExprKind::Array(array, index) => {
                let base = self.add(Expression::GlobalVariable(self.lower.arrays[*array as usize]));
                let words = self.lower.program.arrays[*array as usize].words;
                let word = match self.element_pointer(base, words, index)? {
                    Some(pointer) => self.add(Expression::Load { pointer }),
                    None => self.literal(Scalar::Uint, 0u32),
                };
                Ok(self.bitcast(word, Type { scalar: Scalar::Uint, components: 1 }, expr.ty.scalar))
            }
            ExprKind::Swizzle(base, lanes) => {
                let value = self.expr(base)?;
                Ok(self.swizzle(value, base.ty.components, lanes))
            }
            ExprKind::Construct(parts) => self.construct(expr.ty, parts),
            ExprKind::Unary(unary, operand) => {
                let mut value = self.expr(operand)?;
                if *unary == Unary::Negate {
                    value = self.runtime(value, operand.ty);
                }
                let op = match unary {
                    Unary::Negate => UnaryOperator::Negate,
                    Unary::Not => UnaryOperator::LogicalNot,
                    Unary::BitNot => UnaryOperator::BitwiseNot,
                };
                let literal_only = self.is_literal_only(value);
                let value = self.add(Expression::Unary { op, expr: value });
                if literal_only {
                    self.mark_literal_only(value);
                }
                Ok(value)
            }
            ExprKind::Binary(binary, left, right) => self.binary(*binary, left, right),
            ExprKind::Select(condition, yes, no) => {
                let condition = self.expr(condition)?;
                let accept = self.expr(yes)?;
                let reject = self.expr(no)?;
                let literal_only = [condition, accept, reject].iter().all(|&part| self.is_literal_only(part));
                let value = self.add(Expression::Select { condition, accept, reject });
                if literal_only {
                    self.mark_literal_only(value);
                }
                Ok(value)
            }
            ExprKind::Builtin(builtin, operands) => self.builtin(*builtin, operands),
            ExprKind::Helper(Helper::FmaHalf, _) => {
                Err(Error::unsupported("an exact fused multiply-add of 16 bits in this language"))
            }
            ExprKind::Helper(machine, operands) => {
                let arguments = operands
                    .iter()
                    .map(|operand| {
                        let value = self.expr(operand)?;
                        Ok(self.widened(value, operand.ty, expr.ty.components))
                    })
                    .collect::<Result<Vec<_>, Error>>()?;
                let first = operands.first().map_or(expr.ty.scalar, |operand| operand.ty.scalar);
                let function =
                    self.lower.helper(helper::Use::Machine(*machine, first, expr.ty.components))?;
                let result = self.call_function(function, arguments, true);
                self.height = 0;
                result.ok_or_else(|| Error::invalid("a helper without a result"))
            }
            ExprKind::MatrixVector(global, first, count, vector) => {
                self.matrix_vector(*global, *first, *count, vector)
            }
            ExprKind::Column(global, element, column) => {
                let index = self.column_index(*global, element.as_deref(), column);
                self.global(expr.ty, *global, Some(&index))
            }
            ExprKind::Product(product) => self.product(product, expr.ty.components),
            ExprKind::Texture(fetch) => self.fetch(fetch),
            ExprKind::Convert(operand) => {
                let value = self.expr(operand)?;
                let value = self.runtime(value, operand.ty);
                Ok(self.convert(value, expr.ty.scalar))
            }
            ExprKind::Bitcast(operand) => {
                let value = self.expr(operand)?;
                Ok(self.bitcast(value, operand.ty, expr.ty.scalar))
            }
        }
    }

    // ---- values

    /// A literal of one component; infinities and NaN come from a function, which no compiler evaluates
    /// while it parses, and so do denormals, which compilers take for zero.
    fn component(&mut self, scalar: Scalar, bits: u64) -> Lowered {
        let is_finite = match scalar {
            Scalar::Float => {
                let value = f32::from_bits(bits as u32);
                value.is_finite() && !value.is_subnormal()
            }
            Scalar::Double => f64::from_bits(bits).is_finite(),
            _ => true,
        };
        if is_finite {
            return Ok(self.literal(scalar, bits));
        }
        let mut words = vec![self.literal(Scalar::Uint, bits & 0xFFFF_FFFF)];
        let mut helper = helper::Use::FromBits;
        if scalar == Scalar::Double {
            words.push(self.literal(Scalar::Uint, bits >> 32));
            helper = helper::Use::FromWords;
        }
        let function = self.lower.helper(helper)?;
        self.call_function(function, words, true).ok_or_else(|| Error::invalid("a helper without a result"))
    }

    pub fn literal_vector(&mut self, ty: Type, bits: &[u64]) -> Lowered {
        let components =
            bits.iter().map(|&bits| self.component(ty.scalar, bits)).collect::<Result<Vec<_>, _>>()?;
        let literal_only = components.iter().all(|&component| self.is_literal_only(component));
        let value = match (components.as_slice(), types::size(ty.components)) {
            ([single], _) => return Ok(*single),
            ([first, rest @ ..], Some(size)) if rest.iter().all(|other| other == first) => {
                self.add(Expression::Splat { size, value: *first })
            }
            _ => {
                let ty = self.lower.ty(ty);
                self.add(Expression::Compose { ty, components })
            }
        };
        if literal_only {
            self.mark_literal_only(value);
        }
        Ok(value)
    }

    /// The value itself, or one that is read from a variable if it is made of literals.
    fn runtime(&mut self, value: Handle<Expression>, ty: Type) -> Handle<Expression> {
        if self.is_literal_only(value) { self.opaque(value, ty) } else { value }
    }

    /// A scalar as a vector of equal components.
    pub(super) fn widened(
        &mut self,
        value: Handle<Expression>,
        ty: Type,
        components: u8,
    ) -> Handle<Expression> {
        match types::size(components) {
            Some(size) if ty.components == 1 => {
                let literal_only = self.is_literal_only(value);
                let wide = self.add(Expression::Splat { size, value });
                if literal_only {
                    self.mark_literal_only(wide);
                }
                wide
            }
            _ => value,
        }
    }

    pub(super) fn swizzle(
        &mut self,
        vector: Handle<Expression>,
        width: u8,
        lanes: &[u8],
    ) -> Handle<Expression> {
        let literal_only = self.is_literal_only(vector);
        let whole = lanes.len() == usize::from(width)
            && lanes.iter().enumerate().all(|(place, &lane)| usize::from(lane) == place);
        if whole {
            return vector;
        }
        let value = match (lanes, types::size(lanes.len().min(4) as u8)) {
            (_, Some(size)) if width == 1 => self.add(Expression::Splat { size, value: vector }),
            ([lane], _) => self.add(Expression::AccessIndex { base: vector, index: u32::from(*lane) }),
            (_, Some(size)) => {
                let mut pattern = [SwizzleComponent::X; 4];
                for (component, lane) in pattern.iter_mut().zip(lanes) {
                    *component = SwizzleComponent::XYZW[usize::from(lane & 3)];
                }
                self.add(Expression::Swizzle { size, vector, pattern })
            }
            _ => vector,
        };
        if literal_only {
            self.mark_literal_only(value);
        }
        value
    }

    fn construct(&mut self, ty: Type, parts: &[Expr]) -> Lowered {
        if let [part] = parts {
            let value = self.expr(part)?;
            return Ok(self.widened(value, part.ty, ty.components));
        }
        let components = parts.iter().map(|part| self.expr(part)).collect::<Result<Vec<_>, _>>()?;
        let literal_only = components.iter().all(|&component| self.is_literal_only(component));
        let ty = self.lower.ty(ty);
        let value = self.add(Expression::Compose { ty, components });
        if literal_only {
            self.mark_literal_only(value);
        }
        Ok(value)
    }

    pub(super) fn convert(&mut self, value: Handle<Expression>, to: Scalar) -> Handle<Expression> {
        let scalar = types::scalar(to);
        self.add(Expression::As { expr: value, kind: scalar.kind, convert: Some(scalar.width) })
    }

    pub(super) fn bitcast(
        &mut self,
        value: Handle<Expression>,
        from: Type,
        to: Scalar,
    ) -> Handle<Expression> {
        if from.scalar == to {
            return value;
        }
        let value = self.runtime(value, from);
        if from.scalar == Scalar::Bool || to == Scalar::Bool {
            return self.convert(value, to);
        }
        self.add(Expression::As { expr: value, kind: types::kind(to), convert: None })
    }

    // ---- globals

    /// Pointer to an element; `None` if a literal index goes past the end.
    pub fn element_pointer(
        &mut self,
        base: Handle<Expression>,
        elements: u32,
        index: &Expr,
    ) -> Result<Option<Handle<Expression>>, Error> {
        if let ExprKind::Literal(bits) = &index.kind
            && let &[index] = bits.as_slice()
        {
            let inside = index < elements.max(1).into();
            let index = index as u32;
            return Ok(inside.then(|| self.add(Expression::AccessIndex { base, index })));
        }
        let value = self.expr(index)?;
        let index = self.runtime(value, index.ty);
        Ok(Some(self.add(Expression::Access { base, index })))
    }

    pub(super) fn global(&mut self, ty: Type, global: GlobalRef, index: Option<&Expr>) -> Lowered {
        let slot = self.lower.slots[global.0 as usize];
        let invalid = |what: &str| {
            let name = &self.lower.program.globals[global.0 as usize].global.name;
            Error::invalid(format!("{name} {what}"))
        };
        if slot.ty.components < ty.components {
            return Err(invalid("read with more components than it has"));
        }
        if (slot.form == Form::Single) != index.is_none() {
            return Err(invalid("with an index that it does not have, or without one"));
        }
        let Some(held) = self.globals[global.0 as usize] else {
            return Err(invalid("used outside of its function"));
        };
        let (mut value, stored) = match (held, index) {
            (Held::Value(value), None) => (value, Stored::Plain),
            // The registers of a matrix are its columns.
            (Held::Value(matrix), Some(index)) => match &index.kind {
                ExprKind::Literal(bits) if bits.len() == 1 && bits[0] < slot.elements().into() => {
                    (self.add(Expression::AccessIndex { base: matrix, index: bits[0] as u32 }), Stored::Plain)
                }
                ExprKind::Literal(_) => {
                    return self.literal_vector(ty, &[0; 4][..usize::from(ty.components)]);
                }
                _ => {
                    let pointer = self.matrix_pointer(global)?;
                    let index = self.expr(index)?;
                    let pointer = self.add(Expression::Access { base: pointer, index });
                    (self.add(Expression::Load { pointer }), Stored::Plain)
                }
            },
            (Held::Elements, index) => {
                let element = match index.map(|index| &index.kind) {
                    Some(ExprKind::Literal(bits)) => bits.first().map_or(0, |&bits| bits as usize),
                    _ => return Err(invalid("with an index that was not seen")),
                };
                let elements = self.elements.get(&(global.0 as usize));
                match elements.and_then(|elements| elements.get(element)) {
                    Some(&value) => (value, Stored::Plain),
                    None => return self.literal_vector(ty, &[0; 4][..usize::from(ty.components)]),
                }
            }
            (Held::Field { .. }, None) => return Err(invalid("without an index")),
            (Held::Field { pointer, field, stored }, Some(index)) => {
                match self.element_pointer(pointer, slot.elements(), index)? {
                    Some(base) => {
                        let pointer = self.add(Expression::AccessIndex { base, index: field });
                        (self.add(Expression::Load { pointer }), stored)
                    }
                    None => return self.literal_vector(ty, &[0; 4][..usize::from(ty.components)]),
                }
            }
            (Held::Pointer(pointer, stored), None) => (self.add(Expression::Load { pointer }), stored),
            (Held::Pointer(pointer, stored), Some(index)) => {
                match self.element_pointer(pointer, slot.elements(), index)? {
                    Some(pointer) => (self.add(Expression::Load { pointer }), stored),
                    None => return self.literal_vector(ty, &[0; 4][..usize::from(ty.components)]),
                }
            }
        };
        let mut width = slot.ty.components;
        match stored {
            Stored::Plain | Stored::Matrix => {
                if slot.role == Role::Position {
                    let lanes: Vec<u8> = (slot.component..slot.component + width).collect();
                    value = self.swizzle(value, 4, &lanes);
                }
            }
            Stored::Word => value = self.is_true(value, width),
            Stored::PaddedWord => {
                let own: Vec<u8> = (0..width).collect();
                let words = self.swizzle(value, 4, &own);
                value = self.is_true(words, width);
            }
            Stored::Padded => width = 4,
        }
        let lanes: Vec<u8> = (0..ty.components).collect();
        value = self.swizzle(value, width, &lanes);
        Ok(self.bitcast(value, Type { scalar: slot.ty.scalar, ..ty }, ty.scalar))
    }

    /// Pointer to a matrix in the buffer, for an index that is not known.
    fn matrix_pointer(&mut self, global: GlobalRef) -> Lowered {
        let block = self.lower.slots[global.0 as usize].block;
        match (self.lower.homes[global.0 as usize], self.lower.uniforms.get(&block).copied()) {
            (super::lower::Home::Uniform { member, .. }, Some(uniforms)) => {
                let base = self.add(Expression::GlobalVariable(uniforms));
                Ok(self.add(Expression::AccessIndex { base, index: member }))
            }
            _ => Err(Error::invalid("an index into a value that has no place")),
        }
    }

    fn matrix_vector(&mut self, global: GlobalRef, first: u8, count: u8, vector: &Expr) -> Lowered {
        let slot = self.lower.slots[global.0 as usize];
        let columns = vector.ty.components;
        if slot.ty.scalar != Scalar::Float || columns > slot.ty.components {
            return Err(Error::invalid("a matrix product with a vector longer than the rows"));
        }
        if u32::from(first) + u32::from(count) > slot.elements() {
            return Err(Error::invalid("a matrix product with rows that do not exist"));
        }
        let value = self.expr(vector)?;
        let whole = first == 0 && u32::from(count) == slot.elements() && columns == slot.ty.components;
        if let (Some(Held::Value(matrix)), true) = (self.globals[global.0 as usize], whole) {
            let op = BinaryOperator::Multiply;
            return Ok(self.add(Expression::Binary { op, left: value, right: matrix }));
        }
        let mut components = Vec::with_capacity(usize::from(count));
        for row in first..first + count {
            let index = Expr::new(one(Scalar::Int), ExprKind::Literal(vec![u64::from(row)]));
            let row =
                self.global(Type { scalar: Scalar::Float, components: columns }, global, Some(&index))?;
            components.push(self.math(MathFunction::Dot, &[row, value]));
        }
        if let [single] = components.as_slice() {
            return Ok(*single);
        }
        let ty = self.lower.ty(Type { scalar: Scalar::Float, components: count });
        Ok(self.add(Expression::Compose { ty, components }))
    }

    // ---- operations

    fn binary(&mut self, binary: Binary, left: &Expr, right: &Expr) -> Lowered {
        let mut left_value = self.expr(left)?;
        let mut right_value = self.expr(right)?;
        let (left_type, right_type) = (left.ty, right.ty);
        let op = match binary {
            Binary::Add => BinaryOperator::Add,
            Binary::Sub => BinaryOperator::Subtract,
            Binary::Mul => BinaryOperator::Multiply,
            Binary::Div => BinaryOperator::Divide,
            Binary::Rem => BinaryOperator::Modulo,
            Binary::Eq => BinaryOperator::Equal,
            Binary::Ne | Binary::LogicalXor => BinaryOperator::NotEqual,
            Binary::Lt => BinaryOperator::Less,
            Binary::Le => BinaryOperator::LessEqual,
            Binary::Gt => BinaryOperator::Greater,
            Binary::Ge => BinaryOperator::GreaterEqual,
            Binary::LogicalAnd => BinaryOperator::LogicalAnd,
            Binary::LogicalOr => BinaryOperator::LogicalOr,
            Binary::BitAnd => BinaryOperator::And,
            Binary::BitOr => BinaryOperator::InclusiveOr,
            Binary::BitXor => BinaryOperator::ExclusiveOr,
            Binary::ShiftLeft => BinaryOperator::ShiftLeft,
            Binary::ShiftRight => BinaryOperator::ShiftRight,
        };
        // WGSL refuses a literal divisor of 0 and a literal shift by the width, whatever the left side is.
        let refused_literal = |limit: std::ops::Range<u64>| match &right.kind {
            ExprKind::Literal(bits) => bits.iter().any(|bits| limit.contains(bits)),
            _ => false,
        };
        let divides = matches!(binary, Binary::Div | Binary::Rem) && !right_type.scalar.is_float();
        let shifts = matches!(binary, Binary::ShiftLeft | Binary::ShiftRight);
        if divides && refused_literal(0..1) || shifts && refused_literal(32..u64::from(u32::MAX)) {
            right_value = self.opaque(right_value, right_type);
        } else if self.is_literal_only(right_value) {
            left_value = self.runtime(left_value, left_type);
        }
        if shifts && right_type.scalar != Scalar::Uint {
            right_value = self.convert(right_value, Scalar::Uint);
        }
        // Only a product takes a vector with a scalar.
        if left_type.components != right_type.components && binary != Binary::Mul || shifts {
            let components = left_type.components.max(right_type.components);
            left_value = self.widened(left_value, left_type, components);
            right_value = self.widened(right_value, right_type, components);
        }
        Ok(self.add(Expression::Binary { op, left: left_value, right: right_value }))
    }

    pub(super) fn math(&mut self, fun: MathFunction, arguments: &[Handle<Expression>]) -> Handle<Expression> {
        let argument = |place: usize| arguments.get(place).copied();
        let Some(arg) = argument(0) else { return self.literal(Scalar::Float, 0u32) };
        self.add(Expression::Math { fun, arg, arg1: argument(1), arg2: argument(2), arg3: argument(3) })
    }

    fn builtin(&mut self, builtin: Builtin, operands: &[Expr]) -> Lowered {
        let mut values = operands.iter().map(|operand| self.expr(operand)).collect::<Result<Vec<_>, _>>()?;
        // All operands of one width; a choice has a condition for each component.
        let components = operands.iter().map(|operand| operand.ty.components).max().unwrap_or(1);
        for (place, (value, operand)) in values.iter_mut().zip(operands).enumerate() {
            // But for the ratio, which is one number.
            if builtin != Builtin::Refract || place < 2 {
                *value = self.widened(*value, operand.ty, components);
            }
        }
        if values.iter().all(|&value| self.is_literal_only(value)) {
            values[0] = self.opaque(values[0], Type { components, ..operands[0].ty });
        }
        let scalar = components == 1;
        let fun = match builtin {
            Builtin::DerivativeX | Builtin::DerivativeY | Builtin::DerivativeWidth => {
                let axis = match builtin {
                    Builtin::DerivativeX => DerivativeAxis::X,
                    Builtin::DerivativeY => DerivativeAxis::Y,
                    _ => DerivativeAxis::Width,
                };
                return Ok(self.derivative(axis, values[0]));
            }
            Builtin::InverseTimes | Builtin::TimesInverse => {
                let vector_first = builtin == Builtin::TimesInverse;
                let function = self.lower.helper(helper::Use::Inverse(components, vector_first))?;
                let result = self.call_function(function, values, true);
                return result.ok_or_else(|| Error::invalid("a helper without a result"));
            }
            Builtin::Choose => {
                let [reject, accept, condition] = values[..] else { return self.unknown(builtin) };
                return Ok(self.add(Expression::Select { condition, accept, reject }));
            }
            Builtin::Any | Builtin::All => {
                if scalar {
                    return Ok(values[0]);
                }
                let fun = match builtin {
                    Builtin::Any => ::naga::RelationalFunction::Any,
                    _ => ::naga::RelationalFunction::All,
                };
                return Ok(self.add(Expression::Relational { fun, argument: values[0] }));
            }
            Builtin::IsNan | Builtin::IsInf => {
                // WGSL has no test for either: the bits of NaN without the sign are above those of infinity.
                let is_double = operands.first().is_some_and(|operand| operand.ty.scalar == Scalar::Double);
                if is_double && builtin == Builtin::IsNan {
                    return self.is_nan_double(values[0], components);
                }
                let word = |body: &mut Self, bits: u32| {
                    let word = body.literal(Scalar::Uint, bits);
                    body.widened(word, one(Scalar::Uint), components)
                };
                let (mask, infinity) = (word(self, 0x7fff_ffff), word(self, 0x7f80_0000));
                let kind = ::naga::ScalarKind::Uint;
                let bits = self.add(Expression::As { expr: values[0], kind, convert: None });
                let op = BinaryOperator::And;
                let magnitude = self.add(Expression::Binary { op, left: bits, right: mask });
                let op = match builtin {
                    Builtin::IsNan => BinaryOperator::Greater,
                    _ => BinaryOperator::Equal,
                };
                return Ok(self.add(Expression::Binary { op, left: magnitude, right: infinity }));
            }
            Builtin::LessThan
            | Builtin::LessThanEqual
            | Builtin::GreaterThan
            | Builtin::GreaterThanEqual
            | Builtin::Equal
            | Builtin::NotEqual => {
                let op = match builtin {
                    Builtin::LessThan => BinaryOperator::Less,
                    Builtin::LessThanEqual => BinaryOperator::LessEqual,
                    Builtin::GreaterThan => BinaryOperator::Greater,
                    Builtin::GreaterThanEqual => BinaryOperator::GreaterEqual,
                    Builtin::Equal => BinaryOperator::Equal,
                    _ => BinaryOperator::NotEqual,
                };
                return Ok(self.add(Expression::Binary { op, left: values[0], right: values[1] }));
            }
            // Of one component these are simpler things.
            Builtin::Dot if scalar => {
                let op = BinaryOperator::Multiply;
                return Ok(self.add(Expression::Binary { op, left: values[0], right: values[1] }));
            }
            Builtin::Length if scalar => MathFunction::Abs,
            Builtin::Normalize if scalar => MathFunction::Sign,
            Builtin::Abs => MathFunction::Abs,
            Builtin::Floor => MathFunction::Floor,
            Builtin::Ceil => MathFunction::Ceil,
            Builtin::Trunc => MathFunction::Trunc,
            Builtin::RoundEven => MathFunction::Round,
            Builtin::Fract => MathFunction::Fract,
            Builtin::Sqrt => MathFunction::Sqrt,
            Builtin::InverseSqrt => MathFunction::InverseSqrt,
            Builtin::Exp2 => MathFunction::Exp2,
            Builtin::Log2 => MathFunction::Log2,
            Builtin::Sin => MathFunction::Sin,
            Builtin::Cos => MathFunction::Cos,
            Builtin::Atan | Builtin::AtanNear => MathFunction::Atan,
            Builtin::Atan2 | Builtin::Atan2Near => MathFunction::Atan2,
            Builtin::Tan => MathFunction::Tan,
            Builtin::Asin => MathFunction::Asin,
            Builtin::Acos => MathFunction::Acos,
            Builtin::Sinh => MathFunction::Sinh,
            Builtin::Cosh => MathFunction::Cosh,
            Builtin::Tanh => MathFunction::Tanh,
            Builtin::Asinh => MathFunction::Asinh,
            Builtin::Acosh => MathFunction::Acosh,
            Builtin::Atanh => MathFunction::Atanh,
            Builtin::Significand | Builtin::Exponent => {
                let scalar = ::naga::Scalar::F32;
                let kind = ::naga::PredeclaredType::FrexpResult { size: types::size(components), scalar };
                self.lower.module.generate_predeclared_type(kind);
                let base = self.math(MathFunction::Frexp, &values);
                let index = u32::from(builtin == Builtin::Exponent);
                return Ok(self.add(Expression::AccessIndex { base, index }));
            }
            Builtin::Pow => MathFunction::Pow,
            Builtin::Min => MathFunction::Min,
            Builtin::Max => MathFunction::Max,
            Builtin::Clamp => MathFunction::Clamp,
            Builtin::Mix => MathFunction::Mix,
            Builtin::Step => MathFunction::Step,
            Builtin::Smoothstep => MathFunction::SmoothStep,
            Builtin::Exp => MathFunction::Exp,
            Builtin::Log => MathFunction::Log,
            Builtin::Modulo => {
                let (left, right) = (values[0], values[1]);
                let ratio = self.add(Expression::Binary { op: BinaryOperator::Divide, left, right });
                let whole = self.math(MathFunction::Floor, &[ratio]);
                let op = BinaryOperator::Multiply;
                let multiple = self.add(Expression::Binary { op, left: right, right: whole });
                let op = BinaryOperator::Subtract;
                return Ok(self.add(Expression::Binary { op, left, right: multiple }));
            }
            Builtin::Dot => MathFunction::Dot,
            Builtin::Length => MathFunction::Length,
            Builtin::Normalize => MathFunction::Normalize,
            Builtin::Cross => MathFunction::Cross,
            Builtin::Reflect => MathFunction::Reflect,
            Builtin::Refract => MathFunction::Refract,
            Builtin::FaceForward => MathFunction::FaceForward,
            Builtin::Sign => MathFunction::Sign,
            Builtin::Fma => MathFunction::Fma,
            Builtin::BitCount
            | Builtin::BitReverse
            | Builtin::FindMsb
            | Builtin::FindLsb
            | Builtin::BitExtract
            | Builtin::BitInsert
            | Builtin::PackHalf
            | Builtin::PackNorm(_)
            | Builtin::UnpackNorm(_)
            | Builtin::UnpackHalf => return self.bits(builtin, operands, &values),
            Builtin::PackDouble => return Ok(self.joined_double(values[0])),
            Builtin::UnpackDouble => return Ok(self.words_of_double(values[0])),
            Builtin::VoteAll | Builtin::VoteAny | Builtin::VoteEqual | Builtin::Ballot | Builtin::Shuffle => {
                return Err(Error::unsupported(format!(
                    "{builtin:?}, a question to other lanes, in this language"
                )));
            }
        };
        Ok(self.math(fun, &values))
    }

    fn unknown(&self, builtin: Builtin) -> Lowered {
        Err(Error::invalid(format!("{builtin:?} with the wrong operands")))
    }
}
