//! What functions of the source languages are, spelled as machines spell them.

use crate::{Compound, MinMax, math};
use std::f32::consts::{LN_2, LOG2_E};

/// The value of a function for its operands; those that it has not are ignored.
pub(super) fn value(compound: Compound, [a, b, c]: [f32; 3]) -> f32 {
    match compound {
        Compound::Exp => math::exp2(a * LOG2_E),
        Compound::Log => math::log2(a) * LN_2,
        Compound::Modulo => a - b * math::floor(a / b),
        Compound::Sign if a > 0.0 => 1.0,
        Compound::Sign if a < 0.0 => -1.0,
        Compound::Sign => 0.0,
        Compound::Step if b < a => 0.0,
        Compound::Step => 1.0,
        Compound::Smoothstep => {
            let rule = MinMax::SecondUnlessOrdered;
            let t = math::min(math::max((c - a) / (b - a), 0.0, rule), 1.0, rule);
            t * t * (3.0 - 2.0 * t)
        }
        Compound::Tan => libm::sinf(a) / libm::cosf(a),
        Compound::Asin => math::asin(a),
        Compound::Acos => math::acos(a),
        Compound::Atan => math::atan(a),
        Compound::Atan2 => math::atan2(a, b),
        Compound::Sinh => (math::exp2(a * LOG2_E) - math::exp2(-a * LOG2_E)) * 0.5,
        Compound::Cosh => (math::exp2(a * LOG2_E) + math::exp2(-a * LOG2_E)) * 0.5,
        Compound::Tanh => {
            let power = math::exp2(a.min(10.0) * (2.0 * LOG2_E));
            (power - 1.0) / (power + 1.0)
        }
        Compound::Asinh => {
            let size = math::log2(a.abs() + libm::sqrtf(a * a + 1.0)) * LN_2;
            if a < 0.0 { -size } else { size }
        }
        Compound::Acosh => math::log2(a + libm::sqrtf(a * a - 1.0)) * LN_2,
        Compound::Significand => libm::frexpf(a).0,
        Compound::Atanh => math::log2((1.0 + a) / (1.0 - a)) * (LN_2 * 0.5),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_by_polynomials() {
        let one = |compound, a| value(compound, [a, 0.0, 0.0]);
        let near = |a: f32, b: f32, by: f32| assert!((a - b).abs() <= by, "{a} is not near {b}");
        for n in -100..=100 {
            let a = n as f32 / 100.0;
            near(one(Compound::Asin, a), a.asin(), 1e-3);
            near(one(Compound::Acos, a), a.acos(), 1e-3);
            near(one(Compound::Atan, a * 20.0), (a * 20.0).atan(), 1e-4);
            near(one(Compound::Tan, a), a.tan(), 1e-6);
            near(one(Compound::Sinh, a), a.sinh(), 1e-6);
            near(one(Compound::Cosh, a), a.cosh(), 1e-6);
            near(one(Compound::Tanh, a * 4.0), (a * 4.0).tanh(), 1e-6);
            near(one(Compound::Asinh, a * 4.0), (a * 4.0).asinh(), 1e-6);
            near(one(Compound::Acosh, a + 2.0), (a + 2.0).acosh(), 1e-3);
            near(one(Compound::Atanh, a * 0.9), (a * 0.9).atanh(), 1e-6);
            for b in [-3.0, -1.0, -0.25, 0.5, 1.0, 70.0] {
                near(value(Compound::Atan2, [a, b, 0.0]), a.atan2(b), 1e-4);
            }
        }
    }

    #[test]
    fn functions_of_numbers() {
        let one = |compound, a| value(compound, [a, 0.0, 0.0]);
        assert!((one(Compound::Exp, 1.0) - std::f32::consts::E).abs() < 1e-6);
        assert!((one(Compound::Log, 10.0) - std::f32::consts::LN_10).abs() < 1e-6);
        assert_eq!([2.5, -2.5, 0.0].map(|a| one(Compound::Sign, a)), [1.0, -1.0, 0.0]);
        assert_eq!(value(Compound::Modulo, [-1.0, 4.0, 0.0]), 3.0);
        assert_eq!(value(Compound::Step, [0.5, 0.5, 0.0]), 1.0);
        assert_eq!(value(Compound::Step, [0.5, 0.25, 0.0]), 0.0);
        assert_eq!(
            [0.0, 2.0, 3.0, 4.0, 9.0].map(|c| value(Compound::Smoothstep, [2.0, 4.0, c])),
            [0.0, 0.0, 0.5, 1.0, 1.0]
        );
    }
}
