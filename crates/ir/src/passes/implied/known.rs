//! What is known on the way to a block: truth values, what is left of comparisons, and integers.

use super::comparison::{EQUAL, Kind, Operand, Outcomes, Pair, all, comparison, pair};
use crate::quick::QuickMap;
use crate::{Function, Op, Value};
use std::collections::HashMap;
use std::hash::{BuildHasher, Hash};

/// A change of the tables, to be taken back when its region is left.
enum Undo {
    Truth(Value, Option<bool>),
    Possible(Pair, Option<Outcomes>),
    Number(Value, Option<u64>),
}

/// What is known where the walk stands.
#[derive(Default)]
pub(super) struct Known {
    pub(super) truths: QuickMap<Value, bool>,
    /// With constants of the program as keys: a hash that nobody can foresee.
    pub(super) possible: HashMap<Pair, Outcomes>,
    pub(super) numbers: QuickMap<Value, u64>,
    log: Vec<Undo>,
}

impl Known {
    pub(super) fn is_empty(&self) -> bool {
        self.log.is_empty()
    }

    /// How much was noted so far, for [`Self::back_to`].
    pub(super) fn depth(&self) -> usize {
        self.log.len()
    }

    pub(super) fn back_to(&mut self, length: usize) {
        fn put<K: Hash + Eq, V, S: BuildHasher>(table: &mut HashMap<K, V, S>, key: K, before: Option<V>) {
            match before {
                Some(before) => table.insert(key, before),
                None => table.remove(&key),
            };
        }
        while self.log.len() > length {
            match self.log.pop() {
                Some(Undo::Truth(key, before)) => put(&mut self.truths, key, before),
                Some(Undo::Possible(key, before)) => put(&mut self.possible, key, before),
                Some(Undo::Number(key, before)) => put(&mut self.numbers, key, before),
                None => {}
            }
        }
    }

    fn is_number(&mut self, value: Value, bits: u64) {
        let before = self.numbers.insert(value, bits);
        self.log.push(Undo::Number(value, before));
    }

    fn restrict(&mut self, pair: Pair, to: Outcomes) {
        let before = self.possible.get(&pair).copied();
        let now = before.unwrap_or(all(pair.0)) & to;
        self.possible.insert(pair, now);
        self.log.push(Undo::Possible(pair, before));
    }

    /// A condition has been decided.
    pub(super) fn learn(&mut self, function: &Function, condition: Value, holds: bool, depth: u32) {
        let before = self.truths.insert(condition, holds);
        self.log.push(Undo::Truth(condition, before));
        if depth == 0 {
            return;
        }
        if let Some((pair, outcomes)) = comparison(function, condition) {
            let outcomes = if holds { outcomes } else { all(pair.0) & !outcomes };
            self.restrict(pair, outcomes);
            if let (EQUAL, (Kind::Int, Operand::Value(value), Operand::Bits(bits))) = (outcomes, pair) {
                self.is_number(value, bits);
            }
            return;
        }
        let Some(inst) = function.definition(condition) else { return };
        match (inst.op, &inst.args[..]) {
            (Op::Not, &[a]) => self.learn(function, a, !holds, depth - 1),
            (Op::And | Op::Or, &[a, b]) => {
                // Both sides are what decides nothing, or one is known and the other follows.
                if holds == (inst.op == Op::And) {
                    self.learn(function, a, holds, depth - 1);
                    self.learn(function, b, holds, depth - 1);
                } else if self.truths.get(&a) == Some(&!holds) {
                    self.learn(function, b, holds, depth - 1);
                } else if self.truths.get(&b) == Some(&!holds) {
                    self.learn(function, a, holds, depth - 1);
                }
            }
            _ => {}
        }
    }

    /// What the selector of a switch is behind one of its edges.
    pub(super) fn learn_case(&mut self, value: Value, number: u32, equal: bool) {
        let operands = (Operand::Value(value), Operand::Bits(number.into()));
        let outcomes = if equal { EQUAL } else { all(Kind::Int) & !EQUAL };
        let (pair, outcomes) = pair(Kind::Int, operands.0, operands.1, outcomes);
        self.restrict(pair, outcomes);
        if equal {
            self.is_number(value, number.into());
        }
    }
}
