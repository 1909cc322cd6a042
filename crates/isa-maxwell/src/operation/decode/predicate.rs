//! Predicates, the condition code, and what other lanes hold.

use super::fields::{Immediate, register};
use crate::operation::{Operation, Shuffle, Source, SpecialRegister, Vote};
use crate::word::Word;

/// `PSET`.
pub(super) fn set(w: Word) -> Option<Operation> {
    Some(Operation::PredicateSet {
        d: w.destination(47),
        a: w.condition(12),
        b: w.condition(29),
        op: w.combine(24)?,
        combined: w.combined()?,
        truth: w.truth(44),
    })
}

/// `PSETP`.
pub(super) fn set_predicate(w: Word) -> Option<Operation> {
    Some(Operation::PredicateSetPredicate {
        p: w.predicates(),
        a: w.condition(12),
        b: w.condition(29),
        op: w.combine(24)?,
        combined: w.combined()?,
    })
}

/// `CSET`.
pub(super) fn condition_set(w: Word) -> Option<Operation> {
    Some(Operation::ConditionSet {
        d: w.destination(47),
        condition: w.condition_code(8),
        combined: w.combined()?,
        truth: w.truth(44),
    })
}

/// `CSETP`.
pub(super) fn condition_set_predicate(w: Word) -> Option<Operation> {
    Some(Operation::ConditionSetPredicate {
        p: w.predicates(),
        condition: w.condition_code(8),
        combined: w.combined()?,
    })
}

/// `P2R`.
pub(super) fn to_register(w: Word) -> Option<Operation> {
    Some(Operation::PredicatesToRegister {
        d: w.register(0),
        a: w.register(8),
        mask: w.b(Immediate::Integer),
        byte: w.bits(41, 2) as u8,
        condition_code: w.bit(40),
    })
}

/// `R2P`.
pub(super) fn from_register(w: Word) -> Option<Operation> {
    Some(Operation::RegisterToPredicates {
        a: w.register(8),
        mask: w.b(Immediate::Integer),
        byte: w.bits(41, 2) as u8,
        condition_code: w.bit(40),
    })
}

/// `VOTE`.
pub(super) fn vote(w: Word) -> Option<Operation> {
    let vote = match w.bits(48, 2) {
        0 => Vote::All,
        1 => Vote::Any,
        2 => Vote::Equal,
        _ => return None,
    };
    Some(Operation::Vote { d: w.register(0), p: w.predicate(45), a: w.condition(39), vote })
}

/// `SHFL`.
pub(super) fn shuffle(w: Word) -> Option<Operation> {
    let b = if w.bit(28) { Source::Immediate(w.bits(20, 5) as u32) } else { register(w.register(20)) };
    let c = if w.bit(29) { Source::Immediate(w.bits(34, 13) as u32) } else { register(w.register(39)) };
    let shuffle = match w.bits(30, 2) {
        0 => Shuffle::Index,
        1 => Shuffle::Up,
        2 => Shuffle::Down,
        _ => Shuffle::Butterfly,
    };
    Some(Operation::Shuffle { d: w.register(0), p: w.predicate(48), a: w.register(8), b, c, shuffle })
}

/// `S2R` and, with 64 bits, `CS2R`.
pub(super) fn special(w: Word, wide: bool) -> Option<Operation> {
    Some(Operation::SpecialRegister {
        d: w.register(0),
        register: SpecialRegister(w.bits(20, 8) as u8),
        wide,
    })
}
