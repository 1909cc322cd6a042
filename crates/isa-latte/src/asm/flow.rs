//! Control flow.

use super::cursor::Cursor;
use super::fetch::selects;
use crate::fields::{CfAlu, CfExport, CfMemory, CfNormal};
use crate::inst::Cf;
use crate::names::CONDITIONS;
use crate::print::address_unit;
use crate::table::CfOp;
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

impl Flow {
    /// Runs of bits of the instruction.
    pub(super) fn layout(op: CfOp) -> &'static [Field] {
        if op.is_alu() {
            CfAlu::PARTS
        } else if op.is_export() {
            CfExport::PARTS
        } else if op.is_memory() {
            CfMemory::PARTS
        } else {
            CfNormal::PARTS
        }
    }
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
    let number = op.number();
    let bits = if op.is_alu() {
        CfAlu(0).with_inst(number & 15).with_barrier(1).0
    } else {
        CfNormal(0).with_inst(number).with_barrier(1).0
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
    if line.peek() == Some(b'@') {
        let part = super::part(line, Flow::layout(flow.op))?;
        flow.parts.push(part);
        return Ok(());
    }
    let name = line.word();
    let op = flow.op;
    let clause = op.is_alu() || op.is_fetch();
    let writes = op.is_export() || op.is_memory();
    let normal = CfNormal(flow.bits);
    let export = CfExport(flow.bits);
    let alu = CfAlu(flow.bits);
    match name.text {
        "ADDR" | "FAIL_JUMP_ADDR" | "PASS_JUMP_ADDR" if !writes => {
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
        "CNT" if clause => {
            let start = line.position();
            let count = line.parenthesised(if op.is_alu() { 128 } else { 16 })?;
            if count == 0 {
                let message = "a clause has at least one instruction";
                return Err(Problem::new("latte.asm.range", line.since(start), message));
            }
            flow.count = Some((count, line.since(start)));
        }
        // All layouts have these bits at the same place.
        "NO_BARRIER" => flow.bits = normal.with_barrier(0).0,
        "BARRIER" => flow.bits = normal.with_barrier(1).0,
        "WHOLE_QUAD" | "WHOLE_QUAD_MODE" => flow.bits = normal.with_whole_quad_mode(1).0,
        "VALID_PIX" if !op.is_alu() => flow.bits = normal.with_valid_pixel_mode(1).0,
        "CND" if !op.is_alu() && !writes => {
            line.expect("(")?;
            let word = line.word();
            let text = match word.text {
                "ALWAYS_FALSE" => "FALSE",
                "CF_BOOL" => "BOOL",
                "CF_NOT_BOOL" => "NOT_BOOL",
                other => other,
            };
            let Some(number) = CONDITIONS.iter().position(|name| *name == text) else {
                let message = "expected `ACTIVE`, `FALSE`, `BOOL` or `NOT_BOOL`";
                return Err(Problem::new("latte.asm.property", word.span(), message));
            };
            line.expect(")")?;
            flow.bits = normal.with_cond(number as u32).0;
        }
        "CF_CONST" if !op.is_alu() && !writes => flow.bits = normal.with_cf_const(line.parenthesised(31)?).0,
        "POP_CNT" if !clause && !writes => flow.bits = normal.with_pop_count(line.parenthesised(7)?).0,
        "CALL_COUNT" if !clause && !writes => flow.bits = normal.with_call_count(line.parenthesised(63)?).0,
        "ELEM_SIZE" if writes => flow.bits = export.with_elem_size(line.parenthesised(3)?).0,
        "BURSTCNT" if writes => flow.bits = export.with_burst_count(line.parenthesised(15)?).0,
        "ARRAY_SIZE" if op.is_memory() => {
            flow.bits = CfMemory(flow.bits).with_array_size(line.parenthesised(4095)?).0;
        }
        "USES_WATERFALL" | "ALT_CONST" if op.is_alu() => flow.bits = alu.with_alt_const(1).0,
        "KCACHE0" if op.is_alu() => {
            let (mode, bank, first) = lock(line)?;
            flow.bits = alu.with_kcache_mode0(mode).with_kcache_bank0(bank).with_kcache_addr0(first).0;
        }
        "KCACHE1" if op.is_alu() => {
            let (mode, bank, first) = lock(line)?;
            flow.bits = alu.with_kcache_mode1(mode).with_kcache_bank1(bank).with_kcache_addr1(first).0;
        }
        // What decaf writes behind instructions that it does not know.
        "UNK_FORMAT" => {}
        "" => return Err(line.unexpected("the end of the line")),
        other => {
            let message = format!("`{}` has no `{other}`", op.name());
            return Err(Problem::new("latte.asm.property", name.span(), message));
        }
    }
    Ok(())
}

/// `(CB0:0-15)`: mode, buffer, first line.
fn lock(line: &mut Cursor<'_>) -> Result<(u32, u32, u32)> {
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
    Ok((mode, bank, first / 16))
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
    let (kind, base) = match name.text {
        "PIX" => (0, 0),
        "POS" => (1, 60),
        "PARAM" => (2, 0),
        "INVALID" => (3, 0),
        _ => {
            let message = "expected a target: `PIX0`, `POS0` or `PARAM0`";
            return Err(Problem::new("latte.asm.target", start..line.position(), message));
        }
    };
    let number = line.number(0x1FFF - base)?;
    line.blank();
    line.expect(",")?;
    let (gpr, relative) = register(line)?;
    let [x, y, z, w] = selects(line, [0, 1, 2, 3])?;
    line.blank();
    flow.bits = CfExport(flow.bits)
        .with_kind(kind)
        .with_array_base(base + number)
        .with_gpr(gpr)
        .with_gpr_relative(relative)
        .with_sel_x(x)
        .with_sel_y(y)
        .with_sel_z(z)
        .with_sel_w(w)
        .0;
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
    let unit = address_unit(flow.op);
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
    let lanes = selects(line, [0, 1, 2, 3])?;
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
