//! What follows from the code of a program and containers state of it.

/// What code says of itself: an instruction set computes it, a container may state it. `None`: the code does not tell, or the
/// container does not state it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct CodeFacts {
    /// General registers of a thread (Latte: NUM_GPRS; Maxwell: of the control section or program header).
    pub registers: Option<u32>,
    /// Entries of the branch stack (Latte: STACK_SIZE).
    pub stack: Option<u32>,
    /// Index of the last instruction that loads an attribute, plus 1; 0 if none does (Mali GP: chunk FINS).
    pub attribute_prefetch: Option<u32>,
    /// The program can drop pixels (Mali PP: chunk FDIS; Latte: KILL_ENABLE).
    pub discards: Option<bool>,
}
