//! Fetches from textures and buffers.

use super::cursor::Cursor;
use super::suffix::suffix;
use crate::fields::{Tex, Vtx};
use crate::inst::Fetch;
use crate::names::SELECTS;
use crate::table::FetchOp;
use crate::table::form::{BUFFER, COORDINATES, DESTINATION, TEXTURE};
use unshade_isa_common::assembly::{Problem, Result};

/// Reads a fetch from its operation on. `fill` is its fourth word where the line does not say it.
pub(super) fn instruction(line: &mut Cursor<'_>, op: FetchOp, fill: u32) -> Result<u128> {
    line.word();
    let form = if op.is_buffer() { &BUFFER } else { &TEXTURE };
    let mut tex = Fetch(form.usual).with_fill(fill).tex().with_inst(op.number());
    let mut selects = [7; 4];
    if line.peek() == Some(b'_') {
        line.run(|byte| byte == b'_');
    } else {
        let (gpr, relative) = if op == FetchOp::VtxSemantic { semantic(line)? } else { register(line)? };
        tex = tex.with_dst_gpr(gpr).with_dst_rel(relative);
        selects = four(line)?;
    }
    line.blank();
    line.expect(",")?;
    let mut bits = DESTINATION.set(tex.0, packed(selects));
    let (gpr, relative) = register(line)?;
    bits = Tex(bits).with_src_gpr(gpr).with_src_rel(relative).0;
    if op.is_buffer() {
        let component = super::operand::component(line)?.unwrap_or(0);
        line.blank();
        let buffer = numbered(line, "b", 255, "a buffer: `b128`")?;
        bits = Vtx(bits).with_src_sel_x(component).with_buffer_id(buffer).0;
    } else {
        bits = COORDINATES.set(bits, packed(four(line)?));
        line.blank();
        let texture = numbered(line, "t", 255, "a texture: `t0`")?;
        let sampler = numbered(line, "s", 31, "a sampler: `s0`")?;
        bits = Tex(bits).with_resource_id(texture).with_sampler_id(sampler).0;
    }
    let what = if op.is_buffer() { "a buffer fetch" } else { "a texture instruction" };
    let mut parts = Vec::new();
    while !line.is_done() {
        if line.peek() == Some(b'@') {
            parts.push(super::part(line, form.parts)?);
        } else {
            bits = suffix(line, form.words(), bits, what)?;
        }
    }
    Ok(parts.iter().fold(bits, |bits, (part, value)| part.set(bits, *value)))
}

/// Four selects behind a full stop; fewer leave the rest as it is: x, y, z, w.
pub(super) fn four(line: &mut Cursor<'_>) -> Result<[u32; 4]> {
    let mut all = [0, 1, 2, 3];
    if !line.tight(".") {
        return Ok(all);
    }
    let piece = line.run(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'?'));
    if piece.is_empty() || piece.text.len() > 4 {
        let message = "expected up to four of x, y, z, w, 0, 1 and _";
        return Err(Problem::new("latte.asm.select", piece.span(), message));
    }
    for (place, letter) in all.iter_mut().zip(piece.text.bytes()) {
        let Some(select) = SELECTS.iter().position(|select| *select == letter.to_ascii_lowercase()) else {
            let message =
                format!("`{}` stands for no component: x, y, z, w, 0, 1 and _ do", char::from(letter));
            return Err(Problem::new("latte.asm.select", piece.span(), message));
        };
        *place = select as u32;
    }
    Ok(all)
}

/// Four selects as bits.
pub(super) fn packed(selects: [u32; 4]) -> u32 {
    selects.iter().rev().fold(0, |bits, select| bits << 3 | select)
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

/// `SEM[5]`: the bits of a register that hold the number.
fn semantic(line: &mut Cursor<'_>) -> Result<(u32, u32)> {
    if !line.tight("SEM[") {
        return Err(line.unexpected("a semantic number: `SEM[0]`"));
    }
    let number = line.number(255)?;
    if !line.tight("]") {
        return Err(line.unexpected("`]`"));
    }
    Ok((number, number >> 7))
}
