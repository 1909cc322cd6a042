//! Numbers as people write them.

use std::f32::consts;

/// Numbers that programs and compilers use, and that no short decimal is.
pub const KNOWN: [f32; 12] = [
    consts::PI,
    consts::TAU,
    consts::FRAC_PI_2,
    consts::FRAC_PI_4,
    consts::FRAC_1_PI,
    0.5 * consts::FRAC_1_PI,
    1.0 / 3.0,
    2.0 / 3.0,
    consts::E,
    consts::LN_2,
    consts::LOG2_E,
    consts::SQRT_2,
];
