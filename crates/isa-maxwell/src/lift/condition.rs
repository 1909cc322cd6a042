//! Predicates and the condition code.

use super::super::operation::{Combine, ConditionCode, Source};
use super::super::{Predicate, Register};
use super::registers::Flag;
use super::write::Writer;
use unshade_ir::{Op, Value};

/// Whether a condition on the condition code holds; none for the one that always does.
pub(super) fn holds(w: &mut Writer<'_>, condition: ConditionCode) -> Option<Value> {
    let simple = |w: &mut Writer<'_>, flag, is: bool| {
        let value = w.flag(flag);
        if is { value } else { w.value(Op::Not, &[value]) }
    };
    Some(match condition.0 {
        15 => return None,
        0..=14 => ordered(w, condition.0),
        16 => simple(w, Flag::Overflow, false),
        17 => simple(w, Flag::Carry, false),
        18 => simple(w, Flag::Sign, false),
        19 | 20 => {
            let zero = w.flag(Flag::Zero);
            let less = simple(w, Flag::Carry, false);
            let least = w.value(Op::Or, &[zero, less]);
            if condition.0 == 19 { least } else { w.value(Op::Not, &[least]) }
        }
        21 => simple(w, Flag::Sign, true),
        22 => simple(w, Flag::Carry, true),
        23 => simple(w, Flag::Overflow, true),
        30 | 31 => {
            let (zero, sign) = (w.flag(Flag::Zero), w.flag(Flag::Sign));
            let least = w.value(Op::Or, &[zero, sign]);
            if condition.0 == 30 { least } else { w.value(Op::Not, &[least]) }
        }
        number => {
            w.refuse(format!("condition {number} of the condition code"));
            w.truth(false)
        }
    })
}

/// Conditions 0-14, as the machine has them in every state of the code: not all of them are sums of less, equal, greater
/// and no number where overflow and zero stand together.
fn ordered(w: &mut Writer<'_>, number: u8) -> Value {
    let (zero, sign, overflow) = (w.flag(Flag::Zero), w.flag(Flag::Sign), w.flag(Flag::Overflow));
    let not = |w: &mut Writer<'_>, value| w.value(Op::Not, &[value]);
    let below = |w: &mut Writer<'_>| w.value(Op::Xor, &[sign, overflow]);
    let least = |w: &mut Writer<'_>| {
        let either = w.value(Op::Or, &[zero, overflow]);
        w.value(Op::Xor, &[sign, either])
    };
    let less = |w: &mut Writer<'_>| {
        let not_zero = w.value(Op::Not, &[zero]);
        let negative = w.value(Op::And, &[sign, not_zero]);
        w.value(Op::Xor, &[negative, overflow])
    };
    match number {
        1 => less(w),
        2 => {
            let not_sign = not(w, sign);
            w.value(Op::And, &[zero, not_sign])
        }
        3 => least(w),
        4 => {
            let (not_zero, below) = (not(w, zero), below(w));
            let not_below = not(w, below);
            w.value(Op::And, &[not_below, not_zero])
        }
        5 => not(w, zero),
        6 => {
            let below = below(w);
            not(w, below)
        }
        7 => {
            let nan = w.value(Op::And, &[zero, sign]);
            not(w, nan)
        }
        8 => w.value(Op::And, &[zero, sign]),
        9 => below(w),
        10 => zero,
        11 => {
            let below = below(w);
            w.value(Op::Or, &[zero, below])
        }
        12 => {
            let least = least(w);
            not(w, least)
        }
        13 => {
            let not_zero = not(w, zero);
            w.value(Op::Or, &[not_zero, sign])
        }
        14 => {
            let less = less(w);
            not(w, less)
        }
        _ => w.truth(false),
    }
}

impl Writer<'_> {
    pub(super) fn condition(&mut self, condition: ConditionCode) -> Value {
        holds(self, condition).unwrap_or_else(|| self.truth(true))
    }

    pub(super) fn two_predicates(&mut self, a: Predicate, b: Predicate, op: Combine) -> Value {
        let (a, b) = (self.predicate(a), self.predicate(b));
        self.combine(op, a, b)
    }

    /// The predicates, or the bits of the condition code, by their numbers.
    fn truths(&mut self, condition_code: bool) -> Vec<Value> {
        if condition_code {
            return Flag::ALL.map(|flag| self.flag(flag)).to_vec();
        }
        (0..7).map(|number| self.predicate(Predicate { number, not: false })).collect()
    }

    pub(super) fn predicates_to_register(
        &mut self,
        d: Register,
        a: Register,
        mask: Source,
        byte: u8,
        condition_code: bool,
    ) {
        let known = match mask {
            Source::Immediate(bits) => Some(bits),
            _ => None,
        };
        let mask = self.source(mask);
        let truths = self.truths(condition_code);
        let mut bits = self.bits(0);
        for (n, truth) in (0_u32..).zip(truths) {
            if known.is_some_and(|known| known >> n & 1 == 0) {
                continue;
            }
            let bit = self.value(Op::BToI, &[truth]);
            let bit = self.shifted(Op::Shl, bit, n);
            bits = self.value(Op::Or, &[bits, bit]);
        }
        let mask = self.masked(mask, 0xFF);
        let bits = self.value(Op::And, &[bits, mask]);
        let up = 8 * u32::from(byte & 3);
        let [bits, mask] = [bits, mask].map(|value| self.shifted(Op::Shl, value, up));
        let old = self.register(a);
        let keep = self.value(Op::Not, &[mask]);
        let kept = self.value(Op::And, &[old, keep]);
        let value = self.value(Op::Or, &[kept, bits]);
        self.set_register(d, value);
    }

    pub(super) fn register_to_predicates(
        &mut self,
        a: Register,
        mask: Source,
        byte: u8,
        condition_code: bool,
    ) {
        let known = match mask {
            Source::Immediate(bits) => Some(bits),
            _ => None,
        };
        let mask = self.source(mask);
        let value = self.register(a);
        let value = self.shifted(Op::ShrU, value, 8 * u32::from(byte & 3));
        let count = if condition_code { 4 } else { 7 };
        for n in 0..count {
            if known.is_some_and(|known| known >> n & 1 == 0) {
                continue;
            }
            let bit = self.masked(value, 1 << n);
            let zero = self.is_zero(bit);
            let mut truth = self.value(Op::Not, &[zero]);
            if known.is_none() {
                let wanted = self.masked(mask, 1 << n);
                let kept = self.is_zero(wanted);
                let old = match Flag::ALL.get(n as usize) {
                    Some(flag) if condition_code => self.flag(*flag),
                    _ => self.predicate(Predicate { number: n as u8, not: false }),
                };
                truth = self.select(kept, old, truth);
            }
            match Flag::ALL.get(n as usize) {
                Some(flag) if condition_code => self.set_flag(*flag, truth),
                _ => self.set_predicate(n as u8, truth),
            }
        }
    }
}
