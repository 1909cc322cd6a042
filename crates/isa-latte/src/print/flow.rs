//! Control flow: clauses, jumps, exports.

use super::{flag, property, rest};
use crate::fields::{CfAlu, CfExport, CfMemory, CfNormal};
use crate::inst::Cf;
use crate::names::{CONDITIONS, selected, word};
use crate::table::CfOp;
use unshade_isa_common::text::{PartKind, Sink};

/// How the place of a clause is said.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ClauseText {
    /// Not at all: it is where clauses go.
    Usual,
    /// By its address.
    Address,
    /// By its address and length: its contents do not follow.
    Elsewhere,
}

/// Writes a control-flow instruction, without its number; one that the machine does not define as words.
pub fn flow(sink: &mut impl Sink, at: u32, cf: Cf, clause: ClauseText) {
    let Some(op) = cf.op() else { return super::alu::raw(sink, cf.0) };
    if op.is_alu() {
        arithmetic(sink, op, cf.alu(), clause);
    } else if op.is_export() {
        export(sink, op, cf.export());
    } else if op.is_memory() {
        memory(sink, op, cf.memory());
    } else if op.is_fetch() {
        fetches(sink, op, cf.normal(), clause);
    } else {
        normal(sink, at, op, cf.normal());
    }
}

fn mnemonic(sink: &mut impl Sink, op: CfOp) {
    sink.put(PartKind::Mnemonic, op.name());
}

fn place(sink: &mut impl Sink, clause: ClauseText, address: u32, count: u32) {
    if clause != ClauseText::Usual {
        property(sink, "ADDR", address);
    }
    if clause == ClauseText::Elsewhere {
        property(sink, "CNT", count);
    }
}

/// How a constant cache set is locked.
fn lock(sink: &mut impl Sink, set: u32, mode: u32, bank: u32, line: u32) {
    if mode == 0 {
        return;
    }
    sink.put(PartKind::Name, if set == 0 { " KCACHE0" } else { " KCACHE1" });
    sink.put(PartKind::Punctuation, "(");
    sink.put(PartKind::Register, "CB");
    sink.decimal(PartKind::Register, bank);
    sink.put(PartKind::Punctuation, ":");
    let index = if mode == 3 { "AL+" } else { "" };
    sink.put(PartKind::Register, index);
    sink.decimal(PartKind::Immediate, 16 * line);
    sink.put(PartKind::Punctuation, "-");
    sink.put(PartKind::Register, index);
    sink.decimal(PartKind::Immediate, 16 * line + if mode == 1 { 15 } else { 31 });
    sink.put(PartKind::Punctuation, ")");
}

fn arithmetic(sink: &mut impl Sink, op: CfOp, cf: CfAlu, clause: ClauseText) {
    mnemonic(sink, op);
    sink.put(PartKind::Punctuation, ":");
    place(sink, clause, cf.addr(), cf.count() + 1);
    flag(sink, cf.barrier() ^ 1, "NO_BARRIER");
    flag(sink, cf.whole_quad_mode(), "WHOLE_QUAD");
    lock(sink, 0, cf.kcache_mode0(), cf.kcache_bank0(), cf.kcache_addr0());
    lock(sink, 1, cf.kcache_mode1(), cf.kcache_bank1(), cf.kcache_addr1());
    flag(sink, cf.alt_const(), "USES_WATERFALL");
    let mut said = cf;
    if cf.kcache_mode0() == 0 {
        said = said.with_kcache_bank0(0).with_kcache_addr0(0);
    }
    if cf.kcache_mode1() == 0 {
        said = said.with_kcache_bank1(0).with_kcache_addr1(0);
    }
    if said != cf {
        rest(sink, CfAlu::PARTS, cf.0.into(), said.0.into());
    }
}

/// Condition and constant; the constant also where it counts without a condition.
fn condition(sink: &mut impl Sink, cf: CfNormal, constant: bool) {
    if cf.cond() != 0 {
        sink.put(PartKind::Plain, " ");
        sink.put(PartKind::Name, "CND");
        sink.put(PartKind::Punctuation, "(");
        sink.put(PartKind::Name, word(&CONDITIONS, cf.cond()));
        sink.put(PartKind::Punctuation, ")");
    }
    if constant || cf.cond() != 0 || cf.cf_const() != 0 {
        property(sink, "CF_CONST", cf.cf_const());
    }
}

fn unless_zero(sink: &mut impl Sink, name: &str, value: u32) {
    if value != 0 {
        property(sink, name, value);
    }
}

fn fetches(sink: &mut impl Sink, op: CfOp, cf: CfNormal, clause: ClauseText) {
    mnemonic(sink, op);
    sink.put(PartKind::Punctuation, ":");
    place(sink, clause, cf.addr(), cf.clause_length());
    flag(sink, cf.barrier() ^ 1, "NO_BARRIER");
    condition(sink, cf, false);
    flag(sink, cf.whole_quad_mode(), "WHOLE_QUAD");
    flag(sink, cf.valid_pixel_mode(), "VALID_PIX");
    let said = cf.with_pop_count(0).with_call_count(0).with_reserved_52(0);
    if said != cf {
        rest(sink, CfNormal::PARTS, cf.0.into(), said.0.into());
    }
}

/// The word that the address of an instruction stands behind, and whether it is always there.
fn target(op: CfOp) -> &'static str {
    match op {
        CfOp::LoopStart | CfOp::LoopStartDx10 | CfOp::LoopStartNoAl => "FAIL_JUMP_ADDR",
        CfOp::LoopEnd => "PASS_JUMP_ADDR",
        _ => "ADDR",
    }
}

/// Address of an instruction whose text has none.
pub(crate) fn usual_target(op: CfOp, at: u32) -> Option<u32> {
    match op {
        CfOp::Pop => Some(at.wrapping_add(1)),
        CfOp::Push | CfOp::PushElse | CfOp::PopJump | CfOp::PopPush | CfOp::PopPushElse => Some(0),
        _ if op.has_target() => None,
        _ => Some(0),
    }
}

fn normal(sink: &mut impl Sink, at: u32, op: CfOp, cf: CfNormal) {
    mnemonic(sink, op);
    let counts = matches!(op, CfOp::LoopStart | CfOp::LoopStartNoAl | CfOp::LoopEnd);
    unless_zero(sink, "CALL_COUNT", cf.call_count());
    condition(sink, cf, counts);
    unless_zero(sink, "POP_CNT", cf.pop_count());
    let mut said = cf.with_count_low(0).with_count_high(0).with_reserved_52(0);
    if op.has_target() {
        if usual_target(op, at) != Some(cf.addr()) {
            property(sink, target(op), cf.addr());
        }
    } else {
        said = said.with_addr(0);
    }
    flag(sink, cf.valid_pixel_mode(), "VALID_PIX");
    flag(sink, cf.barrier() ^ 1, "NO_BARRIER");
    flag(sink, cf.whole_quad_mode(), "WHOLE_QUAD");
    if said != cf {
        rest(sink, CfNormal::PARTS, cf.0.into(), said.0.into());
    }
}

fn register(sink: &mut impl Sink, relative: u32, number: u32) {
    sink.put(PartKind::Register, if relative != 0 { "R[AL + " } else { "R" });
    sink.decimal(PartKind::Register, number);
    if relative != 0 {
        sink.put(PartKind::Register, "]");
    }
}

fn export(sink: &mut impl Sink, op: CfOp, cf: CfExport) {
    mnemonic(sink, op);
    sink.put(PartKind::Punctuation, ": ");
    let mut said = cf.with_index_gpr(0).with_reserved_44(0);
    let (name, base) = match cf.kind() {
        0 => ("PIX", 0),
        1 => ("POS", 60),
        2 => ("PARAM", 0),
        _ => ("INVALID", 0),
    };
    sink.put(PartKind::Register, name);
    match cf.array_base().checked_sub(base) {
        Some(number) => sink.decimal(PartKind::Register, number),
        None => {
            sink.put(PartKind::Register, "0");
            said = said.with_array_base(base);
        }
    }
    sink.put(PartKind::Punctuation, ", ");
    register(sink, cf.gpr_relative(), cf.gpr());
    sink.put_short(PartKind::Register, selected((cf.0 >> 32) as u32));
    unless_zero(sink, "ELEM_SIZE", cf.elem_size());
    unless_zero(sink, "BURSTCNT", cf.burst_count());
    flag(sink, cf.barrier() ^ 1, "NO_BARRIER");
    flag(sink, cf.whole_quad_mode(), "WHOLE_QUAD");
    flag(sink, cf.valid_pixel_mode(), "VALID_PIX");
    if said != cf {
        rest(sink, CfExport::PARTS, cf.0.into(), said.0.into());
    }
}

/// Bytes of an address unit of memory.
pub(crate) fn address_unit(op: CfOp) -> u32 {
    if matches!(op, CfOp::MemScratch | CfOp::MemReduction) { 16 } else { 4 }
}

fn memory(sink: &mut impl Sink, op: CfOp, cf: CfMemory) {
    mnemonic(sink, op);
    sink.put(PartKind::Punctuation, ": ");
    let mut said = cf.with_reserved_48(0);
    sink.put(PartKind::Name, if cf.kind() & 2 == 0 { "WRITE" } else { "READ" });
    sink.put(PartKind::Punctuation, "(");
    sink.decimal(PartKind::Immediate, address_unit(op) * cf.array_base());
    if cf.kind() & 1 != 0 {
        sink.put(PartKind::Punctuation, " + ");
        register(sink, 0, cf.index_gpr());
    } else {
        said = said.with_index_gpr(0);
    }
    sink.put(PartKind::Punctuation, "), ");
    register(sink, cf.gpr_relative(), cf.gpr());
    let mask = cf.comp_mask();
    let lane = |lane: u32| if mask >> lane & 1 != 0 { lane << (3 * lane) } else { 7 << (3 * lane) };
    sink.put_short(PartKind::Register, selected((0..4).map(lane).sum()));
    property(sink, "ARRAY_SIZE", cf.array_size());
    unless_zero(sink, "ELEM_SIZE", cf.elem_size());
    unless_zero(sink, "BURSTCNT", cf.burst_count());
    flag(sink, cf.barrier() ^ 1, "NO_BARRIER");
    flag(sink, cf.whole_quad_mode(), "WHOLE_QUAD");
    flag(sink, cf.valid_pixel_mode(), "VALID_PIX");
    if said != cf {
        rest(sink, CfMemory::PARTS, cf.0.into(), said.0.into());
    }
}
