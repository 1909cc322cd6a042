//! Sources and destinations as text.

use crate::inst::{Load, Register, Source};
use crate::names::{Area, Names};
use crate::table::{NO_OFFSET, OFFSETS, Unit};
use unshade_isa_common::assembly::lexer::Piece;
use unshade_isa_common::assembly::{Problem, Result};

/// A source that has been read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Operand {
    /// It starts with a minus.
    pub negate: bool,
    /// What is read.
    pub what: What,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum What {
    /// A source that needs no load.
    Source(Source),
    /// The complex unit's result, one instruction ago.
    Complex,
    /// The number 0 or 1, as neutral element.
    Neutral(u8),
    /// A component of an attribute.
    Attribute { number: u8, component: u8 },
    /// A component of a register, and which load it comes through where the text says so.
    Register { number: u8, component: u8, through: Option<u8> },
    /// A component of the register that the instruction before has loaded; `None`: whichever that is.
    Previous { register: Option<Register>, component: u8 },
    /// A component of a vector of memory.
    Memory { load: Load, component: u8 },
}

/// Where a result goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Target {
    pub place: Place,
    /// Bit 0 = x.
    pub mask: u8,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    Register(u8),
    Varying(u8),
    Temporary,
}

pub(super) fn wrong(piece: Piece<'_>, message: impl Into<std::borrow::Cow<'static, str>>) -> Box<Problem> {
    Problem::new("mali-gp.asm.syntax", piece.span(), message)
}

/// A decimal or `0x` number up to `limit`.
pub(super) fn number(piece: Piece<'_>, limit: u32) -> Result<u32> {
    let text = piece.text;
    let value = match text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")) {
        Some(digits) if digits.bytes().all(|b| b.is_ascii_hexdigit()) => u32::from_str_radix(digits, 16).ok(),
        Some(_) => None,
        None if text.bytes().all(|b| b.is_ascii_digit()) => text.parse().ok(),
        None => None,
    };
    match value {
        Some(value) if value <= limit => Ok(value),
        Some(_) => Err(wrong(piece, format!("`{text}` is above {limit}"))),
        None => Err(wrong(piece, format!("expected a number up to {limit}, found `{text}`"))),
    }
}

/// The unit of this name.
pub(super) fn unit(piece: Piece<'_>) -> Option<Unit> {
    Unit::ALL.into_iter().find(|unit| unit.name() == piece.text)
}

fn letter(piece: Piece<'_>) -> Result<u8> {
    match ["x", "y", "z", "w"].iter().position(|letter| *letter == piece.text) {
        Some(component) => Ok(component as u8),
        None => {
            Err(wrong(piece, format!("expected one component `x`, `y`, `z` or `w`, found `{}`", piece.text)))
        }
    }
}

/// Component letters in rising order, as bits.
fn letters(piece: Piece<'_>) -> Result<u8> {
    let mut mask = 0u8;
    for byte in piece.text.bytes() {
        let bit = match byte {
            b'x' => 1,
            b'y' => 2,
            b'z' => 4,
            b'w' => 8,
            _ => 0,
        };
        if bit <= mask {
            mask = 0;
            break;
        }
        mask |= bit;
    }
    if mask == 0 {
        let message = format!("expected components in the order `xyzw`, found `{}`", piece.text);
        return Err(wrong(piece, message));
    }
    Ok(mask)
}

/// Divides `name.letters` at the last full stop.
fn divide(piece: Piece<'_>) -> Option<(Piece<'_>, Piece<'_>)> {
    let at = piece.text.rfind('.')?;
    Some((piece.take(at), piece.skip(at + 1)))
}

/// The number behind a letter: `a3`.
fn numbered(piece: Piece<'_>, head: u8) -> Option<Piece<'_>> {
    let rest = piece.skip(1);
    (piece.first() == Some(head) && !rest.is_empty() && rest.text.bytes().all(|b| b.is_ascii_digit()))
        .then_some(rest)
}

/// What stands in the brackets of `t[...]`.
fn brackets(piece: Piece<'_>) -> Option<Piece<'_>> {
    piece.text.strip_prefix("t[")?.strip_suffix(']')?;
    Some(piece.skip(2).take(piece.text.len() - 3).trim())
}

/// A place without names, with its components: `t[3].xyz`. Gives the area, the first component counted from
/// its start, and the number of components.
pub(super) fn plain_place(piece: Piece<'_>) -> Result<(Area, u16, u8)> {
    let Some((vector, components)) = divide(piece) else {
        return Err(wrong(piece, "expected a place with its components, like `t[3].xyz`"));
    };
    let (area, number) = if let Some(digits) = numbered(vector, b'a') {
        (Area::Attribute, number(digits, 15)?)
    } else if let Some(digits) = numbered(vector, b'v') {
        (Area::Varying, number(digits, 15)?)
    } else if let Some(inside) = brackets(vector) {
        (Area::Memory, number(inside, 511)?)
    } else {
        return Err(wrong(
            vector,
            format!("expected `a`, `v` or `t[]` with a number, found `{}`", vector.text),
        ));
    };
    let mask = letters(components)?;
    let first = mask.trailing_zeros();
    let count = mask.count_ones();
    if mask >> first != (1u8 << count) - 1 {
        return Err(wrong(components, "the components of a name follow each other"));
    }
    Ok((area, (number * 4 + first) as u16, count as u8))
}

/// A named component: `u_color.y`, `u_scale`.
fn named(piece: Piece<'_>, names: &Names) -> Result<Option<(Area, u16)>> {
    if let Some(name) = names.find(piece.text) {
        if name.components > 1 {
            let message = format!("`{}` has {} components: name one", piece.text, name.components);
            return Err(Problem::new("mali-gp.asm.component", piece.span(), message));
        }
        return Ok(Some((name.area, name.word)));
    }
    let Some((base, component)) = divide(piece) else { return Ok(None) };
    let Some(name) = names.find(base.text) else { return Ok(None) };
    let component = letter(component)?;
    if component >= name.components {
        let message = format!("`{}` has no such component", base.text);
        return Err(Problem::new("mali-gp.asm.component", piece.span(), message));
    }
    Ok(Some((name.area, name.word + u16::from(component))))
}

fn unknown_name(piece: Piece<'_>) -> Box<Problem> {
    Problem::new("mali-gp.asm.unknown-name", piece.span(), format!("nothing is called `{}`", piece.text))
}

/// A source.
pub(super) fn source(piece: Piece<'_>, names: &Names) -> Result<Operand> {
    let (negate, rest) = match piece.first() {
        Some(b'-') => (true, piece.skip(1).trim()),
        _ => (false, piece),
    };
    Ok(Operand { negate, what: what(rest, names)? })
}

fn what(piece: Piece<'_>, names: &Names) -> Result<What> {
    match piece.text {
        "" => return Err(wrong(piece, "expected a source, found nothing")),
        "0" => return Ok(What::Neutral(0)),
        "1" => return Ok(What::Neutral(1)),
        "unused" => return Ok(What::Source(Source::UNUSED)),
        _ => {}
    }
    if piece.first() == Some(b'^') {
        return back(piece, names);
    }
    if let Some(n) = piece.text.strip_prefix("unknown")
        && let Ok(n @ 0..=3) = n.parse::<u8>()
    {
        return Ok(What::Source(Source::unknown(n)));
    }
    if piece.first() == Some(b'$') {
        let (register, through) = match piece.text.find('@') {
            Some(at) => (piece.take(at), Some(piece.skip(at + 1))),
            None => (piece, None),
        };
        let through = match through.map(|through| (through.text, through)) {
            None => None,
            Some(("reg0", _)) => Some(0),
            Some(("reg1", _)) => Some(1),
            Some((_, piece)) => {
                return Err(wrong(piece, format!("expected `reg0` or `reg1`, found `{}`", piece.text)));
            }
        };
        let (number, component) = register_component(register)?;
        return Ok(What::Register { number, component, through });
    }
    if let Some((vector, component)) = divide(piece) {
        if let Some(digits) = numbered(vector, b'a') {
            return Ok(What::Attribute { number: number(digits, 15)? as u8, component: letter(component)? });
        }
        if let Some(inside) = brackets(vector) {
            return Ok(What::Memory { load: load(inside, names)?, component: letter(component)? });
        }
    }
    match named(piece, names)? {
        Some((Area::Attribute, word)) => {
            Ok(What::Attribute { number: (word / 4) as u8, component: (word % 4) as u8 })
        }
        Some((Area::Memory, word)) => Ok(What::Memory {
            load: Load { address: word / 4, offset: NO_OFFSET },
            component: (word % 4) as u8,
        }),
        Some((Area::Varying, _)) => Err(Problem::new(
            "mali-gp.asm.write-only",
            piece.span(),
            format!("`{}` is a varying, which can only be written", piece.text),
        )),
        None if divide(piece).is_some_and(|(vector, _)| numbered(vector, b'v').is_some()) => {
            Err(Problem::new("mali-gp.asm.write-only", piece.span(), "varyings can only be written"))
        }
        None => Err(unknown_name(piece)),
    }
}

fn register_component(piece: Piece<'_>) -> Result<(u8, u8)> {
    let Some((register, component)) = divide(piece) else {
        return Err(wrong(piece, format!("expected a component of `{0}`, like `{0}.x`", piece.text)));
    };
    let Some(digits) = numbered(register, b'$') else {
        return Err(wrong(register, format!("expected a register, found `{}`", register.text)));
    };
    Ok((number(digits, 15)? as u8, letter(component)?))
}

/// `5`, `5+addr1`, `u_bones[1]+addr2`.
fn load(inside: Piece<'_>, names: &Names) -> Result<Load> {
    let (base, offset) = match inside.text.rfind('+') {
        None => (inside, NO_OFFSET),
        Some(at) => {
            let offset = inside.skip(at + 1).trim();
            let named = |[name, _]: &[&str; 2]| *name == offset.text && !name.is_empty();
            let Some(code) = OFFSETS.iter().position(named) else {
                let message = format!("expected `addr1`, `addr2` or `addr3`, found `{}`", offset.text);
                return Err(wrong(offset, message));
            };
            (inside.take(at).trim(), code as u8)
        }
    };
    let address = match names.find(base.text) {
        Some(name) if name.area == Area::Memory && name.word % 4 == 0 => u32::from(name.word / 4),
        Some(_) => return Err(wrong(base, format!("`{}` does not start a vector of memory", base.text))),
        None if base.first().is_some_and(|first| first.is_ascii_digit()) => number(base, 511)?,
        None => return Err(unknown_name(base)),
    };
    Ok(Load { address: address as u16, offset })
}

/// `^mul0`, `^^mul0`, `^complex`, `^$3.x`, `^a_normal.y`, `^reg0.x`.
fn back(piece: Piece<'_>, names: &Names) -> Result<What> {
    let (rest, distance) = match piece.skip(1).first() {
        Some(b'^') => (piece.skip(2), 2),
        _ => (piece.skip(1), 1),
    };
    if let Some(unit) = unit(rest) {
        if unit == Unit::Complex && distance == 1 {
            return Ok(What::Complex);
        }
        return match Source::result(unit, distance) {
            Some(source) => Ok(What::Source(source)),
            None => Err(Problem::new(
                "mali-gp.asm.distance",
                piece.span(),
                "the result of the complex unit lasts one instruction only",
            )),
        };
    }
    if distance == 2 {
        let message = format!("expected a unit, found `{}`", rest.text);
        return Err(wrong(rest, message));
    }
    if let Some(component) = rest.text.strip_prefix("reg0.") {
        let component = letter(rest.skip(rest.text.len() - component.len()))?;
        return Ok(What::Previous { register: None, component });
    }
    match what(rest, names)? {
        What::Attribute { number, component } => {
            Ok(What::Previous { register: Some(Register { number, attribute: true }), component })
        }
        What::Register { number, component, through: None | Some(0) } => {
            Ok(What::Previous { register: Some(Register { number, attribute: false }), component })
        }
        _ => Err(wrong(rest, format!("`{}` is not kept for the next instruction", rest.text))),
    }
}

/// A destination.
pub(super) fn target(piece: Piece<'_>, names: &Names) -> Result<Target> {
    let (vector, components) = match divide(piece) {
        Some((vector, components)) => (vector, Some(components)),
        None => (piece, None),
    };
    let mask = |piece: Option<Piece<'_>>| match piece {
        Some(piece) => letters(piece),
        None => Err(wrong(vector, format!("expected components of `{0}`, like `{0}.x`", vector.text))),
    };
    if let Some(digits) = numbered(vector, b'$') {
        return Ok(Target { place: Place::Register(number(digits, 15)? as u8), mask: mask(components)? });
    }
    if let Some(digits) = numbered(vector, b'v') {
        return Ok(Target { place: Place::Varying(number(digits, 15)? as u8), mask: mask(components)? });
    }
    if let Some(inside) = brackets(vector) {
        if inside.text != "addr0" {
            return Err(Problem::new(
                "mali-gp.asm.temporary",
                inside.span(),
                format!(
                    "temporary memory is written at address register 0: `t[addr0]`, not `{}`",
                    vector.text
                ),
            ));
        }
        return Ok(Target { place: Place::Temporary, mask: mask(components)? });
    }
    let (name, mask) = match (names.find(piece.text), components) {
        (Some(name), _) if name.components == 1 => (name, 1),
        (Some(name), _) => (name, (1u8 << name.components) - 1),
        (None, Some(components)) => match names.find(vector.text) {
            Some(name) => (name, letters(components)?),
            None => return Err(unknown_name(vector)),
        },
        (None, None) => return Err(unknown_name(piece)),
    };
    if name.area != Area::Varying {
        let message = format!("`{}` can only be read", vector.text);
        return Err(Problem::new("mali-gp.asm.read-only", piece.span(), message));
    }
    if mask >> name.components != 0 {
        let message = format!("`{}` has no such component", vector.text);
        return Err(Problem::new("mali-gp.asm.component", piece.span(), message));
    }
    Ok(Target { place: Place::Varying((name.word / 4) as u8), mask: mask << (name.word % 4) })
}
