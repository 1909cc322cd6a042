//! An instruction word as text.
//!
//! What is printed is NVIDIA's text; [`instruction`] adds `{raw 0x...}` where the text alone does not give the word
//! back: the disassembler does not show some bits, and a few values share a name.

use super::field::Field;
use super::layout::Slot;
use super::names::Names;
use super::number;
use super::table;
use super::template::{Core, Look, NONE, Piece, Template, VideoB, VideoTypes};
use super::{Form, Predicate, Word};
use crate::text::{PartKind, Sink};

/// What stands around an instruction.
pub trait Around {
    /// Writes what a branch target is called, if it has a name.
    fn place(&self, _target: i64, _sink: &mut impl Sink) -> bool {
        false
    }

    /// Which operands' registers stay in the reuse cache: bits 17-20 of the control slot, moved down.
    fn reuse(&self) -> u8 {
        0
    }
}

/// Nothing is known about what stands around.
#[derive(Debug, Clone, Copy)]
pub struct Alone;

impl Around for Alone {}

/// Only the control slot is known.
impl Around for Slot {
    fn reuse(&self) -> u8 {
        Slot::reuse(*self)
    }
}

/// Writes an instruction, or `.word 0x...` for a word that is none.
///
/// ```
/// use unshade_isa::{maxwell::print::{Alone, instruction}, text::PlainText};
/// let mut text = PlainText::default();
/// instruction(0x5c58_1000_0007_0000, 8, &Alone, &mut text);
/// assert_eq!(text.text(), "FADD.FTZ R0, R0, R0");
/// ```
pub fn instruction(word: u64, address: u64, around: &impl Around, sink: &mut impl Sink) {
    match accepted(word) {
        Some(template) => {
            if !print(template, word, address, around, sink).exact {
                sink.put(PartKind::Plain, " ");
                sink.put(PartKind::Directive, "{raw ");
                hex(sink, PartKind::Immediate, word, 16);
                sink.put(PartKind::Directive, "}");
            }
        }
        None => data(word, sink),
    }
}

/// Writes a word as what it is: `.word 0x0123456789abcdef`.
pub fn data(word: u64, sink: &mut impl Sink) {
    sink.put(PartKind::Directive, ".word ");
    hex(sink, PartKind::Immediate, word, 16);
}

/// Whether a word is an instruction whose text alone gives it back.
pub fn is_exact(word: u64) -> bool {
    accepted(word).is_some_and(|template| print(template, word, 0, &Alone, &mut Nothing).exact)
}

/// The reuse flags of a slot that the text of a word does not tell.
pub(super) fn untold_reuse(word: u64, slot: Slot) -> u8 {
    let reuse = slot.reuse();
    let Some(template) = accepted(word).filter(|_| reuse != 0) else { return reuse };
    let told = print(template, word, 0, &slot, &mut Nothing).reuse;
    // A phase of three is not told.
    if told == 3 && template.pieces.iter().any(|piece| matches!(piece, Piece::Phase)) && reuse & 3 == 3 {
        return reuse;
    }
    reuse & !told
}

/// Whether NVIDIA's disassembler takes a word for an instruction (with a control slot that fits).
pub fn is_instruction(word: u64) -> bool {
    accepted(word).is_some()
}

/// The template of a word that is an instruction.
pub(super) fn accepted(word: u64) -> Option<&'static Template> {
    let form = Form::of(word)?;
    let template = table::template(form)?;
    (!template.refuses || accepts(&template.pieces, word)).then_some(template)
}

fn accepts(mut pieces: &[Piece], word: u64) -> bool {
    while let [piece, rest @ ..] = pieces {
        pieces = rest;
        let accepted = match *piece {
            Piece::Require(field, value) => field.get(word) == value,
            Piece::Choice(field, names) | Piece::Shared(field, names) => names.get(field.get(word)).is_some(),
            Piece::Operand(Core::Attribute, _) => attribute(word).is_some(),
            Piece::Operand(Core::Pointer(true), _) => !Word(word).register(8).is_zero(),
            Piece::Operand(Core::Pair(which, _), _) => word >> which & 3 != 3,
            Piece::Either { field, value, first, second, .. } => {
                let (one, other, behind) = groups(rest, first, second);
                pieces = behind;
                accepts(if field.get(word) == value { other } else { one }, word)
            }
            _ => true,
        };
        if !accepted {
            return false;
        }
    }
    true
}

/// The two groups behind an [`Piece::Either`], and what follows.
pub(super) fn groups(pieces: &[Piece], first: u8, second: u8) -> (&[Piece], &[Piece], &[Piece]) {
    let (one, rest) = pieces.split_at_checked(first.into()).unwrap_or_default();
    let (other, rest) = rest.split_at_checked(second.into()).unwrap_or_default();
    (one, other, rest)
}

/// How ALD and AST give their address.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Address {
    /// An offset alone.
    Offset,
    /// What AL2P made.
    Physical,
    /// A register and an offset; patch attributes only.
    Indexed,
}

/// The kind of address of a word of ALD or AST; none where it is refused.
pub(super) fn attribute(word: u64) -> Option<Address> {
    let word = Word(word);
    if word.register(8).is_zero() {
        Some(Address::Offset)
    } else if word.bit(31) {
        Some(Address::Indexed)
    } else {
        (word.bits(20, 11) == 0).then_some(Address::Physical)
    }
}

/// Writes the text of an accepted word, and says what it tells.
pub(super) fn print(
    template: &Template,
    word: u64,
    address: u64,
    around: &impl Around,
    sink: &mut impl Sink,
) -> Told {
    let form = Form::of(word).map_or(0, Form::mask);
    let mut printer =
        Printer { word, address, around, sink, seen: form, told: 0, exact: true, operands: false };
    if !template.unguarded {
        printer.seen |= 15 << 16;
        let guard = Word(word).guard();
        if !guard.is_true() {
            printer.sink.put(PartKind::Register, guard_name(guard));
        }
    }
    printer.sink.put(PartKind::Mnemonic, template.name);
    let (modifiers, operands) = template.pieces.split_at_checked(template.operands).unwrap_or_default();
    printer.pieces(modifiers);
    printer.operands = true;
    printer.pieces(operands);
    Told { exact: printer.exact && word & !printer.seen == 0, reuse: printer.told }
}

/// What a text tells.
#[derive(Debug, Clone, Copy)]
pub(super) struct Told {
    /// The whole word.
    pub exact: bool,
    /// These reuse flags of the control word.
    pub reuse: u8,
}

/// The phase of a texture operation by its reuse flags; three has no name that is known.
pub(super) fn phase(reuse: u8) -> &'static str {
    ["", ".T", ".P", ""].get(usize::from(reuse & 3)).copied().unwrap_or_default()
}

fn guard_name(guard: Predicate) -> &'static str {
    const NAMES: [&str; 16] = [
        "@P0 ", "@P1 ", "@P2 ", "@P3 ", "@P4 ", "@P5 ", "@P6 ", "@PT ", "@!P0 ", "@!P1 ", "@!P2 ", "@!P3 ",
        "@!P4 ", "@!P5 ", "@!P6 ", "@!PT ",
    ];
    NAMES.get(usize::from(guard.number & 7) + 8 * usize::from(guard.not)).copied().unwrap_or_default()
}

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
            match *piece {
                Piece::Text(text) => self.sink.put(PartKind::Punctuation, text),
                Piece::Choice(field, names) => {
                    let value = self.first(field, names);
                    let kind = if self.operands { PartKind::Name } else { PartKind::Mnemonic };
                    self.sink.put(kind, names.get(value).unwrap_or_default());
                }
                Piece::Shared(field, names) | Piece::Other(field, names, _) => {
                    let value = self.see(field);
                    let kind = if self.operands { PartKind::Name } else { PartKind::Mnemonic };
                    self.sink.put(kind, names.get(value).unwrap_or_default());
                }
                Piece::Always(text) => self.sink.put(PartKind::Mnemonic, text),
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
                    let shift = types == VideoTypes::Shift;
                    let (a, b) = video_types(self.word, shift);
                    self.seen |= VIDEO_A.mask() | 1 << 50;
                    if self.word >> 50 & 1 == 1 {
                        self.seen |= VIDEO_B.mask();
                    }
                    if !shift {
                        self.seen |= 1 << 49;
                    }
                    if hides_types(self.word, types) {
                        continue;
                    }
                    self.sink.put(PartKind::Mnemonic, a);
                    self.sink.put(PartKind::Mnemonic, b);
                }
                Piece::Flag(at, shows, text) => {
                    if self.bit(at) == shows {
                        self.sink.put(PartKind::Mnemonic, text);
                    }
                }
                Piece::Require(field, _) => self.seen |= field.mask(),
                Piece::Usual(field, value) => self.exact &= self.see(field) == value,
                Piece::Operand(core, ref look) => self.operand(core, look),
                Piece::Either { field, value, first, second, .. } => {
                    let (one, other, behind) = groups(rest, first, second);
                    let group = if self.see(field) == value { other } else { one };
                    self.pieces(group);
                    pieces = behind;
                }
                Piece::Set(at) => self.set(Field::new(at, 6)),
            }
        }
    }

    fn see(&mut self, field: Field) -> u64 {
        self.seen |= field.mask();
        field.get(self.word)
    }

    /// The value of a field whose name must be no other value's, but for what the text so far tells.
    fn first(&mut self, field: Field, names: &Names) -> u64 {
        let known = field.get(self.seen);
        let value = self.see(field);
        if !names.is_first(value) {
            let name = names.get(value);
            self.exact &= !(0..value).any(|other| (other ^ value) & known == 0 && names.get(other) == name);
        }
        value
    }

    fn bit(&mut self, at: u8) -> bool {
        self.seen |= 1 << at;
        self.word >> at & 1 == 1
    }

    fn look_bit(&mut self, at: u8) -> bool {
        at != NONE && self.bit(at)
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

    fn operand(&mut self, core: Core, look: &Look) {
        let immediate = matches!(
            core,
            Core::Signed(_)
                | Core::Unsigned(_)
                | Core::Float(_)
                | Core::Double(_)
                | Core::Half(_)
                | Core::Converted
        );
        let neg = self.look_bit(look.neg) && !self.look_bit(look.unless);
        let abs = self.look_bit(look.abs);
        let not = self.look_bit(look.not);
        if immediate {
            self.core(core, look);
            for (is, text) in [(neg, ".NEG"), (abs, ".ABS"), (not, ".INV")] {
                if is {
                    self.sink.put(PartKind::Immediate, text);
                }
            }
            self.suffix(look);
            return;
        }
        for (is, text) in [(neg, "-"), (abs, "|")] {
            if is && (text == "|" || !self.is_zero(core)) {
                self.sink.put(PartKind::Punctuation, text);
            }
        }
        if not {
            let sign = if matches!(core, Core::Predicate(..)) { "!" } else { "~" };
            self.sink.put(PartKind::Punctuation, sign);
        }
        self.core(core, look);
        self.suffix(look);
        if self.look_bit(look.cc) {
            self.sink.put(PartKind::Register, ".CC");
        }
        if abs {
            self.sink.put(PartKind::Punctuation, "|");
        }
        if matches!(core, Core::Register(_) | Core::VideoA | Core::VideoB(_)) {
            self.reuse(core, look);
        }
    }

    /// Whether it is an immediate zero, which never has a sign.
    fn is_zero(&mut self, core: Core) -> bool {
        let zero =
            matches!(core, Core::VideoB(_)) && self.word >> 50 & 1 == 0 && self.word >> 20 & 0xFFFF == 0;
        self.exact &= !zero;
        zero
    }

    fn suffix(&mut self, look: &Look) {
        if let Some((field, names)) = look.suffix {
            let value = self.first(field, names);
            self.sink.put(PartKind::Register, names.get(value).unwrap_or_default());
        }
    }

    fn core(&mut self, core: Core, look: &Look) {
        match core {
            Core::Register(at) => self.register(at),
            Core::Predicate(at, inverted) => {
                let number = self.see(Field::new(at, 3)) ^ if inverted { 7 } else { 0 };
                const NAMES: [&str; 8] = ["P0", "P1", "P2", "P3", "P4", "P5", "P6", "PT"];
                let name = NAMES.get(number as usize).copied().unwrap_or_default();
                self.sink.put(PartKind::Register, name);
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
                self.sink.put(PartKind::Register, "c[");
                hex(self.sink, PartKind::Register, slot, 1);
                self.sink.put(PartKind::Register, if blank { "] [" } else { "][" });
                signed(self.sink, offset);
                self.sink.put(PartKind::Register, "]");
            }
            Core::Bank(indexed) => {
                let slot = self.see(Field::new(36, 5));
                let offset = Field::new(20, 16);
                self.seen |= offset.mask();
                self.sink.put(PartKind::Register, "c[");
                hex(self.sink, PartKind::Register, slot, 1);
                self.sink.put(PartKind::Register, "][");
                if indexed && !Word(self.word).register(8).is_zero() {
                    self.sum(offset, 1, None);
                } else {
                    self.seen |= if indexed { 0xFF << 8 } else { 0 };
                    signed(self.sink, offset.signed(self.word));
                }
                self.sink.put(PartKind::Register, "]");
            }
            Core::Memory(offset, scale) => {
                self.seen |= offset.mask();
                self.sink.put(PartKind::Register, "[");
                self.sum(offset, scale, None);
                self.sink.put(PartKind::Register, "]");
            }
            Core::Pointer(_) => {
                self.sink.put(PartKind::Register, "[");
                self.register(8);
                self.sink.put(PartKind::Register, "]");
            }
            Core::Attribute => {
                self.seen |= Field::new(20, 10).mask();
                self.sink.put(PartKind::Register, "a[");
                let kind = attribute(self.word);
                if kind != Some(Address::Offset) {
                    self.seen |= 1 << 30;
                }
                self.sum(Field::new(20, 11), 1, Some(Field::new(20, 10)));
                self.sink.put(PartKind::Register, "]");
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

    fn reuse(&mut self, core: Core, look: &Look) {
        let number = matches!(core, Core::VideoB(_)) && self.word >> 50 & 1 == 0;
        if look.reuse == NONE || number {
            return;
        }
        self.told |= 1 << look.reuse;
        if self.around.reuse() >> look.reuse & 1 == 1 {
            self.sink.put(PartKind::Register, ".reuse");
        }
    }

    fn register(&mut self, at: u8) {
        let number = self.see(Field::new(at, 8)) as u8;
        register(self.sink, number);
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
            self.sink.put(PartKind::Punctuation, "+");
            signed(self.sink, value);
        }
    }

    fn float(&mut self, value: f64, quiet: bool) {
        self.exact &= quiet || !value.is_nan();
        self.sink.put(PartKind::Immediate, number::digits(value).text());
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
            3 => self.core(Core::Double(Field::IMMEDIATE), look),
            _ => self.core(Core::Float(Field::IMMEDIATE), look),
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
                self.sink.put(PartKind::Punctuation, ", ");
                self.numbered(number + step, number == 255 || number + step > 254);
            }
            1 => {
                register(self.sink, number as u8);
                self.sink.put(PartKind::Punctuation, ", ");
                register(self.sink, 255);
            }
            _ => {
                register(self.sink, 255);
                self.sink.put(PartKind::Punctuation, ", ");
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

/// Which part of a register the first source of a video operation is, and whether it has a sign.
pub(super) const VIDEO_A: Field = Field::two((36, 3), (48, 1));
/// The same of a register as second source.
pub(super) const VIDEO_B: Field = Field::new(28, 3);

/// The types by part and sign; an immediate is a short one.
pub(super) const TYPES: [&str; 16] = [
    ".U8",
    ".U8",
    ".U8",
    ".U8",
    ".U16",
    ".U16",
    ".U32",
    ".INVALIDSEL6",
    ".S8",
    ".S8",
    ".S8",
    ".S8",
    ".S16",
    ".S16",
    ".S32",
    ".INVALIDSEL7",
];

/// The types of the sources of a video operation.
fn video_types(word: u64, shift: bool) -> (&'static str, &'static str) {
    let name = |value: u64| TYPES.get(value as usize).copied().unwrap_or_default();
    (name(VIDEO_A.get(word)), name(video_b(word, shift)))
}

/// Part and sign of the second source: an immediate is like a short one.
fn video_b(word: u64, shift: bool) -> u64 {
    let part = if word >> 50 & 1 == 1 { VIDEO_B.get(word) } else { 4 };
    if shift { if part == 7 { 15 } else { part } } else { part | (word >> 49 & 1) << 3 }
}

/// Whether the text has no types: both are whole signed words, or would be.
pub(super) fn hides_types(word: u64, types: VideoTypes) -> bool {
    let register = word >> 50 & 1 == 1;
    VIDEO_A.get(word) == 14
        && match (types, register) {
            (VideoTypes::Shift, true) => VIDEO_B.get(word) == 6,
            (VideoTypes::Shift, false) => true,
            (_, true) => video_b(word, false) == 14,
            (VideoTypes::Signed, false) => word >> 49 & 1 == 1,
            (VideoTypes::Shown, false) => false,
        }
}

/// The suffix of a part.
pub(super) fn video_part(part: u64) -> &'static str {
    ["", ".B1", ".B2", ".B3", "", ".H1", "", ""].get(part as usize).copied().unwrap_or_default()
}

/// Bits of a number that is none, as reading gives it.
pub(super) const NAN_FLOAT: u32 = 0x7FFF_FFFF;
/// The same of 64 bits.
pub(super) const NAN_DOUBLE: u64 = u64::MAX >> 1;

fn register(sink: &mut impl Sink, number: u8) {
    if number == 255 {
        sink.put(PartKind::Register, "RZ");
        return;
    }
    let (hundreds, tens, ones) = (number / 100, number / 10 % 10, number % 10);
    let digit = |value: u8| b'0' + value;
    if hundreds > 0 {
        sink.ascii(PartKind::Register, &[b'R', digit(hundreds), digit(tens), digit(ones)]);
    } else if tens > 0 {
        sink.ascii(PartKind::Register, &[b'R', digit(tens), digit(ones)]);
    } else {
        sink.ascii(PartKind::Register, &[b'R', digit(ones)]);
    }
}

/// A number in hexadecimal with at least `width` digits.
pub(super) fn hex(sink: &mut impl Sink, kind: PartKind, value: u64, width: usize) {
    let mut digits = [0; 18];
    let mut at = digits.len();
    let mut rest = value;
    while rest != 0 || at > digits.len() - width.clamp(1, 16) {
        at -= 1;
        digits[at] = b"0123456789abcdef"[(rest & 15) as usize];
        rest >>= 4;
    }
    at -= 2;
    digits[at] = b'0';
    digits[at + 1] = b'x';
    sink.ascii(kind, &digits[at..]);
}

fn signed(sink: &mut impl Sink, value: i64) {
    if value < 0 {
        sink.put(PartKind::Immediate, "-");
    }
    hex(sink, PartKind::Immediate, value.unsigned_abs(), 1);
}

/// A sink that keeps nothing.
struct Nothing;

impl Sink for Nothing {
    const TYPED: bool = false;

    fn put(&mut self, _: PartKind, _: &str) {}

    fn column(&self) -> usize {
        0
    }

    fn words(&mut self, _: std::ops::Range<u32>) {}

    fn end_line(&mut self) {}
}

/// Writes the text alone, as NVIDIA's disassembler prints it.
pub fn plain(word: u64, address: u64, sink: &mut impl Sink) {
    if let Some(template) = accepted(word) {
        print(template, word, address, &Alone, sink);
    }
}
