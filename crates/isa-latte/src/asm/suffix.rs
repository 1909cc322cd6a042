//! What stands behind the operands of an instruction.

use super::cursor::Cursor;
use crate::table::form::NUMBER_FORMATS;
use crate::table::suffix::{Argument, Names, Suffix};
use std::fmt::Display;
use unshade_isa_common::assembly::lexer::Piece;
use unshade_isa_common::assembly::{Problem, Result};
use unshade_isa_common::field::Field;

/// Reads the word of one of these rows with what stands behind it, and puts it into the bits of an instruction; `what` is the
/// instruction.
pub(super) fn suffix<'a>(
    line: &mut Cursor<'_>,
    rows: impl IntoIterator<Item = &'a Suffix>,
    bits: u128,
    what: impl Display,
) -> Result<u128> {
    let name = line.word();
    match rows.into_iter().find(|row| row.is_named(name.text)) {
        Some(row) => argument(line, row, bits),
        None => Err(none(line, name, what)),
    }
}

/// That an instruction has no such word.
pub(super) fn none(line: &Cursor<'_>, name: Piece<'_>, what: impl Display) -> Box<Problem> {
    if name.is_empty() {
        return line.unexpected("the end of the line");
    }
    Problem::new("latte.asm.property", name.span(), format!("{what} has no `{}`", name.text))
}

/// Reads what stands behind a word.
pub(super) fn argument(line: &mut Cursor<'_>, row: &Suffix, bits: u128) -> Result<u128> {
    let bits = row.is.map_or(bits, |(field, value)| field.set(bits, value));
    match row.argument {
        Argument::None => return Ok(bits),
        Argument::Optional(..) if line.peek() != Some(b'(') => return Ok(bits),
        Argument::Number(field) | Argument::Constant(field) => {
            return Ok(field.set(bits, line.parenthesised(field.limit())?));
        }
        Argument::Count(field) => {
            let start = line.position();
            let count = line.parenthesised(field.limit() + 1)?.checked_sub(1);
            let none = || Problem::new("latte.asm.range", line.since(start), "a fetch has at least one byte");
            return Ok(field.set(bits, count.ok_or_else(none)?));
        }
        Argument::Steps(field, steps) => {
            return Ok(field.set(bits, fixed(line, steps as f32, (field.limit() >> 1) as f32)?));
        }
        Argument::Lock(fields) => return Ok(set(bits, fields, lock(line)?)),
        _ => line.expect("(")?,
    }
    let bits = match row.argument {
        Argument::Name(field, names) | Argument::Optional(field, names) => {
            field.set(bits, name(line, names)?)
        }
        Argument::Coordinates(field, value) => {
            let (mask, old) = (coordinates(line)?, field.get(bits));
            field.set(bits, if value { old | mask } else { old & !mask })
        }
        Argument::Format(fields) => {
            let data = line.number(63)?;
            line.blank();
            let numbers = name(line, &NUMBER_FORMATS)?;
            let signed = one_of(line, &["UNSIGNED", "SIGNED"])?;
            let mode = line.number(1)?;
            line.blank();
            set(bits, fields, [data, numbers, signed, mode])
        }
        _ => bits,
    };
    line.expect(")")?;
    Ok(bits)
}

/// The bits with other values in fields.
fn set<const N: usize>(bits: u128, fields: [Field; N], values: [u32; N]) -> u128 {
    fields.into_iter().zip(values).fold(bits, |bits, (field, value)| field.set(bits, value))
}

/// One of some names.
fn name(line: &mut Cursor<'_>, names: &Names) -> Result<u32> {
    if names.numbers {
        return one_of(line, &names.texts);
    }
    let piece = line.word();
    let all = (0..).zip(names.texts).map(|(value, name)| (name, value));
    let found = all.chain(names.aliases.iter().copied()).find(|(name, _)| *name == piece.text);
    found.map(|(_, value)| value).ok_or_else(|| {
        let [a, b, c, d] = names.texts;
        Problem::new("latte.asm.property", piece.span(), format!("expected `{a}`, `{b}`, `{c}` or `{d}`"))
    })
}

/// One of some words, or its number.
fn one_of(line: &mut Cursor<'_>, words: &[&str]) -> Result<u32> {
    let piece = line.word();
    let number = words.iter().position(|word| *word == piece.text);
    let number = number.or_else(|| piece.text.parse().ok().filter(|number| *number < words.len()));
    number.map(|number| number as u32).ok_or_else(|| {
        let message = format!("expected one of {}", words.join(", "));
        Problem::new("latte.asm.property", piece.span(), message)
    })
}

/// Letters of coordinates, a bit each.
fn coordinates(line: &mut Cursor<'_>) -> Result<u32> {
    let piece = line.word();
    piece.text.bytes().try_fold(0, |mask, letter| {
        let place = b"xyzw".iter().position(|lane| lane.eq_ignore_ascii_case(&letter));
        place.map(|place| mask | 1 << place).ok_or_else(|| {
            Problem::new("latte.asm.property", piece.span(), "expected letters of x, y, z and w")
        })
    })
}

/// `(number)` as so many parts of one, of which there are `most` at most.
fn fixed(line: &mut Cursor<'_>, scale: f32, most: f32) -> Result<u32> {
    line.expect("(")?;
    let piece = line.run(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-' | b'+'));
    line.blank();
    line.expect(")")?;
    let text = piece.text.strip_suffix('f').unwrap_or(piece.text);
    let value = text.parse::<f32>().ok().map(|value| value * scale).filter(|value| value.fract() == 0.0);
    let Some(value) = value else {
        let message = format!("`{}` is no number of steps of {}", piece.text, 1.0 / scale);
        return Err(Problem::new("latte.asm.number", piece.span(), message));
    };
    let least = -most - 1.0;
    if !(least..=most).contains(&value) {
        let (least, most) = (least / scale, most / scale);
        let message = format!("`{}` is not between {least} and {most}", piece.text);
        return Err(Problem::new("latte.asm.range", piece.span(), message));
    }
    Ok(value as i32 as u32)
}

/// `(CB0:0-15)`: mode, buffer, first line.
fn lock(line: &mut Cursor<'_>) -> Result<[u32; 3]> {
    line.expect("(")?;
    let start = line.position();
    if !line.tight("CB") {
        return Err(line.unexpected("a buffer: `CB0`"));
    }
    let bank = line.number(15)?;
    line.blank();
    line.expect(":")?;
    let from_loop = line.eat("AL+");
    let first = line.number(0xFFF)?;
    line.blank();
    line.expect("-")?;
    if from_loop {
        line.expect("AL+")?;
    }
    let last = line.number(0xFFF + 31)?;
    let span = line.since(start);
    line.blank();
    line.expect(")")?;
    let mode = match (last.checked_sub(first), from_loop) {
        (Some(15), false) => 1,
        (Some(31), false) => 2,
        (Some(31), true) => 3,
        _ => 0,
    };
    if mode == 0 || first % 16 != 0 {
        let message = "a lock holds one or two lines of 16 vectors: `CB0:0-15`, `CB0:16-47`";
        return Err(Problem::new("latte.asm.lock", span, message));
    }
    Ok([mode, bank, first / 16])
}
