//! Integers.

use super::super::operation::{
    AddPart, AddShift, CompareInt, Destination, Integer, MultiplyAddend, PartOf, Source,
};
use super::super::{Predicate, Register};
use super::registers::Flag;
use super::write::{Order, Writer};
use unshade_ir::{CompareInt as By, Op, Value};

/// How a sum is made.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Sum {
    /// The carry comes in.
    pub(super) carry: bool,
    /// One more.
    pub(super) plus_one: bool,
    /// Stays at the limits of signed numbers.
    pub(super) saturate: bool,
}

/// A load of an effective address.
#[derive(Debug, Clone, Copy)]
pub(super) struct Effective {
    pub(super) d: Destination,
    pub(super) p: u8,
    pub(super) a: Integer,
    pub(super) b: Source,
    /// Upper half of what is shifted, where that is asked for.
    pub(super) high: Option<Register>,
    pub(super) shift: u8,
    pub(super) carry: bool,
}

/// A 16-bit multiply-add.
#[derive(Debug, Clone, Copy)]
pub(super) struct Half {
    pub(super) d: Destination,
    pub(super) a: PartOf,
    pub(super) b: PartOf,
    pub(super) b_word: Source,
    pub(super) c: Source,
    pub(super) addend: MultiplyAddend,
    pub(super) shift_product: bool,
    pub(super) merge: bool,
    pub(super) carry: bool,
}

/// A multiply-add.
#[derive(Debug, Clone, Copy)]
pub(super) struct Multiplied {
    pub(super) d: Destination,
    pub(super) a: Source,
    pub(super) b: Source,
    pub(super) c: Integer,
    pub(super) signed: [bool; 2],
    pub(super) high: bool,
    pub(super) sum: Sum,
    pub(super) negate_product: bool,
}

impl Writer<'_> {
    /// The carry, as 0 or 1.
    fn carry(&mut self) -> Value {
        let carry = self.flag(Flag::Carry);
        self.value(Op::BToI, &[carry])
    }

    /// A sum of two words and what goes in below, with the condition code where it is asked for.
    pub(super) fn add(&mut self, d: Destination, a: Value, b: Value, sum: Sum) {
        let mut value = self.value(Op::IAdd, &[a, b]);
        let mut carry = d.flags.then(|| self.less(value, a, Order::Unsigned));
        let carry_in = sum.carry.then(|| self.carry());
        let one = sum.plus_one.then(|| self.bits(1));
        for more in [carry_in, one].into_iter().flatten() {
            let next = self.value(Op::IAdd, &[value, more]);
            if let Some(known) = carry {
                let wraps = self.less(next, value, Order::Unsigned);
                carry = Some(self.value(Op::Or, &[known, wraps]));
            }
            value = next;
        }
        let overflow = (d.flags || sum.saturate).then(|| {
            let from_a = self.value(Op::Xor, &[value, a]);
            let from_b = self.value(Op::Xor, &[value, b]);
            let both = self.value(Op::And, &[from_a, from_b]);
            self.is_negative(both)
        });
        if let (true, Some(overflow)) = (sum.saturate, overflow) {
            let sign = self.shifted(Op::ShrS, value, 31);
            let top = self.bits(1 << 31);
            let limit = self.value(Op::Xor, &[sign, top]);
            value = self.select(overflow, limit, value);
        }
        if let (Some(carry), Some(overflow)) = (carry, overflow.filter(|_| d.flags)) {
            self.flags(value, carry, overflow);
        }
        self.set_register(d.register, value);
    }

    pub(super) fn int_add(&mut self, d: Destination, a: Integer, b: Integer, sum: Sum) {
        // Of a negative only the complement is added here; its one is the carry's, or goes in below.
        if d.flags && (a.negate || b.negate) && !sum.carry {
            let [x, y] = [self.integer(a, true), self.integer(b, true)];
            let ones = u32::from(a.negate) + u32::from(b.negate) + u32::from(sum.plus_one);
            return self.add_ones(d, x, y, ones, sum.saturate);
        }
        if b.negate && !a.negate && !d.flags && !sum.carry && !sum.plus_one && !sum.saturate {
            let (a, b) = (self.source(a.source), self.source(b.source));
            let value = self.value(Op::ISub, &[a, b]);
            return self.set_register(d.register, value);
        }
        let [a, b] = [self.integer(a, sum.carry), self.integer(b, sum.carry)];
        self.add(d, a, b, sum);
    }

    /// `a + b + ones` with the condition code.
    fn add_ones(&mut self, d: Destination, a: Value, b: Value, ones: u32, saturate: bool) {
        let sum = Sum { carry: false, plus_one: ones > 0, saturate };
        if ones <= 1 {
            return self.add(d, a, b, sum);
        }
        // Two negatives: the complement of the second becomes its negative.
        let more = self.bits(ones - 1);
        let b = self.value(Op::IAdd, &[b, more]);
        self.add(d, a, b, sum);
    }

    /// A sum of two words and what comes in, and whether it carries.
    fn carrying_sum(&mut self, a: Value, b: Value, carries_in: &[Value]) -> (Value, Value) {
        let mut sum = self.value(Op::IAdd, &[a, b]);
        let mut carry = self.less(sum, a, Order::Unsigned);
        for more in carries_in {
            let next = self.value(Op::IAdd, &[sum, *more]);
            let wraps = self.less(next, sum, Order::Unsigned);
            carry = self.value(Op::Or, &[carry, wraps]);
            sum = next;
        }
        (sum, carry)
    }

    /// `IADD3`: two adders one behind the other. The carry of the first becomes overflow in the condition code, that of
    /// the second carry, and `.X` takes both.
    pub(super) fn int_add3(
        &mut self,
        d: Destination,
        sources: [Integer; 3],
        parts: [AddPart; 3],
        shift: AddShift,
        carry: bool,
    ) {
        // Complements, where their ones have to go through the adders.
        let complement = shift == AddShift::None && (d.flags || carry);
        let mut words = [self.bits(0); 3];
        for ((place, source), part) in words.iter_mut().zip(sources).zip(parts) {
            let value = self.source(source.source);
            let value = match part {
                AddPart::Word => value,
                AddPart::Low => self.cut(value, 0, 16, false),
                AddPart::High => self.cut(value, 16, 16, false),
            };
            *place = match source.negate {
                true if complement => self.value(Op::Not, &[value]),
                true => self.value(Op::INeg, &[value]),
                false => value,
            };
        }
        let [a, b, c] = words;
        let carried = carry.then(|| {
            [Flag::Overflow, Flag::Carry].map(|flag| {
                let flag = self.flag(flag);
                self.value(Op::BToI, &[flag])
            })
        });
        let one = self.bits(1);
        let [not_a, not_b, not_c] = sources.map(|source| complement && source.negate);
        let (first_in, second_in) = match (carried, shift) {
            (Some([first, second]), AddShift::None) => (vec![first], vec![second]),
            (Some([first, second]), _) => (Vec::new(), vec![first, second]),
            // Of two ones in the first adder the second goes into the other.
            (None, _) => {
                let second = usize::from(not_a && not_b) + usize::from(not_c);
                (vec![one; usize::from(not_a || not_b)], vec![one; second])
            }
        };
        let (first, overflow) = self.carrying_sum(a, b, &first_in);
        let first = match shift {
            AddShift::None => first,
            AddShift::Right => {
                let low = self.shifted(Op::ShrU, first, 16);
                let top = self.value(Op::BToI, &[overflow]);
                let top = self.shifted(Op::Shl, top, 16);
                self.value(Op::Or, &[low, top])
            }
            AddShift::Left => self.shifted(Op::Shl, first, 16),
        };
        let (value, carry) = self.carrying_sum(first, c, &second_in);
        if d.flags {
            self.flags(value, carry, overflow);
        }
        self.set_register(d.register, value);
    }

    pub(super) fn product(&mut self, a: Value, b: Value, signed: [bool; 2], high: bool) -> Value {
        if !high {
            return self.value(Op::IMul, &[a, b]);
        }
        match signed {
            [true, true] => self.value(Op::SMulHigh, &[a, b]),
            [false, false] => self.value(Op::UMulHigh, &[a, b]),
            [of_a, _] => {
                // The product of the bits, less the other factor where the signed one is negative.
                let (signed, other) = if of_a { (a, b) } else { (b, a) };
                let high = self.value(Op::UMulHigh, &[a, b]);
                let sign = self.shifted(Op::ShrS, signed, 31);
                let less = self.value(Op::And, &[sign, other]);
                self.value(Op::ISub, &[high, less])
            }
        }
    }

    pub(super) fn int_multiply(
        &mut self,
        d: Destination,
        a: Source,
        b: Source,
        signed: [bool; 2],
        high: bool,
    ) {
        let (a, b) = (self.source(a), self.source(b));
        let value = self.product(a, b, signed, high);
        self.result(d, value);
    }

    pub(super) fn int_multiply_add(&mut self, inst: Multiplied) {
        let (a, b) = (self.source(inst.a), self.source(inst.b));
        let c = self.integer(inst.c, inst.sum.carry);
        let product = self.product(a, b, inst.signed, inst.high);
        let product = if inst.negate_product { self.value(Op::INeg, &[product]) } else { product };
        self.add(inst.d, product, c, inst.sum);
    }

    pub(super) fn multiply_add_parts(&mut self, d: Destination, a: PartOf, b: PartOf, c: PartOf) {
        let (a, b, c) = (self.part_of(a), self.part_of(b), self.part_of(c));
        let product = self.value(Op::IMul, &[a, b]);
        self.add(d, product, c, Sum::default());
    }

    pub(super) fn multiply_add_16(&mut self, inst: Half) {
        let (a, b) = (self.part_of(inst.a), self.part_of(inst.b));
        let b_word = self.source(inst.b_word);
        let c = self.source(inst.c);
        let product = self.value(Op::IMul, &[a, b]);
        let product = if inst.shift_product { self.shifted(Op::Shl, product, 16) } else { product };
        let c = match inst.addend {
            MultiplyAddend::Word => c,
            MultiplyAddend::Low => self.cut(c, 0, 16, false),
            MultiplyAddend::High => self.cut(c, 16, 16, false),
            MultiplyAddend::PlusB => {
                let up = self.shifted(Op::Shl, b_word, 16);
                self.value(Op::IAdd, &[c, up])
            }
            MultiplyAddend::SignCorrected => {
                // Each signed half that is negative takes 2^16 away.
                let mut less = self.bits(0);
                for (part, value) in [(inst.a, a), (inst.b, b)] {
                    if !part.signed {
                        continue;
                    }
                    let sign = self.shifted(Op::ShrS, value, 31);
                    let one = self.masked(sign, 1 << 16);
                    less = self.value(Op::IAdd, &[less, one]);
                }
                self.value(Op::ISub, &[c, less])
            }
        };
        if !inst.merge {
            return self.add(inst.d, product, c, Sum { carry: inst.carry, ..Sum::default() });
        }
        let mut sum = self.value(Op::IAdd, &[product, c]);
        if inst.carry {
            let carry = self.carry();
            sum = self.value(Op::IAdd, &[sum, carry]);
        }
        let low = self.masked(sum, 0xFFFF);
        let high = self.shifted(Op::Shl, b_word, 16);
        let value = self.value(Op::Or, &[low, high]);
        self.result(inst.d, value);
    }

    pub(super) fn shift_add(&mut self, d: Destination, a: Integer, b: Integer, shift: u8, plus_one: bool) {
        let a = self.integer(a, false);
        let a = self.shifted(Op::Shl, a, shift.into());
        let b = self.integer(b, false);
        self.add(d, a, b, Sum { plus_one, ..Sum::default() });
    }

    pub(super) fn effective_address(&mut self, inst: Effective) {
        let shift = u32::from(inst.shift);
        let shifted = match inst.high {
            None => {
                let a = self.integer(inst.a, false);
                self.shifted(Op::Shl, a, shift)
            }
            Some(c) => {
                let mut low = self.source(inst.a.source);
                let mut high = self.register(c);
                if inst.a.negate {
                    let is_zero = self.is_zero(low);
                    let more = self.value(Op::BToI, &[is_zero]);
                    let not = self.value(Op::Not, &[high]);
                    high = self.value(Op::IAdd, &[not, more]);
                    low = self.value(Op::INeg, &[low]);
                }
                if shift == 0 {
                    high
                } else {
                    let up = self.shifted(Op::Shl, high, shift);
                    let down = self.shifted(Op::ShrU, low, 32 - shift);
                    self.value(Op::Or, &[up, down])
                }
            }
        };
        let b = self.source(inst.b);
        if inst.p < 7 {
            let mut sum = self.value(Op::IAdd, &[shifted, b]);
            if inst.carry {
                let carry = self.carry();
                sum = self.value(Op::IAdd, &[sum, carry]);
            }
            let zero = self.is_zero(sum);
            let there = self.value(Op::Not, &[zero]);
            self.add(inst.d, shifted, b, Sum { carry: inst.carry, ..Sum::default() });
            return self.set_predicate(inst.p, there);
        }
        self.add(inst.d, shifted, b, Sum { carry: inst.carry, ..Sum::default() });
    }

    pub(super) fn int_min_max(&mut self, d: Destination, a: Value, b: Value, signed: bool, least: Predicate) {
        let (min, max) = if signed { (Op::SMin, Op::SMax) } else { (Op::UMin, Op::UMax) };
        let value = if least.is_true() || least.is_never() {
            self.value(if least.is_true() { min } else { max }, &[a, b])
        } else {
            let least = self.predicate(least);
            let (min, max) = (self.value(min, &[a, b]), self.value(max, &[a, b]));
            self.select(least, min, max)
        };
        self.result(d, value);
    }

    /// A word of the smaller or larger of wider numbers: the highest word first, which leaves in the condition code
    /// what it found.
    pub(super) fn int_min_max_wide(
        &mut self,
        d: Destination,
        (a, b): (Value, Value),
        signed: bool,
        least: Predicate,
        highest: bool,
    ) {
        let mut less = self.less(a, b, if signed { Order::Signed } else { Order::Unsigned });
        let mut equal = self.equal(a, b);
        if !highest {
            let (were_equal, was_less) = (self.flag(Flag::Zero), self.flag(Flag::Sign));
            let differed = self.value(Op::Not, &[were_equal]);
            let here = self.value(Op::And, &[were_equal, less]);
            let before = self.value(Op::And, &[differed, was_less]);
            less = self.value(Op::Or, &[here, before]);
            equal = self.value(Op::And, &[were_equal, equal]);
        }
        let least = self.predicate(least);
        let other = self.value(Op::Xor, &[less, least]);
        let value = self.select(other, b, a);
        self.set_register(d.register, value);
        if d.flags {
            let no = self.truth(false);
            self.set_flag(Flag::Zero, equal);
            self.set_flag(Flag::Sign, less);
            self.set_flag(Flag::Carry, no);
            self.set_flag(Flag::Overflow, no);
        }
    }

    /// Whether a comparison of integers holds.
    pub(super) fn compare_int(&mut self, compare: CompareInt, a: Value, b: Value, signed: bool) -> Value {
        let (less, less_equal) = if signed { (By::Slt, By::Sle) } else { (By::Ult, By::Ule) };
        let CompareInt { less: l, equal: e, greater: g } = compare;
        let (by, operands) = match (l, e, g) {
            (false, false, false) => return self.truth(false),
            (true, true, true) => return self.truth(true),
            (true, false, false) => (less, [a, b]),
            (true, true, false) => (less_equal, [a, b]),
            (false, true, false) => (By::Eq, [a, b]),
            (true, false, true) => (By::Ne, [a, b]),
            (false, false, true) => (less, [b, a]),
            (false, true, true) => (less_equal, [b, a]),
        };
        self.value(Op::ICompare(by), &operands)
    }

    /// Whether a comparison of the upper words holds, the condition code being that of the lower words'
    /// difference.
    pub(super) fn compare_int_extended(
        &mut self,
        compare: CompareInt,
        a: Value,
        b: Value,
        signed: bool,
    ) -> Value {
        let carry = self.flag(Flag::Carry);
        let low_equal = self.flag(Flag::Zero);
        let order = if signed { Order::Signed } else { Order::Unsigned };
        let high_less = self.less(a, b, order);
        let high_equal = self.equal(a, b);
        // No carry out of the lower words' difference: they were less.
        let low_less = self.value(Op::Not, &[carry]);
        let tie = self.value(Op::And, &[high_equal, low_less]);
        let less = self.value(Op::Or, &[high_less, tie]);
        // What is left of the upper words is zero: without the carry the first is one more than the second.
        let one = self.bits(1);
        let next = self.value(Op::IAdd, &[b, one]);
        let next = self.select(carry, b, next);
        let all_equal = self.equal(a, next);
        let equal = self.value(Op::And, &[all_equal, low_equal]);
        let either = self.value(Op::Or, &[less, equal]);
        let CompareInt { less: l, equal: e, greater: g } = compare;
        match (l, e, g) {
            (false, false, false) => self.truth(false),
            (true, true, true) => self.truth(true),
            (true, false, false) => less,
            (true, true, false) => either,
            (false, true, false) => equal,
            (true, false, true) => self.value(Op::Not, &[equal]),
            (false, false, true) => self.value(Op::Not, &[either]),
            (false, true, true) => self.value(Op::Not, &[less]),
        }
    }
}
