//! Fetches from textures and buffers.

use super::cursor::Cursor;
use crate::fields::{Tex, Vtx};
use crate::names::{ENDIANS, FETCH_TYPES, NUMBER_FORMATS};
use crate::table::FetchOp;
use unshade_isa_common::assembly::{Problem, Result};

/// The operation of that name. Buffer fetches have two names each.
pub(super) fn operation(name: &str) -> Option<FetchOp> {
    match name {
        "FETCH" => Some(FetchOp::VtxFetch),
        "SEMANTIC" => Some(FetchOp::VtxSemantic),
        _ => FetchOp::named(name),
    }
}

/// Reads a fetch from its operation on. `fill` is its fourth word where the line does not say it.
pub(super) fn instruction(line: &mut Cursor<'_>, op: FetchOp, fill: u32) -> Result<u128> {
    line.word();
    if op.is_buffer() { buffer(line, op, fill) } else { texture(line, op, fill) }
}

/// Four selects behind a full stop; fewer leave the rest as it is.
pub(super) fn selects(line: &mut Cursor<'_>, usual: [u32; 4]) -> Result<[u32; 4]> {
    if !line.tight(".") {
        return Ok(usual);
    }
    let piece = line.run(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'?'));
    let mut all = usual;
    if piece.is_empty() || piece.text.len() > 4 {
        let message = "expected up to four of x, y, z, w, 0, 1 and _";
        return Err(Problem::new("latte.asm.select", piece.span(), message));
    }
    for (place, letter) in all.iter_mut().zip(piece.text.bytes()) {
        *place = match letter {
            b'x' | b'X' => 0,
            b'y' | b'Y' => 1,
            b'z' | b'Z' => 2,
            b'w' | b'W' => 3,
            b'0' => 4,
            b'1' => 5,
            b'?' => 6,
            b'_' => 7,
            _ => {
                let message =
                    format!("`{}` stands for no component: x, y, z, w, 0, 1 and _ do", char::from(letter));
                return Err(Problem::new("latte.asm.select", piece.span(), message));
            }
        };
    }
    Ok(all)
}

/// A register with an index or without.
fn register(line: &mut Cursor<'_>) -> Result<(u32, u32)> {
    if !line.tight("R") {
        return Err(line.unexpected("a register"));
    }
    let number = line.number(127)?;
    let relative = line.tight("[AL]");
    Ok((number, relative.into()))
}

fn numbered(line: &mut Cursor<'_>, letter: &str, most: u32, what: &str) -> Result<u32> {
    line.expect(",")?;
    if !line.tight(letter) {
        return Err(line.unexpected(what));
    }
    let number = line.number(most)?;
    line.blank();
    Ok(number)
}

const XYZW: [u32; 4] = [0, 1, 2, 3];

fn texture(line: &mut Cursor<'_>, op: FetchOp, fill: u32) -> Result<u128> {
    let mut tex = Tex(0).with_inst(op.number()).with_reserved_96(fill);
    let mut dst = [7; 4];
    if line.peek() == Some(b'_') {
        line.run(|byte| byte == b'_');
    } else {
        let (gpr, relative) = register(line)?;
        tex = tex.with_dst_gpr(gpr).with_dst_rel(relative);
        dst = selects(line, XYZW)?;
    }
    line.blank();
    tex = tex.with_dst_sel_x(dst[0]).with_dst_sel_y(dst[1]).with_dst_sel_z(dst[2]).with_dst_sel_w(dst[3]);
    line.expect(",")?;
    let (gpr, relative) = register(line)?;
    let src = selects(line, XYZW)?;
    line.blank();
    tex = tex.with_src_gpr(gpr).with_src_rel(relative);
    tex = tex.with_src_sel_x(src[0]).with_src_sel_y(src[1]).with_src_sel_z(src[2]).with_src_sel_w(src[3]);
    tex = tex.with_resource_id(numbered(line, "t", 255, "a texture: `t0`")?);
    tex = tex.with_sampler_id(numbered(line, "s", 31, "a sampler: `s0`")?);
    tex = coordinates(tex, 15, true);
    let mut parts = Vec::new();
    while !line.is_done() {
        if line.peek() == Some(b'@') {
            parts.push(super::part(line, Tex::PARTS)?);
            continue;
        }
        let name = line.word();
        tex = match name.text {
            "LOD" => tex.with_lod_bias(fixed(line, 8.0, -64, 63)?),
            "LOD_BIAS" => tex.with_lod_bias(fixed(line, 1.0, -64, 63)?),
            "XOFFSET" => tex.with_offset_x(fixed(line, 2.0, -16, 15)?),
            "YOFFSET" => tex.with_offset_y(fixed(line, 2.0, -16, 15)?),
            "ZOFFSET" => tex.with_offset_z(fixed(line, 2.0, -16, 15)?),
            "WHOLE_QUAD" | "WHOLE_QUAD_MODE" => tex.with_fetch_whole_quad(1),
            "BC_FRAC_MODE" => tex.with_bc_frac_mode(1),
            "ALT_CONST" => tex.with_alt_const(1),
            "DENORM" => coordinates(tex, letters(line)?, false),
            "NORM" => coordinates(tex, letters(line)?, true),
            _ => return Err(not_here(line, name.text, name.span(), "texture instruction")),
        };
    }
    Ok(parts.iter().fold(tex.0, |bits, (part, value)| part.set(bits, *value)))
}

fn not_here(line: &Cursor<'_>, name: &str, span: std::ops::Range<usize>, what: &str) -> Box<Problem> {
    if name.is_empty() {
        return line.unexpected("the end of the line");
    }
    Problem::new("latte.asm.property", span, format!("a {what} has no `{name}`"))
}

/// Marks coordinates as normalised or not.
fn coordinates(tex: Tex, mask: u32, normalized: bool) -> Tex {
    let bit = |lane: u32, old: u32| if mask >> lane & 1 != 0 { normalized.into() } else { old };
    tex.with_coord_type_x(bit(0, tex.coord_type_x()))
        .with_coord_type_y(bit(1, tex.coord_type_y()))
        .with_coord_type_z(bit(2, tex.coord_type_z()))
        .with_coord_type_w(bit(3, tex.coord_type_w()))
}

/// `(XYZ)`.
fn letters(line: &mut Cursor<'_>) -> Result<u32> {
    line.expect("(")?;
    let piece = line.word();
    let mut mask = 0;
    for letter in piece.text.bytes() {
        mask |= match letter.to_ascii_lowercase() {
            b'x' => 1,
            b'y' => 2,
            b'z' => 4,
            b'w' => 8,
            _ => {
                let message = "expected letters of x, y, z and w";
                return Err(Problem::new("latte.asm.property", piece.span(), message));
            }
        };
    }
    line.expect(")")?;
    Ok(mask)
}

/// `(number)` that counts parts of one.
fn fixed(line: &mut Cursor<'_>, scale: f32, least: i32, most: i32) -> Result<u32> {
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
    if !(least as f32..=most as f32).contains(&value) {
        let (least, most) = (least as f32 / scale, most as f32 / scale);
        let message = format!("`{}` is not between {least} and {most}", piece.text);
        return Err(Problem::new("latte.asm.range", piece.span(), message));
    }
    Ok(value as i32 as u32)
}

fn buffer(line: &mut Cursor<'_>, op: FetchOp, fill: u32) -> Result<u128> {
    let mut vtx = Vtx(0).with_inst(op.number()).with_reserved_96(fill);
    let mut dst = [7; 4];
    if line.peek() == Some(b'_') {
        line.run(|byte| byte == b'_');
    } else if op == FetchOp::VtxSemantic {
        if !line.tight("SEM[") {
            return Err(line.unexpected("a semantic number: `SEM[0]`"));
        }
        let number = line.number(255)?;
        if !line.tight("]") {
            return Err(line.unexpected("`]`"));
        }
        vtx = vtx.with_dst_gpr(number).with_dst_rel(number >> 7);
        dst = selects(line, XYZW)?;
    } else {
        let (gpr, relative) = register(line)?;
        vtx = vtx.with_dst_gpr(gpr).with_dst_rel(relative);
        dst = selects(line, XYZW)?;
    }
    line.blank();
    vtx = vtx.with_dst_sel_x(dst[0]).with_dst_sel_y(dst[1]).with_dst_sel_z(dst[2]).with_dst_sel_w(dst[3]);
    line.expect(",")?;
    let (gpr, relative) = register(line)?;
    let component = super::operand::component(line)?.unwrap_or(0);
    line.blank();
    vtx = vtx.with_src_gpr(gpr).with_src_rel(relative).with_src_sel_x(component);
    vtx = vtx.with_buffer_id(numbered(line, "b", 255, "a buffer: `b128`")?).with_use_const_fields(1);
    let mut parts = Vec::new();
    while !line.is_done() {
        if line.peek() == Some(b'@') {
            parts.push(super::part(line, Vtx::PARTS)?);
            continue;
        }
        let name = line.word();
        vtx = match name.text {
            "FETCH_TYPE" => vtx.with_fetch_type(one_of(line, &FETCH_TYPES)?),
            "FORMAT" => format(line, vtx)?,
            "MEGA" => vtx.with_mega_fetch(1).with_mega_fetch_count(count(line)?),
            "MINI" => vtx.with_mega_fetch(0).with_mega_fetch_count(count(line)?),
            "OFFSET" => vtx.with_offset(line.parenthesised(0xFFFF)?),
            "WHOLE_QUAD" | "WHOLE_QUAD_MODE" => vtx.with_fetch_whole_quad(1),
            "ENDIAN_SWAP" => vtx.with_endian_swap(one_of(line, &ENDIANS)?),
            "CONST_BUF_NO_STRIDE" => vtx.with_const_buf_no_stride(1),
            "ALT_CONST" => vtx.with_alt_const(1),
            _ => return Err(not_here(line, name.text, name.span(), "buffer fetch")),
        };
    }
    Ok(parts.iter().fold(vtx.0, |bits, (part, value)| part.set(bits, *value)))
}

/// `(bytes)`, kept minus 1.
fn count(line: &mut Cursor<'_>) -> Result<u32> {
    let start = line.position();
    let bytes = line.parenthesised(64)?;
    bytes
        .checked_sub(1)
        .ok_or_else(|| Problem::new("latte.asm.range", line.since(start), "a fetch has at least one byte"))
}

/// `(WORD)`.
fn one_of(line: &mut Cursor<'_>, words: &[&str]) -> Result<u32> {
    line.expect("(")?;
    let number = word_of(line, words)?;
    line.expect(")")?;
    Ok(number)
}

/// One of some words, or its number.
fn word_of(line: &mut Cursor<'_>, words: &[&str]) -> Result<u32> {
    let piece = line.word();
    let number = words.iter().position(|word| *word == piece.text);
    let number = number.or_else(|| piece.text.parse().ok().filter(|number| *number < words.len()));
    number.map(|number| number as u32).ok_or_else(|| {
        let message = format!("expected one of {}", words.join(", "));
        Problem::new("latte.asm.property", piece.span(), message)
    })
}

/// `( 35 SCALED SIGNED 0)`.
fn format(line: &mut Cursor<'_>, vtx: Vtx) -> Result<Vtx> {
    line.expect("(")?;
    let format = line.number(63)?;
    line.blank();
    let numbers = word_of(line, &NUMBER_FORMATS)?;
    let signed = word_of(line, &["UNSIGNED", "SIGNED"])?;
    let mode = line.number(1)?;
    line.blank();
    line.expect(")")?;
    Ok(vtx
        .with_use_const_fields(0)
        .with_data_format(format)
        .with_num_format_all(numbers)
        .with_format_comp_all(signed)
        .with_srf_mode_all(mode))
}
