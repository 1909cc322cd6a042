//! Addresses of 64 bits in two words: what is added to what.
//!
//! A machine of 32 bits adds the low words, then the high words and the carry, which is an unsigned comparison of the
//! low sum with one of its terms. Both words together are then a base with offsets added, each an unsigned or a signed
//! word.

use super::edit::constant;
use crate::{CompareInt, Function, Op, Value};
use smallvec::{SmallVec, smallvec};

/// Most additions that are followed.
const MOST: usize = 8;
/// Most terms of a sum of high words.
const TERMS: usize = 8;

/// An address: `base + sum of offsets`, over 64 bits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Sum {
    /// Low and high word of the address that offsets are added to.
    pub(super) base: (Value, Value),
    /// Low words of what is added, in the order in which it was added last.
    pub(super) offsets: SmallVec<[Value; 4]>,
}

/// Every way to see a pair of words as a base with offsets, none of them taken off first. The last one has the base
/// furthest back.
pub(super) fn sums(function: &Function, low: Value, high: Value) -> SmallVec<[Sum; 4]> {
    let mut found: SmallVec<[Sum; 4]> = smallvec![];
    // What is left to be explained, with the terms of its high word.
    let mut work: SmallVec<[(Value, HighSum, SmallVec<[Value; 4]>); 4]> = smallvec![];
    let Some(terms) = HighSum::of(function, high) else {
        return smallvec![Sum { base: (low, high), offsets: smallvec![] }];
    };
    work.push((low, terms, smallvec![]));
    let mut steps = 0;
    while let Some((low, high, offsets)) = work.pop() {
        if let Some(high) = high.single() {
            found.push(Sum { base: (low, high), offsets: offsets.clone() });
        }
        steps += 1;
        if steps > MOST {
            break;
        }
        let Some(inst) = function.definition(low).filter(|inst| inst.op == Op::IAdd) else { continue };
        let [a, b] = inst.args[..] else { continue };
        let Some(rest) = high.without_carry(function, low, [a, b]) else { continue };
        for (side, offset) in [(a, b), (b, a)] {
            for rest in rest.without_extension(function, offset) {
                let mut offsets = offsets.clone();
                offsets.push(offset);
                work.push((side, rest, offsets));
            }
        }
    }
    found
}

/// The terms of a high word: values, and a number.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
struct HighSum {
    values: SmallVec<[Value; 4]>,
    number: u32,
}

impl HighSum {
    /// The terms of a value, if there are not too many.
    fn of(function: &Function, value: Value) -> Option<Self> {
        let mut sum = Self::default();
        let mut work: SmallVec<[Value; 8]> = smallvec![value];
        while let Some(value) = work.pop() {
            let inst = function.definition(value).map(|inst| (inst.op, &inst.args[..]));
            match (inst, constant(function, value)) {
                (_, Some(bits)) => sum.number = sum.number.wrapping_add(bits as u32),
                (Some((Op::IAdd, &[a, b])), _) => work.extend([b, a]),
                _ => sum.values.push(value),
            }
            if sum.values.len() + work.len() > TERMS {
                return None;
            }
        }
        Some(sum)
    }

    /// The only term.
    fn single(&self) -> Option<Value> {
        match self.values[..] {
            [value] if self.number == 0 => Some(value),
            _ => None,
        }
    }

    /// The same without the carry of a sum of low words.
    fn without_carry(&self, function: &Function, sum: Value, terms: [Value; 2]) -> Option<Self> {
        let at = self.values.iter().position(|value| is_carry(function, *value, sum, terms))?;
        let mut rest = self.clone();
        rest.values.remove(at);
        Some(rest)
    }

    /// The same without the high word of an offset: nothing of an unsigned word, the sign of a signed one, the bits
    /// that a shift to the left pushed out.
    fn without_extension(&self, function: &Function, low: Value) -> SmallVec<[Self; 2]> {
        let mut found: SmallVec<[Self; 2]> = smallvec![self.clone()];
        if let Some(bits) = constant(function, low) {
            if bits as u32 >> 31 != 0 {
                found.push(Self { number: self.number.wrapping_add(1), ..self.clone() });
            }
            return found;
        }
        for (at, value) in self.values.iter().enumerate() {
            if is_extension(function, *value, low) {
                let mut rest = self.clone();
                rest.values.remove(at);
                found.push(rest);
            }
        }
        found
    }
}

/// Whether a value is 1 where a sum of two words went past the largest one, and else 0.
fn is_carry(function: &Function, value: Value, sum: Value, terms: [Value; 2]) -> bool {
    let Some(inst) = function.definition(value) else { return false };
    let condition = match (inst.op, &inst.args[..]) {
        (Op::BToI, &[condition]) => condition,
        (Op::Select, &[condition, yes, no])
            if constant(function, yes) == Some(1) && constant(function, no) == Some(0) =>
        {
            condition
        }
        _ => return false,
    };
    function.definition(condition).is_some_and(|test| {
        test.op == Op::ICompare(CompareInt::Ult) && test.args[0] == sum && terms.contains(&test.args[1])
    })
}

/// Whether a value is the high word of what has this low word, which is a signed word or one shifted to the left.
fn is_extension(function: &Function, value: Value, low: Value) -> bool {
    let Some(inst) = function.definition(value) else { return false };
    let by = |n: Value| constant(function, n);
    let shifted = function.definition(low).and_then(|inst| match (inst.op, &inst.args[..]) {
        (Op::Shl, &[x, n]) => Some((x, by(n).filter(|n| (1..32).contains(n))?)),
        _ => None,
    });
    match (inst.op, &inst.args[..]) {
        (Op::ShrS, &[x, n]) if x == low => by(n) == Some(31),
        (Op::ShrU | Op::ShrS, &[x, n]) => {
            shifted.is_some_and(|(inner, up)| x == inner && by(n) == Some(32 - up))
        }
        // A word whose own high word is there: the sign of it, shifted as well.
        (Op::Or, &[a, b]) => {
            let Some((inner, up)) = shifted else { return false };
            let shift = |value: Value, op: Op| {
                let inst = function.definition(value).filter(|inst| inst.op == op)?;
                Some((inst.args[0], by(inst.args[1])?))
            };
            [(a, b), (b, a)].into_iter().any(|(pushed, own)| {
                shift(pushed, Op::ShrU) == Some((inner, 32 - up))
                    && shift(own, Op::Shl)
                        .is_some_and(|(sign, n)| n == up && shift(sign, Op::ShrS) == Some((inner, 31)))
            })
        }
        _ => false,
    }
}
