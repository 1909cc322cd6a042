//! Expressions.

use super::{Answer, Frame, NoAnswer, Number, Run, Value, unknown, zero};
use naga::{
    BinaryOperator as Binary, Expression, Handle, Literal, RelationalFunction, ScalarKind, TypeInner,
    UnaryOperator,
};
use std::cmp::Ordering;

impl<'r> Run<'r> {
    pub(super) fn value(&mut self, frame: &mut Frame<'r>, handle: Handle<Expression>) -> Answer<Value> {
        match frame.values.get(handle.index()) {
            Some(Some(value)) => Ok(value.clone()),
            _ => self.evaluate(frame, handle),
        }
    }

    fn kind(&self, frame: &Frame<'r>, handle: Handle<Expression>) -> ScalarKind {
        let inner = self.parsed.info[frame.handle][handle].ty.inner_with(&self.parsed.module.types);
        inner.scalar().map_or(ScalarKind::Float, |scalar| scalar.kind)
    }

    pub(super) fn evaluate(&mut self, frame: &mut Frame<'r>, handle: Handle<Expression>) -> Answer<Value> {
        self.burn()?;
        let module = &self.parsed.module;
        Ok(match &frame.function.expressions[handle] {
            Expression::Literal(literal) => number(*literal)?,
            Expression::Constant(constant) => self.constant(module.constants[*constant].init, 64)?,
            Expression::ZeroValue(ty) => zero(module, *ty),
            Expression::Compose { ty, components } => {
                let mut parts = Vec::new();
                for component in components {
                    parts.push(self.value(frame, *component)?);
                }
                compose(&module.types[*ty].inner, parts)?
            }
            Expression::Splat { size, value } => match self.value(frame, *value)? {
                Value::Vector(lanes) => {
                    Value::Vector(vec![*lanes.first().ok_or(NoAnswer::Undecided)?; *size as usize])
                }
                other => return unknown(other),
            },
            Expression::Swizzle { size, vector, pattern } => match self.value(frame, *vector)? {
                Value::Vector(lanes) => {
                    let chosen =
                        pattern.iter().take(*size as usize).map(|at| lanes.get(*at as usize).copied());
                    Value::Vector(chosen.collect::<Option<_>>().ok_or(NoAnswer::Undecided)?)
                }
                other => return unknown(other),
            },
            Expression::FunctionArgument(index) => {
                let argument = frame.arguments.get(*index as usize).cloned();
                return argument.map_or_else(|| unknown("argument"), Ok);
            }
            Expression::GlobalVariable(global) => match self.globals.get(global.index()) {
                Some(Some(variable)) => Value::Pointer(*variable, Vec::new()),
                _ => return unknown("global"),
            },
            Expression::LocalVariable(local) => match frame.locals.get(local.index()) {
                Some(variable) => Value::Pointer(*variable, Vec::new()),
                None => return unknown("local"),
            },
            Expression::Load { pointer } => match self.value(frame, *pointer)? {
                Value::Pointer(variable, way) => {
                    let mut value = self.memory.get(variable).cloned().ok_or(NoAnswer::Undecided)?;
                    for step in way {
                        value = part(&value, step)?;
                    }
                    value
                }
                other => return unknown(other),
            },
            Expression::AccessIndex { base, index } => {
                let base = self.value(frame, *base)?;
                step(base, *index as usize)?
            }
            Expression::Access { base, index } => {
                let base = self.value(frame, *base)?;
                let Value::Vector(index) = self.value(frame, *index)? else { return unknown("index") };
                let index = index.first().map_or(-1.0, |index| index.value);
                if index < 0.0 {
                    return Err(NoAnswer::Undecided);
                }
                step(base, index as usize)?
            }
            Expression::Unary { op, expr } => {
                let value = self.value(frame, *expr)?;
                each(value, &mut |x| match op {
                    UnaryOperator::Negate => Ok(x.negate()),
                    UnaryOperator::LogicalNot => Ok(Number::truth(!x.is_true())),
                    UnaryOperator::BitwiseNot => Ok(Number::exact(-x.value - 1.0)),
                })?
            }
            Expression::Binary { op, left, right } => {
                let (a, b) = (self.value(frame, *left)?, self.value(frame, *right)?);
                let kind = self.kind(frame, *left);
                binary(*op, a, b, kind)?
            }
            Expression::Select { condition, accept, reject } => {
                let Value::Vector(condition) = self.value(frame, *condition)? else {
                    return unknown("select");
                };
                let (accept, reject) = (self.value(frame, *accept)?, self.value(frame, *reject)?);
                match (condition.as_slice(), accept, reject) {
                    ([one], accept, reject) => {
                        if one.is_true() {
                            accept
                        } else {
                            reject
                        }
                    }
                    (many, Value::Vector(accept), Value::Vector(reject)) => {
                        let lanes = many.iter().zip(accept).zip(reject);
                        Value::Vector(lanes.map(|((is, a), b)| if is.is_true() { a } else { b }).collect())
                    }
                    _ => return unknown("select"),
                }
            }
            Expression::Relational { fun, argument } => match self.value(frame, *argument)? {
                Value::Vector(lanes) => Value::Vector(vec![Number::truth(match fun {
                    RelationalFunction::All => lanes.iter().all(|lane| lane.is_true()),
                    RelationalFunction::Any => lanes.iter().any(|lane| lane.is_true()),
                    other => return unknown(other),
                })]),
                other => return unknown(other),
            },
            Expression::Math { fun, arg, arg1, arg2, arg3 } => {
                let mut arguments = vec![self.value(frame, *arg)?];
                for more in [arg1, arg2, arg3].into_iter().flatten() {
                    arguments.push(self.value(frame, *more)?);
                }
                super::functions::math(*fun, &arguments)?
            }
            Expression::As { expr, kind, .. } => {
                let from = self.kind(frame, *expr);
                let value = self.value(frame, *expr)?;
                each(value, &mut |x| match (from, kind) {
                    (ScalarKind::Float, ScalarKind::Sint | ScalarKind::Uint) => Ok(x.truncate()?),
                    (_, ScalarKind::Bool) if from != ScalarKind::Bool => {
                        Ok(Number::truth(x.compare(Number::exact(0.0))? != Ordering::Equal))
                    }
                    _ => Ok(x),
                })?
            }
            other => return unknown(other),
        })
    }

    /// A constant expression of the module.
    pub(super) fn constant(&mut self, handle: Handle<Expression>, depth: u32) -> Answer<Value> {
        let Some(depth) = depth.checked_sub(1) else { return unknown("constants nest") };
        let module = &self.parsed.module;
        Ok(match &module.global_expressions[handle] {
            Expression::Literal(literal) => number(*literal)?,
            Expression::Constant(constant) => self.constant(module.constants[*constant].init, depth)?,
            Expression::ZeroValue(ty) => zero(module, *ty),
            Expression::Splat { size, value } => match self.constant(*value, depth)? {
                Value::Vector(lanes) => {
                    Value::Vector(vec![*lanes.first().ok_or(NoAnswer::Undecided)?; *size as usize])
                }
                other => return unknown(other),
            },
            Expression::Compose { ty, components } => {
                let parts =
                    components.iter().map(|part| self.constant(*part, depth)).collect::<Answer<_>>()?;
                compose(&module.types[*ty].inner, parts)?
            }
            other => return unknown(other),
        })
    }
}

fn number(literal: Literal) -> Answer<Value> {
    let number = match literal {
        Literal::F32(value) => Number::constant(f64::from(value)),
        Literal::AbstractFloat(value) => Number::constant(value),
        Literal::I32(value) => Number::exact(f64::from(value)),
        Literal::U32(value) => Number::exact(f64::from(value)),
        Literal::AbstractInt(value) => Number::exact(value as f64),
        Literal::Bool(value) => Number::truth(value),
        other => return unknown(other),
    };
    Ok(Value::Vector(vec![number]))
}

fn compose(inner: &TypeInner, parts: Vec<Value>) -> Answer<Value> {
    let flat = |parts: Vec<Value>| -> Answer<Vec<Number>> {
        let mut all = Vec::new();
        for part in parts {
            match part {
                Value::Vector(lanes) => all.extend(lanes),
                other => return unknown(other),
            }
        }
        Ok(all)
    };
    Ok(match inner {
        TypeInner::Vector { .. } | TypeInner::Scalar(_) => Value::Vector(flat(parts)?),
        TypeInner::Matrix { rows, .. } => {
            Value::Matrix(flat(parts)?.chunks(*rows as usize).map(<[Number]>::to_vec).collect())
        }
        _ => Value::List(parts),
    })
}

fn step(base: Value, index: usize) -> Answer<Value> {
    match base {
        Value::Pointer(variable, mut way) => {
            way.push(index);
            Ok(Value::Pointer(variable, way))
        }
        other => part(&other, index),
    }
}

/// Indices outside are undefined.
fn part(value: &Value, index: usize) -> Answer<Value> {
    let found = match value {
        Value::Vector(lanes) => lanes.get(index).map(|lane| Value::Vector(vec![*lane])),
        Value::Matrix(columns) => columns.get(index).map(|column| Value::Vector(column.clone())),
        Value::List(list) => list.get(index).cloned(),
        Value::Pointer(..) => None,
    };
    found.ok_or(NoAnswer::Undecided)
}

/// Something of each number.
pub(super) fn each(value: Value, of: &mut impl FnMut(Number) -> Answer<Number>) -> Answer<Value> {
    Ok(match value {
        Value::Vector(lanes) => Value::Vector(lanes.into_iter().map(of).collect::<Answer<_>>()?),
        Value::Matrix(columns) => {
            let column = |lanes: Vec<Number>| lanes.into_iter().map(&mut *of).collect::<Answer<Vec<_>>>();
            Value::Matrix(columns.into_iter().map(column).collect::<Answer<_>>()?)
        }
        other => return unknown(other),
    })
}

fn binary(op: Binary, a: Value, b: Value, kind: ScalarKind) -> Answer<Value> {
    match (a, b) {
        (Value::Vector(a), Value::Vector(b)) => {
            let count = a.len().max(b.len());
            let at = |list: &[Number], lane: usize| {
                *list.get(lane).or(list.first()).unwrap_or(&Number::exact(0.0))
            };
            let lanes = (0..count).map(|lane| one(op, at(&a, lane), at(&b, lane), kind));
            Ok(Value::Vector(lanes.collect::<Answer<_>>()?))
        }
        (Value::Matrix(a), Value::Matrix(b)) if op == Binary::Multiply => {
            Ok(Value::Matrix(b.iter().map(|column| times(&a, column)).collect()))
        }
        (Value::Matrix(a), Value::Vector(b)) if op == Binary::Multiply && b.len() > 1 => {
            Ok(Value::Vector(times(&a, &b)))
        }
        (Value::Vector(a), Value::Matrix(b)) if op == Binary::Multiply && a.len() > 1 => {
            Ok(Value::Vector(b.iter().map(|column| super::functions::dot(&a, column)).collect()))
        }
        (Value::Matrix(a), Value::Matrix(b)) => {
            let columns =
                a.into_iter().zip(b).map(|(a, b)| binary(op, Value::Vector(a), Value::Vector(b), kind));
            matrix(columns)
        }
        (Value::Matrix(a), b) => matrix(a.into_iter().map(|a| binary(op, Value::Vector(a), b.clone(), kind))),
        (a, Value::Matrix(b)) => matrix(b.into_iter().map(|b| binary(op, a.clone(), Value::Vector(b), kind))),
        other => unknown(other),
    }
}

fn matrix(columns: impl Iterator<Item = Answer<Value>>) -> Answer<Value> {
    let column = |value: Answer<Value>| match value? {
        Value::Vector(lanes) => Ok(lanes),
        other => unknown(other),
    };
    Ok(Value::Matrix(columns.map(column).collect::<Answer<_>>()?))
}

fn times(columns: &[Vec<Number>], vector: &[Number]) -> Vec<Number> {
    let height = columns.first().map_or(0, Vec::len);
    let row = |row: usize| -> Vec<Number> {
        columns.iter().filter_map(|column| column.get(row).copied()).collect()
    };
    (0..height).map(|at| super::functions::dot(&row(at), vector)).collect()
}

fn one(op: Binary, a: Number, b: Number, kind: ScalarKind) -> Answer<Number> {
    let is_whole = matches!(kind, ScalarKind::Sint | ScalarKind::Uint);
    if is_whole {
        let (x, y) = (a.value, b.value);
        let exact = match op {
            Binary::Add => x + y,
            Binary::Subtract => x - y,
            Binary::Multiply => x * y,
            Binary::Divide | Binary::Modulo if y == 0.0 => return Err(NoAnswer::Undecided),
            Binary::Divide => (x / y).trunc(),
            Binary::Modulo => x - y * (x / y).trunc(),
            Binary::And => f64::from(x as i32 & y as i32),
            Binary::ShiftLeft => x * y.exp2(),
            Binary::ShiftRight => (x / y.exp2()).floor(),
            _ => return related(op, a, b),
        };
        let is_unsigned_below = kind == ScalarKind::Uint && exact < 0.0;
        // The machine's whole numbers end at 2^17, and division by reciprocals is exact only well below.
        let most = if matches!(op, Binary::Divide | Binary::Modulo) { 4096.0 } else { 65536.0 };
        if is_unsigned_below || [x, y, exact].iter().any(|value| value.abs() > most) {
            return Err(NoAnswer::Undecided);
        }
        return Ok(Number::exact(exact));
    }
    Ok(match op {
        Binary::Add => a.plus(b),
        Binary::Subtract => a.subtract(b),
        Binary::Multiply => a.multiply(b),
        Binary::Divide => a.multiply(b.reciprocal()?),
        Binary::Modulo => {
            let quotient = a.multiply(b.reciprocal()?).truncate()?;
            a.subtract(b.multiply(quotient))
        }
        _ => return related(op, a, b),
    }
    .checked()?)
}

fn related(op: Binary, a: Number, b: Number) -> Answer<Number> {
    Ok(Number::truth(match op {
        Binary::LogicalAnd | Binary::And => a.is_true() && b.is_true(),
        Binary::LogicalOr | Binary::InclusiveOr => a.is_true() || b.is_true(),
        Binary::ExclusiveOr => a.is_true() != b.is_true(),
        Binary::Equal => a.compare(b)? == Ordering::Equal,
        Binary::NotEqual => a.compare(b)? != Ordering::Equal,
        Binary::Less => a.compare(b)? == Ordering::Less,
        Binary::LessEqual => a.compare(b)? != Ordering::Greater,
        Binary::Greater => a.compare(b)? == Ordering::Greater,
        Binary::GreaterEqual => a.compare(b)? != Ordering::Less,
        other => return unknown(other),
    }))
}
