//! Functions of whole vectors.

use super::super::arithmetic::mode;
use super::super::{Translator, Values};
use super::Arguments;
use super::math::one;
use unshade_glsl::tree::{Binary, Operation};
use unshade_glsl::types::Scalar;
use unshade_ir::{CompareFloat, Op, Value};

impl Translator<'_> {
    pub(super) fn vector_function(&mut self, operation: Operation, given: &Arguments) -> Option<Values> {
        let scalar = given.kind(0);
        let (a, b) = (given.all(0), given.all(1));
        Some(match operation {
            Operation::Dot => one(self.dot(scalar, a, b)),
            Operation::Length => one(self.length(scalar, a)),
            Operation::Distance => {
                let way = self.by_lane(Binary::Subtract, scalar, a, b);
                one(self.length(scalar, &way))
            }
            Operation::Normalize => match (scalar, a.len()) {
                (Scalar::Float, 2..=4) => {
                    self.count += 1;
                    self.code.values(Op::Normalize(a.len() as u8), a)
                }
                _ => {
                    let square = self.dot(scalar, a, a);
                    let factor = self.op(Op::FRsq(mode(scalar)), &[square]);
                    self.by_lane(Binary::Multiply, scalar, a, &[factor])
                }
            },
            Operation::Cross => {
                let mut values = Values::new();
                let args: Values = a.iter().chain(b).copied().collect();
                match scalar {
                    Scalar::Float => {
                        self.count += 1;
                        values = self.code.values(Op::Cross, &args);
                    }
                    _ => {
                        for (x, y) in [(1, 2), (2, 0), (0, 1)] {
                            let first = self.operate(Binary::Multiply, scalar, *a.get(x)?, *b.get(y)?);
                            let second = self.operate(Binary::Multiply, scalar, *a.get(y)?, *b.get(x)?);
                            values.push(self.operate(Binary::Subtract, scalar, first, second));
                        }
                    }
                }
                values
            }
            Operation::FaceForward => {
                let along = self.dot(scalar, given.all(2), b);
                let zero = self.number(scalar, 0.0);
                let against = self.op(Op::FCompare(CompareFloat::Lt, mode(scalar)), &[along, zero]);
                let turned = self.unary(unshade_glsl::tree::Unary::Negate, scalar, a);
                self.selected(against, a, &turned)
            }
            Operation::Reflect => {
                let along = self.dot(scalar, b, a);
                let two = self.number(scalar, 2.0);
                let twice = self.operate(Binary::Multiply, scalar, two, along);
                let way = self.by_lane(Binary::Multiply, scalar, b, &[twice]);
                self.by_lane(Binary::Subtract, scalar, a, &way)
            }
            Operation::Refract => self.refract(scalar, a, b, given.lane(2, 0)),
            Operation::Any => one(self.joined(Op::Or, a)?),
            Operation::All => one(self.joined(Op::And, a)?),
            _ => return None,
        })
    }

    fn joined(&mut self, op: Op, values: &[Value]) -> Option<Value> {
        let (first, rest) = values.split_first()?;
        Some(rest.iter().fold(*first, |before, value| self.op(op, &[before, *value])))
    }

    pub(super) fn dot(&mut self, scalar: Scalar, a: &[Value], b: &[Value]) -> Value {
        let pairs: Vec<_> = a.iter().copied().zip(b.iter().copied()).collect();
        self.sum_of_products(scalar, &pairs)
    }

    fn length(&mut self, scalar: Scalar, a: &[Value]) -> Value {
        match (scalar, a) {
            (Scalar::Float, [_, _, ..]) => self.op(Op::Length(a.len() as u8), a),
            (_, [a]) => self.op(Op::FAbs(super::super::arithmetic::width(scalar)), &[*a]),
            _ => {
                let square = self.dot(scalar, a, a);
                self.op(Op::FSqrt(mode(scalar)), &[square])
            }
        }
    }

    /// An operator lane by lane; one of the sides may be one scalar.
    pub(super) fn by_lane(&mut self, operation: Binary, scalar: Scalar, a: &[Value], b: &[Value]) -> Values {
        let mut values = Values::new();
        for lane in 0..a.len().max(b.len()) {
            self.lane(lane);
            let pick = |values: &[Value]| values.get(lane).or(values.first()).copied().unwrap_or_default();
            values.push(self.operate(operation, scalar, pick(a), pick(b)));
        }
        values
    }

    /// `k < 0 ? 0 : eta * i - (eta * dot(n, i) + sqrt(k)) * n` of `k = 1 - eta^2 * (1 - dot(n, i)^2)`.
    fn refract(&mut self, scalar: Scalar, i: &[Value], n: &[Value], eta: Value) -> Values {
        if scalar == Scalar::Float && (2..=3).contains(&i.len()) {
            let args: Values = i.iter().chain(n).copied().chain([eta]).collect();
            self.count += 1;
            return self.code.values(Op::Refract(i.len() as u8), &args);
        }
        let one = self.number(scalar, 1.0);
        let zero = self.number(scalar, 0.0);
        let along = self.dot(scalar, n, i);
        let square = self.operate(Binary::Multiply, scalar, along, along);
        let rest = self.operate(Binary::Subtract, scalar, one, square);
        let ratio = self.operate(Binary::Multiply, scalar, eta, eta);
        let bent = self.operate(Binary::Multiply, scalar, ratio, rest);
        let k = self.operate(Binary::Subtract, scalar, one, bent);
        let root = self.op(Op::FSqrt(mode(scalar)), &[k]);
        let part = self.operate(Binary::Multiply, scalar, eta, along);
        let factor = self.operate(Binary::Add, scalar, part, root);
        let first = self.by_lane(Binary::Multiply, scalar, i, &[eta]);
        let second = self.by_lane(Binary::Multiply, scalar, n, &[factor]);
        let way = self.by_lane(Binary::Subtract, scalar, &first, &second);
        let reflected = self.op(Op::FCompare(CompareFloat::Lt, mode(scalar)), &[k, zero]);
        let none = Values::from_elem(zero, i.len());
        self.selected(reflected, &none, &way)
    }
}
