//! Expressions.

use super::{
    Frame, Walk,
    shape::{Kind, Shape},
    value::{Matrix, Pointer, Root, Step, Value},
};
use crate::vector::{Lane, Lanes, Op};
use naga::{Expression, Handle, Literal, TypeInner};
use smallvec::{SmallVec, smallvec};
use unshade_bytes::problem::Result;

/// How deep expressions that need no statement may nest: constants in constants.
const DEPTH: usize = 64;

impl<'m> Walk<'m> {
    /// What an expression is.
    pub(super) fn value(&mut self, frame: &mut Frame<'m>, handle: Handle<Expression>) -> Result<Value> {
        if let Some(Some(value)) = frame.values.get(handle.index()) {
            return Ok(value.clone());
        }
        self.depth += 1;
        if self.depth > 4 * DEPTH {
            return self.refuse("compile.nesting", "expressions nest too deep");
        }
        let value = self.evaluate(frame, handle);
        self.depth -= 1;
        value
    }

    /// Computes an expression where a statement says so.
    pub(super) fn emit(&mut self, frame: &mut Frame<'m>, handle: Handle<Expression>) -> Result<()> {
        let value = self.evaluate(frame, handle)?;
        if let Some(place) = frame.values.get_mut(handle.index()) {
            *place = Some(value);
        }
        Ok(())
    }

    /// Lanes of an expression that is a number or a vector.
    pub(super) fn lanes(&mut self, frame: &mut Frame<'m>, handle: Handle<Expression>) -> Result<Lanes> {
        match self.value(frame, handle)? {
            Value::Vector(lanes) => Ok(lanes),
            _ => self.unexpected(),
        }
    }

    /// What an expression is, as far as registers are concerned; for pointers, what they point to.
    pub(super) fn inner(&self, frame: &Frame<'m>, handle: Handle<Expression>) -> &TypeInner {
        let info = &self.info[frame.handle];
        info[handle].ty.inner_with(&self.module.types)
    }

    /// Components' kind of an expression.
    pub(super) fn kind(&self, frame: &Frame<'m>, handle: Handle<Expression>) -> Kind {
        let scalar = self.inner(frame, handle).scalar();
        scalar.map_or(Kind::Float, |scalar| Kind::of(scalar.kind))
    }

    fn evaluate(&mut self, frame: &mut Frame<'m>, handle: Handle<Expression>) -> Result<Value> {
        let function = frame.function;
        self.at(function.expressions.get_span(handle));
        match &function.expressions[handle] {
            Expression::Literal(literal) => self.literal(*literal),
            Expression::Constant(constant) => {
                let init = self.module.constants[*constant].init;
                self.global_value(init, DEPTH)
            }
            Expression::Override(handle) => self.overridden(*handle, DEPTH),
            Expression::ZeroValue(ty) => Ok(zero(&Shape::of(self.module, *ty)?)),
            Expression::Compose { ty, components } => {
                let mut parts = Vec::with_capacity(components.len());
                for &component in components {
                    parts.push(self.value(frame, component)?);
                }
                self.at(function.expressions.get_span(handle));
                let shape = Shape::of(self.module, *ty)?;
                self.compose(&shape, parts)
            }
            Expression::Splat { size, value } => {
                let lanes = self.lanes(frame, *value)?;
                let lane = lanes.first().copied().unwrap_or(Lane::ZERO);
                Ok(Value::Vector(smallvec![lane; *size as usize]))
            }
            Expression::Swizzle { size, vector, pattern } => {
                let lanes = self.lanes(frame, *vector)?;
                let chosen = pattern.iter().take(*size as usize);
                let picked = chosen.map(|component| lanes.get(*component as usize).copied());
                picked
                    .collect::<Option<Lanes>>()
                    .map_or_else(|| self.unexpected(), |lanes| Ok(Value::Vector(lanes)))
            }
            Expression::FunctionArgument(index) => {
                let argument = frame.arguments.get(*index as usize).cloned();
                argument.map_or_else(|| self.unexpected(), Ok)
            }
            Expression::GlobalVariable(global) => match self.globals.get(global.index()) {
                Some(Some(root)) => Ok(pointer(*root)),
                _ => {
                    self.refuse("compile.unsupported", "this kind of variable does not exist on the machine")
                }
            },
            Expression::LocalVariable(local) => match frame.locals.get(local.index()) {
                Some(Some(index)) => Ok(pointer(Root::Variable(*index))),
                _ => self.unexpected(),
            },
            Expression::Load { pointer } => {
                let Value::Pointer(pointer) = self.value(frame, *pointer)? else { return self.unexpected() };
                self.at(function.expressions.get_span(handle));
                self.load(&pointer)
            }
            Expression::AccessIndex { base, index } => {
                let base = self.value(frame, *base)?;
                self.step(base, Step::Fixed(*index))
            }
            Expression::Access { base, index } => {
                let base = self.value(frame, *base)?;
                let index = self.lanes(frame, *index)?.first().copied().unwrap_or(Lane::ZERO);
                self.at(function.expressions.get_span(handle));
                let step = match index.value() {
                    Some(value) if value >= 0.0 => Step::Fixed(value as u32),
                    Some(value) => {
                        let message = format!("{value} is no index: the first is 0");
                        return self.refuse("compile.index", message);
                    }
                    None => Step::Computed(index),
                };
                self.step(base, step)
            }
            Expression::Unary { op, expr } => {
                let value = self.value(frame, *expr)?;
                self.at(function.expressions.get_span(handle));
                self.unary(*op, value, self.kind(frame, *expr))
            }
            Expression::Binary { op, left, right } => {
                let (a, b) = (self.value(frame, *left)?, self.value(frame, *right)?);
                self.at(function.expressions.get_span(handle));
                let kind = self.kind(frame, *left);
                self.binary(*op, a, b, kind)
            }
            Expression::Select { condition, accept, reject } => {
                let condition = self.lanes(frame, *condition)?;
                let (accept, reject) = (self.value(frame, *accept)?, self.value(frame, *reject)?);
                self.at(function.expressions.get_span(handle));
                self.select(&condition, accept, reject)
            }
            Expression::Relational { fun, argument } => {
                let lanes = self.lanes(frame, *argument)?;
                self.relational(*fun, &lanes)
            }
            Expression::Math { fun, arg, arg1, arg2, arg3 } => {
                let mut arguments: SmallVec<[Value; 4]> = smallvec![self.value(frame, *arg)?];
                for more in [arg1, arg2, arg3].into_iter().flatten() {
                    arguments.push(self.value(frame, *more)?);
                }
                self.at(function.expressions.get_span(handle));
                let kind = self.kind(frame, *arg);
                self.math(*fun, &arguments, kind)
            }
            Expression::As { expr, kind, convert } => {
                let value = self.value(frame, *expr)?;
                self.at(function.expressions.get_span(handle));
                let from = self.kind(frame, *expr);
                match convert {
                    Some(width) if *width > 4 && *kind == naga::ScalarKind::Float => {
                        Err(self.problem("compile.double", "this machine has no doubles: its numbers have 24 bits")
                            .note("use `float`, `vec` and `mat`"))
                    }
                    Some(_) => self.convert(value, from, Kind::of(*kind)),
                    None if Kind::of(*kind) == from => Ok(value),
                    None => Err(self
                        .problem("compile.bits", "the bits of a number cannot be read as those of another type (`floatBitsToInt`, `bitcast`)")
                        .note("the machine knows floats of 24 bits only; compute with values")),
                }
            }
            Expression::CallResult(_) => self.unexpected(),
            Expression::ImageSample { .. } | Expression::ImageLoad { .. } | Expression::ImageQuery { .. } => {
                Err(self
                    .problem("compile.texture", "a vertex program of this machine cannot read textures")
                    .note("put what the texture holds into attributes or into an array of uniforms"))
            }
            Expression::Derivative { .. } => self.refuse(
                "compile.unsupported",
                "`dFdx`, `dFdy` and `fwidth` exist between pixels, not between vertices",
            ),
            Expression::ArrayLength(_) => {
                self.refuse("compile.unsupported", "arrays need a constant length on this machine")
            }
            _ => self.refuse("compile.unsupported", "the machine has nothing for this operation"),
        }
    }

    /// A number that stands in the text.
    fn literal(&self, literal: Literal) -> Result<Value> {
        let number = match literal {
            Literal::F32(value) => value,
            Literal::F16(value) => value.to_f32(),
            Literal::AbstractFloat(value) => value as f32,
            Literal::I32(value) => return self.whole(i64::from(value)),
            Literal::U32(value) => return self.whole(i64::from(value)),
            Literal::I64(value) | Literal::AbstractInt(value) => return self.whole(value),
            Literal::U64(value) => return self.whole(i64::try_from(value).unwrap_or(i64::MAX)),
            Literal::I16(value) => return self.whole(i64::from(value)),
            Literal::U16(value) => return self.whole(i64::from(value)),
            Literal::Bool(value) => f32::from(u8::from(value)),
            Literal::F64(_) => {
                return Err(self
                    .problem("compile.double", "this machine has no doubles: its numbers have 24 bits")
                    .note("write the number with `f`, or use `float`"));
            }
        };
        Ok(Value::lane(Lane::constant(number)))
    }

    /// A whole number, which floats of 24 bits must hold. Larger ones may still be computed with as constants.
    fn whole(&self, value: i64) -> Result<Value> {
        let float = value as f32;
        if float as i64 != value {
            let message = format!(
                "{value} does not fit into the machine's numbers, which hold whole numbers up to 131072"
            );
            return self.refuse("compile.range", message);
        }
        Ok(Value::lane(Lane::constant(float)))
    }

    fn overridden(&mut self, handle: Handle<naga::Override>, depth: usize) -> Result<Value> {
        match self.module.overrides[handle].init {
            Some(init) => self.global_value(init, depth),
            None => Err(self
                .problem("compile.override", "this constant has no value")
                .note("give it one in the text: nothing sets it later on this machine")),
        }
    }

    /// What a constant expression of the module is.
    pub(super) fn global_value(&mut self, handle: Handle<Expression>, depth: usize) -> Result<Value> {
        if let Some(Some(value)) = self.constants.get(handle.index()) {
            return Ok(value.clone());
        }
        let Some(depth) = depth.checked_sub(1) else {
            return self.refuse("compile.nesting", "constants nest too deep");
        };
        let module = self.module;
        let value = match &module.global_expressions[handle] {
            Expression::Literal(literal) => self.literal(*literal)?,
            Expression::Constant(constant) => self.global_value(module.constants[*constant].init, depth)?,
            Expression::Override(handle) => self.overridden(*handle, depth)?,
            Expression::ZeroValue(ty) => zero(&Shape::of(module, *ty)?),
            Expression::Splat { size, value } => match self.global_value(*value, depth)? {
                Value::Vector(lanes) => {
                    Value::Vector(smallvec![lanes.first().copied().unwrap_or(Lane::ZERO); *size as usize])
                }
                _ => return self.unexpected(),
            },
            Expression::Compose { ty, components } => {
                let parts = components
                    .iter()
                    .map(|component| self.global_value(*component, depth))
                    .collect::<Result<_>>()?;
                self.compose(&Shape::of(module, *ty)?, parts)?
            }
            _ => return self.unexpected(),
        };
        if let Some(place) = self.constants.get_mut(handle.index()) {
            *place = Some(value.clone());
        }
        Ok(value)
    }

    /// A value out of its parts.
    fn compose(&mut self, shape: &Shape, parts: Vec<Value>) -> Result<Value> {
        match shape {
            Shape::Vector { width, .. } => {
                let mut lanes = Lanes::new();
                for part in &parts {
                    let Value::Vector(part) = part else { return self.unexpected() };
                    lanes.extend(part.iter().copied());
                }
                if lanes.len() != usize::from(*width) {
                    return self.unexpected();
                }
                Ok(Value::Vector(lanes))
            }
            Shape::Matrix { columns, rows } => {
                let mut lanes: Vec<Lane> = Vec::new();
                for part in &parts {
                    let Value::Vector(part) = part else { return self.unexpected() };
                    lanes.extend(part.iter().copied());
                }
                let rows = usize::from(*rows);
                if lanes.len() != rows * usize::from(*columns) {
                    return self.unexpected();
                }
                Ok(Value::Matrix(Matrix::Columns(lanes.chunks(rows.max(1)).map(Lanes::from_slice).collect())))
            }
            Shape::Array { .. } | Shape::Struct { .. } => Ok(Value::List(parts)),
        }
    }

    /// One step into a value or a pointer.
    fn step(&mut self, base: Value, step: Step) -> Result<Value> {
        match base {
            Value::Pointer(mut pointer) => {
                pointer.path.push(step);
                Ok(Value::Pointer(pointer))
            }
            other => self.within(&other, step),
        }
    }

    /// Truth of all or any components, and tests that the machine has nothing for.
    fn relational(&mut self, fun: naga::RelationalFunction, lanes: &Lanes) -> Result<Value> {
        use naga::RelationalFunction as Fun;
        let Some((&first, rest)) = lanes.split_first() else { return self.unexpected() };
        match fun {
            Fun::All => Ok(Value::lane(rest.iter().fold(first, |all, &lane| self.and(all, lane)))),
            Fun::Any => Ok(Value::lane(rest.iter().fold(first, |any, &lane| self.or(any, lane)))),
            Fun::IsNan | Fun::IsInf => Err(self
                .problem("compile.unsupported", "the machine cannot tell numbers from what is none")
                .note("guard the operation that could give it, as a division by zero")),
        }
    }

    /// Both.
    pub(super) fn and(&mut self, a: Lane, b: Lane) -> Lane {
        if a == b { a } else { self.builder.multiply_one(a, b) }
    }

    /// One at least.
    pub(super) fn or(&mut self, a: Lane, b: Lane) -> Lane {
        let either = self.builder.lanewise(Op::Max, &[smallvec![a], smallvec![b]]);
        either.first().copied().unwrap_or(a)
    }
}

fn pointer(root: Root) -> Value {
    Value::Pointer(Pointer { root, path: SmallVec::new() })
}

/// All zero.
pub(super) fn zero(shape: &Shape) -> Value {
    match shape {
        Shape::Vector { width, .. } => Value::Vector(smallvec![Lane::ZERO; usize::from(*width)]),
        Shape::Matrix { columns, rows } => Value::Matrix(Matrix::Columns(smallvec![
            smallvec![Lane::ZERO; usize::from(*rows)];
            usize::from(*columns)
        ])),
        Shape::Array { of, count } => Value::List(vec![zero(of); usize::from(*count)]),
        Shape::Struct { members } => Value::List(members.iter().map(|(_, shape)| zero(shape)).collect()),
    }
}
