//! Built-in functions of constants. Results are those of doubles, rounded; functions that are not here stay calls.

use super::Checker;
use super::value::{as_float, as_integer, float, integer};
use crate::builtins::Operation as Do;
use crate::tree::{Constant, ExpressionId, Value};
use crate::types::{Scalar, Type};

impl Checker<'_> {
    pub(super) fn fold_call(&self, operation: Do, given: &[ExpressionId], result: Type) -> Option<Constant> {
        let arguments: Option<Vec<&Constant>> = given.iter().map(|value| self.value(*value)).collect();
        let arguments = arguments.filter(|list| !list.is_empty())?;
        let scalar = result.scalar()?;
        let count = usize::from(result.components()?);
        let values = whole(operation, &arguments, scalar).or_else(|| {
            let pick = |constant: &Constant, at: usize| {
                constant.values.get(if constant.values.len() == 1 { 0 } else { at }).copied()
            };
            (0..count)
                .map(|at| {
                    let operands: Option<Vec<Value>> =
                        arguments.iter().map(|argument| pick(argument, at)).collect();
                    component(operation, &operands?, scalar)
                })
                .collect()
        })?;
        (values.len() == count).then(|| Constant { ty: result, values: values.into() })
    }
}

/// Functions of whole vectors.
fn whole(operation: Do, arguments: &[&Constant], scalar: Scalar) -> Option<Vec<Value>> {
    let floats = |at: usize| -> Option<Vec<f64>> {
        arguments.get(at)?.values.iter().map(|value| as_float(*value)).collect()
    };
    let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
    let one = |value: f64| Some(vec![float(value, scalar)]);
    let all = |values: Vec<f64>| Some(values.into_iter().map(|value| float(value, scalar)).collect());
    match operation {
        Do::Length => one(libm::sqrt(dot(&floats(0)?, &floats(0)?))),
        Do::Distance => {
            let difference: Vec<f64> = floats(0)?.iter().zip(floats(1)?).map(|(a, b)| a - b).collect();
            one(libm::sqrt(dot(&difference, &difference)))
        }
        Do::Dot => one(dot(&floats(0)?, &floats(1)?)),
        Do::Normalize => {
            let vector = floats(0)?;
            let length = libm::sqrt(dot(&vector, &vector));
            match length > 0.0 {
                true => all(vector.iter().map(|value| value / length).collect()),
                false => None,
            }
        }
        Do::Cross => match (floats(0)?.as_slice(), floats(1)?.as_slice()) {
            ([a, b, c], [x, y, z]) => all(vec![b * z - c * y, c * x - a * z, a * y - b * x]),
            _ => None,
        },
        Do::Reflect => {
            let (incident, normal) = (floats(0)?, floats(1)?);
            let twice = 2.0 * dot(&normal, &incident);
            all(incident.iter().zip(&normal).map(|(i, n)| i - twice * n).collect())
        }
        Do::FaceForward => {
            let sign = if dot(&floats(2)?, &floats(1)?) < 0.0 { 1.0 } else { -1.0 };
            all(floats(0)?.iter().map(|value| value * sign).collect())
        }
        Do::Any | Do::All => {
            let truths = arguments.first()?.values.iter().map(|value| *value == Value::Bool(true));
            let value = if operation == Do::Any {
                truths.into_iter().any(|v| v)
            } else {
                truths.into_iter().all(|v| v)
            };
            Some(vec![Value::Bool(value)])
        }
        Do::Transpose => {
            let Type::Matrix(_, columns, rows) = arguments.first()?.ty else { return None };
            let (columns, rows) = (usize::from(columns), usize::from(rows));
            let values = &arguments.first()?.values;
            (0..rows)
                .flat_map(|row| (0..columns).map(move |column| values.get(column * rows + row).copied()))
                .collect()
        }
        Do::OuterProduct => {
            let (column, row) = (floats(0)?, floats(1)?);
            all(row.iter().flat_map(|r| column.iter().map(move |c| c * r)).collect())
        }
        _ => None,
    }
}

/// Functions that work by component.
fn component(operation: Do, operands: &[Value], scalar: Scalar) -> Option<Value> {
    let [a, b, c] = [0, 1, 2].map(|at| operands.get(at).copied());
    let first = a?;
    match operation {
        Do::Not => {
            return match first {
                Value::Bool(value) => Some(Value::Bool(!value)),
                _ => None,
            };
        }
        Do::MixBool => return if c? == Value::Bool(true) { b } else { a },
        Do::EqualTo => return Some(Value::Bool(first == b?)),
        Do::NotEqualTo => return Some(Value::Bool(first != b?)),
        Do::Bitcast => return bits(first, scalar),
        _ => {}
    }
    if let Some(x) = as_float(first) {
        let y = b.and_then(as_float);
        let z = c.and_then(as_float);
        let truth = |value: bool| Some(Value::Bool(value));
        let value = match operation {
            Do::LessThan => return truth(x < y?),
            Do::LessThanEqual => return truth(x <= y?),
            Do::GreaterThan => return truth(x > y?),
            Do::GreaterThanEqual => return truth(x >= y?),
            Do::IsNan => return truth(x.is_nan()),
            Do::IsInf => return truth(x.is_infinite()),
            Do::Radians => x * (std::f64::consts::PI / 180.0),
            Do::Degrees => x * (180.0 / std::f64::consts::PI),
            Do::Sin => libm::sin(x),
            Do::Cos => libm::cos(x),
            Do::Tan => libm::tan(x),
            Do::Asin => libm::asin(x),
            Do::Acos => libm::acos(x),
            Do::Atan => libm::atan(x),
            Do::Atan2 => libm::atan2(x, y?),
            Do::Sinh => libm::sinh(x),
            Do::Cosh => libm::cosh(x),
            Do::Tanh => libm::tanh(x),
            Do::Asinh => libm::asinh(x),
            Do::Acosh => libm::acosh(x),
            Do::Atanh => libm::atanh(x),
            Do::Pow => libm::pow(x, y?),
            Do::Exp => libm::exp(x),
            Do::Log => libm::log(x),
            Do::Exp2 => libm::exp2(x),
            Do::Log2 => libm::log2(x),
            Do::Sqrt => libm::sqrt(x),
            Do::InverseSqrt => 1.0 / libm::sqrt(x),
            Do::Abs => x.abs(),
            Do::Sign => match x {
                _ if x > 0.0 => 1.0,
                _ if x < 0.0 => -1.0,
                _ => 0.0,
            },
            Do::Floor => libm::floor(x),
            Do::Trunc => libm::trunc(x),
            Do::Round | Do::RoundEven => libm::rint(x),
            Do::Ceil => libm::ceil(x),
            Do::Fract => x - libm::floor(x),
            Do::Mod => x - y? * libm::floor(x / y?),
            Do::Min => {
                if y? < x {
                    y?
                } else {
                    x
                }
            }
            Do::Max => {
                if x < y? {
                    y?
                } else {
                    x
                }
            }
            Do::Clamp => x.max(y?).min(z?),
            Do::Mix => x * (1.0 - z?) + y? * z?,
            Do::Step => f64::from(u8::from(y? >= x)),
            Do::SmoothStep => {
                let t = ((z? - x) / (y? - x)).clamp(0.0, 1.0);
                t * t * (3.0 - 2.0 * t)
            }
            Do::Fma => libm::fma(x, y?, z?),
            Do::Ldexp => {
                let exponent = i32::try_from(as_integer(b?)?).ok()?;
                libm::scalbn(x, exponent)
            }
            Do::MatrixComponentMultiply => x * y?,
            _ => return None,
        };
        return scalar.is_float().then(|| float(value, scalar));
    }
    let x = as_integer(first)?;
    let y = b.and_then(as_integer);
    let z = c.and_then(as_integer);
    let truth = |value: bool| Some(Value::Bool(value));
    let value = match operation {
        Do::LessThan => return truth(x < y?),
        Do::LessThanEqual => return truth(x <= y?),
        Do::GreaterThan => return truth(x > y?),
        Do::GreaterThanEqual => return truth(x >= y?),
        Do::Abs => x.abs(),
        Do::Sign => x.signum(),
        Do::Min => x.min(y?),
        Do::Max => x.max(y?),
        Do::Clamp => x.max(y?).min(z?),
        Do::BitCount => {
            let mask =
                if matches!(first, Value::Int(_) | Value::Uint(_)) { 0xffff_ffff } else { return None };
            i128::from((x & mask).count_ones())
        }
        Do::FindLsb => match x & 0xffff_ffff {
            0 => -1,
            bits => i128::from(bits.trailing_zeros()),
        },
        _ => return None,
    };
    Some(integer(value, scalar))
}

/// The same bits as another kind.
fn bits(value: Value, scalar: Scalar) -> Option<Value> {
    match (value, scalar) {
        (Value::Float(value), Scalar::Int | Scalar::Uint) => {
            Some(integer(i128::from((value as f32).to_bits()), scalar))
        }
        (Value::Float(value), Scalar::Int64 | Scalar::Uint64) => {
            Some(integer(i128::from(value.to_bits()), scalar))
        }
        (Value::Int(_) | Value::Uint(_), Scalar::Float) => {
            let bits = as_integer(value)? as u32;
            let number = f32::from_bits(bits);
            // The bits of a NaN would not come back.
            (!number.is_nan()).then(|| Value::Float(f64::from(number)))
        }
        (Value::Int(_) | Value::Uint(_), Scalar::Double) => {
            let number = f64::from_bits(as_integer(value)? as u64);
            (!number.is_nan()).then_some(Value::Float(number))
        }
        _ => None,
    }
}
