//! Control flow as facts: what each word may do, and the three stacks with everything in them that does not
//! depend on the inputs.
//!
//! The machine finds the end of a block by comparing the next address with the tops of its stacks, so where
//! a program goes on depends on what blocks are open. Their addresses are constants of the code; only the counters of
//! loops are not, and those live in variables. A place in the program is therefore a word together with a
//! [`Context`], and there are finitely many of them.

use super::super::{Condition, Inst, Opcode, Operands};

/// Deepest nesting of procedures; a fifth call drives out the oldest entry.
pub(super) const CALL_DEPTH: usize = 4;
/// Deepest nesting of IF.
pub(super) const IF_DEPTH: usize = 8;
/// Deepest nesting of LOOP.
pub(super) const LOOP_DEPTH: usize = 4;

/// An open procedure.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Call {
    /// First word behind the procedure.
    pub(super) end: u32,
    /// Where the caller goes on; `None`: the caller of the function that is being explored.
    pub(super) back: Option<u32>,
}

/// An open IF whose condition held.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct If {
    /// First word behind the part that runs when true.
    pub(super) end: u32,
    /// First word behind the part that runs when false.
    pub(super) behind: u32,
}

/// An open LOOP.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Loop {
    /// First word of the body.
    pub(super) body: u32,
    /// First word behind the body.
    pub(super) end: u32,
    /// Integer uniform that gives the number of passes, the start and the step of aL.
    pub(super) int: u8,
    /// Which variable counts its passes: different for all loops that are open together.
    pub(super) slot: u8,
}

/// What SETEMIT chose.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub(super) struct Emission {
    /// Slot that the next EMIT fills.
    pub(super) vertex: u8,
    /// The next EMIT completes a triangle.
    pub(super) primitive: bool,
    /// The triangle's winding is inverted.
    pub(super) invert: bool,
}

/// The static part of the machine's flow state. The last entry of a stack is its top.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub(super) struct Context {
    pub(super) calls: Vec<Call>,
    pub(super) ifs: Vec<If>,
    pub(super) loops: Vec<Loop>,
    pub(super) emission: Emission,
}

impl Context {
    /// Whether the instruction in front of `next` ends some block.
    pub(super) fn ends_at(&self, next: u32) -> bool {
        self.calls.last().is_some_and(|call| call.end == next)
            || self.ifs.last().is_some_and(|block| block.end == next)
            || self.loops.last().is_some_and(|open| open.end == next)
    }

    /// The lowest loop slot that no open loop uses.
    pub(super) fn free_slot(&self) -> u8 {
        (0..LOOP_DEPTH as u8).find(|slot| self.loops.iter().all(|open| open.slot != *slot)).unwrap_or(0)
    }
}

/// When a flow instruction acts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Test {
    /// Always.
    Always,
    /// If the condition on the compare flags holds.
    Flags(Condition),
    /// If the bool uniform has this value.
    Uniform {
        /// Its number.
        register: u8,
        /// The value.
        is: bool,
    },
}

/// What a flow instruction does when its test holds. Addresses are word indices, ends are exclusive.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Transfer {
    /// JMPC, JMPU.
    Jump(u32),
    /// CALL, CALLC, CALLU.
    Call {
        /// First word.
        begin: u32,
        /// Behind the last word.
        end: u32,
    },
    /// IFC, IFU.
    If(If),
    /// LOOP.
    Loop {
        /// Behind the last word of the body.
        end: u32,
        /// Integer uniform.
        int: u8,
    },
    /// BREAK, BREAKC.
    Break,
}

/// What a word means for the flow.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Flow {
    /// The next word follows. Words that are no instruction are among these: they do nothing.
    Plain,
    /// END.
    End,
    /// EMIT of a geometry program.
    Emit,
    /// SETEMIT of a geometry program.
    SetEmit(Emission),
    /// Goes elsewhere, or opens a block.
    Transfer(Transfer, Test),
}

impl Flow {
    /// Meaning of an instruction in a program of that kind.
    pub(super) fn of(inst: Inst, geometry: bool) -> Self {
        let Inst::Known { opcode, operands } = inst else { return Self::Plain };
        match operands {
            Operands::Bare { .. } => match opcode {
                Opcode::End => Self::End,
                Opcode::Break => Self::Transfer(Transfer::Break, Test::Always),
                Opcode::Emit if geometry => Self::Emit,
                _ => Self::Plain,
            },
            Operands::SetEmit { vertex, primitive, invert, .. } if geometry => {
                Self::SetEmit(Emission { vertex: vertex & 3, primitive, invert })
            }
            Operands::FlowCondition { num, dst, condition, .. } => {
                let test = if opcode == Opcode::Call { Test::Always } else { Test::Flags(condition) };
                Self::transfer(opcode, dst.into(), num.into(), 0, test)
            }
            Operands::FlowUniform { num, dst, uniform, .. } => {
                let test = match opcode {
                    Opcode::Loop => Test::Always,
                    // NUM bit 0 inverts a jump and nothing else.
                    Opcode::Jmpu => Test::Uniform { register: uniform & 15, is: num & 1 == 0 },
                    _ => Test::Uniform { register: uniform & 15, is: true },
                };
                Self::transfer(opcode, dst.into(), num.into(), uniform & 3, test)
            }
            _ => Self::Plain,
        }
    }

    fn transfer(opcode: Opcode, dst: u32, num: u32, int: u8, test: Test) -> Self {
        let transfer = match opcode {
            Opcode::Call | Opcode::Callc | Opcode::Callu => Transfer::Call { begin: dst, end: dst + num },
            Opcode::Ifc | Opcode::Ifu => Transfer::If(If { end: dst, behind: dst + num }),
            Opcode::Jmpc | Opcode::Jmpu => Transfer::Jump(dst),
            Opcode::Loop => Transfer::Loop { end: dst + 1, int },
            Opcode::Breakc => Transfer::Break,
            _ => return Self::Plain,
        };
        Self::Transfer(transfer, test)
    }
}
