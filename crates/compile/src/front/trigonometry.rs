//! Sines and their kin, by polynomials whose error is below the step of the machine's numbers (least maximum over the
//! interval, found by Remez' exchange).

use super::{Walk, value::Value};
use crate::vector::{Lane, Lanes, Op, Relation};
use naga::MathFunction as Fun;
use smallvec::smallvec;
use std::f32::consts::{FRAC_PI_2, LOG2_E, PI};
use unshade_bytes::problem::Result;

/// sin(2πu) = u (c0 + c1 u² + ...) for u from -1/4 to 1/4, error 6e-7.
const SINE: [f32; 4] = [6.283_164, -41.337_14, 81.340_77, -70.993_43];
/// atan(u) = u (c0 + c1 u² + ...) for u from -1 to 1, error 1.7e-6.
const ARC_TANGENT: [f32; 6] =
    [0.999_977_2, -0.332_622_83, 0.193_540_37, -0.116_426_46, 0.052_647_327, -0.011_719_127];
/// acos(u) = sqrt(1 - u) (c0 + c1 u + ...) for u from 0 to 1, error 4.8e-6.
const ARC_COSINE: [f32; 5] = [1.570_791_5, -0.214_280_6, 0.085_638_374, -0.037_618_21, 0.009_732_964];

impl Walk<'_> {
    fn all(&self, value: f32, like: &Lanes) -> Lanes {
        smallvec![Lane::constant(value); like.len()]
    }

    fn plus(&mut self, a: Lanes, b: Lanes) -> Lanes {
        self.builder.lanewise(Op::Add, &[a, b])
    }

    fn times(&mut self, a: Lanes, b: Lanes) -> Lanes {
        self.builder.lanewise(Op::Mul, &[a, b])
    }

    /// c0 + c1 x + c2 x² + ...
    fn polynomial(&mut self, coefficients: &[f32], x: &Lanes) -> Lanes {
        let mut sum = self.all(coefficients.last().copied().unwrap_or(0.0), x);
        for coefficient in coefficients.iter().rev().skip(1) {
            let product = self.times(sum, x.clone());
            let constant = self.all(*coefficient, x);
            sum = self.plus(product, constant);
        }
        sum
    }

    pub(super) fn sine(&mut self, x: &Lanes) -> Lanes {
        // A quarter of a turn behind the cosine.
        self.wave(x, 0.25, f32::sin)
    }

    pub(super) fn cosine(&mut self, x: &Lanes) -> Lanes {
        self.wave(x, 0.5, f32::cos)
    }

    /// The cosine of x - (0.5 - ahead) turns.
    fn wave(&mut self, x: &Lanes, ahead: f32, exact: impl Fn(f32) -> f32) -> Lanes {
        if let Some(values) = x.iter().map(|lane| lane.value()).collect::<Option<Vec<f32>>>() {
            return values.into_iter().map(|value| Lane::constant(exact(value))).collect();
        }
        let per_turn = self.all(1.0 / (2.0 * PI), x);
        let turns = self.times(x.clone(), per_turn);
        let ahead = self.all(ahead, x);
        let turns = self.plus(turns, ahead);
        let whole = self.builder.lanewise(Op::Floor, std::slice::from_ref(&turns));
        let part = self.subtract(turns, whole);
        // From -1/2 to 1/2, where the cosine is even; folded to -1/4 .. 1/4, where it is a sine.
        let half = self.all(-0.5, x);
        let centred = self.plus(part, half);
        let side = self.absolute(&centred);
        let quarter = self.all(-0.25, x);
        let u = self.plus(side, quarter);
        let square = self.times(u.clone(), u.clone());
        let coefficients = SINE.map(|coefficient| -coefficient);
        let sum = self.polynomial(&coefficients, &square);
        self.times(sum, u)
    }

    pub(super) fn arc_sine(&mut self, x: &Lanes) -> Result<Lanes> {
        let side = self.absolute(x);
        let one = self.all(1.0, x);
        let rest = self.subtract(one, side.clone());
        let root = self.each(&rest, Self::root);
        let sum = self.polynomial(&ARC_COSINE, &side);
        let back = self.times(root, sum);
        let quarter = self.all(FRAC_PI_2, x);
        let angle = self.subtract(quarter, back);
        self.with_sign(angle, x)
    }

    /// A value that is not negative, with the sign of another.
    fn with_sign(&mut self, value: Lanes, of: &Lanes) -> Result<Lanes> {
        let zeros = self.all(0.0, of);
        let below = self.builder.lanewise(Op::Compare(Relation::Lt), &[of.clone(), zeros]);
        let double = self.all(-2.0, of);
        let one = self.all(1.0, of);
        let scaled = self.times(below, double);
        let sign = self.plus(scaled, one);
        Ok(self.times(value, sign))
    }

    /// The angle of a part of the way from 0 to 45 degrees.
    fn arc_tangent_part(&mut self, u: &Lanes) -> Lanes {
        let square = self.times(u.clone(), u.clone());
        let sum = self.polynomial(&ARC_TANGENT, &square);
        self.times(sum, u.clone())
    }

    pub(super) fn arc_tangent(&mut self, x: &Lanes) -> Lanes {
        let ones = self.all(1.0, x);
        self.arc_tangent_of(x, &ones).unwrap_or_else(|_| x.clone())
    }

    /// atan(y, x)
    pub(super) fn arc_tangent_of(&mut self, y: &Lanes, x: &Lanes) -> Result<Lanes> {
        let (up, along) = (self.absolute(y), self.absolute(x));
        let small = self.builder.lanewise(Op::Min, &[up.clone(), along.clone()]);
        let large = self.builder.lanewise(Op::Max, &[up.clone(), along.clone()]);
        let part = self.divide(small, &large);
        let mut angle = self.arc_tangent_part(&part);
        // a + is (whole - 2 a): the angle from the other side.
        let mirrored = |walk: &mut Self, is: Lanes, whole: f32, angle: Lanes| {
            let double = walk.all(-2.0, &angle);
            let twice = walk.times(angle.clone(), double);
            let whole = walk.all(whole, &angle);
            let way = walk.plus(twice, whole);
            let step = walk.times(way, is);
            walk.plus(step, angle)
        };
        let is_steep = self.builder.lanewise(Op::Compare(Relation::Gt), &[up, along]);
        angle = mirrored(self, is_steep, FRAC_PI_2, angle);
        let zeros = self.all(0.0, x);
        let is_behind = self.builder.lanewise(Op::Compare(Relation::Lt), &[x.clone(), zeros]);
        angle = mirrored(self, is_behind, PI, angle);
        self.with_sign(angle, y)
    }

    /// sinh, cosh and tanh, of exponentials.
    pub(super) fn hyperbolic(&mut self, fun: Fun, x: Lanes) -> Lanes {
        let scale = self.all(LOG2_E, &x);
        let power = self.times(x.clone(), scale);
        let grown = self.each(&power, |walk, lane| walk.builder.scalar(Op::Exp2, lane));
        let shrunk = self.each(&power, |walk, lane| walk.builder.scalar(Op::Exp2, lane.negated()));
        let half = self.all(0.5, &x);
        let sum = self.plus(grown.clone(), shrunk.clone());
        let difference = self.subtract(grown, shrunk);
        match fun {
            Fun::Sinh => self.times(difference, half),
            Fun::Cosh => self.times(sum, half),
            _ => self.divide(difference, &sum),
        }
    }

    /// A number as a value.
    pub(super) fn number(value: f32) -> Value {
        Value::lane(Lane::constant(value))
    }
}
