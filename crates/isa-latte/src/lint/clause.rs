//! Rules inside of clauses.

use super::flow::reserved;
use crate::decode::{Fault, Group, Program, Unit};
use crate::fields::{CfAlu, Tex, Vtx};
use crate::inst::{Alu, Cf, Source, VENDOR_FILL};
use crate::ports;
use crate::table::{Effect, Units};
use crate::usage::FIRST_TEMPORARY;
use unshade_bytes::Severity::{Error, Warning};
use unshade_isa_common::findings::Findings;

pub(super) fn fetches(findings: &mut Findings<'_>, program: &Program<'_>, cf: Cf) {
    for (address, fetch) in program.fetches(cf.normal()) {
        let parts = if fetch.op().is_buffer() { Vtx::PARTS } else { Tex::PARTS };
        // What the console's compiler fills with is as good as zeros.
        let zeros = if fetch.fill() == VENDOR_FILL { fetch.0 << 32 >> 32 } else { fetch.0 };
        reserved(findings, 2 * address, parts, zeros);
    }
}

/// What earlier groups of a clause have done.
#[derive(Default)]
struct Before {
    /// For each register that lives in clauses its written components.
    temporaries: [u8; (128 - FIRST_TEMPORARY) as usize],
    /// The address register was written.
    address: bool,
    /// A group changed the mask of active pixels.
    mask: bool,
    groups: u32,
}

pub(super) fn arithmetic(findings: &mut Findings<'_>, program: &Program<'_>, cf: Cf) {
    let alu = cf.alu();
    let mut before = Before::default();
    for group in program.groups(alu) {
        let at = 2 * group.address;
        if let Some(fault) = group.fault {
            let message = match fault {
                Fault::UnitTaken => "two instructions of the group need the same unit",
                Fault::CutOff => "the clause ends before the group does",
                Fault::NoLast => "none of five instructions is marked as the last of its group",
            };
            findings.word(Error, "latte.group", at, message);
        }
        if before.mask {
            // Optimisers put groups there whose results nobody needs on the other side; manuals want none.
            let message = "a group behind one that changes the mask of active pixels, in the same clause";
            findings.word(Warning, "latte.mask-not-last", at, message);
        }
        if group.fault.is_none() {
            if let Err(conflict) = ports::check(group.insts()) {
                let message = format!("the group cannot read its sources: {conflict}");
                findings.word(Warning, "latte.read-ports", at, message);
            }
            whole(findings, &group);
        }
        for (place, (unit, inst)) in (0..).zip(group.insts()) {
            instruction(findings, at + 2 * place, unit, inst, alu, &before);
        }
        for (_, inst) in group.insts() {
            if inst.writes()
                && let Some(written) = inst
                    .dst_gpr()
                    .checked_sub(FIRST_TEMPORARY)
                    .and_then(|place| before.temporaries.get_mut(place as usize))
            {
                *written |= 1 << inst.dst_chan();
            }
            before.address |= inst.op().is_some_and(|op| op.info().effect == Effect::Address);
            before.mask |= inst.updates_mask();
        }
        before.groups += 1;
    }
}

/// Whether two instructions of a group compute the same.
fn is_same_value(one: Alu, other: Alu) -> bool {
    let Some(op) = one.op().filter(|op| other.op() == Some(*op)) else { return false };
    let sources = (0..usize::from(op.info().sources)).all(|index| one.operand(index) == other.operand(index));
    let (a, b) = (one.op2(), other.op2());
    let is_plain = op.info().effect == Effect::None;
    sources && is_plain && (op.info().sources == 3 || (a.omod(), a.clamp()) == (b.omod(), b.clamp()))
}

/// Rules about a group as a whole.
fn whole(findings: &mut Findings<'_>, group: &Group) {
    let mut predicates = 0;
    let mut written: Vec<((u32, u32), Alu)> = Vec::with_capacity(5);
    for (place, (_, inst)) in (0..).zip(group.insts()) {
        let at = 2 * (group.address + place);
        if let Some(op) = inst.op() {
            let info = op.info();
            let same =
                || Unit::ALL.into_iter().take(4).all(|unit| group.on(unit).and_then(Alu::op) == Some(op));
            if info.units == Units::All && !same() {
                let message = format!("`{}` needs x, y, z and w, all with the same operation", op.name());
                findings.word(Error, "latte.whole-vector", at, message);
            }
            predicates += u32::from(info.effect == Effect::Predicate);
            if predicates == 2 && info.effect == Effect::Predicate {
                findings.word(Warning, "latte.predicate-twice", at, "a second predicate in the group");
            }
        }
        let target = (inst.dst_gpr(), inst.dst_chan());
        if inst.writes() && inst.op2().dst_rel() == 0 {
            let before = written.iter().find(|(other, _)| *other == target).map(|(_, before)| *before);
            match before {
                // Optimisers leave copies behind: whoever writes last, it is the same.
                Some(before) if is_same_value(before, inst) => {
                    let message =
                        "another instruction of the group writes the same value to the same component";
                    findings.word(Warning, "latte.written-twice", at, message);
                }
                Some(_) => {
                    let message = "another instruction of the group writes the same component";
                    findings.word(Error, "latte.written-twice", at, message);
                }
                None => {}
            }
            written.push((target, inst));
        }
    }
}

fn instruction(findings: &mut Findings<'_>, at: u32, unit: Unit, inst: Alu, cf: CfAlu, before: &Before) {
    let Some(op) = inst.op() else {
        let message = format!("the machine does not define operation {}", inst.number());
        findings.word(Error, "latte.unknown-operation", at, message);
        return;
    };
    let info = op.info();
    if unit == Unit::T && matches!(info.units, Units::Vector | Units::All | Units::Pair) {
        let message = format!("`{}` does not run on the unit t", op.name());
        findings.word(Error, "latte.unit", at, message);
    }
    for index in 0..usize::from(info.sources) {
        let operand = inst.operand(index);
        match operand.source {
            Source::PreviousVector | Source::PreviousScalar if before.groups == 0 => {
                let message = "the first group of a clause reads results of a group in front";
                findings.word(Error, "latte.previous", at, message);
            }
            Source::Kcache(set, vector) => {
                let mode = if set == 0 { cf.kcache_mode0() } else { cf.kcache_mode1() };
                let held = [0, 16, 32, 32][mode as usize & 3];
                if u32::from(vector) >= held && !operand.relative {
                    let message = if held == 0 {
                        format!("`KC{set}[{vector}]` is read, but the clause locks no line of KC{set}")
                    } else {
                        format!("`KC{set}[{vector}]` is read, but the clause locks {held} vectors of KC{set}")
                    };
                    findings.word(Error, "latte.not-locked", at, message);
                }
            }
            Source::Gpr(number) if !operand.relative => {
                let place = u32::from(number).checked_sub(FIRST_TEMPORARY);
                let written = place.and_then(|place| before.temporaries.get(place as usize));
                if written.is_some_and(|written| written >> operand.channel & 1 == 0) {
                    let letter = ['x', 'y', 'z', 'w'][usize::from(operand.channel & 3)];
                    let message = format!(
                        "R{number}.{letter} is read, but nothing in front in this clause writes it; registers \
                         from R{FIRST_TEMPORARY} on lose their values between clauses"
                    );
                    findings.word(Warning, "latte.temporary", at, message);
                }
            }
            Source::Other(number) => {
                let message = format!("source {number} is none that this machine has");
                findings.word(Warning, "latte.source", at, message);
            }
            _ => {}
        }
        if operand.relative && inst.op2().index_mode() < 4 && !before.address {
            let message = "the address register is used, but nothing in front in this clause writes it";
            findings.word(Warning, "latte.address", at, message);
        }
    }
}
