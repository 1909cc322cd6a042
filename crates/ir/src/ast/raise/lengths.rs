//! How long a text would be, in tokens: what decides whether lanes are taken together.

use super::operands::{Leaf, OneSource};
use super::packs::Lanes;
use super::statements::Unit;
use crate::quick::QuickMap;
use crate::{Op, Value};

/// Longest text that is told from longer ones.
pub(super) const LONGEST: u32 = 10_000;

/// How long texts are, in tokens, as far as they are known.
#[derive(Default)]
pub(super) struct Lengths {
    /// How often each value is used.
    pub uses: Vec<u32>,
    pub lists: QuickMap<Lanes, u32>,
    /// Of lists as one operation each.
    pub runs: QuickMap<Lanes, u32>,
    pub values: QuickMap<Value, u32>,
}

impl Unit<'_> {
    /// How long lanes are as one operation, or a single one as itself.
    pub(super) fn run_length(&mut self, run: &[Value], lengths: &mut Lengths, depth: u32) -> u32 {
        if run.len() == 1 {
            return self.value_length(run[0], lengths, depth);
        }
        if self.is_param(run[0]) {
            return 1;
        }
        let key = Lanes::from_slice(run);
        if let Some(length) = lengths.runs.get(&key) {
            return *length;
        }
        let length = self.operation_length(run, lengths, depth);
        lengths.runs.insert(key, length);
        length
    }

    /// How long lanes are as one operation, where they are used.
    fn operation_length(&mut self, run: &[Value], lengths: &mut Lengths, depth: u32) -> u32 {
        let together = self.together(run, lengths, depth);
        // Lanes with a variable are a variable, if that pays; a lane that others take by itself needs its letter.
        let often = run.iter().filter(|value| lengths.uses[value.index()] > 1).count();
        if often < run.len() {
            return together + 2 * often as u32;
        }
        let apart: u32 = run.iter().map(|value| 4 + self.inner_length(*value, lengths, depth)).sum();
        let others: u32 = run.iter().map(|value| lengths.uses[value.index()].saturating_sub(1).min(2)).sum();
        if together + others <= apart { 1 } else { LONGEST }
    }

    /// Length of a run as one operation.
    fn together(&mut self, run: &[Value], lengths: &mut Lengths, depth: u32) -> u32 {
        let Some(inst) = self.function.definition(run[0]) else { return LONGEST };
        let mut length = own_length(&inst.op);
        for operand in self.list_operands(run) {
            length += self.list_length(&operand, lengths, depth.saturating_sub(1));
            // Not every function takes a number for all lanes.
            length += if operand.len() == 1 && wants_vectors(&inst.op) { 3 } else { 0 };
        }
        length.min(LONGEST)
    }

    /// Length of a list of operands.
    fn list_length(&mut self, list: &[Value], lengths: &mut Lengths, depth: u32) -> u32 {
        if list.len() == 1 {
            return self.value_length(list[0], lengths, depth);
        }
        match self.one_source(list) {
            Some(OneSource::Bits) => return 2 + 2 * list.len() as u32,
            Some(OneSource::Lanes) => return 3,
            None => {}
        }
        if depth == 0 {
            return (2 + 2 * list.len() as u32).min(LONGEST);
        }
        let key = Lanes::from_slice(list);
        if let Some(length) = lengths.lists.get(&key) {
            return *length;
        }
        // Against going in circles, which a list of parameters could.
        lengths.lists.insert(key.clone(), LONGEST);
        let distinct = self.distinct(list);
        let length = self.split(&distinct, lengths, depth.saturating_sub(1)).0;
        lengths.lists.insert(key, length);
        length
    }

    /// Length of a scalar where it is used.
    pub(super) fn value_length(&mut self, value: Value, lengths: &mut Lengths, depth: u32) -> u32 {
        match self.leaves[value.index()] {
            Leaf::Bits(_) | Leaf::Truth(_) => 1,
            Leaf::Global(lane) => {
                let wide = self.interface.global(lane.global).shape.components() > 1;
                1 + 2 * u32::from(wide) + 3 * u32::from(lane.element.is_some())
            }
            Leaf::Negated(inner) | Leaf::Not(inner) => match depth {
                0 => 2,
                depth => 1 + self.value_length(inner, lengths, depth.saturating_sub(1)),
            },
            Leaf::Pack => {
                let Some((pack, _)) = self.pack_of[value.index()] else { return 1 };
                if self.pack(pack).lanes.len() > 1 {
                    return 3;
                }
                if lengths.uses[value.index()] > 1 || self.is_param(value) {
                    return 1;
                }
                self.inner_length(value, lengths, depth)
            }
        }
    }

    /// Length of a scalar's own expression.
    fn inner_length(&mut self, value: Value, lengths: &mut Lengths, depth: u32) -> u32 {
        if let Some(length) = lengths.values.get(&value) {
            return *length;
        }
        let Some(inst) = self.function.definition(value) else { return 1 };
        if depth == 0 {
            return 4;
        }
        let mut length = own_length(&inst.op);
        for arg in &inst.args {
            length = (length + self.value_length(*arg, lengths, depth.saturating_sub(1))).min(LONGEST);
        }
        lengths.values.insert(value, length);
        length
    }
}

/// Tokens of an operation without its operands.
fn own_length(op: &Op) -> u32 {
    match op {
        Op::FAdd(_) | Op::FMul(..) | Op::FDiv(_) | Op::FNeg(_) | Op::INeg | Op::Not => 1,
        Op::IAdd | Op::ISub | Op::IMul | Op::And | Op::Or | Op::Xor => 1,
        Op::FFma(..) | Op::Select => 2,
        Op::FAtan2(_) | Op::FMin(..) | Op::FMax(..) | Op::SMin | Op::SMax | Op::Pow => 4,
        Op::Clamp | Op::Mix => 5,
        Op::Interpolate(..) => 6,
        _ => 3,
    }
}

/// Whether a function of the source takes vectors in all places.
fn wants_vectors(op: &Op) -> bool {
    matches!(op, Op::FDiv(_) | Op::Pow | Op::FAtan2(_) | Op::FCompare(..))
}
