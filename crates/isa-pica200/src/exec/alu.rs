//! What the arithmetic instructions compute, over either kind of float.

use super::super::Compare;
use super::f24::{self, Rounding};
use super::program::Alu;
use super::state::Vector;
use unshade_ir::math;
use unshade_ir::op::{MinMax, Multiply};

/// Largest magnitude that LITP lets through in y: 0x7FFF / 0x100 (3dbrew).
pub(super) const LITP_LIMIT: f32 = 32_767.0 / 256.0;

/// The float operations in which the two kinds of arithmetic differ.
pub(super) trait Arithmetic: Copy {
    fn negate(self, a: f32) -> f32;
    fn add(self, a: f32, b: f32) -> f32;
    fn mul(self, a: f32, b: f32) -> f32;
    fn rcp(self, a: f32) -> f32;
    fn rsq(self, a: f32) -> f32;
    fn exp2(self, a: f32) -> f32;
    fn log2(self, a: f32) -> f32;
    fn floor(self, a: f32) -> f32;
}

/// IEEE binary32 with 0 * inf = 0.
#[derive(Debug, Clone, Copy)]
pub(super) struct Single;

impl Arithmetic for Single {
    #[inline]
    fn negate(self, a: f32) -> f32 {
        -a
    }
    #[inline]
    fn add(self, a: f32, b: f32) -> f32 {
        a + b
    }
    #[inline]
    fn mul(self, a: f32, b: f32) -> f32 {
        math::mul(a, b, Multiply::InfTimesZero)
    }
    #[inline]
    fn rcp(self, a: f32) -> f32 {
        math::rcp(a)
    }
    #[inline]
    fn rsq(self, a: f32) -> f32 {
        math::rsq(a)
    }
    fn exp2(self, a: f32) -> f32 {
        math::exp2(a)
    }
    fn log2(self, a: f32) -> f32 {
        math::log2(a)
    }
    #[inline]
    fn floor(self, a: f32) -> f32 {
        math::floor(a)
    }
}

/// The hardware's 24 bits.
#[derive(Debug, Clone, Copy)]
pub(super) struct Short(pub(super) Rounding);

impl Arithmetic for Short {
    fn negate(self, a: f32) -> f32 {
        f24::negate(a)
    }
    fn add(self, a: f32, b: f32) -> f32 {
        f24::add(a, b, self.0)
    }
    fn mul(self, a: f32, b: f32) -> f32 {
        f24::mul(a, b, self.0)
    }
    fn rcp(self, a: f32) -> f32 {
        f24::rcp(a, self.0)
    }
    fn rsq(self, a: f32) -> f32 {
        f24::rsq(a, self.0)
    }
    fn exp2(self, a: f32) -> f32 {
        f24::exp2(a, self.0)
    }
    fn log2(self, a: f32) -> f32 {
        f24::log2(a, self.0)
    }
    fn floor(self, a: f32) -> f32 {
        f24::floor(a)
    }
}

pub(super) fn max(a: f32, b: f32) -> f32 {
    math::max(a, b, MinMax::SecondUnlessOrdered)
}

pub(super) fn min(a: f32, b: f32) -> f32 {
    math::min(a, b, MinMax::SecondUnlessOrdered)
}

/// All four lanes; the caller writes those that the mask names.
#[inline]
pub(super) fn compute<A: Arithmetic>(float: A, alu: Alu, [a, b, c]: [Vector; 3]) -> Vector {
    let truth = |t: bool| if t { 1.0 } else { 0.0 };
    match alu {
        Alu::Add => lanes(|n| float.add(a[n], b[n])),
        Alu::Mul => lanes(|n| float.mul(a[n], b[n])),
        Alu::Mad => lanes(|n| float.add(float.mul(a[n], b[n]), c[n])),
        Alu::Sge => lanes(|n| truth(a[n] >= b[n])),
        Alu::Slt => lanes(|n| truth(a[n] < b[n])),
        Alu::Max => lanes(|n| max(a[n], b[n])),
        Alu::Min => lanes(|n| min(a[n], b[n])),
        Alu::Flr => lanes(|n| float.floor(a[n])),
        Alu::Mov => a,
        Alu::Dp3 => [dot(float, &a[..3], &b[..3]); 4],
        Alu::Dp4 => [dot(float, &a, &b); 4],
        Alu::Dph => [dot(float, &[a[0], a[1], a[2], 1.0], &b); 4],
        Alu::Ex2 => [float.exp2(a[0]); 4],
        Alu::Lg2 => [float.log2(a[0]); 4],
        Alu::Rcp => [float.rcp(a[0]); 4],
        Alu::Rsq => [float.rsq(a[0]); 4],
        Alu::Dst => [1.0, float.mul(a[1], b[1]), a[2], b[3]],
        Alu::Litp => [max(a[0], 0.0), min(max(a[1], -LITP_LIMIT), LITP_LIMIT), 0.0, max(a[3], 0.0)],
    }
}

#[inline(always)]
fn lanes(f: impl Fn(usize) -> f32) -> Vector {
    [f(0), f(1), f(2), f(3)]
}

/// Flags that LITP sets from its source.
pub(super) fn litp_flags(a: Vector) -> [bool; 2] {
    [a[0] >= 0.0, a[3] >= 0.0]
}

/// From left to right, starting from +0.
fn dot<A: Arithmetic>(float: A, a: &[f32], b: &[f32]) -> f32 {
    a.iter().zip(b).fold(0.0, |sum, (&x, &y)| float.add(sum, float.mul(x, y)))
}

/// One comparison of CMP.
pub(super) fn compare(by: Compare, a: f32, b: f32) -> bool {
    match by {
        Compare::Eq => a == b,
        Compare::Ne => a != b,
        Compare::Lt => a < b,
        Compare::Le => a <= b,
        Compare::Gt => a > b,
        Compare::Ge => a >= b,
        Compare::True6 | Compare::True7 => true,
    }
}
