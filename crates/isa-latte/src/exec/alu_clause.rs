//! Clauses of arithmetic, and what goes out: exports and writes to memory.

use super::super::decode::Group;
use super::super::fields::CfAlu;
use super::super::inst::Cf;
use super::super::table::CfOp;
use super::Program;
use super::around::Around;
use super::flow::Mask;
use super::group::{Clause, Ready};
use super::memory;
use super::outcome::Fault;
use super::progress::Inside;
use super::run::{Run, Stop, each};
use super::trace::Action;
use unshade_isa_common::trace::Trace;

impl<A: Around, T: Trace<Program>> Run<'_, A, T> {
    /// An arithmetic clause with what happens to the mask around it.
    pub(super) fn arithmetic(&mut self, op: CfOp, cf: CfAlu) -> Result<(), Stop> {
        let inside = match self.inside.take() {
            Some(inside) => inside,
            None => {
                match op {
                    CfOp::AluExtended => return Err(Fault::UnknownInstruction.into()),
                    CfOp::AluPushBefore => self.flow.push()?,
                    _ => {}
                }
                for local in &mut self.locals {
                    local.start_clause();
                }
                let clause = Clause::new(cf, self.flow.index, self.program.latte.dx10_clamp);
                Inside { done: 0, before: self.flow.active, clause }
            }
        };
        let before = inside.before;
        self.clause(cf, inside)?;
        match op {
            CfOp::AluPopAfter => self.flow.pop(1)?,
            CfOp::AluPop2After => self.flow.pop(2)?,
            CfOp::AluElseAfter => self.flow.invert(true)?,
            CfOp::AluContinue | CfOp::AluBreak => {
                let off = before & !self.flow.active;
                self.flow.leave(off, op == CfOp::AluContinue)?;
            }
            _ => {}
        }
        Ok(())
    }

    fn clause(&mut self, cf: CfAlu, mut inside: Inside) -> Result<(), Stop> {
        let code = self.code();
        if u64::from(cf.addr()) + u64::from(cf.count()) >= u64::from(code.units()) {
            return Err(Fault::ClauseOutside.into());
        }
        let program = self.program;
        match program.clause(cf).filter(|_| !self.in_fetch_program) {
            Some(groups) => {
                for group in groups.iter().skip(inside.done) {
                    self.pause_inside(&mut inside)?;
                    self.group(cf, &inside.clause, group)?;
                }
            }
            None => {
                for group in code.groups(cf).skip(inside.done) {
                    self.pause_inside(&mut inside)?;
                    self.group(cf, &inside.clause, &group)?;
                }
            }
        }
        Ok(())
    }

    /// In front of a group or a fetch: counts it as done, or remembers that it is not and pauses.
    pub(super) fn pause_inside(&mut self, inside: &mut Inside) -> Result<(), Stop> {
        if self.steps >= self.pause {
            self.inside = Some(*inside);
            return Err(Stop::Pause);
        }
        inside.done += 1;
        Ok(())
    }

    fn group(&mut self, cf: CfAlu, clause: &Clause, group: &Group) -> Result<(), Stop> {
        self.pay(1)?;
        let ready = Ready::new(group)?;
        let mut off = 0;
        let mut killed = 0;
        for n in each(self.at_work(self.flow.active, cf.whole_quad_mode() != 0, false)) {
            let (signs, writes) = ready.run(clause, &mut self.lanes[n], &mut self.locals[n], self.resources);
            killed |= Mask::from(signs.killed) << n;
            off |= Mask::from(signs.mask == Some(false)) << n;
            if T::ACTIVE {
                for (register, mask) in writes.into_iter().flatten() {
                    self.note(n, register.into(), mask.into());
                }
            }
        }
        self.flow.killed |= killed;
        self.flow.active &= !off;
        if T::ACTIVE {
            self.report(group.address, Action::Group(group));
        }
        Ok(())
    }

    /// Exports, and writes to memory.
    pub(super) fn writes(&mut self, op: CfOp, cf: Cf) -> Result<(), Stop> {
        let whole_quad = cf.memory().whole_quad_mode() != 0;
        let lanes = self.at_work(self.flow.active, whole_quad, cf.memory().valid_pixel_mode() != 0);
        self.pay(cf.memory().burst_count().into())?;
        let index = self.flow.index;
        for n in each(lanes) {
            if op.is_export() {
                memory::export(&mut self.lanes[n], cf.export(), index);
            } else if let Some((first, count, mask)) =
                memory::memory(&mut self.lanes[n], op, cf.memory(), index)
            {
                (0..count).for_each(|at| self.note(n, first + i64::from(at), mask));
            }
        }
        Ok(())
    }
}
