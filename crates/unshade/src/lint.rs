//! What the instruction sets say of the code of programs.

use unshade_bytes::Diagnostic;
use unshade_isa::{Machine, with_machine};
use unshade_stage::Stage;

/// What the instruction set finds in the code of a program. Offsets count from the start of its container.
pub fn lint(stage: &Stage<'_>) -> Vec<Diagnostic> {
    // Of code that cannot be got at nothing is known.
    if stage.code.missing.is_some() {
        return Vec::new();
    }
    with_machine!(stage.isa, M => M::lint(stage), _ => Vec::new())
}
