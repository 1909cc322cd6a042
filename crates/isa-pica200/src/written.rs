//! Float constants as what most likely stood in the source, before the assembler cut them to 24 bits: a number that
//! everybody knows, or else the shortest decimal that gives the same constant. Assemblers cut, and some round; either
//! will do.

use unshade_bytes::float::F24;
use unshade_isa_common::numbers::KNOWN;
use unshade_stage::{ConstantValue, Stage};

/// The stage with its constants as they were written, if any of them was written otherwise.
pub fn written(stage: &Stage<'_>) -> Option<Stage<'static>> {
    let mut changed = false;
    let mut written = stage.clone();
    for constant in &mut written.code.constants {
        if let ConstantValue::Float(values) = &mut constant.value {
            for value in values {
                let number = number(*value);
                changed |= number.to_bits() != value.to_bits();
                *value = number;
            }
        }
    }
    changed.then(|| written.into_owned())
}

/// Below this all whole numbers are constants.
const EXACT: f32 = 131_072.0;

/// The number that a constant of 24 bits stands for.
fn number(value: f32) -> f32 {
    let stored = F24::from_f32(value);
    let magnitude = value.abs();
    // A constant that has more bits than the machine's stays, and so does one that needs few: it is exact as it is.
    let is_whole = magnitude.fract() == 0.0 && magnitude < EXACT;
    let is_exact = stored.to_bits().trailing_zeros() >= 8 || is_whole;
    if !value.is_finite() || stored.to_f32().to_bits() != value.to_bits() || is_exact {
        return value;
    }
    let gives = |number: f32| {
        let number = number.copysign(value);
        F24::from_f32(number) == stored || F24::from_f32_nearest(number) == stored
    };
    let found = KNOWN.iter().copied().find(|known| gives(*known)).or_else(|| {
        // Between this constant and the next one: 17 bits are less than six digits.
        let next = f32::from_bits(magnitude.to_bits() + (1 << 7));
        (0..6).find_map(|digits| {
            let shorter = |number: f32| format!("{number:.digits$e}").parse::<f32>().ok();
            [magnitude, 0.5 * (magnitude + next)]
                .into_iter()
                .filter_map(shorter)
                .find(|number| gives(*number))
        })
    });
    found.map_or(value, |number| number.copysign(value))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn constants_as_they_were_written() {
        use std::f32::consts::{E, PI};
        for written in [0.1, 0.2, 0.3, -0.7, 1e-3, PI, -E, 1.0 / 3.0, 2.2, 0.299, 0.587, 0.114, 6.02e10] {
            assert_eq!(number(F24::from_f32(written).to_f32()), written, "cut");
            assert_eq!(number(F24::from_f32_nearest(written).to_f32()), written, "rounded");
        }
    }

    #[test]
    fn constants_that_are_exact_stay() {
        for exact in
            [0.0, -0.0, 1.0, 0.5, -0.001_953_125, 65504.0, 16_777_216.0, 255.0, f32::INFINITY, 0.007_812_5]
        {
            assert_eq!(number(exact).to_bits(), exact.to_bits());
        }
        assert!(number(f32::NAN).is_nan());
        // More bits than the machine has: nobody cut this one.
        assert_eq!(number(0.1), 0.1);
    }

    /// Whatever is read is stored as the same constant again.
    #[test]
    fn what_is_written_gives_the_constant() {
        for bits in (0..1 << 24).step_by(4093) {
            let value = F24::from_bits(bits).to_f32();
            let number = number(value);
            let (cut, rounded) = (F24::from_f32(number), F24::from_f32_nearest(number));
            assert!(value.is_nan() || [cut, rounded].contains(&F24::from_bits(bits)), "{bits:06x} {number}");
        }
    }
}
