//! Fields that compute: one line for all forms, of which the rows of [`super::super::forms`] say what they have.

use super::super::forms::{FORMS, Names, Operand};
use super::super::names::{DESTINATION_SCALARS, SCALARS, SHORT_SWIZZLES, VECTORS, mnemonic as named, pick};
use super::super::table::{AddOp, Part};
use super::operand::{comma, mnemonic, nothing, register, signed, vector_dest};
use super::pieces::{FLOAT_LINK, VECTOR_LINK};
use super::rest;
use unshade_isa_common::text::{PartKind, Sink};

/// The value of a run that a form may have.
#[inline(always)]
pub(crate) fn value(part: Option<Part>, raw: u64) -> u32 {
    part.map_or(0, |part| part.get(raw.into()))
}

/// A field in the form of this index, which is a constant, so that shifts and masks are.
// Inlined, the forms take each other's registers: a tenth more instructions.
#[inline(never)]
pub(super) fn arithmetic<const FORM: usize>(sink: &mut impl Sink, raw: u64) {
    let (op, outmod) = (value(const { FORMS[FORM].op }, raw), value(const { FORMS[FORM].outmod }, raw));
    mnemonic(
        sink,
        match const { FORMS[FORM].names } {
            Names::Table(names) => named(names, op, outmod),
            Names::One(_, names) => pick(names, outmod),
        },
    );
    let mut said = raw & !const { FORMS[FORM].unused };
    let dest = const { FORMS[FORM].dest };
    if const { FORMS[FORM].written }.is_some_and(|written| written.get(raw.into()) == 0) {
        said &= !dest.mask() as u64;
        nothing(sink);
    } else {
        match const { FORMS[FORM].mask } {
            Some(mask) => vector_dest(sink, dest.get(raw.into()), mask.get(raw.into())),
            None => register(sink, pick(&DESTINATION_SCALARS, dest.get(raw.into()))),
        }
    }
    comma(sink);
    // A select shows its condition.
    let selects = const { FORMS[FORM].operands[0].link.is_some() } && AddOp::of(op) == Some(AddOp::Sel);
    if selects {
        sink.put(PartKind::Register, "^s0");
        sink.put(PartKind::Punctuation, " ? ");
    }
    if value(const { FORMS[FORM].operands[0].link }, raw) != 0 {
        said &= !const { FORMS[FORM].operands[0].register.mask() as u64 };
    }
    operand::<FORM, 0>(sink, raw);
    if const { &FORMS[FORM] }.source_count(op) > 1 {
        if selects {
            sink.put(PartKind::Punctuation, " : ");
        } else {
            comma(sink);
        }
        operand::<FORM, 1>(sink, raw);
    } else if const { FORMS[FORM].op.is_some() } {
        said &= !const { FORMS[FORM].operands[1].mask() };
    }
    rest(sink, const { FORMS[FORM].parts }, raw.into(), said.into());
}

#[inline(always)]
fn operand<const FORM: usize, const N: usize>(sink: &mut impl Sink, raw: u64) {
    let Operand { register: run, swizzle, absolute, negate, link } = const { FORMS[FORM].operands[N] };
    let (number, link) = (run.get(raw.into()), value(link, raw) != 0);
    let swizzle = swizzle.map(|run| run.get(raw.into()));
    signed(sink, value(absolute, raw), value(negate, raw), |sink| match swizzle {
        Some(swizzle) => {
            register(sink, if link { &VECTOR_LINK } else { pick(&VECTORS, number) });
            register(sink, pick(&SHORT_SWIZZLES, swizzle));
        }
        None => register(sink, if link { &FLOAT_LINK } else { pick(&SCALARS, number) }),
    });
}
