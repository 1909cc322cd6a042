//! Writing the text of a word piece by piece, and keeping account of which bits it tells.

use super::accept::{Address, attribute};
use super::digits::{hex, register, signed};
use super::video::{VIDEO_A, VIDEO_B, hides_types, video_part, video_types};
use super::{Around, NAN_DOUBLE, NAN_FLOAT};
use crate::field::Field;
use crate::names::Names;
use crate::number;
use crate::template::{Core, Look, NONE, Piece, Template, VideoB, VideoTypes, groups};
use crate::{Predicate, Word};
use unshade_isa_common::text::{PartKind, Short, Sink};

/// Writes the text of an accepted word, and says what it tells.
pub(crate) fn print(
    template: &Template,
    word: u64,
    address: u64,
    around: &impl Around,
    sink: &mut impl Sink,
) -> Told {
    let seen = template.told;
    let mut printer = Printer { word, address, around, sink, seen, told: 0, exact: true, operands: false };
    if !template.unguarded {
        let guard = Word(word).guard();
        if !guard.is_true() {
            printer.sink.put_short(PartKind::Register, guard_name(guard));
        }
    }
    printer.sink.put_short(PartKind::Mnemonic, &template.name);
    let (modifiers, operands) = template.pieces.split_at_checked(template.operands).unwrap_or_default();
    printer.pieces(modifiers);
    printer.operands = true;
    printer.pieces(operands);
    Told { exact: printer.exact && word & !printer.seen == 0, reuse: printer.told }
}

/// Whether the bits that are known leave only one value with the name of this one.
#[cold]
fn decided(field: Field, names: &Names, value: u64, known: u64) -> bool {
    let known = field.get(known);
    !(0..value).any(|other| (other ^ value) & known == 0 && names.same(other, value))
}

/// What a text tells.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Told {
    /// The whole word.
    pub exact: bool,
    /// These reuse flags of the control word.
    pub reuse: u8,
}

/// The phase of a texture operation by its reuse flags; three has no name that is known.
pub(crate) fn phase(reuse: u8) -> &'static str {
    ["", ".T", ".P", ""].get(usize::from(reuse & 3)).copied().unwrap_or_default()
}

fn guard_name(guard: Predicate) -> &'static Short<'static> {
    static NAMES: [Short<'static>; 16] = Short::all([
        "@P0 ", "@P1 ", "@P2 ", "@P3 ", "@P4 ", "@P5 ", "@P6 ", "@PT ", "@!P0 ", "@!P1 ", "@!P2 ", "@!P3 ",
        "@!P4 ", "@!P5 ", "@!P6 ", "@!PT ",
    ]);
    &NAMES[usize::from(guard.number & 7) + 8 * usize::from(guard.not)]
}

static PREDICATES: [Short<'static>; 8] = Short::all(["P0", "P1", "P2", "P3", "P4", "P5", "P6", "PT"]);

pub(super) static MINUS: Short<'static> = Short::new("-");
static BAR: Short<'static> = Short::new("|");
static NOT: Short<'static> = Short::new("!");
static INVERTED: Short<'static> = Short::new("~");
static COMMA: Short<'static> = Short::new(", ");
static PLUS: Short<'static> = Short::new("+");
static BANK: Short<'static> = Short::new("c[");
static OFFSET: Short<'static> = Short::new("][");
static APART: Short<'static> = Short::new("] [");
static OPEN: Short<'static> = Short::new("[");
static CLOSE: Short<'static> = Short::new("]");
static REUSE: Short<'static> = Short::new(".reuse");
static FLAGS: Short<'static> = Short::new(".CC");

struct Printer<'a, A, S> {
    word: u64,
    address: u64,
    around: &'a A,
    sink: &'a mut S,
    /// Bits that the text so far tells.
    seen: u64,
    /// Reuse flags that the text so far tells.
    told: u8,
    /// Whether reading the text so far gives these bits.
    exact: bool,
    /// Whether the modifiers are over.
    operands: bool,
}

impl<A: Around, S: Sink> Printer<'_, A, S> {
    fn pieces(&mut self, mut pieces: &[Piece]) {
        while let [piece, rest @ ..] = pieces {
            pieces = rest;
            match piece {
                Piece::Text(text) => self.sink.put_short(PartKind::Punctuation, text),
                Piece::Choice(field, names) => {
                    let value = self.first(*field, names);
                    self.name(value, names);
                }
                Piece::Shared(field, names) | Piece::Other(field, names, _) => {
                    let value = self.see(*field);
                    self.name(value, names);
                }
                Piece::Always(text) => self.sink.put_short(PartKind::Mnemonic, text),
                Piece::Physical => {
                    if attribute(self.word) == Some(Address::Physical) {
                        self.sink.put(PartKind::Mnemonic, ".PHYS");
                    }
                }
                Piece::Phase => {
                    self.told |= 3;
                    self.sink.put(PartKind::Mnemonic, phase(self.around.reuse()));
                }
                Piece::VideoTypes(types) => {
                    let shift = *types == VideoTypes::Shift;
                    let (a, b) = video_types(self.word, shift);
                    self.seen |= VIDEO_A.mask() | 1 << 50;
                    if self.word >> 50 & 1 == 1 {
                        self.seen |= VIDEO_B.mask();
                    }
                    if !shift {
                        self.seen |= 1 << 49;
                    }
                    if hides_types(self.word, *types) {
                        continue;
                    }
                    self.sink.put(PartKind::Mnemonic, a);
                    self.sink.put(PartKind::Mnemonic, b);
                }
                Piece::Flag(at, shows, text) => {
                    if self.bit(*at) == *shows {
                        self.sink.put_short(PartKind::Mnemonic, text);
                    }
                }
                Piece::Require(field, _) => self.seen |= field.mask(),
                Piece::Usual(field, value) => self.exact &= self.see(*field) == *value,
                Piece::Operand(core, look) => self.operand(core, look),
                Piece::Either { field, value, first, second, .. } => {
                    let (one, other, behind) = groups(rest, *first, *second);
                    let group = if self.see(*field) == *value { other } else { one };
                    self.pieces(group);
                    pieces = behind;
                }
                Piece::Set(at) => self.set(Field::new(*at, 6)),
            }
        }
    }

    fn name(&mut self, value: u64, names: &Names) {
        let kind = if self.operands { PartKind::Name } else { PartKind::Mnemonic };
        if let Some(name) = names.short(value) {
            self.sink.put_short(kind, name);
        }
    }

    #[inline]
    fn see(&mut self, field: Field) -> u64 {
        self.seen |= field.mask();
        field.get(self.word)
    }

    /// The value of a field whose name must be no other value's, but for what the text so far tells.
    #[inline]
    fn first(&mut self, field: Field, names: &Names) -> u64 {
        let before = self.seen;
        let value = self.see(field);
        if !names.is_first(value) {
            self.exact &= decided(field, names, value, before);
        }
        value
    }

    #[inline]
    fn bit(&mut self, at: u8) -> bool {
        self.seen |= 1 << (at & 63);
        self.has(at)
    }

    /// Whether a bit is one; [`NONE`] is not.
    #[inline]
    fn has(&self, at: u8) -> bool {
        self.word.checked_shr(at.into()).unwrap_or(0) & 1 == 1
    }

    fn set(&mut self, field: Field) {
        let set = self.see(field);
        self.sink.put(PartKind::Punctuation, "{");
        let mut first = true;
        for number in (0..6).rev().filter(|number| set >> number & 1 == 1) {
            if !first {
                self.sink.put(PartKind::Punctuation, ",");
            }
            first = false;
            self.sink.decimal(PartKind::Immediate, number);
        }
        self.sink.put(PartKind::Punctuation, "}");
    }

    fn operand(&mut self, core: &Core, look: &Look) {
        self.seen |= look.told;
        let neg = self.has(look.neg) && !self.has(look.unless);
        let abs = self.has(look.abs);
        let not = self.has(look.not);
        if core.is_immediate() {
            self.core(core, look);
            for (is, text) in [(neg, ".NEG"), (abs, ".ABS"), (not, ".INV")] {
                if is {
                    self.sink.put(PartKind::Immediate, text);
                }
            }
            self.suffix(look);
            return;
        }
        if neg && !self.is_zero(core) {
            self.sink.put_short(PartKind::Punctuation, &MINUS);
        }
        if abs {
            self.sink.put_short(PartKind::Punctuation, &BAR);
        }
        if not {
            let sign = if matches!(core, Core::Predicate(..)) { &NOT } else { &INVERTED };
            self.sink.put_short(PartKind::Punctuation, sign);
        }
        self.core(core, look);
        self.suffix(look);
        if self.has(look.cc) {
            self.sink.put_short(PartKind::Register, &FLAGS);
        }
        if abs {
            self.sink.put_short(PartKind::Punctuation, &BAR);
        }
        if matches!(core, Core::Register(_) | Core::VideoA | Core::VideoB(_)) {
            self.reuse(core, look);
        }
    }

    /// Whether it is an immediate zero, which never has a sign.
    fn is_zero(&mut self, core: &Core) -> bool {
        let zero =
            matches!(core, Core::VideoB(_)) && self.word >> 50 & 1 == 0 && self.word >> 20 & 0xFFFF == 0;
        self.exact &= !zero;
        zero
    }

    #[inline]
    fn suffix(&mut self, look: &Look) {
        if let Some((field, names)) = look.suffix {
            let value = self.first(field, names);
            if let Some(name) = names.short(value) {
                self.sink.put_short(PartKind::Register, name);
            }
        }
    }

    fn core(&mut self, core: &Core, look: &Look) {
        match *core {
            Core::Register(at) => self.register(at),
            Core::Predicate(at, inverted) => {
                let number = self.see(Field::new(at, 3)) ^ if inverted { 7 } else { 0 };
                self.sink.put_short(PartKind::Register, &PREDICATES[(number & 7) as usize]);
            }
            Core::Signed(field) => {
                self.seen |= field.mask();
                signed(self.sink, field.signed(self.word));
            }
            Core::Unsigned(field) => {
                let value = self.see(field);
                hex(self.sink, PartKind::Immediate, value, 1);
            }
            Core::Float(field) => {
                let bits = (self.see(field) << (32 - field.bits())) as u32;
                self.float(
                    f32::from_bits(bits).into(),
                    bits & 0x7FFF_FFFF == NAN_FLOAT >> (32 - field.bits()) << (32 - field.bits()),
                );
            }
            Core::Double(field) => {
                let bits = self.see(field) << (64 - field.bits());
                self.float(
                    f64::from_bits(bits),
                    bits & (u64::MAX >> 1) == NAN_DOUBLE >> (64 - field.bits()) << (64 - field.bits()),
                );
            }
            Core::Half(field) => {
                let bits = (self.see(field) << (16 - field.bits())) as u16;
                self.half(bits, field.bits());
            }
            Core::Converted => self.converted(look),
            Core::Constant => {
                let slot = self.see(Field::new(34, 5));
                let offset = i64::from((self.see(Field::new(20, 14)) << 2) as u16 as i16);
                let blank = match look.blank {
                    1 => true,
                    2 => self.word >> 10 & 3 == 1,
                    _ => false,
                };
                self.sink.put_short(PartKind::Register, &BANK);
                hex(self.sink, PartKind::Register, slot, 1);
                self.sink.put_short(PartKind::Register, if blank { &APART } else { &OFFSET });
                signed(self.sink, offset);
                self.sink.put_short(PartKind::Register, &CLOSE);
            }
            Core::Bank(indexed) => {
                let slot = self.see(Field::new(36, 5));
                let offset = Field::new(20, 16);
                self.seen |= offset.mask();
                self.sink.put_short(PartKind::Register, &BANK);
                hex(self.sink, PartKind::Register, slot, 1);
                self.sink.put_short(PartKind::Register, &OFFSET);
                if indexed && !Word(self.word).register(8).is_zero() {
                    self.sum(offset, 1, None);
                } else {
                    self.seen |= if indexed { 0xFF << 8 } else { 0 };
                    signed(self.sink, offset.signed(self.word));
                }
                self.sink.put_short(PartKind::Register, &CLOSE);
            }
            Core::Memory(offset, scale) => {
                self.seen |= offset.mask();
                self.sink.put_short(PartKind::Register, &OPEN);
                self.sum(offset, scale, None);
                self.sink.put_short(PartKind::Register, &CLOSE);
            }
            Core::Pointer(_) => {
                self.sink.put_short(PartKind::Register, &OPEN);
                self.register(8);
                self.sink.put_short(PartKind::Register, &CLOSE);
            }
            Core::Attribute => {
                self.seen |= Field::new(20, 10).mask();
                self.sink.put(PartKind::Register, "a[");
                let kind = attribute(self.word);
                if kind != Some(Address::Offset) {
                    self.seen |= 1 << 30;
                }
                self.sum(Field::new(20, 11), 1, Some(Field::new(20, 10)));
                self.sink.put_short(PartKind::Register, &CLOSE);
            }
            Core::Relative(field) => {
                self.seen |= field.mask();
                let target = (self.address as i64).wrapping_add(8).wrapping_add(field.signed(self.word));
                if !self.around.place(target, self.sink) {
                    signed(self.sink, target);
                }
            }
            Core::Absolute(field) => {
                let target = self.see(field);
                hex(self.sink, PartKind::Label, target, 1);
            }
            Core::VideoA => {
                self.register(8);
                self.sink.put(PartKind::Register, video_part(VIDEO_A.get(self.word) & 7));
            }
            Core::VideoB(kind) => {
                if self.word >> 50 & 1 == 1 {
                    self.register(20);
                    self.sink.put(PartKind::Register, video_part(VIDEO_B.get(self.word) & 7));
                    return;
                }
                let value = self.see(Field::new(20, 16));
                if kind == VideoB::Typed && self.word >> 49 & 1 == 1 {
                    signed(self.sink, (value as u16 as i16).into());
                } else {
                    hex(self.sink, PartKind::Immediate, value, 1);
                }
            }
            Core::Pair(which, wide) => self.pair(which, wide),
        }
    }

    fn reuse(&mut self, core: &Core, look: &Look) {
        let number = matches!(core, Core::VideoB(_)) && self.word >> 50 & 1 == 0;
        if look.reuse == NONE || number {
            return;
        }
        self.told |= 1 << look.reuse;
        if self.around.reuse() >> look.reuse & 1 == 1 {
            self.sink.put_short(PartKind::Register, &REUSE);
        }
    }

    #[inline]
    fn register(&mut self, at: u8) {
        self.seen |= 0xFF << (at & 63);
        register(self.sink, (self.word >> (at & 63)) as u8);
    }

    /// `R0+0x4`, without what is zero. An offset without a register has no sign, and the field `alone`.
    fn sum(&mut self, offset: Field, scale: u8, alone: Option<Field>) {
        let number = self.see(Field::new(8, 8)) as u8;
        let scale = i64::from(scale);
        if number == 255 {
            let offset = alone.unwrap_or(offset);
            let value = offset.get(self.word) * scale as u64;
            if value == 0 {
                register(self.sink, number);
            } else {
                hex(self.sink, PartKind::Immediate, value, 1);
            }
            return;
        }
        register(self.sink, number);
        let value = offset.signed(self.word) * scale;
        if value != 0 {
            self.sink.put_short(PartKind::Punctuation, &PLUS);
            signed(self.sink, value);
        }
    }

    fn float(&mut self, value: f64, quiet: bool) {
        self.exact &= quiet || !value.is_nan();
        number::write(value, self.sink);
    }

    fn half(&mut self, bits: u16, len: u32) {
        let quiet = 0x7FFF >> (16 - len) << (16 - len);
        self.float(number::half(bits), bits & 0x7FFF == quiet);
    }

    /// The immediate source of a conversion.
    fn converted(&mut self, look: &Look) {
        self.seen |= 3 << 10;
        let field = Field::new(20, 16);
        match self.word >> 10 & 3 {
            1 => {
                let bits = self.see(field) as u16;
                self.half(bits, 16);
            }
            3 => self.core(&Core::Double(Field::IMMEDIATE), look),
            _ => self.core(&Core::Float(Field::IMMEDIATE), look),
        }
    }

    /// The register to compare with and the register to store; `RZ` for one that is not there.
    fn pair(&mut self, which: u8, wide: u8) {
        let number = self.see(Field::new(20, 8)) as u16;
        let which = self.see(Field::new(which, 2));
        let step = if self.bit(wide) { 2 } else { 1 };
        match which {
            0 => {
                self.numbered(number, number == 255);
                self.sink.put_short(PartKind::Punctuation, &COMMA);
                self.numbered(number + step, number == 255 || number + step > 254);
            }
            1 => {
                register(self.sink, number as u8);
                self.sink.put_short(PartKind::Punctuation, &COMMA);
                register(self.sink, 255);
            }
            _ => {
                register(self.sink, 255);
                self.sink.put_short(PartKind::Punctuation, &COMMA);
                self.numbered(number, number == 255);
            }
        }
    }

    fn numbered(&mut self, number: u16, none: bool) {
        if none {
            self.sink.put(PartKind::Register, "???255");
        } else {
            register(self.sink, number as u8);
        }
    }
}
