//! The interpreter's numbers: each operation of the IR done at once, on bits.

use super::super::semantics::alu::{Arithmetic, FLOAT};
use unshade_ir::exec::evaluate;
use unshade_ir::{CompareFloat, CompareInt, MinMax, Multiply, Op, Round, Type, math};

/// Computes on bits. The common operations take a short way that gives the same bits as
/// [`evaluate`](unshade_ir::exec::evaluate()), which does the others.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Bits;

/// The canonical NaN of the IR's float operations.
const NAN: u32 = 0x7FC0_0000;

/// A float operand: zero of its sign for a denormal.
#[inline(always)]
fn operand(bits: u32) -> f32 {
    f32::from_bits(if bits & 0x7F80_0000 == 0 { bits & 0x8000_0000 } else { bits })
}

/// A float result.
#[inline(always)]
fn result(value: f32) -> u32 {
    let bits = value.to_bits();
    if bits & 0x7F80_0000 == 0 {
        bits & 0x8000_0000
    } else if value.is_nan() {
        NAN
    } else {
        bits
    }
}

fn whole(op: &Op, args: &[u32]) -> u32 {
    let mut wide = [0_u64; 3];
    for (wide, arg) in wide.iter_mut().zip(args) {
        *wide = (*arg).into();
    }
    let count = args.len().min(3);
    evaluate(op, Type::B32, &wide[..count]).unwrap_or_default() as u32
}

impl Arithmetic for Bits {
    type Word = u32;
    type Truth = bool;

    #[inline(always)]
    fn word(&mut self, bits: u32) -> u32 {
        bits
    }

    #[inline(always)]
    fn truth(&mut self, value: bool) -> bool {
        value
    }

    #[inline(always)]
    fn apply(&mut self, op: Op, args: &[u32]) -> u32 {
        match (op, args) {
            (Op::FAdd(FLOAT), &[a, b]) => result(operand(a) + operand(b)),
            (Op::FMul(FLOAT, rule), &[a, b]) => {
                let (a, b) = (operand(a), operand(b));
                match rule {
                    Multiply::ZeroWins if a == 0.0 || b == 0.0 => 0,
                    _ => result(a * b),
                }
            }
            (Op::FMin(FLOAT, MinMax::Number), &[a, b]) => {
                result(math::min(operand(a), operand(b), MinMax::Number))
            }
            (Op::FMax(FLOAT, MinMax::Number), &[a, b]) => {
                result(math::max(operand(a), operand(b), MinMax::Number))
            }
            (Op::FRound(FLOAT, Round::Down), &[a]) => result(math::floor(operand(a))),
            (Op::FSaturate(FLOAT), &[a]) => {
                let a = operand(a);
                result(if a > 0.0 { a.min(1.0) } else { 0.0 })
            }
            (Op::FRcp(FLOAT), &[a]) => result(1.0 / operand(a)),
            (Op::FNeg(_), &[a]) => a ^ 0x8000_0000,
            (Op::FAbs(_), &[a]) => a & 0x7FFF_FFFF,
            (Op::And, &[a, b]) => a & b,
            (Op::Or, &[a, b]) => a | b,
            (Op::Xor, &[a, b]) => a ^ b,
            (Op::Not, &[a]) => !a,
            (Op::IAdd, &[a, b]) => a.wrapping_add(b),
            (Op::ISub, &[a, b]) => a.wrapping_sub(b),
            (Op::IMul, &[a, b]) => a.wrapping_mul(b),
            (Op::INeg, &[a]) => a.wrapping_neg(),
            (op, args) => whole(&op, args),
        }
    }

    #[inline(always)]
    fn test(&mut self, op: Op, args: &[u32]) -> bool {
        match (op, args) {
            (Op::FCompare(comparison, FLOAT), &[a, b]) => {
                let (a, b) = (operand(a), operand(b));
                match comparison {
                    CompareFloat::Eq => a == b,
                    CompareFloat::Ne => a != b,
                    CompareFloat::Lt => a < b,
                    CompareFloat::Le => a <= b,
                    CompareFloat::Gt => a > b,
                    CompareFloat::Ge => a >= b,
                }
            }
            (Op::ICompare(comparison), &[a, b]) => match comparison {
                CompareInt::Eq => a == b,
                CompareInt::Ne => a != b,
                CompareInt::Slt => (a as i32) < b as i32,
                CompareInt::Sle => a as i32 <= b as i32,
                CompareInt::Ult => a < b,
                CompareInt::Ule => a <= b,
            },
            (op, args) => whole(&op, args) != 0,
        }
    }

    #[inline(always)]
    fn join(&mut self, op: Op, a: bool, b: bool) -> bool {
        match op {
            Op::And => a && b,
            _ => a || b,
        }
    }

    #[inline(always)]
    fn select(&mut self, condition: bool, a: u32, b: u32) -> u32 {
        if condition { a } else { b }
    }

    #[inline(always)]
    fn product_high(&mut self, signed: bool, a: u32, b: u32) -> u32 {
        if signed {
            ((i64::from(a as i32) * i64::from(b as i32)) >> 32) as u32
        } else {
            ((u64::from(a) * u64::from(b)) >> 32) as u32
        }
    }

    #[inline(always)]
    fn quotient(&mut self, a: u32, b: u32) -> u32 {
        a.checked_div(b).unwrap_or(u32::MAX)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use unshade_ir::Width;
    use unshade_isa_common::cases::{BOUNDARIES, Kind, Random};

    /// The short ways give what the IR's own interpreter gives, bit for bit.
    #[test]
    fn short_ways_are_the_long_way() {
        let mut random = Random::new(1, 0);
        let mut numbers: Vec<u32> = BOUNDARIES.iter().map(|value| value.to_bits()).collect();
        numbers.extend([0xFFC0_0001, 0x7F80_0001, 0x8000_0000, 0x807F_FFFF]);
        numbers.extend((0..200).map(|n| random.float(Kind::Full, n).to_bits()));
        let two = [
            Op::FAdd(FLOAT),
            Op::FMul(FLOAT, Multiply::Ieee),
            Op::FMul(FLOAT, Multiply::ZeroWins),
            Op::FMin(FLOAT, MinMax::Number),
            Op::FMax(FLOAT, MinMax::Number),
            Op::And,
            Op::Or,
            Op::Xor,
            Op::IAdd,
            Op::ISub,
            Op::IMul,
        ];
        let one = [
            Op::FRound(FLOAT, Round::Down),
            Op::FSaturate(FLOAT),
            Op::FRcp(FLOAT),
            Op::FNeg(Width::F32),
            Op::FAbs(Width::F32),
            Op::Not,
            Op::INeg,
        ];
        use CompareFloat as F;
        use CompareInt as I;
        let tests = [F::Eq, F::Ne, F::Lt, F::Le, F::Gt, F::Ge].map(|how| Op::FCompare(how, FLOAT));
        let integers = [I::Eq, I::Ne, I::Slt, I::Sle, I::Ult, I::Ule].map(Op::ICompare);
        for &a in &numbers {
            for op in one {
                assert_eq!(Bits.apply(op, &[a]), whole(&op, &[a]), "{op:?} {a:08x}");
            }
            for &b in &numbers {
                for op in two {
                    assert_eq!(Bits.apply(op, &[a, b]), whole(&op, &[a, b]), "{op:?} {a:08x} {b:08x}");
                }
                for op in tests.iter().chain(&integers) {
                    assert_eq!(Bits.test(*op, &[a, b]), whole(op, &[a, b]) != 0, "{op:?} {a:08x} {b:08x}");
                }
            }
        }
    }
}
