//! Products of words that a machine with multipliers of 16 bits puts together: `low(a) * low(b)`, with
//! `low(a) * high(b)` and `high(a) * low(b)` shifted by 16 added to it, is `a * b`; with constants one of them is
//! missing, and signs of the upper halves make no difference.
//!
//! Sums are taken apart into products of halves, modulo 2^32, so that neither the order nor the grouping of the terms
//! matters, nor what else is added. Exact.

use super::edit::constant;
use super::known::Known;
use crate::cfg::Cfg;
use crate::{Function, InstId, Module, Op, Type, Value};
use smallvec::{SmallVec, smallvec};
use std::collections::BTreeMap;

/// Most terms of a sum that is looked at.
const TERMS: usize = 12;

const HALF: u32 = 0xFFFF;

/// Puts products together in all functions; answers how many sums changed.
pub(super) fn run(module: &mut Module) -> usize {
    module.functions.iter_mut().map(|function| Products::new(function).run()).sum()
}

/// Which part of a word.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Part {
    /// All of it.
    Whole,
    /// Bits 0 to 15.
    Low,
    /// Bits 16 to 31.
    High,
    /// Bits 0 to 15 with the sign of bit 15.
    SignedLow,
    /// Bits 16 to 31 with the sign of bit 31.
    SignedHigh,
}

/// A factor.
type Factor = (Value, Part);

/// A product of at most two factors, the lesser first.
type Monomial = SmallVec<[Factor; 2]>;

/// A sum of products, each with the number that it is multiplied by, modulo 2^32.
#[derive(Debug, Clone, Default, PartialEq)]
struct Sum {
    terms: BTreeMap<Monomial, u32>,
    /// Words were shifted by a half, or halves were taken.
    of_halves: bool,
    /// A half that was taken is all that there is, or nothing; or terms became one.
    simpler: bool,
}

impl Sum {
    fn number(bits: u32) -> Self {
        let mut sum = Self::default();
        sum.add(smallvec![], bits);
        sum
    }

    fn factor(value: Value, part: Part) -> Self {
        let mut sum = Self { of_halves: part != Part::Whole, ..Self::default() };
        sum.add(smallvec![(value, part)], 1);
        sum
    }

    /// Adds a product. What is multiplied by 2^16 loses its upper half, and so the difference between a word and its
    /// lower half.
    fn add(&mut self, mut product: Monomial, times: u32) {
        if times & HALF == 0 {
            for (_, part) in &mut product {
                let kept = match *part {
                    Part::Low | Part::SignedLow => Part::Whole,
                    Part::SignedHigh => Part::High,
                    part => part,
                };
                self.simpler |= kept != *part;
                *part = kept;
            }
        }
        product.sort();
        let before = self.terms.get(&product).copied().unwrap_or(0);
        self.simpler |= before != 0 || times == 0 && !product.is_empty();
        match before.wrapping_add(times) {
            0 => {
                self.terms.remove(&product);
            }
            // The sum of both numbers may have become a multiple of 2^16.
            sum if sum & HALF == 0 && times & HALF != 0 => {
                self.terms.remove(&product);
                self.add(product, sum);
            }
            sum => {
                self.terms.insert(product, sum);
            }
        }
    }

    fn add_all(&mut self, other: &Self, times: u32) {
        for (product, number) in &other.terms {
            self.add(product.clone(), number.wrapping_mul(times));
        }
        self.of_halves |= other.of_halves;
        self.simpler |= other.simpler;
    }

    /// The only product, if it is a factor or a number.
    fn single(&self) -> Option<(Option<Factor>, u32)> {
        match self.terms.first_key_value() {
            None => Some((None, 0)),
            Some((product, number)) if self.terms.len() == 1 && product.len() < 2 => {
                Some((product.first().copied(), *number))
            }
            _ => None,
        }
    }

    /// The same, of which a half was taken, even if that was all of it.
    fn taken(self) -> Self {
        let simpler = self.terms.keys().flatten().all(|(_, part)| *part == Part::Whole);
        Self { of_halves: true, simpler: self.simpler || simpler, ..self }
    }

    /// Puts halves together. Whether that, or leaving out halves that are 0, makes it simpler: nothing is left of
    /// products of halves.
    fn put_together(&mut self) -> bool {
        let mut found = false;
        while let Some((low, whole, high)) = self.pair() {
            let Some(number) = self.terms.remove(&low) else { break };
            self.terms.remove(&high);
            self.add(whole, number);
            found = true;
        }
        let halves = |product: &&Monomial| product.iter().any(|(_, part)| *part != Part::Whole);
        let mut left = self.terms.keys().filter(halves);
        let product = self.terms.keys().any(|product| product.len() > 1);
        left.clone().all(|product| product.len() < 2)
            && (found || self.simpler && (product || left.next().is_none()))
    }

    /// A product with a lower half that stands beside the same one with the upper half, and both together.
    fn pair(&self) -> Option<(Monomial, Monomial, Monomial)> {
        self.terms.iter().find_map(|(low, number)| {
            (0..low.len()).find_map(|at| {
                let (value, part) = low[at];
                if !matches!(part, Part::Low | Part::SignedLow) {
                    return None;
                }
                // Where a word is multiplied by itself its halves meet twice.
                let square = low.len() == 2 && low[0] == low[1];
                let times = if square { 2 } else { 1 };
                let mut high: Monomial = low
                    .iter()
                    .enumerate()
                    .map(|(n, (value, part))| match (n == at, part) {
                        (true, _) => (*value, Part::High),
                        (_, Part::SignedHigh) => (*value, Part::High),
                        (_, Part::High) => (*value, Part::High),
                        _ => (*value, Part::Whole),
                    })
                    .collect();
                high.sort();
                // A lower half with a sign counts the upper half one higher where the sign is set.
                let unsigned = part == Part::Low;
                let beside = self.terms.get(&high).copied();
                let expected = number.wrapping_shl(16).wrapping_mul(times);
                let mut whole = low.clone();
                whole[at] = (value, Part::Whole);
                if square {
                    whole[0] = (value, Part::Whole);
                    whole[1] = (value, Part::Whole);
                }
                whole.sort();
                (unsigned && beside == Some(expected) && *low != high).then(|| (low.clone(), whole, high))
            })
        })
    }
}

/// What the upper half of a word is.
enum Upper {
    Number(u32),
    /// The lower half of another word.
    Low(Value),
    Unknown,
}

struct Products<'a> {
    function: &'a mut Function,
    /// What a value is as a sum; only of values that halves are in.
    sums: Vec<Option<Sum>>,
}

impl<'a> Products<'a> {
    fn new(function: &'a mut Function) -> Self {
        let sums = vec![None; function.values.len()];
        Self { function, sums }
    }

    fn run(&mut self) -> usize {
        let mut count = 0;
        // Operands come before what they are used by.
        for block in Cfg::new(self.function).order {
            let list = std::mem::take(&mut self.function.blocks[block.index()].insts);
            let mut out = Vec::with_capacity(list.len());
            for id in list {
                count += usize::from(self.visit(id, &mut out));
                out.push(id);
            }
            self.function.blocks[block.index()].insts = out;
        }
        count
    }

    /// Finds out what an instruction is as a sum, and writes it anew if that puts products together.
    fn visit(&mut self, id: InstId, before: &mut Vec<InstId>) -> bool {
        let inst = &self.function.insts[id.index()];
        let [result] = inst.results[..] else { return false };
        if self.function.ty(result) != Type::B32 {
            return false;
        }
        let Some(sum) = self.expand(id).filter(|sum| sum.of_halves) else { return false };
        let sum = self.resolved(sum);
        if sum.terms.len() > TERMS {
            return false;
        }
        if matches!(self.function.insts[id.index()].op, Op::IAdd | Op::ISub | Op::Or | Op::Xor) {
            let mut whole = sum.clone();
            if whole.put_together() {
                self.write(id, &whole, before);
                // What comes together may be a part of more.
                self.sums[result.index()] = Some(Sum { of_halves: true, simpler: false, ..whole });
                return true;
            }
        }
        self.sums[result.index()] = Some(sum);
        false
    }

    /// The same with the sums that words are in place of these words.
    fn resolved(&self, sum: Sum) -> Sum {
        let known = |product: &Monomial| match product[..] {
            [(value, Part::Whole)] => self.sums.get(value.index()).and_then(Option::as_ref),
            _ => None,
        };
        if !sum.terms.keys().any(|product| known(product).is_some()) {
            return sum;
        }
        let mut whole = Sum { of_halves: sum.of_halves, simpler: sum.simpler, ..Sum::default() };
        for (product, times) in sum.terms {
            match known(&product) {
                Some(inner) => whole.add_all(inner, times),
                None => whole.add(product, times),
            }
        }
        whole
    }

    /// A value as a sum.
    fn sum(&self, value: Value) -> Sum {
        if let Some(Some(sum)) = self.sums.get(value.index()) {
            return sum.clone();
        }
        match constant(self.function, value) {
            Some(bits) => Sum::number(bits as u32),
            None => Sum::factor(value, Part::Whole),
        }
    }

    fn number(&self, value: Value) -> Option<u32> {
        constant(self.function, value).map(|bits| bits as u32)
    }

    /// A number, of what was found to be one too.
    fn known(&self, value: Value) -> Option<u32> {
        match self.sum(value).single() {
            Some((None, bits)) => Some(bits),
            _ => None,
        }
    }

    fn expand(&self, id: InstId) -> Option<Sum> {
        let inst = &self.function.insts[id.index()];
        match (inst.op, &inst.args[..]) {
            (Op::IAdd, &[a, b]) => Some(self.both(a, b, 1)),
            (Op::ISub, &[a, b]) => Some(self.both(a, b, u32::MAX)),
            (Op::Or | Op::Xor, &[a, b]) if self.possible(a) & self.possible(b) == 0 => {
                Some(self.both(a, b, 1))
            }
            (Op::INeg, &[a]) => Some(self.times(a, u32::MAX)),
            (Op::Shl, &[a, n]) => {
                let n = self.number(n).filter(|n| *n < 32)?;
                let sum = self.times(a, 1 << n);
                Some(Sum { of_halves: sum.of_halves || n == 16, ..sum })
            }
            (Op::And, &[a, b]) => match (self.number(a), self.number(b)) {
                (_, Some(HALF)) => Some(self.low(a)),
                (Some(HALF), _) => Some(self.low(b)),
                _ => None,
            },
            (Op::ShrU, &[a, n]) if self.number(n) == Some(16) => Some(self.high(a)),
            (Op::ShrS, &[a, n]) if self.number(n) == Some(16) => {
                let inner = self.function.definition(a);
                match inner.map(|inst| (inst.op, &inst.args[..])) {
                    Some((Op::Shl, &[x, by])) if self.number(by) == Some(16) => Some(self.signed_low(x)),
                    _ => Some(self.signed_high(a)),
                }
            }
            (Op::IMul, &[a, b]) => self.product(a, b),
            _ => None,
        }
    }

    fn both(&self, a: Value, b: Value, times: u32) -> Sum {
        let mut sum = self.sum(a);
        sum.add_all(&self.sum(b), times);
        sum
    }

    fn times(&self, a: Value, times: u32) -> Sum {
        let mut sum = Sum::default();
        sum.add_all(&self.sum(a), times);
        sum
    }

    /// Bits 0 to 15 of a word.
    fn low(&self, value: Value) -> Sum {
        let sum = if self.possible(value) & !HALF == 0 {
            self.sum(value)
        } else if let Some(bits) = self.known(value) {
            Sum::number(bits & HALF)
        } else {
            match self.parts(value) {
                Some((low, _)) => self.sum(low),
                None => Sum::factor(value, Part::Low),
            }
        };
        sum.taken()
    }

    /// The same with the sign of bit 15.
    fn signed_low(&self, value: Value) -> Sum {
        if let Some(bits) = self.known(value) {
            return Sum::number(bits as i16 as u32).taken();
        }
        if self.possible(value) & 0x8000 == 0 {
            return self.low(value);
        }
        let low = self.parts(value).map_or(value, |(low, _)| low);
        Sum::factor(low, Part::SignedLow)
    }

    /// Bits 16 to 31 of a word.
    fn high(&self, value: Value) -> Sum {
        if self.possible(value) & !HALF == 0 {
            return Sum::default().taken();
        }
        match self.upper(value) {
            Upper::Number(bits) => Sum::number(bits).taken(),
            Upper::Low(of) => self.low(of),
            Upper::Unknown => Sum::factor(value, Part::High),
        }
    }

    /// The same with the sign of bit 31.
    fn signed_high(&self, value: Value) -> Sum {
        if self.possible(value) >> 31 == 0 {
            return self.high(value);
        }
        match self.upper(value) {
            Upper::Number(bits) => Sum::number(bits as i16 as u32).taken(),
            Upper::Low(of) => self.signed_low(of),
            Upper::Unknown => Sum::factor(value, Part::SignedHigh),
        }
    }

    /// What the upper half of a word is.
    fn upper(&self, value: Value) -> Upper {
        let high = self.parts(value).map_or(value, |(_, high)| high);
        if let Some(bits) = self.known(high) {
            return Upper::Number(bits >> 16);
        }
        match self.function.definition(high).map(|inst| (inst.op, &inst.args[..])) {
            Some((Op::Shl, &[inner, n])) if self.number(n) == Some(16) => Upper::Low(inner),
            _ => Upper::Unknown,
        }
    }

    /// What a word is put together from: something in its lower half, something in its upper half.
    fn parts(&self, value: Value) -> Option<(Value, Value)> {
        let inst = self.function.definition(value)?;
        let (Op::Or | Op::Xor | Op::IAdd, &[a, b]) = (inst.op, &inst.args[..]) else { return None };
        let possible = [a, b].map(|part| self.possible(part));
        match possible {
            [low, high] if low & !HALF == 0 && high & HALF == 0 => Some((a, b)),
            [high, low] if low & !HALF == 0 && high & HALF == 0 => Some((b, a)),
            _ => None,
        }
    }

    /// A product of halves, of which one may be a number, or a word without an upper half.
    fn product(&self, a: Value, b: Value) -> Option<Sum> {
        let (a, b) = (self.sum(a), self.sum(b));
        let (of_halves, simpler) = (a.of_halves || b.of_halves, a.simpler || b.simpler);
        let ((first, number), (second, times)) = (a.single()?, b.single()?);
        let mut sum = Sum { of_halves, simpler, ..Sum::default() };
        sum.add(first.into_iter().chain(second).collect(), number.wrapping_mul(times));
        of_halves.then_some(sum)
    }

    /// Bits of a word that may be 1.
    fn possible(&self, value: Value) -> u32 {
        Known { function: self.function, globals: &[] }.possible(value)
    }

    /// Makes the instruction the sum.
    fn write(&mut self, id: InstId, sum: &Sum, before: &mut Vec<InstId>) {
        let origin = self.function.insts[id.index()].origin;
        let mut make = |function: &mut Function, op: Op, args: &[Value]| {
            let made = function.push_inst(op, args, &[Type::B32], origin);
            before.push(made);
            function.result(made, 0)
        };
        // Products first; a number, the one without a factor, last.
        let mut terms: Vec<(&Monomial, u32)> =
            sum.terms.iter().map(|(product, number)| (product, *number)).collect();
        terms.sort_by_key(|(product, number)| (std::cmp::Reverse(product.len()), (*number as i32) < 0));
        let mut total: Option<Value> = None;
        // What the instruction itself is to do.
        let mut last: (Op, SmallVec<[Value; 3]>) = (Op::B32(0), smallvec![]);
        for (n, (product, number)) in terms.iter().enumerate() {
            let is_last = n + 1 == terms.len();
            let mut number = *number;
            let mut args: SmallVec<[Value; 3]> = product
                .iter()
                .map(|(value, part)| {
                    let function = &mut *self.function;
                    let mut with = |function: &mut Function, op, value, bits| {
                        let bits = make(function, Op::B32(bits), &[]);
                        make(function, op, &[value, bits])
                    };
                    match part {
                        Part::Whole => *value,
                        Part::Low => with(function, Op::And, *value, HALF),
                        Part::High => with(function, Op::ShrU, *value, 16),
                        Part::SignedHigh => with(function, Op::ShrS, *value, 16),
                        Part::SignedLow => {
                            let up = with(function, Op::Shl, *value, 16);
                            with(function, Op::ShrS, up, 16)
                        }
                    }
                })
                .collect();
            let subtracted = total.is_some() && (number as i32) < 0 && !product.is_empty();
            if subtracted {
                number = number.wrapping_neg();
            }
            // The operation that gives the term.
            let function = &mut *self.function;
            let mut term: (Op, SmallVec<[Value; 3]>) = match args[..] {
                [] => (Op::B32(number), smallvec![]),
                [value] if number == 1 => (Op::Or, smallvec![value, value]),
                _ => {
                    if let [a, b] = args[..]
                        && number != 1
                    {
                        args = smallvec![make(function, Op::IMul, &[a, b])];
                    }
                    match args[..] {
                        [a] if number.is_power_of_two() => {
                            let by = make(function, Op::B32(number.trailing_zeros()), &[]);
                            (Op::Shl, smallvec![a, by])
                        }
                        [a] => {
                            let by = make(function, Op::B32(number), &[]);
                            (Op::IMul, smallvec![a, by])
                        }
                        _ => (Op::IMul, args),
                    }
                }
            };
            if let Some(before) = total {
                let value = match term {
                    (Op::Or, args) => args[0],
                    (op, args) => make(function, op, &args),
                };
                term = (if subtracted { Op::ISub } else { Op::IAdd }, smallvec![before, value]);
            }
            if is_last {
                last = term;
            } else {
                total = Some(match term {
                    (Op::Or, args) => args[0],
                    (op, args) => make(function, op, &args),
                });
            }
        }
        let inst = &mut self.function.insts[id.index()];
        (inst.op, inst.args) = last;
    }
}

#[cfg(test)]
mod tests;
