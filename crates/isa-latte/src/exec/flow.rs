//! Which lanes are at work: masks, loops and calls.

use super::outcome::Fault;

/// Lanes, bit n = lane n.
pub(super) type Mask = u8;

/// Masks that can wait on the stack; the machine's stack has at most 255 entries of four elements.
const MASKS: usize = 1024;
/// Loops inside each other.
const LOOPS: usize = 256;
/// Calls inside each other, as on the machine.
const CALLS: usize = 32;

/// A loop that runs.
#[derive(Debug, Clone, Copy)]
struct Loop {
    /// Lanes that came to it.
    outer: Mask,
    /// Lanes that entered it.
    entry: Mask,
    broken: Mask,
    continued: Mask,
    /// Passes left, this one included; none for loops without an end of their own.
    left: Option<u32>,
    /// What the index grows by.
    step: i32,
    /// The index outside; none where the loop leaves it alone.
    index_outside: Option<i32>,
    /// Masks on the stack when it was entered. Its own entry lies on the same stack of the machine, so what jumps
    /// left above it is gone at its end.
    masks: usize,
}

/// A subroutine that runs.
#[derive(Debug, Clone, Copy)]
struct Call {
    entry: Mask,
    outer: Mask,
    returned: Mask,
    /// Sizes of the stacks when it was called.
    masks: usize,
    loops: usize,
    to: Return,
}

/// Where a call goes on afterwards.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Return {
    pub(super) address: u32,
    /// It was the call of the fetch program.
    pub(super) fetch: bool,
}

/// What is open at a place of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Open {
    /// A mask that waits.
    Mask {
        /// Lanes, bit n = lane n.
        lanes: u8,
    },
    /// A loop.
    Loop {
        /// Lanes that entered it.
        lanes: u8,
        /// Lanes that left it.
        broken: u8,
        /// Lanes that are done with this pass.
        continued: u8,
        /// Passes left, this one included; none for loops without an end of their own.
        left: Option<u32>,
    },
    /// A call.
    Call {
        /// Address where it goes on afterwards.
        back: u32,
        /// It is the call of the fetch program.
        fetch: bool,
    },
}

/// The state of control flow.
#[derive(Debug, Clone, Default)]
pub(super) struct Flow {
    pub(super) active: Mask,
    /// Lanes that were dropped. They stay in the masks, but nothing waits for them.
    pub(super) killed: Mask,
    /// The loop index.
    pub(super) index: i32,
    masks: Vec<Mask>,
    loops: Vec<Loop>,
    calls: Vec<Call>,
}

impl Flow {
    pub(super) fn new(active: Mask) -> Self {
        Self { active, killed: 0, index: 0, masks: Vec::new(), loops: Vec::new(), calls: Vec::new() }
    }

    pub(super) fn calls(&self) -> usize {
        self.calls.len()
    }

    pub(super) fn open(&self) -> Vec<Open> {
        let calls = self.calls.iter().map(|call| Open::Call { back: call.to.address, fetch: call.to.fetch });
        let loops = self.loops.iter().map(|frame| Open::Loop {
            lanes: frame.entry,
            broken: frame.broken,
            continued: frame.continued,
            left: frame.left,
        });
        calls.chain(loops).chain(self.masks.iter().map(|&lanes| Open::Mask { lanes })).collect()
    }

    /// Whether none of these lanes is at work.
    pub(super) fn none(&self, lanes: Mask) -> bool {
        lanes & !self.killed == 0
    }

    /// Lanes that have left what runs now, though an outer mask has them.
    fn gone(&self) -> Mask {
        let call = self.calls.last();
        let returned = call.map_or(0, |call| call.returned);
        // Those of a loop outside of the call did not come in.
        let first = call.map_or(0, |call| call.loops);
        let inner = self.loops.get(first..).and_then(<[Loop]>::last);
        returned | inner.map_or(0, |frame| frame.broken | frame.continued)
    }

    pub(super) fn push(&mut self) -> Result<(), Fault> {
        if self.masks.len() >= MASKS {
            return Err(Fault::StackOverflow);
        }
        self.masks.push(self.active);
        Ok(())
    }

    /// Drops entries; the last of them becomes the mask.
    pub(super) fn pop(&mut self, count: u32) -> Result<(), Fault> {
        for _ in 0..count {
            let floor = self.calls.last().map_or(0, |call| call.masks);
            if self.masks.len() <= floor {
                return Err(Fault::StackUnderflow);
            }
            if let Some(mask) = self.masks.pop() {
                self.active = mask & !self.gone();
            }
        }
        Ok(())
    }

    /// The other lanes of the mask on the stack, where `condition` holds for them.
    pub(super) fn invert(&mut self, condition: bool) -> Result<(), Fault> {
        let floor = self.calls.last().map_or(0, |call| call.masks);
        let top = self.masks.get(floor..).and_then(<[Mask]>::last).ok_or(Fault::StackUnderflow)?;
        self.active = if condition { top & !self.active & !self.gone() } else { 0 };
        Ok(())
    }

    /// Enters a loop. `constant` is its loop constant, if it counts; `indexed` if it has an index. Answers false
    /// where no lane enters or there is nothing to count: nothing is entered then.
    pub(super) fn enter(&mut self, lanes: Mask, constant: Option<u32>, indexed: bool) -> Result<bool, Fault> {
        let left = constant.map(|constant| constant & 0xFFF);
        if self.none(lanes) || left == Some(0) {
            return Ok(false);
        }
        if self.loops.len() >= LOOPS {
            return Err(Fault::StackOverflow);
        }
        let [first, step] = constant.map_or([0; 2], |word| [(word as i32) << 8 >> 20, word as i32 >> 24]);
        self.loops.push(Loop {
            outer: self.active,
            entry: lanes,
            broken: 0,
            continued: 0,
            left,
            step: if indexed { step } else { 0 },
            index_outside: indexed.then_some(self.index),
            masks: self.masks.len(),
        });
        if indexed {
            self.index = first;
        }
        self.active = lanes;
        Ok(true)
    }

    fn inner(&mut self) -> Result<&mut Loop, Fault> {
        let first = self.calls.last().map_or(0, |call| call.loops);
        self.loops.get_mut(first..).and_then(<[Loop]>::last_mut).ok_or(Fault::OutsideLoop)
    }

    /// Lanes leave the loop, or its pass. Answers whether the loop has none left.
    pub(super) fn leave(&mut self, lanes: Mask, pass: bool) -> Result<bool, Fault> {
        let killed = self.killed;
        let frame = self.inner()?;
        if pass {
            frame.continued |= lanes;
        } else {
            frame.broken |= lanes;
        }
        let left = frame.entry & !(frame.broken | frame.continued) & !killed;
        self.active &= !lanes;
        Ok(left & !self.calls.last().map_or(0, |call| call.returned) == 0)
    }

    /// The end of a loop. Answers whether another pass follows.
    pub(super) fn repeat(&mut self) -> Result<bool, Fault> {
        let returned = self.calls.last().map_or(0, |call| call.returned);
        let killed = self.killed;
        let frame = self.inner()?;
        let active = frame.entry & !frame.broken & !returned;
        let left = frame.left.map(|left| left - 1);
        let masks = frame.masks;
        if active & !killed != 0 && left != Some(0) {
            frame.left = left;
            frame.continued = 0;
            let step = frame.step;
            self.active = active;
            self.index = self.index.wrapping_add(step);
            self.masks.truncate(masks);
            return Ok(true);
        }
        if let Some(frame) = self.loops.pop() {
            self.active = frame.outer & !returned;
            self.index = frame.index_outside.unwrap_or(self.index);
            self.masks.truncate(masks);
        }
        Ok(false)
    }

    pub(super) fn call(&mut self, lanes: Mask, to: Return) -> Result<(), Fault> {
        if self.calls.len() >= CALLS {
            return Err(Fault::TooDeep);
        }
        self.calls.push(Call {
            entry: lanes,
            outer: self.active,
            returned: 0,
            masks: self.masks.len(),
            loops: self.loops.len(),
            to,
        });
        self.active = lanes;
        Ok(())
    }

    /// Lanes return. Answers where to go on once none is left in the subroutine.
    pub(super) fn give_back(&mut self, lanes: Mask) -> Returned {
        let Some(call) = self.calls.last_mut() else { return Returned::Outermost };
        call.returned |= lanes;
        self.active &= !lanes;
        if call.entry & !call.returned & !self.killed != 0 {
            return Returned::Partly;
        }
        let call = *call;
        self.calls.pop();
        self.masks.truncate(call.masks);
        if let Some(frame) = self.loops.get(call.loops) {
            self.index = frame.index_outside.unwrap_or(self.index);
        }
        self.loops.truncate(call.loops);
        self.active = call.outer;
        Returned::To(call.to)
    }
}

/// What became of a return.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Returned {
    /// Nothing was called: the program ends.
    Outermost,
    /// Other lanes are still in the subroutine.
    Partly,
    /// All are back.
    To(Return),
}
