//! Integer arithmetic.

use super::fields::{Immediate, Kind, integer, register};
use crate::operation::{AddPart, AddShift, MultiplyAddend, Operation, Part, PartOf, Source};
use crate::word::Word;

const INT: Immediate = Immediate::Integer;

/// Two sign bits, of which both together mean that one is added (`.PO`).
fn signs(w: Word, first: u32, second: u32) -> (bool, bool, bool) {
    let (first, second) = (w.bit(first), w.bit(second));
    let both = first && second;
    (first && !both, second && !both, both)
}

/// `IADD`.
pub(super) fn add(w: Word) -> Option<Operation> {
    let (a, b, plus_one) = signs(w, 49, 48);
    Some(Operation::IntAdd {
        d: w.destination(47),
        a: integer(w.a(), a),
        b: integer(w.b(INT), b),
        carry: w.bit(43),
        plus_one,
        saturate: w.bit(50),
    })
}

/// `IADD32I`.
pub(super) fn add_immediate(w: Word) -> Option<Operation> {
    let (a, b, plus_one) = signs(w, 56, 55);
    if b {
        return None;
    }
    Some(Operation::IntAdd {
        d: w.destination(52),
        a: integer(w.a(), a),
        b: integer(Source::Immediate(w.immediate32()), false),
        carry: w.bit(53),
        plus_one,
        saturate: w.bit(54),
    })
}

fn add_part(w: Word, at: u32) -> Option<AddPart> {
    match w.bits(at, 2) {
        0 => Some(AddPart::Word),
        1 => Some(AddPart::Low),
        2 => Some(AddPart::High),
        _ => None,
    }
}

/// `IADD3`; parts and shift are in the form with a register alone.
pub(super) fn add3(w: Word) -> Option<Operation> {
    let (b, c) = w.b_and_c(INT);
    let (parts, shift) = if Kind::of(w) == Kind::Register {
        let shift = match w.bits(37, 2) {
            0 => AddShift::None,
            1 => AddShift::Right,
            2 => AddShift::Left,
            _ => return None,
        };
        ([add_part(w, 35)?, add_part(w, 33)?, add_part(w, 31)?], shift)
    } else {
        ([AddPart::Word; 3], AddShift::None)
    };
    Some(Operation::IntAdd3 {
        d: w.destination(47),
        a: integer(w.a(), w.bit(51)),
        b: integer(b, w.bit(50)),
        c: integer(c, w.bit(49)),
        parts,
        shift,
        carry: w.bit(48),
    })
}

/// `IMUL`.
pub(super) fn multiply(w: Word) -> Option<Operation> {
    Some(Operation::IntMultiply {
        d: w.destination(47),
        a: w.a(),
        b: w.b(INT),
        signed: [w.bit(40), w.bit(41)],
        high: w.bit(39),
    })
}

/// `IMUL32I`.
pub(super) fn multiply_immediate(w: Word) -> Option<Operation> {
    Some(Operation::IntMultiply {
        d: w.destination(52),
        a: w.a(),
        b: Source::Immediate(w.immediate32()),
        signed: [w.bit(54), w.bit(55)],
        high: w.bit(53),
    })
}

/// `IMAD`.
pub(super) fn multiply_add(w: Word) -> Option<Operation> {
    let (b, c) = w.b_and_c(INT);
    let (negate_product, negate_c, plus_one) = signs(w, 52, 51);
    Some(Operation::IntMultiplyAdd {
        d: w.destination(47),
        a: w.a(),
        b,
        c: integer(c, negate_c),
        signed: [w.bit(48), w.bit(53)],
        high: w.bit(54),
        carry: w.bit(49),
        saturate: w.bit(50),
        negate_product,
        plus_one,
    })
}

/// `IMAD32I`: the third source is the destination.
pub(super) fn multiply_add_immediate(w: Word) -> Option<Operation> {
    let (negate_product, negate_c, plus_one) = signs(w, 56, 55);
    Some(Operation::IntMultiplyAdd {
        d: w.destination(52),
        a: w.a(),
        b: Source::Immediate(w.immediate32()),
        c: integer(register(w.register(0)), negate_c),
        signed: [w.bit(54), w.bit(57)],
        high: w.bit(53),
        carry: false,
        saturate: false,
        negate_product,
        plus_one,
    })
}

fn part(source: Source, part: Part, signed: bool) -> PartOf {
    PartOf { source, part, signed, negate: false }
}

/// `IMADSP`. The addend is signed where a factor is. `.SD` is not here: the caller names it.
pub(super) fn multiply_add_parts(w: Word) -> Option<Operation> {
    let (b, c) = w.b_and_c(INT);
    let of_a = match w.bits(49, 2) {
        0 => Part::Word,
        1 => Part::Low24,
        2 => Part::Half(0),
        _ => Part::Half(1),
    };
    let of_b = if w.bit(54) { Part::Half(0) } else { Part::Low24 };
    let of_c = match w.bits(51, 2) {
        0 => Part::Word,
        1 => Part::Low24,
        2 => Part::Half(0),
        _ => return None,
    };
    let (a_signed, b_signed) = (w.bit(48), w.bit(53));
    Some(Operation::IntMultiplyAddParts {
        d: w.destination(47),
        a: part(w.a(), of_a, a_signed),
        b: part(b, of_b, b_signed),
        c: part(c, of_c, a_signed || b_signed),
    })
}

/// `XMAD`. Where a bit is and whether there is one differs by form.
pub(super) fn multiply_add16(w: Word) -> Option<Operation> {
    let kind = Kind::of(w);
    let (b, c) = match kind {
        Kind::Immediate => (Source::Immediate(w.bits(20, 16) as u32), register(w.register(39))),
        _ => w.b_and_c(INT),
    };
    let short = matches!(kind, Kind::Constant | Kind::ConstantThird);
    let addend = match w.bits(50, if short { 2 } else { 3 }) {
        0 => MultiplyAddend::Word,
        1 => MultiplyAddend::Low,
        2 => MultiplyAddend::High,
        3 => MultiplyAddend::SignCorrected,
        4 => MultiplyAddend::PlusB,
        _ => return None,
    };
    let b_half = match kind {
        Kind::Register => w.bit(35),
        Kind::Immediate => false,
        Kind::Constant | Kind::ConstantThird => w.bit(52),
    };
    let (shift_product, merge, carry) = match kind {
        Kind::Register | Kind::Immediate => (w.bit(36), w.bit(37), w.bit(38)),
        Kind::Constant => (w.bit(55), w.bit(56), w.bit(54)),
        Kind::ConstantThird => (false, false, w.bit(54)),
    };
    Some(Operation::MultiplyAdd16 {
        d: w.destination(47),
        a: part(w.a(), Part::Half(u8::from(w.bit(53))), w.bit(48)),
        b: part(b, Part::Half(u8::from(b_half)), w.bit(49)),
        b_word: b,
        c,
        addend,
        shift_product,
        merge,
        carry,
    })
}

/// `ISCADD`.
pub(super) fn shift_add(w: Word) -> Option<Operation> {
    let (a, b, plus_one) = signs(w, 49, 48);
    Some(Operation::ShiftAdd {
        d: w.destination(47),
        a: integer(w.a(), a),
        b: integer(w.b(INT), b),
        shift: w.bits(39, 5) as u8,
        plus_one,
    })
}

/// `ISCADD32I`.
pub(super) fn shift_add_immediate(w: Word) -> Option<Operation> {
    Some(Operation::ShiftAdd {
        d: w.destination(52),
        a: integer(w.a(), false),
        b: integer(Source::Immediate(w.immediate32()), false),
        shift: w.bits(53, 5) as u8,
        plus_one: false,
    })
}

/// `LEA`.
pub(super) fn address(w: Word) -> Option<Operation> {
    Some(Operation::LoadEffectiveAddress {
        d: w.destination(47),
        p: w.predicate(48),
        a: integer(w.a(), w.bit(45)),
        b: w.b(INT),
        shift: w.bits(39, 5) as u8,
        carry: w.bit(46),
    })
}

/// `LEA.HI`.
pub(super) fn address_high(w: Word, constant: bool) -> Option<Operation> {
    let (b, shift, negate, carry) = if constant {
        (Source::Constant(w.constant()), 51, 56, 57)
    } else {
        (register(w.register(20)), 28, 37, 38)
    };
    Some(Operation::LoadEffectiveAddressHigh {
        d: w.destination(47),
        p: w.predicate(48),
        a: integer(w.a(), w.bit(negate)),
        b,
        c: w.register(39),
        shift: w.bits(shift, 5) as u8,
        carry: w.bit(carry),
    })
}

/// `IMNMX`.
pub(super) fn min_max(w: Word) -> Option<Operation> {
    Some(Operation::IntMinMax {
        d: w.destination(47),
        a: w.a(),
        b: w.b(INT),
        signed: w.bit(48),
        least: w.condition(39),
        extended: w.bits(43, 2) as u8,
    })
}

/// `ICMP`.
pub(super) fn select(w: Word) -> Option<Operation> {
    let (b, c) = w.b_and_c(INT);
    Some(Operation::IntSelect {
        d: w.register(0),
        a: w.a(),
        b,
        c,
        compare: w.compare_int(49),
        signed: w.bit(48),
    })
}

/// `ISET`.
pub(super) fn set(w: Word) -> Option<Operation> {
    Some(Operation::IntSet {
        d: w.destination(47),
        a: w.a(),
        b: w.b(INT),
        compare: w.compare_int(49),
        signed: w.bit(48),
        combined: w.combined()?,
        extended: w.bit(43),
        truth: w.truth(44),
    })
}

/// `ISETP`.
pub(super) fn set_predicate(w: Word) -> Option<Operation> {
    Some(Operation::IntSetPredicate {
        p: w.predicates(),
        a: w.a(),
        b: w.b(INT),
        compare: w.compare_int(49),
        signed: w.bit(48),
        combined: w.combined()?,
        extended: w.bit(43),
    })
}

/// `MOV`, `MOV32I`.
pub(super) fn mov(w: Word, immediate: bool) -> Option<Operation> {
    let (a, mask) = if immediate {
        (Source::Immediate(w.immediate32()), w.bits(12, 4))
    } else {
        (w.b(INT), w.bits(39, 4))
    };
    Some(Operation::Move { d: w.register(0), a, mask: mask as u8 })
}

/// `SEL`.
pub(super) fn choose(w: Word) -> Option<Operation> {
    Some(Operation::Select { d: w.register(0), a: w.a(), b: w.b(INT), p: w.condition(39) })
}
