//! One pure operation on bits: what the interpreter and constant folding share.

use super::compounds;
use super::float::{Exact, approximate, compare, extremum, flush, integral, product, reciprocal_root, widen};
use crate::{CompareInt, FloatMode, MinMax, Op, Round, Type, Width, math};

/// Result of a pure operation that has exactly one, from the bits of its operands (zero-extended). `ty` is
/// the type of the first operand, which gives the width of an integer operation.
///
/// None for operations with effects, loads, variables, calls, [`Op::Normalize`] (several results), and
/// where operands are missing.
///
/// ```
/// use unshade_ir::{FloatMode, Op, Type, exec::evaluate};
/// let (one, two) = (1.0f32.to_bits().into(), 2.0f32.to_bits().into());
/// assert_eq!(evaluate(&Op::FAdd(FloatMode::F32), Type::B32, &[one, two]), Some(3.0f32.to_bits().into()));
/// ```
pub fn evaluate(op: &Op, ty: Type, args: &[u64]) -> Option<u64> {
    Some(match (*op, args) {
        (Op::Bool(value), []) => value.into(),
        (Op::B32(bits), []) => bits.into(),
        (Op::B16(bits), []) => bits.into(),
        (Op::B64(bits), []) => bits,
        (Op::Select, &[condition, a, b]) => {
            if condition != 0 {
                a
            } else {
                b
            }
        }
        (Op::FAdd(FloatMode::F32), &[a, b]) => bits(single(a) + single(b)),
        (Op::FMul(FloatMode::F32, rule), &[a, b]) => bits(math::mul(single(a), single(b), rule)),
        (Op::FMin(FloatMode::F32, rule), &[a, b]) => bits(math::min(single(a), single(b), rule)),
        (Op::FMax(FloatMode::F32, rule), &[a, b]) => bits(math::max(single(a), single(b), rule)),
        (Op::FRcp(FloatMode::F32), &[a]) => bits(math::rcp(single(a))),
        (Op::FNeg(width), &[a]) => a ^ sign(width),
        (Op::FAbs(width), &[a]) => a & !sign(width),
        (Op::FIsNan(width), &[a]) => widen(width, a).is_nan().into(),
        (Op::FToS(width, round), &[a]) => u64::from(integral(widen(width, a), round) as i32 as u32),
        (Op::FToU(width, round), &[a]) => u64::from(integral(widen(width, a), round) as u32),
        (Op::FToS64(width, round), &[a]) => integral(widen(width, a), round) as i64 as u64,
        (Op::FToU64(width, round), &[a]) => integral(widen(width, a), round) as u64,
        (Op::SToF(mode), &[a]) if ty == Type::B64 => Exact::integer((a as i64).into()).round(mode),
        (Op::UToF(mode), &[a]) if ty == Type::B64 => Exact::integer(a.into()).round(mode),
        (Op::SToF(mode), &[a]) => Exact::of(f64::from(a as u32 as i32)).round(mode),
        (Op::UToF(mode), &[a]) => Exact::of(f64::from(a as u32)).round(mode),
        (Op::FConvert(from, mode), &[a]) => {
            let a = flush(FloatMode { width: from, ..mode }, a);
            Exact::of(widen(from, a)).round(mode)
        }
        (Op::BToI, &[a]) => a,
        (Op::Dot(lanes), args) if args.len() == 2 * usize::from(lanes) => {
            let (a, b) = args.split_at(lanes.into());
            bits(dot(a, b))
        }
        (Op::Length(lanes), args) if args.len() == usize::from(lanes) => bits(libm::sqrtf(dot(args, args))),
        (Op::Pow, &[a, b]) => bits(math::exp2(single(b) * math::log2(single(a)))),
        (Op::Clamp, &[a, low, high]) => {
            let rule = MinMax::SecondUnlessOrdered;
            bits(math::min(math::max(single(a), single(low), rule), single(high), rule))
        }
        (Op::Mix, &[a, b, t]) => bits(single(a) + (single(b) - single(a)) * single(t)),
        (Op::Fract, &[a]) => bits(single(a) - math::floor(single(a))),
        (Op::Compound(compound), args) if args.len() == compound.operands() => {
            let arg = |n: usize| args.get(n).map_or(0.0, |bits| single(*bits));
            bits(compounds::value(compound, [arg(0), arg(1), arg(2)]))
        }
        (Op::Exponent, &[a]) => libm::frexpf(single(a)).1 as u32 as u64,
        (Op::PackNorm(norm), args) if args.len() == norm.fields() => {
            let mask = (1_u64 << norm.bits()) - 1;
            let field =
                |(n, a): (usize, &u64)| (math::packed(single(*a), norm) & mask) << (n as u32 * norm.bits());
            args.iter().enumerate().map(field).fold(0, |word, field| word | field)
        }
        (Op::UnpackNorm(norm, field), &[a]) => {
            bits(math::unpacked((a >> (u32::from(field) * norm.bits()).min(31)) as u32, norm))
        }
        (op, args) => {
            return float(&op, args).or_else(|| bit_fields(&op, ty, args)).or_else(|| integer(&op, ty, args));
        }
    })
}

/// The results of [`Op::Cross`].
pub fn cross(args: &[u64], results: &mut [u64]) {
    let arg = |n: usize| args.get(n).map_or(0.0, |bits| single(*bits));
    for (result, (i, j)) in results.iter_mut().zip([(1, 2), (2, 0), (0, 1)]) {
        *result = bits(arg(i) * arg(3 + j) - arg(j) * arg(3 + i));
    }
}

/// The results of [`Op::Refract`].
pub fn refract(args: &[u64], results: &mut [u64]) {
    let (incident, rest) = args.split_at(results.len().min(args.len()));
    let (normal, eta) = rest.split_at(results.len().min(rest.len()));
    let (along, eta) = (dot(normal, incident), eta.first().map_or(0.0, |eta| single(*eta)));
    let factors = math::refraction(along, eta);
    for ((result, incident), normal) in results.iter_mut().zip(incident).zip(normal) {
        *result = factors.map_or(0, |(i, n)| bits(single(*incident) * i - single(*normal) * n));
    }
}

/// The results of [`Op::InverseTimes`], or those of [`Op::TimesInverse`], where the vector comes first.
pub fn inverse(args: &[u64], vector_first: bool, results: &mut [u64]) {
    let size = results.len().clamp(1, 4);
    let mut vectors = args.chunks(size).map(|list| {
        let mut vector = [0.0; 4];
        vector.iter_mut().zip(list).for_each(|(lane, word)| *lane = single(*word));
        vector
    });
    let mut columns = [[0.0; 4]; 4];
    for column in &mut columns[..size] {
        *column = vectors.next().unwrap_or_default();
    }
    let vector = vectors.next().unwrap_or_default();
    let product = crate::inverse::product(&columns, size, vector, vector_first);
    results.iter_mut().zip(product).for_each(|(result, lane)| *result = bits(lane));
}

/// The results of [`Op::Normalize`]: the operands scaled to length 1.
pub fn normalize(args: &[u64], results: &mut [u64]) {
    let scale = math::rsq(dot(args, args));
    for (arg, result) in args.iter().zip(results) {
        *result = bits(single(*arg) * scale);
    }
}

fn single(bits: u64) -> f32 {
    f32::from_bits(bits as u32)
}

fn bits(value: f32) -> u64 {
    math::bits(value).into()
}

fn dot(a: &[u64], b: &[u64]) -> f32 {
    let mut products = a.iter().zip(b).map(|(a, b)| single(*a) * single(*b));
    let first = products.next().unwrap_or(0.0);
    products.fold(first, |sum, product| sum + product)
}

fn sign(width: Width) -> u64 {
    match width {
        Width::F16 => 1 << 15,
        Width::F32 => 1 << 31,
        Width::F64 => 1 << 63,
    }
}

/// `a + b` rounded once. What cancels is a negative zero where rounding goes down.
fn sum(a: f64, b: f64, mode: FloatMode) -> u64 {
    if mode.round == Round::Down && a == -b && a.is_sign_negative() != b.is_sign_negative() {
        return sign(mode.width);
    }
    Exact::add(a, b).round(mode)
}

/// The sum of two binary64 rounded once to binary32.
pub(crate) fn sum_to_single(a: u64, b: u64, round: Round) -> u64 {
    sum(f64::from_bits(a), f64::from_bits(b), FloatMode { round, ..FloatMode::F32 })
}

/// Float operations in general: any width, rounding and flushing.
fn float(op: &Op, args: &[u64]) -> Option<u64> {
    let operand = |mode: FloatMode, n: usize| Some(widen(mode.width, flush(mode, *args.get(n)?)));
    Some(match *op {
        Op::FAdd(mode) => sum(operand(mode, 0)?, operand(mode, 1)?, mode),
        Op::FMul(mode, rule) => Exact::mul(operand(mode, 0)?, operand(mode, 1)?, rule).round(mode),
        Op::FFma(mode, rule) => {
            let (a, b, c) = (operand(mode, 0)?, operand(mode, 1)?, operand(mode, 2)?);
            let first = product(a, b, rule);
            if mode.width != Width::F64 || first == -c && Exact::mul(a, b, rule).is_exact() {
                // The product is exact.
                sum(first, c, mode)
            } else {
                Exact::fma(a, b, c, rule).round(mode)
            }
        }
        Op::FDiv(mode) => Exact::div(operand(mode, 0)?, operand(mode, 1)?).round(mode),
        Op::FMin(mode, rule) => {
            Exact::of(extremum(false, rule, operand(mode, 0)?, operand(mode, 1)?)).round(mode)
        }
        Op::FMax(mode, rule) => {
            Exact::of(extremum(true, rule, operand(mode, 0)?, operand(mode, 1)?)).round(mode)
        }
        Op::FRound(mode, round) => Exact::of(integral(operand(mode, 0)?, round)).round(mode),
        Op::FSaturate(mode) => {
            let a = operand(mode, 0)?;
            // NaN fails the first comparison; -0 becomes +0.
            Exact::of(if a > 0.0 { a.min(1.0) } else { 0.0 }).round(mode)
        }
        Op::FRcp(mode) => Exact::div(1.0, operand(mode, 0)?).round(mode),
        Op::FRsq(mode) => reciprocal_root(mode, operand(mode, 0)?),
        Op::FSqrt(mode) => Exact::sqrt(operand(mode, 0)?).round(mode),
        Op::FExp2(mode) => approximate(mode, operand(mode, 0)?, math::exp2, libm::exp2),
        Op::FLog2(mode) => approximate(mode, operand(mode, 0)?, math::log2, libm::log2),
        Op::FSin(mode) => approximate(mode, operand(mode, 0)?, libm::sinf, libm::sin),
        Op::FCos(mode) => approximate(mode, operand(mode, 0)?, libm::cosf, libm::cos),
        Op::FAtan(mode) => approximate(mode, operand(mode, 0)?, libm::atanf, libm::atan),
        Op::FAtan2(mode) => {
            let (y, x) = (operand(mode, 0)?, operand(mode, 1)?);
            approximate(mode, y, |y| libm::atan2f(y, x as f32), |y| libm::atan2(y, x))
        }
        Op::FCompare(comparison, mode) => compare(comparison, operand(mode, 0)?, operand(mode, 1)?).into(),
        _ => return None,
    })
}

/// Fields and numbers of bits.
fn bit_fields(op: &Op, ty: Type, args: &[u64]) -> Option<u64> {
    let word = |n: usize| args.get(n).map(|arg| *arg as u32);
    let a = word(0)?;
    Some(match *op {
        Op::Low if ty == Type::B64 => a.into(),
        Op::Low => u64::from(a & 0xFFFF),
        Op::High if ty == Type::B64 => args.first()? >> 32,
        Op::High => u64::from(a >> 16),
        Op::Join if ty == Type::B16 => u64::from(a & 0xFFFF | word(1)? << 16),
        Op::Join => u64::from(a) | u64::from(word(1)?) << 32,
        Op::BitCount => a.count_ones().into(),
        Op::BitReverse => a.reverse_bits().into(),
        Op::UFindMsb => find_msb(a).into(),
        Op::SFindMsb => find_msb(if (a as i32) < 0 { !a } else { a }).into(),
        Op::FindLsb => if a == 0 { u32::MAX } else { a.trailing_zeros() }.into(),
        Op::UBitExtract => math::bit_extract(a, word(1)?, word(2)?, false).into(),
        Op::SBitExtract => math::bit_extract(a, word(1)?, word(2)?, true).into(),
        Op::BitInsert => math::bit_insert(a, word(1)?, word(2)?, word(3)?).into(),
        _ => return None,
    })
}

/// Number of the highest 1; all ones where there is none.
fn find_msb(word: u32) -> u32 {
    31u32.wrapping_sub(word.leading_zeros())
}

/// Integers: in 64 bits, cut to the width afterwards.
fn integer(op: &Op, ty: Type, args: &[u64]) -> Option<u64> {
    let width: u64 = match ty {
        Type::Bool => 1,
        Type::B16 => 16,
        Type::B32 => 32,
        Type::B64 => 64,
    };
    let unused = 64 - width as u32;
    let extend = |bits: u64| ((bits << unused) as i64) >> unused;
    let a = *args.first()?;
    let b = args.get(1).copied();
    let result = match *op {
        Op::IAdd => a.wrapping_add(b?),
        Op::ISub => a.wrapping_sub(b?),
        Op::IMul => a.wrapping_mul(b?),
        Op::INeg => a.wrapping_neg(),
        Op::And => a & b?,
        Op::Or => a | b?,
        Op::Xor => a ^ b?,
        Op::Not => !a,
        Op::Shl => {
            if b? < width {
                a << b?
            } else {
                0
            }
        }
        Op::ShrU => {
            if b? < width {
                a >> b?
            } else {
                0
            }
        }
        Op::ShrS => (extend(a) >> b?.min(width - 1)) as u64,
        Op::SMin => extend(a).min(extend(b?)) as u64,
        Op::SMax => extend(a).max(extend(b?)) as u64,
        Op::UMin => a.min(b?),
        Op::UMax => a.max(b?),
        Op::SMulHigh => ((i128::from(extend(a)) * i128::from(extend(b?))) >> width) as u64,
        Op::UMulHigh => ((u128::from(a) * u128::from(b?)) >> width) as u64,
        Op::SDiv => match extend(b?) {
            0 => 0,
            b => extend(a).wrapping_div(b) as u64,
        },
        Op::UDiv => a.checked_div(b?).unwrap_or(u64::MAX),
        Op::SRem => match extend(b?) {
            0 => a,
            b => extend(a).wrapping_rem(b) as u64,
        },
        Op::URem => a.checked_rem(b?).unwrap_or(a),
        Op::ICompare(comparison) => {
            let b = b?;
            return Some(u64::from(match comparison {
                CompareInt::Eq => a == b,
                CompareInt::Ne => a != b,
                CompareInt::Slt => extend(a) < extend(b),
                CompareInt::Sle => extend(a) <= extend(b),
                CompareInt::Ult => a < b,
                CompareInt::Ule => a <= b,
            }));
        }
        _ => return None,
    };
    Some(result << unused >> unused)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{CompareFloat, Multiply};

    fn b32(op: Op, args: &[u32]) -> u32 {
        let args: Vec<u64> = args.iter().map(|arg| (*arg).into()).collect();
        evaluate(&op, Type::B32, &args).unwrap() as u32
    }

    fn floats(op: Op, args: &[f32]) -> f32 {
        let args: Vec<u32> = args.iter().map(|arg| arg.to_bits()).collect();
        f32::from_bits(b32(op, &args))
    }

    #[test]
    fn comparisons_turn_round() {
        use CompareFloat::{Eq, Ge, Gt, Le, Lt, Ne};
        let numbers = [0.0, -0.0, 1.5, -1.5, f32::INFINITY, f32::NEG_INFINITY, f32::NAN].map(f32::to_bits);
        let negated = |bits: u32| bits ^ 1 << 31;
        for by in [Eq, Ne, Lt, Le, Gt, Ge] {
            for (a, b) in numbers.iter().flat_map(|a| numbers.map(|b| (*a, b))) {
                let compared = b32(Op::FCompare(by, FloatMode::F32), &[a, b]);
                let turned = Op::FCompare(by.turned(), FloatMode::F32);
                assert_eq!(b32(turned, &[b, a]), compared, "{by:?} {a:x} {b:x}");
                assert_eq!(b32(turned, &[negated(a), negated(b)]), compared, "{by:?} -{a:x} -{b:x}");
            }
        }
    }

    #[test]
    fn integers_wrap_and_shift_as_documented() {
        assert_eq!(b32(Op::IAdd, &[u32::MAX, 2]), 1);
        assert_eq!(b32(Op::INeg, &[1]), u32::MAX);
        assert_eq!(b32(Op::Shl, &[1, 31]), 1 << 31);
        assert_eq!(b32(Op::Shl, &[1, 32]), 0);
        assert_eq!(b32(Op::ShrU, &[u32::MAX, u32::MAX]), 0);
        assert_eq!(b32(Op::ShrS, &[1 << 31, 99]), u32::MAX);
        assert_eq!(b32(Op::SMin, &[1, u32::MAX]), u32::MAX);
        assert_eq!(b32(Op::SMax, &[1, u32::MAX]), 1);
        assert_eq!(b32(Op::UMin, &[1, u32::MAX]), 1);
        assert_eq!(b32(Op::UMax, &[1, u32::MAX]), u32::MAX);
        assert_eq!(b32(Op::SMulHigh, &[u32::MAX, 3]), u32::MAX);
        assert_eq!(b32(Op::UMulHigh, &[u32::MAX, 3]), 2);
        assert_eq!(evaluate(&Op::UMulHigh, Type::B64, &[u64::MAX, u64::MAX]), Some(u64::MAX - 1));
        assert_eq!(evaluate(&Op::Not, Type::Bool, &[0]), Some(1));
        assert_eq!(evaluate(&Op::ICompare(CompareInt::Slt), Type::B32, &[0xFFFF_FFFF, 0]), Some(1));
        assert_eq!(evaluate(&Op::ICompare(CompareInt::Ult), Type::B32, &[0xFFFF_FFFF, 0]), Some(0));
        assert_eq!(evaluate(&Op::IAdd, Type::B64, &[u64::MAX, 2]), Some(1));
    }

    #[test]
    fn every_division_has_a_result() {
        let (smallest, minus_one) = (1 << 31, u32::MAX);
        assert_eq!(b32(Op::SDiv, &[-7i32 as u32, 2]), -3i32 as u32);
        assert_eq!(b32(Op::SRem, &[-7i32 as u32, 2]), minus_one);
        assert_eq!(b32(Op::SDiv, &[7, 0]), 0);
        assert_eq!(b32(Op::SRem, &[7, 0]), 7);
        assert_eq!(b32(Op::SDiv, &[smallest, minus_one]), smallest);
        assert_eq!(b32(Op::SRem, &[smallest, minus_one]), 0);
        assert_eq!(b32(Op::UDiv, &[minus_one, 2]), i32::MAX as u32);
        assert_eq!(b32(Op::UDiv, &[7, 0]), u32::MAX);
        assert_eq!(b32(Op::URem, &[minus_one, 10]), 5);
        assert_eq!(b32(Op::URem, &[7, 0]), 7);
    }

    #[test]
    fn conversions_saturate_and_nan_is_zero() {
        let to = |op, value: f32| b32(op, &[value.to_bits()]);
        let signed = Op::FToS(Width::F32, Round::Zero);
        assert_eq!(to(signed, -1.9), -1i32 as u32);
        assert_eq!(to(signed, 1e20), i32::MAX as u32);
        assert_eq!(to(signed, f32::NAN), 0);
        assert_eq!(to(Op::FToS(Width::F32, Round::Nearest), 2.5), 2);
        assert_eq!(to(Op::FToU(Width::F32, Round::Up), 2.1), 3);
        assert_eq!(to(Op::FToU(Width::F32, Round::Zero), -5.0), 0);
        assert_eq!(f32::from_bits(b32(Op::SToF(FloatMode::F32), &[-3i32 as u32])), -3.0);
        assert_eq!(f32::from_bits(b32(Op::UToF(FloatMode::F32), &[u32::MAX])), 4294967296.0);
    }

    #[test]
    fn multiply_rules_differ_where_they_say() {
        let mul = |rule, a, b| floats(Op::FMul(FloatMode::F32, rule), &[a, b]);
        assert!(mul(Multiply::Ieee, 0.0, f32::INFINITY).is_nan());
        assert_eq!(mul(Multiply::InfTimesZero, f32::NEG_INFINITY, 0.0).to_bits(), 0);
        assert!(mul(Multiply::InfTimesZero, 0.0, f32::NAN).is_nan());
        assert_eq!(mul(Multiply::InfTimesZero, -1.0, 0.0).to_bits(), 1 << 31);
        assert_eq!(mul(Multiply::ZeroWins, 0.0, f32::NAN).to_bits(), 0);
    }

    #[test]
    fn denormals_are_flushed_where_the_mode_says_so() {
        let mode = FloatMode { flush: true, ..FloatMode::F32 };
        let tiny = f32::from_bits(1);
        assert_eq!(floats(Op::FAdd(mode), &[-tiny, -0.0]).to_bits(), 1 << 31);
        assert_eq!(floats(Op::FMul(mode, Multiply::Ieee), &[f32::MIN_POSITIVE, 0.5]).to_bits(), 0);
        assert_eq!(evaluate(&Op::FCompare(CompareFloat::Eq, mode), Type::B32, &[1, 0]), Some(1));
    }

    #[test]
    fn compounds() {
        assert_eq!(floats(Op::Dot(3), &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]), 32.0);
        assert_eq!(floats(Op::Length(2), &[3.0, 4.0]), 5.0);
        assert_eq!(floats(Op::Pow, &[2.0, 3.0]), 8.0);
        assert_eq!(floats(Op::Clamp, &[7.0, 0.0, 1.0]), 1.0);
        assert_eq!(floats(Op::Mix, &[2.0, 4.0, 0.5]), 3.0);
        assert_eq!(floats(Op::Fract, &[-0.25]), 0.75);
        let mut results = [0; 2];
        normalize(&[3.0f32.to_bits().into(), 4.0f32.to_bits().into()], &mut results);
        assert!((f32::from_bits(results[0] as u32) - 0.6).abs() < 1e-6);
    }

    #[test]
    fn bits_of_words() {
        assert_eq!(b32(Op::BitCount, &[0xF0F0_0001]), 9);
        assert_eq!(b32(Op::BitReverse, &[1]), 1 << 31);
        assert_eq!(b32(Op::UFindMsb, &[0x10]), 4);
        assert_eq!(b32(Op::UFindMsb, &[0]), u32::MAX);
        assert_eq!([0, 1, 0x50].map(|a| b32(Op::FindLsb, &[a])), [u32::MAX, 0, 4]);
        assert_eq!(b32(Op::SFindMsb, &[u32::MAX - 1]), 0);
        assert_eq!(b32(Op::SFindMsb, &[u32::MAX]), u32::MAX);
        assert_eq!(b32(Op::UBitExtract, &[0xABCD_1234, 4, 8]), 0x23);
        assert_eq!(b32(Op::UBitExtract, &[0xABCD_1234, 28, 8]), 0xA);
        assert_eq!(b32(Op::UBitExtract, &[0xABCD_1234, 40, 8]), 0);
        assert_eq!(b32(Op::UBitExtract, &[0xABCD_1234, 0, 40]), 0xABCD_1234);
        assert_eq!(b32(Op::SBitExtract, &[0x0000_0F80, 4, 8]), 0xFFFF_FFF8);
        assert_eq!(b32(Op::SBitExtract, &[0x8000_0000, 99, 3]), u32::MAX);
        assert_eq!(b32(Op::SBitExtract, &[u32::MAX, 3, 0]), 0);
        assert_eq!(b32(Op::BitInsert, &[0xFFFF_FFFF, 0, 8, 4]), 0xFFFF_F0FF);
        assert_eq!(b32(Op::BitInsert, &[0, 0xFF, 28, 8]), 0xF000_0000);
        assert_eq!(b32(Op::BitInsert, &[7, 0xFF, 32, 8]), 7);
        assert_eq!(b32(Op::BitInsert, &[7, 9, 0, 32]), 9);
    }

    #[test]
    fn widths_change() {
        let mode = |width| FloatMode { width, ..FloatMode::F32 };
        let third = (1.0f64 / 3.0).to_bits();
        assert_eq!(
            evaluate(&Op::FConvert(Width::F64, FloatMode::F32), Type::B64, &[third]),
            Some((1.0f32 / 3.0).to_bits().into())
        );
        let half = Op::FConvert(Width::F32, mode(Width::F16));
        assert_eq!(evaluate(&half, Type::B32, &[1.0f32.to_bits().into()]), Some(0x3C00));
        let back = Op::FConvert(Width::F16, FloatMode::F32);
        assert_eq!(evaluate(&back, Type::B16, &[0x3C00]), Some(1.0f32.to_bits().into()));
        let down = FloatMode { round: Round::Zero, ..mode(Width::F16) };
        let narrow = Op::FConvert(Width::F32, down);
        assert_eq!(evaluate(&narrow, Type::B32, &[1.0009f32.to_bits().into()]), Some(0x3C00));
        assert_eq!(evaluate(&Op::Join, Type::B32, &[1, 2]), Some(2 << 32 | 1));
        assert_eq!(evaluate(&Op::Join, Type::B16, &[1, 2]), Some(2 << 16 | 1));
        assert_eq!(evaluate(&Op::High, Type::B64, &[2 << 32 | 1]), Some(2));
        assert_eq!(evaluate(&Op::High, Type::B32, &[2 << 16 | 1]), Some(2));
        assert_eq!(evaluate(&Op::Low, Type::B32, &[2 << 16 | 1]), Some(1));
        let to_single = Op::UToF(FloatMode::F32);
        // One above a tie: in one step it rounds upwards, by way of binary64 it would not.
        let above = (1u64 << 63) + (1 << 39) + 1;
        assert_eq!(
            evaluate(&to_single, Type::B64, &[above]),
            Some(u64::from((2.0f32.powi(63)).to_bits() + 1))
        );
        assert_eq!(
            evaluate(&Op::FToS64(Width::F64, Round::Zero), Type::B64, &[(-1.5f64).to_bits()]),
            Some(u64::MAX)
        );
        assert_eq!(
            evaluate(&Op::FToU64(Width::F32, Round::Zero), Type::B32, &[f32::MAX.to_bits().into()]),
            Some(u64::MAX)
        );
    }

    #[test]
    fn effects_have_no_value() {
        assert_eq!(evaluate(&Op::EmitVertex(0), Type::B32, &[]), None);
        assert_eq!(evaluate(&Op::Normalize(2), Type::B32, &[0, 0]), None);
    }
}
