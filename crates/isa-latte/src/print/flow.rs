//! Control flow: clauses, jumps, exports.

use super::{property, rest, suffixes, words};
use crate::fields::{CfExport, CfMemory};
use crate::inst::Cf;
use crate::layout::clause_of;
use crate::names::{EXPORTS, selected};
use crate::table::CfOp;
use crate::table::form::{ADDRESS, TARGET};
use crate::table::suffix::Text;
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
    let (form, bits) = (op.form(), u128::from(cf.0));
    let mut said = form.operands;
    let mut read = cf.0;
    sink.put(PartKind::Mnemonic, op.name());
    if op.is_alu() || op.is_fetch() {
        sink.put(PartKind::Punctuation, ":");
        if let Some((address, units)) = clause_of(cf).filter(|_| clause != ClauseText::Usual) {
            property(sink, "ADDR", address);
            if clause == ClauseText::Elsewhere {
                property(sink, "CNT", if op.is_fetch() { units / 2 } else { units });
            }
        }
    } else if op.is_export() {
        read = export(sink, cf.export(), Text::Native).0;
    } else if op.is_memory() {
        read = memory(sink, op, cf.memory(), Text::Native).0;
    } else {
        said |= suffixes(sink, form.front, bits, Text::Native);
        if let Some((word, _)) = op.target() {
            said |= ADDRESS.mask();
            if op.unsaid_target(at) != Some(cf.normal().addr()) {
                property(sink, word, cf.normal().addr());
            }
        }
    }
    said |= words(sink, form, bits, Text::Native);
    rest(sink, form.parts, bits, u128::from(read) & said | form.usual & !said);
}

fn register(sink: &mut impl Sink, relative: u32, number: u32) {
    sink.put(PartKind::Register, if relative != 0 { "R[AL + " } else { "R" });
    sink.decimal(PartKind::Register, number);
    if relative != 0 {
        sink.put(PartKind::Register, "]");
    }
}

/// Writes target and registers of an export; gives what they are read as.
pub(crate) fn export(sink: &mut impl Sink, cf: CfExport, text: Text) -> CfExport {
    let mut read = cf;
    sink.put(PartKind::Punctuation, ": ");
    let (name, base) = EXPORTS[cf.kind() as usize % EXPORTS.len()];
    sink.put(PartKind::Register, name);
    if text == Text::Native && cf.array_base() < base {
        sink.put(PartKind::Register, "0");
        read = cf.with_array_base(base);
    } else {
        sink.decimal(PartKind::Register, cf.array_base().wrapping_sub(base));
    }
    sink.put(PartKind::Punctuation, ", ");
    register(sink, cf.gpr_relative(), cf.gpr());
    sink.put_short(PartKind::Register, selected(TARGET.get(cf.0.into())));
    read
}

/// Writes place and registers of an access to memory; gives what they are read as.
pub(crate) fn memory(sink: &mut impl Sink, op: CfOp, cf: CfMemory, text: Text) -> CfMemory {
    sink.put(PartKind::Punctuation, ": ");
    let reads = cf.kind() & 2 != 0;
    if text == Text::Decaf && reads && op.is_stream() {
        sink.put(PartKind::Name, "INVALID_READ");
    } else {
        sink.put(PartKind::Name, if reads { "READ" } else { "WRITE" });
        sink.put(if text == Text::Native { PartKind::Punctuation } else { PartKind::Name }, "(");
        sink.decimal(PartKind::Immediate, op.address_unit() * cf.array_base());
        if cf.kind() & 1 != 0 {
            sink.put(PartKind::Punctuation, " + ");
            register(sink, 0, cf.index_gpr());
        }
        sink.put(PartKind::Punctuation, ")");
    }
    sink.put(PartKind::Punctuation, ", ");
    register(sink, cf.gpr_relative(), cf.gpr());
    let mask = cf.comp_mask();
    let lane = |lane: u32| if mask >> lane & 1 != 0 { lane << (3 * lane) } else { 7 << (3 * lane) };
    sink.put_short(PartKind::Register, selected((0..4).map(lane).sum()));
    if cf.kind() & 1 == 0 { cf.with_index_gpr(0) } else { cf }
}
