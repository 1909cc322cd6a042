//! Sources of arithmetic instructions.

use super::cursor::{Cursor, number};
use crate::inst::Source;
use crate::names::{INDICES, OTHER_SOURCES};
use std::ops::Range;
use unshade_isa_common::assembly::lexer::Piece;
use unshade_isa_common::assembly::{Problem, Result};

/// A source as the text has it.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Operand {
    /// The nine bits.
    pub(super) sel: u32,
    /// Index mode, where the text has one.
    pub(super) index: Option<u32>,
    /// Component, where the text has one.
    pub(super) channel: Option<u32>,
    pub(super) negate: bool,
    pub(super) absolute: bool,
    /// Value of a literal.
    pub(super) literal: Option<u32>,
    /// Number of the group whose result it reads, where the text has one.
    pub(super) previous: Option<u32>,
    pub(super) span: Range<usize>,
}

/// Reads a source and the blanks behind it.
pub(super) fn source(line: &mut Cursor<'_>) -> Result<Operand> {
    let start = line.position();
    let mut operand = Operand {
        sel: 0,
        index: None,
        channel: None,
        negate: false,
        absolute: false,
        literal: None,
        previous: None,
        span: start..start,
    };
    // Minus one as an integer has a selector of its own.
    let mut ahead = *line;
    if ahead.tight("-") && numeral(&mut ahead).text == "1" {
        *line = ahead;
        operand.sel = Source::IntMinusOne.sel();
    } else {
        operand.negate = line.eat("-");
        operand.absolute = line.eat("|");
        value(line, &mut operand)?;
    }
    operand.index = index(line)?;
    operand.channel = component(line)?;
    if operand.absolute {
        line.blank();
        if !line.tight("|") {
            return Err(line.unexpected("`|`"));
        }
        // The assembler of decaf has index and component behind the second bar.
        if operand.index.is_none() {
            operand.index = index(line)?;
        }
        if operand.channel.is_none() {
            operand.channel = component(line)?;
        }
    }
    operand.span = line.since(start);
    line.blank();
    Ok(operand)
}

/// The value of a source without sign, index and component.
fn value(line: &mut Cursor<'_>, operand: &mut Operand) -> Result<()> {
    for (name, sel) in OTHER_SOURCES {
        let rest = line.rest().text;
        if rest.starts_with(name)
            && !rest[name.len()..].starts_with(|c: char| c.is_ascii_alphanumeric() || c == '_')
        {
            line.tight(name);
            operand.sel = sel;
            return Ok(());
        }
    }
    match line.peek() {
        Some(b'(') => pair(line, operand),
        Some(b'0'..=b'9' | b'-' | b'+' | b'.') => {
            let piece = numeral(line);
            plain(piece, operand)
        }
        _ => {
            let start = line.position();
            let name = line.run(|byte| byte.is_ascii_alphabetic());
            let cached = matches!(name.text, "KC") && matches!(line.peek(), Some(b'0' | b'1'));
            if cached {
                let set = u32::from(line.tight("1"));
                if set == 0 {
                    line.tight("0");
                }
                line.blank();
                line.expect("[")?;
                let number = line.number(31)?;
                line.blank();
                if !line.tight("]") {
                    return Err(line.unexpected("`]`"));
                }
                operand.sel = 128 + 32 * set + number;
                return Ok(());
            }
            match name.text {
                "R" => operand.sel = line.number(127)?,
                "C" => operand.sel = 256 + line.number(255)?,
                "PV" | "PS" => {
                    operand.sel = if name.text == "PV" {
                        Source::PreviousVector.sel()
                    } else {
                        Source::PreviousScalar.sel()
                    };
                    if line.peek().is_some_and(|byte| byte.is_ascii_digit()) {
                        let digits = line.run(|byte| byte.is_ascii_digit());
                        // decaf writes the number in front of the first group as a very large one.
                        operand.previous = digits.text.parse().ok();
                    }
                }
                "SRC" => {
                    line.expect("(")?;
                    operand.sel = line.number(511)?;
                    line.blank();
                    if !line.tight(")") {
                        return Err(line.unexpected("`)`"));
                    }
                }
                _ => {
                    let span = start..line.position().max(start);
                    if name.is_empty() {
                        return Err(line.unexpected("a source: `R0.x`, `KC0[0].x`, `C0.x`, `PV0.x`, `1.0f`"));
                    }
                    return Err(Problem::new(
                        "latte.asm.source",
                        span,
                        format!("`{}` is no source", name.text),
                    ));
                }
            }
            Ok(())
        }
    }
}

/// Digits, a point if more digits follow it, an exponent.
fn numeral<'a>(line: &mut Cursor<'a>) -> Piece<'a> {
    let bytes = line.rest().text.as_bytes();
    let hex = matches!(bytes, [b'0', b'x' | b'X', ..]);
    let mut length = 0;
    while let Some(&byte) = bytes.get(length) {
        let next = bytes.get(length + 1).copied();
        let takes = match byte {
            b'0'..=b'9' => true,
            b'x' | b'X' => hex && length == 1,
            b'a'..=b'f' | b'A'..=b'F' if hex => true,
            b'-' | b'+' => length == 0 || !hex && matches!(bytes.get(length - 1), Some(b'e' | b'E')),
            b'.' => !hex && next.is_some_and(|next| next.is_ascii_digit() || next == b'f'),
            b'e' | b'E' => next.is_some_and(|next| next.is_ascii_digit() || matches!(next, b'-' | b'+')),
            b'f' => true,
            _ => false,
        };
        if !takes {
            break;
        }
        length += 1;
        if byte == b'f' && !hex {
            break;
        }
    }
    line.bytes(length)
}

/// A number without parentheses.
fn plain(piece: Piece<'_>, operand: &mut Operand) -> Result<()> {
    let text = piece.text;
    if text.starts_with("0x") || text.starts_with("0X") {
        operand.sel = Source::Literal.sel();
        operand.literal = Some(number(piece, u32::MAX)?);
        return Ok(());
    }
    let is_float = text.contains(['.', 'e', 'E', 'f']);
    if !is_float {
        operand.sel = match text {
            "0" => Source::Zero.sel(),
            "1" => Source::IntOne.sel(),
            "-1" => Source::IntMinusOne.sel(),
            _ => {
                let message = format!("`{text}` could be a float or an integer");
                return Err(Problem::new("latte.asm.number", piece.span(), message)
                    .note(format!("write `{text}.0` for the float, or the bits: `0x...`")));
            }
        };
        return Ok(());
    }
    let value = float(piece)?;
    operand.sel = match value.to_bits() {
        0 => Source::Zero.sel(),
        0x3F80_0000 => Source::One.sel(),
        0x3F00_0000 => Source::Half.sel(),
        bits => {
            operand.literal = Some(bits);
            Source::Literal.sel()
        }
    };
    Ok(())
}

fn float(piece: Piece<'_>) -> Result<f32> {
    let text = piece.text.strip_suffix('f').filter(|text| !text.ends_with('n')).unwrap_or(piece.text);
    text.parse::<f32>()
        .map_err(|_| Problem::new("latte.asm.number", piece.span(), format!("`{}` is no number", piece.text)))
}

/// `(bits, float)`, `(bits)`, `(1)`.
fn pair(line: &mut Cursor<'_>, operand: &mut Operand) -> Result<()> {
    line.expect("(")?;
    let first = numeral(line);
    line.blank();
    if !line.eat(",") {
        if first.is_empty() {
            return Err(line.unexpected("a number"));
        }
        plain(first, operand)?;
        return if line.tight(")") { Ok(()) } else { Err(line.unexpected("`,` or `)`")) };
    }
    let bits = number(first, u32::MAX)?;
    let second = line.run(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'+' | b'-'));
    line.blank();
    if !line.tight(")") {
        return Err(line.unexpected("`)`"));
    }
    let value = match second.text.trim_start_matches('-') {
        "nan" => f32::NAN,
        _ => float(second)?,
    };
    let said = f32::from_bits(bits);
    if value.to_bits() != bits && !(value.is_nan() && said.is_nan()) {
        let message = format!("the bits {} are {said:?}, not `{}`", first.text, second.text);
        return Err(Problem::new("latte.asm.literal", second.span(), message)
            .note("change both, or write one of them alone: `2.5` or `0x40200000`"));
    }
    operand.sel = Source::Literal.sel();
    operand.literal = Some(bits);
    Ok(())
}

/// `[AR.x]`, `[AL]`.
pub(super) fn index(line: &mut Cursor<'_>) -> Result<Option<u32>> {
    if line.peek() != Some(b'[') {
        return Ok(None);
    }
    for (mode, name) in (0..).zip(INDICES) {
        if line.tight(name) {
            return Ok(Some(mode));
        }
    }
    Err(line.unexpected("an index: `[AR.x]`, `[AL]`"))
}

/// `.x`.
pub(super) fn component(line: &mut Cursor<'_>) -> Result<Option<u32>> {
    if !line.tight(".") {
        return Ok(None);
    }
    for (channel, letters) in (0..).zip(["xX", "yY", "zZ", "wW"]) {
        if letters.chars().any(|letter| line.tight(letter.encode_utf8(&mut [0; 4]))) {
            if line.peek().is_some_and(|byte| byte.is_ascii_alphanumeric() || byte == b'_') {
                return Err(line.unexpected("one component"));
            }
            return Ok(Some(channel));
        }
    }
    Err(line.unexpected("a component: x, y, z or w"))
}
