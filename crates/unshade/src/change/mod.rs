//! Programs of a file, changed as a whole: replaced, added, removed, wherever in a file they lie.
//!
//! What becomes of the container, `unshade_containers::programs` knows. Here is what only the instruction sets know:
//! code from text, what the container has to state of it, and whether the new stage still fits to what is around it.

mod instruction;
mod interface;
mod listing;
mod mismatch;
mod program;
mod source;
mod sources;

pub use crate::code::assemble_for;
pub use instruction::{InstructionEdit, InstructionPlace, replace_instruction};
pub use listing::replace_by_listing;
pub use program::{
    Addition, Change, ChangeError, ChangedProgram, add_program, remove_program, replace_program,
};
pub use source::{Replacement, replacement};
