//! Control flow: the program counter and the three stacks of open blocks.

use super::super::Condition;

/// A stack of fixed depth; what is pushed on a full one drives out the oldest entry.
#[derive(Debug, Clone, Copy)]
struct Stack<T, const DEPTH: usize> {
    entries: [T; DEPTH],
    len: usize,
}

impl<T: PartialEq, const DEPTH: usize> PartialEq for Stack<T, DEPTH> {
    fn eq(&self, other: &Self) -> bool {
        // What lies above the top is left over from earlier blocks.
        self.entries[..self.len] == other.entries[..other.len]
    }
}

impl<T: Copy + Default, const DEPTH: usize> Stack<T, DEPTH> {
    fn new() -> Self {
        Self { entries: [T::default(); DEPTH], len: 0 }
    }

    fn push(&mut self, entry: T) {
        if self.len == DEPTH {
            self.entries.copy_within(1.., 0);
            self.len -= 1;
        }
        self.entries[self.len] = entry;
        self.len += 1;
    }

    fn top(&mut self) -> Option<&mut T> {
        self.entries[..self.len].last_mut()
    }

    fn pop(&mut self) {
        self.len = self.len.saturating_sub(1);
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
struct Call {
    end: u32,
    back: u32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
struct If {
    otherwise: u32,
    end: u32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
struct Loop {
    body: u32,
    end: u32,
    left: u8,
    step: u8,
    /// aL in front of the loop, for a loop around this one.
    outer: i32,
}

/// A block or call that is open.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Open {
    /// A call.
    Call {
        /// The word behind the procedure.
        end: u32,
        /// Where it returns to.
        back: u32,
    },
    /// The first part of an IF.
    If {
        /// The word behind the part.
        end: u32,
        /// Where it goes on from there.
        behind: u32,
    },
    /// A LOOP.
    Loop {
        /// First word of the body.
        body: u32,
        /// The word behind it.
        end: u32,
        /// Passes that are left behind this one.
        left: u8,
    },
}

/// When a flow instruction acts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Test {
    Always,
    Flags(Condition),
    /// The bool uniform has this value.
    Uniform(u8, bool),
}

impl Test {
    pub(super) fn holds(self, cmp: [bool; 2], b: &[bool; 16]) -> bool {
        match self {
            Self::Always => true,
            Self::Flags(condition) => condition.holds(cmp[0], cmp[1]),
            Self::Uniform(n, value) => b[usize::from(n & 15)] == value,
        }
    }
}

/// What a flow instruction does when its test holds. Addresses are word indices; ends are exclusive.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Transfer {
    Jump { to: u32 },
    Call { to: u32, end: u32 },
    If { otherwise: u32, end: u32 },
    Loop { end: u32, int: u8 },
    Break,
}

/// Where the program is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Flow {
    pub(super) pc: u32,
    calls: Stack<Call, 4>,
    ifs: Stack<If, 8>,
    loops: Stack<Loop, 4>,
}

impl Flow {
    pub(super) fn new(entry: u32) -> Self {
        Self { pc: entry, calls: Stack::new(), ifs: Stack::new(), loops: Stack::new() }
    }

    pub(super) fn open(&self) -> impl Iterator<Item = Open> + '_ {
        let calls = self.calls.entries[..self.calls.len].iter();
        let ifs = self.ifs.entries[..self.ifs.len].iter();
        let loops = self.loops.entries[..self.loops.len].iter();
        calls
            .map(|open| Open::Call { end: open.end, back: open.back })
            .chain(ifs.map(|open| Open::If { end: open.otherwise, behind: open.end }))
            .chain(loops.map(|open| Open::Loop { body: open.body, end: open.end, left: open.left }))
    }

    /// Ends an instruction that is no flow instruction.
    #[inline]
    pub(super) fn advance(&mut self, al: &mut i32) {
        self.leave_blocks(self.pc.wrapping_add(1), false, al);
    }

    /// Carries out and ends a flow instruction whose test gave `holds`.
    pub(super) fn transfer(&mut self, transfer: Transfer, holds: bool, i: &[[u8; 4]; 4], al: &mut i32) {
        let old = self.pc;
        let next = old.wrapping_add(1);
        let mut to = next;
        match transfer {
            Transfer::If { otherwise, end } => {
                if holds {
                    self.ifs.push(If { otherwise, end });
                } else {
                    to = otherwise;
                }
            }
            _ if !holds => {}
            Transfer::Jump { to: target } => to = target,
            Transfer::Call { to: target, end } => {
                self.calls.push(Call { end, back: next });
                to = target;
            }
            Transfer::Loop { end, int } => {
                let [left, start, step, _] = i[usize::from(int & 3)];
                self.loops.push(Loop { body: next, end, left, step, outer: *al });
                *al = i32::from(start);
            }
            Transfer::Break => {}
        }
        self.pc = to;
        self.leave_blocks_from(next, holds && transfer == Transfer::Break, al);
    }

    #[inline]
    fn leave_blocks(&mut self, next: u32, is_break: bool, al: &mut i32) {
        self.pc = next;
        // Straight-line code outside any block is the common case.
        if self.calls.len | self.ifs.len | self.loops.len != 0 {
            self.leave_blocks_from(next, is_break, al);
        }
    }

    /// Compares the word behind the instruction just done with the top of each stack. A later winner
    /// overwrites an earlier one, so LOOP wins over IF over CALL over a jump.
    fn leave_blocks_from(&mut self, next: u32, is_break: bool, al: &mut i32) {
        let mut behind = next;
        for pops in 0..4 {
            match self.calls.top() {
                Some(call) if call.end == behind => {
                    // Four calls that end together: the fourth entry goes, but the pc stays (3dbrew).
                    if pops < 3 {
                        self.pc = call.back;
                        behind = call.back;
                    }
                    self.calls.pop();
                }
                _ => break,
            }
        }
        if let Some(block) = self.ifs.top()
            && block.otherwise == next
        {
            self.pc = block.end;
            self.ifs.pop();
        }
        let nested = self.loops.len > 1;
        if let Some(open) = self.loops.top()
            && (open.end == next || is_break)
        {
            *al = al.wrapping_add(i32::from(open.step));
            if !is_break && open.left > 0 {
                open.left -= 1;
                self.pc = open.body;
            } else {
                self.pc = open.end;
                // The loop around this one goes on with its own counter.
                if nested {
                    *al = open.outer;
                }
                self.loops.pop();
            }
        }
    }
}
