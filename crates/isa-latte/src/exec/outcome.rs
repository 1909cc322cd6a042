//! How runs end, and why machines cannot go on.

/// Why the machine cannot go on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    /// The control-flow instruction is none of this machine.
    UnknownInstruction,
    /// The arithmetic operation is none of this machine.
    UnknownOperation,
    /// The instructions of a group do not fit together, or the clause ends inside of it.
    BadGroup,
    /// An operation of several units lacks one.
    Incomplete,
    /// An index that is neither the address register nor the loop index.
    IndexMode,
    /// The clause reaches out of the program.
    ClauseOutside,
    /// A fetch instruction that is not modelled.
    Unsupported,
    /// More entries are dropped than there are on the stack.
    StackUnderflow,
    /// The stack is full.
    StackOverflow,
    /// The end of a loop, or a way out of one, where there is none.
    OutsideLoop,
    /// Too many calls inside each other.
    TooDeep,
    /// More vertices than a geometry program can have.
    TooManyVertices,
    /// Behind the last instruction.
    RanOff,
}

impl Fault {
    /// What happened, as a part of a sentence.
    pub fn text(self) -> &'static str {
        match self {
            Self::UnknownInstruction => "unknown control-flow instruction",
            Self::UnknownOperation => "unknown arithmetic operation",
            Self::BadGroup => "instructions of a group that do not fit together",
            Self::Incomplete => "an operation of several units that lacks one",
            Self::IndexMode => "an index that the machine does not have",
            Self::ClauseOutside => "a clause that reaches out of the program",
            Self::Unsupported => "a fetch that is not modelled",
            Self::StackUnderflow => "nothing left on the stack",
            Self::StackOverflow => "the stack is full",
            Self::OutsideLoop => "not inside of a loop",
            Self::TooDeep => "calls nested too deep",
            Self::TooManyVertices => "too many vertices",
            Self::RanOff => "no end before the last instruction",
        }
    }
}

/// How a run ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum End {
    /// At the end of the program, or when the last lane was dropped.
    Ended,
    /// As many steps as allowed were done.
    OutOfFuel,
    /// The machine could not go on.
    Fault {
        /// Address of the control-flow instruction.
        address: u32,
        /// Why.
        fault: Fault,
    },
}

/// How a run went. What it computed is in the lanes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Outcome {
    /// How it ended.
    pub end: End,
    /// Control-flow instructions, groups and fetches done.
    pub steps: u64,
}
