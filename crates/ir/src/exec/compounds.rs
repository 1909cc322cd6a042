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
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
