//! The most that a word can be, as far as the operations that make it show, and the comparisons on the way to where it is used.

use crate::cfg::{Cfg, Dominators};
use crate::{BlockId, CompareInt, Function, Op, Terminator, Value, ValueDef};
use std::cell::Cell;
use std::collections::BTreeMap;

/// Values that are looked at.
const MOST_VALUES: u32 = 256;
/// Comparisons that are looked at for one value.
const MOST_GUARDS: usize = 64;
/// What a counter grows by in a pass, at the most.
const MOST_STEP: u32 = 1 << 16;

/// The most that a word is as an unsigned number, if that is below 2^31; as a signed one it is no less than zero then.
pub fn most(function: &Function, value: Value) -> Option<u32> {
    Search { function, flow: None, left: Cell::new(MOST_VALUES) }.of(value)
}

/// The same where the way to a use counts too: `if (i < 8) ... i`, and counters of loops.
#[derive(Debug)]
pub struct Bounds<'f> {
    function: &'f Function,
    cfg: Cfg,
    dominators: Dominators,
    /// What each parameter of a block gets, and from which block.
    incoming: BTreeMap<Value, Vec<(BlockId, Value)>>,
}

impl<'f> Bounds<'f> {
    /// Reads the flow of a function.
    pub fn new(function: &'f Function) -> Self {
        let cfg = Cfg::new(function);
        let dominators = Dominators::new(&cfg);
        let mut incoming: BTreeMap<Value, Vec<(BlockId, Value)>> = BTreeMap::new();
        for from in &cfg.order {
            for target in function.blocks[from.index()].terminator.targets() {
                let Some(to) = function.blocks.get(target.block.index()) else { continue };
                for (param, arg) in to.params.iter().zip(&target.args) {
                    incoming.entry(*param).or_default().push((*from, *arg));
                }
            }
        }
        Self { function, cfg, dominators, incoming }
    }

    /// The most that a word is in a block, as [`most`] says it.
    pub fn most(&self, value: Value, at: BlockId) -> Option<u32> {
        Search { function: self.function, flow: Some((self, at)), left: Cell::new(MOST_VALUES) }.of(value)
    }

    /// The most that comparisons on every way to a block leave of a value.
    fn guarded(&self, value: Value, at: BlockId) -> Option<u32> {
        let mut least: Option<u32> = None;
        let mut block = at;
        for _ in 0..MOST_GUARDS {
            if let &[from] = self.cfg.predecessors(block) {
                let said = self.said(value, from, block);
                least = least.into_iter().chain(said).min();
            }
            let Some(up) = self.dominators.immediate(block) else { break };
            block = up;
        }
        least
    }

    /// What the branch from one block to another says of a value.
    fn said(&self, value: Value, from: BlockId, to: BlockId) -> Option<u32> {
        let Terminator::Branch { condition, then, otherwise } =
            &self.function.blocks.get(from.index())?.terminator
        else {
            return None;
        };
        (then.block != otherwise.block).then(|| self.holds(value, *condition, then.block == to)).flatten()
    }

    /// The most that a value is where a condition holds, or does not.
    fn holds(&self, value: Value, condition: Value, is_true: bool) -> Option<u32> {
        let inst = self.function.definition(condition)?;
        let &[a, b] = &inst.args[..] else { return None };
        let number = |value: Value| match self.function.definition(value)?.op {
            Op::B32(bits) => Some(bits).filter(|bits| *bits < 1 << 31),
            _ => None,
        };
        let (at_most, is_signed) = match (inst.op, is_true) {
            (Op::And, true) => {
                return self.holds(value, a, true).into_iter().chain(self.holds(value, b, true)).min();
            }
            (Op::Or, false) => {
                return self.holds(value, a, false).into_iter().chain(self.holds(value, b, false)).min();
            }
            (Op::ICompare(CompareInt::Eq), true) | (Op::ICompare(CompareInt::Ne), false) => {
                let other = if a == value { b } else { (b == value).then_some(a)? };
                return number(other);
            }
            (Op::ICompare(op), true) if a == value => match op {
                CompareInt::Ult | CompareInt::Slt => (number(b)?.checked_sub(1)?, op == CompareInt::Slt),
                CompareInt::Ule | CompareInt::Sle => (number(b)?, op == CompareInt::Sle),
                _ => return None,
            },
            (Op::ICompare(op), false) if b == value => match op {
                CompareInt::Ult | CompareInt::Slt => (number(a)?, op == CompareInt::Slt),
                CompareInt::Ule | CompareInt::Sle => (number(a)?.checked_sub(1)?, op == CompareInt::Sle),
                _ => return None,
            },
            _ => return None,
        };
        (!is_signed || self.counts_up(value)).then_some(at_most)
    }

    /// Whether a value starts at no less than zero and only grows. That it grows past 2^31 in front of a comparison that keeps it
    /// below is left out: it takes as many passes.
    fn counts_up(&self, value: Value) -> bool {
        let Some(inst) = self.function.definition(value) else { return self.is_counter(value) };
        match (inst.op, &inst.args[..]) {
            // The counter of the next pass.
            (Op::IAdd, &[a, b]) => {
                let step = |value: Value| most(self.function, value).is_some_and(|step| step <= MOST_STEP);
                step(b) && self.is_counter(a) || step(a) && self.is_counter(b)
            }
            _ => most(self.function, value).is_some(),
        }
    }

    fn is_counter(&self, param: Value) -> bool {
        let Some(incoming) = self.incoming.get(&param) else { return false };
        incoming.iter().all(|(_, arg)| {
            *arg == param || most(self.function, *arg).is_some() || self.steps(*arg, param).is_some()
        })
    }

    /// What a value is more than a parameter.
    fn steps(&self, value: Value, param: Value) -> Option<u32> {
        let inst = self.function.definition(value)?;
        let (Op::IAdd, &[a, b]) = (inst.op, &inst.args[..]) else { return None };
        let other = if a == param { b } else { (b == param).then_some(a)? };
        most(self.function, other).filter(|step| *step <= MOST_STEP)
    }

    /// The most that a parameter of a block is: that of all that it gets.
    fn param(&self, param: Value) -> Option<u32> {
        self.incoming.get(&param)?.iter().try_fold(0, |highest: u32, (from, arg)| {
            let ValueDef::Param(to, _) = self.function.values.get(param.index())?.def else { return None };
            let found = match most(self.function, *arg) {
                Some(most) => most,
                None if *arg == param => 0,
                // What the way there says.
                None => self
                    .said(*arg, *from, to)
                    .into_iter()
                    .chain(self.guarded(*arg, *from))
                    .min()
                    .or_else(|| self.guarded(param, *from)?.checked_add(self.steps(*arg, param)?))?,
            };
            Some(highest.max(found))
        })
    }
}

/// One question.
struct Search<'a> {
    function: &'a Function,
    flow: Option<(&'a Bounds<'a>, BlockId)>,
    left: Cell<u32>,
}

impl Search<'_> {
    fn of(&self, value: Value) -> Option<u32> {
        let made = self.made(value);
        // Comparisons may say less.
        let said = self.flow.and_then(|(flow, at)| flow.guarded(value, at));
        made.into_iter().chain(said).min()
    }

    fn made(&self, value: Value) -> Option<u32> {
        let function = self.function;
        self.left.set(self.left.get().checked_sub(1)?);
        let Some(inst) = function.definition(value) else {
            return self.flow.and_then(|(flow, _)| flow.param(value)).filter(|most| *most < 1 << 31);
        };
        let constant = |value: Value| match function.definition(value)?.op {
            Op::B32(bits) => Some(bits),
            _ => None,
        };
        let of = |value: Value| self.of(value);
        let found = match (inst.op, &inst.args[..]) {
            (Op::B32(bits), _) => Some(bits),
            (Op::BToI, _) => Some(1),
            // Either is enough.
            (Op::And | Op::UMin, &[a, b]) => match (of(a), of(b)) {
                (Some(a), Some(b)) => Some(a.min(b)),
                (one, other) => one.or(other),
            },
            // The other may be below zero.
            (Op::SMin, &[a, b]) => match (of(a), of(b)) {
                (Some(a), Some(b)) => Some(a.min(b)),
                (Some(least), None) if self.is_above_zero(b) => Some(least),
                (None, Some(least)) if self.is_above_zero(a) => Some(least),
                _ => None,
            },
            (Op::SMax, &[a, b]) => {
                let high = |value: Value| of(value).or_else(|| self.highest(value));
                match (of(a), of(b)) {
                    (Some(low), _) => high(b).map(|most| most.max(low)),
                    (_, Some(low)) => high(a).map(|most| most.max(low)),
                    _ => None,
                }
            }
            (Op::UMax | Op::Or | Op::Xor, &[a, b]) => {
                let (a, b) = (of(a)?, of(b)?);
                if inst.op == Op::UMax {
                    Some(a.max(b))
                } else {
                    (a | b).checked_next_power_of_two()?.checked_mul(2)
                }
            }
            (Op::IAdd, &[a, b]) => of(a)?.checked_add(of(b)?),
            (Op::IMul, &[a, b]) => of(a)?.checked_mul(of(b)?),
            (Op::Shl, &[a, by]) => of(a)?.checked_mul(1_u32.checked_shl(constant(by)?)?),
            (Op::ShrU | Op::ShrS, &[a, by]) => of(a)?.checked_shr(constant(by)?),
            (Op::UBitExtract, &[_, _, count]) => match constant(count)? {
                count @ 0..=30 => Some((1 << count) - 1),
                _ => None,
            },
            (Op::BitInsert, &[base, _, first, count]) => {
                let field = 1_u32.checked_shl(constant(count)?)?.wrapping_sub(1);
                let below = of(base)?.checked_add(1)?.checked_next_power_of_two()?;
                Some((below - 1) | field.checked_shl(constant(first)?)?)
            }
            (Op::URem, &[_, by]) => constant(by)?.checked_sub(1),
            (Op::Select, &[_, a, b]) => Some(of(a)?.max(of(b)?)),
            _ => None,
        };
        found.filter(|most| *most < 1 << 31)
    }

    /// Whether a word is no less than zero as a signed number: it is the larger of two of which one is.
    fn is_above_zero(&self, value: Value) -> bool {
        let Some(inst) = self.function.definition(value) else { return false };
        match (inst.op, &inst.args[..]) {
            (Op::SMax, &[a, b]) => self.of(a).is_some() || self.of(b).is_some(),
            _ => false,
        }
    }

    /// The most that a word is as a signed number that may be below zero.
    fn highest(&self, value: Value) -> Option<u32> {
        let inst = self.function.definition(value)?;
        match (inst.op, &inst.args[..]) {
            // What is below zero is no more than zero.
            (Op::B32(0x8000_0000..), _) => Some(0),
            (Op::SMin, &[a, b]) => match (self.of(a), self.of(b)) {
                (Some(a), Some(b)) => Some(a.min(b)),
                (one, other) => one.or(other),
            },
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::build::FunctionBuilder;
    use crate::{Access, Space};

    fn bound(make: impl Fn(&mut FunctionBuilder, Value) -> Value) -> Option<u32> {
        let mut builder = FunctionBuilder::new("main");
        let access = Access { space: Space::Input, binding: 0, offset: 0, stride: 0 };
        let any = builder.value(Op::Load(access), &[]);
        let value = make(&mut builder, any);
        builder.returns(&[]);
        most(&builder.finish(), value)
    }

    /// The most of a counter in the pass of a loop that compares it in front of the pass, or the next one behind it.
    fn counter(first: u32, compare: CompareInt, end: u32, behind: bool) -> [Option<u32>; 2] {
        let mut builder = FunctionBuilder::new("main");
        let [start, end, one] = [first, end, 1].map(|bits| builder.bits(bits));
        let [head, body, exit] = [(); 3].map(|()| builder.block());
        let counter = builder.param(head, crate::Type::B32);
        builder.jump(head, &[start]);
        builder.switch_to(head);
        let compared =
            |builder: &mut FunctionBuilder, value: Value| builder.value(Op::ICompare(compare), &[value, end]);
        if behind {
            let next = builder.value(Op::IAdd, &[counter, one]);
            let condition = compared(&mut builder, next);
            builder.branch(condition, body, exit);
            builder.switch_to(body);
            builder.jump(head, &[next]);
        } else {
            let condition = compared(&mut builder, counter);
            builder.branch(condition, body, exit);
            builder.switch_to(body);
            let next = builder.value(Op::IAdd, &[counter, one]);
            builder.jump(head, &[next]);
        }
        builder.switch_to(exit);
        builder.returns(&[]);
        let function = builder.finish();
        let bounds = Bounds::new(&function);
        [body, exit].map(|at| bounds.most(counter, at))
    }

    #[test]
    fn counters_have_the_bounds_of_their_loops() {
        for compare in [CompareInt::Slt, CompareInt::Ult] {
            assert_eq!(counter(0, compare, 6, false), [Some(5), Some(6)]);
            assert_eq!(counter(2, compare, 6, true), [Some(5), Some(5)]);
        }
        assert_eq!(counter(0, CompareInt::Sle, 6, false), [Some(6), Some(7)]);
        // It starts below zero.
        assert_eq!(counter(u32::MAX, CompareInt::Slt, 6, false), [None, None]);
        // It may pass by.
        assert_eq!(counter(0, CompareInt::Ne, 6, false), [None, Some(6)]);
    }

    #[test]
    fn indices_have_bounds_where_the_code_shows_them() {
        let with = |op: Op, bits: u32| {
            bound(move |builder, any| {
                let bits = builder.bits(bits);
                builder.value(op, &[any, bits])
            })
        };
        assert_eq!(with(Op::And, 3), Some(3));
        assert_eq!(with(Op::UMin, 5), Some(5));
        // As a signed number it may be anything below.
        assert_eq!(with(Op::SMin, 5), None);
        assert_eq!(with(Op::SMax, 0), None);
        assert_eq!(with(Op::And, 1 << 31), None);
        assert_eq!(with(Op::IAdd, 1), None);
        let inserted = bound(|builder, any| {
            let [base, first, count] = [4, 5, 2].map(|bits| builder.bits(bits));
            builder.value(Op::BitInsert, &[base, any, first, count])
        });
        assert_eq!(inserted, Some(0x67));
        let clamped = |first: Op, second: Op, low_first: bool| {
            bound(move |builder, any| {
                let (low, high) = (builder.bits(0), builder.bits(2));
                let (one, other) = if low_first { (low, high) } else { (high, low) };
                let inner = builder.value(first, &[any, one]);
                builder.value(second, &[inner, other])
            })
        };
        assert_eq!(clamped(Op::SMax, Op::SMin, true), Some(2));
        // A bound below zero takes nothing from what is above.
        let above = bound(|builder, any| {
            let [mask, least] = [7, (-256_i32) as u32].map(|bits| builder.bits(bits));
            let masked = builder.value(Op::And, &[any, mask]);
            builder.value(Op::SMax, &[masked, least])
        });
        assert_eq!(above, Some(7));
        assert_eq!(clamped(Op::SMin, Op::SMax, false), Some(2));
        let bytes = bound(|builder, any| {
            let [mask, two] = [7, 2].map(|bits| builder.bits(bits));
            let masked = builder.value(Op::And, &[any, mask]);
            let up = builder.value(Op::Shl, &[masked, two]);
            builder.value(Op::ShrS, &[up, two])
        });
        assert_eq!(bytes, Some(7));
    }
}
