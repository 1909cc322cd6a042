//! What each unit computes. The expressions are those that the lift writes, operation for operation.

use super::super::table::{AddOp, CombineOp, MulOp, Outmod, shift};
use super::state::Vector;
use unshade_ir::{FloatMode, MinMax, Multiply, Op, Type, exec::evaluate, math};

/// The circle, for sines of turns.
pub(crate) const TURN: f32 = std::f32::consts::TAU;

/// Width of registers.
pub(super) trait Precision: Copy {
    /// A result as a register holds it.
    fn round(self, value: f32) -> f32;

    fn round_all(self, value: Vector) -> Vector {
        value.map(|x| self.round(x))
    }
}

/// binary32.
#[derive(Clone, Copy)]
pub(super) struct Single;

impl Precision for Single {
    #[inline]
    fn round(self, value: f32) -> f32 {
        value
    }
}

/// binary16.
#[derive(Clone, Copy)]
pub(super) struct Half;

impl Precision for Half {
    fn round(self, value: f32) -> f32 {
        super::super::half::round(value)
    }
}

/// Changes a result.
pub(super) fn modify(outmod: u32, value: f32) -> f32 {
    match Outmod::of(outmod) {
        Outmod::None => value,
        Outmod::Saturate => {
            if value > 0.0 {
                value.min(1.0)
            } else {
                0.0
            }
        }
        Outmod::Positive => max(value, 0.0),
        Outmod::Integer => value.trunc(),
    }
}

fn max(a: f32, b: f32) -> f32 {
    math::max(a, b, MinMax::SecondUnlessOrdered)
}

fn min(a: f32, b: f32) -> f32 {
    math::min(a, b, MinMax::SecondUnlessOrdered)
}

fn number(truth: bool) -> f32 {
    if truth { 1.0 } else { 0.0 }
}

fn truth(value: f32) -> bool {
    value != 0.0
}

/// One lane of a multiply unit.
pub(super) fn multiply(op: u32, a: f32, b: f32) -> f32 {
    match MulOp::of(op) {
        Some(MulOp::Mul) => {
            let product = math::mul(a, b, Multiply::Ieee);
            match shift(op) {
                0 => product,
                shift => product * power(shift),
            }
        }
        Some(MulOp::Not) => number(!truth(a)),
        Some(MulOp::And) => number(truth(a) && truth(b)),
        Some(MulOp::Or) => number(truth(a) || truth(b)),
        Some(MulOp::Xor) => number(truth(a) != truth(b)),
        Some(MulOp::Ne) => number(a != b),
        Some(MulOp::Gt) => number(a > b),
        Some(MulOp::Ge) => number(a >= b),
        Some(MulOp::Eq) => number(a == b),
        Some(MulOp::Min) => min(a, b),
        Some(MulOp::Max) => max(a, b),
        Some(MulOp::Mov) => a,
        None => 0.0,
    }
}

/// 2^shift for the shifts that there are.
pub(crate) fn power(shift: i32) -> f32 {
    f32::from_bits(((127 + shift) as u32) << 23)
}

/// One lane of an add unit, but sums and derivatives, which look at other lanes and pixels.
pub(super) fn add(op: Option<AddOp>, a: f32, b: f32, condition: f32) -> f32 {
    match op {
        Some(AddOp::Add) => a + b,
        Some(AddOp::Fract) => a - math::floor(a),
        Some(AddOp::Ne) => number(a != b),
        Some(AddOp::Gt) => number(a > b),
        Some(AddOp::Ge) => number(a >= b),
        Some(AddOp::Eq) => number(a == b),
        Some(AddOp::Floor) => math::floor(a),
        Some(AddOp::Ceil) => a.ceil(),
        Some(AddOp::Min) => min(a, b),
        Some(AddOp::Max) => max(a, b),
        Some(AddOp::Sel) => {
            if truth(condition) {
                a
            } else {
                b
            }
        }
        Some(AddOp::Mov) => a,
        Some(AddOp::Sum3 | AddOp::Sum4 | AddOp::DFdx | AddOp::DFdy) | None => 0.0,
    }
}

/// The lanes of the vector add unit, derivatives excepted.
pub(super) fn add_vector(op: Option<AddOp>, a: Vector, b: Vector, condition: f32) -> Vector {
    match op {
        Some(AddOp::Sum3) => [a[0] + a[1] + a[2]; 4],
        Some(AddOp::Sum4) => [a[0] + a[1] + a[2] + a[3]; 4],
        _ => [0, 1, 2, 3].map(|lane: usize| add(op, a[lane], b[lane], condition)),
    }
}

fn function(op: Op, args: &[f32]) -> f32 {
    let mut bits = [0; 2];
    for (bits, arg) in bits.iter_mut().zip(args) {
        *bits = arg.to_bits().into();
    }
    f32::from_bits(evaluate(&op, Type::B32, &bits[..args.len().min(2)]).unwrap_or_default() as u32)
}

/// The combine unit: a function of one or two components.
pub(super) fn combine(op: u32, a: f32, b: f32) -> f32 {
    const F32: FloatMode = FloatMode::F32;
    match CombineOp::of(op) {
        Some(CombineOp::Rcp) => math::rcp(a),
        Some(CombineOp::Mov) => a,
        Some(CombineOp::Sqrt) => a.sqrt(),
        Some(CombineOp::Rsqrt) => math::rsq(a),
        Some(CombineOp::Exp2) => math::exp2(a),
        Some(CombineOp::Log2) => math::log2(a),
        Some(CombineOp::Sin) => function(Op::FSin(F32), &[a * TURN]),
        Some(CombineOp::Cos) => function(Op::FCos(F32), &[a * TURN]),
        Some(CombineOp::Atan) => function(Op::FAtan(F32), &[a]),
        Some(CombineOp::Atan2) => function(Op::FAtan2(F32), &[a, b]),
        None => 0.0,
    }
}

/// First part of an arc tangent (or another function) in the form with a vector destination.
pub(super) fn combine_vector(op: u32, a: f32, b: f32) -> Vector {
    match CombineOp::of(op) {
        Some(CombineOp::Atan | CombineOp::Atan2) => [combine(op, a, b), 1.0, 0.0, 0.0],
        _ => [combine(op, a, b); 4],
    }
}

/// A branch's condition bits.
pub(super) fn taken(condition: u32, a: f32, b: f32) -> bool {
    match condition & 7 {
        0 => false,
        1 => a > b,
        2 => a == b,
        3 => a >= b,
        4 => a < b,
        5 => a != b,
        6 => a <= b,
        _ => true,
    }
}

/// Division of an input by its z or w, if `sub` says so.
pub(super) fn divide(sub: u32, value: Vector) -> Vector {
    match sub {
        2 => value.map(|x| x / value[2]),
        3 => value.map(|x| x / value[3]),
        _ => value,
    }
}

/// Scaled so that x y z have length 1.
pub(super) fn normalize([x, y, z, w]: Vector) -> Vector {
    let scale = math::rsq(x * x + y * y + z * z);
    [x * scale, y * scale, z * scale, w]
}
