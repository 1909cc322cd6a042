//! Truth values that the machine holds as words (all ones and 0, 1 and 0, a number and 0) become truth values
//! again: operations on the bits of such choices are choices, and of two of them one choice by both
//! conditions. `(a < b ? ~0 : 0) & (c < d ? ~0 : 0)` is `a < b && c < d ? ~0 : 0`; a mask that is put over a
//! value chooses that value or 0; two values under opposite masks, put together, are one choice.
//!
//! Exact: no bit changes. What tests such a choice becomes its condition by [`super::fold`].

use super::edit::{constant, with_room_before};
use crate::exec::evaluate;
use crate::{Function, InstId, Module, Op, Type, Value, Width};
use smallvec::smallvec;

const ALL: u32 = u32::MAX;

pub(super) fn run(module: &mut Module) -> usize {
    module.functions.iter_mut().map(rewrite).sum()
}

fn rewrite(function: &mut Function) -> usize {
    with_room_before(function, |function, id, before| {
        let Some((condition, yes, no)) = better(function, id) else { return false };
        // The other way round instead of by the opposite.
        let (condition, yes, no) = match condition {
            Condition::One(truth @ Truth { negated: true, .. }) => {
                (Condition::One(Truth { negated: false, ..truth }), no, yes)
            }
            condition => (condition, yes, no),
        };
        let mut maker = Maker { function, id, before };
        let condition = maker.condition(condition);
        let (yes, no) = (maker.part(yes), maker.part(no));
        let inst = &mut function.insts[id.index()];
        inst.op = Op::Select;
        inst.args = smallvec![condition, yes, no];
        true
    })
}

/// A side of a choice.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Part {
    Bits(u32),
    Value(Value),
}

/// A condition, or its opposite.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Truth {
    value: Value,
    negated: bool,
}

/// What decides.
#[derive(Debug, Clone, Copy)]
enum Condition {
    One(Truth),
    Two(Op, Truth, Truth),
}

/// A choice that an instruction makes. Of two constants of which one is 0 the other comes first.
#[derive(Debug, Clone, Copy)]
struct Choice {
    truth: Truth,
    yes: Part,
    no: Part,
}

/// Puts instructions in front of one.
struct Maker<'a> {
    function: &'a mut Function,
    id: InstId,
    before: &'a mut Vec<InstId>,
}

impl Maker<'_> {
    fn make(&mut self, op: Op, args: &[Value], ty: Type) -> Value {
        let origin = self.function.insts[self.id.index()].origin;
        let made = self.function.push_inst(op, args, &[ty], origin);
        self.before.push(made);
        self.function.result(made, 0)
    }

    fn truth(&mut self, truth: Truth) -> Value {
        if truth.negated { self.make(Op::Not, &[truth.value], Type::Bool) } else { truth.value }
    }

    fn condition(&mut self, condition: Condition) -> Value {
        match condition {
            Condition::One(truth) => self.truth(truth),
            Condition::Two(op, a, b) => {
                let (a, b) = (self.truth(a), self.truth(b));
                self.make(op, &[a, b], Type::Bool)
            }
        }
    }

    fn part(&mut self, part: Part) -> Value {
        match part {
            Part::Bits(bits) => self.make(Op::B32(bits), &[], Type::B32),
            Part::Value(value) => value,
        }
    }
}

fn part(function: &Function, value: Value) -> Part {
    match constant(function, value) {
        Some(bits) => Part::Bits(bits as u32),
        None => Part::Value(value),
    }
}

/// The choice that makes a word.
fn choice(function: &Function, value: Value) -> Option<Choice> {
    let inst = function.definition(value)?;
    match (inst.op, &inst.args[..]) {
        (Op::Select, &[condition, yes, no]) if function.ty(yes) == Type::B32 => {
            let (yes, no) = (part(function, yes), part(function, no));
            let truth = Truth { value: condition, negated: false };
            Some(match (yes, no) {
                (Part::Bits(0), no) => {
                    Choice { truth: Truth { negated: true, ..truth }, yes: no, no: Part::Bits(0) }
                }
                _ => Choice { truth, yes, no },
            })
        }
        (Op::BToI, &[value]) => {
            Some(Choice { truth: Truth { value, negated: false }, yes: Part::Bits(1), no: Part::Bits(0) })
        }
        _ => None,
    }
}

type Better = (Condition, Part, Part);

fn better(function: &Function, id: InstId) -> Option<Better> {
    let inst = &function.insts[id.index()];
    let single = |found: Choice| Condition::One(found.truth);
    match (inst.op, &inst.args[..]) {
        (Op::SToF(mode) | Op::UToF(mode), _) if mode.width != Width::F32 => None,
        (Op::Not | Op::INeg | Op::SToF(_) | Op::UToF(_), &[a]) if function.ty(a) == Type::B32 => {
            let found = choice(function, a)?;
            let (Part::Bits(yes), Part::Bits(no)) = (found.yes, found.no) else { return None };
            let compute = |bits: u32| evaluate(&inst.op, Type::B32, &[bits.into()]).map(|bits| bits as u32);
            Some((single(found), Part::Bits(compute(yes)?), Part::Bits(compute(no)?)))
        }
        (
            Op::And | Op::Or | Op::Xor | Op::IAdd | Op::ISub | Op::IMul | Op::Shl | Op::ShrU | Op::ShrS,
            &[a, b],
        ) if function.ty(a) == Type::B32 => {
            let (first, second) = (choice(function, a), choice(function, b));
            match (first, second, constant(function, a), constant(function, b)) {
                (Some(found), _, _, Some(bits)) => on_both(&inst.op, found, |side| [side, bits as u32]),
                (_, Some(found), Some(bits), _) => on_both(&inst.op, found, |side| [bits as u32, side]),
                (Some(a), Some(b), ..) => both(inst.op, a, b),
                (Some(mask), None, ..) => under(inst.op, mask, b),
                (None, Some(mask), ..) => under(inst.op, mask, a),
                _ => None,
            }
        }
        (Op::Select, &[condition, yes, no]) if function.ty(yes) == Type::B32 => {
            let outer = Truth { value: condition, negated: false };
            // `c ? (d ? x : 0) : 0` and `c ? x : (d ? x : 0)`.
            let inner = |value: Value| {
                choice(function, value)
                    .filter(|found| matches!((found.yes, found.no), (Part::Bits(x), Part::Bits(0)) if x != 0))
            };
            match (part(function, yes), part(function, no)) {
                (_, Part::Bits(0)) => {
                    let found = inner(yes)?;
                    Some((Condition::Two(Op::And, outer, found.truth), found.yes, found.no))
                }
                (Part::Bits(bits), _) => {
                    let found = inner(no).filter(|found| found.yes == Part::Bits(bits))?;
                    Some((Condition::Two(Op::Or, outer, found.truth), found.yes, found.no))
                }
                _ => None,
            }
        }
        _ => None,
    }
}

/// The operation on either constant.
fn on_both(op: &Op, found: Choice, args: impl Fn(u32) -> [u32; 2]) -> Option<Better> {
    let (Part::Bits(yes), Part::Bits(no)) = (found.yes, found.no) else { return None };
    let compute = |side: u32| evaluate(op, Type::B32, &args(side).map(u64::from)).map(|bits| bits as u32);
    Some((Condition::One(found.truth), Part::Bits(compute(yes)?), Part::Bits(compute(no)?)))
}

/// Two choices: one by both conditions.
fn both(op: Op, a: Choice, b: Choice) -> Option<Better> {
    let zero = Part::Bits(0);
    let same = a.truth.value == b.truth.value;
    if same && matches!(op, Op::And | Op::Or | Op::Xor | Op::IAdd) {
        // By one condition: what meets on each side.
        let (yes, no) = if a.truth.negated == b.truth.negated { (b.yes, b.no) } else { (b.no, b.yes) };
        return Some((Condition::One(a.truth), meet(op, a.yes, yes)?, meet(op, a.no, no)?));
    }
    let (Part::Bits(x), Part::Bits(y)) = (a.yes, b.yes) else { return None };
    if a.no != zero || b.no != zero {
        return None;
    }
    match op {
        Op::And => Some((Condition::Two(Op::And, a.truth, b.truth), Part::Bits(x & y), zero)),
        Op::IMul => Some((Condition::Two(Op::And, a.truth, b.truth), Part::Bits(x.wrapping_mul(y)), zero)),
        Op::Or if x == y => Some((Condition::Two(Op::Or, a.truth, b.truth), a.yes, zero)),
        Op::Xor if x == y => Some((Condition::Two(Op::Xor, a.truth, b.truth), a.yes, zero)),
        _ => None,
    }
}

/// What an operation makes of two sides, if it needs no instruction.
fn meet(op: Op, a: Part, b: Part) -> Option<Part> {
    match (a, b) {
        (Part::Bits(a), Part::Bits(b)) => {
            evaluate(&op, Type::B32, &[a.into(), b.into()]).map(|bits| Part::Bits(bits as u32))
        }
        (Part::Bits(0), other) | (other, Part::Bits(0)) => {
            Some(if op == Op::And { Part::Bits(0) } else { other })
        }
        (Part::Bits(ALL), other) | (other, Part::Bits(ALL)) if op == Op::And => Some(other),
        _ => None,
    }
}

/// A mask over a value.
fn under(op: Op, mask: Choice, value: Value) -> Option<Better> {
    let chosen = match (op, mask.yes, mask.no) {
        (Op::And, Part::Bits(ALL), Part::Bits(0)) => (Part::Value(value), Part::Bits(0)),
        (Op::And, Part::Bits(0), Part::Bits(ALL)) => (Part::Bits(0), Part::Value(value)),
        _ => return None,
    };
    Some((Condition::One(mask.truth), chosen.0, chosen.1))
}
