//! Functions of numbers, component by component.

use super::super::arithmetic::{mode, width};
use super::super::{Result, Translator, Values};
use super::Arguments;
use smallvec::smallvec;
use unshade_glsl::tree::{Binary, ExpressionId, Operation};
use unshade_glsl::types::Scalar;
use unshade_ir::{CompareFloat, CompareInt, Compound, MinMax, Op, Round, Value};

impl Translator<'_> {
    /// A component of a function of numbers.
    pub(super) fn math_function(
        &mut self,
        operation: Operation,
        given: &Arguments,
        lane: usize,
    ) -> Option<Value> {
        let scalar = given.kind(0);
        let args: Values = (0..given.values.len()).map(|number| given.lane(number, lane)).collect();
        let a = args.first().copied()?;
        let b = args.get(1).copied().unwrap_or_default();
        let c = args.get(2).copied().unwrap_or_default();
        Some(match operation {
            Operation::Radians => self.scaled_by(scalar, a, std::f64::consts::PI / 180.0),
            Operation::Degrees => self.scaled_by(scalar, a, 180.0 / std::f64::consts::PI),
            Operation::Sin
            | Operation::Cos
            | Operation::Tan
            | Operation::Asin
            | Operation::Acos
            | Operation::Atan
            | Operation::Atan2
            | Operation::Sinh
            | Operation::Cosh
            | Operation::Tanh
            | Operation::Asinh
            | Operation::Acosh
            | Operation::Atanh
            | Operation::Pow
            | Operation::Exp
            | Operation::Log
            | Operation::Exp2
            | Operation::Log2 => self.transcendental(operation, scalar, &args)?,
            Operation::Sqrt => self.op(Op::FSqrt(mode(scalar)), &[a]),
            Operation::InverseSqrt => self.op(Op::FRsq(mode(scalar)), &[a]),
            Operation::Abs if scalar.is_float() => self.op(Op::FAbs(width(scalar)), &[a]),
            Operation::Abs => {
                let negative = self.op(Op::INeg, &[a]);
                self.op(Op::SMax, &[a, negative])
            }
            Operation::Sign => self.sign(scalar, a),
            Operation::Floor => self.op(Op::FRound(mode(scalar), Round::Down), &[a]),
            Operation::Ceil => self.op(Op::FRound(mode(scalar), Round::Up), &[a]),
            Operation::Trunc => self.op(Op::FRound(mode(scalar), Round::Zero), &[a]),
            // Which way a half goes is left to the machine; these go to the even number.
            Operation::Round | Operation::RoundEven => {
                self.op(Op::FRound(mode(scalar), Round::Nearest), &[a])
            }
            Operation::Fract if scalar == Scalar::Float => self.op(Op::Fract, &[a]),
            Operation::Fract => {
                let floor = self.op(Op::FRound(mode(scalar), Round::Down), &[a]);
                self.operate(Binary::Subtract, scalar, a, floor)
            }
            Operation::Mod if scalar == Scalar::Float => self.op(Op::Compound(Compound::Modulo), &[a, b]),
            Operation::Mod => {
                let quotient = self.operate(Binary::Divide, scalar, a, b);
                let floor = self.op(Op::FRound(mode(scalar), Round::Down), &[quotient]);
                let product = self.operate(Binary::Multiply, scalar, b, floor);
                self.operate(Binary::Subtract, scalar, a, product)
            }
            Operation::Min => self.lesser(scalar, a, b),
            Operation::Max => self.greater(scalar, a, b),
            Operation::Clamp if scalar == Scalar::Float => self.op(Op::Clamp, &[a, b, c]),
            Operation::Clamp => {
                let low = self.greater(scalar, a, b);
                self.lesser(scalar, low, c)
            }
            Operation::Min3 => {
                let first = self.lesser(scalar, a, b);
                self.lesser(scalar, first, c)
            }
            Operation::Max3 => {
                let first = self.greater(scalar, a, b);
                self.greater(scalar, first, c)
            }
            Operation::Mid3 => {
                let (low, high) = (self.lesser(scalar, a, b), self.greater(scalar, a, b));
                let below = self.lesser(scalar, high, c);
                self.greater(scalar, low, below)
            }
            Operation::Mix if scalar == Scalar::Float => self.op(Op::Mix, &[a, b, c]),
            Operation::Mix => {
                let way = self.operate(Binary::Subtract, scalar, b, a);
                let part = self.operate(Binary::Multiply, scalar, way, c);
                self.operate(Binary::Add, scalar, a, part)
            }
            Operation::MixBool => self.op(Op::Select, &[c, b, a]),
            Operation::Step if scalar == Scalar::Float => self.op(Op::Compound(Compound::Step), &[a, b]),
            Operation::Step => {
                let below = self.op(Op::FCompare(CompareFloat::Lt, mode(scalar)), &[b, a]);
                let (zero, one) = (self.number(scalar, 0.0), self.number(scalar, 1.0));
                self.op(Op::Select, &[below, zero, one])
            }
            Operation::SmoothStep if scalar == Scalar::Float => {
                self.op(Op::Compound(Compound::Smoothstep), &[a, b, c])
            }
            Operation::SmoothStep => {
                let (from, way) = (
                    self.operate(Binary::Subtract, scalar, c, a),
                    self.operate(Binary::Subtract, scalar, b, a),
                );
                let part = self.operate(Binary::Divide, scalar, from, way);
                let (zero, one) = (self.number(scalar, 0.0), self.number(scalar, 1.0));
                let low = self.greater(scalar, part, zero);
                let t = self.lesser(scalar, low, one);
                let (two, three) = (self.number(scalar, 2.0), self.number(scalar, 3.0));
                let double = self.operate(Binary::Multiply, scalar, two, t);
                let rest = self.operate(Binary::Subtract, scalar, three, double);
                let square = self.operate(Binary::Multiply, scalar, t, t);
                self.operate(Binary::Multiply, scalar, square, rest)
            }
            Operation::IsNan => self.op(Op::FIsNan(width(scalar)), &[a]),
            Operation::IsInf => {
                let size = self.op(Op::FAbs(width(scalar)), &[a]);
                let infinity = self.number(scalar, f64::INFINITY);
                self.op(Op::FCompare(CompareFloat::Eq, mode(scalar)), &[size, infinity])
            }
            Operation::Fma => self.op(Op::FFma(mode(scalar), unshade_ir::Multiply::Ieee), &[a, b, c]),
            Operation::Ldexp => self.ldexp(scalar, a, b),
            Operation::LessThan => self.operate(Binary::Less, scalar, a, b),
            Operation::LessThanEqual => self.operate(Binary::LessEqual, scalar, a, b),
            Operation::GreaterThan => self.operate(Binary::Greater, scalar, a, b),
            Operation::GreaterThanEqual => self.operate(Binary::GreaterEqual, scalar, a, b),
            Operation::EqualTo => self.operate(Binary::Equal, scalar, a, b),
            Operation::NotEqualTo => self.operate(Binary::NotEqual, scalar, a, b),
            Operation::Not => self.op(Op::Not, &[a]),
            _ => return None,
        })
    }

    fn scaled_by(&mut self, scalar: Scalar, a: Value, by: f64) -> Value {
        let by = self.number(scalar, by);
        self.operate(Binary::Multiply, scalar, a, by)
    }

    /// Functions that are there for floats of 32 bits; those of 16 bits are computed in these.
    fn transcendental(&mut self, operation: Operation, scalar: Scalar, args: &[Value]) -> Option<Value> {
        let mode = mode(Scalar::Float);
        let op = match operation {
            Operation::Sin => Op::FSin(mode),
            Operation::Cos => Op::FCos(mode),
            Operation::Exp2 => Op::FExp2(mode),
            Operation::Log2 => Op::FLog2(mode),
            Operation::Pow => Op::Pow,
            Operation::Exp => Op::Compound(Compound::Exp),
            Operation::Log => Op::Compound(Compound::Log),
            Operation::Tan => Op::Compound(Compound::Tan),
            Operation::Asin => Op::Compound(Compound::Asin),
            Operation::Acos => Op::Compound(Compound::Acos),
            Operation::Atan => Op::Compound(Compound::Atan),
            Operation::Atan2 => Op::Compound(Compound::Atan2),
            Operation::Sinh => Op::Compound(Compound::Sinh),
            Operation::Cosh => Op::Compound(Compound::Cosh),
            Operation::Tanh => Op::Compound(Compound::Tanh),
            Operation::Asinh => Op::Compound(Compound::Asinh),
            Operation::Acosh => Op::Compound(Compound::Acosh),
            Operation::Atanh => Op::Compound(Compound::Atanh),
            _ => return None,
        };
        match scalar {
            Scalar::Double => None,
            Scalar::Float16 => {
                let singles = self.converted(args, Scalar::Float16, Scalar::Float);
                let result = self.op(op, &singles);
                self.converted(&[result], Scalar::Float, Scalar::Float16).pop()
            }
            _ => Some(self.op(op, args)),
        }
    }

    fn sign(&mut self, scalar: Scalar, a: Value) -> Value {
        if scalar == Scalar::Float {
            return self.op(Op::Compound(Compound::Sign), &[a]);
        }
        let (zero, one, less) =
            (self.number(scalar, 0.0), self.number(scalar, 1.0), self.number(scalar, -1.0));
        let above = self.operate(Binary::Less, scalar, zero, a);
        let below = self.operate(Binary::Less, scalar, a, zero);
        let negative = self.op(Op::Select, &[below, less, zero]);
        self.op(Op::Select, &[above, one, negative])
    }

    pub(super) fn lesser(&mut self, scalar: Scalar, a: Value, b: Value) -> Value {
        let op = match scalar {
            scalar if scalar.is_float() => Op::FMin(mode(scalar), MinMax::Number),
            scalar if scalar.is_signed() => Op::SMin,
            _ => Op::UMin,
        };
        self.op(op, &[a, b])
    }

    pub(super) fn greater(&mut self, scalar: Scalar, a: Value, b: Value) -> Value {
        let op = match scalar {
            scalar if scalar.is_float() => Op::FMax(mode(scalar), MinMax::Number),
            scalar if scalar.is_signed() => Op::SMax,
            _ => Op::UMax,
        };
        self.op(op, &[a, b])
    }

    /// `a * 2^n`, in two steps, each of a power that a float has: the exponent may go far beyond what the result needs.
    fn ldexp(&mut self, scalar: Scalar, a: Value, n: Value) -> Value {
        if scalar == Scalar::Float16 {
            let single = self.converted(&[a], Scalar::Float16, Scalar::Float).pop().unwrap_or_default();
            let result = self.ldexp(Scalar::Float, single, n);
            return self.converted(&[result], Scalar::Float, Scalar::Float16).pop().unwrap_or_default();
        }
        let (bias, most) = if scalar == Scalar::Double { (1023, 2044) } else { (127, 252) };
        let (low, high) = (self.bits((-most_i32(most)) as u32), self.bits(most));
        let at_least = self.op(Op::SMax, &[n, low]);
        let n = self.op(Op::SMin, &[at_least, high]);
        let by = self.bits(1);
        let half = self.op(Op::ShrS, &[n, by]);
        let rest = self.op(Op::ISub, &[n, half]);
        let mut value = a;
        for step in [half, rest] {
            let power = self.power_of_two(scalar, step, bias);
            value = self.operate(Binary::Multiply, scalar, value, power);
        }
        value
    }

    /// The float `2^n`, made of its bits.
    fn power_of_two(&mut self, scalar: Scalar, n: Value, bias: u32) -> Value {
        let bias = self.bits(bias);
        let exponent = self.op(Op::IAdd, &[n, bias]);
        let place = self.bits(if scalar == Scalar::Double { 20 } else { 23 });
        let word = self.op(Op::Shl, &[exponent, place]);
        match scalar {
            Scalar::Double => {
                let zero = self.bits(0);
                self.op(Op::Join, &[zero, word])
            }
            _ => word,
        }
    }

    /// Functions that give a second result by an argument.
    pub(super) fn with_results(
        &mut self,
        id: ExpressionId,
        operation: Operation,
        arguments: &[ExpressionId],
    ) -> Result<Values> {
        let span = self.span(id);
        let ins = match operation {
            Operation::Modf | Operation::Frexp => 1,
            _ => 2,
        };
        let mut given = Arguments { types: Vec::new(), values: Vec::new() };
        for argument in arguments.iter().take(ins) {
            given.types.push(self.ty(*argument));
            given.values.push(self.value(*argument)?);
        }
        let mut places = Vec::new();
        for argument in arguments.iter().skip(ins) {
            places.push(self.target(*argument)?);
        }
        self.at(id);
        let scalar = given.kind(0);
        let (mut results, mut first, mut second) = (Values::new(), Values::new(), Values::new());
        for lane in 0..given.lanes() {
            self.lane(lane);
            let (a, b) = (given.lane(0, lane), given.lane(1, lane));
            match operation {
                Operation::Modf => {
                    let whole = self.op(Op::FRound(mode(scalar), Round::Zero), &[a]);
                    results.push(self.operate(Binary::Subtract, scalar, a, whole));
                    first.push(whole);
                }
                Operation::Frexp => {
                    let (significand, exponent) = self.frexp(scalar, a);
                    results.push(significand);
                    first.push(exponent);
                }
                Operation::AddCarry => {
                    let sum = self.op(Op::IAdd, &[a, b]);
                    let carry = self.op(Op::ICompare(CompareInt::Ult), &[sum, a]);
                    results.push(sum);
                    first.push(self.op(Op::BToI, &[carry]));
                }
                Operation::SubtractBorrow => {
                    let borrow = self.op(Op::ICompare(CompareInt::Ult), &[a, b]);
                    results.push(self.op(Op::ISub, &[a, b]));
                    first.push(self.op(Op::BToI, &[borrow]));
                }
                _ => {
                    let high = if scalar.is_signed() { Op::SMulHigh } else { Op::UMulHigh };
                    first.push(self.op(high, &[a, b]));
                    second.push(self.op(Op::IMul, &[a, b]));
                }
            }
        }
        for (place, values) in places.iter().zip([first, second]) {
            self.store(place, &values, span)?;
        }
        Ok(results)
    }

    fn frexp(&mut self, scalar: Scalar, a: Value) -> (Value, Value) {
        match scalar {
            Scalar::Double => self.frexp_double(a),
            Scalar::Float16 => {
                let single = self.converted(&[a], Scalar::Float16, Scalar::Float).pop().unwrap_or_default();
                let (significand, exponent) = self.frexp(Scalar::Float, single);
                let half = self.converted(&[significand], Scalar::Float, Scalar::Float16).pop();
                (half.unwrap_or_default(), exponent)
            }
            _ => (self.op(Op::Compound(Compound::Significand), &[a]), self.op(Op::Exponent, &[a])),
        }
    }

    /// By the bits: of zeros, infinities and NaN the number itself, with no power.
    fn frexp_double(&mut self, a: Value) -> (Value, Value) {
        // A number below the normal ones is scaled into them first.
        let small = {
            let size = self.op(Op::FAbs(width(Scalar::Double)), &[a]);
            let least = self.op(Op::B64(f64::MIN_POSITIVE.to_bits()), &[]);
            self.op(Op::FCompare(CompareFloat::Lt, mode(Scalar::Double)), &[size, least])
        };
        let scale = self.op(Op::B64(2_f64.powi(54).to_bits()), &[]);
        let scaled = self.operate(Binary::Multiply, Scalar::Double, a, scale);
        let value = self.op(Op::Select, &[small, scaled, a]);
        let (low, high) = (self.op(Op::Low, &[value]), self.op(Op::High, &[value]));
        let (place, count) = (self.bits(20), self.bits(11));
        let exponent = self.op(Op::UBitExtract, &[high, place, count]);
        let half = self.bits(1022);
        let new_high = self.op(Op::BitInsert, &[high, half, place, count]);
        let significand = self.op(Op::Join, &[low, new_high]);
        let power = self.op(Op::ISub, &[exponent, half]);
        let by = self.bits(54);
        let less = self.op(Op::ISub, &[power, by]);
        let power = self.op(Op::Select, &[small, less, power]);
        // Zeros, and what is not finite.
        let zero = self.number(Scalar::Double, 0.0);
        let is_zero = self.op(Op::FCompare(CompareFloat::Eq, mode(Scalar::Double)), &[a, zero]);
        let all = self.bits(2047);
        let is_not_finite = self.op(Op::ICompare(CompareInt::Eq), &[exponent, all]);
        let special = self.op(Op::Or, &[is_zero, is_not_finite]);
        let none = self.bits(0);
        (self.op(Op::Select, &[special, a, significand]), self.op(Op::Select, &[special, none, power]))
    }
}

/// As a number with a sign.
fn most_i32(most: u32) -> i32 {
    i32::try_from(most).unwrap_or(0)
}

/// One scalar as a value.
pub(super) fn one(value: Value) -> Values {
    smallvec![value]
}
