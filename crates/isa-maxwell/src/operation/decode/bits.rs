//! Logic, shifts and bit fields.

use super::fields::{Immediate, Kind, bits, register};
use crate::operation::{FunnelWidth, Logic, Operation, PermuteMode, ResultTest, Source};
use crate::word::Word;

const INT: Immediate = Immediate::Integer;

fn test(w: Word, at: u32) -> ResultTest {
    match w.bits(at, 2) {
        0 => ResultTest::False,
        1 => ResultTest::True,
        2 => ResultTest::Zero,
        _ => ResultTest::NotZero,
    }
}

fn logic(w: Word, at: u32) -> Logic {
    match w.bits(at, 2) {
        0 => Logic::And,
        1 => Logic::Or,
        2 => Logic::Xor,
        _ => Logic::PassB,
    }
}

/// `LOP`.
pub(super) fn two(w: Word) -> Option<Operation> {
    Some(Operation::LogicTwo {
        d: w.destination(47),
        p: w.predicate(48),
        test: test(w, 44),
        a: bits(w.a(), w.bit(39)),
        b: bits(w.b(INT), w.bit(40)),
        logic: logic(w, 41),
        carry: w.bit(43),
    })
}

/// `LOP32I`.
pub(super) fn two_immediate(w: Word) -> Option<Operation> {
    Some(Operation::LogicTwo {
        d: w.destination(52),
        p: 7,
        test: ResultTest::False,
        a: bits(w.a(), w.bit(55)),
        b: bits(Source::Immediate(w.immediate32()), w.bit(56)),
        logic: logic(w, 53),
        carry: w.bit(57),
    })
}

/// `LOP3.LUT` with a register.
pub(super) fn three(w: Word) -> Option<Operation> {
    Some(Operation::LogicThree {
        d: w.destination(47),
        p: w.predicate(48),
        test: test(w, 36),
        a: w.a(),
        b: register(w.register(20)),
        c: register(w.register(39)),
        table: w.bits(28, 8) as u8,
        carry: w.bit(38),
    })
}

/// `LOP3.LUT` with a constant or an immediate.
pub(super) fn three_other(w: Word, constant: bool) -> Option<Operation> {
    let (b, carry) = if constant {
        (Source::Constant(w.constant()), w.bit(56))
    } else {
        (Source::Immediate(w.immediate20(INT)), w.bit(57))
    };
    Some(Operation::LogicThree {
        d: w.destination(47),
        p: 7,
        test: ResultTest::False,
        a: w.a(),
        b,
        c: register(w.register(39)),
        table: w.bits(48, 8) as u8,
        carry,
    })
}

/// `SHL`.
pub(super) fn left(w: Word) -> Option<Operation> {
    Some(Operation::ShiftLeft {
        d: w.destination(47),
        a: w.a(),
        b: w.b(INT),
        wrap: w.bit(39),
        carry: w.bit(43),
    })
}

/// `SHR`.
pub(super) fn right(w: Word) -> Option<Operation> {
    let extended = w.bits(43, 2) as u8;
    if extended == 1 {
        return None;
    }
    Some(Operation::ShiftRight {
        d: w.destination(47),
        a: w.a(),
        b: w.b(INT),
        signed: w.bit(48),
        wrap: w.bit(39),
        reverse: w.bit(40),
        extended,
    })
}

/// `SHF`.
pub(super) fn funnel(w: Word, left: bool) -> Option<Operation> {
    let width = match w.bits(37, 2) {
        0 => FunnelWidth::B32,
        2 => FunnelWidth::U64,
        3 => FunnelWidth::S64,
        _ => return None,
    };
    let b = match Kind::of(w) {
        Kind::Immediate => Source::Immediate(w.bits(20, 6) as u32),
        _ => register(w.register(20)),
    };
    Some(Operation::FunnelShift {
        d: w.destination(47),
        a: w.register(8),
        b,
        c: w.register(39),
        left,
        wrap: w.bit(50),
        width,
        mode: w.bits(48, 2) as u8,
    })
}

/// `BFE`.
pub(super) fn extract(w: Word) -> Option<Operation> {
    Some(Operation::BitFieldExtract {
        d: w.destination(47),
        a: w.a(),
        b: w.b(INT),
        signed: w.bit(48),
        reverse: w.bit(40),
    })
}

/// `BFI`.
pub(super) fn insert(w: Word) -> Option<Operation> {
    let (b, c) = w.b_and_c(INT);
    Some(Operation::BitFieldInsert { d: w.destination(47), a: w.a(), b, c })
}

/// `FLO`: its source is B.
pub(super) fn leading_one(w: Word) -> Option<Operation> {
    Some(Operation::FindLeadingOne {
        d: w.destination(47),
        a: bits(w.b(INT), w.bit(40)),
        signed: w.bit(48),
        shift: w.bit(41),
    })
}

/// `POPC`: its source is B.
pub(super) fn population(w: Word) -> Option<Operation> {
    Some(Operation::PopulationCount { d: w.register(0), a: bits(w.b(INT), w.bit(40)) })
}

/// `PRMT`.
pub(super) fn permute(w: Word) -> Option<Operation> {
    let mode = match w.bits(48, 4) {
        0 => PermuteMode::Index,
        1 => PermuteMode::Forward4Extract,
        2 => PermuteMode::Backward4Extract,
        3 => PermuteMode::Replicate8,
        4 => PermuteMode::EdgeClampLeft,
        5 => PermuteMode::EdgeClampRight,
        6 => PermuteMode::Replicate16,
        _ => return None,
    };
    let (b, c) = w.b_and_c(INT);
    Some(Operation::Permute { d: w.register(0), a: w.a(), b, c, mode })
}
