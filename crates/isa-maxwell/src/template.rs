//! The small language in which the text of each form is written down once, for printing, reading and refusing.
//!
//! A template is the text itself, with fields in braces:
//!
//! | in braces | means |
//! |---|---|
//! | `.FTZ:44`, `-.U32:48` | a modifier that shows where the bit is 1; where it is 0 |
//! | `round:39` | the name of a value, from [`super::names`]; the runs of a field are `20+19,56` |
//! | `=8+8:ff` | bits that must have this value (hexadecimal), or the word is refused |
//! | `~20+8:ff` | bits that the text does not show, and what they are where it alone is read |
//! | `r8`, `p45`, `q51` | a register; a predicate; a predicate that is stored inverted, as results of memory operations are |
//! | `s20+19,56`, `x20+16` | a number, signed or not |
//! | `f20+19,56`, `g…`, `h…`, `v` | a number with a fraction of 32, 64, 16 bits, upper bits first; of the kind of a conversion's source |
//! | `c20+14`, `k20+16`, `kr20+16` | a constant `c[slot][offset]`: of arithmetic; of flow; with a register |
//! | `m20+24`, `m22+30*4`, `pointer` | an address `[R0+0x4]`; without an offset |
//! | `t20+24`, `j20+32` | a place in the code, from here or from the start |
//! | `?39+4=f}…{:}…{/` | the first text where the field is not this value, the second where it is |
//! | `!29=0}…{:}…{/` | the same where what stands in front says which |
//!
//! `name~:53` is a name that values share, `other&name:53` the text that tells them apart, behind it; `video_types` and
//! `video_a`, `video_b` are the sources of video operations, `pair50,49` the two of a compare and swap, `attribute` and
//! `phys` addresses of attributes, `phase` what the control word says about a texture operation, `set0` a set of the numbers 0-5.
//!
//! Operands take looks: `neg45`, `neg49!48` (not where bit 48 is 1 too), `abs46`, `inv40`, `not42`, `cc47`, `u1`
//! (reuse flag of the control word), `/swizzle:47` (a suffix), `sp` (a blank in constants).

use super::field::Field;
use super::names::{self, Names};
use unshade_isa_common::text::Short;

/// A part of a template.
#[derive(Debug, Clone, Copy)]
pub(super) enum Piece {
    /// Characters that stand as they are.
    Text(Short<'static>),
    /// The name of a value, or several modifiers.
    Choice(Field, &'static Names),
    /// A name that many values share: another text of the same field tells them apart.
    Shared(Field, &'static Names),
    /// That other text, and the names of the first one.
    Other(Field, &'static Names, &'static Names),
    /// A modifier that is always there.
    Always(Short<'static>),
    /// `.PHYS` of an attribute's address.
    Physical,
    /// The phase of a texture operation, which stands where other instructions have reuse flags.
    Phase,
    /// The types of the sources of a video operation.
    VideoTypes(VideoTypes),
    /// A modifier of one bit, and whether it shows where the bit is one.
    Flag(u8, bool, Short<'static>),
    /// Bits that have one value only.
    Require(Field, u64),
    /// Bits that are not shown, and what compilers leave there.
    Usual(Field, u64),
    /// An operand.
    Operand(Core, Look),
    /// Two groups of pieces that follow: the first where the field is not the value.
    Either {
        /// What decides.
        field: Field,
        /// Its value for the second group.
        value: u64,
        /// Whether the text in front of it says which.
        known: bool,
        /// Pieces of the first group.
        first: u8,
        /// Pieces of the second group.
        second: u8,
    },
    /// A set of the numbers 0-5: `{5,3}`.
    Set(u8),
}

/// What an operand is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Core {
    Register(u8),
    /// Three bits; whether they are stored inverted.
    Predicate(u8, bool),
    Signed(Field),
    Unsigned(Field),
    /// The field are the upper bits of a number with a fraction of 32 bits.
    Float(Field),
    Double(Field),
    /// The field are the upper bits of a half.
    Half(Field),
    /// Half, float or double as bits 10-11 say.
    Converted,
    /// `c[slot][offset]` of arithmetic: offset in words in 14 bits at 20, slot in 5 bits at 34.
    Constant,
    /// `c[slot][offset]` with the offset in bytes in 16 bits at 20, the slot in 5 bits at 36; whether the register
    /// at 8 is added.
    Bank(bool),
    /// `[register + offset * scale]`, the register at 8.
    Memory(Field, u8),
    /// `[register]`, the register at 8; whether `RZ` is refused.
    Pointer(bool),
    /// `a[...]` of ALD and AST: register at 8, offset at 20.
    Attribute,
    /// A place relative to the next instruction.
    Relative(Field),
    /// A place from the start of the code.
    Absolute(Field),
    /// The first source of a video operation.
    VideoA,
    /// The second one.
    VideoB(VideoB),
    /// The two registers of a compare and swap: where it is told which of them is there, and whether 64 bits wide.
    Pair(u8, u8),
}

impl Core {
    /// Whether it is a number in the word, behind which its signs stand as names.
    pub(super) fn is_immediate(self) -> bool {
        matches!(
            self,
            Self::Signed(_)
                | Self::Unsigned(_)
                | Self::Float(_)
                | Self::Double(_)
                | Self::Half(_)
                | Self::Converted
        )
    }
}

/// Which types a video operation has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum VideoTypes {
    /// Both sources may have a sign.
    Signed,
    /// The same, but the text of an immediate is never without them.
    Shown,
    /// The second source is the number of a shift.
    Shift,
}

/// What the immediate second source of a video operation is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum VideoB {
    /// It has a sign where its type has one.
    Typed,
    /// It has none, whatever its type.
    Unsigned,
    /// The number of a shift.
    Shift,
}

/// No bit.
pub(super) const NONE: u8 = 255;

/// How an operand looks.
#[derive(Debug, Clone, Copy)]
pub(super) struct Look {
    /// All bits that it looks at.
    pub told: u64,
    /// Bit that negates.
    pub neg: u8,
    /// Bit that must be zero for a sign.
    pub unless: u8,
    /// Bit for the magnitude.
    pub abs: u8,
    /// Bit that inverts all bits, or a predicate.
    pub not: u8,
    /// Bit that writes the condition codes.
    pub cc: u8,
    /// Reuse flag in the control word.
    pub reuse: u8,
    /// A part of the operand.
    pub suffix: Option<(Field, &'static Names)>,
    /// Whether a blank stands inside of a constant; 2: where bits 10-11 are 1.
    pub blank: u8,
}

const PLAIN: Look = Look {
    told: 0,
    neg: NONE,
    unless: NONE,
    abs: NONE,
    not: NONE,
    cc: NONE,
    reuse: NONE,
    suffix: None,
    blank: 0,
};

/// The text of a form.
#[derive(Debug)]
pub(super) struct Template {
    /// Name of the operation with the modifiers that it always has.
    pub name: Short<'static>,
    /// Those modifiers, without their full stops.
    pub fixed: Box<[&'static str]>,
    /// The modifiers, and then the operands.
    pub pieces: Box<[Piece]>,
    /// Where the operands start.
    pub operands: usize,
    /// The pieces that refuse some words, in their groups.
    pub refusing: Box<[Piece]>,
    /// Whether the disassembler does not look at the guard.
    pub unguarded: bool,
    /// The bits of a word that the name tells: those of the form, and those of the guard where there is one.
    pub told: u64,
    /// The distance of a place in the code, if there is one.
    pub relative: Option<Field>,
    /// Whether it may come from a constant instead.
    pub constant: bool,
}

impl Template {
    /// Reads a template. `None` where it is not one.
    pub fn parse(text: &'static str) -> Option<Self> {
        let end = text.find(['{', ' ']).unwrap_or(text.len());
        let (name, mut rest) = text.split_at(end);
        let mut pieces = Vec::new();
        let mut operands = None;
        let mut open: Vec<(usize, Option<usize>)> = Vec::new();
        while !rest.is_empty() {
            let Some(body) = rest.strip_prefix('{') else {
                let end = rest.find('{').unwrap_or(rest.len());
                let (literal, behind) = rest.split_at(end);
                rest = behind;
                let (always, literal) = match literal.find(' ') {
                    _ if operands.is_some() || !literal.starts_with('.') => ("", literal),
                    Some(blank) => literal.split_at(blank),
                    None => (literal, ""),
                };
                if !always.is_empty() {
                    pieces.push(Piece::Always(Short::new(always)));
                }
                if !literal.is_empty() {
                    operands.get_or_insert(pieces.len());
                    pieces.push(Piece::Text(Short::new(literal)));
                }
                continue;
            };
            let (spec, behind) = body.split_once('}')?;
            rest = behind;
            match spec {
                ":" => {
                    let last = open.last_mut()?;
                    last.1 = Some(pieces.len());
                }
                "/" => {
                    let (start, middle) = open.pop()?;
                    let end = pieces.len();
                    let middle = middle.unwrap_or(end);
                    let Some(Piece::Either { first, second, .. }) = pieces.get_mut(start) else {
                        return None;
                    };
                    *first = u8::try_from(middle - start - 1).ok()?;
                    *second = u8::try_from(end - middle).ok()?;
                }
                spec => {
                    let piece = parse_piece(spec)?;
                    if matches!(piece, Piece::Either { .. }) {
                        open.push((pieces.len(), None));
                    }
                    if matches!(piece, Piece::Either { .. } | Piece::Operand(..)) {
                        operands.get_or_insert(pieces.len());
                    }
                    pieces.push(piece);
                }
            }
        }
        if !open.is_empty() {
            return None;
        }
        let relative = pieces.iter().find_map(|piece| match piece {
            Piece::Operand(Core::Relative(field), _) => Some(*field),
            _ => None,
        });
        let constant = pieces.iter().any(|piece| matches!(piece, Piece::Operand(Core::Bank(_), _)));
        let operands = operands.unwrap_or(pieces.len());
        Some(Self {
            name: Short::new(name),
            fixed: name.split('.').skip(1).collect(),
            refusing: refusing(&pieces).into(),
            pieces: pieces.into(),
            operands,
            unguarded: false,
            told: 0,
            relative,
            constant,
        })
    }
}

/// The two groups behind an [`Piece::Either`], and what follows.
#[inline]
pub(super) fn groups(pieces: &[Piece], first: u8, second: u8) -> (&[Piece], &[Piece], &[Piece]) {
    let (one, rest) = pieces.split_at_checked(first.into()).unwrap_or_default();
    let (other, rest) = rest.split_at_checked(second.into()).unwrap_or_default();
    (one, other, rest)
}

/// Those of the pieces that refuse some words.
fn refusing(mut pieces: &[Piece]) -> Vec<Piece> {
    let mut out = Vec::new();
    while let [piece, rest @ ..] = pieces {
        pieces = rest;
        match *piece {
            Piece::Either { field, value, known, first, second } => {
                let (one, other, behind) = groups(rest, first, second);
                pieces = behind;
                let (one, other) = (refusing(one), refusing(other));
                if !(one.is_empty() && other.is_empty()) {
                    // No longer than the groups that they are of.
                    let (first, second) = (one.len() as u8, other.len() as u8);
                    out.push(Piece::Either { field, value, known, first, second });
                    out.extend(one);
                    out.extend(other);
                }
            }
            Piece::Require(..)
            | Piece::Operand(Core::Attribute | Core::Pointer(true) | Core::Pair(..), _) => out.push(*piece),
            Piece::Choice(_, names) | Piece::Shared(_, names) if names.refuses => out.push(*piece),
            _ => {}
        }
    }
    out
}

/// What stands between braces.
fn parse_piece(spec: &'static str) -> Option<Piece> {
    let (head, rest) = spec.split_once(' ').unwrap_or((spec, ""));
    let first = head.as_bytes().first()?;
    if let Some((text, at)) = head.split_once(':') {
        if let Some(field) = text.strip_prefix(['=', '~']) {
            let value = u64::from_str_radix(at, 16).ok()?;
            let field = Field::parse(field, 1)?;
            return Some(if *first == b'=' {
                Piece::Require(field, value)
            } else {
                Piece::Usual(field, value)
            });
        }
        if let Some(text) = text.strip_prefix('-').filter(|text| text.starts_with('.')) {
            return Some(Piece::Flag(at.parse().ok()?, false, Short::new(text)));
        }
        if *first == b'.' {
            return Some(Piece::Flag(at.parse().ok()?, true, Short::new(text)));
        }
        if let Some(name) = text.strip_suffix('~') {
            let (field, names) = named(name, at)?;
            return Some(Piece::Shared(field, names));
        }
        if let Some((name, other)) = text.split_once('&') {
            let (field, names) = named(name, at)?;
            return Some(Piece::Other(field, names, names::find(other)?));
        }
        let (field, names) = named(text, at)?;
        return Some(Piece::Choice(field, names));
    }
    if matches!(first, b'?' | b'!') {
        let (field, value) = head.get(1..)?.split_once('=')?;
        return Some(Piece::Either {
            field: Field::parse(field, 1)?,
            value: u64::from_str_radix(value, 16).ok()?,
            known: *first == b'!',
            first: 0,
            second: 0,
        });
    }
    if let Some(at) = head.strip_prefix("set") {
        return Some(Piece::Set(at.parse().ok()?));
    }
    match head {
        "phase" => return Some(Piece::Phase),
        "phys" => return Some(Piece::Physical),
        "video_types" => return Some(Piece::VideoTypes(VideoTypes::Signed)),
        "video_shown_types" => return Some(Piece::VideoTypes(VideoTypes::Shown)),
        "video_shift_types" => return Some(Piece::VideoTypes(VideoTypes::Shift)),
        _ => {}
    }
    let core = parse_core(head)?;
    let mut look = PLAIN;
    for word in rest.split(' ').filter(|word| !word.is_empty()) {
        parse_look(&mut look, word)?;
    }
    let bits = [look.neg, look.unless, look.abs, look.not, look.cc].into_iter();
    look.told = bits.filter(|at| *at != NONE).fold(0, |told, at| told | Field::new(at, 1).mask());
    Some(Piece::Operand(core, look))
}

fn named(name: &str, at: &str) -> Option<(Field, &'static Names)> {
    let names = names::find(name)?;
    let bits = names.len().trailing_zeros() as u8;
    // A single run needs no length.
    let field = Field::parse(at, if at.contains(',') { 1 } else { bits })?;
    (1 << field.bits() == names.len()).then_some((field, names))
}

fn parse_core(head: &str) -> Option<Core> {
    let digits = head.find(|c: char| c.is_ascii_digit()).unwrap_or(head.len());
    let (kind, at) = head.split_at(digits);
    let place = |at: &str| at.parse::<u8>().ok();
    Some(match kind {
        "r" => Core::Register(place(at)?),
        "p" => Core::Predicate(place(at)?, false),
        "q" => Core::Predicate(place(at)?, true),
        "s" => Core::Signed(Field::parse(at, 1)?),
        "x" => Core::Unsigned(Field::parse(at, 1)?),
        "f" => Core::Float(Field::parse(at, 1)?),
        "g" => Core::Double(Field::parse(at, 1)?),
        "h" => Core::Half(Field::parse(at, 1)?),
        "v" => Core::Converted,
        "c" => Core::Constant,
        "k" => Core::Bank(false),
        "kr" => Core::Bank(true),
        "m" => match at.split_once('*') {
            Some((at, scale)) => Core::Memory(Field::parse(at, 1)?, place(scale)?),
            None => Core::Memory(Field::parse(at, 1)?, 1),
        },
        "pointer" => Core::Pointer(false),
        "sure_pointer" => Core::Pointer(true),
        "attribute" => Core::Attribute,
        "video_a" => Core::VideoA,
        "video_b" => Core::VideoB(VideoB::Typed),
        "video_b_plain" => Core::VideoB(VideoB::Unsigned),
        "video_b_shift" => Core::VideoB(VideoB::Shift),
        "t" => Core::Relative(Field::parse(at, 1)?),
        "j" => Core::Absolute(Field::parse(at, 1)?),
        "pair" => {
            let (which, wide) = at.split_once(',')?;
            Core::Pair(place(which)?, place(wide)?)
        }
        _ => return None,
    })
}

fn parse_look(look: &mut Look, word: &'static str) -> Option<()> {
    if let Some(suffix) = word.strip_prefix('/') {
        let (name, at) = suffix.split_once(':')?;
        look.suffix = Some(named(name, at)?);
        return Some(());
    }
    let digits = word.find(|c: char| c.is_ascii_digit()).unwrap_or(word.len());
    let (kind, at) = word.split_at(digits);
    let place = |at: &str| at.parse::<u8>().ok();
    match kind {
        "neg" => match at.split_once('!') {
            Some((at, unless)) => (look.neg, look.unless) = (place(at)?, place(unless)?),
            None => look.neg = place(at)?,
        },
        "abs" => look.abs = place(at)?,
        "inv" | "not" => look.not = place(at)?,
        "cc" => look.cc = place(at)?,
        "u" => look.reuse = place(at)?,
        "sp" => look.blank = 1,
        "spf" => look.blank = 2,
        _ => return None,
    }
    Some(())
}
