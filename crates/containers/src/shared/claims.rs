//! What a container states of a program because its code needs it: registers, stack, what is fetched ahead. Only an
//! instruction set can tell from code what it needs; this is where the answer goes.

/// Claims of a program; `None`: the container does not state it, or the code does not tell.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Claims {
    /// General registers of a thread (Latte: NUM_GPRS; Maxwell: of the control section or program header).
    pub registers: Option<u32>,
    /// Entries of the branch stack (Latte: STACK_SIZE).
    pub stack: Option<u32>,
    /// Index of the last instruction that loads an attribute, plus 1 (Mali GP: chunk FINS).
    pub attribute_prefetch: Option<u32>,
    /// The program can drop pixels (Mali PP: chunk FDIS; Latte: KILL_ENABLE).
    pub discards: Option<bool>,
}
