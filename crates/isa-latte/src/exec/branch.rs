//! Instructions of the control flow that open, close and leave: masks, loops, calls, jumps.

use super::super::fields::CfNormal;
use super::super::table::CfOp;
use super::Program;
use super::around::Around;
use super::flow::{Mask, Return, Returned};
use super::memory;
use super::run::{Next, Run, Stop, VERTEX_LIMIT, each};
use super::state::Event;
use unshade_isa_common::trace::Trace;

impl<A: Around, T: Trace<Program>> Run<'_, A, T> {
    /// Instructions that only steer.
    pub(super) fn branch(&mut self, op: CfOp, cf: CfNormal, next: u32) -> Result<Next, Stop> {
        let passing = self.passing(cf);
        let target = Next::At(cf.addr());
        let flow = &mut self.flow;
        Ok(match op {
            CfOp::LoopStart | CfOp::LoopStartNoAl => {
                let constant = self.resources.loops[cf.cf_const() as usize & 31];
                let entered = flow.enter(passing, Some(constant), op == CfOp::LoopStart)?;
                if entered { Next::At(next) } else { target }
            }
            CfOp::LoopStartDx10 => {
                if flow.enter(passing, None, false)? {
                    Next::At(next)
                } else {
                    target
                }
            }
            CfOp::LoopEnd => {
                if flow.repeat()? {
                    target
                } else {
                    Next::At(next)
                }
            }
            CfOp::LoopContinue | CfOp::LoopBreak => {
                if flow.leave(passing, op == CfOp::LoopContinue)? {
                    flow.pop(cf.pop_count())?;
                    target
                } else {
                    Next::At(next)
                }
            }
            CfOp::Jump => {
                if flow.none(passing) {
                    flow.pop(cf.pop_count())?;
                    target
                } else {
                    Next::At(next)
                }
            }
            CfOp::Push | CfOp::PushElse | CfOp::PopPush | CfOp::PopPushElse => {
                let popped = matches!(op, CfOp::PopPush | CfOp::PopPushElse);
                if popped {
                    flow.pop(cf.pop_count())?;
                }
                flow.push()?;
                let holds = passing != 0 || cf.cond() == 0;
                let inverts = matches!(op, CfOp::PushElse | CfOp::PopPushElse);
                if holds == inverts {
                    flow.active = 0;
                }
                if flow.none(flow.active) {
                    if !popped {
                        flow.pop(cf.pop_count())?;
                    }
                    target
                } else {
                    Next::At(next)
                }
            }
            CfOp::Else => {
                let holds = match cf.cond() {
                    0 => true,
                    1 => false,
                    cond => (self.resources.bools >> cf.cf_const() & 1 != 0) == (cond == 2),
                };
                flow.invert(holds)?;
                if flow.none(flow.active) {
                    flow.pop(cf.pop_count())?;
                    target
                } else {
                    Next::At(next)
                }
            }
            CfOp::Pop => {
                flow.pop(cf.pop_count())?;
                if flow.none(flow.active) { target } else { Next::At(next) }
            }
            CfOp::PopJump => {
                flow.pop(cf.pop_count())?;
                let passing = self.passing(cf);
                if self.flow.none(passing) { target } else { Next::At(next) }
            }
            CfOp::Call => {
                if flow.none(passing) {
                    Next::At(next)
                } else {
                    flow.call(passing, Return { address: next, fetch: false })?;
                    target
                }
            }
            CfOp::CallFs => {
                if self.resources.fetch_program.is_none() || self.in_fetch_program || flow.none(passing) {
                    Next::At(next)
                } else {
                    flow.call(passing, Return { address: next, fetch: true })?;
                    self.in_fetch_program = true;
                    Next::At(0)
                }
            }
            CfOp::Return => self.give_back(passing, next),
            CfOp::EmitVertex | CfOp::EmitCutVertex | CfOp::CutVertex => {
                for n in each(self.at_work(passing, false, false)) {
                    if op != CfOp::CutVertex {
                        let item = self.program.ring_item();
                        let cost = memory::emit(&mut self.lanes[n], item, self.emitted[n], VERTEX_LIMIT)?;
                        self.emitted[n] += 1;
                        self.pay(cost)?;
                    }
                    if op != CfOp::EmitVertex {
                        self.lanes[n].events.push(Event::Cut);
                    }
                }
                Next::At(next)
            }
            CfOp::Kill => {
                flow.killed |= passing;
                Next::At(next)
            }
            CfOp::EndProgram => Next::End,
            _ => Next::At(next),
        })
    }

    pub(super) fn give_back(&mut self, lanes: Mask, next: u32) -> Next {
        match self.flow.give_back(lanes) {
            Returned::Outermost => Next::End,
            Returned::Partly => Next::At(next),
            Returned::To(back) => {
                if back.fetch {
                    self.in_fetch_program = false;
                }
                Next::At(back.address)
            }
        }
    }
}
