//! Built-in functions.

use super::{
    Walk,
    shape::Kind,
    value::{Matrix, Value},
};
use crate::vector::{Lane, Lanes, Op, Relation};
use naga::MathFunction as Fun;
use smallvec::{SmallVec, smallvec};
use std::f32::consts::{LN_2, LOG2_E};
use unshade_bytes::problem::Result;

impl Walk<'_> {
    /// A built-in function of these arguments, whose first has components of this kind.
    pub(super) fn math(&mut self, fun: Fun, arguments: &[Value], kind: Kind) -> Result<Value> {
        if let Some(value) = self.matrix_function(fun, arguments)? {
            return Ok(value);
        }
        let mut lists: SmallVec<[Lanes; 4]> = SmallVec::new();
        for argument in arguments {
            let Value::Vector(lanes) = argument else { return self.unexpected() };
            lists.push(lanes.clone());
        }
        let nothing = Lanes::new();
        let list = |index: usize| lists.get(index).unwrap_or(&nothing).clone();
        let (a, b, c) = (list(0), list(1), list(2));
        let width = a.len();
        let full = |lanes: &Lanes| -> Lanes {
            match lanes.first() {
                Some(&lane) if lanes.len() == 1 => smallvec![lane; width],
                _ => lanes.clone(),
            }
        };
        let splat = |value: f32| -> Lanes { smallvec![Lane::constant(value); width] };
        Ok(Value::Vector(match fun {
            Fun::Abs => self.absolute(&a),
            Fun::Min => self.builder.lanewise(Op::Min, &[a, full(&b)]),
            Fun::Max => self.builder.lanewise(Op::Max, &[a, full(&b)]),
            Fun::Clamp => self.clamp(a, full(&b), full(&c)),
            Fun::Saturate => self.clamp(a, splat(0.0), splat(1.0)),
            Fun::Floor => self.builder.lanewise(Op::Floor, &[a]),
            Fun::Ceil => negated(self.builder.lanewise(Op::Floor, &[negated(a)])),
            Fun::Trunc => self.builder.lanewise(Op::Truncate, &[a]),
            Fun::Round => self.round(a),
            Fun::Fract => {
                let floor = self.builder.lanewise(Op::Floor, std::slice::from_ref(&a));
                self.subtract(a, floor)
            }
            Fun::Sign => self.sign(&a),
            Fun::Sqrt => self.each(&a, Self::root),
            Fun::InverseSqrt => self.each(&a, |walk, lane| walk.builder.scalar(Op::ReciprocalRoot, lane)),
            Fun::Exp2 => self.each(&a, |walk, lane| walk.builder.scalar(Op::Exp2, lane)),
            Fun::Log2 => self.each(&a, |walk, lane| walk.builder.scalar(Op::Log2, lane)),
            Fun::Exp => {
                let scaled = self.builder.lanewise(Op::Mul, &[a, splat(LOG2_E)]);
                self.each(&scaled, |walk, lane| walk.builder.scalar(Op::Exp2, lane))
            }
            Fun::Log => {
                let logarithms = self.each(&a, |walk, lane| walk.builder.scalar(Op::Log2, lane));
                self.builder.lanewise(Op::Mul, &[logarithms, splat(LN_2)])
            }
            Fun::Pow => self.power(&a, &full(&b)),
            Fun::Dot => smallvec![self.builder.dot(&a, &b)],
            Fun::Cross => self.cross(&a, &b),
            Fun::Length => smallvec![self.length(&a)],
            Fun::Distance => {
                let way = self.subtract(a, b);
                smallvec![self.length(&way)]
            }
            Fun::Normalize => self.normalize(a),
            Fun::FaceForward => {
                let side = self.builder.dot(&b, &c);
                let behind = self
                    .builder
                    .lanewise(Op::Compare(Relation::Lt), &[smallvec![side], smallvec![Lane::ZERO]]);
                let turned = negated(a.clone());
                return self.select(&behind, Value::Vector(a), Value::Vector(turned));
            }
            Fun::Reflect => self.reflect(a, b),
            Fun::Refract => return self.refract(a, b, c.first().copied().unwrap_or(Lane::ONE)),
            Fun::Fma => {
                let product = self.builder.lanewise(Op::Mul, &[a, b]);
                self.builder.lanewise(Op::Add, &[product, c])
            }
            Fun::Mix => self.mix(a, b, full(&c)),
            Fun::Step => {
                let x = b;
                self.builder.lanewise(Op::Compare(Relation::Ge), &[x, a])
            }
            Fun::SmoothStep => self.smooth_step(a, b, c),
            Fun::Radians => self.builder.lanewise(Op::Mul, &[a, splat(std::f32::consts::PI / 180.0)]),
            Fun::Degrees => self.builder.lanewise(Op::Mul, &[a, splat(180.0 / std::f32::consts::PI)]),
            Fun::Sin => self.sine(&a),
            Fun::Cos => self.cosine(&a),
            Fun::Tan => {
                let (sine, cosine) = (self.sine(&a), self.cosine(&a));
                self.divide(sine, &cosine)
            }
            Fun::Asin => self.arc_sine(&a)?,
            Fun::Acos => {
                let sine = self.arc_sine(&a)?;
                self.subtract(splat(std::f32::consts::FRAC_PI_2), sine)
            }
            Fun::Atan => self.arc_tangent(&a),
            Fun::Atan2 => self.arc_tangent_of(&a, &b)?,
            Fun::Sinh | Fun::Cosh | Fun::Tanh => self.hyperbolic(fun, a),
            Fun::QuantizeToF16
            | Fun::Modf
            | Fun::Frexp
            | Fun::Ldexp
            | Fun::Asinh
            | Fun::Acosh
            | Fun::Atanh => {
                let message = format!("the machine has nothing for `{}`", name(fun));
                return Err(self
                    .problem("compile.unsupported", message)
                    .note("compute it from `exp2`, `log2`, `inversesqrt` and sums, or on the CPU"));
            }
            _ if kind.is_whole() || matches!(kind, Kind::Float) => {
                let message = format!(
                    "the machine has no bits to work on with `{}`: its numbers are floats",
                    name(fun)
                );
                return Err(self
                    .problem("compile.bits", message)
                    .note("give the parts as attributes of their own, which the machine unpacks"));
            }
            _ => return self.unexpected(),
        }))
    }

    /// A function of one number for each component.
    pub(super) fn each(&mut self, lanes: &Lanes, mut of: impl FnMut(&mut Self, Lane) -> Lane) -> Lanes {
        lanes.iter().map(|&lane| of(self, lane)).collect()
    }

    fn clamp(&mut self, x: Lanes, low: Lanes, high: Lanes) -> Lanes {
        let raised = self.builder.lanewise(Op::Max, &[x, low]);
        self.builder.lanewise(Op::Min, &[raised, high])
    }

    /// To the nearest whole number; from the middle to the even one.
    fn round(&mut self, x: Lanes) -> Lanes {
        let width = x.len();
        let splat = |value: f32| -> Lanes { smallvec![Lane::constant(value); width] };
        let raised = self.builder.lanewise(Op::Add, &[x, splat(0.5)]);
        let up = self.builder.lanewise(Op::Floor, std::slice::from_ref(&raised));
        // From the middle it went up, which is wrong for odd results.
        let is_middle = self.builder.lanewise(Op::Compare(Relation::Eq), &[up.clone(), raised]);
        let half = self.builder.lanewise(Op::Mul, &[up.clone(), splat(0.5)]);
        let floor = self.builder.lanewise(Op::Floor, std::slice::from_ref(&half));
        let is_odd = self.builder.lanewise(Op::Compare(Relation::Ne), &[half, floor]);
        let back = self.builder.lanewise(Op::Mul, &[is_middle, is_odd]);
        self.subtract(up, back)
    }

    fn sign(&mut self, x: &Lanes) -> Lanes {
        let zeros: Lanes = smallvec![Lane::ZERO; x.len()];
        let above = self.builder.lanewise(Op::Compare(Relation::Gt), &[x.clone(), zeros.clone()]);
        let below = self.builder.lanewise(Op::Compare(Relation::Lt), &[x.clone(), zeros]);
        self.subtract(above, below)
    }

    /// sqrt(x): the machine has 1/sqrt(x), and 1/x of infinity is 0.
    pub(super) fn root(&mut self, x: Lane) -> Lane {
        if let Some(x) = x.value().filter(|x| *x >= 0.0) {
            return Lane::constant(x.sqrt());
        }
        let inverse = self.builder.scalar(Op::ReciprocalRoot, x);
        self.builder.scalar(Op::Reciprocal, inverse)
    }

    fn power(&mut self, a: &Lanes, b: &Lanes) -> Lanes {
        let pairs: SmallVec<[(Lane, Lane); 4]> = a.iter().copied().zip(b.iter().copied()).collect();
        let logarithm = |walk: &mut Self, a: Lane, b: Lane| {
            let log = walk.builder.scalar(Op::Log2, a);
            walk.builder.multiply_one(log, b)
        };
        pairs
            .into_iter()
            .map(|(a, b)| match b.value() {
                Some(2.0) => self.builder.multiply_one(a, a),
                Some(1.0) => a,
                Some(0.5) => self.root(a),
                _ => {
                    let scaled = logarithm(self, a, b);
                    self.builder.scalar(Op::Exp2, scaled)
                }
            })
            .collect()
    }

    fn cross(&mut self, a: &Lanes, b: &Lanes) -> Lanes {
        let turn = |lanes: &Lanes, by: usize| -> Lanes {
            (0..3).map(|lane| lanes.get((lane + by) % 3).copied().unwrap_or(Lane::ZERO)).collect()
        };
        let first = self.builder.lanewise(Op::Mul, &[turn(a, 1), turn(b, 2)]);
        let second = self.builder.lanewise(Op::Mul, &[turn(a, 2), turn(b, 1)]);
        self.subtract(first, second)
    }

    fn length(&mut self, x: &Lanes) -> Lane {
        match x.as_slice() {
            [one] => self.absolute(&smallvec![*one]).first().copied().unwrap_or(Lane::ZERO),
            _ => {
                let square = self.builder.dot(x, x);
                self.root(square)
            }
        }
    }

    fn normalize(&mut self, x: Lanes) -> Lanes {
        let square = self.builder.dot(&x, &x);
        let inverse = self.builder.scalar(Op::ReciprocalRoot, square);
        let inverses = smallvec![inverse; x.len()];
        self.builder.lanewise(Op::Mul, &[x, inverses])
    }

    /// I - 2 dot(N, I) N
    fn reflect(&mut self, incident: Lanes, normal: Lanes) -> Lanes {
        let along = self.builder.dot(&normal, &incident);
        let twice = self.builder.add_one(along, along);
        let back = self.builder.lanewise(Op::Mul, &[normal, smallvec![twice; incident.len()]]);
        self.subtract(incident, back)
    }

    fn refract(&mut self, incident: Lanes, normal: Lanes, eta: Lane) -> Result<Value> {
        let width = incident.len();
        let along = self.builder.dot(&normal, &incident);
        let square = self.builder.multiply_one(along, along);
        let left = self.builder.add_one(Lane::ONE, square.negated());
        let eta_square = self.builder.multiply_one(eta, eta);
        let scaled = self.builder.multiply_one(eta_square, left);
        let k = self.builder.add_one(Lane::ONE, scaled.negated());
        let root = self.root(k);
        let part = self.builder.multiply_one(eta, along);
        let factor = self.builder.add_one(part, root);
        let bent = self.builder.lanewise(Op::Mul, &[incident, smallvec![eta; width]]);
        let back = self.builder.lanewise(Op::Mul, &[normal, smallvec![factor; width]]);
        let through = self.subtract(bent, back);
        let is_reflected =
            self.builder.lanewise(Op::Compare(Relation::Lt), &[smallvec![k], smallvec![Lane::ZERO]]);
        self.select(&is_reflected, Value::Vector(smallvec![Lane::ZERO; width]), Value::Vector(through))
    }

    /// a + t (b - a)
    fn mix(&mut self, a: Lanes, b: Lanes, t: Lanes) -> Lanes {
        let way = self.subtract(b, a.clone());
        let part = self.builder.lanewise(Op::Mul, &[way, t]);
        self.builder.lanewise(Op::Add, &[part, a])
    }

    fn smooth_step(&mut self, low: Lanes, high: Lanes, x: Lanes) -> Lanes {
        let width = x.len();
        let splat = |value: f32| -> Lanes { smallvec![Lane::constant(value); width] };
        let fill = |lanes: Lanes| -> Lanes {
            match lanes.first() {
                Some(&lane) if lanes.len() == 1 => smallvec![lane; width],
                _ => lanes,
            }
        };
        let (low, high) = (fill(low), fill(high));
        let span = self.subtract(high, low.clone());
        let way = self.subtract(x, low);
        let part = self.divide(way, &span);
        let t = self.clamp(part, splat(0.0), splat(1.0));
        let square = self.builder.lanewise(Op::Mul, &[t.clone(), t.clone()]);
        let double = self.builder.lanewise(Op::Mul, &[t, splat(-2.0)]);
        let rest = self.builder.lanewise(Op::Add, &[double, splat(3.0)]);
        self.builder.lanewise(Op::Mul, &[square, rest])
    }

    /// Functions of matrices.
    fn matrix_function(&mut self, fun: Fun, arguments: &[Value]) -> Result<Option<Value>> {
        let matrix = match arguments.first() {
            Some(Value::Matrix(matrix)) => matrix,
            _ if fun == Fun::Outer => {
                let [Value::Vector(a), Value::Vector(b)] = arguments else { return self.unexpected() };
                let column = |walk: &mut Self, factor: Lane| {
                    walk.builder.lanewise(Op::Mul, &[a.clone(), smallvec![factor; a.len()]])
                };
                let columns = b.iter().map(|&factor| column(self, factor)).collect();
                return Ok(Some(Value::Matrix(Matrix::Columns(columns))));
            }
            _ => return Ok(None),
        };
        match fun {
            Fun::Transpose => Ok(Some(Value::Matrix(matrix.transposed(&mut self.builder)))),
            Fun::Determinant => {
                let columns = matrix.columns(&mut self.builder);
                Ok(Some(Value::lane(self.determinant(&columns))))
            }
            Fun::Inverse => {
                let columns = matrix.columns(&mut self.builder);
                Ok(Some(Value::Matrix(Matrix::Columns(self.inverse(&columns)))))
            }
            _ => self.unexpected(),
        }
    }
}

/// The sign of all changed.
fn negated(lanes: Lanes) -> Lanes {
    lanes.into_iter().map(Lane::negated).collect()
}

/// A function as GLSL writes it.
fn name(fun: Fun) -> String {
    let mut name = format!("{fun:?}");
    if let Some(first) = name.get_mut(..1) {
        first.make_ascii_lowercase();
    }
    name
}
