//! Floats of 32 bits.

use super::super::operation::{
    Combine, Combined, CompareFloat, Denormals, Destination, Float, Function, Predicates, Rounding, Scale,
    Truth,
};
use super::super::{Predicate, Register};
use super::registers::Flag;
use super::write::{Order, Writer};
use unshade_ir::{CompareFloat as By, FloatMode, MinMax, Multiply, Op, Round, Value, Width};

/// The IR's name of a rounding.
pub(super) fn round(rounding: Rounding) -> Round {
    match rounding {
        Rounding::Nearest => Round::Nearest,
        Rounding::Down => Round::Down,
        Rounding::Up => Round::Up,
        Rounding::Zero => Round::Zero,
    }
}

/// Rules of an operation on 32 bits.
pub(super) fn mode(flush: bool, rounding: Rounding) -> FloatMode {
    FloatMode { width: Width::F32, flush, round: round(rounding) }
}

/// Rules of a multiply.
pub(super) fn multiply(denormals: Denormals) -> (bool, Multiply) {
    match denormals {
        Denormals::Keep => (false, Multiply::Ieee),
        Denormals::Flush => (true, Multiply::Ieee),
        Denormals::FlushZeroWins => (true, Multiply::ZeroWins),
    }
}

impl Writer<'_> {
    /// Writes a float, clamped where it is asked for, and the condition code.
    fn float_result(&mut self, d: Destination, value: Value, mode: FloatMode, saturate: bool) {
        let value = if saturate { self.value(Op::FSaturate(mode), &[value]) } else { value };
        if d.flags {
            self.float_flags(value, mode);
        }
        self.set_register(d.register, value);
    }

    /// The condition code of a float: no carry, no overflow; of what is no number zero and sign at once.
    pub(super) fn float_flags(&mut self, value: Value, mode: FloatMode) {
        let zero = match mode.width {
            Width::F16 => self.value(Op::B16(0), &[]),
            Width::F32 => self.bits(0),
            Width::F64 => self.value(Op::B64(0), &[]),
        };
        let exact = FloatMode { flush: false, round: Round::Nearest, ..mode };
        let is_zero = self.value(Op::FCompare(By::Eq, exact), &[value, zero]);
        let sign = self.value(Op::FCompare(By::Lt, exact), &[value, zero]);
        let nan = self.value(Op::FIsNan(mode.width), &[value]);
        let no = self.truth(false);
        let is_zero = self.value(Op::Or, &[is_zero, nan]);
        let sign = self.value(Op::Or, &[sign, nan]);
        self.set_flag(Flag::Zero, is_zero);
        self.set_flag(Flag::Sign, sign);
        self.set_flag(Flag::Carry, no);
        self.set_flag(Flag::Overflow, no);
    }

    pub(super) fn float_add(&mut self, d: Destination, a: Float, b: Float, mode: FloatMode, saturate: bool) {
        let (a, b) = (self.float(a), self.float(b));
        let sum = self.value(Op::FAdd(mode), &[a, b]);
        self.float_result(d, sum, mode, saturate);
    }

    pub(super) fn float_multiply(
        &mut self,
        d: Destination,
        [a, b]: [Float; 2],
        scale: Scale,
        (denormals, rounding): (Denormals, Rounding),
        saturate: bool,
    ) {
        let (flush, multiply) = multiply(denormals);
        let mode = mode(flush, rounding);
        let (a, b) = (self.float(a), self.float(b));
        let product = match scale.0 {
            0 => self.value(Op::FMul(mode, multiply), &[a, b]),
            power => self.scaled_product(a, b, power, mode, multiply),
        };
        self.float_result(d, product, mode, saturate);
    }

    /// `a * b * 2^power`, rounded once. Of the factors one is scaled first, the one for which that is exact wherever it
    /// matters: up the smaller one, which overflows only where the product does anyway; down the larger one, which is
    /// too small for it only where the product is nothing. (`passes::scales` makes one product of both in readable mode.)
    fn scaled_product(&mut self, a: Value, b: Value, power: i8, mode: FloatMode, rule: Multiply) -> Value {
        if power < 0 && mode.round != Round::Nearest && !mode.flush {
            // Here a product that is nothing may round to the smallest number.
            return self.wide_product(a, b, power, mode, rule);
        }
        let exact = FloatMode { round: Round::Nearest, ..mode };
        let factor = self.bits(2_f32.powi(power.into()).to_bits());
        let scaled = |w: &mut Self, by: Value, other: Value| {
            let by = w.value(Op::FMul(exact, Multiply::Ieee), &[by, factor]);
            w.value(Op::FMul(mode, rule), &[by, other])
        };
        let [of_a, of_b] = [scaled(self, a, b), scaled(self, b, a)];
        let [size_a, size_b] = [a, b].map(|value| self.value(Op::FAbs(Width::F32), &[value]));
        let less = self.value(Op::FCompare(By::Lt, exact), &[size_a, size_b]);
        if power > 0 { self.select(less, of_a, of_b) } else { self.select(less, of_b, of_a) }
    }

    /// The same in 64 bits, which hold the product.
    fn wide_product(&mut self, a: Value, b: Value, power: i8, mode: FloatMode, rule: Multiply) -> Value {
        let double = FloatMode { width: Width::F64, flush: false, round: Round::Nearest };
        let [a, b] = [a, b].map(|value| self.value(Op::FConvert(Width::F32, double), &[value]));
        let product = self.value(Op::FMul(double, rule), &[a, b]);
        let factor = self.value(Op::B64(2_f64.powi(power.into()).to_bits()), &[]);
        let product = self.value(Op::FMul(double, Multiply::Ieee), &[product, factor]);
        self.value(Op::FConvert(Width::F64, mode), &[product])
    }

    pub(super) fn float_multiply_add(
        &mut self,
        d: Destination,
        sources: [Float; 3],
        (denormals, rounding): (Denormals, Rounding),
        saturate: bool,
    ) {
        let (flush, multiply) = multiply(denormals);
        let mode = mode(flush, rounding);
        let sources = sources.map(|source| self.float(source));
        let sum = self.value(Op::FFma(mode, multiply), &sources);
        self.float_result(d, sum, mode, saturate);
    }

    pub(super) fn float_min_max(
        &mut self,
        d: Destination,
        a: Float,
        b: Float,
        least: Predicate,
        flush: bool,
    ) {
        let mode = mode(flush, Rounding::Nearest);
        let (a, b) = (self.float(a), self.float(b));
        let value = self.min_max(a, b, least, mode);
        self.float_result(d, value, mode, false);
    }

    /// The smaller where the predicate holds, else the larger.
    pub(super) fn min_max(&mut self, a: Value, b: Value, least: Predicate, mode: FloatMode) -> Value {
        let (min, max) = (Op::FMin(mode, MinMax::Number), Op::FMax(mode, MinMax::Number));
        if least.is_true() || least.is_never() {
            return self.value(if least.is_true() { min } else { max }, &[a, b]);
        }
        let least = self.predicate(least);
        let (min, max) = (self.value(min, &[a, b]), self.value(max, &[a, b]));
        self.select(least, min, max)
    }

    /// Whether a comparison holds.
    pub(super) fn compare(&mut self, compare: CompareFloat, a: Value, b: Value, mode: FloatMode) -> Value {
        let CompareFloat { less, equal, greater, unordered } = compare;
        let by = |w: &mut Self, by| w.value(Op::FCompare(by, mode), &[a, b]);
        let no = |w: &mut Self, value| w.value(Op::Not, &[value]);
        match (less, equal, greater, unordered) {
            (false, false, false, false) => self.truth(false),
            (true, true, true, true) => self.truth(true),
            (true, false, false, false) => by(self, By::Lt),
            (false, true, false, false) => by(self, By::Eq),
            (true, true, false, false) => by(self, By::Le),
            (false, false, true, false) => by(self, By::Gt),
            (false, true, true, false) => by(self, By::Ge),
            (true, false, true, true) => by(self, By::Ne),
            (true, false, true, false) => {
                let less = by(self, By::Lt);
                let greater = by(self, By::Gt);
                self.value(Op::Or, &[less, greater])
            }
            (true, true, true, false) => {
                let nan = self.unordered(a, b, mode.width);
                no(self, nan)
            }
            (false, false, false, true) => self.unordered(a, b, mode.width),
            (true, false, false, true) => {
                let not = by(self, By::Ge);
                no(self, not)
            }
            (true, true, false, true) => {
                let not = by(self, By::Gt);
                no(self, not)
            }
            (false, false, true, true) => {
                let not = by(self, By::Le);
                no(self, not)
            }
            (false, true, true, true) => {
                let not = by(self, By::Lt);
                no(self, not)
            }
            (false, true, false, true) => {
                let less = by(self, By::Lt);
                let greater = by(self, By::Gt);
                let different = self.value(Op::Or, &[less, greater]);
                no(self, different)
            }
        }
    }

    fn unordered(&mut self, a: Value, b: Value, width: Width) -> Value {
        let a = self.value(Op::FIsNan(width), &[a]);
        let b = self.value(Op::FIsNan(width), &[b]);
        self.value(Op::Or, &[a, b])
    }

    pub(super) fn combined(&mut self, truth: Value, combined: Combined) -> Value {
        if combined.predicate.is_true() && combined.with == Combine::And {
            return truth;
        }
        let other = self.predicate(combined.predicate);
        self.combine(combined.with, truth, other)
    }

    pub(super) fn combine(&mut self, with: Combine, a: Value, b: Value) -> Value {
        let op = match with {
            Combine::And => Op::And,
            Combine::Or => Op::Or,
            Combine::Xor => Op::Xor,
        };
        self.value(op, &[a, b])
    }

    /// A truth value in a register, and the condition code of what it is there.
    pub(super) fn truth_result(&mut self, d: Destination, truth: Value, how: Truth) {
        let all = match how {
            Truth::Mask => u32::MAX,
            Truth::Float => 1.0_f32.to_bits(),
        };
        let (all, none) = (self.bits(all), self.bits(0));
        let value = self.select(truth, all, none);
        self.result(d, value);
    }

    /// Two predicates of a comparison.
    pub(super) fn truth_predicates(&mut self, p: Predicates, truth: Value, combined: Combined) {
        // The operand is read before either is written.
        let opposite = (p.opposite < 7).then(|| {
            let not = self.value(Op::Not, &[truth]);
            self.combined(not, combined)
        });
        let result = self.combined(truth, combined);
        self.set_predicate(p.result, result);
        if let Some(opposite) = opposite {
            self.set_predicate(p.opposite, opposite);
        }
    }

    /// Two predicates of a combination of two: the second has the first operand inverted.
    pub(super) fn combined_predicates(
        &mut self,
        p: Predicates,
        [a, b]: [Predicate; 2],
        op: Combine,
        combined: Combined,
    ) {
        let [result, opposite] = [a, Predicate { not: !a.not, ..a }].map(|a| {
            let holds = self.two_predicates(a, b, op);
            self.combined(holds, combined)
        });
        self.set_predicate(p.opposite, opposite);
        self.set_predicate(p.result, result);
    }

    pub(super) fn float_compare(&mut self, compare: CompareFloat, a: Float, b: Float, flush: bool) -> Value {
        let (a, b) = (self.float(a), self.float(b));
        self.compare(compare, a, b, mode(flush, Rounding::Nearest))
    }

    pub(super) fn float_select(
        &mut self,
        d: Destination,
        [a, b, c]: [Float; 3],
        compare: CompareFloat,
        flush: bool,
    ) {
        let [a, b, c] = [a, b, c].map(|source| self.float(source));
        let zero = self.bits(0);
        let holds = self.compare(compare, c, zero, mode(flush, Rounding::Nearest));
        let value = self.select(holds, a, b);
        self.result(d, value);
    }

    pub(super) fn float_function(&mut self, d: Register, function: Function, a: Float, saturate: bool) {
        // The unit for functions takes and gives no denormals.
        let mode = mode(true, Rounding::Nearest);
        let a = self.float(a);
        let value = match function {
            Function::Cos => self.value(Op::FCos(mode), &[a]),
            Function::Sin => self.value(Op::FSin(mode), &[a]),
            Function::Exp2 => self.value(Op::FExp2(mode), &[a]),
            Function::Log2 => self.value(Op::FLog2(mode), &[a]),
            Function::Reciprocal => self.value(Op::FRcp(mode), &[a]),
            Function::ReciprocalSqrt => self.value(Op::FRsq(mode), &[a]),
            Function::Sqrt => self.value(Op::FSqrt(mode), &[a]),
            Function::Reciprocal64High | Function::ReciprocalSqrt64High => {
                let zero = self.bits(0);
                let wide = self.joined([zero, a]);
                let wide_mode = FloatMode { width: Width::F64, flush: false, round: Round::Nearest };
                let op = match function {
                    Function::Reciprocal64High => Op::FRcp(wide_mode),
                    _ => Op::FRsq(wide_mode),
                };
                let value = self.value(op, &[wide]);
                self.value(Op::High, &[value])
            }
        };
        let value = if saturate { self.value(Op::FSaturate(mode), &[value]) } else { value };
        self.set_register(d, value);
    }

    /// Whether a quotient needs more than a product with the reciprocal: an operand is no finite normal number, or
    /// the exponents are far apart.
    pub(super) fn check_divide(&mut self, p: u8, a: Float, b: Float) {
        let (a, b) = (self.float(a), self.float(b));
        let [a, b] = [a, b].map(|value| self.cut(value, 23, 8, false));
        let distance = self.value(Op::ISub, &[a, b]);
        // The limits of the interpreter: programs give the same on both ways.
        let mut holds = self.truth(false);
        for (value, least, most) in [(a, 24, 254), (b, 1, 250), (distance, -100, 100)] {
            let least = self.bits(i32::cast_unsigned(least));
            let most = self.bits(i32::cast_unsigned(most));
            let below = self.less(value, least, Order::Signed);
            let above = self.less(most, value, Order::Signed);
            let outside = self.value(Op::Or, &[below, above]);
            holds = self.value(Op::Or, &[holds, outside]);
        }
        self.set_predicate(p, holds);
    }
}
