//! Built-in functions, from their definitions in the languages.

use super::{Answer, NoAnswer, Number, Value, expression::each, unknown};
use naga::MathFunction as Fun;
use std::cmp::Ordering;

/// How far polynomials for angles may be off.
const ANGLE: f64 = 3e-5;

/// The last place of the machine's numbers.
const EPSILON: f64 = 1.0 / 65536.0;

fn lanes(value: Option<&Value>) -> Answer<Vec<Number>> {
    match value {
        Some(Value::Vector(lanes)) => Ok(lanes.clone()),
        other => unknown(other),
    }
}

/// The scalar product.
pub(super) fn dot(a: &[Number], b: &[Number]) -> Number {
    let products: Vec<Number> = a.iter().zip(b).map(|(a, b)| a.multiply(*b)).collect();
    let sum = products.iter().fold(Number::exact(0.0), |sum, product| sum.plus(*product));
    // In another order other parts are rounded.
    let scale: f64 = products.iter().map(|product| product.value.abs()).sum();
    let finest =
        products.iter().map(|product| super::number::finest(product.value)).fold(f64::INFINITY, f64::min);
    if scale > finest * 131_072.0 { Number { error: sum.error.max(scale * EPSILON), ..sum } } else { sum }
}

fn inverse_root(x: Number) -> Answer<Number> {
    let x = x.checked()?;
    if x.value <= 8.0 * x.error || x.value <= 0.0 {
        return Err(NoAnswer::Undecided);
    }
    let value = 1.0 / x.value.sqrt();
    Ok(x.of(value, 0.5 * value / x.value, 0.0)?)
}

pub(super) fn math(fun: Fun, arguments: &[Value]) -> Answer<Value> {
    if let Some(value) = matrices(fun, arguments)? {
        return Ok(value);
    }
    let a = lanes(arguments.first())?;
    let width = a.len();
    let one = |index: usize, lane: usize| -> Answer<Number> {
        let list = lanes(arguments.get(index))?;
        list.get(lane).or(list.first()).copied().ok_or(NoAnswer::Undecided)
    };
    let zero = Number::exact(0.0);
    let unit = Number::exact(1.0);
    let single = |of: &dyn Fn(Number) -> Answer<Number>| each(Value::Vector(a.clone()), &mut |x| of(x));
    let pairs = |of: &dyn Fn(Number, Number) -> Answer<Number>| -> Answer<Value> {
        let all = (0..width).map(|lane| of(one(0, lane)?, one(1, lane)?));
        Ok(Value::Vector(all.collect::<Answer<_>>()?))
    };
    let triples = |of: &dyn Fn(Number, Number, Number) -> Answer<Number>| -> Answer<Value> {
        let all = (0..width).map(|lane| of(one(0, lane)?, one(1, lane)?, one(2, lane)?));
        Ok(Value::Vector(all.collect::<Answer<_>>()?))
    };
    let clamp = |x: Number, low: Number, high: Number| x.max(low).min(high);
    match fun {
        Fun::Abs => single(&|x| Ok(Number { value: x.value.abs(), error: x.error })),
        Fun::Min => pairs(&|a, b| Ok(a.min(b))),
        Fun::Max => pairs(&|a, b| Ok(a.max(b))),
        Fun::Clamp => triples(&|x, low, high| Ok(clamp(x, low, high))),
        Fun::Saturate => single(&|x| Ok(clamp(x, zero, unit))),
        Fun::Floor => single(&|x| Ok(x.floor()?)),
        Fun::Ceil => single(&|x| Ok(x.negate().floor()?.negate())),
        Fun::Trunc => single(&|x| Ok(x.truncate()?)),
        Fun::Round => single(&|x| {
            let (low, high) = ((x.value - x.error).round_ties_even(), (x.value + x.error).round_ties_even());
            // On the middle either is right in GLSL.
            if low == high { Ok(Number::exact(low)) } else { Err(NoAnswer::Undecided) }
        }),
        Fun::Fract => single(&|x| Ok(x.subtract(x.floor()?))),
        Fun::Sign => single(&|x| {
            Ok(Number::exact(match x.compare(zero)? {
                Ordering::Less => -1.0,
                Ordering::Equal => 0.0,
                Ordering::Greater => 1.0,
            }))
        }),
        Fun::Sqrt => single(&|x| Ok(x.root()?)),
        Fun::InverseSqrt => single(&inverse_root),
        Fun::Exp2 => single(&|x| Ok(x.exp2()?)),
        Fun::Log2 => single(&|x| Ok(x.log2()?)),
        Fun::Exp => single(&|x| Ok(x.multiply(Number::constant(std::f64::consts::LOG2_E)).exp2()?)),
        Fun::Log => single(&|x| Ok(x.log2()?.multiply(Number::constant(std::f64::consts::LN_2)))),
        Fun::Pow => pairs(&|a, b| match b.value {
            1.0 | 2.0 if b.error == 0.0 && a.value <= 0.0 => Err(NoAnswer::Undecided),
            _ => Ok(a.log2()?.multiply(b).exp2()?),
        }),
        Fun::Radians => single(&|x| Ok(x.multiply(Number::constant(std::f64::consts::PI / 180.0)))),
        Fun::Degrees => single(&|x| Ok(x.multiply(Number::constant(180.0 / std::f64::consts::PI)))),
        Fun::Sin => single(&|x| Ok(x.of(x.value.sin(), 1.0, ANGLE * (1.0 + x.value.abs()))?)),
        Fun::Cos => single(&|x| Ok(x.of(x.value.cos(), 1.0, ANGLE * (1.0 + x.value.abs()))?)),
        Fun::Tan => single(&|x| {
            let off = ANGLE * (1.0 + x.value.abs());
            let (sine, cosine) = (x.of(x.value.sin(), 1.0, off)?, x.of(x.value.cos(), 1.0, off)?);
            Ok(sine.multiply(cosine.reciprocal()?))
        }),
        Fun::Asin | Fun::Acos => single(&|x| {
            if x.value.abs() + x.error >= 0.999 {
                return Err(NoAnswer::Undecided);
            }
            let slope = 1.0 / (1.0 - x.value * x.value).sqrt();
            let value = if fun == Fun::Asin { x.value.asin() } else { x.value.acos() };
            Ok(x.of(value, slope, ANGLE * (1.0 + slope))?)
        }),
        Fun::Atan => single(&|x| Ok(x.of(x.value.atan(), 1.0, ANGLE)?)),
        Fun::Atan2 => pairs(&|y, x| {
            let far = y.value.hypot(x.value);
            let close = y.error + x.error;
            // Across the negative axis the angle jumps.
            if far <= 16.0 * close || far == 0.0 || (x.value < x.error && y.value.abs() <= y.error) {
                return Err(NoAnswer::Undecided);
            }
            Ok(Number { value: y.value.atan2(x.value), error: 2.0 * close / far + 2.0 * ANGLE })
        }),
        Fun::Sinh | Fun::Cosh | Fun::Tanh => single(&|x| {
            let grown = x.multiply(Number::constant(std::f64::consts::LOG2_E)).exp2()?;
            let shrunk = x.negate().multiply(Number::constant(std::f64::consts::LOG2_E)).exp2()?;
            let (sum, difference) = (grown.plus(shrunk), grown.subtract(shrunk));
            let half = Number::exact(0.5);
            Ok(match fun {
                Fun::Sinh => difference.multiply(half),
                Fun::Cosh => sum.multiply(half),
                _ => difference.multiply(sum.reciprocal()?),
            })
        }),
        Fun::Dot => Ok(Value::Vector(vec![dot(&a, &lanes(arguments.get(1))?)])),
        Fun::Cross => {
            let b = lanes(arguments.get(1))?;
            let ([ax, ay, az], [bx, by, bz]) = (a.as_slice(), b.as_slice()) else { return unknown("cross") };
            let part =
                |a: &Number, b: &Number, c: &Number, d: &Number| a.multiply(*b).subtract(c.multiply(*d));
            Ok(Value::Vector(vec![part(ay, bz, az, by), part(az, bx, ax, bz), part(ax, by, ay, bx)]))
        }
        Fun::Length => Ok(Value::Vector(vec![dot(&a, &a).root()?])),
        Fun::Distance => {
            let b = lanes(arguments.get(1))?;
            let way: Vec<Number> = a.iter().zip(&b).map(|(a, b)| a.subtract(*b)).collect();
            Ok(Value::Vector(vec![dot(&way, &way).root()?]))
        }
        Fun::Normalize => {
            let inverse = inverse_root(dot(&a, &a))?;
            single(&|x| Ok(x.multiply(inverse)))
        }
        Fun::FaceForward => {
            let side = dot(&lanes(arguments.get(1))?, &lanes(arguments.get(2))?);
            let turns = side.compare(zero)? != Ordering::Less;
            single(&|x| Ok(if turns { x.negate() } else { x }))
        }
        Fun::Reflect => {
            let normal = lanes(arguments.get(1))?;
            let twice = dot(&normal, &a).multiply(Number::exact(2.0));
            let all = a.iter().zip(&normal).map(|(i, n)| i.subtract(n.multiply(twice)));
            Ok(Value::Vector(all.collect()))
        }
        Fun::Refract => {
            let normal = lanes(arguments.get(1))?;
            let eta = one(2, 0)?;
            let along = dot(&normal, &a);
            let k = unit.subtract(eta.multiply(eta).multiply(unit.subtract(along.multiply(along))));
            if k.compare(zero)? == Ordering::Less {
                return single(&|_| Ok(zero));
            }
            let factor = eta.multiply(along).plus(k.root()?);
            let all = a.iter().zip(&normal).map(|(i, n)| i.multiply(eta).subtract(n.multiply(factor)));
            Ok(Value::Vector(all.collect()))
        }
        Fun::Fma => triples(&|a, b, c| Ok(a.multiply(b).plus(c))),
        // Other forms, as a + t (b - a), are as good, and off by the last place of the larger one.
        Fun::Mix => triples(&|a, b, t| {
            let mixed = a.multiply(unit.subtract(t)).plus(b.multiply(t));
            let off = (a.value.abs() + b.value.abs()) * EPSILON + (a.error + b.error) * (1.0 + t.value.abs());
            Ok(Number { value: mixed.value, error: mixed.error + off })
        }),
        Fun::Step => pairs(&|edge, x| Ok(Number::truth(x.compare(edge)? != Ordering::Less))),
        Fun::SmoothStep => {
            let x = lanes(arguments.get(2))?;
            let all = (0..x.len()).map(|lane| {
                let (low, high, x) = (one(0, lane)?, one(1, lane)?, one(2, lane)?);
                let t = clamp(x.subtract(low).multiply(high.subtract(low).reciprocal()?), zero, unit);
                Ok(t.multiply(t).multiply(Number::exact(3.0).subtract(t.multiply(Number::exact(2.0)))))
            });
            Ok(Value::Vector(all.collect::<Answer<_>>()?))
        }
        other => unknown(other),
    }
}

fn matrices(fun: Fun, arguments: &[Value]) -> Answer<Option<Value>> {
    if fun == Fun::Outer {
        let (a, b) = (lanes(arguments.first())?, lanes(arguments.get(1))?);
        let column = |factor: &Number| a.iter().map(|a| a.multiply(*factor)).collect();
        return Ok(Some(Value::Matrix(b.iter().map(column).collect())));
    }
    let Some(Value::Matrix(columns)) = arguments.first() else { return Ok(None) };
    Ok(Some(match fun {
        Fun::Transpose => {
            let height = columns.first().map_or(0, Vec::len);
            let row = |row: usize| columns.iter().filter_map(|column| column.get(row).copied()).collect();
            Value::Matrix((0..height).map(row).collect())
        }
        Fun::Determinant => Value::Vector(vec![determinant(columns)]),
        Fun::Inverse => {
            let size = columns.len();
            let scale = determinant(columns).reciprocal()?;
            // The matrix without a column and a row.
            let without = |column: usize, row: usize| -> Vec<Vec<Number>> {
                let kept = columns.iter().enumerate().filter(|(at, _)| *at != column);
                let rest = |lanes: &Vec<Number>| {
                    lanes.iter().enumerate().filter(|(at, _)| *at != row).map(|(_, lane)| *lane).collect()
                };
                kept.map(|(_, lanes)| rest(lanes)).collect()
            };
            let cofactor = |column: usize, row: usize| {
                let minor = determinant(&without(row, column));
                let signed = if (row + column) % 2 == 1 { minor.negate() } else { minor };
                signed.multiply(scale)
            };
            Value::Matrix(
                (0..size).map(|column| (0..size).map(|row| cofactor(column, row)).collect()).collect(),
            )
        }
        other => return unknown(other),
    }))
}

fn determinant(columns: &[Vec<Number>]) -> Number {
    let Some((first, rest)) = columns.split_first() else { return Number::exact(1.0) };
    let mut sum = Number::exact(0.0);
    for (row, factor) in first.iter().enumerate() {
        let without: Vec<Vec<Number>> = rest
            .iter()
            .map(|lanes| {
                lanes.iter().enumerate().filter(|(at, _)| *at != row).map(|(_, lane)| *lane).collect()
            })
            .collect();
        let product = factor.multiply(determinant(&without));
        sum = sum.plus(if row % 2 == 1 { product.negate() } else { product });
    }
    sum
}
