//! What the lines of all fields share: registers, components, signs, places.

use super::super::names::{DESTINATIONS, MASKS, SCALARS, SHORT_SWIZZLES, VECTORS, pick};
use super::super::symbols::{Kind, Symbols};
use super::pieces::{CLOSE, COMMA, GAPS, LETTERS, NOTHING, PAIRS, SIGNS};
use unshade_isa_common::text::{PartKind, Short, Sink};

#[inline]
pub(super) fn mnemonic(sink: &mut impl Sink, text: &'static Short<'static>) {
    sink.put_short(PartKind::Mnemonic, text);
    sink.put_short(PartKind::Plain, &GAPS[text.text().len() & 15]);
}

#[inline]
pub(super) fn comma(sink: &mut impl Sink) {
    sink.put_short(PartKind::Punctuation, &COMMA);
}

#[inline]
pub(super) fn register(sink: &mut impl Sink, short: &Short<'static>) {
    sink.put_short(PartKind::Register, short);
}

#[inline]
pub(super) fn vector_dest(sink: &mut impl Sink, dest: u32, mask: u32) {
    register(sink, pick(&DESTINATIONS, dest));
    mask_text(sink, mask);
}

pub(super) fn mask_text(sink: &mut impl Sink, mask: u32) {
    if mask == 0 {
        sink.put(PartKind::Register, "._");
    } else {
        register(sink, pick(&MASKS, mask));
    }
}

/// An operand with its sign and absolute value, as both texts write them.
#[inline]
pub(crate) fn signed<S: Sink>(sink: &mut S, absolute: u32, negate: u32, inner: impl FnOnce(&mut S)) {
    if absolute | negate != 0 {
        sink.put_short(PartKind::Punctuation, pick(&SIGNS, negate << 1 | absolute));
    }
    inner(sink);
    if absolute != 0 {
        sink.put_short(PartKind::Punctuation, &CLOSE);
    }
}

#[inline]
pub(super) fn vector(sink: &mut impl Sink, source: u32, swizzle: u32, absolute: u32, negate: u32) {
    signed(sink, absolute, negate, |sink| {
        register(sink, pick(&VECTORS, source));
        register(sink, pick(&SHORT_SWIZZLES, swizzle));
    });
}

/// A place of `width` floats that starts at a float: the name of the vector it lies in, or its number; then
/// the components, unless there are four.
pub(super) fn place(sink: &mut impl Sink, symbols: &Symbols<'_>, kind: Option<Kind>, float: i32, width: u32) {
    let named = kind.and_then(|kind| {
        let float = u32::try_from(float).ok()?;
        let component = symbols.component(kind, float)?;
        let fits = if width == 4 { component == 0 } else { component + width <= 4 };
        fits.then(|| symbols.put(sink, kind, float)).flatten()
    });
    let component = named.unwrap_or_else(|| {
        let vector = float.div_euclid(4);
        if vector < 0 {
            sink.put(PartKind::Immediate, "-");
        }
        sink.decimal(PartKind::Immediate, vector.unsigned_abs());
        float.rem_euclid(4) as u32
    });
    match width {
        1 => sink.put_short(PartKind::Register, pick(&LETTERS, component)),
        2 => sink.put_short(PartKind::Register, pick(&PAIRS, component)),
        _ => {}
    }
}

pub(super) fn offset(sink: &mut impl Sink, component: u32) {
    sink.put(PartKind::Punctuation, " + ");
    register(sink, pick(&SCALARS, component));
}

#[inline]
pub(super) fn nothing(sink: &mut impl Sink) {
    register(sink, &NOTHING);
}
