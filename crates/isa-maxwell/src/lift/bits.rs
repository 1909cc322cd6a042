//! Logic, shifts, fields of bits, bytes.

use super::super::Register;
use super::super::operation::{Bits, Destination, FunnelWidth, Logic, PermuteMode, ResultTest, Source};
use super::registers::Flag;
use super::write::{Order, Writer};
use unshade_ir::{Op, Value};

impl Writer<'_> {
    /// Writes a predicate by a result.
    fn test_result(&mut self, p: u8, test: ResultTest, value: Value) {
        if p >= 7 {
            return;
        }
        let holds = match test {
            ResultTest::False => self.truth(false),
            ResultTest::True => self.truth(true),
            ResultTest::Zero => self.is_zero(value),
            ResultTest::NotZero => {
                let zero = self.is_zero(value);
                self.value(Op::Not, &[zero])
            }
        };
        self.set_predicate(p, holds);
    }

    /// Writes the result of logic; with `carry` the zero of the lower word counts too.
    fn logic_result(&mut self, d: Destination, p: u8, test: ResultTest, value: Value, carry: bool) {
        let below = carry.then(|| self.flag(Flag::Zero));
        self.test_result(p, test, value);
        self.result(d, value);
        if let (Some(below), true) = (below, d.flags) {
            let zero = self.is_zero(value);
            let both = self.value(Op::And, &[zero, below]);
            self.set_flag(Flag::Zero, both);
        }
    }

    pub(super) fn logic_two(
        &mut self,
        (d, p, test): (Destination, u8, ResultTest),
        a: Bits,
        b: Bits,
        logic: Logic,
        carry: bool,
    ) {
        let b = self.logic(b);
        let value = match logic {
            Logic::PassB => b,
            Logic::And | Logic::Or | Logic::Xor => {
                let a = self.logic(a);
                let op = match logic {
                    Logic::And => Op::And,
                    Logic::Or => Op::Or,
                    _ => Op::Xor,
                };
                self.value(op, &[a, b])
            }
        };
        self.logic_result(d, p, test, value, carry);
    }

    pub(super) fn logic_three(
        &mut self,
        (d, p, test): (Destination, u8, ResultTest),
        [a, b, c]: [Source; 3],
        table: u8,
        carry: bool,
    ) {
        let [a, b, c] = [a, b, c].map(|source| self.source(source));
        let value = self.table_of_three([a, b, c], table);
        self.logic_result(d, p, test, value, carry);
    }

    /// The logic of three words that a table says, one input after the other taken out of it.
    fn table_of_three(&mut self, [a, b, c]: [Value; 3], table: u8) -> Value {
        let (high, low) = (table >> 4, table & 0xF);
        let [with, without] = [high, low].map(|table| self.table_of_two(b, c, table));
        match (high, low) {
            _ if high == low => with,
            _ if high == !low & 0xF => self.value(Op::Xor, &[a, without]),
            (0xF, _) => self.value(Op::Or, &[a, without]),
            (0, _) => {
                let not = self.value(Op::Not, &[a]);
                self.value(Op::And, &[not, without])
            }
            (_, 0) => self.value(Op::And, &[a, with]),
            (_, 0xF) => {
                let not = self.value(Op::Not, &[a]);
                self.value(Op::Or, &[not, with])
            }
            _ => {
                let taken = self.value(Op::And, &[a, with]);
                let not = self.value(Op::Not, &[a]);
                let other = self.value(Op::And, &[not, without]);
                self.value(Op::Or, &[taken, other])
            }
        }
    }

    /// The logic of two words that a table says: entry `b << 1 | c`.
    fn table_of_two(&mut self, b: Value, c: Value, table: u8) -> Value {
        let not = |w: &mut Self, value| w.value(Op::Not, &[value]);
        match table & 0xF {
            0b0000 => self.bits(0),
            0b1111 => self.bits(u32::MAX),
            0b1100 => b,
            0b1010 => c,
            0b0011 => not(self, b),
            0b0101 => not(self, c),
            0b1000 => self.value(Op::And, &[b, c]),
            0b1110 => self.value(Op::Or, &[b, c]),
            0b0110 => self.value(Op::Xor, &[b, c]),
            0b0111 => {
                let both = self.value(Op::And, &[b, c]);
                not(self, both)
            }
            0b0001 => {
                let either = self.value(Op::Or, &[b, c]);
                not(self, either)
            }
            0b1001 => {
                let different = self.value(Op::Xor, &[b, c]);
                not(self, different)
            }
            0b0100 => {
                let c = not(self, c);
                self.value(Op::And, &[b, c])
            }
            0b0010 => {
                let b = not(self, b);
                self.value(Op::And, &[b, c])
            }
            0b1101 => {
                let c = not(self, c);
                self.value(Op::Or, &[b, c])
            }
            _ => {
                let b = not(self, b);
                self.value(Op::Or, &[b, c])
            }
        }
    }

    pub(super) fn shift(&mut self, d: Destination, op: Op, a: Value, b: Source, wrap: bool) {
        let b = self.source(b);
        let b = if wrap { self.masked(b, 31) } else { b };
        let value = self.value(op, &[a, b]);
        self.result(d, value);
    }

    pub(super) fn reversed(&mut self, value: Value, reverse: bool) -> Value {
        if reverse { self.value(Op::BitReverse, &[value]) } else { value }
    }

    /// A shift of two words as one.
    pub(super) fn funnel(
        &mut self,
        d: Destination,
        [low, high]: [Register; 2],
        by: Source,
        (left, wrap): (bool, bool),
        width: FunnelWidth,
    ) {
        let (low, high) = (self.register(low), self.register(high));
        let by = self.source(by);
        let most: u32 = if width == FunnelWidth::B32 { 32 } else { 64 };
        let by = if wrap {
            self.masked(by, most - 1)
        } else {
            let most = self.bits(most);
            self.value(Op::UMin, &[by, most])
        };
        let all = self.bits(32);
        let value = match (left, width) {
            (true, _) => {
                // The upper word of {high:low} << by.
                let up = self.value(Op::Shl, &[high, by]);
                let rest = self.value(Op::ISub, &[all, by]);
                let below = self.value(Op::ShrU, &[low, rest]);
                let joined = self.value(Op::Or, &[up, below]);
                if most == 32 {
                    joined
                } else {
                    let over = self.value(Op::ISub, &[by, all]);
                    let far = self.value(Op::Shl, &[low, over]);
                    let near = self.less(by, all, Order::Unsigned);
                    self.select(near, joined, far)
                }
            }
            (false, _) => {
                // The lower word of {high:low} >> by.
                let down = self.value(Op::ShrU, &[low, by]);
                let rest = self.value(Op::ISub, &[all, by]);
                let above = self.value(Op::Shl, &[high, rest]);
                let joined = self.value(Op::Or, &[down, above]);
                if most == 32 {
                    joined
                } else {
                    let over = self.value(Op::ISub, &[by, all]);
                    let op = if width == FunnelWidth::S64 { Op::ShrS } else { Op::ShrU };
                    let far = self.value(op, &[high, over]);
                    let near = self.less(by, all, Order::Unsigned);
                    self.select(near, joined, far)
                }
            }
        };
        self.result(d, value);
    }

    /// Place and length of a field, from the lowest two bytes of a word.
    fn field(&mut self, b: Source) -> [Value; 2] {
        if let Source::Immediate(bits) = b {
            return [self.bits(bits & 0xFF), self.bits(bits >> 8 & 0xFF)];
        }
        let b = self.source(b);
        [self.cut(b, 0, 8, false), self.cut(b, 8, 8, false)]
    }

    pub(super) fn extract(&mut self, d: Destination, a: Source, b: Source, signed: bool, reverse: bool) {
        let a = self.source(a);
        let a = self.reversed(a, reverse);
        let [first, count] = self.field(b);
        let op = if signed { Op::SBitExtract } else { Op::UBitExtract };
        let value = self.value(op, &[a, first, count]);
        self.result(d, value);
    }

    pub(super) fn insert(&mut self, d: Destination, a: Source, b: Source, c: Source) {
        let a = self.source(a);
        let [first, count] = self.field(b);
        let c = self.source(c);
        let value = self.value(Op::BitInsert, &[c, a, first, count]);
        self.result(d, value);
    }

    pub(super) fn leading_one(&mut self, d: Destination, a: Bits, signed: bool, shift: bool) {
        let a = self.logic(a);
        let value = self.value(if signed { Op::SFindMsb } else { Op::UFindMsb }, &[a]);
        let value = if shift {
            // 31 less the number; no bit stays all ones.
            let top = self.bits(31);
            let below = self.value(Op::ISub, &[top, value]);
            let none = self.bits(u32::MAX);
            let missing = self.equal(value, none);
            self.select(missing, none, below)
        } else {
            value
        };
        self.result(d, value);
    }

    /// A word, in the lanes of each quad whose bits in the mask are set.
    pub(super) fn moved_lanes(&mut self, d: Register, a: Source, mask: u8) {
        let value = self.source(a);
        if mask & 0xF == 0xF {
            return self.set_register(d, value);
        }
        let lane = self.lane();
        let lane = self.masked(lane, 3);
        let mask = self.bits(u32::from(mask));
        let down = self.value(Op::ShrU, &[mask, lane]);
        let bit = self.masked(down, 1);
        let other = self.is_zero(bit);
        let old = self.register(d);
        let value = self.select(other, old, value);
        self.set_register(d, value);
    }

    pub(super) fn permute(&mut self, d: Register, [a, b, c]: [Source; 3], mode: PermuteMode) {
        let selector = match b {
            Source::Immediate(bits) => Some(bits),
            _ => None,
        };
        let [a, b, c] = [a, b, c].map(|source| self.source(source));
        let (PermuteMode::Index, Some(selector)) = (mode, selector) else {
            let value = self.permute_by([a, b, c], mode);
            return self.set_register(d, value);
        };
        // Bytes that stay together are taken together.
        let bytes = [0, 1, 2, 3].map(|n| selector >> (4 * n) & 0xF);
        let whole = |from: u32| bytes == [from, from + 1, from + 2, from + 3];
        if whole(0) {
            return self.set_register(d, a);
        }
        if whole(4) {
            return self.set_register(d, c);
        }
        let mut value = self.bits(0);
        let mut at = 0;
        while let Some(&first) = bytes.get(at) {
            let mut run = 1;
            while first & 8 == 0
                && first & 3 != 3
                && bytes.get(at + run) == Some(&(first + run as u32))
                && (first & 3) + (run as u32) < 4
            {
                run += 1;
            }
            let word = if first & 4 == 0 { a } else { c };
            let from = 8 * (first & 3);
            let bits = 8 * run as u32;
            let piece = if first & 8 == 0 {
                self.cut(word, from, bits, false)
            } else {
                // The sign of the byte everywhere.
                let sign = self.cut(word, from, 8, true);
                let sign = self.shifted(Op::ShrS, sign, 7);
                self.masked(sign, 0xFF)
            };
            let piece = self.shifted(Op::Shl, piece, 8 * at as u32);
            value = if at == 0 { piece } else { self.value(Op::Or, &[value, piece]) };
            at += run;
        }
        self.set_register(d, value);
    }

    /// Bytes chosen by a word that is not known.
    fn permute_by(&mut self, [a, selector, c]: [Value; 3], mode: PermuteMode) -> Value {
        let mut value = self.bits(0);
        for n in 0..4_u32 {
            let (place, sign) = match mode {
                PermuteMode::Index => {
                    let nibble = self.cut(selector, 4 * n, 4, false);
                    let place = self.masked(nibble, 7);
                    (place, Some(self.shifted(Op::ShrU, nibble, 3)))
                }
                _ => (self.permuted_place(selector, n, mode), None),
            };
            let low = self.masked(place, 3);
            let by = self.shifted(Op::Shl, low, 3);
            let four = self.bits(4);
            let is_first = self.less(place, four, Order::Unsigned);
            let word = self.select(is_first, a, c);
            let down = self.value(Op::ShrU, &[word, by]);
            let mut byte = self.masked(down, 0xFF);
            if let Some(sign) = sign {
                let extended = self.cut(byte, 0, 8, true);
                let all = self.shifted(Op::ShrS, extended, 7);
                let all = self.masked(all, 0xFF);
                let plain = self.is_zero(sign);
                byte = self.select(plain, byte, all);
            }
            let up = self.shifted(Op::Shl, byte, 8 * n);
            value = self.value(Op::Or, &[value, up]);
        }
        value
    }

    /// Which of the eight bytes goes into byte `n`.
    fn permuted_place(&mut self, selector: Value, n: u32, mode: PermuteMode) -> Value {
        let low = self.masked(selector, 3);
        let number = self.bits(n);
        match mode {
            PermuteMode::Forward4Extract => self.value(Op::IAdd, &[low, number]),
            PermuteMode::Backward4Extract => {
                let down = self.value(Op::ISub, &[low, number]);
                self.masked(down, 7)
            }
            PermuteMode::Replicate8 => low,
            PermuteMode::EdgeClampLeft => self.value(Op::UMax, &[low, number]),
            PermuteMode::EdgeClampRight => self.value(Op::UMin, &[low, number]),
            PermuteMode::Replicate16 => {
                let half = self.masked(selector, 1);
                let first = self.shifted(Op::Shl, half, 1);
                let rest = self.bits(n & 1);
                self.value(Op::IAdd, &[first, rest])
            }
            PermuteMode::Index => number,
        }
    }
}
