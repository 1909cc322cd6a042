//! Fields of the arithmetic units: `mul.x2.sat.v0 $0.xyz, $1, $2`.

use super::cursor::Cursor;
use super::operand::{Source, scalar, scalar_dest, vector, vector_dest};
use crate::names::SCALES;
use crate::table::{
    ADD_OPS, AddOp, COMBINE_OPS, CombineAtan, CombineAtanSecond, CombineMul, CombineScalar, Field, FloatAdd,
    FloatMul, MUL_OPS, Part, Row, VectorAdd, VectorMul,
};
use std::ops::Range;
use unshade_isa_common::assembly::{Problem, Result};

/// A field with the names of its bits.
type Read = (Field, u128, &'static [Part]);

/// The number of an operation, and how many sources it reads.
struct Op {
    number: u32,
    sources: u8,
}

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
    let known = |rows| number(base, rows);
    Ok(Some(match unit {
        "v0" => {
            let Some(op) = known(MUL_OPS) else { return Ok(None) };
            vector_mul(cursor, op.number | scale, op.sources, outmod)?
        }
        "s0" => {
            let Some(op) = known(MUL_OPS) else { return Ok(None) };
            float_mul(cursor, op.number | scale, op.sources, outmod)?
        }
        "v1" => {
            let Some(op) = known(ADD_OPS) else { return Ok(None) };
            vector_add(cursor, op, outmod)?
        }
        "s1" => {
            let Some(op) = known(ADD_OPS) else { return Ok(None) };
            let named = AddOp::of(op.number).is_some_and(|known| known.row().name == base);
            if named && AddOp::of_scalar(op.number).is_none() {
                let message = format!("`{base}` is an operation of the vector unit only");
                return Err(Problem::new("mali-pp.asm.operation", span.clone(), message));
            }
            float_add(cursor, op, outmod)?
        }
        "s2" if base == "atan_pt2" => {
            let Some(dest) = scalar_dest(cursor)? else { return Err(no_dest(cursor)) };
            cursor.expect(",")?;
            let source = unsigned_vector(cursor)?;
            let bits = CombineAtanSecond(0)
                .with_vector_source(1)
                .with_arg1(source.register)
                .with_arg1_swizzle(source.swizzle)
                .with_outmod(outmod)
                .with_dest(dest);
            (Field::Combine, bits.0.into(), CombineAtanSecond::PARTS)
        }
        "s2" => {
            let Some(op) = known(COMBINE_OPS).filter(|op| op.number < 16) else { return Ok(None) };
            let Some(dest) = scalar_dest(cursor)? else { return Err(no_dest(cursor)) };
            cursor.expect(",")?;
            let source = scalar(cursor, false)?;
            let bits = CombineScalar(0)
                .with_op(op.number)
                .with_arg0(source.register)
                .with_arg0_absolute(source.absolute)
                .with_arg0_negate(source.negate)
                .with_outmod(outmod)
                .with_dest(dest);
            (Field::Combine, bits.0.into(), CombineScalar::PARTS)
        }
        "v2" if base == "mul" => {
            let Some((dest, mask)) = vector_dest(cursor)? else { return Err(no_dest(cursor)) };
            cursor.expect(",")?;
            let first = scalar(cursor, false)?;
            cursor.expect(",")?;
            let second = unsigned_vector(cursor)?;
            let bits = CombineMul(0)
                .with_dest_vector(1)
                .with_vector_source(1)
                .with_arg0(first.register)
                .with_arg0_absolute(first.absolute)
                .with_arg0_negate(first.negate)
                .with_arg1(second.register)
                .with_arg1_swizzle(second.swizzle)
                .with_mask(mask)
                .with_dest(dest);
            (Field::Combine, bits.0.into(), CombineMul::PARTS)
        }
        "v2" => {
            let Some(op) = known(COMBINE_OPS).filter(|op| op.number < 16) else { return Ok(None) };
            let Some((dest, mask)) = vector_dest(cursor)? else { return Err(no_dest(cursor)) };
            cursor.expect(",")?;
            let first = scalar(cursor, false)?;
            let mut bits = CombineAtan(0)
                .with_dest_vector(1)
                .with_op(op.number)
                .with_arg0(first.register)
                .with_arg0_absolute(first.absolute)
                .with_arg0_negate(first.negate)
                .with_mask(mask)
                .with_dest(dest);
            if op.sources > 1 {
                cursor.expect(",")?;
                let second = scalar(cursor, false)?;
                bits = bits
                    .with_arg1(second.register)
                    .with_arg1_absolute(second.absolute)
                    .with_arg1_negate(second.negate);
            }
            (Field::Combine, bits.0.into(), CombineAtan::PARTS)
        }
        _ => return Ok(None),
    }))
}

fn no_dest(cursor: &Cursor<'_>) -> Box<Problem> {
    let at = cursor.position();
    Problem::new("mali-pp.asm.register", at..at, "this unit always writes a register")
}

/// A vector source of the combine unit.
fn unsigned_vector(cursor: &mut Cursor<'_>) -> Result<Source> {
    let start = *cursor;
    let source = vector(cursor, false)?;
    if source.absolute | source.negate != 0 {
        return Err(start.unexpected("a register without sign"));
    }
    Ok(source)
}

/// An operation by its name, or by its number as `op18`, which reads as many sources as it is known to, else
/// two.
fn number(name: &str, rows: &[Row]) -> Option<Op> {
    if let Some(row) = rows.iter().find(|row| row.name == name) {
        return Some(Op { number: row.first.into(), sources: row.sources });
    }
    let digits = name.strip_prefix("op")?;
    let number: u8 = digits.parse().ok().filter(|number| *number < 32)?;
    let sources =
        rows.iter().find(|row| (row.first..=row.last).contains(&number)).map_or(2, |row| row.sources);
    Some(Op { number: number.into(), sources })
}

fn vector_mul(cursor: &mut Cursor<'_>, op: u32, sources: u8, outmod: u32) -> Result<Read> {
    let (dest, mask) = vector_dest(cursor)?.unwrap_or_default();
    cursor.expect(",")?;
    let first = vector(cursor, false)?;
    let mut bits = VectorMul(0)
        .with_op(op)
        .with_outmod(outmod)
        .with_dest(dest)
        .with_mask(mask)
        .with_arg0(first.register)
        .with_arg0_swizzle(first.swizzle)
        .with_arg0_absolute(first.absolute)
        .with_arg0_negate(first.negate);
    if sources > 1 {
        cursor.expect(",")?;
        let second = vector(cursor, false)?;
        bits = bits
            .with_arg1(second.register)
            .with_arg1_swizzle(second.swizzle)
            .with_arg1_absolute(second.absolute)
            .with_arg1_negate(second.negate);
    }
    Ok((Field::VectorMul, bits.0.into(), VectorMul::PARTS))
}

fn float_mul(cursor: &mut Cursor<'_>, op: u32, sources: u8, outmod: u32) -> Result<Read> {
    let dest = scalar_dest(cursor)?;
    cursor.expect(",")?;
    let first = scalar(cursor, false)?;
    let mut bits = FloatMul(0)
        .with_op(op)
        .with_outmod(outmod)
        .with_dest(dest.unwrap_or_default())
        .with_output_enable(dest.is_some().into())
        .with_arg0(first.register)
        .with_arg0_absolute(first.absolute)
        .with_arg0_negate(first.negate);
    if sources > 1 {
        cursor.expect(",")?;
        let second = scalar(cursor, false)?;
        bits = bits
            .with_arg1(second.register)
            .with_arg1_absolute(second.absolute)
            .with_arg1_negate(second.negate);
    }
    Ok((Field::FloatMul, bits.0.into(), FloatMul::PARTS))
}

/// `^s0 ?` in front of what a select chooses from.
fn condition(cursor: &mut Cursor<'_>, op: &Op) -> Result<&'static str> {
    if AddOp::of(op.number) != Some(AddOp::Sel) {
        return Ok(",");
    }
    cursor.expect("^s0")?;
    cursor.expect("?")?;
    Ok(":")
}

fn vector_add(cursor: &mut Cursor<'_>, op: Op, outmod: u32) -> Result<Read> {
    let (dest, mask) = vector_dest(cursor)?.unwrap_or_default();
    cursor.expect(",")?;
    let between = condition(cursor, &op)?;
    let first = vector(cursor, true)?;
    let mut bits = VectorAdd(0)
        .with_op(op.number)
        .with_outmod(outmod)
        .with_dest(dest)
        .with_mask(mask)
        .with_arg0(first.register)
        .with_arg0_swizzle(first.swizzle)
        .with_arg0_absolute(first.absolute)
        .with_arg0_negate(first.negate)
        .with_mul_in(first.mul_in.into());
    if op.sources > 1 {
        cursor.expect(between)?;
        let second = vector(cursor, false)?;
        bits = bits
            .with_arg1(second.register)
            .with_arg1_swizzle(second.swizzle)
            .with_arg1_absolute(second.absolute)
            .with_arg1_negate(second.negate);
    }
    Ok((Field::VectorAdd, bits.0.into(), VectorAdd::PARTS))
}

fn float_add(cursor: &mut Cursor<'_>, op: Op, outmod: u32) -> Result<Read> {
    // The sums are unknown operations here, and those have two sources.
    let sources = if AddOp::of_scalar(op.number).is_none() { 2 } else { op.sources };
    let dest = scalar_dest(cursor)?;
    cursor.expect(",")?;
    let between = condition(cursor, &op)?;
    let first = scalar(cursor, true)?;
    let mut bits = FloatAdd(0)
        .with_op(op.number)
        .with_outmod(outmod)
        .with_dest(dest.unwrap_or_default())
        .with_output_enable(dest.is_some().into())
        .with_arg0(first.register)
        .with_arg0_absolute(first.absolute)
        .with_arg0_negate(first.negate)
        .with_mul_in(first.mul_in.into());
    if sources > 1 {
        cursor.expect(between)?;
        let second = scalar(cursor, false)?;
        bits = bits
            .with_arg1(second.register)
            .with_arg1_absolute(second.absolute)
            .with_arg1_negate(second.negate);
    }
    Ok((Field::FloatAdd, bits.0.into(), FloatAdd::PARTS))
}
