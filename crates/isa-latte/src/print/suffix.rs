//! What stands behind the operands of an instruction.

use super::number;
use crate::table::form::{Form, NUMBER_FORMATS};
use crate::table::suffix::{Argument, Suffix, Text};
use unshade_isa_common::field::Field;
use unshade_isa_common::text::{PartKind, Sink};

/// Writes the words of a form that has no address in front of them; gives the bits that they say.
#[inline]
pub(crate) fn words(sink: &mut impl Sink, form: &Form, bits: u128, text: Text) -> u128 {
    if form.is_plain(bits) { 0 } else { suffixes(sink, form.suffixes, bits, text) }
}

/// Writes the words of these rows that belong to an instruction; gives the bits that they say.
pub(crate) fn suffixes(sink: &mut impl Sink, rows: &[Suffix], bits: u128, text: Text) -> u128 {
    let mut said = 0;
    for row in rows.iter().filter(|row| row.is_shown(bits, text)) {
        suffix(sink, row, bits, text);
        said |= row.mask;
    }
    said
}

/// Writes a word with what stands behind it.
fn suffix(sink: &mut impl Sink, row: &Suffix, bits: u128, text: Text) {
    // The parts of a line are coloured alike where they are of one kind, and the texts differ in that.
    let (blank, open) = match row.argument {
        Argument::Number(_) | Argument::Constant(_) | Argument::Count(_) => {
            (PartKind::Plain, PartKind::Punctuation)
        }
        Argument::Lock(_) => (PartKind::Name, PartKind::Punctuation),
        _ if text == Text::Native => (PartKind::Plain, PartKind::Punctuation),
        _ => (PartKind::Name, PartKind::Name),
    };
    sink.put(blank, " ");
    sink.put(PartKind::Name, row.name);
    if matches!(row.argument, Argument::None | Argument::Optional(..)) {
        return;
    }
    sink.put(open, "(");
    match row.argument {
        Argument::None | Argument::Optional(..) => {}
        Argument::Number(field) | Argument::Constant(field) => {
            sink.decimal(PartKind::Immediate, field.get(bits));
        }
        Argument::Count(field) => sink.decimal(PartKind::Immediate, field.get(bits) + 1),
        Argument::Steps(field, steps) => {
            number::float(sink, (signed(field, bits) as f32 / steps as f32).to_bits());
        }
        Argument::Name(field, names) => sink.put(PartKind::Name, names.text(field.get(bits))),
        Argument::Coordinates(field, value) => {
            for (lane, letter) in ["X", "Y", "Z", "W"].into_iter().enumerate() {
                if (field.get(bits) >> lane & 1 != 0) == value {
                    sink.put(PartKind::Name, letter);
                }
            }
        }
        Argument::Lock(fields) => lock(sink, fields.map(|field| field.get(bits))),
        Argument::Format(fields) => {
            let [data, numbers, signed, mode] = fields.map(|field| field.get(bits));
            sink.put(open, " ");
            sink.decimal(PartKind::Immediate, data);
            // In decaf's text the number of an unknown format stands without a blank.
            if text == Text::Native || numbers < 3 {
                sink.put(blank, " ");
            }
            sink.put(PartKind::Name, NUMBER_FORMATS.text(numbers));
            sink.put(PartKind::Name, if signed != 0 { " SIGNED " } else { " UNSIGNED " });
            sink.decimal(PartKind::Immediate, mode);
        }
    }
    sink.put(PartKind::Punctuation, ")");
}

/// The value of a field that is signed.
fn signed(field: Field, bits: u128) -> i32 {
    let unused = 32 - field.width;
    (field.get(bits) as i32) << unused >> unused
}

/// How a constant cache set is locked.
fn lock(sink: &mut impl Sink, [mode, bank, line]: [u32; 3]) {
    sink.put(PartKind::Register, "CB");
    sink.decimal(PartKind::Register, bank);
    sink.put(PartKind::Punctuation, ":");
    let index = if mode == 3 { "AL+" } else { "" };
    sink.put(PartKind::Register, index);
    sink.decimal(PartKind::Immediate, 16 * line);
    sink.put(PartKind::Punctuation, "-");
    sink.put(PartKind::Register, index);
    sink.decimal(PartKind::Immediate, 16 * line + if mode == 1 { 15 } else { 31 });
}

/// Every field whose bits are not those that a text is read as.
#[inline]
pub(super) fn rest(sink: &mut impl Sink, parts: &[Field], bits: u128, text: u128) {
    if text != bits {
        differences(sink, parts, bits, text);
    }
}

#[cold]
fn differences(sink: &mut impl Sink, parts: &[Field], bits: u128, text: u128) {
    for part in parts.iter().filter(|part| part.get(bits) != part.get(text)) {
        sink.put(PartKind::Directive, " @");
        sink.put(PartKind::Directive, part.name);
        sink.put(PartKind::Directive, "=");
        let value = part.get(bits);
        if value < 1024 {
            sink.decimal(PartKind::Immediate, value);
        } else {
            sink.hex(PartKind::Immediate, value, 1);
        }
    }
}

/// ` NAME(value)`.
pub(crate) fn property(sink: &mut impl Sink, name: &str, value: u32) {
    sink.put(PartKind::Plain, " ");
    sink.put(PartKind::Name, name);
    sink.put(PartKind::Punctuation, "(");
    sink.decimal(PartKind::Immediate, value);
    sink.put(PartKind::Punctuation, ")");
}
