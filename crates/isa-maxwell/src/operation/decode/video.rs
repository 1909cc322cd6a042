//! Video operations: arithmetic of bytes and halves with a second step.

use super::fields::register;
use crate::Form;
use crate::operation::{CompareInt, Operation, Part, PartOf, QuadBytes, Source, Video, VideoMerge};
use crate::word::Word;

/// Three bits that choose a byte, a half or all of a source.
fn part(source: Source, selector: u64, signed: bool) -> Option<PartOf> {
    let part = match selector {
        byte @ 0..=3 => Part::Byte(byte as u8),
        4 => Part::Half(0),
        5 => Part::Half(1),
        6 => Part::Word,
        _ => return None,
    };
    Some(PartOf { source, part, signed, negate: false })
}

fn a(w: Word) -> Option<PartOf> {
    part(w.a(), w.bits(36, 3), w.bit(48))
}

/// B: part of a register, or 16 bits of an immediate.
fn b(w: Word, signed: bool) -> Option<PartOf> {
    if w.bit(50) {
        part(register(w.register(20)), w.bits(28, 3), signed)
    } else {
        Some(PartOf {
            source: Source::Immediate(w.bits(20, 16) as u32),
            part: Part::Half(0),
            signed,
            negate: false,
        })
    }
}

fn merge(w: Word) -> VideoMerge {
    match w.bits(51, 3) {
        0 => VideoMerge::Merge16High,
        1 => VideoMerge::Merge16Low,
        2 => VideoMerge::Merge8Byte0,
        3 => VideoMerge::Merge8Byte2,
        4 => VideoMerge::Accumulate,
        5 => VideoMerge::Min,
        6 => VideoMerge::Max,
        _ => VideoMerge::None,
    }
}

/// What the forms with a merge and a signed or unsigned result have in common.
fn video(w: Word, video: Video, a: PartOf, b: PartOf) -> Operation {
    Operation::Video {
        d: w.destination(47),
        video,
        a,
        b,
        c: register(w.register(39)),
        merge: merge(w),
        unsigned_result: !w.bit(54),
        saturate: w.bit(55),
    }
}

/// `VADD`.
pub(super) fn add(w: Word) -> Option<Operation> {
    let (mut a, mut b) = (a(w)?, b(w, w.bit(49))?);
    let kind = match w.bits(56, 2) {
        3 => Video::AddOne,
        signs => {
            b.negate = signs == 1;
            a.negate = signs == 2;
            Video::Add
        }
    };
    Some(video(w, kind, a, b))
}

/// `VABSDIFF`.
pub(super) fn absolute_difference(w: Word) -> Option<Operation> {
    Some(video(w, Video::AbsoluteDifference, a(w)?, b(w, w.bit(49))?))
}

/// `VMNMX`.
pub(super) fn min_max(w: Word) -> Option<Operation> {
    let kind = if w.bit(56) { Video::Max } else { Video::Min };
    Some(video(w, kind, a(w)?, b(w, w.bit(49))?))
}

/// `VSHL` and `VSHR`; their second source has no sign.
pub(super) fn shift(w: Word, left: bool) -> Option<Operation> {
    let wrap = w.bit(49);
    let kind = if left { Video::ShiftLeft { wrap } } else { Video::ShiftRight { wrap } };
    Some(video(w, kind, a(w)?, b(w, false)?))
}

/// `VSET`: the result is 0 or 1.
pub(super) fn set(w: Word) -> Option<Operation> {
    Some(Operation::Video {
        d: w.destination(47),
        video: Video::Set(w.compare_int(54)),
        a: a(w)?,
        b: b(w, w.bit(49))?,
        c: register(w.register(39)),
        merge: merge(w),
        unsigned_result: true,
        saturate: false,
    })
}

/// `VSETP`.
pub(super) fn set_predicate(w: Word) -> Option<Operation> {
    Some(Operation::VideoSetPredicate {
        p: w.predicates(),
        a: a(w)?,
        b: b(w, w.bit(49))?,
        compare: CompareInt { less: w.bit(43), equal: w.bit(44), greater: w.bit(47) },
        combined: w.combined()?,
    })
}

/// `VMAD`.
pub(super) fn multiply_add(w: Word) -> Option<Operation> {
    let (negate_c, negate_product) = (w.bit(53), w.bit(54));
    let plus_one = negate_c && negate_product;
    Some(Operation::VideoMultiplyAdd {
        d: w.destination(47),
        a: a(w)?,
        b: b(w, w.bit(49))?,
        c: register(w.register(39)),
        negate_product: negate_product && !plus_one,
        negate_c: negate_c && !plus_one,
        plus_one,
        shift: match w.bits(51, 2) {
            0 => 0,
            1 => 7,
            2 => 15,
            _ => return None,
        },
        saturate: w.bit(55),
    })
}

/// Bytes that the selectors of `VABSDIFF4` name, lowest lane first, by the digits of NVIDIA's listings.
const FIRST_BYTES: [[u8; 4]; 14] = [
    [0, 0, 0, 0],
    [1, 1, 1, 1],
    [2, 2, 2, 2],
    [3, 3, 3, 3],
    [0, 1, 2, 3],
    [1, 2, 3, 4],
    [2, 3, 4, 5],
    [3, 4, 5, 6],
    [1, 0, 2, 3],
    [2, 1, 0, 3],
    [3, 1, 2, 0],
    [0, 2, 1, 3],
    [0, 3, 2, 1],
    [0, 1, 3, 2],
];
const SECOND_BYTES: [[u8; 4]; 11] = [
    [4, 4, 4, 4],
    [5, 5, 5, 5],
    [6, 6, 6, 6],
    [7, 7, 7, 7],
    [4, 5, 6, 7],
    [3, 4, 5, 6],
    [2, 3, 4, 5],
    [1, 2, 3, 4],
    [7, 6, 5, 4],
    [5, 4, 7, 6],
    [6, 7, 4, 5],
];

/// `VABSDIFF4`. What PTX's definition of it leaves open (an immediate, sums of results that do not fit a byte) is known
/// by name alone.
pub(super) fn absolute_difference4(w: Word) -> Option<Operation> {
    let unknown = Operation::System(Form::Vabsdiff4);
    let first = FIRST_BYTES.get(w.bits(32, 4) as usize);
    let (Some(first), Some(second)) = (first, SECOND_BYTES.get(w.bits(28, 4) as usize)) else {
        return Some(unknown);
    };
    let (signed, signed_result, saturate) = ([w.bit(48), w.bit(49)], w.bit(38), w.bit(50));
    let accumulate = match w.bits(53, 2) {
        0 => false,
        1 if saturate || !signed_result && signed[0] == signed[1] => true,
        _ => return Some(unknown),
    };
    Some(Operation::VideoAbsoluteDifference4 {
        d: w.destination(47),
        a: w.register(8),
        b: w.register(20),
        c: w.register(39),
        bytes: QuadBytes {
            select: [*first, *second],
            signed,
            lanes: (w.bits(51, 2) | w.bits(36, 2) << 2) as u8,
            signed_result,
            saturate,
            accumulate,
        },
    })
}
