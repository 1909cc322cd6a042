//! The functions behind the float operations, written down once: the machine interpreters, the IR
//! interpreter and constant folding all call these, so that they agree bit for bit on every platform.
//! Nothing here comes from the platform's C library.

use crate::{
    Image, ImageQuery, InputPlace, MinMax, Multiply, Norm, QuadSide, Texture, TextureLevel, TextureQuery,
    TextureShape,
};
use smallvec::SmallVec;
use std::f32::consts::{FRAC_PI_2, FRAC_PI_4};

/// Multiply by the given rule.
pub fn mul(a: f32, b: f32, rule: Multiply) -> f32 {
    match rule {
        Multiply::Ieee => a * b,
        Multiply::InfTimesZero => {
            if (a == 0.0 && b.is_infinite()) || (a.is_infinite() && b == 0.0) {
                0.0
            } else {
                a * b
            }
        }
        Multiply::ZeroWins => {
            if a == 0.0 || b == 0.0 {
                0.0
            } else {
                a * b
            }
        }
    }
}

/// Maximum by the given rule.
pub fn max(a: f32, b: f32, rule: MinMax) -> f32 {
    match rule {
        MinMax::SecondUnlessOrdered => {
            if a > b {
                a
            } else {
                b
            }
        }
        MinMax::Number => libm::fmaximum_numf(a, b),
    }
}

/// Minimum by the given rule.
pub fn min(a: f32, b: f32, rule: MinMax) -> f32 {
    match rule {
        MinMax::SecondUnlessOrdered => {
            if a < b {
                a
            } else {
                b
            }
        }
        MinMax::Number => libm::fminimum_numf(a, b),
    }
}

/// `1 / a`.
pub fn rcp(a: f32) -> f32 {
    1.0 / a
}

/// `1 / sqrt(a)`, each step correctly rounded.
pub fn rsq(a: f32) -> f32 {
    // The square root of the language is IEEE's, so it is the same everywhere.
    1.0 / a.sqrt()
}

/// What a refracted vector has of what comes in and, taken away, of the normal, where `along` is their dot product; none
/// where all is reflected. As the language defines `refract`.
pub fn refraction(along: f32, eta: f32) -> Option<(f32, f32)> {
    let rest = 1.0 - eta * eta * (1.0 - along * along);
    // The square root of the language is IEEE's, so it is the same everywhere.
    if rest < 0.0 { None } else { Some((eta, eta * along + rest.sqrt())) }
}

/// A quarter of a turn less the arc sine of `|a|`, over `sqrt(1 - |a|)`: the two last coefficients of a polynomial whose
/// first two are pi / 2 and pi / 4 - 1.
fn rest_of_arc(a: f32, [third, fourth]: [f32; 2]) -> f32 {
    let a = a.abs();
    let polynomial = FRAC_PI_2 + a * (FRAC_PI_4 - 1.0 + a * (third + a * fourth));
    (1.0 - a).sqrt() * polynomial
}

/// The arc sine by the polynomial that Mesa's compilers put in its place.
pub fn asin(a: f32) -> f32 {
    sign(a) * (FRAC_PI_2 - rest_of_arc(a, [0.086_566_724, -0.031_029_55]))
}

/// The arc cosine, the same way.
pub fn acos(a: f32) -> f32 {
    FRAC_PI_2 - sign(a) * (FRAC_PI_2 - rest_of_arc(a, [0.081_324_63, -0.023_633_18]))
}

/// The arc tangent by the polynomial that Mesa's compilers put in its place: of what is at most 1, and for larger numbers
/// of the reciprocal.
pub fn atan(a: f32) -> f32 {
    let size = a.abs();
    let x = size.min(1.0) / size.max(1.0);
    let square = x * x;
    let mut sum = square * -0.012_132_321_5 + 0.053_681_377;
    for coefficient in [-0.117_350_32, 0.193_892_5, -0.332_675_64, 0.999_979_3] {
        sum = sum * square + coefficient;
    }
    let small = sum * x;
    let angle = if size > 1.0 { small * -2.0 + FRAC_PI_2 + small } else { small };
    angle * sign(a)
}

/// The angle of a point in all four quadrants, the same way.
pub fn atan2(y: f32, x: f32) -> f32 {
    // Turned by a quarter where x is not positive, so that nothing is divided by what is near zero.
    let turned = x <= 0.0;
    let (up, along) = if turned { (x.abs(), y) } else { (y, x.abs()) };
    let scale = if along.abs() >= 1e18 { 0.25 } else { 1.0 };
    let reciprocal = rcp(along * scale);
    let ratio = if x.abs() == y.abs() { 1.0 } else { (up * scale * reciprocal).abs() };
    let angle = if turned { FRAC_PI_2 + atan(ratio) } else { atan(ratio) };
    if y.min(reciprocal) < 0.0 { -angle } else { angle }
}

/// 1, -1, or 0 for zero.
fn sign(a: f32) -> f32 {
    match a {
        a if a > 0.0 => 1.0,
        a if a < 0.0 => -1.0,
        _ => 0.0,
    }
}

/// A float between 0, or -1, and 1 as an integer, in as many bits as there are.
pub fn packed(a: f32, norm: Norm) -> u64 {
    let low = if norm.signed { -1.0 } else { 0.0 };
    let rule = MinMax::SecondUnlessOrdered;
    let within = min(max(a, low, rule), 1.0, rule);
    // To the nearest, to even in the middle: of so small a number exactly.
    let whole = libm::rintf(within * norm.scale());
    whole as i64 as u64
}

/// The float that the lowest bits of a word are.
pub fn unpacked(word: u32, norm: Norm) -> f32 {
    let unused = 32 - norm.bits();
    match norm.signed {
        true => (((word << unused) as i32 >> unused) as f32 / norm.scale()).clamp(-1.0, 1.0),
        false => (word << unused >> unused) as f32 / norm.scale(),
    }
}

/// `2^a`, within 1 ulp.
pub fn exp2(a: f32) -> f32 {
    libm::exp2f(a)
}

/// `log2(a)`, within 1 ulp.
pub fn log2(a: f32) -> f32 {
    libm::log2f(a)
}

/// Towards minus infinity. Keeps the sign of zero; without a branch, so that loops over many values become
/// vector code.
pub fn floor(a: f32) -> f32 {
    // From here on every number is whole; adding it drops the fraction, to nearest.
    const WHOLE: f32 = 8_388_608.0;
    let shift = WHOLE.copysign(a);
    let nearest = (a + shift) - shift;
    let below = if nearest > a { nearest - 1.0 } else { nearest };
    if a.abs() < WHOLE { below.copysign(a) } else { a }
}

/// Signed integer, towards zero, saturated; NaN gives 0.
pub fn to_int(a: f32) -> i32 {
    // `as` saturates and maps NaN to 0 by the language's definition.
    a as i32
}

/// The same as [`probe_texture`] without steps: what is nearly the same question has nearly the same answer. For comparing
/// programs that may round coordinates differently.
pub fn smooth_texture(texture: Texture, unit: u32, operands: &[u32]) -> [u32; 4] {
    if texture.is_integer() || texture.query != TextureQuery::Sample {
        return probe_texture(texture, unit, operands);
    }
    std::array::from_fn(|channel| {
        let part = |(at, word): (u32, &u32)| {
            let place = f32::from_bits(*word);
            let weight = scramble(unit.wrapping_mul(64) ^ at << 2 ^ channel as u32) >> 16;
            let weight = weight as f32 / 65536.0 - 0.5;
            if place.is_finite() { weight * place / (1.0 + place.abs()) } else { 0.0 }
        };
        bits((0_u32..).zip(operands).map(part).fold(0.5, |sum, part| sum + part))
    })
}

/// A value for a fetch where there are no textures: finite, of ordinary size, and a function of everything
/// that the fetch says. What is the same question to every texture has one answer: multiples of a direction into a
/// cube, zeros of both signs, numbers that are rounded to one layer, the first level of a row of texels and the row as a
/// buffer.
pub fn probe_texture(texture: Texture, unit: u32, operands: &[u32]) -> [u32; 4] {
    let mut texture = texture;
    let mut operands: SmallVec<[u32; 8]> = operands.into();
    plain_question(&mut texture, &mut operands);
    // Gradients tell how blurred a texel is: what they change, they change without steps.
    let (operands, gradients) = match texture.level {
        TextureLevel::Gradients if texture.query == TextureQuery::Sample => {
            operands.split_at(operands.len().saturating_sub(texture.level_operands()))
        }
        _ => (&operands[..], &[][..]),
    };
    let blurred = |texel: f32, channel: u32| {
        let steps = (0_u32..).zip(gradients).map(|(at, gradient)| {
            let gradient = f32::from_bits(*gradient);
            let axis = at as usize % texture.shape.axes().max(1);
            let own = operands.get(axis).map_or(0.0, |word| f32::from_bits(*word));
            let size = gradient.abs() + own.abs();
            let weight = (scramble(channel << 8 | at) >> 24) as f32 / 256.0;
            if size > 0.0 && size.is_finite() { weight * gradient / size } else { 0.0 }
        });
        bits(steps.fold(texel, |sum, step| sum + step))
    };
    let (query, component) = match texture.query {
        TextureQuery::Sample => (0, 0),
        TextureQuery::Texel => (1, 0),
        TextureQuery::Gather(component) => (2, u32::from(component)),
        TextureQuery::Size => (3, 0),
        TextureQuery::Level => (4, 0),
        TextureQuery::Samples => (5, 0),
    };
    let [x, y, z] = texture.offset.map(|step| u32::from(step as u8));
    let mut state = unit ^ (texture.shape as u32) << 8 ^ (texture.level as u32) << 16;
    state ^= query << 20 ^ component << 24 ^ u32::from(texture.shadow) << 28;
    state ^= scramble(x | y << 8 | z << 16) & if texture.offset == [0; 3] { 0 } else { u32::MAX };
    for word in operands {
        // The bits of an integer are what they are.
        let word = if texture.is_integer() { *word } else { canonical(*word) };
        state = scramble(state ^ word);
    }
    match texture.query {
        TextureQuery::Size | TextureQuery::Samples => {
            return [0, 1, 2, 3].map(|channel| 1 + (scramble(state ^ channel) >> 24));
        }
        // All channels of a comparison are one.
        TextureQuery::Sample if texture.shadow => {
            return [blurred((scramble(state) >> 20) as f32 / 4096.0, 0); 4];
        }
        // Machines tell levels in 256ths.
        TextureQuery::Level => {
            return [0, 1, 2, 3].map(|channel: u32| bits((scramble(state ^ channel) >> 24) as f32 / 256.0));
        }
        _ => {}
    }
    [0, 1, 2, 3].map(|channel: u32| {
        // Between 0 and 1, on a grid that keeps sums of a few exact.
        blurred((scramble(state ^ channel) >> 20) as f32 / 4096.0, channel)
    })
}

/// Makes one question of those that are the same to every texture.
fn plain_question(texture: &mut Texture, operands: &mut SmallVec<[u32; 8]>) {
    if texture.query == TextureQuery::Texel {
        // An offset only says another place.
        for (place, step) in operands.iter_mut().zip(texture.offset).take(texture.shape.axes()) {
            *place = place.wrapping_add_signed(step.into());
        }
        texture.offset = [0; 3];
        let given = texture.level == TextureLevel::Given && operands.last() == Some(&0);
        if texture.shape == TextureShape::Line && given {
            texture.shape = TextureShape::Buffer;
            texture.level = TextureLevel::Quad;
            operands.pop();
        }
        return;
    }
    if matches!(texture.query, TextureQuery::Size | TextureQuery::Samples) {
        return;
    }
    // There are no two places at zero.
    for word in operands.iter_mut().filter(|word| f32::from_bits(**word) == 0.0) {
        *word = 0;
    }
    if texture.query == TextureQuery::Level {
        return;
    }
    if texture.shape.is_array()
        && let Some(layer) = operands.get_mut(texture.shape.coordinates() - 1)
    {
        // The largest number keeps a NaN from being one.
        *layer = f32::from_bits(*layer).max(0.0).round_ties_even().to_bits();
    }
    let is_cube = texture.shape.is_cube();
    if is_cube && texture.level == TextureLevel::Gradients {
        cube_gradients(texture.level_operands(), operands);
    }
    if is_cube && let [x, y, z, ..] = operands.as_mut_slice() {
        let most = [*x, *y, *z].map(|word| f32::from_bits(word).abs()).into_iter().fold(0.0, f32::max);
        if most.is_normal() {
            for word in [x, y, z] {
                // What rounding leaves of the proportions.
                *word = ((f32::from_bits(*word) / most * 256.0).round_ties_even() + 0.0).to_bits();
            }
        }
    }
}

/// Gradients of a direction as those of the place on the cube to which it leads, which all its multiples share.
fn cube_gradients(count: usize, operands: &mut [u32]) {
    let Some((direction, gradients)) = operands.split_at_mut_checked(operands.len().saturating_sub(count))
    else {
        return;
    };
    let place = |direction: [f32; 3]| {
        let most = direction.into_iter().map(f32::abs).fold(0.0, f32::max);
        if most.is_normal() { direction.map(|word| word / most) } else { direction }
    };
    let own: [f32; 3] =
        std::array::from_fn(|axis| direction.get(axis).map_or(0.0, |word| f32::from_bits(*word)));
    let here = place(own);
    for gradient in gradients.chunks_exact_mut(3) {
        let moved = place(std::array::from_fn(|axis| own[axis] + f32::from_bits(gradient[axis])));
        for axis in 0..3 {
            gradient[axis] = bits(moved[axis] - here[axis]);
        }
    }
}

/// A value of a neighbour where there are none: a part more or less than the pixel's own, so that slopes tell their
/// values apart, and what is zero has none.
pub fn probe_quad(side: QuadSide, value: u32) -> u32 {
    let step = match side {
        QuadSide::Left => 0.0,
        QuadSide::Right => 0.125,
        QuadSide::Lower => -0.25,
        QuadSide::Upper => 0.5,
    };
    // No machine says what it does with a neighbour so small.
    let flushed = |value: f32| if value.is_subnormal() { 0.0 * value } else { value };
    let value = flushed(f32::from_bits(value));
    flushed(value + value * step).to_bits()
}

/// A value of another lane where there are none: near to the own one, and other for each lane.
pub fn probe_lane(value: u32, lane: u32) -> u32 {
    canonical(value) ^ (lane & 31)
}

/// Where a sample lies in a pixel that nothing says otherwise of: sixteenths from its centre, to the right and upwards,
/// -8 to 7. There are eight; what is counted on begins anew.
pub fn probe_sample(sample: u32) -> [i8; 2] {
    [5, 3].map(|factor| ((sample & 7) * factor + factor) as i8 % 16 - 8)
}

/// An input at another place of the pixel where there is no picture: near to the value at its own place. A pixel
/// that nothing says otherwise of is inside of its triangle whole, so that its middle is where it is covered too.
pub fn probe_place(place: InputPlace, value: u32, operands: &[u32]) -> u32 {
    let at;
    let (place, operands) = match (place, operands) {
        (InputPlace::Centroid, _) => return value,
        // A sample is a place like others.
        (InputPlace::Sample, [sample, ..]) => {
            at = probe_sample(*sample).map(|step| bits(f32::from(step) / 16.0));
            (InputPlace::Offset, &at[..])
        }
        other => other,
    };
    let state = operands.iter().fold(place as u32 + 1, |state, word| scramble(state ^ canonical(*word)));
    let step = (scramble(state) >> 28) as f32 / 256.0;
    bits(f32::from_bits(value) + step)
}

/// What an image answers where there is none: a function of everything that is asked. Sizes and what atomic
/// operations find are small integers, texels are floats from 0 to 1.
pub fn probe_image(image: Image, unit: u32, operands: &[u32]) -> [u32; 4] {
    let query = match image.query {
        ImageQuery::Load => 0,
        ImageQuery::Store => 1,
        ImageQuery::Atomic(op) => 4 + op as u32,
        ImageQuery::Size => 2,
    };
    let start = unit ^ (image.shape as u32) << 8 ^ query << 16 ^ 1 << 31;
    let state = operands.iter().fold(start, |state, word| scramble(state ^ canonical(*word)));
    [0, 1, 2, 3].map(|channel: u32| {
        let random = scramble(state ^ channel);
        match image.query {
            ImageQuery::Size => 1 + (random >> 24),
            ImageQuery::Atomic(_) => random >> 24,
            _ => ((random >> 20) as f32 / 4096.0).to_bits(),
        }
    })
}

/// A word of memory that nobody wrote, by its address: a float from 0 to 1.
pub fn probe_address(address: u64) -> u32 {
    let random = scramble(scramble(address as u32) ^ (address >> 32) as u32);
    ((random >> 20) as f32 / 4096.0).to_bits()
}

/// `count` bits of a word from number `offset` on; signed: the highest of them above.
pub fn bit_extract(word: u32, offset: u32, count: u32, signed: bool) -> u32 {
    let unused = 32 - count.min(32);
    if signed {
        let shifted = (word as i32) >> offset.min(31);
        // A shift by all bits would keep the word.
        if count == 0 { 0 } else { ((shifted << unused) >> unused) as u32 }
    } else {
        let shifted = word.checked_shr(offset).unwrap_or(0);
        if count == 0 { 0 } else { (shifted << unused) >> unused }
    }
}

/// `word` with `count` bits from number `offset` on replaced by the lowest of `insert`.
pub fn bit_insert(word: u32, insert: u32, offset: u32, count: u32) -> u32 {
    let low = if count >= 32 { u32::MAX } else { (1 << count) - 1 };
    let mask = low.checked_shl(offset).unwrap_or(0);
    word & !mask | insert.checked_shl(offset).unwrap_or(0) & mask
}

/// All NaNs are one.
fn canonical(word: u32) -> u32 {
    if f32::from_bits(word).is_nan() { 0x7FC0_0000 } else { word }
}

/// The bits of a result. Which NaN an operation gives depends on the processor and on how the compiler ordered the
/// operands; programs that go on to read the bits as an integer would see it, so all NaNs are `7FC00000`.
pub fn bits(result: f32) -> u32 {
    canonical(result.to_bits())
}

/// The finaliser of the MurmurHash3 family: every bit in changes half of the bits out.
fn scramble(word: u32) -> u32 {
    let word = (word ^ word >> 16).wrapping_mul(0x85EB_CA6B);
    let word = (word ^ word >> 13).wrapping_mul(0xC2B2_AE35);
    word ^ word >> 16
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every exponent and both signs, with mantissas at the edges and in between.
    fn samples() -> impl Iterator<Item = f32> {
        let mantissas =
            [0, 1, 2, 0x2A_AAAA, 0x3F_FFFF, 0x40_0000, 0x40_0001, 0x55_5555, 0x7F_FFFE, 0x7F_FFFF];
        let words = (0..512_u32).flat_map(move |top| mantissas.map(|mantissa| top << 23 | mantissa));
        words.chain((0..1 << 16).map(|n: u32| n.wrapping_mul(0x9E37_79B1))).map(f32::from_bits)
    }

    #[test]
    fn floor_is_the_one_of_libm() {
        for a in samples() {
            let (own, reference) = (floor(a), libm::floorf(a));
            assert!(
                own.to_bits() == reference.to_bits() || (own.is_nan() && reference.is_nan()),
                "{a:e}: {own}"
            );
        }
    }

    #[test]
    fn square_root_is_the_one_of_libm() {
        for a in samples() {
            let (own, reference) = (rsq(a), 1.0 / libm::sqrtf(a));
            assert!(
                own.to_bits() == reference.to_bits() || (own.is_nan() && reference.is_nan()),
                "{a:e}: {own}"
            );
        }
    }

    /// Distance in units in the last place from a reference in double precision.
    fn ulps(got: f32, exact: f64) -> f64 {
        let nearest = exact as f32;
        let ulp = f64::from(f32::from_bits((nearest.abs().to_bits()).max(0x0080_0000))) * 2.0_f64.powi(-23);
        (f64::from(got) - exact).abs() / ulp
    }

    #[test]
    fn exponential_and_logarithm_are_within_one_ulp() {
        for a in samples().filter(|a| a.is_finite()) {
            let exact = libm::exp2(f64::from(a));
            if exact < 3.0e38 {
                assert!(ulps(exp2(a), exact) <= 1.0, "2^{a:e} = {:e}", exp2(a));
            } else {
                assert!(exp2(a) >= 3.0e38);
            }
            if a > 0.0 {
                let exact = libm::log2(f64::from(a));
                assert!(ulps(log2(a), exact) <= 1.0, "log2({a:e}) = {:e}, {exact:e}", log2(a));
            }
        }
    }

    #[test]
    fn results_have_one_nan() {
        let nans = [0x7F80_0001, 0xFFC0_0000, 0x7FFF_FFFF].map(f32::from_bits);
        for nan in nans {
            assert_eq!(bits(nan), 0x7FC0_0000);
            assert_eq!(bits(rsq(nan)), 0x7FC0_0000);
        }
        assert_eq!(bits(rsq(-1.0)), 0x7FC0_0000);
        assert_eq!(bits(-0.0), 0x8000_0000);
    }

    #[test]
    fn edges_of_exponential_and_logarithm() {
        assert_eq!(exp2(f32::NEG_INFINITY), 0.0);
        assert_eq!(exp2(f32::INFINITY), f32::INFINITY);
        assert!(exp2(f32::NAN).is_nan());
        assert_eq!(exp2(128.0), f32::INFINITY);
        assert_eq!(exp2(-149.0), f32::from_bits(1));
        assert_eq!(exp2(-200.0), 0.0);
        assert_eq!(exp2(-0.0), 1.0);
        assert_eq!(log2(0.0), f32::NEG_INFINITY);
        assert_eq!(log2(-0.0), f32::NEG_INFINITY);
        assert!(log2(-1.0).is_nan());
        assert!(log2(f32::NAN).is_nan());
        assert_eq!(log2(f32::INFINITY), f32::INFINITY);
        assert_eq!(log2(f32::from_bits(1)), -149.0);
    }
}
