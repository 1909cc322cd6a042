//! Control flow: ends, targets, places of clauses, exports.

use crate::decode::Program;
use crate::layout::{Layout, Role, clause_of};
use crate::table::CfOp;
use std::collections::BTreeMap;
use unshade_bytes::Severity::{Error, Warning};
use unshade_isa_common::field::Field;
use unshade_isa_common::findings::Findings;

pub(super) fn check(findings: &mut Findings<'_>, program: &Program<'_>, layout: &Layout) {
    // Address of the last export of each kind, and whether it says that it is.
    let mut exports: BTreeMap<u32, (u32, bool)> = BTreeMap::new();
    let mut ended = false;
    for address in layout.flow() {
        let Some(cf) = program.cf(address) else { continue };
        let at = 2 * address;
        ended |= cf.ends_program() || cf.op() == Some(CfOp::Return);
        let Some(op) = cf.op() else {
            let message = format!("the machine does not define control flow {}", cf.normal().inst());
            findings.word(Error, "latte.unknown-flow", at, message);
            continue;
        };
        if let Some((first, units)) = clause_of(cf) {
            let end = first.saturating_add(units);
            if end > program.units() {
                let message = format!(
                    "its clause, {first} to {end}, leads out of the {} units of the code",
                    program.units()
                );
                findings.word(Error, "latte.clause-outside", at, message);
            } else if layout.clause_at(address).is_none() {
                let message =
                    format!("its clause, {first} to {end}, overlaps control flow or another clause");
                findings.word(Warning, "latte.clause-overlap", at, message);
            }
            if op.is_fetch() && first % 2 != 0 {
                let message = format!("its clause starts at {first}; fetches stand at even addresses");
                findings.word(Error, "latte.clause-odd", at, message);
            }
        }
        if op.goes_to_target() {
            let target = cf.normal().addr();
            if layout.role(target) != Some(Role::Flow) {
                let message = format!("`{}` leads to {target}, where no control flow stands", op.name());
                findings.word(Error, "latte.target", at, message);
            }
        }
        if op.is_export() {
            let kind = cf.export().kind();
            if kind == 3 {
                findings.word(Error, "latte.export-kind", at, "an export of a kind that does not exist");
            }
            if let Some((_, true)) = exports.insert(kind, (at, op == CfOp::ExportDone)) {
                let message = "an export of this kind stands in front that says that it is the last";
                findings.word(Warning, "latte.export-done", at, message);
            }
        }
        reserved(findings, at, op.form().parts, cf.0.into());
    }
    for (at, done) in exports.into_values() {
        if !done {
            let message = "the last export of its kind, but it does not say so: `EXP` instead of `EXP_DONE`";
            findings.word(Warning, "latte.export-done", at, message);
        }
    }
    if !ended {
        findings.whole(Error, "latte.no-end", "no instruction ends the program");
    }
}

/// Bits that are always zero.
pub(super) fn reserved(findings: &mut Findings<'_>, at: u32, parts: &[Field], raw: u128) {
    for part in parts.iter().filter(|part| part.name.starts_with("reserved")) {
        let value = part.get(raw);
        if value != 0 {
            let message = format!("the bits `{}` hold {value:#x}, which are always zero", part.name);
            findings.word(Warning, "latte.reserved-bits", at, message);
        }
    }
}
