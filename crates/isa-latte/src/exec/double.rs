//! Operations on 64-bit floats, which take several vector units.
//!
//! A pair is the units x and y, or z and w. The first of a pair reads the high words of its sources, the second the
//! low ones; the low word of the result is that of the first unit, the high word that of the second. Products take
//! all four units on the machine: x, y and z then read high words, w reads low ones, and the result lies in x and
//! y. Here a product in one pair alone is done like a sum.
//!
//! | operation | result |
//! |---|---|
//! | FLT64_TO_FLT32 | binary32 in the first unit, 0 in the second |
//! | FLT32_TO_FLT64 | of the first unit's source |
//! | LDEXP_64 | a * 2^b, b an integer, the first unit's source |
//! | FRACT_64 | a - floor(a) |
//! | FREXP_64 | in four units: exponent in y, mantissa (0.5 to 1) in z and w; in a pair the mantissa alone |
//! | PRED_SETcc_64 | 0.0 in both units where the predicate holds, else 1.0 |
//! | MULADD_64 | rounded twice; _M2, _M4, _D2 then times 2, 4, 0.5 |

use super::super::table::AluOp;

/// Sources of one unit.
type Sources = [u32; 3];

/// Results of two units, and the predicate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Pair {
    /// Result of the first unit.
    pub(super) low: u32,
    /// Result of the second.
    pub(super) high: u32,
    pub(super) predicate: Option<bool>,
}

impl Pair {
    fn of(value: f64) -> Self {
        let bits = value.to_bits();
        Self { low: bits as u32, high: (bits >> 32) as u32, predicate: None }
    }

    fn predicate(holds: bool) -> Self {
        let bits = if holds { 0 } else { 1.0_f32.to_bits() };
        Self { low: bits, high: bits, predicate: Some(holds) }
    }
}

fn number(high: u32, low: u32) -> f64 {
    f64::from_bits(u64::from(high) << 32 | u64::from(low))
}

/// An operation of two units, by the sources of those that read high words and low words. `None` where it is none.
pub(super) fn pair(op: AluOp, high: Sources, low: Sources) -> Option<Pair> {
    let [a, b, c] = [0, 1, 2].map(|n: usize| number(high[n], low[n]));
    Some(match op {
        AluOp::Add64 => Pair::of(a + b),
        AluOp::Mul64 => Pair::of(a * b),
        AluOp::MulAdd64 => Pair::of(a * b + c),
        AluOp::MulAdd64M2 => Pair::of((a * b + c) * 2.0),
        AluOp::MulAdd64M4 => Pair::of((a * b + c) * 4.0),
        AluOp::MulAdd64D2 => Pair::of((a * b + c) * 0.5),
        AluOp::Flt64ToFlt32 => Pair { low: (a as f32).to_bits(), high: 0, predicate: None },
        AluOp::Flt32ToFlt64 => Pair::of(f32::from_bits(high[0]).into()),
        AluOp::Ldexp64 => Pair::of(scaled(a, high[1] as i32)),
        AluOp::Fract64 => Pair::of(a - a.floor()),
        AluOp::Frexp64 => Pair::of(split(a).0),
        AluOp::PredSetGt64 => Pair::predicate(a > b),
        AluOp::PredSetE64 => Pair::predicate(a == b),
        AluOp::PredSetGe64 => Pair::predicate(a >= b),
        _ => return None,
    })
}

/// Whether an operation in all four units is one of four, not two of pairs.
pub(super) fn takes_four(op: AluOp) -> bool {
    matches!(
        op,
        AluOp::Mul64
            | AluOp::MulAdd64
            | AluOp::MulAdd64M2
            | AluOp::MulAdd64M4
            | AluOp::MulAdd64D2
            | AluOp::Frexp64
    )
}

/// Such an operation, by the sources of the four units.
pub(super) fn four(op: AluOp, sources: [Sources; 4]) -> Option<[u32; 4]> {
    if op == AluOp::Frexp64 {
        let (mantissa, exponent) = split(number(sources[0][0], sources[1][0]));
        let Pair { low, high, .. } = Pair::of(mantissa);
        return Some([0, exponent as u32, low, high]);
    }
    let Pair { low, high, .. } = pair(op, sources[0], sources[3])?;
    Some([low, high, low, high])
}

/// `a * 2^exponent`, rounded once.
fn scaled(a: f64, exponent: i32) -> f64 {
    // In three steps that are exact but for the last one.
    let mut left = exponent.clamp(-2200, 2200);
    let mut value = a;
    for _ in 0..3 {
        let step = left.clamp(-1000, 1000);
        value *= f64::from_bits(((1023 + i64::from(step)) as u64) << 52);
        left -= step;
    }
    value
}

/// Mantissa, 0.5 to 1 in size, and exponent; zero, infinity and NaN as they are, with exponent 0.
fn split(a: f64) -> (f64, i32) {
    if a == 0.0 || !a.is_finite() {
        return (a, 0);
    }
    let (normal, shift) =
        if a.abs() < f64::MIN_POSITIVE { (a * f64::from_bits(0x4350_0000_0000_0000), 54) } else { (a, 0) };
    let bits = normal.to_bits();
    let exponent = (bits >> 52 & 0x7FF) as i32 - 1022;
    (f64::from_bits(bits & !(0x7FF << 52) | 1022 << 52), exponent - shift)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(value: f64) -> (u32, u32) {
        ((value.to_bits() >> 32) as u32, value.to_bits() as u32)
    }

    fn result(op: AluOp, a: f64, b: f64, c: f64) -> f64 {
        let [(ah, al), (bh, bl), (ch, cl)] = [a, b, c].map(words);
        let Pair { low, high, .. } = pair(op, [ah, bh, ch], [al, bl, cl]).unwrap();
        number(high, low)
    }

    #[test]
    fn arithmetic() {
        assert_eq!(result(AluOp::Add64, 1.5, 2.25, 0.0), 3.75);
        assert_eq!(result(AluOp::Mul64, 1.5, 2.0, 0.0), 3.0);
        assert_eq!(result(AluOp::MulAdd64M4, 1.5, 2.0, 1.0), 16.0);
        assert_eq!(result(AluOp::MulAdd64D2, 1.5, 2.0, 1.0), 2.0);
        assert_eq!(result(AluOp::Fract64, -0.25, 0.0, 0.0), 0.75);
        assert_eq!(result(AluOp::Frexp64, -12.0, 0.0, 0.0), -0.75);
        let [(high, _), _] = [12.0, 0.0].map(words);
        let ldexp = |exponent: i32| pair(AluOp::Ldexp64, [high, exponent as u32, 0], [0; 3]).unwrap();
        assert_eq!(number(ldexp(-3).high, ldexp(-3).low), 1.5);
        assert_eq!(number(ldexp(i32::MAX).high, 0), f64::INFINITY);
        assert_eq!(number(ldexp(i32::MIN).high, ldexp(i32::MIN).low), 0.0);
        let narrow = pair(AluOp::Flt64ToFlt32, [high, 0, 0], [0; 3]).unwrap();
        assert_eq!((f32::from_bits(narrow.low), narrow.high), (12.0, 0));
        let wide = pair(AluOp::Flt32ToFlt64, [12.0_f32.to_bits(), 0, 0], [7; 3]).unwrap();
        assert_eq!((wide.high, wide.low), words(12.0));
    }

    #[test]
    fn four_units() {
        let ((high, low), (factor, _)) = (words(0.1), words(2.0));
        let sources = [[high, factor, 0], [high, factor, 0], [high, factor, 0], [low, 0, 0]];
        let (high, low) = words(0.2);
        assert_eq!(four(AluOp::Mul64, sources), Some([low, high, low, high]));
        let (high, low) = words(12.0);
        let (mantissa, below) = words(0.75);
        assert_eq!(
            four(AluOp::Frexp64, [[high; 3], [low; 3], [0; 3], [0; 3]]),
            Some([0, 4, below, mantissa])
        );
        assert_eq!(split(f64::from_bits(1)), (0.5, -1073));
    }

    #[test]
    fn predicates() {
        let holds = |op, a, b| {
            let ((ah, al), (bh, bl)) = (words(a), words(b));
            pair(op, [ah, bh, 0], [al, bl, 0]).unwrap()
        };
        assert_eq!(holds(AluOp::PredSetGt64, 2.0, 1.0), Pair { low: 0, high: 0, predicate: Some(true) });
        assert_eq!(holds(AluOp::PredSetE64, 2.0, 1.0).predicate, Some(false));
        assert_eq!(holds(AluOp::PredSetGe64, f64::NAN, 1.0).low, 1.0_f32.to_bits());
    }
}
