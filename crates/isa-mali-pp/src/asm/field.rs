//! One field, or what concerns the whole instruction.

use super::alu;
use super::cursor::Cursor;
use super::operand::{
    alignment, offset, place, plain_scalar, plain_vector, skip_tight, varying_dest, vector,
};
use super::{CONTROL, Draft, Place, Target, part};
use crate::half;
use crate::print::{BRANCHES, DIVISIONS, SPECIAL};
use crate::symbols::{INPUTS, Kind, Symbols, identifier_length};
use crate::table::{
    Branch, CUBE, Constant, DISCARD, FRAMEBUFFER_CONSTANT, FRAMEBUFFER_READ, Field, FramebufferRead,
    NO_OFFSET, Part, SAMPLER_CONSTANT, Sampler, Store, TEMPORARY, Uniform, Varying, VaryingRegister,
};
use unshade_isa_common::assembly::{Problem, Result};

/// Reads a field into an instruction.
pub(super) fn item(cursor: &mut Cursor<'_>, draft: &mut Draft, symbols: &Symbols<'_>) -> Result<()> {
    let (name, span) = cursor.word();
    if name.is_empty() {
        return Err(cursor.unexpected("an operation"));
    }
    let unknown = || {
        Problem::new(
            "mali-pp.asm.operation",
            span.clone(),
            format!("`{name}` is no operation of this machine"),
        )
    };
    let (head, tail) = name.split_once('.').unwrap_or((name, ""));
    let (field, bits, parts) = match (head, tail) {
        ("nop", "") => return Ok(()),
        ("sync" | "nosync" | "stop" | "control", "") => return whole(name, cursor, draft),
        ("discard", "") => (Field::Branch, DISCARD, &[][..]),
        ("br", _) => {
            let condition = BRANCHES.iter().position(|known| *known == name).ok_or_else(unknown)?;
            let bits = branch(cursor, condition as u32, &mut draft.target)?;
            draft.set(Field::Branch, bits, span)?;
            while let Some(change) = change(cursor, Branch::PARTS)? {
                draft.branch.push(change);
            }
            return Ok(());
        }
        ("const0" | "const1", "") => {
            let field = if head == "const0" { Field::Const0 } else { Field::Const1 };
            (field, constant(cursor)?.into(), Constant::PARTS)
        }
        ("load", "u" | "t") => {
            (Field::Uniform, uniform(cursor, tail == "t", symbols)?.into(), Uniform::PARTS)
        }
        ("load", _) if tail == "v" || tail.starts_with("v.") => {
            let (bits, parts) =
                varying(cursor, tail.get(1..).unwrap_or_default(), symbols)?.ok_or_else(unknown)?;
            (Field::Varying, bits.into(), parts)
        }
        ("store", "t") => (Field::Store, store(cursor)?.into(), Store::PARTS),
        ("fb", "color" | "depth") => {
            let read = FramebufferRead(0)
                .with_color(u32::from(tail == "color"))
                .with_kind(FRAMEBUFFER_READ)
                .with_dest(plain_vector(cursor)?)
                .with_unknown_10(FRAMEBUFFER_CONSTANT);
            (Field::Store, read.0.into(), FramebufferRead::PARTS)
        }
        ("texld", _) => {
            let base = sampler_head(tail).ok_or_else(unknown)?;
            (Field::Sampler, sampler(cursor, base, symbols)?.into(), Sampler::PARTS)
        }
        _ => alu::field(cursor, name, &span)?.ok_or_else(unknown)?,
    };
    let mut bits = bits;
    while let Some((part, value)) = change(cursor, parts)? {
        bits = part.set(bits, value);
    }
    draft.set(field, bits, span)
}

/// `@name=value`.
fn change(cursor: &mut Cursor<'_>, parts: &[Part]) -> Result<Option<(Part, u32)>> {
    if !cursor.eat("@") {
        return Ok(None);
    }
    let (name, span) = cursor.run(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    let Some(part) = part(name, parts) else {
        return Err(Problem::new("mali-pp.asm.bits", span, format!("`{name}` names no bits here")));
    };
    cursor.expect("=")?;
    let value = cursor.number(part.limit().into())? as u32;
    Ok(Some((part, value)))
}

/// `sync, stop, control @count=5`.
fn whole(first: &str, cursor: &mut Cursor<'_>, draft: &mut Draft) -> Result<()> {
    let mut name = first;
    loop {
        match name {
            "sync" => draft.sync = Some(true),
            "nosync" => draft.sync = Some(false),
            "stop" => draft.inst.control = draft.inst.control.with_stop(1),
            "control" => return control(cursor, draft),
            _ => return Err(cursor.unexpected("`sync`, `nosync`, `stop` or `control`")),
        }
        if !cursor.eat(",") {
            return Ok(());
        }
        let ahead = *cursor;
        name = cursor.word().0;
        if !matches!(name, "sync" | "nosync" | "stop" | "control") {
            return Err(ahead.unexpected("`sync`, `nosync`, `stop` or `control`"));
        }
    }
}

fn control(cursor: &mut Cursor<'_>, draft: &mut Draft) -> Result<()> {
    while cursor.sees("@") {
        if cursor.eat("@tail=") {
            draft.inst.tail.clear();
            loop {
                let at = cursor.position();
                draft.inst.tail.push(cursor.number(u32::MAX.into())? as u32);
                if draft.inst.tail.len() > 30 {
                    let message = "an instruction has no more than 31 words";
                    return Err(Problem::new("mali-pp.asm.range", at..cursor.position(), message));
                }
                if !cursor.eat(":") {
                    break;
                }
            }
        } else if let Some((part, value)) = change(cursor, CONTROL)? {
            draft.control.push((part, value));
        }
    }
    Ok(())
}

fn branch(cursor: &mut Cursor<'_>, condition: u32, target: &mut Option<Target>) -> Result<u128> {
    let mut bits = Branch(0).with_condition(condition);
    if condition != 7 {
        bits = bits.with_arg0(plain_scalar(cursor)?);
        cursor.expect(",")?;
        bits = bits.with_arg1(plain_scalar(cursor)?);
        cursor.expect(",")?;
    }
    let start = cursor.position();
    let wrong = cursor.unexpected("a label or the number of a word");
    let name = identifier_length(cursor.rest());
    let place = if name > 0 {
        let text = cursor.rest().get(..name).unwrap_or_default().to_owned();
        skip_tight(cursor, name);
        Place::Label(text)
    } else {
        let negative = cursor.eat("-");
        if !cursor.rest().bytes().next().is_some_and(|byte| byte.is_ascii_digit()) {
            return Err(wrong);
        }
        let number = cursor.number(u64::from(u32::MAX))? as i64;
        Place::Word(if negative { -number } else { number })
    };
    *target = Some(Target { place, span: start..cursor.position() });
    cursor.pass(0);
    Ok(bits.0)
}

fn constant(cursor: &mut Cursor<'_>) -> Result<u64> {
    let mut halves = [0; 4];
    for (n, half) in halves.iter_mut().enumerate() {
        if n > 0 && !cursor.eat(",") {
            // What is not said is zero.
            break;
        }
        let (text, span) =
            cursor.run(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-' | b'+'));
        let Some(value) = half::parse(text) else {
            if text.is_empty() {
                return Err(cursor.unexpected("a number"));
            }
            return Err(Problem::new("mali-pp.asm.number", span, format!("`{text}` is no number")));
        };
        if value & 0x7FFF == 0x7C00 && !text.contains("inf") && !text.contains("0x") && !text.contains("0X") {
            let message = format!("`{text}` is too large for a half float: the most is 65504");
            return Err(Problem::new("mali-pp.asm.range", span, message));
        }
        *half = value;
    }
    Ok(Constant::new(halves).0)
}

fn uniform(cursor: &mut Cursor<'_>, temporary: bool, symbols: &Symbols<'_>) -> Result<u64> {
    let names = (!temporary).then_some((symbols, Kind::Uniform));
    let place = place(cursor, names, i16::MIN.into(), i16::MAX.into())?;
    let mut bits = Uniform(0)
        .with_source(if temporary { TEMPORARY } else { 0 })
        .with_alignment(alignment(place.width, 2))
        .with_index(place.index as u32);
    if let Some(component) = offset(cursor)? {
        bits = bits.with_offset_register(component).with_offset_enable(1);
    }
    Ok(bits.0)
}

fn store(cursor: &mut Cursor<'_>) -> Result<u64> {
    let place = place(cursor, None, i16::MIN.into(), i16::MAX.into())?;
    let mut bits =
        Store(0).with_target(3).with_alignment(alignment(place.width, 2)).with_index(place.index as u32);
    if let Some(component) = offset(cursor)? {
        bits = bits.with_offset_register(component).with_offset_enable(1);
    }
    cursor.expect(",")?;
    let source = if place.width == 1 { plain_scalar(cursor)? } else { plain_vector(cursor)? << 2 };
    Ok(bits.with_source(source).0)
}

/// What the mnemonic behind `texld` says.
fn sampler_head(suffixes: &str) -> Option<Sampler> {
    let mut bits = Sampler(0).with_constant(SAMPLER_CONSTANT);
    for suffix in suffixes.split('.').filter(|suffix| !suffix.is_empty()) {
        bits = match suffix {
            "cube" => bits.with_kind(CUBE),
            "bias" => bits.with_lod_enable(1),
            "lod" => bits.with_lod_enable(1).with_explicit_lod(1),
            _ => bits.with_kind(suffix.strip_prefix('t')?.parse().ok().filter(|kind| *kind < 32)?),
        };
    }
    Some(bits)
}

fn sampler(cursor: &mut Cursor<'_>, mut bits: Sampler, symbols: &Symbols<'_>) -> Result<u64> {
    let start = cursor.position();
    if cursor.rest().bytes().next().is_some_and(|byte| byte.is_ascii_digit()) {
        bits = bits.with_index(cursor.number(0xFFF)? as u32);
    } else {
        match symbols.read(Kind::Sampler, cursor.rest()) {
            Ok((index, length)) if index < 0x1000 => {
                cursor.pass(length);
                bits = bits.with_index(index);
            }
            Ok((index, length)) => {
                let message = format!("sampler {index} does not fit: the most is 4095");
                return Err(Problem::new("mali-pp.asm.range", start..start + length, message));
            }
            Err((0, _)) if identifier_length(cursor.rest()) == 0 => {
                return Err(cursor.unexpected("the name or number of a sampler"));
            }
            Err((length, message)) => {
                let at = start + length;
                let name = identifier_length(cursor.rest().get(length..).unwrap_or_default());
                return Err(Problem::new(
                    "mali-pp.asm.name",
                    at..(at + name.max(1)).min(cursor.end()),
                    message,
                ));
            }
        }
    }
    if let Some(component) = offset(cursor)? {
        bits = bits.with_offset_register(component).with_offset_enable(1);
    }
    if bits.lod_enable() != 0 {
        cursor.expect(",")?;
        bits = bits.with_lod_register(plain_scalar(cursor)?);
    }
    Ok(bits.0)
}

/// A load of varyings; `suffix` is what follows `load.v`. None: there is no such operation.
fn varying(
    cursor: &mut Cursor<'_>,
    suffix: &str,
    symbols: &Symbols<'_>,
) -> Result<Option<(u64, &'static [Part])>> {
    let division = DIVISIONS.iter().position(|known| *known == suffix);
    if division.is_none() && suffix != ".cube" && suffix != ".normalize" {
        return Ok(None);
    }
    let (dest, mask) = varying_dest(cursor)?;
    cursor.expect(",")?;
    let base = Varying(0).with_dest(dest).with_mask(mask);
    let from_register = cursor.rest().bytes().next().is_some_and(|byte| matches!(byte, b'$' | b'^'))
        || cursor.sees("abs(")
        || cursor.rest().strip_prefix('-').is_some_and(|rest| {
            rest.trim_start().starts_with(['$', '^']) || rest.trim_start().starts_with("abs(")
        });
    if from_register || suffix == ".normalize" {
        let (source_type, sub) = match suffix {
            ".cube" => (2, 1),
            ".normalize" => (2, 2),
            _ => (1, division.unwrap_or_default() as u32),
        };
        let source = vector(cursor, false)?;
        let bits = VaryingRegister(base.0)
            .with_source_type(source_type)
            .with_sub(sub)
            .with_source(source.register)
            .with_swizzle(source.swizzle)
            .with_absolute(source.absolute)
            .with_negate(source.negate);
        return Ok(Some((bits.0, VaryingRegister::PARTS)));
    }
    let length = identifier_length(cursor.rest());
    if suffix.is_empty()
        && let Some(special) = INPUTS.iter().position(|name| cursor.rest().get(..length) == Some(*name))
    {
        cursor.pass(length);
        let (source_type, sub) = [(2, 3), (3, 0), (3, 1)][special];
        let bits = Varying(base.0 | SPECIAL.0).with_source_type(source_type).with_sub(sub);
        return Ok(Some((bits.0, Varying::PARTS)));
    }
    let place = place(cursor, Some((symbols, Kind::Varying)), 0, 63)?;
    let mut bits = base
        .with_source_type(if suffix == ".cube" { 2 } else { 0 })
        .with_sub(division.unwrap_or_default() as u32)
        .with_alignment(alignment(place.width, 3))
        .with_index(place.index as u32)
        .with_offset_register(NO_OFFSET);
    let at = cursor.position();
    if let Some(component) = offset(cursor)? {
        if component >> 2 == NO_OFFSET {
            let message = "`^uniform` cannot be added here: its number stands for no register";
            return Err(Problem::new("mali-pp.asm.register", at..cursor.position(), message));
        }
        bits = bits.with_offset_register(component >> 2).with_offset_component(component & 3);
    }
    Ok(Some((bits.0, Varying::PARTS)))
}
