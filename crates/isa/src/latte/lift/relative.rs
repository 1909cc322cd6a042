//! Registers that are reached by an index: which ones have to lie in an array.
//!
//! The index may lead to any register, so exactly all 128 of them do. Programs of a compiler stay inside of the
//! array that the source had: from the register that the index is added to, up to the next one that the program also
//! reads by its own number.

use super::super::{Alu, CfOp, Fetch, FetchOp, Program, Source};
use super::explore::{Place, What};
use std::collections::BTreeSet;
use std::ops::Range;

/// How far an index is taken to lead.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Reach {
    /// Everywhere.
    #[default]
    Everywhere,
    /// Through the array that the source most likely had.
    Array,
}

/// What the instructions of a program name.
#[derive(Default)]
struct Named {
    /// Registers that an index is added to.
    bases: BTreeSet<u8>,
    /// Registers that are read by their own numbers.
    read: BTreeSet<u8>,
    /// Registers that are written more than once in one component.
    rewritten: BTreeSet<u8>,
    written: BTreeSet<(u8, u8)>,
}

/// Registers that lie in an array; empty where no index reaches any.
pub(super) fn array(program: Program<'_>, places: &[Place], reach: Reach) -> Range<u8> {
    let mut named = Named::default();
    for place in places {
        named.place(program, place);
    }
    let Some(&first) = named.bases.first() else { return 0..0 };
    if reach == Reach::Everywhere {
        return 0..128;
    }
    let last_base = named.bases.last().copied().unwrap_or(first);
    let mut end = last_base + 1;
    while end < 124 && !named.read.contains(&end) && named.written.iter().any(|(n, _)| *n == end) {
        end += 1;
    }
    // What serves for other things behind the array is no part of it.
    while end > last_base + 2 && named.rewritten.contains(&(end - 1)) {
        end -= 1;
    }
    first..end
}

impl Named {
    fn place(&mut self, program: Program<'_>, place: &Place) {
        let (address, first) = match place.what {
            What::Cf(address) => (address, 0),
            What::Groups { cf, first } => (cf, first),
            What::Head { .. } => return,
        };
        let Some(cf) = program.cf(address) else { return };
        let Some(op) = cf.op() else { return };
        // Without an index the number counts alone.
        let loops = place.index.is_some();
        if op.is_alu() {
            for group in program.groups(cf.alu()).filter(|group| group.address >= first) {
                group.insts().for_each(|(_, inst)| self.inst(inst, loops));
            }
        } else if op.is_fetch() {
            program.fetches(cf.normal()).for_each(|(_, inst)| self.fetch(inst, loops));
        } else if op.is_export() || op.is_memory() {
            let memory = cf.memory();
            let relative = memory.gpr_relative() != 0 && loops;
            for n in 0..=memory.burst_count() {
                self.read(memory.gpr() + n, relative);
            }
            if op != CfOp::Export && memory.kind() & 1 != 0 {
                self.read(memory.index_gpr(), false);
            }
        }
    }

    fn read(&mut self, register: u32, relative: bool) {
        let Ok(register) = u8::try_from(register) else { return };
        if relative {
            self.bases.insert(register);
        } else {
            self.read.insert(register);
        }
    }

    fn inst(&mut self, inst: Alu, loops: bool) {
        let Some(op) = inst.op() else { return };
        let has_index = inst.op2().index_mode() <= 3 || loops;
        for n in 0..usize::from(op.info().sources) {
            let operand = inst.operand(n);
            if let Source::Gpr(register) = operand.source {
                self.read(register.into(), operand.relative && has_index);
            }
        }
        if !inst.writes() {
            return;
        }
        let (register, lane) = (inst.dst_gpr() as u8, inst.dst_chan() as u8);
        if inst.op2().dst_rel() != 0 && has_index {
            self.bases.insert(register);
        } else if !self.written.insert((register, lane)) {
            self.rewritten.insert(register);
        }
    }

    fn fetch(&mut self, inst: Fetch, loops: bool) {
        let vtx = inst.vtx();
        self.read(vtx.src_gpr(), vtx.src_rel() != 0 && loops);
        let register = vtx.dst_gpr() as u8;
        if inst.op() == FetchOp::VtxSemantic {
            return;
        }
        if vtx.dst_rel() != 0 && loops {
            self.bases.insert(register);
            return;
        }
        for (lane, _) in (0..4).zip(vtx.dst_swizzle()).filter(|(_, select)| *select < 6) {
            if !self.written.insert((register, lane)) {
                self.rewritten.insert(register);
            }
        }
    }
}
