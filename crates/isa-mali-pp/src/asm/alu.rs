//! Fields of the arithmetic units: `mul.x2.sat.v0 $0.xyz, $1, $2`.

use super::cursor::Cursor;
use super::operand::{scalar, scalar_dest, vector, vector_dest};
use crate::forms::{FORMS, Form, Names};
use crate::names::SCALES;
use crate::table::{AddOp, Field, Part, Row};
use std::ops::Range;
use unshade_isa_common::assembly::{Problem, Result};

/// A field with the names of its bits.
type Read = (Field, u128, &'static [Part]);

/// Reads the operands of an operation by its whole name. None: there is no such operation.
pub(super) fn field(cursor: &mut Cursor<'_>, name: &str, span: &Range<usize>) -> Result<Option<Read>> {
    let Some((front, unit)) = name.rsplit_once('.') else { return Ok(None) };
    let mut suffixes = front.split('.');
    let base = suffixes.next().unwrap_or_default();
    let (mut scale, mut outmod) = (0, 0);
    for suffix in suffixes {
        let known = SCALES.iter().position(|known| known.strip_prefix('.') == Some(suffix));
        match (known, suffix) {
            (Some(number), _) if base == "mul" && unit != "v2" => scale = number as u32,
            (None, "sat") => outmod = 1,
            (None, "pos") => outmod = 2,
            (None, "int") => outmod = 3,
            _ => return Ok(None),
        }
    }
    if outmod != 0 && unit == "v2" {
        let message = "a result of this form cannot be changed with `.sat`, `.pos` or `.int`";
        return Err(Problem::new("mali-pp.asm.operation", span.clone(), message));
    }
    let of_unit = || FORMS.iter().filter(|form| form.unit == unit);
    let one = of_unit().find(|form| matches!(form.names, Names::One(name, _) if name == base));
    let Some(form) = one.or_else(|| of_unit().find(|form| matches!(form.names, Names::Table(_)))) else {
        return Ok(None);
    };
    let op = match form.names {
        Names::One(..) => 0,
        Names::Table(_) => match number(base, form.rows) {
            Some(op) if form.op.is_some_and(|run| op <= run.limit()) => op | scale,
            _ => return Ok(None),
        },
    };
    let row = form.rows.iter().find(|row| row.name == base);
    if row.is_some_and(|row| form.sources[usize::from(row.first) % 32] == 0) {
        let message = format!("`{base}` is an operation of the vector unit only");
        return Err(Problem::new("mali-pp.asm.operation", span.clone(), message));
    }
    Ok(Some((form.field, arithmetic(cursor, form, op, outmod)?.into(), form.parts)))
}

/// The destination and operands of a form.
fn arithmetic(cursor: &mut Cursor<'_>, form: &Form, op: u32, outmod: u32) -> Result<u64> {
    let mut bits = u128::from(form.fixed);
    let mut set = |run: Option<Part>, value: u32| bits |= run.map_or(0, |run| run.put(value));
    set(form.op, op);
    set(form.outmod, outmod);
    let dest = match form.mask {
        Some(_) => vector_dest(cursor)?,
        None => scalar_dest(cursor)?.map(|dest| (dest, 1)),
    };
    if dest.is_none() && form.written.is_none() {
        let at = cursor.position();
        return Err(Problem::new("mali-pp.asm.register", at..at, "this unit always writes a register"));
    }
    let (dest, written) = dest.unwrap_or_default();
    set(Some(form.dest), dest);
    set(form.mask.or(form.written), written);
    cursor.expect(",")?;
    let [first, second] = &form.operands;
    let selects = first.link.is_some() && AddOp::of(op) == Some(AddOp::Sel);
    if selects {
        cursor.expect("^s0")?;
        cursor.expect("?")?;
    }
    let rest = (form.source_count(op) > 1).then_some(second);
    for (n, operand) in [first].into_iter().chain(rest).enumerate() {
        if n > 0 {
            cursor.expect(if selects { ":" } else { "," })?;
        }
        let start = *cursor;
        let read = match operand.swizzle {
            Some(_) => vector(cursor, operand.link.is_some())?,
            None => scalar(cursor, operand.link.is_some())?,
        };
        if operand.negate.is_none() && read.absolute | read.negate != 0 {
            return Err(start.unexpected("a register without sign"));
        }
        set(Some(operand.register), read.register);
        set(operand.swizzle, read.swizzle);
        set(operand.absolute, read.absolute);
        set(operand.negate, read.negate);
        set(operand.link, read.mul_in.into());
    }
    Ok(bits as u64)
}

/// An operation by its name, or by its number as `op18`.
fn number(name: &str, rows: &[Row]) -> Option<u32> {
    if let Some(row) = rows.iter().find(|row| row.name == name) {
        return Some(row.first.into());
    }
    name.strip_prefix("op")?.parse().ok().filter(|number| *number < 32)
}
