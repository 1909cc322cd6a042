//! Operands: registers with masks, swizzles and signs; places in the varyings, uniforms and temporaries.

use super::cursor::Cursor;
use crate::symbols::{Kind, Symbols, identifier_length};
use crate::table::{CONST0, CONST1, IDENTITY, TEXTURE, UNIFORM};
use unshade_isa_common::assembly::{Problem, Result};

/// A register by its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Register {
    /// By its number in a field of four bits.
    Number(u32),
    /// `^const0` and the like, which can only be read; by the same number.
    Link(u32),
    /// `^v0`, what the multiply unit of the same instruction gives.
    VectorMul,
    /// `^s0`.
    FloatMul,
    /// `^discard`.
    Discard,
    /// `_`: none.
    Nothing,
}

fn register(cursor: &mut Cursor<'_>) -> Result<Register> {
    let start = cursor.position();
    let wrong = cursor.unexpected("a register");
    if cursor.sees("_") {
        cursor.tight(|byte| byte == b'_');
        return Ok(Register::Nothing);
    }
    let (sign, _) = cursor.tight(|byte| matches!(byte, b'$' | b'^'));
    let (name, span) = cursor.tight(|byte| byte.is_ascii_alphanumeric());
    match (sign, name) {
        ("$", _) => match name.parse::<u32>() {
            Ok(number) if number < 16 => Ok(Register::Number(number)),
            _ => Err(Problem::new(
                "mali-pp.asm.register",
                start..span.end,
                format!("there is no register `${name}`"),
            )),
        },
        ("^", "const0") => Ok(Register::Link(CONST0)),
        ("^", "const1") => Ok(Register::Link(CONST1)),
        ("^", "texture") => Ok(Register::Link(TEXTURE)),
        ("^", "uniform") => Ok(Register::Link(UNIFORM)),
        ("^", "discard") => Ok(Register::Discard),
        ("^", "v0") => Ok(Register::VectorMul),
        ("^", "s0") => Ok(Register::FloatMul),
        ("^", _) => Err(Problem::new(
            "mali-pp.asm.register",
            start..span.end,
            format!("there is no register `^{name}`"),
        )),
        _ => Err(wrong),
    }
}

/// Letters behind a full stop, and the blanks behind them; empty if there is no full stop.
fn letters<'a>(cursor: &mut Cursor<'a>) -> Result<(&'a str, std::ops::Range<usize>)> {
    let at = cursor.position();
    if !cursor.sees(".") {
        cursor.pass(0);
        return Ok(("", at..at));
    }
    cursor.tight(|byte| byte == b'.');
    let (text, span) = cursor.run(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    if text.is_empty() {
        return Err(Problem::new(
            "mali-pp.asm.components",
            at..span.end.max(at + 1),
            "components are missing behind `.`",
        ));
    }
    Ok((text, at..span.end))
}

fn component(letter: u8) -> Option<u32> {
    b"xyzw".iter().position(|known| *known == letter).map(|n| n as u32)
}

fn swizzle(cursor: &mut Cursor<'_>) -> Result<u32> {
    let (text, span) = letters(cursor)?;
    if text.is_empty() {
        return Ok(IDENTITY);
    }
    let lanes: Option<Vec<u32>> = text.bytes().map(component).collect();
    let Some(lanes) = lanes.filter(|lanes| lanes.len() <= 4) else {
        let message = format!("`{text}` is no swizzle: one to four of x y z w");
        return Err(Problem::new("mali-pp.asm.components", span, message));
    };
    // The last letter stands for the lanes that are left.
    Ok((0..4).fold(0, |bits, lane| bits | lanes[lane.min(lanes.len() - 1)] << (2 * lane)))
}

fn mask(cursor: &mut Cursor<'_>) -> Result<u32> {
    let (text, span) = letters(cursor)?;
    if text.is_empty() {
        return Ok(15);
    }
    if text == "_" {
        return Ok(0);
    }
    let mut bits = 0;
    for letter in text.bytes() {
        match component(letter) {
            // In order and once each.
            Some(lane) if bits >> lane == 0 => bits |= 1 << lane,
            _ => {
                let message = format!("`{text}` is no mask: some of x y z w in this order, or `_`");
                return Err(Problem::new("mali-pp.asm.components", span, message));
            }
        }
    }
    Ok(bits)
}

/// One letter.
fn single(cursor: &mut Cursor<'_>) -> Result<u32> {
    let (text, span) = letters(cursor)?;
    match text.as_bytes() {
        [letter] if component(*letter).is_some() => Ok(component(*letter).unwrap_or_default()),
        [] => Err(Problem::new(
            "mali-pp.asm.components",
            span,
            "one component is needed here: `.x`, `.y`, `.z` or `.w`",
        )),
        _ => Err(Problem::new(
            "mali-pp.asm.components",
            span,
            format!("`{text}` is not one component of x y z w"),
        )),
    }
}

/// Destination register and mask; none for `_`.
pub(super) fn vector_dest(cursor: &mut Cursor<'_>) -> Result<Option<(u32, u32)>> {
    let start = *cursor;
    match register(cursor)? {
        Register::Number(number) => Ok(Some((number, mask(cursor)?))),
        Register::Nothing => {
            cursor.pass(0);
            Ok(None)
        }
        _ => Err(start.unexpected("a register to write")),
    }
}

/// Destination of a varying load.
pub(super) fn varying_dest(cursor: &mut Cursor<'_>) -> Result<(u32, u32)> {
    let start = *cursor;
    match register(cursor)? {
        Register::Number(number) => Ok((number, mask(cursor)?)),
        Register::Discard => Ok((UNIFORM, mask(cursor)?)),
        _ => Err(start.unexpected("a register to write")),
    }
}

/// Destination component by its six bits; none for `_`.
pub(super) fn scalar_dest(cursor: &mut Cursor<'_>) -> Result<Option<u32>> {
    let start = *cursor;
    match register(cursor)? {
        Register::Number(number) => Ok(Some(number << 2 | single(cursor)?)),
        Register::Nothing => {
            cursor.pass(0);
            Ok(None)
        }
        _ => Err(start.unexpected("a register to write")),
    }
}

/// A source with its signs.
#[derive(Debug, Clone, Copy)]
pub(super) struct Source {
    /// Register; of a scalar source with its component, in six bits.
    pub(super) register: u32,
    pub(super) swizzle: u32,
    pub(super) absolute: u32,
    pub(super) negate: u32,
    /// It is `^v0` or `^s0`.
    pub(super) mul_in: bool,
}

fn signed(
    cursor: &mut Cursor<'_>,
    inner: impl FnOnce(&mut Cursor<'_>) -> Result<(u32, u32, bool)>,
) -> Result<Source> {
    let negate = u32::from(cursor.eat("-"));
    let absolute = u32::from(cursor.eat("abs("));
    let (register, swizzle, mul_in) = inner(cursor)?;
    if absolute != 0 {
        cursor.expect(")")?;
    }
    Ok(Source { register, swizzle, absolute, negate, mul_in })
}

/// A vector; `^v0` only where the unit can take it.
pub(super) fn vector(cursor: &mut Cursor<'_>, mul_in: bool) -> Result<Source> {
    signed(cursor, |cursor| {
        let start = *cursor;
        match register(cursor)? {
            Register::Number(number) | Register::Link(number) => Ok((number, swizzle(cursor)?, false)),
            Register::VectorMul if mul_in => Ok((0, swizzle(cursor)?, true)),
            Register::VectorMul => {
                Err(start.unexpected("a register: `^v0` is the first source of `.v1` only"))
            }
            _ => Err(start.unexpected("a register to read")),
        }
    })
}

/// A component; `^s0` only where the unit can take it.
pub(super) fn scalar(cursor: &mut Cursor<'_>, mul_in: bool) -> Result<Source> {
    signed(cursor, |cursor| {
        let start = *cursor;
        match register(cursor)? {
            Register::Number(number) | Register::Link(number) => {
                Ok((number << 2 | single(cursor)?, 0, false))
            }
            Register::FloatMul if mul_in => {
                cursor.pass(0);
                Ok((0, 0, true))
            }
            Register::FloatMul => {
                Err(start.unexpected("a register: `^s0` is the first source of `.s1` only"))
            }
            _ => Err(start.unexpected("a register to read")),
        }
    })
}

/// A component without signs, by its six bits.
pub(super) fn plain_scalar(cursor: &mut Cursor<'_>) -> Result<u32> {
    let start = *cursor;
    let source = scalar(cursor, false)?;
    if source.absolute | source.negate != 0 {
        return Err(start.unexpected("a register without sign"));
    }
    Ok(source.register)
}

/// A register without anything, by its four bits.
pub(super) fn plain_vector(cursor: &mut Cursor<'_>) -> Result<u32> {
    let start = *cursor;
    let source = vector(cursor, false)?;
    if source.absolute | source.negate != 0 || source.swizzle != IDENTITY {
        return Err(start.unexpected("a register without sign and components"));
    }
    Ok(source.register)
}

/// `+ $1.x`, if it stands there.
pub(super) fn offset(cursor: &mut Cursor<'_>) -> Result<Option<u32>> {
    if cursor.eat("+") { plain_scalar(cursor).map(Some) } else { Ok(None) }
}

/// A place of one, two or four floats.
#[derive(Debug, Clone, Copy)]
pub(super) struct Place {
    /// In units of the width.
    pub(super) index: i64,
    /// 1, 2 or 4.
    pub(super) width: u32,
}

/// Reads a name or the number of a vector, and the components. The index lies in `least..=most`.
pub(super) fn place(
    cursor: &mut Cursor<'_>,
    symbols: Option<(&Symbols<'_>, Kind)>,
    least: i64,
    most: i64,
) -> Result<Place> {
    let start = cursor.position();
    let wrong = cursor.unexpected("a name or the number of a vector");
    let first = cursor.rest().bytes().next().unwrap_or(0);
    let mut float = if first.is_ascii_digit() || first == b'-' {
        let (text, span) = cursor.tight(|byte| byte.is_ascii_digit() || byte == b'-');
        let vector: i64 = text
            .parse()
            .map_err(|_| Problem::new("mali-pp.asm.number", span, format!("`{text}` is no number")))?;
        vector.saturating_mul(4)
    } else if let Some((symbols, kind)) = symbols
        && (first.is_ascii_alphabetic() || first == b'_')
    {
        match symbols.read(kind, cursor.rest()) {
            Ok((float, length)) => {
                skip_tight(cursor, length);
                float.into()
            }
            Err((length, message)) => {
                let at = start + length;
                let name = identifier_length(cursor.rest().get(length..).unwrap_or_default());
                let end = (at + name.max(1)).min(cursor.end());
                return Err(Problem::new("mali-pp.asm.name", at..end, message));
            }
        }
    } else {
        return Err(wrong);
    };
    let (text, span) = letters(cursor)?;
    let width = match text {
        "" => 4,
        "x" | "y" | "z" | "w" => 1,
        "xy" | "yz" | "zw" => 2,
        _ => {
            let message = format!("`{text}`: a load or store has one, two or four floats in a row");
            return Err(Problem::new("mali-pp.asm.components", span, message));
        }
    };
    float = float.saturating_add(text.bytes().next().and_then(component).unwrap_or(0).into());
    let whole = start..span.end;
    if float % i64::from(width) != 0 {
        let message = format!("{width} floats start at a multiple of {width}, not at float {float}");
        return Err(Problem::new("mali-pp.asm.alignment", whole, message));
    }
    let index = float / i64::from(width);
    if !(least..=most).contains(&index) {
        let message = format!("place {index} does not fit: from {least} to {most} for this width");
        return Err(Problem::new("mali-pp.asm.range", whole, message));
    }
    Ok(Place { index, width })
}

/// Passes over a name without the blanks behind it.
pub(super) fn skip_tight(cursor: &mut Cursor<'_>, length: usize) {
    let end = cursor.position() + length;
    let count = std::cell::Cell::new(length);
    cursor.tight(|_| count.replace(count.get().saturating_sub(1)) > 0);
    debug_assert_eq!(cursor.position(), end);
}

/// The alignment field of a width.
pub(super) fn alignment(width: u32, four: u32) -> u32 {
    match width {
        1 => 0,
        2 => 1,
        _ => four,
    }
}
