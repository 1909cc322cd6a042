//! Control flow as one pixel sees it: whether it is active, and the stacks with everything in them that does not
//! depend on the inputs.
//!
//! For a single pixel an entry of the mask stack is one truth value, and so is whether it has left or continued a
//! loop. A place in the program is therefore an address together with a [`Context`], and there are finitely many of
//! them; what depends on the inputs is only which way a branch goes. The rules are those of
//! [`super::super::exec`], with one lane.

use super::super::{Cf, CfOp};

/// Masks that can wait on the stack.
const MASKS: usize = 1024;
/// Loops inside each other.
const LOOPS: usize = 256;
/// Calls inside each other.
const CALLS: usize = 32;

/// The machine cannot go on: nothing left on a stack, or no room, or a loop's end without a loop.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Stuck;

/// An open loop. The pixel came in, or it would not be open.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Loop {
    /// Which variables count its passes and hold its index: different for all loops that are open together.
    pub(super) slot: u8,
    /// Number of the loop constant, for loops that count.
    pub(super) constant: Option<u8>,
    /// It has an index.
    pub(super) indexed: bool,
    /// The pixel has left it.
    broken: bool,
    /// The pixel waits for the next pass.
    continued: bool,
    /// Masks on the stack when it was entered; those above are gone at its end.
    masks: usize,
}

/// A subroutine that runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct Call {
    /// Sizes of the other stacks when it was called.
    masks: usize,
    loops: usize,
    /// Where the caller goes on.
    back: u32,
}

/// The state of control flow. The last entry of a stack is its top.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct Context {
    pub(super) active: bool,
    masks: Vec<bool>,
    loops: Vec<Loop>,
    calls: Vec<Call>,
}

impl Default for Context {
    fn default() -> Self {
        Self { active: true, masks: Vec::new(), loops: Vec::new(), calls: Vec::new() }
    }
}

/// Where the program goes on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Next {
    /// There.
    To(u32),
    /// Into a counted loop, which starts.
    Enter {
        /// The body; none: the program ends with the first pass.
        body: Option<u32>,
        /// Behind the loop; none: the program ends there.
        behind: Option<u32>,
    },
    /// To the next pass of a counted loop.
    Again {
        /// The body.
        body: Option<u32>,
        /// Behind the loop.
        behind: Option<u32>,
    },
    /// The program ends.
    End,
}

/// A bool constant and the value it has to have.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct BoolTest {
    pub(super) number: u8,
    pub(super) is: bool,
}

impl Context {
    /// Stacks of the callers, which the subroutine does not see.
    fn floor(&self) -> (usize, usize) {
        self.calls.last().map_or((0, 0), |call| (call.masks, call.loops))
    }

    /// The innermost loop of the subroutine.
    fn inner(&mut self) -> Result<&mut Loop, Stuck> {
        let (_, floor) = self.floor();
        self.loops.get_mut(floor..).and_then(<[Loop]>::last_mut).ok_or(Stuck)
    }

    /// The innermost loop, which counts.
    pub(super) fn innermost(&self) -> Option<Loop> {
        self.loops.last().copied()
    }

    /// Whether the pixel has left what runs now, though an outer mask has it.
    fn is_gone(&self) -> bool {
        let (_, floor) = self.floor();
        let inner = self.loops.get(floor..).and_then(<[Loop]>::last);
        inner.is_some_and(|open| open.broken || open.continued)
    }

    pub(super) fn push(&mut self) -> Result<(), Stuck> {
        if self.masks.len() >= MASKS {
            return Err(Stuck);
        }
        self.masks.push(self.active);
        Ok(())
    }

    pub(super) fn pop(&mut self, count: u32) -> Result<(), Stuck> {
        let (floor, _) = self.floor();
        for _ in 0..count {
            if self.masks.len() <= floor {
                return Err(Stuck);
            }
            if let Some(mask) = self.masks.pop() {
                self.active = mask && !self.is_gone();
            }
        }
        Ok(())
    }

    pub(super) fn invert(&mut self, holds: bool) -> Result<(), Stuck> {
        let (floor, _) = self.floor();
        let top = self.masks.get(floor..).and_then(<[bool]>::last).ok_or(Stuck)?;
        self.active = holds && *top && !self.active && !self.is_gone();
        Ok(())
    }

    /// The pixel leaves the loop, or its pass. Answers whether nobody is left in it.
    pub(super) fn leave(&mut self, leaves: bool, pass: bool) -> Result<bool, Stuck> {
        let open = self.inner()?;
        if pass {
            open.continued |= leaves;
        } else {
            open.broken |= leaves;
        }
        let none = open.broken || open.continued;
        self.active &= !leaves;
        Ok(none)
    }

    /// The innermost loop is over.
    pub(super) fn close(&mut self) {
        if let Some(open) = self.loops.pop() {
            self.masks.truncate(open.masks);
        }
        self.active = true;
    }

    /// Slot of the innermost open loop that has an index.
    pub(super) fn index(&self) -> Option<u8> {
        self.loops.iter().rev().find(|open| open.indexed).map(|open| open.slot)
    }

    /// Comes into a loop.
    fn enter(&mut self, constant: Option<u8>, indexed: bool) -> Result<(), Stuck> {
        if self.loops.len() >= LOOPS {
            return Err(Stuck);
        }
        let free = |slot: &u8| self.loops.iter().all(|open| open.slot != *slot);
        let slot = (0..=u8::MAX).find(free).ok_or(Stuck)?;
        let masks = self.masks.len();
        self.loops.push(Loop { slot, constant, indexed, broken: false, continued: false, masks });
        self.active = true;
        Ok(())
    }
}

/// The bool constant that a control-flow instruction looks at.
pub(super) fn bool_test(cf: Cf, op: CfOp) -> Option<BoolTest> {
    if op.is_alu() || op.is_export() || op.is_memory() {
        return None;
    }
    let normal = cf.normal();
    let test = |is| Some(BoolTest { number: normal.cf_const() as u8, is });
    match normal.cond() {
        2 => test(true),
        3 => test(false),
        _ => None,
    }
}

/// What a control-flow instruction that is no arithmetic clause does to the flow, once its data side is done. `holds`:
/// the bool constant has the value, where it looks at one.
pub(super) fn turn(context: &mut Context, at: u32, cf: Cf, op: CfOp, holds: bool) -> Result<Next, Stuck> {
    let behind = at.wrapping_add(1);
    let next = if op.is_fetch() || op.is_export() || op.is_memory() {
        Next::To(behind)
    } else {
        branch(context, at, cf, op, holds)?
    };
    // A jump elsewhere is stronger than the mark of the end.
    let goes_on = |to: &u32| !(cf.ends_program() && *to == behind);
    Ok(match next {
        Next::To(to) if !goes_on(&to) => Next::End,
        Next::Enter { body, behind } => {
            Next::Enter { body: body.filter(goes_on), behind: behind.filter(goes_on) }
        }
        Next::Again { body, behind } => {
            Next::Again { body: body.filter(goes_on), behind: behind.filter(goes_on) }
        }
        next => next,
    })
}

fn branch(context: &mut Context, at: u32, cf: Cf, op: CfOp, holds: bool) -> Result<Next, Stuck> {
    let normal = cf.normal();
    let (to, pops) = (normal.addr(), normal.pop_count());
    let behind = at.wrapping_add(1);
    let holds = holds && normal.cond() != 1;
    let passes = context.active && holds;
    match op {
        CfOp::LoopStart | CfOp::LoopStartNoAl | CfOp::LoopStartDx10 => {
            if !passes {
                return Ok(Next::To(to));
            }
            let counts = op != CfOp::LoopStartDx10;
            context.enter(counts.then(|| normal.cf_const() as u8), op == CfOp::LoopStart)?;
            if counts {
                return Ok(Next::Enter { body: Some(behind), behind: Some(to) });
            }
        }
        CfOp::LoopEnd => {
            let open = context.inner()?;
            let masks = open.masks;
            if !open.broken {
                open.continued = false;
                let counts = open.constant.is_some();
                context.masks.truncate(masks);
                context.active = true;
                return Ok(if counts {
                    Next::Again { body: Some(to), behind: Some(behind) }
                } else {
                    Next::To(to)
                });
            }
            context.close();
        }
        CfOp::LoopContinue | CfOp::LoopBreak => {
            let none = context.leave(passes, op == CfOp::LoopContinue)?;
            if none {
                context.pop(pops)?;
                return Ok(Next::To(to));
            }
        }
        CfOp::Jump if !passes => {
            context.pop(pops)?;
            return Ok(Next::To(to));
        }
        CfOp::Push | CfOp::PushElse | CfOp::PopPush | CfOp::PopPushElse => {
            let popped = matches!(op, CfOp::PopPush | CfOp::PopPushElse);
            if popped {
                context.pop(pops)?;
            }
            context.push()?;
            let holds = passes || normal.cond() == 0;
            if holds == matches!(op, CfOp::PushElse | CfOp::PopPushElse) {
                context.active = false;
            }
            if !context.active {
                if !popped {
                    context.pop(pops)?;
                }
                return Ok(Next::To(to));
            }
        }
        CfOp::Else => {
            context.invert(holds)?;
            if !context.active {
                context.pop(pops)?;
                return Ok(Next::To(to));
            }
        }
        CfOp::Pop => {
            context.pop(pops)?;
            if !context.active {
                return Ok(Next::To(to));
            }
        }
        CfOp::PopJump => {
            context.pop(pops)?;
            if !(context.active && holds) {
                return Ok(Next::To(to));
            }
        }
        CfOp::Call if passes => {
            if context.calls.len() >= CALLS {
                return Err(Stuck);
            }
            let (masks, loops) = (context.masks.len(), context.loops.len());
            context.calls.push(Call { masks, loops, back: behind });
            return Ok(Next::To(to));
        }
        CfOp::Return => match context.calls.last().copied() {
            None => return Ok(Next::End),
            Some(call) if passes => {
                context.calls.pop();
                context.masks.truncate(call.masks);
                context.loops.truncate(call.loops);
                return Ok(Next::To(call.back));
            }
            Some(_) => {}
        },
        CfOp::EndProgram => return Ok(Next::End),
        _ => {}
    }
    Ok(Next::To(behind))
}
