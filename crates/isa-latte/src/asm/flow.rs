//! Control flow.

use super::cursor::Cursor;
use super::fetch::{four, packed};
use super::suffix::suffix;
use crate::fields::{CfAlu, CfExport, CfMemory, CfNormal};
use crate::inst::Cf;
use crate::names::EXPORTS;
use crate::table::CfOp;
use crate::table::form::TARGET;
use std::ops::Range;
use unshade_isa_common::assembly::{Problem, Result};
use unshade_isa_common::field::Field;

/// A place that the text names.
#[derive(Debug, Clone)]
pub(super) struct Place {
    pub(super) what: Named,
    pub(super) span: Range<usize>,
}

/// How a place is named.
#[derive(Debug, Clone)]
pub(super) enum Named {
    /// By the number of an instruction, or else by its address.
    Number(u32),
    /// By a label.
    Label(String),
}

/// A control-flow instruction as the text has it.
#[derive(Debug, Clone)]
pub(super) struct Flow {
    pub(super) op: CfOp,
    /// Its bits without address and count.
    pub(super) bits: u64,
    /// Address of its clause or target.
    pub(super) address: Option<Place>,
    /// Length of its clause.
    pub(super) count: Option<(u32, Range<usize>)>,
    /// Bits that the text sets.
    pub(super) parts: Vec<(Field, u32)>,
}

/// The operation of that name.
pub(super) fn operation(name: &str) -> Option<CfOp> {
    match name {
        // What AMD's and Mesa's listings call them.
        "EXPORT" => Some(CfOp::Export),
        "EXPORT_DONE" => Some(CfOp::ExportDone),
        _ => CfOp::named(name),
    }
}

/// Reads an instruction from its name on.
pub(super) fn instruction(line: &mut Cursor<'_>, op: CfOp) -> Result<Flow> {
    line.word();
    let usual = op.form().usual as u64;
    let bits = if op.is_alu() {
        CfAlu(usual).with_inst(op.number() & 15).0
    } else {
        CfNormal(usual).with_inst(op.number()).0
    };
    let mut flow = Flow { op, bits, address: None, count: None, parts: Vec::new() };
    if op.is_alu() || op.is_fetch() {
        line.expect(":")?;
    } else if op.is_export() {
        line.expect(":")?;
        export(line, &mut flow)?;
    } else if op.is_memory() {
        line.expect(":")?;
        memory(line, &mut flow)?;
    }
    while !line.is_done() {
        property(line, &mut flow)?;
    }
    Ok(flow)
}

fn property(line: &mut Cursor<'_>, flow: &mut Flow) -> Result<()> {
    let op = flow.op;
    if line.peek() == Some(b'@') {
        flow.parts.push(super::part(line, op.form().parts)?);
        return Ok(());
    }
    match line.sees_word().text {
        "ADDR" | "FAIL_JUMP_ADDR" | "PASS_JUMP_ADDR" if !op.is_export() && !op.is_memory() => {
            line.word();
            let start = line.position();
            line.expect("(")?;
            let what = if line.peek().is_some_and(|byte| byte.is_ascii_digit()) {
                Named::Number(line.number(u32::MAX)?)
            } else {
                let label = line.run(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
                if label.is_empty() {
                    return Err(line.unexpected("a number or a label"));
                }
                Named::Label(label.text.to_owned())
            };
            line.blank();
            let span = line.since(start);
            line.expect(")")?;
            flow.address = Some(Place { what, span });
        }
        "CNT" if op.is_alu() || op.is_fetch() => {
            line.word();
            let start = line.position();
            let count = line.parenthesised(if op.is_alu() { 128 } else { 16 })?;
            if count == 0 {
                let message = "a clause has at least one instruction";
                return Err(Problem::new("latte.asm.range", line.since(start), message));
            }
            flow.count = Some((count, line.since(start)));
        }
        // What decaf writes behind instructions that it does not know.
        "UNK_FORMAT" => {
            line.word();
        }
        _ => {
            let what = format_args!("`{}`", op.name());
            flow.bits = suffix(line, op.form().words(), flow.bits.into(), what)? as u64;
        }
    }
    Ok(())
}

/// `R3` or `R[AL + 3]`.
fn register(line: &mut Cursor<'_>) -> Result<(u32, u32)> {
    if !line.tight("R") {
        return Err(line.unexpected("a register"));
    }
    if line.tight("[") {
        line.blank();
        line.expect("AL")?;
        line.expect("+")?;
        let number = line.number(127)?;
        line.blank();
        if !line.tight("]") {
            return Err(line.unexpected("`]`"));
        }
        return Ok((number, 1));
    }
    Ok((line.number(127)?, 0))
}

fn export(line: &mut Cursor<'_>, flow: &mut Flow) -> Result<()> {
    let start = line.position();
    let name = line.run(|byte| byte.is_ascii_alphabetic());
    let Some((kind, (_, base))) = (0..).zip(EXPORTS).find(|(_, (target, _))| *target == name.text) else {
        let message = "expected a target: `PIX0`, `POS0` or `PARAM0`";
        return Err(Problem::new("latte.asm.target", start..line.position(), message));
    };
    let number = line.number(0x1FFF - base)?;
    line.blank();
    line.expect(",")?;
    let (gpr, relative) = register(line)?;
    let selects = packed(four(line)?);
    line.blank();
    let export = CfExport(flow.bits).with_kind(kind).with_array_base(base + number);
    let export = export.with_gpr(gpr).with_gpr_relative(relative);
    flow.bits = TARGET.set(export.0.into(), selects) as u64;
    Ok(())
}

fn memory(line: &mut Cursor<'_>, flow: &mut Flow) -> Result<()> {
    let name = line.word();
    let mut kind = match name.text {
        "WRITE" => 0,
        "READ" => 2,
        _ => {
            let message = "expected `WRITE(...)` or `READ(...)`";
            return Err(Problem::new("latte.asm.target", name.span(), message));
        }
    };
    line.expect("(")?;
    let unit = flow.op.address_unit();
    let start = line.position();
    let bytes = line.number(0x1FFF * unit)?;
    if bytes % unit != 0 {
        let message = format!("places in this memory are multiples of {unit}");
        return Err(Problem::new("latte.asm.range", line.since(start), message));
    }
    line.blank();
    let mut memory = CfMemory(flow.bits).with_array_base(bytes / unit);
    if line.eat("+") {
        kind |= 1;
        memory = memory.with_index_gpr(register(line)?.0);
        line.blank();
    }
    line.expect(")")?;
    line.expect(",")?;
    let (gpr, relative) = register(line)?;
    let start = line.position();
    let lanes = four(line)?;
    let mut mask = 0;
    for (lane, select) in (0..4).zip(lanes) {
        match select {
            7 => {}
            _ if select == lane => mask |= 1 << lane,
            _ => {
                let message = "components are written in place: `.xyzw` with `_` for those that are not";
                return Err(Problem::new("latte.asm.select", line.since(start), message));
            }
        }
    }
    line.blank();
    flow.bits = memory.with_kind(kind).with_gpr(gpr).with_gpr_relative(relative).with_comp_mask(mask).0;
    Ok(())
}

/// The bits with an address and a count in them, and with those that the text sets.
pub(super) fn finish(flow: &Flow, address: u32, count: u32) -> Cf {
    let op = flow.op;
    let bits = if op.is_alu() {
        CfAlu(flow.bits).with_addr(address).with_count(count.wrapping_sub(1)).0
    } else if op.is_fetch() {
        CfNormal(flow.bits).with_addr(address).with_clause_length(count).0
    } else if op.is_export() || op.is_memory() {
        flow.bits
    } else {
        CfNormal(flow.bits).with_addr(address).0
    };
    Cf(flow.parts.iter().fold(u128::from(bits), |bits, (part, value)| part.set(bits, *value)) as u64)
}
