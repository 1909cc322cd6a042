//! Control flow as one pixel sees it: whether it is active, and the stacks with everything in them that does not
//! depend on the inputs.
//!
//! For a single pixel an entry of the mask stack is one truth value, and so is whether it has left or continued a
//! loop. A place in the program is therefore an address together with a [`Context`], and there are finitely many of
//! them; what depends on the inputs is only which way a branch goes. The rules are those of
//! [`super::super::exec`].

use super::super::{Cf, CfOp};

/// Deepest stack that is followed.
pub(super) const DEPTH: usize = 64;

/// An open loop.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Loop {
    /// Which variables count its passes and hold its index: different for all loops that are open together.
    pub(super) slot: u8,
    /// Number of the loop constant, for loops that count.
    pub(super) constant: Option<u8>,
    /// It has an index.
    pub(super) indexed: bool,
    /// The pixel was active at its start.
    pub(super) entered: bool,
    /// The pixel has left it.
    pub(super) broken: bool,
    /// The pixel waits for the next pass.
    pub(super) continued: bool,
}

/// The state of control flow. The last entry of a stack is its top.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct Context {
    pub(super) active: bool,
    pub(super) masks: Vec<bool>,
    pub(super) loops: Vec<Loop>,
    pub(super) calls: Vec<u32>,
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
    /// To the head of the innermost loop, with its body there.
    Head(u32),
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
    /// What the pixel's own state lets through of a mask.
    fn allowed(&self, mask: bool) -> bool {
        mask && !self.loops.last().is_some_and(|open| open.broken || open.continued)
    }

    pub(super) fn push(&mut self) {
        self.masks.push(self.active);
    }

    pub(super) fn pop(&mut self, count: u32) {
        for _ in 0..count {
            if let Some(mask) = self.masks.pop() {
                self.active = self.allowed(mask);
            }
        }
    }

    pub(super) fn invert(&mut self) {
        let top = self.masks.last().copied().unwrap_or(true);
        self.active = self.allowed(top) && !self.active;
    }

    /// The pixel leaves the loop.
    pub(super) fn leave(&mut self) {
        if self.active
            && let Some(open) = self.loops.last_mut()
        {
            open.broken = true;
            self.active = false;
        }
    }

    /// The pixel waits for the next pass.
    pub(super) fn wait(&mut self) {
        if self.active
            && let Some(open) = self.loops.last_mut()
        {
            open.continued = true;
            self.active = false;
        }
    }

    /// The lowest loop slot that no open loop uses.
    fn free_slot(&self) -> u8 {
        (0..=u8::MAX).find(|slot| self.loops.iter().all(|open| open.slot != *slot)).unwrap_or(0)
    }

    /// Slot of the innermost open loop that has an index.
    pub(super) fn index(&self) -> Option<u8> {
        self.loops.iter().rev().find(|open| open.indexed).map(|open| open.slot)
    }

    /// Whether the stacks are deeper than is followed.
    pub(super) fn is_too_deep(&self) -> bool {
        self.masks.len().max(self.loops.len()).max(self.calls.len()) > DEPTH
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

/// What a control-flow instruction does to the flow, once its data side is done. `holds`: the bool constant has
/// the value, where it looks at one.
pub(super) fn turn(context: &mut Context, at: u32, cf: Cf, op: CfOp, holds: bool) -> Next {
    let normal = cf.normal();
    let (to, pops) = (normal.addr(), normal.pop_count());
    let mut next = Next::To(at.wrapping_add(1));
    if cf.ends_program() {
        next = Next::End;
    }
    // What passes the condition.
    let passes = context.active && holds && normal.cond() != 1;
    match op {
        CfOp::Jump => {
            if !passes {
                context.pop(pops);
                return Next::To(to);
            }
        }
        CfOp::Push => {
            context.push();
            context.active = passes;
            if !passes {
                context.pop(pops);
                return Next::To(to);
            }
        }
        CfOp::PushElse => {
            context.push();
            context.invert();
        }
        CfOp::Else => {
            context.invert();
            if !context.active {
                context.pop(pops);
                return Next::To(to);
            }
        }
        CfOp::Pop => {
            context.pop(pops);
        }
        CfOp::PopJump => {
            context.pop(pops);
            return Next::To(to);
        }
        CfOp::PopPush => {
            context.pop(pops);
            context.push();
        }
        CfOp::PopPushElse => {
            context.pop(pops);
            context.push();
            context.invert();
        }
        CfOp::LoopStart | CfOp::LoopStartNoAl | CfOp::LoopStartDx10 => {
            let counts = op != CfOp::LoopStartDx10;
            let open = Loop {
                slot: context.free_slot(),
                constant: counts.then(|| normal.cf_const() as u8),
                indexed: op == CfOp::LoopStart,
                entered: context.active,
                broken: false,
                continued: false,
            };
            context.loops.push(open);
            if counts && context.active {
                return Next::Head(at.wrapping_add(1));
            }
        }
        CfOp::LoopEnd => {
            if let Some(open) = context.loops.last_mut() {
                if open.entered && !open.broken {
                    open.continued = false;
                    let counts = open.constant.is_some();
                    context.active = true;
                    return if counts { Next::Head(to) } else { Next::To(to) };
                }
                context.active = open.entered;
                context.loops.pop();
            }
        }
        CfOp::LoopBreak => context.leave(),
        CfOp::LoopContinue => context.wait(),
        CfOp::Call => {
            if passes {
                context.calls.push(at.wrapping_add(1));
                return Next::To(to);
            }
        }
        CfOp::Return => {
            if passes && let Some(back) = context.calls.pop() {
                return Next::To(back);
            }
        }
        CfOp::EndProgram => return Next::End,
        _ => {}
    }
    next
}
